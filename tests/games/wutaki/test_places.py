"""Places (WU-5): standard places, trading, VP or gift, plunder, and the limited supply."""

from itertools import permutations, product
from random import Random

import pytest

from atoll.engine import Choose, TurnDraft
from atoll.games.wutaki.components import Tokens
from atoll.games.wutaki.learn.positions import (
    BOX,
    accept,
    amounts,
    avenge,
    build,
    card,
    fill_maw,
    hire,
    hold,
    state,
    stock,
    table,
    upgrade,
)
from atoll.games.wutaki.prices import can_pay_reduced
from atoll.games.wutaki.state import WutakiState
from atoll.games.wutaki.tokens import choose_payment


@pytest.mark.parametrize(
    ("place", "kind", "standard", "extreme"),
    [
        ("merchant", "oil", (2, 3, 4), (2, 3, 4)),
        ("pasture", "sheep", (2, 3, 4), (2, 3, 4)),
        ("market", "gold", (3, 4, 4), (2, 3, 4)),
        ("quarry", "stone", (2, 3, 4), (2, 3, 4)),
        ("lumberyard", "wood", (2, 3, 4), (2, 3, 4)),
    ],
)
@pytest.mark.parametrize("level", [0, 1, 2])
def test_places_yield_by_level(
    place: str, kind: str, standard: tuple[int, ...], extreme: tuple[int, ...], level: int
) -> None:
    """Rule WU-5.2, ruling R37."""
    for board, yields in (("standard", standard), ("extreme", extreme)):
        s = state(3, board=board)
        stock(s, 0)
        upgrade(s, 1, *[place] * level)
        t = table(s).play(f"p0 visit loyal {place}")
        while t.position.to_move == (1,):  # two kinds to choose from
            t.play(f"p1 {t.options(1)[0]}")
        assert amounts(t.state, 0) == {kind: yields[level]}


@pytest.mark.parametrize(("level", "standard", "extreme"), [(0, 1, 1), (1, 2, 2), (2, 2, 3)])
def test_village_hires_up_to_its_level(level: int, standard: int, extreme: int) -> None:
    """Rules WU-4.1 and WU-5.2, ruling R37."""
    for board, most in (("standard", standard), ("extreme", extreme)):
        s = state(2, board=board)
        stock(s, 0, sheep=9)
        upgrade(s, 1, *["village"] * level)
        t = table(s).play("p0 visit loyal village", *["p1 bonus sheep"] * level)
        hired = 1  # the first one is due
        while t.position.to_move == (0,) and "hire" in t.options(0):
            assert t.options(0) == ["hire", "pass"]
            t.play("p0 hire")
            hired += 1
        assert hired == most == t.state.home[0][1]


def test_marker_bonuses_go_to_the_owners_whoever_visits() -> None:
    """Rule WU-5.3."""
    s = state(3)
    for seat in range(3):
        stock(s, seat)
    upgrade(s, 1, "quarry")
    upgrade(s, 2, "quarry")
    t = table(s).play("p0 visit loyal quarry")
    assert [amounts(t.state, seat) for seat in range(3)] == [{"stone": 4}, {"oil": 1}, {"oil": 1}]


def test_two_own_markers_bring_two_bonuses() -> None:
    """Rule WU-5.3, ruling R56."""
    s = state(2)
    stock(s, 0)
    upgrade(s, 0, "pasture", "pasture")
    t = table(s).play("p0 visit loyal pasture")
    assert amounts(t.state, 0) == {"sheep": 4, "wood": 2}


def test_marker_bonus_is_paid_once_a_visit() -> None:
    """Rules WU-3.6 and WU-5.3, ruling R11."""
    s = state(2)
    stock(s, 0)
    hire(s, 0, special=1)
    upgrade(s, 0, "quarry")
    t = table(s).play("p0 visit special quarry", "p0 again")
    assert amounts(t.state, 0) == {"stone": 6, "oil": 1}


