"""A game from elsewhere that runs on and on at a table is interrupted, so that the other tables go on.

Rules, pictures and texts run in the server, in the thread of its loop. A beat of the loop shows that it goes on. Where
it has stopped while something of such a game runs, that gets `TakesTooLong`, as if it had failed by itself: rules stop
their table, which waits for repair; what can't be drawn or said is left out. A game to which that happens again and
again is left out until the server starts anew. Of Atoll's own games nothing is interrupted.

What can't be interrupted: a call into C, code that catches whatever it is told, and threads that a game has started.
Nor is anything where there are no signals to threads (Windows).
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Final

import structlog

from atoll.engine import Game, RulesError

SECONDS: Final = 2.0
"""Of processor time, after which something is interrupted."""

PATIENCE_S: Final = 20.0
"""After which it is, too, if it only waits."""

TIMES: Final = 3
"""After how many interruptions a game is left out."""

_EVERY_S: Final = 0.5

log = structlog.get_logger(__name__)


class TakesTooLong(RulesError):
    """Something of a game has run for too long."""


class Watch:
    """Looks after games from elsewhere.

    games: those. leave_out: is called with a game's id, and why, when it has been interrupted too often.
    """

    def __init__(self, games: Mapping[str, Game], leave_out: Callable[[str, str], None]) -> None:
        self._games: dict[str, str] = {}
        for id, game in games.items():
            for module in (type(game).__module__, game.package):
                self._games[module.partition(".")[0]] = id
        self._leave_out: Callable[[str, str], None] = leave_out
        self._interrupted: Counter[str] = Counter()
        self._ended: threading.Event = threading.Event()
        self._beat: tuple[float, float] = (0.0, 0.0)

    async def run(self) -> None:
        """Until cancelled; in the main thread, as only that can be interrupted."""
        if not self._games or threading.current_thread() is not threading.main_thread():
            return
        if not hasattr(signal, "pthread_kill"):
            return
        self._loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self._goes_on()
        before = signal.signal(signal.SIGVTALRM, self._interrupt)
        thread = threading.Thread(target=self._watch, args=(threading.get_ident(),), name="watch", daemon=True)
        thread.start()
        try:
            while True:
                self._goes_on()
                await asyncio.sleep(_EVERY_S)
        finally:
            self._ended.set()
            thread.join()
            signal.signal(signal.SIGVTALRM, before)

    def _goes_on(self) -> None:
        self._beat = time.thread_time(), time.monotonic()

    def _watch(self, watched: int) -> None:
        """The thread that sees that the loop stands still; what runs in it is seen from within, by a signal."""
        while not self._ended.wait(_EVERY_S):
            if time.monotonic() - self._beat[1] >= SECONDS:
                signal.pthread_kill(watched, signal.SIGVTALRM)

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        used, waited = time.thread_time() - self._beat[0], time.monotonic() - self._beat[1]
        if used < SECONDS and waited < PATIENCE_S:
            return
        while frame is not None:
            id = self._games.get(frame.f_globals.get("__name__", "").partition(".")[0])
            if id is not None:
                self._goes_on()
                self._loop.call_soon_threadsafe(self._count, id)
                raise TakesTooLong(f"{id} ran for {used:.1f} s of processor time, {waited:.1f} s in all")
            frame = frame.f_back

    def _count(self, id: str) -> None:
        self._interrupted[id] += 1
        log.error("a game was interrupted: it runs on and on", game=id, times=self._interrupted[id])
        if self._interrupted[id] == TIMES:
            self._leave_out(id, f"it had to be interrupted {TIMES} times")
