"""A guard that interrupts third-party games which run too long, so that other tables continue.

Rules, pictures and texts run in the thread of the event loop. The loop sets a beat at regular
intervals. If the beat stops during code of a third-party game, that code gets a `RulesTimeout`, as
if it had failed on its own. After a failure of rules the table stops and waits for repair; after a
failure of a picture or text the page leaves it out. A game that is interrupted repeatedly is
excluded until the server restarts. Atoll's own games are never interrupted.

The guard can't interrupt a call into C, code that catches all exceptions, or threads that a game
has started. It does nothing on systems without signals to threads (Windows).
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
"""Seconds of processor time after which code is interrupted."""

PATIENCE_S: Final = 20.0
"""Seconds after which code is interrupted even if it only waits."""

TIMES: Final = 3
"""Number of interruptions after which a game is excluded."""

_EVERY_S: Final = 0.5

log = structlog.get_logger(__name__)


class RulesTimeout(RulesError):
    """Code of a game has run too long."""


class RunawayGuard:
    """Interrupts third-party games that run too long.

    Args:
        games: The third-party games by id.
        leave_out: Called with the id and the reason when a game was interrupted too often.
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
        """Guard the event loop until canceled.

        It must run in the main thread, because only that thread can be interrupted.
        """
        if not self._games or threading.current_thread() is not threading.main_thread():
            return
        if not hasattr(signal, "pthread_kill"):
            return
        self._loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self._record_beat()
        before = signal.signal(signal.SIGVTALRM, self._interrupt)
        thread = threading.Thread(target=self._watch, args=(threading.get_ident(),), name="watch", daemon=True)
        thread.start()
        try:
            while True:
                self._record_beat()
                await asyncio.sleep(_EVERY_S)
        finally:
            self._ended.set()
            thread.join()
            signal.signal(signal.SIGVTALRM, before)

    def _record_beat(self) -> None:
        self._beat = time.thread_time(), time.monotonic()

    def _watch(self, watched: int) -> None:
        """Signal the watched thread while the loop's beat has stopped. Runs in its own thread."""
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
                self._record_beat()
                self._loop.call_soon_threadsafe(self._count, id)
                raise RulesTimeout(f"{id} ran for {used:.1f} s of processor time, {waited:.1f} s in all")
            frame = frame.f_back

    def _count(self, id: str) -> None:
        self._interrupted[id] += 1
        log.error("a game was interrupted: it runs on and on", game=id, times=self._interrupted[id])
        if self._interrupted[id] == TIMES:
            self._leave_out(id, f"it had to be interrupted {TIMES} times")
