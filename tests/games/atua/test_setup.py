"""The setup (AU-2.1): villages, row, stacks, residents, fates, start player; options (AU-1.2)."""

import pytest

import atoll
from atoll.engine import OptionError
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.atua.state import TURN

from .tables import BOX, begin, island, names, solo

GAME = atoll.games["atua"]


@pytest.mark.parametrize(
    ("seats", "stacks", "unused"),
    [(2, [8, 6, 4], 36), (3, [12, 9, 6], 27), (4, [16, 12, 8], 18), (5, [20, 15, 10], 9), (6, [24, 18, 12], 0)],
)
def test_e1_stacks(seats: int, stacks: list[int], unused: int) -> None:
    """Rule AU-2.1."""
    state = GAME.new(seats, seed=1).state
    assert state.stacks == stacks
    assert len(state.deck) - sum(state.stacks) == unused
    assert len(state.row) == 4


def test_e1_fates_are_one_more_than_players() -> None:
    """Rule AU-2.1."""
    for seats in range(2, 7):
        assert len(GAME.new(seats, seed=1).state.fate_row) == seats + 1


def test_villages_start_the_islands() -> None:
    """Rule AU-2.1."""
    table = begin(3, villages="2 5 1")
    assert table.state.placed == [island("2"), island("5"), island("1")]
    assert [each.placed for each in table.state.islands] == table.state.placed
    assert len(table.state.village_pool) == 3


def test_row_is_dealt_from_left_to_right_without_coconuts() -> None:
    """Rule AU-2.1."""
    table = begin(row="33 01 58 07")
    assert names(table, "row") == ["33", "01", "58", "07"]
    assert table.state.row_coconuts == [0, 0, 0, 0]


def test_everyone_has_five_coconuts_and_no_points() -> None:
    """Rule AU-2.1."""
    table = begin(4)
    assert table.state.supply == [5, 5, 5, 5]
    assert table.state.sheet == [[-1] * 6] * 4
    assert table.state.hut == 0


def test_residents_are_dealt_in_secret() -> None:
    """Rule AU-2.1."""
    table = begin(residents="taraho akroa")
    assert table.state.residents == [5, 0]
    assert table.position.view(0)["state"]["residents"] == [5, None]
    assert table.position.view(None)["state"]["residents"] == [None, None]
    assert table.position.view(1)["state"]["resident_pool"] == {"count": 4}
    assert table.position.view_record(1)[-2:] == [[-1, None], [-1, GAME.parse("deal_resident akroa")]]


def test_first_game_has_neither_residents_nor_fates() -> None:
    """Rule AU-1.2."""
    table = begin(3)
    assert table.state.residents == [-1] * 3
    assert table.state.fate_row == []
    assert table.state.phase == TURN


def test_a_first_game_is_recommended_without_residents_and_fates() -> None:
    """Rule AU-1.2."""
    first = {option.id: option.first_game_value for option in GAME.options if option.first_game_value is not None}
    assert first == {"residents": False, "fates": False}


def test_start_player_is_drawn_or_the_first_seat() -> None:
    """R59. Rule AU-2.1."""
    assert begin(3).position.to_move == (0,)
    drawn = begin(3, start_player="random")
    assert [GAME.text(choice) for choice in drawn.position.outcomes()] == ["start 0", "start 1", "start 2"]
    assert drawn.play("start 2").position.to_move == (2,)


def test_solo_setup() -> None:
    """Rule AU-7.1."""
    table = solo()
    assert (table.state.supply, table.state.hut, table.state.stacks) == ([6], 3, [16, 12, 8])
    assert (table.state.row, table.state.fate_row, table.state.residents) == ([], [], [-1])
    assert len(table.state.deck) == 58
    assert table.state.placed == [island("1")]


def test_solo_has_neither_residents_nor_fates_whatever_is_chosen() -> None:
    """Rules AU-1.2 and AU-7.1."""
    assert GAME.resolve_options({"residents": True, "fates": True}, 1) == {
        "residents": False,
        "fates": False,
        "solo_difficulty": "medium",
        "start_player": "random",
        "volcano_ruler": "finite",
    }
    assert len(GAME.option_sets(1)) == 8
    assert len(GAME.option_sets(4)) == 16
    assert GAME.resolve_options({"solo_difficulty": "hard"}, 3)["solo_difficulty"] == "medium"


def test_options_are_what_the_components_offer() -> None:
    """Rule AU-1.2."""
    assert GAME.seat_counts == (1, 2, 3, 4, 5, 6)
    assert {option.id: option.default for option in GAME.options} == {
        "residents": True,
        "fates": True,
        "solo_difficulty": "medium",
        "start_player": "random",
        "volcano_ruler": "finite",
    }
    with pytest.raises(OptionError, match="easy, medium, hard, legendary"):
        GAME.new(1, {"solo_difficulty": "brutal"})
    with pytest.raises(OptionError, match="true, false"):
        GAME.new(2, {"fates": "yes"})


def test_nothing_is_random_but_what_is_drawn() -> None:
    """Start player, villages, island cards, residents, fates: the rest is up to the players. Rule AU-2.1."""
    kinds = {kind.name for kind in GAME.vocabulary.kinds if kind.is_chance}
    assert kinds == {"start", "deal_village", "reveal_card", "deal_resident", "reveal_fate"}


def test_components_are_named_for_people() -> None:
    assert GAME.title("de") == "Atua"
    assert GAME.titles(BOX, "en")["card"][32] == "Long Sands"
    assert GAME.titles(BOX, "de")["village"][0] == "Vaitea"


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (
            "place 4 1 1",
            "Place it: from the village 4 right, 1 down, turned right",
            "Anlegen: vom Dorf aus 4 rechts, 1 tiefer, nach rechts gedreht",
        ),
        (
            "place -1 -2 0",
            "Place it: from the village 1 left, 2 up, not turned",
            "Anlegen: vom Dorf aus 1 links, 2 höher, nicht gedreht",
        ),
        (
            "place 0 0 2",
            "Place it: from the village straight, level, upside down",
            "Anlegen: vom Dorf aus mittig, gleich hoch, auf dem Kopf",
        ),
    ],
)
def test_where_a_card_is_placed_is_told_from_the_village(text: str, english: str, german: str) -> None:
    choice = GAME.parse(text)
    assert [GameMessages(GAME, language).choice(choice) for language in ("en", "de")] == [english, german]


def test_a_table_by_hand_draws_what_is_left() -> None:
    table = ScriptedGame("atua", 2, {"residents": False, "fates": False}).play("deal_village village_4")
    assert [GAME.text(each)[-1] for each in table.position.outcomes()] == list("12356")
