"""Games on a loaded machine: no moment is seen before its time, and no click is lost."""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

import atoll
from atoll.testing.browser import choose, click, data, pick, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage

WATCH: Final = (Path(__file__).parent / "flashes.js").read_text("utf-8")
SLOWER: Final = 3
"""The browser's processor while others' moves come, against the one that runs the test, which turns for it."""
QUICKER: Final = """{
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...given) => wait(act, ms > 400 ? ms / 5 : ms, ...given);
}"""
"""Others' acts stand for a shorter time than people need to read them."""
DELAY_S: Final = 0.1
"""The time that a request is on its way."""
DECISIONS: Final = 7
"""The number of decisions in a game that isn't played to its end."""
UPDATE: Final = re.compile(r"/t/\w+\?seat=\d$")

# A point of an element that means a choice, where a click reaches it.
POINT: Final = """(at) => {
    const found = [...document.querySelectorAll("#page-regions .element[data-choice]")].map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return { element, x: left + width / 2, y: top + height / 2 };
    }).filter(({ element, x, y }) => element.contains(document.elementFromPoint(x, y)));
    const point = found[Math.floor(at * found.length)];
    return point ? { x: point.x, y: point.y } : null;
}"""
FREE: Final = """() => { const d = JSON.parse(document.getElementById("page-data").textContent);
    return (d.over || d.mine || d.confirm) && !("following" in document.body.dataset)
        && !document.getElementById("page-main").hasAttribute("aria-busy"); }"""


def late(route: Route) -> None:
    """Let a request wait, as long as others' next moves may take."""
    time.sleep(DELAY_S)
    route.continue_()


def answer_late(route: Route) -> None:
    """Carry a command out, and answer with the page as it is once bots have moved."""
    done = route.fetch()
    time.sleep(DELAY_S)
    page, _, _ = route.request.url.rpartition("/")
    seat = (parse_qs(route.request.post_data or "").get("seat") or [""])[0]
    if done.ok:
        done = route.fetch(url=f"{page}?seat={seat}", method="GET", post_data="")
    route.fulfill(response=done)


def touch(page: Page, chooser: random.Random) -> None:
    """Click somewhere in the picture, whatever is under way, and wait for an answer."""
    point = page.evaluate(POINT, chooser.random())
    if point is not None:
        page.mouse.click(point["x"], point["y"])
        wait_until(page, "() => !window.seen.open.length")


def put_back(page: Page) -> None:
    """Take back what clicks have half chosen."""
    for _ in range(3):
        page.keyboard.press("Escape")


def play(page: Page, chooser: random.Random, most: int) -> dict[str, Any]:
    """Play up to a number of decisions with clicks at odd times, and return the findings on the way.

    Args:
        page: The page.
        chooser: Source of random numbers.
        most: The largest number of decisions.
    """
    decisions, turns = 0, 0
    processor = page.context.new_cdp_session(page)
    while decisions < most:
        wait_until(page, FREE, seconds=60)
        processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        put_back(page)
        known = data(page)
        if known["over"]:
            break
        if not known["confirm"]:
            decisions += 1
            choose(page, pick([row[1] for row in known["question"]["legal"]], chooser), click)
            continue
        turns += 1
        processor.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        click(page.locator("#page-confirm"))
        touch(page, chooser)
        if chooser.random() < 0.9:
            wait_until(page, "() => !document.getElementById('page-main').hasAttribute('aria-busy')")
            touch(page, chooser)
    seen: dict[str, Any] = page.evaluate("() => window.seen")
    return seen | {"decisions": decisions, "turns": turns}


def a_game(live: LiveServer, new_page: NewPage, game: str, seed: int, seats: int, most: int = sys.maxsize) -> None:
    """Play a game, and fail if something was seen too early or a click had no answer.

    Args:
        live: The server.
        new_page: Makes a page.
        game: The game.
        seed: The seed of clicks and choices.
        seats: The number of seats.
        most: The number of decisions to play.
    """
    page = new_page()
    page.context.add_init_script(WATCH)
    page.context.add_init_script(QUICKER)
    login = live.guest("Ada", pace="fast")
    table = live.set_table(login, game, ["me", *["bot"] * (seats - 1)])
    for pattern in ("**/moment?*", "**/choose", UPDATE):
        page.route(pattern, late)
    page.route("**/confirm", answer_late)
    live.visit(page, login, f"/t/{table}")
    seen = play(page, random.Random(seed), most)
    sys.stdout.write(f"{game} {seed}: {seen}\n")
    assert not seen["wrong"], seen["wrong"][:5]
    assert not seen["open"]
    assert seen["pictures"] > seen["turns"] > 0, "others' acts were played"
    expect(page.locator("#page-result")).to_have_count(0 if seen["decisions"] == most else 1)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", list(atoll.games))
def test_nothing_is_seen_before_its_time_and_no_click_is_lost(secure: LiveServer, new_page: NewPage, game: str) -> None:
    if game == "atacama":  # to its end, which comes soonest with many bots
        a_game(secure, new_page, game, 1, atoll.games[game].seat_counts[-1])
    else:
        a_game(secure, new_page, game, 1, max(2, atoll.games[game].seat_counts[0]), DECISIONS)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("game", list(atoll.games))
def test_of_ten_games_either(secure: LiveServer, new_page: NewPage, game: str, seed: int) -> None:
    a_game(secure, new_page, game, seed, max(2, atoll.games[game].min_multiplayer_seats))
