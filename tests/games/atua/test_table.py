"""What the table tells of a placement before it is made."""

import html
import json
import re
from random import Random
from typing import Any

import pytest

import atoll
from atoll.engine import Position
from atoll.engine.words import Words
from atoll.games.atua.components import SOURCES, SYMBOLS
from atoll.games.atua.state import NOT_SCORED
from atoll.games.atua.table import regions

GAME = atoll.games["atua"]


def held(position: Position, seat: int) -> dict[str, Any]:
    """What the page gets to know of the card in the hand."""
    island = regions(GAME, position.view(seat), Words(GAME, "en"))[0]
    found = re.search(r'data-hold="([^"]*)"', island.drawings[0].markup)
    assert found
    known: dict[str, Any] = json.loads(html.unescape(found[1]))
    return known


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_what_a_placement_would_change_is_what_it_changes(seats: int) -> None:
    """Open sources, symbols and longest beach, compared with a trial of the placement."""
    rng = Random(seats)
    position = GAME.new(seats, seed=seats)
    seen = 0
    while not position.over:
        seat = position.to_move[0]
        if position.decision(seat).prompt == "place":
            known = held(position, seat)
            before = position.view(seat)["live"]
            legal = position.legal(seat)
            assert len(known["outcomeOf"]) == len(legal)
            for number in rng.sample(range(len(legal)), min(3, len(legal))):
                outcome = known["outcomes"][known["outcomeOf"][number]]
                trial = position.fork(1)
                trial.apply(legal[number], seat)
                after = trial.view(seat)["live"]
                is_open = [points == NOT_SCORED for points in position.state.sheet[seat]]
                sources = [
                    [name, new - old, new]
                    for name, old, new, open_now in zip(
                        SOURCES, before["sources"][seat], after["sources"][seat], is_open, strict=True
                    )
                    if new != old and open_now
                ]
                symbols = [
                    [name, new - old, new]
                    for name, old, new in zip(SYMBOLS, before["counts"][seat], after["counts"][seat], strict=False)
                    if new != old and name != "coconut"
                ]
                old, new = before["beach"][seat], after["beach"][seat]
                assert outcome["sources"] == sources
                assert outcome["symbols"] == symbols
                assert outcome["beach"] == ([new - old, new] if new != old else None)
                assert outcome["gain"] == sum(by for _, by, _ in sources)
                seen += 1
        position.apply(rng.choice(position.legal(seat)), seat)
    assert seen > 20
