"""Setup (WU-2)."""

import pytest

from atoll.engine import OptionError, SeatCountError
from atoll.engine.options import OptionValue
from atoll.engine.scripted_game import ScriptedGame
from atoll.games.wutaki import GAME
from atoll.games.wutaki.learn.positions import BOX, card


def dealt(seats: int = 2, **options: OptionValue) -> ScriptedGame:
    """A game in which everybody is about to choose a secret pact."""
    t = ScriptedGame("wutaki", seats, dict(options))
    for seat in range(seats):
        t.play(f"deal_element {BOX.ids['element_card'][seat]}")
    for seat in range(seats):
        t.play(
            f"draw_secret_pact {BOX.ids['secret_pact'][2 * seat]}",
            f"draw_secret_pact {BOX.ids['secret_pact'][2 * seat + 1]}",
        )
    return t


def opened(seats: int = 2, **options: OptionValue) -> ScriptedGame:
    """A game with everything dealt but masterboards, abilities and pacts; seat 1 begins."""
    t = dealt(seats, **options)
    for seat in range(seats):
        t.play(f"p{seat} keep {BOX.ids['secret_pact'][2 * seat]}")
    t.play(*(f"deal_cost_marker {BOX.ids['cost_marker'][seat]}" for seat in range(seats)))
    names = ["om_great_offering", "om_gold_rain", "om_call_to_arms", "om_whispered_pact"][:seats]
    for name in names:
        t.play(f"draw_omen {name}", f"draw_omen {name}")
    return t


@pytest.mark.parametrize(("seats", "gold", "other"), [(2, 33, 23), (3, 32, 22), (4, 31, 21)])
def test_supply_of_135_tokens(seats: int, gold: int, other: int) -> None:
    """Rules WU-1.2, WU-2.1 and WU-12.1."""
    s = GAME.new(seats).state
    assert s.supply == [gold, other, other, other, other]
    assert s.stock == [[1, 1, 1, 1, 1]] * seats
    assert sum(s.supply) + sum(map(sum, s.stock)) == 135
    assert s.maw == [0, 0, 0, 0, 0]


def test_everybody_starts_with_five_points_four_loyal_workers_six_markers() -> None:
    """Rule WU-2.1."""
    s = GAME.new(3).state
    assert s.vp == [5, 5, 5]
    assert s.home == [[4, 0, 0]] * 3
    assert s.tower == [[0, 4, 1]] * 3
    assert s.upgrade_markers == [6, 6, 6]
    assert s.counter == 0


def test_extreme_board_has_one_extra_worker_less() -> None:
    """Rules WU-2.1 and WU-12.2."""
    assert GAME.new(2, {"board": "extreme"}).state.tower == [[0, 3, 1]] * 2


def test_elements_that_are_not_dealt_go_to_the_box_unseen() -> None:
    """Rule WU-2.2."""
    t = dealt(2)
    assert t.state.element == [0, 1]
    view = t.position.view(0)["state"]
    assert view["element"] == [0, None]
    assert view["element_pool"] == {"count": 2}


def test_secret_pacts_are_chosen_by_all_in_secret() -> None:
    """Rule WU-2.3."""
    t = dealt(3)
    assert list(t.position.to_move) == [0, 1, 2]
    assert t.options(1) == ["keep sp_most_water", "keep sp_most_earth"]
    t.play("p2 keep sp_at_merchant")
    assert list(t.position.to_move) == [0, 1]
    assert t.state.secret_pacts[2] == [4, 5]  # nothing happens before everybody has chosen


def test_rejected_secret_pacts_go_back_after_all_have_chosen() -> None:
    """Rule WU-2.3."""
    t = dealt(2)
    assert len(t.state.secret_pact_deck) == 16
    t.play("p1 keep sp_most_earth", "p0 keep sp_most_pacts")
    s = t.state
    assert s.secret_pacts == [[0], [3]]
    assert len(s.secret_pact_deck) == 18
    assert {1, 2} <= set(s.secret_pact_deck)
    assert s.rejected == [[1], [2]]


