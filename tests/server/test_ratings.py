"""Games that count: agreed before the start, written with the results, recomputed equally."""

import asyncio
import random
from typing import Any

import pytest

from atoll.ratings import MODEL
from atoll.server.domain.model import Clock, NewTable, SeatPlan, User
from atoll.server.domain.reliability import Reliability, reliability
from atoll.server.table.rated_games import OBSTACLES
from atoll.store import DepartureRow, RatingRow, ResultRow, Store, TableRow, UnitOfWork, UserRow, schema
from atoll.testing.shares import give_shares
from tests.cli.command import run

from .conftest import DEVICE, ME, OPEN, Room, Site, Time, opened, refused, site_at

pytestmark = pytest.mark.anyio

CLOCK = Clock(600, 60, 900)
DAY = 86_400
PEOPLE = ("Ada", "Bob", "Cy")


async def account(room: Room, name: str) -> User:
    """Somebody with an account."""
    await room.tables.credentials.add_code(await room.person(name))
    room.people[name] = await room.signed_in(name)
    return room.people[name]


async def ratings(room: Room, name: str) -> dict[str, RatingRow]:
    return {row.game: row for row in await room.tables.store.ratings.of_user(room.people[name].id)}


async def rated(room: Room, *names: str, **values: Any) -> str:
    """A running game of accounts that counts."""
    for name in names:
        if name not in room.people:
            await account(room, name)
    return await room.table("atacama", *names, **{"clock": CLOCK, "rated": True, **values})


NO_CLOCK: dict[str, Any] = {"clock": None}


@pytest.mark.parametrize(
    ("why", "seats", "values"),
    [
        ("bots", (ME, SeatPlan("bot", bot="casual")), {}),
        ("shared", (ME, DEVICE), {}),
        ("clock", (ME, OPEN), NO_CLOCK),
        ("at_zero", (ME, OPEN), {"clock": Clock(600, 60, 900, at_zero="end")}),
        ("advice", (ME, OPEN), {"advice": True}),
    ],
)
async def test_what_can_not_count_is_refused_with_its_reason(room: Room, why: str, seats: Any, values: Any) -> None:
    ada = await account(room, "Ada")
    assert why in OBSTACLES
    new = NewTable("atacama", seats, **{"clock": CLOCK, "rated": True, **values})
    with refused("not_rated") as caught:
        await room.tables.table_setup.create(ada, new)
    assert caught.value.fields["why"] == why
    guest = await room.person("Bob")
    with refused("not_rated") as caught:
        await room.tables.table_setup.create(guest, NewTable("atacama", (ME, OPEN), clock=CLOCK, rated=True))
    assert caught.value.fields["why"] == "guests"


async def test_all_agree_before_the_start_and_nothing_makes_a_game_count_later(room: Room) -> None:
    setup = room.tables.table_setup
    ada, bob = await account(room, "Ada"), await account(room, "Bob")
    guest = await room.person("Cy")
    new = NewTable("atacama", (ME, OPEN), clock=CLOCK, rated=True)
    table = await setup.create(ada, new)
    view = await room.view("Cy", table)
    assert view.rated and not view.friendly and "friendly" not in view.can
    for accept in (False, True):
        with refused("accounts_only"):
            if accept:
                await setup.accept(guest, await setup.invite(ada, table, 1))
            else:
                await setup.join(guest, table)
    with refused("not_yours"):
        await setup.make_friendly(bob, table)
    await setup.set_seat(ada, table, 1, SeatPlan("bot", bot="casual"))
    view = await room.view("Bob", table)
    assert (view.rated, view.friendly) == (False, "bots") and view.log[-1].key == "friendly"
    await setup.set_seat(ada, table, 1, SeatPlan("open"))
    assert (await room.view("Bob", table)).friendly == "chosen", "a bot has sat there: that isn't taken back"
    other = await setup.create(ada, new)
    assert "friendly" in (await room.view("Ada", other)).can
    await setup.make_friendly(ada, other)
    await setup.join(guest, other)
    assert (await room.view("Cy", other)).friendly == "guests"
    with refused("nothing"):
        await setup.make_friendly(ada, other)


