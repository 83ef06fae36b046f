"""Makes sure that valgrind, which counts instructions, is installed, and prints its path."""

import shutil
import sys

from scripts.debian import ensure


def main() -> int:
    """Return the exit status."""
    return ensure(lambda: shutil.which("valgrind"), lambda: ["valgrind"], "Counting needs valgrind: install it")


if __name__ == "__main__":
    sys.exit(main())
