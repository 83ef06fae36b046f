"""Scoring of Raiatea (RA-9): rank, rituals, tasks, mask pairs. Pure functions of the state."""

from __future__ import annotations

from typing import Any

from atoll.engine import ScoreLine, ScorePart, rank

from .components import CATEGORIES, PER_ASSISTANT, PER_TASK
from .kinds import ASSISTANT, FORBIDDEN
from .state import RaiateaState


def rank_points(s: RaiateaState, seat: int) -> int:
    """Return the points of the current rank alone. Rule RA-9.2, ruling R88."""
    return s.components.rank_vp[s.rank(seat)]


def ritual_points(s: RaiateaState, seat: int) -> int:
    """Return the points on the permanent rituals in front. Rule RA-9.3, ruling R89."""
    return sum(s.components.ritual_vp[card] for card in s.permanents[seat])


def task_points(s: RaiateaState, seat: int) -> int:
    """Return the points of the completed tasks, 1 to 3 each. Rule RA-9.4."""
    return sum(s.components.task_vp[task] for task in s.tasks_done[seat])


def all_pairs(s: RaiateaState, seat: int) -> list[int]:
    """Return the gods of all own pairs, natural ones and those with a mirror."""
    return sorted(s.pairs[seat] + s.mirrored[seat])


def colours(s: RaiateaState, seat: int) -> int:
    """Return the number of colors among the own pairs."""
    return len({s.components.god_colour[god] for god in all_pairs(s, seat)})


def counted(s: RaiateaState, seat: int, god: int) -> int:
    """Count the things that a pair of this god scores: tasks, assistants or colors of pairs.

    Rule RA-9.5, ruling R90.

    Args:
        s: The state.
        seat: The seat concerned.
        god: The god.

    Returns:
        The count.
    """
    components = s.components
    family = components.god_family[god]
    if family == PER_TASK:
        return sum(components.task_category[task] == components.god_counts[god] for task in s.tasks_done[seat])
    if family == PER_ASSISTANT:
        return s.assistants(seat, components.god_counts[god])
    return colours(s, seat)


def pair_points(s: RaiateaState, seat: int, god: int) -> int:
    """Return the points of a pair of this god; each pair scores once. Rule RA-9.5.

    Args:
        s: The state.
        seat: The seat concerned.
        god: The god.
    """
    return min(s.components.god_max[god], s.components.god_vp[god] * counted(s, seat, god))


def pair_part(s: RaiateaState, seat: int, god: int) -> ScorePart:
    """Return a pair with its points, in words that say what it counts.

    Args:
        s: The state.
        seat: The seat concerned.
        god: The god.
    """
    components = s.components
    family = components.god_family[god]
    if family == PER_TASK:
        what = CATEGORIES[components.god_counts[god]]
    elif family == PER_ASSISTANT:
        what = ASSISTANT.label(components.god_counts[god])
    else:
        what = "colour"
    return ScorePart(f"pair.{what}", pair_points(s, seat, god), {"mask": god, "n": counted(s, seat, god)})


def score(s: RaiateaState, seat: int) -> int:
    """Return the sum of the four parts; everything else counts nothing. Rule RA-9.1."""
    total = rank_points(s, seat) + task_points(s, seat)
    if s.permanents[seat]:
        total += ritual_points(s, seat)
    if s.pairs[seat] or s.mirrored[seat]:
        total += sum(pair_points(s, seat, god) for god in all_pairs(s, seat))
    return total


def ranking(s: RaiateaState) -> list[int]:
    """Return the places by points, ties broken by favor; no place is shared.

    Rule RA-9.7, ruling R92.
    """
    return rank([(score(s, seat), -s.favour.index(seat)) for seat in range(s.seats)])


def explain(s: RaiateaState, seat: int) -> list[ScoreLine]:
    """Return the four parts with every card and tile that counts."""
    components = s.components
    lines = [ScoreLine("rank", rank_points(s, seat), {"rank": s.rank(seat)}, rule="end")]
    scoring = [card for card in s.permanents[seat] if components.ritual_vp[card]]
    if scoring:
        parts = tuple(ScorePart("ritual", components.ritual_vp[card], {"ritual": card}) for card in scoring)
        lines.append(ScoreLine("rituals", ritual_points(s, seat), {"n": len(parts)}, parts, rule="end"))
    if s.tasks_done[seat]:
        parts = tuple(ScorePart("task", components.task_vp[task], {"task": task}) for task in s.tasks_done[seat])
        lines.append(ScoreLine("tasks", task_points(s, seat), {"n": len(parts)}, parts, rule="end"))
    gods = all_pairs(s, seat)
    if gods:
        parts = tuple(pair_part(s, seat, god) for god in gods)
        lines.append(ScoreLine("masks", sum(part.points for part in parts), {"n": len(parts)}, parts, rule="end"))
    return lines


def public_rituals(s: RaiateaState, seat: int) -> list[int]:
    """Return the numbers of normal and forbidden rituals that everybody knows the seat to have.

    Rule RA-11.2, ruling R101.
    """
    cards = s.hands[seat] + s.bag[seat]
    forbidden = sum(s.components.ritual_deck[card] == FORBIDDEN for card in cards)
    return [len(cards) - forbidden, forbidden]


def live(s: RaiateaState, viewer: int | None) -> dict[str, Any]:
    """Return the derived facts that the viewer may know, in addition to the fields of the state.

    Args:
        s: The state.
        viewer: The seat that views; None for a spectator.

    Returns:
        `{"rituals": [seat][normal, forbidden], "goods": [seat] numbers, "ranks": [seat], "scores":
        [seat]}`. Scores are those of the current state; None for other seats until the end.
    """
    seats = range(s.seats)
    return {
        "rituals": [public_rituals(s, seat) for seat in seats],
        "goods": [s.goods_count(seat) for seat in seats],
        "ranks": [s.rank(seat) for seat in seats],
        "scores": [score(s, seat) if s.over or seat == viewer else None for seat in seats],
    }
