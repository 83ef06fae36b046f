"""Who may do what at a table: asked here before anything is done or shown, and nowhere else.

A function named `check_...` or after what it gives raises Refused; `can` says ahead what would not be refused.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Final

from atoll.engine import Game, Position
from atoll.engine.state import declarations
from atoll.store import GameRow, SeatRow

from ..domain import wall_clock
from ..domain.model import Refused, Turn, User
from ..domain.playing_hours import DAY_MS
from .clock import is_paused
from .live_table import Live

_NUDGED_FROM_MS: Final = 3_600_000


def no_table() -> Refused:
    """Of a table that one may not see nothing is told, not even that there is one."""
    return Refused("no_table", 404, "there is no such table, or it isn't for you")


# -- people --------------------------------------------------------------------------------------------------------


def signed_in(who: User | None) -> User:
    """Whoever does something has a name."""
    if who is None:
        raise Refused("sign_in", 401, "give yourself a name first")
    return who


def may_see(live: Live, who: User | None) -> bool:
    """A private table is seen by its seats and its host."""
    row = live.row
    if row.visibility != "private":
        return True
    return who is not None and (row.host == who.id or any(seat.user_id == who.id for seat in live.seats))


def check_visible(live: Live, who: User | None) -> None:
    """See `may_see`."""
    if not may_see(live, who):
        raise no_table()


def check_host(live: Live, user: User) -> None:
    """Some things only the host may do."""
    if live.row.host != user.id:
        raise Refused("not_yours", 403, "only the host may do this")


def own_seats(live: Live, user: User) -> tuple[int, ...]:
    """The user's seats; at least one."""
    mine = live.seats_of(user.id)
    if not mine:
        raise Refused("not_yours", 403, "you don't sit at this table")
    return mine


def free_kind(row: GameRow) -> str:
    """The kind of a seat that nobody has: at a private table only those come who are invited."""
    return "invite" if row.visibility == "private" else "open"


# -- seats ---------------------------------------------------------------------------------------------------------


def existing_seat(live: Live, seat: int) -> int:
    """A seat that the table has."""
    if type(seat) is not int or not 0 <= seat < len(live.seats):
        raise Refused("bad_seats", 422, f"there is no seat {seat}; allowed: 0 to {len(live.seats) - 1}")
    return seat


def own_seat(live: Live, user: User, seat: int) -> SeatRow:
    """A seat of the user's own."""
    row = live.seats[existing_seat(live, seat)]
    if row.kind != "person" or row.user_id != user.id:
        raise Refused("not_yours", 403, f"seat {seat} isn't yours")
    return row


def is_kept_for(row: SeatRow, user: User) -> bool:
    """Whether a seat waits for this person, who hasn't taken it yet."""
    return row.kind == "invite" and row.user_id == user.id


def viewer(live: Live, mine: Sequence[int], seat: int | None) -> int | None:
    """Whose view the reader gets: of the seat that it names, else of its one that is asked, else of its first.

    mine: the reader's seats. None: a spectator's.
    """
    if seat is not None:
        existing_seat(live, seat)
        if seat not in mine:
            raise Refused("not_yours", 403, f"seat {seat} isn't yours")
        return seat
    for each in mine:
        if live.seats[each].asked is not None:
            return each
    return mine[0] if mine else None


# -- the state of the table ----------------------------------------------------------------------------------------


def check_gathering(live: Live) -> None:
    """Before the start."""
    if live.row.status != "gathering":
        raise Refused("started", 409, "the game has started already")


def may_show(live: Live, row: SeatRow) -> bool:
    """Before the others have committed to theirs only who has committed to nothing gives a share; then only who has."""
    return row.share is None and (live.row.closed is None) == (row.commitment is None)


def check_running(live: Live) -> None:
    """While the game is played."""
    status = live.row.status
    if status == "repair":
        raise Refused("repair", 503, "the rules failed at this table; it waits for repair")
    if status in ("over", "cancelled"):
        raise Refused("over", 409, "the game is over")
    if status != "running":
        raise Refused("not_running", 409, "the game hasn't started yet")


