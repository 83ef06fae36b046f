"""The Box of Wutaki: everything printed on boards and cards, read from `components.toml`. No rules live here.

Effects are data. The verbs are a closed list; a verb, key, metric or place that the list doesn't know is refused when
the file is read, with the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from atoll.engine.components import At, Entry, Named, Part, Table, Text, in_order, read, titles

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
Verb = Literal[
    "vp", "gain", "lose", "draw_omen", "play_omen", "draw_vengeance", "return_vengeance", "gift_vengeance",
    "draw_secret_pact", "hire", "accept_pact", "gift_pact", "discard_pact", "renew_pacts", "fulfil_pact", "upgrade",
    "replace_upgrade", "remove_upgrade", "climb", "chase", "plunder", "raid", "take_resources", "take_omen",
    "recall_worker", "claim_start", "trade", "raise_multiplier", "choose", "empty_maw", "yield", "modifier",
    "end_vp", "flag", "repeat_action", "occupied_field", "burn_omens",
]
VERBS: Final[tuple[str, ...]] = get_args(Verb)
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
Condition = Literal["most", "at_least", "at_most"]
CONDITIONS: Final[tuple[str, ...]] = get_args(Condition)

ELEMENT_SLOT, RESOURCE_SLOT = range(2)
Slot = Literal["element", "resource"]

ALL_DRAW_OMEN, UPKEEP = range(2)
CounterEvent = Literal["all_draw_omen", "upkeep"]
COUNTER_EVENTS: Final[tuple[str, ...]] = get_args(CounterEvent)

BOARDS: Final = ("standard", "extreme")
MOST_LEVELS: Final = 4
MOST_POSITIONS: Final = 8
MOST_TRACK: Final = 68
Modifier = Literal["yield", "no_vengeance", "upgrade_discount", "hire_discount"]
MODIFIERS: Final[tuple[str, ...]] = get_args(Modifier)
TurnPoint = Literal["T0", "T1", "T3", "T4"]

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

    track: by number of seats the effects per space of the pact track, space 0 first; empty without a track. own_place:
    its place's action. multiplier: by position of the marker. on_climb: the option after each step up the pyramid.
    """

    side: str
    copies: int
    recommended_from: int
    track: tuple[tuple[tuple[Effect, ...], ...], ...]
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

    def counter_positions(self, seats: int) -> list[int]:
        """The positions of the pact counter in use, from the first on."""
        found, following = [0], self.counter_next[seats]
        while following[found[-1]] not in found:
            found.append(following[found[-1]])
        return found


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


# -- the file --------------------------------------------------------------------------------------------------------

_Amount = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]
_Points = Annotated[int, Meta(ge=0, le=99)]
_Seats = Annotated[int, Meta(ge=2, le=MOST_SEATS)]
_Fields = Annotated[list[_Seats], Meta(min_length=1, max_length=MOST_FIELDS)]
_Yield = Annotated[int, Meta(ge=1, le=MOST_TOKENS)]
_Resource = Literal["gold", "sheep", "wood", "oil", "stone"]
_Element = Literal["fire", "water", "earth", "wind"]


class _Tokens(Part):
    gold: _Amount = 0
    sheep: _Amount = 0
    wood: _Amount = 0
    oil: _Amount = 0
    stone: _Amount = 0
    any: _Amount = 0
    cost_marker: _Amount = 0


class _Cost(_Tokens):
    omen: _Points = 0
    vp: _Points = 0
    worker: _Points = 0


class _Effect(Part):
    """A verb and all keys that some verb has; which verb has which is in `PARAMETERS`."""

    do: Verb
    n: _Points | None = None
    vp: _Points | None = None
    per: Annotated[int, Meta(ge=1, le=99)] | None = None
    max: Annotated[int, Meta(ge=1, le=20)] | None = None
    discount: _Amount | None = None
    free: bool | None = None
    bonus: bool | None = None
    relocate: bool | None = None
    source: Literal["display", "own"] | None = msgspec.field(name="from", default=None)
    metric: str | None = None
    id: Literal["protected_workers", "free_upkeep"] | None = None
    kind: Modifier | None = None
    places: list[str] | None = None
    options: Annotated[list[_Option], Meta(min_length=1, max_length=MOST_OPTIONS)] | None = None
    gold: _Amount | None = None
    sheep: _Amount | None = None
    wood: _Amount | None = None
    oil: _Amount | None = None
    stone: _Amount | None = None
    any: _Amount | None = None
    cost_marker: _Amount | None = None


