"""The law of sets: members that rules ask for one by one can be clicked in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from atoll.engine import AtollError, Picks, Position, TurnDraft

from .cases import Case
from .play import BrokenLaw, Effort, Law, full_knowledge, moments, must_be_equal


def sets_are_picked_in_any_order(case: Case, effort: Effort) -> None:
    """Check that every legal set can be clicked in any order, and no other set."""
    rng = Random(case.seed)
    for position in moments(case, 2 * effort.moments):
        for seat in position.to_move:
            ask = position.decision(seat)
            picks = ask.picks
            if picks is None:
                continue
            tried: set[tuple[int, ...]] = set()
            for _ in range(effort.choices):
                straight, picked = _picked_as_asked(position, seat, rng)
                wanted = full_knowledge(straight)
                for clicks in _orders(picked, picks, rng):
                    if tuple(clicks) in tried:
                        continue
                    tried.add(tuple(clicks))
                    _must_pick(position, seat, clicks, wanted)
                    _must_take(position, seat, clicks, wanted)
                    for beside in ask.side_choices:
                        _must_take_side_choice(position, seat, clicks, beside, rng)
                _must_be_allowed(position, seat, rng)


def _picked_as_asked(position: Position, seat: int, rng: Random) -> tuple[Position, list[int]]:
    """Return the position after a random set in the order of the rules, and the set."""
    straight = position.fork()
    straight.hold_sealed()
    picks = straight.decision(seat).picks
    picked: list[int] = []
    while seat in straight.to_move:
        ask = straight.decision(seat)
        if picks is None or ask.picks is not picks:
            break
        choice = rng.choice([each for each in ask.choices if each not in ask.side_choices])
        picked = list(picks.picked)
        straight.apply(choice, seat)
        if choice == picks.end:
            return straight, picked
    return straight, [] if picks is None else list(picks.picked)


def _orders(picked: Sequence[int], picks: Picks, rng: Random) -> Iterator[list[int]]:
    """Yield some orders of the newly picked members that respect the order of the set."""
    left = list((Counter(picked) - Counter(picks.picked)).elements())
    order = picks.order or int
    left.sort(key=lambda each: (order(each), picked.index(each)))
    yield left
    yield sorted(left, key=order, reverse=True)
    mixed = rng.sample(left, len(left))
    equal = {key: iter([each for each in left if order(each) == key]) for key in map(order, left)}
    yield [next(equal[order(each)]) for each in mixed]


def _must_pick(position: Position, seat: int, clicks: Sequence[int], wanted: dict[str, Any]) -> None:
    """Check that clicking members in an order gives the same position as the rules.

    Args:
        position: The position.
        seat: The seat.
        clicks: The members in the order of the clicks.
        wanted: The position that the rules give, as data.

    Raises:
        BrokenLaw: If it doesn't.
    """
    text = [position.text(each) for each in clicks]
    draft = TurnDraft(position, seat)
    picks = draft.picks
    assert picks is not None
    try:
        for each in clicks:
            if not draft.choices:
                draft.add(each)
        if not draft.choices:
            draft.add(picks.end)
    except AtollError as error:
        prompt = position.decision(seat).prompt
        raise BrokenLaw(f"the set {text} of {prompt!r} can't be clicked in this order: {error}") from error
    must_be_equal(wanted, full_knowledge(draft.position), f"a set in the order of the rules, and clicked as {text}")


def _must_take(position: Position, seat: int, clicks: Sequence[int], wanted: dict[str, Any]) -> None:
    """Check that a set can be given as one list.

    The list may include members that would be added automatically.

    Args:
        position: The position.
        seat: The seat.
        clicks: The members in the order of the clicks.
        wanted: The position that the rules give, as data.

    Raises:
        BrokenLaw: If it can't.
    """
    draft = TurnDraft(position, seat)
    picks = draft.picks
    assert picks is not None
    try:
        draft.add(clicks)
        if not draft.choices:
            draft.add(picks.end)
    except AtollError as error:
        text = [position.text(each) for each in clicks]
        raise BrokenLaw(f"the set {text} can't be given as one list: {error}") from error
    must_be_equal(wanted, full_knowledge(draft.position), "a set in the order of the rules, and given as one list")
    again = TurnDraft(position, seat, draft.inputs)
    must_be_equal(
        wanted, full_knowledge(again.position), "a set in the order of the rules, and replayed from its inputs"
    )


def _must_take_side_choice(position: Position, seat: int, clicks: Sequence[int], beside: int, rng: Random) -> None:
    """Check that a side choice can be made before a set and while it is picked.

    The results must be the same.

    Args:
        position: The position.
        seat: The seat.
        clicks: The members in the order of the clicks.
        beside: The side choice.
        rng: Source of random numbers.

    Raises:
        BrokenLaw: If it can't, or the results differ.
    """
    picks = position.decision(seat).picks
    assert picks is not None
    parts = range(1, len(clicks) + 1)
    at = rng.randrange(next((n for n in parts if picks.is_whole(clicks[:n])), len(clicks) + 1))
    found = []
    for each in ([beside, *clicks], [*clicks[:at], beside, *clicks[at:]]):
        draft = TurnDraft(position, seat)
        try:
            for click in each:
                if click == beside or not _is_partly_made(draft, beside):
                    draft.add(click)
            if not _is_partly_made(draft, beside):
                draft.add(picks.end)
        except AtollError as error:
            text = position.text(beside)
            raise BrokenLaw(f"{text!r} is a side choice of a set, but can't be made at any time: {error}") from error
        found.append(full_knowledge(draft.position))
    must_be_equal(found[0], found[1], f"a set, and {position.text(beside)!r} before it or while it is picked")


def _is_partly_made(draft: TurnDraft, *beside: int) -> bool:
    """Return whether a part of the set is carried out."""
    return any(each not in beside for each in draft.choices)


def _must_be_allowed(position: Position, seat: int, rng: Random) -> None:
    """Check that random clicks and removals end with a legal set.

    Args:
        position: The position.
        seat: The seat.
        rng: Source of random numbers.

    Raises:
        BrokenLaw: If they don't.
    """
    draft = TurnDraft(position, seat)
    try:
        while not _is_partly_made(draft, *position.decision(seat).side_choices):
            droppable = draft.removable()
            drop = droppable and (rng.random() < 0.2 or not draft.legal())
            before, clicks = list(draft.picked), list(draft.inputs)
            if not drop:
                draft.add(rng.choice(draft.legal()))
                continue
            click = rng.choice(droppable)
            draft.remove(click)
            if Counter(before) - Counter(draft.picked) != Counter([click]):
                raise BrokenLaw(f"{position.text(click)!r} was removed from {clicks}, but {draft.inputs} are left")
        position.fork().apply(draft.choices, seat)
    except AtollError as error:
        raise BrokenLaw(f"clicks {draft.inputs} give illegal choices {draft.choices}: {error}") from error


LAWS: Final[tuple[Law, ...]] = (sets_are_picked_in_any_order,)
