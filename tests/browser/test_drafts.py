"""Half-typed words survive leaving and reloading, for their writer alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from atoll.testing.browser import wait_until
from atoll.testing.live_server import LiveServer

DRAFTS = "() => Object.entries(localStorage).filter(([name]) => name.startsWith('draft.')).length"


def test_half_typed_words_survive_leaving_and_reloading_for_who_typed_them(live: LiveServer, page: Page) -> None:
    ada, bob = live.guest("Ada"), live.guest("Bob")
    table = live.set_table(ada, "atacama", ["me", "open"])
    live.ask(live.tables.table_setup.join(bob.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    words, note = page.locator("#page-words"), page.locator("#page-note")

    def come_back(login: object = ada) -> None:
        page.goto("about:blank")
        live.visit(page, login, f"/t/{table}")  # type: ignore[arg-type]

    come_back()
    page.locator("label[for=paper-chat]").click()
    words.fill("shall we")
    page.reload()
    expect(words).to_have_value("shall we")
    live.ask(live.tables.chat.say(bob.user, table, "hello"))
    expect(page.locator("#page-chat")).to_contain_text("hello")
    expect(words).to_have_value("shall we")
    come_back(bob)
    expect(words).to_have_value("")
    come_back()
    expect(words).to_have_value("shall we")
    page.locator("label[for=paper-chat]").click()
    words.press("Enter")
    expect(page.locator("#page-chat")).to_contain_text("shall we")
    page.reload()
    expect(words).to_have_value("")
    assert page.evaluate(DRAFTS) == 0

    page.locator("label[for=paper-about]").click()
    note.fill("keep the  hut")
    page.locator("label[for=paper-log]").click()
    wait_until(page, "() => document.getElementById('page-note').defaultValue === 'keep the hut'")
    assert live.view(ada, table).notes == "keep the hut", "notes are saved when their field is left"
    page.locator("label[for=paper-about]").click()
    note.press("End")
    page.route("**/notes", lambda route: route.abort())
    note.type(", or the bay")
    page.reload()
    expect(note).to_have_value("keep the hut, or the bay")
    live.ask(live.tables.notes.write(ada.user, table, "both"))
    page.reload()
    expect(note).to_have_value("both\nkeep the hut, or the bay")
    page.unroute("**/notes")
    page.locator("label[for=paper-about]").click()
    page.get_by_role("button", name="Save notes").click()
    wait_until(page, f"() => ({DRAFTS})() === 0")
    assert live.view(ada, table).notes == "both\nkeep the hut, or the bay"

    page.locator("label[for=paper-chat]").click()
    words.fill("bye")
    page.goto(f"{live.url}/account")
    assert page.evaluate(DRAFTS) == 1
    page.locator("summary", has_text="Forget me on this device").click()
    page.get_by_role("button", name="Forget me on this device").click()
    page.wait_for_url(f"{live.url}/")
    assert page.evaluate(DRAFTS) == 0, "who signs out leaves nothing here"
