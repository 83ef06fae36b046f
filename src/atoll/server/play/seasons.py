"""The course of competitions: check-in, draw, tables, dropouts, hard end, next season (job).

Each step is one transaction that names the state it starts from, and its result depends only on
the database. A step that was interrupted is therefore done again with the same result, and a step
that another server has done meanwhile changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import structlog

from atoll.ratings.rules import points
from atoll.store import (
    CompetitionGameRow,
    CompetitionRow,
    EntryRow,
    NoticeRow,
    SeatRow,
    Store,
    TableRow,
    UserRow,
    competition_job,
)

from ..domain import wall_clock
from ..domain.divisions import division_sizes
from ..domain.draw import Entrant, Finish, Place, draw, lot
from ..domain.model import Refused
from ..domain.pairing import groups, table_sizes
from ..domain.playing_hours import DAY_MS
from .competition_divisions import nameless_divisions
from .competition_factory import (
    MINUTE_MS,
    check_in_at,
    division_of,
    finish_of,
    higher_cup,
    next_cup,
    next_season,
    rules_of,
    started,
)
from .competition_results import Tables, dropped_games, history, is_open, lot_of, results
from .competition_tables import CompetitionTables, game_id
from .executor import CommandExecutor
from .game_catalogue import GameCatalogue
from .store_errors import refuse_on_store_error
from .users import user_of

log = structlog.get_logger(__name__)

_HOUR_MS: Final = 3_600_000
_WEEK_MS: Final = 7 * DAY_MS
_IDLE_CUP_MS: Final = 60 * DAY_MS
"""Time after which a private cup that isn't full is canceled."""
_LEAST_EVENING_TABLES: Final = 2
_LEAST_SOLO_ENTRIES: Final = 2
_DROPS: Final = {"league": 2, "mini": 2, "evening": 1, "solo": 2}
"""Number of dropped games that ends a competition for a player."""
_GRACE_MS: Final = {"league": _HOUR_MS, "mini": _HOUR_MS, "evening": 3 * MINUTE_MS, "solo": _HOUR_MS}
"""Time after the hard end in which bots finish the games."""
_LOOK_MS: Final = 20_000
_MOST_STEPS: Final = 50


