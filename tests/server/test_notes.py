"""Private notes: whose they are, what they hold, how long they stay."""

import anyio.to_thread
import pytest

from tests.server.conftest import Room, opened, refused, site_at

pytestmark = pytest.mark.anyio


async def test_notes_are_for_their_writer_alone_and_stay_after_the_end(sqlite_url: str) -> None:
    async with opened(sqlite_url) as room:
        table = await room.table("atacama", "Ada", "Bob")
        ada, bob = room.people["Ada"], room.people["Bob"]
        before = await room.view("Bob", table)
        stamp = (await room.mover(table, "Ada", "Bob"))[1].turn
        await room.tables.notes.write(ada, table, "  keep\x00 the  hut\r\n\r\n\u202eor the bay \n")
        assert (await room.view("Ada", table)).notes == "keep the hut\n\nor the bay"
        after = await room.view("Bob", table)
        assert (after.notes, (await room.view(None, table)).notes) == ("", None)
        assert after.version == before.version, "nobody else notices"
        assert (await room.mover(table, "Ada", "Bob"))[1].turn == stamp, "an open turn goes on"
        await room.tables.notes.write(bob, table, "x" * 4000)
        with refused("bad_note"):
            await room.tables.notes.write(bob, table, "x" * 4001)
        with refused("not_yours"):
            await room.tables.notes.write(await room.person("Eve"), table, "mine?")
        with refused("sign_in"):
            await room.tables.notes.write(None, table, "mine?")
        await room.play(table, "Ada", "Bob")
        await room.tables.notes.write(ada, table, "well played")
        people = room.people
    async with opened(sqlite_url) as again:
        again.people = people
        assert [(await again.view(name, table)).notes for name in ("Ada", "Bob")] == ["well played", "x" * 4000]
        await again.tables.notes.write(ada, table, "")
        assert (await again.view("Ada", table)).notes == ""


async def test_pages_and_programs_keep_notes(sqlite_url: str) -> None:
    def work() -> None:
        with site_at(sqlite_url) as site:
            ada, bob = site.browser("Ada"), site.browser("Bob")
            assert ada.user is not None and bob.user is not None
            room = Room(site.tables, None, {"Ada": ada.user, "Bob": bob.user})  # type: ignore[arg-type]
            table = site.call(room.table, "atacama", "Ada", "Bob")
            assert ada.post(f"/t/{table}/notes", {"text": "</textarea><b>hut", "seat": "0"}).status_code == 303
            assert "&lt;/textarea&gt;&lt;b&gt;hut</textarea>" in ada.get(f"/t/{table}").text
            assert "hut" not in bob.get(f"/t/{table}").text
            eve = site.program("Eve")
            path = f"/tables/{table}/notes"
            assert eve.ask("PUT", path, {"text": "x"}).status_code == 403
            assert eve.ask("PUT", path, {"text": "x" * 4001}).status_code == 422

    await anyio.to_thread.run_sync(work)
