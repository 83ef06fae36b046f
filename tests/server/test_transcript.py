"""All that one reader is told over HTTP, byte by byte, at tables that differ only in what it can't know.

The channels are those of test_rights.py, which fails when a page or an operation of the API isn't in its lists. Random
secrets and the time are the same each time, so the bytes are, and with them headers and lengths of compressed answers.
Leaks are planted, and must be found.
"""

import asyncio
import contextlib
import itertools
import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from sqlalchemy import Engine, event

import atoll
from atoll.engine import Event, Game
from atoll.server.model import LogEntry
from atoll.server.tables import course, live
from atoll.server.tables import rights as rules_of_rights
from atoll.server.tables.history import History
from atoll.server.tables.life import Life
from atoll.server.tables.reading import Reading
from atoll.server.tables.scheduler import Scheduler
from atoll.server.web import texts
from atoll.server.web.session import COOKIE
from tests.draws import same_secrets

from .conftest import GAMES, Site, Time, opened, site_at
from .test_rights import API, PAGES
from .test_secrecy import NAMES, at_checkpoint, twins

Told = dict[tuple[str, str], tuple[int, list[tuple[str, str]], bytes]]

# What starts something that goes on by itself, or ends the session, is asked for in the end.
_LAST = ("/play", "/play-on", "/new", "/leave", "/sign-out")
PLAIN = ("atacama", "atlandice")
"""Games whose lines of the log all may see."""
_SOUGHT = ("", "?seat=0", "?seat=1", "?seat=2", "?at=3", "?seat=1&at=3", "?choice=wish+pink")


class Tables:
    """A database with a table, as a file that can be copied and changed."""

    def __init__(
        self,
        file: Path,
        table: str,
        tokens: dict[tuple[str, str], str],
        choices: tuple[str, ...] = (),
        games: Mapping[str, Game] = GAMES,
    ) -> None:
        self.file: Path = file
        self._games: Mapping[str, Game] = games
        self._choices: tuple[str, ...] = choices
        self.table: str = table
        self._tokens: dict[tuple[str, str], str] = tokens
        self._copies: int = 0

    def copy(self, change: Callable[[sqlite3.Connection], None] = lambda _: None) -> "Tables":
        """The same, changed."""
        self._copies += 1
        file = self.file.with_name(f"{self._copies}-{self.file.name}")
        shutil.copy(self.file, file)
        with sqlite3.connect(file) as connection:
            change(connection)
        connection.close()
        return Tables(file, self.table, self._tokens, self._choices, self._games)

    def told(self, name: str | None, monkeypatch: pytest.MonkeyPatch) -> Told:
        """All that is told to one of the players, or to a spectator."""

        async def nothing(_: Scheduler | Life) -> None:
            await asyncio.Event().wait()

        with monkeypatch.context() as patch, same_secrets("told"):
            patch.setattr(Scheduler, "run", nothing)
            patch.setattr(Life, "run", nothing)
            with site_at(f"sqlite:///{self.copy().file}", self._games) as site:
                known = {kind: self._tokens[name, kind] for kind in ("session", "api") if name}
                found: Told = site.call(_ask, site, self.table, known, self._choices)
        texts.note.cache_clear()  # not all words that rules pages show are there for the toy
        return found


async def _ask(site: Site, table: str, tokens: dict[str, str], choices: tuple[str, ...]) -> Told:
    found: Told = {}
    # In the application's own loop: hundreds of requests without a change of thread for each step of each.
    transport = httpx2.ASGITransport(site.app, raise_app_exceptions=False)
    client = httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1")
    pages = [(method, path, body, False) for (method, path), (body, _) in PAGES.items()]
    asked = pages + [(method, f"/api/v1{path}", body, True) for (method, path), (body, _) in API.items()]
    for method, path, body, is_api in sorted(asked, key=lambda each: (each[0] != "GET", each[1].endswith(_LAST))):
        filled = path.replace("{id}", table).replace("{table}", table).replace("{name}", "table.css")
        filled = filled.replace("{game}", "atacama").replace("{sequence}", "3").replace("{picture}", "none")
        filled = filled.replace("{channel}", "none").replace("{token}", "x.y")
        for address in [filled.replace("{seat}", str(seat)) for seat in range(3 if "{seat}" in path else 1)]:
            sought: tuple[str, ...] = _SOUGHT if method == "GET" and table in address else ("",)
            if path == "/t/{id}/preview":
                sought += choices
            for query in sought:
                found[method, address + query] = await _answer(
                    site, client, method, address + query, body, is_api, tokens
                )
    await client.aclose()
    return found


