"""Installs packages of Debian that the Python package index doesn't have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence


def ensure(find: Callable[[], str | None], packages: Callable[[], Sequence[str]], otherwise: str) -> int:
    """Find a program, and install its packages if it is missing and this user may do so.

    The path of the program is printed.

    Args:
        find: Function that returns the path of the program; None if it is missing.
        packages: Function that returns the names of the packages, called after the lists were
            updated.
        otherwise: Message if the program can't be installed.

    Returns:
        The exit status: 0 if the program was found, otherwise 1.
    """
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        try:
            _apt_get("update", "-qq")
            names = packages()
            print(f"installing {', '.join(names)}", file=sys.stderr)
            _apt_get("install", "-qq", "--yes", "--no-install-recommends", *names)
        except subprocess.CalledProcessError as error:
            print(f"apt-get stopped with status {error.returncode}", file=sys.stderr)
        found = find()
    print(otherwise if found is None else found, file=sys.stderr if found is None else sys.stdout)
    return 1 if found is None else 0


def offered(names: Sequence[str]) -> list[str]:
    """Return the packages that this system knows.

    Args:
        names: Names of packages.

    Raises:
        CalledProcessError: If the packages can't be listed.
    """
    listed = subprocess.run(("apt-cache", "pkgnames"), stdout=subprocess.PIPE, text=True, check=True)
    known = set(listed.stdout.split())
    return [name for name in names if name in known]


def _apt_get(*command: str) -> None:
    """Run apt-get without questions."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(("apt-get", *command), env=environment, stdout=sys.stderr, check=True)
