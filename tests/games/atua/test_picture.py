"""Information about a placement that the table shows before it is made."""

import html
import json
import re
from random import Random
from typing import Any

import pytest

import atoll
from atoll.engine import Position
from atoll.engine.translations import GameMessages
from atoll.games.atua.components import SYMBOLS
from atoll.games.atua.picture import regions
from atoll.picture import excerpt

from .tables import at, first_placement, solo

GAME = atoll.games["atua"]


def held(position: Position, seat: int) -> dict[str, Any]:
    """Return the page's data about the card in the hand."""
    island = regions(GAME, position.view(seat), GameMessages(GAME, "en"))[0]
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
            legal = position.legal_choices(seat)
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
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    assert seen > 20
    assert changed >= {"fishing", "hunting", "seafaring", "coconuts", "beach_bonus"}
    assert changed >= {"fate", "coconut_bonus"} or seats == 1


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_columns_of_the_sheet_are_told_apart_by_the_shapes_of_their_seats(seats: int) -> None:
    found = regions(GAME, GAME.new(seats, seed=1).view(0), GameMessages(GAME, "en"))
    markup = next(region for region in found if region.id == "sheet").drawings[0].markup
    shapes = re.findall(r'<path class="whose seat-\d" [^>]*d="([^"]+)"', markup)
    assert len(shapes) == len(set(shapes)) == seats


def test_facts_of_a_picture_in_the_rules_are_large_enough_to_be_read() -> None:
    drawn = excerpt(GAME, GAME.new(1, seed=1).view(0), GameMessages(GAME, "en"), ["row", "tahuma"], ["hut"])
    assert 'class="ringed fact"' in drawn
    width = re.search(r'\bwidth="(\d+)" height=', drawn)
    assert width and 16 / int(width[1]) > 13 / 390, "smaller than 13 px where it is as wide as a phone"


def facts(position: Position, viewer: int | None = 0, language: str = "en") -> dict[str, Any]:
    """The facts of a table's picture by their id."""
    found = regions(GAME, position.view(viewer), GameMessages(GAME, language))
    return {fact.id: fact for region in found for fact in region.facts}


def row(position: Position) -> str:
    """The pictures of the cards that can be taken."""
    (found,) = (each for each in regions(GAME, position.view(0), GameMessages(GAME, "en")) if each.id == "row")
    return "".join(drawing.markup for drawing in found.drawings)


@pytest.mark.parametrize("seats", [1, 2])
def test_each_card_of_the_row_is_a_drawing_of_its_own(seats: int) -> None:
    position = GAME.new(seats, seed=1)
    (found,) = (each for each in regions(GAME, position.view(0), GameMessages(GAME, "en")) if each.id == "row")
    cards = [GAME.components.cards[number].id for number in position.state.row]
    assert [drawing.id for drawing in found.drawings] == [f"row-of-{card}" for card in cards]
    for card, drawing in zip(cards, found.drawings, strict=True):
        assert re.findall(r' id="([^"]+)"', drawing.markup) == [f"row-{card}"]


def ended(seats: int, seed: int = 1) -> Position:
    rng = Random(seed)
    position = GAME.new(seats, seed=seed)
    while not position.over:
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    return position


@pytest.mark.parametrize(("supply", "label"), [(8, "get 1"), (9, "free")])
def test_the_right_card_brings_a_coconut_only_while_the_hut_has_one(supply: int, label: str) -> None:
    table = at(solo(), supply=[supply], hut=9 - supply).play("reveal_card island_01", "reveal_card island_02")
    drawn = row(table.position)
    assert "pay 1" in drawn
    assert label in drawn
    assert ("get" in drawn) == (label == "get 1")


def test_the_card_that_is_left_for_tahuma_has_no_price() -> None:
    table = at(solo(), supply=[6], hut=3).play("reveal_card island_01", "reveal_card island_02")
    assert "pay 1" in row(table.position)
    table.play("p0 take_side right")
    assert "pay 1" in row(table.position)  # the other side can still be taken
    table.play(f"p0 {first_placement(table, 0)}")
    assert table.position.decision(0).prompt == "other"
    assert "pay" not in row(table.position)


@pytest.mark.parametrize("seats", [1, 2])
def test_after_the_end_no_stack_is_announced(seats: int) -> None:
    position = GAME.new(seats, seed=1)
    position.apply(position.legal_choices(position.to_move[0])[0], position.to_move[0])
    assert "A" in facts(position)["round"].help
    assert facts(ended(seats))["round"].help == ""


def test_tahumas_pile_lies_open_at_the_end() -> None:
    position = ended(1)
    found = {region.id: region for region in regions(GAME, position.view(0), GameMessages(GAME, "en"))}
    cards = [GAME.components.cards[number].id for number in position.state.tahuma_pile[0]]
    assert [drawing.id for drawing in found["pile"].drawings] == [f"pile-of-{card}" for card in cards]
    assert "pile" not in {region.id for region in regions(GAME, ended(2).view(0), GameMessages(GAME, "en"))}


def test_alone_what_tahuma_has_stands_beside_ones_own_and_ones_coconuts_in_the_dock() -> None:
    position = at(solo(), supply=[6], hut=3).position
    found = {region.id: region for region in regions(GAME, position.view(0), GameMessages(GAME, "en"))}
    tahuma = {fact.id: fact.number for fact in found["tahuma"].facts}
    assert (found["tahuma"].role, found["tahuma"].seat) == ("seat", 0)
    assert tahuma == {"hut": 3, "pile": len(position.state.tahuma_pile[0]), "tahuma-points": 28}
    own = {fact.id: fact.number for fact in found["harmony"].facts}
    assert own["own-coconuts"] == 6
    assert "tahuma" not in {region.id for region in regions(GAME, ended(2).view(0), GameMessages(GAME, "en"))}


@pytest.mark.parametrize("number", range(len(GAME.components.cards)))
def test_coconuts_lie_where_they_hide_no_symbol(number: int) -> None:
    card = GAME.components.cards[number]
    position = GAME.new(2, seed=1)
    slot = position.state.row.index(number) if number in position.state.row else 0
    position.state.row[slot] = number
    position.state.row_coconuts[slot] = 2
    row = next(each for each in regions(GAME, position.view(0), GameMessages(GAME, "en")) if each.id == "row")
    markup = next(each.markup for each in row.drawings if each.id == f"row-of-{card.id}")
    found = re.search(r'class="won" cx="([\d.]+)" cy="([\d.]+)" r="15"', markup)
    assert found
    left, top = float(found[1]) - 7.5, float(found[2]) - 8
    middles = [((x + 1) * 18, (y + 1) * 18) for x, y, _ in card.faces[0].symbols]
    assert all(max(abs(left - x), abs(top - y)) >= 36 for x, y in middles)
    assert 15 <= left <= 93
    assert 15 <= top <= 93
