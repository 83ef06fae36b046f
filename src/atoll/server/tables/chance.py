"""Chance that nobody can foresee, choose or bend, and that everybody can check afterwards. See docs/fair-chance.md.

Before anybody sits down the server fixes a secret seed of 256 bits and publishes its hash. Then each seat's browser
adds a random share. Seed and shares make the key; the n-th chance event uses the n-th number drawn from the key, so
taking a choice back never rolls again. After the game the seed is published.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from typing import Final

_SHARE: Final = re.compile(r"[0-9a-f]{64}")
_RANGE: Final = 1 << 256


def new_seed() -> str:
    """A fresh seed: 256 random bits in hex."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """The hash that is published before the game: SHA-256 of the seed's 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def is_share(text: str) -> bool:
    """Whether a text is a seat's share: 32 bytes in lower case hex."""
    return _SHARE.fullmatch(text) is not None


class FairChance:
    """The source of chance of one table: number n is HMAC-SHA-256(key, "n:k") for the first fair k = 0, 1, ...

    The key is HMAC-SHA-256(seed, lines), where the lines are "atoll-chance-1", the table's id and the seats' shares.
    Fair means: not in the incomplete last stretch above the greatest multiple of the number of outcomes.
    """

    __slots__ = ("_key",)

    def __init__(self, seed: str, table: str, shares: Sequence[str]) -> None:
        message = "\n".join(("atoll-chance-1", table, *shares))
        self._key: bytes = hmac.digest(bytes.fromhex(seed), message.encode(), "sha256")

    def pick(self, index: int, size: int) -> int:
        """A number from 0 to `size - 1`, all equally likely, for chance event number `index`."""
        limit = _RANGE - _RANGE % size
        attempt = 0
        while True:
            number = int.from_bytes(hmac.digest(self._key, f"{index}:{attempt}".encode(), "sha256"), "big")
            if number < limit:
                return number % size
            attempt += 1
