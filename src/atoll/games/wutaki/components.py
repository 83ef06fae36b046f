"""The Box of Wutaki: everything printed on boards and cards, read from `components.toml`. No rules live here.

Effects are data. The verbs are a closed list; a verb, key, metric or place that the list doesn't know is refused when
the file is read, with the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from atoll.engine import ComponentError

from .entries import LANGUAGES, Entry
from .kinds import (
    ELEMENTS,
    MAIN_PLACES,
    MOST_FIELDS,
    MOST_OPTIONS,
    MOST_SEATS,
    MOST_TOKENS,
    RESOURCES,
    STANDARD_PLACES,
)

# fmt: off
VERBS: Final = (
    "vp", "gain", "lose", "draw_omen", "play_omen", "draw_vengeance", "return_vengeance", "gift_vengeance",
    "draw_secret_pact", "hire", "accept_pact", "gift_pact", "discard_pact", "renew_pacts", "fulfil_pact", "upgrade",
    "replace_upgrade", "remove_upgrade", "climb", "chase", "plunder", "raid", "take_resources", "take_omen",
    "recall_worker", "claim_start", "trade", "raise_multiplier", "choose", "empty_maw", "yield", "modifier",
    "end_vp", "flag", "repeat_action", "occupied_field", "burn_omens",
)
(
    VP, GAIN, LOSE, DRAW_OMEN, PLAY_OMEN, DRAW_VENGEANCE, RETURN_VENGEANCE, GIFT_VENGEANCE,
    DRAW_SECRET_PACT, HIRE, ACCEPT_PACT, GIFT_PACT, DISCARD_PACT, RENEW_PACTS, FULFIL_PACT, UPGRADE,
    REPLACE_UPGRADE, REMOVE_UPGRADE, CLIMB, CHASE, PLUNDER, RAID, TAKE_RESOURCES, TAKE_OMEN,
    RECALL_WORKER, CLAIM_START, TRADE, RAISE_MULTIPLIER, CHOOSE, EMPTY_MAW, YIELD, MODIFIER,
    END_VP, FLAG, REPEAT_ACTION, OCCUPIED_FIELD, BURN_OMENS,
) = range(len(VERBS))
# fmt: on

METRICS: Final = (
    "fulfilled_pacts",
    *(f"fulfilled_{element}" for element in ELEMENTS),
    *("unfulfilled_pacts", "pact_elements", "omen_cards", "vengeance_cards", "hired_workers", "upgrades_done"),
    *("place_upgrades", "tower_upgrades", "pyramid_level", *RESOURCES, "resources"),
    *(f"upgrade_at:{place}" for place in STANDARD_PLACES),
)

NO_FLAG, PROTECTED_WORKERS, FREE_UPKEEP = range(3)
FLAGS: Final = ("", "protected_workers", "free_upkeep")

MOST, AT_LEAST, AT_MOST = range(3)
CONDITIONS: Final = ("most", "at_least", "at_most")

ELEMENT_SLOT, RESOURCE_SLOT = range(2)
SLOTS: Final = ("element", "resource")

ALL_DRAW_OMEN, UPKEEP = range(2)
COUNTER_EVENTS: Final = ("all_draw_omen", "upkeep")

BOARDS: Final = ("standard", "extreme")
MODIFIERS: Final = ("yield", "no_vengeance", "upgrade_discount", "hire_discount")
TURN_POINTS: Final = ("T0", "T1", "T3", "T4")

Pairs = tuple[tuple[int, int], ...]
"""Resource kinds with amounts above 0, in the order of the kinds."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Amounts of resource tokens as printed.

    printed: the five kinds. pairs: what they come to together with `cost_marker`, by the kind on the owner's marker.
    any: of whatever kinds one likes. total: of all together.
    """

    printed: Pairs
    pairs: tuple[Pairs, ...]
    cost_marker: int
    any: int
    total: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What has to be handed over before the effects.

    sacrificed: tokens go to the maw, else to the supply. is_free: nothing. is_fixed: nothing but tokens of given kinds.
    """

    tokens: Tokens
    omen: int
    vp: int
    worker: int
    sacrificed: bool
    is_free: bool
    is_fixed: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """One verb with its parameters; those that the verb doesn't have are 0, False or empty. source: id of the entry."""

    verb: int
    source: str
    n: int = 0
    tokens: Tokens | None = None
    discount: int = 0
    free: bool = False
    bonus: bool = False
    own: bool = False
    relocate: bool = False
    vp: int = 0
    per: int = 1
    metric: int = 0
    kind: int = -1
    flag: int = NO_FLAG
    modifier: str = ""
    places: tuple[int, ...] = ()
    options: tuple[Action, ...] = ()


