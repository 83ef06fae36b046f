"""The table of Gin Rummy: stock and discards in the middle, what is laid before each player, the sorted hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept

from .components import Box
from .kinds import CARD, MELD, MELDS, RANKS, SUIT_IDS
from .melds import MELD_MASKS, arrangements, cards_in, mask_of, melds_in, worth_of

WIDTH: Final = 88
HEIGHT: Final = 124
_LAID_WIDTH: Final = 660
_LAID_HEIGHT: Final = 148
_STEP: Final = 33
_GAP: Final = 18
_DEEPEST: Final = 9  # cards of a pile that are drawn

# Where the pips of a number stand on a card: columns 0 to 2, rows 0 to 6; below the middle they stand on their heads.
_PIPS: Final[Mapping[int, Sequence[tuple[int, float]]]] = {
    1: ((1, 3),),
    2: ((1, 0), (1, 6)),
    3: ((1, 0), (1, 3), (1, 6)),
    4: ((0, 0), (2, 0), (0, 6), (2, 6)),
    5: ((0, 0), (2, 0), (1, 3), (0, 6), (2, 6)),
    6: ((0, 0), (2, 0), (0, 3), (2, 3), (0, 6), (2, 6)),
    7: ((0, 0), (2, 0), (1, 1.5), (0, 3), (2, 3), (0, 6), (2, 6)),
    8: ((0, 0), (2, 0), (1, 1.5), (0, 3), (2, 3), (1, 4.5), (0, 6), (2, 6)),
    9: ((0, 0), (2, 0), (0, 2), (2, 2), (1, 3), (0, 4), (2, 4), (0, 6), (2, 6)),
    10: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2), (0, 4), (2, 4), (1, 5), (0, 6), (2, 6)),
}
_COURT: Final = ("jack", "queen", "king")

_draw = Brush(__package__ or "atoll_gin")

# One's own hand lies in a line where there is room, in two on a phone: table.css.
SCENE: Final = Scene(
    wide={
        "": Layout(
            1084,
            752,
            {
                "laid-across": (92, 6, 900, 196),
                "limit": (262, 208, 160, 170),
                "stock": (452, 206, 150, 174),
                "discards": (632, 206, 200, 174),
                "laid-near": (92, 386, 900, 196),
                "hand": (22, 594, 1040, 152),
            },
            ground="gin-cloth",
        )
    },
    tabs=(
        Tab(
            "table",
            Markup('<rect x="4" y="5" width="10" height="14" rx="2"/><path d="M17 6l4 1-3 13-7-2"/>'),
            Layout(
                390,
                600,
                {
                    "laid-across": (4, 4, 382, 92),
                    "limit": (4, 108, 112, 132),
                    "stock": (120, 108, 106, 132),
                    "discards": (232, 108, 154, 132),
                    "laid-near": (4, 252, 382, 92),
                    "hand": (4, 356, 382, 240),
                },
                ground="gin-cloth",
            ),
        ),
    ),
)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "upcard": ("top",),
    "taken": ("top", "card-{card}"),
    "drawn": ("stock-pile", "card-{card}"),
    "discarded": ("top",),
    "laid": ("meld-{meld}",),
    "rest": ("rest-{seat}",),
}


def symbols() -> Markup:
    """The suits, the crowns, the back, and the cloth."""
    return _draw("symbols")


def emblem() -> Drawing:
    """A run of four in the hand, for lists of games."""
    faces = [_face(3 * RANKS + rank, label) for rank, label in ((8, "9"), (9, "10"), (10, "J"), (11, "Q"))]
    return Drawing("emblem-gin", 320, 200, _draw("emblem", faces=faces))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """What the other has laid, the piles, what lies on one's own side, the hand, and per seat its score."""
    table = _Table(game, view, words)
    near = view["viewer"] or 0
    found = [table.laid(1 - near, "across"), table.limit(), table.stock(), table.discards(), table.laid(near, "near")]
    if view["viewer"] is not None:
        found.append(table.hand(view["viewer"]))
    return [*found, *(table.seat(seat) for seat in range(view["seats"]))]


@dataclass(frozen=True)
class _Group:
    """Cards that lie together as one element; -1 is one that isn't known. added: those that were laid off."""

    id: str
    name: str
    cards: Sequence[int]
    added: Sequence[int] = ()


