"""The table as plain data, and who may know which piece of it.

A game's state is a slots dataclass derived from `State`. Each field says with one of the functions below who knows its
content. From these declarations come the views, the re-deal, the observation arrays and the leak tests.
"""

from __future__ import annotations

import dataclasses
import sys
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, cast, get_type_hints

from mypy_extensions import mypyc_attr
from typing_extensions import TypeVar  # with defaults, which those of Python 3.11 don't have

from .clone import clone_source, nested_dataclasses
from .decisions import PUBLIC
from .json_types import JsonMapping, JsonObject, JsonValue
from .options import Options

_KEY: Final = "atoll"


@dataclass(frozen=True, slots=True)
class SeatNumbers:
    """Numbers that name seats: seat n is the `each` numbers from `first + n * each` on; others don't name one.

    mask: bit masks of seats instead.
    """

    first: int = 0
    each: int = 1
    mask: bool = False

    def seen_from(self, viewer: int, seats: int, number: int) -> int:
        """The number with its seat counted from the viewer: 0 itself, 1 its left neighbour."""
        if self.mask:
            return (number >> viewer | number << seats - viewer) & (1 << seats) - 1
        seat, rest = divmod(number - self.first, self.each)
        if not 0 <= seat < seats:
            return number
        return self.first + (seat - viewer) % seats * self.each + rest


Holds: TypeAlias = "SeatNumbers | tuple[SeatNumbers | None, ...] | None"

SEAT: Final = SeatNumbers()
"""A plain seat number."""
SEAT_MASK: Final = SeatNumbers(mask=True)
"""A bit mask of seats."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who knows the content of a field.

    who: "public" (all), "owner" (indexed by seat; each its own), "known" (indexed by seat; per card a mask of seats),
    "derivable" (indexed by seat; hidden on the page, no secret), "nobody" (an unordered draw pool).
    back: the back of the cards in it ("" if it holds no cards). masks: for "known", the field with the masks.
    count: whether others know how many there are. at_end: whether all see the content once the game is over.
    lo, hi: bounds of the ints inside. size: the most elements that the innermost list can have.
    shared: copies of the state share the elements of this list.
    by: what the outermost list is indexed by, if it is seats; whatever is indexed by seat by its kind has it too.
    holds: which of the numbers inside name seats; a tuple where they stand in rows, for each place of a row.
    fixed: in the innermost list each place has a meaning of its own; without, only what lies in it counts.
    domain, places: the domains whose elements the numbers inside are, and that name the places of the list: for a table
    that the game doesn't draw itself. Cards are elements of the domain that is called as their back.
    """

    who: str
    back: str = ""
    masks: str = ""
    count: bool = True
    at_end: bool = False
    lo: int = 0
    hi: int | None = None
    size: int | None = None
    shared: bool = False
    by: SeatNumbers | None = None
    holds: Holds = None
    fixed: bool = False
    domain: str = ""
    places: str = ""

    @property
    def lowest(self) -> int:
        """The lowest number that the field may hold; a single card can be -1, none."""
        return min(self.lo, -1) if self.who == "owner" else self.lo


_UNDECLARED: Final = Visibility("undeclared")


def _field(visibility: Visibility) -> Any:
    return dataclasses.field(metadata={_KEY: visibility})


def public(
    *,
    lo: int = 0,
    hi: int | None = None,
    size: int | None = None,
    by: SeatNumbers | None = None,
    holds: Holds = None,
    fixed: bool = False,
    domain: str = "",
    places: str = "",
) -> Any:
    """Everybody knows it."""
    found = Visibility("public", "", "", True, False, lo, hi, size, False, by, holds, fixed, domain, places)
    return _field(found)


def owner(
    *,
    back: str,
    count: str = "public",
    at_end: bool = False,
    lo: int = 0,
    hi: int | None = None,
    size: int | None = None,
    holds: Holds = None,
) -> Any:
    """Indexed by seat: a list of cards, or a single card (-1 is none). Each seat knows its own."""
    return _field(Visibility("owner", back, "", _counted(count), at_end, lo, hi, size, by=SEAT, holds=holds))


