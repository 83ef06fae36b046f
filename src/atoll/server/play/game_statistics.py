"""Statistics of finished games: shares of wins, scores, lengths, options and first choices.

Importing this module takes a second; see `game_figures.py`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from atoll.engine import Game
from atoll.lab.statistics import bootstrap, wilson
from atoll.store import CountedGame

from ..domain.statistics import (
    ENOUGH,
    Estimate,
    GameFigures,
    OptionFigures,
    SeatCountFigures,
    StartFigures,
)

_MOST_STARTS: Final = 10
_MOST_OPTIONS: Final = 10
_MOST_VALUES: Final = 2000
"""Largest number of values that an interval of a mean is computed from."""


def game_figures(game: Game, played: Sequence[CountedGame]) -> GameFigures:
    """Return the figures of a game; numbers of seats with fewer than `ENOUGH` games have none.

    Args:
        game: The game.
        played: Finished games.
    """
    by_seats: dict[int, list[CountedGame]] = defaultdict(list)
    for each in played:
        by_seats[each.seats].append(each)
    enough = [_seat_count(game, seats, by_seats[seats]) for seats in sorted(by_seats) if len(by_seats[seats]) >= ENOUGH]
    return GameFigures(game.id, {seats: len(by_seats[seats]) for seats in sorted(by_seats)}, tuple(enough), None)


def _seat_count(game: Game, seats: int, played: Sequence[CountedGame]) -> SeatCountFigures:
    options: dict[str, list[CountedGame]] = defaultdict(list)
    starts: dict[int, list[float]] = defaultdict(list)
    for each in played:
        options[each.options_hash].append(each)
        for seat, choice in enumerate(each.starts):
            if choice is not None:
                starts[choice].append(_won(each, seat))
    frequent = sorted((key for key in options if len(options[key]) >= ENOUGH), key=lambda key: -len(options[key]))
    chosen = sorted((key for key in starts if len(starts[key]) >= ENOUGH), key=lambda key: (-len(starts[key]), key))
    return SeatCountFigures(
        seats=seats,
        games=len(played),
        won=tuple(_share([_won(each, seat) for each in played]) for seat in range(seats)),
        score=_mean([score for each in played for score in each.scores]),
        best=_mean([max(each.scores) for each in played]),
        length=_mean([each.length for each in played]),
        options=tuple(
            OptionFigures(
                options[key][0].options,
                len(options[key]),
                _mean([each.length for each in options[key]]),
                _mean([score for each in options[key] for score in each.scores]),
            )
            for key in frequent[:_MOST_OPTIONS]
        ),
        starts=tuple(
            StartFigures(game.notation.text(choice), _share(starts[choice])) for choice in chosen[:_MOST_STARTS]
        ),
    )


def _won(played: CountedGame, seat: int) -> float:
    """Return the part of a win that a seat gets: shared wins are divided equally."""
    return 1 / played.places.count(1) if played.places[seat] == 1 else 0.0


def _share(values: Sequence[float]) -> Estimate:
    """Return a share of wins with its interval."""
    low, high = wilson(sum(values), len(values))
    return Estimate(sum(values) / len(values), low, high, len(values))


def _mean(values: Sequence[float]) -> Estimate:
    """Return a mean with its interval; of many values a sample is taken for the interval."""
    drawn = values if len(values) <= _MOST_VALUES else random.Random(1).sample(list(values), _MOST_VALUES)  # noqa: S311
    low, high = bootstrap([float(each) for each in drawn])
    return Estimate(sum(values) / len(values), low, high, len(values))
