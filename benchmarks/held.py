"""The page of a table as a browser has it: its fragments, and the data for its scripts."""

from __future__ import annotations

from typing import Any

import msgspec

from atoll.testing.fragments import fragments_in


class Held:
    """The fragments of a page that is kept up to date.

    Attributes:
        data: The data for its scripts.
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self._has: set[str] = set()
        self._inside: dict[str, set[str]] = {}  # the fragments inside each that has ever been sent

    @property
    def fragments(self) -> str:
        """The digests of its fragments, as the server is told of them."""
        return ".".join(sorted(self._has))

    def take(self, content: str) -> None:
        """Take over what the server has sent. Raises KeyError if a fragment was left empty that the page lacks."""
        outermost: list[tuple[int, set[str]]] = []  # where each begins, and its digest with those inside
        for digest, start, _, empty in fragments_in(content):
            inside = self._inside[digest] if empty else set[str]()
            while outermost and outermost[-1][0] > start:
                inside |= outermost.pop()[1]
            self._inside[digest] = inside
            outermost.append((start, {digest, *inside}))
        self._has = set[str]().union(*(each for _, each in outermost))
        self.data = msgspec.json.decode(content[content.rindex('id="page-data"') :].partition(">")[2].partition("<")[0])
