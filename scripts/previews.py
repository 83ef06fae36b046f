"""Draw what stands for each game where a link to it is shown elsewhere, from its emblem. `python -m scripts.previews`.

Messengers show no SVG, so the picture lies beside the game as `preview.png`. It names the emblem that it was drawn
from: a test says when it has to be drawn anew.
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
from atoll.picture.own import picture_of
from atoll.picture.still import cover
from atoll.testing.browser import find_chromium

SIZE = (1200, 630)  # what messengers ask for
COLOURS = 128
SOURCE = "Source"


def source(game: Game) -> str:
    """What tells one emblem from another."""
    return sha256(str(picture_of(game.package).emblem().markup).encode()).hexdigest()


def path(game: Game) -> Path:
    """Where the picture lies."""
    return Path(str(atoll.__file__)).parent / "games" / game.id / "preview.png"


def main() -> None:
    """Draw all."""
    width, height = SIZE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium())
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        for game in atoll.games.values():
            drawn = cover(game).replace("<svg ", '<svg preserveAspectRatio="xMidYMid slice" ', 1)
            style = f"body {{ margin: 0 }} body > svg {{ display: block; width: {width}px; height: {height}px }}"
            page.set_content(f"<style>{style}</style>{drawn}")
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
            known = PngInfo()
            known.add_text(SOURCE, source(game))
            shot.save(path(game), optimize=True, pnginfo=known)
        browser.close()


if __name__ == "__main__":
    main()
