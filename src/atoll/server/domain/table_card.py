"""A table as it stands in lists."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from .model import Clock, SeatInfo, Status


class TableCard(Struct, frozen=True):
    """A table in a list (lobby, my tables). advice: see NewTable. paused_until: no clock runs until then. invited: a
    seat is kept for the reader, who hasn't taken it yet.

    due: when the reader's time here is up. places, totals: of the seats, once the game is over. ended: when it was, or
    was cancelled.
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
