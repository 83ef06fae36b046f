"""Explanations why a choice isn't legal, judged from the seat's view alone.

Prices include the discount of the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final

from atoll.engine import ExplainContext, Explainers, Reason, unless

from . import rules, visits
from .components import CHOOSE, CLIMB, FULFIL_PACT, OCCUPIED_FIELD, VERBS, YIELD, Action, Cost, WutakiComponents
from .components import HIRE as HIRE_VERB
from .components import UPGRADE as UPGRADE_VERB
from .effects import TESTS
from .kinds import (
    ACCEPT,
    AGAIN,
    BUILD,
    CHASE_GROUP,
    CROWD_IN,
    FULFIL,
    GIFT,
    GIVE_VENGEANCE,
    GOLD,
    HIRE,
    IDLE_WORKER,
    KEEP,
    LOYAL,
    OWN_PLACE,
    PASS_KIND,
    PAY,
    PLACE,
    PLAY,
    RAID,
    ROUND_PLACE,
    TAKE,
    TRADE,
    UPGRADE,
    USE,
    VISIT,
    VOCABULARY,
)
from .pacts import acceptable, fulfillable
from .prices import can_hire, can_pay, fixed_part, hire_price, place_price, tower_price
from .state import WutakiState, board, masterboard, spot_of
from .upgrades import is_at_top, is_level_full, lacks_marker, open_cards, open_places
from .workers import chase_options, next_hire

EXPLAINERS: Final[Explainers] = Explainers(VOCABULARY, turn="turn")


def _about(seen: ExplainContext, key: str) -> Any:
    """Return the `discount` of the open question or whether it is `free`; 0 if it says neither."""
    return seen.placeholders.get(key, 0)


def _visit_first(seen: ExplainContext, place: str) -> Reason | None:
    """Return that a place must be visited first, in this turn or a later one.

    Return None if the open question comes first.
    """
    key = {"turn": "visit_first", "bonus": "visit_later"}.get(seen.prompt)
    return Reason(key, {"place": PLACE.index(place)}, "turn") if key else None


# -- WU-3.5 Placing a worker -----------------------------------------------------------------------


@EXPLAINERS.of(VISIT, CROWD_IN, IDLE_WORKER)
def sending_a_worker(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a worker can't be sent: one a turn, to a place with room and a possible action.

    Rules WU-3.5 and WU-3.9.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    if seen.prompt != "turn":
        return Reason("worker_placed", rule="turn") if seen.prompt in ("again", "bonus") else None
    s, seat = seen.s, seen.seat
    if choice in CROWD_IN and not rules.can_use(s, seat, "T1"):
        return Reason("no_crowding", rule="abilities")
    kind = VOCABULARY.kind_of(choice).parts(choice)[0]
    if not s.home[seat][kind]:
        return Reason("no_worker", {"worker": kind}, "workers")
    if choice in IDLE_WORKER:
        return unless(not visits.visit_options(s, seat), "visits_exist", "turn")
    place = VOCABULARY.kind_of(choice).parts(choice)[1]
    spot = spot_of(place, seat)
    if not s.fields[spot]:
        return Reason("no_round_place" if place == ROUND_PLACE else "no_own_place", rule="places")
    if choice in VISIT and not s.free[spot]:
        return Reason("no_field", {"place": place}, "places")
    if choice in CROWD_IN and not visits.taken_fields(s, spot):
        return Reason("nobody_there", {"place": place}, "places")
    if place != OWN_PLACE and visits.can_visit(s, seat, place):
        return None
    return impossible(s, seat, visits.action_at(s, seat, place), place == OWN_PLACE and kind != LOYAL)


@EXPLAINERS.of(AGAIN)
def acting_again(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why a second execution is refused: it comes after the first. Rule WU-3.7."""
    return unless(seen.asks(AGAIN), "again_later", "special_worker")