NO_EFFECT: Final = Effect(VP, "")
"""Where an effect is due but none is printed."""


@dataclass(frozen=True, slots=True)
class Action:
    """A cost and the effects that follow it, from left to right.

    first: the one that must be possible. relocates: whether the worker may move in where it has chased somebody.
    """

    source: str
    cost: Cost
    effects: tuple[Effect, ...]
    first: Effect
    relocates: bool


@dataclass(frozen=True, slots=True)
class ElementCard:
    """The element a player controls: bonus per fulfilled pact of it, malus per pact of the anti-element."""

    element: int
    anti: int
    bonus: int
    malus: int


@dataclass(frozen=True, slots=True)
class SecretPact:
    """A secret aim: vp if the metric is the most, at least n or at most n."""

    vp: int
    condition: int
    metric: int
    n: int


@dataclass(frozen=True, slots=True)
class Pact:
    """A pact of an element: its cost is what is sacrificed, its effects are the reward."""

    element: int
    action: Action


@dataclass(frozen=True, slots=True)
class Omen:
    """An omen. selfish: whether its own cost or effects look at the hand that it has left."""

    copies: int
    permanent: bool
    flag: int
    selfish: bool
    action: Action


@dataclass(frozen=True, slots=True)
class Vengeance:
    """A limit for a metric; beyond it the penalty is due."""

    metric: int
    limit: int
    penalty: int


@dataclass(frozen=True, slots=True)
class RoundCard:
    """A round card.

    kind: "place", "modifier", "instant" or "none" (no card). for_all: an instant of every player, else of the table.
    fields: of a place, per number of seats. harvest: tokens more per main place. quiet: main places without vengeance.
    """

    kind: str
    chain: bool
    for_all: bool
    action: Action
    fields: tuple[int, ...]
    harvest: tuple[int, ...]
    quiet: tuple[bool, ...]
    upgrade_discount: int
    hire_discount: int


@dataclass(frozen=True, slots=True)
class TowerUpgrade:
    """A card for a slot of the tower: bonus and malus for pacts, or n more of a kind at its place."""

    slot: int
    element: int
    anti: int
    bonus: int
    malus: int
    place: int
    n: int


@dataclass(frozen=True, slots=True)
class Masterboard:
    """One face of a masterboard.

    track: effects per space of the pact track, space 0 first; empty without a track. own_place: its place's action.
    multiplier: by position of the marker. on_climb: the option after each step up the pyramid.
    """

    side: str
    copies: int
    recommended_from: int
    track: tuple[tuple[Effect, ...], ...]
    own_place: Action | None
    fields: tuple[int, ...]
    multiplier: tuple[int, ...]
    on_climb: Action | None