async def _answer(
    site: Site, client: httpx2.AsyncClient, method: str, address: str, body: Any, is_api: bool, tokens: dict[str, str]
) -> tuple[int, list[tuple[str, str]], bytes]:
    headers = {"accept-encoding": "gzip"}
    client.cookies.clear()
    if is_api and tokens:
        headers["authorization"] = f"Bearer {tokens['api']}"
    elif tokens:
        client.cookies.set(COOKIE, tokens["session"])
    if address.endswith("/events") or "/events?" in address:
        return await _stream(site, address, headers, dict(client.cookies))
    sent = {} if body is None else {"json": body} if is_api else {"data": body}
    if not is_api and method != "GET":
        page = (await client.get("/settings", headers=headers)).text
        headers["x-csrf"] = page.partition('name="csrf" content="')[2].partition('"')[0]
    answer = await client.request(method, address, headers=headers, follow_redirects=False, **sent)
    # A cookie that is to be forgotten says so with the time of day.
    given = [(key, re.sub("expires=[^;]*", "", value)) for key, value in answer.headers.multi_items()]
    return answer.status_code, sorted(given), answer.content


async def _stream(
    site: Site, address: str, headers: dict[str, str], cookies: dict[str, str]
) -> tuple[int, list[tuple[str, str]], bytes]:
    """What a stream begins with."""
    path, _, query = address.partition("?")
    sent: list[dict[str, Any]] = []
    given = {**headers, "host": "127.0.0.1", "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}

    enough = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if len(sent) == 3:
            enough.set()

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(a.encode(), b.encode()) for a, b in given.items()],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "root_path": "",
        "http_version": "1.1",
        "app": site.app,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("atoll.server.web.events.PING_S", 0.01)
        async with asyncio.timeout(60):
            await site.app(scope, receive, send)
    heads = sorted((name.decode(), value.decode()) for name, value in sent[0]["headers"])
    return sent[0]["status"], heads, b"".join(each.get("body", b"") for each in sent[1:3])


def differences(one: Told, other: Told) -> list[str]:
    """Where the two are told something else."""
    assert one.keys() == other.keys()
    return [" ".join(key) for key in one if one[key] != other[key]]


# -- tables that look the same -------------------------------------------------------------------------------------


def played(url: str, folder: Path) -> tuple[Tables, dict[str, Any]]:
    """A table that was played for a while, and its position."""

    async def play() -> tuple[str, dict[str, Any], dict[tuple[str, str], str]]:
        async with opened(url) as room:
            table, position = await at_checkpoint(room, 20)
            return table, position, await tokens(room)

    with same_secrets("played"):
        table, position, known = asyncio.run(play())
    found = GAMES["toy"].load(position)
    choices = [f"?seat={seat}&choices={choice}" for seat in found.to_move for choice in found.legal(seat)]
    return Tables(folder / "atoll.db", table, known, tuple(choices)), position


async def tokens(room: Any) -> dict[tuple[str, str], str]:
    """A session and an API token of each player."""
    found = {}
    for name in NAMES:
        if name in room.people:
            for kind in ("session", "api"):
                link = await room.tables.people.recovery_token(room.people[name])
                found[name, kind] = (await room.tables.people.recover(link, kind=kind)).token
    return found


