"""Shared parts of all pages: the reader's language and settings, templates, and refusals."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, get_args
from urllib.parse import quote, urlsplit

from jinja2 import Environment
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from atoll.engine import Game
from atoll.engine.languages import ENGLISH, LANGUAGES
from atoll.engine.translations import language_names
from atoll.picture.fragments import Fragment, Sender, digests_in, fragment
from atoll.picture.svg_macros import number, signed
from atoll.picture.templates import templates

from ...domain import wall_clock
from ...domain.build_info import build_info
from ...domain.model import (
    HANDS,
    REACTIONS,
    TEXT_SIZES,
    THEMES,
    Login,
    Pace,
    Refused,
    Settings,
    TableSeats,
    TableView,
    TextSize,
    User,
)
from ...domain.names import bdi, isolated
from ...domain.notices import TABLE_NOTICES
from ...domain.paces import PACE_KINDS
from ...domain.playing_hours import zones
from ...play.table_lists import moment
from ...presentation import clocks, markup, pictures
from ...presentation.links import linkify
from ...presentation.nearby import host_nearby, is_this_machine
from ...presentation.operator_texts import OperatorText, operator_text
from ...presentation.score_chart import decimal
from ...presentation.texts import GameTexts, Texts, game_texts, options_line, site
from ..session import address, cookie, cookie_name, device, sign_in, tables
from .forms import FormFields
from .progress_cookie import progress_of

PACES: Final[tuple[str, ...]] = get_args(Pace)
PREFERENCES: Final = "preferences"
_LIKE_SLASH: Final = "\N{DIVISION SLASH}"
_LANGUAGE_NAMES: Final = tuple(language_names().items())
ZONE: Final = "zone"
NO_SHORTCUTS: Final = "nokeys"
SANCTIONS: Final = "/sanctions"
"""Page with the actions of moderators about the reader, which a banned reader is led to."""
FRAGMENTS: Final = "x-fragments"
"""Header of requests for changes. It lists the digests of the fragments that the page has."""
CSRF: Final = Markup("<csrf{:.<37}>").format("")
KEY: Final = Markup("<key{:.<11}>").format("")
NOW: Final = Markup("<now{:.<8}>").format("")
"""Placeholders for a page's tokens and the server's time, which have the same length.

Users can't insert them, because everything that users write is escaped.
"""

_RESTORED_MS: Final = 3 * 86_400_000
"""Milliseconds for which pages mention that the server was restored from a backup."""

Handler = Callable[[Request], Awaitable[Response]]


class Pages(list[BaseRoute]):
    """The routes of one module's pages."""

    def route(self, path: str, method: str = "GET") -> Callable[[Handler], Handler]:
        """Return a decorator that routes a path and method to the function."""

        def add(handler: Handler) -> Handler:
            """Add the route of the function."""
            self.append(Route(path, handler, methods=[method]))
            return handler

        return add


def profile_address(name: str, page: str = "") -> str:
    """Return the path of an account's profile, or of a page below it.

    A slash in a name would be a part of the path. Accounts are found by names that look alike, so
    that a letter that looks like it leads to the same account.
    """
    return f"/@{quote(name.replace('/', _LIKE_SLASH), safe='')}" + (f"/{page}" if page else "")


def _environment() -> Environment:
    """Return the Jinja environment of the pages."""
    environment = templates(__package__)
    environment.filters |= {
        "n": number,
        "signed": signed,
        "fragment": Fragment.of,
        "linked": linkify,
        "bdi": bdi,
        "isolated": isolated,
        "decimal": decimal,
    }
    environment.globals |= {
        "seat_mark": markup.seat_mark,
        "csrf": CSRF,
        "key": KEY,
        "server_now": NOW,
        "day": clocks.day,
        "moment": clocks.format_moment,
        "options_line": options_line,
        "profile_address": profile_address,
        "PACES": PACES,
        "PACE_KINDS": PACE_KINDS,
        "REACTIONS": REACTIONS,
        "TABLE_NOTICES": TABLE_NOTICES,
        "THEMES": THEMES,
        "TEXT_SIZES": TEXT_SIZES,
        "HANDS": HANDS,
        "atoll_version": build_info().version,
    }
    return environment


@fragment
def _cached_element(template: str, say: Callable[..., str], values: tuple[tuple[str, Any], ...]) -> Fragment:
    """Return the element that a template renders; cached."""
    written = _TEMPLATES.get_template(f"{template}.html.jinja").render(dict(values), t=say, parts=_parts(say))
    return Fragment.of(written)


