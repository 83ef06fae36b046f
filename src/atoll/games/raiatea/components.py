"""The printed matter of Raiatea, built from `components.toml`. No rules live here.

Effects are data in a closed vocabulary (RULES.md, *Effect vocabulary*). An unknown verb, parameter, trigger or modifier
is refused with the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from atoll.engine import ComponentError

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
VERBS: Final = (
    "gain_pearls", "gain_mana", "gain_tattoo", "gain_priest", "path_action", "add_mana_to_source",
    "take_commodity", "take_assistant", "take_mask", "draw_forest", "ready_assistants",
    "draw_rituals", "execute_ritual", "complete_task", "raise_prices", "favour_first", "unlock_statue",
    "steal_pearls", "steal_mana", "steal_goods", "steal_mask", "steal_assistant",
    "lose_priest", "exhaust_assistants", "cancel_ritual",
)
(
    GAIN_PEARLS, GAIN_MANA, GAIN_TATTOO, GAIN_PRIEST, PATH_ACTION, ADD_MANA_TO_SOURCE,
    TAKE_COMMODITY, TAKE_ASSISTANT, TAKE_MASK, DRAW_FOREST, READY_ASSISTANTS,
    DRAW_RITUALS, EXECUTE_RITUAL, COMPLETE_TASK, RAISE_PRICES, FAVOUR_FIRST, UNLOCK_STATUE,
    STEAL_PEARLS, STEAL_MANA, STEAL_GOODS, STEAL_MASK, STEAL_ASSISTANT,
    LOSE_PRIEST, EXHAUST_ASSISTANTS, CANCEL_RITUAL,
) = range(len(VERBS))
# fmt: on

WHO: Final = ("self", "all", "each_other", "one_other")
SELF, ALL, EACH_OTHER, ONE_OTHER = range(len(WHO))
EVERY: Final = -1
"""The amount "all" of `ready_assistants`."""

TRIGGERS: Final = ("reef_income", "priest_income", "forest_done")
REEF_INCOME, PRIEST_INCOME, FOREST_DONE = range(len(TRIGGERS))

PERSONAL, PERMANENT, GENERAL, INTERACTIVE = range(4)
RITUAL_KINDS: Final = ("personal", "permanent", "general", "interactive")
RESOURCE, CONDITION, AUCTION = range(3)
TASK_KINDS: Final = ("resource", "condition", "auction")
CATEGORIES: Final = ("pearls", "mana", "commodities", "condition", "rituals", "masks")
PEARL_COST, MANA_COST, COMMODITY_COST, CONDITION_TASK, RITUAL_COST, MASK_COST = range(len(CATEGORIES))
CONDITIONS: Final = ("min_rank", "min_priests", "min_assistants", "min_same_assistants")
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
_SCOPES: Final = ("marae", "any")
_DISCOUNTED: Final = ("pearls", "mana", "commodities", "rituals", "masks")

FAMILIES: Final = ("per_task", "per_assistant", "per_colour")
PER_TASK, PER_ASSISTANT, PER_COLOUR = range(len(FAMILIES))
COLOURS: Final = ("red", "yellow", "green", "blue")
MIRROR_ID: Final = "mirror"

LANGUAGES: Final = ("en", "de")
SEAT_COUNTS: Final = (3, 4, 5)
MOST_TRAINED: Final = 2
MOST_PRIESTS: Final = 30
MOST_TATTOOS: Final = 30
MOST_CLIPS: Final = 3
MOST_PIPS: Final = 6
_MOST: Final = 60  # of anything in one effect
_MOST_COPIES: Final = 9


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


class _Entry(msgspec.Struct):
    id: str


class _Named(_Entry):
    name: dict[str, str]


class _Location(_Named):
    text: dict[str, str]
    kahuna: dict[str, str]
    bonus_roll: str = ""
    kahuna_pearls: int = 0
    kahuna_priests: int = 0
    hire_cost: int = 0


class _Assistant(_Named):
    start: int
    forest: int
    permanent: dict[str, str]
    send: dict[str, str]


class _Field(_Entry):
    type: str
    min_players: int
    max_players: int
    feast: int = 0


class _Rank(_Named):
    tattoos: int
    vp: int
    ritual_draw: int
    decks: list[str]
    clips: int


class _PriceField(_Entry):
    commodity: str
    level: int
    effects: list[dict[str, Any]]


class _Gift(_Entry):
    effects: list[dict[str, Any]]


class _God(_Named):
    colour: str
    scoring: dict[str, Any]


class _MaskCard(_Entry):
    god: str
    set: str
    treasure: list[dict[str, Any]]


class _Statue(msgspec.Struct):
    id: int
    vp: int
    rows: list[int]


class _Task(_Entry, forbid_unknown_fields=True):
    vp: int
    kind: str
    category: str
    copies: int
    source: str
    cost: dict[str, Any] = {}
    condition: dict[str, Any] = {}
    rulebook_fields: list[str] = []


class _Ritual(_Named, forbid_unknown_fields=True):
    deck: str
    kind: str
    tane: bool
    cost: int
    copies: int
    source: str
    effects: list[dict[str, Any]] = []
    triggers: list[dict[str, Any]] = []
    passive: list[dict[str, Any]] = []
    vp: int = 0
    rulebook_fields: list[str] = []


class _Kept(msgspec.Struct):
    start_pearls: int
    start_mana: int
    start_priests: int
    start_tattoos: int
    ritual_draw: int
    price_marker_start: int
    rituals_kept: dict[str, list[list[int]]]


class _Tattoos(msgspec.Struct):
    max: int


class _Priests(msgspec.Struct):
    max: int
    train_costs: dict[str, int]


class _Die(msgspec.Struct):
    faces: list[int]


class _CommodityCards(msgspec.Struct):
    start: dict[str, int]
    forest: dict[str, int]


class _Mirror(msgspec.Struct):
    name: dict[str, str]
    text: dict[str, str]


class _BoxCounts(msgspec.Struct):
    ritual_cards: int
    tasks: int
    forest_cards: int
    start_cards: int


class _Composition(msgspec.Struct):
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


_T = TypeVar("_T")
_E = TypeVar("_E", bound=_Entry)


def _wrong(where: str, what: str) -> NoReturn:
    raise ComponentError(f"{where}: {what}")


def _table(data: Mapping[str, Any], name: str, type: type[_T]) -> _T:
    """One table of the data. Raises ComponentError naming it."""
    if name not in data:
        _wrong(f"[{name}]", "is missing")
    try:
        return msgspec.convert(data[name], type)
    except msgspec.ValidationError as error:
        _wrong(f"[{name}]", str(error))


def _entries(data: Mapping[str, Any], name: str, type: type[_T]) -> list[_T]:
    """The entries of one array of tables. Raises ComponentError naming the table and the entry's id."""
    entries = data.get(name)
    if not isinstance(entries, list) or not entries:
        _wrong(f"[[{name}]]", "at least one entry is needed")
    found = []
    seen = set()
    for number, entry in enumerate(entries, 1):
        id = entry.get("id", f"number {number}") if isinstance(entry, dict) else f"number {number}"
        if id in seen:
            _wrong(f"[[{name}]] {id!r}", "stands twice; each id is allowed once")
        seen.add(id)
        try:
            found.append(msgspec.convert(entry, type))
        except msgspec.ValidationError as error:
            _wrong(f"[[{name}]] {id!r}", str(error))
    return found