def known(*, back: str, masks: str, at_end: bool = False, hi: int | None = None, size: int | None = None) -> Any:
    """Indexed by seat: a list of cards; the field `masks` has, card by card, the bit mask of the seats that know it.

    Each zone is kept sorted by mask first, then by card: so the order and the masks tell nothing about hidden cards.
    """
    return _field(Visibility("known", back, masks, True, at_end, 0, hi, size, by=SEAT))


def trackable(
    *,
    count: str = "hidden",
    at_end: bool = False,
    lo: int = 0,
    hi: int | None = None,
    size: int | None = None,
    fixed: bool = False,
) -> Any:
    """Indexed by seat: hidden from others on the page, but everybody could have kept track of it."""
    return _field(Visibility("derivable", "", "", _counted(count), at_end, lo, hi, size, by=SEAT, fixed=fixed))


def nobody(*, back: str, count: str = "public", hi: int | None = None, size: int | None = None) -> Any:
    """An unordered draw pool (sorted list), or a list of such pools: nobody knows what is left in it."""
    return _field(Visibility("nobody", back, "", _counted(count), False, 0, hi, size))


def derived(*, shared: bool = False) -> Any:
    """Computed from the other fields by `Game.derive`, for speed: neither saved nor shown, but copied by `clone`.

    shared: a list whose elements are never changed, only replaced, so that copies may share them.
    """
    visibility = Visibility("derived", shared=shared)
    return dataclasses.field(init=False, repr=False, compare=False, metadata={_KEY: visibility})


def _counted(count: str) -> bool:
    if count not in ("public", "hidden"):
        raise ValueError(f"count {count!r}: allowed are 'public' and 'hidden'")
    return count == "public"


insert_sorted: Final[Callable[[list[int], int], None]] = insort
"""Lay a card into an unordered, therefore sorted, pool or hand."""


def remove_sorted(pool: list[int], card: int) -> None:
    """Take a card out of an unordered, therefore sorted, pool or hand. Raises ValueError if it isn't in it."""
    index = bisect_left(pool, card)
    if index == len(pool) or pool[index] != card:
        raise ValueError(f"{card} isn't in the pool {pool}")
    del pool[index]


@dataclass(frozen=True, slots=True)
class Only:
    """A value in an event that only the seats of the bit mask `audience` may see."""

    value: JsonValue
    audience: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for log and animation; never the source of truth.

    key: which words tell it. fields: plain values. hidden: field -> audience, for fields that not all may see.
    audience: who may know that it happened at all.
    """

    key: str
    fields: JsonMapping
    hidden: Mapping[str, int]
    audience: int = PUBLIC

    def seen_by(self, viewer: int | None) -> JsonObject | None:
        """What a seat (or, with None, a spectator) may know of it: {"key", "fields", "lacking"}, or None."""
        if not may_know(self.audience, viewer):
            return None
        lacking = sorted(name for name, audience in self.hidden.items() if not may_know(audience, viewer))
        shown = {name: value for name, value in self.fields.items() if name not in lacking}
        return {"key": self.key, "fields": shown, "lacking": lacking}

    def to_json(self) -> JsonObject:
        """The whole event as plain data, for the store."""
        return {"key": self.key, "fields": dict(self.fields), "hidden": dict(self.hidden), "audience": self.audience}

    @staticmethod
    def from_json(data: JsonMapping) -> Event:
        """The event that `to_json` wrote."""
        return Event(data["key"], data["fields"], data["hidden"], data["audience"])


def may_know(audience: int, viewer: int | None) -> bool:
    """Whether a seat (None: a spectator) belongs to an audience."""
    if audience == PUBLIC:
        return True
    return viewer is not None and bool(audience >> viewer & 1)


_SHARED: Final = ("components", "options", "events")

C = TypeVar("C", default=Any)
"""A game's Box. `State` and `Game` alone, without brackets, stand for those of any game."""
S = TypeVar("S", bound="State", default=Any)
"""A game's state."""
_T = TypeVar("_T")


