"""Observations as tokens, for attention: one row per object or fact, encoded from the flat form.

Numbers of a row:

- `zone`: the array of the flat observation, or a column of it if numbers of a row belong together.
- `seat`: the owner: 1 the viewer, 2 the next to the left, and so on; 0 for nobody.
- `component`: the component in the range of the zone, from 1; of an answer its kind or part; 0 for
  large numbers.
- `place`: the location, from 1; rows of an array with equal seat and place belong together; 0
  without an order.
- `amount`: the amount, or the number of equal objects.

An absent value has no row, and neither has a 0 where no -1 is possible. Unused rows are 0 and come
last, so a batch can be cut to its longest observation. The rows contain the same information as the
flat form, except for the order of unordered cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from atoll.bots.one_hot import ChoiceAtoms
from atoll.engine.observation import ArraySpec, ObservationEncoder
from atoll.engine.question_encoder import ANSWERS

Ints = NDArray[np.int32]

NUMBERS: Final = ("zone", "seat", "component", "place", "amount")
_NAMED: Final = 4096  # maximum number of values that can be components
_TINY: Final = 1  # highest number that isn't an amount
_NEVER: Final = 2**31 - 1  # a floor that no number of the array reaches
_COLUMNS: Final = (*NUMBERS, "named", "number", "floor", "counted")
"""Constants of a number: those of its row without its value, whether the value is the component or
the amount, the lowest value with a row, and whether equal rows are counted."""


class TokenEncoder:
    """Encodes flat observations as tokens.

    Attributes:
        zones: Names of the zones; the first is that of padding.
        shape: Shape of the tokens: (rows, 5).
        low: Lowest value of each column.
        high: Highest value of each column.
    """

    def __init__(self, observing: ObservationEncoder) -> None:
        self.zones: list[str] = ["nothing"]
        self._atoms: Ints = ChoiceAtoms(observing.game.vocabulary).table
        self._answers: slice = slice(0, 0)
        self._answer: int = 0
        tables: list[Ints] = []
        for piece in observing.pieces:
            if piece.choices:
                self._answers = slice(piece.start, piece.start + piece.size)
                self.zones.append(piece.name)
                self._answer = len(self.zones) - 1
                tables.append(np.full((piece.size, len(_COLUMNS)), [0, 0, 0, 0, 0, 0, 0, _NEVER, 0], np.int32))
            else:
                tables.append(self._columns(piece, observing.seats))
        table = np.concatenate(tables)
        self._rows: Ints = np.ascontiguousarray(table[:, : len(NUMBERS)])
        self._named, self._number = (np.ascontiguousarray(table[:, each]) for each in (5, 6))
        counted = table[:, 8] > 0
        self._floor: Ints = np.where(counted, _NEVER, table[:, 7])
        self._counted_floor: Ints | None = np.where(counted, table[:, 7], _NEVER) if counted.any() else None
        ends = [piece for piece in observing.pieces if not piece.choices]
        self.shape: tuple[int, int] = (
            sum(piece.size for piece in ends) + ANSWERS * self._atoms.shape[1],
            len(NUMBERS),
        )
        spans = [piece.high - piece.lowest + 1 for piece in ends]
        components = max([int(self._atoms.max()) + 1, *(span for span in spans if span <= _NAMED)])
        amounts = max(max(piece.size, piece.high) for piece in ends)
        least = min([0, *(each.lowest for each, span in zip(ends, spans, strict=True) if span > _NAMED)])
        places = max(ANSWERS, int(table[:, 3].max()))
        self.low: Ints = np.array([0, 0, 0, 0, least], np.int32)
        self.high: Ints = np.array([len(self.zones) - 1, observing.seats, components, places, amounts], np.int32)

    def _columns(self, piece: ArraySpec, seats: int) -> Ints:
        """Return the constant columns of an array, for each of its numbers."""
        first_zone = len(self.zones)
        self.zones += [piece.name] if piece.row == 1 else [f"{piece.name}.{column}" for column in range(piece.row)]
        named = piece.high - piece.lowest + 1 <= _NAMED
        ordered = piece.fixed or piece.row > 1 or not named
        width = piece.shape[-1] if len(piece.shape) > 1 or piece.by is None else 1
        outer, inner = np.divmod(np.arange(piece.size), width)
        seat = np.zeros(piece.size, np.int64)
        if piece.by is not None:
            own = outer - piece.by
            seat = np.where((own >= 0) & (own < seats), own + 1, 0)
        several = piece.size > width
        if ordered:
            place = np.where(seat > 0, 0, outer * (width // piece.row)) + inner // piece.row + 1
        else:
            place = np.where(seat > 0, 0, outer + 1) if several else np.zeros(piece.size, np.int64)
        number = ordered and piece.row == 1 and piece.lowest >= 0 and piece.high > _TINY
        floor = 1 if piece.low == piece.lowest == 0 else piece.lowest
        found = np.empty((piece.size, len(_COLUMNS)), np.int32)
        found[:, 0] = first_zone + inner % piece.row
        found[:, 1] = seat
        found[:, 2] = 1 - piece.lowest if named else 0
        found[:, 3] = place
        found[:, 4] = not (number or not named)
        found[:, 5] = named
        found[:, 6] = number or not named
        found[:, 7] = floor
        found[:, 8] = not ordered
        return found

    def write_batch(self, flats: Ints, out: Ints, filled: NDArray[np.intp]) -> None:
        """Write the tokens of a batch of flat observations.

        Args:
            flats: The observations: (games, numbers).
            out: The tokens: `(games, *shape)`.
            filled: Number of rows of each game that may differ from 0, from the first: (games,). It
                is updated, so that the next call needn't clear unused rows.
        """
        parts = [self._found_rows(flats, self._floor)]
        if self._counted_floor is not None:
            parts.append(self._counts(*self._found_rows(flats, self._counted_floor)))
        if flats[:, self._answers.start].max() >= 0:  # the first answer of a game, if there is any
            parts.append(self._answer_rows(flats[:, self._answers]))
        lines = out.reshape(-1, len(NUMBERS))
        first = np.arange(len(flats)) * len(out[0])
        ends = first.copy()
        for games, rows in parts:
            amounts = np.bincount(games, minlength=len(flats))
            lines[_run(ends, amounts)] = rows
            ends += amounts
        amounts = ends - first
        lines[_run(ends, np.maximum(filled - amounts, 0))] = 0
        filled[:] = amounts

    def _found_rows(self, flats: Ints, floor: Ints) -> tuple[NDArray[np.intp], Ints]:
        """Return one row for each number that isn't below its floor, with its game."""
        indices = (flats >= floor).ravel().nonzero()[0]
        games, columns = np.divmod(indices, len(floor))
        values = flats.ravel()[indices]
        rows = self._rows[columns]
        rows[:, 2] += values * self._named[columns]
        rows[:, 4] += values * self._number[columns]
        return games, rows

    def _counts(self, games: NDArray[np.intp], rows: Ints) -> tuple[NDArray[np.intp], Ints]:
        """Return one row for equal rows of a game, with their number, in ascending order."""
        keys = games.astype(np.int64)
        for column, most in enumerate(self.high[:-1].tolist()):
            keys = keys * (most + 1) + rows[:, column]
        _, first, amounts = np.unique(keys, return_index=True, return_counts=True)
        same = rows[first]
        same[:, 4] = amounts
        return games[first], same

    def _answer_rows(self, choices: Ints) -> tuple[NDArray[np.intp], Ints]:
        """Return the rows of answers: (games, ANSWERS), padded with -1."""
        atoms = self._atoms[choices]
        atoms[choices < 0] = -1
        games, order, part = (atoms >= 0).nonzero()
        rows = np.zeros((len(games), len(NUMBERS)), np.int32)
        rows[:, 0] = self._answer
        rows[:, 2] = atoms[games, order, part] + 1
        rows[:, 3] = order + 1
        rows[:, 4] = 1
        return games, rows


def _run(starts: NDArray[np.intp], amounts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return successive indices: for each start, as many as its amount."""
    return np.arange(int(amounts.sum())) + np.repeat(starts - np.cumsum(amounts) + amounts, amounts)
