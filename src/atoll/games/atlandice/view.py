"""The view of a seat or a spectator, typed and frozen. Atlandice has no secrets."""

from __future__ import annotations

import msgspec

from atoll.picture import Row


class AtlandiceTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows. They are documented in `AtlandiceState`."""

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
    """Facts that the rules compute. They are documented in `scoring.live`."""

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
    """The open decision. Only the asked seat knows its choices."""

    prompt: str
    options: Row | None = None


class AtlandiceView(msgspec.Struct, frozen=True):
    """A view as it is sent to the picture.

    Attributes:
        viewer: The seat of the viewer; None for a spectator.
        seats: The number of seats.
        decision: The open decision, if any.
        state: The public state.
        live: Facts derived from the state.
    """

    viewer: int | None
    seats: int
    decision: AtlandiceDecision | None
    state: AtlandiceTable
    live: AtlandiceLive

    @property
    def has_neutral(self) -> bool:
        """True if there is a neutral player. It is the last holder."""
        return len(self.state.holds) > self.seats

    def asks(self, prompt: str) -> bool:
        """Return whether the viewer is asked with this prompt."""
        asked = self.decision
        return asked is not None and asked.options is not None and asked.prompt == prompt
