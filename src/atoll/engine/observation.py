"""Observations: views encoded as arrays of 32-bit integers, for learners.

`ObservationEncoder` generates a function from the declarations of a state that packs all numbers
into a buffer at once, at fixed offsets. Seats are relative to the viewer: 0 is the viewer, 1 its
left neighbor. An observation has all that the seat could know, including information that anyone
could have tracked, its decision, and its own answers since the last checkpoint.

Arrays, with their sizes in parentheses:

- `to_move` (seats), `sealed`: 1 for each seat that is asked; 1 in a sealed decision.
- `prompt`, `prompt_source`: indices in `Rules.prompts` and `sources`; -1 for none.
- One per placeholder: its value; -1 for none.
- `answers` (ANSWERS): latest own choices since the checkpoint, then -1.
- Public and derivable fields: as in the state; lists are padded with `lo - 1`.
- Fields of owners: own card or cards, padded with -1; `name_count` (seats) unless hidden.
- Known fields: per seat the cards that the viewer knows, padded with -1; `name_count` (seats).
- Fields of nobody: `name_count` (pools) unless hidden.

Known cards and bit masks of seats are sorted, because their original order would disclose hidden
information.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib import import_module
from struct import Struct
from typing import Any, Final, get_args, get_origin

from .decisions import PUBLIC
from .options import Options
from .position import Position
from .question_encoder import ANSWERS, QuestionEncoder
from .rules import Rules
from .seat_rotation import SeatRotation
from .state import SEAT, Holds, SeatNumbers, Visibility, declarations, field_types

_MOST: Final = 2**31 - 1
_LONG: Final = 24  # longer lists that aren't full are written separately, without padding
_INT: Final = Struct("i").size


WRITERS: Final = "observation_writers"
"""Name of the module with the compiled functions of a game, which only compiled wheels have."""
_TYPES: Final = {
    "PAD": "tuple[int, ...]",
    "TURNED": "tuple[tuple[int, ...], ...]",
    "ORDER": "tuple[tuple[int, ...], ...]",
    "PACK_": "tuple[Any, ...]",
    "FRONT": "Any",
    "TAIL": "Any",
    "EMPTY": "bytes",
}
"""Types of the constants of generated functions, by the beginning of their names."""


def source_digest(source: str) -> str:
    """Return the key of a generated function in `WRITERS` of its compiled module."""
    return sha256(source.encode()).hexdigest()


def typed_source(encoder: ObservationEncoder, name: str) -> str:
    """Return the source of an encoder's function as the compiler wants it.

    Args:
        encoder: The encoder.
        name: Name of the function.
    """
    body = encoder.source.splitlines()[1:]
    constants = [
        f"    {constant}: {next(kind for start, kind in _TYPES.items() if constant.startswith(start))} = t[{index}]"
        for index, constant in enumerate(encoder.tables)
    ]
    state = encoder.game.state_type.__name__
    head = f"def {name}(t: tuple[Any, ...], s: {state}, seat: int, question: list[int], out: object, at: int) -> None:"
    return "\n".join([head, *constants, "    v: list[Any]", *body, ""])


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """The position, shape and bounds of one array in an observation.

    Attributes:
        name: Name of the array.
        start: Index of its first number in the buffer.
        shape: Shape; the last dimension is the innermost list.
        low: Lower bound of the numbers, including padding.
        high: Upper bound of the numbers.
        lowest: Lowest number with a meaning; smaller ones are padding.
        fixed: Whether each index of the innermost list has its own meaning.
        row: Length of the groups of numbers in the innermost list.
        choices: Whether the numbers are choices.
        by: Index of the first dimension at which seats start; None if it isn't indexed by seat.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    lowest: int
    fixed: bool = True
    row: int = 1
    choices: bool = False
    by: int | None = None

    @property
    def size(self) -> int:
        """Number of numbers in the array."""
        size = 1
        for each in self.shape:
            size *= each
        return size


