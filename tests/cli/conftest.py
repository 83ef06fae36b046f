"""`atoll`: the command line as a function."""

from functools import partial

import pytest

from tests.cli.command import Atoll, run


@pytest.fixture
def atoll(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Atoll:
    """Run a command: atoll("check", path)."""
    return partial(run, capsys, monkeypatch)