def _one_of(where: str, what: str, value: Any, allowed: Sequence[str]) -> int:
    if value not in allowed:
        _wrong(where, f"{what} {value!r}; allowed: {', '.join(allowed)}")
    return allowed.index(value)


def _number(where: str, what: str, value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _wrong(where, f"{what} {value!r}; allowed: {low} to {high}")
    return value


def _in_order(name: str, entries: Sequence[_E], ids: Sequence[str]) -> list[_E]:
    """The entries in the fixed order of their ids; each must be there once, none besides."""
    for entry in entries:
        _one_of(f"[[{name}]] {entry.id!r}", "id", entry.id, ids)
    by_id = {entry.id: entry for entry in entries}
    for id in ids:
        if id not in by_id:
            _wrong(f"[[{name}]]", f"{id!r} is missing")
    return [by_id[id] for id in ids]


def _speaks(where: str, what: str, texts: Mapping[str, str]) -> None:
    for language in LANGUAGES:
        if not texts.get(language):
            _wrong(where, f"{what}.{language} is missing")


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
    COMPLETE_TASK: ((), (), _GAINERS),
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
"""Per verb the numbers it needs, those that may be left out, and whom it can concern."""


def _effect(where: str, data: Any) -> Effect:
    """One effect from its data. Raises ComponentError for a verb or parameter that the vocabulary doesn't have."""
    if not isinstance(data, Mapping):
        _wrong(where, f"effect {data!r}; a table with a verb is needed")
    verb = _one_of(where, "verb", data.get("verb"), VERBS)
    name = VERBS[verb]
    needed, optional, who = PARAMETERS[verb]
    allowed = (*needed, *optional, *(("who",) if who else ()), *(("free",) if verb == COMPLETE_TASK else ()))
    for key in data:
        if key != "verb" and key not in allowed:
            _wrong(where, f"{name} has no parameter {key!r}; allowed: {', '.join(allowed) or 'none'}")
    values = {}
    for key in needed:
        if key not in data:
            _wrong(where, f"{name} needs {key!r}")
    for key in (*needed, *optional):
        if key in data:
            values[key] = data[key]
    if verb == READY_ASSISTANTS and values.get("amount") == "all":
        values["amount"] = EVERY
    else:
        for key, value in values.items():
            _number(where, f"{name} {key}", value, 0 if verb == STEAL_GOODS else 1, _MOST)
    if "per_player" in values:
        values["amount"] = values.pop("per_player")
    if "who" in data:
        values["who"] = WHO.index(who[_one_of(where, f"{name} who", data["who"], who)])
    elif who is _VICTIMS:
        _wrong(where, f"{name} needs 'who'; allowed: {', '.join(who)}")
    free = data.get("free", False)
    if type(free) is not bool:
        _wrong(where, f"{name} free {free!r}; allowed: true, false")
    return Effect(verb, free=free, **values)


def _effects(where: str, data: Sequence[Mapping[str, Any]]) -> tuple[Effect, ...]:
    return tuple(_effect(where, each) for each in data)


def _triggers(where: str, data: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, tuple[Effect, ...]], ...]:
    found = []
    for each in data:
        if set(each) != {"on", "effects"} or not isinstance(each["effects"], list) or not each["effects"]:
            _wrong(where, f"trigger {dict(each)!r}; a trigger has 'on' and 'effects'")
        found.append((_one_of(where, "trigger", each["on"], TRIGGERS), _effects(where, each["effects"])))
    return tuple(found)