_Effects = Annotated[list[_Effect], Meta(min_length=1)]


class _Option(Part):
    effects: _Effects
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _Game(Table):
    id: Literal["wutaki"]
    name: Text
    players: tuple[Literal[2], Literal[3], Literal[4]]
    start_vp: Annotated[int, Meta(ge=0, le=500)]
    end_vp: Annotated[int, Meta(ge=1, le=500)]


class _Counts(Part):
    resource_tokens: int
    cost_markers: int
    element_cards: int
    tower_upgrades: int
    secret_pacts: int
    pacts: int
    omens: int
    vengeance: int
    round_cards: int
    abilities: int
    masterboards: Literal[4]
    player_boards: Literal[4]
    neutral_markers: _Amount
    start_markers: Literal[1]
    loyal_workers_per_player: Annotated[int, Meta(ge=1, le=4)]
    extra_workers_per_player: Annotated[int, Meta(ge=0, le=4)]
    special_workers_per_player: Literal[1]
    upgrade_markers_per_player: Annotated[int, Meta(ge=0, le=6)]
    vp_markers_per_player: Literal[1]


class _Stock(Part):
    gold: _Amount
    sheep: _Amount
    wood: _Amount
    oil: _Amount
    stone: _Amount


class _ResourceKind(Named):
    tokens: _Amount


class _CostMarker(Entry):
    kind: _Resource


class _ElementCard(Named):
    element: _Element
    anti: _Element
    bonus: _Points
    malus: _Points


class _Card(Named, kw_only=True):
    """A card with a text, which is for designers: what is shown is told from the effects."""

    text: Text | None = None


class _Condition(Part):
    type: Condition
    metric: str
    n: _Points | None = None


class _SecretPact(_Card):
    vp: _Points
    condition: _Condition


class _Pact(_Card):
    element: _Element
    sacrifice: _Cost
    reward: list[_Effect]


class _Omen(_Card):
    kind: Literal["once", "permanent"]
    effects: _Effects
    copies: Annotated[int, Meta(ge=1, le=45)] = 1
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _Vengeance(_Card):
    metric: str
    limit: _Points
    penalty: _Points


class _RoundCard(_Card):
    type: Literal["place", "modifier", "instant"]
    chain: bool
    effects: _Effects
    fields: _Fields | None = None
    who: Literal["all", "table"] | None = None
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _TowerPrices(Part):
    element: _Amount
    resource: _Amount


class _ElementUpgrade(_Card, tag="element", tag_field="slot"):
    element: _Element
    anti: _Element
    bonus: _Points
    malus: _Points


class _ResourceUpgrade(_Card, tag="resource", tag_field="slot"):
    kind: _Resource
    place: str
    n: _Points


class _Step(Part):
    at: Annotated[int, Meta(ge=1, le=MOST_TRACK)]
    effects: _Effects
    players: Annotated[tuple[_Seats, ...], Meta(min_length=1)] = tuple(range(2, MOST_SEATS + 1))


class _OwnPlace(Part):
    id: str
    fields: _Fields
    effects: _Effects
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _OnClimb(Part):
    effects: _Effects
    optional: bool
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _Masterboard(_Card):
    side: Literal["a", "b"]
    copies: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    recommended_from: _Seats = 2
    last_space: Annotated[int, Meta(ge=1, le=MOST_TRACK)] | None = None
    pact_track: list[_Step] | None = None
    place: _OwnPlace | None = None
    multiplier: Annotated[tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=1, max_length=9)] = (1,)
    on_climb: _OnClimb | None = None


class _Ability(_Card):
    when: list[TurnPoint]
    effects: tuple[_Effect]


