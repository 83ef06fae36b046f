"""Schemas of component data: msgspec structs that describe a game's `components.toml`.

A game declares one struct for its file, with a field per table. Lists of tables hold `EntrySchema`
or `NamedEntrySchema`, and `msgspec.Meta` limits values. `read` converts a file. Conditions that a
struct can't express, such as sums or references between tables, are checked with `FileLocation`.
All errors have the form of `ComponentError`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn, TypeVar, cast

import msgspec
from msgspec import Meta, Struct
from msgspec import inspect as types

from .errors import ComponentError
from .json_types import JsonMapping, JsonObject
from .languages import ENGLISH, LANGUAGES
from .vocabulary import Domain

Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_+#:.'-]+$", description="letters, digits and _ + # : . ' - only")]
"""Identifier of an entry."""
Words = Annotated[str, Meta(pattern=r"\S", description="a text that isn't empty")]
"""A text for people that isn't empty."""
Source = Literal["rulebook", "public", "reconstructed"]
"""Origin of a number: the rulebook, other public material, or a reconstruction that fits them."""


class Schema(Struct, forbid_unknown_fields=True):
    """Base of the structs of tables. Unknown keys are errors."""


class _Said(Schema):
    """Base of structs with one text per language."""

    def said(self, language: str) -> str:
        """Return the text in a language, or in English if there is none."""
        return getattr(self, language, None) or cast("str", getattr(self, ENGLISH))


def spoken(base: type[Struct], key: str = "{}") -> type[Struct]:
    """Return a struct class with one text field per language; only English is required.

    Args:
        base: Struct class to derive from.
        key: Name of a field, with `{}` in place of the language code.
    """
    fields = [
        (key.format(code), Words) if code == ENGLISH else (key.format(code), Words | None, None) for code in LANGUAGES
    ]
    return msgspec.defstruct(f"Spoken{base.__name__}", fields, bases=(base,), module=__name__, kw_only=True)


if TYPE_CHECKING:

    class Text(_Said):
        """One text in every language."""

        en: Words

else:
    Text = spoken(_Said)


def text_of(entry: Struct, key: str = "{}") -> Text:
    """Return the texts of an entry with one field per language.

    Args:
        entry: An instance of a class made by `spoken`.
        key: Name of a field, with `{}` in place of the language code.
    """
    return Text(**{code: getattr(entry, key.format(code)) for code in LANGUAGES})


class SourcedSchema(Schema, kw_only=True):
    """A table that may state the origin of its numbers.

    Attributes:
        source: Origin of the values; None if it isn't stated, as in component files of operators.
        rulebook_fields: Keys whose values come from the rulebook, regardless of `source`.
        public_fields: Keys whose values come from other public material, regardless of `source`.
    """

    source: Source | None = None
    rulebook_fields: tuple[str, ...] = ()
    public_fields: tuple[str, ...] = ()


class EntrySchema(SourcedSchema, kw_only=True):
    """An entry of a list of tables, such as a card, a tile or a place.

    Attributes:
        id: Identifier, unique in its list.
    """

    id: Id


class NamedEntrySchema(EntrySchema, kw_only=True):
    """An entry with a name for people.

    Attributes:
        name: The name in every language.
    """

    name: Text


T = TypeVar("T")
E = TypeVar("E", bound=EntrySchema)

_STEP: Final = re.compile(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]")
_LONGEST: Final = 60  # maximum length of a wrong value in a message, in characters


class FileLocation:
    """A location in a component file, for error messages.

    Args:
        table: Name of the table.
        card: Id of the entry if the table is a list, else "".

    Attributes:
        table: Name of the table.
        card: Id of the entry if the table is a list, else "".
    """

    __slots__ = ("card", "table")

    def __init__(self, table: str, card: object = "") -> None:
        self.table: str = table
        self.card: str = str(card)

    def raise_error(self, wrong: str, allowed: object) -> NoReturn:
        """Reject the file.

        Args:
            wrong: Description of the fault.
            allowed: Description of the allowed values; converted to text.

        Raises:
            ComponentError: Always.
        """
        raise ComponentError(wrong, str(allowed), table=self.table, card=self.card)

    def need(self, holds: bool, wrong: str, allowed: object) -> None:
        """Reject the file unless a condition holds.

        Args:
            holds: The condition.
            wrong: Description of the fault.
            allowed: Description of the allowed values; converted to text.

        Raises:
            ComponentError: If `holds` is false.
        """
        if not holds:
            self.raise_error(wrong, allowed)

    def one_of(self, key: str, value: str, allowed: Domain | Sequence[str]) -> int:
        """Return the index of a value among the allowed ones.

        Args:
            key: Key of the value, for the error message.
            value: The value.
            allowed: The allowed values: a domain with fixed names, or names in order.

        Raises:
            ComponentError: If the value isn't allowed.
        """
        names = allowed.names if isinstance(allowed, Domain) else allowed
        if value not in names:
            self.raise_error(f"{key} is {value!r}", ", ".join(names))
        return names.index(value)


