"""Rights to chat at a table, by person and time."""

import contextlib
import html
import re
from typing import Any

import pytest

from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.model import NewTable, Refused
from atoll.server.presentation import papers
from atoll.server.presentation.texts import site

from .conftest import ME, OPEN, Room, Site, opened, refused

pytestmark = pytest.mark.anyio


async def test_a_reaction_is_a_message_that_each_reader_has_in_the_own_language(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    message = await room.tables.chat.say(room.people["Ada"], table, "", reaction="thanks")
    assert (message.text, message.reaction) == ("", "thanks")
    with refused("not_yours"):
        await room.tables.chat.say(await room.person("Eve"), table, "", reaction="thanks")
    for text, reaction in (("", "insult"), ("hi", "thanks")):
        with refused("bad_reaction"):
            await room.tables.chat.say(room.people["Ada"], table, text, reaction=reaction)
    await room.forget()
    [found] = (await room.view("Bob", table)).chat
    assert (found.reaction, found.mine) == ("thanks", False)
    said = [papers.chat(site(language).text, "/t/x", [found])[0].__html__() for language in ("en", "de")]
    assert ["Thanks!" in said[0], "Danke!" in said[1]] == [True, True]


async def test_chat_belongs_to_the_seats_until_the_end(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    eve = await room.person("Eve")
    message = await room.tables.chat.say(room.people["Ada"], table, " <b>hi</b>\u202e ")
    assert (message.text, message.seat, message.mine) == ("<b>hi</b>", 0, True)
    with refused("not_yours"):
        await room.tables.chat.say(eve, table, "psst")
    for bad in ("", "  ", "x" * 501):
        with refused("bad_text"):
            await room.tables.chat.say(room.people["Ada"], table, bad)
    view = await room.view("Bob", table)
    assert [(each.text, each.mine) for each in view.chat] == [("<b>hi</b>", False)]
    await room.play(table, "Ada", "Bob")
    with refused("not_yours"):
        await room.tables.chat.say(eve, table, "psst")
    assert (await room.tables.chat.say(room.people["Bob"], table, "well played")).seat == 1
    await room.forget()
    assert [each.text for each in (await room.view(None, table)).chat] == ["<b>hi</b>", "well played"]


@pytest.mark.parametrize(("setting", "strangers", "players"), [("nobody", 0, 0), ("players", 0, 9), ("anyone", 5, 9)])
async def test_the_host_decides_who_chats_after_the_end(
    sqlite_url: str, setting: Any, strangers: int, players: int
) -> None:
    """A stranger rings nobody's webhook, whatever is allowed."""
    async with opened(sqlite_url, limits={**dict.fromkeys(DEFAULTS, ""), "stranger": "5/hour"}) as room:
        table = await room.table("atacama", "Ada", "+", chat_after=setting)
        await room.play(table, "Ada")
        await room.tables.notification_settings.add(room.people["Ada"], "ntfy", {"url": "https://ntfy.sh/ada"}, "en")
        written = {"Eve": 0, "Ada": 0}
        for name in written:
            for _ in range(9):
                with contextlib.suppress(Refused):
                    await room.tables.chat.say(await room.person(name), table, "hello")
                    written[name] += 1
        assert written == {"Eve": strangers, "Ada": players}
        assert [row for row in await room.tables.store.notices.lease(10**15, 10**15) if row.kind == "message"] == []
        for name, count in written.items():
            assert ("chat" in (await room.view(name, table)).can) == bool(count)


def test_who_watches_is_told_who_may_write(site: Site) -> None:
    ada, eve = site.browser("Ada"), site.browser("Eve")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    told = "Only the players can write here."
    assert told in eve.get(f"/t/{table}").text and told not in ada.get(f"/t/{table}").text


def test_addresses_that_are_written_are_links_and_nothing_else_is(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    long = "https://example.org/" + "way/" * 30
    for said in (
        'see (https://example.org/a_(b)?c=1&d="x), <b>HTTP://EXAMPLE.org</b>.',
        long,
        "javascript:alert(1) ftp://example.org data:text/html,x xhttps://example.org https://",
        "https://example.org@example.net/ https://[::1 https://example.org\\@example.net",
    ):
        assert ada.post(f"/t/{table}/say", {"text": said}).status_code == 303
    page = bob.get(f"/t/{table}").text
    found = re.findall(r'<a href="([^"]*)" target="_blank" rel="nofollow noopener ugc">([^<]*)</a>', page)
    assert [html.unescape(address) for address, _ in found] == [
        "https://example.org/a_(b)?c=1&d=",
        "HTTP://EXAMPLE.org",
        long,
    ]
    assert [html.unescape(shown) for _, shown in found[:2]] == ["example.org/a_(b)?c=1&d=", "EXAMPLE.org"]
    assert found[2][1].startswith("example.org/way/") and found[2][1].endswith("…") and len(found[2][1]) < 60
    assert "<b>HTTP" not in page


def test_a_message_that_is_too_long_is_refused_by_its_length_and_not_cut(site: Site) -> None:
    ada = site.browser("Ada")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    for said, length in (("x" * 600, 600), ("a" + " " * 3000 + "b" * 600, 602)):
        answer = ada.post(f"/t/{table}/say", {"text": said})
        assert answer.status_code == 422
        assert f"A message has up to 500 characters; this one has {length}." in answer.text
    assert 'maxlength="500"' not in ada.get(f"/t/{table}").text
