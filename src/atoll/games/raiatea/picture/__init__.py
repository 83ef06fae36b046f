"""Raiatea's table: an island court by day, the festival ground at a feast.

Every component is drawn where it is used. `regions` hands out the values of a view, in the order in
which the page is read. Each area is drawn in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, cards_of, size_of

from ..components import RaiateaComponents
from ..kinds import GIFT, LOCATION, PREPARE, SPACES_EACH, STATUES
from ..locations import COUNTER_CLOCKWISE, ONCE, STEPS, whose_part
from ..state import (
    BEFORE_DANCE,
    BUILDING,
    BUY_RITUALS,
    EXTRA_GIFTS,
    GIFTS,
    LAY_OUT,
    NOBODY,
    OFFERING,
    PREPARE_RITUALS,
    TABLE,
    RaiateaState,
)
from ..view import RaiateaTable, RaiateaView
from . import court, feast, market, paths, seats
from .drawing import draw
from .scene import LIGHTS, SCENE, SOUNDS, mode
from .statues import statue

__all__ = ["LIGHTS", "SCENE", "SOUNDS", "emblem", "mode", "regions", "symbols"]

_ACTS: Final = (BUY_RITUALS, PREPARE_RITUALS, OFFERING, LAY_OUT, BUILDING)
"""The phases with which the acts of a feast begin, from the second act on."""
_HAND_VERBS: Final[Mapping[str, str]] = {
    "prepare": "prepare",
    "tahua_ritual": "perform",
    "execute_ritual": "perform",
    "pay_rituals": "pay_ritual",
}
"""By prompt the verb of choices that the rituals of the hand stand for first of all."""


def symbols() -> Markup:
    """Return goods, helpers, faces of gods, and the small signs of effects."""
    return draw("symbols")


def emblem() -> Drawing:
    """Return the temple court, for lists of games."""
    return Drawing("emblem-raiatea", 320, 200, draw("emblem"))


def regions(game: Game[RaiateaState, RaiateaComponents], view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return all regions of a view in reading order.

    These are the places of the court or the festival ground, the viewer's own things, and the
    things before each seat.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The messages of the game.
    """
    seen = msgspec.convert(view, RaiateaView)
    s = seen.state
    if s.phase == TABLE:
        return [paths.preparing(words)]
    found = [paths.track(words, seen.seats, s.field)]
    found += _court(words, seen) if s.phase < BEFORE_DANCE else _festival(words, seen, game.components)
    found += [paths.tattoos(words, s.tattoos), paths.tattoos_tall(words, s.tattoos)]
    found += [paths.priests(words, s.priests), paths.priests_tall(words, s.priests)]
    for each in range(STATUES):
        tiles = s.tiles[each * SPACES_EACH : (each + 1) * SPACES_EACH]
        found.append(statue(words, each, tiles, unlocked=s.unlocked[each], revealed=s.revealed[each]))
    if seen.viewer is not None:
        found += _own(words, seen, seen.viewer)
    for seat in range(seen.seats):
        things = None if seat == seen.viewer else _things(s, seat)
        found.append(seats.belongings(words, seat, _tally(seen, seat), things))
    return found


# -- by day ----------------------------------------------------------------------------------------


def _court(words: GameMessages, seen: RaiateaView) -> list[Region]:
    """Return an action round: the locations, each next to the things it is about."""
    s = seen.state
    return [
        *(_location(words, seen, location) for location in range(LOCATION.size)),
        *_row(words, s),
        *_tray(words, seen),
        court.forest(words, s.forest_deck.count, s.display),
        *_market(words, s, ""),
        court.decks(words, "", _deck_sizes(s), s.discards),
        court.favour(words, "", s.favour, s.offers),
        court.bag(words, "", s.bag_mana),
    ]


def _location(words: GameMessages, seen: RaiateaView, location: int) -> Region:
    s = seen.state
    taker = s.taken.index(location) if location in s.taken else NOBODY
    current = location == s.location
    return court.location(words, location, taker, current=current, queue=_queue(s, seen.seats) if current else None)


def _queue(s: RaiateaTable, seats: int) -> court.Queue | None:
    """Return the seats whose part is still to come; None in a step that is done once."""
    _, way = STEPS[s.location][s.step]
    if way == ONCE:
        return None
    left = tuple(whose_part(s.kahuna, place, way, seats) for place in range(s.place, seats))
    return court.Queue(left, way == COUNTER_CLOCKWISE)


def _deck_sizes(s: RaiateaTable) -> Row:
    return tuple(deck.count for deck in s.decks)


def _market(words: GameMessages, s: RaiateaTable, at: str) -> list[Region]:
    stalls, hire = market.stalls(words, s.prices, s.goods_market), market.hire(words, s.assistant_market)
    return [stalls, hire, market.masks(words, at, s.mask_market)]


