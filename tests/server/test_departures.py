"""Players that leave.

Before the start they free a seat. Later a bot plays it, and the person may return.
"""

import pytest

from atoll.bots.levels import levels as levels_of
from atoll.server.domain.model import Clock

from .conftest import Room, Time, refused

pytestmark = pytest.mark.anyio


async def _stamp(room: Room, table: str, seat: int) -> str:
    return (await room.tables.executor._find(table)).stamp(seat)


async def test_leaving_before_the_start_frees_the_seat_and_passes_the_table_on(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", start=False)
    await room.tables.departures.leave(room.people["Ada"], table, 0)
    view = await room.view("Bob", table)
    assert view.host and view.seats[0].kind == "open" and view.status == "gathering"
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    assert (await room.view(None, table)).status == "cancelled"


async def test_who_is_invited_again_may_decline(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    again = await room.tables.table_setup.rematch(room.people["Bob"], table)
    log = (await room.view("Ada", table)).log
    assert (log[-1].key, log[-1].fields["name"]) == ("rematch", "Bob")
    assert {"accept", "decline:0"} <= set((await room.view("Ada", again)).can)
    [card, *_] = [each for each in await room.tables.table_lists.mine(room.people["Ada"]) if each.id == again]
    assert card.invited and not card.my_turn
    with refused("not_yours"):
        await room.tables.departures.leave(room.people["Bob"], again, 0)
    await room.tables.departures.leave(room.people["Ada"], again, 0)
    view = await room.view("Bob", again)
    assert (view.seats[0].kind, view.seats[0].name, view.log[-1].key, view.host) == ("open", "", "declined", True)
    assert again not in [each.id for each in await room.tables.table_lists.mine(room.people["Ada"])]
    assert not [each for each in (await room.view("Ada", again)).can if each.startswith("decline")]


async def test_a_bot_plays_on_for_who_leaves_and_the_person_may_return(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.tables.departures.leave(room.people["Bob"], table, 1)
    view = await room.view("Ada", table)
    assert view.seats[1].stand_in and view.seats[1].bot and view.seats[1].name == "Bob"
    bob = await room.view("Bob", table)
    assert bob.turn is None and "return" in bob.can
    for _ in range(3):
        await room.tables.bot_turns.play(table)
        view = await room.view("Ada", table)
        assert view.turn is not None
        await room.tables.turns.choose(
            room.people["Ada"], table, 0, [view.turn.legal[0]], view.turn.stamp, confirm=True
        )
    await room.tables.bot_turns.play(table)
    with refused("away"):
        await room.tables.turns.choose(room.people["Bob"], table, 1, [0], (await _stamp(room, table, 1)), confirm=True)
    await room.tables.departures.come_back(room.people["Bob"], table, 1)
    with refused("nothing"):
        await room.tables.departures.come_back(room.people["Bob"], table, 1)
    view = await room.view("Bob", table)
    assert not view.seats[1].stand_in and view.seats[1].bot == ""
    keys = [entry.key for entry in view.log if entry.origin == "table"]
    assert keys[-3:] == ["resigned", "stand_in", "returned"]
    await room.play(table, "Ada", "Bob")
    assert (await room.view("Bob", table)).score is not None


@pytest.mark.parametrize(
    ("chosen", "plays"), [("", "casual"), ("beginner", "beginner"), ("strong", "strong"), ("gone", "casual")]
)
async def test_the_bot_that_stands_in_has_the_level_that_the_table_chose(
    both: Room, clock: Time, chosen: str, plays: str
) -> None:
    """The person leaves, loses on time, or deletes the account."""
    names = ("Ada", "Bob", "Cleo", "Dan")
    pace = Clock(600, 15, 900)
    wanted = "beginner" if chosen == "gone" else chosen
    table = await both.table("atacama", *names, clock=pace, stand_in=wanted)
    assert (await both.view(None, table)).stand_in == (wanted or "casual")
    if chosen == "gone":  # a level of a plugin that isn't installed any more
        both.tables.catalogue._levels = lambda game, seats: [
            each for each in levels_of(game) if each.name != "beginner"
        ]
    await both.tables.departures.leave(both.people["Bob"], table, 1)
    await both.forget()
    clock.passes(601)
    await both.tables.timeouts.decide(table)
    await both.tables.accounts.delete(both.people["Dan"], "Dan")
    view = await both.view("Ada", table)
    levels = [seat.bot for seat in view.seats if seat.stand_in]
    assert len(levels) >= 2 and {*levels} == {plays}, levels
    assert view.options == both.tables.catalogue.game("atacama").resolve_options({}, 4)


async def test_who_is_voted_out_is_replaced_by_a_bot_of_that_level_too(room: Room) -> None:
    names = ("Ada", "Bob")
    table = await room.table("atacama", *names, stand_in="strong")
    late, view = await room.mover(table, *names)
    voter = next(name for name in names if name != late)
    voter_seat = names.index(voter)
    assert view.seat is not None
    row = (await room.tables.executor._find(table)).seats[view.seat]
    row.overdue = True
    await room.tables.votes.vote(room.people[voter], table, voter_seat, f"remove:{view.seat}", yes=True)
    assert (await room.view(voter, table)).seats[view.seat].bot == "strong"
    await room.tables.votes.vote(room.people[voter], table, voter_seat, "cancel", yes=True)
    again = await room.tables.table_setup.rematch(room.people[voter], table)
    assert (await room.view(voter, again)).stand_in == "strong"
