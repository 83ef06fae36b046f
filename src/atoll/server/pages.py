"""The HTML pages: start, lobby, tables and all that belongs to them.

Each page works without JavaScript: every action is a form that is posted and answered by a redirect. With the header
`X-Fragment` the same requests answer with the part of the page that changed, or with JSON.
"""

from __future__ import annotations

import functools
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from atoll.engine import Game
from atoll.engine.errors import AtollError, OptionError, WordsError
from atoll.engine.options import Enum, Flag, Int
from atoll.engine.words import LANGUAGES, Words
from atoll.picture.brush import number, signed

from . import curve, scene
from .http import COOKIE, address, service, sign_in, sign_out
from .model import Clock, NewTable, Refused, SeatPlan, Settings, TableCard, TableView

THEMES: Final = ("auto", "light", "dark")
PREFERENCES: Final = "atoll_preferences"
NO_SHORTCUTS: Final = "nokeys"
FRAGMENT: Final = "x-fragment"
LONGEST_LIST: Final = 12
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
PACES: Final = {
    "quick": Clock(bank_s=600, increment_s=15, cap_s=900),
    "evening": Clock(bank_s=_HOUR, increment_s=60, cap_s=_HOUR),
    "daily": Clock(bank_s=7 * _DAY, increment_s=_DAY, cap_s=14 * _DAY),
}
_YEAR: Final = 365 * 24 * 3600

