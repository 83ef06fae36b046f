"""Points of games and standings of divisions, with exact fractions and published tie-breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, Final

TIE_BREAKS: Final = ("beaten", "wins", "direct", "share", "time", "lot")
"""The tie-breaks after the points, in order; see `StandingLine`."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The result of a finished game.

    Attributes:
        players: Numbers of the players, in the order of the seats.
        places: Place per seat, from 1.
        scores: Score per seat.
        absent: Seats whose players didn't play to the end. They get no points, and the others are
            ranked among themselves.
        left_ms: Milliseconds left on the clock per seat.
    """

    players: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    absent: frozenset[int] = frozenset()
    left_ms: tuple[int, ...] = ()

    def present(self) -> tuple[int, ...]:
        """Return the seats whose players played to the end."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.absent)

    def beaten(self, seat: int, among: Collection[int] | None = None) -> list[tuple[int, Fraction]]:
        """Return the opponents that a present seat beat (1) or tied with (1/2).

        Args:
            seat: The seat.
            among: Numbers of the players that count, or None for all.
        """
        place = self.places[seat]
        return [
            (self.players[other], Fraction(1) if place < self.places[other] else Fraction(1, 2))
            for other in self.present()
            if other != seat and place <= self.places[other] and (among is None or self.players[other] in among)
        ]

    def points(self, seat: int, among: Collection[int] | None = None) -> Fraction:
        """Return the points of a seat, 0 to 1.

        A player whose opponents are all absent gets 1 point.

        Args:
            seat: The seat.
            among: Numbers of the opponents that count, or None for all.
        """
        if seat in self.absent:
            return Fraction(0)
        opponents = len(self.present()) - 1
        if not opponents:
            return Fraction(1 if among is None else 0)
        return sum((part for _, part in self.beaten(seat, among)), Fraction(0)) / opponents

    def win(self, seat: int) -> Fraction:
        """Return the seat's part of the win: 1, a fraction of a shared win, or 0."""
        best = min((self.places[each] for each in self.present()), default=0)
        winners = [each for each in self.present() if self.places[each] == best]
        return Fraction(1, len(winners)) if seat in winners else Fraction(0)

    def share(self, seat: int) -> Fraction:
        """Return the seat's part of all scores; 0 if one is negative or all are 0."""
        scores = [self.scores[each] for each in self.present()]
        if seat in self.absent or min(scores) < 0 or sum(scores) <= 0:
            return Fraction(0)
        return Fraction(self.scores[seat], sum(scores))


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player's line in the standings.

    Attributes:
        player: Number of the player.
        rank: Rank, from 1. It is unique except in a solo league.
        games: Number of finished games.
        points: Sum of the points.
        beaten: Sonneborn-Berger: points of the beaten opponents, per game divided by the number of
            opponents; half of them for a tie.
        wins: Number of wins, a shared win divided.
        direct: Points against the players that are tied up to here.
        share: Sum of the parts of all scores.
        left_ms: Milliseconds left on all clocks. More is better.
        decided: The tie-break that separates the player from the one above; "" for the points.
        out: Whether the player dropped out, which means the last ranks.
    """

    player: int
    rank: int
    games: int
    points: Fraction
    beaten: Fraction
    wins: Fraction
    direct: Fraction
    share: Fraction
    left_ms: int
    decided: str = ""
    out: bool = False


def standings(
    games: Sequence[PlayedGame],
    players: Collection[int],
    lots: Mapping[int, str],
    out: Collection[int] = (),
    bonus: Mapping[int, Fraction] | None = None,
) -> list[StandingLine]:
    """Return the standings of a division, best player first.

    Args:
        games: The finished games.
        players: Numbers of the players to rank. Other players of the games count as opponents.
        lots: Lot per player. The smallest one comes first; it decides last.
        out: Numbers of the players who dropped out. They come last.
        bonus: Points per player without a game, for rounds in which the player rested.
    """
    played = [(game, seat, player) for game in games for seat, player in enumerate(game.players)]
    points = _sums([*((player, game.points(seat)) for game, seat, player in played), *(bonus or {}).items()])
    beaten = _sums(
        (player, sum((part * points[other] for other, part in game.beaten(seat)), Fraction(0)) / opponents)
        for game, seat, player in played
        if seat not in game.absent and (opponents := len(game.present()) - 1)
    )
    wins = _sums((player, game.win(seat)) for game, seat, player in played)
    share = _sums((player, game.share(seat)) for game, seat, player in played)
    left = _sums((player, Fraction(game.left_ms[seat])) for game, seat, player in played if game.left_ms)
    count = _sums((player, Fraction(1)) for _, _, player in played)
    direct: dict[int, Fraction] = defaultdict(Fraction)

    def play_direct(tied: Collection[int]) -> None:
        """Compute the points among tied players."""
        for game, seat, player in played:
            if player in tied:
                direct[player] += game.points(seat, tied)

    first = sorted(players, key=lambda player: (player in out, -points[player], -beaten[player], -wins[player]))
    for tied in _groups(first, lambda player: (player in out, points[player], beaten[player], wins[player])):
        if len(tied) > 1:
            play_direct(tied)

    def values(player: int) -> tuple[Any, ...]:
        """Return the values to compare, in order; smaller is better."""
        return (
            *(player in out, -points[player], -beaten[player], -wins[player], -direct[player]),
            *(-share[player], -left[player], lots.get(player, "")),
        )

    order = sorted(players, key=values)
    found = []
    for rank, player in enumerate(order, 1):
        decided = ""
        if rank > 1:
            above = order[rank - 2]
            pairs = zip(("", "", *TIE_BREAKS), values(above), values(player), strict=True)
            decided = next((name for name, one, other in pairs if one != other), "lot")
        found.append(
            StandingLine(
                player,
                rank,
                int(count[player]),
                *(points[player], beaten[player], wins[player], direct[player], share[player]),
                int(left[player]),
                decided,
                player in out,
            )
        )
    return found


def solo_standings(
    games: Sequence[PlayedGame], players: Collection[int], out: Collection[int] = ()
) -> list[StandingLine]:
    """Return the standings of a solo league: by wins, then by the sum of the scores.

    Players who are equal in both share a rank. Games that the player left don't count.

    Args:
        games: The finished games, each with one player.
        players: Numbers of the players to rank.
        out: Numbers of the players who dropped out. They come last.
    """
    counted = [(game, game.players[0]) for game in games if not game.absent]
    wins = _sums((player, Fraction(game.places == (1,))) for game, player in counted)
    scores = _sums((player, Fraction(game.scores[0])) for game, player in counted)
    count = _sums((player, Fraction(1)) for _, player in counted)

    def values(player: int) -> tuple[Any, ...]:
        """Return the values to compare, in order; smaller is better."""
        return player in out, -wins[player], -scores[player]

    order = sorted(players, key=lambda player: (values(player), player))
    none = Fraction(0)
    found: list[StandingLine] = []
    for index, player in enumerate(order):
        shared = index > 0 and values(order[index - 1]) == values(player)
        rank = found[-1].rank if shared else index + 1
        totals = (scores[player], none, wins[player], none, none)
        found.append(StandingLine(player, rank, int(count[player]), *totals, 0, "", player in out))
    return found


def results_of_pairs(games: Sequence[PlayedGame]) -> dict[tuple[int, int], Fraction]:
    """Return the sum of the results of each player against each other one: 1, 1/2 or 0 per game.

    Games in which one of the two was absent don't count.

    Args:
        games: The finished games.
    """
    found: dict[tuple[int, int], Fraction] = {}
    for game in games:
        for one, other in permutations(game.present(), 2):
            pair = game.players[one], game.players[other]
            places = game.places[one], game.places[other]
            result = Fraction((places[0] < places[1]) * 2 + (places[0] == places[1]), 2)
            found[pair] = found.get(pair, Fraction(0)) + result
    return found


def _sums(pairs: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Return the sum of the values of each player."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for player, value in pairs:
        found[player] += value
    return found


def _groups(order: Sequence[int], key: Callable[[int], Any]) -> list[list[int]]:
    """Return neighbors with the same key as groups."""
    found: list[list[int]] = []
    for player in order:
        if found and key(found[-1][0]) == key(player):
            found[-1].append(player)
        else:
            found.append([player])
    return found
