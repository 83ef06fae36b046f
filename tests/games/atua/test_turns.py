"""A turn (AU-3): taking, placing, refilling, fates, residents."""

from typing import Any

import pytest

import atoll
from atoll.engine import Choose, IllegalChoice, NothingToUndo, TurnDraft, WrongSeat
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atua.components import BIRD
from atoll.games.atua.kinds import PLACE
from atoll.games.atua.lattice import position
from atoll.games.atua.rules import buy_fate
from atoll.games.atua.state import AtuaState

from .reference import printed_data
from .tables import BOX, at, begin, first_placement, island, names, numbers, reason, take

GAME = atoll.games["atua"]
NO_CORNER = island("2", "02 0 4 0")
"""An island where Coral Corner (island_45) fits nowhere."""


# -- taking a card (AU-3.4, AU-3.5) ----------------------------------------------------------------------------------


def test_e2_coconuts_on_passed_cards_and_taken_with_the_card() -> None:
    """Rule AU-3.4."""
    table = at(begin(), row_coconuts=[0, 0, 1, 0])
    take(table, 0, 2, "09")
    assert table.state.supply == [4, 5]
    assert names(table, "row") == ["01", "02", "04", "09"]
    assert table.state.row_coconuts == [1, 1, 0, 0]


@pytest.mark.parametrize(("supply", "slots"), [(0, 1), (1, 2), (2, 3), (3, 4), (9, 4)])
def test_e3_only_affordable_slots(supply: int, slots: int) -> None:
    """Rule AU-3.4."""
    table = at(begin(), supply=[supply, 5])
    assert table.options(0) == [f"take {slot}" for slot in range(slots)]


def test_e4_and_r20_coconuts_on_the_card_do_not_pay_for_it() -> None:
    """Rule AU-3.4, ruling R20."""
    table = at(begin(), supply=[0, 5], row_coconuts=[0, 3, 0, 0])
    assert table.options(0) == ["take 0"]
    assert reason(table, 0, "take 1") == "too_expensive"


def test_undo_stops_at_a_resident_that_was_revealed() -> None:
    table = to_resident_step("11 32 01 03", residents="niuriki akroa").play("p0 play_resident")
    with pytest.raises(NothingToUndo, match="the choice revealed hidden information"):
        table.position.undo(0)
    assert table.position.view(1)["state"]["revealed"][0] >= 0


def test_nothing_is_paid_or_moved_before_the_card_is_placed() -> None:
    """Rule AU-3.1."""
    table = begin()
    table.play("p0 take 3")
    assert (table.state.supply, table.state.row_coconuts) == ([5, 5], [0, 0, 0, 0])
    assert names(table, "row") == ["01", "02", "03", "04"]
    assert table.state.held == 3
    table.play(f"p0 {first_placement(table, 0)}")
    assert (table.state.supply, table.state.row_coconuts) == ([2, 5], [1, 1, 1])
    assert table.state.held == -1
    assert table.position.pending_chance is not None


def test_taking_and_placing_are_one_staged_turn() -> None:
    """Rule AU-3.1."""
    table = begin()
    draft = TurnDraft(table.position, 0)
    draft.add(GAME.parse("take 1"))
    assert draft.view()["state"]["held"] == 1
    assert table.position.view(1)["state"]["held"] == -1
    draft.add(draft.legal()[0])
    assert not draft.open  # the card that refills the row is chance
    table.position.apply(draft.choices, 0)
    assert len(table.state.row) == 3


def test_a_taken_card_can_be_put_back_until_it_is_placed() -> None:
    """Rule AU-3.4."""
    table = begin()
    table.play("p0 take 1")
    table.position.undo(0)
    assert table.options(0) == ["take 0", "take 1", "take 2", "take 3"]
    take(table, 0, 0)
    with pytest.raises(NothingToUndo):
        table.position.undo(0)


def test_r18_and_r23_a_fitting_card_must_be_taken_even_if_it_costs() -> None:
    """Rule AU-3.4, rulings R18 and R23."""
    table = at(begin(row="45 11 12 13"), placed=[NO_CORNER, island("1")])
    assert table.options(0) == ["take 1", "take 2", "take 3"]
    assert reason(table, 0, "take 0") == "no_fit"


