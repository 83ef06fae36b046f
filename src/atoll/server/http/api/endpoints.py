"""JSON API for programs and custom clients.

It has the same services, permissions and secrecy of hidden information as the pages. Requests
authenticate with the header `Authorization: Bearer <token>`; cookies are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from atoll.store import LobbyFilter

from ...domain.competitions import CompetitionView
from ...domain.model import (
    Acts,
    Advice,
    AnalysisState,
    CommandResult,
    Fairness,
    Message,
    PastMoment,
    PlayerRating,
    ReaderRecord,
    Refused,
    TableView,
    User,
)
from ...domain.playing_hours import Vacation
from ...domain.profile import Followed, Profile, ProfileVisibility
from ...domain.statistics import GameFigures, PersonalStatistics
from ...domain.table_card import TableCard
from ...play.archive import MOST_PLAYERS, ArchiveFilters
from ...play.blocks import Block
from ...play.notification_settings import Channel
from ...play.quick_match import Search
from ...play.ratings import Ranked
from ...play.reports import GivenReport, OwnReport
from ...play.sanctions import Sanction
from ...play.sessions import Session
from ...play.table_lists import PAGE
from ...play.tryouts import Tryout, TryoutStep
from ..download import Download, download
from ..events import EventStream, parse_watch
from .games import GameOut, game_out_or_none
from .operations import Api, Call, Function, Operation
from .request_bodies import (
    AdviceBody,
    ApplyBody,
    ChannelBody,
    ChatBody,
    GuestBody,
    HoursBody,
    InvitePersonBody,
    JoinBody,
    LabelBody,
    NameBody,
    NewChannelBody,
    NewTableBody,
    NotesBody,
    ObjectionBody,
    PlanBody,
    PlayOnBody,
    ProfileBody,
    QuickBody,
    QuietBody,
    ReportBody,
    RequestAnswerBody,
    SealBody,
    SeatBody,
    SeatNumber,
    Sequence,
    ShareBody,
    StampBody,
    SubjectBody,
    SwapBody,
    TokenBody,
    TryBody,
    UndoBody,
    VacationBody,
    VoteBody,
)
from .responses import (
    CalendarOut,
    ChatOut,
    CompetitionsOut,
    InvitationOut,
    LegalOut,
    LoginOut,
    LogOut,
    SeatOut,
    TableOut,
    TokenOut,
    VersionsOut,
)

ROOT: Final = "/api/v1"

TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the table.")]
ChannelId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the channel.")]
CompetitionId = Annotated[
    str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the competition.")
]
BlockId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the block.")]
SanctionId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the sanction.")]
MessageNumber = Annotated[int, Meta(ge=0, le=10_000_000, description="Number of the message, from 0.")]
SessionId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9]+$", description="Id of the session.")]
PersonName = Annotated[str, Meta(min_length=1, max_length=100, description="Name of an account.")]
OnePace = Annotated[
    Literal["", "none", "live", "correspondence"], Meta(description="Only tables of this pace. Default: all.")
]
OnlyRated = Annotated[
    bool | None, Meta(description="Only tables that count for ratings, or only others. Default: all.")
]
Order = Annotated[
    Literal["", "new", "full"],
    Meta(description="Waiting tables: newest first, or fewest free seats first. Default: longest wait first."),
]
OnlyLanguage = Annotated[
    str, Meta(max_length=8, description="Only tables whose host uses the site in this language, such as `de`.")
]
GameId = Annotated[str, Meta(min_length=1, max_length=40, description="Id of the game.")]
GameFilter = Annotated[str, Meta(max_length=40, description="Id of a game; empty for all games.")]
SeatsFilter = Annotated[int, Meta(ge=0, le=31, description="Number of seats; 0 for all.")]
OptionsFilter = Annotated[
    Literal["", "usual", "other"], Meta(description="Only games with the usual options, or with others.")
]
PlayersFilter = Annotated[
    list[Annotated[str, Meta(max_length=100)]],
    Meta(max_length=MOST_PLAYERS, description="Names of accounts that all had a seat, in several parameters."),
]
PlaceFilter = Annotated[int, Meta(ge=0, le=31, description="Place of the first of them; 0 for all.")]
SinceFilter = Annotated[date | None, Meta(description="First day of the end, UTC.")]
UntilFilter = Annotated[date | None, Meta(description="Last day of the end, UTC.")]
MySeat = Annotated[
    Annotated[int, Meta(ge=0, le=31)] | None,
    Meta(description="Your seat to view the table from. Default: the seat that is asked."),
]
PageNumber = Annotated[int, Meta(ge=0, le=1000, description="Page of the list, from 0.")]
Before = Annotated[
    str, Meta(max_length=32, description="Id of a finished table: return only tables that ended before it.")
]
From = Annotated[int, Meta(ge=0, le=10_000_000, description="Number of the first entry to return.")]
Since = Annotated[
    Sequence | None,
    Meta(description="Number of answers before the moment. Default: the moment after your last choice."),
]
Views = Annotated[bool, Meta(description="Whether each `table` event has a `view`: the table without log and chat.")]
Watch = Annotated[
    list[str], Meta(max_length=50, description="Ids of other tables to report, in several parameters or with commas.")
]


_MAX_ENDED: Final = 200
_operations: Final[list[Operation]] = []


def _operation(
    tag: str, method: str, path: str, *error_statuses: int, status: int = 200
) -> Callable[[Function], Function]:
    """Return a decorator that adds a function as an operation of the API.

    Args:
        tag: Group of the operation in the description.
        method: HTTP method.
        path: Path below the root, with parameters in braces.
        *error_statuses: Error statuses of its own; see `Operation`.
        status: Status of success.
    """

    def add(function: Function) -> Function:
        """Add the function."""
        _operations.append(Operation(method, path, function, tag=tag, status=status, error_statuses=error_statuses))
        return function

    return add


_people, _tables, _archive, _competitions, _seats, _turn, _bots, _reading, _push = (
    partial(_operation, tag)
    for tag in ("people", "tables", "archive", "competitions", "seats", "turn", "bots", "reading", "push")
)


def create_api() -> Api:
    """Return the API at /api/v1."""
    return Api(ROOT, "Atoll", __doc__ or "", _operations)


# -- people ----------------------------------------------------------------------------------------


@_people("POST", "/guests", status=201)
async def guest(call: Call, body: GuestBody) -> LoginOut:
    """Create a guest, who has nothing but a name, and return its token."""
    await call.tables.attempts.hit("guest", call.address)
    login = await call.tables.users.guest(body.name, kind="api", device=call.device, network=call.address)
    return LoginOut(login.user.id, login.user.name, login.token)


@_people("GET", "/me")
async def me(call: Call) -> User:
    """Return the user whose token was sent.

    Args:
        call: The request.

    Raises:
        Refused: If no token was sent.
    """
    if call.who is None:
        raise Refused("sign_in", 401, "a token is required")
    return call.who


@_people("GET", "/me/sessions")
async def sessions(call: Call) -> tuple[Session, ...]:
    """Return your sessions and API tokens, the one that you use now first."""
    return await call.tables.sessions.mine(call.who, call.token)


@_people("DELETE", "/me/sessions")
async def end_other_sessions(call: Call) -> None:
    """End all your sessions and API tokens except the one that you use now."""
    await call.tables.sessions.end_others(call.who, call.token)


@_people("DELETE", "/me/sessions/{session}", 404)
async def end_session(call: Call, session: SessionId) -> None:
    """End one session or API token; its event streams close."""
    await call.tables.sessions.end(call.who, session)


@_people("POST", "/me/tokens", 409, status=201)
async def add_token(call: Call, body: LabelBody) -> TokenOut:
    """Create an API token, with which another program acts as you."""
    return TokenOut(await call.tables.sessions.add_token(call.who, body.label))


@_people("GET", "/me/export")
async def export_me(call: Call) -> Download:
    """Return all stored data about you, without secrets.

    The file holds your account, settings, learning progress and messages, and your tables. The
    record of each table contains only what your seats may know.
    """
    return await download(call.tables, call.who)


@_people("DELETE", "/me")
async def delete_me(call: Call, body: NameBody) -> None:
    """Delete your account: bots play your seats, and your name disappears from all tables."""
    await call.tables.accounts.delete(call.who, body.name)


@_people("PUT", "/me/hours")
async def set_hours(call: Call, body: HoursBody) -> User:
    """Set your playing hours, for time controls that observe them; open turns keep their time."""
    return await call.tables.calendars.set_hours(call.who, body.zone, body.first, body.last)


@_people("GET", "/me/vacation")
async def vacation(call: Call) -> Vacation:
    """Return your days of vacation in this year."""
    return call.tables.calendars.vacation(call.who)


@_people("POST", "/me/vacation", 409)
async def take_vacation(call: Call, body: VacationBody) -> User:
    """Start or plan a vacation: clocks that observe vacations stop."""
    return await call.tables.calendars.take(call.who, body.days, body.begin)


@_people("DELETE", "/me/vacation", 409)
async def end_vacation(call: Call) -> User:
    """End your vacation and cancel all planned ones."""
    return await call.tables.calendars.end(call.who)


@_people("PUT", "/me/quiet")
async def set_quiet(call: Call, body: QuietBody) -> User:
    """Set the quiet hours in which you get no notifications."""
    return await call.tables.calendars.set_quiet(call.who, body.first, body.last)


@_people("GET", "/me/channels")
async def channels(call: Call) -> tuple[Channel, ...]:
    """Return your notification channels, each with the result of its last delivery."""
    return await call.tables.notification_settings.mine(call.who)


@_people("POST", "/me/channels", 409, status=201)
async def add_channel(call: Call, body: NewChannelBody) -> Channel:
    """Add a notification channel; a mail address must first confirm it."""
    return await call.tables.notification_settings.add(call.who, body.kind, body.address, body.language)


@_people("PUT", "/me/channels/{channel}", 404)
async def change_channel(call: Call, channel: ChannelId, body: ChannelBody) -> None:
    """Set which notifications a channel sends.

    Args:
        call: The request.
        channel: Id of the channel.
        body: Notifications to send.
    """
    await call.tables.notification_settings.change(call.who, channel, body.kinds, body.digest)


@_people("POST", "/me/channels/{channel}/test", 404)
async def test_channel(call: Call, channel: ChannelId) -> None:
    """Send a test notification through a channel."""
    await call.tables.notification_settings.test(call.who, channel)


@_people("DELETE", "/me/channels/{channel}", 404)
async def drop_channel(call: Call, channel: ChannelId) -> None:
    """Delete a notification channel."""
    await call.tables.notification_settings.drop(call.who, channel)


@_people("GET", "/me/blocks")
async def blocks(call: Call) -> tuple[Block, ...]:
    """Return your blocks, newest first; the blocked people aren't notified."""
    return await call.tables.blocks.mine(call.who)


