"""The worked examples of RULES.md, by their numbers; E1 is the rulebook's."""

from atoll.games.wutaki import GAME, scoring
from atoll.games.wutaki.learn.positions import (
    BOX,
    accept,
    amounts,
    at,
    avenge,
    build,
    card,
    fill_maw,
    fulfil_some,
    hire,
    hold,
    know_secret,
    lay_permanent,
    show,
    stand,
    state,
    stock,
    table,
    take_board,
    upgrade,
    who,
)
from atoll.games.wutaki.prices import hire_price
from atoll.games.wutaki.state import ROUND_START, WutakiState
from atoll.games.wutaki.workers import hire as hire_next


def lines(s: WutakiState, seat: int = 0) -> dict[str, int]:
    return {line.key: line.points for line in scoring.explain(s, seat)}


def test_e1_final_scoring_of_the_rulebook_133_points() -> None:
    """Rule WU-11.1, example E1."""
    s = state(3)
    s.vp[0] = 110
    avenge(s, 0, "ve_pacts_4", "ve_stone")
    s.pacts[0] = [card("pact", "earth_17")]
    fulfil_some(s, 0, "fire", 5)
    fulfil_some(s, 0, "water", 1)
    fulfil_some(s, 0, "earth", 1)
    know_secret(s, 0, "sp_most_fire")
    lay_permanent(s, 0, "om_keeper_of_omens")
    hold(s, 0, *("om_tax", "om_panic", "om_visions", "om_crumbs", "om_takeover", "om_sabotage", "om_rockfall"))
    hold(s, 0, "om_driftwood", "om_scapegoat")
    fulfil_some(s, 1, "fire", 3)
    fulfil_some(s, 2, "fire", 1)
    stock(s, 0, oil=5, wood=4, stone=2, gold=2)
    assert lines(s) == {
        "track": 110,
        "vengeance": -6,
        "unfulfilled": -8,
        "secret_pacts": 10,
        "elements": 10,
        "permanent": 10,
        "others": 4,
        "resources": 3,
    }
    assert GAME.scores(s)[0] == 133


def test_e2_element_malus() -> None:
    """Rule WU-11.5, example E2."""
    s = state(3)
    fulfil_some(s, 2, "earth", 3)
    fulfil_some(s, 2, "wind", 1)
    s.pacts[2] = [card("pact", "wind_17")]
    assert (lines(s, 2)["unfulfilled"], lines(s, 2)["elements"]) == (-8, -1)


def test_e3_one_unfulfilled_pact_of_the_anti_element_costs_13() -> None:
    """Rules WU-11.3 and WU-11.5, example E3."""
    s = state(2)
    s.pacts[0] = [card("pact", "water_17")]
    assert lines(s)["unfulfilled"] + lines(s)["elements"] == -13


def test_e4_neutrality_pact_by_pact() -> None:
    """Rule WU-9.1, example E4."""
    track = BOX.masterboards[card("masterboard", "neutrality")].track[2]
    assert [bool(effects) for effects in track] == [space in (1, 3, 5, 7, 9) for space in range(10)]
    s = state(2)
    s.counter = 1
    accept(s, 0, "fire_03", "earth_03")
    stock(s, 0, wood=4, sheep=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03")
    assert t.state.stock[0][0] == 2
    t.play("p0 fulfil earth_03")
    assert t.state.stock[0][0] == 2
    assert t.state.track[0] == 2


def test_e5_architects_use_both_upgrade_places() -> None:
    """Rules WU-7.1 and WU-9.3, example E5."""
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "architects")
    take_board(s, 1, "thieves")
    stock(s, 0, gold=11)
    upgrade(s, 1, "pasture")
    t = table(s).play("p0 visit loyal own_place", "p0 upgrade quarry")
    assert (t.state.stock[0][0], t.state.vp[0]) == (8, 6)
    t.play("p1 visit loyal market", "p0 visit loyal upgrade", "p0 upgrade pasture")
    assert (t.state.stock[0][0], t.state.vp[0]) == (0, 10)
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "architects")
    take_board(s, 1, "thieves")
    s.track[0], s.counter = 7, 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_03", "draw_vengeance ve_oil")
    assert t.state.vengeance[0] == [card("vengeance", "ve_oil")]


