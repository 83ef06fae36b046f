"""What a trained net expects of a moment: per seat the part of the others that it will be ahead of.

The net sees what the seat that is asked sees, as a multi-hot vector, and corrects what the game's `estimate` expects.
It was trained by `atoll train`; here it is only asked, with NumPy. A game's package brings its nets in the folder
`nets`, each in a file whose name says what it fits (`net_name`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from atoll.engine import Position, Rules
from atoll.engine.observation import Observing

from .evaluation import evaluation
from .onehot import OneHot, Sparse
from .search import shares_at_end
from .shelf import net_file

Floats = NDArray[np.float32]

_CLOSE: Final = 0.02  # a share is never nearer to 0 or 1, so that the net can still correct it
_SURE: Final = 0.001
_ANY: Final = "start_player"  # an option that makes no other game of it
LAYERS: Final = ("in", "in_bias", "middle", "middle_bias", "out", "out_bias")


@dataclass(slots=True)
class Weights:
    """Two hidden layers: multi-hot vector, ReLU, ReLU, one correction (of log odds) per seat, the asked one first."""

    arrays: dict[str, Floats]

    @staticmethod
    def fresh(size: int, hidden: Sequence[int], seats: int, random: np.random.Generator) -> Weights:
        """A net that corrects nothing yet. size: of the vector. hidden: units of the two layers."""
        first, second = hidden
        arrays = {
            "in": random.normal(0, 0.05, (size, first)),
            "in_bias": np.zeros(first),
            "middle": random.normal(0, (2 / first) ** 0.5, (first, second)),
            "middle_bias": np.zeros(second),
            "out": np.zeros((second, seats)),
            "out_bias": np.zeros(seats),
        }
        return Weights({name: array.astype(np.float32) for name, array in arrays.items()})

    def correction(self, places: NDArray[np.int32], values: Floats) -> Floats:
        """(seats,) what is added to the log odds of each seat's share."""
        return self._rest(values @ self.arrays["in"].take(places, 0))

    def corrections(self, vectors: Sparse) -> Floats:
        """(rows, seats) the same of a batch."""
        rows = self.arrays["in"]
        starts = vectors.starts.tolist()
        first = np.empty((len(starts) - 1, rows.shape[1]), np.float32)
        for number, own in enumerate(first):
            part = slice(starts[number], starts[number + 1])
            vectors.values[part].dot(rows.take(vectors.places[part], 0), out=own)
        return self._rest(first)

    def _rest(self, first: Floats) -> Floats:
        """What follows the sums of the first layer."""
        arrays = self.arrays
        first += arrays["in_bias"]
        np.maximum(first, 0, out=first)
        second = first @ arrays["middle"] + arrays["middle_bias"]
        np.maximum(second, 0, out=second)
        return np.asarray(second @ arrays["out"] + arrays["out_bias"], np.float32)


class Eye:
    """What a net is given of positions of one game and number of seats."""

    def __init__(self, game: Rules, seats: int, options: Mapping[str, Any]) -> None:
        self.game: Rules = game
        self.seats: int = seats
        self.observing: Observing = Observing(game, seats, options)
        self.onehot: OneHot = OneHot(self.observing)
        knowledge = evaluation(game)
        self._estimate = knowledge.estimate
        self._spread: float = knowledge.spread
        self._flat: NDArray[np.int32] = np.zeros(self.observing.size, np.int32)

    def look(self, position: Position, seat: int) -> tuple[NDArray[np.int32], Floats]:
        """The multi-hot vector of what a seat knows: places and numbers that aren't 0."""
        self.observing.write(position, seat, self._flat.data)
        return self.onehot.one(self._flat)

    def expected(self, position: Position, seat: int) -> tuple[list[float], Sequence[float]]:
        """Per seat, the given one first, the log odds of the share that `estimate` expects; and its points per seat."""
        points = self._estimate(position.state)
        return [self._odds(points, (seat + step) % self.seats) for step in range(self.seats)], points

    def _odds(self, points: Sequence[float], seat: int) -> float:
        own = points[seat]
        others = [own - theirs for other, theirs in enumerate(points) if other != seat]
        share = sum(1.0 / (1.0 + 3.0 ** max(-9.0, min(9.0, -lead / self._spread))) for lead in others) / len(others)
        return float(np.log(max(_CLOSE, share) / max(_CLOSE, 1 - share)))


