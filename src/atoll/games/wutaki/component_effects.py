"""Wutaki's costs and effects, built from `components.toml`.

`PARAMETERS` lists the keys of each verb, and `_HOMES` the entries in which it is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from atoll.engine.component_schema import FileLocation

from . import component_schema as schema
from .components import (
    ACCEPT_PACT,
    BURN_OMENS,
    CHASE,
    CHOOSE,
    CLIMB,
    DISCARD_PACT,
    DRAW_OMEN,
    DRAW_SECRET_PACT,
    DRAW_VENGEANCE,
    EMPTY_MAW,
    END_VP,
    FLAG,
    FLAGS,
    FULFIL_PACT,
    GAIN,
    GIFT_PACT,
    GIFT_VENGEANCE,
    HIRE,
    LOSE,
    METRICS,
    MODIFIER,
    NO_EFFECT,
    OCCUPIED_FIELD,
    PLAY_OMEN,
    PLUNDER,
    RAID,
    RAISE_MULTIPLIER,
    RECALL_WORKER,
    RENEW_PACTS,
    REPEAT_ACTION,
    RETURN_VENGEANCE,
    TAKE_OMEN,
    TAKE_RESOURCES,
    UPGRADE,
    VERBS,
    VP,
    YIELD,
    Action,
    Cost,
    Effect,
    Pairs,
    Tokens,
)
from .kinds import (
    MAIN_PLACES,
    RESOURCES,
    STANDARD_PLACES,
)


def _pairs(amounts: Sequence[int]) -> Pairs:
    return tuple((kind, n) for kind, n in enumerate(amounts) if n)


def _tokens(given: Mapping[str, int]) -> Tokens:
    fixed = [given.get(kind) or 0 for kind in RESOURCES]
    marker, any_kind = given.get("cost_marker") or 0, given.get("any") or 0
    by_marker = tuple(
        _pairs([n + (marker if kind == own else 0) for kind, n in enumerate(fixed)]) for own in range(len(RESOURCES))
    )
    return Tokens(_pairs(fixed), by_marker, marker, any_kind, sum(fixed) + marker + any_kind)


def cost_of(at: FileLocation, pay: schema.Cost | None, sacrifice: schema.Cost | None) -> Cost:
    """Return the cost that is paid or sacrificed; nothing if neither is given.

    Args:
        at: The location of the entry in the file.
        pay: The cost that goes to the supply; None if there is none.
        sacrifice: The cost that goes to the maw; None if there is none.

    Raises:
        ComponentError: If both are given.
    """
    at.need(pay is None or sacrifice is None, "both pay and sacrifice", "one of them")
    cost = sacrifice or pay or schema.Cost()
    tokens = _tokens(msgspec.structs.asdict(cost))
    is_free = not (tokens.total or cost.omen or cost.vp or cost.worker)
    is_fixed = not (tokens.any or cost.omen or cost.vp or cost.worker)
    return Cost(tokens, cost.omen, cost.vp, cost.worker, sacrifice is not None, is_free, is_fixed)


_HOMES: Final = {
    YIELD: ("standard place",),
    MODIFIER: ("modifier",),
    END_VP: ("permanent omen",),
    FLAG: ("permanent omen",),
    REPEAT_ACTION: ("ability",),
    OCCUPIED_FIELD: ("ability",),
    BURN_OMENS: ("ability",),
    RAISE_MULTIPLIER: ("own place",),
    RAID: ("pact track",),
}
"""The entries in which a verb is allowed; verbs that aren't listed are allowed everywhere."""
_TABLE_VERBS: Final = (EMPTY_MAW, RENEW_PACTS)
_MOST_TIMES: Final = 20
_TIMES: Final = (("n",), ())
_TOKEN_KEYS: Final = (*RESOURCES, "any", "cost_marker")
PARAMETERS: Final[Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    VP: _TIMES,
    GAIN: ((), _TOKEN_KEYS),
    LOSE: ((), _TOKEN_KEYS),
    DRAW_OMEN: _TIMES,
    PLAY_OMEN: _TIMES,
    DRAW_VENGEANCE: _TIMES,
    RETURN_VENGEANCE: _TIMES,
    GIFT_VENGEANCE: _TIMES,
    DRAW_SECRET_PACT: _TIMES,
    HIRE: (("n",), ("discount", "free")),
    ACCEPT_PACT: (("from", "bonus"), ()),
    GIFT_PACT: (("from",), ()),
    DISCARD_PACT: _TIMES,
    FULFIL_PACT: ((), ("discount", "free")),
    UPGRADE: (("vp",), ("discount", "free")),
    CLIMB: ((), ("discount",)),
    CHASE: (("relocate",), ()),
    PLUNDER: ((), ("n",)),
    TAKE_RESOURCES: _TIMES,
    TAKE_OMEN: _TIMES,
    RECALL_WORKER: _TIMES,
    RAISE_MULTIPLIER: _TIMES,
    CHOOSE: (("options",), ()),
    MODIFIER: (("kind", "n", "places"), ()),
    END_VP: (("metric", "vp"), ("per",)),
    FLAG: (("id",), ()),
    BURN_OMENS: (("max", "vp"), ()),
}
"""The required and optional keys of the verbs that have parameters."""


