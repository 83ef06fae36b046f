"""Notifications of people who aren't at the table: once, in time, and only on chosen channels."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import pytest
from icalendar import Calendar

import atoll
from atoll.server.domain import wall_clock
from atoll.server.domain.model import Clock, NewTable, Settings
from atoll.server.domain.networks import is_allowed, networks
from atoll.server.domain.planned_answers import Plan, PlannedAnswer
from atoll.server.domain.settings import ServerSettings, SettingError
from atoll.server.notify.channels import Cause, ChannelSender
from atoll.server.notify.dispatcher import NotificationDispatcher
from atoll.server.notify.message import NotificationMessage, mail, notification_message
from atoll.server.notify.safe_http import ForbiddenAddress, SafeHttpClient, checked_url
from atoll.server.play.notification_settings import PushAddress
from atoll.server.play.table_lists import by_time_left
from atoll.server.play.table_notices import MOST_TABLES
from atoll.server.presentation.texts import site as texts_of
from atoll.store import NoticeRow
from atoll.testing.shares import give_seals, give_shares

from .conftest import GAMES, ME, OPEN, Browser, Room, Site, Time, opened, refused, site_at
from .outside import Got, Receiver, Sink, Subscription, receiver, sink

pytestmark = pytest.mark.anyio

DAY = 86_400
LOCAL = ("127.0.0.0/8",)


class Post(Room):
    """A service with its dispatcher, and the receivers outside."""

    dispatcher: NotificationDispatcher
    hooks: Receiver
    sink: Sink

    async def look(self) -> None:
        await self.dispatcher.look()

    async def hook(self, name: str, kind: str = "webhook", path: str = "/hook") -> str:
        who = await self.person(name)
        return (await self.tables.notification_settings.add(who, kind, {"url": self.hooks.url + path}, "en")).id

    @property
    def events(self) -> list[str]:
        return [got.json["event"] for got in self.hooks.got]


@pytest.fixture
async def post(sqlite_url: str, clock: Time) -> AsyncIterator[Post]:
    async with receiver() as hooks, sink() as mails, post_at(sqlite_url, hooks, mails) as found:
        yield found


def post_settings(smtp: int) -> dict[str, Any]:
    """A server whose channels are all set up, and lead to this machine only."""
    mail = {"smtp": f"smtp://127.0.0.1:{smtp}", "mail_from": "atoll@example.org"}
    return {**mail, "allow_outgoing": LOCAL, "secret": "s", "public_url": "https://atoll.example.org"}


def local_dispatcher(room: Room) -> NotificationDispatcher:
    """The dispatcher of a service."""
    channels = room.tables.notification_settings.channels
    assert isinstance(channels, ChannelSender)
    return NotificationDispatcher(room.tables.executor, room.tables.presence, channels)


@contextlib.asynccontextmanager
async def post_at(url: str, hooks: Receiver, mails: Sink) -> AsyncIterator[Post]:
    """A service with its dispatcher."""
    async with opened(url, atoll.games, **post_settings(mails.port)) as room:
        found = Post(room.tables, room.scheduler)
        found.dispatcher = local_dispatcher(room)
        found.hooks, found.sink = hooks, mails
        yield found


async def _table(post: Post, clock: Clock | None = None) -> tuple[str, str, int]:
    table = await post.table("atacama", "Ada", "Bob", clock=clock)
    name, view = await post.mover(table, "Ada", "Bob")
    assert view.seat is not None
    return table, name, view.seat


# -- contents of notifications ---------------------------------------------------------------------------------------


async def test_who_is_asked_is_told_once_and_only_if_it_has_not_moved_by_then(post: Post, clock: Time) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table, name, _ = await _table(post)
    await post.look()
    assert sorted(post.events) == ["started", "started"]
    post.hooks.got.clear()
    await post.play(table, "Ada", "Bob", most=1)
    clock.passes(30)
    for _ in range(3):
        await post.look()
    [got] = post.hooks.got
    other = "Bob" if name == "Ada" else "Ada"
    assert got.json["event"] == "turn" and got.json["table"] == table
    assert got.json["text"] == f"With {name}." and got.json["link"] == f"https://atoll.example.org/t/{table}"
    assert other not in got.body.decode()


@pytest.mark.parametrize("clock_", [None, Clock(DAY, DAY, DAY)])
async def test_who_sits_at_a_page_is_told_only_of_correspondence(post: Post, clock: Time, clock_: Clock | None) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    _, name, _ = await _table(post, clock_)
    stream = await post.tables.updates.open_stream(post.people[name], [])
    clock.passes(300)
    await post.look()
    assert ("turn" in post.events) == (clock_ is not None)
    post.tables.hub.remove(stream)
    clock.passes(60)
    await post.look()
    assert post.events.count("turn") == 1


async def test_who_has_to_open_a_correspondence_table_before_the_game_is_told(post: Post, clock: Time) -> None:
    """But not those whose browser has done its part at the open page."""
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table = await post.table("atacama", "Ada", "Bob", clock=Clock(DAY, DAY, DAY), start=False)

    async def told() -> list[str]:
        post.hooks.got.clear()
        clock.passes(30)
        await post.look()
        assert {got.json["title"] for got in post.hooks.got} <= {"Atacama: open the table so that the game can begin"}
        return [got.json["text"] for got in post.hooks.got]

    await give_seals(post.tables, table, 0)
    assert await told() == ["With Ada."]
    await give_seals(post.tables, table, 1)
    await give_shares(post.tables, table, 1)
    assert await told() == ["With Bob."]
    await give_shares(post.tables, table)
    assert (await post.view("Ada", table)).status == "running"


async def test_who_has_no_channel_leaves_nothing_behind(post: Post, clock: Time) -> None:
    await _table(post)
    clock.passes(60)
    assert await post.tables.store.notices.lease(clock.now, clock.now + 1) == []


async def test_reminders_come_at_half_and_nine_tenths_of_the_time(post: Post, clock: Time) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table, name, seat = await _table(post, Clock(DAY, DAY, DAY, vacation=True))
    clock.passes(11 * 3600)
    await post.look()
    assert "reminder" not in post.events
    clock.passes(3600)
    await post.look()
    assert post.events.count("reminder") == 1 and "Half" in post.hooks.got[-1].json["title"]
    # On vacation time stands still, and so does what follows from it.
    post.people[name] = await post.tables.calendars.take(post.people[name], 1)
    clock.passes(DAY)
    await post.look()
    assert post.events.count("reminder") == 1
    clock.passes(9.7 * 3600)
    await post.look()
    assert post.events.count("reminder") == 2 and "nearly" in post.hooks.got[-1].json["title"]
    assert not (await post.view(name, table)).seats[seat].stand_in


async def test_messages_invitations_and_the_end_are_told(post: Post, clock: Time) -> None:
    await post.hook("Bob")
    table, _, _ = await _table(post)
    for _ in range(3):
        await post.tables.chat.say(post.people["Ada"], table, "my secret plan")
    for seat, name in enumerate(("Ada", "Bob")):
        await post.tables.votes.vote(post.people[name], table, seat, "cancel", True)
    await post.tables.table_setup.rematch(post.people["Ada"], table)
    await post.look()
    assert sorted(post.events) == ["invitation", "message", "over", "started"]
    assert not any(b"secret plan" in got.body for got in post.hooks.got)


@pytest.mark.parametrize(
    ("wish", "heard"),
    [
        ("", ["message", "started", "turn"]),
        ("no_chat", ["started", "turn"]),
        ("turn", ["turn"]),
        ("nothing", []),
    ],
)
async def test_each_chooses_what_to_hear_of_a_table(post: Post, clock: Time, wish: str, heard: list[str]) -> None:
    await post.hook("Bob")
    table = await post.table("atacama", "Ada", "Bob", options={"start_player": "seat_2"})
    other = await post.table("atacama", "Ada", "Bob", options={"start_player": "seat_2"})
    ada, bob = post.people["Ada"], post.people["Bob"]
    await post.tables.table_notices.choose(bob, table, wish)
    for each in (table, other):
        await post.tables.chat.say(ada, each, "hello")
    clock.passes(60)
    await post.look()
    told = {each: [got.json["event"] for got in post.hooks.got if got.json["table"] == each] for each in (table, other)}
    assert sorted(told[table]) == heard and sorted(told[other]) == ["message", "started", "turn"]


async def test_a_choice_of_notifications_is_checked_and_old_ones_are_dropped(post: Post) -> None:
    bob, choose = await post.person("Bob"), post.tables.table_notices.choose
    table = await post.table("atacama", "Ada", "Bob")
    with refused("no_table"):
        await choose(bob, "nowhere", "turn")
    with refused("bad_option"):
        await choose(bob, table, "some")
    await post.tables.users.set_settings(bob, Settings(notices=tuple((f"t{n}", "turn") for n in range(MOST_TABLES))))
    await choose(await post.signed_in("Bob"), table, "nothing")
    settings = (await post.signed_in("Bob")).settings
    assert len(settings.notices) == MOST_TABLES
    assert [settings.notices_of(each) for each in ("t0", "t1", table)] == ["", "turn", "nothing"]
    await choose(await post.signed_in("Bob"), table, "")
    assert (await post.signed_in("Bob")).settings.notices_of(table) == ""


async def test_the_end_says_how_the_game_went_for_who_is_told(post: Post, clock: Time) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table = await post.table("atacama", "Ada", "Bob")
    await post.play(table, "Ada", "Bob")
    await post.look()
    score = (await post.view("Ada", table)).score
    assert score is not None and sorted(score.places) == [1, 2]
    told = [got.json["text"] for got in post.hooks.got if got.json["event"] == "over"]
    won, lost = ("Won. With Bob.", "Lost. With Ada.") if score.places[0] == 1 else ("Won. With Ada.", "Lost. With Bob.")
    assert sorted(told) == sorted((won, lost))


def test_who_has_won_is_told_by_name_or_level() -> None:
    data = {"places": [2, 1, 3], "mine": [0, 2], "seats": [("Ada", ""), ("random", "random"), ("Ada 3", "")]}
    told = notification_message("id", "over", "t1", data, None, "de", "", "https://atoll.example.org/")
    assert told.text == f"Bot 2: {texts_of('de').level('random')} hat gewonnen."


async def test_bots_are_not_named_among_those_one_plays_with(post: Post, clock: Time) -> None:
    await post.hook("Ada")
    await post.table("atacama", "Ada", "bot:beginner")
    await post.table("atacama", "Ada", "Bob", "bot:beginner", "bot:beginner")
    await post.look()
    assert [got.json["text"] for got in post.hooks.got if got.json["event"] == "started"] == ["With Bob."]


def test_a_mail_leads_to_its_table_and_says_how_to_end_it() -> None:
    for language, go, end in (("en", "Go to the table", "Unsubscribe"), ("de", "Zum Tisch", "abbestellen")):
        said = notification_message(
            "id", "turn", "t1", {"names": ["<Bo>"]}, GAMES["atacama"], language, "", "https://x.example/"
        )
        subject, plain, page = mail([said], language, "https://x.example/unsubscribe/1")
        assert subject == said.title and "https://x.example/t/t1" in plain and end in plain
        assert '<a href="https://x.example/t/t1" style=' in page and f">{go}</a>" in page
        assert "&lt;Bo&gt;" in page and "<Bo>" not in page
        assert 'href="https://x.example/unsubscribe/1"' in page


async def test_each_channel_tells_what_it_was_told_to(post: Post, clock: Time) -> None:
    one, other = await post.hook("Bob", path="/one"), await post.hook("Bob", path="/other")
    bob = post.people["Bob"]
    await post.tables.notification_settings.change(bob, one, ["over"], digest=False)
    await post.tables.notification_settings.change(bob, other, ["started", "nonsense"], digest=False)
    table, _, _ = await _table(post)
    for seat, name in enumerate(("Ada", "Bob")):
        await post.tables.votes.vote(post.people[name], table, seat, "cancel", True)
    clock.passes(60)
    await post.look()
    assert [(got.path, got.json["event"]) for got in post.hooks.got] == [("/other", "started"), ("/one", "over")] or [
        (got.path, got.json["event"]) for got in post.hooks.got
    ] == [("/one", "over"), ("/other", "started")]


async def test_quiet_hours_hold_back_what_still_holds_afterwards(post: Post, clock: Time) -> None:
    await post.hook("Bob")
    await post.hook("Ada")
    for name in ("Ada", "Bob"):  # it is 22:13 UTC, 23:13 in Berlin
        who = await post.tables.calendars.set_hours(post.people[name], "Europe/Berlin", 0, 0)
        post.people[name] = await post.tables.calendars.set_quiet(who, 22, 7)
    table, _, _ = await _table(post)
    clock.passes(7 * 3600)
    await post.look()
    assert post.events == []
    await post.play(table, "Ada", "Bob", most=1)
    clock.passes(3600)
    await post.look()
    assert sorted(post.events) == ["started", "started", "turn"]
    with refused("bad_hours"):
        await post.tables.calendars.set_quiet(post.people["Ada"], 24, 7)


# -- waiting ---------------------------------------------------------------------------------------------------------


async def test_who_is_asked_to_undo_is_told_once(post: Post) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table, name, seat = await _table(post)
    await post.play(table, name, most=1)
    [subject] = [each for each in (await post.view(name, table)).can if each.startswith("undo:")]
    for yes in (True, False, True):
        await post.tables.votes.vote(post.people[name], table, seat, subject, yes)
    await post.look()
    [got] = [got for got in post.hooks.got if got.json["event"] == "undo"]
    assert got.json["title"].startswith(f"{name} asks to take back a move")


async def test_whose_plan_ends_by_surprise_is_told(post: Post) -> None:
    for name in ("Ada", "Bob"):
        await post.hook(name)
    table, name, seat = await _table(post)
    other = post.people["Bob" if name == "Ada" else "Ada"]
    await post.tables.planned_turns.plan(other, table, 1 - seat, Plan((PlannedAnswer("place", ("place r9c9 base",)),)))
    turn = (await post.view(name, table)).turn
    assert turn is not None
    await post.tables.turns.choose(post.people[name], table, seat, ["place r9c9 base"], turn.stamp, confirm=True)
    for _ in range(2):
        await post.tables.planned_turns.answer_due(table)
        await post.look()
    assert post.events.count("plan") == 1


def test_the_strip_nudges_who_keeps_others_waiting(site: Site, clock: Time) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, bob.user, table)
    site.call(site.tables.table_setup.start, ada.user, table)
    [seat] = [each.seat for each in site.call(site.tables.table_views.table, ada.user, table).seats if each.to_move]
    waits, asked = (bob, "Ada") if seat == 0 else (ada, "Bob")
    assert ">Nudge " not in waits.get(f"/t/{table}").text
    bot = f'value="remove:{seat}"'
    assert bot in waits.get(f"/t/{table}").text
    assert 'value="remove:' not in (ada if waits is bob else bob).get(f"/t/{table}").text, "nobody else is waited for"
    clock.passes(3600)
    page = waits.get(f"/t/{table}").text
    strip = page[page.index('id="page-tools"') : page.index('id="page-menu"')]
    assert f'value="{seat}">Nudge {asked}</button>' in strip and page.count(">Nudge ") == 1
    assert waits.post(f"/t/{table}/nudge", {"take": str(seat)}).status_code == 303
    assert ">Nudge " not in waits.get(f"/t/{table}").text


async def test_who_keeps_others_waiting_is_nudged_once_a_day(post: Post, clock: Time) -> None:
    table, name, seat = await _table(post, Clock(3 * DAY, DAY, 7 * DAY))
    other = "Bob" if name == "Ada" else "Ada"
    await post.hook(name)
    asker = post.people[other]
    with refused("no_nudge"):
        await post.tables.nudges.nudge(asker, table, seat)
    clock.passes(3600)
    for wrong, place in ((asker, 1 - seat), (post.people[name], seat)):
        with refused("no_nudge"):
            await post.tables.nudges.nudge(wrong, table, place)
    for _ in range(2):
        assert f"nudge:{seat}" in (await post.view(other, table)).can
        await post.tables.nudges.nudge(asker, table, seat)
        assert f"nudge:{seat}" not in (await post.view(other, table)).can
        with refused("no_nudge"):
            await post.tables.nudges.nudge(asker, table, seat)
        await post.look()
        clock.passes(DAY)
    assert post.events.count("nudge") == 2
    assert post.hooks.got[-1].json["title"] == f"{other} is waiting for you in Atacama"


async def test_what_waits_comes_first_by_time_left(post: Post, clock: Time) -> None:
    clocks = (Clock(3 * DAY, 0, 3 * DAY), None, Clock(DAY, 0, DAY), Clock(2 * DAY, 0, 2 * DAY))
    made = [await post.table("atacama", "Ada", "Bob", clock=each) for each in clocks]
    ada = post.people["Ada"]
    waiting = [table for table in made if (await post.view("Ada", table)).turn is not None]
    order = [made[number] for number in (2, 3, 0, 1) if made[number] in waiting]
    cards = by_time_left(await post.tables.table_lists.mine(ada))
    assert [card.id for card in cards if card.my_turn] == order
    assert [card.my_turn for card in cards] == sorted((card.my_turn for card in cards), reverse=True)
    for first, following in zip(order, [*order[1:], ""], strict=True):
        assert await post.tables.table_lists.next(ada, first) == (order[0] if first != order[0] else following)


async def test_deadlines_are_read_at_a_secret_address(post: Post, clock: Time) -> None:
    table, name, seat = await _table(post, Clock(DAY, 0, DAY))
    token = await post.tables.deadlines.token(post.people[name])
    _, [card] = await post.tables.deadlines.of(token)
    assert card.id == table and card.due == (await post.view(name, table)).seats[seat].due
    fresh = await post.tables.deadlines.token(post.people[name])
    for wrong in (token, fresh[:-1], ""):
        with refused("used"):
            await post.tables.deadlines.of(wrong)


def test_a_calendar_can_subscribe_to_deadlines(site: Site) -> None:
    ada = site.browser("Ada")
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "device", "pace": "turn"}
    table = ada.post("/new", form).headers["location"]
    site.call(site.tables.table_setup.start_due, table.removeprefix("/t/"))
    shown = re.search(r'value="http://[^/]+(/calendar/[^"]+)"', ada.post("/settings/calendar").text)
    assert shown is not None
    feed = site.browser().get(shown[1])
    assert feed.headers["content-type"].startswith("text/calendar")
    [entry] = Calendar.from_ical(feed.text).walk("VEVENT")
    assert str(entry["SUMMARY"]) == "Atacama: your time ends" and str(entry["URL"]).endswith(table)
    assert site.browser().get("/calendar/x.ics").status_code == 410
    assert ada.get("/next").headers["location"] == table
    assert ada.get(f"/next?after={table.removeprefix('/t/')}").headers["location"] == "/mine"


def test_the_next_table_is_offered_only_while_one_waits(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")

    def begin() -> str:
        table: str = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
        site.call(site.tables.table_setup.join, bob.user, table)
        site.call(site.tables.table_setup.start, ada.user, table)
        return table

    def waiting(table: str) -> Browser:
        return bob if site.call(site.tables.table_views.table, ada.user, table).seats[0].to_move else ada

    first = begin()
    who = waiting(first)
    other = bob if who is ada else ada
    link = 'id="page-next"'
    assert link not in who.get(f"/t/{first}").text, "there is no other table"
    mine = begin()
    while waiting(mine) is who:
        assert link not in who.get(f"/t/{first}").text, "the others are asked there, too"
        mine = begin()
    assert link in who.get(f"/t/{first}").text and link not in who.get(f"/t/{mine}").text, "that one is next"
    assert who.get(f"/next?after={first}").headers["location"] == f"/t/{mine}"
    assert link not in other.get(f"/t/{first}").text, "who is asked here stays here"
    seat = 0 if who is ada else 1
    site.call(site.tables.departures.leave, who.user, mine, seat)
    assert link not in who.get(f"/t/{first}").text, "a bot plays there"


# -- channels --------------------------------------------------------------------------------------------------------


async def test_a_push_is_encrypted_for_its_browser_and_signed_by_this_server(post: Post, clock: Time) -> None:
    browser = Subscription(post.hooks.url + "/push/1")
    ada = await post.person("Ada")
    channel = await post.tables.notification_settings.add(ada, "push", browser.given, "de")
    await post.tables.notification_settings.test(ada, channel.id)
    await post.look()
    [got] = post.hooks.got
    assert browser.read(got.body)["title"] == "Ein Test von Atoll"
    assert got.headers["content-encoding"] == "aes128gcm" and int(got.headers["ttl"]) > 0
    assert re.fullmatch(r"[\w-]{1,32}", got.headers["topic"])
    assert f"k={post.tables.notification_settings.channels.push_key}" in got.headers["authorization"]
    assert (await post.tables.notification_settings.mine(ada))[0].state == "ready"
    for wrong in ({"p256dh": ""}, {"auth": "xx"}, {"p256dh": "A" * 87}):
        with refused("malformed"):
            await post.tables.notification_settings.add(ada, "push", browser.given | wrong, "de")


@pytest.mark.parametrize("answer", ["410 Gone", "404 Not Found"])
async def test_a_subscription_that_has_ended_is_said_and_not_used_again(post: Post, answer: str) -> None:
    ada, settings = await post.person("Ada"), post.tables.notification_settings
    channel = await settings.add(ada, "push", Subscription(post.hooks.url).given, "en")
    assert not await settings.is_failing(ada)
    post.hooks.answer = lambda _: answer
    await settings.test(ada, channel.id)
    await post.look()
    [dead] = await settings.mine(ada)
    assert (dead.state, dead.cause) == ("failing", "expired") and await settings.is_failing(ada)
    tried = len(post.hooks.got)
    await _table(post)
    await post.look()
    assert len(post.hooks.got) == tried, "what is dead isn't asked again"


async def renewed(post: Post, old: str, now: Subscription | None, *, asking: bool = True) -> str:
    """The state of Ada's browser, which has reported one subscription and has another one now."""
    browser = PushAddress(old, {} if now is None else now.given, asking)
    return await post.tables.notification_settings.renew_push(await post.person("Ada"), browser)


