"""Chance that nobody can predict, choose or bias, and that everybody can verify afterwards.

Before anybody sits down, the server fixes a secret seed of 256 bits and publishes its hash. Then
each seat's browser commits to a random share. Once all have committed, the shares are revealed.
Seed and shares make the key. Chance event number n uses number n of the key's sequence, so that
undoing a choice never rolls again. After the game the seed is published.

The public record contains what everybody learns during the game. Browsers store its digest. See
`docs/play/explanation-fair-chance.md`.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")
"""An entry of a record."""

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_RANGE: Final = 1 << 256


def new_seed() -> str:
    """Return a new seed: 256 random bits in hex."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return the commitment to a seed or share: SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def is_hex(text: str) -> bool:
    """Return whether a text has the form of seeds and shares: 32 bytes in lower-case hex."""
    return _HEX.fullmatch(text) is not None


def public_lines(answers: Iterable[tuple[int, str | None]], lines: Sequence[str] = ()) -> list[str]:
    """Return the lines of the public record for some answers.

    A line is an answer as it is written in records. An answer that not everybody learns is a `?`.
    Several of these by one seat in a row are one line, so that nobody can count them.

    Args:
        answers: The seat (-1 for chance) and text of each answer; None instead of a secret text.
        lines: The lines before; only the last one matters.
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


def with_takebacks(record: Sequence[T], undone: Sequence[tuple[int, Sequence[T]]], marks: Sequence[T]) -> list[T]:
    """Return a record including its take-backs, in chronological order.

    Args:
        record: The entries that count in the end.
        undone: Per take-back, the length of the record after it, and the entries that it removed.
        marks: The entry that stands for each take-back.
    """
    stands = list(record)
    parts: list[Sequence[T]] = []
    for mark, (length, removed) in zip(reversed(marks), reversed(undone), strict=True):
        parts += [stands[length:], [mark]]
        stands[length:] = removed
    return [each for part in (stands, *reversed(parts)) for each in part]


def undo_line(sequence: int) -> str:
    """Return the line of the public record for a take-back to a moment."""
    return f"undo {sequence}"


def record_digest(table: str, lines: Iterable[str]) -> str:
    """Return the running digest of a public record, in hex.

    It is the SHA-256 of "atoll-record-1" and the table's id, and then for each line the SHA-256 of
    the previous digest and the line.
    """
    found = hashlib.sha256(f"atoll-record-1\n{table}".encode()).hexdigest()
    for line in lines:
        found = hashlib.sha256(f"{found}\n{line}".encode()).hexdigest()
    return found


class FairChance:
    """The source of chance of one table.

    The key is HMAC-SHA-256(seed, lines), where the lines are "atoll-chance-1", the table's id and
    the seats' shares. Number n is HMAC-SHA-256(key, "n:k") for the first fair k = 0, 1, and so on.
    A number is fair if it is below the largest multiple of the number of outcomes.

    Args:
        seed: Seed in hex.
        table: Id of the table.
        shares: Share of each seat in hex, or "".
    """

    __slots__ = ("_key",)

    def __init__(self, seed: str, table: str, shares: Sequence[str]) -> None:
        message = "\n".join(("atoll-chance-1", table, *shares))
        self._key: bytes = hmac.digest(bytes.fromhex(seed), message.encode(), "sha256")

    def pick(self, index: int, size: int) -> int:
        """Return a uniformly distributed number from 0 to `size - 1` for chance event `index`."""
        limit = _RANGE - _RANGE % size
        attempt = 0
        while True:
            number = int.from_bytes(hmac.digest(self._key, f"{index}:{attempt}".encode(), "sha256"), "big")
            if number < limit:
                return number % size
            attempt += 1
