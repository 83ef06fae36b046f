"""The plain wheel: its contents, and that it plays with nothing but its requirements."""

from __future__ import annotations

import email
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.wheel.games import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this source."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("atoll-*-py3-none-any.whl")
    return found


@pytest.mark.source
def test_it_holds_the_whole_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(info))
        entries = archive.read(info.replace("METADATA", "entry_points.txt")).decode()
    source = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and ".dist-info" not in str(path)
    }
    assert {name for name in names if ".dist-info/" not in name} == {
        each for each in source if not each.endswith(".so")
    }
    assert {"browser", "docs", "lab", "env", "ray", "serve", "testing"} == set(metadata.get_all("Provides-Extra", []))
    assert "Programming Language :: Python :: 3.13" in metadata.get_all("Classifier", [])
    for line in ("atoll = atoll.cli.main:main", "wutaki = atoll.games.wutaki:GAME", "atoll = atoll_pytest"):
        assert line in entries


@pytest.mark.source
def test_it_plays_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """In isolated mode, with the requirements of this environment behind it."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", "site"]
    subprocess.run([*command, str(wheel)], cwd=tmp_path, check=True)
    begin = f"import sys; sys.path[:0] = [{str(tmp_path / 'site')!r}, {sysconfig.get_path('purelib')!r}]; "
    run = "import runpy; sys.argv = ['atoll', {}]; runpy.run_module('atoll', run_name='__main__')"
    for arguments, printed in (
        ("'games'", "wutaki"),
        ("'simulate', 'atua', '--games', '1', '--workers', '1'", "1 games"),
    ):
        code = begin + run.format(arguments)
        ran = subprocess.run(
            [sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0 and printed in ran.stdout, ran.stderr
    found = subprocess.run(
        [sys.executable, "-I", "-c", begin + "import atoll; print(atoll.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path) in found.stdout
