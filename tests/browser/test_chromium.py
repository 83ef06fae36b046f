"""The browser that the other tests of this folder stand on."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage


def test_a_page_is_drawn_and_clicked(page: Page) -> None:
    page.goto("data:text/html,<button onclick='this.textContent=1+1'>count</button>")
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_text("2")
    assert page.screenshot().startswith(b"\x89PNG")


def test_each_page_has_the_context_it_asked_for(new_page: NewPage) -> None:
    phone, desk = new_page(viewport={"width": 390, "height": 844}, locale="de-DE"), new_page()
    assert phone.evaluate("[innerWidth, navigator.language]") == [390, "de-DE"]
    assert desk.evaluate("[innerWidth, navigator.language]") == [1400, "en-GB"]
    assert phone.context != desk.context