async def test_a_push_channel_takes_the_new_subscription_of_its_browser_and_keeps_its_settings(post: Post) -> None:
    ada, settings = await post.person("Ada"), post.tables.notification_settings
    old, new, other = (Subscription(f"{post.hooks.url}/push/{n}") for n in (1, 2, 3))
    first = await settings.add(ada, "push", old.given, "de")
    await settings.change(ada, first.id, ["turn"], False)
    url, path = old.given["url"], new.given["url"]
    assert await renewed(post, url, old) == await renewed(post, "", old) == "ready"
    assert await renewed(post, url, new) == "ready"
    assert await renewed(post, url, new) == "ready", "the page and the worker may both say it"
    [row] = await post.tables.store.notices.channels_of(ada.id)
    assert (row.id, row.address, row.kinds) == (first.id, new.given, ["turn"])
    await settings.test(ada, row.id)
    await post.look()
    assert post.hooks.got[-1].path == "/push/2" and new.read(post.hooks.got[-1].body)["title"]
    with refused("malformed"):
        settings.channels.checked("push", other.given | {"auth": "x"})
        await renewed(post, path, other)
    # Both are there, for example as the person has added the browser again before: one goes.
    await settings.add(ada, "push", other.given, "de")
    assert await renewed(post, path, other) == "ready"
    assert [each.address["url"] for each in await post.tables.store.notices.channels_of(ada.id)] == [other.given["url"]]


