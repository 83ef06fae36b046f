"""The own turn and its free actions: sending a shaman and placing a mirror (RA-3.4 to RA-3.6).

A seat may carry out free actions at any time in its own turn: together with each step, and in a
*window* between steps.

- A step is a question that a rule asks with `choice = yield from ask_step(s, Choose(...))`.
  `ask_step` adds the free actions as side choices. When one of them is chosen, `ask_step` carries
  it out and returns `FREE_ACTION`. The rule then asks the step again, because the free action may
  have changed its choices. So each step is a loop.
- `free_action_window` asks for the free actions alone: after a step, and instead of a step without
  choices.

A seat that wants no windows says so once and skips them from then on. It can ask for them again at
each of its later questions, including those in other turns and those inside the effects of cards.
`run_with_free_actions` adds that choice to the questions of a whole segment, so the rules that ask
them don't mention it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from atoll.engine import Choose, Flow, PicksSource, RequestFlow, Sealed, insert_sorted

from .kinds import ASK, DONE, MIRROR, MIRROR_MASK, SHAMAN, SHAMAN_CARD, SKIP, WINDOWS
from .rituals import distinct, execute
from .state import RaiateaState

T = TypeVar("T")

NO_CHOICES: Final[tuple[int, ...]] = ()
"""The choices of a step that can't be done now."""
NO_CHOICE: Final = DONE.first
"""The answer to a step without choices."""
FREE_ACTION: Final = -1
"""The answer to a step at which a free action was chosen: the rule asks the step again."""

_ASK_FOR_WINDOWS: Final = WINDOWS.choice(ASK)
_SKIP_WINDOWS: Final = WINDOWS.choice(SKIP)
_FREE_CHOICES: Final = range(SHAMAN.first, WINDOWS.end)
"""The side choices that `ask_step` adds to a step.

No step has a choice of its own in this range.
"""


# -- Steps and windows -----------------------------------------------------------------------------


def ask_step(s: RaiateaState, question: Choose) -> RequestFlow[int]:
    """Ask a step of a seat's own turn, with the free actions as side choices.

    A step without choices is skipped if the seat has no free action or skips windows. Otherwise it
    is a window.
    Rule RA-3.4.

    Args:
        s: The state.
        question: The question of the step, for the current state.

    Returns:
        The choice made at the step; `NO_CHOICE` if there was none to make; `FREE_ACTION` if the
        seat carried out a free action or skips windows from now on. The step must then be asked
        again.
    """
    seat = question.seat
    beside = free_actions(s, seat)
    if not question.choices:
        if not opens_window(s, seat):
            return NO_CHOICE
        question = _window_question(seat, beside)
    elif beside:
        question.choices = sorted([*question.choices, *beside])
    choice: int = yield question
    if choice not in _FREE_CHOICES:
        return choice
    if choice in SHAMAN:
        yield from send_shaman(s, seat, SHAMAN.part(choice))
    elif choice in MIRROR:
        place_mirror(s, seat, MIRROR.part(choice))
    else:
        s.skipping[seat] = True
    return FREE_ACTION


def free_action_window(s: RaiateaState, seat: int) -> Flow:
    """Let a seat carry out free actions, one at a time, before the next rule continues.

    A seat that has none or skips windows isn't asked.
    Rule RA-3.4.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The flow.
    """
    while opens_window(s, seat):
        choice = yield from ask_step(s, Choose(seat, "window", NO_CHOICES))
        if choice != FREE_ACTION:
            return


def _window_question(seat: int, actions: Sequence[int]) -> Choose:
    """Return the question that offers free actions alone.

    If the seat has none although everybody else must assume that it may have one (R67), `n` is 0
    and the prompt explains why the seat is asked.
    """
    options = sorted([DONE.first, *actions, _SKIP_WINDOWS])
    return Choose(seat, "window", options, rule="free", placeholders={"n": min(1, len(actions))})


def opens_window(s: RaiateaState, seat: int) -> bool:
    """Return whether a seat is asked for free actions alone.

    It is if it may have one and doesn't skip windows.
    Rule RA-3.5, ruling R67.
    """
    return not s.skipping[seat] and has_free_action(s, seat)


# -- Windows that are skipped ----------------------------------------------------------------------


def run_with_free_actions(flow: RequestFlow[T], skipping: list[bool]) -> RequestFlow[T]:
    """Run the flow of a rule; seats that skip windows can ask for them again at its questions.

    In a set of picks this is offered with the first pick only. Everybody learns that a seat asks
    again, but not how many picks it makes in secret. On the table it can be chosen at any time.
    Rule RA-3.6.

    Args:
        flow: The coroutine of the rule.
        skipping: Whether each seat skips windows; changed in place.

    Returns:
        The result of the coroutine.
    """
    answer: Any = None
    begun: PicksSource | None = None  # The set whose first pick was asked last.
    while True:
        try:
            asked = flow.send(answer)
        except StopIteration as end:
            found: T = end.value
            return found
        if type(asked) is Choose and skipping[asked.seat] and _may_offer_reopen(asked, begun):
            begun = asked.into
            answer = yield from ask_with_reopen(asked, skipping)
        else:
            answer = yield asked


