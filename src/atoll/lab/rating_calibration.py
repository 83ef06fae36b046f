"""Calibration of ratings: models forecast games of populations whose strengths are known.

A model rates all games of a population in order. Before each game it states for every pair of
players the chance that one finishes ahead of the other. The forecasts of the second half of the
games are compared with the results.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean
from typing import Final

from atoll.bots import Bot, GreedyBot, derive_seed
from atoll.bots.levels import EpsilonRandomBot
from atoll.engine import Game
from atoll.ratings import KINDS, Rating, RatingModel, points

from .play import bot_choices

SIGMAS: Final = (25 / 3, 3.5, 2.8, 2.1)
"""Uncertainties of newcomers that are compared. The first one is the default of openskill."""
TAUS: Final = (0.02, 0.08, 0.3)
"""Values of `tau` that are compared. The second one is about the default of openskill."""
SLIPS: Final = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
"""Shares of random choices of the bots whose games are rated; their order of strength is known."""
_PLAYERS: Final = 36
_GAMES_EACH: Final = 40
_BINS: Final = 10
_SURE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a population.

    Attributes:
        players: Numbers of the players.
        places: Their places.
    """

    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Population:
    """Players of known strength and their games.

    Attributes:
        kind: "simulated", "learning" or "bots".
        strengths: Strength per player at the end; only differences are meaningful.
        games: Their games in order.
    """

    kind: str
    strengths: tuple[float, ...]
    games: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class Forecasts:
    """The forecasts of a model for a population.

    Attributes:
        pairs: Stated chance that the first player of a pair finishes ahead, and the result: 1, 0,
            or 1/2 for a tie.
        ratings: Rating per player after all games.
    """

    pairs: tuple[tuple[float, float], ...]
    ratings: tuple[Rating, ...]

    @property
    def log_loss(self) -> float:
        """The mean logarithmic loss of the forecasts; 0.693 for guesses."""
        return fmean(-result * _log(stated) - (1 - result) * _log(1 - stated) for stated, result in self.pairs)


