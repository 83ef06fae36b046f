"""The components of Raiatea, built from `components.toml`. No rules live here.

Effects are data in a closed vocabulary (RA-6 in RULES.md). The loader rejects an unknown verb,
parameter, trigger or modifier and names the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from .kinds import (
    MASK,
    RITUAL,
    TASK,
)

# fmt: off
Verb = Literal[
    "gain_pearls", "gain_mana", "gain_tattoo", "gain_priest", "path_action", "add_mana_to_source",
    "take_commodity", "take_assistant", "take_mask", "draw_forest", "ready_assistants",
    "draw_rituals", "execute_ritual", "complete_task", "raise_prices", "favour_first", "unlock_statue",
    "steal_pearls", "steal_mana", "steal_goods", "steal_mask", "steal_assistant",
    "lose_priest", "exhaust_assistants", "cancel_ritual",
]
VERBS: Final[tuple[str, ...]] = get_args(Verb)
(
    GAIN_PEARLS, GAIN_MANA, GAIN_TATTOO, GAIN_PRIEST, PATH_ACTION, ADD_MANA_TO_SOURCE,
    TAKE_COMMODITY, TAKE_ASSISTANT, TAKE_MASK, DRAW_FOREST, READY_ASSISTANTS,
    DRAW_RITUALS, EXECUTE_RITUAL, COMPLETE_TASK, RAISE_PRICES, FAVOUR_FIRST, UNLOCK_STATUE,
    STEAL_PEARLS, STEAL_MANA, STEAL_GOODS, STEAL_MASK, STEAL_ASSISTANT,
    LOSE_PRIEST, EXHAUST_ASSISTANTS, CANCEL_RITUAL,
) = range(len(VERBS))
# fmt: on

Who = Literal["self", "all", "each_other", "one_other"]
WHO: Final[tuple[str, ...]] = get_args(Who)
SELF, ALL, EACH_OTHER, ONE_OTHER = range(len(WHO))
EVERY: Final = -1
"""The amount `"all"` of `ready_assistants`."""

Trigger = Literal["reef_income", "priest_income", "forest_done"]
TRIGGERS: Final[tuple[str, ...]] = get_args(Trigger)
REEF_INCOME, PRIEST_INCOME, FOREST_DONE = range(len(TRIGGERS))

PERSONAL, PERMANENT, GENERAL, INTERACTIVE = range(4)
RitualKind = Literal["personal", "permanent", "general", "interactive"]
RITUAL_KINDS: Final[tuple[str, ...]] = get_args(RitualKind)
RESOURCE, CONDITION, AUCTION = range(3)
TaskKind = Literal["resource", "condition", "auction"]
TASK_KINDS: Final[tuple[str, ...]] = get_args(TaskKind)
Category = Literal["pearls", "mana", "commodities", "condition", "rituals", "masks"]
CATEGORIES: Final[tuple[str, ...]] = get_args(Category)
PEARL_COST, MANA_COST, COMMODITY_COST, CONDITION_TASK, RITUAL_COST, MASK_COST = range(len(CATEGORIES))
Condition = Literal["min_rank", "min_priests", "min_assistants", "min_same_assistants"]
CONDITIONS: Final[tuple[str, ...]] = get_args(Condition)
MEASURES: Final = ("pearls", "mana", "rituals", "masks", *CONDITIONS, "commodities", "auction")
"""The measures of tasks.

