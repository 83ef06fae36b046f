"""Contents of the table's picture."""

import html
import re

import pytest

from atoll.engine import Game
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.atlandice import GAME
from atoll.games.atlandice.kinds import AREA, RESOURCE
from atoll.games.atlandice.picture import SCENE, regions
from atoll.picture import Region
from atoll.picture.elements import elements
from atoll.picture.svg_macros import text_width

from .tables import stand

KINDS = RESOURCE.names


def drawn(table: ScriptedGame, game: Game = GAME) -> dict[str, Region]:
    """The regions of seat 0's picture."""
    return {region.id: region for region in regions(game, table.position.view(0), GameMessages(game, "en"))}


def areas(table: ScriptedGame) -> str:
    """The areas in seat 0's picture."""
    shown = drawn(table)
    return "".join(shown[name].drawings[0].markup for name in AREA.names)


def test_an_open_stack_names_the_tiles_that_are_still_below() -> None:
    city = html.unescape(areas(stand(4)))
    words = GameMessages(GAME, "en")
    table = stand(4)
    for below in table.state.below:
        names = ", ".join(words.name("tile", tile) for tile in below)
        assert f"Below it, in unknown order: {names}." in city
    assert "Below it" not in areas(stand(4, last=AREA.names[:-1]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_left_in_the_box_is_told(seats: int) -> None:
    table = stand(seats, "1 2 6")
    shown = {each.id: each.number for each in elements(drawn(table).values()).values() if each.id.startswith("out-")}
    assert shown == {f"out-{KINDS[kind]}": count for kind, count in enumerate(table.state.out) if count}
    assert bool(shown) == (seats < 4)


def test_the_city_consists_of_the_clock_and_its_areas() -> None:
    table = stand(3, "1 2 6", submarine="inn")
    found = elements(each for each in drawn(table).values() if SCENE.tabs_of(each.id) == "city")
    assert {each.region for each in found.values()} == {"clock", *AREA.names}
    for name in AREA.names:
        assert found[f"area-{name}"].region == name
    assert found["submarine"].region == "inn"
    assert found["clock-hand"].region == found["round"].region == "clock"
    wide, tall = SCENE.wide[""].rects, SCENE.tabs[0].layout.rects
    assert {each.region for each in found.values()} == set(tall) <= set(wide)


def test_each_area_has_a_card_of_its_own_among_the_effects() -> None:
    shown = drawn(stand(3))["tiles"]
    assert [each.id for each in shown.drawings] == [f"effect-{name}" for name in AREA.names]
    assert [each.region for each in elements([shown]).values()] == ["tiles"] * len(AREA.names)


def test_the_neutral_players_barge_carries_what_it_has() -> None:
    table = stand(2, "1 2 6")
    table.state.holds[2] = [0, 3, 1, 0, 2]
    table.state.won[2] = [1, 7]
    shown = {each.id: each.number for each in elements(drawn(table).values()).values()}
    assert [shown[f"hold-2-{kind}"] for kind in KINDS] == [0, 3, 1, 0, 2]
    assert (shown["won-2"], shown["score-2"]) == (2, table.position.view(0)["live"]["scores"][2])
    assert "barge" not in elements(drawn(stand(3, "1 2 6")).values())


def test_the_sky_says_the_round_and_who_begins_it() -> None:
    table = stand(3, "1 2 6")
    clock = elements([drawn(table)["clock"]])
    assert clock["round"].number == table.state.round
    assert clock["start-player"].name.endswith(GameMessages(GAME, "en").seat(table.state.start_player))


def test_where_a_die_may_be_handed_over_each_element_stands_for_one_search() -> None:
    table = stand(2, "1 4 4 6 6")
    markup = areas(table)
    texts = [table.position.text(choice) for choice in table.position.legal_choices(0)]
    assert {text.split()[0] for text in texts} == {"search", "search_neutral"}
    bound = [html.unescape(each).split("; ") for each in re.findall(r'data-choice="([^"]*)"', markup)]
    for text in texts:
        assert any(text in patterns for patterns in bound), text
    assert all(len(set(patterns) & set(texts)) < 2 for patterns in bound)


def test_pawns_stand_only_where_there_is_a_choice_of_whom_to_search_for() -> None:
    for table in (stand(2, "1 4 4 6 6", handed=[0]), stand(4)):
        assert 'id="pawn-' not in areas(table)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_holder_has_a_head_over_its_column(seats: int) -> None:
    """With its mark, and as much of its name as fits; the neutral player's is a pawn."""
    names = ["Maximiliane von Wolkenstein", "Bo", "Wilhelmina Montgomery", "Al"][:seats]
    view = stand(seats).position.view(0)
    shown = regions(GAME, view, GameMessages(GAME, "en", names))
    region = next(each for each in shown if each.id in ("majorities", "majorities-wide"))
    drawing = region.drawings[0]
    holders = [*names, *(["Neutral player"] if seats == 2 else [])]
    heads = {each.id: each.name for each in elements([region]).values() if each.id.startswith("holder-")}
    assert heads == {f"holder-{number}": name for number, name in enumerate(holders)}
    said = re.findall(r'<text x="([0-9.]+)" y="43">([^<]+)</text>', drawing.markup)
    middles, texts = [float(x) for x, _ in said], [html.unescape(text) for _, text in said]
    assert len(said) == len(holders) + 1
    column = (drawing.width - 100) / len(holders)
    assert middles[:-1] == pytest.approx([44 + column * (number + 0.5) for number in range(len(holders))], abs=0.01)
    for name, text in zip([*names, *(["Neutral"] if seats == 2 else [])], texts, strict=False):
        assert text == name or (text.endswith("…") and name.startswith(text[:-1].rstrip()))
        assert text_width(text, 20.2 * 0.85) <= column
    assert texts[0].endswith("…") and texts[1] == "Bo"
    marks = set(re.findall(r'class="(seat-[0-9]|figure)"', drawing.markup))
    assert marks == {f"seat-{seat}" for seat in range(seats)} | ({"figure"} if seats == 2 else set())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_phone_has_all_numbers_in_one_table_where_no_barge_needs_the_room(seats: int) -> None:
    table = stand(seats)
    table.state.holds[1][2] = 4
    shown = drawn(table)
    at_once = {id for id in shown if SCENE.tabs_of(id) == "majorities"}
    assert at_once == ({"majorities", "harbour"} if seats == 2 else {"standings"})
    if seats == 2:
        return
    wide, tall = elements([shown["majorities-wide"]]), elements([shown["standings"]])
    for kind in KINDS:
        assert tall[f"standing-{kind}"].name == wide[f"majority-{kind}"].name
    said = [wide[f"majority-{kind}"].name for kind in KINDS]
    assert any(name.count(" 4") for name in said)
    scores = table.position.view(0)["live"]["scores"]
    names = [GameMessages(GAME, "en").seat(seat) for seat in range(seats)]
    assert tall["standing-score"].name == "Points if it ended now: " + ", ".join(
        f"{name} {score}" for name, score in zip(names, scores, strict=True)
    )
    out = any(table.state.out)
    assert shown["standings"].drawings[0].markup.count(">out<") == out
    assert ("wrecks" in shown) == out
    assert f"Out: Gems: {table.state.out[0]}." in shown["standings"].drawings[0].markup or not out


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_legend_of_the_table_of_a_phone_fits(language: str) -> None:
    assert text_width(GameMessages(GAME, language).say("table.stakes.legend"), 17) <= 356 - 16
