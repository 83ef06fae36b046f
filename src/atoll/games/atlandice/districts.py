"""Empty districts (AL-5): their points, their next tile, or their end."""

from __future__ import annotations

from typing import Any, Final

from atoll.engine import Draw, Flow

from . import scoring
from .kinds import BLACK_MARKET, DISTRICTS, KINDS, OPEN
from .search import lay
from .state import USED_UP, AtlandiceState

EMPTY: Final = [0] * KINDS


def turn_up(s: AtlandiceState, district: int, tile: int) -> None:
    """Turn up a tile. Until then nobody knows which tile is next.

    Rules AL-2.2 and AL-5.4, ruling R5.

    Args:
        s: The state.
        district: The district.
        tile: The tile.
    """
    s.below[district].remove(tile)
    s.open_tile[district] = tile
    if s.events is not None:
        s.emit("opened", district=district, tile=tile)


def settle(s: AtlandiceState, searched: int) -> Flow:
    """Score each emptied district after a search, first the searched one.

    Rule AL-5.1, rulings R17 and R19.
    """
    due = due_districts(s)
    while due:
        yield from score_district(s, searched if searched in due else due[0])
        due = due_districts(s)


def due_districts(s: AtlandiceState) -> list[int]:
    """Return the districts whose open tile has become empty, ascending.

    Rule AL-5.1, rulings R18 and R20.
    """
    stock, stocked = s.stock, s.stocked
    return [district for district in range(DISTRICTS) if stocked[district] and not any(stock[district])]


def score_district(s: AtlandiceState, district: int) -> Flow:
    """Score a district by its own kind, then open its next tile or end it. Rule AL-5.1."""
    award_district(s, district)
    if s.below[district]:
        tile: int = yield Draw(OPEN, s.below[district])
        turn_up(s, district, tile)
        return_resources(s, district)
    else:
        use_up(s, district)


def award_district(s: AtlandiceState, district: int) -> None:
    """Give the tile, or its points, for the most of a kind, and points for the second most.

    Of several holders with the most, the first one clockwise from the actor takes the tile; the
    neutral player comes last. If nobody has any of the kind, the tile leaves the game.
    Rule AL-5.3, ruling R25.
    """
    tile = s.open_tile[district]
    counts = scoring.held(s, district)
    if s.events is not None:
        s.emit("empty", district=district, resources=district, counts=counts)
    first, second = scoring.majority(counts)
    if not first:
        s.lost.append(tile)
        s.emit("tile_lost", tile=tile)
        return
    order = [(s.active + step) % s.seats for step in range(s.seats)] + list(range(s.seats, len(s.holds)))
    first.sort(key=order.index)
    s.won[first[0]].append(tile)
    tell_holder(s, "tile_won", first[0], tile=tile)
    for holder in first[1:]:
        s.ties[holder][district] += 1
        tell_holder(s, "tied_first", holder, resource=district, points=s.components.first)
    for holder in second:
        s.seconds[holder][district] += 1
        tell_holder(s, "second", holder, resource=district, points=s.components.second)


def tell_holder(s: AtlandiceState, key: str, holder: int, **fields: Any) -> None:
    """Emit an event of a holder: a seat, or the neutral player.

    Args:
        s: The state.
        key: The key of the event. `_neutral` is added for the neutral player.
        holder: The holder.
        **fields: The other fields of the event.
    """
    if s.events is None:
        return
    if holder < s.seats:
        s.emit(key, seat=holder, **fields)
    else:
        s.emit(key + "_neutral", **fields)


def return_resources(s: AtlandiceState, district: int) -> None:
    """Take back all resources of a kind: first they refill the black market, then the new tile.

    Resources elsewhere stay there, and so does a surplus on the market (R21).
    A tile that gets no resources isn't due (R18).
    Rule AL-5.4, rulings R18, R21 and R22.
    """
    kind = district
    returned = sum(scoring.held(s, kind))
    for hold in s.holds:
        hold[kind] = 0
    refill = min(returned, max(0, s.components.refill - s.stock[BLACK_MARKET][kind]))
    s.stock[BLACK_MARKET][kind] += refill
    s.stocked[district] = False
    if returned > refill:
        lay(s, district, kind, returned - refill)
    if s.events is not None:
        s.emit("returned", resources=kind, refill=refill, rest=returned - refill, district=district)


def use_up(s: AtlandiceState, district: int) -> None:
    """End a district after its third tile: all resources of its kind leave the game.

    Dice and the submarine at its gate move to the black market; see `area_of` for the dice.
    Rule AL-5.5, rulings R26 and R27.
    """
    kind = district
    for pile in (*s.holds, *s.stock):
        s.out[kind] += pile[kind]
        pile[kind] = 0
    s.open_tile[district] = USED_UP
    s.stocked[district] = False
    if s.submarine == district:
        s.submarine = BLACK_MARKET
    s.emit("used_up", district=district, resources=kind)
