"""Names of people: distinct at a table, and isolated from the direction of the text around them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Final

from markupsafe import Markup

from .sanitize import NAME_LENGTH, shows_nothing
from .skeleton import skeleton

_LABEL: Final = re.compile(r"(?:bot|seat|platz):?\d+|deletedaccount|gelöschteskonto")
"""Labels of seats without a person's name, in the form of `key`; people can't use them as names."""


_RIGHT_TO_LEFT: Final = frozenset(("R", "AL", "AN"))
"""Bidirectional classes that change the direction of the text around them."""

_CONTROLS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def isolated(text: str) -> str:
    """Return a text in Unicode isolates if it is written from right to left.

    The pages and messages of this site are written from left to right. An isolated text doesn't
    change their direction.
    """
    if text.isascii():
        return text
    plain = _CONTROLS.sub("", text)
    return f"\u2068{plain}\u2069" if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in plain) else plain


def bdi(text: str) -> Markup:
    """Return a text in a `bdi` element, which isolates its direction."""
    return Markup("<bdi>{}</bdi>").format(text)


def key(name: str) -> str:
    """Return the same text for names that look alike up to case, spaces and hidden characters."""
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(each for each in letters if not shows_nothing(each))


def is_label(name: str) -> bool:
    """Return whether a name looks like a label of a seat without a person's name."""
    return _LABEL.fullmatch(key(name)) is not None


def distinct(name: str, others: Iterable[str]) -> str:
    """Return a name with the first free number, or unchanged if no other name looks like it."""
    used = {skeleton(each) for each in others}
    if skeleton(name) not in used:
        return name
    numbered = (_numbered(name, number) for number in count(2))
    return next(each for each in numbered if skeleton(each) not in used)


def name_among(name: str, others: Iterable[str]) -> str:
    """Return a person's name among others: distinct, and never a label."""
    return distinct(name, [*others, name] if is_label(name) else others)


def distinct_names(given: Iterable[str]) -> list[str]:
    """Return the names of several people in order, as `name_among` does for one."""
    found: list[str] = []
    for name in given:
        found.append(name_among(name, found))
    return found


def _numbered(name: str, number: int) -> str:
    """Return a name with a number appended, shortened if the result would be too long."""
    end = f" {number}"
    return name[: NAME_LENGTH - len(end)].rstrip(" \u200d\ufe0f") + end
