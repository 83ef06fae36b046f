"""Fates and residents as tiles, large and among a seat's possessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, Rows, fragment
from atoll.picture.svg_macros import shorten, text_width

from ..components import COUNTED
from ..view import AtuaView
from .drawing import draw
from .table import components_of, say

_TILE: Final = (174, 108)
_CHIP: Final = (90, 18)  # greatest length and font size of a title on a tile among a seat's possessions
_NARROW: Final = 0.85  # width of its font relative to the usual one


@fragment
def fate_tile(words: GameMessages, number: int, name: str, choice: str, owner: int | None = None) -> Drawing:
    """Return a fate: its price or its owner, the things that it counts, the points that it pays.

    Args:
        words: The game's messages.
        number: The fate.
        name: Its description for screen readers.
        choice: The choices that it stands for.
        owner: The seat that has bought it, or None.
    """
    fate = components_of(words).fates[number]
    markup = draw(
        "fate",
        id=f"fate-{fate.id}" if owner is None else f"fate-bought-{fate.id}",
        name=name,
        title=words.name("fate", number),
        price=fate.price,
        things=[COUNTED[thing] for thing in fate.categories],
        payoff=list(reversed(fate.payoff)),
        choice=choice,
        owner=owner,
        width=_TILE[0],
        height=_TILE[1],
    )
    return Drawing(f"tile-{fate.id}", *_TILE, markup)


def chip(id: str, name: str, title: str, things: Sequence[str]) -> Drawing:
    """Return a tile among a seat's possessions: signs, and a title unless it is empty.

    The magnifier shows the full text.

    Args:
        id: The id of the element.
        name: Its description for screen readers.
        title: The title, which is shortened to fit.
        things: The names of the signs.
    """
    room, size = _CHIP
    signs = [{"name": thing, "x": 19 + 30 * place} for place, thing in enumerate(things)]
    text = shorten(title, room, size * _NARROW)
    width = 30 * len(signs) + 8 + (text_width(text, size * _NARROW) + 4 if text else 0)
    markup = draw("chip", id=id, name=name, text=text, signs=signs, width=width)
    return Drawing(f"chip-{id}", width, 34, markup)


def resident_words(words: GameMessages, number: int) -> tuple[str, str]:
    """Return the name of a resident, alone and with its effect."""
    title = words.name("resident", number)
    return title, f"{title}: {words.translated(components_of(words).residents[number].text.said(words.language))}"


@fragment
def resident_tile(words: GameMessages, number: int, choice: str, worth: int | None) -> Drawing:
    """Return a resident with its effect in words.

    Args:
        words: The game's messages.
        number: The resident.
        choice: The choices that it stands for.
        worth: The points that it would score now; None leaves them out.
    """
    tile = components_of(words).residents[number]
    title, text = words.name("resident", number), words.translated(tile.text.said(words.language))
    now = "" if worth is None else say(words, "resident_now", points=worth)
    markup = draw(
        "resident",
        id=f"resident-{tile.id}",
        name=f"{title}: {text} {now}".rstrip(),
        title=title,
        text=text,
        now=now,
        choice=choice,
    )
    return Drawing(f"tile-{tile.id}", 320, 116, markup)


# -- the fates of the game -------------------------------------------------------------------------


def fates(words: GameMessages, seen: AtuaView) -> Region:
    """Return the fates of the game, whether they can be bought or belong to a seat."""
    s = seen.state
    owners = {fate: seat for seat, bought in enumerate(s.fates) for fate in bought}
    tiles = []
    for fate in sorted([*s.fate_row, *owners]):
        owner = owners.get(fate)
        tiles.append((fate, owner, rivalry(words, seen, fate, seen.viewer) if owner is None else ()))
    return _fates(words, *tiles)


@fragment
def _fates(words: GameMessages, *tiles: tuple[int, int | None, Rows]) -> Region:
    drawings = []
    for fate, owner, compared in tiles:
        if owner is None:
            choice = f"buy_fate {components_of(words).fates[fate].id}"
            drawings.append(fate_tile(words, fate, fate_in_words(words, fate, compared), choice))
        else:
            said = say(words, "fate_owned", seat=owner, fate=fate, text=_fate_text(words, fate))
            drawings.append(fate_tile(words, fate, said, "", owner))
    return Region("fates", say(words, "fates"), "shared", drawings)


def rivalry(words: GameMessages, seen: AtuaView, fate: int, seat: int | None) -> Rows:
    """Return per category of a fate the number of a seat and the highest of the other seats.

    Args:
        words: The game's messages.
        seen: The view.
        fate: The fate.
        seat: The seat; None for a spectator.

    Returns:
        A pair per category; empty in the solo game and for a spectator.
    """
    if seat is None or seen.solo:
        return ()
    counts = seen.live.counts
    return tuple(
        (counts[seat][thing], max(each[thing] for other, each in enumerate(counts) if other != seat))
        for thing in components_of(words).fates[fate].categories
    )


def fate_in_words(words: GameMessages, fate: int, compared: Rows) -> str:
    """Return the name of a fate with its effect.

    Args:
        words: The game's messages.
        fate: The fate.
        compared: The result of `rivalry`.
    """
    name = f"{words.name('fate', fate)}: {_fate_text(words, fate)}"
    if compared:
        pairs = zip(components_of(words).fates[fate].categories, compared, strict=True)
        name += " " + "; ".join(_most(words, thing, pair) for thing, pair in pairs)
    return name


def _most(words: GameMessages, thing: int, pair: Row) -> str:
    mine, best = pair
    return words.say(f"score.most_{COUNTED[thing]}", {"number": mine, "against": best})


def _fate_text(words: GameMessages, fate: int) -> str:
    return words.translated(components_of(words).fates[fate].text.said(words.language))