@pytest.mark.parametrize(("answer", "cause"), [("410 Gone", "expired"), ("403 Forbidden", "denied")])
async def test_a_subscription_that_the_push_service_refuses_is_renewed_by_its_browser(
    post: Post, answer: str, cause: str
) -> None:
    ada, settings = await post.person("Ada"), post.tables.notification_settings
    old, new = (Subscription(f"{post.hooks.url}/push/{n}") for n in (1, 2))
    channel = await settings.add(ada, "push", old.given, "en")
    post.hooks.answer = lambda got: answer if got.path == "/push/1" else "201 Created"
    await settings.test(ada, channel.id)
    await post.look()
    assert [each.cause for each in await settings.mine(ada)] == [cause]
    url = old.given["url"]
    assert await renewed(post, url, old) == "renew"
    assert await renewed(post, url, new, asking=False) == "ready"
    assert not await settings.is_failing(ada)
    await settings.test(ada, channel.id)
    await post.look()
    [mended] = await settings.mine(ada)
    assert (mended.state, mended.sent is not None) == ("ready", True)


async def test_a_browser_that_may_not_renew_its_subscription_is_said_to_fail(post: Post) -> None:
    ada, settings = await post.person("Ada"), post.tables.notification_settings
    old = Subscription(post.hooks.url)
    await settings.add(ada, "push", old.given, "en")
    url = old.given["url"]
    assert await renewed(post, url, None) == "renew" and not await settings.is_failing(ada)
    assert await renewed(post, url, None, asking=False) == "lost"
    assert await renewed(post, url, old, asking=False) == "lost", "what the push service doesn't know stays so"
    assert [each.cause for each in await settings.mine(ada)] == ["expired"] and await settings.is_failing(ada)


