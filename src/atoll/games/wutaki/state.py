"""The state of Wutaki: every field with its visibility, and moves of tokens, workers and cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import mypyc_attr

from atoll.engine import (
    SEAT,
    SEAT_MASK,
    Only,
    SeatNumbers,
    State,
    audience_of_seats,
    derived,
    known,
    nobody,
    owner,
    public,
    trackable,
)

from .components import MOST_LEVELS, MOST_POSITIONS, MOST_TRACK, Board, Masterboard, RoundCard, WutakiComponents
from .kinds import (
    ABILITY,
    COST_MARKER,
    ELEMENT_CARD,
    EXTRA,
    HOME,
    IDLE,
    LOYAL,
    MASTERBOARD,
    MOST_FIELDS,
    MOST_SEATS,
    MOST_TOKENS,
    OMEN,
    OWN_PLACE,
    PACT,
    RESOURCES,
    ROUND_CARD,
    ROUND_PLACE,
    SECRET_PACT,
    SPECIAL,
    TOWER_UPGRADE,
    VENGEANCE,
    WORKER_TYPES,
)

DEAL, SECRET_PACTS, MASTERBOARDS, PACTS, ROUND_START, TURN, SECOND, BONUS, FINAL = range(9)
"""The next segment at a checkpoint."""

SPOTS: Final = OWN_PLACE + MOST_SEATS
"""The number of spots where workers can stand.

