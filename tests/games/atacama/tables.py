"""Tables of Atacama that several tests begin with."""

from typing import Any

from atoll.engine.scripted_game import ScriptedGame
from atoll.games.atacama.kinds import FIELD
from atoll.games.atacama.state import AtacamaState

E1 = "r1c1 r5c1 r7c1 r9c1 r2c2 r4c2 r6c2 r8c2 r7c3 r7c7 r7c9 r8c5 r8c8 r9c4 r9c6 r9c9"  # the rulebook's example


def basic(seats: int = 2, **options: Any) -> ScriptedGame:
    """A basic game that seat 0 begins."""
    return ScriptedGame("atacama", seats, {"start_player": "seat_1", **options})


def enhanced(order: str = "ABCDEFGHI", **options: Any) -> ScriptedGame:
    """An enhanced game that seat 0 begins; its first three sub-boards are laid."""
    table = ScriptedGame("atacama", 2, {"setup": "enhanced", "start_player": "seat_1", **options})
    return table.play(*(f"lay {letter}" for letter in order[:3]))


def place(table: ScriptedGame, fields: str, rig: str = "base") -> ScriptedGame:
    """Place rigs on these fields, each by the seat that is asked."""
    for field in fields.split():
        table.play(f"p{table.position.to_move[0]} place {field} {rig}")
    return table


def free_fields(table: ScriptedGame) -> list[str]:
    """The fields where a rig may be placed."""
    state: AtacamaState = table.state
    return [FIELD.label(field) for field in state.free]


def lines(table: ScriptedGame, seat: int) -> dict[int, int]:
    """The counting lines of a seat: number -> points."""
    return {line.fields["line"]: line.points for line in table.position.explain()[seat]}
