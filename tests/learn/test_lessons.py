"""Every lesson of every game holds against engine, picture and words."""

from __future__ import annotations

import pytest

from atoll.engine.registry import games
from atoll.learn import check, lesson_names, lessons, stray_texts


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in games for name in lesson_names(games[game])])
def test_nothing_is_wrong_with_a_lesson(game: str, name: str) -> None:
    assert check(lessons(games[game])[name]) == []


@pytest.mark.parametrize("game", games)
def test_no_text_belongs_to_a_lesson_that_does_not_exist(game: str) -> None:
    assert stray_texts(games[game].package, game, lessons(games[game])) == []


def test_owners_components_have_no_lessons() -> None:
    printed = games["atacama"]
    data = {**printed.data, "game": {**printed.data["game"], "line_minimum_rigs": 3}}
    assert "first" in lessons(printed)
    assert lessons(type(printed)(data)) == {}