def check_over(live: Live) -> None:
    """After the end."""
    if live.row.status != "over":
        raise Refused("not_over", 409, "the game isn't over yet")


# -- the open turn -------------------------------------------------------------------------------------------------


def check_present(row: SeatRow) -> None:
    """Where a bot stands in, the person plays no more until it is back."""
    if row.away:
        raise Refused("away", 409, "a bot plays this seat; come back first")


def turn(live: Live, user: User, seat: int, stamp: str) -> Position:
    """The position, if the seat is the user's and nothing has changed since the page was shown."""
    row = own_seat(live, user, seat)
    check_running(live)
    check_present(row)
    if stamp != live.stamp(seat):
        raise Refused("stale", 409, "the table has changed meanwhile; look at it again")
    assert live.position is not None
    return live.position


def asked(live: Live, user: User, seat: int, stamp: str) -> Position:
    """The position that asks the seat; see `turn`."""
    position = turn(live, user, seat, stamp)
    if seat not in position.to_move:
        raise Refused("not_asked", 409, f"seat {seat} isn't asked now")
    return position


def check_try(live: Live, user: User, seat: int) -> None:
    """Who plays a seat may try out at every running table, also where nobody may ask a bot: none is asked."""
    row = own_seat(live, user, seat)
    check_running(live)
    check_present(row)


# -- besides playing -----------------------------------------------------------------------------------------------


def speaks_from(live: Live, user: User) -> int | None:
    """The seat from which the user talks; None for a spectator of a finished game. Nobody whispers from outside."""
    mine = live.seats_of(user.id)
    if not mine and live.row.status != "over":
        raise Refused("not_yours", 403, "only those who play talk here until the game is over")
    return mine[0] if mine else None


def advised(live: Live, user: User, seat: int, stamp: str) -> tuple[str, Position]:
    """The stamp of the seat's turn and the position that asks it, if a bot may be asked about it; see `turn`.

    stamp: "" for the turn as it is now.
    """
    check_visible(live, user)
    now = live.stamp(seat) if seat in range(len(live.seats)) else ""
    position = asked(live, user, seat, stamp or now)
    if not live.row.advice:
        raise Refused("no_advice", 409, "at this table nobody may ask a bot")
    return now, position


def may_play_on(live: Live) -> bool:
    """A running game can only be forked if it hides nothing; else the fork would give secrets away."""
    if live.row.status == "over":
        return True
    return live.row.status == "running" and live.game is not None and _hides_nothing(live.game)


def check_play_on(live: Live) -> None:
    """See `may_play_on`."""
    if not may_play_on(live):
        raise Refused("secrets", 409, "games with secrets can be played on from when they are over")


@functools.cache
def _hides_nothing(game: Game) -> bool:
    kinds = [visibility for _, visibility in declarations(game.state_type)]
    # A single draw pool of a back is what is missing elsewhere, and what is drawn from it isn't decided yet.
    pools = [visibility.back for visibility in kinds if visibility.who == "nobody"]
    open_ = all(visibility.who in ("public", "derivable", "nobody") for visibility in kinds)
    return open_ and len(pools) == len(set(pools))


def check_absent(live: Live, seat: int, now: int, seen: Mapping[str, int], wait: int) -> None:
    """Only who is asked and overdue, or has no clock and shows no sign of life for so long (ms), can be voted out.

    seen: when the persons concerned last did.
    """
    row = live.seats[existing_seat(live, seat)]
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
    """Only another person that is asked for an hour, and once a day."""
    return (
        row.kind == "person"
        and not row.away
        and row.user_id != user.id
        and row.asked is not None
        and now - row.asked >= _NUDGED_FROM_MS
        and (row.nudged is None or now - row.nudged >= DAY_MS)
    )


def check_nudge(row: SeatRow, user: User, now: int) -> None:
    """See `may_nudge`."""
    if not may_nudge(row, user, now):
        raise Refused("no_nudge", 409, "only another person that is asked for an hour can be nudged, once a day")


