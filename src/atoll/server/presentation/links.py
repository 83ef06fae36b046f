"""Links in texts from users: HTTP addresses become links, everything else stays text."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from markupsafe import Markup, escape

_ADDRESS: Final = re.compile(r"(?<!\w)https?://[^\s<>\"]+", re.IGNORECASE)
_ENDS: Final = ".,;:!?'’”»)]}*_…"  # at the end of an address, these belong to the sentence
_LONGEST: Final = 48
_LINK: Final = Markup('<a href="{}" target="_blank" rel="nofollow noopener ugc">{}</a>')


def linkify(text: str) -> Markup:
    """Return a text with its HTTP addresses as links.

    Long addresses are shortened, but the host is always complete.
    """
    parts: list[Markup] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        address = _without_end(match[0])
        label = _link_text(address)
        if label:
            parts += [escape(text[end : match.start()]), _LINK.format(address, label)]
            end = match.start() + len(address)
    return Markup("").join([*parts, escape(text[end:])])


def _without_end(address: str) -> str:
    """Return an address without the punctuation of the sentence around it.

    A closing parenthesis belongs to the address if it was opened there.
    """
    while address[-1] in _ENDS and not (address[-1] == ")" and address.count("(") >= address.count(")")):
        address = address[:-1]
    return address


def _link_text(address: str) -> str:
    """Return the text of a link, or "" if the address must not become a link.

    Addresses with a user name are excluded, because the name could pass for a host.
    """
    try:
        place = urlsplit(address)
        host = place.hostname
    except ValueError:
        return ""
    if not host or "@" in place.netloc or "\\" in address:
        return ""
    label = address.partition("://")[2]
    most = max(_LONGEST, len(place.netloc) + 1)
    return label if len(label) <= most else label[: most - 1] + "…"