class _HirePrice(Part):
    cost_marker: _Amount = 0
    gold: _Amount = 0


class _HireSlot(Entry):
    pay: _HirePrice


class _Level(Table):
    level: int
    room: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    vp: _Points
    extras: list[_Effect]
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


class _CounterEvent(Table):
    id: CounterEvent
    position: Annotated[int, Meta(ge=0, lt=MOST_POSITIONS)]
    text: Text | None = None


class _Place(Named):
    fields: _Fields
    effects: _Effects
    standard: bool = False
    kind: Literal["gold", "sheep", "wood", "oil", "stone", "hire"] | None = None
    yields: tuple[_Yield, _Yield, _Yield] | None = None
    marker_bonus: list[_Resource] | None = None
    pay: _Cost | None = None
    sacrifice: _Cost | None = None


_SlotGold = Annotated[int, Meta(ge=-9, le=9)]


class _Board(Named):
    slot_gold: tuple[_SlotGold, _SlotGold, _SlotGold, _SlotGold]
    extra_workers: int
    hire_slots: list[str]
    place_upgrade_prices: tuple[_Amount, _Amount]
    pact_counter_min_players: Annotated[list[_Seats], Meta(min_length=1, max_length=MOST_POSITIONS)]
    pyramid_level: Annotated[list[_Level], Meta(min_length=1, max_length=MOST_LEVELS)]
    counter_event: list[_CounterEvent]
    place: list[_Place]


class _File(Part):
    game: _Game
    counts: _Counts
    resource: list[_ResourceKind]
    start_stock: _Stock
    cost_marker: list[_CostMarker]
    element_card: list[_ElementCard]
    secret_pact: Annotated[list[_SecretPact], Meta(min_length=1, max_length=20)]
    pact: Annotated[list[_Pact], Meta(min_length=1, max_length=68)]
    omen: Annotated[list[_Omen], Meta(min_length=1, max_length=45)]
    vengeance: Annotated[list[_Vengeance], Meta(min_length=1, max_length=19)]
    round_card: Annotated[list[_RoundCard], Meta(min_length=1, max_length=20)]
    tower_prices: _TowerPrices
    tower_upgrade: Annotated[list[_ElementUpgrade | _ResourceUpgrade], Meta(min_length=1, max_length=9)]
    masterboard: Annotated[list[_Masterboard], Meta(min_length=1, max_length=5)]
    ability: Annotated[list[_Ability], Meta(min_length=1, max_length=6)]
    hire_slot: Annotated[list[_HireSlot], Meta(min_length=1)]
    board: list[_Board]


# -- costs and effects -----------------------------------------------------------------------------------------------


def _pairs(amounts: Sequence[int]) -> Pairs:
    return tuple((kind, n) for kind, n in enumerate(amounts) if n)


def _tokens(given: Mapping[str, int]) -> Tokens:
    fixed = [given.get(kind) or 0 for kind in RESOURCES]
    marker, any_kind = given.get("cost_marker") or 0, given.get("any") or 0
    by_marker = tuple(
        _pairs([n + (marker if kind == own else 0) for kind, n in enumerate(fixed)]) for own in range(len(RESOURCES))
    )
    return Tokens(_pairs(fixed), by_marker, marker, any_kind, sum(fixed) + marker + any_kind)


def _cost(at: At, pay: _Cost | None, sacrifice: _Cost | None) -> Cost:
    at.need(pay is None or sacrifice is None, "both pay and sacrifice", "one of them")
    cost = sacrifice or pay or _Cost()
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
"""Where a verb may stand, if not everywhere that effects stand."""
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
"""The keys that a verb needs, and those that may be left out, of the verbs that have some."""


