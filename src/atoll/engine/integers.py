"""The one reader of whole numbers that come as text: from pages, records, options and saves."""

from __future__ import annotations

import re
from typing import Final

_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")


def parse_int(text: str) -> int | None:
    """The number that at most nine ASCII digits are, with a minus before them or not; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None
