"""The enhanced game, chapter AC-4: batches, purchase, forced purchases."""

import pytest

import atoll
from atoll.engine import IllegalChoice, NothingToUndo, OptionError
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atacama.state import AtacamaState

from .tables import enhanced, free_fields, place
from .test_examples import unsold_after_27_turns


def test_triangle_is_laid_first() -> None:
    """Rule AC-4.1."""
    table = enhanced("EAI")
    assert table.state.sub_boards == [4, 0, -1, 8, -1, -1, -1, -1, -1]
    assert len(free_fields(table)) == 27
    assert table.state.axis == [-1, -1]


def test_diagonal_after_six_turns_and_rest_after_twelve() -> None:
    """Rule AC-4.1."""
    table = place(enhanced(), "r1c1 r1c3 r1c5 r2c2 r2c4 r2c6")
    table.play("lay D", "lay E", "lay F")
    assert table.state.sub_boards == [0, 1, 3, 2, 4, -1, 5, -1, -1]
    place(table, "r1c7 r1c9 r3c1 r3c3 r3c5 r3c7")
    table.play("lay I", "lay H", "lay G")
    assert table.state.sub_boards == [0, 1, 3, 2, 4, 8, 5, 7, 6]
    assert table.state.stack == []


def test_stack_is_drawn_from_what_is_left() -> None:
    """Rule AC-4.1."""
    table = ScriptedGame("atacama", 2, {"setup": "enhanced", "start_player": "seat_1"}).play("lay C")
    assert [table.game.text(choice)[-1] for choice in table.position.outcomes()] == list("ABDEFGHI")


def test_rigs_block_fields_laid_later() -> None:
    """Rule AC-4.1, ruling R10."""
    table = place(enhanced(), "r1c6 r1c1 r1c3 r3c1 r3c3 r5c1")
    table.play("lay D", "lay E", "lay F")
    assert "r1c7" not in free_fields(table)  # R10
    assert "r2c7" in free_fields(table)


def test_purchases_count_as_turns_for_the_batches() -> None:
    """Rule AC-4.1, ruling R16."""
    table = place(enhanced(), "r1c1 r1c3 r1c5 r2c2 r2c4")
    table.play("p1 buy turquoise columns base")  # R16
    assert table.position.pending_chance is not None


def test_buyer_chooses_axis_and_concession() -> None:
    """Rule AC-4.2, rulings R14 and R15."""
    table = enhanced()
    assert [text for text in table.options(0) if text.startswith("buy")] == [
        "buy turquoise columns base",
        "buy turquoise rows base",
        "buy orange columns base",
        "buy orange rows base",
    ]  # R14, R15
    table.play("p0 buy turquoise rows base")
    assert (table.state.axis, table.state.concession) == ([1, 0], [0, 1])
    assert table.state.base == [13, 14]
    assert table.position.to_move == (1,)


def test_second_concession_is_not_for_sale() -> None:
    """Rule AC-4.2, ruling R17."""
    table = enhanced().play("p0 buy turquoise rows base")
    with pytest.raises(IllegalChoice):
        table.play("p1 buy orange columns base")  # R17


def test_buyer_places_thirteen_at_most() -> None:
    """Rule AC-4.2, ruling R18."""
    game = atoll.games["atacama"]
    position = game.new(2, {"setup": "enhanced", "start_player": "seat_1"}, seed=1)
    position.apply(position.parse("buy turquoise rows base"), 0)
    while not position.over:
        seat = position.to_move[0]
        position.apply(position.legal_choices(seat)[0], seat)
    assert position.state.base[0] in range(13)
    assert position.state.paid == [1, 0]


def test_forced_purchase_is_explained() -> None:
    """Rule AC-4.2, ruling R12."""
    table = unsold_after_27_turns()
    free = free_fields(table)
    choice = table.game.parse(f"place {free[0]} base")
    reason = table.game.why_not(table.position.view(1), choice)
    assert reason is not None
    assert reason.key == "must_buy"
    assert table.position.decision(1).prompt == "must_buy"


def test_blocked_board_unsold_must_be_sold() -> None:
    """Rules AC-3.3 and AC-4.2, ruling R13."""
    table = unsold_after_27_turns()
    state: AtacamaState = table.state.clone()
    state.turn = 25
    state.free = []
    blocked = ScriptedGame.at("atacama", state, {"setup": "enhanced"})
    assert all(text.startswith("buy") for text in blocked.options(1))  # R13
    blocked.play("p1 buy orange columns base")
    assert blocked.position.over


def test_laid_part_is_never_blocked_before_the_next_batch() -> None:
    """Rule AC-4.1, ruling R11."""
    game = atoll.games["atacama"]  # R11
    for seed in range(40):
        position = game.new(2, {"setup": "enhanced"}, seed=seed)
        while position.state.turn < 12:
            assert position.state.free
            seat = position.to_move[0]
            placements = [
                choice for choice in position.legal_choices(seat) if choice in game.vocabulary.kind_named("place")
            ]
            position.apply(placements[seed % len(placements)], seat)


def test_undo_stops_at_a_new_batch() -> None:
    """Ruling R25."""
    table = place(enhanced(), "r1c1 r1c3 r1c5 r2c2 r2c4 r2c6")
    table.play("lay D")
    with pytest.raises(NothingToUndo):
        table.position.undo(1)  # R25


def test_four_players_have_no_enhanced_setup() -> None:
    """Rule AC-1.2, ruling R20."""
    with pytest.raises(OptionError, match="2 players only"):
        atoll.games["atacama"].new(4, {"setup": "enhanced"})  # R20
