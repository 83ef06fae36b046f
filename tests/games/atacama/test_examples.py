"""The worked examples of RULES.md, by their numbers; E1 is the rulebook's own."""

from atoll.engine.scripted_game import ScriptedGame

from .tables import E1, basic, enhanced, free_fields, lines, place


def test_e1_rulebook_example() -> None:
    """Rule AC-3.4."""
    table = place(basic(), E1)
    assert lines(table, 0) == {1: 5, 2: -4}
    assert lines(table, 1) == {7: -3, 9: 7}
    assert table.position.scores() == [1, 4]
    live = table.position.view(0)["live"]
    assert live["rigs"][0] == [4, 4, 1, 1, 1, 1, 1, 1, 2]
    assert live["rigs"][1] == [1, 1, 0, 1, 1, 1, 4, 3, 4]


def test_e1_is_legal_in_any_order() -> None:
    assert place(basic(), " ".join(reversed(E1.split()))).position.scores() == [1, 4]


def test_e2_legal_fields() -> None:
    """Rule AC-3.2."""
    assert len(free_fields(basic())) == 81
    assert len(free_fields(place(basic(), "r1c1"))) == 78
    assert len(free_fields(place(basic(), "r1c5"))) == 77
    assert len(free_fields(place(basic(), "r5c5"))) == 76
    free = free_fields(place(basic(), E1))
    assert len(free) == 38
    assert {field[1] for field in free} <= set("123456")
    assert "r3c1" in free
    assert "r3c3" in free
    assert "r3c2" not in free


def test_e3_fourth_rig_activates_a_line() -> None:
    """Rule AC-3.4."""
    table = place(place(basic(), E1), "r1c3 r1c5 r1c8")
    assert lines(table, 1) == {1: 6, 7: -3, 9: 7}
    assert table.position.scores() == [1, 10]


def test_e4_double_rigs() -> None:
    """Rule AC-5.2."""
    doubles = {"r7c3", "r6c2"}
    table = basic(tactic=True)
    for field in E1.split():
        place(table, field, "double" if field in doubles else "base")
    assert lines(table, 1)[7] == -8
    assert lines(table, 0)[2] == -9
    assert table.position.scores() == [-4, -1]
    assert table.position.ranking() == [2, 1]


def test_e5_four_roles() -> None:
    """Rule AC-6.1."""
    table = place(basic(4), E1)
    assert table.position.scores() == [1, 4, 7, 2]
    assert table.position.ranking() == [4, 2, 1, 3]


def test_e6_enhanced_order_of_events() -> None:
    """Rules AC-4.1 and AC-4.2."""
    table = place(enhanced(), "r1c1 r1c3")
    table.play("p0 buy orange rows base")
    assert table.state.base == [12, 13]
    assert (table.state.axis, table.state.concession) == ([1, 0], [1, 0])
    place(table, "r3c1 r3c3 r5c1")
    assert table.position.to_move == ()
    assert sum(rig >= 0 for rig in table.state.rigs) == 5
    table.play("lay D", "lay E", "lay F")
    assert not any(text.startswith("buy") for text in table.options(0))


def unsold_after_27_turns() -> ScriptedGame:
    table = place(enhanced(), "r1c1 r1c3 r1c5 r2c2 r2c4 r2c6")
    table.play("lay D", "lay E", "lay F")
    place(table, "r1c7 r1c9 r2c8 r3c1 r3c3 r3c5")
    table.play("lay G", "lay H", "lay I")
    return place(table, "r3c7 r3c9 r4c2 r4c4 r4c6 r4c8 r5c1 r5c3 r5c5 r5c7 r5c9 r6c2 r6c4 r6c6 r6c8")


def test_e7_forced_purchase_in_turn_28() -> None:
    """Rule AC-4.2."""
    table = unsold_after_27_turns()
    assert table.state.turn == 27
    assert table.state.base == [0, 1]
    assert sorted(table.options(1)) == [
        "buy orange columns base",
        "buy orange rows base",
        "buy turquoise columns base",
        "buy turquoise rows base",
    ]
    table.play("p1 buy orange rows base")
    assert table.position.over
    assert table.state.axis == [0, 1]


E8 = (
    "r1c1 r1c4 r1c6 r1c9 r2c2 r2c8 r3c1 r3c5 r3c9 r4c3 r4c7 r5c1 r5c5 r5c9 r6c4 r6c6 r7c2 r7c8 r8c1 r8c5 r8c9 r9c3 r9c7"
)


def test_e8_blocked_board() -> None:
    """Rule AC-3.3."""
    table = place(basic(), E8)
    assert table.position.over
    assert lines(table, 0) == {1: 6, 9: -4}
    assert lines(table, 1) == {1: 5}
    assert table.position.scores() == [2, 5]
    assert table.position.ranking() == [2, 1]
    assert table.state.base == [2, 3]
