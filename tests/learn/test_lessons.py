"""Every lesson of every game holds against engine, picture and words."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.rulebook import rulebook
from atoll.lessons import LessonSession, check, lesson_names, lessons, lessons_by_rule, orphaned_texts
from atoll.picture import Region
from atoll.picture.elements import elements
from atoll.picture.patterns import matching_choices
from atoll.server.presentation import pictures
from atoll.server.presentation.texts import game_texts


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in games for name in lesson_names(games[game])])
def test_nothing_is_wrong_with_a_lesson(game: str, name: str) -> None:
    assert check(lessons(games[game])[name]) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "name"), [(game, name) for game in games for name in lesson_names(games[game])])
def test_the_minutes_of_a_lesson_are_those_that_it_takes(game: str, name: str, language: str) -> None:
    """An expert reads 200 words a minute and chooses in eight seconds.

    A newcomer needs up to three times as long.
    """
    lesson = lessons(games[game])[name]
    session, words = LessonSession(lesson), game_texts(games[game], language)
    asked = [step for step in lesson.steps if step.ask == "choose"]
    told = [session.say(words, step) for step in lesson.steps]
    told += [session.say(words, step, session.react(step, session.right(step))) for step in asked]
    known = len(" ".join(told).split()) / 200 + sum(step.ask != "show" for step in lesson.steps) * 8 / 60
    assert known <= lesson.about.minutes <= 3 * known + 0.5


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in games for name in lesson_names(games[game])])
def test_on_a_phone_the_part_is_opened_in_which_one_chooses(game: str, name: str) -> None:
    found = games[game]
    lesson, scene = lessons(found)[name], pictures.scene(found)
    session = LessonSession(lesson)
    assert scene is not None

    def parts(region: Region) -> list[str]:
        own = {"hand": ["mine"], "seat": ["seats"]}.get(region.role, [])
        return [*scene.tabs_of(region.id).split(), *own]

    for step in lesson.steps:
        if step.ask == "show":
            continue
        drawn = pictures.regions(found, session.position(step).view(session.learner), game_texts(found, "en"))
        shown, tabs = elements(drawn), {region.id: parts(region) for region in drawn}
        opened = next(
            filter(None, (tabs[shown[id].region] for id in (*session.target_elements(step, shown), *step.spot))), []
        )
        right = [choice for choice in session.legal(step) if session.react(step, choice).passes]
        chosen = (
            list(step.hint)
            if step.ask == "refuse"
            else [e.id for e in shown.values() if matching_choices(e.choice, found, right)]
        )
        there = {tab for id in chosen for tab in tabs[shown[id].region]}
        assert not there or there & set(opened), (step.id, opened, there)


@pytest.mark.parametrize("game", games)
def test_no_text_belongs_to_a_lesson_that_does_not_exist(game: str) -> None:
    assert orphaned_texts(games[game].package, game, lessons(games[game])) == []


@pytest.mark.parametrize("game", games)
def test_every_rule_is_taught_by_a_lesson_or_the_rules_page(game: str) -> None:
    found = lessons_by_rule(games[game])
    assert len(found) > 10
    assert {key for key, places in found.items() if not places} == set()


def test_a_rule_that_is_taught_nowhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = lessons_by_rule(games["atacama"])
    assert found["tactic"] == ["tactic", "rules: tactic"]
    assert found["word_line"] == ["rules: words"]
    monkeypatch.setattr(sys.modules["atoll.lessons.lesson_check"], "rulebook", lambda _: SimpleNamespace(section=()))
    assert lessons_by_rule(games["atacama"])["tactic"] == ["tactic"]
    assert lessons_by_rule(games["atacama"])["word_line"] == []


@pytest.mark.parametrize("game", games)
def test_what_is_needed_in_every_game_is_taught_by_a_lesson(game: str) -> None:
    """A game with lessons has the goal, a turn and the end in them."""
    covered = {key for lesson in lessons(games[game]).values() for key in lesson.about.covers}
    sections = {part.id: [key for key, _ in part.rules()] for part in rulebook(games[game]).section}
    for section in {"goal", "turn", "end"} & sections.keys():
        assert not covered or covered & set(sections[section]), section


def test_owners_components_have_no_lessons() -> None:
    printed = games["atacama"]
    data = {**printed.data, "game": {**printed.data["game"], "line_minimum_rigs": 3}}
    assert "first" in lessons(printed)
    assert lessons(type(printed)(data)) == {}
