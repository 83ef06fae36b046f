"""Allowed imports between packages by `pyproject.toml`; imports for types count, too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def linted(root: Path) -> tuple[int, str]:
    """Run import-linter on the package below a folder and return its exit status and output."""
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--no-logo"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.source
def test_every_package_imports_only_those_below_it() -> None:
    status, said = linted(ROOT)
    assert status == 0, said


@pytest.mark.source
@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("engine/view.py", "import atoll.games", "atoll.engine is not allowed to import atoll.games"),
        ("games/atua/rules.py", "from atoll.bots import Bot", "atoll.games is not allowed to import atoll.bots"),
        ("engine/rules.py", "from .position import Position", ".rules -> .position"),
        ("new_package.py", "", "atoll.new_package"),
        (
            "server/table/clock.py",
            "from ..play import TableServices",
            "atoll.server.table is not allowed to import atoll.server.play",
        ),
        (
            "server/play/turns.py",
            "from ..bots.pool import BotPool",
            "server.play is not allowed to import atoll.server.bots",
        ),
        (
            "server/play/chat.py",
            "from ..notify import channels",
            "server.play is not allowed to import atoll.server.notify",
        ),
        (
            "server/notify/channels.py",
            "from ..bots.pool import BotPool",
            "server.notify is not allowed to import atoll.server.bots",
        ),
        ("server/table/clock.py", "import starlette", "atoll.server.table is not allowed to import starlette"),
        ("server/domain/model.py", "import sqlalchemy", "atoll.server.domain is not allowed to import sqlalchemy"),
        ("server/play/executor.py", "from .turns import Turns", "cycles are allowed in atoll.server.play"),
        ("server/loose.py", "", "atoll.server.loose"),
    ],
)
def test_a_breach_is_found(file: str, line: str, message: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / "src" / "atoll" / file
    text = path.read_text("utf-8") if path.exists() else ""
    guarded = f"\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    {line}\n" if line else ""
    path.write_text(text + guarded, "utf-8")
    status, said = linted(tmp_path)
    assert status == 1
    assert message in said, said
