"""Results and departures as rows, the archive, profiles, achievements, and the figures of a game."""

import random
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select

import atoll
from atoll.lessons.puzzle import puzzles
from atoll.server.domain.achievements import PUZZLE_DAYS, PlayedGame, achievements
from atoll.server.domain.model import Clock, User
from atoll.server.domain.profile import PARTS, ProfileVisibility
from atoll.server.domain.progress import LearningProgress
from atoll.server.domain.statistics import ENOUGH, PlayedScore
from atoll.server.http.pages.puzzles import progress_after_try
from atoll.server.play.archive import ArchiveFilters
from atoll.server.play.game_statistics import game_figures
from atoll.server.play.record_files import export_game, import_game
from atoll.server.play.users import user_of
from atoll.server.presentation.score_chart import score_chart
from atoll.store import CountedGame, schema
from atoll.testing.shares import give_shares

from .conftest import GAMES, Program, Room, Site, Time, opened, refused, site_at

pytestmark = pytest.mark.anyio

CLOCK = Clock(600, 60, 900)
DAY = 86_400


async def account(room: Room, name: str) -> User:
    """Somebody with an account."""
    await room.tables.credentials.add_code(await room.person(name))
    room.people[name] = await room.signed_in(name)
    return room.people[name]


async def over(room: Room, *names: str, **values: Any) -> str:
    """A finished game of these people."""
    table = await room.table("atacama", *names, **values)
    await room.play(table, *(name for name in dict.fromkeys(names) if ":" not in name and name != "+"))
    return table


async def rows(room: Room, table: str) -> list[Any]:
    return await room.tables.store.results.of_table(table)


# -- rows ----------------------------------------------------------------------------------------------------------


async def test_the_end_of_a_game_writes_its_results(both: Room, clock: Time) -> None:
    ada = await account(both, "Ada")
    table = await both.table("atacama", "Ada", "Bob", clock=CLOCK)
    await both.play(table, "Ada", "Bob", most=3)
    await both.tables.departures.leave(both.people["Bob"], table, 1)
    await both.tables.departures.come_back(both.people["Bob"], table, 1)
    assert await rows(both, table) == []
    clock.passes(5)
    await both.play(table, "Ada", "Bob")
    view = await both.view("Ada", table)
    assert view.score is not None
    found = await rows(both, table)
    assert [(each.seat, each.user_id, each.kind) for each in found] == [
        (0, ada.id, "person"),
        (1, both.people["Bob"].id, "person"),
    ]
    assert tuple(each.place for each in found) == view.score.places
    assert tuple(each.score for each in found) == view.score.totals
    assert [sum(each.points.values()) for each in found] == [each.score for each in found]
    assert {each.length for each in found} == {view.view_sequence - _chances(both, table)}
    assert all(
        (each.game, each.seats, each.listed, each.late, each.departure) == ("atacama", 2, True, 0, "") for each in found
    )
    assert all(each.ended == clock.now and each.turns > 3 and not each.rated for each in found)
    [left] = await both.tables.store.results.departures_of(both.people["Bob"].id)
    assert (left.game_id, left.seat, left.cause, left.at) == (table, 1, "resigned", clock.now - 5000)
    assert 0 < left.progress < found[0].length

    await both.delete_account("Bob")
    after = await rows(both, table)
    assert [each.user_id for each in after] == [ada.id, None]
    assert [(each.place, each.score) for each in after] == [(each.place, each.score) for each in found]
    read = both.tables.store._database.read
    assert await read(lambda c: c.scalars(select(schema.departures.c.user_id)).all()) == [None]


def _chances(room: Room, table: str) -> int:
    position = room.tables.executor._live[table].position
    assert position is not None
    return position.chance_count


