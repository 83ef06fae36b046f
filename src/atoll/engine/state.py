"""States: plain data with declared visibility.

The state of a game is a slots dataclass derived from `State`. A function of this module declares
each field and who knows its content. Views, determinizations, observations and the conformance
suite are generated from these declarations.
"""

from __future__ import annotations

import dataclasses
import sys
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, cast, get_type_hints

from mypy_extensions import mypyc_attr
from typing_extensions import TypeVar  # Python 3.11 has no defaults of type variables

from .clone import clone_source, nested_dataclasses
from .decisions import PUBLIC
from .json_types import JsonMapping, JsonObject, JsonValue
from .options import Options

_KEY: Final = "atoll"


@dataclass(frozen=True, slots=True)
class SeatNumbers:
    """The mapping of numbers to seats: seat n has the `each` numbers from `first + n * each` on.

    Attributes:
        first: First number of seat 0.
        each: Count of numbers per seat.
        mask: Whether the numbers are bit masks of seats instead.
    """

    first: int = 0
    each: int = 1
    mask: bool = False

    def seen_from(self, viewer: int, seats: int, number: int) -> int:
        """Return a number with its seat relative to a viewer; other numbers stay the same.

        Args:
            viewer: The seat that becomes 0; its left neighbor becomes 1.
            seats: Number of seats.
            number: The number.
        """
        if self.mask:
            return (number >> viewer | number << seats - viewer) & (1 << seats) - 1
        seat, rest = divmod(number - self.first, self.each)
        if not 0 <= seat < seats:
            return number
        return self.first + (seat - viewer) % seats * self.each + rest


Holds: TypeAlias = "SeatNumbers | tuple[SeatNumbers | None, ...] | None"
"""Numbers in a list that name seats; a tuple if the list has rows, one entry per column."""

SEAT: Final = SeatNumbers()
"""Plain seat numbers."""
SEAT_MASK: Final = SeatNumbers(mask=True)
"""Bit masks of seats."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """The declaration of a field.

    Attributes:
        who: Viewers that know the content: `public` (all), `owner` (each seat its own entry),
            `known` (per card a mask of seats), `derivable` (hidden, but anyone could have tracked
            it), `nobody` (a draw pool) or `derived` (not shown).
        back: Back of the cards; "" if the field has no cards.
        masks: For `known`, the name of the field with the masks.
        count: Whether others know the number of cards.
        at_end: Whether the content is disclosed when the game is over.
        lo: Lower bound of the numbers.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists; None if it isn't declared.
        shared: Whether copies of the state share the elements of this list.
        by: Seat numbers that index the outermost list; None if it isn't indexed by seat.
        holds: Numbers inside that name seats; None for none.
        fixed: Whether each index of the innermost list has its own meaning.
        domain: Domain of the numbers, for tables that the game doesn't draw itself; "" for none.
            For cards it is the domain named like their back.
        places: Domain that names the indices of the list, for the same tables; "" for none.
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
        """Lowest number in the field. A single card of an owner may be -1, which means none."""
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
    """Declare a field that everyone knows.

    Args:
        lo: Lower bound of the numbers.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists.
        by: Seat numbers that index the outermost list; None if it isn't indexed by seat.
        holds: Numbers inside that name seats.
        fixed: Whether each index of the innermost list has its own meaning.
        domain: Domain of the numbers, for tables that the game doesn't draw itself.
        places: Domain that names the indices of the list, for the same tables.

    Returns:
        The dataclass field.
    """
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
    """Declare a field indexed by seat; each seat knows only its own entry.

    An entry is a list of cards or a single card; -1 means no card.

    Args:
        back: Back of the cards; "" for other secrets.
        count: `public` or `hidden`: whether others know the number of cards.
        at_end: Whether the content is disclosed when the game is over.
        lo: Lower bound of the numbers.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists.
        holds: Numbers inside that name seats.

    Returns:
        The dataclass field.

    Raises:
        ValueError: If `count` isn't `public` or `hidden`.
    """
    return _field(Visibility("owner", back, "", _counted(count), at_end, lo, hi, size, by=SEAT, holds=holds))


