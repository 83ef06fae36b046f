"""Cards, drawn the same everywhere: rituals, goods, helpers, masks."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, fragment
from atoll.picture.svg_macros import text_width, wrap

from ..components import RITUAL_KINDS, RaiateaComponents
from ..kinds import ASSISTANT, COMMODITIES, COMMODITY, DECK, FIRST_FOREST_MASK, MIRROR_MASK
from ..state import NOBODY
from .drawing import Spot, draw, inline
from .signs import ritual_signs, treasure_signs
from .texts import components_of, describer, id_of, printed_text, say

_FAMILIES: Final = ("task", "helper", "colour")
CARD: Final = (58, 76)
RITUAL: Final = (100, 128)
RITUAL_WITH_TEXT: Final = (150, 214)
_LOW: Final = 148
"""The height of a ritual's face if there is little room; `table.css` shows it."""


# -- rituals ---------------------------------------------------------------------------------------


@fragment
def ritual(
    words: GameMessages,
    card: int,
    id: str,
    choice: str = "",
    *,
    owner: int = NOBODY,
    dim: bool = False,
    source: int | None = None,
    worded: bool = False,
    bagged: bool = False,
) -> Drawing:
    """Draw a ritual card.

    Args:
        words: The messages of the game.
        card: The ritual.
        id: The id of its element.
        choice: The choices that it stands for.
        owner: The seat whose mark it has.
        dim: Whether it is faint.
        source: The mana that there was for it in the row, once it has had its turn.
        worded: Whether it has its text.
        bagged: Whether it has the sign of the bag.

    Returns:
        The drawing.
    """
    components = components_of(words)
    cost = components.ritual_cost[card]
    title = words.name("ritual", card)
    name = ritual_name(words, card)
    if owner != NOBODY:
        name += " " + say(words, "owner", seat=owner)
    outcome = ""
    if source is not None:
        key = "carried_out" if source >= cost else "failed"
        outcome = say(words, "outcome", n=source, total=source - cost) if source >= cost else str(source)
        name += " " + say(words, f"{key}.name", n=source, total=source - cost)
    width, height = RITUAL_WITH_TEXT if worded else RITUAL
    faces = [_face(components, card, width, height, 90 if worded else 100)]
    if worded:
        text = describer(words).ritual(card)
        faces[0] |= {"css": "face-tall", "lines": wrap(text, width - 16, 16.1), "first": 111, "leading": 16.6}
        faces.append(_low_face(components, card, text))
    markup = draw(
        "ritual",
        id=id,
        name=name,
        title=title,
        title_width=text_width(title, 14),
        faces=faces,
        cost=cost,
        kind=RITUAL_KINDS[components.ritual_kind[card]],
        deck=DECK.label(components.ritual_deck[card]),
        choice=choice,
        owner=owner,
        dim=dim,
        outcome=outcome,
        source=source,
        bagged=bagged,
        width=width,
    )
    return Drawing(f"ritual-{id}", width, height, markup)


def _face(components: RaiateaComponents, card: int, width: int, height: int, bottom: int) -> dict[str, Any]:
    """Return the effects of a ritual in signs, one line for each effect.

    They are between its name and the bottom.

    Args:
        components: The components.
        card: The ritual.
        width: The width of the card.
        height: Its height.
        bottom: The bottom of the signs.
    """
    lines = ritual_signs(components, card)
    top = 38
    step = min(30.0, (bottom - top) / len(lines))
    first = (top + bottom) / 2 - step * (len(lines) - 1) / 2
    scale = 0.62 if len(lines) < 3 else 0.5
    signs = Markup().join(
        inline(parts, (width + 30) / 2, first + at * step, width - 42, scale=scale, size=17)
        for at, parts in enumerate(lines)
    )
    return {"css": "", "low": False, "height": height, "signs": signs, "lines": []}


def _low_face(components: RaiateaComponents, card: int, text: str) -> dict[str, Any]:
    """Return the face of a ritual with its text for little height.

    All signs are in one line, and a long text is in narrow type.
    """
    width, _ = RITUAL_WITH_TEXT
    parts = [part for line in ritual_signs(components, card) for part in ("·", *line)]
    lines, css = wrap(text, width - 14, 14.2), "face-low"
    if len(lines) > 4:
        lines, css = wrap(text, width - 12, 14.2 * 0.85), "face-low long"
    return {
        "css": css,
        "low": True,
        "height": _LOW,
        "signs": inline(parts[1:], (width + 30) / 2, 43, width - 42, scale=0.6, size=17),
        "lines": lines,
        "first": 71,
        "leading": 15,
    }


def ritual_name(words: GameMessages, card: int) -> str:
    """Return the name of a ritual's element: its title, its cost, its kind and its text."""
    components = components_of(words)
    kind = say(words, f"kind.{RITUAL_KINDS[components.ritual_kind[card]]}")
    return say(
        words, "ritual", ritual=card, n=components.ritual_cost[card], kind=kind, text=describer(words).ritual(card)
    )


@fragment
def chip(words: GameMessages, card: int, id: str, at: Spot) -> Markup:
    """Draw a permanent ritual in front of its seat.

    Args:
        words: The messages of the game.
        card: The card.
        id: The id of its element.
        at: Its position and scale.

    Returns:
        The markup.
    """
    line = ritual_signs(components_of(words), card)[0]
    parts = inline(line, 50, 19, 80, scale=0.5, size=16, gap=2)
    return draw("chip", id=id, name=ritual_name(words, card), parts=parts, at=at)


