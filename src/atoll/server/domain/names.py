"""Names of people: distinct at a table, and isolated in sentences of the other direction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Final

from markupsafe import Markup

from .sanitize import NAME_LENGTH, shows_nothing

_LABEL: Final = re.compile(r"(?:bot|seat|platz):?\d+|deletedaccount|gelöschteskonto")
"""Labels of seats without a person's name, as `key` gives them; a person isn't called by one."""


_RIGHT_TO_LEFT: Final = frozenset(("R", "AL", "AN"))
"""Bidirectional classes that turn what stands around them."""

_CONTROLS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def isolated(text: str) -> str:
    """Return a text in Unicode isolates if it is written from right to left.

    Pages of this site, and what it sends, are written from left to right: another text turns nothing in them.
    """
    if text.isascii():
        return text
    bare = _CONTROLS.sub("", text)
    return f"\u2068{bare}\u2069" if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in bare) else bare


def bdi(text: str) -> Markup:
    """Return a text as an element of a page that turns nothing around it."""
    return Markup("<bdi>{}</bdi>").format(text)


def key(name: str) -> str:
    """Return the same text for names that look alike up to case, spaces and invisible characters."""
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(each for each in letters if not shows_nothing(each))


def is_label(name: str) -> bool:
    """Return whether a name looks like a label of a seat without a person's name."""
    return _LABEL.fullmatch(key(name)) is not None


def distinct(name: str, others: Iterable[str]) -> str:
    """Return a name with the first free number, or unchanged if no other looks like it."""
    taken = {key(each) for each in others}
    if key(name) not in taken:
        return name
    numbered = (_numbered(name, number) for number in count(2))
    return next(each for each in numbered if key(each) not in taken)


def of_person(name: str, others: Iterable[str]) -> str:
    """Return what a person is called among others: as `distinct`, and never by a label."""
    return distinct(name, [*others, name] if is_label(name) else others)


def of_persons(given: Iterable[str]) -> list[str]:
    """Return what persons are called, in their order; see `of_person`."""
    found: list[str] = []
    for name in given:
        found.append(of_person(name, found))
    return found


def _numbered(name: str, number: int) -> str:
    """Return a name with a number after it, cut where both would be too long."""
    end = f" {number}"
    return name[: NAME_LENGTH - len(end)].rstrip(" \u200d\ufe0f") + end
