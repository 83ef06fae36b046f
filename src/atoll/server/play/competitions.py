"""Competitions: lists, pages, sign-up, check-in, creation, and the acts of hosts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from atoll.store import CompetitionRow, EntryRow, Store, UserRow, competition_job

from ..domain import wall_clock
from ..domain.competitions import (
    HOST_ACTS,
    LEAST_RELIABILITY,
    MOST_SOLO_ENTRIES,
    REASON_LENGTH,
    Badge,
    CompetitionCard,
    CompetitionView,
    EntryInfo,
    HostAct,
    HostEntry,
    NewCompetition,
)
from ..domain.draw import bar_days
from ..domain.limits import Limits
from ..domain.model import Clock, Refused, User
from ..domain.playing_hours import DAY_MS
from ..domain.sanitize import clean
from ..domain.skeleton import skeleton
from ..table.permissions import require_user
from .competition_divisions import division_infos, stored_divisions, without_tables_of_others
from .competition_factory import check_in_at, division_of, new_competition, rules_of
from .competition_results import is_open, lot_of, results
from .executor import CommandExecutor
from .ratings import Ratings
from .seasons import Seasons
from .store_errors import refuse_on_store_error
from .table_lists import moment
from .users import user_of

_LISTED: Final = 100
_MOST_OVER: Final = 20
_MOST_HOSTED: Final = 3
_YEAR_MS: Final = 365 * DAY_MS
_PAUSE_DAYS: Final = (1, 14)
_BADGE_RANKS: Final = 3


class Competitions:
    """Competitions as people use them.

    Args:
        executor: The executor of commands.
        limits: Rate limits.
        seasons: The automatic course of competitions.
        ratings: Ratings and reliability of users.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        limits: Limits,
        seasons: Seasons,
        ratings: Ratings,
        invitable: Callable[[User, str], Awaitable[UserRow]],
    ) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._seasons: Seasons = seasons
        self._ratings: Ratings = ratings
        self._invitable: Callable[[User, str], Awaitable[UserRow]] = invitable

    @property
    def offered(self) -> bool:
        """True unless the operator has switched competitions off."""
        return not self._executor.settings.no_leagues

    def require_offered(self) -> None:
        """Refuse requests if the operator has switched competitions off.

        Raises:
            Refused: As if the page didn't exist.
        """
        if not self.offered:
            raise Refused("no_page", 404, "this server offers no competitions")

    async def _row(self, id: str) -> CompetitionRow:
        self.require_offered()
        with refuse_on_store_error():
            row = await self._store.competitions.competition(id[:32])
        if row is None:
            raise Refused("no_page", 404, "unknown competition")
        return row

    # -- reading -----------------------------------------------------------------------------------

    async def listed(self, who: User | None) -> tuple[list[CompetitionCard], list[CompetitionCard]]:
        """Return the public competitions, and the reader's own ones: those to come, and the past.

        Args:
            who: The reader, or None.

        Raises:
            Refused: If the operator has switched competitions off.
        """
        self.require_offered()
        with refuse_on_store_error():
            current = await self._store.competitions.listed(ended=False, limit=_LISTED)
            over = await self._store.competitions.listed(ended=True, limit=_MOST_OVER)
            mine = {} if who is None else {e.competition_id: e for e, _ in await self._entries_of(who.id)}
            own = [] if who is None else [row for _, row in await self._entries_of(who.id) if not row.listed]
            current += [row for row in own if row.state not in ("over", "cancelled")]
            over += [row for row in own if row.state == "over"]
            counts = await self._store.competitions.counts([row.id for row in (*current, *over)])

        def cards(rows: Sequence[CompetitionRow]) -> list[CompetitionCard]:
            """Return the cards of competitions whose game is here."""
            games = self._executor.catalogue.by_id
            return [_card(row, counts.get(row.id, 0), mine.get(row.id)) for row in rows if row.game in games]

        return cards(current), cards(over)

    async def _entries_of(self, user_id: str) -> list[tuple[EntryRow, CompetitionRow]]:
        return await self._store.competitions.entries_of(user_id)

    async def view(self, who: User | None, id: str) -> CompetitionView:
        """Return a competition.

        Args:
            who: The reader, or None.
            id: Id of the competition.

        Raises:
            Refused: If it doesn't exist.
        """
        row = await self._row(id)
        store = self._store.competitions
        with refuse_on_store_error():
            entries, games = await store.entries(row.id), await store.games(row.id)
            tables = {table.id: (table, seats) for table, seats in await self._store.tables_of_competition(row.id)}
            series = await store.series(row.league_id) if row.listed else []
            host = None if row.host_id is None else await self._store.user(row.host_id)
        mine = next((each for each in entries if who is not None and each.user_id == who.id), None)
        drawn = row.round > 0
        if row.standings is not None:
            divisions = stored_divisions(row.standings, entries, mine, tables)
        else:
            found = results(row, entries, games, tables) if drawn else []
            divisions = division_infos(row, found, mine, tables)
            if row.kind == "solo":
                divisions = without_tables_of_others(divisions)
        soon = check_in_at(row)
        return CompetitionView(
            card=_card(row, len(entries), mine),
            clock=msgspec.convert(row.clock, Clock | None),
            rules=rules_of(row),
            rated=row.rated,
            host="" if host is None else host.name,
            can=_permitted(row, mine, who),
            seed_hash=row.seed_hash,
            seed=row.seed if _is_seed_public(row) else "",
            entries=tuple(_entry_info(row, each, each is mine) for each in entries),
            divisions=divisions,
            check_in=None if soon is None else moment(soon),
            round=row.round,
            seasons=tuple((each.season, rules_of(each).level, each.id) for each in series if each.id != row.id),
            host_log=tuple(_host_entry(each, {e.user_id: e.name for e in entries}) for each in row.host_log),
        )

    async def badges(self, name: str) -> list[Badge]:
        """Return the good ranks of an account in public competitions, newest first."""
        if not self.offered:
            return []
        with refuse_on_store_error():
            account = await self._store.credentials.account_of(skeleton(name))
            found = [] if account is None else await self._entries_of(account.id)
        return [
            Badge(_card(row, 0, entry), entry.rank, entry.division, entry.tier, moment(row.ends))
            for entry, row in found
            if row.state == "over" and row.listed and row.ends is not None
            if entry.rank is not None and entry.rank <= _BADGE_RANKS
            if entry.division is not None and entry.tier is not None
        ]

    # -- entries -----------------------------------------------------------------------------------

    async def enter(self, who: User | None, id: str) -> None:
        """Sign up for a competition; again has no effect.

        After check-in has begun, the entry is on the waiting list of the next season.

        Args:
            who: The user, who needs an account.
            id: Id of the competition.

        Raises:
            Refused: If the competition takes no entries or is full, or the user has no account, is
                barred, isn't reliable enough, or hasn't won the cup below.
        """
        user = require_user(who)
        row = await self._row(id)
        self._limits.hit("join", user.id)
        _require_account(user)
        with refuse_on_store_error():
            await self._require_welcome(user, row)
            now = wall_clock.now_ms()
            states = ("open", "check_in") if row.kind in ("league", "solo") else ("open",)
            # A mini cup needs no check-in: it starts when it is full.
            entry = EntryRow(row.id, user.id, user.name, now, "entered" if row.kind == "mini" else "waiting")
            job = competition_job(row.id, now, "entries") if row.kind == "mini" else None
            answer = await self._store.competitions.enter(entry, states, _places(row), job)
        if answer == "full":
            raise Refused("competition_full", 409, "all places are taken; the next competition takes entries")
        if answer == "closed":
            raise Refused("entries_closed", 409, "this competition doesn't take entries now")
        self._executor.on_job()

    async def _require_welcome(self, user: User, row: CompetitionRow) -> None:
        """Refuse users who are barred, unreliable, or haven't won the cup below."""
        now = wall_clock.now_ms()
        mine = await self._entries_of(user.id)
        dropped = [(e.left, c) for e, c in mine if e.state == "out" and e.left is not None and e.left > now - _YEAR_MS]
        if dropped:
            last = max(left for left, _ in dropped)
            since = max(max(left, competition.ends or left) for left, competition in dropped)
            finished = await self._store.competitions.finished_since(user.id, last)
            until = since + bar_days(len(dropped), finished) * DAY_MS
            if now < until:
                days = -(-(until - now) // DAY_MS)
                detail = f"you dropped out of a competition: you can enter again in {days} days"
                raise Refused("barred", 403, detail, fields={"n": days})
        await self._require_reliable(user)
        level = rules_of(row).level
        if level > 1:
            below = [c for e, c in mine if e.rank == 1 and c.state == "over" and c.league_id == row.league_id]
            if not any(rules_of(each).level == level - 1 for each in below):
                raise Refused("not_qualified", 403, f"only winners of a cup of level {level - 1} can enter")

    async def _require_reliable(self, user: User) -> None:
        known = (await self._ratings.reliability(user.id)).percent
        if known is not None and known < LEAST_RELIABILITY:
            detail = f"your reliability is below {LEAST_RELIABILITY} %: answer more of your turns in time"
            raise Refused("unreliable", 403, detail, fields={"percent": LEAST_RELIABILITY})

    async def leave(self, who: User | None, id: str) -> None:
        """Withdraw an entry before the draw, or drop out of the games.

        Args:
            who: The user.
            id: Id of the competition.

        Raises:
            Refused: If the user has no entry, or the competition is over.
        """
        user = require_user(who)
        row = await self._row(id)
        now = wall_clock.now_ms()
        store = self._store.competitions
        with refuse_on_store_error():
            left = await store.withdraw(row.id, user.id, ("open", "check_in"))
            if not left and row.state in ("starting", "running"):
                job = competition_job(row.id, now, "entries")
                left = await store.change_entry(row.id, user.id, ("playing",), job, state="out", left=now)
        if not left:
            raise Refused("no_entry", 409, "you have no entry that you can withdraw")
        self._executor.on_job()

    async def check_in(self, who: User | None, id: str) -> None:
        """Confirm an entry, shortly before the first games; again has no effect.

        Args:
            who: The user.
            id: Id of the competition.

        Raises:
            Refused: If it isn't the time for that, or the user hasn't signed up before.
        """
        user = require_user(who)
        row = await self._row(id)
        if row.state != "check_in":
            raise Refused("no_check_in", 409, "check-in isn't open")
        soon = check_in_at(row)
        assert soon is not None
        with refuse_on_store_error():
            entries = await self._store.competitions.entries(row.id)
            mine = next((each for each in entries if each.user_id == user.id), None)
            if mine is None:
                raise Refused("no_entry", 409, "you haven't signed up for this competition")
            if mine.entered >= soon:
                raise Refused("late_entry", 409, "you signed up after check-in had begun: you are on the waiting list")
            await self._store.competitions.change_entry(row.id, user.id, ("waiting",), state="entered")

    # -- creation and hosts ------------------------------------------------------------------------

    async def create(self, who: User | None, new: NewCompetition) -> str:
        """Create a competition.

        Every account may open mini cups and private cups. The operator opens leagues and evenings
        with `atoll admin competition`.

        Args:
            who: The user.
            new: The competition.

        Returns:
            Its id.

        Raises:
            Refused: If the user may not open it, or a value isn't valid.
        """
        self.require_offered()
        user = require_user(who)
        self._limits.hit("table", user.id)
        _require_account(user)
        if new.kind != "mini":
            raise Refused("operator_only", 403, "only the operator opens leagues and evenings")
        row = new_competition(self._executor.catalogue, new, wall_clock.now_ms(), user.id if new.private else None)
        with refuse_on_store_error():
            if new.private:
                await self._require_reliable(user)
                if await self._store.competitions.hosted(user.id) >= _MOST_HOSTED:
                    detail = f"you host {_MOST_HOSTED} cups already; wait until one is over"
                    raise Refused("many_cups", 409, detail, fields={"most": _MOST_HOSTED})
            elif new.kind == "mini":
                same = await self._same_cup(row)
                if same is not None:
                    return same
            await self._store.competitions.add(row)
        self._executor.on_job()
        return row.id

    async def _same_cup(self, row: CompetitionRow) -> str | None:
        """Return the open public mini cup with the same game, seats and division, or None."""
        for each in await self._store.competitions.listed(ended=False, limit=_LISTED):
            same = (each.kind, each.game, each.table_seats, each.state) == ("mini", row.game, row.table_seats, "open")
            if same and (rules_of(each).division, rules_of(each).level) == (rules_of(row).division, 1):
                return each.id
        return None

    async def host_act(
        self, who: User | None, id: str, act: str, reason: str, *, days: int = 0, table: str = "", names: str = ""
    ) -> None:
        """Let the host of a private cup pause it, replace a player, annul a game, or cancel it.

        Every player sees the act with its reason.

        Args:
            who: The host.
            id: Id of the cup.
            act: One of `HOST_ACTS`.
            reason: The reason.
            days: Days of a pause.
            table: Id of the table of a game to annul.
            names: Names of the player who dropped out and of the one who takes over, separated by a
                comma.

        Raises:
            Refused: If the user isn't the host, the reason is missing, or the act isn't possible.
        """
        user = require_user(who)
        row = await self._row(id)
        if row.host_id != user.id:
            raise Refused("not_host", 403, "only the host of a private cup may do this")
        if act not in HOST_ACTS:
            raise Refused("bad_option", 422, f"act: expected one of {', '.join(HOST_ACTS)}")
        why = clean(reason[: 2 * REASON_LENGTH])[:REASON_LENGTH]
        if not why:
            raise Refused("no_reason", 422, "say why: the players see the reason")
        if row.state in ("over", "cancelled") or (row.state != "running" and act != "cancel"):
            raise Refused("not_running", 409, "the games of this cup aren't running")
        done = {"pause": self._pause, "replace": self._replace, "annul": self._annul, "cancel": self._cancel}
        values = {"days": days, "table": table, "names": names}
        told, given = await done[act](row, values)
        entry = {"act": act, "at": wall_clock.now_ms(), "reason": why, "what": "", **told}
        with refuse_on_store_error():
            changed = await self._store.competitions.step(row, given={**given, "host_log": [*row.host_log, entry]})
            if changed:
                await self._store.set_jobs([competition_job(row.id, wall_clock.now_ms(), "games")])
        if not changed:
            raise Refused("busy", 409, "the cup has changed meanwhile; look at it again")
        self._executor.on_job()

    async def _open_tables(self, row: CompetitionRow) -> list[str]:
        with refuse_on_store_error():
            games = await self._store.competitions.games(row.id)
            tables = {table.id: (table, seats) for table, seats in await self._store.tables_of_competition(row.id)}
        return [each.game_id for each in games if is_open(each, tables)]

    async def _pause(self, row: CompetitionRow, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        low, high = _PAUSE_DAYS
        days = values["days"]
        if not low <= days <= high:
            fields = {"lo": low, "hi": high}
            raise Refused("bad_number", 422, f"invalid days {days}: expected {low} to {high}", fields=fields)
        for table in await self._open_tables(row):
            await self._seasons.tables.pause(table, days)
        return {"what": str(days)}, {"ends": (row.ends or 0) + days * DAY_MS}

    async def _annul(self, row: CompetitionRow, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        with refuse_on_store_error():
            games = await self._store.competitions.games(row.id)
            game = next((each for each in games if each.game_id == values["table"]), None)
            if game is None:
                raise Refused("bad_option", 422, "table: expected a game of this cup")
            await self._store.competitions.change_game(game.game_id, annulled=True)
        await self._seasons.tables.cancel(game.game_id)
        return {"what": str(game.number)}, {}

    async def _cancel(self, row: CompetitionRow, _values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        for table in await self._open_tables(row):
            await self._seasons.tables.cancel(table)
        return {}, {"state": "cancelled"}

    async def _replace(self, row: CompetitionRow, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Give the place of a player who dropped out to another account."""
        old_name, _, new_name = (part.strip() for part in values["names"].partition(","))
        with refuse_on_store_error():
            entries = await self._store.competitions.entries(row.id)
            old = next((each for each in entries if skeleton(each.name) == skeleton(old_name)), None)
            if old is None or old.state != "out" or old.number is None:
                raise Refused("not_out", 422, "only a player who dropped out can be replaced")
            user = await self._store.credentials.account_of(skeleton(new_name))
            host = await self._store.user(row.host_id or "")
            if user is None or host is None or any(each.user_id == user.id for each in entries):
                raise Refused("no_account_named", 422, "name an account that isn't in this cup")
            if user.id != host.id:
                await self._invitable(user_of(host), user.name)
            for table in await self._open_tables(row):
                await self._seasons.tables.replace(table, old.user_id, user)
            fresh = EntryRow(row.id, user.id, user.name, wall_clock.now_ms(), "playing")
            fresh.tier, fresh.division, fresh.number = old.tier, old.division, old.number
            fresh.lot = lot_of(row, fresh)
            await self._store.competitions.substitute(old, fresh)
        return {"users": [old.user_id, user.id]}, {}


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refused("needs_account", 403, "competitions need an account: keep your name first")


# -- views -----------------------------------------------------------------------------------------


def _card(row: CompetitionRow, count: int, mine: EntryRow | None) -> CompetitionCard:
    rules = rules_of(row)
    return CompetitionCard(
        id=row.id,
        kind=row.kind,  # type: ignore[arg-type]
        game=row.game,
        seats=row.table_seats,
        season=row.season,
        level=rules.level,
        title=row.title,
        state=row.state,  # type: ignore[arg-type]
        entered=count,
        places=_places(row),
        starts=None if row.starts is None else moment(row.starts),
        ends=None if row.ends is None else moment(row.ends),
        mine="" if mine is None else mine.state,
        private=not row.listed,
    )


def _places(row: CompetitionRow) -> int | None:
    """Return the number of places; None without a limit."""
    if row.kind == "mini":
        return division_of(row).size
    return MOST_SOLO_ENTRIES if row.kind == "solo" else None


def _is_seed_public(row: CompetitionRow) -> bool:
    """Return whether the seed is published: with the draw, in a solo league after the season."""
    return row.state == "over" if row.kind == "solo" else row.round > 0


def _permitted(row: CompetitionRow, mine: EntryRow | None, who: User | None) -> tuple[str, ...]:
    found = []
    if mine is None and (row.state == "open" or (row.state == "check_in" and row.kind in ("league", "solo"))):
        found.append("enter")
    soon = check_in_at(row)
    if mine is not None and row.state in ("open", "check_in"):
        found.append("leave")
        if row.state == "check_in" and mine.state == "waiting" and soon is not None and mine.entered < soon:
            found.append("check_in")
    if mine is not None and mine.state == "playing" and row.state in ("starting", "running"):
        found.append("drop_out")
    if who is not None and row.host_id == who.id and row.state not in ("over", "cancelled"):
        found.append("host")
    return tuple(found)


def _entry_info(row: CompetitionRow, entry: EntryRow, mine: bool) -> EntryInfo:
    drawn = "" if not row.round or row.kind == "solo" else lot_of(row, entry)
    return EntryInfo(entry.name, mine, entry.state, drawn, entry.rating, entry.ladder, entry.division)


def _host_entry(entry: Mapping[str, Any], names: Mapping[str, str]) -> HostEntry:
    """Return an act of the host with the names of the players concerned.

    Args:
        entry: The act as it is stored.
        names: Names of the entries by user.
    """
    act: HostAct = entry["act"]
    at: datetime = moment(entry["at"])
    concerned = tuple(names.get(user or "", "") for user in entry.get("users", ()))
    return HostEntry(act, at, entry["reason"], entry["what"], concerned)
