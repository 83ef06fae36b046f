"""A solo league: the same draws for all, from a seed that stays secret until the season is over."""

import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import atoll
from atoll.cli import main as cli
from atoll.engine import SaveError
from atoll.engine import record as records
from atoll.server.domain import wall_clock
from atoll.server.domain.competitions import MOST_SOLO_ENTRIES, CompetitionView, NewCompetition
from atoll.server.domain.draw import seed_hash
from atoll.server.domain.model import Refused
from atoll.server.domain.playing_hours import DAY_MS
from atoll.server.domain.standings import PlayedGame, StandingLine, solo_standings
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.record_files import export_game
from atoll.server.play.restoring import restore_in_place
from atoll.server.play.table_lists import moment
from atoll.server.table import chance_protocol
from atoll.server.table.game_verification import verify
from atoll.store import EntryRow
from tests.chance.browsers import scripted

from .conftest import Room, Time, opened, refused, site_at
from .test_competitions import (
    DAY,
    NAMES,
    Killed,
    Play,
    _account,
    _killing,
    account,
    check_in,
    do_jobs,
    tables_of,
)

pytestmark = pytest.mark.anyio

ATUA = {"atua": atoll.games["atua"]}
PEOPLE = NAMES[:5]


# -- standings -------------------------------------------------------------------------------------


def test_standings_of_any_number_of_players_and_rounds() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        players, rounds = rng.randint(1, 30), rng.randint(1, 6)
        out = {player for player in range(players) if rng.random() < 0.2}
        games = [
            PlayedGame((player,), (rng.randint(1, 2),), (rng.randint(-3, 4),), frozenset(range(rng.random() < 0.2)))
            for player in range(players)
            for _ in range(rounds)
            if rng.random() < 0.9
        ]
        _check(solo_standings(games, range(players), out), games, players, out)


def _check(lines: list[StandingLine], games: list[PlayedGame], players: int, out: set[int]) -> None:
    """Each line has what its games give, and its rank is one more than the number of better lines."""
    assert sorted(line.player for line in lines) == list(range(players))
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    for line in lines:
        mine = [game for game in games if game.players == (line.player,) and not game.absent]
        assert line.games == len(mine) and line.wins == sum(game.places == (1,) for game in mine)
        assert line.points == sum(game.scores[0] for game in mine)
        value = (not line.out, line.wins, line.points)
        assert line.rank == 1 + sum((not other.out, other.wins, other.points) > value for other in lines)
        assert line.out == (line.player in out)


# -- seasons ---------------------------------------------------------------------------------------


async def solo(room: Room, clock: Time, *names: str, rounds: int = 3) -> str:
    """A solo league that the operator has opened, with entries."""
    new = NewCompetition("solo", "atua", 1, starts=moment(clock.now + 8 * DAY_MS), days=14, rounds=rounds)
    row = new_competition(room.tables.catalogue, new, clock.now, None)
    await room.tables.store.competitions.add(row)
    for name in names:
        await room.tables.competitions.enter(await account(room, name), row.id)
    return row.id


async def games_of(room: Room, id: str) -> dict[tuple[str, int], str]:
    """The tables by player and round."""
    names = {each.number: each.name for each in await room.tables.store.competitions.entries(id)}
    games = await room.tables.store.competitions.games(id)
    return {(names[game.seating[0]], game.round): game.game_id for game in games}


async def play(room: Room, tables: list[str], seed: int = 3, without: Collection[str] = ()) -> None:
    """Play games to the end, but for those that ask some people."""
    for number, table in enumerate(tables):
        await room.tables.executor.execute(table, Play(frozenset(without), chooser=random.Random(seed + number)))


async def draws_of(room: Room, table: str) -> list[tuple[int, int]]:
    """Kind and outcome of each draw of a game that has begun."""
    rows = await room.tables.store.choices(table)
    return [(row.number, row.choice) for row in rows if row.seat < 0]


async def outcomes_of(room: Room, table: str) -> list[int]:
    return [choice for _, choice in await draws_of(room, table)]


