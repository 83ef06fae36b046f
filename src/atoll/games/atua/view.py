"""The view of a seat or a spectator, typed and frozen.

Secret are residents that aren't played yet, and until the end Tahuma's pile: spectators see its size alone.
"""

from __future__ import annotations

import msgspec

from atoll.picture import Row, Rows, Zone


class AtuaTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows; see AtuaState."""

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
    """Per seat the resident in its hand, None for those of others."""
    revealed: Row
    fate_row: Row
    fates: Rows
    sheet: Rows
    tahuma_pile: tuple[Zone, ...]


Lines = tuple[tuple[str, int], ...]
"""Lines of a sheet: keys and points."""


class AtuaLive(msgspec.Struct, frozen=True):
    """Facts that the rules compute; see `scoring.live`."""

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
    """The question that is asked; its options are known to the seat that is asked."""

    prompt: str
    options: Row = ()


class AtuaView(msgspec.Struct, frozen=True):
    """A view."""

    viewer: int | None
    seats: int
    over: bool
    options: AtuaOptions
    decision: AtuaDecision | None
    state: AtuaTable
    live: AtuaLive

    @property
    def solo(self) -> bool:
        """Whether Tahuma is the opponent."""
        return self.seats == 1

    @property
    def shown(self) -> int:
        """The seat whose island is shown large: the viewer, for spectators whose turn it is."""
        return self.state.active if self.viewer is None else self.viewer

    @property
    def placements(self) -> Row:
        """The places where the viewer can put the card in the hand."""
        asked = self.decision
        return asked.options if asked is not None and asked.prompt == "place" else ()
