"""The servers on a database: each writes now and then that it is alive; time in which none was is given back.

Whoever finds that nobody has been alive for a while sets on by that time what is counted by the clock: since when seats
are asked, when jobs are due. So nobody's time runs while no move could be made; and where the machine's clock was set
back, nothing waits for what it said before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, select, text, update

from . import schema
from .rows import ServerRow

LOST_MS: Final = 15_000
"""A server that has been silent for so long is no longer alive."""

_LOCK: Final = 0x61746F6C6D
"""On PostgreSQL only one server at a time says so, under this advisory lock."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a server learns when it writes that it is alive.

    shift: by how many milliseconds clocks were set on. holder: another server that is alive, on a database that is for
    one alone; then nothing was written.
    """

    shift: int = 0
    holder: ServerRow | None = None


def sign_of_life(
    connection: Connection, server: ServerRow, *, begins: bool, alone: bool, gone: Sequence[str] = ()
) -> Sign:
    """Write that a server is alive, and set clocks on if none was before.

    begins: the server has just started; then any time since the last sign counts, else only that in which servers are
    taken for lost. alone: the database is for one server. gone: ids of servers that are known to have ended.
    """
    servers = schema.servers
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    rows = [ServerRow(**row._mapping) for row in connection.execute(select(servers))]
    others = [
        row
        for row in rows
        if row.id != server.id and row.place and row.id not in gone and abs(server.seen - row.seen) < LOST_MS
    ]
    if alone and others:
        return Sign(holder=others[0])
    shift = server.seen - max((row.seen for row in rows), default=server.seen)
    if others or (abs(shift) < LOST_MS and not begins):
        shift = 0
    if shift:
        _set_on(connection, shift, server.seen)
    lost = [row.id for row in rows if row.id == server.id or row not in others]
    connection.execute(delete(servers).where(servers.c.id.in_(lost)))
    connection.execute(insert(servers), [{"id": server.id, "place": server.place, "seen": server.seen}])
    return Sign(shift)


def _set_on(connection: Connection, shift: int, now: int) -> None:
    games, seats, jobs, servers = schema.games, schema.seats, schema.jobs, schema.servers
    notices = schema.notices
    running = select(games.c.id).where(games.c.status == "running")
    least: Any = func.min if connection.dialect.name == "sqlite" else func.least
    connection.execute(update(servers).values(seen=servers.c.seen + shift))
    connection.execute(update(jobs).values(due=jobs.c.due + shift))
    connection.execute(update(jobs).where(jobs.c.lease > 0).values(lease=jobs.c.lease + shift))
    asked = least(seats.c.asked + shift, now)
    connection.execute(
        update(seats)
        .where(seats.c.asked.is_not(None), seats.c.game_id.in_(running))
        .values(asked=asked, due=seats.c.due + asked - seats.c.asked)
    )
    waits = notices.c.state == "waiting"
    connection.execute(
        update(notices)
        .where(waits, notices.c.asked.is_not(None))
        .values(asked=least(notices.c.asked + shift, now), due=notices.c.due + shift)
    )
    connection.execute(update(notices).where(waits, notices.c.lease > 0).values(lease=notices.c.lease + shift))
    # Whoever has one of these tables in memory reads it anew.
    connection.execute(update(games).where(games.c.status == "running").values(revision=games.c.revision + 1))
