"""Every page, fragment and answer, opened in every state of a table by everybody who may come: none fails.

Routes come from the application, so that a new one that nobody knows how to open fails here. States come from
`states`, which is compared with the model, so that a new status, vote or right without a state fails, too.
"""

import ast
import asyncio
import inspect
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Any, Final, get_args, get_type_hints
from urllib.parse import quote

import pytest
from jinja2 import Template, meta, nodes
from starlette.routing import Mount, Route

import atoll
from atoll.server.bots.pool import BotPool
from atoll.server.domain import wall_clock
from atoll.server.domain.competitions import NewCompetition
from atoll.server.domain.model import Refused, SeatInfo, Status, TableView, Visibility
from atoll.server.http.api import endpoints
from atoll.server.http.pages import context
from atoll.server.notify.dispatcher import NotificationDispatcher
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.reports import GivenReport
from atoll.server.play.sanctions import Actor, Decision, impose
from atoll.server.play.scheduler import Scheduler
from atoll.server.play.subjects import Subject
from atoll.server.play.table_lists import moment
from atoll.server.play.users import user_of
from atoll.server.play.votes import SUBJECTS
from atoll.server.presentation.operator_texts import NAMES, SECURITY
from atoll.server.presentation.pictures import lessons_of, puzzles_of
from atoll.server.table import permissions
from atoll.testing.shares import give_shares

from .conftest import Site, Time, site_at
from .states import AT, HOST, PAIRS, READERS, SHARED, STATES, STRANGER, WATCHER, World

pytestmark = pytest.mark.xdist_group("states of a table")  # one site for all


@dataclass(frozen=True)
class Made:
    """A table that is in one of the states."""

    id: str
    state: str
    game: str
    shared: bool

    def __str__(self) -> str:
        return f"{self.state} ({self.game}{', one device' if self.shared else ''})"


async def _idle(*_: Any) -> None:
    """Wait for ever: no job runs at the tables."""
    await asyncio.Event().wait()


