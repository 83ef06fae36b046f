"""Build the documentation site into the package, where `atoll serve` finds it under `/docs`."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from . import link_check, publish, sources

BUILD = sources.ROOT / "build" / "docs"


def main() -> int:
    """Build the site, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.docs", description=__doc__)
    parser.add_argument("--linkcheck", action="store_true", help="check links to other sites instead (needs a network)")
    arguments = parser.parse_args()
    source, pages = BUILD / "source", BUILD / "html"
    sources.write(source)
    builders = ["linkcheck"] if arguments.linkcheck else ["html", "doctest"]
    for builder in builders:
        if builder == "html":
            shutil.rmtree(pages, ignore_errors=True)
        options = ["-W", "--keep-going", "-n", "-q", "-j", "auto", "-b", builder, "-d", BUILD / "doctrees"]
        command = [sys.executable, "-m", "sphinx", *options, "-c", sources.DOCS, source, BUILD / builder]
        done = subprocess.run(list(map(str, command)), cwd=sources.ROOT, check=False)
        if done.returncode:
            return done.returncode
    if not arguments.linkcheck:
        publish.publish(pages)
        broken = link_check.broken_links(publish.TARGET)
        if broken:
            print("broken links:", *broken, sep="\n", file=sys.stderr)
            return 1
        print(f"{publish.TARGET.relative_to(sources.ROOT)}: `atoll serve` shows it under /docs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
