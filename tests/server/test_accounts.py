"""Personal data can be exported and deleted.

Nothing of it is left after the deletion, and nobody's game suffers.
"""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from atoll.server.domain.model import NewTable, Settings
from atoll.server.notify.message import notification_message
from atoll.server.play.users import new_token, token_hash
from atoll.server.presentation.texts import game_texts, log_line
from atoll.server.presentation.texts import site as texts_of
from atoll.store import NoticeRow, TokenRow, schema

from .conftest import GAMES, ME, OPEN, Browser, Room, Site, opened, refused

pytestmark = pytest.mark.anyio

NAME = "Adalbert"


async def _all_that_is_kept(room: Room) -> str:
    """Every value of every row of the database."""

    def read(connection: Any) -> str:
        tables = schema.metadata.sorted_tables
        return "\n".join(str(tuple(row)) for table in tables for row in connection.execute(select(table)))

    found: str = await room.tables.store._database.read(read)
    return found


async def _everything_of(room: Room) -> tuple[str, str]:
    """Adalbert has been everywhere with Bob: a game that runs, and one that is over."""
    over = await room.table("atacama", NAME, "Bob")
    who = room.people[NAME]
    await room.tables.notification_settings.add(who, "ntfy", {"url": "https://ntfy.sh/adalberts-own"}, "en")
    await room.tables.notification_settings.add(await room.person("Bob"), "ntfy", {"url": "https://ntfy.sh/bobs"}, "en")
    running = await room.table("atacama", "Bob", NAME)
    await room.play(over, NAME, "Bob")
    for table in (over, running):
        await room.tables.chat.say(who, table, "hello all")
        await room.tables.notes.write(who, table, "adalberts secret")
    await room.tables.users.set_settings(who, Settings(language="de"))
    await room.tables.calendars.set_hours(who, "Europe/Berlin", 9, 21)
    await room.tables.calendars.take(await room.signed_in(NAME), 3)
    await room.tables.deadlines.token(who)
    await room.tables.device_links.create(who)
    return over, running


async def test_whoever_goes_leaves_nothing_behind_and_the_others_play_on(both: Room) -> None:
    over, running = await _everything_of(both)
    who, bob = both.people[NAME], both.people["Bob"]
    before = await both.view("Bob", over)
    assert NAME in await _all_that_is_kept(both) and who.id in await _all_that_is_kept(both)
    await both.tables.accounts.delete(who, f" {NAME.lower()} ")
    await both.finish_account()

    kept = await _all_that_is_kept(both)
    for trace in (NAME, who.id, "adalberts", "Berlin"):
        assert trace not in kept, trace
    assert "hello all" in kept and "bobs" in kept
    for _ in range(2):
        await both.tables.accounts.finish(who.id)
        after = await both.view("Bob", over)
        assert after.score == before.score and after.status == "over" and after.host
        assert [(seat.kind, seat.name) for seat in after.seats] == [("person", ""), ("person", "Bob")]
        assert [(each.name, each.text, each.mine) for each in after.chat] == [("", "hello all", False)]
        view = await both.view("Bob", running)
        assert view.seats[1].stand_in and view.seats[1].bot and view.seats[1].name == ""
        await both.forget()
    assert not [job for job in await both.tables.store.lease_jobs(10**15, 10**15) if job.kind == "account"]
    export = await both.tables.history.export(bob, over)
    assert export["seats"] == ["", "Bob"] and export["text"] == export["text"] is not None
    [card] = await both.tables.table_lists.ended(bob, 10)
    assert [seat.name for seat in card.seats] == ["", "Bob"]
    for _ in range(3):
        await both.tables.bot_turns.play(running)
        view = await both.view("Bob", running)
        assert view.turn is not None
        await both.tables.turns.choose(bob, running, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)


async def test_a_table_without_other_people_goes_along(both: Room) -> None:
    alone = await both.table("atacama", NAME, "bot:beginner")
    shared = await both.table("atacama", NAME, "+", start=False)
    gathers = await both.table("atacama", NAME, "Bob", start=False)
    who = both.people[NAME]
    await both.delete_account(NAME)
    for table in (alone, shared):
        with refused("no_table"):
            await both.view("Bob", table)
    view = await both.view("Bob", gathers)
    assert view.host and view.status == "gathering" and view.seats[0].kind == "open"
    assert who.id not in await _all_that_is_kept(both)


