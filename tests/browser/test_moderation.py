"""A moderator's day: a report from a phone, a decision, an objection; and a block."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage

SOON_MS = 8_000
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1400, "height": 900}


def _is_fine(page: Page) -> None:
    """The page fits the window, and everybody can use it."""
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_a_moderators_day(live: LiveServer, new_page: NewPage) -> None:
    ada, bob, mo = (live.guest(name) for name in ("Ada", "Bob", "Mo"))
    live.ask(live.tables.store.change_user(mo.user.id, role="moderator"))
    table = live.set_table(ada, "atacama", ["me", "open"])
    live.ask(live.tables.table_setup.join(bob.user, table))
    live.ask(live.tables.chat.say(bob.user, table, "you play like a stone"))
    phone, other, desk = new_page(viewport=PHONE, locale="de-DE"), new_page(viewport=PHONE), new_page(viewport=DESK)

    live.visit(phone, ada, f"/t/{table}/message/0")
    _is_fine(phone)
    phone.locator("[name=reason]").select_option("insult")
    phone.locator("[name=text]").fill("Das muss nicht sein.")
    phone.get_by_role("button", name="Meldung abschicken").press("Enter")
    expect(phone.get_by_role("status").first).to_contain_text("Danke")
    live.visit(phone, None, f"/t/{table}/person/1")
    phone.get_by_role("button", name="Bob blockieren").click()
    expect(phone.locator(".sessions li")).to_contain_text("Bob")
    _is_fine(phone)

    live.visit(desk, mo, "/lobby")
    desk.locator("footer").get_by_role("link", name="Moderation").click()
    _is_fine(desk)
    desk.get_by_role("link", name="Insult or harassment: Bob").click()
    expect(desk.locator(".reported")).to_contain_text("you play like a stone")
    _is_fine(desk)
    desk.locator("[name=kind]").select_option("mute")
    desk.locator("[name=days]").select_option("3")
    desk.locator("form:has([name=kind]) [name=text]").fill("Be kind to others.")
    desk.get_by_role("button", name="Decide and notify the person").click()
    expect(desk.locator("main")).to_contain_text("There are no open reports.")

    live.visit(other, bob, "/lobby")
    other.locator(".told a").click()
    expect(other.locator("main")).to_contain_text("Be kind to others.")
    _is_fine(other)
    other.get_by_role("button", name="I have read it").click()
    expect(other.locator(".told")).to_have_count(0)
    other.get_by_text("Object", exact=True).click()
    other.locator("[name=text]").fill("It was a joke.")
    other.get_by_role("button", name="Send the objection").click()
    expect(other.locator("main")).to_contain_text("hasn’t been decided yet")
    live.visit(other, None, f"/t/{table}")
    expect(other.locator("#page-say")).to_have_count(0)

    desk.reload()
    expect(desk.locator("main")).to_contain_text("It was a joke.")
    desk.get_by_role("button", name="Lift").click()
    expect(desk.locator("main")).to_contain_text("There are no open objections.")
    desk.locator("[name=name]").fill("bob")
    desk.keyboard.press("Enter")
    desk.locator("main").get_by_role("link", name="Bob").click()
    expect(desk.locator("main")).to_contain_text("The objection was accepted.")
    _is_fine(desk)
    desk.goto(f"{live.url}/moderation/log")
    expect(desk.locator("main")).to_contain_text("Muted")
    _is_fine(desk)
    other.reload()
    expect(other.locator("#page-say")).to_have_count(1, timeout=SOON_MS)


def test_an_account_is_deleted_while_a_report_about_it_is_open(live: LiveServer, new_page: NewPage) -> None:
    ada, eve, mo = (live.guest(name) for name in ("Ada", "Evelyn", "Mo"))
    live.ask(live.tables.store.change_user(mo.user.id, role="moderator"))
    table = live.set_table(ada, "raiatea", ["me", "open", "open"])
    live.ask(live.tables.table_setup.join(eve.user, table))
    live.ask(live.tables.chat.say(eve.user, table, "you play like a brick"))
    phone, desk = new_page(viewport=PHONE), new_page(viewport=DESK, locale="de-DE")
    live.visit(phone, ada, f"/t/{table}/message/0")
    phone.locator("[name=reason]").select_option("insult")
    phone.get_by_role("button", name="Send the report").click()
    expect(phone.get_by_role("status").first).to_contain_text("Thank")

    live.visit(desk, mo, "/moderation")
    desk.get_by_role("link", name="Evelyn").click()
    expect(desk.locator(".reported")).to_contain_text("Evelyn")
    case = desk.url
    gone = new_page(viewport=PHONE)
    live.visit(gone, eve, "/settings/delete")
    gone.locator("main [name=name]").fill("Evelyn")
    gone.locator("main form button").click()
    gone.wait_for_url("**/deleted")

    # The message stays for the decision, the name goes; an action can only concern the table.
    deadline = time.monotonic() + SOON_MS / 1000
    while "Evelyn" in desk.goto(case).text() and time.monotonic() < deadline:  # type: ignore[union-attr]
        time.sleep(0.1)
    expect(desk.locator("main")).not_to_contain_text("Evelyn")
    expect(desk.locator(".reported")).to_contain_text("you play like a brick")
    assert desk.locator("[name=kind] option").evaluate_all("(all) => all.map((each) => each.value)").count("hide") == 0
    _is_fine(desk)
    desk.get_by_role("button", name="Ohne Maßnahme schließen").click()
    expect(desk.locator("main")).to_contain_text("Es gibt keine offenen Meldungen.")
    desk.goto(f"{live.url}/moderation/log")
    expect(desk.locator("main")).not_to_contain_text("Evelyn")
    live.visit(phone, None, f"/t/{table}")
    expect(phone.locator("main")).not_to_contain_text("Evelyn")
