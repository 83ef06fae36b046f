"""Previews: the view after further choices, and the reason for which a choice isn't legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from atoll.engine import AtollError, MalformedChoice, RulesError, TurnDraft

from ..domain.limits import Limits
from ..domain.model import Refused, User, WhyNot
from ..table import permissions
from ..table.live_table import LiveTable
from .executor import CommandExecutor
from .turns import MOST_CHOICES, add_to_draft

log = structlog.get_logger(__name__)


class Previews:
    """Previews of a turn; nothing is stored."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def preview(
        self, who: User | None, table: str, seat: int, choices: Sequence[int | str]
    ) -> Mapping[str, Any] | None:
        """Return the seat's view after further choices.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            choices: The choices after those of the turn draft.

        Returns:
            The view, or None if the seat isn't asked or a choice isn't legal.

        Raises:
            Refused: If the seat isn't the user's.
        """
        user = permissions.require_user(who)
        self._limits.hit("preview", user.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, seat)
            if not _is_asked(live, seat) or not 0 < len(choices) <= MOST_CHOICES:
                return None
            assert live.position is not None
            try:
                draft = TurnDraft(live.position, seat, live.seats[seat].draft)
                add_to_draft(draft, choices)
                return draft.view()
            except RulesError:
                log.exception("preview failed", table=table)
                return None
            except AtollError:
                return None

    async def why_not(self, who: User | None, table: str, seat: int, *choices: int) -> WhyNot | None:
        """Return the reason for which a choice isn't legal, judged from the seat's view.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            *choices: The choice, or several members of the current set. Then the reason concerns
                the first member that doesn't fit the ones before it, next to all others.

        Returns:
            The reason, or None if all choices are legal.

        Raises:
            Refused: If the seat isn't the user's, or a choice isn't valid in this game.
        """
        user = permissions.require_user(who)
        self._limits.hit("preview", user.id)
        async with self._executor.locked(table) as live:
            permissions.require_visible(live, user)
            permissions.require_own_seat(live, user, seat)
            if not _is_asked(live, seat):
                return WhyNot("table", "not_asked", {}, "")
            assert live.position is not None
            try:
                for choice in choices:
                    live.position.text(choice)
            except MalformedChoice as error:
                raise Refused("malformed", 422, str(error)) from None
            draft = live.turn_draft(seat)
            for count, choice in enumerate(choices):
                asked = draft.view(choices[:count])["decision"]
                if asked is None or choice not in asked.get("options", ()):  # another seat may be asked next
                    return _reason(draft, [*choices[:count], *choices[count + 1 :]], choice)
            return None


def _reason(draft: TurnDraft, beside: Sequence[int], choice: int) -> WhyNot:
    if not draft.open:
        return WhyNot("table", "complete", {}, "")
    reason = draft.position.game.why_not(draft.view(beside), choice)
    if reason is None:
        return WhyNot("table", "later", {}, "")
    return WhyNot("game", reason.key, reason.fields, reason.rule)


def _is_asked(live: LiveTable, seat: int) -> bool:
    running = live.row.status == "running" and live.position is not None and not live.seats[seat].away
    return running and live.position is not None and seat in live.position.to_move
