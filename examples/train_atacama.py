"""Train a small value network for Atacama with scikit-learn, measure it, play against it.

    pip install "atoll[env]"
    python examples/train_atacama.py train policy.joblib --games 8000     # again with the same file: continues
    python examples/train_atacama.py measure policy.joblib --games 400
    python examples/train_atacama.py play policy.joblib

It plays the basic game for two against itself and against bots, and learns the value of a table right after its own
placement (Monte Carlo returns, afterstate values; Sutton and Barto, Reinforcement Learning, 2018, sections 5 and 6.8).
The network sees the table from its own side: if it scores rows, the board is mirrored, so it always scores columns.
`Trained` is a bot like any other: `choose(seat_view, budget, seed) -> choices`; trained_bot.py brings it to the table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPRegressor

import atoll
from atoll.bots import Bot, bot
from atoll.engine import Position, SeatView

GAME = atoll.games["atacama"]
SIDE = 9
FIELDS = SIDE * SIDE
MIRROR = np.arange(FIELDS).reshape(SIDE, SIDE).T.ravel()
ROW, COLUMN = np.divmod(np.arange(FIELDS), SIDE)
PLACE = GAME.vocabulary.kind_named("place")
FEATURES = 2 * FIELDS + 6 * SIDE + 3
GAMES_PER_FIT = 24
GAMES_PER_SAVE = 960

CLOSED = np.abs(ROW[:, None] - ROW) + np.abs(COLUMN[:, None] - COLUMN) <= 1
"""[field, other]: whether a rig on the field closes the other field."""


class Board:
    """A view of the basic two-player game in arrays, mirrored so that its seat scores columns."""

    def __init__(self, view: dict[str, Any]) -> None:
        s, seat = view["state"], view["viewer"]
        self.mirrored: bool = s["axis"][seat] == 1
        turn = MIRROR if self.mirrored else np.arange(FIELDS)
        ore, amount = np.array(s["ore"])[turn], np.array(s["amount"])[turn]
        signs = [np.array(GAME.components.multiplier[s["concession"][each]]) for each in (seat, 1 - seat)]
        self.worth = np.array([amount * sign[ore] for sign in signs])  # [own or other's, field]
        self.rigs = (np.array(s["rigs"]) >= 0)[turn]
        free = np.zeros(FIELDS, np.bool_)
        free[s["free"]] = True
        self.free = free[turn]
        self.left = (28 - s["turn"]) / 28

    def actions(self) -> NDArray[np.intp]:
        """The fields where a rig can be placed, as the network sees them."""
        return np.flatnonzero(self.free)

    def choice(self, action: int) -> int:
        """The choice that an action stands for."""
        return PLACE.choice(int(MIRROR[action]) if self.mirrored else int(action), 0)

    def after(self, actions: NDArray[np.intp]) -> NDArray[np.float32]:
        """The features of the table after each of these placements: one line of FEATURES numbers each."""
        rigs = np.repeat(self.rigs[None], len(actions), 0)
        rigs[np.arange(len(actions)), actions] = True
        free = self.free & ~CLOSED[actions]
        boards, places = rigs.reshape(-1, SIDE, SIDE), free.reshape(-1, SIDE, SIDE)
        own, other = ((rigs * worth).reshape(-1, SIDE, SIDE) for worth in self.worth)
        counts = (boards.sum(1), boards.sum(2))  # per column, per row
        worths = (own.sum(1), other.sum(2))
        scores = [((count >= 4) * worth).sum(1, keepdims=True) for count, worth in zip(counts, worths, strict=True)]
        lines = [*(count / 4 for count in counts), *(worth / 10 for worth in worths)]
        rest = [places.sum(1) / 5, places.sum(2) / 5, *(score / 20 for score in scores)]
        turns = np.full((len(actions), 1), self.left)
        return np.concatenate([rigs, free, *lines, *rest, turns], 1).astype(np.float32)


class Trained:
    """A trained network as a bot.

    Args:
        network: The network.
        slips: Probability of a random placement, for learning.
    """

    def __init__(self, network: MLPRegressor, slips: float = 0.0) -> None:
        self.network = network
        self.slips = slips
        self.seen: list[NDArray[np.float32]] = []

    @classmethod
    def load(cls, path: Path) -> Trained:
        """The bot that `train` saved."""
        return cls(joblib.load(path))

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """The placement after which the table is worth most; the budget doesn't matter."""
        board = Board(seat_view.view)
        actions = board.actions()
        random = Random(seed)
        if self.slips and random.random() < self.slips:
            actions = actions[[random.randrange(len(actions))]]
        tables = board.after(actions)
        best = int(np.argmax(self.network.predict(tables))) if len(actions) > 1 else 0
        self.seen.append(tables[best].copy())
        return [board.choice(int(actions[best]))]


