"""Make sure that there is valgrind, which counts instructions, and print where it is."""

import shutil
import sys

from scripts.debian import ensure


def main() -> int:
    """Return the exit status."""
    return ensure(lambda: shutil.which("valgrind"), lambda: ["valgrind"], "Counting needs valgrind: install it")


if __name__ == "__main__":
    sys.exit(main())