@_people("POST", "/me/blocks", 403, 404, 409)
async def block(call: Call, body: SubjectBody) -> None:
    """Block a person: no joint new tables, messages, invitations, nudges, rematches, lobby rows."""
    await call.tables.blocks.add(call.who, await call.tables.subjects.person(call.who, body.subject()))


@_people("DELETE", "/me/blocks/{block}", 404)
async def lift_block(call: Call, block: BlockId) -> None:
    """Lift a block.

    Args:
        call: The request.
        block: Id of the block.
    """
    await call.tables.blocks.lift(call.who, block)


@_people("POST", "/reports", 403, 404, 409)
async def report(call: Call, body: ReportBody) -> None:
    """Report a message, person or table to the moderators, with or without a token.

    The server keeps a copy of the table's public facts and of the messages around.
    """
    subject = body.subject() if body.table or body.name else None
    given = GivenReport(body.reason, body.text, body.mail, call.address, body.language)
    await call.tables.reports.file(call.who, subject, given)


@_people("GET", "/me/reports")
async def my_reports(call: Call) -> tuple[OwnReport, ...]:
    """Return your reports with their outcomes, oldest first."""
    return await call.tables.reports.mine(call.who)


@_people("GET", "/me/sanctions")
async def sanctions(call: Call) -> tuple[Sanction, ...]:
    """Return the decisions of moderators about you, newest first."""
    return await call.tables.sanctions.mine(call.who)


