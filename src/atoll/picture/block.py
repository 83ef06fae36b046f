"""Blocks: what of a page or a drawing is sent again only when it has changed.

A block is an element with an id, or a run of siblings that begins with one. Its first tag says what all of it holds:
`data-block="<digest>.<length>.<run>"`. Whoever has a block names its digest and gets an empty element in its place,
`data-block="=<digest>"`. Nothing has to be remembered of who has what: a page is whole, or says itself what it lacks.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from markupsafe import Markup

_LEAST: Final = 240
_DIGEST: Final = re.compile(r"[\w-]{8}", re.ASCII)
_FIRST: Final = re.compile(r'\s*<[a-z]+ id="[^"]*"')
_TAG: Final = re.compile(r"<(/?)[a-zA-Z][^\s>/]*(?:\"[^\"]*\"|[^\">])*?(/?)>")
_FILLED: Final = re.compile(r'<([a-z]+) (id="[^"]*") data-block="(([\w-]{8})\.(\d+)\.\d+)"')
_EMPTY: Final = re.compile(r'<[a-z]+ id="[^"]*" data-block="=([\w-]{8})"></[a-z]+>', re.ASCII)
_MARK: Final = ' data-block="'


def digest_of(markup: str) -> str:
    """What names a content: eight characters, 48 bits."""
    return base64.urlsafe_b64encode(blake2b(markup.encode(), digest_size=6).digest()).decode()


def block(markup: str, *, run: int = 1) -> Markup:
    """Markup as a block, if it begins with an element with an id and is long enough to be worth it.

    run: how many elements it consists of.
    """
    first = _FIRST.match(markup)
    text = str(markup).rstrip()
    if first is None or len(text) < _LEAST:
        return Markup(markup)  # noqa: S704 - it is markup already
    digest = digest_of(text)
    rest = text[first.end() :]
    return Markup(f'{first[0].lstrip()}{_MARK}{digest}.{len(rest)}.{run}"{rest}')  # noqa: S704 - as above


def is_one_element(markup: str) -> bool:
    """Whether markup is one element, with nothing beside it."""
    depth = 0
    text = markup.strip()
    for tag in _TAG.finditer(text):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if not depth:
            return tag.end() == len(text)
    return False


def named(text: str) -> frozenset[str]:
    """The digests that a page says it has; what is no digest is left out."""
    return frozenset(_DIGEST.findall(text))


def lacking(page: str, known: Collection[str]) -> str:
    """What a page is to be sent that has these blocks."""
    if not known:
        return page
    parts: list[str] = []
    sent = at = 0
    while (mark := page.find(_MARK, at)) >= 0:
        found = _FILLED.match(page, page.rfind("<", at, mark))
        if found is None:
            at = mark + len(_MARK)
        elif found[4] in known:
            parts += [page[sent : found.start()], f'<{found[1]} {found[2]} data-block="={found[4]}"></{found[1]}>']
            sent = at = found.end() + int(found[5])
        else:
            at = found.end()
    return "".join([*parts, page[sent:]])


def completed(sent: str, page: str) -> str:
    """The page that was sent to whoever had another, as scripts complete it. Raises KeyError if a block isn't there."""
    held = {found[4]: page[found.start() : found.end() + int(found[5])] for found in _FILLED.finditer(page)}
    return _EMPTY.sub(lambda found: held[found[1]], sent)