class ObservationEncoder:
    """Encoder of observations for one game, number of seats and set of options.

    Args:
        game: The rules.
        seats: Number of seats.
        options: Resolved options.

    Attributes:
        game: The rules.
        seats: Number of seats.
        turning: Conversion of choices to relative seats.
        pieces: The arrays of an observation, in the order of the buffer.
        size: Total number of numbers.
        source: Source code of the generated function.
        tables: Constants that the source refers to, by name.

    Raises:
        TypeError: If a field of the state can't be encoded.
    """

    def __init__(self, game: Rules, seats: int, options: Options) -> None:
        self.game: Rules = game
        self.seats: int = seats
        self.turning: SeatRotation = SeatRotation(game.vocabulary, seats)
        first = game.setup(game.components, options, seats)
        first.components, first.options = game.components, options
        game.derive(first)
        text = _SourceWriter(seats)
        text.question(game)
        types = field_types(game.state_type)
        for name, visibility in declarations(game.state_type):
            text.field(name, visibility, types[name], getattr(first, name))
        self.pieces: tuple[ArraySpec, ...] = text.finished()
        self.size: int = sum(piece.size for piece in self.pieces)
        self._question: QuestionEncoder = QuestionEncoder(game, seats, self.turning)
        self.source: str = text.source()
        self.tables: dict[str, Any] = text.tables
        self._write: Callable[[Any, int, list[int], Any, int], None] = self._writer()

    def _writer(self) -> Callable[[Any, int, list[int], Any, int], None]:
        """Return the generated function, or the compiled one of a wheel with the same source."""
        if self.game.package:
            try:
                writers = import_module(f"{self.game.package}.{WRITERS}").WRITERS
            except ModuleNotFoundError:
                writers = {}
            if compiled := writers.get(source_digest(self.source)):
                return partial(compiled, tuple(self.tables.values()))
        known: dict[str, Any] = dict(self.tables)
        exec(self.source, known)  # noqa: S102 - of our own declarations
        written: Callable[[Any, int, list[int], Any, int], None] = known["write"]
        return written

    def blank(self) -> array[int]:
        """Return a buffer of zeros of the right size."""
        return array("i", bytes(_INT * self.size))

    def write(self, position: Position, seat: int, out: Any, start: int = 0) -> None:
        """Write the observation of a seat.

        Args:
            position: The position.
            seat: The seat; it needn't be asked.
            out: Buffer of C ints, such as an array or a NumPy array of int32.
            start: Index of the observation's first number in the buffer; `size` numbers follow.
        """
        self._write(position.state, seat, self._question.numbers(position, seat), out, _INT * start)


def _depth(hint: Any) -> int:
    """Return the nesting of a list type: 0 for `int`, 1 for `list[int]`, and so on.

    Args:
        hint: Type of the field.

    Raises:
        TypeError: If the type can't be encoded.
    """
    if get_origin(hint) is list:
        return 1 + _depth(get_args(hint)[0])
    if hint not in (int, bool):
        raise TypeError(f"{hint!r} can't become numbers: use ints and nested lists of ints")
    return 0


@dataclass(slots=True)
class _RowSpec:
    """The layout of the innermost lists of a field.

    Attributes:
        size: Maximum length.
        pad: Number that lists are padded with.
        high: Upper bound of the numbers.
        holds: Numbers that name seats.
        fixed: Whether each index has its own meaning.
        full: Whether lists always have the maximum length.
    """

    size: int
    pad: int
    high: int
    holds: Holds
    fixed: bool
    full: bool

    @property
    def loose(self) -> bool:
        """Flag of lists that are written separately, because they are long and rarely full."""
        return self.size > _LONG and not self.full