@_people("POST", "/me/sanctions/{sanction}/objection", 404, 409)
async def object_to(call: Call, sanction: SanctionId, body: ObjectionBody) -> None:
    """Object to a decision of a moderator, once.

    Args:
        call: The request.
        sanction: Id of the sanction.
        body: The objection.
    """
    await call.tables.sanctions.object(call.who, sanction, body.text)


@_people("GET", "/me/ratings")
async def my_ratings(call: Call) -> tuple[PlayerRating, ...]:
    """Return your ratings, the game with the most rated games first."""
    return () if call.who is None else await call.tables.ratings.of_user(call.who.id)


@_people("GET", "/ratings/{game}", 404)
async def leaderboard(call: Call, game: GameId) -> tuple[Ranked, ...]:
    """Return the best 100 accounts in a game with sure ratings and a rated game in 60 days.

    Args:
        call: The request.
        game: Id of the game.
    """
    return await call.tables.ratings.leaderboard(game)


@_tables("GET", "/games")
async def games(call: Call) -> list[GameOut]:
    """Return all games with their options and bots."""
    catalogue = call.tables.catalogue
    found = (game_out_or_none(game, catalogue.levels) for game in catalogue.games())
    return [game for game in found if game is not None]


# -- tables ----------------------------------------------------------------------------------------


