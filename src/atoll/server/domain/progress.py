"""What a person has learnt here, as it is kept: with the account, or in a cookie of who has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

Coached = Literal["first", "on", "quiet", "off"]
"""Whether a person has a coach in a game: as long as it is a first game; always; always, but unwarned; never."""


class Learning(Struct, frozen=True):
    """What a person has learnt.

    lessons: by `<game>.<lesson>` the step last read, from 1. coach: per game, see Coached; none without an entry.
    puzzles: by `<game>.<id>` whether it was solved at the first try. days: per game the last day (its number in
    Python's calendar) whose puzzle was tried, on how many days in a row it was solved at the first try, and the most.
    """

    lessons: Mapping[str, int] = field(default_factory=dict)
    coach: Mapping[str, Coached] = field(default_factory=dict)
    puzzles: Mapping[str, bool] = field(default_factory=dict)
    days: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
