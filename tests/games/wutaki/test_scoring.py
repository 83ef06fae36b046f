"""Final scoring (WU-11): the seven steps, metrics, secret pacts with ties."""

import pytest

from atoll.engine import ScoreLine
from atoll.engine.translations import GameMessages
from atoll.games.wutaki import GAME, scoring
from atoll.games.wutaki.components import METRICS
from atoll.games.wutaki.learn.positions import (
    accept,
    avenge,
    build,
    card,
    fulfil_some,
    hire,
    hold,
    know_secret,
    lay_permanent,
    stand,
    state,
    stock,
    take_board,
    upgrade,
)
from atoll.games.wutaki.state import WutakiState


def lines(s: WutakiState, seat: int = 0) -> dict[str, int]:
    return {line.key: line.points for line in scoring.explain(s, seat)}


def metric(s: WutakiState, name: str, seat: int = 0) -> int:
    return scoring.metric(s, seat, METRICS.index(name))


def test_seven_steps_in_the_order_of_the_rulebook() -> None:
    """Rule WU-11.1."""
    assert list(lines(state(2))) == [
        "track",
        "vengeance",
        "unfulfilled",
        "secret_pacts",
        "elements",
        "permanent",
        "others",
        "resources",
    ]


def test_points_of_the_lines_add_up_to_the_score() -> None:
    """Rule WU-11.1."""
    s = state(3)
    stock(s, 0, oil=5)
    avenge(s, 0, "ve_oil")
    know_secret(s, 0, "sp_kept_word")
    found: list[ScoreLine] = GAME.explain(s)[0]
    assert sum(line.points for line in found) == GAME.scores(s)[0]
    for line in found[1:]:
        assert sum(part.points for part in line.parts) == line.points


def test_step_1_penalty_only_beyond_the_limit() -> None:
    """Rule WU-11.2."""
    s = state(2)
    avenge(s, 0, "ve_stone", "ve_gold")
    stock(s, 0, stone=4, gold=6)
    assert lines(s)["vengeance"] == -6
    stock(s, 0, stone=5, gold=5)
    assert lines(s)["vengeance"] == -5


def test_step_2_eight_points_for_each_unfulfilled_pact() -> None:
    """Rule WU-11.3."""
    s = state(2)
    s.pacts[0] = [card("pact", "fire_01"), card("pact", "earth_01")]
    assert lines(s)["unfulfilled"] == -16


def test_step_4_tower_element_adds_to_the_element_card() -> None:
    """Rules WU-7.3 and WU-11.5."""
    s = state(2)  # seat 0 controls fire
    fulfil_some(s, 0, "fire", 2)
    fulfil_some(s, 0, "water", 1)
    build(s, 0, "tw_water")
    assert lines(s)["elements"] == 2 * 3 - 5 + 1 - 2 * 2


def test_step_4_own_anti_element_may_be_built() -> None:
    """Rules WU-7.1 and WU-11.5."""
    s = state(2)
    fulfil_some(s, 0, "water", 3)
    build(s, 0, "tw_water")
    assert lines(s)["elements"] == -15 + 3


def test_step_6_does_not_count_the_tower_element() -> None:
    """Rules WU-7.3 and WU-11.7, ruling R21."""
    s = state(2)
    fulfil_some(s, 1, "fire", 2)
    fulfil_some(s, 1, "wind", 3)
    build(s, 0, "tw_wind")
    assert lines(s)["others"] == 2