@pytest.mark.parametrize(("place", "kinds"), [("market", ["oil", "stone"]), ("village", ["sheep", "wood"])])
def test_owner_chooses_the_bonus_at_market_and_village(place: str, kinds: list[str]) -> None:
    """Rule WU-5.3, ruling R12."""
    s = state(2)
    upgrade(s, 1, place, place)
    s.stock[0][1] = 0  # the village offers no second hire
    t = table(s).play(f"p0 visit loyal {place}")
    stock_before = dict(amounts(t.state, 1))
    assert t.position.to_move == (1,)
    assert t.options(1) == [f"bonus {kind}" for kind in kinds]
    t.play(f"p1 bonus {kinds[1]}", f"p1 bonus {kinds[0]}")
    assert amounts(t.state, 1) == {**stock_before, kinds[0]: 2, kinds[1]: 2}


def test_r12_the_bonus_comes_as_soon_as_the_place_is_visited() -> None:
    """Rules WU-3.6 and WU-5.3, ruling R12."""
    s = state(2)
    upgrade(s, 0, "village")
    upgrade(s, 1, "village")
    s.stock[0][1] = 2
    t = table(s).play("p0 visit loyal village")
    assert t.options(0) == ["bonus sheep", "bonus wood"]
    assert t.state.home[0] == [3, 0, 0]  # nobody is hired before
    t.play("p0 bonus sheep", "p1 bonus wood")
    assert (t.state.home[0], t.options(0)) == ([3, 1, 0], ["hire", "pass"])


@pytest.mark.parametrize(("markers", "sheep", "legal"), [(0, 1, False), (1, 1, True), (1, 0, False), (2, 0, True)])
def test_r10_own_markers_at_the_village_count_for_what_can_be_hired(markers: int, sheep: int, legal: bool) -> None:
    """Rule WU-3.9, ruling R10."""
    s = state(2)
    hire(s, 0, extra=1)
    stock(s, 0, sheep=sheep)
    upgrade(s, 0, *["village"] * markers)
    t = table(s)
    assert ("visit loyal village" in t.options(0)) == legal
    if legal:
        t.play("p0 visit loyal village", *["p0 bonus sheep"] * markers)
        assert t.state.home[0][1] == 2


def test_r10_a_marker_brings_nothing_that_the_supply_lacks() -> None:
    """Rule WU-3.9, ruling R10."""
    s = state(2)
    hire(s, 0, extra=1)
    stock(s, 0, sheep=1)
    stock(s, 1, sheep=s.supply[1] + s.stock[1][1])
    assert not s.supply[1]
    upgrade(s, 0, "village")
    assert "visit loyal village" not in table(s).options(0)


def test_bonus_kind_that_is_there_or_none() -> None:
    """Rule WU-5.3, ruling R12."""
    s = state(2)
    upgrade(s, 1, "market")
    stock(s, 0, oil=s.supply[3] + 1)
    t = table(s).play("p0 visit loyal market")
    assert amounts(t.state, 1)["stone"] == 2
    s = state(2)
    upgrade(s, 1, "market")
    stock(s, 0, oil=s.supply[3] + 1, stone=s.supply[4] + 1)
    t = table(s).play("p0 visit loyal market")
    assert amounts(t.state, 1) == {"gold": 1, "sheep": 1, "wood": 1, "oil": 1, "stone": 1}


def test_visitor_gets_the_last_bonus_token_before_others() -> None:
    """Rule WU-5.3, ruling R38."""
    s = state(2)
    stock(s, 0)
    upgrade(s, 1, "quarry")
    upgrade(s, 0, "quarry")
    stock(s, 1, oil=s.supply[3])  # one oil is left
    s.supply[3], s.stock[1][3] = 1, s.stock[1][3] + s.supply[3] - 1
    before = s.stock[1][3]
    t = table(s).play("p0 visit loyal quarry")
    assert amounts(t.state, 0) == {"stone": 4, "oil": 1}
    assert t.state.stock[1][3] == before


def test_tower_card_adds_to_every_execution() -> None:
    """Rules WU-5.2 and WU-7.3, ruling R11."""
    s = state(2)
    stock(s, 0)
    hire(s, 0, special=1)
    build(s, 0, "tw_sheep")
    t = table(s).play("p0 visit special pasture")
    assert amounts(t.state, 0) == {"sheep": 3}
    t.play("p0 again")
    assert amounts(t.state, 0) == {"sheep": 6}


