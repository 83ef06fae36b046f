"""Atlandice, in the order of its rulebook; § names its heading, R a ruling in RULES.md.

What majorities are worth is in scoring.py, what tiles do as data in effects.py; here each verb of an effect has one
function. Nothing here is secret or simultaneous.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any, Final

from atoll.engine import UNSETTLED, Choose, Draw, Flow, Game, Line, Mix, Rival, Roll, State, Verbs, find_start_player

from . import components, effects, scoring
from .components import DONATION
from .kinds import (
    ABOUTS,
    AREA,
    AREAS,
    BLACK_MARKET,
    DECLINE,
    DIE,
    DISTRICTS,
    DONATE,
    FACES,
    GAIN,
    KINDS,
    MOVE,
    MOVE_SUBMARINE,
    OPEN,
    PROMPTS,
    RESOURCE,
    SEARCH,
    SEARCH_NEUTRAL,
    SET_DIE,
    STACK,
    START,
    SWAP,
    TAKE,
    TAKE_EXTRA,
    VOCABULARY,
)
from .options import OPTIONS
from .reasons import JUDGES
from .state import (
    DONATE_RESOURCES,
    FACE_DOWN,
    NOBODY,
    OPEN_GATES,
    PREPARE,
    SEARCH_AREAS,
    USED_UP,
    AtlandiceState,
)

ALL_KINDS: Final = tuple(range(KINDS))
ALL_AREAS: Final = tuple(range(AREAS))
SEARCHES: Final = SEARCH.choices()
NEUTRAL_SEARCHES: Final = SEARCH_NEUTRAL.choices()
ALL_SEARCHES: Final = SEARCHES + NEUTRAL_SEARCHES
SEARCHED: Final = dict(zip(ALL_SEARCHES, 2 * ALL_AREAS, strict=True))
"""Per choice of a search its area, and below of a resource its kind: looked up, because all searches come by here."""
TAKES: Final = TAKE.choices()
TAKEN: Final = dict(zip(TAKES, ALL_KINDS, strict=True))
EXTRAS: Final = TAKE_EXTRA.choices()
NO_EXTRA: Final = DECLINE.at()
EMPTY: Final = [0] * KINDS
ALL_USED_UP: Final = [USED_UP] * DISTRICTS
ROLL: Final = Roll(DIE)


class Atlandice(Game):
    """Atlandice by Scott Huntington and Shaun Graham."""

    id = "atlandice"
    rules_version = 1
    seat_counts: tuple[int, ...] = components.SEAT_COUNTS
    options = OPTIONS
    bound = 1500
    vocabulary = VOCABULARY
    prompts = PROMPTS
    abouts = ABOUTS
    state_type = AtlandiceState
    judges = JUDGES
    live_is_public = True

    def load_box(self, data: Mapping[str, Any]) -> components.AtlandiceBox:
        """See Game."""
        return components.load_box(data)

    def names(self, box: components.AtlandiceBox) -> Mapping[str, tuple[str, ...]]:
        """See Game."""
        return {"tile": box.tiles}

    def more_sources(self, box: components.AtlandiceBox) -> tuple[str, ...]:
        """See Game."""
        return ("submarine",)

    def titles(self, box: components.AtlandiceBox, language: str) -> Mapping[str, tuple[str, ...]]:
        """See Game."""
        return box.titles[language]

    def printed(self, box: components.AtlandiceBox) -> Mapping[str, int | str]:
        """See Game."""
        names = ("tile_points", "first", "second", "refill", "inventory", "donation_cost", "donation_points")
        return {
            **{name: getattr(box, name) for name in (*names, "final_first", "final_second")},
            "picks_of_two": box.allotment[2].picks,
        }

    def rule_facts(
        self, box: components.AtlandiceBox, seats: int, options: Mapping[str, Any]
    ) -> Mapping[str, int | str]:
        """See Game."""
        allotment = box.allotment[seats]
        return {
            "dice": allotment.dice,
            "stock": allotment.stock,
            "picks": allotment.picks,
            "market": box.market,
            "market_hands": box.market_hands,
            "area": box.submarine,
        }

    def setup(self, box: components.AtlandiceBox, options: Mapping[str, Any], seats: int) -> State:
        """§ Spielaufbau. Resources, dice, submarine and clock; the start player and the tiles come in `prepare`."""
        allotment = box.allotment[seats]
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
            stock=[*stock, [box.market] * KINDS],
            holds=[[0] * KINDS for _ in range(holders)],
            out=[count - allotment.stock - box.market for count in box.resources],
            open_tile=[FACE_DOWN] * DISTRICTS,
            below=[list(range(district * STACK, (district + 1) * STACK)) for district in range(DISTRICTS)],
            stocked=[True] * DISTRICTS,
            submarine=box.submarine,
            clock=0,
            won=[[] for _ in range(holders)],
            lost=[],
            ties=[[0] * KINDS for _ in range(holders)],
            seconds=[[0] * KINDS for _ in range(holders)],
            inventories=[[0] * (KINDS + 1) for _ in range(holders)],
            donations=[0] * holders,
        )

    def play(self, s: AtlandiceState) -> Flow:
        """One segment: the preparation, the roll of a round, one player's die, or one player's donation."""
        if s.phase == SEARCH_AREAS:
            return search_areas(s)
        if s.phase == OPEN_GATES:
            return open_gates(s)
        if s.phase == DONATE_RESOURCES:
            return donate(s)
        return prepare(s)

    def scores(self, s: AtlandiceState) -> list[int]:
        """See Game."""
        return scoring.scores(s)[: s.seats]

    def explain(self, s: AtlandiceState) -> list[list[Line]]:
        """See Game."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def rivals(self, s: AtlandiceState) -> list[Rival]:
        """See Game. § Spiel für Zwei: the neutral player."""
        return [Rival("neutral", scoring.explain(s, holder)) for holder in range(s.seats, len(s.holds))]

    def live(self, s: AtlandiceState, viewer: int | None) -> dict[str, Any]:
        """See scoring.live."""
        return scoring.live(s)

    def components(self, s: AtlandiceState) -> dict[str, int]:
        """Resources of each kind, tiles, and between rolls all dice are somewhere."""
        found = {
            name: s.out[kind] + sum(area[kind] for area in s.stock) + sum(hold[kind] for hold in s.holds)
            for kind, name in enumerate(RESOURCE.names)
        }
        found["tiles"] = sum(tile >= 0 for tile in s.open_tile) + sum(map(len, s.below)) + sum(map(len, s.won))
        found["tiles"] += len(s.lost)
        rolled = sum(s.dice) + sum(s.taken)
        found["dice"] = rolled if s.phase in (SEARCH_AREAS, DONATE_RESOURCES) else s.box.allotment[s.seats].dice
        return found


