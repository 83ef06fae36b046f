"""Making tables, sitting down, leaving, coming back, voting, playing again."""

import asyncio
import re
from pathlib import Path

import pytest

from atoll.server.model import Clock, NewTable, SeatPlan, Settings
from atoll.server.service import token_hash

from .conftest import GAMES, SHARE, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

ME, OPEN, INVITE, DEVICE = SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("device")


async def test_names_are_cleaned_and_checked(room: Room) -> None:
    assert (await room.service.guest("  Ada \t  Lovelace ")).user.name == "Ada Lovelace"
    assert (await room.service.guest("ab\u202ecd\u200b\x07")).user.name == "abcd"
    assert (await room.service.guest("日本 👩‍🚀")).user.name == "日本 👩‍🚀"
    for bad in ("", "   ", "\u202e", "x" * 25, "\u200b" * 99):
        with refused("bad_name"):
            await room.service.guest(bad)
    stacked = (await room.service.guest("a" + "\u0300" * 40)).user.name
    assert len(stacked) <= 5


def _content(url: str) -> bytes:
    """Everything that an SQLite database keeps."""
    file = url.removeprefix("sqlite:///")
    return Path(file).read_bytes() + Path(file + "-wal").read_bytes()


async def test_tokens_are_kept_as_hashes_only(room: Room, sqlite_url: str) -> None:
    login = await room.service.guest("Ada")
    recovery = await room.service.recovery_token(login.user)
    table = await room.service.create(await room.person("Bob"), NewTable("atacama", (ME, INVITE)))
    invitation = await room.service.invite(room.people["Bob"], table, 1)
    content = _content(sqlite_url)
    for token in (login.token, recovery, invitation):
        assert len(token) >= 32
        assert token.encode() not in content
        assert token_hash(token).encode() in content


async def test_a_recovery_link_brings_a_person_back_on_another_device(room: Room) -> None:
    login = await room.service.guest("Ada", Settings(language="de"))
    room.people["Ada"] = login.user
    table = await room.table("atacama", "Ada", "Bob")
    first = await room.service.recovery_token(login.user)
    second = await room.service.recovery_token(login.user)
    with refused("used"):
        await room.service.recover(first)
    other = await room.service.recover(second)
    assert other.user == login.user and other.token != login.token
    assert await room.service.user_by_token(other.token, "session") == login.user
    assert await room.service.user_by_token(login.token, "session") == login.user
    assert [card.id for card in await room.service.my_tables(other.user)] == [table]
    await room.service.sign_out(login.token)
    assert await room.service.user_by_token(login.token, "session") is None
    assert await room.service.user_by_token(other.token, "session") == login.user
    assert await room.service.user_by_token(other.token, "api") is None
    for nonsense in ("", "x", "x" * 1000):
        assert await room.service.user_by_token(nonsense, "session") is None


async def test_a_full_table_starts_when_all_shares_are_in(both: Room) -> None:
    ada, bob = await both.person("Ada"), await both.person("Bob")
    table = await both.service.create(ada, NewTable("atacama", (ME, OPEN)))
    assert [card.id for card in await both.service.lobby(None)] == [table]
    assert "contribute" in (await both.view("Ada", table)).can
    await both.service.contribute(ada, table, 0, SHARE)
    assert "join" in (await both.view("Bob", table)).can
    assert await both.service.join(bob, table) == 1
    view = await both.view("Bob", table)
    assert view.status == "gathering" and view.view is None and "start" in view.can
    await both.service.contribute(bob, table, 1, SHARE)
    view = await both.view("Bob", table)
    assert view.status == "running" and view.view is not None and view.seat == 1
    assert [entry.key for entry in view.log if entry.origin == "table"] == ["joined", "started"]


