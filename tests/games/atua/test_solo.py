"""The solo game (AU-7): two cards a turn, the hut, Tahuma's pile and sheet."""

from random import Random

import pytest

import atoll
from atoll.engine import ScoreLine
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atua import scoring

from .tables import at, e37, first_placement, island, names, numbers, reason, solo

GAME = atoll.games["atua"]


def choose(table: ScriptedGame, side: str) -> ScriptedGame:
    """Take a side and place its card somewhere."""
    table.play(f"p0 take_side {side}")
    return table.play(f"p0 {first_placement(table, 0)}")


def with_coconuts(supply: int, left: str = "01", right: str = "02") -> ScriptedGame:
    """Before the two cards are drawn; of the nine coconuts the others lie on the hut."""
    table = at(solo(), supply=[supply], hut=9 - supply)
    return table.play(f"reveal_card island_{left}", f"reveal_card island_{right}")


def test_two_cards_are_drawn_the_first_lies_left() -> None:
    """R49. Rule AU-7.2."""
    table = solo("09", "33")
    assert names(table, "row") == ["09", "33"]
    assert table.state.stacks == [14, 12, 8]
    assert table.options(0) == ["take_side left", "take_side right"]


@pytest.mark.parametrize(
    ("supply", "side", "after", "hut"),
    [(6, "left", 5, 4), (6, "right", 7, 2), (9, "right", 9, 0), (0, "right", 1, 8)],
)
def test_e38_left_costs_a_coconut_right_brings_one(supply: int, side: str, after: int, hut: int) -> None:
    """Rule AU-7.2."""
    table = choose(with_coconuts(supply), side)
    assert (table.state.supply, table.state.hut) == ([after], hut)


def test_e38_with_an_empty_supply_only_the_right_card() -> None:
    """Rule AU-7.2."""
    table = with_coconuts(0)
    assert table.options(0) == ["take_side right"]
    assert reason(table, 0, "take_side left") == "too_expensive"


def test_nothing_moves_before_the_card_is_placed() -> None:
    """Rule AU-7.2."""
    table = with_coconuts(6).play("p0 take_side right")
    assert (table.state.supply, table.state.hut, table.state.held) == ([6], 3, 1)
    assert names(table, "row") == ["01", "02"]


def test_e39_and_r51_the_coconut_just_won_helps_to_discard() -> None:
    """Rule AU-7.3, ruling R51."""
    table = choose(with_coconuts(2), "right")
    assert (table.state.supply, table.state.hut) == ([3], 6)
    assert table.options(0) == ["keep_other", "discard_other"]
    table.play("p0 discard_other")
    assert (table.state.supply, table.state.hut) == ([0], 9)
    assert (names(table, "removed"), table.state.tahuma_pile) == (["01"], [[]])


def test_the_other_card_goes_to_tahuma() -> None:
    """Rule AU-7.3."""
    table = choose(with_coconuts(6, "09", "33"), "left").play("p0 keep_other")
    assert table.state.tahuma_pile == [numbers("33")]
    assert table.state.row == []


def test_without_three_coconuts_the_other_card_goes_to_tahuma_unasked() -> None:
    """Rule AU-7.3."""
    table = choose(with_coconuts(1), "right")
    assert table.position.pending_chance is not None
    assert table.state.tahuma_pile == [numbers("01")]


def test_r19_if_nothing_fits_the_right_card_leaves_the_game() -> None:
    """Rule AU-7.2, ruling R19."""
    table = at(solo(village="2"), placed=[island("2", "02 0 4 0")], supply=[0], hut=9)
    table.play("reveal_card island_11", "reveal_card island_45")
    assert (names(table, "removed"), table.state.tahuma_pile) == (["45"], [numbers("11")])
    assert (table.state.supply, table.state.hut) == ([1], 8)
    assert len(table.state.placed[0]) == 8
    assert [event.key for event in table.position.events][-2:] == ["unplaceable", "tahuma_card"]


def test_r50_windows_come_after_turns_8_14_and_18() -> None:
    """Rules AU-4.1 and AU-7.2, ruling R50."""
    for seed in range(3):
        position = GAME.new(1, seed=seed)
        rng = Random(seed)
        turns: list[int] = []
        while not position.over:
            if position.sealed and position.state.window == len(turns):
                turns.append(position.state.turn)
            position.apply(rng.choice(position.legal_choices(0)), 0)
        assert [*turns, position.state.turn] == [8, 14, 18]
        assert position.state.stacks == [0, 0, 0]
        assert sorted(position.state.scored_in[0]) == [0, 1, 1, 2, 2, 2]
        assert len(position.state.tahuma_pile[0]) <= 18


def test_window_b_takes_two_sources_in_solo_too() -> None:
    """Rules AU-4.1 and AU-7.2."""
    position = GAME.new(1, seed=4)
    rng = Random(4)
    seen = []
    while not position.over:
        if position.sealed:
            seen.append(position.decision(0).placeholders)
        position.apply(rng.choice(position.legal_choices(0)), 0)
    assert seen == [{"n": 1}, {"n": 2}, {"n": 1}]


