"""What the elements of a picture are called and which choices they stand for, read from what was drawn."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from .region import Region

_ELEMENT: Final = re.compile(r'<[^<>]*\bid="([^"]+)" class="element[^<>]*>')
_ATTRIBUTE: Final = re.compile(r'\b(aria-label|data-choice|data-value)="([^"]*)"')


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
            for tag in _ELEMENT.finditer(drawing.markup):
                said = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(tag[0])}
                number = float(said["data-value"]) if "data-value" in said else None
                name, choice = said.get("aria-label", ""), said.get("data-choice", "")
                found[tag[1]] = Element(tag[1], name, choice, region.id, number)
    return found


def spotlit(regions: Iterable[Region], marks: Mapping[str, str]) -> list[Region]:
    """The same picture with `data-spot` on some elements, by their ids: what CSS draws a ring around.

    A fact gets its mark from the page's template.
    """
    found = []
    for region in regions:
        drawings = [
            replace(drawing, markup=Markup(_ELEMENT.sub(lambda tag: _marked(tag, marks), drawing.markup)))  # noqa: S704
            for drawing in region.drawings
        ]
        found.append(replace(region, drawings=drawings))
    return found


def _marked(tag: re.Match[str], marks: Mapping[str, str]) -> str:
    mark = marks.get(tag[1])
    return tag[0] if mark is None else f'{tag[0][:-1]} data-spot="{mark}">'