def test_gain_is_limited_by_the_supply() -> None:
    """Rule WU-8.3."""
    s = state(2)
    stock(s, 1, stone=s.supply[4])
    s.supply[4], s.stock[1][4] = 1, s.stock[1][4] + s.supply[4] - 1
    stock_before = s.stock[0][4]
    t = table(s).play("p0 visit loyal quarry")
    assert t.state.stock[0][4] == stock_before + 1
    assert t.state.supply[4] == 0
    assert "visit loyal quarry" not in t.options(1)


def test_any_kind_is_picked_from_what_the_supply_has() -> None:
    """Rule WU-8.3."""
    s = state(2, round_card="ro_confession")
    avenge(s, 0, "ve_fire")
    for kind in (0, 1, 2, 3):
        s.stock[1][kind] += s.supply[kind]
        s.supply[kind] = 0
    t = table(s).play("p0 visit loyal round_place")
    assert t.state.stock[0][4] == 2  # only stone was left: no question


def test_trade_swaps_one_for_one() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0, wood=3, gold=1)
    t = table(s).play("p0 visit loyal trade", "p0 trade swap", "p0 pay gold 0", "p0 pay wood 3")
    t.play("p0 take gold 1", "p0 take sheep 0", "p0 take oil 2")
    assert amounts(t.state, 0) == {"gold": 2, "oil": 2}
    assert t.state.vp[0] == 5


def test_trade_has_no_kind_on_both_sides() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0, wood=2)
    t = table(s).play("p0 visit loyal trade", "p0 trade swap", "p0 pay wood 2", "p0 take gold 0", "p0 take sheep 0")
    assert t.options(0)[0].startswith("take oil")  # wood was put in


def test_trade_needs_the_taken_tokens_in_the_supply_before() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0, wood=5)
    for kind, left in enumerate((1, 0, 0, 2, 0)):
        s.stock[1][kind] += s.supply[kind] - left
        s.supply[kind] = left
    t = table(s).play("p0 visit loyal trade", "p0 trade swap")
    assert t.options(0) == ["pay wood 1", "pay wood 2", "pay wood 3"]
    t.play("p0 pay wood 3")
    assert amounts(t.state, 0) == {"gold": 1, "wood": 2, "oil": 2}


def test_trade_sacrifices_points_for_resources() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0)
    t = table(s).play("p0 visit loyal trade", "p0 take gold 1", "p0 take sheep 0", "p0 take wood 0", "p0 take oil 0")
    assert t.options(0) == [f"take stone {n}" for n in range(5)]
    t.play("p0 take stone 2")
    assert amounts(t.state, 0) == {"gold": 1, "stone": 2}
    assert t.state.vp[0] == 2


def test_trade_takes_at_least_one_resource_for_points() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0)
    t = table(s).play("p0 visit loyal trade", *(f"p0 take {kind} 0" for kind in ("gold", "sheep", "wood", "oil")))
    assert t.options(0) == [f"take stone {n}" for n in range(1, 6)]


def test_trade_without_points_and_tokens_is_impossible() -> None:
    """Rule WU-5.4."""
    s = state(2)
    stock(s, 0)
    s.vp[0] = 0
    assert "visit loyal trade" not in table(s).options(0)


def test_points_never_fall_below_zero_in_play() -> None:
    """Rule WU-8.4, ruling R8."""
    s = state(2)
    stock(s, 0)
    s.vp[0] = 1
    t = table(s).play("p0 visit loyal trade", "p0 take gold 1")
    assert t.state.vp[0] == 0


@pytest.mark.parametrize(("board", "vp"), [("standard", 3), ("extreme", 5)])
def test_points_or_gift_gives_points(board: str, vp: int) -> None:
    """Rule WU-5.1."""
    t = table(state(2, board=board)).play("p0 visit loyal vp_or_gift")
    assert t.state.vp[0] == 5 + vp


