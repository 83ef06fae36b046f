"""The standing of a user on the site: role, and what sanctions of moderators forbid."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, get_args

from msgspec import Struct

from . import wall_clock

Role = Literal["", "moderator", "operator"]
"""The role of a user: none, moderator, or operator, who may do all that moderators may."""

Reason = Literal["spam", "insult", "illegal", "cheating", "leaving", "name"]
"""The reason of a report or sanction.

- "spam": advertising, or the same again and again.
- "insult": insults and harassment.
- "illegal": threats and illegal content.
- "cheating": cheating, or several accounts.
- "leaving": leaving games.
- "name": the name.
"""

Action = Literal["warn", "mute", "unrated", "ban", "rename", "hide", "close"]
"""An action of a moderator.

- "warn": a warning.
- "mute": the person can't write messages.
- "unrated": the person can't play rated games.
- "ban": the person can't use the site, except to read the reasons, object, export and delete.
- "rename": the person gets another name.
- "hide": a message isn't shown any more.
- "close": a table ends without a result.
"""

ROLES: Final[tuple[str, ...]] = tuple(filter(None, get_args(Role)))
REASONS: Final[tuple[str, ...]] = get_args(Reason)
ACTIONS: Final[tuple[str, ...]] = get_args(Action)


class Standing(Struct, frozen=True):
    """The standing of a user.

    Attributes:
        role: The role.
        muted_until: Time until which the user can't write messages, or None.
        banned_until: Time until which the user can't use the site, or None.
        unrated_until: Time until which the user can't play rated games, or None.
        limited_until: Time until which a new guest from the network of a banned user can't chat or
            list tables before a finished game, or None.
        unread: Whether an action of a moderator waits to be read.
    """

    role: Role = ""
    muted_until: datetime | None = None
    banned_until: datetime | None = None
    unrated_until: datetime | None = None
    limited_until: datetime | None = None
    unread: bool = False

    @property
    def is_muted(self) -> bool:
        """True if the user can't write messages now."""
        return days_left(self.muted_until) > 0

    @property
    def is_banned(self) -> bool:
        """True if the user can't use the site now."""
        return days_left(self.banned_until) > 0

    @property
    def is_unrated(self) -> bool:
        """True if the user can't play rated games now."""
        return days_left(self.unrated_until) > 0

    @property
    def is_limited(self) -> bool:
        """True if the user has the limits of new guests now."""
        return days_left(self.limited_until) > 0


def days_left(until: datetime | None) -> int:
    """Return the days until a time, rounded up; 0 if it has passed or is None."""
    if until is None:
        return 0
    left_ms = int(1000 * until.timestamp()) - wall_clock.now_ms()
    return max(0, -(-left_ms // 86_400_000))
