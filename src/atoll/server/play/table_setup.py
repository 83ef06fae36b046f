"""Tables before the game: creation, joining, invites, preparation of the chance, start, rematch."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from atoll.engine import Game
from atoll.engine.errors import OptionError
from atoll.engine.rulebook import rulebook
from atoll.store import InviteRow, SeatRow, UserRow

from ..domain.limits import Limits
from ..domain.model import NewTable, Refused, SeatPlan, User
from ..domain.reliability import Reliability
from ..domain.table_card import TableCard
from ..table import chance_rounds, lifecycle, permissions, rated_games
from ..table.chance_protocol import is_hex
from ..table.chance_rounds import StartTimes
from ..table.chance_source import digest_of_terms
from ..table.clock import clock_of
from ..table.live_table import LiveTable
from .archive import account, shown_to
from .commands import Command, checked_key, request_digest
from .departures import notify_of_request, release_seat
from .executor import CommandExecutor
from .game_catalogue import GameCatalogue
from .profiles import require_account
from .ratings import Ratings
from .store_errors import refuse_on_store_error
from .table_factory import new_seat, new_table, start_times
from .table_lists import card
from .users import Users, new_token, token_hash, user_of


def _against(game: str, seats: int, options: Mapping[str, Any], bot: str) -> NewTable:
    """Return a table for one person against bots of a level."""
    plans = (SeatPlan("me"), *(SeatPlan("bot", bot=bot) for _ in range(seats - 1)))
    return NewTable(game, plans, options, visibility="link")


_RECENT: Final = 200
"""Number of a user's last games that are searched for settings."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """The target of an invite link.

    Attributes:
        card: The table.
        closed: "" if the link works. Otherwise "used", "taken" (the seat has another holder) or the
            status of the table.
        sits: Whether the reader has taken the seat with it.
        seen: Whether the reader may see the table.
        asks: Whether the reader only asks for the seat with it, because the host lets people in one
            by one.
    """

    card: TableCard
    closed: str
    sits: bool
    seen: bool
    asks: bool


class TableSetup:
    """Creation and filling of tables."""

    def __init__(self, executor: CommandExecutor, limits: Limits, users: Users, ratings: Ratings) -> None:
        self._executor: CommandExecutor = executor
        self._ratings: Ratings = ratings
        self._catalogue: GameCatalogue = executor.catalogue
        self._limits: Limits = limits
        self._users: Users = users
        self._times: StartTimes = start_times(executor.settings)

    async def create(self, who: User | None, new: NewTable, key: str = "", *, first: bool = False) -> str:
        """Create a table.

        The creator holds the seats "me" and "device".

        Args:
            who: The creator.
            new: The table to create.
            key: An idempotency key, or "".
            first: Whether the creator gets a coach as in a first game.

        Returns:
            The id of the table.

        Raises:
            Refused: If the plan isn't valid, or the user hosts too many tables.
        """
        user = permissions.require_user(who)
        request = request_digest("create", new)
        found: str | None = await self._executor.previous_answer(user, checked_key(key), request, str)
        if found is not None:
            return found
        self._limits.hit("table", user.id)
        if new.visibility == "lobby":
            await self._users.require_established(user)
        if new.rated:
            permissions.require_rated(user)
        made = await self._executor.add(self.new(user, new), user, key, request)
        await self._users.update_coach(user, new.game, first=first)
        return made

    def new(self, user: User, new: NewTable) -> LiveTable:
        """Return a new table, which isn't stored yet.

        Args:
            user: The host.
            new: The table to create.

        Raises:
            Refused: If the plan isn't valid.
        """
        if new.rated:
            self._ratings.require_enabled()
        return new_table(self._catalogue, user, new, self._times, self._executor.notifiable_users)

    async def play_now(
        self, who: User | None, game: str, key: str = "", *, alone: bool = False, first: bool = False
    ) -> str:
        """Create a table against bots, or for one player alone.

        After a finished game, the table has the number of seats, options and bots of the last one.
        A first game has the fewest seats that show all of the game, and the options and bots for
        beginners.

        Args:
            who: The player.
            game: Id of the game.
            key: An idempotency key, or "".
            alone: Whether to play without bots.
            first: Whether to treat it as a first game in any case.

        Returns:
            The id of the table.

        Raises:
            Refused: If the game is unknown, or the user hosts too many tables.
        """
        user = permissions.require_user(who)
        rules = self._catalogue.game(game)
        new = None if first else await self._last(user, rules, alone=alone)
        if new is None:
            seats = 1 if alone else rulebook(rules).card.first_seats
            new = _against(game, seats, rules.first_game_options(), self._catalogue.beginner_level(game, seats))
        return await self.create(user, new, key, first=first)

    async def _last(self, user: User, game: Game, *, alone: bool) -> NewTable | None:
        """Return the settings of a user's last game that can be played again, or None."""
        with refuse_on_store_error():
            tables = await self._executor.store.ended_tables_of(user.id, _RECENT, status="over")
        for row, seats in tables:
            if (row.game, len(seats) == 1) != (game.id, alone):
                continue
            try:
                game.resolve_options(row.options, len(seats))
            except OptionError:
                continue
            levels = self._catalogue.levels(game.id, len(seats))
            bot = next((seat.bot for seat in seats if seat.kind == "bot" and seat.bot in levels), "")
            return _against(game.id, len(seats), row.options, bot or self._catalogue.default_level(game.id, len(seats)))
        return None

    async def join(self, who: User | None, table: str, seat: int | None = None, key: str = "") -> int:
        """Take an open seat, or one that is reserved for the user.

        Where the host lets people in one by one, an open seat is only asked for: nobody else can
        take it, and the host is notified.

        Args:
            who: The user.
            table: Id of the table.
            seat: The seat, or None for the first free one.
            key: An idempotency key, or "".

        Returns:
            The seat.

        Raises:
            Refused: If the seat isn't free, the user has a seat or asks for one, the game has
                started, or the table requires an account or more reliability.
        """
        user = permissions.require_user(who)
        self._limits.hit("join", user.id)
        async with self._executor.locked(table) as live:
            least = live.row.least_reliability
        known = (await self._ratings.reliability(user.id), await self._ratings.running(user.id)) if least else None
        joined = await self._executor.execute(table, JoinTable(user, seat, self._times, known), key)
        await self._users.update_coach(user, await self._game_of(table))
        return joined

    async def _game_of(self, table: str) -> str:
        async with self._executor.locked(table) as live:
            return live.row.game

    async def invite(self, who: User | None, table: str, seat: int) -> str:
        """Reserve a seat for an invite link.

        The link works once. A new link replaces the previous one.

        Args:
            who: The host.
            table: Id of the table.
            seat: The seat.

        Returns:
            The secret of the link.

        Raises:
            Refused: If the user isn't the host, the seat isn't free, or the game has started.
        """
        token = new_token()
        await self._executor.execute(table, CreateInvite(permissions.require_user(who), seat, token_hash(token)))
        return token

    async def invite_person(self, who: User | None, table: str, name: str, seat: int | None = None) -> str:
        """Reserve a seat for an account, which is notified.

        Args:
            who: The host, who must have an account.
            table: Id of the table.
            name: Name of the invited account.
            seat: The seat, or None for the first free one.

        Returns:
            The name as its owner writes it.

        Raises:
            Refused: If the user isn't the host, the other person can't be invited, or no seat is
                free.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_host(live, user)
        self._limits.hit("invite", user.id)
        row = await self.invitable(user, name)
        await self._executor.execute(table, InvitePerson(user, seat, row.id, row.name))
        return row.name

    async def invitable(self, who: User | None, name: str) -> UserRow:
        """Return an account that a user may invite by name.

        Args:
            who: The user, who must have an account.
            name: Name of the account.

        Raises:
            Refused: If no account has the name, or it can't be invited by the user.
        """
        user = require_account(who)
        row = await account(self._executor.store, name)
        if row.id == user.id:
            raise Refused("yourself", 422, "you can't invite yourself")
        self._executor.note_user(row)
        apart = row.id in (await self._executor.blocks.around(user.id)).apart
        if (
            apart
            or user_of(row).standing.is_banned
            or "invitations" not in await shown_to(self._executor.store, row, user)
        ):
            raise Refused("not_invitable", 403, f"{row.name} can't be invited by name", fields={"name": row.name})
        return row

    async def _invitation(self, token: str) -> InviteRow:
        with refuse_on_store_error():
            row = await self._executor.store.invite(token_hash(token[:100]))
        if row is None:
            raise Refused("used", 410, "this invitation isn't valid (any more)")
        return row

    async def invited(self, who: User | None, token: str) -> Invitation:
        """Return the target of an invite link.

        Args:
            who: The reader, or None.
            token: Secret of the link.

        Raises:
            Refused: If the link isn't valid.
        """
        row = await self._invitation(token)
        async with self._executor.locked(row.game_id) as live:
            seat, status = live.seats[row.seat], live.row.status
            if row.used is not None:
                closed = "used"
            elif status != "gathering":
                closed = status
            else:
                free = seat.kind == "invite" and (seat.user_id is None or (who is not None and seat.user_id == who.id))
                closed = "" if free else "taken"
            sits = row.used is not None and who is not None and seat.user_id == who.id
            asks = live.row.approval if who is None else permissions.needs_approval(live, who)
            seen = permissions.may_see(live, who)
            return Invitation(card(live.row, live.seats, None), closed, sits, seen, asks)

    async def accept(self, who: User | None, token: str) -> tuple[str, int]:
        """Take the seat of an invite link, or ask for it where the host lets people in one by one.

        Args:
            who: The user.
            token: Secret of the link.

        Returns:
            Id of the table, and the seat.

        Raises:
            Refused: If the link isn't valid, the seat is taken, the user asks for another one, or
                the game has started.
        """
        user = permissions.require_user(who)
        self._limits.hit("join", user.id)
        row = await self._invitation(token)
        if row.used is not None:
            raise Refused("used", 410, "this invitation isn't valid (any more)")
        await self._executor.execute(row.game_id, AcceptInvite(user, row, self._times))
        await self._users.update_coach(user, await self._game_of(row.game_id))
        return row.game_id, row.seat

    async def answer_request(
        self, who: User | None, table: str, seat: int, stamp: str, *, admit: bool, key: str = ""
    ) -> None:
        """Let in a person who asks for a seat, or decline; the person is notified.

        A declined person needs a new invitation, as a removed one does.

        Args:
            who: The host.
            table: Id of the table.
            seat: The seat.
            stamp: Stamp of the request that the host has seen.
            admit: Whether the person gets the seat.
            key: An idempotency key, or "".

        Raises:
            Refused: If the user isn't the host, nobody asks for the seat, somebody else does by
                now, the person can't sit at the table any more, or the game has started.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_host(live, user)
            asking = live.seats[permissions.require_seat(live, seat)].user_id
        with refuse_on_store_error():
            row = None if asking is None else await self._executor.store.user(asking)
        person = None if row is None else user_of(row)
        apart = frozenset[str]() if person is None else (await self._executor.blocks.around(person.id)).apart
        await self._executor.execute(table, AnswerRequest(user, seat, stamp, admit, person, apart, self._times), key)

    async def set_seat(self, who: User | None, table: str, seat: int, plan: SeatPlan) -> None:
        """Give a seat to a bot, an invited person, or anybody.

        Another player who has it is removed; a person who asks for it is declined.

        Args:
            who: The host.
            table: Id of the table.
            seat: The seat.
            plan: Its new holder.

        Raises:
            Refused: If the user isn't the host or holds the seat, or the game has started.
        """
        command = AssignSeat(permissions.require_user(who), seat, plan, self._catalogue, self._times)
        await self._executor.execute(table, command)

    async def swap(self, who: User | None, table: str, seat: int, other: int) -> None:
        """Let the holders of two seats change places, also bots and invited people.

        Args:
            who: The host.
            table: Id of the table.
            seat: One seat.
            other: The other seat.

        Raises:
            Refused: If the user isn't the host, the seats don't exist, or the game has started.
        """
        await self._executor.execute(table, SwapSeats(permissions.require_user(who), seat, other, self._times))

    async def make_friendly(self, who: User | None, table: str) -> None:
        """Let a game not count for ratings, for good.

        Args:
            who: The host.
            table: Id of the table.

        Raises:
            Refused: If the user isn't the host, the game doesn't count, or it has started.
        """
        await self._executor.execute(table, MakeFriendly(permissions.require_user(who)))

    async def seal(self, who: User | None, table: str, seat: int, offer: str, seal: str) -> None:
        """Give a seal to the table's current offer. It fixes the seat's share.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            offer: Digest of the offer.
            seal: The seal.

        Raises:
            Refused: If the seat isn't the user's, or the seal isn't valid or comes too late.
        """
        await self._executor.execute(table, GiveSeal(permissions.require_user(who), seat, offer, seal, self._times))

    async def show(self, who: User | None, table: str, seat: int, terms: str, share: str) -> None:
        """Show the share of a seat; the game starts when all sealed ones are shown.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            terms: Digest of the terms under which the share is shown.
            share: The share in hex.

        Raises:
            Refused: If the seat isn't the user's, or the share isn't valid or can't be shown now.
        """
        await self._executor.execute(table, ShowShare(permissions.require_user(who), seat, terms, share, self._times))

    async def start(self, who: User | None, table: str) -> None:
        """Stop waiting: close the list of seals, or break off a start with missing shares.

        At a correspondence table, the user only gives up the own shares.

        Args:
            who: Any player at the full table.
            table: Id of the table.

        Raises:
            Refused: If the user has no seat, a seat is free or asked for, the game has started, the
                list of seals was closed a moment ago, or others at a correspondence table are
                awaited.
        """
        await self._executor.execute(table, SkipWaiting(permissions.require_user(who), self._times))

    async def start_due(self, table: str) -> None:
        """Stop waiting for seals or shares after the delay (job)."""
        await self._executor.execute(table, StartByTimer(self._times))

    async def expire(self, table: str) -> None:
        """Cancel a table that waits for players in vain (job)."""
        await self._executor.execute(table, ExpireTable())

    async def rematch(self, who: User | None, table: str) -> str:
        """Create or join a table where the same people play again.

        The others have reserved seats, except those whom a block keeps apart from the user. The
        table has a new seed.

        Args:
            who: A player of the finished game.
            table: Id of its table.

        Returns:
            The id of the new table.

        Raises:
            Refused: If the user has no seat, or the game isn't over.
        """
        user = permissions.require_user(who)
        made = ""
        apart = (await self._executor.blocks.around(user.id)).apart
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seats(live, user)
            named = live.row.rematch
            if not named:
                made = await self._executor.add(self._again(live, user, apart), user)
        # If one of the next writes fails, the new table is only one more table that waits for
        # players.
        if made:
            named = await self._executor.execute(table, AnnounceRematch(user, made))
        if named != made:
            if made:
                await self._executor.execute(made, ExpireTable())
            self._limits.hit("join", user.id)
            await self._executor.execute(named, TakeReservedSeat(user, self._times))
        await self._users.update_coach(user, await self._game_of(named))
        return named

    def _again(self, live: LiveTable, user: User, apart: frozenset[str]) -> LiveTable:
        """Return a new table like one that is over.

        Args:
            live: The table.
            user: The host of the new one.
            apart: Users who get no seat there.

        Raises:
            Refused: If the game isn't over.
        """
        row, mine = live.row, live.seats_of(user.id)
        if row.status not in ("over", "cancelled"):
            raise Refused("not_over", 409, "the game isn't over yet")
        levels = self._catalogue.levels(row.game, len(live.seats))
        usual = self._catalogue.default_level(row.game, len(live.seats))
        plans = tuple(
            SeatPlan("me" if seat.seat == mine[0] else "device", name=seat.name)
            if seat.seat in mine
            else SeatPlan("bot", bot=seat.bot if seat.bot in levels else usual)
            if seat.kind == "bot"
            else SeatPlan("invite")
            for seat in live.seats
        )
        visibility: Any = row.visibility
        new = NewTable(
            row.game,
            plans,
            row.options,
            clock_of(row),
            visibility,
            row.advice,
            row.stand_in if row.stand_in in levels else usual,
        )
        new = msgspec.structs.replace(
            new,
            chat_after=row.chat_after,
            rated=row.rated and user.has_account and not user.standing.is_unrated and self._ratings.enabled,
            least_reliability=row.least_reliability,
            approval=row.approval,
            language=row.language,
        )
        self._limits.hit("table", user.id)
        fresh = self.new(user, new)
        fresh.apart = apart
        for old, seat in zip(live.seats, fresh.seats, strict=True):
            if seat.kind == "invite" and old.kind == "person" and old.user_id not in apart:
                seat.user_id, seat.name = old.user_id, old.name
        for seat in fresh.seats:
            if seat.kind == "person":
                seat.name = fresh.name_for(seat.name, seat.seat)
            elif seat.user_id is not None:
                fresh.notify("invitation", seat.user_id, fresh.row.created, mark="", name=fresh.name_of(user))
        return fresh


