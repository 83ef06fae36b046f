"""States built by hand, in the middle of a round, with the components that a test needs."""

from __future__ import annotations

from typing import Any

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.wutaki import GAME
from atoll.games.wutaki.kinds import GOLD, MAIN_PLACES, OWN_PLACE, PLACES, RESOURCES, WORKER_TYPES, WORKERS
from atoll.games.wutaki.state import TURN, WutakiState, hold_vengeance

BOX = GAME.components
ELEMENT = {"fire": 0, "water": 1, "earth": 2, "wind": 3}
DISPLAY = ("fire_17", "water_17", "earth_17", "wind_17")


def card(domain: str, id: str) -> int:
    """Return the index of a card."""
    return BOX.ids[domain].index(id)


def state(seats: int = 2, *, round_card: str = "ro_old_shrine", **options: Any) -> WutakiState:
    """Return a turn of seat 0 in the first round: symmetric boards, four poor bargains on display.

    The elements are fire, water, earth and wind, and the cost markers sheep, wood, oil and stone,
    in seat order.

    Args:
        seats: The number of seats.
        round_card: Id of the round card.
        **options: Options of the game that differ from their defaults.
    """
    resolved = GAME.resolve_options(options, seats)
    s = GAME.setup(BOX, resolved, seats)
    s.components = BOX
    s.options = resolved
    s.phase = TURN
    s.cost_marker = [1, 2, 3, 4][:seats]
    s.cost_marker_pool = list(range(seats, 4))
    s.masterboard = [card("masterboard", "neutrality")] * seats
    for seat in range(seats):
        s.element[seat] = seat
        s.element_pool.remove(seat)
    s.round_card = card("round_card", round_card)
    s.round_deck.remove(s.round_card)
    printed = BOX.round_cards[s.round_card]
    s.fields[len(MAIN_PLACES)] = [-1] * (printed.fields[seats] if printed.fields else 0)
    show(s, *DISPLAY)
    return s


def table(s: WutakiState) -> ScriptedGame:
    """Return a game at this state."""
    return ScriptedGame.at(GAME, s, s.options)


def show(s: WutakiState, *pacts: str) -> None:
    """Lay these pacts into slots 1 to 4.

    Args:
        s: The state.
        *pacts: Ids of the pacts.
    """
    for each in s.display:
        if each >= 0:
            s.pact_deck.append(each)
    s.display = [card("pact", id) for id in pacts]
    s.pact_deck = sorted(each for each in s.pact_deck if each not in s.display)


def stock(s: WutakiState, seat: int, **amounts: int) -> None:
    """Give a seat exactly these tokens, out of the supply.

    Args:
        s: The state.
        seat: The seat concerned.
        **amounts: The numbers by resource.
    """
    for kind, name in enumerate(RESOURCES):
        wanted = amounts.get(name, 0)
        s.supply[kind] += s.stock[seat][kind] - wanted
        s.stock[seat][kind] = wanted
        assert s.supply[kind] >= 0, f"not enough {name}"


def fill_maw(s: WutakiState, **amounts: int) -> None:
    """Put tokens from the supply into the maw."""
    for name, n in amounts.items():
        s.supply[RESOURCES.index(name)] -= n
        s.maw[RESOURCES.index(name)] += n


def accept(s: WutakiState, seat: int, *pacts: str) -> None:
    """Lay pacts out of the deck in front of a seat, unfulfilled.

    Args:
        s: The state.
        seat: The seat concerned.
        *pacts: Ids of the pacts.
    """
    for id in pacts:
        s.pact_deck.remove(card("pact", id))
        s.pacts[seat] = sorted([*s.pacts[seat], card("pact", id)])


def fulfil(s: WutakiState, seat: int, *pacts: str) -> None:
    """Lay pacts out of the deck on a seat's fulfilled pile, without any consequence.

    Args:
        s: The state.
        seat: The seat concerned.
        *pacts: Ids of the pacts.
    """
    for id in pacts:
        s.pact_deck.remove(card("pact", id))
        s.fulfilled[seat] = sorted([*s.fulfilled[seat], card("pact", id)])


def fulfil_some(s: WutakiState, seat: int, element: str, n: int) -> None:
    """Lay pacts of an element on a seat's fulfilled pile.

    Args:
        s: The state.
        seat: The seat concerned.
        element: The element.
        n: The number of pacts.
    """
    cards = [each for each in s.pact_deck if BOX.pacts[each].element == ELEMENT[element]][:n]
    fulfil(s, seat, *(BOX.ids["pact"][each] for each in cards))


def hold(s: WutakiState, seat: int, *omens: str) -> None:
    """Move omens out of the deck into a hand.

    Args:
        s: The state.
        seat: The seat concerned.
        *omens: Ids of the omens.
    """
    for id in omens:
        s.omen_deck.remove(card("omen", id))
        s.omens[seat] = sorted([*s.omens[seat], card("omen", id)])


