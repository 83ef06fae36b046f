"""All states of a table, and its readers.

A state is a function that brings a table there. `test_states` compares the list with the model: a status, a vote, a
right, or a field of a table's view without a state of its own makes it fail.
"""

import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import pytest
from sqlalchemy import update

import atoll
from atoll.server.domain.competitions import NewCompetition
from atoll.server.domain.model import Clock, NewTable, SeatKind, SeatPlan, TableView, User
from atoll.server.domain.planned_answers import Plan, PlannedAnswer
from atoll.server.play.competition_factory import new_competition
from atoll.server.play.competition_tables import game_id
from atoll.server.play.repair import repair
from atoll.server.play.scheduler import Scheduler
from atoll.store import CompetitionGameRow, schema
from atoll.testing.shares import give_seals, give_shares

from .conftest import Browser, Program, Room, Site, Time

HOST, GUEST, WATCHER, STRANGER = "Ada", "Bob", "Cy", ""
READERS: Final = (HOST, GUEST, WATCHER, STRANGER)
"""The host, who has two seats at a shared device; another player; somebody without a seat; somebody without a name."""

DAY: Final = 86_400
QUICK: Final = Clock(600, 15, 600)
CALM: Final = Clock(DAY, 0, DAY)
PAIRS: Final = ("atacama", "atlandice", "wutaki")
SHARED: Final = "atua"
"""A game with secrets: people at one device see a curtain."""


