"""Descriptions of cards and boards, generated from their effect data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from atoll.engine.translations import GameMessages

from .components import (
    ACCEPT_PACT,
    AT_MOST,
    CHASE,
    CHOOSE,
    CLIMB,
    CONDITIONS,
    ELEMENT_SLOT,
    END_VP,
    FLAG,
    FLAGS,
    FULFIL_PACT,
    GAIN,
    GIFT_PACT,
    HIRE,
    LOSE,
    METRICS,
    MODIFIER,
    MOST,
    PLUNDER,
    UPGRADE,
    VERBS,
    Action,
    Cost,
    Effect,
    Masterboard,
    Tokens,
    WutakiComponents,
)
from .kinds import STANDARD_PLACES


def describe(words: GameMessages[WutakiComponents], domain: str, index: int, seats: int) -> str:
    """Return the description of a card, marker or masterboard.

    Args:
        words: The messages of the game.
        domain: The domain of the card.
        index: The index in the domain.
        seats: The number of seats.

    Raises:
        KeyError: If the domain has no descriptions.
    """
    return _DOMAINS[domain](words, words.game.components, index, seats)


def tokens_in_words(words: GameMessages, tokens: Tokens) -> list[str]:
    """Return the printed amounts: kinds, any kind, the kind of the cost marker."""
    parts = [words.say("effect.tokens", {"n": n, "resource": kind}) for kind, n in tokens.printed]
    if tokens.any:
        parts.append(words.say("effect.any", {"n": tokens.any}))
    if tokens.cost_marker:
        parts.append(words.say("effect.cost_marker", {"n": tokens.cost_marker}))
    return parts


def cost_in_words(words: GameMessages, cost: Cost, *, visited: bool = False) -> str:
    """Return a cost as the beginning of a sentence; "" if it is free.

    Args:
        words: The messages of the game.
        cost: The cost.
        visited: Whether it is the cost of a masterboard's place, whose visitor can't be the worker
            that it takes.
    """
    if cost.is_free:
        return ""
    parts = tokens_in_words(words, cost.tokens)
    parts += [
        words.say(f"effect.{name}", {"n": n})
        for name, n in (
            ("omen", cost.omen),
            ("points", cost.vp),
            ("worker.other" if visited else "worker", cost.worker),
        )
        if n
    ]
    return words.say("effect.sacrifice" if cost.sacrificed else "effect.pay", {"what": ", ".join(parts)})


def action_in_words(words: GameMessages, action: Action, *, visited: bool = False) -> str:
    """Return a cost and the effects that it buys, as a sentence.

    Args:
        words: The messages of the game.
        action: The action.
        visited: See `cost_in_words`.
    """
    effects = effects_in_words(words, action.effects, must=True)
    cost = cost_in_words(words, action.cost, visited=visited)
    return words.say("effect.for", {"cost": cost, "what": effects}) if cost else f"{_capital(effects)}."


def effects_in_words(words: GameMessages, effects: Sequence[Effect], *, must: bool = False) -> str:
    """Return effects from left to right, without a full stop.

    Args:
        words: The messages of the game.
        effects: The effects.
        must: Whether the first effect isn't optional; see `effects.run_effects`. Later ones are
            always optional.
    """
    said = [effect_in_words(words, effect, must=must and not at) for at, effect in enumerate(effects)]
    # This happens after the other effects.
    if any(effect.verb == CHASE and effect.relocate for effect in effects):
        said.append(words.say("effect.move_in"))
    return "; ".join(said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def effect_in_words(words: GameMessages, effect: Effect, *, must: bool = False) -> str:
    """Return one effect, without a full stop; if a seat may decline it, "you may ...".

    Args:
        words: The messages of the game.
        effect: The effect to carry out.
        must: Whether the seat may not decline.
    """
    key = f"effect.{VERBS[effect.verb]}"
    fields: dict[str, Any] = {"n": effect.n, "vp": effect.vp, "discount": effect.discount}
    if effect.verb in (GAIN, LOSE):
        assert effect.tokens is not None
        fields["what"] = ", ".join(tokens_in_words(words, effect.tokens))
    elif effect.verb in (HIRE, FULFIL_PACT, UPGRADE, CLIMB) and (effect.free or effect.discount):
        key += ".free" if effect.free else ".cheaper"
    elif effect.verb == ACCEPT_PACT and not effect.bonus:
        key += ".plain"
    elif effect.verb == GIFT_PACT and effect.own:
        key += ".own"
    elif effect.verb == CHASE and effect.relocate:
        key += ".relocate"
    elif effect.verb == PLUNDER and effect.n:
        key += ".some"
    elif effect.verb == FLAG:
        key += f".{FLAGS[effect.flag]}"
    elif effect.verb == MODIFIER:
        key += f".{effect.modifier}"
        fields["place"] = list(effect.places)
    elif effect.verb == END_VP:
        own = f"{key}.{METRICS[effect.metric]}"
        key = own if words.has(f"wutaki.{own}") else f"{key}.each" if effect.per == 1 else key
        fields["what"] = metric_in_words(words, effect.metric, "each" if effect.per == 1 else effect.per)
    elif effect.verb == CHOOSE:
        either = [action_in_words(words, option).rstrip(".") for option in effect.options]
        fields["what"] = words.say("effect.or").join(either)
    if not must and words.has(f"wutaki.{key}.may"):
        key += ".may"
    return words.say(key, fields)


def metric_in_words(words: GameMessages, metric: int, form: int | Literal["each", "more"]) -> str:
    """Return the text for a metric.

    Args:
        words: The messages of the game.
        metric: Index in METRICS.
        form: A number, `each` or `more`, depending on the sentence.
    """
    name, _, place = METRICS[metric].partition(":")
    fields = {"standard_place": STANDARD_PLACES.index(place)} if place else {}
    if isinstance(form, int):
        return words.say(f"metric.{name}", {**fields, "n": form}) if form else words.say(f"metric.{name}.none", fields)
    return words.say(f"metric.{name}.{form}", fields)


def _pact(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    action = components.pacts[index].action
    what = effects_in_words(words, action.effects)
    return words.say("effect.for", {"cost": cost_in_words(words, action.cost), "what": what})


def _omen(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    return action_in_words(words, components.omens[index].action)


def _ability(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    action = components.abilities[index].action
    own = f"effect.{VERBS[action.first.verb]}.ability"
    if words.has(f"wutaki.{own}") and len(action.effects) == 1:
        return f"{_capital(words.say(own, {'n': action.first.n}))}."
    return action_in_words(words, action)


def _round_card(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    card = components.round_cards[index]
    text = action_in_words(words, card.action)
    who = "all" if card.for_all else "table"
    key = f"round_card.{card.kind}" + (f".{who}" if card.kind == "instant" else "")
    return words.say(key, {"what": text})


def _vengeance(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    card = components.vengeance[index]
    key = "vengeance" if card.limit else "vengeance.none"
    if card.limit and METRICS[card.metric] == "vengeance_cards":
        key = "vengeance.included"
    what = metric_in_words(words, card.metric, card.limit)
    return _capital(words.say(key, {"what": what, "penalty": card.penalty}))


def _secret_pact(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    card = components.secret_pacts[index]
    key = f"secret_pact.{CONDITIONS[card.condition]}"
    if card.condition == MOST:
        own = f"{key}.{METRICS[card.metric]}"
        key = own if words.has(f"wutaki.{own}") else key
    elif card.condition == AT_MOST and not card.n:
        key += ".none"
    what = metric_in_words(words, card.metric, "more" if card.condition == MOST else card.n)
    return _capital(words.say(key, {"what": what, "vp": card.vp}))


def _element_card(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    card = components.elements[index]
    fields = {"bonus": card.bonus, "malus": card.malus, "element": card.element, "element_2": card.anti}
    return words.say("element", fields)


def _tower_upgrade(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    card = components.tower_upgrades[index]
    if card.slot == ELEMENT_SLOT:
        fields = {"bonus": card.bonus, "malus": card.malus, "element": card.element, "element_2": card.anti}
        return words.say("element", fields)
    kind = components.boards[0].places[card.place].kind
    return words.say("tower_resource", {"n": card.n, "place": card.place, "resource": kind})


def _masterboard(words: GameMessages, components: WutakiComponents, index: int, seats: int) -> str:
    face = components.masterboards[index]
    parts = [
        words.say("masterboard.track", {"space": space, "what": effects_in_words(words, effects)})
        for space, effects in enumerate(face.track[seats])
        if effects
    ]
    return " ".join([*parts, face_in_words(words, face)]).rstrip()


def face_in_words(words: GameMessages, face: Masterboard) -> str:
    """Return the effects of a masterboard apart from its pact track; "" if there are none."""
    parts = []
    if face.own_place is not None:
        parts.append(words.say("masterboard.place", {"what": action_in_words(words, face.own_place, visited=True)}))
    if face.on_climb is not None:
        offer = face.on_climb
        what = effects_in_words(words, offer.effects, must=True)
        parts.append(words.say("masterboard.on_climb", {"cost": cost_in_words(words, offer.cost), "what": what}))
    if len(face.multiplier) > 1:
        parts.append(words.say("masterboard.multiplier", {"what": ", ".join(f"x{n}" for n in face.multiplier)}))
    return " ".join(parts)


_DOMAINS: Final[dict[str, Callable[[GameMessages, WutakiComponents, int, int], str]]] = {
    "pact": _pact,
    "omen": _omen,
    "ability": _ability,
    "round_card": _round_card,
    "vengeance": _vengeance,
    "secret_pact": _secret_pact,
    "element_card": _element_card,
    "tower_upgrade": _tower_upgrade,
    "masterboard": _masterboard,
}
