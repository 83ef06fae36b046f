"""Wutaki's table: a volcano island with Buka's maw, places, pyramid, pacts and possessions.

This module hands out the contents of each region, in reading order. Each area of the table is drawn
in a module of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region

from ..components import WutakiComponents
from ..kinds import FIRST_STANDARD, MAIN_PLACES, PLUNDER, PYRAMID, ROUND_PLACE, VILLAGE
from ..state import WutakiState
from ..view import WutakiView
from .answer_texts import answers
from .cards import decks, faces, pact_deck, round_deck, slot, towers
from .cults import cults
from .dock import hand
from .drawing import draw
from .places import plank, pyramid, small, standard
from .scene import LIGHTS, PLANK, PLANKS, SCENE, SOUNDS
from .seats import belongings
from .shore import idle, rims, supply
from .table import fields_at
from .volcano import counter, maw, smoke

__all__ = ["LIGHTS", "SCENE", "SOUNDS", "answers", "emblem", "regions", "symbols"]

_SHORT_PLANK: Final = 148
_START_PLAYER: Final = MAIN_PLACES.index("start_player")
_SMALL: Final = ("start_player", "trade", "draw_omen", "play_omen", "vp_or_gift", "chase", "upgrade")


def symbols() -> Markup:
    """Return workers, resources, elements, places and the island."""
    return draw("symbols")


def emblem() -> Drawing:
    """Return Buka in his crater, for lists of games."""
    return Drawing("emblem-wutaki", 320, 200, draw("emblem"))


def regions(game: Game[WutakiState, WutakiComponents], view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return all regions of a view in reading order.

    Args:
        game: The game.
        view: The view of a seat or a spectator.
        words: The messages of the game.
    """
    seen = msgspec.convert(view, WutakiView)
    s, seats, viewer = seen.state, seen.seats, seen.viewer
    components = game.components
    found = [*_volcano(words, components, seen), *_standard_places(words, components, seen)]
    slot_gold = components.boards[s.side].slot_gold
    found += [slot(words, seats, place, pact, slot_gold[place]) for place, pact in enumerate(s.display)]
    found.append(pact_deck(words, s.pact_deck.count, s.pact_discard))
    found += [_plank(words, components, seen, MAIN_PLACES.index(id), PLANK) for id in PLANKS]
    found.append(pyramid(words, s.side, s.pyramid, fields_at(s, PYRAMID)))
    found += [_small(words, components, seen, MAIN_PLACES.index(id)) for id in _SMALL]
    discount = components.in_round[s.round_card].upgrade_discount
    found += [
        decks(words, s.omen_deck.count, s.omen_discard, s.secret_pact_deck.count, s.vengeance_deck.count),
        round_deck(words, s.round_deck.count),
        towers(words, seats, s.side, discount, s.tower_left),
        idle(words, s.idle),
        supply(words, s.supply),
        *rims(words, s.vp),
    ]
    possessions = cults(game, view, seen)
    if viewer is not None:
        found += hand(words, s, seats, discount, possessions[viewer], seen.live.reminders)
    found += [belongings(words, seats, s.side, each, own=each.seat == viewer) for each in possessions]
    if _is_picking(seen):
        found.append(faces(words, seats, s.boards_left))
    return found


def _is_picking(seen: WutakiView) -> bool:
    """Return whether the seats are picking their masterboards."""
    return bool(seen.state.boards_left) and -1 in seen.state.masterboard


def _volcano(words: GameMessages, components: WutakiComponents, seen: WutakiView) -> list[Region]:
    s = seen.state
    picked = s.boards_left if s.round_card < 0 and _is_picking(seen) else ()
    return [
        smoke(words, seen.seats, s.round, s.round_card, picked, fields_at(s, ROUND_PLACE)),
        maw(words, s.maw),
        _plank(words, components, seen, PLUNDER, _SHORT_PLANK),
        counter(words, seen.seats, s.side, s.counter),
    ]


def _standard_places(words: GameMessages, components: WutakiComponents, seen: WutakiView) -> list[Region]:
    s, in_round = seen.state, components.in_round[seen.state.round_card]
    found = []
    for at, markers in enumerate(s.markers):
        place = FIRST_STANDARD + at
        printed = components.boards[s.side].places[place].yields[len(markers)]
        now = printed if seen.live.yields is None else seen.live.yields[at]
        own = sum(seat == seen.viewer for seat in markers)
        found.append(
            standard(
                words,
                s.side,
                place,
                now,
                markers,
                own,
                fields_at(s, place),
                upgrade_discount=in_round.upgrade_discount,
                hire_discount=in_round.hire_discount if place == VILLAGE else 0,
            )
        )
    return found


def _small(words: GameMessages, components: WutakiComponents, seen: WutakiView, place: int) -> Region:
    s, holder = seen.state, -1
    if place == _START_PLAYER and s.round_card >= 0:
        holder = s.start if s.claimant < 0 else s.claimant
    quiet = components.in_round[s.round_card].quiet[place]
    return small(words, s.side, place, holder, fields_at(s, place), quiet=quiet)


def _plank(words: GameMessages, components: WutakiComponents, seen: WutakiView, place: int, width: int) -> Region:
    s = seen.state
    quiet = components.in_round[s.round_card].quiet[place]
    return plank(words, s.side, place, width, fields_at(s, place), quiet=quiet)
