"""Whoever leaves frees a seat before the start; later a bot plays it, and the person may return."""

import pytest

from .conftest import Room, refused

pytestmark = pytest.mark.anyio


async def _stamp(room: Room, table: str, seat: int) -> str:
    return (await room.tables.keeper._find(table)).stamp(seat)


async def test_leaving_before_the_start_frees_the_seat_and_passes_the_table_on(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    await room.tables.leaving.leave(room.people["Ada"], table, 0)
    view = await room.view("Bob", table)
    assert view.host and view.seats[0].kind == "open" and view.status == "gathering"
    await room.tables.leaving.leave(room.people["Bob"], table, 1)
    assert (await room.view(None, table)).status == "cancelled"


async def test_who_is_invited_again_may_decline(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    again = await room.tables.gathering.rematch(room.people["Bob"], table)
    log = (await room.view("Ada", table)).log
    assert (log[-1].key, log[-1].fields["name"]) == ("rematch", "Bob")
    assert {"accept", "decline:0"} <= set((await room.view("Ada", again)).can)
    [card, *_] = [each for each in await room.tables.lists.mine(room.people["Ada"]) if each.id == again]
    assert card.invited and not card.my_turn
    with refused("not_yours"):
        await room.tables.leaving.leave(room.people["Bob"], again, 0)
    await room.tables.leaving.leave(room.people["Ada"], again, 0)
    view = await room.view("Bob", again)
    assert (view.seats[0].kind, view.seats[0].name, view.log[-1].key, view.host) == ("open", "", "declined", True)
    assert again not in [each.id for each in await room.tables.lists.mine(room.people["Ada"])]
    assert not [each for each in (await room.view("Ada", again)).can if each.startswith("decline")]


async def test_a_bot_plays_on_for_who_leaves_and_the_person_may_return(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.tables.leaving.leave(room.people["Bob"], table, 1)
    view = await room.view("Ada", table)
    assert view.seats[1].stand_in and view.seats[1].bot and view.seats[1].name == "Bob"
    bob = await room.view("Bob", table)
    assert bob.turn is None and "return" in bob.can
    for _ in range(3):
        await room.tables.bots.play(table)
        view = await room.view("Ada", table)
        assert view.turn is not None
        await room.tables.turn.choose(room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True)
    await room.tables.bots.play(table)
    with refused("away"):
        await room.tables.turn.choose(room.people["Bob"], table, 1, [0], (await _stamp(room, table, 1)), confirm=True)
    await room.tables.leaving.come_back(room.people["Bob"], table, 1)
    with refused("nothing"):
        await room.tables.leaving.come_back(room.people["Bob"], table, 1)
    view = await room.view("Bob", table)
    assert not view.seats[1].stand_in and view.seats[1].bot == ""
    keys = [entry.key for entry in view.log if entry.origin == "table"]
    assert keys[-3:] == ["resigned", "stand_in", "returned"]
    await room.play(table, "Ada", "Bob")
    assert (await room.view("Bob", table)).score is not None
