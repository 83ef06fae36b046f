"""Suggestions and analyses by a strong bot, from a seat's knowledge.

A suggestion is made before a decision, an analysis after the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import itemgetter
from time import perf_counter
from typing import Any, Final

from atoll.engine import Game, Position, Rules, SeatView
from atoll.engine.record import Record, advance, start

from .search import ArmStatistics, Search, SearchResult, game_tuning, shares_at_end
from .search_bot import SearchBot
from .seeds import derive_seed

TURNING_POINTS: Final = 3
"""Highest number of turning points of a game."""
_SECOND_SEARCHES: Final = 9  # decisions with the highest losses are searched again, because some losses are errors
_SECOND_PART: Final = 1 / 3  # part of the time for the second search


@dataclass(frozen=True, slots=True)
class ChoiceEstimate:
    """A choice with its expected results.

    Attributes:
        choice: The choice.
        share: Expected share of the opponents that the seat finishes ahead of, 0 to 1. With two
            seats it is the win probability.
        points: Expected points per seat where the lookahead ends; only differences between seats
            are meaningful.
        visits: Number of search iterations that tried the choice; more make the estimate more
            reliable.
    """

    choice: int
    share: float
    points: tuple[float, ...]
    visits: int


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggestion for a decision.

    Attributes:
        seat: The seat.
        best: The choice that a strong bot would make.
        others: The other choices that it considered, best first.
    """

    seat: int
    best: ChoiceEstimate
    others: tuple[ChoiceEstimate, ...]

    def to_json(self, game: Rules) -> dict[str, Any]:
        """Return plain data, with choices also as texts."""
        return {"seat": self.seat, "prospects": [_estimate_json(game, each) for each in (self.best, *self.others)]}


