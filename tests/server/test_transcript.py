"""Every byte that one reader gets of a table is the same at tables that differ only in what the reader can't know.

The tables, the channels, and the comparison are those of transcripts.py. Random secrets and the time are the same each
time, so the bytes are, and with them headers and lengths of compressed answers. Leaks are planted, and must be found.
"""

import asyncio
import contextlib
import dataclasses
import inspect
import itertools
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import icalendar
import msgspec
import pytest
import structlog
from sqlalchemy import Engine, event

import atoll
from atoll.engine import PUBLIC, Event, Game
from atoll.server.domain import metrics, wall_clock
from atoll.server.domain.model import Act, LogEntry, Refused, WhyNot
from atoll.server.http import events
from atoll.server.http.pages import context
from atoll.server.notify import channels, dispatcher
from atoll.server.play import history, previews, table_lists, table_views, tryouts
from atoll.server.play.history import History
from atoll.server.play.moderation import Moderation
from atoll.server.play.subscriptions import EventHub
from atoll.server.play.table_views import TableViews
from atoll.server.presentation import texts
from atoll.server.table import lifecycle, live_table
from atoll.server.table import permissions as rules_of_rights
from atoll.store import Store
from atoll.store.rows import TakebackRow
from tests.draws import same_secrets

from .conftest import Time, opened
from .test_secrecy import NAMES, twins
from .transcripts import BUSY, LETTER, ONE, OPERATOR, OTHER, SPIED, Private, Tables, differences, lived, tokens

PLAIN = ("atacama", "atlandice")
"""Games whose lines of the log all may see."""


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
        _take_other_answers_back(connection, tables.table, viewer)
        # An event is added that the viewer can't know.
        other = 1 << (0 if viewer else 1)
        connection.execute("UPDATE events SET number = -number - 1 WHERE number >= 5")
        connection.execute("UPDATE events SET number = -number WHERE number < 0")
        secret = msgspec.json.encode(Event("kept", {}, {}, other).to_json()).decode()
        connection.execute(
            "INSERT INTO events SELECT game_id, 5, sequence, origin, ?, at, NULL FROM events "
            "WHERE game_id = ? AND number = 6",
            (secret, tables.table),
        )

    return change


def _take_other_answers_back(connection: sqlite3.Connection, table: str, viewer: int | None) -> None:
    """Replace the secret answers that were taken back; the public ones stay."""
    for number, taken in connection.execute("SELECT number, taken FROM undone WHERE game_id = ?", (table,)).fetchall():
        rows = [
            [sequence, seat, choice if audience == PUBLIC or seat == viewer else choice + 1, audience]
            for sequence, seat, choice, audience in msgspec.json.decode(taken)
        ]
        changed = msgspec.json.encode(rows).decode()
        connection.execute("UPDATE undone SET taken = ? WHERE game_id = ? AND number = ?", (changed, table, number))


def _other(value: Any) -> Any:
    return value + 1 if type(value) is int else [_other(each) for each in value] if isinstance(value, list) else "other"


@pytest.fixture(scope="module")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tables, dict[str, Any]]:
    """A table with all that a table can have, and its position; readers get copies of its file."""
    folder = tmp_path_factory.mktemp("lived")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wall_clock, "now_ms", Time())
        return lived(f"sqlite:///{folder}/atoll.db", folder)


@pytest.fixture
def base(lived_once: tuple[Tables, dict[str, Any]], clock: Time) -> tuple[Tables, dict[str, Any]]:
    """A table with all that a table can have, and its position, at the time until which it was played."""
    return lived_once


def _reader(tables: Tables, reader: str) -> tuple[str | None, int | None]:
    """Return the name and seat of the player to move, of a player who looks on, or of a spectator."""
    if reader == "spectator":
        return None, None
    name = tables.movers[0] if reader == "mover" else next(each for each in NAMES if each not in tables.movers)
    return name, NAMES.index(name)


