"""Learning progress, stored with the account, or in a cookie of people without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

CoachMode = Literal["first", "on", "quiet", "off"]
"""A person's coach in a game.

- "first": a coach during the first game only.
- "on": always.
- "quiet": always, but without warnings.
- "off": never.
"""


class LearningProgress(Struct, frozen=True):
    """A person's learning progress.

    Attributes:
        lessons: Step read last, from 1, by `<game>.<lesson>`.
        coach: The coach by game; games without an entry have none.
        puzzles: Whether a puzzle was solved at the first try, by `<game>.<id>`.
        days: By game, the last day whose puzzle was tried (as `date.toordinal()`), the number of
            consecutive days on which it was solved at the first try, and the largest such number.
        streaks: By game, the day (`date.toordinal()`) on which a streak of days was first as long
            as the achievement asks for; see `domain.achievements`.
    """

    lessons: Mapping[str, int] = field(default_factory=dict)
    coach: Mapping[str, CoachMode] = field(default_factory=dict)
    puzzles: Mapping[str, bool] = field(default_factory=dict)
    days: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    streaks: Mapping[str, int] = field(default_factory=dict)