def may_plan(live: Live, row: SeatRow) -> bool:
    """Only a person that isn't asked now, and plays with others, says ahead what it will answer."""
    if row.asked is not None or row.kind != "person" or row.away or live.row.status != "running":
        return False
    for each in live.seats:
        if each.kind == "person" and each.user_id != row.user_id:
            return bool(getattr(live.game, "prompts", ()))
    return False


def check_plan(live: Live, row: SeatRow) -> None:
    """See `may_plan`."""
    if not may_plan(live, row):
        raise Refused("no_plan", 409, "only a seat that isn't asked now, at a table with other people, plans ahead")


def undo_moment(live: Live, row: SeatRow) -> int | None:
    """The moment before a person's last answer; None if it can't be taken back, as chance or a reveal came after it."""
    plays = live.row.status == "running" and row.kind == "person" and not row.away
    return row.turn[0] if plays and row.turn is not None and row.turn[0] >= live.row.fixed else None


def is_settled(live: Live, row: SeatRow) -> bool:
    """Whether a person's last answer can't be taken back because of what came after it."""
    return live.row.status == "running" and row.turn is not None and undo_moment(live, row) is None


def check_undo(live: Live, seat: int, moment: int) -> None:
    """Only a seat's last answer is taken back, and only if neither chance was drawn nor something shown since."""
    found = undo_moment(live, live.seats[existing_seat(live, seat)])
    if found is None:
        raise Refused(
            "no_undo", 409, "this can't be taken back: chance was drawn, something was shown, or it was refused"
        )
    if found != moment:
        raise Refused("stale", 409, "the table has changed meanwhile; look at it again")


def check_pause(live: Live, now: int, *, resume: bool) -> None:
    """Clocks can stand still only where there are some, and run again only where they stand still."""
    if live.row.clock is None:
        raise Refused("no_clock", 409, "this table has no clock")
    if is_paused(live.row, now) != resume:
        raise Refused("nothing", 409, "the clocks run already" if resume else "the clocks stand still already")


# -- said ahead ----------------------------------------------------------------------------------------------------


def can(live: Live, who: User | None, mine: Sequence[int], turn: Turn | None) -> tuple[str, ...]:
    """What the reader may do; see TableView."""
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
        if mine or row.status == "over":
            found.append("chat")
        if live.position is not None and may_play_on(live):
            found.append("play_on")
    found.sort()
    return tuple(found)


def _add_running(found: list[str], live: Live, who: User | None, mine: Sequence[int]) -> None:
    row = live.row
    playing = False
    away = False
    for seat in mine:
        if live.seats[seat].away:
            away = True
        else:
            playing = True
    if playing:
        found += ("leave", "cancel")
        _add_playing(found, live, mine)
        if row.clock is not None:
            found.append("resume" if is_paused(row, wall_clock.now_ms()) else "pause")
    if away:
        found.append("return")
    if who is not None and mine:
        now = wall_clock.now_ms()
        for each in live.seats:
            if each.asked is not None and may_nudge(each, who, now):
                found.append(f"nudge:{each.seat}")


def _add_playing(found: list[str], live: Live, mine: Sequence[int]) -> None:
    for row in live.seats:
        if row.kind != "person" or row.away:
            continue
        seat = row.seat
        if seat not in mine:
            found.append(f"remove:{seat}")
            continue
        moment = undo_moment(live, row)
        if moment is not None:
            undo = f"undo:{seat}:{moment}"
            if undo not in live.row.votes:
                found.append(undo)
        if may_plan(live, row):
            found.append(f"plan:{seat}")


def _can_gathering(live: Live, who: User | None, mine: Sequence[int]) -> set[str]:
    found: set[str] = set()
    if mine:
        found.add("leave")
        if live.filled():
            found.add("start")
        if any(may_show(live, live.seats[seat]) for seat in mine):
            found.add("contribute")
    else:
        if any(seat.kind == "open" for seat in live.seats):
            found.add("join")
        kept = [] if who is None else [seat.seat for seat in live.seats if is_kept_for(seat, who)]
        if kept:
            found |= {"accept", *(f"decline:{seat}" for seat in kept)}
    if who is not None and live.row.host == who.id:
        found |= {"invite", "cancel"}
    return found