@dataclass
class World:
    """A site with its people, and the game and seating for the table that is made next."""

    site: Site
    clock: Time
    game: str = PAIRS[0]
    shared: bool = False
    browsers: dict[str, Browser] = field(default_factory=dict)
    programs: dict[str, Program] = field(default_factory=dict)
    made: list[Any] = field(default_factory=list)
    competitions: list[str] = field(default_factory=list)
    rendered: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    chooser: random.Random = field(default_factory=lambda: random.Random(7))

    @cached_property
    def room(self) -> Room:
        """Short ways to play."""
        return Room(self.site.tables, Scheduler(self.site.tables))

    async def admit(self, name: str) -> None:
        """Let somebody in, with a browser and a program of its own."""
        people = self.site.tables.users
        login = await people.guest(name) if name else None
        self.browsers[name] = Browser(self.site, login)
        token = None if login is None else await people.sign_in(login.user.id, kind="api")
        self.programs[name] = Program(self.site, token)
        if login is not None:
            self.room.people[name] = login.user

    def cookies(self, name: str) -> dict[str, str]:
        """Return the header that names the reader."""
        return {"cookie": "; ".join(f"{key}={value}" for key, value in self.browsers[name].cookies.items())}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the people at the next table, seat by seat; see Room.table."""
        return (HOST, "+", GUEST) if self.shared else (HOST, GUEST)

    @property
    def host(self) -> User:
        """The host."""
        return self.room.people[HOST]

    @property
    def guest(self) -> User:
        """The other player."""
        return self.room.people[GUEST]

    async def table(self, *, start: bool = True, **values: Any) -> str:
        """A table with these people."""
        return await self.room.table(self.game, *self.names, start=start, **values)

    @contextmanager
    def yesterday(self) -> Iterator[None]:
        """A day earlier."""
        self.clock.passes(-DAY)
        yield
        self.clock.passes(DAY)

    async def asked(self, table: str) -> tuple[str, int]:
        """Return a person who can choose something, and the seat."""
        name, view = await self.room.mover(table, HOST, GUEST)
        assert view.seat is not None
        return name, view.seat

    async def click(self, table: str, *names: str) -> bool:
        """Let one of these people choose at random or confirm, and return if anybody could."""
        for name in names:
            view = await self.room.view(name, table)
            if view.turn is None or view.seat is None or not (view.turn.legal or view.turn.can_confirm):
                continue
            who, turn = self.room.people[name], self.site.tables.turns
            if view.turn.can_confirm:
                await turn.confirm(who, table, view.seat, view.turn.stamp)
            else:
                choice = self.chooser.choice(view.turn.legal)
                await turn.choose(who, table, view.seat, [choice], view.turn.stamp, confirm=False)
            return True
        return False

    async def play(self, table: str, until: Callable[[TableView], bool], *names: str) -> str:
        """Play at random until the view of somebody is so, and say whose."""
        names = names or (HOST, GUEST)
        for _ in range(3000):
            for name in names:
                if until(await self.room.view(name, table)):
                    return name
            if not await self.click(table, *names):
                break
        raise AssertionError("it never came to that")

    async def finish(self, table: str, *names: str) -> None:
        """Play at random to the end."""
        while await self.click(table, *(names or (HOST, GUEST))):
            pass
        assert (await self.room.view(HOST, table)).status == "over"

    async def vote(self, table: str, subject: str, *names: str, yes: bool = True) -> None:
        """These people agree, each from its first seat that can."""
        for name in names:
            view = await self.room.view(name, table)
            seat = next(seat for seat in view.my_seats if not view.seats[seat].stand_in)
            await self.site.tables.votes.vote(self.room.people[name], table, seat, subject, yes)

    async def damage(self, table: str, **values: Any) -> None:
        """Write into the row of a table, past the rules."""
        await self.site.tables.store._execute(update(schema.games).where(schema.games.c.id == table).values(**values))
        live = await self.site.tables.executor._find(table)
        async with live.lock:
            self.site.tables.executor.evict(live)


State = Callable[[World], Awaitable[str]]
STATES: Final[dict[str, State]] = {}
"""By name: each makes a table that is in this state, and gives its id."""

AT: Final[dict[str, tuple[str, ...]]] = {}
"""The games at which a state is tried, where not every game has it."""


def state(*games: str) -> Callable[[State], State]:
    """Register a function that makes a table in a state, at some games or at all."""

    def add(function: State) -> State:
        name = function.__name__.replace("_", " ").strip()
        STATES[name] = function
        AT[name] = games
        return function

    return add


# -- before the start ----------------------------------------------------------------------------------------------


@state()
async def gathering(world: World) -> str:
    """An open seat, one for somebody invited, and one that a bot has."""
    plans = (SeatPlan("me"), SeatPlan("open"), SeatPlan("invite"), SeatPlan("bot", bot="beginner"))
    table = await world.site.tables.table_setup.create(world.host, NewTable("atacama", plans))
    await world.site.tables.table_setup.join(world.guest, table, 1)
    return table


@state()
async def gathering_alone(world: World) -> str:
    plans = (SeatPlan("me"), *[SeatPlan("open")] * (len(world.names) - 1))
    return await world.site.tables.table_setup.create(world.host, NewTable(world.game, plans))


@state()
async def starting(world: World) -> str:
    table = await world.table(start=False)
    await give_seals(world.site.tables, table, 0)
    return table


@state()
async def starting_by_correspondence(world: World) -> str:
    table = await world.table(start=False, clock=CALM)
    await give_seals(world.site.tables, table, 0)
    return table


@state()
async def starting_and_showing(world: World) -> str:
    table = await world.table(start=False)
    await give_seals(world.site.tables, table)
    if len(world.names) > 1:
        await give_shares(world.site.tables, table, 0)
    return table


@state()
async def called_off(world: World) -> str:
    table = await world.table(start=False)
    await world.vote(table, "cancel", HOST)
    return table


@state()
async def expired(world: World) -> str:
    with world.yesterday():
        table = await world.site.tables.table_setup.create(
            world.host, NewTable("atacama", (SeatPlan("me"), SeatPlan("open")))
        )
    await world.site.tables.table_setup.expire(table)
    return table


@state()
async def private(world: World) -> str:
    table = await private_and_gathering(world)
    seat = len(world.names) - 1
    await world.site.tables.table_setup.accept(
        world.guest, await world.site.tables.table_setup.invite(world.host, table, seat)
    )
    await world.site.tables.table_setup.start(world.host, table)
    return table


@state()
async def private_and_gathering(world: World) -> str:
    kinds: dict[str, SeatKind] = {HOST: "me", "+": "device", GUEST: "invite"}
    plans = [SeatPlan(kinds[name]) for name in world.names]
    return await world.site.tables.table_setup.create(
        world.host, NewTable(world.game, tuple(plans), visibility="private")
    )


# -- a turn --------------------------------------------------------------------------------------------------------


@state()
async def running(world: World) -> str:
    return await world.table(visibility="link")


@state()
async def staged(world: World) -> str:
    table = await world.table()
    await world.play(table, lambda view: view.turn is not None and bool(view.turn.staged))
    return table


@state("wutaki", "raiatea")
async def sealed(world: World) -> str:
    table = await world.table()
    await world.play(table, lambda view: any(info.ready is not None for info in view.seats))
    await world.click(table, HOST, GUEST)
    return table


@state("atacama", "atlandice")
async def answered(world: World) -> str:
    table = await world.table()
    await world.play(table, lambda view: any(right.startswith("undo:") for right in view.can))
    return table


@state("atlandice", "wutaki", "atua")
async def settled(world: World) -> str:
    table = await world.table()
    await world.play(table, lambda view: view.settled)
    return table


@state("atacama")
async def advised(world: World) -> str:
    table = await world.table(advice=True, stand_in="strong")
    name, seat = await world.asked(table)
    await world.site.tables.bot_analysis.advise(world.room.people[name], table, seat)
    return table


@state()
async def planned(world: World) -> str:
    table = await world.table()
    await _plan(world, table)
    return table


@state()
async def plan_ended(world: World) -> str:
    table = await world.table()
    name, seat = await _plan(world, table)
    await world.play(table, lambda view: view.seat == seat and view.turn is not None)
    await world.site.tables.planned_turns.answer_due(table)
    plan = (await world.room.view(name, table, seat)).plan
    assert plan is not None and plan.ended
    return table


async def _plan(world: World, table: str) -> tuple[str, int]:
    """Plan an answer that isn't asked for soon, and return the person and the seat."""
    name = await world.play(table, lambda view: f"plan:{view.seat}" in view.can)
    view = await world.room.view(name, table)
    assert view.seat is not None
    game = atoll.games[view.game]
    prompt, kinds = list(game.prompts.items())[-1]
    kind = kinds[0]
    step = PlannedAnswer(prompt, (game.text(kind.choice(*[0] * len(kind.domains))),))
    await world.site.tables.planned_turns.plan(world.room.people[name], table, view.seat, Plan((step,)))
    return name, view.seat


