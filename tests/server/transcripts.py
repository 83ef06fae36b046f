"""Transcripts: every byte that one reader gets of a table, while the private side acts.

`lived` makes a table with all that a table can have: drafts, plans, notes, hints, try-outs, an answer taken back,
votes, clocks, calendars, and channels of every kind. `Tables.told` records all that one reader gets of it, over every
route. `differences` compares two transcripts. Metrics and logs belong to the transcript, since operators read them.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiosmtplib
import httpx2
import msgspec
import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from atoll.engine import PUBLIC, Game, audience_of_seats
from atoll.server.bots import pool
from atoll.server.bots.pool import BotPool
from atoll.server.domain import wall_clock
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.model import Clock
from atoll.server.domain.notices import KINDS
from atoll.server.domain.planned_answers import Plan
from atoll.server.http.session import cookie_name
from atoll.server.notify import safe_http
from atoll.server.notify.channels import KINDS as CHANNELS
from atoll.server.notify.channels import ChannelSender
from atoll.server.notify.dispatcher import NotificationDispatcher
from atoll.server.play.heartbeat import Heartbeat
from atoll.server.play.planned_turns import plan_of
from atoll.server.play.reports import GivenReport
from atoll.server.play.scheduler import Scheduler
from atoll.server.play.subjects import Subject
from atoll.server.presentation import texts
from atoll.store import ChannelRow
from tests.draws import same_secrets
from tests.toy.kinds import GIVE, KEEP, PLAY, REST, TAKE

from .conftest import GAMES, Room, Site, opened, site_at
from .test_rights import API, PAGES
from .test_secrecy import NAMES, at_checkpoint

Address = tuple[str, str]
Answer = tuple[int, list[tuple[str, str]], bytes]
Told = dict[Address, Answer]

OPERATOR = "OPERATOR"
"""The method of what only the operator reads: metrics and logs."""

LETTER = "LETTER"
"""The method of what leaves the server for a reader's channels."""

_DAY_MS = 86_400_000
_CLOCK = Clock(7 * 86_400, 86_400, 7 * 86_400, hours=True, vacation=True)
_SENDING: dict[str, Any] = {
    "smtp": "smtp://127.0.0.1:1",
    "mail_from": "atoll@example.org",
    "secret": "a secret of this server",
    # The rest of a limit depends on the duration of the requests.
    "limits": dict.fromkeys(DEFAULTS, ""),
}

# These start something or end the session; they are asked last.
_ENDING = ("/end-others", "/me/sessions", "/sign-in", "/device/finish")
_LAST = ("/play", "/play-on", "/new", "/leave", "/sign-out", "/settings/delete", "/unsubscribe/{token}", *_ENDING)
_SOUGHT = ("", "?seat=0", "?seat=1", "?seat=2", "?at=3", "?seat=1&at=3")
_WATCHED = "?watch={table}&watch=lobby"
# A key pair of P-256 and a secret, as a browser gives them.
_PUSH = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


@dataclass(frozen=True)
class Private:
    """The acts of two players that nobody else may learn of.

    Attributes:
        draft: Which of the legal choices the player to move stages, as an index.
        restarts: How often that player drops a staged choice before.
        note: Private notes of both players.
        plan: The other player's planned answer.
        hint: The share that the bot's hint names.
        topic: The path of a channel, and the hour at which quiet hours begin.
    """

    draft: int = 0
    restarts: int = 1
    note: str = "white shells"
    plan: str = "act: rest"
    hint: float = 0.25
    topic: int = 1


ONE = Private()
OTHER = Private(1, 1, "pink  pearls", "act: dive", 0.75, 2)
BUSY = Private(restarts=4)


