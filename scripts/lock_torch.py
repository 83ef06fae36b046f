"""Moves the packages of PyTorch's CUDA build, several GB, out of requirements/recipes.txt.

`make lock` runs it. The packages go to requirements/cuda.txt, which `make recipes` installs if the
index's build for Linux was taken. Before that, `make recipes` tries requirements/cpu.txt, the CPU
build of the same version, which pip finds only with a configured source for it.
"""

from __future__ import annotations

import re
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements" / "recipes.txt"
CUDA = LOCK.with_name("cuda.txt")
CPU = LOCK.with_name("cpu.txt")
FOR_CUDA = ("cuda-", "nvidia-", "triton==")


def split(lock: str) -> tuple[str, str]:
    """Return the lock without the packages that only CUDA needs, and those packages."""
    packages = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    rest = [package for package in packages if not package.startswith(FOR_CUDA)]
    return "".join(rest), "".join(package for package in packages if package.startswith(FOR_CUDA))


def main() -> None:
    """Rewrite the files.

    Raises:
        ValueError: If the CPU build has another version.
    """
    rest, cuda = split(LOCK.read_text("utf-8"))
    version = CPU.read_text("utf-8").split("+")[0]
    if f"{version} " not in rest:
        raise ValueError(f"{CPU} has {version}, {LOCK} another version; write the hash of its CPU build")
    LOCK.write_text(rest, "utf-8")
    CUDA.write_text(cuda, "utf-8")


if __name__ == "__main__":
    main()
