"""The view of a seat or a spectator, typed and frozen."""

from __future__ import annotations

import msgspec

from atoll.picture import Hidden, Row


class HiddenHand(msgspec.Struct, frozen=True):
    """The hand of another seat."""

    count: int
    """The number of cards."""

    known: Row
    """The cards that everybody has seen."""


class GinTable(msgspec.Struct, frozen=True):
    """The fields of the state that the picture shows. They are documented in `GinState`."""

    deal: int
    limit: int
    stock: Hidden
    discards: Row
    hands: tuple[Row | HiddenHand, ...]
    knocker: int
    melds: tuple[Row, ...]
    laid_off: Row
    rests: tuple[Row, ...]


class GinLive(msgspec.Struct, frozen=True):
    """Facts that the rules compute."""

    scores: tuple[int, ...]
    deadwood: int | None
    """The deadwood of the viewer; None for a spectator."""


class GinOptions(msgspec.Struct, frozen=True):
    """The options that change the picture."""

    deals: int


class GinView(msgspec.Struct, frozen=True):
    """A view as it is sent to the picture.

    Attributes:
        viewer: The seat of the viewer; None for a spectator.
        seats: The number of seats.
        options: The options.
        state: The visible state.
        live: Facts derived from the state.
    """

    viewer: int | None
    seats: int
    options: GinOptions
    state: GinTable
    live: GinLive
