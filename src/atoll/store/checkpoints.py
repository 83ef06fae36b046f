"""Checkpoints of games: rows while a game runs, one compressed row when it is over.

Successive checkpoints differ little. Compressed as one stream, those of a game take a fortieth of
their size; compressed one by one, half of it.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, delete, insert, select

from . import schema
from .codec import to_row
from .rows import CheckpointRow
from .statements import Queries, first_row

PACK_AFTER_MS: Final = 3_600_000
"""Milliseconds after the end of a game until its checkpoints are packed."""

_PLAIN = schema.checkpoints
_PACKED = schema.packed_checkpoints
_LEVEL: Final = 9
_decode: Final = msgspec.msgpack.Decoder(list[tuple[int, int, str]]).decode


def _packed(rows: list[CheckpointRow]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode([(row.number, row.sequence, row.position) for row in rows]), _LEVEL)


def _unpacked(game_id: str, data: bytes) -> list[CheckpointRow]:
    return [CheckpointRow(game_id, *each) for each in _decode(zlib.decompress(data))]


class CheckpointStore(Queries):
    """Reads checkpoints, packed or not, and packs them."""

    async def checkpoint(self, game_id: str, sequence: int) -> CheckpointRow | None:
        """Return the last checkpoint of a table at or before a sequence number, or None."""
        earlier = select(_PLAIN).where(_PLAIN.c.game_id == game_id, _PLAIN.c.sequence <= sequence)
        query = earlier.order_by(_PLAIN.c.number.desc()).limit(1)

        def work(connection: Connection) -> CheckpointRow | None:
            """Read the row, or find it among the packed ones."""
            found = connection.execute(query).first()
            if found is not None:
                return to_row(CheckpointRow, found)
            rows = [row for row in _read_packed(connection, game_id) if row.sequence <= sequence]
            return first_row(rows[-1:])

        return await self._database.read(work)

    async def checkpoints(self, game_id: str) -> list[CheckpointRow]:
        """Return all checkpoints of a table in order."""

        def work(connection: Connection) -> list[CheckpointRow]:
            """Read the rows, or the packed ones."""
            return _read_plain(connection, game_id) or _read_packed(connection, game_id)

        return await self._database.read(work)

    async def pack_checkpoints(self, game_id: str) -> None:
        """Pack the checkpoints of a table whose game has ended; nothing happens if it hasn't."""
        games = schema.games.c
        ended = select(games.id).where(games.id == game_id, games.status.in_(("over", "cancelled")))

        def work(connection: Connection) -> None:
            """Replace the rows by a packed one, unless the table changes meanwhile."""
            if connection.scalar(ended.with_for_update()) is None:
                return
            rows = _read_plain(connection, game_id)
            if rows:
                packed: dict[str, Any] = {"game_id": game_id, "data": _packed(rows), "count": len(rows)}
                connection.execute(delete(_PACKED).where(_PACKED.c.game_id == game_id))
                connection.execute(insert(_PACKED), packed)
                connection.execute(delete(_PLAIN).where(_PLAIN.c.game_id == game_id))

        await self._database.write(work)


def _read_plain(connection: Connection, game_id: str) -> list[CheckpointRow]:
    query = select(_PLAIN).where(_PLAIN.c.game_id == game_id).order_by(_PLAIN.c.number)
    return [to_row(CheckpointRow, row) for row in connection.execute(query)]


def _read_packed(connection: Connection, game_id: str) -> list[CheckpointRow]:
    data = connection.scalar(select(_PACKED.c.data).where(_PACKED.c.game_id == game_id))
    return [] if data is None else _unpacked(game_id, data)
