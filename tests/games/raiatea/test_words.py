"""Texts of Raiatea.

Cards have texts made from their data, and each event, prompt, reason and choice has one.
"""

from random import Random
from typing import Any

import pytest

from atoll.engine import MalformedChoice
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import GameMessages, catalogue_keys
from atoll.games.raiatea import GAME
from atoll.games.raiatea.component_effects import PARAMETERS
from atoll.games.raiatea.components import (
    CATEGORIES,
    COMPLETE_TASK,
    CONDITIONS,
    EVERY,
    FAMILIES,
    MODIFIERS,
    READY_ASSISTANTS,
    TRIGGERS,
    VERBS,
    WHO,
    Effect,
)
from atoll.games.raiatea.describe import Describer
from atoll.games.raiatea.learn.positions import BOX, forest_card, give, mask, ritual, space, start, table, task

ENGLISH = Describer(GAME.package, BOX, "en")
GERMAN = Describer(GAME.package, BOX, "de")
WORDS = [GameMessages(GAME, language) for language in LANGUAGES]


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        ("rua_hatu", "Gain 3 pearls.", "Erhalte 3 Perlen."),
        ("hina", "Add 6 mana per player to the mana source.", "Lege 6 Mana pro Person in die Manaquelle."),
        (
            "uru_taetae",
            "Take 1 commodity from the market. Ready one assistant.",
            "Nimm 1 Ware vom Markt. Mache einen Helfer bereit.",
        ),
        ("tua_raa_tai", "Shell Reef: Gain 2 pearls.", "Muschelriff: Erhalte 2 Perlen."),
        ("papa_rai_4", "4 VP at the end of the game.", "4 SP am Spielende."),
        ("tane_toll", "Every other player gives you 1 pearl.", "Alle anderen geben dir 1 Perle."),
        ("tu_rai_po", "Everybody gains 1 tattoo.", "Alle erhalten 1 Tattoo."),
    ],
)
def test_rituals_say_what_they_do(name: str, english: str, german: str) -> None:
    assert ENGLISH.ritual(ritual(name)) == english
    assert GERMAN.ritual(ritual(name)) == german


def test_every_ritual_has_a_text_of_its_own() -> None:
    for describer in (ENGLISH, GERMAN):
        texts = [describer.ritual(index) for index in range(len(BOX.ritual_ids))]
        assert all(texts)
        assert len(set(texts)) == len(texts)


def test_tasks_masks_prices_gifts_and_treasures_say_what_they_do() -> None:
    assert ENGLISH.task(task("t1_pearls_4")) == "Pay 4 pearls"
    assert ENGLISH.task(task("t2_goods_same_2_plus_1")) == "Discard commodities: 2 of one type, 1 of any type"
    assert ENGLISH.task(task("t2_cond_rank_arioi")) == "Have at least the rank Arioi"
    assert GERMAN.task(task("t1_goods_uru_taro")) == "Lege Waren ab: 1 Uru, 1 Taro"
    assert ENGLISH.mask(mask("maui")) == "Pair: 2 VP per different color among your pairs, at most 8."
    assert GERMAN.mask(mask("rata")) == "Paar: 1 SP je eigener Sammlerin."
    assert ENGLISH.mask(mask("mirror")).startswith("Joker")
    assert ENGLISH.price(3, 3) == "Gain 2 tattoos."
    assert ENGLISH.gift(1) == "Take 1 commodity from the market."
    assert ENGLISH.treasure(forest_card("mask_tinirau_f")) == "Gain 3 pearls."
    assert ENGLISH.treasure(forest_card("uru")) == ""
    assert ENGLISH.space(space("s2r3c2")) == "statue 2, row 3, place 2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_vocabulary_can_be_said(language: str) -> None:
    words = GameMessages(GAME, language)
    keys = [f"trigger.{each}" for each in TRIGGERS]
    keys += [f"modifier.{each.replace(' ', '.')}" for each in MODIFIERS if each != "task_discount condition"]
    keys += [f"task.{each}" for each in (*CONDITIONS, "auction", *CATEGORIES) if each != "condition"]
    keys += [f"pattern.{each}" for each in ("same", "same_other", "different", "any")]
    for family in FAMILIES:
        assert any(key.startswith(f"raiatea.mask.{family}") for key in catalogue_keys(GAME.package, language))
    assert [key for key in keys if not words.has(f"raiatea.{key}")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_effect_that_data_can_have_can_be_said(language: str) -> None:
    describer = Describer(GAME.package, BOX, language)
    for verb, (_, _, allowed) in PARAMETERS.items():
        for who in allowed or ("self",):
            for free in (False, True) if verb == COMPLETE_TASK else (False,):
                for amount in (1, 2, EVERY) if verb == READY_ASSISTANTS else (1, 2):
                    effect = Effect(verb, amount, WHO.index(who), amount, amount, free, amount, amount)
                    assert describer.effect(effect), VERBS[verb]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [3, 5])
