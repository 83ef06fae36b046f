"""Lines of signs and short texts in drawings, such as "2 coconuts" on a card."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup, escape

from .svg_macros import number, text_width

_MIDDLE: Final = 0.36
"""Distance from the middle of a text to its baseline, as a fraction of the font size."""
_SMALLEST_SIGN: Final = 0.8
"""Minimum scale of signs in a squeezed line, regardless of its width."""


@dataclass(frozen=True, slots=True)
class SignForm:
    """The form of a symbol in a line, in units of the symbol.

    Attributes:
        width: Its width.
        scale: Its scale relative to the other signs.
        down: Offset below the middle of the line.
        css: Its class; "" for none.
    """

    width: float
    scale: float = 1.0
    down: float = 0.0
    css: str = ""


@dataclass(frozen=True, slots=True)
class SignLines:
    """The style of a game's lines of signs.

    A line is a sequence of parts. `#wood` is the game's symbol with the id `<game>-wood`; other
    parts are texts.

    Attributes:
        game: Id of the game.
        sign: Form of the signs.
        others: Forms of signs that differ, by name.
        css: Class of texts; its style sets the font, except for the size.
        centered: Whether that style sets `text-anchor: middle`.
        hidden: Whether screen readers skip the texts, because the surrounding element has the same
            name.
        stretch: Width of texts relative to `text_width`.
        squeezes: Whether a line that is too long retains its height and is squeezed. Otherwise it
            is scaled down.
    """

    game: str
    sign: SignForm
    others: Mapping[str, SignForm] = field(default_factory=dict)
    css: str = ""
    centered: bool = True
    hidden: bool = False
    stretch: float = 1.0
    squeezes: bool = False

    def draw(
        self,
        parts: Sequence[str],
        x: float,
        y: float,
        *,
        size: float,
        scale: float,
        gaps: tuple[float, float],
        room: float = math.inf,
        start: bool = False,
        css: str = "",
    ) -> Markup:
        """Draw a line.

        Args:
            parts: Signs (`#wood`) and texts, from left to right.
            x: Middle of the line; its left end with `start`.
            y: Middle of its height.
            size: Font size of the texts.
            scale: Scale of the signs.
            gaps: Gaps after a text and after a sign.
            room: Maximum width of the line.
            start: Whether the line begins at `x`.
            css: Additional class of the texts; "" for none.

        Returns:
            The markup.
        """
        width = self.width(parts, size=size, scale=scale, gaps=gaps)
        fit = min(1.0, room / width) if width else 1.0
        left = x if start else x - width * fit / 2
        squeezed = self.squeezes and fit < 1
        font = size if squeezed else size * fit
        signs = scale * (max(fit, _SMALLEST_SIGN) if squeezed else fit)
        markup = []
        for part in parts:
            room_of_part = self._width(part, size, scale) * fit
            if part.startswith("#"):
                markup.append(self._sign(part[1:], left + room_of_part / 2, y, signs))
            else:
                at = left + room_of_part / 2 if self.centered else left
                markup.append(self._text(part, at, y + font * _MIDDLE, font, room_of_part if squeezed else None, css))
            left += room_of_part + gaps[part.startswith("#")] * fit
        return Markup().join(markup)

    def width(self, parts: Sequence[str], *, size: float, scale: float, gaps: tuple[float, float]) -> float:
        """Return the natural width of a line.

        Args:
            parts: Signs (`#wood`) and texts.
            size: Font size of the texts.
            scale: Scale of the signs.
            gaps: Gaps after a text and after a sign.
        """
        between = sum(gaps[part.startswith("#")] for part in parts[:-1])
        return sum(self._width(part, size, scale) for part in parts) + between

    def _width(self, part: str, size: float, scale: float) -> float:
        if part.startswith("#"):
            return self.others.get(part[1:], self.sign).width * scale
        return text_width(part, size) * self.stretch

    def _sign(self, name: str, x: float, y: float, scale: float) -> Markup:
        form = self.others.get(name, self.sign)
        css = Markup(' class="{}"').format(form.css) if form.css else ""
        place = f"translate({number(x)} {number(y + form.down * scale)}) scale({number(scale * form.scale)})"
        return Markup('<use{} href="#{}-{}" transform="{}"/>').format(css, self.game, name, place)

    def _text(self, text: str, x: float, y: float, size: float, width: float | None, css: str) -> Markup:
        classes = f"{self.css} {css}".strip()
        attributes = f' class="{escape(classes)}"' if classes else ""
        attributes += ' aria-hidden="true"' if self.hidden else ""
        attributes += f' x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
        if width is not None:
            attributes += f' textLength="{number(width)}" lengthAdjust="spacingAndGlyphs"'
        return Markup("<text{}>{}</text>").format(Markup(attributes), text)  # noqa: S704 - its values are escaped
