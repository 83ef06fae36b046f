"""Rules pages of all games: both languages, numbers from the data, pictures of real positions."""

from __future__ import annotations

import importlib.resources
import random
import re
import string
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from atoll.engine import ComponentError, Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.rulebook import Section, When, in_play, rulebook, wording
from atoll.engine.translations import GameMessages, catalogue, catalogue_keys
from atoll.lessons import lessons
from atoll.picture import excerpt
from atoll.server.presentation import rules_page, texts
from tests.games.test_owners_data import changed, numbers

SAMPLE = 12
LONGEST_GOAL = 130
RULE_IN_PICTURE = re.compile(r'say\("rule\.([a-z_]+)"')
RULE_IN_CODE = re.compile(r'\brule="([a-z_]+)"')


def rule_texts(game: Game, language: str) -> dict[str, str]:
    """The texts of the rules and the goal, by their keys without the game in front."""
    known = catalogue(game.package, language)
    keys = [key.removeprefix(f"{game.id}.") for key in catalogue_keys(game.package, language)]
    return {key: known.gettext(f"{game.id}.{key}") for key in keys if key.startswith("rule.") or key == "goal"}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def without_placeholders(text: str) -> str:
    return "".join(literal for literal, _, _, _ in string.Formatter().parse(text))


def settings(game: Game) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every number of players, with every combination of options."""
    for seats in game.seat_counts:
        for options in game.option_sets(seats):
            yield seats, options


def whens(game: Game) -> list[When]:
    sections: tuple[Section, ...] = rulebook(game).section
    found = [section.when for section in sections] + [when for each in sections for _, when in each.rules()]
    return found + [each.when for each in rulebook(game).variant]


@pytest.mark.parametrize("id", games)
def test_the_card_fits_the_game(id: str) -> None:
    card = rulebook(games[id]).card
    assert card.first_seats in games[id].seat_counts
    assert card.minutes[0] <= card.minutes[1]
    games[id].resolve_options(games[id].first_game_options(), card.first_seats)
    for language in LANGUAGES:
        assert len(GameMessages(games[id], language).say("goal")) <= LONGEST_GOAL


@pytest.mark.parametrize("id", games)
def test_each_text_stands_once_on_the_page_and_none_is_left_over(id: str) -> None:
    game, book = games[id], rulebook(games[id])
    texts = [rule for section in book.section for rule, _ in section.rules()]
    examples = [each for section in book.section for each in section.examples]
    wanted = [f"rule.{rule}" for rule in texts] + [f"rule.{rule}.title" for rule in texts]
    wanted += [f"rule.{each.rule}.{each.id}" for each in book.variant]
    wanted += [f"rule.section.{section.id}" for section in book.section]
    wanted += [f"rule.example.{each}" for each in examples]
    wanted += [f"rule.table.{each}" for section in book.section for each in section.tables]
    wanted += [f"rule.gallery.{each}" for section in book.section for each in section.gallery]
    assert [key for key, count in Counter(wanted).items() if count > 1] == []
    assert sorted(examples) == sorted(each.id for each in book.example)
    assert {each.rule for each in book.variant} <= set(texts)
    for language in LANGUAGES:
        there = set(rule_texts(game, language)) - {"goal"}
        assert set(wanted) - there == set(), "no text"
        # Headings of tables and words about pieces are asked for by the game's rulebook.py.
        left_over = {key for key in there - set(wanted) if not key.startswith(("rule.table.", "rule.gallery."))}
        assert left_over == set(), "in no section"


@pytest.mark.parametrize("id", games)
def test_the_rule_behind_each_question_and_score_is_on_the_page(id: str) -> None:
    files = importlib.resources.files(games[id].package).iterdir()
    named = {rule for file in files if file.name.endswith(".py") for rule in RULE_IN_CODE.findall(file.read_text())}
    assert named
    on_page = {rule for section in rulebook(games[id]).section for rule, _ in section.rules()}
    assert named <= on_page


@pytest.mark.parametrize("id", games)
def test_texts_that_the_picture_shows_need_no_numbers_of_a_table(id: str) -> None:
    package = importlib.resources.files(games[id].package)
    parts = package.joinpath("picture")
    modules = parts.iterdir() if parts.is_dir() else [package.joinpath("picture.py")]
    picture = "\n".join(each.read_text() for each in modules if each.name.endswith(".py"))
    texts, printed = rule_texts(games[id], "en"), set(games[id].text_values(games[id].components))
    shown = RULE_IN_PICTURE.findall(picture)
    assert {key for key in shown if placeholders(texts[f"rule.{key}"]) - printed} == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", games)
def test_no_digit_stands_in_a_rule_text(id: str, language: str) -> None:
    texts = rule_texts(games[id], language)
    assert {key: text for key, text in texts.items() if re.search(r"\d", without_placeholders(text))} == {}


@pytest.mark.parametrize("id", games)
def test_both_languages_ask_for_the_same_numbers(id: str) -> None:
    english, german = (rule_texts(games[id], language) for language in ("en", "de"))
    assert {key for key in english if placeholders(english[key]) != placeholders(german[key])} == set()


@pytest.mark.parametrize("id", games)
def test_each_fact_is_used_and_never_one_of_two_names(id: str) -> None:
    game = games[id]
    used = set[str]().union(*map(placeholders, rule_texts(game, "en").values()))
    for seats, options in settings(game):
        facts = game.rule_facts(game.components, seats, options)
        assert set(facts) - used == set()
        assert set(facts) & set(game.text_values(game.components)) == set()


@pytest.mark.parametrize("id", games)
def test_what_is_in_play_is_told_by_options_that_exist(id: str) -> None:
    game = games[id]
    everything = list(settings(game))
    for when in whens(game):
        for holds in (True, False) if when else (True,):
            assert any(in_play(when, seats, options) == holds for seats, options in everything), when


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", games)
def test_the_page_has_all_it_names_for_every_table(id: str, language: str) -> None:
    game, words = games[id], GameMessages(games[id], language)
    for seats in game.seat_counts:
        at = rules_page.RulesContext(seats, random.Random(seats).choice(game.option_sets(seats)))
        found = rules_page.parts(game, words, at)
        for part in found:
            assert part.texts or part.tables or part.groups or part.examples or part.fresh or part.options
            for table in part.tables:
                assert table.table.rows
                assert all(table.table.head)
                assert {len(row) for row in table.table.rows} == {len(table.table.head)}
            for group in part.groups:
                assert group.pieces
                for piece, markup in group.pieces:
                    ElementTree.fromstring(f"<svg xmlns='http://www.w3.org/2000/svg'>{markup}</svg>")  # noqa: S314 - ours
                    assert piece.name
                    assert piece.count > 0 or (piece.count == 0 and piece.text), "how many, or at least what it is"
        named = [each.id for part in found for each in part.tables], [each.id for part in found for each in part.groups]
        made = rules_page.figures(game, words, at)
        assert tuple(map(sorted, named)) == tuple(sorted(each) for each in made)


@pytest.mark.parametrize("id", games)
def test_each_example_is_a_real_position_and_its_picture_shows_what_it_tells(id: str) -> None:
    game = games[id]
    for example in rulebook(game).example:
        position = example.position(game)
        assert position.seats == example.seats
        fields = example.fields(game, position)
        text = rule_texts(game, "en")[f"rule.example.{example.id}"]
        assert set(fields) - placeholders(text) == set(), f"{example.id}: not in its sentence"
        assert max(example.score, default=0) < example.seats
        drawn = excerpt(game, position.view(example.viewer), GameMessages(game, "de"), example.show, example.spot)
        ElementTree.fromstring(drawn)  # noqa: S314 - ours


@pytest.mark.parametrize("id", games)
def test_what_can_be_tried_is_a_step_of_a_lesson(id: str) -> None:
    for example in rulebook(games[id]).example:
        name, _, step = example.lesson.partition("#")
        if name:
            assert step in [each.id for each in lessons(games[id])[name].steps]


@pytest.mark.parametrize("id", games)
def test_a_new_table_is_drawn_for_every_number_of_players(id: str) -> None:
    game = games[id]
    for seats in game.seat_counts:
        drawn = rules_page.picture(game, "en", rules_page.FRESH, seats, (), "light")
        ElementTree.fromstring(drawn)  # noqa: S314 - ours


def whole_page(game: Game, seats: int) -> str:
    """All that the page holds, as a text."""
    words = GameMessages(game, "en")
    at = rules_page.RulesContext(seats, game.resolve_options({}, seats))
    return repr(rules_page.parts(game, words, at))


@pytest.mark.parametrize("id", [id for id in games if any(section.tables for section in rulebook(games[id]).section)])
def test_an_owners_numbers_change_the_page(id: str) -> None:
    game = games[id]
    before = {seats: whole_page(game, seats) for seats in game.seat_counts}
    paths = sorted(numbers(game.data), key=str)
    tried = seen = 0
    for path in random.Random(f"rules {id}").sample(paths, min(SAMPLE, len(paths))):
        try:
            owners = type(game)(changed(game.data, path, 1))
        except ComponentError:
            continue
        tried += 1
        seen += any(whole_page(owners, seats) != before[seats] for seats in game.seat_counts)
    assert tried
    assert seen * 2 >= tried


@pytest.mark.parametrize("id", games)
def test_each_variant_is_the_wording_of_some_table(id: str) -> None:
    game = games[id]
    variants = {f"rule.{each.rule}.{each.id}" for each in rulebook(game).variant}
    rules = {each.rule for each in rulebook(game).variant}
    said = {wording(game, rule, seats, options) for seats, options in settings(game) for rule in rules}
    assert said == variants | {f"rule.{rule}" for rule in rules}


OPTIONS_DECIDE = [
    ("raiatea", 4, {"oracle": True}, {"statues_ready": "face up from the start"}, "face down"),
    ("raiatea", 4, {"oracle": False}, {"statues_ready": "locked and face down"}, "face up from the start"),
    ("raiatea", 4, {"oracle": True}, {"after_feast": "statue is unlocked,"}, "turned face up"),
    ("raiatea", 4, {"mana_shortage": True}, {"buy": "mana to the supply", "auction": "to the supply"}, "into the bag,"),
    ("raiatea", 4, {"mana_shortage": False}, {"buy": "into the bag", "auction": "into the bag"}, "supply"),
    ("raiatea", 4, {"auctions": "need_bid"}, {"nobody_bids": "stays"}, "for free"),
    ("raiatea", 4, {"auctions": "favour"}, {"nobody_bids": "for free"}, "stays"),
    ("atacama", 2, {"setup": "enhanced"}, {"supplies": "27 rigs", "lay_out": "first batch"}, "28"),
    ("atacama", 2, {"setup": "basic"}, {"supplies": "28 rigs", "lay_out": "letters"}, "batch"),
    ("atua", 2, {"residents": False, "fates": False}, {"turn": "refilled.", "end": "longest beach"}, "fate"),
    ("atua", 2, {"residents": False, "fates": True}, {"turn": "fate", "end": "fates"}, "resident"),
    ("atua", 2, {"residents": True, "fates": False}, {"turn": "resident", "end": "resident"}, "fate"),
    ("atua", 1, {}, {"turn": "two open cards", "without_twin": "even identical ones"}, "row"),
    ("atacama", 4, {"tactic": True}, {"supplies": "6 rigs and 1 double rig from"}, "7"),
    ("atua", 3, {"fates": False}, {"own_coconuts": "first.", "late_card": "longest beach"}, "fate"),
    ("atlandice", 3, {}, {"second_die": "you have taken in this round", "donation": "give back"}, "neutral"),
    ("wutaki", 2, {"masterboards": "symmetric"}, {"masterboards": "pact track"}, "place of your own"),
    ("wutaki", 2, {"max_rounds": 0}, {"guard": "has none"}, "0"),
    ("wutaki", 2, {"max_rounds": 30}, {"guard": "30 rounds"}, "none"),
]
"""Per table some of its rules with what they must say there, and what none of them may say."""


@pytest.mark.parametrize(("id", "seats", "chosen", "must", "never"), OPTIONS_DECIDE)
def test_a_text_says_what_holds_with_the_options_of_the_table(
    id: str, seats: int, chosen: dict[str, Any], must: dict[str, str], never: str
) -> None:
    game, words = games[id], GameMessages(games[id], "en")
    options = game.resolve_options(chosen, seats)
    at = rules_page.RulesContext(seats, options, frozenset({"seats", *chosen}))
    page = {each.rule.key: each.rule.text for part in rules_page.parts(game, words, at) for each in part.texts}
    for rule, said in must.items():
        assert said in page[rule]
        assert never not in page[rule]
        shown = texts.rule(words, rule, seats, options)
        assert shown is not None and shown.text == page[rule], "the table says the same"


def test_what_has_no_place_at_a_table_is_folded_there() -> None:
    game, words = games["atacama"], GameMessages(games["atacama"], "en")
    options = game.resolve_options({"setup": "enhanced"}, 2)
    found = rules_page.parts(game, words, rules_page.RulesContext(2, options, frozenset({"setup"})))
    assert not next(part for part in found if part.id == "roles").in_play
    at = rules_page.RulesContext(1, games["atua"].resolve_options({}, 1), frozenset({"seats"}))
    folded = {
        part.id for part in rules_page.parts(games["atua"], GameMessages(games["atua"], "en"), at) if not part.in_play
    }
    assert {"take", "bonus", "end", "fate", "resident"} <= folded


def test_a_god_with_one_treasure_on_two_cards_says_on_how_many() -> None:
    game = games["raiatea"]
    for language, said in (("en", "Only one of the 2 cards has a treasure"), ("de", "Nur eine der 2 Karten hat einen")):
        _, gallery = rules_page.figures(
            game, GameMessages(game, language), rules_page.RulesContext(3, game.resolve_options({}, 3))
        )
        gods = [piece for piece in gallery["masks"] if "reasure:" in (piece.text or "") or "Schatz:" in piece.text]
        assert len(gods) == 12
        assert all(piece.count == 2 and said in piece.text for piece in gods)
