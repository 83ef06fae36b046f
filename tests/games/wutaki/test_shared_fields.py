"""The worker that is meant leaves a field that two share (WU-9.6, R43, R76)."""

import pytest

from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.wutaki import GAME
from atoll.games.wutaki.kinds import OWN_PLACE, PLACES
from atoll.games.wutaki.learn.positions import (
    accept,
    at,
    card,
    hire,
    hold,
    stand,
    state,
    stock,
    table,
    take_board,
    who,
)
from atoll.games.wutaki.picture.answer_texts import answers
from atoll.games.wutaki.state import WutakiState

LOYAL, EXTRA = who(0, "loyal"), who(0, "extra")


def crowding(seats: int = 2, **options: str) -> WutakiState:
    """Seat 0 has the ability to crowd in."""
    s = state(seats, player_boards="b", **options)
    s.ability[0] = card("ability", "crowd_in")
    s.ability_pool.remove(s.ability[0])
    return s


def share(s: WutakiState, worker: str, place: str, field: int) -> None:
    """Put a worker of seat 0 next to the one on a field, as in an earlier turn."""
    s.home[0][("loyal", "extra", "special").index(worker)] -= 1
    s.guest = [PLACES.index(place), field, who(0, worker)]
    s.ability_used[0] = True


def test_the_guest_moves_in_after_a_chase_and_its_twin_stays() -> None:
    """Rules WU-4.3 and WU-9.6, ruling R76."""
    s = crowding(4)
    stand(s, 1, "loyal", "chase")
    stand(s, 0, "loyal", "chase")
    hire(s, 2, extra=1)
    stand(s, 2, "extra", "quarry")
    t = table(s).play("p0 crowd_in loyal chase", "p0 beside 1", "draw_vengeance ve_oil", "p0 move_in")
    assert at(t.state, "chase") == [who(1, "loyal"), LOYAL]
    assert (t.state.guest, t.state.free[PLACES.index("chase")]) == ([], 0)
    assert at(t.state, "quarry")[0] == LOYAL
    assert "visit loyal chase" not in t.options(1)


def test_a_worker_beside_an_older_guest_leaves_a_free_field_when_it_moves_in() -> None:
    """Rules WU-4.3 and WU-9.6, ruling R76."""
    s = crowding(4)
    stand(s, 1, "loyal", "chase")
    share(s, "loyal", "chase", 0)
    hire(s, 2, extra=1)
    stand(s, 2, "extra", "quarry")
    t = table(s).play("p0 visit loyal chase", "draw_vengeance ve_oil", "p0 move_in")
    assert at(t.state, "chase") == [who(1, "loyal"), -1]
    assert t.state.guest == [PLACES.index("chase"), 0, LOYAL]


def test_second_wind_takes_an_older_guest_back_and_not_the_worker_of_this_turn() -> None:
    """Rule WU-9.6, ruling R76."""
    s = crowding(2)
    stand(s, 1, "loyal", "play_omen")
    share(s, "loyal", "play_omen", 0)
    hold(s, 0, "om_second_wind")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_second_wind")
    assert at(t.state, "play_omen") == [who(1, "loyal"), LOYAL]
    assert t.state.guest == []
    assert t.state.home[0] == [3, 0, 0]


def test_second_wind_leaves_a_guest_of_this_turn_and_takes_its_twin_back() -> None:
    """Rule WU-9.6, ruling R76."""
    s = crowding(2)
    stand(s, 1, "loyal", "play_omen")
    stand(s, 0, "loyal", "play_omen")
    hold(s, 0, "om_second_wind")
    t = table(s).play("p0 crowd_in loyal play_omen", "p0 beside 1", "p0 play om_second_wind")
    assert at(t.state, "play_omen") == [who(1, "loyal"), -1]
    assert t.state.guest == [PLACES.index("play_omen"), 0, LOYAL]


@pytest.mark.parametrize(("beside", "fields"), [("beside 1", [-1, LOYAL]), ("beside 2", [LOYAL, -1])])
def test_the_owner_says_which_of_two_like_workers_comes_back(beside: str, fields: list[int]) -> None:
    """Rule WU-9.6, ruling R76."""
    s = crowding(2)
    stand(s, 0, "loyal", "quarry")
    stand(s, 0, "loyal", "quarry")
    s.guest = [PLACES.index("quarry"), 0, who(1, "loyal")]
    s.home[1][0] -= 1
    hold(s, 0, "om_second_wind")
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_second_wind")
    assert t.position.decision(0).prompt == "recall_worker"
    assert t.options(0) == ["beside 1", "beside 2"]
    t.play(f"p0 {beside}")
    assert at(t.state, "quarry") == ([who(1, "loyal"), LOYAL] if beside == "beside 1" else fields)
    assert bool(t.state.guest) == (beside == "beside 2")


