"""The printed matter of Raiatea, built from `components.toml`. No rules live here.

Effects are data in a closed vocabulary (RA-6 in RULES.md). An unknown verb, parameter, trigger or modifier
is refused with the table and the id of the entry.
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
"""The amount "all" of `ready_assistants`."""

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
"""What a task can measure: four amounts to pay, four conditions, a pattern of commodities, the bids of an auction."""
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
DISCOUNT: Final = 8  # + category
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
MOST: Final = 60  # of anything in one effect
MOST_COPIES: Final = 9
MOST_GODS: Final = MASK.size - 1
MOST_TASKS: Final = TASK.size
MOST_RITUALS: Final = RITUAL.size
MOST_CARDS: Final = RITUAL.size


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect. verb: index of VERBS. amount: how many (EVERY: all). who: index of WHO. The rest: see RULES.md."""

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
    """A field of the round track. feast: its number, or 0 for an action round."""

    id: str
    feast: int


@dataclass(frozen=True, slots=True)
class RaiateaComponents:
    """The Box of Raiatea. Designs are counted in the order of the component data; masks with the mirror first.

    decks: without and with Tāne, normal and forbidden, each a sorted list of designs, one entry per copy.
    ritual_*: per design; effects, triggers (trigger, effects) and modifiers (index of MODIFIERS, amount).
    task_*: per design. task_measure: what it measures (index of MEASURES) and task_least how much of it is needed, of
    commodities how many.
    task_payments: per discount the legal numbers of each commodity, as the printed task_pattern says.
    task_pools: per statue.
    rows: the spaces of each row, statue by statue from the top; row_of: per space. space_ids: names.
    rank_at: the rank per number of tattoos; rank_*: per rank.
    track: players -> the fields in use; fields: all of them. kept: players -> by place in seat order, the numbers of
    rituals kept from each draw.
    prices: [commodity][level - 1] effects. gifts: per gift. rewards: per assistant, of the bonus roll.
    bonus_roll: per location the assistant rolled for, or -1.
    god_*: per mask (0 is the mirror). start_masks, forest_deck: sorted. mask_cards: (god, treasure) per forest mask.
    titles: language -> domain -> names for people. texts: language -> kind of text -> texts of locations, assistants.
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
