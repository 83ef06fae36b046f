"""The view of a seat or a spectator, typed and frozen: the fields of the picture (WU-13.1)."""

from __future__ import annotations

import msgspec

from atoll.picture import Hidden, Row, Rows, Zone


class WutakiTable(msgspec.Struct, frozen=True):
    """The viewed fields of the state; see `WutakiState`. The element of another seat is None."""

    side: int
    round: int
    start: int
    claimant: int
    vp: Row
    stock: Rows
    supply: Row
    maw: Row
    cost_marker: Row
    masterboard: Row
    boards_left: Row
    track: Row
    multiplier: Row
    ability: Row
    ability_used: tuple[bool, ...]
    home: Rows
    tower: Rows
    idle: Rows
    fields: Rows
    guest: Row
    markers: Rows
    upgrade_markers: Row
    pyramid: Row
    built: Rows
    tower_left: Row
    counter: int
    display: Row
    pacts: Rows
    fulfilled: tuple[Zone, ...]
    pact_deck: Hidden
    pact_discard: Row
    element: tuple[int | None, ...]
    secret_pacts: tuple[Zone, ...]
    secret_pact_deck: Hidden
    omens: tuple[Zone, ...]
    omen_deck: Hidden
    omen_discard: Row
    permanent: Row
    vengeance: tuple[Zone, ...]
    vengeance_deck: Hidden
    round_card: int
    round_deck: Hidden
    ender: int
    last_turns: Row


Estimate = tuple[int, int, int]
"""A card, its points if the game ended now, and the value that it counts."""


class WutakiReminders(msgspec.Struct, frozen=True):
    """The estimates of the viewer's own cards; see `scoring.reminders`."""

    pact: tuple[Estimate, ...] = ()
    vengeance: tuple[Estimate, ...] = ()
    secret_pact: tuple[Estimate, ...] = ()


class WutakiLive(msgspec.Struct, frozen=True):
    """The facts that the rules compute for a seat.

    Attributes:
        reminders: The estimates of its cards.
        yields: What each standard place would yield to it; None for a spectator.
    """

    reminders: WutakiReminders = WutakiReminders()
    yields: Row | None = None


class WutakiView(msgspec.Struct, frozen=True):
    """The view of a seat or a spectator."""

    viewer: int | None
    seats: int
    state: WutakiTable
    live: WutakiLive
