"""The JSON API for programs and people's own clients: the same service, the same rights, the same secrecy.

Whoever asks proves who they are by `Authorization: Bearer <token>`; cookies mean nothing here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta

from ...domain.model import (
    Acts,
    Advice,
    AnalysisState,
    Done,
    Fairness,
    Message,
    Moment,
    PublicRecord,
    Refused,
    TableView,
    User,
)
from ...domain.playing_hours import Vacation
from ...domain.table_card import TableCard
from ...play.notification_settings import Channel
from ...play.tryouts import Step, Tryout
from ..download import Download, download
from ..events import EventStream, watched
from .games import GameOut, told
from .operations import Api, Call, Function, Operation
from .request_bodies import (
    AdviceBody,
    ApplyBody,
    ChannelBody,
    ChatBody,
    CommitmentBody,
    GuestBody,
    HoursBody,
    JoinBody,
    NameBody,
    NewChannelBody,
    NewTableBody,
    NotesBody,
    PlanBody,
    PlayOnBody,
    QuietBody,
    SeatBody,
    SeatNumber,
    Sequence,
    ShareBody,
    StampBody,
    TokenBody,
    TryBody,
    UndoBody,
    VacationBody,
    VoteBody,
)
from .responses import CalendarOut, ChatOut, InvitationOut, LegalOut, LoginOut, LogOut, SeatOut, TableOut, VersionsOut

ROOT: Final = "/api/v1"

TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="A table's id.")]
ChannelId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="A channel's id.")]
MySeat = Annotated[
    Annotated[int, Meta(ge=0, le=31)] | None, Meta(description="One of your seats; without: the one that is asked.")
]
PageNumber = Annotated[int, Meta(ge=0, le=1000, description="Which page of the list, from 0.")]
Before = Annotated[str, Meta(max_length=32, description="One that is over: only those that ended before it.")]
From = Annotated[int, Meta(ge=0, le=10_000_000, description="Leave out what comes before this number.")]
Watch = Annotated[list[str], Meta(max_length=50, description="Tables to be told of besides your own.")]


_ENDED: Final = 200
_operations: Final[list[Operation]] = []


def _at(tag: str, method: str, path: str, *refuses: int, status: int = 200) -> Callable[[Function], Function]:
    """The function answers this method at this path; see Operation."""

    def add(function: Function) -> Function:
        _operations.append(Operation(method, path, function, tag=tag, status=status, refuses=refuses))
        return function

    return add


_people, _tables, _seats, _turn, _bots, _reading, _push = (
    partial(_at, tag) for tag in ("people", "tables", "seats", "turn", "bots", "reading", "push")
)


def create_api() -> Api:
    """The API at /api/v1."""
    return Api(ROOT, "Atoll", __doc__ or "", _operations)


# -- people ----------------------------------------------------------------------------------------


@_people("POST", "/guests", status=201)
async def guest(call: Call, body: GuestBody) -> LoginOut:
    """Become a user, with nothing but a name."""
    call.tables.limits.hit("guest", call.address)
    login = await call.tables.people.guest(body.name, kind="api")
    return LoginOut(login.user.id, login.user.name, login.token)


@_people("POST", "/recover", 410, status=201)
async def recover(call: Call, body: TokenBody) -> LoginOut:
    """A token for the person whose recovery link this is."""
    call.tables.limits.hit("token", call.address)
    login = await call.tables.people.recover(body.token, kind="api")
    return LoginOut(login.user.id, login.user.name, login.token)


@_people("GET", "/me")
async def me(call: Call) -> User:
    """Who you are."""
    if call.who is None:
        raise Refused("sign_in", 401, "a token is needed")
    return call.who


@_people("GET", "/me/export")
async def export_me(call: Call) -> Download:
    """All that is kept of you, but for secrets: who you are, what you have set, learnt and said, and your tables, each
    with its record as your seats may know it.
    """
    return await download(call.tables, call.who)


@_people("DELETE", "/me")
async def delete_me(call: Call, body: NameBody) -> None:
    """Delete your account; give its name. Bots play your seats on, what others need stays without your name."""
    await call.tables.accounts.delete(call.who, body.name)


@_people("PUT", "/me/hours")
async def set_hours(call: Call, body: HoursBody) -> User:
    """When you play, for clocks that heed it. Open turns keep their time."""
    return await call.tables.calendars.set_hours(call.who, body.zone, body.first, body.last)


@_people("GET", "/me/vacation")
async def vacation(call: Call) -> Vacation:
    """Your days of vacation in this year."""
    return call.tables.calendars.vacation(call.who)


@_people("POST", "/me/vacation", 409)
async def take_vacation(call: Call, body: VacationBody) -> User:
    """Go on vacation: clocks that heed it stand still."""
    return await call.tables.calendars.take(call.who, body.days, body.begin)


@_people("DELETE", "/me/vacation", 409)
async def end_vacation(call: Call) -> User:
    """Your vacation is over, and none is planned any more."""
    return await call.tables.calendars.end(call.who)


@_people("PUT", "/me/quiet")
async def set_quiet(call: Call, body: QuietBody) -> User:
    """When you are told of nothing."""
    return await call.tables.calendars.set_quiet(call.who, body.first, body.last)


@_people("GET", "/me/channels")
async def channels(call: Call) -> tuple[Channel, ...]:
    """The ways to reach you when you aren't here, and how the last delivery went."""
    return await call.tables.reaching.mine(call.who)


