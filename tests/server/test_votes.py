"""Votes: to cancel a game, to remove one who is absent."""

import pytest

from .conftest import SHARE, Room, Time, refused

pytestmark = pytest.mark.anyio


async def test_a_game_is_cancelled_by_consent_of_all(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    ada, bob = room.people["Ada"], room.people["Bob"]
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    [vote] = (await room.view("Bob", table)).votes
    assert (vote.subject, vote.needed, vote.given, vote.mine_missing) == ("cancel", (0, 1), (0,), (1,))
    await room.tables.votes.vote(ada, table, 0, "cancel", False)
    assert (await room.view("Bob", table)).votes == ()
    await room.tables.votes.vote(bob, table, 1, "cancel", True)
    assert (await room.view("Bob", table)).status == "running"
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    view = await room.view("Bob", table)
    assert view.status == "cancelled" and view.turn is None
    with refused("over"):
        await room.tables.votes.vote(ada, table, 0, "cancel", True)
    with refused("over"):
        await room.tables.leaving.leave(ada, table, 0)


async def test_before_the_start_the_host_cancels(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    with refused("not_yours"):
        await room.tables.votes.vote(room.people["Bob"], table, 1, "cancel", True)
    await room.tables.votes.vote(room.people["Ada"], table, 0, "cancel", True)
    assert (await room.view("Bob", table)).status == "cancelled"
    with refused("started"):
        await room.tables.gathering.contribute(room.people["Ada"], table, 0, SHARE)


async def test_an_absent_seat_is_removed_by_vote_and_a_present_one_is_not(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", "Cy", "Di")
    name, view = await room.mover(table, "Ada", "Bob", "Cy", "Di")
    assert view.seat is not None
    others = [each for each in ("Ada", "Bob", "Cy", "Di") if each != name]
    subject = f"remove:{view.seat}"

    async def agree(who: str) -> None:
        seat = (await room.view(who, table)).seat
        assert seat is not None
        await room.tables.votes.vote(room.people[who], table, seat, subject, True)

    with refused("not_absent"):
        await agree(others[0])
    clock.passes(700)
    stream = await room.tables.news.open_stream(room.people[name], [], "")
    with refused("not_absent"):
        await agree(others[0])
    room.tables.hub.remove(stream)
    for who in others[:2]:
        await agree(who)
    assert not (await room.view(None, table)).seats[view.seat].stand_in
    await agree(others[2])
    removed = await room.view(name, table)
    assert removed.seats[view.seat].stand_in and "return" in removed.can and removed.votes == ()
    for bad in ("remove:x", "remove:", "nonsense", "remove:-1"):
        with refused("malformed"):
            await room.tables.votes.vote(room.people[others[0]], table, 0, bad, True)
    with refused("bad_seats"):
        await room.tables.votes.vote(room.people[others[0]], table, 0, "remove:9", True)
