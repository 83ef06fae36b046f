"""The searching bot: in time, repeatable, blind to secrets of others, and stronger than no search."""

import multiprocessing
from collections.abc import Iterator
from random import Random
from time import sleep

import pytest

import atoll
from atoll import SeatView
from atoll.bots import (
    PLAIN,
    RandomBot,
    SearchBot,
    SearchParameters,
    UnknownBot,
    bot,
    bot_names,
    derive_seed,
    search_bot,
)
from atoll.bots.search import Search
from atoll.engine import Game, Position
from tests.toy import GAME as TOY
from tests.toy.state import ToyState

ATACAMA = atoll.games["atacama"]


def moments(game: Game, seed: int, seats: int | None = None) -> Iterator[Position]:
    """All decisions of a random game."""
    position = game.new(seats, seed=seed)
    random = Random(seed)
    while not position.over:
        yield position
        seat = random.choice(position.to_move)
        position.apply(random.choice(position.legal_choices(seat)), seat)


def asked(position: Position) -> SeatView:
    return SeatView(position, position.to_move[-1])


class _Counted(SearchBot):
    """Counts searches."""

    searches = 0

    def explore(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
        self.searches += 1
        return super().explore(*arguments, **more)  # type: ignore[arg-type]


def test_a_single_choice_is_answered_at_once() -> None:
    searcher = _Counted(iterations=3)
    single = other = 0
    for position in moments(TOY, 3):
        view = asked(position)
        before = searcher.searches
        (choice,) = searcher.choose(view, 5.0, 1)
        assert choice in view.legal
        if len(view.legal) == 1:
            single += 1
            assert searcher.searches == before
        else:
            other += 1
            assert searcher.searches == before + 1
    assert single > 3
    assert other > 3


def test_it_stops_before_its_time_is_over() -> None:
    clock = [0.0]

    def tick() -> float:
        clock[0] += 0.01
        return clock[0]

    view = asked(ATACAMA.new(2, {"setup": "enhanced"}, seed=1))
    search = Search(view, SearchParameters(), 1, clock=tick)
    search.run(end=0.5, iterations=None)
    assert 40 <= search.iterations < 50
    assert clock[0] <= 0.5


def test_it_does_not_wait_for_a_process_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_bot, "_search_and_send", lambda *_: sleep(3600))
    begun = set(multiprocessing.active_children())
    findings = SearchBot(processes=2).explore(asked(ATACAMA.new(2, seed=1)), 0.6, 1)
    assert findings.iterations > 0
    assert set(multiprocessing.active_children()) <= begun, "it is ended"


def _last_turn() -> Position:
    """The last decision of a random game of Atacama."""
    position = ATACAMA.new(2, {"start_player": "seat_1"}, seed=1)
    random = Random(1)
    while position.state.turn < 27:
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    return position


def test_it_stops_when_the_second_best_cannot_catch_up() -> None:
    position = _last_turn()
    view = asked(position)
    findings = SearchBot(iterations=3000).explore(view, 1.0, 1)
    assert findings.iterations < 3000
    best = findings.best(view.legal)
    scores = {}
    for choice in view.legal:
        trial = position.fork()
        trial.apply(choice, view.seat)
        scores[choice] = trial.scores()[view.seat] - trial.scores()[1 - view.seat]
    assert list(scores.values()).count(max(scores.values())) == 1
    assert scores[best] == max(scores.values())


def _twins(position: Position, viewer: int, random: Random) -> list[Position]:
    """Return this position, and one that differs in two cards and a wish that the viewer can't know.

    The list is empty if no cards can be swapped.
    """
    states: list[ToyState] = [position.state.clone(), position.state.clone()]
    other = (viewer + 1) % position.seats
    pairs = [(a, b) for a in states[1].hands[other] for b in states[1].deck if a != b]
    if not pairs:
        return []
    card, below = random.choice(pairs)
    states[1].hands[other] = sorted([*_without(states[1].hands[other], card), below])
    states[1].deck = sorted([*_without(states[1].deck, below), card])
    states[1].wishes[other] = [(states[1].wishes[other][0] + 1) % 4]
    return [Position(position.game, state, position.options, None) for state in states]


def _without(cards: list[int], card: int) -> list[int]:
    left = cards[:]
    left.remove(card)
    return left


