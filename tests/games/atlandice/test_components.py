"""The components: invalid data is refused, and the numbers of the rulebook are present."""

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
    """Rules AL-1.1 and AL-2.1."""
    components = GAME.components
    assert components.resources == (12,) * 5
    assert len(components.tiles) == 15
    assert [components.allotment[seats].dice for seats in (2, 3, 4)] == [7, 7, 9]
    assert [components.allotment[seats].stock for seats in (2, 3, 4)] == [7, 7, 9]
    assert [components.allotment[seats].picks for seats in (2, 3, 4)] == [3, 2, 2]
    assert [components.allotment[seats].neutral for seats in (2, 3, 4)] == [True, False, False]
    assert (components.market, components.refill) == (3, 3)
    assert (
        components.tile_points,
        components.first,
        components.second,
        components.final_first,
        components.final_second,
    ) == (3, 3, 1, 3, 1)
    assert (components.inventory, components.donation_cost, components.donation_points) == (1, 2, 1)
    assert len(components.spaces) == 24


def test_engineering_works_have_one_two_and_three_hands() -> None:
    """Rule AL-1.2, ruling R4."""
    components = GAME.components
    works = [index for index, tile in enumerate(components.tiles) if tile.startswith("engineering_works")]
    assert [components.hands[index] for index in works] == [1, 2, 3]
    assert {components.effects[index] for index in works} == {(effects.MoveSubmarine(),)}


