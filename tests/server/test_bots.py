"""Bots think in their own processes: with slow, big, broken or cheating ones the table continues."""

import asyncio
import importlib.resources
import os
import time
from pathlib import Path

import pytest

import atoll
import atoll.bots
from atoll.bots.levels import Level
from atoll.engine import ComponentError
from atoll.server.bots.pool import BotPool
from atoll.server.domain import metrics
from atoll.server.domain.game_offer import replace_components
from atoll.server.domain.model import NewTable, Refused, SeatPlan
from atoll.server.play.bot_turns import seconds_left
from atoll.server.play.ports import BotFailed
from atoll.store import JobRow, StoreError
from atoll.testing.shares import give_shares

from .conftest import opened

pytestmark = pytest.mark.anyio

MISBEHAVING = '''
"""Bots that misbehave, for tests."""

import os
import time

import atoll.bots

from atoll.bots import RandomBot


class Misbehaving:
    def __init__(self, name):
        self.name = name

    def choose(self, view, budget, seed):
        if self.name == "slow":
            time.sleep(60)
        if self.name == "big":
            return [len(bytearray(3 << 30))]
        if self.name == "broken":
            raise ZeroDivisionError("oops")
        if self.name == "dead":
            os._exit(3)
        if self.name == "chatty":
            print("x" * 100_000)
            os.write(1, b"nonsense" * 100)
        if self.name == "cheat":
            return [10**6]
        if self.name == "curious":
            assert not any(isinstance(getattr(view, name, None), atoll.Position) for name in dir(view))
        return RandomBot().choose(view, budget, seed)


def bot(game, name):
    return Misbehaving(name)


atoll.bots.bot = bot
'''


@pytest.fixture
def misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module for workers that replaces their bots."""
    (tmp_path / "misbehaving_bots.py").write_text(MISBEHAVING)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]))
    monkeypatch.setenv("ATOLL_PLUGINS", "misbehaving_bots")


def _level(name: str) -> Level:
    """A level of the module above; only workers make its bot."""
    return Level(name, 1.0, lambda _: pytest.fail("the server made a bot itself"))


def _saved() -> tuple[str, int]:
    position = atoll.games["atacama"].new(2, seed=1)
    return position.save(), position.to_move[0]


async def test_a_worker_answers_and_is_used_again() -> None:
    pool = BotPool(1, seconds=5, memory=1 << 30)
    saved, seat = _saved()
    legal = atoll.load(saved).legal_choices(seat)
    answers = [await pool.choose(saved, seat, "random", seed) for seed in (1, 1, 2, 3, 4, 5)]
    assert answers[0] == answers[1] and all(answer[0] in legal for answer in answers)
    assert len({tuple(answer) for answer in answers}) > 2
    assert len(pool._all) == 1
    with pytest.raises(BotFailed, match="unknown bot"):
        await pool.choose(saved, seat, "nobody", 1)
    await pool.close()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("slow", "no answer within"), ("big", "MemoryError"), ("broken", "ZeroDivisionError"), ("dead", "status 3")],
)
@pytest.mark.usefixtures("misbehaving")
async def test_a_bot_that_misbehaves_is_reported_and_the_next_one_works(name: str, reason: str) -> None:
    pool = BotPool(1, seconds=0.3, memory=1 << 30)
    saved, seat = _saved()
    started = time.monotonic()
    with pytest.raises(BotFailed, match=reason):
        await pool.choose(saved, seat, name, 1)
    assert time.monotonic() - started < 20
    assert await pool.choose(saved, seat, "good", 1)
    assert await pool.choose(saved, seat, "curious", 1)
    await pool.close()
    assert all(worker.process.returncode is not None for worker in pool._all)


@pytest.mark.usefixtures("misbehaving")
async def test_what_a_bot_prints_does_not_disturb() -> None:
    pool = BotPool(1, seconds=5, memory=1 << 30)
    saved, seat = _saved()
    for _ in range(3):
        assert await pool.choose(saved, seat, "chatty", 1)
    await pool.close()


async def test_a_check_waits_so_long_at_most_for_a_worker() -> None:
    pool = BotPool(1, seconds=5, memory=1 << 30)
    await pool._queue.get("")  # somebody else has it
    with pytest.raises(BotFailed, match="no worker was free within 0 s"):
        await pool.verify("{}", "", 0.05, wait=0.0)


async def test_more_questions_than_workers_wait_their_turn() -> None:
    pool = BotPool(2, seconds=5, memory=1 << 30)
    saved, seat = _saved()
    answers = await asyncio.gather(*(pool.choose(saved, seat, "random", seed) for seed in range(20)))
    assert len(answers) == 20 and len(pool._all) <= 2
    await pool.close()


@pytest.mark.usefixtures("misbehaving")
@pytest.mark.parametrize("name", ["slow", "dead", "cheat", "broken"])
async def test_a_table_never_waits_for_a_broken_bot(sqlite_url: str, name: str) -> None:
    async with opened(sqlite_url, bot_seconds=0.1) as room:
        room.tables.catalogue._levels = lambda *_: [_level(name)]
        ada = await room.person("Ada")
        table = await room.tables.table_setup.create(
            ada, NewTable("atacama", (SeatPlan("me"), SeatPlan("bot", bot=name)))
        )
        task = asyncio.create_task(room.scheduler.run())
        await give_shares(room.tables, table)
        for _ in range(2):
            await room.until(table, lambda view: view.seats[0].to_move)
            view = await room.view("Ada", table)
            assert view.turn is not None
            await room.tables.turns.choose(ada, table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)
        await room.until(table, lambda view: view.seats[0].to_move)
        assert (await room.view("Ada", table)).status == "running"
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


class Thorough:
    """Bots that take all the time they are given, by a clock of their own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.given: list[tuple[int, float]] = []

    async def choose(
        self, saved: str, seat: int, level: str, seed: int, seconds: float, *, host: str = ""
    ) -> list[int]:
        self.now += min(seconds, 4.0)
        self.given.append((seat, min(seconds, 4.0)))
        return atoll.load(saved).legal_choices(seat)[-1:]