@pytest.mark.parametrize(("board", "price"), [("standard", 10), ("extreme", 8)])
def test_points_or_gift_gives_a_vengeance_card(board: str, price: int) -> None:
    """Rule WU-5.1."""
    s = state(2, board=board)
    stock(s, 0, wood=price, gold=1)
    avenge(s, 0, "ve_fire", "ve_wood")
    t = table(s).play("p0 visit loyal vp_or_gift")
    assert t.options(0) == ["option 1", "option 2"]
    t.play("p0 option 2", "p0 pay gold 1", "p0 give_vengeance ve_wood")
    assert amounts(t.state, 0) == {"wood": 1}
    assert t.state.vengeance == [[card("vengeance", "ve_fire")], [card("vengeance", "ve_wood")]]


def test_points_or_gift_without_a_card_is_points_only() -> None:
    """Rule WU-5.1."""
    s = state(2)
    stock(s, 0, wood=10)
    t = table(s).play("p0 visit loyal vp_or_gift")
    assert t.state.vp[0] == 8


def test_plunder_takes_everything_and_draws_vengeance() -> None:
    """Rule WU-5.5."""
    s = state(2)
    stock(s, 0)
    fill_maw(s, wood=4, oil=2)
    t = table(s).play("p0 visit loyal plunder", "draw_vengeance ve_oil")
    assert amounts(t.state, 0) == {"wood": 4, "oil": 2}
    assert t.state.maw == [0] * 5
    assert t.state.vengeance[0] == [card("vengeance", "ve_oil")]


def test_plunder_without_vengeance_cards_stays_legal() -> None:
    """Rules WU-5.5 and WU-8.5, ruling R9."""
    s = state(2)
    fill_maw(s, wood=1)
    avenge(s, 1, *BOX.ids["vengeance"])
    t = table(s).play("p0 visit loyal plunder")
    assert t.state.vengeance[0] == []
    assert t.position.to_move == (1,)


def test_sacrificed_tokens_go_to_the_maw_paid_ones_to_the_supply() -> None:
    """Rule WU-8.1."""
    s = state(2)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal market", "p0 fulfil fire_03")
    assert t.state.maw == [0, 0, 4, 0, 0]
    s = state(2)
    stock(s, 0, gold=6)
    before = s.supply[0]
    t = table(s).play("p0 visit loyal upgrade", "p0 upgrade quarry")
    assert t.state.supply[0] == before + 6
    assert t.state.maw == [0] * 5


def test_any_cost_is_chosen_by_the_payer_kind_by_kind() -> None:
    """Rule WU-8.1."""
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, gold=3, wood=4, stone=4)
    t = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering")
    assert t.options(0) == ["pay gold 0", "pay gold 1", "pay gold 2", "pay gold 3"]
    t.play("p0 pay gold 1")
    assert t.options(0) == ["pay wood 3", "pay wood 4"]
    t.play("p0 pay wood 3")  # the rest must be stone
    assert amounts(t.state, 0) == {"gold": 2, "wood": 1}
    assert t.state.maw == [1, 0, 3, 0, 4]


def test_any_cost_is_paid_in_any_order() -> None:
    """Rule WU-8.1."""
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, gold=3, wood=4, stone=4)
    position = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering").position
    gold, wood, stone = (position.parse(f"pay {each}") for each in ("gold 1", "wood 3", "stone 4"))
    outcomes = set()
    for order in permutations((gold, wood, stone)):
        clicked, listed = TurnDraft(position, 0), TurnDraft(position, 0)
        for each in order[:2]:
            clicked.add(each)
        listed.add(order)
        assert not clicked.picked, "the third follows"
        assert listed.choices == clicked.choices == [gold, wood]
        outcomes.add(tuple(clicked.position.state.stock[0]))
    assert outcomes == {(2, 0, 1, 0, 0)}


def test_an_amount_is_dropped_by_itself() -> None:
    """Rule WU-8.1."""
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, gold=3, wood=4, stone=4)
    position = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering").position
    draft = TurnDraft(position, 0, [position.parse("pay stone 2")])
    draft.remove(position.parse("pay stone 2"))
    assert draft.legal() == TurnDraft(position, 0).legal()


