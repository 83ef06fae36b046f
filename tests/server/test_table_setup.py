"""Before the game: tables are made, seats taken, shares given; and once more with the same people."""

import asyncio

import pytest

from atoll.server.domain.model import Clock, NewTable, SeatPlan
from atoll.testing.shares import give_seals, give_shares

from .conftest import INVITE, ME, OPEN, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio


async def _play_with_bots(room: Room, table: str) -> None:
    while True:
        await room.tables.bot_turns.play(table)
        view = await room.view("Ada", table)
        if view.status == "over":
            return
        assert view.turn is not None
        await room.tables.turns.choose(
            room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True
        )


async def test_a_full_table_starts_when_all_shares_are_in(both: Room) -> None:
    ada, bob = await both.person("Ada"), await both.person("Bob")
    table = await both.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
    assert [card.id for card in await both.tables.table_lists.lobby(None)] == [table]
    await give_seals(both.tables, table, 0)
    assert "join" in (await both.view("Bob", table)).can
    assert await both.tables.table_setup.join(bob, table) == 1
    view = await both.view("Bob", table)
    assert view.status == "gathering" and view.view is None and "start" in view.can
    await give_shares(both.tables, table)
    view = await both.view("Bob", table)
    assert view.status == "running" and view.view is not None and view.seat == 1
    assert [entry.key for entry in view.log if entry.origin == "table"] == ["joined", "started"]


async def test_the_game_starts_by_itself_without_a_browsers_share(sqlite_url: str) -> None:
    async with opened(sqlite_url, start_after_s=0.05) as room:
        task = asyncio.create_task(room.scheduler.run())
        table = await room.table("atacama", "Ada", "Bob", start=False)
        await room.until(table, lambda view: view.status == "running")
        fairness = await room.tables.history.fairness(None, table)
        assert (fairness.seals, fairness.shares) == (("", ""), ("", ""))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_anybody_seated_may_begin_a_full_table(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
    with refused("not_running"):
        await room.tables.table_setup.start(ada, table)
    with refused("not_yours"):
        await room.tables.table_setup.start(await room.person("Eve"), table)
    await room.tables.table_setup.join(await room.person("Bob"), table)
    await room.tables.table_setup.start(room.people["Bob"], table)
    assert (await room.view(None, table)).status == "running"
    with refused("started"):
        await room.tables.table_setup.start(ada, table)


async def test_a_seat_is_taken_once(both: Room) -> None:
    ada = await both.person("Ada")
    table = await both.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
    people = [await both.person(f"P{number}") for number in range(6)]
    results = await asyncio.gather(
        *(both.tables.table_setup.join(who, table) for who in people), return_exceptions=True
    )
    assert sorted(str(result) for result in results).count("1") == 1
    with refused("taken"):
        await both.tables.table_setup.join(ada, table)
    with refused("bad_seats"):
        await both.tables.table_setup.join(await both.person("Eve"), table, 7)


async def test_an_invitation_works_once_and_only_the_newest(room: Room) -> None:
    ada, bob, eve = [await room.person(name) for name in ("Ada", "Bob", "Eve")]
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, INVITE), visibility="private"))
    with refused("not_yours"):
        await room.tables.table_setup.invite(eve, await room.table("atacama", "Ada", "Bob", start=False), 1)
    old = await room.tables.table_setup.invite(ada, table, 1)
    new = await room.tables.table_setup.invite(ada, table, 1)
    with refused("used"):
        await room.tables.table_setup.accept(eve, old)
    assert (await room.tables.table_setup.invited(None, new)).card.id == table
    assert await room.tables.table_setup.accept(bob, new) == (table, 1)
    for token in (new, "nonsense", ""):
        with refused("used"):
            await room.tables.table_setup.accept(eve, token)
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
        (NewTable("atacama", (ME, OPEN), stand_in="nobody"), "bad_option"),
        (NewTable("atacama", (ME, SeatPlan("device", name="x" * 99))), "bad_name"),
    ],
)
async def test_a_table_that_does_not_exist_in_the_rules_is_refused(room: Room, new: NewTable, code: str) -> None:
    with refused(code):
        await room.tables.table_setup.create(await room.person("Ada"), new)
    assert await room.tables.table_lists.mine(room.people["Ada"]) == ()


async def test_creating_twice_with_one_key_makes_one_table(room: Room) -> None:
    ada = await room.person("Ada")
    new = NewTable("atacama", (ME, OPEN))
    first = await room.tables.table_setup.create(ada, new, key="k")
    assert await room.tables.table_setup.create(ada, new, key="k") == first
    assert len(await room.tables.table_lists.mine(ada)) == 1


