"""Variants of a game: other components, other options, or both, as a designer names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from atoll.engine import AtollError, Game, component_schema
from atoll.engine.component_changes import VARIANT_OF

ORIGINAL: Final = "original"
"""Name of the variant with the printed components and default options."""


class VariantError(AtollError, ValueError):
    """Variants can't be read or compared; the message says why."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of a game.

    Attributes:
        name: Its name for people, as it was given.
        game: The game with the variant's components.
        options: Options that differ from their defaults.
    """

    name: str
    game: Game
    options: Mapping[str, Any]


def read_options(game: Game, parts: Sequence[str]) -> dict[str, Any]:
    """Return options given as texts `NAME=VALUE`.

    Args:
        game: The game.
        parts: The texts.

    Raises:
        OptionError: If a text is malformed, or an option or its value is invalid.
    """
    from atoll.engine import OptionError  # noqa: PLC0415

    known = {option.id: option for option in game.options}
    found: dict[str, Any] = {}
    for text in parts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"options {text!r}: write NAME=VALUE")
        if name not in known:
            raise OptionError(f"unknown option {name!r}; known: {', '.join(known) or 'none'}")
        if name in found:
            raise OptionError(f"option {name!r} is given twice")
        found[name] = known[name].read(value)
    return found


def read_variants(texts: Sequence[str], games: Mapping[str, Game], id: str = "") -> list[Variant]:
    """Return variants of one game.

    Args:
        texts: Per variant its parts, separated by commas: `original`, at most one file
            (`components.toml` or a file of changes), and options `NAME=VALUE`.
        games: The games by id.
        id: Id of the game; may be "" if a file names it.

    Returns:
        The variants in the given order.

    Raises:
        VariantError: If the variants are of several games, no game is named, two variants are the
            same, or a text is malformed.
        ComponentError: If a file is invalid.
        OptionError: If an option or its value is invalid.
        UnknownGame: If no game has this id.
    """
    split = [[part.strip() for part in text.split(",") if part.strip()] for text in texts]
    files = [_file_of(text, parts) for text, parts in zip(texts, split, strict=True)]
    named = {file: _game_in(file) for file in files if file is not None}
    ids = dict.fromkeys(filter(None, (id, *named.values())))
    if len(ids) > 1:
        raise VariantError(f"variants of several games: {', '.join(ids)}; allowed: variants of one")
    if not ids:
        raise VariantError("no file names the game; name it with --game")
    game = games[next(iter(ids))]
    found = []
    for text, parts, file in zip(texts, split, files, strict=True):
        changed = game if file is None else game.with_components(file)
        options = read_options(changed, [part for part in parts if part not in (ORIGINAL, str(file))])
        found.append(Variant(text, changed, options))
    return found


def check_different(variants: Sequence[tuple[str, Game, Mapping[str, Any]]]) -> None:
    """Reject variants that are played by the same rules.

    Args:
        variants: Per variant its name, the game, and its resolved options.

    Raises:
        VariantError: If two variants are the same.
    """
    seen: dict[tuple[str, str], str] = {}
    for name, game, options in variants:
        key = game.components_digest, repr(sorted(options.items()))
        if key in seen:
            raise VariantError(f"{seen[key]!r} and {name!r} are the same; allowed: variants that differ")
        seen[key] = name


def _file_of(text: str, parts: Sequence[str]) -> Path | None:
    """Return the file among the parts of a variant, or None."""
    files = [part for part in parts if part != ORIGINAL and "=" not in part]
    if not parts or len(files) > 1 or (files and ORIGINAL in parts):
        raise VariantError(f"variant {text!r}; allowed: {ORIGINAL}, a file, options NAME=VALUE, separated by commas")
    return Path(files[0]) if files else None


def _game_in(file: Path) -> str:
    """Return the id of the game that a file is of.

    Args:
        file: The file.

    Raises:
        VariantError: If the file names no game.
        ComponentError: If the file can't be read.
    """
    data = component_schema.load(file)
    game = data.get(VARIANT_OF, data.get("game"))
    id = game.get("id") if isinstance(game, dict) else game
    if not isinstance(id, str):
        raise VariantError(f"{file} names no game; allowed: a components.toml, or a file of changes")
    return id
