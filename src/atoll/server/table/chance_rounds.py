"""The rounds in which a table prepares its chance: offer, seals, terms, shares, start or break.

Everything that decides chance is fixed when the list of seals is closed. The game begins once all
sealed shares are shown, never without one. If one is missing, a new round follows.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from atoll.engine import Position
from atoll.store import RoundRow, SeatRow, TableRow

from ..domain.model import BrokenRound, ChanceState, Offer, Refused, SeatName, SharedDraws, Terms
from . import lifecycle
from .chance_protocol import (
    NEW,
    PROTOCOL,
    name_tag,
    new_secret,
    offer_digest,
    seal_of,
    seed_digest,
    start_digest,
)
from .chance_source import digest_of_terms
from .live_table import LiveTable

_AT_PAGE_MS: Final = 20_000
"""Delay of a notification that a table waits for a browser. One at an open page answers at once."""


class StartTimes(NamedTuple):
    """The times that a full table waits before its game.

    Attributes:
        seals_s: Seconds that it waits for seals after the last seat was taken.
        shares_s: Seconds that it waits for shares, and for the seals of later rounds.

    A correspondence table, whose players aren't expected to stay, waits the time of a move instead.
    """

    seals_s: float
    shares_s: float


# -- the current round -----------------------------------------------------------------------------


def set_first_offer(row: TableRow) -> None:
    """Give a new table its first offer."""
    row.chance, row.round, row.offered, row.seed = row.id, 1, row.created, new_secret()


def offer_of(row: TableRow) -> Offer:
    """Return the current offer of a table."""
    return Offer(row.chance, row.round, seed_digest(row.chance, row.round, row.seed))


def terms_of(row: TableRow) -> Terms | None:
    """Return the terms of the current round, or None if its list of seals isn't closed."""
    return None if row.terms is None else msgspec.convert(row.terms["terms"], Terms)


def seals_of(live: LiveTable) -> tuple[str, ...]:
    """Return the seal of each seat, or ""."""
    if live.row.terms is not None:
        return tuple(live.row.terms["seals"])
    return tuple(seat.seal or "" for seat in live.seats)


def names_of(live: LiveTable) -> tuple[SeatName | None, ...]:
    """Return name and salt of each seat that has a tag in the terms; none before there are any."""
    if live.row.terms is None:
        return ()
    return tuple(SeatName(seat.name, seat.name_salt) if seat.name_salt else None for seat in live.seats)


def missing_seats(live: LiveTable) -> tuple[int, ...]:
    """Return the seats whose seal is missing; once the list is closed, those whose share is."""
    if live.row.terms is None:
        return tuple(seat.seat for seat in _givers(live) if seat.seal is None)
    return tuple(seat for seat, seal in enumerate(seals_of(live)) if seal and live.seats[seat].share is None)


def own_missing_seats(live: LiveTable, mine: Sequence[int]) -> tuple[int, ...]:
    """Return the missing seats among those of a player."""
    return tuple(seat for seat in missing_seats(live) if seat in mine)


def is_awaited(live: LiveTable, user_id: str, step: str) -> bool:
    """Return whether a table waits for a user's browser.

    Args:
        live: The table.
        user_id: The user.
        step: "seal" or "share".
    """
    waits = live.row.status == "gathering" and live.is_full() and step == _step(live)
    return waits and bool(own_missing_seats(live, live.seats_of(user_id)))


def _step(live: LiveTable) -> str:
    return "seal" if live.row.terms is None else "share"


def state_of(live: LiveTable) -> ChanceState | None:
    """Return the preparation of a table's chance, or None if its game has begun."""
    row = live.row
    if row.status != "gathering" or not row.chance:
        return None
    return ChanceState(PROTOCOL, offer_of(row), terms_of(row), seals_of(live), missing_seats(live), names_of(live))


def _givers(live: LiveTable) -> list[SeatRow]:
    """Return the seats that give a share: the first one of each person."""
    first: dict[str | None, SeatRow] = {}
    for seat in live.seats:
        if seat.kind == "person":
            first.setdefault(seat.user_id, seat)
    return [seat for seat in first.values() if not seat.unshown]


def is_seed_public(row: TableRow) -> bool:
    """Return whether the seed of a table is published.

    A table of a solo league is private until the season is over, because others play with the same
    draws.
    """
    terms = terms_of(row)
    shared = terms is not None and terms.shared is not None
    return row.status == "over" and not (shared and row.visibility == "private")


