"""Names and choices of the elements of a picture, read from its markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .region import Region

_ELEMENT: Final = re.compile(r'<[a-z]+ [^<>]*\bclass="element\b[^<>]*>')
_ATTRIBUTE: Final = re.compile(r'\s(id|aria-label|data-choice|data-value)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a picture.

    Attributes:
        id: Its id.
        name: Its name for people.
        choice: Pattern of the choices that it represents; "" for none.
        region: Id of the region that it is in.
        number: Its value; None if it has none.
    """

    id: str
    name: str
    choice: str
    region: str
    number: float | None


def elements(regions: Iterable[Region]) -> dict[str, Element]:
    """Return all elements and facts of a picture by id, in reading order."""
    found: dict[str, Element] = {}
    for region in regions:
        for fact in region.facts:
            found[fact.id] = Element(fact.id, f"{fact.label}: {fact.value}", fact.choice, region.id, fact.number)
        for drawing in region.drawings:
            for tag in _ELEMENT.findall(drawing.markup):
                said = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(tag)}
                id, name, choice = said["id"], said.get("aria-label", ""), said.get("data-choice", "")
                number = float(said["data-value"]) if "data-value" in said else None
                found[id] = Element(id, name, choice, region.id, number)
    return found