def _effect(at: FileLocation, effect: schema.Effect, home: str) -> Effect:
    """Return one effect.

    Its home must allow the verb, and it must have exactly the keys of the verb.
    """
    verb = VERBS.index(effect.do)
    homes = _HOMES.get(verb, (home,))
    at.need(home in homes, f"verb {effect.do!r} in a {home}", " or ".join(homes))
    if home == "table instant":
        at.need(verb in _TABLE_VERBS, f"verb {effect.do!r} without a player", ", ".join(VERBS[v] for v in _TABLE_VERBS))
    needed, optional = PARAMETERS.get(verb, ((), ()))
    given = dict(zip(effect.__struct_encode_fields__, msgspec.structs.astuple(effect), strict=True))
    del given["do"]
    for key, value in given.items():
        allowed = ", ".join((*needed, *optional)) or "no other key"
        at.need(value is None or key in needed or key in optional, f"verb {effect.do!r} has {key!r}", allowed)
        at.need(value is not None or key not in needed, f"verb {effect.do!r} has no {key!r}", allowed)
    if effect.n is not None:
        low, high = 0 if verb == MODIFIER else 1, 99 if verb in (VP, MODIFIER) else _MOST_TIMES
        at.need(low <= effect.n <= high, f"n of {effect.do} is {effect.n}", f"a whole number from {low} to {high}")
    tokens = _tokens(given) if verb in (GAIN, LOSE) else None
    at.need(tokens is None or tokens.total > 0, f"verb {effect.do!r} with no tokens", ", ".join(_TOKEN_KEYS))
    at.need(not effect.relocate or home == "place", "relocate without a place to come from", "in a place of the board")
    at.need(verb != ACCEPT_PACT or effect.source == "display", f"from is {effect.source!r}", "display")
    return Effect(
        verb,
        at.card,
        n=effect.n or effect.max or 0,
        tokens=tokens,
        discount=effect.discount or 0,
        free=bool(effect.free),
        bonus=bool(effect.bonus),
        own=effect.source == "own",
        relocate=bool(effect.relocate),
        vp=effect.vp or 0,
        per=effect.per or 1,
        metric=at.one_of("metric", effect.metric, METRICS) if effect.metric is not None else 0,
        flag=FLAGS.index(effect.id or ""),
        modifier=effect.kind or "",
        places=_affected(at, effect) if verb == MODIFIER else (MAIN_PLACES.index(at.card),) if verb == YIELD else (),
        options=tuple(
            action_of(at, home, option.effects, option.pay, option.sacrifice) for option in effect.options or ()
        ),
    )


def _affected(at: FileLocation, effect: schema.Effect) -> tuple[int, ...]:
    """Return the places that a modifier changes."""
    allowed = {"yield": STANDARD_PLACES[:-1], "no_vengeance": ("plunder", "chase")}.get(effect.kind or "", ())
    return tuple(
        MAIN_PLACES.index(allowed[at.one_of(f"places of {effect.kind}", each, allowed)]) for each in effect.places or ()
    )


def effects_of(at: FileLocation, effects: Sequence[schema.Effect], home: str) -> tuple[Effect, ...]:
    """Return the effects of a list, in order.

    Args:
        at: The location of the entry in the file.
        effects: The effects, in order.
        home: The kind of entry that they are printed on.
    """
    return tuple(_effect(at, each, home) for each in effects)


def action_of(
    at: FileLocation,
    home: str,
    effects: Sequence[schema.Effect],
    pay: schema.Cost | None = None,
    sacrifice: schema.Cost | None = None,
) -> Action:
    """Return an action: a cost, then effects.

    Args:
        at: The location of the entry in the file.
        home: The kind of entry that it is printed on.
        effects: The effects, in order.
        pay: The cost that goes to the supply; None if there is none.
        sacrifice: The cost that goes to the maw; None if there is none.
    """
    found = effects_of(at, effects, home)
    first = found[0] if found else NO_EFFECT
    return Action(at.card, cost_of(at, pay, sacrifice), found, first)
