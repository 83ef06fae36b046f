"""What a rule coroutine may ask for: a choice of one seat, sealed choices of several, a roll, a draw."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from .vocabulary import Kind

PUBLIC: Final = -1
"""The audience of all seats and spectators. Every other audience is a bit mask of seats; spectators are in none."""

CHANCE: Final = -1
"""Stands in a record where a seat would stand, when the outcome is chance."""


def only(*seats: int) -> int:
    """The audience of just these seats."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


class Choose(msgspec.Struct, eq=False, gc=False):
    """A question to one seat.

    options: choices on offer, ascending, without duplicates, never empty.
    prompt: key of the sentence that asks. about: values for its placeholders.
    source: the card or place that asks ("" for the game itself). rule: key of the rule it comes from.
    audience: who learns the answer. public: if there is a single option everybody knows that, so it's taken unasked.
    reveals: nobody else learns the answer, but it decides what is shown to all (the cards that one doesn't keep).
    """

    # A Struct, because one is made for every decision: it takes a quarter of the time of a class in Python.
    seat: int
    prompt: str
    options: Sequence[int]
    source: str = ""
    rule: str = ""
    audience: int = PUBLIC
    public: bool = False
    reveals: bool = False
    about: Mapping[str, Any] | None = None


class Roll(msgspec.Struct, eq=False, gc=False):
    """Chance: every element of the kind's domain is equally likely. The coroutine gets the domain index."""

    kind: Kind
    audience: int = PUBLIC


class Draw(msgspec.Struct, eq=False, gc=False):
    """Chance: one of a pool of domain indices (sorted; a repeated index is as many times as likely).

    The coroutine gets the index and takes it out of the pool itself.
    """

    kind: Kind
    pool: Sequence[int]
    audience: int = PUBLIC


class Sealed:
    """A question to several seats at once, in secret: each runs a private flow of Choose that changes nothing.

    The coroutine gets a list indexed by seat with what each flow returned (None for the seats not asked).
    """

    __slots__ = ("flow", "seats")

    def __init__(self, seats: Sequence[int], flow: Callable[[int], Asking[Any]]) -> None:
        self.seats: tuple[int, ...] = tuple(seats)
        self.flow: Callable[[int], Asking[Any]] = flow


Ask: TypeAlias = Choose | Roll | Draw | Sealed

_T = TypeVar("_T")

Flow: TypeAlias = Generator[Ask, Any, None]
"""A rule coroutine: yields what it asks for and gets the answer back."""

Asking: TypeAlias = Generator[Ask, Any, _T]
"""A rule coroutine that returns something to the one that runs it by `yield from`."""
