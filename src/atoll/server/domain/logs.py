"""Logging: one line per notable event; readable in a terminal, or as JSON for programs."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from contextvars import ContextVar
from typing import Any, Final, TextIO, cast

import structlog

REQUEST_ID: Final = ContextVar[str]("request_id", default="")
"""Id of the request that this task answers, which all lines of the log name."""
_EVERY_S: Final = 10.0
_PLAIN_LENGTH: Final = 14
"""Longest segment of a path that is logged in full, such as a table's id; secrets are longer."""
_SHOWN: Final = 4


def loggable_path(path: str) -> str:
    """Return a path with its long segments, which may be secrets, cut to a few characters."""
    return "/".join(each if len(each) <= _PLAIN_LENGTH else f"{each[:_SHOWN]}…" for each in path.split("/"))


class RateLimitedLogger:
    """A logger that logs each kind of error at most once in ten seconds.

    It is for errors that may happen a thousand times a second, such as a full disk or an
    unreachable database.
    """

    def __init__(self, log: Any) -> None:
        self._log: Any = log
        self._logged_at: dict[str, float] = {}
        self._skipped: dict[str, int] = {}

    def error(self, event: str, **fields: Any) -> None:
        """Log an error, unless one of its kind was logged recently.

        The next line of the kind has the number of skipped ones as `left_out`.

        Args:
            event: The kind of error.
            **fields: Fields of the line.
        """
        now = time.monotonic()
        if now - self._logged_at.get(event, float("-inf")) < _EVERY_S:
            self._skipped[event] = self._skipped.get(event, 0) + 1
            return
        self._logged_at[event] = now
        left_out = self._skipped.pop(event, 0)
        self._log.error(event, **fields, **({"left_out": left_out} if left_out else {}))


def add_request_id(_logger: Any, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Add the id of the current request to a line of the log, if there is one.

    Args:
        _logger: The logger.
        _name: Name of the method.
        event: Fields of the line.

    Returns:
        The fields.
    """
    if request := REQUEST_ID.get():
        event["request"] = request
    return event


class _Stream:
    """The output of the log. Lines that can't be written are lost, because the disk may be full."""

    def write(self, text: str) -> None:
        """Write to standard error."""
        with contextlib.suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """Flush standard error."""
        with contextlib.suppress(OSError):
            sys.stderr.flush()


def configure_logging(*, as_json: bool) -> None:
    """Configure logging at the start of the server.

    Secrets (tokens, seeds, hidden cards) are never logged.

    Args:
        as_json: Whether to log as JSON lines.
    """
    # Invalid requests are counted, so that nobody can fill the log with them.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    renderer: structlog.typing.Processor
    if as_json:
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            add_request_id,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Stream())),
        cache_logger_on_first_use=False,
    )
