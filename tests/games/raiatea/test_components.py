"""The components (RA-1): binding counts, a closed vocabulary, damaged data refused by table and id."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.raiatea import GAME
from atoll.games.raiatea.components import EVERY, VERBS, Effect
from atoll.games.raiatea.effects import FLOWS, INSTANT
from atoll.games.raiatea.kinds import MIRROR_MASK
from atoll.games.raiatea.learn.positions import BOX, ritual, task
from atoll.games.raiatea.rules import Raiatea


def test_counts_of_the_box() -> None:
    """Rules RA-1.2 and RA-1.3."""
    plain, with_tane = BOX.decks
    assert [len(deck) for deck in plain] == [46, 32]
    assert [len(deck) for deck in with_tane] == [55, 37]
    assert [len(pool) for pool in BOX.task_pools] == [24, 22, 22]
    assert len(BOX.forest_deck) == 72
    assert sum(BOX.start_assistants) + sum(BOX.start_goods) + len(BOX.start_masks) == 36
    assert [len(row) for row in BOX.rows] == [1, 2, 3, 4, 3, 3, 1, 2, 3, 4, 3, 2, 1, 1, 2, 2, 3, 3, 3, 2]
    assert len(BOX.god_ids) == 13
    assert BOX.forest_deck.count(0) + BOX.start_goods[0] == 9  # commodities per type
    assert BOX.forest_deck.count(4) + BOX.start_assistants[0] == 11  # assistants per type


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_invariants_hold_at_every_moment_of_a_game(seats: int) -> None:
    """Rule RA-1.4."""
    rng = Random(seats)
    position = GAME.new(seats, {"tane": True}, seed=seats)
    counted = GAME.component_counts(position.state)
    per_type = [counted[f"commodity {kind}"] for kind in range(4)] + [counted[f"assistant {kind}"] for kind in range(4)]
    assert per_type == [9] * 4 + [11] * 4
    assert sum(counted[f"mask {id}"] for id in BOX.god_ids) == 28
    assert sum(counted[f"ritual {id}"] for id in BOX.ritual_ids) == 92
    while not position.over:
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
        s = position.state
        assert sorted(s.favour) == list(range(seats))
        assert all(1 <= price <= 4 for price in s.prices)
        assert all(0 <= tattoos <= 10 for tattoos in s.tattoos)
        assert all(0 <= priests <= 12 for priests in s.priests)
        assert min(*s.pearls, *s.mana, s.bag_mana) >= 0
        for masks in s.masks:
            gods = [mask for mask in masks if mask != MIRROR_MASK]
            assert len(gods) == len(set(gods))
    assert GAME.component_counts(position.state) == counted


def test_every_verb_has_exactly_one_implementation() -> None:
    """Rule RA-6.1."""
    assert sorted([*FLOWS, *INSTANT]) == list(range(len(VERBS)))


def test_effects_are_data() -> None:
    """Rule RA-6.1."""
    assert BOX.ritual_effects[ritual("rua_hatu")] == (Effect(VERBS.index("gain_pearls"), 3),)
    assert BOX.ritual_effects[ritual("pere")][1].amount == EVERY
    assert BOX.ritual_effects[ritual("hina")][0].amount == 6


@pytest.mark.parametrize(
    ("name", "discount", "payments"),
    [
        ("t1_goods_uru_taro", 0, {(1, 1, 0, 0)}),
        ("t1_goods_uru_taro", 1, {(1, 0, 0, 0), (0, 1, 0, 0)}),
        ("t1_goods_uru_taro", 2, {(0, 0, 0, 0)}),
        ("t1_goods_same_2", 0, {(2, 0, 0, 0), (0, 2, 0, 0), (0, 0, 2, 0), (0, 0, 0, 2)}),
        ("t2_goods_different_3", 0, {(1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1)}),
        ("t3_goods_different_4", 1, {(1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1)}),
        ("t3_goods_same_3", 2, {(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)}),
    ],
)
def test_commodity_patterns(name: str, discount: int, payments: set[tuple[int, ...]]) -> None:
    """Rule RA-7.7."""
    assert set(BOX.task_payments[task(name)][discount]) == payments


def test_two_of_a_type_and_one_of_any() -> None:
    """Rule RA-7.7."""
    found = set(BOX.task_payments[task("t2_goods_same_2_plus_1")][0])
    assert len(found) == 16  # three of one type, or two and one of another
    assert (3, 0, 0, 0) in found
    assert (2, 0, 0, 1) in found
    assert (1, 1, 1, 0) not in found


def test_two_pairs_are_of_different_types() -> None:
    """Rule RA-7.7."""
    found = set(BOX.task_payments[task("t3_goods_two_pairs")][0])
    assert len(found) == 6
    assert all(sorted(each) == [0, 0, 2, 2] for each in found)


def damage(change: Callable[[dict[str, Any]], object]) -> str:
    data = copy.deepcopy(dict(GAME.data))
    change(data)
    with pytest.raises(ComponentError) as caught:
        Raiatea(data)
    return str(caught.value)


def entry(data: dict[str, Any], table: str, id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in data[table] if each["id"] == id)
    return found


def test_unknown_verb_is_refused_with_the_card() -> None:
    def change(data: dict[str, Any]) -> None:
        entry(data, "ritual", "rua_hatu")["effects"][0]["verb"] = "gain_gold"

    message = damage(change)
    assert message.startswith("[ritual] rua_hatu: effects[0].verb is 'gain_gold'; allowed: ")


@pytest.mark.parametrize(
    ("table", "id", "change", "message"),
    [
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "draw_rituals"}]},
            "[ritual] rao: draw_rituals has no keep; allowed: keep, who",
        ),
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "gain_mana", "colour": 1}]},
            "[ritual] rao: effects[0].colour is unknown; allowed: verb, amount, who, per",
        ),
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "gain_mana", "amount": 0}]},
            "[ritual] rao: effects[0].amount is 0; allowed: a whole number from 1 to 60 ",
        ),
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "gain_mana", "amount": "all"}]},
            "[ritual] rao: gain_mana has amount 'all'; allowed: a whole number from 1 to",
        ),
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "gain_mana", "who": "one_other"}]},
            "[ritual] rao: who of gain_mana is 'one_other'; allowed: self, all",
        ),
        (
            "ritual",
            "rao",
            {"effects": [{"verb": "complete_task", "free": 1}]},
            "[ritual] rao: effects[0].free is 1; allowed: true or false",
        ),
        (
            "ritual",
            "rao",
            {"strength": 3},
            "[ritual] rao: strength is unknown; allowed: deck, kind, tane, cost, copies,",
        ),
        ("ritual", "rao", {"vp": 2}, "[ritual] rao: a personal ritual has triggers, passive or vp; allowed: those"),
        (
            "ritual",
            "rao",
            {"kind": "secret"},
            "[ritual] rao: kind is 'secret'; allowed: general, interactive, permanent, p",
        ),
        (
            "ritual",
            "rao",
            {"tane": True},
            "[ritual] rao: tane is True; allowed: true for interactive ones, and no othe",
        ),
        ("ritual", "rao", {"deck": "holy"}, "[ritual] rao: deck is 'holy'; allowed: forbidden, normal"),
        ("ritual", "rao", {"copies": 2}, "[box]: ritual_cards is 92; allowed: 91, as there are entries"),
        (
            "ritual",
            "tane_toll",
            {"effects": [{"verb": "steal_pearls"}]},
            "[ritual] tane_toll: steal_pearls has no who; allowed: amount, who",
        ),
        (
            "ritual",
            "te_fatu",
            {"effects": [{"verb": "gain_pearls"}]},
            "[ritual] te_fatu: a general ritual with gain_pearls for self; allowed: who ",
        ),
        (
            "ritual",
            "raa",
            {"effects": [{"verb": "gain_pearls"}]},
            "[ritual] raa: a permanent ritual has effects; allowed: triggers, passive, v",
        ),
        (
            "ritual",
            "raa",
            {"triggers": [{"on": "dawn", "effects": [{"verb": "gain_mana"}]}]},
            "[ritual] raa: triggers[0].on is 'dawn'; allowed: forest_done, priest_income",
        ),
        (
            "ritual",
            "raa",
            {"triggers": [{"on": "reef_income"}]},
            "[ritual] raa: triggers[0].effects is missing; allowed: a list of at least 1",
        ),
        (
            "ritual",
            "tohu",
            {"passive": [{"modifier": "luck", "amount": 1}]},
            "[ritual] tohu: passive[0].modifier is 'luck'; allowed: bid_bonus, draw_bonu",
        ),
        (
            "ritual",
            "tohu",
            {"passive": [{"modifier": "keep_bonus", "amount": 1}]},
            "[ritual] tohu: keep_bonus has scope None; allowed: one for keep_bonus only",
        ),
        (
            "ritual",
            "tohu",
            {"passive": [{"modifier": "keep_bonus", "scope": "sea", "amount": 1}]},
            "[ritual] tohu: passive[0].scope is 'sea'; allowed: any, marae",
        ),
        (
            "task",
            "t1_pearls_4",
            {"cost": {"mana": 4}},
            "[task] t1_pearls_4: cost is mana; allowed: exactly the category, pearls",
        ),
        (
            "task",
            "t1_pearls_4",
            {"kind": "gift"},
            "[task] t1_pearls_4: kind is 'gift'; allowed: auction, condition, resource",
        ),
        (
            "task",
            "t1_pearls_4",
            {"condition": {"min_priests": 1}},
            "[task] t1_pearls_4: a resource with 1 conditions; allowed: kind = condition",
        ),
        ("task", "t1_auction", {"category": "pearls"}, "[task] t1_auction: category is 'pearls'; allowed: mana"),
        (
            "task",
            "t1_cond_priests_4",
            {"condition": {"min_boats": 4}},
            "[task] t1_cond_priests_4: condition.min_boats is unknown; allowed: min_rank",
        ),
        (
            "task",
            "t1_cond_rank_ariki",
            {"condition": {"min_rank": "king"}},
            "[task] t1_cond_rank_ariki: min_rank is 'king'; allowed: raatira, ariki, ari",
        ),
        (
            "task",
            "t1_goods_same_2",
            {"cost": {"commodities": {"equal": 2}}},
            "[task] t1_goods_same_2: cost.commodities.equal is unknown; allowed: uru, ta",
        ),
        (
            "task",
            "t1_goods_same_2",
            {"cost": {"commodities": {"same_other": 2}}},
            "[task] t1_goods_same_2: commodities has same_other without same",
        ),
        ("task", "t1_pearls_4", {"copies": 3}, "[box]: tasks is 68; allowed: 70, as there are entries"),
        (
            "price_field",
            "uru_1",
            {"effects": [{"verb": "gain_tattoo"}]},
            "[price_field] uru_1: an effect of level 1 that may be impossible",
        ),
        ("price_field", "uru_1", {"level": 2}, "[price_field] uru_2: level 2 of uru stands twice; allowed: once"),
        (
            "mask_god",
            "maui",
            {"scoring": {"family": "per_mask", "vp": 1}},
            "[mask_god] maui: scoring.family is 'per_mask'; allowed: per_task, per_assis",
        ),
        (
            "mask_god",
            "maui",
            {"scoring": {"family": "per_task", "vp": 1}},
            "[mask_god] maui: scoring.category is missing; allowed: commodities, conditi",
        ),
        ("mask_card", "mask_maui_f1", {"god": "pai"}, "[mask_god] maui: 1 cards in mask_card; allowed: exactly 2"),
        (
            "mask_card",
            "mask_hiro_s",
            {"treasure": [{"verb": "gain_mana"}]},
            "[mask_card] mask_hiro_s: a start mask has a treasure; allowed: treasure = [",
        ),
        ("statue", 1, {"rows": [4, 4, 4]}, "[statue] 1: rows have 12 spaces; allowed: 16 in all"),
        ("rank", "ariki", {"tattoos": 0}, "[rank]: tattoos are 0, 0, 6, 10; allowed: 0, then more from rank to rank"),
        (
            "round_track",
            "f3",
            {"feast": 2},
            "[round_track]: feasts for 3 players: [1, 2, 2]; allowed: 1, 2, 3 in order, ",
        ),
        (
            "location",
            "reef",
            {"bonus_roll": "fisher"},
            "[location] reef: bonus_roll is 'fisher'; allowed: gatherer, trader, shaman,",
        ),
    ],
)
def test_damaged_entries_are_refused(table: str, id: str, change: dict[str, Any], message: str) -> None:
    assert message in damage(lambda data: entry(data, table, id).update(change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("die"), "[die]: it is missing; allowed: a table with faces"),
        (lambda data: data["die"].update(faces=[0]), "[die]: faces[0] is 0; allowed: a whole number from 1 to 6"),
        (
            lambda data: data["die"].update(faces=[]),
            "[die]: faces is []; allowed: a list of at least 1, each item a whole number",
        ),
        (
            lambda data: data["ritual"].append(data["ritual"][0]),
            "[ritual] rua_hatu: duplicate id; allowed: each id once",
        ),
        (
            lambda data: data["vocabulary"]["verbs"].append("gain_gold"),
            "[vocabulary]: verbs[25] is 'gain_gold'; allowed: add_mana_to_source, cancel",
        ),
        (
            lambda data: data["priest_track"]["train_costs"].pop("2"),
            "[priest_track]: train_costs.2 is missing; allowed: a whole number from 0 to",
        ),
        (
            lambda data: data["setup"]["rituals_kept"].pop("4"),
            "[setup]: rituals_kept.4 is missing; allowed: a list of 4, each item a list ",
        ),
        (
            lambda data: data["bonus_roll_rewards"].pop("trader"),
            "[bonus_roll_rewards]: trader is missing; allowed: a table with verb, amount",
        ),
        (
            lambda data: data["gift"].pop(),
            "[gift] gift_pearls: it is missing; allowed: gift_tattoo, gift_commodity, gi",
        ),
        (
            lambda data: data.update(task=[]),
            "[task]: it is []; allowed: a list of 1 to 68, each item a table with vp, ki",
        ),
    ],
)
def test_damaged_tables_are_refused(change: Callable[[dict[str, Any]], object], message: str) -> None:
    assert message in damage(change)


def test_own_data_make_another_game() -> None:
    data = copy.deepcopy(dict(GAME.data))
    entry(data, "ritual", "rua_hatu")["effects"][0]["amount"] = 5
    other = Raiatea(data)
    assert other.components.ritual_effects[ritual("rua_hatu")][0].amount == 5
    assert other.components_hash != GAME.components_hash