def seat_person(live: LiveTable, row: SeatRow, user: User, now: int, times: StartTimes) -> None:
    """Give a seat to a person.

    Args:
        live: The table, before its start.
        row: The seat.
        user: The person.
        now: The current time in milliseconds.
        times: The times that a full table waits.

    Raises:
        Refused: If the game counts and the person is a guest or excluded from rated games.
    """
    rated_games.require_account(live, user)
    if live.row.rated:
        permissions.require_rated(user)
    # Another player on the same device keeps the name from the last game.
    shared = bool(live.seats_of(user.id))
    name = live.name_for(row.name if shared else user.name, row.seat)
    row.kind, row.user_id, row.name, row.bot = "person", user.id, name, ""
    row.guest = shared or not user.has_account
    row.calendar = msgspec.to_builtins(user.calendar)
    live.log_event("joined", now, seat=row.seat, name=name)
    live.mark_changed(row.seat)
    chance_rounds.wait_for_seals(live, now, times)


def ask_for_seat(live: LiveTable, row: SeatRow, user: User, now: int) -> None:
    """Hold a seat for a person until the host answers, and notify the host.

    Args:
        live: The table, before its start.
        row: The seat.
        user: The person.
        now: The current time in milliseconds.
    """
    row.kind, row.user_id, row.name = "request", user.id, live.name_for(user.name, row.seat)
    row.guest = not user.has_account
    row.revision += 1
    live.log_event("asks", now, seat=row.seat, name=row.name)
    live.mark_changed(row.seat)
    notify_of_request(live, row, now)


