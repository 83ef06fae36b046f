"""Every block of the guide runs in order in a fresh environment: files, changes, commands, output."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path

import pytest

from tests.plugins import UNLOADED

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "study" / "tutorial-add-a-game.md"
BLOCK = re.compile(r"^```(sh|diff|python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)
GAME = Path("atoll-pearls")


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(GUIDE.read_text("utf-8"))


def test_every_section_ends_with_a_command_that_prints_something() -> None:
    for section in re.split(r"^## ", GUIDE.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        found = [text for kind, text in BLOCK.findall(section) if kind == "sh"]
        assert found and not found[-1].strip().splitlines()[-1].startswith("$"), section.splitlines()[0]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with an environment of its own, which has what this one has."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], cwd=tmp_path, check=True)
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    paths = [*os.environ.get("PYTHONPATH", "").split(os.pathsep), str(ROOT / "src"), sysconfig.get_path("purelib")]
    (site / "beside.pth").write_text("\n".join(filter(None, paths)))
    programs = tmp_path / "env" / "bin"
    for name in ("atoll", "pip", "pytest"):
        (programs / name).write_text(f'#!/bin/sh\nexec "{programs}/python" -m {name} "$@"\n')
        (programs / name).chmod(0o755)
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1"}
    path = f"{home}/env/bin{os.pathsep}{own['PATH']}"
    plain = " ".join(["-p", "no:cacheprovider", *UNLOADED])
    return {**own, **offline, "PATH": path, "PYTEST_ADDOPTS": plain, "COLUMNS": "200"}


def written(home: Path, text: str) -> None:
    """A file, whose first line names it."""
    head, _, body = text.partition("\n")
    path = home / GAME / head.removeprefix("# ")
    path.parent.mkdir(exist_ok=True)
    path.write_text(body, "utf-8")


def changed(home: Path, text: str) -> None:
    """Change a file, which the first line names.

    Each run of lines with - occurs once, and is replaced by the lines with +.
    """
    head, *lines = text.splitlines()
    path = home / GAME / head.removeprefix("# ")
    content = path.read_text("utf-8")
    old: list[str] = []
    new: list[str] = []
    for line in [*lines, "-"]:
        if line.startswith("-") and new:
            before, after = "\n".join(old), "\n".join(new)
            assert content.count(before) == 1, f"{path.name}: {before!r}"
            content = content.replace(before, after)
            old, new = [], []
        (old if line.startswith("-") else new).append(line[1:])
    path.write_text(content, "utf-8")


def served(home: Path) -> str:
    """Start the server, request its first page, end it, and return its output at the start."""
    command = ["atoll", "serve", "--port", "0", "--db", "sqlite:///table.db"]
    with subprocess.Popen(command, cwd=home, env=environment(home), stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            line = next(line for line in server.stderr if "is open at" in line)
            with urllib.request.urlopen(re.search(r"http://\S+", line)[0]) as page:  # type: ignore[index]  # noqa: S310
                assert "Pearls" in page.read().decode()
        finally:
            server.terminate()
    return line


def run(home: Path, text: str) -> None:
    """Each command, which prints the lines below it in their order, in the midst of others."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *expected = part.strip().splitlines()
        if command.startswith("atoll serve"):
            said = served(home)
        else:
            ran = subprocess.run(
                ["bash", "-c", command], cwd=home, env=environment(home), capture_output=True, text=True, check=False
            )
            said = ran.stdout + ran.stderr
            assert ran.returncode == 0, f"{command}\n{said[-3000:]}"
        at = 0
        for line in expected:
            assert line in said[at:], f"{command}\n{line}\n{said[-3000:]}"
            at = said.index(line, at) + len(line)


@pytest.mark.source
@pytest.mark.long
@pytest.mark.timeout(900)  # two dozen commands, each in a process of its own
@pytest.mark.parametrize("minutes", [pytest.param("0.01", id="short"), pytest.param("1", marks=pytest.mark.fuzz)])
def test_every_step_of_the_guide_is_carried_out(home: Path, minutes: str) -> None:
    """As written; but that the training of a minute is a minute only where tests may take long."""
    does = {"sh": run, "diff": changed, "python": written, "toml": written}
    for kind, text in blocks():
        does[kind](home, text.replace("--minutes 1 ", f"--minutes {minutes} "))
    assert shutil.which("atoll", path=f"{home}/env/bin")