def _modifiers(where: str, data: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, int], ...]:
    """Passive modifiers as (index of MODIFIERS, amount); one that needs a scope or category has it in its name."""
    found = []
    for each in data:
        simple = tuple(sorted({name.partition(" ")[0] for name in MODIFIERS}))
        name = simple[_one_of(where, "modifier", each.get("modifier"), simple)]
        extra = {"keep_bonus": ("scope", _SCOPES), "task_discount": ("category", _DISCOUNTED)}.get(name)
        keys = {"modifier", "amount", *([extra[0]] if extra else [])}
        if set(each) != keys:
            _wrong(where, f"modifier {name} has {', '.join(sorted(each))}; allowed: {', '.join(sorted(keys))}")
        if extra:
            name += " " + extra[1][_one_of(where, f"{name} {extra[0]}", each[extra[0]], extra[1])]
        found.append((MODIFIERS.index(name), _number(where, name, each["amount"], 1, _MOST)))
    return tuple(found)


# -- tasks -----------------------------------------------------------------------------------------------------------

_PATTERN_KEYS: Final = (*(COMMODITY.names or ()), "same", "same_other", "different", "any")
Payment = tuple[int, ...]


def _add(payments: set[Payment], others: Sequence[Payment]) -> set[Payment]:
    return {tuple(a + b for a, b in zip(one, other, strict=True)) for one in payments for other in others}


def _of_type(kind: int, n: int) -> Payment:
    return tuple(n if each == kind else 0 for each in range(COMMODITIES))


def _all_payments(where: str, pattern: Any) -> set[Payment]:
    """§ Task costs. Every way to match a commodity pattern exactly, as numbers of each type."""
    if not isinstance(pattern, Mapping) or not pattern:
        _wrong(where, f"commodities {pattern!r}; a pattern is needed")
    for key, n in pattern.items():
        _one_of(where, "commodity pattern", key, _PATTERN_KEYS)
        _number(where, f"commodities {key}", n, 1, COMMODITIES if key == "different" else _MOST_COPIES)
    kinds = range(COMMODITIES)
    payments = {tuple(pattern.get(id, 0) for id in COMMODITY.names or ())}
    if "same_other" in pattern and "same" not in pattern:
        _wrong(where, "commodities same_other needs 'same'")
    if "same_other" in pattern:
        pairs = [(one, other) for one in kinds for other in kinds if one != other]
        both = [_add({_of_type(a, pattern["same"])}, [_of_type(b, pattern["same_other"])]).pop() for a, b in pairs]
        payments = _add(payments, both)
    elif "same" in pattern:
        payments = _add(payments, [_of_type(kind, pattern["same"]) for kind in kinds])
    if "different" in pattern:
        chosen = [each for each in product((0, 1), repeat=COMMODITIES) if sum(each) == pattern["different"]]
        payments = _add(payments, chosen)
    for _ in range(pattern.get("any", 0)):
        payments = _add(payments, [_of_type(kind, 1) for kind in kinds])
    return payments


def _payments(where: str, pattern: Any) -> tuple[tuple[Payment, ...], ...]:
    """Per discount d the legal payments: those that some d further cards would complete."""
    payments = _all_payments(where, pattern)
    size = sum(next(iter(payments)))
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


def _measured(task: _Task, ranks: Sequence[_Rank]) -> tuple[int, int]:
    """What a task measures, as index of MEASURES, and how much of it is needed."""
    where = f"[[task]] {task.id!r}"
    if task.condition:
        if len(task.condition) != 1:
            _wrong(where, f"condition {task.condition!r}; exactly one of: {', '.join(CONDITIONS)}")
        key, value = next(iter(task.condition.items()))
        measure = FIRST_CONDITION + _one_of(where, "condition", key, CONDITIONS)
        if measure == MIN_RANK:
            return measure, _one_of(where, "min_rank", value, [rank.id for rank in ranks])
        return measure, _number(where, key, value, 1, _MOST)
    if task.category in task.cost and task.category != "commodities":
        measure = MEASURES.index(task.category)
        return measure, _number(where, "cost", task.cost[task.category], 0, _MOST)
    return MEASURES.index("commodities" if task.cost else "auction"), 0


