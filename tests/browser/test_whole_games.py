"""Each game from its first decision to its score: by mouse, by finger on a phone, by keyboard alone (`make fuzz`)."""

from __future__ import annotations

import random
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
    "keyboard": {},
}


@pytest.mark.fuzz
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", list(atoll.games))
def test_a_whole_game(live: LiveServer, new_page: NewPage, game: str, way: str) -> None:
    page = new_page(reduced_motion="reduce", **WAYS[way])
    login = live.guest("Ada")
    others = atoll.games[game].seat_counts[0] - 1
    live.visit(page, login, f"/t/{live.set_table(login, game, ['me', *['bot'] * others])}")
    chooser = random.Random(7)
    act = {"mouse": click, "keyboard": partial(press, page)}.get(way, tap)
    while wait_for_turn(page):
        if not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), act)
        confirm(page, act)
    expect(page.locator(".ranking > li").first).to_be_visible()
