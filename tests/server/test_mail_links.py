"""Mail addresses as a way in: links, codes, and the attacks on them."""

import asyncio
import re
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import aiosmtplib
import pytest

from atoll.server.domain.model import Refused
from atoll.server.play.mail_links import CODE_TRIES, MAIL_MINUTES, MAILS_A_DAY, MAILS_A_DAY_BY_NETWORK
from atoll.store import CredentialRow

from .conftest import Browser, Room, Site, Time, opened, refused, site_at
from .test_transcript import statements

ORIGIN = "https://table.example"
HEADERS = {"host": "table.example", "origin": ORIGIN}
pytestmark = pytest.mark.anyio


@pytest.fixture
def mails(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The mails that the server sends."""
    found: list[Any] = []

    async def send(message: Any, **_: Any) -> None:
        found.append(message)

    monkeypatch.setattr(aiosmtplib, "send", send)
    return found


@pytest.fixture
def public(sqlite_url: str) -> Iterator[Site]:
    """A site with a public address that sends mails."""
    with site_at(sqlite_url, public_url=ORIGIN, smtp="smtp://127.0.0.1:1", mail_from="atoll@table.example") as found:
        found.client.base_url = ORIGIN
        yield found


def _post(browser: Browser, path: str, form: dict[str, str], **more: str) -> Any:
    return browser.post(path, form, headers=HEADERS | more)


def _sent(mails: list[Any]) -> tuple[str, str, str]:
    """Take the mail that is on its way: its recipient, the token of its link, and its code."""
    deadline = time.monotonic() + 20
    while not mails:
        assert time.monotonic() < deadline, "no mail was sent"
        time.sleep(0.01)
    mail = mails.pop()
    found = re.search(rf"{ORIGIN}/sign-in/mail#(\S+)", mail.get_content())
    code = re.search(r"\b\d{6}\b", mail["Subject"])
    assert found is not None and code is not None
    return mail["To"], found[1], code[0]


def _with_mail(public: Site, mails: list[Any], name: str, mail: str) -> Browser:
    """Somebody with a mail address as credential."""
    browser = public.browser(name)
    assert _post(browser, "/account/mail", {"mail": mail, "name": name}).headers["location"] == "/sign-in/mail"
    _, token, _ = _sent(mails)
    assert _post(browser, "/sign-in/mail/confirm", {"token": token}).headers["location"] == "/account#ways"
    return browser


def _asks(public: Site, mail: str) -> Browser:
    """A browser that has asked for a mail."""
    browser = public.browser()
    browser.get("/")  # it has a secret of its own from now on
    assert _post(browser, "/sign-in/mail", {"mail": mail}).headers["location"] == "/sign-in/mail"
    return browser


def test_a_mail_link_signs_in_the_browser_that_asked_and_only_once(public: Site, mails: list[Any]) -> None:
    ada = _with_mail(public, mails, "Ada", "ada@Mail.Example")
    assert "ada@mail.example" in ada.get("/account").text
    here, there = _asks(public, "ada@MAIL.example"), public.browser()
    to, token, code = _sent(mails)
    assert to == "ada@mail.example"
    for _ in range(2):  # a scanner opens the link, even with scripts
        assert public.browser().get("/sign-in/mail").status_code == 200
        assert _post(there, "/sign-in/mail/confirm", {"token": token}).status_code == 403
        assert _post(there, "/sign-in/mail/confirm", {"token": code}).status_code == 410
    kept = dict(here.cookies)
    assert _post(here, "/sign-in/mail/confirm", {"token": f"{ORIGIN}/sign-in/mail#{token}"}).status_code == 303
    assert "Ada" in here.get("/settings").text
    here.cookies = kept
    for given in (token, code):
        assert _post(here, "/sign-in/mail/confirm", {"token": given}).status_code == 410


def test_a_mail_link_ends_the_browsers_old_session(public: Site, mails: list[Any]) -> None:
    ada, eve = _with_mail(public, mails, "Ada", "ada@mail.example"), public.browser("Eve")
    old = dict(eve.cookies)
    assert _post(eve, "/sign-in/mail", {"mail": "ada@mail.example"}).status_code == 303
    assert _post(eve, "/sign-in/mail/confirm", {"token": _sent(mails)[1]}).headers["location"] == "/mine"
    assert eve.cookies[public.cookie()] not in (old[public.cookie()], ada.cookies[public.cookie()])
    eve.cookies = old
    assert "<bdi>Eve<" not in eve.get("/settings").text


def test_a_code_has_few_tries_and_a_link_little_time(public: Site, mails: list[Any], clock: Time) -> None:
    _with_mail(public, mails, "Ada", "ada@mail.example")
    here = _asks(public, "ada@mail.example")
    _, _, code = _sent(mails)
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(CODE_TRIES):
        answer = _post(here, "/sign-in/mail/confirm", {"token": wrong})
        assert answer.status_code == 422 and "isn’t the right code" in answer.text
    assert _post(here, "/sign-in/mail/confirm", {"token": code}).status_code == 410
    here = _asks(public, "ada@mail.example")
    _, _, code = _sent(mails)
    assert _post(here, "/sign-in/mail/confirm", {"token": f" {code[:3]} {code[3:]} "}).headers["location"] == "/mine"
    here = _asks(public, "ada@mail.example")
    clock.passes(60 * MAIL_MINUTES)
    assert _post(here, "/sign-in/mail/confirm", {"token": _sent(mails)[1]}).status_code == 410
    assert f"for {MAIL_MINUTES} minutes" in here.get("/sign-in/mail").text and MAIL_MINUTES == 15


@pytest.mark.source  # methods of compiled classes can't be replaced
async def test_parallel_codes_are_counted_before_they_are_compared(
    sqlite_url: str, mails: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url, public_url=ORIGIN, smtp="smtp://127.0.0.1:1", mail_from="a@table.example") as room:
        ada, links, browser = await room.person("Ada"), room.tables.mail_links, "b" * 64
        await links.send(ada, "ada@mail.example", browser, "192.0.2.1", "en")
        await asyncio.gather(*links._sending)
        code = _sent(mails)[2]
        find, both_have_read = room.tables.store.challenges.find, asyncio.Barrier(2)

        async def waits(kind: str, now: int, **given: str) -> Any:
            rows = await find(kind, now, **given)
            if "session_hash" in given:
                await both_have_read.wait()
            return rows

        monkeypatch.setattr(room.tables.store.challenges, "find", waits)
        guesses = [links.confirm(ada, given, browser, "") for given in (f"{(int(code) + 1) % 10**6:06}", code)]
        answers = await asyncio.gather(*guesses, return_exceptions=True)
        assert sum(isinstance(each, Refused) and each.code == "busy" for each in answers) == 1, answers


async def _sent_in_8_hours(room: Room, network: str, clock: Time) -> int:
    """Return the number of mails to one address that this network can request."""
    count = 0
    for _ in range(8):
        for _ in range(4):
            try:
                await room.tables.mail_links.send(None, "ada@mail.example", "b" * 64, network, "en")
                count += 1
            except Refused as error:
                assert error.code == "limit"
        clock.passes(3600)
    return count


async def test_one_network_cannot_lock_out_an_address(sqlite_url: str, clock: Time) -> None:
    values: dict[str, Any] = {"smtp": "smtp://127.0.0.1:1", "mail_from": "a@table.example", "public_url": ORIGIN}
    async with opened(sqlite_url, limits={"mail": "3/hour"}, **values) as room:
        assert await _sent_in_8_hours(room, "192.0.2.1", clock) == MAILS_A_DAY_BY_NETWORK
        assert await _sent_in_8_hours(room, "192.0.2.2", clock) == MAILS_A_DAY_BY_NETWORK, (
            "another network can still sign in"
        )
    async with opened(sqlite_url.replace("atoll.db", "other.db"), limits={"mail": "100/hour"}, **values) as room:
        for network in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
            assert await _sent_in_8_hours(room, network, clock) == MAILS_A_DAY_BY_NETWORK
            clock.now -= 8 * 3_600_000
        assert await _sent_in_8_hours(room, "192.0.2.4", clock) == 0 and MAILS_A_DAY == 3 * MAILS_A_DAY_BY_NETWORK, (
            "a mail address has a limit"
        )


async def test_one_network_asks_for_few_mails_a_day(sqlite_url: str, clock: Time) -> None:
    values: dict[str, Any] = {"smtp": "smtp://127.0.0.1:1", "mail_from": "a@table.example", "public_url": ORIGIN}
    async with opened(sqlite_url, limits={"mail": "100/hour"}, **values) as room:
        send = partial(room.tables.mail_links.send, None, browser="b" * 64, language="en")
        for number in range(MAILS_A_DAY):
            await send(f"user{number}@mail.example", network="2001:db8::/64")
        with refused("limit"):
            await send("another@mail.example", network="2001:db8::/64")
        await send("another@mail.example", network="2001:db8:1::/64")


def test_a_link_to_an_address_that_has_gone_is_void(public: Site, mails: list[Any]) -> None:
    ada = _with_mail(public, mails, "Ada", "ada@mail.example")
    _post(ada, "/account/code", {})
    here = _asks(public, "ada@mail.example")
    _, token, _ = _sent(mails)
    [remove] = re.findall(
        r'action="(/account/credentials/\w+/remove)">[^<]*<input[^>]*><button[^>]*Email', ada.get("/account").text
    )
    assert _post(ada, remove, {}).status_code == 303
    assert _post(here, "/sign-in/mail/confirm", {"token": token}).status_code == 410


def test_nobody_learns_who_has_an_address(public: Site, mails: list[Any]) -> None:
    _with_mail(public, mails, "Ada", "ada@mail.example")
    answers = []
    for mail in ("ada@mail.example", "nobody@mail.example"):
        here = _asks(public, mail)
        page = here.get("/sign-in/mail")
        answers.append(re.sub(r'(content|value|nonce)="[^"]{20,}"', "", page.text))
    assert answers[0] == answers[1] and _sent(mails)[0] == "ada@mail.example"
    bob = public.browser("Bob")
    assert _post(bob, "/account/mail", {"mail": "ada@mail.example", "name": "Bob"}).status_code == 303
    assert bob.get("/account").status_code == 200 and mails == [], "a known address isn't added again"
    assert _post(bob, "/account/mail", {"mail": "x@y", "name": "Bob"}).status_code == 422


async def test_an_answer_takes_the_same_work_for_each_address_and_waits_for_no_mail(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_send, begun = asyncio.Event(), []

    async def send(message: Any, **_: Any) -> None:
        begun.append(message["To"])
        await may_send.wait()

    monkeypatch.setattr(aiosmtplib, "send", send)
    values: dict[str, Any] = {"smtp": "smtp://127.0.0.1:1", "mail_from": "a@table.example", "public_url": ORIGIN}
    async with opened(sqlite_url, limits={"mail": ""}, **values) as room:
        ada, links = await room.person("Ada"), room.tables.mail_links
        credential = CredentialRow("c" * 16, ada.id, "mail", "ada@mail.example", "ada@mail.example", 0)
        await room.tables.credentials.add(ada, credential, "")
        work = []
        for mail in ("ada@mail.example", "nobody@mail.example"):
            async with asyncio.timeout(10):
                with statements() as sent:
                    await links.send(None, mail, "b" * 64, "192.0.2.1", "en")
            work.append(sent)
        assert work[0] and work[0] == work[1]
        [sending] = links._sending
        await asyncio.sleep(0)
        assert begun == ["ada@mail.example"] and not sending.done()
        may_send.set()
        await sending


def test_links_name_the_public_address_only(public: Site, mails: list[Any]) -> None:
    _with_mail(public, mails, "Ada", "ada@mail.example")
    browser = public.browser()
    browser.get("/")
    answer = _post(browser, "/sign-in/mail", {"mail": "ada@mail.example"}, host="evil.example")
    assert answer.status_code == 421


def test_mails_are_counted_by_address_and_network_for_all_servers(
    sqlite_url: str, mails: list[Any], clock: Time
) -> None:
    values: dict[str, Any] = {"smtp": "smtp://127.0.0.1:1", "mail_from": "a@table.example", "limits": {}}
    for start in range(2):  # a restart resets nothing
        with site_at(sqlite_url, **values) as site:
            here = site.browser()
            statuses = [here.post("/sign-in/mail", {"mail": "ada@mail.example"}).status_code for _ in range(2)]
            assert statuses == [[303, 303], [303, 429]][start]
            if start:
                assert here.post("/sign-in/mail", {"mail": "other@mail.example"}).status_code == 429, "the network"
    clock.passes(3600)
    with site_at(sqlite_url, **values) as site:
        assert site.browser().post("/sign-in/mail", {"mail": "ada@mail.example"}).status_code == 303


async def test_guests_of_one_network_are_counted_in_the_database(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, limits={"guest": "30/hour"}) as room:
        for _ in range(30):
            await room.tables.attempts.hit("guest", "2001:db8::/64")
    async with opened(sqlite_url, limits={"guest": "30/hour"}) as room:
        with refused("limit") as caught:
            await room.tables.attempts.hit("guest", "2001:db8::/64")
        assert caught.value.status == 429 and 0 < caught.value.retry_after <= 3600
        await room.tables.attempts.hit("guest", "2001:db8:1::/64")
        clock.passes(3601)
        await room.tables.attempts.hit("guest", "2001:db8::/64")
