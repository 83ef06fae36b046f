"""What every test may use: a PostgreSQL database of its own (`postgres_url`), how Hypothesis searches, and one chance.

Seeds, names of tables and what bots draw come from `secrets`; in a test they are the same each time.
"""

import random
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

pytest_plugins = ("tests.postgres",)

# The suite gives the same verdict each time, however busy the machine is; `make fuzz` looks elsewhere each time.
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("fuzz", deadline=None, max_examples=10_000, print_blob=True)
settings.load_profile("suite")


class Draws:
    """In place of `secrets`: a stream of numbers for each function that draws, so that their order doesn't matter."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._streams: dict[tuple[str, str], random.Random] = {}

    def _stream(self) -> random.Random:
        code = sys._getframe(2).f_code
        place = (code.co_filename.rpartition("/")[2], code.co_name)
        return self._streams.setdefault(place, random.Random(f"{self._name} {place}"))

    def token_bytes(self, nbytes: int = 32) -> bytes:
        return self._stream().randbytes(nbytes)

    def token_hex(self, nbytes: int = 32) -> str:
        return self._stream().randbytes(nbytes).hex()

    def token_urlsafe(self, nbytes: int = 32) -> str:
        return self._stream().randbytes(nbytes).hex()

    def randbits(self, k: int) -> int:
        return self._stream().getrandbits(k)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Give each test the draws of its name, unless it searches at random."""
    if item.get_closest_marker("fuzz"):
        return (yield)
    draws = Draws(item.nodeid)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("token_bytes", "token_hex", "token_urlsafe", "randbits"):
            patch.setattr(f"secrets.{name}", getattr(draws, name))
        return (yield)