async def everything(room: Room, name: str | None, id: str, tables: list[str]) -> str:
    """All that a reader gets about a season and its tables; refusals are left out."""
    who = None if name is None else room.people[name]
    services = room.tables
    found: list[Any] = [await services.competitions.view(who, id), await services.competitions.listed(who)]
    found.append(await services.table_lists.lobby(who))
    reads: list[Callable[[str], Awaitable[Any]]] = [
        lambda table: services.table_views.table(who, table),
        lambda table: services.history.export(who, table),
        lambda table: services.history.proof(who, table),
        lambda table: services.history.record(who, table),
        lambda table: services.history.acts(who, table, since=-1),
        lambda table: services.history.moment(who, table, 0),
    ]
    for table in tables:
        for read in reads:
            try:
                found.append(await read(table))
            except Refused as error:
                assert error.code == "no_table", error.code
    return msgspec.json.encode(found).decode()


@pytest.mark.parametrize(("players", "rounds"), [(2, 2), (5, 3), (3, 6)])
async def test_all_have_the_same_draws_in_a_round_and_others_in_the_next(
    sqlite_url: str, clock: Time, players: int, rounds: int
) -> None:
    async with opened(sqlite_url, ATUA) as room:
        names = NAMES[:players]
        id = await solo(room, clock, *names, rounds=rounds)
        await check_in(room, clock, id, *names)
        await do_jobs(room)
        games = await games_of(room, id)
        assert games.keys() == {(name, round) for name in names for round in range(1, rounds + 1)}
        await play(room, list(games.values()))
        by_round: dict[int, list[list[int]]] = {round: [] for round in range(1, rounds + 1)}
        courses = set()
        for (_, round), table in games.items():
            by_round[round].append(await outcomes_of(room, table))
            courses.add(tuple(row.choice for row in await room.tables.store.choices(table)))
        assert len(courses) == len(games), "the players have chosen differently"
        for found in by_round.values():
            shortest = min(map(len, found))
            assert shortest > 30 and len({tuple(each) for each in found}) == 1
        assert len({tuple(found[0]) for found in by_round.values()}) == rounds


async def test_a_season_of_five_of_whom_one_drops_out_and_one_vanishes(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, ATUA) as room:
        service, store = room.tables.competitions, room.tables.store
        id = await solo(room, clock, *PEOPLE)
        before = await service.view(None, id)
        assert (before.card.places, before.rated, before.clock, before.seed) == (MOST_SOLO_ENTRIES, False, None, "")
        await check_in(room, clock, id, *PEOPLE)
        await do_jobs(room)
        row = await store.competitions.competition(id)
        assert row is not None and row.state == "running" and seed_hash(row.seed) == before.seed_hash
        games = await games_of(room, id)
        tables = list(games.values())
        for name in PEOPLE[:2]:
            await play(room, [games[name, round] for round in (1, 2, 3)], seed=10 * len(name))
        await play(room, [games[PEOPLE[2], 1]])
        await do_jobs(room)
        # Nobody learns the seed or sees a table of another player, not even after their own games.
        for reader in (None, *PEOPLE):
            own = [table for (player, _), table in games.items() if player == reader]
            text = await everything(room, reader, id, tables)
            assert row.seed not in text, reader
            assert [table for table in tables if table in text] == own, reader
        view = await service.view(room.people[PEOPLE[0]], id)
        assert view.seed == "" and {each.lot for each in view.entries} == {""}
        [division] = view.divisions
        assert [line.games for line in sorted(division.standings, key=lambda line: line.name)] == [3, 3, 1, 0, 0]
        await _verified_while_it_runs(room, games[PEOPLE[0], 1], row.seed)
        # One drops out and one vanishes: bots finish their games, and nothing of it counts.
        await play(room, [games[PEOPLE[2], round] for round in (2, 3)])
        await service.leave(room.people[PEOPLE[3]], id)
        await do_jobs(room)
        while wall_clock.now_ms() < (row.ends or 0):
            assert (await service.view(None, id)).seed == ""
            clock.passes(DAY)
            await do_jobs(room)
            await room.forget()
        await play(room, tables)  # in the place of bots
        clock.passes(60)
        await do_jobs(room)
        view = await service.view(None, id)
        assert view.card.state == "over" and view.seed == row.seed
        [division] = view.divisions
        last = [(line.name, line.rank, line.games, line.points, line.out) for line in division.standings[3:]]
        assert last == [(PEOPLE[4], 4, 0, "0", False), (PEOPLE[3], 5, 0, "0", True)]
        assert all(len(line.results) == 3 and all(line.results) for line in division.standings[:3])
        stored = {each.name: (each.rank, each.points) for each in await store.competitions.entries(id)}
        assert stored == {line.name: (line.rank, line.points) for line in division.standings}
        assert {game.table for game in division.games} == set(tables), "now everybody may look"
        wins = Counter(game.players[0].name for game in division.games if game.players[0].place == 1)
        assert {line.name: line.wins for line in division.standings} == {name: str(wins[name]) for name in PEOPLE}
        await _verified_afterwards(room, games, row.seed)
        await _next_season(room, view)


