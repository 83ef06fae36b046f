"""Who listens to which table, and telling them that it has changed.

A stream has no queue: it holds the newest version of each table until it is fetched. A slow reader costs nothing and
misses nothing. Correctness never depends on a message: a client that reconnects gets all versions again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Set
from typing import Final

from ..table.live_table import version

LOBBY: Final = "lobby"
"""What a stream watches to be told of changes of the lobby."""


class Stream:
    """One browser's stream: its own tables by its user, others because it watches them. ended: nobody listens now."""

    def __init__(self, user_id: str | None, watched: Iterable[str]) -> None:
        self.user_id: str | None = user_id
        self.watched: frozenset[str] = frozenset(watched)
        self._tables: dict[str, str] = {}
        self._lists: bool = False
        self._waiting: asyncio.Future[None] | None = None
        self.ended: bool = False

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def end(self) -> None:
        """Whoever listened has gone; `take` returns at once."""
        self.ended = True
        self._wake()

    def put(self, table: str, version: str, *, lists: bool = False) -> None:
        """A table has a new version. lists: lists of tables have changed."""
        self._tables[table] = version
        self._lists |= lists
        self._wake()

    def put_read(self, tables: Mapping[str, str]) -> None:
        """Versions that were read while the stream listened already: what it has heard since is newer."""
        self._tables = {**tables, **self._tables}
        self.put_lists()

    def forget(self, tables: Iterable[str]) -> None:
        """What was heard of these tables isn't for this stream."""
        for table in tables:
            self._tables.pop(table, None)

    def put_lists(self) -> None:
        """Lists of tables have changed."""
        self._lists = True
        self._wake()

    async def take(self, seconds: float) -> tuple[dict[str, str], bool]:
        """Wait for news, at most so many seconds: new versions by table, and whether lists have changed."""
        if not (self._tables or self._lists or self.ended):
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


class Hub:
    """All open streams of this server."""

    def __init__(self) -> None:
        self._streams: set[Stream] = set()
        self._is_closed: bool = False
        self._by_user: dict[str, set[Stream]] = {}
        self._by_table: dict[str, set[Stream]] = {}

    def __len__(self) -> int:
        return len(self._streams)

    def add(self, stream: Stream) -> None:
        """From now on the stream is told."""
        self._streams.add(stream)
        if self._is_closed:
            stream.end()
        if stream.user_id is not None:
            self._by_user.setdefault(stream.user_id, set()).add(stream)
        for table in stream.watched:
            self._by_table.setdefault(table, set()).add(stream)

    def narrow(self, stream: Stream, watched: Set[str]) -> None:
        """Of the tables that a stream watches, these are open to it; of the others it has heard nothing."""
        hidden = stream.watched - watched
        for table in hidden:
            self._drop(self._by_table, table, stream)
        stream.watched -= hidden
        stream.forget(hidden)

    def remove(self, stream: Stream) -> None:
        """The stream has ended."""
        self._streams.discard(stream)
        if stream.user_id is not None:
            self._drop(self._by_user, stream.user_id, stream)
        for table in stream.watched:
            self._drop(self._by_table, table, stream)

    @staticmethod
    def _drop(index: dict[str, set[Stream]], key: str, stream: Stream) -> None:
        streams = index.get(key, set())
        streams.discard(stream)
        if not streams:
            index.pop(key, None)

    def is_here(self, user_id: str) -> bool:
        """Whether a user has a stream open at this server."""
        return user_id in self._by_user

    def close(self) -> None:
        """End all streams, and those that come later at once."""
        self._is_closed = True
        for stream in self._streams:
            stream.end()

    def end(self, user_id: str) -> None:
        """End all streams of a user; those who may come back do."""
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
        """A table has changed. only: the single user who can notice ("" for all). lists, lobby: these have changed."""
        for user, mark in marks.items():
            if only and user != only:
                continue
            for stream in self._by_user.get(user, ()):
                stream.put(table, version(public, mark), lists=lists)
        if only:
            return
        for stream in self._by_table.get(table, ()):
            if stream.user_id not in marks:
                stream.put(table, version(public, None))
        if lobby:
            for stream in self._by_table.get(LOBBY, ()):
                stream.put_lists()