@pytest.mark.parametrize(
    ("chosen", "key", "fields"),
    [
        (["pay gold 0", "pay wood 2", "pay stone 0"], "too_few", {"n": 6}),
        (["pay gold 3", "pay wood 3", "pay stone 3"], "too_many", {"n": 1}),
        (["pay wood 4", "pay wood 3"], "amount_chosen", {"resource": 2}),
        (["pay gold 4"], "tokens_lacking", {"resource": [0]}),
        (["pay wood 0"], "too_few", {"n": 1}),
    ],
)
def test_the_reason_why_amounts_do_not_pay(chosen: list[str], key: str, fields: dict[str, object]) -> None:
    s = state(2)
    hold(s, 0, "om_great_offering")
    stock(s, 0, gold=3, wood=4, stone=4)
    position = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering").position
    *before, last = (position.parse(each) for each in chosen)
    found = position.game.why_not(TurnDraft(position, 0).view(before), last)
    assert found is not None
    assert (found.key, found.fields) == (key, fields)


@pytest.mark.parametrize(
    ("chosen", "key", "fields"),
    [
        (["take gold 2", "take wood 2"], "too_many", {"n": 1}),
        (["take gold 0", "take sheep 0", "take wood 0", "take oil 0", "take stone 0"], "too_few", {"n": 1}),
    ],
)
def test_the_reason_why_points_do_not_buy_an_amount(chosen: list[str], key: str, fields: dict[str, int]) -> None:
    s = state(2)
    stock(s, 0, gold=1)
    s.vp[0] = 3
    position = table(s).play("p0 visit loyal trade", "p0 trade vp_for_resources").position
    *before, last = (position.parse(each) for each in chosen)
    assert position.game.why_not(TurnDraft(position, 0).view(before[:1]), position.parse("take sheep 1")) is None
    found = position.game.why_not(TurnDraft(position, 0).view(before), last)
    assert found is not None
    assert (found.key, found.fields) == (key, fields)


def test_cost_marker_amounts_add_up() -> None:
    """Rule WU-8.1."""
    s = state(2)
    s.cost_marker[0] = 2  # wood
    accept(s, 0, "fire_11")
    hold(s, 0, "om_gold_rain")
    stock(s, 0, gold=5, wood=3)
    t = table(s).play("p0 visit loyal quarry")
    assert t.options(0) == ["fulfil fire_11", "pass"]


def payments(s: WutakiState, fixed: list[int], any_kind: int, discount: int) -> set[tuple[int, ...]]:
    """All ways to pay a price that the decisions allow."""
    found: set[tuple[int, ...]] = set()
    waiting: list[list[int]] = [[]]
    while waiting:
        answers = waiting.pop()
        flow = choose_payment(s, 0, fixed, any_kind, discount, "")
        try:
            ask = next(flow)
            for answer in answers:
                ask = flow.send(answer)
        except StopIteration as end:
            found.add(tuple(end.value))
            continue
        assert isinstance(ask, Choose)
        waiting += [[*answers, option] for option in ask.choices]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_payments_offered_are_exactly_the_valid_ones(seed: int) -> None:
    """Rule WU-8.1."""
    rng = Random(seed)
    s = state(2)
    have = [rng.randrange(4) for _ in range(5)]
    s.stock[0] = have
    fixed = [rng.choice((0, 0, 1, 2)) for _ in range(5)]
    any_kind, discount = rng.randrange(4), rng.choice((0, 0, 1, 2, 3))
    valid = set()
    for paid in product(*(range(n + 1) for n in have)):
        short = sum(max(0, n - given) for n, given in zip(fixed, paid, strict=True))
        extra = sum(max(0, given - n) for n, given in zip(fixed, paid, strict=True))
        if extra <= any_kind and short + any_kind - extra <= discount:
            valid.add(paid)
    pairs = tuple((kind, n) for kind, n in enumerate(fixed) if n)
    price = Tokens(pairs, (pairs,), 0, any_kind, sum(fixed) + any_kind)
    assert can_pay_reduced(have, price, 0, discount) == bool(valid)
    if valid:
        assert payments(s, fixed, any_kind, discount) == valid
