"""Make sure that there is a Chromium for the browser tests, and print where it is.

The one named in $CHROMIUM comes first, then those on the path: the headless shell before a whole browser, whose own
windows cost as much as the pages. Where there is none, Debian's package is installed if this user may do so; otherwise
one line says what to install, and the exit status is 1.
"""

import os
import shutil
import subprocess
import sys

from atoll.testing.browser import find_chromium

BROWSERS = ("chromium-headless-shell", "chromium")  # older systems have only the second
FONTS = ("fonts-dejavu-core", "fonts-liberation")


def install_chromium() -> None:
    """Install Debian's packages; raises CalledProcessError where that fails. Needs root."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def apt_get(*command: str) -> None:
        subprocess.run(("apt-get", *command), env=environment, stdout=sys.stderr, check=True)

    apt_get("update", "-qq")
    listed = subprocess.run(("apt-cache", "pkgnames", "chromium"), stdout=subprocess.PIPE, text=True, check=True)
    browsers = [each for each in BROWSERS if each in listed.stdout.split()]
    apt_get("install", "-qq", "--yes", "--no-install-recommends", *browsers[:1], *FONTS)


def main() -> int:
    """Return the exit status."""
    found = find_chromium()
    if found is None and "CHROMIUM" not in os.environ and os.geteuid() == 0 and shutil.which("apt-get"):
        print("installing Chromium for the browser tests", file=sys.stderr)
        try:
            install_chromium()
        except subprocess.CalledProcessError as error:
            print(f"apt-get stopped with status {error.returncode}", file=sys.stderr)
        found = find_chromium()
    if found is None:
        print("The browser tests need Chromium: install it, or name it in CHROMIUM=/path/to/chromium", file=sys.stderr)
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
