"""Limits that count in the database: a restart or another server doesn't reset them."""

from __future__ import annotations

import hashlib

from atoll.store import AttemptLimit, Store

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused
from .store_errors import refuse_on_store_error


class Attempts:
    """Attempts by networks and mail addresses, whose names are stored as hashes for a day."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store: Store = store
        self._limits: Limits = limits

    async def hit(self, category: str, *who: str, most_a_day: int = 0) -> None:
        """Count an attempt by each of these addresses.

        Args:
            category: A category of `domain.limits.DEFAULTS`.
            *who: Networks or mail addresses.
            most_a_day: Additional limit of attempts a day; 0 for none.

        Raises:
            Refused: If one of them has attempted too often. It says how many seconds to wait.
        """
        rate = self._limits.rate(category)
        if rate is None:
            return
        windows = [(rate[0], 1000 * rate[1]), *([(most_a_day, 86_400_000)] if most_a_day else ())]
        keys = [hashlib.sha256(f"{self._store.id}\n{each}".encode()).hexdigest() for each in who]
        limits = [AttemptLimit(category, key, *window) for key in keys for window in windows]
        with refuse_on_store_error():
            wait_ms = await self._store.attempts.count(limits, wall_clock.now_ms())
        if wait_ms:
            seconds = -(-wait_ms // 1000)
            detail = f"too often ({category}); try again in {seconds} s"
            raise Refused("limit", 429, detail, fields={"seconds": seconds}, retry_after=seconds)
