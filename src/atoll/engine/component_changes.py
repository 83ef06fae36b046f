"""Changes of single values in component data, as variants of a game are made of them.

A file of changes names the game and lists only what differs from its `components.toml`:

```toml
variant_of = "atacama"

[changes]
"game.line_minimum_rigs" = 3
"concessions.turquoise.multiplier.copper" = -1
```

The parts of a path are keys, and ids or numbers of list entries.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast, get_args

from msgspec import Struct
from msgspec import inspect as types

from .component_schema import Source, SourcedSchema, choices_of, inner_type
from .errors import ComponentError
from .json_types import JsonMapping, JsonObject

VARIANT_OF: Final = "variant_of"
"""Key of a file of changes that names the game."""
_CHANGES: Final = "changes"
_MOST_SHOWN: Final = 20  # names in a message
_ORIGIN: Final = frozenset(SourcedSchema.__struct_fields__)
_SOURCES: Final = frozenset(get_args(Source))


@dataclass(frozen=True, slots=True)
class NumberField:
    """A whole number in component data, with the limits of the game's schema.

    Attributes:
        path: Its path.
        value: Its value.
        low: Lowest allowed value; None without a limit.
        high: Highest allowed value; None without a limit.
        allowed: All allowed values if the schema lists them, else ().
    """

    path: str
    value: int
    low: int | None
    high: int | None
    allowed: tuple[int, ...] = ()


def with_changes(data: JsonMapping, changes: Mapping[str, Any]) -> JsonObject:
    """Return a copy of component data with other values at some paths.

    Args:
        data: Component data.
        changes: New values by path.

    Raises:
        ComponentError: If a path doesn't exist or a value is of another type.
    """
    found = copy.deepcopy(dict(data))
    for path, value in changes.items():
        set_at_path(found, path, value)
    return found


def read_changes(file: JsonMapping, data: JsonMapping, id: str) -> JsonObject:
    """Return a game's component data with the changes of a file.

    Args:
        file: Content of the file.
        data: Component data of the game.
        id: Id of the game.

    Raises:
        ComponentError: If the file is of another game, has other keys, or a change is invalid.
    """
    if file[VARIANT_OF] != id:
        raise ComponentError(f"{VARIANT_OF} is {file[VARIANT_OF]!r}", id)
    unknown = next((key for key in file if key not in (VARIANT_OF, _CHANGES)), None)
    if unknown is not None:
        raise ComponentError(f"{unknown} is unknown", f"{VARIANT_OF}, {_CHANGES}")
    changes = file.get(_CHANGES, {})
    if not isinstance(changes, dict):
        raise ComponentError(f"{_CHANGES} is {changes!r}", "a table of paths and values")
    return with_changes(data, changes)


def write_changes(id: str, changes: Mapping[str, Any]) -> str:
    """Return the text of a file of changes.

    Args:
        id: Id of the game.
        changes: New values by path: numbers, texts and truth values.
    """
    lines = (f"{_quoted(path)} = {_toml(value)}" for path, value in changes.items())
    return "\n".join((f"{VARIANT_OF} = {_quoted(id)}", "", f"[{_CHANGES}]", *lines, ""))


def _quoted(text: str) -> str:
    """Return a text as a basic string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml(value: Any) -> str:
    """Return a plain value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return _quoted(value) if isinstance(value, str) else repr(value)


def set_at_path(data: Any, path: str, value: Any) -> None:
    """Set a value in component data.

    Args:
        data: Component data; changed in place.
        path: Path of the value, such as `concessions.turquoise.multiplier.copper`.
        value: New value, of the same type as the old one.

    Raises:
        ComponentError: If the path doesn't exist or the type differs.
    """
    found, key = _holder(data, path)
    before = found[key]
    if type(before) is not type(value) and not {type(before), type(value)} <= {int, float}:
        raise ComponentError(f"{path} is {value!r}", f"a value like {before!r}")
    found[key] = value


def value_at(data: Any, path: str) -> Any:
    """Return the value at a path of component data.

    Args:
        data: Component data.
        path: Path of the value.

    Raises:
        ComponentError: If the path doesn't exist.
    """
    found, key = _holder(data, path)
    return found[key]


def _holder(data: Any, path: str) -> tuple[Any, Any]:
    """Return the table or list that holds the value at a path, and its key there."""
    *parts, last = path.split(".")
    for depth, part in enumerate(parts, 1):
        data = data[_key(data, part, ".".join(parts[:depth]))]
    return data, _key(data, last, path)


def _key(data: Any, part: str, path: str) -> Any:
    """Return the key or index that a part of a path means.

    Args:
        data: The data at the place.
        part: The part of the path.
        path: The path up to here, for the message.

    Raises:
        ComponentError: If it doesn't exist; the message names those that do.
    """
    known: list[Any]
    if isinstance(data, dict):
        if part in data:
            return part
        known = list(data)
    elif isinstance(data, list):
        ids = [entry.get("id") if isinstance(entry, dict) else None for entry in data]
        if part in ids:
            return ids.index(part)
        if part.isdecimal() and int(part) < len(data):
            return int(part)
        known = [id for id in ids if id is not None] or [f"0 to {len(data) - 1}"]
    else:
        raise ComponentError(f"{path} doesn't exist", f"nothing inside {data!r}")
    shown = ", ".join(map(str, known[:_MOST_SHOWN])) + (", ..." if len(known) > _MOST_SHOWN else "")
    raise ComponentError(f"{path} doesn't exist", shown)


# -- fields of a file ------------------------------------------------------------------------------


def file_schema(package: str) -> type[Struct] | None:
    """Return the struct of a game's component file: `File` in its module `component_schema`.

    Args:
        package: Name of the game's package.

    Returns:
        The struct, or None if the game has no such module.
    """
    name = f"{package}.component_schema"
    if importlib.util.find_spec(name) is None:
        return None
    return cast("type[Struct] | None", getattr(importlib.import_module(name), "File", None))


def values(data: JsonMapping, kind: type[Struct] | None = None) -> Iterator[tuple[str, Any, types.Type]]:
    """Return all plain values of component data, without ids and the origins of numbers.

    Args:
        data: Component data.
        kind: Struct of the file; None if it isn't known.

    Returns:
        Path, value and declared type of each value.
    """
    return _values(data, _declared(kind) if kind is not None else types.AnyType(), "")


@lru_cache(maxsize=32)
def _declared(kind: type[Struct]) -> types.Type:
    """Return the declared type of a file."""
    return types.type_info(kind)


def _values(value: Any, node: types.Type, path: str) -> Iterator[tuple[str, Any, types.Type]]:
    """Yield the plain values below a path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            is_origin = key in _ORIGIN or (key.endswith("_source") and isinstance(each, str) and each in _SOURCES)
            if not is_origin and key != "id" and "." not in key:
                yield from _values(each, _inner(node, key, value), f"{path}{key}.")
    elif isinstance(value, list):
        ids = [each.get("id") if isinstance(each, Mapping) else None for each in value]
        for number, (each, id) in enumerate(zip(value, ids, strict=True)):
            # An id that looks like a number, or holds a point, can't be a part of a path.
            named = isinstance(id, str) and "." not in id and not id.isdecimal() and ids.count(id) == 1
            yield from _values(each, _inner(node, number, value), f"{path}{id if named else number}.")
    else:
        yield path[:-1], value, node


