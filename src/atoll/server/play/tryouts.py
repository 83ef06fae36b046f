"""Tryouts: private what-if games from a determinization, in which one seat plays for all.

Nothing is stored. Each request brings all choices made so far. Neither the determinization nor the
chance of a tryout comes from the table. A plan is made in the same way: there bots guess what the
others do until the seat is asked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import structlog
from msgspec import Struct

from atoll.bots import GreedyBot, derive_seed
from atoll.engine import (
    CHANCE,
    AtollError,
    Choose,
    Game,
    IllegalChoice,
    MalformedChoice,
    Position,
    RulesError,
    SeatView,
    TurnDraft,
)
from atoll.engine.chance import SeededSource
from atoll.engine.record import advance
from atoll.engine.state import may_know

from ..domain.limits import Limits
from ..domain.model import LogEntry, Mix, Refused, User
from ..domain.planned_answers import PlannedAnswer
from ..table import permissions
from .executor import CommandExecutor
from .history import History
from .planned_turns import MOST_STEPS
from .turns import add_to_draft, mix_of

MOST_TRIED: Final = 300
"""Largest number of choices in a tryout."""

_MOST_GUESSED: Final = 500  # answers of others that are guessed between two turns of a plan

log = structlog.get_logger(__name__)


class TryoutStep(Struct, frozen=True):
    """A point in a tryout.

    Attributes:
        sequence: Sequence number of the moment to start from, at which the seat is asked. None for
            now.
        guess: Number of the determinization, from 0.
        choices: All choices made since, by whichever seat was asked.
    """

    sequence: int | None = None
    guess: int = 0
    choices: Sequence[int | str] = ()


class TryoutTurn(Struct, frozen=True):
    """A turn in a tryout with its automatic consequences.

    Attributes:
        seat: The seat that chose.
        choices: Its complete turn.
        drawn: Outcomes of chance, all of them guessed; None where the trying seat wouldn't learn
            them.
        log: Log entries, as the trying seat would see them.
    """

    seat: int
    choices: tuple[int, ...]
    drawn: tuple[int | None, ...]
    log: tuple[LogEntry, ...]


class Tryout(Struct, frozen=True):
    """A private what-if game from a determinization; nothing of it is stored.

    Attributes:
        table: Id of the table.
        game: Id of the game.
        seat: The trying seat.
        sequence: Sequence number of the moment that it started from.
        guess: Number of the determinization, from 0.
        choices: All choices so far.
        asked: The seat that chooses next, or None when the game is over.
        legal: Its legal choices.
        picked: Members that can be removed from the current set.
        view: The view of the asked seat.
        tried: The turns so far.
        scores: Total per seat when the game is over, or None.
        mix: Facts about a mix of amounts that is asked for, or None.
    """

    table: str
    game: str
    seat: int
    sequence: int
    guess: int
    choices: tuple[int, ...]
    asked: int | None
    legal: tuple[int, ...]
    picked: tuple[int, ...]
    view: Mapping[str, Any]
    tried: tuple[TryoutTurn, ...]
    scores: tuple[int, ...] | None
    mix: Mix | None


_START: Final = TryoutStep()


class Tryouts:
    """Tryouts of the users' seats."""

    def __init__(self, executor: CommandExecutor, limits: Limits, history: History) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self._history: History = history

    async def tryout(
        self, who: User | None, table: str, seat: int, step: TryoutStep = _START, more: Sequence[int | str] = ()
    ) -> Tryout:
        """Return a tryout at a point, after further choices.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            step: The point in the tryout.
            more: Choices to make now, all or none. They may be all members of a set.

        Raises:
            Refused: If the seat can't try out, or a choice isn't legal.
        """
        return (await self._play(who, table, seat, step, more)).to_tryout()

    async def plan(
        self, who: User | None, table: str, seat: int, step: TryoutStep = _START, more: Sequence[int | str] = ()
    ) -> tuple[Tryout, tuple[PlannedAnswer, ...]]:
        """Return a plan that a seat makes while others are asked, as a tryout and as answers.

        Bots guess what the others do, so every question is one that can come at this table.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            step: The point in the tryout; its choices are those of the seat alone.
            more: Choices to make now, all or none. They may be all members of a set.

        Returns:
            The tryout, and the seat's answers so far.

        Raises:
            Refused: If the seat can't plan, or a choice isn't legal.
        """
        played = await self._play(who, table, seat, step, more, planning=True)
        return played.to_tryout(), played.answers()

    async def ahead(
        self,
        who: User | None,
        table: str,
        seat: int,
        step: TryoutStep,
        more: Sequence[int],
        *,
        planning: bool = False,
    ) -> Mapping[str, Any] | None:
        """Return the view of the asked seat after more choices in the same turn, before chance.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            step: The point in the tryout.
            more: The choices.
            planning: Whether it is a plan.

        Returns:
            The view, or None if the choices aren't legal.

        Raises:
            Refused: If the seat can't try out.
        """
        played = await self._play(who, table, seat, step, planning=planning)
        if played.draft is None or not more:
            return None
        try:
            add_to_draft(played.draft, more)
            return played.draft.view()
        except RulesError:
            log.exception("preview failed", table=table)
            return None
        except AtollError:
            return None

    async def without(
        self, who: User | None, table: str, seat: int, step: TryoutStep, choice: int, *, planning: bool = False
    ) -> Tryout:
        """Return a tryout after a picked member was removed from the current set.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            step: The point in the tryout.
            choice: The member to remove.
            planning: Whether it is a plan.

        Raises:
            Refused: If the seat can't try out, or the choice isn't picked.
        """
        played = await self._play(who, table, seat, step, planning=planning)
        if played.draft is None:
            raise Refused("nothing", 409, "the game is over")
        try:
            played.draft.remove(choice)
        except IllegalChoice as error:
            raise Refused("nothing", 409, str(error)) from None
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        return played.to_tryout()

    async def _play(
        self,
        who: User | None,
        table: str,
        seat: int,
        step: TryoutStep,
        more: Sequence[int | str] = (),
        *,
        planning: bool = False,
    ) -> _TryoutGame:
        user = permissions.require_user(who)
        self._limits.hit("replay", user.id)
        count = len(step.choices) + len(more)
        if count > MOST_TRIED:
            raise Refused("malformed", 422, f"{count} choices: expected at most {MOST_TRIED}")
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_tryout(live, user, seat)
            if planning:
                permissions.require_plan(live, live.seats[seat])
            at = live.row.sequence if step.sequence is None else step.sequence
            position = await self._history.position_at(live, at)
            game = live.game
        assert game is not None
        if not planning and seat not in position.to_move:
            raise Refused("not_asked", 409, f"seat {seat} isn't asked at moment {at}: expected a moment at which it is")

        def play() -> _TryoutGame:
            """Play the tryout to its point."""
            played = _TryoutGame(game, table, position, seat, at, step.guess, planning=planning)
            for choice in step.choices:
                played.choose([choice])
            if more:
                played.choose(more)
            return played

        try:
            # Bots take their time: meanwhile the server answers others.
            return await asyncio.to_thread(play) if planning else play()
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        except RulesError:
            log.exception("nothing can be tried out", table=table, seat=seat, sequence=at, guess=step.guess)
            raise Refused("no_moment", 404, "the rules can't continue from this guess; try another") from None
        except AtollError as error:
            raise Refused("illegal", 422, str(error)) from None