They are the places of the main board, the round card's, and one masterboard place per seat.
"""
SPOT: Final = SeatNumbers(first=OWN_PLACE)
"""A spot; the last ones are one per seat."""
WORKER: Final = SeatNumbers(each=WORKER_TYPES)
"""A worker on a field: `seat * WORKER_TYPES + type`."""


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
@dataclass(slots=True)
class WutakiState(State[WutakiComponents]):
    """The state of a game.

    Seats, cards, places and resource kinds are indices; -1 is none. `[seat]` means indexed by seat.
    """

    seats: int = public(lo=2, hi=MOST_SEATS)
    over: bool = public()
    side: int = public(hi=1)
    """The side of the main board: standard or extreme."""
    phase: int = public(hi=FINAL)
    round: int = public(lo=1, hi=999)
    active: int = public(hi=MOST_SEATS - 1, holds=SEAT)
    start: int = public(hi=MOST_SEATS - 1, holds=SEAT)
    """The holder of the start marker."""
    claimant: int = public(lo=-1, hi=MOST_SEATS - 1, holds=SEAT)
    """The last seat to claim the start marker in this round."""

    vp: list[int] = public(hi=999, size=MOST_SEATS, by=SEAT)
    stock: list[list[int]] = public(hi=MOST_TOKENS, size=len(RESOURCES), by=SEAT, fixed=True)
    """`[seat][resource]` tokens in stock."""
    supply: list[int] = public(hi=MOST_TOKENS, size=len(RESOURCES), fixed=True)
    maw: list[int] = public(hi=MOST_TOKENS, size=len(RESOURCES), fixed=True)
    sacrificed: list[int] = public(hi=MOST_TOKENS, size=len(RESOURCES), fixed=True)
    """The tokens paid for the pact being fulfilled now. They are in the maw but can't be raided."""

    cost_marker: list[int] = public(lo=-1, hi=len(RESOURCES) - 1, size=MOST_SEATS, by=SEAT)
    """`[seat]` the resource kind of the cost marker."""
    cost_marker_pool: list[int] = nobody(back="cost_marker", hi=COST_MARKER.size - 1, size=COST_MARKER.size)
    masterboard: list[int] = public(lo=-1, hi=MASTERBOARD.size - 1, size=MOST_SEATS, by=SEAT)
    boards_left: list[int] = public(hi=MASTERBOARD.size - 1, size=4)
    """Faces that can still be picked."""
    track: list[int] = public(hi=MOST_TRACK, size=MOST_SEATS, by=SEAT)
    """`[seat]` the marker on the pact track."""
    multiplier: list[int] = public(hi=9, size=MOST_SEATS, by=SEAT)
    """`[seat]` the position of the multiplier's marker."""
    ability: list[int] = public(lo=-1, hi=ABILITY.size - 1, size=MOST_SEATS, by=SEAT)
    ability_used: list[bool] = public(size=MOST_SEATS, by=SEAT)
    ability_pool: list[int] = nobody(back="ability", hi=ABILITY.size - 1, size=ABILITY.size)

    home: list[list[int]] = public(hi=4, size=WORKER_TYPES, by=SEAT, fixed=True)
    """`[seat][worker type]` available workers."""
    tower: list[list[int]] = public(hi=4, size=WORKER_TYPES, by=SEAT, fixed=True)
    """`[seat][worker type]` workers not hired; 0 for loyal ones."""
    idle: list[list[int]] = public(hi=4, size=WORKER_TYPES, by=SEAT, fixed=True)
    """`[seat][worker type]` workers in the idle zone."""
    fields: list[list[int]] = public(
        lo=-1, hi=MOST_SEATS * WORKER_TYPES - 1, size=MOST_FIELDS, by=SPOT, holds=WORKER, fixed=True
    )
    """`[spot][field]` the worker on the field: `seat * WORKER_TYPES + worker type`."""
    free: list[int] = derived()
    """`[spot]` the number of fields without a worker."""
    guest: list[int] = public(hi=SPOTS - 1, size=3, holds=(SPOT, None, WORKER), fixed=True)
    """The second worker on a field: spot, field, worker; empty if there is none."""
    worker: int = public(lo=-1, hi=WORKER_TYPES - 1)
    """The type of worker placed in this turn."""
    spot: int = public(lo=-1, hi=SPOTS - 1, holds=SPOT)
    """The spot of the worker placed in this turn; -1 before and after."""
    vacated: int = public(lo=-1, hi=ROUND_PLACE)
    """The place that a chase has just emptied, until the chasing worker has moved in or not."""
    begun: bool = public()
    """Whether the active seat has used its ability in this turn, before or with its worker."""

    markers: list[list[int]] = public(hi=MOST_SEATS - 1, size=2, holds=SEAT)
    """`[standard place]` the owners of the upgrade markers there, first slot first."""
    upgrade_markers: list[int] = public(hi=6, size=MOST_SEATS, by=SEAT)
    """`[seat]` upgrade markers in stock."""
    pyramid: list[int] = public(hi=MOST_LEVELS, size=MOST_SEATS, by=SEAT)
    """`[seat]` the level reached on the pyramid."""
    built: list[list[int]] = public(lo=-1, hi=TOWER_UPGRADE.size - 1, size=2, by=SEAT, fixed=True)
    """`[seat]` the tower upgrades in the element slot and in the resource slot."""
    tower_left: list[int] = public(hi=TOWER_UPGRADE.size - 1, size=TOWER_UPGRADE.size)
    """Tower upgrades still available."""

    counter: int = public(hi=MOST_POSITIONS - 1)
    """The position of the pact counter."""
    display: list[int] = public(lo=-1, hi=PACT.size - 1, size=4, fixed=True)
    """The open pacts, slot 1 (left) first."""
    pacts: list[list[int]] = public(hi=PACT.size - 1, size=PACT.size, by=SEAT)
    """`[seat]` accepted pacts that aren't fulfilled."""
    fulfilled: list[list[int]] = trackable(count="public", at_end=True, hi=PACT.size - 1, size=PACT.size)
    pact_deck: list[int] = nobody(back="pact", hi=PACT.size - 1, size=PACT.size)
    pact_discard: list[int] = public(hi=PACT.size - 1, size=PACT.size)

    element: list[int] = owner(back="element", at_end=True, lo=-1, hi=ELEMENT_CARD.size - 1)
    element_pool: list[int] = nobody(back="element", hi=ELEMENT_CARD.size - 1, size=ELEMENT_CARD.size)
    secret_pacts: list[list[int]] = owner(
        back="secret_pact", at_end=True, hi=SECRET_PACT.size - 1, size=SECRET_PACT.size
    )
    secret_pact_deck: list[int] = nobody(back="secret_pact", hi=SECRET_PACT.size - 1, size=SECRET_PACT.size)
    rejected: list[list[int]] = owner(back="", count="hidden", hi=SECRET_PACT.size - 1, size=1)
    """`[seat]` the secret pact that the seat has put into the deck.

    It is empty once somebody else can have drawn it.
    """
    omens: list[list[int]] = owner(back="omen", hi=OMEN.size - 1, size=OMEN.size, at_end=True)
    omen_deck: list[int] = nobody(back="omen", hi=OMEN.size - 1, size=OMEN.size)
    omen_discard: list[int] = public(hi=OMEN.size - 1, size=OMEN.size)
    playing: list[int] = public(hi=OMEN.size - 1, size=OMEN.size, fixed=True)
    """Omens being played now, the last one innermost."""
    permanent: list[int] = public(lo=-1, hi=OMEN.size - 1, size=MOST_SEATS, by=SEAT)
    """`[seat]` the permanent omen on the table."""
    vengeance: list[list[int]] = known(
        back="vengeance", masks="vengeance_known", at_end=True, hi=VENGEANCE.size - 1, size=VENGEANCE.size
    )
    vengeance_known: list[list[int]] = owner(
        back="", count="hidden", hi=(1 << MOST_SEATS) - 1, size=VENGEANCE.size, holds=SEAT_MASK
    )
    """`[seat]` the seats that know each card of `vengeance`, as masks.

    These are secret too, because the remaining ones show which card was given away.
    """
    vengeance_deck: list[int] = nobody(back="vengeance", hi=VENGEANCE.size - 1, size=VENGEANCE.size)
    returned: list[list[int]] = owner(back="", count="hidden", hi=VENGEANCE.size - 1, size=VENGEANCE.size)
    """`[seat]` vengeance cards that the seat has put into the deck.

    Cards that somebody else can have drawn since aren't listed.
    """

    round_card: int = public(lo=-1, hi=ROUND_CARD.size - 1)
    round_deck: list[int] = nobody(back="round_card", hi=ROUND_CARD.size - 1, size=ROUND_CARD.size)
    round_discard: list[int] = public(hi=ROUND_CARD.size - 1, size=ROUND_CARD.size)

    ender: int = public(lo=-1, hi=MOST_SEATS - 1, holds=SEAT)
    """The seat whose trigger has ended the game."""
    ended_by_pyramid: bool = public()
    ending: bool = public()
    """Whether the last turns are being taken."""
    last_turns: list[int] = public(hi=MOST_SEATS - 1, size=MOST_SEATS, holds=SEAT, fixed=True)
    """The seats that still have a last turn, the next one first."""
    winner: int = public(lo=-1, hi=MOST_SEATS - 1, holds=SEAT)
    """The seat that the holder of the start marker has chosen among the tied."""


