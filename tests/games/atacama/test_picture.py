"""Contents of the board's picture."""

import pytest

from atoll.engine import Position
from atoll.engine.translations import GameMessages
from atoll.games.atacama import GAME
from atoll.games.atacama.picture import regions

from .tables import basic, enhanced


def board(position: Position) -> str:
    """The drawing of the board."""
    return regions(GAME, position.view(0), GameMessages(GAME, "en"))[0].drawings[0].markup


@pytest.mark.parametrize("line", range(1, 10))
def test_columns_and_rows_carry_the_coordinates_that_name_fields(line: int) -> None:
    drawn = board(basic().position)
    for at in (f"c{line}", f"r{line}"):
        assert drawn.count(f">{at}</text>") == 1


def test_a_basic_game_never_waits_for_sub_boards() -> None:
    before = board(GAME.new(2))  # nobody has begun, nothing is laid
    assert "Nothing here yet" not in before
    assert "Nothing here yet" in board(enhanced().position)
