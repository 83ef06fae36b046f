"""Votes: to cancel the game, to replace an absent player, to pause, to take an answer back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from atoll.engine import Position
from atoll.engine.integers import parse_int
from atoll.store import ChoiceRow

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import LogEntry, Refused, User, Vote
from ..domain.playing_hours import DAY_MS
from ..table import clock, lifecycle, permissions
from ..table.live_table import LiveTable
from .commands import Command
from .departures import Level, replace_with_bot
from .executor import CommandExecutor
from .history import History
from .presence import Presence
from .store_errors import refuse_on_store_error

SUBJECTS: Final[Mapping[str, str]] = {
    "cancel": "cancel",
    "pause": "pause",
    "resume": "resume",
    "remove": "remove:<seat>",
    "undo": "undo:<seat>:<sequence>",
}
"""Forms of the subjects of votes, by kind."""

PAUSE_DAYS: Final = 14
"""Longest pause of the clocks, in days."""


class Votes:
    """Votes of the players at a table."""

    def __init__(self, executor: CommandExecutor, limits: Limits, history: History, presence: Presence) -> None:
        self._executor: CommandExecutor = executor
        self._presence: Presence = presence
        self._limits: Limits = limits
        self._history: History = history

    async def vote(self, who: User | None, table: str, seat: int, subject: str, yes: bool) -> None:
        """Agree to a proposal, or withdraw or refuse it.

        The proposal of a subject is open from the first agreement on. The subjects are:

        - "cancel": the game ends without a result. Before the start the host decides alone.
        - "remove:<seat>": a bot takes over an absent player's seat.
        - "pause": all clocks stand still for `PAUSE_DAYS`.
        - "resume": the clocks run again.
        - "undo:<seat>:<sequence>": the seat's last answer is taken back, with everything after that
          moment.

        All persons must agree, except a player to remove. Players whose time has run out are asked
        only for a take-back. A user votes for all own seats. A "no" withdraws the user's own
        agreement; a "no" of another player ends the vote.

        The player who answered proposes a take-back. A refusal of it is final, and the next answer
        ends the vote.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            subject: The subject.
            yes: Whether the user agrees.

        Raises:
            Refused: If the vote isn't permitted, or isn't open.
        """
        user = permissions.require_user(who)
        self._limits.hit("command", user.id)
        target = _target(subject)
        undo = _undo(subject)
        past = None if undo is None or not yes else await self._takeback_target(user, table, seat, *undo)
        seen = {} if target is None else await self._last_activity(user, table, target)
        wait = int(1000 * self._executor.settings.absent_after_s)
        command = CastVote(user, seat, subject, yes, seen, wait, self._executor.catalogue.stand_in, past)
        await self._executor.execute(table, command)

    async def _takeback_target(self, user: User, table: str, own: int, seat: int, moment: int) -> TakebackTarget:
        """Return the moment to which a take-back returns."""
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, own)
            permissions.require_running(live)
            permissions.require_undo(live, seat, moment)
            with refuse_on_store_error():
                rows = await self._executor.store.choices(table)
            position = await self._history.position_at(live, moment)
            return TakebackTarget(live.row.revision, position, [row for row in rows if row.sequence >= moment])

    async def _last_activity(self, user: User, table: str, seat: int) -> Mapping[str, int]:
        """Return the time of the last activity of a seat's player, by user."""
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            owner = live.seats[permissions.require_seat(live, seat)].user_id
        if owner is None:
            return {}
        if await self._presence.is_here(owner):
            return {owner: wall_clock.now_ms()}
        with refuse_on_store_error():
            row = await self._executor.store.user(owner)
        return {owner: 0 if row is None else row.seen}


@dataclass(frozen=True, slots=True)
class TakebackTarget:
    """The moment to which a take-back returns.

    Attributes:
        revision: Revision of the table from which this was computed.
        position: The earlier position.
        taken: The answers since.
    """

    revision: int
    position: Position
    taken: Sequence[ChoiceRow]


