"""Logs: one line per thing worth knowing; readable at a terminal, JSON where a program reads them."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from typing import Any, Final, TextIO, cast

import structlog

_EVERY_S: Final = 10.0


class Seldom:
    """Says what may happen a thousand times a second (a disk is full, a database away) once in ten seconds."""

    def __init__(self, log: Any) -> None:
        self._log: Any = log
        self._said: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def error(self, event: str, **fields: Any) -> None:
        """Log an error. `left_out`: how many of the same kind weren't since the last one."""
        now = time.monotonic()
        if now - self._said.get(event, float("-inf")) < _EVERY_S:
            self._left_out[event] = self._left_out.get(event, 0) + 1
            return
        self._said[event] = now
        left_out = self._left_out.pop(event, 0)
        self._log.error(event, **fields, **({"left_out": left_out} if left_out else {}))


class _Stream:
    """Where logs go. If that can't be written, they are lost, and nothing else: the disk may be full."""

    def write(self, text: str) -> None:
        """See TextIO."""
        with contextlib.suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """See TextIO."""
        with contextlib.suppress(OSError):
            sys.stderr.flush()


def set_up(*, as_json: bool) -> None:
    """Once, when the server starts. Secrets (tokens, seeds, hidden cards) are never logged."""
    # Whoever sends nonsense fills no log; it is counted.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    renderer: structlog.typing.Processor
    if as_json:
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Stream())),
        cache_logger_on_first_use=False,
    )