class Seasons:
    """The automatic course of competitions."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor
        self._catalogue: GameCatalogue = executor.catalogue
        self._store: Store = executor.store
        self.tables: CompetitionTables = CompetitionTables(executor)

    async def advance(self, key: str) -> None:
        """Do all steps of a competition that are due, and set the job for the next one (job).

        Args:
            key: Id of the competition, with an optional suffix after a colon.

        Raises:
            Refused: If a table or the database is busy.
        """
        id = key.partition(":")[0]
        for _ in range(_MOST_STEPS):
            with refuse_on_store_error():
                row = await self._store.competitions.competition(id)
            if row is None or row.state in ("over", "cancelled"):
                return
            due = await self._step(row, wall_clock.now_ms())
            if due is not None:
                with refuse_on_store_error():
                    await self._store.set_jobs([competition_job(id, due)])
                return
        raise Refused("busy", 503, "the competition changes all the time; try again")

    async def _step(self, row: CompetitionRow, now: int) -> int | None:
        """Do one step, and return when the next one is due; None to look again immediately."""
        if row.state == "open":
            return await self._open(row, now)
        if row.state == "check_in":
            if row.starts is not None and now < row.starts:
                return row.starts
            await self._draw(row, now)
            return None
        if row.state == "starting":
            await self._start(row)
            return None
        return await self._run(row, now)

    # -- sign-up and check-in ----------------------------------------------------------------------

    async def _open(self, row: CompetitionRow, now: int) -> int | None:
        soon = check_in_at(row)
        entries = await self._store.competitions.entries(row.id)
        if soon is None:
            if len(entries) >= division_of(row).size:
                await self._draw(row, now)
                return None
            if not row.listed and now >= row.opens + _IDLE_CUP_MS:
                await self._cancel(row, entries, now)
                return None
            return now + DAY_MS
        if now < soon:
            return soon
        notices = [_notice(row, each, "check_in", now, f"check_in.{row.starts}", at=row.starts) for each in entries]
        await self._do(row, given={"state": "check_in"}, notices=notices)
        return None

    async def _cancel(self, row: CompetitionRow, entries: Sequence[EntryRow], now: int) -> None:
        notices = [_notice(row, each, "cancelled", now) for each in entries]
        await self._do(row, given={"state": "cancelled"}, notices=notices)

    # -- the draw ----------------------------------------------------------------------------------

    async def _draw(self, row: CompetitionRow, now: int) -> None:
        """Draw the divisions, or the first round, from the entries that are checked in."""
        entries = await self._store.competitions.entries(row.id)
        ready = [each for each in entries if each.state == "entered"]
        users = await self._users(ready)
        ready = [each for each in ready if each.user_id in users]
        for each in ready:
            each.name = users[each.user_id].name
        if row.kind == "evening":
            await self._draw_evening(row, entries, ready, now)
            return
        if row.kind == "solo":
            await self._draw_solo(row, entries, ready, now)
            return
        division = division_of(row)
        if not division_sizes(len(ready), division.size):
            if row.kind == "mini":
                return
            await self._postpone(row, entries, now)
            return
        ratings = await self._ratings(row.game, [each.user_id for each in ready])
        entrants = [
            Entrant(
                each.name,
                each.entered,
                lot(row.seed, row.id, each.name),
                each.ladder,
                ratings.get(each.user_id),
            )
            for each in ready
        ]
        places = draw(entrants, division.size)
        game = self._catalogue.game(row.game)
        games = []
        for number in sorted({place.division for place in places.values()}):
            members = sum(place.division == number for place in places.values())
            vacancy = division.size - 1 if members < division.size else None
            smaller = division.seats - 1 in game.seat_counts
            games += _games(row, 1, number, division.games(vacancy, smaller=smaller))
        playing = [each for each in ready if each.name in places]
        given: dict[str, Any] = {"state": "starting", "round": 1}
        if row.kind == "mini":
            given |= started(row, now)
        await self._do(
            row,
            given=given,
            entries=[(each, _placed(row, each, places[each.name], ratings.get(each.user_id))) for each in playing],
            games=games,
            notices=[_notice(row, each, "drawn" if each in playing else "no_place", now) for each in entries],
            following=[(next_cup(row, now), ())] if row.kind == "mini" and self._continues(row) else (),
        )

    async def _postpone(self, row: CompetitionRow, entries: Sequence[EntryRow], now: int) -> None:
        """Postpone a season by a week, because too few players have checked in."""
        assert row.starts is not None and row.ends is not None
        weeks = 1 + (now - row.starts) // _WEEK_MS
        starts, ends = (at + weeks * _WEEK_MS for at in (row.starts, row.ends))
        await self._do(
            row,
            given={"state": "open", "starts": starts, "ends": ends},
            entries=[(each, {"state": "waiting"}) for each in entries if each.state == "entered"],
            notices=[_notice(row, each, "postponed", now, f"postponed.{starts}", at=starts) for each in entries],
        )

    async def _draw_evening(
        self, row: CompetitionRow, entries: Sequence[EntryRow], ready: Sequence[EntryRow], now: int
    ) -> None:
        """Draw the first round of an evening, or cancel it if there are too few players."""
        seat_counts = self._catalogue.game(row.game).seat_counts
        if len(table_sizes(len(ready), row.table_seats, seat_counts)) < _LEAST_EVENING_TABLES:
            await self._cancel(row, entries, now)
            return
        ordered = sorted(ready, key=lambda each: lot(row.seed, row.id, each.name))
        lots = {number: lot(row.seed, row.id, each.name) for number, each in enumerate(ordered)}
        tables, _ = groups(lots.keys(), row.table_seats, seat_counts, history((), (), (), 0), lots)
        least = now + rules_of(row).minutes * MINUTE_MS
        await self._do(
            row,
            given={"state": "starting", "round": 1, "ends": max(row.ends or 0, least)},
            entries=[(each, _placed(row, each, Place(1, 1, number), None)) for number, each in enumerate(ordered)],
            games=_games(row, 1, 1, tables),
            notices=[_notice(row, each, "drawn", now) for each in ready],
        )

    async def _draw_solo(
        self, row: CompetitionRow, entries: Sequence[EntryRow], ready: Sequence[EntryRow], now: int
    ) -> None:
        """Give each player a game in each round; nothing is drawn, so the seed stays secret."""
        if len(ready) < _LEAST_SOLO_ENTRIES:
            await self._postpone(row, entries, now)
            return
        seatings = [(number,) for number in range(len(ready))]
        place = {"state": "playing", "tier": 1, "division": 1}
        await self._do(
            row,
            given={"state": "starting", "round": 1},
            entries=[(each, {**place, "name": each.name, "number": number}) for number, each in enumerate(ready)],
            games=[game for round in range(1, rules_of(row).rounds + 1) for game in _games(row, round, 1, seatings)],
            notices=[_notice(row, each, "drawn" if each in ready else "no_place", now) for each in entries],
        )

    # -- games -------------------------------------------------------------------------------------

    async def _start(self, row: CompetitionRow) -> None:
        """Create the tables of the round, in a solo league of all rounds, that don't exist yet."""
        entries = await self._store.competitions.entries(row.id)
        users = await self._users(entries)
        by_number: dict[int, dict[int, UserRow]] = {}
        for each in entries:
            if each.division is not None and each.number is not None and each.user_id in users:
                by_number.setdefault(each.division, {})[each.number] = users[each.user_id]
        for game in await self._store.competitions.games(row.id):
            if game.round == row.round or row.kind == "solo":
                await self.tables.create(row, game, by_number.get(game.division, {}))
        await self._do(row, given={"state": "running"})

    async def _run(self, row: CompetitionRow, now: int) -> int | None:
        store = self._store.competitions
        games, entries = await store.games(row.id), await store.entries(row.id)
        tables = await self._tables(row)
        if await self._drop_out(row, entries, games, tables, now):
            return None
        assert row.ends is not None
        open_ = [each for each in games if is_open(each, tables)]
        if open_ and now < row.ends:
            return row.ends
        if open_ and now < row.ends + _GRACE_MS[row.kind]:
            for game in open_:
                await self._end(game)
            return now + _LOOK_MS
        if row.kind == "evening" and row.round <= rules_of(row).rounds:
            if now < row.ends:
                return row.ends
            await self._next_round(row, entries, games, tables, now)
            return None
        await self._finish(row, entries, games, tables, now)
        return None

    async def _drop_out(
        self,
        row: CompetitionRow,
        entries: Sequence[EntryRow],
        games: Sequence[CompetitionGameRow],
        tables: Tables,
        now: int,
    ) -> bool:
        """Let bots finish the games of those who dropped out; return whether somebody did now."""
        dropped = dropped_games(games, tables)
        changed = False
        for entry in entries:
            if entry.division is None or entry.number is None:
                continue
            left = [
                game
                for game in dropped.get((entry.division, entry.number), ())
                if not _ended_before(tables[game.game_id], entry.entered)  # a replaced player's
            ]
            leaves = len(left) >= _DROPS[row.kind]
            if entry.state != "out" and not (entry.state == "playing" and leaves):
                continue
            for game in games:
                table = tables.get(game.game_id)
                mine = game.division == entry.division and entry.number in game.seating
                if mine and table is not None and table[0].status == "running":
                    await self.tables.retire(game.game_id, entry.user_id)
            if entry.state == "playing":
                changed = True
                await self._store.competitions.change_entry(row.id, entry.user_id, ("playing",), state="out", left=now)
                await self._notify([_notice(row, entry, "dropped_out", now)])
        return changed

    async def _end(self, game: CompetitionGameRow) -> None:
        """Let bots finish a game at the hard end; the seats that are late are stored before."""
        late = game.late_seats
        if late is None:
            late = await self.tables.late_seats(game.game_id)
            await self._store.competitions.change_game(game.game_id, only_new="late_seats", late_seats=late)
        await self.tables.end(game.game_id, late)

    async def _next_round(
        self,
        row: CompetitionRow,
        entries: Sequence[EntryRow],
        games: Sequence[CompetitionGameRow],
        tables: Tables,
        now: int,
    ) -> None:
        """Draw the next round of an evening, or its final table."""
        rules = rules_of(row)
        [found] = results(row, entries, games, tables)
        there = [line for line in found.standings if not line.out]
        lots = {each.number: lot_of(row, each) for each in entries if each.number is not None}
        seat_counts = self._catalogue.game(row.game).seat_counts
        past = history(entries, games, found.standings, rules.rounds)
        round = row.round + 1
        if round > rules.rounds:
            best = [line.player for line in there[: row.table_seats]]
            seatings, _ = groups(best, len(best), seat_counts, past, lots) if len(best) in seat_counts else ([], [])
        else:
            players = [line.player for line in there]
            seatings, _ = groups(players, row.table_seats, seat_counts, past, lots)
        assert row.starts is not None
        # A round that begins late, such as after maintenance, is as long as the others.
        ends = max(row.starts + (round - 1) * rules.minutes * MINUTE_MS, now) + rules.minutes * MINUTE_MS
        await self._do(
            row, given={"state": "starting", "round": round, "ends": ends}, games=_games(row, round, 1, seatings)
        )

    # -- the end -----------------------------------------------------------------------------------

    async def _finish(
        self,
        row: CompetitionRow,
        entries: Sequence[EntryRow],
        games: Sequence[CompetitionGameRow],
        tables: Tables,
        now: int,
    ) -> None:
        """Store the final standings, and add the next season or the next cup."""
        if row.kind == "solo":
            for game in games:
                if game.game_id in tables:
                    await self.tables.publish(game.game_id)
        finals: list[tuple[EntryRow, dict[str, Any]]] = []
        finishes: dict[str, Finish] = {}
        notices = []
        found = results(row, entries, games, tables)
        for division in found:
            lines = {line.player: line for line in division.standings}
            size = len(lines)
            for entry in division.entries:
                line = lines[entry.number or 0]
                tiebreaks = {name: str(getattr(line, name)) for name in ("beaten", "wins", "direct", "share")}
                finals.append((entry, {"points": str(line.points), "tiebreaks": tiebreaks, "rank": line.rank}))
                notices.append(_notice(row, entry, "over", now, rank=line.rank))
                if not line.out:
                    finishes[entry.user_id] = finish_of(row, entry, line.rank, size, line.points, line.games)
        following: list[tuple[CompetitionRow, Sequence[EntryRow]]] = []
        if row.kind in ("league", "solo") and self._continues(row):
            following.append(next_season(row, entries, finishes, now))
        elif row.kind == "mini" and self._continues(row):
            higher = higher_cup(row, await self._store.competitions.series(row.league_id), now)
            following += [] if higher is None else [(higher, ())]
        given = {"state": "over", "standings": nameless_divisions(row, found, tables)}
        await self._do(row, given=given, entries=finals, notices=notices, following=following)

    def _continues(self, row: CompetitionRow) -> bool:
        """Return whether another competition may follow: not after a private cup."""
        return row.listed and not self._executor.settings.no_leagues

    # -- small parts -------------------------------------------------------------------------------

    async def _do(self, row: CompetitionRow, **step: Any) -> None:
        """Do a step, and wake the dispatcher of notifications."""
        notices = await self._reachable(step.get("notices", ()))
        if await self._store.competitions.step(row, **{**step, "notices": notices}):
            log.info("competition continues", competition=row.id, state=step["given"].get("state", row.state))
            self._executor.on_notice()

    async def _notify(self, notices: Sequence[NoticeRow]) -> None:
        await self._store.competitions.add_notices(await self._reachable(notices))
        self._executor.on_notice()

    async def _reachable(self, notices: Sequence[NoticeRow]) -> list[NoticeRow]:
        reachable = await self._store.notices.reachable({each.user_id for each in notices}) if notices else set()
        return [each for each in notices if each.user_id in reachable]

    async def _ratings(self, game: str, users: Sequence[str]) -> dict[str, int]:
        """Return the ratings in a game by user; none if the server has no ratings."""
        if self._executor.settings.no_ratings:
            return {}
        found = await self._store.ratings.of_users(game, users)
        return {user: round(points(row.mu)) for user, row in found.items()}

    async def _tables(self, row: CompetitionRow) -> Tables:
        found = await self._store.tables_of_competition(row.id)
        return {table.id: (table, seats) for table, seats in found}

    async def _users(self, entries: Sequence[EntryRow]) -> dict[str, UserRow]:
        """Return the users of entries by id, without deleted and banned ones."""
        found = [await self._store.user(each.user_id) for each in entries]
        return {user.id: user for user in found if user is not None and not user_of(user).standing.is_banned}


