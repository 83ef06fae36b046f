"""§ Spielende: what the lines are worth. Pure functions of the table."""

from __future__ import annotations

from typing import Any, Final

from atoll.engine import Line, Part

from .kinds import AXIS, COLUMNS, CONCESSION, DOUBLE, ROWS, SIDE
from .state import NO_RIG, NO_ROLE, AtacamaState

LINES: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    tuple(tuple(row * SIDE + column for row in range(SIDE)) for column in range(SIDE)),
    tuple(tuple(row * SIDE + column for column in range(SIDE)) for row in range(SIDE)),
)
"""Per axis (columns, rows) the fields of its nine lines."""


def rig_worth(s: AtacamaState, field: int, concession: int) -> int:
    """§ Spielende, § Taktikvariante. Amount x sign of the ore x factor of the rig standing there."""
    worth: int = s.amount[field] * s.box.multiplier[concession][s.ore[field]] * s.box.factor[s.rigs[field]]
    return worth


def rigs_in(s: AtacamaState, axis: int, line: int) -> list[int]:
    """The fields of a line with a rig on them."""
    return [field for field in LINES[axis][line] if s.rigs[field] != NO_RIG]


def line_worth(s: AtacamaState, axis: int, line: int, concession: int) -> int:
    """What a line would be worth if it counted: the sum over its rigs."""
    return sum(rig_worth(s, field, concession) for field in rigs_in(s, axis, line))


def score(s: AtacamaState, seat: int) -> int:
    """§ Spielende. The sum of the seat's lines with enough rigs (R4, R5), also if negative; 0 without a role."""
    axis, concession = s.axis[seat], s.concession[seat]
    if axis == NO_ROLE:
        return 0
    return role_score(s, axis, concession)


def role_score(s: AtacamaState, axis: int, concession: int) -> int:
    """What a role scores as the table lies."""
    total = 0
    for line in range(SIDE):
        if len(rigs_in(s, axis, line)) >= s.box.line_minimum:
            total += line_worth(s, axis, line, concession)
    return total


def explain(s: AtacamaState, seat: int) -> list[Line]:
    """Every counting line of a seat with its rigs: ore, amount, sign and doubling."""
    axis, concession = s.axis[seat], s.concession[seat]
    if axis == NO_ROLE:
        return []
    lines = []
    for line in range(SIDE):
        fields = rigs_in(s, axis, line)
        if len(fields) < s.box.line_minimum:
            continue
        parts = tuple(
            Part(
                "double_rig" if s.rigs[field] == DOUBLE else "rig",
                rig_worth(s, field, concession),
                {"field": field, "ore": s.ore[field], "amount": s.amount[field], "factor": s.box.factor[s.rigs[field]]},
            )
            for field in fields
        )
        points = sum(part.points for part in parts)
        key = "column" if axis == COLUMNS else "row"
        lines.append(Line(key, points, {"line": line + 1, "n": len(fields)}, parts, rule="end"))
    return lines


def live(s: AtacamaState) -> dict[str, Any]:
    """Per axis and line: number of rigs and its worth per concession; the worth of each role; the scores now.

    {"rigs": [axis][line], "worth": [axis][line][concession], "roles": [axis][concession], "scores": [seat]}
    """
    rigs = [[0] * SIDE for _ in range(AXIS.size)]
    worth = [[[0] * CONCESSION.size for _ in range(SIDE)] for _ in range(AXIS.size)]
    amount, ore, factor = s.amount, s.ore, s.box.factor
    per_ore = tuple(zip(*s.box.multiplier, strict=True))
    for field, rig in enumerate(s.rigs):
        if rig == NO_RIG:
            continue
        row, column = divmod(field, SIDE)
        rigs[COLUMNS][column] += 1
        rigs[ROWS][row] += 1
        in_column, in_row = worth[COLUMNS][column], worth[ROWS][row]
        most = amount[field] * factor[rig]
        for concession, multiplier in enumerate(per_ore[ore[field]]):
            points = most * multiplier
            in_column[concession] += points
            in_row[concession] += points
    roles = [[0] * CONCESSION.size for _ in range(AXIS.size)]
    for axis in range(AXIS.size):
        for line in range(SIDE):
            if rigs[axis][line] >= s.box.line_minimum:
                for concession in range(CONCESSION.size):
                    roles[axis][concession] += worth[axis][line][concession]
    scores = [0 if axis == NO_ROLE else roles[axis][c] for axis, c in zip(s.axis, s.concession, strict=True)]
    return {"rigs": rigs, "worth": worth, "roles": roles, "scores": scores}
