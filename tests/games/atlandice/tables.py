"""Tables of Atlandice that tests begin with, and short ways to look at them."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atlandice import GAME
from atoll.games.atlandice.kinds import AREA, BLACK_MARKET, RESOURCE
from atoll.games.atlandice.state import SEARCH_AREAS, USED_UP, AtlandiceState

AREAS = AREA.names
KINDS = RESOURCE.names
TILES = GAME.components.tiles
PLAIN = ("jewelers_2", "library_2", "inn_2", "engineering_works_1", "blacksmith_2")  # no rolls


def resources(text: str) -> list[int]:
    """Per kind how many: "2 gem 1 book"."""
    counts = [0] * len(KINDS)
    words = text.split()
    for number, kind in zip(words[::2], words[1::2], strict=True):
        counts[KINDS.index(kind)] += int(number)
    return counts


def lay_out(
    seats: int = 4,
    dice: str = "1 2 3 4 5 6 6 6 6",
    *,
    tiles: Sequence[str] = (),
    stock: Mapping[str, str] | None = None,
    holds: Sequence[str] = (),
    used_up: Sequence[str] = (),
    last: Sequence[str] = (),
    submarine: str = "black_market",
    clock: int = 0,
    start: int = 0,
    handed: Sequence[int] = (),
) -> AtlandiceState:
    """Return a state in step 2 of a round.

    The players in turn have taken the dice that aren't at an area.

    Args:
        seats: Number of seats.
        dice: Faces of the dice at the areas.
        tiles: Open tiles that differ from PLAIN.
        stock: Contents of areas that differ from the setup; the black market is empty.
        holds: Contents of the seats' holds.
        used_up: Districts without tiles.
        last: Districts whose third tile is open.
        submarine: Area of the submarine.
        clock: The clock's position.
        start: The start player.
        handed: Seats that gave one of their dice to the neutral player.
    """
    s = GAME.setup(GAME.components, {"start_player": "seat_1"}, seats)
    assert isinstance(s, AtlandiceState)
    s.phase = SEARCH_AREAS
    for tile in (*PLAIN, *tiles):
        index = TILES.index(tile)
        s.open_tile[index // 3] = index
    for district, top in enumerate(s.open_tile):
        s.below[district].remove(top)
        if AREAS[district] in last:
            s.below[district] = []
    s.stock[BLACK_MARKET] = resources("")
    for area, text in (stock or {}).items():
        s.stock[AREAS.index(area)] = resources(text)
    for seat, text in enumerate(holds):
        s.holds[seat] = resources(text)
    for area in used_up:
        district = AREAS.index(area)
        s.open_tile[district] = USED_UP
        s.below[district] = []
        s.stock[district] = resources("")
        s.stocked[district] = False
    s.submarine = AREAS.index(submarine)
    s.clock = clock
    s.start_player = start
    for face in dice.split():
        s.dice[int(face) - 1] += 1
    s.turn = GAME.components.allotment[seats].dice - sum(s.dice)
    for turn in range(s.turn):
        s.taken[(start + turn) % seats] += 1
    for seat in handed:
        s.handed[seat] = True
        s.taken[seat] -= 1
        s.taken[seats] += 1
    s.active = (start + s.turn) % seats
    return s


def stand(seats: int = 4, dice: str = "1 2 3 4 5 6 6 6 6", **table: Any) -> ScriptedGame:
    """The table that `lay_out` describes, with the players at it."""
    return ScriptedGame.at(GAME, lay_out(seats, dice, **table))


def at(table: ScriptedGame, area: str) -> dict[str, int]:
    """Return the contents of an area."""
    return shown(table.state.stock[AREAS.index(area)])


def hold(table: ScriptedGame, holder: int) -> dict[str, int]:
    """Return the possessions of a holder."""
    return shown(table.state.holds[holder])


def shown(counts: Sequence[int]) -> dict[str, int]:
    """The kinds there are, with their numbers."""
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}


def gates(table: ScriptedGame) -> dict[str, int]:
    """Return the number of dice at each area that has any."""
    return {area: table.state.dice_at(index) for index, area in enumerate(AREAS) if table.state.dice_at(index)}


def finish(table: ScriptedGame) -> ScriptedGame:
    """Play the first choice of each decision and the mildest chance until the round is over."""
    round_ = table.state.round
    while not table.position.over and table.state.round == round_:
        if table.position.to_move:
            seat = table.position.to_move[0]
            table.position.apply(table.position.legal_choices(seat)[-1], seat)
        else:
            table.position.apply(min(table.position.outcomes()))
    return table


def points(table: ScriptedGame, holder: int) -> int:
    """Tiles and tokens of a holder, without the final scoring."""
    found: int = table.position.view(None)["live"]["points"][holder]
    return found
