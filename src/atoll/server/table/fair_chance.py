"""Chance that nobody can foresee, choose or bend, and that everybody can check afterwards. See docs/fair-chance.md.

Before anybody sits down the server fixes a secret seed of 256 bits and publishes its hash. Then each seat's browser
commits to a random share; once all have, the shares are shown. Seed and shares make the key; the n-th chance event uses
the n-th number drawn from the key, so taking a choice back never rolls again. After the game the seed is published.
What everybody learns while the game is played is the public record; whoever hears it keeps its digest.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_RANGE: Final = 1 << 256


def new_seed() -> str:
    """A fresh seed: 256 random bits in hex."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What fixes a seed or share before it is shown: SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def is_hex(text: str) -> bool:
    """Whether a text has the form of seeds, shares and commitments: 32 bytes in lower case hex."""
    return _HEX.fullmatch(text) is not None


def public_lines(answers: Iterable[tuple[int, str | None]], lines: Sequence[str] = ()) -> list[str]:
    """The public record: a line for each answer, as it is written in records.

    answers: who (a seat, or -1 for chance) and the choice's text, None where not everybody learns it; that is a `?`,
    and several of the same seat in a row are one line, so that nobody can count them. lines: those before.
    """
    found: list[str] = []
    last = lines[-1] if lines else ""
    for who, text in answers:
        line = ("" if who < 0 else f"p{who} ") + (text or "?")
        if text is None and line == last:
            continue
        found.append(line)
        last = line
    return found


def as_heard(record: Sequence[T], undone: Sequence[tuple[int, Sequence[T]]], marks: Sequence[T]) -> list[T]:
    """A record with all that was taken back, in the order in which it came.

    undone: of each time, how long the record was after it, and what it took back. marks: what stands for each.
    """
    stands = list(record)
    parts: list[Sequence[T]] = []
    for mark, (length, taken) in zip(reversed(marks), reversed(undone), strict=True):
        parts += [stands[length:], [mark]]
        stands[length:] = taken
    return [each for part in (stands, *reversed(parts)) for each in part]


def undo_line(sequence: int) -> str:
    """What the public record says where answers are taken back up to a moment."""
    return f"undo {sequence}"


def record_digest(table: str, lines: Iterable[str]) -> str:
    """The running digest of a public record: SHA-256 of "atoll-record-1", the table's id, then digest and next line."""
    found = hashlib.sha256(f"atoll-record-1\n{table}".encode()).hexdigest()
    for line in lines:
        found = hashlib.sha256(f"{found}\n{line}".encode()).hexdigest()
    return found


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