# -- time ----------------------------------------------------------------------------------------------------------


@state()
async def paused(world: World) -> str:
    table = await world.table(clock=CALM)
    await world.vote(table, "pause", HOST, GUEST)
    return table


@state()
async def on_vacation(world: World) -> str:
    table = await world.table(clock=Clock(DAY, 0, DAY, hours=True, weekend=True, vacation=True))
    if not (await world.room.signed_in(GUEST)).calendar.vacation:
        await world.site.tables.calendars.take(world.guest, 3)
    return table


@state()
async def nudgeable(world: World) -> str:
    return await world.table()


@state()
async def nudged(world: World) -> str:
    with world.yesterday():
        table = await world.table()
    name, seat = await world.asked(table)
    await world.site.tables.nudges.nudge(world.room.people[GUEST if name == HOST else HOST], table, seat)
    return table


@state()
async def timed_out(world: World) -> str:
    with world.yesterday():
        table = await world.table(clock=QUICK)
    await world.site.tables.timeouts.decide(table)
    return table


@state()
async def stopped(world: World) -> str:
    with world.yesterday():
        table = await world.table(clock=Clock(600, 15, 600, at_zero="end"))
    await world.site.tables.timeouts.decide(table)
    return table


@state()
async def overdue(world: World) -> str:
    with world.yesterday():
        table = await world.table(clock=Clock(600, 15, 600, at_zero="vote"))
    await world.site.tables.timeouts.decide(table)
    return table


# -- votes ---------------------------------------------------------------------------------------------------------


@state()
async def voting_to_cancel(world: World) -> str:
    table = await world.table()
    await world.vote(table, "cancel", HOST)
    return table


@state()
async def voting_to_pause(world: World) -> str:
    table = await world.table(clock=CALM)
    await world.vote(table, "pause", GUEST)
    return table


@state()
async def voting_to_resume(world: World) -> str:
    table = await world.table(clock=CALM)
    await world.vote(table, "pause", HOST, GUEST)
    await world.vote(table, "resume", HOST)
    return table