async def test_the_end_of_a_game_changes_ratings_in_the_same_transaction(both: Room, clock: Time) -> None:
    table = await rated(both, "Ada", "Bob")
    await both.play(table, "Ada", "Bob")
    view = await both.view("Ada", table)
    assert view.score is not None and view.rated
    winner = view.score.places.index(1)
    assert [change.change > 0 for change in view.changes] == [seat == winner for seat in (0, 1)]
    assert sum(change.change for change in view.changes) == 0 and all(change.counts for change in view.changes)
    found = await ratings(both, "Ada")
    assert found["atacama"].games == 1 and found["atacama"].last == clock.now
    assert [row.rated for row in await both.tables.store.results.of_table(table)] == [True, True]
    [rating] = await both.tables.ratings.of_user(both.people["Ada"].id)
    assert rating.new and rating.points == view.changes[0].points
    again = await both.tables.table_setup.rematch(both.people["Ada"], table)
    assert (await both.view("Ada", again)).rated, "a rematch counts, too"
    friendly = await both.table("atacama", "Ada", "Bob", clock=CLOCK)
    await both.play(friendly, "Ada", "Bob")
    assert await ratings(both, "Ada") == found and (await both.view("Ada", friendly)).changes == ()


async def test_who_leaves_is_last_and_one_absence_costs_once(both: Room, clock: Time) -> None:
    for name in PEOPLE:
        await account(both, name)
    tables = [await rated(both, "Ada", name, clock=Clock(DAY, 0, DAY)) for name in ("Bob", "Cy")]
    friendly = await both.table("atacama", "Ada", "Bob", clock=Clock(DAY, 0, DAY))
    for table, other in zip(tables, ("Bob", "Cy"), strict=True):
        for _ in range(40):
            name, view = await both.mover(table, "Ada", other)
            if name == "Ada" and view.view_sequence > 12:
                break
            await both.play(table, name, most=1)
    clock.passes(2 * DAY)
    for table in (*tables, friendly):
        await both.tables.timeouts.decide(table)
        clock.passes(1)
    for table, other in zip(tables, ("Bob", "Cy"), strict=True):
        await finish(both, table, other)
    first, second = [await both.tables.store.ratings.changes_of_table(table) for table in tables]
    assert first[0].weight == 1 and first[0].mu < first[0].mu_before
    assert first[1].mu > first[1].mu_before, "who stays alone has won"
    assert second[0].weight == 0 and second[0].mu == second[0].mu_before, "the same absence"
    assert second[1].mu > second[1].mu_before
    assert (await ratings(both, "Ada"))["atacama"].games == 1
    games, changed = await both.tables.store.ratings.recompute(check=True)
    assert (games, changed) == (2, 0)


async def finish(room: Room, table: str, *names: str) -> None:
    """Play on, with bots in the seats of those who left."""
    async with room.tables.executor.locked(table) as live:
        for row in live.seats:
            row.bot = "random" if row.bot else ""
    while (await room.view(None, table)).status == "running":
        await room.tables.bot_turns.play(table)
        view = await room.view(names[0], table)
        if view.turn is not None and view.turn.legal:
            await room.play(table, names[0], most=1)


# -- recomputing ---------------------------------------------------------------------------------------------------


