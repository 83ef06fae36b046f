"""The coach's texts: for every question, true to the score, without secrets of other seats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import inf

import pytest

from atoll.bots import GreedyBot, derive_seed
from atoll.engine import Game, Position, SeatView
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.rules import ScoreLine
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages, catalogue, catalogue_keys
from atoll.lessons import coach
from atoll.lessons.coach import SeatSnapshot, StandingChange

NAMES = ("atacama", "atlandice", "atua", "raiatea", "wutaki")
EVERY = 9


@cache
def positions(name: str) -> tuple[Position, ...]:
    """Moments of a first game between bots."""
    return tuple(_played(games[name]))


def _played(game: Game) -> Iterator[Position]:
    position, number = game.new(game.min_multiplayer_seats, game.first_game_options(), seed=4), 0
    while not position.over:
        seat = position.to_move[0]
        if number % EVERY == 0:
            yield position.fork()
        for choice in GreedyBot().choose(SeatView(position, seat), inf, derive_seed(4, number)):
            position.apply(choice, seat)
        number += 1
    yield position


def keys(name: str, language: str) -> set[str]:
    prefix = f"{name}.coach."
    found = catalogue_keys(games[name].package, language)
    return {key.removeprefix(prefix) for key in found if key.startswith(prefix)}


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_its_meaning_in_words(name: str) -> None:
    prefix = f"{name}.prompt."
    asked = {key.removeprefix(prefix) for key in catalogue_keys(games[name].package, "en") if key.startswith(prefix)}
    for language in LANGUAGES:
        told = {key.removeprefix("prompt.") for key in keys(name, language) if key.startswith("prompt.")}
        assert told == asked
    assert keys(name, "en") == keys(name, "de")


@pytest.mark.parametrize("name", NAMES)
def test_words_of_a_coach_are_about_what_there_is_and_have_no_digits(name: str) -> None:
    vocabulary, notation = games[name].vocabulary, games[name].notation
    kinds = {kind.name: kind for kind in vocabulary.kinds}
    for key in keys(name, "en"):
        what, _, rest = key.partition(".")
        if what == "kind":
            kind, _, part = rest.partition(".")
            assert kind in kinds
            assert not part or part in notation.names(kinds[kind].domains[-1].name)
        else:
            assert what in ("prompt", "note", "gone", "soon")
        for language in LANGUAGES:
            text = catalogue(games[name].package, language).gettext(f"{name}.coach.{key}")
            assert not re.search(r"\d", re.sub(r"\{[^}]*\}", "", text)), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_noted_and_what_comes_can_be_said(name: str, language: str) -> None:
    words, said = GameMessages(games[name], language), 0
    for position in positions(name):
        for seat in range(position.seats):
            notes = [("note", *note) for note in coach.standing(position, seat).notes]
            notes += [("gone", *note[1:]) for note in notes]
            soon = [("soon", *note) for note in coach.upcoming_events(position.game, position.view(seat))]
            for what, key, fields in (*notes, *soon):
                if what == "soon" or words.has(f"{name}.coach.{what}.{key}"):
                    assert "{" not in words.say(f"coach.{what}.{key}", fields)
                    said += 1
    assert said
    # Spectators get no advice.
    assert coach.upcoming_events(games[name], positions(name)[0].view(None)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_seats_own_score_follows_from_what_it_knows(name: str) -> None:
    looked = 0
    for position in positions(name)[:-1]:
        seat = position.to_move[0]
        view = SeatView(position, seat)
        mine = coach.standing(position, seat)
        for world in range(2):
            assert coach.standing(view.sample(world), seat).lines == mine.lines
            looked += 1
    assert looked > 4


def test_changes_tell_lines_that_came_went_or_count_otherwise() -> None:
    lines = (ScoreLine("column", 7, {"line": 1, "n": 4}), ScoreLine("bonus", 5), ScoreLine("still", 2))
    before = SeatSnapshot(lines, (("near", {"n": 1}),))
    after = SeatSnapshot(
        (ScoreLine("column", 9, {"line": 1, "n": 5}), ScoreLine("row", 3), ScoreLine("still", 2)), (("far", {}),)
    )
    assert coach.changes(before, after) == [
        StandingChange("score", "column", {"line": 1, "n": 5}, 2),
        StandingChange("score", "row", {}, 3),
        StandingChange("score", "bonus", {}, -5),
        StandingChange("note", "far", {}),
        StandingChange("gone", "near", {"n": 1}),
    ]
    assert coach.changes(before, before) == []


def test_a_blunder_is_warned_of_with_a_reason_and_the_best_choice_is_not() -> None:
    """The lesson's last rig: one field of eight wins."""
    from atoll.lessons import lesson_session, lessons  # noqa: PLC0415

    lesson = lessons(games["atacama"])["first"]
    step = next(each for each in lesson.steps if each.id == "last")
    position = lesson_session(lesson).position(step)
    best = lesson_session(lesson).right(step)
    others = [choice for choice in position.legal_choices(0) if choice != best]
    assert coach.blunder_warning(position, 0, [best], 2.0, 1) is None
    cautions = [coach.blunder_warning(position, 0, [choice], 2.0, 1) for choice in others[::3]]
    found = [each for each in cautions if each is not None]
    assert found, "seven of eight choices lose"
    for caution in found:
        assert caution.lost > coach.LOST and caution.points > 0
        assert GameMessages(games["atacama"], "en").say(f"score.{caution.key}", caution.fields)


def test_who_can_choose_nothing_else_is_not_warned() -> None:
    table = ScriptedGame("atacama", 2, {"start_player": "seat_1"})
    assert coach.blunder_warning(table.position, 0, [], 0.1, 1) is None
