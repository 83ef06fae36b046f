"""Trains the nets of a game: rounds of self-play on all processes, learning between them, matches at the end.

A folder holds everything: `course.toml` (how), `net.npz` (the net, and what learning goes on with), `metrics.jsonl` (a
line per round and match), `curve.svg` (drawn from it), `snapshots` (earlier nets), and under the name that a game's
package gives it (`net_name`) the net that did best against the search without one. Training again with the same folder
goes on from there. The seed decides every game; the round in which something happens depends on nothing else, so that
only how many rounds there are depends on the machine.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from scipy.sparse import csr_matrix, vstack

from atoll.bots.net import LAYERS, Eye, Floats, Weights, read
from atoll.bots.shelf import net_name
from atoll.engine import Game

from .plan import PlanError
from .results import make_folder
from .run import worker_processes, workers_here, workers_unstopped
from .selfplay import Course, Moments, match, play

_BETA: Final = (0.9, 0.999)
_TINY: Final = 1e-8
_GIVEN: Final = ("game", "seats", "seed")  # by the command, not by its config
_MATCH_S: Final = 0.05  # for a decision in matches, of the processor
_EARLIER: Final = 8  # snapshots that still play
_PARTS: Final = tuple(number / 10 for number in range(1, 16))  # of a net's correction that are tried at the end


def course_of(game: Game, seats: int, file: Path | None, seed: int) -> Course:
    """What a config file says, and the default for the rest. Raises PlanError for what it can't say."""
    course = Course(game.id, seats, seed)
    if file is None:
        return course
    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{file}: no TOML: {error}") from None
    return changed(course, given, str(file))


def changed(course: Course, given: Mapping[str, Any], where: str) -> Course:
    """A course with other values. Raises PlanError."""
    known = {each.name: type(getattr(course, each.name)) for each in fields(course) if each.name not in _GIVEN}
    for key, value in given.items():
        kind = known.get(key)
        if kind is None:
            raise PlanError(f"{where}: unknown key {key!r}; allowed: {', '.join(known)}")
        if kind is tuple:
            fits = isinstance(value, list | tuple) and len(value) == 2 and all(type(each) is int for each in value)
        else:
            fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits:
            raise PlanError(f"{where}: {key} = {value!r}: a {kind.__name__} is needed, as {getattr(course, key)!r}")
        new: Any = {key: tuple(value) if kind is tuple else kind(value)}
        course = replace(course, **new)
    low = {"games": 1, "width": 1, "memory": 1000, "batch": 1, "every": 1}
    for key, least in low.items():
        if getattr(course, key) < least:
            raise PlanError(f"{where}: {key} = {getattr(course, key)}: at least {least} is needed")
    return course


@dataclass(frozen=True, slots=True)
class _Known:
    """Moments that are remembered, row by row. vectors: multi-hot, sparse. base, targets: see Moments."""

    vectors: Any
    base: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.base)


