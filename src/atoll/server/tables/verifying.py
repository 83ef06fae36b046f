"""Whole games played again by the rules, for whoever has one: from this server's tables or from anywhere."""

from __future__ import annotations

from typing import Final

import structlog

from atoll.engine import SaveError

from ..bots.pool import BotFailed, BotPool
from ..limits import Limits
from ..model import Refused, User
from ..proof import Finding
from .history import History
from .live import encode

log = structlog.get_logger(__name__)

_LONGEST_S: Final = 60.0


class Verifying:
    """Checks of games. pool: where they are played again."""

    def __init__(self, history: History, limits: Limits, pool: BotPool) -> None:
        self._history: History = history
        self._limits: Limits = limits
        self._pool: BotPool = pool

    async def table(self, who: User | None, address: str, table: str) -> list[Finding]:
        """A finished table of this server."""
        saved = await self._history.export(who, table, address=address)
        if saved["status"] != "over":
            raise Refused("not_over", 409, "the game isn't over yet")
        return await self.file(address, encode(saved))

    async def file(self, address: str, text: str, kept: str = "") -> list[Finding]:
        """A saved game. kept: what a browser has kept of it, as it saved that. Raises Refused."""
        self._limits.hit("verify", address)
        try:
            return await self._pool.verify(text, kept, _LONGEST_S)
        except SaveError as error:
            raise Refused("no_game", 422, str(error), fields={"detail": str(error)}) from None
        except BotFailed as error:
            log.warning("game can't be verified", error=str(error))
            raise Refused("busy", 503, "the game can't be verified just now; try again") from error