# -- § Spielaufbau -----------------------------------------------------------------------------------------------


def prepare(s: AtlandiceState) -> Flow:
    """§ Spielaufbau. The start player is drawn by lot (R3), and the top tile of each district is turned up."""
    s.start_player = yield from find_start_player(s, START)
    s.tell("start", seat=s.start_player)
    for district in range(DISTRICTS):
        tile: int = yield Draw(OPEN, s.below[district])
        turn_up(s, district, tile)
    s.phase = OPEN_GATES


def turn_up(s: AtlandiceState, district: int, tile: int) -> None:
    """A tile is turned up: only its effect and hands are in force; which one was below nobody knew (R5)."""
    s.below[district].remove(tile)
    s.open_tile[district] = tile
    s.tell("opened", district=district, tile=tile)


# -- § 1 Tore öffnen ---------------------------------------------------------------------------------------------


def open_gates(s: AtlandiceState) -> Flow:
    """§ Tore öffnen. All dice are rolled; each opens the area of its number.

    A 6, and the number of a district that is used up, opens the black market.
    """
    for _ in range(s.box.allotment[s.seats].dice):
        face: int = yield ROLL
        s.dice[face] += 1
    if s.told is not None:
        s.tell("gates", round=s.round, pips=[face for face, count in enumerate(s.dice) for _ in range(count)])
    s.active = s.start_player
    s.phase = SEARCH_AREAS


