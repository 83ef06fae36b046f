"""The driver runs the rules' coroutine until an outside answer is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from .chance import ChanceSource
from .decisions import CHANCE, PUBLIC, Choose, Draw, Flow, Request, Roll, Sealed
from .errors import ChanceError, RulesError, WrongSeat
from .history import History
from .rules import Rules
from .sealed import SealedRound
from .segment import AUTO_ANSWERED, MAX_SEATS, SEALED
from .state import State

SINGLE_SEAT: Final[tuple[tuple[int, ...], ...]] = tuple((seat,) for seat in range(MAX_SEATS))
"""Per seat the value of `to_move` when only this seat is asked."""


def _play_all_segments(game: Rules, state: Any, log: list[int]) -> Flow:
    """Play all segments up to the end of the game, for rollouts, which don't need checkpoints."""
    while not state.over:
        log.clear()
        yield from game.play(state)


@mypyc_attr(serializable=True)
class Driver:
    """A game's coroutine, waiting for an answer or at the end of the game.

    A new driver has no state yet. `begin` starts a game; `replay` restores an earlier moment.

    Args:
        game: The rules.
        seats: The number of seats.
        source: Source of chance outcomes; None if they are entered by hand.
        history: Answers so far; the driver appends to it.
        clone: Returns a copy of a state of this game.

    Attributes:
        game: The rules.
        state: The current state. The rules change it in place.
        seats: The number of seats.
        source: Source of chance outcomes; None if they are entered by hand.
        clone: Returns a copy of a state of this game.
        history: Answers so far; the driver appends to it.
        hold_sealed: Whether a sealed decision stays closed even when all answers are in.
        flow: The coroutine; None at the end of the game.
        request: The last request of the coroutine; None at the end of the game.
        to_move: Seats that may act now: several in a sealed decision, none at a chance event or at
            the end.
        sealed: The open sealed decision; None if there is none.
        sequence: Number of decisions and chance events answered so far. A sealed decision counts
            once.
        chance_count: Number of chance events among them.
        over: Whether the game has ended.
    """

    __slots__ = (
        "chance_count",
        "clone",
        "flow",
        "game",
        "history",
        "hold_sealed",
        "over",
        "request",
        "sealed",
        "seats",
        "sequence",
        "source",
        "state",
        "to_move",
    )

    request: Request | None
    to_move: tuple[int, ...]

    def __init__(
        self, game: Rules, seats: int, source: ChanceSource | None, history: History, clone: Callable[[State], State]
    ) -> None:
        self.game: Rules = game
        self.seats: int = seats
        self.source: ChanceSource | None = source
        self.clone: Callable[[State], State] = clone
        self.history: History = history
        self.hold_sealed: bool = False

    def reset_to(self, state: State, sequence: int, chances: int) -> None:
        """Move to a checkpoint, before the coroutine has started. Call `advance` to continue.

        Args:
            state: The state at the checkpoint. It isn't copied.
            sequence: Number of answers before the checkpoint.
            chances: Number of chance events among them.
        """
        self.state: Any = state
        self.sequence: int = sequence
        self.chance_count: int = chances
        self.flow: Flow | None = None
        self.sealed: SealedRound | None = None
        self.over: bool = False

    # -- answers ----------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """Start a game from a state at a checkpoint.

        Args:
            state: The state. It isn't copied.

        Raises:
            RulesError: If the rules break the contract.
        """
        self.reset_to(state, 0, 0)
        self.advance(self._begin_segment())

    def answer(self, choice: int) -> None:
        """Answer the decision of a single seat.

        Exceptions of the rules are passed on.

        Args:
            choice: A legal choice; not checked.

        Raises:
            RulesError: If the rules break the contract.
        """
        request = self.request
        assert type(request) is Choose
        history = self.history
        audience = request.audience_of(choice) if history.snapshots else PUBLIC  # rollouts don't store audiences
        history.append(request.seat, choice, audience, self.state)
        self.sequence += 1
        self.advance(self._send(choice))

    def answer_chance(self, choice: int) -> None:
        """Enter the outcome of a chance event.

        Exceptions of the rules are passed on.

        Args:
            choice: A possible outcome; not checked.

        Raises:
            RulesError: If the rules break the contract.
        """
        request = self.request
        assert type(request) is Roll or type(request) is Draw
        self.chance_count += 1
        self.history.append(CHANCE, choice, request.audience, self.state)
        self.sequence += 1
        self.advance(self._send(choice - request.kind.first))

    def answer_sealed(self, seat: int, choice: int) -> None:
        """Answer for a seat in a sealed decision.

        Exceptions of the rules are passed on.

        Args:
            seat: A seat that is asked; not checked.
            choice: A legal choice of it; not checked.

        Raises:
            RulesError: If the rules break the contract.
        """
        assert self.sealed is not None
        if not self.sealed.answer(seat, choice):
            at = self.to_move.index(seat)
            self.to_move = self.to_move[:at] + self.to_move[at + 1 :]
        if not self.to_move and not self.hold_sealed:
            self.advance(self._send(self._open_sealed()))

    def advance(self, request: Request | None) -> None:
        """Continue from a request until an outside answer is needed or the game is over.

        Args:
            request: The last request of the coroutine; None at the end of the game.

        Raises:
            RulesError: If the request can't be answered.
        """
        source, history = self.source, self.history
        answer: object
        while True:
            if type(request) is Draw and source is not None:
                if not request.pool:
                    raise RulesError(f"a draw of {request.kind.name!r} from an empty pool")
                answer = request.pool[source.outcome(self.chance_count, len(request.pool))]
                self.chance_count += 1
                history.append(CHANCE, request.kind.first + answer, request.audience, self.state)
            elif type(request) is Choose:
                options = request.choices
                if not options:
                    raise RulesError(f"the decision {request.prompt!r} of seat {request.seat} has no choices")
                if len(options) > 1 or not request.public:
                    self.request = request
                    self.to_move = SINGLE_SEAT[request.seat]
                    return
                answer = options[0]
                history.append(AUTO_ANSWERED + request.seat, answer, PUBLIC, self.state)
            elif type(request) is Roll and source is not None:
                answer = source.outcome(self.chance_count, request.kind.size)
                self.chance_count += 1
                history.append(CHANCE, request.kind.first + answer, request.audience, self.state)
            elif type(request) is Sealed:
                self.sealed = SealedRound(request)
                self.request = request
                self.to_move = self.sealed.pending_seats()
                if self.to_move:
                    return
                answer = self._open_sealed()
            elif type(request) is Draw or type(request) is Roll or (request is None and self.flow is None):
                self.request = request
                self.to_move = ()
                self.over = request is None
                return
            else:
                raise RulesError(f"the rules asked for {request!r}; allowed: Choose, Sealed, Roll, Draw")
            if type(request) is not Sealed:
                self.sequence += 1
            request = self._send(answer)

    def _send(self, answer: object) -> Request | None:
        """Send an answer to the coroutine and return its next request; it may start a segment."""
        assert self.flow is not None
        try:
            return self.flow.send(answer)
        except StopIteration:
            return self._begin_segment()

    def _begin_segment(self) -> Request | None:
        """Store the checkpoint, start the next segment and return its first request, if any."""
        history = self.history
        while True:
            state = self.state
            if history.snapshots:
                history.begin_segment(self.clone(state), self.sequence, self.chance_count)
            if state.over:
                self.flow = None
                return None
            flow = self.game.play(state) if history.snapshots else _play_all_segments(self.game, state, history.log)
            if not flow:
                continue
            self.flow = flow
            try:
                return next(flow)
            except StopIteration:
                continue

    def _open_sealed(self) -> list[object]:
        """Record all sealed answers in seat order; return the results of the coroutines."""
        assert self.sealed is not None
        results = self.sealed.results(self.seats)
        for seat, choice, audience in self.sealed.record_entries():
            self.history.append(SEALED + seat, choice, audience, self.state)
        self.sealed = None
        self.sequence += 1
        return results

    # -- current request --------------------------------------------------------------------------

    def outcomes(self) -> dict[int, int]:
        """Return the possible outcomes of the pending chance event with their weights.

        Raises:
            ChanceError: If no chance event is pending.
        """
        request = self.request
        if type(request) is Roll:
            return dict.fromkeys(range(request.kind.first, request.kind.end), 1)
        if type(request) is Draw:
            weights: dict[int, int] = {}
            for index in sorted(request.pool):
                choice = request.kind.first + index
                weights[choice] = weights.get(choice, 0) + 1
            return weights
        raise ChanceError(f"no chance outcome is expected now; {self.describe_turn()}")

    def decision(self, seat: int) -> Choose:
        """Return the open decision of a seat.

        Args:
            seat: The seat.

        Raises:
            WrongSeat: If the seat doesn't exist or isn't asked.
        """
        request = self.request
        if type(request) is Choose and request.seat == seat:
            return request
        self.check_seat(seat)
        private = None if self.sealed is None else self.sealed.open_decision(seat)
        if private is None:
            raise WrongSeat(f"seat {seat} isn't asked now; {self.describe_turn()}")
        return private

    def sealed_answers(self) -> dict[int, list[int]]:
        """Return the answers to the open sealed decision by seat, secret until all are in."""
        return {} if self.sealed is None else self.sealed.answers()

    def check_seat(self, seat: object) -> None:
        """Check that a seat exists.

        Args:
            seat: The seat to check.

        Raises:
            WrongSeat: If it doesn't.
        """
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise WrongSeat(f"invalid seat {seat!r}: expected 0 to {self.seats - 1}")

    def describe_turn(self) -> str:
        """Return a description of the seats to move, for messages."""
        if self.over:
            return "the game is over"
        if not self.to_move:
            return "a chance outcome is awaited"
        return "to move: " + ", ".join(f"seat {seat}" for seat in self.to_move)
