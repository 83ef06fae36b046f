"""`make load`: people and pages that play over HTTP."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.held import Held

_DATA = '<script id="page-data">{}</script>'


def test_a_page_has_what_stands_in_a_fragment_that_was_left_empty() -> None:
    held = Held()
    held.take(f'<p id="a" data-h="aaaaaaaa"><br><i id="b" data-h="bbbbbbbb">1 &gt; 0</i></p>{_DATA}')
    held.take(f'<p id="a" data-h="aaaaaaaa"></p>{_DATA}')
    assert held.fragments == "aaaaaaaa.bbbbbbbb"
    with pytest.raises(KeyError):
        held.take(f'<p id="c" data-h="cccccccc"></p>{_DATA}')


@pytest.mark.parametrize("game", ["atacama", "wutaki"])
def test_pages_play_and_those_who_watch_see_it(tmp_path: Path, game: str) -> None:
    found = tmp_path / "found.json"
    arguments = ["--tables", "1", "--seconds", "1", "--game", game, "--spectators", "1", "--json", str(found)]
    subprocess.run([sys.executable, "-m", "benchmarks.load", "--pages", *arguments], check=True)
    (row,) = json.loads(found.read_text())
    assert (row["seats"], row["spectators"]) == (2, 1)
    assert row["moves_per_second"] > 0
    assert row["updates_per_second"] > 0
    assert row["bytes_per_update"] > 100


@pytest.mark.long
@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_no_move_is_lost_when_one_of_several_servers_is_killed() -> None:
    """Nor does a stream stay away: the run fails then."""
    arguments = ["--tables", "6", "--seconds", "6", "--servers", "2", "--router", "--kill"]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert " acknowledged, 0 missing; " in ran.stdout
