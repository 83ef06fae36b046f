"""A table in lists."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from .model import Clock, SeatInfo, Status


class TableCard(Struct, frozen=True):
    """A table in a list: the lobby or a person's own tables.

    Attributes:
        id: Id of the table.
        game: Id of the game.
        status: State of the table.
        options: Options of the game.
        clock: Time control, or None.
        seats: All seats.
        my_turn: Whether a seat that the reader plays is asked now.
        advice: Whether the players may ask a bot for advice.
        created: Time of creation.
        changed: Time of the last public change.
        paused_until: Time until which all clocks stand still, or None.
        due: When the reader's time at this table runs out, or None.
        places: Place per seat, once the game is over.
        totals: Total score per seat, once the game is over.
        ended: Time at which the game ended or was canceled, or None.
        invited: Whether a seat is reserved for the reader, who hasn't taken it yet.
        rated: Whether the game counts for ratings.
        least_reliability: Reliability in percent that a player needs to take an open seat.
        approval: Whether the host lets in everybody one by one who isn't invited by name.
        asks: Whether the reader has asked for a seat, and the host hasn't answered.
        is_asked: Whether somebody asks the reader, who is the host, for a seat.
    """

    id: str
    game: str
    status: Status
    options: Mapping[str, Any]
    clock: Clock | None
    seats: tuple[SeatInfo, ...]
    my_turn: bool
    advice: bool
    created: datetime
    changed: datetime
    paused_until: datetime | None = None
    due: datetime | None = None
    places: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    ended: datetime | None = None
    invited: bool = False
    rated: bool = False
    least_reliability: int = 0
    approval: bool = False
    asks: bool = False
    is_asked: bool = False
