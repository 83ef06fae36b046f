"""Rituals, tasks and treasures in signs and numbers instead of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..components import (
    COMPLETE_TASK,
    DRAW_FOREST,
    DRAW_RITUALS,
    EVERY,
    LOSE_PRIEST,
    MEASURES,
    MODIFIERS,
    STEAL_GOODS,
    TRIGGERS,
    VERBS,
    WHO,
    Effect,
    RaiateaComponents,
)
from ..kinds import COMMODITY

_PATTERNS: Final[Mapping[str, str]] = {"same": "=", "same_other": "=", "different": "≠", "any": ""}
_MEASURE_SIGNS: Final[Mapping[str, str]] = {
    "pearls": "pearl",
    "mana": "mana",
    "rituals": "ritual",
    "masks": "masks",
    "min_priests": "priest",
    "min_assistants": "helpers",
}

_CATEGORY_SIGNS: Final[Mapping[str, str]] = {
    "pearls": "pearl",
    "mana": "mana",
    "commodities": "commodity",
    "condition": "condition",
    "rituals": "ritual",
    "masks": "masks",
}

_TRIGGER_SIGNS: Final[Mapping[str, str]] = {"reef_income": "reef", "priest_income": "priest", "forest_done": "forest"}
_MODIFIER_SIGNS: Final[Mapping[str, Sequence[str]]] = {
    "keep_bonus": ("#ritual",),
    "draw_bonus": ("#buy",),
    "neighbourhood_task": ("#hut", "#statue"),
    "extra_sale": ("#stall", "#commodity"),
    "bid_bonus": ("#auction",),
    "roll_bonus": ("#die", "#helpers"),
    "extra_gift": ("#gift",),
}

_VERB_SIGNS: Final[Mapping[str, str]] = {
    "gain_pearls": "pearl",
    "gain_mana": "mana",
    "gain_tattoo": "tattoo",
    "gain_priest": "priest",
    "path_action": "path",
    "add_mana_to_source": "bag",
    "take_commodity": "commodity",
    "take_assistant": "helpers",
    "take_mask": "masks",
    "draw_forest": "forest",
    "ready_assistants": "ready",
    "draw_rituals": "ritual",
    "execute_ritual": "perform",
    "complete_task": "statue",
    "raise_prices": "rise",
    "favour_first": "favour",
    "unlock_statue": "unlock",
    "steal_pearls": "pearl",
    "steal_mana": "mana",
    "steal_goods": "commodity",
    "steal_mask": "masks",
    "steal_assistant": "helpers",
    "lose_priest": "priest",
    "exhaust_assistants": "tired",
    "cancel_ritual": "cancel",
}

_WHO_SIGNS: Final[Mapping[str, Sequence[str]]] = {
    "self": (),
    "all": ("#everyone",),
    "each_other": ("#others",),
    "one_other": ("#other",),
}


def ritual_signs(components: RaiateaComponents, card: int) -> list[list[str]]:
    """Return a ritual in signs, one line for each effect."""
    lines = [effect_line(effect) for effect in components.ritual_effects[card]]
    for event, effects in components.ritual_triggers[card]:
        lines += [["#" + _TRIGGER_SIGNS[TRIGGERS[event]], "›", *effect_line(effect)] for effect in effects]
    for modifier, amount in components.ritual_modifiers[card]:
        key, _, about = MODIFIERS[modifier].partition(" ")
        if key == "task_discount":
            lines.append(["#statue", "#" + _CATEGORY_SIGNS[about], f"−{amount}"])
        else:
            lines.append([*(["#marae"] if about == "marae" else []), *_MODIFIER_SIGNS[key], f"+{amount}"])
    if components.ritual_vp[card]:
        lines.append([str(components.ritual_vp[card]), "#vp"])
    return lines


def task_signs(components: RaiateaComponents, task: int) -> list[str]:
    """Return the demand of a task in numbers and signs.

    "3+" is at least three, "2=" is two alike, "3≠" is all different.
    """
    measure, least = MEASURES[components.task_measure[task]], components.task_least[task]
    if components.task_pattern[task]:
        parts: list[str] = []
        for key, n in components.task_pattern[task]:
            if key in COMMODITY.names:
                parts += ["#" + key] if n == 1 else [str(n), "#" + key]
            else:
                parts.append(f"{'+' if parts else ''}{n}{_PATTERNS[key]}")
        named = all(key in COMMODITY.names for key, _ in components.task_pattern[task])
        return parts if named else [*parts, "#commodity"]
    if measure == "auction":
        return ["#auction"]
    if measure == "min_rank":
        return [f"{components.rank_tattoos[least]}+", "#tattoo"]
    if measure == "min_same_assistants":
        return [f"{least}=", "#helpers"]
    paid = measure in ("pearls", "mana", "rituals", "masks")
    return [str(least) if paid else f"{least}+", "#" + _MEASURE_SIGNS[measure]]


def effect_line(effect: Effect) -> list[str]:
    """Return an effect in signs: whom it is about, how many, of what."""
    verb = VERBS[effect.verb]
    counted = {DRAW_FOREST: effect.look, DRAW_RITUALS: effect.keep, STEAL_GOODS: effect.commodities}
    n = counted.get(effect.verb, effect.amount)
    number = "∞" if n == EVERY else str(n) if n > 1 else ""
    if effect.verb == LOSE_PRIEST:
        number = f"−{n}"
    elif effect.verb == COMPLETE_TASK and effect.free:
        number = "0="
    return [*_WHO_SIGNS[WHO[effect.who]], *([number] if number else []), "#" + _VERB_SIGNS[verb]]


def effect_signs(effects: Sequence[Effect]) -> list[str]:
    """Return several effects in one line; those of a single thing have a 1 before it."""
    parts: list[str] = []
    for effect in effects:
        line = effect_line(effect)
        parts += line if len(line) > 1 else ["1", *line]
    return parts


def treasure_signs(cards: Sequence[tuple[int, Sequence[Effect]]], god: int) -> list[str]:
    """Return the treasure of a god's card in the forest."""
    return next((effect_signs(effects) for each, effects in cards if each == god and effects), [])
