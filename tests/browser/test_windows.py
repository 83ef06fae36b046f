"""The table in windows of many sizes: low, upright, narrow and very large ones; zooming and panning."""

from __future__ import annotations

import random
import re
from itertools import cycle
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

import atoll
from atoll.server.domain.model import Login
from atoll.testing.browser import choose, click, confirm, data, pick, tap, wait_for_turn, wait_until
from atoll.testing.live_server import LiveServer
from scripts.glance import PAGE, is_phone, measure, misses
from tests.browser.conftest import NewPage
from tests.browser.test_atua import Fingers
from tests.browser.test_looks import play

GAMES: Final = list(atoll.games)
LOW: Final[dict[str, Any]] = {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True}


VERSION: Final = "(before) => JSON.parse(document.getElementById('page-data').textContent).version !== before"


def with_others(live: LiveServer, game: str, kind: str) -> tuple[Login, str]:
    """Return a person and a table with the most seats; `kind` is who sits at the other ones."""
    login = live.guest("Ada", confirm_single=True)
    others = atoll.games[game].seat_counts[-1] - 1
    return login, live.set_table(login, game, ["me", *[kind] * others])


@pytest.mark.parametrize("game", GAMES)
def test_turns_are_taken_by_finger_in_a_low_window(live: LiveServer, new_page: NewPage, game: str) -> None:
    page = new_page(reduced_motion="reduce", **LOW)
    login, table = with_others(live, game, "bot")
    live.visit(page, login, f"/t/{table}")
    chooser = random.Random(3)
    for _ in range(2):
        assert wait_for_turn(page)
        version = data(page)["version"]
        while not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), tap)
        confirm(page, tap)
        wait_until(page, VERSION, version)


SIZES: Final = [(844, 390), (740, 360), (700, 450), (768, 1024), (1024, 768), (1366, 640), (2560, 1440)]


@pytest.mark.parametrize(("size", "game"), list(zip(SIZES, cycle(GAMES), strict=False)))
def test_windows_of_all_sizes_show_what_can_be_chosen(
    live: LiveServer, new_page: NewPage, size: tuple[int, int], game: str
) -> None:
    """A game in a window of each size; `make glance` measures all games in all of them."""
    login, table = with_others(live, game, "bot")
    width, height = size
    phone = is_phone(width, height)
    page = new_page(viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone)
    live.visit(page, login, f"/t/{table}")
    seen = measure(page, 2)
    assert not misses(seen, phone=phone), seen


def test_long_buttons_of_a_turn_stay_in_a_low_desktop_window(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1366, "height": 640}, locale="de-DE", reduced_motion="reduce")
    login = live.guest("Ada", confirm_single=True)
    live.visit(page, login, f"/t/{live.set_table(login, 'atua', ['me'])}")
    while not data(page)["confirm"]:
        choose(page, data(page)["question"]["legal"][0][1], click)
    buttons = page.locator(".commands button:visible")
    expect(buttons).to_have_text(["Bestätigen", re.compile("Zurücknehmen"), re.compile("Zug neu beginnen")])
    assert all(box is not None and box["x"] + box["width"] <= 1366 for box in map(Locator.bounding_box, buttons.all()))


@pytest.mark.parametrize("game", GAMES)
def test_all_parts_of_a_low_window_can_be_read(live: LiveServer, new_page: NewPage, game: str) -> None:
    login, table = with_others(live, game, "device")
    play(live, login, table, 12)
    page = new_page(locale="de-DE", **LOW)
    live.visit(page, login, f"/t/{table}?seat=0")
    for label in page.locator(".tabs label:visible").all():
        label.tap()
        seen = page.evaluate(f"() => {{ {PAGE}\nreturn look(); }}")
        assert seen["small"] >= 13, seen["smallText"]
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_low_window_works_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False, **LOW)
    login, table = with_others(live, "wutaki", "device")
    live.visit(page, login, f"/t/{table}?seat=0", scripts=False)
    expect(page.locator("#region-maw")).to_be_visible()
    page.locator("label[data-tab=pacts]").tap()
    expect(page.locator("#region-pact-deck")).to_be_visible()
    expect(page.locator("#region-maw")).to_be_hidden()
    page.locator("#page-list summary").tap()
    expect(page.locator("#page-list .sheet")).to_be_in_viewport()


# -- zooming and panning -------------------------------------------------------------------------------------------

SIZES_OF_TEXTS: Final = """() => [...document.querySelectorAll(".stage text, .stage .fact-value")]
    .filter((each) => each.getBoundingClientRect().width)
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * (each.getScreenCTM?.().a ?? each.currentCSSZoom))"""
FACTOR: Final = "() => Number(getComputedStyle(document.body).getPropertyValue('--zoom'))"


def shown(live: LiveServer, page: Page, game: str, moves: int = 4) -> None:
    """Show a table whose seat is asked."""
    login = live.guest("Ada")
    table = live.set_table(login, game, ["me", *["device"] * (atoll.games[game].seat_counts[0] - 1)])
    play(live, login, table, moves)
    asked = next((info.seat for info in live.view(login, table).seats if info.to_move), 0)
    live.visit(page, login, f"/t/{table}?seat={asked}")


