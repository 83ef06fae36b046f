"""Calendar feeds of deadlines at secret addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.store import Store, TokenRow

from ..domain import wall_clock
from ..domain.model import Refused, User
from ..domain.table_card import TableCard
from ..table import permissions
from .store_errors import refuse_on_store_error
from .table_lists import TableLists
from .users import new_token, token_hash, user_of

_KIND: Final = "calendar"
_YEARS_MS: Final = 10 * 366 * 86_400_000


class Deadlines:
    """Feeds of the moments when a player's time runs out."""

    def __init__(self, store: Store, lists: TableLists) -> None:
        self._store: Store = store
        self._lists: TableLists = lists

    async def token(self, who: User | None) -> str:
        """Return a new secret for the user's feed; it replaces the previous one.

        Args:
            who: The user, or None.

        Raises:
            Refused: If the user isn't signed in.
        """
        user = permissions.require_user(who)
        token = new_token()
        now = wall_clock.now_ms()
        with refuse_on_store_error():
            await self._store.add_token(TokenRow(token_hash(token), user.id, _KIND, now, now + _YEARS_MS), replace=True)
        return token

    async def of(self, token: str) -> tuple[User, Sequence[TableCard]]:
        """Return the user of a feed's secret, and their tables with a running clock.

        Args:
            token: Secret of the feed.

        Raises:
            Refused: If the secret isn't valid.
        """
        with refuse_on_store_error():
            found = await self._store.user_by_token(token_hash(token[:100]), [_KIND], wall_clock.now_ms())
        if found is None:
            raise Refused("used", 410, "this address isn't valid (any more)")
        user = user_of(found[0])
        return user, [card for card in await self._lists.mine(user) if card.due is not None]
