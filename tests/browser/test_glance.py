"""Things that a player sees without scrolling, over random decisions; scripts/glance.py explains each figure.

`make glance` measures every game with the fewest and the most seats in windows of all sizes. Here each game is measured
in one of the two sizes that are most common, from the start page on.
"""

from __future__ import annotations

import random
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import atoll
from atoll.server.domain.model import Login
from atoll.testing.live_server import LiveServer
from scripts.glance import PAGE, measure, misses
from tests.browser.conftest import NewPage
from tests.browser.test_looks import PROBLEMS, play

DECISIONS = 5
SIZES = {"desktop": (1400, 900), "phone": (390, 844)}


@pytest.mark.parametrize(("game", "size"), list(zip(atoll.games, cycle(SIZES), strict=False)))
def test_a_table_is_one_screen(live: LiveServer, new_page: NewPage, game: str, size: str) -> None:
    width, height = SIZES[size]
    phone = size == "phone"
    page = new_page(viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone)
    page.goto(live.url)
    page.locator(f"button[name='game'][value='{game}']").first.click()
    page.wait_for_selector("#page-data", state="attached")
    seen = measure(page, DECISIONS)
    assert seen.decisions == DECISIONS
    assert not misses(seen, phone=phone), seen


# A legal element that is drawn, and one with a small text in a part of the drawing that isn't.
HIDDEN = """<main><p id="page-prompt">Go</p><svg width="200" height="100">
    <g class="element legal" id="there"><rect width="50" height="50"/><text y="20" font-size="16">a</text></g>
    <g display="none" font-size="4"><g id="gone" class="element legal">
    <rect width="9" height="9"/><text>b</text></g></g>
    </svg></main>"""


def test_what_a_hidden_part_of_a_drawing_holds_is_not_there(page: Page) -> None:
    page.set_content(HIDDEN)
    seen = page.evaluate(f"() => {{ {PAGE}\nreturn look(); }}")
    assert (seen["targets"], seen["seen"], seen["hidden"]) == (1, 1, [])
    assert page.evaluate(f"() => {{ {PROBLEMS}\nreturn small(); }}") == []


# The number of lines that the log has room for.
ROOM = """() => {
    const box = document.querySelector(".log-box").getBoundingClientRect();
    const log = document.querySelector("#page-log");
    const { top } = log.firstElementChild.getBoundingClientRect();
    return (Math.min(box.bottom, innerHeight) - top) / parseFloat(getComputedStyle(log).lineHeight);
}"""


@pytest.mark.parametrize("game", ["raiatea", "wutaki"])
def test_the_log_has_room_for_seven_lines_beside_four_seats(live: LiveServer, page: Page, game: str) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, game, ["me", "device", "device", "device"])
    chooser = random.Random(5)
    for _ in range(60):
        seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
        live.step(login, table, seat, chooser)
    page.set_viewport_size({"width": 1280, "height": 720})
    live.visit(page, login, f"/t/{table}?seat=0")
    assert page.evaluate(ROOM) >= 7


# The cards that a tray has and shows whole, how far it scrolls, and its smallest text on the screen.
TRAY = """() => {
    const tray = document.querySelector("#region-choose .drawings"), box = tray.getBoundingClientRect();
    const cards = [...tray.children].map((card) => card.getBoundingClientRect());
    const texts = [...tray.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width);
    const size = (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    return {
        cards: cards.length,
        whole: cards.filter((card) => card.top >= box.top && card.bottom <= box.bottom + 0.5).length,
        scrolls: tray.scrollHeight - tray.clientHeight,
        small: Math.min(...texts.map(size)),
    };
}"""


def test_the_cards_to_choose_from_are_seen_whole_on_a_small_phone(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "raiatea", ["me", "device", "device"])
    page = new_page(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, locale="de-DE")
    live.visit(page, login, f"/t/{table}?seat=0")
    found = page.evaluate(TRAY)
    assert found["cards"] == found["whole"] == 5
    assert found["scrolls"] <= 0
    assert found["small"] >= 13


def training(live: LiveServer) -> tuple[Login, str, int]:
    """A table of Raiatea at which a seat that may ask for advice is asked how many priests it trains."""
    for seed in range(20):
        login = live.guest("Ada")
        table = live.set_table(login, "raiatea", ["me", "device", "device"], advice=True)
        chooser = random.Random(seed)
        for _ in range(60):
            seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
            view = live.view(login, table, seat)
            assert view.turn
            if "advice" in view.can and view.turn.staged and all(each.startswith("train ") for each in view.turn.texts):
                return login, table, seat
            live.step(login, table, seat, chooser)
    raise AssertionError("nobody is asked how many priests it trains")


@pytest.mark.parametrize("language", ["en", "de"])
def test_amounts_stand_in_the_strip_beside_undo_hint_and_list(
    live: LiveServer, new_page: NewPage, language: str
) -> None:
    login, table, seat = training(live)
    page = new_page(viewport={"width": 1280, "height": 720}, locale=language)
    live.visit(page, login, f"/t/{table}?seat={seat}")
    expect(page.locator("#page-advice")).to_be_visible()
    expect(page.locator("#page-undo")).to_be_visible()
    amounts = page.locator(".choices").get_by_role("button")
    assert amounts.count() > 1
    expect(amounts.first).to_be_visible()
    expect(amounts.last).to_be_visible()
    expect(page.locator("#page-more")).to_be_hidden()
    assert page.locator("#page-prompt").evaluate("(e) => e.scrollHeight <= e.clientHeight + 1")


