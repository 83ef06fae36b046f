"""Effects of Raiatea, built from the entries of `components.toml`.

`PARAMETERS` lists the keys that each verb needs, and the players whom it can concern.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from atoll.engine.component_schema import FileLocation

from . import component_schema as schema
from .components import (
    ADD_MANA_TO_SOURCE,
    CANCEL_RITUAL,
    COMPLETE_TASK,
    DRAW_FOREST,
    DRAW_RITUALS,
    EVERY,
    EXECUTE_RITUAL,
    EXHAUST_ASSISTANTS,
    FAVOUR_FIRST,
    GAIN_MANA,
    GAIN_PEARLS,
    GAIN_PRIEST,
    GAIN_TATTOO,
    LOSE_PRIEST,
    MODIFIERS,
    MOST,
    PATH_ACTION,
    RAISE_PRICES,
    READY_ASSISTANTS,
    STEAL_ASSISTANT,
    STEAL_GOODS,
    STEAL_MANA,
    STEAL_MASK,
    STEAL_PEARLS,
    TAKE_ASSISTANT,
    TAKE_COMMODITY,
    TAKE_MASK,
    UNLOCK_STATUE,
    VERBS,
    WHO,
    Effect,
)

NOBODYS: Final = (ADD_MANA_TO_SOURCE, RAISE_PRICES, UNLOCK_STATUE)  # These verbs concern no player.
_GAINERS: Final = ("self", "all")
_VICTIMS: Final = ("each_other", "one_other")
PARAMETERS: Final[Mapping[int, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]] = {
    GAIN_PEARLS: ((), ("amount",), _GAINERS),
    GAIN_MANA: ((), ("amount",), _GAINERS),
    GAIN_TATTOO: ((), ("amount",), _GAINERS),
    GAIN_PRIEST: ((), ("amount",), _GAINERS),
    PATH_ACTION: ((), (), ()),
    ADD_MANA_TO_SOURCE: (("per_player",), (), ()),
    TAKE_COMMODITY: ((), ("amount",), ()),
    TAKE_ASSISTANT: ((), ("amount",), ()),
    TAKE_MASK: ((), ("amount",), ()),
    DRAW_FOREST: (("look", "keep"), (), ()),
    READY_ASSISTANTS: ((), ("amount",), _GAINERS),
    DRAW_RITUALS: (("keep",), (), _GAINERS),
    EXECUTE_RITUAL: ((), (), ()),
    COMPLETE_TASK: ((), ("free",), _GAINERS),
    RAISE_PRICES: ((), (), ()),
    FAVOUR_FIRST: ((), (), ()),
    UNLOCK_STATUE: ((), (), ()),
    STEAL_PEARLS: ((), ("amount",), _VICTIMS),
    STEAL_MANA: ((), ("amount",), _VICTIMS),
    STEAL_GOODS: (("commodities", "pearls"), (), _VICTIMS),
    STEAL_MASK: ((), ("amount",), _VICTIMS),
    STEAL_ASSISTANT: ((), ("amount",), _VICTIMS),
    LOSE_PRIEST: ((), ("amount",), _VICTIMS),
    EXHAUST_ASSISTANTS: ((), ("amount",), _VICTIMS),
    CANCEL_RITUAL: ((), ("amount",), ()),
}
"""Per verb the required keys, the optional keys, and the possible values of `who`."""


def effect_of(at: FileLocation, effect: schema.Effect) -> Effect:
    """Return one effect, after a check that it has exactly the keys of its verb.

    Args:
        at: The location of the entry in the file.
        effect: The effect to carry out.

    Raises:
        ComponentError: If a key is missing or isn't allowed, or if a value isn't allowed for the
            verb.
    """
    verb = VERBS.index(effect.verb)
    needed, optional, who = PARAMETERS[verb]
    given: dict[str, Any] = {key: value for key, value in asdict(effect).items() if value is not None}
    del given["verb"]
    allowed = (*needed, *optional, *(("who",) if who else ()))
    for key in given:
        at.need(key in allowed, f"{effect.verb} has {key}", ", ".join(allowed) or "no other key")
    for key in (*needed, *(("who",) if who is _VICTIMS else ())):
        at.need(key in given, f"{effect.verb} has no {key}", ", ".join(allowed))
    if effect.amount == "all":
        at.need(verb == READY_ASSISTANTS, f"{effect.verb} has amount 'all'", f"a whole number from 1 to {MOST}")
        given["amount"] = EVERY
    if effect.who is not None:
        at.one_of(f"who of {effect.verb}", effect.who, who)
        given["who"] = WHO.index(effect.who)
    if effect.per_player is not None:
        given["amount"] = given.pop("per_player")
    return Effect(verb, **given)


def effects_of(at: FileLocation, effects: Sequence[schema.Effect]) -> tuple[Effect, ...]:
    """Return the effects of a list, in order."""
    return tuple(effect_of(at, each) for each in effects)


def modifier_of(at: FileLocation, each: schema.ModifierPart) -> tuple[int, int]:
    """Return a passive modifier as (index of `MODIFIERS`, amount).

    A modifier with a scope or category has it in its name.

    Args:
        at: The location of the entry in the file.
        each: The modifier.

    Raises:
        ComponentError: If the scope or category is missing or isn't allowed.
    """
    scoped, sorted_ = each.modifier == "keep_bonus", each.modifier == "task_discount"
    at.need((each.scope is not None) == scoped, f"{each.modifier} has scope {each.scope}", "one for keep_bonus only")
    right = (each.category is not None) == sorted_
    at.need(right, f"{each.modifier} has category {each.category}", "one for task_discount only")
    return MODIFIERS.index(" ".join(filter(None, (each.modifier, each.scope, each.category)))), each.amount