async def test_what_a_person_has_removed_does_not_come_back_by_itself(post: Post) -> None:
    ada, settings = await post.person("Ada"), post.tables.notification_settings
    bob = await post.person("Bob")
    old, new = (Subscription(f"{post.hooks.url}/push/{n}") for n in (1, 2))
    of_bob = await settings.add(bob, "push", old.given, "en")
    url = old.given["url"]
    assert await renewed(post, url, new) == await renewed(post, url, None) == "unknown", "that is Bob's"
    await settings.drop(bob, of_bob.id)
    mine = await settings.add(ada, "push", old.given, "en")
    await settings.drop(ada, mine.id)
    assert await renewed(post, url, new) == "unknown" and await settings.mine(ada) == ()


def test_a_browser_renews_its_subscription_by_page_and_worker(tmp_path: Path) -> None:
    browser, new = Subscription("https://push.example/1"), Subscription("https://push.example/2")
    with site_at(f"sqlite:///{tmp_path}/atoll.db", **{**post_settings(1), "public_url": ""}) as site:
        assert site.browser().get("/settings/push").status_code == 401
        ada = site.browser("Ada")
        assert ada.post("/settings/notices", {"kind": "push", **browser.given}).status_code == 303
        facts = ada.get("/settings/push").json()
        assert facts["key"] == site.tables.notification_settings.channels.push_key
        form = {"old": browser.given["url"], **new.given}
        assert site.client.post("/settings/push", data=form).status_code == 403, "without a form token"
        done = ada.post("/settings/push", form).json()
        assert (done["state"], done["key"]) == ("ready", facts["key"])
        lost = ada.post("/settings/push", {"old": new.given["url"], "url": "", "renew": ""}).json()
        assert lost["state"] == "lost" and "no longer shows" in lost["lost"]
        assert "Some of your notifications" in ada.get("/mine").text