# -- § 2 Bereiche durchsuchen ------------------------------------------------------------------------------------


def search_areas(s: AtlandiceState) -> Flow:
    """§ Bereiche durchsuchen. The active player takes one die and searches its area; then emptied districts score."""
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
    if s.turn < s.seats * s.box.allotment[s.seats].picks:
        s.active = (seat + 1) % s.seats
    else:
        turn_the_clock(s)


def search_question(s: AtlandiceState) -> tuple[str, list[int]]:
    """§ Bereiche durchsuchen a. Any area with a die, also an empty one (R8), for oneself.

    § Spiel für Zwei: or for the neutral player, if that wasn't done this round; for it only with the last die.
    """
    dice = dice_by_area(s)
    seat = s.active
    if len(s.holds) == s.seats or s.handed[seat]:
        return "search", list(compress(SEARCHES, dice))
    if s.taken[seat] == s.box.allotment[s.seats].picks - 1:
        return "search_neutral", list(compress(NEUTRAL_SEARCHES, dice))
    return "search_either", list(compress(ALL_SEARCHES, dice + dice))


def dice_by_area(s: AtlandiceState) -> list[int]:
    """§ Tore öffnen. How many dice lie beside each area."""
    return s.dice if USED_UP not in s.open_tile else [s.dice_at(area) for area in ALL_AREAS]


def take_die(s: AtlandiceState, area: int) -> None:
    """§ Bereiche durchsuchen a. One die beside the area is taken; which one makes no difference (R6)."""
    s.dice[area if area < BLACK_MARKET else face_at_market(s)] -= 1
    s.taken[s.recipient] += 1
    if s.told is not None:
        tell_recipient(s, "search", area=area)


def face_at_market(s: AtlandiceState) -> int:
    """The lowest face of the dice beside the black market."""
    dice, tiles = s.dice, s.open_tile
    for face in range(DISTRICTS):
        if dice[face] and tiles[face] == USED_UP:
            return face
    return BLACK_MARKET


def for_neutral(s: AtlandiceState, key: str) -> str:
    """The key of a text, or of the one that says the same if the neutral player is the recipient."""
    return key if s.recipient < s.seats else key + "_neutral"


def tell_recipient(s: AtlandiceState, key: str, **fields: Any) -> None:
    """The active player did something for the recipient."""
    s.tell(for_neutral(s, key), seat=s.active, **fields)


def search(s: AtlandiceState, area: int) -> Flow:
    """§ Bereiche durchsuchen b, c. Take a resource, one more where the submarine is, then the area's effect.

    The black market has no effect.
    """
    s.here = area
    stock = s.stock[area]
    if any(stock):
        options = kinds_at(stock, TAKES)
        choice: int = options[0]
        if len(options) > 1:
            choice = yield Choose(s.active, for_neutral(s, "take"), options, source=AREA.names[area], rule="search")
        receive(s, area, TAKEN[choice], "took")
        if s.submarine == area and any(stock):
            yield from take_extra(s, area)
    if area != BLACK_MARKET:
        for step in s.box.effects[s.open_tile[area]]:
            yield from VERBS[type(step)](s, step)


def kinds_at(stock: Sequence[int], each: Sequence[int] = ALL_KINDS) -> list[int]:
    """The kinds of resource that lie in a stock; with one choice for each kind, the choices for these."""
    return list(compress(each, stock))


