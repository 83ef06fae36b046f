"""Blocks: what of a page or a drawing is sent again only when it has changed.

A block is an element with an id. Its tag says what all of it holds: `data-block="<digest>.<length>"`. A client names
the digests that it has and gets an empty element instead, `data-block="=<digest>"`. The server remembers no client.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from markupsafe import Markup

_LEAST: Final = 240
_LENGTH: Final = 8
_FIRST: Final = re.compile(r'\s*<([a-z]+) (id="[^"]*")')
_NAME: Final = re.compile(r"<([a-zA-Z][^\s>/]*)")
_FILLED: Final = re.compile(r'<([a-z]+) (id="[^"]*") data-block="([\w-]{8})\.(\d+)"')
_EMPTY: Final = re.compile(r'<[a-z]+ id="[^"]*" data-block="=([\w-]{8})"></[a-z]+>', re.ASCII)
_MARK: Final = ' data-block="'


def digest_of(markup: str) -> str:
    """What names a content: eight characters, 48 bits."""
    return base64.urlsafe_b64encode(blake2b(markup.encode(), digest_size=6).digest()).decode()


class Block(Markup):
    """Markup that is one block. digest: what names it. empty: what stands for it where it is known."""

    __slots__ = ("digest", "empty")

    digest: str
    empty: Markup


def block(markup: str) -> Markup:
    """Markup as a Block, if it is an element with an id and is long enough to be worth it."""
    first = _FIRST.match(markup)
    text = str(markup).rstrip()
    if first is None or len(text) < _LEAST:
        return Markup(markup)  # noqa: S704 - it is markup already
    digest = digest_of(text)
    rest = text[first.end() :]
    found = Block(f'{first[0].lstrip()}{_MARK}{digest}.{len(rest)}"{rest}')
    found.digest, found.empty = digest, Markup(_empty(first[1], first[2], digest))  # noqa: S704 - as above
    return found


def _empty(tag: str, id: str, digest: str) -> str:
    return f'<{tag} {id}{_MARK}={digest}"></{tag}>'


def is_one_element(markup: str) -> bool:
    """Whether markup is one element, with nothing beside it."""
    text = str(markup).strip()
    named = _NAME.match(text)
    depth = 0
    for tag in _tags(named[1]).finditer(text) if named is not None else ():
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if not depth:
            return tag.end() == len(text)
    return False


@lru_cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(rf'<(/?){re.escape(name)}(?=[\s>/])(?:"[^"]*"|[^">])*?(/?)>')


def named(text: str) -> frozenset[str]:
    """The digests that a page says it has, with a point between each two."""
    return frozenset(text.split(".")) if text else frozenset()


def lacking(page: str, known: Collection[str]) -> str:
    """What a page, or a part of it, is to be sent to whoever has these blocks."""
    if not known:
        return page
    if type(page) is Block and page.digest in known:
        return page.empty
    page = str(page)  # markup is slow to cut
    parts: list[str] = []
    sent = at = 0
    while (mark := page.find(_MARK, at)) >= 0:
        before, at = at, mark + len(_MARK)
        if page[at : at + _LENGTH] not in known:
            continue
        found = _FILLED.match(page, page.rfind("<", before, mark))
        if found is not None:
            parts += [page[sent : found.start()], _empty(found[1], found[2], found[3])]
            sent = at = found.end() + int(found[4])
    return "".join([*parts, page[sent:]]) if parts else page


def completed(sent: str, page: str) -> str:
    """The page that was sent to whoever had another, as scripts complete it. Raises KeyError if a block isn't there."""
    held = {found[3]: page[found.start() : found.end() + int(found[4])] for found in _FILLED.finditer(page)}
    return _EMPTY.sub(lambda found: held[found[1]], sent)
