"""The printed matter of Raiatea, built from `components.toml`. No rules live here.

Effects are data in a closed vocabulary (RULES.md, *Effect vocabulary*). An unknown verb, parameter, trigger or modifier
is refused with the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, astuple

from atoll.engine.components import At, Entry, Named, Part, Table, Text, in_order, read, titles

from .kinds import (
    ASSISTANT,
    ASSISTANTS,
    COMMODITIES,
    COMMODITY,
    DECK,
    FIRST_FOREST_MASK,
    FOREST_CARD,
    GIFT,
    LEVELS,
    LOCATION,
    MASK,
    RITUAL,
    SPACES_EACH,
    STATUES,
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
_MOST: Final = 60  # of anything in one effect
_MOST_COPIES: Final = 9
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
class RaiateaBox:
    """The Box of Raiatea. Designs are counted in the order of the component data; masks with the mirror first.

    decks: without and with Tāne, normal and forbidden, each a sorted list of designs, one entry per copy.
    ritual_*: per design; effects, triggers (trigger, effects) and modifiers (index of MODIFIERS, amount).
    task_*: per design. task_measure: what it measures (index of MEASURES) and task_least how much of it is needed.
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


PatternKey = Literal["uru", "taro", "mahi_mahi", "tiare", "same", "same_other", "different", "any"]
_Many = Annotated[int, Meta(ge=1, le=_MOST)]
_Number = Annotated[int, Meta(ge=0, le=_MOST)]
_Copies = Annotated[int, Meta(ge=1, le=_MOST_COPIES)]
_Deck = Literal["normal", "forbidden"]
_Rows = Annotated[list[_Many], Meta(min_length=1)]


class _Effect(Part):
    verb: Verb
    amount: _Many | Literal["all"] | None = None
    who: Who | None = None
    per_player: _Many | None = None
    keep: _Many | None = None
    look: _Many | None = None
    free: bool | None = None
    commodities: _Number | None = None
    pearls: _Number | None = None


_Effects = list[_Effect]


class _Trigger(Part):
    on: Trigger
    effects: Annotated[_Effects, Meta(min_length=1)]


class _Modifier(Part):
    modifier: Modifier
    amount: _Many
    scope: Literal["marae", "any"] | None = None
    category: Discounted | None = None


class _Game(Table):
    id: Literal["raiatea"]
    name: Text
    players_min: Literal[3]
    players_max: Literal[5]
    schema: Literal[1]


class _BoxCounts(Table):
    board: Literal[1]
    location_cards: Literal[6]
    screens: Literal[5]
    ritual_cards: int
    sacrificial_bag: Literal[1]
    tasks: int
    ritual_clips: _Number
    clips_per_player: Annotated[int, Meta(ge=0, le=MOST_CLIPS)]
    forest_cards: int
    round_marker: Literal[1]
    price_markers: Literal[4]
    player_discs: _Number
    discs_per_player: Literal[2]
    start_cards: int
    start_player_marker: Literal[1]
    favour_stones: Literal[5]
    die: Literal[1]
    pearl_tokens: _Number
    mana_tokens: _Number


class _Composition(Table):
    ritual_normal: int
    ritual_forbidden: int
    ritual_tane_normal: int
    ritual_tane_forbidden: int
    task_vp1: int
    task_vp2: int
    task_vp3: int
    start_assistants: int
    start_commodities: int
    start_masks: int
    forest_masks: int
    forest_commodities: int
    forest_assistants: int


class _Die(Table):
    faces: Annotated[list[Annotated[int, Meta(ge=1, le=MOST_PIPS)]], Meta(min_length=1)]


class _Supply(Table):
    pearls: Literal["unlimited"]
    mana: Literal["unlimited"]
    token_values: list[_Many]


