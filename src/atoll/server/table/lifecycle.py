"""The lifecycle of a game at its table: start, answers, chance, the next decision, end.

Each function changes the table only in memory. The changes are pending until the executor writes
them.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from atoll.engine import CHANCE, AtollError, Draw, Game, Position, RevealCheck, SaveError, save
from atoll.store import PACK_AFTER_MS, CheckpointRow, ChoiceRow, TakebackRow

from . import clock, rated_games, results
from .chance_source import chance_of
from .live_table import LiveTable, encode

_PLAN_DELAY_MS: Final = 3_000
_PLAN_JITTER_MS: Final = 9_000
"""Delay of a planned answer, and its largest random extension. Together they are shorter than the
delay of a notification about a turn.
"""

# -- start -----------------------------------------------------------------------------------------


def load(live: LiveTable) -> None:
    """Load the saved position of a table. If the rules fail, `broken` has the reason."""
    if live.game is None or live.row.position is None:
        return
    try:
        live.position = _loaded(live, live.game, live.row.position)
        live.checkpoint = live.position.checkpoint_sequence
    except (AtollError, ImportError, LookupError) as error:
        live.broken = str(error) or type(error).__name__


def _loaded(live: LiveTable, game: Game, saved: str) -> Position:
    try:
        return game.load(saved)
    except SaveError:
        # The rules were fixed and a choice of the open segment isn't legal any more. The segment
        # starts over.
        data = save.read(saved)
        if not isinstance(data["since"], list):
            raise
        lost = len(data["since"])
        position = game.load({**data, "since": [], "sealed": {}})
        live.row.number -= lost
        live.row.sequence = position.sequence
        live.row.fixed = position.sequence
        live.pending.truncate_choices_at = live.row.number
        live.pending.position_changed = True
        for seat in live.seats:
            seat.draft = []
            seat.turn = None
            seat.plan = None
            seat.revision += 1
            live.mark_changed(seat.seat)
        return position


def note_restart(live: LiveTable, rows: Sequence[ChoiceRow], now: int) -> None:
    """Store the answers of a segment that starts over after its rules were fixed: they were public.

    Args:
        live: The loaded table.
        rows: The answers that its record loses.
        now: The current time in milliseconds.
    """
    row = live.row
    answers = [(each.sequence, each.seat, each.choice, each.audience) for each in rows]
    live.pending.undone.append(TakebackRow(row.id, row.told, row.number, row.sequence, "again", answers, now))


def resume(live: LiveTable, now: int) -> None:
    """Continue a loaded game if the rules have changed so that it wouldn't continue on its own."""
    if live.position is None or live.row.status != "running":
        return
    if live.pending.truncate_choices_at is not None:
        live.log_event("restarted", now)
    if live.position.pending_chance is not None or live.position.over:
        live.mark_changed()
    if live.pending.dirty:
        _resolve_chance(live, now)
        schedule_next(live, now)


def try_repair(live: LiveTable, now: int) -> None:
    """Continue a game whose rules failed earlier and work now."""
    live.row.status = "running"
    live.row.repair = ""
    live.log_event("repaired", now)
    if live.pending.truncate_choices_at is not None:
        live.log_event("restarted", now)
    live.mark_changed()
    _resolve_chance(live, now)
    schedule_next(live, now)


def begin(live: LiveTable, now: int, position: Position | None = None) -> None:
    """Start the game and resolve all chance before the first decision.

    Args:
        live: The table.
        now: The current time in milliseconds.
        position: Position to start from; None for a new game.
    """
    row = live.row
    game = live.game
    assert game is not None
    row.status = "running"
    row.rules_version, row.box = game.rules_version, game.components_hash
    rated_games.recheck(live, now)
    live.log_event("started", now)
    for user_id in _users_to_notify(live):
        live.notify("started", user_id, now, mark="")
    live.wake_competition(now)  # a player may have dropped out before the start
    if position is None:
        live.position = game.new(len(live.seats), row.options)
        _append_record(live, 0, 0, 0, None, now)
    else:
        live.position = position
        row.sequence = row.fixed = position.sequence
        live.checkpoint = position.checkpoint_sequence
        live.pending.checkpoints.append(CheckpointRow(row.id, 0, row.sequence, encode(position.json_save())))
    live.pending.position_changed = True
    live.mark_changed(*range(len(live.seats)))
    live.pending.finished_jobs.append(f"start:{row.id}")
    _resolve_chance(live, now)
    schedule_next(live, now)