def lay_permanent(s: WutakiState, seat: int, omen: str) -> None:
    """Lay a permanent omen in front of a seat.

    Args:
        s: The state.
        seat: The seat concerned.
        omen: Id of the omen.
    """
    s.omen_deck.remove(card("omen", omen))
    s.permanent[seat] = card("omen", omen)


def avenge(s: WutakiState, seat: int, *cards: str) -> None:
    """Lay vengeance cards out of the deck in front of a seat, known to it alone.

    Args:
        s: The state.
        seat: The seat concerned.
        *cards: Ids of the cards.
    """
    for id in cards:
        s.vengeance_deck.remove(card("vengeance", id))
        hold_vengeance(s, seat, card("vengeance", id), 1 << seat)


def know_secret(s: WutakiState, seat: int, *cards: str) -> None:
    """Lay secret pacts out of the deck in front of a seat.

    Args:
        s: The state.
        seat: The seat concerned.
        *cards: Ids of the secret pacts.
    """
    for id in cards:
        s.secret_pact_deck.remove(card("secret_pact", id))
        s.secret_pacts[seat] = sorted([*s.secret_pacts[seat], card("secret_pact", id)])


def hire(s: WutakiState, seat: int, extra: int = 0, special: int = 0) -> None:
    """Move workers from the tower to the seat's home.

    Args:
        s: The state.
        seat: The seat concerned.
        extra: The number of extra workers.
        special: The number of special workers.
    """
    for kind, n in ((1, extra), (2, special)):
        s.tower[seat][kind] -= n
        s.home[seat][kind] += n


def stand(s: WutakiState, seat: int, worker: str, place: str) -> None:
    """Move a worker from home onto the leftmost free field of a place.

    Args:
        s: The state.
        seat: The seat concerned.
        worker: The type of the worker.
        place: The name of the place.
    """
    kind = WORKERS.index(worker)
    s.home[seat][kind] -= 1
    spot = PLACES.index(place)
    fields = s.fields[OWN_PLACE + seat if spot == OWN_PLACE else spot]
    fields[fields.index(-1)] = seat * WORKER_TYPES + kind


def upgrade(s: WutakiState, seat: int, *places: str) -> None:
    """Lay upgrade markers of a seat on standard places.

    Args:
        s: The state.
        seat: The seat concerned.
        *places: The names of the places.
    """
    for place in places:
        s.markers[PLACES.index(place) - PLACES.index("merchant")].append(seat)
        s.upgrade_markers[seat] -= 1


def build(s: WutakiState, seat: int, id: str) -> None:
    """Build a tower upgrade.

    Args:
        s: The state.
        seat: The seat concerned.
        id: Id of the upgrade.
    """
    index = card("tower_upgrade", id)
    s.tower_left.remove(index)
    s.built[seat][BOX.tower_upgrades[index].slot] = index
    s.upgrade_markers[seat] -= 1


def take_board(s: WutakiState, seat: int, id: str) -> None:
    """Put a face of a masterboard in front of a seat.

    Args:
        s: The state.
        seat: The seat concerned.
        id: Id of the face.
    """
    s.masterboard[seat] = card("masterboard", id)
    s.fields[OWN_PLACE + seat] = [-1] * BOX.masterboards[s.masterboard[seat]].fields[s.seats]


def amounts(s: WutakiState, seat: int) -> dict[str, int]:
    """Return the tokens of a seat by resource, without those it has none of."""
    return {name: n for name, n in zip(RESOURCES, s.stock[seat], strict=True) if n}


def gold(s: WutakiState, seat: int) -> int:
    """Return a seat's gold."""
    return s.stock[seat][GOLD]


def who(seat: int, worker: str) -> int:
    """Return a worker as fields show it."""
    return seat * WORKER_TYPES + WORKERS.index(worker)


def at(s: WutakiState, place: str) -> list[int]:
    """Return the fields of a place."""
    return s.fields[PLACES.index(place)]


# -- tables of lessons -----------------------------------------------------------------------------


def calm(**options: Any) -> WutakiState:
    """Return a table of two whose next pact moves the counter to a position without an event.

    Seat 0 pays stone.
    """
    s = state(2, **options)
    s.cost_marker = [4, 2]
    s.cost_marker_pool = [0, 2]
    s.counter = 2
    return s


def open_pact() -> ScriptedGame:
    """Return a game in which seat 0 is missing the stone for the pact in front of it (E11)."""
    s = calm()
    accept(s, 0, "fire_11")
    stock(s, 0, gold=5, stone=1)
    hold(s, 0, "om_tax", "om_great_offering")
    return table(s)


