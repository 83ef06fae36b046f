"""The court of an action round: locations, forest, decks, favor, bag, and the tray.

The tray holds the cards that the viewer has to choose from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fragment, Region, Row, fragment

from ..kinds import ASSISTANT, DECK, LOCATION
from ..state import NOBODY
from .cards import CARD, forest_card, looked, ritual
from .drawing import area, draw, inline, inline_width, spread
from .texts import components_of, id_of, in_turn, printed_text, say

_ACTIONS: Final[Mapping[str, Sequence[str]]] = {
    "forest": ("2×", "#forest", "↻", "↺"),
    "marae": ("#commodity", "›", "#tattoo", "·", "#ritual"),
    "reef": ("#die", "›", "#pearl"),
    "path": ("#pearl", "›", "#priest", "›", "#mana"),
    "neighbourhood": ("#masks", "⇄", "#masks"),
    "marketplace": ("#commodity", "›", "#rise", "·", "#pearl", "›", "#helpers"),
}

_KAHUNA: Final[Mapping[str, Sequence[str]]] = {
    "forest": ("1.",),
    "marae": ("×2",),
    "reef": ("+3", "#pearl"),
    "path": ("+1", "#priest"),
    "neighbourhood": ("#statue",),
    "marketplace": ("×2",),
}
"""The bonus of a location's Kahuna in signs, as its action above.

The names of the elements say both in words.
"""


class Queue(NamedTuple):
    """The seats whose part of a location is still to come, beginning with the current one."""

    seats: Row
    backwards: bool
    """Whether they follow counter-clockwise."""


@fragment
def location(
    words: GameMessages, location: int, taker: int = NOBODY, *, current: bool = False, queue: Queue | None = None
) -> Region:
    """Draw a location card: its action, the bonus of its Kahuna, and the seat that has taken it.

    Args:
        words: The messages of the game.
        location: The location.
        taker: The seat that has taken it.
        current: Whether it is being carried out.
        queue: The seats that are still to come, if they act one after another.

    Returns:
        The region.
    """
    id, name = LOCATION.label(location), words.name("location", location)
    texts = [printed_text(words, kind, location) for kind in ("location", "kahuna")]
    about = f"{name}: {texts[0]} {say(words, 'kahuna')}: {texts[1]}"
    if taker != NOBODY:
        about += " " + say(words, "taken", seat=taker)
    order = ""
    if queue is not None:
        order = in_turn(words, "order.reversed" if queue.backwards else "order", queue.seats)
    roll = components_of(words).bonus_roll[location]
    bonus = ["#crown", *_KAHUNA[id]]
    markup = draw(
        "location",
        id=f"location-{id}",
        name=about,
        help=order,
        title=name,
        action=inline(_ACTIONS[id], 12, 102, 112, scale=0.5, size=15, start=True),
        bonus=inline(bonus, 154, 102, 62, scale=0.42, size=15, css="pale"),
        left=148 - inline_width(bonus, 62, scale=0.42, size=15) / 2,
        choice=f"go {id}",
        css=("current " if current else "") + ("open" if taker == NOBODY else "taken"),
        place=id,
        roll=ASSISTANT.label(roll) if roll >= 0 else "",
        seat=taker,
        queue=queue.seats if queue is not None else (),
    )
    return area(f"place-{id}", name, Drawing(f"place-{id}", 196, 118, markup), "board")


@fragment
def forest(words: GameMessages, left: int, cards: Row) -> Region:
    """Draw the forest deck and the display, in lines of four or more cards.

    Args:
        words: The messages of the game.
        left: The number of cards in the deck.
        cards: The display.

    Returns:
        The region.
    """
    deck, *spots = spread(len(cards) + 1, 250, 156, CARD, start=True)
    title, name = say(words, "forest"), f"{say(words, 'forest_deck')}: {left}"
    drawn = [draw("forest_deck", name=name, left=left, at=deck)]
    drawn += [
        forest_card(words, card, f"display-{n}", at) for n, (card, at) in enumerate(zip(cards, spots, strict=True))
    ]
    return area("display", title, Drawing("display", 250, 156, Markup().join(drawn)))


@fragment
def tray(words: GameMessages, drawn: Row, looked_at: Row) -> Region:
    """Draw the cards that the viewer has to choose from, with their texts.

    Args:
        words: The messages of the game.
        drawn: The rituals.
        looked_at: The cards of the forest.

    Returns:
        The region.
    """
    drawings = [
        ritual(words, card, f"drawn-{place}", f"keep {id_of(words, 'ritual', card)}", worded=True)
        for place, card in enumerate(drawn)
    ]
    drawings += [looked(words, card, place) for place, card in enumerate(looked_at)]
    # If the page shows low faces, a drawing is cut from below.
    return Region("choose", say(words, "drawn"), "board", drawings, flow="fan")


@fragment
def favour(words: GameMessages, at: str, seats: Row, offers: Row) -> Region:
    """Draw the stones of favor on their ledge.

    Args:
        words: The messages of the game.
        at: "feast-" at a feast, else "".
        seats: The seats, the first in favor first.
        offers: The mana that each seat has offered at this feast; empty before that.

    Returns:
        The region.
    """
    said = [words.seat(seat) + (f" ({say(words, 'offer', n=offers[seat])})" if offers else "") for seat in seats]
    name = say(words, "favour", order=", ".join(said))
    stones = []
    for place, seat in enumerate(seats):
        x = 40 + place * 62
        parts = [str(offers[seat]), "#mana"] if offers else [str(place + 1)]
        stones.append({"seat": seat, "x": x, "label": inline(parts, x, 64, 56, size=16, css="pale")})
    width = 18 + 62 * len(seats)
    markup = draw("favour", stones=stones, name=name, width=width)
    return area(f"{at}favour", name, Drawing("favour", width, 76, markup))


@fragment
def bag(words: GameMessages, at: str, left: int) -> Region:
    """Draw the bag with its mana.

    Args:
        words: The messages of the game.
        at: "feast-" at a feast, else "".
        left: The mana in the bag.

    Returns:
        The region.
    """
    title = say(words, "bag")
    return area(f"{at}bag", title, Drawing("bag", 96, 92, draw("bag", name=f"{title}: {left}", left=left)))


@fragment
def decks(words: GameMessages, at: str, left: Row, discards: tuple[Row, ...]) -> Region:
    """Draw the decks of normal and forbidden rituals, with their numbers of cards and discards.

    Args:
        words: The messages of the game.
        at: "feast-" at a feast, else "".
        left: By deck the number of its cards.
        discards: By deck its discards.

    Returns:
        The region.
    """
    parts = tuple(_deck(words, deck, left[deck], discards[deck]) for deck in range(DECK.size))
    return area(f"{at}decks", say(words, "rituals"), Drawing.of_parts("decks", 150, 92, parts))


@fragment
def _deck(words: GameMessages, deck: int, left: int, discards: Row) -> Fragment:
    id = DECK.label(deck)
    listed = ", ".join(words.name("ritual", card) for card in discards)
    markup = draw(
        "deck",
        id=id,
        x=76 * deck,
        left=left,
        discarded=len(discards),
        name=say(words, "deck", deck=deck, left=left, discarded=len(discards)),
        help=say(words, "discards", cards=listed) if listed else "",
        choice=f"draw {id}; buy {id}",
    )
    return Fragment.of(markup)