class _TryoutGame:
    """A running tryout.

    Attributes:
        draft: The turn draft of the asked seat, or None when the game is over.
    """

    def __init__(
        self, game: Game, table: str, position: Position, seat: int, sequence: int, guess: int, *, planning: bool
    ) -> None:
        self._table: str = table
        self._seat: int = seat
        self._sequence: int = sequence
        self._guess: int = guess
        self._planning: bool = planning
        self._answers: list[PlannedAnswer] = []
        self._set: object = None  # the set that the last answer is a part of
        self._seed: int = _seed(table, seat, sequence, guess)
        seed = self._seed
        if planning:
            dealt = _guess_of_waiting_seat(position, seat, seed)
        else:
            dealt = position.fork()
            dealt.determinize(seat, seed)
        # Only a loaded position collects events.
        self._position: Position = game.load(dealt.save_data(), source=_TryoutChance(seed, dealt.chance_count))
        self._position.take_events()
        self._before: list[int] = []
        self._tried: list[TryoutTurn] = []
        self._logged: int = 0
        self.draft: TurnDraft | None = self._draft()

    def _draft(self) -> TurnDraft | None:
        if self._planning:
            self._pass_others()
        to_move = self._position.to_move
        asked = self._seat if self._seat in to_move or self._planning else to_move[0] if to_move else None
        if asked is None or asked not in to_move or (self._planning and len(self._answers) >= MOST_STEPS):
            return None
        return TurnDraft(self._position, asked)

    def _pass_others(self) -> None:
        """Let bots answer for the others until the seat is asked."""
        position, bot = self._position, GreedyBot()
        assert position.record is not None
        for _ in range(_MOST_GUESSED):
            if self._seat in position.to_move or not position.to_move:
                return
            seat, first = position.to_move[0], len(position.record)
            choices = bot.choose(SeatView(position, seat), 0.0, derive_seed(self._seed, first))
            position.apply(choices, seat)
            self._note_turn(seat, choices, first)

    def choose(self, choices: Sequence[int | str]) -> None:
        """Make choices for the asked seat, and confirm its turn if it is complete.

        Args:
            choices: The choices.

        Raises:
            IllegalChoice: If the game is over.
            AtollError: If a choice isn't legal.
        """
        draft = self.draft
        if draft is None:
            raise IllegalChoice("the game is over")
        asked, count = draft.position.decision(draft.seat), len(draft.inputs)
        add_to_draft(draft, choices)
        self._note_answer(asked, tuple(map(draft.position.text, draft.inputs[count:])))
        if draft.open:
            return
        position = self._position
        assert position.record is not None
        first = len(position.record)
        position.apply(draft.choices, draft.seat)
        self._note_turn(draft.seat, draft.choices, first)
        self._before += draft.inputs
        self.draft = self._draft()

    def _note_turn(self, seat: int, choices: Sequence[int], first: int) -> None:
        """Note a turn that was applied, and what followed from record entry `first` on."""
        assert self._position.record is not None
        known = [
            choice if may_know(audience, self._seat) else None
            for who, choice, audience in self._position.record[first:]
            if who == CHANCE
        ]
        self._tried.append(TryoutTurn(seat, tuple(choices), tuple(known), self._log()))

    def _note_answer(self, asked: Choose, choices: tuple[str, ...]) -> None:
        """Note choices as a planned answer to a question; members of one set are one answer."""
        if asked.into is not None and asked.into is self._set:
            earlier = self._answers.pop()
            choices = (*earlier.choices, *choices)
        self._set = asked.into
        self._answers.append(PlannedAnswer(asked.prompt, choices))

    def answers(self) -> tuple[PlannedAnswer, ...]:
        """Return the answers so far, one per question, as many as a plan may have."""
        return tuple(self._answers[:MOST_STEPS])

    def _log(self) -> tuple[LogEntry, ...]:
        found = [event.seen_by(self._seat) for event in self._position.take_events()]
        entries = [
            LogEntry(number, self._position.sequence, "game", seen["key"], seen["fields"], tuple(seen["lacking"]))
            for number, seen in enumerate(filter(None, found), self._logged)
        ]
        self._logged += len(entries)
        return tuple(entries)

    def to_tryout(self) -> Tryout:
        """Return the current point as a value."""
        draft, position = self.draft, self._position
        return Tryout(
            table=self._table,
            game=position.game.id,
            seat=self._seat,
            sequence=self._sequence,
            guess=self._guess,
            choices=(*self._before, *([] if draft is None else draft.inputs)),
            asked=None if draft is None else draft.seat,
            legal=() if draft is None else tuple(draft.legal()),
            picked=() if draft is None else tuple(draft.removable()),
            view=position.view(self._seat) if draft is None else draft.view(),
            tried=tuple(self._tried),
            scores=tuple(position.scores()) if position.over else None,
            mix=None if draft is None else mix_of(draft),
        )


