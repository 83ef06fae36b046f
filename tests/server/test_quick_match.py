"""Quick match: people who look for the same game are seated together, on one server or on two."""

import asyncio

import pytest

from atoll.server.domain.matching import Seeker, match
from atoll.server.play.quick_match import Search, Wish

from .conftest import Room, Site, Time, opened, refused

pytestmark = pytest.mark.anyio

GAME = Wish("atacama", 2)


async def account(room: Room, name: str) -> None:
    await room.tables.credentials.add_code(await room.person(name))
    room.people[name] = await room.signed_in(name)


async def begin(room: Room, name: str, wish: Wish = GAME) -> Search:
    return await room.tables.quick_match.begin(await room.person(name), wish)


async def stay(room: Room, name: str) -> Search:
    return await room.tables.quick_match.stay(room.people[name])


def test_ranges_widen_until_everybody_accepts_everybody() -> None:
    def seeker(name: str, rating: int, reach: int = 9999, since: int = 0) -> Seeker:
        return Seeker(name, rating, rating - reach, rating + reach, since)

    ada, bob, cy = seeker("ada", 1500, 150), seeker("bob", 1700), seeker("cy", 1550, 150)
    assert match(ada, [bob], 2, 0) is None, "200 points are too many at first"
    assert match(ada, [bob], 2, 5000) == [ada, bob]
    assert match(bob, [ada], 2, 4000) is None, "also if the other one looks"
    assert match(ada, [bob, cy], 2, 0) == [ada, cy]
    assert match(ada, [bob, cy], 3, 0) is None
    assert match(ada, [bob, cy], 3, 5000) == [ada, bob, cy]
    assert match(ada, [bob], 2, 5000, lambda one, other: {one, other} == {"ada", "bob"}) is None


async def test_two_people_find_each_other_and_others_go_on_looking(both: Room, clock: Time) -> None:
    assert (await begin(both, "Ada")).table == ""
    assert (await begin(both, "Dora", Wish("toy", 2))).others == 0
    found = await begin(both, "Bob")
    assert found.table
    assert (await stay(both, "Ada")).table == found.table
    view = await both.view("Ada", found.table)
    assert {seat.name for seat in view.seats} == {"Ada", "Bob"} and view.clock is not None
    assert (await begin(both, "Cy")).table == "", "nobody is matched twice"
    assert (await both.tables.quick_match.waiting()) == {"atacama": 1, "toy": 1}


async def test_a_seeker_who_vanishes_is_gone_within_five_seconds(both: Room, clock: Time) -> None:
    await begin(both, "Ada")
    clock.passes(5.1)
    assert (await begin(both, "Bob")).table == ""
    assert (await stay(both, "Ada")).table, "but comes back by looking again"
    await begin(both, "Cy")
    await both.tables.quick_match.end(both.people["Cy"])
    assert (await stay(both, "Cy")).wish is None
    assert (await begin(both, "Dora")).table == ""


async def test_nobody_is_found_so_a_table_in_the_lobby_is_offered(room: Room, clock: Time) -> None:
    await begin(room, "Ada", Wish("atacama", 2, "evening"))
    for _ in range(14):
        clock.passes(4)
        assert not (await stay(room, "Ada")).offered
    clock.passes(4)
    search = await stay(room, "Ada")
    assert search.offered and search.waited_s == 60
    table = await room.tables.quick_match.open_table(room.people["Ada"])
    [card] = await room.tables.table_lists.lobby(None)
    assert card.id == table and card.clock is not None and card.clock.bank_s == 3600
    with refused("nothing"):
        await room.tables.quick_match.open_table(room.people["Ada"])


async def test_rated_games_are_for_accounts_and_wishes_must_be_possible(room: Room) -> None:
    with refused("accounts_only"):
        await begin(room, "Ada", Wish("atacama", 2, rated=True))
    for name in ("Bob", "Cy"):
        await account(room, name)
        await begin(room, name, Wish("atacama", 2, rated=True, range=150))
    search = await stay(room, "Cy")
    assert (await room.view("Bob", search.table)).rated
    for wrong in (Wish("atacama", 3), Wish("atacama", 1)):
        with refused("bad_seats"):
            await begin(room, "Ada", wrong)
    for wrong in (Wish("atacama", 2, "never"), Wish("atacama", 2, range=7), Wish("chess", 2)):
        with refused("bad_option"):
            await begin(room, "Ada", wrong)


async def test_two_servers_match_nobody_twice(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url) as other:
        names = [f"Guest {number}" for number in range(12)]
        rooms = {name: (one, other)[number % 2] for number, name in enumerate(names)}
        await asyncio.gather(*(begin(rooms[name], name) for name in names))
        found: dict[str, str] = {}
        for _ in range(20):
            searches = await asyncio.gather(*(stay(rooms[name], name) for name in names))
            found = {name: search.table for name, search in zip(names, searches, strict=True) if search.table}
            if len(found) == len(names):
                break
        assert len(found) == len(names)
        tables = set(found.values())
        assert len(tables) == 6 and all([*found.values()].count(table) == 2 for table in tables)
        for table in tables:
            view = await one.view(names[0], table)
            assert {seat.name for seat in view.seats} == {name for name in names if found[name] == table}


def test_a_search_in_two_browsers(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser()
    assert "Find players" in ada.get("/quick?game=atacama").text
    assert ada.get("/quick/wait").headers["location"] == "/quick"
    wrong = ada.post("/quick", {"game": "atacama", "seats": "3", "pace": "quick"})
    assert wrong.status_code == 422 and 'id="wrong-seats"' in wrong.text
    form = {"game": "atacama", "seats": "2", "pace": "quick"}
    assert ada.post("/quick", form).headers["location"] == "/quick/wait"
    page = ada.get("/quick/wait").text
    assert "Nobody else is looking for this game" in page and 'http-equiv="refresh"' in page
    assert "1 person is waiting" in bob.get("/quick").text
    bob.post("/quick", {**form, "name": "Bob"})
    pages = [browser.get("/quick/wait").text for browser in (ada, bob)]
    assert all("Your table is ready" in page and "data-at-once" in page for page in pages)
    program = site.program("Dora")
    assert program.ask("GET", "/quick").json()["wish"] is None
    wish = {"game": "atacama", "seats": 2}
    assert program.ask("POST", "/quick", wish).json()["wish"]["pace"] == "quick"
    assert program.ask("POST", "/quick", {**wish, "seats": 3}).status_code == 422
    assert program.ask("DELETE", "/quick").status_code == 204
    assert program.ask("GET", "/quick").json()["wish"] is None
