"""Effects of district tiles (AL-4): each verb, and when nothing happens."""

import copy
from collections.abc import Sequence
from typing import Any

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.tile_effects import VERBS

from .tables import AREAS, at, gates, hold, lay_out, stand


def search(tile: str, *more: str, dice: str = "", tiles: Sequence[str] = (), **table: Any) -> ScriptedGame:
    """Seat 2 of four searches the district of a tile as its second die of the round; then play more lines."""
    area = tile.rpartition("_")[0]
    face = AREAS.index(area) + 1
    dice = dice or f"{face} {4 if face == 5 else 5} 6"
    return stand(4, dice, tiles=[tile, *tiles], **table).play(f"p2 search {area}", *more)


@pytest.mark.parametrize(
    ("tile", "faces"),
    [("jewelers_1", {1, 3, 5}), ("library_1", {5, 6}), ("inn_1", {1, 2, 3, 4}), ("blacksmith_1", {2, 4, 6})],
)
def test_roll_acts_on_its_faces_only(tile: str, faces: set[int]) -> None:
    """Rules AL-1.2 and AL-4.2."""
    acting = set()
    for face in range(1, 7):
        table = search(tile, f"die {face}")
        if table.position.to_move == (2,) or table.state.clock:
            acting.add(face)
    assert acting == faces


@pytest.mark.parametrize(("tile", "area"), [("jewelers_1", "jewelers"), ("blacksmith_1", "blacksmith")])
def test_gain_here_takes_any_kind_of_this_area(tile: str, area: str) -> None:
    """Rule AL-4.3."""
    table = search(tile, stock={area: "2 tool 1 book"}).play("p2 take tool", f"die {1 + (tile[0] == 'b')}")
    assert table.options(2) == [f"gain {area} book", f"gain {area} tool", "decline"]
    assert hold(table.play(f"p2 gain {area} book"), 2) == {"tool": 1, "book": 1}
    assert at(table, area) == {"tool": 1}


def test_gain_may_be_declined() -> None:
    """Rule AL-4.3, ruling R9."""
    table = search("jewelers_1", "die 1", "p2 decline")
    assert hold(table, 2) == {"gem": 1}


def test_gain_from_nothing_does_nothing() -> None:
    """Rule AL-4.3."""
    table = search("jewelers_1", "die 1", stock={"jewelers": "1 gem"})
    assert table.events("took") == [{"seat": 2, "resource": 0, "area": 0}]
    assert table.events("gained") == []


def test_gain_other_district_is_neither_here_nor_the_market_nor_used_up() -> None:
    """Rules AL-4.1 and AL-4.3, ruling R15."""
    stock = {"black_market": "3 gem", "inn": "1 provision 1 gem"}
    table = search("library_1", "die 5", stock=stock, used_up=["blacksmith"])
    assert table.options(2) == [
        "gain jewelers gem",
        "gain inn gem",
        "gain inn provision",
        "gain engineering_works tool",
        "decline",
    ]
    assert hold(table.play("p2 gain inn gem"), 2) == {"book": 1, "gem": 1}


def test_gain_black_market() -> None:
    """Rule AL-4.3."""
    table = search("blacksmith_3", "die 6", stock={"black_market": "3 gem 1 tool"})
    assert table.options(2) == ["gain black_market gem", "gain black_market tool", "decline"]
    assert search("blacksmith_3", "die 5", stock={"black_market": "3 gem"}).position.to_move == (3,)


def test_gain_has_no_submarine_extra() -> None:
    """Rule AL-4.3, ruling R10."""
    table = search("library_1", "die 6", "p2 gain inn provision", submarine="inn")
    assert hold(table, 2) == {"book": 1, "provision": 1}
    assert table.position.to_move == (3,)


def test_move_here_to_the_black_market() -> None:
    """Rule AL-4.4."""
    table = search("library_2", stock={"library": "2 book 1 gem"}).play("p2 take book")
    assert table.options(2) == ["move gem black_market", "move book black_market"]
    table.play("p2 move gem black_market")
    assert at(table, "black_market") == {"gem": 1}
    assert at(table, "library") == {"book": 1}