def _check_task(task: _Task) -> None:
    where = f"[[task]] {task.id!r}"
    kind = _one_of(where, "kind", task.kind, TASK_KINDS)
    _one_of(where, "category", task.category, CATEGORIES)
    _number(where, "vp", task.vp, 1, STATUES)
    _number(where, "copies", task.copies, 1, _MOST_COPIES)
    if (kind == CONDITION) != bool(task.condition):
        _wrong(where, "a condition belongs to a task of kind 'condition', and to no other")
    if (kind == RESOURCE) != bool(task.cost):
        _wrong(where, "a cost belongs to a task of kind 'resource', and to no other")
    expected = {CONDITION: "condition", AUCTION: "mana"}.get(kind)
    if expected and task.category != expected:
        _wrong(where, f"category {task.category!r}; allowed for this kind: {expected}")
    if kind == RESOURCE and list(task.cost) != [task.category]:
        _wrong(where, f"cost {', '.join(task.cost)}; allowed: exactly the category, {task.category}")


# -- the whole -------------------------------------------------------------------------------------------------------


def load_box(data: Mapping[str, Any]) -> RaiateaBox:
    """The Box from parsed component data. Raises ComponentError."""
    _check_vocabulary(data)
    ranks = _ranks(data)
    setup = _table(data, "setup", _Kept)
    tattoos = _table(data, "tattoo_track", _Tattoos).max
    priests = _table(data, "priest_track", _Priests)
    _number("[tattoo_track]", "max", tattoos, 1, MOST_TATTOOS)
    _number("[priest_track]", "max", priests.max, 1, MOST_PRIESTS)
    locations = _in_order("location", _entries(data, "location", _Location), LOCATION.names or ())
    assistants = _in_order("assistant", _entries(data, "assistant", _Assistant), ASSISTANT.names or ())
    commodities = _in_order("commodity", _entries(data, "commodity", _Named), COMMODITY.names or ())
    gods = _gods(data)
    masks = _entries(data, "mask_card", _MaskCard)
    start_masks, mask_cards, mask_ids = _masks(masks, [god.id for god in gods])
    goods = _table(data, "commodity_cards", _CommodityCards)
    rituals = _rituals(data)
    tasks = _entries(data, "task", _Task)
    if len(tasks) > TASK.size:
        _wrong("[[task]]", f"{len(tasks)} entries; allowed: 1 to {TASK.size}")
    for task in tasks:
        _check_task(task)
    measured = [_measured(task, ranks) for task in tasks]
    rows, row_of, space_ids = _statues(data, tasks)
    forest_goods = _commodity_counts("forest", goods.forest)
    forest_deck = (
        [kind for kind in range(COMMODITIES) for _ in range(forest_goods[kind])]
        + [COMMODITIES + kind for kind in range(ASSISTANTS) for _ in range(assistants[kind].forest)]
        + [FIRST_FOREST_MASK + index for index in range(len(mask_cards))]
    )
    mirror = _table(data, "mirror", _Mirror)
    _speaks("[mirror]", "name", mirror.name)
    fields, track = _track(data)
    box = RaiateaBox(
        ritual_ids=tuple(ritual.id for ritual in rituals),
        ritual_deck=tuple((DECK.names or ()).index(ritual.deck) for ritual in rituals),
        ritual_kind=tuple(RITUAL_KINDS.index(ritual.kind) for ritual in rituals),
        ritual_cost=tuple(ritual.cost for ritual in rituals),
        ritual_vp=tuple(ritual.vp for ritual in rituals),
        ritual_effects=tuple(_effects(f"[[ritual]] {each.id!r}", each.effects) for each in rituals),
        ritual_triggers=tuple(_triggers(f"[[ritual]] {each.id!r}", each.triggers) for each in rituals),
        ritual_modifiers=tuple(_modifiers(f"[[ritual]] {each.id!r}", each.passive) for each in rituals),
        decks=(_decks(rituals, tane=False), _decks(rituals, tane=True)),
        task_ids=tuple(task.id for task in tasks),
        task_vp=tuple(task.vp for task in tasks),
        task_kind=tuple(TASK_KINDS.index(task.kind) for task in tasks),
        task_category=tuple(CATEGORIES.index(task.category) for task in tasks),
        task_measure=tuple(measure for measure, _ in measured),
        task_least=tuple(least for _, least in measured),
        task_payments=tuple(
            _payments(f"[[task]] {task.id!r}", task.cost["commodities"]) if "commodities" in task.cost else ()
            for task in tasks
        ),
        task_pattern=tuple(tuple(task.cost.get("commodities", {}).items()) for task in tasks),
        task_pools=tuple(
            tuple(index for index, task in enumerate(tasks) if task.vp == vp for _ in range(task.copies))
            for vp in range(1, STATUES + 1)
        ),
        rows=rows,
        row_of=row_of,
        space_ids=space_ids,
        max_tattoos=tattoos,
        rank_ids=tuple(rank.id for rank in ranks),
        rank_at=tuple(max(i for i, rank in enumerate(ranks) if rank.tattoos <= n) for n in range(tattoos + 1)),
        rank_tattoos=tuple(rank.tattoos for rank in ranks),
        rank_vp=tuple(rank.vp for rank in ranks),
        rank_draw=tuple(rank.ritual_draw for rank in ranks),
        rank_decks=tuple(tuple(sorted((DECK.names or ()).index(deck) for deck in rank.decks)) for rank in ranks),
        rank_clips=tuple(rank.clips for rank in ranks),
        max_priests=priests.max,
        train_cost=_train_cost(priests),
        fields=fields,
        track=track,
        start_pearls=_number("[setup]", "start_pearls", setup.start_pearls, 0, _MOST),
        start_mana=_number("[setup]", "start_mana", setup.start_mana, 0, _MOST),
        start_priests=_number("[setup]", "start_priests", setup.start_priests, 0, priests.max),
        start_tattoos=_number("[setup]", "start_tattoos", setup.start_tattoos, 0, tattoos - 1),
        start_price=_number("[setup]", "price_marker_start", setup.price_marker_start, 1, LEVELS),
        ritual_draw=_number("[setup]", "ritual_draw", setup.ritual_draw, 1, _MOST_COPIES),
        kept=_kept(setup),
        start_goods=_commodity_counts("start", goods.start),
        start_assistants=tuple(_number("[[assistant]]", "start", each.start, 0, _MOST) for each in assistants),
        start_masks=start_masks,
        forest_deck=tuple(forest_deck),
        mask_cards=mask_cards,
        forest_ids=(*(COMMODITY.names or ()), *(ASSISTANT.names or ()), *mask_ids),
        god_ids=(MIRROR_ID, *(god.id for god in gods)),
        god_colour=(-1, *(COLOURS.index(god.colour) for god in gods)),
        god_family=(-1, *(FAMILIES.index(god.scoring["family"]) for god in gods)),
        god_counts=(-1, *(_counted(god) for god in gods)),
        god_vp=(0, *(god.scoring["vp"] for god in gods)),
        god_max=(0, *(god.scoring.get("max", _MOST) for god in gods)),
        prices=_prices(data),
        gifts=_gifts(data),
        rewards=_rewards(data),
        bonus_roll=tuple(
            _one_of(f"[[location]] {each.id!r}", "bonus_roll", each.bonus_roll, ASSISTANT.names or ())
            if each.bonus_roll
            else -1
            for each in locations
        ),
        kahuna_pearls=max(each.kahuna_pearls for each in locations),
        kahuna_priests=max(each.kahuna_priests for each in locations),
        hire_cost=max(each.hire_cost for each in locations),
        die=_die(data),
        titles={
            language: {
                "location": _names("location", locations, language),
                "commodity": _names("commodity", commodities, language),
                "assistant": _names("assistant", assistants, language),
                "rank": _names("rank", ranks, language),
                "ritual": _names("ritual", rituals, language),
                "mask": (mirror.name[language], *_names("mask_god", gods, language)),
                "forest_card": (
                    *_names("commodity", commodities, language),
                    *_names("assistant", assistants, language),
                    *((mirror.name[language], *_names("mask_god", gods, language))[god] for god, _ in mask_cards),
                ),
            }
            for language in LANGUAGES
        },
        texts={
            language: {
                "location": tuple(each.text[language] for each in locations),
                "kahuna": tuple(each.kahuna[language] for each in locations),
                "permanent": tuple(each.permanent[language] for each in assistants),
                "send": tuple(each.send[language] for each in assistants),
                "mirror": (mirror.text[language],),
            }
            for language in LANGUAGES
        },
    )
    _check_counts(data, box)
    return box


