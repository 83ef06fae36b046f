"""The level master: the search with the net that the game brings, where one fits."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import atoll
from atoll import bots
from atoll.bots import SearchBot, bundled_nets, value_net
from atoll.bots.bundled_nets import net_name
from atoll.bots.value_net import FeatureEncoder, ValueNet, Weights, net_for
from atoll.engine import Game, SeatView
from atoll.engine.options import OptionValue
from atoll.testing.cases import Case
from atoll.testing.play import Effort
from atoll.testing.secrecy_laws import bots_choose_the_same_for_twins

GAME = atoll.games["atacama"]
USUAL = GAME.resolve_options({}, 2)


@pytest.fixture(autouse=True)
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder from which nets come; there is one for two seats of Atacama."""
    monkeypatch.setattr(bundled_nets, "_FOLDER", str(tmp_path))
    forget()
    write(tmp_path / net_name(GAME, 2), FeatureEncoder(GAME, 2, USUAL).onehot.size)
    yield tmp_path
    forget()


def forget() -> None:
    value_net._net.cache_clear()
    bundled_nets.find_net.cache_clear()


def write(file: Path, size: int) -> None:
    """Write an untrained net.

    Args:
        file: The file.
        size: Size of the vector that the net reads.
    """
    arrays: Any = Weights.fresh(size, (8, 4), 2, np.random.default_rng(1)).arrays
    np.savez(file, **arrays)


def other_components(folder: Path) -> Game:
    text = (Path(atoll.__file__).parent / "games/atacama/components.toml").read_text("utf-8")
    changed = text.replace("line_minimum_rigs = 4", "line_minimum_rigs = 3")
    assert changed != text
    (folder / "mine.toml").write_text(changed, "utf-8")
    return GAME.with_components(folder / "mine.toml")


def test_it_is_offered_where_a_game_brings_a_net(brought: Path) -> None:
    assert "master" in bots.level_names(GAME)
    assert "master" not in bots.level_names(atoll.games["wutaki"])
    (brought / net_name(GAME, 2)).unlink()
    forget()
    assert bots.level_names(GAME)[-1] == "expert"


def test_master_is_the_highest_level_and_asks_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bots.level_names(GAME)[-2:] == ("expert", "master")
    asked = []
    judge = ValueNet.evaluate

    def spied(self: ValueNet, position: atoll.Position) -> tuple[list[float], Sequence[float]]:
        asked.append(position.seats)
        return judge(self, position)

    monkeypatch.setattr(ValueNet, "evaluate", spied)
    position = GAME.new(2, seed=5)
    view = SeatView(position, position.to_move[0])
    (choice,) = bots.bot(GAME, "master", iterations=20).choose(view, 9.0, 1)
    assert choice in view.legal
    assert asked == [2] * 20


@pytest.mark.parametrize("options", [{"tactic": True}, {"setup": "enhanced"}])
def test_where_no_net_fits_it_plays_like_expert(options: dict[str, OptionValue]) -> None:
    assert net_for(GAME, 2, GAME.resolve_options(options, 2)) is None
    assert net_for(GAME, 2, GAME.resolve_options({"start_player": "seat_2"}, 2)) is not None
    position = GAME.new(2, options, seed=5)
    view = SeatView(position, position.to_move[0])
    chosen = [bots.bot(GAME, name, iterations=20).choose(view, 9.0, 1) for name in ("master", "expert")]
    assert chosen[0] == chosen[1] == SearchBot(iterations=20).choose(view, 9.0, 1)


def test_with_other_components_it_is_not_offered_but_tables_that_have_it_go_on(tmp_path: Path) -> None:
    mine = other_components(tmp_path)
    assert bots.level_names(mine)[-1] == "expert"
    position = mine.new(2, seed=5)
    view = SeatView(position, position.to_move[0])
    assert bots.bot(mine, "master", iterations=20).choose(view, 9.0, 1)[0] in view.legal


@pytest.mark.parametrize("wrong", ["no zip", "another size"])
def test_a_net_that_is_of_something_else_is_left_out_with_a_warning(
    brought: Path, caplog: pytest.LogCaptureFixture, wrong: str
) -> None:
    file = brought / net_name(GAME, 2)
    if wrong == "no zip":
        file.write_text(wrong)
    else:
        write(file, 100)
    with caplog.at_level(logging.WARNING):
        assert net_for(GAME, 2, USUAL) is None
        assert net_for(GAME, 2, USUAL) is None
    (message,) = caplog.messages
    assert message.startswith(f"net {file} is left out: ")
    assert wrong == "no zip" or "doesn't fit atacama with 2 seats" in message
    position = GAME.new(2, seed=5)
    view = SeatView(position, position.to_move[0])
    assert bots.bot(GAME, "master", iterations=20).choose(view, 9.0, 1)[0] in view.legal


def test_twins_get_the_same_choice(brought: Path) -> None:
    game = atoll.games["wutaki"]  # much is secret there
    write(brought / net_name(game, 2), FeatureEncoder(game, 2, game.resolve_options({}, 2)).onehot.size)
    forget()
    master = bots.bot(game, "master", iterations=2)
    bots_choose_the_same_for_twins(Case(game, 2, (), 3), Effort(twins=2), lambda _: {"master": master})
    assert value_net._net.cache_info().currsize == 1
