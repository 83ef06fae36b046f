"""Data types of competitions: plain values that are safe for templates."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal, get_args

from msgspec import Struct

from .model import Clock

CompetitionKind = Literal["league", "mini", "evening", "solo"]
"""The format of a competition.

- "league": divisions in tiers; all games side by side, in seasons.
- "mini": one division that starts when it is full.
- "evening": rounds at announced times, and a final table.
- "solo": games of one seat with the same draws for all, side by side, in seasons.
"""

CompetitionState = Literal["open", "check_in", "starting", "running", "over", "cancelled"]
"""The state of a competition.

- "open": it takes entries.
- "check_in": those who entered confirm that they will play.
- "starting": the draw is done, and the tables are being created.
- "running": its games are being played.
- "over": the standings are final.
- "cancelled": it didn't take place, or was broken off.
"""

HostAct = Literal["pause", "replace", "annul", "cancel"]
"""What the host of a private cup may do, each with a reason."""

KINDS: Final[tuple[CompetitionKind, ...]] = get_args(CompetitionKind)
HOST_ACTS: Final[tuple[HostAct, ...]] = get_args(HostAct)

_HOUR: Final = 3600
LEAGUE_CLOCK: Final = Clock(72 * _HOUR, 12 * _HOUR, 120 * _HOUR, hours=True, vacation=True)
"""Time control of leagues and mini cups."""
EVENING_CLOCK: Final = Clock(600, 15, 900)
"""Time control of evenings."""

TITLE_LENGTH: Final = 40
REASON_LENGTH: Final = 200
MOST_SOLO_ENTRIES: Final = 200
"""Largest number of entries of a solo league."""
HIGHEST_LEVEL: Final = 3
"""Highest level of mini cups."""
LEAST_RELIABILITY: Final = 80
"""Reliability in percent that entries and hosts of private cups need."""


class CompetitionRules(Struct, frozen=True):
    """Rules of a competition that its kind doesn't fix.

    Attributes:
        division: Name of the division; see `divisions`. "" for evenings and solo leagues.
        days: Days from the first game to the hard end.
        pause_days: Days between two seasons of a league.
        level: Level of a mini cup, from 1.
        rounds: Rounds of an evening before the final table; in a solo league, games of each player.
        minutes: Minutes of a round of an evening.
    """

    division: str = ""
    days: int = 63
    pause_days: int = 7
    level: int = 1
    rounds: int = 3
    minutes: int = 45


class NewCompetition(Struct, frozen=True):
    """A competition to create.

    Attributes:
        kind: Its format.
        game: Id of the game.
        seats: Usual number of seats of a table.
        division: Name of the division, for leagues and mini cups.
        starts: Time of the first games; None for a mini cup.
        days: Days from the first game to the hard end.
        rounds: Rounds of an evening before the final table; in a solo league, games of each player.
        minutes: Minutes of a round of an evening.
        private: Whether only the address leads to it (mini cups).
        title: Name of a private cup.
    """

    kind: CompetitionKind
    game: str
    seats: int
    division: str = ""
    starts: datetime | None = None
    days: int = 63
    rounds: int = 3
    minutes: int = 45
    private: bool = False
    title: str = ""


class CompetitionCard(Struct, frozen=True):
    """A competition in a list.

    Attributes:
        id: Id of the competition.
        kind: Its format.
        game: Id of the game.
        seats: Usual number of seats of a table.
        season: Number of the season.
        level: Level of a mini cup.
        title: Name that the host gave, or "".
        state: Its state.
        entered: Number of entries.
        places: Number of places of a mini cup or solo league; None without a limit.
        starts: Time of the first games, or None.
        ends: Hard end of the games, or None.
        mine: State of the reader's entry, or "".
        private: Whether only the address leads to it.
    """

    id: str
    kind: CompetitionKind
    game: str
    seats: int
    season: int
    level: int
    title: str
    state: CompetitionState
    entered: int
    places: int | None
    starts: datetime | None
    ends: datetime | None
    mine: str = ""
    private: bool = False


class EntryInfo(Struct, frozen=True):
    """An entry of a competition.

    Attributes:
        name: Name of the user.
        mine: Whether it is the reader's.
        state: "waiting", "entered", "playing" or "out".
        lot: Its lot in the draw, in hex; "" before the draw.
        rating: Rating at the draw, or None.
        ladder: Position on the ladder of the previous season, or None.
        division: Number of its division; None without a place.
    """

    name: str
    mine: bool
    state: str
    lot: str = ""
    rating: int | None = None
    ladder: int | None = None
    division: int | None = None


class StandingInfo(Struct, frozen=True):
    """A line of the standings.

    Attributes:
        player: Number of the player in the division.
        name: Name; "" for a deleted account.
        mine: Whether it is the reader.
        rank: Rank, from 1. Only players of a solo league can share one.
        games: Number of finished games.
        points: Points, as a fraction such as "7/3"; in a solo league, the sum of the scores.
        beaten: Sonneborn-Berger, as a fraction.
        wins: Wins, as a fraction.
        share: Part of all scores, in percent of its games.
        decided: Tie-break that separates the player from the one above, or "".
        out: Whether the player dropped out.
        results: Result against each other line in order, such as "1", "½" or ""; in a solo league,
            the score of each round.
        moves: 1 if the player would move up, -1 if down, or 0.
    """

    player: int
    name: str
    mine: bool
    rank: int
    games: int
    points: str
    beaten: str
    wins: str
    share: int
    decided: str
    out: bool
    results: tuple[str, ...] = ()
    moves: int = 0


class GamePlayer(Struct, frozen=True):
    """A seat of a game of a competition.

    Attributes:
        player: Number of the player in the division.
        name: Name; "" for a deleted account.
        mine: Whether it is the reader.
        place: Place, once the game is over; None before and for a seat without a place. In a solo
            league, 1 is a win and 2 a defeat.
        absent: Whether the player has left the game.
    """

    player: int
    name: str
    mine: bool
    place: int | None = None
    absent: bool = False


class GameInfo(Struct, frozen=True):
    """A game of a competition.

    Attributes:
        table: Id of the table; "" if it isn't there, or if it belongs to another player of a solo
            league whose season isn't over.
        round: Number of the round.
        number: Number in the division and round.
        state: State of the table, or "annulled".
        players: The players, in the order of the seats.
        my_turn: Whether the table waits for the reader.
    """

    table: str
    round: int
    number: int
    state: str
    players: tuple[GamePlayer, ...]
    my_turn: bool = False

    @property
    def mine(self) -> bool:
        """True if the reader plays."""
        return any(player.mine for player in self.players)


class DivisionInfo(Struct, frozen=True):
    """A division of a competition.

    Attributes:
        number: Number, from 1.
        tier: Its tier, from 1.
        standings: Its standings.
        games: Its games.
    """

    number: int
    tier: int
    standings: tuple[StandingInfo, ...]
    games: tuple[GameInfo, ...]


class HostEntry(Struct, frozen=True):
    """An act of the host.

    Attributes:
        act: The act.
        at: When.
        reason: The reason that the host gave.
        what: What it concerned: days, the number of a game, or "".
        names: Names of the players that it concerned; "" for a deleted account.
    """

    act: HostAct
    at: datetime
    reason: str
    what: str = ""
    names: tuple[str, ...] = ()


class CompetitionView(Struct, frozen=True):
    """A competition, as a reader sees it.

    Attributes:
        card: Its facts.
        clock: Time control of its games; None in a solo league, where nobody waits for a player.
        rules: Its rules.
        rated: Whether its games are rated.
        host: Name of the host, or "".
        can: Actions that the reader may take: "enter", "leave", "check_in", "drop_out", "host".
        seed_hash: Hash of the seed.
        seed: The seed, once the draw is done, or in a solo league once the season is over; ""
            before.
        entries: The entries.
        divisions: The divisions, once the draw is done.
        check_in: Time from which those who entered confirm, or None.
        round: Number of the current round.
        seasons: Season and id of the other competitions of the series.
        host_log: Acts of the host.
    """

    card: CompetitionCard
    clock: Clock | None
    rules: CompetitionRules
    rated: bool
    host: str
    can: tuple[str, ...]
    seed_hash: str
    seed: str
    entries: tuple[EntryInfo, ...]
    divisions: tuple[DivisionInfo, ...]
    check_in: datetime | None
    round: int
    seasons: tuple[tuple[int, int, str], ...]
    host_log: tuple[HostEntry, ...] = ()


class Badge(Struct, frozen=True):
    """A good rank in a competition that is over.

    Attributes:
        card: The competition.
        rank: The rank.
        division: Number of the division.
        tier: Tier of the division.
        at: End of the competition.
    """

    card: CompetitionCard
    rank: int
    division: int
    tier: int
    at: datetime
