"""Cards as they look wherever they lie: rituals, goods, helpers, masks."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup

from atoll.picture import Drawing
from atoll.picture.brush import text_width, wrap

from ..components import RITUAL_KINDS
from ..kinds import ASSISTANT, COMMODITIES, COMMODITY, DECK, FIRST_FOREST_MASK, MIRROR_MASK
from ..state import NOBODY
from .drawing import Spot, draw, inline
from .signs import ritual_signs, treasure_signs
from .table import Table

_FAMILIES: Final = ("task", "helper", "colour")
CARD: Final = (58, 76)
RITUAL: Final = (100, 128)
RITUAL_WITH_TEXT: Final = (150, 214)
LOW: Final = 148  # the height of its face where there is little room; table.css shows it


class Cards(Table):
    """A table that draws cards."""

    def _ritual(
        self,
        card: int,
        id: str,
        choice: str,
        *,
        owner: int | None = None,
        dim: bool = False,
        source: int | None = None,
        worded: bool = False,
        bagged: bool = False,
    ) -> Drawing:
        """A ritual card. source: the mana there was for it in the row. worded: with its text. bagged: in the bag."""
        box = self.box
        cost = box.ritual_cost[card]
        title = self.words.name("ritual", card)
        kind = RITUAL_KINDS[box.ritual_kind[card]]
        name = self._ritual_name(card)
        if owner is not None and owner != NOBODY:
            name += " " + self._say("owner", seat=owner)
        outcome = ""
        if source is not None:
            key = "carried_out" if source >= cost else "failed"
            outcome = self._say("outcome", n=source, total=source - cost) if source >= cost else str(source)
            name += " " + self._say(f"{key}.name", n=source, total=source - cost)
        width, height = RITUAL_WITH_TEXT if worded else RITUAL
        faces = [self._face(card, width, height, 90 if worded else 100)]
        if worded:
            text = self.describer.ritual(card)
            faces[0] |= {"css": "face-tall", "lines": wrap(text, width - 16, 16.1), "first": 111, "leading": 16.6}
            faces.append(self._low_face(card, text))
        markup = draw(
            "ritual",
            id=id,
            name=name,
            title=title,
            title_width=text_width(title, 14),
            faces=faces,
            cost=cost,
            kind=kind,
            deck=DECK.label(box.ritual_deck[card]),
            choice=choice,
            owner=NOBODY if owner is None else owner,
            dim=dim,
            outcome=outcome,
            source=source,
            bagged=bagged,
            width=width,
        )
        return Drawing(f"ritual-{id}", width, height, markup)

    def _face(self, card: int, width: int, height: int, bottom: int) -> dict[str, Any]:
        """What a ritual does, in signs between its name and the bottom, one line for each effect."""
        lines = ritual_signs(self.box, card)
        top = 38
        step = min(30.0, (bottom - top) / len(lines))
        first = (top + bottom) / 2 - step * (len(lines) - 1) / 2
        scale = 0.62 if len(lines) < 3 else 0.5
        signs = [
            each
            for at, parts in enumerate(lines)
            for each in inline(parts, (width + 30) / 2, first + at * step, width - 42, scale=scale, size=17)
        ]
        return {"css": "", "low": False, "height": height, "signs": signs, "lines": []}

    def _low_face(self, card: int, text: str) -> dict[str, Any]:
        """The same with its text where there is little height: all signs in one line, a long text in narrow type."""
        width, _ = RITUAL_WITH_TEXT
        parts = [part for line in ritual_signs(self.box, card) for part in ("·", *line)]
        lines, css = wrap(text, width - 14, 14.2), "face-low"
        if len(lines) > 4:
            lines, css = wrap(text, width - 12, 14.2 * 0.85), "face-low long"
        return {
            "css": css,
            "low": True,
            "height": LOW,
            "signs": inline(parts[1:], (width + 30) / 2, 43, width - 42, scale=0.6, size=17),
            "lines": lines,
            "first": 71,
            "leading": 15,
        }

    def _ritual_name(self, card: int) -> str:
        kind = RITUAL_KINDS[self.box.ritual_kind[card]]
        text = self.describer.ritual(card)
        return self._say("ritual", ritual=card, n=self.box.ritual_cost[card], kind=self._say(f"kind.{kind}"), text=text)

    def _chip(self, seat: int, place: int, card: int, at: Spot) -> Markup:
        """A permanent ritual, before its seat."""
        line = ritual_signs(self.box, card)[0]
        parts = inline(line, 50, 19, 80, scale=0.5, size=16, gap=2)
        return draw("chip", id=f"permanent-{seat}-{place}", name=self._ritual_name(card), parts=parts, at=at)

    def _forest_card(self, card: int, id: str, at: Spot) -> Markup:
        choice = f"pick {self._id('forest_card', card)}"
        if card < COMMODITIES:
            return self._card(id, self.words.name("commodity", card), COMMODITY.label(card), choice, at)
        if card < FIRST_FOREST_MASK:
            return self._helper(card - COMMODITIES, id, choice, at)
        god = self.box.mask_cards[card - FIRST_FOREST_MASK][0]
        return self._mask(god, id, choice, at, treasure=self.describer.treasure(card))

    def _looked(self, card: int, place: int) -> Drawing:
        """A forest card that the viewer looks at in private, with its text."""
        small = self._forest_card(card, f"looked-{place}", (42, 8, 1.15))
        text = ""
        if card >= FIRST_FOREST_MASK:
            god = self.box.mask_cards[card - FIRST_FOREST_MASK][0]
            text = " ".join(filter(None, (self.describer.mask(god), self.describer.treasure(card))))
        elif card >= COMMODITIES:
            text = self.words.name("assistant", card - COMMODITIES)
        else:
            text = self.words.name("commodity", card)
        return Drawing(f"card-looked-{place}", *RITUAL_WITH_TEXT, draw("looked", card=small, text=text))

    def _card(self, id: str, name: str, sign: str, choice: str, at: Spot, help: str = "") -> Markup:
        return draw("card", id=id, name=name, sign=sign, choice=choice, help=help, at=at)

    def _helper(
        self,
        assistant: int,
        id: str,
        choice: str,
        at: Spot,
        *,
        ready: int | None = None,
        turned: int = 0,
        mini: bool = False,
    ) -> Markup:
        sign = ASSISTANT.label(assistant)
        name = self.words.name("assistant", assistant)
        if ready is not None:
            name = self._say("helpers", assistant=assistant, ready=ready, exhausted=turned)
        help = self._about(assistant)
        values = {"id": id, "name": name, "sign": sign, "choice": choice, "help": help}
        return draw("helper", ready=ready, turned=turned, mini=mini, at=at, **values)

    def _about(self, assistant: int) -> str:
        return " ".join(self.words.translated(self.texts[part][assistant]) for part in ("permanent", "send"))

    def _mask(
        self,
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
        """A mask. bare: only the face; a low one has no name. pair: `natural` or `mirrored` if it is half of one."""
        box = self.box
        mirror = god == MIRROR_MASK
        name = self.words.name("mask", god)
        parts = treasure_signs(box.mask_cards, god) if treasure else []
        return draw(
            "mask",
            id=id,
            name=name if not pair else self._say(f"pair.{pair}", mask=god),
            title=self._say("mirror") if mirror else name,
            colour="mirror" if mirror else f"colour-{box.god_colour[god]}",
            family="mirror" if mirror else _FAMILIES[box.god_family[god]],
            counts=self._counts(god),
            treasure=inline(parts, 29, 50, 48, scale=0.36, size=13, gap=1),
            pair=pair,
            bare=bare,
            height=height,
            choice=choice,
            help=" ".join(filter(None, (self.describer.mask(god), treasure))),
            at=at,
        )

    def _counts(self, god: int) -> str:
        """The sign of what a pair of the god counts."""
        box = self.box
        if god == MIRROR_MASK:
            return ""
        if box.god_counts[god] < 0:
            return "colours"
        if box.god_family[god] == 0:
            return ("pearl", "mana", "commodity", "condition", "ritual", "masks")[box.god_counts[god]]
        return ASSISTANT.label(box.god_counts[god])
