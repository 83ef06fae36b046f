"""Games that count for ratings: the conditions, and the loss of them before the start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from atoll.engine import Game
from atoll.store import SeatRow, TableRow

from ..domain.model import Refused, User
from .live_table import LiveTable

_Condition = Callable[[TableRow, Sequence[SeatRow], Game | None], bool]


@cache
def _standard_components(game: Game) -> str:
    """Return the hash of the components that come with a game."""
    return type(game)().components_hash


@cache
def _listed_options(game: Game, seats: int) -> frozenset[frozenset[tuple[str, Any]]]:
    return frozenset(map(_key, game.option_sets(seats)))


def _key(options: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(options.items())


def _people(seats: Sequence[SeatRow]) -> list[SeatRow]:
    return [seat for seat in seats if seat.kind == "person"]


CONDITIONS: Final[tuple[tuple[str, _Condition], ...]] = (
    ("alone", lambda row, seats, game: len(seats) > 1),
    ("bots", lambda row, seats, game: all(seat.kind != "bot" for seat in seats)),
    ("shared", lambda row, seats, game: len({s.user_id for s in _people(seats)}) == len(_people(seats))),
    ("guests", lambda row, seats, game: not any(seat.guest for seat in _people(seats))),
    ("clock", lambda row, seats, game: row.clock is not None),
    ("at_zero", lambda row, seats, game: row.clock is None or row.clock["at_zero"] != "end"),
    ("advice", lambda row, seats, game: not row.advice),
    ("forked", lambda row, seats, game: row.origin is None),
    ("components", lambda row, seats, game: game is not None and row.box == _standard_components(game)),
    ("options", lambda row, seats, game: game is not None and _key(row.options) in _listed_options(game, len(seats))),
)
"""Conditions of a game that counts, by the name of the obstacle if one doesn't hold."""

OBSTACLES: Final = tuple(name for name, _ in CONDITIONS)


def obstacle(row: TableRow, seats: Sequence[SeatRow], game: Game | None) -> str:
    """Return the first reason why a game can't count, or "".

    Args:
        row: The table.
        seats: Its seats.
        game: Its game, or None if it can't be loaded.
    """
    return next((name for name, holds in CONDITIONS if not holds(row, seats, game)), "")


def friendly_reason(row: TableRow, seats: Sequence[SeatRow], game: Game | None) -> str:
    """Return why a game doesn't count: an obstacle, or "chosen"; "" if it counts.

    Args:
        row: The table.
        seats: Its seats.
        game: Its game, or None if it isn't offered.
    """
    return "" if row.rated else obstacle(row, seats, game) or "chosen"


def require_rateable(row: TableRow, seats: Sequence[SeatRow], game: Game) -> None:
    """Refuse a rated table whose game can't count.

    Args:
        row: The table.
        seats: Its seats.
        game: Its game.

    Raises:
        Refused: If a condition doesn't hold; its field `why` names the obstacle.
    """
    why = obstacle(row, seats, game)
    if why:
        known = ", ".join(OBSTACLES)
        detail = f"this game can't count for ratings ({why}): choose a friendly game, or change this: {known}"
        raise Refused("not_rated", 422, detail, fields={"why": why})


def require_account(live: LiveTable, user: User) -> None:
    """Refuse guests at a table whose game counts.

    Args:
        live: The table.
        user: The user who wants a seat.

    Raises:
        Refused: If the game counts and the user has no account.
    """
    if live.row.rated and not user.has_account:
        raise Refused("accounts_only", 403, "this game counts for ratings: only accounts can take a seat")


def make_friendly(live: LiveTable, now: int) -> None:
    """Let a game not count; nobody can change that back.

    Args:
        live: The table, before its start.
        now: The current time in milliseconds.
    """
    live.row.rated = False
    live.log_event("friendly", now)
    live.mark_changed()


def recheck(live: LiveTable, now: int) -> None:
    """Let a game not count if a condition doesn't hold any more.

    Args:
        live: The table, before its start.
        now: The current time in milliseconds.
    """
    if live.row.rated and obstacle(live.row, live.seats, live.game):
        make_friendly(live, now)
