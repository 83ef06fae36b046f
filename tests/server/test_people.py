"""Guests: names, tokens, sessions, other devices."""

import asyncio
import re
from pathlib import Path

import pytest

from atoll.server.domain.model import NewTable, Settings
from atoll.server.play.device_links import LINK_MINUTES
from atoll.server.play.users import token_hash

from .conftest import INVITE, ME, OPEN, Browser, Program, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio


def _content(url: str) -> bytes:
    """Everything that an SQLite database keeps."""
    file = url.removeprefix("sqlite:///")
    return Path(file).read_bytes() + Path(file + "-wal").read_bytes()


async def test_names_are_cleaned_and_checked(room: Room) -> None:
    assert (await room.tables.users.guest("  Ada \t  Lovelace ")).user.name == "Ada Lovelace"
    assert (await room.tables.users.guest("ab\u202ecd\u200b\x07")).user.name == "abcd"
    assert (await room.tables.users.guest("日本 👩‍🚀")).user.name == "日本 👩‍🚀"
    for bad in ("", "   ", "\u202e", "x" * 25, "\u200b" * 99):
        with refused("bad_name"):
            await room.tables.users.guest(bad)
    stacked = (await room.tables.users.guest("a" + "\u0300" * 40)).user.name
    assert len(stacked) <= 5


async def test_tokens_are_kept_as_hashes_only(room: Room, sqlite_url: str) -> None:
    login = await room.tables.users.guest("Ada")
    link = await room.tables.device_links.create(login.user)
    table = await room.tables.table_setup.create(await room.person("Bob"), NewTable("atacama", (ME, INVITE)))
    invitation = await room.tables.table_setup.invite(room.people["Bob"], table, 1)
    calendar = await room.tables.deadlines.token(login.user)
    code = await room.tables.credentials.add_code(login.user)
    content = _content(sqlite_url)
    for token in (login.token, link, invitation, calendar):
        assert len(token) >= 32
        assert token.encode() not in content
        assert token_hash(token).encode() in content
    for written in (code, code.replace("-", ""), code.replace("-", "").lower()):
        assert written.encode() not in content


async def test_each_session_of_a_user_ends_alone(room: Room) -> None:
    login = await room.tables.users.guest("Ada", Settings(language="de"))
    room.people["Ada"] = login.user
    table = await room.table("atacama", "Ada", "Bob")
    other = await room.tables.users.sign_in(login.user.id)
    assert other.user.id == login.user.id and other.token != login.token
    assert [card.id for card in await room.tables.table_lists.mine(other.user)] == [table]
    await room.tables.users.sign_out(login.token)
    assert await room.tables.users.by_token(login.token, "session") is None
    known = await room.tables.users.by_token(other.token, "session")
    assert known is not None and known.id == login.user.id
    assert await room.tables.users.by_token(other.token, "api") is None
    for nonsense in ("", "x", "x" * 1000):
        assert await room.tables.users.by_token(nonsense, "session") is None


async def test_a_session_shows_the_day_of_its_last_use(both: Room, clock: Time) -> None:
    login = await both.tables.users.guest("Ada", device="Firefox · Linux")
    [first] = await both.tables.sessions.mine(login.user, login.token)
    assert first.device == "Firefox · Linux" and first.current and first.last_used.hour == 0
    clock.passes(3 * 86_400)
    assert await both.tables.users.by_token(login.token, "session") is not None
    [later] = await both.tables.sessions.mine(login.user, login.token)
    assert (later.last_used - first.last_used).days == 3 and later.created == first.created


def test_the_cookie_of_a_session_in_use_is_renewed_once_a_month(site: Site, clock: Time) -> None:
    ada = site.browser("Ada")
    for _ in range(12):
        assert site.cookie() not in ada.get("/mine").headers.get("set-cookie", "")
        clock.passes(40 * 86_400)
        renewed = ada.get("/mine").headers["set-cookie"]
        assert f"{site.cookie()}={ada.cookies[site.cookie()]};" in renewed and "Max-Age=31104000" in renewed
        assert "Ada" in ada.get("/settings").text, "the session itself is extended, too"
    form = {"csrf": ada.token()}
    clock.passes(40 * 86_400)
    given = ada._send("POST", "/sign-out", data=form).headers.get_list("set-cookie")
    [ended] = [each for each in given if each.startswith(f"{site.cookie()}=")]
    assert "Max-Age=0" in ended, "what the page sets wins"


async def test_ending_the_other_sessions_closes_their_streams(both: Room) -> None:
    login = await both.tables.users.guest("Ada")
    others = [await both.tables.users.sign_in(login.user.id, kind=kind) for kind in ("session", "api")]
    stranger = await both.tables.users.guest("Bob")
    stream = await both.tables.updates.open_stream(login.user, [])
    with refused("no_page"):
        [foreign] = await both.tables.sessions.mine(stranger.user, "")
        await both.tables.sessions.end(login.user, foreign.id)
    assert not stream.ended
    await both.tables.sessions.end_others(login.user, login.token)
    assert stream.ended
    for each, kind in zip(others, ("session", "api"), strict=True):
        assert await both.tables.users.by_token(each.token, kind) is None
    for token in (login.token, stranger.token):
        assert await both.tables.users.by_token(token, "session") is not None


