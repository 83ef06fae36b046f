"""The effects of district tiles in words, built from their data."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine.translations import GameMessages

from . import effects
from .components import AtlandiceComponents
from .effects import Step


def tile_text(words: GameMessages[AtlandiceComponents], tile: int) -> str:
    """Return the effect of a tile as sentences in the language of the messages."""
    return effect_text(words, words.game.components.effects[tile])


def effect_text(words: GameMessages, steps: Sequence[Step]) -> str:
    """Return the steps of an effect, one sentence each."""
    return " ".join(_step(words, step, "") + "." for step in steps)


def _clause(words: GameMessages, steps: Sequence[Step]) -> str:
    """Return the steps after a condition, as parts of its sentence."""
    return "; ".join(_step(words, step, ".then") for step in steps)


def _step(words: GameMessages, step: Step, form: str) -> str:
    key = f"effect.{step.__struct_config__.tag}{form}"
    if isinstance(step, effects.Roll):
        return words.say(key, {"faces": faces_text(words, step.on), "then": _clause(words, step.then)})
    if isinstance(step, effects.IfSecondDie):
        return words.say(key, {"then": _clause(words, step.then)})
    if isinstance(step, effects.Gain):
        return words.say(key, {"place": words.say(f"effect.place.{step.source}")})
    if isinstance(step, effects.Move):
        fields = {"from": words.say(f"effect.from.{step.source}"), "to": words.say(f"effect.to.{step.to}")}
        return words.say(key, fields)
    if isinstance(step, effects.AdvanceClock):
        return words.say(key, {"n": step.steps})
    return words.say(key)


def faces_text(words: GameMessages, on: Sequence[int], *, short: bool = False) -> str:
    """Return faces as text: "1, 3 or 5", "1 to 4", "6".

    Args:
        words: The game's messages.
        on: The faces.
        short: Whether to return a short form without words: "1 3 5", "1–4", "6".
    """
    faces = sorted(on)
    if len(faces) == 1:
        return str(faces[0])
    if len(faces) > 2 and faces == list(range(faces[0], faces[-1] + 1)):
        ends = {"first": faces[0], "last": faces[-1]}
        return "{first}–{last}".format(**ends) if short else words.say("effect.faces.range", ends)
    if short:
        return " ".join(map(str, faces))
    first = ", ".join(map(str, faces[:-1]))
    return words.say("effect.faces.or", {"first": first, "last": faces[-1]})