@dataclass(frozen=True, slots=True)
class Ability:
    """A marker that can be used once a game. when: the points of a turn at which it can."""

    when: tuple[str, ...]
    action: Action


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the main board. fields: how many are in use, by number of seats. yields, bonus: standard places only.

    kind: the resource kind it yields, -1 for the village and for all others.
    """

    action: Action
    fields: tuple[int, ...]
    kind: int
    yields: tuple[int, ...]
    bonus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the pyramid. climb: its price and the extras after the climb."""

    room: int
    vp: int
    climb: Action


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One side of the main board; it is equal to itself only, so that what is derived from it can be kept by it.

    hire_prices: tokens of the cost marker and gold, by how many extra workers the tower holds; 0: of the special one.
    lowest_upgrade_price: of places and towers. counter_next: by number of seats and position. counter_event: by
    position, -1 for none.
    """

    slot_gold: tuple[int, ...]
    extra_workers: int
    hire_prices: tuple[tuple[int, int], ...]
    upgrade_prices: tuple[int, ...]
    lowest_upgrade_price: int
    counter_next: tuple[tuple[int, ...], ...]
    counter_event: tuple[int, ...]
    levels: tuple[Level, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """All printed matter. ids: by domain, titles: by language and domain, in the order of the domain's indices.

    pact_prices: the tokens of given kinds that a pact costs, by the kind on the cost marker and pact, the most first:
    of them one is likeliest to have too few. in_round: by the current round card; -1 is the last one, without effect.
    """

    start_vp: int
    end_vp: int
    tokens: tuple[int, ...]
    start_stock: tuple[int, ...]
    cost_markers: tuple[int, ...]
    elements: tuple[ElementCard, ...]
    secret_pacts: tuple[SecretPact, ...]
    pacts: tuple[Pact, ...]
    pact_prices: tuple[tuple[Pairs, ...], ...]
    omens: tuple[Omen, ...]
    vengeance: tuple[Vengeance, ...]
    round_cards: tuple[RoundCard, ...]
    in_round: tuple[RoundCard, ...]
    tower_upgrades: tuple[TowerUpgrade, ...]
    tower_prices: tuple[int, ...]
    masterboards: tuple[Masterboard, ...]
    abilities: tuple[Ability, ...]
    boards: tuple[Board, ...]
    upgrade_markers: int
    loyal_workers: int
    special_workers: int
    ids: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


# -- reading --------------------------------------------------------------------------------------------------------


def _pairs(amounts: Sequence[int]) -> Pairs:
    return tuple((kind, n) for kind, n in enumerate(amounts) if n)


def read_tokens(entry: Entry) -> Tokens:
    """The token keys of an entry: the five kinds, `any`, `cost_marker`."""
    fixed = [entry.number(kind, 0, hi=MOST_TOKENS) for kind in RESOURCES]
    marker = entry.number("cost_marker", 0, hi=MOST_TOKENS)
    by_marker = tuple(
        _pairs([n + (marker if kind == own else 0) for kind, n in enumerate(fixed)]) for own in range(len(RESOURCES))
    )
    any_kind = entry.number("any", 0, hi=MOST_TOKENS)
    return Tokens(_pairs(fixed), by_marker, marker, any_kind, sum(fixed) + marker + any_kind)


def read_cost(entry: Entry) -> Cost:
    """The cost of an entry: `pay` or `sacrifice`, not both."""
    if entry.has("pay") and entry.has("sacrifice"):
        entry.fail("both 'pay' and 'sacrifice'", "one of them")
    key = "sacrifice" if entry.has("sacrifice") else "pay"
    cost = entry.part(key) if entry.has(key) else Entry(entry.table, {}, entry.id)
    tokens = read_tokens(cost)
    omen, vp, worker = cost.number("omen", 0), cost.number("vp", 0), cost.number("worker", 0)
    cost.done()
    is_free = not (tokens.total or omen or vp or worker)
    is_fixed = not (tokens.any or omen or vp or worker)
    return Cost(tokens, omen, vp, worker, key == "sacrifice", is_free, is_fixed)


# Where a verb may stand, if not everywhere that effects stand.
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
_TABLE_VERBS: Final = (EMPTY_MAW, RENEW_PACTS)


def _many(entry: Entry, home: str) -> dict[str, Any]:
    return {"n": entry.number("n", lo=1, hi=20)}


def _points(entry: Entry, home: str) -> dict[str, Any]:
    return {"n": entry.number("n", lo=1)}


def _tokens(entry: Entry, home: str) -> dict[str, Any]:
    tokens = read_tokens(entry)
    if not tokens.total:
        entry.fail("no tokens", f"{', '.join(RESOURCES)}, any, cost_marker")
    return {"tokens": tokens}


def _all_or_n(entry: Entry, home: str) -> dict[str, Any]:
    return {"n": entry.number("n", 0, lo=1)}


def _cheaper(entry: Entry, home: str) -> dict[str, Any]:
    return {"discount": entry.number("discount", 0), "free": entry.flag("free", False)}


def _hires(entry: Entry, home: str) -> dict[str, Any]:
    return _many(entry, home) | _cheaper(entry, home)


def _accept(entry: Entry, home: str) -> dict[str, Any]:
    entry.one_of("from", ("display",))
    return {"bonus": entry.flag("bonus")}


def _gift(entry: Entry, home: str) -> dict[str, Any]:
    return {"own": entry.one_of("from", ("display", "own")) == 1}


def _upgrade(entry: Entry, home: str) -> dict[str, Any]:
    return _cheaper(entry, home) | {"vp": entry.number("vp")}


def _climb(entry: Entry, home: str) -> dict[str, Any]:
    return {"discount": entry.number("discount", 0)}


def _chase(entry: Entry, home: str) -> dict[str, Any]:
    relocate = entry.flag("relocate")
    if relocate and home != "place":
        entry.fail("relocate = true without a place to come from", "only in a place of the main board")
    return {"relocate": relocate}


def _choose(entry: Entry, home: str) -> dict[str, Any]:
    options = entry.list("options")
    if not 1 <= len(options) <= MOST_OPTIONS:
        entry.fail(f"{len(options)} options", f"1 to {MOST_OPTIONS}")
    read = []
    for each in options:
        option = Entry(f"{entry.table}.options", each, entry.id)
        read.append(read_action(option, home))
        option.done()
    return {"options": tuple(read)}


def _modifier(entry: Entry, home: str) -> dict[str, Any]:
    kind = entry.one_of("kind", MODIFIERS)
    allowed = (STANDARD_PLACES[:-1], ("plunder", "chase"), (), ())[kind]
    places = tuple(MAIN_PLACES.index(allowed[index]) for index in entry.some_of("places", allowed))
    return {"n": entry.number("n"), "modifier": MODIFIERS[kind], "places": places}


def _end_vp(entry: Entry, home: str) -> dict[str, Any]:
    metric = entry.one_of("metric", METRICS)
    return {"metric": metric, "vp": entry.number("vp"), "per": entry.number("per", 1, lo=1)}


def _flag(entry: Entry, home: str) -> dict[str, Any]:
    return {"flag": entry.one_of("id", FLAGS[1:]) + 1}


def _burn(entry: Entry, home: str) -> dict[str, Any]:
    return {"n": entry.number("max", lo=1, hi=20), "vp": entry.number("vp")}


def _yield(entry: Entry, home: str) -> dict[str, Any]:
    return {"places": (MAIN_PLACES.index(entry.id),)}


_PARAMETERS: Final[dict[int, Callable[[Entry, str], dict[str, Any]]]] = {
    VP: _points,
    GAIN: _tokens,
    LOSE: _tokens,
    DRAW_OMEN: _many,
    PLAY_OMEN: _many,
    DRAW_VENGEANCE: _many,
    RETURN_VENGEANCE: _many,
    GIFT_VENGEANCE: _many,
    DRAW_SECRET_PACT: _many,
    HIRE: _hires,
    ACCEPT_PACT: _accept,
    GIFT_PACT: _gift,
    DISCARD_PACT: _many,
    FULFIL_PACT: _cheaper,
    UPGRADE: _upgrade,
    CLIMB: _climb,
    CHASE: _chase,
    PLUNDER: _all_or_n,
    TAKE_RESOURCES: _many,
    TAKE_OMEN: _many,
    RECALL_WORKER: _many,
    RAISE_MULTIPLIER: _many,
    CHOOSE: _choose,
    YIELD: _yield,
    MODIFIER: _modifier,
    END_VP: _end_vp,
    FLAG: _flag,
    BURN_OMENS: _burn,
}
"""The parameters of the verbs that have some."""


def read_effect(entry: Entry, home: str) -> Effect:
    """One effect: its verb, which may stand in this home, and the parameters that this verb has."""
    verb = entry.one_of("do", VERBS)
    if home not in _HOMES.get(verb, (home,)):
        entry.fail(f"verb {VERBS[verb]!r} in a {home}", f"only in a {' or '.join(_HOMES[verb])}")
    if home == "table instant" and verb not in _TABLE_VERBS:
        entry.fail(f"verb {VERBS[verb]!r} without a player", ", ".join(VERBS[each] for each in _TABLE_VERBS))
    read = _PARAMETERS.get(verb)
    effect = Effect(verb, entry.id, **(read(entry, home) if read else {}))
    entry.done()
    return effect


def read_effects(entry: Entry, key: str, home: str) -> tuple[Effect, ...]:
    """A list of effects."""
    return tuple(read_effect(Entry(f"{entry.table}.{key}", each, entry.id), home) for each in entry.list(key))


def read_action(entry: Entry, home: str, key: str = "effects") -> Action:
    """Cost and effects of an entry; the entry may not be empty-handed."""
    action = _action(entry, key, home)
    if not action.effects:
        entry.fail("no effects", "at least one")
    return action


def _action(entry: Entry, key: str, home: str) -> Action:
    return _cost_and_effects(entry.id, read_cost(entry), read_effects(entry, key, home))


def _cost_and_effects(source: str, cost: Cost, effects: tuple[Effect, ...]) -> Action:
    first = effects[0] if effects else NO_EFFECT
    return Action(source, cost, effects, first, any(effect.relocate for effect in effects))


def _by_seats(minimum: Sequence[int]) -> tuple[int, ...]:
    """How many of the things with these minimum numbers of seats are in use, by number of seats."""
    return tuple(sum(each <= seats for each in minimum) for seats in range(MOST_SEATS + 1))


def _fields(entry: Entry) -> tuple[int, ...]:
    fields = entry.numbers("fields", lo=2, hi=MOST_SEATS)
    if not 1 <= len(fields) <= MOST_FIELDS:
        entry.fail(f"{len(fields)} fields", f"1 to {MOST_FIELDS}")
    return _by_seats(fields)


def _element_card(entry: Entry) -> ElementCard:
    element, anti = entry.one_of("element", ELEMENTS), entry.one_of("anti", ELEMENTS)
    return ElementCard(element, anti, entry.number("bonus"), entry.number("malus"))


def _secret_pact(entry: Entry) -> SecretPact:
    condition = entry.part("condition")
    kind, metric = condition.one_of("type", CONDITIONS), condition.one_of("metric", METRICS)
    n = 0 if kind == MOST else condition.number("n")
    condition.done()
    return SecretPact(entry.number("vp"), kind, metric, n)


def _pact(entry: Entry) -> Pact:
    cost = Entry(entry.table, {"sacrifice": entry.get("sacrifice", "a table of costs")}, entry.id)
    action = _cost_and_effects(entry.id, read_cost(cost), read_effects(entry, "reward", "pact"))
    if action.cost.vp or action.cost.worker:
        entry.fail("a cost of vp or worker", "tokens and omens")
    return Pact(entry.one_of("element", ELEMENTS), action)


def _omen(entry: Entry) -> Omen:
    permanent = entry.one_of("kind", ("once", "permanent")) == 1
    action = read_action(entry, "permanent omen" if permanent else "omen")
    first = action.effects[0]
    if permanent and (len(action.effects) != 1 or first.verb not in (END_VP, FLAG)):
        entry.fail("a permanent omen with other effects", "one 'end_vp' or one 'flag'")
    selfish = bool(action.cost.omen) or any(each.verb in (PLAY_OMEN, CHOOSE, FULFIL_PACT) for each in action.effects)
    return Omen(entry.number("copies", 1, lo=1), permanent, first.flag, selfish, action)


def _vengeance(entry: Entry) -> Vengeance:
    return Vengeance(entry.one_of("metric", METRICS), entry.number("limit"), entry.number("penalty"))


def _round_card(entry: Entry) -> RoundCard:
    kind = ("place", "modifier", "instant")[entry.one_of("type", ("place", "modifier", "instant"))]
    chain = entry.flag("chain")
    if chain != (kind == "instant"):
        entry.fail(
            f"chain = {chain} with type = {kind!r}", "chain = true with 'instant', chain = false with all others"
        )
    for_all = kind == "instant" and entry.one_of("who", ("all", "table")) == 0
    home = {"place": "place of a card", "modifier": "modifier", "instant": "instant" if for_all else "table instant"}[
        kind
    ]
    action = read_action(entry, home)
    if kind != "place" and not action.cost.is_free:
        entry.fail("a cost", "costs only for type = 'place'")
    harvest, quiet, discounts = [0] * len(MAIN_PLACES), [False] * len(MAIN_PLACES), {"upgrade": 0, "hire": 0}
    for effect in action.effects:
        if effect.modifier == "yield":
            for place in effect.places:
                harvest[place] += effect.n
        elif effect.modifier == "no_vengeance":
            for place in effect.places:
                quiet[place] = True
        elif effect.modifier:
            discounts[effect.modifier.removesuffix("_discount")] += effect.n
    return RoundCard(
        kind,
        chain,
        for_all,
        action,
        _fields(entry) if kind == "place" else (),
        tuple(harvest),
        tuple(quiet),
        discounts["upgrade"],
        discounts["hire"],
    )


def _tower_upgrade(entry: Entry) -> TowerUpgrade:
    slot = entry.one_of("slot", SLOTS)
    if slot == ELEMENT_SLOT:
        element, anti = entry.one_of("element", ELEMENTS), entry.one_of("anti", ELEMENTS)
        return TowerUpgrade(slot, element, anti, entry.number("bonus"), entry.number("malus"), -1, 0)
    entry.one_of("kind", RESOURCES)
    place = MAIN_PLACES.index(STANDARD_PLACES[entry.one_of("place", STANDARD_PLACES[:-1])])
    return TowerUpgrade(slot, -1, -1, 0, 0, place, entry.number("n"))


def _track(entry: Entry) -> tuple[tuple[Effect, ...], ...]:
    if not entry.has("pact_track"):
        return ()
    track: list[tuple[Effect, ...]] = [()] * (entry.number("last_space", lo=1, hi=68) + 1)
    for each in entry.list("pact_track"):
        space = Entry(f"{entry.table}.pact_track", each, entry.id)
        track[space.number("at", lo=1, hi=len(track) - 1)] = read_effects(space, "effects", "pact track")
        space.done()
    return tuple(track)


def _masterboard(entry: Entry) -> Masterboard:
    own_place, fields, on_climb = None, (0,) * (MOST_SEATS + 1), None
    if entry.has("place"):
        place = Entry(f"{entry.table}.place", entry.get("place", "a table"))
        own_place, fields = read_action(place, "own place"), _fields(place)
        place.done()
    if entry.has("on_climb"):
        climb = entry.part("on_climb")
        if not climb.flag("optional"):
            climb.fail("optional = false", "true")
        on_climb = read_action(climb, "climb")
        climb.done()
    return Masterboard(
        ("a", "b")[entry.one_of("side", ("a", "b"))],
        entry.number("copies", lo=1, hi=MOST_SEATS),
        entry.number("recommended_from", 2, lo=2, hi=MOST_SEATS),
        _track(entry),
        own_place,
        fields,
        entry.numbers("multiplier", lo=1) if entry.has("multiplier") else (1,),
        on_climb,
    )


def _ability(entry: Entry) -> Ability:
    when = tuple(TURN_POINTS[index] for index in entry.some_of("when", TURN_POINTS))
    action = read_action(entry, "ability")
    needed = {REPEAT_ACTION: ("T3",), OCCUPIED_FIELD: ("T1",)}.get(action.effects[0].verb)
    if when != needed and (needed or not set(when) <= {"T0", "T4"} or not when):
        entry.fail(f"when = {list(when)}", ", ".join(needed or ("T0", "T4")))
    if not action.cost.is_free or len(action.effects) != 1:
        entry.fail("a cost or several effects", "one effect without a cost")
    return Ability(when, action)


def _place(entry: Entry) -> Place:
    standard = entry.flag("standard", False)
    action = read_action(entry, "standard place" if standard else "place")
    if not standard:
        return Place(action, _fields(entry), -1, (), ())
    kind = (*range(len(RESOURCES)), -1)[entry.one_of("kind", (*RESOURCES, "hire"))]
    effects = tuple(replace(effect, kind=kind) for effect in action.effects)
    return Place(
        replace(action, effects=effects, first=effects[0]),
        _fields(entry),
        kind,
        entry.numbers("yields", lo=1, hi=MOST_TOKENS, size=3),
        entry.some_of("marker_bonus", RESOURCES),
    )


def _level(entry: Entry) -> Level:
    climb = _action(entry, "extras", "pyramid")
    if climb.cost.omen or climb.cost.vp or climb.cost.worker:
        entry.fail("a cost of other things", "tokens")
    return Level(entry.number("room", lo=1, hi=MOST_SEATS), entry.number("vp"), climb)


def _hire_price(entry: Entry) -> tuple[int, int]:
    price = entry.part("pay")
    found = price.number("cost_marker", 0, hi=MOST_TOKENS), price.number("gold", 0, hi=MOST_TOKENS)
    price.done()
    return found


def _board(entry: Entry, hire_slots: Mapping[str, tuple[int, int]], lowest_tower_price: int) -> Board:
    prices = []
    for slot in (*entry.list("hire_slots"), "special"):
        if slot not in hire_slots:
            entry.fail(f"hire_slots has {slot!r}", ", ".join(hire_slots))
        prices.append(hire_slots[slot])
    extra_workers = entry.number("extra_workers", lo=0, hi=len(prices) - 1)
    if len(prices) != extra_workers + 1:
        entry.fail(f"{len(prices) - 1} hire slots for {extra_workers} extra workers", "one for each")
    minimum = entry.numbers("pact_counter_min_players", lo=2, hi=MOST_SEATS)
    counter_next = []
    for seats in range(MOST_SEATS + 1):
        used = [position for position, least in enumerate(minimum) if least <= seats] or [0]
        counter_next.append(tuple(min((u for u in used if u > p), default=used[0]) for p in range(len(minimum))))
    events = [-1] * len(minimum)
    for each in entry.list("counter_event"):
        event = Entry(f"{entry.table}.counter_event", each)
        events[event.number("position", hi=len(minimum) - 1)] = event.one_of("id", COUNTER_EVENTS)
        event.done()
    levels = []
    for number, each in enumerate(entry.list("pyramid_level"), 1):
        level = Entry(f"{entry.table}.pyramid_level", each, f"{entry.id} level {number}")
        if level.number("level") != number:
            level.fail("levels are out of order", f"level = {number}")
        levels.append(_level(level))
        level.done()
    places = {}
    for each in entry.list("place"):
        place = Entry(f"{entry.table}.place", each)
        place.one_of("id", MAIN_PLACES)
        place.titles()
        places[place.id] = _place(place)
        if bool(places[place.id].yields) != (place.id in STANDARD_PLACES):
            place.fail("standard = true", ", ".join(STANDARD_PLACES))
        place.done()
    missing = [name for name in MAIN_PLACES if name not in places]
    if missing:
        entry.fail(f"place {missing[0]!r} is missing", ", ".join(MAIN_PLACES))
    upgrade_prices = entry.numbers("place_upgrade_prices", size=2)
    return Board(
        entry.numbers("slot_gold", lo=-9, hi=9, size=4),
        extra_workers,
        tuple(reversed(prices)),
        upgrade_prices,
        min(*upgrade_prices, lowest_tower_price),
        tuple(counter_next),
        tuple(events),
        tuple(levels),
        tuple(places[name] for name in MAIN_PLACES),
    )


class _File:
    """The whole file: lists of entries by table, and what is printed on them as ids and titles."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.ids: dict[str, tuple[str, ...]] = {}
        self.titles: dict[str, dict[str, tuple[str, ...]]] = {language: {} for language in LANGUAGES}
        self.read: set[str] = set()

    def table(self, name: str) -> Entry:
        """A table that stands once."""
        self.read.add(name)
        if name not in self.data:
            raise ComponentError(f"[{name}] is missing")
        return Entry(name, self.data[name], name)

    def entries(self, name: str, *, named: bool = True) -> list[Entry]:
        """All entries of a table, their ids and titles noted. An id may stand once."""
        self.read.add(name)
        rows = self.data.get(name)
        if not isinstance(rows, list) or not rows:
            raise ComponentError(f"[[{name}]] is missing")
        found = [Entry(name, row) for row in rows]
        ids = tuple(entry.text("id") for entry in found)
        for entry in found:
            if ids.count(entry.id) > 1:
                entry.fail("the id stands twice", "ids that differ")
        self.ids[name] = ids
        if named:
            self.entitle(name, [entry.titles() for entry in found])
        return found

    def entitle(self, domain: str, titles: Sequence[Mapping[str, str]]) -> None:
        """Note the names of a domain's elements."""
        for language in LANGUAGES:
            self.titles[language][domain] = tuple(title[language] for title in titles)

    def done(self) -> None:
        """Refuse tables that nobody has asked for."""
        for name in self.data:
            if name not in self.read:
                raise ComponentError(f"[{name}]: unknown table; allowed: {', '.join(sorted(self.read))}")


