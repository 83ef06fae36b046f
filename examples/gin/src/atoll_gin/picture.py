"""The picture of Gin Rummy: stock and discards, laid melds, and the sorted hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from markupsafe import Markup

from atoll.engine import Game, JsonMapping
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Layout, Region, Row, Scene, Sound, SvgMacros, Tab, fragment

from .components import GinComponents
from .kinds import CARD, MELD, MELDS, RANKS, SUIT_IDS
from .melds import MELD_MASKS, arrangements, cards_in, mask_of, melds_in, worth_of
from .state import NO_CARD
from .view import GinView, HiddenHand

WIDTH: Final = 88
HEIGHT: Final = 124
_LAID_WIDTH: Final = 660
_LAID_HEIGHT: Final = 148
_STEP: Final = 33
_GAP: Final = 18
_DEEPEST: Final = 9  # the most cards of a pile that are drawn

# The places of a number's pips: columns 0 to 2, rows 0 to 6. Below the middle they are turned.
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

_draw = SvgMacros(__package__ or "atoll_gin")

# The viewer's hand is in one line, on a phone in two; see table.css.
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

# Per event, the ids of the elements that its line of the log highlights.
LIGHTS: Final[Mapping[str, Sequence[str]]] = {
    "upcard": ("top",),
    "taken": ("top", "card-{card}"),
    "drawn": ("stock-pile", "card-{card}"),
    "discarded": ("top",),
    "laid": ("meld-{meld}",),
    "rest": ("rest-{seat}",),
}

SOUNDS: Final[Mapping[Sound, Sequence[str]]] = {"cards": ("upcard", "taken", "drawn", "discarded", "laid")}


def symbols() -> Markup:
    """Return the suits, the crowns, the back and the cloth."""
    return _draw("symbols")


def emblem() -> Drawing:
    """Return a run of four in the hand, for lists of games."""
    faces = [_face(3 * RANKS + rank, label) for rank, label in ((8, "9"), (9, "10"), (10, "J"), (11, "Q"))]
    return Drawing("emblem-gin", 320, 200, _draw("emblem", faces=faces))


def regions(game: Game, view: JsonMapping, words: GameMessages) -> list[Region]:
    """Return the laid cards of both seats, the piles, the viewer's hand, and each seat's score.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The game's messages.
    """
    seen = msgspec.convert(view, GinView)
    s, viewer, options = seen.state, seen.viewer, seen.options
    near = viewer or 0
    found = [
        _laid_by(seen, words, 1 - near, "across"),
        limit(words, s.limit, max(1, s.deal), options.deals, seen.live.deadwood),
        stock(words, s.stock.count),
        discards(words, s.discards[-3:]),
        _laid_by(seen, words, near, "near"),
    ]
    if viewer is not None:
        own = s.hands[viewer]
        assert isinstance(own, tuple)
        found.append(hand(words, own))
    return [
        *found,
        *(belongings(words, seat, seen.live.scores[seat], _size(s.hands[seat])) for seat in range(seen.seats)),
    ]


def _size(hand: Row | HiddenHand) -> int:
    return len(hand) if isinstance(hand, tuple) else hand.count


def _laid_by(seen: GinView, words: GameMessages, seat: int, side: str) -> Region:
    s = seen.state
    laid_off = s.laid_off if seat == s.knocker else ()
    of_other = s.hands[seat] if seat != seen.viewer else None
    return laid(words, seat, side, s.melds[seat], laid_off, s.rests[seat], of_other)


# -- the middle ------------------------------------------------------------------------------------


@fragment
def limit(words: GameMessages, most: int, deal: int, deals: int, deadwood: int | None) -> Region:
    """Return the most deadwood to knock with, and the number of this deal.

    Args:
        words: The game's messages.
        most: The most deadwood to knock with, 0 for gin only.
        deal: The number of this deal, from 1.
        deals: The number of all deals.
        deadwood: The deadwood of the viewer; None for a spectator.
    """
    title = words.say("table.limit", {})
    markup = _draw(
        "plaque",
        name=words.say("table.limit.name", {"limit": most, "n": deal, "deals": deals}),
        title=title,
        most=words.say("table.limit.most", {"limit": most}) if most else words.say("table.limit.gin", {}),
        rest=words.say("table.deadwood", {"n": deadwood}) if deadwood is not None else "",
        value=deadwood,
        help=words.say("table.deadwood.help", {}),
        deal=words.say("table.deal", {"n": deal, "deals": deals}) if deals > 1 else "",
    )
    return Region("limit", title, "board", [Drawing("limit-box", 140, 150, markup)], flow="fit")


@fragment
def stock(words: GameMessages, count: int) -> Region:
    """Return the stock. Its drawn height depends on the number of cards."""
    name = words.say("table.stock.left", {"n": count})
    markup = _draw("stock", name=name, count=count, deep=min(_DEEPEST, -(-count // 4)))
    return Region("stock", words.say("table.stock", {}), "board", [Drawing("stock-box", 118, 150, markup)], flow="fit")


@fragment
def discards(words: GameMessages, last: Row) -> Region:
    """Return the last three discards, with the newest on top."""
    *below, top = last or (NO_CARD,)
    cards = [_lying(words, card, x=28 * at, y=12) for at, card in enumerate(below)]
    if top != NO_CARD:
        name = words.say("table.discards.top", {"card": top})
        under = words.say("table.discards.below", {"cards": _names(words, below)}) if below else ""
        lying = _lying(words, top, x=28 * len(below), y=12)
        cards.append(_draw("group", id="top", name=name, help=under, choice="take", css="", cards=[lying]))
    title = words.say("table.discards", {})
    drawing = Drawing("discards-box", 160, 150, _draw("discards", cards=cards), title)
    return Region("discards", title, "board", [drawing], flow="fit")


def _names(words: GameMessages, cards: Sequence[int]) -> str:
    return ", ".join(words.name(CARD.name, card) for card in cards)


def _face_of(words: GameMessages[GinComponents], card: int) -> dict[str, Any]:
    return _face(card, words.game.components.ranks[words.language][card % RANKS])


def _lying(words: GameMessages, card: int, *, x: float, y: float, css: str = "") -> Markup:
    """Return a card that is part of a group, or a back for NO_CARD."""
    if card == NO_CARD:
        return _draw("back", x=x, y=y)
    return _draw("lying", card=CARD.label(card), face=_face_of(words, card), x=x, y=y, css=css)


# -- laid cards ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Group:
    """Cards that lie together as one element.

    Attributes:
        id: The id of the element.
        name: Its description for screen readers.
        cards: The cards; NO_CARD for an unknown one.
        added: The cards of these that were laid off.
    """

    id: str
    name: str
    cards: Sequence[int]
    added: Sequence[int] = ()


@fragment
def laid(
    words: GameMessages,
    seat: int,
    side: str,
    melds: Row,
    laid_off: Row,
    rest: Row,
    of_other: Row | HiddenHand | None,
) -> Region:
    """Return the cards that lie before a seat.

    Args:
        words: The game's messages.
        seat: The seat.
        side: "across" or "near".
        melds: Its melds.
        laid_off: The cards that were laid off on them.
        rest: Its open deadwood.
        of_other: Its hand; None for the viewer's own.
    """
    groups = _melds(words, seat, melds, laid_off)
    if rest:
        cards = sorted(rest, key=lambda card: (-(card % RANKS), card))
        name = words.say("table.laid.rest", {"seat": seat, "cards": _names(words, cards)})
        groups.append(_Group(f"rest-{seat}", name, cards))
    if of_other is not None:
        groups += _hidden(words, seat, of_other)
    title = words.say("table.laid", {"seat": seat})
    empty = "" if groups else words.say("table.laid.none", {"seat": seat})
    markup = _draw("mat", empty=empty, groups=_placed(words, groups))
    drawing = Drawing(f"laid-{seat}", _LAID_WIDTH, _LAID_HEIGHT, markup, title)
    return Region(f"laid-{side}", title, "board", [drawing], flow="fit")


def _melds(words: GameMessages, seat: int, melds: Row, laid_off: Row) -> list[_Group]:
    """Return the cards of each meld, with the laid-off cards that continue it."""
    left = list(laid_off)
    found = []
    for meld in melds:
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
        name = words.say("table.laid.meld", {"meld": meld, "seat": seat})
        if added:
            name = words.say("table.laid.added", {"meld": meld, "seat": seat, "cards": _names(words, added)})
        found.append(_Group(f"meld-{MELD.label(meld)}", name, cards, added))
    return found


def _hidden(words: GameMessages, seat: int, hand: Row | HiddenHand) -> list[_Group]:
    """Return the hand of another seat: backs, and the cards that are public.

    At the end of the game all cards are public.
    """
    seen, count = (hand, len(hand)) if isinstance(hand, tuple) else (hand.known, hand.count)
    if not count:
        return []
    name = words.say("table.hand.of", {"seat": seat, "n": count})
    if seen:
        name = words.say("table.hand.seen", {"seat": seat, "n": count, "cards": _names(words, seen)})
    return [_Group(f"hand-of-{seat}", name, [*[NO_CARD] * (count - len(seen)), *seen])]


def _placed(words: GameMessages, groups: Sequence[_Group]) -> list[Markup]:
    """Return all groups in one line, with cards closer together if there are many."""
    inner = sum(len(group.cards) - 1 for group in groups)
    room = _LAID_WIDTH - 20 - len(groups) * WIDTH - (len(groups) - 1) * _GAP
    step = _STEP if inner * _STEP <= room else room / inner
    x = (_LAID_WIDTH - inner * step - len(groups) * WIDTH - (len(groups) - 1) * _GAP) / 2
    found = []
    for group in groups:
        cards = []
        for at, card in enumerate(group.cards):
            y, css = (4, "added") if card in group.added else (12, "")
            cards.append(_lying(words, card, x=x + at * step, y=y, css=css))
        found.append(_draw("group", id=group.id, name=group.name, help="", choice="", css="laid", cards=cards))
        x += (len(group.cards) - 1) * step + WIDTH + _GAP
    return found


# -- the seats -------------------------------------------------------------------------------------


@fragment
def hand(words: GameMessages[GinComponents], cards: Row) -> Region:
    """Return the viewer's hand: melded cards by meld, then the deadwood from high to low."""
    mask = mask_of(cards)
    melded = [card for meld in _best(mask, words.game.components.worths) for card in MELDS[meld]]
    loose = sorted(set(cards_in(mask)) - set(melded), key=lambda card: (-(card % RANKS), card))
    drawings = [_in_hand(words, card, mask, melded=card in melded) for card in [*melded, *loose]]
    return Region("hand", words.say("table.hand", {}), "board", drawings)


