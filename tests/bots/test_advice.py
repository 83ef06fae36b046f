"""Hints and analysis: what a strong bot expects, from the knowledge of one seat."""

import json
from random import Random

import pytest

import atoll
from atoll import SeatView
from atoll.bots import GreedyBot, analyze, derive_seed, shares_at_end, suggest
from atoll.engine import Position, record
from atoll.games.atacama.evaluate import choice_values
from tests.toy import GAME as TOY

GAME = atoll.games["atacama"]


def played(blunder: int | None = None) -> Position:
    """A game between greedy bots; the decision of this sequence number is the worst one instead."""
    position = GAME.new(2, {"start_player": "seat_1"}, seed=3)
    while not position.over:
        seat = position.to_move[0]
        (choice,) = GreedyBot().choose(SeatView(position, seat), 1.0, derive_seed(3, position.sequence))
        if position.sequence == blunder:
            values = choice_values(position.state, position.decision(seat))
            choice = min(zip(values, position.legal_choices(seat), strict=True))[1]
        position.apply(choice, seat)
    return position


def test_a_hint_names_a_legal_choice_with_its_prospects() -> None:
    position = GAME.new(4, seed=1)
    seat = position.to_move[0]
    hint = suggest(SeatView(position, seat), 5.0, 1, iterations=150)
    prospects = (hint.best, *hint.others)
    assert {each.choice for each in prospects} <= set(position.legal_choices(seat))
    assert hint.best.visits == max(each.visits for each in prospects)
    assert [each.visits for each in hint.others] == sorted((each.visits for each in hint.others), reverse=True)
    for each in prospects:
        assert 0 <= each.share <= 1
        assert len(each.points) == 4
    shown = hint.to_json(GAME)
    assert json.loads(json.dumps(shown)) == shown
    assert shown["prospects"][0]["text"] == GAME.text(hint.best.choice)


def test_a_hint_is_given_for_a_single_choice_too() -> None:
    position = TOY.new(2, seed=3)
    random = Random(3)
    while len(position.legal_choices(position.to_move[0])) > 1:
        seat = position.to_move[0]
        position.apply(random.choice(position.legal_choices(seat)), seat)
    seat = position.to_move[0]
    hint = suggest(SeatView(position, seat), 5.0, 1, iterations=20)
    assert (hint.best.choice, hint.best.visits) == (position.legal_choices(seat)[0], 20)
    assert hint.others == ()


def test_an_analysis_finds_the_blunder() -> None:
    position = played(blunder=9)
    text = record.write(position)
    watched: list[tuple[int, int]] = []
    found = analyze(
        GAME, record.read(text), 60.0, 1, iterations=90, watch=lambda done, whole: watched.append((done, whole))
    )
    assert watched[-1] == (84, 84)
    assert [each.sequence for each in found.judgments] == list(range(28))[: len(found.judgments)]
    assert found.scores == tuple(position.scores())
    assert found.shares == shares_at_end(position.ranking())
    assert 1 <= len(found.turning_points) <= 3
    lost = [found.judgments[index].lost for index in found.turning_points]
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0
    (blunder,) = [found.judgments[index] for index in found.turning_points if found.judgments[index].sequence == 9]
    assert blunder.lost > 0.1
    assert blunder.best.share == pytest.approx(blunder.taken.share + blunder.lost)
    for each in found.judgments:
        assert each.lost >= 0
        assert sum(each.shares) == pytest.approx(1)
    shown = found.to_json(GAME)
    assert json.loads(json.dumps(shown)) == shown


def test_an_analysis_is_the_same_with_the_same_seed() -> None:
    text = record.write(played())
    one, two = (analyze(GAME, record.read(text), 60.0, 5, iterations=9) for _ in range(2))
    assert one == two


def test_a_choice_that_was_taken_unasked_is_nobodys_decision() -> None:
    """The record contains answers that the rules gave without asking.

    The next seat is asked something else by then.
    """
    judged = 0
    for seed in range(3):
        random = Random(seed)
        position = TOY.new(2, seed=seed)
        while not position.over:
            seat = position.to_move[0]
            position.apply(random.choice(position.legal_choices(seat)), seat)
        written = record.read(record.write(position))
        steps = [step for step in written.steps if not step.digest]
        found = analyze(TOY, written, 60.0, 1, iterations=3)
        judged += len(found.judgments)
        taken = [each.taken.choice for each in found.judgments]
        texts = iter(step.text for step in steps)
        assert all(TOY.text(choice) in texts for choice in taken), "judged is what was chosen, in its order"
        assert all(each.taken.visits for each in found.judgments)
    assert judged > 30


def test_shares_count_equal_places_half() -> None:
    assert shares_at_end([1, 2]) == (1.0, 0.0)
    assert shares_at_end([1, 1]) == (0.5, 0.5)
    assert shares_at_end([2, 1, 2, 4]) == (0.5, 1.0, 0.5, 0.0)
    assert (shares_at_end([1]), shares_at_end([2])) == ((1.0,), (0.0,)), "alone against the game"
