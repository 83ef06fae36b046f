"""The Box: the binding counts, the closed vocabulary, and damaged data refused by table and id."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from atoll.engine import ComponentError
from atoll.games.raiatea import GAME
from atoll.games.raiatea.components import EVERY, VERBS, Effect
from atoll.games.raiatea.effects import FLOWS, INSTANT
from atoll.games.raiatea.rules import Raiatea

from .tables import BOX, ritual, task


def test_counts_of_the_box() -> None:
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


def test_every_verb_has_exactly_one_implementation() -> None:
    assert sorted([*FLOWS, *INSTANT]) == list(range(len(VERBS)))


def test_effects_are_data() -> None:
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
    assert set(BOX.task_payments[task(name)][discount]) == payments


def test_two_of_a_type_and_one_of_any() -> None:
    found = set(BOX.task_payments[task("t2_goods_same_2_plus_1")][0])
    assert len(found) == 16  # three of one type, or two and one of another
    assert (3, 0, 0, 0) in found
    assert (2, 0, 0, 1) in found
    assert (1, 1, 1, 0) not in found


def test_two_pairs_are_of_different_types() -> None:
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
    assert message.startswith("[[ritual]] 'rua_hatu': verb 'gain_gold'; allowed: gain_pearls, gain_mana")


@pytest.mark.parametrize(
    ("table", "id", "change", "message"),
    [
        ("ritual", "rao", {"effects": [{"verb": "draw_rituals"}]}, "'rao': draw_rituals needs 'keep'"),
        ("ritual", "rao", {"effects": [{"verb": "gain_mana", "colour": 1}]}, "no parameter 'colour'; allowed: amount"),
        ("ritual", "rao", {"effects": [{"verb": "gain_mana", "amount": 0}]}, "gain_mana amount 0; allowed: 1 to"),
        ("ritual", "rao", {"effects": [{"verb": "gain_mana", "amount": "all"}]}, "gain_mana amount 'all'"),
        ("ritual", "rao", {"effects": [{"verb": "gain_mana", "who": "one_other"}]}, "who 'one_other'; allowed: self"),
        ("ritual", "rao", {"effects": [{"verb": "complete_task", "free": 1}]}, "free 1; allowed: true, false"),
        ("ritual", "rao", {"strength": 3}, "[[ritual]] 'rao'"),
        ("ritual", "rao", {"vp": 2}, "belong to permanent rituals only"),
        ("ritual", "rao", {"kind": "secret"}, "kind 'secret'; allowed: personal"),
        ("ritual", "rao", {"tane": True}, "interactive ones"),
        ("ritual", "rao", {"deck": "holy"}, "deck 'holy'; allowed: normal, forbidden"),
        ("ritual", "rao", {"copies": 2}, "[box] ritual_cards: says 92, but the entries add up to 91"),
        ("ritual", "tane_toll", {"effects": [{"verb": "steal_pearls"}]}, "steal_pearls needs 'who'"),
        ("ritual", "te_fatu", {"effects": [{"verb": "gain_pearls"}]}, "a general ritual concerns all"),
        ("ritual", "raa", {"effects": [{"verb": "gain_pearls"}]}, "a permanent ritual has"),
        ("ritual", "raa", {"triggers": [{"on": "dawn", "effects": [{"verb": "gain_mana"}]}]}, "trigger 'dawn'"),
        ("ritual", "raa", {"triggers": [{"on": "reef_income"}]}, "a trigger has 'on' and 'effects'"),
        ("ritual", "tohu", {"passive": [{"modifier": "luck", "amount": 1}]}, "modifier 'luck'; allowed: bid_bonus"),
        ("ritual", "tohu", {"passive": [{"modifier": "keep_bonus", "amount": 1}]}, "allowed: amount, modifier, scope"),
        (
            "ritual",
            "tohu",
            {"passive": [{"modifier": "keep_bonus", "scope": "sea", "amount": 1}]},
            "keep_bonus scope 'sea'; allowed: marae, any",
        ),
        ("task", "t1_pearls_4", {"cost": {"mana": 4}}, "allowed: exactly the category, pearls"),
        ("task", "t1_pearls_4", {"kind": "gift"}, "kind 'gift'; allowed: resource, condition, auction"),
        ("task", "t1_pearls_4", {"condition": {"min_priests": 1}}, "a condition belongs to"),
        ("task", "t1_auction", {"category": "pearls"}, "allowed for this kind: mana"),
        ("task", "t1_cond_priests_4", {"condition": {"min_boats": 4}}, "condition 'min_boats'; allowed: min_rank"),
        ("task", "t1_cond_rank_ariki", {"condition": {"min_rank": "king"}}, "min_rank 'king'; allowed: raatira"),
        ("task", "t1_goods_same_2", {"cost": {"commodities": {"equal": 2}}}, "commodity pattern 'equal'; allowed: uru"),
        ("task", "t1_goods_same_2", {"cost": {"commodities": {"same_other": 2}}}, "same_other needs 'same'"),
        ("task", "t1_pearls_4", {"copies": 3}, "[box] tasks: says 68"),
        ("price_field", "uru_1", {"effects": [{"verb": "gain_tattoo"}]}, "level 1 must always be possible"),
        ("price_field", "uru_1", {"level": 2}, "its field stands twice"),
        ("mask_god", "maui", {"scoring": {"family": "per_mask", "vp": 1}}, "family 'per_mask'; allowed: per_task"),
        ("mask_god", "maui", {"scoring": {"family": "per_task", "vp": 1}}, "allowed: category, family, vp"),
        ("mask_card", "mask_maui_f1", {"god": "pai"}, "exactly 2 are needed"),
        ("mask_card", "mask_hiro_s", {"treasure": [{"verb": "gain_mana"}]}, "a start mask has no treasure"),
        ("statue", 1, {"rows": [4, 4, 4]}, "they must have 16 spaces in all"),
        ("rank", "ariki", {"tattoos": 0}, "tattoos must rise from 0"),
        ("round_track", "f3", {"feast": 2}, "the feasts 1, 2, 3 in order"),
        ("location", "reef", {"bonus_roll": "fisher"}, "bonus_roll 'fisher'; allowed: gatherer"),
    ],
)
def test_damaged_entries_are_refused(table: str, id: str, change: dict[str, Any], message: str) -> None:
    assert message in damage(lambda data: entry(data, table, id).update(change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("die"), "[die]: is missing"),
        (lambda data: data["die"].update(faces=[0]), "[die]: face 0; allowed: 1 to 6"),
        (lambda data: data["die"].update(faces=[]), "no faces"),
        (lambda data: data["ritual"].append(data["ritual"][0]), "'rua_hatu': stands twice"),
        (lambda data: data["vocabulary"]["verbs"].append("gain_gold"), "[vocabulary]: verbs 'gain_gold'"),
        (lambda data: data["priest_track"]["train_costs"].pop("2"), "a price for each of 1 to 2 priests"),
        (lambda data: data["setup"]["rituals_kept"].pop("4"), "[setup.rituals_kept] 4"),
        (lambda data: data["bonus_roll_rewards"].pop("trader"), "'trader' is missing"),
        (lambda data: data["gift"].pop(), "[[gift]]: 'gift_pearls' is missing"),
        (lambda data: data.update(task=[]), "[[task]]: at least one entry"),
    ],
)
def test_damaged_tables_are_refused(change: Callable[[dict[str, Any]], object], message: str) -> None:
    assert message in damage(change)


def test_own_data_make_another_game() -> None:
    data = copy.deepcopy(dict(GAME.data))
    entry(data, "ritual", "rua_hatu")["effects"][0]["amount"] = 5
    other = Raiatea(data)
    assert other.box.ritual_effects[ritual("rua_hatu")][0].amount == 5
    assert other.box_hash != GAME.box_hash
