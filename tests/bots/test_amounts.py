"""The usual amounts of a mix: legal, complete, and the same each time."""

from __future__ import annotations

import random

import pytest

import atoll
from atoll.bots import usual_amounts
from atoll.engine import AmountSet, Position, TurnDraft

MIXES = 6
OPTIONS = {"raiatea": {"tane": True}}
"""Options with which mixes are asked more often."""


def mixes(game: str) -> list[tuple[Position, int]]:
    """Return positions of random games in which a mix of amounts is asked, with the seat."""
    found: list[tuple[Position, int]] = []
    for seed in range(20):
        seats = atoll.games[game].seat_counts[0]
        position, chooser = atoll.games[game].new(seats, OPTIONS.get(game), seed=seed), random.Random(seed)
        while not position.over and len(found) < MIXES:
            seat = position.to_move[0]
            asked = position.decision(seat).into
            if isinstance(asked, AmountSet) and not asked.picks.picked:
                found.append((position.fork(), seat))
            position.apply(chooser.choice(position.legal_choices(seat)), seat)
    return found


@pytest.mark.parametrize("game", ["atlandice", "raiatea", "wutaki"])
def test_the_usual_amounts_are_a_whole_answer(game: str) -> None:
    found = mixes(game)
    assert len(found) == MIXES
    for position, seat in found:
        before = position.view(seat)
        usual = usual_amounts(position, seat)
        asked = position.decision(seat).into
        assert isinstance(asked, AmountSet)
        draft = TurnDraft(position, seat)
        draft.add([choice for choice in usual if choice in asked.picks.members])
        assert not draft.picked, "nothing is left to choose"
        assert usual == usual_amounts(position, seat)
        assert position.view(seat) == before
        forced = [choice for choice in usual if choice not in asked.picks.members]
        kind = position.game.vocabulary.kind_of(usual[0])
        assert sum(kind.parts(choice)[1] for choice in forced) == asked.unasked_total


def test_no_other_question_has_usual_amounts() -> None:
    position = atoll.games["atlandice"].new(2, seed=1)
    assert usual_amounts(position, position.to_move[0]) == ()
