"""Views of a table for its readers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import structlog

from atoll.bots import USUAL
from atoll.engine import Position
from atoll.store import MessageRow

from ..domain.model import Message, ReaderSeats, Refused, Score, SeatInfo, TableSeats, TableView, Turn, User
from ..table import chance_rounds, permissions, rated_games
from ..table.clock import clock_of
from ..table.live_table import LiveTable
from .executor import CommandExecutor
from .planned_turns import plan_of
from .ratings import rating_change
from .store_errors import refuse_on_store_error
from .table_lists import moment, paused_until, seat_infos
from .turns import mix_of
from .votes import votes

log = structlog.get_logger(__name__)

_MOST_MESSAGES: Final = 500


class TableViews:
    """Reads tables for readers."""

    def __init__(self, executor: CommandExecutor) -> None:
        self._executor: CommandExecutor = executor
        self._has_ratings: bool = not executor.settings.no_ratings

    async def reader_seats(self, who: User | None, table: str) -> ReaderSeats:
        """Return the reader's seats, and which of them are asked.

        Args:
            who: The reader, or None.
            table: Id of the table.

        Raises:
            Refused: If the reader may not see the table.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            mine = live.seats_held_by(who)
            asked = tuple(seat for seat in mine if live.seats[seat].asked is not None)
            return ReaderSeats(live.row.game, live.row.status, mine, asked)  # type: ignore[arg-type]

    async def table_seats(self, who: User | None, table: str, seat: int | None = None) -> TableSeats:
        """Return all seats of a table without its view, which is enough for log lines.

        Args:
            who: The reader, or None.
            table: Id of the table.
            seat: Viewing seat, or None for the default one.

        Raises:
            Refused: If the reader may not see the table, or the seat isn't theirs.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            viewer = permissions.viewer(live, live.seats_held_by(who), seat)
            infos = seat_infos(live.row, live.seats, who, live.position, self._executor.stands_since)
            return TableSeats(live.row.game, viewer, infos)

    async def table(
        self,
        who: User | None,
        table: str,
        *,
        seat: int | None = None,
        log_from: int = 0,
        chat_from: int = 0,
        encodable: bool = False,
    ) -> TableView:
        """Return a table as a reader may see it.

        Args:
            who: The reader, or None.
            table: Id of the table.
            seat: Viewing seat. None for the reader's seat that is asked, their first one, or a
                spectator's view.
            log_from: Number of the first log entry.
            chat_from: Number of the first chat message.
            encodable: Whether the result is only encoded as JSON. Parts that look the same to
                everybody are then encoded once.

        Raises:
            Refused: If the reader may not see the table, the seat isn't theirs, or the rules
                failed.
            CancelledError: If the request is canceled.
        """
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, who)
            mine = live.seats_held_by(who)
            viewer = permissions.viewer(live, mine, seat)
            folded = frozenset[str]() if who is None else (await self._executor.blocks.around(who.id)).mine
            if live.events is None:
                with refuse_on_store_error():
                    live.events = await self._executor.store.events(table)
            if live.messages is None:
                with refuse_on_store_error():
                    live.messages = await self._executor.store.messages(table, max(0, live.row.said - _MOST_MESSAGES))
            if live.row.status == "over" and live.row.rated and live.rating_changes is None:
                with refuse_on_store_error():
                    changes = await self._executor.store.ratings.changes_of_table(table)
                live.rating_changes = tuple(map(rating_change, changes))
            if who is not None and _must_read_note(live, who):
                with refuse_on_store_error():
                    live.notes[who.id] = await self._executor.store.note(table, who.id)
            try:
                version = live.version_of(mine)
                infos = seat_infos(live.row, live.seats, who, live.position, self._executor.stands_since)
                view = _table_view(
                    live, who, mine, viewer, version, infos, log_from, chat_from, folded, encodable=encodable
                )
                return view if self._has_ratings else msgspec.structs.replace(view, friendly="")
            except (Refused, asyncio.CancelledError):
                raise
            except Exception as error:
                log.exception("view failed", table=table, game=live.row.game)
                raise Refused("repair", 503, "the rules failed at this table; it waits for repair") from error

    async def legal(self, who: User | None, table: str, seat: int) -> Turn | None:
        """Return the open turn of one of the user's seats, or None if it isn't asked.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.

        Raises:
            Refused: If the seat isn't the user's.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, seat)
            if live.position is None or live.row.status != "running":
                return None
            return _open_turn(live, live.position, seat)[1]


def _must_read_note(live: LiveTable, who: User | None) -> bool:
    """Return whether the note of a player must still be read from the database."""
    return who is not None and not live.notes_complete and who.id not in live.notes and bool(live.seats_of(who.id))


