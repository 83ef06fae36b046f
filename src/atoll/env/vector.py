"""Many games in lockstep, as NumPy arrays, in one or several processes.

```python
batch = VectorGames("atacama", games=64, seats=2, seed=1)
arrays = batch.reset()
while training:
    arrays = batch.step(actions)          # one action per game, legal by arrays.masks
batch.close()
```

A batch that is garbage-collected ends its processes too.

The number of processes changes nothing but speed: games, arrays and errors are the same. The
processes write to shared memory and need no `if __name__ == "__main__":`. By default a game that
ends is replaced immediately: `dones`, `rewards` and `finals` describe the game that ended,
everything else the new one.

By default the learner plays all seats; with `opponents` it plays one seat of each game, and bots
the others.
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

from atoll.engine import Game, IllegalChoice

from .batch import Batch, BatchArrays, WorkerSpec, arrays_in, memory_size, send
from .interface import SpaceCodec, find_game
from .match import MatchFactory, Opponents, Source
from .rewards import check_reward

__all__ = ["BatchArrays", "VectorGames"]

_SHARED: Final = Path("/dev/shm")  # noqa: S108 - it gets a private folder of this user
_PROGRAM: Final = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); from atoll.env.batch import serve; serve()"
)


def _parse_seed(seed: Any) -> int:
    """Return a seed as an int.

    Only nonnegative integers are accepted, because Python's generators give equal results for other
    values.

    Args:
        seed: The seed, or None.

    Raises:
        ValueError: If it isn't an integer of at least 0.
    """
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"invalid seed {seed!r}: expected an integer of at least 0")
    return number


def _end_all(workers: list[subprocess.Popen[bytes]]) -> None:
    """End processes and empty their list."""
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


class VectorGames:
    """Games in lockstep, see the module.

    Attributes:
        interface: Codec of observations and actions.
        actions: Number of actions.
        games: Number of games.
        mode: Replacement of games that end.
    """

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
        components: str | Path | None = None,
    ) -> None:
        """Create the games; call `reset` to start them.

        Games that end are replaced according to `autoreset_mode`:

        - `SameStep`: immediately.
        - `NextStep`: by the next step, for any action. Until then the arrays show the end without
          legal actions.
        - `Disabled`: by `reset`. Until then the arrays show the end without legal actions.

        Args:
            game: The game or its id.
            games: Number of games, at least 1.
            seats: Number of seats; None for the game's `min_multiplayer_seats`.
            options: Options that differ from their defaults; None for none.
            reward: Kind of reward, see `atoll.env.rewards`.
            seed: Seed of the first reset, at least 0.
            processes: Number of processes, 1 to `games`.
            form: Form of the observations, see `atoll.env.interface`.
            actions: Form of the actions, see `atoll.env.interface`.
            opponents: See `MatchFactory`.
            seat: See `MatchFactory`.
            seconds: See `MatchFactory`.
            iterations: See `MatchFactory`.
            copy: Whether each step returns new arrays. If not, the next step overwrites them.
            forgiving: Whether an illegal action ends its game with reward -1 for the seat, instead
                of raising an error.
            autoreset_mode: Replacement of games that end.
            components: TOML file of the components; None for those of the game.

        Raises:
            UnknownGame: If no game has this id.
            ComponentError: If the components can't be read or are invalid.
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            UnknownBot: If no bot has one of these names.
            WrongSeat: If `seat` doesn't exist.
            ValueError: If another argument is invalid.
        """
        if games < 1:
            raise ValueError(f"invalid games {games!r}: expected at least 1")
        if not 1 <= processes <= games:
            raise ValueError(f"invalid processes {processes!r}: expected 1 to the number of games ({games})")
        rules = find_game(game, components)
        count = rules.min_multiplayer_seats if seats is None else seats
        seen: dict[str, Any] = {"game": rules, "seats": count, "options": options, "form": form, "actions": actions}
        played: dict[str, Any] = {
            "opponents": opponents,
            "seat": seat,
            "seconds": seconds,
            "iterations": iterations,
        }
        self.interface: SpaceCodec = SpaceCodec(**seen)
        matches = MatchFactory(rules, count, self.interface.options, **played)
        self.actions: int = self.interface.count
        self.games: int = games
        self.mode: AutoresetMode = AutoresetMode(autoreset_mode)
        self._copy: bool = copy
        self._forgiving: bool = forgiving
        self._seed: int | None = _parse_seed(seed)
        self._ready: bool = False
        self._folder: TemporaryDirectory[str] | None = None
        self._workers: list[subprocess.Popen[bytes]] = []
        self._end: Callable[[], Any] = weakref.finalize(self, _end_all, self._workers)
        self._local: Batch | None = None
        bounds = [games * each // processes for each in range(processes + 1)]
        self._slices: list[slice] = [slice(*pair) for pair in pairwise(bounds)]
        size = memory_size(self.interface, games)
        check_reward(reward)
        if processes == 1:
            self._arrays: BatchArrays = arrays_in(np.zeros(size, np.uint8), self.interface, games)
            self._local = Batch(self.interface, matches, reward, forgiving, self.mode, self._arrays)
        else:
            memory = self._shared(size)
            self._arrays = arrays_in(np.asarray(np.memmap(memory, np.uint8, "r+")), self.interface, games)
            common: dict[str, Any] = {"reward": reward, "forgiving": forgiving, "mode": self.mode, "games": games}
            self._start(
                [WorkerSpec(seen, played, **common, first=s.start, end=s.stop, memory=memory) for s in self._slices]
            )

    def _shared(self, size: int) -> Path:
        """Create a file for shared memory, in memory if possible.

        Args:
            size: Size in bytes.

        Returns:
            The path of the file, which vanishes with the last process.
        """
        where = _SHARED if os.access(_SHARED, os.W_OK) else None
        self._folder = TemporaryDirectory(prefix="atoll-", dir=where, ignore_cleanup_errors=True)
        path = Path(self._folder.name) / "arrays"
        with path.open("wb") as file:
            file.truncate(size)
        return path

    def _start(self, shares: Sequence[WorkerSpec]) -> None:
        """Start the worker processes."""
        for share in shares:
            worker = subprocess.Popen([sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
            self._workers.append(worker)
            assert worker.stdin is not None
            send(worker.stdin, sys.path)
            send(worker.stdin, share)
        try:
            self._wait_for_workers()
        except BaseException:
            self.close()
            raise
        assert self._folder is not None
        self._folder.cleanup()  # all processes have the file open

    @property
    def masks(self) -> NDArray[np.int8]:
        """The action masks: (games, actions). The next step overwrites them."""
        return self._arrays.masks

    def reset(self, seed: int | None = None, which: NDArray[np.bool_] | None = None) -> BatchArrays:
        """Start new games.

        Args:
            seed: Seed of everything that follows; None to continue, or for the seed of the
                constructor at the first reset.
            which: Whether to reset each game: (games,); None to reset all.

        Returns:
            The arrays.

        Raises:
            TypeError: If `which` isn't a boolean array.
            ValueError: If the seed is invalid, or `which` has the wrong length or resets no game.
            RuntimeError: If a game that isn't reset hasn't begun, or the batch is closed.
        """
        seed = self._seed if seed is None else seed
        if seed is None:
            return self.reset_with_sources([None] * self.games, which)
        first = Random(_parse_seed(seed)).getrandbits(62)
        return self.reset_with_sources([Random(first ^ each) for each in range(self.games)], which)

    def reset_with_sources(
        self, sources: Sequence[Source | None], which: NDArray[np.bool_] | None = None
    ) -> BatchArrays:
        """Start new games with given sources of chance, otherwise like `reset`.

        Args:
            sources: Per game, the source of its chance and that of the games after it; None to
                continue with its last source.
            which: Whether to reset each game: (games,); None to reset all.

        Returns:
            The arrays.

        Raises:
            TypeError: If `which` isn't a boolean array.
            ValueError: If `which` has the wrong length or resets no game.
            RuntimeError: If a game that isn't reset hasn't begun, or the batch is closed.
        """
        resets: list[Source | bool] = [True if source is None else source for source in sources]
        if which is not None:
            resets = [each if wanted else False for each, wanted in zip(resets, self._parse_mask(which), strict=True)]
        self._seed = None
        self._call_workers("reset", [resets[part] for part in self._slices])
        return self._arrays.copy() if self._copy else self._arrays

    def _parse_mask(self, which: Any) -> list[bool]:
        """Return the mask of games to reset as a list.

        Args:
            which: The mask, with one bool per game.

        Raises:
            TypeError: If it isn't a boolean array.
            ValueError: If it has the wrong length or resets no game.
            RuntimeError: If the games haven't begun.
        """
        if not isinstance(which, np.ndarray) or which.dtype != np.bool_:
            raise TypeError(f"invalid mask of games {which!r}: expected a boolean array")
        if which.shape != (self.games,) or not which.any():
            raise ValueError(
                f"invalid mask of games {which!r}: expected a value for each of {self.games}, one of them true"
            )
        if not self._ready:
            raise RuntimeError("call reset() for all games first")
        found: list[bool] = which.tolist()
        return found

    def step(self, actions: Sequence[int] | NDArray[Any]) -> BatchArrays:
        """Apply one action per game.

        If an error is raised for the actions, no game has changed. If the rules or a bot fail, all
        games must be reset.

        Args:
            actions: The actions, one integer per game.

        Returns:
            The arrays.

        Raises:
            IllegalChoice: If an action isn't legal and the batch isn't forgiving; the message names
                the first such game.
            ValueError: If there isn't one integer per game.
            RuntimeError: If the games haven't begun, the batch is closed, a worker process has
                died, or a game is over that only `reset` replaces.
            AtollError: If the rules or a bot fail.
        """
        if not self._ready:
            raise RuntimeError("call reset() first" if self._local or self._workers else "the batch is closed")
        found = np.asarray(actions)
        if found.shape != (self.games,):
            raise ValueError(f"actions of shape {found.shape} for {self.games} games: expected one for each")
        if found.dtype.kind not in "iu":
            raise ValueError(f"actions of the type {found.dtype}: expected integers")
        numbers: list[int] = found.tolist()
        if self.mode is AutoresetMode.DISABLED and self._arrays.dones.any():
            raise RuntimeError(f"game {int(self._arrays.dones.argmax())} is over: reset it first")
        if not self._forgiving:
            self._check(found)
        self._call_workers("step", [numbers[part] for part in self._slices])
        return self._arrays.copy() if self._copy else self._arrays

    def _check(self, actions: NDArray[Any]) -> None:
        """Reject actions that aren't legal.

        Args:
            actions: The actions, one per game.

        Raises:
            IllegalChoice: If an action isn't legal; the message names the first such game.
        """
        inside = (actions >= 0) & (actions < self.actions)
        fits = self._arrays.masks[np.arange(self.games), np.where(inside, actions, 0)] > 0
        fits &= inside
        if self.mode is AutoresetMode.NEXT_STEP:
            fits |= self._arrays.dones
        if fits.all():
            return
        index = int(fits.argmin())
        action = int(actions[index])
        if not inside[index]:
            raise IllegalChoice(f"game {index}: invalid action {action}: expected 0 to {self.actions - 1}")
        raise IllegalChoice(f"game {index}: action {action} isn't legal; see masks[{index}]")

    def _call_workers(self, method: str, given: Sequence[Any]) -> None:
        """Let all processes call a method of their `Batch`.

        Args:
            method: Name of the method.
            given: Argument of each process.

        Raises:
            RuntimeError: If the batch is closed, or a worker process has died.
            Exception: The first error of a worker; all games must be reset then.
        """
        self._ready = False
        if self._local is not None:
            getattr(self._local, method)(given[0])
        elif not self._workers:
            raise RuntimeError("the batch is closed")
        else:
            for worker, each in zip(self._workers, given, strict=True):
                assert worker.stdin is not None
                try:
                    send(worker.stdin, (method, each))
                except OSError:
                    self._raise_worker_died(worker)
            self._wait_for_workers()
        self._ready = True

    def _wait_for_workers(self) -> None:
        """Wait for the answers of all processes, and raise the first error among them."""
        answers = []
        for worker in self._workers:
            assert worker.stdout is not None
            try:
                answers.append(pickle.load(worker.stdout))  # noqa: S301 - from a child process
            except EOFError:
                self._raise_worker_died(worker)
        for answer in answers:
            if answer is not None:
                raise answer

    def _raise_worker_died(self, worker: subprocess.Popen[bytes]) -> None:
        """Close the batch after a worker process has died.

        Args:
            worker: The process.

        Raises:
            RuntimeError: Always.
        """
        status = worker.wait()
        self.close()
        raise RuntimeError(f"a worker process ended with status {status}; create a new batch")

    def close(self) -> None:
        """End the processes; the batch can't be used anymore."""
        self._local, self._ready = None, False
        self._end()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> VectorGames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
