"""The view of a seat or a spectator, typed and frozen. Atlandice has no secrets."""

from __future__ import annotations

import msgspec

from atoll.picture import Row


class AtlandiceTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows; see AtlandiceState."""

    phase: int
    round: int
    start_player: int
    here: int
    dice: Row
    handed: tuple[bool, ...]
    stock: tuple[Row, ...]
    holds: tuple[Row, ...]
    out: Row
    open_tile: Row
    below: tuple[Row, ...]
    submarine: int
    clock: int
    won: tuple[Row, ...]


class AtlandiceLive(msgspec.Struct, frozen=True):
    """Facts that the rules compute; see `scoring.live`."""

    scores: Row
    points: Row
    stakes: tuple[Row, ...]
    leaders: tuple[Row, ...]
    left: Row
    dice: Row
    hands: Row
    stop: Row
    inventories: tuple[Row, ...]
    picks: Row


class AtlandiceDecision(msgspec.Struct, frozen=True):
    """The open question. Only the seat that is asked knows its options."""

    prompt: str
    options: Row | None = None


class AtlandiceView(msgspec.Struct, frozen=True):
    """A view."""

    viewer: int | None
    seats: int
    decision: AtlandiceDecision | None
    state: AtlandiceTable
    live: AtlandiceLive

    @property
    def has_neutral(self) -> bool:
        """Whether there is a neutral player, who is the last holder."""
        return len(self.state.holds) > self.seats

    def asks(self, prompt: str) -> bool:
        """Return whether the viewer is asked this question."""
        asked = self.decision
        return asked is not None and asked.options is not None and asked.prompt == prompt
