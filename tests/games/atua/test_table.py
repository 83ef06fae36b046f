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
from atoll.games.atua.components import SYMBOLS
from atoll.games.atua.table import regions

GAME = atoll.games["atua"]


def held(position: Position, seat: int) -> dict[str, Any]:
    """What the page gets to know of the card in the hand."""
    island = regions(GAME, position.view(seat), Words(GAME, "en"))[0]
    found = re.search(r'data-hold="([^"]*)"', island.drawings[0].markup)
    assert found
    known: dict[str, Any] = json.loads(html.unescape(found[1]))
    return known


def sheet(live: dict[str, Any], seat: int) -> dict[str, int]:
    """The points of each row of the sheet."""
    rows: dict[str, int] = {}
    for row, points in live["sheets"][seat]:
        rows[row] = rows.get(row, 0) + points
    return rows


@pytest.mark.parametrize(("seats", "seed"), [(1, 7), (2, 2), (3, 3)])
def test_what_a_placement_would_change_is_what_it_changes(seats: int, seed: int) -> None:
    """Rows of the sheet, symbols and longest beach, compared with a trial of the placement."""
    rng = Random(seed)
    position = GAME.new(seats, seed=seed)
    seen, changed = 0, set()
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
                old_rows, new_rows = sheet(before, seat), sheet(after, seat)
                rows = [[row, new - old_rows[row], new] for row, new in new_rows.items() if new != old_rows[row]]
                symbols = [
                    [name, new - old, new]
                    for name, old, new in zip(SYMBOLS, before["counts"][seat], after["counts"][seat], strict=False)
                    if new != old and name != "coconut"
                ]
                old, new = before["beach"][seat], after["beach"][seat]
                assert outcome["rows"] == rows
                assert outcome["symbols"] == symbols
                assert outcome["beach"] == ([new - old, new] if new != old else None)
                assert outcome["gain"] == after["scores"][seat] - before["scores"][seat]
                changed |= {row for row, _, _ in rows}
                seen += 1
        position.apply(rng.choice(position.legal(seat)), seat)
    assert seen > 20
    assert changed >= {"fishing", "hunting", "seafaring", "coconuts", "beach_bonus"}
    assert changed >= {"fate", "coconut_bonus"} or seats == 1
