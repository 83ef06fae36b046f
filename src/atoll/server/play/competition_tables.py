"""Tables of competitions: creation after the draw, dropouts, and the hard end."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import msgspec

from atoll.store import CompetitionGameRow, CompetitionRow, UserRow

from ..domain.model import Clock, NewTable, Refused, SeatPlan, SharedDraws
from ..domain.playing_hours import DAY_MS
from ..table import chance_rounds, clock, lifecycle, rated_games
from ..table.chance_rounds import StartTimes
from ..table.live_table import LiveTable
from .commands import Command
from .departures import Level, replace_with_bot
from .executor import CommandExecutor
from .table_factory import new_table, start_times, table_id
from .users import user_of

_DAY_MS: Final = DAY_MS


def game_id(competition: str, round: int, division: int, number: int) -> str:
    """Return the id of the table of a game, which is the same after a restart.

    Args:
        competition: Id of the competition.
        round: Number of the round.
        division: Number of the division.
        number: Number of the game.
    """
    return table_id(hashlib.sha256(f"{competition}/{round}/{division}/{number}".encode()).digest()[:10])


class CompetitionTables:
    """The tables of competitions."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor
        self._times: StartTimes = start_times(executor.settings)

    async def create(self, competition: CompetitionRow, game: CompetitionGameRow, users: Mapping[int, UserRow]) -> None:
        """Create the table of a game unless it exists; bots have the seats of deleted accounts.

        Args:
            competition: The competition.
            game: The game.
            users: The players by number.

        Raises:
            Refused: If the game can't be played or the database fails.
        """
        people = [users.get(player) for player in game.seating]
        host = next((each for each in people if each is not None), None)
        if host is None or await self._executor.store.revision(game.game_id) is not None:
            return
        level = self._executor.catalogue.default_level(competition.game)
        plans = tuple(
            SeatPlan("bot", bot=level) if each is None else SeatPlan("me" if each is host else "open")
            for each in people
        )
        for each in people:
            if each is not None:
                self._executor.note_user(each)
        new = NewTable(
            competition.game,
            plans,
            competition.options,
            msgspec.convert(competition.clock, Clock | None),
            visibility="private" if competition.kind == "solo" else "link",
            advice=False,
        )
        live = new_table(
            *(self._executor.catalogue, user_of(host), new, self._times, self._executor.notifiable_users),
            id=game.game_id,
        )
        live.row.competition_id = competition.id
        for seat, each in zip(live.seats, people, strict=True):
            if each is not None and each is not host:
                seat.kind, seat.user_id, seat.name = "person", each.id, live.name_for(each.name, seat.seat)
                seat.calendar = each.calendar
        counts = competition.rated and not self._executor.settings.no_ratings
        live.row.rated = counts and not rated_games.obstacle(live.row, live.seats, live.game)
        if competition.kind == "solo":
            shared = SharedDraws(competition.id, game.round, competition.seed_hash)
            live.pending.jobs.clear()
            chance_rounds.begin_shared(live, shared, competition.seed, live.row.created)
        else:
            chance_rounds.wait_for_seals(live, live.row.created, self._times)
        await self._executor.add_unless_stored(live)

    async def retire(self, table: str, user_id: str) -> None:
        """Let a bot finish the game of a player who has dropped out; the player can't return.

        Args:
            table: Id of the table.
            user_id: The player.

        Raises:
            Refused: If the game hasn't started, or the database fails.
        """
        await self._executor.execute(table, RetirePlayer(user_id, self._executor.catalogue.stand_in))

    async def late_seats(self, table: str) -> list[int]:
        """Return the seats that are late now: those that are asked, and those of absent players."""
        async with self._executor.locked(table) as live:
            asked = live.position.to_move if live.position is not None else ()
            return [seat.seat for seat in live.seats if seat.kind == "bot" or seat.away or seat.seat in asked]

    async def end(self, table: str, late: list[int]) -> None:
        """Let bots finish a game at the hard end.

        Args:
            table: Id of the table.
            late: Seats that are late.

        Raises:
            Refused: If the database fails.
        """
        await self._executor.execute(table, EndByBots(late, self._executor.catalogue.stand_in))

    async def publish(self, table: str) -> None:
        """Let everybody with the link see a table of a solo league, after the season.

        Args:
            table: Id of the table.

        Raises:
            Refused: If the database fails.
        """
        await self._executor.execute(table, PublishGame())

    async def pause(self, table: str, days: int) -> None:
        """Stop all clocks of a table.

        Args:
            table: Id of the table.
            days: Number of days.

        Raises:
            Refused: If the database fails.
        """
        await self._executor.execute(table, PauseGame(days))

    async def cancel(self, table: str) -> None:
        """End a game without a result.

        Args:
            table: Id of the table.

        Raises:
            Refused: If the database fails.
        """
        await self._executor.execute(table, CancelGame())

    async def replace(self, table: str, old: str, new: UserRow) -> None:
        """Give the seat of a player who has dropped out to another one.

        Args:
            table: Id of the table.
            old: The player who has dropped out.
            new: The other player.

        Raises:
            Refused: If the database fails.
        """
        self._executor.note_user(new)
        await self._executor.execute(table, ReplacePlayer(old, new, self._times))


