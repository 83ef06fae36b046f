"""Self-play games, and the training samples that they give: positions with their final shares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from atoll import games
from atoll.bots import SearchBot, derive_seed, evaluation, game_tuning, shares_at_end
from atoll.bots.one_hot import SparseBatch
from atoll.bots.value_net import FeatureEncoder, Floats, PositionBatch, ValueNet, Weights, log_odds, read
from atoll.engine import Game, Position, SeatView

_GREEDY: Final = "greedy"
_GAMES_AT_ONCE: Final = 32  # games played at once


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The configuration of a training, without its duration.

    All attributes except the first three are keys of a config file.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        seed: Seed of the training.
        hidden: Units of the two hidden layers.
        games: Games per round.
        decay: Lambda of TD(lambda), over the decisions of all seats.
        width: Number of choices tried one move ahead, the likeliest by `choice_values`.
        ahead: Part of the decisions at which the net tries choices; at the others it follows
            `choice_values`.
        heat: Temperature of `choice_values`, as a multiple of the search's temperature.
        noise: Noise added to the net's values of tried choices, in log odds.
        snapshots: Part of the seats that an earlier net plays.
        greedy: Part of the seats that the greedy bot plays.
        kept: Part of the positions that become samples.
        memory: Number of samples in the replay buffer.
        rate: Initial learning rate of Adam; it falls with the square root of the rounds.
        passes: Mean number of times a sample is used.
        batch: Samples per step.
        every: Rounds between snapshots of the net.
    """

    game: str
    seats: int
    seed: int = 1
    hidden: tuple[int, int] = (128, 32)
    games: int = 64
    decay: float = 0.95
    width: int = 4
    ahead: float = 0.4
    heat: float = 0.5
    noise: float = 0.1
    snapshots: float = 0.2
    greedy: float = 0.1
    kept: float = 0.5
    memory: int = 150_000
    rate: float = 0.0005
    passes: float = 3.0
    batch: int = 1024
    every: int = 10


@dataclass(frozen=True, slots=True)
class SampleBatch:
    """Training samples, row by row; the first three arrays are those of `SparseBatch`.

    Attributes:
        starts: Start of each row in `places` and `values`, and the end: (rows + 1,).
        places: Indices of the non-zero features.
        values: Values of the features.
        base: Log odds of the shares by `expected_scores`, the seat to move first: (rows, seats).
        targets: Final shares in the same order, 0 to 1: (rows, seats).
    """

    starts: NDArray[np.int64]
    places: NDArray[np.int32]
    values: Floats
    base: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.base)

    @staticmethod
    def joined(parts: Sequence[SampleBatch]) -> SampleBatch:
        """Return several batches as one."""
        ends = np.cumsum([0, *(each.starts[-1] for each in parts)])
        starts = [each.starts[:-1] + end for each, end in zip(parts, ends, strict=False)]
        return SampleBatch(
            np.concatenate([*starts, ends[-1:]]),
            np.concatenate([each.places for each in parts]),
            np.concatenate([each.values for each in parts]),
            np.concatenate([each.base for each in parts]),
            np.concatenate([each.targets for each in parts]),
        )


@dataclass(slots=True)
class _Game:
    """A game of self-play in progress.

    Attributes:
        number: Number of the game.
        random: Source of all random decisions of the game.
        position: The position.
        players: Per seat the file of a net, or `greedy`.
        seen: Feature rows of the samples.
        seats: Seat to move of each sample.
        base: Log odds by `expected_scores` of each sample, the seat to move first.
        expected: Shares that the net expected at each sample, by seat.
    """

    number: int
    random: Random
    position: Position
    players: list[str]
    rows: list[SparseBatch] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    base: list[Floats] = field(default_factory=list)
    expected: list[list[float]] = field(default_factory=list)


@dataclass(slots=True)
class _CandidateMoves:
    """Choices from which the net takes the best.

    Attributes:
        game: The game.
        choices: The choices.
        rows: Per choice, the row of its position in the batch; -1 if the choice ends the game.
        ended: Per choice, the final share if the choice ends the game, otherwise 0.
    """

    game: _Game
    choices: list[int]
    rows: list[int]
    ended: list[float]


