"""Runs the games of a plan in this process, on all cores, or on a Ray cluster.

The games and their order are always the same.
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
from typing import Any, Final

from .plan import PlanError, SimulationPlan
from .play import Row, play_batch

Batch = tuple[list[list[Row]], float]
Play = Callable[[SimulationPlan, Sequence[int]], Batch]

ENGINES: Final = ("local", "ray")
_BATCH_S: Final = 0.5  # target time of a batch: the overhead is small, and progress is visible
_LARGEST: Final = 2000  # games of a batch
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
        workers: Number of processes; 0 for one per core (local), or for all of the cluster (ray).
        engine: `local` or `ray`.
        play: Function that plays the games of a batch.

    Yields:
        The batches in order: the rows of each game, and the time of the batch in seconds.

    Raises:
        PlanError: If the engine is unknown or not installed, or `workers` is negative.
        AtollError: If the rules or a bot fail in a game.
    """
    if engine not in ENGINES:
        raise PlanError(f"unknown engine {engine!r}; allowed: {', '.join(ENGINES)}")
    if workers < 0:
        raise PlanError(f"{workers} workers; allowed: 0 (one per core) or more")
    if not numbers:
        return
    # The time of the first game determines the size of the batches.
    first = play(plan, numbers[:1])
    yield first
    size = max(1, min(_LARGEST, int(_BATCH_S / max(first[1], 1e-6))))
    rest = numbers[1:]
    count = workers or workers_here()
    if engine == "local":
        size = max(1, min(size, -(-len(rest) // count)))
    batches = [rest[start : start + size] for start in range(0, len(rest), size)]
    if engine == "ray":
        yield from _on_ray(plan, batches, workers, play)
    elif count == 1 or len(batches) < 2:
        yield from (play(plan, batch) for batch in batches)
    else:
        yield from _on_cores(plan, batches, count, play)


def _on_cores(plan: SimulationPlan, batches: Sequence[range], workers: int, play: Play) -> Iterator[Batch]:
    """Yield the batches, played by processes of this machine."""
    with worker_processes(workers) as pool:

        def begin(batch: range) -> Future[Batch]:
            """Submit a batch."""
            with ignore_interrupts_in_workers():  # the pool starts processes when work is submitted
                return pool.submit(play, plan, batch)

        waiting = deque(begin(batch) for batch in batches[: _AHEAD * workers])
        for batch in batches[_AHEAD * workers :]:
            yield waiting.popleft().result()
            waiting.append(begin(batch))
        while waiting:
            yield waiting.popleft().result()


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


def _on_ray(plan: SimulationPlan, batches: Sequence[range], workers: int, play: Play) -> Iterator[Batch]:
    """Yield the batches, played by a Ray cluster.

    Args:
        plan: The plan.
        batches: Numbers of the games of each batch.
        workers: Number of workers; 0 for one per core.
        play: Function that plays a batch.

    Raises:
        PlanError: If Ray isn't installed.
    """
    try:
        import ray  # noqa: PLC0415 - an extra that may not be installed
    except ImportError:
        raise PlanError("this engine needs the extra: pip install '.[ray]' in the clone") from None
    started = not ray.is_initialized()
    if started:
        ray.init(num_cpus=workers or None, include_dashboard=False, log_to_driver=False)
    try:
        resources: Callable[[], dict[str, float]] = ray.cluster_resources
        remote: Callable[..., Any] = ray.remote(play).remote
        shared = ray.put(plan)
        waiting: deque[Any] = deque()
        most = 3 * max(1, int(resources().get("CPU", 1)))
        for batch in batches:
            waiting.append(remote(shared, batch))
            if len(waiting) >= most:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    finally:
        if started:
            ray.shutdown()
