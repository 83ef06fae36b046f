"""The command line called inside this process."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from atoll.cli import main as cli


@dataclass(frozen=True)
class Ended:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str


Atoll = Callable[..., Ended]


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object) -> Ended:
    """Run `atoll ARGUMENTS`."""
    monkeypatch.setattr("sys.argv", ["atoll", *map(str, arguments)])
    monkeypatch.setattr("__main__.__package__", None)  # else help names `python -m pytest`, if that runs the tests
    with pytest.raises(SystemExit) as end:
        cli.main()
    found = capsys.readouterr()
    code = end.value.code
    return Ended(code if isinstance(code, int) else 0, found.out, found.err)
