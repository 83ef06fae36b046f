"""A table before its game: made, joined, invited to, started; and the rematch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import Game
from atoll.engine.errors import AtollError, OptionError
from atoll.engine.options import Enum, Flag, Int
from atoll.engine.rulebook import rulebook

from ...model import LONG_S, AtZero, Clock, NewTable, Refused, SeatPlan
from ..pictures import Cover, cover
from ..session import address, tables
from ..texts import site
from .context import Pages, covers, game_of, go, language_of, render, signed_in, with_login, words_of
from .forms import Fields, form, query
from .table import after, table_id, view_of

_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
PACES: Final = {
    "quick": Clock(bank_s=600, increment_s=15, cap_s=900),
    "evening": Clock(bank_s=_HOUR, increment_s=60, cap_s=_HOUR),
    "turn": Clock(bank_s=_DAY, increment_s=_DAY, cap_s=_DAY),
    "slow": Clock(bank_s=3 * _DAY, increment_s=3 * _DAY, cap_s=3 * _DAY),
    "daily": Clock(bank_s=7 * _DAY, increment_s=_DAY, cap_s=14 * _DAY),
}
_OWN: Final = "own"
_HEEDED: Final = ("hours", "weekend", "vacation")

pages = Pages()


# -- a new table ---------------------------------------------------------------------------------------------------


@pages.at("/play", "POST")
async def play(request: Request) -> Response:
    """Start a game against bots at once, or alone."""
    given = await form(request)
    who, login = await signed_in(request, given)
    alone, first = given.text("alone", 40), given.text("first", 40)
    game = game_of(request, alone or first or given.text("game", 40))
    table = await tables(request).gathering.play_now(who, game.id, given.key, alone=bool(alone), first=bool(first))
    return with_login(go(f"/t/{table}"), request, login)


@pages.at("/new")
async def new(request: Request) -> Response:
    """Create a table: game, options, seats."""
    asked = query(request)
    wanted = asked.text("game")
    game = game_of(request, wanted) if wanted else _first(covers(request)).game
    first_game = asked.text("options") == "first"
    return _new_page(request, game, asked.number_if_any("seats"), first_game=first_game)


def _first(covers: Sequence[Cover]) -> Cover:
    if not covers:
        raise Refused("broken_game", 503, "no game can be shown just now")
    return covers[0]


def _new_page(
    request: Request, game: Game, seats: int | None, problem: str = "", status: int = 200, *, first_game: bool = False
) -> Response:
    """The form for a table. seats: how many; if that isn't possible, the least that are, or that show a first game."""
    shown = covers(request)
    if game.id not in [each.game.id for each in shown]:
        raise Refused("broken_game", 503, "this game can't be shown just now; the others can")
    fewest = rulebook(game).card.first_seats if first_game else game.seat_counts[0]
    count = seats if seats in game.seat_counts else fewest
    possible = game.option_sets(count)
    return render(
        request,
        "new",
        status=status,
        covers=shown,
        game=game,
        count=count,
        words=words_of(request, game.id),
        options=[_option_field(each, [values[each.id] for values in possible], first_game) for each in game.options],
        first_game=first_game,
        levels=tables(request).catalogue.offered(game.id, count),
        usual_level=tables(request).catalogue.easiest(game.id)
        if first_game
        else tables(request).catalogue.usual(game.id),
        paces=PACES,
        at_zero=get_args(AtZero),
        problem=problem,
    )


def _option_field(option: Any, possible: Sequence[Any], first_game: bool) -> dict[str, Any]:
    """What the form shows of an option, set to its usual value, or to the one for a first game.

    possible: the values that exist with this number of players. If there is only one, there is nothing to choose.
    """
    kind = "flag" if isinstance(option, Flag) else "enum" if isinstance(option, Enum) else "int"
    described: dict[str, Any] = option.describe()
    if kind == "enum":
        described["allowed"] = [value for value in option.allowed if value in possible]
    value = option.first if first_game and option.first is not None else option.default
    fixed = kind != "int" and len(set(possible)) == 1
    first = option.first if option.first in possible else None
    return described | {"kind": kind, "default": possible[0] if fixed else value, "fixed": fixed, "first": first}


@pages.at("/new", "POST")
async def create(request: Request) -> Response:
    """Make the table that the form describes."""
    given = await form(request)
    game = game_of(request, given.text("game", 40))
    count = given.number("seats")
    who, login = await signed_in(request, given)
    try:
        options = {o.id: _option_value(o, given) for o in game.options}
        game.resolve_options(options, count)
    except AtollError as error:
        text = site(language_of(request)).text("new.bad_options", detail=str(error))
        return with_login(_new_page(request, game, count, text, 422), request, login)
    plans = tuple(_seat_plan(given, seat) for seat in range(count))
    visibility: Any = given.text("visibility", 20) or "lobby"
    clock = _clock(given)
    advice = {"yes": True, "no": False}.get(given.text("advice", 4))
    table = await tables(request).gathering.create(
        who, NewTable(game.id, plans, options, clock, visibility, advice), given.key
    )
    return with_login(go(f"/t/{table}"), request, login)


