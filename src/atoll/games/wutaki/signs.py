"""Costs and effects as rows of signs: short forms of the sentences of `describe`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from atoll.picture.svg_macros import signed

from .components import (
    CHOOSE,
    CLIMB,
    ELEMENT_SLOT,
    END_VP,
    FLAG,
    FLAGS,
    FULFIL_PACT,
    GAIN,
    LOSE,
    METRICS,
    MODIFIER,
    UPGRADE,
    VERBS,
    Action,
    Cost,
    Effect,
    ElementCard,
    RoundCard,
    SecretPact,
    TowerUpgrade,
    Vengeance,
    WutakiComponents,
)
from .kinds import ELEMENTS, RESOURCES, STANDARD_PLACES

Sign = tuple[str, str]
"""A text and the name of a drawing behind it; either may be empty."""

_SIMPLE: Final[dict[str, tuple[Sign, ...]]] = {
    "vp": (("{n}", "crown"),),
    "draw_omen": (("+{n}", "omen"),),
    "play_omen": (("{n}", "fire"), ("", "omen")),
    "draw_vengeance": (("+{n}", "curse"),),
    "return_vengeance": (("−{n}", "curse"),),
    "gift_vengeance": (("", "gift"), ("{n}", "curse")),
    "draw_secret_pact": (("+{n}", "secret"),),
    "hire": (("+{n}", "extra"),),
    "accept_pact": (("+1", "tablet"),),
    "gift_pact": (("", "gift"), ("", "tablet")),
    "discard_pact": (("−{n}", "tablet"),),
    "renew_pacts": (("", "renew"), ("", "tablet")),
    "fulfil_pact": (("", "tablet"), ("✓", "")),
    "upgrade": (("", "flag"),),
    "replace_upgrade": (("", "swap"), ("", "flag")),
    "remove_upgrade": (("−1", "flag"),),
    "climb": (("", "stairs"),),
    "chase": (("", "boot"),),
    "plunder": (("", "hand"), ("", "jaw")),
    "raid": (("", "jaw"),),
    "take_resources": (("", "hand"), ("{n}", "any")),
    "take_omen": (("", "hand"), ("{n}", "omen")),
    "recall_worker": (("", "renew"), ("", "loyal")),
    "claim_start": (("", "idol"),),
    "trade": (("", "swap"),),
    "raise_multiplier": (("×", ""), ("+1", "")),
    "empty_maw": (("0", "jaw"),),
    "yield": (("+{n}", "any"),),
    "repeat_action": (("2×", "loyal"),),
    "occupied_field": (("+1", "loyal"),),
    "burn_omens": (("", "fire"), ("", "omen"), ("{vp}", "crown")),
}
_MODIFIERS: Final[dict[str, tuple[Sign, ...]]] = {
    "yield": (("+{n}", "any"),),
    "no_vengeance": (("0", "curse"),),
    "upgrade_discount": (("−{n}", "gold"), ("", "flag")),
    "hire_discount": (("−{n}", "marker"), ("", "extra")),
}
_FLAG_SIGNS: Final = {"protected_workers": "boot", "free_upkeep": "marker"}
_METRIC_SIGNS: Final = {
    "fulfilled_pacts": "tablet",
    "fulfilled_fire": "fire",
    "fulfilled_water": "water",
    "fulfilled_earth": "earth",
    "fulfilled_wind": "wind",
    "unfulfilled_pacts": "scroll",
    "pact_elements": "any",
    "omen_cards": "omen",
    "vengeance_cards": "curse",
    "hired_workers": "extra",
    "upgrades_done": "flag",
    "place_upgrades": "flag",
    "tower_upgrades": "keep",
    "pyramid_level": "stairs",
    "resources": "any",
}
_OF_PLACE: Final = dict(zip(STANDARD_PLACES, ("oil", "sheep", "gold", "stone", "wood", "extra"), strict=True))


def cost_signs(cost: Cost) -> list[Sign]:
    """Return the signs of a cost; empty if it is free."""
    found = [(str(n), RESOURCES[kind]) for kind, n in cost.tokens.printed]
    others = {"any": cost.tokens.any, "marker": cost.tokens.cost_marker, "omen": cost.omen, "crown": cost.vp}
    others["loyal"] = cost.worker
    return found + [(str(n), sign) for sign, n in others.items() if n]


def action_signs(action: Action) -> list[Sign]:
    """Return a cost, an arrow, and the effects that it buys."""
    cost = cost_signs(action.cost)
    return cost + ([("›", "")] if cost else []) + effects_signs(action.effects)


def effects_signs(effects: Iterable[Effect]) -> list[Sign]:
    """Return effects from left to right."""
    return [sign for effect in effects for sign in effect_signs(effect)]


def effect_signs(effect: Effect) -> list[Sign]:
    """Return the signs of one effect."""
    if effect.verb in (GAIN, LOSE):
        assert effect.tokens is not None
        sign = "+" if effect.verb == GAIN else "−"
        found = [(f"{sign}{n}", RESOURCES[kind]) for kind, n in effect.tokens.printed]
        others = (("any", effect.tokens.any), ("marker", effect.tokens.cost_marker))
        return found + [(f"{sign}{n}", kind) for kind, n in others if n]
    if effect.verb == CHOOSE:
        either: list[Sign] = []
        for option in effect.options:
            either += [*([("/", "")] if either else []), *action_signs(option)]
        return either
    if effect.verb == END_VP:
        return [(signed(effect.vp), "crown"), ("/" + (str(effect.per) if effect.per > 1 else ""), metric_sign(effect))]
    if effect.verb == FLAG:
        return [("", "stop"), ("", _FLAG_SIGNS[FLAGS[effect.flag]])]
    pattern = _MODIFIERS[effect.modifier] if effect.verb == MODIFIER else _SIMPLE[VERBS[effect.verb]]
    found = [(text.format(n=effect.n or 1, vp=effect.vp), sign) for text, sign in pattern]
    if effect.verb == UPGRADE and effect.vp:
        found.append((f"+{effect.vp}", "crown"))
    if effect.verb in (FULFIL_PACT, UPGRADE, CLIMB) and effect.discount:
        found.append((f"−{effect.discount}", "gold" if effect.verb == UPGRADE else "any"))
    return found


def round_signs(card: RoundCard) -> list[Sign]:
    """Return the effects of a round card."""
    return action_signs(card.action)


def vengeance_signs(card: Vengeance) -> list[Sign]:
    """Return the limit, and the penalty beyond it."""
    return [(f">{card.limit}", metric_sign(card)), (f"−{card.penalty}", "crown")]


def secret_signs(card: SecretPact) -> list[Sign]:
    """Return the aim of a secret pact, and its points."""
    limit = ("max", f"≥{card.n}", f"≤{card.n}")[card.condition]
    return [(limit, metric_sign(card)), (f"+{card.vp}", "crown")]


def element_signs(card: ElementCard | TowerUpgrade) -> list[Sign]:
    """Return the points for pacts of an element, and those lost for pacts of the anti-element."""
    return [(f"+{card.bonus}", ELEMENTS[card.element]), (f"−{card.malus}", ELEMENTS[card.anti])]


def tower_signs(components: WutakiComponents, card: int) -> list[Sign]:
    """Return the effects of a tower upgrade."""
    upgrade = components.tower_upgrades[card]
    if upgrade.slot == ELEMENT_SLOT:
        return element_signs(upgrade)
    return [(f"+{upgrade.n}", RESOURCES[components.boards[0].places[upgrade.place].kind])]


def metric_sign(card: Effect | SecretPact | Vengeance) -> str:
    """Return the metric that a card counts."""
    name, _, place = METRICS[card.metric].partition(":")
    return _OF_PLACE[place] if place else _METRIC_SIGNS.get(name, name)
