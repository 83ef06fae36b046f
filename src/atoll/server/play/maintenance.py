"""Maintenance: nobody can play, and all clocks stand. The audit log records it with its actor."""

from __future__ import annotations

import secrets
from typing import Final

from atoll.store import MaintenanceRow, Store

from .sanctions import audit_row

LONGEST_TEXT: Final = 500
"""Longest announcement, in characters."""


async def begin_maintenance(store: Store, actor_id: str | None, text: str, until: int | None, now: int) -> bool:
    """Begin maintenance; if it has begun already, replace its announcement.

    Args:
        store: The database.
        actor_id: The operator, or None for the command line.
        text: Announcement for the pages, or "".
        until: Announced end in milliseconds, or None.
        now: The current time in milliseconds.

    Returns:
        Whether it began now.
    """
    row = MaintenanceRow(secrets.token_hex(8), now, None, until, text[:LONGEST_TEXT])
    return await store.operations.begin_maintenance(row, audit_row(actor_id, "maintenance_on", row.id, text=row.text))


async def end_maintenance(store: Store, actor_id: str | None, now: int) -> int | None:
    """End maintenance; clocks and jobs move forward by the time that they stood.

    Args:
        store: The database.
        actor_id: The operator, or None for the command line.
        now: The current time in milliseconds.

    Returns:
        The milliseconds by which clocks were moved, or None if there was no maintenance.
    """
    return await store.operations.end_maintenance(now, audit_row(actor_id, "maintenance_off", ""))
