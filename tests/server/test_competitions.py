"""Competitions on a server: a season with people who vanish, kills during the draw, cups, evenings."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import pytest
from sqlalchemy import update
from typer.testing import CliRunner

from atoll.cli import main as cli
from atoll.server.domain import wall_clock
from atoll.server.domain.competitions import NewCompetition
from atoll.server.domain.model import Refused, User
from atoll.server.domain.playing_hours import DAY_MS
from atoll.server.play.commands import Command
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.executor import CommandExecutor
from atoll.server.play.table_lists import moment
from atoll.server.table import lifecycle
from atoll.server.table.live_table import LiveTable
from atoll.store import ChannelRow, Rename, StoreError, competition_job, schema
from atoll.store.competitions import CompetitionStore
from atoll.store.database import Sqlite
from atoll.testing.shares import give_seals, give_shares
from tests.toy import GAME as TOY

from .conftest import Browser, Program, Room, Site, Time, opened, refused, site_at
from .test_accounts import _all_that_is_kept as all_that_is_kept

pytestmark = pytest.mark.anyio

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lu", "Max")
VANISHED = frozenset(NAMES[-5:])
HOUR = 3600
DAY = 24 * HOUR


@dataclass(slots=True)
class Play(Command[None]):
    """Random answers of all seats but those of some people, as long as the others are asked."""

    name: ClassVar[str] = "play"
    without: frozenset[str] = frozenset()
    most: int = 10_000
    user: None = None
    chooser: random.Random = field(default_factory=lambda: random.Random(3))

    def apply(self, live: LiveTable, now: int) -> None:
        for _ in range(self.most):
            position = live.position
            if live.row.status != "running" or position is None:
                return
            seats = [s for s in position.to_move if live.seats[s].away or live.seats[s].name not in self.without]
            if not seats:
                return
            choice = self.chooser.choice(position.legal_choices(seats[0]))
            lifecycle.answer(live, seats[0], [choice], now, by_bot=True)


async def account(room: Room, name: str) -> User:
    await room.person(name)
    await room.tables.credentials.add_code(room.people[name])
    room.people[name] = await room.signed_in(name)
    return room.people[name]


async def do_jobs(room: Room) -> None:
    """Do all due jobs of competitions, clocks and starts, as the scheduler would; bots don't think here."""
    store = room.tables.store
    while True:
        now = wall_clock.now_ms()
        jobs = await store.lease_jobs(now, now + 1000)
        if not jobs:
            return
        for job in jobs:
            if job.kind in ("competition", "clock", "start"):
                try:
                    await room.scheduler._handlers[job.kind](job.game_id or job.id.partition(":")[2])
                except Refused as error:
                    assert error.status == 503, error.detail
                    await store.postpone_job(job, now + 60_000)
                    continue
            await store.finish_jobs([job])


async def tables_of(room: Room, id: str) -> list[str]:
    return [row.id for row, _ in await room.tables.store.tables_of_competition(id)]


async def begin(room: Room, clock: Time, id: str, without: frozenset[str] = frozenset()) -> None:
    """Let the players of all tables give their shares, but for some people, whose time passes."""
    for table in await tables_of(room, id):
        seats = (await room.view(None, table)).seats
        there = [seat.seat for seat in seats if seat.kind == "person" and seat.name not in without]
        await give_seals(room.tables, table, *there)
    if without:
        clock.passes(3 * DAY)
        await do_jobs(room)
    for table in await tables_of(room, id):
        await give_shares(room.tables, table)
    await do_jobs(room)


async def play(room: Room, id: str, without: frozenset[str] = frozenset()) -> None:
    for table in await tables_of(room, id):
        await room.tables.executor.execute(table, Play(without))


