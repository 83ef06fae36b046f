"""The documentation site under `/docs`, which `make docs` builds into this package."""

from __future__ import annotations

from os import PathLike, stat_result
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from .context import Pages, redirect, render

_ADDRESS: Final = "/docs"

pages = Pages()


class _Site(StaticFiles):
    """The built site. Browsers ask before each use whether a file has changed."""

    def is_built(self) -> bool:
        """Return whether the site was built."""
        return self.lookup_path("index.html")[1] is not None

    async def check_config(self) -> None:
        """Accept that the folder doesn't exist: the site may be built later."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, or 304 if the browser has it already.

        Args:
            full_path: Path of the file.
            stat_result: Size and time of the file.
            scope: The ASGI scope.
            status_code: Status of the response with a file.
        """
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "no-cache"
        return response


site = _Site(directory=Path(__file__).with_name("docs_site"), html=True, check_dir=False)


@pages.route(_ADDRESS)
async def docs(request: Request) -> Response:
    """Lead to the documentation, or explain how to build it."""
    return redirect(f"{_ADDRESS}/") if site.is_built() else render(request, "docs")


pages.append(Mount(_ADDRESS, site))