def upkeep_of(s: WutakiState) -> ScriptedGame:
    """Seat 0 fulfils a pact that brings the upkeep; it can pay for nobody."""
    s.counter = 4
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    return table(s).play("p0 visit loyal merchant", "p0 fulfil fire_03")


@pytest.mark.parametrize("shared", [True, False])
def test_at_the_upkeep_the_owner_says_which_of_two_like_workers_leaves(shared: bool) -> None:
    """Rules WU-4.6 and WU-9.6, ruling R76."""
    s = crowding(2)
    hire(s, 0, extra=2)
    s.cost_marker = [2, 1]
    stand(s, 1, "loyal", "quarry")
    stand(s, 0, "extra", "quarry")
    share(s, "extra", "quarry", 0)
    s.counter = 4
    accept(s, 0, "fire_03")
    stock(s, 0, wood=5)
    t = table(s).play("p0 visit loyal merchant", "p0 fulfil fire_03")
    assert t.position.decision(0).prompt == "let_worker_go"
    assert t.options(0) == ["beside 1", "beside 2"]
    shown = answers(GAME, t.position.view(0), GameMessages(GAME, "en", ["Ada", "Bo"]))
    assert shown[GAME.parse("beside 1")] == "Quarry: loyal worker of Bo, extra worker of Ada"
    assert shown[GAME.parse("beside 2")] == "Quarry: extra worker of Ada"
    t.play("p0 beside 1" if shared else "p0 beside 2")
    assert at(t.state, "quarry") == [who(1, "loyal"), EXTRA if shared else -1]
    assert bool(t.state.guest) == (not shared)
    assert t.state.tower[0] == [0, 3, 1]


def test_at_the_upkeep_nothing_is_asked_where_both_leave() -> None:
    """Rules WU-4.6 and WU-9.6, ruling R76."""
    s = crowding(2)
    hire(s, 0, extra=2)
    stand(s, 1, "loyal", "quarry")
    stand(s, 0, "extra", "quarry")
    share(s, "extra", "quarry", 0)
    t = upkeep_of(s)
    assert at(t.state, "quarry") == [who(1, "loyal"), -1]
    assert (t.state.guest, t.state.tower[0]) == ([], [0, 4, 1])


def test_a_chase_drives_off_both_of_a_shared_field_and_the_place_is_free() -> None:
    """Rules WU-4.2 and WU-9.6, ruling R43."""
    s = crowding(2)
    hire(s, 0, extra=2)
    stand(s, 0, "extra", "quarry")
    share(s, "extra", "quarry", 0)
    s.active = 1
    t = table(s).play("p1 visit loyal chase", "draw_vengeance ve_oil")
    assert at(t.state, "quarry") == [-1, -1]
    assert (t.state.guest, t.state.tower[0]) == ([], [0, 4, 1])
    assert t.options(1) == ["move_in", "pass"]


@pytest.mark.parametrize("shared", [True, False])
def test_a_sacrificed_worker_is_the_one_that_its_owner_names(shared: bool) -> None:
    """Rules WU-4.5 and WU-9.6, ruling R76."""
    s = crowding(2, masterboards="asymmetric")
    take_board(s, 0, "intelligence")
    take_board(s, 1, "thieves")
    hire(s, 0, extra=2)
    stand(s, 1, "loyal", "quarry")
    stand(s, 0, "extra", "quarry")
    share(s, "extra", "quarry", 0)
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    t = table(s).play("p0 visit loyal own_place")
    assert t.position.decision(0).prompt == "give_up_worker"
    t.play("p0 beside 1" if shared else "p0 beside 2")
    assert at(t.state, "quarry") == [who(1, "loyal"), EXTRA if shared else -1]
    assert t.state.multiplier[0] == 1


def test_a_visitor_beside_its_twin_does_not_give_itself_up() -> None:
    """Rules WU-4.5 and WU-9.6, ruling R76."""
    s = crowding(2, masterboards="asymmetric")
    take_board(s, 0, "intelligence")
    take_board(s, 1, "thieves")
    hire(s, 0, extra=2)
    stand(s, 0, "extra", "own_place")
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    t = table(s).play("p0 crowd_in extra own_place")
    assert (t.state.fields[OWN_PLACE], t.state.guest) == ([EXTRA], [])
    assert t.state.tower[0] == [0, 3, 1]
