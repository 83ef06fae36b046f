"""The trained network plays at the table as a bot of its own, in a worker process like every bot."""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import joblib
import pytest

import atoll
from atoll.bots import Level, RandomBot, add_level, bot, level_names
from atoll.engine.options import OptionValue
from atoll.server.bots.pool import BotPool
from examples import train_atacama

GAME = atoll.games["atacama"]
PLUGIN = "examples.trained_bot"


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide an untrained network and the plugin that plays with it; remove it after the test."""
    file = tmp_path / "policy.joblib"
    joblib.dump(train_atacama.new_network(1), file)
    monkeypatch.setenv("ATOLL_POLICY", str(file))
    monkeypatch.setenv("ATOLL_PLUGINS", PLUGIN)
    monkeypatch.setattr(importlib.import_module("atoll.bots.levels"), "_ADDED", {})
    importlib.import_module(PLUGIN)
    yield file
    del sys.modules[PLUGIN]


@pytest.mark.usefixtures("policy")
@pytest.mark.parametrize("options", [{}, {"setup": "enhanced"}, {"tactic": True}])
def test_it_plays_in_a_worker_whatever_the_options(options: dict[str, OptionValue]) -> None:
    position = GAME.new(2, options, seed=3)

    async def play() -> None:
        pool = BotPool(1, seconds=120, memory=4 << 30)  # a worker imports scikit-learn first
        for seed in range(2):
            seat = position.to_move[0]
            position.apply(await pool.choose(position.save(), seat, "trained", seed), seat)
        await pool.close()

    asyncio.run(play())
    assert position.sequence >= 2


def test_it_plays_as_it_has_learned(policy: Path) -> None:
    position = GAME.new(2, seed=3)
    view = atoll.SeatView(position, position.to_move[0])
    assert bot(GAME, "trained").choose(view, 1.0, 1) == train_atacama.Trained.load(policy).choose(view, 1.0, 1)


@pytest.mark.usefixtures("policy")
def test_it_is_offered_beside_the_levels_of_its_game_only() -> None:
    assert "trained" in level_names(GAME)
    assert level_names(GAME)[-1] == "master"
    assert "trained" not in level_names(atoll.games["wutaki"])


@pytest.mark.parametrize("name", ["greedy", "expert", "master", "search", "two words", ""])
def test_a_bot_needs_a_name_of_its_own(name: str) -> None:
    with pytest.raises(ValueError, match="expected an identifier other than beginner"):
        add_level("atacama", Level(name, 1.0, lambda thinking: RandomBot()))