async def league(room: Room, clock: Time, *names: str, **given: Any) -> str:
    """A league that the operator has opened, with entries."""
    start = moment(clock.now + 8 * DAY_MS)
    new = NewCompetition("league", "toy", 4, **{"division": "13", "starts": start, "days": 42, **given})
    row = new_competition(room.tables.catalogue, new, clock.now, None)
    await room.tables.store.competitions.add(row)
    for name in names:
        await room.tables.competitions.enter(await account(room, name), row.id)
    return row.id


async def check_in(room: Room, clock: Time, id: str, *names: str) -> None:
    """A day before the season these people confirm; then it is time for the draw."""
    row = await room.tables.store.competitions.competition(id)
    assert row is not None and row.starts is not None
    clock.passes((row.starts - clock.now) / 1000 - DAY)
    await do_jobs(room)
    for name in names:
        await room.tables.competitions.check_in(room.people[name], id)
    clock.passes(DAY)


async def test_a_season_of_thirteen_of_whom_five_vanish(room: Room, clock: Time) -> None:
    service, store = room.tables.competitions, room.tables.store
    began = clock.now
    id = await league(room, clock, *NAMES)
    channel = ChannelRow("c", room.people["Ada"].id, "ntfy", {"url": "x"}, "s", ["competition"], "en", 0)
    await store.notices.add_channel(channel)
    room.tables.executor.notifiable_users.add(room.people["Ada"].id)
    before = await service.view(room.people["Ada"], id)
    assert before.seed == "" and before.can == ("leave",) and not before.divisions
    await check_in(room, clock, id, *NAMES)
    await do_jobs(room)
    clock.passes(20)
    await do_jobs(room)
    view = await service.view(room.people["Max"], id)
    assert {game.state for game in view.divisions[0].games} == {"gathering"}, "those who are away have days to come"
    await begin(room, clock, id, VANISHED)
    view = await service.view(room.people["Max"], id)
    assert view.card.state == "running" and view.can == ("drop_out",) and len(view.seed) == 64
    [division] = view.divisions
    assert len(division.games) == 13 and all(game.state == "running" for game in division.games)
    assert Counter(p.name for game in division.games for p in game.players) == dict.fromkeys(NAMES, 4)
    while clock.now < began + 60 * DAY_MS:
        await play(room, id, VANISHED)
        clock.passes(DAY)
        await do_jobs(room)
        await room.forget()  # the server is restarted every day
    view = await service.view(room.people["Ada"], id)
    assert view.card.state == "over"
    [division] = view.divisions
    assert (
        {line.name for line in division.standings if line.out}
        == VANISHED
        == {line.name for line in division.standings[-5:]}
    )
    assert all(game.state == "over" for game in division.games)
    for game in division.games:
        assert {p.name for p in game.players if p.absent} == VANISHED & {p.name for p in game.players}
        assert sorted(p.place for p in game.players if p.place)[:1] in ([1], [])
    stored = {each.name: (each.rank, each.points) for each in await store.competitions.entries(id)}
    assert stored == {line.name: (line.rank, line.points.replace("½", "1/2")) for line in division.standings}
    badges = await service.badges(division.standings[0].name)
    assert [(badge.rank, badge.division) for badge in badges] == [(1, 1)]
    # The next season has the others in the order of the standings, and bars those who vanished.
    [(season, _, next_id)] = view.seasons
    entries = await store.competitions.entries(next_id)
    ladder = [each.name for each in sorted(entries, key=lambda each: each.ladder or 99)]
    assert season == 2 and ladder == [line.name for line in division.standings[:8]]
    with refused("barred") as caught:
        await service.enter(room.people["Max"], next_id)
    assert caught.value.fields["n"] > 30
    told = [row.data["what"] for row in await _notices(room)]
    assert told[:2] == ["check_in", "drawn"] and told.count("over") == told.count("drawn") == 1
    # Too few are left for a division: the next season waits for more.
    following = await service.view(room.people["Ada"], next_id)
    assert following.card.state in ("open", "check_in") and following.card.starts is not None
    assert following.card.starts > datetime.fromtimestamp(clock.now / 1000 - DAY, UTC)
    await _outlive_tables_and_names(room, id)