async def test_one_may_host_only_so_many_tables(sqlite_url: str) -> None:
    async with opened(sqlite_url, tables_per_user=2) as room:
        ada = await room.person("Ada")
        for _ in range(2):
            await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
        with refused("full"):
            await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))


async def test_playing_on_and_again_make_no_more_tables_than_one_may_host(sqlite_url: str) -> None:
    async with opened(sqlite_url, tables_per_user=1) as room:
        table = await room.table("atacama", "Ada", "Bob")
        await room.play(table, "Ada", "Bob")
        await room.tables.table_setup.create(room.people["Ada"], NewTable("atacama", (ME, OPEN)))
        with refused("full"):
            await room.tables.history.continue_from(room.people["Ada"], table, 4)
        with refused("full"):
            await room.tables.table_setup.rematch(room.people["Ada"], table)


async def test_the_host_gives_a_free_seat_to_a_bot(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.create(ada, NewTable("atacama", (ME, OPEN)))
    await room.tables.table_setup.set_seat(ada, table, 1, SeatPlan("bot"))
    assert (await room.view("Ada", table)).seats[1].kind == "bot"
    await room.tables.table_setup.set_seat(ada, table, 1, OPEN)
    await room.tables.table_setup.join(await room.person("Bob"), table)
    with refused("bad_seats"):
        await room.tables.table_setup.set_seat(ada, table, 0, SeatPlan("bot"))
    with refused("not_yours"):
        await room.tables.table_setup.set_seat(room.people["Bob"], table, 0, SeatPlan("bot"))


async def test_a_rematch_has_the_same_people_and_a_new_seed(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    with refused("not_over"):
        await room.tables.table_setup.rematch(room.people["Ada"], table)
    await room.play(table, "Ada", "Bob")
    again = await room.tables.table_setup.rematch(room.people["Bob"], table)
    assert (await room.view("Ada", table)).rematch == again
    view = await room.view("Ada", again)
    assert view.seats[1].mine is False and "accept" in view.can
    assert [seat.name for seat in view.seats] == ["Ada", "Bob"]
    await room.person("Eve")
    with refused("taken"):
        await room.tables.table_setup.join(room.people["Eve"], again)
    for _ in range(2):
        assert await room.tables.table_setup.rematch(room.people["Ada"], table) == again
        assert (await room.view("Ada", again)).my_seats == (0,), "who wants one sits there at once"
    rows = [await room.tables.store.table(each) for each in (table, again)]
    assert len({row[0].seed for row in rows if row}) == 2


async def test_who_declined_a_rematch_may_look_at_it(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    again = await room.tables.table_setup.rematch(room.people["Ada"], table)
    await room.tables.departures.leave(room.people["Bob"], again, 1)
    assert await room.tables.table_setup.rematch(room.people["Bob"], table) == again
    assert (await room.view("Bob", again)).my_seats == ()
    await room.tables.votes.vote(room.people["Ada"], again, 0, "cancel", True)
    assert await room.tables.table_setup.rematch(room.people["Ada"], table) == again


async def test_two_who_want_a_rematch_at_once_come_to_one_table(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    both = [room.tables.table_setup.rematch(room.people[name], table) for name in ("Ada", "Bob")]
    first, second = await asyncio.gather(*both)
    assert first == second == (await room.view("Ada", table)).rematch
    assert [seat.kind for seat in (await room.view("Ada", first)).seats] == ["person", "person"]
    for name in ("Ada", "Bob"):
        gathering = [
            card.id for card in await room.tables.table_lists.mine(room.people[name]) if card.status == "gathering"
        ]
        assert gathering == [first]


async def test_two_at_one_device_are_both_kept_a_seat_at_a_rematch(room: Room) -> None:
    table = await room.table("toy", "Ada", "+", "Bob")
    await room.play(table, "Ada", "Bob")
    again = await room.tables.table_setup.rematch(room.people["Bob"], table)
    await room.tables.table_setup.join(room.people["Ada"], again)
    view = await room.view("Ada", again)
    assert view.my_seats == (0, 1)
    assert [seat.name for seat in view.seats] == ["Ada", "Ada 2", "Bob"]


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


async def test_play_now_is_a_game_against_bots(room: Room) -> None:
    ada = await room.person("Ada")
    table = await room.tables.table_setup.play_now(ada, "atacama", key="once")
    assert await room.tables.table_setup.play_now(ada, "atacama", key="once") == table
    first = await room.view("Ada", table)
    assert [seat.bot for seat in first.seats] == ["", "beginner"]
    await give_shares(room.tables, table)
    await _play_with_bots(room, table)


async def test_play_now_repeats_the_settings_of_the_last_game_that_was_finished(room: Room) -> None:
    ada = await room.person("Ada")
    options = {"tactic": True, "start_player": "seat_3"}
    table = await room.table("atacama", "Ada", "bot:casual", "bot:casual", "bot:casual", options=options)
    running = await room.tables.table_setup.play_now(ada, "atacama", key="one")
    assert len((await room.view("Ada", running)).seats) == 2, "it isn't finished yet"
    await _play_with_bots(room, table)
    again = await room.view("Ada", await room.tables.table_setup.play_now(ada, "atacama", key="two"))
    assert [seat.bot for seat in again.seats] == ["", "casual", "casual", "casual"]
    assert (again.options["tactic"], again.options["start_player"]) == (True, "seat_3")
    other = await room.person("Bob")
    theirs = await room.view("Bob", await room.tables.table_setup.play_now(other, "atacama"))
    assert len(theirs.seats) == 2


def test_the_link_that_brought_somebody_to_a_seat_leads_back_to_it(site: Site) -> None:
    ada, bob, cyan = (site.browser(name) for name in ("Ada", "Bob", "Cyan"))
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE)))
    token = site.call(site.tables.table_setup.invite, ada.user, table, 1)
    shown = bob.post("/join", {"token": token})
    assert shown.status_code == 200 and '<span class="clock-told">No clock</span>' in shown.text
    assert bob.post("/join", {"token": token, "accept": "1"}).headers["location"] == f"/t/{table}"
    again = bob.post("/join", {"token": token})
    assert (again.status_code, again.headers["location"]) == (303, f"/t/{table}")
    for late in (ada.post("/join", {"token": token}), cyan.post("/join", {"token": token, "accept": "1"})):
        assert late.status_code == 410
        assert "Somebody has already taken a seat with this link." in late.text
        assert f'href="/t/{table}">Watch the game<' in late.text and 'href="/new?game=atacama&amp;' in late.text


def test_a_link_to_a_seat_that_is_gone_says_so_and_leads_on(site: Site) -> None:
    ada, cyan = site.browser("Ada"), site.browser("Cyan")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE)))
    replaced, token = (site.call(site.tables.table_setup.invite, ada.user, table, 1) for _ in range(2))
    unknown = cyan.post("/join", {"token": replaced, "game": "atacama"})
    assert unknown.status_code == 410 and 'href="/new?game=atacama&amp;' in unknown.text
    assert f"/t/{table}" not in unknown.text
    assert "/new?game=" not in cyan.post("/join", {"token": replaced, "game": "nothing"}).text
    site.call(site.tables.table_setup.set_seat, ada.user, table, 1, SeatPlan("bot"))
    assert "The seat was given to somebody else." in cyan.post("/join", {"token": token}).text
    site.call(give_shares, site.tables, table)
    begun = cyan.post("/join", {"token": token})
    assert "The game has already begun." in begun.text and f'href="/t/{table}">Watch the game<' in begun.text


