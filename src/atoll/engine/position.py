"""A running game: the state at the last checkpoint, the choices since, and the coroutine that they drive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast, overload

from mypy_extensions import mypyc_attr

from . import save as saves
from . import view as views
from .chance import ChanceSource, SeededSource
from .decisions import CHANCE, PUBLIC, Ask, Asking, Choose, Draw, Flow, Roll, Sealed
from .errors import (
    AtollError,
    ChanceError,
    GameOver,
    IllegalChoice,
    MalformedChoice,
    NothingToUndo,
    RulesError,
    WrongSeat,
)
from .redeal import redeal as redeal_state
from .stage import Stage
from .state import Event, State, blank
from .vocabulary import Kind

if TYPE_CHECKING:
    from .game import Game, Line

# Who made a choice of the open segment: a seat (0..), chance (-1), or one of these codes.
REDEAL: Final = -2  # the "choice" is seed * SEATS + seat
AUTO: Final = 32  # + seat: a public single option, taken unasked
SEALED: Final = 64  # + seat: part of a sealed decision
SEATS: Final = 32  # more seats than any game has

_ALONE: Final = tuple((seat,) for seat in range(SEATS))


def _without_autos(who: Sequence[int]) -> list[int]:
    return [each for each in who if not AUTO <= each < SEALED]


def _to_the_end(game: Game, state: Any) -> Flow:
    """All segments up to the end of the game, for play-outs: nothing is to be done at the checkpoints between them."""
    while not state.over:
        yield from game.play(state)


class _Private:
    """One seat's flow of a sealed decision: what it asks now, what was answered, what it returned."""

    __slots__ = ("answers", "ask", "audiences", "done", "flow", "result")

    def __init__(self, flow: Asking[Any]) -> None:
        self.flow: Asking[Any] = flow
        self.answers: list[int] = []
        self.audiences: list[int] = []
        self.ask: Choose | None = None
        self.done: bool = False
        self.result: Any = None
        self._step(None)

    def answer(self, choice: int) -> None:
        assert self.ask is not None
        self.answers.append(choice)
        self.audiences.append(self.ask.audience)
        self._step(choice)

    def _step(self, choice: int | None) -> None:
        try:
            ask = next(self.flow) if choice is None else self.flow.send(choice)
        except StopIteration as end:
            self.ask = None
            self.done = True
            self.result = end.value
            return
        if not isinstance(ask, Choose):
            raise RulesError(f"a sealed flow may only choose, not ask for {type(ask).__name__}")
        if not ask.options:
            raise RulesError(f"a sealed decision of seat {ask.seat} ({ask.prompt}) has no options")
        self.ask = ask


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Position:
    """A game at one moment. Made by `Game.new`, `atoll.load` or `fork`.

    to_move: the seats that may act now, several in a sealed decision, none when chance is asked or the game is over.
    sequence: how many decisions and chance events were answered (a sealed decision is one).
    """

    __slots__ = (
        "_ask",
        "_base",
        "_base_chances",
        "_base_sequence",
        "_broken",
        "_chances",
        "_flow",
        "_hold",
        "_marks",
        "_privates",
        "_since",
        "_snapshots",
        "_source",
        "_taken",
        "_trail",
        "_who",
        "game",
        "options",
        "over",
        "record",
        "seats",
        "sequence",
        "state",
        "to_move",
    )

    def __init__(
        self,
        game: Game,
        state: State,
        options: Mapping[str, Any],
        source: ChanceSource | None,
        *,
        snapshots: bool = True,
    ) -> None:
        self.game: Game = game
        self.options: Mapping[str, Any] = options
        state.box = game.box
        state.options = options
        game.derive(state)
        self.seats: int = cast(Any, state).seats
        self._source: ChanceSource | None = source
        self._snapshots: bool = snapshots
        self._broken: bool = False
        self._hold: bool = False
        self.sequence: int = 0
        self._chances: int = 0
        self.record: list[tuple[int, int, int]] | None = [] if snapshots else None
        self._marks: list[int] = []
        self._taken: int = 0
        if snapshots:
            state.told = []
        self._trail: tuple[tuple[State, list[int], list[int], int, int], ...] = ()
        self._since: list[int] = []
        self._who: list[int] = []
        self._base: State | None = None
        self._base_sequence: int = 0
        self._base_chances: int = 0
        self._privates: dict[int, _Private] | None = None
        self._ask: Ask | None = None
        self._flow: Flow | None = None
        self.state: Any = state
        self.to_move: tuple[int, ...] = ()
        self.over: bool = False
        self._run(self._begin_segment())

    # -- driving the coroutine -----------------------------------------------------------------------------------

    def _begin_segment(self) -> Ask | None:
        """A checkpoint: keep the state, start the next segment and give what it asks first; None when over."""
        while True:
            state = self.state
            if self._snapshots:
                if self._base is not None:
                    self._extend_trail()
                self._base = state.clone()
                self._since = []
                self._who = []
                self._base_sequence = self.sequence
                self._base_chances = self._chances
            if state.over:
                self._flow = None
                return None
            flow = self._flow = self.game.play(state) if self._snapshots else _to_the_end(self.game, state)
            try:
                return next(flow)
            except StopIteration:
                continue

    def _extend_trail(self) -> None:
        """Keep the segment just finished, if it ended with a choice of one seat, so that this can be taken back.

        The segments before it stay within reach as long as that seat alone brought the game here.
        """
        assert self._base is not None
        who = self._who
        if not who:
            return
        trail = self._trail
        entry = (self._base, self._since, who, self._base_sequence, self._base_chances)
        chosen = _without_autos(who)
        if not chosen:
            self._trail = (*trail, entry) if trail else ()
            return
        seat = chosen[-1]
        if not 0 <= seat < AUTO:
            self._trail = ()
        elif trail and _without_autos(trail[0][2])[-1] == seat and chosen.count(seat) == len(chosen):
            self._trail = (*trail, entry)
        else:
            self._trail = (entry,)

    def _run(self, ask: Ask | None) -> None:
        """Go on from a pending question until somebody outside must answer, or the game is over."""
        source = self._source
        answer: Any
        while True:
            if type(ask) is Choose:
                options = ask.options
                if len(options) != 1 or not ask.public:
                    if not options:
                        raise RulesError(f"the decision {ask.prompt!r} of seat {ask.seat} has no options")
                    self._ask = ask
                    self.to_move = _ALONE[ask.seat]
                    return
                answer = options[0]
                if self._snapshots:
                    self._note(AUTO + ask.seat, answer, PUBLIC)
                self.sequence += 1
            elif type(ask) is Roll or type(ask) is Draw:
                if source is None:
                    self._ask = ask
                    self.to_move = ()
                    return
                if type(ask) is Draw:
                    pool = ask.pool
                    if not pool:
                        raise RulesError(f"a draw of {ask.kind.name!r} from an empty pool")
                    answer = pool[source.pick(self._chances, len(pool))]
                else:
                    answer = source.pick(self._chances, ask.kind.size)
                self._chances += 1
                if self._snapshots:
                    self._note(CHANCE, ask.kind.first + answer, ask.audience)
                self.sequence += 1
            elif type(ask) is Sealed:
                self._ask = ask
                self._privates = {seat: _Private(ask.flow(seat)) for seat in ask.seats}
                self._find_sealed_movers()
                if self.to_move:
                    return
                answer = self._open_sealed()
            elif ask is None and self._flow is None:
                self._ask = None
                self.to_move = ()
                self.over = True
                return
            else:
                raise RulesError(f"the rules asked for {ask!r}; allowed: Choose, Sealed, Roll, Draw")
            assert self._flow is not None
            try:
                ask = self._flow.send(answer)
            except StopIteration:
                ask = self._begin_segment()

    def _note(self, who: int, choice: int, audience: int) -> None:
        if not self._snapshots:
            return
        self._since.append(choice)
        self._who.append(who)
        if self.record is not None:
            self.record.append((who if who < AUTO else who % SEATS, choice, audience))
            self._marks.append(len(self.state.told or ()))

    def _find_sealed_movers(self) -> None:
        assert self._privates is not None
        self.to_move = tuple(seat for seat, private in sorted(self._privates.items()) if not private.done)

    def _open_sealed(self) -> list[Any]:
        """All sealed answers are in: record them in seat order and give what the flows returned."""
        privates = self._privates
        assert privates is not None
        results: list[Any] = [None] * self.seats
        for seat in sorted(privates):
            private = privates[seat]
            results[seat] = private.result
            for choice, audience in zip(private.answers, private.audiences, strict=True):
                self._note(SEALED + seat, choice, audience)
        self._privates = None
        self.sequence += 1
        return results

    # -- applying ------------------------------------------------------------------------------------------------

    @overload
    def apply(self, choice: int, seat: int | None = None) -> None: ...

    @overload
    def apply(self, choice: Sequence[int], seat: int | None = None) -> None: ...

    def apply(self, choice: Any, seat: Any = None) -> None:
        """Answer what is asked: a seat's choice, or (seat None) a chance outcome entered by hand.

        A list of choices is taken whole or not at all. Raises WrongSeat, IllegalChoice, MalformedChoice, ChanceError,
        GameOver, RulesError; then nothing has changed.
        """
        ask = self._ask
        if type(choice) is int and type(ask) is Choose and ask.seat == seat and choice in ask.options:
            before: tuple[Any, ...] = ()
            if self._snapshots:
                before = self._remember()
                self._note(ask.seat, choice, ask.audience)
            self.sequence += 1
            assert self._flow is not None
            try:
                try:
                    following: Ask | None = self._flow.send(choice)
                except StopIteration:
                    following = self._begin_segment()
                # A public choice among one only is none; `_run` takes it.
                if type(following) is Choose and len(following.options) > following.public:
                    self._ask = following
                    self.to_move = _ALONE[following.seat]
                else:
                    self._run(following)
            except Exception as error:
                self._recover(before, error)
            return
        if isinstance(choice, Sequence) and not isinstance(choice, str | bytes):
            self._apply_list(list(choice), seat)
        else:
            self._apply_other(choice, seat)

    def _apply_list(self, choices: list[int], seat: Any) -> None:
        if not choices:
            raise MalformedChoice("an empty list of choices answers nothing")
        if len(choices) == 1:
            self.apply(choices[0], seat)
            return
        self._need_snapshots("apply a list of choices")
        trial = self._twin(self._source)
        for number, choice in enumerate(choices, 1):
            try:
                trial.apply(choice, seat)
            except AtollError as error:
                raise type(error)(f"choice {number} of {len(choices)}: {error}") from None
        for choice in choices:
            self.apply(choice, seat)

    def _apply_other(self, choice: Any, seat: Any) -> None:
        """Every case but the plain one: sealed answers, chance by hand, and all that is wrong."""
        self._check_whole()
        if seat is None:
            self._apply_chance(choice)
            return
        self._check_seat(seat)
        if self.over:
            raise GameOver("the game is over; nobody is asked any more")
        if seat not in self.to_move:
            raise WrongSeat(f"seat {seat} isn't asked now; {self._whose_move()}")
        kind = self.game.vocabulary.kind_of(choice)
        if choice not in self.decision(seat).options:
            raise IllegalChoice(
                f"{self._safe_text(choice, kind)!r} isn't offered to seat {seat} now; {self._offer(seat)}"
            )
        assert self._privates is not None
        private = self._privates[seat]
        before = self._remember()
        try:
            private.answer(choice)
            self._find_sealed_movers()
            if not self.to_move and not self._hold:
                answer = self._open_sealed()
                assert self._flow is not None
                try:
                    ask: Ask | None = self._flow.send(answer)
                except StopIteration:
                    ask = self._begin_segment()
                self._run(ask)
        except Exception as error:
            self._recover(before, error)

    def _apply_chance(self, choice: Any) -> None:
        ask = self._ask
        if type(ask) is not Roll and type(ask) is not Draw:
            if self.over:
                raise GameOver("the game is over; nothing is asked any more")
            raise ChanceError(f"no chance outcome is asked for now; {self._whose_move()}")
        kind = self.game.vocabulary.kind_of(choice)
        outcomes = self.outcomes()
        if choice not in outcomes:
            possible = ", ".join(self.text(each) for each in list(outcomes)[:12])
            more = ", ..." if len(outcomes) > 12 else ""
            raise ChanceError(f"{self._safe_text(choice, kind)!r} can't come up now; possible: {possible}{more}")
        before = self._remember()
        self._chances += 1
        self._note(CHANCE, choice, ask.audience)
        self.sequence += 1
        assert self._flow is not None
        try:
            try:
                following: Ask | None = self._flow.send(choice - kind.first)
            except StopIteration:
                following = self._begin_segment()
            self._run(following)
        except Exception as error:
            self._recover(before, error)

    def _remember(self) -> tuple[Any, ...]:
        told = self.state.told
        return (
            self._base,
            self._since,
            len(self._since),
            self._who,
            self._base_sequence,
            self._base_chances,
            self._trail,
            0 if self.record is None else len(self.record),
            0 if told is None else len(told),
            self._privates and {seat: list(private.answers) for seat, private in self._privates.items()},
        )

    def _recover(self, before: tuple[Any, ...], error: Exception) -> None:
        """After an exception inside the rules: throw the live copy away, build it again as it was, and report."""
        if not self._snapshots:
            self._broken = True
        else:
            told = self.state.told
            base, since, length, who, sequence, chances, trail, records, events, answers = before
            self._trail = trail
            if told is not None:
                del told[events:]
            if self.record is not None:
                del self.record[records:]
                del self._marks[records:]
            # The failed choice may be the last thing noted; a sealed one isn't noted before all are in.
            self._rebuild(base, since[:length], who[:length], sequence, chances, answers or {}, told)
        if isinstance(error, AtollError):
            raise error
        raise RulesError(
            f"the rules of {self.game.id} failed: {type(error).__name__}: {error}; the position is as it was before"
        ) from error

    def _rebuild(
        self,
        base: State,
        since: list[int],
        who: list[int],
        base_sequence: int,
        base_chances: int,
        answers: Mapping[int, Sequence[int]],
        told: list[Event] | None,
        *,
        checked: bool = False,
    ) -> None:
        """Set this position to a checkpoint, the choices since, and the sealed answers still open."""
        self._base = base
        self._base_sequence = base_sequence
        self._base_chances = base_chances
        self._since = since
        self._who = who
        self._privates = None
        self._broken = False
        self.over = False
        state: Any = base.clone()
        self.state = state
        self.sequence = base_sequence
        self._chances = base_chances
        if state.over:
            self._flow = None
            ask: Ask | None = None
        else:
            self._flow = self.game.play(state)
            try:
                first = next(self._flow)
            except StopIteration:
                raise RulesError("the segment ends before it asks anything") from None
            ask = self._replay(first, checked)
        state.told = told
        if ask is not None and type(ask) is Sealed:
            self._ask = ask
            self._privates = {seat: _Private(ask.flow(seat)) for seat in ask.seats}
            for seat, given in answers.items():
                for choice in given:
                    private = self._privates[seat]
                    if checked and (private.ask is None or choice not in private.ask.options):
                        raise RulesError(f"the sealed choice {choice} of seat {seat} doesn't fit the rules")
                    private.answer(choice)
            self._find_sealed_movers()
            if self.to_move or self._hold:
                return
        elif checked and answers:
            raise RulesError("it holds sealed choices, but nothing is sealed")
        self._run(ask)

    def _replay(self, ask: Ask, checked: bool) -> Ask:
        """Feed the choices since the checkpoint to the fresh coroutine; gives what it asks after them."""
        flow = self._flow
        assert flow is not None
        since = self._since
        who = self._who
        index = 0
        answer: Any
        while index < len(since):
            choice = since[index]
            code = who[index]
            if code == REDEAL:
                redeal_state(self.game, self.state, choice % SEATS, choice // SEATS)
                index += 1
                continue
            if checked:
                self._check_fit(ask, choice, code)
            if type(ask) is Choose:
                answer = choice
                index += 1
            elif type(ask) is Sealed:
                results: list[Any] = [None] * self.seats
                for seat in sorted(ask.seats):
                    private = _Private(ask.flow(seat))
                    while not private.done:
                        if checked:
                            assert private.ask is not None
                            fits = index < len(since) and since[index] in private.ask.options
                            if not fits or who[index] != SEALED + seat:
                                raise RulesError(f"the sealed choices of seat {seat} don't fit the rules")
                        private.answer(since[index])
                        index += 1
                    results[seat] = private.result
                answer = results
            else:
                assert type(ask) is Roll or type(ask) is Draw
                answer = choice - ask.kind.first
                self._chances += 1
                index += 1
            self.sequence += 1
            try:
                ask = flow.send(answer)
            except StopIteration:
                raise RulesError("the segment ends before the choices recorded in it do") from None
        return ask

    def _check_fit(self, ask: Ask, choice: int, code: int) -> None:
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
            raise RulesError(
                f"the recorded choice {choice} doesn't fit what the rules ask there ({type(ask).__name__})"
            )

    # -- reading -------------------------------------------------------------------------------------------------

    @property
    def sealed(self) -> bool:
        """Whether a sealed decision is open."""
        return self._privates is not None

    @property
    def ready(self) -> list[bool] | None:
        """In a sealed decision: which seats have answered (or aren't asked); else None."""
        if self._privates is None:
            return None
        return [seat not in self.to_move for seat in range(self.seats)]

    @property
    def sealed_answers(self) -> dict[int, list[int]]:
        """The answers to an open sealed decision that are in, per seat; secret until all are."""
        if self._privates is None:
            return {}
        return {seat: list(private.answers) for seat, private in self._privates.items() if private.answers}

    @property
    def chance(self) -> Roll | Draw | None:
        """The chance event that waits for an outcome by hand, if any."""
        ask = self._ask
        return ask if isinstance(ask, Roll | Draw) else None

    @property
    def chances(self) -> int:
        """How many chance events have happened; the next one uses the source's number of this index."""
        return self._chances

    def outcomes(self) -> dict[int, int]:
        """The possible outcomes of the pending chance event with their weights, ascending. Raises ChanceError."""
        ask = self._ask
        if type(ask) is Roll:
            return dict.fromkeys(range(ask.kind.first, ask.kind.end), 1)
        if type(ask) is Draw:
            weights: dict[int, int] = {}
            for index in sorted(ask.pool):
                choice = ask.kind.first + index
                weights[choice] = weights.get(choice, 0) + 1
            return weights
        raise ChanceError(f"no chance outcome is asked for now; {self._whose_move()}")

    def decision(self, seat: int) -> Choose:
        """What a seat is asked now. Raises WrongSeat if it isn't."""
        ask = self._ask
        if type(ask) is Choose and ask.seat == seat:
            return ask
        self._check_seat(seat)
        if self._privates is not None and seat in self._privates:
            private = self._privates[seat].ask
            if private is not None:
                return private
        raise WrongSeat(f"seat {seat} isn't asked now; {self._whose_move()}")

    def legal(self, seat: int) -> list[int]:
        """The choices that a seat can make now, ascending; [] if it isn't asked. Raises WrongSeat for no such seat."""
        ask = self._ask
        if type(ask) is Choose and ask.seat == seat:
            return list(ask.options)
        self._check_seat(seat)
        if seat not in self.to_move:
            return []
        return list(self.decision(seat).options)

    def text(self, choice: Any) -> str:
        """The text form of a choice. Raises MalformedChoice."""
        return self.game.notation.text(choice)

    def parse(self, text: str) -> int:
        """The choice with this text form. Raises MalformedChoice."""
        return self.game.notation.parse(text)

    def view(self, seat: int | None) -> dict[str, Any]:
        """All that a seat, or with None a spectator, may know, as JSON-able data. Raises WrongSeat."""
        if seat is not None:
            self._check_seat(seat)
        return views.view(self, seat)

    def scores(self) -> list[int]:
        """One total per seat, as if the game ended now."""
        return self.game.scores(self.state)

    def ranking(self) -> list[int]:
        """The place of each seat (1 is best, ties shared), as if the game ended now."""
        return self.game.ranking(self.state)

    def explain(self) -> list[list[Line]]:
        """Per seat, line by line, what makes up its score, as if the game ended now."""
        return self.game.explain(self.state)

    @property
    def events(self) -> list[Event]:
        """All events so far, as far as this position was told them (forks aren't)."""
        return list(self.state.told or ())

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        told = self.state.told or []
        fresh = told[self._taken :]
        self._taken = len(told)
        return fresh

    def view_record(self, viewer: int | None) -> list[list[int | None]]:
        """The record [who, choice] of all answers, with None for the choices that the viewer may not know."""
        self._need_snapshots("give a record")
        return views.view_record(self.record or [], viewer)

    # -- copies --------------------------------------------------------------------------------------------------

    def fork(self, seed: int | None = None, *, source: ChanceSource | None = None, snapshots: bool = True) -> Position:
        """An independent copy of this moment; its chance is entered by hand unless a seed or source is given.

        A fork never has its original's source of chance, so that nobody can look into the real future. It isn't told
        events and keeps no record. snapshots=False: for play-outs, see `Game.new`.
        """
        if seed is not None:
            source = SeededSource(seed)
        self._need_snapshots("be forked")
        copy = self._twin(source)
        copy._snapshots = snapshots
        return copy

    def _twin(self, source: ChanceSource | None) -> Position:
        assert self._base is not None
        copy = blank(Position)
        copy.game = self.game
        copy.options = self.options
        copy.seats = self.seats
        copy._source = source
        copy._snapshots = True
        copy.record = None
        copy._hold = self._hold
        copy._marks = []
        copy._taken = 0
        copy._trail = self._trail
        copy._ask = None
        copy._flow = None
        copy.to_move = ()
        privates = self._privates
        answers = {} if privates is None else {seat: private.answers for seat, private in privates.items()}
        copy._rebuild(self._base, self._since[:], self._who[:], self._base_sequence, self._base_chances, answers, None)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.fork()

    def __copy__(self) -> Position:
        return self.fork()

    def redeal(self, seat: int, seed: Any) -> None:
        """Replace all that a seat can't know by a random consistent guess; other seats' sealed answers are forgotten.

        The seat must be asked now: only then does nothing that was already computed depend on what is replaced.
        Raises WrongSeat.
        """
        self._need_snapshots("be re-dealt")
        self._check_seat(seat)
        if type(seed) is not int or seed < 0:
            raise ValueError(f"seed {seed!r}: a whole number from 0 is needed")
        if seat not in self.to_move:
            raise WrongSeat(f"only for a seat that is asked now; {self._whose_move()}")
        if self._privates is not None:
            answers = {seat: self._privates[seat].answers}
            self._since.append(seed * SEATS + seat)
            self._who.append(REDEAL)
            assert self._base is not None
            self._rebuild(
                self._base, self._since, self._who, self._base_sequence, self._base_chances, answers, self.state.told
            )
            return
        redeal_state(self.game, self.state, seat, seed)
        self._since.append(seed * SEATS + seat)
        self._who.append(REDEAL)

    def undo(self, seat: int) -> None:
        """Take a seat's last choice back, also across a checkpoint.

        Raises NothingToUndo if the seat made none, or if chance, a reveal or another seat's choice came after it.
        """
        self._need_snapshots("be undone")
        self._check_seat(seat)
        if self._privates is not None and seat in self._privates and self._privates[seat].answers:
            answers = {each: list(private.answers) for each, private in self._privates.items()}
            del answers[seat][-1]
            assert self._base is not None
            self._rebuild(
                self._base, self._since, self._who, self._base_sequence, self._base_chances, answers, self.state.told
            )
            return
        if self.sealed_answers:
            raise NothingToUndo(f"seat {seat} can't take its last choice back: another seat has answered after it")
        base, since, who = self._base, self._since, self._who
        sequence, chances, trail = self._base_sequence, self._base_chances, self._trail
        assert base is not None
        dropped = 0
        while True:
            end = len(who)
            while end and AUTO <= who[end - 1] < SEALED:
                end -= 1
            if end:
                break
            if not trail:
                raise NothingToUndo(f"seat {seat} has made no choice that could be taken back")
            dropped += len(who)
            base, since, who, sequence, chances = trail[-1]
            trail = trail[:-1]
        if who[end - 1] != seat:
            raise NothingToUndo(
                f"seat {seat} can't take its last choice back: chance, a reveal or another seat's choice came after it"
            )
        dropped += len(who) - end + 1
        told = self.state.told
        if self.record is not None:
            kept = max(0, len(self.record) - dropped)  # a loaded position has no record of what came before
            if told is not None and self._marks:
                del told[self._marks[kept] :]
                self._taken = min(self._taken, len(told))
            del self.record[kept:]
            del self._marks[kept:]
        self._trail = trail
        self._rebuild(base, since[: end - 1], who[: end - 1], sequence, chances, {}, told)

    def stage(self, seat: int, choices: Sequence[int] = ()) -> Stage:
        """The seat's open turn: choices that only it sees until they are applied. See Stage."""
        return Stage(self, seat, choices)

    # -- saving --------------------------------------------------------------------------------------------------

    def save(self) -> str:
        """The position as JSON text, for `atoll.load`: the state at the last checkpoint and the choices since.

        It holds all secrets. The source of chance isn't part of it.
        """
        return saves.dump(self.save_data())

    def save_data(self) -> dict[str, Any]:
        """What `save` writes, as plain data."""
        self._need_snapshots("be saved")
        assert self._base is not None
        privates = self._privates or {}
        return {
            "format": saves.FORMAT,
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "box": self.game.box_hash,
            "seats": self.seats,
            "options": dict(self.options),
            "sequence": self._base_sequence,
            "chances": self._base_chances,
            "state": saves.encode_state(self._base),
            "since": [[code, choice] for code, choice in zip(self._who, self._since, strict=True)],
            "sealed": {str(seat): list(each.answers) for seat, each in privates.items() if each.answers},
        }

    @property
    def checkpoint_sequence(self) -> int:
        """The sequence number at the last checkpoint."""
        return self._base_sequence

    def digest(self) -> str:
        """A short hash of the table as it is now, secrets included."""
        return saves.digest(self.state)

    @staticmethod
    def restore(game: Game, data: saves.SaveData, *, source: ChanceSource | None = None) -> Position:
        """The position that a checked save describes. Raises RulesError if its choices don't fit the rules."""
        copy = blank(Position)
        copy.game = game
        copy.options = data.options
        copy.seats = data.state.seats
        copy._source = source
        copy._snapshots = True
        copy.record = []
        copy._hold = False
        copy._marks = []
        copy._taken = 0
        copy._trail = ()
        copy._ask = None
        copy._flow = None
        copy.to_move = ()
        data.state.box = game.box
        data.state.options = data.options
        game.derive(data.state)
        copy._rebuild(data.state, data.since, data.who, data.sequence, data.chances, data.sealed, [], checked=True)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, self.save())

    # -- messages ------------------------------------------------------------------------------------------------

    def _check_seat(self, seat: Any) -> None:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise WrongSeat(f"there is no seat {seat!r}; allowed: 0 to {self.seats - 1}")

    def _check_whole(self) -> None:
        if self._broken:
            raise RulesError("the rules failed in this play-out; it can't go on")

    def _need_snapshots(self, what: str) -> None:
        self._check_whole()
        if not self._snapshots:
            raise ValueError(f"a position made with snapshots=False can't {what}")

    def _whose_move(self) -> str:
        if self.over:
            return "the game is over"
        if not self.to_move:
            return "a chance outcome is awaited"
        return "to move: " + ", ".join(f"seat {seat}" for seat in self.to_move)

    def _safe_text(self, choice: int, kind: Kind) -> str:
        try:
            return self.text(choice)
        except MalformedChoice:
            return f"{kind.name} {choice}"

    def _offer(self, seat: int) -> str:
        options = self.decision(seat).options
        shown = ", ".join(self.text(choice) for choice in options[:12])
        return f"offered: {shown}" + (f", ... ({len(options)} in all)" if len(options) > 12 else "")

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.sequence} answers; {self._whose_move()}>"


def _unpickle(game: Game, saved: str) -> Position:
    return game.load(saved)
