"""The Box of Wutaki: everything printed on boards and cards, read from `components.toml`. No rules live here.

Effects are data. The verbs are a closed list; a verb, key, metric or place that the list doesn't know is refused when
the file is read, with the table and the id of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from .kinds import (
    ELEMENTS,
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

    first: the one that must be possible.
    """

    source: str
    cost: Cost
    effects: tuple[Effect, ...]
    first: Effect


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
class WutakiComponents:
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
