"""The page of a table as a browser has it: its fragments, and the data for its scripts."""

from __future__ import annotations

from typing import Any

import msgspec

from atoll.testing.fragments import fragments_in


class Held:
    """The fragments of a page that is updated by the server.

    Attributes:
        data: The data for the page's scripts.
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self._has: set[str] = set()
        self._inside: dict[str, set[str]] = {}  # the inner fragments of each fragment that was ever sent

    @property
    def fragments(self) -> str:
        """The digests of the fragments, in the form of the request header."""
        return ".".join(sorted(self._has))

    def take(self, content: str) -> None:
        """Apply a response of the server.

        Args:
            content: The response.

        Raises:
            KeyError: If a fragment was sent without content that the page doesn't have.
        """
        outermost: list[tuple[int, set[str]]] = []  # start of each, and its digest with those of inner ones
        for digest, start, _, empty in fragments_in(content):
            inside = self._inside[digest] if empty else set[str]()
            while outermost and outermost[-1][0] > start:
                inside |= outermost.pop()[1]
            self._inside[digest] = inside
            outermost.append((start, {digest, *inside}))
        self._has = set[str]().union(*(each for _, each in outermost))
        self.data = msgspec.json.decode(content[content.rindex('id="page-data"') :].partition(">")[2].partition("<")[0])
