"""The course of a game at its table: it begins, is answered, chance happens, the next seats are asked, it ends.

Each function changes the table in memory only; what it changed is pending until the keeper writes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from atoll.engine import CHANCE, AtollError, Before, Draw, Game, Position, SaveError, save
from atoll.store import CheckpointRow, ChoiceRow, UndoneRow

from . import clock
from .fair_chance import FairChance
from .live_table import Live, encode

_PLANNED_MS: Final = 3_000
_SPREAD_MS: Final = 9_000
"""A planned answer comes so long after its question and at most so much later: before its person is told of a turn."""

# -- where it begins -----------------------------------------------------------------------------------------------


def load(live: Live) -> None:
    """The position as it was saved. If the rules can't go on from there, `broken` says why."""
    if live.game is None or live.row.position is None:
        return
    try:
        live.position = _loaded(live, live.game, live.row.position)
        live.checkpoint = live.position.checkpoint_sequence
    except (AtollError, ImportError, LookupError) as error:
        live.broken = str(error) or type(error).__name__


def _loaded(live: Live, game: Game, saved: str) -> Position:
    try:
        return game.load(saved)
    except SaveError:
        # The rules were mended and a choice of the open segment doesn't fit any more: start the segment again.
        data = save.read(saved)
        if not isinstance(data["since"], list):
            raise
        lost = len(data["since"])
        position = game.load({**data, "since": [], "sealed": {}})
        live.row.number -= lost
        live.row.sequence = position.sequence
        live.row.fixed = position.sequence
        live.pending.cut = live.row.number
        live.pending.moved = True
        for seat in live.seats:
            seat.draft = []
            seat.turn = None
            seat.plan = None
            seat.revision += 1
            live.touch(seat.seat)
        return position


def take_up(live: Live, now: int) -> None:
    """After loading: go on if the rules were changed so that the game can't stand still here."""
    if live.position is None or live.row.status != "running":
        return
    if live.pending.cut is not None:
        live.tell("restarted", now)
    if live.position.chance is not None or live.position.over:
        live.touch()
    if live.pending.dirty:
        _draw(live, now)
        settle(live, now)


def repaired(live: Live, now: int) -> None:
    """The rules of today can go on where those of another day failed."""
    live.row.status = "running"
    live.row.repair = ""
    live.tell("repaired", now)
    if live.pending.cut is not None:
        live.tell("restarted", now)
    live.touch()
    _draw(live, now)
    settle(live, now)


def begin(live: Live, now: int, position: Position | None = None) -> None:
    """The game starts; all chance before the first decision is drawn. position: to start from another moment."""
    row = live.row
    game = live.game
    assert game is not None
    row.status = "running"
    row.rules_version, row.box = game.rules_version, game.box_hash
    for seat in live.seats:
        if seat.share is None:
            seat.share = ""
    live.tell("started", now)
    for user_id in _people(live):
        live.notify("started", user_id, now, mark="")
    if position is None:
        live.position = game.new(len(live.seats), row.options)
        _keep(live, 0, 0, 0, None, now)
    else:
        live.position = position
        row.sequence = row.fixed = position.sequence
        live.checkpoint = position.checkpoint_sequence
        live.pending.checkpoints.append(CheckpointRow(row.id, 0, row.sequence, encode(position.encodable_save())))
    live.pending.moved = True
    live.touch(*range(len(live.seats)))
    live.pending.done.append(f"start:{row.id}")
    _draw(live, now)
    settle(live, now)


def enact(live: Live, record: Sequence[tuple[int, int]], now: int) -> None:
    """A game that was played elsewhere: every answer (seat or chance, choice) as recorded. Raises AtollError."""
    row = live.row
    game = live.game
    assert game is not None
    row.status = "running"
    live.tell("imported", now)
    position = live.position = game.new(len(live.seats), row.options)
    _keep(live, 0, 0, 0, None, now)
    assert position.record is not None
    for index, (who, choice) in enumerate(record):
        # A sealed answer is in the record when all are; what the rules took unasked is there already.
        waiting = sum(map(len, position.sealed_answers.values()))
        if index < len(position.record) + waiting:
            continue
        ask = position.chance
        _feed(live, who, choice, now, sorted(ask.pool) if isinstance(ask, Draw) else None)
    live.pending.moved = True
    live.touch(*range(len(live.seats)))
    settle(live, now)


# -- answers -------------------------------------------------------------------------------------------------------


def answer(live: Live, seat: int, choices: Sequence[int], now: int, *, by_bot: bool = False) -> None:
    """A seat's final choices: they are applied, chance happens, the next ones are asked."""
    position = live.position
    assert position is not None
    row = live.seats[seat]
    row.draft = []
    row.revision += 1
    sealed = position.sealed
    waiting = position.sealed_answers
    sequence = position.sequence
    if not sealed:
        row.turn = None if row.bot else (sequence, clock.held(live, row, now))
    if live.row.votes:
        _drop_requests(live, now)
    for choice in choices:
        _feed(live, seat, choice, now)
    _draw(live, now)
    if sealed and position.sequence != sequence:
        # All are in: everybody gets the time for this turn, also who is asked again at once.
        for other in waiting:
            if other != seat:
                clock.refill(live, live.seats[other])
        clock.ask(live, row, False, now)
    # When somebody has answered a sealed decision isn't told, only that it has.
    live.touch(seat, timed=not (position.sealed and seat in position.sealed_answers))
    settle(live, now, by_bot=by_bot)


def _drop_requests(live: Live, now: int) -> None:
    """Whoever plays on takes nothing back any more."""
    votes = live.row.votes
    live.row.votes = {subject: given for subject, given in votes.items() if not subject.startswith("undo:")}
    if len(live.row.votes) < len(votes):
        live.tell("undo_lapsed", now)


