"""People who play tables through the JSON API, each with a connection and an event stream."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from atoll.testing.shares import seal_body, share_body
from scripts.soak import lacking

from .loaded import RETRY_S, Events, Requests, Unavailable

_PATIENCE_S: Final = 30.0
_BROWSER_WAITS_S: Final = 2.0
"""Time after which a browser opens a lost stream again; the server's `retry` says so."""


class _Turn(msgspec.Struct):
    stamp: str
    legal: list[int]
    texts: list[str]


class _Seat(msgspec.Struct):
    seat: int
    to_move: bool


class _View(msgspec.Struct):
    version: str
    status: str
    seats: list[_Seat]
    turn: _Turn | None


class _News(msgspec.Struct):
    game: str
    version: str
    view: _View | None = None


_read_view: Final = msgspec.json.Decoder(_View).decode
_read_news: Final = msgspec.json.Decoder(_News).decode


@dataclass(slots=True)
class Measured:
    """The times measured after all tables have begun.

    Attributes:
        to_begin: Number of tables that haven't begun yet.
        begun: Set when all tables have begun.
        running: Whether times are recorded.
        answered: Seconds until moves were answered.
        updated: Seconds until the other player had the new view.
    """

    to_begin: int
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    running: bool = False
    answered: list[float] = field(default_factory=list)
    updated: list[float] = field(default_factory=list)


class Person:
    """A person who plays at one table at a time.

    Attributes:
        table: Id of the table.
        version: Last version that the stream reported.
        view: Last view received; None if it is outdated.
        made: Acknowledged choices as texts, by table and seat.
        absences: Seconds that the stream was away each time it was lost.

    Args:
        port: Port of the server.
        name: Name of the guest.
        fetch: Whether the stream only reports changes, and views are requested.
        patient: Whether requests are repeated, and streams come back, while a server is away.
    """

    def __init__(self, port: int, name: str, *, fetch: bool, patient: bool) -> None:
        self._port: int = port
        self._name: str = name
        self._token: str = ""
        self._fetch: bool = fetch
        self._patient: bool = patient
        self._awaited: int = 0
        self._told: asyncio.Future[float] | None = None
        self._lost_at: float = 0.0
        self._return: asyncio.Task[None] | None = None
        self._requests: Requests = Requests(port)
        self._events: Events | None = None
        self.table: str = ""
        self.version: int = -1
        self.view: _View | None = None
        self.made: dict[tuple[str, int], list[str]] = {}
        self.absences: list[float] = []

    async def arrive(self) -> None:
        """Become a guest."""
        self._token = json.loads(await self.ask("POST", "/guests", {"name": self._name}))["token"]
        self._requests.close()
        self._requests = Requests(self._port, self._token)

    async def ask(self, method: str, path: str, body: Any = None) -> bytes:
        """Return the answer of the API, for which a patient person repeats the request."""
        while True:
            try:
                return await self._requests.ask(method, path, body)
            except (ConnectionError, Unavailable):
                if not self._patient:
                    raise
                await asyncio.sleep(RETRY_S)

    async def sit(self, table: str) -> None:
        """Open a stream that watches a table, instead of the one before."""
        self.table, self.version, self.view = table, -1, None
        await self._listen()

    async def _listen(self) -> None:
        if self._events is not None:
            self._events.close()
        # A router sends the stream to the server of the first table that it watches.
        path = f"/api/v1/events?watch={self.table}" + ("" if self._fetch else "&views=true")
        self._events = Events(path, f"authorization: Bearer {self._token}\r\n", self.told, self._lost)
        await self._events.open(self._port)

    def _lost(self) -> None:
        """Come back as a browser does."""
        if self._patient:
            self._lost_at = self._lost_at or time.perf_counter()
            self._return = asyncio.create_task(self._come_back())

    async def _come_back(self) -> None:
        await asyncio.sleep(_BROWSER_WAITS_S)
        await self._listen()

    async def seal(self, seat: int) -> None:
        """Seal a share of the chance."""
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/seal", seal_body(await self._chance(), seat))

    async def show(self, seat: int) -> None:
        """Show the share, once this server knows that the list of seals is closed."""
        while (chance := await self._chance())["terms"] is None:  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(RETRY_S)
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/share", share_body(chance, seat))

    async def _chance(self) -> Any:
        return json.loads(await self.ask("GET", f"/tables/{self.table}"))["chance"]

    def told(self, data: bytes) -> None:
        """Handle an event of the stream."""
        if self._lost_at:
            self.absences.append(time.perf_counter() - self._lost_at)
            self._lost_at = 0.0
        news = _read_news(data)
        if news.game != self.table or (version := _number(news.version)) < self.version:
            return
        self.version, self.view = version, news.view
        if self._told is not None and self.version >= self._awaited and not self._told.done():
            self._told.set_result(time.perf_counter())

    async def look(self) -> _View:
        """Return the view from the stream, or request it until it has the last version."""
        while self.view is None:
            view = _read_view(await self.ask("GET", f"/tables/{self.table}?log=1000000&chat=1000000"))
            if (version := _number(view.version)) >= self.version:
                self.version, self.view = version, view
            else:
                await asyncio.sleep(RETRY_S)
        return self.view

    async def until_begun(self) -> float:
        """Return the time at which the game had begun."""
        while (await self.look()).status == "gathering":  # noqa: ASYNC110 - as in `show`
            await asyncio.sleep(RETRY_S)
        return time.perf_counter()

    async def choose(self, seat: int, rng: random.Random) -> tuple[float, float]:
        """Make a random choice, and return when it was sent and when it was answered."""
        turn = (await self.look()).turn
        assert turn is not None
        at = rng.randrange(len(turn.legal))
        body = {"choices": [turn.legal[at]], "stamp": turn.stamp, "key": secrets.token_hex(8)}
        sent = time.perf_counter()
        await self.ask("POST", f"/tables/{self.table}/seats/{seat}/apply", body)
        answered = time.perf_counter()
        self.made.setdefault((self.table, seat), []).append(turn.texts[at])
        return sent, answered

    async def until(self, version: int) -> float:
        """Return the time at which a version of the view, or a later one, arrived."""
        at = 0.0
        if self.version < version:
            self._awaited, self._told = version, asyncio.get_running_loop().create_future()
            at = await self._told
        if self.view is None:
            await self.look()
            return time.perf_counter()
        return at or time.perf_counter()

    async def missing(self) -> int:
        """Return the number of acknowledged choices that no record has."""
        self._requests.close()  # the end of the game may have left a request without its answer
        self._requests = Requests(self._port, self._token)
        count = 0
        for (table, seat), made in self.made.items():
            record = json.loads(await self.ask("GET", f"/tables/{table}/export?seat={seat}"))["record"]
            count += len(lacking([step["choice"] for step in record if step["seat"] == seat], made))
        return count

    def leave(self) -> None:
        """Close all connections."""
        if self._return is not None:
            self._return.cancel()
        self._requests.close()
        if self._events is not None:
            self._events.close()


