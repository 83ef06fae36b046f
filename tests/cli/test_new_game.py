"""A package written by `atoll new-game` is installed, played and offered immediately.

tests/test_guide.py continues from there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from atoll.engine import registry
from atoll.new_game import NewGameError, new_game
from tests.cli.command import Atoll

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = """
import pyspiel
import atoll.env.openspiel
from atoll.env.pettingzoo import env
from pettingzoo.test import api_test

api_test(env("pearls_v1"), num_cycles=50)
api_test(env("pearls", form="onehot", actions="candidates"), num_cycles=50)
state = pyspiel.load_game("atoll_pearls(players=3)").new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
print(sum(state.returns()))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the game, installed as a package."""
    folder = tmp_path_factory.mktemp("home")
    new_game("pearls", folder, inside=False)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", "site", "./atoll-pearls"], cwd=folder, check=True)
    return folder


def said(home: Path, *command: str) -> str:
    """Run a command where the game is installed and return its output; fail if the command does.

    Args:
        home: The folder.
        command: Arguments for Python.
    """
    paths = [str(home / "site"), str(ROOT / "src") if not os.environ.get("PYTHONPATH") else os.environ["PYTHONPATH"]]
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=home,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return ran.stdout


def test_it_is_found_played_and_offered_as_soon_as_it_is_installed(home: Path) -> None:
    assert "atoll-pearls" in said(home, "-m", "atoll", "games")
    played = said(
        home, "-m", "atoll", "simulate", "pearls", "--games", "40", "--bots", "greedy,random", "--workers", "2"
    )
    assert "40 games, " in played
    offer = (
        "from atoll.server.domain.game_offer import build_offer; "
        "from atoll.server.domain.settings import ServerSettings"
    )
    assert "pearls" in said(home, "-c", f"{offer}; print(list(build_offer(ServerSettings())))")


def test_it_is_an_environment_of_both_kinds(home: Path) -> None:
    assert said(home, "-c", ENVIRONMENTS).endswith("0.0\n")


def test_it_becomes_one_of_our_own_inside_the_repository(tmp_path: Path) -> None:
    (tmp_path / "src" / "atoll" / "games").mkdir(parents=True)
    project = ROOT / "pyproject.toml"
    (tmp_path / "pyproject.toml").write_text(project.read_text("utf-8"), "utf-8")
    written = [path.relative_to(tmp_path).as_posix() for path in new_game("rock_pool", tmp_path, inside=True)]
    assert "src/atoll/games/rock_pool/rules.py" in written and "tests/games/rock_pool/test_rules.py" in written
    assert 'rock_pool = "atoll.games.rock_pool:GAME"\natacama' in (tmp_path / "pyproject.toml").read_text("utf-8")
    rules = (tmp_path / "src/atoll/games/rock_pool/rules.py").read_text("utf-8")
    assert "Rule RO-1.2." in rules and "ST-1" not in rules
    assert '<a id="ro-1.2"></a>' in (tmp_path / "src/atoll/games/rock_pool/RULES.md").read_text("utf-8")
    assert "class RockPool(Game[RockPoolState, RockPoolComponents])" in rules
    assert "def start_player_of(self" in rules and "Starter" not in rules


def test_every_python_file_compiles_whatever_the_id(tmp_path: Path) -> None:
    for id in ("play", "rock_pool", "x"):
        for path in new_game(id, tmp_path, inside=False):
            if path.suffix == ".py":
                text = path.read_text("utf-8")
                compile(text, str(path), "exec")
                assert "{" + "method}" not in text and "Starter" not in text
        assert "def play(self, s" in (tmp_path / f"atoll-{id.replace('_', '-')}/src/atoll_{id}/rules.py").read_text(
            "utf-8"
        )


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("Pearls", "invalid game id 'Pearls': expected lower-case letters"),
        ("../x", "invalid game id"),
        ("class", "invalid game id"),
        ("atua", "the game 'atua' exists already, in atoll"),
        ("starter", "the game 'starter' exists already"),
    ],
)
def test_what_cannot_be_an_id_is_said(atoll: Atoll, tmp_path: Path, id: str, message: str) -> None:
    ended = atoll("new-game", id, "--folder", tmp_path)
    assert ended.status == 1 and message in ended.err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    new_game("pearls", tmp_path, inside=False)
    rules = tmp_path / "atoll-pearls/src/atoll_pearls/rules.py"
    rules.write_text("mine")
    with pytest.raises(NewGameError, match="atoll-pearls exists already; nothing was written"):
        new_game("pearls", tmp_path, inside=False)
    assert rules.read_text() == "mine"
    with pytest.raises(NewGameError, match="isn't a repository of Atoll"):
        new_game("pearls", tmp_path, inside=True)


def test_the_starter_itself_is_no_game_on_offer() -> None:
    assert "starter" not in registry.games
