"""Lessons over HTTP: every step is a page, every answer has an address, and nothing needs a script."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.lessons import Lesson, LessonSession, LessonStep, lesson_names, lessons
from atoll.picture.elements import elements
from atoll.server.presentation import pictures, texts

from .conftest import Browser, Site, site_at

LESSONS = [(game, name) for game in games for name in lesson_names(games[game])]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all lessons: they leave nothing behind."""
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('lessons')}/atoll.db", dict(games)) as site:
        yield site


@pytest.fixture
def ada(shared: Site) -> Browser:
    return shared.browser("Ada")


def texts_of(page: str, id: str) -> str:
    """Return the texts in an element of a page, without markup."""
    found = re.search(rf'<(\w+)[^>]* id="{id}".*?</\1>', page, re.DOTALL)
    assert found is not None, id
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", found[0])).split())


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="page-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def tried(session: LessonSession, step: LessonStep) -> dict[str, str]:
    """Return a choice and its text for each reaction that a step can have without scripts."""
    found: dict[str, str] = {}
    shown = elements(
        pictures.regions(session.lesson.game, session.position(step).view(session.learner), words("en", session))
    )
    for choice in session.legal(step):
        outcome = session.react(step, choice)
        found.setdefault(outcome.say, session.lesson.game.text(choice))
    if step.ask == "refuse":
        found["refused"] = shown[step.hint[0]].choice
    return found


def words(language: str, session: LessonSession) -> texts.GameTexts:
    """The texts of a lesson's game, with the names that its seats have there."""
    site = texts.site(language)
    names = [site.text("seat.number", number=seat + 1) for seat in range(session.lesson.about.seats)]
    return texts.GameTexts(session.lesson.game, language).at(names)


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_every_step_is_a_page_and_every_reaction_has_an_address(ada: Browser, game: str, name: str) -> None:
    lesson = lessons(games[game])[name]
    session = LessonSession(lesson)
    for number, step in enumerate(lesson.steps, 1):
        page = ada.get(f"/learn/{game}/{name}?step={number}")
        check_page(page.text, lesson, number)
        for language in LANGUAGES:
            page = ada.get(f"/learn/{game}/{name}?step={number}", headers={"accept-language": language})
            assert page.status_code == 200, page.text
            assert texts_of(page.text, "page-prompt") == session.say(words(language, session), step)
        for at, (say, choice) in enumerate(tried(session, step).items()):
            language = LANGUAGES[(number + at) % len(LANGUAGES)]
            form = {"step": str(number), "choices": choice}
            led = ada.post(f"/learn/{game}/{name}/choose", form, headers={"accept-language": language})
            assert led.status_code == 303
            page = ada.get(led.headers["location"], headers={"accept-language": language})
            assert page.status_code == 200
            check_reaction(page.text, session, step, say, language)


def check_page(page: str, lesson: Lesson, number: int) -> None:
    """The list of choices is there where something is asked, and the way on and back."""
    step, total = lesson.steps[number - 1], len(lesson.steps)
    assert ('id="page-list"' in page) == (step.ask != "show")
    assert ('id="page-next"' in page) == (number < total or bool(lesson.about.next))
    assert ('id="page-back"' in page) == (number > 1)
    assert ('id="page-play"' in page) == (number == total)
    assert data_of(page)["spot"] == list(step.spot)


def check_reaction(page: str, session: LessonSession, step: LessonStep, say: str, language: str) -> None:
    """Check the text about a choice, and the ways to continue or to take it back."""
    prompt = texts_of(page, "page-prompt")
    site = texts.site(language)
    here = data_of(page)["here"]
    found = re.search(r"[?&]choice=([^&]*)", here)
    assert found is not None
    outcome = session.react(step, session.lesson.game.parse(found[1].replace("+", " ")))
    assert outcome.say == say
    key = "right" if outcome.passes else "wrong" if outcome.reason is None else "refused"
    assert prompt == f"{site.text(f'learn.{key}')} {session.say(words(language, session), step, outcome)}"
    assert ('id="page-take-back"' in page) == (outcome.reason is None)
    assert ("wrong=1" in here) == (not outcome.passes)


def test_who_sits_in_a_lesson_is_called_by_the_seats_number(ada: Browser) -> None:
    page = ada.get("/learn/wutaki/first?step=1").text
    assert "Seat 2" in page
    assert "Deleted account" not in page


def test_one_page_has_all_lessons_puzzles_and_rules_and_how_far_one_is(ada: Browser) -> None:
    for elsewhere in ("/puzzles", "/rules"):
        assert ada.get(elsewhere).headers["location"] == "/learn"
    ada.get("/learn/wutaki/first?step=3")
    page = ada.get("/learn").text
    for game in games.values():
        for address in (f"/learn/{game.id}", f"/puzzles/{game.id}", f"/rules/{game.id}"):
            assert f'href="{address}"' in page
        for name in lessons(game):
            assert f'href="/learn/{game.id}/{name}"' in page
    assert page.count(f"3 of {len(lessons(games['wutaki'])['first'].steps)}") == 1
    assert ada.get("/learn/wutaki/first").headers["location"].endswith("step=3")


