"""Bots as processes: each thinks in a worker with a deadline and a memory limit, never in the server."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
import structlog

log = structlog.get_logger(__name__)

_START_S = 30.0
"""How long a worker may take to start: importing a game on a busy machine."""


class BotFailed(Exception):
    """The bot gave no answer: it broke down, took too long or too much memory. The message says which."""


class _Worker:
    """One process, one question at a time, as lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process: asyncio.subprocess.Process = process

    @classmethod
    async def start(cls, settings: dict[str, Any]) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "atoll.server.worker",
            msgspec.json.encode(settings).decode(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        return cls(process)

    async def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(question) + b"\n")
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise BotFailed(f"the worker ended with status {await self.process.wait()}")
        answer: dict[str, Any] = msgspec.json.decode(line)
        return answer

    async def kill(self) -> None:
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()


class BotPool:
    """A fixed number of workers. They are started when first needed, and again after one had to be killed."""

    def __init__(
        self,
        workers: int,
        *,
        seconds: float,
        memory: int,
        plugins: Sequence[str] = (),
        components: Sequence[str] = (),
    ) -> None:
        self._seconds: float = seconds
        self._settings: dict[str, Any] = {
            "memory": memory,
            "plugins": list(plugins),
            "components": list(components),
        }
        self._free: asyncio.LifoQueue[_Worker | None] = asyncio.LifoQueue()
        for _ in range(max(1, workers)):
            self._free.put_nowait(None)
        self._all: set[_Worker] = set()

    async def warm(self) -> None:
        """Start one worker ahead, so that the first bot move doesn't wait for it."""
        with contextlib.suppress(BotFailed, OSError):
            async with self._worker():
                pass

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator[_Worker]:
        worker = await self._free.get()
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
            # What it is doing now nobody wants to know any more.
            if worker is not None:
                await self._end(worker)
                worker = None
            raise
        finally:
            self._free.put_nowait(worker)

    async def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        await worker.kill()

    async def choose(self, saved: str, seat: int, level: str, seed: int) -> list[int]:
        """A bot's choices for a seat that is asked. Raises BotFailed."""
        question = {"saved": saved, "seat": seat, "level": level, "seconds": self._seconds, "seed": seed}
        try:
            async with self._worker() as worker, asyncio.timeout(self._seconds + 1.0):
                answer = await worker.ask(question)
        except TimeoutError:
            raise BotFailed(f"no answer within {self._seconds:.1f} s") from None
        except (OSError, ValueError, msgspec.DecodeError) as error:
            raise BotFailed(f"the worker broke down: {error}") from None
        if "choices" not in answer:
            raise BotFailed(str(answer.get("error", "no answer"))[:500])
        return list(answer["choices"])

    async def close(self) -> None:
        """End all workers."""
        for worker in tuple(self._all):
            await self._end(worker)
