"""Markup of a table's parts, as fragments. Names are escaped here; drawings are markup already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from markupsafe import Markup, escape

from atoll.picture import Drawing, Fact, Region
from atoll.picture.fragments import Fragment, fragment
from atoll.picture.svg_macros import number

from .nearby import qr_code_svg

Say = Callable[..., str]
"""Returns the text for a key and values."""
Tab = tuple[str, str, Markup]
"""Id, label and sign of a part of the table on a phone."""

_SHAPES: Final = (
    '<circle cx="12" cy="12" r="9"/>',
    '<path d="M4 4h16v16H4z"/>',
    '<path d="M12 2 22 21H2z"/>',
    '<path d="M12 1 23 12 12 23 1 12z"/>',
    '<path d="M7 2h10l5 10-5 10H7L2 12z"/>',
    '<path d="M12 1l3.200 7.600 8.300.700-6.300 5.400 1.900 8L12 18.400 4.900 22.700l1.900-8L.500 9.300l8.300-.700z"/>',
)
"""One shape per seat, in addition to its color."""


def seat_mark(seat: int) -> Markup:
    """Return the sign of a seat: a shape in its color."""
    color = f"seat-{seat % len(_SHAPES)}"
    return Markup(  # noqa: S704 - no user data in it
        f'<svg class="mark {color}" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">'
        f"{_SHAPES[seat % len(_SHAPES)]}</svg>"
    )


# -- regions ---------------------------------------------------------------------------------------


def _svg(of: Drawing, flow: str) -> tuple[str, str]:
    """Return the id and the other attributes of a drawing."""
    sliced = ' preserveAspectRatio="xMinYMin slice"' if flow == "fan" else ""
    width, height = number(of.width), number(of.height)
    size = ' width="100%"' if flow == "fit" else f' width="{width}" height="{height}"'
    name = f' role="group" aria-label="{escape(of.name)}"' if of.name else ""
    return f"drawing-{of.id}", f'class="drawing" viewBox="0 0 {width} {height}"{sliced}{size}{name}'


@fragment
def _drawing(of: Drawing, flow: str) -> Fragment:
    id, attributes = _svg(of, flow)
    return Fragment("svg", id, attributes, of.parts or (of.markup,))


@fragment
def _fact(of: Fact, chip: bool) -> Fragment:
    tells = chip or of.choice or of.help
    label, value = escape(of.label), escape(of.value)
    attributes = f'class="fact{" element" if tells else ""}{" chip" if chip and of.symbol else ""}"'
    if tells:
        attributes += f' role="img" aria-label="{label}: {value}"'
    if of.choice:
        attributes += f' data-choice="{escape(of.choice)}"'
    if of.help:
        attributes += f' data-help="{escape(of.help)}"'
    symbol = f'<svg class="symbol" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">{of.symbol}</svg>'
    counted = f' data-value="{number(of.number)}" data-label="{label}"' if of.number is not None else ""
    words = f'<span class="fact-label">{label}</span> <b class="fact-value"{counted}>{value}</b>'
    return Fragment("div", of.id, attributes, (f"{symbol if of.symbol else ''}{words}",))


def _facts(region: Region, *, chip: bool) -> list[str | Fragment]:
    if not region.facts:
        return []
    return ['<div class="facts">', *(_fact(each, chip) for each in region.facts), "</div>"]


def _drawings(region: Region, *, apart: bool = False) -> list[str | Fragment]:
    """Return the drawings of a region.

    Args:
        region: The region.
        apart: Whether a single drawing is its own fragment. Elsewhere it is nearly all of its
            region.
    """
    if not region.drawings:
        return []
    before = f'<div class="drawings {region.flow}">'
    if apart or len(region.drawings) > 1:
        return [before, *(_drawing(each, region.flow) for each in region.drawings), "</div>"]
    (drawing,) = region.drawings
    id, attributes = _svg(drawing, region.flow)
    return [f'{before}<svg id="{id}" {attributes}>', *(drawing.parts or (drawing.markup,)), "</svg></div>"]


@fragment
def area(region: Region, tabs: str) -> Fragment:
    """Return an area of the scene."""
    title = escape(region.title)
    attributes = f'class="region role-{region.role}" data-tabs="{escape(tabs)}" aria-label="{title}"'
    inner = [f"<h2>{title}</h2>", *_facts(region, chip=False), *_drawings(region)]
    return Fragment("section", f"region-{region.id}", attributes, inner)


@fragment
def goods(hands: tuple[Region, ...]) -> Fragment:
    """Return the goods of the viewer: the facts of all hands."""
    return Fragment("div", "page-goods", 'class="goods"', [part for each in hands for part in _facts(each, chip=True)])


@fragment
def hand(region: Region, tabs: str) -> Fragment:
    """Return the cards of the viewer in the dock."""
    title = escape(region.title)
    attributes = f'class="region role-hand" data-tabs="{escape(f"{tabs} mine".strip())}" aria-label="{title}"'
    return Fragment("section", f"region-{region.id}", attributes, [f"<h2>{title}</h2>", *_drawings(region)])


@fragment
def belongings(region: Region) -> Fragment:
    """Return the possessions in front of a seat."""
    title = f"<h3>{escape(region.title)}</h3>" if region.title else ""
    inner = [title, *_facts(region, chip=True), *_drawings(region, apart=True)]
    return Fragment("div", f"region-{region.id}", 'class="belongings"', inner)


@fragment
def seat(
    number: int, name: str, css: str, notes: tuple[tuple[str, str], ...], regions: tuple[Region, ...], mark: str = ""
) -> Fragment:
    """Return a seat with its possessions.

    Args:
        number: The seat.
        name: Its name.
        css: Its CSS classes.
        notes: Notes next to its name, each with a CSS class (or "") and a text.
        regions: Its possessions.
        mark: Mark after its name, or "".
    """
    notes_markup = " ".join(
        f'<span class="note{f" {kind}" if kind else ""}">{escape(words)}</span>' for kind, words in notes
    )
    safe_name = escape(name)
    heading = (
        f'{seat_mark(number)}<span class="seat-name"{marked(mark)}>{safe_name}</span> '
        f'<span class="seat-notes">{notes_markup}</span>'
    )
    inner: list[str | Fragment] = [f"<h2>{heading}</h2>", *map(belongings, regions)]
    return Fragment("section", f"seat-{number}", f'class="{css}" aria-label="{safe_name}"', inner)


def marked(mark: str) -> str:
    """Return the attribute of an element after whose text the style sheet shows a mark."""
    return f' data-mark="{escape(mark)}"' if mark else ""


@fragment
def dialog(region: Region, close: str) -> Fragment:
    """Return a dialog. `close` is the label of its button."""
    title = escape(region.title)
    attributes = (
        f'class="game-dialog" data-opens="{escape(" ".join(region.opens))}" data-title="{title}" aria-label="{title}"'
    )
    heading = (
        f'<header><h2>{title}</h2><button type="button" class="close" data-close>{escape(close)}</button></header>'
    )
    inner = [heading, *_facts(region, chip=False), *_drawings(region), '<div class="dialog-rest" data-rest></div>']
    return Fragment("dialog", f"dialog-{region.id}", attributes, inner)


# -- around the regions ----------------------------------------------------------------------------


def radio(name: str, id: str, label: str, *, checked: bool, value: str = "", data: str = "") -> str:
    """Return a radio button and its label.

    Args:
        name: Name of the group.
        id: Part of the id that distinguishes this button.
        label: Label, as markup.
        checked: Whether it is selected.
        value: Its value.
        data: Further attributes of the label, as markup that starts with a space.
    """
    attribute = f' value="{value}"' if value else ""
    return (
        f'<input type="radio" name="{name}" id="{name}-{id}" class="unseen"{attribute}{" checked" if checked else ""}>'
        f'<label for="{name}-{id}"{data}>{label}</label>'
    )


@fragment
def tabs(label: str, parts: tuple[Tab, ...]) -> Fragment:
    """Return the tabs of the table on a phone."""
    found = [f'<legend class="unseen">{escape(label)}</legend>']
    for place, (id, name, sign) in enumerate(parts):
        drawn_sign = f'<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">{sign}</svg>'
        content = f"{drawn_sign}<span>{escape(name)}</span>"
        found.append(radio("tab", id, content, checked=not place, value=id, data=f' data-tab="{id}"'))
    return Fragment("fieldset", "page-tabs", 'class="tabs"', found)


def code_of(say: Say, address: str, *, nearby: bool) -> Markup:
    """Return the content of a QR code's element.

    Args:
        say: Returns texts of the site.
        address: The address.
        nearby: Whether only devices in the same network can open it.
    """
    svg, caption = qr_code_svg(address, say("code.title")), say("code.scan_nearby" if nearby else "code.scan")
    return Markup(f'{svg}<figcaption class="small">{escape(caption)}</figcaption>')  # noqa: S704 - an SVG


@fragment
def code(say: Say, address: str, nearby: bool) -> Fragment:
    """Return the QR code of an address.

    Args:
        say: Returns texts of the site.
        address: The address.
        nearby: Whether only devices in the same network can open it.
    """
    return Fragment("figure", "page-code", 'class="code"', (code_of(say, address, nearby=nearby),))
