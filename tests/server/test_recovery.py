"""Failures: the rules of one game, the database, the whole server.

No confirmed choice is ever lost.
"""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import update

from atoll.engine import Flow
from atoll.server.domain.model import Refused
from atoll.server.play.repair import repair
from atoll.store import StoreError, UnitOfWork, schema
from tests.toy import rules
from tests.toy.kinds import DIVE
from tests.toy.rules import Toy
from tests.toy.state import ACT, ROLL, ToyState

from .conftest import GAMES, Room, opened, refused

pytestmark = pytest.mark.anyio


class Fragile(Toy):
    """The toy game, with rules that fail on demand."""

    broken = False
    blind = False
    no_diving = False

    def play(self, s: ToyState) -> Flow:
        if self.broken and s.phase in (ACT, ROLL):
            raise ZeroDivisionError("planted")
        return super().play(s)

    def derived_view(self, s: ToyState, viewer: int | None) -> dict[str, Any]:
        if self.blind:
            raise ZeroDivisionError("planted")
        return super().derived_view(s, viewer)


@pytest.fixture
def fragile() -> Fragile:
    return Fragile(GAMES["toy"].data)


@pytest.fixture
async def cracked(sqlite_url: str, fragile: Fragile) -> AsyncIterator[Room]:
    """A service whose toy can fail."""
    async with opened(sqlite_url, {**GAMES, "toy": fragile}) as found:
        yield found


async def test_failing_rules_stop_their_table_only_and_lose_nothing(cracked: Room, fragile: Fragile) -> None:
    table = await cracked.table("toy", "Ada", "Bob")
    other = await cracked.table("atacama", "Ada", "Bob")
    await cracked.play(table, "Ada", "Bob", most=9)
    confirmed = await cracked.view("Ada", table)
    fragile.broken = True
    with refused("repair"):
        await cracked.play(table, "Ada", "Bob")
    stopped = await cracked.view("Ada", table)
    assert stopped.status == "repair" and stopped.turn is None
    assert stopped.view_sequence >= confirmed.view_sequence
    assert stopped.log[-1].key == "repair"
    record = await cracked.tables.store.choices(table)
    with refused("repair"):
        await cracked.tables.turns.confirm(cracked.people["Ada"], table, 0, (await _stamp(cracked, table, 0)))
    assert await cracked.play(other, "Ada", "Bob", most=5) == 5

    await cracked.forget()
    await repair(cracked.tables.executor)
    if (await cracked.view("Ada", table)).status == "running":
        # It stands before the segment that fails: the next submission stops it again.
        with refused("repair"):
            await cracked.play(table, "Ada", "Bob")
    fragile.broken = False
    await cracked.forget()
    await repair(cracked.tables.executor)
    mended = await cracked.view("Ada", table)
    assert mended.status == "running" and mended.log[-1].key == "repaired"
    assert await cracked.tables.store.choices(table) == record
    await cracked.play(table, "Ada", "Bob")
    assert (await cracked.view("Ada", table)).status == "over"


async def _stamp(room: Room, table: str, seat: int) -> str:
    return (await room.tables.executor._find(table)).stamp(seat)


async def test_a_save_cut_in_half_is_a_repair_like_any_other_damage(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=3)
    live = await room.tables.executor._find(table)
    whole = live.row.position
    assert whole is not None
    damaged = [whole[:length] for length in range(0, len(whole), 97)]
    damaged += ["[]", "null", "7", '"x"', "{}", "[" * 5000, '{"a":' * 5000, whole.replace(":", ':"x"', 1), "\x00"]
    for number in ("9" * 5000, "1e999", "-1", "1.5"):
        damaged.append(re.sub(r'"sequence":\d+', f'"sequence":{number}', whole))
    for text in damaged:
        statement = update(schema.games).where(schema.games.c.id == table).values(position=text, status="running")
        await room.tables.store._execute(statement)
        await room.forget()
        view = await room.view("Ada", table)
        assert view.status == "repair" and view.view is None, text[:100]
        with refused("repair"):
            await room.tables.turns.confirm(room.people["Ada"], table, 0, "")
        assert [card.status for card in await room.tables.table_lists.mine(room.people["Ada"])] == ["repair"]
    await room.tables.store._execute(update(schema.games).where(schema.games.c.id == table).values(position=whole))
    await room.forget()
    await repair(room.tables.executor)
    assert (await room.view("Ada", table)).status == "running"


async def test_a_view_that_fails_is_refused_and_the_table_stays(cracked: Room, fragile: Fragile) -> None:
    table = await cracked.table("toy", "Ada", "Bob")
    other = await cracked.table("atacama", "Ada", "Bob")
    fragile.blind = True
    with refused("repair"):
        await cracked.view("Ada", table)
    assert (await cracked.view("Ada", other)).status == "running"
    fragile.blind = False
    assert (await cracked.view("Ada", table)).status == "running"


async def test_a_table_of_a_game_that_is_gone_waits_for_repair(sqlite_url: str) -> None:
    async with opened(sqlite_url) as room:
        table = await room.table("toy", "Ada", "Bob")
        ada = room.people["Ada"]
    async with opened(sqlite_url, {"atacama": GAMES["atacama"]}) as room:
        assert (await room.tables.table_views.table(ada, table)).status == "repair"
        assert [card.status for card in await room.tables.table_lists.mine(ada)] == ["repair"]
    async with opened(sqlite_url) as room:
        await repair(room.tables.executor)
        assert (await room.tables.table_views.table(ada, table)).status == "running"