async def test_a_mail_address_agrees_first_and_can_end_it_by_one_click(post: Post) -> None:
    ada = await post.person("Ada")
    with refused("bad_mail"):
        await post.tables.notification_settings.add(ada, "mail", {"mail": "a@b\r\nBcc: c@d.org"}, "en")
    channel = await post.tables.notification_settings.add(ada, "mail", {"mail": "ada@example.org"}, "en")
    await _table(post)
    await post.look()
    [asks] = post.sink.mails
    assert asks["To"] == "ada@example.org" and asks["Subject"] == "May Atoll send emails to this address?"
    plain, page = asks.get_body(("plain",)), asks.get_body(("html",))
    assert plain is not None and page is not None
    found = re.search(r"https://atoll.example.org/confirm/(\S+)", plain.get_content())
    assert found is not None and found[0] in page.get_content()
    with refused("used"):
        await post.tables.notification_settings.confirm(found[1][:-1] + "x")
    await post.tables.notification_settings.confirm(found[1])
    await post.tables.notification_settings.test(ada, channel.id)
    await post.look()
    assert post.sink.mails[1]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = post.sink.mails[1]["List-Unsubscribe"].strip("<>").rpartition("/")[2]
    assert re.fullmatch(r"\w+\.[0-9a-f]{32}", stop), "128 random bits"
    for wrong in (stop[:-1] + "x", stop.partition(".")[0], ""):
        await post.tables.notification_settings.unsubscribe(wrong)
    assert len(await post.tables.notification_settings.mine(ada)) == 1
    await post.tables.notification_settings.unsubscribe(stop)
    await post.tables.notification_settings.unsubscribe(stop)
    assert await post.tables.notification_settings.mine(ada) == ()


async def test_a_digest_is_one_mail_a_day(post: Post, clock: Time) -> None:
    bob = await post.person("Bob")
    channel = await post.tables.notification_settings.add(bob, "mail", {"mail": "bob@example.org"}, "en")
    row = await post.tables.store.notices.channel(channel.id)
    assert row is not None
    await post.tables.notification_settings.confirm(f"{row.id}.{row.secret}")
    await post.look()
    post.sink.mails.clear()
    await post.tables.notification_settings.change(bob, channel.id, ["started", "message"], digest=True)
    for _ in range(3):
        table, _, _ = await _table(post)
        await post.tables.chat.say(post.people["Ada"], table, "hi")
    await post.look()
    assert post.sink.mails == []
    clock.passes(10 * 3600)  # past eight
    await post.look()
    [mail] = post.sink.mails
    assert mail["Subject"] == "6 updates from your tables"