def _in_hand(words: GameMessages, card: int, mask: int, *, melded: bool) -> Drawing:
    """Return a card of the hand, with its choices: discard, lay off, and its melds."""
    key = CARD.label(card)
    lays = [f"lay {MELD.label(meld)}" for meld in melds_in(mask) if card in MELDS[meld]]
    markup = _draw(
        "card",
        id=f"card-{key}",
        name=words.say("table.card.melded" if melded else "table.card.loose", {"card": card}),
        face=_face_of(words, card),
        y=1 if melded else 9,
        choice="; ".join([f"discard {key}", f"lay_off {key}", *lays]),
        css="melded" if melded else "loose",
    )
    return Drawing(f"hand-of-{key}", WIDTH + 2, HEIGHT + 10, markup)


@fragment
def belongings(words: GameMessages, seat: int, score: int, cards: int) -> Region:
    """Return the points of a seat and the number of its cards.

    Args:
        words: The game's messages.
        seat: The seat.
        score: Its points.
        cards: The number of cards in its hand.
    """
    facts = [
        Fact(f"score-{seat}", words.say("table.score", {}), str(score), _draw("crown"), score),
        Fact(f"cards-{seat}", words.say("table.cards", {}), str(cards), _draw("two_cards"), cards),
    ]
    return Region(f"belongings-{seat}", "", "seat", facts=facts, seat=seat)


def _best(mask: int, worths: Sequence[int]) -> list[int]:
    """Return the melds of an arrangement with the least deadwood, the longest first."""
    target = max(arrangements(mask), key=lambda each: worth_of(each, worths))
    return _split(target, sorted(melds_in(target), key=lambda meld: -len(MELDS[meld]))) or []


def _split(mask: int, melds: Sequence[int]) -> list[int] | None:
    """Return some of these melds that use up all cards of a mask; None if there are none."""
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
    """Return the parts of a card's face, 88 x 124 pixels."""
    rank, suit = card % RANKS, card // RANKS
    pips = [
        {"x": (30, 44, 58)[column], "y": 26 + row * 12, "turned": row > 3} for column, row in _PIPS.get(rank + 1, ())
    ]
    court = _COURT[rank - 10] if rank >= 10 else ""
    return {"suit": SUIT_IDS[suit], "label": label, "pips": pips, "court": court, "red": suit >= 2, "ace": rank == 0}