def unlike(tables: Tables, position: dict[str, Any], viewer: int | None) -> Callable[[sqlite3.Connection], None]:
    """Other cards where the viewer can't know them: in the position, and in what has happened."""

    def change(connection: sqlite3.Connection) -> None:
        text = msgspec.json.encode(position).decode()
        quiet = msgspec.json.encode({**position, "since": [], "sealed": {}}).decode()
        connection.execute("UPDATE games SET position = ?, told = told + 1 WHERE id = ?", (text, tables.table))
        connection.execute(
            "UPDATE checkpoints SET position = ? WHERE game_id = ? AND sequence = ?",
            (quiet, tables.table, position["sequence"]),
        )
        rows = connection.execute(
            "SELECT number, origin, data FROM events WHERE game_id = ?", (tables.table,)
        ).fetchall()
        hidden = 0
        for number, origin, data in rows:
            if msgspec.json.decode(origin) != "game":
                continue
            event = Event.from_json(msgspec.json.decode(data))
            seen = event.seen_by(viewer)
            unknown = list(event.fields) if seen is None else seen["lacking"]
            hidden += len(unknown)
            fields = {**event.fields, **{name: _other(event.fields[name]) for name in unknown}}
            twin = msgspec.json.encode(Event(event.key, fields, event.hidden, event.audience).to_json()).decode()
            connection.execute(
                "UPDATE events SET data = ? WHERE game_id = ? AND number = ?", (twin, tables.table, number)
            )
        assert hidden or position["game"] in PLAIN, "nothing was hidden from this viewer"
        # Something more has happened, of which the viewer can't know.
        other = 1 << (0 if viewer else 1)
        connection.execute("UPDATE events SET number = -number - 1 WHERE number >= 5")
        connection.execute("UPDATE events SET number = -number WHERE number < 0")
        secret = msgspec.json.encode(Event("kept", {}, {}, other).to_json()).decode()
        connection.execute(
            "INSERT INTO events SELECT game_id, 5, sequence, origin, ?, at FROM events "
            "WHERE game_id = ? AND number = 6",
            (secret, tables.table),
        )

    return change


def _other(value: Any) -> Any:
    return value + 1 if type(value) is int else [_other(each) for each in value] if isinstance(value, list) else "other"


@pytest.fixture
def base(sqlite_url: str, tmp_path: Path, clock: Time) -> tuple[Tables, dict[str, Any]]:
    """A played table."""
    return played(sqlite_url, tmp_path)


@pytest.mark.parametrize("viewer", [0, None])
def test_at_twin_tables_all_that_is_told_is_the_same(
    base: tuple[Tables, dict[str, Any]], viewer: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, position = base
    name = None if viewer is None else NAMES[viewer]
    true = tables.told(name, monkeypatch)
    assert differences(true, tables.told(name, monkeypatch)) == [], "the same is told each time"
    assert sum(len(content) > 600 and status == 200 for status, _, content in true.values()) > 20
    for twin in list(twins(position, viewer))[:2]:
        assert differences(true, tables.copy(unlike(tables, twin, viewer)).told(name, monkeypatch)) == []


def _redealt(position: dict[str, Any], viewer: int, game: str, seed: int) -> dict[str, Any]:
    """The position with other secrets than those that the viewer, who is asked now, knows."""
    twin = atoll.games[game].load(position)
    twin.redeal(viewer, seed)
    changed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(twin.save_data()))
    assert changed != position, "there is nothing hidden"
    return changed


