"""What a seat knows as arrays, generated from the declared visibility of each field of a state.

| declared | arrays |
|---|---|
| public scalar | `name` (1,) |
| public list | `name` (outer lengths..., size), padded with lo - 1 |
| owner, list of cards | `name` (hi + 1,) how often the seat holds each card; `name_count` (seats,) unless hidden |
| owner, one card | `name` (1,) the seat's own, -1 is none |
| known | `name` (seats, hi + 1) known cards of each seat; `name_count` (seats,) |
| derivable | `name` (seats,) or (seats, size): everybody could have kept track |
| nobody | `name_count` (pools,) unless hidden |

In front of them stand `viewer` (seats,), one 1 for the seat that looks; `to_move` (seats,), 1 for each that is asked;
`sealed` (1,).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from atoll.engine import Game, Position
from atoll.engine.state import Visibility, declarations, field_types, may_know

Array = NDArray[np.int32]
_UNBOUNDED: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Piece:
    """One named array: shape, the lowest and highest value in it, and how it is read."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    fill: Callable[[Any, int, Array], None]

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return int(np.prod(self.shape))


class Observer:
    """Writes what a seat knows of positions of one game, option set and number of seats into one int32 vector.

    pieces: the named arrays, in the order in which they lie in the vector. size: length of the vector.
    low, high: bounds per number.
    """

    def __init__(self, game: Game, seats: int, options: Mapping[str, Any] | None = None) -> None:
        """Raises SeatCountError, OptionError, and TypeError for a state that can't be turned into arrays."""
        self.game: Game = game
        self.seats: int = seats
        self._options: Mapping[str, Any] | None = options
        first = game.new(seats, options).state
        types = field_types(game.state_type)
        self.pieces: list[Piece] = [
            Piece("viewer", (seats,), 0, 1, _nothing),
            Piece("to_move", (seats,), 0, 1, _nothing),
            Piece("sealed", (1,), 0, 1, _nothing),
        ]
        for name, visibility in declarations(game.state_type):
            self.pieces += _pieces(name, visibility, types[name], getattr(first, name), seats)
        self.size: int = sum(piece.size for piece in self.pieces)
        self.low: Array = np.concatenate([np.full(piece.size, piece.low, np.int32) for piece in self.pieces])
        self.high: Array = np.concatenate([np.full(piece.size, piece.high, np.int32) for piece in self.pieces])

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self.game, self.seats, self._options)

    def observe(self, position: Position, seat: int, out: Array | None = None) -> Array:
        """The vector of what a seat knows; written into `out` if given."""
        if out is None:
            out = np.zeros(self.size, np.int32)
        start = 2 * self.seats + 1
        out[:start] = 0
        out[seat] = 1
        for mover in position.to_move:
            out[self.seats + mover] = 1
        out[start - 1] = position.sealed
        state = position.state
        for piece in self.pieces[3:]:
            piece.fill(state, seat, out[start : start + piece.size].reshape(piece.shape))
            start += piece.size
        return out

    def split(self, vector: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The named arrays of a vector, as windows into it."""
        parts = {}
        start = 0
        for piece in self.pieces:
            parts[piece.name] = vector[start : start + piece.size].reshape(piece.shape)
            start += piece.size
        return parts

    def mask(self, position: Position, seat: int, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """1 for each choice of the vocabulary that the seat can make now; length `game.vocabulary.decisions`."""
        if out is None:
            out = np.zeros(self.game.vocabulary.decisions, np.int8)
        else:
            out[:] = 0
        out[position.legal(seat)] = 1
        return out

    def table(self) -> str:
        """The arrays as a Markdown table."""
        lines = ["| array | shape | from | to |", "|---|---|---|---|"]
        lines += [f"| `{p.name}` | {p.shape} | {p.low} | {p.high} |" for p in self.pieces]
        return "\n".join(lines)


def _nothing(state: Any, seat: int, out: Array) -> None:
    """The pieces in front are written by `observe` itself."""


def _pieces(name: str, visibility: Visibility, hint: Any, first: Any, seats: int) -> list[Piece]:
    high = _UNBOUNDED if visibility.hi is None else visibility.hi
    if visibility.who == "public" or visibility.who == "derivable":
        return [_whole(name, visibility, hint, first, high)]
    if visibility.who == "nobody":
        if not visibility.count:
            return []
        pools = len(first) if _depth(hint) > 1 else 1
        return [Piece(f"{name}_count", (pools,), 0, _size(name, visibility), _pool_counts(name, _depth(hint)))]
    if visibility.hi is None:
        raise TypeError(f"{name}: cards need a bound `hi` to become arrays")
    if visibility.who == "known":
        size = _size(name, visibility)
        return [
            Piece(name, (seats, high + 1), 0, size, _known(name, visibility.masks)),
            Piece(f"{name}_count", (seats,), 0, size, _zone_counts(name)),
        ]
    if _depth(hint) == 1:
        return [Piece(name, (1,), -1, high, _own_card(name))]
    size = _size(name, visibility)
    found = [Piece(name, (high + 1,), 0, size, _own_cards(name))]
    if visibility.count:
        found.append(Piece(f"{name}_count", (seats,), 0, size, _zone_counts(name)))
    return found


def _depth(hint: Any) -> int:
    """How deep the lists of a type are nested: int 0, list[int] 1, ..."""
    if get_origin(hint) is list:
        return 1 + _depth(get_args(hint)[0])
    if hint not in (int, bool):
        raise TypeError(f"{hint!r} can't become an array: use ints and nested lists of ints")
    return 0


def _size(name: str, visibility: Visibility) -> int:
    if visibility.size is None:
        raise TypeError(f"{name}: the most elements of its lists must be declared (`size`) to become arrays")
    return visibility.size


def _whole(name: str, visibility: Visibility, hint: Any, first: Any, high: int) -> Piece:
    depth = _depth(hint)
    if depth == 0:
        top = 1 if hint is bool else high
        return Piece(name, (1,), visibility.lo, top, _scalar(name))
    outer: list[int] = []
    inner = first
    for _ in range(depth - 1):
        outer.append(len(inner))
        inner = inner[0] if inner else []
    size = visibility.size if visibility.size is not None else len(inner)
    empty = visibility.lo - 1
    return Piece(name, (*outer, max(size, 1)), empty, high, _lists(name, empty))


def _scalar(name: str) -> Callable[[Any, int, Array], None]:
    def fill(state: Any, seat: int, out: Array) -> None:
        out[0] = getattr(state, name)

    return fill


def _lists(name: str, empty: int) -> Callable[[Any, int, Array], None]:
    def write(value: Any, out: Array) -> None:
        if out.ndim == 1:
            out[: len(value)] = value
            out[len(value) :] = empty
        else:
            for each, part in zip(value, out, strict=True):
                write(each, part)

    def fill(state: Any, seat: int, out: Array) -> None:
        write(getattr(state, name), out)

    return fill


def _pool_counts(name: str, depth: int) -> Callable[[Any, int, Array], None]:
    def count(value: Any) -> int:
        return sum(count(each) for each in value) if value and isinstance(value[0], list) else len(value)

    def fill(state: Any, seat: int, out: Array) -> None:
        pools = getattr(state, name)
        out[:] = [count(pool) for pool in pools] if depth > 1 else len(pools)

    return fill


def _zone_counts(name: str) -> Callable[[Any, int, Array], None]:
    def fill(state: Any, seat: int, out: Array) -> None:
        out[:] = [len(zone) for zone in getattr(state, name)]

    return fill


def _own_card(name: str) -> Callable[[Any, int, Array], None]:
    def fill(state: Any, seat: int, out: Array) -> None:
        out[0] = getattr(state, name)[seat]

    return fill


def _own_cards(name: str) -> Callable[[Any, int, Array], None]:
    def fill(state: Any, seat: int, out: Array) -> None:
        out[:] = np.bincount(getattr(state, name)[seat], minlength=len(out))

    return fill


def _known(name: str, masks: str) -> Callable[[Any, int, Array], None]:
    def fill(state: Any, seat: int, out: Array) -> None:
        out[:] = 0
        for row, cards, seen in zip(out, getattr(state, name), getattr(state, masks), strict=True):
            for card, mask in zip(cards, seen, strict=True):
                row[card] += may_know(mask, seat)

    return fill
