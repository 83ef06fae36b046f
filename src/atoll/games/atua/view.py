"""The view of a seat or a spectator, typed and frozen.

Residents that aren't played yet are secret. Until the end, spectators see only the size of
Tahuma's pile.
"""

from __future__ import annotations

import msgspec

from atoll.picture import Row, Rows, Zone


class AtuaTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows. They are documented in `AtuaState`."""

    active: int
    turn: int
    window: int
    stacks: Row
    row: Row
    row_coconuts: Row
    held: int
    placed: Rows
    supply: Row
    hut: int
    residents: tuple[int | None, ...]
    """Per seat the resident in its hand; None for those of others."""
    revealed: Row
    fate_row: Row
    fates: Rows
    sheet: Rows
    tahuma_pile: tuple[Zone, ...]


Lines = tuple[tuple[str, int], ...]
"""Lines of a sheet: keys and points."""


class AtuaLive(msgspec.Struct, frozen=True):
    """Facts that the rules compute. They are documented in `scoring.live`."""

    counts: Rows
    beach: Row
    sheets: tuple[Lines, ...]
    scores: Row
    resident: int | None
    tahuma: Lines | None


class AtuaOptions(msgspec.Struct, frozen=True):
    """The options that change the picture."""

    residents: bool
    fates: bool
    solo_difficulty: str
    volcano_ruler: str


class AtuaDecision(msgspec.Struct, frozen=True):
    """The open decision. Only the asked seat knows its choices."""

    prompt: str
    options: Row = ()


class AtuaView(msgspec.Struct, frozen=True):
    """A view as it is sent to the picture.

    Attributes:
        viewer: The seat of the viewer; None for a spectator.
        seats: The number of seats.
        over: Whether the game is over.
        options: The options.
        decision: The open decision, if any.
        state: The visible state.
        live: Facts derived from the state.
    """

    viewer: int | None
    seats: int
    over: bool
    options: AtuaOptions
    decision: AtuaDecision | None
    state: AtuaTable
    live: AtuaLive

    @property
    def solo(self) -> bool:
        """True if Tahuma is the opponent."""
        return self.seats == 1

    @property
    def shown(self) -> int:
        """The seat whose island is shown large: the viewer's, or for spectators the active seat."""
        return self.state.active if self.viewer is None else self.viewer

    @property
    def placements(self) -> Row:
        """The placements from which the viewer can choose; empty at other decisions."""
        asked = self.decision
        return asked.options if asked is not None and asked.prompt == "place" else ()
