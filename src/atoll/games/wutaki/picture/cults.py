"""The public possessions of a seat, and the parts that its region and the viewer's dock share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.picture import Fact, Row, Rows, size_of

from ..components import UPKEEP, WutakiComponents
from ..describe import describe
from ..kinds import GOLD, OWN_PLACE, RESOURCES
from ..prices import hire_price
from ..signs import Sign
from ..state import WutakiState
from ..view import WutakiView
from ..workers import next_hire, upkeep
from .drawing import marked_sign_of, sign_of
from .table import fields_at

Price = tuple[int, int]
"""The price of a worker: resources of the cost marker, gold."""


class Cult(NamedTuple):
    """The public possessions of a seat. -1 stands for none.

    Attributes:
        seat: The seat.
        vp: Its points.
        stock: Its tokens by resource.
        cost_marker: The resource of its cost marker.
        owed: The tokens due at the next pact.
        hire: The price of its next worker; None without a worker to hire or without a cost marker.
        upgrade_markers: The number of its upgrade markers.
        home: The workers at home, by type.
        idle: The workers that rest, by type.
        tower: The workers in the tower, by type.
        masterboard: The face of its masterboard.
        track: The space of its marker on the pact track.
        multiplier: The position of the marker of its multiplier.
        fields: The fields of its own place; see `fields_at`.
        built: The tower upgrades, by slot.
        ability: Its ability.
        ability_used: Whether that is used up.
        permanent: Its permanent omen.
        pacts: Its pacts to be fulfilled.
        fulfilled: The number of its fulfilled pacts.
        omens: The number of its omens.
        vengeance: The number of its vengeance cards.
        secret_pacts: The number of its secret pacts.
        starts: Whether it has the start marker.
        claims: Whether it has claimed the start marker for the next round.
        has_ended: Whether it has brought the end.
        last_turn: Whether it has a last turn to come.
    """

    seat: int
    vp: int
    stock: Row
    cost_marker: int
    owed: int
    hire: Price | None
    upgrade_markers: int
    home: Row
    idle: Row
    tower: Row
    masterboard: int
    track: int
    multiplier: int
    fields: Rows
    built: Row
    ability: int
    ability_used: bool
    permanent: int
    pacts: Row
    fulfilled: int
    omens: int
    vengeance: int
    secret_pacts: int
    starts: bool
    claims: bool
    has_ended: bool
    last_turn: bool


def cults(game: Game[WutakiState, WutakiComponents], view: Mapping[str, Any], seen: WutakiView) -> list[Cult]:
    """Return the possessions of all seats.

    Args:
        game: The game.
        view: The view, from which the rules compute prices.
        seen: The same view, typed.
    """
    s, table = seen.state, game.state_from_view(view)
    board = game.components.boards[s.side]
    pays = board.counter_event[board.counter_next[seen.seats][s.counter]] == UPKEEP
    return [
        Cult(
            seat=seat,
            vp=s.vp[seat],
            stock=s.stock[seat],
            cost_marker=s.cost_marker[seat],
            owed=upkeep(table, seat) if pays else 0,
            hire=_hire(table, seat),
            upgrade_markers=s.upgrade_markers[seat],
            home=s.home[seat],
            idle=s.idle[seat],
            tower=s.tower[seat],
            masterboard=s.masterboard[seat],
            track=s.track[seat],
            multiplier=s.multiplier[seat],
            fields=fields_at(s, OWN_PLACE + seat),
            built=s.built[seat],
            ability=s.ability[seat],
            ability_used=s.ability_used[seat],
            permanent=s.permanent[seat],
            pacts=s.pacts[seat],
            fulfilled=size_of(s.fulfilled[seat]),
            omens=size_of(s.omens[seat]),
            vengeance=size_of(s.vengeance[seat]),
            secret_pacts=size_of(s.secret_pacts[seat]),
            starts=seat == s.start and s.round_card >= 0,
            claims=seat == s.claimant,
            has_ended=seat == s.ender,
            last_turn=s.ender >= 0 and seat in s.last_turns,
        )
        for seat in range(seen.seats)
    ]


def _hire(table: WutakiState, seat: int) -> Price | None:
    """Return the price of the next worker of a seat."""
    if table.cost_marker[seat] < 0 or next_hire(table, seat) < 0:
        return None
    return hire_price(table, seat, 0, free=False)


# -- goods -----------------------------------------------------------------------------------------


def goods(words: GameMessages, cult: Cult, *, mine: bool) -> list[Fact]:
    """Return points, resources, upgrade markers, and the tokens due at the next pact.

    Args:
        words: The messages of the game.
        cult: The possessions of the seat.
        mine: Whether they are the viewer's, who pays with these resources.
    """
    markers, label = cult.upgrade_markers, words.say("table.upgrade_markers")
    facts = [points(words, cult), *_stock(words, cult, mine=mine)]
    facts.append(Fact(f"markers-{cult.seat}", label, str(markers), sign_of("flag"), markers))
    return facts if cult.cost_marker < 0 else [*facts, _owed(words, cult)]


def points(words: GameMessages, cult: Cult) -> Fact:
    """Return the points of a seat. They stand for the seat if one is to be chosen."""
    seat, vp = cult.seat, cult.vp
    pick = f"to {seat}; from {seat}; winner {seat}; chase * {seat}"
    return Fact(f"vp-{seat}", words.say("table.vp"), str(vp), sign_of("crown"), vp, pick)


def _stock(words: GameMessages, cult: Cult, *, mine: bool) -> list[Fact]:
    found = []
    for index, (kind, n) in enumerate(zip(RESOURCES, cult.stock, strict=True)):
        if index == cult.cost_marker:
            label, sign = words.say("table.marked", {"resource": index}), marked_sign_of(kind)
        else:
            label, sign = words.name("resource", index), sign_of(kind)
        found.append(Fact(f"{kind}-{cult.seat}", label, str(n), sign, n, f"pay {kind} *" if mine else ""))
    return found


def _owed(words: GameMessages, cult: Cult) -> Fact:
    kind, owed = cult.cost_marker, cult.owed
    stock = cult.stock[kind]
    help = words.say("table.owed.help", {"n": stock, "owed": owed, "resource": kind})
    return Fact(f"owed-{cult.seat}", words.say("table.owed"), f"{stock}/{owed}", sign_of("marker"), owed, help=help)


# -- prices and boards -----------------------------------------------------------------------------


def hire_signs(cost_marker: int, hire: Price) -> list[Sign]:
    """Return the price of the next worker as signs; see `Cult`."""
    marked, gold = hire
    signs = [(str(n), RESOURCES[kind]) for kind, n in ((cost_marker, marked), (GOLD, gold)) if n]
    return signs or [("0", RESOURCES[cost_marker])]


def hire_in_words(words: GameMessages, cost_marker: int, hire: Price) -> str:
    """Return the price of the next worker in words.

    Args:
        words: The messages of the game.
        cost_marker: The resource of the cost marker.
        hire: The price.
    """
    marked, gold = hire
    amounts = [
        words.say("table.amount", {"n": n, "resource": kind}) for kind, n in ((cost_marker, marked), (GOLD, gold)) if n
    ]
    return f"{words.say('table.next_hire')}: {', '.join(amounts) or words.say('table.free')}"


def board_text(words: GameMessages[WutakiComponents], seats: int, face: int, track: int, multiplier: int) -> str:
    """Return the description of a masterboard and of its marker's position.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        face: The face of the masterboard.
        track: The space of its marker on the pact track.
        multiplier: The position of the marker of its multiplier.
    """
    text, printed = describe(words, "masterboard", face, seats), words.game.components.masterboards[face]
    if printed.track[seats]:
        return words.say("table.track", {"n": track}) + " " + text
    if len(printed.multiplier) > 1:
        return words.say("table.multiplier", {"n": printed.multiplier[multiplier]}) + " " + text
    return text