async def test_late_turns_and_departures_are_counted_and_other_ends_have_no_result(
    room: Room, clock: Time, tmp_path: Any
) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.seat is not None
    clock.passes(601)
    await room.tables.timeouts.decide(table)
    live = room.tables.executor._live[table].seats[view.seat]
    assert (live.turns, live.late, live.departure, live.away) == (1, 1, "time", True)
    [late] = await room.tables.store.results.departures_of(room.people[name].id)
    assert (late.cause, late.progress) == ("time", 0)
    await room.tables.departures.come_back(room.people[name], table, view.seat)
    await room.play(table, "Ada", "Bob")
    found = await rows(room, table)
    assert [(each.late, each.departure) for each in found] == [(int(each.seat == view.seat), "") for each in found]

    # A player who doesn't return has left, and the seat keeps the places of the bot.
    table = await room.table("atacama", "Ada", "Bob", stand_in="beginner")
    await room.play(table, "Ada", "Bob", most=24)
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    while (await room.view("Ada", table)).status == "running":
        await room.tables.bot_turns.play(table)
        await room.play(table, "Ada", most=1)
    assert [each.departure for each in await rows(room, table)] == ["", "resigned"]
    # Nobody leaves others alone with bots.
    count = len(await room.tables.store.results.departures_of(room.people["Ada"].id))
    alone = await room.table("atacama", "Ada", "bot:beginner")
    await room.tables.departures.leave(room.people["Ada"], alone, 0)
    assert len(await room.tables.store.results.departures_of(room.people["Ada"].id)) == count
    # Canceled, continued and imported games have no results.
    table = await room.table("atacama", "Ada", "+")
    await room.tables.votes.vote(room.people["Ada"], table, 0, "cancel", True)
    assert await rows(room, table) == []
    table = await over(room, "Ada", "+", visibility="link")
    assert [(each.kind, each.listed) for each in await rows(room, table)] == [("person", False), ("device", False)]
    forked = await room.tables.history.continue_from(room.people["Ada"], table, 26, 0, "beginner")
    while (await room.view("Ada", forked)).status == "running":
        await room.tables.bot_turns.play(forked)
        await room.play(forked, "Ada", most=1)
    assert await rows(room, forked) == []
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    url = f"sqlite:///{tmp_path}/other.db"
    copy = await import_game(url, text, GAMES)
    async with opened(url) as elsewhere:
        assert (await elsewhere.view(None, copy)).status == "over" and await rows(elsewhere, copy) == []


# -- the archive ---------------------------------------------------------------------------------------------------


async def found(room: Room, reader: str | None, *players: str, **values: Any) -> list[str]:
    """The tables that a reader finds."""
    who = None if reader is None else room.people[reader]
    filters = ArchiveFilters(players=players, **values)
    return [card.id for card in await room.tables.archive.games(who, filters, 30)]


async def test_the_archive_shows_each_reader_the_games_that_may_be_seen(both: Room, clock: Time) -> None:
    room = both
    for name in ("Ada", "Bo", "Cy"):
        await account(room, name)
    tables = {}
    for visibility in ("lobby", "link", "private"):
        clock.passes(DAY)
        table = await room.table("atacama", "Ada", "Bo", start=False, visibility="lobby")
        async with room.tables.executor.locked(table) as live:
            live.row.visibility = visibility
        await give_shares(room.tables, table)
        await room.play(table, "Ada", "Bo")
        tables[visibility] = table
    clock.passes(DAY)
    await room.person("Dee")
    other = await over(room, "Cy", "Dee", "+", "+")
    for reader in (None, "Ada", "Cy", "Dee"):
        assert await found(room, reader) == [other, tables["lobby"]], "without players, the lobby's games"
    for reader in (None, "Cy", "Dee"):
        assert await found(room, reader, "Ada") == await found(room, reader, "BO", "Ada") == [tables["lobby"]]
    mine = [tables["private"], tables["link"], tables["lobby"]]
    for reader in ("Ada", "Bo"):
        assert await found(room, reader, "Ada") == await found(room, reader, "Ada", "Bo") == mine
    assert await found(room, "Ada", "Cy") == [other] and await found(room, "Ada", "Ada", "Cy") == []

    # Filters, and pages that new games don't move.
    assert await found(room, "Ada", game="atacama", seats=4) == [other]
    assert await found(room, "Ada", game="toy") == await found(room, "Ada", options="other") == []
    assert await found(room, "Ada", options="usual", seats=2) == [tables["lobby"]]
    places = {each.seat: each.place for each in await rows(room, tables["lobby"])}
    assert (tables["lobby"] in await found(room, "Ada", "Ada", place=1)) == (places[0] == 1)
    assert await found(room, "Ada", "Ada", since=clock.now - 2 * DAY * 1000) == mine[:2]
    assert await found(room, "Ada", "Ada", until=clock.now - 2 * DAY * 1000) == [tables["lobby"]]
    ask = room.tables.archive.games
    page = await ask(room.people["Ada"], ArchiveFilters(players=("Ada",)), 2)
    following = await ask(room.people["Ada"], ArchiveFilters(players=("Ada",)), 2, page[-1].id)
    assert [card.id for card in (*page, *following)] == mine
    for before in (tables["private"], "unknown"):
        with refused("no_table"):
            await ask(room.people["Cy"], ArchiveFilters(), 2, before)
    for filters, code in (
        (ArchiveFilters(game="chess"), "no_page"),
        (ArchiveFilters(place=1), "place_of_nobody"),
        (ArchiveFilters(players=("Dee",)), "no_player"),
        (ArchiveFilters(players=("A", "B", "C", "D", "E", "F", "G")), "malformed"),
    ):
        with refused(code):
            await ask(None, filters, 2)

    # Hidden results aren't found by the name either.
    ada, bo = room.people["Ada"], room.people["Bo"]
    await room.tables.profiles.set_visibility(ada, ProfileVisibility(results="followed"))
    await room.tables.profiles.follow(ada, "Cy")
    assert await found(room, "Cy", "Ada") == await found(room, "Cy", "Bo", "Ada") == [tables["lobby"]]
    for who in (None, room.people["Dee"]):
        with refused("not_shown"):
            await ask(who, ArchiveFilters(players=("Bo", "Ada")), 2)
    assert await found(room, "Bo", "Ada", "Bo") == mine
    with refused("not_shown"):
        await ask(bo, ArchiveFilters(players=("Ada",)), 2)


