"""Effects of district tiles as rows of signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atoll.engine.words import Words
from atoll.picture.brush import text_width

from .. import effects
from ..components import AtlandiceBox
from ..tile_words import faces_text

_SIGNS: Final = frozenset(
    ("die", "then", "here", "house", "market", "clock", "swap", "turned", "submarine", "lens", "to")
)

_PLACES: Final = {"here": "here", "black_market": "market", "other_district": "house", "any_district": "house"}


def plate_of(words: Words, box: AtlandiceBox, tile: int) -> dict[str, Any]:
    """What the plate of a district tile shows."""
    return {"glyphs": glyphs_of(words, box.effects[tile]), "hands": box.hands[tile]}


def glyphs_of(words: Words, steps: Sequence[effects.Step]) -> list[dict[str, Any]]:
    """An effect as a row of signs, each with the x of its middle; the tile's text says the same."""
    signs = [sign for step in steps for sign in _signs(words, step)]
    widths = [_sign_width(sign) for sign in signs]
    x = 0.0
    row = []
    for sign, width in zip(signs, widths, strict=True):
        row.append({"sign": sign, "x": x + width / 2, "text": "" if sign in _SIGNS else sign})
        x += width + 4
    return row


def _signs(words: Words, step: effects.Step) -> list[str]:
    """The signs of one step; what isn't the name of a sign is a text."""
    if isinstance(step, effects.Roll):
        return ["die", faces_text(words, step.on, short=True), "then", *_then(words, step.then)]
    if isinstance(step, effects.IfSecondDie):
        return ["2.", "die", "then", *_then(words, step.then)]
    if isinstance(step, effects.Gain):
        return ["+1", _PLACES[step.source]]
    if isinstance(step, effects.Move):
        return [_PLACES[step.source], "to", _PLACES[step.to]]
    if isinstance(step, effects.Swap):
        return [_PLACES[step.a], "swap", _PLACES[step.b]]
    if isinstance(step, effects.AdvanceClock):
        return ["clock", f"+{step.steps}"]
    if isinstance(step, effects.SetDie):
        return ["die", "turned", "die"]
    return ["submarine", "to"] if isinstance(step, effects.MoveSubmarine) else ["die", "lens"]


def _then(words: Words, steps: Sequence[effects.Step]) -> list[str]:
    return [sign for step in steps for sign in _signs(words, step)]


def _sign_width(sign: str) -> float:
    if sign in _SIGNS:
        return {"then": 20.0, "to": 26.0, "submarine": 62.0}.get(sign, 38.0)
    return text_width(sign, 34)


def all_steps(steps: Sequence[effects.Step]) -> list[effects.Step]:
    """The steps of an effect and all those within them."""
    found: list[effects.Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, effects.Roll | effects.IfSecondDie):
            found += all_steps(step.then)
    return found
