"""What would be, and why a choice can't be made."""

import pytest

from atoll.server.model import User

from .conftest import Room, refused

pytestmark = pytest.mark.anyio


async def _someones_turn(room: Room, game: str = "atacama") -> tuple[str, User, int, str, int]:
    table = await room.table(game, "Ada", "Bob")
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.turn is not None and view.seat is not None
    return table, room.people[name], view.seat, view.turn.stamp, view.turn.legal[0]


async def test_a_preview_changes_nothing(room: Room) -> None:
    table, who, seat, _, choice = await _someones_turn(room)
    before = await room.view(who.name, table)
    shown = await room.tables.previews.preview(who, table, seat, [choice])
    assert shown is not None and before.view is not None and shown["state"] != before.view["state"]
    assert await room.tables.previews.preview(who, table, seat, [choice, choice]) is None
    assert await room.tables.previews.preview(who, table, seat, ["nonsense"]) is None
    assert await room.view(who.name, table) == before


async def test_why_not_names_the_reason(room: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(room)
    assert await room.tables.previews.why_not(who, table, seat, choice) is None
    await room.tables.turn.choose(who, table, seat, [choice], stamp, confirm=True)
    other = next(user for user in room.people.values() if user is not who)
    why = await room.tables.previews.why_not(other, table, 1 - seat, choice)
    assert why is not None and why.origin == "game"
    with refused("malformed"):
        await room.tables.previews.why_not(other, table, 1 - seat, 10**9)
