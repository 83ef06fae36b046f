"""Finding puzzles: games of careless bots are searched for moments in which one choice is clearly best.

Two judges that know nothing of each other must agree. Every choice is played on to the end of the game, by good bots
from the same guesses at what the seat can't know, so that choices are compared in the same worlds; and a search tree
must come to the same choice, twice. What scores most at once is no puzzle: everybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from statistics import fmean
from typing import Any, Final

import msgspec

from atoll.bots import CarelessBot, GreedyBot, SearchBot, lead, mix
from atoll.engine import Game, Position, SeatView

from .puzzle import Puzzle, Tried, Way

FEWEST: Final = 3
MOST: Final = 16
"""How many choices a puzzle has."""
LEAST: Final = 0.5
"""Of so many of the others the best must be ahead: what only loses less is no puzzle."""
MARGIN: Final = 0.2
"""By so much the best must be ahead of the next."""
_SLIPS: Final = 0.2
_LATE: Final = 0.1  # only decisions of this last part of a game are looked at
_LOOKS: Final = 10  # at so many of them
_STAGES: Final = (1, 2, 8, 24)  # guesses after which choices are compared
_SHOWN: Final = 4
_ITERATIONS: Final = 250


@dataclass(slots=True)
class Arm:
    """What came of a choice, guess by guess: the part of the others that were behind, the lead, the game's end."""

    choice: int
    shares: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)

    @property
    def rank(self) -> tuple[float, float]:
        """How good it is: more is better."""
        return fmean(self.shares), fmean(self.leads)

    def usual(self) -> Way:
        """The end whose lead is nearest to the mean."""
        mean = fmean(self.leads)
        return min(zip(self.leads, self.ways, strict=True), key=lambda each: abs(each[0] - mean))[1]


def find(game: Game, seeds: Iterable[int]) -> Iterator[Puzzle | None]:
    """At most one puzzle of each game that is played with one of these seeds; None for a game without one."""
    counts = [count for count in game.seat_counts if count > 1]
    for seed in seeds:
        seats = counts[mix(seed, 1) % min(len(counts), 2)]
        options = game.first_options() if mix(seed, 2) % 2 else {}
        yield next(filter(None, (_puzzle(*found) for found in _moments(game, seats, options, seed))), None)


def _moments(game: Game, seats: int, options: dict[str, Any], seed: int) -> Iterator[tuple[Position, int, int]]:
    """Moments of a game in which a seat has to choose, each with the seat and the game's seed."""
    position = game.new(seats, options, seed=seed)
    bot, found, number = CarelessBot(GreedyBot(), _SLIPS), [], 0
    while not position.over:
        seat = position.to_move[0]
        if (
            not position.sealed
            and FEWEST <= len(position.legal(seat)) <= MOST
            and position.decision(seat).picks is None
        ):
            found.append((number, position.fork(), seat))
        for choice in bot.choose(SeatView(position, seat), inf, mix(seed, number)):
            position.apply(choice, seat)
            number += 1
    late = [(moment, seat, seed) for at, moment, seat in found if at >= number * (1 - _LATE)]
    yield from sorted(late, key=lambda each: mix(seed, each[0].sequence))[:_LOOKS]


def _puzzle(position: Position, seat: int, seed: int) -> Puzzle | None:
    view = SeatView(position, seat)
    arms = judged(view, seed)
    if not arms or _gains_most(view, arms[0].choice, seed) or not _agrees(view, arms[0].choice, seed):
        return None
    text = position.game.text
    tried = [Tried(text(arm.choice), round(100 * fmean(arm.shares)), arm.usual()) for arm in arms[:_SHOWN]]
    save = msgspec.json.decode(position.save())
    return Puzzle(f"{position.seats}-{seed}", seat, len(view.legal), tuple(tried), save)


def judged(view: SeatView, seed: int) -> list[Arm]:
    """The choices worth trying, the best first, all tried equally often; none if no choice is clearly best."""
    arms = [Arm(choice) for choice in view.legal]
    begun = 0
    for guesses in _STAGES:
        for number in range(begun, guesses):
            for arm in arms:
                _play_on(view, arm, mix(seed, number))
                if number == 0 and sum(each.shares == [1.0] for each in arms) > 1:
                    return []  # in most moments more than one choice wins: that is seen soon
        begun = guesses
        arms.sort(key=lambda arm: arm.rank, reverse=True)
        best, second = arms[0].rank, arms[1].rank
        if best[0] < max(LEAST, second[0] + MARGIN) or best[1] <= second[1]:
            return []
        arms = arms[:_SHOWN]
    return arms


def _play_on(view: SeatView, arm: Arm, seed: int) -> None:
    """One game from here to its end."""
    position, bot, number = view.sample(seed), GreedyBot(), 0
    position.apply(arm.choice, view.seat)
    while not position.over:
        seat = position.to_move[0]
        for choice in bot.choose(SeatView(position, seat), inf, mix(seed, number)):
            position.apply(choice, seat)
            number += 1
    places, totals = position.ranking(), position.scores()
    others = [place for seat, place in enumerate(places) if seat != view.seat]
    mine = places[view.seat]
    arm.shares.append(fmean((place > mine) + (place == mine) / 2 for place in others))
    arm.leads.append(lead(totals, view.seat))
    lines = position.explain()[view.seat]
    told = tuple((line.key, dict(line.fields), line.points) for line in lines if line.points)
    arm.ways.append(Way(tuple(totals), told))


def _gains_most(view: SeatView, best: int, seed: int) -> bool:
    """Whether a choice brings more points at once than any other."""
    gains = {}
    for choice in view.legal:
        position = view.sample(mix(seed, 0))
        position.apply(choice, view.seat)
        gains[choice] = position.scores()[view.seat]
    return all(gains[best] > gain for choice, gain in gains.items() if choice != best)


def _agrees(view: SeatView, best: int, seed: int) -> bool:
    """Whether searches come to the same choice."""
    return all(search(view, mix(seed, number)) == best for number in range(2))


def search(view: SeatView, seed: int, iterations: int = _ITERATIONS) -> int:
    """What a search would choose."""
    return SearchBot(iterations=iterations).choose(view, inf, seed)[0]


def still_best(game: Game, puzzle: Puzzle) -> bool:
    """Whether searches still come to the answer of a puzzle. Raises SaveError."""
    view, seed = SeatView(game.load(puzzle.save), puzzle.learner), int(puzzle.id.partition("-")[2])
    return _agrees(view, game.parse(puzzle.best.choice), seed)
