"""The environment in which templates are read: those of pages and those of pictures."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates(package: str, folder: str = "templates") -> Environment:
    """Return the templates of a package, strict and with escaping.

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
