"""Trains the value nets of a game: rounds of self-play on all processes, then matches.

Learning happens between the rounds. A folder contains everything:

- `training.toml`: the configuration.
- `net.npz`: the net and the state of the optimizer, from which learning continues.
- `metrics.jsonl`: one line per round and match; `curve.svg` is drawn from it.
- `snapshots`: earlier nets.
- A file named by `net_name`: the net with the best result against the search without a net.

Training with an existing folder continues from there. The seed determines every game and every
event of a round. Only the number of rounds depends on the machine.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from scipy.sparse import csr_matrix, vstack

from atoll.bots.bundled_nets import net_name
from atoll.bots.value_net import LAYERS, FeatureEncoder, Floats, Weights, read
from atoll.engine import Game

from .plan import PlanError
from .results import make_folder
from .run import Result, WorkerPool, check_engine, worker_pool
from .selfplay import SampleBatch, TrainingConfig, match, play

_BETA: Final = (0.9, 0.999)
_TINY: Final = 1e-8
_COMMAND_LINE_KEYS: Final = ("game", "seats", "seed")  # set by the command line, not by the config file
_LEAST: Final = {"games": 1, "width": 1, "memory": 1000, "batch": 1, "every": 1}  # lowest values by key
_POSITIVE: Final = ("heat", "rate", "passes", "kept")
_PARTS: Final = ("decay", "ahead", "snapshots", "greedy", "kept")  # keys of values from 0 to 1
_MATCH_S: Final = 0.05  # processor time per decision in matches
_SNAPSHOTS_IN_PLAY: Final = 8  # latest snapshots, which play some of the seats
_CORRECTION_FACTORS: Final = tuple(number / 10 for number in range(1, 16))  # factors tried for a net's correction


def load_config(game: Game, seats: int, file: Path | None, seed: int) -> TrainingConfig:
    """Return the configuration of a training.

    Args:
        game: The game.
        seats: Number of seats.
        file: Config file; None for the defaults.
        seed: Seed of the training.

    Raises:
        PlanError: If the file isn't valid TOML, or has an unknown key or an invalid value.
        OSError: If the file can't be read.
    """
    config = TrainingConfig(game.id, seats, seed)
    if file is None:
        return config
    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{file}: not valid TOML: {error}") from None
    return override_config(config, given, str(file))


def override_config(config: TrainingConfig, given: Mapping[str, Any], where: str) -> TrainingConfig:
    """Return a configuration with other values.

    Args:
        config: The configuration.
        given: The values by key.
        where: Name of their source, for messages.

    Raises:
        PlanError: If a key is unknown or a value is invalid.
    """
    known = {
        each.name: type(getattr(config, each.name)) for each in fields(config) if each.name not in _COMMAND_LINE_KEYS
    }
    for key, value in given.items():
        kind = known.get(key)
        if kind is None:
            raise PlanError(f"{where}: unknown key {key!r}; allowed: {', '.join(known)}")
        if kind is tuple:
            fits = isinstance(value, list | tuple) and len(value) == 2 and all(type(each) is int for each in value)
        else:
            fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits:
            raise PlanError(f"{where}: {key} = {value!r}: expected a {kind.__name__} such as {getattr(config, key)!r}")
        new: Any = {key: tuple(value) if kind is tuple else kind(value)}
        config = replace(config, **new)
    _check_ranges(config, where)
    return config


def _check_ranges(config: TrainingConfig, where: str) -> None:
    """Reject values out of range.

    Args:
        config: The configuration.
        where: Name of its source, for messages.

    Raises:
        PlanError: If a value is out of range.
    """
    for key, least in _LEAST.items():
        if getattr(config, key) < least:
            raise PlanError(f"{where}: {key} = {getattr(config, key)}: expected at least {least}")
    for key in _POSITIVE:
        if not 0 < getattr(config, key) < float("inf"):
            raise PlanError(f"{where}: {key} = {getattr(config, key)}: expected more than 0")
    for key in _PARTS:
        if not 0 <= getattr(config, key) <= 1:
            raise PlanError(f"{where}: {key} = {getattr(config, key)}: expected 0 to 1")
    if not 0 <= config.noise < float("inf"):
        raise PlanError(f"{where}: noise = {config.noise}: expected at least 0")
    if config.greedy + config.snapshots > 1:
        raise PlanError(f"{where}: greedy + snapshots = {config.greedy + config.snapshots}: expected 1 at most")
    if min(config.hidden) < 1:
        raise PlanError(f"{where}: hidden = {list(config.hidden)}: expected at least 1 unit in each layer")


@dataclass(frozen=True, slots=True)
class _ReplayBuffer:
    """A batch of samples in the replay buffer, row by row.

    Attributes:
        vectors: Sparse matrix of multi-hot vectors.
        base: Log odds of the shares by `expected_scores`, see `SampleBatch`.
        targets: Final shares, see `SampleBatch`.
    """

    vectors: Any
    base: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.base)


class NetTrainer:
    """Fits a value net to samples: Adam on the cross-entropy of all seats' shares.

    Attributes:
        config: The configuration.
        size: Length of the feature vectors.
        random: Source of the drawn samples.
        weights: Weights of the net.
        moved: First and second moments of Adam, by `m.` or `v.` and the layer.
        round: Number of completed rounds.
        steps: Number of completed steps.
        memory: The replay buffer, oldest batch first.

    References:
        Kingma, Ba (2015), Adam: a method for stochastic optimization.
    """

    def __init__(self, config: TrainingConfig, size: int) -> None:
        self.config: TrainingConfig = config
        self.size: int = size
        self.random: np.random.Generator = np.random.default_rng(config.seed)
        self.weights: Weights = Weights.fresh(size, config.hidden, config.seats, self.random)
        arrays = self.weights.arrays
        moved = [f"{kind}.{name}" for kind in "mv" for name in LAYERS]
        self.adam_moments: dict[str, Floats] = {key: np.zeros_like(arrays[key[2:]]) for key in moved}
        self.round: int = 0
        self.steps: int = 0
        self.memory: list[_ReplayBuffer] = []

    def save(self, path: Path) -> None:
        """Write everything that learning needs to continue."""
        state = {"round": np.array(self.round), "steps": np.array(self.steps)}
        part = path.with_suffix(".part.npz")
        everything: Any = {**self.weights.arrays, **self.adam_moments, **state}
        np.savez(part, **everything)
        part.replace(path)

    def load(self, path: Path) -> None:
        """Continue from a file.

        Args:
            path: File that `save` wrote.

        Raises:
            PlanError: If the file isn't a complete net, or the net has another shape.
        """
        needed = (*LAYERS, *self.adam_moments, "round", "steps")
        try:
            with np.load(path, allow_pickle=False) as stored:
                found = {name: stored[name] for name in needed}
        except (ValueError, KeyError, EOFError, BadZipFile):
            raise PlanError(f"{path} isn't a net that training can continue from; use another folder") from None
        if any(found[name].shape != array.shape for name, array in self.weights.arrays.items()):
            raise PlanError(f"{path}: the net has another shape; use another folder")
        self.weights = Weights({name: found[name] for name in LAYERS})
        self.adam_moments = {name: found[name] for name in self.adam_moments}
        self.round, self.steps = int(found["round"]), int(found["steps"])
        self.random = np.random.default_rng((self.config.seed, self.round))

    def remember(self, fresh: SampleBatch) -> None:
        """Add samples to the replay buffer, and drop the oldest ones."""
        self.memory.append(_ReplayBuffer(self._matrix(fresh), fresh.base, fresh.targets))
        while len(self.memory) > 1 and sum(map(len, self.memory)) - len(self.memory[0]) >= self.config.memory:
            del self.memory[0]

    def mean_squared_errors(self, moments: SampleBatch) -> tuple[float, float, float]:
        """Return mean squared errors of the shares on samples that weren't learned from yet.

        Args:
            moments: The samples.

        Returns:
            The errors of the net, of `expected_scores` alone, and of the mean share.
        """
        logits = moments.base + self._forward(self._matrix(moments), self.weights.arrays)[-1]
        wanted = moments.targets
        errors = [_sigmoid(logits) - wanted, _sigmoid(moments.base) - wanted, wanted.mean() - wanted]
        return tuple(float(np.mean(error**2)) for error in errors)  # type: ignore[return-value]

    def best_fit(self, nets: Sequence[Weights], moments: SampleBatch) -> tuple[Weights, int, float]:
        """Return the net that fits samples best, made from recent nets.

        Candidates are the mean of the last nets, for each number of them, with the correction
        scaled by each of several factors. A mean is less noisy than a single net, and scaling
        limits overfitting.

        Args:
            nets: Recent nets, the newest last.
            moments: Samples that weren't learned from.

        Returns:
            The net, the number of nets it is the mean of, and the factor of its correction.

        References:
            Izmailov et al. (2018), Averaging weights leads to wider optima and better
            generalization.
        """
        vectors = self._matrix(moments)
        found = []
        for count in range(1, len(nets) + 1):
            mean = {name: np.mean([each.arrays[name] for each in nets[-count:]], axis=0) for name in LAYERS}
            correction = self._forward(vectors, mean)[-1]
            for part in _CORRECTION_FACTORS:
                off = float(np.mean((_sigmoid(moments.base + part * correction) - moments.targets) ** 2))
                found.append((off, count, part, mean))
        _, count, part, mean = min(found, key=lambda each: each[:3])
        for name in ("out", "out_bias"):
            mean[name] = mean[name] * np.float32(part)
        return Weights(mean), count, part

    def learn(self, fresh: int) -> None:
        """Complete a round: make steps with samples drawn from the replay buffer.

        Args:
            fresh: Number of new samples, which determines the number of steps.
        """
        config = self.config
        sizes = np.array([len(each) for each in self.memory])
        batch = min(config.batch, int(sizes.sum()))
        steps = max(1, int(fresh * config.passes / config.batch))
        drawn = self.random.integers(sizes.sum(), size=steps * batch)
        order = np.argsort(drawn)
        parts = np.split(drawn[order], np.searchsorted(drawn[order], np.cumsum(sizes)[:-1]))
        rows = [part - first for part, first in zip(parts, np.cumsum([0, *sizes[:-1]]), strict=True)]
        back = np.argsort(order)
        vectors = vstack([each.vectors[own] for each, own in zip(self.memory, rows, strict=True)], "csr")[back]
        base = np.concatenate([each.base[own] for each, own in zip(self.memory, rows, strict=True)])[back]
        targets = np.concatenate([each.targets[own] for each, own in zip(self.memory, rows, strict=True)])[back]
        for begin in range(0, steps * batch, batch):
            part = slice(begin, begin + batch)
            self._step(vectors[part], base[part], targets[part])
        self.round += 1

    def _matrix(self, moments: SampleBatch) -> Any:
        """Return the vectors of samples as a sparse matrix."""
        shape = (len(moments), self.size)
        found = csr_matrix((moments.values, moments.places, moments.starts), shape=shape, copy=True)
        found.sum_duplicates()
        return found

    def _forward(self, vectors: Any, arrays: Mapping[str, Floats]) -> tuple[Floats, Floats, Floats]:
        """Return the activations of both hidden layers and the correction of the log odds."""
        first = np.maximum(vectors @ arrays["in"] + arrays["in_bias"], 0)
        second = np.maximum(first @ arrays["middle"] + arrays["middle_bias"], 0)
        return first, second, second @ arrays["out"] + arrays["out_bias"]

    def _step(self, vectors: Any, base: Floats, targets: Floats) -> None:
        """Make one step of Adam."""
        arrays = self.weights.arrays
        first, second, correction = self._forward(vectors, arrays)
        error = (_sigmoid(base + correction) - targets) / np.float32(len(base))
        back_second = (error @ arrays["out"].T) * (second > 0)
        back_first = (back_second @ arrays["middle"].T) * (first > 0)
        slopes = {
            "in": vectors.T @ back_first,
            "in_bias": back_first.sum(0),
            "middle": first.T @ back_second,
            "middle_bias": back_second.sum(0),
            "out": second.T @ error,
            "out_bias": error.sum(0),
        }
        self.steps += 1
        rate = self.config.rate / (1 + self.round / 30) ** 0.5
        scale = rate * (1 - _BETA[1] ** self.steps) ** 0.5 / (1 - _BETA[0] ** self.steps)
        for name, slope in slopes.items():
            mean, spread = self.adam_moments[f"m.{name}"], self.adam_moments[f"v.{name}"]
            mean += (1 - _BETA[0]) * (slope - mean)
            spread += (1 - _BETA[1]) * (slope**2 - spread)
            arrays[name] -= (scale * mean / (np.sqrt(spread) + _TINY)).astype(np.float32)


def _sigmoid(odds: Floats) -> Floats:
    """Return the shares for log odds, clipped to a safe range."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float32)


