"""The form for a new table: game, options, seats and time control.

The fields keep their values when the number of players changes or a value is refused: they come
from the address or from the refused form. Missing values have their usual default.
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
from ...domain.paces import PACES
from ...domain.reliability import LEAST_RELIABILITY
from ...presentation.pictures import GameCover
from ...presentation.texts import site
from ..session import tables
from .context import (
    Pages,
    covers,
    game_of,
    language_of,
    reader_or_new_guest,
    redirect,
    refusal_text,
    render,
    with_login,
    words_of,
)
from .forms import FormFields, form, query

_HOUR: Final = 3600
_CUSTOM: Final = "own"
_FRIENDS: Final = "friends"
"""Value in the address that fills the seats with invitations instead of bots."""
_LONG_CLOCK_FIELDS: Final = ("hours", "weekend", "vacation")
_HOURS: Final = {"bank": 72, "increment": 24, "cap": 168}
_MOST_HOURS: Final = 2160
_FIELD_OF_REFUSAL: Final = {
    "bad_name": "name",
    "bad_seats": "seats",
    "not_rated": "rated",
    "no_ratings": "rated",
    "no_approval": "approval",
}
"""Refusal code -> field of the form that shows the reason."""

CHAT_AFTER: Final = ("players", "anyone", "nobody")
"""Values of `NewTable.chat_after`, the usual one first."""

pages = Pages()


@pages.route("/new")
async def new(request: Request) -> Response:
    """Show the form for a new table."""
    given = query(request)
    wanted = given.text("game", 40)
    game = game_of(request, wanted) if wanted else _first_cover(covers(request)).game
    return _form_page(request, game, given.number_if_any("seats"), given)


def _first_cover(covers: Sequence[GameCover]) -> GameCover:
    """Return the cover of the first game, or refuse the request if no game can be shown."""
    if not covers:
        raise Refused("broken_game", 503, "no game can be shown at the moment")
    return covers[0]


def _form_page(
    request: Request,
    game: Game,
    seats: int | None,
    given: FormFields,
    problems: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    """Return the page with the form for a table.

    Args:
        request: The request.
        game: The game.
        seats: Number of seats. An impossible number or None means the smallest possible one, or the
            recommended one for a first game.
        given: Values to fill in.
        problems: Problems of the form, by field.
        status: HTTP status.

    Raises:
        Refused: If the game can't be shown.
    """
    shown = covers(request)
    if game.id not in [each.game.id for each in shown]:
        raise Refused("broken_game", 503, "this game can't be shown at the moment; the others can")
    first_game = given.text("options") == "first"
    fewest = rulebook(game).card.first_seats if first_game else game.seat_counts[0]
    count = seats if seats in game.seat_counts else fewest
    possible = game.option_sets(count)
    catalogue = tables(request).catalogue
    usual_level = catalogue.beginner_level(game.id, count) if first_game else catalogue.default_level(game.id, count)
    levels = catalogue.levels(game.id, count)
    # After a switch to another game, or to the first-game options, the old choices don't apply.
    kind = f"{game.id}.{'first' if first_game else 'usual'}"
    chosen = given if given.text("options.of", 60) == kind else FormFields({})
    return render(
        request,
        "new",
        chat_after=CHAT_AFTER,
        has_ratings=tables(request).ratings.enabled,
        least_reliability=LEAST_RELIABILITY,
        status=status,
        covers=shown,
        game=game,
        count=count,
        words=words_of(request, game.id),
        options=[_option_field(o, [values[o.id] for values in possible], chosen, first_game) for o in game.options],
        first_game=first_game,
        company=_FRIENDS if given.text("with") == _FRIENDS else "",
        options_of=kind,
        plans=[_seat_field(given, seat, levels if chosen is given else (), usual_level) for seat in range(count)],
        levels=levels,
        has_trained=catalogue.has_trained(game.id, levels),
        stand_in=_stand_in(given, levels, catalogue.default_level(game.id, count)),
        paces=PACES,
        hours=_HOURS,
        most_hours=_MOST_HOURS,
        at_zero=get_args(AtZero),
        heeded={
            name: bool(given.text(f"clock.{name}")) if _is_complete(given) else name == "vacation"
            for name in _LONG_CLOCK_FIELDS
        },
        given=given,
        problems=problems or {},
    )


def _is_complete(given: FormFields) -> bool:
    """Return whether the whole form was submitted, so that a missing checkbox isn't checked."""
    return "seat.0" in given


def _seat_field(given: FormFields, seat: int, levels: Sequence[str], usual_level: str) -> str:
    """Return the value of the form field for the planned holder of a seat.

    Args:
        given: Submitted values.
        seat: Number of the seat.
        levels: Levels of bots that can be chosen.
        usual_level: Level that is selected by default.
    """
    wanted = given.text(f"seat.{seat}", 60)
    possible = ("me", "invite", "open", "device", *(f"bot:{level}" for level in levels))
    if wanted in possible:
        return wanted
    if seat == 0 and not wanted:
        return "me"
    return "invite" if given.text("with") == _FRIENDS else f"bot:{usual_level}"


def _stand_in(given: FormFields, levels: Sequence[str], usual: str) -> str:
    """Return the level of the bot that replaces a player who leaves, as the form shows it."""
    wanted = given.text("stand_in", 60)
    return wanted if wanted in levels else usual