@pytest.mark.parametrize("game", GAMES)
def test_zooming_makes_the_texts_of_a_scene_larger(live: LiveServer, page: Page, game: str) -> None:
    shown(live, page, game)
    before = page.evaluate(SIZES_OF_TEXTS)
    assert len(before) > 8
    for _ in range(4):
        page.keyboard.press("+")
    assert page.evaluate(FACTOR) == pytest.approx(1.25**4)
    assert page.evaluate(SIZES_OF_TEXTS) == pytest.approx([1.25**4 * each for each in before], rel=0.1)
    page.keyboard.press("-")
    assert page.evaluate(FACTOR) == pytest.approx(1.25**3)
    page.keyboard.press("0")
    assert page.evaluate(FACTOR) == 1
    assert page.evaluate(SIZES_OF_TEXTS) == pytest.approx(before, abs=0.1)
    scene = page.locator(".scene")
    assert scene.evaluate("(e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")


def test_letters_that_are_turned_off_do_not_zoom(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", shortcuts=False)
    live.visit(page, login, f"/t/{live.set_table(login, 'atacama', ['me', 'device'])}")
    page.keyboard.press("+")
    assert page.evaluate(FACTOR) == 1


def test_the_wheel_zooms_about_the_pointer(live: LiveServer, page: Page) -> None:
    shown(live, page, "atacama", 0)
    field = page.locator("#field-r2c2")
    before = field.bounding_box()
    assert before is not None
    spot = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(*spot)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    wait_until(page, f"() => ({FACTOR})() > 1")
    after = field.bounding_box()
    assert after is not None
    assert after["width"] == pytest.approx(1.25 * before["width"], rel=0.02)
    assert after["x"] < spot[0] < after["x"] + after["width"]
    assert after["y"] < spot[1] < after["y"] + after["height"]


def test_two_fingers_zoom_and_a_double_tap_shows_all(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(**LOW)
    shown(live, page, "atacama", 0)
    fingers = Fingers(page)
    fingers.drag(*(((420 - apart, 200), (420 + apart, 200)) for apart in (50, 60, 80, 100)))
    assert page.evaluate(FACTOR) > 1.4
    page.locator("label[data-tab=board]").tap()
    page.touchscreen.tap(90, 330)
    page.touchscreen.tap(90, 330)
    wait_until(page, f"() => ({FACTOR})() === 1")


def test_the_mouse_pans_a_zoomed_scene_and_chooses_nothing(live: LiveServer, page: Page) -> None:
    shown(live, page, "wutaki", 0)
    page.keyboard.press("+")
    page.keyboard.press("+")
    stamp = data(page)["stamp"]
    x, y = page.locator("#region-maw").evaluate(
        "(e) => { const { x, y, width, height } = e.getBoundingClientRect(); return [x + width / 2, y + height / 3]; }"
    )
    scrolled = page.locator(".scene").evaluate("(e) => [e.scrollLeft, e.scrollTop]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    assert page.locator(".scene").evaluate("(e) => [e.scrollLeft, e.scrollTop]") == [scrolled[0] - 60, scrolled[1] - 40]
    assert data(page)["stamp"] == stamp


def test_what_lies_beyond_an_edge_is_counted_there_and_brought_into_sight(live: LiveServer, page: Page) -> None:
    shown(live, page, "atacama", 0)
    legal = page.locator(".scene .element.legal").count()
    for _ in range(4):
        page.keyboard.press("+")
    counts = "() => [...document.querySelectorAll('.beyond-edge')].reduce((sum, e) => sum + Number(e.textContent), 0)"
    wait_until(page, f"(legal) => ({counts})() > legal / 3", legal)
    mark = page.locator(".beyond-up")
    count = int(mark.text_content() or "")
    expect(mark).to_have_accessible_name(f"Choices beyond the upper edge: {count}")
    mark.click()
    wait_until(page, "(count) => Number(document.querySelector('.beyond-up')?.textContent ?? 0) < count", count)
    page.keyboard.press("0")
    expect(page.locator(".beyond-edge")).to_have_count(0)


def test_a_new_question_comes_into_sight(live: LiveServer, page: Page) -> None:
    """Wherever the scene was panned to."""
    login = live.guest("Ada")
    table = live.set_table(login, "raiatea", ["me", "device", "device"])
    live.visit(page, login, f"/t/{table}?seat=0")
    for _ in range(6):
        page.keyboard.press("+")
    page.locator(".scene").evaluate("(e) => e.scrollTo(0, 0)")
    play(live, login, table, 40)
    page.wait_for_timeout(300)
    in_sight = """() => {
        const room = document.querySelector(".scene").getBoundingClientRect();
        const legal = [...document.querySelectorAll(".scene .element.legal")].filter((e) => e.getClientRects().length);
        return !legal.length || legal.some((e) => {
            const { left, right, top, bottom } = e.getBoundingClientRect();
            const [x, y] = [(left + right) / 2, (top + bottom) / 2];
            return x >= room.left && x <= room.right && y >= room.top && y <= room.bottom;
        });
    }"""
    wait_until(page, in_sight)


def test_buttons_of_the_menu_zoom(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(**LOW)
    shown(live, page, "raiatea", 30)
    page.locator("#page-menu > summary").tap()
    page.locator(".zoom-row button").first.tap()
    assert page.evaluate(FACTOR) > 1
    page.keyboard.press("Escape")
    expect(page.locator(".zoom")).to_be_visible()
    page.locator(".zoom button").last.tap()
    expect(page.locator(".zoom")).to_be_hidden()
