"""Tables for tests: a service on a database of its own, with people, and short ways to play."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Template
from starlette.requests import Request
from starlette.testclient import TestClient

import atoll
from atoll.bots import levels
from atoll.engine import Game
from atoll.server.bots.pool import BotPool
from atoll.server.compose.app import create_app
from atoll.server.domain import logs, wall_clock
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.model import Login, NewTable, Refused, SeatPlan, TableView, User
from atoll.server.domain.settings import ServerSettings
from atoll.server.http.pages import context
from atoll.server.http.session import cookie_name
from atoll.server.notify.channels import ChannelSender
from atoll.server.play import TableServices
from atoll.server.play.heartbeat import Heartbeat
from atoll.server.play.scheduler import Scheduler
from atoll.server.play.users import user_of
from atoll.server.presentation import texts
from atoll.store import Bus, Store, UnitOfWork
from atoll.store.codec import values
from atoll.testing.shares import give_shares
from tests.migrated import make_schema
from tests.toy import GAME as TOY

# As servers log: structlog's own way draws a page for each error, with all local names, which takes longer than tests.
logs.configure_logging(as_json=True)

GAMES: Mapping[str, Game] = {"atacama": atoll.games["atacama"], "toy": TOY}
ME, OPEN, INVITE, DEVICE = SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("device")


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def every_text_is_there() -> Iterator[None]:
    """Fail if a page has skipped and logged a text or picture, unless the test expects it."""
    texts.log_once.cache_clear()
    yield
    assert not texts.log_once.cache_info().currsize, "what couldn't be shown is in the log"


@pytest.fixture(autouse=True)
def no_value_hides_a_name_of_all_pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A handler gives no template a value under a name that each template, or each page, has already."""
    wrong: set[tuple[str | None, str]] = set()
    made, html = Template.new_context, context.render_html

    def new_context(self: Template, vars: Any = None, shared: bool = False, locals: Any = None) -> Any:
        if not shared:
            wrong.update((self.name, name) for name in self.environment.globals.keys() & (vars or {}).keys())
        return made(self, vars, shared, locals)

    def checked(request: Request, template: str, /, **values: Any) -> str:
        wrong.update((template, name) for name in vars(context._context(request)).keys() & values.keys())
        return html(request, template, **values)

    monkeypatch.setattr(Template, "new_context", new_context)
    monkeypatch.setattr(context, "render_html", checked)
    yield
    assert not wrong


