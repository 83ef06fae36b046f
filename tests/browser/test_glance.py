"""What a player sees without scrolling, over random decisions; what each figure means is said in scripts/glance.py."""

from __future__ import annotations

import pytest

import atoll
from atoll.testing.served import LiveServer
from scripts.glance import measure, misses
from tests.browser.conftest import NewPage

DECISIONS = 10
SIZES = {"desktop": (1400, 900), "phone": (390, 844)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", list(atoll.games))
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