@pytest.mark.parametrize("kind", ["discord", "slack", "ntfy", "webhook"])
async def test_a_webhook_gets_what_its_service_reads(post: Post, kind: str) -> None:
    ada = await post.person("Ada")
    id = await post.hook("Ada", kind, "/a/topic")
    await post.tables.notification_settings.test(ada, id)
    await post.look()
    [got] = post.hooks.got
    body = got.json
    if kind == "discord":
        assert body["content"].startswith("A test") and body["allowed_mentions"] == {"parse": []}
    elif kind == "slack":
        assert body["text"].endswith("<https://atoll.example.org/>")
    elif kind == "ntfy":
        assert (got.path, body["topic"], body["title"]) == ("/a", "topic", "A test from Atoll")
    else:
        [mine] = await post.tables.notification_settings.mine(ada)
        at, sign = re.fullmatch(r"t=(\d+),v1=(\w+)", got.headers["atoll-signature"]).groups()  # type: ignore[union-attr]
        assert hmac.new(mine.secret.encode(), f"{at}.".encode() + got.body, hashlib.sha256).hexdigest() == sign


# -- once ------------------------------------------------------------------------------------------------------------


async def test_what_fails_is_tried_again_later_each_time_and_then_no_more(post: Post, clock: Time) -> None:
    ada = await post.person("Ada")
    id = await post.hook("Ada")
    post.hooks.answer = lambda _: "503 Busy"
    await post.tables.notification_settings.test(ada, id)
    waits, last = [], clock.now
    for _ in range(20):
        await post.look()
        due = await post.tables.store.notices.next_due()
        if due is None:
            break
        waits.append((due - last) // 1000)
        clock.now = last = due
    assert waits == [30, 120, 480, 1920, 7680, 21_600, 21_600]
    assert len(post.hooks.got) == 8
    [mine] = await post.tables.notification_settings.mine(ada)
    assert mine.state == "failing" and "503" in mine.error


def test_every_cause_is_told_in_both_languages() -> None:
    for language in ("en", "de"):
        assert all(texts_of(language).has(f"channel.cause.{cause}") for cause in get_args(Cause))


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("503 Busy", "busy"),
        ("429 Slow", "busy"),
        ("401 Who", "denied"),
        ("403 No", "denied"),
        ("404 Nothing", "gone"),
        ("400 Bad", "rejected"),
    ],
)
async def test_what_a_webhook_answers_is_told_by_what_it_means(post: Post, answer: str, cause: str) -> None:
    id = await post.hook("Ada")
    ada = post.people["Ada"]
    post.hooks.answer = lambda _: answer
    await post.tables.notification_settings.test(ada, id)
    await post.look()
    [mine] = await post.tables.notification_settings.mine(ada)
    assert (mine.cause, mine.state) == (cause, "failing") and answer[:3] in mine.error
    post.hooks.answer = lambda _: "200 OK"
    await post.tables.notification_settings.test(ada, id)
    await post.look()
    [mine] = await post.tables.notification_settings.mine(ada)
    assert (mine.cause, mine.error, mine.state) == ("", "", "ready")


@pytest.mark.parametrize(
    ("refuse", "cause", "again"),
    [
        ({"RCPT": "550 nobody"}, "mail_address", False),
        ({"RCPT": "450 greylisted"}, "mail_later", True),
        ({"DATA": "554 spam"}, "mail_refused", False),
        ({"DATA": "452 full"}, "mail_later", True),
        ({"MAIL": "553 who are you"}, "mail_server", False),
        ({"MAIL": "451 later"}, "mail_server", True),
    ],
)
async def test_what_a_mail_server_answers_is_told_by_what_it_means(
    post: Post, refuse: dict[str, str], cause: str, again: bool
) -> None:
    ada = await post.person("Ada")
    post.sink.refuse = refuse
    await post.tables.notification_settings.add(ada, "mail", {"mail": "ada@example.org"}, "en")
    await post.look()
    [mine] = await post.tables.notification_settings.mine(ada)
    assert mine.cause == cause and next(iter(refuse.values())) in mine.error
    assert (await post.tables.store.notices.next_due() is not None) is again


async def test_where_nobody_answers_that_is_said(post: Post) -> None:
    ada = await post.person("Ada")
    channel = await post.tables.notification_settings.add(ada, "webhook", {"url": "http://127.0.0.1:1/"}, "en")
    await post.tables.notification_settings.test(ada, channel.id)
    await post.look()
    [mine] = await post.tables.notification_settings.mine(ada)
    assert mine.cause == "unreachable" and mine.error


def test_what_went_wrong_is_said_in_plain_words_and_the_answer_only_to_who_opens_it(site: Site) -> None:
    ada = site.browser("Ada")
    assert ada.user is not None
    channel = site.call(site.tables.notification_settings.add, ada.user, "ntfy", {"url": "https://ntfy.sh/x"}, "en")
    failed = {"cause": "busy", "error": "answered 503 Busy"}
    site.call(site.tables.store.notices.change_channel, channel.id, ada.user.id, **failed)
    for language, said in (("en", "you don’t have to do anything"), ("de", "du musst nichts tun")):
        page = ada.get("/settings/notices", headers={"accept-language": language}).text
        told, _, rest = page.partition("<details")
        assert said in told and "503" not in told and "answered 503 Busy" in rest.partition("</details>")[0]


async def test_a_receiver_says_when_to_come_again(post: Post, clock: Time) -> None:
    id = await post.hook("Ada")
    post.hooks.answer = lambda _: "429 Slow\nretry-after: 600\r\n"
    await post.tables.notification_settings.test(post.people["Ada"], id)
    await post.look()
    assert await post.tables.store.notices.next_due() == clock.now + 600_000


