"""Narrations of games: complete, or limited to a seat's knowledge."""

from random import Random

import pytest

from atoll.engine import record
from atoll.narration import Narration
from tests.toy import GAME as TOY


@pytest.fixture(scope="module")
def played() -> record.Record:
    """A random game with secrets."""
    position = TOY.new(3, seed=4)
    random = Random(4)
    while not position.over:
        seat = random.choice(position.to_move)
        position.apply(random.choice(position.legal_choices(seat)), seat)
    return record.read(record.write(position))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_answer_is_told_once_and_in_order(played: record.Record, language: str) -> None:
    moments, end = Narration(TOY, language).narrate(played)
    steps = [step for step in played.steps if not step.digest]
    assert [moment.number for moment in moments] == list(range(1, len(steps) + 1))
    assert end.scores() == played.scores
    words = Narration(TOY, language).words
    assert [moment.title.partition(": ")[2] for moment in moments] == [
        words.choice(TOY.parse(step.text)) for step in steps
    ]


def test_a_seat_is_not_told_the_secrets_of_others(played: record.Record) -> None:
    whole, end = Narration(TOY, "en").narrate(played)
    own, _ = Narration(TOY, "en", 1).narrate(played)
    assert len(own) == len(whole)
    assert end.record is not None
    hidden = shown = 0
    for moment, everything, (who, _, audience) in zip(own, whole, end.record, strict=True):
        if who == 1 or audience == -1 or audience >> 1 & 1:
            assert moment.title == everything.title
            shown += 1
        else:
            assert moment.title.endswith(": (in secret)")
            hidden += 1
    assert hidden > 10
    assert shown > 10


def test_the_ending_tells_places_scores_and_what_counted(played: record.Record) -> None:
    story = Narration(TOY, "en")
    _, end = story.narrate(played)
    lines = story.ending(end)
    told = [line for line in lines if line.startswith("Place")]
    ranked = sorted(enumerate(zip(end.ranking(), end.scores(), strict=True)), key=lambda each: each[1][0])
    assert told == [f"Place {place}: Seat {seat + 1}, {score} points" for seat, (place, score) in ranked]
    assert sum(int(line.split()[0]) for line in lines if line.startswith("  ")) == sum(end.scores())
