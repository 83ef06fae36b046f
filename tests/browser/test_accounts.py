"""Accounts in the browser: a guest keeps its name, and comes back by each way."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from atoll.server.presentation.nearby import qr_code_svg
from atoll.testing.live_server import LiveServer, serving
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.server.outside import Sink, sink

SOON_MS = 8_000
DRAWN = re.compile(r"\bd=\"([^\"]+)\"")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose host name browsers give passkeys to."""
    with serving(tmp_path_factory.mktemp("named"), host="localhost") as server:
        yield server


@pytest.fixture(scope="module")
def mails() -> Iterator[Sink]:
    """A mail server, in a thread of its own."""
    loop, opened = asyncio.new_event_loop(), sink()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(10)
    asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


@pytest.fixture(scope="module")
def mailing(tmp_path_factory: pytest.TempPathFactory, mails: Sink) -> Iterator[LiveServer]:
    """A server with passkeys that sends mails."""
    sent: dict[str, Any] = {"smtp": f"smtp://127.0.0.1:{mails.port}", "mail_from": "atoll@example.org"}
    with serving(tmp_path_factory.mktemp("mailing"), host="localhost", **sent) as server:
        yield server


def _next_mail(mails: Sink) -> str:
    """The text of the next mail, which is taken away."""
    deadline = time.monotonic() + SOON_MS / 1000
    while not mails.mails and time.monotonic() < deadline:
        time.sleep(0.05)
    text: str = mails.mails.pop().get_body(("plain",)).get_content()  # type: ignore[union-attr]
    return text


def _opened(page: Page, mail: str) -> Page:
    """A new tab of the page's browser, in which the link of a mail is opened."""
    tab = page.context.new_page()
    tab.goto(re.findall(r"http\S+", mail)[0], wait_until="commit")
    return tab


def _has_all_seats(page: Page, tables: list[str]) -> None:
    """The page's browser is at the list of all tables."""
    page.wait_for_url("**/mine")
    for table in tables:
        expect(page.locator(f"a[href='/t/{table}']")).to_be_visible()


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


def test_a_name_is_kept_and_found_again_by_each_way_until_all_sessions_end(
    mailing: LiveServer, mails: Sink, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Passkeys need this machine's own name here, and QR codes lead to other devices only.
    monkeypatch.setattr("atoll.server.http.pages.context.is_this_machine", lambda _: False)
    # A guest at two tables keeps the name by a passkey.
    ada, bob = mailing.guest("Ada"), mailing.guest("Bob")
    first = mailing.set_table(ada, "atacama", ["me", "open"])
    second = mailing.set_table(bob, "raiatea", ["me", "open", "open"])
    mailing.ask(mailing.tables.table_setup.join(ada.user, second))
    tables = [first, second]
    phone = new_page(viewport={"width": 390, "height": 844})
    phone.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
    _authenticator(phone)
    mailing.visit(phone, ada, "/account")
    phone.get_by_role("button", name="passkey").click()
    expect(phone.locator("#ways .sessions li", has_text="Passkey")).to_be_visible(timeout=SOON_MS)
    assert mailing.ask(mailing.tables.store.user(ada.user.id)).kind == "account"

    # The cookie is lost: two clicks, and all seats are there.
    phone.context.clear_cookies()
    mailing.visit(phone, None, "/mine")
    phone.locator("main").get_by_role("link", name="Sign in").click()
    phone.get_by_role("button", name="passkey").click()
    _has_all_seats(phone, tables)

    # Another device comes by the QR code, which says the link and nothing else.
    mailing.visit(phone, None, "/account")
    phone.get_by_role("button", name="Show the link").click()
    link = phone.get_by_label("Link").input_value()
    drawn = phone.get_by_role("img", name="QR").evaluate("(e) => e.outerHTML")
    assert set(DRAWN.findall(drawn)) == set(DRAWN.findall(qr_code_svg(link, "")))
    desk = new_page()
    desk.goto(link)
    desk.get_by_role("button", name="Ada").click()
    phone.get_by_role("button", name="Allow").click(timeout=SOON_MS)
    _has_all_seats(desk, tables)

    # A mail address is added, and its link and code bring two more browsers in.
    mailing.visit(phone, None, "/account")
    phone.locator("#ways [name=mail]").fill("ada@example.org")
    phone.locator("[formaction='/account/mail#ways']").click()
    tab = _opened(phone, _next_mail(mails))
    expect(tab.locator("#ways .sessions li")).to_have_count(2, timeout=SOON_MS)
    mailing.visit(phone, None, "/account")
    others = []
    for by_link in (True, False):
        mails.mails.clear()
        page = new_page()
        mailing.visit(page, None, "/sign-in")
        page.locator("[name=mail]").fill("ada@Example.org")
        page.keyboard.press("Enter")
        expect(page.locator("[name=token]")).to_be_visible()
        said = _next_mail(mails)
        if by_link:
            page = _opened(page, said)
        else:
            page.locator("[name=token]").fill(re.findall(r"\b\d{6}\b", said)[0])
            page.keyboard.press("Enter")
        _has_all_seats(page, tables)
        others.append(page)

    # A printed code.
    phone.get_by_role("button", name="Create a recovery code").click()
    code = phone.locator(".printed").inner_text()
    page = new_page()
    mailing.visit(page, None, "/sign-in")
    page.locator("[name=code]").fill(code)
    page.keyboard.press("Enter")
    expect(page.locator(".printed")).not_to_have_text(code, timeout=SOON_MS)
    page.get_by_role("link", name="I have saved it").click()
    others.append(page)

    # All other sessions end; the streams of their pages as well.
    mailing.visit(desk, None, f"/t/{first}")
    mailing.visit(phone, None, "/account")
    expect(phone.locator("#ways ~ section .sessions li")).to_have_count(6)
    phone.get_by_role("button", name="End all other sessions").click()
    expect(phone.locator("#ways ~ section .sessions li")).to_have_count(1)
    for page in (desk, *others):
        page.goto(f"{mailing.url}/account")
        page.wait_for_url("**/sign-in")
    mailing.visit(phone, None, "/mine")
    _has_all_seats(phone, tables)