# -- profiles ------------------------------------------------------------------------------------------------------


async def test_a_profile_shows_each_reader_what_its_owner_wants(both: Room, clock: Time) -> None:
    room = both
    for name in ("Ada", "Bo", "Cy"):
        await account(room, name)
    profiles = room.tables.profiles
    empty = await profiles.profile(None, "ADA")
    assert (empty.name, empty.places, empty.recent, empty.achievements) == ("Ada", (), (), ())
    listed = await over(room, "Ada", "Bo")
    clock.passes(DAY)
    hidden = await over(room, "Bo", "Ada", visibility="link")
    for reader, tables in ((None, [listed]), ("Cy", [listed]), ("Bo", [hidden, listed]), ("Ada", [hidden, listed])):
        who = None if reader is None else room.people[reader]
        seen = await profiles.profile(who, "Ada")
        assert [card.id for card in seen.recent] == tables
        assert [(each.game, each.seats, each.games) for each in seen.places] == [("atacama", 2, len(tables))]
        assert {each.table for each in seen.achievements} <= {*tables, ""}
        assert (seen.own, seen.together) == (reader == "Ada", 2 if reader == "Bo" else 0)
        assert seen.last_together == (hidden if reader == "Bo" else "")
        statistics = await profiles.statistics(who, "Ada", "atacama")
        assert [each.table for each in statistics.scores] == tables[::-1]
        assert [(each.name, each.games) for each in statistics.opponents] == [("Bo", len(tables))]
        assert sum(each.games for each in statistics.by_seat) == len(tables)
        assert {each.key for each in statistics.sources} <= {"column", "row"}

    ada, cy = room.people["Ada"], room.people["Cy"]
    assert {each for each in PARTS if each not in (await profiles.profile(cy, "Ada")).shown} == {"online"}
    await profiles.set_visibility(ada, ProfileVisibility(*["nobody"] * len(PARTS)))  # type: ignore[arg-type]
    seen = await profiles.profile(cy, "Ada")
    assert (seen.name, seen.shown) == ("Ada", ())
    assert (seen.since, seen.online, seen.places, seen.recent, seen.achievements) == (None, None, (), (), ())
    with refused("not_shown"):
        await profiles.statistics(cy, "Ada", "atacama")
    assert len((await profiles.profile(ada, "Ada")).recent) == 2
    await profiles.set_visibility(ada, ProfileVisibility(*["followed"] * len(PARTS)))  # type: ignore[arg-type]
    assert (await profiles.profile(cy, "Ada")).shown == ()
    assert await profiles.follow(ada, "cy") == await profiles.follow(ada, "Cy") == "Cy"
    assert (await profiles.profile(cy, "Ada")).shown == tuple(sorted(PARTS))
    assert [(each.name, each.online) for each in await profiles.followed(ada)] == [("Cy", None)]
    await profiles.follow(cy, "Ada")
    await room.tables.store.change_user(cy.id, seen=clock.now)
    [followed] = await profiles.followed(ada)
    assert (followed.online, followed.invitable) == (True, True), "somebody who was active a moment ago is here"
    clock.passes(DAY)
    assert (await profiles.followed(ada))[0].online is False
    await profiles.follow(ada, "Cy", yes=False)
    assert (await profiles.profile(cy, "Ada")).shown == () and await profiles.followed(ada) == ()

    for code, call in (
        ("no_player", profiles.profile(cy, "Nobody")),
        ("no_player", profiles.profile(cy, "")),
        ("yourself", profiles.follow(ada, "Ada")),
        ("needs_account", profiles.follow(await room.person("Guest"), "Ada")),
        ("sign_in", profiles.set_visibility(None, ProfileVisibility())),
    ):
        with refused(code):
            await call
    # A deleted account leaves neither a profile nor followers.
    await profiles.follow(ada, "Cy")
    await room.tables.accounts.delete(cy, "Cy")
    assert await profiles.followed(ada) == ()
    with refused("no_player"):
        await profiles.profile(ada, "Cy")
    export = msgspec.json.decode(b"".join([part async for part in await room.tables.accounts.export(ada)]))
    assert {each["table"] for each in export["results"]} == {listed, hidden} and export["follows"] == []
    assert export["profile"] == dict.fromkeys(PARTS, "followed")