def receive(s: AtlandiceState, area: int, kind: int, key: str) -> None:
    """A resource goes from an area to the recipient's hold."""
    s.stock[area][kind] -= 1
    s.holds[s.recipient][kind] += 1
    if s.told is not None:
        tell_recipient(s, key, resource=kind, area=area)


def lay(s: AtlandiceState, area: int, kind: int, count: int = 1) -> None:
    """Resources come to lie on an area; a district with any is stocked (R18)."""
    s.stock[area][kind] += count
    if area != BLACK_MARKET:
        s.stocked[area] = True


def optional(s: AtlandiceState, options: list[int]) -> list[int]:
    """R9, R33. An extra resource may be declined by a player, never for the neutral player."""
    return [*options, NO_EXTRA] if s.recipient < s.seats else options


def take_extra(s: AtlandiceState, area: int) -> Flow:
    """§ Wichtig. Where the submarine is, one more resource may be taken, once a search, before the effect (R10)."""
    options = optional(s, kinds_at(s.stock[area], EXTRAS))
    choice: int = yield Choose(
        s.active, for_neutral(s, "take_extra"), options, source="submarine", rule="submarine", public=True
    )
    if choice == NO_EXTRA:
        s.tell("declined", seat=s.active)
    else:
        receive(s, area, TAKE_EXTRA.of(choice), "took_extra")


# -- § Effekte der Stadtteile: one function per verb -------------------------------------------------------------

VERBS: Final = Verbs[type, Callable[[AtlandiceState, Any], Flow]](effects.VERBS)


def tile_here(s: AtlandiceState) -> str:
    """The id of the tile whose effect is running."""
    tile: str = s.box.tiles[s.open_tile[s.here]]
    return tile


@VERBS.of(effects.Roll)
def roll(s: AtlandiceState, step: effects.Roll) -> Flow:
    """§ Glossar. The die just taken is rolled; only on the faces printed the rest happens."""
    face: int = yield ROLL
    if s.told is not None:
        s.tell("rolled", seat=s.active, pips=face)
    if face + 1 in step.on:
        for each in step.then:
            yield from VERBS[type(each)](s, each)


@VERBS.of(effects.Gain)
def gain(s: AtlandiceState, step: effects.Gain) -> Flow:
    """§ Glossar. The recipient gets a resource of any kind from one of the areas; the submarine adds nothing (R10)."""
    options = [
        choice for area in areas_of(s, step.source, s.here) for choice in kinds_at(s.stock[area], GAIN.choices(area))
    ]
    if options:
        choice: int = yield Choose(
            s.active,
            for_neutral(s, "gain"),
            optional(s, options),
            source=tile_here(s),
            rule="effect",
            public=True,
        )
        if choice == NO_EXTRA:
            s.tell("declined", seat=s.active)
        else:
            area, kind = GAIN.parts(choice)
            receive(s, area, kind, "gained")


def areas_of(s: AtlandiceState, place: str, here: int) -> list[int]:
    """The areas that a place of an effect means; the black market is no district, nor is one used up (R15)."""
    if place == "here":
        return [here]
    if place == "black_market":
        return [BLACK_MARKET]
    districts = [district for district in range(DISTRICTS) if s.open_tile[district] >= 0]
    return [each for each in districts if each != here] if place == "other_district" else districts


@VERBS.of(effects.Move)
def move(s: AtlandiceState, step: effects.Move) -> Flow:
    """§ Glossar. A resource of any kind is moved; the actor must, if there is one and a place for it (R9)."""
    (source,) = areas_of(s, step.source, s.here)
    targets = [area for area in areas_of(s, step.to, s.here) if area != source]
    options = [moves[to] for moves in map(MOVE.choices, kinds_at(s.stock[source])) for to in targets]
    if options:
        choice: int = yield Choose(s.active, "move", options, source=tile_here(s), rule="effect", public=True)
        kind, to = MOVE.parts(choice)
        s.stock[source][kind] -= 1
        lay(s, to, kind)
        s.tell("moved", seat=s.active, resource=kind, area=source, area_2=to)