async def test_who_left_before_the_start_isnt_named_there_either(both: Room) -> None:
    table = await both.table("atacama", "Bob", NAME, start=False)
    who = both.people[NAME]
    await both.tables.departures.leave(who, table, 1)
    await both.tables.table_setup.join(await both.person("Cy"), table, 1)
    assert NAME in await _all_that_is_kept(both)
    await both.delete_account(NAME)
    assert NAME not in await _all_that_is_kept(both)
    view = await both.view("Bob", table)
    assert [seat.name for seat in view.seats] == ["Bob", "Cy"]


async def test_others_are_told_no_name(room: Room) -> None:
    table = await room.table("atacama", NAME, "Bob")
    bob = room.people["Bob"]
    data = {"game": "atacama", "names": [NAME, "Cy"], "name": NAME, "seats": [[NAME, ""], ["Bob", ""]]}
    rows = [NoticeRow("over:1", bob.id, "over", table, {**data, "places": [1, 2], "mine": []}, 0, 0)]
    await room.tables.store.notices.add(rows)
    await room.delete_account(NAME)
    [row] = await room.tables.store.notices.lease(10**15, 10**15)
    said = notification_message("1", "over", table, row.data, None, "de", "", "https://x/")
    assert said.text == "Gelöschtes Konto hat gewonnen. Mit Gelöschtes Konto, Cy."


async def test_only_its_name_deletes_an_account(room: Room) -> None:
    who = await room.person(NAME)
    for wrong in ("", "Ada", "Bob", *map(str, range(7))):
        with refused("not_confirmed"):
            await room.tables.accounts.delete(who, wrong)
    with refused("limit"):
        await room.tables.accounts.delete(who, NAME)
    assert await room.tables.store.user(who.id) is not None
    with refused("sign_in"):
        await room.tables.accounts.delete(None, NAME)


