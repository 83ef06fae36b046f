"""Files that pages load: one script and one style sheet each, bundled from source files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from atoll.engine import Game
from atoll.picture.loading import style_of
from atoll.picture.scene import style
from atoll.picture.static_svg import cover

from ...domain.model import Refused
from ...presentation import pictures
from ...presentation.texts import site
from ..compression import accepts_gzip, packed
from . import bundle
from .context import Pages, game_of, language_of, render

_KINDS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PREVIEW: Final = "preview.png"
_SITE: Final = "/static/js/"
_LATE: Final = f"{_SITE}late/"
_GAMES: Final = "/static/games/"
_PRIVATE_PATHS: Final = (
    "/t/",
    "/api/",
    "/events",
    "/mine",
    "/settings",
    "/account",
    "/sign-in",
    "/device",
    "/join",
    "/blocks",
    "/sanctions",
    "/moderation",
    "/workshop",
)
_MAIN: Final = f"{_SITE}main.js"
_TABLE: Final = (
    "shell",
    "phone",
    "ending",
    "gathering",
    "elements",
    "lesson",
    "player",
    "study",
    "motion",
    "low",
    "middle",
    "left",
)
_TABLE_STYLES: Final = ("site.css", "rules.css", *(f"table/{name}.css" for name in _TABLE))

pages = Pages()


@pages.route("/static/page.js")
async def site_script(request: Request) -> Response:
    """Return the script of all pages that don't belong to a game."""
    return _sent(request, _script(None), ".js")


@pages.route("/static/js/late/{name}")
async def late_script(request: Request) -> Response:
    """Return a module that pages load when they need it, with the modules that it imports."""
    scripts = files(__package__) / "static" / "js"
    vendor = dict(_modules(scripts / "vendor", f"{_SITE}vendor/"))
    modules = dict(_modules(scripts, _SITE)) | vendor | dict(_modules(scripts / "late", _LATE))
    address = _LATE + request.path_params["name"]
    if address not in modules:
        raise Refused("no_page", 404, "unknown file")
    return _sent(request, _bundled(_dated(modules), (), address), ".js")


@pages.route("/static/games/{game}/page.js")
async def game_script(request: Request) -> Response:
    """Return the script of a game's pages, which includes the game's own modules."""
    return _sent(request, _script(game_of(request, request.path_params["game"])), ".js")


@pages.route("/static/games/{game}/page.css")
async def game_page_style(request: Request) -> Response:
    """Return the style sheet of a game's pages: site, game, and layout of the game's scene."""
    game = game_of(request, request.path_params["game"])
    placed = pictures.scene(game)
    static = files(__package__) / "static"
    sheets = [
        files("atoll.picture").joinpath("picture.css").read_text("utf-8"),
        *(static.joinpath(name).read_text("utf-8") for name in _TABLE_STYLES),
        style_of(game.package),
        style(game.id, placed) if placed is not None else "",
    ]
    return _sent(request, bundle.style(sheets), ".css")


@pages.route("/static/games/{game}/table.css")
async def game_style(request: Request) -> Response:
    """Return the style sheet of a game's pictures."""
    return _sent(request, bundle.style([style_of(game_of(request, request.path_params["game"]).package)]), ".css")


@pages.route("/static/games/{game}/cover.svg")
async def game_cover(request: Request) -> Response:
    """Return the picture that represents a game in lists."""
    return _sent(request, cover(game_of(request, request.path_params["game"])), ".svg")


@pages.route("/static/games/{game}/preview.png")
async def game_preview(request: Request) -> Response:
    """Return the picture for link previews of a game: its own, or else the site's logo."""
    own = files(game_of(request, request.path_params["game"]).package) / _PREVIEW
    drawn = own if own.is_file() else files(__package__) / "static" / "icon-512.png"
    return Response(drawn.read_bytes(), media_type="image/png", headers={"Cache-Control": "max-age=86400"})


@pages.route("/static/picture.css")
async def picture_style(request: Request) -> Response:
    """Return the style sheet that all tables share."""
    return _sent(request, files("atoll.picture").joinpath("picture.css").read_text("utf-8"), ".css")


