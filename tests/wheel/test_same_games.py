"""The compiled wheel plays the same games as the plain package, choice by choice. See `make wheeltest`."""

import subprocess
import sys
from pathlib import Path

import pytest

import atoll
from scripts import compile_wheel
from tests.wheel.games import ROOT, all_games, in_other_process, whole_game


@pytest.mark.wheel
@pytest.mark.parametrize("seed", range(3))
def test_compiled_games_are_the_same(seed: int) -> None:
    """Runs against the wheel: this process has the compiled package, another one the plain source."""
    where, *plain = in_other_process(ROOT / "src", seed)
    assert where.endswith("position.py")
    assert list(all_games(seed)) == plain


@pytest.mark.wheel
@pytest.mark.parametrize("path", compile_wheel.sources(ROOT), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_is_compiled(path: Path) -> None:
    """Each of these modules is the compiled one, not the source beside it."""
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    command = [sys.executable, "-c", f"import importlib; print(importlib.import_module({name!r}).__file__)"]
    file = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert not file.endswith(".py")


def test_what_is_compiled_exists() -> None:
    """Every module that the wheel compiles, and every game has its rules and state among them."""
    found = compile_wheel.sources(ROOT)
    assert len(set(found)) == len(found)
    assert [path for path in found if not path.is_file()] == []
    for id in atoll.games:
        assert {"rules", "state"} <= {path.stem for path in found if path.parent.name == id}


def test_plain_games_are_told_alike_and_others_apart() -> None:
    """The comparison itself: two processes with the plain source agree, another seed tells something else."""
    game = atoll.games["atacama"]
    first, again, other = (list(whole_game(game, 2, {}, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert any(line.startswith("play-out") for line in first)
