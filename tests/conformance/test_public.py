"""The laws for a game of another package: `pytest --pyargs atoll.testing --game GAME`.

They print a list of the missing parts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins import UNLOADED

ROOT = Path(__file__).parents[2]
GAME = """
from tests.conformance.planted.honest import Honest


class Mine(Honest):
    id = "mine"
    package = "tests.conformance.planted"


GAME = Mine()
"""


def told_of(folder: Path, *arguments: str, **environment: str) -> tuple[int, list[str]]:
    """Run pytest on the plugin `mine` and return its exit status and its lines."""
    (folder / "mine.py").write_text(GAME)
    paths = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *UNLOADED]
    ran = subprocess.run(
        [*command, "--pyargs", "atoll.testing", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "ATOLL_PLUGINS": "mine", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout.splitlines()


def test_what_a_game_lacks_is_a_list_and_no_stack(tmp_path: Path) -> None:
    """The texts of this game begin with another id, so that all of them are missing."""
    status, lines = told_of(tmp_path, "--game", "mine", "-k", "random_play or said or clones")
    assert status == 1
    start = next(index for index, line in enumerate(lines) if "mine: 1 laws broken" in line)
    assert lines[start + 1].startswith("all_is_said: mine-2: chance in 'en': no text 'mine.kind.draw'")
    assert "without picture.py: the table is drawn in the plain style" in lines
    assert not any("Traceback" in line or "def test_law" in line for line in lines)


def test_a_game_that_obeys_is_told_so(tmp_path: Path) -> None:
    status, lines = told_of(tmp_path, "--game", "mine", "-k", "random_play or clones or processes")
    assert status == 0
    assert any("mine obeys all laws" in line for line in lines)


def test_without_a_browser_the_table_is_not_clicked_through_and_that_is_said(tmp_path: Path) -> None:
    status, lines = told_of(tmp_path, "--game", "mine", "-k", "click", CHROMIUM="/nowhere/chromium")
    assert status == 0
    assert any(line.startswith("not tried: its table in a browser: it needs Chromium: install it") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which game? pytest --pyargs atoll.testing --game GAME"),
        (("--game", "chess"), "unknown game 'chess'; known: "),
    ],
)
def test_which_game_must_be_said(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    status, lines = told_of(tmp_path, *arguments)
    assert status and any(message in line for line in lines)