@pytest.mark.parametrize("reader", ["mover", "player", "spectator"])
def test_at_twin_tables_all_that_is_told_is_the_same(
    base: tuple[Tables, dict[str, Any]], reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, position = base
    name, viewer = _reader(tables, reader)
    true = tables.told(name, monkeypatch)
    assert sum(len(content) > 600 and status == 200 for status, _, content in true.values()) > 20
    twin = position
    for seed in range(6):  # many cards at once, from wherever there are hidden ones
        twin = next(twins(twin, viewer, seed=seed))
    assert differences(true, tables.copy(unlike(tables, twin, viewer)).told(name, monkeypatch)) == []


@pytest.mark.parametrize("reader", ["player", "spectator"])
def test_private_acts_of_others_leave_no_mark(
    base: tuple[Tables, dict[str, Any]], reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drafts, plans, notes, hints, try-outs and channels: neither their content nor their number shows."""
    tables, _ = base
    name, _ = _reader(tables, reader)
    true = tables.told(name, monkeypatch, ONE)
    if name is not None:
        assert differences(true, tables.told(name, monkeypatch, ONE)) == [], "the same is told each time"
    assert differences(true, tables.told(name, monkeypatch, OTHER)) == []
    busy = differences(true, tables.told(name, monkeypatch, BUSY))
    assert [each for each in busy if not each.startswith(OPERATOR)] == []


def test_the_table_has_all_that_a_table_can_have(
    base: tuple[Tables, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each channel tells something, so that the comparisons above compare more than empty answers."""
    tables, _ = base
    name, seat = _reader(tables, "player")
    told = tables.told(name, monkeypatch, ONE, only="^GET /api/v1/tables/")
    letters = [address for method, address in told if method == LETTER]
    for kind in ("mailto", "push", "discord", "slack", "ntfy", "webhook"):
        assert any(kind in each for each in letters), kind
    streams = [content for (_, address), (_, _, content) in told.items() if address.endswith("(while things happen)")]
    assert len(streams) == 2 and all(content.count(b"event: table") >= 2 for content in streams)
    view = msgspec.json.decode(told["GET", f"/api/v1/tables/{tables.table}?seat={seat}"][2])
    assert view["votes"] and view["chat"] and any(each["due"] for each in view["seats"]) and view["advice"]
    export = msgspec.json.decode(told["GET", f"/api/v1/tables/{tables.table}/export"][2])
    assert [step["choice"] for step in export["undone"][0]["record"]] == [None, "rest"]
    mover = tables.told(tables.movers[0], monkeypatch, ONE, only="^GET /api|/calendar/")
    [calendar] = [mover[each] for each in mover if each[1].startswith("/calendar/")]
    assert calendar[2].count(b"BEGIN:VEVENT") == 1
    view = msgspec.json.decode(mover["GET", f"/api/v1/tables/{tables.table}"][2])
    assert view["turn"]["staged"] and view["notes"] == ONE.note
    other = tables.told(tables.movers[1], monkeypatch, ONE, only="^GET /api")
    view = msgspec.json.decode(other["GET", f"/api/v1/tables/{tables.table}"][2])
    assert view["plan"]["steps"]


def _redealt(position: dict[str, Any], viewer: int, game: Game, seed: int) -> dict[str, Any]:
    """The position with other secrets than those that the viewer, who is asked now, knows."""
    twin = game.load(position)
    twin.determinize(viewer, seed)
    changed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(twin.save_data()))
    assert changed != position, "there is nothing hidden"
    return changed


@pytest.mark.fuzz
@pytest.mark.parametrize("game", sorted(atoll.games))
def test_at_twin_tables_of_the_games_all_that_is_told_is_the_same(
    tmp_path: Path, clock: Time, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the same for each seat and spectators, after a few moves and after many."""
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
                    await room.tables.turns.confirm(who, table, seat, turn.stamp)
                else:
                    await room.tables.turns.choose(who, table, seat, [chooser.choice(turn.legal)], turn.stamp)
                found = await room.tables.executor._find(table)
                assert found.position is not None and found.row.status == "running"
                data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found.position.save_data()))
                if count >= length and not data["since"] and not data["sealed"] and not found.turn_drafts:
                    return table, data, await tokens(room)
            raise AssertionError

    for length in (6, 24):
        file = tmp_path / f"{length}.db"
        with same_secrets(f"played for {length}"):
            table, position, known = asyncio.run(play(f"sqlite:///{file}", length))
        tables = Tables(file, table, known, games=atoll.games)
        for viewer in atoll.games[game].load(position).to_move:
            twin = tables.copy(unlike(tables, _redealt(position, viewer, atoll.games[game], length), viewer))
            for name in (names[viewer], None):
                assert differences(tables.told(name, monkeypatch), twin.told(name, monkeypatch)) == []


# -- planted leaks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leak:
    """A planted leak.

    Attributes:
        leaks: The kind of secret: "cards", the "content" of private acts, or their "count".
        where: A pattern of the addresses at which the leak must be found.
        place: The module or class that is changed.
        name: The function that is replaced there.
        plant: Makes the leaking function of the original one.
        reader: The reader who learns the secret.
        more: Another function that has to be replaced for it.
    """

    leaks: str
    where: str
    place: Any
    name: str
    plant: Callable[[Any], Any]
    reader: str = "player"
    more: tuple[Any, str, Callable[[Any], Any]] | None = None


def _instead(found: Any) -> Callable[[Any], Any]:
    """Replace a function by another one, whatever it did."""
    return lambda _: found


def _after(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Change the result of a function."""

    def plant(original: Any) -> Any:
        if inspect.iscoroutinefunction(original):

            async def later(*args: Any, **values: Any) -> Any:
                return change(await original(*args, **values))

            return later
        return lambda *args, **values: change(original(*args, **values))

    return plant


def _with(change: Callable[[], dict[str, Any]]) -> Callable[[Any], Any]:
    """Change fields of a struct that a function returns."""
    return _after(lambda found: None if found is None else msgspec.structs.replace(found, **change()))


def _doing(act: Callable[..., Any]) -> Callable[[Any], Any]:
    """Do something else before a function."""

    def plant(original: Any) -> Any:
        def both(*args: Any, **values: Any) -> Any:
            act(*args, **values)
            return original(*args, **values)

        return both

    return plant


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


def _any_row(found: live_table.LiveTable, _user: Any, seat: int) -> Any:
    return found.seats[seat]


def _summary_of_cards(original: Any) -> Any:
    def add(self: Any, name: str, value: Any, *rest: Any) -> None:
        original(self, name, f"{value} {SPIED.cards()}" if name == "summary" else value, *rest)

    return add


def _public_choices(original: Any) -> Any:
    def choices(self: TakebackRow) -> Any:
        return [dataclasses.replace(row, audience=PUBLIC) for row in original(self)]

    return choices


def _reason_of_later(original: Any) -> Any:
    def reason(*args: Any) -> WhyNot:
        original(*args)
        return WhyNot("game", "too_expensive", {"card": 0, "n": SPIED.mark()}, "turns")

    return reason


def _heard_by_all(original: Any) -> Any:
    def publish(self: EventHub, *args: Any, only: str = "", **values: Any) -> None:
        original(self, *args, only="", **values)

    return publish


def _stale(original: Any) -> Any:
    def turn(found: live_table.LiveTable, user: Any, seat: int, stamp: str) -> Any:
        if seat in range(len(found.seats)) and found.seats[seat].user_id != user.id:
            raise Refused("stale", 409, f"since then: {SPIED.content()}")
        return original(found, user, seat, stamp)

    return turn


def _notes_of_all(original: Any) -> Any:
    async def note(self: Store, table: str, _: str) -> str:
        notes = SPIED.content()
        return f"{await original(self, table, _)} {notes}"

    return note


def _notes_read_by_all(found: live_table.LiveTable, who: Any) -> bool:
    if who is not None:
        found.notes[who.id] = SPIED.content()
    return False


def _padded(original: Any) -> Any:
    """Add as many spaces to a page as there were drafts: only its length tells."""
    return lambda *args, **values: original(*args, **values) + " " * 50 * SPIED.count()


def _shown_with_cards(case: Any) -> Any:
    text = f"{case.reports[0].text} {SPIED.cards()}"
    return dataclasses.replace(case, reports=(msgspec.structs.replace(case.reports[0], text=text),))


def _due_by_drafts() -> dict[str, Any]:
    return {"time_left_s": 60 * SPIED.count()}


PAGE = r"^GET /t/\w+$"
TABLE = r"^GET /api/v1/tables/\w+$"

LEAKS: dict[str, Leak] = {
    # the six that were once found by no test
    "calendar: the text": Leak("cards", "/calendar/", icalendar.Event, "add", _summary_of_cards, "mover"),
    "export: answers taken back": Leak("cards", r"/api/v1/tables/\w+/export$", TakebackRow, "choices", _public_choices),
    "lobby: the time of creation counts drafts": Leak(
        "count",
        r"^GET /api/v1/tables$",
        table_lists,
        "card",
        _after(lambda card: msgspec.structs.replace(card, created=card.created + timedelta(seconds=SPIED.count()))),
    ),
    "metrics: a label names the draft": Leak(
        "content",
        f"{OPERATOR} metrics",
        live_table.LiveTable,
        "set_draft",
        _doing(lambda _live, _seat, choices: metrics.REFUSED.labels(f"draft {choices}").inc()),
    ),
    "log of the server: drafts": Leak(
        "content",
        f"{OPERATOR} log",
        live_table.LiveTable,
        "set_draft",
        _doing(lambda _live, seat, choices: structlog.get_logger().info("draft", seat=seat, choices=choices)),
    ),
    "why not: what comes later": Leak("cards", r"/why\?", previews, "_reason", _reason_of_later, "mover"),
    "moderation: the cards in a report": Leak(
        "cards",
        "^GET /moderation/reports/",
        Moderation,
        "case",
        _after(_shown_with_cards),
    ),
    "moderation: drafts at a person's tables": Leak(
        "content",
        "^GET /moderation/people/",
        Moderation,
        "person",
        _after(lambda file: dataclasses.replace(file, filed=(SPIED.mark(), 1))),
    ),
    # the log and the views of a game
    "log: raw fields": Leak("cards", PAGE, live_table, "add_entries", _instead(_shown_raw)),
    "log: gaps in the numbers": Leak("cards", TABLE, live_table, "add_entries", _instead(_shown_with_gaps)),
    "views: without the check of the seat": Leak("cards", r"\?seat=", rules_of_rights, "viewer", _instead(_any_seat)),
    "previews: without the check of the seat": Leak(
        "cards",
        r"/preview\?",
        rules_of_rights,
        "require_own_seat",
        _instead(_any_row),
        more=(rules_of_rights, "viewer", _instead(_any_seat)),
    ),
    "preview: of the cards": Leak(
        "cards",
        r"/preview\?",
        previews.Previews,
        "preview",
        _after(lambda view: view and {**view, "state": {**view["state"], "round": SPIED.mark()}}),
        "mover",
    ),
    "try-outs: the true cards": Leak(
        "cards",
        "^POST /api/.*/try",
        tryouts.Tryouts,
        "tryout",
        _with(lambda: {"scores": (SPIED.mark(),)}),
        "mover",
    ),
    "moments: hands": Leak(
        "cards",
        "/moments/",
        History,
        "moment",
        _after(lambda found: msgspec.structs.replace(found, game=SPIED.cards())),
    ),
    "acts: drafts": Leak(
        "content",
        r"/api/v1/tables/\w+/acts",
        history,
        "acts",
        _after(lambda found: (*found, Act(99, 99, (SPIED.mark(),), ()))),
    ),
    "record: drafts": Leak(
        "content",
        r"/api/v1/tables/\w+/record",
        History,
        "record",
        _after(lambda found: msgspec.structs.replace(found, lines=(*found.lines, SPIED.content()))),
    ),
    "fairness: the chance to come": Leak(
        "cards",
        r"/api/v1/tables/\w+/fairness",
        History,
        "fairness",
        _after(lambda found: msgspec.structs.replace(found, seed=SPIED.cards())),
    ),
    # the table's page and the API's answer
    "view: rights follow drafts": Leak(
        "content", TABLE, rules_of_rights, "permitted_actions", _after(lambda found: (*found, SPIED.content()))
    ),
    "view: notes of others": Leak("content", TABLE, table_views, "_must_read_note", _instead(_notes_read_by_all)),
    "view: plans of others": Leak("content", TABLE, table_views, "plan_of", _instead(lambda found, _: SPIED.plan())),
    "view: hints of others": Leak(
        "content", TABLE, table_views, "_table_view", _with(lambda: {"advised": SPIED.hint()})
    ),
    "seats: time left counts drafts": Leak(
        "count",
        TABLE,
        table_views,
        "seat_infos",
        _after(lambda infos: tuple(msgspec.structs.replace(info, **_due_by_drafts()) for info in infos)),
    ),
    "seats: names": Leak(
        "content",
        TABLE,
        table_views,
        "seat_infos",
        _after(lambda infos: tuple(msgspec.structs.replace(info, name=str(SPIED.mark())) for info in infos)),
    ),
    "chat: notes": Leak(
        "content",
        r"/chat$",
        table_views,
        "message",
        _after(lambda said: msgspec.structs.replace(said, text=SPIED.content())),
    ),
    "page: its length counts drafts": Leak("count", PAGE, context, "render_html", _padded),
    "page: title": Leak("cards", PAGE, texts.GameTexts, "title", _after(lambda title: f"{title} {SPIED.cards()}")),
    "lists: my tables": Leak(
        "content", r"^GET /mine$", table_lists.TableLists, "mine", _after(lambda cards: cards * (1 + SPIED.mark() % 11))
    ),
    "account: notes of others in the export": Leak("content", "/me/export", Store, "note", _notes_of_all),
    "refusals: drafts": Leak("content", r"^POST .*/undo", rules_of_rights, "require_turn", _stale),
    # streams and letters
    "streams: drafts are heard by all": Leak("count", "while things happen", EventHub, "publish", _heard_by_all),
    "streams: views": Leak(
        "content",
        "api/v1/events.*while things happen",
        events,
        "_update_message",
        _after(lambda message: message + SPIED.content().encode()),
    ),
    "polls: versions count drafts": Leak(
        "count",
        "/versions",
        live_table.LiveTable,
        "version_for",
        _after(lambda version: f"{version}.{SPIED.count()}"),
        "spectator",
    ),
    "letters: text": Leak(
        "cards",
        f"{LETTER} .*webhook",
        dispatcher,
        "notification_message",
        _after(lambda found: dataclasses.replace(found, text=SPIED.cards())),
    ),
    "letters: subject of mails": Leak(
        "content",
        f"{LETTER} .*mailto",
        channels,
        "mail",
        _after(lambda found: (f"{found[0]} {SPIED.mark()}", *found[1:])),
    ),
}


@pytest.mark.source  # faults can't be planted into compiled code
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(
    base: tuple[Tables, dict[str, Any]], leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, position = base
    planted = LEAKS[leak]
    name, viewer = _reader(tables, planted.reader)
    if planted.leaks == "cards":
        others: list[tuple[Tables, Private | None]] = [
            (tables.copy(unlike(tables, twin, viewer)), None) for twin in twins(position, viewer, 2)
        ]
    else:
        others = [(tables, OTHER if planted.leaks == "content" else BUSY)]
    for place, function, plant in filter(None, ((planted.place, planted.name, planted.plant), planted.more)):
        monkeypatch.setattr(place, function, plant(inspect.getattr_static(place, function)))
    true = tables.told(name, monkeypatch, None if planted.leaks == "cards" else ONE, planted.where)
    for other, private in others:
        found = differences(true, other.told(name, monkeypatch, private, planted.where))
        if any(re.search(planted.where, each) for each in found):
            return
    raise AssertionError("nothing was found")


# -- answers to a sealed decision ----------------------------------------------------------------------------------


def sealed(folder: Path, name: str, wishes: list[str], wait: float, clock: Time) -> Tables:
    """Return a table at which Ada has answered a sealed decision.

    People and secrets are the same each time.

    Args:
        folder: Folder of the database.
        name: Name of the database.
        wishes: Ada's choices.
        wait: Seconds until the answer.
        clock: The clock.
    """

    async def play() -> tuple[str, dict[tuple[str, str], str]]:
        async with opened(f"sqlite:///{folder}/{name}.db") as room:
            table = await room.table("toy", "Ada", "Bob")
            known = await tokens(room)
            turn = (await room.view("Ada", table)).turn
            assert turn is not None
            clock.passes(wait)
            await room.tables.turns.choose(room.people["Ada"], table, 0, wishes, turn.stamp, confirm=True)
            clock.passes(500 - wait)
            return table, known

    with same_secrets("sealed"):
        start = clock.now
        table, known = asyncio.run(play())
        clock.now = start + 500_000
    return Tables(folder / f"{name}.db", table, known)


@contextlib.contextmanager
def statements() -> Iterator[Counter[str]]:
    """Count the statements that are sent to the database.

    They measure the work for an answer, independent of the machine. A server's heartbeats depend on
    time and aren't counted.
    """
    found: Counter[str] = Counter()

    def count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not any(table in statement for table in ("servers", "maintenance", "schema_info")):
            found[statement] += 1

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def _asked(
    folder: Path,
    clock: Time,
    monkeypatch: pytest.MonkeyPatch,
    viewer: str | None,
    waits: tuple[float, float],
    only: str,
) -> tuple[list[str], list[Counter[str]]]:
    """Compare tables with a short and a long sealed answer of Ada.

    Args:
        folder: Folder of the databases.
        clock: The clock.
        monkeypatch: Replaces functions.
        viewer: The reader, or None.
        waits: Seconds until each of the answers.
        only: The only part of the transcript to record.

    Returns:
        The differences, and the statements of each table.
    """
    start, told, work = clock.now, [], []
    answers = {"short": ["wish pink", "enough"], "long": ["wish white", "wish pink", "wish blue"]}
    for (name, wishes), wait in zip(answers.items(), waits, strict=True):
        clock.now = start
        tables = sealed(folder, name, wishes, wait, clock)
        with statements() as sent:
            told.append(tables.told(viewer, monkeypatch, only=only))
        assert sent
        work.append(sent)
    return differences(*told), work


@pytest.mark.parametrize("viewer", ["Bob", None])
def test_nothing_tells_the_length_or_time_of_a_sealed_answer(
    tmp_path: Path, clock: Time, viewer: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    different, (short, long) = _asked(tmp_path, clock, monkeypatch, viewer, (5.0, 400.0), "")
    assert different == []
    assert short == long


def test_work_that_depends_on_a_sealed_answer_is_found(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal = TableViews.legal

    async def again_for_each(self: TableViews, who: Any, table: str, seat: int) -> Any:
        async with self._executor.locked(table) as found:
            assert found.position is not None
            answers = sum(map(len, found.position.sealed_answers.values()))
        for _ in range(answers):
            await self._executor.store.messages(table)
        return await legal(self, who, table, seat)

    monkeypatch.setattr(TableViews, "legal", again_for_each)
    different, (short, long) = _asked(tmp_path, clock, monkeypatch, "Bob", (5.0, 5.0), "/legal$")
    assert different == [] and short != long


def test_a_sealed_answer_that_tells_its_length_is_found(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = lifecycle.answer

    def counted(found: live_table.LiveTable, seat: int, choices: Any, now: int, **values: Any) -> None:
        answer(found, seat, choices, now, **values)
        found.row.version += len(choices)

    monkeypatch.setattr(lifecycle, "answer", counted)
    different, _ = _asked(tmp_path, clock, monkeypatch, "Bob", (5.0, 5.0), "/versions")
    assert any("/versions" in each for each in different)


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

    async def all_of_them(self: History, found: live_table.LiveTable) -> list[tuple[int, int]]:
        return [(row.sequence, row.seat) for row in await self._executor.store.choices(found.row.id)]

    monkeypatch.setattr(History, "steps", all_of_them)
    assert not _moments_are_those_that_were_seen(f"sqlite:///{tmp_path}/planted.db"), "the leak isn't found"
