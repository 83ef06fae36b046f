"""Fragments of pages in tests: the digests that a page has, and a page completed as scripts do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TAG: Final = re.compile(r"""<(/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*"|='[^']*'|=[^\s>]*)?)*)\s*(/?)>""")
_DIGEST: Final = re.compile(r'\sdata-h="([\w-]{8})"', re.ASCII)
_LEFT_EMPTY: Final = re.compile(r'<([a-z]+) id="[^"]*" data-h="([\w-]{8})"></\1>', re.ASCII)
_VOID: Final = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))


def digests(page: str) -> list[str]:
    """Return the digests of all fragments of a page, in their order."""
    return [found[1] for tag in _TAG.finditer(page) for found in _DIGEST.finditer(tag[3])]


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
    known = dict(_elements(page))
    return _LEFT_EMPTY.sub(lambda found: known[found[2]], sent)


def _elements(page: str) -> Iterator[tuple[str, str]]:
    """Return the digest and the markup of each fragment."""
    open_: list[tuple[str, int, str]] = []
    for tag in _TAG.finditer(page):
        closing, name, attributes, alone = tag.groups()
        if closing:
            while open_:
                opened, start, digest = open_.pop()
                if digest and opened == name:
                    yield digest, page[start : tag.end()]
                if opened == name:
                    break
        elif not alone and name.lower() not in _VOID:
            found = _DIGEST.search(attributes)
            open_.append((name, tag.start(), "" if found is None else found[1]))