def test_e40_all_totems_count_in_solo() -> None:
    """Rule AU-7.4."""
    table = at(solo(), placed=[e37()])
    lines = {line.key: line for line in table.position.explain()[0]}
    assert (lines["totems"].points, lines["totems"].rule) == (16, "all")


def test_r58_there_is_no_coconut_bonus_in_solo() -> None:
    """Rule AU-7.4, ruling R58."""
    lines = at(solo(), placed=[e37()]).position.explain()[0]
    assert [line.key for line in lines][6:] == ["beach_bonus"]
    assert lines[-1].points == 5


def test_e41_tahumas_sheet_at_the_table() -> None:
    """Rules AU-7.5 and AU-7.6."""
    table = at(
        solo(),
        placed=[island("1", "36 0 4 0", "37 4 4 0")],
        supply=[5],
        hut=4,
        tahuma_pile=[numbers("01 18 19 22 30 33 34")],
    )
    sheet = {line.key: line.points for line in tahuma(table)}
    assert sheet["volcanoes"] == 7  # one volcano, and the player has none here
    del sheet["volcanoes"]
    assert sheet == {
        "start_medium": 28,
        "fishing": 4,
        "hunting": 9,
        "seafaring": 4,
        "coconuts": 4,
        "totems": 2,
        "beach_bonus": 5,
    }


def tahuma(table: ScriptedGame) -> tuple[ScoreLine, ...]:
    return scoring.tahumas_sheet(table.state)


@pytest.mark.parametrize(("difficulty", "points"), [("easy", 20), ("medium", 28), ("hard", 35), ("legendary", 42)])
def test_tahuma_starts_with_points_by_difficulty(difficulty: str, points: int) -> None:
    """Rules AU-7.1 and AU-7.5."""
    table = at(solo(solo_difficulty=difficulty), hut=0, supply=[9])
    assert sum(line.points for line in tahuma(table)) == points


PILES = {(5, 4): "05 07 15 21 23", (4, 5): "05 07 15 16 21"}


@pytest.mark.parametrize(("supply", "hut", "place"), [(5, 4, 1), (4, 5, 2)])
def test_e42_and_r57_more_coconuts_win_a_tie(supply: int, hut: int, place: int) -> None:
    """Rule AU-7.7, ruling R57."""
    table = at(
        solo(solo_difficulty="easy"),
        placed=[e37()],
        supply=[supply],
        hut=hut,
        tahuma_pile=[numbers(PILES[supply, hut])],
    )
    assert table.position.scores()[0] == sum(line.points for line in tahuma(table))
    assert table.position.ranking() == [place]


def test_r55_tahumas_pile_is_the_players_knowledge_alone_until_the_end() -> None:
    """Rule AU-7.3, ruling R55."""
    table = choose(with_coconuts(6, "09", "33"), "left").play("p0 keep_other")
    assert table.position.view(0)["state"]["tahuma_pile"] == [numbers("33")]
    assert table.position.view(None)["state"]["tahuma_pile"] == [{"count": 1}]
    assert table.position.view(0)["live"]["tahuma"] is None
    position = GAME.new(1, seed=1)
    rng = Random(1)
    while not position.over:
        position.apply(rng.choice(position.legal_choices(0)), 0)
    view = position.view(None)
    assert view["state"]["tahuma_pile"] == position.state.tahuma_pile
    assert sum(points for _, points in view["live"]["tahuma"]) == sum(
        line.points for line in scoring.tahumas_sheet(position.state)
    )


def test_reasons_in_the_solo_game() -> None:
    """Rules AU-7.2 and AU-7.3."""
    table = with_coconuts(6, "11", "45")
    assert reason(table, 0, "take 0") == "not_solo"
    assert reason(table, 0, "keep_other") == "first"
    assert reason(table, 0, "play_resident") == "no_residents"
    table.play("p0 take_side left")
    assert reason(table, 0, "take_side right") == "held"
    misfit = at(solo(village="2"), placed=[island("2", "02 0 4 0")])
    misfit.play("reveal_card island_11", "reveal_card island_45")
    assert misfit.options(0) == ["take_side left"]
    assert reason(misfit, 0, "take_side right") == "no_fit"


def test_the_next_level_is_the_next_difficulty() -> None:
    """Rule AU-7.1."""
    levels = ["easy", "medium", "hard", "legendary"]
    for level, harder in zip(levels, [*levels[1:], None], strict=True):
        found = GAME.harder_options({"fates": False, "solo_difficulty": level}, 1)
        assert found == (harder and {"fates": False, "solo_difficulty": harder})
    assert GAME.harder_options({"solo_difficulty": "easy"}, 2) is None


def test_tahuma_is_explained_at_the_end_of_a_solo_game_only() -> None:
    """Rule AU-7.5."""
    position = GAME.new(1, seed=1)
    rng = Random(1)
    assert GAME.rivals(position.state) == []
    while not position.over:
        position.apply(rng.choice(position.legal_choices(0)), 0)
    (rival,) = GAME.rivals(position.state)
    assert (rival.key, tuple(rival.lines)) == ("tahuma", scoring.tahumas_sheet(position.state))
