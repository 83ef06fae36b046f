"""Permissions: every check of what a user may do or see at a table.

A function that returns what it is named after, or whose name starts with `require_`, raises
`Refused`. `permitted_actions` lists the actions that wouldn't be refused.
"""

from __future__ import annotations

import functools
from collections.abc import Container, Mapping, Sequence
from typing import Final

from atoll.engine import Game, Position
from atoll.engine.state import declarations
from atoll.store import SeatRow, TableRow

from ..domain import wall_clock
from ..domain.model import Refused, Turn, User
from ..domain.playing_hours import DAY_MS
from ..domain.standing import days_left
from .chance_rounds import own_missing_seats
from .clock import is_paused
from .live_table import LiveTable

_NUDGED_FROM_MS: Final = 3_600_000


def table_not_found() -> Refused:
    """Return the 404 error that also hides tables the user may not see."""
    return Refused("no_table", 404, "this table doesn't exist, or you have no access to it")


# -- people ----------------------------------------------------------------------------------------


def require_user(who: User | None) -> User:
    """Return the user.

    Args:
        who: The user, or None.

    Raises:
        Refused: If the reader has no name yet.
    """
    if who is None:
        raise Refused("sign_in", 401, "enter a name first")
    return who


def may_see(live: LiveTable, who: User | None) -> bool:
    """Return whether a reader may see the table; a private table is for its seats and its host."""
    row = live.row
    if row.visibility != "private":
        return True
    return who is not None and (row.host == who.id or any(seat.user_id == who.id for seat in live.seats))


def require_visible(live: LiveTable, who: User | None) -> None:
    """Refuse readers who may not see the table.

    Args:
        live: The table.
        who: The user, or None.

    Raises:
        Refused: As if the table didn't exist.
    """
    if not may_see(live, who):
        refused = table_not_found()
        raise refused


def require_rated(user: User) -> None:
    """Refuse users whom a moderator has excluded from rated games.

    Args:
        user: The user.

    Raises:
        Refused: If the user can't play rated games now.
    """
    if user.standing.is_unrated:
        days = days_left(user.standing.unrated_until)
        detail = f"a moderator has excluded you from rated games for {days} more days"
        raise Refused("unrated", 403, detail, fields={"n": days})


def require_host(live: LiveTable, user: User) -> None:
    """Refuse everybody except the host.

    Args:
        live: The table.
        user: The user.

    Raises:
        Refused: If the user isn't the host, or the table belongs to a competition.
    """
    require_no_competition(live)
    if live.row.host != user.id:
        raise Refused("not_yours", 403, "only the host may do this")


def require_no_competition(live: LiveTable) -> None:
    """Refuse changes that the rules of competitions exclude.

    Args:
        live: The table.

    Raises:
        Refused: If the table belongs to a competition.
    """
    if live.row.competition_id is not None:
        raise Refused("of_competition", 409, "the table belongs to a competition, whose rules exclude this")


def require_own_seats(live: LiveTable, user: User) -> tuple[int, ...]:
    """Return the user's seats, at least one.

    Args:
        live: The table.
        user: The user.

    Raises:
        Refused: If the user has no seat here.
    """
    mine = live.seats_of(user.id)
    if not mine:
        raise Refused("not_yours", 403, "you don't sit at this table")
    return mine


def free_kind(row: TableRow) -> str:
    """Return the kind of a free seat: private tables have only invited players."""
    return "invite" if row.visibility == "private" else "open"


# -- seats -----------------------------------------------------------------------------------------


def require_seat(live: LiveTable, seat: int) -> int:
    """Return a seat number after checking it.

    Args:
        live: The table.
        seat: The seat number.

    Raises:
        Refused: If the table has no such seat.
    """
    if type(seat) is not int or not 0 <= seat < len(live.seats):
        raise Refused("bad_seats", 422, f"invalid seat {seat!r}: expected 0 to {len(live.seats) - 1}")
    return seat


def require_own_seat(live: LiveTable, user: User, seat: int) -> SeatRow:
    """Return a seat that the user holds.

    Args:
        live: The table.
        user: The user.
        seat: Number of the seat.

    Raises:
        Refused: If the seat doesn't exist or somebody else has it.
    """
    row = live.seats[require_seat(live, seat)]
    if row.kind != "person" or row.user_id != user.id:
        raise Refused("not_yours", 403, f"seat {seat} isn't yours")
    return row


def is_reserved_for(row: SeatRow, user: User) -> bool:
    """Return whether a seat is reserved for a user who hasn't taken it yet."""
    return row.kind == "invite" and row.user_id == user.id