def _guess_of_waiting_seat(position: Position, seat: int, seed: int) -> Position:
    """Return a guess from the knowledge of a seat that isn't asked.

    It is a guess of the last checkpoint, in which the answers that the seat knows are repeated.
    """
    guess = position.determinized_checkpoint(seat, seed)
    with contextlib.suppress(AtollError):  # from an answer that doesn't fit this guess on, all is guessed
        for index, (who, choice, audience) in enumerate(position.entries_since_checkpoint()):
            if not may_know(audience, seat):
                return guess
            advance(guess, index, who, choice)
        for choice in position.sealed_answers.get(seat, ()):
            guess.apply(choice, seat)
    return guess


class _TryoutChance:
    """The chance of a tryout: its n-th event gets the n-th number of a seed.

    The number of chance events before the tryout doesn't matter.
    """

    def __init__(self, seed: int, first: int) -> None:
        self._numbers: SeededSource = SeededSource(seed)
        self._first: int = first

    def outcome(self, index: int, size: int) -> int:
        """Return a number from 0 to `size - 1`."""
        return self._numbers.outcome(index - self._first, size)


def _seed(table: str, seat: int, sequence: int, guess: int) -> int:
    """Return a seed from public data, so that an address always shows the same tryout."""
    known = f"{table} {seat} {sequence} {guess}"
    return int.from_bytes(blake2b(known.encode(), digest_size=6).digest(), "big")