@VERBS.of(effects.Swap)
def swap(s: AtlandiceState, step: effects.Swap) -> Flow:
    """§ Glossar. Two resources of any kinds change places; equal kinds are allowed."""
    (a,) = areas_of(s, step.a, s.here)
    reached = areas_of(s, step.b, s.here)
    there = [lies for b in range(DISTRICTS) for lies in (s.stock[b] if b in reached else EMPTY)]
    options = [choice for kind in kinds_at(s.stock[a]) for choice in compress(SWAP.choices(kind), there)]
    if options:
        choice: int = yield Choose(s.active, "swap", options, source=tile_here(s), rule="effect", public=True)
        kind, b, other = SWAP.parts(choice)
        s.stock[a][kind] -= 1
        s.stock[b][other] -= 1
        lay(s, a, other)
        lay(s, b, kind)
        s.tell("swapped", seat=s.active, resource=kind, area=a, resource_2=other, area_2=b)


@VERBS.of(effects.AdvanceClock)
def advance_clock(s: AtlandiceState, step: effects.AdvanceClock) -> Flow:
    """§ Tavernen. The hand moves at once; no space takes effect. On the last space it stays (R29)."""
    s.clock = min(s.clock + step.steps, len(s.box.spaces) - 1)
    s.tell("advanced", seat=s.active, space=s.clock)
    yield from ()


@VERBS.of(effects.SetDie)
def set_die(s: AtlandiceState, step: effects.SetDie) -> Flow:
    """§ Tavernen. Any die still beside an area is turned to any face and goes to the area of that face (R16)."""
    open_areas = compress(ALL_AREAS, dice_by_area(s))
    options = [choice for area in open_areas for choice in SET_DIE.choices(area)]
    choice: int = yield Choose(s.active, "set_die", options, source=tile_here(s), rule="effect", public=True)
    area, face = SET_DIE.parts(choice)
    s.dice[area if area < BLACK_MARKET else face_at_market(s)] -= 1
    s.dice[face] += 1
    s.tell("set_die", seat=s.active, area=area, pips=face, area_2=s.area_of(face))


@VERBS.of(effects.MoveSubmarine)
def move_submarine(s: AtlandiceState, step: effects.MoveSubmarine) -> Flow:
    """§ Maschinenwerke. The submarine goes to another area, also to the one being searched, then without extra."""
    options = [
        choice
        for area, choice in enumerate(MOVE_SUBMARINE.choices())
        if area != s.submarine and (area == BLACK_MARKET or s.open_tile[area] >= 0)
    ]
    choice: int = yield Choose(s.active, "move_submarine", options, source=tile_here(s), rule="effect", public=True)
    s.submarine = MOVE_SUBMARINE.of(choice)
    if s.told is not None:
        s.tell("moved_submarine", seat=s.active, area=s.submarine)


@VERBS.of(effects.SearchRolled)
def search_rolled(s: AtlandiceState, step: effects.SearchRolled) -> Flow:
    """§ Juweliere. Roll again and search the area of the result with its effect, die there or not (R11-R14)."""
    here = s.here
    face: int = yield ROLL
    area = s.area_of(face)
    s.tell("search_rolled", seat=s.active, pips=face, area=area)
    yield from search(s, area)
    s.here = here


@VERBS.of(effects.IfSecondDie)
def if_second_die(s: AtlandiceState, step: effects.IfSecondDie) -> Flow:
    """§ Bibliotheken. Only if the die just taken is the recipient's second of this round."""
    if s.taken[s.recipient] == 2:
        for each in step.then:
            yield from VERBS[type(each)](s, each)


# -- § Leerer Stadtteil ------------------------------------------------------------------------------------------


