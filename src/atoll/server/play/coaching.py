"""A coach at a table: others' turns, the draft, upcoming events, and a warning before a blunder.

Everything is for one seat alone and follows from its knowledge. The players themselves decide
whether they want a coach. It explains the rules, so it is allowed at every table. It warns only
where players may ask a bot.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import structlog

from atoll.lessons.coach import BlunderWarning, Note, StandingChange, changes, standing, upcoming_events

from ..domain import metrics
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.progress import CoachMode
from ..table import permissions
from ..table.live_table import LiveTable, encode
from ..table.playback import CoachedAct, acts, moment_after_last_choice
from .executor import CommandExecutor
from .history import History
from .ports import BotFailed, BotWorkers
from .users import Users

log = structlog.get_logger(__name__)

_MOST_ACTS: Final = 8


@dataclass(frozen=True, slots=True)
class CoachAdvice:
    """A coach's advice to a seat.

    Attributes:
        acts: Acts since the seat's last choice.
        staged: Changes that its turn draft makes so far.
        soon: Upcoming events.
        warns: Whether the coach checks turns for blunders.
        checked: Whether it has checked the current draft.
        caution: Its warning about the draft, or None.
    """

    acts: tuple[CoachedAct, ...]
    staged: tuple[StandingChange, ...]
    soon: tuple[Note, ...]
    warns: bool
    checked: bool
    caution: BlunderWarning | None


def coach_mode(user: User | None, game: str) -> CoachMode:
    """Return a user's coach mode in a game."""
    return "off" if user is None else user.learning.coach.get(game, "off")


class CoachService:
    """The coach.

    Args:
        executor: The executor of commands.
        limits: Rate limits.
        history: Past positions.
        users: Users.
        pool: Workers that check turns.
    """

    def __init__(
        self, executor: CommandExecutor, limits: Limits, history: History, users: Users, pool: BotWorkers
    ) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits
        self._history: History = history
        self._users: Users = users
        self._pool: BotWorkers = pool

    async def set(self, who: User | None, game: str, wanted: CoachMode) -> User:
        """Set the user's coach mode in a game.

        Args:
            who: The user.
            game: Id of the game.
            wanted: The coach mode.

        Returns:
            The user with the new setting.

        Raises:
            Refused: If the game or the mode is unknown.
        """
        user = permissions.require_user(who)
        self._executor.catalogue.game(game)
        allowed = ("first", "on", "quiet", "off")
        if wanted not in allowed:
            raise Refused("bad_option", 422, f"coach: expected one of {', '.join(allowed)}")
        return await self._users.set_coach(user, game, wanted)

    async def advice_for(self, who: User | None, table: str, seat: int) -> CoachAdvice | None:
        """Return the coach's advice to one of the user's seats.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.

        Returns:
            The advice, or None if the user has no coach or the game isn't running.

        Raises:
            Refused: If the seat isn't the user's.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, seat)
            level = coach_mode(user, live.row.game)
            position = live.position
            if level == "off" or position is None or live.row.status != "running":
                return None
            staged: tuple[StandingChange, ...] = ()
            view: Mapping[str, Any] = position.view(seat)
            if seat in position.to_move and live.seats[seat].draft:
                draft = live.turn_draft(seat)
                view = draft.view()
                staged = tuple(changes(standing(position, seat), standing(draft.position, seat)))
            known = live.blunder_warnings.get(seat)
            checked = known is not None and known[0] == live.stamp(seat)
            return CoachAdvice(
                await self._acts(live, seat),
                staged,
                tuple(upcoming_events(position.game, view)),
                live.row.advice and level != "quiet",
                checked,
                known[1] if known is not None and checked else None,
            )

    async def _acts(self, live: LiveTable, seat: int) -> tuple[CoachedAct, ...]:
        """Return the acts since the seat's last choice with their changes, cached per moment."""
        now = live.row.sequence, live.row.told
        known = live.coached_acts.get(seat)
        if known is not None and known[0] == now:
            return known[1]
        found: list[CoachedAct] = []
        steps = await self._history.steps(live)
        last_own = moment_after_last_choice(steps, seat, live.row.sequence)
        every = acts(steps, live.log(seat), live.row.sequence, over=False)
        since = [act for act in every if act.seats and act.end > (-1 if last_own is None else last_own)][-_MOST_ACTS:]
        try:
            before = standing(await self._history.position_at(live, since[0].start), seat) if since else None
            for act in since:
                after = standing(await self._history.position_at(live, act.end), seat)
                assert before is not None
                found.append(CoachedAct(act.log, tuple(changes(before, after))))
                before = after
        except Refused:
            found = []  # the first moments of this game are unknown
        live.coached_acts[seat] = now, tuple(found)
        return tuple(found)

    async def check(self, who: User | None, table: str, seat: int, stamp: str = "") -> BlunderWarning | None:
        """Check the open turn of a seat for blunders before it is confirmed.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            stamp: Stamp of the turn that the user has seen, or "" for the current one.

        Returns:
            The coach's warning, or None if it has none.

        Raises:
            Refused: If the seat can't get advice now, or the turn is incomplete.
        """
        user = permissions.require_user(who)
        async with self._executor.locked(table) as live:
            now, position = permissions.require_advice(live, user, seat, stamp)
            known = live.blunder_warnings.get(seat)
            if known is not None and known[0] == now:
                return known[1]
            choices = live.turn_draft(seat).final()
            if choices is None:
                raise Refused("incomplete", 409, "the turn is incomplete: more choices are needed")
            saved = encode(position.json_save())
        self._limits.hit("advice", user.id)
        seconds = self._executor.settings.coach_seconds
        try:
            found = await self._pool.warn(saved, seat, choices, seconds, secrets.randbits(63))
        except BotFailed as error:
            metrics.BOT_FAILURES.inc()
            log.error("coach could not look", table=table, error=str(error))
            found = None
        async with self._executor.locked(table) as live:
            permissions.require_unchanged(live.stamp(seat) == now)
            live.blunder_warnings[seat] = now, found
        return found
