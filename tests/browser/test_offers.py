"""Decisions of every game in three sizes: half-made choices, badges, free places for messages."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

import atoll
from atoll.testing.browser import choose, click, confirm, data, elements, matches, pick, tap, wait_for_turn, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage

SIZES: Final[dict[str, dict[str, Any]]] = {
    "390x844": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "844x390": {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True},
    "1400x900": {},
}
DECISIONS: Final = {"390x844": 6, "844x390": 3, "1400x900": 3}
"""Where least is in sight, later ones are looked at, too."""

# The things under the message that can be chosen or are asked.
COVERED: Final = """() => {
    const sheet = document.getElementById("page-hint");
    if (sheet.hidden) return ["there is no message"];
    const a = sheet.getBoundingClientRect();
    if (a.left < 0 || a.top < 0 || a.right > innerWidth || a.bottom > innerHeight) return ["it is cut"];
    const seen = (element) => {  // what is scrolled out of its surroundings can't be covered
        const boxes = [element.getBoundingClientRect()];
        for (let each = element.parentElement; each; each = each.parentElement)
            if (getComputedStyle(each).overflow !== "visible") boxes.push(each.getBoundingClientRect());
        const of = (choose, side) => choose(...boxes.map((box) => box[side]));
        return {
            left: of(Math.max, "left"), top: of(Math.max, "top"),
            right: of(Math.min, "right"), bottom: of(Math.min, "bottom"),
        };
    };
    const taken = ".element.legal, #page-prompt, #page-rest button, .commands button, label[data-tab]";
    return [...document.querySelectorAll(taken)]
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .filter((each) => {
            const b = seen(each);
            if (b.left >= b.right || b.top >= b.bottom) return false;
            return a.left < b.right - 1 && b.left + 1 < a.right && a.top < b.bottom - 1 && b.top + 1 < a.bottom;
        }).map((each) => each.id || each.textContent);
}"""
TABS: Final = """() => Object.fromEntries([...document.querySelectorAll("label[data-tab]")].map((label) => {
    const name = label.dataset.tab;
    const parts = [...document.querySelectorAll("[data-tabs]")].filter((p) => p.dataset.tabs.split(" ").includes(name));
    const found = parts.flatMap((part) => [...part.querySelectorAll(".element.legal[data-choice]")]);
    return [name, { badge: Number(label.dataset.legal ?? 0), patterns: found.map((each) => each.dataset.choice) }];
}))"""
LEFT: Final = (
    """() => [...document.querySelectorAll("[data-rest] [data-texts]")].flatMap((b) => b.dataset.texts.split(";"))"""
)


def check_badges(page: Page, legal: list[str]) -> None:
    """A tab's badge counts the choices that can be made there."""
    for name, tab in page.evaluate(TABS).items():
        meant = {text for text in legal if any(matches(each, text) for each in tab["patterns"])}
        assert tab["badge"] == len(meant), f"{name} says {tab['badge']} for {sorted(meant)}"


def check_half(page: Page, legal: list[str], act: Any) -> bool:
    """Choose by halves where that can be: the bar offers the missing half, and the prompt names it."""
    if page.locator("[data-submit], .numbers").count():
        return False
    for each in elements(page):
        meant = [text for text in legal if matches(each["choice"], text)]
        found = page.locator(f"[id='{each['id']}']")
        if not 1 < len(meant) < len(legal) or each["dialog"] or each["picked"] or not found.is_visible():
            continue
        act(found)
        wait_until(page, "() => document.querySelector('#page-prompt .now')")
        assert sorted(page.evaluate(LEFT)) == sorted(meant)
        said = page.locator("#page-prompt").text_content() or ""
        labels = page.locator("[data-rest] [data-texts]").all_text_contents()
        if len(meant) <= 6:
            assert all(label in said for label in labels), (said, labels)
        assert len(set(labels)) == len(labels)
        back = page.get_by_role("button", name="Choose differently", include_hidden=True)
        if not back.is_visible():
            act(page.locator("#page-more"))
        act(back)
        expect(page.locator("#page-prompt .now[data-own]")).to_have_count(0)
        return True
    return False


def check_message(page: Page, legal: list[str]) -> None:
    """The server can't be reached just then: the message lies over nothing that can be chosen."""
    page.route("**/choose", lambda route: route.abort())
    choose_at_once(page, legal[0])
    wait_until(page, "() => !document.getElementById('page-main').hasAttribute('aria-busy')")
    assert page.evaluate(COVERED) == []
    page.unroute("**/choose")
    for each in elements(page):
        found = page.locator(f"[id='{each['id']}']")
        if each["disabled"] == "true" and not each["dialog"] and found.is_visible():
            found.dispatch_event("click")  # Playwright clicks nothing that is disabled
            wait_until(page, "() => document.querySelectorAll('#page-hint p').length > 1")
            assert page.evaluate(COVERED) == []
            break
    page.keyboard.press("Escape")


def choose_at_once(page: Page, text: str) -> None:
    """Choose from the list, which sends at once."""
    number = next(row[0] for row in data(page)["question"]["legal"] if row[1] == text)
    page.evaluate(
        """(number) => {
            const form = document.querySelector("#page-list form");
            const select = form.querySelector("select");
            if (select) select.value = String(number);
            form.requestSubmit(select ? null : form.querySelector(`button[value="${number}"]`));
        }""",
        number,
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", list(atoll.games))
def test_of_each_decision_all_is_in_reach_and_free(live: LiveServer, new_page: NewPage, game: str, size: str) -> None:
    page = new_page(reduced_motion="reduce", **SIZES[size])
    act = tap if "is_mobile" in SIZES[size] else click
    login = live.guest("Ada")
    others = atoll.games[game].seat_counts[0] - 1
    live.visit(page, login, f"/t/{live.set_table(login, game, ['me', *['bot'] * others])}")
    chooser = random.Random(5)
    halves = 0
    for _ in range(DECISIONS[size]):
        if not wait_for_turn(page):
            break
        if not data(page)["confirm"]:
            legal = [row[1] for row in data(page)["question"]["legal"]]
            check_badges(page, legal)
            check_message(page, legal)
            halves += check_half(page, legal, act)
            choose(page, pick(legal, chooser), act)
        confirm(page, act)


def test_a_message_makes_way_when_the_scene_moves_under_it(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce", **SIZES["390x844"])
    login = live.guest("Ada")
    live.visit(page, login, f"/t/{live.set_table(login, 'atacama', ['me', 'bot'], {'start_player': 'seat_1'})}")
    wait_for_turn(page)
    page.route("**/choose", lambda route: route.abort())
    choose_at_once(page, data(page)["question"]["legal"][0][1])
    wait_until(page, "() => !document.getElementById('page-main').hasAttribute('aria-busy')")
    assert page.evaluate(COVERED) == []
    moved = "document.querySelector('.scene').style.marginTop = '200px'"
    assert page.evaluate(f"() => {{ {moved}; return ({COVERED})(); }}"), "the board has moved under the message"
    wait_until(page, f"() => ({COVERED})().length === 0")
