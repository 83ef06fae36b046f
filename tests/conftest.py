"""Fixtures of all tests: a database (`postgres_url`), fixed randomness, Hypothesis settings."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.draws import same_secrets

pytest_plugins = ("tests.postgres",)

# The suite gives the same verdict each time, however busy the machine is; `make fuzz` looks elsewhere each time.
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("fuzz", deadline=None, max_examples=10_000, print_blob=True)
settings.load_profile("suite")

# Thousands of tests lie in memory for good: without this, looking through them for garbage takes a tenth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Set aside what has been collected."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Let pytest-xdist keep the order of tests.

    By default it starts with the largest groups, which scatters the groups of a file, so that each starts a server.
    """
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with long tests, for which one process would wait at the end; browser tests come last."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give each test the draws of its name, unless it searches at random."""
    if item.get_closest_marker("fuzz"):
        return (yield)
    assert item.parent is not None
    with same_secrets(f"{item.parent.nodeid}::{item.name}"):  # its own id ends with its group where workers run
        return (yield)
