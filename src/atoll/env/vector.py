"""Many games of one kind in lockstep, as NumPy arrays, in several processes if asked.

    batch = VectorTable("atacama", games=64, seats=2, seed=1)
    arrays = batch.reset()
    while training:
        arrays = batch.step(actions)          # one action per game, legal by arrays.masks
    batch.close()

With several processes a script needs `if __name__ == "__main__":` around all that, because each process imports it.
A game that ends is replaced by a new one at once: `dones` and `rewards` tell of the one that ended, all else is the
new one's.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import atoll
from atoll.engine import IllegalChoice, Position, RulesError

from .interface import Interface
from .rewards import check_reward, rewards_of


@dataclass(slots=True)
class Arrays:
    """One moment of all N games.

    observations: (N, size), int32 or (`onehot`) float32, of the seat that is asked. masks: (N, actions) int8.
    seats: (N,) who is asked.
    rewards: (N, number of seats) float32, not 0 only where a game has just ended. dones: (N,) bool.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    seats: NDArray[np.int32]
    rewards: NDArray[np.float32]
    dones: NDArray[np.bool_]


class _Batch:
    """Some games in this process."""

    def __init__(
        self, game: str, seats: int, options: Mapping[str, Any], reward: str, form: str, seeds: Sequence[int]
    ) -> None:
        self.game = atoll.games[game]
        self.seats = seats
        self.options = options
        self.reward = reward
        self.interface = Interface(self.game, seats, options, form)
        games = len(seeds)
        self.randoms = [Random(seed) for seed in seeds]
        self.positions: list[Position] = []
        self.arrays = Arrays(
            np.zeros((games, self.interface.size), self.interface.dtype),
            np.zeros((games, self.interface.count), np.int8),
            np.zeros(games, np.int32),
            np.zeros((games, seats), np.float32),
            np.zeros(games, np.bool_),
        )

    def _new(self, index: int) -> Position:
        seed = self.randoms[index].getrandbits(62)
        return self.game.new(self.seats, self.options, seed=seed, snapshots=False)

    def reset(self) -> Arrays:
        self.positions = [self._new(index) for index in range(len(self.randoms))]
        self.arrays.rewards[:] = 0
        self.arrays.dones[:] = False
        for index in range(len(self.positions)):
            self._write(index)
        return self.arrays

    def step(self, actions: Sequence[int]) -> Arrays:
        arrays = self.arrays
        for index, action in enumerate(actions):
            if not arrays.masks[index, action]:
                seat = int(arrays.seats[index])
                text = self.game.text(self.interface.choice(self.positions[index], seat, int(action)))
                raise IllegalChoice(f"game {index}: {text!r} isn't offered; see masks[{index}]")
        arrays.rewards[:] = 0
        arrays.dones[:] = False
        for index, action in enumerate(actions):
            position = self.positions[index]
            seat = int(arrays.seats[index])
            position.apply(self.interface.choice(position, seat, int(action)), seat)
            if position.over:
                arrays.rewards[index] = rewards_of(position, self.reward)
                arrays.dones[index] = True
                self.positions[index] = self._new(index)
            self._write(index)
        return arrays

    def _write(self, index: int) -> None:
        position = self.positions[index]
        seat = position.to_move[0]
        self.arrays.seats[index] = seat
        self.interface.write(position, seat, self.arrays.observations[index])
        self.interface.mask(position, seat, self.arrays.masks[index])


def _serve(pipe: Connection, settings: dict[str, Any]) -> None:
    """The loop of a worker process."""
    batch = _Batch(**settings)
    while True:
        message = pipe.recv()
        if message is None:
            return
        try:
            pipe.send(batch.reset() if isinstance(message, str) else batch.step(message))
        except Exception as error:
            pipe.send(error)


class VectorTable:
    """N games in lockstep; see the module."""

    def __init__(
        self,
        game: str,
        games: int,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "place",
        seed: int = 0,
        processes: int = 1,
        form: str = "flat",
    ) -> None:
        """form: of the observations, see `atoll.env.interface`. Raises UnknownGame, SeatCountError, OptionError.

        Raises ValueError too.
        """
        if not 1 <= processes <= games:
            raise ValueError(f"processes {processes!r}: allowed are 1 to the number of games ({games})")
        rules = atoll.games[game]
        count = seats if seats is not None else rules.seat_counts[0]
        self.interface: Interface = Interface(rules, count, options, form)
        self.actions: int = self.interface.count
        self.games: int = games
        shares = [games // processes + (each < games % processes) for each in range(processes)]
        seeds = [Random(seed).getrandbits(62) ^ each for each in range(games)]
        self._slices: list[slice] = []
        self._pipes: list[Connection] = []
        self._workers: list[Any] = []
        self._local: _Batch | None = None
        start = 0
        for share in shares:
            settings: dict[str, Any] = {
                "game": game,
                "seats": count,
                "options": dict(options or {}),
                "reward": check_reward(reward),
                "form": form,
                "seeds": seeds[start : start + share],
            }
            self._slices.append(slice(start, start + share))
            start += share
            if processes == 1:
                self._local = _Batch(**settings)
            else:
                self._spawn(settings)

    def _spawn(self, settings: dict[str, Any]) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        worker = context.Process(target=_serve, args=(there, settings), daemon=True)
        worker.start()
        there.close()
        self._pipes.append(here)
        self._workers.append(worker)

    def reset(self) -> Arrays:
        """New games everywhere."""
        if self._local is not None:
            return self._local.reset()
        return self._ask(["reset"] * len(self._pipes))

    def step(self, actions: Sequence[int] | NDArray[Any]) -> Arrays:
        """One action per game. Raises IllegalChoice naming the game; then none was made in that game's process."""
        if len(actions) != self.games:
            raise ValueError(f"{len(actions)} actions for {self.games} games")
        if self._local is not None:
            return self._local.step([int(each) for each in actions])
        return self._ask([[int(each) for each in actions[part]] for part in self._slices])

    def _ask(self, messages: Sequence[Any]) -> Arrays:
        for pipe, message in zip(self._pipes, messages, strict=True):
            pipe.send(message)
        answers = [pipe.recv() for pipe in self._pipes]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer if isinstance(answer, IllegalChoice | RulesError) else RuntimeError(str(answer))
        return Arrays(
            np.concatenate([each.observations for each in answers]),
            np.concatenate([each.masks for each in answers]),
            np.concatenate([each.seats for each in answers]),
            np.concatenate([each.rewards for each in answers]),
            np.concatenate([each.dones for each in answers]),
        )

    def close(self) -> None:
        """End the worker processes."""
        for pipe, worker in zip(self._pipes, self._workers, strict=True):
            pipe.send(None)
            worker.join(5)
            if worker.is_alive():
                worker.kill()
        self._pipes, self._workers = [], []

    def __enter__(self) -> VectorTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