def render_element(template: str, say: Callable[..., str], **values: Any) -> Fragment:
    """Return the element that a template renders, as a cached fragment.

    Args:
        template: A template of one element, which uses only these values and the shared macros.
        say: Returns texts of the site; `t` in the template.
        **values: The values, which must be hashable.
    """
    return _cached_element(template, say, tuple(values.items()))


@lru_cache
def _parts(t: Callable[..., str]) -> Any:
    """Return the macros of parts.html.jinja in the language of these texts."""
    return macros("parts", t=t)


def macros(template: str, /, **values: Any) -> Any:
    """Return the macros of a template as attributes; they know `values`, but not the reader."""
    return _TEMPLATES.get_template(f"{template}.html.jinja").make_module(values)


_TEMPLATES: Final = _environment()


# -- the reader ------------------------------------------------------------------------------------


def settings_of(request: Request) -> Settings:
    """Return the reader's settings: those of the account, or those in the cookie."""
    user = request.state.user
    if user is not None:
        settings: Settings = user.settings
        return settings
    chosen = (*cookie(request, PREFERENCES).split("."), *[""] * 6)[:6]
    language, theme, shortcuts, pace, text_size, hand = chosen
    return Settings(
        language=language if language in LANGUAGES else "",
        theme=theme if theme in THEMES else "auto",  # type: ignore[arg-type]
        text_size=text_size_of(text_size),
        hand="left" if hand == "left" else "right",
        shortcuts=shortcuts != NO_SHORTCUTS,
        pace=pace if pace in PACES else "normal",  # type: ignore[arg-type]
    )


def text_size_of(text: str) -> TextSize:
    """Return the size of texts that a form or cookie names, or the usual one."""
    return next((size for size in get_args(TextSize) if str(size) == text), 100)


def language_of(request: Request) -> str:
    """Return the language of the page: as set, else the browser's first known one, else English."""
    wanted = settings_of(request).language
    if wanted:
        return wanted
    for part in request.headers.get("accept-language", "").split(","):
        code = part.split(";")[0].strip()[:2].lower()
        if code in LANGUAGES:
            return code
    return ENGLISH


def zone_of(request: Request) -> str:
    """Return the reader's time zone: as set, else the browser's, else ""."""
    user = request.state.user
    zone: str = cookie(request, ZONE) if user is None or not user.calendar.zone else user.calendar.zone
    return zone if zone in zones() else ""


async def reader_or_new_guest(request: Request, form: FormFields) -> tuple[User, Login | None]:
    """Return the reader, and the login of a new guest if the reader wasn't signed in.

    Args:
        request: The request.
        form: The form, with the guest's name in `name`.

    Returns:
        The user, and the login of a new guest or None.
    """
    if request.state.user is not None:
        return request.state.user, None
    name = form.text("name").strip() or site(language_of(request)).text("guest.name")
    await tables(request).attempts.hit("guest", address(request.scope))
    login = await tables(request).users.guest(
        name,
        settings_of(request),
        learning=progress_of(request),
        device=device(request.scope),
        network=address(request.scope),
    )
    return login.user, login


# -- games -----------------------------------------------------------------------------------------


def game_of(request: Request, game_id: str) -> Game:
    """Return a game by its id.

    Args:
        request: The request.
        game_id: Id of the game.

    Raises:
        Refused: If the game doesn't exist.
    """
    catalogue = tables(request).catalogue
    if game_id not in tuple(catalogue.by_id):
        raise Refused("no_page", 404, "unknown game")
    return catalogue.game(game_id)


def covers(request: Request) -> list[pictures.GameCover]:
    """Return the covers of the games that can be shown."""
    found = (pictures.cover(game, language_of(request)) for game in tables(request).catalogue.games())
    return [each for each in found if each is not None]


def words_of(request: Request, game_id: str) -> GameTexts:
    """Return the texts of a game in the reader's language."""
    return game_texts(game_of(request, game_id), language_of(request))


def texts_of_table(request: Request, view: TableView | TableSeats) -> tuple[Game, GameTexts, Texts]:
    """Return the game of a table, its texts with the players' names, and the texts of the site."""
    game, language = game_of(request, view.game), language_of(request)
    return game, game_texts(game, language, view.seats), site(language)


