"""Information-set Monte Carlo tree search: each iteration plays one determinization to its end.

- One tree serves all determinizations (single-observer ISMCTS: Cowling, Powley, Whitehouse 2012).
  It is open loop: a node represents the choices since the root, not a state. Chance and
  determinizations differ between iterations. A choice is compared only in iterations in which it
  was legal.
- Choices that the searching seat doesn't see share one node. Sealed decisions are simultaneous
  nodes: each seat learns its own values without the others' answers (decoupled UCT: Tak, Lanctot,
  Winands 2014). The tree continues with what became public.
- The game's `choice_values` gives the initial order and weight of choices (PUCT: Rosin 2011, Silver
  et al. 2017). Wide decisions open up choice by choice (progressive widening: Coulom 2007; Chaslot
  et al. 2008).
- Rollouts are cut after a few choices and evaluated by the game's `expected_scores` (Lorentz 2008).
  A game without it is played to its end.

The bot that runs a search with a time limit and several processes is in `search_bot.py`.
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
from .greedy import FAR_AHEAD
from .seeds import derive_seed

_HIDDEN: Final = -1
_NET_CHOICES: Final = 32  # choices at the root that a net evaluates
_NET_DETERMINIZATIONS: Final = 2  # determinizations for each of them
_BEHIND: Final = -5.0  # logarithm of the weight of all other choices
_ABOUT_VISITS: Final = 0.25  # part of the visits of the best choice that a choice about as good has
_ABOUT_VALUE: Final = 0.02  # difference of the reward below which choices are about as good


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """Parameters of a search.

    A game may change them in `TUNING` of its module `evaluate`.

    Attributes:
        exploration: Weight of exploration against the mean reward.
        first_play: Expected reward of an untried choice below that of its parent.
        temperature: Lead in points, as a multiple of the game's spread, that makes a choice e times
            as likely to be tried.
        width: Number of choices considered at once.
        widening: Number of further choices per square root of the visits.
        cut: Length of a rollout in choices, before `expected_scores` evaluates it.
        guided: Probability that a rollout takes the best choice by `choice_values`.
        win: Weight of the rank against that of the points at the end of a game, 0 to 1.
        knowledge: Whether `choice_values` and `expected_scores` are used.
        net_cut: Length of a rollout in choices, before a net evaluates it.
        trust: Difference in log odds by the net that makes a choice at the root e times as likely
            to be tried; 0 to use `choice_values` only.
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


PLAIN: Final = SearchParameters(knowledge=False, win=1.0, first_play=0.0)
"""ISMCTS as published: no knowledge of the game, random rollouts to the end."""


