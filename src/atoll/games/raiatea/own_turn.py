"""F1b, the own turn: shamans are sent and mirrors placed at any time in it: before and after each of its steps.

A step of the own turn is a question that is yielded as a function: `conduct` puts it with the free actions beside it,
and puts it anew after each of them, as that may have changed what the step offers. Where a step offers nothing, or
there is none, the free actions are a window of their own. Who wants none of these says so once, and takes it back at
any later question.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from atoll.engine import Ask, Asking, Choose, Flow, Picking, Sealed, put

from .components import RaiateaBox
from .effects import AT_ONCE, AtOnce
from .kinds import ASK, DONE, MIRROR, MIRROR_MASK, SHAMAN, SHAMAN_CARD, SKIP, WINDOWS
from .rituals import distinct, execute
from .state import RaiateaState

T = TypeVar("T")

Step: TypeAlias = Callable[[], Choose]
"""What a step of the own turn asks, as the table lies now; without options there is nothing to ask."""
TurnFlow: TypeAlias = Generator[Ask | Step, Any, T]
"""A rule coroutine in which somebody has its own turn; for `conduct`."""

NO_OPTIONS: Final[tuple[int, ...]] = ()
"""What a step offers that can't be done now."""
NOTHING: Final = DONE.first
"""What a step is answered where it offers nothing."""

_ASK: Final = WINDOWS.at(ASK)
_SKIP: Final = WINDOWS.at(SKIP)
_BESIDE: Final = range(SHAMAN.first, WINDOWS.end)
"""What is chosen beside a step; none of a step's own choices lies among these."""


def conduct(
    s: RaiateaState,
    flow: TurnFlow[T],
    skipping: list[bool],
    then: Callable[[RaiateaState], None] | None = None,
) -> Asking[T]:
    """A flow as it is asked: with the free actions beside the steps of an own turn, and with all windows asked for.

    At each question who skips windows can ask for them again, beside what is asked; `skipping` then says so. Of a set
    the rules offer it with the first pick only, as all learn of it, but not of how much is picked in secret; on the
    table it can be chosen at any time.
    then: what is done when the flow has ended.
    """
    answer: Any = None
    begun: Picking | None = None
    while True:
        try:
            asked = flow.send(answer)
        except StopIteration as end:
            if then is not None:
                then(s)
            found: T = end.value
            return found
        if callable(asked):
            step = asked
            question = step()
            seat = question.seat
            if s.ready[seat][SHAMAN_CARD] or MIRROR_MASK in s.masks[seat]:  # else there is no free action
                answer = yield from on_turn(s, seat, step, question)
                continue
            if not question.options:
                answer = NOTHING
            elif skipping[seat]:
                answer = yield from asking_again(question, skipping)
            else:
                answer = yield question
        elif type(asked) is Choose and skipping[asked.seat] and _has_room(asked, begun):
            begun = asked.into
            answer = yield from asking_again(asked, skipping)
        else:
            answer = yield asked


def on_turn(s: RaiateaState, seat: int, step: Step, asked: Choose) -> Asking[int]:
    """One step of the seat's own turn, with its free actions before it. Gives what is chosen at the step."""
    while True:
        alone = not asked.options
        if alone and not opens_window(s, seat):
            return NOTHING
        beside = free_actions(s, seat)
        if alone:
            # Where nothing can be done, n is 0 and the question says why it is asked.
            asked = Choose(seat, "window", [DONE.first], rule="free", about={"n": min(1, len(beside))})
            beside.append(_SKIP)
        if beside:
            asked.options = sorted([*asked.options, *beside])
        choice: int
        if s.skipping[seat]:
            choice = yield from asking_again(asked, s.skipping)
        else:
            choice = yield asked
        if choice not in _BESIDE:
            return choice
        if choice in SHAMAN:
            yield from conduct(s, send_shaman(s, seat, SHAMAN.of(choice)), s.skipping)
        elif choice in MIRROR:
            place_mirror(s, seat, MIRROR.of(choice))
        else:
            s.skipping[seat] = True
        asked = step()


def window(s: RaiateaState, seat: int) -> TurnFlow[None] | AtOnce:
    """The free actions after a step, if the seat has any: before what follows, and once the turn is over."""
    return AT_ONCE if s.skipping[seat] or not has_free_action(s, seat) else _window(seat)


