"""A position: a game at one moment that can be answered, copied, re-dealt, taken back and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast, overload

from mypy_extensions import mypyc_attr

from . import save as saves
from .chance import ChanceSource, seed_of_guess, seeded
from .decisions import CHANCE, Ask, Choose, Draw, Roll
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
from .moment import Moment
from .redeal import redeal
from .rules import Rules
from .run import ALONE
from .segment import REDEAL, SEATS, Segment, Trail
from .state import State, blank, cloning

_Before: TypeAlias = tuple[Segment, int, Trail, int]
"""Where a position stood before an answer: in which segment, how long that and the trail and the record were."""

_NO_ANSWERS: Final[Mapping[int, Sequence[int]]] = {}


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Position(Moment):
    """A game at one moment. Made by `Game.new`, `atoll.load` or `fork`. See Run for its attributes."""

    __slots__ = ()

    def __init__(
        self,
        game: Rules,
        state: State,
        options: Mapping[str, Any],
        source: ChanceSource | None,
        *,
        snapshots: bool = True,
    ) -> None:
        """Begin with a table at a checkpoint, which isn't copied."""
        self._lay_out(game, options, cast(Any, state).seats, source, cloning(type(state)))
        state.box = game.box
        state.options = options
        game.derive(state)
        if snapshots:
            self._keep_record()
            state.told = []
        else:
            self._keep_no_snapshots([])
        self._stand_at(state, None, 0, 0)
        self._go_on(self._begin_segment())

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
            before = None
            if self._snapshots:
                before = self._remember()
                self._note(ask.seat, choice, ask.audience_of(choice))
            else:
                log = self._log
                log.append(choice)
                log.append(seat)
            self.sequence += 1
            flow = self._flow
            assert flow is not None
            try:
                try:
                    following: Ask | None = flow.send(choice)
                except StopIteration:
                    following = self._begin_segment()
                # A choice of several; of what is left `_go_on` takes a public one by itself.
                if type(following) is Choose and len(following.options) > 1:
                    self._ask = following
                    self.to_move = ALONE[following.seat]
                else:
                    self._go_on(following)
            except Exception as error:
                self._recover(before, {}, error)
            return
        if type(choice) is not int and isinstance(choice, Sequence) and not isinstance(choice, str | bytes):
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
        if type(seat) is not int or seat not in self.to_move:
            self._check_seat(seat)
            if self.over:
                raise GameOver("the game is over; nobody is asked any more")
            raise WrongSeat(f"seat {seat} isn't asked now; {self._whose_move()}")
        sealed = self._sealed
        private = None if sealed is None else sealed.asked(seat)
        if type(choice) is not int or private is None or choice not in private.options:
            kind = self.game.vocabulary.kind_of(choice)
            raise IllegalChoice(
                f"{self._safe_text(choice, kind)!r} isn't offered to seat {seat} now; {self._offer(seat)}"
            )
        assert sealed is not None
        before = self._remember() if self._snapshots else None
        answers = {} if before is None else sealed.answers()
        try:
            if not sealed.answer(seat, choice):
                at = self.to_move.index(seat)
                self.to_move = self.to_move[:at] + self.to_move[at + 1 :]
            if not self.to_move and not self._hold:
                self._go_on(self._answer(self._open_sealed()))
        except Exception as error:
            self._recover(before, answers, error)

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
        try:
            self._go_on(self._answer(choice - kind.first))
        except Exception as error:
            self._recover(before, {}, error)

    def _remember(self) -> _Before | None:
        segment = self._segment
        if segment is None or not self._snapshots:
            return None
        record = self.record
        return segment, len(segment.choices), self._trail, 0 if record is None else len(record)

    def _recover(self, before: _Before | None, answers: Mapping[int, Sequence[int]], error: Exception) -> None:
        """After an exception inside the rules: throw the live copy away, build it again as it was, and report.

        answers: to a sealed decision that was open.
        """
        if before is None:
            self._broken = True
        else:
            segment, length, self._trail, records = before
            self._cut_record(records)
            # The failed choice may be the last thing noted; a sealed one isn't noted before all are in.
            self._rebuild(segment.first(length), answers, self.state.told)
        if isinstance(error, AtollError):
            raise error
        raise RulesError(
            f"the rules of {self.game.id} failed: {type(error).__name__}: {error}; the position is as it was before"
        ) from error

    # -- copies --------------------------------------------------------------------------------------------------

    def fork(
        self, seed: Any = None, *, source: ChanceSource | None = None, snapshots: bool = True, record: bool = False
    ) -> Position:
        """Return an independent copy of this moment.

        A fork never has its original's source of chance, so that nobody can look into the real future. It gets no
        events.

        Args:
            seed: A whole number that makes its chance. Without seed and source, chance is entered by hand.
            source: A source of chance.
            snapshots: False makes a play-out; see `Game.new`.
            record: The fork records its answers from here on.

        Raises:
            ValueError: The seed isn't a whole number.
        """
        if seed is not None:
            source = seeded(seed)
        if self._broken or not self._snapshots:
            self._need_snapshots("be forked")
        copy = self._twin(source)
        if not snapshots:
            copy._become_playout()
        elif record:
            copy._keep_record()
        return copy

    def _twin(
        self, source: ChanceSource | None, seat: int | None = None, deal: Callable[[Any], None] | None = None
    ) -> Position:
        """A copy with this source; or a guess of a seat, on which all that it can't know is dealt anew by `deal`."""
        own = self._segment
        assert own is not None
        copy = blank(Position)
        copy._lay_out(self.game, self.options, self.seats, source, self._clone)
        copy._hold = self._hold
        copy._trail = self._trail
        answers: Mapping[int, Sequence[int]] = _NO_ANSWERS
        if self._sealed is not None:
            answers = self._sealed.answers() if seat is None else self._sealed.answers_of(seat)
        segment = Segment(own.base, own.sequence, own.chances, own.choices.copy(), own.who.copy())
        copy._rebuild(segment, answers, None, False, deal)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self.fork()

    def __copy__(self) -> Position:
        return self.fork()

    def redeal(self, seat: int, seed: Any) -> None:
        """Replace all that a seat can't know by a random consistent guess; other seats' sealed answers are forgotten.

        The seat must be asked now: only then does nothing that was already computed depend on what is replaced.
        seed: a whole number from 0. Raises WrongSeat, ValueError for another seed.
        """
        self._need_snapshots("be re-dealt")
        self._check_seat(seat)
        number = seed_of_guess(seed)
        if seat not in self.to_move:
            raise WrongSeat(f"only for a seat that is asked now; {self._whose_move()}")
        segment = self._open
        if self._sealed is None:
            redeal(self.game, self.state, seat, number)
            segment.add(REDEAL, number * SEATS + seat, 0)
        else:
            segment.add(REDEAL, number * SEATS + seat, 0)
            self._rebuild(segment, self._sealed.answers_of(seat), self.state.told)

    def undo(self, seat: int) -> None:
        """Take a seat's last choice back, also across a checkpoint.

        Raises NothingToUndo if the seat made none, if it reveals something, or if chance, a reveal or another seat's
        choice came after it.
        """
        self._need_snapshots("be undone")
        self._check_seat(seat)
        answers = self.sealed_answers
        if seat in answers:
            del answers[seat][-1]
            self._rebuild(self._open, answers, self.state.told)
            return
        if answers:
            raise NothingToUndo(f"seat {seat} can't take its last choice back: another seat has answered after it")
        segment, trail = self._open, self._trail
        dropped = 0
        while not segment.length_asked():
            if not trail:
                raise NothingToUndo(f"seat {seat} has made no choice that could be taken back")
            dropped += len(segment.who)
            segment, trail = trail[-1], trail[:-1]
        length = segment.length_asked() - 1
        if segment.who[length] != seat:
            raise NothingToUndo(
                f"seat {seat} can't take its last choice back: chance, a reveal or another seat's choice came after it"
            )
        earlier = self.fork()
        earlier._rebuild(segment.first(length), {}, None)
        if earlier.decision(seat).reveals:
            raise NothingToUndo(f"seat {seat} can't take its last choice back: it has shown others what was hidden")
        dropped += len(segment.who) - length
        if self.record is not None:
            self._cut_record(max(0, len(self.record) - dropped))  # a loaded position lacks what came before
        self._trail = trail
        self._rebuild(segment.first(length), {}, self.state.told)

    # -- saving --------------------------------------------------------------------------------------------------

    def save(self) -> str:
        """The position as JSON text, for `atoll.load`: the state at the last checkpoint and the choices since.

        It holds all secrets. The source of chance isn't part of it.
        """
        return saves.dump(self.save_data())

    def save_data(self) -> dict[str, Any]:
        """What `save` writes, as plain data."""
        self._need_snapshots("be saved")
        segment = self._open
        return saves.top_level(self, segment, saves.encode_state(segment.base))

    def encodable_save(self) -> dict[str, Any]:
        """What `save_data` gives, to be encoded as JSON: its `state` is JSON already, made once for a segment."""
        self._need_snapshots("be saved")
        segment = self._open
        return saves.top_level(self, segment, saves.base_as_json(segment))

    @staticmethod
    def restore(game: Rules, data: saves.SaveData, *, source: ChanceSource | None = None) -> Position:
        """The position that a checked save describes. Raises RulesError if its choices don't fit the rules."""
        copy = blank(Position)
        copy._lay_out(game, data.options, data.state.seats, source, cloning(type(data.state)))
        copy._keep_record()
        data.state.box = game.box
        data.state.options = data.options
        game.derive(data.state)
        segment = Segment(data.state, data.sequence, data.chances, data.since, data.who)
        copy._rebuild(segment, data.sealed, [], checked=True)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.game, self.save())


def _unpickle(game: Rules, saved: str) -> Position:
    return Position.restore(game, saves.check(game, saved))