@pages.route("/worker.js")
async def worker(request: Request) -> Response:
    """Return the service worker, which must be at the root to be responsible for all pages."""
    return _sent(request, bundle.minified((files(__package__) / "static" / "worker.js").read_text("utf-8")), ".js")


@pages.route("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """Return the manifest for installing the site as an app."""
    icons = [{"src": "/static/atoll.svg", "type": "image/svg+xml", "sizes": "any"}]
    for size in (192, 512):
        for purpose in ("any", "maskable"):
            name = "icon" if purpose == "any" else "mask"
            icon = {"src": f"/static/{name}-{size}.png", "type": "image/png", "sizes": f"{size}x{size}"}
            icons.append(icon | {"purpose": purpose})
    described = {
        "name": "Atoll",
        "short_name": "Atoll",
        "id": "/",
        "start_url": "/mine",
        "scope": "/",
        "display": "standalone",
        "lang": language_of(request),
        "description": site(language_of(request)).text("foot.note"),
        "background_color": "#f3efe4",
        "theme_color": "#0b6e78",
        "icons": icons,
    }
    return JSONResponse(described, media_type="application/manifest+json")


@pages.route("/offline")
async def offline(request: Request) -> Response:
    """Show the page that the app shows while the server can't be reached."""
    return render(request, "offline")


@pages.route("/robots.txt")
async def robots(request: Request) -> Response:
    """Return the paths that search engines leave out: tables, and pages about the reader."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _PRIVATE_PATHS)]
    return PlainTextResponse("\n".join(lines) + "\n")


def _script(game: Game | None) -> str:
    """Return the bundled script of the site or of a game's pages."""
    scripts = files(__package__) / "static" / "js"
    modules = dict(_modules(scripts, _SITE)) | dict(_modules(scripts / "vendor", f"{_SITE}vendor/"))
    if game is not None:
        modules |= _modules(files(game.package), f"{_GAMES}{game.id}/")
    return _bundled(_dated(modules), tuple(modules), _MAIN)


def _dated(modules: Mapping[str, Traversable]) -> tuple[tuple[str, Traversable, int], ...]:
    """Return the address, file and time of the last change of each module."""
    return tuple((address, file, _changed(file)) for address, file in modules.items())


def _modules(folder: Traversable, address: str) -> Iterable[tuple[str, Traversable]]:
    """Yield the address and file of each module in a folder."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if PurePath(file.name).suffix == ".js":
            yield address + file.name, file


def _changed(file: Traversable) -> int:
    """Return the time of a file's last change, so that developers only need to reload the page."""
    return file.stat().st_mtime_ns if isinstance(file, Path) else 0


@lru_cache(maxsize=32)
def _bundled(modules: tuple[tuple[str, Traversable, int], ...], names: tuple[str, ...], last: str) -> str:
    """Return a bundle; cached until one of the modules changes.

    Args:
        modules: Address, file and time of the last change of each module that can be imported.
        names: Addresses of the modules to include, with what they import.
        last: Address of the module that runs last.
    """
    texts = {address: file for address, file, _ in modules}

    def read(address: str) -> str:
        """Return the text of a module."""
        if address not in texts:
            raise bundle.BundleError(f"unknown module {address}: expected one of {', '.join(texts)}")
        return texts[address].read_text("utf-8")

    return bundle.script(read, names, last)


def _sent(request: Request, content: str, suffix: str) -> Response:
    """Return a file as a response, or 304 if the browser has it already."""
    tag = f'"{blake2b(content.encode(), digest_size=12).hexdigest()}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = content.encode()
    if accepts_gzip(request.scope):
        body = packed(body)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(body, media_type=_KINDS[suffix], headers=headers)


class _Static(StaticFiles):
    """Static files, except modules, which are sent only as part of a bundle."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return a file, or refuse the request if it is a module."""
        response = super().file_response(*args, **kwargs)
        if isinstance(response, FileResponse) and Path(response.path).suffix in (".js", ".ts"):
            raise Refused("no_page", 404, "unknown file")
        return response


pages.append(Mount("/static", _Static(packages=[(__package__, "static")])))
