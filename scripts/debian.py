"""Install packages of Debian, for what Python's index doesn't have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence


def ensure(find: Callable[[], str | None], packages: Callable[[], Sequence[str]], otherwise: str) -> int:
    """The exit status: 0 if it is found, after its packages were installed if this user may do so; prints where it is.

    packages: their names, asked for once the lists are up to date. otherwise: what to do where it can't be installed.
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
    """Those of the packages that this system knows. Raises CalledProcessError."""
    listed = subprocess.run(("apt-cache", "pkgnames"), stdout=subprocess.PIPE, text=True, check=True)
    known = set(listed.stdout.split())
    return [name for name in names if name in known]


def _apt_get(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(("apt-get", *command), env=environment, stdout=sys.stderr, check=True)