async def _verified_while_it_runs(room: Room, table: str, seed: str) -> None:
    """The own finished game can be replayed, but its file has no seed, and the judge says so."""
    ada = room.people[PEOPLE[0]]
    saved = await room.tables.history.export(ada, table)
    assert saved["status"] == "over" and saved["fairness"]["seed"] is None and saved["fairness"]["draws"] is None
    found = verify(ATUA, json.dumps(saved))
    assert (found.value, found.names, found.missing[0].reason) == ("open", ["seed"], "secret")
    url = room.tables.store.url.render_as_string()
    with pytest.raises(SaveError, match="others still play"):
        await export_game(url, table, ATUA)
    assert seed in await export_game(url, table, ATUA, running=True)


async def _verified_afterwards(room: Room, games: dict[tuple[str, int], str], seed: str) -> None:
    """Both judges say the same about a game, and find a seed, a round or draws that aren't the season's."""
    table = games[PEOPLE[0], 2]
    saved = json.loads(json.dumps(await room.tables.history.export(None, table)))
    assert saved["fairness"]["seed"] == seed and saved["fairness"]["seals"] == [""]
    fair = saved["fairness"]

    def with_shared(**changed: Any) -> dict[str, Any]:
        terms = fair["terms"] | {"shared": fair["terms"]["shared"] | changed}
        changed_file: dict[str, Any] = saved | {"fairness": fair | {"terms": terms}}
        return changed_file

    other = "22" * 32
    seal = chance_protocol.seed_digest(fair["offer"]["table"], fair["offer"]["round"], other)
    cases = [
        (saved, "open", ["share", "terms"]),
        (with_shared(round=1), "wrong", ["draws"]),
        (with_shared(competition="elsewhere"), "wrong", ["draws"]),
        (with_shared(first=1), "wrong", ["draws"]),
        (with_shared(seed_hash="11" * 32), "wrong", ["seed"]),
        (with_shared(seed_hash="x"), "wrong", ["form"]),
        (saved | {"fairness": fair | {"seed": other, "offer": fair["offer"] | {"seed": seal}}}, "wrong", ["seed"]),
        (saved | {"fairness": fair | {"seals": ["11" * 32]}}, "wrong", ["form"]),
        (saved | {"fairness": fair | {"terms": fair["terms"] | {"shared": None}}}, "wrong", ["draws"]),
    ]
    with scripted() as browser:
        for file, value, named in cases:
            found = verify(ATUA, json.dumps(file))
            assert (found.value, found.names) == (value, named)
            assert browser.judge(file, None, rules=True) == (value, named)
    url = room.tables.store.url.render_as_string()
    text = await export_game(url, table, ATUA)
    assert verify(ATUA, text).names == ["share", "terms"]
    shared = records.read(text).proof["shared"]
    with pytest.raises(SaveError, match="expected the id of a competition"):
        verify(ATUA, text.replace(shared, "season one"))


async def _next_season(room: Room, over: CompetitionView) -> None:
    """Those who finished are on its list; it has another seed; the best have a badge."""
    service = room.tables.competitions
    [(season, _, next_id)] = over.seasons
    view = await service.view(None, next_id)
    assert season == 2 and {each.name for each in view.entries} == {*PEOPLE} - {PEOPLE[3]}
    assert view.card.kind == "solo" and view.seed_hash != over.seed_hash and view.seed == ""
    with refused("barred"):
        await service.enter(room.people[PEOPLE[3]], next_id)
    [division] = over.divisions
    for line in division.standings[:3]:
        assert [badge.rank for badge in await service.badges(line.name)] == [line.rank]


