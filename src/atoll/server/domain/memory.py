"""A memory limit for processes that run untrusted code."""

from __future__ import annotations

import contextlib


def limit_memory(most: int) -> None:
    """Limit the memory of this process to a number of bytes, if the system supports it."""
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