def test_a_whole_game_can_be_told(language: str, seats: int) -> None:
    """Rule RA-11.1."""
    words = GameMessages(GAME, language)
    keys = catalogue_keys(GAME.package, language)
    rng = Random(seats)
    position = GAME.new(seats, {"tane": True}, seed=seats)
    told: set[str] = set()
    while not position.over:
        seat = position.to_move[0]
        decision = position.decision(seat)
        assert words.prompt(decision)
        assert f"raiatea.rule.{decision.rule}" in keys
        choice = rng.choice(position.legal_choices(seat))
        assert words.choice(choice)
        position.apply(choice, seat)
    for event in position.events:
        told.add(event.key)
        for viewer in (0, None):
            assert words.event(event, viewer)
    assert len(told) > 30
    for lines in position.explain():
        for line in lines:
            assert words.score(line)
            assert all(words.score(part) for part in line.parts)


def is_named(choice: int) -> bool:
    """Return whether the components have everything that a choice names; domains may be larger."""
    try:
        return bool(GAME.text(choice))
    except MalformedChoice:
        return False


def reasons(position: Any, seat: int) -> set[str]:
    """Keys of the reasons for all choices of the vocabulary that a seat can't make now."""
    view = position.view(seat)
    found = set()
    for choice in range(GAME.vocabulary.decisions):
        reason = GAME.why_not(view, choice)
        if reason is None:
            assert choice in position.legal_choices(seat)
        else:
            found.add(reason.key)
            if is_named(choice):
                assert all(words.reason(reason) for words in WORDS)
            assert all(words.has(f"raiatea.rule.{reason.rule}") for words in WORDS)
    return found


def test_reasons_are_given_for_whatever_is_not_offered() -> None:
    position = GAME.new(4, {"tane": True}, seed=2)
    rng = Random(5)
    found: set[str] = set()
    number = 0
    while not position.over:
        seat = position.to_move[0]
        if number % 9 == 0:
            found |= reasons(position, seat)
        number += 1
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    found |= reasons(position, 0)
    assert {"over", "first", "location_taken", "statue_locked", "cannot_pay", "at_location", "in_act"} <= found
    for words in WORDS:
        assert all(words.has(f"raiatea.reason.{key}") for key in found)


def test_a_question_speaks_of_what_is_left_alone() -> None:
    words = GameMessages(GAME, "en")
    s = table(3)
    give(s, 0, goods="uru")
    t = start(s).play("p0 go marae")
    assert words.prompt(t.position.decision(0)) == "Marae: sacrifice up to 2 commodities, then draw rituals."
    t.play("p0 sacrifice uru")
    assert words.prompt(t.position.decision(0)) == "Marae: draw rituals."
    s = table(3)
    give(s, 0, pearls=9, ready="trader")
    t = start(s).play("p0 go marketplace", "die 4", "p0 hire trader", "p0 hire shaman")
    assert words.prompt(t.position.decision(0)) == "Marketplace: sell up to 2 commodities, send a trader."