def _inner(node: types.Type, step: str | int, value: Any) -> types.Type:
    """Return the declared type of the value at a key or index; any if nothing is declared."""
    return inner_type(node, step, value) if not isinstance(node, types.AnyType) else node


def number_fields(data: JsonMapping, kind: type[Struct] | None) -> list[NumberField]:
    """Return the whole numbers of component data that the schema lets differ.

    Args:
        data: Component data.
        kind: Struct of the file; None if it isn't known, and nothing limits the numbers.
    """
    found = []
    for path, value, node in values(data, kind):
        if type(value) is int:
            low, high, allowed = limits_of(node)
            if len(allowed) != 1 and (low is None or low != high):
                found.append(NumberField(path, value, low, high, allowed))
    return found


def limits_of(node: types.Type) -> tuple[int | None, int | None, tuple[int, ...]]:
    """Return the lowest and highest whole number of a type, and all of them if it lists them."""
    for each in choices_of(node):
        if isinstance(each, types.IntType):
            low = each.ge if each.ge is not None else None if each.gt is None else each.gt + 1
            high = each.le if each.le is not None else None if each.lt is None else each.lt - 1
            return low, high, ()
    for each in choices_of(node):
        if isinstance(each, types.LiteralType):
            listed = tuple(sorted(value for value in each.values if type(value) is int))
            if listed:
                return listed[0], listed[-1], listed
    return None, None, ()
