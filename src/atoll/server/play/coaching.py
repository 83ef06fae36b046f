"""A coach at a table: what others did for a seat, what its open turn does, what comes, and a word before a blunder.

All of it is for that seat alone and follows from what it knows. Whether somebody wants a coach is theirs to say;
it tells what the rules say, so it may sit at every table, but it warns only where those who play may ask a bot.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from atoll.learn.coach import Caution, Change, Note, changes, soon, standing

from ..domain import metrics
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.progress import Coached
from ..table import permissions
from ..table.live_table import Live, encode
from ..table.playback import CoachedAct, acted, acts
from .executor import Keeper
from .history import History
from .ports import BotFailed, BotWorkers
from .users import People

log = structlog.get_logger(__name__)

_MOST_ACTS: Final = 8


@dataclass(frozen=True, slots=True)
class Coaching:
    """What a coach says to a seat.

    acts: since its last choice. staged: what its open turn changes so far. soon: what comes. warns: whether it looks at
    turns; checked: whether it has looked at this one; caution: what speaks against it.
    """

    acts: tuple[CoachedAct, ...]
    staged: tuple[Change, ...]
    soon: tuple[Note, ...]
    warns: bool
    checked: bool
    caution: Caution | None


def coached(user: User | None, game: str) -> Coached:
    """Whether somebody has a coach in a game."""
    return "off" if user is None else user.learning.coach.get(game, "off")


class Coach:
    """Who looks over one's shoulder. pool: the bots that judge turns."""

    def __init__(self, keeper: Keeper, limits: Limits, history: History, people: People, pool: BotWorkers) -> None:
        self._keeper: Keeper = keeper
        self._limits: Limits = limits
        self._history: History = history
        self._people: People = people
        self._pool: BotWorkers = pool

    async def set(self, who: User | None, game: str, wanted: Coached) -> User:
        """Have a coach in a game, or none. Raises Refused."""
        user = permissions.signed_in(who)
        self._keeper.catalogue.game(game)
        allowed = ("first", "on", "quiet", "off")
        if wanted not in allowed:
            raise Refused("bad_option", 422, f"a coach is one of {', '.join(allowed)}")
        return await self._people.set_coach(user, game, wanted)

    async def told(self, who: User | None, table: str, seat: int) -> Coaching | None:
        """What the coach of one of my seats says now; None if it has none, or nothing is played."""
        user = permissions.signed_in(who)
        async with self._keeper.held(table) as live:
            permissions.check_visible(live, user)
            permissions.own_seat(live, user, seat)
            level = coached(user, live.row.game)
            position = live.position
            if level == "off" or position is None or live.row.status != "running":
                return None
            staged: tuple[Change, ...] = ()
            view: Mapping[str, Any] = position.view(seat)
            if seat in position.to_move and live.seats[seat].draft:
                stage = live.stage(seat)
                view = stage.view()
                staged = tuple(changes(standing(position, seat), standing(stage.position, seat)))
            known = live.cautions.get(seat)
            checked = known is not None and known[0] == live.stamp(seat)
            return Coaching(
                await self._acts(live, seat),
                staged,
                tuple(soon(position.game, view)),
                live.row.advice and level != "quiet",
                checked,
                known[1] if known is not None and checked else None,
            )

    async def _acts(self, live: Live, seat: int) -> tuple[CoachedAct, ...]:
        """What was done since the seat's last choice, each with what it changed; worked out once a moment."""
        now = live.row.sequence, live.row.told
        known = live.coached.get(seat)
        if known is not None and known[0] == now:
            return known[1]
        found: list[CoachedAct] = []
        steps = await self._history.steps(live)
        own = acted(steps, seat, live.row.sequence)
        every = acts(steps, live.log(seat), live.row.sequence, over=False)
        since = [act for act in every if act.seats and act.end > (-1 if own is None else own)][-_MOST_ACTS:]
        try:
            before = standing(await self._history.position_at(live, since[0].start), seat) if since else None
            for act in since:
                after = standing(await self._history.position_at(live, act.end), seat)
                assert before is not None
                found.append(CoachedAct(act.log, tuple(changes(before, after))))
                before = after
        except Refused:
            found = []  # a game that is only known from a later moment on
        live.coached[seat] = now, tuple(found)
        return tuple(found)

    async def check(self, who: User | None, table: str, seat: int, stamp: str = "") -> Caution | None:
        """Look at the open turn of one of my seats before it is confirmed: what speaks against it; None if nothing.

        stamp: of the turn as it was read; "" for the turn as it is now.
        """
        user = permissions.signed_in(who)
        async with self._keeper.held(table) as live:
            now, position = permissions.advised(live, user, seat, stamp)
            known = live.cautions.get(seat)
            if known is not None and known[0] == now:
                return known[1]
            choices = live.stage(seat).final()
            if choices is None:
                raise Refused("incomplete", 409, "the turn isn't complete yet; choose on")
            saved = encode(position.encodable_save())
        self._limits.hit("advice", user.id)
        seconds = self._keeper.settings.coach_seconds
        try:
            found = await self._pool.warn(saved, seat, choices, seconds, secrets.randbits(63))
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("coach could not look", table=table, error=str(error))
            found = None
        async with self._keeper.held(table) as live:
            if live.stamp(seat) != now:
                raise Refused("stale", 409, "the table has changed meanwhile; look at it again")
            live.cautions[seat] = now, found
        return found