async def test_the_hard_end_ends_late_games_and_too_few_players_postpone(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, ATUA) as room:
        service, store = room.tables.competitions, room.tables.store
        id = await solo(room, clock, *PEOPLE[:2], rounds=2)
        await check_in(room, clock, id, PEOPLE[0])
        await do_jobs(room)
        view = await service.view(None, id)
        assert (view.card.state, view.card.mine) == ("open", "") and view.card.starts == moment(clock.now + 7 * DAY_MS)
        await check_in(room, clock, id, *PEOPLE[:2])
        await do_jobs(room)
        games = await games_of(room, id)
        await play(room, [games[PEOPLE[0], 1], games[PEOPLE[0], 2], games[PEOPLE[1], 1]])
        row = await store.competitions.competition(id)
        assert row is not None and row.ends is not None
        late = games[PEOPLE[1], 2]
        for _ in range(4):
            await room.tables.executor.execute(late, Play(most=1))
            clock.passes(3 * DAY)
            await do_jobs(room)
        clock.passes((row.ends - clock.now) / 1000)
        await do_jobs(room)
        await play(room, [late])  # in the place of bots
        clock.passes(60)
        await do_jobs(room)
        view = await service.view(None, id)
        assert view.card.state == "over"
        [line] = [line for line in view.divisions[0].standings if line.name == PEOPLE[1]]
        assert line.games == 1 and line.results[1] == "" and not line.out, "a late game doesn't count"


async def test_a_deleted_account_and_a_restored_backup_keep_the_draws(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, ATUA) as room:
        id = await solo(room, clock, *PEOPLE[:3], rounds=2)
        await check_in(room, clock, id, *PEOPLE[:3])
        await do_jobs(room)
        games = await games_of(room, id)
        ada, bo = games[PEOPLE[0], 1], games[PEOPLE[1], 1]
        await play(room, [bo])
        await room.tables.executor.execute(ada, Play(most=9))
        await room.delete_account(PEOPLE[2])
        await room.forget()
        found = await restore_in_place(sqlite_url, ATUA)
        assert found.failed == []
        await room.forget()
        for table in await tables_of(room, id):
            await room.tables.executor.execute(table, Play())
        assert await outcomes_of(room, ada) == await outcomes_of(room, bo)
        await do_jobs(room)
        view = await room.tables.competitions.view(None, id)
        assert view.card.state == "over" and "" in {line.name for line in view.divisions[0].standings} | {""}
        saved = await room.tables.history.export(None, ada)
        found_verdict = verify(ATUA, json.dumps(saved))
        assert (found_verdict.value, found_verdict.names) == ("open", ["start", "share", "terms"])


async def test_a_kill_at_each_step_of_the_draw_changes_nothing(
    sqlite_url: str, clock: Time, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url, ATUA) as room:
        id = await solo(room, clock, *PEOPLE, rounds=2)
        await check_in(room, clock, id, *PEOPLE)
    outcomes = {}
    for how in ("", "before", "after"):
        copy = tmp_path / f"copy{how}.db"
        copy.write_bytes((tmp_path / "atoll.db").read_bytes())
        outcomes[how] = await _drawn(f"sqlite:///{copy}", id, how, monkeypatch)
    assert outcomes[""][0] == 0 and outcomes["before"][0] >= 10 and outcomes["after"][0] == 12
    assert outcomes[""][1] == outcomes["before"][1] == outcomes["after"][1]


