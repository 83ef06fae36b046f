"""Component data of Atacama: the statements of RULES.md, and the errors for damaged data."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.engine import ComponentError, SaveError
from atoll.games.atacama import GAME
from atoll.games.atacama.components import AtacamaComponents
from atoll.games.atacama.rules import Atacama


def components() -> AtacamaComponents:
    return GAME.components


def test_each_sub_board_is_balanced() -> None:
    """Rule AC-1.1."""
    for ore, amount in zip(components().ore, components().amount, strict=True):
        assert sorted(ore) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
        silver, copper = (sum(a for o, a in zip(ore, amount, strict=True) if o == kind) for kind in (1, 2))
        assert silver == copper


def test_sums_of_the_board() -> None:
    """Rule AC-1.1."""
    ore, amount = components().basic_ore, components().basic_amount
    assert [sum(a for o, a in zip(ore, amount, strict=True) if o == kind) for kind in range(3)] == [54, 92, 92]


def test_board_is_its_own_mirror_with_silver_for_copper() -> None:
    """Rule AC-1.1, ruling R1."""
    ore, amount = components().basic_ore, components().basic_amount
    for row in range(9):
        for column in range(9):
            here, there = row * 9 + column, column * 9 + row
            assert amount[here] == amount[there]
            assert ore[there] == {0: 0, 1: 2, 2: 1}[ore[here]]


def damage(change: Callable[[dict[str, Any]], object]) -> str:
    data = copy.deepcopy(dict(GAME.data))
    change(data)
    with pytest.raises(ComponentError) as caught:
        Atacama(data)
    return str(caught.value)


def test_unknown_ore_is_named() -> None:
    def change(data: dict[str, Any]) -> None:
        data["sub_boards"][0]["ore"][0][0] = "tin"

    assert damage(change) == "[sub_boards] A: ore[0][0] is 'tin'; allowed: copper, gold, silver"


def test_amount_out_of_range_is_named() -> None:
    def change(data: dict[str, Any]) -> None:
        data["ores"][2]["amount_max"] = 3

    assert damage(change) == "[sub_boards] A: amount 4 of copper; allowed: 1 to 3, as in ores"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("ores"), "[ores]: it is missing; allowed: a list, each item a table with"),
        (lambda data: data["sub_boards"].pop(), "[sub_boards] I: it is missing"),
        (lambda data: data["sub_boards"][1].update(id="A"), "[sub_boards] A: duplicate id"),
        (lambda data: data["sub_boards"][1].update(basic_position=[0, 0]), "each of the 9 once"),
        (
            lambda data: data["sub_boards"][1].update(basic_position=[0, 3]),
            "[sub_boards] B: basic_position[1] is 3; allowed: a whole number from 0 to 2",
        ),
        (
            lambda data: data["concessions"][0]["multiplier"].update(gold=2),
            "[concessions] turquoise: multiplier.gold is 2; allowed: -1, 1",
        ),
        (lambda data: data["concessions"][0]["multiplier"].update(copper=1), "1 for two ores and -1 for the third"),
        (lambda data: data["rig_allotments"].pop(), "2 and 4 players, each with and without tactic"),
        (lambda data: data["rig_allotments"][0].update(base=15), "as there are 28"),
        (lambda data: data["rigs"][0].update(count=29), "count is 29; allowed: a whole number up to 28"),
        (lambda data: data["roles"][0].update(axis="diagonal"), "axis is 'diagonal'; allowed: columns, rows"),
        (lambda data: data["roles"][1].update(axis="columns"), "[roles] players = 2: "),
        (lambda data: data["game"].update(line_minimum_rigs="four"), "a whole number from 1 to 5"),
        (lambda data: data["enhanced"].update(turns_per_player=13), "14, the rigs that each of 2 has"),
        (lambda data: data["reveal_batches"][0].update(turn=1), "0, then later ones"),
    ],
)
def test_damaged_data_is_refused(change: Callable[[dict[str, Any]], object], message: str) -> None:
    assert message in damage(change)


def test_own_components_make_another_game(tmp_path: Path) -> None:
    text = (Path(GAME.package.replace(".", "/")) / "components.toml").name
    source = Path(atoll.__file__).parent / "games" / "atacama" / text
    mine = tmp_path / "mine.toml"
    mine.write_text(source.read_text("utf-8").replace("line_minimum_rigs = 4", "line_minimum_rigs = 3"), "utf-8")
    other = GAME.with_components(mine)
    assert other.components.line_minimum == 3
    with pytest.raises(SaveError, match="other components"):
        GAME.load(other.new(2, seed=1).save())
    assert other.load(other.new(2, seed=1).save()).sequence == 1
