"""Games of self-play and what is learnt from them: moments as vectors, each with the shares that it led to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from atoll import games
from atoll.bots import SearchBot, evaluation, game_tuning, mix, shares_at_end
from atoll.bots.net import Eye, Floats, Net, Weights, read
from atoll.engine import Position, SeatView

_GREEDY: Final = "greedy"


@dataclass(frozen=True, slots=True)
class Course:
    """How a net is trained: everything but its time. All but the first three are keys of a config file.

    hidden: units of the two layers. games: of a round. decay: lambda of TD(lambda), over the decisions of all seats.
    width: choices that are tried one move ahead, the likeliest by `weigh`. ahead: at which part of its decisions the
    net tries them, elsewhere it follows `weigh`. heat: of `weigh`, in parts of the search's. snapshots: part of
    the seats that an earlier net plays. greedy: part of the seats that the greedy bot plays. kept: part of the moments
    that are learnt from. memory: how many of them are remembered. rate: of Adam; it falls with the root of the rounds.
    passes: how often a moment is learnt from on average. batch: moments of one step. every: rounds between snapshots.
    """

    game: str
    seats: int
    seed: int = 1
    hidden: tuple[int, int] = (128, 32)
    games: int = 64
    decay: float = 0.95
    width: int = 6
    ahead: float = 0.5
    heat: float = 0.5
    snapshots: float = 0.2
    greedy: float = 0.1
    kept: float = 0.5
    memory: int = 150_000
    rate: float = 0.001
    passes: float = 3.0
    batch: int = 512
    every: int = 10


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments that were met, row by row; see Sparse. base: (rows, seats) log odds by `estimate`, the asked seat first.

    targets: (rows, seats) the shares that they led to, 0 to 1, in the same order.
    """

    starts: NDArray[np.int64]
    places: NDArray[np.int32]
    values: Floats
    base: Floats
    targets: Floats

    def __len__(self) -> int:
        return len(self.base)

    @staticmethod
    def joined(parts: Sequence[Moments]) -> Moments:
        """Several after each other."""
        ends = np.cumsum([0, *(each.starts[-1] for each in parts)])
        starts = [each.starts[:-1] + end for each, end in zip(parts, ends, strict=False)]
        return Moments(
            np.concatenate([*starts, ends[-1:]]),
            np.concatenate([each.places for each in parts]),
            np.concatenate([each.values for each in parts]),
            np.concatenate([each.base for each in parts]),
            np.concatenate([each.targets for each in parts]),
        )


