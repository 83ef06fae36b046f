"""The archive: finished games, with filters, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import msgspec

from atoll.engine import AtollError
from atoll.store import ArchiveQuery, Store, UserRow

from ..domain.model import Refused, User
from ..domain.profile import ProfileVisibility
from ..domain.skeleton import skeleton
from ..domain.table_card import TableCard
from ..table.permissions import table_not_found
from ..table.results import options_hash
from .game_catalogue import GameCatalogue
from .store_errors import refuse_on_store_error
from .table_lists import card

MOST_PLAYERS: Final = 6
"""Largest number of players in a filter."""


@dataclass(frozen=True, slots=True)
class ArchiveFilters:
    """Conditions for the games of the archive.

    Attributes:
        game: Id of the game; "" for all.
        seats: Number of seats; 0 for all.
        options: "usual" or "other" for games with or without the usual options; "" for all.
        players: Names of accounts that all had a seat.
        place: Place of the first of them; 0 for all.
        since: Earliest end, in milliseconds; None without a limit.
        until: End before this time, in milliseconds; None without a limit.
    """

    game: str = ""
    seats: int = 0
    options: Literal["", "usual", "other"] = ""
    players: tuple[str, ...] = ()
    place: int = 0
    since: int | None = None
    until: int | None = None


class Archive:
    """The finished games that a reader may see.

    Everybody sees games that were in the lobby. Other games are found only by their players, under
    one of the reader's games.

    Args:
        store: The database.
        catalogue: The games that can be played.
        is_open: Whether the server has an archive.
    """

    def __init__(self, store: Store, catalogue: GameCatalogue, *, is_open: bool) -> None:
        self._store: Store = store
        self._catalogue: GameCatalogue = catalogue
        self.is_open: bool = is_open

    def require_open(self) -> None:
        """Refuse requests if the server has no archive.

        Raises:
            Refused: As if the page didn't exist.
        """
        if not self.is_open:
            raise Refused("no_archive", 404, "this server has no archive")

    async def games(
        self, who: User | None, filters: ArchiveFilters, limit: int, before: str = ""
    ) -> tuple[TableCard, ...]:
        """Return finished games, most recently ended first.

        Args:
            who: The reader, or None.
            filters: Conditions for the games.
            limit: The largest number of games.
            before: Id of a table; only games after it in this order are returned. "" for the first
                page. New games don't change the pages.

        Raises:
            Refused: If the server has no archive, a filter isn't valid, a player doesn't exist or
                doesn't show results to the reader, or `before` isn't a game that the reader may
                see.
        """
        self.require_open()
        if filters.game and filters.game not in tuple(self._catalogue.by_id):
            allowed = ", ".join(self._catalogue.by_id)
            raise Refused("no_page", 404, f"unknown game {filters.game[:40]!r}: expected one of {allowed}")
        if filters.place and not filters.players:
            raise Refused("place_of_nobody", 422, "`place` needs a player whose place it is")
        if len(filters.players) > MOST_PLAYERS:
            raise Refused("malformed", 422, f"too many players: expected at most {MOST_PLAYERS}")
        users = await self._players(who, filters.players)
        reader = None if who is None else who.id
        query = ArchiveQuery(
            reader=reader,
            users=users,
            game=filters.game,
            seats=filters.seats,
            usual=self._usual(filters.game) if filters.options else (),
            options=filters.options,
            place=filters.place,
            since=filters.since,
            until=filters.until,
            limit=limit,
        )
        return await self.page(who, query, before)

    async def page(self, who: User | None, query: ArchiveQuery, before: str = "") -> tuple[TableCard, ...]:
        """Return the games that a query finds; its users must show their results to the reader.

        Args:
            who: The reader, or None.
            query: The query.
            before: Id of a table; see `games`.

        Raises:
            Refused: If `before` isn't a game that the reader may see.
        """
        with refuse_on_store_error():
            if before:
                at = await self._store.results.end_of(before, query.reader)
                if at is None:
                    refused = table_not_found()
                    raise refused
                query = replace(query, before=(at, before))
            found = await self._store.results.archive(query)
            rows = await self._store.tables([id for _, id in found])
        return tuple(card(row, seats, who) for row, seats in rows)

    async def _players(self, who: User | None, names: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the accounts with these names, each once."""
        found: dict[str, UserRow] = {}
        for name in names:
            row = await account(self._store, name)
            found[row.id] = row
        # The reader's own games, also those with others, are the reader's to see.
        if who is None or who.id not in found:
            for row in found.values():
                if "results" not in await shown_to(self._store, row, who):
                    raise Refused("not_shown", 403, f"{row.name} doesn't show results", fields={"name": row.name})
        return tuple(found)

    def _usual(self, game: str) -> tuple[str, ...]:
        """Return the hashes of the usual options of a game, or of all, for all seat counts."""
        found = []
        for each in self._catalogue.games():
            if game in ("", each.id):
                for seats in each.seat_counts:
                    try:
                        found.append(options_hash(each.resolve_options({}, seats)))
                    except AtollError:
                        continue  # defaults that no table of this size can have
        return tuple(dict.fromkeys(found))


async def account(store: Store, name: str) -> UserRow:
    """Return the account with a name; names that look alike are the same.

    Args:
        store: The database.
        name: The name.

    Raises:
        Refused: If no account has it, or the database fails.
    """
    wanted = skeleton(name[:100])
    with refuse_on_store_error():
        row = await store.credentials.account_of(wanted) if wanted else None
    if row is None:
        raise Refused("no_player", 404, f"no account has the name {name[:40]!r}", fields={"name": name[:40]})
    return row


def visibility_of(row: UserRow) -> ProfileVisibility:
    """Return who sees which part of an account's profile."""
    return msgspec.convert(row.profile, ProfileVisibility)


async def shown_to(store: Store, row: UserRow, who: User | None) -> frozenset[str]:
    """Return the parts of an account's profile that a reader sees.

    Args:
        store: The database.
        row: The account.
        who: The reader, or None.
    """
    if who is None:
        return visibility_of(row).shown(own=False, followed=False)
    if who.id == row.id:
        return visibility_of(row).shown(own=True, followed=False)
    with refuse_on_store_error():
        followed = await store.results.follows(row.id, who.id)
    return visibility_of(row).shown(own=False, followed=followed)
