"""Information-set Monte Carlo tree search: each iteration plays one guess at the hidden part of the table to its end.

- One tree for all guesses (single-observer ISMCTS: Cowling, Powley, Whitehouse 2012). It is open loop: a node stands
  for the choices made since the root, not for a state; chance and guesses differ from iteration to iteration, and a
  choice is compared only in iterations in which it was legal.
- What the searching seat won't learn doesn't lead to a node of its own: hidden choices share one. Sealed decisions are
  simultaneous nodes: each seat learns what is good for itself without seeing the others' answers (decoupled UCT:
  Tak, Lanctot, Winands 2014); the tree goes on with what became public.
- The game's `weigh` gives the first order and weight of choices (PUCT: Rosin 2011, Silver et al. 2017), and wide
  decisions open up choice by choice (progressive widening: Coulom 2007; Chaslot et al. 2008).
- Play-outs are cut after a few choices and judged by the game's `estimate` (Lorentz 2008); a game without it is played
  to its end.

The bot that searches so for some time, in several processes, is in search_bot.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import exp, floor, fsum, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final, Protocol

from atoll.engine import Choose, Position, Rules, RulesError, SeatView
from atoll.engine.state import may_know

from .evaluation import Evaluation, evaluation
from .seeds import mix

_HIDDEN: Final = -1
_ASKED: Final = 32  # choices at the root about which a net is asked
_GUESSES: Final = 2  # at what is hidden, for each of them
_BEHIND: Final = -5.0  # the logarithm of the weight of the others


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a search goes about it. A game may change these in `TUNING` of its module `evaluate`.

    exploration: how much is tried that looks worse. first_play: how much less than its parent an untried choice is
    expected to win. temperature: lead in points, as a part of the game's spread, that makes a choice e times as likely
    to be tried. width, widening: so many choices are considered at once, plus so many times the root of the visits.
    cut: choices of a play-out before the estimate. guided: how often a play-out takes the choice that `weigh` likes.
    win: the weight of the place against that of the points in the end of a game.
    knowledge: whether weigh and estimate are used at all. net_cut: choices of a play-out before a net is asked. trust:
    how much more it must expect, in log odds, to make a choice at the root e times as likely to be tried; 0 leaves that
    to `weigh`.
    """

    exploration: float = 0.7
    first_play: float = 0.05
    temperature: float = 0.4
    width: float = 6.0
    widening: float = 1.5
    cut: int = 6
    guided: float = 0.0
    win: float = 0.8
    knowledge: bool = True
    net_cut: int = 0
    trust: float = 0.0


PLAIN: Final = Tuning(knowledge=False, win=1.0, first_play=0.0)
"""ISMCTS as it was published: no knowledge of the game, random play-outs to the end."""


