"""The past of a table: earlier moments, forks, records, and the data to verify its chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import structlog

from atoll.engine import CHANCE, PUBLIC, AtollError, Game, Position
from atoll.engine import record as records
from atoll.engine.state import may_know
from atoll.store import ChoiceRow, TakebackRow

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import (
    Acts,
    Fairness,
    ListedDraw,
    LogEntry,
    NewTable,
    PastMoment,
    ReaderRecord,
    RecordedAnswer,
    Refused,
    SeatPlan,
    User,
)
from ..table import chance_rounds, permissions
from ..table.chance_protocol import PROTOCOL
from ..table.chance_source import digest_of_terms
from ..table.live_table import LiveTable, add_entries
from ..table.playback import acts, moment_after_last_choice
from ..table.takebacks import told_by_rows
from .commands import checked_key, request_digest
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .table_factory import new_table, start_times
from .users import Users

log = structlog.get_logger(__name__)


class History:
    """Access to the past of tables."""

    def __init__(self, executor: CommandExecutor, limits: Limits, users: Users) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self._users: Users = users

    async def moment(
        self,
        who: User | None,
        table: str,
        sequence: int,
        seat: int | None = None,
        *,
        address: str = "",
        limit: str = "follow",
    ) -> PastMoment:
        """Return an earlier moment of a game with the reader's rights.

        Args:
            who: The reader, or None.
            table: Id of the table.
            sequence: Sequence number of the moment.
            seat: Viewing seat, or None for the default one.
            address: Address by which readers without a name are counted.
            limit: Rate limit that the request counts for, or "" if it was counted already.

        Raises:
            Refused: If the reader may not see the table, or the moment can't be shown.
        """
        if limit:
            self._limits.hit(limit, address if who is None else who.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            viewer = permissions.viewer(live, live.seats_held_by(who), seat)
            moments = {sequence for sequence, _ in await self.steps(live)}
            position = await self.position_at(live, sequence)
            await self._read_events(live)
            entries = [each for each in live.log(viewer) if each.sequence <= position.sequence and not each.undone]
            return PastMoment(
                table=table,
                game=live.row.game,
                seat=viewer,
                sequence=position.sequence,
                moments=tuple(sorted({*moments, live.row.sequence})),
                view=position.view(viewer),
                log=tuple(entries),
            )

    async def acts(
        self,
        who: User | None,
        table: str,
        since: int | None = None,
        seat: int | None = None,
        *,
        address: str = "",
        limit: str = "follow",
    ) -> Acts:
        """Return the playback of a table from a moment on, act by act, with the reader's rights.

        Args:
            who: The reader, or None.
            table: Id of the table.
            since: Sequence number of the moment. None for the moment after the viewing seat's last
                choice, or the beginning.
            seat: Viewing seat, or None for the default one.
            address: Address by which readers without a name are counted.
            limit: Rate limit that the request counts for, or "" if it was counted already.

        Raises:
            Refused: If the reader may not see the table, or the game hasn't started.
        """
        if limit:
            self._limits.hit(limit, address if who is None else who.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            viewer = permissions.viewer(live, live.seats_held_by(who), seat)
            steps = await self.steps(live)
            await self._read_events(live)
            last = live.row.sequence
            last_own = moment_after_last_choice(steps, viewer, last)
            if since is None:
                since = -1 if last_own is None else last_own
            every = [] if since >= last else acts(steps, live.log(viewer), last, over=live.row.status == "over")
            return Acts(viewer, last_own, tuple(act for act in every if act.end > since))

    async def _read_events(self, live: LiveTable) -> None:
        if live.events is None:
            with refuse_on_store_error():
                live.events = await self._executor.store.events(live.row.id)

    async def steps(self, live: LiveTable) -> Sequence[tuple[int, int]]:
        """Return the sequence number and seat (or chance) of each answer; the table must be locked.

        Args:
            live: The table.

        Raises:
            Refused: If the game hasn't started.
        """
        if live.position is None:
            raise Refused("no_moment", 404, "the game hasn't started yet")
        if live.steps is None:
            with refuse_on_store_error():
                rows = await self._executor.store.choices(live.row.id)
            live.steps = [(row.sequence, row.seat) for row in rows if not row.auto]
        return live.steps

    async def position_at(self, live: LiveTable, sequence: int) -> Position:
        """Return an earlier position, rebuilt from the last checkpoint before it.

        The table must be locked.

        Args:
            live: The table.
            sequence: Sequence number of the moment.

        Raises:
            Refused: If the position can't be rebuilt.
        """
        if live.game is None or not 0 <= sequence <= live.row.sequence:
            raise Refused("no_moment", 404, f"invalid moment {sequence}: expected 0 to {live.row.sequence}")
        with refuse_on_store_error():
            start = await self._executor.store.checkpoint(live.row.id, sequence)
            rows = [] if start is None else await self._executor.store.choices(live.row.id, start.number)
        if start is None:
            raise Refused("no_moment", 404, "the first moments of this game aren't known")
        try:
            position = live.game.load(start.position)
            _replay(position, rows, sequence)
        except AtollError as error:
            log.warning("moment can't be rebuilt", table=live.row.id, sequence=sequence, error=str(error))
            raise Refused("no_moment", 404, "the rules have changed since; this moment can't be shown") from None
        return position

    async def continue_from(
        self, who: User | None, table: str, sequence: int, seat: int | None = None, bot: str = "", key: str = ""
    ) -> str:
        """Create a private table that continues from an earlier moment, against bots.

        A running game can be forked only if it has no hidden information.

        Args:
            who: The user.
            table: Id of the table.
            sequence: Sequence number of the moment.
            seat: The user's seat. None for their seat at the table, or else one that is asked.
            bot: Level of the bots, or "" for the strongest one.
            key: An idempotency key, or "".

        Returns:
            The id of the new table.

        Raises:
            Refused: If the game can't be forked at this moment.
        """
        user = permissions.require_user(who)
        request = request_digest("play_on", table, sequence, seat, bot)
        found: str | None = await self._executor.previous_answer(user, checked_key(key), request, str)
        if found is not None:
            return found
        self._limits.hit("table", user.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_fork(live)
            position = await self.position_at(live, sequence)
            if position.over:
                raise Refused("over", 409, "the game is over at this moment")
            mine = live.seats_of(user.id)
            if seat is None:
                seat = mine[0] if mine else (position.to_move or (0,))[0]
            seat = permissions.require_seat(live, seat)
            plans = tuple(
                SeatPlan("me") if number == seat else SeatPlan("bot", bot=bot) for number in range(len(live.seats))
            )
            row, levels = live.row, self._executor.catalogue.levels(live.row.game, len(live.seats))
            usual = self._executor.catalogue.default_level(row.game, len(live.seats))
            level = row.stand_in if row.stand_in in levels else usual
            new = NewTable(row.game, plans, row.options, visibility="private", stand_in=level)
            fresh = new_table(self._executor.catalogue, user, new, start_times(self._executor.settings))
            fresh.row.origin = {"table": table, "sequence": position.sequence}
            fresh.pending.jobs.clear()
            chance_rounds.begin_from(fresh, position, wall_clock.now_ms())
        made = await self._executor.add(fresh, user, key, request)
        await self._users.update_coach(user, fresh.row.game)
        return made

    async def export(
        self, who: User | None, table: str, seat: int | None = None, *, address: str = "", limit: str = "replay"
    ) -> dict[str, Any]:
        """Return the record of a game as plain data.

        While the game runs, it has only what the reader may know; afterwards everything.

        Args:
            who: The reader, or None.
            table: Id of the table.
            seat: Viewing seat, or None for the default one.
            address: Address by which readers without a name are counted.
            limit: Rate limit that the request counts for, or "" if it was counted already.

        Raises:
            Refused: If the reader may not see the table, or the game hasn't started.
        """
        if limit:
            self._limits.hit(limit, address if who is None else who.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            viewer = permissions.viewer(live, live.seats_held_by(who), seat)
            row, game = live.row, live.game
            if live.position is None or game is None:
                raise Refused("not_running", 409, "the game hasn't started yet")
            rows, undone = await self._whole_record(live)
            with refuse_on_store_error():
                events = await self._executor.store.events(table)
            entries: list[LogEntry] = []
            add_entries(entries, events, viewer)
            over = row.status == "over"
            first = _first_number(live)
            return {
                "format": "atoll-export-2",
                "table": table,
                "game": row.game,
                "rules_version": row.rules_version,
                "box": row.box,
                "seats": [seat_row.name for seat_row in live.seats],
                "options": row.options,
                "status": row.status,
                "viewer": viewer,
                "origin": row.origin,
                "sequence": row.sequence,
                "record": _steps(game, rows, viewer, len(live.seats), whole=over),
                "undone": [
                    {
                        "kind": each.kind,
                        "length": each.length - first,
                        "sequence": each.sequence,
                        "record": _steps(game, each.choices(), viewer, len(live.seats), whole=over),
                    }
                    for each in undone
                ],
                "log": [
                    {"sequence": e.sequence, "origin": e.origin, "key": e.key, "fields": e.fields, "lacking": e.lacking}
                    for e in entries
                ],
                "result": row.result,
                "text": _record_text(game, live, rows) if over and row.start is None else None,
                "fairness": msgspec.to_builtins(await self._fairness(live, rows)),
                "start": row.start["save"] if over and row.start is not None else None,
            }

    async def record(self, who: User | None, table: str, first: int = 0) -> ReaderRecord:
        """Return the record as a reader has learned it, from a line on.

        Args:
            who: The reader, or None.
            table: Id of the table.
            first: Number of the first line.

        Raises:
            Refused: If the reader may not see the table, or its game can't be loaded.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            if live.game is None:
                raise Refused("no_moment", 404, "this game can't be shown just now")
            seats, terms = live.seats_held_by(who), digest_of_terms(live.row)
            if live.position is None:
                return ReaderRecord(live.row.chance, "", seats, first, ())
            if live.told_answers is None:
                rows, undone = await self._whole_record(live)
                live.told_answers = told_by_rows(live.game, rows, undone, _first_number(live))
            return ReaderRecord(live.row.chance, terms, seats, first, tuple(live.reader_lines(seats)[first:]))

    async def _whole_record(self, live: LiveTable) -> tuple[list[ChoiceRow], list[TakebackRow]]:
        """Return the record since the start that the terms name, and the take-backs since then."""
        told = 0 if live.row.start is None else live.row.start["told"]
        with refuse_on_store_error():
            rows = await self._executor.store.choices(live.row.id, _first_number(live))
            undone = await self._executor.store.undone(live.row.id)
        return rows, [row for row in undone if row.number >= told]

    async def fairness(self, who: User | None, table: str) -> Fairness:
        """Return the data to verify a table's chance.

        Offer and seals are always known, shares after the start, and everything else after the end;
        in a solo league, after the end of the season.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table.
        """
        return (await self.proof(who, table))[0]

    async def proof(self, who: User | None, table: str) -> tuple[Fairness, tuple[RecordedAnswer, ...]]:
        """Return the data to verify a table's chance, and after the end all answers in order.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Returns:
            The data, and the answers including those that were taken back; no answers before the
            end.

        Raises:
            Refused: If the reader may not see the table.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            game = live.game
            if live.row.status != "over" or game is None:
                return await self._fairness(live, ()), ()
            rows, undone = await self._whole_record(live)
            told = told_by_rows(game, rows, undone, _first_number(live))
            answers = tuple(
                RecordedAnswer(each.who, each.text, _audience(each.audience, len(live.seats)), each.auto)
                for each in told
            )
            return await self._fairness(live, rows), answers

    async def _fairness(self, live: LiveTable, rows: Sequence[ChoiceRow]) -> Fairness:
        """Return the data to verify a table's chance; `rows` is the record if the game is over."""
        row, game = live.row, live.game
        if not row.chance:
            return Fairness("")
        with refuse_on_store_error():
            rounds = chance_rounds.published_rounds(await self._executor.store.rounds(row.id))
        over = chance_rounds.is_seed_public(row) and game is not None
        draws = []
        for index, each in enumerate(each for each in rows if each.seat == CHANCE) if over else ():
            assert game is not None
            kind = game.vocabulary.kind_of(each.choice)
            pool = tuple(range(kind.size)) if each.pool is None else tuple(each.pool)
            draws.append(ListedDraw(index, kind.name, pool, each.choice - kind.first, game.text(each.choice)))
        return Fairness(
            PROTOCOL,
            chance_rounds.offer_of(row),
            chance_rounds.terms_of(row),
            chance_rounds.seals_of(live),
            None if live.position is None else tuple(seat.share or "" for seat in live.seats),
            row.seed if over else None,
            rounds,
            chance_rounds.names_of(live),
            tuple(draws) if over else None,
        )


