"""One learner against bots passes Gymnasium's own checks, alone and in a batch."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import atoll
import atoll.env  # noqa: F401 - registers the environments
from atoll.bots import GreedyBot, UnknownBot
from atoll.engine import OptionError, SeatCountError, SeatView, WrongSeat
from atoll.env.gymnasium import LearnerEnv, LearnerVectorEnv
from atoll.env.registration import environment_id

TABLES = [(game, seats) for game in atoll.games for seats in atoll.games[game].seat_counts]
tables = pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game}-{seats}" for game, seats in TABLES])


def make(game: str, **settings: Any) -> LearnerEnv:
    found = gymnasium.make(environment_id(game), **settings).unwrapped
    assert isinstance(found, LearnerEnv)
    return found


def play(table: LearnerEnv, seed: int) -> tuple[float, int]:
    """A random game: the reward, and the number of steps."""
    observation, info = table.reset(seed=seed)
    random = np.random.default_rng(seed)
    steps = 0
    while True:
        assert (info["action_mask"] == table.action_masks()).all()
        assert table.seat in table.position.to_move
        observation, reward, ended, cut, info = table.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
        assert observation in table.observation_space
        assert not cut
        steps += 1
        if ended:
            assert not observation["action_mask"].any()
            return reward, steps
        assert reward == 0


@tables
def test_gymnasiums_own_checks(game: str, seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(game, seats=seats, opponents="random", render_mode="svg"), skip_render_check=True)


@pytest.mark.parametrize("settings", [{"form": "onehot"}, {"form": "tokens"}, {"actions": "candidates"}], ids=str)
def test_gymnasiums_own_checks_of_other_forms(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make("wutaki", seats=3, opponents="greedy", **settings), skip_render_check=True)


@pytest.mark.parametrize("game", list(atoll.games))
def test_whole_games_are_the_same_for_a_seed(game: str) -> None:
    table = make(game, opponents="random")
    found = play(table, 1)
    assert found[0] in (-1, -0.5, 0, 0.5, 1)
    assert play(table, 1) == found
    assert play(make(game, opponents="random"), 1) == found


def test_the_learner_sits_where_it_is_wanted() -> None:
    table = make("raiatea", seats=4, opponents="random")
    assert {seat_of(table, seed) for seed in range(20)} == {0, 1, 2, 3}
    table = make("raiatea", seats=4, opponents="random", seat=2)
    assert {seat_of(table, seed) for seed in range(5)} == {2}


def seat_of(table: LearnerEnv, seed: int) -> int:
    table.reset(seed=seed)
    return table.seat


OPPONENTS = ["a level that plays at once", "a level that searches", "a list", "an object in a tuple", "an object"]


class First:
    """A bot that takes the first choice."""

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        return [seat_view.legal[0]]


@pytest.mark.parametrize(
    "opponents", ["greedy", "expert", ["greedy", "random"], ("random", First()), First()], ids=OPPONENTS
)
@pytest.mark.parametrize("game", list(atoll.games))
def test_gymnasiums_own_checks_against_all_opponents(game: str, opponents: Any) -> None:
    seats = 3 if 3 in atoll.games[game].seat_counts else 2
    if not hasattr(opponents, "choose") and not isinstance(opponents, str):
        opponents = opponents[: seats - 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(LearnerEnv(game, seats, opponents, iterations=2), skip_render_check=True)


def test_a_bot_of_ones_own_sits_at_its_place() -> None:
    class Noted:
        def __init__(self) -> None:
            self.seats: set[int] = set()

        def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
            self.seats.add(seat_view.seat)
            assert budget == 0.25
            return [seat_view.legal[0]]

    one, two = Noted(), Noted()
    table = LearnerEnv("wutaki", 3, [one, two], seat=1, seconds=0.25)
    table.reset(seed=1)
    while len(one.seats | two.seats) < 2:
        table.step(int(np.flatnonzero(table.action_masks())[0]))
    assert (one.seats, two.seats) == ({2}, {0})


def test_a_bot_that_chooses_nothing_is_told_of() -> None:
    class Silent:
        def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
            return []

    with pytest.raises(ValueError, match="returned no choice"):
        LearnerEnv("atacama", opponents=Silent(), seat=1).reset(seed=1)


def test_an_illegal_action_ends_the_game() -> None:
    table = make("atacama", seat=0, reward="score")
    with pytest.raises(ResetNeeded, match="reset"):
        table.step(0)
    table.reset(seed=1)
    illegal = int(np.flatnonzero(~table.action_masks())[0])
    for wrong in (-1, 10**6, 1.5, "place", None):
        with pytest.raises(InvalidAction, match="expected an integer"):
            table.step(wrong)  # type: ignore[arg-type]
    _, reward, ended, _, info = table.step(illegal)
    assert (reward, ended, info["action_mask"].any()) == (-1, True, False)
    with pytest.raises(ResetNeeded, match="over"):
        table.step(0)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(SeatCountError):
        make("atacama", seats=3)
    with pytest.raises(OptionError):
        make("atacama", options={"setup": "huge"})
    with pytest.raises(UnknownBot, match="greedy"):
        make("atacama", opponents="grandmaster")
    with pytest.raises(WrongSeat, match="0 to 1"):
        make("atacama", seat=2)
    with pytest.raises(ValueError, match="render_mode"):
        LearnerEnv("atacama", render_mode="hologram")
    with pytest.raises(ValueError, match="en, de"):
        make("atacama", language="fr")
    for wrong in (0, -3, 1.5, "many"):
        with pytest.raises(ValueError, match="an integer of at least 1"):
            make("atacama", opponents="expert", iterations=wrong)
    for wrong in (0, float("nan"), "long"):
        with pytest.raises(ValueError, match="more than 0"):
            make("atacama", seconds=wrong)
    for bot in (GreedyBot, 3, [3]):
        with pytest.raises(ValueError, match="a bot's name or an object with `choose`"):
            make("atacama", opponents=bot)
    for batch in (False, True):
        with pytest.raises(ValueError, match="learn for all seats"):
            make("atacama", opponents=None) if not batch else LearnerVectorEnv("atacama", opponents=None)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="huge"):
        make("atacama").reset(options={"game_options": {"setup": "huge"}})
    with pytest.raises(ValueError, match="expected only game_options"):
        make("atacama").reset(options={"setup": "basic"})
    with pytest.raises(TypeError):
        make("atacama", colour="red")


def test_options_of_one_game_are_given_at_its_start() -> None:
    table = make("atacama", opponents="random")
    for options, setup in (({"game_options": {"setup": "enhanced"}}, "enhanced"), (None, "basic")):
        table.reset(seed=1, options=options)
        assert table.position.options["setup"] == setup


def test_gymnasiums_own_vectors_take_it_too() -> None:
    tables = gymnasium.make_vec(environment_id("atacama"), num_envs=2, vectorization_mode="sync", opponents="random")
    observation, _ = tables.reset(seed=3)
    assert observation in tables.observation_space
    tables.close()
