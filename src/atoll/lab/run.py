"""Runs the games of a plan in this process, on all cores, or on a Ray cluster.

The games and their order are always the same. Ray uses the cluster at `RAY_ADDRESS`, or starts one
on this machine.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from signal import SIG_IGN, SIGINT, signal
from typing import Any, Final, Protocol

from .plan import PlanError, SimulationPlan
from .play import Row, play_batch

Batch = tuple[list[list[Row]], float]
Play = Callable[[SimulationPlan, Sequence[int]], Batch]

ENGINES: Final = ("local", "ray")
_BATCH_S: Final = 0.5  # target time of a batch: the overhead is small, and progress is visible
_LARGEST: Final = 2000  # games of a batch
_WORTH_S: Final = 1.0  # time of games for which it is worth starting processes, which import the rules again
_PARENT_CHECK_S: Final = 0.5  # interval at which a worker checks whether its parent is alive
_AHEAD: Final = 3  # submitted batches per process: none waits for work, and few are wasted


def workers_here() -> int:
    """Return the number of processes that this machine can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    plan: SimulationPlan,
    numbers: range,
    *,
    workers: int = 0,
    engine: str = "local",
    play: Play = play_batch,
) -> Iterator[Batch]:
    """Play games of a plan.

    Args:
        plan: The plan.
        numbers: Numbers of the games.
        workers: Number of processes; 0 for one per core (local), unless the games take less time
            than their start, or for all of the cluster (ray).
        engine: `local` or `ray`.
        play: Function that plays the games of a batch.

    Yields:
        The batches in order: the rows of each game, and the time of the batch in seconds.

    Raises:
        PlanError: If the engine is unknown or not installed, or `workers` is negative.
        AtollError: If the rules or a bot fail in a game.
    """
    check_engine(engine, workers)
    if not numbers:
        return
    # The time of the first game determines the size of the batches.
    first = play(plan, numbers[:1])
    yield first
    size = max(1, min(_LARGEST, int(_BATCH_S / max(first[1], 1e-6))))
    rest = numbers[1:]
    is_short = not workers and first[1] * len(rest) < _WORTH_S
    count = 1 if is_short else workers or workers_here()
    if engine == "local":
        size = max(1, min(size, -(-len(rest) // count)))
    batches = [rest[start : start + size] for start in range(0, len(rest), size)]
    if engine == "local" and (count == 1 or len(batches) < 2):
        yield from (play(plan, batch) for batch in batches)
    elif batches:
        yield from _in_pool(plan, batches, engine, workers, play)


def check_engine(engine: str, workers: int) -> None:
    """Reject an unknown engine, and a negative number of workers.

    Args:
        engine: The engine.
        workers: Number of processes.

    Raises:
        PlanError: If one of them is invalid.
    """
    if engine not in ENGINES:
        raise PlanError(f"unknown engine {engine!r}; allowed: {', '.join(ENGINES)}")
    if workers < 0:
        raise PlanError(f"{workers} workers; allowed: 0 (one per core) or more")


def _in_pool(plan: SimulationPlan, batches: Sequence[range], engine: str, workers: int, play: Play) -> Iterator[Batch]:
    """Yield the batches in order, played by a pool."""
    with worker_pool(engine, workers) as pool:
        shared = pool.share(plan)
        ahead = _AHEAD * pool.size
        waiting = deque(pool.submit(play, shared, batch) for batch in batches[:ahead])
        for batch in batches[ahead:]:
            yield waiting.popleft().result()
            waiting.append(pool.submit(play, shared, batch))
        while waiting:
            yield waiting.popleft().result()


class Result(Protocol):
    """The result of a call in a pool."""

    def result(self) -> Any:
        """Return the result, or raise the exception of the call."""


class WorkerPool(Protocol):
    """Processes that call functions.

    Attributes:
        size: Number of calls at once.
    """

    size: int

    def share(self, value: Any) -> Any:
        """Return the argument by which many calls get the same value."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Result:
        """Call a function of a module in one of the processes."""


@contextmanager
def worker_pool(engine: str, workers: int) -> Iterator[WorkerPool]:
    """Provide a pool.

    Args:
        engine: `local` or `ray`.
        workers: Number of processes; 0 for one per core (local), or for all of the cluster (ray).

    Yields:
        The pool.

    Raises:
        PlanError: If the engine is unknown or not installed, or `workers` is negative.
    """
    check_engine(engine, workers)
    if engine == "ray":
        with _ray_pool(workers) as pool:
            yield pool
        return
    count = workers or workers_here()
    with worker_processes(count) as processes:
        yield _LocalPool(count, processes)


class _LocalPool:
    """Processes of this machine."""

    def __init__(self, size: int, processes: ProcessPoolExecutor) -> None:
        self.size: int = size
        self._processes: ProcessPoolExecutor = processes

    def share(self, value: Any) -> Any:
        """Return the value itself."""
        return value

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Call a function of a module in one of the processes."""
        with ignore_interrupts_in_workers():  # the pool starts processes when work is submitted
            return self._processes.submit(function, *arguments)


class _RayPool:
    """The tasks of a Ray cluster."""

    def __init__(self, ray: Any, size: int) -> None:
        self.size: int = size
        self._ray: Any = ray
        self._remote: dict[Callable[..., Any], Any] = {}

    def share(self, value: Any) -> Any:
        """Return a reference to the value, which each machine of the cluster gets once."""
        return self._ray.put(value)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> _RayResult:
        """Call a function of a module in a task."""
        if function not in self._remote:
            self._remote[function] = self._ray.remote(function)
        return _RayResult(self._ray, self._remote[function].remote(*arguments))


class _RayResult:
    """The result of a Ray task."""

    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray: Any = ray
        self._reference: Any = reference

    def result(self) -> Any:
        """Return the result, or raise the exception of the call without Ray's report on it."""
        try:
            return self._ray.get(self._reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None


@contextmanager
def _ray_pool(workers: int) -> Iterator[_RayPool]:
    """Provide the cluster at `RAY_ADDRESS`, or one of this machine; a cluster in use stays open.

    Args:
        workers: Number of tasks at once; 0 for one per core.

    Yields:
        The pool.

    Raises:
        PlanError: If Ray isn't installed, or no cluster answers at the address.
    """
    try:
        import ray  # noqa: PLC0415 - an extra that may not be installed
    except ImportError:
        raise PlanError("this engine needs the extra: pip install 'atoll[ray]', or '.[ray]' in a clone") from None
    started = not ray.is_initialized()
    address = os.environ.get("RAY_ADDRESS")
    if started and address:
        try:
            ray.init(address, log_to_driver=False)
        except ConnectionError as error:
            raise PlanError(f"RAY_ADDRESS {address!r}: no cluster answers: {error}") from None
    elif started:
        ray.init("local", num_cpus=workers or None, include_dashboard=False, log_to_driver=False)
    try:
        resources: Callable[[], dict[str, float]] = ray.cluster_resources
        yield _RayPool(ray, workers or max(1, int(resources().get("CPU", 1))))
    finally:
        if started:
            ray.shutdown()


@contextmanager
def worker_processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Provide a pool of processes that end with this one.

    Work that hasn't begun is dropped when the context ends. After an exception, running work is
    dropped too.

    Args:
        count: Number of processes.

    Yields:
        The pool.
    """
    others = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=exit_with_parent, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        for each in set(multiprocessing.active_children()) - others:
            each.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def exit_with_parent(starter: int) -> None:
    """Make this process end when its parent has ended, even if the parent was killed.

    Args:
        starter: Process id of the parent.
    """

    def watch() -> None:
        """Exit as soon as this process has another parent."""
        while os.getppid() == starter:
            time.sleep(_PARENT_CHECK_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name=f"ends with {starter}").start()


@contextmanager
def ignore_interrupts_in_workers() -> Iterator[None]:
    """Ignore Ctrl+C in processes that start within the context.

    Only this process handles it, and ends its workers silently.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set signal handlers
        yield
        return
    before = signal(SIGINT, SIG_IGN)
    try:
        yield
    finally:
        signal(SIGINT, before)
