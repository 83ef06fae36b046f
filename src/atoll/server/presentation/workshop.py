"""The workshop's forms: a game's components by place, with limits; and how its pictures differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup
from msgspec import inspect as types

from atoll.engine import ComponentError, Game
from atoll.engine.component_changes import file_schema, limits_of, value_at, values
from atoll.engine.component_schema import choices_of
from atoll.picture import ComponentPicture

from . import rules_page, texts

_ID: Final = re.compile(r' (?:id|data-[a-z]+|role)="[^"]*"')
_LONG: Final = 60  # characters from which a text gets a field of several lines
_MOST_RELATED: Final = 12


@dataclass(frozen=True, slots=True)
class ComponentField:
    """A value of the components in a form.

    Attributes:
        path: Its path.
        label: The part of the path below its place.
        kind: `number`, `text`, `long` (a text of several lines) or `choice`.
        value: Its value now, as text.
        printed: Its printed value, as text.
        low: Lowest whole number, or None.
        high: Highest whole number, or None.
        allowed: All allowed values as texts, if the schema lists them.
    """

    path: str
    label: str
    kind: str
    value: str
    printed: str
    low: int | None
    high: int | None
    allowed: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        """True if the value isn't the printed one."""
        return self.value != self.printed


@dataclass(frozen=True, slots=True)
class ComponentPlace:
    """A table of the components, or one of its entries.

    Attributes:
        key: Its path.
        title: Its name for people; the last part of the path without one.
        is_changed: Whether a value of it was changed.
    """

    key: str
    title: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class ComponentTable:
    """A table of the components.

    Attributes:
        key: Its key.
        title: The key as words.
        places: Its entries; itself if it has none.
    """

    key: str
    title: str
    places: tuple[ComponentPlace, ...]

    @property
    def is_changed(self) -> bool:
        """True if a value in it was changed."""
        return any(each.is_changed for each in self.places)


def place_of(data: Mapping[str, Any], path: str) -> str:
    """Return the place of a value: its table, and its entry if the table is a list of tables."""
    table, *rest = path.split(".")
    entries = data[table]
    if isinstance(entries, list) and entries and isinstance(entries[0], dict):
        return f"{table}.{rest[0]}"
    return table


def tables(game: Game, changes: Mapping[str, Any], language: str) -> list[ComponentTable]:
    """Return all tables of the components that have values to change.

    Args:
        game: The original game.
        changes: Changed values by path.
        language: Language code.
    """
    changed = {place_of(game.data, path) for path in changes if path.partition(".")[0] in game.data}
    found: dict[str, dict[str, ComponentPlace]] = {}
    for path, _, node in values(game.data, file_schema(game.package)):
        if _is_fixed(node):
            continue
        place = place_of(game.data, path)
        table = place.partition(".")[0]
        found.setdefault(table, {})
        if place not in found[table]:
            found[table][place] = ComponentPlace(place, title_of(game, place, language), place in changed)
    return [ComponentTable(key, _worded(key), tuple(places.values())) for key, places in found.items()]


def title_of(game: Game, place: str, language: str) -> str:
    """Return the name of a place in a language; its id as words if it has none.

    Args:
        game: The original game.
        place: Key of the place.
        language: Language code.
    """
    held = value_at(game.data, place)
    if "." not in place or not isinstance(held, dict):
        return _worded(place)
    named = held.get("name", held)
    name = named.get(language, named.get("en")) if isinstance(named, dict) else named
    return name if isinstance(name, str) else _worded(str(held.get("id", place.partition(".")[2])))


def fields(game: Game, changes: Mapping[str, Any], place: str) -> list[ComponentField]:
    """Return the fields of a place.

    Args:
        game: The original game.
        changes: Changed values by path.
        place: Key of the place.
    """
    table = place.partition(".")[0]
    data = {table: game.data[table]} if table in game.data else {}
    return [
        _field(path, place, value, changes.get(path, value), node)
        for path, value, node in values(data, file_schema(game.package))
        if place_of(game.data, path) == place and not _is_fixed(node)
    ]


def _field(path: str, place: str, printed: Any, value: Any, node: types.Type) -> ComponentField:
    """Return the field of a value."""
    low, high, numbers = limits_of(node)
    listed = tuple(map(str, numbers)) or (_listed(node) if isinstance(printed, str) and low is None else ())
    allowed = ("true", "false") if isinstance(printed, bool) else listed
    number = isinstance(printed, int | float) and not isinstance(printed, bool)
    long = isinstance(printed, str) and len(printed) > _LONG
    kind = "choice" if allowed else "number" if number else "long" if long else "text"
    label = " › ".join(_worded(part) for part in path.removeprefix(f"{place}.").split("."))
    return ComponentField(path, label, kind, _text(value), _text(printed), low, high, allowed)


