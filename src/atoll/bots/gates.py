"""Results of levels against the level below, from the file `levels.json` of a game's package.

`atoll gate` writes the file. It fits the game's printed components only, as nets do.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from atoll.engine import Rules

GATES: Final = "levels.json"
"""Name of the file in the package of a game."""
MOST_GAMES: Final = 200
"""Number of games after which a match ends without a decision."""

log = logging.getLogger(__name__)


class GateMatch(msgspec.Struct, frozen=True):
    """A match of a level against the one below.

    Attributes:
        seats: Number of seats.
        lower: Name of the lower level.
        higher: Name of the higher level.
        games: Number of games.
        share: Share of the pairs of seats in which the higher level finished ahead, 0 to 1.
        low: Lower bound of the 95 % interval, which holds whenever the match is stopped.
        high: Upper bound.
        seed: Seed of the match.
        seconds: Level -> seconds per decision that its iterations stand for.
        iterations: Level -> iterations per decision; none for a level that doesn't search.
        version: Version of Atoll.
        date: Day on which the match was last played, in ISO format.
    """

    seats: int
    lower: str
    higher: str
    games: int
    share: float
    low: float
    high: float
    seed: int
    seconds: dict[str, float]
    iterations: dict[str, int]
    version: str
    date: str

    @property
    def verdict(self) -> str:
        """The verdict on the higher level: `above`, `below` or `level`.

        It is `level` after all games without a decision, and empty while more games are needed.
        """
        if self.low >= 0.5:
            return "above"
        if self.high <= 0.5:
            return "below"
        return "level" if self.games >= MOST_GAMES else ""


class Agreement(msgspec.Struct, frozen=True):
    """A comparison of fixed iterations with the table's seconds.

    Attributes:
        level: Name of the level.
        seats: Number of seats.
        iterations: The fixed iterations.
        seconds: Time limit of a decision, in seconds.
        decisions: Number of decisions that were compared.
        same: Number of decisions with the same choice.
        again: Number of decisions with the same choice by another search in the same seconds. Fixed
            iterations stand for the seconds if `same` isn't clearly lower.
    """

    level: str
    seats: int
    iterations: int
    seconds: float
    decisions: int
    same: int
    again: int


class Gates(msgspec.Struct):
    """The content of the file.

    Attributes:
        components: Hash of the components.
        rules_version: Version of the rules.
        rates: Number of seats -> level -> iterations per second of processor time.
        agreements: Comparisons of fixed iterations with the table's seconds.
        matches: The matches.
    """

    components: str
    rules_version: int
    rates: dict[str, dict[str, float]] = {}
    agreements: list[Agreement] = []
    matches: list[GateMatch] = []

    def match(self, lower: str, higher: str, seats: int) -> GateMatch | None:
        """Return the decided match of two levels that counts for a number of seats.

        Without one it is that of the nearest number, the lower one of two; None if there is none.

        Args:
            lower: Name of the lower level.
            higher: Name of the higher level.
            seats: Number of seats.
        """
        found = [each for each in self.matches if (each.lower, each.higher) == (lower, higher) and each.verdict]
        return min(found, key=lambda each: (abs(each.seats - seats), each.seats), default=None)


def gates_file(game: Rules) -> Path | None:
    """Return the path of a game's file, which may be missing; None for a game without a package."""
    package = find_spec(game.package) if game.package else None
    places = package.submodule_search_locations if package else None
    return next((Path(place) / GATES for place in places or ()), None)


def read_gates(file: Path, game: Rules) -> Gates:
    """Return the content of a file; without matches if it is missing or belongs to other rules.

    Args:
        file: The file.
        game: The game.

    Raises:
        ValueError: If the file is malformed.
    """
    empty = Gates(game.components_hash, game.rules_version)
    if not file.is_file():
        return empty
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Gates)
    except msgspec.DecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    fits = (found.components, found.rules_version) == (empty.components, empty.rules_version)
    return found if fits else empty


@cache
def find_gates(game: Rules) -> Gates:
    """Return the results of a game's levels.

    There are none if the file is missing. A malformed file is logged and ignored.
    """
    file = gates_file(game)
    empty = Gates(game.components_hash, game.rules_version)
    if file is None:
        return empty
    try:
        return read_gates(file, game)
    except ValueError as error:
        log.warning("levels are offered without %s", error)
        return empty