def withdraw(live: Live, seat: int, now: int) -> list[int]:
    """Take a seat's answer to an open sealed decision back. Gives the choices that it was made of."""
    position = live.position
    assert position is not None
    answers = position.sealed_answers.get(seat, [])
    for _ in answers:
        position.undo(seat)
    live.stages.clear()
    live.pending.moved = True
    live.touch(seat, timed=False)
    settle(live, now)
    return answers


def _draw(live: Live, now: int) -> None:
    """Let all chance happen that is asked for."""
    position = live.position
    assert position is not None
    ask = position.chance
    if ask is None:
        return
    source = FairChance(live.row.seed, live.row.id, [seat.share or "" for seat in live.seats])
    while ask is not None:
        if isinstance(ask, Draw):
            pool = sorted(ask.pool)
            outcome = pool[source.pick(position.chances, len(pool))]
            _feed(live, CHANCE, ask.kind.first + outcome, now, pool)
        else:
            _feed(live, CHANCE, ask.kind.first + source.pick(position.chances, ask.kind.size), now)
        ask = position.chance


def _feed(live: Live, who: int, choice: int, now: int, pool: list[int] | None = None) -> None:
    """One answer; what follows from it is kept."""
    position = live.position
    assert position is not None and position.record is not None
    before = len(position.record)
    sequence = position.sequence
    own = 1 + sum(map(len, position.sealed_answers.values())) if position.sealed else 1
    shown = Before(position, who)
    position.apply(choice, None if who == CHANCE else who)
    if shown.is_shown(position):
        live.row.fixed = position.sequence
    _keep(live, before, sequence, own, pool, now)


def _keep(live: Live, before: int, sequence: int, own: int, pool: list[int] | None, now: int) -> None:
    """Keep what one answer added to the record: itself (or all of a sealed decision), then what went unasked."""
    row = live.row
    pending = live.pending
    position = live.position
    assert position is not None and position.record is not None
    live.stages.clear()
    pending.moved = True
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
        data = position.encodable_save()
        since = data["since"]
        data["since"], data["sealed"] = [], {}
        live.quiet = encode(data)
        pending.checkpoints.append(CheckpointRow(row.id, row.number - len(since), live.checkpoint, live.quiet))


# -- going back ----------------------------------------------------------------------------------------------------


def go_back(live: Live, position: Position, taken: Sequence[ChoiceRow], now: int) -> None:
    """The game stands at an earlier moment again, with the time that was left then. taken: the answers since.

    Nothing of it may have shown what was hidden. Whoever is asked gets no less time than one increment.
    """
    row = live.row
    table_clock = clock.clock_of(row)
    length = row.number - len(taken)
    answers = [(each.sequence, each.seat, each.choice, each.audience) for each in taken]
    live.pending.undone.append(UndoneRow(row.id, row.told, length, position.sequence, answers, now))
    live.pending.cut = row.number = length
    live.pending.moved = True
    row.sequence = position.sequence
    row.votes = {}
    position.take_events()
    live.position = position
    live.checkpoint, live.quiet = position.checkpoint_sequence, ""
    live.stages.clear()
    for seat in live.seats:
        held = clock.held(live, seat, now)
        clock.stop(live, seat)
        if seat.turn is not None and seat.turn[0] >= position.sequence:
            held = seat.turn[1]
            seat.turn = None
        if table_clock is not None and held is not None and seat.seat in position.to_move:
            held = max(held, 1000 * table_clock.increment_s)
        seat.bank_ms = held
        seat.draft = []
        seat.plan = None
        seat.revision += 1
        live.touch(seat.seat)
    settle(live, now)


# -- what follows from the moment ----------------------------------------------------------------------------------


def settle(live: Live, now: int, *, by_bot: bool = False) -> None:
    """Whom the game asks now, whose time runs, what has to happen by itself.

    by_bot: the one who changed the table looks after the bots anyway.
    """
    row = live.row
    position = live.position
    if row.status == "running" and position is not None and position.over:
        row.status = "over"
        row.votes = {}
        row.result = {"places": position.ranking(), "totals": position.scores()}
        live.tell("ended", now)
        for user_id in _people(live):
            mine = [seat.seat for seat in live.seats if seat.user_id == user_id]
            seats = [(seat.name, seat.bot if seat.kind == "bot" else "") for seat in live.seats]
            live.notify("over", user_id, now, mark="", places=row.result["places"], mine=mine, seats=seats)
    running = row.status == "running" and position is not None
    asked = position.to_move if running and position is not None else ()
    over = row.status in ("over", "cancelled")
    for seat in live.seats:
        clock.ask(live, seat, seat.seat in asked, now)
        if over and seat.ended is None:
            seat.draft, seat.plan, seat.ended = [], None, now
            live.pending.seats.add(seat.seat)
    if running and not by_bot and any(live.seats[seat].bot for seat in asked):
        live.set_job("bot", now)
    if running and any(live.plans(seat) for seat in asked):
        live.set_job("plan", now + _PLANNED_MS + secrets.randbelow(_SPREAD_MS))
    clock.set_alarm(live, running)


def cancel(live: Live, now: int) -> None:
    """The game ends without a result."""
    for user_id in _people(live):
        live.notify("over", user_id, now, mark="", cancelled=True)
    live.row.status = "cancelled"
    live.row.votes = {}
    live.tell("cancelled", now)
    live.touch()
    settle(live, now)


def _people(live: Live) -> list[str]:
    """All who sit at a table, if there is more than one."""
    found = {seat.user_id: None for seat in live.seats if seat.kind == "person" and seat.user_id is not None}
    return list(found) if len(found) > 1 else []