def test_move_black_market_to_another_district() -> None:
    """Rule AL-4.4."""
    table = search("inn_2", stock={"black_market": "1 gem"}, used_up=["library"])
    assert table.options(2) == [f"move gem {area}" for area in ("jewelers", "engineering_works", "blacksmith")]
    assert at(table.play("p2 move gem blacksmith"), "blacksmith") == {"weapon": 9, "gem": 1}


def test_move_black_market_to_any_district_also_here() -> None:
    """Rules AL-4.1 and AL-4.4."""
    table = search("blacksmith_2", stock={"black_market": "1 gem"})
    assert table.options(2) == [f"move gem {area}" for area in AREAS[:5]]


def test_move_is_compulsory_but_nothing_happens_from_an_empty_area() -> None:
    """Rule AL-4.4, ruling R9."""
    assert "decline" not in search("blacksmith_2", stock={"black_market": "1 gem"}).options(2)
    assert search("blacksmith_2").position.to_move == (3,)
    assert search("library_2", stock={"library": "1 book"}, last=["library"]).events("moved") == []


def test_move_without_a_district_left_to_move_to_does_nothing() -> None:
    """Rule AL-4.4."""
    others = ["jewelers", "library", "engineering_works", "blacksmith"]
    assert search("inn_2", stock={"black_market": "1 gem"}, used_up=others).events("moved") == []


def test_swap_any_kinds_also_equal_ones() -> None:
    """Rule AL-4.5."""
    stock = {"jewelers": "2 gem", "library": "1 gem 1 book", "inn": "", "engineering_works": "1 tool", "blacksmith": ""}
    s = lay_out(4, "1 5 6", stock=stock)
    s.stocked[2] = s.stocked[4] = False
    table = ScriptedGame.at(GAME, s).play("p2 search jewelers")
    assert table.options(2) == ["swap gem library gem", "swap gem library book", "swap gem engineering_works tool"]
    table.play("p2 swap gem library gem")
    assert at(table, "jewelers") == {"gem": 1}
    assert at(table, "library") == {"gem": 1, "book": 1}


def test_swap_with_an_empty_side_does_nothing() -> None:
    """Rule AL-4.5."""
    table = search("jewelers_2", "open jewelers_1", stock={"jewelers": "1 gem"})
    assert not table.events("swapped")
    assert search("jewelers_2", used_up=AREAS[1:5]).events("swapped") == []


def test_swap_never_uses_the_black_market() -> None:
    """Rules AL-4.1 and AL-4.5, ruling R15."""
    table = search("jewelers_2", stock={"black_market": "3 tool"})
    assert not any("black_market" in text for text in table.options(2))


def test_advance_clock_has_no_space_effect() -> None:
    """Rule AL-4.6."""
    table = search("inn_1", "die 4", clock=1, holds=["1 gem"])
    assert table.state.clock == 2  # an inventory of gems
    assert not table.events("inventory")


def test_advance_clock_stops_at_the_end() -> None:
    """Rule AL-4.6, ruling R29."""
    assert search("inn_1", "die 4", clock=23).state.clock == 23


def test_set_die_turns_dice_still_beside_areas() -> None:
    """Rule AL-4.7, ruling R16."""
    table = search("inn_3", dice="3 1 6")
    assert table.options(2) == [
        f"set_die {area} {face}" for area in ("jewelers", "black_market") for face in range(1, 7)
    ]
    assert gates(table.play("p2 set_die black_market 5")) == {"jewelers": 1, "blacksmith": 1}


def test_set_die_may_keep_the_face() -> None:
    """Rule AL-4.7."""
    assert gates(search("inn_3", "p2 set_die jewelers 1", dice="3 1 6")) == {"jewelers": 1, "black_market": 1}


def test_set_die_to_a_used_up_district_goes_to_the_black_market() -> None:
    """Rule AL-4.7."""
    table = search("inn_3", "p2 set_die jewelers 2", dice="3 1 1", used_up=["library"])
    assert gates(table) == {"jewelers": 1, "black_market": 1}


