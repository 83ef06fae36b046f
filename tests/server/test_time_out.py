"""Time for correspondence play: a bank, an increment, a cap; and a bot that stands in when it is used up."""

import asyncio

import pytest

from atoll.server.model import Clock

from .conftest import Room, Time, refused

pytestmark = pytest.mark.anyio

CLOCK = Clock(bank_s=600, increment_s=60, cap_s=900)


async def _left(room: Room, table: str) -> list[int | None]:
    return [seat.time_left_s for seat in (await room.view(None, table)).seats]


async def test_time_runs_for_who_is_asked_and_is_added_after_the_turn(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    name, view = await room.mover(table, "Ada", "Bob")
    seat = view.seat
    assert seat is not None
    clock.passes(125)
    assert (await _left(room, table))[seat] == 480  # 475 s, rounded up to whole minutes
    assert (await _left(room, table))[1 - seat] == 600
    await room.play(table, name, most=1)
    assert (await _left(room, table))[seat] == 540  # 600 - 125 + 60 = 535
    clock.passes(50)
    assert (await _left(room, table))[seat] == 540
    assert (await _left(room, table))[1 - seat] == 600


async def test_the_bank_never_grows_above_the_cap(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=Clock(600, 400, 900))
    await room.play(table, "Ada", "Bob", most=4)
    assert await _left(room, table) == [900, 900]


async def test_a_bot_stands_in_when_the_time_is_up(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    name, view = await room.mover(table, "Ada", "Bob")
    seat = view.seat
    assert seat is not None
    await room.tables.time_outs.decide(table)
    assert not (await room.view(None, table)).seats[seat].stand_in
    clock.passes(601)
    await room.tables.time_outs.decide(table)
    after = await room.view(name, table)
    assert after.seats[seat].stand_in and "return" in after.can and after.turn is None
    assert "timed_out" in [entry.key for entry in after.log]
    await room.tables.time_outs.decide(table)
    assert len((await room.view(name, table)).log) == len(after.log)
    await room.tables.bots.play(table)
    await room.tables.leaving.come_back(room.people[name], table, seat)
    assert (await _left(room, table))[seat] == 60


async def test_the_scheduler_ends_a_clock_even_after_a_restart(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=CLOCK)
    await room.forget()
    clock.passes(599)
    task = asyncio.create_task(room.scheduler.run())
    await asyncio.sleep(0.1)
    assert not any(seat.stand_in for seat in (await room.view(None, table)).seats)
    clock.passes(2)
    room.scheduler.wake()
    view = await room.until(table, lambda view: any(seat.stand_in for seat in view.seats))
    assert "timed_out" in [entry.key for entry in view.log]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_in_a_sealed_decision_time_does_not_tell_when_somebody_answered(room: Room, clock: Time) -> None:
    table = await room.table("toy", "Ada", "Bob", clock=CLOCK)
    shown = []
    turn = (await room.view("Ada", table)).turn
    assert turn is not None
    clock.passes(120)
    done = await room.tables.turn.choose(
        room.people["Ada"], table, 0, ["wish pink", "enough"], turn.stamp, confirm=True
    )
    for _ in range(3):
        clock.passes(60)
        shown.append((await _left(room, table))[0])
    assert shown == [None, None, None]
    assert await _left(room, table) == [None, 300]
    # Taking back and giving again costs time, it never wins any.
    for _ in range(20):
        done = await room.tables.turn.restart(room.people["Ada"], table, 0, done.stamp)
        done = await room.tables.turn.choose(
            room.people["Ada"], table, 0, ["wish pink", "enough"], done.stamp, confirm=True
        )
    turn = (await room.view("Bob", table)).turn
    assert turn is not None
    await room.tables.turn.choose(room.people["Bob"], table, 1, ["wish pink", "enough"], turn.stamp, confirm=True)
    assert await _left(room, table) == [540, 360]  # 600 - 120 + 60, 600 - 300 + 60


async def test_with_a_clock_nobody_is_removed_by_vote(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", clock=Clock(90_000, 0, 90_000))
    name, view = await room.mover(table, "Ada", "Bob")
    other = "Bob" if name == "Ada" else "Ada"
    assert view.seat is not None
    clock.passes(5000)
    with refused("not_absent"):
        await room.tables.votes.vote(room.people[other], table, 1 - view.seat, f"remove:{view.seat}", True)