async def test_mended_rules_restart_the_open_segment_if_a_choice_no_longer_fits(
    cracked: Room, fragile: Fragile, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await cracked.table("toy", "Ada", "Bob")
    while True:
        name, view = await cracked.mover(table, "Ada", "Bob")
        assert view.turn is not None and view.seat is not None
        await cracked.play(table, "Ada", "Bob", most=1, seed=2) if "dive" not in view.turn.texts else None
        if "dive" in view.turn.texts:
            break
    start = view.view_sequence
    await cracked.tables.turns.choose(cracked.people[name], table, view.seat, ["dive"], view.turn.stamp, confirm=True)
    diving = await cracked.view(name, table)
    assert diving.turn is not None and diving.turn.texts[0].startswith("keep") and diving.view_sequence == start + 3

    true = rules.actions
    monkeypatch.setattr(rules, "actions", lambda s, seat: [each for each in true(s, seat) if each != DIVE.first])
    await cracked.forget()
    again = await cracked.view(name, table)
    assert again.status == "running" and again.view_sequence == start
    assert again.turn is not None and "dive" not in again.turn.texts and "rest" in again.turn.texts
    assert again.log[-1].key == "restarted"
    assert len(await cracked.tables.store.choices(table)) == (await cracked.tables.executor._find(table)).row.number
    with refused("stale"):
        await cracked.tables.turns.choose(
            cracked.people[name], table, view.seat, ["rest"], view.turn.stamp, confirm=True
        )
    await cracked.play(table, "Ada", "Bob")
    assert (await cracked.view(None, table)).status == "over"
    moment = await cracked.tables.history.moment(None, table, start)
    assert moment.sequence == start


async def test_a_database_that_fails_refuses_and_nothing_has_changed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    name, before = await room.mover(table, "Ada", "Bob")
    assert before.turn is not None and before.seat is not None

    async def fails(change: UnitOfWork) -> None:
        raise StoreError("planted")

    choice, stamp, seat = before.turn.legal[0], before.turn.stamp, before.seat
    with monkeypatch.context() as patch:
        patch.setattr(room.tables.store, "commit", fails)
        for confirm in (True, False):
            with refused("busy"):
                await room.tables.turns.choose(room.people[name], table, seat, [choice], stamp, confirm=confirm)
            with refused("busy"):
                await room.tables.chat.say(room.people[name], table, "hi")
    assert await room.view(name, table) == before
    assert (await room.tables.turns.choose(room.people[name], table, seat, [choice], stamp, confirm=True)).confirmed


async def test_who_goes_away_in_the_middle_leaves_no_half_turn(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    for _ in range(6):
        name, view = await room.mover(table, "Ada", "Bob")
        assert view.turn is not None and view.seat is not None
        call = room.tables.turns.choose(
            room.people[name],
            table,
            view.seat,
            [view.turn.legal[0]],
            view.turn.stamp,
            key=view.turn.stamp,
            confirm=True,
        )
        task = asyncio.create_task(call)
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        after = await room.view(name, table)
        choices = await room.tables.store.choices(table)
        assert after.view_sequence == len(choices)
        again = await room.tables.turns.choose(
            room.people[name],
            table,
            view.seat,
            [view.turn.legal[0]],
            view.turn.stamp,
            key=view.turn.stamp,
            confirm=True,
        )
        assert again.confirmed and len(await room.tables.store.choices(table)) == again.sequence


async def test_two_servers_on_one_database_never_lose_a_choice(postgres_url: str) -> None:
    async with opened(postgres_url) as one, opened(postgres_url, trust_s=0.0) as two:
        table = await one.table("toy", "Ada", "Bob", "Cy")
        two.people = one.people
        served = 0
        for turn in range(200):
            here, there = (one, two) if turn % 2 else (two, one)
            view = await here.view(None, table)
            if view.status == "over":
                break
            name, view = await here.mover(table, "Ada", "Bob", "Cy")
            assert view.turn is not None and view.seat is not None
            args = (one.people[name], table, view.seat, [view.turn.legal[0]], view.turn.stamp)
            results = await asyncio.gather(
                here.tables.turns.choose(*args, confirm=True),
                there.tables.turns.choose(*args, confirm=True),
                return_exceptions=True,
            )
            done = [result for result in results if not isinstance(result, BaseException)]
            assert len(done) == 1, results
            assert [type(result) for result in results if isinstance(result, BaseException)] == [Refused]
            served += 1
        assert served > 20
        rows = await one.tables.store.choices(table)
        assert [row.number for row in rows] == list(range(len(rows)))


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
async def test_killed_between_any_two_steps(backend: str, sqlite_url: str, request: pytest.FixtureRequest) -> None:
    """Whatever step of writing a turn the server is killed at, the turn is there whole or not at all."""
    url = sqlite_url if backend == "sqlite" else request.getfixturevalue("postgres_url")
    async with opened(url) as room:
        login = await room.tables.users.guest("Bob")
        room.people["Bob"] = login.user
        table = await room.table("toy", "Ada", "Bob")
        turn = (await room.view("Ada", table)).turn
        assert turn is not None
        await room.tables.turns.choose(room.people["Ada"], table, 0, ["wish pink", "enough"], turn.stamp, confirm=True)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.server.kill_steps", url],
        env={**os.environ, "ATOLL_TEST_TOKEN": login.token, "ATOLL_TEST_TABLE": table},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(lines) > 8
    for step, (number, killed, unchanged, before, after) in enumerate(lines[:-1]):
        assert (number, killed, unchanged, before, after) == (step, 1, 1, 0, 0)
    assert lines[-1][2:] == (0, 0, 1)