class SelfPlayWorker:
    """Plays the games of one training in one process.

    Many games run at once, so that the net evaluates positions in batches.

    Attributes:
        config: The configuration.
        game: The game.
        eye: Feature encoder of the game.
        knowledge: Evaluation of the game.
    """

    def __init__(self, config: TrainingConfig, game: Game | None = None) -> None:
        """Create a player.

        Args:
            config: The configuration.
            game: The game, if it has other components; None for the one that the config names.
        """
        self.config: TrainingConfig = config
        self.game = games[config.game] if game is None else game
        self.eye = FeatureEncoder(self.game, config.seats, self.game.resolve_options({}, config.seats))
        self.knowledge = evaluation(self.game)
        self._tuning = game_tuning(self.game)
        self._files: dict[str, ValueNet] = {}

    def net(self, file: str) -> ValueNet:
        """Return the net in a file; the last few are cached."""
        if file not in self._files:
            if len(self._files) > 2 * _GAMES_AT_ONCE:
                self._files.clear()
            self._files[file] = ValueNet(self.eye, Weights(read(Path(file))))
        return self._files[file]

    def play(self, numbers: Sequence[int], current: str, earlier: Sequence[str]) -> SampleBatch:
        """Play games of self-play.

        Args:
            numbers: Numbers of the games in the training.
            current: File of the current net.
            earlier: Files of earlier nets.

        Returns:
            The samples of the games, in the order of `numbers`.
        """
        waiting = list(reversed(numbers))
        running: list[_Game] = []
        ended: dict[int, SampleBatch] = {}
        while waiting or running:
            while waiting and len(running) < _GAMES_AT_ONCE:
                running.append(self._begin(waiting.pop(), current, earlier))
            self._step(running, current)
            for game in [game for game in running if game.position.over]:
                running.remove(game)
                ended[game.number] = self._finished_samples(game)
        return SampleBatch.joined([ended[number] for number in numbers])

    def _begin(self, number: int, current: str, earlier: Sequence[str]) -> _Game:
        """Start a game with random players."""
        random = Random(derive_seed(self.config.seed, number))
        players = [self._player(random, current, earlier) for _ in range(self.config.seats)]
        return _Game(number, random, self.game.new(self.config.seats, seed=random.getrandbits(60)), players)

    def _player(self, random: Random, current: str, earlier: Sequence[str]) -> str:
        """Draw the player of a seat."""
        luck = random.random()
        if luck < self.config.greedy:
            return _GREEDY
        if earlier and luck < self.config.greedy + self.config.snapshots:
            return random.choice(earlier)
        return current

    def _step(self, running: Sequence[_Game], current: str) -> None:
        """Play one decision of each game."""
        looks: dict[str, PositionBatch] = defaultdict(lambda: PositionBatch(self.eye))
        tries: list[tuple[_CandidateMoves, str]] = []
        met: list[_Game] = []
        moments = PositionBatch(self.eye)
        for game in running:
            position = game.position
            while not position.over and len(position.decision(position.to_move[0]).choices) == 1:
                position.apply(position.decision(position.to_move[0]).choices[0], position.to_move[0])
            if position.over:
                continue
            if game.random.random() < self.config.kept:
                met.append(game)
                moments.add(position)
            seat = position.to_move[0]
            player = game.players[seat]
            choices = self._choices(game, seat, player)
            if len(choices) == 1:
                position.apply(choices[0], seat)
            else:
                tries.append((self._try(game, seat, choices, looks[player]), player))
        if met:
            self._append_samples(met, moments, self.net(current).evaluate_batch(moments))
        shares = {file: self.net(file).evaluate_batch(each) for file, each in looks.items() if each.seats}
        for each, player in tries:
            self._take_best(each, shares.get(player))

    def _choices(self, game: _Game, seat: int, player: str) -> list[int]:
        """Return the choice that the player takes, or the choices that its net evaluates."""
        config, random = self.config, game.random
        ask = game.position.decision(seat)
        options = ask.choices
        weigh = self.knowledge.choice_values
        values = [0.0] * len(options) if weigh is None else list(weigh(game.position.state, ask))
        if player == _GREEDY:
            return [options[max(range(len(options)), key=lambda index: (values[index], random.random()))]]
        follows = random.random() >= config.ahead
        if not follows and len(options) <= config.width:
            return list(options)
        heat = config.heat * self._tuning.temperature * self.knowledge.spread
        highest = max(values)
        # With Gumbel noise the maximum is one draw of a softmax.
        # The highest few are draws without replacement.
        noisy = [(value - highest) / heat + _gumbel(random) for value in values]
        order = sorted(range(len(options)), key=noisy.__getitem__, reverse=True)
        return [options[index] for index in order[: 1 if follows else config.width]]

    def _try(self, game: _Game, seat: int, choices: list[int], looks: PositionBatch) -> _CandidateMoves:
        """Add the positions after the choices to a batch."""
        rows, ended = [], []
        seed = game.random.getrandbits(40)
        for choice in choices:
            trial = game.position.fork(seed, snapshots=False)
            trial.apply(choice, seat)
            over = trial.over
            ended.append(shares_at_end(trial.ranking())[seat] if over else 0.0)
            rows.append(-1 if over else looks.add(trial))
        return _CandidateMoves(game, choices, rows, ended)

    def _take_best(self, tried: _CandidateMoves, shares: Floats | None) -> None:
        """Apply the choice with the best share."""
        game = tried.game
        seat = game.position.to_move[0]
        best, best_odds = tried.choices[0], -1e9
        for choice, row, ended in zip(tried.choices, tried.rows, tried.ended, strict=True):
            share = ended if row < 0 or shares is None else float(shares[row, seat])
            odds = log_odds(share) + self.config.noise * _gumbel(game.random)
            if odds > best_odds:
                best, best_odds = choice, odds
        game.position.apply(best, seat)

    def _append_samples(self, met: Sequence[_Game], looks: PositionBatch, shares: Floats) -> None:
        """Append samples to their games."""
        vectors, base = looks.vectors(), looks.base()
        for row, game in enumerate(met):
            part = slice(vectors.starts[row], vectors.starts[row + 1])
            starts = np.array([0, part.stop - part.start], np.int64)
            game.rows.append(SparseBatch(starts, vectors.places[part].copy(), vectors.values[part].copy()))
            game.seats.append(looks.seats[row])
            game.base.append(base[row])
            game.expected.append(shares[row].tolist())

    def _finished_samples(self, game: _Game) -> SampleBatch:
        """Return the samples of a finished game.

        The target of a sample mixes the values expected at later samples with the result:
        TD(lambda).
        """
        seats, config, position = self.config.seats, self.config, game.position
        points = position.scores()
        shares = shares_at_end(position.ranking())
        spread = self.knowledge.spread
        margins = [
            sum(
                1.0 / (1.0 + 3.0 ** max(-40.0, min(40.0, (theirs - own) / spread)))
                for other, theirs in enumerate(points)
                if other != seat
            )
            / (seats - 1)
            for seat, own in enumerate(points)
        ]
        win, decay = self._tuning.win, config.decay
        worth = [win * share + (1 - win) * margin for share, margin in zip(shares, margins, strict=True)]
        targets: list[list[float]] = []
        for seat, expected in zip(reversed(game.seats), reversed(game.expected), strict=True):
            targets.append([worth[(seat + step) % seats] for step in range(seats)])
            worth = [decay * late + (1 - decay) * here for late, here in zip(worth, expected, strict=True)]
        targets.reverse()
        return SampleBatch(
            np.cumsum([0, *(len(each.places) for each in game.rows)]),
            np.concatenate([np.zeros(0, np.int32), *(each.places for each in game.rows)]),
            np.concatenate([np.zeros(0, np.float32), *(each.values for each in game.rows)]),
            np.array(game.base, np.float32).reshape(-1, seats),
            np.array(targets, np.float32).reshape(-1, seats),
        )


