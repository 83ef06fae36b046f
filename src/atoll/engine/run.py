"""The coroutine of a running game, driven by answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mypy_extensions import mypyc_attr

from .chance import ChanceSource
from .decisions import CHANCE, PUBLIC, Ask, Choose, Draw, Flow, Roll, Sealed
from .errors import RulesError
from .rules import Rules
from .sealed import SealedRound
from .segment import AUTO, SEALED, SEATS, Segment, Trail, extended

ALONE: Final[tuple[tuple[int, ...], ...]] = tuple((seat,) for seat in range(SEATS))
"""Per seat who is to move when it alone is asked."""


def _to_the_end(game: Rules, state: Any, log: list[int]) -> Flow:
    """All segments up to the end of the game, for play-outs: at checkpoints only the log is cleared."""
    while not state.over:
        log.clear()
        yield from game.play(state)


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Run:
    """A game under way, always at a moment when somebody outside must answer, or at its end.

    game: the rules. options: the host's. state: the table as it is now, changed in place. seats: how many.
    to_move: the seats that may act now, several in a sealed decision, none when chance is asked or the game is over.
    sequence: how many decisions and chance events were answered (a sealed decision is one).
    record: (who, choice, audience) of every answer since this object was made; None in forks and play-outs.
    """

    __slots__ = (
        "_ask",
        "_broken",
        "_chances",
        "_clone",
        "_flow",
        "_hold",
        "_log",
        "_marks",
        "_sealed",
        "_segment",
        "_snapshots",
        "_source",
        "_taken",
        "_trail",
        "game",
        "options",
        "over",
        "record",
        "seats",
        "sequence",
        "state",
        "to_move",
    )

    def _lay_out(
        self,
        game: Rules,
        options: Mapping[str, Any],
        seats: int,
        source: ChanceSource | None,
        clone: Callable[[Any], Any],
    ) -> None:
        """Give every attribute that no moment of the game changes by itself its first value; see also `_stand_at`.

        What only a position with a record or a play-out has (`_marks`, `_log`) is made by what makes it one.
        """
        self.game: Rules = game
        self.options: Mapping[str, Any] = options
        self.seats: int = seats
        self._source: ChanceSource | None = source
        self._clone: Callable[[Any], Any] = clone  # copies a state of this game
        self._snapshots: bool = True  # without: a play-out that can't be forked, saved or undone
        self._broken: bool = False  # a play-out in which the rules have failed
        self._hold: bool = False  # a sealed decision stays closed, even when all answers are in
        self.record: list[tuple[int, int, int]] | None = None
        self._taken: int = 0  # events
        self._trail: Trail = ()

    def _keep_record(self) -> None:
        """From now on every answer is recorded."""
        self.record = []
        self._marks: list[int] = []  # for each entry of the record, how many events had been told

    def _keep_no_snapshots(self, log: list[int]) -> None:
        """From now on it is played to its end and no more: no copies, no undo."""
        self._snapshots = False
        self._log: list[int] = log  # choice and seat in turn, of all answers of seats since the checkpoint

    def _stand_at(self, state: Any, segment: Segment | None, sequence: int, chances: int) -> None:
        """Stand at a checkpoint, before the coroutine has begun."""
        self.state: Any = state
        self._segment: Segment | None = segment
        self.sequence: int = sequence
        self._chances: int = chances
        self._sealed: SealedRound | None = None
        self._flow: Flow | None = None
        self.over: bool = False

    @property
    def _open(self) -> Segment:
        """The segment that is being played; only play-outs of new games have none."""
        assert self._segment is not None
        return self._segment

    def _begin_segment(self) -> Ask | None:
        """A checkpoint: keep the state, start the next segment and give what it asks first; None when over."""
        while True:
            state = self.state
            if self._snapshots:
                if self._segment is not None:
                    self._trail = extended(self._trail, self._segment)
                self._segment = Segment(self._clone(state), self.sequence, self._chances, [], [])
            if state.over:
                self._flow = None
                return None
            flow = self.game.play(state) if self._snapshots else _to_the_end(self.game, state, self._log)
            if not flow:
                continue
            self._flow = flow
            try:
                return next(flow)
            except StopIteration:
                continue

    def _answer(self, answer: Any) -> Ask | None:
        """Give the coroutine an answer; what it asks next, in this segment or the one after."""
        assert self._flow is not None
        try:
            return self._flow.send(answer)
        except StopIteration:
            return self._begin_segment()

    def _go_on(self, ask: Ask | None) -> None:
        """From a pending question on until somebody outside must answer, or the game is over."""
        source = self._source
        self._ask: Ask | None
        self.to_move: tuple[int, ...]
        answer: Any
        while True:
            if type(ask) is Draw and source is not None:  # as most are
                pool = ask.pool
                if not pool:
                    raise RulesError(f"a draw of {ask.kind.name!r} from an empty pool")
                answer = pool[source.pick(self._chances, len(pool))]
                self._chances += 1
                if self._snapshots:
                    self._note(CHANCE, ask.kind.first + answer, ask.audience)
                self.sequence += 1
            elif type(ask) is Choose:
                options = ask.options
                if len(options) != 1 or not ask.public:
                    if not options:
                        raise RulesError(f"the decision {ask.prompt!r} of seat {ask.seat} has no options")
                    self._ask = ask
                    self.to_move = ALONE[ask.seat]
                    return
                answer = options[0]
                if self._snapshots:
                    self._note(AUTO + ask.seat, answer, PUBLIC)
                else:
                    self._log += answer, ask.seat
                self.sequence += 1
            elif type(ask) is Roll and source is not None:
                answer = source.pick(self._chances, ask.kind.size)
                self._chances += 1
                if self._snapshots:
                    self._note(CHANCE, ask.kind.first + answer, ask.audience)
                self.sequence += 1
            elif type(ask) is Sealed:
                self._ask = ask
                self._sealed = SealedRound(ask)
                self.to_move = self._sealed.movers()
                if self.to_move:
                    return
                answer = self._open_sealed()
            elif type(ask) is Draw or type(ask) is Roll or (ask is None and self._flow is None):
                # It is entered by hand, or the game is over.
                self._ask = ask
                self.to_move = ()
                self.over = ask is None
                return
            else:
                raise RulesError(f"the rules asked for {ask!r}; allowed: Choose, Sealed, Roll, Draw")
            # As `_answer` does; a call less for each roll and draw.
            assert self._flow is not None
            try:
                ask = self._flow.send(answer)
            except StopIteration:
                ask = self._begin_segment()

    def _note(self, who: int, choice: int, audience: int) -> None:
        """Remember an answer; a play-out only remembers those of seats, up to the next checkpoint."""
        segment = self._segment
        if segment is None or not self._snapshots:
            if who >= 0:
                self._log += choice, who % SEATS
            return
        segment.choices.append(choice)
        segment.who.append(who)
        segment.audiences.append(audience)
        if self.record is not None:
            self.record.append((who if who < AUTO else who % SEATS, choice, audience))
            self._marks.append(len(self.state.told or ()))

    def _cut_record(self, length: int) -> None:
        """Forget what comes after so many entries of the record, and the events told since."""
        if self.record is None or length == len(self.record):
            return
        told = self.state.told
        if told is not None:
            del told[self._marks[length] :]
            self._taken = min(self._taken, len(told))
        del self.record[length:]
        del self._marks[length:]

    def _open_sealed(self) -> list[Any]:
        """All sealed answers are in: remember them in seat order and give what the flows returned."""
        assert self._sealed is not None
        results = self._sealed.results(self.seats)
        if self._snapshots:
            for seat, choice, audience in self._sealed.told():
                self._note(SEALED + seat, choice, audience)
        else:
            for seat, private in self._sealed.flows.items():
                for choice in private.answers:
                    self._log += choice, seat
        self._sealed = None
        self.sequence += 1
        return results
