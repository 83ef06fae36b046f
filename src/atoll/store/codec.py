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

_R = TypeVar("_R")
_known: dict[type[Any], tuple[tuple[str, bool], ...]] = {}

encode: Final = msgspec.json.Encoder().encode
_DECODERS: Final[dict[str, Any]] = {"turn": msgspec.json.Decoder(tuple[int, int | None])}
_decoder: Final[Any] = msgspec.json.Decoder()


def names(row_type: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The columns of a row type, each with whether it is kept as JSON text."""
    if row_type not in _known:
        _known[row_type] = tuple((field.name, field.name in TEXTS) for field in fields(row_type))
    return _known[row_type]


def reader(wanted: Sequence[str], texts: Container[str] = ()) -> Callable[[Any], tuple[Any, ...]]:
    """What reads these attributes in one go, those of `texts` as JSON text.

    It is written out, which takes less than half the time of `attrgetter`.
    """
    parts = [
        f"None if row.{name} is None else encode(row.{name}).decode()" if name in texts else f"row.{name}"
        for name in wanted
    ]
    read: Callable[[Any], tuple[Any, ...]] = eval(f"lambda row: ({', '.join(parts)},)", {"encode": encode})  # noqa: S307 - of our own columns
    return read


def values(row: Any) -> dict[str, Any]:
    """A row as bind parameters."""
    return {
        name: encode(value).decode() if is_text and value is not None else value
        for name, is_text in names(type(row))
        for value in (getattr(row, name),)
    }


def to_row(row_type: type[_R], found: Row[Any]) -> _R:
    """A row as it was read."""
    mapping = found._mapping
    return row_type(
        **{
            name: _DECODERS.get(name, _decoder).decode(value) if is_text and value is not None else value
            for name, is_text in names(row_type)
            for value in (mapping[name],)
        }
    )
