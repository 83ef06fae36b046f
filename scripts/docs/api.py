"""The API reference: one page per public module, from its docstrings.

A module is public if it is listed in `PUBLIC`; everything else may change without notice.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Final

PUBLIC: Final = {
    "atoll": (),
    "atoll.engine": (
        *(
            "chance",
            "component_changes",
            "component_schema",
            "decisions",
            "errors",
            "explain_context",
            "game",
            "json_types",
        ),
        *("observation", "options", "picks", "position", "reasons", "record", "registry", "reveals", "rulebook"),
        *("rules", "save", "scripted_game"),
        *("seat_view", "start_player", "state", "translations", "turn_draft", "verbs", "view", "vocabulary"),
    ),
    "atoll.bots": (
        "advice",
        "amounts",
        "bot",
        "evaluation",
        "gates",
        "greedy",
        "levels",
        "overlooking",
        "policy",
        "search",
        "search_bot",
        "second_look",
        "seeds",
    ),
    "atoll.env": ("gymnasium", "interface", "openspiel", "pettingzoo", "registration", "rewards", "tokens", "vector"),
    "atoll.lab": (
        *("analysis", "comparison", "course", "dataset", "experiment", "gate", "ladder", "plan", "proportions"),
        *("results", "run", "selfplay", "series", "simulate", "statistics", "tournament", "training", "tuning"),
        "variants",
    ),
    "atoll.lessons": ("coach", "lesson", "lesson_check", "puzzle", "session"),
    "atoll.picture": (
        *("elements", "fragments", "patterns", "region", "rulebook", "scene", "sign_lines"),
        *("sounds", "static_svg", "svg_macros", "zones"),
    ),
    "atoll.server.domain": ("settings",),
    "atoll.testing": (
        *("cases", "discipline", "golden", "laws", "play", "presentation_laws", "secrecy_laws", "set_laws"),
    ),
}
"""Public packages -> their public modules."""

_UNDOCUMENTED: Final = frozenset({"atoll.server.domain"})
"""Packages without a page of their own."""

_OPTIONS: Final = "   :members:\n   :show-inheritance:\n"


def modules() -> tuple[str, ...]:
    """Return the names of all public modules, packages included."""
    packages = [name for name in PUBLIC if name not in _UNDOCUMENTED]
    return (*packages, *(f"{package}.{name}" for package, names in PUBLIC.items() for name in names))


def pages() -> tuple[str, ...]:
    """Return the names of the pages: an index, and one for each public module."""
    return ("index", *modules())


def page(name: str) -> str:
    """Return a page as reStructuredText.

    Args:
        name: `index`, or the name of a module.
    """
    if name == "index":
        return _index()
    if name in PUBLIC:
        return _package(name)
    return f"{_title(name)}.. automodule:: {name}\n{_OPTIONS}"


def _title(name: str) -> str:
    return f"{name}\n{'=' * len(name)}\n\n"


def _index() -> str:
    """Return the list of all packages."""
    text = _title("API reference")
    text += (
        "Classes and functions for designers, researchers and developers, from their docstrings.\n"
        "A module is public if it has a page here; all others may change without notice.\n"
        "The :doc:`HTTP API </play/reference-http-api>` has a page of its own.\n\n"
    )
    for package, names in PUBLIC.items():
        text += f"{package}\n{'-' * len(package)}\n\n.. toctree::\n   :maxdepth: 1\n\n"
        listed = [] if package in _UNDOCUMENTED else [package]
        text += "".join(f"   {name}\n" for name in (*listed, *(f"{package}.{each}" for each in names))) + "\n"
    return text


def _package(name: str) -> str:
    """Return the page of a package: its docstring, its exports, and what it defines itself."""
    text = f"{_title(name)}.. automodule:: {name}\n{_OPTIONS}   :ignore-module-all:\n\n"
    exported = [each for each in exports(name) if each[1] != name]
    if exported:
        text += "Names that the package exports, with the module that documents each:\n\n"
        text += ".. list-table::\n   :header-rows: 1\n\n   * - name\n     - module\n"
        for each, module in exported:
            text += f"   * - :py:obj:`{each} <{module}.{each}>`\n     - :py:mod:`{module}`\n"
    return text


def exports(name: str) -> list[tuple[str, str]]:
    """Return the names that a package exports, each with the public module that defines it.

    Args:
        name: Name of the package.

    Raises:
        LookupError: If no public module defines a name.
    """
    package = importlib.import_module(name)
    found = []
    for each in getattr(package, "__all__", ()):
        value = getattr(package, each)
        module = getattr(value, "__module__", "")
        if module not in modules() or each not in vars(importlib.import_module(module)):
            module = next((other for other in _inside(name) if _defines(other, each)), "")
        if not module:
            raise LookupError(f"{name}.{each}: no public module defines it")
        found.append((each, module))
    return found


def _inside(package: str) -> tuple[str, ...]:
    """Return the public modules of a package, and the package itself."""
    return (*(f"{package}.{name}" for name in PUBLIC[package]), package)


def _defines(module: str, name: str) -> bool:
    """Return whether a module assigns a name, instead of importing it."""
    source = inspect.getsource(importlib.import_module(module))
    return any(line.startswith((f"{name}:", f"{name} =", f"{name},")) for line in source.splitlines())