They are four amounts to pay, four conditions, a commodity pattern, and the bids of an auction.
"""
FIRST_CONDITION: Final = 4
MIN_RANK: Final = FIRST_CONDITION
COMMODITY_PATTERN: Final = 8

MODIFIERS: Final = (
    "keep_bonus marae",
    "keep_bonus any",
    "draw_bonus",
    "neighbourhood_task",
    "extra_sale",
    "bid_bonus",
    "roll_bonus",
    "extra_gift",
    *(f"task_discount {category}" for category in CATEGORIES),
)
KEEP_MARAE, KEEP_ANY, DRAW_BONUS, NEIGHBOURHOOD_TASK, EXTRA_SALE, BID_BONUS, ROLL_BONUS, EXTRA_GIFT = range(8)
DISCOUNT: Final = 8  # The category is added.
NO_MODIFIERS: Final = (0,) * len(MODIFIERS)
Modifier = Literal[
    "keep_bonus",
    "draw_bonus",
    "neighbourhood_task",
    "extra_sale",
    "bid_bonus",
    "roll_bonus",
    "extra_gift",
    "task_discount",
]
Discounted = Literal["pearls", "mana", "commodities", "rituals", "masks"]

FAMILIES: Final = ("per_task", "per_assistant", "per_colour")
PER_TASK, PER_ASSISTANT, PER_COLOUR = range(len(FAMILIES))
Colour = Literal["red", "yellow", "green", "blue"]
COLOURS: Final[tuple[str, ...]] = get_args(Colour)
MIRROR_ID: Final = "mirror"

SEAT_COUNTS: Final = (3, 4, 5)
MOST_PRIESTS: Final = 30
MOST_TATTOOS: Final = 30
MOST_CLIPS: Final = 3
MOST_PIPS: Final = 6
MOST: Final = 60  # The most of anything in one effect.
MOST_COPIES: Final = 9
MOST_GODS: Final = MASK.size - 1
MOST_TASKS: Final = TASK.size
MOST_RITUALS: Final = RITUAL.size
MOST_CARDS: Final = RITUAL.size


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect. RULES.md explains the parameters of each verb.

    Attributes:
        verb: Index of `VERBS`.
        amount: How often or how much; `EVERY` for all.
        who: Index of `WHO`.
        keep: Number of cards that the seat keeps.
        look: Number of forest cards that the seat looks at.
        free: Whether the task is completed without paying.
        commodities: Number of commodities that are stolen.
        pearls: Number of pearls that are stolen.
    """

    verb: int
    amount: int = 1
    who: int = SELF
    keep: int = 0
    look: int = 0
    free: bool = False
    commodities: int = 0
    pearls: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the round track.

    Attributes:
        id: Id of the field.
        feast: Number of the feast; 0 for an action round.
    """

    id: str
    feast: int


@dataclass(frozen=True, slots=True)
class RaiateaComponents:
    """The components of Raiatea.

    Designs are counted in the order of the component data. Mask 0 is the mirror, the others are
    gods.

    Attributes:
        ritual_ids: Ids of the rituals.
        ritual_deck: Per ritual `NORMAL` or `FORBIDDEN`.
        ritual_kind: Per ritual an index of `RITUAL_KINDS`.
        ritual_cost: Per ritual its cost in mana.
        ritual_vp: Per ritual the points of a permanent one.
        ritual_effects: Per ritual its effects.
        ritual_triggers: Per ritual its triggers as (index of `TRIGGERS`, effects).
        ritual_modifiers: Per ritual its passive modifiers as (index of `MODIFIERS`, amount).
        decks: The decks without and with Tāne cards: normal and forbidden, each a sorted list of
            rituals with one entry per copy.
        task_ids: Ids of the tasks.
        task_vp: Per task its points.
        task_kind: Per task an index of `TASK_KINDS`.
        task_category: Per task an index of `CATEGORIES`.
        task_measure: Per task an index of `MEASURES`.
        task_least: Per task the least value of its measure; for commodities their number.
        task_payments: Per task and discount the legal numbers of each commodity, according to
            `task_pattern`.
        task_pattern: Per task the printed pattern of commodities as (key, number).
        task_pools: Per statue its tasks.
        rows: The spaces of each row, statue by statue from the top.
        row_of: Per space its row.
        space_ids: Ids of the spaces.
        max_tattoos: Last number of the tattoo track.
        rank_ids: Ids of the ranks.
        rank_at: The rank per number of tattoos.
        rank_tattoos: Per rank the number of tattoos that it needs.
        rank_vp: Per rank its points.
        rank_draw: Per rank the number of rituals of a draw.
        rank_decks: Per rank the decks that it may draw from.
        rank_clips: Per rank the number of clips.
        max_priests: Last number of the priests' path.
        train_cost: Pearls by number of priests trained at once.
        fields: All fields of the round track.
        track: By number of players the fields in use, as indices of `fields`.
        start_pearls: Pearls of each seat at the start.
        start_mana: Mana of each seat at the start.
        start_priests: Priests of each seat at the start.
        start_tattoos: Tattoos of each seat at the start.
        start_price: Level of each price marker at the start, from 1.
        ritual_draw: Number of rituals in a draw of the setup.
        kept: By number of players and place in seat order the numbers of rituals to keep from each
            draw of the setup.
        start_goods: Commodities on the market at the start, by type.
        start_assistants: Assistants on the market at the start, by type.
        start_masks: The start masks, sorted.
        forest_deck: The forest deck, sorted.
        mask_cards: Per forest mask its (god, treasure).
        forest_ids: Ids of the forest cards.
        god_ids: Ids of the masks.
        god_colour: Per mask an index of `COLOURS`.
        god_family: Per mask an index of `FAMILIES`.
        god_counts: Per mask the index of the category or assistant that its pair counts.
        god_vp: Per mask the points that each counted thing brings.
        god_max: Per mask the most points of a pair.
        prices: Per commodity and level - 1 the effects of a sale.
        gifts: Effects of each gift.
        rewards: Per assistant its reward of the bonus roll.
        bonus_roll: Per location the assistant that is rolled for; -1 for none.
        kahuna_pearls: Additional pearls of the Kahuna at the reef.
        kahuna_priests: Priests that the Kahuna trains for nothing.
        hire_cost: Pearls that an assistant costs.
        die: The faces of the die, as pips - 1.
        titles: Names for people, by language and domain.
        texts: Texts of locations and assistants, by language and kind of text.
    """

    ritual_ids: tuple[str, ...]
    ritual_deck: tuple[int, ...]
    ritual_kind: tuple[int, ...]
    ritual_cost: tuple[int, ...]
    ritual_vp: tuple[int, ...]
    ritual_effects: tuple[tuple[Effect, ...], ...]
    ritual_triggers: tuple[tuple[tuple[int, tuple[Effect, ...]], ...], ...]
    ritual_modifiers: tuple[tuple[tuple[int, int], ...], ...]
    decks: tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[tuple[int, ...], tuple[int, ...]]]
    task_ids: tuple[str, ...]
    task_vp: tuple[int, ...]
    task_kind: tuple[int, ...]
    task_category: tuple[int, ...]
    task_measure: tuple[int, ...]
    task_least: tuple[int, ...]
    task_payments: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    task_pattern: tuple[tuple[tuple[str, int], ...], ...]
    task_pools: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[int, ...], ...]
    row_of: tuple[int, ...]
    space_ids: tuple[str, ...]
    max_tattoos: int
    rank_ids: tuple[str, ...]
    rank_at: tuple[int, ...]
    rank_tattoos: tuple[int, ...]
    rank_vp: tuple[int, ...]
    rank_draw: tuple[int, ...]
    rank_decks: tuple[tuple[int, ...], ...]
    rank_clips: tuple[int, ...]
    max_priests: int
    train_cost: tuple[int, ...]
    fields: tuple[Field, ...]
    track: Mapping[int, tuple[int, ...]]
    start_pearls: int
    start_mana: int
    start_priests: int
    start_tattoos: int
    start_price: int
    ritual_draw: int
    kept: Mapping[int, tuple[tuple[int, ...], ...]]
    start_goods: tuple[int, ...]
    start_assistants: tuple[int, ...]
    start_masks: tuple[int, ...]
    forest_deck: tuple[int, ...]
    mask_cards: tuple[tuple[int, tuple[Effect, ...]], ...]
    forest_ids: tuple[str, ...]
    god_ids: tuple[str, ...]
    god_colour: tuple[int, ...]
    god_family: tuple[int, ...]
    god_counts: tuple[int, ...]
    god_vp: tuple[int, ...]
    god_max: tuple[int, ...]
    prices: tuple[tuple[tuple[Effect, ...], ...], ...]
    gifts: tuple[tuple[Effect, ...], ...]
    rewards: tuple[Effect, ...]
    bonus_roll: tuple[int, ...]
    kahuna_pearls: int
    kahuna_priests: int
    hire_cost: int
    die: tuple[int, ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]
    texts: Mapping[str, Mapping[str, tuple[str, ...]]]