def _clock(given: Fields) -> Clock | None:
    """The clock that the form describes. What only long ones can heed is left out of short ones."""
    pace = given.text("pace", 20)
    clock = PACES.get(pace)
    if pace == _OWN:
        bank, increment, cap = (_HOUR * given.number(f"clock.{name}") for name in ("bank", "increment", "cap"))
        clock = Clock(bank, increment, cap)
    if clock is None:
        return None
    heeded = {name: bool(given.text(f"clock.{name}")) and clock.bank_s >= LONG_S for name in _HEEDED}
    at_zero: Any = given.text("clock.at_zero", 20) or clock.at_zero
    return msgspec.structs.replace(clock, at_zero=at_zero, **heeded)


def _option_value(option: Any, given: Fields) -> Any:
    text = given.text(f"option.{option.id}", 40)
    if isinstance(option, Flag):
        return bool(text)
    if isinstance(option, Int | Enum):
        return option.read(text) if text else option.default
    raise OptionError(f"option {option.id!r} can't be set by a form")


def _seat_plan(given: Fields, seat: int) -> SeatPlan:
    kind, _, level = given.text(f"seat.{seat}", 60).partition(":")
    name = given.text(f"name.{seat}", 60).strip()
    return SeatPlan(kind, name=name if kind == "device" else "", bot=level)  # type: ignore[arg-type]


# -- taking a seat -------------------------------------------------------------------------------------------------


@pages.at("/t/{id}/join", "POST")
async def join(request: Request) -> Response:
    """Sit down on an open seat."""
    given = await form(request)
    seat = given.number_if_any("take")
    who, login = await signed_in(request, given)
    await tables(request).gathering.join(who, table_id(request), seat, given.key)
    return with_login(go(f"/t/{table_id(request)}"), request, login)


@pages.at("/t/{id}/seat", "POST")
async def set_seat(request: Request) -> Response:
    """Give a seat that nobody has taken to a bot."""
    given = await form(request)
    plan = SeatPlan("bot", bot=given.text("bot", 60))
    await tables(request).gathering.set_seat(request.state.user, table_id(request), given.number("take"), plan)
    return await after(request, given)


@pages.at("/t/{id}/invite", "POST")
async def invite(request: Request) -> Response:
    """A link for a seat, to be sent to whoever shall sit there."""
    given = await form(request)
    token = await tables(request).gathering.invite(request.state.user, table_id(request), given.seat)
    link = f"{request.base_url}join#{token}"
    view = await view_of(request)
    return render(request, "invite", view=view, seat=given.seat, link=link, words=words_of(request, view.game))


@pages.at("/join")
async def join_door(request: Request) -> Response:
    """The page behind an invite link; its script posts what stands after the #."""
    return render(request, "door", action="/join", purpose="join")


@pages.at("/join", "POST")
async def join_by_link(request: Request) -> Response:
    """First show the table that one is invited to; then, with a name, sit down."""
    given = await form(request)
    tables(request).limits.hit("token", address(request.scope))
    token = given.text("token", 200).strip()
    if "accept" not in given:
        card = await tables(request).gathering.invited(token)
        shown = cover(game_of(request, card.game), language_of(request))
        return render(request, "invited", card=card, token=token, words=words_of(request, card.game), cover=shown)
    who, login = await signed_in(request, given)
    table, _ = await tables(request).gathering.accept(who, token)
    return with_login(go(f"/t/{table}"), request, login)


# -- the start -----------------------------------------------------------------------------------------------------


@pages.at("/t/{id}/commit", "POST")
async def commit(request: Request) -> Response:
    """Take what fixes this browser's share of the chance."""
    given = await form(request)
    await tables(request).gathering.commit(request.state.user, table_id(request), given.seat, given.text("share", 64))
    return await after(request, given)


@pages.at("/t/{id}/contribute", "POST")
async def contribute(request: Request) -> Response:
    """Take this browser's share of the chance."""
    given = await form(request)
    await tables(request).gathering.contribute(
        request.state.user, table_id(request), given.seat, given.text("share", 64)
    )
    return await after(request, given)


@pages.at("/t/{id}/start", "POST")
async def start(request: Request) -> Response:
    """Wait no longer for what browsers add to the chance."""
    given = await form(request)
    await tables(request).gathering.start(request.state.user, table_id(request))
    return await after(request, given)


@pages.at("/t/{id}/rematch", "POST")
async def rematch(request: Request) -> Response:
    """The same people once more."""
    return go("/t/" + await tables(request).gathering.rematch(request.state.user, table_id(request)))
