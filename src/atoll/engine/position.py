"""Positions: running games that can be answered, copied, determinized, undone and saved.

Running the coroutine of the rules is in `driver.py`, restoring it from a checkpoint in `replay.py`,
and views are in `position_view.py`.
"""

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
    """A running game: its state, the answers since the last checkpoint, and the next request.

    Positions are created by `Game.new`, `atoll.load` and `fork`.

    A method that changes a position either succeeds, or raises and leaves it unchanged. The
    exception is a rollout (`snapshots=False`): it becomes unusable if the rules fail.

    Args:
        game: The rules.
        state: A state at a checkpoint. It isn't copied.
        options: Resolved options of the game.
        source: Source of chance outcomes; None if they are entered by hand.
        snapshots: False for rollouts; see `Game.new`.

    Attributes:
        game: The rules.
        options: Resolved options of the game.
        seats: Number of seats.

    Example:
        >>> position = atoll.games["atacama"].new(seats=2, seed=7)
        >>> seat = position.to_move[0]
        >>> position.apply(position.legal_choices(seat)[0], seat)
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
        self._broken: bool = False  # a rollout in which the rules have failed

    # -- current moment ---------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The current state, with all hidden information. Don't change it."""
        return self._driver.state

    @property
    def to_move(self) -> tuple[int, ...]:
        """Seats that may act: several in a sealed decision, none at a chance event or the end."""
        return self._driver.to_move

    @property
    def over(self) -> bool:
        """True when the game has ended."""
        return self._driver.over

    @property
    def sequence(self) -> int:
        """Number of decisions and chance events answered so far. A sealed decision counts once."""
        return self._driver.sequence

    @property
    def chance_count(self) -> int:
        """Number of chance events so far; the index of the next one."""
        return self._driver.chance_count

    @property
    def checkpoint_sequence(self) -> int:
        """Value of `sequence` at the last checkpoint."""
        return self._history.open.sequence

    @property
    def record(self) -> list[tuple[int, int, int]] | None:
        """All answers so far as (actor, choice, audience); None in forks and rollouts.

        The actor is a seat or `CHANCE`. A loaded position has only the answers since it was loaded.
        """
        return self._history.record

    @property
    def sealed(self) -> bool:
        """True while a sealed decision is open."""
        return self._driver.sealed is not None

    @property
    def sealed_ready(self) -> list[bool] | None:
        """Per seat whether it isn't asked in the open sealed decision; None if none is open."""
        return [seat not in self.to_move for seat in range(self.seats)] if self.sealed else None

    @property
    def sealed_answers(self) -> dict[int, list[int]]:
        """Answers to the open sealed decision by seat. They are secret until all are in."""
        return self._driver.sealed_answers()

    @property
    def pending_chance(self) -> Roll | Draw | None:
        """The chance event whose outcome must be entered by hand; None if there is none."""
        request = self._driver.request
        return request if isinstance(request, Roll | Draw) else None

    @property
    def events(self) -> list[Event]:
        """All events of the game since the position was created or loaded. Forks have none."""
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
        """Return the open decision of a seat.

        Args:
            seat: The seat.

        Raises:
            WrongSeat: If the seat doesn't exist or isn't asked.
        """
        return self._driver.decision(seat)

    def legal_choices(self, seat: object) -> list[int]:
        """Return the legal choices of a seat, ascending; an empty list if it isn't asked.

        Args:
            seat: The seat.

        Raises:
            WrongSeat: If the seat doesn't exist.
        """
        driver = self._driver
        request = driver.request
        if type(request) is Choose and request.seat == seat:
            return [*request.choices]
        driver.check_seat(seat)
        return list(driver.decision(seat).choices) if self.sealed and seat in driver.to_move else []

    def answers_since_checkpoint(self, seat: int) -> list[int]:
        """Return the answers of a seat since the last checkpoint, including automatic ones."""
        return self._history.answers_of(seat) + self.sealed_answers.get(seat, [])

    def text(self, choice: object) -> str:
        """Return the text form of a choice, such as `place r1c1 base`.

        Args:
            choice: The choice.

        Raises:
            MalformedChoice: If it isn't a choice of the game.
        """
        return self.game.notation.text(choice)

    def parse(self, text: str) -> int:
        """Return the choice with this text form.

        Args:
            text: Text form of the choice.

        Raises:
            MalformedChoice: If the text isn't a choice of the game.
        """
        return self.game.notation.parse(text)

    def scores(self) -> list[int]:
        """Return the total of each seat, as if the game ended now."""
        return self.game.scores(self.state)

    def ranking(self) -> list[int]:
        """Return the rank of each seat, as if the game ended now: 1 is best, ties share a rank."""
        return self.game.ranking(self.state)

    def explain(self) -> list[list[ScoreLine]]:
        """Return the score lines of each seat, as if the game ended now."""
        return self.game.explain(self.state)

    def digest(self) -> str:
        """Return a short hash of the current state, including hidden information."""
        return saves.digest(self.state)

    # -- views ------------------------------------------------------------------------------------

    @property
    def _views(self) -> PositionView:
        return PositionView(self._driver, self._history, self.options)

    def view(self, seat: int | None) -> JsonObject:
        """Return everything that a seat may know, as JSON-able data.

        Args:
            seat: The seat; None for a spectator.

        Raises:
            WrongSeat: If the seat doesn't exist.
        """
        return self._views.view(seat)

    def public_view(self) -> views.PublicView:
        """Return the part of the view that is the same for all viewers, for `json_view`."""
        return self._views.public()

    def json_view(self, seat: int | None, public: views.PublicView) -> JsonObject:
        """Return the content of `view` with parts that are already encoded as JSON.

        Args:
            seat: The seat; None for a spectator.
            public: Result of `public_view` for the current state.

        Raises:
            WrongSeat: If the seat doesn't exist.
        """
        return self._views.json_view(seat, public)

    def view_record(self, viewer: int | None) -> list[list[int | None]]:
        """Return the record as [actor, choice], with None for choices hidden from the viewer.

        Args:
            viewer: The seat; None for a spectator.

        Raises:
            ValueError: If this is a rollout.
        """
        self._require_snapshots("give a record")
        return self._views.record(viewer)

    # -- applying ---------------------------------------------------------------------------------

    @overload
    def apply(self, choice: int, seat: int | None = None) -> None: ...

    @overload
    def apply(self, choice: Sequence[int], seat: int | None = None) -> None: ...

    def apply(self, choice: object, seat: object = None) -> None:
        """Answer the open decision, or enter a chance outcome by hand.

        Args:
            choice: A legal choice, or a list of choices that is applied completely or not at all.
            seat: The seat that answers; None to enter a chance outcome.

        Raises:
            WrongSeat: If the seat doesn't exist or isn't asked.
            IllegalChoice: If the choice isn't legal.
            MalformedChoice: If an entry isn't a choice of the game, or the list is empty.
            ChanceError: If no chance outcome is expected, or this one isn't possible.
            GameOver: If the game has ended.
            RulesError: If the rules fail.
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
            raise MalformedChoice("the list of choices is empty: expected at least one")
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
        """Apply sealed answers and chance outcomes, and reject everything else.

        Args:
            choice: The answer.
            seat: The seat; None for a chance outcome.

        Raises:
            WrongSeat: If the seat doesn't exist or isn't asked.
            IllegalChoice: If the choice isn't legal.
            GameOver: If the game has ended.
        """
        self._check_usable()
        if seat is None:
            self._apply_chance(choice)
            return
        driver = self._driver
        if type(seat) is not int or seat not in driver.to_move:
            driver.check_seat(seat)
            if driver.over:
                raise GameOver("the game is over")
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
                raise GameOver("the game is over")
            raise ChanceError(f"no chance outcome is expected now; {driver.describe_turn()}")
        kind = self.game.vocabulary.kind_of(choice)
        outcomes = driver.outcomes()
        if choice not in outcomes:
            possible = ", ".join(self.text(each) for each in list(outcomes)[:12])
            more = ", ..." if len(outcomes) > 12 else ""
            raise ChanceError(f"{self._safe_text(choice, kind)!r} is impossible now: expected one of {possible}{more}")
        mark = self._history.mark()
        try:
            driver.answer_chance(choice)
        except Exception as error:
            self._restore_after_error(mark, {}, error)

    def _restore_after_error(self, mark: Mark | None, answers: Mapping[int, Sequence[int]], error: Exception) -> None:
        """Rebuild the position as it was before the rules failed, and raise.

        Args:
            mark: The moment before the answer; None in a rollout, which becomes unusable.
            answers: Answers to the sealed decision that was open, by seat.
            error: The exception of the rules.

        Raises:
            AtollError: `error` itself if it is one.
            RulesError: For any other exception.
        """
        if mark is None:
            self._broken = True
        else:
            events = self.state.events
            replay(self._driver, self._history.revert(mark, events), answers, events)
        if isinstance(error, AtollError):
            raise error
        raise RulesError(
            f"the rules of {self.game.id} failed: {type(error).__name__}: {error}; the position is unchanged"
        ) from error

    def _check_usable(self) -> None:
        if self._broken:
            raise RulesError("the rules failed in this rollout: it can't be used any more")

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
        """Keep sealed decisions closed from now on, even when all answers are in."""
        self._driver.hold_sealed = True

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.sequence} answers; {self._driver.describe_turn()}>"

    # -- copies -----------------------------------------------------------------------------------

    def fork(
        self,
        seed: SupportsIndex | None = None,
        *,
        source: ChanceSource | None = None,
        snapshots: bool = True,
        record: bool = False,
    ) -> Position:
        """Return an independent copy.

        A fork never shares the source of chance of its original, so it can't predict the real
        future. It collects no events.

        Args:
            seed: Seed of its chance events, an integer. Without seed and source, chance is entered
                by hand.
            source: Source of chance, instead of a seed.
            snapshots: False for a rollout: faster, but it can't be forked, saved, undone or
                determinized.
            record: Whether the fork records its answers from here on.

        Raises:
            ValueError: If `seed` isn't an integer, or this is a rollout.
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
        """Return a copy in which everything that a seat can't know is dealt again.

        Args:
            seat: The seat; it must be asked now.
            seed: Seed of the determinization. Saves and copies of the result repeat it with this
                seed.
            source: Source of chance of the copy.
            deal: Deals the hidden parts of a state, in place.
            snapshots: False for a rollout; see `fork`.
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
        """Return a copy, or a determinization.

        Args:
            source: Source of chance of the copy.
            seat: The seat whose knowledge is retained; None for an exact copy.
            deal: Deals the hidden parts of the copied state, in place; None for an exact copy.
        """
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
        """Replace all information that a seat can't know by a random consistent guess.

        Sealed answers of other seats are dropped. The seat must be asked now, because only then has
        nothing been computed from the information that is replaced.

        Args:
            seat: The seat whose knowledge is retained.
            seed: Seed of the guess, an integer of at least 0.

        Raises:
            WrongSeat: If the seat doesn't exist or isn't asked.
            ValueError: If `seed` is invalid, or this is a rollout.
        """
        self._require_snapshots("be determinized")
        driver = self._driver
        driver.check_seat(seat)
        number = check_determinization_seed(seed)
        if seat not in driver.to_move:
            raise WrongSeat(f"seat {seat} isn't asked now; {driver.describe_turn()}")
        if driver.sealed is None:
            determinize(self.game, self.state, seat, number)
            self._note_determinization(seat, number)
        else:
            self._note_determinization(seat, number)
            replay(driver, self._history.open, driver.sealed.answers_of(seat), self.state.events)

    def determinized_checkpoint(self, seat: int, seed: SupportsIndex) -> Position:
        """Return the last checkpoint with a random consistent guess of all that a seat can't know.

        The seat needn't be asked: at a checkpoint nothing has been computed from the information
        that is replaced. Answers since then are dropped, and chance outcomes are entered by hand.

        Args:
            seat: The seat whose knowledge is retained.
            seed: Seed of the guess, an integer of at least 0.

        Raises:
            WrongSeat: If the seat doesn't exist.
            ValueError: If `seed` is invalid, or this is a rollout.
        """
        self._require_snapshots("be determinized")
        self._driver.check_seat(seat)
        number = check_determinization_seed(seed)
        state = self._driver.clone(self._history.open.base)
        state.components, state.options = self.game.components, self.options
        determinize(self.game, state, seat, number)
        return Position(self.game, state, self.options, None)

    def entries_since_checkpoint(self) -> list[tuple[int, int, int]]:
        """Return the answers since the last checkpoint as in a record: actor, choice, audience."""
        return self._history.open.answers()

    def _note_determinization(self, seat: int, number: int) -> None:
        self._history.open.add(DETERMINIZED, number * MAX_SEATS + seat, 0)

    def undo(self, seat: int) -> None:
        """Undo a seat's last choice, across checkpoints if necessary.

        Args:
            seat: The seat that made the choice.

        Raises:
            NothingToUndo: If the seat made no choice, the choice revealed something, or chance, a
                reveal or another seat's choice followed.
            WrongSeat: If the seat doesn't exist.
            ValueError: If this is a rollout.
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
            raise NothingToUndo(f"seat {seat} can't undo: another seat has answered since")
        segment, trail = history.open, history.trail
        dropped = 0
        while not segment.last_asked_length():
            if not trail:
                raise NothingToUndo(f"seat {seat} has no choice to undo")
            dropped += len(segment.actors)
            segment, trail = trail[-1], trail[:-1]
        length = segment.last_asked_length() - 1
        if segment.actors[length] != seat:
            raise NothingToUndo(f"seat {seat} can't undo: chance, a reveal or another seat's choice followed")
        earlier = self.fork()
        replay(earlier._driver, segment.prefix(length), {}, None)
        if earlier.decision(seat).reveals:
            raise NothingToUndo(f"seat {seat} can't undo: the choice revealed hidden information")
        dropped += len(segment.actors) - length
        if history.record is not None:
            # A loaded position has no record of earlier answers.
            history.truncate(max(0, len(history.record) - dropped), self.state.events)
        history.trail = trail
        replay(driver, segment.prefix(length), {}, self.state.events)

    # -- saving -----------------------------------------------------------------------------------

    def save(self) -> str:
        """Return the position as JSON text for `atoll.load`.

        The text has the state at the last checkpoint and the choices since, including all hidden
        information. The source of chance isn't part of it.
        """
        return saves.dump(self.save_data())

    def save_data(self) -> JsonObject:
        """Return the content of `save` as plain data."""
        self._require_snapshots("be saved")
        segment = self._history.open
        return saves.build_save(self, segment, saves.encode_state(segment.base))

    def json_save(self) -> JsonObject:
        """Return the content of `save` with `state` encoded as JSON, cached for the segment."""
        self._require_snapshots("be saved")
        segment = self._history.open
        return saves.build_save(self, segment, saves.checkpoint_json(segment))

    @staticmethod
    def restore(game: Rules, data: saves.SaveData, *, source: ChanceSource | None = None) -> Position:
        """Return the position of a checked save.

        Args:
            game: The rules.
            data: The save, checked by `parse_save`.
            source: Source of chance outcomes; None if they are entered by hand.

        Raises:
            RulesError: If the choices of the save don't fit the rules.
        """
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