@pytest.fixture(autouse=True)
def all_that_a_command_changed_is_written(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Also where only the columns are written that an answer changes."""
    wrong: list[tuple[Any, Any]] = []
    commit = Store.commit

    async def checked(self: Store, change: UnitOfWork) -> None:
        await commit(self, change)
        found = await self.table(change.game.id)
        if found is None or found[0].revision != change.game.revision:
            return  # another server was quicker
        kept = [found[0], *(found[1][seat.seat] for seat in change.seats)]
        wrong.extend(
            pair
            for pair in zip(map(values, kept), map(values, (change.game, *change.seats)), strict=True)
            if pair[0] != pair[1]
        )

    monkeypatch.setattr(Store, "commit", checked)
    yield
    assert not wrong


class Time:
    """The server's time of day, turned by hand."""

    def __init__(self) -> None:
        self.now: int = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += int(1000 * seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The time of day, standing still unless it `passes`."""
    turned = Time()
    monkeypatch.setattr(wall_clock, "now_ms", turned)
    return turned


@pytest.fixture
def machine(clock: Time, monkeypatch: pytest.MonkeyPatch) -> Iterator[Time]:
    """The machine's clock; ours is `clock`, and follows."""
    turned = Time()
    monkeypatch.setattr(wall_clock, "machine_ms", turned)
    monkeypatch.setattr(wall_clock, "resync", lambda: setattr(clock, "now", turned.now))
    yield turned


@dataclass
class Room:
    """A service with its people by name."""

    tables: TableServices
    scheduler: Scheduler
    people: dict[str, User] = field(default_factory=dict)

    @property
    def bus(self) -> Bus:
        """The messages between servers, with PostgreSQL."""
        assert self.tables.store.bus is not None
        return self.tables.store.bus

    async def delete_account(self, name: str) -> None:
        """Delete the account of a person, and do the job that follows."""
        await self.tables.accounts.delete(self.people[name], name)
        await self.finish_account()

    async def finish_account(self) -> None:
        """Do the job that removes a deleted account from tables."""
        [job] = [job for job in await self.tables.store.lease_jobs(10**15, 10**15) if job.kind == "account"]
        assert await self.scheduler._is_finished(job)
        await self.tables.store.finish_jobs([job])

    async def person(self, name: str) -> User:
        if name not in self.people:
            self.people[name] = (await self.tables.users.guest(name)).user
        return self.people[name]

    async def signed_in(self, name: str) -> User:
        """A person as a request would find it now."""
        row = await self.tables.store.user(self.people[name].id)
        assert row is not None
        return user_of(row)

    async def table(self, game: str, *names: str, start: bool = True, **values: Any) -> str:
        """Create a table with these people; everybody gives a share of the chance.

        Args:
            game: Id of the game.
            names: The players. `bot:<level>` is a bot, `+` another seat of the first one.
            start: Whether the game starts.
            values: Further settings of the table.
        """
        host = await self.person(names[0])
        plans = [SeatPlan("me")]
        for name in names[1:]:
            if name.startswith("bot:"):
                plans.append(SeatPlan("bot", bot=name[4:]))
            elif name == "+":
                plans.append(SeatPlan("device"))
            else:
                plans.append(SeatPlan("open"))
        table = await self.tables.table_setup.create(host, NewTable(game, tuple(plans), **values))
        for seat, name in enumerate(names):
            if plans[seat].kind == "open":
                await self.tables.table_setup.join(await self.person(name), table, seat)
        if start:
            await give_shares(self.tables, table)
        return table

    async def view(self, name: str | None, table: str, seat: int | None = None) -> TableView:
        who = None if name is None else await self.person(name)
        return await self.tables.table_views.table(who, table, seat=seat)

    async def mover(self, table: str, *names: str) -> tuple[str, TableView]:
        """Return the person that can act now, and that person's view."""
        for name in names:
            view = await self.view(name, table)
            if view.turn is not None and (view.turn.legal or view.turn.can_confirm):
                return name, view
        raise AssertionError("nobody is asked")

    async def play(self, table: str, *names: str, most: int = 10_000, seed: int = 1) -> int:
        """Make random legal choices for these people and confirm them.

        Args:
            table: Id of the table.
            names: The people.
            most: Largest number of choices; the end of the game comes first otherwise.
            seed: Seed of the choices.

        Returns:
            The number of choices.
        """
        rng = random.Random(seed)
        for count in range(most):
            for name in names:
                view = await self.view(name, table)
                if view.status != "running":
                    return count
                if view.turn is not None and view.turn.legal:
                    assert view.seat is not None
                    await self.tables.turns.choose(
                        self.people[name],
                        table,
                        view.seat,
                        [rng.choice(view.turn.legal)],
                        view.turn.stamp,
                        confirm=True,
                    )
                    break
            else:
                raise AssertionError("nobody is asked")
        return most

    async def until(self, table: str, true: Callable[[TableView], bool]) -> TableView:
        """Wait for an automatic change."""
        async with asyncio.timeout(20):
            while True:
                view = await self.view(None, table)
                if true(view):
                    return view
                await asyncio.sleep(0.01)

    async def forget(self) -> None:
        """Forget all tables in memory, as a restart of the server does."""
        for live in list(self.tables.executor._live.values()):
            async with live.lock:
                self.tables.executor.evict(live)


@contextlib.asynccontextmanager
async def opened(url: str, games: Mapping[str, Game] = GAMES, **values: Any) -> AsyncIterator[Room]:
    """A service without limits that would be in the way."""
    by_person = ("table", "join", "command", "preview", "chat", "replay", "follow", "guest", "advice", "analysis")
    rates = dict.fromkeys(by_person, "")
    settings = ServerSettings(url=url, bot_workers=1, limits=values.pop("limits", rates), **values)
    make_schema(url)
    store = await Store.open(url)
    pool = BotPool(1, seconds=settings.bot_seconds, memory=settings.bot_memory, components=settings.components)
    tables = TableServices(
        store,
        settings,
        games,
        bot_levels=levels,
        pool=pool,
        analysts=pool,
        verifiers=pool,
        channels=ChannelSender(settings),
    )
    try:
        yield Room(tables, Scheduler(tables))
    finally:
        await pool.close()
        await store.close()


@contextlib.asynccontextmanager
async def alive(url: str) -> AsyncIterator[tuple[Room, Heartbeat]]:
    """A service that gives signs of life."""
    async with opened(url) as room:
        life = Heartbeat(room.tables.executor, lambda: None)
        await life.begin()
        yield room, life
        await life.end()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """URL of an empty SQLite database."""
    return f"sqlite:///{tmp_path}/atoll.db"


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A service on SQLite."""
    async with opened(sqlite_url) as found:
        yield found


@pytest.fixture
def postgres_url(migrated_postgres_url: str) -> str:
    """URL of a PostgreSQL database of this test's alone, with the current schema."""
    return migrated_postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
async def both(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Room]:
    """A service, once on each database."""
    url = f"sqlite:///{tmp_path}/atoll.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    async with opened(url) as found:
        yield found


@contextlib.contextmanager
def refused(code: str) -> Any:
    """Check that the block is refused for this reason."""
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code, caught.value.detail


# -- over HTTP, in this process ------------------------------------------------------------------------------------


class Site:
    """The whole application, and people who use it through browsers or programs."""

    def __init__(self, client: TestClient) -> None:
        self.client: TestClient = client
        self.app: Any = client.app

    @property
    def tables(self) -> TableServices:
        found: TableServices = self.app.state.tables
        return found

    def cookie(self, what: str = "session") -> str:
        """The name of a cookie."""
        return cookie_name(self.tables, what)

    def call(self, function: Callable[..., Any], *args: Any, **values: Any) -> Any:
        """The result of an async function, run where the application runs."""
        assert self.client.portal is not None
        return self.client.portal.call(partial(function, *args, **values))

    def program(self, name: str) -> "Program":
        """Somebody new who comes through the API."""
        login = self.call(self.tables.users.guest, name, kind="api")
        return Program(self, login)

    def browser(self, name: str = "") -> "Browser":
        """Somebody new in a browser; without a name, nobody has signed in."""
        return Browser(self, self.call(self.tables.users.guest, name) if name else None)


class Program:
    """Requests with a token."""

    def __init__(self, site: Site, login: Login | None) -> None:
        self.site: Site = site
        self.user: User | None = None if login is None else login.user
        self.headers: dict[str, str] = {} if login is None else {"authorization": f"Bearer {login.token}"}

    def ask(self, method: str, path: str, body: Any = None, **values: Any) -> Any:
        """The API's response."""
        self.site.client.cookies.clear()
        return self.site.client.request(method, f"/api/v1{path}", json=body, headers=self.headers, **values)


class Browser:
    """Requests with cookies and form tokens."""

    def __init__(self, site: Site, login: Login | None) -> None:
        self.site: Site = site
        self.user: User | None = None if login is None else login.user
        self.cookies: dict[str, str] = {} if login is None else {site.cookie(): login.token}
        self._token: str = ""
        self._token_of: dict[str, str] | None = None

    def _send(self, method: str, path: str, **values: Any) -> Any:
        client = self.site.client
        client.cookies.clear()
        for name, value in self.cookies.items():
            client.cookies.set(name, value)
        answer = client.request(method, path, follow_redirects=False, **values)
        self.cookies = {each.name: each.value or "" for each in client.cookies.jar}
        client.cookies.clear()
        return answer

    def get(self, path: str, **values: Any) -> Any:
        """A page."""
        return self._send("GET", path, **values)

    def token(self) -> str:
        """A form token of this browser; it holds as long as the cookies do."""
        if self._token_of != self.cookies:
            found = re.search(r'name="csrf"[^>]*?(?:content|value)="([^"]+)"', self.get("/device").text)
            assert found is not None
            self._token, self._token_of = found[1], dict(self.cookies)
        return self._token

    def post(self, path: str, form: Mapping[str, Any] | None = None, **values: Any) -> Any:
        """Send a form."""
        return self._send("POST", path, data={"csrf": self.token(), **(form or {})}, **values)


@contextlib.contextmanager
def site_at(url: str, games: Mapping[str, Game] = GAMES, **values: Any) -> Iterator[Site]:
    """The application on a database."""
    rates = dict.fromkeys(DEFAULTS, "")
    settings = ServerSettings(url=url, bot_workers=1, limits=values.pop("limits", rates), **values)
    make_schema(url)
    with TestClient(create_app(settings, games), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield Site(client)


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    """The application on SQLite, without limits that would be in the way."""
    with site_at(sqlite_url) as found:
        yield found
