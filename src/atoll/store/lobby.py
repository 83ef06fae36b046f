"""Filters of the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select

from . import schema
from .blocks import users_apart

ORDERS: Final = ("", "new", "full")
"""Orders of tables that wait for players: longest wait, newest, or fewest free seats first."""


@dataclass(frozen=True, slots=True)
class LobbyFilter:
    """Tables to list in the lobby.

    Attributes:
        game: Only this game; "" for all.
        seats: Only tables with this number of seats; 0 for all.
        pace: Only tables of this pace ("none", "live" or "correspondence"); "" for all.
        rated: Only tables that count for ratings, or only others; None for all.
        mu: Range of the host's expected strength in the game of the table; None for all. A host
            without a rating has `newcomer`.
        newcomer: Expected strength of newcomers.
        language: Only tables whose host uses the site in this language; "" for all.
        order: Order of the tables that wait for players; see `ORDERS`.
        reader: Only tables without anybody from whom a block keeps this user apart; "" for all.
    """

    game: str = ""
    seats: int = 0
    pace: str = ""
    rated: bool | None = None
    mu: tuple[float, float] | None = None
    newcomer: float = 0.0
    language: str = ""
    order: str = ""
    reader: str = ""

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions of a query of tables."""
        games, seats, ratings = schema.games.c, schema.seats.c, schema.ratings.c
        found: list[ColumnElement[bool]] = []
        if self.game:
            found.append(games.game == self.game)
        if self.seats:
            count = select(func.count()).where(seats.game_id == games.id).scalar_subquery()
            found.append(count == self.seats)
        if self.pace:
            found.append(games.pace == self.pace)
        if self.rated is not None:
            found.append(games.rated.is_(self.rated))
        if self.language:
            found.append(games.language == self.language)
        if self.mu is not None:
            theirs = select(ratings.mu).where(ratings.user_id == games.host, ratings.game == games.game)
            found.append(func.coalesce(theirs.scalar_subquery(), self.newcomer).between(*self.mu))
        for apart in users_apart(self.reader) if self.reader else ():
            there = select(seats.seat).where(seats.game_id == games.id, seats.user_id.in_(apart))
            found.append(games.host.not_in(apart) & ~there.exists())
        return found

    def waiting_order(self) -> Any:
        """Return the value by which tables that wait for players are sorted."""
        games, seats = schema.games.c, schema.seats.c
        if self.order == "full":
            free = (seats.game_id == games.id, seats.kind == "open")
            return select(func.count()).where(*free).scalar_subquery()
        return -games.created if self.order == "new" else games.created


ALL_TABLES: Final = LobbyFilter()
"""The filter that lists all tables."""
