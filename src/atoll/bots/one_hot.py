"""Observations as multi-hot vectors, encoded from flat ones with NumPy, one or a batch at a time.

- A number with few values, or one that names something, gets one feature per value.
- In a list whose order doesn't matter, equal values share a feature and are counted.
- An amount is also a scaled number.
- A choice among the seat's answers becomes a feature for its kind and one for each part.
- An absent value is 0, and so is a 0 where a number is always present.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atoll.engine import Vocabulary
from atoll.engine.observation import ArraySpec, ObservationEncoder
from atoll.engine.question_encoder import ANSWERS

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

_FEW: Final = 40  # up to this number of values, amounts get a feature per value too
_PLACES: Final = 4096  # maximum features per list; above it, only the content of a list is encoded
_TINY: Final = 4  # highest amount that isn't also a scaled number
_SMALL: Final = 64  # highest amount that is divided by 8; higher ones by 32
_NONE: Final = -1


def choice_rows(vocabulary: Vocabulary) -> Ints:
    """Return the number of the kind and the parts of each choice.

    Args:
        vocabulary: The vocabulary.

    Returns:
        An array of shape (choices, 1 + most parts), padded with -1.
    """
    kinds = [kind for kind in vocabulary.kinds if not kind.is_chance]
    rows = np.full((vocabulary.decisions, 1 + max(len(kind.domains) for kind in kinds)), -1, np.int32)
    for number, kind in enumerate(kinds):
        rows[kind.first : kind.end, 0] = number
        if kind.domains:
            parts = np.indices(tuple(domain.size for domain in kind.domains)).reshape(len(kind.domains), -1)
            rows[kind.first : kind.end, 1 : 1 + len(parts)] = parts.T
    return rows


class ChoiceAtoms:
    """The kind and the parts of each choice, as features of a vector.

    Attributes:
        size: Number of features.
        table: Features of each choice: (choices, most features), padded with -1.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        kinds = [kind for kind in vocabulary.kinds if not kind.is_chance]
        self.table: Ints = choice_rows(vocabulary)
        start = len(kinds)
        for kind in kinds:
            for place, domain in enumerate(kind.domains, 1):
                self.table[kind.first : kind.end, place] += start
                start += domain.size
        self.size: int = start


@dataclass(frozen=True, slots=True)
class SparseBatch:
    """A batch of vectors in compressed sparse row form.

    Attributes:
        starts: Start of each row in `places` and `values`, and the end: (rows + 1,).
        places: Indices of the non-zero features.
        values: Their values.
    """

    starts: NDArray[np.int64]
    places: Ints
    values: Floats


