"""Upgrades of places and towers, and the pyramid of doom (WU-7)."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Flow

from .components import CLIMB, REMOVE_UPGRADE, REPLACE_UPGRADE, UPGRADE, Effect
from .effects import FLOWS, TESTS, is_possible, run_effects
from .kinds import BUILD, GOLD, MARKER, OPTION, PASS, STANDARD_PLACES
from .kinds import UPGRADE as UPGRADE_KIND
from .prices import can_pay, can_pay_reduced, place_price, tower_price, upgrade_reach
from .state import WutakiState, board, gain_vp, masterboard, pay
from .tokens import pay_cost

# -- WU-7.1 Upgrades -------------------------------------------------------------------------------


def upgrade_options(s: WutakiState, seat: int, effect: Effect) -> list[int]:
    """Return the places and tower cards that the seat can upgrade with its gold.

    Places need a free slot, cards a free slot of the own tower.
    Rule WU-7.1, ruling R56.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
    """
    if not s.upgrade_markers[seat]:
        return []
    components = s.components
    reach = upgrade_reach(s, seat, effect.discount, effect.free)
    prices = components.boards[s.side].upgrade_prices
    places = [place for place in open_places(s) if prices[len(s.markers[place])] <= reach]
    cards = [
        card for card in open_cards(s, seat) if components.tower_prices[components.tower_upgrades[card].slot] <= reach
    ]
    return UPGRADE_KIND.all_choices(places) + BUILD.all_choices(cards)


def open_places(s: WutakiState) -> list[int]:
    """Return the standard places with a free slot. Rule WU-7.1."""
    return [place for place, owners in enumerate(s.markers) if len(owners) < 2]


def open_cards(s: WutakiState, seat: int) -> list[int]:
    """Return the available cards for free slots of the own tower. Rules WU-7.1 and WU-7.3."""
    built, printed = s.built[seat], s.components.tower_upgrades
    return [card for card in s.tower_left if built[printed[card].slot] < 0]


@FLOWS.of(UPGRADE)
def resolve_upgrade(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Choose a target, pay gold, lay an upgrade marker, gain VP; optional unless the seat must.

    Rule WU-7.1, ruling R57.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    options = upgrade_options(s, seat, effect)
    if not options:
        return
    if not must:
        options.append(PASS)
    choice = options[0]
    if len(options) > 1:
        about = {"vp": effect.vp, "discount": effect.discount, "free": effect.free}
        choice = yield Choose(seat, "upgrade", options, source=effect.source, rule="upgrades", placeholders=about)
    if choice == PASS:
        return
    if choice in UPGRADE_KIND:
        place = UPGRADE_KIND.part(choice)
        pay(s, seat, GOLD, place_price(s, place, effect.discount, effect.free))
        s.markers[place].append(seat)
        s.emit("place_upgraded", seat=seat, standard_place=place)
    else:
        card = BUILD.part(choice)
        pay(s, seat, GOLD, tower_price(s, card, effect.discount, effect.free))
        s.tower_left.remove(card)
        s.built[seat][s.components.tower_upgrades[card].slot] = card
        s.emit("tower_upgraded", seat=seat, tower_upgrade=card)
    s.upgrade_markers[seat] -= 1
    if effect.vp:
        gain_vp(s, seat, effect.vp)


@TESTS.of(UPGRADE)
def would_upgrade(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether there is an affordable upgrade, and an upgrade marker.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    if not s.upgrade_markers[seat]:
        return False
    printed = s.components.boards[s.side]
    reach = upgrade_reach(s, seat, effect.discount, effect.free)
    if reach < printed.lowest_upgrade_price:
        return False
    for owners in s.markers:
        slot = len(owners)
        if slot < 2 and reach >= printed.upgrade_prices[slot]:
            return True
    return bool(upgrade_options(s, seat, effect))


def foreign_markers(s: WutakiState, seat: int) -> list[int]:
    """Return the opponents' upgrade markers on standard places."""
    return [
        MARKER.choice(place, slot)
        for place in range(len(STANDARD_PLACES))
        for slot, owner in enumerate(s.markers[place])
        if owner != seat
    ]


