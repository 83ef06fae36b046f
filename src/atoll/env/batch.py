"""Games in lockstep in this process, written to arrays that other processes can share.

As a program it is a worker process of `atoll.env.vector.VectorGames`, see `serve`.
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

from .interface import BatchMasks, SpaceCodec
from .match import LearnerGame, MatchFactory, Source, next_random
from .rewards import rewards_of

_ALIGNED: Final = 64  # bytes


@dataclass(slots=True)
class BatchArrays:
    """The current state of all N games.

    Attributes:
        observations: Observations of the seat that is asked: (N, ...), int32, or float32 for
            `onehot`.
        masks: Action masks, 1 for legal: (N, actions), int8.
        seats: The seat that is asked: (N,).
        rewards: Rewards of all seats: (N, seats), float32. They are 0 except where a game has just
            ended.
        exact: The rewards as float64.
        dones: Whether the game has just ended: (N,).
        finals: Final observations of games that have just ended, for the seat that answered last;
            otherwise undefined, and 0 in a copy.
        candidates: Candidate actions as rows: (N, actions, 1 + parts), int32; None without
            candidates.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    seats: NDArray[np.int32]
    rewards: NDArray[np.float32]
    exact: NDArray[np.float64]
    dones: NDArray[np.bool_]
    finals: NDArray[Any]
    candidates: NDArray[np.int32] | None = None

    def copy(self) -> BatchArrays:
        """Return a copy in new memory."""
        finals = np.zeros_like(self.finals)
        finals[self.dones] = self.finals[self.dones]
        found = self._each(lambda array: array if array is self.finals else array.copy())
        found.finals = finals
        return found

    def part(self, games: slice) -> BatchArrays:
        """Return some of the games in the same memory."""
        return self._each(lambda array: array[games])

    def _each(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> BatchArrays:
        """Return the arrays, each changed by a function."""
        found: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        return BatchArrays(**{name: change(array) for name, array in found.items() if array is not None})


def _layout(interface: SpaceCodec, games: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Return the shape and the type of each array."""
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


def memory_size(interface: SpaceCodec, games: int) -> int:
    """Return the size of the arrays of the given number of games, in bytes."""
    sizes = [int(np.prod(shape)) * np.dtype(kind).itemsize for shape, kind in _layout(interface, games).values()]
    return sum(-(-size // _ALIGNED) * _ALIGNED for size in sizes)


def arrays_in(memory: NDArray[np.uint8], interface: SpaceCodec, games: int) -> BatchArrays:
    """Return the arrays in given memory.

    Args:
        memory: The memory, at least `needed(interface, games)` bytes.
        interface: Codec of observations and actions.
        games: Number of games.

    Returns:
        The arrays, as views of the memory.
    """
    found = {}
    start = 0
    for name, (shape, kind) in _layout(interface, games).items():
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        found[name] = memory[start : start + size].view(kind).reshape(shape)
        start += -(-size // _ALIGNED) * _ALIGNED
    return BatchArrays(**found)


class Batch:
    """Games in lockstep.

    Attributes:
        interface: Codec of observations and actions.
        matches: Factory of the games.
        reward: Kind of reward.
        forgiving: Whether an illegal action ends its game, see `VectorGames`.
        mode: Replacement of games that end, see `VectorGames`.
        arrays: The arrays to write to.
    """

    def __init__(
        self,
        interface: SpaceCodec,
        matches: MatchFactory,
        reward: str,
        forgiving: bool,
        mode: AutoresetMode,
        arrays: BatchArrays,
    ) -> None:
        self.interface: SpaceCodec = interface
        self.matches: MatchFactory = matches
        self.reward: str = reward
        self.forgiving: bool = forgiving
        self.mode: AutoresetMode = mode
        self.arrays: BatchArrays = arrays
        self._sources: dict[int, Source] = {}
        self._games: dict[int, LearnerGame] = {}
        games = len(arrays.seats)
        self._seats: list[int] = [0] * games
        self._legal: list[Sequence[int]] = [()] * games
        self._masks: BatchMasks = BatchMasks(arrays.masks, arrays.candidates)
        self._size: int = interface.observing.size
        self._flats: NDArray[np.int32] = arrays.observations
        if interface.form != "flat":
            self._flats = np.zeros((games, self._size), np.int32)
        self._filled: NDArray[np.intp] = np.full(games, interface.shape[0])

    def reset(self, sources: Sequence[Source | bool]) -> None:
        """Start new games.

        Args:
            sources: Per game, the source of its chance and that of the games after it; True to
                continue with its last source; False to leave the game as it is.
        """
        arrays = self.arrays
        for index, source in enumerate(sources):
            if source is False:
                continue
            if source is not True:
                self._sources[index] = source
            arrays.exact[index] = 0
            arrays.dones[index] = False
            self._begin(index)
        self._publish()

    def step(self, actions: Sequence[int]) -> None:
        """Apply one action per game.

        Args:
            actions: The actions. They must be legal unless illegal ones end their games.

        Raises:
            AtollError: If the rules or a bot fail.
        """
        arrays = self.arrays
        replaced: frozenset[int] = frozenset()
        if self.mode is AutoresetMode.NEXT_STEP:
            replaced = frozenset(arrays.dones.nonzero()[0].tolist())
        arrays.exact[:] = 0
        arrays.dones[:] = False
        choice_of = self.interface.choice
        for index, action in enumerate(actions):
            if index in replaced:
                self._begin(index)
                continue
            match = self._games[index]
            seat = self._seats[index]
            if self.forgiving and not self._is_legal(index, action):
                arrays.exact[index, seat] = -1
                self._end(index)
                continue
            match.apply(choice_of(match.position, seat, action))
            if match.position.over:
                arrays.exact[index] = rewards_of(match.position, self.reward)
                self._end(index)
            else:
                self._write(index)
        self._publish()

    def _is_legal(self, index: int, action: int) -> bool:
        """Return whether an action of a game is legal."""
        legal = self._legal[index]
        return action in legal if self.interface.actions == "vocabulary" else 0 <= action < len(legal)

    def _begin(self, index: int) -> None:
        """Start the next game at an index."""
        self._games[index] = self.matches.new(next_random(self._sources[index]))
        self._write(index)

    def _end(self, index: int) -> None:
        """Write the end of a game, and replace it if the next step doesn't."""
        position, seat = self._games[index].position, self._seats[index]
        self.arrays.dones[index] = True
        self.interface.write(position, seat, self.arrays.finals[index])
        if self.mode is AutoresetMode.SAME_STEP:
            self._begin(index)
        else:
            self.interface.observing.write(position, seat, self._flats, index * self._size)
            self._legal[index] = ()

    def _write(self, index: int) -> None:
        """Write the flat observation of a game, and store its legal choices."""
        match = self._games[index]
        seat = self._seats[index] = match.seat_to_answer
        self.interface.observing.write(match.position, seat, self._flats, index * self._size)
        self._legal[index] = self.interface.legal(match.position, seat)

    def _publish(self) -> None:
        """Write everything that is written for all games at once."""
        arrays = self.arrays
        arrays.seats[:] = self._seats
        arrays.rewards[:] = arrays.exact
        self.interface.mask_batch(self._legal, self._masks)
        if self._flats is not arrays.observations:
            self.interface.encode_batch(self._flats, arrays.observations, self._filled)


@dataclass(slots=True)
class WorkerSpec:
    """The specification of a worker process: its games and the memory to write to.

    Attributes:
        interface: Arguments of the codec.
        matches: Arguments of the factory of games.
        reward: Kind of reward.
        forgiving: Whether an illegal action ends its game.
        mode: Replacement of games that end.
        games: Number of all games.
        first: Index of the worker's first game.
        end: Index after its last game.
        memory: File of the shared memory.
    """

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
        """Return the games of the worker."""
        interface = SpaceCodec(**self.interface)
        memory = np.memmap(self.memory, np.uint8, "r+")
        arrays = arrays_in(memory, interface, self.games).part(slice(self.first, self.end))
        matches = MatchFactory(interface.game, interface.seats, interface.options, **self.matches)
        return Batch(interface, matches, self.reward, self.forgiving, self.mode, arrays)


def send(pipe: IO[bytes], message: Any) -> None:
    """Send a message immediately."""
    pickle.dump(message, pipe)
    pipe.flush()


def serve() -> None:
    """Run a worker process.

    Requests come from standard input: a `WorkerSpec`, then tuples of a method name of `Batch` and
    its argument. Each is answered with None or the error. The process ends when the input is
    closed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C and closes the input
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a game must not mix with the answers
    batch: Batch | None = None
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the parent process
        except EOFError:
            return
        except Exception as error:
            _answer(answers, error)
            continue
        try:
            if isinstance(message, WorkerSpec):
                batch = message.batch()
            else:
                getattr(batch, message[0])(message[1])
        except Exception as error:
            _answer(answers, error)
        else:
            send(answers, None)


def _answer(answers: IO[bytes], error: Exception) -> None:
    """Send an error, or a `RuntimeError` with its text if it can't be pickled."""
    try:
        known = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled here
    except Exception:
        known = RuntimeError(f"{type(error).__name__}: {error}")
    send(answers, known)
