"""Votes: to cancel a game, to remove one who is absent; who proposes, withdraws and refuses."""

import pytest

from atoll.server.domain.model import NewTable, SeatPlan

from .conftest import Room, Time, refused

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
        await room.tables.departures.leave(ada, table, 0)


async def test_a_no_ends_a_vote_and_all_hear_who_wanted_what(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    ada, bob = room.people["Ada"], room.people["Bob"]
    with refused("nothing"):
        await room.tables.votes.vote(bob, table, 1, "cancel", False)
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    await room.tables.votes.vote(bob, table, 1, "cancel", False)
    view = await room.view("Ada", table)
    assert view.votes == () and view.status == "running"
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    await room.tables.votes.vote(ada, table, 0, "cancel", False)
    told = [(each.key, each.fields.get("name")) for each in (await room.view("Ada", table)).log]
    assert told[-4:] == [
        ("cancel_asked", "Ada"),
        ("vote_refused", "Bob"),
        ("cancel_asked", "Ada"),
        ("vote_withdrawn", "Ada"),
    ]


async def test_who_has_several_seats_votes_once_for_all(room: Room) -> None:
    ada, bob = await room.person("Ada"), await room.person("Bob")
    plans = (SeatPlan("me"), SeatPlan("device"), SeatPlan("device"), SeatPlan("open"))
    table = await room.tables.table_setup.create(ada, NewTable("atacama", plans))
    await room.tables.table_setup.join(bob, table)
    await room.tables.table_setup.start(ada, table)
    await room.tables.votes.vote(ada, table, 1, "cancel", True)
    [vote] = (await room.view("Bob", table)).votes
    assert vote.given == (0, 1, 2)
    await room.tables.votes.vote(ada, table, 2, "cancel", False)
    assert not (await room.view("Bob", table)).votes
    await room.tables.votes.vote(bob, table, 3, "cancel", True)
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    assert (await room.view("Bob", table)).status == "cancelled"


async def test_before_the_start_the_host_cancels(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    with refused("not_yours"):
        await room.tables.votes.vote(room.people["Bob"], table, 1, "cancel", True)
    await room.tables.votes.vote(room.people["Ada"], table, 0, "cancel", True)
    assert (await room.view("Bob", table)).status == "cancelled"
    with refused("started"):
        await room.tables.table_setup.start(room.people["Ada"], table)


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
    stream = await room.tables.updates.open_stream(room.people[name], [])
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


async def test_who_is_late_has_no_say_in_who_plays_on(room: Room, clock: Time) -> None:
    table = await room.table("atacama", "Ada", "Bob", "Cy", "Di")
    name, view = await room.mover(table, "Ada", "Bob", "Cy", "Di")
    assert view.seat is not None
    [first, *_] = [each for each in ("Ada", "Bob", "Cy", "Di") if each != name]
    own = (await room.view(first, table)).seat
    assert own is not None
    clock.passes(700)
    await room.tables.votes.vote(room.people[first], table, own, f"remove:{view.seat}", True)
    told = (await room.view(None, table)).log[-1]
    assert (told.key, told.fields["name"], told.fields["other"]) == ("remove_asked", first, name)
    with refused("nothing"):
        await room.tables.votes.vote(room.people[name], table, view.seat, f"remove:{view.seat}", False)
    assert (await room.view(None, table)).votes
