"""Creation of competitions: validation of the plan, and the rows of following seasons."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, get_args

import msgspec

from atoll.engine import OptionError
from atoll.store import CompetitionRow, EntryRow

from ..domain import sanitize
from ..domain.competitions import (
    EVENING_CLOCK,
    HIGHEST_LEVEL,
    LEAGUE_CLOCK,
    TITLE_LENGTH,
    CompetitionKind,
    CompetitionRules,
    NewCompetition,
)
from ..domain.divisions import Division, find_division
from ..domain.draw import Finish, ladder, lot, seed_hash
from ..domain.model import Refused
from ..domain.playing_hours import DAY_MS
from .game_catalogue import GameCatalogue

_DAYS: Final = (14, 140)
_ROUNDS: Final = (2, 6)
_MINUTES: Final = (15, 180)
_SOON_MS: Final = {"league": DAY_MS, "solo": DAY_MS, "evening": 30 * 60_000}
_FAR_MS: Final = 180 * DAY_MS
MINUTE_MS: Final = 60_000


def rules_of(row: CompetitionRow) -> CompetitionRules:
    """Return the rules of a competition."""
    return msgspec.convert(row.rules, CompetitionRules)


def division_of(row: CompetitionRow) -> Division:
    """Return the arrangement of the divisions of a league or mini cup."""
    return find_division(row.table_seats, rules_of(row).division)


def check_in_at(row: CompetitionRow) -> int | None:
    """Return the time from which those who entered confirm, or None for a mini cup.

    It is 24 hours before a season, and half an hour before an evening.
    """
    return None if row.starts is None or row.kind == "mini" else row.starts - _SOON_MS[row.kind]


def new_competition(catalogue: GameCatalogue, new: NewCompetition, now: int, host_id: str | None) -> CompetitionRow:
    """Return the row of a new competition.

    Args:
        catalogue: The games that can be played.
        new: The competition to create.
        now: The current time in milliseconds.
        host_id: The host of a private cup, or None.

    Raises:
        Refused: If the game, the division, a time or a number isn't valid.
    """
    game = catalogue.game(new.game)
    if new.kind not in get_args(CompetitionKind):
        raise Refused("bad_option", 422, f"kind: expected one of {', '.join(get_args(CompetitionKind))}")
    if new.private and new.kind != "mini":
        raise Refused("bad_option", 422, "only mini cups can be private")
    alone = new.kind == "solo"
    if new.seats not in game.seat_counts or (new.seats == 1) != alone:
        allowed = ", ".join(str(count) for count in game.seat_counts if (count == 1) == alone) or "none in this format"
        raise Refused("bad_seats", 422, f"{game.id} can't be played with {new.seats} seats; allowed: {allowed}")
    if new.kind in ("league", "mini"):
        try:
            find_division(new.seats, new.division)
        except ValueError as error:
            raise Refused("bad_division", 422, str(error)) from None
    try:
        options = game.resolve_options({}, new.seats)
    except OptionError as error:
        raise Refused("bad_option", 422, str(error)) from None
    _require_range("days", new.days, _DAYS)
    _require_range("rounds", new.rounds, _ROUNDS)
    _require_range("minutes", new.minutes, _MINUTES)
    title = sanitize.clean(new.title[: 2 * TITLE_LENGTH])[:TITLE_LENGTH]
    starts = None
    if new.kind != "mini":
        starts = _start(new, now)
    division = new.division if new.kind in ("league", "mini") else ""
    rules = CompetitionRules(division, new.days, 7, 1, new.rounds, new.minutes)
    clock = None if alone else EVENING_CLOCK if new.kind == "evening" else LEAGUE_CLOCK
    id = secrets.token_hex(7)
    seed = secrets.token_hex(32)
    row = CompetitionRow(
        *(id, new.kind, id, 1, game.id, options, new.seats, None if clock is None else msgspec.structs.asdict(clock)),
        rated=not new.private and not alone,
        state="open",
        opens=now,
        seed_hash=seed_hash(seed),
        seed=seed,
        rules=msgspec.to_builtins(rules),
        title=title,
        listed=not new.private,
        host_id=host_id,
        starts=starts,
    )
    row.ends = _end(row)
    return row


def _require_range(name: str, value: int, limits: tuple[int, int]) -> None:
    """Refuse a number outside of its limits."""
    low, high = limits
    if not low <= value <= high:
        fields = {"lo": low, "hi": high}
        raise Refused("bad_number", 422, f"invalid {name} {value}: expected {low} to {high}", fields=fields)


def _start(new: NewCompetition, now: int) -> int:
    """Return the time of the first games after checking it."""
    if new.starts is None:
        raise Refused("bad_start", 422, f"a {new.kind} needs a time of its first games")
    starts = int(1000 * new.starts.timestamp())
    soonest = now + 2 * _SOON_MS[new.kind]
    if not soonest <= starts <= now + _FAR_MS:
        days = _FAR_MS // DAY_MS
        hours = 2 * _SOON_MS[new.kind] // 3_600_000
        detail = f"the first games must begin in {hours} hours to {days} days"
        raise Refused("bad_start", 422, detail, fields={"hours": hours, "n": days})
    return starts


def _end(row: CompetitionRow) -> int | None:
    """Return the hard end of the games; for an evening that of the first round."""
    if row.starts is None:
        return None
    rules = rules_of(row)
    return row.starts + (rules.minutes * MINUTE_MS if row.kind == "evening" else rules.days * DAY_MS)


def started(row: CompetitionRow, now: int) -> dict[str, Any]:
    """Return the times of a mini cup that starts now."""
    return {"starts": now, "ends": now + rules_of(row).days * DAY_MS}


# -- what follows ----------------------------------------------------------------------------------


def _following(row: CompetitionRow, suffix: str, now: int, **given: Any) -> CompetitionRow:
    """Return a competition like another one; its id is the same after a restart."""
    seed = secrets.token_hex(32)
    id = hashlib.sha256(f"{row.id}/{suffix}".encode()).hexdigest()[:14]
    fresh = {"id": id, "state": "open", "opens": now, "seed": seed, "seed_hash": seed_hash(seed), "round": 0}
    fresh |= {"starts": None, "ends": None, "host_log": [], "standings": None}
    values = {name: getattr(row, name) for name in row.__dataclass_fields__}
    return CompetitionRow(**{**values, **fresh, **given})


def next_cup(row: CompetitionRow, now: int) -> CompetitionRow:
    """Return the cup that takes entries after a mini cup is full."""
    return _following(row, "again", now, season=row.season + 1)


def higher_cup(row: CompetitionRow, series: Sequence[CompetitionRow], now: int) -> CompetitionRow | None:
    """Return the cup that the winner of a mini cup may enter, or None if there is one already.

    Args:
        row: The cup that is over.
        series: All cups of the series.
        now: The current time in milliseconds.
    """
    rules = rules_of(row)
    level = rules.level + 1
    if level > HIGHEST_LEVEL or any(each.state == "open" and rules_of(each).level == level for each in series):
        return None
    season = 1 + sum(rules_of(each).level == level for each in series)
    higher = msgspec.to_builtins(msgspec.structs.replace(rules, level=level))
    return _following(row, "up", now, rules=higher, season=season)


def next_season(
    row: CompetitionRow, entries: Sequence[EntryRow], finishes: dict[str, Finish], now: int
) -> tuple[CompetitionRow, list[EntryRow]]:
    """Return the next season of a league or solo league, with the entries that are carried over.

    Players keep the order of the ladder. Those who got no place stay on the waiting list. Players
    who dropped out aren't carried over.

    Args:
        row: The season that is over.
        entries: Its entries.
        finishes: The results by user.
        now: The current time in milliseconds.
    """
    rules = rules_of(row)
    assert row.ends is not None
    starts = row.ends + rules.pause_days * DAY_MS
    while starts < now + 2 * DAY_MS:
        starts += 7 * DAY_MS
    fresh = _following(row, "next", now, season=row.season + 1, starts=starts)
    fresh.ends = _end(fresh)
    order = {user: position for position, user in enumerate(ladder(finishes), 1)}
    carried = [
        EntryRow(fresh.id, each.user_id, each.name, each.entered, "waiting", order.get(each.user_id))
        for each in entries
        if each.state != "out" and (each.user_id in order or each.number is None)
    ]
    return fresh, carried


def finish_of(row: CompetitionRow, entry: EntryRow, rank: int, size: int, points: Fraction, games: int) -> Finish:
    """Return the result of an entry for the ladder.

    Args:
        row: The competition.
        entry: The entry.
        rank: Rank in its division.
        size: Number of players of the division.
        points: Its points.
        games: Number of its games.
    """
    return Finish(entry.tier or 1, rank, size, points / max(1, games), lot(row.seed, row.id, entry.name))
