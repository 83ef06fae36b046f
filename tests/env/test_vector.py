"""Many games in lockstep: the same games, arrays and errors, in however many processes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest

import atoll
from atoll.bots import RandomBot
from atoll.engine import IllegalChoice, OptionError, RulesError, SeatCountError, SeatView, UnknownGame, WrongSeat
from atoll.env.batch import BatchArrays
from atoll.env.interface import SpaceCodec
from atoll.env.vector import VectorGames

ONE_AND_TWO = pytest.mark.parametrize("processes", [1, 2])


def legal(arrays: BatchArrays, random: Random) -> list[int]:
    return [random.choice(np.flatnonzero(mask).tolist()) for mask in arrays.masks]


def moments(batch: VectorGames, steps: int) -> Iterator[BatchArrays]:
    random = Random(3)
    arrays = batch.reset()
    yield arrays
    for _ in range(steps):
        arrays = batch.step(legal(arrays, random))
        yield arrays


@pytest.mark.parametrize("game", list(atoll.games))
def test_every_game_is_played_in_lockstep(game: str) -> None:
    with VectorGames(game, games=3, seed=4) as batch:
        for arrays in moments(batch, 40):
            assert arrays.observations.shape == (3, *batch.interface.shape)


@pytest.mark.parametrize(
    "settings",
    [{}, {"opponents": "greedy", "seat": 1}, {"actions": "candidates", "form": "onehot", "opponents": "random"}],
    ids=str,
)
def test_processes_make_no_difference(settings: dict[str, Any]) -> None:
    with (
        VectorGames("atacama", 5, seed=4, **settings) as alone,
        VectorGames("atacama", 5, seed=4, processes=2, **settings) as shared,
    ):
        ended = 0
        for one, two in zip(moments(alone, 60), moments(shared, 60), strict=True):
            ended += int(one.dones.sum())
            for name in BatchArrays.__slots__:
                left, right = getattr(one, name), getattr(two, name)
                assert type(left) is type(right), name
                assert left is None or (left.dtype == right.dtype and (left == right).all()), name
        assert ended


@pytest.mark.parametrize("form", ["onehot", "tokens"])
@pytest.mark.parametrize("game", list(atoll.games))
def test_a_batch_is_encoded_as_each_game_alone(game: str, form: str) -> None:
    codec = SpaceCodec(atoll.games[game], atoll.games[game].min_multiplayer_seats, form=form)
    together = np.full((3, *codec.shape), 77, codec.dtype)
    filled = np.full(3, len(together[0]))
    with VectorGames(game, 3, seed=4) as batch:
        for arrays in moments(batch, 12):
            codec.encode_batch(arrays.observations, together, filled)
            for index in range(3):
                alone = np.full((1, *codec.shape), 77, codec.dtype)
                codec.encode_batch(arrays.observations[index : index + 1], alone, np.array([len(alone[0])]))
                assert (alone[0] == together[index]).all()
    with pytest.raises(ValueError, match="flat already"):
        batch.interface.encode_batch(together, together, filled)


@ONE_AND_TWO
def test_arrays_are_new_unless_they_are_not_wanted(processes: int) -> None:
    random = Random(1)
    with VectorGames("atacama", 2, processes=processes) as batch:
        before = batch.reset()
        kept = before.copy()
        after = batch.step(legal(before, random))
        assert (before.observations == kept.observations).all()
        assert not (after.observations == before.observations).all()
    with VectorGames("atacama", 2, processes=processes, copy=False) as batch:
        before = batch.reset()
        kept = before.copy()
        after = batch.step(legal(before, random))
        assert after.observations is before.observations
        assert not (before.observations == kept.observations).all()


@ONE_AND_TWO
def test_a_wrong_action_changes_nothing_anywhere(processes: int) -> None:
    with VectorGames("atacama", 3, processes=processes) as batch:
        with pytest.raises(RuntimeError, match="reset"):
            batch.step([0, 0, 0])
        arrays = batch.reset()
        actions = legal(arrays, Random(2))
        shown = batch.masks.copy()
        illegal = int(np.flatnonzero(arrays.masks[2] == 0)[0])
        for last, text in ((illegal, "game 2: action"), (-1, "game 2: invalid action -1"), (10**6, "game 2")):
            with pytest.raises(IllegalChoice, match=text):
                batch.step([*actions[:2], last])
        for wrong in ([0], [[0, 0, 0]], [0.5, 0, 0], ["a", "b", "c"], [None] * 3, 7):
            with pytest.raises(ValueError, match="actions of"):
                batch.step(wrong)  # type: ignore[arg-type]
        assert (batch.masks == shown).all()
        batch.step(actions)
        assert not (batch.masks == shown).all()
    with pytest.raises(RuntimeError, match="closed"):
        batch.reset()
    with pytest.raises(RuntimeError, match="closed"):
        batch.step(actions)


@ONE_AND_TWO
def test_a_forgiving_batch_ends_the_game_of_a_wrong_action(processes: int) -> None:
    with VectorGames("atacama", 2, processes=processes, forgiving=True) as batch:
        arrays = batch.reset()
        after = batch.step([legal(arrays, Random(2))[0], 10**6])
        assert after.dones.tolist() == [False, True]
        assert after.rewards[1, arrays.seats[1]] == -1
        assert (after.finals[1] == arrays.observations[1]).all()


@ONE_AND_TWO
def test_a_seed_begins_the_same_games_again(processes: int) -> None:
    with VectorGames("wutaki", 2, processes=processes, seed=9) as batch:
        first = batch.reset().observations
        second = batch.reset().observations
        assert not (first == second).all()
        assert (batch.reset(seed=9).observations == first).all()
        assert (batch.reset(seed=np.int64(9)).observations == first).all()  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="an integer of at least 0"):
            batch.reset(seed=-9)


class Stubborn:
    """A bot that fails."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        raise RulesError("no idea")


