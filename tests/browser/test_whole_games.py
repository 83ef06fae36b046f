"""Each game from its first decision to its score: by mouse, by finger on a phone, by keyboard alone (`make fuzz`)."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

import atoll
from atoll.testing.browser import choose, confirm, data, pick, wait_for_turn
from atoll.testing.served import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.test_play import press

WAYS: Final[dict[str, dict[str, Any]]] = {
    "mouse": {},
    "finger": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "keyboard": {},
}


_PATIENCE_S: Final = 20.0

# Of a card in a fan only an edge may be free.
_FREE: Final = """(element) => {
    element.scrollIntoView({block: "nearest", inline: "nearest"});
    const box = element.getBoundingClientRect();
    const parts = [0.5, 0.1, 0.9, 0.3, 0.7];
    for (const x of parts) for (const y of parts) {
        const there = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
        if (element.contains(there)) return {x: x * box.width, y: y * box.height};
    }
    return null;
}"""


def _act(page: Page, way: str, target: Locator) -> None:
    if way == "keyboard":
        press(page, target)
        return
    until = time.monotonic() + _PATIENCE_S  # what is told of a move may lie over it for a moment
    while (free := target.evaluate(_FREE)) is None and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert free is not None, "nothing of it can be hit"
    (target.tap if way == "finger" else target.click)(position=free)


@pytest.mark.fuzz
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", list(atoll.games))
def test_a_whole_game(live: LiveServer, new_page: NewPage, game: str, way: str) -> None:
    page = new_page(reduced_motion="reduce", **WAYS[way])
    login = live.guest("Ada")
    others = atoll.games[game].seat_counts[0] - 1
    live.visit(page, login, f"/t/{live.set_table(login, game, ['me', *['bot'] * others])}")
    chooser = random.Random(7)
    act = partial(_act, page, way)
    while wait_for_turn(page):
        if not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), act)
        confirm(page, act)
    expect(page.locator(".ranking > li").first).to_be_visible()
