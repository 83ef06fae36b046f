"""Addresses in what people write become links; nothing else that they write becomes more than text."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from markupsafe import Markup, escape

_ADDRESS: Final = re.compile(r"(?<!\w)https?://[^\s<>\"]+", re.IGNORECASE)
_ENDS: Final = ".,;:!?'’”»)]}*_…"  # of the sentence, where an address ends with them
_LONGEST: Final = 48
_LINK: Final = Markup('<a href="{}" target="_blank" rel="nofollow noopener ugc">{}</a>')


def linked(text: str) -> Markup:
    """A text with its http and https addresses as links, which say less of long ones but always the whole host."""
    parts: list[Markup] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        address = _without_end(match[0])
        shown = _shown(address)
        if shown:
            parts += [escape(text[end : match.start()]), _LINK.format(address, shown)]
            end = match.start() + len(address)
    return Markup("").join([*parts, escape(text[end:])])


def _without_end(address: str) -> str:
    """An address without what belongs to the sentence around it; a parenthesis that it opens itself is its own."""
    while address[-1] in _ENDS and not (address[-1] == ")" and address.count("(") >= address.count(")")):
        address = address[:-1]
    return address


def _shown(address: str) -> str:
    """What a link says; "" if the address is none, or names somebody before its host, which would pass for one."""
    try:
        place = urlsplit(address)
        host = place.hostname
    except ValueError:
        return ""
    if not host or "@" in place.netloc or "\\" in address:
        return ""
    shown = address.partition("://")[2]
    most = max(_LONGEST, len(place.netloc) + 1)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