@EXPLAINERS.of(USE)
def using_an_ability(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why the seat's ability can't be used: once a game, when it's meant for and possible.

    Rule WU-9.5.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    ability = USE.part(choice)
    if s.ability[seat] != ability:
        return Reason("not_your_ability", rule="abilities")
    if s.ability_used[seat]:
        return Reason("ability_used", rule="abilities")
    printed = s.components.abilities[ability]
    if printed.action.first.verb == OCCUPIED_FIELD:
        return Reason("ability_with_worker", rule="abilities")
    if seen.prompt == "turn" and "T0" not in printed.when:
        return Reason("ability_after_worker", rule="abilities")
    return impossible(s, seat, printed.action)


@EXPLAINERS.of(PASS_KIND)
def declining(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why a turn can't be passed; other duties are named by their own questions.

    Rule WU-3.4.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    return unless(seen.prompt != "turn" or rules.may_pass(seen.s), "worker_first", "turn")


# -- WU-8.7 Possible effects: the missing part of an action ----------------------------------------


def impossible(s: WutakiState, seat: int, action: Action, visitors: int = 0) -> Reason | None:
    """Explain why an action isn't possible: its price, or its first effect. Rule WU-8.7.

    Args:
        s: The state.
        seat: The seat concerned.
        action: The action.
        visitors: The number of workers that this cost can't take.

    Returns:
        The reason; None if the action is possible.
    """
    if not can_pay(s, seat, action.cost, s.omens[seat], visitors):
        return price_lacking(s, seat, action.cost, visitors=visitors)
    first = action.first
    if TESTS[first.verb](s, seat, first, s.omens[seat]):
        return None
    if first.verb == CHOOSE:
        return impossible(s, seat, first.options[0])
    if first.verb == CLIMB:
        return climb_lacking(s, seat, first.discount)
    if first.verb == YIELD and first.kind >= 0:
        return Reason("supply_empty", {"resource": first.kind}, "supply")
    if first.verb in (YIELD, HIRE_VERB):
        return hire_lacking(s, seat, first.discount, first.free)
    if first.verb == UPGRADE_VERB:
        return upgrade_lacking(s, seat, _open_prices(s, seat, first.discount, first.free))
    if first.verb == FULFIL_PACT and first.discount and s.pacts[seat]:
        return Reason("no_pact_for_less", {"n": first.discount}, "fulfil_pact")
    return Reason(f"cannot_{VERBS[first.verb]}", rule="places")


def price_lacking(s: WutakiState, seat: int, cost: Cost, *, discount: int = 0, visitors: int = 0) -> Reason:
    """Return the missing part of a price.

    Args:
        s: The state.
        seat: The seat concerned.
        cost: The cost.
        discount: The number of tokens that may be left out.
        visitors: The number of workers that this cost can't take.
    """
    stock = s.stock[seat]
    fixed = fixed_part(cost.tokens, s.cost_marker[seat])
    lacking = [kind for kind, n in enumerate(fixed) for _ in range(n - stock[kind])]
    if len(lacking) > discount:
        key = "tokens_lacking_for_less" if discount else "tokens_lacking"
        return Reason(key, {"resource": lacking, "n": discount}, "costs")
    if sum(stock) < cost.tokens.total - discount:
        return Reason("too_few_tokens", {"n": cost.tokens.total - discount}, "costs")
    if len(s.omens[seat]) < cost.omen:
        return Reason("omens_lacking", {"n": cost.omen}, "costs")
    if s.vp[seat] < cost.vp:
        return Reason("points_lacking", {"n": cost.vp}, "costs")
    return Reason("no_other_worker" if visitors else "no_hired_worker", rule="workers")


def climb_lacking(s: WutakiState, seat: int, discount: int) -> Reason:
    """Explain the missing part of a climb: the next level, room on it, a marker, its price.

    Rule WU-7.2.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The number of tokens that may be left out.

    Returns:
        The reason.
    """
    level = s.pyramid[seat]
    return (
        unless(not is_at_top(s, seat), "pyramid_top", "pyramid")
        or unless(not is_level_full(s, seat), "pyramid_full", "pyramid", n=level + 1)
        or unless(not lacks_marker(s, seat), "no_upgrade_marker", "pyramid")
        or price_lacking(s, seat, board(s).levels[level].climb.cost, discount=discount)
    )


def hire_lacking(s: WutakiState, seat: int, discount: int, free: bool) -> Reason | None:
    """Explain the missing part of a hire: the next worker or its price. Rule WU-4.1.

    Args:
        s: The state.
        seat: The seat concerned.
        discount: The number of tokens that may be left out.
        free: Whether the price is dropped.

    Returns:
        The reason; None if another question comes first.
    """
    if next_hire(s, seat) < 0:
        return Reason("tower_empty", rule="hiring")
    if can_hire(s, seat, discount, free):
        return None
    marked, gold = hire_price(s, seat, discount, free)
    if s.stock[seat][s.cost_marker[seat]] < marked:
        return Reason("hire_price_lacking", {"n": marked, "resource": s.cost_marker[seat]}, "hiring")
    return Reason("gold_lacking", {"n": gold}, "hiring")


def _open_prices(s: WutakiState, seat: int, discount: int, free: bool) -> list[int]:
    """Return the prices of all upgrades that the seat could carry out if it had the gold."""
    prices = [place_price(s, place, discount, free) for place in open_places(s)]
    return prices + [tower_price(s, card, discount, free) for card in open_cards(s, seat)]


def upgrade_lacking(s: WutakiState, seat: int, prices: Sequence[int]) -> Reason | None:
    """Explain the missing part of an upgrade: a marker, a target, or the gold for the cheapest.

    Rule WU-7.1.

    Args:
        s: The state.
        seat: The seat concerned.
        prices: The prices of the possible upgrades.

    Returns:
        The reason; None if nothing is missing.
    """
    if not s.upgrade_markers[seat]:
        return Reason("no_upgrade_marker", rule="upgrades")
    if not prices:
        return Reason("cannot_upgrade", rule="upgrades")
    return Reason("gold_lacking", {"n": min(prices)}, "upgrades") if s.stock[seat][GOLD] < min(prices) else None


# -- actions of places -----------------------------------------------------------------------------


@EXPLAINERS.of(FULFIL)
def fulfilling(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a pact can't be fulfilled: an own one that can be paid, after the worker.

    Rule WU-6.6.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    card = FULFIL.part(choice)
    if card not in s.pacts[seat]:
        return Reason("not_your_pact", {"pact": card}, "pacts")
    discount, free = _about(seen, "discount"), bool(_about(seen, "free"))
    if card not in fulfillable(s, seat, s.omens[seat], discount=discount, free=free):
        return price_lacking(s, seat, s.components.pacts[card].action.cost, discount=discount)
    return unless(seen.prompt != "turn", "worker_first", "bonus")


@EXPLAINERS.of(ACCEPT)
def accepting(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a pact can't be accepted: one of the display, with the gold of its slot.

    Rule WU-6.1.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    card = ACCEPT.part(choice)
    if card not in s.display:
        return Reason("not_on_display", {"pact": card}, "accept_pact")
    if seen.prompt == "first_pacts":
        return None
    # In its own question, the effect that asks decides whether slots cost gold; before, it is that
    # of the place.
    payable = choice in seen.choices if seen.asks(ACCEPT) else card in acceptable(s, seat, bonus=True)
    if not payable:
        return Reason("gold_lacking", {"n": -board(s).slot_gold[s.display.index(card)]}, "accept_pact")
    return _visit_first(seen, "accept_pact")


@EXPLAINERS.of(GIFT)
def giving_a_pact(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a pact can't be given: it must be one of the display, an own one only by a card.

    Rule WU-6.5.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    card = GIFT.part(choice)
    if card in s.display:
        return _visit_first(seen, "gift_pact")
    if card in s.pacts[seat]:
        return unless(choice in seen.choices, "gift_by_card", "gift_pact", pact=card)
    return Reason("not_on_display", {"pact": card}, "gift_pact")


@EXPLAINERS.of(UPGRADE)
def upgrading_a_place(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a place can't be upgraded: a free slot, a marker and the gold. Rule WU-7.1."""
    s, seat = seen.s, seen.seat
    place = UPGRADE.part(choice)
    if place not in open_places(s):
        return Reason("place_full", {"standard_place": place}, "upgrades")
    discount, free = _upgrade_terms(seen, s)
    return upgrade_lacking(s, seat, [place_price(s, place, discount, free)]) or _visit_first(seen, "upgrade")


@EXPLAINERS.of(BUILD)
def upgrading_the_tower(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a tower card can't be taken.

    It must be there, with a free slot, a marker and the gold.
    Rules WU-7.1 and WU-7.3.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    card = BUILD.part(choice)
    if card not in s.tower_left:
        return Reason("tower_card_gone", {"tower_upgrade": card}, "upgrades")
    if card not in open_cards(s, seat):
        return Reason("tower_slot_full", rule="upgrades")
    discount, free = _upgrade_terms(seen, s)
    return upgrade_lacking(s, seat, [tower_price(s, card, discount, free)]) or _visit_first(seen, "upgrade")


def _upgrade_terms(seen: ExplainContext, s: WutakiState) -> tuple[int, bool]:
    """Return the discount of the question and whether it is free.

    Before the visit, they are those of the own masterboard's place.
    """
    if seen.prompt != "turn":
        return _about(seen, "discount"), bool(_about(seen, "free"))
    own = masterboard(s, seen.seat).own_place
    return (own.first.discount, own.first.free) if own and own.first.verb == UPGRADE_VERB else (0, False)


@EXPLAINERS.of(HIRE)
def hiring(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why no worker can be hired, at the price of the action that asks. Rule WU-4.1."""
    s = seen.s
    lacking = hire_lacking(s, seen.seat, _about(seen, "discount"), bool(_about(seen, "free")))
    return lacking or _visit_first(seen, "village")


@EXPLAINERS.of(PLAY)
def playing_an_omen(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why an omen can't be played: it must be a card of the hand that is possible.

    Rule WU-8.8.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    s, seat = seen.s, seen.seat
    card = PLAY.part(choice)
    if card not in s.omens[seat]:
        return Reason("not_in_hand", {"omen": card}, "omens")
    return impossible(s, seat, s.components.omens[card].action) or _visit_first(seen, "play_omen")


@EXPLAINERS.of(CHASE_GROUP)
def chasing(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a group can't be chased: one that is there and isn't protected. Rule WU-4.2."""
    s = seen.s
    if choice not in chase_options(s, seen.seat):
        return Reason("cannot_chase", rule="chasing")
    return _visit_first(seen, "chase")


@EXPLAINERS.of(PAY, TAKE)
def mixing(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why amounts of several resources don't add up to the sum that is due.

    Rules WU-5.4 and WU-8.1.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    asked = seen.view["decision"]
    kind = VOCABULARY.kind_of(choice)
    if "set" not in asked or asked["set"]["members"][0] not in kind:
        return None
    resource, amount = kind.parts(choice)
    chosen = [kind.parts(each) for each in seen.picked]
    is_chosen = any(one == resource for one, _ in chosen)
    fitting = [n for one, n in map(kind.parts, seen.choices) if one == resource]
    if not is_chosen and (amount in fitting or (seen.choices and not fitting)):
        return None
    total = sum(n for _, n in chosen) + amount + _unasked(seen)
    least, most = _due(seen)
    missing, over = fitting[0] - amount if fitting else least - total, total - most
    lacking = amount - seen.s.stock[seen.seat][resource] if kind is PAY else 0
    return (
        unless(not is_chosen, "amount_chosen", asked["rule"], resource=resource)
        or unless(missing <= 0, "too_few", asked["rule"], n=missing)
        or unless(over <= 0, "too_many", asked["rule"], n=over)
        or unless(lacking <= 0, "tokens_lacking", asked["rule"], resource=[resource] * lacking)
        or unless(seen.prompt != "swap", "swap_room", asked["rule"])
        or unless(kind is not PAY, "pay_kinds", asked["rule"])
    )


def _unasked(seen: ExplainContext[WutakiState, WutakiComponents]) -> int:
    """Return the tokens of a payment that isn't asked for: all of a kind, as all are needed."""
    if seen.prompt != "pay":
        return 0
    asked = {PAY.parts(each)[0] for each in seen.view["decision"]["set"]["members"]}
    return sum(have for resource, have in enumerate(seen.s.stock[seen.seat]) if resource not in asked)


def _due(seen: ExplainContext) -> tuple[int, float]:
    """Return the smallest and largest sum of all amounts of a mix.

    In a trade it is at least one; otherwise it is the amount due.
    """
    n = _about(seen, "n")
    if seen.prompt == "swap":
        return 1, inf
    return (1, n) if seen.prompt == "buy_with_points" else (n, n + _about(seen, "discount"))


@EXPLAINERS.of(TRADE)
def trading(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why nothing can be traded: it is done at its place. Rule WU-5.4."""
    return _visit_first(seen, "trade")


@EXPLAINERS.of(GIVE_VENGEANCE)
def giving_vengeance(seen: ExplainContext[WutakiState, WutakiComponents], choice: int) -> Reason | None:
    """Explain why a vengeance card can't be given: an own one. Rule WU-5.1."""
    s = seen.s
    if GIVE_VENGEANCE.part(choice) not in s.vengeance[seen.seat]:
        return Reason("cannot_gift_vengeance", rule="vengeance")
    return _visit_first(seen, "vp_or_gift")


@EXPLAINERS.of(KEEP)
def keeping_a_secret_pact(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why a secret pact can't be chosen; later ones only count at the end. Rule WU-2.3."""
    return None if seen.asks(KEEP) else Reason("secret_at_end", rule="secret_pacts")


@EXPLAINERS.of(RAID)
def raiding(seen: ExplainContext, choice: int) -> Reason | None:
    """Explain why the maw can't be raided: a fulfilled pact must bring the marker to the monster.

    Rule WU-9.2.

    Args:
        seen: The view and the question of the seat that asks.
        choice: The choice that isn't legal.

    Returns:
        The reason; None if another question comes first.
    """
    return unless(seen.asks(RAID), "raid_later", "masterboards")
