"""The built site as the server sends it.

It has no inline scripts, which its policy forbids. Names in headings and tables break between their
parts.
"""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

from .sources import ROOT

TARGET: Final = ROOT / "src" / "atoll" / "server" / "http" / "pages" / "docs_site"
"""The folder in the package. Wheels have it if it was built."""

_SCRIPT: Final = re.compile(r"<script(?![^>]*\bsrc=)([^>]*)>(.*?)</script>", re.DOTALL)
_NARROW: Final = re.compile(r"<(h[1-6]|td)\b.*?</\1>", re.DOTALL)
_TAG: Final = re.compile(r"(<[^>]*>)")
_JOINT: Final = re.compile(r"(?<=[^\W\d])([._]+)(?=[^\W\d_])")
_NOT_NEEDED: Final = frozenset({".map", ".pickle"})
_HIDDEN: Final = re.compile(r"^\.|^_sources$|^objects\.inv$|^webpack-macros\.html$")


def publish(pages: Path) -> None:
    """Copy the built site into the package.

    Args:
        pages: Folder of the built site.
    """
    shutil.rmtree(TARGET, ignore_errors=True)
    scripts: dict[str, str] = {}
    for path in sorted(pages.rglob("*")):
        inside = path.relative_to(pages)
        if not path.is_file() or path.suffix in _NOT_NEEDED or any(map(_HIDDEN.match, inside.parts)):
            continue
        target = TARGET / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".html":
            text = without_inline_scripts(path.read_text("utf-8"), "../" * (len(inside.parts) - 1), scripts)
            target.write_text(with_breaks_in_names(text), "utf-8")
        else:
            shutil.copyfile(path, target)
    for name, script in scripts.items():
        (TARGET / "_static" / name).write_text(script, "utf-8")


def without_inline_scripts(page: str, root: str, scripts: dict[str, str]) -> str:
    """Return a page that loads its inline scripts from files.

    Args:
        page: HTML of the page.
        root: Relative address of the site's root, "" or such as "../".
        scripts: File name -> script; scripts of this page are added.
    """

    def moved(found: re.Match[str]) -> str:
        """Return the element that loads a script."""
        attributes, script = found.groups()
        if not script.strip() or "application/json" in attributes:
            return found[0]
        name = f"inline-{sha256(script.encode()).hexdigest()[:16]}.js"
        scripts[name] = script
        return f'<script{attributes} src="{root}_static/{name}"></script>'

    return _SCRIPT.sub(moved, page)


def with_breaks_in_names(page: str) -> str:
    """Return a page whose headings and cells may break after the dots and underscores of a name.

    On a phone, names of modules are longer than a line, and names of tests widen a table.

    Args:
        page: HTML of the page.
    """

    def broken(found: re.Match[str]) -> str:
        """Return the heading or cell with its breaks."""
        parts = _TAG.split(found[0])  # every other one is a tag
        parts[::2] = [_JOINT.sub(r"\1<wbr>", text) for text in parts[::2]]
        return "".join(parts)

    return _NARROW.sub(broken, page)