def new_network(seed: int) -> MLPRegressor:
    """An untrained network that can already be asked."""
    network = MLPRegressor(hidden_layer_sizes=(128, 64), learning_rate_init=1e-3, random_state=seed)
    network.partial_fit(np.zeros((1, FEATURES), np.float32), [0.0])
    return network


def play_game(players: Sequence[Bot], random: Random) -> Position:
    """A whole basic game of two bots."""
    position: Position = GAME.new(2, seed=random.getrandbits(60))
    while not position.over:
        seat = position.to_move[0]
        position.apply(players[seat].choose(SeatView(position, seat), 0.05, random.getrandbits(60)), seat)
    return position


def worth_to(position: Position, seat: int) -> float:
    """Return the value of a finished game for a seat: mostly the win, and a little the margin."""
    scores = position.scores()
    lead = scores[seat] - scores[1 - seat]
    return float(np.sign(lead)) + float(np.clip(lead / 20, -1, 1)) / 2


def train(out: Path, games: int, seed: int, opponents: Sequence[str]) -> int:
    """Train with at least this number of games and return the number of games played.

    The network is saved at intervals. The training of an existing file continues. The same seed gives
    the same network on the same versions of NumPy and scikit-learn, if it isn't interrupted.

    Args:
        out: File of the network.
        games: Least number of games.
        seed: Seed of the training.
        opponents: Names of the bots to play against.
    """
    network = joblib.load(out) if out.exists() else new_network(seed)
    random = Random(seed + network.t_)
    bots = [bot(GAME, name) for name in opponents]
    started = time.process_time()
    played = saved = 0
    recent: list[float] = []
    memory: list[tuple[NDArray[np.float32], float]] = []
    while True:
        for _ in range(GAMES_PER_FIT):
            learners = [Trained(network, slips=0.1), Trained(network, slips=0.1)]
            players: list[Bot] = list(learners)
            seat = played % 2
            if played % 2 and bots:
                players[1 - seat] = random.choice(bots)
            position = play_game(players, random)
            played += 1
            recent = [*recent[-199:], worth_to(position, seat)]
            for each, learner in enumerate(learners):
                memory += [(table, worth_to(position, each)) for table in learner.seen]
        memory = memory[-60_000:]
        batch = random.sample(memory, min(len(memory), 2_000))
        network.partial_fit(np.array([table for table, _ in batch]), [worth for _, worth in batch])
        if played >= games or played - saved >= GAMES_PER_SAVE:
            saved = played
            joblib.dump(network, out)
            minutes = (time.process_time() - started) / 60
            worth = sum(recent) / len(recent)
            print(f"{played:7,} games, {minutes:.1f} minutes of the processor, mean worth {worth:+.2f}", flush=True)
        if played >= games:
            return played


def measure(path: Path, games: int, seed: int) -> dict[str, float]:
    """The share of games won against random and greedy, seats alternating, draws half; also printed."""
    trained = Trained.load(path)
    random = Random(seed)
    shares = {}
    for name in ("random", "greedy"):
        won = 0.0
        for number in range(games):
            seat = number % 2
            players: list[Bot] = [trained, trained]
            players[1 - seat] = bot(GAME, name)
            places = play_game(players, random).ranking()
            won += 0.5 if places == [1, 1] else float(places[seat] == 1)
        shares[name] = won / games
        print(f"against {name}: {shares[name]:.1%} of {games} games", flush=True)
    return shares


def play(path: Path, seed: int) -> None:
    """You against the network, choices as texts such as `place r5c5 base`."""
    trained = Trained.load(path)
    position = GAME.new(2, {"start_player": "seat_1"}, seed=seed)
    while not position.over:
        if position.to_move == (1,):
            choices = trained.choose(SeatView(position, 1), 0.05, 0)
            print("network:", *(position.text(choice) for choice in choices))
            position.apply(choices, 1)
            continue
        try:
            position.apply(position.parse(input("you: ")), 0)
        except atoll.engine.AtollError as error:
            print(error)
    print("scores", position.scores())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("file", type=Path)
    training.add_argument("--games", type=int, default=8000)
    training.add_argument("--against", nargs="*", default=["random", "greedy"])
    measuring = commands.add_parser("measure")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("--games", type=int, default=400)
    playing = commands.add_parser("play")
    playing.add_argument("file", type=Path)
    given = parser.parse_args()
    if given.command == "train":
        train(given.file, given.games, given.seed, given.against)
    elif given.command == "measure":
        measure(given.file, given.games, given.seed)
    else:
        play(given.file, given.seed)


if __name__ == "__main__":
    main()
