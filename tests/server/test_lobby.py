"""The lobby is fair: it shows a few tables of each host, and the longest waiting first.

Tables that nobody needs any longer are removed.
"""

import re
from typing import Any

import pytest

from atoll.server.domain.model import Clock, NewTable
from atoll.server.play.table_lists import PAGE
from atoll.store import JobRow, LobbyFilter, RatingRow, schema
from atoll.store.codec import values

from .conftest import DEVICE, ME, OPEN, Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

DAY = 86_400


async def gathering(room: Room, name: str, visibility: str = "lobby") -> str:
    new = NewTable("atacama", (ME, OPEN), visibility=visibility)  # type: ignore[arg-type]
    return await room.tables.table_setup.create(await room.person(name), new)


async def shown(room: Room, page: int = 0) -> list[str]:
    return [card.id for card in await room.tables.table_lists.lobby(None, page)]


async def test_a_few_guests_do_not_fill_the_lobby(both: Room, clock: Time) -> None:
    first = await gathering(both, "Zoe")
    clock.passes(1)
    flood = []
    for number in range(40):
        flood.append(await gathering(both, f"Bot {number % 4}"))
        clock.passes(1)
    last = await gathering(both, "Ada")
    listed = await shown(both)
    assert listed[0] == first and listed[-1] == last
    assert len(listed) == 2 + 4 * 3
    assert set(listed[1:-1]) == set(flood[:12]), "of each host those that wait longest"
    await both.tables.votes.vote(both.people["Bot 0"], flood[0], 0, "cancel", True)
    assert flood[12] in await shown(both)


async def test_tables_that_wait_come_before_those_that_run_page_by_page(room: Room, clock: Time) -> None:
    running = []
    for number in range(3):
        clock.passes(1)
        running.append(await room.table("atacama", f"Host {number}", "+"))
    waiting = []
    for number in range(PAGE):
        clock.passes(1)
        waiting.append(await gathering(room, f"Guest {number}"))
    assert await shown(room) == waiting
    assert await shown(room, 1) == running[::-1], "those that were played at last first"
    assert await shown(room, 2) == []


def test_pages_lead_to_each_other(site: Site) -> None:
    for number in range(PAGE):
        site.call(site.tables.table_setup.create, site.browser(f"Guest {number}").user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.create, site.browser("Ada").user, NewTable("atacama", (ME, DEVICE)))
    browser = site.browser()
    first, second = browser.get("/lobby").text, browser.get("/lobby?page=1").text
    assert 'href="?page=1"' in first and 'rel="prev"' not in first
    assert 'href="?page=0"' in second and 'rel="next"' not in second
    assert first.count('href="/t/') == PAGE and second.count('href="/t/') == 1
    for page in ("-1", "²", "9" * 400):
        assert browser.get(f"/lobby?page={page}").status_code == 422
    assert browser.get("/lobby?page=999999999").status_code == 200
    program = site.program("Bob")
    assert len(program.ask("GET", "/tables?page=1").json()) == 1
    assert program.ask("GET", "/tables?page=1001").status_code == 422


async def _over(room: Room, clock: Time, name: str) -> str:
    """A table of one person that is cancelled a second later."""
    clock.passes(1)
    table = await room.table("atacama", name, "+")
    await room.tables.votes.vote(room.people[name], table, 0, "cancel", True)
    return table


async def test_all_games_of_a_person_are_found_page_by_page_while_new_ones_end(both: Room, clock: Time) -> None:
    lists = both.tables.table_lists
    ended = [await _over(both, clock, "Ada") for _ in range(7)][::-1]
    running = await both.table("atacama", "Ada", "+")
    await _over(both, clock, "Bob")
    ada = both.people["Ada"]
    assert [card.id for card in await lists.mine(ada)] == [running], "what isn't over is there, however old it is"
    first = await lists.ended(ada, 3)
    assert [card.id for card in first] == ended[:3]
    assert all(card.status == "cancelled" and card.ended is not None for card in first)
    latest = await _over(both, clock, "Ada")
    assert [card.id for card in await lists.ended(ada, 3, ended[2])] == ended[3:6]
    assert [card.id for card in await lists.ended(ada, 3, ended[5])] == ended[6:]
    assert [card.id for card in await lists.ended(ada, 9)] == [latest, *ended]
    assert [card.id for card in await lists.ended(ada, 9, status="cancelled")] == [latest, *ended]
    assert await lists.ended(ada, 9, status="over") == ()
    for other in ("nothing", running, (await lists.ended(both.people["Bob"], 1))[0].id):
        with refused("no_table"):
            await lists.ended(ada, 3, other)