class OneHotEncoder:
    """Encodes flat observations as multi-hot vectors.

    Attributes:
        size: Number of features of a vector.
        atoms: Features of the choices.
    """

    def __init__(self, observing: ObservationEncoder) -> None:
        self.atoms: ChoiceAtoms = ChoiceAtoms(observing.game.vocabulary)
        self._answers: slice = slice(0, 0)
        self._end: int = self.atoms.size
        source: list[Ints] = []
        first: list[Ints] = []
        bottom: list[Ints] = []
        factor: list[Floats] = []
        for piece in observing.pieces:
            numbers = piece.start + np.arange(piece.size, dtype=np.int32)
            if piece.choices:
                self._answers = slice(piece.start, piece.start + piece.size)
                continue
            if _is_named(piece):
                source.append(numbers)
                first.append(self._values_of(piece))
                # A 0 that is the lowest value needs no feature if the other values have their own.
                plain = 0 if _has_own_places(piece) and piece.low == 0 else _NONE
                low = {0: plain, -1: _NONE}.get(piece.lowest, piece.lowest - 1)
                bottom.append(np.full(piece.size, low, np.int32))
                factor.append(np.zeros(piece.size, np.float32))
            if _is_amount(piece):
                source.append(numbers)
                first.append(self._end + np.arange(piece.size, dtype=np.int32))
                self._end += piece.size
                bottom.append(np.zeros(piece.size, np.int32))
                factor.append(np.full(piece.size, 1 / 8 if piece.high <= _SMALL else 1 / 32, np.float32))
        self.size: int = self._end
        parts = ANSWERS * self.atoms.table.shape[1]
        self._source: Ints = np.concatenate(source)
        self._first: Ints = np.concatenate([*first, np.zeros(parts, np.int32)])
        self._bottom: Ints = np.concatenate([*bottom, np.full(parts, _NONE, np.int32)])
        self._factor: Floats = np.concatenate([*factor, np.zeros(parts, np.float32)])
        self._named: NDArray[np.int32] = (self._factor == 0).astype(np.int32)

    def _values_of(self, piece: ArraySpec) -> Ints:
        """Reserve the features of an array's values.

        Args:
            piece: Specification of the array.

        Returns:
            For each number of the array, the index of the feature for value 0.
        """
        values = piece.high - piece.lowest + 1
        rows = piece.size // piece.shape[-1]
        if _has_own_places(piece):
            own = np.arange(piece.size)
            groups = piece.size
        else:
            column = np.arange(piece.shape[-1]) % piece.row
            own = (np.arange(rows)[:, None] * piece.row + column).ravel()
            groups = rows * piece.row
        start = self._end - piece.lowest
        self._end += groups * values
        return (start + own * values).astype(np.int32)

    def sparse(self, flat: NDArray[np.int32]) -> SparseBatch:
        """Return a batch of observations as sparse vectors.

        A feature may occur more than once in a row; its values then add up.

        Args:
            flat: The observations: (rows, numbers).
        """
        atoms = self.atoms.table[flat[:, self._answers]]
        atoms[flat[:, self._answers] < 0] = -1
        numbers = np.concatenate([flat[:, self._source], atoms.reshape(len(flat), -1)], axis=1)
        rows, columns = np.nonzero(numbers > self._bottom)
        found = numbers[rows, columns]
        named = self._named[columns]
        places = self._first[columns] + named * found
        values = np.where(named, np.float32(1), found * self._factor[columns])
        starts = np.zeros(len(flat) + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=len(flat)), out=starts[1:])
        return SparseBatch(starts, places, values.astype(np.float32))

    def one(self, flat: NDArray[np.int32]) -> tuple[Ints, Floats]:
        """Return the indices and values of the non-zero features of a single observation."""
        own = flat[self._answers]
        atoms = self.atoms.table[own]
        atoms[own < 0] = -1
        numbers = np.concatenate([flat[self._source], atoms.ravel()])
        columns = (numbers > self._bottom).nonzero()[0]
        found = numbers[columns]
        named = self._named[columns]
        values = np.where(named, np.float32(1), found * self._factor[columns])
        return self._first[columns] + named * found, values

    def write(self, flat: NDArray[np.int32], out: Floats) -> None:
        """Write the dense vector of an observation.

        Args:
            flat: The observation.
            out: The vector: (size,).
        """
        places, values = self.one(flat)
        out[:] = np.bincount(places, values, self.size)

    def write_batch(self, flats: NDArray[np.int32], out: Floats) -> None:
        """Write the dense vectors of a batch of observations.

        Args:
            flats: The observations: (rows, numbers).
            out: The vectors: (rows, size).
        """
        found = self.sparse(flats)
        rows = np.repeat(np.arange(len(flats)) * self.size, np.diff(found.starts))
        out[:] = np.bincount(rows + found.places, found.values, out.size).reshape(out.shape)


def _is_named(piece: ArraySpec) -> bool:
    """Return whether each value gets its own feature."""
    values = piece.high - piece.lowest + 1
    return values <= _FEW or (values <= _PLACES and (piece.lowest < 0 or not piece.fixed or _may_be_none(piece)))


def _may_be_none(piece: ArraySpec) -> bool:
    """Return whether it is a single number that names something or nothing, so not an amount."""
    return piece.size == 1 and piece.low < piece.lowest


def _has_own_places(piece: ArraySpec) -> bool:
    """Return whether values at different indices of the list get different features."""
    return piece.fixed and piece.shape[-1] * (piece.high - piece.lowest + 1) <= _PLACES


def _is_amount(piece: ArraySpec) -> bool:
    """Return whether values are also given as scaled numbers."""
    return piece.fixed and piece.lowest >= 0 and piece.high > _TINY and not _may_be_none(piece)