def test_set_die_by_the_last_player_chooses_the_clock_hands() -> None:
    """Rules AL-3.6 and AL-4.7, ruling R16."""
    table = stand(4, "3 1", tiles=["inn_3", "blacksmith_3"]).play("p3 search inn")
    table.play("p3 set_die jewelers 5")
    assert table.state.clock == 3


def test_move_submarine_to_any_other_area() -> None:
    """Rule AL-4.8."""
    table = search("engineering_works_2", submarine="inn", used_up=["library"])
    assert table.options(2) == [
        f"move_submarine {area}" for area in ("jewelers", "engineering_works", "blacksmith", "black_market")
    ]


def test_if_second_die_only_for_the_second() -> None:
    """Rule AL-4.10."""
    assert search("library_3").options(2) == ["gain library book", "decline"]
    first = stand(4, "2 2 2 6 6 6 6", tiles=["library_3"]).play("p2 search library")
    assert first.position.to_move == (3,)


def test_reroll_searches_another_district_with_its_effect() -> None:
    """Rule AL-4.9, ruling R12."""
    table = search("jewelers_3", "die 6", "die 2")
    assert hold(table, 2) == {"gem": 1, "book": 1}
    assert at(table, "black_market") == {"book": 1}  # the library moves a book, unasked: there is one kind only
    assert gates(table) == {"blacksmith": 1, "black_market": 1}  # no die lay at the library, none was taken


def test_reroll_needs_a_six() -> None:
    """Rule AL-4.9, ruling R13."""
    assert search("jewelers_3", "die 5").position.to_move == (3,)


def test_reroll_has_the_submarine_extra_there() -> None:
    """Rules AL-3.5 and AL-4.9, ruling R10."""
    table = search("jewelers_3", "die 6", "die 4", submarine="engineering_works")
    assert table.options(2) == ["take_extra tool", "decline"]
    table.play("p2 take_extra tool")
    assert hold(table, 2) == {"gem": 1, "tool": 2}
    assert table.options(2)[0] == "move_submarine jewelers"


def test_reroll_chains_without_end() -> None:
    """Rule AL-4.9, ruling R11."""
    table = search("jewelers_3", *["die 6", "die 1"] * 5, "die 3")
    assert hold(table, 2) == {"gem": 6}
    assert table.position.to_move == (3,)


def test_reroll_of_a_used_up_district_searches_the_black_market() -> None:
    """Rule AL-4.9."""
    table = search(
        "jewelers_3", "die 6", "die 2", stock={"black_market": "2 tool"}, used_up=["library"], submarine="inn"
    )
    assert hold(table, 2) == {"gem": 1, "tool": 1}


def test_reroll_inherits_which_die_it_is() -> None:
    """Rules AL-4.9 and AL-4.10, ruling R14."""
    table = search("jewelers_3", "die 6", "die 2", tiles=["library_3"])
    assert table.options(2) == ["gain library book", "decline"]
    first = stand(4, "1 2 2 6 6 6 6", tiles=["jewelers_3", "library_3"]).play("p2 search jewelers", "die 6", "die 2")
    assert hold(first, 2) == {"gem": 1, "book": 1}
    assert first.position.to_move == (3,)


def test_here_is_the_area_searched_last_and_then_the_first_again() -> None:
    """Rules AL-4.1 and AL-4.9."""
    both = [{"verb": "roll", "on": [1], "then": [{"verb": "search_rolled"}, {"verb": "gain", "from": "here"}]}]
    data = copy.deepcopy(dict(GAME.data))
    data["district_tiles"][0]["effect"] = both
    s = lay_out(4, "1 5 6", tiles=["jewelers_1", "blacksmith_1"])
    table = ScriptedGame.at(type(GAME)(data), s).play("p2 search jewelers", "die 1", "die 5", "die 2")
    assert table.options(2) == ["gain blacksmith weapon", "decline"]
    assert table.play("p2 decline").options(2) == ["gain jewelers gem", "decline"]


def test_every_verb_of_the_data_is_carried_out() -> None:
    """Rule AL-4.1."""
    assert VERBS.missing() == []
