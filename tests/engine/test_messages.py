"""Texts by key, in two languages."""

from __future__ import annotations

from string import Formatter

import pytest

from atoll.engine import Reason, ScoreLine, ScorePart, WordsError
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import Registry, games
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages, MessageCatalogue, catalogue, catalogue_keys, domain_of
from tests.toy import GAME as TOY
from tests.toy.tables import begun

EN = GameMessages(TOY, "en", ("Ada", "Bob", "Cai"))
DE = GameMessages(TOY, "de", ("Ada", "Bob", "Cai"))


def test_choices_and_prompts() -> None:
    table = begun(3).play("p0 play pearl")
    assert EN.prompt(table.position.decision(0)) == "Pay 3 shells."
    assert DE.prompt(table.position.decision(0)) == "Zahle 3 Muscheln."
    assert EN.choice(TOY.parse("pay white 1")) == "Pay 1: white shell"
    assert DE.choice(TOY.parse("receiver 2")) == "An Cai"


def test_singular_and_plural() -> None:
    assert [EN.score(ScoreLine("gifts", n, {"n": n})) for n in (1, 2)] == ["1 present", "2 presents"]
    assert [DE.score(ScoreLine("gifts", n, {"n": n})) for n in (1, 2)] == ["1 Geschenk", "2 Geschenke"]


def test_numbers_below_zero_have_a_true_minus() -> None:
    assert EN.score(ScoreLine("gifts", -2, {"n": -2})) == "−2 presents"


def test_log_for_those_who_know_and_those_who_dont() -> None:
    table = begun(3).play("p0 give", "p0 receiver 1", "p0 gift song")
    gave = table.position.events[-1]
    assert EN.event(gave, 1) == "Ada gives Song to Bob."
    assert EN.event(gave, 2) == EN.event(gave, None) == "Ada gives a card to Bob."
    assert DE.event(gave, 0) == "Ada schenkt Bob: Gesang."


def test_reasons_and_scores() -> None:
    assert EN.reason(Reason("too_expensive", {"card": 0, "n": 3})) == "Pearl costs 3 shells; you have fewer."
    assert DE.score(ScorePart("card", 3, {"card": 2})) == "Bö"


def test_names_come_from_components_catalogue_or_are_identifiers() -> None:
    assert (EN.title(), DE.title()) == ("Lagoon", "Lagune")
    assert EN.name("pips", 3) == "4"
    assert EN.name("card", 0) == "Pearl"
    assert GameMessages(TOY, "de").seat(1) == "Platz 2"
    assert EN.fields({"card": [0, 1], "card_2": 2, "n": 7, "seat": 0}) == {
        "card": "Pearl, Net",
        "card_2": "Gale",
        "n": 7,
        "seat": "Ada",
    }


def test_a_sentence_asks_for_a_name_in_the_form_that_it_needs() -> None:
    english, german = (GameMessages(games["atlandice"], language, ("Ada", "Bo")) for language in LANGUAGES)
    took = {"seat": 1, "resource": 4, "area": 5}
    assert english.say("log.took", took) == "Bo takes a weapon from the Black Market."
    assert german.say("log.took", took) == "Bo nimmt eine Waffe vom Schwarzmarkt."
    gave = [german.say("log.donated", {"seat": 0, "resource": 1, "amount": amount}) for amount in (1, 3)]
    assert gave == ["Ada gibt 1 Buch zurück.", "Ada gibt 3 Bücher zurück."]
    assert english.form("tile", 0, "a") == "Gem Cutters"
    assert english.form("tile", 0, "2") == "2 Gem Cutters"
    assert english.fields({"resource": [0, 1]})["resource"].__format__("a") == "a gem, a book"
    assert german.fields({"resource": [1, 0, 1]})["resource"].__format__("count") == "2 Bücher, 1 Juwel"


def test_a_number_is_said_in_words_and_none_not_at_all() -> None:
    english, german = (GameMessages(games["atua"], language, ("Ada", "Bo")) for language in LANGUAGES)
    said = [english.say("log.taken", {"seat": 1, "card": 0, "paid": n, "won": n}) for n in (0, 1)]
    card = english.name("card", 0)
    assert said == [f"Bo takes {card}.", f"Bo takes {card} for 1 coconut and gets 1 coconut."]
    assert german.say("log.beach_bonus", {"seat": 0, "points": 5}) == "Ada hat den längsten Strand: 5 Punkte."
    assert f"{english.fields({'points': -3})['points']}" == "−3"
    some, none = (english.say("log.scored", {"seat": 1, "source": 0, "points": n}) for n in (1, 0))
    assert (some, none) == ("Bo scores Fishers and fish: 1 point.", "Bo scores Fishers and fish: no points.")


@pytest.mark.parametrize("game", games)
def test_forms_of_names_that_are_asked_for_are_there_and_others_are_not(game: str) -> None:
    package, asked = games[game].package, set()
    keys = catalogue_keys(package, LANGUAGES[0])
    for language in LANGUAGES:
        texts = catalogue(package, language)
        for key in catalogue_keys(package, language):
            text = texts.ngettext(key, texts.gettext(key), 2)
            fields = [(name, form) for _, name, form, _ in Formatter().parse(text) if name and form]
            counted = {form for _, form in fields if f"{game}.form.number.{form}" in keys}
            asked |= {("number", form) for form in counted}
            asked |= {
                (domain_of(name), "count" if "{" in form else form) for name, form in fields if form not in counted
            }
    forms = [key.removesuffix(".none").split(".")[2:] for key in keys if key.startswith(f"{game}.form.")]
    assert asked == {(domain, names[-1]) for domain, *names in forms}


def test_missing_texts_are_errors() -> None:
    with pytest.raises(WordsError, match=r"no text 'toy.log.nothing' in 'en'"):
        EN.say("log.nothing")
    with pytest.raises(WordsError, match=r"text 'toy.log.played' in 'en': placeholder 'card' has no value"):
        EN.say("log.played", {"seat": 0})
    with pytest.raises(WordsError, match="unknown language 'fr'; known: en, de"):
        GameMessages(TOY, "fr")
    with pytest.raises(WordsError, match=r"tests.engine.nowhere has no texts in 'en'"):
        MessageCatalogue("tests.engine.nowhere", "en")


def test_catalogues_have_the_same_keys() -> None:
    english, german = (catalogue_keys(TOY.package, language) for language in LANGUAGES)
    assert english == german
    assert len(english) > 60


def test_registry_finds_games_by_id() -> None:
    assert "atacama" in games
    assert "chess" not in games
    assert games["atacama"] is games["atacama"]
    assert list(games) == sorted(games)
    mine = Registry("atoll.games")
    mine.register(TOY)
    assert mine["toy"] is TOY
    assert len(mine) == len(games) + 1
    assert "toy" not in games


def test_table_plays_lines_of_text() -> None:
    table = begun().play("p0 rest\n  p0 rest\n", "die 1")
    assert table.position.to_move == (1,)
    assert table.options(1)[-1] == "rest"
    assert table.events("rolled") == [{"seat": 0, "pips": 5}, {"seat": 1, "pips": 0}]
    assert ScriptedGame("atacama", 2).game is games["atacama"]
    with pytest.raises(Exception, match="a seat's line looks like 'p0 choice'"):
        table.play("p1: rest")