@_tables("GET", "/tables")
async def lobby(
    call: Call,
    page: PageNumber = 0,
    game: GameFilter = "",
    seats: SeatsFilter = 0,
    pace: OnePace = "",
    rated: OnlyRated = None,
    language: OnlyLanguage = "",
    order: Order = "",
) -> tuple[TableCard, ...]:
    """Return the tables in the lobby: waiting ones in the given order, then running ones.

    Args:
        call: The request.
        page: Page of the list.
        game: Only this game.
        seats: Only tables with this number of seats.
        pace: Only tables of this pace.
        rated: Only tables that count for ratings, or only others.
        language: Only tables whose host uses the site in this language.
        order: Order of the waiting tables.
    """
    only = LobbyFilter(game, seats, pace, rated, language=language, order=order)
    return await call.tables.table_lists.lobby(call.who, page, only)


@_tables("GET", "/tables/mine", 404)
async def mine(call: Call, before: Before = "") -> tuple[TableCard, ...]:
    """Return your tables: all unfinished ones, then the 200 that ended last."""
    lists = call.tables.table_lists
    return (*(() if before else await lists.mine(call.who)), *await lists.ended(call.who, _MAX_ENDED, before))


@_people("POST", "/me/calendar", status=201)
async def deadlines_address(call: Call) -> CalendarOut:
    """Create a secret address of your deadlines as an iCalendar feed; it replaces the old one."""
    return CalendarOut(f"/calendar/{await call.tables.deadlines.token(call.who)}.ics")


@_tables("POST", "/tables", 404, 409, status=201)
async def create(call: Call, body: NewTableBody) -> TableOut:
    """Create a table.

    The game starts when all seats are taken and all sealed shares of the chance are shown.

    Args:
        call: The request.
        body: Settings of the new table.

    Returns:
        The new table.
    """
    return TableOut(await call.tables.table_setup.create(call.who, body.plan(), body.key))


@_tables("GET", "/quick", 409)
async def quick_state(call: Call) -> Search:
    """Return the state of your search for a game, and report that you still look for it.

    Ask again every two seconds: after five seconds without a request you have left.
    """
    return await call.tables.quick_match.stay(call.who)


@_tables("POST", "/quick", 403, 404, 409)
async def quick(call: Call, body: QuickBody) -> Search:
    """Look for a game with people who look for one now; this replaces an earlier search."""
    return await call.tables.quick_match.begin(call.who, body.wish())


@_tables("DELETE", "/quick")
async def end_quick(call: Call) -> None:
    """Stop looking for a game."""
    await call.tables.quick_match.end(call.who)


@_tables("GET", "/tables/{table}")
async def view(call: Call, table: TableId, seat: MySeat = None, log: From = 0, chat: From = 0) -> TableView:
    """Return the table as you may see it.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat to view it from; None for the seat that is asked.
        log: Number of the first log entry to return.
        chat: Number of the first message to return.
    """
    return await call.tables.table_views.table(call.who, table, seat=seat, log_from=log, chat_from=chat, encodable=True)


@_tables("POST", "/tables/{table}/friendly")
async def make_friendly(call: Call, table: TableId) -> None:
    """Let a game not count for ratings; only the host may, before the start, and for good.

    Args:
        call: The request.
        table: Id of the table.
    """
    await call.tables.table_setup.make_friendly(call.who, table)


@_tables("POST", "/tables/{table}/join", 410)
async def join(call: Call, table: TableId, body: JoinBody) -> SeatOut:
    """Take an open seat, or ask for it where the host lets people in one by one.

    A seat that is asked for has the kind "request" until the host answers, and the table's `can`
    has "withdraw:<seat>".

    Args:
        call: The request.
        table: Id of the table.
        body: The seat.

    Returns:
        The seat that was taken or asked for.
    """
    return SeatOut(table, await call.tables.table_setup.join(call.who, table, body.seat, body.key))


@_tables("POST", "/invitations/accept", 403, 404, 409, 410)
async def accept(call: Call, body: TokenBody) -> SeatOut:
    """Take the seat of an invitation, or ask for it where the host lets people in one by one."""
    call.tables.limits.hit("token", call.address)
    table, seat = await call.tables.table_setup.accept(call.who, body.token)
    return SeatOut(table, seat)


@_tables("POST", "/tables/{table}/start")
async def start(call: Call, table: TableId) -> None:
    """Stop waiting for seals; once their list is closed, break a start with missing shares off.

    At a correspondence table, this only gives up the caller's own shares.
    """
    await call.tables.table_setup.start(call.who, table)


@_tables("POST", "/tables/{table}/rematch", status=201)
async def rematch(call: Call, table: TableId) -> TableOut:
    """Return a table for another game of the same players.

    The first request creates it. Every caller takes a seat there.
    """
    return TableOut(await call.tables.table_setup.rematch(call.who, table))


@_tables("POST", "/tables/{table}/invite", 403)
async def invite_person(call: Call, table: TableId, body: InvitePersonBody) -> None:
    """Reserve a free seat for an account, which is notified; only for the host.

    Args:
        call: The request.
        table: Id of the table.
        body: The account, and the seat.
    """
    await call.tables.table_setup.invite_person(call.who, table, body.name, body.seat)


