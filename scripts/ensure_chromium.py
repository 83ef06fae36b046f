"""Makes sure that there is a Chromium for the browser tests, and prints its path.

The browser named by `CHROMIUM` comes first, then those on the path: the headless shell before a
full browser, whose windows cost as much as the pages. If there is none, the package of Debian is
installed if this user may do so. Otherwise a line says what to install, and the exit status is 1.
"""

import os
import sys

from atoll.testing.browser import find_chromium
from scripts.debian import ensure, offered

BROWSERS = ("chromium-headless-shell", "chromium")  # older systems have only the second
FONTS = ("fonts-dejavu-core", "fonts-liberation")
OTHERWISE = "The browser tests need Chromium: install it, or name it in CHROMIUM=/path/to/chromium"


def packages() -> list[str]:
    """Return the packages to install."""
    return [*offered(BROWSERS)[:1], *FONTS]


def main() -> int:
    """Return the exit status."""
    if "CHROMIUM" in os.environ and find_chromium() is None:
        print(OTHERWISE, file=sys.stderr)
        return 1
    return ensure(find_chromium, packages, OTHERWISE)


if __name__ == "__main__":
    sys.exit(main())
