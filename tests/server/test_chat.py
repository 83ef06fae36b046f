"""Who may talk at a table, and when."""

import pytest

from atoll.server.model import NewTable

from .conftest import ME, OPEN, Room, Site, refused

pytestmark = pytest.mark.anyio


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
    assert (await room.tables.chat.say(eve, table, "well played")).seat is None
    await room.forget()
    assert [each.text for each in (await room.view(None, table)).chat] == ["<b>hi</b>", "well played"]


def test_who_watches_is_told_who_may_write(site: Site) -> None:
    ada, eve = site.browser("Ada"), site.browser("Eve")
    table = site.call(site.tables.gathering.create, ada.user, NewTable("atacama", (ME, OPEN)))
    told = "Until the game is over only those who play write here."
    assert told in eve.get(f"/t/{table}").text and told not in ada.get(f"/t/{table}").text
