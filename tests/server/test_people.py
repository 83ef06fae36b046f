"""Guests: names, tokens, recovery links."""

import re
from pathlib import Path

import pytest

from atoll.server.domain.model import NewTable, Settings
from atoll.server.play.users import token_hash

from .conftest import INVITE, ME, OPEN, Room, Site, refused

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
    recovery = await room.tables.users.recovery_token(login.user)
    table = await room.tables.table_setup.create(await room.person("Bob"), NewTable("atacama", (ME, INVITE)))
    invitation = await room.tables.table_setup.invite(room.people["Bob"], table, 1)
    content = _content(sqlite_url)
    for token in (login.token, recovery, invitation):
        assert len(token) >= 32
        assert token.encode() not in content
        assert token_hash(token).encode() in content


async def test_a_recovery_link_brings_a_person_back_on_another_device(room: Room) -> None:
    login = await room.tables.users.guest("Ada", Settings(language="de"))
    room.people["Ada"] = login.user
    table = await room.table("atacama", "Ada", "Bob")
    first = await room.tables.users.recovery_token(login.user)
    second = await room.tables.users.recovery_token(login.user)
    with refused("used"):
        await room.tables.users.recover(first)
    other = await room.tables.users.recover(second)
    assert other.user.id == login.user.id and other.token != login.token
    for token in (other.token, login.token):
        known = await room.tables.users.by_token(token, "session")
        assert known is not None and known.id == other.user.id
    assert [card.id for card in await room.tables.table_lists.mine(other.user)] == [table]
    await room.tables.users.sign_out(login.token)
    assert await room.tables.users.by_token(login.token, "session") is None
    known = await room.tables.users.by_token(other.token, "session")
    assert known is not None and known.id == login.user.id
    assert await room.tables.users.by_token(other.token, "api") is None
    for nonsense in ("", "x", "x" * 1000):
        assert await room.tables.users.by_token(nonsense, "session") is None


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
    led = 'href="/recover"'
    for path in (f"/t/{table}", "/settings"):
        assert led in here.get(path).text and led not in ada.get(path).text
    assert led not in here.get("/nowhere").text and led not in site.browser("Bob").get(f"/t/{table}").text
    for given in ("{link}", " {code}\n"):
        [link] = re.findall(r'value="([^"]+/recover#[^"]+)"', ada.post("/recovery").text)
        there = site.browser()
        answer = there.post("/recover", {"token": given.format(link=link, code=link.partition("#")[2])})
        assert answer.status_code == 303 and f'href="/t/{table}"' in there.get("/mine").text
    seated = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE)))
    [link] = re.findall(
        r'value="([^"]+/join\?game=atacama#[^"]+)"', ada.post(f"/t/{seated}/invite", {"seat": "1"}).text
    )
    assert here.post("/join", {"token": link, "accept": "1", "name": "Cy"}).headers["location"] == f"/t/{seated}"


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
        for path in ("/sign-out", "/recovery", "/settings", f"{table}/leave", f"{table}/say"):
            answer = ada._send("POST", path, data={"csrf": token, "seat": "0", "text": "hi"})
            assert answer.status_code == 403, "its form tokens are void, too"
        assert ada.post(f"{table}/leave", {"seat": "0"}).status_code == 401