# -- the archive and profiles ----------------------------------------------------------------------


@_archive("GET", "/archive", 403, 404)
async def archive(
    call: Call,
    game: GameFilter = "",
    seats: SeatsFilter = 0,
    options: OptionsFilter = "",
    player: PlayersFilter = [],  # noqa: B006 - never changed
    place: PlaceFilter = 0,
    since: SinceFilter = None,
    until: UntilFilter = None,
    before: Before = "",
) -> tuple[TableCard, ...]:
    """Return finished games that you may see, at most 30, most recently ended first.

    Without players these are games of the lobby.

    Args:
        call: The request.
        game: Id of a game; "" for all.
        seats: Number of seats; 0 for all.
        options: "usual" or "other" for games with or without the usual options; "" for all.
        player: Names of accounts that all had a seat.
        place: Place of the first of them; 0 for all.
        since: First day of the end, UTC; None without a limit.
        until: Last day of the end, UTC; None without a limit.
        before: Id of a finished table: only games that ended before it.
    """
    ends = None if until is None else _midnight(until) + 86_400_000
    begins = None if since is None else _midnight(since)
    filters = ArchiveFilters(game, seats, options, tuple(player), place, begins, ends)
    return await call.tables.archive.games(call.who, filters, PAGE, before)


def _midnight(day: date) -> int:
    """Return the beginning of a day, UTC, in milliseconds."""
    return int(1000 * datetime.combine(day, time(), UTC).timestamp())


@_archive("GET", "/statistics/{game}", 404)
async def statistics(call: Call, game: GameId) -> GameFigures:
    """Return the figures of a game from games of people, computed daily.

    Args:
        call: The request.
        game: Id of the game.
    """
    return await call.tables.figures.figures(game)


@_archive("GET", "/people/{person}", 404)
async def profile(call: Call, person: PersonName) -> Profile:
    """Return the profile of an account, as you may see it.

    Args:
        call: The request.
        person: Name of the account.
    """
    return await call.tables.profiles.profile(call.who, person)


@_archive("GET", "/people/{person}/statistics/{game}", 403, 404)
async def personal_statistics(call: Call, person: PersonName, game: GameId) -> PersonalStatistics:
    """Return the statistics of an account in a game, from the games that you may see.

    Args:
        call: The request.
        person: Name of the account.
        game: Id of the game.
    """
    return await call.tables.profiles.statistics(call.who, person, game)


@_archive("GET", "/me/profile", 403)
async def my_visibility(call: Call) -> ProfileVisibility:
    """Return who sees which part of your profile."""
    return await call.tables.profiles.visibility(call.who)


@_archive("PUT", "/me/profile", 403)
async def set_my_visibility(call: Call, body: ProfileBody) -> None:
    """Set who sees which part of your profile."""
    await call.tables.profiles.set_visibility(call.who, body.visibility())


@_archive("GET", "/me/following", 403)
async def following(call: Call) -> tuple[Followed, ...]:
    """Return the accounts that you follow."""
    return await call.tables.profiles.followed(call.who)


@_archive("PUT", "/me/following/{person}", 403, 404, 409)
async def follow(call: Call, person: PersonName) -> None:
    """Follow an account; its owner isn't notified.

    Args:
        call: The request.
        person: Name of the account.
    """
    await call.tables.profiles.follow(call.who, person)


@_archive("DELETE", "/me/following/{person}", 403, 404)
async def unfollow(call: Call, person: PersonName) -> None:
    """Follow an account no longer.

    Args:
        call: The request.
        person: Name of the account.
    """
    await call.tables.profiles.follow(call.who, person, yes=False)


# -- competitions ----------------------------------------------------------------------------------


@_competitions("GET", "/competitions", 404)
async def competitions(call: Call) -> CompetitionsOut:
    """Return the public competitions and those that you have entered."""
    return CompetitionsOut(*await call.tables.competitions.listed(call.who))


@_competitions("GET", "/competitions/{competition}", 404)
async def competition(call: Call, competition: CompetitionId) -> CompetitionView:
    """Return a competition with its entries, and after the draw with standings and games.

    Points and tie-breaks are fractions such as `7/3`. A game is a table.

    Args:
        call: The request.
        competition: Id of the competition.
    """
    return await call.tables.competitions.view(call.who, competition)


@_competitions("POST", "/competitions/{competition}/entry", 403, 404, 409)
async def enter(call: Call, competition: CompetitionId) -> None:
    """Sign up for a competition; again has no effect.

    Args:
        call: The request.
        competition: Id of the competition.
    """
    await call.tables.competitions.enter(call.who, competition)