def _undo(subject: str) -> tuple[int, int] | None:
    """Return the seat and moment of a take-back, or None for other subjects."""
    head, _, rest = subject.partition(":")
    seat, _, moment = rest.partition(":")
    found = parse_int(seat), parse_int(moment)
    if head != "undo" or found[0] is None or found[1] is None or subject != f"undo:{found[0]}:{found[1]}":
        return None
    return found[0], found[1]


def _target(subject: str) -> int | None:
    """Return the seat that a vote would remove, or None for other subjects."""
    if SUBJECTS.get(subject) == subject or _undo(subject) is not None:
        return None
    head, _, text = subject.partition(":")
    seat = parse_int(text)
    if head != "remove" or seat is None or seat < 0 or text != str(seat):
        raise Refused("malformed", 422, f"vote subject: expected one of {', '.join(SUBJECTS.values())}")
    return seat


def _needed(live: LiveTable, subject: str) -> tuple[int, ...]:
    if _undo(subject) is not None:
        return live.human_seats()
    target = _target(subject)
    return tuple(seat for seat in live.human_seats() if seat != target and not live.seats[seat].overdue)


def apply_passed_votes(live: LiveTable, level: Level, now: int) -> None:
    """Carry out a proposal that all required seats agree to.

    Args:
        live: The table.
        level: Returns the level of the bot that replaces a player.
        now: The current time in milliseconds.
    """
    for subject, in_favor in sorted(live.row.votes.items()):
        if _undo(subject) is None and set(in_favor) >= set(_needed(live, subject)):
            _decide(live, subject, level, now)
            return


def _decide(live: LiveTable, subject: str, level: Level, now: int) -> None:
    target = _target(subject)
    if target is not None:
        replace_with_bot(live, live.seats[target], "removed", level, now)
    elif subject == "cancel":
        lifecycle.cancel(live, now)
    else:
        end = now + PAUSE_DAYS * DAY_MS if subject == "pause" else now
        live.row.votes = {}
        clock.recompute(live, live.seats, now, lambda: _pause(live, now, end))
        live.log_event("paused" if subject == "pause" else "resumed", now, n=PAUSE_DAYS)


def _pause(live: LiveTable, now: int, end: int) -> None:
    live.row.pause = None if end == now else [now, end]


def votes(live: LiveTable, mine: Sequence[int], viewer: int | None) -> tuple[Vote, ...]:
    """Return the open votes for a reader. Needs `events` of the table.

    Args:
        live: The table.
        mine: The reader's seats.
        viewer: The viewing seat, or None for a spectator.
    """
    found = []
    for subject, in_favor in sorted(live.row.votes.items()):
        needed = _needed(live, subject)
        missing = tuple(seat for seat in mine if seat in needed and seat not in in_favor)
        undo = _undo(subject)
        taken = () if undo is None else _since(live.log(viewer), undo[1])
        found.append(Vote(subject, needed, tuple(in_favor), missing, taken))
    return tuple(found)


def _since(log: Sequence[LogEntry], moment: int) -> tuple[LogEntry, ...]:
    """Return the game's log entries after a moment."""
    return tuple(each for each in log if each.origin == "game" and each.sequence > moment and not each.undone)


