"""Lessons as people click through them: desktop and phone, pointer and keyboard, without scripts."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import atoll
from atoll.lessons import Lesson, LessonSession, LessonStep, lesson_names, lessons
from atoll.server.presentation import texts
from atoll.testing.browser import choose, click, data, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage

SIZES = {"phone": (390, 844), "wide": (1400, 900)}
PHONES = [(390, 844), (360, 740), (844, 390)]
HIGHEST_BAR = 0.4
"""Of a phone's height."""


class Way(NamedTuple):
    """A way to go through a lesson.

    Attributes:
        size: Size of the window.
        language: Language code.
        by: "pointer", "keyboard", or "form" (without scripts).
    """

    size: str
    language: str
    by: str


WAYS = (
    Way("phone", "de", "pointer"),
    Way("wide", "en", "keyboard"),
    Way("phone", "en", "form"),
    Way("wide", "de", "pointer"),
)
FIRST = [(game, "first") for game in atoll.games if "first" in lesson_names(atoll.games[game])]
ALL = [(game, name) for game in atoll.games for name in lesson_names(atoll.games[game])]
MATRIX = [
    Way(size, language, by) for size in SIZES for language in ("en", "de") for by in ("pointer", "keyboard", "form")
]


class Reader:
    """Somebody on the pages of a lesson."""

    def __init__(self, page: Page, live: LiveServer, lesson: Lesson, way: Way, wrongs: int) -> None:
        """wrongs: in how many steps something wrong is chosen first."""
        self.wrongs = wrongs
        self.page = page
        self.live = live
        self.lesson = lesson
        self.session = LessonSession(lesson)
        self.way = way
        site = texts.site(way.language)
        names = [site.text("seat.number", number=seat + 1) for seat in range(lesson.about.seats)]
        self.words = texts.GameTexts(lesson.game, way.language).at(names)

    def read(self) -> None:
        """From the first step to the last."""
        path = f"/learn/{self.lesson.game.id}/{self.lesson.name}?step=1"
        self.live.visit(self.page, None, path, scripts=self.way.by != "form")
        for number, step in enumerate(self.lesson.steps, 1):
            self.expect_text(self.session.say(self.words, step))
            self.look(step)
            if step.ask != "show":
                self.answer(step)
            if number == len(self.lesson.steps) // 2 and self.way.by != "form":
                assert not violations(self.page)
            if number < len(self.lesson.steps):
                self.press("#page-next", "n")
        expect(self.page.locator("#page-play")).to_be_visible()

    def look(self, step: LessonStep) -> None:
        """Check that an element that the step mentions is in sight.

        On a phone it is in one of the parts, and the bar leaves room for it.
        """
        page = self.page
        if self.way.size == "phone" and self.way.by != "form":
            aims = data(page)["aims"]
            assert self.open_tab() in (self.tabs_of(aims) or {self.open_tab()}), step.id
            for aim in (each for each in aims[:1] if self.tabs_of([each])):
                expect(page.locator(f"[id='{aim}']")).to_be_in_viewport()
        seen = any(self.is_seen(page.locator(f"[id='{id}']")) for id in step.spot)
        assert seen or not step.spot, (step.id, step.spot)
        if self.way.by != "form":
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), step.id
            assert set(data(page)["spot"]) == set(
                page.evaluate("() => [...document.querySelectorAll('.element.spot')].map((e) => e.id)")
            )
        if self.way.size == "phone" and self.way.by != "form":
            assert self.marked_tabs() == self.tabs_of(step.spot), step.id
        if self.way.size == "phone":
            box = page.locator(".lesson .ask").bounding_box()
            tools = page.locator(".lesson .tools").bounding_box()
            assert box and tools
            assert box["height"] + tools["height"] <= HIGHEST_BAR * SIZES["phone"][1] + 1, step.id

    def marked_tabs(self) -> set[str]:
        """The parts of a phone's table that are marked, so that one finds what lies in none that is seen."""
        return set(self.page.locator("label[data-marked]").evaluate_all("(all) => all.map((e) => e.dataset.tab)"))

    def open_tab(self) -> str:
        """The part of a phone's table that is open."""
        tab: str = self.page.locator("[name=tab]:checked").input_value()
        return tab

    def tabs_of(self, ids: Sequence[str]) -> set[str]:
        """The parts in which these elements lie."""
        found: list[str] = self.page.evaluate(
            """(ids) => ids.flatMap((id) => {
                const part = document.getElementById(id).closest("[data-tabs]");
                return (part?.dataset.tabs ?? "").split(" ").filter(Boolean);
            }).filter((tab) => document.querySelector(`label[data-tab=${tab}]`))""",
            [*ids],
        )
        return set(found)

    def is_seen(self, element: Locator) -> bool:
        """Return whether an element is drawn in this layout; on a phone, go to its part first."""
        parts = element.evaluate("(e) => e.closest('[data-tabs]')?.dataset.tabs ?? ''").split()
        if self.way.size == "phone" and parts and not element.is_visible():
            self.page.locator(f"label[data-tab={parts[0]}]").click()
        return element.is_visible()

    def answer(self, step: LessonStep) -> None:
        """First a wrong choice, if there is one, which is taken back; then the right one."""
        if step.ask == "choose":
            wrong = next((c for c in self.session.legal(step) if not self.session.react(step, c).passes), None)
            if wrong is not None and self.wrongs:
                self.wrongs -= 1
                self.choose(step, wrong)
                self.press("#page-take-back", "u")
                self.expect_text(self.session.say(self.words, step))
            self.choose(step, self.session.right(step))
        elif self.way.by == "form":
            choice = self.refused(step)
            self.submit(self.words.choice(choice))
            self.expect_text(self.session.say(self.words, step, self.session.react(step, choice)))
        else:
            element = self.page.locator(f"[id='{step.hint[0]}']")
            assert self.is_seen(element), (step.id, step.hint)
            self.act(element)
            expect(self.page.locator("#page-prompt.passed")).to_be_visible()

    def refused(self, step: LessonStep) -> int:
        """The choice in the list that is refused as the step wants it."""
        choices = self.page.locator("#page-list [name=choices] option, #page-list button[name=choices]")
        listed: list[int] = choices.evaluate_all("(all) => all.map((each) => Number(each.value))")
        return next(choice for choice in listed if self.session.react(step, choice).passes)

    def choose(self, step: LessonStep, choice: int) -> None:
        """Make a choice and check the reaction."""
        if self.way.by == "form":
            self.submit(self.words.choice(choice))
        else:
            choose(self.page, self.lesson.game.text(choice), self.act)
        self.expect_text(self.session.say(self.words, step, self.session.react(step, choice)))

    def submit(self, label: str) -> None:
        """Without scripts: choose in the list."""
        self.page.locator("#page-list > summary").click()
        if self.page.locator("#page-list select").count():
            self.page.locator("#page-list select").select_option(label=label)
            self.page.locator("#page-list button.strong").click()
        else:
            self.page.locator("#page-list").get_by_role("button", name=label, exact=True).click()

    def press(self, selector: str, key: str) -> None:
        """Continue or go back."""
        if self.way.by == "keyboard":
            self.page.keyboard.press(key)
        else:
            self.page.locator(selector).click()

    def act(self, locator: Locator) -> None:
        """Choose an element. A disabled one can be clicked all the same, and is refused."""
        if self.way.by == "keyboard":
            locator.focus()
            self.page.keyboard.press("Enter")
        elif self.way.size == "phone":
            locator.tap(force=True)
        else:
            locator.click(force=True)

    def expect_text(self, text: str) -> None:
        """Check the prompt."""
        expect(self.page.locator("#page-prompt")).to_have_text(re.compile(re.escape(text) + r"\s*$"))


