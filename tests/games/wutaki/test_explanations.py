"""Cards explain themselves from their effect data; reasons why something isn't possible."""

import pytest

from atoll.engine.languages import LANGUAGES
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.wutaki import GAME
from atoll.games.wutaki.describe import _DOMAINS, action_in_words, describe, effects_in_words
from atoll.games.wutaki.kinds import CHASE
from atoll.games.wutaki.learn.positions import (
    accept,
    avenge,
    build,
    card,
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
)
from atoll.lessons import coach

WORDS = {language: GameMessages(GAME, language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", _DOMAINS)
def test_every_card_explains_itself(domain: str, language: str) -> None:
    texts = [describe(WORDS[language], domain, index, 2) for index in range(len(GAME.components.ids[domain]))]
    assert all(text.endswith(".") and "{" not in text for text in texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("domain", "id", "text"),
    [
        ("pact", "fire_11", "Sacrifice 5 gold, 3 resources of your cost marker, 1 omen: 13 VP."),
        ("pact", "fire_02", "Sacrifice 2 wood, 2 oil: 4 VP; you may hire up to 2 workers."),
        ("omen", "om_call_to_arms", "Hire up to 2 workers, each for 1 resource of your cost marker less."),
        ("omen", "om_keeper_of_omens", "At the end 1 VP for each omen card, including this one."),
        ("omen", "om_hoard", "At the end 1 VP for every 3 resources in stock."),
        (
            "omen",
            "om_panic",
            "Chase a group of additional workers away, without moving in; gain 2 gold; draw 1 vengeance card.",
        ),
        (
            "omen",
            "om_tax",
            "Take 3 resources of your choice from a player, or all if there are fewer; draw 1 vengeance card.",
        ),
        ("omen", "om_crumbs", "Take 4 resources of your choice from the maw, or all if there are fewer."),
        ("vengeance", "ve_pacts_8", "At most 8 fulfilled pacts, otherwise −9 VP."),
        ("vengeance", "ve_vengeance", "At most 2 vengeance cards, including this one, otherwise −8 VP."),
        ("vengeance", "ve_unfulfilled", "No unfulfilled pact, otherwise −5 VP."),
        ("secret_pact", "sp_at_quarry", "At least 1 marker of yours at the Quarry: 5 VP."),
        ("secret_pact", "sp_most_fire", "More fulfilled fire pacts than any other player: 10 VP."),
        ("secret_pact", "sp_kept_word", "No unfulfilled pact: 5 VP."),
        ("element_card", "el_fire", "+3 VP per fulfilled fire pact, −5 VP per accepted or fulfilled water pact."),
        ("tower_upgrade", "tw_sheep", "1 sheep more each time you carry out the action at the Pasture."),
        ("ability", "burn_omens", "Discard up to 6 omens from your hand, 2 VP each."),
        ("ability", "free_omen", "Play 1 omen without a worker."),
        ("round_card", "ro_village_gift", "For every player: Gain 2 gold. Then the next round card."),
        (
            "round_card",
            "ro_rich_harvest",
            "This round: 1 more resource at the Merchant, at the Pasture, at the Market, at the Quarry, "
            "at the Lumberyard.",
        ),
        (
            "masterboard",
            "fate",
            "Offer after each climb: Sacrifice 1 additional worker and shuffle 1 of your vengeance cards back.",
        ),
    ],
)
def test_explanations(domain: str, id: str, text: str) -> None:
    assert describe(WORDS["en"], domain, card(domain, id), 2) == text


@pytest.mark.parametrize(
    ("domain", "id", "text"),
    [
        ("pact", "fire_11", "Opfere 5 Gold, 3 Ressourcen deines Kostenmarkers, 1 Omen: 13 SP."),
        ("omen", "om_great_offering", "Opfere 8 beliebige Ressourcen: 5 SP."),
        ("vengeance", "ve_unfulfilled", "Kein unerfüllter Pakt, sonst −5 SP."),
        ("vengeance", "ve_vengeance", "Höchstens 2 Rachekarten, diese eingeschlossen, sonst −8 SP."),
        ("secret_pact", "sp_at_merchant", "Mindestens 1 eigener Marker beim Händler: 5 SP."),
        ("element_card", "el_earth", "+3 SP je erfülltem Erd-Pakt, −5 SP je angenommenem oder erfülltem Wind-Pakt."),
        (
            "masterboard",
            "fate",
            "Angebot nach jedem Aufstieg: Opfere 1 zusätzlichen Arbeiter und mische 1 deiner Rachekarten zurück.",
        ),
    ],
)
def test_explanations_in_german(domain: str, id: str, text: str) -> None:
    assert describe(WORDS["de"], domain, card(domain, id), 2) == text


def test_a_place_says_when_one_moves_in_and_a_level_what_one_may_decline() -> None:
    extreme = GAME.components.boards[1]
    chase = action_in_words(WORDS["en"], extreme.places[1].action)
    assert chase.endswith("; draw 1 vengeance card; then you may move in with your worker.")
    said = [effects_in_words(WORDS["en"], level.climb.effects) for level in extreme.levels]
    assert said[0] == "you may play 1 omen"
    assert said[3] == "you may give away 1 of your vengeance cards"


def test_the_master_of_thieves_says_when_and_how_the_maw_is_robbed() -> None:
    text = describe(WORDS["en"], "masterboard", card("masterboard", "thieves"), 2)
    assert "only at this moment" in text and "without a vengeance card" in text


def reason(t: ScriptedGame, text: str, seat: int = 0) -> str:
    position = t.position
    found = GAME.why_not(position.view(seat), GAME.parse(text))
    assert found is not None
    for words in WORDS.values():
        assert words.reason(found)
        assert words.say(f"rule.{found.rule}", GAME.rule_facts(GAME.components, position.seats, position.options))
    return found.key


def test_reasons_for_visits() -> None:
    """Rules WU-3.5 and WU-3.9."""
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
    assert reason(t, "visit loyal upgrade") == "gold_lacking"
    assert reason(t, "visit loyal chase") == "cannot_chase"
    assert reason(t, "crowd_in loyal village") == "no_crowding"
    assert reason(t, "idle loyal") == "visits_exist"
    assert GAME.why_not(t.position.view(0), GAME.parse("visit loyal market")) is None
    assert reason(t, "visit loyal market", 1) == "not_your_turn"


def test_reasons_for_prices() -> None:
    """Rule WU-8.1."""
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
    """Rule WU-7.2."""
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
    assert reason(t, "raid") == "raid_later"


def test_a_masterboard_says_what_its_track_does_with_so_many_players() -> None:
    two, four = (describe(WORDS["en"], "masterboard", card("masterboard", "thieves"), seats) for seats in (2, 4))
    assert "Pact 5" not in two
    assert "Pact 5: give up 4 gold, or as much of it as you have." in four


def why(t: ScriptedGame, text: str, seat: int = 0) -> str:
    """The reason in English."""
    found = GAME.why_not(t.position.view(seat), GAME.parse(text))
    assert found is not None
    return WORDS["en"].reason(found)


def test_only_the_place_of_intelligence_takes_another_worker_than_its_visitor() -> None:
    """Rule WU-9.3."""

    def told(language: str, id: str) -> str:
        return describe(WORDS[language], "masterboard", card("masterboard", id), 2)

    assert "1 other additional worker" in told("en", "intelligence")
    assert "1 anderen zusätzlichen Arbeiter" in told("de", "intelligence")
    assert "Sacrifice 1 additional worker" in told("en", "fate")
    assert "Opfere 1 zusätzlichen Arbeiter" in told("de", "fate")


def test_reasons_name_the_price_with_the_discount_of_the_action_that_asks() -> None:
    s = state(2, masterboards="asymmetric")
    take_board(s, 0, "architects")
    take_board(s, 1, "thieves")
    stock(s, 0, gold=4)
    t = table(s)
    assert why(t, "upgrade quarry") == WORDS["en"].say("reason.visit_first", {"place": 5})  # it's payable at the yard
    assert why(t, "build tw_fire") == "You need 5 gold."
    t.play("p0 visit loyal own_place")
    assert why(t, "build tw_fire") == "You need 5 gold."
    s = state(2)
    hold(s, 0, "om_call_to_arms")
    hire(s, 0, extra=1)
    stock(s, 0, sheep=1)
    t = table(s)
    assert why(t, "hire") == "The next worker costs you 2 sheep."
    t.play("p0 visit loyal play_omen", "p0 play om_call_to_arms")
    assert t.state.stock[0][1] == 0


def test_reasons_of_a_hand_name_the_price_with_the_discount_of_its_omen() -> None:
    s = state(2)
    hold(s, 0, "om_call_to_arms")
    hire(s, 0, extra=1)
    stock(s, 0)
    assert why(table(s), "play om_call_to_arms") == "The next worker costs you 1 sheep."


def test_reasons_for_a_pact_count_what_may_be_left_out() -> None:
    omen = next(
        id for id in GAME.components.ids["omen"] if GAME.components.omens[card("omen", id)].action.first.discount == 3
    )
    s = state(2)
    hold(s, 0, omen)
    accept(s, 0, "fire_03", "fire_05", "water_14")
    stock(s, 0, wood=4, gold=1, oil=2)
    t = table(s).play("p0 visit loyal play_omen", f"p0 play {omen}")
    assert t.options(0) == ["fulfil fire_03", "fulfil fire_05"]
    assert why(t, "fulfil water_14") == "You still need: 4 sheep. You may leave out no more than 3 resources."


@pytest.mark.parametrize(
    ("choice", "first"),
    [
        ("accept fire_17", "You can only do that here: Accept Pact. Send a worker there first."),
        ("gift fire_17", "You can only do that here: Gift Pact. Send a worker there first."),
        ("hire", "You can only do that here: Village. Send a worker there first."),
        ("pass", "Place a worker first."),
        ("trade swap", "You can only do that here: Trade. Send a worker there first."),
        ("fulfil fire_03", "Place a worker first."),
        ("again", "You can repeat an action only after the first time, with the special worker or an ability."),
        ("winner 1", "That comes later. First: Place a worker."),
    ],
)
def test_a_reason_says_what_would_have_to_come_first(choice: str, first: str) -> None:
    s = state(2)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    assert why(table(s), choice) == first


def test_who_has_placed_a_worker_is_told_so() -> None:
    s = state(2)
    accept(s, 0, "fire_03")
    stock(s, 0, wood=4)
    t = table(s).play("p0 visit loyal quarry")
    assert why(t, "visit loyal market") == "You have already placed a worker in this turn."
    later = ", and only in a later turn. You have already placed your worker in this turn."
    assert why(t, "hire") == f"You can only do that here: Village{later}"


def test_who_may_fulfil_pacts_is_told_what_another_one_lacks_and_when_cards_are_played() -> None:
    s = state(2)
    accept(s, 0, "fire_03", "water_14")
    hold(s, 0, "om_call_to_arms")
    avenge(s, 0, "ve_pacts_8")
    know_secret(s, 0, "sp_at_quarry")
    stock(s, 0, wood=4, sheep=1)
    t = table(s).play("p0 visit loyal quarry")
    assert t.options(0) == ["fulfil fire_03", "pass"]
    assert why(t, "fulfil water_14") == "You still need: 3 sheep, 2 oil."
    for choice in ("play om_call_to_arms", "give_vengeance ve_pacts_8", "hire", "accept fire_17"):
        assert reason(t, choice) == "visit_later", choice
    assert reason(t, "keep sp_at_quarry") == "secret_at_end"


def test_rules_in_context_exist_for_every_decision() -> None:
    position = GAME.new(4, {"board": "extreme", "masterboards": "asymmetric", "player_boards": "b"}, seed=11)
    asked = set()
    while not position.over:
        seat = position.to_move[0]
        asked.add(position.decision(seat).rule)
        position.apply(position.legal_choices(seat)[-1 if position.sequence % 3 == 0 else 0], seat)
    for words in WORDS.values():
        facts = GAME.rule_facts(GAME.components, position.seats, position.options)
        assert all(words.say(f"rule.{rule}", facts) for rule in asked)
    assert len(asked) > 5


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "additional workers away; draw 1 vengeance card; then you may move in with your worker."),
        ("de", "zusätzlicher Arbeiter; ziehe 1 Rachekarte; danach darfst du mit deinem Arbeiter nachrücken."),
    ],
)
def test_the_place_of_chasing_names_its_steps_in_the_order_of_the_rulebook(language: str, expected: str) -> None:
    place = GAME.components.boards[0].places[CHASE]
    assert action_in_words(WORDS[language], place.action).endswith(expected)