# -- answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PageContext:
    """The names that all templates of pages know.

    Attributes:
        t: Returns texts of the site.
        level_name: Returns the name of a bot level.
        language: The reader's language.
        languages: Codes and names of all languages.
        settings: The reader's settings.
        user: The reader, or None.
        nonce: Nonce of inline scripts and styles.
        here: Address to return to after a change of settings.
        send: Renders fragments, except those that the page has already.
        zone: The reader's time zone, or "".
        zone_cookie: Name of the cookie in which scripts store the browser's time zone.
        menu: Renders the site's menu for pages of a game.
        site_address: Returns the address of the site as the browser knows it.
        nearby: Returns the address for other devices in the local network, or "".
        qr_code: Returns the QR code of an address, or None if other devices can't open it.
        of_operator: Returns a text of the operator by its name, or None; see `operator_text`.
        competitions_offered: Returns whether this server offers competitions.
        maintenance: Returns the announcement of maintenance that lasts now, or "".
        restored: Returns a sentence on the backup that the server was restored from, or "".
        has_archive: Whether the server has an archive.
        may_use_workshop: Returns whether the reader may edit components in the workshop.
    """

    t: Callable[..., str]
    level_name: Callable[[str], str]
    language: str
    languages: tuple[tuple[str, str], ...]
    settings: Settings
    user: User | None
    nonce: str
    here: str
    send: Sender
    zone: str
    zone_cookie: str
    menu: Callable[..., Markup]
    site_address: Callable[[], Any]
    nearby: Callable[[], str]
    qr_code: Callable[[str], Fragment | None]
    of_operator: Callable[[str], OperatorText | None]
    competitions_offered: Callable[[], bool]
    maintenance: Callable[[], Markup]
    restored: Callable[[], Markup]
    has_archive: bool
    may_use_workshop: Callable[[], bool]


def _context(request: Request) -> PageContext:
    """Return the values that all templates know."""
    language = language_of(request)
    texts = site(language)
    return PageContext(
        t=texts.text,
        level_name=texts.level,
        language=language,
        languages=_LANGUAGE_NAMES,
        settings=settings_of(request),
        user=request.state.user,
        nonce=request.state.nonce,
        here=_here(request),
        send=sender(request),
        zone=zone_of(request),
        zone_cookie=cookie_name(tables(request), ZONE),
        menu=partial(_menu, request),
        site_address=lambda: request.base_url,
        nearby=lambda: nearby(request),
        qr_code=partial(_qr_code, request),
        of_operator=lambda name: operator_text(tables(request).settings.site, name, language),
        competitions_offered=lambda: not tables(request).settings.no_leagues,
        maintenance=lambda: _maintenance(request, texts),
        restored=lambda: _restored(request, texts),
        has_archive=tables(request).archive.is_open,
        may_use_workshop=lambda: tables(request).workshop.may_use(request.state.user),
    )


def _maintenance(request: Request, texts: Texts) -> Markup:
    """Return the announcement of maintenance that lasts now, or ""."""
    row = tables(request).executor.maintenance
    if row is None:
        return Markup("")
    parts = [escape(texts.text("site.maintenance")), escape(row.text)]
    if row.until is not None:
        until = clocks.format_moment(moment(row.until), zone_of(request), texts.language)
        parts.append(escape(texts.text("site.maintenance.until", moment="{}")).format(until))
    return Markup(" ").join(filter(None, parts))


def _restored(request: Request, texts: Texts) -> Markup:
    """Return a sentence on the backup that the server was restored from recently, or ""."""
    info = tables(request).executor.schema_info
    if info is None or info.restored is None or info.backup is None:
        return Markup("")
    if wall_clock.now_ms() - info.restored > _RESTORED_MS:
        return Markup("")
    backup = clocks.format_moment(moment(info.backup), zone_of(request), texts.language)
    return escape(texts.text("site.restored", moment="{}")).format(backup)


def site_address(request: Request) -> str:
    """Return the address of this site for links that users send to other devices.

    A browser on the server's own machine may know it by a name such as `localhost`, which means
    another machine elsewhere.
    """
    used = request.base_url
    host = host_nearby(tables(request).settings) if is_this_machine(used.hostname or "") else ""
    return str(used.replace(hostname=host) if host else used)


def nearby(request: Request) -> str:
    """Return the address for other devices in the local network; "" if they can't reach it."""
    return site_address(request) if host_nearby(tables(request).settings) else ""


def _is_reachable(request: Request) -> bool:
    """Return whether other devices can open this site's addresses."""
    public = urlsplit(tables(request).settings.public_url).hostname
    return not is_this_machine(public) if public else bool(nearby(request))


