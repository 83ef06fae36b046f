"""Backups: verified copies of a database, made while servers use it."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from atoll.engine import AtollError, Game
from atoll.engine import record as records
from atoll.store import BackupRow, Store, StoreError
from atoll.store.backup import CopiedDatabase, SampledGame, copy_postgres, copy_sqlite

from ..domain import wall_clock

REPLAYED: Final = 20
"""Default number of random games of the copy that are replayed."""


@dataclass(slots=True)
class BackupReport:
    """A backup and the results of its check.

    Attributes:
        copy: The copy.
        seconds: Duration of the backup with its check.
        replayed: Number of games that were replayed without an error.
        skipped: Number of games of other rules or components, which can't be replayed.
    """

    copy: CopiedDatabase
    seconds: float = 0.0
    replayed: int = 0
    skipped: int = 0


async def back_up(url: str, file: Path, games: Mapping[str, Game], replays: int = REPLAYED) -> BackupReport:
    """Copy a database to a file, check the copy, and store the result in the database.

    A copy with faults stays as `FILE.part`, for an examination.

    Args:
        url: Address of the database; servers may use it.
        file: File to write; it must not exist.
        games: All games by id.
        replays: Number of random games to replay.

    Returns:
        The backup.

    Raises:
        StoreError: If the file exists, or the database can't be copied.
    """
    if await asyncio.to_thread(file.exists):
        raise StoreError(f"{file} exists already; nothing was written")
    began, now = time.monotonic(), wall_clock.machine_ms()
    part = file.with_name(f"{file.name}.part")
    store = await Store.open(url, as_is=True)
    try:
        await asyncio.to_thread(part.unlink, missing_ok=True)
        if store.dialect == "sqlite":
            source = Path(str(store.url.database))
            copy = await asyncio.to_thread(copy_sqlite, source, part, now, replays)
        else:
            copy = await copy_postgres(store.url, part, replays)
        report = BackupReport(copy)
        for sample in copy.samples:
            _replay(sample, games, report)
        if not copy.faults:
            await asyncio.to_thread(_finish, part, file)
        await store.operations.add_backup(
            BackupRow(
                secrets.token_hex(8),
                now,
                copy.kind,
                copy.schema,
                copy.counts.get("games", 0),
                copy.bytes,
                not copy.faults,
            )
        )
    finally:
        await store.close()
    report.seconds = time.monotonic() - began
    return report


def _replay(sample: SampledGame, games: Mapping[str, Game], report: BackupReport) -> None:
    """Replay a game of a copy with the installed rules, and add a fault if that fails."""
    row = sample.table
    game = games.get(row["game"])
    if game is None or (game.rules_version, game.components_hash) != (row["rules_version"], row["box"]):
        report.skipped += 1
        return
    reason = f"{len(sample.choices)} answers instead of {row['number']}" if len(sample.choices) != row["number"] else ""
    if not reason:
        try:
            position = game.new(sample.seats, sample.options)
            for index, (seat, choice) in enumerate(sample.choices):
                records.advance(position, index, seat, choice)
            if row["status"] == "over" and not position.over:
                reason = "its record doesn't reach the end"
        except AtollError as error:
            reason = str(error)
    if reason:
        report.copy.faults.append(f"game {row['id']} can't be replayed: {reason}")
    else:
        report.replayed += 1


def _finish(part: Path, file: Path) -> None:
    """Write a copy to the disk, and give it its name."""
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.rename(file)