async def test_shares_are_checked_and_given_once(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    ada = room.people["Ada"]
    for bad in ("", "AB" * 32, "ab" * 31, "zz" * 32):
        with refused("malformed"):
            await room.service.contribute(ada, table, 0, bad)
    with refused("not_yours"):
        await room.service.contribute(ada, table, 1, SHARE)
    await room.service.contribute(ada, table, 0, SHARE)
    with refused("taken"):
        await room.service.contribute(ada, table, 0, "cd" * 32)


async def test_the_game_starts_by_itself_without_a_browsers_share(sqlite_url: str) -> None:
    async with opened(sqlite_url, start_after_s=0.05) as room:
        task = asyncio.create_task(room.scheduler.run())
        table = await room.table("atacama", "Ada", "Bob", start=False)
        await room.until(table, lambda view: view.status == "running")
        fairness = await room.service.fairness(None, table)
        assert fairness.contributions == ("", "")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_anybody_seated_may_begin_a_full_table(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.service.create(ada, NewTable("atacama", (ME, OPEN)))
    with refused("not_running"):
        await room.service.start(ada, table)
    with refused("not_yours"):
        await room.service.start(await room.person("Eve"), table)
    await room.service.join(await room.person("Bob"), table)
    await room.service.start(room.people["Bob"], table)
    assert (await room.view(None, table)).status == "running"
    with refused("started"):
        await room.service.start(ada, table)


async def test_a_seat_is_taken_once(both: Room) -> None:
    ada = await both.person("Ada")
    table = await both.service.create(ada, NewTable("atacama", (ME, OPEN)))
    people = [await both.person(f"P{number}") for number in range(6)]
    results = await asyncio.gather(*(both.service.join(who, table) for who in people), return_exceptions=True)
    assert sorted(str(result) for result in results).count("1") == 1
    with refused("taken"):
        await both.service.join(ada, table)
    with refused("bad_seats"):
        await both.service.join(await both.person("Eve"), table, 7)


async def test_an_invitation_works_once_and_only_the_newest(room: Room) -> None:
    ada, bob, eve = [await room.person(name) for name in ("Ada", "Bob", "Eve")]
    table = await room.service.create(ada, NewTable("atacama", (ME, INVITE), visibility="private"))
    with refused("not_yours"):
        await room.service.invite(eve, await room.table("atacama", "Ada", "Bob", start=False), 1)
    old = await room.service.invite(ada, table, 1)
    new = await room.service.invite(ada, table, 1)
    with refused("used"):
        await room.service.accept(eve, old)
    assert (await room.service.invited(new)).id == table
    assert await room.service.accept(bob, new) == (table, 1)
    for token in (new, "nonsense", ""):
        with refused("used"):
            await room.service.accept(eve, token)
    assert (await room.view("Bob", table)).seat == 1


@pytest.mark.parametrize(
    ("new", "code"),
    [
        (NewTable("chess", (ME, OPEN)), "bad_option"),
        (NewTable("atacama", (ME,)), "bad_seats"),
        (NewTable("atacama", (OPEN, OPEN)), "bad_seats"),
        (NewTable("atacama", (ME, SeatPlan("bot", bot="nobody"))), "bad_seats"),
        (NewTable("atacama", (ME, OPEN), {"setup": "huge"}), "bad_option"),
        (NewTable("atacama", (ME, OPEN), {"nothing": 1}), "bad_option"),
        (NewTable("atacama", (ME, OPEN, OPEN, OPEN), {"setup": "enhanced"}), "bad_option"),
        (NewTable("atacama", (ME, OPEN), clock=Clock(1, 1, 1)), "bad_option"),
        (NewTable("atacama", (ME, OPEN), clock=Clock(3600, 0, 60)), "bad_option"),
        (NewTable("atacama", (ME, OPEN), visibility="secret"), "bad_option"),  # type: ignore[arg-type]
        (NewTable("atacama", (ME, SeatPlan("king"))), "bad_seats"),  # type: ignore[arg-type]
        (NewTable("atacama", (ME, SeatPlan("device", name="x" * 99))), "bad_name"),
    ],
)
async def test_a_table_that_does_not_exist_in_the_rules_is_refused(room: Room, new: NewTable, code: str) -> None:
    with refused(code):
        await room.service.create(await room.person("Ada"), new)
    assert await room.service.my_tables(room.people["Ada"]) == ()


async def test_creating_twice_with_one_key_makes_one_table(room: Room) -> None:
    ada = await room.person("Ada")
    new = NewTable("atacama", (ME, OPEN))
    first = await room.service.create(ada, new, key="k")
    assert await room.service.create(ada, new, key="k") == first
    assert len(await room.service.my_tables(ada)) == 1


async def test_one_may_host_only_so_many_tables(sqlite_url: str) -> None:
    async with opened(sqlite_url, tables_per_user=2) as room:
        ada = await room.person("Ada")
        for _ in range(2):
            await room.service.create(ada, NewTable("atacama", (ME, OPEN)))
        with refused("full"):
            await room.service.create(ada, NewTable("atacama", (ME, OPEN)))


async def test_leaving_before_the_start_frees_the_seat_and_passes_the_table_on(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    await room.service.leave(room.people["Ada"], table, 0)
    view = await room.view("Bob", table)
    assert view.host and view.seats[0].kind == "open" and view.status == "gathering"
    await room.service.leave(room.people["Bob"], table, 1)
    assert (await room.view(None, table)).status == "cancelled"


async def test_the_host_gives_a_free_seat_to_a_bot(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.service.create(ada, NewTable("atacama", (ME, OPEN)))
    await room.service.set_seat(ada, table, 1, SeatPlan("bot"))
    assert (await room.view("Ada", table)).seats[1].kind == "bot"
    await room.service.set_seat(ada, table, 1, OPEN)
    await room.service.join(await room.person("Bob"), table)
    with refused("bad_seats"):
        await room.service.set_seat(ada, table, 1, SeatPlan("bot"))
    with refused("not_yours"):
        await room.service.set_seat(room.people["Bob"], table, 0, SeatPlan("bot"))


async def test_a_bot_plays_on_for_who_leaves_and_the_person_may_return(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.service.leave(room.people["Bob"], table, 1)
    view = await room.view("Ada", table)
    assert view.seats[1].stand_in and view.seats[1].bot and view.seats[1].name == "Bob"
    bob = await room.view("Bob", table)
    assert bob.turn is None and "return" in bob.can
    for _ in range(3):
        await room.service.play_bots(table)
        view = await room.view("Ada", table)
        assert view.turn is not None
        await room.service.apply(room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)
    await room.service.play_bots(table)
    with refused("away"):
        await room.service.apply(room.people["Bob"], table, 1, [0], (await _stamp(room, table, 1)), confirm=True)
    await room.service.come_back(room.people["Bob"], table, 1)
    with refused("nothing"):
        await room.service.come_back(room.people["Bob"], table, 1)
    view = await room.view("Bob", table)
    assert not view.seats[1].stand_in and view.seats[1].bot == ""
    keys = [entry.key for entry in view.log if entry.origin == "table"]
    assert keys[-3:] == ["resigned", "stand_in", "returned"]
    await room.play(table, "Ada", "Bob")
    assert (await room.view("Bob", table)).score is not None


async def _stamp(room: Room, table: str, seat: int) -> str:
    return (await room.service._find(table)).stamp(seat)


async def test_a_game_is_cancelled_by_consent_of_all(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    ada, bob = room.people["Ada"], room.people["Bob"]
    await room.service.vote(ada, table, 0, "cancel", True)
    [vote] = (await room.view("Bob", table)).votes
    assert (vote.subject, vote.needed, vote.given, vote.mine_missing) == ("cancel", (0, 1), (0,), (1,))
    await room.service.vote(ada, table, 0, "cancel", False)
    assert (await room.view("Bob", table)).votes == ()
    await room.service.vote(bob, table, 1, "cancel", True)
    assert (await room.view("Bob", table)).status == "running"
    await room.service.vote(ada, table, 0, "cancel", True)
    view = await room.view("Bob", table)
    assert view.status == "cancelled" and view.turn is None
    with refused("over"):
        await room.service.vote(ada, table, 0, "cancel", True)
    with refused("over"):
        await room.service.leave(ada, table, 0)


async def test_before_the_start_the_host_cancels(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    with refused("not_yours"):
        await room.service.vote(room.people["Bob"], table, 1, "cancel", True)
    await room.service.vote(room.people["Ada"], table, 0, "cancel", True)
    assert (await room.view("Bob", table)).status == "cancelled"
    with refused("started"):
        await room.service.contribute(room.people["Ada"], table, 0, SHARE)


async def test_an_absent_seat_is_removed_by_vote_and_a_present_one_is_not(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", "Cy", "Di")
    name, view = await room.mover(table, "Ada", "Bob", "Cy", "Di")
    assert view.seat is not None
    others = [each for each in ("Ada", "Bob", "Cy", "Di") if each != name]
    subject = f"remove:{view.seat}"

    async def agree(who: str) -> None:
        seat = (await room.view(who, table)).seat
        assert seat is not None
        await room.service.vote(room.people[who], table, seat, subject, True)

    with refused("not_absent"):
        await agree(others[0])
    clock.passes(700)
    stream = await room.service.open_stream(room.people[name], [], "")
    with refused("not_absent"):
        await agree(others[0])
    room.service.hub.remove(stream)
    for who in others[:2]:
        await agree(who)
    assert not (await room.view(None, table)).seats[view.seat].stand_in
    await agree(others[2])
    removed = await room.view(name, table)
    assert removed.seats[view.seat].stand_in and "return" in removed.can and removed.votes == ()
    for bad in ("remove:x", "remove:", "nonsense", "remove:-1"):
        with refused("malformed"):
            await room.service.vote(room.people[others[0]], table, 0, bad, True)
    with refused("bad_seats"):
        await room.service.vote(room.people[others[0]], table, 0, "remove:9", True)


async def test_a_rematch_has_the_same_people_and_a_new_seed(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    with refused("not_over"):
        await room.service.rematch(room.people["Ada"], table)
    await room.play(table, "Ada", "Bob")
    again = await room.service.rematch(room.people["Bob"], table)
    assert await room.service.rematch(room.people["Ada"], table) == again
    assert (await room.view("Ada", table)).rematch == again
    view = await room.view("Ada", again)
    assert view.seats[1].mine is False and "accept" in view.can
    assert [seat.name for seat in view.seats] == ["Ada", "Bob"]
    await room.person("Eve")
    with refused("taken"):
        await room.service.join(room.people["Eve"], again)
    await room.service.join(room.people["Ada"], again)
    assert (await room.view("Ada", again)).seat == 0
    rows = [await room.service.store.table(each) for each in (table, again)]
    assert len({row[0].seed for row in rows if row}) == 2


async def test_two_people_at_one_device(room: Room) -> None:
    table = await room.table("toy", "Ada", "+", "Bob")
    view = await room.view("Ada", table)
    assert view.my_seats == (0, 1) and view.seat == 0
    await room.play(table, "Ada", "Bob", most=1)
    view = await room.view("Ada", table)
    for seat in view.my_seats:
        own = await room.view("Ada", table, seat)
        assert own.seat == seat and own.view is not None
        hands = own.view["state"]["hands"]
        assert isinstance(hands[seat], list) and not isinstance(hands[1 - seat], list)
    await room.play(table, "Ada", "Bob")
    assert (await room.view("Ada", table)).status == "over"


async def _play_with_bots(room: Room, table: str) -> None:
    while True:
        await room.service.play_bots(table)
        view = await room.view("Ada", table)
        if view.status == "over":
            return
        assert view.turn is not None
        await room.service.apply(room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)


async def test_play_now_is_a_game_against_bots(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.service.play_now(ada, "atacama", key="once")
    assert await room.service.play_now(ada, "atacama", key="once") == table
    await room.service.contribute(ada, table, 0, SHARE)
    await _play_with_bots(room, table)


async def test_play_on_from_a_moment_against_bots(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=6)
    moment = await room.service.moment(room.people["Ada"], table, 4)
    fork = await room.service.play_on(room.people["Ada"], table, 4)
    view = await room.view("Ada", fork)
    assert view.status == "running" and view.view is not None and view.view_sequence == moment.sequence
    assert view.view["state"] == moment.view["state"]
    assert [seat.kind for seat in view.seats] == ["person", "bot"]
    await _play_with_bots(room, fork)
    await room.forget()
    assert (await room.service.moment(room.people["Ada"], fork, 5)).sequence == 5
    with refused("no_moment"):
        await room.service.moment(room.people["Ada"], fork, 2)
    assert (await room.service.export(room.people["Ada"], fork))["origin"] == {"table": table, "sequence": 4}
    assert (await room.view("Ada", table)).view_sequence == 6 + 1


async def test_chat_belongs_to_the_seats_until_the_end(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    eve = await room.person("Eve")
    message = await room.service.say(room.people["Ada"], table, " <b>hi</b>\u202e ")
    assert (message.text, message.seat, message.mine) == ("<b>hi</b>", 0, True)
    with refused("not_yours"):
        await room.service.say(eve, table, "psst")
    for bad in ("", "  ", "x" * 501):
        with refused("bad_text"):
            await room.service.say(room.people["Ada"], table, bad)
    view = await room.view("Bob", table)
    assert [(each.text, each.mine) for each in view.chat] == [("<b>hi</b>", False)]
    await room.play(table, "Ada", "Bob")
    assert (await room.service.say(eve, table, "well played")).seat is None
    await room.forget()
    assert [each.text for each in (await room.view(None, table)).chat] == ["<b>hi</b>", "well played"]


async def test_limits_bound_what_one_person_may_do(sqlite_url: str) -> None:
    limits = {"chat": "2/minute", "table": "1/hour"}
    async with opened(sqlite_url, limits=limits) as room:
        table = await room.table("atacama", "Ada", "Bob")
        for _ in range(2):
            await room.service.say(room.people["Ada"], table, "hi")
        with refused("limit") as caught:
            await room.service.say(room.people["Ada"], table, "hi")
        assert 0 < caught.value.retry_after <= 60
        await room.service.say(room.people["Bob"], table, "hi")
        with refused("limit"):
            await room.service.create(room.people["Ada"], NewTable("atacama", (ME, OPEN)))


async def test_table_ids_are_unguessable_and_strange_ones_are_refused(room: Room) -> None:
    ids = {await room.table("atacama", "Ada", "Bob", start=False) for _ in range(5)}
    assert len(ids) == 5 and all(re.fullmatch("[a-z2-7]{14}", id) for id in ids)
    for strange in ("", "../x", "a" * 33, "A", "\x00", "é", "a b"):
        with refused("no_table"):
            await room.view(None, strange)


OFFERED = re.compile(r'<select name="option\.(\w+)".*?</select>|type="checkbox" name="option\.(\w+)"', re.DOTALL)


@pytest.mark.parametrize(("game", "count"), [(id, count) for id in GAMES for count in GAMES[id].seat_counts])
def test_the_form_offers_what_exists_with_so_many_players(site: Site, game: str, count: int) -> None:
    browser = site.browser("Ada")
    page = browser.get(f"/new?game={game}&seats={count}").text
    seats = {"seat.0": "me"} | {f"seat.{seat}": "device" for seat in range(1, count)}
    offered = {}
    for found in OFFERED.finditer(page):
        offered[found[1] or found[2]] = re.findall(r'value="(\w+)"', found[0]) if found[1] else ["", "1"]
    sets = GAMES[game].option_sets(count)
    choosable = {id for id in sets[0] if id != "rounds" and len({each[id] for each in sets}) > 1}
    assert set(offered) == choosable
    for id, values in offered.items():
        assert len(values) > 1
        for value in values:
            form = {"game": game, "seats": str(count), "pace": "", "advice": "", "visibility": "private"}
            answer = browser.post("/new", {**form, **seats, f"option.{id}": value})
            assert answer.status_code == 303, (id, value)