def _log(chance: float) -> float:
    return math.log(max(chance, _SURE))


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts of about the same chance.

    Attributes:
        stated: Mean stated chance.
        observed: Mean result.
        count: Number of forecasts.
    """

    stated: float
    observed: float
    count: int


# -- populations -----------------------------------------------------------------------------------


def simulated(seats: int, *, learning: bool, seed: int = 1) -> Population:
    """Return 36 simulated players with 40 games each, ranked by Plackett and Luce.

    Args:
        seats: Number of players per game.
        learning: Whether every third player improves steadily by 1.5 in the first half.
        seed: Seed of strengths and games.
    """
    rng = random.Random(f"{seed}.{seats}.{learning}")
    begun = [rng.gauss(0, 1) for _ in range(_PLAYERS)]
    count = _PLAYERS * _GAMES_EACH // seats
    games = []
    for number in range(count):
        gained = 1.5 * min(1.0, 2 * number / count) if learning else 0.0
        players = rng.sample(range(_PLAYERS), seats)
        # The order of values with Gumbel noise has the distribution of Plackett and Luce.
        noisy = [begun[each] + gained * (each % 3 == 0) - math.log(rng.expovariate(1)) for each in players]
        games.append(Played(tuple(players), _places(noisy)))
    ends = tuple(each + 1.5 * (learning and player % 3 == 0) for player, each in enumerate(begun))
    return Population("learning" if learning else "simulated", ends, tuple(games))


def _places(values: Sequence[float]) -> tuple[int, ...]:
    return tuple(1 + sum(other > value for other in values) for value in values)


def bot_games(game: Game, seats: int, count: int, *, seed: int = 1) -> Population:
    """Return games of greedy bots that take a random choice in the shares `SLIPS` of decisions.

    Args:
        game: The game.
        seats: Number of seats.
        count: Number of games.
        seed: Seed of pairings, bots and games.
    """
    bots: list[Bot] = [EpsilonRandomBot(GreedyBot(), slips) for slips in SLIPS]
    rng = random.Random(f"{seed}.{game.id}.{seats}")
    games = []
    for number in range(count):
        players = rng.sample(range(len(bots)), seats)
        position = game.new(seats, seed=derive_seed(seed, number))
        decisions = 0
        while not position.over:
            seat = position.to_move[0]
            for choice in bot_choices(bots[players[seat]], position, seat, 1.0, derive_seed(seed, number, decisions)):
                position.apply(choice, seat)
                decisions += 1
        games.append(Played(tuple(players), tuple(position.ranking())))
    return Population("bots", tuple(-slips for slips in SLIPS), tuple(games))


def populations(game: Game, count: int) -> Iterator[Population]:
    """Yield all populations: simulated ones with 2 to 6 seats, then bots.

    Args:
        game: The game of the bots.
        count: Number of their games per number of seats.
    """
    for learning in (False, True):
        for seats in range(2, 7):
            yield simulated(seats, learning=learning)
    for seats in (game.seat_counts[0], game.seat_counts[-1]):
        yield bot_games(game, seats, count)


# -- forecasts -------------------------------------------------------------------------------------


def forecast(model: RatingModel, population: Population) -> Forecasts:
    """Return the forecasts of a model for the second half of a population's games.

    Args:
        model: The model.
        population: The population.
    """
    ratings = [model.newcomer] * len(population.strengths)
    pairs: list[tuple[float, float]] = []
    for number, played in enumerate(population.games):
        before = [ratings[player] for player in played.players]
        if 2 * number >= len(population.games):
            for one, other in combinations(range(len(before)), 2):
                ahead = played.places[other] - played.places[one]
                result = 0.5 if not ahead else float(ahead > 0)
                pairs.append((model.chance(before[one], before[other]), result))
        for player, new in zip(played.players, model.rate(before, played.places), strict=True):
            ratings[player] = new
    return Forecasts(tuple(pairs), tuple(ratings))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model with its forecasts.

    Attributes:
        model: The model.
        forecasts: Its forecasts, per population.
    """

    model: RatingModel
    forecasts: tuple[Forecasts, ...]

    @property
    def loss(self) -> float:
        """The mean loss of all populations, each with the same weight."""
        return fmean(each.log_loss for each in self.forecasts)


def compare(
    found: Sequence[Population], watch: Callable[[int, int], None] = lambda done, total: None
) -> list[Candidate]:
    """Return all models with their forecasts, the best first.

    Args:
        found: The populations.
        watch: Called with the numbers of models done and of all models.
    """
    settings = list(product(KINDS, SIGMAS, TAUS))
    candidates = []
    for number, (kind, sigma, tau) in enumerate(settings, 1):
        candidates.append(candidate(RatingModel(kind, sigma, tau), found))
        watch(number, len(settings))
    return sorted(candidates, key=lambda each: each.loss)


def candidate(model: RatingModel, found: Sequence[Population]) -> Candidate:
    """Return a model with its forecasts for all populations."""
    return Candidate(model, tuple(forecast(model, each) for each in found))


def calibration(forecasts: Sequence[Forecasts]) -> list[Bin]:
    """Return stated and observed chances in ten bins, each pair from both sides."""
    pairs = [pair for each in forecasts for pair in each.pairs]
    pairs += [(1 - stated, 1 - result) for stated, result in pairs]
    bins: list[list[tuple[float, float]]] = [[] for _ in range(_BINS)]
    for stated, result in pairs:
        bins[min(_BINS - 1, int(stated * _BINS))].append((stated, result))
    return [Bin(fmean(s for s, _ in each), fmean(r for _, r in each), len(each)) for each in bins if each]


def strengths(population: Population, forecasts: Forecasts) -> list[tuple[float, float]]:
    """Return strength and rating in points of each player of a population.

    Args:
        population: The population.
        forecasts: The forecasts of a model for it.
    """
    rated = zip(population.strengths, forecasts.ratings, strict=True)
    return [(strength, points(rating.mu)) for strength, rating in rated]
