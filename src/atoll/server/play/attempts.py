"""Limits that count in the database: a restart or another server doesn't reset them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from atoll.store import AttemptLimit, Store

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused
from .store_errors import refuse_on_store_error

_DAY_MS: Final = 86_400_000


class Attempts:
    """Attempts by networks and mail addresses, whose names are stored as hashes for a day."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store: Store = store
        self._limits: Limits = limits

    async def hit(self, category: str, who: str, *, daily: Mapping[str, int] = {}) -> None:
        """Count an attempt.

        Args:
            category: A category of `domain.limits.DEFAULTS`.
            who: The network, to which the limit of the category applies.
            daily: Additional limits of attempts a day, by network or mail address.

        Raises:
            Refused: If a limit is reached. It says how many seconds to wait.
        """
        rate = self._limits.rate(category)
        if rate is None:
            return
        limits = [AttemptLimit(category, self._key(who), rate[0], 1000 * rate[1])]
        limits += [AttemptLimit(category, self._key(each), most, _DAY_MS) for each, most in daily.items()]
        with refuse_on_store_error():
            wait_ms = await self._store.attempts.count(limits, wall_clock.now_ms())
        if wait_ms:
            seconds = -(-wait_ms // 1000)
            detail = f"too often ({category}); try again in {seconds} s"
            raise Refused("limit", 429, detail, fields={"seconds": seconds}, retry_after=seconds)

    def _key(self, who: str) -> str:
        return hashlib.sha256(f"{self._store.id}\n{who}".encode()).hexdigest()
