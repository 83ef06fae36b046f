"""The flow of Atlandice, in the order of its RULES.md.

Rule ids such as AL-3.2 and rulings such as R6 are those of RULES.md.
This module has the beginning of a round and a player's turn.
Its parts are in search.py, tile_effects.py, districts.py and clock.py.
Majorities are in scoring.py, the effects of tiles as data in effects.py.
Nothing is secret or simultaneous.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from atoll.engine import Choose, Draw, Flow, Game, JsonMapping, JsonObject, Options, Rival, ScoreLine, find_start_player

from . import scoring
from .clock import donate, end_game, turn_the_clock
from .component_loader import load_components
from .components import SEAT_COUNTS, AtlandiceComponents
from .districts import EMPTY, settle, turn_up
from .kinds import ABOUTS, DECLINE, DISTRICTS, FACES, KINDS, OPEN, PROMPTS, RESOURCE, SEARCH, STACK, START, VOCABULARY
from .options import OPTIONS
from .reasons import EXPLAINERS
from .search import ALL_AREAS, ALL_SEARCHES, ROLL, search_question, take_die
from .state import DONATE_RESOURCES, FACE_DOWN, NOBODY, OPEN_GATES, PREPARE, SEARCH_AREAS, USED_UP, AtlandiceState
from .tile_effects import search

SEARCHED: Final = dict(zip(ALL_SEARCHES, 2 * ALL_AREAS, strict=True))
"""Per choice of a search, its area. A table is faster, and every search needs it."""

ALL_USED_UP: Final = [USED_UP] * DISTRICTS


class Atlandice(Game[AtlandiceState, AtlandiceComponents]):
    """Atlandice by Scott Huntington and Shaun Graham."""

    id = "atlandice"
    rules_version = 1
    seat_counts: tuple[int, ...] = SEAT_COUNTS
    options = OPTIONS
    max_answers = 1500
    longest_games: ClassVar[Mapping[int, int]] = {2: 370, 3: 400, 4: 550}
    vocabulary = VOCABULARY
    prompts = PROMPTS
    passing_kinds = (DECLINE,)
    placeholders = ABOUTS
    state_type = AtlandiceState
    explainers = EXPLAINERS
    derived_view_is_public = True

    def load_components(self, data: JsonMapping) -> AtlandiceComponents:
        """Return the components described by parsed component data."""
        return load_components(data)

    def names(self, components: AtlandiceComponents) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of the tiles."""
        return {"tile": components.tiles}

    def extra_sources(self, components: AtlandiceComponents) -> tuple[str, ...]:
        """Return the submarine, which can ask for a choice too."""
        return ("submarine",)

    def titles(self, components: AtlandiceComponents, language: str) -> Mapping[str, tuple[str, ...]]:
        """Return the names of resources, areas and tiles in a language."""
        return components.titles[language]

    def text_values(self, components: AtlandiceComponents) -> Mapping[str, int | str]:
        """Return the numbers of the components that messages mention."""
        names = ("tile_points", "first", "second", "refill", "inventory", "donation_cost", "donation_points")
        return {
            **{name: getattr(components, name) for name in (*names, "final_first", "final_second")},
            "picks_of_two": components.allotment[2].picks,
        }

    def rule_facts(self, components: AtlandiceComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return the numbers of the setup that the rules page mentions.

        Args:
            components: The components.
            seats: Number of players.
            options: All options of the table.
        """
        allotment = components.allotment[seats]
        return {
            "dice": allotment.dice,
            "stock": allotment.stock,
            "picks": allotment.picks,
            "market": components.market,
            "market_hands": components.market_hands,
            "area": components.submarine,
        }

    def setup(self, components: AtlandiceComponents, options: Options, seats: int) -> AtlandiceState:
        """Return a state with resources, dice, submarine and clock; the rest follows in `prepare`.

        Rules AL-2.1 and AL-2.2.

        Args:
            components: The components.
            options: All options of the table.
            seats: Number of players.
        """
        allotment = components.allotment[seats]
        holders = seats + allotment.neutral
        stock = [[allotment.stock if kind == area else 0 for kind in range(KINDS)] for area in range(DISTRICTS)]
        return AtlandiceState(
            seats=seats,
            over=False,
            phase=PREPARE,
            round=1,
            start_player=0,
            active=0,
            turn=0,
            recipient=NOBODY,
            here=NOBODY,
            dice=[0] * FACES,
            taken=[0] * holders,
            handed=[False] * seats,
            stock=[*stock, [components.market] * KINDS],
            holds=[[0] * KINDS for _ in range(holders)],
            out=[count - allotment.stock - components.market for count in components.resources],
            open_tile=[FACE_DOWN] * DISTRICTS,
            below=[list(range(district * STACK, (district + 1) * STACK)) for district in range(DISTRICTS)],
            stocked=[True] * DISTRICTS,
            submarine=components.submarine,
            clock=0,
            won=[[] for _ in range(holders)],
            lost=[],
            ties=[[0] * KINDS for _ in range(holders)],
            seconds=[[0] * KINDS for _ in range(holders)],
            inventories=[[0] * (KINDS + 1) for _ in range(holders)],
            donations=[0] * holders,
        )

    def play(self, s: AtlandiceState) -> Flow:
        """Run one segment: the preparation, the roll of a round, a player's die, or a donation."""
        if s.phase == SEARCH_AREAS:
            return search_areas(s)
        if s.phase == OPEN_GATES:
            return open_gates(s)
        if s.phase == DONATE_RESOURCES:
            return donate(s)
        return prepare(s)

    def scores(self, s: AtlandiceState) -> list[int]:
        """Return the points of each seat, without the neutral player. Rule AL-7.3, ruling R38."""
        return scoring.scores(s)[: s.seats]

    def explain(self, s: AtlandiceState) -> list[list[ScoreLine]]:
        """Return the score lines of each seat."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def rivals(self, s: AtlandiceState) -> list[Rival]:
        """Return the neutral player, if there is one. Rule AL-8.1."""
        return [Rival("neutral", scoring.explain(s, holder)) for holder in range(s.seats, len(s.holds))]

    def derived_view(self, s: AtlandiceState, viewer: int | None) -> JsonObject:
        """Return the facts of `scoring.live`."""
        return scoring.live(s)

    def component_counts(self, s: AtlandiceState) -> dict[str, int]:
        """Count resources of each kind, tiles and, between rolls, dice."""
        found = {
            name: s.out[kind] + sum(area[kind] for area in s.stock) + sum(hold[kind] for hold in s.holds)
            for kind, name in enumerate(RESOURCE.names)
        }
        found["tiles"] = sum(tile >= 0 for tile in s.open_tile) + sum(map(len, s.below)) + sum(map(len, s.won))
        found["tiles"] += len(s.lost)
        rolled = sum(s.dice) + sum(s.taken)
        found["dice"] = rolled if s.phase in (SEARCH_AREAS, DONATE_RESOURCES) else s.components.allotment[s.seats].dice
        return found


def prepare(s: AtlandiceState) -> Flow:
    """Draw the start player and turn up the top tile of each district.

    Rules AL-1.4 and AL-2.2, ruling R3.
    """
    s.start_player = yield from find_start_player(s, START)
    s.emit("start", seat=s.start_player)
    for district in range(DISTRICTS):
        tile: int = yield Draw(OPEN, s.below[district])
        turn_up(s, district, tile)
    s.phase = OPEN_GATES


def open_gates(s: AtlandiceState) -> Flow:
    """Roll all dice. Each opens the area of its number.

    A 6, or the number of a district that is used up, opens the black market.
    Rules AL-3.1 and AL-3.2.
    """
    for _ in range(s.components.allotment[s.seats].dice):
        face: int = yield ROLL
        s.dice[face] += 1
    if s.events is not None:
        s.emit("gates", round=s.round, pips=[face for face, count in enumerate(s.dice) for _ in range(count)])
    s.active = s.start_player
    s.phase = SEARCH_AREAS


def search_areas(s: AtlandiceState) -> Flow:
    """Let the active player search an area. Rules AL-3.1, AL-3.3 and AL-7.1, ruling R28."""
    seat = s.active
    prompt, options = search_question(s)
    choice: int = yield Choose(seat, prompt, options, rule="search", public=True)
    area = SEARCHED[choice]
    if choice < SEARCH.end:
        s.recipient = seat
    else:
        s.recipient = s.seats
        s.handed[seat] = True
    take_die(s, area)
    yield from search(s, area)
    if EMPTY in s.stock:
        yield from settle(s, area)
    s.here = s.recipient = NOBODY
    if s.open_tile == ALL_USED_UP:
        end_game(s, "end_sunk")  # R28
        return
    s.turn += 1
    if s.turn < s.seats * s.components.allotment[s.seats].picks:
        s.active = (seat + 1) % s.seats
    else:
        turn_the_clock(s)
