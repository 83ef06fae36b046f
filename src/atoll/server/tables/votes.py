"""Votes: to cancel the game, to let a bot take the seat of one who is absent, to pause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from atoll.engine.whole import whole

from .. import times
from ..hours import DAY_MS
from ..model import Refused, User, Vote
from . import clock, course, rights
from .commands import Command
from .database import database
from .keeper import Keeper
from .leaving import Level, stand_in
from .live import Live

PAUSE_DAYS: Final = 14
"""So long clocks stand still at most when all agree to a pause."""


class Votes:
    """What those at a table decide together."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper: Keeper = keeper

    async def vote(self, who: User | None, table: str, seat: int, subject: str, yes: bool) -> None:
        """Agree that the game is cancelled ("cancel"), that a bot takes an absent seat ("remove:<seat>"), that clocks
        stand still for PAUSE_DAYS ("pause"), or that they run again ("resume").

        Before the start the host alone cancels. To remove somebody all other persons must agree; it needs a seat that
        is asked, and whose time is up, or that has no clock and whose person has given no sign of life for a while.
        Whose time is up isn't asked.
        """
        user = rights.signed_in(who)
        target = _target(subject)
        seen = {} if target is None else await self._seen(user, table, target)
        wait = int(1000 * self._keeper.settings.absent_after_s)
        command = CastVote(user, seat, subject, yes, seen, wait, self._keeper.catalogue.strongest)
        await self._keeper.carry_out(table, command)

    async def _seen(self, user: User, table: str, seat: int) -> Mapping[str, int]:
        """When whoever sits there has last given a sign of life."""
        async with self._keeper.held(table) as live:
            rights.check_visible(live, user)
            owner = live.seats[rights.existing_seat(live, seat)].user_id
        if owner is None:
            return {}
        if self._keeper.hub.is_here(owner):
            return {owner: times.now_ms()}
        with database():
            row = await self._keeper.store.user(owner)
        return {owner: 0 if row is None else row.seen}


def _target(subject: str) -> int | None:
    """The seat that a vote is about; None if it is about none. Raises Refused."""
    if subject in ("cancel", "pause", "resume"):
        return None
    head, _, text = subject.partition(":")
    seat = whole(text)
    if head != "remove" or seat is None or seat < 0 or text != str(seat):
        raise Refused("malformed", 422, "subjects of votes: cancel, pause, resume, remove:<seat>")
    return seat


def _needed(live: Live, subject: str) -> tuple[int, ...]:
    target = _target(subject)
    return tuple(seat for seat in live.persons() if seat != target and not live.seats[seat].overdue)


def settle_votes(live: Live, level: Level, now: int) -> None:
    """Do what all have agreed to whose consent is needed. level: see stand_in."""
    for subject, given in sorted(live.row.votes.items()):
        if set(given) >= set(_needed(live, subject)):
            _decide(live, subject, level, now)
            return


def _decide(live: Live, subject: str, level: Level, now: int) -> None:
    target = _target(subject)
    if target is not None:
        stand_in(live, live.seats[target], "removed", level, now)
    elif subject == "cancel":
        course.cancel(live, now)
    else:
        end = now + PAUSE_DAYS * DAY_MS if subject == "pause" else now
        live.row.votes = {}
        clock.retime(live, live.seats, now, lambda: _pause(live, now, end))
        live.tell("paused" if subject == "pause" else "resumed", now, n=PAUSE_DAYS)


def _pause(live: Live, now: int, end: int) -> None:
    live.row.pause = None if end == now else [now, end]


def votes(live: Live, mine: Sequence[int]) -> tuple[Vote, ...]:
    """The open votes, for a reader who holds these seats."""
    found = []
    for subject, given in sorted(live.row.votes.items()):
        needed = _needed(live, subject)
        missing = tuple(seat for seat in mine if seat in needed and seat not in given)
        found.append(Vote(subject, needed, tuple(given), missing))
    return tuple(found)


@dataclass(slots=True)
class CastVote(Command[None]):
    """Agree, or withdraw that. seen: see `rights.check_absent`; wait: its milliseconds."""

    name: ClassVar[str] = "vote"
    user: User
    seat: int
    subject: str
    yes: bool
    seen: Mapping[str, int]
    wait: int
    level: Level

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        own = rights.own_seat(live, self.user, self.seat)
        row = live.row
        if row.status == "gathering" and self.subject == "cancel":
            rights.check_host(live, self.user)
            if self.yes:
                course.cancel(live, now)
            return
        rights.check_running(live)
        rights.check_present(own)
        target = _target(self.subject)
        if self.yes and target is not None:
            rights.check_absent(live, target, now, self.seen, self.wait)
        if self.yes and self.subject in ("pause", "resume"):
            rights.check_pause(live, now, resume=self.subject == "resume")
        given = set(row.votes.get(self.subject, ()))
        if self.yes:
            given.add(self.seat)
        else:
            given.discard(self.seat)
        row.votes = {**row.votes, self.subject: sorted(given)}
        if not given:
            del row.votes[self.subject]
        live.touch(listed=False)
        settle_votes(live, self.level, now)