Handler = Callable[[Request], Awaitable[Response]]
routes: list[BaseRoute] = []


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("atoll.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"n": number, "signed": signed}
    return environment


TEMPLATES: Final = _environment()


def page(path: str, *methods: str) -> Callable[[Handler], Handler]:
    """Serve a path with the decorated handler; GET unless other methods are named."""

    def register(handler: Handler) -> Handler:
        routes.append(Route(path, handler, methods=list(methods) or ["GET"], name=handler.__name__))
        return handler

    return register


# -- what every page knows -----------------------------------------------------------------------------------------


def settings_of(request: Request) -> Settings:
    """The reader's settings: of the account, else from the cookie, else what the browser asks for."""
    user = request.state.user
    if user is not None:
        settings: Settings = user.settings
        return settings
    language, theme, shortcuts = (*request.cookies.get(PREFERENCES, "").split("."), "", "", "")[:3]
    return Settings(
        language=language if language in LANGUAGES else "",
        theme=theme if theme in THEMES else "auto",  # type: ignore[arg-type]
        shortcuts=shortcuts != NO_SHORTCUTS,
    )


def language_of(request: Request) -> str:
    """The language of the page: as set, else the first known one that the browser asks for, else English."""
    wanted = settings_of(request).language
    if wanted:
        return wanted
    for part in request.headers.get("accept-language", "").split(","):
        code = part.split(";")[0].strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def _context(request: Request) -> dict[str, Any]:
    language = language_of(request)
    texts = scene.site(language)
    return {
        "t": texts.text,
        "has_text": texts.has,
        "language": language,
        "languages": LANGUAGES,
        "settings": settings_of(request),
        "user": request.state.user,
        "csrf": request.state.csrf,
        "nonce": request.state.nonce,
        "key": secrets.token_urlsafe(12),
        "here": _here(request),
        "title_of": functools.partial(_title_of, request),
    }


def _here(request: Request) -> str:
    """The address to come back to after a change of language or colours."""
    if request.method != "GET":
        return "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _title_of(request: Request, game_id: str) -> str:
    return scene.game_title(_game(request, game_id), language_of(request))


def _game(request: Request, game_id: str) -> Game:
    for game in service(request).games():
        if game.id == game_id:
            return game
    raise Refused("no_page", 404, "there is no such game")


def render(request: Request, template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template."""
    html = TEMPLATES.get_template(f"{template}.html.jinja").render(_context(request) | values)
    return HTMLResponse(html, status_code=status)


def go(address: str) -> Response:
    """After a form: show this address. Only addresses of this site."""
    safe = address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"
    return RedirectResponse(safe, status_code=303)


async def refused(request: Request, error: Refused) -> Response:
    """The page, or for scripts the JSON, that says why a request wasn't carried out."""
    texts = scene.site(language_of(request))
    key = f"refused.{error.code}"
    sentence = texts.text(key, **error.fields) if texts.has(key) else texts.text("refused.other")
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else None
    if FRAGMENT in request.headers:
        return JSONResponse({"code": error.code, "text": sentence}, status_code=error.status, headers=headers)
    response = render(request, "refused", status=error.status, sentence=sentence, code=error.code)
    response.headers.update(headers or {})
    return response


async def missing(request: Request, _: Exception) -> Response:
    """The page for an address that isn't there."""
    return await refused(request, Refused("no_page", 404, "there is no such page"))


def _text(form: FormData, name: str, longest: int = 2000) -> str:
    value = form.get(name, "")
    return value[:longest] if isinstance(value, str) else ""


def _number(text: str, what: str) -> int:
    try:
        return int(text[:12])
    except ValueError:
        raise Refused("malformed", 422, f"{what}: {text[:40]!r} is no number") from None


async def _signed_in(request: Request, form: FormData) -> tuple[Any, Any]:
    """The reader, and the login of a guest who is made on the spot for one without an account."""
    if request.state.user is not None:
        return request.state.user, None
    name = _text(form, "name").strip() or scene.site(language_of(request)).text("guest.name")
    service(request).limits.hit("guest", address(request.scope))
    login = await service(request).guest(name, settings_of(request))
    return login.user, login


def _with_login(response: Response, request: Request, login: Any) -> Response:
    if login is not None:
        sign_in(response, request, login)
    return response


# -- start, lists, people ------------------------------------------------------------------------------------------


@page("/")
async def start(request: Request) -> Response:
    """Play now, first of all; then one's own tables and those that await players."""
    who = request.state.user
    mine = await service(request).my_tables(who) if who is not None else ()
    lobby = await service(request).lobby(who)
    return render(
        request, "start", covers=_covers(request), mine=_cards(request, mine)[:6], lobby=_cards(request, lobby)[:6]
    )


def _covers(request: Request) -> list[scene.Cover]:
    """The games that can be shown."""
    found = (scene.cover(game, language_of(request)) for game in service(request).games())
    return [each for each in found if each is not None]


def _cards(request: Request, tables: Sequence[TableCard]) -> list[Markup]:
    """Tables as they stand in lists; those of a game that can't be shown are left out."""
    words = {each.game.id: each.words for each in _covers(request)}
    card = TEMPLATES.get_template("parts.html.jinja").module.table_card  # type: ignore[attr-defined]
    texts = scene.site(language_of(request))
    shown = []
    for each in tables:
        if each.game not in words:
            continue
        try:
            shown.append(card(each, words[each.game], texts.text, words[each.game].title()))
        except WordsError as error:
            scene.report(each.game, str(error))
    return shown


def _usual_level(request: Request, game: Game) -> str:
    """The bot for whoever hasn't chosen one: neither the weakest nor the strongest, if there are several."""
    levels: Sequence[str] = service(request).bots(game.id)
    return levels[(len(levels) - 1) // 2]


def _words_of(request: Request, game_id: str) -> Words:
    return Words(_game(request, game_id), language_of(request))


@page("/play", "POST")
async def play(request: Request) -> Response:
    """Start a game against bots at once."""
    form = await request.form()
    who, login = await _signed_in(request, form)
    game = _game(request, _text(form, "game", 40))
    table = await service(request).play_now(who, game.id, _usual_level(request, game), _text(form, "key", 64))
    return _with_login(go(f"/t/{table}"), request, login)


@page("/lobby")
async def lobby(request: Request) -> Response:
    """Tables that await players, and those that can be watched."""
    tables = await service(request).lobby(request.state.user)
    return render(request, "lobby", cards=_cards(request, tables))


@page("/mine")
async def mine(request: Request) -> Response:
    """The reader's tables, those where it's their turn first."""
    who = request.state.user
    tables = await service(request).my_tables(who) if who is not None else ()
    return render(request, "mine", cards=_cards(request, tables))


@page("/new")
async def new(request: Request) -> Response:
    """Create a table: game, options, seats."""
    wanted = request.query_params.get("game", "")
    game = _game(request, wanted) if wanted else _first(_covers(request)).game
    seats = request.query_params.get("seats", "")
    count = int(seats) if seats.isdigit() and int(seats) in game.seat_counts else game.seat_counts[0]
    return _new_page(request, game, count, first_game=request.query_params.get("options") == "first")


def _first(covers: Sequence[scene.Cover]) -> scene.Cover:
    if not covers:
        raise Refused("broken_game", 503, "no game can be shown just now")
    return covers[0]


def _new_page(
    request: Request, game: Game, count: int, problem: str = "", status: int = 200, *, first_game: bool = False
) -> Response:
    covers = _covers(request)
    if game.id not in [each.game.id for each in covers]:
        raise Refused("broken_game", 503, "this game can't be shown just now; the others can")
    possible = game.option_sets(count)
    return render(
        request,
        "new",
        status=status,
        covers=covers,
        game=game,
        count=count,
        words=Words(game, language_of(request)),
        options=[_option_field(each, [values[each.id] for values in possible], first_game) for each in game.options],
        first_game=first_game if any(option.first is not None for option in game.options) else None,
        levels=service(request).bots(game.id),
        usual_level=_usual_level(request, game),
        paces=PACES,
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
    return described | {"kind": kind, "default": possible[0] if fixed else value, "fixed": fixed}


@page("/new", "POST")
async def create(request: Request) -> Response:
    """Make the table that the form describes."""
    form = await request.form()
    game = _game(request, _text(form, "game", 40))
    count = _number(_text(form, "seats", 4), "seats")
    who, login = await _signed_in(request, form)
    try:
        options = {o.id: _option_value(o, form) for o in game.options}
        game.resolve_options(options, count)
    except AtollError as error:
        text = scene.site(language_of(request)).text("new.bad_options", detail=str(error))
        page_again = _new_page(request, game, count if count in game.seat_counts else game.seat_counts[0], text, 422)
        return _with_login(page_again, request, login)
    plans = tuple(_seat_plan(form, seat) for seat in range(count))
    visibility: Any = _text(form, "visibility", 20) or "lobby"
    clock = PACES.get(_text(form, "pace", 20))
    advice = {"yes": True, "no": False}.get(_text(form, "advice", 4))
    wanted = NewTable(game.id, plans, options, clock, visibility, advice)
    table = await service(request).create(who, wanted, _text(form, "key", 64))
    return _with_login(go(f"/t/{table}"), request, login)


def _option_value(option: Any, form: FormData) -> Any:
    text = _text(form, f"option.{option.id}", 40)
    if isinstance(option, Flag):
        return bool(text)
    if isinstance(option, Int | Enum):
        return option.read(text) if text else option.default
    raise OptionError(f"option {option.id!r} can't be set by a form")


def _seat_plan(form: FormData, seat: int) -> SeatPlan:
    kind, _, level = _text(form, f"seat.{seat}", 60).partition(":")
    name = _text(form, f"name.{seat}", 60).strip()
    return SeatPlan(kind, name=name if kind == "device" else "", bot=level)  # type: ignore[arg-type]


@page("/settings")
async def settings(request: Request) -> Response:
    """Name, language, theme, shortcuts, sound, confirming."""
    return render(request, "settings", recovery="")


@page("/settings", "POST")
async def change_settings(request: Request) -> Response:
    """Set what the form names, leave the rest; then back to where the reader was."""
    form = await request.form()
    old = settings_of(request)
    language = _text(form, "language", 4) if "language" in form else old.language
    theme = _text(form, "theme", 8) if "theme" in form else old.theme
    whole = "whole" in form
    changed = Settings(
        language=language if language in LANGUAGES else "",
        theme=theme if theme in THEMES else "auto",  # type: ignore[arg-type]
        sound=bool(_text(form, "sound")) if whole else old.sound,
        confirm_single=bool(_text(form, "confirm")) if whole else old.confirm_single,
        shortcuts=bool(_text(form, "shortcuts")) if whole else old.shortcuts,
    )
    who = request.state.user
    if who is not None:
        who = await service(request).set_settings(who, changed)
        name = _text(form, "name").strip()
        if whole and name and name != who.name:
            await service(request).rename(who, name)
    response = go(_text(form, "back") or "/settings")
    kept = f"{changed.language}.{changed.theme}" + ("" if changed.shortcuts else f".{NO_SHORTCUTS}")
    response.set_cookie(PREFERENCES, kept, max_age=_YEAR, path="/", httponly=True, samesite="lax")
    return response


@page("/recovery", "POST")
async def recovery(request: Request) -> Response:
    """Show a link that brings this guest's seats to another device."""
    token = await service(request).recovery_token(request.state.user)
    return render(request, "settings", recovery=f"{request.base_url}recover#{token}")


@page("/recover")
async def recover(request: Request) -> Response:
    """The page behind a recovery link; its script posts what stands after the #."""
    return render(request, "door", action="/recover", purpose="recover")


@page("/recover", "POST")
async def recovered(request: Request) -> Response:
    """Sign in with the token of a recovery link."""
    form = await request.form()
    service(request).limits.hit("token", address(request.scope))
    login = await service(request).recover(_text(form, "token", 200).strip())
    return _with_login(go("/mine"), request, login)


@page("/sign-out", "POST")
async def leave_site(request: Request) -> Response:
    """Forget on this device who the reader is."""
    await service(request).sign_out(request.cookies.get(COOKIE, ""))
    response = go("/")
    sign_out(response)
    return response


@page("/join")
async def join_door(request: Request) -> Response:
    """The page behind an invite link; its script posts what stands after the #."""
    return render(request, "door", action="/join", purpose="join")


@page("/join", "POST")
async def join_by_link(request: Request) -> Response:
    """First show the table that one is invited to; then, with a name, sit down."""
    form = await request.form()
    service(request).limits.hit("token", address(request.scope))
    token = _text(form, "token", 200).strip()
    if "accept" not in form:
        card = await service(request).invited(token)
        words = _words_of(request, card.game)
        return render(request, "invited", card=card, token=token, words=words)
    who, login = await _signed_in(request, form)
    table, _ = await service(request).accept(who, token)
    return _with_login(go(f"/t/{table}"), request, login)


@page("/about")
async def about(request: Request) -> Response:
    """What Atoll is, who the games belong to, licences."""
    return render(request, "about")


@page("/rules/{game}")
async def rules(request: Request) -> Response:
    """The rules of a game, one after the other, each with an address of its own."""
    game = _game(request, request.path_params["game"])
    language = language_of(request)
    return render(request, "rules", game=game, rules=scene.rules(game, language))


# -- the table -----------------------------------------------------------------------------------------------------


def _seat_of(request: Request) -> int | None:
    text = request.query_params.get("seat", "")
    return int(text) if text.isdigit() and len(text) < 3 else None


async def _view(request: Request, seat: int | None = None) -> TableView:
    table: str = request.path_params["id"]
    view: TableView = await service(request).table(request.state.user, table, seat=seat)
    return view


def _asked(view: TableView) -> list[int]:
    """The reader's seats that are asked now."""
    return [seat for seat in view.my_seats if view.seats[seat].to_move and not view.seats[seat].ready]


async def _sit(request: Request, seat: int | None, *, asked_for: bool) -> tuple[TableView, int | None]:
    """The table from the right one of the reader's seats, and the seat that a curtain waits for (None: no curtain).

    People who share a device hand it over: the page goes to the seat that is asked. Where seats have secrets it shows
    a curtain until the next one says who they are. asked_for: the address names the seat, so it is shown.
    """
    view = await _view(request, seat)
    if len(view.my_seats) < 2 or view.status != "running":
        return view, None
    asked = _asked(view)
    if seat is not None and (asked_for or not asked or seat in asked):
        return view, None
    following = asked[0] if asked else view.my_seats[0]
    if scene.has_secrets(_game(request, view.game)):
        return view, following
    return (view if view.seat == following else await _view(request, following)), None


def _table_values(request: Request, view: TableView, *, hidden: int | None) -> dict[str, Any]:
    game = _game(request, view.game)
    language = language_of(request)
    texts = scene.site(language)
    words = scene.words_for(game, language, view.seats)
    shown = view.view if hidden is None else None
    question = scene.question(game, shown, words) if view.turn is not None and not view.turn.can_confirm else None
    drawn = scene.regions(game, shown, words)
    return {
        "game": game,
        "view": view,
        "hidden": hidden,
        "words": words,
        "script": scene.has_script(game),
        "symbols": scene.symbols(game),
        "regions": drawn,
        "seats_first": _seats_from(view),
        "question": question,
        "advised": [] if hidden is not None else scene.prospects(view.advised, words, texts),
        "rule": scene.rule(game, question.rule, language) if question is not None else None,
        "data": _data(view, question, hidden=hidden is not None),
        "log": [] if hidden is not None else [(entry, scene.log_line(entry, words, texts)) for entry in view.log],
        "score_lines": scene.score_lines(view, words),
        "ranked": _ranked(view),
        "longest_list": LONGEST_LIST,
        "seat_query": "" if view.seat is None else f"?seat={view.seat}",
    }


def _seats_from(view: TableView) -> list[int]:
    """The seats clockwise, beginning with the viewer's own."""
    first = view.seat or 0
    return [(first + step) % len(view.seats) for step in range(len(view.seats))]


def _ranked(view: TableView) -> list[int]:
    """The seats of a finished game, the best first."""
    places = view.score.places if view.score is not None else ()
    return sorted(range(len(places)), key=places.__getitem__)


def _data(view: TableView, question: scene.Question | None, *, hidden: bool) -> Markup:
    """What the page's scripts need, as JSON that is safe inside a script element. Behind a curtain: next to nothing."""
    turn = None if hidden else view.turn
    data = {
        "table": view.id,
        "version": view.version,
        "seat": None if hidden else view.seat,
        "sequence": view.view_sequence,
        "over": view.status == "over",
        "stamp": turn.stamp if turn is not None else "",
        "mine": turn is not None and not turn.sealed_in,
        "confirm": turn is not None and turn.can_confirm,
        "contribute": "contribute" in view.can,
        "question": question.to_json() if question is not None else None,
        "advised": "" if hidden or view.advised is None else view.advised.prospects[0].text,
    }
    return safe_json(data)


def safe_json(data: Any) -> Markup:
    """JSON that can stand inside a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))  # noqa: S704 - no markup can be left in it


async def _answer(request: Request, view: TableView, hidden: int | None) -> Response:
    template = "table_main" if FRAGMENT in request.headers else "table"
    values = _table_values(request, view, hidden=hidden)
    if view.status == "over":
        values |= await _study_values(request, view, values["words"])
    return render(request, template, **values)


async def _study_values(request: Request, view: TableView, words: Words, at: int | None = None) -> dict[str, Any]:
    """What a strong bot says of a finished game. at: the moment that the reader looks at."""
    state = await service(request).analysis(request.state.user, view.id)
    texts = scene.site(language_of(request))
    study = None if state.analysis is None else curve.study(state.analysis, words, texts, at)
    return {"analysis": state, "study": study}


@page("/t/{id}")
async def table(request: Request) -> Response:
    """A table, as its reader may see it."""
    view, hidden = await _sit(request, _seat_of(request), asked_for=FRAGMENT not in request.headers)
    return await _answer(request, view, hidden)


def _choices(form: FormData, game: Game) -> list[int]:
    """The choices of a form, as ints or in their text form, separated by commas."""
    found: list[int] = []
    for text in filter(None, (part.strip() for part in _text(form, "choices").split(","))):
        try:
            found.append(int(text) if text.isdigit() and len(text) < 12 else game.parse(text))
        except AtollError as error:
            raise Refused("malformed", 422, str(error)) from None
    return found


@page("/t/{id}/choose", "POST")
async def choose(request: Request) -> Response:
    """Make choices in the open turn."""
    form = await request.form()
    view = await _view(request, _number(_text(form, "seat", 4), "seat"))
    choices = _choices(form, _game(request, view.game))
    confirm = True if _text(form, "confirm") else None
    await service(request).apply(
        request.state.user, view.id, _at(form), choices, _text(form, "stamp", 200), _text(form, "key", 64), confirm
    )
    return await _after(request, form)


def _at(form: FormData) -> int:
    return _number(_text(form, "seat", 4), "seat")


async def _after(request: Request, form: FormData) -> Response:
    """After a command: the changed page for scripts, else the page's address."""
    text = _text(form, "seat", 4)
    seat = int(text) if text.isdigit() else None
    if FRAGMENT in request.headers:
        return await _answer(request, *await _sit(request, seat, asked_for=False))
    several = len((await _view(request)).my_seats) > 1
    query = "" if seat is None or several else f"?seat={seat}"
    return go(f"/t/{request.path_params['id']}{query}")


def _turn_command(name: str) -> None:
    async def command(request: Request) -> Response:
        form = await request.form()
        act = getattr(service(request), name)
        await act(
            request.state.user, request.path_params["id"], _at(form), _text(form, "stamp", 200), _text(form, "key", 64)
        )
        return await _after(request, form)

    routes.append(Route(f"/t/{{id}}/{name}", command, methods=["POST"], name=name))


for _name in ("undo", "restart", "confirm"):
    _turn_command(_name)


@page("/t/{id}/advice", "POST")
async def advice(request: Request) -> Response:
    """Ask what a strong bot would do in the open turn."""
    form = await request.form()
    table: str = request.path_params["id"]
    await service(request).advise(request.state.user, table, _at(form), _text(form, "stamp", 200))
    # Shown at once: what a bot has said is kept only where it was asked.
    return await _answer(request, *await _sit(request, _at(form), asked_for=True))


@page("/t/{id}/analyse", "POST")
async def analyse(request: Request) -> Response:
    """Ask what a strong bot says of the finished game."""
    form = await request.form()
    await service(request).analyse(request.state.user, request.path_params["id"])
    return await _after(request, form)


@page("/t/{id}/preview")
async def preview(request: Request) -> Response:
    """The picture after some choices, and what would be asked then; nothing is stored."""
    view = await _view(request, _seat_of(request))
    if view.seat is None:
        raise Refused("not_asked", 409, "spectators choose nothing")
    texts = request.query_params.get("choices", "")[:2000].split(",")
    choices = [_number(text, "choice") for text in texts if text]
    seen = await service(request).preview(request.state.user, view.id, view.seat, choices)
    if seen is None:
        return JSONResponse({"html": None, "question": None})
    game = _game(request, view.game)
    words = scene.words_for(game, language_of(request), view.seats)
    question = scene.question(game, seen, words)
    html = TEMPLATES.get_template("regions.html.jinja").render(
        _context(request)
        | {
            "regions": scene.regions(game, seen, words),
            "view": view,
            "words": words,
            "seats_first": _seats_from(view),
        }
    )
    return JSONResponse({"html": html, "question": question.to_json() if question is not None else None})


@page("/t/{id}/why")
async def why(request: Request) -> Response:
    """Why what an element stands for can't be done now."""
    view = await _view(request, _seat_of(request))
    game = _game(request, view.game)
    language = language_of(request)
    texts = scene.site(language)
    words = scene.words_for(game, language, view.seats)
    if view.seat is None or view.turn is None:
        waiting = [words.seat(s.seat) for s in view.seats if s.to_move]
        key = "why.spectator" if view.seat is None else "why.over" if view.status == "over" else "why.not_your_turn"
        return JSONResponse({"text": texts.text(key, names=", ".join(waiting)), "rule": ""})
    for pattern in request.query_params.get("choice", "")[:1000].split(";"):
        choice = scene.choice_meant(game, pattern, view.turn.legal)
        if choice is None:
            continue
        reason = await service(request).why_not(request.state.user, view.id, view.seat, choice)
        if reason is not None:
            return JSONResponse({"text": scene.why_not(reason, words, texts), "rule": reason.rule})
    return JSONResponse({"text": texts.text("why.unknown"), "rule": ""})


@page("/t/{id}/moment")
async def moment(request: Request) -> Response:
    """The picture of a past moment, for the replay's slider and for the moves since one last looked."""
    view = await _view(request, _seat_of(request))
    at = _number(request.query_params.get("at", "0"), "at")
    return render(request, "moment", **await _moment_values(request, view, at))


async def _moment_values(request: Request, view: TableView, at: int) -> dict[str, Any]:
    shown = await service(request).moment(request.state.user, view.id, at, view.seat)
    game = _game(request, view.game)
    language = language_of(request)
    texts = scene.site(language)
    words = scene.words_for(game, language, view.seats)
    study = await _study_values(request, view, words, shown.sequence) if view.status == "over" else {"study": None}
    return study | {
        "game": game,
        "view": view,
        "moment": shown,
        "words": words,
        "symbols": scene.symbols(game),
        "regions": scene.regions(game, shown.view, words),
        "seats_first": _seats_from(view),
        "log": [(entry, scene.log_line(entry, words, texts)) for entry in shown.log],
        "seat_query": "" if view.seat is None else f"&seat={view.seat}",
    }


@page("/t/{id}/replay")
async def replay(request: Request) -> Response:
    """The whole game, moment by moment, from the reader's rights."""
    view = await _view(request, _seat_of(request))
    at = request.query_params.get("at", "")
    wanted = _number(at, "at") if at else 0
    return render(
        request, "replay", levels=service(request).bots(view.game), **await _moment_values(request, view, wanted)
    )


@page("/t/{id}/play-on", "POST")
async def play_on(request: Request) -> Response:
    """Go on from a past moment, alone against bots."""
    form = await request.form()
    seat = _text(form, "seat", 4)
    table = await service(request).play_on(
        request.state.user,
        request.path_params["id"],
        _number(_text(form, "at", 12), "at"),
        int(seat) if seat.isdigit() else None,
        _text(form, "bot", 40),
    )
    return go(f"/t/{table}")


@page("/t/{id}/fairness")
async def fairness(request: Request) -> Response:
    """Check in the browser that chance was fixed before the game and used as it came."""
    view = await _view(request)
    proof = await service(request).fairness(request.state.user, view.id)
    game = _game(request, view.game)
    data = {
        "table": view.id,
        "commitment": proof.commitment,
        "contributions": proof.contributions,
        "seed": proof.seed,
        "draws": None
        if proof.draws is None
        else [{"index": d.index, "kind": d.kind, "pool": d.pool, "outcome": d.outcome} for d in proof.draws],
    }
    words = scene.words_for(game, language_of(request), view.seats)
    return render(request, "fairness", view=view, game=game, proof=proof, words=words, data=safe_json(data))


# -- what people do at a table besides playing -----------------------------------------------------------------------


@page("/t/{id}/say", "POST")
async def say(request: Request) -> Response:
    """Write to the others."""
    form = await request.form()
    text = _text(form, "text", 4000).strip()
    if text:
        await service(request).say(request.state.user, request.path_params["id"], text, _text(form, "key", 64))
    return await _after(request, form)


@page("/t/{id}/join", "POST")
async def join(request: Request) -> Response:
    """Sit down on an open seat."""
    form = await request.form()
    who, login = await _signed_in(request, form)
    seat = _text(form, "take", 4)
    await service(request).join(
        who, request.path_params["id"], int(seat) if seat.isdigit() else None, _text(form, "key", 64)
    )
    return _with_login(go(f"/t/{request.path_params['id']}"), request, login)


@page("/t/{id}/invite", "POST")
async def invite(request: Request) -> Response:
    """A link for a seat, to be sent to whoever shall sit there."""
    form = await request.form()
    seat = _at(form)
    token = await service(request).invite(request.state.user, request.path_params["id"], seat)
    link = f"{request.base_url}join#{token}"
    view = await _view(request)
    return render(request, "invite", view=view, seat=seat, link=link, words=_words_of(request, view.game))


@page("/t/{id}/contribute", "POST")
async def contribute(request: Request) -> Response:
    """Take this browser's share of the chance."""
    form = await request.form()
    await service(request).contribute(
        request.state.user, request.path_params["id"], _at(form), _text(form, "share", 64)
    )
    return await _after(request, form)


@page("/t/{id}/start", "POST")
async def start_now(request: Request) -> Response:
    """Begin without waiting any longer for shares of the chance."""
    form = await request.form()
    await service(request).start(request.state.user, request.path_params["id"])
    return await _after(request, form)


@page("/t/{id}/leave", "POST")
async def leave(request: Request) -> Response:
    """Give up a seat; in a running game a bot takes it."""
    form = await request.form()
    await service(request).leave(request.state.user, request.path_params["id"], _at(form))
    return go(f"/t/{request.path_params['id']}")


@page("/t/{id}/return", "POST")
async def come_back(request: Request) -> Response:
    """Take a seat back from the bot that stood in."""
    form = await request.form()
    await service(request).come_back(request.state.user, request.path_params["id"], _at(form))
    return go(f"/t/{request.path_params['id']}")


@page("/t/{id}/vote", "POST")
async def vote(request: Request) -> Response:
    """Agree to cancel the game or to let a bot take an absent one's seat, or withdraw that."""
    form = await request.form()
    await service(request).vote(
        request.state.user,
        request.path_params["id"],
        _at(form),
        _text(form, "subject", 40),
        _text(form, "answer", 8) == "yes",
    )
    return await _after(request, form)


@page("/t/{id}/rematch", "POST")
async def rematch(request: Request) -> Response:
    """The same people once more."""
    return go("/t/" + await service(request).rematch(request.state.user, request.path_params["id"]))


@page("/t/{id}/export")
async def export(request: Request) -> Response:
    """The game as a file, with the reader's rights."""
    table: str = request.path_params["id"]
    data = await service(request).export(request.state.user, table, _seat_of(request))
    name = quote(f"{table}.json")
    return JSONResponse(data, headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"})


# -- files ---------------------------------------------------------------------------------------------------------


async def game_file(request: Request) -> Response:
    """The style or script of a game's table."""
    game = _game(request, request.path_params["game"])
    name = request.path_params["name"]
    kinds: Mapping[str, str] = {"table.css": "text/css", "table.js": "text/javascript"}
    source = files(game.package).joinpath(name)
    if name not in kinds or not source.is_file():
        raise Refused("no_page", 404, "there is no such file")
    return Response(source.read_bytes(), media_type=kinds[name], headers={"Cache-Control": "no-cache"})


async def picture_style(request: Request) -> Response:
    """What the styles of all tables share."""
    source = files("atoll.picture").joinpath("picture.css")
    return Response(source.read_bytes(), media_type="text/css", headers={"Cache-Control": "no-cache"})


def _statics() -> Sequence[BaseRoute]:
    return (
        Route("/static/games/{game}/{name}", game_file),
        Route("/static/picture.css", picture_style),
        Mount("/static", StaticFiles(packages=[("atoll.server", "static")])),
    )


routes.extend(_statics())