def test_a_link_that_is_used_tells_nothing_of_a_private_table(site: Site) -> None:
    ada, bob, cyan = (site.browser(name) for name in ("Ada", "Bob", "Cyan"))
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE), visibility="private"))
    token = site.call(site.tables.table_setup.invite, ada.user, table, 1)
    bob.post("/join", {"token": token, "accept": "1"})
    late = cyan.post("/join", {"token": token})
    assert late.status_code == 410 and "This link was already used or replaced." in late.text
    assert not [each for each in (f"/t/{table}", "Ada", "Bob") if each in late.text]
    assert f'href="/t/{table}"' in ada.post("/join", {"token": token}).text


def test_the_host_takes_a_bot_back_and_cancels_the_table_from_its_page(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN, INVITE, INVITE)))
    assert ada.post(f"/t/{table}/seat", {"take": "1", "bot": "casual"}).status_code == 303
    assert ">Free this seat again</button>" in ada.get(f"/t/{table}").text
    assert ">Free this seat again</button>" not in bob.get(f"/t/{table}").text
    assert ada.post(f"/t/{table}/seat", {"take": "1"}).status_code == 303
    assert bob.post(f"/t/{table}/join", {"take": "1"}).status_code == 303
    page = ada.get(f"/t/{table}").text
    assert "Bob sits down." in page and 'name="subject" value="cancel"' in page
    assert 'name="subject" value="cancel"' not in bob.get(f"/t/{table}").text
    assert ada.post(f"/t/{table}/vote", {"seat": "0", "subject": "cancel", "answer": "yes"}).status_code == 303
    for each in (ada, bob):
        page = each.get(f"/t/{table}").text
        assert "This game was canceled." in page and '<ul class="places">' in page, "what it was is still seen"
        assert not [word for word in ("Add a bot", "Create an invite link", "Leave this seat") if f">{word}<" in page]