def _window(seat: int) -> TurnFlow[None]:
    yield lambda: Choose(seat, "window", NO_OPTIONS)


def asking_again(asked: Choose, skipping: list[bool]) -> Asking[int]:
    """A question to who skips windows, who can ask for them again; it's beside what is asked: the question stays."""
    options = asked.options
    asked.options, asked.beside = sorted([*options, _ASK]), (_ASK,)
    answer: int = yield asked
    if answer == _ASK:
        skipping[asked.seat] = False
        asked.options, asked.beside = options, ()
        answer = yield asked
    return answer


def _has_room(asked: Choose, begun: Picking | None) -> bool:
    """Whether there is something to choose, and it isn't the next pick of a set that was begun."""
    return (asked.into is None or asked.into is not begun) and (len(asked.options) > 1 or not asked.public)


def in_secret(s: RaiateaState, seats: Sequence[int], flow: Callable[[int], Asking[T]]) -> Asking[list[T | None]]:
    """Sealed questions, at which who skips windows can ask for them again; all hear of it when they open."""
    answers: list[Any] = yield Sealed(
        seats, lambda seat: _secretly(s, seat, flow(seat)) if s.skipping[seat] else flow(seat)
    )
    for seat in seats:
        if s.skipping[seat]:
            answers[seat], s.skipping[seat] = answers[seat]
    return answers


def _secretly(s: RaiateaState, seat: int, flow: Asking[T]) -> Asking[tuple[T, bool]]:
    """What a seat answers, and whether it skips windows after that. Changes nothing."""
    skipping = s.skipping[:]
    answer = yield from conduct(s, flow, skipping)
    return answer, skipping[seat]


def opens_window(s: RaiateaState, seat: int) -> bool:
    """Whether the seat is asked for its free actions alone: it has any, as far as all know, and doesn't skip them."""
    return not s.skipping[seat] and has_free_action(s, seat)


def has_free_action(s: RaiateaState, seat: int) -> bool:
    """Whether the seat may have a free action; it depends on public facts only (R67)."""
    if s.ready[seat][SHAMAN_CARD] and s.priests[seat] and s.ritual_count(seat):
        return True
    return MIRROR_MASK in s.masks[seat] and may_place_mirror(s, seat)


def may_place_mirror(s: RaiateaState, seat: int) -> bool:
    """An unpaired mirror and an unpaired god."""
    masks = s.masks[seat]
    return len(masks) > 1 and masks[0] == MIRROR_MASK and masks[-1] != MIRROR_MASK


def free_actions(s: RaiateaState, seat: int) -> list[int]:
    """§ Schamane B, § Regenbogenspiegel. The seat's free actions now; ascending."""
    options: list[int] = []
    if s.ready[seat][SHAMAN_CARD]:
        options = SHAMAN.each(rituals_for_shaman(s, seat))
    if MIRROR_MASK in s.masks[seat]:
        for god in s.masks[seat]:
            if god != MIRROR_MASK:
                options.append(MIRROR.at(god))
    return options


def rituals_for_shaman(s: RaiateaState, seat: int) -> list[int]:
    """Return the rituals of the hand that cost no more than the own priests (R66)."""
    box: RaiateaBox = s.box
    cost = box.ritual_cost
    priests = s.priests[seat]
    found = []
    for card in distinct(s.hands[seat]):
        if cost[card] <= priests:
            found.append(card)  # noqa: PERF401 - so few: a comprehension costs more
    return found


def send_shaman(s: RaiateaState, seat: int, card: int) -> Flow:
    """§ Schamane B. A ritual of the hand that costs no more than the own priests is carried out for nothing (R66)."""
    s.send(seat, SHAMAN_CARD)
    s.hands[seat].remove(card)
    s.tell("sent_shaman", seat=seat, ritual=card)
    yield from execute(s, seat, card)


def place_mirror(s: RaiateaState, seat: int, mask: int) -> None:
    """§ Regenbogenspiegel. A joker under any own unpaired god; the pair is that god's, and it stays."""
    s.masks[seat].remove(MIRROR_MASK)
    s.masks[seat].remove(mask)
    put(s.mirrored[seat], mask)
    s.tell("mirror", seat=seat, mask=mask)
