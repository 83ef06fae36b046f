"""Tests of a group run on one worker of pytest-xdist, where they share fixtures."""

import os

import pytest


@pytest.mark.xdist_group("a group")
def test_a_worker_knows_the_group_of_a_test(request: pytest.FixtureRequest) -> None:
    """The scheduler reads the group from the node id; where it isn't there, each test goes to any worker."""
    workers = "PYTEST_XDIST_WORKER" in os.environ and request.config.getoption("loadgroup", default=False)
    assert request.node.nodeid.endswith("@a group") == workers
