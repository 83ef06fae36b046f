"""What the elements of a picture are called and which choices they stand for, read from what was drawn."""

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
    """A thing of the picture.

    id, name, choice: as in `element`. region: the id of the region it stands in. number: its value, if it has one.
    """

    id: str
    name: str
    choice: str
    region: str
    number: float | None


def elements(regions: Iterable[Region]) -> dict[str, Element]:
    """All elements and facts of a picture by their ids, in reading order."""
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
