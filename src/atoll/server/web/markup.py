"""Markup of a table's parts, as fragments. The names in it are escaped here; drawings are markup already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from markupsafe import Markup, escape

from atoll.picture import Drawing, Fact, Region
from atoll.picture.brush import number
from atoll.picture.fragments import Fragment, fragment

from ..model import LogEntry, Message
from ..names import bdi
from ..nearby import drawn
from . import texts
from .links import linked
from .told import lines

Say = Callable[..., str]
Tab = tuple[str, str, Markup]
"""The id, the label and the sign of a part of the table on a phone."""

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
    return Markup(  # noqa: S704 - nothing in it comes from people
        f'<svg class="mark {color}" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">'
        f"{_SHAPES[seat % len(_SHAPES)]}</svg>"
    )


# -- regions -------------------------------------------------------------------------------------------------------


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
        apart: Whether a single drawing is a fragment of its own. Elsewhere it is nearly all of its region.
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
    """Return the possessions that lie before a seat."""
    title = f"<h3>{escape(region.title)}</h3>" if region.title else ""
    inner = [title, *_facts(region, chip=True), *_drawings(region, apart=True)]
    return Fragment("div", f"region-{region.id}", 'class="belongings"', inner)


@fragment
def seat(number: int, name: str, css: str, notes: tuple[tuple[str, str], ...], regions: tuple[Region, ...]) -> Fragment:
    """Return a seat with its possessions.

    Args:
        number: The seat.
        name: Its name.
        css: Its classes.
        notes: Notes next to its name, each with a class ("" for none) and words.
        regions: Its possessions.
    """
    told = " ".join(f'<span class="note{f" {kind}" if kind else ""}">{escape(words)}</span>' for kind, words in notes)
    shown = escape(name)
    heading = f'{seat_mark(number)}<span class="seat-name">{shown}</span> <span class="seat-notes">{told}</span>'
    inner: list[str | Fragment] = [f"<h2>{heading}</h2>", *map(belongings, regions)]
    return Fragment("section", f"seat-{number}", f'class="{css}" aria-label="{shown}"', inner)


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


# -- around them ---------------------------------------------------------------------------------------------------


def _radio(name: str, id: str, label: str, *, checked: bool, value: str = "", data: str = "") -> str:
    given = f' value="{value}"' if value else ""
    return (
        f'<input type="radio" name="{name}" id="{name}-{id}" class="unseen"{given}{" checked" if checked else ""}>'
        f'<label for="{name}-{id}"{data}>{label}</label>'
    )


@fragment
def tabs(label: str, parts: tuple[Tab, ...]) -> Fragment:
    """Return the tabs of the table on a phone."""
    found = [f'<legend class="unseen">{escape(label)}</legend>']
    for place, (id, name, sign) in enumerate(parts):
        drawn_sign = f'<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">{sign}</svg>'
        shown = f"{drawn_sign}<span>{escape(name)}</span>"
        found.append(_radio("tab", id, shown, checked=not place, value=id, data=f' data-tab="{id}"'))
    return Fragment("fieldset", "page-tabs", 'class="tabs"', found)


@fragment
def papers(say: Say, coached: bool, begun: bool) -> Fragment:
    """Return the tabs of the papers next to the table.

    Args:
        say: The texts of the site.
        coached: Whether there is a coach.
        begun: Whether there is a log.
    """
    there = [("coach", "coach.title")] if coached else []
    there += [("log", "tabs.log")] if begun else []
    there += [("chat", "chat.title"), ("about", "more.title")]
    inner = [f'<legend class="unseen">{escape(say("papers.label"))}</legend>']
    inner += [_radio("paper", id, str(escape(say(key))), checked=not place) for place, (id, key) in enumerate(there)]
    return Fragment("fieldset", "page-papers", 'class="papers"', inner)


def code_of(say: Say, address: str) -> Markup:
    """Return the content of a QR code's element."""
    svg = drawn(address, say("code.title"))
    return Markup(f'{svg}<figcaption class="small">{escape(say("code.scan"))}</figcaption>')  # noqa: S704 - an SVG


@fragment
def code(say: Say, address: str) -> Fragment:
    """Return the QR code of an address."""
    return Fragment("figure", "page-code", 'class="code"', (code_of(say, address),))


# -- log and chat --------------------------------------------------------------------------------------------------

_RUN: Final = 16
"""The number of lines or messages in one fragment."""


@fragment
def _line(words: texts.GameTexts, site: texts.Texts, before: str, after: str, entry: LogEntry) -> Markup:
    (line,) = lines((entry,), words, site)
    undone = " undone" if line.undone else ""
    names = f' data-names="{escape(" ".join(line.names))}"' if line.names else ""
    opening = f'<li id="log-{line.number}" class="{line.origin}{undone}" data-at="{line.at}"{names}>'
    said = escape(line.words)
    linked_ = f'<a href="{escape(before)}{line.at}{escape(after)}">{said}</a>'
    return Markup(f"{opening}{f'<s>{said}</s>' if line.undone else linked_}</li>")  # noqa: S704 - escaped above


@fragment
def _lines(
    words: texts.GameTexts, site: texts.Texts, before: str, after: str, start: int, entries: tuple[LogEntry, ...]
) -> Fragment:
    told = [_line(words, site, before, after, each) for each in reversed(entries)]
    return Fragment("ol", f"log-from-{start}", "", told)


def log(
    entries: Sequence[LogEntry], words: texts.GameTexts, site: texts.Texts, before: str, after: str
) -> list[Fragment]:
    """Return the lines of a log, the newest first.

    Args:
        entries: All entries that the reader may know, the oldest first.
        words: The texts of the game.
        site: The texts of the site.
        before: The address of a line's replay up to its moment.
        after: The rest of that address.
    """
    starts = range((len(entries) - 1) // _RUN * _RUN, -1, -_RUN)
    return [_lines(words, site, before, after, at, tuple(entries[at : at + _RUN])) for at in starts]


@fragment
def _messages(start: int, messages: tuple[Message, ...]) -> Fragment:
    said = [
        f'<li id="chat-{each.number}"{" class=mine" if each.mine else ""}><b>{bdi(each.name)}</b>'
        f" {bdi(linked(each.text))}</li>"
        for each in messages
    ]
    return Fragment("ol", f"chat-from-{start}", "", said)


def chat(messages: Sequence[Message]) -> list[Fragment]:
    """Return the messages of a table, the oldest first."""
    return [_messages(at, tuple(messages[at : at + _RUN])) for at in range(0, len(messages), _RUN)]
