"""Puzzle mining: searches games of careless bots for positions in which one choice is clearly best.

Two independent evaluations must agree. First, greedy bots play every choice to the end of the game,
all from the same determinizations, so that choices are compared in equal worlds. Second, a tree
search must find the same choice twice. A choice that scores most immediately isn't a puzzle,
because it is obvious.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from statistics import fmean
from typing import Any, Final

import msgspec

from atoll.bots import EpsilonRandomBot, GreedyBot, SearchBot, derive_seed, lead
from atoll.engine import Game, Position, SeatView

from .puzzle import Puzzle, PuzzleEnding, RatedChoice

FEWEST: Final = 3
"""Minimum number of legal choices of a puzzle."""
MOST: Final = 16
"""Maximum number of legal choices of a puzzle."""
LEAST: Final = 0.5
"""Minimum share of the best choice: a choice that only loses less isn't a puzzle."""
MARGIN: Final = 0.2
"""Minimum distance between the shares of the best and the second choice."""
_SLIPS: Final = 0.2  # probability of a random choice of the bots
_LATE: Final = 0.1  # only decisions in this last part of a game are tried
_POSITIONS_TRIED: Final = 10  # number of them that are tried
_STAGES: Final = (1, 2, 8, 24)  # numbers of determinizations after which choices are compared
_SHOWN: Final = 4  # choices of a puzzle that are stored
_ITERATIONS: Final = 250


@dataclass(slots=True)
class CandidateResult:
    """The results of a choice, by determinization.

    Attributes:
        choice: The choice.
        shares: Final shares of the seat, 0 to 1.
        leads: Final leads in points over the best of the others.
        ways: Endings of the games.
    """

    choice: int
    shares: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    endings: list[PuzzleEnding] = field(default_factory=list)

    @property
    def rank(self) -> tuple[float, float]:
        """The sort key: mean share, then mean lead; higher is better."""
        return fmean(self.shares), fmean(self.leads)

    def typical_ending(self) -> PuzzleEnding:
        """Return the ending whose lead is nearest to the mean."""
        mean = fmean(self.leads)
        return min(zip(self.leads, self.endings, strict=True), key=lambda each: abs(each[0] - mean))[1]


def mine_puzzles(game: Game, seeds: Iterable[int]) -> Iterator[Puzzle | None]:
    """Yield at most one puzzle per seed; None for a game without one.

    Args:
        game: The game.
        seeds: Seeds of the games to search.
    """
    counts = [count for count in game.seat_counts if count > 1]
    for seed in seeds:
        seats = counts[derive_seed(seed, 1) % min(len(counts), 2)]
        options = game.first_game_options() if derive_seed(seed, 2) % 2 else {}
        yield next(filter(None, (_puzzle(*found) for found in _moments(game, seats, options, seed))), None)


def _moments(game: Game, seats: int, options: dict[str, Any], seed: int) -> Iterator[tuple[Position, int, int]]:
    """Yield late decisions of a game, each as position, seat, and seed of the game."""
    position = game.new(seats, options, seed=seed)
    bot, found, number = EpsilonRandomBot(GreedyBot(), _SLIPS), [], 0
    while not position.over:
        seat = position.to_move[0]
        if (
            not position.sealed
            and FEWEST <= len(position.legal_choices(seat)) <= MOST
            and position.decision(seat).picks is None
        ):
            found.append((number, position.fork(), seat))
        for choice in bot.choose(SeatView(position, seat), inf, derive_seed(seed, number)):
            position.apply(choice, seat)
            number += 1
    late = [(moment, seat, seed) for at, moment, seat in found if at >= number * (1 - _LATE)]
    yield from sorted(late, key=lambda each: derive_seed(seed, each[0].sequence))[:_POSITIONS_TRIED]


