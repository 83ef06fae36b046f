"""Take what only PyTorch's build with CUDA needs, several GB, out of requirements/recipes.txt: `make lock` runs it.

It goes into requirements/cuda.txt, which `make recipes` installs where the index's build for Linux was taken. Before,
that tries requirements/cpu.txt, the same version's CPU build, which pip finds only where it was told of a place for it.
"""

from __future__ import annotations

import re
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements" / "recipes.txt"
CUDA = LOCK.with_name("cuda.txt")
CPU = LOCK.with_name("cpu.txt")
FOR_CUDA = ("cuda-", "nvidia-", "triton==")


def split(lock: str) -> tuple[str, str]:
    """The lock without what only CUDA needs, and that."""
    packages = re.split(r"^(?=\S)", lock, flags=re.MULTILINE)
    kept = [package for package in packages if not package.startswith(FOR_CUDA)]
    return "".join(kept), "".join(package for package in packages if package.startswith(FOR_CUDA))


def main() -> None:
    """Rewrite the files. Raises ValueError where the CPU build is another version."""
    kept, cuda = split(LOCK.read_text("utf-8"))
    version = CPU.read_text("utf-8").split("+")[0]
    if f"{version} " not in kept:
        raise ValueError(f"{CPU} has {version}, {LOCK} another version; write the hash of its CPU build")
    LOCK.write_text(kept, "utf-8")
    CUDA.write_text(cuda, "utf-8")


if __name__ == "__main__":
    main()