# -- printed data of the parts in use --------------------------------------------------------------


def board(s: WutakiState) -> Board:
    """Return the side of the main board in use."""
    return s.components.boards[s.side]


def round_card(s: WutakiState) -> RoundCard:
    """Return the current round card; between rounds one without effect."""
    return s.components.in_round[s.round_card]


def masterboard(s: WutakiState, seat: int) -> Masterboard:
    """Return the face in front of a seat."""
    return s.components.masterboards[s.masterboard[seat]]


def has_flag(s: WutakiState, seat: int, flag: int) -> bool:
    """Return whether the permanent omen in front of a seat changes this rule. Rule WU-8.9.

    Args:
        s: The state.
        seat: The seat concerned.
        flag: Index of `FLAGS`.
    """
    card = s.permanent[seat]
    return card >= 0 and s.components.omens[card].flag == flag


_CLOCKWISE: Final = tuple(
    tuple(tuple((first + step) % seats for step in range(seats)) for first in range(seats))
    for seats in range(MOST_SEATS + 1)
)
_OTHERS: Final = tuple(tuple(order[1:] for order in orders) for orders in _CLOCKWISE)


def clockwise(s: WutakiState, first: int) -> tuple[int, ...]:
    """Return all seats, the first one first."""
    return _CLOCKWISE[s.seats][first]


