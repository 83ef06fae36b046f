"""What a strong bot thinks, from what a seat knows: a hint before a decision, an analysis after the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from operator import itemgetter
from time import perf_counter
from typing import Any, Final

from atoll.engine import Game, Position, Rules, SeatView
from atoll.engine.record import Record, advance, start

from .search import Arm, Findings, Search, game_tuning, shares_at_end
from .search_bot import SearchBot
from .seeds import mix

TURNING_POINTS: Final = 3
_SECOND_LOOK: Final = 9  # decisions that seem to have cost most are looked at again: some only seem so
_SECOND_PART: Final = 1 / 3  # of the time, for that


@dataclass(frozen=True, slots=True)
class Prospect:
    """A choice and what is expected of it.

    share: the part of the other seats that the seat will be ahead of (0 to 1; with two seats the chance to win).
    points: per seat what the table is worth where the look ahead ends; only differences between seats say something.
    visits: how often it was tried; more is surer.
    """

    choice: int
    share: float
    points: tuple[float, ...]
    visits: int


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint for a decision. best: what a strong bot would choose. others: what it thought of besides, best first."""

    seat: int
    best: Prospect
    others: tuple[Prospect, ...]

    def to_json(self, game: Rules) -> dict[str, Any]:
        """Plain data, with choices also as texts."""
        return {"seat": self.seat, "prospects": [_plain(game, each) for each in (self.best, *self.others)]}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One decision of a finished game, judged from what its seat knew.

    sequence: of the moment before it. shares: what every seat could expect there (see Prospect).
    best: what a strong bot would have chosen; taken: what was. lost: the share that the seat gave away by it.
    """

    sequence: int
    seat: int
    shares: tuple[float, ...]
    best: Prospect
    taken: Prospect
    lost: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """A finished game looked at again.

    judgements: of every decision with more than one choice. turning_points: the indices of the (at most three)
    judgements that lost most, most first; among those that were looked at twice. scores, shares: how it ended.
    """

    judgements: tuple[Judgement, ...]
    turning_points: tuple[int, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]

    def to_json(self, game: Rules) -> dict[str, Any]:
        """Plain data: what the graph of a game needs."""
        return {
            "scores": list(self.scores),
            "shares": list(self.shares),
            "turning_points": list(self.turning_points),
            "judgements": [
                {
                    "sequence": each.sequence,
                    "seat": each.seat,
                    "shares": [round(share, 4) for share in each.shares],
                    "best": _plain(game, each.best),
                    "taken": _plain(game, each.taken),
                    "lost": round(each.lost, 4),
                }
                for each in self.judgements
            ],
        }


def _plain(game: Rules, prospect: Prospect) -> dict[str, Any]:
    return {
        "choice": prospect.choice,
        "text": game.text(prospect.choice),
        "share": round(prospect.share, 4),
        "points": [round(each, 2) for each in prospect.points],
        "visits": prospect.visits,
    }


def advise(
    seat_view: SeatView, budget: float, seed: int, *, iterations: int | None = None, processes: int = 1
) -> Advice:
    """What a strong bot would do, and what it expects of it, found within `budget` seconds."""
    findings = SearchBot(iterations=iterations, processes=processes).explore(seat_view, budget, seed)
    best = findings.best(seat_view.legal)
    tried = sorted((each for each in findings.arms if findings.arms[each].visits), key=findings.rank, reverse=True)
    return Advice(
        seat_view.seat,
        _prospect(best, findings.arms[best]),
        tuple(_prospect(choice, findings.arms[choice]) for choice in tried if choice != best),
    )


def _prospect(choice: int, arm: Arm) -> Prospect:
    return Prospect(choice, arm.value, tuple(each / arm.visits for each in arm.points), arm.visits)


def analyse(
    game: Game,
    record: Record,
    budget: float,
    seed: int,
    *,
    iterations: int | None = None,
    watch: Callable[[int, int], Any] = lambda done, whole: None,
) -> Analysis:
    """Judge every decision of a recorded game, `budget` seconds for each. Raises SaveError if it doesn't replay.

    A part of that time goes into a second look at those that seem to have cost most. watch: hears how much is done,
    of how much.
    """
    steps = [(step.who, game.parse(step.text)) for step in record.steps if not step.digest]
    return analyse_from(start(game, record), steps, budget, seed, iterations=iterations, watch=watch)


def analyse_from(
    position: Position,
    steps: Sequence[tuple[int, int]],
    budget: float,
    seed: int,
    *,
    iterations: int | None = None,
    watch: Callable[[int, int], Any] = lambda done, whole: None,
) -> Analysis:
    """Judge the decisions that lead from a position to its game's end; see `analyse`.

    steps: who (a seat or chance) answered what. The position is played to its end.
    """
    judgements: list[Judgement] = []
    dear: list[tuple[float, int, SeatView, int]] = []
    for index, (who, choice) in enumerate(steps):
        if is_decision(position, index, who):
            view = SeatView(position, who)
            judged = judge(view, choice, budget * (1 - _SECOND_PART), mix(seed, index), iterations)
            dear.append((-judged.lost, len(judgements), view, choice))
            dear = sorted(dear, key=itemgetter(0, 1))[:_SECOND_LOOK]
            judgements.append(judged)
        advance(position, index, who, choice)
        watch(2 * (index + 1), 3 * len(steps))
    longer = budget * _SECOND_PART * len(judgements) / max(1, len(dear))
    for count, (_, number, view, choice) in enumerate(dear, 1):
        # A fresh search: of the highest among many guesses a part is luck.
        deep = None if iterations is None else 3 * iterations
        judgements[number] = judge(view, choice, longer, mix(seed, len(steps) + number), deep)
        watch(2 * len(steps) + len(steps) * count // len(dear), 3 * len(steps))
    order = sorted((number for _, number, _, _ in dear), key=lambda number: -judgements[number].lost)
    turning = [number for number in order[:TURNING_POINTS] if judgements[number].lost > 0]
    return Analysis(tuple(judgements), tuple(turning), tuple(position.scores()), shares_at_end(position.ranking()))


def is_decision(position: Position, index: int, who: int) -> bool:
    """Whether entry number `index` of a record is a seat's choice among several, not one that was taken unasked."""
    asked = position.record is not None and index >= len(position.record)
    return asked and who in position.to_move and len(position.legal(who)) > 1


