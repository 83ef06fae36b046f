"""Named window sizes with their own rules in style sheets and scripts.

A style sheet uses a name as a condition, such as `@media (--phone)`; a script as
`matchMedia("(--phone)")`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_DESKTOP: Final = "(min-width: 62.5rem) and (min-height: 35.01rem)"
_LOW: Final = "(max-height: 35rem) and (min-aspect-ratio: 5/4)"

WINDOWS: Final[Mapping[str, str]] = {
    "desktop": _DESKTOP,
    "phone": f"not ({_DESKTOP})",
    "low": _LOW,
    "low-long": f"{_LOW} and (min-aspect-ratio: 1.9)",
    "upright": f"(not ({_DESKTOP})) and (not ({_LOW}))",
    "tablet": f"(not ({_DESKTOP})) and (min-width: 44rem) and (min-height: 44rem)",
    "narrow-desktop": f"{_DESKTOP} and (max-width: 79rem) and (min-height: 43.01rem)",
    "low-desktop": f"{_DESKTOP} and (max-height: 43rem)",
}
"""Media condition of each named window size.

Every window is either `desktop` or `phone`. A phone is either `low` or `upright`. A `low-long`
window is a low one with space for tabs next to the scene, and a `tablet` is a large upright one.
The unit is rem, so that larger texts and a browser's zoom select the layout of a smaller window.
"""

_NAME: Final = re.compile(r"(?<![\w-])\(--([a-z-]+)\)")


def with_windows(text: str) -> str:
    """Return a style sheet or script with names of window sizes replaced by their conditions.

    Args:
        text: The style sheet or script.

    Raises:
        KeyError: If the text uses an unknown name.
    """
    return _NAME.sub(lambda found: f"({WINDOWS[found[1]]})", text)