@_people("POST", "/me/channels", 409, status=201)
async def add_channel(call: Call, body: NewChannelBody) -> Channel:
    """A new way to reach you. A mail address is first asked whether it wants that."""
    return await call.tables.reaching.add(call.who, body.kind, body.address, body.language)


@_people("PUT", "/me/channels/{channel}", 404)
async def change_channel(call: Call, channel: ChannelId, body: ChannelBody) -> None:
    """What is told by a channel."""
    await call.tables.reaching.change(call.who, channel, body.kinds, body.digest)


@_people("POST", "/me/channels/{channel}/test", 404)
async def test_channel(call: Call, channel: ChannelId) -> None:
    """Send something by a channel now."""
    await call.tables.reaching.test(call.who, channel)


@_people("DELETE", "/me/channels/{channel}", 404)
async def drop_channel(call: Call, channel: ChannelId) -> None:
    """End a channel."""
    await call.tables.reaching.drop(call.who, channel)


@_tables("GET", "/games")
async def games(call: Call) -> list[GameOut]:
    """The games with their options and bots."""
    catalogue = call.tables.catalogue
    found = (told(game, catalogue.levels(game.id)) for game in catalogue.games())
    return [game for game in found if game is not None]


# -- tables ----------------------------------------------------------------------------------------


@_tables("GET", "/tables")
async def lobby(call: Call, page: PageNumber = 0) -> tuple[TableCard, ...]:
    """The tables that are listed for all: those that gather, who waits longest first, then those that run."""
    return await call.tables.lists.lobby(call.who, page)


@_tables("GET", "/tables/mine", 404)
async def mine(call: Call, before: Before = "") -> tuple[TableCard, ...]:
    """Your tables: all that aren't over, then the 200 that ended last."""
    lists = call.tables.lists
    return (*(() if before else await lists.mine(call.who)), *await lists.ended(call.who, _ENDED, before))


@_people("POST", "/me/calendar", status=201)
async def deadlines_address(call: Call) -> CalendarOut:
    """The secret address of your deadlines as an iCalendar feed. A new one ends the old one."""
    return CalendarOut(f"/calendar/{await call.tables.deadlines.token(call.who)}.ics")


@_tables("POST", "/tables", 409, status=201)
async def create(call: Call, body: NewTableBody) -> TableOut:
    """Make a table. It starts when all seats are taken and all have given their share of the chance."""
    return TableOut(await call.tables.gathering.create(call.who, body.plan(), body.key))


@_tables("GET", "/tables/{table}")
async def view(call: Call, table: TableId, seat: MySeat = None, log: From = 0, chat: From = 0) -> TableView:
    """The table as you may see it. `log`, `chat`: leave out what comes before these numbers."""
    return await call.tables.reading.table(call.who, table, seat=seat, log_from=log, chat_from=chat, encodable=True)


@_tables("POST", "/tables/{table}/join", 410)
async def join(call: Call, table: TableId, body: JoinBody) -> SeatOut:
    """Take an open seat."""
    return SeatOut(table, await call.tables.gathering.join(call.who, table, body.seat, body.key))


@_tables("POST", "/invitations/accept", 403, 404, 409, 410)
async def accept(call: Call, body: TokenBody) -> SeatOut:
    """Take the seat that an invitation is for."""
    call.tables.limits.hit("token", call.address)
    table, seat = await call.tables.gathering.accept(call.who, body.token)
    return SeatOut(table, seat)


@_tables("POST", "/tables/{table}/start")
async def start(call: Call, table: TableId) -> None:
    """Wait no longer: for commitments to shares of the chance or, once those are in, for the shares."""
    await call.tables.gathering.start(call.who, table)


@_tables("POST", "/tables/{table}/rematch", status=201)
async def rematch(call: Call, table: TableId) -> TableOut:
    """A table for the same people once more: new for the first who asks; whoever asks sits there."""
    return TableOut(await call.tables.gathering.rematch(call.who, table))


