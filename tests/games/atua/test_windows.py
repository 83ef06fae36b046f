"""Scoring windows (AU-4.1), the final scoring (AU-5.8) and the end (AU-6.1)."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import atoll
from atoll.engine import IllegalChoice, Position, ScoreLine, TurnDraft
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.atua.components import SOURCES
from atoll.games.atua.state import WINDOW
from atoll.lessons import coach

from .tables import at, begin, e37, island, reason, take

GAME = atoll.games["atua"]


def play_until(position: Position, stop: Callable[[Position], bool]) -> Position:
    """Random play, tiles left alone, until something is so."""
    rng = Random(3)
    while not position.over and not stop(position):
        seat = position.to_move[0]
        choice = rng.choice(position.legal_choices(seat))
        passing = [each for each in position.legal_choices(seat) if GAME.text(each).startswith("pass")]
        position.apply(passing[0] if passing else choice, seat)
    return position


def sealed(position: Position) -> bool:
    return position.sealed


def last_turn(window: int = 0, **fields: Any) -> ScriptedGame:
    """Two players, seat 1 about to take the last card of a stack."""
    table = take(begin(), 0, 0, "57")
    stacks = [[1, 6, 4], [0, 1, 4], [0, 0, 1]][window]
    return at(table, stacks=stacks, window=window, **fields)


def to_window(window: int = 0, **fields: Any) -> ScriptedGame:
    return take(last_turn(window, **fields), 1, 0, "56")


# -- when ----------------------------------------------------------------------------------------------------------


def test_e5_windows_open_when_a_stack_is_empty() -> None:
    """Three players: after turns 12, 21 and 27, each time after the turn of the last player.

    Rules AU-3.1 and AU-4.1.
    """
    for seed in (1, 2):
        position = GAME.new(3, {"residents": True, "fates": True}, seed=seed)
        turns = []
        for stacks in ([0, 9, 6], [0, 0, 6]):
            play_until(position, sealed)
            state = position.state
            turns.append(state.turn)
            assert (state.stacks, state.phase) == (stacks, WINDOW)
            assert state.active == state.start_player  # the last player's turn is over
            assert len(state.row) == 4
            play_until(position, lambda each: not each.sealed)
        play_until(position, lambda each: each.over)
        assert [*turns, position.state.turn] == [12, 21, 27]


def test_every_player_has_taken_as_many_turns_when_a_window_opens() -> None:
    """Rules AU-3.1 and AU-4.1."""
    for seats in (2, 4, 5, 6):
        position = play_until(GAME.new(seats, seed=seats), sealed)
        assert position.state.turn == 4 * seats


def test_r25_a_window_waits_for_the_optional_steps() -> None:
    """Rule AU-4.1, ruling R25."""
    table = at(begin(fates="fish palms birds", residents="akroa vaihere"), stacks=[1, 6, 4], turn=7)
    take(table, 0, 0, "57")
    assert not table.position.sealed
    table.play("p0 buy_fate fate_fish", "p0 play_resident")
    assert table.position.sealed
    assert table.position.view(None)["live"]["sources"][0][3] == 4  # the fate's coconut is gone


# -- choosing ------------------------------------------------------------------------------------------------------


def test_window_a_takes_one_of_six_sources() -> None:
    """Rule AU-4.1."""
    table = to_window()
    assert table.position.to_move == (0, 1)
    assert table.options(0) == [f"score {source}" for source in SOURCES]


def test_choices_are_secret_until_all_have_chosen() -> None:
    """R26. Rule AU-4.1."""
    table = to_window().play("p0 score coconuts")
    assert table.position.to_move == (1,)
    assert table.position.sealed_ready == [True, False]
    assert table.state.sheet == [[-1] * 6] * 2
    before = table.position.view(1)
    again = to_window().play("p0 score totems")
    assert again.position.view(1) == before
    table.play("p1 score fishing")
    assert table.state.sheet[0][3] == table.state.supply[0]
    assert table.state.scored_in == [[-1, -1, -1, 0, -1, -1], [0, -1, -1, -1, -1, -1]]


def test_a_choice_can_be_changed_until_all_have_chosen() -> None:
    """Rule AU-4.1."""
    table = to_window().play("p0 score coconuts")
    table.position.undo(0)
    table.play("p0 score totems", "p1 score totems")
    assert table.state.scored_in[0] == [-1, -1, -1, -1, 0, -1]


def test_window_b_takes_two_of_the_other_five() -> None:
    """Rule AU-4.1."""
    table = to_window(1, scored_in=[[0, -1, -1, -1, -1, -1]] * 2, sheet=[[2, -1, -1, -1, -1, -1]] * 2, had=HAD)
    assert table.options(0) == [f"score {source}" for source in SOURCES[1:5]]
    assert reason(table, 0, "score fishing") == "source_scored"
    chosen = [GAME.parse("score volcanoes"), GAME.parse("score seafaring")]
    against = GAME.why_not(TurnDraft(table.position, 0).view(chosen), GAME.parse("score totems"))
    assert against is not None
    assert against.key == "sources_chosen"
    table.play("p0 score seafaring")
    assert table.options(0) == ["score coconuts", "score totems", "score volcanoes"]
    assert reason(table, 0, "score hunting") == "first", "the set isn't full: its members are asked in their order"
    with pytest.raises(IllegalChoice):
        table.play("p0 score seafaring")
    table.play("p0 score volcanoes", "p1 score hunting", "p1 score seafaring")
    assert table.state.scored_in == [[0, -1, 1, -1, -1, 1], [0, 1, 1, -1, -1, -1]]


HAD = [[4, 5, 0], [4, 5, 0]]


def test_window_c_scores_the_rest_and_ends_the_game() -> None:
    """Rules AU-4.1 and AU-6.1."""
    scored = [[0, 1, 1, -1, -1, -1]] * 2
    table = to_window(2, scored_in=scored, sheet=[[2, 0, 0, -1, -1, -1]] * 2, had=[[4, 5, 0, 7, 5, 0]] * 2)
    assert table.position.over
    assert table.state.scored_in == [[0, 1, 1, 2, 2, 2]] * 2
    assert all(points >= 0 for points in table.state.sheet[0])


def test_every_source_is_scored_once() -> None:
    """Rule AU-4.1."""
    for seed in range(4):
        position = play_until(GAME.new(2 + seed, seed=seed), lambda each: each.over)
        for windows in position.state.scored_in:
            assert sorted(windows) == [0, 1, 1, 2, 2, 2]


# -- scoring -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_the_sheet_is_explained_exactly_also_after_later_changes(seats: int) -> None:
    """R28: what comes later changes no scored source; the explanation finds the same points from the same island.

    Rule AU-4.1.
    """
    for seed in range(4):
        position = GAME.new(seats, seed=seed)
        while not position.over:
            play_until(position, sealed)
            play_until(position, lambda each: not each.sealed)
            state = position.state
            for sheet, lines in zip(state.sheet, position.explain(), strict=True):
                for points, line in zip(sheet, lines[:6], strict=True):
                    assert points in (-1, line.points)
                    assert line.parts[0].key == ("open" if points < 0 else "scored")


def test_r27_a_source_may_be_scored_for_nothing() -> None:
    """Rule AU-4.1, ruling R27."""
    table = to_window(placed=[island("1"), island("2")])
    assert table.position.view(0)["live"]["sources"][0][1] == 0
    table.play("p0 score hunting", "p1 score coconuts")
    assert table.state.sheet[0][1] == 0
    assert table.state.scored_in[0][1] == 0


def test_too_many_huntresses_score_nothing() -> None:
    """Village 2 has a huntress and a bird; where the bird is covered, the huntress is one too many.

    Rule AU-5.2.
    """
    table = last_turn(placed=[island("2", "06 -4 0 0"), island("2")])
    covered, whole = (next(line for line in lines if line.key == "hunting") for lines in table.position.explain())
    assert (whole.points, whole.rule) == (3, "pairs")
    assert (covered.points, covered.rule) == (0, "too_many")


def sheet(table: ScriptedGame, seat: int) -> dict[str, int]:
    lines: list[ScoreLine] = table.position.explain()[seat]
    return {line.key: line.points for line in lines}


def test_e37_the_whole_island_on_the_sheet() -> None:
    """Rule AU-5.8."""
    table = at(begin(row="01 03 04 05"), placed=[e37(), island("1")])
    assert sheet(table, 0) == {
        "fishing": 8,
        "hunting": 6,
        "seafaring": 12,
        "coconuts": 5,
        "totems": 16,
        "volcanoes": 1,
        "beach_bonus": 5,
        "coconut_bonus": 5,
    }
    assert table.position.scores() == [58, sum(sheet(table, 1).values())]
    assert table.position.view(1)["live"]["beach"] == [5, 0]


def test_e36_bonuses_and_fates_at_the_end() -> None:
    """A has the longest beach, B the most coconuts; A's totem fate pays, B's volcano fate doesn't.

    Rules AU-5.8, AU-5.9 and AU-5.10.
    """
    table = at(
        begin(3, row="01 03 04 05", fates="totems volcanoes fish birds"),
        placed=[e37(), island("1"), island("2")],
        supply=[4, 6, 6],
        fates=[[6], [9], []],
        fate_row=[0, 1],
    )
    assert [sheet(table, seat).get("fate") for seat in range(3)] == [6, -4, None]
    assert [sheet(table, seat)["beach_bonus"] for seat in range(3)] == [5, 0, 0]
    assert [sheet(table, seat)["coconut_bonus"] for seat in range(3)] == [0, 5, 5]


def test_r34_a_residents_coconuts_count_for_the_bonus() -> None:
    """Rule AU-5.10, ruling R34."""
    table = at(begin(residents="niuriki akroa"), residents=[-1, 1], revealed=[3, -1], supply=[4, 5])
    assert [sheet(table, seat)["coconut_bonus"] for seat in range(2)] == [5, 0]
    assert [sheet(table, seat)["coconuts"] for seat in range(2)] == [6, 5]


def test_r33_a_resident_never_played_stays_hidden() -> None:
    """Rule AU-5.8, ruling R33."""
    position = play_until(GAME.new(3, seed=5), lambda each: each.over)
    assert all(resident >= 0 for resident in position.state.residents)
    assert position.view(1)["state"]["residents"].count(None) == 2
    assert all(line.key != "resident" for lines in position.explain() for line in lines)


def test_r45_a_total_may_be_negative() -> None:
    """Rule AU-5.8, ruling R45."""
    table = at(
        begin(2, fates="people jungle palms"),
        placed=[island("3"), e37()],
        supply=[0, 9],
        fates=[[2, 4, 5], []],
        fate_row=[],
    )
    assert table.position.scores()[0] < 0


def test_most_points_win_and_coconuts_break_ties() -> None:
    """R48: places below are ranked in the same way. Rule AU-6.1."""
    equal = at(begin(2), placed=[island("2"), island("2")])
    assert equal.position.ranking() == [1, 1]
    three = at(begin(3), placed=[island("2")] * 3, supply=[5, 5, 4])
    assert three.position.scores()[0] > three.position.scores()[2]
    assert three.position.ranking() == [1, 1, 3]


def test_a_tie_in_points_goes_to_more_coconuts() -> None:
    """Both scored three coconuts in window a; one has won another since. Rule AU-6.1."""
    scored = [-1, -1, -1, 0, -1, -1]
    table = at(
        begin(3),
        placed=[island("1"), island("1"), e37()],
        supply=[3, 4, 9],
        window=1,
        had=[[0, 3, 0], [0, 3, 0], [0, 9, 0]],
        scored_in=[scored, scored, scored],
        sheet=[[-1, -1, -1, 3, -1, -1], [-1, -1, -1, 3, -1, -1], [-1, -1, -1, 9, -1, -1]],
    )
    assert table.position.scores()[0] == table.position.scores()[1]
    assert table.position.ranking() == [3, 2, 1]


def test_the_end_is_told() -> None:
    """Rule AU-6.1."""
    position = play_until(GAME.new(2, {"residents": False}, seed=1), lambda each: each.over)
    totals = [event.fields["points"] for event in position.events if event.key == "total"]
    assert totals == position.scores()
    assert position.events[-1].key == "total"


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_short_sheet_of_a_view_says_the_same_as_the_explained_one(seats: int) -> None:
    """Public scores are read off the sheet; the explanation computes them from the cards."""
    rng = Random(seats)
    position = GAME.new(seats, seed=seats)
    while not position.over:
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
        live = position.view(None)["live"]
        sheets = position.explain()
        assert live["sheets"] == [[[line.key, line.points] for line in lines] for lines in sheets]
        assert live["scores"] == position.scores() == [sum(line.points for line in lines) for lines in sheets]


@pytest.mark.parametrize("window", range(3))
def test_the_coach_says_how_many_sources_the_next_window_scores(window: int) -> None:
    sources = GAME.components.windows[window].sources_to_score
    stacks = [[8, 6, 4], [0, 6, 4], [0, 0, 4]][window]
    far, near = at(begin(), stacks=stacks, window=window), last_turn(window)
    for table, key in ((far, "window"), (near, "window_now")):
        seat = table.position.to_move[0]
        fields = dict(coach.upcoming_events(GAME, table.position.view(seat)))[key]
        assert fields["n"] == sources
        for language, noun in (("en", "source"), ("de", "Quelle")):
            text = GameMessages(GAME, language).say(f"coach.soon.{key}", fields)
            assert re.search(rf"\b{sources} {noun}{'' if sources == 1 else '[sn]'}\b", text), text
