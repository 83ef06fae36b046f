"""Rendering of a game as a spectator sees it: as text, as a picture, as pixels."""

from __future__ import annotations

import io
from typing import Any, Final
from xml.etree import ElementTree

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image, ImageOps

from atoll.engine import Game, Position
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import FallbackMessages
from atoll.picture.static_svg import render_table

MODES: Final = ("human", "ansi", "svg", "rgb_array")
_ROOM: Final = 1.25
"""Height of all frames, as a multiple of the first picture's height: later pictures are higher."""


def check_mode(mode: str | None) -> str | None:
    """Return the render mode if it is valid; None means no rendering.

    Args:
        mode: The mode.

    Raises:
        ValueError: If the mode is unknown.
    """
    if mode not in (None, *MODES):
        raise ValueError(f"invalid render_mode {mode!r}: expected None, {', '.join(MODES)}")
    return mode


def check_language(language: str) -> str:
    """Return the language if the game's texts exist in it.

    Args:
        language: Code of the language.

    Raises:
        ValueError: If the language is unknown.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: expected {', '.join(LANGUAGES)}")
    return language


def render(game: Game, position: Position, mode: str | None, language: str) -> Any:
    """Render a position as a spectator sees it.

    Args:
        game: The game.
        position: The position.
        mode: A mode of `MODES`, or None.
        language: Language of the texts.

    Returns:
        The log (`ansi`), the picture as SVG (`svg`), its pixels (`rgb_array`), or None. `human`
        prints the log.
    """
    if mode is None:
        return None
    words = FallbackMessages(game, language)
    if mode in ("ansi", "human"):
        lines = [words.event(event, None) for event in position.events]
        text = "\n".join(line for line in lines if line)
        if mode == "ansi":
            return text
        print(text)  # noqa: T201
        return None
    picture = render_table(game, position.view(None), words)
    return picture if mode == "svg" else _pixels(picture, _canvas(game, position, words))


def _canvas(game: Game, position: Position, words: FallbackMessages) -> tuple[int, int]:
    """Return the width and height of all frames of a game with these seats and options."""
    first = game.new(position.seats, position.options, seed=0)
    picture = ElementTree.fromstring(render_table(game, first.view(None), words))  # noqa: S314 - drawn here
    return round(float(picture.attrib["width"])), round(_ROOM * float(picture.attrib["height"]))


def _pixels(svg: str, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return an SVG as an array (height, width, 3), aligned to the top and scaled down to fit."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGB")
    ground = image.crop((0, 0, 1, 1)).tobytes()
    return np.asarray(ImageOps.pad(image, size, color=(ground[0], ground[1], ground[2]), centering=(0.5, 0)))