def _option_field(option: Any, possible: Sequence[Any], given: FormFields, first_game: bool) -> dict[str, Any]:
    """Return the form field of an option of the game.

    The field is set to the submitted value, or else to the default or the value for a first game.

    Args:
        option: The option.
        possible: Values that exist with this number of players. If there is only one, the field is
            fixed.
        given: Submitted values.
        first_game: Whether the form is for a first game.
    """
    kind = "flag" if isinstance(option, Flag) else "enum" if isinstance(option, Enum) else "int"
    described: dict[str, Any] = option.describe()
    if kind == "enum":
        described["allowed"] = [value for value in option.allowed if value in possible]
    value = option.first_game_value if first_game and option.first_game_value is not None else option.default
    text = given.text(f"option.{option.id}", 40)
    if kind == "flag":
        value = bool(text) if _is_complete(given) else value
    elif text and (kind == "int" or text in described["allowed"]):
        value = text
    fixed = kind != "int" and len(set(possible)) == 1
    first = option.first_game_value if option.first_game_value in possible else None
    return described | {"kind": kind, "default": possible[0] if fixed else value, "fixed": fixed, "first": first}


@pages.route("/new", "POST")
async def create(request: Request) -> Response:
    """Create the table that the form describes, or show the form again with its problems."""
    given = await form(request)
    game = game_of(request, given.text("game", 40))
    count = given.number("seats")
    if count not in game.seat_counts:
        raise Refused("bad_seats", 422, f"invalid number of seats {count}: expected one of {game.seat_counts}")
    options, problems = _options(request, game, count, given)
    clock = _clock(request, given, problems)
    named = [f"name.{seat}" for seat in range(count) if given.text(f"seat.{seat}") == "device"]
    for name in named if request.state.user is not None else ["name", *named]:
        _check_name(request, problems, name, given.text(name, 200))
    plans = tuple(_seat_plan(given, seat) for seat in range(count))
    invited = given.text("invited", 100).strip()
    if invited:
        await _check_invited(request, problems, invited, plans)
    if problems:
        return _form_page(request, game, count, given, problems, 422)
    visibility: Any = given.text("visibility", 20) or ("lobby" if any(p.kind == "open" for p in plans) else "link")
    advice = {"yes": True, "no": False}.get(given.text("advice", 4))
    who, login = await reader_or_new_guest(request, given)
    after: Any = given.text("chat_after", 8) or CHAT_AFTER[0]
    if after not in CHAT_AFTER:
        raise Refused("bad_option", 422, f"chat_after: one of {', '.join(CHAT_AFTER)}")
    rated, least = bool(given.text("rated", 4)), given.number_if_any("least_reliability") or 0
    stand_in = given.text("stand_in", 60)
    agreed = (rated, least, bool(given.text("approval", 4)), language_of(request))
    wanted = NewTable(game.id, plans, options, clock, visibility, advice, stand_in, after, *agreed)
    try:
        table = await tables(request).table_setup.create(who, wanted, given.key)
    except Refused as error:
        problems = {_FIELD_OF_REFUSAL.get(error.code, ""): refusal_text(request, error)}
        return with_login(_form_page(request, game, count, given, problems, error.status), request, login)
    if invited:
        await tables(request).table_setup.invite_person(who, table, invited)
    return with_login(redirect(f"/t/{table}"), request, login)


async def _check_invited(request: Request, problems: dict[str, str], name: str, plans: Sequence[SeatPlan]) -> None:
    """Add a problem if an account can't be invited to the table.

    Args:
        request: The request.
        problems: Problems by field; a new one is added.
        name: Name of the account.
        plans: The planned holders of the seats.
    """
    if not any(plan.kind in ("invite", "open") for plan in plans):
        problems["invited"] = site(language_of(request)).text("refused.no_free_seat")
        return
    try:
        await tables(request).table_setup.invitable(request.state.user, name)
    except Refused as error:
        problems["invited"] = refusal_text(request, error)


def _check_name(request: Request, problems: dict[str, str], field: str, name: str) -> None:
    """Add a problem if a person's name is invalid; an empty name is allowed."""
    try:
        if name.strip():
            sanitize.name(name)
    except Refused as error:
        problems[field] = refusal_text(request, error)


def _options(request: Request, game: Game, count: int, given: FormFields) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the options of the form, and their problems by field."""
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


def _clock(request: Request, given: FormFields, problems: dict[str, str]) -> Clock | None:
    """Return the time control that the form describes, or None without one.

    Settings that need a long bank are dropped if the bank is shorter.

    Args:
        request: The request.
        given: Submitted values.
        problems: Problems by field; new ones are added.
    """
    pace = given.text("pace", 20)
    clock = PACES.get(pace)
    if pace == _CUSTOM:
        clock = _custom_clock(request, given, problems)
    if clock is None:
        return None
    heeded = {name: bool(given.text(f"clock.{name}")) and clock.bank_s >= LONG_S for name in _LONG_CLOCK_FIELDS}
    at_zero: Any = given.text("clock.at_zero", 20) or clock.at_zero
    return msgspec.structs.replace(clock, at_zero=at_zero, **heeded)


def _custom_clock(request: Request, given: FormFields, problems: dict[str, str]) -> Clock | None:
    """Return the custom time control of the form, or None if it is invalid; adds to `problems`."""
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


def _seat_plan(given: FormFields, seat: int) -> SeatPlan:
    """Return the planned holder of a seat."""
    kind, _, level = given.text(f"seat.{seat}", 60).partition(":")
    name = given.text(f"name.{seat}", 200).strip()
    return SeatPlan(kind, name=name if kind == "device" else "", bot=level)  # type: ignore[arg-type]
