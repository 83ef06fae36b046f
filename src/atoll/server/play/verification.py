"""Verification of whole games by replay, from this server's tables or from files.

Anybody may bring any file, and one process replays them all. The work is therefore limited per file
and per address, and short files of addresses without other waiting files go first.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

import structlog

from atoll.engine import SaveError

from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..table.chance_verdict import Verdict
from ..table.game_verification import MOST_ANSWERS, count_answers
from ..table.live_table import encode
from .history import History
from .ports import BotFailed, BotWorkers

log = structlog.get_logger(__name__)

_LONGEST_S: Final = 20.0
_PATIENCE_S: Final = 20.0


class Verification:
    """Verification of games.

    Args:
        history: Past of the tables.
        limits: Rate limits.
        pool: Workers that replay games.
    """

    def __init__(self, history: History, limits: Limits, pool: BotWorkers) -> None:
        self._history: History = history
        self._limits: Limits = limits
        self._pool: BotWorkers = pool
        self._line: ReplayQueue = ReplayQueue()

    async def table(self, who: User | None, address: str, table: str, kept: str = "") -> Verdict:
        """Return the verdict on a finished table of this server.

        Args:
            who: The reader, or None.
            address: Network that the request comes from.
            table: Id of the table.
            kept: File that the reader's browser has saved about it, or "".

        Raises:
            Refused: If the reader may not see the table, its game isn't over, or the server is
                busy.
        """
        saved = await self._history.export(who, table, address=address)
        if saved["status"] != "over":
            raise Refused("not_over", 409, "the game isn't over yet")
        return await self.file(address, encode(saved), kept)

    async def file(self, address: str, text: str, kept: str = "") -> Verdict:
        """Return the verdict on a saved game.

        Args:
            address: Network that the request comes from.
            text: The saved game.
            kept: File that a player's browser has saved, a list of several, or "".

        Raises:
            Refused: If it isn't a game, is too long, or the server is busy.
        """
        self._limits.hit("verify", address)
        count = count_answers(text)
        if count > MOST_ANSWERS:
            fields = {"n": count, "most": MOST_ANSWERS}
            raise Refused("long_game", 422, f"{count} answers: expected at most {MOST_ANSWERS}", fields=fields)
        self._limits.hit("verified", address, count)
        try:
            async with self._line.turn(address, count, _PATIENCE_S):
                return await self._pool.verify(text, kept, _LONGEST_S)
        except SaveError as error:
            raise Refused("no_game", 422, str(error), fields={"detail": str(error)}) from None
        except (BotFailed, TimeoutError) as error:
            log.warning("game can't be verified", error=str(error))
            raise Refused("busy", 503, "the game can't be verified just now; try again") from error


class ReplayQueue:
    """The queue of files for the one process.

    The first file of each address comes before the second file of any address. Among these the
    shortest comes first.
    """

    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._numbers: itertools.count[int] = itertools.count()
        self._is_busy: bool = False

    @contextlib.asynccontextmanager
    async def turn(self, address: str, length: int, patience_s: float) -> AsyncIterator[None]:
        """Wait for a file's turn, which lasts as long as the context.

        Args:
            address: Network that the file comes from.
            length: Number of its answers.
            patience_s: Longest time to wait, in seconds.

        Yields:
            Nothing.

        Raises:
            TimeoutError: If its turn hasn't come.
        """
        self._here[address] += 1
        try:
            await self._wait((self._here[address], length), patience_s)
            try:
                yield
            finally:
                self._next()
        finally:
            self._here[address] -= 1
            self._here += Counter()  # removes counts of zero

    async def _wait(self, place: tuple[int, int], patience_s: float) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        mine = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (*place, next(self._numbers), mine))
        try:
            async with asyncio.timeout(patience_s):
                await mine
        except BaseException:
            if mine.done() and not mine.cancelled():
                self._next()
            raise

    def _next(self) -> None:
        while self._waiting:
            *_, first = heapq.heappop(self._waiting)
            if not first.done():
                first.set_result(None)
                return
        self._is_busy = False
