"""Majorities and points (AL-5.2, AL-6.1, AL-7.2): pure functions of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atoll.engine import ScoreLine, ScorePart

from .components import DONATION, INVENTORY_ALL
from .kinds import AREAS, DISTRICTS, KINDS
from .state import USED_UP, AtlandiceState


def majority(counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the holders in first place and those in second place; each has at least one.

    A tie for first place leaves no second place. Several holders may share the second place.
    Rule AL-5.2, rulings R23 and R24.
    """
    first = most(counts)
    if len(first) != 1:
        return first, []
    second = sorted(counts)[-2]
    if not second:
        return first, []
    return first, [holder for holder, count in enumerate(counts) if count == second]


def most(counts: Sequence[int]) -> list[int]:
    """Return all holders with the most, if that is at least 1.

    Rules AL-5.2 and AL-6.1, ruling R40.
    """
    highest = max(counts)
    return [holder for holder, count in enumerate(counts) if count == highest] if highest else []


def held(s: AtlandiceState, kind: int) -> list[int]:
    """Return the resources of a kind per holder."""
    return [hold[kind] for hold in s.holds]


def held_for_space(s: AtlandiceState, space: int) -> list[int]:
    """Return the resources per holder that an inventory space counts. Rule AL-6.1."""
    if space == INVENTORY_ALL:
        return [sum(hold) for hold in s.holds]
    return held(s, space)


def shares(counts: Sequence[int], first: int, second: int) -> list[int]:
    """Return the points of each holder for a majority.

    Args:
        counts: Per holder, the resources.
        first: Points for the most.
        second: Points for the second most.
    """
    points = [0] * len(counts)
    firsts, seconds = majority(counts)
    for holder in firsts:
        points[holder] = first
    for holder in seconds:
        points[holder] = second
    return points


def final_shares(s: AtlandiceState, kind: int) -> list[int]:
    """Return the points of each holder for a kind in the final scoring. Rule AL-7.2."""
    return shares(held(s, kind), s.components.final_first, s.components.final_second)


def points_so_far(s: AtlandiceState, holder: int) -> int:
    """Return the points of a holder's tiles and tokens, without the final scoring.

    Rule AL-7.2.
    """
    components = s.components
    total = (
        len(s.won[holder]) * components.tile_points
        + sum(s.ties[holder]) * components.first
        + sum(s.seconds[holder]) * components.second
    )
    total += sum(s.inventories[holder]) * components.inventory + s.donations[holder] * components.donation_points
    return int(total)


def scores(s: AtlandiceState) -> list[int]:
    """Return all points of each holder, as if the game ended now.

    The neutral player is included.
    Rule AL-7.2.
    """
    totals = [points_so_far(s, holder) for holder in range(len(s.holds))]
    for kind in range(KINDS):
        for holder, points in enumerate(final_shares(s, kind)):
            totals[holder] += points
    return totals


def explain(s: AtlandiceState, holder: int) -> list[ScoreLine]:
    """Return a holder's points by source, each with its parts."""
    components = s.components
    tiles = [ScorePart("tile", components.tile_points, {"tile": tile}) for tile in s.won[holder]]
    lines = [_line("tiles", "empty_district", tiles)]
    lines.append(_line("ties", "empty_district", _per_kind("kind", s.ties[holder], components.first)))
    lines.append(_line("seconds", "empty_district", _per_kind("kind", s.seconds[holder], components.second)))
    inventories = _per_kind("kind", s.inventories[holder][:KINDS], components.inventory)
    count = s.inventories[holder][INVENTORY_ALL]
    if count:
        inventories.append(ScorePart("all_kinds", count * components.inventory, {"n": count}))
    lines.append(_line("inventories", "inventory", inventories))
    if s.donations[holder]:
        fields = {"n": s.donations[holder], "cost": components.donation_cost}
        lines.append(ScoreLine("donations", s.donations[holder] * components.donation_points, fields, rule="donation"))
    finals = []
    for kind in range(KINDS):
        points = final_shares(s, kind)[holder]
        if points:
            fields = {"resource": kind, "amount": s.holds[holder][kind]}
            finals.append(ScorePart(_final_place(s, kind, holder), points, fields))
    lines.append(_line("final", "end", finals))
    return [line for line in lines if line.points]


def _final_place(s: AtlandiceState, kind: int, holder: int) -> str:
    """Return the place that brings a holder points at the end: first or second, alone or tied."""
    firsts, seconds = majority(held(s, kind))
    place, tied = ("first", firsts) if holder in firsts else ("second", seconds)
    return f"held_{place}" if len(tied) == 1 else f"held_{place}_tied"


def _line(key: str, rule: str, parts: Sequence[ScorePart]) -> ScoreLine:
    return ScoreLine(key, sum(part.points for part in parts), {"n": len(parts)}, tuple(parts), rule=rule)


def _per_kind(key: str, counts: Sequence[int], worth: int) -> list[ScorePart]:
    return [
        ScorePart(key, count * worth, {"resource": kind, "n": count})
        for kind, count in enumerate(counts)
        if count * worth
    ]


def live(s: AtlandiceState) -> dict[str, Any]:
    """Return the facts that all viewers can compute.

    Args:
        s: The state.

    Returns:
        `scores`, per holder as if the game ended now; `points`, per holder without the final
        scoring; `stakes`, by kind and holder the points if its district were scored now (zeros if
        used up); `leaders`, by kind the holders with the most; `left`, `dice` and `hands`, by area
        the resources, dice and clock hands there; `stop`, by area the space where the hand would
        stop if the last die stayed there; `inventories`, by space of the clock the holders that
        would win its inventory; and `picks`, by seat the dice that it has still to take in this
        round.
    """
    components = s.components
    stakes = [
        [0] * len(s.holds)
        if s.open_tile[kind] == USED_UP
        else shares(held(s, kind), components.first, components.second)
        for kind in range(KINDS)
    ]
    holders = range(len(s.holds))
    end = len(components.spaces) - 1
    hands = [s.hands(area) for area in range(AREAS)]
    picks = components.allotment[s.seats].picks
    winners = {space: most(held_for_space(s, space)) for space in range(DONATION)}
    return {
        "scores": scores(s),
        "points": [points_so_far(s, holder) for holder in holders],
        "stakes": stakes,
        "leaders": [winners[kind] for kind in range(KINDS)],
        "left": [sum(s.stock[area]) for area in range(AREAS)],
        "dice": list(s.dice_by_area()),
        "hands": hands,
        "stop": [min(s.clock + count, end) for count in hands],
        "inventories": [winners.get(space, []) for space in components.spaces],
        "picks": [picks - s.taken[seat] - s.handed[seat] for seat in range(s.seats)],
    }


def used_up(s: AtlandiceState) -> list[int]:
    """Return the districts whose last tile was scored."""
    return [district for district in range(DISTRICTS) if s.open_tile[district] == USED_UP]


def hands_of_last_die(s: AtlandiceState) -> tuple[int, int]:
    """Return the area of the last die, and the clock hands there. Rule AL-3.6, ruling R31."""
    area = s.area_of(s.dice.index(1))
    return area, s.hands(area)