async def _build(world: World) -> list[Made]:
    with world.yesterday():
        for name in READERS:
            await world.admit(name)
        await world.site.tables.credentials.add_code(world.host)
        world.room.people[HOST] = await world.room.signed_in(HOST)
    for game in atoll.games:
        await world.site.tables.coach.set(world.guest, game, "on")
    made = []
    for number, (name, make) in enumerate(STATES.items()):
        alone = [game for game in AT[name] or PAIRS if 2 in atoll.games[game].seat_counts]
        together = [game for game in AT[name] or (SHARED,) if 3 in atoll.games[game].seat_counts]
        for world.shared, games in ((False, alone), (True, together)):
            if not games:
                continue
            world.game = games[number % len(games)]
            world.clock.passes(1)
            try:
                table = await make(world)
            except Exception as error:
                raise AssertionError(f"{name} at {world.game} can't be made") from error
            made.append(Made(table, name, world.game, world.shared))
    return made


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A site with a table in each state, twice: each person for itself, and two seats at one device."""
    clock = Time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wall_clock, "now_ms", clock)
        for each in (Scheduler, NotificationDispatcher):
            patch.setattr(each, "run", _idle)
        for name in ("advise", "analyse"):
            patch.setattr(BotPool, name, _quick(getattr(BotPool, name)))
        rendered: Rendered = defaultdict(set)
        patch.setattr(Template, "new_context", _noting(Template.new_context, rendered))
        home = tmp_path_factory.mktemp("states")
        for name in NAMES:
            (home / f"{name}.en.md").write_text(f"# A text\n\nIts *name* is {name}.", "utf-8")
        (home / SECURITY).write_text("Contact: mailto:a@b.example\nExpires: 2030-01-01T00:00:00Z\n", "utf-8")
        with site_at(f"sqlite:///{home}/atoll.db", atoll.games, tables_per_user=1000, site=str(home)) as site:
            found = World(site, clock)
            found.made = site.call(_build, found)
            found.rendered = rendered
            yield found


Rendered = dict[str, set[frozenset[str]]]
"""By template: the names that it was given, each time that it was rendered."""


def _noting(true: Any, rendered: Rendered) -> Any:
    def new_context(self: Template, vars: Any = None, shared: bool = False, locals: Any = None) -> Any:
        if self.name is not None:
            rendered[self.name].add(frozenset(vars or ()))
        return true(self, vars, shared, locals)

    return new_context


def _quick(true: Any) -> Any:
    async def call(self: Any, *args: Any) -> Any:
        return await true(self, *args, iterations=9)

    return call


# -- the list is whole ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def views(world: World) -> dict[tuple[Made, str, int | None], TableView]:
    """Each table as each reader sees it, from each of its seats."""
    found: dict[tuple[Made, str, int | None], TableView] = {}
    for made in world.made:
        for name in READERS:
            user = None if name == STRANGER else world.room.people[name]
            try:
                view = world.site.call(world.site.tables.table_views.table, user, made.id)
            except Refused:
                continue
            found[made, name, None] = view
            for seat in view.my_seats:
                found[made, name, seat] = world.site.call(world.site.tables.table_views.table, user, made.id, seat=seat)
    return found


def told_rights() -> set[str]:
    """Return the rights that the code of `rights.can` names, without what follows a colon."""
    found = set()
    for function in ast.parse(inspect.getsource(permissions)).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            changes = (
                isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == "found"
            )
            calls = isinstance(node, ast.Call) and ast.unparse(node.func) in ("found.append", "found.add")
            formed = isinstance(node, ast.JoinedStr) and any(
                isinstance(each, ast.Name) and each.id == "found" for each in ast.walk(function)
            )
            if changes or calls or formed:
                found |= {
                    each.value.partition(":")[0]
                    for each in ast.walk(node)
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.strip(":")
                }
    return found


def test_each_status_vote_and_right_has_a_state(views: Mapping[Any, TableView]) -> None:
    assert {view.status for view in views.values()} == set(get_args(Status))
    assert {view.visibility for view in views.values()} == set(get_args(Visibility))
    assert {vote.subject.partition(":")[0] for view in views.values() for vote in view.votes} == set(SUBJECTS)
    kinds = get_args(get_type_hints(SeatInfo)["kind"])
    assert {seat.kind for view in views.values() for seat in view.seats} == set(kinds)
    rights_seen = {right.partition(":")[0] for view in views.values() for right in view.can}
    assert {"undo", "nudge", "decline", "resume", "pause", "return"} <= told_rights()
    assert rights_seen == told_rights()


def test_each_field_of_a_view_differs_in_some_state(views: Mapping[Any, TableView]) -> None:
    for type_, all_ in (
        (TableView, list(views.values())),
        (SeatInfo, [seat for view in views.values() for seat in view.seats]),
    ):
        for name in type_.__struct_fields__:
            assert len({repr(getattr(each, name)) for each in all_}) > 1, f"{type_.__name__}.{name} is always the same"


# -- all that can be opened ----------------------------------------------------------------------------------------

FRAGMENT: Final = {"x-fragments": ""}
Request = tuple[str, Mapping[str, str]]


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    kind: str
    text: str


def _scope(site: Site, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = address.partition("?")
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": quote(query, safe="=&,;").encode(),
        "headers": [(b"host", b"127.0.0.1"), *((key.encode(), value.encode()) for key, value in headers.items())],
        "scheme": "http",
        "client": ("127.0.0.1", 1),
        "app": site.app,
    }


async def ask(site: Site, address: str, headers: Mapping[str, str]) -> Answer:
    """Request something inside of the application's loop, which takes half the time of a client."""
    sent: list[Any] = []
    waiting = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        return next(waiting, None) or await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    await site.app(_scope(site, address, headers), receive, send)
    told = dict(sent[0]["headers"])
    body = b"".join(each.get("body", b"") for each in sent[1:])
    return Answer(sent[0]["status"], told.get(b"content-type", b"").decode(), body.decode(errors="replace"))


