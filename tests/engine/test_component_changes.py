"""Changes of component data: paths, files of changes, and the numbers that a schema lets differ."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.engine import ComponentError
from atoll.engine.component_changes import (
    file_schema,
    number_fields,
    read_changes,
    set_at_path,
    value_at,
    with_changes,
    write_changes,
)

GAMES = ("atacama", "atlandice", "atua", "raiatea", "wutaki")


def test_places_in_lists_are_found_by_id_or_number() -> None:
    data: dict[str, Any] = {"cards": [{"id": "axe", "price": 3}, {"id": "saw", "price": 4}], "prices": [1, 2]}
    set_at_path(data, "cards.saw.price", 9)
    set_at_path(data, "cards.0.price", 8)
    set_at_path(data, "prices.1", 7)
    assert data == {"cards": [{"id": "axe", "price": 8}, {"id": "saw", "price": 9}], "prices": [1, 7]}
    assert value_at(data, "cards.axe.price") == 8
    with pytest.raises(ComponentError, match=r"prices.2 doesn't exist; allowed: 0 to 1"):
        set_at_path(data, "prices.2", 7)
    with pytest.raises(ComponentError, match=r"prices.1.x doesn't exist; allowed: nothing inside 7"):
        set_at_path(data, "prices.1.x", 7)
    with pytest.raises(ComponentError, match=r"prices.1 is 'seven'; allowed: a value like 7"):
        set_at_path(data, "prices.1", "seven")
    with pytest.raises(ComponentError, match=r"prices.1 is True"):
        set_at_path(data, "prices.1", True)


@pytest.mark.parametrize("id", GAMES)
def test_every_number_that_may_differ_is_found_at_its_path_within_its_limits(id: str) -> None:
    game = atoll.games[id]
    found = number_fields(game.data, file_schema(game.package))
    assert len(found) > 20
    assert len({each.path for each in found}) == len(found)
    for each in found:
        assert value_at(game.data, each.path) == each.value
        assert each.low is None or each.low <= each.value
        assert each.high is None or each.value <= each.high


def test_limits_are_those_of_the_schema() -> None:
    game = atoll.games["atacama"]
    found = {each.path: each for each in number_fields(game.data, file_schema(game.package))}
    line = found["game.line_minimum_rigs"]
    assert (line.value, line.low, line.high, line.allowed) == (4, 1, 5, ())
    assert found["concessions.turquoise.multiplier.gold"].allowed == (-1, 1)
    assert "game.board_rows" not in found, "the schema allows one value only"


def test_a_file_of_changes_is_read_like_a_whole_file(tmp_path: Path) -> None:
    game = atoll.games["atacama"]
    text = write_changes("atacama", {"game.line_minimum_rigs": 3, "ores.gold.name.en": 'A "tab"\t\x7fü'})
    assert tomllib.loads(text)["changes"]["ores.gold.name.en"] == 'A "tab"\t\x7fü'
    file = tmp_path / "changes.toml"
    file.write_text(text, "utf-8")
    changed = game.with_components(file)
    assert changed.data == with_changes(game.data, {"game.line_minimum_rigs": 3, "ores.gold.name.en": 'A "tab"\t\x7fü'})
    assert changed.components.line_minimum == 3
    assert game.components.line_minimum == 4, "the original stays as it is"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ({"variant_of": "chess"}, "variant_of is 'chess'; allowed: atacama"),
        ({"variant_of": "atacama", "change": {}}, "change is unknown; allowed: variant_of, changes"),
        ({"variant_of": "atacama", "changes": [1]}, r"changes is \[1\]; allowed: a table"),
        ({"variant_of": "atacama", "changes": {"game.x": 1}}, "game.x doesn't exist"),
    ],
)
def test_wrong_files_of_changes_are_refused(file: dict[str, Any], message: str) -> None:
    with pytest.raises(ComponentError, match=message):
        read_changes(file, atoll.games["atacama"].data, "atacama")


def test_a_change_outside_of_the_limits_is_refused_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "changes.toml"
    file.write_text(write_changes("atacama", {"game.line_minimum_rigs": 9}), "utf-8")
    with pytest.raises(ComponentError, match=r"changes.toml: \[game\]: line_minimum_rigs is 9; allowed: a whole num"):
        atoll.games["atacama"].with_components(file)