async def test_invitations_by_name(both: Room) -> None:
    room = both
    for name in ("Ada", "Bo", "Cy"):
        await account(room, name)
    ada, bo, cy = (room.people[name] for name in ("Ada", "Bo", "Cy"))
    setup = room.tables.table_setup
    table = await room.table("atacama", "Ada", "Guest", "x", "y", start=False)
    for user, seat in ((await room.person("x"), 2), (await room.person("y"), 3)):
        await room.tables.departures.leave(user, table, seat)
    link = await setup.invite(ada, table, 2)
    assert await setup.invite_person(ada, table, "BO", 2) == "Bo"
    assert [card.id for card in await room.tables.table_lists.mine(bo) if card.invited] == [table]
    assert (await setup.invited(cy, link)).closed == "taken"
    with refused("taken"):
        await setup.accept(cy, link)
    assert [await setup.join(bo, table), await setup.invite_person(ada, table, "Cy")] == [2, "Cy"]
    await room.tables.profiles.set_visibility(cy, ProfileVisibility(invitations="nobody"))
    for code, call in (
        ("invited_already", setup.invite_person(ada, table, "Bo")),
        ("not_yours", setup.invite_person(bo, table, "Ada")),
        ("no_player", setup.invite_person(ada, table, "Guest")),
        ("yourself", setup.invite_person(ada, table, "Ada")),
        ("not_invitable", setup.invite_person(ada, table, "Cy")),
    ):
        with refused(code):
            await call
    await account(room, "Dee")
    with refused("no_free_seat"):
        await setup.invite_person(ada, table, "Dee")


# -- pages ---------------------------------------------------------------------------------------------------------