def test_e6_thieves_raid_leaves_the_fresh_tokens() -> None:
    """Rule WU-9.2, example E6."""
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "thieves")
    take_board(s, 1, "fate")
    fill_maw(s, wood=4, oil=2)
    s.track[0], s.counter = 1, 1
    accept(s, 0, "wind_14")
    stock(s, 0, wood=3, stone=2)
    t = table(s).play("p0 visit loyal market", "p0 fulfil wind_14")
    assert t.state.maw == [0, 0, 7, 2, 2]
    t.play("p0 raid")
    assert amounts(t.state, 0) == {"gold": 3, "wood": 4, "oil": 2}
    assert t.state.maw == [0, 0, 3, 0, 2]
    assert t.state.vengeance[0] == []


def test_e7_intelligence_multiplies() -> None:
    """Rule WU-11.7, example E7."""
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "intelligence")
    take_board(s, 1, "fate")
    s.multiplier[0] = 3
    fulfil_some(s, 1, "fire", 4)
    assert lines(s)["others"] == 16


def test_e8_trade() -> None:
    """Rule WU-5.4, example E8."""
    s = state(2)
    stock(s, 0, wood=5)
    t = table(s).play("p0 visit loyal trade", "p0 trade swap", "p0 pay wood 5")
    t.play("p0 take gold 0", "p0 take sheep 0", "p0 take oil 5")
    assert amounts(t.state, 0) == {"oil": 5}
    s = state(2)
    stock(s, 0)
    t = table(s).play("p0 visit loyal trade", "p0 take gold 1", "p0 take sheep 0", "p0 take wood 0", "p0 take oil 0")
    t.play("p0 take stone 2")
    assert (amounts(t.state, 0), t.state.vp[0]) == ({"gold": 1, "stone": 2}, 2)


def test_e9_quarry_with_markers() -> None:
    """Rules WU-5.2 and WU-5.3, example E9."""
    s = state(2)
    stock(s, 0)
    stock(s, 1)
    upgrade(s, 0, "quarry")
    s.active = 1
    t = table(s).play("p1 visit loyal quarry")
    assert (amounts(t.state, 0), amounts(t.state, 1)) == ({"oil": 1}, {"stone": 3})
    s = state(2)
    stock(s, 0)
    stock(s, 1)
    upgrade(s, 0, "quarry")
    upgrade(s, 1, "quarry")
    t = table(s).play("p0 visit loyal quarry")
    assert (amounts(t.state, 0), amounts(t.state, 1)) == ({"stone": 4, "oil": 1}, {"oil": 1})
    assert [(e["seat"], e["n"]) for e in t.events("gain")] == [(0, 1), (1, 1), (0, 4)]  # as soon as it is visited (R12)
    assert BOX.boards[0].upgrade_prices == (6, 8)


def test_e10_tower() -> None:
    """Rule WU-7.3, example E10."""
    assert BOX.tower_prices == (8, 10)
    s = state(2)
    s.element[0] = 2  # earth: its own lines stay out of the way
    s.element_pool.remove(2)
    build(s, 0, "tw_fire")
    fulfil_some(s, 0, "fire", 4)
    s.pacts[0] = [card("pact", "water_17")]
    assert lines(s)["elements"] == 2
    s = state(2)
    stock(s, 0)
    hire(s, 0, special=1)
    build(s, 0, "tw_sheep")
    t = table(s).play("p0 visit special pasture", "p0 again")
    assert amounts(t.state, 0) == {"sheep": 6}


def test_e11_the_rulebooks_fire_pact() -> None:
    """Rule WU-6.6, example E11."""
    s = state(2)
    s.cost_marker[0] = 4  # stone
    s.counter = 1
    accept(s, 0, "fire_11")
    stock(s, 0, gold=5, stone=1)
    hold(s, 0, "om_tax", "om_panic")
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_11", "p0 discard om_tax")
    assert t.state.maw == [5, 0, 0, 0, 3]
    assert [BOX.ids["omen"][each] for each in t.state.omen_discard] == ["om_tax"]
    assert (t.state.vp[0], t.state.track[0], t.state.counter) == (18, 1, 2)


def test_e12_great_offering_needs_eight() -> None:
    """Rule WU-8.1, example E12."""
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, wood=4, oil=4)
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering")
    assert (t.state.vp[0], t.state.maw) == (10, [0, 0, 4, 4, 0])
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, wood=4, oil=3)
    assert "visit loyal play_omen" not in table(s).options(0)


