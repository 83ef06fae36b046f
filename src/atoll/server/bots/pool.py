"""A pool of worker processes for bots, with time and memory limits; no bot runs in the server.

Workers also do other work that may take long or is untrusted, such as the replay of a game to
verify it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import sys
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
import structlog
from typing_extensions import override

from atoll.engine import SaveError
from atoll.lessons.coach import BlunderWarning

from ..domain import metrics
from ..play.ports import BotFailed, BotWorkers, Watch
from ..table.chance_verdict import Verdict

log = structlog.get_logger(__name__)

_START_S = 30.0
"""Seconds that a worker may take to start, which imports games on a busy machine."""

_LATE_S = 1.0
"""Seconds to wait for a bot after its time is over."""


class _Worker:
    """One process that answers one question at a time, as lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: asyncio.subprocess.Process = process

    @classmethod
    async def start(cls, settings: dict[str, Any]) -> _Worker:
        """Start a process with these settings."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "atoll.server.bots.worker",
            msgspec.json.encode(settings).decode(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        return cls(process)

    async def ask(self, question: dict[str, Any], watch: Watch = lambda done, of: None) -> dict[str, Any]:
        """Return the answer to a question; `watch` receives the progress.

        Args:
            question: The question.
            watch: Receives the progress.

        Raises:
            BotFailed: If the process ends.
        """
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(question) + b"\n")
        await self.process.stdin.drain()
        while True:
            line = await self.process.stdout.readline()
            if not line:
                raise BotFailed(f"the worker ended with status {await self.process.wait()}")
            answer: dict[str, Any] = msgspec.json.decode(line)
            if "done" not in answer:
                return answer
            watch(answer["done"], answer["of"])

    async def kill(self) -> None:
        """Kill the process and wait for its end."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()


