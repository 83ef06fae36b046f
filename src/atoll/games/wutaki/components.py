"""The components of Wutaki: everything printed on boards and cards. No rules live here.

Effects are data, and the verbs are a closed list. The loader rejects an unknown verb, key, metric
or place and names the table and the id of the entry.
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

    Attributes:
        printed: Amounts of the five kinds.
        pairs: Amounts including `cost_marker`, by the kind on the owner's marker.
        cost_marker: Number of tokens of the kind on the owner's marker.
        any: Number of tokens of any kinds.
        total: Number of all tokens.
    """

    printed: Pairs
    pairs: tuple[Pairs, ...]
    cost_marker: int
    any: int
    total: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an action, which is paid before the effects.

    Attributes:
        tokens: Tokens to pay.
        omen: Number of omens to discard.
        vp: Points to lose.
        worker: Number of workers to give up.
        sacrificed: Whether tokens go to the maw instead of the supply.
        is_free: Whether there is nothing to pay.
        is_fixed: Whether there is nothing to pay except tokens of given kinds.
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
    """A verb with its parameters.

    Parameters that the verb doesn't have are 0, False or empty.

    Attributes:
        verb: Index of `VERBS`.
        source: Id of the entry that the effect is printed on.
        n: Number of times or things.
        tokens: Tokens to gain or lose; None for other verbs.
        discount: Number of tokens that a price is reduced by.
        free: Whether a price is dropped.
        bonus: Whether a slot's gold counts.
        own: Whether the card comes from the own stock instead of the display.
        relocate: Whether the worker may move in after a chase.
        vp: Points.
        per: Value of the metric that brings `vp`.
        metric: Index of `METRICS`.
        kind: Resource kind of a standard place; -1 for none.
        flag: Index of `FLAGS`.
        modifier: One of `MODIFIERS`.
        places: Places that are affected.
        options: Actions to choose from.
    """

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
"""The effect of an action without one."""


@dataclass(frozen=True, slots=True)
class Action:
    """A cost and the effects that follow it, from left to right.

    Attributes:
        source: Id of the entry that the action is printed on.
        cost: The cost.
        effects: The effects.
        first: The effect that must be possible.
    """

    source: str
    cost: Cost
    effects: tuple[Effect, ...]
    first: Effect


@dataclass(frozen=True, slots=True)
class ElementCard:
    """The element that a player controls.

    Attributes:
        element: Index of the element.
        anti: Index of the opposing element.
        bonus: Points per fulfilled pact of the element.
        malus: Points lost per pact of the opposing element.
    """

    element: int
    anti: int
    bonus: int
    malus: int


@dataclass(frozen=True, slots=True)
class SecretPact:
    """A secret aim.

    Attributes:
        vp: Points if the condition holds.
        condition: Whether the metric must be the highest, at least `n` or at most `n`.
        metric: Index of `METRICS`.
        n: Limit; 0 if the metric must be the highest.
    """

    vp: int
    condition: int
    metric: int
    n: int


@dataclass(frozen=True, slots=True)
class Pact:
    """A pact of an element.

    Attributes:
        element: Index of the element.
        action: The sacrifice and the reward.
    """

    element: int
    action: Action


@dataclass(frozen=True, slots=True)
class Omen:
    """An omen.

    Attributes:
        copies: Number of copies.
        permanent: Whether it stays on the table.
        flag: Index of the `FLAGS` entry that it sets.
        selfish: Whether its own cost or effects depend on the hand without it.
        action: Its cost and effects.
    """

    copies: int
    permanent: bool
    flag: int
    selfish: bool
    action: Action


@dataclass(frozen=True, slots=True)
class Vengeance:
    """A limit for a metric with a penalty.

    Attributes:
        metric: Index of `METRICS`.
        limit: The largest value without a penalty.
        penalty: Points lost above the limit.
    """

    metric: int
    limit: int
    penalty: int


