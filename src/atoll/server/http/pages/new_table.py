"""The form for a new table: game, options, seats, clock.

What stands in it is what was given, in its address or by a form that isn't taken, else what is usual: nothing that was
chosen is lost when another number of players is looked at, or when something is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from atoll.engine import Game
from atoll.engine.errors import OptionError
from atoll.engine.options import Enum, Flag, Int
from atoll.engine.rulebook import rulebook

from ...domain import sanitize
from ...domain.model import LONG_S, AtZero, Clock, NewTable, Refused, SeatPlan
from ...presentation.pictures import Cover
from ...presentation.texts import site
from ..session import tables
from .context import Pages, covers, game_of, go, language_of, reason, render, signed_in, with_login, words_of
from .forms import Fields, form, query

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
_FRIENDS: Final = "friends"
"""Who comes by an address with this wants others invited rather than bots."""
_HEEDED: Final = ("hours", "weekend", "vacation")
_HOURS: Final = {"bank": 72, "increment": 24, "cap": 168}
_MOST_HOURS: Final = 2160
_AT_FIELD: Final = {"bad_name": "name", "bad_seats": "seats"}
"""Where the form says why it isn't taken."""

pages = Pages()


@pages.at("/new")
async def new(request: Request) -> Response:
    """Create a table: game, options, seats."""
    given = query(request)
    wanted = given.text("game", 40)
    game = game_of(request, wanted) if wanted else _first(covers(request)).game
    return _page(request, game, given.number_if_any("seats"), given)


def _first(covers: Sequence[Cover]) -> Cover:
    if not covers:
        raise Refused("broken_game", 503, "no game can be shown just now")
    return covers[0]