class _FairQueue:
    """A queue of free workers. It serves each key in turn, and the first request of a key first.

    Args:
        workers: Number of workers. None of them is started yet.
    """

    def __init__(self, workers: int) -> None:
        self._free: list[_Worker | None] = [None] * workers
        self._waiting: OrderedDict[str, deque[asyncio.Future[_Worker | None]]] = OrderedDict()

    async def get(self, key: str) -> _Worker | None:
        """Wait for a worker; None stands for one that must be started."""
        if self._free:
            return self._free.pop()
        future: asyncio.Future[_Worker | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if not future.cancelled():
                self.put(future.result())
            raise

    def put(self, worker: _Worker | None) -> None:
        """Give a worker to the next one who waits."""
        while self._waiting:
            key, futures = self._waiting.popitem(last=False)
            future = futures.popleft()
            if futures:
                self._waiting[key] = futures  # at the end
            if not future.done():
                future.set_result(worker)
                return
        self._free.append(worker)


class BotPool(BotWorkers):
    """A fixed number of workers, started when needed and again after one was killed.

    Hosts of tables are served in turn: bots at forty tables of one host don't delay others.

    Args:
        workers: Number of workers.
        seconds: Longest time for a bot's decision, in seconds.
        memory: Memory limit of each process in bytes.
        nice: Increment of the process priority number; higher values yield to other processes.
        components: Component files that replace those of games.
    """

    def __init__(
        self,
        workers: int,
        *,
        seconds: float,
        memory: int,
        nice: int = 0,
        components: Sequence[str] = (),
    ) -> None:
        self._seconds: float = seconds
        self._settings: dict[str, Any] = {"memory": memory, "nice": nice, "components": list(components)}
        self._queue: _FairQueue = _FairQueue(max(1, workers))
        self._all: set[_Worker] = set()

    async def warm(self) -> None:
        """Start one worker early, so that the first bot move doesn't wait for it."""
        with contextlib.suppress(BotFailed, OSError):
            async with self._worker(""):
                pass

    @contextlib.asynccontextmanager
    async def _worker(self, host: str) -> AsyncIterator[_Worker]:
        asked = time.monotonic()
        worker = await self._queue.get(host)
        metrics.BOT_QUEUE_SECONDS.observe(time.monotonic() - asked)
        try:
            if worker is None or worker.process.returncode is not None:
                worker = None
                fresh = await _Worker.start(self._settings)
                self._all.add(fresh)
                try:
                    async with asyncio.timeout(_START_S):
                        await fresh.ask({})
                except TimeoutError:
                    await self._end(fresh)
                    raise BotFailed(f"the worker didn't start within {_START_S:.0f} s") from None
                except BaseException:
                    await self._end(fresh)
                    raise
                worker = fresh
            yield worker
        except BaseException:
            # The result of the current question isn't needed any more.
            if worker is not None:
                await self._end(worker)
                worker = None
            raise
        finally:
            self._queue.put(worker)

    async def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        await worker.kill()

    @override
    async def choose(
        self, saved: str, seat: int, level: str, seed: int, seconds: float = math.inf, *, host: str = ""
    ) -> list[int]:
        most = min(seconds, self._seconds)
        question = {"ask": "choose", "saved": saved, "seat": seat, "level": level, "seed": seed, "seconds": most}
        return list(await self._ask("choices", question, most + _LATE_S, host=host))

    @override
    async def advise(
        self,
        saved: str,
        seat: int,
        staged: Sequence[int],
        seconds: float,
        seed: int,
        *,
        wait: float = 20.0,
        iterations: int | None = None,
    ) -> dict[str, Any]:
        question = {"ask": "advise", "saved": saved, "seat": seat, "staged": list(staged)}
        question |= {"seconds": seconds, "seed": seed, "iterations": iterations}
        return dict(await self._ask_soon("advice", question, seconds, wait))

    @override
    async def warn(
        self, saved: str, seat: int, choices: Sequence[int], seconds: float, seed: int, *, wait: float = 3.0
    ) -> BlunderWarning | None:
        question = {"ask": "warn", "saved": saved, "seat": seat, "choices": list(choices)}
        found = await self._ask("caution", {**question, "seconds": seconds, "seed": seed}, 3 * seconds + wait)
        return None if found is None else msgspec.convert(found, BlunderWarning)

    @override
    async def analyse(
        self,
        saved: str,
        steps: Sequence[tuple[int, int]],
        seconds: float,
        seed: int,
        watch: Watch,
        *,
        iterations: int | None = None,
    ) -> dict[str, Any]:
        question = {"ask": "analyse", "saved": saved, "steps": list(steps), "seconds": seconds, "seed": seed}
        # On a busy machine, waiting costs less than starting over.
        return dict(await self._ask("analysis", {**question, "iterations": iterations}, 3 * seconds + _START_S, watch))

    @override
    async def verify(self, text: str, kept: str, seconds: float, *, wait: float = 20.0) -> Verdict:
        answer = await self._ask_soon("verified", {"ask": "verify", "text": text, "kept": kept}, seconds, wait)
        if "wrong" in answer:
            raise SaveError(answer["wrong"])
        return msgspec.convert(answer["verdict"], Verdict)

    async def _ask_soon(self, wanted: str, question: dict[str, Any], seconds: float, wait: float) -> Any:
        """Return an answer as `_ask` does, with a limit on the time in the queue.

        Args:
            wanted: Key of the answer.
            question: The question.
            seconds: Time for the answer.
            wait: Longest time in the queue.

        Raises:
            BotFailed: If there was no answer in time.
        """
        try:
            async with asyncio.timeout(wait + seconds):
                return await self._ask(wanted, question, seconds + wait)
        except TimeoutError:
            raise BotFailed(f"no worker was free within {wait:.0f} s") from None

    async def _ask(
        self,
        wanted: str,
        question: dict[str, Any],
        seconds: float,
        watch: Watch = lambda done, of: None,
        *,
        host: str = "",
    ) -> Any:
        """Return one part of a worker's answer.

        Args:
            wanted: Key of the answer.
            question: The question.
            seconds: Time for the answer.
            watch: Receives the progress.
            host: Host of the table; "" for work that belongs to none.

        Raises:
            BotFailed: If the worker fails, doesn't answer in time, or reports an error.
        """
        try:
            async with self._worker(host) as worker, asyncio.timeout(seconds):
                answer = await worker.ask(question, watch)
        except TimeoutError:
            raise BotFailed(f"no answer within {seconds:.1f} s") from None
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise BotFailed(f"the worker failed: {error}") from None
        if wanted not in answer:
            raise BotFailed(str(answer.get("error", "no answer"))[:500])
        return answer[wanted]

    async def close(self) -> None:
        """End all workers."""
        for worker in tuple(self._all):
            await self._end(worker)
