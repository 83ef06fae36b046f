"""A set is clicked in any order: what is picked is marked, a second click drops it, and a whole one is confirmed."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

from atoll.games.raiatea import GAME
from tests.browser.conftest import NewPage
from tests.browser.live import LiveServer, confirm, data, until

DEALT = 5  # with as many choices no two cards are alike


def keeping(live: LiveServer) -> tuple[Any, str, list[str]]:
    """A game of Raiatea at its first decision: who, the table, and the cards, all different, of which some are kept."""
    ada = live.guest("Ada")
    for _ in range(30):
        table = live.set_table(ada, "raiatea", ["me", "bot", "bot"])
        turn = live.view(ada, table, 0).turn
        if turn is not None and turn.texts[0].startswith("keep") and len(turn.texts) == DEALT:
            return ada, table, list(turn.texts)
    raise AssertionError("nobody has anything to keep")


def revealed(live: LiveServer, ada: Any, table: str) -> Any:
    """What Ada sees when all have answered."""
    end = time.monotonic() + 20
    while True:
        seen = live.view(ada, table, 0).view
        if seen is not None and not seen["sealed"]:
            return seen
        assert time.monotonic() < end
        time.sleep(0.1)


def card(page: Page, text: str) -> Locator:
    return page.locator(f".element[data-choice='{text}']").first


def click(page: Page, target: Locator) -> None:
    """Click and wait until the page shows what came of it."""
    stamp = data(page)["stamp"]
    target.click()
    until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)


def test_the_first_decision_of_raiatea_is_clicked_last_card_first(live: LiveServer, page: Page) -> None:
    ada, table, texts = keeping(live)
    asked = live.view(ada, table, 0).view
    assert asked is not None
    keep = asked["decision"]["set"]["high"]
    live.visit(page, ada, f"/t/{table}")
    last = card(page, texts[-1])
    click(page, last)
    expect(last).to_have_class(re.compile(r"\bpicked\b"))
    expect(last).to_have_attribute("aria-pressed", "true")
    click(page, last)
    expect(last).not_to_have_attribute("aria-pressed", "true")
    for text in texts[::-1][:keep]:
        click(page, card(page, text))
    expect(page.locator("#page-picked button")).to_have_count(keep)
    assert data(page)["confirm"]
    confirm(page, lambda button: button.click())
    seen = revealed(live, ada, table)
    held = {f"keep {GAME.names(GAME.box)['ritual'][card]}" for card in seen["state"]["hands"][0]}
    assert set(texts[::-1][:keep]) <= held


def test_a_set_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    ada, table, texts = keeping(live)
    page = live.visit(new_page(java_script_enabled=False), ada, f"/t/{table}", scripts=False)
    page.locator("#page-list summary").click()
    page.locator("#page-list button[name=choices]").last.click()
    expect(page.locator("#page-picked button")).to_have_count(1)
    page.locator("#page-picked button").click()
    expect(page.locator("#page-picked")).to_have_count(0)
    expect(page.locator("#page-list button[name=choices]")).to_have_count(len(texts))
