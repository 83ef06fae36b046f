"""House rules: reports, actions of moderators, objections, roles, and deleted accounts."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from atoll.cli import main as cli
from atoll.server.domain.model import NewTable, User
from atoll.server.domain.notices import CONDUCT
from atoll.server.notify.message import notification_message, outcome_mail
from atoll.server.play.chat import DELETE_MINUTES, DeleteMessage, HideMessage
from atoll.server.play.moderation import RenamePlayer
from atoll.server.play.reports import AROUND, GivenReport
from atoll.server.play.sanctions import Decision
from atoll.server.play.subjects import Subject
from atoll.server.play.users import RENAME_DAYS
from atoll.store import CredentialRow, ModerationWrites, SanctionRow, schema
from atoll.testing.shares import give_seals, give_shares

from .conftest import ME, OPEN, Room, Time, opened, refused, site_at
from .test_accounts import _all_that_is_kept as all_that_is_kept
from .test_rights import API, PAGES

pytestmark = pytest.mark.anyio

INSULT = "you play like a stone"


def given(reason: str = "insult", text: str = "look", mail: str = "", network: str = "n") -> GivenReport:
    """A report."""
    return GivenReport(reason, text, mail, network, "en")


async def moderators(room: Room, *names: str) -> list[User]:
    """People with the role."""
    found = []
    for name in names:
        who = await room.person(name)
        await room.tables.store.change_user(who.id, role="moderator")
        found.append(await room.signed_in(name))
    return found


async def told(room: Room, who: User) -> list[str]:
    """The notices about house rules, sorted."""
    table = schema.notices
    query = select(table).where(table.c.user_id == who.id, table.c.kind == CONDUCT)

    def read(connection: Any) -> list[str]:
        return sorted(msgspec.json.decode(row.data)["what"] for row in connection.execute(query))

    return await room.tables.store._database.read(read)


async def insulted(room: Room) -> str:
    """A table where Bob has insulted Ada."""
    table = await room.table("atacama", "Ada", "Bob")
    for number in range(2 * AROUND):
        await room.tables.chat.say(room.people["Ada"], table, f"line {number}")
    await room.tables.chat.say(room.people["Bob"], table, INSULT)
    return table


# -- messages --------------------------------------------------------------------------------------------------------


async def test_authors_delete_their_messages_for_ten_minutes(room: Room, clock: Time) -> None:
    table = await insulted(room)
    ada, bob = room.people["Ada"], room.people["Bob"]
    with refused("not_author"):
        await room.tables.chat.delete(ada, table, 2 * AROUND)
    for number in (99, -1):
        with refused("no_message"):
            await room.tables.chat.delete(bob, table, number)
    clock.passes(60 * DELETE_MINUTES)
    await room.tables.chat.delete(bob, table, 2 * AROUND)
    await room.tables.chat.delete(bob, table, 2 * AROUND)
    for _ in range(2):
        last = (await room.view("Ada", table)).chat[-1]
        assert (last.text, last.deleted_by, last.name) == ("", "author", "Bob")
        await room.forget()
    assert INSULT not in await all_that_is_kept(room)
    clock.passes(1)
    with refused("too_old"):
        await room.tables.chat.delete(ada, table, 0)


# -- reports ---------------------------------------------------------------------------------------------------------


async def test_a_deleted_message_stays_deleted_while_moderators_rename_and_hide(both: Room) -> None:
    table = await insulted(both)
    bob, number, execute = both.people["Bob"], 2 * AROUND, both.tables.executor.execute
    # Both have read the messages before the author deletes one.
    before = [row for row in await both.tables.store.messages(table) if row.user_id == bob.id]
    hidden, shown = (replace(before[-1], deleted_by=each) for each in ("", "moderator"))
    await both.tables.chat.delete(bob, table, number)
    await execute(table, RenamePlayer(bob.id, "Robert", [], before))
    await execute(table, HideMessage(hidden, True))
    await execute(table, HideMessage(shown, False))
    row = (await both.tables.store.messages(table))[number]
    assert (row.name, row.text, row.deleted_by) == ("Robert", "", "author")
    # The reverse: what a moderator has hidden and renamed is deleted by an author who had read it before.
    await both.tables.chat.say(bob, table, INSULT)
    old = (await both.tables.store.messages(table))[number + 1]
    await execute(table, RenamePlayer(bob.id, "Rob", [], [replace(old)]))
    await execute(table, DeleteMessage(bob, replace(old)))
    row = (await both.tables.store.messages(table))[number + 1]
    assert (row.name, row.text, row.deleted_by) == ("Rob", "", "author")


async def test_a_report_keeps_what_was_said_and_a_deleted_account_leaves_no_name(both: Room) -> None:
    table = await insulted(both)
    ada, bob = both.people["Ada"], both.people["Bob"]
    [mo] = await moderators(both, "Mo")
    about = Subject(table, message=2 * AROUND)
    tables = both.tables
    await tables.reports.file(None, about, given())
    for _ in range(2):
        await tables.reports.file(ada, about, given("spam", "and more"))
    with refused("own"):
        await tables.reports.file(bob, about, given())
    await tables.chat.delete(bob, table, 2 * AROUND)
    queue = await tables.moderation.queue(mo)
    [case] = queue.cases
    assert sorted(each.reason for each in case.reports) == ["insult", "spam"], (
        "an equal report of one person counts once"
    )
    copied = case.reports[0].context["messages"]
    assert [each["text"] for each in copied if each["reported"]] == [INSULT]
    assert len(copied) == AROUND + 1 and case.reports[0].person is not None

    await both.delete_account("Bob")
    kept = await all_that_is_kept(both)
    assert "Bob" not in kept and bob.id not in kept and INSULT in kept
    [case] = (await tables.moderation.queue(mo)).cases
    assert [each.person for each in case.reports] == [None, None]
    await tables.moderation.close(mo, case.reports[0].id, "upheld")
    assert await told(both, ada) == ["report_upheld"] and (await tables.moderation.queue(mo)).cases == ()
    await both.delete_account("Ada")
    assert "Ada" not in await all_that_is_kept(both)


async def test_reports_have_limits_and_weights(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, limits={"chat": ""}) as room:
        table = await insulted(room)
        [mo] = await moderators(room, "Mo")
        tables, ada = room.tables, room.people["Ada"]
        with refused("no_subject"):
            await tables.reports.file(None, None, given(text=""))
        with refused("bad_option"):
            await tables.reports.file(None, None, given("mood"))
        with refused("no_person"):
            await tables.reports.file(None, Subject(name="nobody"), given())
        for number in range(10):
            await tables.reports.file(None, None, given(text=f"page {number}", network="one"))
        with refused("limit"):
            await tables.reports.file(None, None, given(text="page 10", network="one"))
        with refused("limit"):
            await tables.reports.file(await room.person("Eve"), None, given(text="guests share it", network="one"))
        clock.passes(86_400)
        weights = []
        for outcome in ("upheld", "rejected", "rejected"):
            await tables.reports.file(ada, Subject(table, message=2 * AROUND), given(network="two"))
            case = next(each for each in (await tables.moderation.queue(mo)).cases if each.reports[0].reporter)
            weights.append(case.weight)
            await tables.moderation.close(mo, case.reports[0].id, outcome)
            with refused("nothing"):
                await tables.moderation.close(mo, case.reports[0].id, outcome)
        assert weights == [50, 66, 50], "whoever was right before weighs more"


async def test_reports_are_counted_in_the_database_by_account_or_network(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url) as room:
        await room.tables.credentials.add_code(await room.person("Ada"))
        ada = await room.signed_in("Ada")
        for number in range(10):
            await room.tables.reports.file(None, None, given(text=f"page {number}", network="one"))
        await room.tables.reports.file(ada, None, given(text="an account", network="one"))
    async with opened(sqlite_url) as room:  # a restart resets nothing
        with refused("limit"):
            await room.tables.reports.file(None, None, given(text="page 10", network="one"))
        for number in range(9):
            await room.tables.reports.file(ada, None, given(text=f"line {number}", network=f"{number}"))
        with refused("limit"):
            await room.tables.reports.file(ada, None, given(text="line 9", network="two"))


async def test_the_outcome_reaches_a_reporter_without_an_account(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, ...]] = []

    async def send(_: Any, *values: str) -> None:
        sent.append(values)

    monkeypatch.setattr("atoll.server.notify.channels.ChannelSender.send_outcome", send)
    async with opened(sqlite_url, smtp="smtp://127.0.0.1:1", mail_from="a@example.org") as room:
        [mo] = await moderators(room, "Mo")
        with refused("bad_mail"):
            await room.tables.reports.file(None, None, given(mail="x"))
        await room.tables.reports.file(None, None, given(mail="eve@example.org"))
        [case] = (await room.tables.moderation.queue(mo)).cases
        await room.tables.moderation.take(mo, case.reports[0].id)
        await room.tables.moderation.close(mo, case.reports[0].id, "upheld")
        for task in list(room.tables.moderation._sending):
            await task
        assert sent == [("eve@example.org", "upheld", "en")]
        assert "eve@example.org" not in await all_that_is_kept(room)
    for language, words in (("en", "Thank you"), ("de", "Danke")):
        assert words in outcome_mail("https://t.example/", "rejected", language)[1]


# -- actions ---------------------------------------------------------------------------------------------------------


async def test_the_person_is_told_and_objects_and_another_moderator_decides(both: Room, clock: Time) -> None:
    table = await insulted(both)
    mo, max_ = await moderators(both, "Mo", "Max")
    tables, ada, bob = both.tables, both.people["Ada"], both.people["Bob"]
    await tables.reports.file(ada, Subject(table, message=2 * AROUND), given())
    [case] = (await tables.moderation.queue(mo)).cases
    report = case.reports[0].id
    with refused("no_role"):
        await tables.moderation.act(ada, bob.id, Decision("ban", "insult", "no"))
    with refused("no_role"):
        await tables.moderation.act(mo, max_.id, Decision("ban", "insult", "no"))
    with refused("no_statement"):
        await tables.moderation.act(mo, bob.id, Decision("mute", "insult", "", 3))
    for days in (0, 366):
        with refused("bad_days"):
            await tables.moderation.act(mo, bob.id, Decision("mute", "insult", "no", days))
    await tables.moderation.act(mo, bob.id, Decision("mute", "insult", "be kind", 3, report_id=report))
    hide = Decision("hide", "insult", "not this", table=table, message=2 * AROUND)
    with refused("no_message"):
        await tables.moderation.act(mo, ada.id, hide)
    await tables.moderation.act(mo, bob.id, hide)
    assert (await tables.moderation.queue(mo)).cases == (), "an action closes the report"
    assert await told(both, ada) == ["report_upheld"] and await told(both, bob) == ["hide", "mute"]
    last = (await both.view("Ada", table)).chat[-1]
    assert (last.text, last.deleted_by) == ("", "moderator")

    bob = await both.signed_in("Bob")
    assert bob.standing.unread and "chat" not in (await tables.table_views.table(bob, table)).can
    with refused("muted") as caught:
        await tables.chat.say(bob, table, "why?")
    assert caught.value.fields == {"n": 3}
    mine = {each.kind: each for each in await tables.sanctions.mine(bob)}
    with refused("no_page"):
        await tables.sanctions.object(ada, mine["mute"].id, "no")
    for sanction in mine.values():
        await tables.sanctions.object(bob, sanction.id, "it was a joke")
        with refused("nothing"):
            await tables.sanctions.object(bob, sanction.id, "again")
    assert [each.mine for each in (await tables.moderation.queue(mo)).objections] == [True, True]
    with refused("same_moderator"):
        await tables.moderation.answer(mo, mine["mute"].id, lifts=False)
    await tables.moderation.answer(max_, mine["mute"].id, lifts=False)
    await tables.moderation.answer(max_, mine["hide"].id, lifts=True)
    with refused("nothing"):
        await tables.moderation.answer(max_, mine["mute"].id, lifts=False)
    assert (await both.view("Ada", table)).chat[-1].text == INSULT, "the message is back"
    assert await told(both, bob) == ["hide", "kept", "lifted", "mute"]
    await tables.sanctions.read(bob)
    assert not (await both.signed_in("Bob")).standing.unread
    clock.passes(3 * 86_400)
    await tables.chat.say(await both.signed_in("Bob"), table, "sorry")
    acts = [(act.actor, act.action, act.name) for act in await tables.moderation.log(mo)]
    assert {("Mo", "mute", "Bob"), ("Max", "kept", "Bob"), ("Max", "lifted", "Bob"), ("Bob", "object", "Bob")} <= {
        *acts
    }
    file = await tables.moderation.person(max_, bob.id)
    assert [each.outcome for each in file.reports] == ["upheld"] and len(file.sanctions) == 2 and file.may_act
    assert [each.id for each in await tables.moderation.find(mo, " bob ")] == [bob.id]


async def test_a_moderator_renames_completely_or_not_at_all(both: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    eve, bob = await both.person("Eve"), await both.person("Bob")
    for who in (eve, bob):
        await both.tables.credentials.add_code(who)
    [mo] = await moderators(both, "Mo")
    store = both.tables.store
    rename = partial(Decision, "rename", "name", "another name, please")
    with refused("name_taken"):
        await both.tables.moderation.act(mo, eve.id, rename(name="Bob"))
    with monkeypatch.context() as broken:

        def fails(*_: Any) -> None:
            raise OSError("the disk is full")

        broken.setattr(store.moderation, "_write_with", fails)
        with refused("busy"):
            await both.tables.moderation.act(mo, eve.id, rename(name="Eva"))
    row = await store.user(eve.id)
    assert row is not None and row.name == "Eve" and not await store.moderation.sanctions_of(eve.id)
    await both.tables.moderation.act(mo, eve.id, rename(name="Eva"))
    row = await store.user(eve.id)
    assert row is not None and row.name == "Eva" and len(await store.moderation.sanctions_of(eve.id)) == 1
    with refused("name_taken"):
        await both.tables.moderation.act(mo, bob.id, rename(name="Eve"))


def test_a_report_about_a_table_leads_to_an_action(sqlite_url: str) -> None:
    with site_at(sqlite_url) as site:
        ada, bob, mo = (site.browser(name) for name in ("Ada", "Bob", "Mo"))
        assert ada.user is not None and bob.user is not None and mo.user is not None
        site.call(site.tables.store.change_user, mo.user.id, role="moderator")
        table = site.call(site.tables.table_setup.create, bob.user, NewTable("atacama", (ME, OPEN)))
        assert f'href="/report?table={table}"' in ada.get(f"/t/{table}").text
        assert f'name="table" value="{table}"' in ada.get(f"/report?table={table}").text
        assert ada.post("/report", {"table": table, "reason": "illegal", "text": "look"}).status_code == 303
        queue = mo.get("/moderation").text
        report = re.search(r"/moderation/reports/(\w+)", queue)
        assert report is not None
        page = mo.get(report[0]).text
        assert "affects its host, " in page and f'action="/moderation/people/{bob.user.id}"' in page
        assert 'value="close"' in page and 'value="hide"' not in page
        act = {"report": report[1], "table": table, "kind": "close", "reason": "illegal", "text": "no", "days": "0"}
        assert mo.post(f"/moderation/people/{bob.user.id}", act).headers["location"] == "/moderation"
        assert site.call(site.tables.table_views.table, None, table).status == "cancelled"
        assert "There are no open reports." in mo.get("/moderation").text
        # Only an operator can act about a moderator's own table, so the form is missing.
        own = site.call(site.tables.table_setup.create, mo.user, NewTable("atacama", (ME, OPEN)))
        other = site.browser("Ola")
        assert other.user is not None
        site.call(site.tables.store.change_user, other.user.id, role="moderator")
        ada.post("/report", {"table": own, "reason": "spam", "text": "look"})
        report = re.search(r"/moderation/reports/(\w+)", other.get("/moderation").text)
        assert report is not None
        page = other.get(report[0]).text
        assert "Close without action" in page and 'name="kind"' not in page


async def test_a_renamed_person_has_the_new_name_everywhere(both: Room, clock: Time) -> None:
    bad = "Badname"
    table = await both.table("atacama", "Ada", bad)
    who = both.people[bad]
    await both.tables.chat.say(who, table, "hello")
    [mo] = await moderators(both, "Mo")
    with refused("name_reserved"):
        await both.tables.moderation.act(mo, who.id, Decision("rename", "name", "no", name="moderator"))
    await both.tables.moderation.act(mo, who.id, Decision("rename", "name", "no", name="Ben"))
    for _ in range(2):
        view = await both.view("Ada", table)
        assert [seat.name for seat in view.seats] == ["Ada", "Ben"] and view.chat[0].name == "Ben"
        assert bad not in repr(view)
        await both.forget()
    renamed = await both.tables.store.user(who.id)
    assert renamed is not None and renamed.name == "Ben"
    with refused("renamed"):
        await both.tables.users.rename(who, bad)
    clock.passes(RENAME_DAYS * 86_400 - 1)
    with refused("renamed"):
        await both.tables.users.rename(who, bad)
    clock.passes(1)
    assert (await both.tables.users.rename(who, bad)).name == bad


async def test_a_renamed_person_begins_with_the_others_under_new_terms(room: Room) -> None:
    """Browsers show no share under terms that name somebody else: all would wait in vain."""
    table = await room.table("atacama", "Ada", "Bob", start=False)
    await give_seals(room.tables, table)
    who = room.people["Bob"]
    [mo] = await moderators(room, "Mo")
    await room.tables.moderation.act(mo, who.id, Decision("rename", "name", "no", name="Ben"))
    view = await room.view("Ada", table)
    assert view.chance is not None and (view.chance.offer.round, view.chance.terms) == (2, None)
    assert view.log[-1].key == "start_renamed" and "Bob" not in repr(view)
    await give_seals(room.tables, table)
    await room.tables.moderation.rename_at_tables(who.id)
    view = await room.view("Ada", table)
    assert view.chance is not None and view.chance.offer.round == 2, "the job is done again with the same name"
    assert [each.name for each in view.chance.names if each is not None] == ["Ada", "Ben"]
    await give_shares(room.tables, table)
    fair = await room.tables.history.fairness(None, table)
    assert [each.reason for each in fair.rounds] == ["renamed"] and fair.shares is not None and all(fair.shares)


async def test_bots_play_for_a_banned_person_and_new_guests_of_the_network_wait(room: Room, clock: Time) -> None:
    tables = room.tables
    login = await tables.users.guest("Bob", network="10.0.0.1")
    assert await tables.users.by_token(login.token, "session", "10.0.0.1") is not None
    room.people["Bob"] = login.user
    running = await room.table("atacama", "Ada", "Bob")
    gathers = await room.table("atacama", "Bob", "Ada", start=False)
    alone = await tables.table_setup.create(login.user, NewTable("atacama", (ME, OPEN)))
    [mo] = await moderators(room, "Mo")
    await tables.moderation.act(mo, login.user.id, Decision("ban", "insult", "enough"))
    found = await tables.users.by_token(login.token, "session")
    assert found is not None and found.standing.is_banned
    assert (await room.view("Ada", running)).seats[1].stand_in
    view = await room.view("Ada", gathers)
    assert view.host and view.seats[0].kind == "open"
    assert (await room.view("Ada", alone)).status == "cancelled"
    assert [job for job in await tables.store.lease_jobs(10**15, 10**15) if job.kind == "ban"] == []

    lobby, link = NewTable("atacama", (ME, OPEN)), NewTable("atacama", (ME, OPEN), visibility="link")
    for network, limited in (("10.0.0.2", False), ("10.0.0.1", True)):
        guest = await tables.users.guest("Eve", network=network)
        room.people["Eve"] = guest.user
        eve = await room.signed_in("Eve")
        assert eve.standing.is_limited == limited
        table = await tables.table_setup.create(eve, link)
        for attempt in (partial(tables.table_setup.create, eve, lobby), partial(tables.chat.say, eve, table, "hi")):
            if limited:
                with refused("new_guest"):
                    await attempt()
            else:
                await attempt()
    file = await tables.moderation.person(mo, login.user.id)
    assert [each.name for each in file.shared] == []
    guest = await tables.users.sign_in(room.people["Eve"].id)
    await tables.users.by_token(guest.token, "session", "10.0.0.1")
    assert [each.name for each in (await tables.moderation.person(mo, login.user.id)).shared] == ["Eve"]
    eve = await room.signed_in("Eve")
    played = await room.table("atacama", "Eve", "+", visibility="link")
    await room.play(played, "Eve")
    await tables.table_setup.create(eve, lobby)
    clock.passes(86_400)
    assert not (await room.signed_in("Eve")).standing.is_limited
    [ban] = await tables.sanctions.mine(login.user)
    await tables.moderation.answer(mo, ban.id, lifts=True)
    assert not (await room.signed_in("Bob")).standing.is_banned
    await tables.store.moderation.clear_networks(10**15)
    assert (await tables.moderation.person(mo, eve.id)).shared == ()


async def test_a_moderator_decides_nothing_about_themselves(room: Room) -> None:
    table = await room.table("atacama", "Mo", "Ada")
    mo, max_ = await moderators(room, "Mo", "Max")
    await room.tables.reports.file(room.people["Ada"], Subject(table, seat=0), given("leaving"))
    [case] = (await room.tables.moderation.queue(max_)).cases
    report = case.reports[0].id
    for attempt in (
        partial(room.tables.moderation.take, mo, report),
        partial(room.tables.moderation.close, mo, report, "rejected"),
    ):
        with refused("same_moderator"):
            await attempt()
    with refused("no_role"):
        await room.tables.moderation.act(max_, mo.id, Decision("warn", "leaving", "no"))
    await room.tables.store.change_user(max_.id, role="operator")
    chief = await room.signed_in("Max")
    await room.tables.moderation.act(chief, mo.id, Decision("close", "leaving", "no", table=table, report_id=report))
    view = await room.view("Ada", table)
    assert view.status == "cancelled" and "closed" in [entry.key for entry in view.log]


async def test_a_ban_outlives_the_account_under_a_hash_of_its_credentials(both: Room) -> None:
    """The next account with the same mail address is banned, too; nobody else is."""
    tables = both.tables

    def mail(user: User, address: str) -> CredentialRow:
        return CredentialRow(secrets.token_hex(8), user.id, "mail", address, address, 0)

    bob = await both.person("Bob")
    await tables.credentials.add(bob, mail(bob, "bob@example.org"), "")
    bob = await both.signed_in("Bob")
    [mo] = await moderators(both, "Mo")
    await tables.moderation.act(mo, bob.id, Decision("ban", "insult", "Bob, enough"))
    await tables.moderation.act(mo, bob.id, Decision("warn", "insult", "Bob, last time"))
    await both.delete_account("Bob")
    kept = await all_that_is_kept(both)
    assert "Bob" not in kept and bob.id not in kept and "bob@" not in kept
    banned = []
    for name, address in (("Cy", "cy@example.org"), ("Dan", "bob@example.org")):
        who = await both.person(name)
        await tables.credentials.add(who, mail(who, address), "")
        banned.append((await both.signed_in(name)).standing.is_banned)
    assert banned == [False, True]


async def test_another_server_learns_of_a_ban_without_a_notice(sqlite_url: str) -> None:
    async with opened(sqlite_url, trust_s=0.0) as one, opened(sqlite_url, trust_s=0.0) as other:
        login = await one.tables.users.guest("Bob")
        found = await other.tables.users.by_token(login.token, "session")
        assert found is not None and not found.standing.is_banned
        [mo] = await moderators(one, "Mo")
        await one.tables.moderation.act(mo, login.user.id, Decision("ban", "spam", "no"))
        found = await other.tables.users.by_token(login.token, "session")
        assert found is not None and found.standing.is_banned


async def test_old_reports_and_acts_are_deleted_and_bans_stay(room: Room, clock: Time) -> None:
    table = await insulted(room)
    [mo] = await moderators(room, "Mo")
    tables, bob = room.tables, room.people["Bob"]
    await tables.reports.file(room.people["Ada"], Subject(table, seat=1), given())
    [case] = (await tables.moderation.queue(mo)).cases
    await tables.moderation.act(mo, bob.id, Decision("warn", "insult", "old", report_id=case.reports[0].id))
    await tables.moderation.act(mo, bob.id, Decision("ban", "insult", "for good"))
    await tables.store.moderation.sweep(clock.now + 1)
    assert await tables.moderation.log(mo) == ()
    assert [each.kind for each in await tables.sanctions.mine(bob)] == ["ban"]
    assert await tables.store.moderation.reports_about(bob.id) == []


def test_each_text_about_house_rules_exists_in_both_languages() -> None:
    for language in ("en", "de"):
        for what in ("warn", "mute", "unrated", "ban", "rename", "hide", "close", "lifted", "kept", "report_upheld"):
            said = notification_message("1", CONDUCT, "", {"what": what}, None, language, "", "https://x/")
            assert said.title and said.text and "conduct" not in said.title + said.text
            assert said.link == ("https://x/report" if what.startswith("report") else "https://x/sanctions")


# -- roles and routes ------------------------------------------------------------------------------------------------

OPEN_PAGES = {
    *("/livez", "/healthz", "/robots.txt", "/manifest.webmanifest", "/worker.js", "/offline", "/about", "/docs"),
    *("/sanctions", "/sanctions/read", "/sanctions/{sanction}/object", "/settings", "/settings/kept.json"),
    *("/settings/delete", "/deleted", "/sign-out", "/report"),
    *("/imprint", "/privacy", "/rules-of-conduct", "/.well-known/security.txt"),
}
"""Pages that a banned person may open, next to the ways to sign in, legal texts and files."""
OPEN_CALLS = {
    *(("GET", "/me"), ("GET", "/me/export"), ("DELETE", "/me"), ("GET", "/me/sanctions")),
    ("POST", "/me/sanctions/{sanction}/objection"),
}


def test_a_banned_person_has_one_page(sqlite_url: str) -> None:
    """Every other route is closed; a new one is, too, unless somebody opens it here."""
    with site_at(sqlite_url, trust_s=0.0) as site:
        bob, bot = site.browser("Bob"), site.program("Bot")
        assert bob.user is not None and bot.user is not None
        for user in (bob.user, bot.user):
            row = SanctionRow(secrets.token_hex(8), user.id, "ban", 0, None, "insult", "enough")
            site.call(site.tables.store.moderation.impose, row, 0, ModerationWrites())
        page = bob.get("/sanctions").text
        token = re.findall(r'name="csrf" content="([^"]+)"', page)[0]
        kept = dict(bob.cookies)

        def post(path: str, form: Any) -> Any:
            """Send a form with the token of the only page."""
            return bob.get(path) if form is None else bob._send("POST", path, data={"csrf": token, **form})

        for (method, path), (form, _) in PAGES.items():
            if path in OPEN_PAGES or path.startswith(("/static/", "/sign-in")):
                continue
            answer = post(re.sub(r"{\w+}", "x", path), None if method == "GET" else form)
            led = method == "GET" and answer.headers.get("location") == "/sanctions"
            assert led or answer.status_code == 403, (method, path)
            bob.cookies = dict(kept)
        for (method, path), (body, _) in API.items():
            if (method, path) not in OPEN_CALLS:
                answer = bot.ask(method, re.sub(r"{\w+}", "1", path), body)
                assert (answer.status_code, answer.json()["code"]) == (403, "banned"), path
        assert "enough" in page and "kept.json" in page
        [objects] = re.findall(r'action="(/sanctions/\w+/object)', page)
        assert post(objects, {"text": " "}).status_code == 422
        assert post(objects, {"text": "it wasn't me"}).status_code == 303
        assert b"it wasn't me" in bob.get("/settings/kept.json").content
        assert post("/settings/delete", {"name": "Bob"}).status_code == 303


def test_the_command_line_does_what_moderators_do(sqlite_url: str, tmp_path: Path) -> None:
    with site_at(sqlite_url, trust_s=0.0, site=str(tmp_path)) as site:
        ada, eve = site.browser("Ada"), site.browser("Eve")
        for each in (ada, eve):
            each.post("/account/code")
        assert eve.user is not None
        table = site.call(site.tables.table_setup.create, eve.user, NewTable("atacama", (ME, OPEN)))

        def admin(*words: str) -> str:
            done = CliRunner().invoke(cli.app, ["admin", *words, "--db", sqlite_url])
            return f"{done.exit_code} {done.output}"

        assert "No account has a role" in admin("list")
        assert "unknown role" in admin("grant", "Ada", "king") and "unknown account" in admin("grant", "Bo", "operator")
        assert admin("grant", "ADA", "operator").startswith("0")
        assert re.search(r"operator +Ada", admin("list"))
        assert ada.get("/moderation").status_code == 200 and eve.get("/moderation").status_code == 403
        why = ("--reason", "spam", "--text", "too much")
        assert "reason: expected" in admin("ban", "Eve", "--text", "x", "--reason", "mood")
        assert "for 3 days" in admin("ban", "Eve", *why, "--days", "3")
        assert eve.get("/lobby").headers["location"] == "/sanctions"
        assert "lifted: 1" in admin("unban", "Eve") and "isn't banned" in admin("unban", "Eve")
        assert eve.get("/lobby").status_code == 200 and "have made a decision about you" in eve.get("/lobby").text
        assert eve.post("/sanctions/read").status_code == 303 and "have made a decision" not in eve.get("/lobby").text
        assert "Eva now" in admin("rename", eve.user.id, "Eva", "--text", "too short")
        assert "no unfinished table" in admin("close", "x", *why)
        assert admin("close", table, *why).startswith("0")
        site.call(site.tables.moderation.rename_at_tables, eve.user.id)
        site.call(site.tables.moderation.close_table, table)
        view = site.call(site.tables.table_views.table, None, table)
        assert (view.seats[0].name, view.status) == ("Eva", "cancelled")
        assert "expected a folder" in admin("announce", "Hello") and "unknown language" in admin(
            "announce", "Hello", "--language", "fr"
        )
        shown = ("--site", str(tmp_path))
        assert "no announcement" in admin("announce", "", *shown)
        assert admin("announce", "# Saturday\n\nWe move.", *shown).startswith("0")
        assert re.search(r"<h2>Saturday</h2>\s*<p>We move.</p>", ada.get("/lobby").text)
        assert "ended" in admin("announce", "", *shown) and "Saturday" not in ada.get("/lobby").text
        assert "ended: 1" in admin("end-sessions", "Eva")
        assert eve.get("/account").headers["location"] == "/sign-in"
        assert admin("revoke", "Ada").startswith("0") and ada.get("/moderation").status_code == 403
        log = site.call(site.tables.store.moderation.audit, 99)
        assert [row.action for row in log].count("ban") == 1 and {row.actor_id for row in log} == {None}
