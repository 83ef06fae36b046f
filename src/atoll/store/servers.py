"""Heartbeats of the servers on a database; clocks are credited for downtime.

A server that finds that none has been alive for a while moves all times of clocks and jobs forward
by the gap. Players therefore lose no time while no move is possible. The same happens if the
machine's clock was set back, so that nothing waits for a time that it showed before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from . import schema
from .codec import to_row, values
from .rows import MaintenanceRow, SchemaInfoRow, ServerRow

LOST_MS: Final = 15_000
"""Milliseconds of silence after which a server counts as dead."""

LOCK: Final = 0x61746F6C6D
"""Advisory lock of PostgreSQL under which servers write their heartbeats one by one."""


@dataclass(frozen=True, slots=True)
class HeartbeatResult:
    """Result of a heartbeat.

    Attributes:
        shift: Milliseconds by which clocks were moved forward; negative if they were moved back.
        holder: Another live server on a database that allows only one, or None. If it is set,
            nothing was written.
        maintenance: The maintenance that lasts now, or None.
        info: Facts about the schema, and about the backup that the database came from.
        others: Ids of the other servers that are alive.
    """

    shift: int = 0
    holder: ServerRow | None = None
    maintenance: MaintenanceRow | None = None
    info: SchemaInfoRow | None = None
    others: frozenset[str] = frozenset()


def heartbeat(
    connection: Connection, server: ServerRow, *, begins: bool, alone: bool, gone: Sequence[str] = ()
) -> HeartbeatResult:
    """Store that a server is alive, and move clocks forward if no server was alive before.

    Args:
        connection: Connection inside a transaction.
        server: Row of the server with the current time.
        begins: Whether the server has just started. Then any gap since the last heartbeat counts;
            otherwise only a gap of at least `LOST_MS`.
        alone: Whether the database allows only one server.
        gone: Ids of servers that are known to have ended.

    Returns:
        The time shift, or the server that holds the database.
    """
    servers, began = schema.servers, monotonic()
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    rows = [ServerRow(**row._mapping) for row in connection.execute(select(servers))]
    others = [
        row
        for row in rows
        if row.id != server.id and row.place and row.id not in gone and abs(server.seen - row.seen) < LOST_MS
    ]
    if alone and others:
        return HeartbeatResult(holder=others[0])
    last = max((row.seen for row in rows), default=server.seen)
    shift = server.seen - last
    maintenance = open_maintenance(connection)
    if others or (abs(shift) < LOST_MS and not begins):
        shift = 0
    elif maintenance is not None:
        shift = max(0, min(shift, maintenance.begins - last))  # `end_maintenance` credits the rest
    if shift:
        shift_clocks(connection, shift, server.seen)
    lost = [row.id for row in rows if row.id == server.id or row not in others]
    connection.execute(delete(servers).where(servers.c.id.in_(lost)))
    # A shift of very many clocks may take longer than `LOST_MS`. It mustn't count as downtime.
    took = 1000 * int(monotonic() - began)
    connection.execute(insert(servers), values(replace(server, seen=server.seen + took)))
    info = to_row(SchemaInfoRow, connection.execute(select(schema.schema_info)).one())
    return HeartbeatResult(shift, maintenance=maintenance, info=info, others=frozenset(row.id for row in others))


def open_maintenance(connection: Connection) -> MaintenanceRow | None:
    """Return the maintenance that lasts now, or None."""
    table = schema.maintenance
    found = connection.execute(select(table).where(table.c.ends.is_(None))).first()
    return None if found is None else to_row(MaintenanceRow, found)


def shift_clocks(connection: Connection, shift: int, now: int) -> None:
    """Move all times of clocks, jobs and waiting notices, and the ends of running competitions.

    Args:
        connection: Connection inside a transaction.
        shift: Milliseconds to move them forward; negative to move them back.
        now: The current time in milliseconds.
    """
    games, seats, jobs, servers = schema.games, schema.seats, schema.jobs, schema.servers
    notices, competitions = schema.notices, schema.competitions
    running = select(games.c.id).where(games.c.status == "running")
    if connection.dialect.name == "postgresql":  # writers lock tables first, in the same order
        connection.execute(running.order_by(games.c.id).with_for_update())
    least: Any = func.min if connection.dialect.name == "sqlite" else func.least
    connection.execute(update(servers).values(seen=servers.c.seen + shift))
    connection.execute(update(jobs).values(due=jobs.c.due + shift))
    connection.execute(update(jobs).where(jobs.c.lease > 0).values(lease=jobs.c.lease + shift))
    shifted = least(seats.c.asked + shift, now)
    connection.execute(
        update(seats)
        .where(seats.c.asked.is_not(None), seats.c.game_id.in_(running))
        .values(asked=shifted, due=seats.c.due + shifted - seats.c.asked)
    )
    waits = notices.c.state == "waiting"
    connection.execute(
        update(notices)
        .where(waits, notices.c.asked.is_not(None))
        .values(asked=least(notices.c.asked + shift, now), due=notices.c.due + shift)
    )
    connection.execute(update(notices).where(waits, notices.c.lease > 0).values(lease=notices.c.lease + shift))
    # The start of a competition is announced, so it stays; games that have begun get their time.
    connection.execute(
        update(competitions)
        .where(competitions.c.state.in_(("starting", "running")), competitions.c.ends.is_not(None))
        .values(ends=competitions.c.ends + shift)
    )
    # The new revision makes servers that cache these tables read them again.
    connection.execute(update(games).where(games.c.status == "running").values(revision=games.c.revision + 1))
