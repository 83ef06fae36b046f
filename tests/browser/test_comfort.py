"""High contrast, larger texts and a left-handed bar on phones, also without scripts."""

from __future__ import annotations

from itertools import cycle
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

import atoll
from atoll.testing.live_server import LiveServer
from scripts.glance import measure
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.browser.test_looks import play

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1400, "height": 900}}
FONT: Final = "(e) => parseFloat(getComputedStyle(e).fontSize)"


def middle(page: Page, selector: str) -> float:
    """The middle of an element, from the left edge of the window."""
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2


@pytest.mark.parametrize(("game", "options"), list(zip(atoll.games, cycle((PHONE, DESK)), strict=False)))
def test_texts_of_half_their_size_more_leave_a_table_on_one_screen(
    live: LiveServer, new_page: NewPage, game: str, options: dict[str, Any]
) -> None:
    """Each game on a phone or on a desk; `make glance ARGS="--text-size 150"` measures more."""
    login = live.guest("Ada", text_size=150)
    table = live.set_table(login, game, ["me", *["bot"] * (atoll.games[game].seat_counts[-1] - 1)])
    page = new_page(**options)
    live.visit(page, login, f"/t/{table}")
    seen = measure(page, 2)
    assert (seen.prompt, seen.some_legal, seen.tall) == (1, 1, 1), seen
    assert seen.wide <= 1
    assert page.locator("#page-prompt").evaluate(FONT) > 19


def test_settings_of_comfort_are_chosen_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{live.url}/settings")
    page.get_by_label("Colors").select_option("High contrast, dark")
    page.get_by_label("Text size").select_option("130 %")
    page.get_by_label("On a phone").select_option("Buttons for the left hand")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html[data-theme=contrast-dark][data-text-size='130'][data-hand=left]")).to_have_count(1)
    expect(page.locator("body")).to_have_css("background-color", "rgb(0, 0, 0)")
    expect(page.locator("body")).to_have_css("font-size", "20.8px")


def test_the_system_may_ask_for_high_contrast(live: LiveServer, page: Page) -> None:
    page.emulate_media(contrast="more", color_scheme="light")
    live.visit(page, live.guest("Ada"), "/lobby")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    live.visit(page, live.guest("Bo", theme="light"), "/lobby")
    expect(page.locator("body")).not_to_have_css("background-color", "rgb(255, 255, 255)")


@pytest.mark.parametrize("theme", ["contrast-light", "contrast-dark"])
def test_axe_finds_nothing_with_high_contrast(live: LiveServer, new_page: NewPage, theme: str) -> None:
    login = live.guest("Ada", theme=theme)
    table = live.set_table(login, "wutaki", ["me", *["device"] * 3])
    play(live, login, table, 15)
    page = new_page(reduced_motion="reduce")
    live.visit(page, login, f"/t/{table}?seat=0")
    assert not violations(page, "color-contrast-enhanced")


def test_the_bar_changes_sides_for_the_left_hand(live: LiveServer, new_page: NewPage) -> None:
    for hand in ("right", "left"):
        login = live.guest("Ada", hand=hand)
        table = live.set_table(login, "wutaki", ["me", "device"])
        page = new_page(**PHONE)
        live.visit(page, login, f"/t/{table}?seat=0")
        expect(page.locator("#page-list")).to_be_visible()
        assert (middle(page, "#page-list") < 195) == (hand == "left")
        page.set_viewport_size({"width": 844, "height": 390})
        assert (middle(page, "#page-tools") < middle(page, "#page-prompt")) == (hand == "left")
        assert (middle(page, "#page-menu > summary") < 422) == (hand == "left")
        page.locator("#page-menu > summary").tap()
        expect(page.locator("#page-menu .sheet")).to_be_in_viewport(ratio=0.99)
