"""The printed matter of Atacama: sub-boards, concessions, rigs, and who gets what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from atoll.engine.components import At, Entry, Id, Named, Part, Table, Text, in_order, read, titles

from .kinds import AXIS, BASE, CONCESSION, FIELDS, PLACE_FIELDS, RIG, SIDE, SUB_BOARD

ORES: Final = ("gold", "silver", "copper")
PLACES: Final = len(PLACE_FIELDS)
MOST_IN_LINE: Final = (SIDE + 1) // 2  # rigs in a line stand at least two apart
MOST_RIGS: Final = (28, 6)
"""Of each kind: the table has room for no more."""
MOST_TURNS: Final = 30
"""Of all players together: the length of a game is bounded by it."""


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


_Ore = Literal["gold", "silver", "copper"]
_Amount = Annotated[int, Meta(ge=1, le=5)]
_Third = Annotated[int, Meta(ge=0, le=2)]
_Number = Annotated[int, Meta(ge=0, le=FIELDS)]


class _Game(Table):
    id: Literal["atacama"]
    name: Text
    player_counts: tuple[Literal[2], Literal[4]]
    board_rows: Literal[9]
    board_columns: Literal[9]
    line_minimum_rigs: Annotated[int, Meta(ge=1, le=MOST_IN_LINE)]


class _Ores(Named):
    amount_min: _Amount
    amount_max: _Amount


class _SubBoard(Entry):
    basic_position: tuple[_Third, _Third]
    ore: tuple[tuple[_Ore, _Ore, _Ore], tuple[_Ore, _Ore, _Ore], tuple[_Ore, _Ore, _Ore]]
    amount: tuple[tuple[_Amount, _Amount, _Amount], tuple[_Amount, _Amount, _Amount], tuple[_Amount, _Amount, _Amount]]


class _Multiplier(Part):
    gold: Literal[1, -1]
    silver: Literal[1, -1]
    copper: Literal[1, -1]


class _Concessions(Named):
    text: Text
    multiplier: _Multiplier


class _ConcessionCard(Entry):
    front: Id
    back_axis: Id
    back_concessions: list[Id]


class _Axes(Named):
    card_place: str


class _Rig(Named):
    count: _Number
    factor: Annotated[int, Meta(ge=1, le=9)]
    text: Text | None = None


class _Allotment(Table):
    players: Literal[2, 4]
    tactic: bool
    base: _Number
    double: _Number


class _Role(Table):
    players: Literal[2, 4]
    seat: Literal[1, 2, 3, 4]
    axis: str
    concession: str


class _Batch(Entry):
    turn: Annotated[int, Meta(ge=0, lt=MOST_TURNS)]
    positions: list[tuple[_Third, _Third]]


class _Enhanced(Table):
    concession_price_rigs: Literal[1]
    turns_per_player: _Number


class _File(Part):
    game: _Game
    ores: list[_Ores]
    sub_boards: list[_SubBoard]
    concessions: list[_Concessions]
    concession_cards: list[_ConcessionCard]
    axes: list[_Axes]
    rigs: list[_Rig]
    rig_allotments: list[_Allotment]
    roles: list[_Role]
    reveal_batches: Annotated[list[_Batch], Meta(min_length=1, max_length=3)]
    enhanced: _Enhanced


def load_box(data: Mapping[str, Any]) -> AtacamaBox:
    """The Box from parsed component data. Raises ComponentError."""
    file = read(data, _File)
    boards = in_order("sub_boards", file.sub_boards, SUB_BOARD)
    ores = in_order("ores", file.ores, ORES)
    concessions = in_order("concessions", file.concessions, CONCESSION)
    axes = in_order("axes", file.axes, AXIS)
    rigs = in_order("rigs", file.rigs, RIG)
    _check_rigs(rigs)
    for concession in concessions:
        signs = concession.multiplier
        wrong = f"multiplier is {signs.gold}, {signs.silver}, {signs.copper}"
        need = At("concessions", concession.id).need
        need(signs.gold + signs.silver + signs.copper == 1, wrong, "1 for two ores and -1 for the third")
    positions = _all_places("sub_boards", "basic_position", {board.id: [board.basic_position] for board in boards})
    ore = tuple(tuple(ORES.index(each) for each in chain(*board.ore)) for board in boards)
    amount = tuple(tuple(chain(*board.amount)) for board in boards)
    for board, its_ores, its_amounts in zip(boards, ore, amount, strict=True):
        for index, value in zip(its_ores, its_amounts, strict=True):
            limits = ores[index]
            allowed = f"{limits.amount_min} to {limits.amount_max}, as in ores"
            right = limits.amount_min <= value <= limits.amount_max
            At("sub_boards", board.id).need(right, f"amount {value} of {limits.id}", allowed)
    allotment = _allotments(file.rig_allotments, rigs)
    turns, each = file.enhanced.turns_per_player, [sum(allotment[2, tactic]) for tactic in (False, True)]
    At("enhanced").need(
        each == [turns, turns], f"turns_per_player is {turns}", f"{each[0]}, the rigs that each of 2 has"
    )
    batches = sorted(file.reveal_batches, key=lambda batch: batch.turn)
    rising = batches[0].turn == 0 and all(one.turn < other.turn for one, other in pairwise(batches))
    At("reveal_batches").need(rising, f"turn is {', '.join(str(each.turn) for each in batches)}", "0, then later ones")
    places = iter(_all_places("reveal_batches", "positions", {batch.id: batch.positions for batch in batches}))
    return AtacamaBox(
        ore=ore,
        amount=amount,
        basic_position=tuple(positions),
        basic_ore=_whole(ore, positions),
        basic_amount=_whole(amount, positions),
        multiplier=tuple(
            (each.multiplier.gold, each.multiplier.silver, each.multiplier.copper) for each in concessions
        ),
        factor=tuple(rig.factor for rig in rigs),
        line_minimum=file.game.line_minimum_rigs,
        allotment=allotment,
        roles={players: _roles(players, file.roles) for players in (2, 4)},
        batches=tuple((batch.turn, tuple(next(places) for _ in batch.positions)) for batch in batches),
        titles=titles(ore=ores, concession=concessions, axis=axes, rig=rigs),
    )


def _check_rigs(rigs: Sequence[_Rig]) -> None:
    for rig, most in zip(rigs, MOST_RIGS, strict=True):
        At("rigs", rig.id).need(rig.count <= most, f"count is {rig.count}", f"a whole number up to {most}")
    At("rigs", rigs[BASE].id).need(rigs[BASE].factor == 1, f"factor is {rigs[BASE].factor}", "1")


def _all_places(table: str, key: str, positions: Mapping[Id, Sequence[tuple[int, int]]]) -> list[int]:
    """The places of sub-boards as numbers; each must be taken once."""
    places = [line * 3 + column for each in positions.values() for line, column in each]
    At(table).need(sorted(places) == list(range(PLACES)), f"{key} doesn't cover all places", "each of the 9 once")
    return places


def _whole(boards: Sequence[Sequence[int]], positions: Sequence[int]) -> tuple[int, ...]:
    fields = [0] * FIELDS
    for board, place in zip(boards, positions, strict=True):
        for field, value in zip(PLACE_FIELDS[place], board, strict=True):
            fields[field] = value
    return tuple(fields)


def _allotments(entries: Sequence[_Allotment], rigs: Sequence[_Rig]) -> dict[tuple[int, bool], tuple[int, int]]:
    found: dict[tuple[int, bool], tuple[int, int]] = {}
    for each in entries:
        at = At("rig_allotments", f"players = {each.players}, tactic = {str(each.tactic).lower()}")
        at.need((each.players, each.tactic) not in found, "it stands twice", "once")
        for rig, count in zip(rigs, (each.base, each.double), strict=True):
            allowed = f"up to {rig.count // each.players}, as there are {rig.count}"
            at.need(count * each.players <= rig.count, f"{rig.id} is {count}", allowed)
        turns = (each.base + each.double) * each.players
        at.need(0 < turns <= MOST_TURNS, f"{turns} rigs for all players together", f"1 to {MOST_TURNS}")
        found[each.players, each.tactic] = (each.base, each.double)
    At("rig_allotments").need(len(found) == 4, f"{len(found)} entries", "2 and 4 players, each with and without tactic")
    return found


def _roles(players: int, entries: Sequence[_Role]) -> tuple[tuple[int, int], ...]:
    """By place in turn order; no two play for the same, and both axes are played for."""
    mine = sorted((role for role in entries if role.players == players), key=lambda role: role.seat)
    seats = [role.seat for role in mine]
    at = At("roles", f"players = {players}")
    at.need(seats == list(range(1, players + 1)), f"seat is {', '.join(map(str, seats))}", f"1 to {players}, each once")
    roles = tuple(
        (at.one_of("axis", role.axis, AXIS), at.one_of("concession", role.concession, CONCESSION)) for role in mine
    )
    fair = len(set(roles)) == players and len({axis for axis, _ in roles}) == 2
    at.need(fair, "axis and concession of some agree", "different roles, in both axes")
    return roles
