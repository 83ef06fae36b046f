"""What somebody does at a table, as an object with a name of its own.

A command is carried out on the table in memory, under its lock, by `Keeper.carry_out`, which writes what it changed.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, ClassVar, Final, Generic, TypeVar

from ..domain.model import Refused, User
from ..table.live_table import Live, encode

T = TypeVar("T")

_KEY: Final = re.compile(r"[!-~]{0,64}")


class Command(Generic[T]):
    """Something that changes a table, or is refused and changes nothing.

    name: the same for good; idempotency keys hold it. answer: what the answer is read as when it is given again, None
    where no keys are taken. only_seen: whether a private table must be visible to whoever does it. user: who does it;
    None: it happens by itself.
    """

    __slots__ = ()
    name: ClassVar[str]
    answer: ClassVar[Any] = None
    only_seen: ClassVar[bool] = True
    user: User | None

    def request(self) -> Any:
        """What tells two commands of this name apart."""
        return None

    def act(self, live: Live, now: int) -> T:
        """Change the table in memory. Raises Refused."""
        raise NotImplementedError


def checked_key(key: str) -> str:
    """An idempotency key, "" for none. Raises Refused."""
    if _KEY.fullmatch(key) is None:
        raise Refused("malformed", 422, "an idempotency key has at most 64 characters, ASCII without spaces")
    return key


def digest(*request: Any) -> str:
    """What is kept of a request to tell whether a key is used for the same one again."""
    return hashlib.sha256(encode(request).encode()).hexdigest()
