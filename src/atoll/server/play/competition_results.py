"""Results of competitions: a pure function of the games and their tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from atoll.store import CompetitionGameRow, CompetitionRow, EntryRow, SeatRow, TableRow

from ..domain.draw import lot
from ..domain.pairing import History
from ..domain.standings import PlayedGame, StandingLine, solo_standings, standings

Tables = Mapping[str, tuple[TableRow, Sequence[SeatRow]]]
"""Tables with their seats, by id."""

BYE: Final = Fraction(1, 2)
"""Points for a round without a game."""


def is_absent(seat: SeatRow) -> bool:
    """Return whether a bot plays the seat of a player."""
    return seat.kind == "bot" or seat.away


def played_game(game: CompetitionGameRow, table: TableRow, seats: Sequence[SeatRow]) -> PlayedGame | None:
    """Return the result of a game, or None if it has none or is annulled.

    Args:
        game: The game.
        table: Its table.
        seats: The seats of the table.
    """
    if table.status != "over" or table.result is None or game.annulled:
        return None
    late = [seat.seat for seat in seats if is_absent(seat)] if game.late_seats is None else game.late_seats
    left = tuple(max(0, seat.bank_ms or 0) for seat in seats)
    places, totals = table.result["places"], table.result["totals"]
    return PlayedGame(tuple(game.seating), tuple(places), tuple(totals), frozenset(late), left)


def is_open(game: CompetitionGameRow, tables: Tables) -> bool:
    """Return whether a game isn't finished."""
    found = tables.get(game.game_id)
    return found is not None and not game.annulled and found[0].status in ("gathering", "running", "repair")


@dataclass(slots=True)
class DivisionResults:
    """The results of a division.

    Attributes:
        number: Number of the division.
        entries: Its entries, without those of deleted accounts.
        games: Its games.
        played: Its finished games.
        standings: Its standings.
    """

    number: int
    entries: list[EntryRow]
    games: list[CompetitionGameRow]
    played: list[PlayedGame]
    standings: list[StandingLine]


def results(
    row: CompetitionRow, entries: Sequence[EntryRow], games: Sequence[CompetitionGameRow], tables: Tables
) -> list[DivisionResults]:
    """Return the results of all divisions.

    Args:
        row: The competition.
        entries: Its entries.
        games: Its games.
        tables: The tables of the games.
    """
    found = []
    for division in sorted({each.division for each in games}):
        members = [each for each in entries if each.division == division]
        mine = [each for each in games if each.division == division]
        played = [
            result
            for game in mine
            if game.game_id in tables and (result := played_game(game, *tables[game.game_id])) is not None
        ]
        found.append(DivisionResults(division, members, mine, played, _standings(row, members, mine, played)))
    return found


def lot_of(row: CompetitionRow, entry: EntryRow) -> str:
    """Return the lot of an entry: the stored one, or before the draw that of its name."""
    return entry.lot or lot(row.seed, row.id, entry.name)


def _standings(
    row: CompetitionRow,
    entries: Sequence[EntryRow],
    games: Sequence[CompetitionGameRow],
    played: Sequence[PlayedGame],
) -> list[StandingLine]:
    """Return the standings of a division; those of an evening begin with its final table."""
    lots = {each.number: lot_of(row, each) for each in entries if each.number is not None}
    out = {each.number for each in entries if each.state == "out" and each.number is not None}
    if row.kind == "solo":
        return solo_standings(played, lots.keys(), out)
    if row.kind != "evening":
        return standings(played, lots.keys(), lots, out)
    rounds = int(row.rules["rounds"])
    finals = {tuple(game.seating) for game in games if game.round > rounds}
    before = [each for each in played if each.players not in finals]
    bonus = {player: BYE * count for player, count in rests(entries, games, rounds).items()}
    lines = standings(before, lots.keys(), lots, out, bonus)
    final = next((each for each in played if each.players in finals), None)
    if final is None:
        return lines
    places = {player: final.places[seat] for seat, player in enumerate(final.players) if seat not in final.absent}
    last = max(final.places) + 1
    order = sorted(lines, key=lambda line: places.get(line.player, last if line.player in final.players else last + 1))
    return [_with_rank(line, rank) for rank, line in enumerate(order, 1)]


def _with_rank(line: StandingLine, rank: int) -> StandingLine:
    """Return a line with another rank."""
    values = {name: getattr(line, name) for name in line.__dataclass_fields__}
    return StandingLine(**{**values, "rank": rank})


def rests(entries: Sequence[EntryRow], games: Sequence[CompetitionGameRow], rounds: int) -> dict[int, int]:
    """Return the number of rounds of an evening in which each player had no game.

    Args:
        entries: The entries.
        games: The games.
        rounds: Number of rounds before the final table.
    """
    drawn = sorted({game.round for game in games if game.round <= rounds})
    found: dict[int, int] = {}
    for entry in entries:
        if entry.number is None or entry.state == "out":
            continue
        playing = {game.round for game in games if entry.number in game.seating}
        found[entry.number] = sum(each not in playing for each in drawn)
    return found


def history(
    entries: Sequence[EntryRow], games: Sequence[CompetitionGameRow], lines: Collection[StandingLine], rounds: int
) -> History:
    """Return the rounds of an evening so far, for the pairing of the next one.

    Args:
        entries: The entries.
        games: The games.
        lines: The standings.
        rounds: Number of rounds before the final table.
    """
    found = History(points={line.player: line.points for line in lines})
    for game in games:
        found.add(game.seating)
    found.rested = {player for player, count in rests(entries, games, rounds).items() if count}
    return found


def dropped_games(
    games: Sequence[CompetitionGameRow], tables: Tables
) -> dict[tuple[int, int], list[CompetitionGameRow]]:
    """Return the games that each player has left, by division and number.

    Args:
        games: The games.
        tables: Their tables.
    """
    found: dict[tuple[int, int], list[CompetitionGameRow]] = {}
    for game in games:
        if game.game_id not in tables or game.late_seats is not None:
            continue
        table, seats = tables[game.game_id]
        if table.status in ("running", "over", "repair"):
            for seat, player in zip(seats, game.seating, strict=True):
                if is_absent(seat):
                    found.setdefault((game.division, player), []).append(game)
    return found
