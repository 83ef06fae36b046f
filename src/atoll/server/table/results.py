"""Results and departures of players, as rows that queries can search.

A result is written when a game ends that was played here from its setup. Imported games, and games
that continue from a moment of another one, have no results.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from atoll.store import DepartureRow, ResultRow, SeatRow

from .live_table import LiveTable


def options_hash(options: Mapping[str, Any]) -> str:
    """Return the same text for equal options of a game."""
    return hashlib.sha256(msgspec.json.encode(dict(options), order="sorted")).hexdigest()[:16]


def decisions(live: LiveTable) -> int:
    """Return the number of decisions in a game so far; a sealed decision counts once."""
    assert live.position is not None
    return live.position.sequence - live.position.chance_count


def result_rows(live: LiveTable, now: int) -> list[ResultRow]:
    """Return the results of a game that has just ended; none if it wasn't played here as a whole.

    Args:
        live: The table, with the result in its row.
        now: The current time in milliseconds.
    """
    row = live.row
    if row.origin is not None or not row.chance:
        return []
    assert row.result is not None and live.position is not None
    length, options = decisions(live), options_hash(row.options)
    points = [_points(lines) for lines in live.position.explain()]
    return [
        ResultRow(
            game_id=row.id,
            seat=seat.seat,
            user_id=seat.user_id if seat.kind == "person" else None,
            kind=_kind(live, seat),
            game=row.game,
            seats=len(live.seats),
            options_hash=options,
            listed=row.visibility == "lobby",
            place=row.result["places"][seat.seat],
            score=row.result["totals"][seat.seat],
            points=points[seat.seat],
            length=length,
            turns=seat.turns,
            late=seat.late,
            departure=seat.departure,
            rated=row.rated,
            ended=now,
        )
        for seat in live.seats
    ]


def _kind(live: LiveTable, seat: SeatRow) -> str:
    """Return the kind of a seat's holder in results."""
    if seat.kind == "person" and seat.user_id is not None and live.seats_of(seat.user_id)[0] != seat.seat:
        return "device"
    return seat.kind


def _points(lines: Any) -> dict[str, int]:
    """Return the points of a seat by key of the score line."""
    found: dict[str, int] = {}
    for line in lines:
        found[line.key] = found.get(line.key, 0) + line.points
    return found


# -- turns and departures --------------------------------------------------------------------------


def count_turn(live: LiveTable, row: SeatRow) -> None:
    """Count a turn that a player has finished under a time control."""
    # A turn whose time ran out was counted then.
    if live.row.clock is not None and not row.bot and not row.overdue:
        row.turns += 1


def discount_turn(live: LiveTable, row: SeatRow) -> None:
    """Undo `count_turn` for an answer that was taken back."""
    if live.row.clock is not None and not row.bot:
        row.turns = max(row.late, row.turns - 1)


def count_late_turn(row: SeatRow) -> None:
    """Count a turn in which a player's time has run out."""
    row.turns += 1
    row.late += 1


def note_departure(live: LiveTable, row: SeatRow, cause: str, now: int) -> None:
    """Note that a player leaves a running game; a player alone against bots departs from nobody.

    Args:
        live: The table.
        row: The player's seat.
        cause: "resigned", "time" or "removed".
        now: The current time in milliseconds.
    """
    row.departure = cause
    if any(seat.kind == "person" and seat.user_id != row.user_id for seat in live.seats):
        live.pending.departures.append(
            DepartureRow(live.row.id, row.seat, now, row.user_id, cause, decisions(live) if live.position else 0)
        )
