"""Fixed randomness for tests: `secrets` gives the same seeds, table ids and draws of bots each time."""

import contextlib
import random
import sys
from collections.abc import Iterator

import pytest

DRAWING = ("token_bytes", "token_hex", "token_urlsafe", "randbits")


class Draws:
    """A replacement of `secrets`.

    Each function that draws has a stream of numbers of its own, so that their order doesn't matter.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._streams: dict[tuple[str, str], random.Random] = {}

    def _stream(self) -> random.Random:
        code = sys._getframe(2).f_code
        place = (code.co_filename.rpartition("/")[2], code.co_name)
        if place not in self._streams:
            self._streams[place] = random.Random(f"{self._name} {place}")
        return self._streams[place]

    def token_bytes(self, nbytes: int = 32) -> bytes:
        return self._stream().randbytes(nbytes)

    def token_hex(self, nbytes: int = 32) -> str:
        return self._stream().randbytes(nbytes).hex()

    def token_urlsafe(self, nbytes: int = 32) -> str:
        return self._stream().randbytes(nbytes).hex()

    def randbits(self, k: int) -> int:
        return self._stream().getrandbits(k)


@contextlib.contextmanager
def same_secrets(name: str) -> Iterator[None]:
    """Replace `secrets`; a name always gives the same draws."""
    draws = Draws(name)
    with pytest.MonkeyPatch.context() as patch:
        for each in DRAWING:
            patch.setattr(f"secrets.{each}", getattr(draws, each))
        yield