@dataclass(frozen=True, slots=True)
class Judgment:
    """A decision of a finished game, evaluated from its seat's knowledge.

    Attributes:
        sequence: Sequence number of the position before it.
        seat: The seat.
        shares: Expected share of every seat before it, see `ChoiceEstimate`.
        best: The choice that a strong bot would have made.
        taken: The choice that was made.
        lost: Share that the seat lost by its choice.
        reason: Plain data that explains a turning point; None for others and without an
            explanation.
    """

    sequence: int
    seat: int
    shares: tuple[float, ...]
    best: ChoiceEstimate
    taken: ChoiceEstimate
    lost: float
    reason: Any = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a finished game.

    Attributes:
        judgments: Every decision with more than one choice.
        turning_points: Indices of the judgments that lost most, at most three, the worst first.
            Only decisions that were searched twice count.
        scores: Final scores.
        shares: Final shares.
    """

    judgments: tuple[Judgment, ...]
    turning_points: tuple[int, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]

    def to_json(self, game: Rules) -> dict[str, Any]:
        """Return plain data, as the graph of a game needs it."""
        return {
            "scores": list(self.scores),
            "shares": list(self.shares),
            "turning_points": list(self.turning_points),
            "judgments": [
                {
                    "sequence": each.sequence,
                    "seat": each.seat,
                    "shares": [round(share, 4) for share in each.shares],
                    "best": _estimate_json(game, each.best),
                    "taken": _estimate_json(game, each.taken),
                    "lost": round(each.lost, 4),
                    "reason": each.reason,
                }
                for each in self.judgments
            ],
        }


def _estimate_json(game: Rules, prospect: ChoiceEstimate) -> dict[str, Any]:
    """Return an estimate as plain data."""
    return {
        "choice": prospect.choice,
        "text": game.text(prospect.choice),
        "share": round(prospect.share, 4),
        "points": [round(each, 2) for each in prospect.points],
        "visits": prospect.visits,
    }


def suggest(
    seat_view: SeatView, budget: float, seed: int, *, iterations: int | None = None, processes: int = 1
) -> Advice:
    """Return the choice of a strong bot and its estimates.

    Args:
        seat_view: View of the seat that decides.
        budget: Time limit in seconds.
        seed: Seed of the search.
        iterations: Number of search iterations; None for the time limit.
        processes: Number of processes that search at once.

    Returns:
        The suggestion.
    """
    findings = SearchBot(iterations=iterations, processes=processes).explore(seat_view, budget, seed)
    best = findings.best(seat_view.legal)
    tried = sorted((each for each in findings.arms if findings.arms[each].visits), key=findings.rank, reverse=True)
    return Advice(
        seat_view.seat,
        _prospect(best, findings.arms[best]),
        tuple(_prospect(choice, findings.arms[choice]) for choice in tried if choice != best),
    )


def _prospect(choice: int, arm: ArmStatistics) -> ChoiceEstimate:
    """Return the estimate of a choice from its statistics."""
    return ChoiceEstimate(choice, arm.value, tuple(each / arm.visits for each in arm.points), arm.visits)


def analyze(
    game: Game,
    record: Record,
    budget: float,
    seed: int,
    *,
    iterations: int | None = None,
    watch: Callable[[int, int], Any] = lambda done, whole: None,
) -> Analysis:
    """Evaluate every decision of a recorded game.

    A part of the time is used for a second search of the decisions that seem to have lost most.

    Args:
        game: The game.
        record: Record of a finished game.
        budget: Mean time per decision in seconds.
        seed: Seed of the searches.
        iterations: Number of search iterations per decision; None for the time limit.
        watch: Callback that gets the work done and the total work.

    Returns:
        The analysis.

    Raises:
        SaveError: If the record can't be replayed.
    """
    steps = [(step.who, game.parse(step.text)) for step in record.steps if not step.digest]
    return analyze_from(start(game, record), steps, budget, seed, iterations=iterations, watch=watch)


def analyze_from(
    position: Position,
    steps: Sequence[tuple[int, int]],
    budget: float,
    seed: int,
    *,
    iterations: int | None = None,
    watch: Callable[[int, int], Any] = lambda done, whole: None,
    explain: Callable[[SeatView, Judgment], Any] = lambda view, judged: None,
) -> Analysis:
    """Evaluate the decisions from a position to the end of its game; see `analyze`.

    Args:
        position: The position; it is played to its end.
        steps: Who answered (a seat or chance) and the answer, for each following entry of the
            record.
        budget: Mean time per decision in seconds.
        seed: Seed of the searches.
        iterations: Number of search iterations per decision; None for the time limit.
        watch: Callback that gets the work done and the total work.
        explain: Returns the reason of a turning point as plain data, from its seat's view.

    Returns:
        The analysis.

    Raises:
        SaveError: If the answers can't be replayed.
    """
    judgments: list[Judgment] = []
    worst: list[tuple[float, int, SeatView, int]] = []
    for index, (who, choice) in enumerate(steps):
        if is_decision(position, index, who):
            view = SeatView(position, who)
            judged = judge(view, choice, budget * (1 - _SECOND_PART), derive_seed(seed, index), iterations)
            worst.append((-judged.lost, len(judgments), view, choice))
            worst = sorted(worst, key=itemgetter(0, 1))[:_SECOND_SEARCHES]
            judgments.append(judged)
        advance(position, index, who, choice)
        watch(2 * (index + 1), 3 * len(steps))
    longer = budget * _SECOND_PART * len(judgments) / max(1, len(worst))
    for count, (_, number, view, choice) in enumerate(worst, 1):
        # The new search is independent: the highest of many noisy estimates is biased.
        deep = None if iterations is None else 3 * iterations
        judgments[number] = judge(view, choice, longer, derive_seed(seed, len(steps) + number), deep)
        watch(2 * len(steps) + len(steps) * count // len(worst), 3 * len(steps))
    order = sorted((number for _, number, _, _ in worst), key=lambda number: -judgments[number].lost)
    turning = [number for number in order[:TURNING_POINTS] if judgments[number].lost > 0]
    for _, number, view, _ in worst:
        if number in turning:
            judgments[number] = replace(judgments[number], reason=explain(view, judgments[number]))
    return Analysis(tuple(judgments), tuple(turning), tuple(position.scores()), shares_at_end(position.ranking()))


def is_decision(position: Position, index: int, who: int) -> bool:
    """Return whether an entry of a record is a seat's choice among several.

    Args:
        position: The position so far. Automatic answers may have advanced it beyond the entry.
        index: Number of the entry.
        who: The seat that answered, or chance.

    Returns:
        False for chance, for a single legal choice, and for an answer made automatically.
    """
    asked = position.record is not None and index >= len(position.record)
    return asked and who in position.to_move and len(position.legal_choices(who)) > 1


def judge(view: SeatView, taken: int, budget: float, seed: int, iterations: int | None = None) -> Judgment:
    """Evaluate one decision from its seat's knowledge.

    All choices are searched first. Then the best choice and the one that was taken get a search of
    their own, so that both are known equally well.

    Args:
        view: View of the seat before the decision.
        taken: The choice that was made.
        budget: Time limit in seconds.
        seed: Seed of the searches.
        iterations: Number of search iterations; None for the time limit.

    Returns:
        The evaluation.
    """
    begin = perf_counter()
    tuning = game_tuning(view.game)
    part = None if iterations is None else max(1, iterations // 3)
    all_of_them = Search(view, tuning, seed).run(_until(begin, budget / 3, part), part)
    best = all_of_them.best(view.legal)
    arms = []
    for number, choice in enumerate((best, taken), 1):
        search = Search(view, tuning, derive_seed(seed, number), only=(choice,))
        findings = search.run(_until(begin, budget * (number + 1) / 3, part), part)
        arms.append(_merged(choice, findings, all_of_them))
    if arms[1].value > arms[0].value or best == taken:
        best, arms[0] = taken, arms[1]
    return Judgment(
        view.view["sequence"],
        view.seat,
        shares=tuple(each / arms[0].visits for each in arms[0].shares),
        best=_prospect(best, arms[0]),
        taken=_prospect(taken, arms[1]),
        lost=arms[0].value - arms[1].value,
    )


def _until(begin: float, seconds: float, iterations: int | None) -> float:
    """Return the end of a time limit; infinity if iterations are limited instead."""
    return inf if iterations is not None else begin + seconds


def _merged(choice: int, own: SearchResult, others: SearchResult) -> ArmStatistics:
    """Return the statistics of a choice from both searches."""
    found = SearchResult()
    for each in (own, others):
        found.add(SearchResult({choice: each.arms[choice]} if choice in each.arms else {}, each.iterations))
    return found.arms[choice]