def known(*, back: str, masks: str, at_end: bool = False, hi: int | None = None, size: int | None = None) -> Any:
    """Declare a field indexed by seat in which each card is known to certain seats.

    Each zone is sorted by mask first, then by card, so that order and masks don't disclose hidden
    cards.

    Args:
        back: Back of the cards.
        masks: Name of the field with a bit mask of seats per card.
        at_end: Whether the content is disclosed when the game is over.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists.

    Returns:
        The dataclass field.
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
    """Declare a field indexed by seat that others don't see, but that anyone could have tracked.

    It isn't secret for bots and tests.

    Args:
        count: `public` or `hidden`: whether others see the number of elements.
        at_end: Whether the content is shown to all when the game is over.
        lo: Lower bound of the numbers.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists.
        fixed: Whether each index of the innermost list has its own meaning.

    Returns:
        The dataclass field.

    Raises:
        ValueError: If `count` isn't `public` or `hidden`.
    """
    return _field(Visibility("derivable", "", "", _counted(count), at_end, lo, hi, size, by=SEAT, fixed=fixed))


def nobody(*, back: str, count: str = "public", hi: int | None = None, size: int | None = None) -> Any:
    """Declare an unordered draw pool, or a list of such pools, whose content nobody knows.

    The rules must keep pools sorted.

    Args:
        back: Back of the cards.
        count: `public` or `hidden`: whether the number of cards is known.
        hi: Upper bound of the numbers; None for no bound.
        size: Maximum length of the innermost lists.

    Returns:
        The dataclass field.

    Raises:
        ValueError: If `count` isn't `public` or `hidden`.
    """
    return _field(Visibility("nobody", back, "", _counted(count), False, 0, hi, size))


def derived(*, shared: bool = False) -> Any:
    """Declare a field that `Rules.derive` computes from the others, for speed.

    It is neither saved nor shown, but copied by `clone`.

    Args:
        shared: Whether copies share the elements of this list. Elements must then be replaced,
            never changed.

    Returns:
        The dataclass field.
    """
    visibility = Visibility("derived", shared=shared)
    return dataclasses.field(init=False, repr=False, compare=False, metadata={_KEY: visibility})


def _counted(count: str) -> bool:
    if count not in ("public", "hidden"):
        raise ValueError(f"invalid count {count!r}: expected 'public' or 'hidden'")
    return count == "public"


insert_sorted: Final[Callable[[list[int], int], None]] = insort
"""Insert a card into a sorted pool or hand."""


def remove_sorted(pool: list[int], card: int) -> None:
    """Remove a card from a sorted pool or hand.

    Args:
        pool: The sorted cards; changed in place.
        card: The card.

    Raises:
        ValueError: If the card isn't in it.
    """
    index = bisect_left(pool, card)
    if index == len(pool) or pool[index] != card:
        raise ValueError(f"{card} isn't in the pool {pool}")
    del pool[index]


@dataclass(frozen=True, slots=True)
class Only:
    """A value of an event field for certain seats only.

    Attributes:
        value: The value, JSON-able.
        audience: Bit mask of the seats that may see it.
    """

    value: JsonValue
    audience: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for the log and animations; never the source of truth.

    Attributes:
        key: Key of its log text.
        fields: Values by name, JSON-able.
        hidden: Audience of each field that not everyone may see.
        audience: Seats that may know of the event.
    """

    key: str
    fields: JsonMapping
    hidden: Mapping[str, int]
    audience: int = PUBLIC

    def seen_by(self, viewer: int | None) -> JsonObject | None:
        """Return the part of the event that a viewer may know.

        Args:
            viewer: The seat; None for a spectator.

        Returns:
            A dict with `key`, `fields` and the names of hidden fields; None if the event is hidden.
        """
        if not may_know(self.audience, viewer):
            return None
        lacking = sorted(name for name, audience in self.hidden.items() if not may_know(audience, viewer))
        shown = {name: value for name, value in self.fields.items() if name not in lacking}
        return {"key": self.key, "fields": shown, "lacking": lacking}

    def to_json(self) -> JsonObject:
        """Return the whole event as plain data."""
        return {"key": self.key, "fields": dict(self.fields), "hidden": dict(self.hidden), "audience": self.audience}

    @staticmethod
    def from_json(data: JsonMapping) -> Event:
        """Return the event that `to_json` wrote."""
        return Event(data["key"], data["fields"], data["hidden"], data["audience"])


def may_know(audience: int, viewer: int | None) -> bool:
    """Return whether a viewer belongs to an audience; spectators (None) only to `PUBLIC`."""
    if audience == PUBLIC:
        return True
    return viewer is not None and bool(audience >> viewer & 1)


_SHARED: Final = ("components", "options", "events")

C = TypeVar("C", default=Any)
"""Type of a game's components. `State` and `Game` without brackets mean those of any game."""
S = TypeVar("S", bound="State", default=Any)
"""Type of a game's state."""
_T = TypeVar("_T")


