"""`atoll train`: a seed always trains the same net, training can be continued, faults are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import atoll
from atoll.bots import SearchBot, SearchParameters, shares_at_end
from atoll.bots.value_net import LAYERS, FeatureEncoder, Floats, PositionBatch, ValueNet, Weights, read
from atoll.engine import SeatView
from atoll.lab.plan import PlanError
from atoll.lab.selfplay import SampleBatch, TrainingConfig, play
from atoll.lab.training import NetTrainer, Training, load_config, override_config, read_events, train

SMALL = TrainingConfig("atacama", 2, hidden=(8, 4), games=3, batch=32, every=1, memory=1000)


def trained(folder: Path, config: TrainingConfig = SMALL) -> dict[str, Floats]:
    for _ in Training(atoll.games["atacama"], config, folder).rounds(0, 1):
        pass
    return read(folder / "net.npz")


def test_the_seed_decides_the_net_and_a_folder_goes_on(tmp_path: Path) -> None:
    one, two = trained(tmp_path / "one"), trained(tmp_path / "two")
    other = trained(tmp_path / "other", replace(SMALL, seed=2))
    assert all((one[name] == two[name]).all() for name in LAYERS)
    assert (one["in"] != other["in"]).any()
    longer = trained(tmp_path / "one")
    assert (longer["out"] != one["out"]).any()
    assert [each["round"] for each in read_events(tmp_path / "one")] == [1, 2]
    assert [each["games"] for each in read_events(tmp_path / "one")] == [3, 6]
    with pytest.raises(PlanError, match="another folder"):
        trained(tmp_path / "one", replace(SMALL, width=3))


def test_files_that_cant_be_read_are_named(tmp_path: Path) -> None:
    trained(tmp_path)
    whole = (tmp_path / "net.npz").read_bytes()
    for broken in (b"", b"junk", whole[: len(whole) // 2], whole.replace(b"round", b"bound")):
        (tmp_path / "net.npz").write_bytes(broken)
        with pytest.raises(PlanError, match="isn't a net that training can continue from"):
            trained(tmp_path)
    (tmp_path / "net.npz").write_bytes(whole)
    with (tmp_path / "metrics.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": "rou\n')
    with pytest.raises(PlanError, match="line 2 isn't valid JSON; delete it"):
        trained(tmp_path)


@pytest.mark.parametrize("game", list(atoll.games))
def test_a_fresh_net_expects_what_estimate_does(game: str, tmp_path: Path) -> None:
    rules = atoll.games[game]
    seats = max(2, rules.seat_counts[0])
    eye = FeatureEncoder(rules, seats, rules.resolve_options({}, seats))
    weights = Weights.fresh(eye.onehot.size, (8, 4), seats, np.random.default_rng(1))
    arrays: Any = weights.arrays
    np.savez(tmp_path / "net.npz", **arrays)
    moments = play(TrainingConfig(game, seats, hidden=(8, 4), kept=0.3, ahead=0.1), [0], str(tmp_path / "net.npz"), [])
    assert len(moments) > 2
    assert ((moments.targets >= 0) & (moments.targets <= 1)).all()
    assert moments.targets.mean(axis=1) == pytest.approx(0.5, abs=0.01)  # of each pair one is ahead
    net = ValueNet(eye, weights)
    position = rules.new(seats, seed=3)
    shares, points = net.evaluate(position)
    assert sum(shares) == pytest.approx(seats / 2)
    assert len(points) == seats
    other = ValueNet(eye, Weights({**weights.arrays, "out_bias": np.array([3.0] + [0.0] * (seats - 1), np.float32)}))
    assert other.evaluate(position)[0][position.to_move[0]] > shares[position.to_move[0]]


@pytest.mark.parametrize(("game", "seats"), [("atacama", 4), ("wutaki", 3)])
def test_many_moments_are_judged_as_each_by_itself(game: str, seats: int) -> None:
    rules = atoll.games[game]
    eye = FeatureEncoder(rules, seats, rules.resolve_options({}, seats))
    weights = Weights.fresh(eye.onehot.size, (8, 4), seats, np.random.default_rng(1))
    weights.arrays["out"][:] = np.random.default_rng(2).normal(size=(4, seats))
    net = ValueNet(eye, weights)
    looks = PositionBatch(eye)
    position = rules.new(seats, seed=3)
    alone = []
    for step in range(100):  # more than a batch has room for at first
        looks.add(position)
        alone.append(net.evaluate(position)[0])
        options = position.legal_choices(position.to_move[0])
        position.apply(options[step % len(options)], position.to_move[0])
        if position.over:
            break
    assert len(set(looks.seats)) == seats
    assert net.evaluate_batch(looks) == pytest.approx(np.array(alone), abs=1e-4)


def test_choices_are_weighed_by_what_the_net_expects_after_them() -> None:
    rules = atoll.games["atacama"]
    eye = FeatureEncoder(rules, 2, rules.resolve_options({}, 2))
    weights = Weights.fresh(eye.onehot.size, (8, 4), 2, np.random.default_rng(1))
    weights.arrays["out"][:] = np.random.default_rng(2).normal(size=(4, 2))
    net = ValueNet(eye, weights)
    position = rules.new(2, seed=5)
    while not position.over:
        seat = position.to_move[0]
        choices = position.legal_choices(seat)
        odds = net.choice_values(position, seat, choices, 1)
        for choice, found in list(zip(choices, odds, strict=True))[:3]:
            after = position.fork(1)
            after.apply(choice, seat)
            share = shares_at_end(after.ranking())[seat] if after.over else net.evaluate(after)[0][seat]
            share = min(0.999, max(0.001, share))
            assert found == pytest.approx(np.log(share / (1 - share)), abs=1e-3)
        position.apply(choices[0], seat)


def test_a_net_may_be_asked_only_after_a_few_choices() -> None:
    rules = atoll.games["atlandice"]
    eye = FeatureEncoder(rules, 2, rules.resolve_options({}, 2))
    position = rules.new(2, seed=5)
    asked: list[int] = []

    class Spy(ValueNet):
        def evaluate(self, position: atoll.Position) -> tuple[list[float], Sequence[float]]:
            asked.append(position.sequence)
            return super().evaluate(position)

    net = Spy(eye, Weights.fresh(eye.onehot.size, (8, 4), 2, np.random.default_rng(1)))
    view = SeatView(position, position.to_move[0])
    for cut in (0, 9):
        SearchBot(replace(SearchParameters(), net_cut=cut), iterations=1, net=net).choose(view, 9.0, 1)
    early, late = asked
    assert position.sequence < early <= late - 9


def test_a_search_tries_first_what_the_net_likes() -> None:
    rules = atoll.games["atacama"]
    eye = FeatureEncoder(rules, 2, rules.resolve_options({}, 2))
    position = rules.new(2, seed=5)
    seat = position.to_move[0]
    liked = []

    class Fond(ValueNet):
        def choice_values(self, position: atoll.Position, seat: int, choices: Sequence[int], seed: int) -> list[float]:
            liked.append(choices[-1])  # the one that `weigh` of the game likes least of these
            return [3.0 if choice == choices[-1] else -3.0 for choice in choices]

    net = Fond(eye, Weights.fresh(eye.onehot.size, (8, 4), 2, np.random.default_rng(1)))
    found = SearchBot(iterations=5, net=net).explore(SeatView(position, seat), 9.0, 1)
    assert found.best(position.legal_choices(seat)) == liked[0]
    assert found.arms[liked[0]].visits > 2


def test_a_net_learns_what_is_told(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    places = random.integers(0, 20, 600).astype(np.int32)
    good = (places < 10).astype(np.float32)
    moments = SampleBatch(
        np.arange(601),
        places,
        np.ones(600, np.float32),
        np.zeros((600, 2), np.float32),
        np.stack([good, 1 - good], axis=1),
    )
    learner = NetTrainer(replace(SMALL, rate=0.01, passes=40), 20)
    learner.remember(moments)
    before, estimate, _ = learner.mean_squared_errors(moments)
    assert before == pytest.approx(estimate)
    learner.learn(600)
    assert learner.mean_squared_errors(moments)[0] < 0.02 < before


def test_moments_stay_as_they_are_however_often_they_are_judged() -> None:
    places = np.array([3, 3, 1, 0, 2, 2, 2, 4], np.int32)  # a place is there more than once
    moments = SampleBatch(
        np.array([0, 4, 8]),
        places.copy(),
        np.ones(8, np.float32),
        np.zeros((2, 2), np.float32),
        np.eye(2, dtype=np.float32),
    )
    learner = NetTrainer(replace(SMALL, rate=0.01, passes=40), 20)
    learner.remember(moments)
    learner.learn(2)
    assert learner.mean_squared_errors(moments) == learner.mean_squared_errors(moments)
    assert (moments.places == places).all()


def test_the_curve_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "training.toml"
    file.write_text("hidden = [8, 4]\ngames = 1\nahead = 0.1\n", "utf-8")
    train(atoll.games["atacama"], tmp_path / "net", 2, file, 1, minutes=0, matches=0, workers=1, say=str)
    curve = (tmp_path / "net" / "curve.svg").read_text("utf-8")
    assert all(name in curve for name in ("games", "the net", "estimate alone", "mean squared error"))


def test_a_search_judges_by_the_net() -> None:
    rules = atoll.games["atacama"]
    eye = FeatureEncoder(rules, 2, rules.resolve_options({}, 2))
    weights = Weights.fresh(eye.onehot.size, (8, 4), 2, np.random.default_rng(1))
    position = rules.new(2, seed=5)
    seat = position.to_move[0]
    asked = []

    class Spy(ValueNet):
        def evaluate(self, position: atoll.Position) -> tuple[list[float], list[float]]:
            asked.append(position.sequence)
            shares, points = super().evaluate(position)
            return shares, list(points)

    (choice,) = SearchBot(iterations=20, net=Spy(eye, weights)).choose(SeatView(position, seat), 9.0, 1)
    assert choice in position.legal_choices(seat)
    assert len(asked) == 20
    with pytest.raises(ValueError, match="doesn't fit atacama with 4 seats"):
        ValueNet(FeatureEncoder(rules, 4, rules.resolve_options({}, 4)), weights)


def test_what_a_config_cant_say_is_named(tmp_path: Path) -> None:
    rules = atoll.games["atacama"]
    file = tmp_path / "training.toml"
    file.write_text("games = 5\nhidden = [16, 8]\nrate = 1\n", "utf-8")
    config = load_config(rules, 2, file, 9)
    assert (config.games, config.hidden, config.rate, config.seed) == (5, (16, 8), 1.0, 9)
    for given, message in (
        ({"seed": 3}, "unknown key 'seed'"),
        ({"speed": 3}, "unknown key 'speed'"),
        ({"games": "many"}, "games = 'many'"),
        ({"hidden": [3]}, "hidden = "),
        ({"games": 0}, "at least 1"),
        ({"decay": 1.01}, "decay = 1.01: expected 0 to 1"),
        ({"ahead": -0.1}, "ahead = -0.1: expected 0 to 1"),
        ({"kept": 0}, "kept = 0.0: expected more than 0"),
        ({"rate": 0.0}, "rate = 0.0: expected more than 0"),
        ({"rate": float("nan")}, "rate = nan: expected more than 0"),
        ({"noise": -1.0}, "noise = -1.0: expected at least 0"),
        ({"hidden": [8, 0]}, r"hidden = \[8, 0\]: expected at least 1 unit in each layer"),
        ({"greedy": 0.6, "snapshots": 0.5}, "greedy . snapshots = 1.1: expected 1 at most"),
    ):
        with pytest.raises(PlanError, match=message):
            override_config(config, given, "here")
    file.write_text("games = ", "utf-8")
    with pytest.raises(PlanError, match="not valid TOML"):
        load_config(rules, 2, file, 1)
    with pytest.raises(PlanError, match="at least 2 seats"):
        train(atoll.games["atua"], tmp_path, 1, None, 1, minutes=0, matches=0, workers=1, say=print)
    alone = type(rules)()
    alone.seat_counts = (1,)
    with pytest.raises(PlanError, match="at least 2 seats"):
        train(alone, tmp_path, None, None, 1, minutes=0, matches=0, workers=1, say=print)
    with pytest.raises(PlanError, match="another folder"):
        trained(tmp_path / "net")
        (tmp_path / "net" / "training.toml").unlink()
        Training(rules, replace(SMALL, hidden=(9, 4)), tmp_path / "net")


def test_a_net_that_is_too_sure_of_itself_is_settled_by_what_games_came_to(tmp_path: Path) -> None:
    trained(tmp_path)
    training = Training(atoll.games["atacama"], SMALL, tmp_path)
    learner = training.learner
    moments = play(replace(SMALL, decay=1.0, ahead=0.0), range(20), str(tmp_path / "snapshots" / "current-0.npz"), [])
    correction = np.array([2.0, -1.0], np.float32)
    right = replace(moments, targets=1 / (1 + np.exp(-(moments.base + correction))))
    arrays = {name: np.zeros_like(array) for name, array in learner.weights.arrays.items()}
    nets = [Weights({**arrays, "out_bias": bias * correction}) for bias in (0.0, 3.0, 2.0)]
    settled, count, part = learner.best_fit(nets, right)
    assert (count, part) == (1, 0.5)
    assert settled.arrays["out_bias"] == pytest.approx(correction)
    nets[-1].arrays["out_bias"] = -correction
    settled, count, part = learner.best_fit(nets, right)
    assert (count, part) == (2, 1.0), "the mean of 3 and -1 is right, however wrong both are"
    assert settled.arrays["out_bias"] == pytest.approx(correction)


def test_what_plays_the_match_and_is_kept_is_settled(tmp_path: Path) -> None:
    trained(tmp_path)
    training = Training(atoll.games["atacama"], SMALL, tmp_path)
    training.learner.weights.arrays["out_bias"][:] = 25.0, -25.0  # far too sure
    told = training.match(1, 0.001, 1)
    assert told.fields["part"] == 0.1
    kept = read(tmp_path / training.best)
    assert abs(kept["out_bias"]).max() < 3
