"""Atua's cards by hand: dragged, turned, placed, refused with a reason; by mouse, touch and keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from atoll.server.model import Login
from tests.browser.conftest import NewPage
from tests.browser.live import LiveServer, data, until

FIRST_GAME = {"residents": False, "fates": False, "start_player": "seat_1"}


@pytest.fixture
def table(live: LiveServer, page: Page) -> str:
    """A first game against a bot; the own seat begins."""
    return open_table(live, page, live.guest("Ada", confirm_single=False))


def open_table(live: LiveServer, page: Page, login: Login, **options: Any) -> str:
    found = live.set_table(login, "atua", ["me", "bot"], {**FIRST_GAME, **options})
    live.visit(page, login, f"/t/{found}")
    expect(page.locator(".row-card.legal")).to_have_count(4)
    return found


def staged(page: Page) -> str:
    """What the open turn says of itself."""
    return page.locator("#page-prompt").inner_text()


def legal(page: Page) -> list[str]:
    return [row[1] for row in (data(page)["question"] or {"legal": []})["legal"]]


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def island_point(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the lattice is on the screen."""
    found: list[float] = page.evaluate(
        """([x, y]) => {
            const d = document.getElementById("drawing-island");
            const h = JSON.parse(document.getElementById("atua-hold").dataset.hold);
            const p = new DOMPoint((x - h.left) * h.unit, (y - h.top) * h.unit).matrixTransform(d.getScreenCTM());
            return [p.x, p.y];
        }""",
        [x, y],
    )
    return found[0], found[1]


def ghost_at(page: Page, text: str) -> None:
    """Move the card to a place by its buttons."""
    _, x, y, rot = text.split()
    wanted = (int(x), int(y), int(rot))
    for _ in range(400):
        at = ghost(page)
        if at == wanted:
            return
        if at[2] != wanted[2]:
            page.keyboard.press("r")
        elif at[0] != wanted[0]:
            page.locator(".atua-tools button").nth(2 if at[0] > wanted[0] else 5).click()
        else:
            page.locator(".atua-tools button").nth(3 if at[1] > wanted[1] else 4).click()
    raise AssertionError(f"the card stays at {ghost(page)}")


def ghost(page: Page) -> tuple[int, int, int]:
    """Where the floating card is: x, y, rot."""
    found: list[int] = page.evaluate(
        """() => {
            const h = JSON.parse(document.getElementById("atua-hold").dataset.hold);
            const g = document.querySelector(".atua-over .ghost");
            const [x, y] = g.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
            return [Math.round(x / h.unit + h.left), Math.round(y / h.unit + h.top), Number(g.dataset.rot)];
        }"""
    )
    return found[0], found[1], found[2]


def test_a_card_dragged_from_the_row_is_taken_and_floats_where_it_is_dropped(page: Page, table: str) -> None:
    page.mouse.move(*centre(page, ".row-card.legal >> nth=1"))
    page.mouse.down()
    page.mouse.move(*centre(page, "#drawing-island"), steps=6)
    expect(page.locator(".atua-tools")).to_be_visible()
    page.mouse.up()
    assert all(text.startswith("place ") for text in legal(page))
    x, y, rot = ghost(page)
    assert rot == 0
    centre_x, centre_y = island_point(page, x + 3, y + 3)
    wanted = centre(page, "#drawing-island")
    assert abs(centre_x - wanted[0]) < 40
    assert abs(centre_y - wanted[1]) < 40
    expect(page.locator(".row-card.held")).to_have_count(1)


def pick_up(page: Page, slot: int = 0) -> None:
    page.locator(".row-card.legal").nth(slot).click()
    expect(page.locator(".atua-tools")).to_be_visible()


def test_the_best_place_comes_first_and_the_next_ones_after_it(page: Page, table: str) -> None:
    pick_up(page)
    gains = page.evaluate("() => JSON.parse(document.getElementById('atua-hold').dataset.hold).gains")
    choices = legal(page)
    assert len(gains) == len(choices)
    seen = []
    for _ in range(5):
        x, y, rot = ghost(page)
        seen.append(gains[choices.index(f"place {x} {y} {rot}")])
        page.get_by_role("button", name="Next fitting place").click()
    assert seen[0] == max(gains)
    assert seen == sorted(seen, reverse=True)
    rot = ghost(page)[2]
    assert page.locator(".atua-over .spots circle").count() == sum(text.endswith(f" {rot}") for text in choices)


def test_a_fitting_card_glows_and_is_placed(page: Page, table: str) -> None:
    pick_up(page)
    wanted = legal(page)[0]
    ghost_at(page, wanted)
    expect(page.locator(".atua-over .ghost.fits")).to_have_count(1)
    expect(page.locator(".atua-over .strike").first).to_be_attached()
    expect(page.locator("#page-regions .placed.arriving")).to_have_count(1)
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#page-confirm")).to_be_visible()
    expect(page.locator(".atua-tools")).to_have_count(0)
    expect(page.locator(".atua-over.empty")).to_have_count(1)
    assert page.locator(".placed").count() == 2


