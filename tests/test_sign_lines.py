"""Lines of signs and texts in drawings: places, scale in narrow space, markup."""

from __future__ import annotations

import re

import pytest

from atoll.picture import SignForm, SignLines
from atoll.picture.svg_macros import text_width

USE = re.compile(
    r'<use(?: class="(\w+)")? href="#([\w-]+)" transform="translate\(([\d.-]+) ([\d.-]+)\) scale\(([\d.]+)\)"/>'
)
TEXT = re.compile(r'<text[^>]* x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)"[^>]*>([^<]*)</text>')
LINES = SignLines("toy", SignForm(40))


def test_signs_stand_side_by_side_around_the_middle() -> None:
    """Two signs of 20 with a gap of 4 take 44: from 78 to 122."""
    markup = LINES.draw(["#wood", "#gold"], 100, 7, size=16, scale=0.5, gaps=(1, 4))
    assert USE.findall(markup) == [("", "toy-wood", "88", "7", "0.5"), ("", "toy-gold", "112", "7", "0.5")]
    assert LINES.width(["#wood", "#gold"], size=16, scale=0.5, gaps=(1, 4)) == 44


def test_line_begins_at_its_place_and_has_its_own_gap_after_a_text() -> None:
    """A text is written at its left end where the style of the game doesn't center it."""
    lines = SignLines("toy", SignForm(40), css="num", centered=False, stretch=2)
    markup = lines.draw(["3", "#wood"], 10, 20, size=10, scale=0.5, gaps=(1, 4), start=True)
    wide = 2 * text_width("3", 10)
    assert TEXT.findall(markup) == [("10", "23.6", "10", "3")]
    assert USE.findall(markup)[0][2] == f"{10 + wide + 1 + 10:.1f}"
    assert 'class="num"' in markup
    assert "aria-hidden" not in markup


def test_text_in_the_middle_of_its_place() -> None:
    """A text that is centered stands at its middle; its own class comes after that of the game."""
    lines = SignLines("toy", SignForm(40), css="number", hidden=True)
    markup = lines.draw(["12"], 50, 0, size=20, scale=1, gaps=(3, 3), css="pale")
    assert TEXT.findall(markup)[0][0] == "50"
    assert '<text class="number pale" aria-hidden="true"' in markup


def test_line_that_is_too_long_becomes_smaller() -> None:
    """Texts, signs and gaps alike; the line fills its room."""
    parts = ["#wood", "+2", "#gold"]
    full = LINES.width(parts, size=16, scale=0.5, gaps=(2, 2))
    markup = LINES.draw(parts, 0, 0, size=16, scale=0.5, gaps=(2, 2), room=full / 2, start=True)
    assert [float(scale) for *_, scale in USE.findall(markup)] == [0.25, 0.25]
    assert TEXT.findall(markup)[0][2] == "8"
    assert float(USE.findall(markup)[-1][2]) + 5 == pytest.approx(full / 2, abs=0.01)
    assert "textLength" not in markup


def test_squeezed_line_keeps_its_height() -> None:
    """A text becomes narrower at its size, signs never smaller than 0.8 of theirs."""
    lines = SignLines("toy", SignForm(40), squeezes=True)
    parts = ["+2", "#gold"]
    full = lines.width(parts, size=16, scale=0.5, gaps=(2, 2))
    markup = lines.draw(parts, 0, 0, size=16, scale=0.5, gaps=(2, 2), room=full / 2)
    assert USE.findall(markup)[0][-1] == "0.4"
    assert TEXT.findall(markup)[0][2] == "16"
    assert f'textLength="{text_width("+2", 16) / 2:.2f}" lengthAdjust="spacingAndGlyphs"' in markup
    assert "textLength" not in lines.draw(parts, 0, 0, size=16, scale=0.5, gaps=(2, 2), room=full)


def test_signs_with_a_form_of_their_own() -> None:
    """Their width, scale, height and class differ from those of the others."""
    lines = SignLines("toy", SignForm(40), {"boat": SignForm(60, scale=0.5, down=4, css="nobody")})
    markup = lines.draw(["#boat", "#wood"], 0, 10, size=16, scale=2, gaps=(0, 0), start=True)
    assert USE.findall(markup) == [("nobody", "toy-boat", "60", "18", "1"), ("", "toy-wood", "160", "10", "2")]


def test_texts_are_escaped_and_an_empty_line_is_empty() -> None:
    """A text may hold any character."""
    assert "<text" in LINES.draw([">1 & <2"], 0, 0, size=16, scale=1, gaps=(0, 0))
    assert "&gt;1 &amp; &lt;2</text>" in LINES.draw([">1 & <2"], 0, 0, size=16, scale=1, gaps=(0, 0))
    assert LINES.draw([], 0, 0, size=16, scale=1, gaps=(0, 0), room=10) == ""
