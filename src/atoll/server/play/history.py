"""The past of a table: earlier moments, forks, records, and proofs of its chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import structlog

from atoll.engine import CHANCE, PUBLIC, AtollError, Game, Position
from atoll.engine import record as records
from atoll.engine.state import may_know
from atoll.store import ChoiceRow

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import (
    Acts,
    Answer,
    ChanceProof,
    Fairness,
    LogEntry,
    NewTable,
    PastMoment,
    PublicRecord,
    Refused,
    SeatPlan,
    User,
)
from ..table import lifecycle, permissions
from ..table.fair_chance import undo_line, with_takebacks
from ..table.live_table import LiveTable, add_entries
from ..table.playback import acts, moment_after_last_choice
from .commands import checked_key, request_digest
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .table_factory import new_table
from .users import Users

_UNDO: Final = -2

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
            row, level = live.row, self._executor.catalogue.stand_in(live.row)
            new = NewTable(row.game, plans, row.options, visibility="private", stand_in=level)
            fresh = new_table(self._executor.catalogue, user, new, self._executor.settings.start_after_s)
            fresh.row.origin = {"table": table, "sequence": position.sequence}
            fresh.pending.jobs.clear()
            lifecycle.begin(fresh, wall_clock.now_ms(), position)
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
            with refuse_on_store_error():
                rows = await self._executor.store.choices(table)
                undone = await self._executor.store.undone(table)
                events = await self._executor.store.events(table)
            entries: list[LogEntry] = []
            add_entries(entries, events, viewer)
            over = row.status == "over"
            fairness, start = await self._fairness(live, rows)
            return {
                "format": "atoll-export-1",
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
                "record": _steps(game, rows, viewer, whole=over),
                "undone": [
                    {
                        "length": each.length,
                        "sequence": each.sequence,
                        "record": _steps(game, each.choices(), viewer, whole=over),
                    }
                    for each in undone
                ],
                "log": [
                    {"sequence": e.sequence, "origin": e.origin, "key": e.key, "fields": e.fields, "lacking": e.lacking}
                    for e in entries
                ],
                "result": row.result,
                "text": _record_text(game, live, rows) if over and row.origin is None else None,
                "fairness": msgspec.to_builtins(fairness),
                "start": start,
            }

    async def record(self, who: User | None, table: str, first: int = 0) -> PublicRecord:
        """Return the public record from a line on.

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
            if live.public_lines is None:
                with refuse_on_store_error():
                    rows = await self._executor.store.choices(table)
                    undone = await self._executor.store.undone(table)
                live.public_lines = []
                live.append_public_record(rows, undone)
            return PublicRecord(table, first, tuple(live.public_lines[first:]))

    async def fairness(self, who: User | None, table: str) -> Fairness:
        """Return the data to verify a table's chance.

        Commitments are always known, shares after the start, and everything else after the end.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table.
        """
        return (await self.proof(who, table))[0]

    async def proof(self, who: User | None, table: str) -> tuple[Fairness, tuple[Answer, ...]]:
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
            game, rows, undone = live.game, [], []
            if live.row.status == "over":
                with refuse_on_store_error():
                    rows = await self._executor.store.choices(table)
                    undone = await self._executor.store.undone(table)
            fairness, _ = await self._fairness(live, rows)
            if fairness.draws is None or game is None:
                return fairness, ()
            removed = [(row.length, _answers(game, row.choices())) for row in undone]
            marks = [Answer(_UNDO, undo_line(row.sequence), True) for row in undone]
            return fairness, tuple(with_takebacks(_answers(game, rows), removed, marks))

    async def _fairness(self, live: LiveTable, rows: Sequence[ChoiceRow]) -> tuple[Fairness, dict[str, Any] | None]:
        """Return the data to verify a table's chance, and the first position of a forked game.

        Args:
            live: The table.
            rows: The record of the game if it is over.

        Returns:
            The data, and the save from which a finished game was forked, or None.
        """
        row, game = live.row, live.game
        shares = tuple(seat.share or "" for seat in live.seats) if live.position is not None else None
        fixed = tuple(seat.commitment or "" for seat in live.seats)
        if row.status != "over" or game is None:
            return Fairness(True, row.commitment, shares, None, None, fixed), None
        start: dict[str, Any] | None = None
        first = 0
        if row.origin is not None:
            with refuse_on_store_error():
                points = await self._executor.store.checkpoints(live.row.id)
            start = msgspec.json.decode(points[0].position)
            first = game.load(points[0].position).chance_count
        if not row.commitment:
            return Fairness(False, "", None, None, None), start
        draws = []
        for index, each in enumerate((each for each in rows if each.seat == CHANCE), first):
            kind = game.vocabulary.kind_of(each.choice)
            pool = tuple(range(kind.size)) if each.pool is None else tuple(each.pool)
            draws.append(ChanceProof(index, kind.name, pool, each.choice - kind.first, game.text(each.choice)))
        return Fairness(True, row.commitment, shares, row.seed, tuple(draws), fixed), start


def _answers(game: Game, rows: Sequence[ChoiceRow]) -> list[Answer]:
    return [Answer(row.seat, game.text(row.choice), row.audience == PUBLIC) for row in rows]


def _replay(position: Position, rows: Sequence[ChoiceRow], sequence: int) -> None:
    """Apply recorded answers up to a moment; `rows` start where the position's record starts."""
    assert position.record is not None
    for index, row in enumerate(rows):
        if position.sequence >= sequence:
            return
        records.advance(position, index, row.seat, row.choice)


def _steps(game: Game, rows: Sequence[ChoiceRow], viewer: int | None, *, whole: bool) -> list[dict[str, Any]]:
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
        steps.append({"seat": None if row.seat == CHANCE else row.seat, "choice": choice})
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
