"""Rows as bind parameters and back: structured values are kept as JSON texts."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import fields
from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy import Row

TEXTS: Final = frozenset(
    {
        *("settings", "options", "clock", "votes", "result", "origin", "draft", "pool", "data", "answer"),
        *("calendar", "learning", "pause", "address", "kinds", "turn", "taken", "plan"),
    }
)
"""The columns that are JSON texts."""

WITHIN: Final = "within"
"""Metadata key of a field without a column; its value names the JSON column that holds `@<field>`."""

_R = TypeVar("_R")
_known: dict[type[Any], tuple[tuple[str, bool], ...]] = {}
_held: dict[type[Any], tuple[tuple[str, str, Any], ...]] = {}

encode: Final = msgspec.json.Encoder().encode
_DECODERS: Final[dict[str, Any]] = {"turn": msgspec.json.Decoder(tuple[int, int | None])}
_decoder: Final[Any] = msgspec.json.Decoder()


def names(row_type: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The columns of a row type, each with whether it is kept as JSON text."""
    if row_type not in _known:
        columns = (field.name for field in fields(row_type) if WITHIN not in field.metadata)
        _known[row_type] = tuple((name, name in TEXTS) for name in columns)
    return _known[row_type]


def _inner(row_type: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """Return the fields of a row type without a column.

    Each is given as the column that holds it, its name and its default.
    """
    if row_type not in _held:
        inner = (each for each in fields(row_type) if WITHIN in each.metadata)
        _held[row_type] = tuple((each.metadata[WITHIN], each.name, each.default) for each in inner)
    return _held[row_type]


def _json(row: Any, name: str) -> str | None:
    """Return a JSON column of a row.

    It includes the fields without a column that differ from their default.
    """
    value = getattr(row, name)
    if value is None:
        return None
    found = ((inner, getattr(row, inner), usual) for outer, inner, usual in _inner(type(row)) if outer == name)
    held = {f"@{inner}": value for inner, value, usual in found if value != usual}
    return encode({**value, **held} if held else value).decode()


def reader(wanted: Sequence[str], texts: Container[str] = ()) -> Callable[[Any], tuple[Any, ...]]:
    """What reads these attributes in one go, those of `texts` as JSON text.

    It is written out, which takes less than half the time of `attrgetter`.
    """
    parts = [f'json(row, "{name}")' if name in texts else f"row.{name}" for name in wanted]
    read: Callable[[Any], tuple[Any, ...]] = eval(f"lambda row: ({', '.join(parts)},)", {"json": _json})  # noqa: S307 - of our own columns
    return read


def values(row: Any) -> dict[str, Any]:
    """A row as bind parameters."""
    return {name: _json(row, name) if is_text else getattr(row, name) for name, is_text in names(type(row))}


def to_row(row_type: type[_R], found: Row[Any]) -> _R:
    """A row as it was read."""
    mapping = found._mapping
    read = {
        name: _DECODERS.get(name, _decoder).decode(value) if is_text and value is not None else value
        for name, is_text in names(row_type)
        for value in (mapping[name],)
    }
    for outer, inner, usual in _inner(row_type):
        read[inner] = read[outer].pop(f"@{inner}", usual)
    return row_type(**read)