class Player:
    """Plays the games of one course in one process."""

    def __init__(self, course: Course) -> None:
        self.course: Course = course
        self.game = games[course.game]
        self.eye = Eye(self.game, course.seats, self.game.resolve_options({}, course.seats))
        self.knowledge = evaluation(self.game)
        self._files: dict[str, Net] = {}

    def net(self, file: str) -> Net:
        """The net in a file; the last few are remembered."""
        if file not in self._files:
            if len(self._files) > 6:
                self._files.clear()
            self._files[file] = Net(self.eye, Weights(read(Path(file))))
        return self._files[file]

    def play(self, number: int, current: str, earlier: Sequence[str]) -> Moments:
        """One game of self-play. number: of all games of the course. current, earlier: files of nets."""
        course, seats = self.course, self.course.seats
        random = Random(mix(course.seed, number))
        net = self.net(current)
        players = [self._player(random, current, earlier) for _ in range(seats)]
        position = self.game.new(seats, seed=random.getrandbits(60))
        seen: list[tuple[int, Any, list[float], list[float]]] = []
        while not position.over:
            seat = position.to_move[0]
            ask = position.decision(seat)
            if len(ask.options) > 1:
                if random.random() < course.kept:
                    base, _ = self.eye.expected(position, seat)
                    seen.append((seat, self.eye.look(position, seat), base, net.judge(position)[0]))
                choice = self._choose(position, seat, players[seat], random)
            else:
                choice = ask.options[0]
            position.apply(choice, seat)
        return self._learnt(position, seen)

    def _player(self, random: Random, current: str, earlier: Sequence[str]) -> str:
        luck = random.random()
        if luck < self.course.greedy:
            return _GREEDY
        if earlier and luck < self.course.greedy + self.course.snapshots:
            return random.choice(earlier)
        return current

    def _choose(self, position: Position, seat: int, player: str, random: Random) -> int:
        course = self.course
        options = position.decision(seat).options
        weigh = self.knowledge.weigh
        values = [0.0] * len(options) if weigh is None else list(weigh(position.state, position.decision(seat)))
        if player == _GREEDY:
            return options[max(range(len(options)), key=lambda index: (values[index], random.random()))]
        heat = course.heat * game_tuning(self.game).temperature * self.knowledge.spread
        highest = max(values)
        # Gumbel noise: the highest of them is one draw of a softmax, the highest few are draws without repetition.
        noisy = [(value - highest) / heat - np.log(-np.log(max(random.random(), 1e-12)) + 1e-12) for value in values]
        order = sorted(range(len(options)), key=noisy.__getitem__, reverse=True)
        if random.random() >= course.ahead:
            return options[order[0]]
        net = self.net(player)
        best, best_share = options[order[0]], -1.0
        for index in order[: course.width]:
            trial = position.fork(random.getrandbits(40), snapshots=False)
            trial.apply(options[index], seat)
            share = shares_at_end(trial.ranking())[seat] if trial.over else net.judge(trial)[0][seat]
            if share > best_share:
                best, best_share = options[index], share
        return best

    def _learnt(self, position: Position, seen: Sequence[tuple[int, Any, list[float], list[float]]]) -> Moments:
        """TD(lambda): the target of a moment mixes what was expected at the following ones with the end."""
        seats, course = self.course.seats, self.course
        tuning = game_tuning(self.game)
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
        worth = [tuning.win * share + (1 - tuning.win) * margin for share, margin in zip(shares, margins, strict=True)]
        decay = course.decay
        targets: list[list[float]] = []
        for seat, _, _, expected in reversed(seen):
            targets.append([worth[(seat + step) % seats] for step in range(seats)])
            worth = [decay * late + (1 - decay) * here for late, here in zip(worth, expected, strict=True)]
        targets.reverse()
        lengths = [len(look[0]) for _, look, _, _ in seen]
        return Moments(
            np.cumsum([0, *lengths]),
            np.concatenate([np.zeros(0), *(look[0] for _, look, _, _ in seen)]).astype(np.int32),
            np.concatenate([np.zeros(0), *(look[1] for _, look, _, _ in seen)]).astype(np.float32),
            np.array([base for _, _, base, _ in seen], np.float32).reshape(-1, seats),
            np.array(targets, np.float32).reshape(-1, seats),
        )


_PLAYERS: Final[dict[Course, Player]] = {}


def play(course: Course, numbers: Sequence[int], current: str, earlier: Sequence[str]) -> Moments:
    """Several games; what a process learns of its course it keeps."""
    player = _PLAYERS.get(course)
    if player is None:
        player = _PLAYERS[course] = Player(course)
    return Moments.joined([player.play(number, current, earlier) for number in numbers])


def match(course: Course, numbers: Sequence[int], file: str, seconds: float) -> list[float]:
    """Games of a search with the net in a file against the same without; per game the net's share, 0 to 1.

    Each has one seat more or less than half, in turn all seats. seconds: of the processor, for each decision of both.
    """
    game = games[course.game]
    net = Net(Eye(game, course.seats, game.resolve_options({}, course.seats)), Weights(read(Path(file))))
    bots = (SearchBot(clock=process_time, net=net), SearchBot(clock=process_time))
    found = []
    for number in numbers:
        position = game.new(course.seats, seed=mix(course.seed, -1 - number))
        mine = {(number + step * 2) % course.seats for step in range((course.seats + number % 2) // 2)}
        count = 0
        while not position.over:
            seat = position.to_move[0]
            count += 1
            choice = position.legal(seat)[0]
            if len(position.legal(seat)) > 1:
                view = SeatView(position, seat)
                (choice,) = bots[seat not in mine].choose(view, seconds, mix(course.seed, number, count))
            position.apply(choice, seat)
        places = position.ranking()
        pairs = [(places[seat], places[other]) for seat in mine for other in range(course.seats) if other not in mine]
        found.append(sum((one < two) + 0.5 * (one == two) for one, two in pairs) / len(pairs))
    return found
