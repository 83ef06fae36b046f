"""Visits: the places a worker may go to, their actions and their fields (WU-3.9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import compress
from typing import TypeAlias

from atoll.engine import Kind

from .components import DRAW_VENGEANCE, Action, Board, Effect
from .effects import TESTS, VerbTest, always, is_possible, priced
from .kinds import CROWD_IN, LOYAL, OWN_PLACE, PLACES, RESOURCES, ROUND_PLACE, VILLAGE, VISIT, WORKER_TYPES
from .prices import can_hire_on_visit
from .state import WutakiState, masterboard, round_card

# -- what can be visited ---------------------------------------------------------------------------


def visit_options(s: WutakiState, seat: int) -> list[int]:
    """Return the legal visits: types of available workers with places.

    A place needs a free field and a possible action.
    Rule WU-3.9, ruling R10.
    """
    free, hand = s.free, s.omens[seat]
    supply = [*s.supply, 1]  # The last one is for places that need nothing.
    legal: list[int] = []
    for kind, would, effect, choice in compress(place_tests(s.components.boards[s.side]), free):
        if supply[kind] if would is None else would(s, seat, effect, hand):
            legal.append(choice)
    if free[ROUND_PLACE] and is_possible(s, seat, s.components.in_round[s.round_card].action, hand):
        legal.append(VISIT.first + ROUND_PLACE)
    return _by_worker(s, seat, VISIT, legal, free[OWN_PLACE + seat] > 0)


def crowd_in_options(s: WutakiState, seat: int) -> list[int]:
    """Return the visits by crowding in: places with a field on which one worker stands.

    Rule WU-9.6.
    """
    taken = [place for place in range(ROUND_PLACE + 1) if taken_fields(s, place)]
    legal = [place for place in taken if can_visit(s, seat, place)]
    return _by_worker(s, seat, CROWD_IN, CROWD_IN.all_choices(legal), bool(taken_fields(s, OWN_PLACE + seat)))


def can_visit(s: WutakiState, seat: int, place: int) -> bool:
    """Return whether a visitor could carry out the action of a place, masterboards excluded.

    Rule WU-3.9, ruling R10.

    Args:
        s: The state.
        seat: The visitor.
        place: A place of the main board or of the round card.
    """
    action = action_at(s, seat, place)
    if place == VILLAGE:
        return would_visit_village(s, seat, action.first, s.omens[seat])
    return is_possible(s, seat, action, s.omens[seat])


def would_visit_village(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether a visitor of the village can hire, after the bonuses of its own markers.

    Rules WU-3.9 and WU-5.2, ruling R12.

    Args:
        s: The state.
        seat: The visitor.
        effect: The effect of the village.
        hand: The omens in hand, which don't matter here.
    """
    return can_hire_on_visit(s, seat, effect.discount, effect.free)


def _by_worker(s: WutakiState, seat: int, kind: Kind, loyal: Sequence[int], own_open: bool) -> list[int]:
    """Return the choices of all types of workers at home, given those of a loyal one.

    A field of the own masterboard's place may do for additional workers and not for loyal ones.
    Rule WU-9.3, ruling R73.
    """
    options: list[int] = []
    for worker, n in enumerate(s.home[seat]):
        if n:
            further = worker * len(PLACES)
            if not further:
                options += loyal
            else:
                for choice in loyal:
                    options.append(choice + further)
            if own_open and is_possible(s, seat, action_at(s, seat, OWN_PLACE), s.omens[seat], worker != LOYAL):
                options.append(kind.first + further + OWN_PLACE)
    return options


Tests: TypeAlias = tuple[tuple[int, VerbTest | None, Effect, int], ...]
"""Per place the condition of its action as (kind, test, effect, visit).

The supply must have a token of the kind (the one after the last: nothing), or the test of the
effect must hold.
"""


@cache
def place_tests(printed: Board) -> Tests:
    """Return the places of the main board with their conditions and the visit of a loyal worker."""
    found: list[tuple[int, VerbTest | None, Effect, int]] = []
    for index, place in enumerate(printed.places):
        would = would_visit_village if index == VILLAGE else test_of(place.action)
        # For a kind, `would_yield` is the test.
        kind = place.kind if place.kind >= 0 else len(RESOURCES)
        tested = None if place.kind >= 0 or would is always else would
        found.append((kind, tested, place.action.first, VISIT.choice(LOYAL, index)))
    return tuple(found)


def test_of(action: Action) -> VerbTest:
    """Return the test whether an action is possible.

    It is `always`, that of its first effect, or one with its price.
    """
    if is_always_possible(action):
        return always
    return TESTS[action.first.verb] if action.cost.is_free else priced(action)


def is_always_possible(action: Action) -> bool:
    """Return whether the action is always possible.

    It has no cost, and an effect, or one of those to choose from, that always acts.
    """
    first = action.first
    return action.cost.is_free and (TESTS[first.verb] is always or any(map(is_always_possible, first.options)))


# -- actions of places -----------------------------------------------------------------------------


def action_at(s: WutakiState, seat: int, place: int) -> Action:
    """Return the action of a place as it is for a seat now.

    Args:
        s: The state.
        seat: The seat concerned.
        place: The place.
    """
    if place < ROUND_PLACE:
        return s.components.boards[s.side].places[place].action
    if place == ROUND_PLACE:
        return round_card(s).action
    own = masterboard(s, seat).own_place
    assert own is not None
    return own


def effects_at(s: WutakiState, place: int, action: Action) -> Sequence[Effect]:
    """Return the effects of an execution.

    The place's own vengeance card is missing if the round says so.
    Rule WU-3.11.

    Args:
        s: The state.
        place: The place.
        action: The action.
    """
    if place < ROUND_PLACE and s.components.in_round[s.round_card].quiet[place]:
        return [effect for effect in action.effects if effect.verb != DRAW_VENGEANCE]
    return action.effects


# -- fields ----------------------------------------------------------------------------------------


def taken_fields(s: WutakiState, spot: int) -> list[int]:
    """Return the fields with one worker, the leftmost for each different worker.

    Nothing else distinguishes fields.
    """
    fields = s.fields[spot]
    shared = s.guest[1] if s.guest[:1] == [spot] else -1
    seen: list[int] = []
    found = []
    for field, who in enumerate(fields):
        if who >= 0 and who not in seen and field != shared:
            seen.append(who)
            found.append(field)
    return found


def take_free_field(s: WutakiState, seat: int) -> None:
    """Put the placed worker on the leftmost free field of its place. Rule WU-3.5."""
    fields = s.fields[s.spot]
    fields[fields.index(-1)] = seat * WORKER_TYPES + s.worker
    s.free[s.spot] -= 1
