"""Going on from a past moment."""

import pytest

from .conftest import Room, refused

pytestmark = pytest.mark.anyio


async def _play_with_bots(room: Room, table: str) -> None:
    while True:
        await room.tables.bot_turns.play(table)
        view = await room.view("Ada", table)
        if view.status == "over":
            return
        assert view.turn is not None
        await room.tables.turns.choose(
            room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True
        )


async def test_play_on_from_a_moment_against_bots(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob", most=6)
    moment = await room.tables.history.moment(room.people["Ada"], table, 4)
    fork = await room.tables.history.continue_from(room.people["Ada"], table, 4, bot="beginner", key="once")
    assert await room.tables.history.continue_from(room.people["Ada"], table, 4, bot="beginner", key="once") == fork
    with refused("malformed"):
        await room.tables.history.continue_from(room.people["Ada"], table, 5, bot="beginner", key="once")
    assert await room.tables.history.continue_from(room.people["Ada"], table, 4) != fork
    view = await room.view("Ada", fork)
    assert view.status == "running" and view.view is not None and view.view_sequence == moment.sequence
    assert view.view["state"] == moment.view["state"]
    assert [seat.kind for seat in view.seats] == ["person", "bot"]
    await _play_with_bots(room, fork)
    await room.forget()
    assert (await room.tables.history.moment(room.people["Ada"], fork, 5)).sequence == 5
    with refused("no_moment"):
        await room.tables.history.moment(room.people["Ada"], fork, 2)
    assert (await room.tables.history.export(room.people["Ada"], fork))["origin"] == {"table": table, "sequence": 4}
    assert (await room.view("Ada", table)).view_sequence == 6 + 1