class Judge(Protocol):
    """Something that knows what moments are worth, such as a trained net."""

    def judge(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Per seat the reward (0 to 1) and the points to be expected, at a moment when somebody is asked."""

    def weigh(self, position: Position, seat: int, choices: Sequence[int], seed: int) -> list[float]:
        """Per choice of a seat the log odds of its reward after it. seed: of what chance does then."""


@dataclass(slots=True)
class Arm:
    """One choice at a node. visits, available: iterations that took it, that could have. total: reward of its seat.

    points, shares: sums over its iterations of the final scores and of the rewards of all seats; only at the root.
    """

    weight: float
    visits: int = 0
    available: int = 0
    total: float = 0.0
    points: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    @property
    def value(self) -> float:
        """The mean reward: 1 is ahead of everybody, 0 behind everybody."""
        return self.total / self.visits if self.visits else 0.0


class _Bandit:
    """What one seat has learned at one node.

    ranked: the choices of all arms, the likeliest first. options: those that it was last asked about; opened: how many
    of them were considered then, candidates: which, with their arms, and weight: the sum of theirs.
    """

    __slots__ = ("arms", "candidates", "opened", "options", "ranked", "total", "visits", "weight")

    def __init__(self) -> None:
        self.arms: dict[int, Arm] = {}
        self.ranked: list[int] = []
        self.visits: int = 0
        self.total: float = 0.0
        self.options: Sequence[int] = ()
        self.opened: int = 0
        self.candidates: list[tuple[int, Arm]] = []
        self.weight: float = 0.0

    def open(self, count: int) -> None:
        """Consider so many of the options from now on: the likeliest, or all."""
        options = self.options
        chosen: list[int] = []
        if count < len(options):
            legal = set(options)
            for choice in self.ranked:
                if choice in legal:
                    chosen.append(choice)
                    if len(chosen) == count:
                        break
        else:
            chosen += options
        arms = self.arms
        self.candidates = [(choice, arms[choice]) for choice in chosen]
        weight = 0.0
        for _, arm in self.candidates:
            weight += arm.weight
        self.weight = weight
        self.opened = count


class _Node:
    """A point in the tree. bandits: by seat and, in a sealed decision, its answers so far. after: next nodes."""

    __slots__ = ("after", "bandits")

    def __init__(self) -> None:
        self.bandits: dict[tuple[int, ...], _Bandit] = {}
        self.after: dict[Any, _Node] = {}


def _sum(one: Sequence[float], two: Sequence[float]) -> list[float]:
    """Element by element; an empty one counts as zeros."""
    return [a + b for a, b in zip(one, two, strict=True)] if one and two else list(one or two)


@dataclass(slots=True)
class Findings:
    """What a search found out: per choice at the root its Arm; how many iterations."""

    arms: dict[int, Arm] = field(default_factory=dict)
    iterations: int = 0

    def add(self, other: Findings) -> None:
        """Take another process's findings in."""
        self.iterations += other.iterations
        for choice, arm in other.arms.items():
            mine = self.arms.setdefault(choice, Arm(arm.weight))
            mine.visits += arm.visits
            mine.available += arm.available
            mine.total += arm.total
            mine.points = _sum(mine.points, arm.points)
            mine.shares = _sum(mine.shares, arm.shares)

    def best(self, legal: Sequence[int]) -> int:
        """The choice tried most often; among equals the better one, then the first."""
        return max(legal, key=self.rank)

    def rank(self, choice: int) -> tuple[float, ...]:
        """How good a choice looks: more is better."""
        arm = self.arms.get(choice)
        return (arm.visits, arm.value, arm.weight) if arm else (-1,)

    def lead(self) -> int:
        """By how many visits the best choice is ahead of the next; 0 if there is none."""
        visits = sorted((arm.visits for arm in self.arms.values()), reverse=True)
        return visits[0] - visits[1] if len(visits) > 1 else 0


class Search:
    """One search of one decision, iteration by iteration.

    only: the choices to judge (None: all). clock: gives the time in seconds. net: judges in place of play-outs.
    """

    def __init__(
        self,
        seat_view: SeatView,
        tuning: Tuning,
        seed: int,
        *,
        only: Sequence[int] | None = None,
        clock: Callable[[], float] = perf_counter,
        net: Judge | None = None,
    ) -> None:
        self.view: SeatView = seat_view
        self.net: Judge | None = net
        self.seat: int = seat_view.seat
        self.tuning: Tuning = tuning
        self.knowledge: Evaluation = evaluation(seat_view.game)
        self.seed: int = seed
        self.only: Sequence[int] | None = only
        self.clock: Callable[[], float] = clock
        self.random: Random = Random(seed)
        self.root: _Node = _Node()
        self.iterations: int = 0
        self._usual: float = 0.0
        self._bound: int = seat_view.game.bound

    def findings(self) -> Findings:
        """What is known so far about the choices at the root."""
        bandit = self.root.bandits.get((self.seat,))
        return Findings(bandit.arms if bandit else {}, self.iterations)

    def run(self, end: float, iterations: int | None) -> Findings:
        """Search until so many iterations are done or, without that, until the clock shows `end`.

        It stops earlier where the second best choice can't catch up any more.
        """
        start = last = self.clock()
        slowest = 0.0
        while iterations is None or self.iterations < iterations:
            self.iterate()
            if iterations is not None:
                if self.iterations % 16 == 0 and self.findings().lead() > iterations - self.iterations:
                    break
                continue
            now = self.clock()
            slowest = max(slowest, now - last)
            last = now
            if now + slowest >= end:
                break
            if self.iterations % 16 == 0:
                left = (end - now) * self.iterations / (now - start)
                if self.findings().lead() > left:
                    break
        return self.findings()

    # -- one iteration -------------------------------------------------------------------------------------------

    def iterate(self) -> None:
        """Guess, go down the tree, play on, judge, and let everybody on the way learn from it."""
        position = self.view.sample(mix(self.seed, self.iterations), snapshots=False)
        self.iterations += 1
        path: list[tuple[_Bandit, Arm, int]] = []
        node = self.root
        answers: dict[int, list[int]] = {}
        shown: list[int] = []
        fresh = False
        while position.to_move and not fresh:
            sealed = position.sealed
            seat = self.seat if not path and self.seat in position.to_move else position.to_move[0]
            ask = position.decision(seat)
            key = (seat, *answers.get(seat, ())) if sealed else (seat,)
            bandit = node.bandits.get(key)
            if bandit is None:
                bandit = node.bandits[key] = _Bandit()
            options = ask.options if path or self.only is None else self.only
            choice, arm = self._select(bandit, position, ask, options)
            path.append((bandit, arm, seat))
            fresh = arm.visits == 0
            seen = seat == self.seat or may_know(ask.audience_of(choice), self.seat)
            sequence = position.sequence
            position.apply(choice, seat)
            edge: Any
            if sealed:
                answers.setdefault(seat, []).append(choice)
                if seen:
                    shown += [seat, choice]
                if position.sequence == sequence:  # others are still to answer
                    continue
                edge = tuple(shown)
                answers, shown = {}, []
            else:
                edge = choice if seen else _HIDDEN
            following = node.after.get(edge)
            if following is None:
                following = node.after[edge] = _Node()
            node = following
        rewards, points = self._judge(position)
        for bandit, arm, seat in path:
            bandit.visits += 1
            bandit.total += rewards[seat]
            arm.visits += 1
            arm.total += rewards[seat]
        if path:
            arm = path[0][1]
            arm.points = _sum(arm.points, points)
            arm.shares = _sum(arm.shares, rewards)

    def _select(self, bandit: _Bandit, position: Position, ask: Choose, options: Sequence[int]) -> tuple[int, Arm]:
        """The choice with the best chance, among those of the options that are opened so far."""
        tuning = self.tuning
        if options != bandit.options:
            arms = bandit.arms
            if len(arms) < len(options) or not all(choice in arms for choice in options):
                self._learn(bandit, position, ask)
            bandit.options = options[:]
            bandit.opened = 0
        visited = bandit.visits
        opened = min(int(tuning.width + tuning.widening * sqrt(visited)), len(options))
        if opened != bandit.opened:
            bandit.open(opened)
        untried = bandit.total / visited - tuning.first_play if visited else 0.5
        best, best_arm, best_bound = -1, None, -1e9
        scale = tuning.exploration / bandit.weight
        for choice, arm in bandit.candidates:
            available = arm.available + 1
            arm.available = available
            visits = arm.visits
            mean = arm.total / visits if visits else untried
            bound = mean + scale * arm.weight * sqrt(available) / (1 + visits)
            if bound > best_bound:
                best, best_arm, best_bound = choice, arm, bound
        assert best_arm is not None
        return best, best_arm

    def _learn(self, bandit: _Bandit, position: Position, ask: Choose) -> None:
        """Weigh options that were not seen here before."""
        weigh = self.knowledge.weigh if self.tuning.knowledge else None
        if weigh is None:
            fresh = [choice for choice in ask.options if choice not in bandit.arms]
            self.random.shuffle(fresh)
            for choice in fresh:
                bandit.arms[choice] = Arm(1.0)
            bandit.ranked += fresh
            return
        values = weigh(position.state, ask)
        highest = max(values)
        scale = 1.0 / (self.tuning.temperature * self.knowledge.spread)
        weights = [(value - highest) * scale for value in values]
        if self.net is not None and self.tuning.trust and bandit is self.root.bandits.get((self.seat,)):
            weights = self._ask_net(self.net, ask.options, weights)
        for choice, weight in zip(ask.options, weights, strict=True):
            if choice not in bandit.arms:
                # Not below e^-6: what weighs may err, and a search long enough should notice.
                bandit.arms[choice] = Arm(exp(max(-6.0, weight)))
                bandit.ranked.append(choice)
        arms = bandit.arms
        bandit.ranked.sort(key=lambda choice: -arms[choice].weight)

    def _ask_net(self, net: Judge, options: Sequence[int], weights: Sequence[float]) -> list[float]:
        """Logarithms of weights at the root: what the net expects of the likeliest choices. Others stay behind."""
        likeliest = sorted(range(len(options)), key=weights.__getitem__, reverse=True)[:_ASKED]
        choices = [options[place] for place in likeliest]
        odds = [0.0] * len(choices)
        for number in range(_GUESSES):
            guess = self.view.sample(mix(self.seed, number, number))
            expected = net.weigh(guess, self.seat, choices, mix(self.seed, number, number))
            odds = [before + here / _GUESSES for before, here in zip(odds, expected, strict=True)]
        highest = max(odds)
        found = [_BEHIND] * len(options)
        for place, value in zip(likeliest, odds, strict=True):
            found[place] = (value - highest) / self.tuning.trust
        return found

    # -- play-outs -----------------------------------------------------------------------------------------------

    def _judge(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Play on, to the end or for a few choices; then per seat the reward (0 to 1) and the points to be expected."""
        tuning = self.tuning
        cut = tuning.cut if tuning.knowledge and self.knowledge.estimates else self._bound
        if self.net is not None:
            cut = tuning.net_cut
        weigh = self.knowledge.weigh if tuning.knowledge and tuning.guided else None
        random = self.random.random
        for _ in range(cut):
            to_move = position.to_move
            if not to_move:
                break
            seat = to_move[0]
            ask = position.decision(seat)
            options = ask.options
            if weigh is not None and len(options) > 1 and random() < tuning.guided:
                values = weigh(position.state, ask)
                choice = options[max(range(len(options)), key=values.__getitem__)]
            else:
                choice = options[floor(random() * len(options))]
            position.apply(choice, seat)
        if position.over:
            points: Sequence[float] = position.scores()
            return self._rewards(position.ranking(), points), points
        if self.net is not None:
            return self.net.judge(position)
        if cut == self._bound:
            raise RulesError(f"a play-out is longer than the bound of {self._bound} that the game declares")
        points = self.knowledge.estimate(position.state)
        return self._rewards(None, points), points

    def _rewards(self, places: Sequence[int] | None, points: Sequence[float]) -> list[float]:
        """Per seat the share of the others that it is ahead of; a close lead counts less than a clear one.

        Who plays alone is compared with what it usually reached in this search, and wins by its place.
        """
        if len(points) == 1:
            self._usual += (points[0] - self._usual) / self.iterations
            margins, wins = [self._margin(points[0] - self._usual)], [float(places == [1])]
        else:
            margins = []
            for seat, own in enumerate(points):
                parts = [self._margin(own - theirs) for other, theirs in enumerate(points) if other != seat]
                margins.append(fsum(parts) / len(parts))
            wins = margins if places is None else list(shares_at_end(places))
        if places is None:
            return margins
        weight = self.tuning.win
        return [weight * won + (1 - weight) * margin for won, margin in zip(wins, margins, strict=True)]

    def _margin(self, lead: float) -> float:
        """The chance to win with a lead of so many points."""
        return float(1.0 / (1.0 + 3.0 ** max(-40.0, min(40.0, -lead / self.knowledge.spread))))


def shares_at_end(places: Sequence[int]) -> tuple[float, ...]:
    """Per seat the part of the other seats that it came in ahead of, equal places as halves; alone, 1 for a win."""
    others = len(places) - 1
    if not others:
        return (float(places[0] == 1),)
    return tuple(
        sum((other > place) + 0.5 * (other == place) for seat, other in enumerate(places) if seat != own) / others
        for own, place in enumerate(places)
    )


def game_tuning(game: Rules) -> Tuning:
    """The tuning that suits the game."""
    return replace(Tuning(), **evaluation(game).tuning)
