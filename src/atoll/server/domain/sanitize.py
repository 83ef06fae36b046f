"""Names and messages typed by people: cleaned on input, escaped on output."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .model import Refused

NAME_LENGTH: Final = 24
MESSAGE_LENGTH: Final = 500
NOTE_LENGTH: Final = 4000

_SPACES: Final = re.compile(r"\s+")
_JOINERS: Final = "\u200d\ufe0f"  # join emoji; they don't change the direction of text
_STACK: Final = 4  # combining marks on one letter; more would overlap other lines

_UNSEEN: Final = frozenset(
    map(
        chr,
        (
            # Default_Ignorable_Code_Point of Unicode 16, except those whose category already
            # excludes them (Cf, Cn)
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0),
            *range(0xFE00, 0xFE0F),
            *range(0xE0100, 0xE01F0),
            # signs without a visible glyph
            *(0x13441, 0x13442, 0x16FE4, 0x1D159),
        ),
    )
)
"""Letters, marks and symbols without a visible glyph, which `unicodedata` doesn't identify."""
_BLANKS: Final = "\u2800"  # a blank Braille pattern, as wide as the others


def shows_nothing(letter: str) -> bool:
    """Return whether a character is a space, a control, or another one without a visible glyph."""
    return unicodedata.category(letter)[0] in "CZ" or letter in _UNSEEN or letter in _BLANKS or letter in _JOINERS


def clean(text: str) -> str:
    """Return a text on one line without disguising characters.

    Control, bidirectional and invisible characters, combining marks without a base, and stacks of
    combining marks are removed.
    """
    shown: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        last = shown[-1] if shown else " "
        if letter.isspace() or letter in _BLANKS:
            shown.append(" ")
        elif letter in _JOINERS:
            if unicodedata.category(last)[0] in "MS" or last in _JOINERS:
                shown.append(letter)
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn") or letter in _UNSEEN:
            continue
        elif category[0] != "M":
            marks = 0
            shown.append(letter)
        elif last != " " and marks < _STACK:
            marks += 1
            shown.append(letter)
    return _SPACES.sub(" ", "".join(shown)).strip(" \u200d")


def name(text: str) -> str:
    """Return a person's name, cleaned.

    Args:
        text: The name as it was typed.

    Raises:
        Refused: If it is empty or too long.
    """
    cleaned = clean(text[: 4 * NAME_LENGTH])
    if not cleaned or len(cleaned) > NAME_LENGTH:
        raise Refused(
            "bad_name", 422, f"a name has 1 to {NAME_LENGTH} visible characters", fields={"longest": NAME_LENGTH}
        )
    return cleaned


def message(text: str) -> str:
    """Return a chat message, cleaned.

    Args:
        text: The message as it was typed.

    Raises:
        Refused: If it is empty or too long.
    """
    cleaned = clean(text)
    if not cleaned or len(cleaned) > MESSAGE_LENGTH:
        raise Refused(
            "bad_text",
            422,
            f"a message has 1 to {MESSAGE_LENGTH} characters",
            fields={"longest": MESSAGE_LENGTH, "length": len(cleaned)},
        )
    return cleaned


def note(text: str) -> str:
    """Return a private note, cleaned line by line; it may be empty.

    Args:
        text: The note as it was typed.

    Raises:
        Refused: If it is too long.
    """
    cleaned = "\n".join(clean(line) for line in text[: 2 * NOTE_LENGTH].splitlines()).strip("\n")
    if len(cleaned) > NOTE_LENGTH:
        raise Refused("bad_note", 422, f"notes have at most {NOTE_LENGTH} characters", fields={"longest": NOTE_LENGTH})
    return cleaned