def _effect(at: At, effect: _Effect, home: str) -> Effect:
    """One effect, in a home where its verb may stand and with exactly the keys that the verb has."""
    verb = VERBS.index(effect.do)
    homes = _HOMES.get(verb, (home,))
    at.need(home in homes, f"verb {effect.do!r} in a {home}", " or ".join(homes))
    if home == "table instant":
        at.need(verb in _TABLE_VERBS, f"verb {effect.do!r} without a player", ", ".join(VERBS[v] for v in _TABLE_VERBS))
    needed, optional = PARAMETERS.get(verb, ((), ()))
    given = dict(zip(effect.__struct_encode_fields__, msgspec.structs.astuple(effect), strict=True))
    del given["do"]
    for key, value in given.items():
        allowed = ", ".join((*needed, *optional)) or "nothing besides"
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
            _action(at, home, option.effects, option.pay, option.sacrifice) for option in effect.options or ()
        ),
    )


def _affected(at: At, effect: _Effect) -> tuple[int, ...]:
    """The places that a modifier changes."""
    allowed = {"yield": STANDARD_PLACES[:-1], "no_vengeance": ("plunder", "chase")}.get(effect.kind or "", ())
    return tuple(
        MAIN_PLACES.index(allowed[at.one_of(f"places of {effect.kind}", each, allowed)]) for each in effect.places or ()
    )


def _effects(at: At, effects: Sequence[_Effect], home: str) -> tuple[Effect, ...]:
    return tuple(_effect(at, each, home) for each in effects)


def _action(
    at: At, home: str, effects: Sequence[_Effect], pay: _Cost | None = None, sacrifice: _Cost | None = None
) -> Action:
    found = _effects(at, effects, home)
    first = found[0] if found else NO_EFFECT
    return Action(at.card, _cost(at, pay, sacrifice), found, first, any(effect.relocate for effect in found))


# -- the cards -------------------------------------------------------------------------------------------------------


def _by_seats(minimum: Sequence[int]) -> tuple[int, ...]:
    """How many of the things with these minimum numbers of seats are in use, by number of seats."""
    return tuple(sum(each <= seats for each in minimum) for seats in range(MOST_SEATS + 1))


def _element_card(at: At, card: _ElementCard | _ElementUpgrade) -> tuple[int, int, int, int]:
    at.need(card.element != card.anti, f"anti is {card.anti!r}", "another element")
    return ELEMENTS.index(card.element), ELEMENTS.index(card.anti), card.bonus, card.malus


def _secret_pact(at: At, card: _SecretPact) -> SecretPact:
    kind, n = CONDITIONS.index(card.condition.type), card.condition.n
    at.need((n is None) == (kind == MOST), f"condition {card.condition.type} with n = {n}", "n, but not with most")
    return SecretPact(card.vp, kind, at.one_of("metric", card.condition.metric, METRICS), n or 0)


def _pact(at: At, card: _Pact) -> Pact:
    action = _action(at, "pact", card.reward, None, card.sacrifice)
    at.need(not (action.cost.vp or action.cost.worker), "a cost of vp or worker", "tokens and omens")
    return Pact(ELEMENTS.index(card.element), action)


def _omen(at: At, card: _Omen) -> Omen:
    permanent = card.kind == "permanent"
    action = _action(at, "permanent omen" if permanent else "omen", card.effects, card.pay, card.sacrifice)
    alone = len(action.effects) == 1 and action.first.verb in (END_VP, FLAG)
    at.need(alone or not permanent, "a permanent omen with other effects", "one end_vp or one flag")
    selfish = bool(action.cost.omen) or any(each.verb in (PLAY_OMEN, CHOOSE, FULFIL_PACT) for each in action.effects)
    return Omen(card.copies, permanent, action.first.flag, selfish, action)


def _round_card(at: At, card: _RoundCard) -> RoundCard:
    instant = card.type == "instant"
    at.need(card.chain == instant, f"chain is {card.chain}", f"{str(instant).lower()}, as type is {card.type}")
    at.need((card.who is not None) == instant, f"who is {card.who!r}", "all or table, in instants only")
    is_place = card.type == "place"
    at.need((card.fields is not None) == is_place, f"fields is {card.fields}", "a list, in places only")
    homes = {"place": "place of a card", "modifier": "modifier", "instant": f"{card.who} instant".removeprefix("all ")}
    action = _action(at, homes[card.type], card.effects, card.pay, card.sacrifice)
    at.need(action.cost.is_free or is_place, "a cost", "costs in places only")
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
        card.type,
        card.chain,
        card.who == "all",
        action,
        _by_seats(card.fields) if card.fields is not None else (),
        tuple(harvest),
        tuple(quiet),
        discounts["upgrade"],
        discounts["hire"],
    )