def test_older_games_are_a_page_further_on(site: Site) -> None:
    ada = site.browser("Ada")
    for number in range(PAGE + 2):
        table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
        if number:
            site.call(site.tables.votes.vote, ada.user, table, 0, "cancel", True)
    as_if_played = schema.games.update().where(schema.games.c.status == "cancelled").values(status="over", position="")
    site.call(site.tables.store._execute, as_if_played)
    page = ada.get("/mine").text
    assert page.count('href="/t/') == 1 + PAGE and 'rel="prev"' not in page
    [older] = re.findall(r'rel="next" href="([^"]+)">Older games<', page)
    second = ada.get(older).text
    assert second.count('href="/t/') == 1 and 'rel="next"' not in second
    assert 'rel="prev" href="/mine">Latest games<' in second
    assert ada.get("/mine?before=nothing").status_code == 404
    assert ada.get("/").text.count('href="/t/') == 6
    assert site.browser().get("/mine").status_code == 200


def test_games_that_were_cancelled_are_not_among_those_that_are_over(site: Site) -> None:
    ada = site.browser("Ada")
    begun, never, running = (
        site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN if number == 1 else DEVICE)))
        for number in range(3)
    )
    for table in (begun, running):
        site.call(site.tables.table_setup.start, ada.user, table)
    assert "/mine/cancelled" not in ada.get("/mine").text
    for table in (begun, never):
        site.call(site.tables.votes.vote, ada.user, table, 0, "cancel", True)
    for path in ("/", "/mine"):
        assert re.findall('href="/t/([^"]+)"', ada.get(path).text) == [running]
    assert '<a href="/mine/cancelled">Canceled games</a>' in ada.get("/mine").text
    assert re.findall('href="/t/([^"]+)"', ada.get("/mine/cancelled").text) == [begun]
    assert site.browser().get("/mine/cancelled").status_code == 200


def test_a_program_gets_what_is_not_over_and_what_ended_before(site: Site) -> None:
    program = site.program("Bob")
    tables = []
    for _ in range(4):
        tables.append(site.call(site.tables.table_setup.create, program.user, NewTable("atacama", (ME, OPEN))))
        if len(tables) > 1:
            site.call(site.tables.votes.vote, program.user, tables[-1], 0, "cancel", True)
    found = program.ask("GET", "/tables/mine").json()
    assert [card["id"] for card in found] == [tables[0], tables[3], tables[2], tables[1]]
    assert found[0]["ended"] is None and found[1]["ended"] is not None
    older = program.ask("GET", f"/tables/mine?before={tables[3]}").json()
    assert [card["id"] for card in older] == [tables[2], tables[1]]
    assert program.ask("GET", "/tables/mine?before=nothing").status_code == 404


async def sweep(room: Room) -> None:
    """Run the daily cleanup."""
    await room.scheduler._is_finished(JobRow("sweep", "sweep", None, 0, ""))


async def test_a_table_that_does_not_fill_is_given_up(both: Room, clock: Time) -> None:
    table = await gathering(both, "Ada")
    other = await gathering(both, "Bob")
    clock.passes(13 * DAY)
    await both.tables.chat.say(both.people["Bob"], other, "still here")
    await sweep(both)
    assert (await both.view("Ada", table)).status == "gathering"
    clock.passes(2 * DAY)
    await sweep(both)
    assert (await both.view("Ada", table)).status == "cancelled"
    assert await shown(both) == [other]
    clock.passes(15 * DAY)
    await sweep(both)
    await both.forget()
    with refused("no_table"):
        await both.view("Ada", table)


async def test_strangers_and_old_games_are_swept_by_age(sqlite_url: str, postgres_url: str, clock: Time) -> None:
    for url in (sqlite_url, postgres_url):
        async with opened(url, finished_days=30, guest_days=10) as room:
            login = await room.tables.users.guest("Passer-by")
            ended = await room.table("atacama", "Ada", "Bob", chat_after="anyone")
            await room.play(ended, "Ada", "Bob")
            await room.tables.chat.say(await room.person("Cy"), ended, "well played")
            running = await room.table("atacama", "Ada", "Bob")
            clock.passes(29 * DAY)
            await sweep(room)
            assert await room.tables.store.user(login.user.id) is None
            assert (await room.view("Ada", ended)).status == "over"
            clock.passes(2 * DAY)
            await sweep(room)
            await room.forget()
            with refused("no_table"):
                await room.view("Ada", ended)
            assert await room.tables.store.choices(ended) == []
            assert (await room.view("Ada", running)).status == "running"
            names = ("Ada", "Bob", "Cy")
            left = [await room.tables.store.user(room.people[name].id) is not None for name in names]
            assert left == [True, True, False], "Cy was nowhere else"


