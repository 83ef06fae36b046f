"""A bot that decides by a search, in one or several processes.

The processes search independently, and their visits at the root are added (root parallelization:
Cazenave, Jouandeau 2007).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from time import perf_counter
from typing import Any, Final

from mypy_extensions import mypyc_attr

from atoll.engine import SeatView

from .search import Evaluator, Search, SearchParameters, SearchResult, game_tuning
from .seeds import derive_seed

_START_S: Final = 0.15  # minimum time for which additional processes are worth their start
_SPARE: Final = 0.03  # part of the time that is reserved for the answer itself
_LATE_S: Final = 0.03  # time after the end to wait for additional processes


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchBot:
    """Decides by ISMCTS within its time.

    Attributes:
        tuning: Parameters of the search; None for the game's.
        iterations: Number of iterations per decision, for any time they take; None for the time
            limit.
        processes: Number of processes that search at once, if there is enough time.
        clock: Function that returns the time in seconds. With a clock other than the wall clock, it
            searches in one process.
        share: Part of its time that it uses, 0 to 1.
        net: Evaluator that replaces rollouts; None for none.
    """

    def __init__(
        self,
        tuning: SearchParameters | None = None,
        *,
        iterations: int | None = None,
        processes: int = 1,
        clock: Callable[[], float] = perf_counter,
        share: float = 1.0,
        net: Evaluator | None = None,
    ) -> None:
        self.tuning: SearchParameters | None = tuning
        self.iterations: int | None = iterations
        self.processes: int = processes
        self.clock: Callable[[], float] = clock
        self.share: float = share
        self.net: Evaluator | None = net

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the choice with the most visits, or one as good that ends the game sooner.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        if len(seat_view.legal) == 1:
            return list(seat_view.legal)
        return [self.decided(self.explore(seat_view, budget, seed), seat_view, seed)]

    def decided(self, findings: SearchResult, seat_view: SeatView, seed: int) -> int:
        """Return the choice that the bot takes after a search.

        Args:
            findings: Result of the search.
            seat_view: View of the seat.
            seed: Seed of the bot.
        """
        return findings.decided(seat_view.legal)

    def explore(self, seat_view: SeatView, budget: float, seed: int) -> SearchResult:
        """Return the result of a search within the budget.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the search.
        """
        start = self.clock()
        tuning = self.tuning or game_tuning(seat_view.game)
        seconds = budget * self.share
        end = start + seconds * (1 - _SPARE)
        iterations = None if self.iterations is None else max(1, int(self.iterations * self.share))
        net = self._evaluator(seat_view)
        helpers = _WorkerPool(seat_view, tuning, seed, end, iterations, self._worker_count(seconds), net)
        findings = Search(seat_view, tuning, derive_seed(seed, 0), clock=self.clock, net=net).run(end, iterations)
        for other in helpers.collect(end):
            findings.add(other)
        return findings

    def _evaluator(self, seat_view: SeatView) -> Evaluator | None:
        """Return the evaluator for a decision; None for rollouts."""
        return self.net

    def _worker_count(self, seconds: float) -> int:
        """Return the number of additional processes that are worthwhile."""
        if self.clock is not perf_counter or (self.iterations is None and seconds < _START_S):
            return 0
        return self.processes - 1 if "fork" in multiprocessing.get_all_start_methods() else 0


class _WorkerPool:
    """Additional processes that search the same decision with other seeds.

    They are forked, so nothing must be copied to them.
    """

    def __init__(
        self,
        seat_view: SeatView,
        tuning: SearchParameters,
        seed: int,
        end: float,
        iterations: int | None,
        count: int,
        net: Evaluator | None,
    ) -> None:
        self._processes: list[Any] = []
        self._lines: list[Connection] = []
        self._patient: bool = iterations is not None
        if not count:
            return
        context = multiprocessing.get_context("fork")
        for number in range(1, count + 1):
            here, there = context.Pipe(duplex=False)
            search = Search(seat_view, tuning, derive_seed(seed, number), net=net)
            process = context.Process(target=_search_and_send, args=(search, end, iterations, there), daemon=True)
            process.start()
            there.close()
            self._processes.append(process)
            self._lines.append(here)

    def collect(self, end: float) -> list[SearchResult]:
        """Return the results of the processes that answer in time, always in the same order."""
        found: dict[int, SearchResult] = {}
        waiting = dict(zip(map(id, self._lines), range(len(self._lines)), strict=True))
        while waiting:
            left = None if self._patient else max(0.0, end + _LATE_S - perf_counter())
            ready = wait([line for line in self._lines if id(line) in waiting], left)
            if not ready:
                break
            for line in ready:
                assert isinstance(line, Connection)
                number = waiting.pop(id(line))
                with suppress(EOFError):
                    found[number] = line.recv()
        for process, line in zip(self._processes, self._lines, strict=True):
            line.close()
            if process.is_alive():
                process.kill()
            process.join()
        return [found[number] for number in sorted(found)]


def _search_and_send(search: Search, end: float, iterations: int | None, line: Connection) -> None:
    """Search in an additional process, and send the result."""
    line.send(search.run(end, iterations))
    line.close()
