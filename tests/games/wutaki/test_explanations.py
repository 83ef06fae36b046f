"""Cards explain themselves from their effect data; reasons why something isn't possible."""

import pytest

from atoll.engine.script import Table
from atoll.engine.words import LANGUAGES, Words
from atoll.games.wutaki import GAME
from atoll.games.wutaki.describe import _DOMAINS, describe

from .tables import (
    accept,
    build,
    card,
    hire,
    hold,
    show,
    stand,
    state,
    stock,
    table,
    take_board,
    upgrade,
)

WORDS = {language: Words(GAME, language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", _DOMAINS)
def test_every_card_explains_itself(domain: str, language: str) -> None:
    texts = [describe(WORDS[language], domain, index) for index in range(len(GAME.box.ids[domain]))]
    assert all(text.endswith(".") and "{" not in text for text in texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("domain", "id", "text"),
    [
        ("pact", "fire_11", "Sacrifice 5 Gold, 3 of your cost marker, 1 omen: 13 VP."),
        ("omen", "om_call_to_arms", "Hire up to 2 workers, each for 1 cost marker resource less."),
        ("omen", "om_keeper_of_omens", "At the end 1 VP for each: omen cards."),
        ("vengeance", "ve_pacts_8", "At most 8: fulfilled pacts. Else -9 VP."),
        ("secret_pact", "sp_at_quarry", "At least 1: own markers at: Quarry. 5 VP."),
        ("tower_upgrade", "tw_sheep", "1 more Sheep at each visit: Pasture."),
        ("ability", "burn_omens", "Discard up to 6 omens from your hand, 2 VP each."),
        ("round_card", "ro_village_gift", "Every player: Gain 2 Gold. Then the next round card."),
    ],
)
def test_explanations(domain: str, id: str, text: str) -> None:
    assert describe(WORDS["en"], domain, card(domain, id)) == text


def reason(t: Table, text: str, p: int = 0) -> str:
    position = t.position
    found = GAME.why_not(position.view(p), GAME.parse(text))
    assert found is not None
    for words in WORDS.values():
        assert words.reason(found)
        assert words.say(f"rule.{found.rule}")
    return found.key


def test_reasons_for_visits() -> None:
    s = state(2, masterboards="asymmetric", player_boards="b")
    take_board(s, 0, "thieves")
    take_board(s, 1, "architects")
    stock(s, 0)
    stand(s, 1, "loyal", "village")
    s.supply[4], s.stock[1][4] = 0, s.stock[1][4] + s.supply[4]
    t = table(s)
    assert reason(t, "visit special quarry") == "no_worker"
    assert reason(t, "visit loyal village") == "no_field"
    assert reason(t, "visit loyal quarry") == "supply_empty"
    assert reason(t, "visit loyal own_place") == "no_own_place"
    assert reason(t, "visit loyal plunder") == "cannot_plunder"
    assert reason(t, "visit loyal play_omen") == "cannot_play_omen"
    assert reason(t, "visit loyal pyramid") == "tokens_lacking"
    assert reason(t, "visit loyal upgrade") == "cannot_upgrade"
    assert reason(t, "visit loyal chase") == "cannot_chase"
    assert reason(t, "crowd_in loyal village") == "no_crowding"
    assert reason(t, "idle loyal") == "visits_exist"
    assert GAME.why_not(t.position.view(0), GAME.parse("visit loyal market")) is None
    assert reason(t, "visit loyal market", 1) == "not_your_turn"


def test_reasons_for_prices() -> None:
    s = state(2, round_card="ro_night_council")
    stock(s, 0, wood=2)
    s.vp[0] = 1
    t = table(s)
    assert reason(t, "visit loyal round_place") == "too_few_tokens"
    assert reason(t, "visit loyal gift_pact") == "points_lacking"
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "intelligence")
    take_board(s, 1, "architects")
    assert reason(table(s), "visit loyal own_place") == "omens_lacking"
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "intelligence")
    take_board(s, 1, "architects")
    hold(s, 0, "om_tax", "om_panic", "om_crumbs")
    hire(s, 0, extra=1)
    assert reason(table(s), "visit extra own_place") == "no_other_worker"


def test_reasons_for_the_pyramid() -> None:
    s = state(4)
    s.pyramid = [3, 4, 0, 0]
    assert reason(table(s), "visit loyal pyramid") == "pyramid_full"
    s = state(4)
    s.pyramid = [4, 0, 0, 0]
    assert reason(table(s), "visit loyal pyramid") == "pyramid_top"
    s = state(2)
    s.upgrade_markers[0] = 0
    assert reason(table(s), "visit loyal pyramid") == "no_upgrade_marker"


def test_reasons_for_pacts_upgrades_hires_and_cards() -> None:
    s = state(2, board="extreme", player_boards="b")
    s.ability[0] = card("ability", "cleanse")
    s.ability_pool.remove(s.ability[0])
    s.ability[1] = card("ability", "free_pact")
    s.ability_pool.remove(s.ability[1])
    show(s, "fire_01", "fire_02", "fire_03", "fire_04")
    accept(s, 0, "water_17")
    stock(s, 0, sheep=6)
    hold(s, 0, "om_golden_idol")
    build(s, 1, "tw_fire")
    upgrade(s, 1, "quarry", "quarry")
    build(s, 0, "tw_wind")
    t = table(s)
    assert reason(t, "fulfil water_17") == "tokens_lacking"
    assert reason(t, "fulfil water_01") == "not_your_pact"
    assert reason(t, "accept fire_04") == "gold_lacking"
    assert reason(t, "accept water_01") == "not_on_display"
    assert reason(t, "upgrade quarry") == "place_full"
    assert reason(t, "upgrade market") == "gold_lacking"
    assert reason(t, "build tw_fire") == "tower_card_gone"
    assert reason(t, "build tw_earth") == "tower_slot_full"
    assert reason(t, "use cleanse") == "cannot_return_vengeance"
    assert reason(t, "use free_pact") == "not_your_ability"
    assert reason(t, "play om_tax") == "not_in_hand"
    assert reason(t, "play om_golden_idol") == "tokens_lacking"
    assert reason(t, "raid") == "not_asked"


def test_rules_in_context_exist_for_every_decision() -> None:
    position = GAME.new(4, {"board": "extreme", "masterboards": "asymmetric", "player_boards": "b"}, seed=11)
    asked = set()
    while not position.over:
        seat = position.to_move[0]
        asked.add(position.decision(seat).rule)
        position.apply(position.legal(seat)[-1 if position.sequence % 3 == 0 else 0], seat)
    for words in WORDS.values():
        assert all(words.say(f"rule.{rule}") for rule in asked)
    assert len(asked) > 5