def read_value(game: Game, path: str, text: str) -> Any:
    """Return a value that was typed into a field, of the printed value's type if possible.

    Args:
        game: The original game.
        path: Path of the field.
        text: The text.

    Raises:
        ComponentError: If the path doesn't exist.
    """
    printed = value_at(game.data, path)
    text = text.strip() if not isinstance(printed, str) else text.replace("\r\n", "\n")
    if isinstance(printed, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(printed, int) and re.fullmatch(r"-?[0-9]{1,9}", text):
        return int(text)
    if isinstance(printed, float) and re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return float(text)
    return text


def changes_in_words(game: Game, changes: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return changes as path, printed value and value; paths that don't exist have no printed one.

    Args:
        game: The original game.
        changes: Changed values by path.
    """
    printed = {path: value for path, value, _ in values(game.data)}
    return [(path, _text(printed.get(path, "")), _text(value)) for path, value in changes.items()]


def path_of(error: ComponentError) -> str:
    """Return the path of the value that an error is about; "" if it names none."""
    key = re.sub(r"\[(\d+)\]", r".\1", error.wrong.partition(" is ")[0])
    number = re.fullmatch(r"number (\d+)", error.card)
    card = str(int(number[1]) - 1) if number else error.card
    return ".".join(filter(None, (error.table, card, key)))


def _listed(node: types.Type) -> tuple[str, ...]:
    """Return the texts that a type lists."""
    found = [value for each in choices_of(node) if isinstance(each, types.LiteralType) for value in each.values]
    return tuple(each for each in found if isinstance(each, str))


def _is_fixed(node: types.Type) -> bool:
    """Return whether a type allows one value only."""
    found = [value for each in choices_of(node) if isinstance(each, types.LiteralType) for value in each.values]
    return len(found) == 1 and all(isinstance(each, types.LiteralType) for each in choices_of(node))


def _text(value: Any) -> str:
    """Return a value as text, truth values as TOML writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _worded(key: str) -> str:
    """Return a key as words; numbers of list entries count from 1."""
    return str(int(key) + 1) if key.isdecimal() else key.replace("_", " ")


# -- pictures --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangedPiece:
    """A piece of the original and of a variant.

    Attributes:
        before: The original piece, or None if it only stands for the place that is edited.
        after: The piece of the variant.
    """

    before: ComponentPicture | None
    after: ComponentPicture

    @staticmethod
    def markup(piece: ComponentPicture) -> Markup:
        """Return the markup of a piece without ids, because two of the same are shown."""
        return Markup(_ID.sub("", piece.drawing.markup)) if piece.drawing is not None else Markup("")  # noqa: S704


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A row of a table of figures that differs.

    Attributes:
        caption: Caption of the table.
        before: Cells of the original.
        after: Cells of the variant.
    """

    caption: str
    before: Sequence[Any]
    after: Sequence[Any]


def changed_pieces(game: Game, changed: Game, language: str, title: str) -> list[ChangedPiece]:
    """Return the pieces whose picture or text differs, and those of the place that is edited.

    Args:
        game: The original game.
        changed: The game with the components of a variant.
        language: Language code.
        title: Name of the place that is edited.
    """
    before, after = _gallery(game, language), _gallery(changed, language)
    found, related = [], []
    for group, pieces in after.items():
        known = before.get(group, ())
        for number, piece in enumerate(pieces):
            old = known[number] if number < len(known) else None
            if old is None or _looks(old) != _looks(piece):
                found.append(ChangedPiece(old, piece))
            elif piece.name == title:
                related.append(ChangedPiece(None, piece))
    return [*found, *related][: max(len(found), _MOST_RELATED)]


def changed_rows(game: Game, changed: Game, language: str) -> Iterator[ChangedRow]:
    """Yield the rows of the rules' tables of figures that differ.

    Args:
        game: The original game.
        changed: The game with the components of a variant.
        language: Language code.
    """
    words = texts.game_texts(changed, language)
    at, then = rules_page.setting(game, {}), rules_page.setting(changed, {})
    before = rules_page.figures(game, texts.game_texts(game, language), at)[0]
    facts = changed.rule_facts(changed.components, then.seats, then.options)
    for id, table in rules_page.figures(changed, words, then)[0].items():
        if id in before:
            for old, new in zip(before[id].rows, table.rows, strict=False):
                if list(old) != list(new):
                    yield ChangedRow(words.say(f"rule.table.{id}", facts), old, new)


def _gallery(game: Game, language: str) -> Mapping[str, Sequence[ComponentPicture]]:
    """Return the pieces of a game by group."""
    return rules_page.figures(game, texts.game_texts(game, language), rules_page.setting(game, {}))[1]


def _looks(piece: ComponentPicture) -> tuple[str, int, str, str]:
    """Return everything that people see of a piece."""
    return piece.name, piece.count, piece.text, "" if piece.drawing is None else str(piece.drawing.markup)