@_competitions("DELETE", "/competitions/{competition}/entry", 404, 409)
async def withdraw(call: Call, competition: CompetitionId) -> None:
    """Withdraw your entry before the draw, or drop out later: bots finish your games.

    Args:
        call: The request.
        competition: Id of the competition.
    """
    await call.tables.competitions.leave(call.who, competition)


@_competitions("POST", "/competitions/{competition}/check-in", 404, 409)
async def check_in(call: Call, competition: CompetitionId) -> None:
    """Confirm your entry while check-in is open; again has no effect.

    Args:
        call: The request.
        competition: Id of the competition.
    """
    await call.tables.competitions.check_in(call.who, competition)


# -- seats -----------------------------------------------------------------------------------------


@_seats("PUT", "/tables/{table}/seats/{seat}")
async def set_seat(call: Call, table: TableId, seat: SeatNumber, body: SeatBody) -> None:
    """Assign a seat to a bot, an invited person or anybody before the start; only for the host.

    Another player who sits there is removed, and needs a new invitation to come back.

    Args:
        call: The request.
        table: Id of the table.
        seat: Number of the seat.
        body: The planned holder of the seat.
    """
    await call.tables.table_setup.set_seat(call.who, table, seat, body.plan())


@_seats("POST", "/tables/{table}/seats/{seat}/swap")
async def swap(call: Call, table: TableId, seat: SeatNumber, body: SwapBody) -> None:
    """Let the holders of two seats change places before the start; only for the host.

    Their seals are void, so they seal again. Invitations follow their holders.

    Args:
        call: The request.
        table: Id of the table.
        seat: Number of one seat.
        body: The other seat.
    """
    await call.tables.table_setup.swap(call.who, table, seat, body.other)


@_seats("POST", "/tables/{table}/seats/{seat}/invitation", status=201)
async def invite(call: Call, table: TableId, seat: SeatNumber) -> InvitationOut:
    """Create a secret invitation to a seat, which works once; only for the host.

    Args:
        call: The request.
        table: Id of the table.
        seat: Number of the seat.

    Returns:
        The invitation.
    """
    return InvitationOut(await call.tables.table_setup.invite(call.who, table, seat))


@_seats("POST", "/tables/{table}/seats/{seat}/request")
async def answer_request(call: Call, table: TableId, seat: SeatNumber, body: RequestAnswerBody) -> None:
    """Let in or decline a person who asks for a seat; only for the host.

    The person is notified. A declined one needs a new invitation.

    Args:
        call: The request.
        table: Id of the table.
        seat: Number of the seat.
        body: The answer.
    """
    setup = call.tables.table_setup
    await setup.answer_request(call.who, table, seat, body.stamp, admit=body.admit, key=body.key)


@_seats("POST", "/tables/{table}/seats/{seat}/seal")
async def seal(call: Call, table: TableId, seat: SeatNumber, body: SealBody) -> None:
    """Seal your share of the chance, before any share is shown.

    Do it while the table's `chance.missing` has your seat and `chance.terms` is null. A repeated
    request changes nothing.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: The seal.
    """
    await call.tables.table_setup.seal(call.who, table, seat, body.offer, body.seal)


@_seats("POST", "/tables/{table}/seats/{seat}/share")
async def share(call: Call, table: TableId, seat: SeatNumber, body: ShareBody) -> None:
    """Show the share of the chance that you have sealed.

    Do it once the table's `chance` has terms. Store the terms before, and never show another share
    under them. A repeated request changes nothing.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: The share.
    """
    await call.tables.table_setup.show(call.who, table, seat, body.terms, body.share)