def _tower_upgrade(at: At, card: _ElementUpgrade | _ResourceUpgrade) -> TowerUpgrade:
    if isinstance(card, _ElementUpgrade):
        return TowerUpgrade(ELEMENT_SLOT, *_element_card(at, card), -1, 0)
    place = MAIN_PLACES.index(STANDARD_PLACES[at.one_of("place", card.place, STANDARD_PLACES[:-1])])
    return TowerUpgrade(RESOURCE_SLOT, -1, -1, 0, 0, place, card.n)


def _masterboard(at: At, card: _Masterboard) -> Masterboard:
    both = (card.pact_track is None) == (card.last_space is None)
    at.need(both, f"last_space is {card.last_space}", "a number with pact_track, nothing without")
    spaces = card.last_space + 1 if card.last_space else 0
    track: list[list[tuple[Effect, ...]]] = [[()] * spaces for _ in range(MOST_SEATS + 1)]
    for step in card.pact_track or ():
        at.need(step.at < spaces, f"at is {step.at}", f"up to last_space, {spaces - 1}")
        for seats in step.players:
            at.need(not track[seats][step.at], f"at is {step.at} twice for {seats} players", "each space once")
            track[seats][step.at] = _effects(at, step.effects, "pact track")
    own_place, fields, on_climb = None, (0,) * (MOST_SEATS + 1), None
    if card.place is not None:
        place = card.place
        own_place = _action(At("masterboard", place.id), "own place", place.effects, place.pay, place.sacrifice)
        fields = _by_seats(place.fields)
    if card.on_climb is not None:
        climb = card.on_climb
        at.need(climb.optional, "optional is False", "true")
        on_climb = _action(at, "climb", climb.effects, climb.pay, climb.sacrifice)
    return Masterboard(
        card.side,
        card.copies,
        card.recommended_from,
        tuple(map(tuple, track)),
        own_place,
        fields,
        card.multiplier,
        on_climb,
    )


def _ability(at: At, card: _Ability) -> Ability:
    action = _action(at, "ability", card.effects)
    needed = {REPEAT_ACTION: ["T3"], OCCUPIED_FIELD: ["T1"]}.get(action.first.verb)
    right = card.when == needed if needed else bool(card.when) and set(card.when) <= {"T0", "T4"}
    at.need(right, f"when is {card.when}", ", ".join(needed or ("T0", "T4")))
    return Ability(tuple(card.when), action)


def _place(at: At, place: _Place) -> Place:
    action = _action(at, "standard place" if place.standard else "place", place.effects, place.pay, place.sacrifice)
    standard = place.id in STANDARD_PLACES
    at.need(place.standard == standard, f"standard is {place.standard}", str(standard).lower())
    kind, yields, bonus = place.kind, place.yields, place.marker_bonus
    if kind is None or yields is None or bonus is None:
        at.need(not standard, "a standard place without kind, yields or marker_bonus", "all of them")
        at.need(not (kind or yields or bonus), "kind, yields or marker_bonus", "them in standard places only")
        return Place(action, _by_seats(place.fields), -1, (), ())
    at.need(standard, "kind, yields and marker_bonus", "them in standard places only")
    index = RESOURCES.index(kind) if kind != "hire" else -1
    at.need((index == -1) == (place.id == "village"), f"kind is {kind!r}", "hire in the village, a resource elsewhere")
    effects = tuple(replace(effect, kind=index) for effect in action.effects)
    bonuses = tuple(RESOURCES.index(each) for each in bonus)
    return Place(replace(action, effects=effects, first=effects[0]), _by_seats(place.fields), index, yields, bonuses)