@dataclass(slots=True)
class JoinTable(Command[int]):
    """Take a free or reserved seat, or ask for a free one.

    Attributes:
        user: The user.
        seat: The seat, or None for the first free one.
        times: The times that a full table waits.
        known: The user's reliability and number of running games; None if the table requires none.
    """

    name: ClassVar[str] = "join"
    answer: ClassVar[Any] = int
    user: User
    seat: int | None
    times: StartTimes
    known: tuple[Reliability, int] | None = None

    def request(self) -> Any:
        """Return the seat."""
        return self.seat

    def apply(self, live: LiveTable, now: int) -> int:
        """Seat the user, also on all reserved seats, or ask for a seat; return the first seat."""
        permissions.require_gathering(live)
        permissions.require_no_competition(live)
        mine = [row for row in live.seats if permissions.is_reserved_for(row, self.user)]
        free = mine + [row for row in live.seats if row.kind == "open"]
        if self.seat is not None:
            permissions.require_seat(live, self.seat)
            free = [row for row in free if row.seat == self.seat]
        if self.user.id in live.row.removed and not mine:
            raise Refused("removed", 403, "the host removed you: you need a new invitation for this table")
        permissions.require_no_request(live, self.user)
        if not free:
            raise permissions.seat_taken()
        if live.seats_of(self.user.id):
            raise Refused("taken", 409, "you have a seat here already")
        if permissions.is_kept_apart(live):
            raise permissions.seat_taken()
        if free[0] not in mine:
            self._require_reliable(live)
            if permissions.needs_approval(live, self.user):
                ask_for_seat(live, free[0], self.user, now)
                return free[0].seat
        for row in mine if free[0] in mine else free[:1]:
            seat_person(live, row, self.user, now, self.times)
        return free[0].seat

    def _require_reliable(self, live: LiveTable) -> None:
        """Refuse users who are less reliable than the host wants; an invitation needs nothing."""
        least = live.row.least_reliability
        if least and (self.known is None or not self.known[0].passes(least, self.known[1])):
            detail = f"this table needs a reliability of {least} %; with few turns so far, at most two running games"
            raise Refused("not_reliable", 403, detail, fields={"least": least})