def read(new_page: NewPage, live: LiveServer, game: str, name: str, way: Way, *, wrongs: int = sys.maxsize) -> None:
    width, height = SIZES[way.size]
    page = new_page(
        viewport={"width": width, "height": height},
        locale=way.language,
        is_mobile=way.size == "phone",
        has_touch=way.size == "phone",
        reduced_motion="reduce",
        java_script_enabled=way.by != "form",
    )
    Reader(page, live, lessons(atoll.games[game])[name], way, wrongs).read()


@pytest.mark.parametrize(("game", "name", "way"), [(*each, WAYS[i % len(WAYS)]) for i, each in enumerate(FIRST)])
def test_the_first_lesson_of_each_game_is_read(
    new_page: NewPage, live: LiveServer, game: str, name: str, way: Way
) -> None:
    read(new_page, live, game, name, way, wrongs=2)


@pytest.mark.fuzz
@pytest.mark.parametrize("way", MATRIX)
@pytest.mark.parametrize(("game", "name"), ALL)
def test_every_lesson_is_read_in_every_way(new_page: NewPage, live: LiveServer, game: str, name: str, way: Way) -> None:
    read(new_page, live, game, name, way)


def test_steps_are_addresses_with_scripts_too(live: LiveServer, page: Page) -> None:
    live.visit(page, None, "/learn/atacama/first?step=1")
    page.locator("#page-next").click()
    expect(page).to_have_url(re.compile(r"\?step=2$"))
    choose(page, "place r5c1 base", click)
    expect(page).to_have_url(re.compile(r"\?step=2&choice=place\+r5c1\+base$"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/learn/atacama/first?step=3*", hold)
    page.locator("#page-next").click()
    while not held:
        page.wait_for_timeout(20)
    page.go_back()  # while the next step is on its way
    held[0].continue_()
    expect(page.locator("#page-list")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?step=2$"))
    page.go_back()
    wait_until(page, "() => JSON.parse(document.getElementById('page-data').textContent).step === 1")
    page.reload()
    expect(page.locator(".at-step .number")).to_have_text("1 of 10")
    live.visit(page, None, "/learn/atacama/first?step=10")
    first = page.title()
    page.locator("#page-next").click()
    expect(page.locator(".at-step .number")).to_contain_text("1 of")
    shown = page.title()
    page.reload()
    assert shown == page.title() != first


def test_the_question_mark_says_why_not_and_lists_the_keys(live: LiveServer, page: Page) -> None:
    live.visit(page, None, "/learn/atacama/first?step=4")
    page.locator("#field-r1c1").focus()
    page.keyboard.press("?")
    expect(page.locator("#page-hint")).to_contain_text("A rig already stands on r1c1.")
    page.keyboard.press("Escape")
    page.locator("#page-next").focus()
    page.keyboard.press("?")
    expect(page.locator("#page-keys")).to_be_visible()
    expect(page.locator("#page-keys")).to_contain_text("the next step")


# The part of a phone's table that is open and the first one; sentences that are cut, which a box does that clips.
BEGINNING = """() => {
    const tabs = [...document.querySelectorAll("[name=tab]")];
    const cut = [...document.querySelectorAll(".ask, .ask *")].filter((each) => {
        const { overflowX, webkitLineClamp, clipPath } = getComputedStyle(each);
        const clips = overflowX === "hidden" || webkitLineClamp !== "none";
        const over = each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 2;
        return clipPath === "none" && each.checkVisibility() && clips && over;
    });
    return [tabs.find((tab) => tab.checked).value, tabs[0].value, cut.map((each) => each.textContent)];
}"""


@pytest.mark.parametrize(("width", "height"), PHONES)
def test_on_a_phone_a_lesson_begins_with_the_board_and_cuts_no_sentence(
    live: LiveServer, new_page: NewPage, width: int, height: int
) -> None:
    """It does where the first step asks for nothing, also after coming back to it."""
    page = new_page(
        viewport={"width": width, "height": height}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    shown = 0
    for game, name in ALL if (width, height) == PHONES[0] else FIRST:
        steps = lessons(atoll.games[game])[name].steps
        live.visit(page, None, f"/learn/{game}/{name}?step=1")
        tab, board, cut = page.evaluate(BEGINNING)
        assert cut == [], (game, name)
        if steps[0].ask != "show":
            continue
        shown += 1
        assert tab == board, (game, name)
        rings = page.locator(".element.spot, label[data-marked]").locator("visible=true")
        assert rings.count() or not steps[0].spot, (game, name)
        page.locator("#page-next").tap()
        expect(page.locator(".at-step .number")).to_contain_text("2 of")
        assert page.evaluate(BEGINNING)[2] == [], (game, name)
        page.locator("#page-back").tap()
        expect(page.locator(".at-step .number")).to_contain_text("1 of")
        assert page.evaluate(BEGINNING)[:2] == [board, board], (game, name)
    assert shown >= len(FIRST) - 1


def test_without_scripts_a_phone_says_in_full_what_a_step_speaks_of(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, java_script_enabled=False)
    live.visit(page, None, "/learn/wutaki/first?step=1", scripts=False)
    look = page.locator("#page-look")
    expect(look).to_contain_text("Pyramid of Doom")
    box = look.bounding_box()
    assert box is not None and box["height"] > 20
    assert page.evaluate(BEGINNING)[2] == []


# The uncovered part of the scene, in parts of the window's height; whether the lesson's own words are cut.
LEFT_OVER = """() => {
    const boxOf = (css) => document.querySelector(css)?.getBoundingClientRect();
    const scene = boxOf(".scene");
    const over = boxOf(".atua-tools")?.height ?? 0;
    const ask = document.querySelector(".lesson .ask");
    const cut = boxOf(".at-step").top < ask.getBoundingClientRect().top
        || boxOf("#page-prompt").bottom > (boxOf("#page-lines")?.top ?? innerHeight);
    return [(scene.height - over) / innerHeight, cut];
}"""


def test_on_a_low_phone_a_lesson_leaves_room_for_what_it_speaks_of(live: LiveServer, new_page: NewPage) -> None:
    """A step with few words, the wordiest ones, one that lists a score, one with a card in the hand."""
    page = new_page(viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True, locale="de-DE")
    for place in ("atacama/first?step=6", "atlandice/first?step=1", "atua/first?step=5", "atua/first?step=10"):
        page.goto(f"{live.url}/learn/{place}")
        page.wait_for_selector("[data-lesson] .element", state="attached")
        share, cut = page.evaluate(LEFT_OVER)
        assert (share >= 0.4, cut) == (True, False), (place, share, cut)