def test_r19_a_card_that_cannot_be_placed_leaves_the_game() -> None:
    """Rule AU-3.5, ruling R19."""
    table = at(begin(row="45 11 12 13"), placed=[NO_CORNER, island("1")], supply=[0, 5], row_coconuts=[2, 1, 0, 0])
    assert [event.key for event in table.position.events] == ["unplaceable"]
    table.play("reveal_card island_09")
    assert names(table, "removed") == ["45"]
    assert names(table, "row") == ["11", "12", "13", "09"]
    assert (table.state.supply, table.state.row_coconuts) == ([2, 5], [1, 0, 0, 0])
    assert len(table.state.placed[0]) == 8
    assert table.state.stacks == [7, 6, 4]
    assert table.position.to_move == (1,)


def test_only_the_active_seat_takes() -> None:
    """Rule AU-3.1."""
    with pytest.raises(WrongSeat):
        begin().play("p1 take 0")


# -- placing it (AU-3.4, AU-8.4) -------------------------------------------------------------------------------------


def test_placements_on_offer_are_exactly_the_legal_ones() -> None:
    """Rules AU-3.4 and AU-8.4."""
    table = at(begin(row="37 01 02 03"), placed=[island("1", "36 0 4 0"), island("2")])
    table.play("p0 take 0")
    assert len(table.options(0)) == 39  # E20
    assert "place 4 4 0" in table.options(0)
    assert "place 3 4 0" not in table.options(0)
    assert table.position.legal_choices(0) == sorted(table.position.legal_choices(0))


def test_a_placed_card_covers_and_lies_where_it_was_put() -> None:
    """Rule AU-8.2."""
    table = begin(row="11 02 03 04", villages="2 1")
    table.play("p0 take 0", "p0 place -4 0 0")  # E7: covers the bird
    assert table.state.placed[0] == island("2", "11 -4 0 0")
    assert table.state.islands[0].counts[BIRD] == BOX.cards[numbers("11")[0]].symbols.count(BIRD)
    assert [event.fields["at"] for event in table.position.events if event.key == "placed"] == [[-4, 0, 0]]


def test_a_choice_of_placing_is_position_and_rotation() -> None:
    assert position(PLACE.part(GAME.parse("place -36 36 3"))) == (-36, 36, 3)
    assert PLACE.first == 0


@pytest.mark.parametrize(
    ("placing", "key", "reasons"),
    [
        ("-3 0 0", "star_covered", ["star_covered", "symbol_cut"]),
        ("5 5 0", "symbol_cut", ["symbol_cut", "no_symbol_covered"]),
        ("6 0 0", "no_symbol_covered", ["no_symbol_covered"]),
        ("72 72 0", "no_symbol_covered", ["no_symbol_covered"]),
    ],
)
def test_the_reason_against_a_placement(placing: str, key: str, reasons: list[str]) -> None:
    """E8-E10, and far beyond the window of the lattice. Rule AU-8.4."""
    table = begin(row="11 02 03 04", villages="2 1").play("p0 take 0")
    found = GAME.why_not(table.position.view(0), GAME.parse(f"place {placing}"))
    assert found is not None
    assert (found.key, found.fields["reasons"], found.rule) == (key, reasons, "cover")
    assert found.fields["faults"][0][0] == key


@pytest.mark.parametrize(
    ("placing", "key", "rule"),
    [("4 -2 2", "sea_touches_land", "sea"), ("4 -3 2", "beach_end_blocked", "beach")],
)
def test_the_reason_names_the_seam(placing: str, key: str, rule: str) -> None:
    """E11. Rule AU-8.3."""
    table = begin(row="33 02 03 04").play("p0 take 0")
    found = GAME.why_not(table.position.view(0), GAME.parse(f"place {placing}"))
    assert found is not None
    assert (found.key, found.rule) == (key, rule)
    assert all(fault[3] in range(4) for fault in found.fields["faults"])


def test_an_offered_placement_has_nothing_against_it_and_others_are_refused() -> None:
    table = begin(row="11 02 03 04", villages="2 1").play("p0 take 0")
    assert GAME.why_not(table.position.view(0), GAME.parse("place -4 0 0")) is None
    with pytest.raises(IllegalChoice):
        table.play("p0 place -3 0 0")


# -- refilling the row (AU-3.6) --------------------------------------------------------------------------------------