def test_pages_of_the_archive_and_of_profiles(site: Site) -> None:
    ada, bo, stranger = site.browser("Ada"), site.browser("Bo"), site.browser()
    for page in ("/archive", "/statistics/atacama"):
        assert 'href="/new' in stranger.get(page).text, "a new server invites"
    ada.post("/account/code", {"name": "Ada/Öl"})
    bo.post("/account/code", {"name": "Bo"})
    mine = "/@Ada%E2%88%95%C3%96l"
    assert 'href="/lobby"' in ada.get(mine).text and "visibility" in ada.get(mine).text
    assert stranger.get("/@ada%E2%88%95%C3%B6l").headers["location"] == mine
    room = Room(site.tables, None, {})  # type: ignore[arg-type]

    async def play() -> str:
        for name, browser in (("Ada", ada), ("Bo", bo)):
            assert browser.user is not None
            row = await site.tables.store.user(browser.user.id)
            assert row is not None
            room.people[name] = user_of(row)
        return await over(room, "Ada", "Bo")

    table = site.call(play)
    assert f'href="/t/{table}"' in stranger.get("/archive").text
    assert f'href="/t/{table}"' in stranger.get("/archive?player=ada/öl&with=Bo&seats=2&since=2020-01-01").text
    for address, status in (
        ("/archive?player=Nobody", 404),
        ("/archive?place=1", 422),
        ("/archive?since=31.12.2020", 422),
        ("/archive?since=0001-01-01&until=9999-12-31", 200),
        ("/archive?game=chess", 404),
        ("/archive?seats=x", 422),
        ("/@Nobody", 404),
        (f"{mine}/chess", 404),
        (f"{mine}/toy", 200),
        (f"{mine}/atacama", 200),
        ("/statistics", 303),
        ("/statistics/chess", 404),
    ):
        answer = stranger.get(address)
        assert answer.status_code == status, address
        if status == 200:
            assert "Nobody" not in answer.text
    assert "aria-invalid" in stranger.get("/archive?player=Nobody").text
    page = bo.get(mine).text
    assert "has won" in page or "have won" in page, "a profile of somebody else names the winners"
    assert f'href="/t/{table}"' in page and f"{mine}/follow" in page and "invited=Ada/%C3%96l" in page
    assert bo.post(f"{mine}/follow", {"follow": "yes"}).headers["location"] == mine
    assert "Ada/Öl" in bo.get("/@Bo").text and 'value="no"' in bo.get(mine).text
    assert bo.get(f"/t/{table}/profile?take=0").headers["location"] == mine
    assert f"/t/{table}/profile?take=0" in bo.get(f"/t/{table}").text
    again = bo.post(f"/t/{table}/rematch").headers["location"]
    assert f"/t/{table}/rematch" in page and again in ada.get("/").text, "invited again"
    # The audiences of the parts.
    assert ada.post("/profile", dict.fromkeys(PARTS, "nobody")).status_code == 303
    assert f'href="/t/{table}"' not in bo.get(mine).text
    assert bo.get(f"{mine}/atacama").status_code == 403
    assert bo.get("/archive?player=Ada/%C3%96l").status_code == 403
    for path in ("/archive?player=Ada/%C3%96l", f"/people{mine.replace('@', '')}/statistics/atacama"):
        assert Program(site, None).ask("GET", path).status_code == 403
    assert f'href="/t/{table}"' in ada.get(mine).text
    # A new table for somebody.
    new = {"game": "atacama", "seats": "2", "seat.0": "me", "seat.1": "invite", "invited": "bo"}
    made = ada.post("/new", new).headers["location"]
    assert made in bo.get("/").text and "Bo" in ada.get(made).text
    for wrong in ({"invited": "Nobody"}, {"seat.1": "bot:beginner"}):
        assert ada.post("/new", new | wrong).status_code == 422
    program = Program(site, None)
    answer = program.ask("GET", "/archive", params={"player": "Bo", "until": "2100-01-01"})
    assert [card["id"] for card in answer.json()] == [table]
    assert program.ask("GET", "/archive", params={"since": "yesterday"}).status_code == 422
    assert program.ask("GET", "/people/Bo").json()["places"][0]["game"] == "atacama"


def test_a_server_without_an_archive_shows_no_games_of_others(sqlite_url: str) -> None:
    with site_at(sqlite_url, no_archive=True) as site:
        ada = site.browser("Ada")
        ada.post("/account/code", {"name": "Ada"})
        for page in ("/archive", "/statistics", "/statistics/atacama", "/api/v1/archive"):
            assert ada.get(page).status_code == 404
        assert "/archive" not in ada.get("/").text
        assert ada.get("/@Ada").status_code == 200 and site.browser().get("/@Ada/atacama").status_code == 403


# -- achievements and figures --------------------------------------------------------------------------------------


def played(number: int, **values: Any) -> PlayedGame:
    """A game on a day of its own."""
    usual: dict[str, Any] = {"game": "a", "seats": 2, "seat": 0, "place": 2, "penalized": False}
    usual |= {"others_penalized": False, "people": frozenset({"x"}), "others": True, "bots": frozenset()}
    return PlayedGame(table=f"t{number}", ended=number * 86_400_000, **(usual | values))


