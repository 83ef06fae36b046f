"""Files: the site's own, and the style and scripts of each game's table."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from atoll.picture.own import style_of
from atoll.picture.scene import style

from ...model import Refused
from .. import pictures
from ..texts import PACKAGE, site
from .context import Pages, game_of, language_of, render

_TEXT_OR_COMMENT: Final = re.compile(r"`(?:\\.|[^`\\])*`|^ *(/\*.*?\*/|//[^\n]*)$", re.MULTILINE | re.DOTALL)
_KINDS: Final = {".css": "text/css", ".js": "text/javascript"}

_FRESH: Final = {"Cache-Control": "no-cache"}

pages = Pages()


@pages.at("/static/games/{game}/scene.css")
async def scene_style(request: Request) -> Response:
    """Where the areas of a game's scene stand."""
    game = game_of(request, request.path_params["game"])
    placed = pictures.scene(game)
    content = style(game.id, placed) if placed is not None else ""
    return Response(content, media_type="text/css", headers=_FRESH)


@pages.at("/static/games/{game}/{name}")
async def game_file(request: Request) -> Response:
    """The style of a game's table, or a module of its script."""
    package, name = game_of(request, request.path_params["game"]).package, request.path_params["name"]
    return _sent(style_of(package), ".css") if name == "table.css" else _file(package, name)


@pages.at("/static/picture.css")
async def picture_style(_: Request) -> Response:
    """What the styles of all tables share."""
    return _file("atoll.picture", "picture.css")


@pages.at("/worker.js")
async def worker(request: Request) -> Response:
    """The script that runs beside the pages. It lies here because it is for all of them."""
    return _file(f"{PACKAGE}.static", "worker.js")


@pages.at("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """How the site is installed as an app."""
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


@pages.at("/offline")
async def offline(request: Request) -> Response:
    """What the app shows when the server can't be reached."""
    return render(request, "offline")


def _file(package: str, name: str) -> Response:
    source = files(package).joinpath(name)
    if PurePath(name).suffix not in _KINDS or not source.is_file():
        raise Refused("no_page", 404, "there is no such file")
    return _sent(source.read_text("utf-8"), PurePath(name).suffix)


def _sent(content: str, suffix: str) -> Response:
    return Response(served(content), media_type=_KINDS[suffix], headers=_FRESH)


def served(content: str) -> str:
    """A style or script without the comments that fill whole lines, types among them; each line keeps its number."""
    return _TEXT_OR_COMMENT.sub(lambda found: "\n" * found[0].count("\n") if found[1] else found[0], content)


class _Static(StaticFiles):
    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """See StaticFiles."""
        response = super().file_response(*args, **kwargs)
        if not isinstance(response, FileResponse) or Path(response.path).suffix != ".js":
            return response
        known = {name: response.headers[name] for name in ("etag", "last-modified")}
        content = Path(response.path).read_text("utf-8")
        return Response(served(content), media_type=_KINDS[".js"], headers=known)


pages.append(Mount("/static", _Static(packages=[(PACKAGE, "static")])))
