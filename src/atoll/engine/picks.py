"""Sets: decisions in which a seat picks several members or amounts, and order doesn't matter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from .decisions import PUBLIC, Choose, Picks, RequestFlow
from .vocabulary import Kind

NO_AMOUNT: Final = -1
"""Amount of a thing that isn't settled yet."""


def pick_set(
    seat: int,
    prompt: str,
    members: Sequence[int],
    low: int,
    high: int,
    *,
    end: int = -1,
    source: str = "",
    rule: str = "",
    audience: int = PUBLIC,
    public: bool = False,
    reveals: bool = False,
    about: Mapping[str, int] | None = None,
) -> RequestFlow[list[int]]:
    """Ask a seat to pick between `low` and `high` members; return them ascending.

    The state isn't changed. Only picks that leave enough members after them are offered, so each
    set has one encoding. A rule whose sets need another order, or whose members can't be combined
    freely, yields its own `Choose` requests with a `Picks` instead.

    Args:
        seat: The seat that is asked.
        prompt: Key of the question's text. Its placeholder `n` is the number of remaining picks.
        members: Choices that can be picked, ascending. A choice that occurs twice can be picked
            twice.
        low: Minimum number of picks.
        high: Maximum number of picks.
        end: Choice that ends the set; needed unless `low` equals `high`. -1 for none.
        source: Name of the card or place that asks; "" for the game itself.
        rule: Key of the rule.
        audience: Seats that learn the picks.
        public: Whether a single possible pick is taken automatically.
        reveals: Whether picks can disclose hidden information.
        about: More values for placeholders; None for none. `n` overrides the number of remaining
            picks.

    Returns:
        The picked members, ascending.
    """
    picks = Picks(members, low, high, end)
    picked = picks.picked
    start = 0
    while len(picked) < high:
        last = len(members) - max(0, low - len(picked) - 1)
        options = _distinct(members, start, last)
        if end >= 0 and len(picked) >= low:
            options.append(end)
            options.sort()
        placeholders = {"n": high - len(picked)} if about is None else {"n": high - len(picked), **about}
        choice: int = yield Choose(seat, prompt, options, source, rule, audience, public, reveals, placeholders, picks)
        if choice == end:
            break
        start = members.index(choice, start) + 1
        picked.append(choice)
    return picked


def _distinct(members: Sequence[int], start: int, last: int) -> list[int]:
    """Return the choices between two indices of the members, without duplicates."""
    found: list[int] = []
    before = -1
    for index in range(start, last):
        choice = members[index]
        if choice != before:
            found.append(choice)
            before = choice
    return found


class AmountSet:
    """A set that has one amount of each of several things, such as a payment in several resources.

    The rule goes through the things in order. For each it asks for one of `options(thing)` with
    `into=self`, or settles the only one, and calls `set_amount`. Meanwhile it must not change
    anything that `amounts` reads.

    Args:
        kind: Kind of the choices; its domains are the thing and the amount.
        things: Number of things.
        amounts: Called with a thing and the amounts settled so far (`NO_AMOUNT` for others). It
            returns the possible amounts of the thing that leave the rest possible, ascending and
            never empty.
        asked: Things that belong to the set; None for those with more than one possible amount.

    Attributes:
        settled: Amount of each thing; `NO_AMOUNT` if it isn't settled yet.
    """

    __slots__ = ("_amounts", "_asked", "_kind", "_picks", "_rows", "settled")

    def __init__(
        self,
        kind: Kind,
        things: int,
        amounts: Callable[[int, Sequence[int]], Sequence[int]],
        asked: Collection[int] | None = None,
    ) -> None:
        self._kind: Kind = kind
        self._rows: tuple[tuple[int, ...], ...] = kind.rows()  # by thing and amount
        self._amounts: Callable[[int, Sequence[int]], Sequence[int]] = amounts
        self._asked: Collection[int] | None = asked
        self._picks: Picks | None = None
        self.settled: list[int] = [NO_AMOUNT] * things

    @property
    def unasked_total(self) -> int:
        """Sum of the amounts that aren't asked for, because only one is possible."""
        none = [NO_AMOUNT] * len(self.settled)
        total = 0
        for thing in range(len(self.settled)):
            found = self._amounts(thing, none)
            if len(found) == 1 and (self._asked is None or thing not in self._asked):
                total += found[0]
        return total

    def options(self, thing: int) -> list[int]:
        """Return the choices of a thing's amount that agree with the settled amounts."""
        row, amounts_of = self._rows[thing], self._amounts
        amounts = amounts_of(thing, self.settled)
        if type(amounts) is range:  # most are ranges
            return [*row[amounts.start : amounts.stop : amounts.step]]
        found = []
        for amount in amounts:
            found.append(row[amount])  # noqa: PERF401 - mostly one or a few: a comprehension costs more
        return found

    def set_amount(self, thing: int, choice: int) -> int:
        """Settle the amount of a thing.

        Args:
            thing: Index of the thing.
            choice: One of `options(thing)`.

        Returns:
            The amount.
        """
        amount = choice - self._rows[thing][0]
        self.settled[thing] = amount
        if self._picks is not None and choice in self._picks.members:
            self._picks.picked.append(choice)
        return amount

    def settled_choices(self) -> tuple[int, ...]:
        """Return the settled amounts as choices, in the order of the things."""
        return tuple(self._rows[thing][n] for thing, n in enumerate(self.settled) if n != NO_AMOUNT)

    @property
    def picks(self) -> Picks:
        """The set of choices: one member for each thing with several possible amounts."""
        if self._picks is None:
            none: list[int] = [NO_AMOUNT] * len(self.settled)
            members: list[int] = []
            picked: list[int] = []
            count = 0
            for thing, amount in enumerate(self.settled):
                found = self._amounts(thing, none)
                if thing in self._asked if self._asked is not None else len(found) > 1:
                    count += 1
                    row = self._rows[thing]
                    members += [row[each] for each in found]
                    if amount != NO_AMOUNT:
                        picked.append(row[amount])
            self._picks = Picks(members, count, count, fits=self._fits, is_complete=self._is_whole, picked=picked)
        return self._picks

    def _with(self, choices: Sequence[int]) -> list[int] | None:
        """Return the amounts that these choices settle; None if they can't be combined."""
        settled: list[int] = [NO_AMOUNT] * len(self.settled)
        for choice in choices:
            thing, amount = self._kind.parts(choice)
            if settled[thing] != NO_AMOUNT or amount not in self._amounts(thing, settled):
                return None
            settled[thing] = amount
        return settled

    def _fits(self, choices: Sequence[int]) -> bool:
        return self._with(choices) is not None

    def _is_whole(self, choices: Sequence[int]) -> bool:
        """Return whether all other amounts follow from these choices."""
        settled = self._with(choices)
        if settled is None:
            return False
        for thing, amount in enumerate(settled):
            if amount == NO_AMOUNT:
                found = self._amounts(thing, settled)
                if len(found) > 1:
                    return False
                settled[thing] = found[0]
        return True