@pytest.mark.parametrize("name", bot_names(TOY))
def test_twins_get_the_same_choice(name: str) -> None:
    compared = 0
    random = Random(1)
    for seed in range(2):
        for position in moments(TOY, seed, 3):
            if position.sequence != position.checkpoint_sequence or position.state.round < 1:
                continue
            seat = position.to_move[0]
            twins = _twins(position, seat, random)
            if not twins or len(position.legal_choices(seat)) < 2:
                continue
            assert twins[0].digest() != twins[1].digest()
            views = [SeatView(each, seat) for each in twins]
            chosen = [bot(TOY, name, iterations=8).choose(view, 60.0, 5) for view in views]
            assert chosen[0] == chosen[1]
            compared += 1
    assert compared > 8


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sealed_decisions_are_searched_for_every_seat(seats: int) -> None:
    position = TOY.new(seats, seed=7)
    assert position.sealed
    random = Random(1)
    while position.sealed:
        seat = random.choice(position.to_move)
        search = Search(SeatView(position, seat), PLAIN, 3)
        findings = search.run(0.0, 60)
        assert set(findings.arms) == set(position.legal_choices(seat))
        assert 30 < findings.iterations == sum(arm.visits for arm in findings.arms.values()) <= 60
        position.apply(findings.best(position.legal_choices(seat)), seat)


def test_hidden_answers_of_others_share_a_node() -> None:
    position = TOY.new(2, seed=7)
    search = Search(SeatView(position, 0), PLAIN, 3)
    search.run(0.0, 80)
    # Both wish in secret: the ways out of the root tell what seat 0 wished, and nothing of seat 1.
    assert {edge[index] for edge in search.root.children for index in range(0, len(edge), 2)} == {0}
    assert {key[0] for key in search.root.bandits} == {0, 1}


def test_processes_add_up_what_they_found() -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("processes can't be forked here; the bot then searches alone")
    view = asked(TOY.new(3, seed=4))
    alone = SearchBot(iterations=30).explore(view, 60.0, 9)
    together = SearchBot(iterations=30, processes=3).explore(view, 60.0, 9)
    assert alone.iterations == 30
    assert together.iterations == 90
    again = SearchBot(iterations=30, processes=3).explore(view, 60.0, 9)
    assert {c: (a.visits, a.total, a.points) for c, a in together.arms.items()} == {
        c: (a.visits, a.total, a.points) for c, a in again.arms.items()
    }
    assert sum(arm.visits for arm in together.arms.values()) == 90


def test_wide_decisions_open_up_choice_by_choice() -> None:
    view = asked(ATACAMA.new(2, seed=1))
    tuning = SearchParameters(width=4, widening=1.0, exploration=100.0)
    for iterations, most in ((4, 6), (100, 14)):
        findings = Search(view, tuning, 1).run(0.0, iterations)
        assert most // 2 <= sum(arm.visits > 0 for arm in findings.arms.values()) <= most


def test_the_expected_points_are_means_of_final_scores() -> None:
    position = _last_turn()
    view = asked(position)
    findings = Search(view, SearchParameters(), 1).run(0.0, 300)
    for choice, arm in findings.arms.items():
        if arm.visits:
            trial = position.fork()
            trial.apply(choice, view.seat)
            assert sum(arm.shares) == pytest.approx(arm.visits)
            assert [each / arm.visits for each in arm.points] == pytest.approx(trial.scores())


@pytest.mark.parametrize(("game", "tuning"), [(ATACAMA, None), (TOY, PLAIN)], ids=["atacama", "toy"])
def test_searching_is_better_than_not(game: Game, tuning: SearchParameters | None) -> None:
    ahead = 0.0
    for seed in range(8):
        position = game.new(2, seed=seed)
        searcher = SearchBot(tuning, iterations=40)
        while not position.over:
            seat = position.to_move[0]
            player = searcher if seat == seed % 2 else RandomBot()
            position.apply(player.choose(SeatView(position, seat), 60.0, derive_seed(seed, position.sequence)), seat)
        places = position.ranking()
        ahead += (places[seed % 2] < places[1 - seed % 2]) + 0.5 * (places[0] == places[1])
    assert ahead >= 6


def test_settings_of_an_experiment_are_checked() -> None:
    assert isinstance(bot(ATACAMA, "search:cut=3:exploration=0.5"), SearchBot)
    with pytest.raises(UnknownBot, match="invalid parameter 'depth=3'; known: exploration, first_play"):
        bot(ATACAMA, "search:depth=3")
    with pytest.raises(UnknownBot, match="invalid parameter 'cut=deep'"):
        bot(ATACAMA, "search:cut=deep")
