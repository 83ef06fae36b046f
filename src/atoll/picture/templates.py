"""Jinja environments for the templates of pages and pictures."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates(package: str, folder: str = "templates") -> Environment:
    """Return the Jinja environment of a package: autoescaping, and undefined names are errors.

    Args:
        package: The package.
        folder: Its folder with the templates.
    """
    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