class Pair:
    """Two people who play one game after the other.

    Args:
        people: The two people.
        pace: Moves per second; 0 for as fast as possible.
        rng: Source of the choices.
        clock: Clock of the tables, or None.
    """

    def __init__(
        self, people: tuple[Person, Person], pace: float, rng: random.Random, clock: dict[str, int] | None = None
    ) -> None:
        self._people: tuple[Person, Person] = people
        self._pause: float = 1 / pace if pace else 0.0
        self._rng: random.Random = rng
        self._clock: dict[str, int] | None = clock

    async def _begin(self) -> None:
        first, second = self._people
        seats = [{"kind": "me"}, {"kind": "open"}]
        new = {"game": "atacama", "seats": seats, "visibility": "link", "clock": self._clock}
        new["key"] = secrets.token_hex(8)
        table = json.loads(await first.ask("POST", "/tables", new))["table"]
        for person in self._people:
            await person.sit(table)
        await second.ask("POST", f"/tables/{table}/join", {"key": secrets.token_hex(8)})
        for seat, person in enumerate(self._people):
            await person.seal(seat)
        for seat, person in enumerate(self._people):
            await person.show(seat)
        for person in self._people:
            await _patiently(person.until_begun())

    async def play(self, measured: Measured) -> None:
        """Play until canceled."""
        if self._pause:
            await asyncio.sleep(self._rng.random() * self._pause)
        await self._begin()
        measured.to_begin -= 1
        if not measured.to_begin:
            measured.begun.set()
        while True:
            view = await self._people[0].look()
            mover = next((seat.seat for seat in view.seats if seat.to_move), None)
            if mover is None:
                await self._begin()
                continue
            await self._move(self._people[mover], self._people[1 - mover], mover, measured)

    async def _move(self, actor: Person, other: Person, seat: int, measured: Measured) -> None:
        version = actor.version + 1
        update = asyncio.ensure_future(_patiently(other.until(version)))
        update.add_done_callback(lambda task: task.cancelled() or task.exception())
        sent, answered = await actor.choose(seat, self._rng)
        updated = await update
        await _patiently(actor.until(version))
        if measured.running:
            measured.answered.append(answered - sent)
            measured.updated.append(updated - sent)
        if self._pause:
            await asyncio.sleep(max(0.0, self._pause - (time.perf_counter() - sent)))


def _number(version: str) -> int:
    """Return the public part of a version."""
    return int(version.partition(".")[0])


async def _patiently(awaited: Awaitable[float]) -> float:
    async with asyncio.timeout(_PATIENCE_S):
        return await awaited