def _gumbel(random: Random) -> float:
    """Draw from the standard Gumbel distribution."""
    return -log(-log(random.random() or 1e-12) + 1e-12)


_PLAYERS: Final[dict[tuple[TrainingConfig, str], SelfPlayWorker]] = {}


def play(
    config: TrainingConfig, numbers: Sequence[int], current: str, earlier: Sequence[str], game: Game | None = None
) -> SampleBatch:
    """Play games of self-play with the cached player of this process.

    Args:
        config: The configuration.
        numbers: Numbers of the games in the training.
        current: File of the current net.
        earlier: Files of earlier nets.
        game: The game, if it has other components; None for the one that the config names.

    Returns:
        The samples of the games.
    """
    key = config, "" if game is None else game.components_hash
    player = _PLAYERS.get(key)
    if player is None:
        player = _PLAYERS[key] = SelfPlayWorker(config, game)
    return player.play(numbers, current, earlier)


def match(
    config: TrainingConfig, numbers: Sequence[int], file: str, seconds: float, game: Game | None = None
) -> list[float]:
    """Play games of a search with a net against the same search without one.

    The net plays half of the seats, one more or less in turn, and all seats in turn.

    Args:
        config: The configuration.
        numbers: Numbers of the games.
        file: File of the net.
        seconds: Time per decision for both, in seconds of processor time.
        game: The game, if it has other components; None for the one that the config names.

    Returns:
        For each game the share of the net, 0 to 1.
    """
    game = games[config.game] if game is None else game
    net = ValueNet(
        FeatureEncoder(game, config.seats, game.resolve_options({}, config.seats)), Weights(read(Path(file)))
    )
    bots = (SearchBot(clock=process_time, net=net), SearchBot(clock=process_time))
    found = []
    for number in numbers:
        position = game.new(config.seats, seed=derive_seed(config.seed, -1 - number))
        mine = {(number + step * 2) % config.seats for step in range((config.seats + number % 2) // 2)}
        count = 0
        while not position.over:
            seat = position.to_move[0]
            count += 1
            choice = position.legal_choices(seat)[0]
            if len(position.legal_choices(seat)) > 1:
                view = SeatView(position, seat)
                (choice,) = bots[seat not in mine].choose(view, seconds, derive_seed(config.seed, number, count))
            position.apply(choice, seat)
        places = position.ranking()
        pairs = [(places[seat], places[other]) for seat in mine for other in range(config.seats) if other not in mine]
        found.append(sum((one < two) + 0.5 * (one == two) for one, two in pairs) / len(pairs))
    return found