def new_without_init(kind: type[_T]) -> _T:
    """An object of a class without its `__init__` having run: what `clone` begins with."""
    return kind.__new__(kind)


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class State(Generic[C]):
    """The base of every game's state. C is the type of the game's Box.

    A subclass is a `@dataclass(slots=True)` whose fields are declared with the functions of this module, among them
    `seats` (how many) and `over` (whether the game has ended).
    box, options: the printed matter and the host's options; shared by all copies, never changed.
    told: where events are collected; None where nobody listens.
    """

    __slots__ = _SHARED

    components: C
    options: Options
    events: list[Event] | None

    def __post_init__(self) -> None:
        self.events = None

    def clone(self: S) -> S:
        """An independent copy; Box and options are shared, told is None. Raises TypeError for a field it can't copy.

        It is written from the types of the fields when a state is first cloned; a compiled state has it written out.
        """
        copy: S = _written_clone(type(self))(self)
        return copy

    def emit(self, key: str, /, *, to: int = PUBLIC, **fields: object) -> None:
        """Something happened. Where nobody listens (play-outs, replays, staged turns), nothing is kept.

        Rules look at `told` themselves where they are busiest: to put fields together costs more than most rules.
        """
        if self.events is None:
            return
        hidden: dict[str, int] = {}
        for name, value in fields.items():
            if type(value) is int or type(value) is str:  # most are
                continue
            if type(value) is Only:
                hidden[name] = value.audience
                value = value.value  # noqa: PLW2901 - a field that isn't for all is its value
            fields[name] = _plain(value)
        self.events.append(Event(key, fields, hidden, to))


def _plain(value: Any) -> Any:
    """A copy that later changes of the table can't reach."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


_CLONES: Final[dict[type[State], Callable[[Any], Any]]] = {}


def clone_function(kind: type[State]) -> Callable[[State], State]:
    """What copies states of a type: its `clone`, without the search for what was written for it."""
    own: Any = kind.clone
    return _written_clone(kind) if own is State.clone else own


def _written_clone(kind: type[State]) -> Callable[[Any], Any]:
    """The function that `clone_source` writes for a state."""
    clone = _CLONES.get(kind)
    if clone is None:
        known: dict[str, Any] = {"new_without_init": kind.__new__, "copy": list.copy, kind.__name__: kind}
        for hint in field_types(kind).values():
            known.update(nested_dataclasses(hint))
        exec(state_clone_source(kind, compiled=False), known)  # noqa: S102 - of our own declarations
        clone = _CLONES[kind] = known["clone"]
    return clone


def state_clone_source(kind: type[State], *, compiled: bool) -> str:
    """The text of a state's method `clone`, see `clone_source`."""
    types = field_types(kind)
    fields = dataclasses.fields(cast(Any, kind))
    shared = {field.name for field in fields if field.metadata.get(_KEY, _UNDECLARED).shared}
    return clone_source(kind.__name__, {field.name: types[field.name] for field in fields}, shared, compiled=compiled)


_DECLARATIONS: Final[dict[type[State], tuple[tuple[str, Visibility], ...]]] = {}
_TYPES: Final[dict[type, dict[str, object]]] = {}


def declarations(state_type: type[State]) -> tuple[tuple[str, Visibility], ...]:
    """All fields of a state but the derived ones, with their visibility. Raises TypeError for an undeclared field."""
    if state_type not in _DECLARATIONS:
        _DECLARATIONS[state_type] = tuple(_declared(state_type))
    return _DECLARATIONS[state_type]


_VISIBILITY: Final[dict[type[State], dict[str, Visibility]]] = {}


def visibility_of(state_type: type[State], field: str) -> Visibility:
    """How one field is declared. Raises KeyError."""
    known = _VISIBILITY.get(state_type)
    if known is None:
        known = _VISIBILITY[state_type] = dict(declarations(state_type))
    return known[field]


def field_types(owner: type) -> dict[str, object]:
    """The types of a dataclass's fields by name.

    Of `list[int]` a compiled class knows only `list`: its module has the table FIELD_TYPES, written by the build.
    """
    if owner not in _TYPES:
        written = vars(sys.modules[owner.__module__]).get("FIELD_TYPES", {})
        _TYPES[owner] = written[owner.__name__] if owner.__name__ in written else get_type_hints(owner)
    return _TYPES[owner]


def _declared(state_type: type[State]) -> Iterator[tuple[str, Visibility]]:
    for field in dataclasses.fields(cast(Any, state_type)):
        visibility = field.metadata.get(_KEY)
        if visibility is None:
            raise TypeError(
                f"{state_type.__name__}.{field.name} doesn't say who may see it: "
                "use public(), owner(), known(), trackable(), nobody() or derived()"
            )
        if visibility.who != "derived":
            yield field.name, visibility