@dataclass(frozen=True, slots=True)
class RoundCard:
    """A round card.

    Attributes:
        kind: "place", "modifier", "instant" or "none" (no card).
        chain: Whether it acts at once and another card follows.
        for_all: Whether an instant acts for every player instead of for the table.
        action: Its cost and effects.
        fields: Number of fields of a place, by number of seats.
        harvest: Additional tokens per main place.
        quiet: Per main place whether no vengeance card is drawn there.
        upgrade_discount: Gold that upgrades cost less.
        hire_discount: Tokens of the cost marker that workers cost less.
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
    """A card for a slot of the tower.

    Attributes:
        slot: `ELEMENT_SLOT` or `RESOURCE_SLOT`.
        element: Index of the element; -1 in the resource slot.
        anti: Index of the opposing element; -1 in the resource slot.
        bonus: Points per fulfilled pact of the element.
        malus: Points lost per pact of the opposing element.
        place: Place that yields more; -1 in the element slot.
        n: Number of additional tokens there.
    """

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

    Attributes:
        side: "a" or "b".
        copies: Number of boards with this face.
        recommended_from: Number of seats from which it is recommended.
        track: By number of seats the effects per space of the pact track, from space 0; empty
            without a track.
        own_place: Action of its place; None without one.
        fields: Number of fields of its place, by number of seats.
        multiplier: Multiplier by position of the marker.
        on_climb: Offer after each step up the pyramid; None without one.
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
    """A marker that can be used once a game.

    Attributes:
        when: Points of a turn at which it can be used.
        action: Its effect.
    """

    when: tuple[str, ...]
    action: Action


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the main board.

    Attributes:
        action: Its cost and effects.
        fields: Number of fields, by number of seats.
        kind: Resource kind that it yields; -1 for the village and all places that aren't standard.
        yields: Yield by level; empty if it isn't a standard place.
        bonus: Resource kinds for owners of upgrade markers; empty if it isn't a standard place.
    """

    action: Action
    fields: tuple[int, ...]
    kind: int
    yields: tuple[int, ...]
    bonus: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the pyramid.

    Attributes:
        room: Number of markers that it holds.
        vp: Points for reaching it.
        climb: Its price, and the extras after the climb.
    """

    room: int
    vp: int
    climb: Action


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """One side of the main board.

    It is equal to itself only, so that values derived from it can be cached by it.

    Attributes:
        slot_gold: Gold that each slot of the display brings, or costs if it is below 0.
        extra_workers: Number of extra workers of each seat.
        hire_prices: Tokens of the cost marker and gold, by number of extra workers in the tower;
            index 0 is the special worker.
        upgrade_prices: Gold for the first and the second upgrade of a place.
        lowest_upgrade_price: The lowest price of all upgrades of places and towers.
        counter_next: Next position of the pact counter, by number of seats and position.
        counter_event: Event by position; -1 for none.
        levels: Levels of the pyramid, from the lowest.
        places: The main places.
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
        """Return the positions of the pact counter in use, from the first on."""
        found, following = [0], self.counter_next[seats]
        while following[found[-1]] not in found:
            found.append(following[found[-1]])
        return found


@dataclass(frozen=True, slots=True)
class WutakiComponents:
    """The components of Wutaki.

    Lists of cards are in the order of their domain's indices.

    Attributes:
        start_vp: Points of each seat at the start.
        end_vp: Points that end the game.
        tokens: Number of tokens by kind.
        start_stock: Tokens of each seat at the start, by kind.
        cost_markers: Resource kind of each cost marker.
        elements: Element cards.
        secret_pacts: Secret pacts.
        pacts: Pacts.
        pact_prices: Tokens of given kinds that each pact costs, by the kind on the cost marker; the
            largest amount first, because it is the likeliest to be missing.
        omens: Omens.
        vengeance: Vengeance cards.
        round_cards: Round cards.
        in_round: Round cards by the current round card; the last entry (index -1) is a card without
            effect.
        tower_upgrades: Tower upgrades.
        tower_prices: Gold for a tower upgrade, by slot.
        masterboards: Faces of masterboards.
        abilities: Abilities.
        boards: Sides of the main board.
        upgrade_markers: Number of upgrade markers of each seat.
        loyal_workers: Number of loyal workers of each seat.
        special_workers: Number of special workers of each seat.
        ids: Ids by domain.
        titles: Names for people, by language and domain.
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
