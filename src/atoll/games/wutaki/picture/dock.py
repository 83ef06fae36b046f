"""The dock with the viewer's own goods, workers, tower, masterboard, pacts and secret cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, Rows, fragment

from ..components import WutakiComponents
from ..describe import describe
from ..kinds import EXTRA, RESOURCES, WORKERS
from ..signs import cost_signs
from ..view import Estimate, WutakiReminders, WutakiTable
from . import card_faces
from .cults import Cult, Price, board_text, goods, hire_in_words, hire_signs
from .drawing import draw, in_row
from .table import named, tower_price, tower_sign

Reminder = tuple[int, int]
"""The points of an own card if the game ended now, and the value that it counts."""


class Card(NamedTuple):
    """A small card of the viewer.

    Attributes:
        domain: The domain of the card.
        card: The card.
        id: The id of its element.
        choice: The choices that it stands for.
        used: Whether it is used up.
        reminder: Its points if the game ended now; None if they aren't known.
    """

    domain: str
    card: int
    id: str
    choice: str = ""
    used: bool = False
    reminder: Reminder | None = None


def hand(
    words: GameMessages, s: WutakiTable, seats: int, discount: int, cult: Cult, estimates: WutakiReminders
) -> list[Region]:
    """Return the viewer's possessions, and the secret cards if there are any.

    Args:
        words: The messages of the game.
        s: The view of the state.
        seats: The number of seats.
        discount: The gold that an upgrade costs less in this round.
        cult: The viewer's public possessions.
        estimates: The estimates of the viewer's cards.
    """
    reminders = tuple(_found(estimates.pact, pact) for pact in cult.pacts)
    cards = _cards(words, s, cult, estimates)
    found = [mine(words, seats, s.side, discount, cult, reminders)]
    return [*found, secrets(words, seats, *cards)] if cards else found


def _found(estimates: Sequence[Estimate], card: int) -> Reminder | None:
    return next(((points, value) for each, points, value in estimates if each == card), None)


# -- goods, workers, boards and pacts --------------------------------------------------------------


@fragment
def mine(
    words: GameMessages[WutakiComponents],
    seats: int,
    side: int,
    discount: int,
    cult: Cult,
    reminders: tuple[Reminder | None, ...],
) -> Region:
    """Return the viewer's goods, workers, tower, masterboard and pacts.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        side: The side of the island.
        discount: The gold that an upgrade costs less in this round.
        cult: The viewer's possessions.
        reminders: The reminders of the pacts.
    """
    drawings = [_worker(words, cult.seat, kind, n) for kind, n in enumerate(cult.home)]
    drawings.append(_tower(words, side, discount, cult.seat, cult.built, cult.tower, cult.cost_marker, cult.hire))
    if cult.masterboard >= 0:
        drawings.append(
            _masterboard(words, seats, cult.seat, cult.masterboard, cult.track, cult.multiplier, cult.fields)
        )
    for place, (pact, reminder) in enumerate(zip(cult.pacts, reminders, strict=True)):
        drawings.append(_own_pact(words, seats, place, pact, _paid(words.game.components, cult, pact), reminder))
    return Region("mine", words.say("table.mine"), "hand", drawings, goods(words, cult, mine=True), flow="fan")


@fragment
def _worker(words: GameMessages, seat: int, kind: int, count: int) -> Drawing:
    """Return a type of worker with the number of those at home."""
    name = WORKERS[kind]
    markup = draw(
        "worker",
        id=f"mine-{name}",
        name=words.say("table.workers", {"worker": kind, "n": count}),
        seat=seat,
        kind=name,
        count=count,
        choice=f"visit {name} *; crowd_in {name} *; idle {name}; leave {name} home",
    )
    return Drawing(f"box-mine-{name}", 44, 96, markup)


@fragment
def _tower(
    words: GameMessages[WutakiComponents],
    side: int,
    discount: int,
    seat: int,
    built: Row,
    inside: Row,
    cost_marker: int,
    hire: Price | None,
) -> Drawing:
    """Return the tower with its upgrades, the workers in it and the price of the next one.

    Args:
        words: The messages of the game.
        side: The side of the island.
        discount: The gold that an upgrade costs less in this round.
        seat: The seat.
        built: The upgrades, by slot; -1 for none.
        inside: The number of workers in it, by type.
        cost_marker: The resource of the cost marker.
        hire: The price of the next worker; see `Cult`.
    """
    components = words.game.components
    slots = []
    for slot, card in enumerate(built):
        row = in_row(tower_price(components, slot, discount), 29 + slot * 44, 38, 15.8, width=36, middle=True)
        slots.append({"sign": tower_sign(components, side, card) if card >= 0 else "", "row": row})
    titles = [words.name("tower_upgrade", card) for card in built if card >= 0]
    name = f"{words.say('table.tower')}: {', '.join(titles) or words.say('table.nothing')}."
    markup = draw(
        "tower",
        id="own-tower",
        name=name if hire is None else f"{name} {hire_in_words(words, cost_marker, hire)}.",
        slots=slots,
        price=None if hire is None else _price(cost_marker, hire),
        seat=seat,
        workers=[WORKERS[kind] for kind in range(EXTRA, len(WORKERS)) for _ in range(inside[kind])],
    )
    return Drawing("box-own-tower", 160, 96, markup)


def _price(cost_marker: int, hire: Price) -> Markup:
    return in_row(hire_signs(cost_marker, hire), 125, 38, 15.8, width=52, middle=True)


@fragment
def _masterboard(
    words: GameMessages, seats: int, seat: int, face: int, track: int, multiplier: int, fields: Rows
) -> Drawing:
    """Return the masterboard with its track, multiplier or option, and its own place.

    See `Cult`.
    """
    text = board_text(words, seats, face, track, multiplier)
    markup = card_faces.masterboard(
        words,
        seats,
        face,
        f"face-of-{seat}",
        named(words, words.name("masterboard", face), text, fields),
        "visit * own_place; crowd_in * own_place; recall * own_place",
        track=track,
        multiplier=multiplier,
        fields=fields,
    )
    return Drawing(f"box-face-of-{seat}", 180, 96, markup)


@fragment
def _own_pact(
    words: GameMessages, seats: int, place: int, pact: int, paid: tuple[bool, ...], reminder: Reminder | None
) -> Drawing:
    """Return a pact to be fulfilled.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        place: Its place among the pacts.
        pact: The pact.
        paid: Whether the viewer can pay each of its costs.
        reminder: What it would cost.
    """
    id = words.game.notation.name("pact", pact)
    text = describe(words, "pact", pact, seats) + _reminder(words, "pact", reminder)
    choice = f"fulfil {id}; discard_pact {id}; gift {id}"
    return card_faces.tablet(words, pact, f"own-pact-{place}", text, choice, own=True, paid=paid)


def _paid(components: WutakiComponents, cult: Cult, pact: int) -> tuple[bool, ...]:
    """Return whether a seat has as much as each cost of a pact asks for."""
    stock = dict(zip(RESOURCES, cult.stock, strict=True))
    stock |= {"any": sum(cult.stock), "omen": cult.omens, "marker": cult.stock[cult.cost_marker]}
    return tuple(stock.get(sign, 0) >= int(n) for n, sign in cost_signs(components.pacts[pact].action.cost))


# -- cards -----------------------------------------------------------------------------------------


def _cards(words: GameMessages, s: WutakiTable, cult: Cult, estimates: WutakiReminders) -> list[Card]:
    """Return the viewer's cards from left to right."""
    seat, name, found = cult.seat, words.game.notation.name, []
    if cult.ability >= 0:
        choice = "" if cult.ability_used else f"use {name('ability', cult.ability)}"
        found.append(Card("ability", cult.ability, f"ability-{seat}", choice, cult.ability_used))
    if cult.permanent >= 0:
        found.append(Card("omen", cult.permanent, f"permanent-{seat}"))
    element = s.element[seat]
    if element is not None and element >= 0:
        found.append(Card("element_card", element, "element"))
    secret_pacts, omens, vengeance = s.secret_pacts[seat], s.omens[seat], s.vengeance[seat]
    assert isinstance(secret_pacts, tuple)
    assert isinstance(omens, tuple)
    assert isinstance(vengeance, tuple)
    for place, each in enumerate(secret_pacts):
        choice, reminder = f"keep {name('secret_pact', each)}", _found(estimates.secret_pact, each)
        found.append(Card("secret_pact", each, f"secret-{place}", choice, reminder=reminder))
    for place, each in enumerate(omens):
        id = name("omen", each)
        found.append(Card("omen", each, f"omen-{place}", f"play {id}; discard {id}"))
    for place, each in enumerate(vengeance):
        id, reminder = name("vengeance", each), _found(estimates.vengeance, each)
        choice = f"give_vengeance {id}; return_vengeance {id}"
        found.append(Card("vengeance", each, f"vengeance-{place}", choice, reminder=reminder))
    return found


@fragment
def secrets(words: GameMessages, seats: int, *cards: Card) -> Region:
    """Return the viewer's secret cards.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        *cards: The cards, from left to right.
    """
    return Region(
        "secrets", words.say("table.secrets"), "hand", [_small_card(words, seats, each) for each in cards], flow="fan"
    )


@fragment
def _small_card(words: GameMessages, seats: int, card: Card) -> Drawing:
    """Return a card as signs."""
    text = describe(words, card.domain, card.card, seats) + _reminder(words, card.domain, card.reminder)
    said = words.say("table.used") if card.used else text
    return card_faces.mini(words, card.domain, card.card, card.id, said, card.choice, used=card.used)


def _reminder(words: GameMessages, domain: str, reminder: Reminder | None) -> str:
    """Return the sentence with the points of a card if the game ended now."""
    if reminder is None:
        return ""
    points, value = reminder
    key = f"table.reminder.{domain}" if points else f"table.reminder.{domain}.nothing"
    return " " + words.say(key, {"points": points, "value": value})