def test_after_two_wrong_choices_what_is_right_is_lit(ada: Browser) -> None:
    first = "/learn/atacama/first"
    where = f"{first}?step=4"
    for wrong in (1, 2):
        answer = ada.post(f"{first}/choose", {"step": "4", "choices": "place r9c9 base", "wrong": str(wrong - 1)})
        where = answer.headers["location"]
        assert data_of(ada.get(where).text)["wrong"] == wrong
    page = ada.get(where).text
    assert data_of(page)["lit"] == ["field-r3c1"]
    assert 'id="page-show"' not in page
    again = re.search(r'id="page-take-back"[^>]*href="([^"]+)"', page)
    assert again is not None
    taken_back = ada.get(html.unescape(again[1])).text
    assert data_of(taken_back)["lit"] == ["field-r3c1"]
    assert re.search(r'<option value="\d+" selected>Place a rig on r3c1', taken_back)


def test_show_me_lights_what_is_right_at_once(ada: Browser) -> None:
    page = ada.get("/learn/atacama/first?step=8&show=1").text
    assert data_of(page)["lit"] == ["field-r2c4"]
    assert "r2c4" in texts_of(page, "page-look")
    assert data_of(ada.get("/learn/atacama/first?step=8").text)["lit"] == []


def test_scripts_get_the_page_that_comes_of_a_choice(ada: Browser) -> None:
    number = games["atacama"].parse("place r3c1 base")
    form = {"step": "4", "choices": str(number)}
    answer = ada.post("/learn/atacama/first/choose", form, headers={"x-fragments": ""})
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<main id="page-main"')
    data = data_of(answer.text)
    assert data["here"] == "/learn/atacama/first?step=4&choice=place+r3c1+base"
    assert (data["mine"], data["question"]) == (False, None)


def test_a_click_where_something_is_refused_is_an_answer(ada: Browser) -> None:
    form = {"step": "3", "choices": "place r5c6 *"}
    answer = ada.post("/learn/atacama/first/choose", form, headers={"x-fragments": ""})
    assert "shares an edge with the rig on r5c5" in texts_of(answer.text, "page-prompt")
    other = ada.post("/learn/atacama/first/choose", form | {"choices": "place r5c5 *"}, headers={"x-fragments": ""})
    assert "A rig already stands on r5c5" in texts_of(other.text, "page-prompt")
    assert data_of(other.text)["question"] is not None, "it can be tried again"


def test_what_can_not_be_done_is_explained(ada: Browser) -> None:
    def why(query: str) -> str:
        said: str = ada.get(f"/learn/atacama/first/why?{query}").json()["text"]
        return said

    assert "corner" not in why("step=4&choice=place+r1c1+*")
    assert why("step=4&choice=place+r1c1+*") == "A rig already stands on r1c1."
    assert why("step=1&choice=place+r1c1+*").startswith("There is nothing to choose here")
    assert why("step=4&choice=fly") == "That comes later. First: Place one of your rigs on a free field."


def test_a_preview_shows_the_choice_and_not_what_follows(ada: Browser) -> None:
    first, game = "/learn/atacama/first", games["atacama"]
    seen = ada.get(f"{first}/preview?step=9&choices={game.parse('place r3c3 base')}").json()
    assert "r3c3: Gold, 2; Rig" in seen["html"]
    assert "r9c8: Silver, 2; Rig" not in seen["html"]
    assert seen["question"] is None
    for nothing in ("step=1&choices=0", "step=9&choices=999999", "step=9", "step=9&choices=1,2"):
        assert ada.get(f"{first}/preview?{nothing}").json() == {"html": None, "question": None, "why": ""}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/learn/chess", 404),
        ("/learn/chess/first", 404),
        ("/learn/atacama/nowhere", 404),
        ("/learn/atacama/first?step=11", 404),
        ("/learn/atacama/first?step=x", 422),
        ("/learn/atacama/first?step=-1", 422),
        ("/learn/atacama/first?step=4&choice=fly", 422),
        ("/learn/atacama/first?step=4&choice=99999999", 422),
        ("/learn/atacama/first?step=4&choice=place+r1c1+base&wrong=x", 422),
        ("/learn/atacama/first?step=1&choice=fly", 200),
        ("/learn/atacama/first?step=0", 200),
    ],
)
def test_addresses_that_name_nothing_are_refused(ada: Browser, path: str, status: int) -> None:
    assert ada.get(path).status_code == status


def test_the_lessons_of_a_game_and_where_one_stopped(shared: Site) -> None:
    bob = shared.browser()
    overview = bob.get("/learn/atacama").text
    assert "Your first game" in overview
    assert "Begin" in overview
    assert bob.get("/learn/atacama/first").headers["location"] == "/learn/atacama/first?step=1"
    bob.get("/learn/atacama/first?step=4")
    assert bob.get("/learn/atacama/first").headers["location"] == "/learn/atacama/first?step=4"
    assert "Continue with step 4 of 10" in bob.get("/learn/atacama").text
    bob.get("/learn/atacama/first?step=10")
    assert "done" in bob.get("/learn/atacama").text
    for step in (-2, 99999):
        made_up = json.dumps({"lessons": {"atacama.first": step, "y": 3}})
        bob.cookies[bob.site.cookie("learning")] = base64.urlsafe_b64encode(made_up.encode()).decode()
        assert bob.get("/learn/atacama").status_code == 200
    assert 'href="/learn/atacama/first"' in bob.get("/").text
    assert bob.get("/learn/atacama/first").headers["location"] == "/learn/atacama/first?step=1"