def _check_vocabulary(data: Mapping[str, Any]) -> None:
    """The data say which words they use; the rules must know all of them."""
    known = {
        "verbs": VERBS,
        "who": WHO,
        "triggers": TRIGGERS,
        "modifiers": tuple(dict.fromkeys(name.partition(" ")[0] for name in MODIFIERS)),
        "condition_keys": CONDITIONS,
        "cost_keys": _DISCOUNTED,
        "commodity_pattern_keys": _PATTERN_KEYS,
        "ritual_kinds": RITUAL_KINDS,
        "ritual_decks": DECK.names or (),
        "task_kinds": TASK_KINDS,
        "task_categories": CATEGORIES,
    }
    for key, words in _table(data, "vocabulary", dict[str, Any]).items():
        if key != "source":
            allowed = known[tuple(known)[_one_of("[vocabulary]", "list", key, tuple(known))]]
            for word in words:
                _one_of("[vocabulary]", key, word, allowed)


def _names(table: str, entries: Sequence[_Named], language: str) -> tuple[str, ...]:
    for entry in entries:
        _speaks(f"[[{table}]] {entry.id!r}", "name", entry.name)
    return tuple(entry.name[language] for entry in entries)


def _ranks(data: Mapping[str, Any]) -> list[_Rank]:
    ranks = _entries(data, "rank", _Rank)
    if ranks[0].tattoos != 0 or any(a.tattoos >= b.tattoos for a, b in pairwise(ranks)):
        _wrong("[[rank]]", "tattoos must rise from 0")
    for rank in ranks:
        where = f"[[rank]] {rank.id!r}"
        _number(where, "ritual_draw", rank.ritual_draw, 1, _MOST_COPIES)
        _number(where, "clips", rank.clips, 0, MOST_CLIPS)
        for deck in rank.decks:
            _one_of(where, "deck", deck, DECK.names or ())
    return ranks


