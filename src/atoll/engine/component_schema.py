"""Component data: what a game's TOML must hold is said once, as msgspec structs; `read` holds a file against them.

A game declares one struct for its file: a field per table, `Entry` or `Named` for what stands in a list of tables, with
`msgspec.Meta` for what is allowed. What no struct can say (that numbers add up, that an id exists elsewhere) is checked
with `At`. Whatever is wrong is told in one form, that of `ComponentError`.
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
Words = Annotated[str, Meta(pattern=r"\S", description="a text that isn't empty")]
Source = Literal["rulebook", "public", "reconstructed"]
"""Where a number comes from: the rulebook, other public material, or it was made up to fit them."""


class Schema(Struct, forbid_unknown_fields=True):
    """What stands inside of a table."""


class _Said(Schema):
    def said(self, language: str) -> str:
        """Return the words in a language, in English where it has none."""
        return getattr(self, language, None) or cast("str", getattr(self, ENGLISH))


def spoken(base: type[Struct], key: str = "{}") -> type[Struct]:
    """Return a struct with a field per language; only English is required.

    Args:
        base: Struct to derive from.
        key: Name of a field with a placeholder for the language.
    """
    fields = [
        (key.format(code), Words) if code == ENGLISH else (key.format(code), Words | None, None) for code in LANGUAGES
    ]
    return msgspec.defstruct(f"Spoken{base.__name__}", fields, bases=(base,), module=__name__, kw_only=True)


if TYPE_CHECKING:

    class Text(_Said):
        """The same words in each language."""

        en: Words

else:
    Text = spoken(_Said)


def text_of(entry: Struct, key: str = "{}") -> Text:
    """Return what an entry with a field per language says, as `spoken` lays it out."""
    return Text(**{code: getattr(entry, key.format(code)) for code in LANGUAGES})


class SourcedSchema(Schema, kw_only=True):
    """A table of the file. An owner's own one needn't say where its numbers come from.

    rulebook_fields, public_fields: the keys whose values come from there, whatever `source` says of the others.
    """

    source: Source | None = None
    rulebook_fields: tuple[str, ...] = ()
    public_fields: tuple[str, ...] = ()


class EntrySchema(SourcedSchema, kw_only=True):
    """One of a list of tables: a card, a tile, a place. In a list each id stands once."""

    id: Id


class NamedEntrySchema(EntrySchema, kw_only=True):
    """One that people call by a name."""

    name: Text


T = TypeVar("T")
E = TypeVar("E", bound=EntrySchema)

_STEP: Final = re.compile(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]")
_LONGEST: Final = 60  # characters of a wrong value that are shown


class FileLocation:
    """A place in the file that something can be wrong with: a table and, where it is a list, the card's id in it."""

    __slots__ = ("card", "table")

    def __init__(self, table: str, card: object = "") -> None:
        self.table: str = table
        self.card: str = str(card)

    def raise_error(self, wrong: str, allowed: object) -> NoReturn:
        """Refuse the file."""
        raise ComponentError(wrong, str(allowed), table=self.table, card=self.card)

    def need(self, holds: bool, wrong: str, allowed: object) -> None:
        """Refuse the file unless this holds. Raises ComponentError."""
        if not holds:
            self.raise_error(wrong, allowed)

    def one_of(self, key: str, value: str, allowed: Domain | Sequence[str]) -> int:
        """The index of a value among those that are allowed. Raises ComponentError."""
        names = allowed.names if isinstance(allowed, Domain) else allowed
        if value not in names:
            self.raise_error(f"{key} is {value!r}", ", ".join(names))
        return names.index(value)


def load(path: str | Path) -> JsonObject:
    """The data of a TOML file. Raises ComponentError."""
    try:
        return tomllib.loads(Path(path).read_bytes().decode())
    except OSError as error:
        wrong = f"can't be read ({error.strerror})"
    except UnicodeDecodeError:
        wrong = "no UTF-8 text"
    except (ValueError, RecursionError) as error:
        wrong = f"no valid TOML ({error})"
    raise ComponentError(wrong, "a copy of a game's components.toml with changes", file=str(path)) from None


