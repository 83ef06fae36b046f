"""The plain table of a game from elsewhere, which draws none of its own: a whole game by clicking."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from atoll.engine import registry
from atoll.testing.browser import choose, click, confirm, data, wait_for_turn
from atoll.testing.live_server import LiveServer, serving
from tests.browser.conftest import NewPage

PLUGIN = "atoll.starter"  # what `atoll new-game` writes


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with a plugin, which nobody knows after these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.VARIABLE, PLUGIN)
        patch.setattr(registry, "_imported", {})
        patch.setattr(registry.games, "_loaded", dict(registry.games._loaded))
        patch.setattr(registry.games, "_plugged", set())
        with serving(tmp_path_factory.mktemp("live")) as server:
            yield server


def test_a_game_that_draws_nothing_is_played_to_its_end_by_clicking(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")  # nothing is replayed
    page.goto(live.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Play now against bots: Starter").click()
    page.wait_for_selector("main.play")
    chooser = random.Random(1)
    dives = 0
    while wait_for_turn(page):
        legal = [row[1] for row in data(page)["question"]["legal"]]
        expect(page.locator("#region-hand-hands .element.legal")).to_have_count(len(legal))
        choose(page, chooser.choice(legal), click)
        confirm(page, click)
        dives += 1
    assert dives == 5, "a hand"
    expect(page.locator("#page-prompt")).to_have_text(re.compile("The game is over: .+ won"))
    expect(page.locator(".ranking > li")).to_have_count(2)
