"""Advice of a strong bot at the table, and its analysis after the game."""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atoll.server.bots.pool import BotPool
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.play.ports import BotFailed
from tests.toy import GAME as TOY

from .conftest import GAMES, Room, opened, refused
from .test_secrecy import NAMES, at_checkpoint, everything, twins

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
TOY_FOR_WORKERS = "from tests.toy import GAME"

ME, BOT, OPEN = SeatPlan("me"), SeatPlan("bot", bot="beginner"), SeatPlan("open")


@pytest.fixture
async def room(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A service whose bots know the toy game, too."""
    (tmp_path / "toy_for_workers.py").write_text(TOY_FOR_WORKERS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("ATOLL_PLUGINS", "toy_for_workers")
    async with opened(sqlite_url) as found:
        yield found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let bots think a few iterations instead of seconds, and provide their requests."""
    asked: dict[str, Any] = {}
    for name in ("advise", "analyse"):
        true = getattr(BotPool, name)

        async def counted(self: Any, *args: Any, name: str = name, true: Any = true) -> Any:
            asked.setdefault(name, []).append(args)
            return await true(self, *args, iterations=9)

        monkeypatch.setattr(BotPool, name, counted)
    return asked


async def test_advice_names_legal_choices_with_their_prospects(room: Room, quick: dict[str, Any]) -> None:
    table = await room.table("toy", "Ada", "bot:beginner", "bot:beginner")
    await room.tables.bot_turns.play(table)
    view = await room.view("Ada", table)
    assert view.advice
    assert view.turn is not None
    assert "advice" in view.can and view.advised is None
    found = await room.tables.bot_analysis.advise(room.people["Ada"], table, 0, view.turn.stamp)
    assert found.stamp == view.turn.stamp
    assert {each.choice for each in found.prospects} <= set(view.turn.legal)
    for each in found.prospects:
        assert each.text == TOY.text(each.choice)
        assert 0 <= each.share <= 1 and len(each.points) == 3 and each.visits
    again = await room.view("Ada", table)
    assert again.advised == found
    assert (again.version, again.turn) == (view.version, view.turn), "asking changes nothing"
    assert await room.tables.bot_analysis.advise(room.people["Ada"], table, 0) is found
    assert len(quick["advise"]) == 1, "the same turn is thought about once"


async def test_advice_is_for_the_open_turn_with_its_staged_choices(room: Room, quick: dict[str, Any]) -> None:
    table = await room.table("toy", "Ada", "bot:beginner")
    ada = room.people["Ada"]
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    await room.tables.bot_analysis.advise(ada, table, 0)
    await room.tables.turns.choose(ada, table, 0, ["wish pink"], turn.stamp, confirm=False)
    view = await room.view("Ada", table)
    assert view.advised is None, "advice for another moment isn't shown"
    assert view.turn is not None
    found = await room.tables.bot_analysis.advise(ada, table, 0)
    assert {each.choice for each in found.prospects} <= set(view.turn.legal)
    await room.tables.turns.choose(ada, table, 0, ["enough"], view.turn.stamp, confirm=False)
    with refused("complete"):
        await room.tables.bot_analysis.advise(ada, table, 0)


async def test_advice_is_refused_with_a_reason(room: Room, quick: dict[str, Any]) -> None:
    table = await room.table("atacama", "Ada", "bot:beginner", options={"start_player": "seat_1"})
    ada = room.people["Ada"]
    with refused("sign_in"):
        await room.tables.bot_analysis.advise(None, table, 0)
    with refused("not_yours"):
        await room.tables.bot_analysis.advise(await room.person("Eve"), table, 0)
    with refused("stale"):
        await room.tables.bot_analysis.advise(ada, table, 0, "99.0")
    await room.play(table, "Ada", most=1)
    with refused("not_asked"):
        await room.tables.bot_analysis.advise(ada, table, 0)
    while (await room.view("Ada", table)).status == "running":
        await room.tables.bot_turns.play(table)
        await room.play(table, "Ada", most=1)
    with refused("over"):
        await room.tables.bot_analysis.advise(ada, table, 0)
    waiting = await room.table("atacama", "Ada", "Bob", start=False)
    with refused("not_running"):
        await room.tables.bot_analysis.advise(ada, waiting, 0)
    assert "advise" not in quick


@pytest.mark.parametrize(
    ("seats", "asked", "allowed"),
    [
        ((ME, BOT), None, True),
        ((ME, OPEN), None, False),
        ((ME, SeatPlan("invite")), None, False),
        ((ME, SeatPlan("device")), None, False),
        ((ME, OPEN), True, True),
        ((ME, BOT), False, False),
    ],
)
async def test_who_may_ask_is_settled_when_the_table_is_made(
    room: Room, quick: dict[str, Any], seats: tuple[SeatPlan, ...], asked: bool | None, allowed: bool
) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    table = await room.tables.table_setup.create(
        ada, NewTable("atacama", seats, {"start_player": "seat_1"}, advice=asked)
    )
    card = next(card for card in await room.tables.table_lists.lobby(bob) if card.id == table)
    assert card.advice == allowed, "whoever thinks of sitting down sees it before"
    if OPEN in seats:
        await room.tables.table_setup.join(bob, table)
    elif SeatPlan("invite") in seats:
        await room.tables.table_setup.accept(bob, await room.tables.table_setup.invite(ada, table, 1))
    await room.tables.table_setup.start(ada, table)
    await room.forget()
    view = await room.view("Ada", table)
    assert (view.advice, "advice" in view.can) == (allowed, allowed)
    if allowed:
        assert (await room.tables.bot_analysis.advise(ada, table, 0)).prospects
    else:
        with refused("no_advice"):
            await room.tables.bot_analysis.advise(ada, table, 0)


async def test_a_rematch_keeps_what_was_settled(room: Room) -> None:
    for allowed in (True, False):
        table = await room.table("atacama", "Ada", "Bob", advice=allowed)
        await room.play(table, "Ada", "Bob")
        again = await room.tables.table_setup.rematch(room.people["Ada"], table)
        assert (await room.view("Ada", again)).advice == allowed
        assert (await room.view("Ada", await room.tables.history.continue_from(room.people["Ada"], table, 3))).advice


async def test_advice_is_heard_by_its_seat_alone(room: Room, quick: dict[str, Any]) -> None:
    """Asking leaves no mark for anybody else: not in views, versions or the log."""
    table = await room.table("toy", *NAMES, advice=True)
    await room.play(table, *NAMES, most=7)
    name, view = await room.mover(table, *NAMES)
    assert view.seat is not None
    others = [each for each in (*NAMES, None) if each != name]
    before = [await everything(room, each, table) for each in others]
    await room.tables.bot_analysis.advise(room.people[name], table, view.seat)
    assert (await room.view(name, table)).advised is not None
    for each in others:
        assert (await room.view(each, table)).advised is None
    assert [await everything(room, each, table) for each in others] == before


async def test_twins_get_the_same_advice(room: Room) -> None:
    """Facts that a seat can't know don't change the bot's advice."""
    moved = 0
    for length in (12, 20, 33):
        table, position = await at_checkpoint(room, length)
        _, view = await room.mover(table, *NAMES)
        seat = view.seat
        assert seat is not None

        async def advice(saved: dict[str, Any], seat: int = seat) -> dict[str, Any]:
            text = msgspec.json.encode(saved).decode()
            return await room.tables.bot_turns._pool.advise(text, seat, [], 60.0, 7, iterations=25)

        true = await advice(position)
        assert true["prospects"]
        for twin in twins(position, seat):
            assert await advice(twin) == true
        for twin in twins(position, (seat + 1) % 3):
            moved += await advice(twin) != true
    assert moved, "what the seat does know moves it: so the comparison would find a leak"


async def test_a_bot_without_an_answer_is_no_harm(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_args: Any, **_values: Any) -> Any:
        raise BotFailed("oops")

    monkeypatch.setattr(room.tables.bot_turns._pool, "advise", fails)
    table = await room.table("atacama", "Ada", "bot:beginner", options={"start_player": "seat_1"})
    with refused("no_answer") as caught:
        await room.tables.bot_analysis.advise(room.people["Ada"], table, 0)
    assert caught.value.status == 503
    assert (await room.view("Ada", table)).turn is not None


async def test_asking_is_limited_per_person(sqlite_url: str, quick: dict[str, Any]) -> None:
    async with opened(sqlite_url, limits={"advice": "1/minute"}) as room:
        tables = [await room.table("atacama", "Ada", "bot:beginner", options={"start_player": "seat_1"}) for _ in "12"]
        await room.tables.bot_analysis.advise(room.people["Ada"], tables[0], 0)
        await room.tables.bot_analysis.advise(room.people["Ada"], tables[0], 0)
        with refused("limit"):
            await room.tables.bot_analysis.advise(room.people["Ada"], tables[1], 0)


# -- analysis --------------------------------------------------------------------------------------------------------


async def _finished(room: Room, game: str = "atacama") -> str:
    table = await room.table(game, "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    return table


async def _analysed(room: Room, table: str) -> Any:
    task = asyncio.create_task(room.scheduler.run())
    found = None
    async with asyncio.timeout(60):
        while found is None or found.state == "computing":
            await asyncio.sleep(0.05)
            found = await room.tables.bot_analysis.analysis(await room.person("Ada"), table)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_a_finished_game_is_analysed_once_for_all(room: Room, quick: dict[str, Any], game: str) -> None:
    table = await _finished(room, game)
    assert (await room.tables.bot_analysis.analysis(None, table)).state == "none"
    assert "analyse" in (await room.view("Ada", table)).can
    assert (await room.tables.bot_analysis.analyse(room.people["Bob"], table)).state == "computing"
    version = (await room.view(None, table)).version
    found = await _analysed(room, table)
    assert found.state == "done" and found.analysis is not None
    assert (await room.view(None, table)).version != version, "open pages hear of it"
    score = (await room.view(None, table)).score
    assert score is not None and found.analysis.scores == score.totals
    assert found.analysis.judgments and len(found.analysis.turning_points) <= 3
    moments = (await room.tables.history.moment(None, table, 0)).moments
    assert {each.sequence for each in found.analysis.judgments} <= set(moments)
    await room.forget()
    for name in ("Ada", None):
        who = None if name is None else room.people[name]
        assert await room.tables.bot_analysis.analysis(who, table) == found
    assert (await room.tables.bot_analysis.analyse(room.people["Ada"], table)).state == "done"
    assert len(quick["analyse"]) == 1


async def test_a_game_played_on_from_a_moment_is_analysed_from_there(room: Room, quick: dict[str, Any]) -> None:
    table = await _finished(room)
    fork = await room.tables.history.continue_from(room.people["Ada"], table, 9, bot="beginner")
    while (await room.view("Ada", fork)).status == "running":
        await room.tables.bot_turns.play(fork)
        if (await room.view("Ada", fork)).turn is not None:
            await room.play(fork, "Ada", most=1)
    await room.tables.bot_analysis.analyse(room.people["Ada"], fork)
    found = await _analysed(room, fork)
    assert found.state == "done"
    assert min(each.sequence for each in found.analysis.judgments) >= 9


async def test_only_finished_games_are_analysed(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    for ask in (room.tables.bot_analysis.analysis, room.tables.bot_analysis.analyse):
        with refused("not_over"):
            await ask(room.people["Ada"], table)
    assert "analyse" not in (await room.view("Ada", table)).can
    private = await room.table("toy", "Ada", "bot:beginner", visibility="private")
    with refused("no_table"):
        await room.tables.bot_analysis.analysis(await room.person("Eve"), private)
    with refused("sign_in"):
        await room.tables.bot_analysis.analyse(None, await _finished(room))


async def test_an_analysis_that_fails_can_be_asked_for_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, quick: dict[str, Any]
) -> None:
    table = await _finished(room)

    async def fails(*_args: Any) -> Any:
        raise BotFailed("oops")

    true = room.tables.bot_analysis._analysts.analyse
    monkeypatch.setattr(room.tables.bot_analysis._analysts, "analyse", fails)
    await room.tables.bot_analysis.analyse(room.people["Ada"], table)
    assert (await _analysed(room, table)).state == "failed"
    monkeypatch.setattr(room.tables.bot_analysis._analysts, "analyse", true)
    assert (await room.tables.bot_analysis.analyse(room.people["Ada"], table)).state == "computing"
    assert (await _analysed(room, table)).state == "done"


async def test_progress_is_told_while_a_bot_looks_at_the_game(room: Room) -> None:
    table = await _finished(room)
    seen: list[tuple[int, int]] = []
    points = await room.tables.store.checkpoints(table)
    steps = [(row.seat, row.choice) for row in await room.tables.store.choices(table)]
    said = await room.tables.bot_analysis._analysts.analyse(
        points[0].position, steps, 3.0, 1, lambda *now: seen.append(now)
    )
    assert said["judgments"]
    assert len(seen) >= 2
    assert len({of for _, of in seen}) == 1
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


async def test_an_analysis_outlives_the_server(sqlite_url: str, quick: dict[str, Any]) -> None:
    async with opened(sqlite_url) as room:
        table = await _finished(room)
        await room.tables.bot_analysis.analyse(room.people["Ada"], table)
    async with opened(sqlite_url) as room:
        assert (await room.tables.bot_analysis.analysis(None, table)).state == "computing"
        assert (await _analysed(room, table)).state == "done"
