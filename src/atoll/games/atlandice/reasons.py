"""The explanations of why a choice isn't legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from atoll.engine import NO_AMOUNT, ExplainContext, Explainers, Reason, unless

from .clock import donated
from .components import AtlandiceComponents
from .effects import Gain, Move, Step, Swap, steps_of
from .kinds import (
    DECLINE,
    DONATE,
    GAIN,
    KINDS,
    MOVE,
    MOVE_SUBMARINE,
    SEARCH,
    SEARCH_NEUTRAL,
    SET_DIE,
    SWAP,
    TAKE,
    TAKE_EXTRA,
    VOCABULARY,
)
from .search import has_neutral, is_last_die, kinds_at, may_decline, may_hand_over
from .state import AtlandiceState
from .tile_effects import areas_of, move_areas

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="search")


@EXPLAINERS.of(SEARCH, SEARCH_NEUTRAL)
def searching(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why an area can't be searched: no die is there, or not for this recipient.

    Rules AL-3.3 and AL-8.1.
    """
    s = seen.s
    if not seen.asks(SEARCH, SEARCH_NEUTRAL):
        return None
    area = SEARCH.part(choice) if choice in SEARCH else SEARCH_NEUTRAL.part(choice)
    found = _used_up(seen, area) or _no_die(seen, area)
    if found is not None:
        return found
    if choice in SEARCH:
        return unless(not (may_hand_over(s) and is_last_die(s)), "must_hand_over", "neutral")
    return unless(has_neutral(s), "no_neutral", "neutral") or unless(may_hand_over(s), "handed", "neutral")


@EXPLAINERS.of(TAKE, TAKE_EXTRA)
def taking(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return that such a resource isn't in the searched area. Rules AL-3.4 and AL-3.5."""
    kind = TAKE if choice in TAKE else TAKE_EXTRA
    return _not_there(seen, seen.s.here, kind.part(choice)) if seen.asks(kind) else None


@EXPLAINERS.of(DECLINE)
def declining(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return that only an extra resource may be declined, never for the neutral player.

    Rules AL-3.5 and AL-4.3, rulings R9 and R33.
    """
    optional = seen.asks(TAKE_EXTRA, GAIN) and may_decline(seen.s)
    return unless(optional, "compulsory", seen.view["decision"]["rule"])


@EXPLAINERS.of(GAIN)
def gaining(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why a resource can't be gained from an area. Rule AL-4.3."""
    if not seen.asks(GAIN):
        return None
    s = seen.s
    area, kind = GAIN.parts(choice)
    sources = [areas_of(s, step.source, s.here) for step in steps_of(_effect(s), Gain)]
    return _not_there(seen, area, kind) or _out_of_reach(seen, area, sources)


@EXPLAINERS.of(MOVE)
def moving(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why a resource can't be moved to an area. Rule AL-4.4."""
    if not seen.asks(MOVE):
        return None
    s = seen.s
    kind, area = MOVE.parts(choice)
    sources, targets = zip(*[move_areas(s, step) for step in steps_of(_effect(s), Move)], strict=True)
    is_there = any(kind in kinds_at(s.stock[source]) for source in sources)
    return unless(is_there, "not_at_source", "effect", resource=kind) or _out_of_reach(seen, area, targets)


@EXPLAINERS.of(SWAP)
def swapping(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why two resources can't be exchanged. Rule AL-4.5."""
    if not seen.asks(SWAP):
        return None
    s = seen.s
    kind, area, other = SWAP.parts(choice)
    partners = [areas_of(s, step.b, s.here) for step in steps_of(_effect(s), Swap)]
    return _not_there(seen, s.here, kind) or _not_there(seen, area, other) or _out_of_reach(seen, area, partners)


@EXPLAINERS.of(SET_DIE)
def setting_a_die(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return that no die is at the gate of the area. Rule AL-4.7."""
    area, _ = SET_DIE.parts(choice)
    return _no_die(seen, area) if seen.asks(SET_DIE) else None


@EXPLAINERS.of(MOVE_SUBMARINE)
def moving_the_submarine(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why the submarine can't move to an area. Rule AL-4.8."""
    area = MOVE_SUBMARINE.part(choice)
    if not seen.asks(MOVE_SUBMARINE):
        return None
    return _used_up(seen, area) or unless(area != seen.s.submarine, "submarine_there", "submarine", area=area)


@EXPLAINERS.of(DONATE)
def donating(seen: ExplainContext[AtlandiceState, AtlandiceComponents], choice: int) -> Reason | None:
    """Return why an amount can't be donated: too few resources, or no total paid in full.

    Rule AL-6.2.
    """
    if seen.prompt != "donate":
        return None
    hold, cost = seen.s.holds[seen.seat], seen.placeholders["n"]
    kind, amount = DONATE.parts(choice)
    settled = [NO_AMOUNT] * KINDS
    for each, given in map(DONATE.parts, seen.picked):
        settled[each] = given
    return (
        unless(settled[kind] == NO_AMOUNT, "amount_chosen", "donation", resource=kind)
        or unless(amount <= hold[kind], "too_few", "donation", resource=kind, held=hold[kind])
        or unless(amount in donated(hold, cost, kind, settled), "not_whole", "donation", n=cost)
    )


def _used_up(seen: ExplainContext[AtlandiceState, AtlandiceComponents], area: int) -> Reason | None:
    return unless(not seen.s.is_used_up(area), "used_up", "used_up", area=area)


def _no_die(seen: ExplainContext[AtlandiceState, AtlandiceComponents], area: int) -> Reason | None:
    return unless(seen.s.dice_at(area), "no_die", "search", area=area)


def _not_there(seen: ExplainContext[AtlandiceState, AtlandiceComponents], area: int, kind: int) -> Reason | None:
    return unless(kind in kinds_at(seen.s.stock[area]), "not_there", "search", resource=kind, area=area)


def _effect(s: AtlandiceState) -> Sequence[Step]:
    """Return the effect that is running.

    A printed tile has each verb at most once. If other components have a verb twice, either step
    may be the one that asks.
    """
    return s.components.effects[s.open_tile[s.here]]


def _out_of_reach(
    seen: ExplainContext[AtlandiceState, AtlandiceComponents], area: int, reached: Iterable[Sequence[int]]
) -> Reason | None:
    """Return why no step of the effect can use an area.

    Args:
        seen: The state and the decision of a seat.
        area: The area.
        reached: Per step, the areas that it can use.
    """
    key = "searched_now" if area == seen.s.here else "wrong_area"
    return _used_up(seen, area) or unless(any(area in areas for areas in reached), key, "effect", area=area)
