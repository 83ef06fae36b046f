"""Requests of rule coroutines: decisions of one seat, sealed decisions of several, rolls and draws.

A coroutine yields a request and receives the answer. The driver validates answers, so rules may
rely on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import msgspec

from .vocabulary import Kind

PUBLIC: Final = -1
"""Audience of all seats and spectators. Every other audience is a bit mask of seats."""

CHANCE: Final = -1
"""Actor of a chance outcome in a record, in place of a seat."""


def audience_of_seats(*seats: int) -> int:
    """Return the audience that consists of the given seats."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def _by_itself(choice: int) -> tuple[int, ...]:
    """Return the default order key of a member: the choice."""
    return (choice,)


class Picks(msgspec.Struct, eq=False):
    """A decision in which one seat picks several members whose order doesn't matter.

    The rules ask for it pick by pick in a fixed order, so each set has one encoding. `TurnDraft`
    lets people pick in any order.

    Attributes:
        members: Choices that can be picked, in the order in which the rules ask. A choice that
            occurs twice can be picked twice.
        low: Minimum number of picks.
        high: Maximum number of picks.
        end: Choice that ends the set before `high` members are picked; -1 if there is none.
        order: Key that `members` are sorted by; None for the choice. Members with equal keys may be
            picked in any order, and that order counts.
        fits: Returns whether members, given in order, can be picked together or as part of a larger
            set. If it holds for a set, it must hold for each of its subsets. None if all sets are
            allowed.
        is_complete: Returns whether nothing is left to pick, for sets that may end before `high`
            members are picked; None otherwise.
        picked: Members picked so far; the rules append to it.
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
        """The set itself, so that a `Picks` is a `PicksSource`."""
        return self

    def with_part(self, part: Sequence[int]) -> list[int]:
        """Return the picked members together with `part`, in the order in which the rules ask."""
        return sorted([*self.picked, *part], key=self.order)

    def may_hold(self, part: Sequence[int]) -> bool:
        """Return whether `part` can be picked in addition to the members picked so far.

        Members that come before the last picked one in the order of the rules can't be picked any
        more.
        """
        found = self.with_part(part)
        if len(found) > self.high or Counter(found) - Counter(self.members):
            return False
        order = self.order or _by_itself
        if self.picked and any(order(each) < order(self.picked[-1]) for each in part):
            return False
        return self.fits is None or self.fits(found)

    def offers(self, part: Sequence[int]) -> list[int]:
        """Return the choices that can be picked in addition to `part`, ascending, each once.

        The choice `end` is included if the set may end.
        """
        found = [each for each in sorted(set(self.members)) if self.may_hold([*part, each])]
        return sorted([*found, self.end]) if self.may_end(part) else found

    def may_end(self, part: Sequence[int]) -> bool:
        """Return whether the set may end with `part` by the choice `end`."""
        return self.end >= 0 and len(self.picked) + len(part) >= self.low

    def is_whole(self, part: Sequence[int]) -> bool:
        """Return whether the set is complete with `part` and ends without a further choice."""
        found = self.with_part(part)
        return len(found) == self.high or (self.is_complete is not None and self.is_complete(found))


class PicksSource(Protocol):
    """A set that is built only when it is needed.

    Bots answer pick by pick and never need the set, so rules can leave building it to this object.
    """

    @property
    def picks(self) -> Picks:
        """The set: the same object each time. Its inputs must not change while it is asked for."""


class Choose(msgspec.Struct, eq=False, gc=False):
    """A decision: a question to one seat, with the legal choices.

    Attributes:
        seat: The seat that is asked.
        prompt: Key of the question's text.
        choices: Legal choices, ascending, without duplicates, never empty.
        source: Name of the card or place that asks; "" for the game itself.
        rule: Key of the rule that the decision comes from.
        audience: Seats that learn the answer.
        public: Whether everyone can tell how many choices there are. A public decision with a
            single choice is answered automatically.
        reveals: Whether the answer can disclose hidden information to others, so that it can't be
            undone. Examples are a card played face up, and cards that the seat discards in secret.
        placeholders: Values for the placeholders of the question's text; None for none.
        into: The set that the answer is a pick of; None for other decisions.
        side_choices: Those of `choices` that don't answer the question. They act immediately and
            become public, and the same question is asked again. During a set they can be chosen at
            any time, and the picks stay.
    """

    # One is made for every decision, and a Struct takes a quarter of the time of a Python class.
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
        """The set that the answer is a pick of; None for other decisions."""
        return None if self.into is None else self.into.picks

    def audience_of(self, choice: int) -> int:
        """Return the audience that learns this answer."""
        return PUBLIC if choice in self.side_choices else self.audience


class Roll(msgspec.Struct, eq=False, gc=False):
    """A chance event with equally likely outcomes. The coroutine receives the index in the domain.

    Attributes:
        kind: Kind of chance outcome; its domain has the outcomes.
        audience: Seats that learn the outcome.
    """

    kind: Kind
    audience: int = PUBLIC


class Draw(msgspec.Struct, eq=False, gc=False):
    """A chance event that draws from a pool of domain indices.

    The coroutine receives the index and removes it from the pool itself.

    Attributes:
        kind: Kind of chance outcome; `pool` has indices of its domain.
        pool: Indices that can be drawn, sorted. Repeated indices are proportionally likelier.
        audience: Seats that learn the outcome.
    """

    kind: Kind
    pool: Sequence[int]
    audience: int = PUBLIC


class Sealed:
    """A sealed decision: several seats answer at the same time and in secret.

    Each seat runs a private coroutine of `Choose` requests that must not change the state. The
    coroutine that yields this request receives a list indexed by seat with the results; None for
    seats that weren't asked.

    Args:
        seats: The seats that are asked.
        flow: Returns the private coroutine of a seat.

    Attributes:
        seats: The seats that are asked.
        flow: Returns the private coroutine of a seat.
    """

    __slots__ = ("flow", "seats")

    def __init__(self, seats: Sequence[int], flow: Callable[[int], RequestFlow[object]]) -> None:
        self.seats: tuple[int, ...] = tuple(seats)
        self.flow: Callable[[int], RequestFlow[object]] = flow


Request: TypeAlias = Choose | Roll | Draw | Sealed
"""Anything that a rule coroutine may yield."""

_T = TypeVar("_T")

Flow: TypeAlias = Generator[Request, Any, None]
"""A rule coroutine: yields requests and receives the answers."""

RequestFlow: TypeAlias = Generator[Request, Any, _T]
"""A rule coroutine that returns a value to the coroutine that runs it with `yield from`."""