@dataclass(slots=True)
class CastVote(Command[None]):
    """Agree to a proposal, or withdraw or refuse it.

    Attributes:
        user: The user.
        seat: The user's seat.
        subject: The subject.
        yes: Whether the user agrees.
        seen: Time of the last activity of a player to remove, by user.
        wait: Milliseconds of inactivity after which a player is absent.
        level: Returns the level of the bot that replaces a player.
        past: The moment to which a take-back returns, or None.
    """

    name: ClassVar[str] = "vote"
    user: User
    seat: int
    subject: str
    yes: bool
    seen: Mapping[str, int]
    wait: int
    level: Level
    past: TakebackTarget | None

    def apply(self, live: LiveTable, now: int) -> None:
        """Count the vote, and carry out the proposal if it was the last vote needed."""
        own = permissions.require_own_seat(live, self.user, self.seat)
        row = live.row
        if row.status == "gathering" and self.subject == "cancel":
            permissions.require_host(live, self.user)
            if self.yes:
                lifecycle.cancel(live, now)
            return
        permissions.require_running(live)
        permissions.require_present(own)
        undo = _undo(self.subject)
        if undo is not None:
            self._vote_to_undo(live, *undo, now)
            return
        permissions.require_no_competition(live)
        target = _target(self.subject)
        if self.yes and target is not None:
            permissions.require_removable(live, target, now, self.seen, self.wait)
        if self.yes and self.subject in ("pause", "resume"):
            permissions.require_pause(live, now, resume=self.subject == "resume")
        mine = {seat for seat in live.human_seats() if live.seats[seat].user_id == self.user.id}
        in_favor = row.votes.get(self.subject)
        others = {subject: seats for subject, seats in row.votes.items() if subject != self.subject}
        if self.yes:
            if in_favor is None:
                other = {} if target is None else {"other": live.seats[target].name}
                live.log_event(f"{self.subject.partition(':')[0]}_asked", now, seat=self.seat, name=own.name, **other)
            row.votes = {**others, self.subject: sorted({*(in_favor or ()), *mine})}
        else:
            remaining = self._against(live, in_favor, mine, own.name, now)
            row.votes = {**others, self.subject: remaining} if remaining else others
        live.mark_changed(listed=False)
        apply_passed_votes(live, self.level, now)

    def _against(self, live: LiveTable, given: Sequence[int] | None, mine: set[int], name: str, now: int) -> list[int]:
        """Withdraw an agreement or refuse, and return the seats that still agree."""
        if given is None or not mine & {*given, *_needed(live, self.subject)}:
            raise Refused("nothing", 409, "this vote isn't open")
        withdrawn = self.seat in given
        live.log_event("vote_withdrawn" if withdrawn else "vote_refused", now, seat=self.seat, name=name)
        return sorted({*given} - mine) if withdrawn else []

    def _vote_to_undo(self, live: LiveTable, seat: int, moment: int, now: int) -> None:
        """Vote on a take-back, and carry it out when all have agreed."""
        row = live.row
        answered = live.seats[permissions.require_seat(live, seat)]
        is_own = answered.user_id == self.user.id
        in_favor = row.votes.get(self.subject)
        if not self.yes:
            if in_favor is None:
                raise Refused("nothing", 409, "this vote isn't open")
            row.votes = {subject: seats for subject, seats in row.votes.items() if subject != self.subject}
            if not is_own:
                answered.turn = None
            live.log_event(
                "vote_withdrawn" if is_own else "undo_refused", now, seat=self.seat, name=live.seats[self.seat].name
            )
            live.mark_changed(seat, listed=False)
            return
        permissions.require_undo(live, seat, moment)
        if in_favor is None:
            if not is_own:
                raise Refused("not_yours", 403, "only the player who answered can propose to take it back")
            live.log_event("undo_asked", now, seat=seat, name=answered.name)
            self._notify(live, f"{seat}.{moment}.{row.number}", now)
        agreed = {*(in_favor or ()), *(each for each in live.human_seats() if live.seats[each].user_id == self.user.id)}
        row.votes = {**row.votes, self.subject: sorted(agreed)}
        live.mark_changed(listed=False)
        if agreed >= set(_needed(live, self.subject)):
            if self.past is None or self.past.revision != row.revision:
                raise Refused("stale", 409, "the table has changed meanwhile; look at it again")
            lifecycle.revert_to(live, self.past.position, self.past.taken, now)
            live.log_event("undone", now, seat=seat, name=answered.name)

    def _notify(self, live: LiveTable, mark: str, now: int) -> None:
        """Notify the players who aren't here of a proposed take-back."""
        others = dict.fromkeys(live.seats[seat].user_id for seat in live.human_seats())
        for user_id in others:
            if user_id != self.user.id:
                live.notify("undo", user_id, now, mark=mark, name=live.name_of(self.user))
