"""The view of a seat or a spectator, typed and frozen. Atacama has no secrets."""

from __future__ import annotations

import msgspec

from atoll.picture import Row


class AtacamaTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows. They are documented in `AtacamaState`."""

    turn: int
    sub_boards: Row
    ore: Row
    amount: Row
    rigs: Row
    base: Row
    double: Row
    axis: Row
    concession: Row
    last: int


class AtacamaLive(msgspec.Struct, frozen=True):
    """Facts that the rules compute. They are documented in `scoring.live`."""

    rigs: tuple[Row, ...]
    worth: tuple[tuple[Row, ...], ...]
    roles: tuple[Row, ...]
    scores: Row


class AtacamaOptions(msgspec.Struct, frozen=True):
    """The options that change the picture."""

    setup: str
    tactic: bool


class AtacamaView(msgspec.Struct, frozen=True):
    """A view as it is sent to the picture.

    Attributes:
        viewer: The seat of the viewer; None for a spectator.
        seats: The number of seats.
        over: Whether the game is over.
        options: The options.
        state: The public state.
        live: Facts derived from the state.
    """

    viewer: int | None
    seats: int
    over: bool
    options: AtacamaOptions
    state: AtacamaTable
    live: AtacamaLive
