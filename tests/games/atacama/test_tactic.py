"""The tactic variant and four players: chapters AC-5 and AC-6."""

import pytest

import atoll

from .tables import basic, enhanced, place


@pytest.mark.parametrize(
    ("seats", "tactic", "base", "double"), [(2, False, 14, 0), (2, True, 11, 3), (4, False, 7, 0), (4, True, 6, 1)]
)
def test_rigs_per_player(seats: int, tactic: bool, base: int, double: int) -> None:
    """Rule AC-2.3."""
    state = basic(seats, tactic=tactic).state
    assert state.base == [base] * seats
    assert state.double == [double] * seats
    assert state.turns == 28


def test_kind_of_rig_is_chosen_at_placement() -> None:
    """Rule AC-5.1, ruling R6."""
    table = basic(tactic=True)
    assert "place r1c1 base" in table.options(0)
    assert "place r1c1 double" in table.options(0)
    place(table, "r1c1", "double")
    assert table.state.double == [2, 3]


def test_used_up_kind_is_not_offered() -> None:
    """Rule AC-5.1."""
    table = basic(4, tactic=True)
    place(table, "r1c1 r1c3 r1c5 r1c7", "double")
    assert all(text.endswith("base") for text in table.options(0))
    reason = table.game.why_not(table.position.view(0), table.game.parse("place r5c5 double"))
    assert reason is not None
    assert reason.key == "no_rig"


def test_double_rig_counts_once_for_the_four() -> None:
    """Rule AC-5.2, ruling R5."""
    table = basic(tactic=True)
    place(table, "r1c1 r1c3", "double")
    place(table, "r1c5")
    assert table.position.scores() == [0, 0]  # R5: three rigs


def test_double_rig_doubles_plus_and_minus() -> None:
    """Rule AC-5.2, ruling R5."""
    table = basic(tactic=True)
    place(table, "r1c1 r1c7", "double")
    place(table, "r1c3 r1c5")
    assert table.position.scores() == [0, 2 * 2 + 3 + 5 - 2 * 3]  # gold 2 and silver 3 under double rigs


def test_price_may_be_a_double_rig() -> None:
    """Rule AC-5.1."""
    table = enhanced(tactic=True).play("p0 buy orange rows double")
    assert table.state.paid == [0, 1]
    assert table.state.double == [2, 3]


def test_four_players_take_turns_clockwise() -> None:
    """Rules AC-3.1 and AC-6.1."""
    table = basic(4)
    order = []
    for field in ["r1c1", "r1c3", "r1c5", "r1c7", "r1c9"]:
        order.append(table.position.to_move[0])
        place(table, field)
    assert order == [0, 1, 2, 3, 0]


def test_four_roles_by_turn_order() -> None:
    """Rules AC-2.2 and AC-6.1, ruling R19."""
    table = basic(4, start_player="seat_3")
    assert table.state.axis == [0, 1, 0, 1]
    assert table.state.concession == [1, 0, 0, 1]  # R19: seat 3 begins with columns and turquoise


def test_four_players_play_for_themselves() -> None:
    """Rule AC-3.5, ruling R21."""
    position = atoll.games["atacama"].new(4, seed=5)
    while not position.over:
        seat = position.to_move[0]
        position.apply(position.legal_choices(seat)[-1], seat)
    scores = position.scores()
    assert position.ranking() == [1 + sum(other > own for other in scores) for own in scores]  # R21


def test_only_the_tactical_game_has_a_kind_of_rig_that_can_be_used_up() -> None:
    """Rule AC-5.1."""
    table = basic()
    reason = table.game.why_not(table.position.view(0), table.game.parse("place r5c5 double"))
    assert reason is not None
    assert (reason.key, reason.rule) == ("no_doubles", "turn")
