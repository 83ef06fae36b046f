"""Static pictures: a view as one self-contained SVG, for replays, reports and environments."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from .loading import picture_of, style_of
from .region import Drawing, Fact, Region
from .scene import Layout, Rect, Scene
from .svg_macros import number, text_width, wrap

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.translations import GameMessages

THEMES: Final = ("light", "dark")
_WIDEST: Final = 1000
_MARGIN: Final = 24
_GAP: Final = 20
_TITLE: Final = 30
_LINE: Final = 26
_SIDE: Final = 420
_RING: Final = 160  # width of a picture relative to the line around highlighted elements
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_PROPERTY: Final = re.compile(r"(--[a-z0-9-]+)\s*:\s*([^;}]+)[;}]")
_TWO_THEMES: Final = re.compile(r"light-dark\(\s*([^,()]+(?:\([^()]*\))?)\s*,\s*([^,()]+(?:\([^()]*\))?)\s*\)")
_VARIABLE: Final = re.compile(r"var\((--[a-z0-9-]+)\)")


def render_table(
    game: Game, view: Mapping[str, Any], words: GameMessages, *, theme: str = "light", width: int = 1400
) -> str:
    """Return the table of a view as a self-contained SVG.

    Args:
        game: The game.
        view: A view of a position.
        words: Messages of the game.
        theme: `light` or `dark`.
        width: Width in pixels.

    Raises:
        ValueError: If the theme is unknown.
    """
    picture, css = picture_of(game.package), style_of(game.package)
    regions = [
        replace(region, title=": ".join(filter(None, (words.seat(region.seat), region.title))))
        if region.seat is not None
        else region
        for region in picture.regions(game, view, words)
    ]
    scene: Scene | None = getattr(picture, "SCENE", None)
    layout = scene.wide[picture.mode(view) if hasattr(picture, "mode") else ""] if scene is not None else None
    return compose_table(regions, picture.symbols(), css, css_class=game.id, theme=theme, width=width, layout=layout)


def excerpt(
    game: Game,
    view: Mapping[str, Any],
    words: GameMessages,
    show: Sequence[str] = (),
    spot: Sequence[str] = (),
    *,
    theme: str = "light",
    width: int = _WIDEST,
) -> str:
    """Return a part of a table as an SVG for browsers.

    Args:
        game: The game.
        view: A view of a position.
        words: Messages of the game.
        show: Ids of regions, drawn one below the other; empty for the whole scene.
        spot: Ids of elements and facts to highlight.
        theme: `light` or `dark`.
        width: Maximum width in pixels.

    Raises:
        ValueError: If the theme, a region or an element is unknown.
    """
    _check_theme(theme)
    picture, css = picture_of(game.package), style_of(game.package)
    regions = {region.id: region for region in picture.regions(game, view, words)}
    missing = [id for id in show if id not in regions]
    if missing:
        raise ValueError(f"no region {', '.join(missing)}; there are {', '.join(regions)}")
    scene: Scene | None = getattr(picture, "SCENE", None)
    chosen = [regions[id] for id in show]
    if len(chosen) == 1 and len(chosen[0].drawings) == 1 and not chosen[0].facts:
        (drawing,) = chosen[0].drawings
        width, high, inside = round(drawing.width), drawing.height, drawing.markup
    elif chosen or scene is None:
        columns = chosen or [each for each in regions.values() if each.role in ("board", "shared")]
        width = min(width, max(map(_width, columns)) + 2 * _MARGIN)
        inside, high = _column(columns, _MARGIN, width - 2 * _MARGIN)
    else:
        layout = scene.wide[picture.mode(view) if hasattr(picture, "mode") else ""]
        inside, high = _scene(regions.values(), layout, width, 0)
    wide = number(width / _RING)
    ring = f".picture .ringed {{ outline: {wide}px solid var(--spot); outline-offset: -{wide}px; }}"
    ring += " .picture .fact.ringed { outline-offset: 0; }"  # facts have no space inside for the line
    sheet = f"{_shared()}\n{css}\n{ring}\nsvg {{ color-scheme: {theme}; }}"
    return _svg(_ringed(inside, spot), picture.symbols(), sheet, game.id, width, high)


def cover(game: Game) -> str:
    """Return the emblem of a game as an SVG for browsers, in the theme of the page."""
    picture = picture_of(game.package)
    drawn = picture.emblem()
    sheet = f"{_shared()}\n{style_of(game.package)}\nsvg {{ color-scheme: light dark; }}"
    return _svg(drawn.markup, picture.symbols(), sheet, game.id, drawn.width, drawn.height)


def _ringed(markup: Markup, spot: Sequence[str]) -> Markup:
    """Return markup with a class for the highlighted elements.

    Args:
        markup: The drawing.
        spot: Ids of elements and facts to highlight.

    Raises:
        ValueError: If an element is unknown.
    """
    text = str(markup)
    for id in spot:
        text, found = re.subn(rf'( id="{re.escape(id)}"[^>]* class=")', r"\1ringed ", text, count=1)
        if not found:
            raise ValueError(f"no element {id!r} in the picture")
    return Markup(text)  # noqa: S704 - the text was markup


def compose_table(
    regions: Sequence[Region],
    symbols: Markup,
    css: str,
    *,
    css_class: str,
    theme: str = "light",
    width: int = 1400,
    layout: Layout | None = None,
) -> str:
    """Return regions as a self-contained SVG: scene and hands on the left, seats on the right.

    Args:
        regions: Regions of the view.
        symbols: Shared SVG symbols of the game.
        css: Style sheet of the game.
        css_class: Class of the picture, the id of the game.
        theme: `light` or `dark`.
        width: Width in pixels.
        layout: Layout of the scene; None to draw the areas one below the other.

    Raises:
        ValueError: If the theme is unknown.
    """
    left = width - 2 * _MARGIN - _GAP - _SIDE
    scene, top = Markup(""), float(_MARGIN)
    if layout is not None:
        scene, height = _scene(regions, layout, left)
        top += height + _GAP
    below = [r for r in regions if r.role in ("board", "shared", "hand") and (layout is None or r.role == "hand")]
    column, main_height = _column(below, _MARGIN, left, top)
    main = scene + column
    side, side_height = _column([r for r in regions if r.role == "seat"], _MARGIN + left + _GAP, _SIDE)
    height = max(main_height, side_height)
    _check_theme(theme)
    return _svg(main + side, symbols, resolve_css_variables(f"{_shared()}\n{css}", theme), css_class, width, height)


def _check_theme(theme: str) -> None:
    if theme not in THEMES:
        raise ValueError(f"invalid theme {theme!r}: expected {', '.join(THEMES)}")


def _shared() -> str:
    """Return the style sheet that all tables share."""
    return importlib.resources.files(__package__).joinpath("picture.css").read_text("utf-8")


def _svg(inside: Markup, symbols: Markup, css: str, css_class: str, width: float, height: float) -> str:
    """Return a self-contained picture."""
    sheet = Markup(css)  # noqa: S704 - a trusted style sheet
    picture = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="picture table {0}" viewBox="0 0 {1} {2}" width="{1}" '
        'height="{2}"><style>{3}</style>{4}<rect class="ground" width="{1}" height="{2}"/>{5}</svg>'
    )
    return str(picture.format(css_class, number(width), number(height), sheet, symbols, inside))


def resolve_css_variables(css: str, theme: str) -> str:
    """Return a style sheet without variables and themes, for SVG renderers other than browsers."""
    css = _COMMENT.sub("", css)
    which = 1 + THEMES.index(theme)
    css = _TWO_THEMES.sub(lambda found: found.group(which).strip(), css)
    values = {name: value.strip() for name, value in _PROPERTY.findall(css)}

    def value_of(found: re.Match[str]) -> str:
        """Return the value of a variable, with variables in it resolved; `none` if it isn't set."""
        return _VARIABLE.sub(value_of, values.get(found.group(1), "none"))

    return _VARIABLE.sub(value_of, _PROPERTY.sub(lambda found: found.group(0)[-1].replace(";", ""), css))


