"""Secrets reach no reader that can't know them.

The tests check views, lists, log, export, replay, versions and refusals.
"""

import random
import re
from collections.abc import Coroutine, Iterator, Mapping
from typing import Any

import msgspec
import pytest
from httpx2 import ASGITransport, AsyncClient
from sqlalchemy import Connection, update

from atoll.server.compose.app import create_app
from atoll.server.domain.model import NewTable, Refused, SeatPlan, TableView
from atoll.server.http.session import cookie_name
from atoll.store import schema

from .conftest import GAMES, Room, refused

pytestmark = pytest.mark.anyio

NAMES = ("Ada", "Bob", "Cy")


async def everything(room: Room, name: str | None, table: str) -> bytes:
    """All that the service gives one reader about a table, as bytes."""
    who = None if name is None else room.people[name]
    tables = room.tables
    view = await tables.table_views.table(who, table)
    parts: list[Any] = [msgspec.to_builtins(view), await tables.table_views.table(who, table, encodable=True)]
    sequence = view.view_sequence
    parts += [await tables.history.moment(who, table, at) for at in range(max(0, sequence - 3), sequence + 1)]
    parts.append(await tables.history.acts(who, table, since=-1))
    parts.append(await tables.history.export(who, table))
    parts.append(await tables.history.fairness(who, table))
    parts.append(await tables.updates.versions(who, [table]))
    parts.append(await tables.table_lists.lobby(who))
    if who is not None:
        parts.append(await tables.table_lists.mine(who))
        seat = view.my_seats[0]
        parts.append(await tables.table_views.legal(who, table, seat))
        for choice in range(60):
            parts.append(await tables.previews.why_not(who, table, seat, choice))
            parts.append(await tables.previews.preview(who, table, seat, [choice]))
    return msgspec.json.encode(parts, order="deterministic")


async def rewrite(room: Room, table: str, position: Mapping[str, Any]) -> None:
    """Put another position in the place of the true one, and its checkpoint too."""
    text = msgspec.json.encode(position).decode()
    quiet = msgspec.json.encode({**position, "since": [], "sealed": {}}).decode()
    points = schema.checkpoints

    def work(connection: Connection) -> None:
        connection.execute(update(schema.games).where(schema.games.c.id == table).values(position=text))
        connection.execute(
            update(points)
            .where(points.c.game_id == table, points.c.sequence == position["sequence"])
            .values(position=quiet)
        )

    await room.tables.store._database.write(work)
    await room.forget()


def hidden_zones(state: dict[str, Any], viewer: int | None) -> list[list[int]]:
    """Return the zones of cards with one back that the viewer doesn't know."""
    zones: list[list[int]] = [state["deck"]]
    zones += [hand for seat, hand in enumerate(state["hands"]) if seat != viewer]
    return [zone for zone in zones if zone]


