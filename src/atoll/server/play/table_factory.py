"""Creation of tables: validation of the plan, and the resulting rows."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Container, Sequence
from typing import Final, get_args

import msgspec

from atoll.engine import OptionError
from atoll.engine.languages import LANGUAGES
from atoll.store import SeatRow, TableRow

from ..domain import names, sanitize, wall_clock
from ..domain.model import LONG_S, AtZero, Clock, NewTable, Refused, SeatPlan, User
from ..domain.paces import pace_of
from ..domain.reliability import LEAST_RELIABILITY
from ..domain.settings import ServerSettings
from ..table import chance_rounds, rated_games
from ..table.chance_rounds import StartTimes
from ..table.live_table import LiveTable
from ..table.permissions import free_kind
from .game_catalogue import GameCatalogue

_DAY_S: Final = 86_400
_CLOCK_LIMITS: Final = (60, 90 * _DAY_S)


def table_id(data: bytes) -> str:
    """Return an id of a table from at least 9 bytes."""
    return base64.b32encode(data)[:14].decode().lower()


def start_times(settings: ServerSettings) -> StartTimes:
    """Return the times that a full table waits before its game."""
    return StartTimes(settings.start_after_s, settings.show_after_s)


def new_table(
    catalogue: GameCatalogue,
    user: User,
    new: NewTable,
    times: StartTimes,
    reached: Container[str] = (),
    *,
    id: str = "",
) -> LiveTable:
    """Return a new table, which isn't stored yet.

    Args:
        catalogue: The games that can be played.
        user: The host.
        new: The table to create.
        times: The times that a full table waits.
        reached: Users that have a channel for notifications.
        id: Id of the table; "" for a random one.

    Raises:
        Refused: If an option, seat, level or the time control isn't valid, or the game can't count
            although it should.
    """
    game = catalogue.game(new.game)
    now = wall_clock.now_ms()
    if len(new.seats) not in game.seat_counts:
        allowed = ", ".join(map(str, game.seat_counts))
        detail = f"{game.id} can't be played with {len(new.seats)} seats; allowed: {allowed}"
        raise Refused("bad_seats", 422, detail)
    try:
        options = game.resolve_options(new.options, len(new.seats))
    except OptionError as error:
        raise Refused("bad_option", 422, str(error)) from None
    if new.visibility not in ("lobby", "link", "private"):
        raise Refused("bad_option", 422, "visibility: expected lobby, link or private")
    levels = catalogue.levels(game.id, len(new.seats))
    if new.stand_in and new.stand_in not in levels:
        raise Refused("bad_option", 422, f"stand_in: unknown bot {new.stand_in[:40]!r}; allowed: {', '.join(levels)}")
    if new.least_reliability not in LEAST_RELIABILITY:
        allowed = ", ".join(map(str, LEAST_RELIABILITY))
        raise Refused("bad_option", 422, f"least_reliability: expected one of {allowed}")
    if new.approval and new.rated:
        detail = "a game that counts for ratings is open to all accounts: choose a friendly game, or no approval"
        raise Refused("no_approval", 422, detail)
    if new.language not in ("", *LANGUAGES):
        raise Refused("bad_option", 422, f"language {new.language[:8]!r}: expected one of {', '.join(LANGUAGES)}")
    row = TableRow(
        id=id or table_id(secrets.token_bytes(10)),
        game=game.id,
        rules_version=game.rules_version,
        box=game.components_hash,
        options=options,
        visibility=new.visibility,
        status="gathering",
        host=user.id,
        clock=None if new.clock is None else msgspec.structs.asdict(_checked_clock(new.clock)),
        created=now,
        changed=now,
        advice=_is_alone(new.seats) if new.advice is None else new.advice,
        stand_in=new.stand_in or catalogue.default_level(game.id, len(new.seats)),
        chat_after=new.chat_after,
        pace=pace_of(new.clock),
        rated=new.rated,
        least_reliability=new.least_reliability,
        approval=new.approval,
        language=new.language,
    )
    chance_rounds.set_first_offer(row)
    seats = [new_seat(catalogue, row, number, plan, user, len(new.seats)) for number, plan in enumerate(new.seats)]
    persons = [seat for seat in seats if seat.kind == "person"]
    if not persons:
        raise Refused("bad_seats", 422, "the creator needs a seat: expected one of kind `me`")
    if new.rated:
        rated_games.require_rateable(row, seats, game)
    for seat, name in zip(persons, names.distinct_names(seat.name for seat in persons), strict=True):
        seat.name = name
    live = LiveTable(row, seats, catalogue.by_id, reached)
    live.events, live.messages, live.notes_complete = [], [], True
    live.mark_changed(*range(len(seats)))
    chance_rounds.wait_for_seals(live, now, times)
    return live


def new_seat(catalogue: GameCatalogue, row: TableRow, number: int, plan: SeatPlan, user: User, seats: int) -> SeatRow:
    """Return the row of a seat.

    Args:
        catalogue: The games that can be played.
        row: The table.
        number: Number of the seat.
        plan: Its planned holder.
        user: The host.
        seats: Number of seats of the table.

    Raises:
        Refused: If the kind, name or level isn't valid.
    """
    seat = SeatRow(row.id, number, "open")
    if plan.kind == "me":
        seat.kind, seat.user_id, seat.name = "person", user.id, user.name
        seat.guest = not user.has_account
        seat.calendar = msgspec.to_builtins(user.calendar)
    elif plan.kind == "device":
        # Another player has a free name, even on the device of an account.
        seat.kind, seat.user_id, seat.guest = "person", user.id, True
        seat.calendar = msgspec.to_builtins(user.calendar)
        seat.name = sanitize.name(plan.name) if plan.name else f"{user.name[:20]} {number + 1}"
    elif plan.kind == "bot":
        seat.kind, seat.bot = "bot", catalogue.level(row.game, plan.bot, seats)
        seat.name = seat.bot
    elif plan.kind == "invite":
        seat.kind = "invite"
    elif plan.kind == "open":
        seat.kind = free_kind(row)
    else:
        raise Refused("bad_seats", 422, f"unknown seat kind {plan.kind!r}; allowed: me, device, invite, open, bot")
    return seat


def _checked_clock(clock: Clock) -> Clock:
    low, high = _CLOCK_LIMITS
    fits = low <= clock.bank_s <= clock.cap_s <= high and 0 <= clock.increment_s <= high
    if not fits:
        raise Refused("bad_option", 422, f"clock: {low} <= bank <= cap <= {high} seconds, increment 0 to {high}")
    if clock.at_zero not in get_args(AtZero):
        raise Refused("bad_option", 422, f"clock: at_zero: expected one of {', '.join(get_args(AtZero))}")
    if clock.bank_s < LONG_S and (clock.hours or clock.weekend or clock.vacation):
        raise Refused("bad_option", 422, f"clock: hours, weekend and vacation need a bank of {LONG_S} seconds or more")
    return clock


def _is_alone(seats: Sequence[SeatPlan]) -> bool:
    """Return whether one person plays against bots."""
    return [seat.kind for seat in seats if seat.kind != "bot"] == ["me"]
