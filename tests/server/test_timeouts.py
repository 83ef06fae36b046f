"""Time controls for correspondence play: bank, increment, cap, and a bot after a timeout."""

import asyncio
import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import Clock, NewTable
from atoll.testing.shares import give_shares

from .conftest import ME, OPEN, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

CLOCK = Clock(bank_s=600, increment_s=60, cap_s=900)


async def _left(room: Room, table: str) -> list[int | None]:
    return [seat.time_left_s for seat in (await room.view(None, table)).seats]


async def test_time_runs_for_who_is_asked_and_is_added_after_the_turn(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    name, view = await room.mover(table, "Ada", "Bob")
    seat = view.seat
    assert seat is not None
    clock.passes(125)
    assert (await _left(room, table))[seat] == 480  # 475 s, rounded up to whole minutes
    assert (await _left(room, table))[1 - seat] == 600
    await room.play(table, name, most=1)
    assert (await _left(room, table))[seat] == 540  # 600 - 125 + 60 = 535
    clock.passes(50)
    assert (await _left(room, table))[seat] == 540
    assert (await _left(room, table))[1 - seat] == 600


async def test_the_bank_never_grows_above_the_cap(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=Clock(600, 400, 900))
    await room.play(table, "Ada", "Bob", most=4)
    assert await _left(room, table) == [900, 900]


async def test_a_bot_stands_in_when_the_time_is_up(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    name, view = await room.mover(table, "Ada", "Bob")
    seat = view.seat
    assert seat is not None
    await room.tables.timeouts.decide(table)
    assert not (await room.view(None, table)).seats[seat].stand_in
    clock.passes(601)
    await room.tables.timeouts.decide(table)
    after = await room.view(name, table)
    assert after.seats[seat].stand_in and "return" in after.can and after.turn is None
    assert "timed_out" in [entry.key for entry in after.log]
    await room.tables.timeouts.decide(table)
    assert len((await room.view(name, table)).log) == len(after.log)
    await room.tables.bot_turns.play(table)
    await room.tables.departures.come_back(room.people[name], table, seat)
    assert (await _left(room, table))[seat] == 60


async def test_the_scheduler_ends_a_clock_even_after_a_restart(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    await room.forget()
    clock.passes(599)
    task = asyncio.create_task(room.scheduler.run())
    await asyncio.sleep(0.1)
    assert not any(seat.stand_in for seat in (await room.view(None, table)).seats)
    clock.passes(2)
    room.scheduler.wake()
    view = await room.until(table, lambda view: any(seat.stand_in for seat in view.seats))
    assert "timed_out" in [entry.key for entry in view.log]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_in_a_sealed_decision_time_does_not_tell_when_somebody_answered(room: Room, clock: Time) -> None:
    table = await room.table("toy", "Ada", "Bob", clock=CLOCK)
    shown = []
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    clock.passes(120)
    done = await room.tables.turns.choose(
        room.people["Ada"], table, 0, ["wish pink", "enough"], turn.stamp, confirm=True
    )
    for _ in range(3):
        clock.passes(60)
        shown.append((await _left(room, table))[0])
    assert shown == [None, None, None]
    assert await _left(room, table) == [None, 300]
    # Taking back and giving again costs time, it never wins any.
    for _ in range(20):
        done = await room.tables.turns.restart(room.people["Ada"], table, 0, done.stamp)
        done = await room.tables.turns.choose(
            room.people["Ada"], table, 0, ["wish pink", "enough"], done.stamp, confirm=True
        )
    turn = (await room.view("Bob", table)).turn
    assert turn is not None
    await room.tables.turns.choose(room.people["Bob"], table, 1, ["wish pink", "enough"], turn.stamp, confirm=True)
    assert await _left(room, table) == [540, 360]  # 600 - 120 + 60, 600 - 300 + 60


async def test_with_a_clock_nobody_is_removed_by_vote(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=Clock(90_000, 0, 90_000))
    name, view = await room.mover(table, "Ada", "Bob")
    other = "Bob" if name == "Ada" else "Ada"
    assert view.seat is not None
    clock.passes(5000)
    with refused("not_absent"):
        await room.tables.votes.vote(room.people[other], table, 1 - view.seat, f"remove:{view.seat}", True)


# -- what heeds people's calendars ---------------------------------------------------------------------------------

HOUR, DAY = 3600, 86_400
TURN = Clock(DAY, DAY, DAY)


def _calm(**values: Any) -> Clock:
    return Clock(DAY, DAY, DAY, **values)


def _later(clock: Time, seconds: float) -> datetime:
    return datetime.fromtimestamp(clock.now / 1000 + seconds, UTC)


async def _asked(room: Room, clock: Clock, *more: str) -> tuple[str, str, int]:
    """A table where somebody is asked: its id, who, on which seat."""
    table = await room.table("atacama", "Ada", "Bob", *more, clock=clock)
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.seat is not None
    return table, name, view.seat


async def test_time_for_each_turn_is_a_bank_that_is_filled_up(room: Room, clock: Time) -> None:
    table, _, _ = await _asked(room, TURN)
    for hours in (23, 1, 23):
        clock.passes(hours * HOUR)
        name, view = await room.mover(table, "Ada", "Bob")
        assert view.seat is not None
        assert view.seats[view.seat].due == _later(clock, DAY - hours * HOUR)
        await room.play(table, name, most=1)
    assert set(await _left(room, table)) == {DAY}


async def test_playing_hours_count_where_the_table_heeds_them(room: Room, clock: Time) -> None:
    for heeds in (True, False):
        ada, bob = await room.person("Ada"), await room.person("Bob")
        for who in (ada, bob):
            room.people[who.name] = await room.tables.calendars.set_hours(who, "Asia/Tokyo", 8, 20)
        table, name, seat = await _asked(room, _calm(hours=heeds))
        due = (await room.view(name, table)).seats[seat].due
        # It is 7:13:20 in Tokyo: 24 hours are the next two days from 8 to 20.
        assert due == _later(clock, 36 * HOUR + 2800 if heeds else DAY)
        clock.passes(DAY + 1)
        await room.tables.timeouts.decide(table)
        assert (await room.view(name, table)).seats[seat].stand_in is not heeds


async def test_hours_that_are_changed_in_a_turn_count_from_the_next_one(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, _calm(hours=True))
    before = (await room.view(name, table)).seats[seat].due
    now = datetime.fromtimestamp(clock.now / 1000, UTC).hour
    room.people[name] = await room.tables.calendars.set_hours(room.people[name], "", now + 1, (now + 9) % 24)
    assert (await room.view(name, table)).seats[seat].due == before
    await room.play(table, "Ada", "Bob", most=2)
    other, view = await room.mover(table, name)
    after = view.seats[seat].due
    assert other == name and after is not None and after > _later(clock, 2 * DAY)


async def test_a_day_of_vacation_is_taken_before_anybody_is_timed_out(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, vacation_days=2) as room:
        table, name, seat = await _asked(room, _calm(vacation=True))
        other_table, _, _ = await _asked(room, _calm(vacation=True))
        for taken in (1, 2):
            clock.passes(DAY)
            await room.tables.timeouts.decide(table)
            await room.tables.timeouts.decide(table)
            view = await room.view(name, table)
            assert not view.seats[seat].stand_in and view.seats[seat].vacation_until is not None
            assert [entry.key for entry in view.log].count("vacation") == taken
            room.people[name] = await room.signed_in(name)
            assert room.tables.calendars.vacation(room.people[name]).taken == taken
        clock.passes(DAY)
        await room.tables.timeouts.decide(table)
        assert (await room.view(name, table)).seats[seat].stand_in
        # At other tables the same days counted: only their own time runs on.
        assert not any(each.stand_in for each in (await room.view(name, other_table)).seats)


async def test_vacation_is_not_taken_for_a_clock_that_does_not_heed_it(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, TURN)
    clock.passes(DAY)
    await room.tables.timeouts.decide(table)
    assert (await room.view(name, table)).seats[seat].stand_in
    assert room.tables.calendars.vacation(await room.signed_in(name)).taken == 0


async def test_vacation_is_taken_and_ended_by_hand(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, _calm(vacation=True))
    ada = room.people[name]
    clock.passes(HOUR)
    with refused("no_vacation"):
        await room.tables.calendars.take(ada, 29)
    with refused("no_vacation"):
        await room.tables.calendars.take(ada, 0)
    ada = await room.tables.calendars.take(ada, 10)
    with refused("on_vacation"):
        await room.tables.calendars.take(ada, 1)
    assert (await room.view(name, table)).seats[seat].due == _later(clock, 11 * DAY - HOUR)
    clock.passes(3 * DAY - HOUR)
    assert (await _left(room, table))[seat] == 23 * HOUR
    ada = await room.tables.calendars.end(ada)
    with refused("nothing"):
        await room.tables.calendars.end(ada)
    assert room.tables.calendars.vacation(ada).taken == 3
    assert (await room.view(name, table)).seats[seat].due == _later(clock, 23 * HOUR)
    await room.play(table, "Ada", "Bob", most=1)
    assert (await _left(room, table))[seat] == DAY


async def test_vacation_can_be_planned(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, _calm(vacation=True))
    tomorrow = datetime.fromtimestamp(clock.now / 1000, UTC).date() + timedelta(1)
    await room.tables.calendars.take(room.people[name], 3, tomorrow)
    view = await room.view(name, table)
    assert view.seats[seat].vacation_until is None
    assert view.seats[seat].due == _later(clock, 4 * DAY)


async def test_weekends_are_free_where_the_table_says_so(room: Room, clock: Time) -> None:
    clock.now = int(1000 * datetime(2026, 3, 6, 18, tzinfo=UTC).timestamp())  # a Friday
    table, name, seat = await _asked(room, _calm(weekend=True))
    assert (await room.view(name, table)).seats[seat].due == datetime(2026, 3, 9, 18, tzinfo=UTC)


async def test_clocks_stand_still_while_all_have_agreed_to_a_pause(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, TURN)
    other = "Bob" if name == "Ada" else "Ada"
    vote = room.tables.votes.vote
    with refused("nothing"):
        await vote(room.people[name], table, seat, "resume", True)
    await vote(room.people[name], table, seat, "pause", True)
    assert (await room.view(name, table)).paused_until is None
    await vote(room.people[other], table, 1 - seat, "pause", True)
    assert "resume" in (await room.view(name, table)).can
    clock.passes(5 * DAY)
    await room.tables.timeouts.decide(table)
    assert (await _left(room, table))[seat] == DAY
    await room.play(table, name, most=1)
    assert (await room.view(other, table)).seats[1 - seat].due == _later(clock, 10 * DAY)
    for who, place in ((name, seat), (other, 1 - seat)):
        await vote(room.people[who], table, place, "resume", True)
    view = await room.view(other, table)
    assert view.paused_until is None and view.seats[1 - seat].due == _later(clock, DAY)
    assert [entry.key for entry in view.log if entry.key in ("paused", "resumed")] == ["paused", "resumed"]


async def test_a_pause_ends_by_itself(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, TURN)
    for place, who in enumerate(("Ada", "Bob")):
        await room.tables.votes.vote(room.people[who], table, place, "pause", True)
    clock.passes(15 * DAY)
    assert (await room.view(name, table)).paused_until is None
    await room.tables.timeouts.decide(table)
    assert (await room.view(name, table)).seats[seat].stand_in


async def test_without_a_clock_there_is_nothing_to_pause(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    with refused("no_clock"):
        await room.tables.votes.vote(room.people["Ada"], table, 0, "pause", True)


async def test_the_game_can_end_without_result_when_time_is_up(room: Room, clock: Time) -> None:
    table, name, _ = await _asked(room, _calm(at_zero="end"))
    clock.passes(DAY)
    await room.tables.timeouts.decide(table)
    view = await room.view(name, table)
    assert view.status == "cancelled" and view.score is None
    assert [entry.key for entry in view.log][-2:] == ["timed_out", "cancelled"]


@pytest.mark.parametrize("subject", ["cancel", "remove"])
async def test_the_others_can_decide_when_time_is_up(room: Room, clock: Time, subject: str) -> None:
    table, name, seat = await _asked(room, _calm(at_zero="vote"))
    other = "Bob" if name == "Ada" else "Ada"
    place = next(info.seat for info in (await room.view(other, table)).seats if info.mine)
    text = "cancel" if subject == "cancel" else f"remove:{seat}"
    if subject == "remove":
        with refused("not_absent"):
            await room.tables.votes.vote(room.people[other], table, place, text, True)
    clock.passes(DAY)
    for _ in range(2):
        await room.tables.timeouts.decide(table)
    view = await room.view(other, table)
    assert view.seats[seat].overdue and view.status == "running" and [e.key for e in view.log].count("timed_out") == 1
    await room.tables.votes.vote(room.people[other], table, place, text, True)
    after = await room.view(other, table)
    assert after.status == "cancelled" if subject == "cancel" else after.seats[seat].stand_in


async def test_who_is_overdue_may_still_move(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, _calm(at_zero="vote"))
    clock.passes(2 * DAY)
    await room.tables.timeouts.decide(table)
    await room.play(table, name, most=1)
    view = await room.view(name, table)
    assert not view.seats[seat].overdue and (await _left(room, table))[seat] == DAY


async def test_a_vote_that_only_lacked_who_is_overdue_is_carried_out(room: Room, clock: Time) -> None:
    table, name, seat = await _asked(room, _calm(at_zero="vote"))
    other = "Bob" if name == "Ada" else "Ada"
    await room.tables.votes.vote(room.people[other], table, 1 - seat, "cancel", True)
    clock.passes(DAY)
    await room.tables.timeouts.decide(table)
    assert (await room.view(other, table)).status == "cancelled"


async def test_a_year_of_a_table_in_seconds(room: Room, clock: Time) -> None:
    """Nobody who moves in time, or has days of vacation left, is timed out; then a bot plays."""
    table, _, _ = await _asked(room, Clock(3 * DAY, DAY, 7 * DAY, True, True, True))
    rng = random.Random(4)
    for _ in range(365):
        clock.passes(DAY)
        await room.tables.timeouts.decide(table)
        view = await room.view(None, table)
        if view.status != "running":
            break
        assert not any(seat.stand_in for seat in view.seats)
        if rng.random() < 0.7:
            name, _ = await room.mover(table, "Ada", "Bob")
            await room.play(table, name, most=1)
    else:
        raise AssertionError("the game should have been over")
    table, name, seat = await _asked(room, Clock(3 * DAY, DAY, 7 * DAY, True, True, True))
    gone = 0
    while not (view := await room.view(name, table)).seats[seat].stand_in:
        assert view.status == "running" and gone < 60
        clock.passes(DAY)
        await room.tables.timeouts.decide(table)
        gone += 1
    assert gone >= 28


async def test_a_clock_heeds_calendars_only_if_it_is_long_enough(room: Room) -> None:
    for name in ("hours", "weekend", "vacation"):
        with refused("bad_option"):
            await room.table("atacama", "Ada", "Bob", clock=msgspec.structs.replace(CLOCK, **{name: True}))
    with refused("bad_option"):
        await room.table("atacama", "Ada", "Bob", clock=Clock(DAY, DAY, DAY, at_zero="never"))  # type: ignore[arg-type]


def test_hours_and_vacation_are_set_by_pages_and_programs(site: Site) -> None:
    browser = site.browser("Ada")
    assert browser.post("/settings/hours", {"zone": "Mars", "first": "9", "last": "21"}).status_code == 422
    assert browser.post("/settings/hours", {"zone": "Asia/Tokyo", "first": "9", "last": "12"}).status_code == 422
    assert browser.post("/settings/hours", {"zone": "Asia/Tokyo", "first": "9", "last": "21"}).status_code == 303
    assert browser.post("/settings/vacation", {"days": "2", "begin": "soon"}).status_code == 422
    assert browser.post("/settings/vacation", {"days": "2", "begin": ""}).status_code == 303
    page = browser.get("/settings").text
    assert 'value="Asia/Tokyo"' in page and "you have taken 2 days" in page and "/settings/vacation/end" in page
    assert browser.post("/settings/vacation/end").status_code == 303
    program = site.program("Bob")
    assert program.ask("PUT", "/me/hours", {"zone": "Mars", "first": 9, "last": 21}).json()["code"] == "bad_zone"
    assert program.ask("POST", "/me/vacation", {"days": 30}).json()["fields"] == {"rest": 28}
    user = program.ask("POST", "/me/vacation", {"days": 3, "begin": "2999-01-01"})
    assert user.json()["code"] == "bad_vacation"
    assert len(program.ask("POST", "/me/vacation", {"days": 3}).json()["calendar"]["vacation"]) == 1
    assert program.ask("GET", "/me/vacation").json() == {"allowed": 28, "taken": 3}
    assert program.ask("DELETE", "/me/vacation").status_code == 200


def test_a_clock_as_one_likes_is_shown_with_its_end(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open", "pace": "own"}
    form |= {"clock.bank": "48", "clock.increment": "48", "clock.cap": "48", "clock.weekend": "1"}
    assert ada.post("/new", form | {"clock.bank": "-1"}).status_code == 422
    assert ada.post("/new", form | {"clock.bank": "99999"}).status_code == 422
    table = ada.post("/new", form | {"clock.at_zero": "vote"}).headers["location"]
    assert "2 days per turn · weekends don’t count · when time is up, the others decide" in ada.get(table).text
    bob.post(f"{table}/join", {"take": "1"})
    site.call(site.tables.table_setup.start_due, table.removeprefix("/t/"))
    bob.cookies[bob.site.cookie("zone")] = "Asia/Tokyo"
    shown = [
        re.search(r"2 days left</span> · <span class=\"whole\">until <time[^>]*>([^<]*)</time>", each.get(table).text)
        for each in (ada, bob)
    ]
    assert shown[0] is not None and shown[0][1].endswith("UTC")
    assert shown[1] is not None and not shown[1][1].endswith("UTC")


def test_the_page_of_the_others_leads_to_what_they_can_decide(site: Site, clock: Time) -> None:
    people = [site.browser("Ada"), site.browser("Bob")]
    new = NewTable("atacama", (ME, OPEN), clock=_calm(at_zero="vote"))
    table = site.call(site.tables.table_setup.create, people[0].user, new)
    site.call(site.tables.table_setup.join, people[1].user, table)
    site.call(give_shares, site.tables, table)
    seat = next(info.seat for info in site.call(site.tables.table_views.table, None, table).seats if info.to_move)
    late, other = people[seat], people[1 - seat]
    led = f'name="subject" value="remove:{seat}">Let a bot play on<'
    assert led not in other.get(f"/t/{table}").text
    clock.passes(DAY)
    site.call(site.tables.timeouts.decide, table)
    assert f"The time of {late.user.name if late.user else ''} is up." in other.get(f"/t/{table}").text
    assert led in other.get(f"/t/{table}").text
    for nobody in (late, site.browser("Cy")):
        assert led not in nobody.get(f"/t/{table}").text
    form = {"seat": str(1 - seat), "subject": f"remove:{seat}", "answer": "yes"}
    assert other.post(f"/t/{table}/vote", form).status_code == 303
    assert "A bot plays for you now." in late.get(f"/t/{table}").text
    assert led not in other.get(f"/t/{table}").text