def is_asked_for_by(row: SeatRow, user: User) -> bool:
    """Return whether a user asks for a seat, and the host hasn't answered."""
    return row.kind == "request" and row.user_id == user.id


def has_named_person(row: SeatRow) -> bool:
    """Return whether a person who is known to the table holds a seat or asks for it."""
    return row.kind in ("person", "request")


def needs_approval(live: LiveTable, user: User) -> bool:
    """Return whether the host has to let a user in: one without a seat and invitation by name."""
    invited = any(is_reserved_for(row, user) for row in live.seats)
    return live.row.approval and live.row.host != user.id and not invited and not live.seats_of(user.id)


def require_no_request(live: LiveTable, user: User) -> None:
    """Refuse users who wait for the host's answer.

    Args:
        live: The table.
        user: The user.

    Raises:
        Refused: If the user asks for a seat.
    """
    if any(is_asked_for_by(row, user) for row in live.seats):
        raise Refused("asked_already", 409, "you have asked for a seat: the host hasn't answered yet")


def require_request(live: LiveTable, seat: int, stamp: str) -> SeatRow:
    """Return a seat for which a person asks.

    Args:
        live: The table.
        seat: Number of the seat.
        stamp: Stamp of the request that the host has seen.

    Raises:
        Refused: If nobody asks for the seat, or somebody else than the host has seen.
    """
    row = live.seats[require_seat(live, seat)]
    if row.kind != "request":
        raise Refused("no_request", 409, f"nobody asks for seat {seat} (any more)")
    require_unchanged(stamp == live.stamp(seat))
    return row


def may_read_chat(live: LiveTable, who: User | None) -> bool:
    """Return whether a reader who may see the table may read its chat.

    A person who asks for a seat of a private table sees it, but has no part in it yet.
    """
    if live.row.visibility != "private" or who is None or live.row.host == who.id:
        return True
    return any(row.user_id == who.id and row.kind != "request" for row in live.seats)


def viewer(live: LiveTable, mine: Sequence[int], seat: int | None) -> int | None:
    """Return the seat that a reader looks from.

    Args:
        live: The table.
        mine: The reader's seats.
        seat: The seat that the reader asks for. None for the first of theirs that is asked, or else
            their first.

    Returns:
        A seat, or None for a spectator.

    Raises:
        Refused: If the seat isn't the reader's.
    """
    if seat is not None:
        require_seat(live, seat)
        if seat not in mine:
            raise Refused("not_yours", 403, f"seat {seat} isn't yours")
        return seat
    for each in mine:
        if live.seats[each].asked is not None:
            return each
    return mine[0] if mine else None


# -- the state of the table ------------------------------------------------------------------------


def require_gathering(live: LiveTable) -> None:
    """Refuse requests after the start.

    Args:
        live: The table.

    Raises:
        Refused: If the game has started.
    """
    if live.row.status != "gathering":
        raise Refused("started", 409, "the game has started already")


def require_running(live: LiveTable) -> None:
    """Refuse requests unless the game is running.

    Args:
        live: The table.

    Raises:
        Refused: If the game hasn't started, is over, or waits for repair.
    """
    status = live.row.status
    if status == "repair":
        raise Refused("repair", 503, "the rules failed at this table; it waits for repair")
    if status in ("over", "cancelled"):
        raise Refused("over", 409, "the game is over")
    if status != "running":
        raise Refused("not_running", 409, "the game hasn't started yet")


def require_over(live: LiveTable) -> None:
    """Refuse requests before the end of the game.

    Args:
        live: The table.

    Raises:
        Refused: If the game isn't over.
    """
    if live.row.status != "over":
        raise Refused("not_over", 409, "the game isn't over yet")


def is_kept_apart(live: LiveTable) -> bool:
    """Return whether a block keeps the acting user apart from the host or a player."""
    if not live.apart:
        return False
    return live.row.host in live.apart or any(row.kind == "person" and row.user_id in live.apart for row in live.seats)


def require_unchanged(same: bool) -> None:
    """Refuse a command that was made for an earlier state of the table.

    Args:
        same: Whether the state is still that of the command.

    Raises:
        Refused: If it isn't.
    """
    if not same:
        raise Refused("stale", 409, "the table has changed meanwhile; look at it again")


def seat_taken() -> Refused:
    """Return the refusal of a seat that isn't free; it also hides blocks."""
    return Refused("taken", 409, "this seat isn't free (any more)")