class Evaluator(Protocol):
    """An evaluator of positions, such as a trained net."""

    def evaluate(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Return the expected rewards, 0 to 1, and points of all seats.

        Args:
            position: A position at which a seat is asked.
        """

    def choice_values(self, position: Position, seat: int, choices: Sequence[int], seed: int) -> list[float]:
        """Return the log odds of a seat's reward after each of several choices.

        Args:
            position: The position.
            seat: The seat that chooses.
            choices: The choices.
            seed: Seed of the chance events that follow.
        """


@dataclass(slots=True)
class ArmStatistics:
    """Statistics of a choice at a node.

    Attributes:
        weight: Prior weight of the choice.
        visits: Number of iterations that took it.
        available: Number of iterations in which it could be taken.
        total: Sum of the rewards of its seat.
        points: Sums of the final scores of all seats; only at the root.
        shares: Sums of the rewards of all seats; only at the root.
        nearness: Sum of 1 / (1 + decisions until the end) over the iterations in which the game
            ended; only at the root.
    """

    weight: float
    visits: int = 0
    available: int = 0
    total: float = 0.0
    points: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    nearness: float = 0.0

    @property
    def value(self) -> float:
        """The mean reward, from 0 (behind everybody) to 1 (ahead of everybody)."""
        return self.total / self.visits if self.visits else 0.0


class _Bandit:
    """The statistics of one seat at one node.

    Attributes:
        arms: Statistics by choice.
        ranked: The choices of all arms, the likeliest first.
        visits: Number of iterations.
        total: Sum of the rewards.
        options: Choices of the last decision.
        opened: Number of choices that were considered then.
        candidates: The choices that were considered, with their statistics.
        weight: Sum of the candidates' weights.
    """

    __slots__ = ("arms", "candidates", "choices", "opened", "ranked", "total", "visits", "weight")

    def __init__(self) -> None:
        self.arms: dict[int, ArmStatistics] = {}
        self.ranked: list[int] = []
        self.visits: int = 0
        self.total: float = 0.0
        self.choices: Sequence[int] = ()
        self.opened: int = 0
        self.candidates: list[tuple[int, ArmStatistics]] = []
        self.weight: float = 0.0

    def open(self, count: int) -> None:
        """Consider the given number of choices from now on: the likeliest, or all."""
        options = self.choices
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
    """A point in the tree.

    Attributes:
        bandits: Statistics by seat, and in a sealed decision by the seat's answers so far.
        after: Following nodes by choice, or by what became public of a sealed decision.
    """

    __slots__ = ("bandits", "children")

    def __init__(self) -> None:
        self.bandits: dict[tuple[int, ...], _Bandit] = {}
        self.children: dict[Any, _Node] = {}


def _sum(one: Sequence[float], two: Sequence[float]) -> list[float]:
    """Add two sequences element by element; an empty one counts as zeros."""
    return [a + b for a, b in zip(one, two, strict=True)] if one and two else list(one or two)


@dataclass(slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        arms: Statistics of each choice at the root.
        iterations: Number of iterations.
    """

    arms: dict[int, ArmStatistics] = field(default_factory=dict)
    iterations: int = 0

    def add(self, other: SearchResult) -> None:
        """Add the result of another process."""
        self.iterations += other.iterations
        for choice, arm in other.arms.items():
            mine = self.arms.setdefault(choice, ArmStatistics(arm.weight))
            mine.visits += arm.visits
            mine.available += arm.available
            mine.total += arm.total
            mine.points = _sum(mine.points, arm.points)
            mine.shares = _sum(mine.shares, arm.shares)
            mine.nearness += arm.nearness

    def best(self, legal: Sequence[int]) -> int:
        """Return the choice with the most visits; of several, the one with the highest value."""
        return max(legal, key=self.rank)

    def decided(self, legal: Sequence[int]) -> int:
        """Return the choice that a bot takes.

        It is the best one, unless the seat is far ahead: then it is, of the choices about as good,
        the one after which the game ends soonest, so that a bot that can't lose any more doesn't
        stall.

        Args:
            legal: The legal choices.
        """
        best = self.best(legal)
        arm = self.arms.get(best)
        if arm is None or arm.value < FAR_AHEAD:
            return best
        least, lowest = arm.visits * _ABOUT_VISITS, arm.value - _ABOUT_VALUE
        found, nearest = best, arm.nearness / arm.visits
        for choice in legal:
            other = self.arms.get(choice)
            if other is None or not other.visits or other.visits < least or other.value < lowest:
                continue
            if other.nearness / other.visits > nearest:
                found, nearest = choice, other.nearness / other.visits
        return found

    def rank(self, choice: int) -> tuple[float, ...]:
        """Return a sort key of a choice; better choices have higher keys."""
        arm = self.arms.get(choice)
        return (arm.visits, arm.value, arm.weight) if arm else (-1,)

    def lead(self) -> int:
        """Return by how many visits the best choice leads; 0 with fewer than two choices."""
        visits = sorted((arm.visits for arm in self.arms.values()), reverse=True)
        return visits[0] - visits[1] if len(visits) > 1 else 0


class Search:
    """A search of one decision, iteration by iteration.

    Attributes:
        view: View of the seat.
        net: Evaluator that replaces rollouts; None for none.
        seat: The seat that decides.
        tuning: Parameters of the search.
        knowledge: Evaluation of the game.
        seed: Seed of the search.
        only: Choices to search; None for all.
        clock: Function that returns the time in seconds.
        random: Source of random decisions.
        root: Root of the tree.
        iterations: Number of iterations done.
    """

    def __init__(
        self,
        seat_view: SeatView,
        tuning: SearchParameters,
        seed: int,
        *,
        only: Sequence[int] | None = None,
        clock: Callable[[], float] = perf_counter,
        net: Evaluator | None = None,
    ) -> None:
        self.view: SeatView = seat_view
        self.net: Evaluator | None = net
        self.seat: int = seat_view.seat
        self.tuning: SearchParameters = tuning
        self.knowledge: Evaluation = evaluation(seat_view.game)
        self.seed: int = seed
        self.only: Sequence[int] | None = only
        self.clock: Callable[[], float] = clock
        self.random: Random = Random(seed)
        self.root: _Node = _Node()
        self.iterations: int = 0
        self._mean_score: float = 0.0
        self._bound: int = seat_view.game.max_answers

    def result(self) -> SearchResult:
        """Return the result so far."""
        bandit = self.root.bandits.get((self.seat,))
        return SearchResult(bandit.arms if bandit else {}, self.iterations)

    def run(self, end: float, iterations: int | None) -> SearchResult:
        """Search until the given iterations are done or the time is over.

        The search ends earlier when the second-best choice can't catch up anymore.

        Args:
            end: Time on the clock at which it ends; ignored if iterations are given.
            iterations: Number of iterations; None for the time limit.

        Returns:
            The result.
        """
        start = last = self.clock()
        slowest = 0.0
        while iterations is None or self.iterations < iterations:
            self.iterate()
            if iterations is not None:
                if self.iterations % 16 == 0 and self.result().lead() > iterations - self.iterations:
                    break
                continue
            now = self.clock()
            slowest = max(slowest, now - last)
            last = now
            if now + slowest >= end:
                break
            if self.iterations % 16 == 0:
                left = (end - now) * self.iterations / (now - start)
                if self.result().lead() > left:
                    break
        return self.result()

    # -- one iteration -----------------------------------------------------------------------------

    def iterate(self) -> None:
        """Run one iteration: determinize, descend the tree, evaluate, and update the path."""
        position = self.view.sample(derive_seed(self.seed, self.iterations), snapshots=False)
        begun = position.sequence
        self.iterations += 1
        path: list[tuple[_Bandit, ArmStatistics, int]] = []
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
            options = ask.choices if path or self.only is None else self.only
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
                if position.sequence == sequence:  # other seats haven't answered yet
                    continue
                edge = tuple(shown)
                answers, shown = {}, []
            else:
                edge = choice if seen else _HIDDEN
            following = node.children.get(edge)
            if following is None:
                following = node.children[edge] = _Node()
            node = following
        rewards, points = self._rollout(position)
        for bandit, arm, seat in path:
            bandit.visits += 1
            bandit.total += rewards[seat]
            arm.visits += 1
            arm.total += rewards[seat]
        if path:
            arm = path[0][1]
            arm.points = _sum(arm.points, points)
            arm.shares = _sum(arm.shares, rewards)
            if position.over:
                arm.nearness += 1.0 / (1 + position.sequence - begun)

    def _select(
        self, bandit: _Bandit, position: Position, ask: Choose, options: Sequence[int]
    ) -> tuple[int, ArmStatistics]:
        """Return the open choice with the highest upper bound, and its statistics."""
        tuning = self.tuning
        if options != bandit.choices:
            arms = bandit.arms
            if len(arms) < len(options) or not all(choice in arms for choice in options):
                self._learn(bandit, position, ask)
            bandit.choices = options[:]
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
        """Add choices that are new at this node, with their weights."""
        weigh = self.knowledge.choice_values if self.tuning.knowledge else None
        if weigh is None:
            fresh = [choice for choice in ask.choices if choice not in bandit.arms]
            self.random.shuffle(fresh)
            for choice in fresh:
                bandit.arms[choice] = ArmStatistics(1.0)
            bandit.ranked += fresh
            return
        values = weigh(position.state, ask)
        highest = max(values)
        scale = 1.0 / (self.tuning.temperature * self.knowledge.spread)
        weights = [(value - highest) * scale for value in values]
        if self.net is not None and self.tuning.trust and bandit is self.root.bandits.get((self.seat,)):
            weights = self._ask_net(self.net, ask.choices, weights)
        for choice, weight in zip(ask.choices, weights, strict=True):
            if choice not in bandit.arms:
                # The values may be wrong. A minimum weight lets a long search notice it.
                bandit.arms[choice] = ArmStatistics(exp(max(-6.0, weight)))
                bandit.ranked.append(choice)
        arms = bandit.arms
        bandit.ranked.sort(key=lambda choice: -arms[choice].weight)

    def _ask_net(self, net: Evaluator, options: Sequence[int], weights: Sequence[float]) -> list[float]:
        """Return logarithms of weights at the root: the net's values of the likeliest choices.

        All other choices get a low weight.
        """
        likeliest = sorted(range(len(options)), key=weights.__getitem__, reverse=True)[:_NET_CHOICES]
        choices = [options[place] for place in likeliest]
        odds = [0.0] * len(choices)
        for number in range(_NET_DETERMINIZATIONS):
            guess = self.view.sample(derive_seed(self.seed, number, number))
            expected = net.choice_values(guess, self.seat, choices, derive_seed(self.seed, number, number))
            odds = [before + here / _NET_DETERMINIZATIONS for before, here in zip(odds, expected, strict=True)]
        highest = max(odds)
        found = [_BEHIND] * len(options)
        for place, value in zip(likeliest, odds, strict=True):
            found[place] = (value - highest) / self.tuning.trust
        return found

    # -- rollouts ----------------------------------------------------------------------------------

    def _rollout(self, position: Position) -> tuple[list[float], Sequence[float]]:
        """Play a rollout and evaluate its end.

        Args:
            position: The position; it is played to its end.

        Returns:
            The expected rewards, 0 to 1, and the expected points of all seats.

        Raises:
            RulesError: If the game takes more decisions than it declares.
        """
        tuning = self.tuning
        cut = tuning.cut if tuning.knowledge and self.knowledge.estimates else self._bound
        if self.net is not None:
            cut = tuning.net_cut
        weigh = self.knowledge.choice_values if tuning.knowledge and tuning.guided else None
        random = self.random.random
        for _ in range(cut):
            to_move = position.to_move
            if not to_move:
                break
            seat = to_move[0]
            ask = position.decision(seat)
            options = ask.choices
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
            return self.net.evaluate(position)
        if cut == self._bound:
            raise RulesError(f"a rollout has more than {self._bound} decisions, the maximum that the game declares")
        points = self.knowledge.expected_scores(position.state)
        return self._rewards(None, points), points

    def _rewards(self, places: Sequence[int] | None, points: Sequence[float]) -> list[float]:
        """Return the reward of each seat; a close lead counts less than a clear one.

        A single seat is compared with its mean result in this search, and wins by its rank.
        """
        if len(points) == 1:
            self._mean_score += (points[0] - self._mean_score) / self.iterations
            margins, wins = [self._margin(points[0] - self._mean_score)], [float(places == [1])]
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
        """Return the probability to win with the given lead in points."""
        return float(1.0 / (1.0 + 3.0 ** max(-40.0, min(40.0, -lead / self.knowledge.spread))))


def shares_at_end(places: Sequence[int]) -> tuple[float, ...]:
    """Return the share of each seat from the final ranks.

    Args:
        places: Rank of each seat, 1 for the best; ties share a rank.

    Returns:
        Per seat the part of the other seats that it finished ahead of, ties counted as half. A
        single seat gets 1 for a win.
    """
    others = len(places) - 1
    if not others:
        return (float(places[0] == 1),)
    return tuple(
        sum((other > place) + 0.5 * (other == place) for seat, other in enumerate(places) if seat != own) / others
        for own, place in enumerate(places)
    )


def game_tuning(game: Rules) -> SearchParameters:
    """Return the parameters of the search for a game."""
    return replace(SearchParameters(), **evaluation(game).tuning)
