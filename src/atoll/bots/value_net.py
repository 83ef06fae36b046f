"""Trained value nets: the expected share of each seat at a position.

The input of a net is the observation of the seat to move, as a multi-hot vector. Its output
corrects the shares by the game's `expected_scores`. `atoll train` trains nets; this module only
evaluates them, with NumPy. A game's package has its nets in the folder `nets`; `net_name` names the
files.
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
from atoll.engine.observation import ObservationEncoder

from .bundled_nets import find_net
from .evaluation import evaluation
from .one_hot import OneHotEncoder, SparseBatch
from .search import shares_at_end

Floats = NDArray[np.float32]

_CLOSE: Final = 0.02  # minimum distance of an expected share from 0 and 1, so that the net can correct it
_SURE: Final = 0.001  # minimum distance of a share from 0 and 1 in log odds
_ANY: Final = "start_player"  # an option that doesn't change how the game is played
LAYERS: Final = ("in", "in_bias", "middle", "middle_bias", "out", "out_bias")
"""Names of the arrays of a net."""


@dataclass(slots=True)
class Weights:
    """The weights of a net with two hidden layers.

    The input is a multi-hot vector, both hidden layers use ReLU, and the output corrects the log
    odds of each seat's share, the seat to move first.

    Attributes:
        arrays: Arrays by name, see `LAYERS`.
    """

    arrays: dict[str, Floats]

    @staticmethod
    def fresh(size: int, hidden: Sequence[int], seats: int, random: np.random.Generator) -> Weights:
        """Return a net that doesn't correct anything yet.

        Args:
            size: Length of the input vector.
            hidden: Units of the two hidden layers.
            seats: Number of seats.
            random: Source of the initial weights.
        """
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
        """Return the corrections of the log odds for one input: (seats,).

        Args:
            places: Indices of the non-zero features.
            values: Their values.
        """
        return self._output_layers(values @ self.arrays["in"].take(places, 0))

    def corrections(self, vectors: SparseBatch) -> Floats:
        """Return the corrections of the log odds for a batch: (rows, seats)."""
        rows = self.arrays["in"]
        starts = vectors.starts.tolist()
        first = np.empty((len(starts) - 1, rows.shape[1]), np.float32)
        for number, own in enumerate(first):
            part = slice(starts[number], starts[number + 1])
            vectors.values[part].dot(rows.take(vectors.places[part], 0), out=own)
        return self._output_layers(first)

    def _output_layers(self, first: Floats) -> Floats:
        """Apply everything after the sums of the first layer."""
        arrays = self.arrays
        first += arrays["in_bias"]
        np.maximum(first, 0, out=first)
        second = first @ arrays["middle"] + arrays["middle_bias"]
        np.maximum(second, 0, out=second)
        return np.asarray(second @ arrays["out"] + arrays["out_bias"], np.float32)


class FeatureEncoder:
    """Encodes positions of one game and number of seats for a net.

    Attributes:
        game: The game.
        seats: Number of seats.
        observing: Encoder of flat observations.
        onehot: Encoder of multi-hot vectors.
    """

    def __init__(self, game: Rules, seats: int, options: Mapping[str, Any]) -> None:
        self.game: Rules = game
        self.seats: int = seats
        self.observing: ObservationEncoder = ObservationEncoder(game, seats, options)
        self.onehot: OneHotEncoder = OneHotEncoder(self.observing)
        knowledge = evaluation(game)
        self._estimate = knowledge.expected_scores
        self._spread: float = knowledge.spread
        self._flat: NDArray[np.int32] = np.zeros(self.observing.size, np.int32)

    def features(self, position: Position, seat: int) -> tuple[NDArray[np.int32], Floats]:
        """Return indices and values of the non-zero features of a seat's observation."""
        self.observing.write(position, seat, self._flat.data)
        return self.onehot.one(self._flat)

    def expected(self, position: Position, seat: int) -> tuple[list[float], Sequence[float]]:
        """Return what `expected_scores` expects.

        Args:
            position: The position.
            seat: The seat whose share comes first.

        Returns:
            The log odds of each seat's share, the given seat first, and the expected points by
            seat.
        """
        points = self._estimate(position.state)
        return [self._odds(points, (seat + step) % self.seats) for step in range(self.seats)], points

    def _odds(self, points: Sequence[float], seat: int) -> float:
        """Return the log odds of a seat's share, from expected points."""
        own = points[seat]
        others = [own - theirs for other, theirs in enumerate(points) if other != seat]
        share = sum(1.0 / (1.0 + 3.0 ** max(-9.0, min(9.0, -lead / self._spread))) for lead in others) / len(others)
        return float(np.log(max(_CLOSE, share) / max(_CLOSE, 1 - share)))