@pytest.mark.parametrize("status", ["301 Moved\nlocation: http://127.0.0.1:1/\r\n", "400 Bad"])
async def test_what_is_refused_or_redirected_is_not_tried_again(post: Post, status: str) -> None:
    id = await post.hook("Ada")
    post.hooks.answer = lambda _: status
    await post.tables.notification_settings.test(post.people["Ada"], id)
    await post.look()
    assert len(post.hooks.got) == 1 and await post.tables.store.notices.next_due() is None
    assert (await post.tables.notification_settings.mine(post.people["Ada"]))[0].state == "failing"


async def test_a_server_that_is_killed_while_a_thousand_are_due_gives_each_once(sqlite_url: str) -> None:
    """Those that were being sent when it died come once more, under the same id; no other does."""
    async with receiver() as hooks, sink() as mails:
        async with post_at(sqlite_url, hooks, mails) as post:
            ada = await post.person("Ada")
            id = await post.hook("Ada")
            now = wall_clock.machine_ms() - 1000
            rows = [NoticeRow(f"n{n}@{id}", ada.id, "test", None, {}, now, now, channel_id=id) for n in range(1000)]
            await post.tables.store.notices.add(rows)
            await post.tables.store.notices.add(rows)
        enough = asyncio.Event()

        def count(_: Got) -> str:
            if len(hooks.got) >= 300:
                enough.set()
            return "200 OK"

        hooks.answer = count
        server = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.server.kill_dispatcher", sqlite_url)
        async with asyncio.timeout(60):
            await enough.wait()
        server.kill()
        await server.wait()
        before = len(hooks.got)
        assert before < 1000
        async with post_at(sqlite_url, hooks, mails) as post:
            await post.look()
            assert await post.tables.store.notices.next_due() is None
        ids = [got.json["id"] for got in hooks.got]
        assert len(set(ids)) == 1000
        assert len(ids) - 1000 <= 20  # as many as are sent at once


async def test_what_was_begun_twice_and_never_ended_is_not_sent_a_third_time(post: Post, clock: Time) -> None:
    id = await post.hook("Ada")
    ada = post.people["Ada"]
    row = NoticeRow(f"n@{id}", ada.id, "test", None, {}, clock.now, clock.now, channel_id=id)
    await post.tables.store.notices.add([row])
    for _ in range(2):
        assert await post.tables.store.notices.begin([row.id]) == [row.id]
    await post.look()
    assert post.hooks.got == [] and (await post.tables.notification_settings.mine(ada))[0].state == "failing"


