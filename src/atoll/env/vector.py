"""Many games of one kind in lockstep, as NumPy arrays, in several processes if asked.

    batch = VectorTable("atacama", games=64, seats=2, seed=1)
    arrays = batch.reset()
    while training:
        arrays = batch.step(actions)          # one action per game, legal by arrays.masks
    batch.close()

A batch that nobody can reach any more gives its processes back, too.

It makes no difference but for speed in how many processes they are played: the same games, arrays, and errors. The
processes write into memory that all see; they need no `if __name__ == "__main__":`. A game that ends is replaced by a
new one at once, unless another `autoreset_mode` is asked for: `dones`, `rewards` and `finals` tell of the one that
ended, all else is the new one's.

By default the learner answers for all seats; with `opponents` for one in each game, and bots for the others.
"""

from __future__ import annotations

import operator
import os
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import atoll
from atoll.engine import Game, IllegalChoice

from .batch import Arrays, Batch, Share, arrays_in, needed, send
from .interface import Interface
from .match import Matches, Opponents, Source
from .rewards import check_reward

__all__ = ["Arrays", "VectorTable"]

_SHARED: Final = Path("/dev/shm")  # noqa: S108 - a folder in it is made for this user alone
_PROGRAM: Final = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from atoll.env.batch import serve; serve()"
)