@dataclass
class Spied:
    """The private side of a running table, for planted leaks."""

    site: Site | None = None
    table: str = ""

    def _live(self) -> Any:
        assert self.site is not None
        return self.site.tables.executor._live[self.table]

    def cards(self) -> str:
        """The deck and the hands."""
        state = self._live().position.state
        return repr([state.deck, *state.hands])

    def content(self) -> str:
        """Drafts, plans, notes, and hints."""
        live = self._live()
        hints = [each.prospects for each in live.advice.values()]
        return repr([[row.draft for row in live.seats], [row.plan for row in live.seats], live.notes, hints])

    def mark(self) -> int:
        """A small number that depends on the content and on the cards."""
        return zlib.crc32((self.content() + self.cards()).encode()) % 997

    def hint(self) -> Any:
        """The hint that a seat got."""
        return next(iter(self._live().advice.values()), None)

    def plan(self) -> Plan | None:
        """The plan of any seat."""
        live = self._live()
        return next((plan for plan in (plan_of(live, row.seat) for row in live.seats) if plan is not None), None)

    def count(self) -> int:
        """The number of drafts so far."""
        return sum(row.revision for row in self._live().seats)


SPIED = Spied()
"""The table whose transcript is being recorded."""


@dataclass
class Tables:
    """A database with one table, as a file that can be copied and changed."""

    file: Path
    table: str
    tokens: Mapping[tuple[str, str], str]
    movers: tuple[str, ...] = ()
    choices: tuple[tuple[int, int, str], ...] = ()
    games: Mapping[str, Game] = field(default_factory=lambda: GAMES)
    report: str = "none"
    person: str = "none"
    _copies: int = 0

    def copy(self, change: Callable[[sqlite3.Connection], None] = lambda _: None) -> Tables:
        """Return the same table in a file of its own, changed."""
        self._copies += 1
        file = self.file.with_name(f"{self._copies}-{self.file.name}")
        shutil.copy(self.file, file)
        with sqlite3.connect(file) as connection:
            change(connection)
        connection.close()
        return Tables(file, self.table, self.tokens, self.movers, self.choices, self.games, self.report, self.person)

    def told(
        self, name: str | None, monkeypatch: pytest.MonkeyPatch, private: Private | None = None, only: str = ""
    ) -> Told:
        """Return the transcript of one reader.

        Args:
            name: One of the players, or None for a spectator.
            monkeypatch: For what must not run meanwhile.
            private: What other players do while the reader's streams are open; None: nothing.
            only: A pattern of the addresses that are asked; all if empty.
        """

        async def nothing(_: Any) -> None:
            await asyncio.Event().wait()

        with monkeypatch.context() as patch, same_secrets("told"):
            for runs in (Scheduler, Heartbeat, NotificationDispatcher):
                patch.setattr(runs, "run", nothing)
            patch.setattr(BotPool, "warm", nothing)
            patch.setattr(pool, "_LATE_S", 60.0)  # on a busy machine, too, workers answer what they are asked
            sent = _catch_letters(patch)
            before = _samples()
            with capture_logs() as log, site_at(f"sqlite:///{self.copy().file}", self.games, **_SENDING) as site:
                SPIED.site, SPIED.table = site, self.table
                asked = _Asking(site, self, name, re.compile(only))
                found: Told = site.call(asked.all, private, patch, sent)
                SPIED.site = None
            found[OPERATOR, "log"] = (0, [], msgspec.json.encode([_plain(entry) for entry in log]))
            found[OPERATOR, "metrics"] = (0, [], _counted(before, _samples()))
        texts.log_once.cache_clear()  # not all words that rules pages show are there for the toy
        return found


def _plain(entry: Mapping[str, Any]) -> dict[str, str]:
    """A log entry as text, without times and places of this run."""
    return {key: re.sub(r"/\S+|0x[0-9a-f]+|\d+\.\d+", "", str(value)) for key, value in entry.items()}


