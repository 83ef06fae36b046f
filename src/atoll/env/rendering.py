"""The table as a spectator sees it: in words, as a picture, as pixels."""

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
from atoll.engine.words import PeoplesWords
from atoll.picture.still import still

MODES: Final = ("human", "ansi", "svg", "rgb_array")
_ROOM: Final = 1.25
"""The height of all frames, in heights of the first picture: tables grow while they are played."""


def check_mode(mode: str | None) -> str | None:
    """The way to render, if there is such a one; None is none. Raises ValueError."""
    if mode not in (None, *MODES):
        raise ValueError(f"render_mode {mode!r}: allowed are None, {', '.join(MODES)}")
    return mode


def check_language(language: str) -> str:
    """A language in which there are words. Raises ValueError."""
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r}: allowed are {', '.join(LANGUAGES)}")
    return language


def render(game: Game, position: Position, mode: str | None, language: str) -> Any:
    """The log so far (`ansi`; `human` prints it), the table's picture (`svg`), or its pixels (`rgb_array`)."""
    if mode is None:
        return None
    words = PeoplesWords(game, language)
    if mode in ("ansi", "human"):
        lines = [words.event(event, None) for event in position.events]
        text = "\n".join(line for line in lines if line)
        if mode == "ansi":
            return text
        print(text)  # noqa: T201
        return None
    picture = still(game, position.view(None), words)
    return picture if mode == "svg" else _pixels(picture, _canvas(game, position, words))


def _canvas(game: Game, position: Position, words: PeoplesWords) -> tuple[int, int]:
    """Return the width and height of all frames of a game with these seats and options."""
    first = game.new(position.seats, position.options, seed=0)
    picture = ElementTree.fromstring(still(game, first.view(None), words))  # noqa: S314 - drawn here
    return round(float(picture.attrib["width"])), round(_ROOM * float(picture.attrib["height"]))


def _pixels(svg: str, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return an SVG as an array (height, width, 3) of this size, at the top and smaller where it has to be."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGB")
    ground = image.crop((0, 0, 1, 1)).tobytes()
    return np.asarray(ImageOps.pad(image, size, color=(ground[0], ground[1], ground[2]), centering=(0.5, 0)))
