"""Each component alone, as the rules page shows it."""

from __future__ import annotations

from typing import Any

from atoll.engine.words import Words
from atoll.picture import Drawing

from ..components import Masterboard
from ..signs import round_signs
from .drawing import draw, in_row, squeezed
from .looks import face_of, mini, tablet


def card_alone(words: Words, domain: str, card: int, text: str) -> Drawing:
    """A pact, element card, secret pact, omen, vengeance card, ability or tower upgrade. text: what it does."""
    id = f"piece-{domain}-{card}"
    return tablet(words, card, id, text) if domain == "pact" else mini(words, domain, card, id, text)


def round_card_alone(words: Words, card: int, kind: str) -> Drawing:
    """A round card. kind: of what kind it is, in words."""
    title = words.name("round_card", card)
    markup = draw(
        "smoke",
        name=title,
        title=squeezed(title, 236, 16),
        when=kind,
        choice="",
        line=in_row(round_signs(words.game.box.round_cards[card]), 148, 71, 17, width=236, anchor="middle"),
        fields=[],
    )
    return Drawing(f"piece-round-card-{card}", 296, 106, markup)


def masterboard_alone(words: Words, index: int, seats: int) -> Drawing:
    """A face of a masterboard as it is at the beginning, with the pact track of so many players."""
    face: Masterboard = words.game.box.masterboards[index]
    track, own = face.track[seats], face.own_place
    holes, lines = face_of(face, track, 0, 0)
    title = words.name("masterboard", index)
    fields: list[dict[str, Any]] = (
        [{"x": 160, "y": 17 if track else 83, "r": 12.5, "field": 1, "who": []}] if own is not None else []
    )
    markup = draw(
        "master",
        id=f"piece-face-{index}",
        name=title,
        choice="",
        title=None if own is not None and track else squeezed(title, 146, 15.8),
        holes=holes,
        lines=lines,
        fields=fields,
    )
    return Drawing(f"piece-face-{index}", 180, 96, markup)


def cost_marker_alone(kind: str) -> Drawing:
    """The cost marker of a kind of resource."""
    return Drawing(f"piece-cost-marker-{kind}", 24, 24, draw("marked_sign", sign=kind))


def piece_alone(sign: str, seat: int = -1) -> Drawing:
    """A resource, worker or marker. seat: whose colour it has."""
    return Drawing(f"piece-{sign}", 64, 64, draw("piece", sign=sign, seat=seat))
