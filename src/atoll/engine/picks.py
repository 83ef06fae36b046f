"""A rule asks for a set: one seat picks several things, or amounts of them; in which order makes no difference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from .decisions import PUBLIC, Choose, Picks, RequestFlow
from .vocabulary import Kind

NO_AMOUNT: Final = -1
"""Stands in a mix where the amount of a thing isn't settled yet."""


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
    """Let a seat pick `low` to `high` of these choices; gives them ascending. Changes nothing.

    members: ascending; what stands there twice can be picked twice. end: the choice that ends the set once `low` are
    picked; needed where `low` isn't `high`. The rest is as in `Choose`; `n` in `about`, unless it is there, is how many
    can still be picked. Asked are only picks that leave enough members after them: so each set has one way of being
    asked for. A set that needs another order, or in which not everything goes with everything, asks by itself and hands
    its `Picks` to each `Choose`.
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
        told = {"n": high - len(picked)} if about is None else {"n": high - len(picked), **about}
        choice: int = yield Choose(seat, prompt, options, source, rule, audience, public, reveals, told, picks)
        if choice == end:
            break
        start = members.index(choice, start) + 1
        picked.append(choice)
    return picked


def _distinct(members: Sequence[int], start: int, last: int) -> list[int]:
    """Each choice once of a part of the members."""
    found: list[int] = []
    before = -1
    for index in range(start, last):
        choice = members[index]
        if choice != before:
            found.append(choice)
            before = choice
    return found


class AmountSet:
    """How much one seat chooses of each of several things: a set that holds one amount of each.

    The rule goes through the things in order: it asks for one of `options`, into the mix, or finds that only one is
    left, and settles it. Meanwhile it changes nothing that `amounts` reads.
    kind: of the choices; its domains are the thing and the amount. things: how many there are.
    amounts: of a thing, with the amounts settled so far (UNSETTLED where none is), all that leave the rest possible,
    ascending; never none. asked: the things that are part of the set (default: those of which not all mixes hold the
    same). settled: the amount of each thing, or UNSETTLED.
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

    def options(self, thing: int) -> list[int]:
        """The choices of an amount that go with what is settled."""
        row, amounts_of = self._rows[thing], self._amounts
        amounts = amounts_of(thing, self.settled)
        if type(amounts) is range:  # as most are, from so much to so much
            return [*row[amounts.start : amounts.stop : amounts.step]]
        found = []
        for amount in amounts:
            found.append(row[amount])  # noqa: PERF401 - mostly one or a few: a comprehension costs more
        return found

    def set_amount(self, thing: int, choice: int) -> int:
        """This much of the thing; gives the amount."""
        amount = choice - self._rows[thing][0]
        self.settled[thing] = amount
        if self._picks is not None and choice in self._picks.members:
            self._picks.picked.append(choice)
        return amount

    @property
    def picks(self) -> Picks:
        """The mix as a set of choices: one for each thing of which there is something to choose."""
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
        """The amounts that these choices settle; None if they don't go together."""
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
        """Whether all other amounts follow from these."""
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