def _train_cost(priests: _Priests) -> tuple[int, ...]:
    if sorted(priests.train_costs) != [str(n) for n in range(1, MOST_TRAINED + 1)]:
        _wrong("[priest_track] train_costs", f"a price for each of 1 to {MOST_TRAINED} priests is needed")
    return 0, *(
        _number("[priest_track] train_costs", f"{n}", priests.train_costs[str(n)], 0, _MOST)
        for n in range(1, MOST_TRAINED + 1)
    )


def _kept(setup: _Kept) -> dict[int, tuple[tuple[int, ...], ...]]:
    kept: dict[int, tuple[tuple[int, ...], ...]] = {}
    for seats in SEAT_COUNTS:
        where = f"[setup.rituals_kept] {seats}"
        draws = setup.rituals_kept.get(str(seats), [])
        if len(draws) != seats or not all(draws):
            _wrong(where, f"{draws!r}; one list per place in seat order is needed")
        for numbers in draws:
            for n in numbers:
                _number(where, "kept", n, 0, setup.ritual_draw)
        kept[seats] = tuple(tuple(numbers) for numbers in draws)
    return kept


def _track(data: Mapping[str, Any]) -> tuple[tuple[Field, ...], dict[int, tuple[int, ...]]]:
    entries = _entries(data, "round_track", _Field)
    fields = []
    for entry in entries:
        where = f"[[round_track]] {entry.id!r}"
        kind = _one_of(where, "type", entry.type, ("action", "feast"))
        feast = _number(where, "feast", entry.feast, kind, STATUES if kind else 0)
        fields.append(Field(entry.id, feast))
    track = {}
    for seats in SEAT_COUNTS:
        track[seats] = tuple(i for i, entry in enumerate(entries) if entry.min_players <= seats <= entry.max_players)
        feasts = [fields[index].feast for index in track[seats] if fields[index].feast]
        if feasts != list(range(1, STATUES + 1)) or not fields[track[seats][-1]].feast:
            _wrong("[[round_track]]", f"{seats} players need the feasts 1, 2, 3 in order, the third at the end")
    return tuple(fields), track


def _statues(
    data: Mapping[str, Any], tasks: Sequence[_Task]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[str, ...]]:
    statues = sorted(_entries(data, "statue", _Statue), key=lambda statue: statue.id)
    if [(statue.id, statue.vp) for statue in statues] != [(n, n) for n in range(1, STATUES + 1)]:
        _wrong("[[statue]]", "statues 1, 2, 3 with tasks of 1, 2, 3 VP are needed")
    rows: list[tuple[int, ...]] = []
    row_of: list[int] = []
    ids: list[str] = []
    for statue in statues:
        where = f"[[statue]] {statue.id}"
        if sum(statue.rows) != SPACES_EACH or min(statue.rows) < 1:
            _wrong(where, f"rows {statue.rows}; they must have {SPACES_EACH} spaces in all")
        copies = sum(task.copies for task in tasks if task.vp == statue.vp)
        if copies < SPACES_EACH:
            _wrong(where, f"there are {copies} tasks of {statue.vp} VP for {SPACES_EACH} spaces")
        for row, width in enumerate(statue.rows):
            rows.append(tuple(range(len(row_of), len(row_of) + width)))
            row_of += [len(rows) - 1] * width
            ids += [f"s{statue.id}r{row + 1}c{column + 1}" for column in range(width)]
    return tuple(rows), tuple(row_of), tuple(ids)