class Opened:
    """The requests so far: the routes that succeeded, and the faults."""

    def __init__(self, site: Site) -> None:
        self.site: Site = site
        self.wrong: list[str] = []
        self.successes: set[str] = set()
        self._turns: Iterator[int] = count()

    async def open(self, route: str, address: str, headers: Mapping[str, str], allowed: set[int], who: str) -> None:
        """Request something, in the one language or the other by turns, and note faults of the answer.

        Args:
            route: The path of the route.
            address: The address.
            headers: Those of the reader.
            allowed: The statuses that make sense.
            who: The reader and what it reads, in words.
        """
        language = ("en", "de")[next(self._turns) % 2]
        answer = await ask(self.site, address, {"accept-language": language, **headers})
        if answer.status in (200, 303):
            self.successes.add(route)
        where = f"{address} for {who}"
        if answer.status not in allowed:
            self.wrong.append(f"{where}: {answer.status}, not {sorted(allowed)}: {answer.text[:200]!r}")
        shown = _UNSEEN.sub("", answer.text) if answer.kind.startswith("text/html") else ""
        if answer.kind == "application/json" and answer.text.startswith('{"text":'):
            shown = json.loads(answer.text)["text"]
        for found in _NONSENSE.finditer(shown):
            self.wrong.append(f"{where}: {found[0]!r} in {shown[max(0, found.start() - 60) : found.end() + 30]!r}")

    def done(self, paths: Iterable[str]) -> None:
        """Fail if anything was wrong, or if one of these paths was never opened with success."""
        wrong, self.wrong = self.wrong, []
        assert not wrong, "\n".join(wrong[:50])
        assert set(paths) <= self.successes


_UNSEEN: Final = re.compile(r"<(script|style|svg|template)\b.*?</\1>| data-[\w-]+=\"[^\"]*\"", re.DOTALL)
_NONSENSE: Final = re.compile(r"\bNone\b|Undefined|&lt;|\{\w*\}|[:(,;] [.),;]|: ?\.|\(\)")
"""Signs of a fault in a sentence: a missing value, markup as text, a placeholder, an empty list."""


def requests_at(path: str, view: TableView | None) -> list[Request]:
    """Return queries and headers for a page about a table, as the reader's view suggests them."""
    own = "" if view is None or view.seat is None else f"seat={view.seat}"
    legal = [] if view is None or view.turn is None else view.turn.legal[:2]
    game = atoll.games[PAIRS[0] if view is None else view.game]
    kinds = next(iter(game.prompts.values()))
    some = game.text(kinds[0].choice(*[0] * len(kinds[0].domains)))
    last = 0 if view is None else view.view_sequence
    chosen = f"choices={legal[0]}" if legal else "choices=0"
    queries = {
        "/acts": ["", "since=0", own],
        "/moment": ["at=0", f"at={last}", f"at={last + 1}"],
        "/replay": ["", "at=0", f"at={last // 2}", own],
        "/export": ["", own],
        "/plan": ["", own],
        "/plan/preview": [f"step={last}.0&{chosen}"],
        "/plan/why": [f"step={last}.0&choice={some}", "choice="],
        "/try": ["", own, f"step={last}.0", f"step={'.'.join(map(str, (last, 0, *legal[:1])))}"],
        "/try/preview": [f"step={last}.0&{chosen}"],
        "/try/why": [f"step={last}.0&choice={some}", "choice="],
        "/preview": [chosen, "choices="],
        "/why": [f"choice={some}", "choice=", f"choice={';'.join(map(game.text, legal))}"],
        "/fairness": [""],
        "/record": ["", "first=2"],
        "/person/{seat}": [""],
        "/message/{message}": [""],
        "/profile": ["take=0", "take=9"],
    }
    if path == "":
        return [(each, {}) for each in (own, "seat=1", "seat=9", "seat=x")]
    headers = [{}, FRAGMENT] if path in ("/replay", "/try") else [{}]
    return [(query, more) for query in queries[path] for more in headers]


