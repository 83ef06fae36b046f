"""What the pictures of all tables begin with: a view, and what was drawn of it before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar, cast

from .region import Region

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.words import Words

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T", bound="TablePicture")

_MOST: Final = 8192
_VARIANTS: Final = 8


class Noted(Mapping[Any, Any]):
    """A part of a view. What is read of it is noted while something is drawn that may be kept."""

    __slots__ = ("_notes", "raw")

    def __init__(self, raw: Mapping[Any, Any], notes: list[set[Any]]) -> None:
        self.raw: Mapping[Any, Any] = raw
        self._notes: list[set[Any]] = notes

    def __getitem__(self, key: Any) -> Any:
        self._notes[-1].add(key)
        return self.raw[key]

    def __iter__(self) -> Iterator[Any]:
        self._notes[-1].update(self.raw)
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


class _Worked(dict[Any, Any]):
    """What is worked out of a view when it is asked for."""

    def __init__(self, work_out: Callable[..., Any]) -> None:
        self._work_out: Callable[..., Any] = work_out

    def __missing__(self, key: tuple[Any, ...]) -> Any:
        self[key] = value = self._work_out(*key)
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        """As if all had been worked out."""
        return self[key]


_Reads = tuple[tuple[int, tuple[Any, ...], list[Any]], ...]
_shelf: OrderedDict[Any, tuple[tuple[_Reads, Any], ...]] = OrderedDict()


def kept(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """What a method of a picture draws is kept with all that it read of the view; where that is the same it isn't drawn
    anew. So the method may use its arguments, the game's box, the words, `s`, `live`, `view`, `worked`: nothing else.
    """

    @wraps(method)
    def recall(self: T, *args: P.args, **values: P.kwargs) -> R:
        found: R = self._recall(method, args, values)
        return found

    return cast("Callable[Concatenate[T, P], R]", recall)


def drawn_anew() -> None:
    """Forget all that was kept."""
    _shelf.clear()


def _look_alike(a: Any, b: Any) -> bool:
    """Whether two things that a method drew look the same; regions are equal to themselves alone."""
    if isinstance(a, Region):
        return isinstance(b, Region) and a.looks_like(b)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_look_alike, a, b))
    return bool(a == b)


class TablePicture:
    """One view in pictures. A game's `picture.py` derives a class from it, whose methods draw its regions.

    view: what the viewer may know; s and live: its state and its computed facts; worked: what the picture itself works
    out of them, by the arguments of `_work_out`. words: texts in the viewer's language.
    A subclass says of which type its Box is: `box: AtuaBox`.
    """

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        self.game: Game = game
        self.box: Any = game.box
        self._parts: tuple[Mapping[Any, Any], ...] = (view["state"], view["live"], view, _Worked(self._work_out))
        self._notes: tuple[list[set[Any]], ...] = tuple([set()] for _ in self._parts)
        noted = [Noted(part, notes) for part, notes in zip(self._parts, self._notes, strict=True)]
        self.s, self.live, self.view, self.worked = noted
        self.words: Words = words

    def _say(self, key: str, /, **fields: Any) -> str:
        """A text of the table (`table.<key>`)."""
        return self.words.say(f"table.{key}", fields)

    def _id(self, domain: str, index: int) -> str:
        """The name of an element of a domain as it stands in choices."""
        return self.game.notation.name(domain, index)

    def _work_out(self, what: str, about: int) -> Any:
        """A value that isn't in the view, but follows from it, and from nothing else."""
        raise NotImplementedError

    def _recall(self, method: Callable[..., Any], args: tuple[Any, ...], values: dict[str, Any]) -> Any:
        key = (method, self.game, self.words, args, *values.items())
        known = _shelf.get(key, ())
        for reads, drawn in known:
            for at, keys, was in reads:
                if [*map(self._parts[at].get, keys)] != was:
                    break
            else:
                for at, keys, _ in reads:
                    self._notes[at][-1].update(keys)
                _shelf.move_to_end(key)
                return drawn
        for notes in self._notes:
            notes.append(set())
        try:
            drawn = method(self, *args, **values)
        finally:
            read = [notes.pop() for notes in self._notes]
            for notes, each in zip(self._notes, read, strict=True):
                notes[-1] |= each
        reads = tuple(
            (at, names, [*map(part.get, names)])
            for at, (part, names) in enumerate(zip(self._parts, map(tuple, read), strict=True))
            if names
        )
        for _, before in known:
            if _look_alike(before, drawn):
                drawn = before  # what the page has made of it is kept, too
                break
        _shelf[key] = ((reads, drawn), *known[: _VARIANTS - 1])
        _shelf.move_to_end(key)
        if len(_shelf) > _MOST:
            _shelf.popitem(last=False)
        return drawn