def _all(entries: Sequence[Entry], read: Any) -> tuple[Any, ...]:
    found = []
    for entry in entries:
        found.append(read(entry))
        entry.done()
    return tuple(found)


def _check_counts(counts: Entry, box: Box) -> None:
    """The totals of the rulebook are binding."""
    found = {
        "resource_tokens": sum(box.tokens),
        "cost_markers": len(box.cost_markers),
        "element_cards": len(box.elements),
        "tower_upgrades": len(box.tower_upgrades),
        "secret_pacts": len(box.secret_pacts),
        "pacts": len(box.pacts),
        "omens": sum(omen.copies for omen in box.omens),
        "vengeance": len(box.vengeance),
        "round_cards": len(box.round_cards),
        "abilities": len(box.abilities),
        "masterboards": sum(each.copies for each in box.masterboards if each.side == "b"),
        "extra_workers_per_player": box.boards[0].extra_workers,
    }
    for name, number in found.items():
        if counts.number(name) != number:
            counts.fail(f"{name} = {counts.number(name)}, but the entries come to {number}", "equal numbers")
    for name in ("player_boards", "masterboards"):
        if counts.number(name) != MOST_SEATS:
            counts.fail(f"{name} = {counts.number(name)}", str(MOST_SEATS))
    for name in ("neutral_markers", "start_markers", "vp_markers_per_player"):
        counts.number(name, lo=1)