async def test_what_fails_is_done_later(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await room.table("atacama", NAME, "Bob")
    login = await room.tables.users.guest("Cy")
    who = room.people[NAME]
    token = new_token()
    await room.tables.store.add_token(TokenRow(token_hash(token), who.id, "session", 0, 10**15))
    assert await room.tables.users.by_token(token, "session") is not None

    async def away(*_: object) -> None:
        raise OSError("away")

    await room.tables.accounts.delete(who, NAME)
    with monkeypatch.context() as patch:
        patch.setattr(room.tables.executor, "execute", away)
        with pytest.raises(OSError, match="away"):
            await room.tables.accounts.finish(who.id)
    assert await room.tables.users.by_token(token, "session") is None
    assert await room.tables.users.by_token(login.token, "session") is not None
    [job] = [job for job in await room.tables.store.lease_jobs(10**15, 10**15) if job.kind == "account"]
    assert await room.scheduler._is_finished(job)
    assert who.id not in (await _all_that_is_kept(room)).replace(job.id, "")
    assert (await room.view("Bob", table)).seats[0].name == ""


async def test_all_that_listens_ends(room: Room) -> None:
    table = await room.table("atacama", NAME, "Bob")
    mine = await room.tables.updates.open_stream(room.people[NAME], [])
    bobs = await room.tables.updates.open_stream(room.people["Bob"], [])
    await bobs.take(0)
    await room.delete_account(NAME)
    assert mine.ended and not bobs.ended
    tables, lists = await bobs.take(0)
    assert table in tables and lists


async def test_other_servers_hear_of_it_at_once(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url, trust_s=1000) as two:
        login = await one.tables.users.guest(NAME)
        await two.tables.users.by_token(login.token, "session")
        stream = await two.tables.updates.open_stream(login.user, [])
        async with two.bus.listening(two.tables.executor.handle_notification):
            await one.tables.accounts.delete(login.user, NAME)
            async with asyncio.timeout(10):
                while not stream.ended:
                    await stream.take(1)
            assert await two.tables.users.by_token(login.token, "session") is None


def test_sessions_end_everywhere_and_pages_call_nobody_by_name(site: Site) -> None:
    ada, bob, program = site.browser(NAME), site.browser("Bob"), site.program("Cy")
    assert ada.user is not None
    other = Browser(site, site.call(site.tables.users.sign_in, ada.user.id))
    table = site.call(site.tables.table_setup.create, bob.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, ada.user, table, 1)
    site.call(site.tables.chat.say, ada.user, table, "hello")
    assert NAME in other.get("/settings").text and NAME in bob.get(f"/t/{table}").text

    asked = ada.get("/settings/delete").text
    assert f"enter your name: {NAME}" in asked and "one table whose game isn’t over" in asked
    wrong = ada.post("/settings/delete", {"name": "Adal"})
    assert wrong.status_code == 422 and "Nothing was deleted" in wrong.text and 'value="Adal"' in wrong.text
    done = ada.post("/settings/delete", {"name": NAME})
    assert done.headers["location"] == "/deleted" and f'{site.cookie()}=""' in done.headers["set-cookie"]
    assert "Your account is deleted" in ada.get("/deleted").text
    site.call(site.tables.accounts.finish, ada.user.id)
    for browser in (ada, other):
        assert NAME not in browser.get("/settings").text
        assert browser.get("/settings/delete").headers["location"] == "/settings"
        assert browser.get("/settings/kept.json").status_code == 401
    for language, said in (("en", "Deleted account"), ("de", "Gelöschtes Konto")):
        page = bob.get(f"/t/{table}", headers={"accept-language": language}).text
        assert f"<b><bdi>{said}</bdi></b> <bdi>hello</bdi>" in page and NAME not in page
        entry = site.call(site.tables.table_views.table, bob.user, table).log[-1]
        texts = texts_of(language)
        assert said in log_line(entry, game_texts(GAMES["atacama"], language), texts)
    assert program.ask("GET", f"/tables/{table}").json()["chat"][0]["name"] == ""


def test_programs_delete_and_take_along_too(site: Site) -> None:
    ada = site.program(NAME)
    assert ada.ask("DELETE", "/me", {"name": "Bob"}).json()["code"] == "not_confirmed"
    assert ada.ask("GET", "/me/export").json()["person"]["name"] == NAME
    assert ada.ask("DELETE", "/me", {"name": NAME}).status_code == 204
    assert ada.ask("GET", "/me").status_code == 401


def test_all_that_is_kept_comes_in_one_file_without_secrets(site: Site) -> None:
    ada = site.browser(NAME)
    assert ada.user is not None and ada.cookies[site.cookie()]
    running = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, site.browser("Bob").user, running, 1)
    site.call(site.tables.notes.write, ada.user, running, "mine alone")
    site.call(site.tables.chat.say, ada.user, running, "hello")
    played = ada.post("/play", {"game": "atacama"}).headers["location"].removeprefix("/t/")
    site.call(site.tables.table_setup.start, ada.user, played)
    channel = site.call(
        site.tables.notification_settings.add, ada.user, "webhook", {"url": "https://example.org/x"}, "en"
    )
    answer = ada.get("/settings/kept.json")
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert found["person"]["name"] == NAME and found["settings"]["theme"] == "auto"
    assert [each["text"] for each in found["messages"]] == ["hello"]
    assert [each["kind"] for each in found["channels"]] == ["webhook"]
    tables = {each["table"]["id"]: each for each in found["tables"]}
    assert tables[running]["notes"] == "mine alone" and tables[running]["records"] == []
    [record] = tables[played]["records"]
    assert record["viewer"] == 0 and record["fairness"]["seed"] is None
    assert channel.secret not in answer.text and ada.cookies[site.cookie()] not in answer.text


def test_a_table_that_is_gone_says_so_to_who_watches(site: Site) -> None:
    ada, bob = site.browser(NAME), site.browser("Bob")
    assert ada.user is not None
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    assert bob.get(f"/t/{table}").status_code == 200 and f"/t/{table}" in bob.get("/lobby").text
    site.call(site.tables.accounts.delete, ada.user, NAME)
    site.call(site.tables.accounts.finish, ada.user.id)
    assert bob.get(f"/t/{table}").status_code == 404 and f"/t/{table}" not in bob.get("/lobby").text
