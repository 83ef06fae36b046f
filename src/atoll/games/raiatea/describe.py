"""Descriptions of cards, tasks and price fields, generated from data, and names for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atoll.engine import Game
from atoll.engine.translations import MessageCatalogue

from .components import (
    AUCTION,
    CATEGORIES,
    CONDITION,
    DRAW_FOREST,
    DRAW_RITUALS,
    EVERY,
    FAMILIES,
    MEASURES,
    MIN_RANK,
    MODIFIERS,
    PER_ASSISTANT,
    PER_TASK,
    SELF,
    STEAL_GOODS,
    TRIGGERS,
    VERBS,
    WHO,
    Effect,
    RaiateaComponents,
)
from .kinds import ASSISTANT, COMMODITY, FIRST_FOREST_MASK, MIRROR_MASK, SPACES_EACH


class Describer:
    """The descriptions of one game's components in one language.

    Attributes:
        components: The components.
        words: The messages.
        names: Names for people by domain.
    """

    def __init__(self, package: str, components: RaiateaComponents, language: str) -> None:
        self.components: RaiateaComponents = components
        self.words: MessageCatalogue = MessageCatalogue(package, language, "raiatea.")
        self.names: Mapping[str, Sequence[str]] = components.titles[language]

    def _say(self, key: str, **fields: object) -> str:
        return self.words.text(f"raiatea.{key}", **fields)

    def effect(self, effect: Effect) -> str:
        """Return one effect as a sentence."""
        key = f"effect.{VERBS[effect.verb]}"
        if effect.amount == EVERY:
            key += ".every"
        elif effect.free:
            key += ".free"
        if effect.who != SELF:
            key += f".{WHO[effect.who]}"
        counted = {DRAW_FOREST: effect.look, DRAW_RITUALS: effect.keep, STEAL_GOODS: effect.commodities}
        n = counted.get(effect.verb, effect.amount)
        return self._say(key, n=n, keep=effect.keep, pearls=effect.pearls)

    def effects(self, effects: Sequence[Effect]) -> str:
        """Return the descriptions of several effects, one sentence each."""
        return " ".join(self.effect(effect) for effect in effects)

    def ritual(self, ritual: int) -> str:
        """Return the description of a ritual."""
        components = self.components
        parts = [self.effect(effect) for effect in components.ritual_effects[ritual]]
        for event, effects in components.ritual_triggers[ritual]:
            parts.append(self._say(f"trigger.{TRIGGERS[event]}") + " " + self.effects(effects))
        for modifier, amount in components.ritual_modifiers[ritual]:
            parts.append(self._say("modifier." + MODIFIERS[modifier].replace(" ", "."), n=amount))
        if components.ritual_vp[ritual]:
            parts.append(self._say("effect.vp", n=components.ritual_vp[ritual]))
        return " ".join(parts)

    def task(self, task: int) -> str:
        """Return the demand of a task."""
        components = self.components
        kind = components.task_kind[task]
        if kind == AUCTION:
            return self._say("task.auction")
        if kind == CONDITION:
            measure, least = components.task_measure[task], components.task_least[task]
            rank = self.words.translated(self.names["rank"][least]) if measure == MIN_RANK else ""
            return self._say(f"task.{MEASURES[measure]}", n=least, rank=rank)
        if components.task_pattern[task]:
            return self._say(
                "task.commodities", goods=", ".join(self._pattern(*each) for each in components.task_pattern[task])
            )
        return self._say(f"task.{CATEGORIES[components.task_category[task]]}", n=components.task_least[task])

    def _pattern(self, key: str, n: int) -> str:
        commodities = COMMODITY.names
        if key in commodities:
            return f"{n} {self.words.translated(self.names['commodity'][commodities.index(key)])}"
        return self._say(f"pattern.{key}", n=n)

    def mask(self, god: int) -> str:
        """Return the scoring of a god's pair; for the mirror its use."""
        components = self.components
        if god == MIRROR_MASK:
            return self._say("mask.mirror")
        family = components.god_family[god]
        key = f"mask.{FAMILIES[family]}"
        if family == PER_TASK:
            key += f".{CATEGORIES[components.god_counts[god]]}"
        elif family == PER_ASSISTANT:
            key += f".{ASSISTANT.label(components.god_counts[god])}"
        return self._say(key, n=components.god_vp[god], most=components.god_max[god])

    def treasure(self, forest_card: int) -> str:
        """Return the description of a forest card's treasure, or "" if it has none."""
        if forest_card < FIRST_FOREST_MASK:
            return ""
        return self.effects(self.components.mask_cards[forest_card - FIRST_FOREST_MASK][1])

    def price(self, commodity: int, level: int) -> str:
        """Return the bonus of a price field; `level` counts from 0."""
        return self.effects(self.components.prices[commodity][level])

    def gift(self, gift: int) -> str:
        """Return the description of a gift of act 4."""
        return self.effects(self.components.gifts[gift])

    def space(self, space: int) -> str:
        """Return the location of a task space."""
        row = self.components.row_of[space]
        statue = space // SPACES_EACH
        first = self.components.row_of[statue * SPACES_EACH]
        column = space - self.components.rows[row][0]
        return self._say("name.space", statue=statue + 1, row=row - first + 1, column=column + 1)


def titles(game: Game, components: RaiateaComponents, language: str) -> Mapping[str, Sequence[str]]:
    """Return the names for people by domain.

    Tasks and gifts are named by their texts, and spaces by their locations.

    Args:
        game: The game.
        components: The components.
        language: The language of the names.
    """
    describer = Describer(game.package, components, language)
    return {
        **components.titles[language],
        "task": tuple(describer.task(task) for task in range(len(components.task_ids))),
        "gift": tuple(describer.gift(gift) for gift in range(len(components.gifts))),
        "space": tuple(describer.space(space) for space in range(len(components.space_ids))),
    }