def _gods(data: Mapping[str, Any]) -> list[_God]:
    gods = _entries(data, "mask_god", _God)
    if len(gods) >= MASK.size:
        _wrong("[[mask_god]]", f"{len(gods)} gods; allowed: 1 to {MASK.size - 1}")
    keys = {PER_TASK: {"category"}, PER_ASSISTANT: {"assistant"}, PER_COLOUR: {"max"}}
    for god in gods:
        where = f"[[mask_god]] {god.id!r}"
        if god.id == MIRROR_ID:
            _wrong(where, "this id is kept for the mirror")
        _one_of(where, "colour", god.colour, COLOURS)
        family = _one_of(where, "family", god.scoring.get("family"), FAMILIES)
        allowed = {"family", "vp"} | keys[family]
        if set(god.scoring) != allowed:
            _wrong(where, f"scoring has {', '.join(sorted(god.scoring))}; allowed: {', '.join(sorted(allowed))}")
        _number(where, "vp", god.scoring["vp"], 1, _MOST)
        if family == PER_TASK:
            _one_of(where, "category", god.scoring["category"], CATEGORIES)
        elif family == PER_ASSISTANT:
            _one_of(where, "assistant", god.scoring["assistant"], ASSISTANT.names or ())
        else:
            _number(where, "max", god.scoring["max"], 1, _MOST)
    return gods


def _counted(god: _God) -> int:
    """What the god counts: a category, an assistant, or nothing by itself."""
    if god.scoring["family"] == "per_task":
        return CATEGORIES.index(god.scoring["category"])
    if god.scoring["family"] == "per_assistant":
        return (ASSISTANT.names or ()).index(god.scoring["assistant"])
    return -1


def _masks(
    cards: Sequence[_MaskCard], gods: Sequence[str]
) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[Effect, ...]], ...], tuple[str, ...]]:
    known = (MIRROR_ID, *gods)
    start = []
    forest = []
    ids = []
    for card in cards:
        where = f"[[mask_card]] {card.id!r}"
        god = _one_of(where, "god", card.god, known)
        treasure = _effects(where, card.treasure)
        if _one_of(where, "set", card.set, ("start", "forest")) == 0:
            if treasure:
                _wrong(where, "a start mask has no treasure")
            start.append(god)
        else:
            forest.append((god, treasure))
            ids.append(card.id)
    for god, id in enumerate(known):
        count = sum(card.god == id for card in cards)
        if god and count != 2:
            _wrong(f"[[mask_god]] {id!r}", f"{count} cards; exactly 2 are needed")
    if len(forest) + FIRST_FOREST_MASK > FOREST_CARD.size:
        _wrong("[[mask_card]]", f"{len(forest)} forest masks; allowed: up to {FOREST_CARD.size - FIRST_FOREST_MASK}")
    return tuple(sorted(start)), tuple(forest), tuple(ids)


def _commodity_counts(set: str, counts: Mapping[str, int]) -> tuple[int, ...]:
    where = f"[commodity_cards] {set}"
    names = COMMODITY.names or ()
    for id in counts:
        _one_of(where, "commodity", id, names)
    return tuple(_number(where, id, counts.get(id, 0), 0, _MOST) for id in names)


def _rituals(data: Mapping[str, Any]) -> list[_Ritual]:
    rituals = _entries(data, "ritual", _Ritual)
    if len(rituals) > RITUAL.size:
        _wrong("[[ritual]]", f"{len(rituals)} entries; allowed: 1 to {RITUAL.size}")
    for ritual in rituals:
        where = f"[[ritual]] {ritual.id!r}"
        _one_of(where, "deck", ritual.deck, DECK.names or ())
        kind = _one_of(where, "kind", ritual.kind, RITUAL_KINDS)
        _number(where, "cost", ritual.cost, 0, _MOST)
        _number(where, "copies", ritual.copies, 1, _MOST_COPIES)
        _number(where, "vp", ritual.vp, 0, _MOST)
        if ritual.tane != (kind == INTERACTIVE):
            _wrong(where, "the Tāne cards are the interactive ones, and no others")
        if kind == PERMANENT:
            if ritual.effects:
                _wrong(where, "a permanent ritual has triggers, passive modifiers or vp, but no effects")
        elif kind == GENERAL:
            for effect in _effects(where, ritual.effects):
                if effect.who != ALL and effect.verb not in _NOBODYS:
                    _wrong(where, f"a general ritual concerns all: {VERBS[effect.verb]} needs who = 'all'")
        if kind != PERMANENT and (ritual.triggers or ritual.passive or ritual.vp):
            _wrong(where, "triggers, passive modifiers and vp belong to permanent rituals only")
    return rituals