async def _season(store: Store, seed: int, games: int) -> None:
    """Random results of five people, some of whom leave."""
    rng = random.Random(seed)
    users = [f"u{number}" for number in range(5)]
    for user in users:
        await store.add_user(UserRow(user, user, {}, 0, 0, kind="account"), [])
    for number in range(games):
        ended = 1_700_000_000_000 + number * 3 * DAY * 1000
        seats = rng.randint(2, 4)
        players = rng.sample(users, seats)
        row = TableRow(f"g{number}", "atacama", 1, "", {}, "lobby", "over", "u0", None, ended, ended, rated=True)
        left = [rng.random() < 0.2 for _ in players]
        departures = [
            DepartureRow(
                row.id, seat, ended - 1000, players[seat], rng.choice(("time", "resigned")), rng.choice((3, 30))
            )
            for seat in range(seats)
            if left[seat]
        ]
        await store.commit(UnitOfWork(row, 0, is_new=True, departures=departures))
        causes = {each.seat: each.cause for each in departures}
        places = [rng.randint(1, seats) for _ in players]
        results = [
            ResultRow(
                *(row.id, seat, user, "person", "atacama", seats, "", True, places[seat], 0, {}, 60, 10, 0),
                departure=causes.get(seat, ""),
                rated=True,
                ended=ended,
            )
            for seat, user in enumerate(players)
        ]
        row.revision += 1
        await store.commit(UnitOfWork(row, row.revision - 1, results=results))


async def _state(store: Store) -> list[Any]:
    changes = [await store.ratings.changes_of_table(f"g{number}") for number in range(40)]
    return [await store.ratings.of_user(f"u{number}") for number in range(5)] + changes


async def test_recomputed_ratings_equal_the_stored_ones_after_random_seasons(both: Room) -> None:
    store = both.tables.store
    await _season(store, 7, 40)
    before = await _state(store)
    counted = [change for changes in before[5:] for change in changes]
    assert {change.weight for change in counted} >= {0, 0.5, 1}, (
        "the same people meet again, and some games are friendly"
    )
    assert len({change.number for change in counted}) == (await store.ratings.recompute(check=True))[0] > 20
    assert await store.ratings.recompute() == (len({change.number for change in counted}), 0)
    assert await _state(store) == before
    # Neither a deleted account nor a deleted table changes the ratings of others.
    await store.accounts.delete_user("u4")
    await store.drop_table("g9")
    assert (await store.ratings.recompute())[1] == 0
    after = await _state(store)
    assert after[:4] == before[:4] and after[4] == []
    # A damaged rating is found and repaired, even if all tables were deleted.
    for number in range(40):
        await store.drop_table(f"g{number}")
        assert await store.results.of_table(f"g{number}") == []
    await store._execute(store_damage("u1"))
    assert (await store.ratings.recompute(check=True))[1] == 1
    assert (await store.ratings.recompute())[1] == 1
    assert (await _state(store))[:4] == before[:4]


def store_damage(user: str) -> Any:
    return schema.ratings.update().where(schema.ratings.c.user_id == user).values(mu=99.0)


