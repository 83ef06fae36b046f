"""Tuning: targets and numbers are read strictly, and a search comes closer on games of other seeds."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

import atoll
from atoll.cli.main import app
from atoll.engine import AtollError
from atoll.lab.plan import SimulationPlan
from atoll.lab.tuning import _needed, read_fields, read_targets, tune

GAME = atoll.games["atacama"]
LINE = "game.line_minimum_rigs"


def test_targets_are_shares_or_numbers() -> None:
    found = read_targets(["first=50%", "seat2=0.4", "margin=3.5", "length=28"], 2)
    assert [(each.name, each.value) for each in found] == [
        ("first", 0.5),
        ("seat2", 0.4),
        ("margin", 3.5),
        ("length", 28.0),
    ]
    row = {"scores": [7, 3], "places": [1, 2], "first": 1, "decisions": 30}
    assert [each.of(row) for each in found] == [0, 0, 4, 30]
    assert [each.text(each.value) for each in found] == ["50.0 %", "40.0 %", "3.50", "28.00"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "no targets"),
        (["speed=1"], "allowed: NAME=NUMBER with one of length, margin, first, seat1, seat2$"),
        (["seat3=0.3"], "allowed: NAME=NUMBER"),
        (["margin"], "allowed: NAME=NUMBER"),
        (["margin=much"], "allowed: NAME=NUMBER"),
        (["first=50"], "a share from 0 to 1"),
        (["length=50%"], "a number without %"),
        (["margin=1", "margin=2"], "is given twice"),
    ],
)
def test_wrong_targets_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(AtollError, match=message):
        read_targets(texts, 2)


def test_numbers_are_found_by_patterns_within_the_limits_of_the_schema() -> None:
    (line,) = read_fields(GAME, [LINE])
    assert (line.low, line.high) == (1, 5)
    (line,) = read_fields(GAME, [f"{LINE}=2..4"])
    assert (line.low, line.high) == (2, 4)
    assert [each.path for each in read_fields(GAME, ["ores.*.amount_max"])] == [
        f"ores.{ore}.amount_max" for ore in ("gold", "silver", "copper")
    ]
    (sign,) = read_fields(GAME, ["concessions.turquoise.multiplier.gold"])
    assert sign.allowed == (-1, 1)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "no numbers to change"),
        (["game.nothing"], "no number of atacama at 'game.nothing'; there are: game.line_minimum_rigs"),
        ([f"{LINE}=0..9"], r"allowed: LOW..HIGH from 1 up to 5"),
        ([f"{LINE}=4..2"], "allowed: LOW..HIGH"),
        ([f"{LINE}=four"], "allowed: LOW..HIGH"),
    ],
)
def test_wrong_numbers_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(AtollError, match=message):
        read_fields(GAME, texts)


def test_a_search_comes_closer_on_fresh_games() -> None:
    pytest.importorskip("optuna")
    plan = SimulationPlan.make(GAME, 2, {}, ("random",), seconds=3600.0)
    targets, fields = read_targets(["margin=0"], 2), read_fields(GAME, [LINE])
    watched: list[tuple[int, int]] = []
    found = tune(plan, targets, fields, games=20, trials=8, workers=1, watch=lambda *each: watched.append(each))
    # With the highest minimum hardly any line of random bots scores.
    assert found.changes == {LINE: 5}
    assert found.games == 80
    assert abs(found.after[0].mean) < abs(found.before[0].mean)
    assert watched[-1] == (5, 8), "there are only five variants"
    again = tune(plan, targets, fields, games=20, trials=8, workers=1)
    assert again == found, "the same seed finds the same"


def test_variants_that_the_game_refuses_are_not_played() -> None:
    pytest.importorskip("optuna")
    plan = SimulationPlan.make(GAME, 2, {}, ("random",), seconds=3600.0)
    fields = read_fields(GAME, ["enhanced.turns_per_player=13..14"])  # the batches need all turns
    found = tune(plan, read_targets(["length=30"], 2), fields, games=2, trials=6, workers=1)
    assert (found.changes, found.trials, found.refused) == ({}, 1, 1)


class _Loss:
    """Distances from a target that depend on `a` alone; the game refuses variants without `c`."""

    def loss(self, changes: Mapping[str, int]) -> float | None:
        return abs(changes.get("a", 0) - 3) if "c" in changes else None


def test_changes_without_effect_are_taken_back() -> None:
    assert _needed({"a": 3, "b": 2, "c": 1}, 0, _Loss()) == {"a": 3, "c": 1}


def test_the_command_prints_a_file_of_changes_and_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    file = tmp_path / "found.toml"
    words = ["tune", "atacama", "--target", "margin=0", "--change", LINE, "--bots", "random", "--games", "20"]
    run = CliRunner().invoke(app, [*words, "--trials", "6", "--workers", "1", "-o", str(file)])
    assert run.exit_code == 0, run.output
    assert "fit the printed components" in run.output
    data = tomllib.loads(file.read_text("utf-8"))
    assert data["variant_of"] == "atacama"
    assert GAME.with_components(file).components.line_minimum == data["changes"][LINE]
