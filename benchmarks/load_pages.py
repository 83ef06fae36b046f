"""Plays tables by their pages over HTTP: each person has one page open, as in a browser.

A page has a session, an event stream that reports changes, and the fragments that it was sent.
After an event it requests its changes and the acts since then. As its scripts do, it then requests
the picture after its own last choice, and half a second later the record's new lines. Choices and
confirmations are sent by its forms, which return the page's update.

Scripts, styles, and the pictures of acts between two updates, requested when several acts come at
once, aren't loaded.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import random
import re
import secrets
import time
import zlib
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

import atoll
from atoll.engine import Flag
from atoll.server.table.chance_protocol import new_secret
from atoll.testing.shares import seal_body, share_body

from .held import Held
from .loaded import RETRY_S, Events, Requests, Served, percentile

_LISTEN_S: Final = 0.5
_CONFIRMS: Final = 0.5
_PATIENCE_S: Final = 30.0
# Most players don't play their first game, the only one with a coach.
_NO_COACH: Final = base64.urlsafe_b64encode(json.dumps({"coach": dict.fromkeys(atoll.games, "off")}).encode()).decode()
_CSRF: Final = re.compile(r'<meta name="csrf" content="([^"]+)"')


@dataclass(slots=True)
class Counted:
    """The figures counted while the clock runs.

    Attributes:
        running: Whether figures are recorded.
        moves: Seconds until each move was answered.
        updates: Seconds until others had each update.
        sent: Bytes of each update.
    """

    running: bool = False
    moves: list[float] = field(default_factory=list)
    updates: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)


class Page:
    """A person's page of a table.

    Attributes:
        failed: Set to the error of a failed background request.
        moved: Time at which anybody last sent a choice at this table.
        changed: Set when an update arrives.
    """

    def __init__(self, port: int, counted: Counted) -> None:
        self._port: int = port
        self._counted: Counted = counted
        self._main: Requests = Requests(port)
        self._besides: Requests = Requests(port)
        self._cookies: dict[str, str] = {}
        self._csrf: str = ""
        self._secret: str = new_secret()
        self._stream: Events | None = None
        self._busy: asyncio.Lock = asyncio.Lock()
        self._follows: asyncio.Lock = asyncio.Lock()
        self._held: Held = Held()
        self._latest: str = ""
        self._acted: int | None = None
        self._lines: int = 0
        self._news: set[asyncio.Task[None]] = set()
        self._hearing: asyncio.Task[None] | None = None
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.moved: float = 0.0
        self.changed: asyncio.Event = asyncio.Event()

    @property
    def data(self) -> dict[str, Any]:
        """The data for the page's scripts."""
        return self._held.data

    async def _ask(
        self, by: Requests, path: str, *, form: dict[str, str] | None = None, fragments: str | None = None
    ) -> tuple[int, str]:
        """Return the number of bytes sent, and their text.

        Args:
            by: Connection to use.
            path: Path of the request.
            form: Fields to post; None for a GET request.
            fragments: Digests of fragments that the page has; None to request an entire page.
        """
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        head = "accept-encoding: gzip, deflate, br\r\n" + (f"cookie: {cookies}\r\n" if cookies else "")
        if fragments is not None:
            head += f"x-fragments: {fragments}\r\n"
            if self.data:
                head += f"x-since: {self.data['sequence']}\r\n"
        body = b""
        if form is not None:
            body = urlencode(form).encode()
            head += f"x-csrf: {self._csrf}\r\ncontent-type: application/x-www-form-urlencoded;charset=UTF-8\r\n"
        answered, content = await by.send("GET" if form is None else "POST", path, head, body)
        for line in answered.split(b"\r\n"):
            if line.lower().startswith(b"set-cookie: "):
                name, _, value = line[12:].partition(b";")[0].decode().partition("=")
                self._cookies[name] = value
                # The names of a server's cookies begin with the id of its database.
                self._cookies.setdefault(f"{name.rpartition('_')[0]}_learning", _NO_COACH)
        place = re.search(rb"(?i)\r\nlocation: ([^\r]+)", answered)
        text = zlib.decompress(content, 47) if content[:2] == b"\x1f\x8b" else content
        return len(content), place[1].decode() if place else text.decode()

    async def _whole(self, path: str) -> str:
        """Open a page as a browser does."""
        text = (await self._ask(self._main, path))[1]
        found = _CSRF.search(text)
        assert found is not None, path
        self._csrf = found[1]
        return text

    async def create(self, game: str) -> str:
        """Create a table with the game's `min_multiplayer_seats`, and return its address."""
        count = atoll.games[game].min_multiplayer_seats
        async with self._busy:
            await self._whole(f"/new?game={game}&seats={count}")
        seats = {f"seat.{seat}": "open" if seat else "me" for seat in range(count)}
        flags = {f"option.{o.id}": "1" for o in atoll.games[game].options if isinstance(o, Flag) and o.default}
        form = {"game": game, "seats": str(count), "name": "A", "visibility": "link", **seats, **flags}
        async with self._busy:
            return (await self._ask(self._main, "/new", form=form))[1]

    async def open(self, path: str, take: int | None = None) -> None:
        """Open a table's page, and join it."""
        async with self._busy:  # the page may still follow the previous game over the same connection
            await self._whole(path)
            if take is not None:
                await self._ask(self._main, f"{path}/join", form={"take": str(take), "name": f"B{take}"})
            self._held.take(await self._whole(path))
        self._acted, self._lines, self._latest = None, 0, ""
        if self._stream is not None:
            self._stream.close()
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        self._stream = Events(f"/events?watch={self.data['table']}", f"cookie: {cookies}\r\n", self.told)
        await self._stream.open(self._port)

    async def seal(self) -> None:
        """Seal this seat's share of the chance."""
        seat = self.data["seat"]
        form = {"seat": str(seat), **seal_body(self.data["chance"], seat, self._secret)}
        async with self._busy:
            await self._ask(self._main, f"{self.data['address']}/seal", form=form, fragments="")

    async def show(self) -> None:
        """Show this seat's share once this server knows that the list of seals is closed."""
        async with self._busy:
            self._held.take(await self._whole(self.data["address"]))
            while self.data["chance"]["terms"] is None:
                await asyncio.sleep(RETRY_S)
                self._held.take(await self._whole(self.data["address"]))
        seat = self.data["seat"]
        form = {"seat": str(seat), **share_body(self.data["chance"], seat, self._secret)}
        async with self._busy:
            await self._ask(self._main, f"{self.data['address']}/share", form=form, fragments="")

    def told(self, data: bytes) -> None:
        """Handle an event of the stream."""
        news: dict[str, Any] = json.loads(data.partition(b"\n")[0])
        if news["game"] == self.data.get("table") and "version" in news:
            self._latest = news["version"]
            self._do(self._catch_up())

    def _do(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._news.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._news.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not self.failed.done():
            self.failed.set_exception(error)

    async def _catch_up(self) -> None:
        async with self._busy:
            if not self._latest or self._latest == self.data["version"]:
                return
            self._latest = ""
            seat = self.data["seat"]
            sent, text = await self._ask(
                self._main,
                self.data["address"] + ("" if seat is None else f"?seat={seat}"),
                fragments=self._held.fragments,
            )
            if self._counted.running and self.moved:
                self._counted.updates.append(time.perf_counter() - self.moved)
            self._take(sent, text)

    def _take(self, sent: int, text: str) -> None:
        """Apply an update."""
        before = self.data.get("sequence")
        self._held.take(text)
        if self._counted.running:
            self._counted.sent.append(sent)
        self.changed.set()
        if self.data["sequence"] != before and self.data["chance_table"]:
            self._do(self._follow())
            if self._hearing is not None:
                self._hearing.cancel()
            self._hearing = self._do(self._hear())

    async def _follow(self) -> None:
        """Request the picture after the seat's own last choice, if it changed."""
        data = self.data
        seat = "" if data["seat"] is None else f"seat={data['seat']}&"
        async with self._follows:
            acted, self._acted = self._acted, data["acted"]
            if data["acted"] not in (acted, None) and (data["acted"] != data["sequence"] or data["staged"]):
                path = f"{data['address']}/moment?{seat}at={data['acted']}"
                await self._ask(self._besides, path, fragments=self._held.fragments)

    async def _hear(self) -> None:
        """Request the public record's new lines."""
        await asyncio.sleep(_LISTEN_S)
        self._hearing = None  # a sent request isn't canceled: its answer would be mistaken for the next
        async with self._follows:
            path = f"{self.data['address']}/record?first={self._lines}"
            self._lines += len(json.loads((await self._ask(self._besides, path, fragments=""))[1])["lines"])

    @property
    def asked(self) -> bool:
        """Return whether the seat can do something."""
        return bool(self.data["mine"] and (self.data["confirm"] or self.data["question"]))

    async def act(self, rng: random.Random, watching: list[Page]) -> None:
        """Make a random choice, or confirm the turn."""
        async with self._busy:
            if not self.asked:
                return
            data = self.data
            legal = [option[0] for option in (data["question"] or {"legal": []})["legal"]]
            form = {"seat": str(data["seat"]), "stamp": data["stamp"], "key": secrets.token_hex(16)}
            name = "confirm"
            if legal and not (data["confirm"] and rng.random() < _CONFIRMS):
                name, form["choices"] = "choose", str(rng.choice(legal))
            sent = time.perf_counter()
            for page in watching:
                page.moved = sent
            count, text = await self._ask(
                self._main, f"{data['address']}/{name}", form=form, fragments=self._held.fragments
            )
            if self._counted.running:
                self._counted.moves.append(time.perf_counter() - sent)
            self._take(count, text)

    def leave(self) -> None:
        """Close all connections."""
        for task in self._news:
            task.cancel()
        for each in (self._main, self._besides):
            each.close()
        if self._stream is not None:
            self._stream.close()


async def _play(
    pages: list[Page], seats: int, game: str, pause: float, rng: random.Random, begun: asyncio.Event
) -> None:
    """Play one game after the other until canceled.

    Args:
        pages: The pages: first those of the players, then those of spectators.
        seats: Number of players.
        game: Id of the game.
        pause: Seconds per move.
        rng: Source of the choices.
        begun: Set when the first game has begun.

    Raises:
        TimeoutError: If no seat is asked for a long time.
    """
    while True:
        await _begin(pages, seats, game)
        begun.set()
        while not pages[0].data["over"]:
            asked = next((page for page in pages[:seats] if page.asked), None)
            if asked is None:
                for page in pages[:seats]:
                    page.changed.clear()
                waiting = [asyncio.ensure_future(page.changed.wait()) for page in pages[:seats]]
                done, rest = await asyncio.wait(waiting, timeout=_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
                for task in rest:
                    task.cancel()
                if not done:
                    raise TimeoutError("nobody is asked")
                continue
            sent = time.perf_counter()
            await asked.act(rng, pages)
            if pause:
                await asyncio.sleep(max(0.0, pause - (time.perf_counter() - sent)))


async def _begin(pages: list[Page], seats: int, game: str) -> None:
    path = await pages[0].create(game)
    for number, page in enumerate(pages):
        await page.open(path, number if 0 < number < seats else None)
    for page in pages[:seats]:
        await page.seal()
    for page in pages[:seats]:
        await page.show()


async def _unless_one_ends(
    games: list[asyncio.Future[Any]], seconds: float | None, awaited: asyncio.Future[Any] | None = None
) -> None:
    """Wait for a time, or for one task; raise the error of another task that fails."""
    ended, _ = await asyncio.wait(games, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for failed in ended:
        if failed is not awaited:
            failed.result()


async def measure_pages(
    server: Served, tables: int, seconds: float, pace: float, *, game: str, spectators: int
) -> dict[str, Any]:
    """Play tables by their pages for a while, then measure.

    Args:
        server: The server.
        tables: Number of tables.
        seconds: Measured time.
        pace: Moves per second and table; 0 for as fast as possible.
        game: Id of the game.
        spectators: Spectators per table.

    Returns:
        The figures by name.
    """
    counted = Counted()
    seats = atoll.games[game].min_multiplayer_seats
    empty = server.memory_mib()
    pause = 1 / pace if pace else 0.0
    parties = [[Page(server.port, counted) for _ in range(seats + spectators)] for _ in range(tables)]
    games: list[asyncio.Future[None]] = [page.failed for pages in parties for page in pages]
    begun = [asyncio.Event() for _ in parties]
    for number, pages in enumerate(parties):
        rng = random.Random(number)
        games.append(asyncio.ensure_future(_play(pages, seats, game, pause, rng, begun[number])))
        await asyncio.sleep(min(0.05, pause / tables))
    all_begun = asyncio.ensure_future(asyncio.wait([asyncio.ensure_future(each.wait()) for each in begun]))
    await _unless_one_ends([*games, all_begun], None, all_begun)
    await _unless_one_ends(games, pause + min(2.0, seconds))
    cpu, own, started = server.cpu_seconds(), time.process_time(), time.perf_counter()
    counted.running = True
    await _unless_one_ends(games, seconds)
    counted.running = False
    took, cpu, own = time.perf_counter() - started, server.cpu_seconds() - cpu, time.process_time() - own
    memory = server.memory_mib()
    for task in games:
        task.cancel()
    for pages in parties:
        for page in pages:
            page.leave()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait(games, timeout=5)
    moves, updates = len(counted.moves), len(counted.updates)
    return {
        "game": game,
        "tables": tables,
        "seats": seats * tables,
        "spectators": spectators * tables,
        "moves_per_second": moves / took,
        "updates_per_second": updates / took,
        "answered_p50_ms": percentile(counted.moves, 0.5),
        "answered_p99_ms": percentile(counted.moves, 0.99),
        "update_p50_ms": percentile(counted.updates, 0.5),
        "update_p99_ms": percentile(counted.updates, 0.99),
        "bytes_per_update": sum(counted.sent) / max(1, len(counted.sent)),
        "memory_mib": memory,
        "memory_mib_per_table": (memory - empty) / tables,
        "server_load": cpu / took,
        "server_ms_per_move": 1000 * cpu / max(1, moves),
        "server_ms_per_update": 1000 * cpu / max(1, moves + updates),
        "load_ms_per_move": 1000 * own / max(1, moves),
    }
