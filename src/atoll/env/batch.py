"""Some games in lockstep in this process, which write into arrays that somebody else may see, too.

Run as a program it is a process of `atoll.env.vector.VectorTable`, and listens to it: `serve`.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .interface import Interface
from .match import Match, Matches, Source, next_random
from .rewards import rewards_of

_ALIGNED: Final = 64  # bytes


@dataclass(slots=True)
class Arrays:
    """One moment of all N games.

    observations: (N, ...) int32 or (`onehot`) float32, of the seat that is asked. masks: (N, actions) int8.
    seats: (N,) who is asked.
    rewards: (N, number of seats) float32, not 0 only where a game has just ended; exact: the same as float64.
    dones: (N,) bool.
    finals: as observations; where a game has just ended, its end as the seat saw it that answered last.
    candidates: (N, actions, 1 + parts) int32 where actions are such, else None.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    seats: NDArray[np.int32]
    rewards: NDArray[np.float32]
    exact: NDArray[np.float64]
    dones: NDArray[np.bool_]
    finals: NDArray[Any]
    candidates: NDArray[np.int32] | None = None

    def copy(self) -> Arrays:
        """The same in arrays of its own."""
        return self._each(lambda array: array.copy())

    def part(self, games: slice) -> Arrays:
        """Some of the games, in the same memory."""
        return self._each(lambda array: array[games])

    def _each(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Arrays:
        found: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        return Arrays(**{name: change(array) for name, array in found.items() if array is not None})


def _layout(interface: Interface, games: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Per array its shape and what it holds."""
    found: dict[str, tuple[tuple[int, ...], Any]] = {
        "observations": ((games, *interface.shape), interface.dtype),
        "masks": ((games, interface.count), np.int8),
        "seats": ((games,), np.int32),
        "rewards": ((games, interface.seats), np.float32),
        "exact": ((games, interface.seats), np.float64),
        "dones": ((games,), np.bool_),
        "finals": ((games, *interface.shape), interface.dtype),
    }
    if interface.actions == "candidates":
        found["candidates"] = ((games, *interface.candidates_shape), np.int32)
    return found


def needed(interface: Interface, games: int) -> int:
    """The bytes of memory for the arrays of so many games."""
    sizes = [int(np.prod(shape)) * np.dtype(kind).itemsize for shape, kind in _layout(interface, games).values()]
    return sum(-(-size // _ALIGNED) * _ALIGNED for size in sizes)


def arrays_in(memory: NDArray[np.uint8], interface: Interface, games: int) -> Arrays:
    """The arrays of so many games, in this memory."""
    found = {}
    start = 0
    for name, (shape, kind) in _layout(interface, games).items():
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        found[name] = memory[start : start + size].view(kind).reshape(shape)
        start += -(-size // _ALIGNED) * _ALIGNED
    return Arrays(**found)


class Batch:
    """Some games. forgiving, mode: see VectorTable."""

    def __init__(
        self,
        interface: Interface,
        matches: Matches,
        reward: str,
        forgiving: bool,
        mode: AutoresetMode,
        arrays: Arrays,
    ) -> None:
        self.interface: Interface = interface
        self.matches: Matches = matches
        self.reward: str = reward
        self.forgiving: bool = forgiving
        self.mode: AutoresetMode = mode
        self.arrays: Arrays = arrays
        self._sources: dict[int, Source] = {}
        self._games: dict[int, Match] = {}

    def reset(self, sources: Sequence[Source | bool]) -> None:
        """New games. Per game what decides it and those after it; True: what did so far; False: it stays as it is."""
        arrays = self.arrays
        for index, source in enumerate(sources):
            if source is False:
                continue
            if source is not True:
                self._sources[index] = source
            arrays.exact[index] = 0
            arrays.dones[index] = False
            self._begin(index)
        arrays.rewards[:] = arrays.exact

    def step(self, actions: Sequence[int]) -> None:
        """One action per game; all are legal, or illegal ones end their games."""
        arrays = self.arrays
        over = arrays.dones.tolist()
        arrays.exact[:] = 0
        arrays.dones[:] = False
        for index, action in enumerate(actions):
            if over[index] and self.mode is AutoresetMode.NEXT_STEP:
                self._begin(index)
                continue
            match = self._games[index]
            seat = match.asked
            position = match.position
            if self.forgiving and not (0 <= action < self.interface.count and arrays.masks[index, action]):
                arrays.exact[index, seat] = -1
                arrays.dones[index] = True
            else:
                match.apply(self.interface.choice(position, seat, action))
                if position.over:
                    arrays.exact[index] = rewards_of(position, self.reward)
                    arrays.dones[index] = True
            if not arrays.dones[index]:
                self._write(index)
                continue
            self.interface.write(position, seat, arrays.finals[index])
            if self.mode is AutoresetMode.SAME_STEP:
                self._begin(index)
            else:
                self._write_end(index, seat)
        arrays.rewards[:] = arrays.exact

    def _begin(self, index: int) -> None:
        self._games[index] = self.matches.new(next_random(self._sources[index]))
        self._write(index)

    def _write_end(self, index: int, seat: int) -> None:
        arrays = self.arrays
        arrays.seats[index] = seat
        arrays.observations[index] = arrays.finals[index]
        arrays.masks[index] = 0
        if arrays.candidates is not None:
            arrays.candidates[index] = -1

    def _write(self, index: int) -> None:
        match = self._games[index]
        position = match.position
        seat = match.asked
        self.arrays.seats[index] = seat
        self.interface.write(position, seat, self.arrays.observations[index])
        self.interface.mask(position, seat, self.arrays.masks[index])
        if self.arrays.candidates is not None:
            self.interface.candidates(position, seat, self.arrays.candidates[index])


@dataclass(slots=True)
class Share:
    """What a process is told to play: which of all games, and where they are written."""

    interface: dict[str, Any]
    matches: dict[str, Any]
    reward: str
    forgiving: bool
    mode: AutoresetMode
    games: int
    first: int
    end: int
    memory: Path

    def batch(self) -> Batch:
        """Its games."""
        interface = Interface(**self.interface)
        memory = np.memmap(self.memory, np.uint8, "r+")
        arrays = arrays_in(memory, interface, self.games).part(slice(self.first, self.end))
        matches = Matches(interface.game, interface.seats, interface.options, **self.matches)
        return Batch(interface, matches, self.reward, self.forgiving, self.mode, arrays)


def send(pipe: IO[bytes], message: Any) -> None:
    """Send it at once."""
    pickle.dump(message, pipe)
    pipe.flush()


def serve() -> None:
    """Play what is asked for on standard input: a Share, then lists of a method of Batch and what it is given.

    Each is answered with None or the error. Ends when nobody asks any more.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who started this, and who then asks no more
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    batch: Batch | None = None
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)  # noqa: S301 - from who started this
        except EOFError:
            return
        except Exception as error:
            _answer(answers, error)
            continue
        try:
            if isinstance(message, Share):
                batch = message.batch()
            else:
                getattr(batch, message[0])(message[1])
        except Exception as error:
            _answer(answers, error)
        else:
            send(answers, None)


def _answer(answers: IO[bytes], error: Exception) -> None:
    try:
        known = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:
        known = RuntimeError(f"{type(error).__name__}: {error}")
    send(answers, known)