class _Vocabulary(Table):
    """The words that the data say they use; the rules know no others."""

    verbs: tuple[Verb, ...] = ()
    who: tuple[Who, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    condition_keys: tuple[Condition, ...] = ()
    cost_keys: tuple[Discounted, ...] = ()
    commodity_pattern_keys: tuple[PatternKey, ...] = ()
    ritual_kinds: tuple[RitualKind, ...] = ()
    ritual_decks: tuple[_Deck, ...] = ()
    task_kinds: tuple[TaskKind, ...] = ()
    task_categories: tuple[Category, ...] = ()


_Draws = Annotated[list[_Number], Meta(min_length=1, max_length=2)]


class _RitualsKept(Part):
    """By place in seat order the numbers of rituals that are kept from each draw."""

    of_three: tuple[_Draws, _Draws, _Draws] = msgspec.field(name="3")
    of_four: tuple[_Draws, _Draws, _Draws, _Draws] = msgspec.field(name="4")
    of_five: tuple[_Draws, _Draws, _Draws, _Draws, _Draws] = msgspec.field(name="5")


class _Setup(Table):
    start_pearls: _Number
    start_mana: _Number
    start_priests: _Number
    start_tattoos: _Number
    start_masks_per_player: Literal[1]
    ritual_draw: _Copies
    price_marker_start: Annotated[int, Meta(ge=1, le=LEVELS)]
    forest_display: Literal["players + 1"]
    rituals_kept: _RitualsKept


class _Field(Entry):
    type: Literal["action", "feast"]
    min_players: Literal[3, 4, 5]
    max_players: Literal[3, 4, 5]
    feast: Annotated[int, Meta(ge=1, le=STATUES)] | None = None


class _TattooTrack(Table):
    max: Annotated[int, Meta(ge=1, le=MOST_TATTOOS)]


class _Rank(Named):
    tattoos: _Number
    vp: _Number
    ritual_draw: _Copies
    decks: list[_Deck]
    clips: Annotated[int, Meta(ge=0, le=MOST_CLIPS)]
    on_reach: Literal["tahua_bonus"] | None = None


class _TrainCosts(Part):
    one: _Number = msgspec.field(name="1")
    two: _Number = msgspec.field(name="2")


class _PriestTrack(Table):
    min: Literal[0]
    max: Annotated[int, Meta(ge=1, le=MOST_PRIESTS)]
    train_costs: _TrainCosts


class _Location(Named):
    text: Text
    kahuna: Text
    bonus_roll: str | None = None
    kahuna_pearls: _Number = 0
    kahuna_priests: _Number = 0
    hire_cost: _Number = 0


class _Commodity(Named):
    gloss: Text


class _PriceField(Entry):
    commodity: str
    level: Annotated[int, Meta(ge=1, le=LEVELS)]
    effects: Annotated[_Effects, Meta(min_length=1)]


class _Gift(Entry):
    effects: _Effects


class _Assistant(Named):
    start: _Number
    forest: _Number
    permanent: Text
    send: Text


class _Rewards(Table):
    gatherer: _Effect
    trader: _Effect
    shaman: _Effect
    pearl_diver: _Effect


class _Goods(Part):
    uru: _Number = 0
    taro: _Number = 0
    mahi_mahi: _Number = 0
    tiare: _Number = 0


class _CommodityCards(Table):
    start: _Goods
    forest: _Goods


class _PerTask(Part, tag="per_task", tag_field="family"):
    category: Category
    vp: _Many


class _PerAssistant(Part, tag="per_assistant", tag_field="family"):
    assistant: str
    vp: _Many


class _PerColour(Part, tag="per_colour", tag_field="family"):
    vp: _Many
    max: _Many


class _God(Named):
    colour: Colour
    scoring: _PerTask | _PerAssistant | _PerColour


class _MaskCard(Entry):
    god: str
    set: Literal["start", "forest"]
    treasure: _Effects


class _Mirror(Table):
    name: Text
    text: Text


class _Statue(Table):
    id: int
    vp: int
    rows: _Rows
    unlock: str


class _Pattern(Part):
    """A pattern of commodities: so many of a kind, of one kind, of another one, of different kinds, of any."""

    uru: _Copies | None = None
    taro: _Copies | None = None
    mahi_mahi: _Copies | None = None
    tiare: _Copies | None = None
    same: _Copies | None = None
    same_other: _Copies | None = None
    different: Annotated[int, Meta(ge=1, le=COMMODITIES)] | None = None
    any: _Copies | None = None


class _Cost(Part):
    pearls: _Number | None = None
    mana: _Number | None = None
    commodities: _Pattern | None = None
    rituals: _Number | None = None
    masks: _Number | None = None


class _Condition(Part):
    min_rank: str | None = None
    min_priests: _Many | None = None
    min_assistants: _Many | None = None
    min_same_assistants: _Many | None = None


class _Task(Entry):
    vp: Annotated[int, Meta(ge=1, le=STATUES)]
    kind: TaskKind
    category: Category
    copies: _Copies
    cost: _Cost | None = None
    condition: _Condition | None = None


class _Ritual(Named):
    deck: _Deck
    kind: RitualKind
    tane: bool
    cost: _Number
    copies: _Copies
    effects: tuple[_Effect, ...] = ()
    triggers: tuple[_Trigger, ...] = ()
    passive: tuple[_Modifier, ...] = ()
    vp: _Number = 0


class _File(Part):
    game: _Game
    box: _BoxCounts
    composition: _Composition
    die: _Die
    supply: _Supply
    vocabulary: _Vocabulary
    seat_colour: list[Named]
    setup: _Setup
    round_track: list[_Field]
    tattoo_track: _TattooTrack
    rank: Annotated[list[_Rank], Meta(min_length=1)]
    priest_track: _PriestTrack
    location: list[_Location]
    commodity: list[_Commodity]
    price_field: list[_PriceField]
    gift: list[_Gift]
    assistant: list[_Assistant]
    bonus_roll_rewards: _Rewards
    commodity_cards: _CommodityCards
    mask_god: Annotated[list[_God], Meta(min_length=1, max_length=MOST_GODS)]
    mask_card: list[_MaskCard]
    mirror: _Mirror
    statue: list[_Statue]
    task: Annotated[list[_Task], Meta(min_length=1, max_length=MOST_TASKS)]
    ritual: Annotated[list[_Ritual], Meta(min_length=1, max_length=MOST_RITUALS)]


# -- effects ---------------------------------------------------------------------------------------------------------

_NOBODYS: Final = (ADD_MANA_TO_SOURCE, RAISE_PRICES, UNLOCK_STATUE)  # verbs that concern no player
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
"""Per verb the keys it needs, those that may be left out, and whom it can concern."""


def _effect(at: At, effect: _Effect) -> Effect:
    """One effect, with exactly the keys that its verb has."""
    verb = VERBS.index(effect.verb)
    needed, optional, who = PARAMETERS[verb]
    given: dict[str, Any] = {key: value for key, value in asdict(effect).items() if value is not None}
    del given["verb"]
    allowed = (*needed, *optional, *(("who",) if who else ()))
    for key in given:
        at.need(key in allowed, f"{effect.verb} has {key}", ", ".join(allowed) or "nothing besides")
    for key in (*needed, *(("who",) if who is _VICTIMS else ())):
        at.need(key in given, f"{effect.verb} has no {key}", ", ".join(allowed))
    if effect.amount == "all":
        at.need(verb == READY_ASSISTANTS, f"{effect.verb} has amount 'all'", f"a whole number from 1 to {_MOST}")
        given["amount"] = EVERY
    if effect.who is not None:
        at.one_of(f"who of {effect.verb}", effect.who, who)
        given["who"] = WHO.index(effect.who)
    if effect.per_player is not None:
        given["amount"] = given.pop("per_player")
    return Effect(verb, **given)


def _effects(at: At, effects: Sequence[_Effect]) -> tuple[Effect, ...]:
    return tuple(_effect(at, each) for each in effects)


def _modifier(at: At, each: _Modifier) -> tuple[int, int]:
    """A passive modifier as (index of MODIFIERS, amount); one that needs a scope or category has it in its name."""
    scoped, sorted_ = each.modifier == "keep_bonus", each.modifier == "task_discount"
    at.need((each.scope is not None) == scoped, f"{each.modifier} has scope {each.scope}", "one for keep_bonus only")
    right = (each.category is not None) == sorted_
    at.need(right, f"{each.modifier} has category {each.category}", "one for task_discount only")
    return MODIFIERS.index(" ".join(filter(None, (each.modifier, each.scope, each.category)))), each.amount


# -- tasks -----------------------------------------------------------------------------------------------------------

Payment = tuple[int, ...]


def _add(payments: set[Payment], others: Sequence[Payment]) -> set[Payment]:
    return {tuple(a + b for a, b in zip(one, other, strict=True)) for one in payments for other in others}


def _of_type(kind: int, n: int) -> Payment:
    return tuple(n if each == kind else 0 for each in range(COMMODITIES))


def _all_payments(pattern: _Pattern) -> set[Payment]:
    """§ Task costs. Every way to match a commodity pattern exactly, as numbers of each type."""
    kinds = range(COMMODITIES)
    payments = {(pattern.uru or 0, pattern.taro or 0, pattern.mahi_mahi or 0, pattern.tiare or 0)}
    found: set[Payment] = set(payments)
    if pattern.same and pattern.same_other:
        pairs = [(one, other) for one in kinds for other in kinds if one != other]
        both = [_add({_of_type(a, pattern.same)}, [_of_type(b, pattern.same_other)]).pop() for a, b in pairs]
        found = _add(found, both)
    elif pattern.same:
        found = _add(found, [_of_type(kind, pattern.same) for kind in kinds])
    if pattern.different:
        chosen = [each for each in product((0, 1), repeat=COMMODITIES) if sum(each) == pattern.different]
        found = _add(found, chosen)
    for _ in range(pattern.any or 0):
        found = _add(found, [_of_type(kind, 1) for kind in kinds])
    return found


def _payments(at: At, task: _Task) -> tuple[tuple[Payment, ...], ...]:
    """Per discount d the legal payments: those that some d further cards would complete."""
    pattern = task.cost and task.cost.commodities
    if not pattern:
        return ()
    at.need(bool(_given(pattern)), "commodities is empty", "at least one of uru, taro, mahi_mahi, tiare, same, ...")
    at.need(not pattern.same_other or bool(pattern.same), "commodities has same_other without same", "same, too")
    payments = _all_payments(pattern)
    size = sum(next(iter(payments)))
    at.need(size <= _MOST_COPIES, f"commodities are {size}", f"up to {_MOST_COPIES} in all")
    steps = [tuple(sorted(payments))]
    for _ in range(size):
        payments = {
            tuple(n - (kind == each) for each, n in enumerate(payment))
            for payment in payments
            for kind in range(COMMODITIES)
            if payment[kind]
        }
        steps.append(tuple(sorted(payments)))
    return tuple(steps)


def _given(part: Part | None) -> dict[str, Any]:
    """The keys that the owner has written."""
    return {key: value for key, value in asdict(part).items() if value is not None} if part is not None else {}


def _measured(at: At, task: _Task, ranks: Sequence[_Rank]) -> tuple[int, int]:
    """What a task measures, as index of MEASURES, and how much of it is needed."""
    kind = TASK_KINDS.index(task.kind)
    cost, condition = _given(task.cost), _given(task.condition)
    at.need(
        bool(condition) == (kind == CONDITION), f"a {task.kind} with {len(condition)} conditions", "kind = condition"
    )
    at.need(
        bool(cost) == (kind == RESOURCE), f"a {task.kind} with cost {', '.join(cost)}", "a cost with kind = resource"
    )
    category = {CONDITION: "condition", AUCTION: "mana"}.get(kind, task.category)
    at.need(task.category == category, f"category is {task.category!r}", category)
    if kind == AUCTION:
        return MEASURES.index("auction"), 0
    if kind == RESOURCE:
        at.need(list(cost) == [category], f"cost is {', '.join(cost)}", f"exactly the category, {category}")
        return MEASURES.index(category), 0 if category == "commodities" else cost[category]
    at.need(len(condition) == 1, f"condition is {', '.join(condition)}", "exactly one")
    ((key, value),) = condition.items()
    measure = MEASURES.index(key)
    return measure, at.one_of(key, value, [rank.id for rank in ranks]) if measure == MIN_RANK else value


# -- the whole -------------------------------------------------------------------------------------------------------


def load_box(data: Mapping[str, Any]) -> RaiateaBox:
    """The Box from parsed component data. Raises ComponentError."""
    file = read(data, _File)
    setup, ranks, gods, rituals, tasks = file.setup, file.rank, file.mask_god, file.ritual, file.task
    _check_ranks(ranks, file)
    for ritual in rituals:
        _check_ritual(At("ritual", ritual.id), ritual)
    locations = in_order("location", file.location, LOCATION)
    assistants = in_order("assistant", file.assistant, ASSISTANT)
    commodities = in_order("commodity", file.commodity, COMMODITY)
    start_masks, mask_cards, mask_ids = _masks(file.mask_card, [god.id for god in gods])
    measured = [_measured(At("task", task.id), task, ranks) for task in tasks]
    rows, row_of, space_ids = _statues(file.statue, tasks)
    forest_goods = astuple(file.commodity_cards.forest)
    forest_deck = (
        [kind for kind in range(COMMODITIES) for _ in range(forest_goods[kind])]
        + [COMMODITIES + kind for kind in range(ASSISTANTS) for _ in range(assistants[kind].forest)]
        + [FIRST_FOREST_MASK + index for index in range(len(mask_cards))]
    )
    fields, track = _track(file.round_track)
    masks = [file.mirror.name, *(god.name for god in gods)]
    rewards = file.bonus_roll_rewards
    box = RaiateaBox(
        ritual_ids=tuple(ritual.id for ritual in rituals),
        ritual_deck=tuple(DECK.index(ritual.deck) for ritual in rituals),
        ritual_kind=tuple(RITUAL_KINDS.index(ritual.kind) for ritual in rituals),
        ritual_cost=tuple(ritual.cost for ritual in rituals),
        ritual_vp=tuple(ritual.vp for ritual in rituals),
        ritual_effects=tuple(_effects(At("ritual", each.id), each.effects) for each in rituals),
        ritual_triggers=tuple(
            tuple((TRIGGERS.index(one.on), _effects(At("ritual", each.id), one.effects)) for one in each.triggers)
            for each in rituals
        ),
        ritual_modifiers=tuple(
            tuple(_modifier(At("ritual", each.id), one) for one in each.passive) for each in rituals
        ),
        decks=(_decks(rituals, tane=False), _decks(rituals, tane=True)),
        task_ids=tuple(task.id for task in tasks),
        task_vp=tuple(task.vp for task in tasks),
        task_kind=tuple(TASK_KINDS.index(task.kind) for task in tasks),
        task_category=tuple(CATEGORIES.index(task.category) for task in tasks),
        task_measure=tuple(measure for measure, _ in measured),
        task_least=tuple(least for _, least in measured),
        task_payments=tuple(_payments(At("task", task.id), task) for task in tasks),
        task_pattern=tuple(tuple(_given(task.cost and task.cost.commodities).items()) for task in tasks),
        task_pools=tuple(
            tuple(index for index, task in enumerate(tasks) if task.vp == vp for _ in range(task.copies))
            for vp in range(1, STATUES + 1)
        ),
        rows=rows,
        row_of=row_of,
        space_ids=space_ids,
        max_tattoos=file.tattoo_track.max,
        rank_ids=tuple(rank.id for rank in ranks),
        rank_at=tuple(
            max(i for i, rank in enumerate(ranks) if rank.tattoos <= n) for n in range(file.tattoo_track.max + 1)
        ),
        rank_tattoos=tuple(rank.tattoos for rank in ranks),
        rank_vp=tuple(rank.vp for rank in ranks),
        rank_draw=tuple(rank.ritual_draw for rank in ranks),
        rank_decks=tuple(tuple(sorted(DECK.index(deck) for deck in rank.decks)) for rank in ranks),
        rank_clips=tuple(rank.clips for rank in ranks),
        max_priests=file.priest_track.max,
        train_cost=(0, *astuple(file.priest_track.train_costs)),
        fields=fields,
        track=track,
        start_pearls=setup.start_pearls,
        start_mana=setup.start_mana,
        start_priests=setup.start_priests,
        start_tattoos=setup.start_tattoos,
        start_price=setup.price_marker_start,
        ritual_draw=setup.ritual_draw,
        kept=_kept(setup),
        start_goods=astuple(file.commodity_cards.start),
        start_assistants=tuple(each.start for each in assistants),
        start_masks=start_masks,
        forest_deck=tuple(forest_deck),
        mask_cards=mask_cards,
        forest_ids=(*COMMODITY.names, *ASSISTANT.names, *mask_ids),
        god_ids=(MIRROR_ID, *(god.id for god in gods)),
        god_colour=(-1, *(COLOURS.index(god.colour) for god in gods)),
        god_family=(-1, *(FAMILIES.index(str(god.scoring.__struct_config__.tag)) for god in gods)),
        god_counts=(-1, *(_counted(god) for god in gods)),
        god_vp=(0, *(god.scoring.vp for god in gods)),
        god_max=(0, *(god.scoring.max if isinstance(god.scoring, _PerColour) else _MOST for god in gods)),
        prices=_prices(file.price_field),
        gifts=tuple(_effects(At("gift", gift.id), gift.effects) for gift in in_order("gift", file.gift, GIFT)),
        rewards=tuple(_effect(At("bonus_roll_rewards", id), getattr(rewards, id)) for id in ASSISTANT.names),
        bonus_roll=tuple(
            -1 if each.bonus_roll is None else At("location", each.id).one_of("bonus_roll", each.bonus_roll, ASSISTANT)
            for each in locations
        ),
        kahuna_pearls=max(each.kahuna_pearls for each in locations),
        kahuna_priests=max(each.kahuna_priests for each in locations),
        hire_cost=max(each.hire_cost for each in locations),
        die=tuple(sorted(face - 1 for face in file.die.faces)),
        titles=titles(
            location=locations,
            commodity=commodities,
            assistant=assistants,
            rank=ranks,
            ritual=rituals,
            mask=masks,
            forest_card=[*commodities, *assistants, *(masks[god] for god, _ in mask_cards)],
        ),
        texts=titles(
            location=[each.text for each in locations],
            kahuna=[each.kahuna for each in locations],
            permanent=[each.permanent for each in assistants],
            send=[each.send for each in assistants],
            mirror=[file.mirror.text],
        ),
    )
    _check_counts(file, box)
    return box


def _check_ranks(ranks: Sequence[_Rank], file: _File) -> None:
    tattoos = [rank.tattoos for rank in ranks]
    rising = tattoos[0] == 0 and all(a < b for a, b in pairwise(tattoos))
    At("rank").need(rising, f"tattoos are {', '.join(map(str, tattoos))}", "0, then more from rank to rank")
    setup, priests, most = file.setup, file.priest_track.max, file.tattoo_track.max
    at = At("setup")
    at.need(setup.start_priests <= priests, f"start_priests is {setup.start_priests}", f"up to {priests}")
    at.need(setup.start_tattoos < most, f"start_tattoos is {setup.start_tattoos}", f"up to {most - 1}")


def _check_ritual(at: At, ritual: _Ritual) -> None:
    kind = RITUAL_KINDS.index(ritual.kind)
    at.need(ritual.tane == (kind == INTERACTIVE), f"tane is {ritual.tane}", "true for interactive ones, and no others")
    if kind == PERMANENT:
        at.need(not ritual.effects, "a permanent ritual has effects", "triggers, passive, vp")
    else:
        lasting = ritual.triggers or ritual.passive or ritual.vp
        at.need(not lasting, f"a {ritual.kind} ritual has triggers, passive or vp", "those in permanent rituals only")
    if kind == GENERAL:
        for effect in ritual.effects:
            concerns_all = effect.who == "all" or VERBS.index(effect.verb) in _NOBODYS
            at.need(concerns_all, f"a general ritual with {effect.verb} for {effect.who or 'self'}", "who = all")


def _kept(setup: _Setup) -> dict[int, tuple[tuple[int, ...], ...]]:
    kept = {}
    for seats, places in zip(SEAT_COUNTS, astuple(setup.rituals_kept), strict=True):
        for n in chain(*places):
            at, most = At("setup"), setup.ritual_draw
            at.need(n <= most, f"rituals_kept.{seats} has {n}", f"up to {most}, as many as are drawn")
        kept[seats] = tuple(tuple(numbers) for numbers in places)
    return kept


def _track(entries: Sequence[_Field]) -> tuple[tuple[Field, ...], dict[int, tuple[int, ...]]]:
    for entry in entries:
        right = (entry.feast is not None) == (entry.type == "feast")
        At("round_track", entry.id).need(
            right, f"a field of type {entry.type} with feast = {entry.feast}", "in feasts only"
        )
    fields = tuple(Field(entry.id, entry.feast or 0) for entry in entries)
    track = {}
    for seats in SEAT_COUNTS:
        used = track[seats] = tuple(
            i for i, each in enumerate(entries) if each.min_players <= seats <= each.max_players
        )
        feasts = [fields[index].feast for index in used if fields[index].feast]
        right = feasts == list(range(1, STATUES + 1)) and bool(fields[used[-1]].feast)
        At("round_track").need(right, f"feasts for {seats} players: {feasts}", "1, 2, 3 in order, the third at the end")
    return fields, track


def _statues(
    statues: Sequence[_Statue], tasks: Sequence[_Task]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[str, ...]]:
    found = [(statue.id, statue.vp) for statue in statues]
    needed = [(n, n) for n in range(1, STATUES + 1)]
    At("statue").need(found == needed, f"id and vp are {found}", f"{needed}, in this order")
    rows: list[tuple[int, ...]] = []
    row_of: list[int] = []
    ids: list[str] = []
    for statue in statues:
        at, spaces = At("statue", statue.id), sum(statue.rows)
        at.need(spaces == SPACES_EACH, f"rows have {spaces} spaces", f"{SPACES_EACH} in all")
        copies = sum(task.copies for task in tasks if task.vp == statue.vp)
        at.need(
            copies >= SPACES_EACH, f"{copies} tasks of {statue.vp} VP", f"at least {SPACES_EACH}, one for each space"
        )
        for row, width in enumerate(statue.rows):
            rows.append(tuple(range(len(row_of), len(row_of) + width)))
            row_of += [len(rows) - 1] * width
            ids += [f"s{statue.id}r{row + 1}c{column + 1}" for column in range(width)]
    return tuple(rows), tuple(row_of), tuple(ids)


def _counted(god: _God) -> int:
    """What the god counts: a category, an assistant, or nothing by itself."""
    if isinstance(god.scoring, _PerTask):
        return CATEGORIES.index(god.scoring.category)
    if isinstance(god.scoring, _PerAssistant):
        return At("mask_god", god.id).one_of("scoring.assistant", god.scoring.assistant, ASSISTANT)
    return -1


def _masks(
    cards: Sequence[_MaskCard], gods: Sequence[str]
) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[Effect, ...]], ...], tuple[str, ...]]:
    At("mask_god", MIRROR_ID).need(MIRROR_ID not in gods, "this id is the mirror's", "another id")
    known = (MIRROR_ID, *gods)
    start: list[int] = []
    forest: dict[str, tuple[int, tuple[Effect, ...]]] = {}
    counts = [0] * len(known)
    for card in cards:
        at = At("mask_card", card.id)
        god = at.one_of("god", card.god, known)
        counts[god] += 1
        if card.set == "forest":
            forest[card.id] = (god, _effects(at, card.treasure))
        else:
            at.need(not card.treasure, "a start mask has a treasure", "treasure = []")
            start.append(god)
    for id, count in zip(gods, counts[1:], strict=True):
        At("mask_god", id).need(count == 2, f"{count} cards in mask_card", "exactly 2")
    most = FOREST_CARD.size - FIRST_FOREST_MASK
    At("mask_card").need(len(forest) <= most, f"{len(forest)} forest masks", f"up to {most}")
    return tuple(sorted(start)), tuple(forest.values()), tuple(forest)


