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


def clean(text: str) -> str:
    """A text on one line without what could disguise it: control, bidi and invisible characters, towers of accents."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category == "Mn":
            marks += 1
            if marks > _STACK:
                continue
        else:
            marks = 0
        if letter.isspace():
            kept.append(" ")
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn") and letter not in _JOINERS:
            continue
        else:
            kept.append(letter)
    return _SPACES.sub(" ", "".join(kept)).strip(" " + _JOINERS)


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
