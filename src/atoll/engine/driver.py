"""The driver of a game's coroutine. It takes it from one moment at which somebody outside must answer to the next."""

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
"""For each seat the seats to move when it alone is asked."""


def _play_all_segments(game: Rules, state: Any, log: list[int]) -> Flow:
    """Play all segments up to the end of the game. A play-out has no other use for checkpoints."""
    while not state.over:
        log.clear()
        yield from game.play(state)


@mypyc_attr(serializable=True)
class Driver:
    """A game's coroutine at a moment when somebody outside must answer, or at the end of the game.

    Attributes:
        game: The rules.
        state: The table as it is now. The rules change it in place.
        seats: The number of seats.
        source: Where chance outcomes come from, or None if they are entered by hand.
        clone: Copies a state of this game.
        history: The answers so far; the driver appends to it.
        hold_sealed: Whether a sealed decision stays closed, even when all answers are in.
        flow: The coroutine, or None at the end of the game.
        request: What the coroutine has yielded last, or None at the end of the game.
        to_move: The seats that may act now: several in a sealed decision, none when chance is asked.
        sealed: The open sealed decision, if there is one.
        sequence: The number of decisions and chance events that were answered. A sealed decision counts as one.
        chances: The number of chance events among them.
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
        """Make a driver that stands nowhere yet; see `reset_to` and `replay`."""
        self.game: Rules = game
        self.seats: int = seats
        self.source: ChanceSource | None = source
        self.clone: Callable[[State], State] = clone
        self.history: History = history
        self.hold_sealed: bool = False

    def reset_to(self, state: State, sequence: int, chances: int) -> None:
        """Stand at a checkpoint, before the coroutine has begun. Nothing is asked before `advance`."""
        self.state: Any = state
        self.sequence: int = sequence
        self.chance_count: int = chances
        self.flow: Flow | None = None
        self.sealed: SealedRound | None = None
        self.over: bool = False

    # -- going on ------------------------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """Begin a game with a table at a checkpoint. Raises RulesError."""
        self.reset_to(state, 0, 0)
        self.advance(self._begin_segment())

    def answer(self, choice: int) -> None:
        """Answer the decision of one seat with one of its options. Raises RulesError, and what the rules raise."""
        request = self.request
        assert type(request) is Choose
        history = self.history
        audience = request.audience_of(choice) if history.snapshots else PUBLIC  # a play-out keeps none
        history.append(request.seat, choice, audience, self.state)
        self.sequence += 1
        self.advance(self._send(choice))

    def answer_chance(self, choice: int) -> None:
        """Answer a chance event with a possible outcome. Raises RulesError, and what the rules raise."""
        request = self.request
        assert type(request) is Roll or type(request) is Draw
        self.chance_count += 1
        self.history.append(CHANCE, choice, request.audience, self.state)
        self.sequence += 1
        self.advance(self._send(choice - request.kind.first))

    def answer_sealed(self, seat: int, choice: int) -> None:
        """Answer for a seat in a sealed decision. Raises RulesError, and what the rules raise."""
        assert self.sealed is not None
        if not self.sealed.answer(seat, choice):
            at = self.to_move.index(seat)
            self.to_move = self.to_move[:at] + self.to_move[at + 1 :]
        if not self.to_move and not self.hold_sealed:
            self.advance(self._send(self._open_sealed()))

    def advance(self, request: Request | None) -> None:
        """Go on from a request until somebody outside must answer, or the game is over.

        Args:
            request: What the coroutine has yielded last, or None at the end of the game.

        Raises:
            RulesError: If the rules ask for what can't be answered.
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
                    raise RulesError(f"the decision {request.prompt!r} of seat {request.seat} has no options")
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
        """Send an answer into the coroutine and return its next request, from this segment or the one after."""
        assert self.flow is not None
        try:
            return self.flow.send(answer)
        except StopIteration:
            return self._begin_segment()

    def _begin_segment(self) -> Request | None:
        """At a checkpoint: keep the state, start the next segment, and return its first request."""
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
        """All sealed answers are in: append them in seat order, and return what the flows have returned."""
        assert self.sealed is not None
        results = self.sealed.results(self.seats)
        for seat, choice, audience in self.sealed.record_entries():
            self.history.append(SEALED + seat, choice, audience, self.state)
        self.sealed = None
        self.sequence += 1
        return results

    # -- what is asked -------------------------------------------------------------------------------------------

    def outcomes(self) -> dict[int, int]:
        """Return the possible outcomes of the pending chance event with their weights. Raises ChanceError."""
        request = self.request
        if type(request) is Roll:
            return dict.fromkeys(range(request.kind.first, request.kind.end), 1)
        if type(request) is Draw:
            weights: dict[int, int] = {}
            for index in sorted(request.pool):
                choice = request.kind.first + index
                weights[choice] = weights.get(choice, 0) + 1
            return weights
        raise ChanceError(f"no chance outcome is asked for now; {self.describe_turn()}")

    def decision(self, seat: int) -> Choose:
        """Return the open decision of a seat. Raises WrongSeat if it isn't asked."""
        request = self.request
        if type(request) is Choose and request.seat == seat:
            return request
        self.check_seat(seat)
        private = None if self.sealed is None else self.sealed.open_decision(seat)
        if private is None:
            raise WrongSeat(f"seat {seat} isn't asked now; {self.describe_turn()}")
        return private

    def sealed_answers(self) -> dict[int, list[int]]:
        """Return the answers to an open sealed decision by seat. They are secret until all are in."""
        return {} if self.sealed is None else self.sealed.answers()

    def check_seat(self, seat: object) -> None:
        """Raise WrongSeat if the seat does not exist."""
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise WrongSeat(f"there is no seat {seat!r}; allowed: 0 to {self.seats - 1}")

    def describe_turn(self) -> str:
        """Return who is to move, for messages."""
        if self.over:
            return "the game is over"
        if not self.to_move:
            return "a chance outcome is awaited"
        return "to move: " + ", ".join(f"seat {seat}" for seat in self.to_move)