@pytest.mark.parametrize(("position", "times"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_step_6_multiplier_of_intelligence(position: int, times: int) -> None:
    """Rules WU-9.3 and WU-11.7."""
    s = state(3, masterboards="asymmetric")
    for seat, board in enumerate(("intelligence", "thieves", "fate")):
        take_board(s, seat, board)
    s.multiplier[0] = position
    fulfil_some(s, 1, "fire", 3)
    fulfil_some(s, 2, "fire", 1)
    assert lines(s)["others"] == 4 * times


@pytest.mark.parametrize(
    ("tokens", "points"),
    [
        ({"wood": 12, "stone": 7, "gold": 5}, 12),
        ({"gold": 30}, 15),
        ({"gold": 4, "sheep": 4, "wood": 4, "oil": 4, "stone": 4}, 0),
    ],
)
def test_step_7_three_points_per_five_equal_resources(tokens: dict[str, int], points: int) -> None:
    """Rule WU-11.8."""
    s = state(2)
    stock(s, 0, **tokens)
    assert lines(s)["resources"] == points


def test_steps_do_not_influence_each_other() -> None:
    """Rule WU-11.1."""
    s = state(2)
    s.vp[0] = 0
    s.pacts[0] = [card("pact", "fire_01")]
    stock(s, 0)
    assert scoring.score(s, 0) == -8  # no lower limit


def test_metrics() -> None:
    """Rule WU-11.9."""
    s = state(3)
    fulfil_some(s, 0, "fire", 2)
    fulfil_some(s, 0, "wind", 1)
    hire(s, 0, extra=2, special=1)
    stand(s, 0, "extra", "quarry")
    hold(s, 0, "om_tax", "om_panic")
    lay_permanent(s, 0, "om_hoard")
    avenge(s, 0, "ve_fire", "ve_oil")
    upgrade(s, 0, "quarry", "quarry", "village")
    build(s, 0, "tw_fire")
    s.pyramid[0] = 3
    stock(s, 0, gold=3, wood=2)
    s.pacts[0] = [card("pact", "earth_01")]
    found = {name: metric(s, name) for name in METRICS}
    assert found == {
        "fulfilled_pacts": 3,
        "fulfilled_fire": 2,
        "fulfilled_water": 0,
        "fulfilled_earth": 0,
        "fulfilled_wind": 1,
        "unfulfilled_pacts": 1,
        "pact_elements": 2,
        "omen_cards": 3,
        "vengeance_cards": 2,
        "hired_workers": 3,
        "upgrades_done": 4,
        "place_upgrades": 3,
        "tower_upgrades": 1,
        "pyramid_level": 3,
        "gold": 3,
        "sheep": 0,
        "wood": 2,
        "oil": 0,
        "stone": 0,
        "resources": 5,
        "upgrade_at:merchant": 0,
        "upgrade_at:pasture": 0,
        "upgrade_at:market": 0,
        "upgrade_at:quarry": 2,
        "upgrade_at:lumberyard": 0,
        "upgrade_at:village": 1,
    }


def test_secret_pact_for_the_most() -> None:
    """Rule WU-11.4."""
    s = state(3)
    know_secret(s, 0, "sp_most_pacts")
    fulfil_some(s, 0, "fire", 7)
    fulfil_some(s, 1, "water", 6)
    fulfil_some(s, 2, "earth", 5)
    assert lines(s)["secret_pacts"] == 10


def test_secret_pact_with_a_tie_fails_for_all() -> None:
    """Rule WU-11.4, ruling R64."""
    s = state(2)
    know_secret(s, 0, "sp_most_pacts")
    fulfil_some(s, 0, "fire", 7)
    fulfil_some(s, 1, "water", 7)
    assert lines(s)["secret_pacts"] == 0
    assert not scoring.holds(s, 1, card("secret_pact", "sp_most_pacts"))
    assert not scoring.holds(state(2), 0, card("secret_pact", "sp_most_pacts"))  # also when everybody has none


def test_several_secret_pacts_all_score_and_failing_costs_nothing() -> None:
    """Rule WU-11.4, ruling R63."""
    s = state(2)
    know_secret(s, 0, "sp_kept_word", "sp_most_gold", "sp_full_tower")
    stock(s, 0, gold=3)
    assert lines(s)["secret_pacts"] == 5 + 6


def test_secret_pact_for_balance() -> None:
    """Rule WU-11.4."""
    s = state(2)
    know_secret(s, 0, "sp_four_elements")
    for element in ("fire", "water", "earth"):
        fulfil_some(s, 0, element, 1)
    assert lines(s)["secret_pacts"] == 0
    fulfil_some(s, 0, "wind", 1)
    assert lines(s)["secret_pacts"] == 7


def parts(s: WutakiState, key: str) -> list[str]:
    """Return the texts of the parts of a line of seat 0's score."""
    words = GameMessages(GAME, "en", ["Ann", "Bob", "Cleo"])
    [line] = [line for line in scoring.explain(s, 0) if line.key == key]
    return [words.score(part) for part in line.parts]


def test_the_score_says_why_a_secret_pact_failed() -> None:
    s = state(3)
    know_secret(s, 0, "sp_most_pacts", "sp_four_elements", "sp_kept_word", "sp_at_quarry")
    fulfil_some(s, 0, "fire", 2)
    fulfil_some(s, 1, "water", 1)
    fulfil_some(s, 2, "wind", 2)
    accept(s, 0, "earth_01")
    upgrade(s, 0, "quarry")
    assert sorted(parts(s, "secret_pacts")) == [
        "Balance of Forces: 1, required 4",
        "Buka's Favourite: 2, but Cleo has 2",
        "Quarry Lord: 1",
        "Word Kept: 1, allowed 0",
    ]


def test_reminders_name_what_each_own_card_will_cost() -> None:
    s = state(2)
    accept(s, 0, "earth_01", "water_01")
    avenge(s, 0, "ve_pacts_4", "ve_stone")
    fulfil_some(s, 0, "fire", 5)
    know_secret(s, 0, "sp_at_quarry")
    build(s, 0, "tw_fire")
    found = scoring.reminders(s, 0)
    water, earth = card("pact", "water_01"), card("pact", "earth_01")
    assert found["pact"] == [[water, -8 - 5 - 2, 0], [earth, -8, 0]]
    assert [card("vengeance", "ve_pacts_4"), -6, 5] in found["vengeance"]
    assert [card("vengeance", "ve_stone"), 0, 1] in found["vengeance"]
    assert found["secret_pact"] == [[card("secret_pact", "sp_at_quarry"), 0, 0]]
    assert sum(points for _, points, _ in found["vengeance"]) == scoring.score_vengeance(s, 0).points