def replay_answers(live: LiveTable, record: Sequence[tuple[int, int]], now: int) -> None:
    """Replay a game that was played elsewhere.

    Args:
        live: The new table.
        record: Seat (or chance) and choice of every answer.
        now: The current time in milliseconds.

    Raises:
        AtollError: If the rules refuse an answer.
    """
    row = live.row
    game = live.game
    assert game is not None
    row.status = "running"
    live.log_event("imported", now)
    position = live.position = game.new(len(live.seats), row.options)
    _append_record(live, 0, 0, 0, None, now)
    assert position.record is not None
    for index, (who, choice) in enumerate(record):
        # Sealed answers enter the record together, and choices that the rules took unasked are
        # there already.
        waiting = sum(map(len, position.sealed_answers.values()))
        if index < len(position.record) + waiting:
            continue
        ask = position.pending_chance
        _apply_answer(live, who, choice, now, sorted(ask.pool) if isinstance(ask, Draw) else None)
    live.pending.position_changed = True
    live.mark_changed(*range(len(live.seats)))
    schedule_next(live, now)


# -- answers ---------------------------------------------------------------------------------------


def answer(live: LiveTable, seat: int, choices: Sequence[int], now: int, *, by_bot: bool = False) -> None:
    """Apply a seat's final choices, resolve chance and ask the next seats.

    Args:
        live: The table.
        seat: The seat that answers.
        choices: Its complete turn.
        now: The current time in milliseconds.
        by_bot: Whether the caller continues with the next bot itself.
    """
    position = live.position
    assert position is not None
    row = live.seats[seat]
    row.draft = []
    row.revision += 1
    sealed = position.sealed
    waiting = position.sealed_answers
    sequence = position.sequence
    results.count_turn(live, row)
    if not sealed:
        row.turn = None if row.bot else (sequence, clock.bank_ms(live, row, now))
    if live.row.votes:
        _close_takeback_votes(live, now)
    for choice in choices:
        _apply_answer(live, seat, choice, now)
    _resolve_chance(live, now)
    if sealed and position.sequence != sequence:
        # All answers are given. Every seat gets its increment, including a seat that is asked again
        # immediately.
        for other in waiting:
            if other != seat:
                clock.refill(live, live.seats[other])
        clock.start_or_stop(live, row, False, now)
    # The public learns that a seat has answered a sealed decision, but not when.
    live.mark_changed(seat, timed=not (position.sealed and seat in position.sealed_answers))
    schedule_next(live, now, by_bot=by_bot)


def _close_takeback_votes(live: LiveTable, now: int) -> None:
    """Close the open votes on take-backs, because the game continues."""
    votes = live.row.votes
    live.row.votes = {subject: seats for subject, seats in votes.items() if not subject.startswith("undo:")}
    if len(live.row.votes) < len(votes):
        live.log_event("undo_lapsed", now)


def withdraw(live: LiveTable, seat: int, now: int) -> list[int]:
    """Take back a seat's answer to an open sealed decision.

    Args:
        live: The table.
        seat: The seat.
        now: The current time in milliseconds.

    Returns:
        The choices of the answer.
    """
    position = live.position
    assert position is not None
    answers = position.sealed_answers.get(seat, [])
    for _ in answers:
        position.undo(seat)
    results.discount_turn(live, live.seats[seat])
    live.turn_drafts.clear()
    live.pending.position_changed = True
    live.mark_changed(seat, timed=False)
    schedule_next(live, now)
    return answers


def _resolve_chance(live: LiveTable, now: int) -> None:
    """Resolve all chance events that the rules request."""
    position = live.position
    assert position is not None
    ask = position.pending_chance
    if ask is None:
        return
    source = chance_of(live.row, live.seats)
    # The draws of a table are counted from 0, also if its game began with a position.
    first = 0 if live.row.start is None else live.row.start["chances"]
    while ask is not None:
        index = position.chance_count - first
        if isinstance(ask, Draw):
            pool = sorted(ask.pool)
            outcome = pool[source.pick(index, len(pool))]
            _apply_answer(live, CHANCE, ask.kind.first + outcome, now, pool)
        else:
            _apply_answer(live, CHANCE, ask.kind.first + source.pick(index, ask.kind.size), now)
        ask = position.pending_chance


def _apply_answer(live: LiveTable, who: int, choice: int, now: int, pool: list[int] | None = None) -> None:
    """Apply one answer and append it, with its consequences, to the record."""
    position = live.position
    assert position is not None and position.record is not None
    before = len(position.record)
    sequence = position.sequence
    asked_count = 1 + sum(map(len, position.sealed_answers.values())) if position.sealed else 1
    reveal_check = RevealCheck(position, who)
    position.apply(choice, None if who == CHANCE else who)
    if reveal_check.reveals(position):
        live.row.fixed = position.sequence
    _append_record(live, before, sequence, asked_count, pool, now)