# -- where requests go -----------------------------------------------------------------------------------------------

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),  # noqa: S104 - are refused
    *("::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"),
    *("255.255.255.255", "240.0.0.1", "192.0.2.1", "2001:db8::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_told_from_public_ones(address: str) -> None:
    assert not is_allowed(address, ())


# IANA's IPv4 and IPv6 Special-Purpose Address Registries of 2025: all blocks that aren't "Globally Reachable: True",
# with multicast, the former site-local addresses (RFC 3879) and blocks that embed IPv4 addresses. A few single
# addresses of 192.0.0.0/24 and 2001::/23 are reachable; no webhook lives there.
SPECIAL = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
    *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
    *("224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32"),
    *("::/128", "::1/128", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64"),
    *("2001::/23", "2001::/32", "2001:2::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32"),
    *("2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
)


@pytest.mark.parametrize("network", SPECIAL)
def test_no_special_purpose_address_is_public(network: str) -> None:
    found = ipaddress.ip_network(network)
    size = found.num_addresses
    for offset in {0, 1 % size, size // 3, size // 2, size - 1}:
        address = found[offset]
        assert not is_allowed(str(address), ()), address
        if found.version == 4:
            assert not is_allowed(f"::ffff:{address}", ()), "an IPv6 socket reaches it so"


def test_an_operator_can_allow_a_network() -> None:
    for public in ("8.8.8.8", "191.255.255.255", "192.0.1.0", "192.88.98.255", "192.88.100.0", "::ffff:8.8.8.8"):
        assert is_allowed(public, ())
    for public in ("2606:4700::1111", "2001:200::1", "2001:db9::1", "2003::1", "2a00::1", "3ffe:ffff::1"):
        assert is_allowed(public, ())
    assert is_allowed("fec0::1", networks(["fec0::/10"]))
    assert is_allowed("10.1.2.3", networks(["10.0.0.0/8"])) and not is_allowed("192.168.1.1", networks(["10.0.0.0/8"]))
    with pytest.raises(SettingError, match="allow-outgoing"):
        ServerSettings(allow_outgoing=("10.0.0.1/8",))
    with pytest.raises(SettingError, match="mail-from"):
        ServerSettings(smtp="smtp://localhost")


WRONG = (
    "",
    "ftp://a.org",
    "http://a.org",
    "https://u:p@a.org",
    "https://",
    "https://a.org:99999",
    "https://a b",
    "x" * 2000,
)


@pytest.mark.parametrize("url", WRONG)
def test_only_plain_https_addresses_are_taken(url: str) -> None:
    with refused("bad_url"):
        checked_url(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "169.254.169.254", "[::ffff:10.0.0.1]"])
def test_an_address_that_is_private_is_refused_at_once(host: str) -> None:
    with refused("private_url"):
        checked_url(f"https://{host}/hook")


@pytest.mark.parametrize("found", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"], ["fe80::1%1"], []])
async def test_a_hostile_name_leads_nowhere(found: list[str]) -> None:
    async with receiver() as hooks:

        async def resolve(host: str, port: int) -> list[str]:
            return found

        outgoing = SafeHttpClient((), resolve)
        with pytest.raises(ForbiddenAddress):
            await outgoing.post(f"https://evil.example.org:{hooks.port}/", b"", {})
        assert hooks.got == []


async def test_a_name_is_resolved_once_and_what_was_looked_at_is_connected_to() -> None:
    """A name that is public when it is looked at, and private when it is connected to, gets nowhere."""
    answers = iter([["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1"]])
    asked = []
    async with receiver() as hooks:

        async def resolve(host: str, port: int) -> list[str]:
            asked.append(host)
            return next(answers)

        outgoing = SafeHttpClient(networks(["127.0.0.2/32"]), resolve)
        with pytest.raises(OSError):
            await outgoing.post(f"http://rebinds.example.org:{hooks.port}/", b"", {})
        assert asked == ["rebinds.example.org"] and hooks.got == []


async def test_a_long_answer_is_not_read_to_its_end() -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 500 Bad\r\ntransfer-encoding: chunked\r\n\r\n")
        for _ in range(100_000):
            writer.write(b"5\r\nhello\r\n")
            try:
                await writer.drain()
            except ConnectionError:
                return

    server = await asyncio.start_server(endless, "127.0.0.1")
    async with server:
        port = server.sockets[0].getsockname()[1]
        reply = await SafeHttpClient(networks(LOCAL)).post(f"http://127.0.0.1:{port}/", b"", {})
    assert reply.status == 500 and len(reply.text) <= 2048


def test_nothing_is_sent_for_a_channel_that_is_not_set_up() -> None:
    plain = ChannelSender(ServerSettings())
    assert plain.possible == ("discord", "slack", "ntfy", "webhook") and plain.push_key == ""
    for kind in ("push", "mail", "fax"):
        with refused("no_channel"):
            plain.checked(kind, {"mail": "a@b.org"})


def test_a_letter_says_nothing_but_what_all_may_know() -> None:
    assert set(NotificationMessage.__dataclass_fields__) == {"id", "kind", "title", "text", "link", "table"}


# -- pages and programs ----------------------------------------------------------------------------------------------


def test_the_page_says_what_is_not_set_up_and_whom_to_ask(site: Site) -> None:
    page = site.browser("Ada").get("/settings/notices").text
    assert page.count("Ask its operator") == 2 and 'value="ntfy"' in page and "data-push" not in page
    assert "--smtp" not in page and "ATOLL_SECRET" not in page, "players can't set them"


def test_channels_are_added_changed_and_ended_by_page_and_api(sqlite_url: str) -> None:
    with site_at(sqlite_url, smtp="smtp://127.0.0.1:9", mail_from="a@b.org", secret="s") as site:  # noqa: S106
        ada = site.browser("Ada")
        assert "data-push" in ada.get("/settings/notices").text
        for kind, where in (
            ("ntfy", "http://ntfy.sh/x"),
            ("ntfy", "https://ntfy.sh/"),
            ("webhook", "https://10.0.0.1/"),
        ):
            assert ada.post("/settings/notices", {"kind": kind, "url": where}).status_code == 422
        assert ada.post("/settings/notices", {"kind": "ntfy", "url": "https://ntfy.sh/secret"}).status_code == 303
        page = ada.get("/settings/notices").text
        path = re.search(r'action="(/settings/notices/\w+)"', page)
        assert path is not None and "ntfy.sh/secret" in page
        assert ada.post(path[1], {"act": "save", "over": "1"}).status_code == 303
        assert site.browser("Eve").post(path[1], {"act": "drop"}).status_code == 404
        assert ada.post(path[1], {"act": "drop"}).status_code == 303
        bob = site.program("Bob")
        made = bob.ask("POST", "/me/channels", {"kind": "webhook", "address": {"url": "https://example.org/x"}})
        assert made.status_code == 201 and made.json()["secret"]
        id = made.json()["id"]
        assert bob.ask("PUT", f"/me/channels/{id}", {"kinds": ["turn"], "digest": True}).status_code == 422
        assert bob.ask("PUT", f"/me/channels/{id}", {"kinds": ["turn"]}).status_code == 204
        [shown] = bob.ask("GET", "/me/channels").json()
        assert shown["kinds"] == ["turn"] and shown["address"] == "example.org"
        assert bob.ask("PUT", "/me/quiet", {"first": 22, "last": 7}).json()["calendar"]["quiet"] == [22, 7]
        assert bob.ask("DELETE", f"/me/channels/{id}").status_code == 204
        for number in range(10):
            body = {"kind": "webhook", "address": {"url": f"https://example.org/{number}"}}
            assert bob.ask("POST", "/me/channels", body).status_code == 201
        one_more = {"kind": "webhook", "address": {"url": "https://example.org/more"}}
        assert bob.ask("POST", "/me/channels", one_more).status_code == 409


async def test_few_addresses_are_added_in_an_hour(room: Room) -> None:
    ada, settings = await room.person("Ada"), room.tables.notification_settings
    for number in range(30):
        added = await settings.add(ada, "webhook", {"url": f"https://example.org/{number}"}, "en")
        await settings.drop(ada, added.id)
    with refused("limit"):
        await settings.add(ada, "webhook", {"url": "https://example.org/more"}, "en")
    await settings.add(await room.person("Bob"), "webhook", {"url": "https://example.org/more"}, "en")


def test_one_click_needs_no_session_and_nothing_else_does_without(site: Site) -> None:
    site.client.cookies.clear()
    body = {"List-Unsubscribe": "One-Click"}
    assert (
        site.client.post("/unsubscribe/x.y", data=body, headers={"origin": "https://mail.example"}).status_code == 200
    )
    site.client.cookies.clear()
    assert site.client.post("/confirm/x.y", data=body, headers={"origin": "https://mail.example"}).status_code == 403
    page = site.browser().get("/unsubscribe/x.y").text
    assert 'action="/unsubscribe/x.y"' in page


def test_the_site_can_be_installed(site: Site) -> None:
    browser = site.browser()
    shown = browser.get("/manifest.webmanifest").json()
    for icon in shown["icons"]:
        assert browser.get(icon["src"]).status_code == 200
    assert browser.get("/worker.js").headers["content-type"].startswith("text/javascript")
    assert "can’t be reached" in browser.get("/offline").text