def _table_view(
    live: LiveTable,
    who: User | None,
    mine: tuple[int, ...],
    viewer: int | None,
    version: str,
    infos: tuple[SeatInfo, ...],
    log_from: int,
    chat_from: int,
    folded: frozenset[str],
    *,
    encodable: bool,
) -> TableView:
    row = live.row
    position = live.position
    view: Mapping[str, Any] | None = None
    turn: Turn | None = None
    if position is not None:
        if viewer is not None and not live.seats[viewer].away and row.status == "running":
            view, turn = _open_turn(live, position, viewer, with_view=True)
        if view is None:
            view = position.json_view(viewer, live.public_view()) if encodable else position.view(viewer)
    assert live.messages is not None
    # Positional arguments, in the order of the fields: a struct of this size takes six times as
    # long to create with keywords.
    return TableView(
        row.id,
        row.game,
        row.status,  # type: ignore[arg-type]
        version,
        row.options,
        clock_of(row),
        row.visibility,  # type: ignore[arg-type]
        who is not None and row.host == who.id and row.competition_id is None,
        infos,
        viewer,
        mine,
        view,
        row.sequence,
        turn,
        tuple(live.log(viewer)[max(0, log_from) :]) if log_from < row.told else (),
        tuple([message(each, who, folded) for each in live.messages if each.number >= chat_from])
        if chat_from < row.said and permissions.may_read_chat(live, who)
        else (),
        votes(live, mine, viewer) if row.votes else (),
        _score(live),
        row.rematch,
        row.advice,
        live.advice_for(viewer) if turn is not None and viewer is not None else None,
        permissions.permitted_actions(live, who, mine, turn),
        moment(row.created),
        moment(row.changed),
        chance=chance_rounds.state_of(live),
        chance_table=row.chance,
        paused_until=paused_until(row),
        notes=live.notes.get(who.id, "") if who is not None and mine else None,
        plan=None if viewer is None else plan_of(live, viewer),
        settled=viewer is not None and permissions.is_settled(live, live.seats[viewer]),
        stand_in=row.stand_in or USUAL,
        chat_after=row.chat_after,  # type: ignore[arg-type]
        competition=row.competition_id or "",
        rated=row.rated,
        friendly=rated_games.friendly_reason(row, live.seats, live.game),
        least_reliability=row.least_reliability,
        approval=row.approval,
        changes=live.rating_changes or (),
    )


def _open_turn(
    live: LiveTable, position: Position, seat: int, *, with_view: bool = False
) -> tuple[Mapping[str, Any] | None, Turn | None]:
    """Return a seat's view with its draft (if wanted and any), and its open turn.

    Args:
        live: The table.
        position: Its position.
        seat: The seat.
        with_view: Whether to return the view of a turn with drafted choices.

    Returns:
        The view or None, and the turn or None.
    """
    sealed_in = seat in position.sealed_answers
    if seat not in position.to_move:
        if not sealed_in:
            return None, None
        return None, Turn(live.stamp(seat), (), (), (), (), True, True, False, True)
    # Without a draft and without a set, the position itself has everything.
    draft = live.turn_draft(seat) if live.seats[seat].draft or position.decision(seat).picks is not None else None
    staged: Sequence[int] = () if draft is None else draft.inputs
    legal = tuple(position.legal_choices(seat) if draft is None else draft.legal())
    picked = () if draft is None else tuple(draft.removable())
    texts = position.game.notation.texts
    turn = Turn(
        stamp=live.stamp(seat),
        staged=tuple(staged),
        staged_texts=tuple(texts(staged)) if staged else (),
        legal=legal,
        texts=tuple(texts(legal)),
        can_undo=bool(staged) or sealed_in,
        can_restart=bool(staged) or sealed_in,
        can_confirm=draft is not None and draft.final() is not None,
        sealed_in=sealed_in,
        picked=picked,
        picked_texts=tuple(texts(picked)) if picked else (),
        mix=None if draft is None else mix_of(draft),
    )
    return (draft.view() if with_view and draft is not None and staged else None), turn


def _score(live: LiveTable) -> Score | None:
    if live.row.status != "over" or live.row.result is None:
        return None
    assert live.position is not None
    position = live.position
    lines = tuple(map(tuple, msgspec.to_builtins(position.explain())))
    rivals = tuple(msgspec.to_builtins(position.game.rivals(position.state)))
    return Score(tuple(live.row.result["places"]), tuple(live.row.result["totals"]), lines, rivals)


def message(row: MessageRow, who: User | None, folded: frozenset[str] = frozenset()) -> Message:
    """Return a chat message for a reader.

    Args:
        row: The message.
        who: The reader, or None.
        folded: Users whom the reader has blocked.
    """
    mine = who is not None and row.user_id == who.id
    text, reaction = ("", "") if row.deleted_by else (row.text, row.reaction)
    deleted_by: Any = row.deleted_by
    return Message(
        row.number,
        row.seat,
        row.name,
        mine,
        text,
        moment(row.at),
        row.guest,
        reaction,  # type: ignore[arg-type]
        deleted_by,
        bool(folded) and row.user_id in folded,
    )