@_seats("POST", "/tables/{table}/seats/{seat}/leave")
async def leave(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Leave a seat, decline a reserved one, or withdraw a request for one.

    In a running game a bot replaces you.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
    """
    await call.tables.departures.leave(call.who, table, seat)


@_seats("POST", "/tables/{table}/seats/{seat}/return")
async def come_back(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Take your seat back from the bot that replaced you.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
    """
    await call.tables.departures.come_back(call.who, table, seat)


@_seats("POST", "/tables/{table}/seats/{seat}/vote")
async def vote(call: Call, table: TableId, seat: SeatNumber, body: VoteBody) -> None:
    """Agree to a vote, start it, or withdraw your agreement.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: Subject of the vote, and whether you agree.
    """
    await call.tables.votes.vote(call.who, table, seat, body.subject, body.yes)


@_seats("POST", "/tables/{table}/seats/{seat}/nudge")
async def nudge(call: Call, table: TableId, seat: SeatNumber) -> None:
    """Remind a player who has been asked for at least an hour that you wait; once a day.

    Args:
        call: The request.
        table: Id of the table.
        seat: Seat of that player.
    """
    await call.tables.nudges.nudge(call.who, table, seat)


@_seats("PUT", "/tables/{table}/seats/{seat}/plan")
async def plan(call: Call, table: TableId, seat: SeatNumber, body: PlanBody) -> None:
    """Plan your next answers while your seat isn't asked.

    Only you see the plan. An unexpected question ends it.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: The planned answers.
    """
    await call.tables.planned_turns.plan(call.who, table, seat, body.plan())


# -- the open turn ---------------------------------------------------------------------------------


@_turn("GET", "/tables/{table}/seats/{seat}/legal")
async def legal(call: Call, table: TableId, seat: SeatNumber) -> LegalOut:
    """Return the legal choices of a seat, with the stamp that its next command needs.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
    """
    return LegalOut(await call.tables.table_views.legal(call.who, table, seat))


@_turn("POST", "/tables/{table}/seats/{seat}/apply")
async def apply(call: Call, table: TableId, seat: SeatNumber, body: ApplyBody) -> CommandResult:
    """Make choices, all or none; they are final unless `confirm` is false.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: The choices.

    Returns:
        The result, with the stamp of the next command.
    """
    return await call.tables.turns.choose(call.who, table, seat, body.choices, body.stamp, body.key, body.confirm)


@_turn("POST", "/tables/{table}/seats/{seat}/undo")
async def undo(call: Call, table: TableId, seat: SeatNumber, body: UndoBody) -> CommandResult:
    """Undo the last choice of the turn draft, or remove a picked member of a set.

    A sealed answer can be undone while other answers are missing.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: Stamp of the turn, and the member to remove.

    Returns:
        The result, with the stamp of the next command.
    """
    return await call.tables.turns.undo(call.who, table, seat, body.stamp, body.key, body.choice)


@_turn("POST", "/tables/{table}/seats/{seat}/restart")
async def restart(call: Call, table: TableId, seat: SeatNumber, body: StampBody) -> CommandResult:
    """Discard the turn draft.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: Stamp of the turn.

    Returns:
        The result, with the stamp of the next command.
    """
    return await call.tables.turns.restart(call.who, table, seat, body.stamp, body.key)


@_turn("POST", "/tables/{table}/seats/{seat}/confirm")
async def confirm(call: Call, table: TableId, seat: SeatNumber, body: StampBody) -> CommandResult:
    """Make the turn draft final.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: Stamp of the turn.

    Returns:
        The result, with the stamp of the next command.
    """
    return await call.tables.turns.confirm(call.who, table, seat, body.stamp, body.key)


@_turn("POST", "/tables/{table}/seats/{seat}/try")
async def try_out(call: Call, table: TableId, seat: SeatNumber, body: TryBody) -> Tryout:
    """Return a tryout: a private what-if game from a moment at which your seat is asked.

    You play all seats. The server guesses what your seat can't know. It stores nothing, and the
    same request always returns the same answer.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat.
        body: The moment, the guess, and all choices so far.
    """
    return await call.tables.tryouts.tryout(call.who, table, seat, TryoutStep(body.sequence, body.guess, body.choices))


# -- bots ------------------------------------------------------------------------------------------


@_bots("POST", "/tables/{table}/seats/{seat}/advice")
async def advice(call: Call, table: TableId, seat: SeatNumber, body: AdviceBody) -> Advice:
    """Return a strong bot's advice for the open turn, if the table allows it.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat; the bot knows no more than it.
        body: Stamp of the turn.
    """
    return await call.tables.bot_analysis.advise(call.who, table, seat, body.stamp)


@_bots("POST", "/tables/{table}/analysis")
async def analyse(call: Call, table: TableId) -> AnalysisState:
    """Start a bot's analysis of a finished game, once per table; GET returns its progress."""
    return await call.tables.bot_analysis.analyse(call.who, table)


@_bots("GET", "/tables/{table}/analysis")
async def analysis(call: Call, table: TableId) -> AnalysisState:
    """Return a strong bot's analysis of a finished game, or its progress."""
    return await call.tables.bot_analysis.analysis(call.who, table)


# -- reading ---------------------------------------------------------------------------------------


@_reading("GET", "/tables/{table}/log")
async def log(call: Call, table: TableId, seat: MySeat = None, first: From = 0) -> LogOut:
    """Return the log as you may see it.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat to view it from; None for the seat that is asked.
        first: Number of the first entry to return.
    """
    return LogOut((await call.tables.table_views.table(call.who, table, seat=seat, log_from=first)).log)


@_reading("GET", "/tables/{table}/chat")
async def chat(call: Call, table: TableId, first: From = 0) -> ChatOut:
    """Return the chat messages.

    Args:
        call: The request.
        table: Id of the table.
        first: Number of the first message to return.
    """
    return ChatOut((await call.tables.table_views.table(call.who, table, chat_from=first)).chat)


@_reading("POST", "/tables/{table}/chat", status=201)
async def say(call: Call, table: TableId, body: ChatBody) -> Message:
    """Post a chat message.

    Args:
        call: The request.
        table: Id of the table.
        body: The message.

    Returns:
        The message as it was posted.
    """
    return await call.tables.chat.say(call.who, table, body.text, body.key, body.reaction)


@_reading("DELETE", "/tables/{table}/chat/{message}")
async def unsay(call: Call, table: TableId, message: MessageNumber) -> None:
    """Delete your own message in its first ten minutes; others see that it was deleted.

    Args:
        call: The request.
        table: Id of the table.
        message: Number of the message.
    """
    await call.tables.chat.delete(call.who, table, message)


@_reading("PUT", "/tables/{table}/notes")
async def note(call: Call, table: TableId, body: NotesBody) -> None:
    """Replace your private notes at a table where you have a seat; see `notes` of the table.

    Args:
        call: The request.
        table: Id of the table.
        body: The notes.
    """
    await call.tables.notes.write(call.who, table, body.text)


@_reading("GET", "/tables/{table}/moments/{sequence}")
async def moment(call: Call, table: TableId, sequence: Sequence, seat: MySeat = None) -> PastMoment:
    """Return a past moment of the game as you may see it.

    Args:
        call: The request.
        table: Id of the table.
        sequence: Number of answers before the moment.
        seat: Your seat to view it from; None for the seat that is asked.
    """
    return await call.tables.history.moment(call.who, table, sequence, seat, address=call.address)


@_reading("GET", "/tables/{table}/acts")
async def acts(call: Call, table: TableId, seat: MySeat = None, since: Since = None) -> Acts:
    """Return what has happened since a moment, choice by choice, as you may see it.

    The view after an act is the moment at its `end`.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat to view it from; None for the seat that is asked.
        since: Number of answers before the moment; None for the moment after your own last choice.
    """
    return await call.tables.history.acts(call.who, table, since, seat, address=call.address)


@_reading("POST", "/tables/{table}/play-on", status=201)
async def play_on(call: Call, table: TableId, body: PlayOnBody) -> TableOut:
    """Create a table that continues from a past moment against bots.

    Args:
        call: The request.
        table: Id of the table.
        body: The moment, your seat and the bots.

    Returns:
        The new table.
    """
    return TableOut(
        await call.tables.history.continue_from(call.who, table, body.sequence, body.seat, body.bot, body.key)
    )


@_reading("GET", "/tables/{table}/export")
async def export(call: Call, table: TableId, seat: MySeat = None) -> dict[str, Any]:
    """Return the record of a game: what you may know while it runs, everything after its end.

    Args:
        call: The request.
        table: Id of the table.
        seat: Your seat to view it from; None for the seat that is asked.
    """
    return await call.tables.history.export(call.who, table, seat, address=call.address)


@_reading("GET", "/tables/{table}/record")
async def record(call: Call, table: TableId, first: From = 0) -> ReaderRecord:
    """Return the answers of the game that you have learned so far.

    Store their head: these lines must be the same at the end.

    Args:
        call: The request.
        table: Id of the table.
        first: Number of the first line to return.
    """
    return await call.tables.history.record(call.who, table, first)


@_reading("GET", "/tables/{table}/fairness")
async def fairness(call: Call, table: TableId) -> Fairness:
    """Return the data for verifying that the chance at this table is fair."""
    return await call.tables.history.fairness(call.who, table)


# -- push ------------------------------------------------------------------------------------------


@_push("GET", "/versions")
async def versions(call: Call, watch: Watch = []) -> VersionsOut:  # noqa: B006 - never changed
    """Return the versions of your tables and of others, for polling where streams don't work."""
    return VersionsOut(await call.tables.updates.versions(call.who, parse_watch(watch)))


@_push("GET", "/events")
async def events(call: Call, watch: Watch = [], views: Views = False) -> EventStream:  # noqa: B006 - never changed
    """Return a stream of server-sent events about your tables and others.

    - `table`: a table has changed; data `{game, version}`, and `view` if requested.
    - `lists`: lists of tables have changed.
    - `ping`: there was no update for a while.

    Args:
        call: The request.
        watch: Ids of other tables. Several servers work faster if the first one is your table.
        views: Whether each `table` event has a `view`: the table as you may see it, without log and
            chat.
    """
    return EventStream(call.tables, call.who, parse_watch(watch), call.address, views=views)