def test_e13_defiance() -> None:
    """Rule WU-11.6, example E13."""
    s = state(2)
    lay_permanent(s, 0, "om_defiance")
    avenge(s, 0, "ve_fire", "ve_oil", "ve_vengeance")
    stock(s, 0)
    assert (lines(s)["permanent"], lines(s)["vengeance"]) == (6, -8)


def test_e14_overfed_god() -> None:
    """Rule WU-11.2, example E14."""
    s = state(2)
    avenge(s, 0, "ve_pacts_8")
    fulfil_some(s, 0, "fire", 8)
    assert lines(s)["vengeance"] == 0
    fulfil_some(s, 0, "fire", 1)
    assert lines(s)["vengeance"] == -9


def test_e15_caravan() -> None:
    """Rule WU-3.11, example E15."""
    s = state(2, round_card="ro_caravan")
    stock(s, 0)
    t = table(s).play("p0 visit loyal round_place")
    assert amounts(t.state, 0) == {"sheep": 1, "wood": 1, "oil": 1, "stone": 1}


def test_e16_secret_pacts() -> None:
    """Rule WU-11.4, example E16."""
    s = state(3)
    know_secret(s, 0, "sp_most_pacts")
    for seat, n in enumerate((7, 6, 5)):
        fulfil_some(s, seat, "fire" if seat == 0 else "earth", n)
    assert lines(s)["secret_pacts"] == 10
    fulfil_some(s, 1, "wind", 1)
    assert lines(s)["secret_pacts"] == 0
    s = state(2)
    know_secret(s, 0, "sp_at_quarry")
    upgrade(s, 1, "quarry")
    assert lines(s)["secret_pacts"] == 0
    upgrade(s, 0, "quarry")
    assert lines(s)["secret_pacts"] == 5


def test_e17_counter() -> None:
    """Rule WU-6.2, example E17."""
    following = BOX.boards[0].counter_next
    assert [following[2][5], following[3][5], following[3][6]] == [0, 6, 0]
    assert [following[4][5], following[4][6], following[4][7]] == [6, 7, 0]
    for seats in (2, 3, 4):
        s = state(seats)
        s.counter = 5
        accept(s, 0, "fire_03")
        stock(s, 0, wood=4)
        t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03")
        assert t.state.counter == following[seats][5]
        assert t.position.to_move == (1,)  # no event
    s = state(3)
    s.start = 1
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03", "draw_omen om_tax", "draw_omen om_panic")
    t.play("draw_omen om_visions")
    assert [event["seat"] for event in t.events("omen_drawn")] == [1, 2, 0]


def test_e18_upkeep() -> None:
    """Rule WU-4.6, example E18."""
    s = state(2)
    s.cost_marker[0] = 2  # wood
    hire(s, 0, extra=3, special=1)
    stand(s, 0, "extra", "quarry")
    stand(s, 0, "extra", "market")
    s.counter = 4
    accept(s, 0, "earth_03")
    stock(s, 0, sheep=4, wood=2)
    t = table(s).play("p0 visit loyal pasture", "p0 fulfil earth_03")
    assert t.state.stock[0][2] == 0
    assert t.state.tower[0] == [0, 1, 1]  # the special one is gone
    assert t.options(0) == ["leave extra market", "leave extra quarry"]
    t.play("p0 leave extra market")
    assert t.state.tower[0] == [0, 2, 1]
    assert at(t.state, "quarry")[0] == who(0, "extra")
    assert t.state.home[0] == [3, 1, 0]


def test_e19_hiring_costs() -> None:
    """Rule WU-4.1, example E19."""
    s = state(3)
    stock(s, 2, oil=8, gold=2)
    prices = []
    for _ in range(5):
        prices.append(hire_price(s, 2, 0, free=False))
        hire_next(s, 2, 0, free=False)
    assert prices == [(0, 0), (2, 0), (2, 0), (2, 0), (2, 2)]
    assert amounts(s, 2) == {}


def test_e20_chase_with_the_special_worker() -> None:
    """Rules WU-4.2 and WU-4.3, example E20."""
    s = state(4)
    blue, green, red = 0, 1, 2
    stock(s, blue)
    hire(s, green, extra=2)
    stand(s, green, "extra", "market")
    stand(s, green, "extra", "market")
    stand(s, red, "loyal", "market")
    hire(s, blue, special=1)
    t = table(s).play("p0 visit special chase", "draw_vengeance ve_oil", "p0 move_in", "p0 again")
    assert amounts(t.state, blue) == {"gold": 6}
    assert t.state.tower[green] == [0, 4, 1]
    assert at(t.state, "market") == [who(blue, "special"), -1, who(red, "loyal"), -1]