def _samples() -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """All counts but those of the cache of fragments, which depend on what this process has drawn before."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for metric in REGISTRY.collect()
        if metric.name.startswith("atoll_") and metric.type in ("counter", "histogram")
        if metric.name != "atoll_fragment_lookups"
        for sample in metric.samples
        if not sample.name.endswith(("_created", "_sum", "_bucket"))
    }


def _counted(before: Mapping[Any, float], after: Mapping[Any, float]) -> bytes:
    """The metrics that have changed, and by how much."""
    changed = {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}
    return msgspec.json.encode(sorted(changed.items()))


def _catch_letters(patch: pytest.MonkeyPatch) -> list[tuple[str, bytes]]:
    """Record the messages that would leave this server: address, and content before encryption."""
    sent: list[tuple[str, bytes]] = []

    async def post(_: Any, url: str, content: bytes, headers: Mapping[str, str]) -> safe_http.Reply:
        shown = {
            key: value for key, value in headers.items() if key.lower() not in ("authorization", "atoll-signature")
        }
        sent.append((url, msgspec.json.encode(shown, order="deterministic") + content))
        return safe_http.Reply(200, None, "")

    async def send(message: Any, **_: Any) -> None:
        del message["Date"]
        text = re.sub(r"={8,}\w+==", "", message.as_string())  # boundaries between parts are random
        sent.append((f"mailto:{message['To']}", text.encode()))

    patch.setattr(safe_http.SafeHttpClient, "post", post)
    patch.setattr(aiosmtplib, "send", send)
    patch.setattr("http_ece.encrypt", lambda content, **_: content)
    patch.setattr("time.time", lambda: wall_clock.now_ms() / 1000)
    return sent


class _Stream:
    """An event stream that is open while things happen."""

    def __init__(self, site: Site, address: str, headers: Mapping[str, str]) -> None:
        path, _, query = address.partition("?")
        self.heads: list[tuple[str, str]] = []
        self.status: int = 0
        self.body: bytes = b""
        self._gone: asyncio.Event = asyncio.Event()
        self._begun: asyncio.Event = asyncio.Event()
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(key.encode(), value.encode()) for key, value in {**headers, "host": "127.0.0.1"}.items()],
            "client": ("127.0.0.1", 1),
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "root_path": "",
            "http_version": "1.1",
            "app": site.app,
        }
        self._task: asyncio.Task[None] = asyncio.create_task(site.app(scope, self._receive, self._send))
        self._hub: Any = site.tables.hub

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.heads = sorted((name.decode(), value.decode()) for name, value in message["headers"])
        else:
            self.body += message.get("body", b"")
        self._begun.set()

    async def quiet(self) -> None:
        """Wait until the stream has sent all that it had to tell."""
        await self._begun.wait()
        while not self._task.done() and not self._is_quiet():  # noqa: ASYNC110 - no event says that a stream is idle
            await asyncio.sleep(0.001)

    def _is_quiet(self) -> bool:
        return all(
            each._waiting is not None and not each._waiting.done() and not each.ended and not each._tables
            for each in self._hub._streams
        )

    async def end(self) -> Answer:
        """Close the stream and return all that it has sent."""
        await self.quiet()
        self._gone.set()
        async with asyncio.timeout(60):
            await self._task
        return self.status, self.heads, self.body


class _Asking:
    """One reader's requests."""

    def __init__(self, site: Site, tables: Tables, name: str | None, only: re.Pattern[str]) -> None:
        self._site: Site = site
        self._tables: Tables = tables
        self._name: str | None = name
        self._only: re.Pattern[str] = only
        self._found: Told = {}
        self._own: dict[str, str] = {kind: token for (who, kind), token in tables.tokens.items() if who == name}
        # In the application's own loop: hundreds of requests without a change of thread for each step of each.
        transport = httpx2.ASGITransport(site.app, raise_app_exceptions=False)
        self._client: httpx2.AsyncClient = httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    async def all(self, private: Private | None, patch: pytest.MonkeyPatch, sent: Sequence[tuple[str, bytes]]) -> Told:
        """Return the whole transcript."""
        await self._site.tables.table_views.table(None, self._tables.table)  # it is in memory
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._client.aclose)
            await self._while_streams_are_open(private, patch)
            await self._letters(patch, sent)
            for method, address, body, is_api in self._addresses():
                if self._only.search(f"{method} {address}"):
                    self._found[method, address] = await self._answer(method, address, body, is_api)
        return self._found

    async def _while_streams_are_open(self, private: Private | None, patch: pytest.MonkeyPatch) -> None:
        table = self._tables.table
        addresses = [
            f"/events{_WATCHED}".replace("{table}", table),
            f"/api/v1/events{_WATCHED}&views=true".replace("{table}", table),
        ]
        streams = []
        for each in addresses:
            streams.append(_Stream(self._site, each, self._headers(is_api="/api/" in each)))
            await streams[-1].quiet()  # one after the other, so that the order of their reads is always the same
        if private is not None:
            patch.setattr(BotPool, "advise", _hint(private.hint))
            for step in self._steps(private):
                await step()
                for stream in streams:
                    await stream.quiet()
        if self._name is None or private is not None:
            # This message is public; it makes streams send delayed events.
            speaker = next(name for name in NAMES if (name, "api") in self._tables.tokens)
            await self._do(speaker, "POST", f"/tables/{table}/chat", {"text": "well"})
        for address, stream in zip(addresses, streams, strict=True):
            self._found["GET", f"{address} (while things happen)"] = await stream.end()

    def _steps(self, private: Private) -> list[Callable[[], Awaitable[Any]]]:
        mover, other = self._tables.movers
        table, seat, spare = self._tables.table, NAMES.index(mover), NAMES.index(other)
        at = f"/tables/{table}/seats/{seat}"
        prompt, _, choice = private.plan.partition(": ")
        plan = {"steps": [{"prompt": prompt, "choices": [choice]}]}
        quiet = {"first": 20 + private.topic, "last": 7}
        hook = {"kind": "webhook", "address": {"url": f"https://example.org/{private.topic}"}}
        return [
            partial(self._do, mover, "PUT", f"/tables/{table}/notes", {"text": private.note}),
            partial(self._do, other, "PUT", f"/tables/{table}/notes", {"text": private.note}),
            partial(self._do, other, "PUT", f"/tables/{table}/seats/{spare}/plan", plan),
            *[partial(self._draft, mover, at, private.draft, restart=True)] * private.restarts,
            partial(self._do, mover, "POST", f"{at}/try", {"choices": []}),
            partial(self._do, mover, "POST", f"{at}/advice", {}),
            partial(self._do, mover, "PUT", "/me/quiet", quiet),
            partial(self._do, mover, "POST", "/me/channels", hook),
            partial(self._draft, mover, at, private.draft, restart=False),
        ]

    async def _draft(self, name: str, at: str, index: int, *, restart: bool) -> None:
        legal = (await self._do(name, "GET", f"{at}/legal")).json()["turn"]
        given = {"choices": [legal["legal"][index]], "stamp": legal["stamp"], "confirm": False}
        done = (await self._do(name, "POST", f"{at}/apply", given)).json()
        if restart:
            await self._do(name, "POST", f"{at}/restart", {"stamp": done["stamp"]})

    async def _do(self, name: str, method: str, path: str, body: Any = None) -> Any:
        """Let another player do something; it must go through."""
        self._client.cookies.clear()
        token = self._tables.tokens[name, "api"]
        headers = {"authorization": f"Bearer {token}"}
        answer = await self._client.request(method, f"/api/v1{path}", json=body, headers=headers)
        assert answer.status_code < 300, f"{method} {path}: {answer.text}"
        return answer

    async def _letters(self, patch: pytest.MonkeyPatch, sent: Sequence[tuple[str, bytes]]) -> None:
        """Collect the letters that leave the server for the reader in the next days."""
        if self._name is None:
            return
        tables = self._site.tables
        with patch.context() as later:
            now = wall_clock.now_ms()
            later.setattr(wall_clock, "now_ms", lambda: now + 2 * _DAY_MS)
            await NotificationDispatcher(tables.executor, tables.presence, ChannelSender(tables.settings)).look()
        for number, (address, content) in enumerate(sorted(sent)):
            if f"/{self._name}." in address or f":{self._name}@" in address:
                self._found[LETTER, f"{number} {address}"] = (0, [], content)

    def _addresses(self) -> list[tuple[str, str, Any, bool]]:
        """Every route of pages and API, with all that is sought there."""
        table = self._tables.table
        channel = f"push{self._name}"
        given = {
            "{id}": table,
            "{table}": table,
            "{name}": "table.css",
            "{game}": "atacama",
            "{sequence}": "3",
            "{message}": "0",
            "{report}": self._tables.report,
            "{member}": self._tables.person,
            "{picture}": "none",
            "{channel}": channel if self._name else "none",
        }
        pages = [(method, path, body, False) for (method, path), (body, _) in PAGES.items()]
        asked = pages + [(method, f"/api/v1{path}", body, True) for (method, path), (body, _) in API.items()]
        found = []
        for method, path, body, is_api in sorted(asked, key=lambda each: (each[0] != "GET", each[1].endswith(_LAST))):
            filled = path
            for mark, value in given.items():
                filled = filled.replace(mark, value)
            token = self._own.get("calendar" if "calendar" in path else "mail", "x.y")
            filled = filled.replace("{token}", token)
            for address in [filled.replace("{seat}", str(seat)) for seat in range(3 if "{seat}" in path else 1)]:
                sought: tuple[str, ...] = _SOUGHT if method == "GET" and table in address else ("",)
                if path.endswith(("/events", "/poll", "/versions")):
                    sought = (_WATCHED, f"{_WATCHED}&views=true") if path == "/api/v1/events" else (_WATCHED,)
                if path in ("/t/{id}/preview", "/t/{id}/why"):
                    number = path.endswith("preview")
                    sought += tuple(
                        f"?seat={seat}&" + (f"choices={choice}" if number else f"choice={text.replace(' ', '+')}")
                        for seat, choice, text in self._tables.choices
                    )
                given_body = {"choices": ["dive"]} if is_api and path.endswith("/try") else body
                found += [(method, address + query.replace("{table}", table), given_body, is_api) for query in sought]
        return found

    def _headers(self, *, is_api: bool) -> dict[str, str]:
        # Ids that the server draws differ with the number of other people's requests.
        headers = {"accept-encoding": "gzip", "x-request-id": "the-readers"}
        if self._own and is_api:
            headers["authorization"] = f"Bearer {self._own['api']}"
        elif self._own:
            headers["cookie"] = f"{cookie_name(self._site.tables)}={self._own['session']}"
        return headers

    async def _answer(self, method: str, address: str, body: Any, is_api: bool) -> Answer:
        self._client.cookies.clear()
        headers = self._headers(is_api=is_api)
        if re.search(r"/events(\?|$)", address):
            return await _Stream(self._site, address, headers).end()
        sent = {} if body is None else {"json": body} if is_api else {"data": body}
        if not is_api and method != "GET":
            page = (await self._client.get("/settings", headers=headers)).text
            headers["x-csrf"] = page.partition('name="csrf" content="')[2].partition('"')[0]
        answer = await self._client.request(method, address, headers=headers, follow_redirects=False, **sent)
        # A cookie that is to be forgotten says so with the time of day.
        given = [(key, re.sub("expires=[^;]*", "", value)) for key, value in answer.headers.multi_items()]
        return answer.status_code, sorted(given), answer.content


