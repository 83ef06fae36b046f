"""Fragments of pages in tests and benchmarks: the digests that a page has, and a page completed as scripts do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_NAME: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="', re.ASCII)
_DIGEST: Final = re.compile(r' data-h="([\w-]{8})"', re.ASCII)
_LEFT_EMPTY: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="([\w-]{8})"></\1>', re.ASCII)


class Found(NamedTuple):
    """A fragment in markup: its digest, where it begins and ends, and whether it was left empty."""

    digest: str
    start: int
    end: int
    empty: bool


def fragments_in(markup: str) -> Iterator[Found]:
    """Yield all fragments in the order in which they end: those inside come before the one around them."""
    open_: list[tuple[int, int, str]] = []  # where each element begins, where its tag ends, and its digest or ""
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
    """Return what finds the tags of elements with these names. No attribute has an angle bracket: it is escaped."""
    return re.compile(rf"<(/?)({'|'.join(sorted(names)) or '-'})\b([^>]*)>", re.ASCII)


def digests(page: str) -> list[str]:
    """Return the digests of all fragments of a page."""
    return [found.digest for found in fragments_in(page)]


def as_header(page: str) -> dict[str, str]:
    """Return the header by which a page asks for what is new."""
    return {"x-fragments": ".".join(digests(page))}


def completed(sent: str, page: str) -> str:
    """Return what was sent, with the elements of a page in the fragments that were left empty.

    Args:
        sent: What the server has sent.
        page: The page that has asked for it.

    Raises:
        KeyError: If the page doesn't have one.
    """
    known = {found.digest: page[found.start : found.end] for found in fragments_in(page)}
    return _LEFT_EMPTY.sub(lambda found: known[found[2]], sent)