def _first_number(live: LiveTable) -> int:
    """Return the number of the first answer since the start that the terms name."""
    return 0 if live.row.start is None else int(live.row.start["number"])


def _audience(mask: int, seats: int) -> tuple[int, ...] | None:
    """Return the seats of an encoded audience; None for everybody."""
    return None if mask == PUBLIC else tuple(seat for seat in range(seats) if may_know(mask, seat))


def _replay(position: Position, rows: Sequence[ChoiceRow], sequence: int) -> None:
    """Apply recorded answers up to a moment; `rows` start where the position's record starts."""
    assert position.record is not None
    for index, row in enumerate(rows):
        if position.sequence >= sequence:
            return
        records.advance(position, index, row.seat, row.choice)


def _steps(
    game: Game, rows: Sequence[ChoiceRow], viewer: int | None, seats: int, *, whole: bool
) -> list[dict[str, Any]]:
    """Return the record as the viewer may know it.

    A secret answer in several steps is one entry, so that their number stays secret.
    """
    steps: list[dict[str, Any]] = []
    hidden: tuple[int, int] | None = None
    for row in rows:
        known = whole or may_know(row.audience, viewer) or row.seat == viewer
        if not known and hidden == (row.sequence, row.seat):
            continue
        hidden = None if known else (row.sequence, row.seat)
        choice = game.text(row.choice) if known else None
        step: dict[str, Any] = {"seat": None if row.seat == CHANCE else row.seat, "choice": choice}
        if whole:
            step |= {"audience": _audience(row.audience, seats), "auto": row.auto}
        steps.append(step)
    return steps


def _record_text(game: Game, live: LiveTable, rows: Sequence[ChoiceRow]) -> str | None:
    """Return the game in the notation of records, or None if today's rules play it differently."""
    position = game.new(len(live.seats), live.row.options)
    try:
        _replay(position, rows, live.row.sequence)
        return records.write(position)
    except AtollError as error:
        log.warning("record can't be written", table=live.row.id, error=str(error))
        return None
