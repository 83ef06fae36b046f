"""Profiles of accounts: everything that others may see of a person, and the choice who sees it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, Literal, get_args

from msgspec import Struct

from .model import PlayerRating
from .reliability import Reliability
from .table_card import TableCard

Audience = Literal["all", "followed", "nobody"]
"""The people who see a part of a profile: everybody, the users that its owner follows, or nobody.

The owner sees everything.
"""

AUDIENCES: Final[tuple[str, ...]] = get_args(Audience)


class ProfileVisibility(Struct, frozen=True):
    """The audience of each part of a profile; the name is always visible.

    Attributes:
        since: Since when the account exists.
        online: Whether the person is here now.
        results: Games in the archive, places and the last results.
        ratings: Ratings per game.
        reliability: Reliability; people at a table see it in any case.
        statistics: Statistics per game: scores over time, opponents, sources of points.
        achievements: Achievements.
        invitations: Who may invite the person by name.
    """

    since: Audience = "all"
    online: Audience = "followed"
    results: Audience = "all"
    ratings: Audience = "all"
    reliability: Audience = "all"
    statistics: Audience = "all"
    achievements: Audience = "all"
    invitations: Audience = "all"

    def shown(self, *, own: bool, followed: bool) -> frozenset[str]:
        """Return the parts that a reader sees.

        Args:
            own: Whether the reader is the owner.
            followed: Whether the owner follows the reader.
        """
        audiences = {"all", *(("followed",) if followed else ())}
        return frozenset(part for part in PARTS if own or getattr(self, part) in audiences)


PARTS: Final[tuple[str, ...]] = ProfileVisibility.__struct_fields__
"""Names of the parts of a profile."""


class GamePlaces(Struct, frozen=True):
    """A person's places in a game with one number of seats.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        places: Number of games per place, the first place first. In a game for one seat the first
            place means won, the second lost.
    """

    game: str
    seats: int
    places: tuple[int, ...]

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.places)


class Achievement(Struct, frozen=True):
    """Something that a person achieved.

    Attributes:
        key: Kind of achievement; see `domain.achievements`.
        game: Id of the game, or "" if it isn't about one game.
        day: Day on which it was achieved, UTC.
        table: Id of the table at which it was achieved, or "".
    """

    key: str
    game: str
    day: date
    table: str


class Profile(Struct, frozen=True):
    """The profile of an account, as a reader may see it.

    Attributes:
        name: Name of the account.
        own: Whether it is the reader's.
        shown: Parts that the reader sees; parts that the reader doesn't see are empty.
        since: Creation of the account, or None.
        online: Whether the person is here now; None if the reader doesn't see it.
        follows: Whether the reader follows the person.
        ratings: Ratings, the game with the most rated games first.
        reliability: Reliability, or None if the reader doesn't see it.
        places: Places per game and number of seats, most recently played game first.
        recent: The last finished games, at most ten.
        together: Number of finished games that the reader played with the person.
        last_together: Id of the table of the last one, or "".
        achievements: Achievements, the most recent first.
    """

    name: str
    own: bool
    shown: tuple[str, ...]
    since: datetime | None
    online: bool | None
    follows: bool
    ratings: tuple[PlayerRating, ...]
    reliability: Reliability | None
    places: tuple[GamePlaces, ...]
    recent: tuple[TableCard, ...]
    together: int
    last_together: str
    achievements: tuple[Achievement, ...]


class Followed(Struct, frozen=True):
    """An account that a user follows.

    Attributes:
        name: Name of the account.
        online: Whether the person is here now; None if the user doesn't see it.
        invitable: Whether the user may invite the person by name.
    """

    name: str
    online: bool | None
    invitable: bool
