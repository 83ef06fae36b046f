"""§ Orte und Besuchsfelder: where a worker may go, what it does there, and the fields that it finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from atoll.engine import Kind

from .components import DRAW_VENGEANCE, Action, Board, Box, Effect
from .kinds import CROWD_IN, LOYAL, OWN_PLACE, PLACES, RESOURCES, ROUND_PLACE, VISIT
from .state import WutakiState, masterboard, round_card
from .verbs import TESTS, VerbTest, always, is_possible, priced

# -- what can be visited ----------------------------------------------------------------------------------------------


def visit_options(s: WutakiState, seat: int) -> list[int]:
    """§ Legal visit. Each type of worker at home to each place with a free field and a possible action (R10)."""
    fields, hand = s.fields, s.omens[seat]
    supply = [*s.supply, 1]  # the last is for places that need nothing
    legal: list[int] = []
    giving, doing = place_tests(s.box.boards[s.side])
    for place, kind, choice in giving:
        if supply[kind] and -1 in fields[place]:
            legal.append(choice)
    for place, would, effect, choice in doing:
        if -1 in fields[place] and would(s, seat, effect, hand):
            legal.append(choice)
    if -1 in fields[ROUND_PLACE] and is_possible(s, seat, s.box.in_round[s.round_card].action, hand):
        legal.append(VISIT.first + ROUND_PLACE)
    legal.sort()
    return _by_worker(s, seat, VISIT, legal, -1 in fields[OWN_PLACE + seat])


def crowd_in_options(s: WutakiState, seat: int) -> list[int]:
    """The same for crowding in: places with a field on which one worker stands."""
    hand = s.omens[seat]
    taken = [place for place in range(ROUND_PLACE + 1) if taken_fields(s, place)]
    legal = [place for place in taken if is_possible(s, seat, action_at(s, seat, place), hand)]
    return _by_worker(s, seat, CROWD_IN, CROWD_IN.each(legal), bool(taken_fields(s, OWN_PLACE + seat)))


def _by_worker(s: WutakiState, seat: int, kind: Kind, loyal: Sequence[int], own_open: bool) -> list[int]:
    """The choices of all types of workers at home, where those of a loyal one are given.

    If the place of the own masterboard has a field, it may do for additional workers and not for loyal ones (R73).
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


Giving: TypeAlias = tuple[tuple[int, int, int], ...]
"""(place, kind, visit): places that yield tokens of a kind, or the one after the last if they need nothing."""
Doing: TypeAlias = tuple[tuple[int, VerbTest, Effect, int], ...]
"""(place, test, effect, visit): the others, with the test whether the action is possible and the effect it looks at."""


@cache
def place_tests(printed: Board) -> tuple[Giving, Doing]:
    """The places of the main board by what their actions need, each with the visit of a loyal worker."""
    giving: list[tuple[int, int, int]] = []
    doing: list[tuple[int, VerbTest, Effect, int]] = []
    for index, place in enumerate(printed.places):
        would = test_of(place.action)
        visit = VISIT.at(LOYAL, index)
        if place.kind >= 0:
            giving.append((index, place.kind, visit))  # what `would_yield` says
        elif would is always:
            giving.append((index, len(RESOURCES), visit))
        else:
            doing.append((index, would, place.action.first, visit))
    return tuple(giving), tuple(doing)


def test_of(action: Action) -> VerbTest:
    """The test whether an action is possible: `always`, that of its first effect, or with its price."""
    if is_always_possible(action):
        return always
    return TESTS[action.first.verb] if action.cost.is_free else priced(action)


def is_always_possible(action: Action) -> bool:
    """Whether there's nothing to test: no cost, and an effect, or one of those to choose from, that always acts."""
    first = action.first
    return action.cost.is_free and (TESTS[first.verb] is always or any(map(is_always_possible, first.options)))


# -- what is done there -----------------------------------------------------------------------------------------------


def action_at(s: WutakiState, seat: int, place: int) -> Action:
    """The action of a place as it is for a seat now."""
    if place < ROUND_PLACE:
        box: Box = s.box
        return box.boards[s.side].places[place].action
    if place == ROUND_PLACE:
        return round_card(s).action
    own = masterboard(s, seat).own_place
    assert own is not None
    return own


def effects_at(s: WutakiState, place: int, action: Action) -> Sequence[Effect]:
    """What an execution does: where the round card says so, the place's own vengeance card isn't drawn."""
    box: Box = s.box
    if place < ROUND_PLACE and box.in_round[s.round_card].quiet[place]:
        return [effect for effect in action.effects if effect.verb != DRAW_VENGEANCE]
    return action.effects


# -- fields -----------------------------------------------------------------------------------------------------------


def taken_fields(s: WutakiState, spot: int) -> list[int]:
    """The fields with one worker, the leftmost for each different worker: nothing else tells fields apart."""
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
    """The placed worker takes the leftmost free field of its place."""
    fields = s.fields[s.spot]
    fields[fields.index(-1)] = seat * 3 + s.worker