def others(s: WutakiState, seat: int) -> tuple[int, ...]:
    """Return all other seats, the left neighbor first."""
    return _OTHERS[s.seats][seat]


def place_of(spot: int) -> int:
    """Return the place that a spot belongs to."""
    return spot if spot < OWN_PLACE else OWN_PLACE


def spot_of(place: int, seat: int) -> int:
    """Return the spot that a place is for a seat: every seat has its own masterboard."""
    return place if place < OWN_PLACE else OWN_PLACE + seat


# -- victory points --------------------------------------------------------------------------------


def gain_vp(s: WutakiState, seat: int, n: int) -> None:
    """Give the seat points. The first one to reach 100 ends the game.

    Rules WU-8.4 and WU-10.1, ruling R71.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of points.
    """
    s.vp[seat] += n
    if s.events is not None:
        s.emit("vp", seat=seat, n=n)
    if s.ender < 0 and s.vp[seat] >= s.components.end_vp:
        s.ender = seat
        s.emit("end_by_vp", seat=seat)


def lose_vp(s: WutakiState, seat: int, n: int) -> None:
    """Take points that the seat has. Rule WU-8.4, ruling R8.

    Args:
        s: The state.
        seat: The seat concerned.
        n: The number of points.
    """
    s.vp[seat] -= n
    if s.events is not None:
        s.emit("vp_lost", seat=seat, n=n)


# -- tokens ----------------------------------------------------------------------------------------


def between(low: int, high: int, there: int) -> range:
    """Return the amounts from `low`, 0 at least, to `high`, but no more than there are.

    Args:
        low: The smallest amount.
        high: The largest amount.
        there: The number of tokens that are available.
    """
    first = low if low > 0 else 0  # `max` and `min` take five times as long, here and below.
    return range(first, (high if high < there else there) + 1)


def gain(s: WutakiState, seat: int, kind: int, n: int) -> None:
    """Give the seat n tokens of a kind, or as many as the supply still has. Rule WU-8.3.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The kind of resource.
        n: The number of tokens.
    """
    there = s.supply[kind]
    if n > there:
        n = there
    if n:
        s.supply[kind] -= n
        s.stock[seat][kind] += n
        if s.events is not None:
            s.emit("gain", seat=seat, resource=kind, n=n)


def pay(s: WutakiState, seat: int, kind: int, n: int) -> None:
    """Move n tokens of a kind, which the seat has, into the supply.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The kind of resource.
        n: The number of tokens.
    """
    if n:
        s.stock[seat][kind] -= n
        s.supply[kind] += n
        if s.events is not None:
            s.emit("pay", seat=seat, resource=kind, n=n)


def sacrifice(s: WutakiState, seat: int, kind: int, n: int) -> None:
    """Move n tokens of a kind, which the seat has, into the maw. Rule WU-8.1.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The kind of resource.
        n: The number of tokens.
    """
    if n:
        s.stock[seat][kind] -= n
        s.maw[kind] += n
        if s.events is not None:
            s.emit("sacrifice", seat=seat, resource=kind, n=n)


def plunder(s: WutakiState, seat: int, kind: int, n: int) -> None:
    """Move n tokens of a kind out of the maw to the seat.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The kind of resource.
        n: The number of tokens.
    """
    if n:
        s.maw[kind] -= n
        s.stock[seat][kind] += n
        if s.events is not None:
            s.emit("plunder", seat=seat, resource=kind, n=n)