async def test_by_default_no_game_is_ever_removed(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    clock.passes(5000 * DAY)
    await sweep(room)
    await room.forget()
    assert (await room.view("Ada", table)).status == "over"


def test_the_lobby_shows_one_game_alone_and_keeps_to_it_from_page_to_page(site: Site) -> None:
    for number in range(PAGE + 1):
        site.call(site.tables.table_setup.create, site.browser(f"Guest {number}").user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.create, site.browser("Ada").user, NewTable("toy", (ME, OPEN)))
    browser = site.browser()
    assert browser.get("/lobby?game=toy").text.count('href="/t/') == 1
    first = browser.get("/lobby?game=atacama").text
    assert first.count('href="/t/') == PAGE and 'href="?game=atacama&amp;page=1"' in first
    assert browser.get("/lobby?game=atacama&page=1").text.count('href="/t/') == 1
    assert browser.get("/lobby?game=chess").status_code == 404


async def test_a_filter_chooses_tables_by_game_seats_pace_rating_and_order(both: Room, clock: Time) -> None:
    for name in ("Ada", "Bob"):
        await both.tables.credentials.add_code(await both.person(name))
        both.people[name] = await both.signed_in(name)
    setup, lists = both.tables.table_setup, both.tables.table_lists
    new = {
        "rated": NewTable("atacama", (ME, OPEN), clock=Clock(600, 0, 600), rated=True),
        "four": NewTable("atacama", (ME, *[OPEN] * 3), clock=Clock(DAY, 0, DAY)),
        "toy": NewTable("toy", (ME, OPEN), language="de"),
    }
    made = {}
    for number, (key, plan) in enumerate(new.items()):
        clock.passes(1)
        made[key] = await setup.create(both.people[("Ada", "Bob", "Ada")[number]], plan)
    names = {table: key for key, table in made.items()}

    async def shown(**values: Any) -> list[str]:
        """The tables that a filter shows."""
        return [names[card.id] for card in await lists.lobby(None, 0, LobbyFilter(**values))]

    assert await shown() == ["rated", "four", "toy"] and await shown(order="new") == ["toy", "four", "rated"]
    assert await shown(order="full") == ["rated", "toy", "four"]
    assert await shown(game="toy") == ["toy"] and await shown(seats=4) == ["four"]
    assert [await shown(pace=pace) for pace in ("live", "correspondence", "none")] == [["rated"], ["four"], ["toy"]]
    assert await shown(language="de") == ["toy"] and await shown(language="en") == []
    with refused("bad_option"):
        await setup.create(both.people["Ada"], NewTable("toy", (ME, OPEN), language="xx"))
    assert await shown(rated=True) == ["rated"] and await shown(rated=False) == ["four", "toy"]
    rating = RatingRow(both.people["Bob"].id, "atacama", 30.0, 1.0, 9, 0)
    await both.tables.store._execute(schema.ratings.insert().values(**values(rating)))
    near = await both.tables.ratings.near(both.people["Bob"], LobbyFilter("atacama"), 150)
    assert [names[card.id] for card in await lists.lobby(None, 0, near)] == ["four"]
    near = await both.tables.ratings.near(None, LobbyFilter("atacama"), 150)
    assert [names[card.id] for card in await lists.lobby(None, 0, near)] == ["rated"]


def test_a_browser_remembers_the_filter_of_the_lobby(site: Site) -> None:
    site.call(site.tables.table_setup.create, site.browser("Ada").user, NewTable("atacama", (ME, OPEN)))
    browser = site.browser()
    assert browser.get("/lobby?game=&seats=4").text.count('href="/t/') == 0
    page = browser.get("/lobby").text
    assert page.count('href="/t/') == 0 and "No table matches this filter" in page and "<option selected>4" in page
    assert browser.get("/lobby?game=").text.count('href="/t/') == 1
    assert browser.get("/lobby").text.count('href="/t/') == 1
    for wrong in ("pace=soon", "seats=x", "rated=maybe", "near=7&game=atacama", "order=best", "language=xx"):
        assert browser.get(f"/lobby?{wrong}").status_code == 422, wrong
    program = site.program("Bob")
    assert len(program.ask("GET", "/tables?seats=2&pace=none&rated=false&order=full").json()) == 1
    assert program.ask("GET", "/tables?seats=4").json() == []
    assert program.ask("GET", "/tables?pace=soon").status_code == 422
    assert len(program.ask("GET", "/tables?language=").json()) == 1
    assert program.ask("GET", "/tables?language=en").json() == [], "whoever comes without a page hasn't said it"


def test_a_table_has_the_language_of_its_hosts_page(site: Site) -> None:
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open"}
    site.browser("Ada").post("/new", form, headers={"accept-language": "de"})
    site.browser("Bob").post("/new", form, headers={"accept-language": "en"})
    found = {code: site.browser().get(f"/lobby?language={code}").text for code in ("de", "en")}
    assert [text.count('href="/t/') for text in found.values()] == [1, 1]
    assert "Ada" in found["de"] and "Bob" in found["en"]
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = site.program("Cy").ask("POST", "/tables", {"game": "atacama", "seats": seats, "language": "de"})
    assert made.status_code == 201
    assert len(site.program("Dora").ask("GET", "/tables?language=de").json()) == 2
