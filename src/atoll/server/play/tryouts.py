"""Trying out: one seat plays on privately from a guess at what it can't know, for itself and for all others.

Nothing is kept: whoever asks brings all that was chosen. Neither the guess nor what is drawn comes from the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import structlog
from msgspec import Struct

from atoll.engine import CHANCE, AtollError, Game, IllegalChoice, MalformedChoice, Position, RulesError, Stage
from atoll.engine.chance import SeededSource
from atoll.engine.state import may_know

from ..domain.limits import Limits
from ..domain.model import LogEntry, Refused, User
from ..table import permissions
from .executor import Keeper
from .history import History
from .turns import stage_choices

MOST_TRIED: Final = 300

log = structlog.get_logger(__name__)


class Step(Struct, frozen=True):
    """Where something that is tried out stands.

    sequence: the moment from which, one at which the seat is asked; None: now. guess: which of the guesses, from 0.
    choices: of whoever was asked since, one after the other.
    """

    sequence: int | None = None
    guess: int = 0
    choices: Sequence[int | str] = ()


class Tried(Struct, frozen=True):
    """A turn that was tried out, with what followed by itself.

    seat: who chose. choices: what, as the rules ask for it. drawn: the outcomes of chance, all of them guesses; None
    where the trying seat wouldn't learn them. log: what would be told of it to that seat.
    """

    seat: int
    choices: tuple[int, ...]
    drawn: tuple[int | None, ...]
    log: tuple[LogEntry, ...]


class Tryout(Struct, frozen=True):
    """A game played on privately from a guess at what a seat can't know. Nothing of it is kept.

    seat: who tries. sequence: the moment from which. guess: which of the guesses, from 0. choices: all that was chosen.
    asked: who chooses next, None when the game is over. legal: what can be chosen. picked: what can be dropped of the
    set that is asked for. view: as who is asked would see it. tried: turn by turn. scores: the totals, once it is over.
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
    tried: tuple[Tried, ...]
    scores: tuple[int, ...] | None


_START: Final = Step()


class Trying:
    """What would come of it, as far as a seat can tell."""

    def __init__(self, keeper: Keeper, limits: Limits, history: History) -> None:
        self._keeper: Keeper = keeper
        self._limits: Limits = limits
        self._history: History = history

    async def tryout(
        self, who: User | None, table: str, seat: int, step: Step = _START, more: Sequence[int | str] = ()
    ) -> Tryout:
        """How it stands there. more: choices that are made now, all or none; they may name all of a mix."""
        return (await self._play(who, table, seat, step, more)).seen()

    async def ahead(
        self, who: User | None, table: str, seat: int, step: Step, more: Sequence[int]
    ) -> Mapping[str, Any] | None:
        """What who chooses would see after more choices in the same turn, before chance; None if they aren't legal."""
        played = await self._play(who, table, seat, step)
        if played.stage is None or not more:
            return None
        try:
            stage_choices(played.stage, more)
            return played.stage.view()
        except RulesError:
            log.exception("preview failed", table=table)
            return None
        except AtollError:
            return None

    async def without(self, who: User | None, table: str, seat: int, step: Step, choice: int) -> Tryout:
        """How it stands when a picked member is taken out of the set that is asked for."""
        played = await self._play(who, table, seat, step)
        try:
            if played.stage is None:
                raise IllegalChoice("nothing is asked any more")
            played.stage.drop(choice)
        except IllegalChoice as error:
            raise Refused("nothing", 409, str(error)) from None
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        return played.seen()

    async def _play(
        self, who: User | None, table: str, seat: int, step: Step, more: Sequence[int | str] = ()
    ) -> _Played:
        user = permissions.signed_in(who)
        self._limits.hit("replay", user.id)
        count = len(step.choices) + len(more)
        if count > MOST_TRIED:
            raise Refused("malformed", 422, f"at most {MOST_TRIED} choices can be tried, not {count}")
        async with self._keeper.held(table) as live:
            permissions.check_visible(live, user)
            permissions.check_try(live, user, seat)
            at = live.row.sequence if step.sequence is None else step.sequence
            position = await self._history.position_at(live, at)
            game = live.game
        assert game is not None
        if seat not in position.to_move:
            raise Refused("not_asked", 409, f"seat {seat} isn't asked at the moment {at}; only then it can try out")
        try:
            played = _Played(game, table, position, seat, at, step.guess)
            for choice in step.choices:
                played.choose([choice])
            if more:
                played.choose(more)
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        except RulesError:
            log.exception("nothing can be tried out", table=table, seat=seat, sequence=at, guess=step.guess)
            raise Refused("no_moment", 404, "the rules can't go on from this guess; try another") from None
        except AtollError as error:
            raise Refused("illegal", 422, str(error)) from None
        return played


