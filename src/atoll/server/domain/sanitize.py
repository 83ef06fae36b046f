"""Names and messages that people type: cleaned when they arrive, escaped where they are shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .model import Refused

NAME_LENGTH: Final = 24
MESSAGE_LENGTH: Final = 500
NOTE_LENGTH: Final = 4000

_SPACES: Final = re.compile(r"\s+")
_JOINERS: Final = "\u200d\ufe0f"  # hold emoji together; they turn nothing around
_STACK: Final = 4  # combining marks on one letter; more would cover other lines

_UNSEEN: Final = frozenset(
    map(
        chr,
        (
            # Default_Ignorable_Code_Point of Unicode 16, without those whose category says it (Cf, Cn)
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0),
            *range(0xFE00, 0xFE0F),
            *range(0xE0100, 0xE01F0),
            # signs that are drawn as nothing
            *(0x13441, 0x13442, 0x16FE4, 0x1D159),
        ),
    )
)
"""Letters, marks and symbols that show nothing; `unicodedata` doesn't know them."""
_BLANKS: Final = "\u2800"  # as wide as others of its script


def shows_nothing(letter: str) -> bool:
    """Return whether a character is a space, a control, or another one that is drawn as nothing."""
    return unicodedata.category(letter)[0] in "CZ" or letter in _UNSEEN or letter in _BLANKS or letter in _JOINERS


def clean(text: str) -> str:
    """Return a text on one line without what could disguise it.

    Control, bidi and invisible characters, marks on nothing and towers of accents are left out.
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
    """A person's name. Raises Refused."""
    cleaned = clean(text[: 4 * NAME_LENGTH])
    if not cleaned or len(cleaned) > NAME_LENGTH:
        raise Refused(
            "bad_name", 422, f"a name has 1 to {NAME_LENGTH} visible characters", fields={"longest": NAME_LENGTH}
        )
    return cleaned


def message(text: str) -> str:
    """A chat message. Raises Refused."""
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
    """What somebody notes, line by line; it may be empty. Raises Refused."""
    cleaned = "\n".join(clean(line) for line in text[: 2 * NOTE_LENGTH].splitlines()).strip("\n")
    if len(cleaned) > NOTE_LENGTH:
        raise Refused("bad_note", 422, f"notes have at most {NOTE_LENGTH} characters", fields={"longest": NOTE_LENGTH})
    return cleaned