# -- seats -----------------------------------------------------------------------------------------


@_seats("PUT", "/tables/{table}/seats/{seat}")
async def set_seat(call: Call, table: TableId, seat: SeatNumber, body: SeatBody) -> None:
    """The host gives a free seat to a bot, an invited one, or anybody."""
    await call.tables.gathering.set_seat(call.who, table, seat, body.plan())


@_seats("POST", "/tables/{table}/seats/{seat}/invitation", status=201)
async def invite(call: Call, table: TableId, seat: SeatNumber) -> InvitationOut:
    """A secret that lets whoever has it take this seat, once."""
    return InvitationOut(await call.tables.gathering.invite(call.who, table, seat))


@_seats("POST", "/tables/{table}/seats/{seat}/commitment")
async def commit(call: Call, table: TableId, seat: SeatNumber, body: CommitmentBody) -> None:
    """Fix your share of the chance before any is shown. Show it once the table says `showing`."""
    await call.tables.gathering.commit(call.who, table, seat, body.commitment)


@_seats("POST", "/tables/{table}/seats/{seat}/share")
async def share(call: Call, table: TableId, seat: SeatNumber, body: ShareBody) -> None:
    """Your share of the chance, before the start: the one that you have fixed, else one for this server to keep."""
    await call.tables.gathering.contribute(call.who, table, seat, body.share)