# -- the forest ------------------------------------------------------------------------------------


def forest_card(words: GameMessages, card: int, id: str, at: Spot) -> Markup:
    """Draw a card of the forest: a commodity, a helper, or a mask with its treasure.

    Args:
        words: The messages of the game.
        card: The card.
        id: The id of its element.
        at: Its position and scale.

    Returns:
        The markup.
    """
    choice = f"pick {id_of(words, 'forest_card', card)}"
    if card < COMMODITIES:
        return commodity(words, card, id, choice, at)
    if card < FIRST_FOREST_MASK:
        return helper(words, card - COMMODITIES, id, choice, at)
    return mask(words, _god(words, card), id, choice, at, treasure=describer(words).treasure(card))


@fragment
def looked(words: GameMessages, card: int, place: int) -> Drawing:
    """Draw a forest card with its text, which the viewer looks at in private.

    Args:
        words: The messages of the game.
        card: The forest card.
        place: Its place among the cards.

    Returns:
        The drawing.
    """
    small = forest_card(words, card, f"looked-{place}", (42.0, 8.0, 1.15))
    if card >= FIRST_FOREST_MASK:
        told = describer(words)
        text = " ".join(filter(None, (told.mask(_god(words, card)), told.treasure(card))))
    elif card >= COMMODITIES:
        text = words.name("assistant", card - COMMODITIES)
    else:
        text = words.name("commodity", card)
    return Drawing(f"card-looked-{place}", *RITUAL_WITH_TEXT, draw("looked", card=small, text=text))


def _god(words: GameMessages, card: int) -> int:
    """Return the god of a mask in the forest."""
    return components_of(words).mask_cards[card - FIRST_FOREST_MASK][0]


# -- goods, helpers, masks -------------------------------------------------------------------------


@fragment
def commodity(words: GameMessages, commodity: int, id: str, choice: str, at: Spot) -> Markup:
    """Draw a commodity card.

    Args:
        words: The messages of the game.
        commodity: The commodity.
        id: The id of its element.
        choice: The choices that it stands for.
        at: Its position and scale.

    Returns:
        The markup.
    """
    name, sign = words.name("commodity", commodity), COMMODITY.label(commodity)
    return draw("card", id=id, name=name, sign=sign, choice=choice, help="", at=at)


@fragment
def helper(
    words: GameMessages,
    assistant: int,
    id: str,
    choice: str,
    at: Spot,
    *,
    ready: int | None = None,
    turned: int = 0,
    mini: bool = False,
) -> Markup:
    """Draw a helper.

    Args:
        words: The messages of the game.
        assistant: Its kind.
        id: The id of its element.
        choice: The choices that it stands for.
        at: Its place and its scale.
        ready: How many of its kind are ready. None for a single card.
        turned: How many are exhausted.
        mini: Whether it is small and without a card.

    Returns:
        The markup.
    """
    name = words.name("assistant", assistant)
    if ready is not None:
        name = say(words, "helpers", assistant=assistant, ready=ready, exhausted=turned)
    values = {"id": id, "name": name, "sign": ASSISTANT.label(assistant), "choice": choice}
    return draw("helper", **values, help=about(words, assistant), ready=ready, turned=turned, mini=mini, at=at)


def about(words: GameMessages, assistant: int) -> str:
    """Return the printed texts of a helper."""
    return " ".join(printed_text(words, kind, assistant) for kind in ("permanent", "send"))


@fragment
def mask(
    words: GameMessages,
    god: int,
    id: str,
    choice: str,
    at: Spot,
    *,
    treasure: str = "",
    pair: str = "",
    bare: bool = False,
    height: int = CARD[1],
) -> Markup:
    """Draw a mask.

    Args:
        words: The messages of the game.
        god: Its god.
        id: The id of its element.
        choice: The choices that it stands for.
        at: Its place and its scale.
        treasure: The text of its treasure, or "".
        pair: "natural" or "mirrored" for a pair, else "".
        bare: Whether there is only its face, without a card.
        height: The height of its card. A low one has no name.

    Returns:
        The markup.
    """
    components = components_of(words)
    mirror = god == MIRROR_MASK
    name = words.name("mask", god)
    parts = treasure_signs(components.mask_cards, god) if treasure else []
    return draw(
        "mask",
        id=id,
        name=name if not pair else say(words, f"pair.{pair}", mask=god),
        title=say(words, "mirror") if mirror else name,
        colour="mirror" if mirror else f"colour-{components.god_colour[god]}",
        family="mirror" if mirror else _FAMILIES[components.god_family[god]],
        counts=_counts(components, god),
        treasure=inline(parts, 29, 50, 48, scale=0.36, size=13, gap=1),
        pair=pair,
        bare=bare,
        height=height,
        choice=choice,
        help=" ".join(filter(None, (describer(words).mask(god), treasure))),
        at=at,
    )


def _counts(components: RaiateaComponents, god: int) -> str:
    """Return the sign of the things that a pair of the god counts."""
    if god == MIRROR_MASK:
        return ""
    if components.god_counts[god] < 0:
        return "colours"
    if components.god_family[god] == 0:
        return ("pearl", "mana", "commodity", "condition", "ritual", "masks")[components.god_counts[god]]
    return ASSISTANT.label(components.god_counts[god])