def _tray(words: GameMessages, seen: RaiateaView) -> list[Region]:
    """Return the cards that the viewer has to choose from, if there are any."""
    if seen.viewer is None:
        return []
    drawn, looked = cards_of(seen.state.drawn[seen.viewer]), cards_of(seen.state.looked[seen.viewer])
    return [court.tray(words, drawn, looked)] if drawn or looked else []


# -- at a feast ------------------------------------------------------------------------------------


def _festival(words: GameMessages, seen: RaiateaView, components: RaiateaComponents) -> list[Region]:
    """Return a feast: its acts, the center of the current one, and the things needed for it."""
    s = seen.state
    now = sum(s.phase >= first for first in _ACTS)
    building = s.order[s.place :] if s.phase == BUILDING else ()
    row = _row(words, s)
    mat = [] if row else [_act(words, seen, components, now), court.bag(words, "feast-", s.bag_mana)]
    return [
        feast.acts(words, "acts", (570, 58), now, building),
        feast.acts(words, "acts-tall", (390, 54), now, building),
        *row,
        *_tray(words, seen),
        *mat,
        court.favour(words, "feast-", s.favour, s.offers),
        court.decks(words, "feast-", _deck_sizes(s), s.discards),
        *_market(words, s, "feast-"),
    ]


def _act(words: GameMessages, seen: RaiateaView, components: RaiateaComponents, now: int) -> Region:
    s = seen.state
    gifts: Row = {GIFTS: s.gifts, EXTRA_GIFTS: tuple(range(GIFT.size))}.get(s.phase, ())
    ready = seen.ready or (False,) * seen.seats
    thinking = () if gifts else tuple(feast.Thinking(seat, ready[seat]) for seat in s.favour)
    return feast.act(words, now, gifts, thinking, _sums(seen, components))


def _sums(seen: RaiateaView, components: RaiateaComponents) -> feast.Sums | None:
    """Return the numbers that the viewer compares in acts 3 and 4; None if there are none.

    While rituals are being picked, these count. Otherwise those in the bag do.
    """
    s, viewer, asked = seen.state, seen.viewer, seen.decision
    if viewer is None or s.phase not in (PREPARE_RITUALS, OFFERING, GIFTS, EXTRA_GIFTS):
        return None
    if asked is not None and asked.set is not None and asked.prompt == "prepare":
        bag = tuple(PREPARE.part(choice) for choice in asked.set.picked)
    else:
        bag = cards_of(s.bag[viewer])
        if not bag:
            return None
    return feast.Sums(s.bag_mana, sum(components.ritual_cost[card] for card in bag))


def _row(words: GameMessages, s: RaiateaTable) -> list[Region]:
    """Return the last row of rituals, until the next action round begins (act 5)."""
    if not (s.row or s.blessed):
        return []
    blessed = tuple(map(feast.Blessed, s.blessed, s.blessed_owner, s.source))
    return [feast.row(words, s.bag_mana, blessed, tuple(map(feast.Waiting, s.row, s.row_owner)))]


# -- the seats -------------------------------------------------------------------------------------


def _own(words: GameMessages, seen: RaiateaView, viewer: int) -> list[Region]:
    """Return the things behind and in front of the viewer's screen, and its rituals in the bag."""
    s = seen.state
    found = [seats.screen(words, _screen(s, viewer), _HAND_VERBS.get(seen.prompt, "shaman"))]
    if bag := cards_of(s.bag[viewer]):
        found.append(seats.in_bag(words, bag))
    things = _things(s, viewer)
    if things.some:
        found.append(seats.front(words, viewer, things, diving=seen.prompt == "diver"))
    return found


def _screen(s: RaiateaTable, viewer: int) -> seats.Screen:
    pearls, mana, goods, veiled = s.pearls[viewer], s.mana[viewer], s.goods[viewer], cards_of(s.veiled[viewer])
    assert pearls is not None and mana is not None and goods is not None, "a view has its viewer's own"
    counts = tuple(n + veiled.count(commodity) for commodity, n in enumerate(goods))
    return seats.Screen(pearls, mana, counts, hand=cards_of(s.hands[viewer]))


def _tally(seen: RaiateaView, seat: int) -> seats.Tally:
    s, live = seen.state, seen.live
    return seats.Tally(
        rank=live.ranks[seat],
        tattoos=s.tattoos[seat],
        priests=s.priests[seat],
        rituals=sum(live.rituals[seat]),
        goods=live.goods[seat],
        tasks=size_of(s.tasks_done[seat]),
        score=live.scores[seat],
    )


def _things(s: RaiateaTable, seat: int) -> seats.Things:
    return seats.Things(
        ready=s.ready[seat],
        exhausted=s.exhausted[seat],
        masks=s.masks[seat],
        natural=s.pairs[seat],
        mirrored=s.mirrored[seat],
        permanents=s.permanents[seat],
    )