class _Table(TablePicture):
    """One view in pictures."""

    box: Box

    def _face(self, card: int) -> dict[str, Any]:
        return _face(card, self.box.ranks[self.words.language][card % RANKS])

    def _name(self, card: int) -> str:
        return self.words.name(CARD.name, card)

    # -- the middle ------------------------------------------------------------------------------------------------

    @kept
    def limit(self) -> Region:
        """With how much deadwood one may knock, and which deal this is."""
        limit, deals = self.s["limit"], self.view["options"]["deals"]
        deal = max(1, self.s["deal"])
        rest = self.live["deadwood"]
        markup = _draw(
            "plaque",
            name=self._say("limit.name", limit=limit, n=deal, deals=deals),
            title=self._say("limit"),
            most=self._say("limit.most", limit=limit) if limit else self._say("limit.gin"),
            rest=self._say("deadwood", n=rest) if rest is not None else "",
            value=rest,
            help=self._say("deadwood.help"),
            deal=self._say("deal", n=deal, deals=deals) if deals > 1 else "",
        )
        return Region("limit", self._say("limit"), "board", [Drawing("limit-box", 140, 150, markup)], flow="fit")

    @kept
    def stock(self) -> Region:
        """The stock, as thick as it is."""
        count = self.s["stock"]["count"]
        markup = _draw("stock", name=self._say("stock.left", n=count), count=count, deep=min(_DEEPEST, -(-count // 4)))
        return Region("stock", self._say("stock"), "board", [Drawing("stock-box", 118, 150, markup)], flow="fit")

    @kept
    def discards(self) -> Region:
        """The last discards, the newest on top and readable, the two before it below."""
        *below, top = self.s["discards"][-3:] or [-1]
        cards = [self._lying(card, x=28 * at, y=12) for at, card in enumerate(below)]
        if top >= 0:
            name = self._say("discards.top", card=top)
            under = self._say("discards.below", cards=self._names(below)) if below else ""
            lying = self._lying(top, x=28 * len(below), y=12)
            cards.append(_draw("group", id="top", name=name, help=under, choice="take", css="", cards=[lying]))
        title = self._say("discards")
        drawing = Drawing("discards-box", 160, 150, _draw("discards", cards=cards), title)
        return Region("discards", title, "board", [drawing], flow="fit")

    def _names(self, cards: Sequence[int]) -> str:
        return ", ".join(self._name(card) for card in cards)

    def _lying(self, card: int, *, x: float, y: float, css: str = "") -> Markup:
        """A card that is part of something, or the back of one (-1)."""
        if card < 0:
            return _draw("back", x=x, y=y)
        return _draw("lying", card=self._id(CARD.name, card), face=self._face(card), x=x, y=y, css=css)

    # -- what is laid ----------------------------------------------------------------------------------------------

    @kept
    def laid(self, seat: int, side: str) -> Region:
        """The melds of a seat with what was laid off on them, its open deadwood, and its hand if it is another's."""
        groups = self._melds(seat)
        rests = sorted(self.s["rests"][seat], key=lambda card: (-(card % RANKS), card))
        if rests:
            name = self._say("laid.rest", seat=seat, cards=self._names(rests))
            groups.append(_Group(f"rest-{seat}", name, rests))
        if seat != self.view["viewer"]:
            groups += self._hidden(seat)
        title = self._say("laid", seat=seat)
        empty = "" if groups else self._say("laid.none", seat=seat)
        markup = _draw("mat", empty=empty, groups=self._placed(groups))
        return Region(
            f"laid-{side}",
            title,
            "board",
            [Drawing(f"laid-{seat}", _LAID_WIDTH, _LAID_HEIGHT, markup, title)],
            flow="fit",
        )

    def _melds(self, seat: int) -> list[_Group]:
        """Per meld its cards, with those that were laid off on it where they go on."""
        left = list(self.s["laid_off"]) if seat == self.s["knocker"] else []
        found = []
        for meld in self.s["melds"][seat]:
            cards = list(MELDS[meld])
            added = []
            for card in left[:]:
                first, second, last = cards[0], cards[1], cards[-1]
                if card % RANKS == first % RANKS == second % RANKS or (card == last + 1 and card % RANKS):
                    cards.append(card)
                elif card == first - 1 and first % RANKS:
                    cards.insert(0, card)
                else:
                    continue
                added.append(card)
                left.remove(card)
            name = self._say("laid.meld", meld=meld, seat=seat)
            if added:
                name = self._say("laid.added", meld=meld, seat=seat, cards=self._names(added))
            found.append(_Group(f"meld-{self._id(MELD.name, meld)}", name, cards, added))
        return found

    def _hidden(self, seat: int) -> list[_Group]:
        """The hand of another: backs, and the cards that everybody has seen; at the end of the game all."""
        hand = self.s["hands"][seat]
        seen: list[int] = hand if isinstance(hand, list) else hand["known"]
        count = len(hand) if isinstance(hand, list) else hand["count"]
        if not count:
            return []
        name = self._say("hand.of", seat=seat, n=count)
        if seen:
            name = self._say("hand.seen", seat=seat, n=count, cards=self._names(seen))
        return [_Group(f"hand-of-{seat}", name, [*[-1] * (count - len(seen)), *seen])]

    def _placed(self, groups: Sequence[_Group]) -> list[Markup]:
        """All groups in one line, as close as they must be."""
        inner = sum(len(group.cards) - 1 for group in groups)
        room = _LAID_WIDTH - 20 - len(groups) * WIDTH - (len(groups) - 1) * _GAP
        step = _STEP if inner * _STEP <= room else room / inner
        x = (_LAID_WIDTH - inner * step - len(groups) * WIDTH - (len(groups) - 1) * _GAP) / 2
        found = []
        for group in groups:
            cards = []
            for at, card in enumerate(group.cards):
                is_added = card in group.added
                cards.append(
                    self._lying(card, x=x + at * step, y=4 if is_added else 12, css="added" if is_added else "")
                )
            found.append(_draw("group", id=group.id, name=group.name, help="", choice="", css="laid", cards=cards))
            x += (len(group.cards) - 1) * step + WIDTH + _GAP
        return found

    # -- one's own -------------------------------------------------------------------------------------------------

    @kept
    def hand(self, seat: int) -> Region:
        """One's hand: what is melded first, meld by meld, then the deadwood from high to low."""
        mask = mask_of(self.s["hands"][seat])
        melded = [card for meld in _best(mask, self.box.worths) for card in MELDS[meld]]
        loose = sorted(set(cards_in(mask)) - set(melded), key=lambda card: (-(card % RANKS), card))
        drawings = [self._in_hand(card, mask, melded=card in melded) for card in [*melded, *loose]]
        return Region("hand", self._say("hand"), "board", drawings)

    def _in_hand(self, card: int, mask: int, *, melded: bool) -> Drawing:
        """A card of the hand stands for its discard, for laying it off, and for the melds that it can be laid in."""
        key = self._id(CARD.name, card)
        lays = [f"lay {self._id(MELD.name, meld)}" for meld in melds_in(mask) if card in MELDS[meld]]
        markup = _draw(
            "card",
            id=f"card-{key}",
            name=self._say("card.melded" if melded else "card.loose", card=card),
            face=self._face(card),
            y=1 if melded else 9,
            choice="; ".join([f"discard {key}", f"lay_off {key}", *lays]),
            css="melded" if melded else "loose",
        )
        return Drawing(f"hand-of-{key}", WIDTH + 2, HEIGHT + 10, markup)

    @kept
    def seat(self, seat: int) -> Region:
        """The points of a seat and how many cards it holds."""
        score = self.live["scores"][seat]
        hand = self.s["hands"][seat]
        count = len(hand) if isinstance(hand, list) else hand["count"]
        facts = [
            Fact(f"score-{seat}", self._say("score"), str(score), _draw("crown"), score),
            Fact(f"cards-{seat}", self._say("cards"), str(count), _draw("two_cards"), count),
        ]
        return Region(f"belongings-{seat}", "", "seat", facts=facts, seat=seat)


def _best(mask: int, worths: Sequence[int]) -> list[int]:
    """The melds of an arrangement of these cards with the least deadwood, the longest first."""
    target = max(arrangements(mask), key=lambda each: worth_of(each, worths))
    return _split(target, sorted(melds_in(target), key=lambda meld: -len(MELDS[meld]))) or []


def _split(mask: int, melds: Sequence[int]) -> list[int] | None:
    """Some of these melds that use up all cards of a mask; None if none do."""
    if not mask:
        return []
    for at, meld in enumerate(melds):
        cards = MELD_MASKS[meld]
        if cards & mask == cards:
            rest = _split(mask & ~cards, melds[at + 1 :])
            if rest is not None:
                return [meld, *rest]
    return None


def _face(card: int, label: str) -> dict[str, Any]:
    """What stands on a card: 88 x 124."""
    rank, suit = card % RANKS, card // RANKS
    pips = [
        {"x": (30, 44, 58)[column], "y": 26 + row * 12, "turned": row > 3} for column, row in _PIPS.get(rank + 1, ())
    ]
    court = _COURT[rank - 10] if rank >= 10 else ""
    return {"suit": SUIT_IDS[suit], "label": label, "pips": pips, "court": court, "red": suit >= 2, "ace": rank == 0}
