"""Components alone, as the rules page shows them."""

from __future__ import annotations

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing

from ..components import WutakiComponents
from ..signs import round_signs
from .card_faces import masterboard, mini, tablet
from .drawing import draw, in_row, marked_sign_of, squeezed


def card_alone(words: GameMessages, domain: str, card: int, text: str) -> Drawing:
    """Return a pact, element card, secret pact, omen, vengeance card, ability or tower upgrade.

    Args:
        words: The messages of the game.
        domain: The domain of the card.
        card: The card.
        text: The description of its effects.
    """
    id = f"piece-{domain}-{card}"
    return tablet(words, card, id, text) if domain == "pact" else mini(words, domain, card, id, text)


def round_card_alone(words: GameMessages[WutakiComponents], card: int, kind: str) -> Drawing:
    """Return a round card.

    Args:
        words: The messages of the game.
        card: The card.
        kind: Its kind in words.
    """
    title = words.name("round_card", card)
    markup = draw(
        "smoke",
        name=title,
        title=squeezed(title, 236, 16),
        when=kind,
        choice="",
        line=in_row(round_signs(words.game.components.round_cards[card]), 148, 71, 17, width=236, middle=True),
        fields=[],
    )
    return Drawing(f"piece-round-card-{card}", 296, 106, markup)


def masterboard_alone(words: GameMessages, index: int, seats: int) -> Drawing:
    """Return a face of a masterboard as it is at the beginning.

    Args:
        words: The messages of the game.
        index: The face.
        seats: The number of seats, which selects its pact track.
    """
    name, id = words.name("masterboard", index), f"piece-face-{index}"
    return Drawing(id, 180, 96, masterboard(words, seats, index, id, name, fields=((),)))


def cost_marker_alone(kind: str) -> Drawing:
    """Return the cost marker of a resource."""
    return Drawing(f"piece-cost-marker-{kind}", 24, 24, marked_sign_of(kind))


def piece_alone(sign: str, seat: int = -1) -> Drawing:
    """Return a resource, worker or marker, in the color of a seat if one is given."""
    return Drawing(f"piece-{sign}", 64, 64, draw("piece", sign=sign, seat=seat))
