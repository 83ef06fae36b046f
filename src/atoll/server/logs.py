"""Logs: one line per thing worth knowing; readable at a terminal, JSON where a program reads them."""

from __future__ import annotations

import logging
import sys

import structlog


def set_up(*, as_json: bool) -> None:
    """Once, when the server starts. Secrets (tokens, seeds, hidden cards) are never logged."""
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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
