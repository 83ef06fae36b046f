"""Tables whose host lets people in one by one: the request for a seat, and the answer."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import Clock, NewTable, Refused, SeatPlan, User
from atoll.server.domain.notices import is_wanted
from atoll.server.play.moderation import ExcludePlayer
from atoll.testing.shares import give_shares

from .conftest import DEVICE, INVITE, ME, OPEN, Program, Room, Site, refused

pytestmark = pytest.mark.anyio
BOT = SeatPlan("bot", bot="beginner")


async def asked(room: Room, *plans: SeatPlan, **values: Any) -> str:
    """A table of Ada, where Bob asks for the first open seat."""
    ada, bob = await room.person("Ada"), await room.person("Bob")
    new = NewTable("atacama", plans or (ME, OPEN), approval=True, **values)
    table = await room.tables.table_setup.create(ada, new)
    await room.tables.table_setup.join(bob, table)
    return table


async def answer(room: Room, table: str, admit: bool, seat: int = 1, host: str = "Ada", **values: Any) -> None:
    """The host answers what the page of the table shows."""
    stamp = (await room.view(host, table)).seats[seat].stamp
    await room.tables.table_setup.answer_request(room.people[host], table, seat, stamp, admit=admit, **values)


def reach(room: Room, *people: User) -> None:
    """Give people a channel for notifications."""
    room.tables.executor.notifiable_users.update(each.id for each in people)


async def told(room: Room) -> list[tuple[str, str, Any]]:
    """The notices so far: kind, recipient and answer."""
    names = {user.id: name for name, user in room.people.items()}
    rows = await room.tables.store.notices.lease(10**15, 10**15)
    kept = ("request", "answer", "removed", "over")
    return sorted((row.kind, names[row.user_id], row.data.get("admitted")) for row in rows if row.kind in kept)


async def kinds(room: Room, table: str) -> list[str]:
    """The kinds of the seats."""
    return [seat.kind for seat in (await room.view("Ada", table)).seats]


# -- asking --------------------------------------------------------------------------------------------------------


async def test_a_seat_is_asked_for_and_held_and_gives_no_right(room: Room) -> None:
    ada, bob, cy = [await room.person(name) for name in ("Ada", "Bob", "Cy")]
    reach(room, ada)
    table = await asked(room)
    for name in ("Ada", "Bob", "Cy", None):
        seat = (await room.view(name, table)).seats[1]
        assert (seat.kind, seat.name, seat.guest, seat.mine) == ("request", "Bob", True, False)
    view = await room.view("Bob", table)
    assert view.can == ("withdraw:1",) and (view.my_seats, view.seat, view.notes) == ((), None, None)
    assert "admit:1" in (await room.view("Ada", table)).can
    assert not [right for right in (await room.view("Cy", table)).can if right.partition(":")[0] == "admit"]
    assert await told(room) == [("request", "Ada", None)]
    tables, proof = room.tables, "ab" * 32
    for code, call in (
        ("taken", tables.table_setup.join(cy, table)),
        ("taken", tables.table_setup.join(cy, table, 1)),
        ("asked_already", tables.table_setup.join(bob, table)),
        ("not_yours", tables.chat.say(bob, table, "hello")),
        ("not_yours", tables.notes.write(bob, table, "mine")),
        ("not_yours", tables.table_setup.seal(bob, table, 1, proof, proof)),
        ("not_yours", tables.table_setup.show(bob, table, 1, proof, proof)),
        ("not_yours", tables.table_setup.start(bob, table)),
        ("not_running", tables.table_setup.start(ada, table)),
        ("taken", tables.table_setup.invite(ada, table, 1)),
    ):
        with refused(code):
            await call
    await room.tables.table_setup.start_due(table)
    assert (await room.view("Ada", table)).status == "gathering", "nobody plays who isn't let in"


async def test_a_request_that_is_sent_twice_asks_once(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN, OPEN, BOT), approval=True))
    for _ in range(2):
        assert await room.tables.table_setup.join(bob, table, key="once") == 1
    assert await kinds(room, table) == ["person", "request", "open", "bot"]


async def test_of_all_who_ask_for_the_last_seat_at_once_one_holds_it(both: Room) -> None:
    ada = await both.person("Ada")
    table = await both.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN), approval=True))
    people = [await both.person(f"P{number}") for number in range(5)]
    found = await asyncio.gather(*(both.tables.table_setup.join(who, table) for who in people), return_exceptions=True)
    codes = [each.code if isinstance(each, Refused) else str(each) for each in found]
    assert sorted(codes) == ["1", *["taken"] * 4]


async def test_host_bots_devices_and_people_invited_by_name_ask_nobody(room: Room) -> None:
    for name in ("Ada", "Bob", "Cy"):
        await room.tables.credentials.add_code(await room.person(name))
        room.people[name] = await room.signed_in(name)
    ada, bob, cy, setup = room.people["Ada"], room.people["Bob"], room.people["Cy"], room.tables.table_setup
    table = await setup.create(ada, NewTable("atacama", (ME, DEVICE, BOT, OPEN), approval=True))
    assert await kinds(room, table) == ["person", "person", "bot", "open"]
    await setup.invite_person(ada, table, "Bob")
    assert await setup.join(bob, table) == 3
    assert await kinds(room, table) == ["person", "person", "bot", "person"]
    await setup.set_seat(ada, table, 3, OPEN)
    await setup.join(cy, table)
    with refused("asks_here"):
        await setup.invite_person(ada, table, "Cy")
    with refused("no_free_seat"):
        await setup.invite_person(ada, table, "Bob")


async def test_an_invite_link_can_be_passed_on_so_its_taker_asks(room: Room) -> None:
    ada, bob, cy = [await room.person(name) for name in ("Ada", "Bob", "Cy")]
    setup = room.tables.table_setup
    table = await setup.create(ada, NewTable("atacama", (ME, INVITE, INVITE, BOT), visibility="link", approval=True))
    first, second = [await setup.invite(ada, table, seat) for seat in (1, 2)]
    assert (await setup.invited(None, first)).asks and (await setup.invited(bob, first)).asks
    assert not (await setup.invited(ada, second)).asks
    assert await setup.accept(bob, first) == (table, 1)
    assert await kinds(room, table) == ["person", "request", "invite", "bot"]
    with refused("asked_already"):
        await setup.accept(bob, second)
    assert (await setup.invited(bob, first)).sits, "the link leads back to the table"
    with refused("used"):
        await setup.accept(cy, first)


async def test_who_asks_at_a_private_table_sees_it_without_its_chat(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    setup = room.tables.table_setup
    table = await setup.create(ada, NewTable("atacama", (ME, INVITE), visibility="private", approval=True))
    await room.tables.chat.say(ada, table, "between us")
    await setup.accept(bob, await setup.invite(ada, table, 1))
    assert [len((await room.view(name, table)).chat) for name in ("Ada", "Bob")] == [1, 0]
    await answer(room, table, True)
    assert len((await room.view("Bob", table)).chat) == 1
    await room.tables.departures.leave(bob, table, 1)
    with refused("no_table"):
        await room.view("Bob", table)


def test_a_message_of_a_private_table_is_not_read_by_its_address_either(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    setup = site.tables.table_setup
    new = NewTable("atacama", (ME, INVITE), visibility="private", approval=True)
    table = site.call(setup.create, ada.user, new)
    site.call(site.tables.chat.say, ada.user, table, "between us")
    site.call(setup.accept, bob.user, site.call(setup.invite, ada.user, table, 1))
    address = f"/t/{table}/message/0"
    assert "between us" in ada.get(address).text
    assert (bob.get(address).status_code, "between us" in bob.get(f"/t/{table}").text) == (404, False)


# -- the answer ----------------------------------------------------------------------------------------------------


async def test_who_is_let_in_plays(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    reach(room, ada, bob)
    table = await asked(room)
    await answer(room, table, True)
    view = await room.view("Bob", table)
    assert view.my_seats == (1,) and [entry.key for entry in view.log] == ["asks", "joined"]
    assert await told(room) == [("answer", "Bob", True), ("request", "Ada", None)]
    await give_shares(room.tables, table)
    assert (await room.view("Bob", table)).status == "running"
    with refused("started"):
        await room.tables.table_setup.answer_request(ada, table, 1, "0.1", admit=False)


async def test_who_is_declined_needs_a_new_invitation(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    reach(room, ada, bob)
    table = await asked(room)
    await answer(room, table, False)
    assert await told(room) == [("answer", "Bob", False), ("request", "Ada", None)]
    assert await kinds(room, table) == ["person", "open"]
    await room.forget()
    with refused("removed"):
        await room.tables.table_setup.join(bob, table)
    assert await room.tables.table_setup.accept(bob, await room.tables.table_setup.invite(ada, table, 1))
    assert await kinds(room, table) == ["person", "request"]
    await answer(room, table, True)
    assert (await room.view("Bob", table)).my_seats == (1,)


async def test_a_seat_that_is_given_to_a_bot_declines_who_asks_for_it(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    reach(room, bob)
    table = await asked(room)
    await room.tables.table_setup.set_seat(ada, table, 1, BOT)
    assert await kinds(room, table) == ["person", "bot"]
    assert await told(room) == [("answer", "Bob", False)]
    await room.tables.table_setup.set_seat(ada, table, 1, OPEN)
    with refused("removed"):
        await room.tables.table_setup.join(bob, table)


async def test_only_the_host_answers_and_only_what_stands_there(both: Room) -> None:
    ada, bob, cy = [await both.person(name) for name in ("Ada", "Bob", "Cy")]
    table, setup = await asked(both, ME, OPEN, OPEN, BOT), both.tables.table_setup
    stamp = (await both.view("Ada", table)).seats[1].stamp
    for who in (bob, cy):
        with refused("not_yours"):
            await setup.answer_request(who, table, 1, stamp, admit=True)
    with refused("sign_in"):
        await setup.answer_request(None, table, 1, stamp, admit=True)
    for seat, code in ((0, "no_request"), (2, "no_request"), (3, "no_request"), (4, "bad_seats")):
        with refused(code):
            await setup.answer_request(ada, table, seat, stamp, admit=True)
    await both.tables.departures.leave(bob, table, 1)
    with refused("no_request"):
        await setup.answer_request(ada, table, 1, stamp, admit=True)
    await setup.join(cy, table, 1)
    for admit in (True, False):
        with refused("stale"):
            await setup.answer_request(ada, table, 1, stamp, admit=admit)
    assert (await both.view("Ada", table)).seats[1].name == "Cy"
    stamp = (await both.view("Ada", table)).seats[1].stamp
    for _ in range(2):
        await setup.answer_request(ada, table, 1, stamp, admit=True, key="once")
    assert (await both.view("Cy", table)).my_seats == (1,)
    with refused("no_request"):
        await setup.answer_request(ada, table, 1, stamp, admit=True)


async def test_an_answer_and_a_withdrawal_at_once_agree(both: Room) -> None:
    bob = await both.person("Bob")
    table = await asked(both)
    found = await asyncio.gather(
        answer(both, table, True), both.tables.departures.leave(bob, table, 1), return_exceptions=True
    )
    view = await both.view("Ada", table)
    if found[0] is None:  # let in first: then Bob has left, too
        assert [entry.key for entry in view.log] == ["asks", "joined", "left"]
    else:
        assert [entry.key for entry in view.log] == ["asks", "withdrawn"]
    assert view.seats[1].kind == "open"


async def test_a_request_goes_along_with_a_swap_and_has_another_stamp(room: Room) -> None:
    ada, cy = await room.person("Ada"), await room.person("Cy")
    table, setup = await asked(room, ME, OPEN, OPEN, BOT), room.tables.table_setup
    await setup.join(cy, table)
    before = [seat.stamp for seat in (await room.view("Ada", table)).seats]
    await setup.swap(ada, table, 1, 2)
    view = await room.view("Ada", table)
    assert [seat.name for seat in view.seats[1:3]] == ["Cy", "Bob"]
    for seat in (1, 2):
        with refused("stale"):
            await setup.answer_request(ada, table, seat, before[seat], admit=True)
    await answer(room, table, True, 2)
    assert (await room.view("Bob", table)).my_seats == (2,)


async def test_blocks_of_everybody_at_the_table_count_when_asked_and_when_answered(room: Room) -> None:
    bob, cy = await room.person("Bob"), await room.person("Cy")
    table, setup = await asked(room, ME, OPEN, OPEN, BOT), room.tables.table_setup
    await setup.join(cy, table)
    await answer(room, table, True, 2)
    await room.tables.blocks.add(cy, bob.id)
    with refused("not_admissible"):
        await answer(room, table, True)
    await answer(room, table, False)
    table = await room.tables.table_setup.create(cy, NewTable("atacama", (ME, OPEN), approval=True))
    with refused("taken"):
        await setup.join(bob, table)


async def test_who_asks_is_as_reliable_as_required(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    new = NewTable("atacama", (ME, OPEN), approval=True, least_reliability=95)
    table = await room.tables.table_setup.create(ada, new)

    async def many(_: str) -> int:
        return 3

    monkeypatch.setattr(room.tables.ratings, "running", many)
    with refused("not_reliable"):
        await room.tables.table_setup.join(bob, table)


# -- people who go -------------------------------------------------------------------------------------------------


async def test_who_withdraws_may_ask_again(room: Room) -> None:
    bob = await room.person("Bob")
    table = await asked(room)
    await room.tables.departures.leave(bob, table, 1)
    view = await room.view("Ada", table)
    assert (view.seats[1].kind, view.seats[1].stamp, view.log[-1].key) == ("open", "", "withdrawn")
    with refused("not_yours"):
        await room.tables.departures.leave(bob, table, 1)
    await room.tables.table_setup.join(bob, table)
    assert await kinds(room, table) == ["person", "request"]


async def test_the_next_host_hears_who_asks(room: Room) -> None:
    ada, bob, cy = [await room.person(name) for name in ("Ada", "Bob", "Cy")]
    table = await asked(room, ME, OPEN, OPEN, BOT)
    await room.tables.table_setup.join(cy, table)
    await answer(room, table, True, 2)
    reach(room, bob, cy)
    await room.tables.departures.leave(ada, table, 0)
    assert await told(room) == [("request", "Cy", None)]
    await answer(room, table, True, host="Cy")
    assert (await room.view("Bob", table)).my_seats == (1,)
    await room.tables.table_setup.join(ada, table)
    assert (await room.view("Cy", table)).seats[0].kind == "request", "who was host asks, too"


@pytest.mark.parametrize("how", ["left", "cancelled", "expired"])
async def test_who_asks_hears_that_there_will_be_no_game(room: Room, how: str) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    table = await asked(room)
    reach(room, bob)
    if how == "left":
        await room.tables.departures.leave(ada, table, 0)
    elif how == "cancelled":
        await room.tables.votes.vote(ada, table, 0, "cancel", True)
    else:
        await room.tables.table_setup.expire(table)
    assert (await room.view("Bob", table)).status == "cancelled"
    assert await told(room) == [("over", "Bob", None)]
    with refused("started"):
        await room.tables.table_setup.answer_request(ada, table, 1, "0.1", admit=True)


async def test_a_request_goes_with_its_account(room: Room) -> None:
    table = await asked(room)
    await room.delete_account("Bob")
    await room.forget()
    view = await room.view("Ada", table)
    assert (view.seats[1].kind, view.seats[1].name) == ("open", "")
    assert not [entry for entry in view.log if "Bob" in entry.fields.values()]


async def test_a_deleted_account_is_not_let_in_before_its_traces_are_gone(room: Room) -> None:
    bob = await room.person("Bob")
    table = await asked(room)
    await room.tables.accounts.delete(bob, "Bob")
    await room.finish_account()
    with refused("no_request"):
        await room.tables.table_setup.answer_request(room.people["Ada"], table, 1, "0.1", admit=True)


async def test_a_banned_person_asks_no_more(room: Room) -> None:
    bob = await room.person("Bob")
    table = await asked(room)
    await room.tables.executor.execute(table, ExcludePlayer(bob.id, "beginner"))
    assert await kinds(room, table) == ["person", "open"]


async def test_who_was_banned_a_moment_ago_is_not_let_in(room: Room) -> None:
    bob = await room.person("Bob")
    table = await asked(room)
    await room.tables.store.change_user(bob.id, banned_until=4 * 10**12)
    with refused("not_admissible"):
        await answer(room, table, True)


# -- tables without approval ---------------------------------------------------------------------------------------


async def test_a_game_that_counts_lets_in_all_accounts(room: Room) -> None:
    await room.tables.credentials.add_code(await room.person("Ada"))
    ada = room.people["Ada"] = await room.signed_in("Ada")
    new = NewTable("atacama", (ME, OPEN), clock=Clock(600, 15, 600), rated=True, approval=True)
    with refused("no_approval"):
        await room.tables.table_setup.create(ada, new)


async def test_another_game_of_the_same_people_needs_no_answer_for_them(room: Room) -> None:
    bob, cy, setup = await room.person("Bob"), await room.person("Cy"), room.tables.table_setup
    table = await asked(room)
    await answer(room, table, True)
    await give_shares(room.tables, table)
    await room.play(table, "Ada", "Bob")
    again = await setup.rematch(room.people["Ada"], table)
    assert (await room.view("Ada", again)).approval
    assert await setup.rematch(bob, table) == again
    assert (await room.view("Bob", again)).my_seats == (1,)
    await room.tables.departures.leave(bob, again, 1)
    await setup.join(cy, again)
    assert (await room.view("Ada", again)).seats[1].kind == "request", "strangers still ask"


# -- lists, pages and programs -------------------------------------------------------------------------------------


async def test_lists_tell_who_waits_for_whom(room: Room) -> None:
    ada, bob, cy = [await room.person(name) for name in ("Ada", "Bob", "Cy")]
    table = await asked(room)
    lists = room.tables.table_lists
    [of_ada], [of_bob], [of_cy] = await lists.mine(ada), await lists.mine(bob), await lists.lobby(cy)
    assert [each.approval for each in (of_ada, of_bob, of_cy)] == [True] * 3
    assert [(each.asks, each.is_asked) for each in (of_ada, of_bob, of_cy)] == [
        (False, True),
        (True, False),
        (False, False),
    ]
    exported = b"".join([piece async for piece in await room.tables.accounts.export(bob)])
    [own] = msgspec.json.decode(exported)["tables"]
    assert (own["table"]["id"], own["table"]["asks"], own["records"]) == (table, True, [])
    await answer(room, table, True)
    assert [(each.asks, each.is_asked) for each in await lists.mine(ada)] == [(False, False)]


def test_a_request_waits_for_the_host_and_an_answer_for_nobody() -> None:
    wishes = ("", "no_chat", "turn", "nothing")
    assert [is_wanted("request", wish) for wish in wishes] == [True, True, True, False]
    assert [is_wanted("answer", wish) for wish in wishes] == [True, True, False, False]


def test_a_program_asks_and_answers(site: Site) -> None:
    users = site.tables.users
    guests = [site.call(users.guest, name).user for name in ("Ada", "Bob")]
    ada, bob = [Program(site, site.call(users.sign_in, each.id, kind="api")) for each in guests]
    body = {"game": "atacama", "seats": [{"kind": "me"}, {"kind": "open"}], "approval": True}
    table = ada.ask("POST", "/tables", body).json()["table"]
    [card] = bob.ask("GET", "/tables").json()
    assert card["approval"] is True
    assert bob.ask("POST", f"/tables/{table}/join", {}).json()["seat"] == 1
    view = ada.ask("GET", f"/tables/{table}").json()
    assert view["approval"] is True and view["seats"][1]["kind"] == "request"
    address = f"/tables/{table}/seats/1/request"
    form = {"admit": True, "stamp": view["seats"][1]["stamp"], "key": "k"}
    assert ada.ask("POST", address, {**form, "stamp": "0.9"}).status_code == 409
    assert bob.ask("POST", address, form).status_code == 403
    assert {ada.ask("POST", address, form).status_code for _ in range(2)} == {204}, "a repeated request"
    assert bob.ask("GET", f"/tables/{table}").json()["my_seats"] == [1]


def test_pages_say_who_asks_and_take_the_answer(site: Site) -> None:
    ada, bob, cy = (site.browser(name) for name in ("Ada", "Bob", "Cy"))
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open", "approval": "yes"}
    table = ada.post("/new", form).headers["location"]
    assert "With the host’s approval" in cy.get("/lobby").text
    page = bob.get(table).text
    assert ">Ask to join</button>" in page and ">Sit down here</button>" not in page
    assert bob.post(f"{table}/join", {"take": "1"}).status_code == 303
    page = bob.get(table).text
    assert ">Withdraw my request</button>" in page and "You asked for a seat." in page
    assert ">Let in</button>" not in page and 'name="text"' not in page.partition("page-chat")[2][:2000]
    assert "Waiting for the host" in bob.get("/mine").text and ">asks to join</span>" in cy.get("/lobby").text
    assert "asks to join" in cy.get(table).text and ">Ask to join</button>" not in cy.get(table).text
    page = ada.get(table).text
    assert ">Let in</button>" in page and ">Decline</button>" in page
    assert "Somebody asks to join" in ada.get("/mine").text
    [stamp] = re.findall(r'name="stamp" value="([\d.]+)"', page)
    late = {"take": "1", "stamp": "0.7", "answer": "yes"}
    assert ada.post(f"{table}/request", late).status_code == 409
    assert ada.post(f"{table}/request", {**late, "stamp": stamp, "answer": "no"}).status_code == 303
    assert "The host declines Bob’s request." in ada.get(table).text
    assert "Ask for a new invitation" in bob.post(f"{table}/join", {"take": "1"}).text
    again = {**form, "seat.1": "invite"}
    table = ada.post("/new", again).headers["location"]
    token = site.call(site.tables.table_setup.invite, ada.user, table.removeprefix("/t/"), 1)
    shown = bob.post("/join", {"token": token}).text
    assert ">Ask to join</button>" in shown and "lets people in one by one" in shown
    assert bob.post("/join", {"token": token, "accept": "1"}).headers["location"] == table
    assert bob.post("/join", {"token": token}).headers["location"] == table
    assert bob.post(f"{table}/leave", {"seat": "1"}).status_code == 303
    assert ">Withdraw my request</button>" not in bob.get(table).text


def test_the_form_says_that_a_game_that_counts_needs_no_approval(site: Site) -> None:
    ada = site.browser("Ada")
    ada.post("/account/code")
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open", "pace": "quick"}
    found = ada.post("/new", {**form, "rated": "yes", "approval": "yes"})
    assert found.status_code == 422 and "open to every account" in found.text
    assert re.search(r'name="approval" value="yes" checked aria-invalid="true"', found.text)
    assert 'name="approval" value="yes" checked' not in ada.get("/new?game=atacama").text
