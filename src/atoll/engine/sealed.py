"""Open sealed decisions: several seats answer in secret, each in a private coroutine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mypy_extensions import mypyc_attr

from .decisions import Choose, RequestFlow, Sealed
from .errors import RulesError
from .segment import SEALED, Segment


@mypyc_attr(serializable=True)
class PrivateFlow:
    """The private coroutine of one seat in a sealed decision.

    Args:
        flow: The coroutine; it is started immediately.

    Attributes:
        flow: The coroutine.
        ask: The open decision; None if the coroutine has ended.
        answers: Answers so far.
        audiences: Audience of each answer.
        result: Value that the coroutine returned.
    """

    __slots__ = ("answers", "ask", "audiences", "flow", "result")

    def __init__(self, flow: RequestFlow[object]) -> None:
        self.flow: RequestFlow[object] = flow
        self.answers: list[int] = []
        self.audiences: list[int] = []
        self.ask: Choose | None = None
        self.result: object = None
        self._step(None)

    def answer(self, choice: int) -> None:
        """Answer the open decision with a legal choice."""
        assert self.ask is not None
        self.answers.append(choice)
        self.audiences.append(self.ask.audience_of(choice))
        self._step(choice)

    def _step(self, choice: int | None) -> None:
        try:
            ask = next(self.flow) if choice is None else self.flow.send(choice)
        except StopIteration as end:
            self.ask = None
            self.result = end.value
            return
        if not isinstance(ask, Choose):
            raise RulesError(f"a sealed flow may only choose, not ask for {type(ask).__name__}")
        if not ask.choices:
            raise RulesError(f"a sealed decision of seat {ask.seat} ({ask.prompt}) has no choices")
        self.ask = ask


@mypyc_attr(serializable=True)
class SealedRound:
    """The private coroutines of one sealed decision.

    Args:
        ask: The request.

    Attributes:
        flows: Private coroutines by seat, ascending.

    Raises:
        RulesError: If a coroutine yields anything but a `Choose` with choices.
    """

    __slots__ = ("flows",)

    def __init__(self, ask: Sealed) -> None:
        self.flows: dict[int, PrivateFlow] = {seat: PrivateFlow(ask.flow(seat)) for seat in sorted(ask.seats)}

    def pending_seats(self) -> tuple[int, ...]:
        """Return the seats that are still asked, ascending."""
        return tuple([seat for seat, private in self.flows.items() if private.ask is not None])

    def open_decision(self, seat: int) -> Choose | None:
        """Return the open decision of a seat; None if it isn't asked."""
        private = self.flows.get(seat)
        return None if private is None else private.ask

    def answer(self, seat: int, choice: int) -> bool:
        """Answer for a seat with a legal choice, and return whether the seat is asked again."""
        private = self.flows[seat]
        private.answer(choice)
        return private.ask is not None

    def answers(self) -> dict[int, list[int]]:
        """Return the answers so far by seat. They are secret until all are in."""
        return {seat: list(private.answers) for seat, private in self.flows.items() if private.answers}

    def answers_of(self, seat: int) -> dict[int, list[int]]:
        """Return the answers of one seat, in the form of `answers`."""
        private = self.flows.get(seat)
        return {} if private is None else {seat: list(private.answers)}

    def replay(self, answers: Mapping[int, Sequence[int]], checked: bool) -> None:
        """Repeat earlier answers.

        Args:
            answers: Answers by seat.
            checked: Whether the answers come from outside and must be checked.

        Raises:
            RulesError: If the answers don't fit the rules.
        """
        for seat, given in answers.items():
            for choice in given:
                ask = self.open_decision(seat)
                if checked and (ask is None or choice not in ask.choices):
                    raise RulesError(f"the sealed choice {choice} of seat {seat} doesn't fit the rules")
                self.answer(seat, choice)

    def read(self, segment: Segment, index: int, checked: bool) -> int:
        """Answer from a segment.

        Args:
            segment: The segment.
            index: Index of the first sealed answer.
            checked: Whether the answers come from outside and must be checked.

        Returns:
            The index after the last sealed answer.

        Raises:
            RulesError: If the answers don't fit the rules.
        """
        for seat, private in self.flows.items():
            while private.ask is not None:
                if checked:
                    fits = index < len(segment.choices) and segment.choices[index] in private.ask.choices
                    if not fits or segment.actors[index] != SEALED + seat:
                        raise RulesError(f"the sealed choices of seat {seat} don't fit the rules")
                private.answer(segment.choices[index])
                index += 1
        return index

    def record_entries(self) -> Iterator[tuple[int, int, int]]:
        """Yield every answer as seat, choice and audience, by seat."""
        for seat, private in self.flows.items():
            for choice, audience in zip(private.answers, private.audiences, strict=True):
                yield seat, choice, audience

    def results(self, seats: int) -> list[object]:
        """Return the result of each seat's coroutine; None for seats that weren't asked."""
        found: list[object] = [None] * seats
        for seat, private in self.flows.items():
            found[seat] = private.result
        return found
