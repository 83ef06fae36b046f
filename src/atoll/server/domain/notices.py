"""Kinds of notifications."""

from __future__ import annotations

from typing import Final

KINDS: Final = (
    *("turn", "reminder", "started", "over", "message", "invitation", "removed", "nudge", "undo", "plan"),
    "competition",
)
"""Kinds that a person selects for each channel."""

COMPETITION: Final = "competition"
"""A notification about a competition of the user."""

ACCOUNT: Final = "account"
"""A notification about the user's account, which all channels deliver."""

TEST: Final = "test"
"""A notification on request, to try a channel."""

EXPIRED: Final = "expired"
"""Cause of a channel's failure: the browser has to subscribe to web push again."""

CONFIRM: Final = "confirm"
"""A request to the owner of an address to agree to mails."""