def row_of_pacts() -> ScriptedGame:
    """Return a game with four pacts in the row; seat 0 can pay for one of them (E22)."""
    s = calm()
    show(s, "fire_01", "fire_02", "fire_03", "fire_04")
    stock(s, 0, wood=4)
    return table(s)


def empty_village() -> ScriptedGame:
    """Return a game in which nobody has hired anybody."""
    s = calm()
    stock(s, 0, gold=1, stone=1)
    return table(s)


def poor() -> ScriptedGame:
    """Return a game in which seat 0 can't pay for an upgrade."""
    s = calm()
    stock(s, 0, gold=1)
    return table(s)


def upgraded_quarry() -> ScriptedGame:
    """Return a game in which the other seat has a marker on the quarry (E9)."""
    s = calm()
    stock(s, 0, gold=2)
    upgrade(s, 1, "quarry")
    return table(s)


def rich() -> ScriptedGame:
    """Return a game in which seat 0 can pay for most upgrades."""
    s = calm()
    stock(s, 0, gold=8)
    return table(s)


def foot_of_the_pyramid() -> ScriptedGame:
    """Return a game in which seat 0 can climb one level."""
    s = calm()
    stock(s, 0, sheep=2, wood=3)
    return table(s)


def crowded_market() -> ScriptedGame:
    """Return a game in which two workers of the other seat leave one free field on the market."""
    s = calm()
    stock(s, 0, gold=1)
    hire(s, 1, extra=2)
    stand(s, 1, "extra", "market")
    stand(s, 1, "extra", "market")
    return table(s)


def great_offering() -> ScriptedGame:
    """Return a game in which seat 0 holds two omens and can pay for one (E12)."""
    s = calm()
    stock(s, 0, wood=4, oil=4)
    hold(s, 0, "om_great_offering", "om_golden_idol")
    return table(s)


def due_workers() -> ScriptedGame:
    """Return a game in which the next pact makes additional workers due (E18).

    Seat 0 can pay for two of its four.
    """
    s = calm()
    s.counter = 4
    hire(s, 0, extra=3, special=1)
    stand(s, 0, "extra", "market")
    stand(s, 0, "extra", "merchant")
    accept(s, 0, "earth_03")
    stock(s, 0, sheep=4, stone=2)
    return table(s).play("p0 visit loyal pasture")


def secret_limit() -> ScriptedGame:
    """Return a game in which seat 0 has drawn a vengeance card and a secret pact."""
    s = calm()
    avenge(s, 0, "ve_stone")
    know_secret(s, 0, "sp_most_fire")
    stock(s, 0, gold=2, stone=5)
    return table(s)


def swap_table() -> ScriptedGame:
    """Return a game in which seat 0 is missing oil for its pact, but has other resources."""
    s = calm()
    accept(s, 0, "fire_01")
    stock(s, 0, wood=3)
    return table(s)


def before_the_count() -> ScriptedGame:
    """Return the end of a game of two, with the points of the rulebook's example (E1)."""
    s = calm()
    s.vp = [99, 60]
    avenge(s, 0, "ve_pacts_4", "ve_stone")
    accept(s, 0, "earth_16")
    fulfil_some(s, 0, "fire", 5)
    fulfil_some(s, 0, "water", 1)
    fulfil_some(s, 0, "earth", 1)
    fulfil_some(s, 1, "fire", 4)
    know_secret(s, 0, "sp_most_fire")
    lay_permanent(s, 0, "om_keeper_of_omens")
    hold(s, 0, *("om_tax", "om_panic", "om_visions", "om_crumbs", "om_takeover", "om_sabotage", "om_rockfall"))
    hold(s, 0, "om_driftwood", "om_scapegoat")
    stock(s, 0, oil=5, wood=4, stone=2, gold=2)
    return table(s)


# -- tables of the rules page ----------------------------------------------------------------------


def fulfilled_pact() -> ScriptedGame:
    """Return a game in which seat 0 has fetched the stone and fulfilled the pact (E11)."""
    return open_pact().play("p0 visit loyal quarry\np0 fulfil fire_11\np0 discard om_tax")


def accepting() -> ScriptedGame:
    """Return a game in which seat 0 chooses one of the pacts in the row."""
    return row_of_pacts().play("p0 visit loyal accept_pact")


def visited_quarry() -> ScriptedGame:
    """Return a game in which seat 0 has visited the quarry with the other seat's marker (E9)."""
    return upgraded_quarry().play("p0 visit loyal quarry")


def first_hired() -> ScriptedGame:
    """Return a game in which seat 0 has hired its first extra worker."""
    return empty_village().play("p0 visit loyal village")


def first_level() -> ScriptedGame:
    """Return a game in which seat 0 stands on the first level of the pyramid."""
    return foot_of_the_pyramid().play("p0 visit loyal pyramid")