def test_cost_markers_are_dealt_open() -> None:
    """Rule WU-2.4, ruling R30."""
    t = dealt(2).play("p0 keep sp_most_pacts", "p1 keep sp_most_water")
    t.play("deal_cost_marker cm_stone", "deal_cost_marker cm_wood")
    assert t.state.cost_marker == [4, 2]
    assert t.position.view(1)["state"]["cost_marker"] == [4, 2]


def test_two_omens_each() -> None:
    """Rule WU-2.4."""
    t = opened(2)
    assert [len(hand) for hand in t.state.omens] == [2, 2]
    assert t.position.view(0)["state"]["omens"] == [t.state.omens[0], {"count": 2}]


def test_start_player_is_drawn_or_the_first_seat() -> None:
    """Rules WU-1.1 and WU-2.4, ruling R1."""
    assert opened(2).play("start 1").state.start == 1
    assert opened(2, start_player="first_seat").state.start == 0


def test_symmetric_masterboards_are_all_neutrality() -> None:
    """Rule WU-2.5."""
    t = opened(2).play("start 1")
    assert t.state.masterboard == [card("masterboard", "neutrality")] * 2


def test_asymmetric_masterboards_are_picked_from_the_start_player_on() -> None:
    """Rule WU-2.5, ruling R32."""
    t = opened(3, masterboards="asymmetric").play("start 1")
    assert t.position.to_move == (1,)
    assert t.options(1) == [f"take_board {name}" for name in ("architects", "thieves", "intelligence", "fate")]
    t.play("p1 take_board fate")
    assert t.options(2) == [f"take_board {name}" for name in ("architects", "thieves", "intelligence")]
    t.play("p2 take_board architects", "p0 take_board intelligence")
    assert [BOX.ids["masterboard"][face] for face in t.state.masterboard] == ["intelligence", "fate", "architects"]
    assert t.state.fields[19:22] == [[-1], [], [-1]]


def test_abilities_only_with_player_boards_b() -> None:
    """Rule WU-2.6, ruling R3."""
    t = opened(2, player_boards="b").play("start 0", "deal_ability free_pact", "deal_ability cleanse")
    assert [BOX.ids["ability"][ability] for ability in t.state.ability] == ["free_pact", "cleanse"]
    assert opened(2).play("start 0").state.ability == [-1, -1]


def test_two_pacts_each_from_the_same_four() -> None:
    """Rule WU-2.7."""
    t = opened(2).play("start 1", *(f"draw_pact fire_0{n}" for n in (1, 2, 3, 4)))
    # The first card dealt lies in the rightmost slot.
    assert t.state.display == [card("pact", f"fire_0{n}") for n in (4, 3, 2, 1)]
    assert t.options(1) == ["accept fire_01", "accept fire_02", "accept fire_03"]
    t.play("p1 accept fire_02")
    assert t.options(1) == ["accept fire_03", "accept fire_04"]
    t.play("p1 accept fire_04")
    assert t.state.display == [-1, -1, card("pact", "fire_03"), card("pact", "fire_01")]
    t.play("draw_pact wind_01", "draw_pact wind_02")
    assert t.state.display == [card("pact", id) for id in ("wind_02", "wind_01", "fire_03", "fire_01")]
    assert t.position.to_move == (0,)


def test_no_slot_gold_during_setup() -> None:
    """Rule WU-2.7, ruling R4."""
    for board in ("standard", "extreme"):
        t = opened(2, board=board).play("start 0", *(f"draw_pact fire_0{n}" for n in (1, 2, 3, 4)))
        t.play("p0 accept fire_01", "p0 accept fire_04")
        assert t.state.stock[0] == [1, 1, 1, 1, 1]


def test_max_rounds_is_off_or_at_least_ten() -> None:
    """Rules WU-1.1 and WU-10.4, ruling R2."""
    with pytest.raises(OptionError, match="10 to 60"):
        GAME.new(2, {"max_rounds": 5})
    assert GAME.new(2, {"max_rounds": 0}).options["max_rounds"] == 0


@pytest.mark.parametrize("seats", [1, 5])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    """Rule WU-1.1."""
    with pytest.raises(SeatCountError, match="2, 3, 4"):
        GAME.new(seats)