# -- workers ---------------------------------------------------------------------------------------


def available(s: WutakiState, seat: int) -> bool:
    """Return whether the seat has a worker to place. Rule WU-3.2, ruling R35."""
    home = s.home[seat]
    return bool(home[LOYAL] or home[EXTRA] or home[SPECIAL])


def hired_extra(s: WutakiState, seat: int) -> int:
    """Return the number of extra workers that the seat has hired, placed or not."""
    return board(s).extra_workers - s.tower[seat][EXTRA]


def hired(s: WutakiState, seat: int) -> int:
    """Return the number of additional workers that the seat has hired, placed or not.

    These are the extra ones and the special one.
    """
    tower = s.tower[seat]
    return board(s).extra_workers + s.components.special_workers - tower[EXTRA] - tower[SPECIAL]


def standing(s: WutakiState, spot: int, who: int) -> int:
    """Return the number of workers of one seat and type at a spot.

    Args:
        s: The state.
        spot: The spot.
        who: The seat and type of the worker, as fields show it.
    """
    guest = s.guest
    there = s.fields[spot].count(who)
    return there + 1 if guest and guest[0] == spot and guest[2] == who else there


def group(s: WutakiState, spot: int, seat: int) -> tuple[int, int]:
    """Return the numbers of extra and special workers of a seat at a spot.

    Args:
        s: The state.
        spot: The spot.
        seat: The seat concerned.
    """
    return standing(s, spot, seat * WORKER_TYPES + EXTRA), standing(s, spot, seat * WORKER_TYPES + SPECIAL)


def worker_places(s: WutakiState, seat: int, kind: int) -> list[int]:
    """Return the places of a seat's workers of a type, ascending, each once.

    They can be at places, in the idle zone or at home.

    Args:
        s: The state.
        seat: The seat concerned.
        kind: The type of the workers.
    """
    who = seat * WORKER_TYPES + kind
    spots = [spot for spot in (*range(ROUND_PLACE + 1), OWN_PLACE + seat) if standing(s, spot, who)]
    return [place_of(spot) for spot in spots] + [IDLE] * bool(s.idle[seat][kind]) + [HOME] * bool(s.home[seat][kind])


def lay_out_fields(s: WutakiState, spot: int, n: int) -> None:
    """Give a spot n fields, all of them free.

    Args:
        s: The state.
        spot: The spot.
        n: The number of fields.
    """
    s.fields[spot] = [-1] * n
    s.free[spot] = n


def standing_apart(s: WutakiState, spot: int, who: int) -> tuple[int, int]:
    """Return the numbers of alike workers at a spot that have a field alone, and that share one.

    Nothing else distinguishes workers of one seat and type.

    Args:
        s: The state.
        spot: The spot.
        who: Their seat and type, as fields show it.
    """
    fields, guest = s.fields[spot], s.guest
    there = fields.count(who)
    if not guest or guest[0] != spot:
        return there, 0
    host = fields[guest[1]] == who
    return there - host, host + (guest[2] == who)


def placed_one(s: WutakiState, spot: int, who: int) -> tuple[int, int]:
    """Return the worker placed in this turn as a pair of counts.

    It is (1, 0) if it stands alone on a field of the spot, (0, 1) if it shares one, and (0, 0) if
    it isn't one of these workers. A guest of the active seat came by its ability. If that was used
    in this turn, the guest is the worker placed in this turn.

    Args:
        s: The state.
        spot: The spot.
        who: The seat and type, as fields show it.
    """
    if spot != s.spot or who != s.active * WORKER_TYPES + s.worker:
        return 0, 0
    guest = s.guest
    sharing = s.begun and guest[:1] == [spot] and guest[2] == who
    return int(not sharing), int(sharing)