@_seats("POST", "/tables/{table}/seats/{seat}/leave")
async def leave(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Leave the seat; in a running game a bot plays it on."""
    await call.tables.leaving.leave(call.who, table, seat)


@_seats("POST", "/tables/{table}/seats/{seat}/return")
async def come_back(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Take the seat over from the bot again."""
    await call.tables.leaving.come_back(call.who, table, seat)


@_seats("POST", "/tables/{table}/seats/{seat}/vote")
async def vote(call: Call, table: TableId, seat: SeatNumber, body: VoteBody) -> None:
    """Consent to cancel the game, to pause it or go on, to remove an absent seat, or to take an answer back."""
    await call.tables.votes.vote(call.who, table, seat, body.subject, body.yes)


@_seats("POST", "/tables/{table}/seats/{seat}/nudge")
async def nudge(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Let another person who is asked for an hour be told that you wait; once a day."""
    await call.tables.nudging.nudge(call.who, table, seat)


@_seats("PUT", "/tables/{table}/seats/{seat}/plan")
async def plan(call: Call, table: TableId, seat: SeatNumber, body: PlanBody) -> None:
    """Say ahead what your seat, which isn't asked now, will answer. A surprise ends the plan; only you see it."""
    await call.tables.planning.plan(call.who, table, seat, body.plan())


# -- the open turn ---------------------------------------------------------------------------------


@_turn("GET", "/tables/{table}/seats/{seat}/legal")
async def legal(call: Call, table: TableId, seat: SeatNumber) -> LegalOut:
    """What the seat can do now, with the stamp that its next command must carry."""
    return LegalOut(await call.tables.reading.legal(call.who, table, seat))


@_turn("POST", "/tables/{table}/seats/{seat}/apply")
async def apply(call: Call, table: TableId, seat: SeatNumber, body: ApplyBody) -> Done:
    """Choose: all of the list or nothing. By default final at once."""
    return await call.tables.turn.choose(call.who, table, seat, body.choices, body.stamp, body.key, body.confirm)


@_turn("POST", "/tables/{table}/seats/{seat}/undo")
async def undo(call: Call, table: TableId, seat: SeatNumber, body: UndoBody) -> Done:
    """Take the last staged choice back, or the one that is named, or a sealed answer as long as others are awaited."""
    return await call.tables.turn.undo(call.who, table, seat, body.stamp, body.key, body.choice)


@_turn("POST", "/tables/{table}/seats/{seat}/restart")
async def restart(call: Call, table: TableId, seat: SeatNumber, body: StampBody) -> Done:
    """Take the whole staged turn back."""
    return await call.tables.turn.restart(call.who, table, seat, body.stamp, body.key)


@_turn("POST", "/tables/{table}/seats/{seat}/confirm")
async def confirm(call: Call, table: TableId, seat: SeatNumber, body: StampBody) -> Done:
    """Make the staged turn final."""
    return await call.tables.turn.confirm(call.who, table, seat, body.stamp, body.key)


@_turn("POST", "/tables/{table}/seats/{seat}/try")
async def try_out(call: Call, table: TableId, seat: SeatNumber, body: TryBody) -> Tryout:
    """Play on privately from a moment at which the seat is asked, for all seats: what it can't know is guessed.

    Nothing is kept; the same request always gets the same answer.
    """
    return await call.tables.trying.tryout(call.who, table, seat, Step(body.sequence, body.guess, body.choices))


# -- bots ------------------------------------------------------------------------------------------


@_bots("POST", "/tables/{table}/seats/{seat}/advice")
async def advice(call: Call, table: TableId, seat: SeatNumber, body: AdviceBody) -> Advice:
    """What a strong bot would do in the open turn, from what this seat knows. Where the table allows it."""
    return await call.tables.study.advise(call.who, table, seat, body.stamp)


@_bots("POST", "/tables/{table}/analysis")
async def analyse(call: Call, table: TableId) -> AnalysisState:
    """Let a bot look at the finished game, once per table; GET tells how far it is."""
    return await call.tables.study.analyse(call.who, table)


@_bots("GET", "/tables/{table}/analysis")
async def analysis(call: Call, table: TableId) -> AnalysisState:
    """What a strong bot says of the finished game: the result expected at each decision, what changed it most."""
    return await call.tables.study.analysis(call.who, table)


# -- reading ---------------------------------------------------------------------------------------


@_reading("GET", "/tables/{table}/log")
async def log(call: Call, table: TableId, seat: MySeat = None, first: From = 0) -> LogOut:
    """What happened, as you may know it."""
    return LogOut((await call.tables.reading.table(call.who, table, seat=seat, log_from=first)).log)


@_reading("GET", "/tables/{table}/chat")
async def chat(call: Call, table: TableId, first: From = 0) -> ChatOut:
    """The messages."""
    return ChatOut((await call.tables.reading.table(call.who, table, chat_from=first)).chat)


@_reading("POST", "/tables/{table}/chat", status=201)
async def say(call: Call, table: TableId, body: ChatBody) -> Message:
    """Say something to the table."""
    return await call.tables.chat.say(call.who, table, body.text, body.key)


@_reading("PUT", "/tables/{table}/notes")
async def note(call: Call, table: TableId, body: NotesBody) -> None:
    """Replace your private notes at a table where you sit. Only you read them, in `notes` of the table."""
    await call.tables.notes.write(call.who, table, body.text)


@_reading("GET", "/tables/{table}/moments/{sequence}")
async def moment(call: Call, table: TableId, sequence: Sequence, seat: MySeat = None) -> Moment:
    """The game as it stood after so many answers, as you may know it."""
    return await call.tables.history.moment(call.who, table, sequence, seat, address=call.address)


@_reading("GET", "/tables/{table}/acts")
async def acts(call: Call, table: TableId, seat: MySeat = None, since: Sequence | None = None) -> Acts:
    """What has happened since a moment, choice by choice, as you may know it; without one: since your own last choice.

    The picture of each act is the moment at its `end`.
    """
    return await call.tables.history.acts(call.who, table, since, seat, address=call.address)


@_reading("POST", "/tables/{table}/play-on", status=201)
async def play_on(call: Call, table: TableId, body: PlayOnBody) -> TableOut:
    """A new table that goes on from a moment against bots."""
    return TableOut(await call.tables.history.play_on(call.who, table, body.sequence, body.seat, body.bot, body.key))


@_reading("GET", "/tables/{table}/export")
async def export(call: Call, table: TableId, seat: MySeat = None) -> dict[str, Any]:
    """The record of a game: while it runs, what you may know; when it is over, everything."""
    return await call.tables.history.export(call.who, table, seat, address=call.address)


@_reading("GET", "/tables/{table}/record")
async def record(call: Call, table: TableId, first: From = 0) -> PublicRecord:
    """What everybody has learnt of the game's answers. Keep its digest: it must be the same in the end."""
    return await call.tables.history.record(call.who, table, first)


@_reading("GET", "/tables/{table}/fairness")
async def fairness(call: Call, table: TableId) -> Fairness:
    """How the chance of this table can be checked."""
    return await call.tables.history.fairness(call.who, table)


# -- push ------------------------------------------------------------------------------------------


@_push("GET", "/versions")
async def versions(call: Call, watch: Watch = []) -> VersionsOut:  # noqa: B006 - never changed
    """The versions of your tables and those you name, for where streams don't get through."""
    return VersionsOut(await call.tables.news.versions(call.who, watched(watch)))


@_push("GET", "/events")
async def events(call: Call, watch: Watch = [], views: bool = False) -> EventStream:  # noqa: B006 - never changed
    """News of your tables, and those you name, as server-sent events.

    `table` with {game, version}, `lists`; `ping` if there is nothing to tell. views: with each `table` comes also
    `view`, the table as you may see it, without log and chat.
    """
    return EventStream(call.tables, call.who, watched(watch), call.address, views=views)