def _decks(rituals: Sequence[_Ritual], *, tane: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    def deck(name: str) -> tuple[int, ...]:
        return tuple(
            index
            for index, ritual in enumerate(rituals)
            if ritual.deck == name and (tane or not ritual.tane)
            for _ in range(ritual.copies)
        )

    return deck("normal"), deck("forbidden")


def _prices(entries: Sequence[_PriceField]) -> tuple[tuple[tuple[Effect, ...], ...], ...]:
    found: dict[tuple[int, int], tuple[Effect, ...]] = {}
    for entry in entries:
        at = At("price_field", entry.id)
        place = (at.one_of("commodity", entry.commodity, COMMODITY), entry.level)
        at.need(place not in found, f"level {entry.level} of {entry.commodity} stands twice", "once")
        found[place] = _effects(at, entry.effects)
        possible = entry.level > 1 or all(effect.verb in (GAIN_PEARLS, GAIN_MANA) for effect in found[place])
        at.need(possible, "an effect of level 1 that may be impossible", "gain_pearls, gain_mana")
    At("price_field").need(
        len(found) == COMMODITIES * LEVELS, f"{len(found)} entries", "each commodity with levels 1 to 4"
    )
    return tuple(tuple(found[c, level] for level in range(1, LEVELS + 1)) for c in range(COMMODITIES))


def _check_counts(file: _File, box: RaiateaBox) -> None:
    """The counts of the box are binding, and enough for every setup."""
    plain, every = box.decks
    forest, masks = len(box.forest_deck), len(box.mask_cards)
    assistants = sum(FIRST_FOREST_MASK > card >= COMMODITIES for card in box.forest_deck)
    start = (sum(box.start_assistants), sum(box.start_goods), len(box.start_masks))
    counted = {
        "box": {
            "ritual_cards": sum(map(len, every)),
            "tasks": sum(map(len, box.task_pools)),
            "forest_cards": forest,
            "start_cards": sum(start),
        },
        "composition": {
            "ritual_normal": len(plain[0]),
            "ritual_forbidden": len(plain[1]),
            "ritual_tane_normal": len(every[0]) - len(plain[0]),
            "ritual_tane_forbidden": len(every[1]) - len(plain[1]),
            **{f"task_vp{vp}": len(pool) for vp, pool in enumerate(box.task_pools, 1)},
            "start_assistants": start[0],
            "start_commodities": start[1],
            "start_masks": start[2],
            "forest_masks": masks,
            "forest_assistants": assistants,
            "forest_commodities": forest - masks - assistants,
        },
    }
    for table, found in counted.items():
        for key, number in found.items():
            stated = getattr(getattr(file, table), key)
            At(table).need(stated == number, f"{key} is {stated}", f"{number}, as there are entries")
    holders = max(SEAT_COUNTS) + 1
    for table, key, number, needed, most in (
        ("mask_card", "start masks", start[2], holders - 1, MOST_CARDS),
        ("ritual", "normal rituals", len(plain[0]), box.ritual_draw * holders, MOST_CARDS),
        ("ritual", "rituals", sum(map(len, every)), 0, MOST_CARDS),
        ("mask_card", "forest cards", forest, 2 * holders, MOST_CARDS),
        ("task", "tasks", sum(map(len, box.task_pools)), 0, MOST_TASKS),
    ):
        At(table).need(needed <= number <= most, f"{number} {key}", f"{needed} to {most}")
