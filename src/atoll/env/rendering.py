"""The table as a spectator sees it: in words, as a picture, as pixels."""

from __future__ import annotations

import io
from typing import Any, Final

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from atoll.engine import Game, Position
from atoll.engine.words import LANGUAGES, PeoplesWords
from atoll.picture.still import still

MODES: Final = ("human", "ansi", "svg", "rgb_array")


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
    return picture if mode == "svg" else pixels(picture)


def pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG as an array (height, width, 3)."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))))
    return np.asarray(image.convert("RGB"))
