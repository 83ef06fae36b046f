"""Upgrades of places and towers, and the pyramid of doom."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Flow

from .components import CLIMB, REMOVE_UPGRADE, REPLACE_UPGRADE, UPGRADE, Effect
from .kinds import BUILD, GOLD, MARKER, OPTION, PASS, STANDARD_PLACES
from .kinds import UPGRADE as UPGRADE_KIND
from .state import WutakiState, board, gain_vp, masterboard, pay, round_card
from .tokens import can_pay_reduced, pay_cost
from .verbs import can_pay, flow, is_possible, run_effects, test

# -- § Ort- und Turmaufwertungen --------------------------------------------------------------------------------------


def place_price(s: WutakiState, place: int, discount: int, free: bool) -> int:
    """Gold for the first free slot of a standard place."""
    if free:
        return 0
    printed = board(s).upgrade_prices[len(s.markers[place])]
    return max(0, printed - discount - round_card(s).upgrade_discount)


def tower_price(s: WutakiState, card: int, discount: int, free: bool) -> int:
    """Gold for a tower upgrade: by its slot."""
    if free:
        return 0
    printed: int = s.box.tower_prices[s.box.tower_upgrades[card].slot]
    return max(0, printed - discount - round_card(s).upgrade_discount)


def upgrade_options(s: WutakiState, p: int, effect: Effect) -> list[int]:
    """Standard places with a free slot and available cards for free slots of the own tower, as far as the gold goes."""
    if not s.upgrade_markers[p]:
        return []
    gold = s.stock[p][GOLD]
    options = [
        UPGRADE_KIND.first + place
        for place, owners in enumerate(s.markers)
        if len(owners) < 2 and gold >= place_price(s, place, effect.discount, effect.free)
    ]
    cards = s.box.tower_upgrades
    built = s.built[p]
    options += [
        BUILD.first + card
        for card in s.tower_left
        if built[cards[card].slot] < 0 and gold >= tower_price(s, card, effect.discount, effect.free)
    ]
    return options


@flow(UPGRADE)
def resolve_upgrade(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Aufwertung ausführen. Choose a target, pay gold, lay an upgrade marker, gain VP. Optional unless it must."""
    options = upgrade_options(s, p, effect)
    if not options:
        return
    if not must:
        options.append(PASS)
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "upgrade", options, source=effect.source, rule="upgrades", about={"vp": effect.vp})
    if choice == PASS:
        return
    if choice in UPGRADE_KIND:
        place = choice - UPGRADE_KIND.first
        pay(s, p, GOLD, place_price(s, place, effect.discount, effect.free))
        s.markers[place].append(p)
        s.tell("place_upgraded", seat=p, standard_place=place)
    else:
        card = choice - BUILD.first
        pay(s, p, GOLD, tower_price(s, card, effect.discount, effect.free))
        s.tower_left.remove(card)
        s.built[p][s.box.tower_upgrades[card].slot] = card
        s.tell("tower_upgraded", seat=p, tower_upgrade=card)
    s.upgrade_markers[p] -= 1
    if effect.vp:
        gain_vp(s, p, effect.vp)


