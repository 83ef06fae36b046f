"""The page of a table as a browser has it: its fragments, and the data for its scripts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import msgspec

_FRAGMENT: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="', re.ASCII)
_DIGEST: Final = re.compile(r' data-h="([\w-]{8})"', re.ASCII)


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
        has: set[str] = set()
        open_: list[tuple[str, set[str]]] = []  # the digest of each element around, or "", and the fragments inside
        for tag in _tags(frozenset(_FRAGMENT.findall(content))).finditer(content):
            closing, name, attributes = tag.groups()
            if closing:
                digest, inside = open_.pop()
                if digest:
                    self._inside[digest] = inside
                    inside = {digest, *inside}
                (open_[-1][1] if open_ else has).update(inside)
            elif not attributes.endswith("/"):
                found = _DIGEST.search(attributes)
                if found is not None and content.startswith(f"</{name}>", tag.end()):
                    open_.append(("", {found[1], *self._inside[found[1]]}))
                else:
                    open_.append(("" if found is None else found[1], set()))
        self._has = has
        self.data = msgspec.json.decode(content[content.rindex('id="page-data"') :].partition(">")[2].partition("<")[0])


@lru_cache
def _tags(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds the tags of elements with these names. No attribute has an angle bracket: it is escaped."""
    return re.compile(rf"<(/?)({'|'.join(sorted(names)) or '-'})\b([^>]*)>", re.ASCII)
