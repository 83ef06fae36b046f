"""What the pictures of all tables begin with: a view, and what was drawn of it before."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar, cast

from .region import Region

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.words import Words

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound="TablePicture")

_MOST: Final = 8192
_VARIANTS: Final = 8


class _Entry(NamedTuple):
    """A place in a list of a view. at: None for how long the list is."""

    key: Any
    at: int | None


class NotedList(Sequence[Any]):
    """A list of a view. While something is drawn that may be kept it is noted which entries are read, or all of it."""

    __slots__ = ("_key", "_notes", "_raw")

    def __init__(self, raw: list[Any], key: Any, notes: list[set[Any]]) -> None:
        self._raw: list[Any] = raw
        self._key: Any = key
        self._notes: list[set[Any]] = notes

    def _whole(self) -> list[Any]:
        self._notes[-1].add(self._key)
        return self._raw

    def __getitem__(self, at: Any) -> Any:
        if type(at) is not int:
            return self._whole()[at]
        found = self._raw[at] if -len(self._raw) <= at < len(self._raw) else self._whole()[at]
        self._notes[-1].add(_Entry(self._key, at))
        return found

    def __len__(self) -> int:
        self._notes[-1].add(_Entry(self._key, None))
        return len(self._raw)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._whole())

    def __contains__(self, value: object) -> bool:
        return value in self._whole()

    def __eq__(self, other: object) -> bool:
        return self._whole() == (other._whole() if isinstance(other, NotedList) else other)

    def __hash__(self) -> int:
        raise TypeError("a list of a view can't be hashed")

    def __add__(self, other: Sequence[Any]) -> list[Any]:
        return [*self._whole(), *other]

    def __radd__(self, other: Sequence[Any]) -> list[Any]:
        return [*other, *self._whole()]

    def __repr__(self) -> str:
        return repr(self._whole())

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, (self._whole(),)

    def count(self, value: Any) -> int:
        """See list."""
        return self._whole().count(value)

    def index(self, value: Any, start: int = 0, stop: int = sys.maxsize) -> int:
        """See list."""
        return self._whole().index(value, start, stop)


class Noted(Mapping[Any, Any]):
    """A part of a view. What is read of it is noted while something is drawn that may be kept."""

    __slots__ = ("_notes", "raw")

    def __init__(self, raw: Mapping[Any, Any], notes: list[set[Any]]) -> None:
        self.raw: Mapping[Any, Any] = raw
        self._notes: list[set[Any]] = notes

    def __getitem__(self, key: Any) -> Any:
        try:
            found = self.raw[key]
        except KeyError:
            self._notes[-1].add(key)
            raise
        if type(found) is list:
            return NotedList(found, key, self._notes)
        self._notes[-1].add(key)
        return found

    def __contains__(self, key: object) -> bool:
        self._notes[-1].add(key)
        return key in self.raw

    def __iter__(self) -> Iterator[Any]:
        self._notes[-1].update(self.raw)
        return iter(self.raw)

    def __len__(self) -> int:
        self._notes[-1].update(self.raw)
        return len(self.raw)


class _Worked(dict[Any, Any]):
    """What is worked out of a view when it is asked for."""

    def __init__(self, work_out: Callable[..., Any]) -> None:
        self._work_out: Callable[..., Any] = work_out

    def __missing__(self, key: tuple[Any, ...]) -> Any:
        self[key] = value = self._work_out(*key)
        return value


_Reads = tuple[tuple[int, Any, Callable[[Any], Any], Any], ...]
"""What was read: of which part, of which of its lists (None: of itself), how to read it, and what it was."""

_Notes = tuple[frozenset[Any], ...]
_shelf: OrderedDict[Any, tuple[tuple[_Reads, _Notes, Any], ...]] = OrderedDict()


def kept(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """What a method of a picture draws is kept until something else is read of the view than it has read.

    So the method may use its arguments, the game's box, the words, `s`, `live`, `view`, `worked`: nothing else.
    """

    @wraps(method)
    def recall(self: T, *args: P.args, **values: P.kwargs) -> R:
        found: R = self._recall(method, args, values)
        return found

    return cast("Callable[Concatenate[T, P], R]", recall)


def drawn_anew() -> None:
    """Forget all that was kept."""
    _shelf.clear()


def _all_of(part: Mapping[Any, Any], keys: Sequence[Any]) -> Callable[[Mapping[Any, Any]], Any]:
    """How to read all of these of a part again. What it has is had by all parts of its kind."""
    if isinstance(part, _Worked) or all(key in part for key in keys):
        return itemgetter(*keys)
    return lambda part: [*map(part.get, keys)]


def _reads(parts: Sequence[Mapping[Any, Any]], notes: _Notes) -> _Reads:
    """What was read of the parts of a view, as it was."""
    found: list[tuple[int, Any, Callable[[Any], Any]]] = []
    for at, noted in enumerate(notes):
        entries: dict[Any, list[int]] = {}
        whole = [key for key in noted if type(key) is not _Entry]
        for entry in noted:
            if type(entry) is not _Entry or entry.key in noted:
                continue
            if entry.at is None:
                found.append((at, entry.key, len))
            else:
                entries.setdefault(entry.key, []).append(entry.at)
        if whole:
            found.append((at, None, _all_of(parts[at], whole)))
        found += [(at, key, itemgetter(*places)) for key, places in entries.items()]
    return tuple((at, key, get, get(parts[at] if key is None else parts[at][key])) for at, key, get in found)


def _fits(parts: Sequence[Mapping[Any, Any]], reads: _Reads) -> bool:
    """Whether all that was read is as it was."""
    try:
        for at, key, get, was in reads:
            if get(parts[at] if key is None else parts[at][key]) != was:
                return False
    except (LookupError, TypeError):  # a list is shorter, or none, or what was there isn't
        return False
    return True


def _look_alike(a: Any, b: Any) -> bool:
    """Whether two things that a method drew look the same; regions are equal to themselves alone."""
    if isinstance(a, Region):
        return isinstance(b, Region) and a.looks_like(b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_look_alike, a, b))
    return bool(a == b)


class TablePicture:
    """One view in pictures. A game's `picture.py` derives a class from it, whose methods draw its regions; of a large
    table each area has a class, in a file of its own, and the table's is put together of these.

    view: what the viewer may know; s and live: its state and its computed facts; worked: what the picture itself works
    out of them, by the arguments of `_work_out`. words: texts in the viewer's language.
    A subclass says of which type its Box is: `box: AtuaBox`.
    """

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        self.game: Game = game
        self.box: Any = game.box
        parts = (view["state"], view["live"], view, _Worked(self._worked_out), _Worked(self._is_so))
        self._parts: tuple[Mapping[Any, Any], ...] = parts
        self._notes: tuple[list[set[Any]], ...] = tuple([set()] for _ in parts)
        self._unheeded: set[Any] = set()
        noted = [Noted(part, notes) for part, notes in zip(parts, self._notes, strict=True)]
        self.s, self.live, self.view, self.worked, self._so = noted
        self.words: Words = words

    def _say(self, key: str, /, **fields: Any) -> str:
        """A text of the table (`table.<key>`)."""
        return self.words.say(f"table.{key}", fields)

    def _id(self, domain: str, index: int) -> str:
        """The name of an element of a domain as it stands in choices."""
        return self.game.notation.name(domain, index)

    def _worked_out(self, what: str, about: Any) -> Any:
        """See _work_out; what was read for it isn't noted, because it is worked out again to be compared."""
        for notes in self._notes:
            notes.append(self._unheeded)
        try:
            return self._work_out(what, about)
        finally:
            for notes in self._notes:
                notes.pop()

    def _work_out(self, what: str, about: Any) -> Any:
        """A value that isn't in the view, but follows from it, and from nothing else."""
        raise NotImplementedError

    def _is(self, what: str, value: Any) -> bool:
        """Whether the viewer is this seat, is asked by this prompt, or a field of the state has this value.

        what: "viewer", "prompt", or the field's name. A picture that reads nothing more of it is drawn anew only when
        the answer is another one.
        """
        so: bool = self._so[what, value]
        return so

    def _is_so(self, what: str, value: Any) -> bool:
        view = self.view.raw
        if what == "viewer":
            return bool(view["viewer"] == value)
        if what == "prompt":
            decision = view["decision"]
            return decision is not None and "options" in decision and bool(decision["prompt"] == value)
        return bool(view["state"][what] == value)

    def _recall(self, method: Callable[..., Any], args: tuple[Any, ...], values: dict[str, Any]) -> Any:
        key = (method, self.game, self.words, args, *values.items())
        known = _shelf.get(key, ())
        for reads, noted, drawn in known:
            if _fits(self._parts, reads):
                self._note(noted)
                _shelf.move_to_end(key)
                return drawn
        for notes in self._notes:
            notes.append(set())
        try:
            drawn = method(self, *args, **values)
        finally:
            noted = tuple(frozenset(notes.pop()) for notes in self._notes)
            self._note(noted)
        for _, _, before in known:
            if _look_alike(before, drawn):
                drawn = before  # what the page has made of it is kept, too
                break
        _shelf[key] = ((_reads(self._parts, noted), noted, drawn), *known[: _VARIANTS - 1])
        _shelf.move_to_end(key)
        if len(_shelf) > _MOST:
            _shelf.popitem(last=False)
        return drawn

    def _note(self, noted: _Notes) -> None:
        """What was read for a part was read for the whole that it belongs to."""
        if len(self._notes[0]) > 1:
            for notes, each in zip(self._notes, noted, strict=True):
                notes[-1] |= each