def allowed_at(path: str, query: str, view: TableView | None, name: str) -> set[int]:
    """Return the statuses that make sense; without a view the reader may not see the table."""
    signed_in = name != STRANGER
    if query in ("seat=9", "seat=x"):
        return {422} if view is not None or query == "seat=x" else {404}
    if view is None:
        return {404} if signed_in else {401, 404}
    last = view.view_sequence
    if path in ("/person/{seat}", "/message/{message}"):
        return {200, 404}
    if path == "":
        return (
            {403}
            if query == "seat=1" and 1 not in view.my_seats and len(view.seats) > 1
            else {200, 422}
            if len(view.seats) < 2
            else {200}
        )
    if path in ("/acts", "/moment", "/replay"):
        return {404} if view.view is None or (query == f"at={last + 1}" and path == "/moment") else {200}
    if path == "/export":
        return {409} if view.view is None else {200}
    if path == "/plan":
        return {200, 303} if view.seat is not None else {403} if signed_in else {401}
    if path in ("/plan/preview", "/plan/why"):
        planned = {503} if view.status == "repair" else {200, 409, 422}
        return planned if view.seat is not None else {403} if signed_in else {401}
    if path == "/preview":
        return {200} if view.seat is not None else {409}
    if path.startswith("/try"):
        if view.seat is None:
            return {403} if signed_in else {401}
        if view.status == "repair":
            return {503}
        tries = {200, 303} if "try" in view.can else {409}
        return tries | ({409, 422} if view.turn is not None and (view.turn.staged or view.turn.sealed_in) else set())
    if path == "/profile":
        return {303, 404} if query == "take=0" else {422}
    assert path in ("/why", "/fairness", "/record")
    return {200}


def page_paths(site: Site) -> list[str]:
    """The paths of all pages and files that can be opened."""
    found = [each.path for each in site.app.routes if isinstance(each, Route) and "GET" in (each.methods or ())]
    others = [each for each in site.app.routes if not isinstance(each, Route)]
    assert [each.path for each in others if isinstance(each, Mount)] == ["/static", "/docs"] and len(others) == 2
    return found


@pytest.fixture(scope="module")
def opened(world: World) -> Opened:
    """All requests of this file."""
    return Opened(world.site)


def test_each_page_about_a_table_in_each_state_for_each_reader(
    world: World, views: Mapping[Any, TableView], opened: Opened
) -> None:
    opened.done(open_tables(world, views, opened))


def open_tables(world: World, views: Mapping[Any, TableView], opened: Opened) -> list[str]:
    """Open all pages about tables, unless that was done, and return their paths."""
    paths = [path for path in page_paths(world.site) if path.startswith("/t/{id}")]
    if not opened.successes.intersection(paths):
        world.site.call(_open_tables, world, views, opened, paths)
    return paths


