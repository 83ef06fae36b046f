"""A designer's hour in the workshop: change a price, see the card, simulate, compare, play."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from atoll.lab.run import run
from atoll.server.play import workshop
from atoll.testing.live_server import LiveServer, serving
from tests.browser.axe import violations
from tests.browser.conftest import NewPage

FATE = "fate.fate_fish"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that only its own machine can reach."""
    with serving(tmp_path_factory.mktemp("local"), secure=True, public_url="") as server:
        yield server


@pytest.fixture
def few_games() -> Iterator[None]:
    """Simulations of a few games in the server's own process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workshop, "GAMES", 8)
        patch.setattr(workshop, "run", lambda plan, numbers, workers: run(plan, numbers, workers=1))
        yield


def test_a_designers_hour(local: LiveServer, page: Page, few_games: None) -> None:
    page.goto(f"{local.url}/learn/atua")
    page.get_by_role("link", name="Workshop").click()
    page.get_by_text("fate", exact=True).click()
    page.get_by_role("link", name="Teeming Waters").click()
    page.locator("body[data-ready]").wait_for()
    price = page.locator(f"[name='f.{FATE}.price']")
    expect(price).to_have_value("1")

    # Change a price, see the card.
    price.fill("3")
    looks = page.locator("#workshop-looks .gallery")
    expect(looks.locator("li.changed")).to_have_count(1)
    expect(price).to_be_focused()
    before, after = (looks.locator("svg.piece").nth(n).inner_html() for n in (0, 1))
    assert before != after
    expect(page).to_have_url(re.compile("v="))

    # A refusal stands at its field.
    price.fill("-4")
    expect(page.locator(".field .wrong-here")).to_contain_text("price is -4")
    expect(page.get_by_role("link", name="Play this version")).to_have_count(0)
    price.fill("4")
    expect(page.locator(".field .wrong-here")).to_have_count(0)

    # Simulate, compare.
    page.get_by_role("button", name="Simulate").click()
    report = page.locator("#workshop-run table")
    expect(report).to_contain_text("Wins of the start player")
    assert violations(page) == []

    # Play.
    page.get_by_role("link", name="Play this version").click()
    page.locator("body[data-ready]").wait_for()
    here = page.url
    page.locator("#page-list summary").click()
    page.locator("#page-list button[name=choices]").first.click()
    expect(page).not_to_have_url(here)
    page.locator("#page-table").click()
    expect(page.locator("#workshop-variant")).to_contain_text(f"{FATE}.price")


@pytest.mark.parametrize(("game", "place"), [("atua", FATE), ("wutaki", ""), ("raiatea", ""), ("atacama", "")])
def test_the_workshop_fits(local: LiveServer, new_page: NewPage, game: str, place: str) -> None:
    page = new_page(locale="de")
    page.goto(f"{local.url}/workshop/{game}" + (f"?at={place}" if place else ""))
    for width in (1400, 844, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        expect(page.locator("form[data-workshop]")).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, width


def test_the_workshop_works_without_scripts(local: LiveServer, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{local.url}/workshop/atua?at={FATE}")
    page.locator(f"[name='f.{FATE}.price']").fill("3")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#workshop-variant")).to_contain_text(f"{FATE}.price")