@dataclass(slots=True)
class TakeReservedSeat(Command[None]):
    """Take the seats that are reserved for a user, if the game hasn't started."""

    name: ClassVar[str] = "take kept"
    user: User
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Seat the user."""
        if live.row.status != "gathering":
            return
        mine = [row for row in live.seats if permissions.is_reserved_for(row, self.user)]
        if mine and permissions.is_kept_apart(live):
            raise permissions.seat_taken()
        for row in mine:
            seat_person(live, row, self.user, now, self.times)


@dataclass(slots=True)
class CreateInvite(Command[None]):
    """Reserve a seat for an invite link.

    Attributes:
        user: The host.
        seat: The seat.
        hash: Hash of the link's secret.
    """

    name: ClassVar[str] = "invite"
    user: User
    seat: int
    hash: str

    def apply(self, live: LiveTable, now: int) -> None:
        """Reserve the seat and store the link."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        row = live.seats[permissions.require_seat(live, self.seat)]
        if row.kind not in ("open", "invite"):
            raise permissions.seat_taken()
        if row.kind == "open" or row.user_id is not None:
            row.kind, row.user_id, row.name = "invite", None, ""
            live.mark_changed(self.seat)
        live.pending.dirty = True
        live.pending.invites.append(InviteRow(self.hash, live.row.id, self.seat, now))