def test_who_is_asked_for_a_rematch_is_told_in_lists_and_at_the_table(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, bob.user, table)
    site.call(site.tables.votes.vote, ada.user, table, 0, "cancel", True)
    again = site.call(site.tables.table_setup.rematch, ada.user, table)
    for page in ("/", "/mine"):
        assert ">Invitations</h2>" in bob.get(page).text and "You are invited" in bob.get(page).text
        assert "You are invited" not in ada.get(page).text
    page = bob.get(f"/t/{again}").text
    assert "Take my reserved seat" in page and "Decline the invitation" in page
    assert bob.post(f"/t/{again}/leave", {"seat": "1"}).status_code == 303
    assert "Bob declines the invitation." in ada.get(f"/t/{again}").text


async def test_the_host_removes_a_player_who_then_needs_an_invitation(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Eve", start=False, visibility="lobby")
    ada, eve, bob = room.people["Ada"], room.people["Eve"], await room.person("Bob")
    await room.tables.notification_settings.add(eve, "ntfy", {"url": "https://ntfy.sh/eve"}, "en")
    setup = room.tables.table_setup
    with refused("not_yours"):
        await setup.set_seat(eve, table, 0, SeatPlan("open"))
    with refused("bad_seats"):
        await setup.set_seat(ada, table, 0, SeatPlan("open"))
    await setup.set_seat(ada, table, 1, SeatPlan("open"))
    view = await room.view("Ada", table)
    assert view.seats[1].kind == "open" and view.log[-1].key == "removed_before"
    [notice] = [row for row in await room.tables.store.notices.lease(10**15, 10**15) if row.kind == "removed"]
    assert notice.user_id == eve.id
    await room.forget()
    with refused("removed"):
        await setup.join(eve, table, 1)
    token = await setup.invite(ada, table, 1)
    await setup.accept(eve, token)
    await setup.set_seat(ada, table, 1, SeatPlan("open"))
    await room.tables.accounts.delete(eve, "Eve")
    await room.finish_account()
    row = await room.tables.store.table(table)
    assert row is not None and row[0].removed == []
    await setup.join(bob, table, 1)


async def test_the_host_swaps_seats_and_what_belongs_to_their_holders_goes_along(both: Room) -> None:
    ada, bob = await both.person("Ada"), await both.person("Bob")
    setup = both.tables.table_setup
    plans = (ME, OPEN, SeatPlan("bot", bot="beginner"), INVITE)
    table = await setup.create(ada, NewTable("atacama", plans))
    await setup.join(bob, table, 1)
    token = await setup.invite(ada, table, 3)
    await give_seals(both.tables, table)
    with refused("not_yours"):
        await setup.swap(bob, table, 0, 1)
    for wrong in ((1, 1), (0, 4), (-1, 0)):
        with refused("bad_seats"):
            await setup.swap(ada, table, *wrong)
    assert "swap" in (await both.view("Ada", table)).can and "swap" not in (await both.view("Bob", table)).can
    await setup.swap(ada, table, 0, 1)
    await setup.swap(ada, table, 2, 3)
    await both.forget()
    view = await both.view("Bob", table)
    assert [info.name for info in view.seats[:2]] == ["Bob", "Ada"] and view.my_seats == (0,)
    assert (view.seats[2].kind, view.seats[3].bot) == ("invite", "beginner")
    assert view.log[-1].key == "swapped" and dict(view.log[-1].fields) == {"first": 3, "second": 4}
    assert view.chance is not None and view.chance.missing == (0, 1) and not any(view.chance.seals)
    assert await setup.accept(await both.person("Cy"), token) == (table, 2), "the link goes along with its seat"
    await give_seals(both.tables, table)
    await setup.swap(ada, table, 2, 0)
    broken = await both.tables.history.fairness(None, table)
    assert [each.reason for each in broken.rounds] == ["seat"], "the list of seals was closed"
    await give_shares(both.tables, table)
    assert [info.name for info in (await both.view(None, table)).seats[:3]] == ["Cy", "Ada", "Bob"]
    with refused("started"):
        await setup.swap(ada, table, 0, 1)


async def test_who_has_broken_a_start_off_gives_nothing_at_another_seat_either(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    ada = room.people["Ada"]
    await give_seals(room.tables, table)
    await give_shares(room.tables, table, 0)
    clock.passes(16)
    await room.tables.table_setup.start(ada, table)
    await room.tables.table_setup.swap(ada, table, 0, 1)
    view = await room.view("Ada", table)
    assert view.chance is not None and view.chance.missing == (1,)