def test_a_price_is_named_exactly_or_as_a_minimum_where_tokens_may_be_left_out() -> None:
    s = state(2)
    stock(s, 0, gold=5, sheep=5)
    hold(s, 0, "om_great_offering")
    exact = table(s).play("p0 visit loyal play_omen", "p0 play om_great_offering").position.decision(0)
    assert WORDS["en"].prompt(exact) == "Hand over 8: how many of each?"
    assert exact.placeholders is not None
    least = {**exact.placeholders, "n": 6, "discount": 2}
    assert WORDS["en"].say("prompt.pay", least) == "Hand over at least 6: how many of each?"


def test_the_log_says_that_the_points_for_the_end_are_reached() -> None:
    s = state(2)
    s.vp[0] = 98
    accept(s, 0, "fire_11")
    stock(s, 0, gold=5, sheep=3)
    hold(s, 0, "om_tax")
    t = table(s).play("p0 visit loyal quarry", "p0 fulfil fire_11")
    assert t.state.vp[0] > 100
    (event,) = t.events("end_by_vp")
    assert WORDS["en"].say("log.end_by_vp", event).endswith("has reached 100 victory points. The game is about to end.")


def coach_notes(t: ScriptedGame, seat: int = 0) -> list[str]:
    """Return the pacts that the coach names, as ids."""
    noted = coach.standing(t.position, seat).notes
    return [GAME.components.ids["pact"][fields["pact"]] for key, fields in noted if key == "can_fulfil"]


def test_the_coach_notes_exactly_the_pacts_that_the_rules_let_you_fulfil() -> None:
    """Rule WU-6.6."""
    s = state(2)
    accept(s, 0, "fire_03", "fire_11")
    stock(s, 0, gold=5, wood=4, sheep=3, oil=3, stone=3)
    s.omens[0] = []
    t = table(s).play("p0 visit loyal trade")
    assert coach_notes(t) == ["fire_03"], "fire_11 costs an omen, too"
    hold(s, 0, "om_call_to_arms")
    t = table(s)
    assert coach_notes(t) == ["fire_03", "fire_11"]
    t.play("p0 visit loyal quarry")
    assert [f"fulfil {each}" for each in coach_notes(t)] == [each for each in t.options(0) if each.startswith("fulfil")]


def test_the_coach_names_the_wages_that_the_rules_ask_for() -> None:
    """Rule WU-4.6."""
    s = state(2)
    hire(s, 0, 3)
    s.counter = 4
    assert dict(coach.upcoming_events(GAME, table(s).position.view(0)))["upkeep"]["owed"] == 3
    lay_permanent(s, 0, "om_sworn_band")
    assert "upkeep" not in dict(coach.upcoming_events(GAME, table(s).position.view(0)))
