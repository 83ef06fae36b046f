"""The printed matter of Atacama: sub-boards, concessions, rigs, and who gets what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from atoll.engine import ComponentError

from .kinds import AXIS, CONCESSION, FIELDS, PLACE_FIELDS, RIG, SIDE, SUB_BOARD

ORES: Final = ("gold", "silver", "copper")
SUB_SIDE: Final = 3


@dataclass(frozen=True, slots=True)
class AtacamaBox:
    """The Box of Atacama; sub-boards by letter A to I, concessions and axes in the order of their domains.

    ore, amount: per sub-board its 9 fields from the top left, as index of ORES and number of nuggets.
    basic_position: per sub-board its place 0..8 in the basic setup; basic_ore, basic_amount: the 81 fields of that.
    multiplier: per concession and ore +1 or -1.
    factor: per kind of rig. line_minimum: so many rigs make a line count.
    allotment: (players, tactic) -> rigs of each kind per player. roles: players -> per place in turn order
    (axis, concession). batches: (turns done when it is laid, places to fill in order).
    """

    ore: tuple[tuple[int, ...], ...]
    amount: tuple[tuple[int, ...], ...]
    basic_position: tuple[int, ...]
    basic_ore: tuple[int, ...]
    basic_amount: tuple[int, ...]
    multiplier: tuple[tuple[int, ...], ...]
    factor: tuple[int, ...]
    line_minimum: int
    allotment: Mapping[tuple[int, bool], tuple[int, int]]
    roles: Mapping[int, tuple[tuple[int, int], ...]]
    batches: tuple[tuple[int, tuple[int, ...]], ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


class _Named(msgspec.Struct):
    id: str
    name: dict[str, str]


class _Game(_Named):
    player_counts: list[int]
    board_rows: int
    board_columns: int
    line_minimum_rigs: int


class _SubBoard(msgspec.Struct):
    id: str
    basic_position: tuple[int, int]
    ore: list[list[str]]
    amount: list[list[int]]


class _Ore(_Named):
    amount_min: int
    amount_max: int


class _Concession(_Named):
    multiplier: dict[str, int]


class _Rig(_Named):
    count: int
    factor: int


class _Allotment(msgspec.Struct):
    players: int
    tactic: bool
    base: int
    double: int


class _Role(msgspec.Struct):
    players: int
    seat: int
    axis: str
    concession: str


class _Batch(msgspec.Struct):
    id: str
    turn: int
    positions: list[tuple[int, int]]


class _Enhanced(msgspec.Struct):
    concession_price_rigs: int
    turns_per_player: int


class _Data(msgspec.Struct):
    game: _Game
    ores: list[_Ore]
    sub_boards: list[_SubBoard]
    concessions: list[_Concession]
    axes: list[_Named]
    rigs: list[_Rig]
    rig_allotments: list[_Allotment]
    roles: list[_Role]
    reveal_batches: list[_Batch]
    enhanced: _Enhanced


def load_box(data: Mapping[str, Any]) -> AtacamaBox:
    """The Box from parsed component data. Raises ComponentError."""
    try:
        found = msgspec.convert(data, _Data)
    except msgspec.ValidationError as error:
        raise ComponentError(f"atacama components: {error}") from None
    game = found.game
    if (game.board_rows, game.board_columns) != (SIDE, SIDE):
        raise ComponentError(
            f"[game]: the board has {SIDE} x {SIDE} fields, not {game.board_rows}x{game.board_columns}"
        )
    if sorted(game.player_counts) != [2, 4]:
        raise ComponentError(f"[game] player_counts {game.player_counts}: the game is for 2 or 4 players")
    if not 1 <= game.line_minimum_rigs <= SIDE:
        raise ComponentError(f"[game] line_minimum_rigs {game.line_minimum_rigs}: allowed are 1 to {SIDE}")
    ores = _in_order("ores", found.ores, ORES)
    boards = _in_order("sub_boards", found.sub_boards, SUB_BOARD.names or ())
    concessions = _in_order("concessions", found.concessions, CONCESSION.names or ())
    axes = _in_order("axes", found.axes, AXIS.names or ())
    rigs = _in_order("rigs", found.rigs, RIG.names or ())
    positions = [_place("sub_boards", board.id, board.basic_position) for board in boards]
    _check_once("sub_boards", "basic_position", positions, SUB_SIDE * SUB_SIDE)
    ore = tuple(_fields(board, board.ore, ORES) for board in boards)
    amount = tuple(_amounts(board, ores) for board in boards)
    allotments = _allotments(found.rig_allotments, rigs, game.player_counts)
    _check_enhanced(found.enhanced, allotments)
    return AtacamaBox(
        ore=ore,
        amount=amount,
        basic_position=tuple(positions),
        basic_ore=_whole(ore, positions),
        basic_amount=_whole(amount, positions),
        multiplier=tuple(_multiplier(each) for each in concessions),
        factor=tuple(rig.factor for rig in rigs),
        line_minimum=game.line_minimum_rigs,
        allotment=allotments,
        roles=_roles(found.roles, game.player_counts),
        batches=_batches(found.reveal_batches),
        titles={
            language: {
                "ore": _titles(ores, language),
                "concession": _titles(concessions, language),
                "axis": _titles(axes, language),
                "rig": _titles(rigs, language),
            }
            for language in ("en", "de")
        },
    )


def _in_order(table: str, entries: Sequence[Any], ids: Sequence[str]) -> list[Any]:
    by_id = {}
    for entry in entries:
        if entry.id not in ids:
            raise ComponentError(f"[[{table}]] {entry.id!r} is unknown; allowed: {', '.join(ids)}")
        if entry.id in by_id:
            raise ComponentError(f"[[{table}]] {entry.id!r} stands twice")
        by_id[entry.id] = entry
    for id in ids:
        if id not in by_id:
            raise ComponentError(f"[[{table}]] {id!r} is missing")
    return [by_id[id] for id in ids]


def _titles(entries: Sequence[_Named], language: str) -> tuple[str, ...]:
    for entry in entries:
        if language not in entry.name:
            raise ComponentError(f"{entry.id!r} has no name in {language!r}")
    return tuple(entry.name[language] for entry in entries)


def _place(table: str, id: str, position: tuple[int, int]) -> int:
    line, column = position
    if not (0 <= line < SUB_SIDE and 0 <= column < SUB_SIDE):
        raise ComponentError(f"[[{table}]] {id!r}: position {list(position)}; allowed: [0, 0] to [2, 2]")
    return line * SUB_SIDE + column


def _check_once(table: str, key: str, values: Sequence[int], count: int) -> None:
    if sorted(values) != list(range(count)):
        raise ComponentError(f"[[{table}]]: each {key} must be taken exactly once")


def _fields(board: _SubBoard, lines: Sequence[Sequence[str]], allowed: Sequence[str]) -> tuple[int, ...]:
    flat = [value for line in lines for value in line]
    if len(flat) != SUB_SIDE * SUB_SIDE or len(lines) != SUB_SIDE:
        raise ComponentError(f"[[sub_boards]] {board.id!r}: ore must have 3 lines of 3 fields")
    for value in flat:
        if value not in allowed:
            raise ComponentError(f"[[sub_boards]] {board.id!r}: ore {value!r}; allowed: {', '.join(allowed)}")
    return tuple(allowed.index(value) for value in flat)


def _amounts(board: _SubBoard, ores: Sequence[_Ore]) -> tuple[int, ...]:
    flat = [value for line in board.amount for value in line]
    if len(flat) != SUB_SIDE * SUB_SIDE or len(board.amount) != SUB_SIDE:
        raise ComponentError(f"[[sub_boards]] {board.id!r}: amount must have 3 lines of 3 fields")
    for value, ore in zip(flat, (name for line in board.ore for name in line), strict=True):
        limits = ores[ORES.index(ore)]
        if not limits.amount_min <= value <= limits.amount_max:
            allowed = f"{limits.amount_min} to {limits.amount_max}"
            raise ComponentError(f"[[sub_boards]] {board.id!r}: amount {value} of {ore}; allowed: {allowed}")
    return tuple(flat)


def _whole(boards: Sequence[Sequence[int]], positions: Sequence[int]) -> tuple[int, ...]:
    fields = [0] * FIELDS
    for board, place in zip(boards, positions, strict=True):
        for field, value in zip(PLACE_FIELDS[place], board, strict=True):
            fields[field] = value
    return tuple(fields)


def _multiplier(concession: _Concession) -> tuple[int, ...]:
    if set(concession.multiplier) != set(ORES) or not set(concession.multiplier.values()) <= {1, -1}:
        raise ComponentError(f"[[concessions]] {concession.id!r}: multiplier must give 1 or -1 for each of {ORES}")
    return tuple(concession.multiplier[ore] for ore in ORES)


def _allotments(
    entries: Sequence[_Allotment], rigs: Sequence[_Rig], counts: Sequence[int]
) -> dict[tuple[int, bool], tuple[int, int]]:
    found = {}
    for each in entries:
        where = f"[[rig_allotments]] players = {each.players}, tactic = {str(each.tactic).lower()}"
        for rig, count in zip(rigs, (each.base, each.double), strict=True):
            if count < 0 or count * each.players > rig.count:
                raise ComponentError(f"{where}: {count} {rig.id} rigs each, but there are {rig.count}")
        if each.base + each.double < 1 or (each.base + each.double) * each.players > FIELDS:
            raise ComponentError(f"{where}: {each.base + each.double} rigs each aren't possible")
        found[each.players, each.tactic] = (each.base, each.double)
    for players in counts:
        for tactic in (False, True):
            if (players, tactic) not in found:
                raise ComponentError(f"[[rig_allotments]] players = {players}, tactic = {tactic} is missing")
    return found


def _roles(entries: Sequence[_Role], counts: Sequence[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    axes, concessions = AXIS.names or (), CONCESSION.names or ()
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for each in entries:
        where = f"[[roles]] players = {each.players}, seat = {each.seat}"
        if each.axis not in axes:
            raise ComponentError(f"{where}: axis {each.axis!r}; allowed: {', '.join(axes)}")
        if each.concession not in concessions:
            raise ComponentError(f"{where}: concession {each.concession!r}; allowed: {', '.join(concessions)}")
        found[each.players, each.seat] = (axes.index(each.axis), concessions.index(each.concession))
    for players in counts:
        for seat in range(1, players + 1):
            if (players, seat) not in found:
                raise ComponentError(f"[[roles]] players = {players}, seat = {seat} is missing")
    return {players: tuple(found[players, seat] for seat in range(1, players + 1)) for players in counts}


def _batches(entries: Sequence[_Batch]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    ordered = sorted(entries, key=lambda batch: batch.turn)
    if not ordered or ordered[0].turn != 0:
        raise ComponentError("[[reveal_batches]]: the first batch must be laid at turn 0")
    places = [_place("reveal_batches", batch.id, position) for batch in ordered for position in batch.positions]
    _check_once("reveal_batches", "position", places, SUB_SIDE * SUB_SIDE)
    return tuple(
        (batch.turn, tuple(_place("reveal_batches", batch.id, position) for position in batch.positions))
        for batch in ordered
    )


def _check_enhanced(enhanced: _Enhanced, allotments: Mapping[tuple[int, bool], tuple[int, int]]) -> None:
    if enhanced.concession_price_rigs != 1:
        raise ComponentError("[enhanced] concession_price_rigs: the rules know a price of exactly 1 rig")
    for tactic in (False, True):
        rigs = sum(allotments[2, tactic])
        if enhanced.turns_per_player != rigs:
            raise ComponentError(
                f"[enhanced] turns_per_player {enhanced.turns_per_player}: must be the {rigs} rigs that each of 2 has"
            )
