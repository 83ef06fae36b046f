"""Pytest plugin: the options of `pytest --pyargs atoll.testing --game GAME`.

The plugin imports nothing of Atoll, so that the tests of other projects start as fast as before.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("atoll", "Atoll: the laws of a game, with --pyargs atoll.testing")
    group.addoption("--game", help="the id of the game; installed, or of a plugin named in ATOLL_PLUGINS")
    group.addoption("--thorough", action="store_true", help="look at all options and at more moments; takes longer")