def ask_with_reopen(question: Choose, skipping: list[bool]) -> RequestFlow[int]:
    """Ask a seat that skips windows, and let it ask for them again with the question left open.

    Rule RA-3.6.

    Args:
        question: The question.
        skipping: Whether each seat skips windows; changed in place.

    Returns:
        The choice that answers the question.
    """
    options = question.choices
    question.choices, question.side_choices = sorted([*options, _ASK_FOR_WINDOWS]), (_ASK_FOR_WINDOWS,)
    answer: int = yield question
    if answer == _ASK_FOR_WINDOWS:
        skipping[question.seat] = False
        question.choices, question.side_choices = options, ()
        answer = yield question
    return answer


def _may_offer_reopen(question: Choose, begun: PicksSource | None) -> bool:
    """Return whether a question has something to choose and isn't a later pick of `begun`."""
    return (question.into is None or question.into is not begun) and (len(question.choices) > 1 or not question.public)


def ask_sealed(
    s: RaiateaState, seats: Sequence[int], flow: Callable[[int], RequestFlow[T]]
) -> RequestFlow[list[T | None]]:
    """Ask several seats in secret, and let those that skip windows ask for them again.

    Everybody learns of that when the answers are opened.
    Rule RA-3.6.

    Args:
        s: The state.
        seats: The seats that are asked.
        flow: Makes the private coroutine of a seat.

    Returns:
        For each seat the result of its coroutine, None for a seat that isn't asked.
    """
    answers: list[Any] = yield Sealed(
        seats, lambda seat: _sealed_flow(s, seat, flow(seat)) if s.skipping[seat] else flow(seat)
    )
    for seat in seats:
        if s.skipping[seat]:
            answers[seat], s.skipping[seat] = answers[seat]
    return answers


def _sealed_flow(s: RaiateaState, seat: int, flow: RequestFlow[T]) -> RequestFlow[tuple[T, bool]]:
    """Return the answer of a seat and whether it skips windows after that.

    Doesn't change the state.
    """
    skipping = s.skipping[:]
    answer = yield from run_with_free_actions(flow, skipping)
    return answer, skipping[seat]


# -- Free actions ----------------------------------------------------------------------------------


def has_free_action(s: RaiateaState, seat: int) -> bool:
    """Return whether a seat has a free action by public facts alone. Rule RA-3.5, ruling R67."""
    if s.ready[seat][SHAMAN_CARD] and s.priests[seat] and s.ritual_count(seat):
        return True
    return MIRROR_MASK in s.masks[seat] and may_place_mirror(s, seat)


def may_place_mirror(s: RaiateaState, seat: int) -> bool:
    """Return whether a seat has an unpaired mirror and an unpaired god. Rule RA-5.4."""
    masks = s.masks[seat]
    return len(masks) > 1 and masks[0] == MIRROR_MASK and masks[-1] != MIRROR_MASK


def free_actions(s: RaiateaState, seat: int) -> list[int]:
    """Return the free actions of a seat in the current state, ascending. Rule RA-3.5."""
    options: list[int] = []
    if s.ready[seat][SHAMAN_CARD]:
        options = SHAMAN.all_choices(rituals_for_shaman(s, seat))
    if MIRROR_MASK in s.masks[seat]:
        for god in s.masks[seat]:
            if god != MIRROR_MASK:
                options.append(MIRROR.choice(god))
    return options


def rituals_for_shaman(s: RaiateaState, seat: int) -> list[int]:
    """Return the rituals of the hand that cost no more than the own priests.

    Rule RA-5.7, ruling R66.
    """
    cost = s.components.ritual_cost
    priests = s.priests[seat]
    found = []
    for card in distinct(s.hands[seat]):
        if cost[card] <= priests:
            found.append(card)  # noqa: PERF401 - so few: a comprehension costs more
    return found


def send_shaman(s: RaiateaState, seat: int, card: int) -> Flow:
    """Send a shaman: execute a ritual of the hand that costs no more than the own priests.

    Rule RA-5.7, ruling R66.

    Args:
        s: The state.
        seat: The seat concerned.
        card: The ritual.
    """
    s.send(seat, SHAMAN_CARD)
    s.hands[seat].remove(card)
    s.emit("sent_shaman", seat=seat, ritual=card)
    yield from execute(s, seat, card)


def place_mirror(s: RaiateaState, seat: int, mask: int) -> None:
    """Pair a mirror, which is a joker, with an unpaired god; the pair is that god's and stays.

    Rule RA-5.4.

    Args:
        s: The state.
        seat: The seat concerned.
        mask: The god.
    """
    s.masks[seat].remove(MIRROR_MASK)
    s.masks[seat].remove(mask)
    insert_sorted(s.mirrored[seat], mask)
    s.emit("mirror", seat=seat, mask=mask)
