"""The row of cards that can be taken.

In the solo game it shows the two open cards, and at the end the cards that were left to Tahuma.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Hidden, Region, Row, fragment

from ..faces import SLOT_COLUMNS, SLOT_UNITS, Face
from ..kinds import LEFT, SIDE
from ..view import AtuaView
from .drawing import draw, face_of
from .table import card_in_words, components_of, fits, say

_ROW: Final = (123, 7.5)
_SOLO: Final = (132, 12.0)
"""The width of a card's drawing in the solo game, and its distance from the left edge."""
_HEIGHT: Final = 156
_OVER: Final = 130
"""The height of a card's drawing without a price below the card."""
_CORNER: Final = (8, 36)
"""The upper edge of a card, and the side of one of its nine slots."""
_SLOTS: Final = (2, 0, 8, 6, 5, 1, 3, 7, 4)
"""The slots of a card in which its coconuts may lie, the best ones first."""


class Terms(NamedTuple):
    """The price of a card.

    Attributes:
        key: Key of its message in `table.`; empty for a card that nobody can take.
        number: The number of coconuts in the message.
    """

    key: str
    number: int


def row(words: GameMessages, seen: AtuaView) -> Region:
    """Return the cards that can be taken, with their prices until the end of the game."""
    s, seat, game = seen.state, seen.shown, words.game
    supply, placed = s.supply[seat], s.placed[seat]
    left_over = seen.solo and len(s.row) == 1  # for Tahuma
    takeable = not seen.over and not left_over
    drawings = []
    for slot, (card, coconuts) in enumerate(zip(s.row, s.row_coconuts, strict=True)):
        judged = takeable and seen.viewer is not None
        fitting = not judged or fits(game, seen.solo, placed, card)
        price, won = _price(words, seen, slot)
        terms = Terms("win", won) if won else Terms("pay", price) if price else Terms("free", 0)
        if not takeable or not fitting:
            terms = Terms("no_fit" if takeable else "", 0)
        css = "held" if s.held == slot else "out" if judged and not (fitting and price <= supply) else ""
        choice = f"take_side {SIDE.label(min(slot, 1))}" if seen.solo else f"take {slot}"
        drawings.append(_open_card(words, card, choice, coconuts, terms, css, seen.solo, seen.over))
    return _row(words, seen.solo, *drawings)


def _price(words: GameMessages, seen: AtuaView, slot: int) -> tuple[int, int]:
    """Return the price of the card of a slot, and the coconuts that Tahuma's hut gives with it."""
    if not seen.solo:
        return slot, 0
    solo = components_of(words).solo
    return (solo.left_card_price, 0) if slot == LEFT else (0, min(solo.right_card_gain, seen.state.hut))


@fragment
def _row(words: GameMessages, solo: bool, *drawings: Drawing) -> Region:
    return Region("row", say(words, "open_cards" if solo else "row"), "hand", drawings)


@fragment
def _open_card(
    words: GameMessages, card: int, choice: str, coconuts: int, terms: Terms, css: str, solo: bool, over: bool
) -> Drawing:
    """Return a card of the row.

    Args:
        words: The game's messages.
        card: The card.
        choice: The choice that takes it.
        coconuts: The number of coconuts on it.
        terms: Its price.
        css: "held" for the card that is being placed, "out" for one that the viewer can't take,
            else "".
        solo: Whether it is one of the two open cards of a game against Tahuma.
        over: Whether the game is over.
    """
    printed = components_of(words).cards[card]
    label = say(words, terms.key, number=terms.number) if terms.key else ""
    name = card_in_words(words, card, printed.symbols)
    if coconuts:
        name += " " + say(words, "coconuts_on_it", number=coconuts)
    if label:
        name += f" {label[0].upper()}{label[1:]}."
    width, x = _SOLO if solo else _ROW
    coconuts_x, coconuts_y = _free_slot(printed.faces[0])
    slot = {
        "id": f"row-{printed.id}",
        "name": name,
        "help": words.say("reason.no_fit", {"card": card}) if terms.key == "no_fit" else "",
        "piece": printed.id,
        "choice": choice,
        "css": css,
        "label": label,
        "coconuts": coconuts,
        "coconuts_x": x + coconuts_x,
        "coconuts_y": coconuts_y,
        "x": x,
        "face": face_of(words.game, card, 0),
    }
    return Drawing(f"row-of-{printed.id}", width, _OVER if over else _HEIGHT, draw("row_card", slot=slot))


def _free_slot(face: Face) -> tuple[int, int]:
    """Return the middle of a slot without a symbol, where coconuts hide nothing.

    Args:
        face: The card, whose left edge is at 0.
    """
    taken = {SLOT_COLUMNS * (y // SLOT_UNITS) + x // SLOT_UNITS for x, y, _ in face.symbols}
    row, column = divmod(next(slot for slot in _SLOTS if slot not in taken), SLOT_COLUMNS)
    top, side = _CORNER
    return side * column + side // 2, top + side * row + side // 2


def pile(words: GameMessages, seen: AtuaView) -> Region:
    """Return the cards left to Tahuma, open for counting at the end of a solo game."""
    (cards,) = seen.state.tahuma_pile
    assert not isinstance(cards, Hidden)
    return _pile(words, cards)


@fragment
def _pile(words: GameMessages, cards: Row) -> Region:
    drawings = []
    for card in cards:
        printed = components_of(words).cards[card]
        name = card_in_words(words, card, printed.symbols)
        slot: dict[str, Any] = {"id": f"pile-{printed.id}", "name": name, "help": "", "piece": printed.id, "choice": ""}
        slot |= {"css": "", "label": "", "coconuts": 0, "x": 6, "face": face_of(words.game, card, 0)}
        drawings.append(Drawing(f"pile-of-{printed.id}", 120, 124, draw("row_card", slot=slot), name))
    return Region("pile", say(words, "pile"), "shared", drawings)
