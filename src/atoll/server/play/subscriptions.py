"""Subscriptions to changes of tables.

A subscription has no queue. It holds the newest version of each table until it is fetched. A slow
reader therefore costs nothing and misses nothing. Correctness never depends on a message: a client
that reconnects gets all versions again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Final

from ..table.live_table import version

LOBBY: Final = "lobby"
"""The name under which a subscription watches the lobby."""
_GONE_S: Final = 10.0
"""Seconds after which a user without a subscription has left; reloaded pages are back earlier."""


class Subscription:
    """The subscription of one browser: to its user's tables, and to those that it watches.

    Attributes:
        user_id: The user, or None.
        watched: Ids of the tables that it watches, and `LOBBY`.
        is_page: Whether it belongs to pages, which show who is at a table.
        shown: Whether others at the watched tables see that the user is there.
        ended: Whether the browser has left.
    """

    def __init__(
        self, user_id: str | None, watched: Iterable[str], *, is_page: bool = False, shown: bool = False
    ) -> None:
        self.user_id: str | None = user_id
        self.watched: frozenset[str] = frozenset(watched)
        self.is_page: bool = is_page
        self.shown: bool = is_page and shown
        self._here: set[str] = set()
        self._tables: dict[str, str] = {}
        self._lists: bool = False
        self._waiting: asyncio.Future[None] | None = None
        self.ended: bool = False

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def end(self) -> None:
        """End the subscription; `take` returns immediately."""
        self.ended = True
        self._wake()

    def put(self, table: str, version: str, *, lists: bool = False) -> None:
        """Store the new version of a table.

        Args:
            table: Id of the table.
            version: Its version for this reader.
            lists: Whether lists of tables have changed.
        """
        self._tables[table] = version
        self._lists |= lists
        self._wake()

    def put_read(self, tables: Mapping[str, str]) -> None:
        """Add versions that were read after the subscription began; newer ones that it has stay."""
        self._tables = {**tables, **self._tables}
        self.put_lists()

    def forget(self, tables: Iterable[str]) -> None:
        """Drop the versions of these tables, which this reader may not know."""
        for table in tables:
            self._tables.pop(table, None)

    def put_lists(self) -> None:
        """Store that lists of tables have changed."""
        self._lists = True
        self._wake()

    def put_here(self, table: str) -> None:
        """Store that the people at a table have changed."""
        self._here.add(table)
        self._wake()

    def take_here(self) -> frozenset[str]:
        """Return the tables whose people have changed since the last call."""
        found, self._here = frozenset(self._here & self.watched), set()
        return found

    async def take(self, seconds: float) -> tuple[dict[str, str], bool]:
        """Wait for changes.

        Args:
            seconds: Longest time to wait.

        Returns:
            New versions by table, and whether lists of tables have changed.
        """
        if not (self._tables or self._lists or self._here or self.ended):
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
        tables, self._tables = self._tables, {}
        lists, self._lists = self._lists, False
        return tables, lists


class EventHub:
    """All subscriptions at this server.

    Attributes:
        lobby_changes: Number of changes of the lobby so far.
        on_presence: Called with a user whose first subscription began, or whose last one ended.
    """

    def __init__(self) -> None:
        self.lobby_changes: int = 0
        self.on_presence: Callable[[str], None] = lambda _: None
        self._streams: set[Subscription] = set()
        self._is_closed: bool = False
        self._by_user: dict[str, set[Subscription]] = {}
        self._by_table: dict[str, set[Subscription]] = {}
        self._people: dict[str, frozenset[str]] = {}

    def __len__(self) -> int:
        return len(self._streams)

    @property
    def users_here(self) -> int:
        """Number of users with a subscription at this server."""
        return len(self._by_user)

    def add(self, stream: Subscription) -> None:
        """Add a subscription."""
        self._streams.add(stream)
        if self._is_closed:
            stream.end()
        if stream.user_id is not None:
            if stream.user_id not in self._by_user:
                self.on_presence(stream.user_id)
            self._by_user.setdefault(stream.user_id, set()).add(stream)
        for table in stream.watched:
            self._by_table.setdefault(table, set()).add(stream)

    def narrow(self, stream: Subscription, watched: Set[str]) -> None:
        """Limit a subscription to the tables that its reader may see.

        Args:
            stream: The subscription.
            watched: The tables that it may watch. Changes of others are dropped.
        """
        hidden = stream.watched - watched
        for table in hidden:
            self._drop(self._by_table, table, stream)
        stream.watched -= hidden
        stream.forget(hidden)
        if stream.is_page:
            for table in stream.watched - {LOBBY}:
                stream.put_here(table)
                self._update_people(table)

    def remove(self, stream: Subscription) -> None:
        """Remove a subscription."""
        self._streams.discard(stream)
        if stream.user_id is not None:
            self._drop(self._by_user, stream.user_id, stream)
            if stream.user_id not in self._by_user:
                self.on_presence(stream.user_id)
        for table in stream.watched:
            self._drop(self._by_table, table, stream)
            if stream.shown:
                asyncio.get_running_loop().call_later(_GONE_S, self._update_people, table)

    def people_at(self, table: str) -> frozenset[str]:
        """Return the ids of the users who have a table open and let others see that."""
        return self._people.get(table, frozenset())

    def _update_people(self, table: str) -> None:
        """Store who is at a table now, and notify its pages if that has changed."""
        streams = self._by_table.get(table, ())
        now = frozenset(each.user_id for each in streams if each.shown and each.user_id is not None)
        if now == self.people_at(table):
            return
        if now:
            self._people[table] = now
        else:
            del self._people[table]
        for each in streams:
            if each.is_page:
                each.put_here(table)

    @staticmethod
    def _drop(index: dict[str, set[Subscription]], key: str, stream: Subscription) -> None:
        streams = index.get(key, set())
        streams.discard(stream)
        if not streams:
            index.pop(key, None)

    def is_here(self, user_id: str) -> bool:
        """Return whether a user has a subscription at this server."""
        return user_id in self._by_user

    def close(self) -> None:
        """End all subscriptions, and later ones immediately."""
        self._is_closed = True
        self.end_all()

    def end_all(self) -> None:
        """End all subscriptions; their browsers reconnect and get all versions again."""
        for stream in self._streams:
            stream.end()

    def end(self, user_id: str) -> None:
        """End all subscriptions of a user; browsers that are still signed in reconnect."""
        for stream in self._by_user.get(user_id, ()):
            stream.end()

    def publish(
        self,
        table: str,
        public: int,
        marks: Mapping[str, int],
        *,
        only: str = "",
        lists: bool,
        lobby: bool,
    ) -> None:
        """Pass a change of a table on to its subscriptions.

        Args:
            table: Id of the table.
            public: Count of its public changes.
            marks: Private part of the version by user.
            only: The single user who can notice the change, or "" for everybody.
            lists: Whether the table looks different in lists.
            lobby: Whether the lobby has changed.
        """
        for user, mark in marks.items():
            if only and user != only:
                continue
            for stream in self._by_user.get(user, ()):
                stream.put(table, version(public, mark), lists=lists)
        self.lobby_changes += lobby
        if only:
            return
        for stream in self._by_table.get(table, ()):
            if stream.user_id not in marks:
                stream.put(table, version(public, None))
        if lobby:
            for stream in self._by_table.get(LOBBY, ()):
                stream.put_lists()