def load(path: str | Path) -> JsonObject:
    """Return the content of a TOML file.

    Args:
        path: Path of the TOML file.

    Raises:
        ComponentError: If the file can't be read or isn't valid TOML in UTF-8.
    """
    try:
        return tomllib.loads(Path(path).read_bytes().decode())
    except OSError as error:
        wrong = f"can't be read ({error.strerror})"
    except UnicodeDecodeError:
        wrong = "isn't UTF-8 text"
    except (ValueError, RecursionError) as error:
        wrong = f"isn't valid TOML ({error})"
    raise ComponentError(wrong, "a copy of a game's components.toml with changes", file=str(path)) from None


def read(data: JsonMapping, kind: type[T]) -> T:
    """Convert component data to a game's struct, and check that ids are unique in each list.

    Args:
        data: Content of the file.
        kind: Struct class of the file.

    Returns:
        The validated data.

    Raises:
        ComponentError: If a key is missing or unknown, a value isn't allowed, or an id occurs
            twice.
    """
    try:
        found = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        _refuse(str(error), data, kind)
    for name in cast("type[Struct]", kind).__struct_fields__:
        entries = getattr(found, name)
        if isinstance(entries, list | tuple):
            _check_ids(name, [each.id for each in entries if isinstance(each, EntrySchema)])
    return found


def _check_ids(table: str, ids: Sequence[str]) -> None:
    """Reject a table in which an id occurs twice."""
    seen: set[str] = set()
    for id in ids:
        FileLocation(table, id).need(id not in seen, "duplicate id", "each id once")
        seen.add(id)


def in_order(table: str, entries: Sequence[E], ids: Domain | Sequence[str]) -> list[E]:
    """Return the entries of a list in the order of the given ids, which must occur once each.

    Args:
        table: Name of the table, for error messages.
        entries: Entries of the list.
        ids: The expected ids: a domain with fixed names, or ids in order.

    Raises:
        ComponentError: If an id is missing or unknown.
    """
    by_id = {entry.id: entry for entry in entries}
    names = ids.names if isinstance(ids, Domain) else ids
    for entry in entries:
        FileLocation(table, entry.id).need(entry.id in names, "the id is unknown", ", ".join(names))
    for name in names:
        FileLocation(table, name).need(name in by_id, "it is missing", ", ".join(names))
    return [by_id[name] for name in names]