@dataclass(slots=True)
class InvitePerson(Command[None]):
    """Reserve a seat for an account.

    Attributes:
        user: The host.
        seat: The seat, or None for the first free one.
        invited: Id of the invited account.
        invited_name: Its name.
    """

    name: ClassVar[str] = "invite person"
    user: User
    seat: int | None
    invited: str
    invited_name: str

    def apply(self, live: LiveTable, now: int) -> None:
        """Reserve the seat and notify the invited person."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        if any(row.kind == "request" and row.user_id == self.invited for row in live.seats):
            raise Refused("asks_here", 409, f"{self.invited_name} asks for a seat at this table: let them in")
        if any(row.user_id == self.invited for row in live.seats):
            raise Refused("invited_already", 409, f"{self.invited_name} has a seat at this table")
        free = [row for row in live.seats if row.kind in ("open", "invite") and row.user_id is None]
        if self.seat is not None:
            permissions.require_seat(live, self.seat)
            free = [row for row in free if row.seat == self.seat]
        if not free:
            raise Refused("no_free_seat", 409, "no seat is free (any more)")
        row = free[0]
        row.kind, row.user_id, row.name = "invite", self.invited, live.name_for(self.invited_name, row.seat)
        live.notify("invitation", self.invited, now, mark=now, name=live.name_of(self.user))
        live.mark_changed(row.seat)


@dataclass(slots=True)
class AcceptInvite(Command[None]):
    """Take the seat of an invite link, or ask for it."""

    name: ClassVar[str] = "accept"
    requires_visibility: ClassVar[bool] = False
    user: User
    invitation: InviteRow
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Seat the user, or ask for the seat, and mark the link as used."""
        permissions.require_gathering(live)
        permissions.require_no_request(live, self.user)
        seat = live.seats[self.invitation.seat]
        taken = seat.kind != "invite" or seat.user_id not in (None, self.user.id)
        if taken or permissions.is_kept_apart(live):
            raise permissions.seat_taken()
        live.row.removed = [each for each in live.row.removed if each != self.user.id]
        if permissions.needs_approval(live, self.user):  # a link can be passed on
            ask_for_seat(live, seat, self.user, now)
        else:
            seat_person(live, seat, self.user, now, self.times)
        live.pending.used_invites.append(self.invitation.hash)