@FLOWS.of(REPLACE_UPGRADE)
def resolve_replace_upgrade(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Give an opponent's marker back and put an own one into exactly its slot; no gold, no VP.

    Rule WU-7.4.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    options = foreign_markers(s, seat)
    if not options or not s.upgrade_markers[seat]:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(seat, "replace_upgrade", options, source=effect.source, rule="upgrades")
    place, slot = MARKER.parts(choice)
    owner = s.markers[place][slot]
    s.markers[place][slot] = seat
    s.upgrade_markers[owner] += 1
    s.upgrade_markers[seat] -= 1
    s.emit("marker_replaced", seat=seat, seat_2=owner, standard_place=place)


@TESTS.of(REPLACE_UPGRADE)
def would_replace_upgrade(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the seat has an upgrade marker and an opponent has one on a standard place.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(s.upgrade_markers[seat] and foreign_markers(s, seat))


@FLOWS.of(REMOVE_UPGRADE)
def resolve_remove_upgrade(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Give an opponent's marker back to its owner; one in the second slot moves to the first.

    Rule WU-7.4, ruling R22.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    options = foreign_markers(s, seat)
    if not options:
        return
    choice = options[0]
    if len(options) > 1:
        choice = yield Choose(seat, "remove_upgrade", options, source=effect.source, rule="upgrades")
    place, slot = MARKER.parts(choice)
    owner = s.markers[place].pop(slot)
    s.upgrade_markers[owner] += 1
    s.emit("marker_removed", seat=seat, seat_2=owner, standard_place=place)


@TESTS.of(REMOVE_UPGRADE)
def would_remove_upgrade(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether an opponent has a marker on a standard place.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    return bool(foreign_markers(s, seat))


# -- WU-7.2 Pyramid --------------------------------------------------------------------------------


@TESTS.of(CLIMB)
def would_climb(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether a next level has room and can be paid for; the first needs an upgrade marker.

    Rule WU-7.2, ruling R57.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    if is_at_top(s, seat) or lacks_marker(s, seat) or is_level_full(s, seat):
        return False
    cost = board(s).levels[s.pyramid[seat]].climb.cost
    if effect.discount:
        return can_pay_reduced(s.stock[seat], cost.tokens, s.cost_marker[seat], effect.discount)
    return can_pay(s, seat, cost, hand)


def is_at_top(s: WutakiState, seat: int) -> bool:
    """Return whether the seat's marker is on the top level. Rule WU-7.2."""
    return s.pyramid[seat] == len(board(s).levels)


def is_level_full(s: WutakiState, seat: int) -> bool:
    """Return whether the next level has no room for one more marker. Rule WU-7.2."""
    level = s.pyramid[seat]
    return s.pyramid.count(level + 1) >= board(s).levels[level].room


def lacks_marker(s: WutakiState, seat: int) -> bool:
    """Return whether the seat has no upgrade marker to begin the climb with.

    Rule WU-7.2, ruling R57.
    """
    return not s.pyramid[seat] and not s.upgrade_markers[seat]


@FLOWS.of(CLIMB)
def resolve_climb(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow:
    """Pay, move the marker up one level, gain VP, extras, then the offer of the masterboard.

    The marker is an upgrade marker from the stock, which never comes back; it isn't an upgrade. A
    player that reaches the top ends the game.
    Rules WU-7.2 and WU-10.1.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow.
    """
    if not would_climb(s, seat, effect, s.omens[seat]):
        return
    level = board(s).levels[s.pyramid[seat]]
    yield from pay_cost(s, seat, level.climb.cost, effect.source, effect.discount)
    if not s.pyramid[seat]:
        s.upgrade_markers[seat] -= 1
    s.pyramid[seat] += 1
    reached_top = s.pyramid[seat] == len(board(s).levels)
    s.emit("climbed", seat=seat, n=s.pyramid[seat])
    gain_vp(s, seat, level.vp)
    yield from run_effects(s, seat, level.climb.effects, must=False)
    yield from offer_on_climb(s, seat)
    if reached_top and s.ender < 0:
        s.ender = seat
        s.ended_by_pyramid = True
        s.emit("end_by_pyramid", seat=seat)


def offer_on_climb(s: WutakiState, seat: int) -> Flow:
    """Offer the exchange of the masterboard after each climb. Rule WU-9.4, ruling R26."""
    offer = masterboard(s, seat).on_climb
    if offer is None or not is_possible(s, seat, offer, s.omens[seat]):
        return
    choice: int = yield Choose(seat, "on_climb", [OPTION.choice(0), PASS], source=offer.source, rule="masterboards")
    if choice != PASS:
        yield from pay_cost(s, seat, offer.cost, offer.source)
        yield from run_effects(s, seat, offer.effects, must=True)
