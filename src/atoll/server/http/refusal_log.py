"""The log of refused requests (`--log-refused`): one file per hour, deleted after a day."""

from __future__ import annotations

import asyncio
import contextlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog

from ..domain.logs import RateLimitedLogger, loggable_path
from ..domain.model import Refused

seldom = RateLimitedLogger(structlog.get_logger(__name__))

KEPT: Final = timedelta(hours=24)
_PATTERN: Final = "refused-%Y-%m-%dT%H.jsonl"
_SWEEP_S: Final = 600.0
_MOST_BYTES: Final = 50_000_000
"""Size from which a file takes no more lines until the next hour."""


class RefusalLog:
    """Refused requests with time, code, path and network, as JSON lines.

    Args:
        folder: Folder of the files; it is made if necessary.

    Raises:
        OSError: If the folder can't be made.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder: Path = folder

    def note(self, error: Refused, method: str, path: str, network: str) -> None:
        """Write a line about a refused request. Lines that can't be written are lost.

        Args:
            error: The refusal.
            method: Method of the request.
            path: Its path; long segments, which may be secrets, are cut.
            network: Network of the client.
        """
        now = datetime.now(UTC)
        line = {
            "at": now.isoformat(timespec="seconds"),
            "code": error.code,
            "status": error.status,
            "method": method,
            "path": loggable_path(path),
            "network": network,
        }
        try:
            with (self._folder / now.strftime(_PATTERN)).open("a", encoding="utf-8") as file:
                if file.tell() < _MOST_BYTES:
                    file.write(json.dumps(line) + "\n")
        except OSError as failure:
            seldom.error("refused requests can't be logged", error=str(failure))

    def sweep(self) -> None:
        """Delete files whose last line may be older than a day."""
        for file in self._folder.glob("refused-*.jsonl"):
            with contextlib.suppress(ValueError, OSError):
                begins = datetime.strptime(file.name, _PATTERN).replace(tzinfo=UTC)
                if datetime.now(UTC) - begins >= KEPT:
                    file.unlink()

    async def run(self) -> None:
        """Delete old files until canceled."""
        while True:
            await asyncio.to_thread(self.sweep)
            await asyncio.sleep(_SWEEP_S)