def _hint(chance: float) -> Callable[..., Any]:
    async def advise(_: BotPool, saved: str, seat: int, *__: Any) -> dict[str, Any]:
        return {"prospects": [{"choice": 0, "text": "rest", "share": chance, "points": [1, 2, 3], "visits": 9}]}

    return advise


def differences(one: Told, other: Told) -> list[str]:
    """Return the addresses at which two transcripts differ."""
    assert one.keys() == other.keys(), sorted(one.keys() ^ other.keys())
    return [" ".join(key) for key in one if one[key] != other[key]]


# -- a table with all that a table can have ------------------------------------------------------------------------


async def tokens(room: Room) -> dict[tuple[str, str], str]:
    """Return a session, an API token, a calendar, and the secret of a mail channel of each player."""
    found = {}
    for name in NAMES:
        if name in room.people:
            for kind in ("session", "api"):
                found[name, kind] = (await room.tables.users.sign_in(room.people[name].id, kind=kind)).token
            found[name, "calendar"] = await room.tables.deadlines.token(room.people[name])
            found[name, "mail"] = f"mail{name}.secret"
    return found


async def _reach(room: Room) -> None:
    """Give each player a channel of every kind."""
    for name in NAMES:
        who = await room.person(name)
        for kind in CHANNELS:
            address = (
                {"mail": f"{name}@example.org"} if kind == "mail" else {"url": f"https://{name}.{kind}.example/topic"}
            )
            row = ChannelRow(
                f"{kind}{name}", who.id, kind, address | (_PUSH if kind == "push" else {}), "secret", [*KINDS], "en", 0
            )
            await room.tables.store.notices.add_channel(row)
        room.tables.executor.notifiable_users.add(who.id)