@dataclass(slots=True)
class AnswerRequest(Command[bool]):
    """Let in or decline a person who asks for a seat.

    Attributes:
        user: The host.
        seat: The seat.
        stamp: Stamp of the request that the host has seen.
        admit: Whether the person gets the seat.
        person: The person who asked when the command was made, or None.
        kept_apart: Users whom a block keeps apart from the person.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "answer request"
    answer: ClassVar[Any] = bool
    user: User
    seat: int
    stamp: str
    admit: bool
    person: User | None
    kept_apart: frozenset[str]
    times: StartTimes

    def request(self) -> Any:
        """Return the seat, the stamp and the answer."""
        return [self.seat, self.stamp, self.admit]

    def apply(self, live: LiveTable, now: int) -> bool:
        """Seat the person, or free the seat, notify the person, and return the answer."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        row = permissions.require_request(live, self.seat, self.stamp)
        if not self.admit:
            decline_request(live, row, now)
            return False
        apart = any(each.user_id in self.kept_apart for each in live.seats if each.kind == "person")
        if self.person is None or self.person.id != row.user_id or apart or self.person.standing.is_banned:
            raise Refused("not_admissible", 409, f"{row.name} can't be let in (any more)", fields={"name": row.name})
        live.notify("answer", row.user_id, now, mark=now, admitted=True)
        seat_person(live, row, self.person, now, self.times)
        return True