def _qr_code(request: Request, address: str) -> Fragment | None:
    """Return the QR code of an address of this site, or None if other devices can't open it."""
    if not _is_reachable(request):
        return None
    return markup.code(site(language_of(request)).text, address, bool(nearby(request)))


def inserted_qr_code(request: Request, address: str) -> Markup:
    """Return the QR code of an address, for scripts to insert; empty if others can't open it."""
    if not _is_reachable(request):
        return Markup("")
    content = markup.code_of(site(language_of(request)).text, address, nearby=bool(nearby(request)))
    return Markup('<figure data-own class="code">{}</figure>').format(content)


def _menu(request: Request, game: str, here: str, acts: str = "") -> Markup:
    """Return the site's menu, for pages of a game, which don't have the site's header.

    Args:
        request: The request.
        game: Id of the game.
        here: Address to return to.
        acts: Markup of the actions at the table.
    """
    language, settings, user = language_of(request), settings_of(request), request.state.user
    t = site(language).text
    name = t("nav.settings") if user is None else user.name
    values = {"name": name, "theme": settings.theme, "language": language, "languages": _LANGUAGE_NAMES}
    values["imprint"] = operator_text(tables(request).settings.site, "imprint", language) is not None
    return sender(request)(render_element("menu", t, **values, game=game, here=here, acts=acts.strip()))


def _here(request: Request) -> str:
    """Return the address to return to after a change of language or colors."""
    if request.method != "GET":
        return "/"
    path: str = request.scope["path"]
    query: str = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


def sender(request: Request) -> Sender:
    """Return a writer of fragments that leaves out those that the page has already."""
    state = request.scope["state"]
    found: Sender | None = state.get("sender")
    if found is None:
        found = state["sender"] = Sender(digests_in(request.headers.get(FRAGMENTS, "")))
    return found


def render_html(request: Request, template: str, /, **values: Any) -> str:
    """Return the HTML of a template.

    Args:
        request: The request.
        template: Name of the template.
        **values: Values of the template, in addition to `PageContext` and the shared macros.
    """
    known = {**vars(_context(request)), **values}
    content = _TEMPLATES.get_template(f"{template}.html.jinja").render(known, parts=_parts(known["t"]))
    content = content.replace(CSRF, request.state.csrf).replace(KEY, secrets.token_urlsafe(12))
    return content.replace(NOW, str(wall_clock.now_ms()))  # last: clocks of pages count from then on


def render(request: Request, template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page as a response; scripts get only the fragments that changed.

    Args:
        request: The request.
        template: Name of the template.
        status: HTTP status.
        **values: Values of the template; see `html`.
    """
    return HTMLResponse(render_html(request, template, **values), status_code=status)


def redirect(address: str) -> Response:
    """Return a redirect after a form; addresses outside of this site lead to the start page."""
    safe = address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"
    return RedirectResponse(safe, status_code=303)


def with_login(response: Response, request: Request, login: Login | None) -> Response:
    """Return the response, which starts the session of a new guest.

    Args:
        response: The response.
        request: The request.
        login: Login of a new guest, or None to change nothing.
    """
    if login is not None:
        sign_in(response, request, login)
    return response


def refusal_text(request: Request, error: Refused) -> str:
    """Return the reason of a refusal as a sentence in the reader's language."""
    texts = site(language_of(request))
    key = f"rated.why.{error.fields['why']}" if error.code == "not_rated" else f"refused.{error.code}"
    return texts.text(key, **error.fields) if texts.has(key) else texts.text("refused.other")


async def refusal_page(request: Request, error: Refused) -> Response:
    """Return the response to a refused request: a page, or JSON for scripts."""
    texts = site(language_of(request))
    if error.code == "banned" and request.method == "GET" and FRAGMENTS not in request.headers:
        return redirect(SANCTIONS)
    sentence = refusal_text(request, error)
    if FRAGMENTS in request.headers:
        return JSONResponse({"code": error.code, "text": sentence}, status_code=error.status)
    titles = (f"refused.title.{error.code}", f"refused.title.{error.status}", "refused.title")
    headline = texts.text(next(filter(texts.has, titles)))
    posted = request.method != "GET"
    values = {"code": error.status, "reason": error.code, "sentence": sentence, "headline": headline, "posted": posted}
    values["request_id"] = request.state.request_id
    return render(request, "refused", status=error.status, **values)
