"""The basic game: chapters AC-2 and AC-3."""

import pytest

import atoll
from atoll.engine import IllegalChoice, OptionError, SeatCountError
from atoll.engine.scripted_game import ScriptedGame

from .tables import E1, basic, free_fields, lines, place
from .test_examples import E8


def test_preparation_lays_the_sub_boards_in_order() -> None:
    """Rule AC-2.1."""
    assert basic().state.sub_boards == list(range(9))


def test_preparation_gives_roles_in_turn_order() -> None:
    """Rule AC-2.2, ruling R3."""
    table = ScriptedGame("atacama", 2).play("start 1")
    assert table.state.axis == [1, 0]  # R3: "player 1" is the start player
    assert table.state.concession == [1, 0]
    assert table.position.to_move == (1,)


def test_start_player_is_drawn_among_the_players() -> None:
    """Rule AC-2.2, ruling R3."""
    table = ScriptedGame("atacama", 2)
    assert [table.game.text(choice) for choice in table.position.outcomes()] == ["start 0", "start 1"]


def test_preparation_gives_fourteen_rigs() -> None:
    """Rule AC-2.3."""
    assert basic().state.base == [14, 14]
    assert basic().state.double == [0, 0]


def test_turns_alternate() -> None:
    """Rule AC-3.1."""
    table = basic()
    asked = []
    for field in E1.split():
        asked.append(table.position.to_move)
        place(table, field)
    assert asked == [(0,), (1,)] * 8


def test_one_rig_a_field() -> None:
    """Rule AC-3.2."""
    table = place(basic(), "r5c5")
    with pytest.raises(IllegalChoice, match="isn't offered"):
        table.play("p1 place r5c5 base")


@pytest.mark.parametrize("field", ["r4c5", "r6c5", "r5c4", "r5c6"])
def test_adjacent_fields_are_blocked(field: str) -> None:
    """Rule AC-3.2."""
    assert field not in free_fields(place(basic(), "r5c5"))


@pytest.mark.parametrize("field", ["r4c4", "r4c6", "r6c4", "r6c6"])
def test_diagonal_is_allowed(field: str) -> None:
    """Rule AC-3.2."""
    assert field in free_fields(place(basic(), "r5c5"))


def test_adjacency_crosses_sub_boards_but_not_the_edge() -> None:
    """Rule AC-3.2."""
    free = free_fields(place(basic(), "r3c9"))
    assert "r4c9" not in free
    assert "r4c1" in free


def test_end_after_all_rigs() -> None:
    """Rule AC-3.3."""
    game = atoll.games["atacama"]
    for seed in range(60):
        position = game.new(2, seed=seed)
        while not position.over:
            seat = position.to_move[0]
            position.apply(position.legal_choices(seat)[0], seat)
        if position.state.turn == 28:
            assert position.state.base == [0, 0]
            return
    raise AssertionError("no game with all rigs placed")


def test_end_when_blocked() -> None:
    """Rule AC-3.3, ruling R7."""
    table = place(basic(), E8)
    assert table.position.over
    assert table.events("end_blocked") == [{}]


def test_only_lines_with_four_rigs_count() -> None:
    """Rule AC-3.4, ruling R4."""
    table = place(basic(), "r1c1 r1c3 r1c5")
    assert lines(table, 1) == {}
    assert lines(place(table, "r1c7"), 1) == {1: 2 + 3 + 5 - 3}


def test_columns_and_rows_are_scored_by_their_own_concession() -> None:
    """Rules AC-1.3 and AC-3.4."""
    table = place(basic(), E1)
    worth = table.position.view(None)["live"]["roles"]
    assert worth == [[1, 7], [2, 4]]


def test_explanation_shows_each_rig() -> None:
    """Rule AC-3.4."""
    first = place(basic(), E1).position.explain()[0][0]
    assert [(part.fields["field"], part.fields["amount"], part.points) for part in first.parts] == [
        (0, 2, 2),
        (36, 5, 5),
        (54, 3, -3),
        (72, 1, 1),
    ]
    assert first.points == 5


def test_most_points_win_also_below_zero() -> None:
    """Rule AC-3.5."""
    table = basic(tactic=True)
    for field in E1.split():
        place(table, field, "double" if field in ("r7c3", "r6c2") else "base")
    assert table.position.ranking() == [2, 1]  # -4 : -1


def test_tied_players_share_the_victory() -> None:
    """Rule AC-3.5, ruling R22."""
    assert basic().position.ranking() == [1, 1]  # R22


@pytest.mark.parametrize("seats", [1, 3, 5, 0, -2, True, "2"])
def test_only_two_or_four_players(seats: object) -> None:
    """Rule AC-1.2."""
    with pytest.raises(SeatCountError, match="allowed: 2, 4"):
        atoll.games["atacama"].new(seats)  # type: ignore[arg-type]


def test_start_player_option_must_exist() -> None:
    """Rule AC-1.2."""
    with pytest.raises(OptionError, match="seat_3"):
        basic(start_player="seat_3")


def test_undo_until_the_next_player_acts() -> None:
    """Ruling R25."""
    table = basic()
    before = table.position.view(0)
    place(table, "r5c5")
    table.position.undo(0)  # R25
    assert table.position.view(0) == before