def _require_started(live: LiveTable) -> None:
    """Refuse a change while the game begins; the caller tries again later."""
    if live.row.status == "gathering":
        raise Refused("busy", 503, "the game is about to start; try again")


@dataclass(slots=True)
class RetirePlayer(Command[None]):
    """Let a bot finish the game of a player who has dropped out.

    Attributes:
        user_id: The player.
        level: Returns the level of the bot.
    """

    name: ClassVar[str] = "drop out"
    user_id: str
    level: Level
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Replace the player for good."""
        _require_started(live)
        if live.row.status != "running" or self.user_id in live.row.removed:
            return
        live.row.removed = [*live.row.removed, self.user_id]
        live.mark_changed()
        for seat in live.seats_of(self.user_id):
            if not live.seats[seat].away:
                replace_with_bot(live, live.seats[seat], "resigned", self.level, now)


@dataclass(slots=True)
class EndByBots(Command[None]):
    """Let bots finish a game.

    Attributes:
        late: Seats that are late.
        level: Returns the level of the bots.
    """

    name: ClassVar[str] = "end by bots"
    late: list[int]
    level: Level
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Replace all players for good; a game that hasn't started is canceled."""
        if live.row.status == "gathering":
            lifecycle.cancel(live, now)
        if live.row.status != "running":
            return
        people = {seat.user_id for seat in live.seats if seat.kind == "person" and seat.user_id is not None}
        live.row.removed = sorted({*live.row.removed, *people})
        live.row.rated = False  # the places are those of bots
        live.mark_changed()
        for seat in live.seats:
            if seat.kind == "person" and not seat.away and live.row.status == "running":
                key = "timed_out" if seat.seat in self.late else "season_ended"
                replace_with_bot(live, seat, key, self.level, now)


@dataclass(slots=True)
class PublishGame(Command[None]):
    """Let everybody with the link see a table."""

    name: ClassVar[str] = "publish game"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Change the visibility, which also publishes the seed."""
        live.row.visibility = "link"
        live.mark_changed()


@dataclass(slots=True)
class PauseGame(Command[None]):
    """Stop all clocks.

    Attributes:
        days: Number of days.
    """

    name: ClassVar[str] = "pause game"
    days: int
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Stop the clocks, also those of a game that begins during the pause."""
        if live.row.status not in ("gathering", "running"):
            return

        def change() -> None:
            """Set the pause."""
            live.row.pause = [now, now + self.days * _DAY_MS]

        clock.recompute(live, live.seats, now, change)
        live.log_event("paused", now, n=self.days)
        live.mark_changed(*range(len(live.seats)))


@dataclass(slots=True)
class CancelGame(Command[None]):
    """End a game without a result."""

    name: ClassVar[str] = "cancel game"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Cancel the game unless it is over."""
        if live.row.status in ("gathering", "running"):
            lifecycle.cancel(live, now)


@dataclass(slots=True)
class ReplacePlayer(Command[None]):
    """Give the seat of a player who has dropped out to another one.

    Attributes:
        old: The player who has dropped out.
        new: The other player.
        times: The times that a full table waits.
    """

    name: ClassVar[str] = "replace player"
    old: str
    new: UserRow
    times: StartTimes
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Seat the other player, who has at least one increment."""
        gathering = live.row.status == "gathering"
        if not gathering and live.row.status != "running":
            return
        for seat in live.seats_of(self.old):
            row = live.seats[seat]
            if gathering:
                chance_rounds.drop_seal(live, row, now, "seat")
            row.user_id, row.name = self.new.id, live.name_for(self.new.name, seat)
            row.calendar, row.guest = self.new.calendar, False
            # The terms of the chance name the former player.
            row.name_salt = ""
            row.away, row.turn = False, None
            row.bot = row.departure = ""
            row.revision += 1
            clock.stop(live, row)
            if live.row.clock is not None and row.bank_ms is not None:
                row.bank_ms = max(row.bank_ms, 1000 * live.row.clock["increment_s"])
            live.log_event("joined" if gathering else "returned", now, seat=seat, name=row.name)
            live.mark_changed(seat)
        if gathering:
            chance_rounds.wait_for_seals(live, now, self.times)
            chance_rounds.tell_awaited(live, now)  # the draw was announced to the former player
        else:
            lifecycle.schedule_next(live, now)