def test_e21_sets_of_resources() -> None:
    """Rule WU-11.8, example E21."""
    s = state(2)
    for tokens, points in (
        ({"wood": 12, "stone": 7, "gold": 5}, 12),
        ({"gold": 30}, 15),
        (dict.fromkeys(("gold", "sheep", "wood", "oil", "stone"), 4), 0),
    ):
        stock(s, 0, **tokens)
        assert lines(s)["resources"] == points


def test_e22_display() -> None:
    """Rules WU-6.1, WU-6.3 and WU-6.4, example E22."""
    s = state(2)
    stock(s, 0)
    show(s, "fire_01", "fire_02", "fire_03", "fire_04")  # A B C D
    t = table(s).play("p0 visit loyal accept_pact", "p0 accept fire_03", "draw_pact wind_09")
    assert amounts(t.state, 0) == {"gold": 1}
    assert shown(t.state) == ["wind_09", "fire_01", "fire_02", "fire_04"]
    t.play("p1 visit loyal renew_pacts", *(f"draw_pact earth_0{n}" for n in (5, 6, 7, 8)))  # E F G H
    assert shown(t.state) == ["earth_08", "earth_07", "earth_06", "earth_05"]
    t.play("p1 accept earth_06", "draw_pact earth_09")
    assert shown(t.state) == ["earth_09", "earth_08", "earth_07", "earth_05"]
    assert t.state.stock[1] == [1, 1, 1, 1, 1]


def shown(s: WutakiState) -> list[str]:
    return [BOX.ids["pact"][each] for each in s.display]


def test_e23_chain_at_the_round_start() -> None:
    """Rule WU-3.10, example E23."""
    s = state(2)
    s.round_deck = sorted([*s.round_deck, s.round_card])
    s.round_card, s.phase = -1, ROUND_START
    fill_maw(s, oil=3)
    t = table(s).play("draw_round_card ro_whispers", "draw_omen om_tax", "draw_omen om_panic")
    t.play("draw_round_card ro_digestion", "draw_round_card ro_gold_vein")
    assert [len(hand) for hand in t.state.omens] == [1, 1]
    assert t.state.maw == [0] * 5
    assert t.state.fields[18] == [-1]


def test_e24_start_player() -> None:
    """Rule WU-5.6, example E24."""
    s = state(3)
    s.home = [[1, 0, 0], [2, 0, 0], [1, 0, 0]]
    stock(s, 1)
    t = table(s).play("p0 visit loyal quarry", "p1 visit loyal start_player", "p2 visit loyal quarry")
    assert amounts(t.state, 1) == {"wood": 2}
    assert t.position.to_move == (1,)
    t.play("p1 visit loyal quarry", "draw_round_card ro_gold_vein")
    assert t.state.start == 1
    assert t.position.to_move == (1,)


def test_e25_extreme_board() -> None:
    """Rule WU-12.2, example E25."""
    s = state(2, board="extreme")
    upgrade(s, 1, "village", "village")
    stock(s, 0, sheep=12, gold=2)
    hire(s, 0, special=1)
    t = table(s).play("p0 visit special village", "p1 bonus sheep", "p1 bonus sheep", "p0 hire", "p0 hire")
    assert t.state.home[0] == [4, 3, 0]  # no fourth extra worker; the special one is away
    assert BOX.boards[1].places[11].yields == (1, 2, 3)
    t = table(state(2, board="extreme")).play("p0 visit loyal draw_omen", "draw_omen om_tax", "draw_omen om_panic")
    assert len(t.state.omens[0]) == 2
    assert table(state(2, board="extreme")).play("p0 visit loyal vp_or_gift").state.vp[0] == 10
    s = state(2, board="extreme")
    stock(s, 0, gold=1)
    t = table(s).play("p0 visit loyal accept_pact")
    assert "accept wind_17" not in t.options(0)
    t = table(state(2, board="extreme")).play("p0 visit loyal gift_pact", "p0 gift wind_17", "draw_pact fire_01")
    t.play("draw_vengeance ve_oil")
    assert t.state.vp[0] == 5
    assert len(t.state.vengeance[0]) == 1


def test_e26_extreme_first_hire() -> None:
    """Rules WU-4.1 and WU-12.2, example E26."""
    assert hire_price(state(2, board="extreme"), 0, 0, free=False) == (2, 0)
