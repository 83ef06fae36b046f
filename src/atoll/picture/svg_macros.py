"""A game's own SVG templates: a set of Jinja macros in its `picture.svg.jinja`."""

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
"""What the page says of an element by a class: a game's own element can't have it."""
_AVERAGE_GLYPH: Final = 0.54
_NARROW: Final = frozenset("fijlrtI.,:;'!|() ")
_WIDE: Final = frozenset("mwMWGOQ%@—")


def number(value: float) -> str:
    """A coordinate as short as it can be: 12.0 -> 12, 0.33333 -> 0.33."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def signed(value: int) -> str:
    """A number with its sign, with a true minus: +3, −2, 0."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a font of this size; rather too wide than too narrow."""
    return size * sum(0.34 if c in _NARROW else 0.86 if c in _WIDE else _AVERAGE_GLYPH for c in text)


def wrap(text: str, width: float, size: float) -> list[str]:
    """A text broken into lines of at most this width in a font of this size."""
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
    """A text that is at most this wide in a font of this size; what is too long ends in an ellipsis."""
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
    """The attributes that make a group of the drawing known to the page.

    id: unique on the page, the same for the same thing in every view. name: what it is, for screen readers and hints.
    choice: the choices it stands for, by text; `*` is any part; several are separated by `;`. help: one more sentence.
    piece: an identity that is followed when it moves. value: a number whose change is shown. css: its own classes.
    Raises ValueError if one of these is in PAGE_CLASSES.
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
    return Markup(markup)  # noqa: S704 - all that was given is escaped


class SvgMacros:
    """Draws with the macros of one template. Macros get autoescaping, and an undefined name is an error.

    In templates: `element(...)` for attributes, the filters `n` (a coordinate), `signed` (+3), `wrap(width, size)`
    (a text in lines), `shorten(width, size)` (a text in one line).
    """

    def __init__(self, package: str, template: str = "picture.svg.jinja") -> None:
        """Make a brush.

        Args:
            package: The package of the template.
            template: Its file.
        """
        environment = templates(package, ".")
        environment.filters |= {"n": number, "signed": signed, "wrap": wrap, "shorten": shorten}
        environment.globals |= {"element": element}
        self._environment: Environment = environment
        self._template: str = template
        self._macro = lru_cache(maxsize=None)(self._found)

    def __call__(self, macro: str, /, **values: Any) -> Markup:
        """Return what a macro draws. Raises AttributeError if the template has no such macro."""
        return Markup(self._macro(macro)(**values))  # noqa: S704 - macros escape what they insert

    def _found(self, macro: str) -> Macro:
        found = getattr(self._environment.get_template(self._template).module, macro)
        assert isinstance(found, Macro)
        return found
