"""The table of Gin Rummy: stock and discards in the middle, what is laid before each player, the sorted hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Brush, Drawing, Fact, Layout, Region, Scene, Tab, TablePicture, kept

from .components import Box
from .kinds import CARD, MELD, MELDS, RANKS, SUIT_IDS
from .melds import MELD_MASKS, arrangements, cards_in, mask_of, melds_in, worth_of
from .state import MOST_IN_HAND

WIDTH: Final = 88
HEIGHT: Final = 124
_LAID_WIDTH: Final = 660
_LAID_HEIGHT: Final = 148
_STEP: Final = 33
_GAP: Final = 18
_PITCH: Final = 91
_ROW: Final = 138
_MOST_IN_ROW: Final = 6
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

# One's own hand is drawn twice: in a line where there is room, in two on a phone.
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
                    "palm": (4, 356, 382, 240),
                },
                ground="gin-cloth",
            ),
        ),
    ),
)

# What a line of the log names, by the ids of elements.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "upcard": ("top",),
    "taken": ("top", "card-{card}", "palm-{card}"),
    "drawn": ("stock-pile", "card-{card}", "palm-{card}"),
    "discarded": ("top",),
    "laid_off": ("laid-off-{card}",),
    "rest": ("mat-{seat}",),
}


def symbols() -> Markup:
    """The suits, the crowns, the back, and the cloth."""
    return _draw("symbols")


def emblem() -> Drawing:
    """A run of four in the hand, for lists of games."""
    faces = [_face(rank=rank, suit=3, label=label) for rank, label in ((8, "9"), (9, "10"), (10, "J"), (11, "Q"))]
    return Drawing("emblem-gin", 320, 200, _draw("emblem", faces=faces))


def regions(game: Game, view: Mapping[str, Any], words: Words) -> list[Region]:
    """What the other has laid, the piles, what lies on one's own side, the hand, and per seat its score."""
    table = _Table(game, view, words)
    near = view["viewer"] or 0
    found = [table.laid(1 - near, "across"), table.limit(), table.stock(), table.discards(), table.laid(near, "near")]
    if view["viewer"] is not None:
        found += [table.hand(view["viewer"], "hand"), table.hand(view["viewer"], "palm")]
    return [*found, *(table.seat(seat) for seat in range(view["seats"]))]