def test_achievements_have_the_day_of_the_game_that_brings_them() -> None:
    games = [
        played(1),
        played(2, place=1, others=False, people=frozenset(), bots=frozenset({"strong"})),
        played(3, place=1, others=False, people=frozenset(), bots=frozenset({"expert"})),
        played(4, place=1, penalized=True, others_penalized=True),
        played(5, others_penalized=True),
        played(6, place=1, seat=1),
        *(played(10 + n, game=f"g{n}", place=1, seats=3, people=frozenset({f"p{n}", f"q{n}"})) for n in range(5)),
    ]
    random.Random(1).shuffle(games)
    found = {(each.key, each.game): each for each in achievements(games, {"a": 737_000})}
    days = {key: (each.day - date(1970, 1, 1)).days for key, each in found.items() if each.table}
    expected = {"first_win": 4, "beat_expert": 3, "no_penalty": 5, "every_seat": 6}
    assert {key: day for (key, game), day in days.items() if game == "a"} == expected
    assert days["ten_people", ""] == 14 and days["five_games", ""] == 13
    assert found["first_win", "g0"].table == "t10" and found["puzzle_week", "a"].day == date.fromordinal(737_000)
    assert [each.day for each in found.values()] == sorted((each.day for each in found.values()), reverse=True)
    assert achievements([], {}) == ()


def test_a_week_of_puzzles_is_noted_on_its_last_day() -> None:
    [puzzle] = list(puzzles(atoll.games["atacama"]).values())[:1]
    known = LearningProgress()
    for day in range(1, PUZZLE_DAYS + 3):
        assert ("atacama" in known.streaks) == (day > PUZZLE_DAYS)
        known = progress_after_try(known, "atacama", puzzle, True, True, date(2026, 1, day))
    assert known.streaks == {"atacama": date(2026, 1, PUZZLE_DAYS).toordinal()}


def test_a_chart_of_scores_stays_in_its_frame() -> None:
    for values in ([7], [0, 0], [-12, 3, 250], [*range(300)]):
        at = datetime(2026, 1, 1, tzinfo=UTC)
        chart = score_chart([PlayedScore("t", at, value, 1 + value % 2, 2) for value in values])
        assert 2 <= len(chart.levels) <= 6 and chart.levels[0][0] <= min(values[-100:])
        assert chart.levels[-1][0] >= max(values[-100:])
        assert all(56 <= dot.x <= 386 and 16 <= dot.y <= 194 for dot in chart.dots) and len(chart.dots) <= 100
        assert bool(chart.mean) == (len(values) > 1)


def test_figures_hide_cells_with_few_games() -> None:
    game = atoll.games["atacama"]
    choice = game.notation.parse("place r1c1 base")

    def some(count: int, seats: int, options: str, start: int | None) -> list[CountedGame]:
        places = [1, *[2] * (seats - 1)]
        return [
            CountedGame(
                f"{options}{n}", seats, options, {}, 40 + n, tuple(places), tuple(range(seats)), (start,) * seats
            )
            for n in range(count)
        ]

    figures = game_figures(
        game, [*some(ENOUGH, 2, "a", choice), *some(5, 2, "b", None), *some(ENOUGH - 1, 3, "a", choice)]
    )
    assert figures.games == {2: ENOUGH + 5, 3: ENOUGH - 1}
    [two] = figures.by_seats
    assert (two.seats, two.games, [each.value for each in two.won]) == (2, ENOUGH + 5, [1, 0])
    assert two.won[0].low > 0.8 and two.length.low < two.length.value < two.length.high
    assert [each.games for each in two.options] == [ENOUGH], "five games with other options show nothing"
    assert [(each.choice, each.won.games, each.won.value) for each in two.starts] == [
        ("place r1c1 base", 2 * ENOUGH, 0.5)
    ]


async def test_figures_come_from_games_of_people_and_are_computed_daily(both: Room) -> None:
    table = await over(both, "Ada", "Bo")
    await over(both, "Ada", "+")
    await _copies(both, table, ENOUGH)
    assert (await both.tables.figures.figures("atacama")).computed is None
    await both.scheduler._sweep("")
    figures = await both.tables.figures.figures("atacama")
    assert figures.games == {2: ENOUGH + 1} and figures.computed is not None
    [two] = figures.by_seats
    assert {round(each.value) for each in two.won} <= {0, 1} and two.starts
    await both.scheduler._sweep("")
    with refused("no_page"):
        await both.tables.figures.figures("chess")


async def _copies(room: Room, table: str, count: int) -> None:
    """Copy a finished game."""

    def work(connection: Any) -> None:
        for each, column in (
            (schema.games, "id"),
            (schema.seats, "game_id"),
            (schema.choices, "game_id"),
            (schema.results, "game_id"),
        ):
            found = [dict(row._mapping) for row in connection.execute(select(each).where(each.c[column] == table))]
            for number in range(count):
                connection.execute(insert(each), [row | {column: f"copy{number}"} for row in found])

    await room.tables.store._database.write(work)
