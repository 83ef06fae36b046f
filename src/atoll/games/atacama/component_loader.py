"""The component loader of Atacama.

It builds the components from `components.toml` and rejects impossible values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, Id, in_order, localized_names, read

from . import component_schema as schema
from .components import MOST_RIGS, MOST_TURNS, ORES, AtacamaComponents
from .kinds import AXIS, BASE, CONCESSION, FIELDS, PLACE_FIELDS, RIG, SUB_BOARD


def load_components(data: JsonMapping) -> AtacamaComponents:
    """Return the components described by parsed component data.

    Rule AC-1.1.

    Args:
        data: Content of a `components.toml`.

    Raises:
        ComponentError: If a table or key is missing or unknown, or a value is impossible.
    """
    file = read(data, schema.File)
    boards = in_order("sub_boards", file.sub_boards, SUB_BOARD)
    ores = in_order("ores", file.ores, ORES)
    concessions = in_order("concessions", file.concessions, CONCESSION)
    axes = in_order("axes", file.axes, AXIS)
    rigs = in_order("rigs", file.rigs, RIG)
    _check_rigs(rigs)
    for concession in concessions:
        signs = concession.multiplier
        wrong = f"multiplier is {signs.gold}, {signs.silver}, {signs.copper}"
        need = FileLocation("concessions", concession.id).need
        need(signs.gold + signs.silver + signs.copper == 1, wrong, "1 for two ores and -1 for the third")
    positions = _all_places("sub_boards", "basic_position", {board.id: [board.basic_position] for board in boards})
    ore = tuple(tuple(ORES.index(each) for each in chain(*board.ore)) for board in boards)
    amount = tuple(tuple(chain(*board.amount)) for board in boards)
    for board, its_ores, its_amounts in zip(boards, ore, amount, strict=True):
        for index, value in zip(its_ores, its_amounts, strict=True):
            limits = ores[index]
            allowed = f"{limits.amount_min} to {limits.amount_max}, as in ores"
            right = limits.amount_min <= value <= limits.amount_max
            FileLocation("sub_boards", board.id).need(right, f"amount {value} of {limits.id}", allowed)
    allotment = _allotments(file.rig_allotments, rigs)
    turns, each = file.enhanced.turns_per_player, [sum(allotment[2, tactic]) for tactic in (False, True)]
    FileLocation("enhanced").need(
        each == [turns, turns], f"turns_per_player is {turns}", f"{each[0]}, the rigs that each of 2 has"
    )
    batches = sorted(file.reveal_batches, key=lambda batch: batch.turn)
    rising = batches[0].turn == 0 and all(one.turn < other.turn for one, other in pairwise(batches))
    FileLocation("reveal_batches").need(
        rising, f"turn is {', '.join(str(each.turn) for each in batches)}", "0, then later ones"
    )
    places = iter(_all_places("reveal_batches", "positions", {batch.id: batch.positions for batch in batches}))
    return AtacamaComponents(
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
        titles=localized_names(ore=ores, concession=concessions, axis=axes, rig=rigs),
    )


def _check_rigs(rigs: Sequence[schema.Rig]) -> None:
    for rig, most in zip(rigs, MOST_RIGS, strict=True):
        FileLocation("rigs", rig.id).need(rig.count <= most, f"count is {rig.count}", f"a whole number up to {most}")
    FileLocation("rigs", rigs[BASE].id).need(rigs[BASE].factor == 1, f"factor is {rigs[BASE].factor}", "1")


def _all_places(table: str, key: str, positions: Mapping[Id, Sequence[tuple[int, int]]]) -> list[int]:
    """Return the places of all sub-boards as numbers 0 to 8; each must be taken once."""
    places = [line * 3 + column for each in positions.values() for line, column in each]
    each_once = sorted(places) == list(range(len(PLACE_FIELDS)))
    FileLocation(table).need(each_once, f"{key} doesn't cover all places", "each of the 9 once")
    return places


def _whole(boards: Sequence[Sequence[int]], positions: Sequence[int]) -> tuple[int, ...]:
    fields = [0] * FIELDS
    for board, place in zip(boards, positions, strict=True):
        for field, value in zip(PLACE_FIELDS[place], board, strict=True):
            fields[field] = value
    return tuple(fields)


def _allotments(
    entries: Sequence[schema.Allotment], rigs: Sequence[schema.Rig]
) -> dict[tuple[int, bool], tuple[int, int]]:
    found: dict[tuple[int, bool], tuple[int, int]] = {}
    for each in entries:
        at = FileLocation("rig_allotments", f"players = {each.players}, tactic = {str(each.tactic).lower()}")
        at.need((each.players, each.tactic) not in found, "the entry is repeated", "once")
        for rig, count in zip(rigs, (each.base, each.double), strict=True):
            allowed = f"up to {rig.count // each.players}, as there are {rig.count}"
            at.need(count * each.players <= rig.count, f"{rig.id} is {count}", allowed)
        turns = (each.base + each.double) * each.players
        at.need(0 < turns <= MOST_TURNS, f"{turns} rigs for all players together", f"1 to {MOST_TURNS}")
        found[each.players, each.tactic] = (each.base, each.double)
    FileLocation("rig_allotments").need(
        len(found) == 4, f"{len(found)} entries", "2 and 4 players, each with and without tactic"
    )
    return found


def _roles(players: int, entries: Sequence[schema.Role]) -> tuple[tuple[int, int], ...]:
    """Return the roles by place in turn order: all different, and both axes are played for."""
    mine = sorted((role for role in entries if role.players == players), key=lambda role: role.seat)
    seats = [role.seat for role in mine]
    at = FileLocation("roles", f"players = {players}")
    at.need(seats == list(range(1, players + 1)), f"seat is {', '.join(map(str, seats))}", f"1 to {players}, each once")
    roles = tuple(
        (at.one_of("axis", role.axis, AXIS), at.one_of("concession", role.concession, CONCESSION)) for role in mine
    )
    fair = len(set(roles)) == players and len({axis for axis, _ in roles}) == 2
    at.need(fair, "two roles are equal or an axis is missing", "different roles, in both axes")
    return roles
