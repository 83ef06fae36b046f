"""The state of a database after a backup was put in its place.

Players have seen what followed the backup. Every start therefore becomes a new round, and every
running game continues at a new table of the protocol of chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from atoll.engine import Game
from atoll.store import Store

from ..domain import wall_clock
from ..domain.settings import ServerSettings
from ..table import chance_rounds, lifecycle
from ..table.live_table import LiveTable
from .table_factory import start_times


@dataclass(slots=True)
class RestoreReport:
    """The tables that a restored database changed.

    Attributes:
        starts: Number of tables whose start begins again.
        games: Number of running games that were set back.
        failed: Ids of tables whose rules failed, which stay as they are.
    """

    starts: int = 0
    games: int = 0
    failed: list[str] = field(default_factory=list)


async def restore_in_place(url: str, games: Mapping[str, Game]) -> RestoreReport:
    """Prepare the tables of a database that was restored from a backup; no server may use it.

    Args:
        url: Address of the database.
        games: All games by id.

    Returns:
        The tables that were changed.

    Raises:
        StoreError: If the database can't be used.
    """
    report = RestoreReport()
    store = await Store.open(url)
    try:
        for table in await store.unfinished_tables():
            found = await store.table(table)
            assert found is not None
            await _restore_table(store, LiveTable(*found, games), report)
    finally:
        await store.close()
    return report


async def _restore_table(store: Store, live: LiveTable, report: RestoreReport) -> None:
    """Give a table's start a new round, or set its game back."""
    now = wall_clock.now_ms()
    lifecycle.load(live)
    if live.row.status == "gathering":
        chance_rounds.restore_start(live, now, start_times(ServerSettings()))
        report.starts += 1
    elif live.position is not None and not live.broken:
        if live.pending.truncate_choices_at is not None:
            lost = await store.choices(live.row.id, live.pending.truncate_choices_at)
            lifecycle.note_restart(live, lost, now)
        chance_rounds.set_back(live, now)
        report.games += 1
    else:
        report.failed.append(live.row.id)
        return
    live.stamp_versions(now)
    await store.commit(live.unit_of_work(None))