def test_row_moves_left_with_its_coconuts() -> None:
    """Rule AU-3.6."""
    table = take(begin(), 0, 1, "50")
    assert names(table, "row") == ["01", "03", "04", "50"]
    assert table.state.row_coconuts == [1, 0, 0, 0]
    take(table, 1, 0, "51")
    assert names(table, "row") == ["03", "04", "50", "51"]
    assert (table.state.row_coconuts, table.state.supply) == ([0, 0, 0, 0], [4, 6])


def test_row_is_filled_from_the_stack_in_front() -> None:
    """Rule AU-3.6."""
    table = begin()
    assert table.state.stacks == [8, 6, 4]
    take(table, 0, 0)
    assert table.state.stacks == [7, 6, 4]


def test_any_card_never_seen_can_come() -> None:
    """Rule AU-3.6."""
    table = begin().play("p0 take 0")
    table.play(f"p0 {first_placement(table, 0)}")
    assert len(table.position.outcomes()) == 54
    assert set(table.position.outcomes().values()) == {1}


def test_turns_go_clockwise() -> None:
    """Rule AU-3.1."""
    table = begin(3)
    for seat in (0, 1, 2, 0):
        assert table.position.to_move == (seat,)
        take(table, seat, 0, f"{20 + table.state.turn}")


# -- buying a fate (AU-3.2) ------------------------------------------------------------------------------------------


def fate_step(state: AtuaState, choice: str) -> list[str]:
    """Play the fate step of seat 0 alone and return the offered choices."""
    flow = buy_fate(state, 0)
    ask = next(flow)
    assert isinstance(ask, Choose)
    with pytest.raises(StopIteration):
        flow.send(GAME.parse(choice))
    return [GAME.text(option) for option in ask.choices]


def test_e6_the_price_goes_onto_the_row_from_left_to_right() -> None:
    """Rule AU-3.2."""
    state = at(begin(fates="palms fish birds"), row_coconuts=[1, 0, 0, 2]).state.clone()
    assert "buy_fate fate_palms" in fate_step(state, "buy_fate fate_palms")
    assert (state.supply, state.row_coconuts) == ([3, 5], [2, 1, 0, 2])
    assert (state.fates, state.fate_row) == ([[2], []], [0, 1])


def test_a_price_above_four_goes_on_at_the_left() -> None:
    """Rule AU-3.2."""
    data = printed_data()
    data["fate"][2]["price"] = 6
    game = type(GAME)(data)
    state = at(begin(fates="palms fish birds"), supply=[7, 5]).state.clone()
    state.components = game.components
    fate_step(state, "buy_fate fate_palms")
    assert (state.supply, state.row_coconuts) == ([1, 5], [2, 2, 1, 1])


def test_only_affordable_fates_are_offered_and_passing_is_allowed() -> None:
    """Rule AU-3.2."""
    state = at(begin(fates="palms fish totems"), supply=[1, 5]).state.clone()
    assert fate_step(state, "pass_fate") == ["buy_fate fate_fish", "buy_fate fate_totems", "pass_fate"]
    assert state.fate_row == [0, 2, 6]


def to_fate_step(fates: str = "fish palms birds", **fields: Any) -> ScriptedGame:
    table = at(begin(fates=fates), **fields).play("p0 take 0")
    return table.play(f"p0 {first_placement(table, 0)}", "reveal_card island_58")


def test_without_enough_coconuts_nobody_is_asked_about_fates() -> None:
    """Rule AU-3.2."""
    assert to_fate_step(supply=[0, 5]).position.to_move == (1,)
    assert to_fate_step(supply=[1, 5]).position.to_move == (0,)


def test_r21_coconuts_won_in_the_turn_can_pay_for_a_fate() -> None:
    """Rule AU-3.2, ruling R21."""
    table = to_fate_step(supply=[0, 5], row_coconuts=[2, 0, 0, 0])
    assert "buy_fate fate_palms" in table.options(0)


def test_r22_the_new_card_gets_its_share_of_the_price() -> None:
    """Rule AU-3.2, ruling R22."""
    data = printed_data()
    data["fate"][0]["price"] = 4
    game = type(GAME)(data)
    table = to_fate_step()
    state = at(begin(fates="fish palms birds")).state.clone()
    state.components = game.components
    fate_step(state, "buy_fate fate_fish")
    assert state.row_coconuts == [1, 1, 1, 1]
    table.play("p0 buy_fate fate_palms")
    assert table.state.row_coconuts == [1, 1, 0, 0]