class Learner:
    """Fits a net to what moments led to: Adam (Kingma, Ba 2015) on the cross-entropy of all seats' shares."""

    def __init__(self, course: Course, size: int) -> None:
        self.course: Course = course
        self.size: int = size
        self.random: np.random.Generator = np.random.default_rng(course.seed)
        self.weights: Weights = Weights.fresh(size, course.hidden, course.seats, self.random)
        arrays = self.weights.arrays
        moved = [f"{kind}.{name}" for kind in "mv" for name in LAYERS]
        self.moved: dict[str, Floats] = {key: np.zeros_like(arrays[key[2:]]) for key in moved}
        self.round: int = 0
        self.steps: int = 0
        self.memory: list[_Known] = []

    def save(self, path: Path) -> None:
        """Write all that learning goes on with."""
        state = {"round": np.array(self.round), "steps": np.array(self.steps)}
        part = path.with_suffix(".part.npz")
        everything: Any = {**self.weights.arrays, **self.moved, **state}
        np.savez(part, **everything)
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on from there. Raises PlanError if the net is another one, or none."""
        needed = (*LAYERS, *self.moved, "round", "steps")
        try:
            with np.load(path, allow_pickle=False) as stored:
                found = {name: stored[name] for name in needed}
        except (ValueError, KeyError, EOFError, BadZipFile):
            raise PlanError(f"{path} is no net to go on with; use another folder") from None
        if any(found[name].shape != array.shape for name, array in self.weights.arrays.items()):
            raise PlanError(f"{path}: the net has another shape; use another folder")
        self.weights = Weights({name: found[name] for name in LAYERS})
        self.moved = {name: found[name] for name in self.moved}
        self.round, self.steps = int(found["round"]), int(found["steps"])
        self.random = np.random.default_rng((self.course.seed, self.round))

    def remember(self, fresh: Moments) -> None:
        """Add moments; the oldest are forgotten."""
        self.memory.append(_Known(self._matrix(fresh), fresh.base, fresh.targets))
        while len(self.memory) > 1 and sum(map(len, self.memory)) - len(self.memory[0]) >= self.course.memory:
            del self.memory[0]

    def judge(self, moments: Moments) -> tuple[float, float, float]:
        """How far off moments are whose end it hasn't learnt from: mean squared error of the shares.

        Of the net, of `estimate` alone, and of the mean share.
        """
        logits = moments.base + self._forward(self._matrix(moments), self.weights.arrays)[-1]
        wanted = moments.targets
        errors = [_sigmoid(logits) - wanted, _sigmoid(moments.base) - wanted, wanted.mean() - wanted]
        return tuple(float(np.mean(error**2)) for error in errors)  # type: ignore[return-value]

    def settled(self, nets: Sequence[Weights], moments: Moments) -> tuple[Weights, int, float]:
        """What fits moments best: the mean of so many of the last nets, and a part of what it corrects.

        A mean of what learning passes through is less noisy (Izmailov et al. 2018), and what was learnt from few games
        is believed too much. nets: the last is the newest. Gives the net, how many it is the mean of, and the part.
        """
        vectors = self._matrix(moments)
        found = []
        for count in range(1, len(nets) + 1):
            mean = {name: np.mean([each.arrays[name] for each in nets[-count:]], axis=0) for name in LAYERS}
            correction = self._forward(vectors, mean)[-1]
            for part in _PARTS:
                off = float(np.mean((_sigmoid(moments.base + part * correction) - moments.targets) ** 2))
                found.append((off, count, part, mean))
        _, count, part, mean = min(found, key=lambda each: each[:3])
        for name in ("out", "out_bias"):
            mean[name] = mean[name] * np.float32(part)
        return Weights(mean), count, part

    def learn(self, fresh: int) -> None:
        """As many steps as make up for so many fresh moments, with moments drawn from all that are remembered."""
        course = self.course
        sizes = np.array([len(each) for each in self.memory])
        batch = min(course.batch, int(sizes.sum()))
        steps = max(1, int(fresh * course.passes / course.batch))
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

    def _matrix(self, moments: Moments) -> Any:
        shape = (len(moments), self.size)
        found = csr_matrix((moments.values, moments.places, moments.starts), shape=shape, copy=True)
        found.sum_duplicates()
        return found

    def _forward(self, vectors: Any, arrays: Mapping[str, Floats]) -> tuple[Floats, Floats, Floats]:
        first = np.maximum(vectors @ arrays["in"] + arrays["in_bias"], 0)
        second = np.maximum(first @ arrays["middle"] + arrays["middle_bias"], 0)
        return first, second, second @ arrays["out"] + arrays["out_bias"]

    def _step(self, vectors: Any, base: Floats, targets: Floats) -> None:
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
        rate = self.course.rate / (1 + self.round / 30) ** 0.5
        scale = rate * (1 - _BETA[1] ** self.steps) ** 0.5 / (1 - _BETA[0] ** self.steps)
        for name, slope in slopes.items():
            mean, spread = self.moved[f"m.{name}"], self.moved[f"v.{name}"]
            mean += (1 - _BETA[0]) * (slope - mean)
            spread += (1 - _BETA[1]) * (slope**2 - spread)
            arrays[name] -= (scale * mean / (np.sqrt(spread) + _TINY)).astype(np.float32)


def _sigmoid(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float32)


@dataclass(frozen=True, slots=True)
class Told:
    """What a round or a match tells. key: "round" or "match"; fields: plain numbers."""

    key: str
    fields: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.key}: " + ", ".join(f"{name} {round(value, 4)}" for name, value in self.fields.items())


class Training:
    """One folder in which a net is trained."""

    def __init__(self, game: Game, course: Course, folder: Path) -> None:
        """Raises PlanError for a folder in which something else was trained, or whose files can't be read."""
        self.folder: Path = folder
        self.course: Course = course
        self.best: str = net_name(game, course.seats)
        make_folder(folder / "snapshots")
        self._keep_course()
        eye = Eye(game, course.seats, game.resolve_options({}, course.seats))
        self.learner: Learner = Learner(course, eye.onehot.size)
        if (folder / "net.npz").exists():
            self.learner.load(folder / "net.npz")
        self.games: int = self.learner.round * course.games
        told(folder)

    def _keep_course(self) -> None:
        file = self.folder / "course.toml"
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in asdict(self.course).items())
        if file.exists() and file.read_text("utf-8") != text:
            raise PlanError(f"{file} says something else; use another folder, or the same course")
        file.write_text(text, "utf-8")

    def rounds(self, minutes: float, processes: int) -> Iterator[Told]:
        """Train until the time is over, at least one round. A round is played while the one before is learnt from."""
        end = perf_counter() + 60 * minutes
        with worker_processes(processes) as pool:
            waiting = self._begin(pool, processes)
            while True:
                start = perf_counter()
                fresh = Moments.joined([each.result() for each in waiting])
                last = perf_counter() >= end
                waiting = [] if last else self._begin(pool, processes)
                yield self._tell("round", self._learn(fresh, perf_counter() - start))
                if last:
                    return

    def _begin(self, pool: ProcessPoolExecutor, processes: int) -> list[Future[Moments]]:
        """Let the games of the next round be played with the net as it is."""
        current = self.folder / "snapshots" / f"current-{self.games % 2}.npz"
        _write_net(current, self.learner)
        earlier = sorted((self.folder / "snapshots").glob("round-*.npz"))[-_EARLIER:]
        numbers = range(self.games, self.games + self.course.games)
        self.games += self.course.games
        parts = [numbers[first::processes] for first in range(min(processes, len(numbers)))]
        files = str(current), [str(each) for each in earlier]
        with workers_unstopped():
            return [pool.submit(play, self.course, part, *files) for part in parts]

    def _learn(self, fresh: Moments, waited: float) -> dict[str, Any]:
        start = perf_counter()
        learner = self.learner
        off, estimate, mean = learner.judge(fresh)
        learner.remember(fresh)
        learner.learn(len(fresh))
        if learner.round % self.course.every == 0:
            _write_net(self.folder / "snapshots" / f"round-{learner.round:06}.npz", learner)
        learner.save(self.folder / "net.npz")
        return {
            "round": learner.round,
            "games": learner.round * self.course.games,
            "moments": len(fresh),
            "error": off,
            "error_of_estimate": estimate,
            "error_of_mean": mean,
            "waited": round(waited, 2),
            "learnt": round(perf_counter() - start, 2),
        }

    def match(self, games: int, seconds: float, processes: int) -> Told:
        """The net, settled by fresh games, against the search without one, equal time for both.

        The best net so far is kept.
        """
        current = self.folder / "snapshots" / "match.npz"
        count, part = self._settle(current)
        numbers = range(games)
        parts = [numbers[first::processes] for first in range(min(processes, games))]
        with worker_processes(processes) as pool:
            with workers_unstopped():
                waiting = [pool.submit(match, self.course, part, str(current), seconds) for part in parts]
            shares = list(chain.from_iterable(each.result() for each in waiting))
        mean = float(np.mean(shares))
        off = float(np.std(shares) / max(1, len(shares)) ** 0.5)
        found = {"round": self.learner.round, "games": games, "seconds": seconds, "share": mean, "error": off}
        found |= {"mean_of": count, "part": part}
        if mean >= self._best():
            shutil.copy(current, self.folder / self.best)
        return self._tell("match", found)

    def _settle(self, path: Path) -> tuple[int, float]:
        """Write what fits best the ends of as many fresh games as a round has; see Learner.settled."""
        _write_net(path, self.learner)
        snapshots = sorted((self.folder / "snapshots").glob("round-*.npz"))[-_EARLIER:]
        nets = [Weights(read(each)) for each in (*snapshots, path)]
        course = replace(self.course, seed=self.course.seed + 1, decay=1.0, ahead=0.0, greedy=0.0, snapshots=0.0)
        fresh = play(course, range(course.games), str(path), [])
        settled, count, part = self.learner.settled(nets, fresh)
        _write(path, settled.arrays)
        return count, part

    def draw(self) -> None:
        """Draw how it has learnt so far: `curve.svg`."""
        from .plots import learning  # noqa: PLC0415 - takes a moment, and only the command draws

        rounds = [each for each in told(self.folder) if each["key"] == "round"]
        (self.folder / "curve.svg").write_text(learning(rounds), "utf-8")

    def _best(self) -> float:
        return max((each["share"] for each in told(self.folder) if each["key"] == "match"), default=0.0)

    def _tell(self, key: str, found: Mapping[str, Any]) -> Told:
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **found}) + "\n")
        return Told(key, found)


