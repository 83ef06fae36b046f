"""The festival ground: the six acts, the mat of the current one, the row of rituals."""

from __future__ import annotations

from typing import Final, NamedTuple

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, fragment

from ..kinds import GIFT
from ..state import NOBODY
from .cards import RITUAL, ritual
from .drawing import area, draw, inline
from .texts import components_of, describer, id_of, in_turn, say

_ACTS: Final = ("dance", "buy", "bag", "fist", "perform", "statue")
"""The signs of the feast's acts."""


class Sums(NamedTuple):
    """Numbers that the viewer compares while rituals lie in the bag."""

    mana: int
    """The mana in the bag."""
    cost: int
    """The cost of the viewer's rituals in the bag, all in all."""


class Thinking(NamedTuple):
    """A seat on the mat, and whether it has chosen."""

    seat: int
    ready: bool


class Waiting(NamedTuple):
    """A ritual of the row that is still to come."""

    card: int
    owner: int


class Blessed(NamedTuple):
    """A ritual of the row that has had its turn, and the mana that there was for it."""

    card: int
    owner: int
    source: int


@fragment
def acts(words: GameMessages, id: str, size: tuple[int, int], now: int, building: Row) -> Region:
    """Draw the six acts with the current one marked.

    Below the last one are the seats that build, in turn.

    Args:
        words: The messages of the game.
        id: The id of the region.
        size: The width and the height of the drawing. A narrow one has the name of the current act
            alone.
        now: The current act, from 0.
        building: The seats that still build in the last act.

    Returns:
        The region.
    """
    width, height = size
    wide = width > 400
    each = width / len(_ACTS) if wide else (width - 130) / (len(_ACTS) - 1)
    drawn, x = [], 0.0
    for act, sign in enumerate(_ACTS):
        room = each if wide or act != now else 130
        text = say(words, f"act.{act + 1}") if wide or act == now else ""
        drawn.append({"sign": sign, "x": x, "width": room, "text": text, "now": act == now, "done": act < now})
        x += room
    name = say(words, "now_act", act=now + 1, text=say(words, f"act.{now + 1}"))
    order = in_turn(words, "building", building) if building else ""
    markup = draw("acts", id=id, name=name, help=order, acts=drawn, left=building, width=width)
    return area(id, name, Drawing(id, width, height, markup))


@fragment
def act(words: GameMessages, now: int, gifts: Row, seats: tuple[Thinking, ...], sums: Sums | None) -> Region:
    """Draw the mat on which an act happens before a row lies there.

    It has gifts, or seats that choose, below the numbers to compare.

    Args:
        words: The messages of the game.
        now: The current act, from 0.
        gifts: The gifts on offer.
        seats: The seats that choose, in their order of favor.
        sums: The numbers to compare; None if the viewer has no rituals in the bag.

    Returns:
        The region.
    """
    leaves = [gift(words, each, 195 + (place - (len(gifts) - 1) / 2) * 108) for place, each in enumerate(gifts)]
    room = min(104.0, 372 / max(1, len(seats)))
    asked = []
    for place, (seat, ready) in enumerate(seats):
        x = 195 + (place - (len(seats) - 1) / 2) * room
        asked.append({"seat": seat, "x": x, "who": words.seat(seat), "ready": ready})
    name, parts = say(words, f"act.{now + 1}"), []
    if sums is not None:
        name += f". {say(words, 'bag')}: {sums.mana}. {say(words, 'prepared')}: {sums.cost}."
        parts = ["#bag", str(sums.mana), " – ", "#ritual", str(sums.cost)]
    markup = draw(
        "act",
        name=name,
        sign=_ACTS[now],
        seats=asked,
        gifts=leaves,
        sums=inline(parts, 195, 48, 340, scale=0.85, size=24),
        size=1.15 if parts or len(seats) > 4 else 1.5,
        room=room,
    )
    return area("act", name, Drawing("act", 390, 220, markup), "board")


def gift(words: GameMessages, gift: int, x: float) -> Markup:
    """Draw a gift on its leaf.

    Args:
        words: The messages of the game.
        gift: The gift.
        x: The middle of the leaf.

    Returns:
        The markup.
    """
    id, pearls = GIFT.label(gift), components_of(words).gifts[gift][0].amount
    signs = (["#tattoo"], ["#commodity"], [str(pearls), "#pearl"])[gift]
    parts = inline(signs, x, 126, 80, scale=0.95, size=24)
    return draw("gift", id=id, name=describer(words).gift(gift), x=x, parts=parts, choice=f"accept {id}")


@fragment
def row(words: GameMessages, mana: int, blessed: tuple[Blessed, ...], waiting: tuple[Waiting, ...]) -> Region:
    """Draw the source and the rituals of act 5, from left to right.

    The outcome of each comes first, then those still to come. A ritual that the source can't pay
    for at the moment is faint.

    Args:
        words: The messages of the game.
        mana: The mana in the source.
        blessed: The rituals that have had their turn.
        waiting: Those still to come.

    Returns:
        The region.
    """
    drawings, left = [_source(words, mana)], mana
    for place, (card, owner, source) in enumerate(blessed):
        drawings.append(ritual(words, card, f"row-{place}", owner=owner, source=source))
    for place, (card, owner) in enumerate(waiting, start=len(blessed)):
        left -= components_of(words).ritual_cost[card]
        id = id_of(words, "ritual", card)
        choice = f"first {id}" + (f"; cancel {owner} {id}" if owner != NOBODY else "")
        drawings.append(ritual(words, card, f"row-{place}", choice, owner=owner, dim=left < 0))
    return Region("row", say(words, "row"), "board", drawings)


def _source(words: GameMessages, left: int) -> Drawing:
    """Draw the mana source. While the row is shown step by step its number runs down."""
    return Drawing("source", *RITUAL, draw("source", name=f"{say(words, 'source')}: {left}", left=left))