def test_each_resource_has_an_inventory_in_each_half_of_the_clock() -> None:
    """Rule AL-1.3, ruling R1."""
    for half in (GAME.components.spaces[:12], GAME.components.spaces[12:]):
        assert all(half.count(kind) == 1 for kind in range(5))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("district_tiles", 3, "effect", 0, "verb"),
            "dance",
            "[district_tiles] library_1: effect[0].verb is 'dance'; allowed: roll, gain, move, swap, ",
        ),
        (("district_tiles", 3, "effect", 0, "then", 0, "verb"), 7, "library_1: effect[0].then[0].verb is 7; allowed: "),
        (
            ("district_tiles", 3, "effect", 0, "then", 0, "from"),
            "moon",
            "library_1: effect[0].then[0].from is 'moon'; allowed: black_market, here, other_district",
        ),
        (("district_tiles", 3, "effect", 0, "then", 0, "form"), "here", "then[0].form is unknown; allowed: verb, from"),
        (("district_tiles", 3, "effect", 0, "then", 0, "verb"), None, "effect[0].then[0].verb is missing; allowed: "),
        (("district_tiles", 3, "effect", 0, "on"), [0], "effect[0].on[0] is 0; allowed: a whole number from 1 to 6"),
        (("district_tiles", 3, "effect", 0, "on"), [5, 5], "library_1: on is [5, 5]; allowed: different faces"),
        (("district_tiles", 3, "effect", 0, "on"), [], "library_1: effect[0].on is []; allowed: a list of at least 1"),
        (
            ("district_tiles", 3, "effect"),
            [],
            "library_1: effect is []; allowed: a list of 1 to 3, each item a table with verb = roll, ",
        ),
        (
            ("district_tiles", 3, "effect"),
            {"verb": "set_die"},
            "library_1: effect is {'verb': 'set_die'}; allowed: a list",
        ),
        (("district_tiles", 3, "effect"), ["set_die"], "library_1: effect[0] is 'set_die'; allowed: a table"),
        (("district_tiles", 6, "effect", 0, "then", 0, "steps"), 0, "inn_1: effect[0].then[0].steps is 0; allowed: "),
        (
            ("district_tiles", 1, "effect", 0, "b"),
            "black_market",
            "effect[0].b is 'black_market'; allowed: other_district",
        ),
        (("district_tiles", 1, "text"), {}, "jewelers_2: text is unknown"),
        (("district_tiles", 1, "id"), "jewelers_1", "jewelers_1: duplicate id"),
        (
            ("district_tiles", 1, "area"),
            "black_market",
            "area is 'black_market'; allowed: jewelers, library",
        ),
        (("district_tiles", 1, "area"), "library", "2 tiles with area 'jewelers'; allowed: 3"),
        (("district_tiles", 1, "vp"), 4, "jewelers_2: vp is 4; allowed: 3, as in victory_points"),
        (("district_tiles", 1, "hands"), 0, "jewelers_2: hands is 0"),
        (("district_tiles",), None, "[district_tiles]: it is missing"),
        (
            ("resources", 0, "count"),
            9,
            "[setup.players_2]: district_resources is 7; allowed: up to 6, as ",
        ),
        (("resources", 0, "count"), 20, "gem: count is 20; allowed: "),
        (("resources", 0, "home"), "inn", "[resources] gem: home is 'inn'; allowed: jewelers"),
        (("resources", 0, "id"), "pearl", "pearl: the id is unknown; allowed: gem"),
        (("resources", 0, "id"), "book", "book: duplicate id"),
        (("resources", 0), None, "gem: it is missing"),
        (("resources", 0, "name"), {"de": "Juwel"}, "gem: name.en is missing"),
        (("areas", 0, "die_face"), 2, "jewelers: die_face is 2; allowed: 1"),
        (("areas", 0, "kind"), "market", "jewelers: resource is unknown"),
        (("areas", 0, "kind"), "lake", "jewelers: kind is 'lake'; allowed: district, market"),
        (("areas", 0, "tiles"), 4, "jewelers: tiles is 4; allowed: 3"),
        (("areas", 0, "resource"), "book", "jewelers: resource is 'book'; allowed: gem"),
        (("areas", 5, "hands"), None, "black_market: hands is missing"),
        (("areas", 5, "hands"), 0, "black_market: hands is 0"),
        (("submarine", "start_area"), "harbour", "[submarine]: start_area is 'harbour'; allowed: jewelers, "),
        (("clock", "end"), 22, "end is 22; allowed: 23"),
        (("clock", "spaces"), 1, "spaces is 1"),
        (("clock_spaces", 3, "index"), 4, "the indices aren't consecutive; allowed: 0 to 23, in order"),
        (("clock_spaces", 3, "resource"), "pearl", "index = 3: resource is 'pearl'; allowed: gem"),
        (("clock_spaces", 3, "resource"), None, "index = 3: resource is ''; allowed: gem"),
        (("clock_spaces", 4, "resource"), "gem", "index = 4: resource is 'gem'; allowed: no resource"),
        (("clock_spaces", 4, "kind"), "start", "index = 4: kind is 'start'; allowed: start first, wave last"),
        (("clock_spaces", 23, "kind"), "blank", "index = 23: kind is 'blank'; allowed: start first, wave last"),
        (("clock_spaces", 4, "kind"), "party", "number 5: kind is 'party'; allowed: blank, donation"),
        (("dice", "count"), 8, "[setup.players_4]: dice is 9; allowed: up to 8, as in dice"),
        (("dice", "faces"), [1, 2, 3], "[dice]: faces is [1, 2, 3]; allowed: a list of 6, in order 1; 2; "),
        (("victory_points", "donation_cost"), 0, "donation_cost is 0"),
        (("victory_points", "inventory"), -1, "inventory is -1"),
        (("setup", "players_3", "dice"), 8, "dice is 8; allowed: 7, so that one die is left"),
        (("setup", "players_3", "neutral_player"), True, "neutral_player is True; allowed: false"),
        (("setup", "players_2", "dice_per_player"), 1, "dice_per_player is 1; allowed: at least 2"),
        (("setup", "players_2", "district_resources"), 0, "[setup]: players_2.district_resources is 0"),
        (("setup",), None, "[setup]: it is missing"),
        (("weather",), {}, "[weather]: it is unknown"),
        (("game", "id"), "atacama", "[game]: id is 'atacama'; allowed: atlandice"),
    ],
)
def test_wrong_components_are_refused_by_name(path: Path_, value: Any, message: str) -> None:
    with pytest.raises(ComponentError) as caught:
        type(GAME)(changed(path, value))
    assert message in str(caught.value)


def test_a_clock_too_long_for_its_dice_is_refused() -> None:
    data = changed(("clock",), {"spaces": 60, "start": 0, "end": 59})
    blank = [{"index": index, "kind": "blank"} for index in range(23, 59)]
    data["clock_spaces"] = [*data["clock_spaces"][:23], *blank, {"index": 59, "kind": "wave"}]
    with pytest.raises(ComponentError, match="spaces is 60: 531 dice in all rounds; allowed: up to 210"):
        type(GAME)(data)


def test_other_components_are_another_game(tmp_path: Path) -> None:
    source = files(GAME.package).joinpath("components.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(source.replace("inventory = 1", "inventory = 2"), "utf-8")
    assert GAME.with_components(path).components.inventory == 2