def twins(position: dict[str, Any], viewer: int | None, count: int = 4, seed: int = 5) -> Iterator[dict[str, Any]]:
    """Positions that differ from this one only in cards that the viewer can't know."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        twin = msgspec.json.decode(msgspec.json.encode(position))
        first, second = rng.sample(hidden_zones(twin["state"], viewer), 2)
        one, two = rng.randrange(len(first)), rng.randrange(len(second))
        if first[one] == second[two]:
            continue
        first[one], second[two] = second[two], first[one]
        first.sort()
        second.sort()
        made += 1
        yield twin


async def at_checkpoint(room: Room, length: int, **values: Any) -> tuple[str, dict[str, Any]]:
    """A table that was played for a while and stands at a checkpoint, and its position."""
    table = await room.table("toy", *NAMES, **values)
    await room.play(table, *NAMES, most=length, seed=length)
    while True:
        live = await room.tables.executor._find(table)
        assert live.position is not None and live.row.status == "running"
        data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(live.position.save_data()))
        if not data["since"] and not data["sealed"] and len(hidden_zones(data["state"], None)) > 2:
            return table, data
        await room.play(table, *NAMES, most=1, seed=length)


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("length", [12, 20, 33])
async def test_twins_look_the_same_to_who_cannot_tell_them_apart(room: Room, viewer: int | None, length: int) -> None:
    table, position = await at_checkpoint(room, length)
    name = None if viewer is None else NAMES[viewer]
    true = await everything(room, name, table)
    for twin in twins(position, viewer):
        await rewrite(room, table, twin)
        assert await everything(room, name, table) == true


async def test_the_twin_test_would_find_a_leak(room: Room) -> None:
    """The same comparison, for a seat that does know the swapped cards: there it must differ."""
    table, position = await at_checkpoint(room, 20)
    while not position["state"]["hands"][1]:
        table, position = await at_checkpoint(room, 20)
    true = await everything(room, "Bob", table)
    hand = position["state"]["hands"][1]
    twin = next(each for each in twins(position, 0, 1000) if each["state"]["hands"][1] != hand)
    await rewrite(room, table, twin)
    assert await everything(room, "Bob", table) != true


def _cards(view: TableView) -> list[list[Any]]:
    assert view.view is not None
    return [zone for zone in view.view["state"]["hands"] if isinstance(zone, list)]


async def test_a_spectator_sees_strictly_less_than_any_seat(room: Room) -> None:
    table = await room.table("toy", *NAMES)
    for _ in range(12):
        await room.play(table, *NAMES, most=3)
        spectator = await room.view(None, table)
        assert spectator.view is not None and spectator.turn is None and spectator.my_seats == ()
        assert _cards(spectator) == []
        shown = {(entry.key, entry.sequence): entry for entry in spectator.log}
        for name in NAMES:
            seat = await room.view(name, table)
            assert len(_cards(seat)) == 1
            assert len(seat.log) >= len(spectator.log)
            for entry in seat.log:
                lacking = shown.get((entry.key, entry.sequence))
                if lacking is not None and lacking.fields == {k: entry.fields.get(k) for k in lacking.fields}:
                    assert set(lacking.lacking) >= set(entry.lacking)


async def test_the_export_of_a_running_game_hides_even_how_many_steps_a_secret_had(room: Room) -> None:
    short = await room.table("toy", "Ada", "Bob")
    long = await room.table("toy", "Ada", "Bob")
    for table, wishes in ((short, ["wish pink", "enough"]), (long, ["wish white", "wish pink", "wish blue"])):
        for name, choices in (("Ada", wishes), ("Bob", ["wish pink", "enough"])):
            view = await room.view(name, table)
            assert view.turn is not None and view.seat is not None
            await room.tables.turns.choose(room.people[name], table, view.seat, choices, view.turn.stamp, confirm=True)
    for reader in ("Bob", None):
        who = None if reader is None else room.people[reader]
        records = [(await room.tables.history.export(who, table))["record"] for table in (short, long)]
        assert [step["seat"] for step in records[0]] == [step["seat"] for step in records[1]]
        assert {"seat": 0, "choice": None} in records[0]
        moments = [(await room.tables.history.moment(who, table, 0)).moments for table in (short, long)]
        assert moments[0] == moments[1]
        acts = [await room.tables.history.acts(who, table, since=-1) for table in (short, long)]
        assert [(act.start, act.end, act.seats) for act in acts[0].acts] == [
            (act.start, act.end, act.seats) for act in acts[1].acts
        ]
    own = (await room.tables.history.export(room.people["Ada"], long))["record"]
    assert [step["choice"] for step in own if step["seat"] == 0][:3] == ["wish white", "wish pink", "wish blue"]


async def test_what_is_hidden_is_open_after_the_end(room: Room) -> None:
    table = await room.table("toy", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    export = await room.tables.history.export(None, table)
    assert all(step["choice"] is not None for step in export["record"])
    assert export["text"].startswith("atoll 1\ngame toy\n")


async def test_sealed_answers_and_drafts_of_others_leave_no_mark(room: Room) -> None:
    """At one of two equal tables, Ada drafts much and answers at length.

    Bob and a spectator see the same at both.
    """
    seen: dict[str | None, list[Any]] = {"Bob": [], None: []}
    for choices in (["wish pink"], ["wish white", "wish pink", "wish blue"]):
        table = await room.table("toy", "Ada", "Bob")
        turn = (await room.view("Ada", table)).turn
        assert turn is not None
        stamp = turn.stamp
        if len(choices) > 1:
            for _ in range(3):
                stamp = (
                    await room.tables.turns.choose(room.people["Ada"], table, 0, choices, stamp, confirm=False)
                ).stamp
                stamp = (await room.tables.turns.restart(room.people["Ada"], table, 0, stamp)).stamp
        last = [] if len(choices) == 3 else ["enough"]
        await room.tables.turns.choose(room.people["Ada"], table, 0, [*choices, *last], stamp, confirm=True)
        for name, found in seen.items():
            view = await room.view(name, table)
            assert view.view is not None
            found.append(
                (
                    view.version,
                    view.view_sequence,
                    view.view["sequence"],
                    [seat.ready for seat in view.seats],
                    [seat.time_left_s for seat in view.seats],
                    len(view.log),
                    view.view["ready"],
                )
            )
    for first, second in seen.values():
        assert first == second


async def test_when_a_sealed_answer_was_given_is_not_told(room: Room, clock: Any) -> None:
    table = await room.table("toy", "Ada", "Bob")
    before = await room.view("Bob", table)
    clock.passes(100)
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    await room.tables.turns.choose(room.people["Ada"], table, 0, ["wish pink", "enough"], turn.stamp, confirm=True)
    after = await room.view("Bob", table)
    assert after.changed == before.changed
    assert [seat.ready for seat in after.seats] == [True, False]
    export = await room.tables.history.export(room.people["Bob"], table)
    assert {frozenset(step) for step in export["record"]} == {frozenset({"seat", "choice"})}
    assert {frozenset(entry) for entry in export["log"]} == {
        frozenset({"sequence", "origin", "key", "fields", "lacking"})
    }


async def test_a_private_table_does_not_exist_for_others(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    table = await room.tables.table_setup.create(
        ada, NewTable("toy", (SeatPlan("me"), SeatPlan("open")), visibility="private")
    )
    await room.tables.table_setup.accept(bob, await room.tables.table_setup.invite(ada, table, 1))
    await room.person("Eve")
    for name in ("Eve", None):
        who = None if name is None else room.people[name]
        for call in (
            room.tables.table_views.table(who, table),
            room.tables.history.moment(who, table, 0),
            room.tables.history.acts(who, table),
            room.tables.history.export(who, table),
            room.tables.history.fairness(who, table),
        ):
            with refused("no_table") as caught:
                await call
            with refused("no_table") as none:
                await room.tables.table_views.table(who, "doesnotexist")
            assert str(caught.value) == str(none.value)
        assert await room.tables.updates.versions(who, [table]) == {}
    commands: tuple[Coroutine[Any, Any, Any], ...] = (
        room.tables.table_setup.join(room.people["Eve"], table),
        room.tables.chat.say(room.people["Eve"], table, "hi"),
        room.tables.table_setup.rematch(room.people["Eve"], table),
        room.tables.history.continue_from(room.people["Eve"], table, 0),
        room.tables.table_setup.start(room.people["Eve"], table),
    )
    for command in commands:
        with refused("no_table"):
            await command
    assert (await room.view("Bob", table)).seat == 1


async def test_refusals_name_nothing_secret(room: Room) -> None:
    """Refusals and their texts are the same at twin tables."""
    table, position = await at_checkpoint(room, 20)
    name, view = await room.mover(table, *NAMES)
    assert view.turn is not None and view.seat is not None
    illegal = [choice for choice in range(360) if choice not in view.turn.legal]

    async def answers() -> list[str]:
        found = []
        for choice in illegal:
            with pytest.raises(Refused) as caught:
                assert view.turn is not None and view.seat is not None
                await room.tables.turns.choose(room.people[name], table, view.seat, [choice], view.turn.stamp)
            found.append(str(caught.value))
        return found

    true = await answers()
    for twin in twins(position, view.seat):
        await rewrite(room, table, twin)
        assert await answers() == true


async def test_a_running_game_with_secrets_cannot_be_played_on_from(room: Room) -> None:
    secret = await room.table("toy", "Ada", "Bob")
    with refused("secrets"):
        await room.tables.history.continue_from(room.people["Ada"], secret, 0)
    assert "play_on" not in (await room.view("Ada", secret)).can
    await room.play(secret, "Ada", "Bob")
    fork = await room.tables.history.continue_from(room.people["Ada"], secret, 20)
    assert (await room.view("Ada", fork)).view_sequence >= 20
    with refused("no_table"):
        await room.tables.table_views.table(room.people["Bob"], fork)


async def _pages(room: Room, name: str | None, table: str) -> list[str]:
    """Return the pages about a table for one reader, without tokens, nonces and keys."""
    app = create_app(room.tables.settings, GAMES)
    app.state.tables = room.tables
    login = None if name is None else await room.tables.users.sign_in(room.people[name].id)
    cookies = {} if login is None else {cookie_name(room.tables): login.token}
    found = []
    async with AsyncClient(transport=ASGITransport(app), base_url="http://127.0.0.1", cookies=cookies) as client:
        paths = ["", "/replay?at=3", "/moment?at=3", "/acts?since=0", "/fairness", "/export", "/why?choice=wish+pink"]
        paths += [f"/preview?choices={choice}" for choice in range(0, 60, 7)]
        for path in (*(f"/t/{table}{path}" for path in paths), "/", "/mine", "/lobby"):
            answer = await client.get(path)
            assert answer.status_code in (200, 409), path
            found.append(re.sub(r'(nonce|value|content)="[\w-]{12,}"', "", answer.text))
        played = await client.get(f"/t/{table}", headers={"X-Fragments": "", "X-Since": "0"})
        found.append(re.sub(r'(nonce|value|content)="[\w-]{12,}"', "", played.text))
    return found


@pytest.mark.parametrize("viewer", [0, None])
async def test_pages_of_twins_are_the_same_letter_by_letter(room: Room, viewer: int | None) -> None:
    """Ids, classes, descriptions, data attributes, orders and numbers reveal no more than the views."""
    table, position = await at_checkpoint(room, 20)
    name = None if viewer is None else NAMES[viewer]
    true = await _pages(room, name, table)
    assert any(len(page) > 5000 for page in true)
    for twin in twins(position, viewer):
        await rewrite(room, table, twin)
        assert await _pages(room, name, table) == true