def judge(view: SeatView, taken: int, budget: float, seed: int, iterations: int | None = None) -> Judgement:
    """One decision, judged from what its seat knows, within `budget` seconds or by so many iterations.

    All choices are searched; then the best one and the one that was taken, so that both are known equally well.
    """
    begin = perf_counter()
    tuning = game_tuning(view.game)
    part = None if iterations is None else max(1, iterations // 3)
    all_of_them = Search(view, tuning, seed).run(_until(begin, budget / 3, part), part)
    best = all_of_them.best(view.legal)
    arms = []
    for number, choice in enumerate((best, taken), 1):
        search = Search(view, tuning, mix(seed, number), only=(choice,))
        findings = search.run(_until(begin, budget * (number + 1) / 3, part), part)
        arms.append(_merged(choice, findings, all_of_them))
    if arms[1].value > arms[0].value or best == taken:
        best, arms[0] = taken, arms[1]
    return Judgement(
        view.view["sequence"],
        view.seat,
        shares=tuple(each / arms[0].visits for each in arms[0].shares),
        best=_prospect(best, arms[0]),
        taken=_prospect(taken, arms[1]),
        lost=arms[0].value - arms[1].value,
    )


def _until(begin: float, seconds: float, iterations: int | None) -> float:
    return inf if iterations is not None else begin + seconds


def _merged(choice: int, own: Findings, others: Findings) -> Arm:
    """What both searches know of a choice."""
    found = Findings()
    for each in (own, others):
        found.add(Findings({choice: each.arms[choice]} if choice in each.arms else {}, each.iterations))
    return found.arms[choice]
