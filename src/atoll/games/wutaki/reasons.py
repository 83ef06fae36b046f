"""Why a seat can't do something now, judged from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from atoll.engine import Reason

from . import rules
from .components import CHOOSE, CLIMB, VERBS, YIELD, Action, Box
from .kinds import (
    ACCEPT,
    BUILD,
    CROWD_IN,
    FULFIL,
    GOLD,
    HIRE,
    IDLE_WORKER,
    LOYAL,
    OWN_PLACE,
    PLAY,
    ROUND_PLACE,
    UPGRADE,
    USE,
    VISIT,
)
from .pacts import acceptable
from .seen import table_of
from .state import WutakiState, available, board, spot_of
from .tokens import fixed_part
from .upgrades import place_price, tower_price
from .verbs import TESTS, can_pay
from .workers import can_hire, hire_price, next_hire


def why_not(box: Box, view: Mapping[str, Any], choice: int) -> Reason | None:
    """None where the choice is on offer, or where nothing speaks against it but that it isn't asked for."""
    decision = view["decision"]
    p = view["viewer"]
    if p is None or decision is None or decision["seat"] != p:
        return Reason("not_your_turn", rule="turn")
    if choice in decision["options"]:
        return None
    s = table_of(view, box)
    for kind, judge in _JUDGES:
        if choice in kind:
            found = judge(s, p, choice)
            if found is not None:
                return found
    return Reason("not_asked", rule="turn")


def _visit(s: WutakiState, p: int, choice: int) -> Reason | None:
    kind, place = VISIT.parts(choice)
    if not s.home[p][kind]:
        return Reason("no_worker", {"worker": kind}, "workers")
    return _place(s, p, kind, place, "no_field" if -1 not in s.fields[spot_of(place, p)] else "")


def _crowd_in(s: WutakiState, p: int, choice: int) -> Reason | None:
    kind, place = CROWD_IN.parts(choice)
    if not rules.can_use(s, p, "T1"):
        return Reason("no_crowding", rule="abilities")
    if not s.home[p][kind]:
        return Reason("no_worker", {"worker": kind}, "workers")
    return _place(s, p, kind, place, "" if rules.taken_fields(s, spot_of(place, p)) else "nobody_there")


def _place(s: WutakiState, p: int, kind: int, place: int, problem: str) -> Reason | None:
    if not s.fields[spot_of(place, p)]:
        return Reason("no_round_place" if place == ROUND_PLACE else "no_own_place", rule="places")
    if problem:
        return Reason(problem, {"place": place}, "places")
    visitors = place == OWN_PLACE and kind != LOYAL
    return impossible(s, p, rules.action_at(s, p, place), visitors)


def impossible(s: WutakiState, p: int, action: Action, visitors: int = 0) -> Reason | None:
    """Why an action isn't possible: its price, or its first effect."""
    if not can_pay(s, p, action.cost, s.omens[p], visitors):
        return _price(s, p, action, visitors)
    first = action.first
    if TESTS[first.verb](s, p, first, s.omens[p]):
        return None
    if first.verb == CHOOSE:
        return impossible(s, p, first.options[0])
    if first.verb == CLIMB:
        return _climb(s, p)
    if first.verb == YIELD:
        return Reason("supply_empty", {"resource": first.kind}, "supply") if first.kind >= 0 else _hire(s, p, 0)
    return Reason(f"cannot_{VERBS[first.verb]}", rule="places")


def _climb(s: WutakiState, p: int) -> Reason:
    levels = board(s).levels
    if s.pyramid[p] == len(levels):
        return Reason("pyramid_top", rule="pyramid")
    level = levels[s.pyramid[p]]
    if s.pyramid.count(s.pyramid[p] + 1) >= level.room:
        return Reason("pyramid_full", {"n": s.pyramid[p] + 1}, "pyramid")
    if not s.pyramid[p] and not s.upgrade_markers[p]:
        return Reason("no_upgrade_marker", rule="pyramid")
    return _price(s, p, level.climb, 0)