def _level(at: At, number: int, level: _Level) -> Level:
    at.need(level.level == number, f"level is {level.level}", number)
    climb = _action(at, "pyramid", level.extras, level.pay, level.sacrifice)
    at.need(not (climb.cost.omen or climb.cost.vp or climb.cost.worker), "a cost of other things", "tokens")
    return Level(level.room, level.vp, climb)


def _board(at: At, board: _Board, hire_slots: Mapping[str, tuple[int, int]], lowest_tower_price: int) -> Board:
    workers, slots, places = board.extra_workers, board.hire_slots, f"board.{board.id}.place"
    at.need(len(slots) == workers, f"{len(slots)} hire_slots for {workers} extra_workers", "one for each")
    for slot in (*slots, "special"):
        at.one_of("hire_slots", slot, tuple(hire_slots))
    minimum = board.pact_counter_min_players
    at.need(minimum[0] == 2, f"pact_counter_min_players begins with {minimum[0]}", "2")
    counter_next = []
    for seats in range(MOST_SEATS + 1):
        used = [position for position, least in enumerate(minimum) if least <= seats] or [0]
        counter_next.append(tuple(min((u for u in used if u > p), default=used[0]) for p in range(len(minimum))))
    events = [-1] * len(minimum)
    for event in board.counter_event:
        at.need(event.position < len(minimum), f"position is {event.position}", f"up to {len(minimum) - 1}")
        at.need(events[event.position] < 0, f"position {event.position} stands twice", "each once")
        events[event.position] = COUNTER_EVENTS.index(event.id)
    return Board(
        board.slot_gold,
        workers,
        tuple(hire_slots[slot] for slot in ("special", *reversed(slots))),
        board.place_upgrade_prices,
        min(*board.place_upgrade_prices, lowest_tower_price),
        tuple(counter_next),
        tuple(events),
        tuple(
            _level(At("board", f"{board.id} level {number}"), number, level)
            for number, level in enumerate(board.pyramid_level, 1)
        ),
        _all(places, in_order(places, board.place, MAIN_PLACES), _place),
    )


def _all(table: str, cards: Sequence[Any], make: Callable[[At, Any], Any]) -> tuple[Any, ...]:
    return tuple(make(At(table, card.id), card) for card in cards)


def _check_counts(file: _File, box: Box) -> None:
    """The totals of the rulebook are binding; the table has room for no more, and a game needs so many."""
    at = At("counts")
    for key, number, least, most in (
        ("resource_tokens", sum(box.tokens), 0, MOST_TOKENS * len(RESOURCES)),
        ("cost_markers", len(box.cost_markers), MOST_SEATS, MOST_SEATS),
        ("element_cards", len(box.elements), MOST_SEATS, MOST_SEATS),
        ("tower_upgrades", len(box.tower_upgrades), 1, 9),
        ("secret_pacts", len(box.secret_pacts), 2 * MOST_SEATS, 20),
        ("pacts", len(box.pacts), 4 * MOST_SEATS, 68),
        ("omens", sum(omen.copies for omen in box.omens), MOST_SEATS, 45),
        ("vengeance", len(box.vengeance), 1, 19),
        ("round_cards", len(box.round_cards), 1, 20),
        ("abilities", len(box.abilities), MOST_SEATS, 6),
        ("masterboards", sum(each.copies for each in box.masterboards if each.side == "b"), MOST_SEATS, MOST_SEATS),
        ("masterboards", sum(each.copies for each in box.masterboards if each.side == "a"), MOST_SEATS, MOST_SEATS),
        ("extra_workers_per_player", box.boards[0].extra_workers, 0, MOST_SEATS),
    ):
        stated = getattr(file.counts, key)
        at.need(stated == number, f"{key} is {stated}", f"{number}, as there are entries")
        at.need(least <= number <= most, f"{key} is {stated}", f"{least} to {most}")
    for kind, tokens, stock in zip(RESOURCES, box.tokens, box.start_stock, strict=True):
        needed = MOST_SEATS * stock
        At("resource", kind).need(tokens >= needed, f"tokens is {tokens}", f"at least {needed}, the start needs them")
    At("round_card").need(any(not card.chain for card in box.round_cards), "chain is true on all", "one without")
    crowding = sum(each.action.first.verb == OCCUPIED_FIELD for each in box.abilities)
    At("ability").need(crowding <= 1, f"{crowding} abilities with occupied_field", "one")


