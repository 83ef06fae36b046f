"""The effects of district tiles as rows of signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import SignForm, SignLines

from .. import effects
from ..components import AtlandiceComponents
from ..tile_texts import faces_text

_LINES: Final = SignLines(
    "atlandice",
    SignForm(38),
    {"then": SignForm(20), "to": SignForm(26), "submarine": SignForm(62, scale=0.6, down=4)},
)

_PLACES: Final = {"here": "#here", "black_market": "#market", "other_district": "#house", "any_district": "#house"}


def plate_of(words: GameMessages, components: AtlandiceComponents, tile: int) -> dict[str, Any]:
    """Return the signs and hands on the plate of a district tile.

    Args:
        words: The game's messages.
        components: The components.
        tile: The tile.
    """
    return {"signs": effect_signs(words, components.effects[tile]), "hands": components.hands[tile]}


def effect_signs(words: GameMessages, steps: Sequence[effects.Step]) -> Markup:
    """Return an effect as a line of signs that starts at 0. The tile's text says the same."""
    signs = [sign for step in steps for sign in _signs(words, step)]
    return _LINES.draw(signs, 0, 0, size=34, scale=1, gaps=(4, 4), start=True)


def _signs(words: GameMessages, step: effects.Step) -> list[str]:
    """Return the signs and texts of one step."""
    if isinstance(step, effects.Roll):
        return ["#outline", faces_text(words, step.on, short=True), "#then", *_then(words, step.then)]
    if isinstance(step, effects.IfSecondDie):
        return ["2.", "#outline", "#then", *_then(words, step.then)]
    if isinstance(step, effects.Gain):
        return ["+1", _PLACES[step.source]]
    if isinstance(step, effects.Move):
        return [_PLACES[step.source], "#to", _PLACES[step.to]]
    if isinstance(step, effects.Swap):
        return [_PLACES[step.a], "#swap", _PLACES[step.b]]
    if isinstance(step, effects.AdvanceClock):
        return ["#clock", f"+{step.steps}"]
    if isinstance(step, effects.SetDie):
        return ["#outline", "#turned", "#outline"]
    return ["#submarine", "#to"] if isinstance(step, effects.MoveSubmarine) else ["#outline", "#lens"]


def _then(words: GameMessages, steps: Sequence[effects.Step]) -> list[str]:
    return [sign for step in steps for sign in _signs(words, step)]


def all_steps(steps: Sequence[effects.Step]) -> list[effects.Step]:
    """Return the steps of an effect, including nested ones."""
    found: list[effects.Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, effects.Roll | effects.IfSecondDie):
            found += all_steps(step.then)
    return found
