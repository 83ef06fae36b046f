"""Fixtures of `pytest --pyargs atoll.testing`, and its final list of broken laws and missing parts.

The command-line options are in `atoll_pytest.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from atoll.engine import Game, UnknownGame
from atoll.engine.registry import games

from .cases import cases
from .missing_parts import missing_parts
from .play import Effort

BROKEN: pytest.StashKey[list[tuple[str, str]]] = pytest.StashKey()
UNTESTED: pytest.StashKey[list[str]] = pytest.StashKey()


def pytest_configure(config: pytest.Config) -> None:
    """Check the option `--game`, and prepare the lists for the summary.

    Args:
        config: The configuration of pytest.

    Raises:
        pytest.UsageError: If the option is missing, or no game has this id.
    """
    config.stash[BROKEN] = []
    config.stash[UNTESTED] = []
    id = config.getoption("--game")
    if not id:
        raise pytest.UsageError("which game? pytest --pyargs atoll.testing --game GAME")
    try:
        games.origin(id)
    except UnknownGame as error:
        raise pytest.UsageError(str(error)) from None


@pytest.fixture(scope="session")
def game(pytestconfig: pytest.Config) -> Game:
    """Return the game that is tested."""
    return games[pytestconfig.getoption("--game")]


@pytest.fixture(scope="session")
def effort(pytestconfig: pytest.Config) -> Effort:
    """Return the effort that the laws are tested with."""
    return Effort(16, 8, 16, 10, 60) if pytestconfig.getoption("--thorough") else Effort()


@pytest.fixture
def broken(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Provide a list to which a test appends broken laws; they are listed in the summary."""
    found: list[str] = []
    yield found
    law = request.node.callspec.id if hasattr(request.node, "callspec") else request.node.name.removeprefix("test_")
    request.config.stash[BROKEN] += [(law, each) for each in found]


@pytest.fixture
def untried(pytestconfig: pytest.Config) -> list[str]:
    """Return a list to which a test appends what can't be tested here, and why."""
    return pytestconfig.stash[UNTESTED]


@pytest.fixture(scope="session")
def all_cases(game: Game, pytestconfig: pytest.Config) -> list[object]:
    """Return the game's cases: numbers of seats and sets of options."""
    return list(cases({game.id: game}, every=pytestconfig.getoption("--thorough")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write the broken laws, the untested ones, and the missing parts of the game."""
    id = config.getoption("--game")
    broken = config.stash[BROKEN]
    write = terminalreporter.write_line
    terminalreporter.section(f"{id}: {len(broken)} laws broken" if broken else f"{id} obeys all laws")
    for law, what in broken:
        write(f"{law}: {what}")
    for what in config.stash[UNTESTED]:
        write(f"not tried: {what}")
    try:
        for line in missing_parts(games[id]):
            write(f"without {line}")
    except Exception as error:
        write(f"{type(error).__name__}: {error}")
