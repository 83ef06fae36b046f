"""Drawing with the Jinja macros of a game's `picture.svg.jinja`, and helpers for SVG."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from jinja2 import Environment
from jinja2.runtime import Macro
from markupsafe import Markup, escape

from .templates import templates

PAGE_CLASSES: Final = frozenset(
    (
        *("advised", "arriving", "changed", "element", "fresh", "leaving", "legal", "lit"),
        *("picked", "since", "spot", "unsure", "would-change"),
    )
)
"""Classes by which the page marks elements; games can't use them."""
_AVERAGE_GLYPH: Final = 0.54
_NARROW: Final = frozenset("fijlrtI.,:;'!|() ")
_WIDE: Final = frozenset("mwMWGOQ%@—")


def number(value: float) -> str:
    """Return a coordinate in its shortest form: 12.0 becomes 12, 0.33333 becomes 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def signed(value: int) -> str:
    """Return an integer with its sign and a true minus: +3, −2, 0."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text at a font size; rather too large than too small."""
    return size * sum(0.34 if c in _NARROW else 0.86 if c in _WIDE else _AVERAGE_GLYPH for c in text)


def wrap(text: str, width: float, size: float) -> list[str]:
    """Break a text into lines.

    Args:
        text: The text.
        width: Maximum width of a line.
        size: Font size.

    Returns:
        The lines; a single word may be wider than the maximum.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def shorten(text: str, width: float, size: float) -> str:
    """Return a text that fits a width; a longer text is cut and ends with an ellipsis.

    Args:
        text: The text.
        width: Maximum width.
        size: Font size.
    """
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def element(
    id: str,
    name: str,
    *,
    choice: str = "",
    help: str = "",
    piece: str = "",
    value: int | None = None,
    css: str = "",
) -> Markup:
    """Return the attributes that make a group of a drawing an element of the page.

    Args:
        id: Id, unique on the page and the same for the same thing in every view.
        name: Name for screen readers and hints.
        choice: Patterns of the choices that the element represents, separated by `;`. `*` stands
            for any part.
        help: One sentence of explanation; "" for none.
        piece: Identity of a piece that is animated when it moves; "" for none.
        value: A number whose change is shown; None for none.
        css: Classes of the game, separated by spaces.

    Raises:
        ValueError: If one of the classes is in `PAGE_CLASSES`.
    """
    for own in css.split():
        if own in PAGE_CLASSES:
            taken = ", ".join(sorted(PAGE_CLASSES))
            raise ValueError(f"class {own!r} is given by the page; allowed are all but {taken}")
    given = {"data-choice": choice, "data-help": help, "data-piece": piece}
    markup = f'id="{escape(id)}" class="{escape(f"element {css}".strip())}" role="img" aria-label="{escape(name)}"'
    for attribute, said in given.items():
        if said:
            markup += f' {attribute}="{escape(said)}"'
    if value is not None:
        markup += f' data-value="{value:d}"'
    return Markup(markup)  # noqa: S704 - all values are escaped


class SvgMacros:
    """The macros of one template, with autoescaping; an undefined name is an error.

    Templates can use `element(...)` for attributes and the filters `n` (a coordinate), `signed`
    (+3), `wrap(width, size)` (a text in lines) and `shorten(width, size)` (a text in one line).

    Args:
        package: Package of the template.
        template: File name of the template.
    """

    def __init__(self, package: str, template: str = "picture.svg.jinja") -> None:
        environment = templates(package, ".")
        environment.filters |= {"n": number, "signed": signed, "wrap": wrap, "shorten": shorten}
        environment.globals |= {"element": element}
        self._environment: Environment = environment
        self._template: str = template
        self._macro = lru_cache(maxsize=None)(self._found)

    def __call__(self, macro: str, /, **values: Any) -> Markup:
        """Return the markup that a macro draws.

        Args:
            macro: Name of the macro.
            **values: Its arguments.

        Raises:
            AttributeError: If the template has no such macro.
        """
        return Markup(self._macro(macro)(**values))  # noqa: S704 - macros escape what they insert

    def _found(self, macro: str) -> Macro:
        found = getattr(self._environment.get_template(self._template).module, macro)
        assert isinstance(found, Macro)
        return found