@dataclass(frozen=True, slots=True)
class TrainingEvent:
    """An event of a training.

    Attributes:
        key: `round` or `match`.
        fields: The figures of the event.
    """

    key: str
    fields: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.key}: " + ", ".join(f"{name} {round(value, 4)}" for name, value in self.fields.items())


class Training:
    """A training in its folder.

    Attributes:
        folder: The folder.
        config: The configuration.
        game: The game.
        best: Name of the file of the best net.
        learner: Trainer of the net.
        games: Number of games begun.
    """

    def __init__(self, game: Game, config: TrainingConfig, folder: Path) -> None:
        """Create the folder, or continue the training in it.

        Args:
            game: The game.
            config: The configuration.
            folder: The folder.

        Raises:
            PlanError: If something else was trained in the folder, or its files can't be read.
            ResultsError: If the path is a file.
        """
        self.folder: Path = folder
        self.config: TrainingConfig = config
        self.game: Game = game
        self.best: str = net_name(game, config.seats)
        make_folder(folder / "snapshots")
        self._write_config()
        eye = FeatureEncoder(game, config.seats, game.resolve_options({}, config.seats))
        self.learner: NetTrainer = NetTrainer(config, eye.onehot.size)
        if (folder / "net.npz").exists():
            self.learner.load(folder / "net.npz")
        self.games: int = self.learner.round * config.games
        read_events(folder)

    def _write_config(self) -> None:
        """Write the configuration, or check that it is the same.

        Raises:
            PlanError: If the folder has another configuration.
        """
        file = self.folder / "training.toml"
        values = {**asdict(self.config), "box": self.game.components_hash}
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
        if file.exists() and file.read_text("utf-8") != text:
            raise PlanError(f"{file} has another configuration; use the same one, or another folder")
        file.write_text(text, "utf-8")

    def rounds(self, minutes: float, workers: int, engine: str = "local") -> Iterator[TrainingEvent]:
        """Train until the time is over, at least for one round.

        The games of a round are played while the round before is learned from.

        Args:
            minutes: Time limit in minutes.
            workers: Number of processes; 0 for one per core (local), or for all of the cluster.
            engine: `local` or `ray`. Machines of a cluster must share the folder.

        Yields:
            The event of each round.
        """
        end = perf_counter() + 60 * minutes
        with worker_pool(engine, workers) as pool:
            waiting = self._begin(pool)
            while True:
                start = perf_counter()
                fresh = SampleBatch.joined([each.result() for each in waiting])
                last = perf_counter() >= end
                waiting = [] if last else self._begin(pool)
                yield self._append_event("round", self._learn(fresh, perf_counter() - start))
                if last:
                    return

    def _begin(self, pool: WorkerPool) -> list[Result]:
        """Start the games of the next round, with the current net."""
        current = self.folder / "snapshots" / f"current-{self.games % 2}.npz"
        _write_net(current, self.learner)
        earlier = sorted((self.folder / "snapshots").glob("round-*.npz"))[-_SNAPSHOTS_IN_PLAY:]
        numbers = range(self.games, self.games + self.config.games)
        self.games += self.config.games
        parts = [numbers[first :: pool.size] for first in range(min(pool.size, len(numbers)))]
        files = str(current.resolve()), [str(each.resolve()) for each in earlier]
        config, game = pool.share(self.config), pool.share(self.game)
        return [pool.submit(play, config, part, *files, game) for part in parts]

    def _learn(self, fresh: SampleBatch, waited: float) -> dict[str, Any]:
        """Learn from the samples of a round, and return its figures."""
        start = perf_counter()
        learner = self.learner
        off, estimate, mean = learner.mean_squared_errors(fresh)
        learner.remember(fresh)
        learner.learn(len(fresh))
        if learner.round % self.config.every == 0:
            _write_net(self.folder / "snapshots" / f"round-{learner.round:06}.npz", learner)
        learner.save(self.folder / "net.npz")
        return {
            "round": learner.round,
            "games": learner.round * self.config.games,
            "moments": len(fresh),
            "error": off,
            "error_of_estimate": estimate,
            "error_of_mean": mean,
            "waited": round(waited, 2),
            "learnt": round(perf_counter() - start, 2),
        }

    def match(self, games: int, seconds: float, workers: int, engine: str = "local") -> TrainingEvent:
        """Let the best-fitting net play against the search without a net, with equal time.

        Afterwards the folder has the net with the best result so far.

        Args:
            games: Number of games, at least 1.
            seconds: Time per decision, in seconds of processor time.
            workers: Number of processes, as for `rounds`.
            engine: `local` or `ray`.

        Returns:
            The event of the match.
        """
        current = self.folder / "snapshots" / "match.npz"
        count, part = self._write_best_fit(current)
        numbers = range(games)
        with worker_pool(engine, workers) as pool:
            parts = [numbers[first :: pool.size] for first in range(min(pool.size, games))]
            net = str(current.resolve())
            waiting = [pool.submit(match, self.config, part, net, seconds, self.game) for part in parts]
            shares = list(chain.from_iterable(each.result() for each in waiting))
        mean = float(np.mean(shares))
        off = float(np.std(shares) / max(1, len(shares)) ** 0.5)
        found = {"round": self.learner.round, "games": games, "seconds": seconds, "share": mean, "error": off}
        found |= {"mean_of": count, "part": part}
        if mean >= self._best():
            shutil.copy(current, self.folder / self.best)
        return self._append_event("match", found)

    def _write_best_fit(self, path: Path) -> tuple[int, float]:
        """Write the net that fits the results of new games best; see `NetTrainer.settled`.

        As many games as in a round are played.

        Args:
            path: Path of the file.

        Returns:
            The number of nets that it is the mean of, and the factor of its correction.
        """
        _write_net(path, self.learner)
        snapshots = sorted((self.folder / "snapshots").glob("round-*.npz"))[-_SNAPSHOTS_IN_PLAY:]
        nets = [Weights(read(each)) for each in (*snapshots, path)]
        config = replace(self.config, seed=self.config.seed + 1, decay=1.0, ahead=0.0, greedy=0.0, snapshots=0.0)
        fresh = play(config, range(config.games), str(path), [], self.game)
        settled, count, part = self.learner.best_fit(nets, fresh)
        _write(path, settled.arrays)
        return count, part

    def draw(self) -> None:
        """Draw the learning curve, `curve.svg`."""
        from .plots import learning  # noqa: PLC0415 - a slow import that only this method needs

        rounds = [each for each in read_events(self.folder) if each["key"] == "round"]
        (self.folder / "curve.svg").write_text(learning(rounds), "utf-8")

    def _best(self) -> float:
        """Return the best share of all matches; 0 without one."""
        return max((each["share"] for each in read_events(self.folder) if each["key"] == "match"), default=0.0)

    def _append_event(self, key: str, found: Mapping[str, Any]) -> TrainingEvent:
        """Append an event to `metrics.jsonl` and return it."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **found}) + "\n")
        return TrainingEvent(key, found)


def read_events(folder: Path) -> list[dict[str, Any]]:
    """Return all events of the training in a folder, oldest first.

    Args:
        folder: The folder.

    Raises:
        PlanError: If a line isn't valid JSON.
    """
    file = folder / "metrics.jsonl"
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines() if file.exists() else (), 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            raise PlanError(f"{file}: line {number} isn't valid JSON; delete it") from None
    return found


def _write_net(path: Path, learner: NetTrainer) -> None:
    """Write a net for use in games: in half precision, without features that never occurred."""
    arrays = dict(learner.weights.arrays)
    arrays["in"] = arrays["in"] * learner.adam_moments["v.in"].any(axis=1, keepdims=True)
    _write(path, arrays)


def _write(path: Path, arrays: Mapping[str, Floats]) -> None:
    """Write weights in half precision, in one step."""
    part = path.with_suffix(".part.npz")
    halves: Any = {name: array.astype(np.float16) for name, array in arrays.items()}
    np.savez_compressed(part, **halves)
    part.replace(path)


def train(
    game: Game,
    folder: Path,
    seats: int | None,
    config: Path | None,
    seed: int,
    *,
    minutes: float,
    matches: int,
    workers: int,
    engine: str = "local",
    say: Callable[[str], Any],
) -> None:
    """Train a net for the given time, then let it play against the search without a net.

    Args:
        game: The game.
        folder: Folder of the training. A training that it contains is continued.
        seats: Number of seats; None for the game's `min_multiplayer_seats`.
        config: Config file; None for the defaults.
        seed: Seed of the training.
        minutes: Training time in minutes; at least one round is completed.
        matches: Number of games against the search; 0 for none.
        workers: Number of processes; 0 for one per core (local), or for all of the cluster (ray).
        engine: `local` or `ray`. Machines of a cluster must share the folder.
        say: Callback that gets a line for each event.

    Raises:
        PlanError: If there are fewer than 2 seats, the configuration or the engine is invalid, or
            the folder contains another training.
        SeatCountError: If the game can't be played with this number of seats.
        ResultsError: If the path is a file.
    """
    check_engine(engine, workers)
    count = seats if seats is not None else game.min_multiplayer_seats
    if count < 2:
        raise PlanError("a net learns from games of at least 2 seats")
    game.new(count)
    training = Training(game, load_config(game, count, config, seed), folder)
    for each in training.rounds(minutes, workers, engine):
        say(str(each))
        if training.learner.round % training.config.every == 0:
            training.draw()
    training.draw()
    if matches:
        say(str(training.match(matches, _MATCH_S, workers, engine)))
