"""Kinds of notifications."""

from __future__ import annotations

from typing import Final, Literal, get_args

KINDS: Final = (
    *("turn", "reminder", "started", "over", "message", "invitation", "request", "answer", "removed"),
    *("nudge", "undo", "plan", "competition"),
)
"""Kinds that a person selects for each channel."""

TableNotices = Literal["no_chat", "turn", "nothing"]
"""What a person hears of one table, if not everything.

- "no_chat": everything except messages; the chat is muted.
- "turn": only what waits for the person.
- "nothing": nothing.
"""

TABLE_NOTICES: Final[tuple[str, ...]] = get_args(TableNotices)

_WAITING: Final = ("turn", "reminder", "request", "nudge", "plan")


def is_wanted(kind: str, wish: str) -> bool:
    """Return whether a person wants a notification about a table.

    Args:
        kind: One of `KINDS`.
        wish: One of `TABLE_NOTICES`, or "" for everything.
    """
    if wish == "no_chat":
        return kind != "message"
    return not wish or (wish == "turn" and kind in _WAITING)


COMPETITION: Final = "competition"
"""A notification about a competition of the user."""

PERSONAL: Final = frozenset({"message", "invitation", "nudge", "undo"})
"""Kinds that one person causes for another, and that a block stops.

Others belong to a game that both play. A request for a seat never gets that far: the block refuses
it.
"""

CONDUCT: Final = "conduct"
"""A notification about house rules, which all channels deliver."""

ACCOUNT: Final = "account"
"""A notification about the user's account, which all channels deliver."""

TEST: Final = "test"
"""A notification on request, to try a channel."""

EXPIRED: Final = "expired"
"""Cause of a channel's failure: the browser has to subscribe to web push again."""

CONFIRM: Final = "confirm"
"""A request to the owner of an address to agree to mails."""
