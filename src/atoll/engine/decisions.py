"""What a rule coroutine may ask for: a choice of one seat, sealed choices of several, a roll, a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import msgspec

from .vocabulary import Kind

PUBLIC: Final = -1
"""The audience of all seats and spectators. Every other audience is a bit mask of seats; spectators are in none."""

CHANCE: Final = -1
"""Stands in a record where a seat would stand, when the outcome is chance."""


def audience_of_seats(*seats: int) -> int:
    """The audience of just these seats."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def _by_itself(choice: int) -> tuple[int, ...]:
    return (choice,)


class Picks(msgspec.Struct, eq=False):
    """A set that one seat picks: one decision, asked pick by pick in one order, but offered to people in any order.

    members: all that can be picked, in the order in which it is asked; what stands there twice can be picked twice.
    low, high: how many are picked. end: the choice that ends the set before `high` are picked, -1 if there is none.
    order: the key that `members` are sorted by (default: the choice itself). Members with equal keys are asked in any
    order, and theirs counts. fits: whether these members, in order, can be picked together with others or alone;
    what holds for a set must hold for each part of it. whole: whether nothing is left to be picked (default: `high`
    are picked). picked: what has been picked so far; the rule adds to it.
    """

    members: Sequence[int]
    low: int
    high: int
    end: int = -1
    order: Callable[[int], tuple[int, ...]] | None = None
    fits: Callable[[Sequence[int]], bool] | None = None
    is_complete: Callable[[Sequence[int]], bool] | None = None
    picked: list[int] = msgspec.field(default_factory=list)

    @property
    def picks(self) -> Picks:
        """The set itself."""
        return self

    def with_part(self, part: Sequence[int]) -> list[int]:
        """What has been picked so far and these, in the order in which it is asked."""
        return sorted([*self.picked, *part], key=self.order)

    def may_hold(self, part: Sequence[int]) -> bool:
        """Whether these, beside what has been picked so far and comes before them, can be part of the set."""
        found = self.with_part(part)
        if len(found) > self.high or Counter(found) - Counter(self.members):
            return False
        order = self.order or _by_itself
        if self.picked and any(order(each) < order(self.picked[-1]) for each in part):
            return False
        return self.fits is None or self.fits(found)

    def offers(self, part: Sequence[int]) -> list[int]:
        """What can be picked beside these, ascending, each choice once; also `end` if the set may end."""
        found = [each for each in sorted(set(self.members)) if self.may_hold([*part, each])]
        return sorted([*found, self.end]) if self.may_end(part) else found

    def may_end(self, part: Sequence[int]) -> bool:
        """Whether the set may end with these by the choice `end`."""
        return self.end >= 0 and len(self.picked) + len(part) >= self.low

    def is_whole(self, part: Sequence[int]) -> bool:
        """Whether nothing can be picked beside these, so that the set has ended."""
        found = self.with_part(part)
        return len(found) == self.high or (self.is_complete is not None and self.is_complete(found))


class PicksSource(Protocol):
    """A set that is being picked. What it holds is only asked where people pick, so it may be left until then."""

    @property
    def picks(self) -> Picks:
        """The set, always the same object; what it depends on doesn't change while it is asked for."""


class Choose(msgspec.Struct, eq=False, gc=False):
    """A question to one seat.

    options: choices on offer, ascending, without duplicates, never empty.
    prompt: key of the sentence that asks. about: values for its placeholders.
    source: the card or place that asks ("" for the game itself). rule: key of the rule it comes from.
    audience: who learns the answer. public: if there is a single option everybody knows that, so it's taken unasked.
    reveals: the answer can show others what was hidden: a card that is played face up, or (where nobody else learns the
    answer itself) the cards that one doesn't keep. It can't be taken back.
    into: the set that the answer goes into, if it is one pick of several.
    beside: those of the options that have nothing to do with what is asked: they act at once, and the same is asked on.
    All learn of them. Beside a set they can be chosen at any time; what is picked stays.
    """

    # A Struct, because one is made for every decision: it takes a quarter of the time of a class in Python.
    seat: int
    prompt: str
    choices: Sequence[int]
    source: str = ""
    rule: str = ""
    audience: int = PUBLIC
    public: bool = False
    reveals: bool = False
    placeholders: Mapping[str, int] | None = None
    into: PicksSource | None = None
    side_choices: Sequence[int] = ()

    @property
    def picks(self) -> Picks | None:
        """The set that the answer goes into, if it is one pick of several."""
        return None if self.into is None else self.into.picks

    def audience_of(self, choice: int) -> int:
        """Who learns that this is the answer."""
        return PUBLIC if choice in self.side_choices else self.audience


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

    def __init__(self, seats: Sequence[int], flow: Callable[[int], RequestFlow[object]]) -> None:
        self.seats: tuple[int, ...] = tuple(seats)
        self.flow: Callable[[int], RequestFlow[object]] = flow


Request: TypeAlias = Choose | Roll | Draw | Sealed

_T = TypeVar("_T")

Flow: TypeAlias = Generator[Request, Any, None]
"""A rule coroutine: yields what it asks for and gets the answer back."""

RequestFlow: TypeAlias = Generator[Request, Any, _T]
"""A rule coroutine that returns something to the one that runs it by `yield from`."""
