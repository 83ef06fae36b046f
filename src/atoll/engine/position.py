"""A position: a game at one moment that can be answered, copied, re-dealt, taken back and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, SupportsIndex, cast, overload

from mypy_extensions import mypyc_attr

from . import save as saves
from . import view as views
from .chance import ChanceSource, check_determinization_seed, seeded_source
from .decisions import Choose, Draw, Roll
from .determinization import determinize
from .driver import Driver
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
from .history import History, Mark
from .json_types import JsonObject
from .options import Options
from .position_view import PositionView
from .replay import replay
from .rules import Rules, ScoreLine
from .segment import DETERMINIZED, MAX_SEATS, Segment
from .state import Event, State, clone_function, new_without_init
from .vocabulary import Kind

_NO_ANSWERS: Final[Mapping[int, Sequence[int]]] = {}


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Position:
    """A game at a moment when somebody outside must answer, or at its end.

    It is made by `Game.new`, `atoll.load` or `fork`. It consists of a driver of the rules' coroutine, the history of
    answers, and the views of both.

    A method that changes a position succeeds, or raises and leaves it as it was. The exception is a play-out
    (`snapshots=False`), which can't be used any more if the rules fail.

    Attributes:
        game: The rules.
        options: The options of the game.
        seats: The number of seats.
    """

    __slots__ = ("_broken", "_driver", "_history", "game", "options", "seats")

    def __init__(
        self,
        game: Rules,
        state: State,
        options: Options,
        source: ChanceSource | None,
        *,
        snapshots: bool = True,
    ) -> None:
        """Begin with a table at a checkpoint.

        Args:
            game: The rules.
            state: The table. It isn't copied.
            options: The options of the game.
            source: Where chance outcomes come from, or None if they are entered by hand.
            snapshots: Whether it can be copied, undone and saved; see `Game.new`.
        """
        state.components = game.components
        state.options = options
        game.derive(state)
        history = History(snapshots=snapshots)
        if snapshots:
            history.start_recording()
            state.events = []
        driver = Driver(game, cast(Any, state).seats, source, history, clone_function(type(state)))
        self._assemble(game, options, driver)
        driver.begin(state)

    def _assemble(self, game: Rules, options: Options, driver: Driver) -> None:
        self.game: Rules = game
        self.options: Options = options
        self.seats: int = driver.seats
        self._driver: Driver = driver
        self._history: History = driver.history
        self._broken: bool = False  # a play-out in which the rules have failed

    # -- how it stands -------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The table as it is now."""
        return self._driver.state

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may act now: several in a sealed decision, none when chance is asked or the game is over."""
        return self._driver.to_move

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._driver.over

    @property
    def sequence(self) -> int:
        """The number of decisions and chance events that were answered. A sealed decision counts as one."""
        return self._driver.sequence

    @property
    def chance_count(self) -> int:
        """The number of chance events. The next one uses the source's number of this index."""
        return self._driver.chance_count

    @property
    def checkpoint_sequence(self) -> int:
        """The sequence number at the last checkpoint."""
        return self._history.open.sequence

    @property
    def record(self) -> list[tuple[int, int, int]] | None:
        """All answers since it was made as (who, choice, audience), or None in forks and play-outs."""
        return self._history.record

    @property
    def sealed(self) -> bool:
        """Whether a sealed decision is open."""
        return self._driver.sealed is not None

    @property
    def sealed_ready(self) -> list[bool] | None:
        """In a sealed decision: for each seat whether it isn't asked, or no longer. Else None."""
        return [seat not in self.to_move for seat in range(self.seats)] if self.sealed else None

    @property
    def sealed_answers(self) -> dict[int, list[int]]:
        """The answers to an open sealed decision by seat. They are secret until all are in."""
        return self._driver.sealed_answers()

    @property
    def pending_chance(self) -> Roll | Draw | None:
        """The chance event that waits for an outcome by hand, if there is one."""
        request = self._driver.request
        return request if isinstance(request, Roll | Draw) else None

    @property
    def events(self) -> list[Event]:
        """All events so far, as far as this position was told them. Forks are told none."""
        return list(self.state.events or ())

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        return self._history.take_events(self.state.events)

    def outcomes(self) -> dict[int, int]:
        """Return the possible outcomes of the pending chance event with their weights, ascending.

        Raises:
            ChanceError: If no chance event is pending.
        """
        return self._driver.outcomes()

    def decision(self, seat: int) -> Choose:
        """Return the open decision of a seat. Raises WrongSeat if it isn't asked."""
        return self._driver.decision(seat)

    def legal_choices(self, seat: object) -> list[int]:
        """Return the choices that a seat can make now, ascending; none if it isn't asked.

        Raises:
            WrongSeat: If the seat does not exist.
        """
        driver = self._driver
        request = driver.request
        if type(request) is Choose and request.seat == seat:
            return [*request.choices]
        driver.check_seat(seat)
        return list(driver.decision(seat).choices) if self.sealed and seat in driver.to_move else []

    def answers_since_checkpoint(self, seat: int) -> list[int]:
        """Return the answers of a seat since the last checkpoint, including those taken without asking."""
        return self._history.answers_of(seat) + self.sealed_answers.get(seat, [])

    def text(self, choice: object) -> str:
        """Return the text form of a choice. Raises MalformedChoice."""
        return self.game.notation.text(choice)

    def parse(self, text: str) -> int:
        """Return the choice with this text form. Raises MalformedChoice."""
        return self.game.notation.parse(text)

    def scores(self) -> list[int]:
        """Return one total per seat, as if the game ended now."""
        return self.game.scores(self.state)

    def ranking(self) -> list[int]:
        """Return the place of each seat (1 is best, ties shared), as if the game ended now."""
        return self.game.ranking(self.state)

    def explain(self) -> list[list[ScoreLine]]:
        """Return per seat the lines that make up its score, as if the game ended now."""
        return self.game.explain(self.state)

    def digest(self) -> str:
        """Return a short hash of the table as it is now, secrets included."""
        return saves.digest(self.state)

    # -- views ---------------------------------------------------------------------------------------------------

    @property
    def _views(self) -> PositionView:
        return PositionView(self._driver, self._history, self.options)

    def view(self, seat: int | None) -> JsonObject:
        """Return all that a seat, or a spectator for None, may know, as JSON-able data. Raises WrongSeat."""
        return self._views.view(seat)

    def public_view(self) -> views.PublicView:
        """Return what all see alike of the table as it is now; see `encodable_view`."""
        return self._views.public()

    def json_view(self, seat: int | None, public: views.PublicView) -> JsonObject:
        """Return what `view` does, to be encoded as JSON; see `PositionView.encodable`. Raises WrongSeat."""
        return self._views.json_view(seat, public)

    def view_record(self, viewer: int | None) -> list[list[int | None]]:
        """Return the record [who, choice] of all answers, with None for the choices that the viewer may not know."""
        self._require_snapshots("give a record")
        return self._views.record(viewer)

    # -- applying ------------------------------------------------------------------------------------------------

    @overload
    def apply(self, choice: int, seat: int | None = None) -> None: ...

    @overload
    def apply(self, choice: Sequence[int], seat: int | None = None) -> None: ...

    def apply(self, choice: object, seat: object = None) -> None:
        """Answer what is asked: a seat's choice, or (seat None) a chance outcome entered by hand.

        A list of choices is taken whole or not at all. Raises WrongSeat, IllegalChoice, MalformedChoice, ChanceError,
        GameOver, RulesError; then nothing has changed.
        """
        request = self._driver.request
        if type(choice) is int and type(request) is Choose and request.seat == seat and choice in request.choices:
            mark = self._history.mark()
            try:
                self._driver.answer(choice)
            except Exception as error:
                self._restore_after_error(mark, {}, error)
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
        self._require_snapshots("apply a list of choices")
        trial = self._copy(self._driver.source)
        for number, choice in enumerate(choices, 1):
            try:
                trial.apply(choice, seat)
            except AtollError as error:
                raise type(error)(f"choice {number} of {len(choices)}: {error}") from None
        for choice in choices:
            self.apply(choice, seat)

    def _apply_other(self, choice: Any, seat: Any) -> None:
        """Every case but the plain one: sealed answers, chance by hand, and all that is wrong."""
        self._check_usable()
        if seat is None:
            self._apply_chance(choice)
            return
        driver = self._driver
        if type(seat) is not int or seat not in driver.to_move:
            driver.check_seat(seat)
            if driver.over:
                raise GameOver("the game is over; nobody is asked any more")
            raise WrongSeat(f"seat {seat} isn't asked now; {driver.describe_turn()}")
        if type(choice) is not int or driver.sealed is None or choice not in driver.decision(seat).choices:
            kind = self.game.vocabulary.kind_of(choice)
            raise IllegalChoice(
                f"{self._safe_text(choice, kind)!r} isn't offered to seat {seat} now; {self._describe_choices(seat)}"
            )
        mark = self._history.mark()
        answers = {} if mark is None else driver.sealed.answers()
        try:
            driver.answer_sealed(seat, choice)
        except Exception as error:
            self._restore_after_error(mark, answers, error)

    def _apply_chance(self, choice: Any) -> None:
        driver = self._driver
        if type(driver.request) is not Roll and type(driver.request) is not Draw:
            if driver.over:
                raise GameOver("the game is over; nothing is asked any more")
            raise ChanceError(f"no chance outcome is asked for now; {driver.describe_turn()}")
        kind = self.game.vocabulary.kind_of(choice)
        outcomes = driver.outcomes()
        if choice not in outcomes:
            possible = ", ".join(self.text(each) for each in list(outcomes)[:12])
            more = ", ..." if len(outcomes) > 12 else ""
            raise ChanceError(f"{self._safe_text(choice, kind)!r} can't come up now; possible: {possible}{more}")
        mark = self._history.mark()
        try:
            driver.answer_chance(choice)
        except Exception as error:
            self._restore_after_error(mark, {}, error)

    def _restore_after_error(self, mark: Mark | None, answers: Mapping[int, Sequence[int]], error: Exception) -> None:
        """After an exception inside the rules: rebuild the position as it was, and report.

        Args:
            mark: The moment before, or None in a play-out.
            answers: The answers to a sealed decision that was open, by seat.
            error: The exception.
        """
        if mark is None:
            self._broken = True
        else:
            events = self.state.events
            replay(self._driver, self._history.revert(mark, events), answers, events)
        if isinstance(error, AtollError):
            raise error
        raise RulesError(
            f"the rules of {self.game.id} failed: {type(error).__name__}: {error}; the position is as it was before"
        ) from error

    def _check_usable(self) -> None:
        if self._broken:
            raise RulesError("the rules failed in this play-out; it can't go on")

    def _require_snapshots(self, what: str) -> None:
        self._check_usable()
        if not self._history.snapshots:
            raise ValueError(f"a position made with snapshots=False can't {what}")

    def _safe_text(self, choice: int, kind: Kind) -> str:
        try:
            return self.text(choice)
        except MalformedChoice:
            return f"{kind.name} {choice}"

    def _describe_choices(self, seat: int) -> str:
        options = self.decision(seat).choices
        shown = ", ".join(self.text(choice) for choice in options[:12])
        return f"offered: {shown}" + (f", ... ({len(options)} in all)" if len(options) > 12 else "")

    def hold_sealed(self) -> None:
        """Keep a sealed decision closed from now on, even when all answers are in."""
        self._driver.hold_sealed = True

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.sequence} answers; {self._driver.describe_turn()}>"

    # -- copies --------------------------------------------------------------------------------------------------

    def fork(
        self,
        seed: SupportsIndex | None = None,
        *,
        source: ChanceSource | None = None,
        snapshots: bool = True,
        record: bool = False,
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
            source = seeded_source(seed)
        if self._broken or not self._history.snapshots:
            self._require_snapshots("be forked")
        copy = self._copy(source)
        if not snapshots:
            copy._history.become_rollout()
        elif record:
            copy._history.start_recording()
        return copy

    def sample_determinization(
        self, seat: int, seed: int, source: ChanceSource, deal: Callable[[State], None], *, snapshots: bool
    ) -> Position:
        """Return a guess of a seat: a copy on which all that it can't know is dealt anew.

        Args:
            seat: The seat. It is asked now.
            seed: The seed of the guess; a copy of the guess deals the same with it.
            source: Where the guess has its chance outcomes from.
            deal: Deals the hidden parts of the state.
            snapshots: False makes a play-out; see `Game.new`.
        """
        guess = self._copy(source, seat, deal)
        if snapshots:
            guess._note_determinization(seat, seed)
        else:
            guess._history.become_rollout()
        return guess

    def _copy(
        self, source: ChanceSource | None, seat: int | None = None, deal: Callable[[State], None] | None = None
    ) -> Position:
        """Return a copy with this source, or what `guess` does for a seat with `deal`."""
        original, history = self._driver, self._history
        answers: Mapping[int, Sequence[int]] = _NO_ANSWERS
        if original.sealed is not None:
            answers = original.sealed.answers() if seat is None else original.sealed.answers_of(seat)
        driver = Driver(self.game, self.seats, source, History(trail=history.trail), original.clone)
        driver.hold_sealed = original.hold_sealed
        segment = history.segment
        assert segment is not None
        replay(driver, segment.prefix(len(segment.choices)), answers, None, False, deal)
        copy = new_without_init(Position)
        copy._assemble(self.game, self.options, driver)
        return copy

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self.fork()

    def __copy__(self) -> Position:
        return self.fork()

    def determinize(self, seat: int, seed: SupportsIndex) -> None:
        """Replace all that a seat can't know by a random consistent guess.

        Other seats' sealed answers are forgotten. The seat must be asked now: only then does nothing that was already
        computed depend on what is replaced.

        Args:
            seat: The seat.
            seed: A whole number from 0.

        Raises:
            WrongSeat: If the seat isn't asked now.
            ValueError: If the seed is another one.
        """
        self._require_snapshots("be re-dealt")
        driver = self._driver
        driver.check_seat(seat)
        number = check_determinization_seed(seed)
        if seat not in driver.to_move:
            raise WrongSeat(f"only for a seat that is asked now; {driver.describe_turn()}")
        if driver.sealed is None:
            determinize(self.game, self.state, seat, number)
            self._note_determinization(seat, number)
        else:
            self._note_determinization(seat, number)
            replay(driver, self._history.open, driver.sealed.answers_of(seat), self.state.events)

    def _note_determinization(self, seat: int, number: int) -> None:
        self._history.open.add(DETERMINIZED, number * MAX_SEATS + seat, 0)

    def undo(self, seat: int) -> None:
        """Take a seat's last choice back, also across a checkpoint.

        Args:
            seat: The seat.

        Raises:
            NothingToUndo: If the seat made none, if it reveals something, or if chance, a reveal or another seat's
                choice came after it.
        """
        self._require_snapshots("be undone")
        driver, history = self._driver, self._history
        driver.check_seat(seat)
        answers = driver.sealed_answers()
        if seat in answers:
            del answers[seat][-1]
            replay(driver, history.open, answers, self.state.events)
            return
        if answers:
            raise NothingToUndo(f"seat {seat} can't take its last choice back: another seat has answered after it")
        segment, trail = history.open, history.trail
        dropped = 0
        while not segment.last_asked_length():
            if not trail:
                raise NothingToUndo(f"seat {seat} has made no choice that could be taken back")
            dropped += len(segment.actors)
            segment, trail = trail[-1], trail[:-1]
        length = segment.last_asked_length() - 1
        if segment.actors[length] != seat:
            raise NothingToUndo(
                f"seat {seat} can't take its last choice back: chance, a reveal or another seat's choice came after it"
            )
        earlier = self.fork()
        replay(earlier._driver, segment.prefix(length), {}, None)
        if earlier.decision(seat).reveals:
            raise NothingToUndo(f"seat {seat} can't take its last choice back: it has shown others what was hidden")
        dropped += len(segment.actors) - length
        if history.record is not None:
            # A loaded position has no record of the answers before.
            history.truncate(max(0, len(history.record) - dropped), self.state.events)
        history.trail = trail
        replay(driver, segment.prefix(length), {}, self.state.events)

    # -- saving --------------------------------------------------------------------------------------------------

    def save(self) -> str:
        """The position as JSON text, for `atoll.load`: the state at the last checkpoint and the choices since.

        It holds all secrets. The source of chance isn't part of it.
        """
        return saves.dump(self.save_data())

    def save_data(self) -> JsonObject:
        """What `save` writes, as plain data."""
        self._require_snapshots("be saved")
        segment = self._history.open
        return saves.build_save(self, segment, saves.encode_state(segment.base))

    def json_save(self) -> JsonObject:
        """What `save_data` gives, to be encoded as JSON: its `state` is JSON already, made once for a segment."""
        self._require_snapshots("be saved")
        segment = self._history.open
        return saves.build_save(self, segment, saves.checkpoint_json(segment))

    @staticmethod
    def restore(game: Rules, data: saves.SaveData, *, source: ChanceSource | None = None) -> Position:
        """The position that a checked save describes. Raises RulesError if its choices don't fit the rules."""
        data.state.components = game.components
        data.state.options = data.options
        game.derive(data.state)
        history = History()
        history.start_recording()
        driver = Driver(game, cast(Any, data.state).seats, source, history, clone_function(type(data.state)))
        replay(driver, Segment(data.state, data.sequence, data.chances, data.since, data.who), data.sealed, [], True)
        copy = new_without_init(Position)
        copy._assemble(game, data.options, driver)
        return copy

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (self.game, self.save())


def _unpickle(game: Rules, saved: str) -> Position:
    return Position.restore(game, saves.parse_save(game, saved))
