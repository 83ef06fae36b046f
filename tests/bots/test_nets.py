"""The nets that our games bring: each fits its game, and knows more of a moment than `estimate` does."""

from __future__ import annotations

from pathlib import Path

import pytest

import atoll
from atoll import bots
from atoll.bots import SearchBot
from atoll.bots.bundled_nets import find_net, net_name
from atoll.bots.value_net import Weights, net_for, read
from atoll.engine import SeatView
from atoll.lab.selfplay import TrainingConfig, play
from atoll.lab.training import NetTrainer
from atoll.testing.cases import Case
from atoll.testing.play import Effort
from atoll.testing.secrecy_laws import bots_choose_the_same_for_twins

FILES = sorted((Path(atoll.__file__).parent / "games").glob("*/nets/*"))


def test_every_game_has_a_master() -> None:
    assert [name for name, game in atoll.games.items() if bots.level_names(game)[-1] != "master"] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.name[0]}")
def test_a_net_that_comes_along_knows_more_than_estimate(file: Path) -> None:
    game = atoll.games[file.parts[-3]]
    seats = int(file.name.partition("_")[0])
    assert file.name == net_name(game, seats)
    assert find_net(game, seats) == file
    net = net_for(game, seats, game.resolve_options({}, seats))
    assert net is not None
    moments = play(TrainingConfig(game.id, seats, seed=99, greedy=0.3, ahead=0.0), range(12), str(file), [])
    learner = NetTrainer(TrainingConfig(game.id, seats), net.eye.onehot.size)
    learner.weights = Weights(read(file))
    error, estimate, _ = learner.mean_squared_errors(moments)
    assert error < estimate


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.name[0]}")
def test_a_net_that_comes_along_plays_a_whole_game_and_knows_what_its_seat_does(file: Path) -> None:
    game = atoll.games[file.parts[-3]]
    seats = int(file.name.partition("_")[0])
    master = bots.bot(game, "master", iterations=2)
    without = SearchBot(iterations=2)
    position = game.new(seats, seed=5)
    differs = 0
    while not position.over:
        view = SeatView(position, position.to_move[0])
        (choice,) = master.choose(view, 9.0, position.sequence)
        differs += choice != without.choose(view, 9.0, position.sequence)[0]
        position.apply(choice, view.seat)
    assert differs, "no net was asked"
    bots_choose_the_same_for_twins(Case(game, seats, (), 3), Effort(twins=2), lambda _: {"master": master})