async def test_ending_sessions_stops_a_device_that_was_already_allowed(both: Room) -> None:
    login = await both.tables.users.guest("Ada")
    links, sessions = both.tables.device_links, both.tables.sessions
    for by_id in (True, False):
        other = await both.tables.users.sign_in(login.user.id)
        secret = await links.claim(await links.create(login.user), "")
        [waits] = await links.requests(login.user)
        await links.answer(login.user, waits.id, allow=True)
        with refused("no_page"):
            await sessions.end(login.user, "unknown")
        assert await links.request(secret) is not None
        if by_id:
            [ended] = [each for each in await sessions.mine(login.user, login.token) if not each.current]
            await sessions.end(login.user, ended.id)
        else:
            await sessions.end_others(login.user, login.token)
        assert await both.tables.users.by_token(other.token, "session") is None
        with refused("link_gone"):
            await links.finish(secret, "")


async def test_other_servers_hear_of_an_ended_session_or_trust_it_for_a_while_only(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url, trust_s=1000) as two, opened(postgres_url) as deaf:
        login = await one.tables.users.guest("Ada")
        stolen = await one.tables.users.sign_in(login.user.id)
        for room in (two, deaf):
            assert await room.tables.users.by_token(stolen.token, "session") is not None
        stream = await two.tables.updates.open_stream(login.user, [])
        async with two.bus.listening(two.tables.executor.handle_notification):
            await one.tables.sessions.end_others(login.user, login.token)
            async with asyncio.timeout(10):
                while not stream.ended:
                    await stream.take(1)
        assert await two.tables.users.by_token(stolen.token, "session") is None
        deaf.tables.users._trust_s = 0.0  # the time for which it trusts what it has read is over
        assert await deaf.tables.users.by_token(stolen.token, "session") is None


async def test_a_device_link_works_once_for_ten_minutes_and_only_if_it_is_allowed(both: Room, clock: Time) -> None:
    login = await both.tables.users.guest("Ada")
    links, ada = both.tables.device_links, login.user
    replaced, link = await links.create(ada), await links.create(ada)
    with refused("link_gone"):
        await links.claim(replaced, "")
    assert await links.name(link) == "Ada"
    found = await asyncio.gather(*(links.claim(link, "Firefox · Android") for _ in range(3)), return_exceptions=True)
    [secret] = [each for each in found if isinstance(each, str)]
    with refused("link_gone"):
        await links.name(link)
    with refused("link_gone"):
        await links.finish(secret, "")
    [waits] = await links.requests(ada)
    assert waits.device == "Firefox · Android" and waits.name == "Ada"
    with refused("link_gone"):
        await links.answer((await both.tables.users.guest("Bob")).user, waits.id, allow=True)
    await links.answer(ada, waits.id, allow=True)
    assert (await links.finish(secret, "Firefox · Android")).user.id == ada.id
    with refused("link_gone"):
        await links.finish(secret, "")

    secret = await links.claim(await links.create(ada), "")
    [waits] = await links.requests(ada)
    await links.answer(ada, waits.id, allow=False)
    assert await links.request(secret) is None
    link = await links.create(ada)
    clock.passes(60 * LINK_MINUTES)
    with refused("link_gone"):
        await links.claim(link, "")


async def test_signing_out_ends_what_listens(room: Room) -> None:
    login = await room.tables.users.guest("Ada")
    stream = await room.tables.updates.open_stream(login.user, [])
    await stream.take(0)
    other = await room.tables.updates.open_stream(await room.person("Bob"), [])
    await room.tables.users.sign_out("nonsense")
    assert not stream.ended
    await room.tables.users.sign_out(login.token)
    assert stream.ended and not other.ended


def test_who_plays_on_another_device_is_led_to_its_seats_and_may_give_the_whole_link(site: Site) -> None:
    ada, here = site.browser("Ada"), site.browser()
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN), visibility="private"))
    led = 'href="/device"'
    for path in (f"/t/{table}", "/settings"):
        assert led in here.get(path).text and led not in ada.get(path).text
    assert led not in here.get("/nowhere").text and led not in site.browser("Bob").get(f"/t/{table}").text
    for given in ("{link}", " {code}\n"):
        link = _link_of(ada)
        token = given.format(link=link, code=link.partition("#")[2])
        there = site.browser()
        assert "Play as Ada here" in there.post("/device", {"token": token}).text
        assert "Allow this device" in _asks(there, token)
        _answers(ada, "allow")
        assert "data-at-once" in there.get("/device").text
        assert there.post("/device/finish").headers["location"] == "/mine"
        assert f'href="/t/{table}"' in there.get("/mine").text
    seated = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE)))
    [link] = re.findall(
        r'value="([^"]+/join\?game=atacama#[^"]+)"', ada.post(f"/t/{seated}/invite", {"seat": "1"}).text
    )
    assert here.post("/join", {"token": link, "accept": "1", "name": "Cy"}).headers["location"] == f"/t/{seated}"


