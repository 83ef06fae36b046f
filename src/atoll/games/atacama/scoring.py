"""The worth of lines and roles (AC-3.4): pure functions of the state."""

from __future__ import annotations

from typing import Any, Final

from atoll.engine import ScoreLine, ScorePart

from .kinds import COLUMNS, DOUBLE, SIDE
from .state import NO_RIG, NO_ROLE, AtacamaState

LINES: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    tuple(tuple(row * SIDE + column for row in range(SIDE)) for column in range(SIDE)),
    tuple(tuple(row * SIDE + column for column in range(SIDE)) for row in range(SIDE)),
)
"""Per axis, columns and rows, the fields of its nine lines."""

_LINES_OF: Final = tuple((field % SIDE, SIDE + field // SIDE) for field in range(SIDE * SIDE))
"""Per field, its two lines: its column from 0 to 8, and its row from 9 to 17."""


def rig_worth(s: AtacamaState, field: int, concession: int) -> int:
    """Return amount x sign of the ore x factor of the rig on a field.

    Rules AC-1.3, AC-3.4 and AC-5.2, ruling R2.

    Args:
        s: The state.
        field: A field with a rig.
        concession: The concession that determines the sign.
    """
    return s.amount[field] * s.components.multiplier[concession][s.ore[field]] * s.components.factor[s.rigs[field]]


def rigs_in(s: AtacamaState, axis: int, line: int) -> list[int]:
    """Return the fields of a line that have a rig.

    Args:
        s: The state.
        axis: COLUMNS or ROWS.
        line: The number of the line, 0 to 8.
    """
    return [field for field in LINES[axis][line] if s.rigs[field] != NO_RIG]


def line_worth(s: AtacamaState, axis: int, line: int, concession: int) -> int:
    """Return the sum over the rigs of a line, whether or not the line counts.

    Rule AC-3.4.

    Args:
        s: The state.
        axis: COLUMNS or ROWS.
        line: The number of the line, 0 to 8.
        concession: The concession that determines the signs.
    """
    return sum(rig_worth(s, field, concession) for field in rigs_in(s, axis, line))


def score(s: AtacamaState, seat: int) -> int:
    """Return the sum of the seat's lines with enough rigs, which may be negative.

    A seat without a role has 0 points.
    Rule AC-3.4, rulings R4 and R5.
    """
    axis, concession = s.axis[seat], s.concession[seat]
    if axis == NO_ROLE:
        return 0
    return role_score(s, axis, concession)


def role_score(s: AtacamaState, axis: int, concession: int) -> int:
    """Return the score of a role in this state.

    Rule AC-3.4.

    Args:
        s: The state.
        axis: COLUMNS or ROWS.
        concession: The concession.
    """
    total = 0
    for line in range(SIDE):
        if len(rigs_in(s, axis, line)) >= s.components.line_minimum:
            total += line_worth(s, axis, line, concession)
    return total


def explain(s: AtacamaState, seat: int) -> list[ScoreLine]:
    """Return every counting line of a seat, with ore, amount, sign and factor of each rig.

    Rule AC-3.4.
    """
    axis, concession = s.axis[seat], s.concession[seat]
    if axis == NO_ROLE:
        return []
    lines = []
    for line in range(SIDE):
        fields = rigs_in(s, axis, line)
        if len(fields) < s.components.line_minimum:
            continue
        parts = tuple(
            ScorePart(
                "double_rig" if s.rigs[field] == DOUBLE else "rig",
                rig_worth(s, field, concession),
                {
                    "field": field,
                    "ore": s.ore[field],
                    "amount": s.amount[field],
                    "factor": s.components.factor[s.rigs[field]],
                },
            )
            for field in fields
        )
        points = sum(part.points for part in parts)
        key = "column" if axis == COLUMNS else "row"
        lines.append(ScoreLine(key, points, {"line": line + 1, "n": len(fields)}, parts, rule="end"))
    return lines


def live(s: AtacamaState) -> dict[str, Any]:
    """Return the facts that all viewers can compute.

    Args:
        s: The state.

    Returns:
        `rigs` by axis and line; `worth` by axis, line and concession; `roles`, the score of each
        role by axis and concession; and `scores` by seat, as if the game ended now.
    """
    factor, least = s.components.factor, s.components.line_minimum
    turquoise, orange = s.components.multiplier
    amount, ore = s.amount, s.ore
    rigs = [0] * (2 * SIDE)
    in_turquoise = [0] * (2 * SIDE)
    in_orange = [0] * (2 * SIDE)
    for field, rig in enumerate(s.rigs):
        if rig == NO_RIG:
            continue
        kind = ore[field]
        most = amount[field] * factor[rig]
        first, second = most * turquoise[kind], most * orange[kind]
        for line in _LINES_OF[field]:
            rigs[line] += 1
            in_turquoise[line] += first
            in_orange[line] += second
    roles = [[0, 0], [0, 0]]
    for line, count in enumerate(rigs):
        if count >= least:
            role = roles[line // SIDE]
            role[0] += in_turquoise[line]
            role[1] += in_orange[line]
    scores = [0 if axis == NO_ROLE else roles[axis][c] for axis, c in zip(s.axis, s.concession, strict=True)]
    worth = [[first, second] for first, second in zip(in_turquoise, in_orange, strict=True)]
    return {
        "rigs": [rigs[:SIDE], rigs[SIDE:]],
        "worth": [worth[:SIDE], worth[SIDE:]],
        "roles": roles,
        "scores": scores,
    }
