"""The version of the running program, as commands, pages, metrics and health checks show it."""

from __future__ import annotations

import functools
import platform
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parents[2]
_COMMIT: Final = _PACKAGE / "commit.txt"
"""File with the commit and its date, which compiled wheels contain."""
_GIT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """The version of the program.

    Attributes:
        version: Version of the package.
        commit: Short hash of the commit that it was built from, or "" if it is unknown.
        date: Day of the commit, or "".
        python: Version of Python.
        compiled: Whether the engine is compiled.
    """

    version: str
    commit: str
    date: str
    python: str
    compiled: bool

    def __str__(self) -> str:
        built = f" ({self.commit}, {self.date})" if self.commit else ""
        return f"atoll {self.version}{built}, Python {self.python}, {'compiled' if self.compiled else 'plain'}"


@functools.cache
def build_info() -> BuildInfo:
    """Return the version of the running program."""
    try:
        number = version("atoll")
    except PackageNotFoundError:
        number = "unknown"
    engine = find_spec("atoll.engine.position")
    compiled = engine is not None and not str(engine.origin).endswith(".py")
    commit, date = _commit()
    return BuildInfo(number, commit, date, platform.python_version(), compiled)


def _commit() -> tuple[str, str]:
    """Return the commit and its date: of a wheel from its file, of a clone from git."""
    try:
        text = _COMMIT.read_text("ascii")
    except OSError:
        text = _clone_commit()
    commit, _, date = text.strip().partition(" ")
    return commit, date


def _clone_commit() -> str:
    root = _PACKAGE.parents[1]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "log", "-1", "--format=%h %cs"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout
