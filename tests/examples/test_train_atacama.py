"""The training example runs: seconds of training, resumed, measured.

See docs/study/tutorial-train-agent.md.
"""

from pathlib import Path

import joblib
import numpy as np

from atoll.engine import SeatView
from examples import train_atacama as example


def test_training_is_resumed_and_measured(tmp_path: Path) -> None:
    out = tmp_path / "policy.joblib"
    assert example.train(out, games=1, seed=1, opponents=["random"]) == example.GAMES_PER_FIT
    steps = joblib.load(out).t_
    example.train(out, games=1, seed=1, opponents=["greedy"])
    assert joblib.load(out).t_ > steps
    shares = example.measure(out, games=4, seed=2)
    assert set(shares) == {"random", "greedy"}
    assert all(0 <= share <= 1 for share in shares.values())


def test_features_of_a_placement_are_those_of_the_table_after_it() -> None:
    position = example.GAME.new(2, seed=4)
    for step in range(20):
        seat = position.to_move[0]
        board = example.Board(position.view(seat))
        actions = board.actions()
        action = actions[7 * step % len(actions)]
        features = board.after(np.array([action]))[0]
        position.apply(board.choice(int(action)), seat)
        view = position.view(seat)
        scores = view["live"]["scores"]
        assert np.isclose(features[-3] * 20, scores[seat])
        assert np.isclose(features[-2] * 20, scores[1 - seat])
        after = example.Board(view)
        assert (features[: example.FIELDS] == after.rigs).all()
        assert (features[example.FIELDS : 2 * example.FIELDS] == after.free).all()


def test_mirrored_and_plain_boards_are_alike() -> None:
    position = example.GAME.new(2, {"start_player": "seat_1"}, seed=1)
    own, other = (example.Board(position.view(seat)) for seat in (0, 1))
    assert (own.worth == other.worth).all()


def test_trained_is_a_bot(tmp_path: Path) -> None:
    position = example.GAME.new(2, seed=1)
    seat = position.to_move[0]
    choices = example.Trained(example.new_network(1)).choose(SeatView(position, seat), 0.1, 1)
    assert choices[0] in position.legal_choices(seat)