class PositionBatch:
    """A batch of positions, encoded for the seat to move, to be evaluated at once.

    Attributes:
        eye: The encoder.
        seats: The seat to move of each position; the first one of several.
    """

    def __init__(self, eye: FeatureEncoder) -> None:
        self.eye: FeatureEncoder = eye
        self.seats: list[int] = []
        self._base: list[list[float]] = []
        self._flats: NDArray[np.int32] = np.zeros((64, eye.observing.size), np.int32)

    def add(self, position: Position) -> int:
        """Add a position and return its row."""
        row = len(self.seats)
        if row == len(self._flats):
            self._flats = np.concatenate([self._flats, np.zeros_like(self._flats)])
        seat = position.to_move[0]
        self.eye.observing.write(position, seat, self._flats[row].data)
        self._base.append(self.eye.expected(position, seat)[0])
        self.seats.append(seat)
        return row

    def base(self) -> Floats:
        """Return the log odds by `expected_scores`, the seat to move first: (rows, seats)."""
        return np.array(self._base, np.float32).reshape(-1, self.eye.seats)

    def vectors(self) -> SparseBatch:
        """Return the multi-hot vectors."""
        return self.eye.onehot.sparse(self._flats[: len(self.seats)])


class ValueNet:
    """A trained value net of one game and number of seats.

    Attributes:
        eye: The encoder.
        weights: The weights.
    """

    def __init__(self, eye: FeatureEncoder, weights: Weights) -> None:
        """Combine an encoder and weights.

        Args:
            eye: The encoder.
            weights: The weights.

        Raises:
            ValueError: If the weights belong to another game or number of seats.
        """
        if weights.arrays["in"].shape[0] != eye.onehot.size or weights.arrays["out"].shape[1] != eye.seats:
            raise ValueError(f"the net doesn't fit {eye.game.id} with {eye.seats} seats: it was trained on another one")
        self.eye: FeatureEncoder = eye
        self.weights: Weights = weights

    def evaluate(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Return the expected shares, 0 to 1, and points of all seats.

        Args:
            position: A position at which a seat is asked.
        """
        seat = position.to_move[0]
        seats = self.eye.seats
        expected, points = self.eye.expected(position, seat)
        correction = self.weights.correction(*self.eye.features(position, seat)).tolist()
        shares = [0.0] * seats
        for step in range(seats):
            shares[(seat + step) % seats] = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, expected[step] + correction[step]))))
        total = sum(shares) * 2 / seats  # the mean share is 1/2, because in each pair one seat is ahead
        return [share / total for share in shares], points

    def evaluate_batch(self, looks: PositionBatch) -> Floats:
        """Return the expected shares of a batch of positions, by seat: (rows, seats)."""
        odds = looks.base() + self.weights.corrections(looks.vectors())
        shares = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        shares *= self.eye.seats / 2 / shares.sum(axis=1, keepdims=True)
        steps = np.arange(self.eye.seats) - np.array(looks.seats, np.int32)[:, None]
        return np.asarray(np.take_along_axis(shares, steps % self.eye.seats, axis=1), np.float32)

    def choice_values(self, position: Position, seat: int, choices: Sequence[int], seed: int) -> list[float]:
        """Return the log odds of a seat's share after each of several choices.

        Args:
            position: The position.
            seat: The seat that chooses.
            choices: The choices.
            seed: Seed of the chance events that follow.
        """
        looks = PositionBatch(self.eye)
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
            for place, share in zip(waiting, self.evaluate_batch(looks)[:, seat].tolist(), strict=True):
                shares[place] = share
        return [log_odds(share) for share in shares]


def log_odds(share: float) -> float:
    """Return the log odds of a share, clipped to finite values."""
    share = min(1 - _SURE, max(_SURE, share))
    return log(share / (1 - share))


def read(path: Path) -> dict[str, Floats]:
    """Return the weights in a file, without the optimizer state that it may also contain."""
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name].astype(np.float32) for name in LAYERS}


def net_for(game: Rules, seats: int, options: Mapping[str, Any]) -> ValueNet | None:
    """Return the game's net for a table; None if no net fits.

    Nets are trained with the default options. A net that can't be read or doesn't fit is excluded
    with a warning.

    Args:
        game: The game.
        seats: Number of seats.
        options: Resolved options of the table.
    """
    usual = game.resolve_options({}, seats)
    if any(options[name] != value for name, value in usual.items() if name != _ANY):
        return None
    return _net(game, seats)


@cache
def _net(game: Rules, seats: int) -> ValueNet | None:
    """Return the game's net for a number of seats; None if it has none that can be read."""
    file = find_net(game, seats)
    if file is None:
        return None
    try:
        return ValueNet(FeatureEncoder(game, seats, game.resolve_options({}, seats)), Weights(read(file)))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        logging.getLogger(__name__).warning("net %s is left out: %s", file, error)
        return None