def _append_record(live: LiveTable, before: int, sequence: int, own: int, pool: list[int] | None, now: int) -> None:
    """Append an answer (or all sealed ones) to the record, then the choices taken unasked."""
    row = live.row
    pending = live.pending
    position = live.position
    assert position is not None and position.record is not None
    live.turn_drafts.clear()
    pending.position_changed = True
    for offset, (who, choice, audience) in enumerate(position.record[before:]):
        auto = offset >= own
        at = sequence + (1 + offset - own if auto and own else offset if auto else 0)
        pending.choices.append(
            ChoiceRow(row.id, row.number, at, who, choice, audience, auto, pool if not offset else None, now)
        )
        row.number += 1
    row.sequence = position.sequence
    for event in position.take_events():
        live.add_event("game", event.to_json(), now)
    if position.checkpoint_sequence != live.checkpoint:
        live.checkpoint = position.checkpoint_sequence
        data = position.json_save()
        since = data["since"]
        data["since"], data["sealed"] = [], {}
        live.checkpoint_save = encode(data)
        pending.checkpoints.append(
            CheckpointRow(row.id, row.number - len(since), live.checkpoint, live.checkpoint_save)
        )


# -- take-backs ------------------------------------------------------------------------------------


def revert_to(live: LiveTable, position: Position, taken: Sequence[ChoiceRow], now: int) -> None:
    """Return the game to an earlier moment, with the time that was left then.

    The answers since must not have revealed anything. Each seat that is asked gets at least one
    increment.

    Args:
        live: The table.
        position: The position at the earlier moment.
        taken: The answers since.
        now: The current time in milliseconds.
    """
    row = live.row
    table_clock = clock.clock_of(row)
    length = row.number - len(taken)
    answers = [(each.sequence, each.seat, each.choice, each.audience) for each in taken]
    live.pending.undone.append(TakebackRow(row.id, row.told, length, position.sequence, "undo", answers, now))
    live.pending.truncate_choices_at = row.number = length
    live.pending.position_changed = True
    row.sequence = position.sequence
    row.votes = {}
    position.take_events()
    live.position = position
    live.checkpoint, live.checkpoint_save = position.checkpoint_sequence, ""
    live.turn_drafts.clear()
    for seat in live.seats:
        bank_ms = clock.bank_ms(live, seat, now)
        clock.stop(live, seat)
        if seat.turn is not None and seat.turn[0] >= position.sequence:
            bank_ms = seat.turn[1]
            seat.turn = None
            results.discount_turn(live, seat)
        if table_clock is not None and bank_ms is not None and seat.seat in position.to_move:
            bank_ms = max(bank_ms, 1000 * table_clock.increment_s)
        seat.bank_ms = bank_ms
        seat.draft = []
        seat.plan = None
        seat.revision += 1
        live.mark_changed(seat.seat)
    schedule_next(live, now)


# -- consequences of the position ------------------------------------------------------------------


def schedule_next(live: LiveTable, now: int, *, by_bot: bool = False) -> None:
    """Schedule everything that follows from the position: end, clocks, notifications and jobs.

    Args:
        live: The table.
        now: The current time in milliseconds.
        by_bot: Whether the caller continues with the next bot itself.
    """
    row = live.row
    position = live.position
    if row.status == "running" and position is not None and position.over:
        row.status = "over"
        row.votes = {}
        row.result = {"places": position.ranking(), "totals": position.scores()}
        live.pending.results += results.result_rows(live, now)
        live.log_event("ended", now)
        live.wake_competition(now)
        for user_id in _users_to_notify(live):
            mine = [seat.seat for seat in live.seats if seat.user_id == user_id]
            seats = [(seat.name, seat.bot if seat.kind == "bot" else "") for seat in live.seats]
            live.notify("over", user_id, now, mark="", places=row.result["places"], mine=mine, seats=seats)
    running = row.status == "running" and position is not None
    asked = position.to_move if running and position is not None else ()
    over = row.status in ("over", "cancelled")
    if over and position is not None and any(seat.ended is None for seat in live.seats):
        live.set_job("pack", now + PACK_AFTER_MS)
    for seat in live.seats:
        clock.start_or_stop(live, seat, seat.seat in asked, now)
        if over and seat.ended is None:
            seat.draft, seat.plan, seat.ended = [], None, now
            live.pending.seats.add(seat.seat)
    if running and not by_bot and any(live.seats[seat].bot for seat in asked):
        live.set_job("bot", now)
    if running and any(live.has_plan(seat) for seat in asked):
        live.set_job("plan", now + _PLAN_DELAY_MS + secrets.randbelow(_PLAN_JITTER_MS))
    clock.schedule_timeout_check(live, running)


def cancel(live: LiveTable, now: int) -> None:
    """End the game without a result; people who ask for a seat are notified, too."""
    asking = [seat.user_id for seat in live.seats if seat.kind == "request" and seat.user_id is not None]
    for user_id in (*_users_to_notify(live), *asking):
        live.notify("over", user_id, now, mark="", cancelled=True)
    live.row.status = "cancelled"
    live.row.votes = {}
    live.log_event("cancelled", now)
    live.mark_changed()
    schedule_next(live, now)


def _users_to_notify(live: LiveTable) -> list[str]:
    """Return the ids of all users who sit at the table, or none if there is only one."""
    found = {seat.user_id: None for seat in live.seats if seat.kind == "person" and seat.user_id is not None}
    return list(found) if len(found) > 1 else []