def test_one_fate_a_turn_which_is_not_replaced() -> None:
    """Rule AU-3.2."""
    table = to_fate_step().play("p0 buy_fate fate_fish")
    assert table.position.to_move == (1,)
    assert (table.state.fates, table.state.fate_row) == ([[0], []], [1, 2])
    take(table, 1, 0, "57")
    assert reason(table, 1, "buy_fate fate_fish") == "fate_owned"
    assert reason(table, 1, "buy_fate fate_canoes") == "fate_not_in_play"


# -- playing the resident (AU-3.3) -----------------------------------------------------------------------------------


def to_resident_step(row: str, residents: str = "akroa vaihere", card: str = "33", **fields: Any) -> ScriptedGame:
    """Seat 0 takes the first card, `card` is the new one."""
    table = at(begin(row=row, residents=residents), **fields).play("p0 take 0")
    return table.play(f"p0 {first_placement(table, 0)}", f"reveal_card island_{card}")


def test_e27_a_resident_scores_pairs_in_the_refilled_row_at_once() -> None:
    """Rules AU-3.3 and AU-5.6, ruling R35."""
    table = to_resident_step("11 32 01 03")
    assert table.options(0) == ["play_resident", "pass_resident"]
    birds = table.state.islands[0].counts[BIRD]
    table.play("p0 play_resident")
    assert (table.state.resident_points, table.state.residents, table.state.revealed) == ([6, 0], [-1, 1], [0, -1])
    assert table.position.view(1)["live"]["counts"][0][BIRD] == birds + 2


def test_a_resident_may_wait_and_is_played_once() -> None:
    """Rule AU-3.3."""
    table = to_resident_step("11 32 01 03").play("p0 pass_resident")
    assert table.state.residents == [0, 1]
    take(table, 1, 0, "57").play("p1 pass_resident")
    take(table, 0, 0, "56").play("p0 play_resident")
    take(table, 1, 0, "55").play("p1 pass_resident")
    take(table, 0, 0, "54")
    assert table.position.to_move == (1,)
    take(table, 1, 0, "53")
    assert reason(table, 1, "buy_fate fate_fish") == "no_fates"


def test_a_resident_is_played_by_its_owner_only() -> None:
    """Rule AU-3.3."""
    table = to_resident_step("11 32 01 03")
    with pytest.raises(WrongSeat):
        table.play("p1 play_resident")
    assert reason(table, 1, "play_resident") == "not_your_turn"


def test_playing_for_nothing_is_allowed() -> None:
    """Rule AU-5.6."""
    table = to_resident_step("11 04 05 06", card="08").play("p0 play_resident")
    assert table.state.resident_points == [0, 0]


def test_e26_a_residents_coconuts_count_but_cannot_be_spent() -> None:
    """Rules AU-5.1 and AU-5.6, ruling R34."""
    table = to_resident_step("11 32 01 03", residents="niuriki akroa", supply=[4, 5]).play("p0 play_resident")
    assert table.position.view(None)["live"]["sources"][0][3] == 6
    assert table.state.supply[0] == 4


# -- why not -------------------------------------------------------------------------------------------------------


def test_reasons_in_the_course_of_a_turn() -> None:
    table = begin(residents="akroa vaihere", fates="fish palms birds")
    assert reason(table, 1, "take 0") == "not_your_turn"
    assert reason(table, 0, "place 0 0 0") == "take_first"
    assert reason(table, 0, "buy_fate fate_fish") == "fate_later"
    assert reason(table, 0, "play_resident") == "resident_later"
    assert reason(table, 0, "score fishing") == "window_later"
    assert reason(table, 0, "take_side left") == "only_solo"
    assert reason(table, 0, "keep_other") == "no_tahuma"
    table.play("p0 take 0")
    assert reason(table, 0, "take 1") == "held"
    table.play(f"p0 {first_placement(table, 0)}", "reveal_card island_58")
    assert reason(table, 0, "take 1") == "first"
    assert reason(table, 0, "place 0 0 0") == "first"
    assert reason(table, 0, "play_resident") == "resident_later"
    table.play("p0 pass_fate")
    assert reason(table, 0, "pass_fate") == "first"
    table.play("p0 play_resident")
    take(table, 1, 0, "57").play("p1 pass_fate", "p1 pass_resident")
    assert reason(table, 0, "play_resident") == "resident_played"


def test_reasons_where_tiles_are_left_out() -> None:
    assert reason(begin(), 0, "play_resident") == "no_residents"
    assert reason(begin(), 0, "pass_fate") == "no_fates"
