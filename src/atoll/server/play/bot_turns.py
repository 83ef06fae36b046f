"""The turns of bots: a worker chooses, and the answer is applied like a person's."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar, Final

import structlog

from atoll.engine import AtollError, RulesError, TurnDraft

from ..domain import metrics
from ..domain.model import Refused
from ..table import lifecycle
from ..table.live_table import LiveTable, encode
from .commands import Command
from .executor import CommandExecutor
from .ports import BotFailed, BotWorkers

log = structlog.get_logger(__name__)

_BUSY: Final = 503
_TURN_S: Final = 14.0  # a bot's thinking time per turn, in seconds
_PART: Final = 3  # the part of the remaining time that one decision may take
_LEAST_S: Final = 0.2


def seconds_left(thought: float) -> float:
    """Return the seconds for one more decision of a turn, after `thought` seconds of thinking."""
    return max(_LEAST_S, (_TURN_S - thought) / _PART)


class BotTurns:
    """Plays the turns of bots at tables."""

    def __init__(self, executor: CommandExecutor, pool: BotWorkers) -> None:
        self._executor: CommandExecutor = executor
        self._pool: BotWorkers = pool

    async def play(self, table: str) -> None:
        """Play at a table until no bot is asked any more (job).

        Args:
            table: Id of the table.

        Raises:
            Refused: With status 503, if the database isn't available.
        """
        thinker, thought = -1, 0.0
        while True:
            try:
                async with self._executor.locked(table) as live:
                    position = live.position
                    if live.row.status != "running" or position is None:
                        return
                    asked = [seat for seat in position.to_move if live.seats[seat].bot]
                    if not asked:
                        return
                    seat = asked[0]
                    level, host = live.seats[seat].bot, live.row.host
                    stamp = live.stamp(seat)
                    legal = position.legal_choices(seat)
                    saved = encode(position.json_save()) if len(legal) > 1 else ""
            except Refused as error:
                if error.status == _BUSY:
                    raise
                return
            if seat != thinker:
                thinker, thought = seat, 0.0
            choices = legal
            if saved:
                began = monotonic()
                try:
                    seed = secrets.randbits(63)
                    seconds = seconds_left(thought)
                    choices = await self._pool.choose(saved, seat, level, seed, seconds, host=host)
                except BotFailed as error:
                    # The table must not wait for a broken bot.
                    metrics.BOT_FAILURES.inc()
                    log.error("bot failed", table=table, level=level, error=str(error))
                    choices = [random.SystemRandom().choice(legal)]
                thought += monotonic() - began
            try:
                await self._executor.execute(table, SubmitBotTurn(seat, stamp, choices, legal))
            except Refused as error:
                if error.status == _BUSY:
                    raise


@dataclass(slots=True)
class SubmitBotTurn(Command[None]):
    """Apply a bot's choices, unless the table has changed while it was thinking.

    Attributes:
        seat: The seat.
        stamp: Stamp of its turn.
        choices: The bot's choices.
        legal: The legal choices, in case the bot's aren't.
    """

    name: ClassVar[str] = "bot answer"
    seat: int
    stamp: str
    choices: Sequence[int]
    legal: Sequence[int]
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Apply the choices if they are still wanted; replace illegal ones by a random choice."""
        position = live.position
        seat, choices = self.seat, self.choices
        if live.row.status != "running" or position is None or not live.seats[seat].bot:
            return
        if live.stamp(seat) != self.stamp or seat not in position.to_move:
            return
        try:
            TurnDraft(position, seat, choices)
        except RulesError:
            raise
        except (AtollError, TypeError):
            log.error("bot chose what isn't legal", table=live.row.id, level=live.seats[seat].bot)
            choices = [random.SystemRandom().choice(list(self.legal))]
        lifecycle.answer(live, seat, choices, now, by_bot=True)
        metrics.part(metrics.CHOICES, "bot").inc(len(choices))
