"""What a page of a table has of it: the blocks that needn't be sent to it again."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

_BLOCK: Final = re.compile(r'data-block="(=?)([\w-]{8})(?:\.(\d+))?"', re.ASCII)


class Held:
    """The blocks that a page has, by their digests, and what its scripts were given with the last ones."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self._has: set[str] = set()
        self._inside: dict[str, set[str]] = {}

    @property
    def told(self) -> str:
        """As the server is told of them."""
        return ".".join(sorted(self._has))

    def take(self, content: str) -> None:
        """Note what the page has now. Raises KeyError if a block was left empty that it hasn't got."""
        has: set[str] = set()
        around: list[tuple[int, set[str]]] = []
        for mark in _BLOCK.finditer(content):
            while around and around[-1][0] <= mark.start():
                around.pop()
            empty, digest, length = mark.groups()
            inside = self._inside[digest] if empty else set()
            for outer in (has, *(each for _, each in around)):
                outer |= {digest, *inside}
            if not empty:
                self._inside[digest] = inside
                around.append((mark.end() + int(length), inside))
        self._has = has
        self.data = msgspec.json.decode(content[content.rindex('id="page-data"') :].partition(">")[2].partition("<")[0])