# -- the open turn ---------------------------------------------------------------------------------


def require_present(row: SeatRow) -> None:
    """Refuse players who are replaced by a bot and haven't returned.

    Args:
        row: The seat.

    Raises:
        Refused: If a bot plays the seat.
    """
    if row.away:
        raise Refused("away", 409, "a bot plays this seat: return to it first")


def may_return(live: LiveTable, user: User) -> bool:
    """Return whether a user may take a seat back from a bot; the end of a season excludes it."""
    return user.id not in live.row.removed


def require_turn(live: LiveTable, user: User, seat: int, stamp: str) -> Position:
    """Return the position if the seat is the user's and its stamp is current.

    Args:
        live: The table.
        user: The user.
        seat: The seat.
        stamp: Stamp of the turn that the user has seen.

    Raises:
        Refused: If the seat isn't the user's, isn't played by them, or has changed since.
    """
    row = require_own_seat(live, user, seat)
    require_running(live)
    require_present(row)
    require_unchanged(stamp == live.stamp(seat))
    assert live.position is not None
    return live.position


def require_asked(live: LiveTable, user: User, seat: int, stamp: str) -> Position:
    """Return the position if it asks the user's seat and the stamp is current.

    Args:
        live: The table.
        user: The user.
        seat: The seat.
        stamp: Stamp of the turn that the user has seen.

    Raises:
        Refused: As in `require_turn`, or if the seat isn't asked.
    """
    position = require_turn(live, user, seat, stamp)
    if seat not in position.to_move:
        raise Refused("not_asked", 409, f"seat {seat} isn't asked now")
    return position


def require_tryout(live: LiveTable, user: User, seat: int) -> None:
    """Refuse tryouts of everybody who doesn't play the seat.

    They are allowed at tables without advice, too, because no bot is asked.

    Args:
        live: The table.
        user: The user.
        seat: The seat.

    Raises:
        Refused: If the user doesn't play the seat, or the game isn't running.
    """
    row = require_own_seat(live, user, seat)
    require_running(live)
    require_present(row)


# -- other actions ---------------------------------------------------------------------------------


def chat_seat(live: LiveTable, user: User) -> int | None:
    """Return the seat from which a user chats, or None for a spectator of a finished game.

    Args:
        live: The table.
        user: The user.

    Raises:
        Refused: If the user may not chat. Spectators can't give hints before the end. A block reads
            like a chat for players only.
    """
    if user.standing.is_muted:
        days = days_left(user.standing.muted_until)
        raise Refused("muted", 403, f"a moderator has muted you for {days} more days", fields={"n": days})
    mine = live.seats_of(user.id)
    if not _may_chat(live, has_seat=bool(mine)):
        if mine:
            raise Refused("chat_closed", 403, "nobody can chat at this table after the end")
        refused = _players_only()
        raise refused
    if not mine and is_kept_apart(live):
        refused = _players_only()
        raise refused
    return mine[0] if mine else None


def _players_only() -> Refused:
    """Return the refusal of messages of people without a seat."""
    return Refused("not_yours", 403, "only players can chat at this table now")


def _may_chat(live: LiveTable, *, has_seat: bool) -> bool:
    """Return whether a user with or without a seat may chat; after the end the table decides."""
    if live.row.status != "over":
        return has_seat
    return live.row.chat_after == "anyone" or (has_seat and live.row.chat_after == "players")


def require_advice(live: LiveTable, user: User, seat: int, stamp: str) -> tuple[str, Position]:
    """Return the stamp and the position of a turn about which the seat may ask a bot.

    Args:
        live: The table.
        user: The user.
        seat: The seat.
        stamp: Stamp of the turn that the user has seen, or "" for the current one.

    Raises:
        Refused: If the seat isn't the user's or isn't asked, or the table doesn't allow advice.
    """
    require_visible(live, user)
    now = live.stamp(seat) if seat in range(len(live.seats)) else ""
    position = require_asked(live, user, seat, stamp or now)
    if not live.row.advice:
        raise Refused("no_advice", 409, "this table doesn't allow advice")
    return now, position


def may_fork(live: LiveTable) -> bool:
    """Return whether the game can be forked: it is over or hides nothing.

    A fork of a game with hidden information would disclose it.
    """
    if live.row.status == "over":
        return True
    return live.row.status == "running" and live.game is not None and _hides_nothing(live.game)


def require_fork(live: LiveTable) -> None:
    """Refuse forks of a running game with hidden information.

    Args:
        live: The table.

    Raises:
        Refused: If the game can't be forked now.
    """
    if not may_fork(live):
        raise Refused("secrets", 409, "games with hidden information can be forked only after their end")