def localized_names(**domains: Sequence[NamedEntrySchema | Text]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return names per language and domain, for `Rules.titles`.

    Args:
        **domains: Per domain its entries or texts, in the order of its elements.
    """
    texts = {
        domain: [each.name if isinstance(each, NamedEntrySchema) else each for each in named]
        for domain, named in domains.items()
    }
    return {
        language: {domain: tuple(text.said(language) for text in named) for domain, named in texts.items()}
        for language in LANGUAGES
    }


# -- descriptions of faults -----------------------------------------------------------------------


def _refuse(message: str, data: Any, kind: type) -> NoReturn:
    """Convert an error of msgspec to a ComponentError that names the location and the value."""
    what, _, path = message.partition(" - at `")
    node: types.Type = types.type_info(kind)
    value: Any = data
    table, card, key = "", "", ""
    for depth, (name, index) in enumerate(_STEP.findall(path.rpartition("$")[2])):
        step = name or (int(index) if index != "..." else index)
        if step == "...":
            break
        node, value = inner_type(node, step, value), value[step]
        if depth == 0:
            table = name
        elif depth == 1 and index:
            card = str(value.get("id", f"number {step + 1}")) if isinstance(value, Mapping) else f"number {step + 1}"
        else:
            key += (f".{name}" if key else name) if name else f"[{index}]"
    _complain(what, FileLocation(table, card), key, value, node)


def _complain(what: str, at: FileLocation, key: str, value: Any, node: types.Type) -> NoReturn:
    """Raise the ComponentError of one fault.

    Args:
        what: Message of msgspec, without the path.
        at: Location of the fault.
        key: Path of the value inside the table or entry; "" for the whole.
        value: The value at that path.
        node: Declared type of the value.
    """
    before = f"{key}." if key else ""
    found = re.search(r"(missing required|unknown) field `(.*)`", what)
    if found is None:
        shown = repr(value)
        shown = shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "..."
        at.raise_error(f"{key or 'it'} is {shown}", _allowed(node))
    name = found[2]
    at = at if at.table else FileLocation(name)
    name = f"{before}{name}" if at.card or at.table != name else "it"
    if found[1] == "unknown":
        at.raise_error(f"{name} is unknown", ", ".join(_keys(node, value)))
    at.raise_error(f"{name} is missing", _allowed(inner_type(node, found[2], value)))


def _struct(node: types.Type, value: Any) -> types.StructType | None:
    """Return the struct class that a table is read as; of several the one with the table's tag."""
    found = [each for each in choices_of(node) if isinstance(each, types.StructType)]
    for each in found:
        if len(found) == 1 or (isinstance(value, Mapping) and value.get(each.tag_field) == each.tag):
            return each
    return None


def choices_of(node: types.Type) -> Iterator[types.Type]:
    """Yield the alternatives of a union type."""
    if isinstance(node, types.Metadata):
        yield from choices_of(node.type)
    elif isinstance(node, types.UnionType):
        for each in node.types:
            yield from choices_of(each)
    else:
        yield node


def _keys(node: types.Type, value: Any) -> list[str]:
    """Return the allowed keys of a table, without the keys of `SourcedSchema`."""
    struct = _struct(node, value)
    assert struct is not None
    tag = [struct.tag_field] if struct.tag_field else []
    return [
        *tag,
        *(field.encode_name for field in struct.fields if field.encode_name not in SourcedSchema.__struct_fields__),
    ]


def inner_type(node: types.Type, step: str | int, value: Any) -> types.Type:
    """Return the declared type of the value at a key or index.

    Args:
        node: Declared type of the table or list.
        step: The key or index.
        value: The table or list; its tag says which of several structs it is.
    """
    struct = _struct(node, value)
    if struct is not None:
        return next((field.type for field in struct.fields if field.encode_name == step), _Tag(node))
    for each in choices_of(node):
        if isinstance(each, types.ListType | types.VarTupleType):
            return each.item_type
        if isinstance(each, types.TupleType) and isinstance(step, int):
            return each.item_types[step]
        if isinstance(each, types.DictType):
            return each.value_type
    return _Tag(node)


class _Tag(types.Type):
    """Pseudo type of the key that selects one of several structs."""

    node: types.Type


def _allowed(node: types.Type) -> str:
    """Describe the allowed values of a type."""
    if isinstance(node, types.Metadata):
        described: str = (node.extra_json_schema or {}).get("description", "")
        return described or _allowed(node.type)
    if isinstance(node, _Tag):
        return ", ".join(str(each.tag) for each in choices_of(node.node) if isinstance(each, types.StructType))
    if isinstance(node, types.UnionType):
        tagged = [each for each in node.types if isinstance(each, types.StructType) and each.tag_field]
        if tagged:
            return f"a table with {tagged[0].tag_field} = {', '.join(str(each.tag) for each in tagged)}"
        return " or ".join(dict.fromkeys(_allowed(each) for each in node.types if not isinstance(each, types.NoneType)))
    if isinstance(node, types.LiteralType):
        return ", ".join(str(value) for value in node.values)
    if isinstance(node, types.IntType):
        limits = _limits(node.ge, node.le)
        return "a whole number" + (f" from {limits}" if " to " in limits else f" of {limits}" if limits else "")
    if isinstance(node, types.ListType | types.VarTupleType):
        limits = _limits(node.min_length or None, node.max_length)
        return f"a list{limits and f' of {limits}'}, each item {_allowed(node.item_type)}"
    if isinstance(node, types.TupleType):
        items = dict.fromkeys(map(_allowed, node.item_types))
        return (
            f"a list of {len(node.item_types)}, "
            + ("each item " if len(items) == 1 else "in order ")
            + "; ".join(items)
        )
    if isinstance(node, types.StructType):
        return f"a table with {', '.join(_keys(node, None))}"
    if isinstance(node, types.DictType):
        return f"a table, each value {_allowed(node.value_type)}"
    return {types.BoolType: "true or false", types.StrType: "a text"}.get(type(node), "another value")


def _limits(low: float | None, high: float | None) -> str:
    """Describe a range; "" if it has no limits."""
    if low is None:
        return "" if high is None else f"up to {high}"
    return f"at least {low}" if high is None else f"{low} to {high}" if low != high else f"{low}"
