"""Preparing the table: AL-2."""

import pytest

import atoll
from atoll.engine import OptionError
from atoll.engine.scripted_game import ScriptedGame

from .tables import AREAS, TILES, at

OPENED = ("open jewelers_1", "open library_2", "open inn_3", "open engineering_works_2", "open blacksmith_1")


@pytest.mark.parametrize(("seats", "each", "out"), [(2, 7, 2), (3, 7, 2), (4, 9, 0)])
def test_resources(seats: int, each: int, out: int) -> None:
    """Rule AL-2.1."""
    table = ScriptedGame("atlandice", seats)
    homes = ("gem", "book", "provision", "tool", "weapon")
    assert [at(table, area) for area in AREAS[:5]] == [{kind: each} for kind in homes]
    assert at(table, "black_market") == dict.fromkeys(homes, 3)
    assert table.state.out == [out] * 5


@pytest.mark.parametrize(("seats", "holders"), [(2, 3), (3, 3), (4, 4)])
def test_all_begin_with_nothing(seats: int, holders: int) -> None:
    """Rule AL-2.2."""
    table = ScriptedGame("atlandice", seats)
    assert table.state.holds == [[0] * 5] * holders
    assert table.position.scores() == [0] * seats


def test_submarine_begins_beside_the_engineering_works() -> None:
    """Rule AL-2.2."""
    assert AREAS[ScriptedGame("atlandice").state.submarine] == "engineering_works"


def test_start_player_is_drawn() -> None:
    """Rule AL-2.2, ruling R3."""
    table = ScriptedGame("atlandice", 3)
    assert [table.game.text(each) for each in table.position.outcomes()] == ["start 0", "start 1", "start 2"]
    assert table.play("start 2", *OPENED).state.start_player == 2


def test_start_player_can_be_chosen() -> None:
    """Rule AL-1.4."""
    table = ScriptedGame("atlandice", 4, {"start_player": "seat_3"}).play(*OPENED)
    assert table.state.start_player == 2


def test_start_player_must_exist() -> None:
    """Rule AL-1.4."""
    with pytest.raises(OptionError, match="seat_3"):
        atoll.games["atlandice"].new(2, {"start_player": "seat_3"})


def test_only_the_top_tile_is_known() -> None:
    """Rule AL-2.2, ruling R5."""
    table = ScriptedGame("atlandice", 3, {"start_player": "seat_1"})
    assert [table.game.text(each) for each in table.position.outcomes()] == [f"open jewelers_{n}" for n in (1, 2, 3)]
    table.play(*OPENED)
    assert [TILES[tile] for tile in table.state.open_tile] == [text.split()[1] for text in OPENED]
    assert [[TILES[tile] for tile in tiles] for tiles in table.state.below] == [
        ["jewelers_2", "jewelers_3"],
        ["library_1", "library_3"],
        ["inn_1", "inn_2"],
        ["engineering_works_1", "engineering_works_3"],
        ["blacksmith_2", "blacksmith_3"],
    ]


@pytest.mark.parametrize(("seats", "dice"), [(2, 7), (3, 7), (4, 9)])
def test_dice_in_use(seats: int, dice: int) -> None:
    """Rule AL-2.1."""
    table = ScriptedGame("atlandice", seats, {"start_player": "seat_2"}).play(*OPENED)
    for _ in range(dice):
        assert table.position.to_move == ()
        table.play("die 6")
    assert table.events("gates") == [{"round": 1, "pips": [5] * dice}]
    assert table.position.to_move == (1,)
