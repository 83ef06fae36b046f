"""End of the game (WU-10)."""

import pytest

from atoll.bots import bot
from atoll.engine import SeatView
from atoll.games.wutaki import GAME
from atoll.games.wutaki.learn.positions import accept, avenge, card, hire, hold, stand, state, stock, table, upgrade
from atoll.games.wutaki.state import FINAL, ROUND_START, WutakiState

TOP = {"gold": 6, "sheep": 2, "wood": 2, "oil": 2, "stone": 2}


def near_the_end(seats: int = 3, **options: str) -> WutakiState:
    """Seat 0 needs 3 points to end the game; its turn."""
    s = state(seats, **options)
    s.vp[0] = 97
    return s


def test_hundred_points_end_the_game() -> None:
    """Rules WU-8.4 and WU-10.1."""
    t = table(near_the_end()).play("p0 visit loyal vp_or_gift")
    assert t.state.ender == 0
    assert t.state.ending
    assert not t.state.ended_by_pyramid
    assert t.position.to_move == (1,)


def test_top_of_the_pyramid_ends_the_game() -> None:
    """Rules WU-7.2 and WU-10.1."""
    s = state(3)
    s.pyramid[0] = 3
    s.upgrade_markers[0] = 5
    stock(s, 0, **TOP)
    t = table(s).play("p0 visit loyal pyramid")
    assert t.state.ender == 0
    assert t.state.ended_by_pyramid
    assert t.position.to_move == (1,)


def test_everybody_else_takes_one_last_turn() -> None:
    """Rule WU-10.2."""
    t = table(near_the_end()).play("p0 visit loyal vp_or_gift", "p1 visit loyal quarry")
    assert t.position.to_move == (2,)
    t.play("p2 visit loyal quarry")
    assert t.position.over
    assert t.state.round == 1  # no round end takes place any more
    assert t.state.home[0] == [3, 0, 0]


def test_the_enders_turn_is_finished_with_the_bonus_step() -> None:
    """Rule WU-10.1, ruling R27."""
    s = near_the_end()
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    s.counter = 1
    t = table(s).play("p0 visit loyal vp_or_gift")
    assert t.options(0) == ["fulfil fire_03", "pass"]
    t.play("p0 fulfil fire_03")
    assert t.state.vp[0] == 107
    assert t.position.to_move == (1,)


def test_last_turn_may_be_declined_as_a_whole() -> None:
    """Rule WU-10.2, ruling R75."""
    t = table(near_the_end()).play("p0 visit loyal vp_or_gift")
    assert t.options(1)[-1] == "pass"
    t.play("p1 pass", "p2 pass")
    assert t.position.over


def test_a_last_turn_that_has_begun_is_taken() -> None:
    """Rule WU-10.2, ruling R75."""
    s = near_the_end(player_boards="b")
    s.ability[1] = card("ability", "cleanse")
    s.ability_pool.remove(s.ability[1])
    avenge(s, 1, "ve_oil")
    t = table(s).play("p0 visit loyal vp_or_gift", "p1 use cleanse")
    assert "pass" not in t.options(1)


def test_no_last_turn_without_an_available_worker() -> None:
    """Rule WU-10.2."""
    s = near_the_end()
    s.home[1] = [0, 0, 0]
    t = table(s).play("p0 visit loyal vp_or_gift")
    assert t.position.to_move == (2,)


def test_workers_hired_in_a_last_turn_give_no_further_turn() -> None:
    """Rule WU-10.2."""
    s = near_the_end(2)
    s.home[1] = [1, 0, 0]
    t = table(s).play("p0 visit loyal vp_or_gift", "p1 visit loyal village")
    assert t.position.over


def test_further_triggers_have_no_effect() -> None:
    """Rule WU-10.2."""
    s = near_the_end()
    s.vp[1] = 99
    t = table(s).play("p0 visit loyal vp_or_gift", "p1 visit loyal vp_or_gift")
    assert t.state.ender == 0
    assert t.position.to_move == (2,)
    t.play("p2 visit loyal quarry")
    assert t.position.over


def test_the_end_stays_when_the_ender_drops_below_hundred() -> None:
    """Rule WU-10.1, ruling R68."""
    s = near_the_end(2)
    hire(s, 0, special=1)
    s.vp[0] = 99
    accept(s, 0, "fire_03")
    t = table(s).play("p0 visit special vp_or_gift", "p0 again")
    assert t.state.vp[0] == 105
    s = state(2)
    s.vp[0], s.ender = 95, 0
    t = table(s).play("p0 visit loyal quarry")
    assert t.state.ending


