"""Blocks: two users whom one of them wants to keep apart.

A block works in both directions, and the other user isn't notified. It stops joint new tables,
messages, invitations, nudges, rematches and lobby rows. Running games continue, and the blocking
user's pages fold the messages of the other one.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from msgspec import Struct

from atoll.store import BlockedUsers, BlockRow, Store

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..table import permissions
from .store_errors import is_fresh, refuse_on_store_error
from .table_lists import moment

MOST_BLOCKS: Final = 500
"""Largest number of blocks per user."""
_MOST_KNOWN: Final = 10_000


class Block(Struct, frozen=True):
    """A block of a user.

    Attributes:
        id: Id of the block.
        name: Name of the blocked user.
        guest: Whether the blocked user is a guest.
        created: Time of creation.
    """

    id: str
    name: str
    guest: bool
    created: datetime


@dataclass(frozen=True, slots=True)
class _CachedBlocks:
    """The blocks around a user, with the time at which they were read; see `is_fresh`."""

    blocks: BlockedUsers
    read_at: float
    others: Hashable


class BlockCache:
    """The blocks around recently active users.

    Args:
        store: The database.
        trust_s: Seconds for which a read is trusted without asking the database.
    """

    def __init__(self, store: Store, trust_s: float) -> None:
        self._store: Store = store
        self._trust_s: float = trust_s
        self._known: OrderedDict[str, _CachedBlocks] = OrderedDict()

    async def around(self, user_id: str) -> BlockedUsers:
        """Return the blocks around a user.

        Args:
            user_id: The user.

        Raises:
            Refused: If the database fails.
        """
        known = self._known.get(user_id)
        if known is None or not is_fresh(self._store, known.read_at, known.others, self._trust_s):
            others, read_at = self._store.external_version(), time.monotonic()
            with refuse_on_store_error():
                known = _CachedBlocks(await self._store.blocks.around(user_id), read_at, others)
            self._known[user_id] = known
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        return known.blocks

    def forget(self, *user_ids: str) -> None:
        """Read the blocks around these users again before their next use."""
        for user_id in user_ids:
            self._known.pop(user_id, None)


class Blocks:
    """Blocks of users."""

    def __init__(self, store: Store, limits: Limits, cache: BlockCache) -> None:
        self._store: Store = store
        self._limits: Limits = limits
        self._cache: BlockCache = cache

    async def mine(self, who: User | None) -> tuple[Block, ...]:
        """Return the user's blocks, newest first.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            rows = await self._store.blocks.of_user(user.id)
        return tuple(Block(row.id, other.name, other.kind != "account", moment(row.created)) for row, other in rows)

    async def has_blocked(self, who: User | None, other: str) -> bool:
        """Return whether a user has blocked another one."""
        return who is not None and other in (await self._cache.around(who.id)).mine

    async def require_reachable(self, who: User | None, other: str) -> User:
        """Return a user who may address another one directly, for example with an invitation.

        Args:
            who: The user.
            other: Id of the other user.

        Raises:
            Refused: If a block keeps them apart, as if the other user couldn't be found.
        """
        user = permissions.require_user(who)
        if other in (await self._cache.around(user.id)).apart:
            raise Refused("no_person", 404, "this person can't be found")
        return user

    async def add(self, who: User | None, other: str) -> None:
        """Block another user; a repeated request changes nothing.

        Args:
            who: The user.
            other: Id of the other user.

        Raises:
            Refused: If the user isn't signed in, names themselves, or has too many blocks.
        """
        user = permissions.require_user(who)
        self._limits.hit("block", user.id)
        if other == user.id:
            raise Refused("own", 409, "you can't block yourself")
        row = BlockRow(secrets.token_hex(8), user.id, other, wall_clock.now_ms())
        with refuse_on_store_error():
            added = await self._store.blocks.add(row, MOST_BLOCKS)
        if not added:
            raise Refused("many_blocks", 409, f"at most {MOST_BLOCKS} blocks", fields={"n": MOST_BLOCKS})
        self._cache.forget(user.id, other)

    async def lift(self, who: User | None, id: str) -> None:
        """Lift a block.

        Args:
            who: The user.
            id: The block.

        Raises:
            Refused: If the user has no such block.
        """
        user = permissions.require_user(who)
        with refuse_on_store_error():
            other = await self._store.blocks.lift(id, user.id)
        if other is None:
            raise Refused("no_page", 404, "block not found")
        self._cache.forget(user.id, other)