def load_box(data: Mapping[str, Any]) -> Box:
    """The Box from the parsed file. Raises ComponentError naming table, id, what was wrong and what is allowed."""
    file = _File(data)
    meta, counts = file.table("game"), file.table("counts")
    meta.text("id")
    meta.titles()
    if meta.numbers("players") != (2, 3, 4):
        meta.fail("other numbers of players", "players = [2, 3, 4]")
    resources = file.entries("resource")
    if file.ids["resource"] != RESOURCES:
        resources[0].fail(f"resources {file.ids['resource']}", ", ".join(RESOURCES))
    start_stock = file.table("start_stock")
    markers = file.entries("cost_marker", named=False)
    cost_markers = _all(markers, lambda entry: entry.one_of("kind", RESOURCES))
    file.entitle(
        "cost_marker", [{each: file.titles[each]["resource"][kind] for each in LANGUAGES} for kind in cost_markers]
    )
    slots = file.entries("hire_slot", named=False)
    hire_slots = dict(zip(file.ids["hire_slot"], _all(slots, _hire_price), strict=True))
    boards = {entry.id: entry for entry in file.entries("board")}
    if tuple(boards) != BOARDS:
        raise ComponentError(f"[[board]]: {', '.join(boards)}; allowed: {', '.join(BOARDS)}")
    printed_prices = file.table("tower_prices")
    tower_prices = tuple(printed_prices.number(slot) for slot in SLOTS)
    round_entries = file.entries("round_card")
    round_cards = _all(round_entries, _round_card)
    nothing = _cost_and_effects("", read_cost(Entry("", {})), ())
    none_at = (0,) * len(MAIN_PLACES)
    no_round_card = RoundCard("none", False, False, nothing, (), none_at, (False,) * len(MAIN_PLACES), 0, 0)
    pacts = _all(file.entries("pact"), _pact)
    box = Box(
        start_vp=meta.number("start_vp"),
        end_vp=meta.number("end_vp", lo=1),
        tokens=_all(resources, lambda entry: entry.number("tokens", hi=MOST_TOKENS)),
        start_stock=tuple(start_stock.number(kind) for kind in RESOURCES),
        cost_markers=cost_markers,
        elements=_all(file.entries("element_card"), _element_card),
        secret_pacts=_all(file.entries("secret_pact"), _secret_pact),
        pacts=pacts,
        pact_prices=tuple(
            tuple(tuple(sorted(pact.action.cost.tokens.pairs[own], key=lambda pair: -pair[1])) for pact in pacts)
            for own in range(len(RESOURCES))
        ),
        omens=_all(file.entries("omen"), _omen),
        vengeance=_all(file.entries("vengeance"), _vengeance),
        round_cards=round_cards,
        in_round=(*round_cards, no_round_card),
        tower_upgrades=_all(file.entries("tower_upgrade"), _tower_upgrade),
        tower_prices=tower_prices,
        masterboards=_all(file.entries("masterboard"), _masterboard),
        abilities=_all(file.entries("ability"), _ability),
        boards=_all(tuple(boards.values()), lambda entry: _board(entry, hire_slots, min(tower_prices))),
        upgrade_markers=counts.number("upgrade_markers_per_player"),
        loyal_workers=counts.number("loyal_workers_per_player"),
        special_workers=counts.number("special_workers_per_player", lo=1, hi=1),
        ids=file.ids,
        titles=file.titles,
    )
    names = {box.elements[card].element: card for card in range(len(box.elements))}
    for titles in file.titles.values():
        titles["element"] = tuple(titles["element_card"][names[element]] for element in range(len(ELEMENTS)))
    rows = [Entry("board.place", row) for row in data["board"][0]["place"]]
    file.entitle("place", [row.titles() for row in sorted(rows, key=lambda row: MAIN_PLACES.index(row.id))])
    _check_counts(counts, box)
    if all(card.chain for card in box.round_cards):
        round_entries[0].fail("every round card has a chain symbol", "at least one without")
    if sum(each.action.effects[0].verb == OCCUPIED_FIELD for each in box.abilities) > 1:
        raise ComponentError("[[ability]]: two abilities with 'occupied_field'; allowed: one")
    for entry in (meta, counts, start_stock, printed_prices):
        entry.done()
    file.done()
    return box