def _link_of(browser: Browser) -> str:
    """A new device link, as the account's page shows it."""
    browser.post("/device-link")
    [link] = re.findall(r'value="([^"]+/device#[^"]+)"', browser.get("/account").text)
    return str(link)


def _asks(browser: Browser, token: str) -> str:
    """Claim a device link; the page on which the browser waits."""
    assert browser.post("/device", {"token": token, "go": "1"}).headers["location"] == "/device"
    return str(browser.get("/device").text)


def _answers(browser: Browser, answer: str) -> None:
    """Allow or deny the device that waits."""
    [path] = re.findall(rf'action="(/device/\w+/{answer})"', browser.get("/account").text)
    assert browser.post(path).status_code == 303


def test_a_foreign_device_link_replaces_no_session_silently(site: Site) -> None:
    """An attacker's link would make the victim play as the attacker."""
    mallory, bo = site.browser("Mallory"), site.browser("Bo")
    table = site.call(site.tables.table_setup.create, bo.user, NewTable("atacama", (ME, OPEN)))
    link = _link_of(mallory)
    asked = bo.post("/device", {"token": link}).text
    assert "You are Bo in this browser, with one unfinished table" in asked and f'href="/t/{table}"' in asked
    assert asked.index("Keep Bo") < asked.index("Switch to Mallory")
    assert f"/t/{table}" in bo.get("/mine").text and link.partition("#")[2] in mallory.get("/account").text
    _asks(bo, link)
    _answers(mallory, "deny")
    assert "wasn’t signed in" in bo.get("/device").text
    assert bo.post("/device/finish").status_code == 410 and f"/t/{table}" in bo.get("/mine").text
    _asks(bo, _link_of(mallory))
    _answers(mallory, "allow")
    old = dict(bo.cookies)
    bo.post("/device/finish")
    assert "Mallory" in bo.get("/settings").text
    bo.cookies = old
    assert "<bdi>Bo<" not in bo.get("/settings").text, "the session that was replaced has ended"


def test_texts_about_links_say_what_the_code_does(site: Site) -> None:
    page = site.browser("Ada").get("/account").text
    assert f"It works once, for {LINK_MINUTES} minutes" in page and LINK_MINUTES == 10


def test_the_account_page_lists_and_ends_sessions(site: Site) -> None:
    ada = site.browser("Ada")
    assert ada.user is not None
    firefox = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"
    there = site.browser()
    there.post("/play", {"game": "atacama", "name": "Cy"}, headers={"user-agent": firefox})
    assert "Firefox Mobile · Android" in there.get("/account").text
    other = Browser(site, site.call(site.tables.users.sign_in, ada.user.id, device="Safari · iOS"))
    made = ada.post("/account/tokens", {"label": "my bot"}).text
    [token] = re.findall(r'data-copy value="([\w-]+)"', made)
    bot = Program(site, None)
    bot.headers = {"authorization": f"Bearer {token}"}
    [mine] = [each for each in bot.ask("GET", "/me/sessions").json() if each["current"]]
    assert mine["label"] == "my bot" and mine["kind"] == "api"
    page = ada.get("/account").text
    assert "Safari · iOS" in page and "my bot" in page and token not in page and page.count("This browser") == 1
    [end] = re.findall(r'action="(/account/sessions/\w+/end)">[^<]*<input[^>]*><button aria-label="[^"]*my bot"', page)
    assert ada.post(end).status_code == 303 and bot.ask("GET", "/me").status_code == 401
    assert ada.post("/account/end-others").status_code == 303
    assert other.get("/account").headers["location"] == "/sign-in" and "Ada" in ada.get("/settings").text
    assert other.post("/account/end-others").status_code == 401
    assert ada.post("/account/tokens", {"label": " "}).status_code == 422


def test_after_signing_out_the_session_opens_nothing(site: Site) -> None:
    ada = site.browser("Ada")
    table = ada.post("/play", {"game": "atacama"}).headers["location"]
    cookies, token = dict(ada.cookies), ada.token()
    assert "Ada" in ada.get("/settings").text
    left = ada.post("/sign-out")
    assert left.status_code == 303 and f'{site.cookie()}=""' in left.headers["set-cookie"]
    for kept in ({}, cookies):  # the browser's, and those that somebody has copied
        ada.cookies = dict(kept)
        assert "Ada" not in ada.get("/settings").text
        assert 'href="/t/' not in ada.get("/mine").text
        for path in ("/sign-out", "/device-link", "/settings", f"{table}/leave", f"{table}/say"):
            answer = ada._send("POST", path, data={"csrf": token, "seat": "0", "text": "hi"})
            assert answer.status_code == 403, "its form tokens are void, too"
        assert ada.post(f"{table}/leave", {"seat": "0"}).status_code == 401