def _price(s: WutakiState, p: int, action: Action, visitors: int) -> Reason:
    cost = action.cost
    stock = s.stock[p]
    fixed = fixed_part(cost.tokens, s.cost_marker[p])
    lacking = [kind for kind, n in enumerate(fixed) if stock[kind] < n]
    if lacking:
        return Reason("tokens_lacking", {"resource": lacking}, "costs")
    if sum(stock) < cost.tokens.total:
        return Reason("too_few_tokens", {"n": cost.tokens.total}, "costs")
    if len(s.omens[p]) < cost.omen:
        return Reason("omens_lacking", {"n": cost.omen}, "costs")
    if s.vp[p] < cost.vp:
        return Reason("points_lacking", {"n": cost.vp}, "costs")
    return Reason("no_other_worker" if visitors else "no_hired_worker", rule="workers")


def _idle(s: WutakiState, p: int, choice: int) -> Reason | None:
    return Reason("visits_exist", rule="turn") if available(s, p) else None


def _fulfil(s: WutakiState, p: int, choice: int) -> Reason | None:
    card = choice - FULFIL.first
    if card not in s.pacts[p]:
        return Reason("not_your_pact", {"pact": card}, "pacts")
    action = s.box.pacts[card].action
    return None if can_pay(s, p, action.cost, s.omens[p]) else _price(s, p, action, 0)


def _accept(s: WutakiState, p: int, choice: int) -> Reason | None:
    card = choice - ACCEPT.first
    if card not in s.display:
        return Reason("not_on_display", {"pact": card}, "accept_pact")
    if card not in acceptable(s, p, bonus=True):
        n = -board(s).slot_gold[s.display.index(card)]
        return Reason("gold_lacking", {"n": n}, "accept_pact")
    return None


def _upgrade(s: WutakiState, p: int, choice: int) -> Reason | None:
    place = choice - UPGRADE.first
    if len(s.markers[place]) == 2:
        return Reason("place_full", {"standard_place": place}, "upgrades")
    return _marker_and_gold(s, p, place_price(s, place, 0, free=False))


def _build(s: WutakiState, p: int, choice: int) -> Reason | None:
    card = choice - BUILD.first
    if card not in s.tower_left:
        return Reason("tower_card_gone", {"tower_upgrade": card}, "upgrades")
    if s.built[p][s.box.tower_upgrades[card].slot] >= 0:
        return Reason("tower_slot_full", rule="upgrades")
    return _marker_and_gold(s, p, tower_price(s, card, 0, free=False))


def _marker_and_gold(s: WutakiState, p: int, price: int) -> Reason | None:
    if not s.upgrade_markers[p]:
        return Reason("no_upgrade_marker", rule="upgrades")
    return Reason("gold_lacking", {"n": price}, "upgrades") if s.stock[p][GOLD] < price else None


def _hire(s: WutakiState, p: int, choice: int) -> Reason | None:
    if next_hire(s, p) < 0:
        return Reason("tower_empty", rule="hiring")
    if can_hire(s, p, 0, free=False):
        return None
    marked, gold = hire_price(s, p, 0, free=False)
    if s.stock[p][s.cost_marker[p]] < marked:
        return Reason("tokens_lacking", {"resource": [s.cost_marker[p]]}, "hiring")
    return Reason("gold_lacking", {"n": gold}, "hiring")


def _use(s: WutakiState, p: int, choice: int) -> Reason | None:
    ability = choice - USE.first
    if s.ability[p] != ability:
        return Reason("not_your_ability", rule="abilities")
    if s.ability_used[p]:
        return Reason("ability_used", rule="abilities")
    return impossible(s, p, s.box.abilities[ability].action)


def _play(s: WutakiState, p: int, choice: int) -> Reason | None:
    card = choice - PLAY.first
    if card not in s.omens[p]:
        return Reason("not_in_hand", {"omen": card}, "omens")
    return impossible(s, p, s.box.omens[card].action)


_JUDGES: Final[tuple[tuple[Any, Callable[[WutakiState, int, int], Reason | None]], ...]] = (
    (VISIT, _visit),
    (CROWD_IN, _crowd_in),
    (IDLE_WORKER, _idle),
    (FULFIL, _fulfil),
    (ACCEPT, _accept),
    (UPGRADE, _upgrade),
    (BUILD, _build),
    (HIRE, _hire),
    (USE, _use),
    (PLAY, _play),
)
