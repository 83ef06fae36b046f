"""The templates of Wutaki, and texts and signs in a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from atoll.picture import Brush, fragment
from atoll.picture.brush import text_width

from ..signs import Sign

draw = Brush("atoll.games.wutaki")


def in_row(
    signs: Iterable[Sign], x: float, y: float, size: float = 15, *, width: float = 0, anchor: str = "start"
) -> dict[str, Any]:
    """Return a row of texts and signs.

    Args:
        signs: The texts and signs, from left to right.
        x: Where the row begins, has its middle or ends; see `anchor`.
        y: The middle of its height.
        size: The size of the font.
        width: The room. A wider row is squeezed. 0: there is room for any row.
        anchor: "start", "middle" or "end".
    """
    scale = size * 0.031
    parts, at = in_line(signs, size)
    squeeze = min(1.0, width / at) if width and at else 1.0
    begin = x - at * squeeze * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    for part in parts:
        part["x"] = begin + part["x"] * squeeze
        part["width"] = part.get("wide", 0) * squeeze if squeeze < 1 else 0
    return {"parts": parts, "y": y, "base": y + size * 0.36, "size": size, "scale": scale * max(squeeze, 0.8)}


def in_line(signs: Iterable[Sign], size: float) -> tuple[list[dict[str, Any]], float]:
    """Return texts and signs next to each other, from 0 on, and the place of the next one."""
    scale = size * 0.031
    parts: list[dict[str, Any]] = []
    at = 0.0
    for text, sign in signs:
        if text:
            wide = text_width(text, size) * 1.04
            parts.append({"x": at, "text": text, "wide": wide})
            at += wide + 1
        if sign:
            parts.append({"x": at + 20 * scale, "text": "", "sign": sign})
            at += 40 * scale + size * 0.2
    return parts, at


def squeezed(text: str, width: float, size: float) -> dict[str, Any]:
    """Return a text with a note whether it has to be squeezed into this width."""
    return {"text": text, "squeezed": text_width(text, size) * 1.04 > width}


@fragment
def sign_of(sign: str) -> Markup:
    """Return a sign alone, as facts have it."""
    return draw("sign", sign=sign)


@fragment
def marked_sign_of(resource: str) -> Markup:
    """Return the sign of a resource with the cost marker on it."""
    return draw("marked_sign", sign=resource)