def settle(s: AtlandiceState, searched: int) -> Flow:
    """§ Leerer Stadtteil. After a search (R17) each emptied district is scored, that of the die taken first (R19)."""
    due = due_districts(s)
    while due:
        yield from score_district(s, searched if searched in due else due[0])
        due = due_districts(s)


def due_districts(s: AtlandiceState) -> list[int]:
    """The districts that held a resource on their open tile and hold none now (R18, R20), ascending."""
    stock, stocked = s.stock, s.stocked
    return [district for district in range(DISTRICTS) if stocked[district] and not any(stock[district])]


def score_district(s: AtlandiceState, district: int) -> Flow:
    """§ Leerer Stadtteil. Points for the most of its own kind; then the next tile, or the end of the district."""
    award_district(s, district)
    if s.below[district]:
        tile: int = yield Draw(OPEN, s.below[district])
        turn_up(s, district, tile)
        return_resources(s, district)
    else:
        use_up(s, district)


def award_district(s: AtlandiceState, district: int) -> None:
    """§ Leerer Stadtteil. The most: the tile, or as many points for all others tied; the second: a point each.

    Of those tied the first clockwise from the actor takes the tile, the neutral player last (R25). If nobody has any
    of the kind, the tile leaves the game.
    """
    tile = s.open_tile[district]
    counts = scoring.held(s, district)
    s.tell("empty", district=district, resources=district, counts=counts)
    first, second = scoring.majority(counts)
    if not first:
        s.lost.append(tile)
        s.tell("tile_lost", tile=tile)
        return
    order = [(s.active + step) % s.seats for step in range(s.seats)] + list(range(s.seats, len(s.holds)))
    first.sort(key=order.index)
    s.won[first[0]].append(tile)
    tell_holder(s, "tile_won", first[0], tile=tile)
    for holder in first[1:]:
        s.ties[holder][district] += 1
        tell_holder(s, "tied_first", holder, resource=district, points=s.box.first)
    for holder in second:
        s.seconds[holder][district] += 1
        tell_holder(s, "second", holder, resource=district, points=s.box.second)


def tell_holder(s: AtlandiceState, key: str, holder: int, **fields: Any) -> None:
    """Something happened to a holder: a seat, or the neutral player."""
    if holder < s.seats:
        s.tell(key, seat=holder, **fields)
    else:
        s.tell(key + "_neutral", **fields)


def return_resources(s: AtlandiceState, district: int) -> None:
    """§ Leerer Stadtteil. All give the kind back: the black market is filled up first, the rest goes onto the new tile.

    What lies elsewhere stays there; a market that has more keeps it (R21). A tile that gets nothing isn't due (R18).
    """
    kind = district
    returned = sum(scoring.held(s, kind))
    for hold in s.holds:
        hold[kind] = 0
    refill = min(returned, max(0, s.box.refill - s.stock[BLACK_MARKET][kind]))
    s.stock[BLACK_MARKET][kind] += refill
    s.stocked[district] = False
    if returned > refill:
        lay(s, district, kind, returned - refill)
    s.tell("returned", resources=kind, refill=refill, rest=returned - refill, district=district)


def use_up(s: AtlandiceState, district: int) -> None:
    """§ Leerer Stadtteil. After the third tile all resources of the kind leave the game, wherever they lie (R26).

    Dice and submarine beside it move to the black market (R27): see `area_of` for the dice.
    """
    kind = district
    for pile in (*s.holds, *s.stock):
        s.out[kind] += pile[kind]
        pile[kind] = 0
    s.open_tile[district] = USED_UP
    s.stocked[district] = False
    if s.submarine == district:
        s.submarine = BLACK_MARKET
    s.tell("used_up", district=district, resources=kind)


# -- § 3 Den Zeiger drehen ---------------------------------------------------------------------------------------


