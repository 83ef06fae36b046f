"""The view of a seat or a spectator, typed and frozen: the fields of the picture (RA-11.2)."""

from __future__ import annotations

import msgspec

from atoll.picture import Hidden, Row, Zone


class RaiateaTable(msgspec.Struct, frozen=True):
    """The viewed fields of the state; see `RaiateaState`.

    For other seats `pearls`, `mana`, `goods`, `hands` and `bag` are None, and `veiled`, `drawn`,
    `looked` and `tasks_done` are `Hidden`. At the end of the game `tasks_done` is open.
    """

    phase: int
    field: int
    order: Row
    place: int
    favour: Row
    taken: Row
    kahuna: int
    location: int
    step: int
    prices: Row
    goods_market: Row
    assistant_market: Row
    mask_market: Row
    forest_deck: Hidden
    display: Row
    decks: tuple[Hidden, ...]
    discards: tuple[Row, ...]
    bag_mana: int
    tiles: Row
    unlocked: tuple[bool, ...]
    revealed: tuple[bool, ...]
    pearls: tuple[int | None, ...]
    mana: tuple[int | None, ...]
    goods: tuple[Row | None, ...]
    veiled: tuple[Zone, ...]
    hands: tuple[Row | None, ...]
    drawn: tuple[Zone, ...]
    bag: tuple[Row | None, ...]
    looked: tuple[Zone, ...]
    permanents: tuple[Row, ...]
    tasks_done: tuple[Zone, ...]
    ready: tuple[Row, ...]
    exhausted: tuple[Row, ...]
    masks: tuple[Row, ...]
    pairs: tuple[Row, ...]
    mirrored: tuple[Row, ...]
    priests: Row
    tattoos: Row
    offers: Row
    gifts: Row
    row: Row
    row_owner: Row
    blessed: Row
    blessed_owner: Row
    source: Row


class RaiateaLive(msgspec.Struct, frozen=True):
    """The facts that the rules compute; see `scoring.live`."""

    rituals: tuple[Row, ...]
    goods: Row
    ranks: Row
    scores: tuple[int | None, ...]


class RaiateaSet(msgspec.Struct, frozen=True):
    """The set that the viewer is picking."""

    picked: Row


class RaiateaQuestion(msgspec.Struct, frozen=True):
    """The open decision. Only the seat that is asked has its set."""

    seat: int
    prompt: str
    set: RaiateaSet | None = None


class RaiateaView(msgspec.Struct, frozen=True):
    """The view of a seat or a spectator."""

    viewer: int | None
    seats: int
    ready: tuple[bool, ...] | None
    decision: RaiateaQuestion | None
    state: RaiateaTable
    live: RaiateaLive

    @property
    def prompt(self) -> str:
        """The prompt of the question to the viewer, or "" without one."""
        return self.decision.prompt if self.decision is not None and self.decision.seat == self.viewer else ""
