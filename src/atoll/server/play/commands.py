"""Commands: changes of a table, as objects with permanent names.

`CommandExecutor.execute` applies a command to the table in memory, under its lock, and writes the
changes.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, ClassVar, Final, Generic, TypeVar

from ..domain.model import Refused, User
from ..table.live_table import LiveTable, encode

T = TypeVar("T")
"""The answer of a command."""

_KEY: Final = re.compile(r"[!-~]{0,64}")


class Command(Generic[T]):
    """A change of a table, which is either carried out or refused without any effect.

    Attributes:
        name: Permanent name, which is part of idempotency keys.
        answer: Type as which a stored answer is decoded; None for commands without idempotency
            keys.
        only_seen: Whether the user must be allowed to see a private table.
        user: The acting user, or None for an automatic change.
    """

    __slots__ = ()
    name: ClassVar[str]
    answer: ClassVar[Any] = None
    requires_visibility: ClassVar[bool] = True
    user: User | None

    def request(self) -> Any:
        """Return the data that distinguishes commands with this name."""
        return None

    def apply(self, live: LiveTable, now: int) -> T:
        """Change the table in memory.

        Args:
            live: The table.
            now: The current time in milliseconds.

        Returns:
            The answer.

        Raises:
            Refused: If the command isn't permitted.
            NotImplementedError: If a command doesn't define this method.
        """
        raise NotImplementedError


def checked_key(key: str) -> str:
    """Return an idempotency key after checking it; "" is none.

    Args:
        key: The key.

    Raises:
        Refused: If the key is too long or has other characters than visible ASCII.
    """
    if _KEY.fullmatch(key) is None:
        raise Refused("malformed", 422, "an idempotency key has at most 64 characters, ASCII without spaces")
    return key


def request_digest(*request: Any) -> str:
    """Return the digest by which a key's second use for another request is detected."""
    return hashlib.sha256(encode(request).encode()).hexdigest()