async def _live(room: Room, table: str, mover: str, other: str, viewer: str) -> None:
    """Let happen at the table what all may know of: talk, votes, and vacation."""
    tables = room.tables
    for name in NAMES:
        await tables.chat.say(room.people[name], table, f"hello from {name}")
    seat = NAMES.index(other)
    await tables.votes.vote(room.people[other], table, seat, "pause", True)
    view = await room.view(viewer, table)
    undo = next((each for each in view.can if each.startswith("undo:")), "")
    if undo:
        await tables.votes.vote(room.people[viewer], table, NAMES.index(viewer), undo, True)
    await tables.calendars.set_hours(room.people[viewer], "Europe/Berlin", 9, 21)
    assert mover in room.people


async def _report(room: Room, table: str) -> tuple[str, str]:
    """Let each player be a moderator, and report the first message; return the report and its author."""
    tables = room.tables
    for who in room.people.values():
        await tables.store.change_user(who.id, role="moderator")
    given = GivenReport("insult", "look at this", "", "127.0.0.1", "en")
    await tables.reports.file(room.people[NAMES[1]], Subject(table, message=0), given)
    [report] = await tables.store.moderation.open_reports()
    return report.id, room.people[NAMES[0]].id


def _take_back(connection: sqlite3.Connection, table: str, seat: int, sequence: int) -> None:
    """Enter that a secret and a public answer of a seat were taken back by agreement."""
    rows = [[sequence - 1, seat, KEEP.first, audience_of_seats(seat)], [sequence - 1, seat, REST.first, PUBLIC]]
    [length] = connection.execute("SELECT count(*) FROM choices WHERE game_id = ?", (table,)).fetchone()
    connection.execute(
        "INSERT INTO undone (game_id, number, kind, length, sequence, taken, at) VALUES (?, 0, 'undo', ?, ?, ?, 0)",
        (table, length, sequence - 1, msgspec.json.encode(rows).decode()),
    )