async def _outlive_tables_and_names(room: Room, id: str) -> None:
    """Standings stay without tables, names follow a rename, and a deleted account leaves a line."""
    service, store = room.tables.competitions, room.tables.store
    before = await service.view(None, id)
    assert await store.drop_tables(1 << 60, begun=True) == 13
    after = await service.view(None, id)
    assert after.divisions[0].standings == before.divisions[0].standings
    assert {game.table for game in after.divisions[0].games} == {""}
    assert [game.players for game in after.divisions[0].games] == [game.players for game in before.divisions[0].games]
    first, second = before.divisions[0].standings[:2]
    user = await store.user(room.people[first.name].id)
    assert user is not None
    await store.credentials.rename(Rename(user, "Nia", "nia", 0, 0))
    await room.delete_account(second.name)
    last = await service.view(None, id)
    assert [line.name for line in last.divisions[0].standings[:2]] == ["Nia", ""]
    assert [line.points for line in last.divisions[0].standings] == [
        line.points for line in before.divisions[0].standings
    ]
    lots = {each.name: each.lot for each in before.entries}
    assert {each.name: each.lot for each in last.entries}["Nia"] == lots[first.name]
    kept = await all_that_is_kept(room)
    assert second.name not in kept


async def _notices(room: Room) -> list[Any]:
    rows = await room.tables.store.notices.lease(1 << 60, (1 << 60) + 1)
    return sorted((row for row in rows if row.kind == "competition"), key=lambda row: row.at)


class Killed(StoreError):
    """A stop before or after a write."""


def _killing(patch: pytest.MonkeyPatch, how: str) -> None:
    """Let one more write succeed: kill before the next one, or after this one and before its answer."""
    written = 0
    if how == "before":
        write = Sqlite.write

        async def killed(self: Sqlite, work: Any, *, short: bool = False) -> Any:
            nonlocal written
            written += 1
            if written > 1:
                raise Killed(how)
            return await write(self, work, short=short)

        patch.setattr(Sqlite, "write", killed)
    for owner, name in ((CommandExecutor, "add_unless_stored"), (CompetitionStore, "step")) if how == "after" else ():
        patch.setattr(owner, name, _then_killed(getattr(owner, name)))


def _then_killed(true: Any) -> Any:
    async def killed(*args: Any, **values: Any) -> Any:
        await true(*args, **values)
        raise Killed("after")

    return killed


