"""Draws the preview images of links to the games from their emblems: `python -m scripts.previews`.

Messengers don't show SVG, so the image is next to the game as `preview.png`. It contains a digest
of the emblem; a test fails if the image is outdated.
"""

from __future__ import annotations

import io
from hashlib import sha256
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

import atoll
from atoll.engine import Game
from atoll.picture.loading import picture_of
from atoll.picture.static_svg import cover
from atoll.testing.browser import find_chromium

SIZE = (1200, 630)  # the size that messengers recommend
COLORS = 128
SOURCE = "Source"


def source(game: Game) -> str:
    """Return a digest of the game's emblem."""
    return sha256(str(picture_of(game.package).emblem().markup).encode()).hexdigest()


def path(game: Game) -> Path:
    """Return the path of the image."""
    return Path(str(atoll.__file__)).parent / "games" / game.id / "preview.png"


def main() -> None:
    """Draw all images."""
    width, height = SIZE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        for game in atoll.games.values():
            drawn = cover(game).replace("<svg ", '<svg preserveAspectRatio="xMidYMid slice" ', 1)
            style = f"body {{ margin: 0 }} body > svg {{ display: block; width: {width}px; height: {height}px }}"
            page.set_content(f"<style>{style}</style>{drawn}")
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLORS)
            known = PngInfo()
            known.add_text(SOURCE, source(game))
            shot.save(path(game), optimize=True, pnginfo=known)
        browser.close()


if __name__ == "__main__":
    main()