class Looks:
    """Moments, each as the seat sees it that is asked first, to be judged all at once."""

    def __init__(self, eye: Eye) -> None:
        self.eye: Eye = eye
        self.seats: list[int] = []
        self._base: list[list[float]] = []
        self._flats: NDArray[np.int32] = np.zeros((64, eye.observing.size), np.int32)

    def add(self, position: Position) -> int:
        """One more; its row."""
        row = len(self.seats)
        if row == len(self._flats):
            self._flats = np.concatenate([self._flats, np.zeros_like(self._flats)])
        seat = position.to_move[0]
        self.eye.observing.write(position, seat, self._flats[row].data)
        self._base.append(self.eye.expected(position, seat)[0])
        self.seats.append(seat)
        return row

    def base(self) -> Floats:
        """(rows, seats) the log odds that `estimate` expects, the asked seat first."""
        return np.array(self._base, np.float32).reshape(-1, self.eye.seats)

    def vectors(self) -> Sparse:
        """Their multi-hot vectors."""
        return self.eye.onehot.sparse(self._flats[: len(self.seats)])


class Net:
    """A trained net of one game and number of seats."""

    def __init__(self, eye: Eye, weights: Weights) -> None:
        """Raises ValueError for weights of something else."""
        if weights.arrays["in"].shape[0] != eye.onehot.size or weights.arrays["out"].shape[1] != eye.seats:
            raise ValueError(f"the net doesn't fit {eye.game.id} with {eye.seats} seats: it was trained on another one")
        self.eye: Eye = eye
        self.weights: Weights = weights

    def judge(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Per seat the share (0 to 1) and the points to be expected, at a moment when somebody is asked."""
        seat = position.to_move[0]
        seats = self.eye.seats
        expected, points = self.eye.expected(position, seat)
        correction = self.weights.correction(*self.eye.look(position, seat)).tolist()
        shares = [0.0] * seats
        for step in range(seats):
            shares[(seat + step) % seats] = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, expected[step] + correction[step]))))
        total = sum(shares) * 2 / seats  # of each pair one is ahead
        return [share / total for share in shares], points

    def judge_all(self, looks: Looks) -> Floats:
        """(rows, seats) the same of many moments, the shares alone."""
        odds = looks.base() + self.weights.corrections(looks.vectors())
        shares = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        shares *= self.eye.seats / 2 / shares.sum(axis=1, keepdims=True)
        steps = np.arange(self.eye.seats) - np.array(looks.seats, np.int32)[:, None]
        return np.asarray(np.take_along_axis(shares, steps % self.eye.seats, axis=1), np.float32)

    def weigh(self, position: Position, seat: int, choices: Sequence[int], seed: int) -> list[float]:
        """Per choice of a seat the log odds of its share after it. seed: of what chance does then."""
        looks = Looks(self.eye)
        shares: list[float] = []
        waiting: list[int] = []
        for choice in choices:
            trial = position.fork(seed, snapshots=False)
            trial.apply(choice, seat)
            if trial.over:
                shares.append(shares_at_end(trial.ranking())[seat])
            else:
                waiting.append(len(shares))
                shares.append(0.0)
                looks.add(trial)
        if waiting:
            for place, share in zip(waiting, self.judge_all(looks)[:, seat].tolist(), strict=True):
                shares[place] = share
        return [log_odds(share) for share in shares]


def log_odds(share: float) -> float:
    """The logarithm of the odds of a share; none is taken for sure."""
    share = min(1 - _SURE, max(_SURE, share))
    return log(share / (1 - share))


def read(path: Path) -> dict[str, Floats]:
    """The arrays of a file of weights, which may hold more: what training goes on with."""
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name].astype(np.float32) for name in LAYERS}


def net_for(game: Rules, seats: int, options: Mapping[str, Any]) -> Net | None:
    """The net that the game's package brings for such a table; None if it brings none that fits.

    Nets are trained on the usual options. One that can't be read, or is of something else, is left out with a warning.
    """
    usual = game.resolve_options({}, seats)
    if any(options[name] != value for name, value in usual.items() if name != _ANY):
        return None
    return _net(game, seats)


@cache
def _net(game: Rules, seats: int) -> Net | None:
    file = net_file(game, seats)
    if file is None:
        return None
    try:
        return Net(Eye(game, seats, game.resolve_options({}, seats)), Weights(read(file)))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        logging.getLogger(__name__).warning("net %s is left out: %s", file, error)
        return None