def _whole(seed: Any) -> int:
    """A seed; Python's generators take others, too, which mean the same as one of these. Raises ValueError."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"seed {seed!r}: allowed are whole numbers from 0")
    return number


def _end_all(workers: list[subprocess.Popen[bytes]]) -> None:
    """End processes; the list is empty then."""
    for worker in workers:
        assert worker.stdin is not None
        with suppress(OSError):
            worker.stdin.close()
    while workers:
        worker = workers.pop()
        try:
            worker.wait(5)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        assert worker.stdout is not None
        worker.stdout.close()


class VectorTable:
    """N games in lockstep; see the module. interface: what is seen and done. actions: how many there are."""

    def __init__(
        self,
        game: str | Game,
        games: int,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "place",
        seed: int = 0,
        processes: int = 1,
        form: str = "flat",
        actions: str = "vocabulary",
        opponents: Opponents | None = None,
        seat: int | None = None,
        seconds: float = 0.05,
        iterations: int | None = None,
        copy: bool = True,
        forgiving: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
    ) -> None:
        """form, actions: see `atoll.env.interface`. opponents, seat, seconds, iterations: see `Matches`.

        copy: whether each step gives new arrays, which stay as they are; else it gives the same ones every time, which
        the next step overwrites. forgiving: an illegal action ends its game and costs the seat 1. autoreset_mode: a
        game that ends is replaced at once ("SameStep"); or its end is what is seen of it, without legal actions, and
        the next step replaces it, whatever the action ("NextStep"), or only `reset` does ("Disabled").
        Raises UnknownGame, SeatCountError, OptionError, UnknownBot, WrongSeat, ValueError.
        """
        if games < 1:
            raise ValueError(f"games {games!r}: allowed are 1 or more")
        if not 1 <= processes <= games:
            raise ValueError(f"processes {processes!r}: allowed are 1 to the number of games ({games})")
        rules = atoll.games[game] if isinstance(game, str) else game
        count = seats if seats is not None else rules.seat_counts[0]
        seen: dict[str, Any] = {"game": rules, "seats": count, "options": options, "form": form, "actions": actions}
        played: dict[str, Any] = {
            "opponents": opponents,
            "seat": seat,
            "seconds": seconds,
            "iterations": iterations,
        }
        self.interface: Interface = Interface(**seen)
        matches = Matches(rules, count, self.interface.options, **played)
        self.actions: int = self.interface.count
        self.games: int = games
        self.mode: AutoresetMode = AutoresetMode(autoreset_mode)
        self._copy: bool = copy
        self._forgiving: bool = forgiving
        self._seed: int | None = _whole(seed)
        self._ready: bool = False
        self._folder: TemporaryDirectory[str] | None = None
        self._workers: list[subprocess.Popen[bytes]] = []
        self._end: Callable[[], Any] = weakref.finalize(self, _end_all, self._workers)
        self._local: Batch | None = None
        bounds = [games * each // processes for each in range(processes + 1)]
        self._slices: list[slice] = [slice(*pair) for pair in pairwise(bounds)]
        size = needed(self.interface, games)
        check_reward(reward)
        if processes == 1:
            self._arrays: Arrays = arrays_in(np.zeros(size, np.uint8), self.interface, games)
            self._local = Batch(self.interface, matches, reward, forgiving, self.mode, self._arrays)
        else:
            memory = self._shared(size)
            self._arrays = arrays_in(np.asarray(np.memmap(memory, np.uint8, "r+")), self.interface, games)
            told: dict[str, Any] = {"reward": reward, "forgiving": forgiving, "mode": self.mode, "games": games}
            self._start([Share(seen, played, **told, first=s.start, end=s.stop, memory=memory) for s in self._slices])

    def _shared(self, size: int) -> Path:
        """A file of that size in memory, if the system has such files; it is gone with the last process."""
        where = _SHARED if os.access(_SHARED, os.W_OK) else None
        self._folder = TemporaryDirectory(prefix="atoll-", dir=where, ignore_cleanup_errors=True)
        path = Path(self._folder.name) / "arrays"
        with path.open("wb") as file:
            file.truncate(size)
        return path

    def _start(self, shares: Sequence[Share]) -> None:
        for share in shares:
            worker = subprocess.Popen([sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
            self._workers.append(worker)
            assert worker.stdin is not None
            send(worker.stdin, sys.path)
            send(worker.stdin, share)
        try:
            self._hear()
        except BaseException:
            self.close()
            raise
        assert self._folder is not None
        self._folder.cleanup()  # all have it open

    @property
    def masks(self) -> NDArray[np.int8]:
        """Which actions are legal now: (games, actions), overwritten by the next step."""
        return self._arrays.masks

    def reset(self, seed: int | None = None, which: NDArray[np.bool_] | None = None) -> Arrays:
        """New games; a seed decides everything from here on. The first time it is that of the start.

        which: a truth value per game, others stay as they are; without, all begin anew.
        Raises TypeError, ValueError for what aren't such, RuntimeError when it is closed, or where games that should
        stay haven't begun.
        """
        seed = self._seed if seed is None else seed
        if seed is None:
            return self.begin([None] * self.games, which)
        first = Random(_whole(seed)).getrandbits(62)
        return self.begin([Random(first ^ each) for each in range(self.games)], which)

    def begin(self, sources: Sequence[Source | None], which: NDArray[np.bool_] | None = None) -> Arrays:
        """New games as by `reset`: per game what decides it and those after it; None: what did so far."""
        told: list[Source | bool] = [True if source is None else source for source in sources]
        if which is not None:
            told = [each if wanted else False for each, wanted in zip(told, self._checked(which), strict=True)]
        self._seed = None
        self._tell("reset", [told[part] for part in self._slices])
        return self._arrays.copy() if self._copy else self._arrays

    def _checked(self, which: Any) -> list[bool]:
        if not isinstance(which, np.ndarray) or which.dtype != np.bool_:
            raise TypeError(f"which games begin anew, {which!r}: allowed is an array of truth values")
        if which.shape != (self.games,) or not which.any():
            raise ValueError(f"which games begin anew, {which!r}: allowed is one truth value for each of {self.games}")
        if not self._ready:
            raise RuntimeError("call reset() for all games first")
        found: list[bool] = which.tolist()
        return found

    def step(self, actions: Sequence[int] | NDArray[Any]) -> Arrays:
        """One action per game.

        Raises IllegalChoice naming the first game whose action isn't legal (unless forgiving), ValueError for what
        aren't as many whole numbers; then nothing was done in any game. Raises RuntimeError before the first reset,
        and naming the first game that is over if only `reset` replaces it.
        """
        if not self._ready:
            raise RuntimeError("call reset() first" if self._local or self._workers else "it is closed")
        found = np.asarray(actions)
        if found.shape != (self.games,):
            raise ValueError(f"actions of shape {found.shape} for {self.games} games: allowed is one for each")
        if found.dtype.kind not in "iu":
            raise ValueError(f"actions of the type {found.dtype}: allowed are whole numbers")
        numbers: list[int] = found.tolist()
        if self.mode is AutoresetMode.DISABLED and self._arrays.dones.any():
            raise RuntimeError(f"game {int(self._arrays.dones.argmax())} is over: reset it first")
        if not self._forgiving:
            self._check(numbers)
        self._tell("step", [numbers[part] for part in self._slices])
        return self._arrays.copy() if self._copy else self._arrays

    def _check(self, actions: Sequence[int]) -> None:
        masks, dones = self._arrays.masks, self._arrays.dones
        for index, action in enumerate(actions):
            if dones[index] and self.mode is AutoresetMode.NEXT_STEP:
                continue
            if not 0 <= action < self.actions:
                raise IllegalChoice(f"game {index}: there is no action {action}; allowed: 0 to {self.actions - 1}")
            if not masks[index, action]:
                raise IllegalChoice(f"game {index}: action {action} isn't legal; see masks[{index}]")

    def _tell(self, method: str, given: Sequence[Any]) -> None:
        """Let all processes do something. Raises what the first of them raised; then all games must begin anew."""
        self._ready = False
        if self._local is not None:
            getattr(self._local, method)(given[0])
        elif not self._workers:
            raise RuntimeError("it is closed")
        else:
            for worker, each in zip(self._workers, given, strict=True):
                assert worker.stdin is not None
                try:
                    send(worker.stdin, (method, each))
                except OSError:
                    self._ended(worker)
            self._hear()
        self._ready = True

    def _hear(self) -> None:
        answers = []
        for worker in self._workers:
            assert worker.stdout is not None
            try:
                answers.append(pickle.load(worker.stdout))  # noqa: S301 - of a process that this one has started
            except EOFError:
                self._ended(worker)
        for answer in answers:
            if answer is not None:
                raise answer

    def _ended(self, worker: subprocess.Popen[bytes]) -> None:
        status = worker.wait()
        self.close()
        raise RuntimeError(f"a process that plays has ended with status {status}; make the batch anew")

    def close(self) -> None:
        """End the processes; nothing can be done then."""
        self._local, self._ready = None, False
        self._end()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> VectorTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
