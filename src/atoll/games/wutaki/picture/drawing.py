"""The templates of Wutaki, and lines of texts and signs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, TypedDict

from markupsafe import Markup

from atoll.picture import SignForm, SignLines, SvgMacros, fragment
from atoll.picture.svg_macros import text_width

from ..signs import Sign

draw = SvgMacros("atoll.games.wutaki")
_WORKER: Final = SignForm(40, css="nobody")
_LINES: Final = SignLines(
    "wutaki",
    SignForm(40),
    dict.fromkeys(("loyal", "extra", "special"), _WORKER),
    css="num",
    centered=False,
    stretch=1.04,
    squeezes=True,
)


class _Measures(TypedDict):
    """The measures that a line of signs takes."""

    size: float
    scale: float
    gaps: tuple[float, float]


def in_row(
    signs: Iterable[Sign], x: float, y: float, size: float, *, width: float = math.inf, middle: bool = False
) -> Markup:
    """Draw a row of texts and signs.

    Args:
        signs: The texts and signs, from left to right.
        x: The beginning of the row, or with `middle` its center.
        y: The middle of its height.
        size: The size of the font.
        width: The room. A wider row is squeezed.
        middle: Whether `x` is the middle of the row.

    Returns:
        The markup.
    """
    return _LINES.draw(_parts(signs), x, y, **_measures(size), room=width, start=not middle)


def row_width(signs: Iterable[Sign], size: float) -> float:
    """Return the width of a row with room enough."""
    return _LINES.width(_parts(signs), **_measures(size))


def _parts(signs: Iterable[Sign]) -> list[str]:
    """Return the texts and signs as `SignLines` takes them."""
    return [part for text, sign in signs for part in (text, sign and f"#{sign}") if part]


def _measures(size: float) -> _Measures:
    """Return the measures of a row.

    A sign is a little higher than the texts and belongs to the one before it.
    """
    return {"size": size, "scale": size * 0.031, "gaps": (1, size * 0.2)}


def squeezed(text: str, width: float, size: float) -> dict[str, Any]:
    """Return a text with a note whether it has to be squeezed into this width.

    Args:
        text: The text.
        width: The width.
        size: The size of the font.
    """
    return {"text": text, "squeezed": text_width(text, size) * 1.04 > width}


@fragment
def sign_of(sign: str) -> Markup:
    """Return a sign alone, for facts."""
    return draw("sign", sign=sign)


@fragment
def marked_sign_of(resource: str) -> Markup:
    """Return the sign of a resource with the cost marker on it."""
    return draw("marked_sign", sign=resource)