# -- seals and shares ------------------------------------------------------------------------------


def seal(live: LiveTable, seat: int, offer: str, given: str) -> None:
    """Store the seal of a seat's share.

    Args:
        live: The table.
        seat: The seat.
        offer: Digest of the offer that it was given to.
        given: The seal.

    Raises:
        Refused: If the offer isn't the current one, the list is closed, or the seat gives nothing.
    """
    row = live.seats[seat]
    if offer != offer_digest(offer_of(live.row)):
        raise Refused("other_offer", 409, "the table has another offer by now: read it again")
    if row.seal == given:
        return
    if live.row.terms is not None:
        raise Refused("seals_closed", 409, "the list of seals is closed")
    if row.seal is not None:
        raise Refused("taken", 409, "this seat has given a seal already")
    if row not in _givers(live):
        raise Refused("no_share", 409, "this seat gives no share: see `missing` of the table's `chance`")
    row.seal = given
    live.mark_changed(seat, listed=False)


def show(live: LiveTable, seat: int, terms: str, share: str) -> None:
    """Store the share of a seat.

    Args:
        live: The table.
        seat: The seat.
        terms: Digest of the terms under which it is shown.
        share: The share.

    Raises:
        Refused: If the terms aren't the current ones, or the share doesn't fit the seat's seal.
    """
    row = live.seats[seat]
    if live.row.terms is None:
        raise Refused("seals_open", 409, "the list of seals isn't closed: show the share when it is")
    if terms != digest_of_terms(live.row):
        raise Refused("other_terms", 409, "the table has other terms by now: read it again")
    if row.seal is None:
        raise Refused("no_share", 409, "this seat has given no seal, so it can't give a share")
    if seal_of(offer_digest(offer_of(live.row)), seat, share) != row.seal:
        raise Refused("other_share", 422, "this share doesn't fit the seat's seal")
    if row.share is None:
        row.share = share
        live.mark_changed(seat, listed=False)


# -- the way to the start --------------------------------------------------------------------------


def wait_for_seals(live: LiveTable, now: int, times: StartTimes) -> None:
    """Set the job that closes the list of a full table at the latest after a while.

    In later rounds no seat was taken last, and players may be away, as they always may at a
    correspondence table. Seals then have as much time as shares.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    if not live.is_full():
        return
    soon = live.row.round == 1 and live.row.pace != "correspondence"
    live.set_job("start", now + int(1000 * (times.seals_s if soon else _share_wait_s(live.row, times))))
    if live.row.competition_id is None or live.row.round > 1:  # the draw of a competition is announced already
        tell_awaited(live, now)


def advance(live: LiveTable, now: int, times: StartTimes) -> None:
    """Take the next steps to the start of a full table if nothing is missing for them.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    if not live.is_full():
        return
    if live.row.terms is None:
        if missing_seats(live):
            return
        close_list(live, now, times)
    if not missing_seats(live):
        _begin(live, now, times)


def stop_waiting(live: LiveTable, now: int, times: StartTimes) -> None:
    """Close the list without the missing seals, or break the start off if shares are missing.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    if live.row.terms is None:
        close_list(live, now, times)
        advance(live, now, times)
    else:
        _give_none(live, missing_seats(live), now, times)


def skip_waiting(live: LiveTable, mine: Sequence[int], now: int, times: StartTimes) -> None:
    """Stop waiting for seals or shares, on a player's request.

    At a correspondence table, a player can only give none: the others have the time of a move.

    Args:
        live: The full table.
        mine: The player's seats.
        now: The current time in milliseconds.
        times: The times that a table waits.

    Raises:
        Refused: If others still have time to give theirs.
    """
    if live.row.pace != "correspondence":
        _require_skippable(live, now, times)
        stop_waiting(live, now, times)
    elif own := own_missing_seats(live, mine):
        _give_none(live, own, now, times)
    else:
        raise Refused(
            "others_awaited", 409, "others have the time of a move for their shares: you can only give up your own"
        )


def _give_none(live: LiveTable, seats: Sequence[int], now: int, times: StartTimes) -> None:
    """Let seats give no share in this start; a start that awaits one of their shares is broken off.

    Args:
        live: The table.
        seats: Seats from which something is missing.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    for seat in seats:
        live.seats[seat].unshown = True
        live.mark_changed(seat, listed=False)
    if live.row.terms is not None:
        break_off(live, now, "unshown", seats)
        wait_for_seals(live, now, times)
    advance(live, now, times)


