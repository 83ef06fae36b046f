"""Playing styles of the levels: human mistakes, never below greedy, no stalling when far ahead."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import pytest

import atoll
from atoll import SeatView, bots
from atoll.bots import Bot, Evaluation, GreedyBot, OverlookingBot, RandomBot, SearchBot, SecondLookBot, decide
from atoll.bots import derive_seed as mixed
from atoll.bots.evaluation import _KNOWN
from atoll.bots.search import ArmStatistics, SearchResult
from atoll.engine import Choose, Flow, Game, Position
from tests.conformance.planted.honest import PAY, STOP, Honest


def midway(game: Game, seed: int, moves: int = 12) -> SeatView:
    """The view of the seat that is asked after some random moves, at a decision with many choices."""
    position = game.new(seed=seed)
    random = Random(seed)
    for _ in range(moves):
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    while len(position.legal_choices(position.to_move[0])) < 8:
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    return SeatView(position, position.to_move[0])


def share(game: Game, better: Bot, worse: Bot, games: int) -> float:
    """The share of the games that one bot finished ahead of the other; ties count half."""
    total = 0.0
    for number in range(games):
        position = game.new(2, seed=7000 + number)
        while not position.over:
            seat = position.to_move[0]
            bot = better if seat == number % 2 else worse
            for choice in bot.choose(SeatView(position, seat), 9.0, mixed(number, position.sequence)):
                position.apply(choice, seat)
        places = position.ranking()
        own, other = places[number % 2], places[1 - number % 2]
        total += 1.0 if own < other else 0.5 if own == other else 0.0
    return total / games


# -- human mistakes --------------------------------------------------------------------------------


@pytest.mark.parametrize(("sees", "blur"), [(0.03, 0.14), (0.5, 0.04), (0.3, 0.0), (1.0, 0.0)])
def test_the_policy_of_an_overlooking_bot_is_what_it_does(sees: float, blur: float) -> None:
    bot, view = OverlookingBot(sees, blur), midway(atoll.games["atacama"], 3)
    policy = bot.policy(view, 1.0, 1)
    assert sum(policy) == pytest.approx(1)
    counts = dict.fromkeys(view.legal, 0)
    for seed in range(1500):
        counts[bot.choose(view, 1.0, seed)[0]] += 1
    for choice, chance in zip(view.legal, policy, strict=True):
        assert abs(counts[choice] / 1500 - chance) <= 4.5 * sqrt(chance * (1 - chance) / 1500)


def test_a_bot_that_sees_all_and_tells_all_apart_is_greedy() -> None:
    for seed in range(8):
        view = midway(atoll.games["atua"], seed)
        values = GreedyBot().values(view, 1.0, seed)
        (chosen,) = OverlookingBot(1.0, 0.0).choose(view, 1.0, seed)
        assert values[view.legal.index(chosen)] == max(values)


@pytest.mark.parametrize("name", ["atacama", "atlandice", "atua", "raiatea", "wutaki"])
def test_mistakes_cost_less_than_random_choices_and_casual_makes_smaller_ones(name: str) -> None:
    game = atoll.games[name]
    costs: dict[str, list[float]] = {"random": [], "beginner": [], "casual": []}
    for seed in range(30):
        view = midway(game, seed)
        values = GreedyBot().values(view, 1.0, seed)
        for each, found in costs.items():
            policy = decide(bots.bot(game, each), view, 1.0, seed).policy
            found.append(max(values) - sum(chance * value for chance, value in zip(policy, values, strict=True)))
    random, beginner, casual = (fmean(found) for found in costs.values())
    assert 0 < casual < 0.7 * beginner < 0.7 * 0.95 * random


def test_it_overlooks_but_never_takes_what_it_sees_is_worse() -> None:
    """Of two choices both are seen: it confuses them only if their values are close."""
    game = atoll.games["atacama"]
    view = midway(game, 3)
    values = GreedyBot().values(view, 1.0, 1)
    bot = OverlookingBot(0.05, 0.15)
    tiers = bot.tiers(view, 1.0, 1)
    step = 0.15 * bots.evaluation(game).spread
    for one, tier in zip(values, tiers, strict=True):
        assert tier * step <= max(values) - one + 1e-9 < (tier + 1) * step + 1e-9
    assert bot.seen_count(2) == 2
    assert bot.seen_count(1) == 1
    assert bot.seen_count(100) == 5


@pytest.mark.parametrize("name", ["atacama", "atlandice", "atua", "wutaki"])
def test_beginner_beats_random_and_casual_beats_beginner(name: str) -> None:
    game = atoll.games[name]
    beginner, casual = bots.bot(game, "beginner"), bots.bot(game, "casual")
    assert share(game, beginner, RandomBot(), 10) >= 0.65
    assert share(game, casual, beginner, 16) >= 0.6


# -- strong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "games"), [("atacama", 20), ("atua", 10)])
def test_strong_is_not_below_greedy(name: str, games: int) -> None:
    assert share(atoll.games[name], SecondLookBot(iterations=32), GreedyBot(), games) >= 0.5


def test_without_evidence_it_takes_the_greedy_choice() -> None:
    game = atoll.games["raiatea"]
    for seed in range(6):
        view = midway(game, seed)
        values = GreedyBot().values(view, 1.0, mixed(seed, 0))
        for bot in (SecondLookBot(iterations=1), SecondLookBot(iterations=3)):
            (chosen,) = bot.choose(view, 9.0, seed)
            assert values[view.legal.index(chosen)] == max(values)


def test_clear_evidence_changes_the_greedy_choice() -> None:
    view = midway(atoll.games["atacama"], 3)
    bot = SecondLookBot(iterations=1)
    usual = bot.choose(view, 9.0, 4)[0]
    other = next(choice for choice in view.legal if choice != usual)
    greedy, better = ArmStatistics(1.0, visits=20, total=8.0), ArmStatistics(0.5, visits=60, total=45.0)
    assert bot.decided(SearchResult({usual: greedy, other: better}, 80), view, 4) == other
    close = ArmStatistics(0.5, visits=60, total=26.0)
    assert bot.decided(SearchResult({usual: greedy, other: close}, 80), view, 4) == usual
    few = ArmStatistics(0.5, visits=19, total=19.0 * 0.85)
    assert bot.decided(SearchResult({usual: greedy, other: few}, 39), view, 4) == usual


def test_strong_takes_no_random_choice_and_expert_none_either() -> None:
    strong = bots.bot(atoll.games["atua"], "strong", iterations=20)
    assert isinstance(strong, bots.LevelBot)
    assert isinstance(strong.bot, SecondLookBot)


# -- an early end ----------------------------------------------------------------------------------


class Race(Honest):
    """Each turn one seat pays or ends the game; nothing changes, and seat 0 has all coins."""

    id = "race"

    def prepare(self, s: Any) -> Flow:
        s.coins = [12, *([0] * (s.seats - 1))]
        s.turn = 1
        yield from ()

    def take_turn(self, s: Any) -> Flow:
        choice: int = yield Choose((s.turn - 1) % s.seats, "pay", [PAY.choice(0), PAY.choice(1), STOP.first])
        s.turn += 1
        s.over = choice == STOP.first or self.is_over(s)


RACE = Race()


@pytest.fixture(params=["far ahead", "in a close game"])
def is_far_ahead(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Parametrize whether twelve points are a clear lead in the race."""
    clear: bool = request.param == "far ahead"
    known = Evaluation(
        choice_values=lambda s, ask: [0.0] * len(ask.choices),
        expected_scores=RACE.scores,
        spread=2.0 if clear else 30.0,
        estimates=True,
        tuning={"win": 0.0},
    )
    monkeypatch.setitem(_KNOWN, Race, known)
    return clear