def test_what_own_cards_do_is_read_below_them_on_a_phone(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "wutaki", ["me", "device"])
    page = new_page(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, locale="de-DE")
    live.visit(page, login, f"/t/{table}?seat=0")
    cards = page.locator("#region-secrets .element")
    names = [cards.nth(at).get_attribute("aria-label") for at in range(cards.count())]
    assert len(names) >= 3
    for name in names:
        expect(page.locator(".sayings")).to_contain_text(name or "no name")
    expect(page.locator(".sayings")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".sayings")).to_have_count(0)


# The smallest text and the narrowest mark of a seat next to Raiatea's statues.
PATHS = """() => {
    const seen = (css) => [...document.querySelectorAll(`:is(#region-priests-tall, #region-tattoos-tall) ${css}`)]
        .filter((each) => each.getBoundingClientRect().width);
    const size = (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
    const width = (disc) => disc.getBoundingClientRect().width;
    return [Math.min(...seen("text").map(size)), Math.min(...seen(".disc").map(width))];
}"""


def test_paths_are_read_on_a_small_phone(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "raiatea", ["me", *["device"] * 4])
    page = new_page(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    live.visit(page, login, f"/t/{table}?seat=0")
    page.locator("label[data-tab=statues]").tap()
    text, mark = page.evaluate(PATHS)
    assert text >= 13
    assert mark >= 11  # five stand on one place


# Numbers of Raiatea's paths that a seat's mark lies over.
COVERED = """() => [...document.querySelectorAll(".path .place-number")].filter((text) => {
    const { left, top, bottom, height, right } = text.getBoundingClientRect();
    const [digits, foot] = [top + height * 0.25, bottom - height * 0.2];
    return [...text.closest(".path").querySelectorAll(".disc")].some((disc) => {
        const box = disc.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < foot && box.bottom > digits;
    });
}).map((text) => text.textContent)"""
OVER_EACH_OTHER = """() => {
    const shown = (id) => document.getElementById(id).getBoundingClientRect();
    const [priests, tattoos] = [shown("scale-priests-tall"), shown("scale-tattoos-tall")];
    return [priests.bottom - tattoos.top, tattoos.bottom - shown("region-tattoos-tall").bottom];
}"""


async def move_on(live: LiveServer, table: str, seats: int) -> None:
    """Move a number of Raiatea's seats to the end of both paths."""
    async with live.tables.executor.locked(table) as held:
        assert held.position is not None
        state: Any = held.position.state
        for seat in range(seats):
            state.priests[seat], state.tattoos[seat] = 12, 10


def test_marks_leave_the_numbers_of_paths_free(live: LiveServer, new_page: NewPage) -> None:
    """However many of five stand together."""
    login = live.guest("Ada")
    table = live.set_table(login, "raiatea", ["me", *["device"] * 4])
    play(live, login, table, 30)  # before that, trays lie over the court
    sizes = [(390, 844), (390, 664), (1400, 900)]
    pages = [
        new_page(viewport={"width": width, "height": height}, is_mobile=width < 1000, has_touch=width < 1000)
        for width, height in sizes
    ]
    for moved in range(4):
        live.ask(move_on(live, table, moved))
        for page, (width, _) in zip(pages, sizes, strict=True):
            live.visit(page, login, f"/t/{table}?seat=0")
            if width < 1000:
                page.locator("label[data-tab=statues]").tap()
                below, beyond = page.evaluate(OVER_EACH_OTHER)
                assert below <= 0, (moved, width)
                assert beyond <= 1, (moved, width)
            assert page.locator(".place-number:visible").count() == 13 + 11
            assert page.evaluate(COVERED) == [], (moved, width)


def test_alone_the_whole_turn_is_read_before_it_is_confirmed(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atua", ["me"])
    play(live, login, table, 3)
    page = new_page(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, locale="de-DE")
    live.visit(page, login, f"/t/{table}")
    prompt = page.locator("#page-prompt.long")
    expect(prompt).to_contain_text("Die Karte Tahuma überlassen")
    assert prompt.evaluate("(e) => e.scrollHeight <= e.clientHeight")
    assert prompt.evaluate("(e) => e.getBoundingClientRect().top") >= 0


def test_the_sheet_of_six_takes_the_free_sea_beside_the_island(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atua", ["me", *["device"] * 5])
    widths = []
    for width, height in ((1400, 900), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        live.visit(page, login, f"/t/{table}?seat=0")
        sheet = page.locator("#drawing-sheet").bounding_box()
        scene = page.locator(".scene").bounding_box()
        assert sheet and scene
        assert sheet["x"] + sheet["width"] <= scene["x"] + scene["width"]
        assert sheet["y"] + sheet["height"] <= scene["y"] + scene["height"]
        widths.append(sheet["width"])
    assert widths[1] >= 0.95 * widths[0]


@pytest.mark.parametrize("size", [(360, 740), (1280, 720)])
def test_what_a_replay_tells_stays_in_its_strip(live: LiveServer, new_page: NewPage, size: tuple[int, int]) -> None:
    """Of Wutaki's first acts, which have the longest sentences."""
    login = live.guest("Ada")
    table = live.set_table(login, "wutaki", ["me", *["device"] * 3])
    play(live, login, table, 16)
    page = new_page(viewport={"width": size[0], "height": size[1]}, locale="de-DE")
    sentences = set()
    for at in range(1, 7):
        live.visit(page, login, f"/t/{table}/replay?at={at}&seat=0")
        said, strip = page.locator(".said").bounding_box(), page.locator(".told").bounding_box()
        assert said and strip
        assert said["y"] >= 0 and said["y"] + said["height"] <= strip["y"] + strip["height"]
        sentences.add(page.locator(".said").text_content() or "")
    assert max(map(len, sentences)) > 120