async def _open_tables(world: World, views: Mapping[Any, TableView], opened: Opened, paths: Sequence[str]) -> None:
    turn = 0
    for number, made in enumerate(world.made):
        for reader, name in enumerate(READERS if not made.shared else READERS[: 2 + number % 2]):
            view = views.get((made, name, None))
            turn += 1
            for place, path in enumerate(paths, turn):
                short = path.removeprefix("/t/{id}")
                # All open the page of the table itself, and half of the readers each of the others.
                if short and (number // 4 + reader + place - turn) % 2:
                    continue
                asked = requests_at(short, view)
                # Each reader asks something else in each state, but for the page of the table itself.
                for query, headers in ([] if short else [("", {}), ("", FRAGMENT)]) + [asked[place % len(asked)]]:
                    await opened.open(
                        path,
                        f"{path.format(id=made.id, seat=0, message=0)}?{query}",
                        {**world.cookies(name), **headers},
                        allowed_at(short, query, view, name),
                        f"{name or 'a stranger'}: {made}",
                    )


def fills(world: World) -> dict[str, Callable[[str], list[str]]]:
    """Return the values for each name in braces of a path, as functions of a game."""
    pages = world.browsers[HOST]
    report = world.site.call(_report, world)
    token = world.site.call(world.site.tables.deadlines.token, world.host)
    world.competitions = world.competitions or world.site.call(competitions_in_all_states, world)
    return {
        "competition": lambda _: world.competitions,
        "game": lambda game: [game],
        "lesson": lambda game: [*lessons_of(atoll.games[game])][:1],
        "puzzle": lambda game: [*puzzles_of(atoll.games[game])][:1],
        "picture": lambda game: re.findall(rf"/rules/{game}/([\w.-]+)\.svg", pages.get(f"/rules/{game}").text)[:3],
        "token": lambda _: [token],
        "rescue": lambda _: ["unknown"],
        "name": lambda _: ["sounds.js", "chance_page.js"],
        "report": lambda _: [report],
        "member": lambda _: [world.room.people[WATCHER].id],
        "person": lambda _: [HOST],
    }


async def competitions_in_all_states(world: World) -> list[str]:
    """Return the ids of competitions: with entries, running games, and acts of a host."""
    tables, store = world.site.tables, world.site.tables.store.competitions
    await tables.credentials.add_code(world.host)
    host = await world.room.signed_in(HOST)
    people = [host]
    for number in range(5):
        login = await tables.users.guest(f"Player {number}")
        await tables.credentials.add_code(login.user)
        user = await tables.store.user(login.user.id)
        assert user is not None
        people.append(user_of(user))
    found = []
    for private in (True, False):
        cup = await tables.competitions.create(host, NewCompetition("mini", "atacama", 2, "6", private=private))
        for who in people[: 6 if private else 3]:
            await tables.competitions.enter(who, cup)
        found.append(cup)
    await tables.seasons.advance(found[0])
    for game in (await store.games(found[0]))[:2]:
        await give_shares(tables, game.game_id)
    await tables.competitions.host_act(host, found[0], "pause", "holidays", days=2)
    start = moment(wall_clock.now_ms() + 3 * 86_400_000)
    for new in (NewCompetition("league", "wutaki", 4, "13", start), NewCompetition("evening", "atua", 4, "", start)):
        row = new_competition(tables.catalogue, new, wall_clock.now_ms(), None)
        await store.add(row)
        await tables.competitions.enter(host, row.id)
        found.append(row.id)
    return found


async def _report(world: World) -> str:
    """Let the host be an operator, who may moderate and has something to do, and return a report."""
    tables, people = world.site.tables, world.room.people
    for made in await tables.store.moderation.open_reports():
        return made.id
    table = next(made.id for made in world.made if made.state == "over")
    await tables.store.change_user(world.host.id, role="operator")
    tables.users.forget(world.host.id)
    row = await tables.store.user(people[WATCHER].id)
    assert row is not None
    await impose(tables.store, Actor(), row, Decision("mute", "spam", "too much", 3))
    [sanction] = await tables.sanctions.mine(people[WATCHER])
    await tables.sanctions.object(people[WATCHER], sanction.id, "it wasn't me")
    await tables.blocks.add(world.host, row.id)
    given = GivenReport("insult", "look at this", "", "127.0.0.1", "en")
    await tables.reports.file(world.guest, Subject(table, message=0), given)
    [report] = await tables.store.moderation.open_reports()
    return report.id


QUERIES: Final[Mapping[str, list[str]]] = {
    "/competitions/new": ["", "game={game}", "game={game}&seats=3"],
    "/lobby": ["", "page=1", "game=atacama"],
    "/report": ["", "sent=yes", "name=nobody", "table={over}&seat=0"],
    "/moderation": ["", "name=Bob"],
    "/archive": ["", f"player={HOST}&place=1", f"game={{game}}&with={HOST}&options=usual&since=2020-01-01", "player=x"],
    "/quick": ["", "game={game}"],
    "/mine": ["", "before={over}"],
    "/mine/cancelled": ["", "before={over}"],
    "/new": ["", "game={game}", "game={game}&with=friends", "game={game}&seats=3"],
    "/next": ["", "after={over}"],
    "/join": ["", "game={game}"],
    "/learn/{game}/{lesson}": ["", "step=2"],
    "/learn/{game}/{lesson}/preview": ["choice="],
    "/rules/{game}": ["", "seats=3", "q=turn", "rule=turn"],
    "/events/poll": ["", "watch={over},lobby"],
    "/workshop/{game}": ["", "at=nowhere"],
    "/workshop/{game}/changes.toml": [""],
    "/workshop/{game}/table.svg": ["", "theme=dark"],
    "/workshop/{game}/play": ["step=~3", ""],
    "/workshop/{game}/play/preview": ["step=~3", "step=~3&choices=0"],
    "/workshop/{game}/play/why": ["step=~3&choice=", "step=~3"],
}
"""Queries by path; other paths have none."""

REFUSED: Final[Mapping[str, set[int]]] = {
    "/learn/{game}/{lesson}/preview": {409, 422},
    "/puzzles/{game}/{puzzle}/preview": {409, 422},
    "/settings/kept.json": {401},
    "/settings/push": {401},
    "/archive": {404},
    "/mine": {404},
    "/mine/cancelled": {404},
    "/rules/{game}": {404},
    "/next": {401},
    "/workshop/{game}": {404},
    "/workshop/{game}/play": {422},
    "/report": {404},
    "/operator": {401, 403},
    **{f"/moderation{path}": {401, 403} for path in ("", "/log", "/reports/{report}", "/people/{member}")},
}
"""Refusals that make sense for some readers or queries, by path."""


def test_each_other_page_for_each_reader_while_there_are_tables_in_all_states(world: World, opened: Opened) -> None:
    opened.done(open_others(world, opened))


def open_others(world: World, opened: Opened) -> list[str]:
    """Open all other pages and files, unless that was done, and return their paths."""
    over = next(made.id for made in world.made if made.state == "over")
    away = ("/events", "/sign-in/oidc/callback")  # streams have tests of their own, and no provider is configured
    paths = [path for path in page_paths(world.site) if not path.startswith("/t/{id}") and path not in away]
    known = fills(world)
    for number, path in enumerate(paths if not opened.successes.intersection(paths) else ()):
        names = re.findall(r"\{(\w+)\}", path)
        assert set(names) <= set(known), f"nobody knows what stands in {path}"
        for turn, name in enumerate(READERS, number):
            game = list(atoll.games)[turn % len(atoll.games)]
            addresses = [path]
            for each in names:
                addresses = [a.replace(f"{{{each}}}", text) for a in addresses for text in known[each](game)]
            queries = [each.replace("{over}", over).replace("{game}", game) for each in QUERIES.get(path, [""])]
            for address, query in product(addresses, queries):
                headers = {**world.cookies(name), **(FRAGMENT if turn % 3 == 2 else {})}
                allowed = {200, 303} | REFUSED.get(path, set())
                world.site.call(opened.open, path, f"{address}?{query}", headers, allowed, name or "a stranger")
    return paths


def test_each_answer_of_the_api_in_each_state_for_each_reader(
    world: World, views: Mapping[Any, TableView], opened: Opened
) -> None:
    paths = [each.path for each in endpoints._operations if each.method == "GET" and each.path != "/events"]
    world.site.call(_open_answers, world, views, opened, [*paths, "/openapi.json"])
    opened.done(f"{endpoints.ROOT}{each}" for each in paths)


async def _open_answers(world: World, views: Mapping[Any, TableView], opened: Opened, paths: Sequence[str]) -> None:
    world.competitions = world.competitions or await competitions_in_all_states(world)
    for number, (made, name) in enumerate(product(world.made, READERS)):
        if not made.shared:
            view = views.get((made, name, None))
            for path in paths if made is world.made[0] else [path for path in paths if "{table}" in path]:
                allowed = {200} if name != STRANGER else {200, 401}
                if path in ("/me/profile", "/me/following") and name != HOST:
                    allowed = {401, 403}
                if "{table}" in path:
                    allowed = {401, 404} if view is None else answers_of_a_table(path, view, name)
                seat = 0 if view is None or view.seat is None else view.seat
                known = {"table": made.id, "seat": seat, "sequence": 0, "message": 0, "person": HOST}
                competition = world.competitions[number % len(world.competitions)]
                address = path.format(**known, game=made.game, competition=competition)
                who = f"{name or 'a stranger'}: {made}"
                route = f"{endpoints.ROOT}{path}"
                await opened.open(route, f"{endpoints.ROOT}{address}", world.programs[name].headers, allowed, who)


def answers_of_a_table(path: str, view: TableView, name: str) -> set[int]:
    """The statuses of the API that make sense for somebody who may see the table."""
    if path.endswith("/legal"):
        return {200} if view.seat is not None else {401} if name == STRANGER else {403}
    if path.endswith("/analysis"):
        return {200} if view.status == "over" else {409}
    if "/moments/" in path or path.endswith("/acts"):
        return {200} if view.view is not None else {404}
    if path.endswith("/export"):
        return {200} if view.view is not None else {409}
    return {200}


@pytest.mark.parametrize("path", ["/events", "/api/v1/events"])
def test_a_stream_begins_with_the_tables_of_its_reader(world: World, views: Mapping[Any, TableView], path: str) -> None:
    watched = [made.id for made in world.made[:50]]
    for name in READERS:
        headers = world.programs[name].headers if path.startswith("/api") else world.cookies(name)
        query = f"watch={','.join(watched)}" + ("&views=true" if path.startswith("/api") else "")
        told = world.site.call(_first_events, world.site, path, query, headers)
        people = set() if path.startswith("/api") else {"here"}
        assert set(re.findall(r"(?m)^event: (\w+)$", told)) == {"table", "lists"} | people
        seen = {made.id for made in world.made if made.id in watched and (made, name, None) in views}
        assert seen <= set(re.findall(r'"game":"(\w+)","version"', told))


async def _first_events(site: Site, path: str, query: str, headers: Mapping[str, str]) -> str:
    """Return the first events of a stream."""
    sent: asyncio.Queue[Any] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    stream = asyncio.create_task(site.app(_scope(site, f"{path}?{query}", headers), receive, sent.put))
    begun, first, told = [await asyncio.wait_for(sent.get(), 20) for _ in range(3)]
    gone.set()
    await stream
    assert begun["status"] == 200 and first["body"] == b"retry: 2000\n\n"
    return str(told["body"].decode())


AFTER_A_FORM: Final = {
    "code",
    "device",
    "device_waits",
    "invite",
    "invited",
    "leaving",
    "quick_wait",
    "too_late",
    "verified",
}
"""Templates of pages that only a form leads to."""


def test_each_template_is_rendered_with_each_name_that_it_uses(
    world: World, views: Mapping[Any, TableView], opened: Opened
) -> None:
    """A name that only an untaken branch uses is known, too."""
    open_tables(world, views, opened)
    open_others(world, opened)
    environment = context._TEMPLATES
    libraries = {name for name in environment.list_templates() if _is_library(name)}
    pages = {
        root: given for root, given in world.rendered.items() if root.endswith(".html.jinja") and root not in libraries
    }
    trees = {root: _trees(root) for root in pages}
    rendered = {name for parts in trees.values() for name in parts}
    unseen = {*environment.list_templates()} - rendered - libraries
    lacking = {name.removesuffix(".html.jinja") for name in unseen}
    assert lacking - {"docs"} == AFTER_A_FORM, "docs stands in place of a documentation that isn't built"
    for root, given in pages.items():
        used, bound = set(), set()
        for tree in trees[root].values():
            used |= meta.find_undeclared_variables(tree)
            bound |= {each.name for each in tree.find_all(nodes.Name) if each.ctx != "load"}
            bound |= {each.name for each in tree.find_all(nodes.Macro)}
            defaulted = [each.node for each in tree.find_all(nodes.Filter) if each.name == "default"]
            defaulted += [each.node for each in tree.find_all(nodes.Test) if each.name == "defined"]
            bound |= {each.name for each in defaulted if isinstance(each, nodes.Name)}
        assert used - bound <= set(environment.globals).union(*given), f"{root} lacks names"


def _is_library(template: str) -> bool:
    """Return whether a template has only macros.

    A process compiles macros only once, which earlier tests may have caused.
    """
    environment = context._TEMPLATES
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, template)[0])
    told = [each for each in tree.body if not isinstance(each, nodes.Macro | nodes.FromImport | nodes.Import)]
    texts = [text for each in told if isinstance(each, nodes.Output) for text in each.nodes]
    only_space = all(isinstance(text, nodes.TemplateData) and not text.data.strip() for text in texts)
    return only_space and all(isinstance(each, nodes.Output) for each in told)


def _trees(template: str, replaced: Iterable[str] = ()) -> dict[str, nodes.Template]:
    """A template with those that it extends or includes, but for the blocks that it replaces."""
    environment = context._TEMPLATES
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, template)[0])
    blocks = list(tree.find_all(nodes.Block))
    for block in blocks:
        if block.name in replaced:
            block.body = []
    found = {template: tree}
    for each in filter(None, meta.find_referenced_templates(tree)):
        found |= _trees(each, {*replaced, *(block.name for block in blocks)})
    return found