def read(data: JsonMapping, kind: type[T]) -> T:
    """The data as the game's struct; the ids of each list of entries are different.

    Raises ComponentError for a table or key that is missing or unknown, and for a value that isn't allowed.
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
    seen: set[str] = set()
    for id in ids:
        FileLocation(table, id).need(id not in seen, "the id stands twice", "each id once")
        seen.add(id)


def in_order(table: str, entries: Sequence[E], ids: Domain | Sequence[str]) -> list[E]:
    """The entries of a list that holds exactly these ids, in the order of the ids. Raises ComponentError."""
    by_id = {entry.id: entry for entry in entries}
    names = ids.names if isinstance(ids, Domain) else ids
    for entry in entries:
        FileLocation(table, entry.id).need(entry.id in names, "the id is unknown", ", ".join(names))
    for name in names:
        FileLocation(table, name).need(name in by_id, "it is missing", ", ".join(names))
    return [by_id[name] for name in names]


def localized_names(**domains: Sequence[NamedEntrySchema | Text]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Per language and domain the names, in the order given."""
    texts = {
        domain: [each.name if isinstance(each, NamedEntrySchema) else each for each in named]
        for domain, named in domains.items()
    }
    return {
        language: {domain: tuple(text.said(language) for text in named) for domain, named in texts.items()}
        for language in LANGUAGES
    }


# -- what a wrong file is told ---------------------------------------------------------------------------------------


def _refuse(message: str, data: Any, kind: type) -> NoReturn:
    """Say where in the file it is that msgspec complains of, what stands there, and what may."""
    what, _, path = message.partition(" - at `")
    node: types.Type = types.type_info(kind)
    value: Any = data
    table, card, key = "", "", ""
    for depth, (name, index) in enumerate(_STEP.findall(path.rpartition("$")[2])):
        step = name or (int(index) if index != "..." else index)
        if step == "...":
            break
        node, value = _inner(node, step, value), value[step]
        if depth == 0:
            table = name
        elif depth == 1 and index:
            card = str(value.get("id", f"number {step + 1}")) if isinstance(value, Mapping) else f"number {step + 1}"
        else:
            key += (f".{name}" if key else name) if name else f"[{index}]"
    _complain(what, FileLocation(table, card), key, value, node)


def _complain(what: str, at: FileLocation, key: str, value: Any, node: types.Type) -> NoReturn:
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
    at.raise_error(f"{name} is missing", _allowed(_inner(node, found[2], value)))


def _struct(node: types.Type, value: Any) -> types.StructType | None:
    """The struct that a table is read as: where there are several, that of its tag."""
    found = [each for each in _choices(node) if isinstance(each, types.StructType)]
    for each in found:
        if len(found) == 1 or (isinstance(value, Mapping) and value.get(each.tag_field) == each.tag):
            return each
    return None


def _choices(node: types.Type) -> Iterator[types.Type]:
    if isinstance(node, types.Metadata):
        yield from _choices(node.type)
    elif isinstance(node, types.UnionType):
        for each in node.types:
            yield from _choices(each)
    else:
        yield node


def _keys(node: types.Type, value: Any) -> list[str]:
    """The keys of a table, but for those that tell where its values come from."""
    struct = _struct(node, value)
    assert struct is not None
    tag = [struct.tag_field] if struct.tag_field else []
    return [
        *tag,
        *(field.encode_name for field in struct.fields if field.encode_name not in SourcedSchema.__struct_fields__),
    ]


def _inner(node: types.Type, step: str | int, value: Any) -> types.Type:
    """The type of what stands at a key or place of a value of this type."""
    struct = _struct(node, value)
    if struct is not None:
        return next((field.type for field in struct.fields if field.encode_name == step), _Tag(node))
    for each in _choices(node):
        if isinstance(each, types.ListType | types.VarTupleType):
            return each.item_type
        if isinstance(each, types.TupleType) and isinstance(step, int):
            return each.item_types[step]
        if isinstance(each, types.DictType):
            return each.value_type
    return _Tag(node)


class _Tag(types.Type):
    """The key by which one of several structs is chosen."""

    node: types.Type


def _allowed(node: types.Type) -> str:
    """What may stand where this type is declared, in words."""
    if isinstance(node, types.Metadata):
        described: str = (node.extra_json_schema or {}).get("description", "")
        return described or _allowed(node.type)
    if isinstance(node, _Tag):
        return ", ".join(str(each.tag) for each in _choices(node.node) if isinstance(each, types.StructType))
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
    if low is None:
        return "" if high is None else f"up to {high}"
    return f"at least {low}" if high is None else f"{low} to {high}" if low != high else f"{low}"