def _page(
    request: Request,
    game: Game,
    seats: int | None,
    given: Fields,
    problems: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    """The form for a table. seats: how many; if that isn't possible, the least that are, or that show a first game.

    problems: what is wrong, by the field.
    """
    shown = covers(request)
    if game.id not in [each.game.id for each in shown]:
        raise Refused("broken_game", 503, "this game can't be shown just now; the others can")
    first_game = given.text("options") == "first"
    fewest = rulebook(game).card.first_seats if first_game else game.seat_counts[0]
    count = seats if seats in game.seat_counts else fewest
    possible = game.option_sets(count)
    catalogue = tables(request).catalogue
    usual_level = catalogue.easiest(game.id) if first_game else catalogue.usual(game.id)
    levels = catalogue.offered(game.id, count)
    # Who looks at another game, or at the options for a first one, has chosen none of these.
    kind = f"{game.id}.{'first' if first_game else 'usual'}"
    chosen = given if given.text("options.of", 60) == kind else Fields({})
    return render(
        request,
        "new",
        status=status,
        covers=shown,
        game=game,
        count=count,
        words=words_of(request, game.id),
        options=[_option_field(o, [values[o.id] for values in possible], chosen, first_game) for o in game.options],
        first_game=first_game,
        company=_FRIENDS if given.text("with") == _FRIENDS else "",
        options_of=kind,
        plans=[_planned(given, seat, levels if chosen is given else (), usual_level) for seat in range(count)],
        levels=levels,
        has_trained=catalogue.has_trained(game.id, levels),
        stand_in=_stand_in(given, levels, catalogue.usual(game.id)),
        paces=PACES,
        hours=_HOURS,
        most_hours=_MOST_HOURS,
        at_zero=get_args(AtZero),
        heeded={
            name: bool(given.text(f"clock.{name}")) if _is_whole(given) else name == "vacation" for name in _HEEDED
        },
        given=given,
        problems=problems or {},
    )


def _is_whole(given: Fields) -> bool:
    """Whether all of the form was given, so that a box that isn't named is empty."""
    return "seat.0" in given


def _planned(given: Fields, seat: int, levels: Sequence[str], usual_level: str) -> str:
    """Who shall sit there, as the form names it."""
    wanted = given.text(f"seat.{seat}", 60)
    possible = ("me", "invite", "open", "device", *(f"bot:{level}" for level in levels))
    if wanted in possible:
        return wanted
    if seat == 0 and not wanted:
        return "me"
    return "invite" if given.text("with") == _FRIENDS else f"bot:{usual_level}"


def _stand_in(given: Fields, levels: Sequence[str], usual: str) -> str:
    """Return the level that the form shows for the bot that plays for a person who leaves."""
    wanted = given.text("stand_in", 60)
    return wanted if wanted in levels else usual


def _option_field(option: Any, possible: Sequence[Any], given: Fields, first_game: bool) -> dict[str, Any]:
    """What the form shows of an option, set to what was given, else to its usual value or the one for a first game.

    possible: the values that exist with this number of players. If there is only one, there is nothing to choose.
    """
    kind = "flag" if isinstance(option, Flag) else "enum" if isinstance(option, Enum) else "int"
    described: dict[str, Any] = option.describe()
    if kind == "enum":
        described["allowed"] = [value for value in option.allowed if value in possible]
    value = option.first if first_game and option.first is not None else option.default
    text = given.text(f"option.{option.id}", 40)
    if kind == "flag":
        value = bool(text) if _is_whole(given) else value
    elif text and (kind == "int" or text in described["allowed"]):
        value = text
    fixed = kind != "int" and len(set(possible)) == 1
    first = option.first if option.first in possible else None
    return described | {"kind": kind, "default": possible[0] if fixed else value, "fixed": fixed, "first": first}


@pages.at("/new", "POST")
async def create(request: Request) -> Response:
    """Make the table that the form describes; or show what is wrong with it."""
    given = await form(request)
    game = game_of(request, given.text("game", 40))
    count = given.number("seats")
    if count not in game.seat_counts:
        raise Refused("bad_seats", 422, f"{game.id} can't be played with {count} seats")
    options, problems = _options(request, game, count, given)
    clock = _clock(request, given, problems)
    named = [f"name.{seat}" for seat in range(count) if given.text(f"seat.{seat}") == "device"]
    for name in named if request.state.user is not None else ["name", *named]:
        _check(request, problems, name, given.text(name, 200))
    if problems:
        return _page(request, game, count, given, problems, 422)
    plans = tuple(_seat_plan(given, seat) for seat in range(count))
    visibility: Any = given.text("visibility", 20) or ("lobby" if any(p.kind == "open" for p in plans) else "link")
    advice = {"yes": True, "no": False}.get(given.text("advice", 4))
    who, login = await signed_in(request, given)
    wanted = NewTable(game.id, plans, options, clock, visibility, advice, given.text("stand_in", 60))
    try:
        table = await tables(request).gathering.create(who, wanted, given.key)
    except Refused as error:
        problems = {_AT_FIELD.get(error.code, ""): reason(request, error)}
        return with_login(_page(request, game, count, given, problems, error.status), request, login)
    return with_login(go(f"/t/{table}"), request, login)


def _check(request: Request, problems: dict[str, str], field: str, name: str) -> None:
    """Note what is wrong with a person's name; none at all is filled in."""
    try:
        if name.strip():
            sanitize.name(name)
    except Refused as error:
        problems[field] = reason(request, error)


def _options(request: Request, game: Game, count: int, given: Fields) -> tuple[dict[str, Any], dict[str, str]]:
    """The options of the form, and what is wrong with them, by the field."""
    t = site(language_of(request)).text
    options: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for option in game.options:
        text = given.text(f"option.{option.id}", 40)
        try:
            options[option.id] = (
                bool(text) if isinstance(option, Flag) else option.read(text) if text else option.default
            )
        except OptionError:
            limits = {"lo": option.lo, "hi": option.hi} if isinstance(option, Int) else {}
            problems[f"option.{option.id}"] = t("new.bad_number", **limits) if limits else t("new.bad_choice")
    if not problems:
        try:
            game.resolve_options(options, count)
        except OptionError:
            problems["options"] = t("new.bad_options")
    return options, problems


def _clock(request: Request, given: Fields, problems: dict[str, str]) -> Clock | None:
    """The clock that the form describes. What only long ones can heed is left out of short ones.

    problems: what is wrong with it is noted there.
    """
    pace = given.text("pace", 20)
    clock = PACES.get(pace)
    if pace == _OWN:
        clock = _own_clock(request, given, problems)
    if clock is None:
        return None
    heeded = {name: bool(given.text(f"clock.{name}")) and clock.bank_s >= LONG_S for name in _HEEDED}
    at_zero: Any = given.text("clock.at_zero", 20) or clock.at_zero
    return msgspec.structs.replace(clock, at_zero=at_zero, **heeded)


def _own_clock(request: Request, given: Fields, problems: dict[str, str]) -> Clock | None:
    t = site(language_of(request)).text
    hours: dict[str, int] = {}
    for name in _HOURS:
        least = 0 if name == "increment" else 1
        try:
            hours[name] = given.number(f"clock.{name}")
        except Refused:
            hours[name] = -1
        if not least <= hours[name] <= _MOST_HOURS:
            problems[f"clock.{name}"] = t("new.bad_number", lo=least, hi=_MOST_HOURS)
    if not any(name.startswith("clock.") for name in problems) and hours["cap"] < hours["bank"]:
        problems["clock.cap"] = t("new.bad_cap")
    if problems:
        return None
    bank, increment, cap = (_HOUR * hours[name] for name in _HOURS)
    return Clock(bank, increment, cap)


def _seat_plan(given: Fields, seat: int) -> SeatPlan:
    kind, _, level = given.text(f"seat.{seat}", 60).partition(":")
    name = given.text(f"name.{seat}", 200).strip()
    return SeatPlan(kind, name=name if kind == "device" else "", bot=level)  # type: ignore[arg-type]