async def _drawn(url: str, id: str, how: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Begin a season, each time killed one write later, and return all that has begun."""
    for kills in range(99):
        async with opened(url, ATUA) as room:
            with monkeypatch.context() as patch:
                _killing(patch, how)
                try:
                    await room.tables.seasons.advance(id)
                except (Refused, Killed):
                    continue
            games = await games_of(room, id)
            draws = {key: await draws_of(room, table) for key, table in games.items()}
            entries = [
                (each.name, each.state, each.number) for each in await room.tables.store.competitions.entries(id)
            ]
            return kills, (entries, games, draws)
    raise AssertionError("it never came to an end")


async def test_what_is_impossible_is_refused(sqlite_url: str, clock: Time) -> None:
    async with opened(sqlite_url, ATUA) as room:
        catalogue, starts = room.tables.catalogue, moment(clock.now + 8 * DAY_MS)

        def made(kind: Any, seats: int, **values: Any) -> Any:
            return new_competition(
                catalogue, NewCompetition(kind, "atua", seats, starts=starts, **values), clock.now, None
            )

        for kind, seats in (("solo", 2), ("league", 1), ("evening", 1), ("mini", 1)):
            with refused("bad_seats"):
                made(kind, seats, division="13")
        with refused("bad_number"):
            made("solo", 1, rounds=1)
        assert made("solo", 1).rated is False and made("evening", 4).rated is True
        id = await solo(room, clock, "Ada")
        with refused("operator_only"):
            await room.tables.competitions.create(room.people["Ada"], NewCompetition("solo", "atua", 1, starts=starts))
        for number in range(MOST_SOLO_ENTRIES - 1):
            user = (await room.tables.users.guest(f"P{number}")).user
            entry = EntryRow(id, user.id, user.name, clock.now, "waiting")
            assert await room.tables.store.competitions.enter(entry, ("open",), None, None) == "entered"
        with refused("competition_full"):
            await room.tables.competitions.enter(await account(room, "Bo"), id)


# -- pages, programs and the operator ----------------------------------------------------------------


def test_from_the_command_to_the_pages(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = datetime.now(UTC) + timedelta(9)
    command = ["admin", "competition", "solo", "atua", "1", "--db", sqlite_url, "--rounds", "2"]
    answer = CliRunner().invoke(cli.app, [*command, "--starts", f"{starts:%Y-%m-%dT%H:%M}"])
    assert answer.exit_code == 0, answer.output
    id = answer.output.strip().rpartition("/")[2]
    here = f"/competitions/{id}"
    with site_at(sqlite_url, ATUA) as site:
        people = {name: _account(site, name) for name in NAMES[:2]}
        ada, bo = people.values()
        german = {"accept-language": "de"}
        for each in people.values():
            assert each.post(f"{here}/enter").status_code == 303
        page = ada.get(here).text
        assert "Atua: solo league, season 1" in page and "never rated" in page and "Sonneborn" not in page
        assert "Solo-Liga, Saison 1" in ada.get(here, headers=german).text
        now = wall_clock.now_ms
        monkeypatch.setattr(wall_clock, "now_ms", lambda: now() + int(8.5 * DAY_MS))
        site.call(site.tables.seasons.advance, id)
        for each in people.values():
            assert each.post(f"{here}/check-in").status_code == 303
        monkeypatch.setattr(wall_clock, "now_ms", lambda: now() + int(9.5 * DAY_MS))
        site.call(site.tables.seasons.advance, id)
        games = site.call(_tables_by_name, site, id)
        mine, others = games["Ada"], games["Bo"]
        page = ada.get(here).text
        assert all(f"/t/{table}" in page for table in mine) and not any(f"/t/{table}" in page for table in others)
        for table in mine:
            site.call(site.tables.executor.execute, table, Play())
        seed = site.call(_seed, site, id)
        for path in ("", "/fairness", "/export", "/replay", "/record"):
            assert ada.get(f"/t/{mine[0]}{path}").status_code == 200, path
            assert seed not in ada.get(f"/t/{mine[0]}{path}").text
            assert bo.get(f"/t/{mine[0]}{path}").status_code == 404, path
        assert "when the season is over" in ada.get(f"/t/{mine[0]}/fairness").text
        assert "nach der Saison gezeigt" in ada.get(f"/t/{mine[0]}/fairness", headers=german).text
        assert "still secret" in ada.post(f"/t/{mine[0]}/verify", {"kept": ""}).text
        for table in others:
            site.call(site.tables.executor.execute, table, Play(chooser=random.Random(9)))
        site.call(site.tables.seasons.advance, id)
        page = bo.get(here).text
        assert seed in page and all(f"/t/{table}" in page for table in (*mine, *others))
        assert page.count("<tr") == 3 and "Round 2" in page
        assert "same draws" in bo.post(f"/t/{mine[0]}/verify", {"kept": ""}).text
        assert seed in bo.get(f"/t/{mine[0]}/fairness").text
        view = site.client.get(f"/api/v1{here}").json()
        assert view["card"]["kind"] == "solo" and view["seed"] == seed
        assert [len(line["results"]) for line in view["divisions"][0]["standings"]] == [2, 2]
        best = view["divisions"][0]["standings"][0]["name"]
        assert "Rank 1 in Atua: solo league, season 1" in ada.get(f"/@{best}").text


async def _seed(site: Any, id: str) -> str:
    row = await site.tables.store.competitions.competition(id)
    assert row is not None
    return str(row.seed)


async def _tables_by_name(site: Any, id: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row, [seat] in await site.tables.store.tables_of_competition(id):
        found.setdefault(seat.name, []).append(row.id)
    return found