def close_list(
    live: LiveTable,
    now: int,
    times: StartTimes | None = None,
    start: str = NEW,
    shared: SharedDraws | None = None,
) -> None:
    """Close the list of seals for good: from now on the terms are fixed.

    Args:
        live: The full table.
        now: The current time in milliseconds.
        times: The times that a table waits; None if no share is awaited.
        start: The start that the terms name.
        shared: The draws of a solo league, or None.
    """
    row, game = live.row, live.game
    assert game is not None and row.terms is None
    first: dict[str | None, int] = {}
    seats = []
    for seat in live.seats:
        if seat.kind != "person":
            seats.append(f"bot {seat.bot}")
        elif first.setdefault(seat.user_id, seat.seat) != seat.seat:
            seats.append(f"same {first[seat.user_id]}")
        else:
            seat.name_salt = new_secret()
            seats.append(f"person {name_tag(seat.name_salt, seat.name)}")
    terms = Terms(game.id, game.rules_version, game.components_digest, row.options, tuple(seats), start, shared)
    row.terms = {
        "terms": msgspec.to_builtins(terms),
        "seals": [seat.seal or "" for seat in live.seats],
        "closed": now,
    }
    live.mark_changed(*range(len(live.seats)))
    if times is not None and missing_seats(live):
        live.set_job("start", now + int(1000 * _share_wait_s(row, times)))
        tell_awaited(live, now)


def tell_awaited(live: LiveTable, now: int) -> None:
    """Notify the players of a correspondence table who have to open its page before the game."""
    if live.row.pace == "correspondence":
        step = _step(live)
        for seat in missing_seats(live):
            mark = f"{step}.{seat}.{now}"
            live.notify("turn", live.seats[seat].user_id, now, mark=mark, due=now + _AT_PAGE_MS, awaited=step)


def _require_skippable(live: LiveTable, now: int, times: StartTimes) -> None:
    """Refuse to wait no longer for seals and shares that browsers had no time to give.

    A second press of the same button would otherwise close the list of the round that the first one
    began. In the first round, browsers seal while seats are taken.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.

    Raises:
        Refused: If the list of seals was closed, or a further round began, a moment ago.
    """
    row, wait = live.row, int(1000 * times.seals_s)
    if row.terms is not None and now < row.terms["closed"] + wait:
        raise Refused("shares_awaited", 409, "the list of seals was closed a moment ago: wait for the shares")
    if row.terms is None and row.round > 1 and now < row.offered + wait:
        raise Refused("seals_awaited", 409, "a new round began a moment ago: wait for the seals")


