"""A search (AL-3.4), with one function per verb of the area's effect (AL-4)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import Any, Final

from atoll.engine import Choose, EffectHandlers, Flow

from . import effects
from .districts import EMPTY
from .kinds import AREA, BLACK_MARKET, DISTRICTS, GAIN, MOVE, MOVE_SUBMARINE, SET_DIE, SWAP
from .search import (
    ALL_AREAS,
    NO_EXTRA,
    ROLL,
    TAKEN,
    TAKES,
    face_at_market,
    for_neutral,
    kinds_at,
    lay,
    optional,
    receive,
    take_extra,
)
from .state import AtlandiceState

VERBS: Final = EffectHandlers[type, Callable[[AtlandiceState, Any], Flow]](effects.VERBS)


def search(s: AtlandiceState, area: int) -> Flow:
    """Give the recipient a resource, the submarine's extra one, and run the area's effect.

    The black market has no effect.
    Rule AL-3.4, ruling R7.
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
        for step in s.components.effects[s.open_tile[area]]:
            yield from VERBS[type(step)](s, step)


def tile_here(s: AtlandiceState) -> str:
    """Return the id of the tile whose effect is running."""
    return s.components.tiles[s.open_tile[s.here]]


@VERBS.of(effects.Roll)
def roll(s: AtlandiceState, step: effects.Roll) -> Flow:
    """Roll the die just taken; only the printed faces run the nested steps. Rule AL-4.2."""
    face: int = yield ROLL
    if s.events is not None:
        s.emit("rolled", seat=s.active, pips=face)
    if face + 1 in step.on:
        for each in step.then:
            yield from VERBS[type(each)](s, each)


@VERBS.of(effects.Gain)
def gain(s: AtlandiceState, step: effects.Gain) -> Flow:
    """Give the recipient a resource of any kind from one of the areas.

    The submarine's extra isn't offered.
    Rule AL-4.3, ruling R10.
    """
    rows = GAIN.rows()
    options: list[int] = []
    for area in areas_of(s, step.source, s.here):
        options += kinds_at(s.stock[area], rows[area])
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
            s.emit("declined", seat=s.active)
        else:
            area, kind = GAIN.parts(choice)
            receive(s, area, kind, "gained")


def areas_of(s: AtlandiceState, place: str, here: int) -> list[int]:
    """Return the areas that a place of an effect means.

    The black market, and a district that is used up, are not districts.
    Rule AL-4.1, ruling R15.

    Args:
        s: The state.
        place: The place: `here`, `black_market`, `other_district` or `any_district`.
        here: The area being searched.
    """
    if place == "here":
        return [here]
    if place == "black_market":
        return [BLACK_MARKET]
    districts = [district for district in range(DISTRICTS) if not s.is_used_up(district)]
    return [each for each in districts if each != here] if place == "other_district" else districts


@VERBS.of(effects.Move)
def move(s: AtlandiceState, step: effects.Move) -> Flow:
    """Let the actor move a resource of any kind.

    It is compulsory if there is a resource and a place for it.
    Rule AL-4.4, ruling R9.
    """
    source, targets = move_areas(s, step)
    options = [moves[to] for moves in compress(MOVE.rows(), s.stock[source]) for to in targets]
    if options:
        choice: int = yield Choose(s.active, "move", options, source=tile_here(s), rule="effect", public=True)
        kind, to = MOVE.parts(choice)
        s.stock[source][kind] -= 1
        lay(s, to, kind)
        if s.events is not None:
            s.emit("moved", seat=s.active, resource=kind, area=source, area_2=to)


def move_areas(s: AtlandiceState, step: effects.Move) -> tuple[int, list[int]]:
    """Return the area that a resource is moved from, and those that can get it.

    Rule AL-4.4.
    """
    (source,) = areas_of(s, step.source, s.here)
    return source, [area for area in areas_of(s, step.to, s.here) if area != source]


@VERBS.of(effects.Swap)
def swap(s: AtlandiceState, step: effects.Swap) -> Flow:
    """Let the actor exchange two resources; equal kinds are allowed. Rule AL-4.5."""
    (a,) = areas_of(s, step.a, s.here)
    reached = areas_of(s, step.b, s.here)
    there = [lies for b in range(DISTRICTS) for lies in (s.stock[b] if b in reached else EMPTY)]
    options = [choice for swaps in compress(SWAP.rows(), s.stock[a]) for choice in compress(swaps, there)]
    if options:
        choice: int = yield Choose(s.active, "swap", options, source=tile_here(s), rule="effect", public=True)
        kind, b, other = SWAP.parts(choice)
        s.stock[a][kind] -= 1
        s.stock[b][other] -= 1
        lay(s, a, other)
        lay(s, b, kind)
        if s.events is not None:
            s.emit("swapped", seat=s.active, resource=kind, area=a, resource_2=other, area_2=b)


@VERBS.of(effects.AdvanceClock)
def advance_clock(s: AtlandiceState, step: effects.AdvanceClock) -> Flow:
    """Move the hand at once, up to the last space. No space takes effect.

    Rule AL-4.6, ruling R29.
    """
    s.clock = min(s.clock + step.steps, len(s.components.spaces) - 1)
    s.emit("advanced", seat=s.active, space=s.clock)
    yield from ()


@VERBS.of(effects.SetDie)
def set_die(s: AtlandiceState, step: effects.SetDie) -> Flow:
    """Let the actor turn any die at a gate to any face. It moves to the area of that face.

    Rule AL-4.7, ruling R16.
    """
    options = [choice for faces in compress(SET_DIE.rows(), s.dice_by_area()) for choice in faces]
    choice: int = yield Choose(s.active, "set_die", options, source=tile_here(s), rule="effect", public=True)
    area, face = SET_DIE.parts(choice)
    s.dice[area if area < BLACK_MARKET else face_at_market(s)] -= 1
    s.dice[face] += 1
    s.emit("set_die", seat=s.active, area=area, pips=face, area_2=s.area_of(face))


@VERBS.of(effects.MoveSubmarine)
def move_submarine(s: AtlandiceState, step: effects.MoveSubmarine) -> Flow:
    """Let the actor move the submarine to another area. The searched area then has no extra.

    Rule AL-4.8, ruling R10.
    """
    options = MOVE_SUBMARINE.all_choices([area for area in ALL_AREAS if area != s.submarine and not s.is_used_up(area)])
    choice: int = yield Choose(s.active, "move_submarine", options, source=tile_here(s), rule="effect", public=True)
    s.submarine = MOVE_SUBMARINE.part(choice)
    if s.events is not None:
        s.emit("moved_submarine", seat=s.active, area=s.submarine)


@VERBS.of(effects.SearchRolled)
def search_rolled(s: AtlandiceState, step: effects.SearchRolled) -> Flow:
    """Roll again and search the area of the result with its effect, even without a die there.

    Rule AL-4.9, rulings R11 to R14.
    """
    here = s.here
    face: int = yield ROLL
    area = s.area_of(face)
    s.emit("search_rolled", seat=s.active, pips=face, area=area)
    yield from search(s, area)
    s.here = here


@VERBS.of(effects.IfSecondDie)
def if_second_die(s: AtlandiceState, step: effects.IfSecondDie) -> Flow:
    """Run the nested steps if the die just taken is the actor's second in this round.

    Rule AL-4.10, ruling R44.
    """
    if s.taken[s.active] + s.handed[s.active] == 2:
        for each in step.then:
            yield from VERBS[type(each)](s, each)
