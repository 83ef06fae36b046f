"""Replay: restore a driver from a checkpoint and the answers since."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .decisions import CHANCE, PUBLIC, Choose, Draw, Request, Roll, Sealed
from .determinization import determinize
from .driver import SINGLE_SEAT, Driver
from .errors import RulesError
from .sealed import SealedRound
from .segment import AUTO_ANSWERED, DETERMINIZED, MAX_SEATS, SEALED, Segment
from .state import Event, State


def replay(
    driver: Driver,
    segment: Segment,
    answers: Mapping[int, Sequence[int]],
    events: list[Event] | None,
    checked: bool = False,
    deal: Callable[[State], None] | None = None,
) -> None:
    """Move a driver to the end of a segment.

    Args:
        driver: The driver. Its history continues with the segment.
        segment: The checkpoint and the answers since.
        answers: Answers to the sealed decision that is open at the end, by seat.
        events: Events so far; None to collect none.
        checked: Whether the answers come from outside and must be checked.
        deal: Changes the state before the driver continues; None for no change.

    Raises:
        RulesError: If the answers don't fit the rules.
    """
    state: Any = driver.clone(segment.base)
    driver.history.segment = segment
    driver.reset_to(state, segment.sequence, segment.chances)
    request: Request | None = None
    if not state.over:
        request = _started(driver)
        segment.audiences = []
        if segment.choices:
            request = _replayed(driver, request, segment, checked)
    if events is not None:
        state.events = events
    if deal is not None:
        deal(state)
    if type(request) is Sealed:
        driver.request = request
        driver.sealed = SealedRound(request)
        driver.sealed.replay(answers, checked)
        driver.to_move = driver.sealed.pending_seats()
        if driver.to_move or driver.hold_sealed:
            return
    elif checked and answers:
        raise RulesError("there are sealed choices, but no sealed decision is open")
    elif type(request) is Choose and (len(request.choices) > 1 or (request.choices and not request.public)):
        driver.request = request
        driver.to_move = SINGLE_SEAT[request.seat]
        return
    driver.advance(request)


def _started(driver: Driver) -> Request:
    """Start the coroutine and return its first request."""
    flow = driver.game.play(driver.state)
    try:
        request: Request | None = next(flow) if flow else None
    except StopIteration:
        request = None
    if request is None or not flow:
        raise RulesError("the segment ends before it asks anything")
    driver.flow = flow
    return request


def _replayed(driver: Driver, request: Request, segment: Segment, checked: bool) -> Request:
    """Send the answers of a segment to the coroutine, and return its next request."""
    flow = driver.flow
    assert flow is not None
    choices, who, audiences = segment.choices, segment.actors, segment.audiences
    index = 0
    answer: Any
    while index < len(choices):
        choice = choices[index]
        if who[index] == DETERMINIZED:
            determinize(driver.game, driver.state, choice % MAX_SEATS, choice // MAX_SEATS)
            audiences.append(0)
            index += 1
            continue
        if checked:
            _check_fit(request, choice, who[index])
        if type(request) is Choose:
            answer = choice
            audiences.append(PUBLIC if who[index] >= AUTO_ANSWERED else request.audience_of(choice))
            index += 1
        elif type(request) is Sealed:
            sealed = SealedRound(request)
            index = sealed.read(segment, index, checked)
            audiences.extend(audience for _, _, audience in sealed.record_entries())
            answer = sealed.results(driver.seats)
        else:
            assert type(request) is Roll or type(request) is Draw
            answer = choice - request.kind.first
            audiences.append(request.audience)
            driver.chance_count += 1
            index += 1
        driver.sequence += 1
        try:
            request = flow.send(answer)
        except StopIteration:
            raise RulesError("the segment ends before the choices recorded in it do") from None
    return request


def _check_fit(request: Request, choice: int, code: int) -> None:
    """Check that a recorded choice fits a request.

    Args:
        request: The request of the rules.
        choice: The recorded choice.
        code: The recorded actor.

    Raises:
        RulesError: If it doesn't fit.
    """
    fits = False
    if type(request) is Choose:
        fits = code in (request.seat, AUTO_ANSWERED + request.seat) and choice in request.choices
    elif type(request) is Sealed:
        fits = code >= SEALED
    elif type(request) is Roll:
        fits = code == CHANCE and choice in request.kind
    elif type(request) is Draw:
        fits = code == CHANCE and choice in request.kind and choice - request.kind.first in request.pool
    if not fits:
        name = type(request).__name__
        raise RulesError(f"the recorded choice {choice} doesn't fit what the rules ask there ({name})")