async def test_the_command_recomputes(
    tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/atoll.db"
    async with opened(url) as room:
        table = await rated(room, "Ada", "Bob")
        await room.play(table, "Ada", "Bob")
        await room.tables.store._execute(store_damage(room.people["Ada"].id))
    ended = await asyncio.to_thread(run, capsys, monkeypatch, "ratings", "recompute", "--db", url, "--check")
    assert (ended.status, ended.out) == (1, "1 rated games, 1 ratings would change\n")
    ended = await asyncio.to_thread(run, capsys, monkeypatch, "ratings", "recompute", "--db", url)
    assert (ended.status, ended.out) == (0, "1 rated games, 1 ratings changed\n")


# -- reliability ---------------------------------------------------------------------------------------------------


def test_reliability_has_a_word_and_a_number() -> None:
    assert reliability([(49, 0)], 0) == Reliability("new", None)
    assert reliability([(60, 0), (60, 60)], 0) == Reliability("unreliable", 50)
    assert reliability([(100, 5), (1000, 1000)], 0) == Reliability("reliable", 95), "only the last hundred turns"
    assert reliability([(100, 0)], 2) == Reliability("mostly", 90)
    assert Reliability("new", None).passes(95, 2) and not Reliability("new", None).passes(85, 3)
    assert Reliability("new", None).passes(0, 9)
    assert Reliability("mostly", 90).passes(85, 9) and not Reliability("mostly", 90).passes(95, 0)


async def test_a_table_may_ask_for_reliable_people(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = room.tables.table_setup
    ada, bob = await room.person("Ada"), await room.person("Bob")
    with refused("bad_option"):
        await setup.create(ada, NewTable("atacama", (ME, OPEN), least_reliability=50))
    table = await setup.create(ada, NewTable("atacama", (ME, OPEN), least_reliability=95))

    async def turns(user_id: str, limit: int = 100) -> list[tuple[int, int]]:
        """Bob is late now and then."""
        return [(100, 10)] if user_id == bob.id else []

    monkeypatch.setattr(room.tables.store.ratings, "clocked_turns", turns)
    with refused("not_reliable"):
        await setup.join(bob, table)
    await setup.accept(bob, await setup.invite(ada, table, 1))
    other = await setup.create(ada, NewTable("atacama", (ME, OPEN), least_reliability=95))
    await setup.join(await room.person("Cy"), other)


# -- pages ---------------------------------------------------------------------------------------------------------


def test_pages_say_what_counts_before_during_and_after_a_game(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    for browser in (ada, bob):
        site.call(site.tables.credentials.add_code, browser.user)
    form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open", "rated": "yes", "pace": "quick"}
    wrong = ada.post("/new", {**form, "seat.1": "bot:casual"})
    assert wrong.status_code == 422 and "A game with a bot doesn’t count." in wrong.text
    address = ada.post("/new", {**form, "least_reliability": "85"}).headers["location"]
    page = bob.get(address).text
    assert '<dd class="rating-told">Counts for ratings</dd>' in page and "at least 85 %" in page
    assert "unrated</span> · new here" in page
    assert "Counts for ratings" in bob.get("/lobby").text
    guest = site.browser("Cy").post(f"{address}/join", {"take": "1"})
    assert guest.status_code == 403 and "you need an account" in guest.text
    bob.post(f"{address}/join", {"take": "1"})
    room = Room(site.tables, None, {"Ada": ada.user, "Bob": bob.user})  # type: ignore[arg-type, dict-item]
    table = address.rpartition("/")[2]
    site.call(give_shares, site.tables, table)
    site.call(room.play, table, "Ada", "Bob")
    page = ada.get(address).text
    assert page.count("Rating 15") + page.count("Rating 14") == 2 and "(+" in page and "(−" in page
    board = ada.get("/ratings/atacama").text
    assert "Nobody is listed yet." in board
    sure = RatingRow("", "atacama", 30.0, 1.0, 30, 2**41)
    site.call(site.tables.store._execute, as_sure(sure))
    assert ">1700 <" in ada.get("/ratings/atacama").text
    program = site.program("Dora")
    assert sorted(each["name"] for each in program.ask("GET", "/ratings/atacama").json()) == ["Ada", "Bob"]
    assert program.ask("GET", "/me/ratings").json() == []
    kept = ada.get("/settings/kept.json").json()
    assert kept["ratings"][0]["game"] == "atacama" and kept["rating_changes"][0]["table"] == table


def as_sure(row: RatingRow) -> Any:
    return schema.ratings.update().values(mu=row.mu, sigma=row.sigma, games=row.games, last=row.last)


def test_the_operator_can_switch_ratings_off(sqlite_url: str) -> None:
    with site_at(sqlite_url, no_ratings=True) as site:
        ada = site.browser("Ada")
        site.call(site.tables.credentials.add_code, ada.user)
        assert 'name="rated"' not in ada.get("/new?game=atacama").text
        form = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "open", "pace": "quick"}
        assert ada.post("/new", {**form, "rated": "yes"}).status_code == 404
        page = ada.get(ada.post("/new", form).headers["location"]).text
        assert "rating-told" not in page
        assert ada.get("/ratings/atacama").status_code == 404


def test_newcomers_begin_with_the_model() -> None:
    assert MODEL.name == "BradleyTerryPart 2.8 0.08" and MODEL.newcomer.mu == 25
