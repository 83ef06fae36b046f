"""Parsing of integers in text, shared by web requests, records, options and saves."""

from __future__ import annotations

import re
from typing import Final

_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")


def parse_int(text: str) -> int | None:
    """Return the integer with at most nine ASCII digits that a text is; None for other texts."""
    return int(text) if _WHOLE.fullmatch(text) else None