def _decks(rituals: Sequence[_Ritual], *, tane: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    def deck(name: str) -> tuple[int, ...]:
        return tuple(
            index
            for index, ritual in enumerate(rituals)
            if ritual.deck == name and (tane or not ritual.tane)
            for _ in range(ritual.copies)
        )

    return deck("normal"), deck("forbidden")


def _prices(data: Mapping[str, Any]) -> tuple[tuple[tuple[Effect, ...], ...], ...]:
    found: dict[tuple[int, int], tuple[Effect, ...]] = {}
    for entry in _entries(data, "price_field", _PriceField):
        where = f"[[price_field]] {entry.id!r}"
        commodity = _one_of(where, "commodity", entry.commodity, COMMODITY.names or ())
        place = (commodity, _number(where, "level", entry.level, 1, LEVELS))
        if place in found:
            _wrong(where, "its field stands twice")
        found[place] = _effects(where, entry.effects)
        if entry.level == 1 and any(effect.verb not in (GAIN_PEARLS, GAIN_MANA) for effect in found[place]):
            _wrong(where, "level 1 must always be possible; allowed: gain_pearls, gain_mana")
    for commodity in range(COMMODITIES):
        for level in range(1, LEVELS + 1):
            if not found.get((commodity, level)):
                _wrong("[[price_field]]", f"{(COMMODITY.names or ())[commodity]} level {level} is missing")
    return tuple(tuple(found[c, level] for level in range(1, LEVELS + 1)) for c in range(COMMODITIES))


def _gifts(data: Mapping[str, Any]) -> tuple[tuple[Effect, ...], ...]:
    gifts = _in_order("gift", _entries(data, "gift", _Gift), GIFT.names or ())
    return tuple(_effects(f"[[gift]] {gift.id!r}", gift.effects) for gift in gifts)


def _rewards(data: Mapping[str, Any]) -> tuple[Effect, ...]:
    rewards = _table(data, "bonus_roll_rewards", dict[str, Any])
    for id in ASSISTANT.names or ():
        if id not in rewards:
            _wrong("[bonus_roll_rewards]", f"{id!r} is missing")
    return tuple(_effect(f"[bonus_roll_rewards] {id}", rewards[id]) for id in ASSISTANT.names or ())


def _die(data: Mapping[str, Any]) -> tuple[int, ...]:
    faces = _table(data, "die", _Die).faces
    for face in faces:
        _number("[die]", "face", face, 1, MOST_PIPS)
    if not faces:
        _wrong("[die]", "no faces; at least one is needed")
    return tuple(sorted(face - 1 for face in faces))


def _check_counts(data: Mapping[str, Any], box: RaiateaBox) -> None:
    """The counts of the box are binding."""
    counts = _table(data, "box", _BoxCounts)
    split = _table(data, "composition", _Composition)
    plain, all_cards = box.decks
    masks = len(box.mask_cards)
    forest = len(box.forest_deck)
    assistants = sum(FIRST_FOREST_MASK > card >= COMMODITIES for card in box.forest_deck)
    checks = {
        "[box] ritual_cards": (counts.ritual_cards, sum(map(len, all_cards))),
        "[box] tasks": (counts.tasks, sum(map(len, box.task_pools))),
        "[box] forest_cards": (counts.forest_cards, forest),
        "[box] start_cards": (
            counts.start_cards,
            sum(box.start_goods) + sum(box.start_assistants) + len(box.start_masks),
        ),
        "[composition] ritual_normal": (split.ritual_normal, len(plain[0])),
        "[composition] ritual_forbidden": (split.ritual_forbidden, len(plain[1])),
        "[composition] ritual_tane_normal": (split.ritual_tane_normal, len(all_cards[0]) - len(plain[0])),
        "[composition] ritual_tane_forbidden": (split.ritual_tane_forbidden, len(all_cards[1]) - len(plain[1])),
        "[composition] task_vp1": (split.task_vp1, len(box.task_pools[0])),
        "[composition] task_vp2": (split.task_vp2, len(box.task_pools[1])),
        "[composition] task_vp3": (split.task_vp3, len(box.task_pools[2])),
        "[composition] start_assistants": (split.start_assistants, sum(box.start_assistants)),
        "[composition] start_commodities": (split.start_commodities, sum(box.start_goods)),
        "[composition] start_masks": (split.start_masks, len(box.start_masks)),
        "[composition] forest_masks": (split.forest_masks, masks),
        "[composition] forest_assistants": (split.forest_assistants, assistants),
        "[composition] forest_commodities": (split.forest_commodities, forest - masks - assistants),
    }
    for what, (stated, found) in checks.items():
        if stated != found:
            _wrong(what, f"says {stated}, but the entries add up to {found}")
    most = max(SEAT_COUNTS)
    if len(box.start_masks) < most:
        _wrong("[[mask_card]]", f"{len(box.start_masks)} start masks; one for each of {most} players is needed")
    if len(plain[0]) < box.ritual_draw * (most + 1):
        _wrong("[[ritual]]", f"{len(plain[0])} normal rituals; {box.ritual_draw * (most + 1)} are dealt at the start")
    if len(box.forest_deck) < 2 * (most + 1):
        _wrong("[[mask_card]]", f"{len(box.forest_deck)} forest cards; {2 * (most + 1)} are needed at least")
