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
        sources: list[Ints] = []
        rows: list[Ints] = []
        for piece in observing.pieces:
            if piece.choices:
                self._answers = slice(piece.start, piece.start + piece.size)
                self.zones.append(piece.name)
                self._answer = len(self.zones) - 1
                continue
            sources.append(piece.start + np.arange(piece.size, dtype=np.int32))
            rows.append(self._columns(piece, observing.seats))
        self._source: Ints = np.concatenate(sources)
        # Columns per number: zone, seat, place, offset of the component, whether it is a component,
        # whether it is an amount, lowest value that gets a row, and whether equal ones are counted.
        table = np.concatenate(rows)
        self._zone, self._seat, self._place = table[:, 0], table[:, 1], table[:, 2]
        self._first, self._named, self._number, self._floor = table[:, 3], table[:, 4], table[:, 5], table[:, 6]
        self._counted: NDArray[np.bool_] = table[:, 7] > 0
        self.shape: tuple[int, int] = (len(table) + ANSWERS * self._atoms.shape[1], len(NUMBERS))
        ends = [piece for piece in observing.pieces if not piece.choices]
        spans = [piece.high - piece.lowest + 1 for piece in ends]
        components = max([int(self._atoms.max()) + 1, *(span for span in spans if span <= _NAMED)])
        amounts = max(max(piece.size, piece.high) for piece in ends)
        least = min([0, *(each.lowest for each, span in zip(ends, spans, strict=True) if span > _NAMED)])
        places = max(ANSWERS, int(self._place.max()))
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
        found = np.empty((piece.size, 8), np.int32)
        found[:, 0] = first_zone + inner % piece.row
        found[:, 1] = seat
        found[:, 2] = place
        found[:, 3] = 1 - piece.lowest if named else 0
        found[:, 4] = named
        found[:, 5] = number or not named
        found[:, 6] = floor
        found[:, 7] = not ordered
        return found

    def write_batch(self, flats: Ints, out: Ints) -> None:
        """Write the tokens of a batch of flat observations.

        Args:
            flats: The observations: (games, numbers).
            out: The tokens: `(games, *shape)`.
        """
        numbers = flats[:, self._source]
        games, columns = (numbers >= self._floor).nonzero()
        values = numbers[games, columns]
        found = np.empty((len(columns), len(NUMBERS)), np.int32)
        found[:, 0] = self._zone[columns]
        found[:, 1] = self._seat[columns]
        found[:, 2] = (values + self._first[columns]) * self._named[columns]
        found[:, 3] = self._place[columns]
        found[:, 4] = np.where(self._number[columns], values, 1)
        parts = [(games, found)]
        counted = self._counted[columns]
        if counted.any():
            parts = [(games[~counted], found[~counted]), self._counts(games[counted], found[counted])]
        if flats[:, self._answers.start].max() >= 0:  # the first answer of a game, if there is any
            parts.append(self._answer_rows(flats[:, self._answers]))
        games = np.concatenate([each for each, _ in parts])
        order = np.argsort(games, kind="stable")
        amounts = np.bincount(games, minlength=len(flats))
        places = np.arange(len(games)) - np.repeat(np.cumsum(amounts) - amounts, amounts)
        out[:] = 0
        out[games[order], places] = np.concatenate([each for _, each in parts])[order]

    def _counts(self, games: NDArray[np.intp], found: Ints) -> tuple[NDArray[np.intp], Ints]:
        """Return one row for equal rows of a game, with their number, in ascending order."""
        keys = games.astype(np.int64)
        for column, most in enumerate(self.high[:-1].tolist()):
            keys = keys * (most + 1) + found[:, column]
        _, first, amounts = np.unique(keys, return_index=True, return_counts=True)
        same = found[first]
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
