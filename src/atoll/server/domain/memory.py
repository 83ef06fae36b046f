"""How much memory a process of ours may take that runs what isn't trusted."""

from __future__ import annotations

import contextlib


def limit_memory(most: int) -> None:
    """From now on this process gets no more memory than so many bytes, where the system can enforce it."""
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