@functools.cache
def _hides_nothing(game: Game) -> bool:
    """Return whether a game has no hidden information."""
    kinds = [visibility for _, visibility in declarations(game.state_type)]
    # The cards of the only draw pile of a back are known: they are all cards that aren't anywhere
    # else. Their order isn't decided before they are drawn.
    pools = [visibility.back for visibility in kinds if visibility.who == "nobody"]
    open_ = all(visibility.who in ("public", "derivable", "nobody") for visibility in kinds)
    return open_ and len(pools) == len(set(pools))


def require_removable(live: LiveTable, seat: int, now: int, seen: Mapping[str, int], wait: int) -> None:
    """Refuse votes to remove a player who isn't absent.

    A player is absent if their time has run out, or if the table has no clock and they have been
    asked and inactive for a while.

    Args:
        live: The table.
        seat: The player's seat.
        now: The current time in milliseconds.
        seen: Time of the last activity by user, in milliseconds.
        wait: Milliseconds of inactivity after which a player without a clock is absent.

    Raises:
        Refused: If the seat doesn't exist or its player isn't absent.
    """
    row = live.seats[require_seat(live, seat)]
    waits = live.row.clock is None and row.kind == "person" and not row.away and row.asked is not None
    absent = row.overdue or waits
    if absent and not row.overdue and row.asked is not None:
        absent = min(now - row.asked, now - seen.get(row.user_id or "", now)) >= wait
    if not absent:
        minutes = max(1, wait // 60_000)
        raise Refused(
            "not_absent",
            409,
            f"only a person who is asked, has no clock and hasn't been here for {minutes} minutes can be removed",
            fields={"minutes": minutes},
        )


def may_nudge(row: SeatRow, user: User, now: int) -> bool:
    """Return whether a user may nudge a seat.

    Only another person who has been asked for an hour can be nudged, once a day.

    Args:
        row: The seat.
        user: The user who nudges.
        now: The current time in milliseconds.
    """
    return (
        row.kind == "person"
        and not row.away
        and row.user_id != user.id
        and row.asked is not None
        and now - row.asked >= _NUDGED_FROM_MS
        and (row.nudged is None or now - row.nudged >= DAY_MS)
    )


def require_nudge(row: SeatRow, user: User, now: int, apart: Container[str] = ()) -> None:
    """Refuse a nudge that isn't permitted.

    Args:
        row: The seat.
        user: The user who nudges.
        now: The current time in milliseconds.
        apart: Users whom a block keeps apart from the user.

    Raises:
        Refused: If `may_nudge` is false, or a block keeps the two apart.
    """
    if row.user_id in apart or not may_nudge(row, user, now):
        raise Refused("no_nudge", 409, "only another person who has been asked for an hour can be nudged, once a day")


def may_plan(live: LiveTable, row: SeatRow) -> bool:
    """Return whether a seat may plan answers: it isn't asked now, and other persons play."""
    if row.asked is not None or row.kind != "person" or row.away or live.row.status != "running":
        return False
    for each in live.seats:
        if each.kind == "person" and each.user_id != row.user_id:
            return bool(getattr(live.game, "prompts", ()))
    return False


def require_plan(live: LiveTable, row: SeatRow) -> None:
    """Refuse plans that aren't permitted.

    Args:
        live: The table.
        row: The seat.

    Raises:
        Refused: If `may_plan` is false.
    """
    if not may_plan(live, row):
        raise Refused("no_plan", 409, "only a seat that isn't asked now, at a table with other people, plans ahead")


def undo_moment(live: LiveTable, row: SeatRow) -> int | None:
    """Return the moment before a person's last answer.

    Args:
        live: The table.
        row: The seat.

    Returns:
        A sequence number, or None if the answer can't be taken back, for example because of a later
        chance event or reveal.
    """
    plays = live.row.status == "running" and row.kind == "person" and not row.away
    return row.turn[0] if plays and row.turn is not None and row.turn[0] >= live.row.fixed else None


def is_settled(live: LiveTable, row: SeatRow) -> bool:
    """Return whether a person's last answer can't be taken back because of a later event."""
    return live.row.status == "running" and row.turn is not None and undo_moment(live, row) is None


def require_undo(live: LiveTable, seat: int, moment: int) -> None:
    """Refuse take-backs of anything but a seat's last answer before chance or a reveal.

    Args:
        live: The table.
        seat: The seat that answered.
        moment: Sequence number of the moment before the answer.

    Raises:
        Refused: If the answer can't be taken back, or isn't the last one.
    """
    found = undo_moment(live, live.seats[require_seat(live, seat)])
    if found is None:
        raise Refused("no_undo", 409, "this can't be taken back: chance or a reveal followed, or the others refused")
    require_unchanged(found == moment)


def require_pause(live: LiveTable, now: int, *, resume: bool) -> None:
    """Refuse to stop clocks that don't run, or to start clocks that do.

    Args:
        live: The table.
        now: The current time in milliseconds.
        resume: Whether the clocks are to run again.

    Raises:
        Refused: If the table has no clock, or nothing would change.
    """
    if live.row.clock is None:
        raise Refused("no_clock", 409, "this table has no clock")
    if is_paused(live.row, now) != resume:
        raise Refused("nothing", 409, "the clocks run already" if resume else "the clocks are stopped already")


# -- permitted actions -----------------------------------------------------------------------------


def permitted_actions(live: LiveTable, who: User | None, mine: Sequence[int], turn: Turn | None) -> tuple[str, ...]:
    """Return the actions permitted to a reader, sorted; see `TableView.can`.

    Args:
        live: The table.
        who: The reader, or None.
        mine: The reader's seats.
        turn: The open turn of the viewing seat, or None.
    """
    row = live.row
    found: list[str] = []
    if turn is not None:
        found.append("try")
        if row.advice and len(turn.legal) > 1:
            found.append("advice")
    if row.status == "gathering":
        found += _can_gathering(live, who, mine)
    elif row.status == "running":
        _add_running(found, live, who, mine)
    else:
        if mine and row.status in ("over", "cancelled"):
            found.append("rematch")
        if who is not None and row.status == "over" and live.game is not None:
            found.append("analyse")
    if who is not None:
        if not who.standing.is_muted and _may_chat(live, has_seat=bool(mine)):
            found.append("chat")
        if live.position is not None and may_fork(live):
            found.append("play_on")
    found.sort()
    return tuple(found)


def _add_running(found: list[str], live: LiveTable, who: User | None, mine: Sequence[int]) -> None:
    row = live.row
    playing = False
    away = False
    for seat in mine:
        if live.seats[seat].away:
            away = True
        else:
            playing = True
    if playing:
        found.append("leave")
        _add_playing(found, live, mine)
        if row.competition_id is None:
            found.append("cancel")
            if row.clock is not None:
                found.append("resume" if is_paused(row, wall_clock.now_ms()) else "pause")
    if away and who is not None and may_return(live, who):
        found.append("return")
    if who is not None and mine:
        now = wall_clock.now_ms()
        asked = [seat for seat in live.seats if seat.asked is not None]
        found += [f"nudge:{seat.seat}" for seat in asked if may_nudge(seat, who, now)]


def _add_playing(found: list[str], live: LiveTable, mine: Sequence[int]) -> None:
    for row in live.seats:
        if row.kind != "person" or row.away:
            continue
        seat = row.seat
        if seat not in mine:
            if live.row.competition_id is None:
                found.append(f"remove:{seat}")
            continue
        moment = undo_moment(live, row)
        if moment is not None:
            undo = f"undo:{seat}:{moment}"
            if undo not in live.row.votes:
                found.append(undo)
        if may_plan(live, row):
            found.append(f"plan:{seat}")


def _can_gathering(live: LiveTable, who: User | None, mine: Sequence[int]) -> set[str]:
    row = live.row
    found: set[str] = set()
    if mine:
        if row.competition_id is None:
            found.add("leave")
        if live.is_full() and (row.pace != "correspondence" or own_missing_seats(live, mine)):
            found.add("start")
    else:
        asked = [] if who is None else [seat.seat for seat in live.seats if is_asked_for_by(seat, who)]
        if not asked and any(seat.kind == "open" for seat in live.seats):
            found.add("join")
        found |= {f"withdraw:{seat}" for seat in asked}
        reserved = [] if who is None else [seat.seat for seat in live.seats if is_reserved_for(seat, who)]
        if reserved:
            found |= {"accept", *(f"decline:{seat}" for seat in reserved)}
    if who is not None and row.host == who.id and row.competition_id is None:
        asking = [seat.seat for seat in live.seats if seat.kind == "request"]
        found |= {"invite", "cancel", *(f"admit:{seat}" for seat in asking)}
        if len(live.seats) > 1:
            found.add("swap")
        if row.rated:
            found.add("friendly")
    return found