class _Table(TablePicture):
    """One view in pictures."""

    box: Box

    def _card(
        self, id: str, card: int, name: str, *, x: float = 0, y: float = 0, choice: str = "", css: str = ""
    ) -> Markup:
        rank, suit = card % RANKS, card // RANKS
        face = _face(rank=rank, suit=suit, label=self.box.ranks[self.words.language][rank])
        return _draw(
            "card",
            id=id,
            name=name,
            face=face,
            x=x,
            y=y,
            choice=choice,
            css=css,
            piece="" if id.startswith("palm") else f"card-{card}",
        )

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
        found = self.s["discards"]
        cards = [
            self._card(f"below-{card}", card, self._name(card), x=28 * at, y=12)
            for at, card in enumerate(found[-3:-1] if len(found) > 1 else [])
        ]
        x = 28 * len(cards)
        if found:
            top = found[-1]
            cards.append(self._card("top", top, self._say("discards.top", card=top), x=x, y=12, choice="take"))
        markup = _draw("discards", empty=self._say("discards.none"), cards=cards)
        return Region(
            "discards", self._say("discards"), "board", [Drawing("discards-box", 160, 150, markup)], flow="fit"
        )

    # -- what is laid ----------------------------------------------------------------------------------------------

    @kept
    def laid(self, seat: int, side: str) -> Region:
        """The melds of a seat with what was laid off on them, its open deadwood, and the backs of its hidden cards."""
        groups = self._melds(seat)
        groups += [
            [(card, self._say("laid.rest", card=card, seat=seat), f"rest-{card}", "rest")]
            for card in self.s["rests"][seat]
        ]
        if seat != self.view["viewer"]:
            groups.append(self._hidden(seat))
        title = self._say("laid", seat=seat)
        cards = self._placed([group for group in groups if group])
        markup = _draw(
            "mat", id=f"mat-{seat}", name=title, empty=self._say("laid.none", seat=seat), cards=cards, seat=seat
        )
        drawing = Drawing(f"laid-{seat}", _LAID_WIDTH, _LAID_HEIGHT, markup)
        return Region(f"laid-{side}", title, "board", [drawing], flow="fit")

    def _melds(self, seat: int) -> list[list[tuple[int, str, str, str]]]:
        """Per meld its cards: card, name, id, class; those that were laid off at the end where they go on."""
        left = list(self.s["laid_off"]) if seat == self.s["knocker"] else []
        found = []
        for meld in self.s["melds"][seat]:
            cards = [(card, self._say("laid.meld", card=card, seat=seat), f"laid-{card}", "") for card in MELDS[meld]]
            for card in left[:]:
                ends = [each for each, *_ in cards]
                if card % RANKS == ends[0] % RANKS == ends[1] % RANKS:
                    at = len(cards)
                elif card == ends[0] - 1 and ends[0] % RANKS:
                    at = 0
                elif card == ends[-1] + 1 and card % RANKS:
                    at = len(cards)
                else:
                    continue
                cards.insert(at, (card, self._say("laid.off", card=card), f"laid-off-{card}", "added"))
                left.remove(card)
            found.append(cards)
        return found

    def _hidden(self, seat: int) -> list[tuple[int, str, str, str]]:
        """The hand of another: backs, and the cards that everybody has seen."""
        hand = self.s["hands"][seat]
        if isinstance(hand, list):
            return [(card, self._name(card), f"shown-{card}", "") for card in hand]
        seen = [(card, self._say("card.seen", card=card), f"seen-{card}", "seen") for card in hand["known"]]
        backs = hand["count"] - len(seen)
        return [(-1, self._say("card.back"), f"back-{seat}-{at}", "") for at in range(backs)] + seen

    def _placed(self, groups: Sequence[Sequence[tuple[int, str, str, str]]]) -> list[Markup]:
        """All groups in one line, as close as they must be."""
        inner = sum(len(group) - 1 for group in groups)
        room = _LAID_WIDTH - 20 - len(groups) * WIDTH - (len(groups) - 1) * _GAP
        gap: float = _GAP
        step = _STEP if inner * _STEP <= room else max(12, room / inner)
        if room - inner * step < 0:  # many single cards of deadwood: they lie on each other, too
            gap = (_LAID_WIDTH - 20 - WIDTH - inner * step) / max(1, len(groups) - 1) - WIDTH
        width = inner * step + len(groups) * WIDTH + (len(groups) - 1) * gap
        x = (_LAID_WIDTH - width) / 2
        found = []
        for group in groups:
            for at, (card, name, id, css) in enumerate(group):
                if card < 0:
                    found.append(_draw("back", id=id, name=name, x=x, y=12))
                else:
                    found.append(self._card(id, card, name, x=x, y=4 if css == "added" else 12, css=css))
                x += step if at < len(group) - 1 else WIDTH + gap
        return found

    # -- one's own -------------------------------------------------------------------------------------------------

    @kept
    def hand(self, seat: int, id: str) -> Region:
        """One's hand: what is melded first, meld by meld, then the deadwood from high to low. id: "hand" or "palm"."""
        mask = mask_of(self.s["hands"][seat])
        melds = _best(mask, self.box.worths)
        melded = [card for meld in melds for card in MELDS[meld]]
        loose = sorted(set(cards_in(mask)) - set(melded), key=lambda card: (-(card % RANKS), card))
        rows = [[*melded, *loose]]
        if id == "palm":
            rows = _rows([*(MELDS[meld] for meld in melds), *([card] for card in loose)])
        longest = MOST_IN_HAND if id == "hand" else _MOST_IN_ROW
        ends = {MELDS[meld][-1] for meld in melds}
        cards = []
        for at, row in enumerate(rows):
            gaps = sum(card in ends for card in row[:-1])
            x = (longest * _PITCH + 2 * _GAP - len(row) * _PITCH - gaps * _GAP) / 2
            for card in row:
                cards.append(self._in_hand(id, card, mask, x, at * _ROW, melded=card in melded))
                x += _PITCH + (_GAP if card in ends else 0)
        width = longest * _PITCH + 2 * _GAP
        height = _ROW * (1 if id == "hand" else 2)
        title = self._say("hand")
        return Region(
            id, title, "board", [Drawing(f"{id}-box", width, height, Markup("").join(cards), title)], flow="fit"
        )

    def _in_hand(self, place: str, card: int, mask: int, x: float, y: float, *, melded: bool) -> Markup:
        """A card of the hand stands for its discard, for laying it off, and for the melds that it can be laid in."""
        key = self._id(CARD.name, card)
        lays = [f"lay {self._id(MELD.name, meld)}" for meld in melds_in(mask) if card in MELDS[meld]]
        choice = "; ".join([f"discard {key}", f"lay_off {key}", *lays])
        name = self._say("card.melded" if melded else "card.loose", card=card)
        id = f"{'card' if place == 'hand' else place}-{card}"
        return self._card(id, card, name, x=x, y=y + 6, choice=choice, css="melded" if melded else "loose")

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


def _rows(groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """Two rows of these groups of cards, none of which is divided if that can be."""
    cards = [card for group in groups for card in group]
    first: list[int] = []
    for group in groups:
        if len(first) + len(group) > _MOST_IN_ROW or 2 * len(first) >= len(cards):
            break
        first += group
    if len(cards) - len(first) > _MOST_IN_ROW:
        first = cards[: -(-len(cards) // 2)]
    return [first, cards[len(first) :]]


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


def _face(*, rank: int, suit: int, label: str) -> dict[str, Any]:
    """What stands on a card: 88 x 124."""
    count = rank + 1
    pips = [{"x": (30, 44, 58)[column], "y": 26 + row * 12, "turned": row > 3} for column, row in _PIPS.get(count, ())]
    court = _COURT[rank - 10] if rank >= 10 else ""
    return {"suit": SUIT_IDS[suit], "label": label, "pips": pips, "court": court, "red": suit >= 2, "ace": rank == 0}
