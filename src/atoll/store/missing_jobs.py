"""Detection of jobs that are missing although their tables need them.

A command sets its jobs in its own transaction. This check is a safety net, so that no table stands
still forever.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, func, literal, select

from . import schema
from .rows import JobRow


def missing_jobs(connection: Connection) -> list[JobRow]:
    """Return the jobs that tables need and that aren't set.

    A table needs a job if a bot or a seat with planned answers is asked, if a clock runs, or if the
    table is full and waits for its start. A competition needs one until it is over.
    """
    games, seats = schema.games.c, schema.seats.c
    at_tables = schema.games.join(schema.seats)
    asked = (games.status == "running") & seats.asked.is_not(None)
    timed = games.clock.is_not(None) & seats.due.is_not(None) & seats.overdue.is_(False)
    free = (
        select(seats.seat)
        .where(seats.game_id == games.id, seats.kind.not_in(("person", "bot")))
        .correlate(schema.games)
    )
    queries: dict[str, Any] = {
        "bot": select(games.id, literal(0)).select_from(at_tables).where(asked & (seats.bot != "")).distinct(),
        "clock": select(games.id, func.min(seats.due)).select_from(at_tables).where(asked & timed).group_by(games.id),
        "start": select(games.id, literal(0)).where((games.status == "gathering") & ~free.exists()),
    }
    found = [
        (kind, table, due)
        for kind, query in queries.items()
        for table, due in connection.execute(query.where(~_is_set(kind)))
    ]
    plans = select(games.id, seats.plan).select_from(at_tables).where(asked & seats.plan.is_not(None))
    planned = connection.execute(plans.where(~_is_set("plan")))
    found += dict.fromkeys(
        ("plan", table, 0) for table, plan in planned if not msgspec.json.decode(plan)["plan"]["ended"]
    )
    return [
        *(JobRow(f"{kind}:{table}", kind, table, due, secrets.token_hex(4)) for kind, table, due in found),
        *(
            JobRow(f"competition:{id}", "competition", None, 0, secrets.token_hex(4))
            for id in _competitions(connection)
        ),
    ]


def _competitions(connection: Connection) -> list[str]:
    """Return the ids of the competitions that need a job and have none."""
    competitions = schema.competitions.c
    job = select(schema.jobs.c.id).where(schema.jobs.c.id == literal("competition:") + competitions.id)
    query = select(competitions.id).where(competitions.state.not_in(("over", "cancelled")), ~job.exists())
    return list(connection.scalars(query))


def _is_set(kind: str) -> ColumnElement[bool]:
    job = select(schema.jobs.c.id).where(schema.jobs.c.id == literal(f"{kind}:") + schema.games.c.id)
    return job.correlate(schema.games).exists()
