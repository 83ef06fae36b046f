"""Gin Rummy as a plugin in its own process: a game in its own package passes its tests and the laws."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins import UNLOADED

ROOT = Path(__file__).parents[2]
GIN = ROOT / "examples" / "gin"


def run(*arguments: str) -> str:
    """Return pytest's output in the environment of the package's owner."""
    own = [str(GIN / "src"), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(own), "ATOLL_PLUGINS": "atoll_gin"}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *UNLOADED, *arguments]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-2000:]
    return ran.stdout


def test_its_rules_are_those_of_its_rulebook_and_of_openspiel() -> None:
    assert " passed" in run(str(GIN / "tests"))


@pytest.mark.long
def test_it_obeys_the_laws_and_lacks_nothing() -> None:
    said = run("--pyargs", "atoll.testing", "--game", "gin")
    assert "gin obeys all laws" in said
    assert "without" not in said


def test_the_houses_tests_of_rules_pages_numbers_and_pictures_hold_for_it() -> None:
    """But two, which break what its components lack: sources of numbers, and thirty numbers."""
    files = ("tests/games/test_rulebooks.py", "tests/games/test_owners_data.py", "tests/test_picture.py")
    assert " passed" in run(*files, "-k", "gin and not huge_numbers and not file_is_named")