def turn_the_clock(s: AtlandiceState) -> None:
    """§ Den Zeiger drehen. By the hands of the area with the last die; the space reached takes effect at once.

    If the hand was on the last space before, the game is over without this step (R29). It never goes further (R30).
    """
    end = len(s.box.spaces) - 1
    if s.clock == end:
        end_game(s, "end_inn")
        return
    area, hands = scoring.hands_of_last_die(s)
    s.clock = min(s.clock + hands, end)
    s.tell("clock", area=area, hands=hands, space=s.clock)
    space = s.box.spaces[s.clock]
    if s.clock == end:
        end_game(s, "end_clock")
    elif space == DONATION:
        s.tell("donation_begins")
        s.phase = DONATE_RESOURCES
        s.turn = 0
        s.active = s.start_player
    else:
        if space >= 0:
            take_inventory(s, space)
        pass_start_player_on(s)


def take_inventory(s: AtlandiceState, space: int) -> None:
    """§ Inventur. The most of one kind, or of everything: a point for each who has it; nothing is given back."""
    winners = scoring.most(scoring.held_for_space(s, space))
    if space < KINDS:
        s.tell("inventory", resources=space)
    else:
        s.tell("inventory_all")
    for holder in winners:
        s.inventories[holder][space] += 1
        tell_holder(s, "inventory_won", holder, points=s.box.inventory)


def donate(s: AtlandiceState) -> Flow:
    """§ Spende. Once each (R32), from the start player on: resources go home, every two are worth a point."""
    seat = s.active
    hold = s.holds[seat]
    cost = s.box.donation_cost
    given = 0
    if sum(hold) >= cost:
        held = hold[:]
        mix = Mix(DONATE, KINDS, lambda kind, settled: donated(held, cost, kind, settled))
        for kind in range(KINDS):
            choice: int = mix.options(kind)[0]
            if held[kind]:
                choice = yield Choose(
                    seat,
                    "donate",
                    mix.options(kind),
                    rule="donation",
                    public=True,
                    about={"n": cost},
                    picks=mix.picks,
                )
            amount = mix.settle(kind, choice)
            if amount:
                hold[kind] -= amount
                lay(s, kind, kind, amount)
                given += amount
                s.tell("donated", seat=seat, resource=kind, amount=amount)
    s.donations[seat] += given // cost
    if given:
        s.tell("donation", seat=seat, count=given, n=given // cost * s.box.donation_points)
    else:
        s.tell("no_donation", seat=seat)
    s.turn += 1
    s.active = (seat + 1) % s.seats
    if s.turn == s.seats:
        pass_start_player_on(s)


def donated(held: Sequence[int], cost: int, kind: int, settled: Sequence[int]) -> list[int]:
    """§ Spende. So many of a kind that, with what is settled and what is open, the total can be paid for in full."""
    given = sum(n for n in settled if n != UNSETTLED)
    rest = sum(held[other] for other in range(KINDS) if other != kind and settled[other] == UNSETTLED)
    return [amount for amount in range(held[kind] + 1) if -(given + amount) % cost <= rest]


# -- § 4 Das Startspielerplättchen weitergeben -------------------------------------------------------------------


def pass_start_player_on(s: AtlandiceState) -> None:
    """§ Startspielerplättchen weitergeben. The next player clockwise begins; all dice return."""
    s.start_player = s.active = (s.start_player + 1) % s.seats
    s.round += 1
    s.turn = 0
    s.dice = [0] * FACES
    s.taken = [0] * len(s.taken)
    s.handed = [False] * s.seats
    s.phase = OPEN_GATES
    s.tell("marker", seat=s.start_player)


# -- § Spielende -------------------------------------------------------------------------------------------------


def end_game(s: AtlandiceState, key: str) -> None:
    """§ Spielende, § Endwertung. It is over; each kind in the holds is scored once more (scoring.final_shares)."""
    s.over = True
    if s.told is not None:
        s.tell(key)
        for kind in range(KINDS):
            for holder, points in enumerate(scoring.final_shares(s, kind)):
                if points:
                    tell_holder(s, "final", holder, resources=kind, points=points)
