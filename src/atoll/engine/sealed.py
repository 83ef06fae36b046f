"""A sealed decision while it is open: several seats answer in secret, each in a private flow of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mypy_extensions import mypyc_attr

from .decisions import Choose, RequestFlow, Sealed
from .errors import RulesError
from .segment import SEALED, Segment


@mypyc_attr(serializable=True)
class PrivateFlow:
    """One seat's part of a sealed decision.

    ask: what it asks now, None when it has ended. answers, audiences: what was answered so far, and who learns each.
    result: what the flow has returned.
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
        """Give the answer to what is asked; it must be one of the options."""
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
            raise RulesError(f"a sealed decision of seat {ask.seat} ({ask.prompt}) has no options")
        self.ask = ask


@mypyc_attr(serializable=True)
class SealedRound:
    """The private flows of one sealed decision, by seat. Raises RulesError where a flow asks for what it may not."""

    __slots__ = ("flows",)

    def __init__(self, ask: Sealed) -> None:
        self.flows: dict[int, PrivateFlow] = {seat: PrivateFlow(ask.flow(seat)) for seat in sorted(ask.seats)}

    def pending_seats(self) -> tuple[int, ...]:
        """The seats that are still asked, ascending."""
        return tuple([seat for seat, private in self.flows.items() if private.ask is not None])

    def open_decision(self, seat: int) -> Choose | None:
        """What a seat is asked now, if anything."""
        private = self.flows.get(seat)
        return None if private is None else private.ask

    def answer(self, seat: int, choice: int) -> bool:
        """A seat's answer; it must be one of its options. Gives whether the seat is asked on."""
        private = self.flows[seat]
        private.answer(choice)
        return private.ask is not None

    def answers(self) -> dict[int, list[int]]:
        """The answers that are in, by seat; secret until all are."""
        return {seat: list(private.answers) for seat, private in self.flows.items() if private.answers}

    def answers_of(self, seat: int) -> dict[int, list[int]]:
        """The answers that are in of one seat alone."""
        private = self.flows.get(seat)
        return {} if private is None else {seat: list(private.answers)}

    def replay(self, answers: Mapping[int, Sequence[int]], checked: bool) -> None:
        """Give answers that were in before. Raises RulesError if they don't fit (asked for by `checked`)."""
        for seat, given in answers.items():
            for choice in given:
                ask = self.open_decision(seat)
                if checked and (ask is None or choice not in ask.choices):
                    raise RulesError(f"the sealed choice {choice} of seat {seat} doesn't fit the rules")
                self.answer(seat, choice)

    def read(self, segment: Segment, index: int, checked: bool) -> int:
        """Give the answers that a segment holds from an index on, and the index after them. Raises RulesError."""
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
        """Every answer as seat, choice and audience, in the order of the seats."""
        for seat, private in self.flows.items():
            for choice, audience in zip(private.answers, private.audiences, strict=True):
                yield seat, choice, audience

    def results(self, seats: int) -> list[object]:
        """What the flows have returned, by seat; None for the seats that weren't asked."""
        found: list[object] = [None] * seats
        for seat, private in self.flows.items():
            found[seat] = private.result
        return found
