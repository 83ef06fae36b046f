"""Fates and residents as tiles, large and among a seat's possessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine.words import Words
from atoll.picture import Drawing, Region, kept
from atoll.picture.brush import shorten, text_width

from ..components import (
    COUNTED,
    AtuaBox,
)
from .drawing import draw
from .table import Table

_TILE: Final = (174, 108)
_CHIP: Final = (90, 18)  # how long a title is on a tile among a seat's possessions, and its size
_NARROW: Final = 0.85  # how much narrower it is set


def fate_tile(words: Words, box: AtuaBox, number: int, name: str, choice: str, owner: int | None = None) -> Drawing:
    """A fate: price or owner, what it counts, what it pays."""
    fate = box.fates[number]
    id = f"fate-{fate.id}" if owner is None else f"fate-bought-{fate.id}"
    markup = draw(
        "fate",
        id=id,
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
    """A tile among a seat's possessions, as signs and perhaps its title; the lens tells the rest."""
    room, size = _CHIP
    signs = [{"name": thing, "x": 19 + 30 * place} for place, thing in enumerate(things)]
    text = shorten(title, room, size * _NARROW)
    width = 30 * len(signs) + 8 + (text_width(text, size * _NARROW) + 4 if text else 0)
    markup = draw("chip", id=id, name=name, text=text, signs=signs, width=width)
    return Drawing(f"chip-{id}", width, 34, markup)


def resident_words(words: Words, box: AtuaBox, number: int) -> tuple[str, str]:
    """What a resident is called, alone and with what it does."""
    title = words.name("resident", number)
    return title, f"{title}: {words.translated(box.residents[number].text.said(words.language))}"


def resident_tile(words: Words, box: AtuaBox, number: int, choice: str, now: str) -> Drawing:
    """A resident, with what it does in words. now: what it is worth, as one more sentence."""
    tile = box.residents[number]
    title, text = words.name("resident", number), words.translated(tile.text.said(words.language))
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


class Fates(Table):
    """The fates of the game."""

    @kept
    def fates(self) -> Region:
        """The fates of the game, each in its place: those that can be bought, and whose the others are."""
        owners = {fate: seat for seat, bought in enumerate(self.s["fates"]) for fate in bought}
        drawings = [
            self._bought_fate(fate, owners[fate]) if fate in owners else self._fate(fate)
            for fate in sorted([*self.s["fate_row"], *owners])
        ]
        return Region("fates", self._say("fates"), "shared", drawings)

    def _fate(self, number: int) -> Drawing:
        """A tile that can be bought: price, what it counts, what it pays."""
        choice = f"buy_fate {self.box.fates[number].id}"
        return fate_tile(self.words, self.box, number, self.called(number, None), choice)

    def _bought_fate(self, number: int, owner: int) -> Drawing:
        """A tile that stays to be read: the mark of its owner, before whom it lies, instead of the price."""
        said = self._say("fate_owned", seat=owner, fate=number, text=self._fate_text(number))
        return fate_tile(self.words, self.box, number, said, "", owner)

    def _fate_text(self, number: int) -> str:
        return self.words.translated(self.box.fates[number].text.said(self.words.language))

    def called(self, number: int, owner: int | None) -> str:
        """What a tile says, with what its owner and the best of the others have."""
        fate = self.box.fates[number]
        name = f"{self.words.name('fate', number)}: {self._fate_text(number)}"
        who = self.view["viewer"] if owner is None else owner
        if who is not None and not self.solo:
            counts = self.live["counts"]
            best = [max(counts[seat][thing] for seat in range(len(counts)) if seat != who) for thing in fate.categories]
            mine = [counts[who][thing] for thing in fate.categories]
            pairs = zip(fate.categories, mine, best, strict=True)
            name += " " + "; ".join(
                self.words.say(f"score.most_{COUNTED[thing]}", {"number": a, "against": b}) for thing, a, b in pairs
            )
        return name
