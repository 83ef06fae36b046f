"""The printed matter: what is refused, and that the numbers of the rulebook are there."""

import copy
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.atlandice import GAME, effects

Path_ = tuple[str | int, ...]


def changed(path: Path_, value: Any) -> dict[str, Any]:
    data: Any = copy.deepcopy(dict(GAME.data))
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return dict(data)


def test_numbers_of_the_rulebook() -> None:
    box = GAME.box
    assert box.resources == (12,) * 5
    assert len(box.tiles) == 15
    assert [box.allotment[seats].dice for seats in (2, 3, 4)] == [7, 7, 9]
    assert [box.allotment[seats].stock for seats in (2, 3, 4)] == [7, 7, 9]
    assert [box.allotment[seats].picks for seats in (2, 3, 4)] == [3, 2, 2]
    assert [box.allotment[seats].neutral for seats in (2, 3, 4)] == [True, False, False]
    assert (box.market, box.refill) == (3, 3)
    assert (box.tile_points, box.first, box.second, box.final_first, box.final_second) == (3, 3, 1, 3, 1)
    assert (box.inventory, box.donation_cost, box.donation_points) == (1, 2, 1)
    assert len(box.spaces) == 24


def test_engineering_works_have_one_two_and_three_hands() -> None:
    box = GAME.box
    works = [index for index, tile in enumerate(box.tiles) if tile.startswith("engineering_works")]
    assert [box.hands[index] for index in works] == [1, 2, 3]
    assert {box.effects[index] for index in works} == {(effects.MoveSubmarine(),)}


def test_each_resource_has_an_inventory_in_each_half_of_the_clock() -> None:
    for half in (GAME.box.spaces[:12], GAME.box.spaces[12:]):
        assert all(half.count(kind) == 1 for kind in range(5))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("district_tiles", 3, "effect", 0, "verb"), "dance", r"'library_1'.*'dance' is unknown; allowed: roll, gain"),
        (("district_tiles", 3, "effect", 0, "then", 0, "verb"), 7, "'library_1'.*verb 7 is unknown"),
        (("district_tiles", 3, "effect", 0, "then", 0, "from"), "moon", "'library_1'.*'moon' isn't allowed; allowed"),
        (("district_tiles", 3, "effect", 0, "then", 0, "form"), "here", "'library_1'.*needed: .'from'"),
        (("district_tiles", 3, "effect", 0, "on"), [0], "'library_1'.*faces from 1 to 6"),
        (("district_tiles", 3, "effect", 0, "on"), [5, 5], "'library_1'.*faces from 1 to 6"),
        (("district_tiles", 3, "effect", 0, "on"), ["5"], "'library_1'.*faces from 1 to 6"),
        (("district_tiles", 3, "effect"), [], "'library_1'.*one or more steps"),
        (("district_tiles", 6, "effect", 0, "then", 0, "steps"), 0, "'inn_1'.*whole number from 1"),
        (("district_tiles", 1, "effect", 0, "b"), "black_market", "'jewelers_2'.*allowed: other_district"),
        (("district_tiles", 1, "text"), {}, "'jewelers_2'.*unknown field `text`"),
        (("district_tiles", 1, "id"), "jewelers_1", "'jewelers_1': stands twice"),
        (("district_tiles", 1, "area"), "black_market", "'jewelers_2'.*no district"),
        (("district_tiles", 1, "area"), "library", "2 tiles of 'jewelers'"),
        (("district_tiles", 1, "vp"), 4, "'jewelers_2': vp 4; allowed: 3"),
        (("district_tiles", 1, "hands"), 0, "'jewelers_2': hands 0"),
        (("district_tiles",), None, r"\[\[district_tiles\]\] is missing"),
        (("resources", 0, "count"), 9, "district_resources 7.*'gem'"),
        (("resources", 0, "count"), 20, "'gem': count 20"),
        (("resources", 0, "home"), "inn", "'gem': home 'inn'; allowed: jewelers"),
        (("resources", 0, "id"), "pearl", "'pearl' is unknown; allowed: gem"),
        (("resources", 0, "id"), "book", "'book' stands twice"),
        (("resources", 0), None, "'gem' is missing"),
        (("resources", 0, "name"), {"en": "Gem"}, "'gem'.*`de`"),
        (("areas", 0, "die_face"), 2, "'jewelers': die_face 2; allowed: 1"),
        (("areas", 0, "kind"), "market", "'jewelers': it must be a district"),
        (("areas", 0, "tiles"), 4, "'jewelers': tiles 4; allowed: 3"),
        (("areas", 0, "resource"), "book", "'jewelers': resource 'book'; allowed: gem"),
        (("areas", 5, "hands"), None, "'black_market': it must be a market"),
        (("areas", 5, "hands"), 0, "'black_market': hands 0"),
        (("submarine", "start_area"), "harbour", "start_area 'harbour' is unknown"),
        (("clock", "end"), 22, "allowed: 0 and 23"),
        (("clock", "spaces"), 1, "spaces 1"),
        (("clock_spaces", 3, "index"), 4, "indices must be 0 to 23"),
        (("clock_spaces", 3, "resource"), "pearl", "3: resource 'pearl' is unknown"),
        (("clock_spaces", 4, "resource"), "gem", "4: kind 'donation' has no resource"),
        (("clock_spaces", 4, "kind"), "start", "4: kind 'start'; 'start' is the first"),
        (("clock_spaces", 23, "kind"), "blank", "23: kind 'blank'; 'wave' is the last"),
        (("clock_spaces", 4, "kind"), "party", "4: Invalid enum value 'party'"),
        (("dice", "count"), 8, r"players_4\] dice 9: allowed are 1 to 8"),
        (("dice", "faces"), [1, 2, 3], r"\[dice\] faces"),
        (("victory_points", "donation_cost"), 0, "donation_cost 0"),
        (("victory_points", "inventory"), -1, "inventory -1"),
        (("setup", "players_3", "dice"), 8, "one die must stay"),
        (("setup", "players_3", "neutral_player"), True, "neutral_player must be false"),
        (("setup", "players_2", "dice_per_player"), 1, "dice_per_player 1"),
        (("setup", "players_2", "district_resources"), 0, "district_resources 0"),
        (("setup",), None, r"\[setup\] is missing"),
        (("weather",), {}, r"\[weather\] is unknown"),
        (("game", "id"), "atacama", r"\[game\].*atacama"),
    ],
)
def test_wrong_components_are_refused_by_name(path: Path_, value: Any, message: str) -> None:
    with pytest.raises(ComponentError, match=message):
        type(GAME)(changed(path, value))


def test_an_effect_must_be_a_list_of_steps() -> None:
    with pytest.raises(ComponentError, match="one or more steps"):
        effects.read_effect("tile", {"verb": "set_die"})
    with pytest.raises(ComponentError, match="verb None is unknown"):
        effects.read_effect("tile", ["set_die"])


def test_other_components_are_another_game(tmp_path: Path) -> None:
    source = files(GAME.package).joinpath("components.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(source.replace("inventory = 1", "inventory = 2"), "utf-8")
    assert GAME.with_components(path).box.inventory == 2