@state("atacama", "atlandice")
async def voting_to_remove(world: World) -> str:
    """With a third person, whose voice is needed, too."""
    names = (*world.names, "Di") if world.shared else (*world.names, "Di", "Eve")
    with world.yesterday():
        table = await world.room.table(world.game if world.shared else "atacama", *names)
    name, view = await world.room.mover(table, *(name for name in names if name != "+"))
    await world.vote(table, f"remove:{view.seat}", GUEST if name != GUEST else HOST)
    return table


@state("atacama", "atlandice")
async def voting_to_undo(world: World) -> str:
    table = await world.table()
    name = await world.play(table, lambda view: any(right.startswith("undo:") for right in view.can))
    view = await world.room.view(name, table)
    subject = next(right for right in view.can if right.startswith("undo:"))
    seat = int(subject.split(":")[1])
    await world.site.tables.votes.vote(world.room.people[name], table, seat, subject, True)
    return table


# -- who plays -----------------------------------------------------------------------------------------------------


@state()
async def bot_stands_in(world: World) -> str:
    table = await world.table()
    await world.site.tables.departures.leave(world.guest, table, len(world.names) - 1)
    return table


@state()
async def bots_stand_in_for_all(world: World) -> str:
    table = await world.table()
    for seat, name in enumerate(world.names):
        await world.site.tables.departures.leave(world.guest if name == GUEST else world.host, table, seat)
    return table


@state("atacama")
async def against_bots(world: World) -> str:
    return await world.room.table("atacama", HOST, "bot:beginner")


@state("atua")
async def alone(world: World) -> str:
    return await world.room.table("atua", HOST)


@state()
async def account_deleted(world: World) -> str:
    table = await _with_gus(world)
    await world.play(table, lambda view: view.view_sequence > 1, HOST, "Gus")
    await _gus_goes(world)
    return table


@state()
async def account_deleted_after_the_end(world: World) -> str:
    table = await _with_gus(world)
    await world.finish(table, HOST, "Gus")
    await _gus_goes(world)
    return table


@state()
async def account_deleted_before_the_start(world: World) -> str:
    table = await _with_gus(world, start=False)
    await _gus_goes(world)
    return table


@state()
async def account_of_the_host_deleted(world: World) -> str:
    game = world.game
    names = ("Gus", GUEST, HOST) if game == SHARED else ("Gus", GUEST)
    table = await world.room.table(game, *names)
    await world.site.tables.chat.say(world.room.people["Gus"], table, "farewell")
    await _gus_goes(world)
    return table


async def _with_gus(world: World, *, start: bool = True) -> str:
    """A table with somebody in the place of the guest who has said something."""
    await world.room.person("Gus")
    names = [("Gus" if name == GUEST else name) for name in world.names]
    table = await world.room.table(world.game, *names, start=start)
    await world.site.tables.chat.say(world.room.people["Gus"], table, "farewell")
    return table


async def _gus_goes(world: World) -> None:
    await world.site.tables.accounts.delete(world.room.people.pop("Gus"), "Gus")


# -- damage --------------------------------------------------------------------------------------------------------


@state()
async def broken(world: World) -> str:
    """The rules have failed in the middle of a turn."""
    table = await world.table()
    await world.play(table, lambda view: view.view_sequence > 1)
    await _break(world, table)
    return table


@state()
async def broken_and_unreadable(world: World) -> str:
    table = await world.table()
    await world.damage(table, position="{}")
    assert (await world.room.view(HOST, table)).view is None
    return table


@state()
async def repaired(world: World) -> str:
    table = await world.table()
    await _break(world, table)
    await repair(world.site.tables.executor)
    return table


@state()
async def account_deleted_at_a_broken_table(world: World) -> str:
    table = await _with_gus(world)
    await world.damage(table, position="{}")
    await world.room.view(HOST, table)
    await _gus_goes(world)
    return table


async def _break(world: World, table: str) -> None:
    """Let the rules fail at the next answer."""

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("planted")

    name, view = await world.room.mover(table, HOST, GUEST)
    assert view.turn is not None and view.seat is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("atoll.engine.Position.apply", fail, raising=False)
        patch.setattr("atoll.server.table.lifecycle.answer", fail)
        with pytest.raises(Exception, match="repair"):
            await world.site.tables.turns.choose(
                world.room.people[name], table, view.seat, [view.turn.legal[0]], view.turn.stamp, confirm=True
            )


