"""Fragments of pages in tests and benchmarks.

Finds the digests in a page, and completes a response as the page's scripts do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_NAME: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="', re.ASCII)
_DIGEST: Final = re.compile(r' data-h="([\w-]{8})"', re.ASCII)
_LEFT_EMPTY: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="([\w-]{8})"></\1>', re.ASCII)


class Found(NamedTuple):
    """A fragment in markup.

    Attributes:
        digest: Digest of its content.
        start: Index of its first character.
        end: Index after its last character.
        empty: Whether the server sent it without content.
    """

    digest: str
    start: int
    end: int
    empty: bool


def fragments_in(markup: str) -> Iterator[Found]:
    """Yield all fragments in the order in which they end: inner ones before the outer one."""
    open_: list[tuple[int, int, str]] = []  # start of each open element, end of its tag, and its digest or ""
    for tag in _tags(frozenset(_NAME.findall(markup))).finditer(markup):
        closing, _, attributes = tag.groups()
        if closing:
            start, inside, digest = open_.pop()
            if digest:
                yield Found(digest, start, tag.end(), inside == tag.start())
        elif not attributes.endswith("/"):
            found = _DIGEST.search(attributes)
            open_.append((tag.start(), tag.end(), "" if found is None else found[1]))


@lru_cache
def _tags(names: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of the tags of elements with these names.

    Attributes can't contain angle brackets, because they are escaped.
    """
    return re.compile(rf"<(/?)({'|'.join(sorted(names)) or '-'})\b([^>]*)>", re.ASCII)


def digests(page: str) -> list[str]:
    """Return the digests of all fragments of a page."""
    return [found.digest for found in fragments_in(page)]


def as_header(page: str) -> dict[str, str]:
    """Return the header by which a page asks for changed fragments."""
    return {"x-fragments": ".".join(digests(page))}


def completed(sent: str, page: str) -> str:
    """Return a response with its empty fragments filled from a page.

    Args:
        sent: The response of the server.
        page: The page that requested it.

    Raises:
        KeyError: If the page doesn't have one of the fragments.
    """
    known = {found.digest: page[found.start : found.end] for found in fragments_in(page)}
    return _LEFT_EMPTY.sub(lambda found: known[found[2]], sent)
