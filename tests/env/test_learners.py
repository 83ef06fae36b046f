"""Learners in lockstep equal Gymnasium's copies of one learner for the same seeds and actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import vector as wrappers

import atoll
import atoll.env  # noqa: F401 - registers the environments
from atoll.env.gymnasium import LearnerVectorEnv
from atoll.env.registration import environment_id

MODES = [mode.value for mode in AutoresetMode]
GAMES = 3


def ours(game: str, **settings: Any) -> LearnerVectorEnv:
    tables = gymnasium.make_vec(environment_id(game), num_envs=GAMES, **settings)
    assert isinstance(tables, LearnerVectorEnv)
    return tables


def theirs(game: str, autoreset_mode: str = "SameStep", **settings: Any) -> SyncVectorEnv:
    kwargs = {"autoreset_mode": AutoresetMode(autoreset_mode)}
    tables = gymnasium.make_vec(
        environment_id(game), GAMES, vectorization_mode="sync", vector_kwargs=kwargs, **settings
    )
    assert isinstance(tables, SyncVectorEnv)
    return tables


def assert_same(one: Any, two: Any, where: str = "") -> None:
    """Equal in values, types and shapes, however deep."""
    assert type(one) is type(two), where
    if isinstance(one, dict):
        assert one.keys() == two.keys(), where
        for key, each in one.items():
            assert_same(each, two[key], f"{where}/{key}")
    elif isinstance(one, tuple):
        assert len(one) == len(two)
        for number, (left, right) in enumerate(zip(one, two, strict=True)):
            assert_same(left, right, f"{where}/{number}")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (two.dtype, two.shape), where
        if one.dtype == object:
            assert_same(tuple(one), tuple(two), where)
        else:
            assert (one == two).all(), where
    else:
        assert one == two, where


def moments(tables: VectorEnv[Any, Any, Any], steps: int, seed: Any = 5, wrong: float = 0.02) -> Iterator[Any]:
    """Yield the results of random actions, some of them illegal; reset games that stay over."""
    random = np.random.default_rng(7)
    observation, infos = tables.reset(seed=seed)
    yield observation, infos
    dones = np.zeros(GAMES, np.bool_)
    for _ in range(steps):
        if tables.metadata["autoreset_mode"] is AutoresetMode.DISABLED and dones.any():
            observation, infos = tables.reset(options={"reset_mask": dones})
            yield observation, infos
        actions = [
            random.choice(np.flatnonzero(mask))
            if mask.any() and random.random() > wrong
            else random.integers(len(mask))
            for mask in observation["action_mask"]
        ]
        found = tables.step(np.array(actions))
        yield found
        observation, _, dones = found[:3]


def same(one: VectorEnv[Any, Any, Any], two: VectorEnv[Any, Any, Any], steps: int, **settings: Any) -> int:
    """Compare two environments and return the number of games that ended in both."""
    ended = 0
    for left, right in zip(moments(one, steps, **settings), moments(two, steps, **settings), strict=True):
        assert_same(left, right)
        ended += int(left[2].sum()) if len(left) == 5 else 0
    one.close()
    two.close()
    return ended


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", list(atoll.games))
def test_every_game_is_as_gymnasium_has_it(game: str, mode: str) -> None:
    settings: dict[str, Any] = {"opponents": "random", "autoreset_mode": mode}
    assert same(ours(game, **settings), theirs(game, **settings), 80)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("processes", [1, 2])
def test_other_settings_are_as_gymnasium_has_them(processes: int, mode: str) -> None:
    settings: dict[str, Any] = {
        "seats": 4,
        "opponents": ("greedy", "random", "greedy"),
        "seat": 2,
        "reward": "score",
        "form": "onehot",
        "actions": "candidates",
        "autoreset_mode": mode,
    }
    tables = ours("raiatea", processes=processes, **settings)
    assert same(tables, theirs("raiatea", **settings), 60, seed=[3, 1, 8])


def test_whole_games_with_fractions_for_places_are_as_gymnasium_has_them() -> None:
    settings: dict[str, Any] = {"seats": 4, "opponents": "random"}
    assert same(ours("atlandice", **settings), theirs("atlandice", **settings), 250, wrong=0)


def test_arrays_that_are_overwritten_hold_the_same() -> None:
    tables = ours("atacama", opponents="random", copy=False)
    assert same(tables, theirs("atacama", opponents="random"), 60)


@pytest.mark.parametrize("mode", MODES)
def test_seeds_are_counted_up_or_one_for_each(mode: str) -> None:
    tables, counted = ours("wutaki", autoreset_mode=mode), ours("wutaki", autoreset_mode=mode)
    assert_same(tables.reset(seed=4), counted.reset(seed=[4, 5, 6]))
    assert tables.np_random_seed == counted.np_random_seed == (4, 5, 6)
    assert_same(tables.reset(), counted.reset())  # both continue
    assert_same(tables.reset(seed=[None, 9, None]), counted.reset(seed=[None, 9, None]))
    assert tables.np_random_seed == (4, 9, 6)
    free = ours("wutaki")
    first, _ = free.reset()
    second, _ = ours("wutaki").reset()
    assert len(free.np_random_seed) == GAMES
    assert not (first["observation"] == second["observation"]).all()
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        tables.reset(seed=[1, 2])


@pytest.mark.parametrize("mode", MODES)
def test_some_games_begin_anew(mode: str) -> None:
    with pytest.raises(RuntimeError, match="all games first"):
        ours("atacama").reset(options={"reset_mask": np.array([True, False, False])})
    one, two = (make("atacama", autoreset_mode=mode, opponents="random") for make in (ours, theirs))
    assert_same(one.reset(seed=2), two.reset(seed=2))
    asked = {"reset_mask": np.array([False, True, False])}
    assert_same(one.reset(seed=8, options=dict(asked)), two.reset(seed=8, options=dict(asked)))
    assert "reset_mask" in asked
    for wrong, error in (
        ([True, False, False], TypeError),
        (np.array([1, 0, 0]), TypeError),
        (np.array([True]), ValueError),
        (np.zeros(GAMES, np.bool_), ValueError),
    ):
        for tables in (one, two):
            with pytest.raises(error):
                tables.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="expected only reset_mask"):
        one.reset(options={"setup": "basic"})


@pytest.mark.parametrize("mode", MODES)
def test_what_is_wrong_is_refused_and_nothing_done(mode: str) -> None:
    tables = ours("atacama", seat=0, autoreset_mode=mode)
    with pytest.raises(ResetNeeded, match="reset"):
        tables.step(np.zeros(GAMES, np.int64))
    observation, _ = tables.reset(seed=1)
    legal = [int(np.flatnonzero(mask)[0]) for mask in observation["action_mask"]]
    for wrong in (-1, tables.tables.actions):
        with pytest.raises(InvalidAction, match="game 2"):
            tables.step(np.array([*legal[:2], wrong]))
    for shape in (legal[:2], [0.5, *legal[1:]], [legal]):
        with pytest.raises(ValueError, match="actions of"):
            tables.step(np.array(shape))
    illegal = int(np.flatnonzero(observation["action_mask"][2] == 0)[0])
    _, rewards, dones, _, _ = tables.step(np.array([*legal[:2], illegal]))
    assert (rewards.tolist(), dones.tolist()) == ([0, 0, -1], [False, False, True])
    if mode == "Disabled":
        with pytest.raises(ResetNeeded, match=r"over: \[2\]"):
            tables.step(np.array(legal))
    tables.close()
    with pytest.raises(RuntimeError, match="closed"):
        tables.reset()


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="Sometimes"):
        ours("atacama", autoreset_mode="Sometimes")
    for wrong in ("colour", "seed", "forgiving"):
        with pytest.raises(TypeError, match=wrong):
            ours("atacama", **{wrong: 1})


def statistics(mode: str, make: Any) -> Iterator[Any]:
    tables = wrappers.RecordEpisodeStatistics(make("atacama", autoreset_mode=mode, opponents="random"))
    for found in moments(tables, 60):
        if "episode" in found[-1]:
            del found[-1]["episode"]["t"]
        yield found
    yield tuple(tables.return_queue), tuple(tables.length_queue), tables.episode_count


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_gymnasiums_statistics_are_the_same(mode: str) -> None:
    for one, two in zip(statistics(mode, ours), statistics(mode, theirs), strict=True):
        assert_same(one, two)
    assert one[-1] > 3


def part(observation: dict[str, Any]) -> Any:
    return observation["observation"]


WRAPPERS: dict[str, Any] = {
    "one list of infos": wrappers.DictInfoToList,
    "normal rewards": wrappers.NormalizeReward,
    "clipped rewards": lambda tables: wrappers.ClipReward(tables, 0, 0.5),
    "one part": lambda tables: wrappers.FilterObservation(tables, ["action_mask"]),
    "flat": wrappers.FlattenObservation,
}
WRAPPED = [("NextStep", name) for name in WRAPPERS]
# Gymnasium refuses to change observations of games that are replaced at once.
WRAPPED += [("SameStep", name) for name in ("one list of infos", "normal rewards", "clipped rewards")]


@pytest.mark.parametrize(("mode", "name"), WRAPPED)
def test_gymnasiums_wrappers_make_the_same_of_it(mode: str, name: str) -> None:
    one, two = (
        WRAPPERS[name](make("atacama", autoreset_mode=mode, opponents="random", form="onehot"))
        for make in (ours, theirs)
    )
    one.reset(seed=3)
    two.reset(seed=3)
    random = np.random.default_rng(3)
    ended = 0
    for _ in range(60):
        actions = random.integers(one.single_action_space.n, size=GAMES)
        left, right = one.step(actions), two.step(actions)
        if name == "one list of infos":
            left, right = ((*each[:4], tuple(each[4])) for each in (left, right))
        assert_same(left, right)
        ended += int(left[2].sum())
    assert ended
    one.close()
    two.close()


def test_normal_observations_want_the_next_step() -> None:
    def normal(make: Any) -> Any:
        tables = make("atacama", autoreset_mode="NextStep", opponents="random", form="onehot")
        flat = wrappers.TransformObservation(
            tables, part, part(tables.observation_space), part(tables.single_observation_space)
        )
        return wrappers.NormalizeObservation(flat)

    one, two = normal(ours), normal(theirs)
    random = np.random.default_rng(3)
    assert_same(one.reset(seed=3), two.reset(seed=3))
    for _ in range(40):
        actions = random.integers(one.single_action_space.n, size=GAMES)
        assert_same(one.step(actions), two.step(actions))