@test(UPGRADE)
def would_upgrade(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """There's an upgrade that can be paid, and an upgrade marker."""
    if not s.upgrade_markers[p]:
        return False
    printed = s.box.boards[s.side]
    reach = s.stock[p][GOLD] + effect.discount + s.box.in_round[s.round_card].upgrade_discount
    if reach < printed.lowest_upgrade_price and not effect.free:
        return False
    for owners in s.markers:
        slot = len(owners)
        if slot < 2 and (reach >= printed.upgrade_prices[slot] or effect.free):
            return True
    return bool(upgrade_options(s, p, effect))


def foreign_markers(s: WutakiState, p: int) -> list[int]:
    """Upgrade markers of opponents on standard places."""
    return [
        MARKER.at(place, slot)
        for place in range(len(STANDARD_PLACES))
        for slot, owner in enumerate(s.markers[place])
        if owner != p
    ]


@flow(REPLACE_UPGRADE)
def resolve_replace_upgrade(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """An opponent's marker goes back to its owner, an own one takes exactly its slot. No gold, no VP."""
    options = foreign_markers(s, p)
    if not options or not s.upgrade_markers[p]:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "replace_upgrade", options, source=effect.source, rule="upgrades")
    place, slot = MARKER.parts(choice)
    owner = s.markers[place][slot]
    s.markers[place][slot] = p
    s.upgrade_markers[owner] += 1
    s.upgrade_markers[p] -= 1
    s.tell("marker_replaced", seat=p, seat_2=owner, standard_place=place)


@test(REPLACE_UPGRADE)
def would_replace_upgrade(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The seat has an upgrade marker and an opponent has one on a standard place."""
    return bool(s.upgrade_markers[p] and foreign_markers(s, p))


@flow(REMOVE_UPGRADE)
def resolve_remove_upgrade(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """An opponent's marker goes back to its owner; one in the second slot moves to the first (R22)."""
    options = foreign_markers(s, p)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(p, "remove_upgrade", options, source=effect.source, rule="upgrades")
    place, slot = MARKER.parts(choice)
    owner = s.markers[place].pop(slot)
    s.upgrade_markers[owner] += 1
    s.tell("marker_removed", seat=p, seat_2=owner, standard_place=place)


@test(REMOVE_UPGRADE)
def would_remove_upgrade(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """An opponent has a marker on a standard place."""
    return bool(foreign_markers(s, p))


# -- § Pyramide der Verdammnis ----------------------------------------------------------------------------------------


@test(CLIMB)
def would_climb(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """A next level has room and can be paid; from the ground it also takes an upgrade marker."""
    levels = s.box.boards[s.side].levels
    level = s.pyramid[p]
    if level >= len(levels) or (not level and not s.upgrade_markers[p]):
        return False
    following = levels[level]
    cost = following.climb.cost
    if effect.discount:
        payable = can_pay_reduced(s.stock[p], cost.tokens, s.cost_marker[p], effect.discount)
    else:
        payable = can_pay(s, p, cost, hand)
    return payable and s.pyramid.count(level + 1) < following.room


@flow(CLIMB)
def resolve_climb(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    """§ Pyramide der Verdammnis. Pay, move the marker up one level, gain VP, extras, then what the masterboard offers.

    The marker is an upgrade marker from the stock, which never comes back; it's no upgrade. Who reaches the top ends
    the game.
    """
    if not would_climb(s, p, effect, s.omens[p]):
        return
    level = board(s).levels[s.pyramid[p]]
    yield from pay_cost(s, p, level.climb.cost, effect.source, effect.discount)
    if not s.pyramid[p]:
        s.upgrade_markers[p] -= 1
    s.pyramid[p] += 1
    reached_top = s.pyramid[p] == len(board(s).levels)
    s.tell("climbed", seat=p, n=s.pyramid[p])
    gain_vp(s, p, level.vp)
    yield from run_effects(s, p, level.climb.effects, must=False)
    yield from offer_on_climb(s, p)
    if reached_top and s.ender < 0:
        s.ender = p
        s.ended_by_pyramid = True
        s.tell("end_by_pyramid", seat=p)


def offer_on_climb(s: WutakiState, p: int) -> Flow:
    """§ Meister des Schicksals. After each climb the masterboard may offer something for a price (R26)."""
    offer = masterboard(s, p).on_climb
    if offer is None or not is_possible(s, p, offer, s.omens[p]):
        return
    choice: int = yield Choose(p, "on_climb", [OPTION.first, PASS], source=offer.source, rule="masterboards")
    if choice != PASS:
        yield from pay_cost(s, p, offer.cost, offer.source)
        yield from run_effects(s, p, offer.effects, must=True)
