"""Accounts in the browser: a guest keeps its name, and comes back by each way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from atoll.testing.live_server import LiveServer, serving
from tests.browser.axe import violations
from tests.browser.conftest import NewPage

SOON_MS = 8_000


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose host name browsers give passkeys to."""
    with serving(tmp_path_factory.mktemp("named"), host="localhost") as server:
        yield server


def _authenticator(page: Page) -> None:
    """Give the page's browser an authenticator that agrees to everything."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.mark.parametrize("narrow", [True, False])
def test_a_guest_keeps_its_name_by_a_passkey_and_by_a_code(named: LiveServer, new_page: NewPage, narrow: bool) -> None:
    size = {"width": 390, "height": 844} if narrow else {"width": 1400, "height": 900}
    locale, name = ("de-DE", "Ada") if narrow else ("en-GB", "Bea")
    ada = named.guest(name)
    tables = [named.set_table(ada, "atacama", ["me", "open"]) for _ in range(2)]
    page = new_page(viewport=size, locale=locale)
    _authenticator(page)
    named.visit(page, ada, "/mine")
    page.locator(".keep a").click()
    page.get_by_role("button", name="Passkey").click()
    expect(page.locator(".sessions li", has_text="Passkey")).to_be_visible(timeout=SOON_MS)
    page.locator(".ways button:not([data-passkey] button)").last.click()
    code = page.locator(".printed").inner_text()
    assert len(code) == 23
    named.visit(page, None, "/account")
    expect(page.locator("#ways .sessions li")).to_have_count(2)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []

    page.context.clear_cookies()
    if narrow:
        page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
        named.visit(page, None, "/sign-in")
        assert violations(page) == []
        page.get_by_role("button", name="Passkey").click()
    else:  # the field offers passkeys, and this authenticator takes the first one at once
        page.goto(f"{named.url}/sign-in")
    page.wait_for_url("**/mine")
    for table in tables:
        expect(page.locator(f"a[href='/t/{table}']")).to_be_visible()

    other = new_page(viewport=size, locale=locale)
    named.visit(other, None, "/sign-in")
    other.locator("[name=code]").fill(code.lower())
    other.keyboard.press("Enter")
    expect(other.locator(".printed")).to_be_visible(timeout=SOON_MS)
    named.visit(other, None, "/account")
    other.locator("form[action='/account/end-others'] button").click()
    expect(other.locator("#ways ~ section .sessions li")).to_have_count(1)
    page.goto(f"{named.url}/account")
    page.wait_for_url("**/sign-in")