def new_without_init(kind: type[_T]) -> _T:
    """Return an instance of a class without calling `__init__`, for `clone`."""
    return kind.__new__(kind)


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class State(Generic[C]):
    """Base of all states.

    The type parameter is the class of the game's components. A subclass is a
    `@dataclass(slots=True)` whose fields are declared with the functions of this module. Two fields
    are required: `seats` (number of seats) and `over` (whether the game has ended).

    Attributes:
        components: The components; shared by all copies and never changed.
        options: Resolved options; shared by all copies and never changed.
        events: Events so far; None if they aren't collected.
    """

    __slots__ = _SHARED

    components: C
    options: Options
    events: list[Event] | None

    def __post_init__(self) -> None:
        self.events = None

    def clone(self: S) -> S:
        """Return an independent copy without events; components and options are shared.

        The method is generated from the types of the fields when a state class is first cloned.
        Compiled states contain the generated code.

        Raises:
            TypeError: If the type of a field isn't supported.
        """
        copy: S = _written_clone(type(self))(self)
        return copy

    def emit(self, key: str, /, *, to: int = PUBLIC, **fields: object) -> None:
        """Record an event, unless nobody collects events, as in rollouts, replays and drafts.

        Rules check `events` themselves in hot loops, because building the fields is expensive.

        Args:
            key: Key of the log text.
            to: Audience of the event.
            **fields: Values of the fields, JSON-able; `Only` for values that not everyone may see.
        """
        if self.events is None:
            return
        hidden: dict[str, int] = {}
        for name, value in fields.items():
            if type(value) is int or type(value) is str:  # most are
                continue
            if type(value) is Only:
                hidden[name] = value.audience
                value = value.value  # noqa: PLW2901 - the event has the value, `hidden` its audience
            fields[name] = _plain(value)
        self.events.append(Event(key, fields, hidden, to))


def _plain(value: Any) -> Any:
    """Return a copy of a value that later changes of the state can't affect."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


_CLONES: Final[dict[type[State], Callable[[Any], Any]]] = {}


def clone_function(kind: type[State]) -> Callable[[State], State]:
    """Return the fastest function that copies states of a class."""
    own: Any = kind.clone
    return _written_clone(kind) if own is State.clone else own


def _written_clone(kind: type[State]) -> Callable[[Any], Any]:
    """Return the generated clone function of a state class."""
    clone = _CLONES.get(kind)
    if clone is None:
        known: dict[str, Any] = {"new_without_init": kind.__new__, "copy": list.copy, kind.__name__: kind}
        for hint in field_types(kind).values():
            known.update(nested_dataclasses(hint))
        exec(state_clone_source(kind, compiled=False), known)  # noqa: S102 - of our own declarations
        clone = _CLONES[kind] = known["clone"]
    return clone


def state_clone_source(kind: type[State], *, compiled: bool) -> str:
    """Return the source of a state's `clone` method.

    Args:
        kind: Class of the state.
        compiled: Whether mypyc compiles the source.

    Raises:
        TypeError: If the type of a field isn't supported.
    """
    types = field_types(kind)
    fields = dataclasses.fields(cast(Any, kind))
    shared = {field.name for field in fields if field.metadata.get(_KEY, _UNDECLARED).shared}
    return clone_source(kind.__name__, {field.name: types[field.name] for field in fields}, shared, compiled=compiled)


_DECLARATIONS: Final[dict[type[State], tuple[tuple[str, Visibility], ...]]] = {}
_TYPES: Final[dict[type, dict[str, object]]] = {}


def declarations(state_type: type[State]) -> tuple[tuple[str, Visibility], ...]:
    """Return all fields of a state except derived ones, with their visibility.

    Args:
        state_type: Class of the state.

    Raises:
        TypeError: If a field has no declaration.
    """
    if state_type not in _DECLARATIONS:
        _DECLARATIONS[state_type] = tuple(_declared(state_type))
    return _DECLARATIONS[state_type]


_VISIBILITY: Final[dict[type[State], dict[str, Visibility]]] = {}


def visibility_of(state_type: type[State], field: str) -> Visibility:
    """Return the declaration of one field.

    Args:
        state_type: Class of the state.
        field: Name of the field.

    Raises:
        KeyError: If the field doesn't exist.
    """
    known = _VISIBILITY.get(state_type)
    if known is None:
        known = _VISIBILITY[state_type] = dict(declarations(state_type))
    return known[field]


def field_types(owner: type) -> dict[str, object]:
    """Return the types of a dataclass's fields by name.

    Compiled classes don't retain the arguments of generic types. Their module has a table
    FIELD_TYPES, which the build writes.
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
                f"{state_type.__name__}.{field.name} has no visibility: "
                "use public(), owner(), known(), trackable(), nobody() or derived()"
            )
        if visibility.who != "derived":
            yield field.name, visibility