@ONE_AND_TWO
def test_what_a_bot_raises_is_raised_here(processes: int) -> None:
    with VectorGames("atacama", 2, processes=processes, opponents=Stubborn(), seat=0) as batch:
        with pytest.raises(RulesError, match=r"^no idea$"):
            for _ in moments(batch, 2):
                pass
        with pytest.raises(RuntimeError, match="reset"):
            batch.step([0, 0])


def test_a_process_that_dies_is_told_of() -> None:
    with VectorGames("atacama", 2, processes=2) as batch:
        arrays = batch.reset()
        batch._workers[1].kill()
        with pytest.raises(RuntimeError, match="ended with status -9"):
            batch.step(legal(arrays, Random(1)))
        with pytest.raises(RuntimeError):
            batch.reset()


@pytest.mark.parametrize("kind", ["table", "gymnasium"])
def test_a_batch_that_is_dropped_gives_its_processes_back(kind: str) -> None:
    def workers(batch: Any) -> list[Any]:
        return list((batch if kind == "table" else batch.unwrapped.tables)._workers)

    def make() -> Any:
        if kind == "table":
            return VectorGames("atacama", games=2, processes=2)
        return gymnasium.make_vec("atoll/Atacama-v1", num_envs=2, opponents="random", processes=2)

    batch = make()
    batch.reset()
    first = workers(batch)
    batch = make()
    gc.collect()
    assert len(first) == 2 and [worker.returncode for worker in first] == [0, 0]
    second = workers(batch)
    assert [worker.poll() for worker in second] == [None, None]
    del batch
    gc.collect()
    assert [worker.returncode for worker in second] == [0, 0]


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(UnknownGame):
        VectorGames("chess", 2)
    with pytest.raises(SeatCountError):
        VectorGames("atacama", 2, seats=3)
    with pytest.raises(OptionError):
        VectorGames("atacama", 2, options={"setup": "huge"})
    with pytest.raises(WrongSeat, match="0 to 1"):
        VectorGames("atacama", 2, opponents="greedy", seat=2)
    for settings, text in (
        ({"games": 0}, "at least 1"),
        ({"processes": 3}, "number of games"),
        ({"processes": 0}, "number of games"),
        ({"reward": "money"}, "place, score"),
        ({"opponents": ["greedy", "greedy"]}, "each of 1"),
        ({"opponents": [7]}, "bot's name"),
        ({"seconds": 0, "opponents": RandomBot()}, "more than 0"),
        ({"seed": -1}, "an integer of at least 0"),
        ({"seed": "one"}, "an integer of at least 0"),
        ({"seed": 1.0}, "an integer of at least 0"),
        ({"seed": None}, "an integer of at least 0"),
    ):
        with pytest.raises(ValueError, match=text):
            VectorGames("atacama", **{"games": 2, **settings})  # type: ignore[arg-type]


def test_a_plain_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(
        "from atoll.env.vector import VectorGames\n"
        "batch = VectorGames('atacama', games=2, processes=2)\n"
        "print(batch.reset().observations.shape)\n",
        "utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, script], check=False, capture_output=True, text=True, env=environment, timeout=100
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "(2, 382)\n"
