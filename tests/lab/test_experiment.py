"""Experiments: a grid of variants, each with its own components or options."""

from pathlib import Path

import pytest

import atoll
from atoll.lab.experiment import load, run_experiment

GRID = """
game = "atacama"
games = 6
bots = ["random"]
[options]
start_player = "seat_1"
[[vary]]
option = "tactic"
values = [false, true]
[[vary]]
component = "game.line_minimum_rigs"
values = [1, 4]
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(text)
    return path


def test_every_combination_is_a_cell_with_its_own_rules(tmp_path: Path) -> None:
    found = load(written(tmp_path, GRID), atoll.games)
    assert [dict(cell.labels) for cell in found.cells] == [
        {"tactic": tactic, "game.line_minimum_rigs": rigs} for tactic in (False, True) for rigs in (1, 4)
    ]
    assert [cell.plan.game.components.line_minimum for cell in found.cells] == [1, 4, 1, 4]
    assert [cell.plan.options["tactic"] for cell in found.cells] == [False, False, True, True]
    assert {cell.plan.options["start_player"] for cell in found.cells} == {"seat_1"}
    assert atoll.games["atacama"].components.line_minimum == 4
    assert found.cells[0].name == "tactic = false, line_minimum_rigs = 1"


def test_cells_are_played_compared_and_kept(tmp_path: Path) -> None:
    found = load(written(tmp_path, GRID), atoll.games)
    watched: list[tuple[str, int, int]] = []
    cells = run_experiment(
        found, workers=1, folder=tmp_path / "cells", watch=lambda cell, done, games: watched.append((cell, done, games))
    )
    assert [report.games for _, report in cells] == [6] * 4
    counting = [sum(value for mean in report.scores for value in mean.values) for _, report in cells]
    assert counting[0] != counting[1], "with a minimum of 1 every line counts"
    assert watched[-1] == (found.cells[-1].name, 6, 6)
    files = {path: path.read_bytes() for path in (tmp_path / "cells").iterdir()}
    assert len(files) == 4
    again = run_experiment(found, workers=1, folder=tmp_path / "cells")
    assert [report.scores for _, report in again] == [report.scores for _, report in cells]
    assert {path: path.read_bytes() for path in (tmp_path / "cells").iterdir()} == files


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("games = 6", "games = 0", "games = 0; allowed: 1 or more"),
        ('option = "tactic"', 'optoin = "tactic"', "unknown field `optoin`"),
        ('option = "tactic"', "", r"\[\[vary\]\] number 1 needs either option or component, and values"),
        ("values = [false, true]", "values = []", "number 1 needs either"),
        ("game.line_minimum_rigs", "game.minimum", "game.minimum doesn't exist; allowed: id, name"),
        (
            "game.line_minimum_rigs",
            "concessions.red.name",
            "red doesn't exist; allowed: turquoise, orange",
        ),
        ("values = [1, 4]", 'values = ["four"]', "is 'four'; allowed: a value like 4"),
        ("values = [1, 4]", "values = [0]", "line_minimum_rigs is 0; allowed: a whole number from 1 to 5"),
        ("values = [false, true]", 'values = ["maybe"]', "option 'tactic': 'maybe' isn't allowed"),
        ('game = "atacama"', 'game = "chess"', "unknown game 'chess'"),
        ('game = "atacama"', "game = ", "Invalid value|valid TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GRID
    with pytest.raises(atoll.engine.AtollError, match=message):
        load(written(tmp_path, GRID.replace(old, new)), atoll.games)
