"""A host lets people in one by one, and two browsers see it at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from atoll.server.domain.model import NewTable, SeatPlan
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage

SOON_MS = 8_000


@pytest.mark.parametrize("scripts", [True, False])
def test_a_host_makes_a_table_by_the_form_and_lets_somebody_in(
    live: LiveServer, new_page: NewPage, scripts: bool
) -> None:
    ada, bob = live.guest("Ada"), live.guest("Bob")
    host = new_page(java_script_enabled=scripts)
    asking = new_page(locale="de-DE", viewport={"width": 390, "height": 844})
    live.visit(host, ada, "/new?game=atacama&seats=2", scripts=scripts)
    host.locator("[name='seat.1']").select_option("open")
    box = host.get_by_label("I approve each player")
    expect(box).not_to_be_checked()
    box.check()
    host.get_by_role("button", name="Create the table").click()
    expect(host.locator("#page-gathering")).to_contain_text("With the host’s approval")
    table = re.sub(r".*/t/(\w+).*", r"\1", host.url)

    live.visit(asking, bob, f"/t/{table}")
    asking.get_by_role("button", name="Um den Platz bitten").click()
    expect(asking.locator("#page-prompt")).to_contain_text("Du hast um einen Platz gebeten.")
    expect(asking.locator("#place-1")).to_contain_text("möchte mitspielen")
    expect(asking.locator("#page-say")).to_have_count(0)
    assert asking.locator("#page-gathering").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    assert violations(asking) == []

    if not scripts:
        host.reload()
    expect(host.locator("#place-1")).to_contain_text("asks to join", timeout=SOON_MS)
    expect(host.locator("#page-prompt")).to_have_text("Somebody asks to join.")
    if scripts:
        assert violations(host) == []
    host.get_by_role("button", name="Let Bob in").click()
    expect(asking.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)
    if scripts:
        expect(host.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)
    else:
        expect(host.get_by_role("button", name="Remove Bob from the table")).to_be_visible()
    expect(asking.locator("#page-say")).to_have_count(1)


def test_a_host_declines_and_nobody_else_can_take_the_seat_before(live: LiveServer, new_page: NewPage) -> None:
    ada, bob, cy = (live.guest(name) for name in ("Ada", "Bob", "Cy"))
    plans = (SeatPlan("me"), SeatPlan("open"))
    table = live.ask(live.tables.table_setup.create(ada.user, NewTable("atacama", plans, approval=True)))
    host, asking, other = new_page(viewport={"width": 844, "height": 390}), new_page(), new_page()
    for page, login in ((host, ada), (asking, bob), (other, cy)):
        live.visit(page, login, f"/t/{table}")
    asking.get_by_role("button", name="Ask to join").click()
    expect(other.locator("#place-1")).to_contain_text("asks to join", timeout=SOON_MS)
    expect(other.get_by_role("button", name="Ask to join")).to_have_count(0)
    asking.get_by_role("button", name="Withdraw my request").click()
    other.get_by_role("button", name="Ask to join").click()
    expect(asking.locator("#place-1 b")).to_have_text("Cy", timeout=SOON_MS)
    expect(host.locator("#place-1 b")).to_have_text("Cy", timeout=SOON_MS)
    host.get_by_role("button", name="Decline Cy’s request").click()
    expect(host.locator(".gathered")).to_contain_text("The host declines Cy’s request.")
    expect(other.locator(".gathered")).to_contain_text("The host declines Cy’s request.", timeout=SOON_MS)
    other.get_by_role("button", name="Ask to join").click()
    expect(other.locator("main")).to_contain_text("Ask for a new invitation.")
    asking.get_by_role("button", name="Ask to join").click()
    host.get_by_role("button", name="Let Bob in").click()
    expect(asking.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)