def timer_due(live: LiveTable, now: int, times: StartTimes) -> int:
    """Return the earliest moment at which the timer breaks a start off; now if it awaits seals.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    row = live.row
    return now if row.terms is None else row.terms["closed"] + int(1000 * _share_wait_s(row, times))


def _share_wait_s(row: TableRow, times: StartTimes) -> float:
    """Return the seconds to wait for shares: at a correspondence table, the time of a move."""
    return row.clock["bank_s"] if row.clock is not None and row.pace == "correspondence" else times.shares_s


def _begin(live: LiveTable, now: int, times: StartTimes) -> None:
    """Start the game, unless the rules or components have changed since the terms were fixed."""
    terms, game = terms_of(live.row), live.game
    assert terms is not None and game is not None
    if (terms.rules, terms.components) != (game.rules_version, game.components_digest):
        break_off(live, now, "rules")
        wait_for_seals(live, now, times)
        return
    lifecycle.begin(live, now)


def break_off(live: LiveTable, now: int, reason: str, seats: Sequence[int] = ()) -> None:
    """End the current round without a game; the next one has a new offer.

    Args:
        live: The table.
        now: The current time in milliseconds.
        reason: Reason; see `BrokenRound`.
        seats: Seats that the reason names.
    """
    row = live.row
    _note_round(live, now, reason, seats)
    for seat in seats:
        live.log_event(f"start_{reason}", now, seat=seat, name=live.seats[seat].name)
    if not seats:
        live.log_event(f"start_{reason}", now)
    row.round, row.offered, row.seed = row.round + 1, now, new_secret()
    _drop_seals(live)


def _note_round(live: LiveTable, now: int, reason: str, seats: Sequence[int] = ()) -> None:
    """Add the current round to those that are published with its reason."""
    row = live.row
    terms = "" if row.terms is None else digest_of_terms(row)
    live.pending.rounds.append(
        RoundRow(row.id, row.told, row.chance, row.round, row.seed, terms, reason, list(seats), now)
    )


def _drop_seals(live: LiveTable) -> None:
    live.row.terms = None
    for seat in live.seats:
        seat.seal = seat.share = None
        seat.name_salt = ""
    live.mark_changed(*range(len(live.seats)))


def drop_seal(live: LiveTable, row: SeatRow, now: int, reason: str, seats: Sequence[int] = ()) -> None:
    """Forget the seal of a seat that changes hands; a closed list is broken off.

    Args:
        live: The table.
        row: The seat.
        now: The current time in milliseconds.
        reason: Reason for a break; see `BrokenRound`.
        seats: Seats that the reason names.
    """
    if live.row.terms is not None:
        break_off(live, now, reason, seats)
    row.seal, row.unshown = None, False


# -- other beginnings ------------------------------------------------------------------------------


def begin_shared(live: LiveTable, shared: SharedDraws, seed: str, now: int) -> None:
    """Start the game of a new table of a solo league; nobody gives a share to it.

    Args:
        live: The new table.
        shared: Its draws.
        seed: The season's seed, in hex.
        now: The current time in milliseconds.
    """
    live.row.seed = seed
    close_list(live, now, shared=shared)
    lifecycle.begin(live, now)


def begin_from(live: LiveTable, position: Position, now: int) -> None:
    """Start the game of a new table from a position; nobody gives a share to it.

    Args:
        live: The new table.
        position: The position.
        now: The current time in milliseconds.
    """
    _fix_start(live, position, now, number=0, told=0)
    lifecycle.begin(live, now, position)


def set_back(live: LiveTable, now: int, backup: int) -> None:
    """Continue a running game after its database was restored from a backup.

    Players have seen what followed the backup. In the protocol of chance the table has therefore
    ended, and the game continues at a new one, from the position that the backup has. In a solo
    league the draws stay the same.

    Args:
        live: The table, whose game is running.
        now: The current time in milliseconds.
        backup: Time of the backup in milliseconds.
    """
    row = live.row
    for seat in live.seats:
        if live.position is not None and seat.seat in live.position.sealed_answers:
            lifecycle.withdraw(live, seat.seat, now)
        seat.turn = None
    assert live.position is not None
    _note_round(live, now, "set_back")
    live.log_event("set_back", now, backup=f"{datetime.fromtimestamp(backup / 1000, UTC):%Y-%m-%d %H:%M} UTC")
    terms = terms_of(row)
    shared = None if terms is None else terms.shared
    seed = new_secret() if shared is None else row.seed
    row.chance, row.round, row.offered, row.seed = secrets.token_hex(7), 1, now, seed
    row.fixed = live.position.sequence
    row.votes = {}
    live.forget_told_answers()
    _drop_seals(live)
    if shared is not None:
        shared = msgspec.structs.replace(shared, first=live.position.chance_count)
    _fix_start(live, live.position, now, number=row.number, told=row.told, shared=shared)


def restore_start(live: LiveTable, now: int, times: StartTimes) -> None:
    """Give a table that hasn't begun a new offer after its database was restored from a backup.

    Its game may have begun after the backup, and browsers may have heard that. In the protocol of
    chance it is therefore a new table, to which they give no share.

    Args:
        live: The table.
        now: The current time in milliseconds.
        times: The times that a table waits.
    """
    break_off(live, now, "restored")
    live.row.chance, live.row.round = secrets.token_hex(7), 1
    wait_for_seals(live, now, times)


def _fix_start(
    live: LiveTable, position: Position, now: int, *, number: int, told: int, shared: SharedDraws | None = None
) -> None:
    save: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(position.save_data()))
    live.row.start = {"save": save, "number": number, "told": told, "chances": position.chance_count}
    close_list(live, now, start=start_digest(live.row.seed, save), shared=shared)


# -- publication -----------------------------------------------------------------------------------

REASONS: Final = ("unshown", "left", "seat", "renamed", "rules", "restored", "set_back")
"""Reasons for which a round was broken off; see `BrokenRound`."""


def published_rounds(rows: Sequence[RoundRow]) -> tuple[BrokenRound, ...]:
    """Return earlier rounds without their secrets."""
    return tuple(BrokenRound(row.chance, row.round, row.terms_digest, row.reason, tuple(row.concerned)) for row in rows)