def lived(url: str, folder: Path, length: int = 20) -> tuple[Tables, dict[str, Any]]:
    """Return a table that was played for a while, with all that a table can have, and its saved position."""

    async def play() -> tuple[str, dict[str, Any], dict[tuple[str, str], str], tuple[str, ...], tuple[str, str]]:
        async with opened(url, **_SENDING) as room:
            await _reach(room)
            table, position = await at_checkpoint(room, length, clock=_CLOCK, advice=True)
            [asked] = GAMES["toy"].load(position).to_move
            mover, viewer, other = (NAMES[(asked + step) % len(NAMES)] for step in range(3))
            await _live(room, table, mover, other, viewer)
            return table, position, await tokens(room), (mover, other), await _report(room, table)

    with same_secrets("lived"):
        table, position, known, movers, house = asyncio.run(play())
    file = folder / "atoll.db"
    with sqlite3.connect(file) as connection:
        _take_back(connection, table, NAMES.index(movers[1]), position["sequence"])
    connection.close()
    found = GAMES["toy"].load(position)
    choices = [
        (seat, choice, found.text(choice))
        for seat in found.to_move
        for choice in {
            *map(PLAY.choice, range(len(found.game.components.card_ids))),
            *found.legal_choices(seat),
            GIVE.first,
            TAKE.first,
        }
    ]
    return Tables(file, table, known, movers, tuple(sorted(choices)), GAMES, *house), position