def _scene(regions: Iterable[Region], layout: Layout, width: float, margin: float = _MARGIN) -> tuple[Markup, float]:
    """Return the markup of the areas of a layout above its ground, and its height."""
    height = width * layout.height / layout.width
    parts = [Markup('<use href="#{}" width="{}" height="{}"/>').format(layout.ground, layout.width, layout.height)]
    for region in regions:
        if region.id not in layout.rects or region.role not in ("board", "shared"):
            continue
        cells = _cells(region.drawings, layout.rects[region.id])
        parts += [
            Markup('<svg x="{}" y="{}" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>').format(
                *map(number, cell), drawing.width, drawing.height, drawing.markup
            )
            for cell, drawing in zip(cells, region.drawings, strict=True)
        ]
    if not layout.ground:
        del parts[0]
    inside = Markup("").join(parts)
    return Markup('<svg x="{0}" y="{0}" width="{1}" height="{2}" viewBox="0 0 {3} {4}">{5}</svg>').format(
        number(margin), number(width), number(height), number(layout.width), number(layout.height), inside
    ), height


def _cells(drawings: Sequence[Drawing], area: Rect) -> list[Rect]:
    """Return the parts of a rectangle for its drawings, which become as large as possible."""
    count = len(drawings)
    if not count:
        return []
    x, y, width, height = area
    wide, high = max(each.width for each in drawings), max(each.height for each in drawings)

    def scale(columns: int) -> float:
        """Return the scale of the drawings in a number of columns."""
        return min(width / columns / wide, height / -(-count // columns) / high)

    columns = max(range(1, count + 1), key=scale)
    across, down = width / columns, height / -(-count // columns)
    return [(x + at % columns * across, y + at // columns * down, across, down) for at in range(count)]


def _column(regions: Iterable[Region], x: float, width: float, y: float = _MARGIN) -> tuple[Markup, float]:
    """Return the markup of regions one below the other, and the bottom of the column."""
    parts: list[Markup] = []
    for region in regions:
        parts.append(
            Markup('<text class="title" x="{}" y="{}">{}</text>').format(number(x), number(y + 18), region.title)
        )
        y += _TITLE
        for fact in region.facts:
            parts.append(_fact(fact, x, y, width))
            y += _LINE
        drawn, height = _drawings(region, x, y, width)
        parts.append(drawn)
        y += height + _GAP
    return Markup("").join(parts), y - _GAP + _MARGIN


def _fact(fact: Fact, x: float, y: float, width: float) -> Markup:
    label = wrap(fact.label, width - 60 - text_width(fact.value, 16), 16)[0]
    return Markup(
        '<g id="{8}" class="fact"><rect x="{9}" y="{1}" width="{10}" height="20" fill="none"/>'
        '<svg x="{0}" y="{1}" width="20" height="20" viewBox="0 0 24 24">{2}</svg>'
        '<text class="label" x="{3}" y="{4}">{5}</text><text class="value" x="{6}" y="{4}">{7}</text></g>'
    ).format(
        number(x),
        number(y),
        fact.symbol,
        number(x + 28),
        number(y + 16),
        label,
        number(x + width),
        fact.value,
        fact.id,
        number(x - 6),
        number(width + 12),
    )


def _drawings(region: Region, x: float, y: float, width: float) -> tuple[Markup, float]:
    """Return the markup of a region's drawings in lines, and their height."""
    parts: list[Markup] = []
    left, top, line = x, y, 0.0
    for drawing in region.drawings:
        scale = _scale(region, drawing, width)
        wide, high = drawing.width * scale, drawing.height * scale
        if left > x and left + wide > x + width:
            left, top, line = x, top + line + 8, 0.0
        parts.append(
            Markup('<svg x="{}" y="{}" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>').format(
                number(left), number(top), number(wide), number(high), drawing.width, drawing.height, drawing.markup
            )
        )
        left += wide + 8
        line = max(line, high)
    return Markup("").join(parts), top + line - y


def _width(region: Region) -> int:
    """Return the width of a region with all its drawings in one line."""
    drawn = round(sum(drawing.width + 8 for drawing in region.drawings) - 8)
    return max(drawn, _SIDE) if region.facts or not region.drawings else drawn


def _scale(region: Region, drawing: Drawing, width: float) -> float:
    if region.flow == "fit":
        return width / drawing.width
    return min(1.0, width / drawing.width)
