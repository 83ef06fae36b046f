"""A rule asks for a set: one seat picks several things, and it makes no difference in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .decisions import PUBLIC, Asking, Choose, Picks


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
    about: Mapping[str, Any] | None = None,
) -> Asking[list[int]]:
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