@pytest.mark.parametrize("bot", [OverlookingBot(1.0, 0.1), SearchBot(iterations=60), SecondLookBot(iterations=60)])
def test_who_is_far_ahead_ends_the_game(is_far_ahead: bool, bot: Bot) -> None:
    view = SeatView(RACE.new(2), 0)
    chosen = {bot.choose(view, 9.0, seed)[0] for seed in range(12)}
    if is_far_ahead:
        assert chosen == {STOP.first}
    else:
        assert chosen > {STOP.first} or STOP.first not in chosen


@pytest.mark.parametrize("bot", [OverlookingBot(1.0, 0.1), SearchBot(iterations=60)])
def test_who_is_behind_does_not_hurry(is_far_ahead: bool, bot: Bot) -> None:
    position: Position = RACE.new(2)
    position.apply(PAY.choice(0), 0)
    chosen = {bot.choose(SeatView(position, 1), 9.0, seed)[0] for seed in range(12)}
    assert chosen != {STOP.first}


def test_an_early_end_is_no_reason_for_a_worse_choice() -> None:
    ahead = ArmStatistics(1.0, visits=40, total=38.0, nearness=4.0)
    soon = ArmStatistics(1.0, visits=30, total=27.0, nearness=15.0)
    assert SearchResult({1: ahead, 2: soon}, 70).decided([1, 2]) == 1
    as_good = ArmStatistics(1.0, visits=30, total=28.4, nearness=15.0)
    assert SearchResult({1: ahead, 2: as_good}, 70).decided([1, 2]) == 2
    hardly_tried = ArmStatistics(1.0, visits=9, total=9.0, nearness=5.0)
    assert SearchResult({1: ahead, 2: hardly_tried}, 49).decided([1, 2]) == 1
    level = ArmStatistics(1.0, visits=40, total=20.0, nearness=4.0)
    assert SearchResult({1: level, 2: ArmStatistics(1.0, 39, 0, 20.0, nearness=30.0)}, 79).decided([1, 2]) == 1
