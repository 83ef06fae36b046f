"""Votes: to cancel the game, or to let a bot take the seat of one who is absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from atoll.engine.whole import whole

from .. import times
from ..model import Refused, User, Vote
from . import course, rights
from .commands import Command
from .database import database
from .keeper import Keeper
from .leaving import Level, stand_in
from .live import Live


class Votes:
    """What those at a table decide together."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper: Keeper = keeper

    async def vote(self, who: User | None, table: str, seat: int, subject: str, yes: bool) -> None:
        """Agree that the game is cancelled ("cancel"), or that a bot takes an absent seat ("remove:<seat>").

        Before the start the host alone cancels. To remove somebody all other persons must agree; it needs a seat that
        is asked, has no clock, and whose person has given no sign of life for a while.
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
    """The seat that a vote is about; None for "cancel". Raises Refused."""
    if subject == "cancel":
        return None
    head, _, text = subject.partition(":")
    seat = whole(text)
    if head != "remove" or seat is None or seat < 0 or text != str(seat):
        raise Refused("malformed", 422, "subjects of votes: cancel, remove:<seat>")
    return seat


def _needed(live: Live, subject: str) -> tuple[int, ...]:
    target = _target(subject)
    return tuple(seat for seat in live.persons() if seat != target)


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
        given = set(row.votes.get(self.subject, ()))
        if self.yes:
            given.add(self.seat)
        else:
            given.discard(self.seat)
        row.votes = {**row.votes, self.subject: sorted(given)}
        if not given:
            del row.votes[self.subject]
        live.touch(listed=False)
        if given >= set(_needed(live, self.subject)):
            if target is None:
                course.cancel(live, now)
            else:
                stand_in(live, live.seats[target], "removed", self.level, now)