def test_where_it_does_not_fit_the_reason_is_said_and_marked(page: Page, table: str) -> None:
    pick_up(page)
    ghost_at(page, "place 0 0 0")
    expect(page.locator(".atua-over .ghost.misfit")).to_have_count(1)
    expect(page.locator(".atua-tools output")).to_contain_text("star of a village or volcano must stay free")
    assert page.locator(".atua-over .wrong").count() >= 1
    page.get_by_role("button", name="Place", exact=True).click(force=True)
    expect(page.locator("#page-live")).to_contain_text("must stay free")
    assert page.locator("#page-confirm").count() == 0


def test_what_the_script_finds_legal_is_what_the_rules_do(page: Page, table: str) -> None:
    """The reasons are worked out in the browser: they must say nothing exactly where the rules allow."""
    for slot in range(4):
        pick_up(page, slot)
        choices = set(legal(page))
        wrong = page.evaluate(
            """async (legal) => {
                const { faultsOf } = await import("/static/games/atua/table.js");
                const hold = JSON.parse(document.getElementById("atua-hold").dataset.hold);
                const found = [];
                for (let x = -8; x <= 8; x += 1) for (let y = -8; y <= 8; y += 1) for (let rot = 0; rot < 4; rot += 1) {
                    const fits = faultsOf(hold, x, y, rot).length === 0;
                    if (fits !== legal.includes(`place ${x} ${y} ${rot}`)) found.push([x, y, rot, fits]);
                }
                return found;
            }""",
            sorted(choices),
        )
        assert wrong == []
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".row-card.legal")).to_have_count(4)


def test_the_card_turns_by_key_wheel_and_right_click(page: Page, table: str) -> None:
    pick_up(page)
    start = ghost(page)[2]
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.keyboard.press("Shift+R")
    assert ghost(page)[2] == (start + 1) % 4
    page.mouse.move(*centre(page, "#drawing-island"))
    page.mouse.wheel(0, 100)
    until(page, "(rot) => document.querySelector('.ghost').dataset.rot === rot", str((start + 2) % 4))
    page.locator("#open-sea").click(button="right", position={"x": 5, "y": 5}, force=True)
    assert ghost(page)[2] == (start + 3) % 4


def test_the_floating_card_is_dragged_on_and_attracted_by_where_it_fits(page: Page, table: str) -> None:
    pick_up(page)
    _, x, y, rot = legal(page)[-1].split()
    while ghost(page)[2] != int(rot):
        page.keyboard.press("r")
    at = ghost(page)
    page.mouse.move(*island_point(page, at[0] + 3, at[1] + 3))
    page.mouse.down()
    page.mouse.move(*island_point(page, int(x) + 3.3, int(y) + 2.8), steps=5)
    page.mouse.up()
    assert ghost(page) == (int(x), int(y), int(rot))


def test_by_keyboard_alone(page: Page, table: str) -> None:
    page.locator("#page-main").focus()
    page.keyboard.press("b")
    until(page, "() => document.activeElement.classList.contains('element')")
    for _ in range(40):
        if page.evaluate("() => document.activeElement.matches('.row-card.legal')"):
            break
        page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator(".atua-tools")).to_be_visible()
    page.locator(".atua-tools button").first.focus()
    first = ghost(page)
    page.keyboard.press("ArrowRight")
    assert ghost(page) == (first[0] + 1, *first[1:])
    page.keyboard.press("n")
    page.keyboard.press("p")
    page.locator(".atua-tools .strong").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#page-confirm")).to_be_visible()


def test_the_sea_zooms_and_shows_all_again(page: Page, table: str) -> None:
    whole = page.locator("#drawing-island").get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    assert page.locator("#drawing-island").get_attribute("viewBox") != whole
    pick_up(page)
    over, under = (page.locator(each).get_attribute("viewBox") for each in (".atua-over", "#drawing-island"))
    assert over == under
    page.get_by_role("button", name="Show all").click()
    assert page.locator("#drawing-island").get_attribute("viewBox") == whole


def test_a_small_island_opens_large(page: Page, table: str) -> None:
    page.locator(".small-island").first.click()
    expect(page.locator("dialog.atua-lens")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.atua-lens")).to_have_count(0)


def test_by_touch_on_a_phone(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator(".row-card.legal").first.tap()
    expect(page.locator(".atua-tools")).to_be_visible()
    for button in page.locator(".atua-tools button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.get_by_role("button", name="Turn right").tap()
    page.get_by_role("button", name="Next fitting place").tap()
    page.get_by_role("button", name="Place", exact=True).tap()
    expect(page.locator("#page-confirm")).to_be_visible()
    assert "Place" in staged(page)