def decline_request(live: LiveTable, row: SeatRow, now: int) -> None:
    """Free the seat of a person who asks for it; the person needs a new invitation to come back.

    Args:
        live: The table.
        row: The seat.
        now: The current time in milliseconds.
    """
    user_id = row.user_id or ""
    live.notify("answer", user_id, now, mark=now, admitted=False)
    release_seat(live, row, now, removed=True)
    live.row.removed = [*live.row.removed, user_id]


@dataclass(slots=True)
class AssignSeat(Command[None]):
    """Give a seat, except for the host's own ones, to another holder.

    Attributes:
        user: The host.
        seat: The seat.
        plan: Its new holder.
        catalogue: The games that can be played.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "set seat"
    user: User
    seat: int
    plan: SeatPlan
    catalogue: GameCatalogue
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Change the seat, and continue if the table is full now."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        row = live.seats[permissions.require_seat(live, self.seat)]
        if row.user_id == self.user.id or self.plan.kind not in ("bot", "invite", "open"):
            raise Refused("bad_seats", 422, "a seat of another player can become bot, invite or open")
        if row.kind == "person":
            self._remove(live, row, now)
        elif row.kind == "request":
            decline_request(live, row, now)
        fresh = new_seat(self.catalogue, live.row, self.seat, self.plan, self.user, len(live.seats))
        chance_rounds.drop_seal(live, row, now, "seat")
        row.kind, row.user_id, row.name, row.bot = fresh.kind, None, fresh.name, fresh.bot
        live.mark_changed(self.seat)
        rated_games.recheck(live, now)
        chance_rounds.wait_for_seals(live, now, self.times)
        chance_rounds.advance(live, now, self.times)

    def _remove(self, live: LiveTable, row: SeatRow, now: int) -> None:
        """Remove a player, who is notified and needs a new invitation to come back."""
        user_id = row.user_id or ""
        live.notify("removed", user_id, now, mark=now)
        for seat in live.seats_of(user_id):
            release_seat(live, live.seats[seat], now, removed=True)
        live.row.removed = [*live.row.removed, user_id]


_OF_THE_PLACE: Final = frozenset({"game_id", "seat", "revision", "seal", "share", "name_salt", "unshown"})
"""Columns of a seat that don't belong to its holder."""


