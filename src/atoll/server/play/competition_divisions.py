"""Divisions of competitions as readers see them: computed from tables, or stored at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from atoll.store import CompetitionGameRow, CompetitionRow, EntryRow, SeatRow, TableRow

from ..domain.competitions import DivisionInfo, GameInfo, GamePlayer, StandingInfo
from ..domain.standings import results_of_pairs
from .competition_results import DivisionResults, Tables, is_absent, played_game

_VULGAR: Final = {Fraction(1, 2): "½"}


def division_infos(
    row: CompetitionRow, found: Sequence[DivisionResults], mine: EntryRow | None, tables: Tables
) -> tuple[DivisionInfo, ...]:
    """Return the divisions with the results so far.

    Args:
        row: The competition.
        found: The results of its divisions.
        mine: The reader's entry, or None.
        tables: The tables of its games.
    """
    lowest = max((each.tier or 1 for division in found for each in division.entries), default=1)
    return tuple(_division_info(row, each, mine, tables, lowest) for each in found)


def without_tables_of_others(divisions: Sequence[DivisionInfo]) -> tuple[DivisionInfo, ...]:
    """Return divisions with the reader's tables only, for a solo league that isn't over."""
    return tuple(
        msgspec.structs.replace(
            division,
            games=tuple(each if each.mine else msgspec.structs.replace(each, table="") for each in division.games),
        )
        for division in divisions
    )


def nameless_divisions(row: CompetitionRow, found: Sequence[DivisionResults], tables: Tables) -> list[dict[str, Any]]:
    """Return the divisions at the end as plain data, which names players by their numbers only.

    Args:
        row: The competition.
        found: The results of its divisions.
        tables: The tables of its games.
    """
    nameless = [
        msgspec.structs.replace(
            division,
            standings=tuple(msgspec.structs.replace(line, name="") for line in division.standings),
            games=tuple(
                msgspec.structs.replace(
                    game, players=tuple(msgspec.structs.replace(player, name="") for player in game.players)
                )
                for game in division.games
            ),
        )
        for division in division_infos(row, found, None, tables)
    ]
    plain: list[dict[str, Any]] = msgspec.to_builtins(nameless)
    return plain


def stored_divisions(
    stored: Sequence[Mapping[str, Any]], entries: Sequence[EntryRow], mine: EntryRow | None, tables: Tables
) -> tuple[DivisionInfo, ...]:
    """Return the divisions as they were stored at the end, with the current names.

    Args:
        stored: The divisions.
        entries: The entries, without those of deleted accounts.
        mine: The reader's entry, or None.
        tables: The tables that still exist.
    """
    found = []
    for division in msgspec.convert(stored, list[DivisionInfo]):
        names = {each.number: each.name for each in entries if each.division == division.number}
        own = mine.number if mine is not None and mine.division == division.number else None

        found.append(
            msgspec.structs.replace(
                division,
                standings=tuple(_named(line, names, own) for line in division.standings),
                games=tuple(
                    msgspec.structs.replace(
                        game,
                        table=game.table if game.table in tables else "",
                        players=tuple(_named(player, names, own) for player in game.players),
                    )
                    for game in division.games
                ),
            )
        )
    return tuple(found)


def _named(one: Any, names: Mapping[int | None, str], own: int | None) -> Any:
    """Return a line or a seat of a player with its name.

    Args:
        one: The line or seat.
        names: Names by number.
        own: Number of the reader, or None.
    """
    return msgspec.structs.replace(one, name=names.get(one.player, ""), mine=one.player == own)


def _division_info(
    row: CompetitionRow, found: DivisionResults, mine: EntryRow | None, tables: Tables, lowest: int
) -> DivisionInfo:
    names = {each.number: each.name for each in found.entries if each.number is not None}
    own = mine.number if mine is not None and mine.division == found.number else None
    results = _scores if row.kind == "solo" else _against
    by_player = results(found, tables)
    lines = tuple(
        StandingInfo(
            *(line.player, names.get(line.player, ""), line.player == own, line.rank, line.games),
            *(_fraction(line.points), _fraction(line.beaten), _fraction(line.wins)),
            round(100 * line.share / line.games) if line.games else 0,
            *(line.decided, line.out, by_player[line.player]),
            _moves(row, found, line.rank, lowest),
        )
        for line in found.standings
    )
    games = tuple(_game_info(each, names, own, tables) for each in found.games)
    tier = found.entries[0].tier if found.entries else 1
    return DivisionInfo(found.number, tier or 1, lines, games)


def _against(found: DivisionResults, _tables: Tables) -> dict[int, tuple[str, ...]]:
    """Return the result of each player against each line of the standings."""
    pairs = results_of_pairs(found.played)
    order = [line.player for line in found.standings]
    return {one: tuple(_fraction(pairs.get((one, other))) for other in order) for one in order}


def _scores(found: DivisionResults, tables: Tables) -> dict[int, tuple[str, ...]]:
    """Return the score of each player of a solo league in each round; "" for none."""
    scores: dict[tuple[int, int], str] = {}
    for game in found.games:
        played = played_game(game, *tables[game.game_id]) if game.game_id in tables else None
        if played is not None and not played.absent:
            scores[played.players[0], game.round] = str(played.scores[0])
    rounds = sorted({game.round for game in found.games})
    return {line.player: tuple(scores.get((line.player, round), "") for round in rounds) for line in found.standings}


def _moves(row: CompetitionRow, found: DivisionResults, rank: int, lowest: int) -> int:
    """Return whether a rank moves up (1) or down (-1) between two seasons, or 0."""
    if row.kind != "league" or not found.entries:
        return 0
    tier = found.entries[0].tier or 1
    if rank <= 2 and tier > 1:
        return 1
    return -1 if tier < lowest and rank > len(found.standings) - 2 else 0


def _game_info(game: CompetitionGameRow, names: Mapping[int, str], own: int | None, tables: Tables) -> GameInfo:
    table, seats = tables.get(game.game_id, (None, ()))
    players = []
    for seat, player in enumerate(game.seating):
        row = seats[seat] if seats else None
        absent = _has_left(game, seat, row)
        place = None if table is None or table.result is None or absent else _place(game, table, seats, seat)
        players.append(GamePlayer(player, names.get(player, ""), player == own, place, absent))
    state = "annulled" if game.annulled else "waiting" if table is None else table.status
    turn = any(
        player == own and seats[seat].asked is not None and not seats[seat].away
        for seat, player in enumerate(game.seating)
        if seats
    )
    id = "" if table is None else table.id
    return GameInfo(id, game.round, game.number, state, tuple(players), turn)


def _has_left(game: CompetitionGameRow, seat: int, row: SeatRow | None) -> bool:
    if game.late_seats is not None:
        return seat in game.late_seats
    return row is not None and is_absent(row)


def _place(game: CompetitionGameRow, table: TableRow, seats: Sequence[SeatRow], seat: int) -> int:
    """Return the place of a seat among those whose players were there to the end.

    In a game of one seat, 1 is a win and 2 a defeat.
    """
    assert table.result is not None
    places: list[int] = table.result["places"]
    if len(places) == 1:
        return places[0]
    there = [places[each.seat] for each in seats if not _has_left(game, each.seat, each)]
    return 1 + sum(each < places[seat] for each in there)


def _fraction(value: Fraction | None) -> str:
    """Return a fraction as text, such as "7/3", "½" or ""."""
    if value is None:
        return ""
    return _VULGAR.get(value) or str(value)