def _ended_before(table: tuple[TableRow, Sequence[SeatRow]], time: int) -> bool:
    """Return whether a game ended before a time in milliseconds."""
    return any(seat.ended is not None and seat.ended < time for seat in table[1])


def _placed(row: CompetitionRow, entry: EntryRow, place: Place, rating: int | None) -> dict[str, Any]:
    """Return the values of an entry that got a place."""
    drawn = lot(row.seed, row.id, entry.name)
    values = {"tier": place.tier, "division": place.division, "number": place.number, "lot": drawn}
    return {"state": "playing", "name": entry.name, "rating": rating, **values}


def _games(
    row: CompetitionRow, round: int, division: int, seatings: Sequence[tuple[int, ...]]
) -> list[CompetitionGameRow]:
    """Return the rows of the games of a division or round."""
    return [
        CompetitionGameRow(row.id, round, division, number, game_id(row.id, round, division, number), list(players))
        for number, players in enumerate(seatings, 1)
    ]


def _notice(row: CompetitionRow, entry: EntryRow, what: str, now: int, mark: object = "", **data: Any) -> NoticeRow:
    """Return a notification about a competition; the same one is added only once.

    Args:
        row: The competition.
        entry: The entry of the recipient.
        what: What happened.
        now: The current time in milliseconds.
        mark: Distinguishes notifications of the same kind.
        **data: Values for the text.
    """
    id = f"competition:{row.id}:{entry.user_id}:{what}:{mark}"
    fields = {"what": what, "competition": row.id, "game": row.game, "format": row.kind, "season": row.season, **data}
    return NoticeRow(id, entry.user_id, "competition", None, fields, now, now)
