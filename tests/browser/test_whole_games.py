"""Each game as a whole: by mouse, by finger, by keyboard alone, with sound (`make fuzz`)."""

from __future__ import annotations

import random
import sys
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import expect

import atoll
from atoll.testing.browser import choose, click, confirm, data, pick, tap, wait_for_turn
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.test_play import press

WAYS: Final[dict[str, dict[str, Any]]] = {
    "mouse": {},
    "finger": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "finger, sideways": {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True},
    "finger, tablet": {"viewport": {"width": 768, "height": 1024}, "is_mobile": True, "has_touch": True},
    "mouse, large": {"viewport": {"width": 2560, "height": 1440}},
    "keyboard": {},
    "keyboard, zoomed": {"viewport": {"width": 700, "height": 450}, "device_scale_factor": 2},
}
SOUNDS: Final = """
    export async function play(name) {
        const prompt = document.getElementById("page-prompt").innerText;
        window.sounds.push({ ms: Math.round(performance.now()), name, prompt });
    }
"""
"""In place of the module that plays sounds; it only records them."""


@pytest.mark.fuzz
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", list(atoll.games))
def test_a_whole_game(live: LiveServer, new_page: NewPage, game: str, way: str) -> None:
    page = new_page(reduced_motion="reduce", **WAYS[way])
    login = live.guest("Ada")
    others = atoll.games[game].seat_counts[0] - 1
    live.visit(page, login, f"/t/{live.set_table(login, game, ['me', *['bot'] * others])}")
    chooser = random.Random(7)
    act = {"mouse": click, "keyboard": partial(press, page), "finger": tap}[way.partition(",")[0]]
    while wait_for_turn(page):
        if not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), act)
        confirm(page, act)
    expect(page.locator(".ranking > li").first).to_be_visible()


@pytest.mark.fuzz
@pytest.mark.parametrize("game", list(atoll.games))
def test_the_sounds_of_a_whole_game(live: LiveServer, new_page: NewPage, game: str) -> None:
    """The list of them is printed: when, which, and what the prompt said."""
    page = new_page()
    page.context.add_init_script("window.sounds = [];")
    page.route("**/late/sounds*.js", lambda route: route.fulfill(body=SOUNDS, content_type="text/javascript"))
    login = live.guest("Ada", pace="fast")
    others = max(2, atoll.games[game].seat_counts[0]) - 1
    live.visit(page, login, f"/t/{live.set_table(login, game, ['me', *['bot'] * others])}")
    page.mouse.click(1, 1)  # a browser on its first visit is silent until somebody is there
    chooser = random.Random(7)
    while wait_for_turn(page):
        if not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), click)
        confirm(page, click)
    expect(page.locator(".ranking > li").first).to_be_visible()
    sounds = page.evaluate("() => window.sounds")
    for each in sounds:
        sys.stdout.write(f"{each['ms'] / 1000:8.1f} s  {each['name']:<6} {each['prompt'].splitlines()[0]}\n")
    names = [each["name"] for each in sounds]
    assert names.count("end") == 1
    assert names[-1] == "end"
    assert {"turn", "piece"} <= set(names)