def told(folder: Path) -> list[dict[str, Any]]:
    """All that a training has told so far. Raises PlanError for what it can't have told."""
    file = folder / "metrics.jsonl"
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines() if file.exists() else (), 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            raise PlanError(f"{file}: line {number} is no JSON; delete it") from None
    return found


def _write_net(path: Path, learner: Learner) -> None:
    """Write a net to be asked: half as precise, and without what was never met."""
    arrays = dict(learner.weights.arrays)
    arrays["in"] = arrays["in"] * learner.moved["v.in"].any(axis=1, keepdims=True)
    _write(path, arrays)


def _write(path: Path, arrays: Mapping[str, Floats]) -> None:
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
    say: Callable[[str], Any],
) -> None:
    """Train for some minutes, then play so many games against the search without a net.

    seats: None are the fewest that play against each other. workers: processes, 0 is one per core. Raises PlanError.
    """
    count = seats if seats is not None else game.usual_seats
    if count < 2:
        raise PlanError("a net learns from games of at least 2 seats")
    game.new(count)
    training = Training(game, course_of(game, count, config, seed), folder)
    processes = workers or workers_here()
    for each in training.rounds(minutes, processes):
        say(str(each))
        if training.learner.round % training.course.every == 0:
            training.draw()
    training.draw()
    if matches:
        say(str(training.match(matches, _MATCH_S, processes)))
