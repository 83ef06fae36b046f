"""The colors of all themes.

Texts contrast with their background, and seats with each other for every kind of color vision.
"""

import re
from importlib.resources import files
from itertools import combinations, product
from typing import Final

import pytest

import atoll

RGB = tuple[float, float, float]
Matrix = tuple[RGB, RGB, RGB]

_VARIABLE: Final = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));")
GAMES: Final = ("", *atoll.games)

# Machado, Oliveira and Fernandes (2009), severity 1.0: linear colours as people see them who lack one kind of cones.
EYES: Final[dict[str, Matrix]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# Ottosson (2020): linear colours to cones, and these, as cube roots, to OKLab.
CONES: Final[Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB: Final[Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times(matrix: Matrix, colour: RGB) -> RGB:
    red, green, blue = (sum(factor * part for factor, part in zip(row, colour, strict=True)) for row in matrix)
    return red, green, blue


def linear(text: str) -> RGB:
    """A colour such as `#0d6f78` or `#fff`, as linear light."""
    digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def seen(colour: RGB, eye: str) -> RGB:
    """A colour in OKLab as an eye sees it."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in times(EYES[eye], colour))
    long, middle, short = (part ** (1 / 3) for part in times(CONES, (red, green, blue)))
    return times(OKLAB, (long, middle, short))


def distance(one: RGB, other: RGB, eye: str) -> float:
    """Distance in OKLab, where 0.02 is just noticed side by side."""
    pairs = zip(seen(one, eye), seen(other, eye), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(one: RGB, other: RGB) -> float:
    """Contrast as WCAG 2.2 defines it: 1 to 21."""
    light = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05 for red, green, blue in (one, other))
    return light[1] / light[0]


def palette(game: str, theme: str) -> dict[str, RGB]:
    """The colours of a game's pages, or of pages without a game; `theme` ends with its colour scheme."""
    sheets = [files("atoll.picture") / "picture.css"]
    if game:
        sheets.append(files(atoll.games[game].package) / "table.css")
    if theme.startswith("contrast"):
        sheets.append(files("atoll.server.http.pages") / "static" / "contrast.css")
    found: dict[str, RGB] = {}
    for sheet in sheets:
        for name, light, dark, always in _VARIABLE.findall(sheet.read_text("utf-8")):
            found[name] = linear(always or (light if theme.endswith("light") else dark))
    return found


LEAST: Final = {"light": 4.5, "dark": 4.5, "contrast-light": 7, "contrast-dark": 7}
"""Least contrast of texts in each theme: WCAG 2.2 AA, and AAA."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("theme", "least"), LEAST.items())
def test_texts_contrast_with_what_they_stand_on(game: str, theme: str, least: float) -> None:
    colours = palette(game, theme)
    pairs = [*product(("ink", "ink-soft", "accent", "good", "bad"), ("ground", "surface")), ("on-accent", "accent")]
    found = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert not {pair: ratio for pair, ratio in found.items() if ratio < least}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", ["contrast-light", "contrast-dark"])
def test_lines_and_marks_are_seen_with_high_contrast(game: str, theme: str) -> None:
    colours = palette(game, theme)
    marks = {name: contrast(colours[name], colours["surface"]) for name in ("line", "glow", "spot")}
    assert not {name: ratio for name, ratio in marks.items() if ratio < 4.5}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("theme", LEAST)
def test_every_eye_tells_seats_apart(game: str, theme: str) -> None:
    """Of six seats by a twelfth of the way from black to white, of fewer by more."""
    colours = palette(game, theme)
    count = atoll.games[game].seat_counts[-1] if game else 6
    least = 0.1 if theme.startswith("contrast") else {4: 0.125, 5: 0.11, 6: 0.09}[count]
    near = {
        (eye, one, other): found
        for one, other in combinations(range(count), 2)
        for eye in EYES
        if (found := distance(colours[f"seat-{one}"], colours[f"seat-{other}"], eye)) < least
    }
    assert not near


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("theme", "least"), LEAST.items())
def test_every_eye_tells_seats_from_what_they_stand_on(game: str, theme: str, least: float) -> None:
    colours = palette(game, theme)
    count = atoll.games[game].seat_counts[-1] if game else 6
    for seat in range(count):
        mark = colours[f"seat-{seat}"]
        assert contrast(mark, colours["on-accent"]) >= least, seat  # names and numbers on it
        for ground in ("ground", "surface"):
            assert contrast(mark, colours[ground]) >= 3, (seat, ground)
            for eye in EYES:
                assert distance(mark, colours[ground], eye) >= 0.2, (seat, ground, eye)
