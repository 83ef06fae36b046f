"""The evaluation of Atacama positions for the bots.

A line is valued at its present worth times its chance of getting enough rigs.
"""

from __future__ import annotations

from math import exp, factorial
from typing import Final

from atoll.engine import Choose

from .kinds import BUY, COLUMNS, FIELDS, PLACE, ROWS, SIDE
from .rules import CLOSED
from .scoring import LINES
from .state import NO_RIG, NOT_LAID, AtacamaState

SPREAD: Final = 5.0
TUNING: Final = {
    "cut": 200,  # games are short: a rollout to the end is more accurate than an estimate
    "trust": 0.3,
}

_STEPS: Final = 10  # steps of `_TAIL` per expected rig
_PRICE: Final = 1.0  # worth in points of the rig paid for a concession


def _tail(expected: float, need: int) -> float:
    """Return the probability that a Poisson variable with this mean reaches `need`."""
    return 1.0 - sum(exp(-expected) * expected**k / factorial(k) for k in range(need))


_TAIL: Final = tuple(
    tuple(1.0 if need <= 0 else _tail(step / _STEPS, need) for step in range(SIDE * _STEPS + 1))
    for need in range(SIDE + 1)
)
"""Probability of getting a number of rigs, by that number and the expected rigs in tenths."""


class _LineForecast:
    """The 18 lines of a position, and their prospects.

    Attributes:
        minimum: The number of rigs from which a line counts.
        open: Per field, whether a rig can still be placed there.
        free: The number of open fields; at least 1.
        to_come: The number of rigs still to be placed.
        rigs: Per axis and line, the rigs on it.
        room: Per axis and line, the open fields on it.
        worth: Per axis, line and concession, the points of its rigs.
    """

    def __init__(self, s: AtacamaState, to_come: int) -> None:
        self.minimum: int = s.components.line_minimum
        self.open: list[bool] = [False] * FIELDS
        for field in s.free:
            self.open[field] = True
        for field in range(FIELDS):
            if s.ore[field] == NOT_LAID:
                self.open[field] = True
        self.free: int = max(1, sum(self.open))
        self.to_come: int = to_come
        self.rigs: list[list[int]] = []
        self.room: list[list[int]] = []
        self.worth: list[list[list[int]]] = []
        multiplier, factor = s.components.multiplier, s.components.factor
        for axis in (COLUMNS, ROWS):
            rigs, room, worth = [], [], []
            for fields in LINES[axis]:
                taken = [field for field in fields if s.rigs[field] != NO_RIG]
                rigs.append(len(taken))
                room.append(sum(self.open[field] for field in fields))
                worth.append(
                    [
                        sum(s.amount[field] * signs[s.ore[field]] * factor[s.rigs[field]] for field in taken)
                        for signs in multiplier
                    ]
                )
            self.rigs.append(rigs)
            self.room.append(room)
            self.worth.append(worth)

    def chance(self, rigs: int, room: int) -> float:
        """Return the probability that a line counts in the end.

        The rigs to come are spread over the open fields of the board.
        A line gets its share of them.

        Args:
            rigs: The rigs on the line.
            room: The open fields on the line.
        """
        need = self.minimum - rigs
        if need <= 0:
            return 1.0
        if need > (room + 1) // 2:  # neighboring fields can't both have a rig
            return 0.0
        expected = min(SIDE, self.to_come * room / self.free)
        return _TAIL[need][int(expected * _STEPS)]

    def role(self, axis: int, concession: int) -> float:
        """Return the expected points of a role."""
        return sum(
            self.chance(self.rigs[axis][line], self.room[axis][line]) * self.worth[axis][line][concession]
            for line in range(SIDE)
        )


def expected_scores(s: AtacamaState) -> list[float]:
    """Return the expected points of each seat; all are 0 before the purchase."""
    if not s.sold:
        return [0.0] * s.seats
    lines = _LineForecast(s, s.turns - s.turn)
    return [lines.role(s.axis[seat], s.concession[seat]) for seat in range(s.seats)]


def choice_values(s: AtacamaState, ask: Choose) -> list[float]:
    """Return per choice the change of the expected lead over the mean of the others, in points.

    Before the purchase, a purchase is worth the lead of its role, less the price of a rig.
    A placement then loses the worth of the best role after it: the other player may take that role.
    """
    lines = _LineForecast(s, s.turns - s.turn - 1)  # the rigs after this choice
    if s.sold:
        share = -1.0 / (s.seats - 1)
        weights = [[0.0, 0.0], [0.0, 0.0]]
        for seat in range(s.seats):
            weights[s.axis[seat]][s.concession[seat]] = 1.0 if seat == ask.seat else share
        return [_placement(s, lines, weights, choice) for choice in ask.choices]
    # The weights give the lead of columns with the first concession over rows with the second;
    # `second` has the concessions swapped.
    first = [[1.0, 0.0], [0.0, -1.0]]
    second = [[0.0, 1.0], [-1.0, 0.0]]
    leads = [
        [lines.role(axis, concession) - lines.role(1 - axis, 1 - concession) for concession in (0, 1)]
        for axis in (COLUMNS, ROWS)
    ]
    values = []
    for choice in ask.choices:
        if choice in BUY:
            concession, axis, _ = BUY.parts(choice)
            values.append(leads[axis][concession] - _PRICE)
        else:
            one = leads[COLUMNS][0] + _placement(s, lines, first, choice)
            two = leads[COLUMNS][1] + _placement(s, lines, second, choice)
            values.append(-max(abs(one), abs(two)))
    return values


def _placement(s: AtacamaState, lines: _LineForecast, weights: list[list[float]], choice: int) -> float:
    """Return the change of the weighted sum of all roles by a placement.

    Only the lines through the rig, and through the fields that it blocks, change.

    Args:
        s: The state before the placement.
        lines: The lines before the placement.
        weights: Per axis and concession, the weight of the role.
        choice: The placement.

    Returns:
        The change in points.
    """
    field, rig = PLACE.parts(choice)
    lost: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for closed in CLOSED[field]:
        if lines.open[closed]:
            row, column = divmod(closed, SIDE)
            lost[COLUMNS][column] = lost[COLUMNS].get(column, 0) + 1
            lost[ROWS][row] = lost[ROWS].get(row, 0) + 1
    own = (field % SIDE, field // SIDE)
    points = s.amount[field] * s.components.factor[rig]
    total = 0.0
    for axis in (COLUMNS, ROWS):
        rigs, room, worth, weight = lines.rigs[axis], lines.room[axis], lines.worth[axis], weights[axis]
        for line, fewer in lost[axis].items():
            before = lines.chance(rigs[line], room[line])
            if line == own[axis]:
                after = lines.chance(rigs[line] + 1, room[line] - fewer)
                for concession, signs in enumerate(s.components.multiplier):
                    new = worth[line][concession] + points * signs[s.ore[field]]
                    total += weight[concession] * (after * new - before * worth[line][concession])
            else:
                change = lines.chance(rigs[line], room[line] - fewer) - before
                total += change * sum(w * each for w, each in zip(weight, worth[line], strict=True))
    return total