# -- the end -------------------------------------------------------------------------------------------------------


@state()
async def over(world: World) -> str:
    table = await world.table(chat_after="anyone")
    await world.finish(table)
    await world.site.tables.chat.say(world.room.people[WATCHER], table, "well played")
    await world.site.tables.notes.write(world.host, table, "to remember")
    await world.site.tables.table_notices.choose(world.host, table, "no_chat")
    return table


@state("atua")
async def over_alone(world: World) -> str:
    table = await world.room.table("atua", HOST)
    await world.finish(table, HOST)
    return table


@state()
async def cancelled(world: World) -> str:
    table = await world.table()
    await world.play(table, lambda view: view.view_sequence > 1)
    await world.vote(table, "cancel", HOST, GUEST)
    return table


@state()
async def rematch_asked_for(world: World) -> str:
    table = await world.table()
    await world.finish(table)
    await world.site.tables.table_setup.rematch(world.host, table)
    return table


@state()
async def invited_again(world: World) -> str:
    """The table of a rematch, with a seat for who hasn't come yet."""
    table = await world.table()
    await world.finish(table)
    return await world.site.tables.table_setup.rematch(world.host, table)


@state("atacama")
async def analysed(world: World) -> str:
    table = await world.table()
    await world.finish(table)
    await world.site.tables.bot_analysis.analyse(world.host, table)
    await world.site.tables.bot_analysis.analyse_due(table)
    return table


@state()
async def analysis_awaited(world: World) -> str:
    table = await world.table()
    await world.finish(table)
    await world.site.tables.bot_analysis.analyse(world.host, table)
    return table


@state()
async def analysis_failed(world: World) -> str:
    table = await world.table()
    await world.finish(table)
    world.site.tables.bot_analysis._failed.add(table)
    return table


@state()
async def played_on(world: World) -> str:
    """A table that continues from a moment of another."""
    table = await world.table()
    await world.finish(table)
    return await world.site.tables.history.continue_from(world.host, table, 0, 0)


@state("atacama")
async def of_a_cup(world: World) -> str:
    """A table of a competition, whose rules exclude votes to cancel, and seats that change."""
    tables, now = world.site.tables, world.clock.now
    new = NewCompetition("mini", world.game, 2, "6", private=True)
    row = new_competition(tables.catalogue, new, now, None)
    await tables.store.competitions.add(row)
    game = CompetitionGameRow(row.id, 1, 1, 1, game_id(row.id, 1, 1, 1), [0, 1])
    users = [await tables.store.user(who.id) for who in (world.host, world.guest)]
    await tables.seasons.tables.create(row, game, {number: user for number, user in enumerate(users) if user})
    await give_shares(tables, game.game_id)
    return game.game_id


# -- ratings -------------------------------------------------------------------------------------------------------


@state("atacama")
async def counting(world: World) -> str:
    """It will count for ratings, and asks for reliable people."""
    plans = (SeatPlan("me"), SeatPlan("open"))
    new = NewTable("atacama", plans, clock=QUICK, rated=True, least_reliability=85)
    return await world.site.tables.table_setup.create(world.host, new)


@state("atacama")
async def counted(world: World) -> str:
    """It has counted for ratings."""
    await world.site.tables.credentials.add_code(await world.room.person("Kim"))
    world.room.people["Kim"] = await world.room.signed_in("Kim")
    table = await world.room.table("atacama", HOST, "Kim", clock=QUICK, rated=True)
    await world.finish(table, HOST, "Kim")
    return table


# -- approval ------------------------------------------------------------------------------------------------------


@state("atacama")
async def asked_for(world: World) -> str:
    """Somebody asks for a seat at a private table, whose host lets people in one by one."""
    setup = world.site.tables.table_setup
    plans = (SeatPlan("me"), SeatPlan("invite"))
    table = await setup.create(world.host, NewTable("atacama", plans, visibility="private", approval=True))
    await setup.accept(world.guest, await setup.invite(world.host, table, 1))
    return table