async def _drawn(url: str, how: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Draw a season, each time killed one write later, and return all that the draw decided."""
    for kills in range(99):
        async with opened(url) as room:
            store = room.tables.store
            [id] = [row.id for row in await store.competitions.listed(ended=False, limit=9)]
            with monkeypatch.context() as patch:
                _killing(patch, how)
                try:
                    await room.tables.seasons.advance(id)
                except (Refused, Killed):
                    continue
            entries = [(e.name, e.state, e.tier, e.division, e.number) for e in await store.competitions.entries(id)]
            games = [(g.number, g.seating, g.game_id) for g in await store.competitions.games(id)]
            found = await store.tables_of_competition(id)
            tables = [(row.id, row.competition_id, [seat.name for seat in seats]) for row, seats in found]
            row = await store.competitions.competition(id)
            assert row is not None and row.state == "running" and len(tables) == 13
            return kills, (entries, games, tables)
    raise AssertionError("it never came to an end")


async def test_a_kill_at_each_step_of_the_draw_changes_nothing(
    sqlite_url: str, clock: Time, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url) as room:
        id = await league(room, clock, *NAMES)
        await check_in(room, clock, id, *NAMES)
    outcomes = {}
    for how in ("", "before", "after"):
        copy = tmp_path / f"copy{how}.db"
        copy.write_bytes((tmp_path / "atoll.db").read_bytes())
        outcomes[how] = await _drawn(f"sqlite:///{copy}", how, monkeypatch)
    assert outcomes[""][0] == 0 and outcomes["before"][0] >= 14 and outcomes["after"][0] == 15
    assert outcomes[""][1] == outcomes["before"][1] == outcomes["after"][1]


async def test_a_mini_cup_starts_when_it_is_full_and_its_winner_may_climb(both: Room, clock: Time) -> None:
    room, service = both, both.tables.competitions
    people = [await account(room, name) for name in NAMES[:8]]
    new = NewCompetition("mini", "toy", 4, division="7")
    id = await service.create(people[0], new)
    assert await service.create(people[1], new) == id, "there is one open cup of a kind"
    for who in people[:6]:
        await service.enter(who, id)
        await service.enter(who, id)  # twice is once
    answers = await asyncio.gather(*(service.enter(who, id) for who in people[6:]), return_exceptions=True)
    codes = [each.code for each in answers if isinstance(each, Refused)]
    assert len(answers) == 2 and codes in (["competition_full"], ["entries_closed"])
    await do_jobs(room)
    await begin(room, clock, id)
    view = await service.view(people[0], id)
    assert view.card.state == "running" and len(view.divisions[0].games) == 7 and view.card.entered == 7
    table = next(game.table for game in view.divisions[0].games if game.mine)
    seat = (await room.view(NAMES[0], table)).my_seats[0]
    can = (await room.view(NAMES[0], table)).can
    assert "leave" in can and not {"cancel", "pause", "invite"} & set(can)
    assert not [each for each in can if each.startswith("remove")]
    for subject in ("cancel", "pause"):
        with refused("of_competition"):
            await room.tables.votes.vote(people[0], table, seat, subject, True)
    await play(room, id)
    await do_jobs(room)
    view = await service.view(people[0], id)
    assert view.card.state == "over"
    above = next(each for _, level, each in view.seasons if level == 2)
    winner = view.divisions[0].standings[0].name
    await service.enter(room.people[winner], above)
    with refused("not_qualified"):
        await service.enter(people[7], above)
    assert sorted((level, season) for season, level, _ in view.seasons) == [(1, 2), (2, 1)]


async def test_a_player_drops_out_and_a_hard_end_finds_late_seats(room: Room, clock: Time) -> None:
    service, store = room.tables.competitions, room.tables.store
    people = [await account(room, name) for name in NAMES[:7]]
    id = await service.create(
        people[0], NewCompetition("mini", "toy", 4, division="7", days=14, private=True, title="x")
    )
    for who in people:
        await service.enter(who, id)
    await do_jobs(room)
    first = (await tables_of(room, id))[0]
    if people[0].name in [seat.name for seat in (await room.view(None, first)).seats]:
        with refused("of_competition"):
            await room.tables.departures.leave(people[0], first, (await room.view(NAMES[0], first)).my_seats[0])
    await begin(room, clock, id)
    # A bot replaces a player who leaves for good at all tables; the player can't return.
    await service.leave(people[1], id)
    await do_jobs(room)
    view = await service.view(people[1], id)
    mine = [game for game in view.divisions[0].games if game.mine]
    assert all(player.absent for game in mine for player in game.players if player.mine) and len(mine) == 4
    sat = (await room.view("Bo", mine[0].table)).my_seats[0]
    assert "return" not in (await room.view("Bo", mine[0].table)).can
    with refused("dropped_out"):
        await room.tables.departures.come_back(people[1], mine[0].table, sat)
    # The host annuls a game, pauses the others, and lets somebody else take the place; all can read why.
    with refused("not_host"):
        await service.host_act(people[1], id, "pause", "I want to", days=3)
    with refused("no_reason"):
        await service.host_act(people[0], id, "pause", "  ", days=3)
    with refused("bad_number"):
        await service.host_act(people[0], id, "pause", "holidays", days=99)
    others = [game.table for game in view.divisions[0].games if not game.mine]
    await service.host_act(people[0], id, "annul", "a fault", table=others[0])
    await service.host_act(people[0], id, "pause", "holidays", days=3)
    await account(room, "Zoe")
    with refused("not_out"):
        await service.host_act(people[0], id, "replace", "fair", names="Cy, Zoe")
    with refused("no_account_named"):
        await service.host_act(people[0], id, "replace", "fair", names="Bo, nobody")
    await service.host_act(people[0], id, "replace", "fair", names="Bo, Zoe")
    await do_jobs(room)
    view = await service.view(room.people["Zoe"], id)
    assert [each.act for each in view.host_log] == ["annul", "pause", "replace"]
    assert [each.what for each in view.host_log][1:] == ["3", ""]
    assert view.host_log[2].names == ("Bo", "Zoe")
    assert [game.state for game in view.divisions[0].games].count("annulled") == 1
    assert sum(game.mine for game in view.divisions[0].games) == 4
    assert not any(player.absent for game in view.divisions[0].games for player in game.players if player.mine)
    # Nobody answers any more, and the hard end comes: seats that are asked are late, the others keep their places.
    soon = clock.now + HOUR * 1000  # before any clock runs out
    await store._execute(update(schema.competitions).values(ends=soon))
    await store.set_jobs([competition_job(id, soon)])
    running = [game.game_id for game in await store.competitions.games(id) if not game.annulled]
    asked = {}
    for table in running:
        async with room.tables.executor.locked(table) as live:
            assert live.position is not None
            asked[table] = list(live.position.to_move)
    clock.passes(HOUR)
    await do_jobs(room)
    late = {game.game_id: game.late_seats for game in await store.competitions.games(id) if not game.annulled}
    assert late == asked
    await do_jobs(room)
    assert late == {g.game_id: g.late_seats for g in await store.competitions.games(id) if not g.annulled}
    await play(room, id)  # the bots finish
    await do_jobs(room)
    view = await service.view(people[0], id)
    assert view.card.state == "over"
    for game in view.divisions[0].games:
        if game.state != "annulled":
            assert [seat for seat, player in enumerate(game.players) if player.absent] == asked[game.table]
    zoe = room.people["Zoe"].id
    await room.delete_account("Zoe")
    assert (await service.view(people[0], id)).host_log[2].names == ("Bo", "")
    kept = await all_that_is_kept(room)
    assert "Zoe" not in kept and zoe not in kept


async def test_a_place_changes_hands_before_its_games_begin(room: Room, clock: Time) -> None:
    service, notices = room.tables.competitions, room.tables.store.notices
    people = [await account(room, name) for name in NAMES[:7]]
    new = NewCompetition("mini", "toy", 4, division="7", private=True, title="x")
    id = await service.create(people[0], new)
    for who in people:
        await service.enter(who, id)
    await do_jobs(room)
    zoe = await account(room, "Zoe")
    await notices.add_channel(ChannelRow("z", zoe.id, "ntfy", {"url": "x"}, "s", ["turn"], "en", 0))
    room.tables.executor.notifiable_users.add(zoe.id)
    tables = await tables_of(room, id)
    await give_seals(room.tables, tables[0])  # one list of seals is closed, the others aren't
    await service.host_act(people[0], id, "pause", "holidays", days=3)
    await service.leave(people[1], id)
    await do_jobs(room)
    await service.host_act(people[0], id, "replace", "fair", names="Bo, Zoe")
    views = {table: await room.view(None, table) for table in tables}
    hers = {table for table, view in views.items() if "Zoe" in [seat.name for seat in view.seats]}
    assert len(hers) == 4 and not any(seat.name == "Bo" for view in views.values() for seat in view.seats)
    told = [row.game_id for row in await notices.lease(1 << 60, (1 << 60) + 1) if row.user_id == zoe.id]
    assert sorted(filter(None, told)) == sorted(hers)
    await begin(room, clock, id)
    for table in tables:
        view = await room.view(None, table)
        assert view.status == "running" and view.paused_until is not None, "clocks stand still"
    assert not any(p.absent for game in (await service.view(zoe, id)).divisions[0].games for p in game.players)


async def test_an_evening_has_rounds_and_a_final_table(room: Room, clock: Time) -> None:
    service, store = room.tables.competitions, room.tables.store
    names = NAMES[:9]
    start = moment(clock.now + 3 * HOUR * 1000)
    new = NewCompetition("evening", "toy", 4, starts=start, rounds=2, minutes=45)
    row = new_competition(room.tables.catalogue, new, clock.now, None)
    await store.competitions.add(row)
    for name in names:
        await service.enter(await account(room, name), row.id)
    clock.passes(2.6 * HOUR)
    await do_jobs(room)
    with refused("entries_closed"):
        await service.enter(await account(room, "Zoe"), row.id)
    with refused("no_entry"):
        await service.check_in(room.people["Zoe"], row.id)
    for name in names:
        await service.check_in(room.people[name], row.id)
    clock.passes(0.4 * HOUR)
    sizes = []
    for round in (1, 2, 3):
        await do_jobs(room)
        for table in await tables_of(room, row.id):
            await give_shares(room.tables, table)
        await play(room, row.id, frozenset({"Ida"}) if round == 1 else frozenset())
        games = [game for game in await store.competitions.games(row.id) if game.round == round]
        sizes.append([len(game.seating) for game in games])
        clock.passes(45 * 60)
        await do_jobs(room)
        if round == 1:  # Ida never answers: her seat is late, a bot finishes, and the evening goes on without her
            await play(room, row.id)
            clock.passes(30)
            await do_jobs(room)
    assert sizes[0] == [3, 3, 3] and sizes[2] == [4]
    view = await service.view(room.people["Ada"], row.id)
    assert view.card.state == "over" and [line.rank for line in view.divisions[0].standings] == [*range(1, 10)]
    final = view.divisions[0].games[-1]
    best = {player.name for player in final.players}
    assert {line.name for line in view.divisions[0].standings[:4]} == best
    # With too few, an evening is canceled.
    few = new_competition(
        room.tables.catalogue,
        NewCompetition("evening", "toy", 4, starts=moment(clock.now + 2 * HOUR * 1000)),
        clock.now,
        None,
    )
    await store.competitions.add(few)
    await service.enter(room.people["Ada"], few.id)
    clock.passes(2 * HOUR)
    await do_jobs(room)
    assert (await service.view(None, few.id)).card.state == "cancelled"


async def test_what_is_impossible_is_refused(room: Room, clock: Time) -> None:
    service, now = room.tables.competitions, clock.now
    catalogue = room.tables.catalogue
    soon, good = moment(now + HOUR * 1000), moment(now + 8 * DAY_MS)
    cases: list[tuple[str, dict[str, Any]]] = [
        ("bad_division", {"division": "12"}),
        ("bad_division", {"seats": 3, "division": "13"}),
        ("bad_seats", {"seats": 9}),
        ("bad_seats", {"seats": 1}),
        ("bad_start", {"starts": soon}),
        ("bad_start", {"starts": moment(now - DAY_MS)}),
        ("bad_start", {"starts": None}),
        ("bad_start", {"starts": moment(now + 400 * DAY_MS)}),
        ("bad_number", {"days": 3}),
        ("bad_number", {"rounds": 99}),
        ("bad_number", {"minutes": 1}),
        ("bad_option", {"game": "chess"}),
        ("bad_option", {"private": True}),
        ("bad_option", {"kind": "knockout"}),
    ]
    for code, given in cases:
        values: dict[str, Any] = {
            "kind": "league",
            "game": "toy",
            "seats": 4,
            "division": "13",
            "starts": good,
            **given,
        }
        with refused(code):
            new_competition(catalogue, NewCompetition(**values), now, None)
    ada = await account(room, "Ada")
    with refused("operator_only"):
        await service.create(ada, NewCompetition("league", "toy", 4, "13", good))
    with refused("needs_account"):
        await service.create(await room.person("guest"), NewCompetition("mini", "toy", 4, "7"))
    id = await league(room, clock)
    with refused("needs_account"):
        await service.enter(room.people["guest"], id)
    with refused("sign_in"):
        await service.enter(None, id)
    with refused("no_entry"):
        await service.leave(ada, id)
    with refused("no_check_in"):
        await service.check_in(ada, id)
    with refused("no_page"):
        await service.view(ada, "unknown")
    # A late entry is on the waiting list, and a season without players is postponed.
    await service.enter(ada, id)
    await service.leave(ada, id)
    clock.passes(7.5 * DAY)
    await do_jobs(room)
    await service.enter(ada, id)
    with refused("late_entry"):
        await service.check_in(ada, id)
    clock.passes(DAY)
    await do_jobs(room)
    view = await service.view(ada, id)
    assert view.card.state == "open" and view.card.starts == moment(now + 15 * DAY_MS)
    assert [each.state for each in view.entries] == ["waiting"]
    # A host who vanishes leaves the cup to itself.
    private = [NewCompetition("mini", "toy", 2, "6", private=True, title=f"Cup {number}") for number in range(3)]
    [*_, cup] = [await service.create(ada, new) for new in private]
    with refused("many_cups"):
        await service.create(ada, NewCompetition("mini", "toy", 2, "6", private=True))
    await room.delete_account("Ada")
    view = await service.view(None, cup)
    assert view.host == "" and view.card.title == "Cup 2" and not view.entries
    assert id in [card.id for card in (await service.listed(None))[0]]
    assert cup not in [card.id for card in (await service.listed(None))[0]]


def test_the_operator_opens_a_league(sqlite_url: str) -> None:
    """Sign-up of its first player is on the page that the command prints."""

    def run(*more: str) -> Any:
        return CliRunner().invoke(
            cli.app, ["admin", "competition", "league", "atacama", "4", "--db", sqlite_url, *more]
        )

    for wrong, told in (("--division=12", "no division '12'"), ("--division=13", "a league needs a time")):
        answer = run(wrong)
        assert answer.exit_code == 1 and told in answer.output
    starts = f"{datetime.now(UTC) + timedelta(9):%Y-%m-%dT%H:%M}"
    answer = run("--division=13", "--starts", starts, "--public-url", "https://t.example")
    assert answer.exit_code == 0, answer.output
    with site_at(sqlite_url) as site:
        ada, here = _account(site, "Ada"), answer.output.strip().removeprefix("https://t.example")
        assert "League" not in here and ada.post(f"{here}/enter").status_code == 303
        assert "Atacama: league, season 1" in ada.get("/competitions").text


def test_pages_from_sign_up_to_the_badge(sqlite_url: str) -> None:
    with site_at(sqlite_url, {"toy": TOY}, start_after_s=0.0) as site:
        people = [_account(site, name) for name in NAMES[:6]]
        ada = people[0]
        assert "Nobody has opened a competition yet" in ada.get("/competitions").text
        form = {"game": "toy", "seats": "2", "kind": "mini", "division": "6", "days": "63"}
        wrong = ada.post("/competitions/new", {**form, "division": "13"})
        assert wrong.status_code == 422 and "Choose another division" in wrong.text
        assert ada.post("/competitions/new", {**form, "kind": "x"}).status_code == 422
        made = ada.post("/competitions/new", form)
        here = made.headers["location"]
        for each in people:
            assert each.post(f"{here}/enter").status_code == 303
        assert ada.post(f"{here}/dance").status_code == 404
        id = here.rpartition("/")[2]
        site.call(_finish, site, id)
        page = ada.get(here).text
        assert page.count("<tr") >= 7 and "Sonneborn-Berger" in page and "HMAC" in page
        assert "Kurzturnier" in ada.get(here, headers={"accept-language": "de"}).text
        assert f'href="{here}"' in ada.get("/competitions").text
        badges = {name: site.call(site.tables.competitions.badges, name) for name in NAMES[:6]}
        assert sorted(badge.rank for found in badges.values() for badge in found) == [1, 2, 3]
        best = next(name for name, found in badges.items() if found)
        assert f'href="{here}"' in ada.get(f"/@{best}").text
    with site_at(sqlite_url, {"toy": TOY}, no_leagues=True) as site:
        assert site.browser().get(here).status_code == 404
        assert site.browser().get("/competitions").status_code == 404
        assert "/competitions" not in site.browser().get("/").text


def test_programs_enter_read_and_withdraw(sqlite_url: str) -> None:
    with site_at(sqlite_url, {"toy": TOY}, start_after_s=0.0) as site:
        programs = [_program(site, name) for name in NAMES[:6]]
        ada, bo = programs[:2]
        assert ada.ask("GET", "/competitions").json() == {"current": [], "over": []}
        form = {"game": "toy", "seats": "2", "kind": "mini", "division": "6", "days": "63"}
        id = _account(site, "Zed").post("/competitions/new", form).headers["location"].rpartition("/")[2]
        here = f"/competitions/{id}"
        for _ in range(2):
            assert ada.ask("POST", f"{here}/entry").status_code == 204
        guest = site.program("Zoe")
        assert guest.ask("POST", f"{here}/entry").json()["code"] == "needs_account"
        assert bo.ask("DELETE", f"{here}/entry").json()["code"] == "no_entry"
        assert bo.ask("POST", f"{here}/check-in").json()["code"] == "no_check_in"
        [card] = ada.ask("GET", "/competitions").json()["current"]
        assert (card["id"], card["mine"], card["entered"], card["places"]) == (id, "entered", 1, 6)
        assert ada.ask("DELETE", f"{here}/entry").status_code == 204
        view = ada.ask("GET", here).json()
        assert view["can"] == ["enter"] and view["entries"] == [] and view["divisions"] == [] and view["seed"] == ""
        for each in programs:
            assert each.ask("POST", f"{here}/entry").status_code == 204
        site.call(_finish, site, id)
        view = ada.ask("GET", here).json()
        assert view["card"]["state"] == "over" and len(view["seed"]) == 64
        [division] = view["divisions"]
        assert [line["rank"] for line in division["standings"]] == [1, 2, 3, 4, 5, 6]
        assert len(division["games"]) == 30 and all(len(game["players"]) == 2 for game in division["games"])
        table = ada.ask("GET", f"/tables/{division['games'][0]['table']}")
        assert table.json()["status"] == "over"
        assert bo.ask("POST", f"{here}/entry").json()["code"] == "entries_closed"
        assert [each["id"] for each in site.program("Yan").ask("GET", "/competitions").json()["over"]] == [id]
        assert site.client.get(f"/api/v1{here}").json()["entries"][0]["mine"] is False
    with site_at(sqlite_url, {"toy": TOY}, no_leagues=True) as site:
        assert site.client.get("/api/v1/competitions").status_code == 404


def _program(site: Site, name: str) -> Program:
    """A program that acts for an account."""
    program = site.program(name)
    site.call(site.tables.credentials.add_code, program.user)
    return program


def _account(site: Site, name: str) -> Browser:
    browser = site.browser(name)
    browser.post("/account/code", {"name": name})
    return browser


async def _finish(site: Site, id: str) -> None:
    """Play all games of a cup to the end, and wait for its end."""
    async with asyncio.timeout(30):
        while True:
            row = await site.tables.store.competitions.competition(id)
            assert row is not None
            if row.state == "over":
                return
            for table, _ in await site.tables.store.tables_of_competition(id):
                await give_shares(site.tables, table.id)
                await site.tables.executor.execute(table.id, Play())
            await asyncio.sleep(0.05)
