"""The kinds of notices that people get."""

from __future__ import annotations

from typing import Final

KINDS: Final = ("turn", "reminder", "started", "over", "message", "invitation", "nudge", "undo", "plan")
"""Kinds that a person chooses for each channel."""

TEST: Final = "test"
"""A notice on request, to try a channel."""

CONFIRM: Final = "confirm"
"""Asks the holder of an address to agree to mails."""