def test_trigger_of_another_seat_leaves_the_active_player_the_last_turn() -> None:
    """Rule WU-10.2, ruling R28."""
    s = state(3)
    s.ender = 1  # no card of this set does that, but the rule must hold (R28)
    t = table(s).play("p0 visit loyal quarry")
    assert t.position.to_move == (2,)
    t.play("p2 visit loyal quarry")
    assert t.position.to_move == (0,)
    t.play("p0 visit loyal market")
    assert t.position.over


def test_trigger_outside_a_turn_starts_with_the_start_player() -> None:
    """Rule WU-10.2."""
    s = state(3)
    s.round_deck = sorted([*s.round_deck, s.round_card])
    s.round_card, s.phase, s.start, s.ender = -1, ROUND_START, 1, 2
    s.vp = [5, 6, 7]
    t = table(s).play("draw_round_card ro_caravan")
    assert t.position.to_move == (1,)
    t.play("p1 pass")
    assert t.position.to_move == (0,)
    t.play("p0 pass")
    assert t.position.over


def test_two_triggers_in_one_turn_are_one_end() -> None:
    """Rule WU-10.1, ruling R71."""
    s = state(2)
    s.vp[0] = 90
    s.pyramid[0] = 3
    s.upgrade_markers[0] = 5
    stock(s, 0, **TOP)
    t = table(s).play("p0 visit loyal pyramid")
    assert t.state.ender == 0
    assert not t.state.ended_by_pyramid  # the points came first
    t.play("p1 pass")
    assert t.position.over


# -- WU-10.3 Winner ---------------------------------------------------------------------------------------------------


def final(seats: int = 3) -> WutakiState:
    """The moment before the final scoring, all equal."""
    s = state(seats)
    s.phase = FINAL
    return s


def test_most_points_win() -> None:
    """Rule WU-10.3."""
    s = final()
    s.vp = [7, 9, 8]
    assert table(s).position.ranking() == [3, 1, 2]


def test_tie_is_broken_by_tokens() -> None:
    """Rule WU-10.3."""
    s = final()
    stock(s, 1, gold=4, sheep=4)
    stock(s, 2, gold=2)
    assert table(s).position.ranking() == [2, 1, 3]


def test_tie_of_tokens_is_broken_by_upgrades_done() -> None:
    """Rule WU-10.3."""
    s = final()
    upgrade(s, 2, "quarry")
    s.pyramid[1] = 0
    assert table(s).position.ranking() == [2, 2, 1]  # ranks below share


@pytest.mark.parametrize("level", ["greedy", "search"])
@pytest.mark.parametrize(("start", "tied", "named"), [(2, (0, 1), 0), (1, (0, 2), 2), (1, (0, 1), 1)])
def test_who_plays_for_a_missing_holder_names_the_first_of_the_tied_in_turn_order(
    level: str, start: int, tied: tuple[int, int], named: int
) -> None:
    """Rule WU-10.3, ruling R29."""
    s = final()
    s.start = start
    for seat in tied:
        upgrade(s, seat, "quarry")
    position = table(s).position
    player = bot(GAME, level, iterations=20)
    for seed in range(3):
        assert player.choose(SeatView(position, start), 5.0, seed) == [GAME.parse(f"winner {named}")]


def test_tie_of_all_is_decided_by_the_holder_of_the_start_marker() -> None:
    """Rule WU-10.3, ruling R29."""
    s = final()
    s.start = 2
    upgrade(s, 0, "quarry")
    upgrade(s, 1, "quarry")
    t = table(s)
    assert t.position.to_move == (2,)
    assert t.options(2) == ["winner 0", "winner 1"]
    t.play("p2 winner 1")
    assert t.position.over
    assert t.position.ranking() == [2, 1, 3]


def test_the_holder_may_choose_himself() -> None:
    """Rule WU-10.3, ruling R29."""
    t = table(final(2)).play("p0 winner 0")
    assert t.position.ranking() == [1, 2]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_hidden_cards_are_revealed_at_the_end(seats: int) -> None:
    """Rule WU-11.1."""
    s = final(seats)
    s.vp[0] = 9
    avenge(s, 0, "ve_oil")
    hold(s, 0, "om_tax")
    t = table(s)
    view = t.position.view(1)["state"]
    assert view["element"][0] == 0
    assert view["vengeance"][0] == [card("vengeance", "ve_oil")]
    assert view["omens"][0] == [card("omen", "om_tax")]
    assert view["element_pool"] == {"count": 4 - seats}  # never dealt ones: never


def test_workers_stay_where_they_are_for_the_scoring() -> None:
    """Rule WU-11.1."""
    s = near_the_end(2)
    hire(s, 1, extra=1)
    stand(s, 1, "extra", "quarry")
    t = table(s).play("p0 visit loyal vp_or_gift", "p1 pass")
    assert t.state.fields[9][0] >= 0