@pytest.mark.fuzz
@pytest.mark.parametrize("game", sorted(atoll.games))
def test_at_twin_tables_of_the_games_all_that_is_told_is_the_same(
    tmp_path: Path, clock: Time, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is asked, and whoever looks on, after a few moves and after many."""
    names = NAMES[: max(2, atoll.games[game].seat_counts[0])]

    async def play(url: str, length: int) -> tuple[str, dict[str, Any], dict[tuple[str, str], str]]:
        async with opened(url, atoll.games) as room:
            table = await room.table(game, *names)
            chooser = random.Random(length)
            for count in itertools.count():
                name, view = await room.mover(table, *names)
                who, seat, turn = room.people[name], view.seat, view.turn
                assert seat is not None and turn is not None
                if turn.can_confirm:
                    await room.tables.turn.confirm(who, table, seat, turn.stamp)
                else:
                    await room.tables.turn.choose(who, table, seat, [chooser.choice(turn.legal)], turn.stamp)
                live = await room.tables.keeper._find(table)
                assert live.position is not None and live.row.status == "running"
                data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(live.position.save_data()))
                if count >= length and not data["since"] and not data["sealed"] and not live.stages:
                    return table, data, await tokens(room)
            raise AssertionError

    for length in (6, 24):
        file = tmp_path / f"{length}.db"
        with same_secrets(f"played for {length}"):
            table, position, known = asyncio.run(play(f"sqlite:///{file}", length))
        tables = Tables(file, table, known, (), atoll.games)
        for viewer in atoll.games[game].load(position).to_move:
            twin = tables.copy(unlike(tables, _redealt(position, viewer, game, length), viewer))
            for name in (names[viewer], None):
                assert differences(tables.told(name, monkeypatch), twin.told(name, monkeypatch)) == []


def _shown_raw(entries: list[Any], events: Any, viewer: int | None) -> None:
    for row in events:
        if row.origin == "table" or Event.from_json(row.data).seen_by(viewer) is not None:
            entries.append(LogEntry(len(entries), row.sequence, row.origin, row.data["key"], row.data["fields"], ()))


def _shown_with_gaps(entries: list[Any], events: Any, viewer: int | None) -> None:
    for row in events:
        seen = row.data if row.origin == "table" else Event.from_json(row.data).seen_by(viewer)
        if seen is not None:
            lacking = tuple(seen.get("lacking", ()))
            entries.append(LogEntry(row.number, row.sequence, row.origin, seen["key"], seen["fields"], lacking))


def _any_seat(_live: Any, _who: Any, seat: int | None) -> int | None:
    return seat


def _any_row(found: live.Live, _user: Any, seat: int) -> Any:
    return found.seats[seat]


LEAKS: dict[str, list[tuple[Any, str, Any]]] = {
    "raw fields in the log": [(live, "add_entries", _shown_raw)],
    "gaps in the numbers of the log": [(live, "add_entries", _shown_with_gaps)],
    "views without the check of the seat": [(rules_of_rights, "viewer", _any_seat)],
    "previews without the check of the seat": [
        (rules_of_rights, "viewer", _any_seat),
        (rules_of_rights, "own_seat", _any_row),
    ],
}


@pytest.mark.source  # nothing can be planted into what is compiled
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(
    base: tuple[Tables, dict[str, Any]], leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, position = base
    for module, name, plant in LEAKS[leak]:
        monkeypatch.setattr(module, name, plant)
    [asked] = GAMES["toy"].load(position).to_move
    viewer = (asked + 1) % len(NAMES)
    where = "/preview" if "previews" in leak else ""
    true = tables.told(NAMES[viewer], monkeypatch)
    for twin in twins(position, viewer):
        found = differences(true, tables.copy(unlike(tables, twin, viewer)).told(NAMES[viewer], monkeypatch))
        if any(where in each for each in found):
            return
    raise AssertionError("nothing was found")


# -- answers to a sealed decision ----------------------------------------------------------------------------------


def sealed(folder: Path, name: str, wishes: list[str], wait: float, clock: Time) -> Tables:
    """A table where Ada has answered a sealed decision, after so long; the same people and secrets each time."""

    async def play() -> tuple[str, dict[tuple[str, str], str]]:
        async with opened(f"sqlite:///{folder}/{name}.db") as room:
            table = await room.table("toy", "Ada", "Bob")
            known = await tokens(room)
            turn = (await room.view("Ada", table)).turn
            assert turn is not None
            clock.passes(wait)
            await room.tables.turn.choose(room.people["Ada"], table, 0, wishes, turn.stamp, confirm=True)
            clock.passes(500 - wait)
            return table, known

    with same_secrets("sealed"):
        start = clock.now
        table, known = asyncio.run(play())
        clock.now = start + 500_000
    return Tables(folder / f"{name}.db", table, known)


@pytest.mark.parametrize("viewer", ["Bob", None])
def test_a_sealed_answer_tells_neither_its_length_nor_its_time(
    tmp_path: Path, clock: Time, viewer: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = clock.now
    told = []
    for name, wishes, wait in (
        ("short", ["wish pink", "enough"], 5.0),
        ("long", ["wish white", "wish pink", "wish blue"], 400.0),
    ):
        clock.now = start
        told.append(sealed(tmp_path, name, wishes, wait, clock).told(viewer, monkeypatch))
    assert differences(*told) == []


@contextlib.contextmanager
def statements() -> Iterator[Counter[str]]:
    """How often which statement is sent to the database: the work that an answer takes, whatever the machine does.

    A server's signs of life go by the clock and aren't of any answer.
    """
    found: Counter[str] = Counter()

    def count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "servers" not in statement:
            found[statement] += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def _worked(folder: Path, clock: Time, monkeypatch: pytest.MonkeyPatch) -> list[Counter[str]]:
    """What Bob's requests take at two tables where only the length of Ada's sealed answer differs."""
    start, found = clock.now, []
    for name, wishes in (("short", ["wish pink", "enough"]), ("long", ["wish white", "wish pink", "wish blue"])):
        clock.now = start
        tables = sealed(folder, name, wishes, 5.0, clock)
        with statements() as sent:
            tables.told("Bob", monkeypatch)
        assert sent
        found.append(sent)
    return found


def test_what_others_ask_takes_the_same_work_whatever_a_sealed_answer_is(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, long = _worked(tmp_path, clock, monkeypatch)
    assert short == long


def test_work_that_depends_on_a_sealed_answer_is_found(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal = Reading.legal

    async def again_for_each(self: Reading, who: Any, table: str, seat: int) -> Any:
        async with self._keeper.held(table) as found:
            assert found.position is not None
            answers = sum(map(len, found.position.sealed_answers.values()))
        for _ in range(answers):
            await self._keeper.store.messages(table)
        return await legal(self, who, table, seat)

    monkeypatch.setattr(Reading, "legal", again_for_each)
    short, long = _worked(tmp_path, clock, monkeypatch)
    assert short != long


def test_a_sealed_answer_that_tells_its_length_is_found(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = clock.now
    told = []
    answer = course.answer

    def counted(found: live.Live, seat: int, choices: Any, now: int, **values: Any) -> None:
        answer(found, seat, choices, now, **values)
        found.row.version += len(choices)

    monkeypatch.setattr(course, "answer", counted)
    for name, wishes in (("short", ["wish pink", "enough"]), ("long", ["wish white", "wish pink", "wish blue"])):
        clock.now = start
        told.append(sealed(tmp_path, name, wishes, 5.0, clock).told("Bob", monkeypatch))
    assert any("/versions" in each for each in differences(*told))


# -- moments -------------------------------------------------------------------------------------------------------


def _moments_are_those_that_were_seen(url: str) -> bool:
    async def play() -> bool:
        async with opened(url) as room:
            table = await room.table("toy", *NAMES)
            seen = {(await room.view(None, table)).view_sequence}
            for _ in range(40):
                await room.play(table, *NAMES, most=1)
                seen.add((await room.view(None, table)).view_sequence)
            last = (await room.view(None, table)).view_sequence
            await room.forget()
            moments = (await room.tables.history.moment(None, table, last)).moments
            record = await room.tables.store.choices(table)
            taken = {row.sequence for row in record if row.auto} - {row.sequence for row in record if not row.auto}
            assert taken, "nothing was taken unasked"
            return set(moments) >= seen and not taken & set(moments) - {last}

    with same_secrets("moments"):
        return asyncio.run(play())


def test_moments_show_no_choice_that_nobody_was_asked_for(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _moments_are_those_that_were_seen(sqlite_url)

    async def all_of_them(self: History, found: live.Live) -> list[tuple[int, int]]:
        return [(row.sequence, row.seat) for row in await self._keeper.store.choices(found.row.id)]

    monkeypatch.setattr(History, "steps", all_of_them)
    assert not _moments_are_those_that_were_seen(f"sqlite:///{tmp_path}/planted.db"), "the leak isn't found"