def _puzzle(position: Position, seat: int, seed: int) -> Puzzle | None:
    """Return the puzzle at a decision; None if it isn't one."""
    view = SeatView(position, seat)
    arms = evaluate_choices(view, seed)
    if not arms or _gains_most(view, arms[0].choice, seed) or not _agrees(view, arms[0].choice, seed):
        return None
    text = position.game.text
    tried = [
        RatedChoice(text(arm.choice), round(100 * fmean(arm.shares)), arm.typical_ending()) for arm in arms[:_SHOWN]
    ]
    save = msgspec.json.decode(position.save())
    return Puzzle(f"{position.seats}-{seed}", seat, len(view.legal), tuple(tried), save)


def evaluate_choices(view: SeatView, seed: int) -> list[CandidateResult]:
    """Return the best choices with their results, best first.

    All of them are played equally often. The list is empty if no choice is clearly best.

    Args:
        view: View of the seat that decides.
        seed: Seed of the determinizations.
    """
    arms = [CandidateResult(choice) for choice in view.legal]
    begun = 0
    for guesses in _STAGES:
        for number in range(begun, guesses):
            for arm in arms:
                _play_to_end(view, arm, derive_seed(seed, number))
                if number == 0 and sum(each.shares == [1.0] for each in arms) > 1:
                    return []  # in most positions several choices win, which is found early
        begun = guesses
        arms.sort(key=lambda arm: arm.rank, reverse=True)
        best, second = arms[0].rank, arms[1].rank
        if best[0] < max(LEAST, second[0] + MARGIN) or best[1] <= second[1]:
            return []
        arms = arms[:_SHOWN]
    return arms


def _play_to_end(view: SeatView, arm: CandidateResult, seed: int) -> None:
    """Play one game from a choice to its end, and add the result."""
    position, bot, number = view.sample(seed), GreedyBot(), 0
    position.apply(arm.choice, view.seat)
    while not position.over:
        seat = position.to_move[0]
        for choice in bot.choose(SeatView(position, seat), inf, derive_seed(seed, number)):
            position.apply(choice, seat)
            number += 1
    places, totals = position.ranking(), position.scores()
    others = [place for seat, place in enumerate(places) if seat != view.seat]
    mine = places[view.seat]
    arm.shares.append(fmean((place > mine) + (place == mine) / 2 for place in others))
    arm.leads.append(lead(totals, view.seat))
    lines = position.explain()[view.seat]
    scored = tuple((line.key, dict(line.fields), line.points) for line in lines if line.points)
    arm.endings.append(PuzzleEnding(tuple(totals), scored))


def _gains_most(view: SeatView, best: int, seed: int) -> bool:
    """Return whether a choice gains more points immediately than any other."""
    gains = {}
    for choice in view.legal:
        position = view.sample(derive_seed(seed, 0))
        position.apply(choice, view.seat)
        gains[choice] = position.scores()[view.seat]
    return all(gains[best] > gain for choice, gain in gains.items() if choice != best)


def _agrees(view: SeatView, best: int, seed: int) -> bool:
    """Return whether searches find the same choice."""
    return all(search(view, derive_seed(seed, number)) == best for number in range(2))


def search(view: SeatView, seed: int, iterations: int = _ITERATIONS) -> int:
    """Return the choice of a search.

    Args:
        view: View of the seat that decides.
        seed: Seed of the search.
        iterations: Number of iterations.
    """
    return SearchBot(iterations=iterations).choose(view, inf, seed)[0]


def still_best(game: Game, puzzle: Puzzle) -> bool:
    """Return whether searches still find the answer of a puzzle.

    Args:
        game: The game.
        puzzle: The puzzle.

    Raises:
        SaveError: If the position of the puzzle can't be loaded.
        MalformedChoice: If its answer isn't a choice.
    """
    view, seed = SeatView(game.load(puzzle.save), puzzle.learner), int(puzzle.id.partition("-")[2])
    return _agrees(view, game.parse(puzzle.best.choice), seed)
