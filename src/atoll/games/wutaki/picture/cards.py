"""Cards on the table: open pacts, decks, tower upgrades, masterboards to be picked."""

from __future__ import annotations

from typing import Any

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, fragment
from atoll.picture.svg_macros import wrap

from ..components import ELEMENT_SLOT, WutakiComponents
from ..describe import describe
from .card_faces import tablet
from .drawing import draw, in_row, squeezed
from .table import area, tower_price, tower_sign


@fragment
def slot(words: GameMessages, seats: int, slot: int, pact: int, gold: int) -> Region:
    """Return a slot of the display.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        slot: The number of the slot.
        pact: The pact in it; -1 for none.
        gold: The gold that the slot brings, or costs if it is below 0.
    """
    if pact < 0:
        drawing = Drawing(f"no-pact-{slot}", 128, 158, draw("no_tablet"))
    else:
        id = words.game.notation.name("pact", pact)
        text = describe(words, "pact", pact, seats)
        if gold:
            text += f" {words.say('table.slot_gold', {'n': gold})}"
        drawing = tablet(words, pact, f"display-{slot}", text, f"accept {id}; gift {id}", gold=gold)
    return Region(f"slot-{slot}", words.say("table.display", {"n": slot + 1}), "board", [drawing], flow="fit")


@fragment
def pact_deck(words: GameMessages, left: int, discarded: Row) -> Region:
    """Return the deck of pacts.

    Args:
        words: The messages of the game.
        left: The number of its cards.
        discarded: The discarded pacts.
    """
    title = words.say("table.pact_deck")
    name = f"{title}: {left}. {_discarded(words, 'pact', discarded)}"
    markup = draw("pact_deck", name=name, n=left, discarded=len(discarded))
    return area("pact-deck", title, 70, 158, markup)


@fragment
def decks(words: GameMessages, omens: int, discarded: Row, secret_pacts: int, vengeance: int) -> Region:
    """Return the decks of omens, secret pacts and vengeance cards.

    Args:
        words: The messages of the game.
        omens: The number of omens in their deck.
        discarded: The discarded omens.
        secret_pacts: The number of secret pacts.
        vengeance: The number of vengeance cards.
    """
    found = [
        _deck(words, "omen", "omens", "eye", 0, omens, discarded),
        _deck(words, "secret_pact", "secrets", "secret", 94, secret_pacts),
        _deck(words, "vengeance", "curses", "skull", 148, vengeance),
    ]
    return area("decks", words.say("table.decks"), 196, 66, draw("decks", decks=found))


@fragment
def round_deck(words: GameMessages, left: int) -> Region:
    """Return the deck of round cards; `left` is its number of cards."""
    found = [_deck(words, "round_card", "rounds", "torch", 18, left)]
    return area("round-deck", words.say("table.deck.round_card"), 86, 66, draw("decks", decks=found))


def _deck(
    words: GameMessages, domain: str, css: str, sign: str, x: float, left: int, discarded: Row | None = None
) -> dict[str, Any]:
    """Return a deck; `discarded` is None if discarded cards aren't shown."""
    name = f"{words.say(f'table.deck.{domain}')}: {left}."
    return {
        "id": f"{domain}-deck",
        "name": name if discarded is None else f"{name} {_discarded(words, domain, discarded)}",
        "css": css,
        "sign": sign,
        "x": x + 1,
        "n": left,
        "discarded": None if discarded is None else len(discarded),
    }


def _discarded(words: GameMessages, domain: str, cards: Row) -> str:
    listed = ", ".join(words.name(domain, card) for card in cards) or words.say("table.nothing")
    return f"{words.say(f'table.discard.{domain}')}: {len(cards)} ({listed})"


@fragment
def towers(words: GameMessages[WutakiComponents], seats: int, side: int, discount: int, left: Row) -> Region:
    """Return the shelf of tower upgrades.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        side: The side of the island.
        discount: The gold that an upgrade costs less in this round.
        left: The upgrades that nobody has built.
    """
    components = words.game.components
    cards: list[dict[str, Any]] = []
    places = [0, 0]
    for card, upgrade in enumerate(components.tower_upgrades):
        id, title = words.game.notation.name("tower_upgrade", card), words.name("tower_upgrade", card)
        text = describe(words, "tower_upgrade", card, seats)
        cards.append(
            {
                "id": f"tower-{id}",
                "name": f"{title} ({words.say('table.card.tower')}). {text}",
                "choice": f"build {id}",
                "left": card in left,
                "sign": tower_sign(components, side, card),
                "x": 38 + places[upgrade.slot] * 32,
                "y": 22 if upgrade.slot == ELEMENT_SLOT else 60,
            }
        )
        places[upgrade.slot] += 1
    prices = [
        in_row(tower_price(components, slot, discount), 20, 39 + slot * 38, 15.8, width=35, middle=True)
        for slot in range(2)
    ]
    title = words.say("table.towers")
    return area("towers", title, 200, 98, draw("towers", title=squeezed(title, 196, 15.8), prices=prices, cards=cards))


@fragment
def faces(words: GameMessages, seats: int, left: Row) -> Region:
    """Return the dialog in which a seat picks its masterboard.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        left: The faces that can be picked.
    """
    offers = [_offer(words, seats, face) for face in left]
    return Region("faces", words.say("table.faces"), "dialog", offers, opens=("take_board",))


def _offer(words: GameMessages, seats: int, face: int) -> Drawing:
    title, text = words.name("masterboard", face), describe(words, "masterboard", face, seats)
    heading, lines = wrap(title, 190, 18), wrap(text, 214, 15)
    height = 34 + len(heading) * 20 + len(lines) * 19
    markup = draw(
        "offer",
        id=f"face-{face}",
        name=f"{title}. {text}",
        heading=heading,
        lines=lines,
        choice=f"take_board {words.game.notation.name('masterboard', face)}",
        height=height,
    )
    return Drawing(f"box-face-{face}", 240, height, markup)