async def test_a_turn_of_several_decisions_is_not_waited_for_longer_than_15_seconds(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(sqlite_url, {"atua": atoll.games["atua"]}) as room:
        ada = await room.person("Ada")
        table = await room.tables.table_setup.create(
            ada, NewTable("atua", (SeatPlan("me"), SeatPlan("bot", bot="expert"), SeatPlan("bot", bot="expert")))
        )
        await give_shares(room.tables, table)
        thorough = Thorough()
        room.tables.bot_turns._pool = thorough  # type: ignore[assignment]
        monkeypatch.setattr("atoll.server.play.bot_turns.monotonic", lambda: thorough.now)
        runs: list[tuple[int, list[float]]] = []
        for _ in range(12):
            view = await room.view("Ada", table)
            if view.turn is not None and view.turn.legal:
                await room.tables.turns.choose(ada, table, 0, [view.turn.legal[-1]], view.turn.stamp, confirm=True)
            thorough.given.clear()
            await room.tables.bot_turns.play(table)
            for seat, seconds in thorough.given:
                if not runs or runs[-1][0] != seat:
                    runs.append((seat, []))
                runs[-1][1].append(seconds)
            runs.append((-1, [0.0]))
        longest = max((each for _, each in runs), key=len)
        assert len(longest) >= 4 and longest[0] == 4.0
        assert longest == sorted(longest, reverse=True) and longest[-1] < 2.5
        assert all(sum(each) <= 15 for _, each in runs)


@pytest.mark.parametrize("name", sorted(atoll.games))
def test_a_turn_of_fifteen_decisions_is_thought_about_for_15_seconds_at_most(name: str) -> None:
    """The longest turns known are Wutaki's, of twelve decisions.

    No level thinks longer than 5 s about a decision.
    """
    longest = max(level.seconds for level in atoll.bots.levels(atoll.games[name]))
    thought = 0.0
    for _ in range(15):
        thought += min(longest, seconds_left(thought))
    assert longest < 5
    assert 13 < thought <= 15


@pytest.mark.parametrize("fails", ["table", "commit"])
async def test_a_database_that_is_away_delays_a_bot_and_no_more(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    async with opened(sqlite_url) as room:
        ada = await room.person("Ada")
        table = await room.tables.table_setup.create(
            ada, NewTable("atacama", (SeatPlan("me"), SeatPlan("bot", bot="beginner")))
        )
        await give_shares(room.tables, table)
        view = await room.view("Ada", table)
        if view.turn is not None:
            await room.tables.turns.choose(ada, table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)
        told = (await room.view("Ada", table)).view_sequence
        await room.forget()
        works = getattr(room.tables.store, fails)
        calls = []
        tried = asyncio.Event()

        async def away(*args: object, **values: object) -> object:
            task = asyncio.current_task()
            if task is not None and task.get_name().startswith("job bot"):
                calls.append(args)
                if len(calls) <= 2:
                    raise StoreError("away")
                tried.set()
            return await works(*args, **values)

        monkeypatch.setattr(room.tables.store, fails, away)
        monkeypatch.setattr("atoll.server.play.scheduler._LONGEST_DELAY_MS", 50)
        task = asyncio.create_task(room.scheduler.run())
        async with asyncio.timeout(20):
            await tried.wait()
        await room.until(table, lambda view: view.view_sequence > told and view.seats[0].to_move)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_job_is_never_given_up(sqlite_url: str) -> None:
    async with opened(sqlite_url) as room:
        job = JobRow("bot:x", "bot", None, 0, "x")
        await room.tables.store.set_jobs([job])
        for error in (Refused("busy", 503, "away"), RuntimeError("oops")):

            async def fail(_: str, error: Exception = error) -> None:
                raise error

            room.scheduler._handlers["bot"] = fail
            [leased] = await room.tables.store.lease_jobs(10**15, 10**15)
            leased.attempts = 1000
            await room.scheduler._do(leased, None)
            assert await room.tables.store.next_due() is not None


@pytest.mark.usefixtures("misbehaving")
async def test_the_server_answers_while_bots_think(sqlite_url: str) -> None:
    async with opened(sqlite_url, bot_seconds=50) as room:
        room.tables.catalogue._levels = lambda *_: [_level("slow")]
        ada = await room.person("Ada")
        table = await room.tables.table_setup.create(
            ada, NewTable("atacama", (SeatPlan("me"), SeatPlan("bot", bot="slow")))
        )
        await give_shares(room.tables, table)
        view = await room.view("Ada", table)
        if view.turn is not None:
            await room.tables.turns.choose(ada, table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)
        pool = room.tables.bot_turns._pool
        assert isinstance(pool, BotPool)
        thinking = asyncio.create_task(room.tables.bot_turns.play(table))
        async with asyncio.timeout(20):
            while True:
                if pool._all:
                    break
                await asyncio.sleep(0.01)
        # All are answered before the bot is.
        for _ in range(20):
            await room.view("Ada", table)
        assert not thinking.done()
        thinking.cancel()
        await asyncio.gather(thinking, return_exceptions=True)


def _other_board(folder: Path) -> Path:
    source = importlib.resources.files("atoll.games.atacama").joinpath("components.toml").read_text("utf-8")
    file = folder / "mine.toml"
    file.write_text(source.replace("line_minimum_rigs = 4", "line_minimum_rigs = 3"), "utf-8")
    return file


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "can't be read"),
        ("[game", "isn't valid TOML"),
        ('[game]\nid = "chess"', "allowed: .*atacama"),
        ("x = 1", "allowed: .*atacama"),
        ('[game]\nid = "atacama"', "mine.toml|table|missing"),
    ],
)
def test_damaged_components_are_refused_by_name(tmp_path: Path, content: str | None, reason: str) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_text(content, "utf-8")
    with pytest.raises(ComponentError, match=reason):
        replace_components((str(file),))


async def test_other_components_are_played_by_server_and_bots_alike(sqlite_url: str, tmp_path: Path) -> None:
    """A whole game against a bot with a changed board; afterwards the saves are refused with the true one."""
    file = _other_board(tmp_path)
    game = atoll.games["atacama"]
    failures = metrics.BOT_FAILURES._value.get()
    mine = game.with_components(file)
    assert mine.components_hash != game.components_hash
    async with opened(sqlite_url, {"atacama": mine}, components=(str(file),)) as room:
        table = await room.table("atacama", "Ada", "bot:beginner")
        await room.tables.bot_turns.play(table)
        while (await room.view("Ada", table)).status == "running":
            await room.play(table, "Ada", most=1)
            await room.tables.bot_turns.play(table)
        assert (await room.view("Ada", table)).score is not None
        assert metrics.BOT_FAILURES._value.get() == failures
        ada = room.people["Ada"]
        running = await room.table("atacama", "Ada", "bot:beginner")
    async with opened(sqlite_url) as room:
        assert (await room.tables.table_views.table(ada, running)).status == "repair"