@dataclass(frozen=True, slots=True)
class _ListSource:
    """The source of a list.

    Attributes:
        text: Expression of the list.
        turned: Expression of the list with relative seats, if the list itself is `v`.
    """

    text: str
    turned: str = "v"

    @property
    def items(self) -> str:
        """Arguments of a call, which set `v` to the list. Empty lists, most of them, cost less."""
        if self.turned == "v":
            return f"*(v := {self.text})"
        return f"*({self.turned} if (v := {self.text}) else ())"


@dataclass(slots=True)
class _SourceWriter:
    """Generator of the source of the function `write(s, seat, question, out, at)`.

    Arrays of constant length are packed at once, at the front of the buffer. Long lists that are
    rarely full follow one by one, over the content of empty ones. `at` is the offset in bytes.

    Attributes:
        seats: Number of seats.
        tables: Constants that the source refers to, by name.
        lines: Lines of the function.
        front: Items that are packed at the front.
        pieces: Arrays placed so far.
        loose: Long lists, to be placed last: name, array, lists.
    """

    seats: int
    tables: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    front: list[str] = field(default_factory=list)
    pieces: list[ArraySpec] = field(default_factory=list)
    loose: list[tuple[str, ArraySpec, list[_ListSource]]] = field(default_factory=list)
    _end: int = 0
    _turned: dict[tuple[SeatNumbers, int], str] = field(default_factory=dict)

    # -- pieces -----------------------------------------------------------------------------------

    def question(self, game: Rules) -> None:
        """Add the arrays that `ObservationEncoder` passes in."""
        self.front.append("*question")
        self._piece("to_move", (self.seats,), 0, 1, 0, by=0)
        self._piece("sealed", (1,), 0, 1, 0)
        self._piece("prompt", (1,), -1, len(game.prompts) - 1, 0)
        self._piece("prompt_source", (1,), -1, len(game.sources) - 1, 0)
        for name, high in game.placeholders.items():
            self._piece(f"about_{name}", (1,), -1, high, 0)
        self._piece("answers", (ANSWERS,), -1, game.vocabulary.decisions - 1, 0, choices=True)

    def _piece(self, name: str, shape: tuple[int, ...], low: int, high: int, lowest: int, **more: Any) -> None:
        if any(name == other.name for other in self.pieces):
            raise TypeError(f"{name}: two pieces of an observation can't have one name; call the field otherwise")
        piece = ArraySpec(name, self._end, shape, low, high, lowest, **more)
        self._end += piece.size
        self.pieces.append(piece)

    def field(self, name: str, visibility: Visibility, hint: Any, first: Any) -> None:
        """Add the arrays of a field of the state.

        Args:
            name: Name of the field.
            visibility: Declaration of the field.
            hint: Type of the field.
            first: Value of the field in a new game, from which fixed lengths are taken.

        Raises:
            TypeError: If the field can't be encoded.
        """
        depth = _depth(hint)
        if depth > 2:
            raise TypeError(f"{name}: lists of lists of lists can't become numbers")
        high = _MOST if visibility.hi is None else visibility.hi
        if hint is bool:
            high = 1
        who = visibility.who
        if who == "nobody":
            if visibility.count:
                self._pools(name, visibility, depth, first)
        elif depth == 0:
            self._scalar(name, visibility, high)
        elif who == "owner" and depth == 1:
            self.front.append(f"s.{name}[seat]")
            self._piece(name, (1,), -1, high, 0)
        elif who == "owner":
            self._own(name, visibility, high)
        elif who == "known":
            self._known(name, visibility, high)
        elif depth == 1 and visibility.by is not None:
            self._by_seat(name, visibility, high, first)
        elif depth == 1:
            row = self._row(visibility, high, visibility.size if visibility.size is not None else len(first), first)
            self._rows(name, (), [f"s.{name}"], row)
        else:
            self._nested(name, visibility, high, first)

    def _row(self, visibility: Visibility, high: int, size: int, first: Sequence[int]) -> _RowSpec:
        full = visibility.fixed and len(first) == size
        return _RowSpec(max(size, 1), visibility.lo - 1, high, visibility.holds, visibility.fixed, full)

    def _scalar(self, name: str, visibility: Visibility, high: int) -> None:
        self.front.append(self._number(f"s.{name}", visibility.holds, high))
        self._piece(name, (1,), visibility.lo, high, visibility.lo)

    def _pools(self, name: str, visibility: Visibility, depth: int, first: Any) -> None:
        pools = len(first) if depth > 1 else 1
        self.front += [f"len(s.{name}[{index}])" for index in range(pools)] if depth > 1 else [f"len(s.{name})"]
        self._piece(f"{name}_count", (pools,), 0, _sized(name, visibility), 0)

    def _own(self, name: str, visibility: Visibility, high: int) -> None:
        size = _sized(name, visibility)
        row = _RowSpec(size, visibility.lo - 1, high, visibility.holds, not visibility.back, full=False)
        self._rows(name, (), [f"s.{name}[seat]"], row)
        if visibility.count:
            self._counts(name, size)

    def _known(self, name: str, visibility: Visibility, high: int) -> None:
        size = _sized(name, visibility)
        masks = f"s.{visibility.masks}"
        cards = [
            f"sorted([card for card, mask in zip(s.{name}[{each}], {masks}[{each}])"
            f" if mask == {PUBLIC} or mask >> seat & 1])"
            for each in self._order(SEAT, self.seats)
        ]
        self._rows(name, (self.seats,), cards, _RowSpec(size, -1, high, None, fixed=False, full=False), by=0)
        self._counts(name, size)

    def _counts(self, name: str, size: int) -> None:
        self.front += [f"len(s.{name}[{each}])" for each in self._order(SEAT, self.seats)]
        self._piece(f"{name}_count", (self.seats,), 0, size, 0, by=0)

    def _by_seat(self, name: str, visibility: Visibility, high: int, first: Sequence[int]) -> None:
        n = self.seats
        size = max(n, len(first))
        pad = self._table("PAD", (visibility.lo - 1,) * size)
        self.front.append(f"*(v := s.{name})[seat:{n}], *v[:seat], *v[{n}:], *{pad}[len(v):]")
        self._piece(name, (size,), visibility.lo - 1, high, visibility.lo, by=0)

    def _nested(self, name: str, visibility: Visibility, high: int, first: Sequence[Sequence[int]]) -> None:
        longest = max((len(each) for each in first), default=0)
        size = visibility.size if visibility.size is not None else longest
        row = self._row(visibility, high, size, min(first, key=len, default=()))
        order = self._order(visibility.by, len(first)) if visibility.by else [str(index) for index in range(len(first))]
        by = visibility.by.first if visibility.by else None
        self._rows(name, (len(first),), [f"s.{name}[{index}]" for index in order], row, by)

    # -- text -------------------------------------------------------------------------------------

    def _order(self, by: SeatNumbers, length: int) -> list[str]:
        """Return the indices of a list by seat as expressions, the viewer's first."""
        turned = [f"o{step}" for step in range(self.seats)]
        found = [str(index) for index in range(length)]
        found[by.first : by.first + self.seats] = [f"{by.first} + {each}" if by.first else each for each in turned]
        return found

    def _number(self, text: str, holds: Holds, high: int) -> str:
        if holds is None:
            return text
        assert isinstance(holds, SeatNumbers)
        return f"{self._turned_table(holds, high)}[{text}]"

    def _turned_table(self, holds: SeatNumbers, high: int) -> str:
        """Return the name of the table that makes seats relative, for numbers up to a maximum."""
        key = (holds, high)
        if key not in self._turned:
            numbers = [*range((1 << self.seats) if holds.mask else high + 1)]
            tables = tuple(
                (*(holds.seen_from(viewer, self.seats, number) for number in numbers), -1)
                for viewer in range(self.seats)
            )
            local = self._turned[key] = f"q{len(self._turned)}"
            self.lines.append(f"{local} = {self._table('TURNED', tables)}[seat]")
        return self._turned[key]

    def _table(self, kind: str, value: Any) -> str:
        for name, known in self.tables.items():
            if known == value and name.startswith(kind):
                return name
        name = f"{kind}{len(self.tables)}"
        self.tables[name] = value
        return name

    def _list(self, text: str, row: _RowSpec) -> _ListSource:
        """Return the source of an innermost list with relative seats."""
        holds = row.holds
        if holds is None or (isinstance(holds, tuple) and not any(holds)):
            return _ListSource(text)
        if isinstance(holds, tuple):
            parts = [
                self._number(f"u[i + {index}]", each, row.high if each is None else each.first + each.each * 32)
                for index, each in enumerate(holds)
            ]
            return _ListSource(
                text, f"[x for u in (v,) for i in range(0, len(u), {len(holds)}) for x in ({', '.join(parts)})]"
            )
        turned = f"[{self._number('x', holds, row.high)} for x in v]"
        return _ListSource(text, f"sorted({turned})" if holds.mask else turned)

    def _packers(self, size: int) -> str:
        """Return the name of the functions that pack lists, by length up to a size."""
        name = f"PACK_{size}"
        if name not in self.tables:
            self.tables[name] = tuple(Struct(f"{length}i").pack_into for length in range(size + 1))
        return name

    def _rows(self, name: str, outer: tuple[int, ...], texts: list[str], row: _RowSpec, by: int | None = None) -> None:
        lists = [self._list(text, row) for text in texts]
        width = len(row.holds) if isinstance(row.holds, tuple) else 1
        shape = (*outer, row.size)
        fixed = row.fixed and width == 1
        if row.loose:
            piece = ArraySpec(name, 0, shape, row.pad, row.high, row.pad + 1, fixed, width, by=by)
            self.loose.append((name, piece, lists))
            return
        pad = self._table("PAD", (row.pad,) * row.size)
        self.front += [f"{each.items}, *{pad}[len(v):]" for each in lists]
        low = row.pad + 1 if row.full else row.pad
        self._piece(name, shape, low, row.high, row.pad + 1, fixed=fixed, row=width, by=by)

    def finished(self) -> tuple[ArraySpec, ...]:
        """Place the long lists and return all arrays in the order of the buffer."""
        front = self._end
        self.tables["FRONT"] = Struct(f"{front}i").pack_into
        self.lines.append(f"FRONT(out, at, {', '.join(self.front)})")
        empty = array("i")
        if self.loose:
            self.lines.append(f"TAIL(out, at + {_INT * front}, EMPTY)")
        for name, piece, lists in self.loose:
            pack = self._packers(piece.shape[-1])
            for index, each in enumerate(lists):
                at = _INT * (self._end + index * piece.shape[-1])
                self.lines += [f"v = {each.text}", "if v:", f"    {pack}[len(v)](out, at + {at}, *{each.turned})"]
            more = {"fixed": piece.fixed, "row": piece.row, "by": piece.by}
            self._piece(name, piece.shape, piece.low, piece.high, piece.lowest, **more)
            empty.extend([piece.low] * piece.size)
        self.tables["EMPTY"] = empty.tobytes()
        self.tables["TAIL"] = Struct(f"{_INT * len(empty)}s").pack_into
        return tuple(self.pieces)

    def source(self) -> str:
        """Return the source of the function."""
        names = ", ".join(f"o{step}" for step in range(self.seats)) + ","
        orders = tuple(tuple((seat + step) % self.seats for step in range(self.seats)) for seat in range(self.seats))
        order = self._table("ORDER", orders)
        body = [f"{names} = {order}[seat]", *self.lines]
        return "\n".join(["def write(s, seat, question, out, at):", *(f"    {line}" for line in body), ""])


def _sized(name: str, visibility: Visibility) -> int:
    if visibility.size is None:
        raise TypeError(f"{name}: the most elements of its lists must be declared (`size`) to become numbers")
    return visibility.size
