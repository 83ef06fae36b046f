"""What would be: the table after further choices, and why a choice can't be made. Nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from atoll.engine import AtollError, MalformedChoice, RulesError, Stage

from ..domain.limits import Limits
from ..domain.model import Refused, User, WhyNot
from ..table import permissions
from ..table.live_table import Live
from .executor import Keeper
from .turns import MOST_CHOICES, stage_choices

log = structlog.get_logger(__name__)


class Previews:
    """Trying things out."""

    def __init__(self, keeper: Keeper, limits: Limits) -> None:
        self._keeper: Keeper = keeper
        self._limits: Limits = limits

    async def preview(
        self, who: User | None, table: str, seat: int, choices: Sequence[int | str]
    ) -> Mapping[str, Any] | None:
        """What the seat would see after these further choices; None if they aren't all legal."""
        user = permissions.signed_in(who)
        self._limits.hit("preview", user.id)
        async with self._keeper.held(table) as live:
            permissions.check_visible(live, user)
            permissions.own_seat(live, user, seat)
            if not _is_asked(live, seat) or not 0 < len(choices) <= MOST_CHOICES:
                return None
            assert live.position is not None
            try:
                stage = Stage(live.position, seat, live.seats[seat].draft)
                stage_choices(stage, choices)
                return stage.view()
            except RulesError:
                log.exception("preview failed", table=table)
                return None
            except AtollError:
                return None

    async def why_not(self, who: User | None, table: str, seat: int, *choices: int) -> WhyNot | None:
        """Why a choice can't be made now, judged from the seat's view; None if it can.

        choices: several are members of the set that is asked for; the first that doesn't fit to those before is judged
        beside all others.
        """
        user = permissions.signed_in(who)
        self._limits.hit("preview", user.id)
        async with self._keeper.held(table) as live:
            permissions.check_visible(live, user)
            permissions.own_seat(live, user, seat)
            if not _is_asked(live, seat):
                return WhyNot("table", "not_asked", {}, "")
            assert live.position is not None
            try:
                for choice in choices:
                    live.position.text(choice)
            except MalformedChoice as error:
                raise Refused("malformed", 422, str(error)) from None
            stage = live.stage(seat)
            for count, choice in enumerate(choices):
                asked = stage.view(choices[:count])["decision"]
                if asked is None or choice not in asked.get("options", ()):  # somebody else may be asked next
                    return _reason(stage, [*choices[:count], *choices[count + 1 :]], choice)
            return None


def _reason(stage: Stage, beside: Sequence[int], choice: int) -> WhyNot:
    if not stage.open:
        return WhyNot("table", "complete", {}, "")
    reason = stage.position.game.why_not(stage.view(beside), choice)
    if reason is None:
        return WhyNot("table", "later", {}, "")
    return WhyNot("game", reason.key, reason.fields, reason.rule)


def _is_asked(live: Live, seat: int) -> bool:
    running = live.row.status == "running" and live.position is not None and not live.seats[seat].away
    return running and live.position is not None and seat in live.position.to_move
