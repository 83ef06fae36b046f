"""New tables: what a plan must be, and the rows it becomes."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Container, Sequence
from typing import Final, get_args

import msgspec

from atoll.engine import OptionError, SeatCountError
from atoll.store import GameRow, SeatRow

from ..domain import names, sanitize, wall_clock
from ..domain.model import LONG_S, AtZero, Clock, NewTable, Refused, SeatPlan, User
from ..table.fair_chance import commitment, new_seed
from ..table.live_table import Live
from ..table.permissions import free_kind
from .game_catalogue import Catalogue

_DAY_S: Final = 86_400
_CLOCK_LIMITS: Final = (60, 90 * _DAY_S)


def new_table(
    catalogue: Catalogue, user: User, new: NewTable, start_after_s: float, reached: Container[str] = ()
) -> Live:
    """A table as the user wants it, not yet kept. start_after_s: see ServerSettings. reached: see Live.

    Raises Refused.
    """
    game = catalogue.game(new.game)
    now = wall_clock.now_ms()
    try:
        if len(new.seats) not in game.seat_counts:
            allowed = ", ".join(map(str, game.seat_counts))
            raise SeatCountError(f"{game.id} can't be played with {len(new.seats)} seats; allowed: {allowed}")
        options = game.resolve_options(new.options, len(new.seats))
    except SeatCountError as error:
        raise Refused("bad_seats", 422, str(error)) from None
    except OptionError as error:
        raise Refused("bad_option", 422, str(error)) from None
    if new.visibility not in ("lobby", "link", "private"):
        raise Refused("bad_option", 422, "visibility: allowed are lobby, link, private")
    levels = catalogue.levels(game.id)
    if new.stand_in and new.stand_in not in levels:
        raise Refused("bad_option", 422, f"stand_in: no bot {new.stand_in[:40]!r}; allowed: {', '.join(levels)}")
    seed = new_seed()
    row = GameRow(
        id=base64.b32encode(secrets.token_bytes(10))[:14].decode().lower(),
        game=game.id,
        rules_version=game.rules_version,
        box=game.box_hash,
        options=options,
        visibility=new.visibility,
        status="gathering",
        host=user.id,
        clock=None if new.clock is None else msgspec.structs.asdict(_checked_clock(new.clock)),
        commitment=commitment(seed),
        seed=seed,
        created=now,
        changed=now,
        advice=_is_alone(new.seats) if new.advice is None else new.advice,
        stand_in=new.stand_in or catalogue.usual(game.id),
    )
    seats = [new_seat(catalogue, row, number, plan, user) for number, plan in enumerate(new.seats)]
    persons = [seat for seat in seats if seat.kind == "person"]
    if not persons:
        raise Refused("bad_seats", 422, "the creator needs a seat: one must be `me`")
    for seat, name in zip(persons, names.of_persons(seat.name for seat in persons), strict=True):
        seat.name = name
    live = Live(row, seats, catalogue.by_id, reached)
    live.events, live.messages, live.noted = [], [], True
    live.touch(*range(len(seats)))
    start_when_filled(live, now, start_after_s)
    return live


def new_seat(catalogue: Catalogue, row: GameRow, number: int, plan: SeatPlan, user: User) -> SeatRow:
    """A seat as the user wants it. Raises Refused."""
    seat = SeatRow(row.id, number, "open")
    if plan.kind == "me":
        seat.kind, seat.user_id, seat.name = "person", user.id, user.name
        seat.calendar = msgspec.to_builtins(user.calendar)
    elif plan.kind == "device":
        seat.kind, seat.user_id = "person", user.id
        seat.calendar = msgspec.to_builtins(user.calendar)
        seat.name = sanitize.name(plan.name) if plan.name else f"{user.name[:20]} {number + 1}"
    elif plan.kind == "bot":
        seat.kind, seat.bot = "bot", catalogue.level(row.game, plan.bot)
        seat.name = seat.bot
    elif plan.kind == "invite":
        seat.kind = "invite"
    elif plan.kind == "open":
        seat.kind = free_kind(row)
    else:
        raise Refused("bad_seats", 422, "seat kinds: allowed are me, device, invite, open, bot")
    return seat


def start_when_filled(live: Live, now: int, start_after_s: float) -> None:
    """A table on whose every seat somebody sits begins at the latest after so long."""
    if live.filled():
        live.set_job("start", now + int(1000 * start_after_s))


def show_shares(live: Live, now: int, show_after_s: float) -> None:
    """All that will be committed to is: from now on browsers show their shares, each for so long at most.

    show_after_s: see ServerSettings.
    """
    live.row.closed = now
    live.touch()
    if awaited(live):
        wait = show_after_s if live.row.clock is None else min(live.row.clock["bank_s"], _DAY_S)
        live.set_job("start", now + int(1000 * wait))


def share_anew(live: Live) -> None:
    """Somebody else will sit here: shares that were shown are worth nothing to whoever comes, so all give new ones."""
    if live.row.closed is not None:
        live.row.closed = None
        for row in live.seats:
            row.share = row.commitment = None
        live.touch(*range(len(live.seats)))


def awaited(live: Live) -> list[SeatRow]:
    """The seats whose commitment is awaited; once all are in, those whose share is."""
    persons = [row for row in live.seats if row.kind == "person"]
    if live.row.closed is None:
        return [row for row in persons if row.commitment is None]
    return [row for row in persons if row.commitment is not None and row.share is None]


def _checked_clock(clock: Clock) -> Clock:
    low, high = _CLOCK_LIMITS
    fits = low <= clock.bank_s <= clock.cap_s <= high and 0 <= clock.increment_s <= high
    if not fits:
        raise Refused("bad_option", 422, f"clock: {low} <= bank <= cap <= {high} seconds, increment 0 to {high}")
    if clock.at_zero not in get_args(AtZero):
        raise Refused("bad_option", 422, f"clock: at_zero is one of {', '.join(get_args(AtZero))}")
    if clock.bank_s < LONG_S and (clock.hours or clock.weekend or clock.vacation):
        raise Refused("bad_option", 422, f"clock: hours, weekend and vacation need a bank of {LONG_S} seconds or more")
    return clock


def _is_alone(seats: Sequence[SeatPlan]) -> bool:
    """Whether one person plays, against bots."""
    return [seat.kind for seat in seats if seat.kind != "bot"] == ["me"]
