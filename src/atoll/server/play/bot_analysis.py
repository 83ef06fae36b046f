"""Advice of a strong bot about an open turn, and its analyses of finished games."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import ClassVar

import msgspec
import structlog

from atoll.store import AnalysisRow, JobRow

from ..domain import metrics, wall_clock
from ..domain.limits import Limits
from ..domain.model import Advice, Analysis, AnalysisState, Prospect, Refused, User
from ..table import permissions
from ..table.live_table import LiveTable, encode
from .commands import Command
from .executor import CommandExecutor
from .ports import BotFailed, BotWorkers
from .store_errors import refuse_on_store_error

log = structlog.get_logger(__name__)


class BotAnalysis:
    """Advice and analysis.

    Args:
        executor: The executor of commands.
        limits: Rate limits.
        pool: Workers for advice.
        analysts: Workers for analyses.
    """

    def __init__(self, executor: CommandExecutor, limits: Limits, pool: BotWorkers, analysts: BotWorkers) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self._pool: BotWorkers = pool
        self._analysts: BotWorkers = analysts
        self._progress: dict[str, tuple[int, int]] = {}
        self._failed: set[str] = set()

    async def advise(self, who: User | None, table: str, seat: int, stamp: str = "") -> Advice:
        """Return a strong bot's advice for a seat's turn, based on that seat's knowledge.

        Only this seat sees the advice.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            stamp: Stamp of the turn that the user has seen, or "" for the current one.

        Raises:
            Refused: If the seat can't get advice now, the turn is complete, or the bot found no
                answer.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            now, position = permissions.require_advice(live, user, seat, stamp)
            draft = live.turn_draft(seat)
            if not draft.open:
                raise Refused("complete", 409, "the turn is complete; confirm it or take something back")
            found = live.advice_for(seat)
            if found is not None:
                return found
            saved, staged = encode(position.json_save()), draft.choices_in_rule_order()
        self._limits.hit("advice", user.id)
        try:
            seconds = self._executor.settings.advice_seconds
            answer = await self._pool.advise(saved, seat, staged, seconds, secrets.randbits(63))
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("bot gave no advice", table=table, error=str(error))
            raise Refused("no_answer", 503, "the bot found no answer; try again") from None
        prospects = tuple(msgspec.convert(answer["prospects"], list[Prospect]))
        async with self._executor.locked(table) as live:
            permissions.require_unchanged(live.stamp(seat) == now)
            live.advice[seat] = Advice(seat, now, prospects)
            return live.advice[seat]

    async def dismiss(self, who: User | None, table: str, seat: int) -> None:
        """Hide the advice and the coach's warning about the open turn of a seat.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.

        Raises:
            Refused: If the seat isn't the user's.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, seat)
            live.advice.pop(seat, None)
            if seat in live.blunder_warnings:
                live.blunder_warnings[seat] = live.blunder_warnings[seat][0], None

    async def analysis(self, who: User | None, table: str) -> AnalysisState:
        """Return the progress of the analysis of a finished game.

        Everybody who may see the game may see its analysis.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table or the game isn't over.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            permissions.require_over(live)
            if live.analysis is None:
                with refuse_on_store_error():
                    row = await self._executor.store.analysis(table)
                if row is not None:
                    live.analysis = msgspec.convert(row.data, Analysis)
            if live.analysis is not None:
                return AnalysisState("done", analysis=live.analysis)
        if table in self._failed:
            return AnalysisState("failed")
        with refuse_on_store_error():
            waits = await self._executor.store.has_job(f"analysis:{table}")
        return AnalysisState("computing", *self._progress.get(table, (0, 0))) if waits else AnalysisState("none")

    async def analyse(self, who: User | None, table: str) -> AnalysisState:
        """Start the analysis of a finished game unless it exists.

        Everybody who may see the game may start its analysis.

        Args:
            who: The user.
            table: Id of the table.

        Returns:
            The progress.

        Raises:
            Refused: If the user may not see the table or the game isn't over.
        """
        user = permissions.require_user(who)
        found = await self.analysis(user, table)
        if found.state in ("computing", "done"):
            return found
        self._limits.hit("analysis", user.id)
        self._failed.discard(table)
        with refuse_on_store_error():
            await self._executor.store.set_jobs(
                [JobRow(f"analysis:{table}", "analysis", table, wall_clock.now_ms(), secrets.token_hex(4))]
            )
        self._executor.on_job()
        return AnalysisState("computing")

    async def analyse_due(self, table: str) -> None:
        """Compute the analysis of a finished game (job)."""
        store = self._executor.store
        with refuse_on_store_error():
            points = await store.checkpoints(table)
            rows = await store.choices(table)
            made = await store.analysis(table)
        if made is not None or not points:
            return

        def watch(done: int, of: int) -> None:
            """Store the progress."""
            self._progress[table] = (done, of)

        steps = [(row.seat, row.choice) for row in rows]
        try:
            seconds = self._executor.settings.analysis_seconds
            result = await self._analysts.analyse(points[0].position, steps, seconds, secrets.randbits(63), watch)
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("bot gave no analysis", table=table, error=str(error))
            self._failed.add(table)
        else:
            with refuse_on_store_error():
                await store.store_analysis(AnalysisRow(table, result, wall_clock.now_ms()))
            await self._executor.execute(table, PublishAnalysis())
        finally:
            self._progress.pop(table, None)


@dataclass(slots=True)
class PublishAnalysis(Command[None]):
    """Notify the streams of the table that the analysis is available."""

    name: ClassVar[str] = "tell of analysis"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Mark the table as changed."""
        live.mark_changed(timed=False, listed=False)