def own_field(s: WutakiState, spot: int, who: int) -> int:
    """Return the leftmost field that a worker of one seat and type has alone at a spot, or -1.

    Args:
        s: The state.
        spot: The spot.
        who: The seat and type, as fields show it.
    """
    shared = s.guest[1] if s.guest[:1] == [spot] else -1
    for field, each in enumerate(s.fields[spot]):
        if each == who and field != shared:
            return field
    return -1


def take_off(s: WutakiState, spot: int, who: int, *, sharing: bool) -> None:
    """Take a worker off its field; a field that two share stays occupied by the other.

    The worker placed in this turn goes last of those like it.
    Rule WU-9.6, ruling R43.

    Args:
        s: The state.
        spot: The spot.
        who: The seat and type, as fields show it.
        sharing: Whether the worker is one that shares a field.
    """
    apart, together = standing_apart(s, spot, who)
    placed_apart, placed_together = placed_one(s, spot, who)
    placed = placed_together == together if sharing else placed_apart == apart
    if sharing:
        _, field, guest = s.guest
        if s.fields[spot][field] == who:
            s.fields[spot][field] = guest
        s.guest = []
    else:
        s.fields[spot][own_field(s, spot, who)] = -1
        s.free[spot] += 1
    if placed:
        s.spot = -1


def remove_worker(s: WutakiState, seat: int, kind: int, where: int, *, sharing: bool = False) -> None:
    """Send an additional worker back to the tower: from a place, from the idle zone or from home.

    Rule WU-4.4.

    Args:
        s: The state.
        seat: The owner.
        kind: The type of the worker.
        where: The place, the idle zone or home.
        sharing: Whether the worker is one that shares a field.
    """
    if where == HOME:
        s.home[seat][kind] -= 1
    elif where == IDLE:
        s.idle[seat][kind] -= 1
    else:
        take_off(s, spot_of(where, seat), seat * WORKER_TYPES + kind, sharing=sharing)
    s.tower[seat][kind] += 1
    s.emit("to_tower", seat=seat, worker=kind, where=where)


# -- cards -----------------------------------------------------------------------------------------


def hold_vengeance(s: WutakiState, seat: int, card: int, mask: int) -> None:
    """Lay a vengeance card in front of a seat; the seats of the mask know it.

    Rule WU-13.1, ruling R59.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The vengeance card.
        mask: The seats that know the card.
    """
    pairs = sorted([*zip(s.vengeance_known[seat], s.vengeance[seat], strict=True), (mask, card)])
    s.vengeance_known[seat] = [each for each, _ in pairs]
    s.vengeance[seat] = [each for _, each in pairs]


def drop_vengeance(s: WutakiState, seat: int, card: int, seen_by: int) -> int:
    """Take a vengeance card from a seat.

    A seat that doesn't see which card it is can no longer be sure of the others either, unless it
    was the only card there.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The vengeance card.
        seen_by: The seats that see which card it is, as a mask.

    Returns:
        The seats that know the card now, as a mask.
    """
    index = s.vengeance[seat].index(card)
    known_by = s.vengeance_known[seat].pop(index)
    del s.vengeance[seat][index]
    pairs = sorted(
        (mask & seen_by, each) for mask, each in zip(s.vengeance_known[seat], s.vengeance[seat], strict=True)
    )
    s.vengeance_known[seat] = [mask for mask, _ in pairs]
    s.vengeance[seat] = [each for _, each in pairs]
    return seen_by if pairs else known_by | seen_by


def forget(memory: list[list[int]], drawer: int, card: int) -> None:
    """Forget what other seats know to be in a deck, after a seat has drawn a card.

    Nobody else knows any more that a card which was put back is still in the deck.

    Args:
        memory: `rejected` or `returned`; changed in place.
        drawer: The seat that has drawn.
        card: The card drawn.
    """
    for seat, cards in enumerate(memory):
        if seat != drawer:
            cards.clear()
        elif card in cards:
            cards.remove(card)


def secret(value: Any, *seats: int) -> Only:
    """Return a value in an event that only these seats may see."""
    return Only(value, audience_of_seats(*seats))