class _Played:
    """A game under way on a guess. stage: the open turn of whoever is asked; None: the game is over."""

    def __init__(self, game: Game, table: str, position: Position, seat: int, sequence: int, guess: int) -> None:
        self._table: str = table
        self._seat: int = seat
        self._sequence: int = sequence
        self._guess: int = guess
        seed = _seed(table, seat, sequence, guess)
        dealt = position.fork()
        dealt.redeal(seat, seed)
        # Only a loaded position is told what happens.
        self._position: Position = game.load(dealt.save_data(), source=_Guessed(seed, dealt.chances))
        self._position.take_events()
        self._before: list[int] = []
        self._tried: list[Tried] = []
        self._told: int = 0
        self.stage: Stage | None = self._stage()

    def _stage(self) -> Stage | None:
        asked = self._position.to_move
        return Stage(self._position, self._seat if self._seat in asked else asked[0]) if asked else None

    def choose(self, choices: Sequence[int | str]) -> None:
        """Choices of whoever is asked; a turn that is complete is confirmed. Raises AtollError."""
        stage = self.stage
        if stage is None:
            raise IllegalChoice("the game is over; nobody is asked any more")
        stage_choices(stage, choices)
        if stage.open:
            return
        position = self._position
        assert position.record is not None
        first = len(position.record)
        position.apply(stage.choices, stage.seat)
        known = [
            choice if may_know(audience, self._seat) else None
            for who, choice, audience in position.record[first:]
            if who == CHANCE
        ]
        self._tried.append(Tried(stage.seat, tuple(stage.choices), tuple(known), self._log()))
        self._before += stage.clicks
        self.stage = self._stage()

    def _log(self) -> tuple[LogEntry, ...]:
        found = [event.seen_by(self._seat) for event in self._position.take_events()]
        entries = [
            LogEntry(number, self._position.sequence, "game", seen["key"], seen["fields"], tuple(seen["lacking"]))
            for number, seen in enumerate(filter(None, found), self._told)
        ]
        self._told += len(entries)
        return tuple(entries)

    def seen(self) -> Tryout:
        """How it stands."""
        stage, position = self.stage, self._position
        return Tryout(
            table=self._table,
            game=position.game.id,
            seat=self._seat,
            sequence=self._sequence,
            guess=self._guess,
            choices=(*self._before, *([] if stage is None else stage.clicks)),
            asked=None if stage is None else stage.seat,
            legal=() if stage is None else tuple(stage.legal()),
            picked=() if stage is None else tuple(stage.droppable()),
            view=position.view(self._seat) if stage is None else stage.view(),
            tried=tuple(self._tried),
            scores=tuple(position.scores()) if position.over else None,
        )


class _Guessed:
    """Chance of its own: the n-th event of what is tried gets the n-th number, however many there were before."""

    def __init__(self, seed: int, first: int) -> None:
        self._numbers: SeededSource = SeededSource(seed)
        self._first: int = first

    def pick(self, index: int, size: int) -> int:
        """See ChanceSource."""
        return self._numbers.pick(index - self._first, size)


def _seed(table: str, seat: int, sequence: int, guess: int) -> int:
    """A number that follows from what the seat knows, so that the same address always shows the same."""
    told = f"{table} {seat} {sequence} {guess}"
    return int.from_bytes(blake2b(told.encode(), digest_size=6).digest(), "big")