@dataclass(slots=True)
class SwapSeats(Command[None]):
    """Let the holders of two seats change places.

    Attributes:
        user: The host.
        first: One seat.
        second: The other seat.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "swap"
    user: User
    first: int
    second: int
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Swap the holders, whose seals are void, and continue if the table is full."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        one, other = (live.seats[permissions.require_seat(live, each)] for each in (self.first, self.second))
        if one is other:
            raise Refused("bad_seats", 422, f"seat {one.seat} can't be swapped with itself: expected two seats")
        unshown = {row.user_id for row in live.seats if row.kind == "person" and row.unshown}
        moved = {one.user_id, other.user_id} - {None}
        for row in live.seats:
            if row in (one, other) or row.user_id in moved:  # the first seat of a person gives the seal
                chance_rounds.drop_seal(live, row, now, "seat")
                live.mark_changed(row.seat)
        for column in dataclasses.fields(SeatRow):
            if column.name not in _OF_THE_PLACE:
                held = getattr(one, column.name)
                setattr(one, column.name, getattr(other, column.name))
                setattr(other, column.name, held)
        for row in (one, other):
            row.revision += 1  # a request has another stamp at its new seat
        for row in live.seats:
            row.unshown = row.kind == "person" and row.user_id in unshown
        live.pending.swapped_seats.append((one.seat, other.seat))
        low, high = sorted((one.seat, other.seat))
        live.log_event("swapped", now, first=low + 1, second=high + 1)
        chance_rounds.wait_for_seals(live, now, self.times)
        chance_rounds.advance(live, now, self.times)


@dataclass(slots=True)
class MakeFriendly(Command[None]):
    """Let a game not count for ratings."""

    name: ClassVar[str] = "friendly"
    user: User

    def apply(self, live: LiveTable, now: int) -> None:
        """Change the table."""
        permissions.require_host(live, self.user)
        permissions.require_gathering(live)
        if not live.row.rated:
            raise Refused("nothing", 409, "this game doesn't count already")
        rated_games.make_friendly(live, now)


@dataclass(slots=True)
class GiveSeal(Command[None]):
    """Give a seal to the current offer.

    Attributes:
        user: The user.
        seat: The user's seat.
        offer: Digest of the offer.
        seal: The seal.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "seal"
    user: User
    seat: int
    offer: str
    seal: str
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Store the seal, and continue if it was the last one."""
        permissions.require_own_seat(live, self.user, self.seat)
        permissions.require_gathering(live)
        if not is_hex(self.seal):
            raise Refused("malformed", 422, "invalid seal: expected 64 lower-case hex digits")
        chance_rounds.seal(live, self.seat, self.offer, self.seal)
        chance_rounds.advance(live, now, self.times)


@dataclass(slots=True)
class ShowShare(Command[None]):
    """Show the share of a seat.

    Attributes:
        user: The user.
        seat: The user's seat.
        terms: Digest of the terms under which the share is shown.
        share: The share in hex.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "show"
    user: User
    seat: int
    terms: str
    share: str
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Store the share, and continue if it was the last one."""
        row = permissions.require_own_seat(live, self.user, self.seat)
        if row.share == self.share and self.terms == digest_of_terms(live.row):
            return  # the answer to the same request was lost, and the game may have begun
        permissions.require_gathering(live)
        if not is_hex(self.share):
            raise Refused("malformed", 422, "invalid share: expected 64 lower-case hex digits")
        chance_rounds.show(live, self.seat, self.terms, self.share)
        chance_rounds.advance(live, now, self.times)


@dataclass(slots=True)
class SkipWaiting(Command[None]):
    """Stop waiting for seals or shares, on a player's request."""

    name: ClassVar[str] = "start"
    user: User
    times: StartTimes

    def apply(self, live: LiveTable, now: int) -> None:
        """Take the next step to the start, or break it off."""
        mine = permissions.require_own_seats(live, self.user)
        permissions.require_gathering(live)
        if not live.is_full():
            raise Refused("not_running", 409, "some seats are still free or asked for")
        chance_rounds.skip_waiting(live, mine, now, self.times)


@dataclass(slots=True)
class StartByTimer(Command[None]):
    """Stop waiting for seals or shares, after the delay."""

    name: ClassVar[str] = "start due"
    times: StartTimes
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Take the next step to the start, or break it off, if the table is still full."""
        if live.row.status != "gathering" or not live.is_full():
            return
        due = chance_rounds.timer_due(live, now, self.times)
        if now < due:  # the job was leased before the list was closed
            live.set_job("start", due)
            return
        chance_rounds.stop_waiting(live, now, self.times)


@dataclass(slots=True)
class ExpireTable(Command[None]):
    """Cancel a table that waits for players in vain."""

    name: ClassVar[str] = "expire"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Cancel the table if it still waits."""
        if live.row.status == "gathering":
            lifecycle.cancel(live, now)


@dataclass(slots=True)
class AnnounceRematch(Command[str]):
    """Announce where the same people play again; the first announcement counts.

    Attributes:
        user: The player who announces it.
        table: Id of the new table.
    """

    name: ClassVar[str] = "rematch"
    user: User
    table: str

    def apply(self, live: LiveTable, now: int) -> str:
        """Store the new table unless there is one, and return the id that counts."""
        if not live.row.rematch:
            live.row.rematch = self.table
            live.log_event("rematch", now, seat=live.seats_of(self.user.id)[0], name=live.name_of(self.user))
            live.mark_changed()
        return live.row.rematch