def load_box(data: Mapping[str, Any]) -> Box:
    """The Box from parsed component data. Raises ComponentError."""
    file = read(data, _File)
    resources, counts = in_order("resource", file.resource, RESOURCES), file.counts
    boards = in_order("board", file.board, BOARDS)
    hire_slots = {slot.id: (slot.pay.cost_marker, slot.pay.gold) for slot in file.hire_slot}
    tower_prices = (file.tower_prices.element, file.tower_prices.resource)
    round_cards = _all("round_card", file.round_card, _round_card)
    nothing = Action("", _cost(At(""), None, None), (), NO_EFFECT, False)
    none_at = (0,) * len(MAIN_PLACES)
    no_round_card = RoundCard("none", False, False, nothing, (), none_at, (False,) * len(MAIN_PLACES), 0, 0)
    pacts = _all("pact", file.pact, _pact)
    elements = tuple(ElementCard(*_element_card(At("element_card", card.id), card)) for card in file.element_card)
    controlled = [element.element for element in elements]
    right = sorted(controlled) == list(range(len(ELEMENTS)))
    At("element_card").need(right, "an element twice or missing", "one card for each element")
    lists: dict[str, Sequence[Entry]] = {
        "resource": resources,
        "cost_marker": file.cost_marker,
        "board": boards,
        "round_card": file.round_card,
        "pact": file.pact,
        "element_card": file.element_card,
        "secret_pact": file.secret_pact,
        "omen": file.omen,
        "vengeance": file.vengeance,
        "tower_upgrade": file.tower_upgrade,
        "masterboard": file.masterboard,
        "ability": file.ability,
    }
    named = {table: [each for each in entries if isinstance(each, Named)] for table, entries in lists.items()}
    box = Box(
        start_vp=file.game.start_vp,
        end_vp=file.game.end_vp,
        tokens=tuple(resource.tokens for resource in resources),
        start_stock=tuple(getattr(file.start_stock, kind) for kind in RESOURCES),
        cost_markers=tuple(RESOURCES.index(marker.kind) for marker in file.cost_marker),
        elements=elements,
        secret_pacts=_all("secret_pact", file.secret_pact, _secret_pact),
        pacts=pacts,
        pact_prices=tuple(
            tuple(tuple(sorted(pact.action.cost.tokens.pairs[own], key=lambda pair: -pair[1])) for pact in pacts)
            for own in range(len(RESOURCES))
        ),
        omens=_all("omen", file.omen, _omen),
        vengeance=tuple(
            Vengeance(At("vengeance", card.id).one_of("metric", card.metric, METRICS), card.limit, card.penalty)
            for card in file.vengeance
        ),
        round_cards=round_cards,
        in_round=(*round_cards, no_round_card),
        tower_upgrades=_all("tower_upgrade", file.tower_upgrade, _tower_upgrade),
        tower_prices=tower_prices,
        masterboards=_all("masterboard", file.masterboard, _masterboard),
        abilities=_all("ability", file.ability, _ability),
        boards=_all("board", boards, lambda at, board: _board(at, board, hire_slots, min(tower_prices))),
        upgrade_markers=counts.upgrade_markers_per_player,
        loyal_workers=counts.loyal_workers_per_player,
        special_workers=counts.special_workers_per_player,
        ids={table: tuple(entry.id for entry in entries) for table, entries in lists.items()},
        titles=titles(
            **named
            | {
                "cost_marker": [resources[RESOURCES.index(marker.kind)] for marker in file.cost_marker],
                "element": [file.element_card[controlled.index(element)] for element in range(len(ELEMENTS))],
                "place": in_order("board", boards[0].place, MAIN_PLACES),
            }
        ),
    )
    _check_counts(file, box)
    return box
