"""The coroutine of a running game, built again from a checkpoint and what came after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from .decisions import CHANCE, PUBLIC, Ask, Choose, Draw, Roll, Sealed
from .errors import RulesError
from .redeal import redeal
from .run import ALONE, Run
from .sealed import SealedRound
from .segment import AUTO, REDEAL, SEALED, SEATS, Segment
from .state import Event


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Rebuilt(Run):
    """A game under way that can stand where an earlier one stood."""

    __slots__ = ()

    def _rebuild(
        self,
        segment: Segment,
        answers: Mapping[int, Sequence[int]],
        told: list[Event] | None,
        checked: bool = False,
        deal: Callable[[Any], None] | None = None,
    ) -> None:
        """Stand where a segment has come to, which becomes this object's own, with the sealed answers still open.

        checked: the answers come from outside. deal: changes the table before it goes on. Raises RulesError if the
        answers don't fit the rules.
        """
        state: Any = self._clone(segment.base)
        # As `_stand_at` does; a call less for each copy.
        self.state = state
        self._segment = segment
        self.sequence = segment.sequence
        self._chances = segment.chances
        self._sealed = None
        self._flow = None
        self.over = False
        ask: Ask | None = None
        if not state.over:
            flow = self.game.play(state)
            try:
                ask = next(flow) if flow else None
            except StopIteration:
                ask = None
            if ask is None:
                raise RulesError("the segment ends before it asks anything")
            assert flow
            self._flow = flow
            if segment.choices:
                segment.audiences = []
                ask = self._replay(ask, segment, checked)
        if told is not None:
            state.told = told
        if deal is not None:
            deal(state)
        if type(ask) is Sealed:
            self._ask = ask
            self._sealed = SealedRound(ask)
            self._sealed.repeat(answers, checked)
            self.to_move = self._sealed.movers()
            if self.to_move or self._hold:
                return
        elif checked and answers:
            raise RulesError("it holds sealed choices, but nothing is sealed")
        elif type(ask) is Choose:
            options = ask.options
            if len(options) > 1 or (options and not ask.public):  # `_go_on` takes what is no choice
                self._ask = ask
                self.to_move = ALONE[ask.seat]
                return
        self._go_on(ask)

    def _replay(self, ask: Ask, segment: Segment, checked: bool) -> Ask:
        """Feed the answers of a segment to the fresh coroutine; gives what it asks after them."""
        flow = self._flow
        assert flow is not None
        choices = segment.choices
        who = segment.who
        audiences = segment.audiences
        index = 0
        answer: Any
        while index < len(choices):
            choice = choices[index]
            if who[index] == REDEAL:
                redeal(self.game, self.state, choice % SEATS, choice // SEATS)
                audiences.append(0)
                index += 1
                continue
            if checked:
                _check_fit(ask, choice, who[index])
            if type(ask) is Choose:
                answer = choice
                audiences.append(PUBLIC if who[index] >= AUTO else ask.audience_of(choice))
                index += 1
            elif type(ask) is Sealed:
                sealed = SealedRound(ask)
                index = sealed.read(segment, index, checked)
                audiences.extend(audience for _, _, audience in sealed.told())
                answer = sealed.results(self.seats)
            else:
                assert type(ask) is Roll or type(ask) is Draw
                answer = choice - ask.kind.first
                audiences.append(ask.audience)
                self._chances += 1
                index += 1
            self.sequence += 1
            try:
                ask = flow.send(answer)
            except StopIteration:
                raise RulesError("the segment ends before the choices recorded in it do") from None
        return ask

    def _become_playout(self) -> None:
        """From now on it is played to its end and no more; its seats' answers are logged, not kept for a replay."""
        segment = self._open
        log: list[int] = []
        if segment.choices:
            for who, choice in zip(segment.who, segment.choices, strict=True):
                if who >= 0:
                    log += choice, who % SEATS
        self._keep_no_snapshots(log)


def _check_fit(ask: Ask, choice: int, code: int) -> None:
    """Whether a recorded choice fits what the rules ask now. Raises RulesError."""
    fits = False
    if type(ask) is Choose:
        fits = code in (ask.seat, AUTO + ask.seat) and choice in ask.options
    elif type(ask) is Sealed:
        fits = code >= SEALED
    elif type(ask) is Roll:
        fits = code == CHANCE and choice in ask.kind
    elif type(ask) is Draw:
        fits = code == CHANCE and choice in ask.kind and choice - ask.kind.first in ask.pool
    if not fits:
        raise RulesError(f"the recorded choice {choice} doesn't fit what the rules ask there ({type(ask).__name__})")
