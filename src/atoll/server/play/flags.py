"""Daily search for signs of abuse in games that count.

Each sign becomes a report of the system in the moderators' queue. Nobody is sanctioned
automatically, and nobody is notified.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import defaultdict
from typing import Any, Final

import structlog

from atoll.store import EventRow, JobRow, RatedGame, ReportRow, SharedGame, Store

from ..domain import flags, wall_clock
from ..domain.flags import Flag
from ..domain.model import LONG_S
from ..domain.playing_hours import DAY_MS
from .executor import CommandExecutor

log = structlog.get_logger(__name__)

_WINDOW_MS: Final = 90 * DAY_MS
_SHARED_MS: Final = 30 * DAY_MS
_MOST_ANALYSES: Final = 20
"""Largest number of analyses that a search starts."""
_MOST_TABLES: Final = 20
_WEIGHT: Final = 25
"""Weight of a report of the system: that of a reporter without an account."""


class Flags:
    """The search for signs of abuse."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store

    async def look(self) -> None:
        """File a report about each new sign (daily)."""
        now = wall_clock.now_ms()
        games = await self._store.flags.rated_games(now - _WINDOW_MS)
        found = await asyncio.to_thread(_signs, games)
        found += await self._shared_networks(now)
        found += await self._thrown_games(now)
        filed = 0
        for flag in found:
            filed += await self._file(flag, now)
        if filed:
            log.info("signs of abuse were reported to the moderators", reports=filed)

    async def _shared_networks(self, now: int) -> list[Flag]:
        """Return pairs with one network that meet in a division, or answer in the same visits."""
        flagged = [
            Flag("division", each.users, {"division": each.division}, competition=each.competition_id)
            for each in await self._store.flags.shared_divisions()
        ]
        pairs: dict[tuple[str, str], list[SharedGame]] = defaultdict(list)
        for game in await self._store.flags.shared_games(now - _SHARED_MS):
            if game.bank_s >= LONG_S:  # at a live table everybody answers within seconds
                pairs[game.users].append(game)
        for users, games in pairs.items():
            tables = tuple(game.id for game in games)
            joint, visits = flags.joint_visits(await self._store.flags.answers(tables, users))
            if flags.is_alternating(joint, visits):
                facts = {"n": joint, "of": visits, "games": len(tables)}
                flagged.append(Flag("alternating", users, facts, tables))
        return flagged

    async def _thrown_games(self, now: int) -> list[Flag]:
        """Return accounts that have resigned several won games.

        The position is judged by the analysis of the game. Missing analyses are started, and the
        next search reads them.
        """
        flagged, wanted = [], []
        for user_id, games in (await self._store.flags.resigned(now - _WINDOW_MS)).items():
            if len(games) < flags.THROWN:
                continue
            won = []
            for table, seat in games:
                analysis = await self._store.analysis(table)
                if analysis is None:
                    wanted.append(table)
                elif _share_at_end(analysis.data, seat, await self._store.events(table)) >= flags.WON:
                    won.append(table)
            if len(won) >= flags.THROWN:
                facts = {"n": len(won), "percent": round(100 * flags.WON)}
                flagged.append(Flag("thrown", (user_id,), facts, tuple(won)))
        jobs = [
            JobRow(f"analysis:{table}", "analysis", table, now, secrets.token_hex(4))
            for table in dict.fromkeys(wanted[:_MOST_ANALYSES])
        ]
        if jobs:
            await self._store.set_jobs(jobs)
            self._executor.on_job()
        return flagged

    async def _file(self, flag: Flag, now: int) -> bool:
        people = await self._store.moderation.users(flag.users)
        if any(user not in people for user in flag.users):
            return False
        shown = [{"user": user, "name": people[user].name} for user in flag.users]
        key = ":".join([flag.kind, flag.facts.get("game", ""), flag.competition, *flag.users])
        return await self._store.flags.add(
            ReportRow(
                id=secrets.token_hex(8),
                created=now,
                reporter_id=None,
                contact="",
                language="en",
                reason="cheating",
                text="",
                user_id=flag.users[0],
                game_id=None,
                message=None,
                subject=f"flag:{hashlib.sha256(key.encode()).hexdigest()[:32]}",
                context={
                    "flag": {
                        "kind": flag.kind,
                        "facts": flag.facts,
                        "tables": list(flag.tables[-_MOST_TABLES:]),
                        "competition": flag.competition,
                    },
                    "person": shown[0],
                    **({"other": shown[1]} if len(shown) > 1 else {}),
                },
                weight=_WEIGHT,
            ),
            now - _WINDOW_MS,
        )


def _signs(games: list[RatedGame]) -> list[Flag]:
    """Return the signs that rated games alone give."""
    return [*flags.one_sided(games), *flags.swings(games)]


def _share_at_end(analysis: Any, seat: int, events: list[EventRow]) -> float:
    """Return the expected share of a seat when its player resigned last; 0 if it isn't known.

    Args:
        analysis: The analysis of the game as plain data.
        seat: The seat.
        events: The events of the table.
    """
    resigned = [
        event.sequence
        for event in events
        if event.origin == "table" and event.data["key"] == "resigned" and event.data["fields"].get("seat") == seat
    ]
    if not resigned:
        return 0.0
    before = [each for each in analysis["judgments"] if each["sequence"] <= resigned[-1]]
    return float(before[-1]["shares"][seat]) if before else 0.0
