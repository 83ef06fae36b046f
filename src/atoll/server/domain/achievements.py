"""Achievements: what a person's results and puzzles say about their play, each with its day.

Achievements aren't stored. They follow from the results that a reader may see, so that they never
disclose a private game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Final

from .profile import Achievement

PUZZLE_DAYS: Final = 7
"""Number of consecutive days with a solved puzzle of the day for an achievement."""
_STRONG: Final = frozenset({"expert", "master"})
_PEOPLE: Final = 10
_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game of a person.

    Attributes:
        table: Id of the table.
        game: Id of the game.
        seats: Number of seats.
        seat: The person's seat.
        place: The person's place.
        ended: Time of the end, in milliseconds.
        penalized: Whether the person lost points by a line of the score.
        others_penalized: Whether another seat did.
        people: Accounts that had other seats.
        others: Whether other people had seats.
        bots: Levels of the bots that had seats.
    """

    table: str
    game: str
    seats: int
    seat: int
    place: int
    ended: int
    penalized: bool
    others_penalized: bool
    people: frozenset[str]
    others: bool
    bots: frozenset[str]

    @property
    def won(self) -> bool:
        """True if the person has the first place."""
        return self.place == 1


Rule = Callable[[Sequence[PlayedGame]], PlayedGame | None]
"""Returns the game, of games in the order of their ends, that achieves something, or None."""


def _first(condition: Callable[[PlayedGame], bool]) -> Rule:
    """Return a rule that finds the first game with a condition."""
    return lambda games: next(filter(condition, games), None)


def _every_seat(games: Sequence[PlayedGame]) -> PlayedGame | None:
    """Return the win that completes wins from every seat at tables of one size."""
    won: dict[int, set[int]] = {}
    for each in games:
        if each.won and each.seats > 1:
            seats = won.setdefault(each.seats, set())
            seats.add(each.seat)
            if len(seats) == each.seats:
                return each
    return None


def _met(games: Sequence[PlayedGame]) -> PlayedGame | None:
    """Return the game with the tenth account that the person played with."""
    met: set[str] = set()
    for each in games:
        met |= each.people
        if len(met) >= _PEOPLE:
            return each
    return None


def _all_round(games: Sequence[PlayedGame]) -> PlayedGame | None:
    """Return the win that completes wins in five different games."""
    won: set[str] = set()
    for each in games:
        if each.won:
            won.add(each.game)
            if len(won) >= _GAMES:
                return each
    return None


PER_GAME: Final[Mapping[str, Rule]] = {
    "first_win": _first(lambda each: each.won and each.others),
    "beat_expert": _first(lambda each: each.won and not each.bots.isdisjoint(_STRONG)),
    "no_penalty": _first(lambda each: not each.penalized and each.others_penalized),
    "every_seat": _every_seat,
}
"""Achievements that exist for each game, by key."""
OVERALL: Final[Mapping[str, Rule]] = {"ten_people": _met, "five_games": _all_round}
"""Achievements about all games together, by key."""
PUZZLES: Final = "puzzle_week"
"""Key of the achievement for a streak of puzzles."""


def achievements(games: Sequence[PlayedGame], streaks: Mapping[str, int]) -> tuple[Achievement, ...]:
    """Return a person's achievements, the most recent first.

    Args:
        games: The person's finished games.
        streaks: By game, the day (`date.toordinal()`) on which a streak of puzzles was complete.
    """
    ordered = sorted(games, key=lambda each: (each.ended, each.table))
    found = [_achieved(key, "", rule(ordered)) for key, rule in OVERALL.items()]
    by_game = sorted(ordered, key=lambda each: each.game)
    for game, played in groupby(by_game, key=lambda each: each.game):
        mine = list(played)
        found += [_achieved(key, game, rule(mine)) for key, rule in PER_GAME.items()]
    found += [Achievement(PUZZLES, game, date.fromordinal(day), "") for game, day in streaks.items()]
    return tuple(sorted(filter(None, found), key=lambda each: (-each.day.toordinal(), each.game, each.key)))


def _achieved(key: str, game: str, played: PlayedGame | None) -> Achievement | None:
    """Return an achievement with the day of its game, or None without a game."""
    if played is None:
        return None
    return Achievement(key, game, datetime.fromtimestamp(played.ended / 1000, UTC).date(), played.table)
