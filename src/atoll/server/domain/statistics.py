"""Statistics: those of a person in a game, and those of a game from the games of people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import Struct

ENOUGH: Final = 20
"""Smallest number of games of a figure that is shown."""


class Estimate(Struct, frozen=True):
    """A mean or share with its 95 % interval.

    Attributes:
        value: The mean or share.
        low: Lower bound.
        high: Upper bound.
        games: Number of games, or of seats in games.
    """

    value: float
    low: float
    high: float
    games: int


class StartFigures(Struct, frozen=True):
    """A first choice of a seat.

    Attributes:
        choice: Text form of the choice, as in records.
        won: Share of games that seats with this start won.
    """

    choice: str
    won: Estimate


class OptionFigures(Struct, frozen=True):
    """Games with the same options.

    Attributes:
        options: The options.
        games: Number of games.
        length: Decisions per game.
        score: Score per seat.
    """

    options: Mapping[str, Any]
    games: int
    length: Estimate
    score: Estimate


class SeatCountFigures(Struct, frozen=True):
    """Figures of a game with one number of seats.

    Attributes:
        seats: Number of seats.
        games: Number of games.
        won: Per seat, the share of games that it won. Shared wins count in part.
        score: Score per seat and game.
        best: Score of the winner.
        length: Decisions per game.
        options: Games by options, the most frequent first.
        starts: First choices of seats, the most frequent first.
    """

    seats: int
    games: int
    won: tuple[Estimate, ...]
    score: Estimate
    best: Estimate
    length: Estimate
    options: tuple[OptionFigures, ...]
    starts: tuple[StartFigures, ...]


class GameFigures(Struct, frozen=True):
    """Figures of a game, from finished games of people on standard components.

    Attributes:
        game: Id of the game.
        games: Number of games by number of seats, also where there are too few for figures.
        by_seats: Figures for each number of seats with at least `ENOUGH` games.
        computed: Time of the computation, or None if there was none yet.
    """

    game: str
    games: Mapping[int, int]
    by_seats: tuple[SeatCountFigures, ...]
    computed: datetime | None


# -- of a person -----------------------------------------------------------------------------------


class PlayedScore(Struct, frozen=True):
    """A person's score in a game.

    Attributes:
        table: Id of the table.
        ended: Time of the end.
        score: The score.
        place: The place.
        seats: Number of seats.
    """

    table: str
    ended: datetime
    score: int
    place: int
    seats: int


class SeatRecord(Struct, frozen=True):
    """A person's games on one seat.

    Attributes:
        seats: Number of seats at the table.
        seat: Number of the seat, from 0.
        games: Number of games.
        won: Share of games won. Shared wins count in part.
    """

    seats: int
    seat: int
    games: int
    won: float


class OpponentRecord(Struct, frozen=True):
    """A person's games against one opponent.

    Attributes:
        name: Name of the account, or "" for a bot.
        bot: Level of the bot, or "".
        games: Number of games.
        ahead: Share of games in which the person finished ahead. A tie counts half.
    """

    name: str
    bot: str
    games: int
    ahead: float


class PointSource(Struct, frozen=True):
    """Points that a person got by one kind of score line.

    Attributes:
        key: Key of the score line.
        won: Mean points in games that the person won; None without one.
        others: Mean points in the other games; None without one.
    """

    key: str
    won: float | None
    others: float | None


class PersonalStatistics(Struct, frozen=True):
    """A person's statistics in a game.

    Attributes:
        name: Name of the account.
        game: Id of the game.
        scores: All scores, oldest first.
        by_seat: Games by seat, the most frequent number of seats first.
        opponents: Games by opponent, the most frequent one first.
        sources: Points by kind of score line, largest mean first.
    """

    name: str
    game: str
    scores: tuple[PlayedScore, ...]
    by_seat: tuple[SeatRecord, ...]
    opponents: tuple[OpponentRecord, ...]
    sources: tuple[PointSource, ...]
