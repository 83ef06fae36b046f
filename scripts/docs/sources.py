"""The source tree of the site: the pages of `docs/`, the root's pages, and generated pages.

Links between pages are written as in the repository, so that they work there too. Links to files
that the site doesn't have become the file's path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final

from atoll.engine.registry import games

from . import api, commands, gallery, http_api, metrics, observations, rules, settings

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
ROOT_PAGES: Final = ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the repository's root that the site includes, if they exist."""

_COPIED: Final = frozenset({".md", ".png", ".svg", ".webp", ".gif", ".css", ".js"})
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
_FENCE: Final = re.compile(r"^(`{3,}|~{3,})")
_EXTERNAL: Final = re.compile(r"[a-z][a-z0-9+.-]*:")


def generated() -> dict[str, Callable[[], str]]:
    """Return the generated pages: path in the site, and the function that writes the text."""
    pages: dict[str, Callable[[], str]] = {
        "gallery.md": gallery.page,
        "play/reference-metrics.md": metrics.page,
        "play/reference-settings.md": settings.page,
        "play/reference-http-api.md": http_api.page,
        "study/reference-cli.md": commands.page,
        "study/reference-observations.md": observations.page,
    }
    for id in games:
        pages[f"study/games/{id}.md"] = partial(rules.readme, id)
        pages[f"study/games/{id}-rules.md"] = partial(rules.specification, id)
    for name in api.pages():
        pages[f"develop/reference-api/{name}.rst"] = partial(api.page, name)
    return pages


def locations() -> dict[str, str]:
    """Return the files of the repository that the site has: path there, path in the site."""
    found = {"README.md": "index.md"}
    found |= {name: name.lower().replace("_", "-") for name in ROOT_PAGES if (ROOT / name).exists()}
    for id in games:
        folder = f"src/atoll/games/{id}"
        found |= {f"{folder}/README.md": f"study/games/{id}.md", f"{folder}/RULES.md": f"study/games/{id}-rules.md"}
    for path in sorted(DOCS.rglob("*")):
        if path.is_file() and path.suffix in _COPIED:
            inside = path.relative_to(DOCS).as_posix()
            found[f"docs/{inside}"] = inside
    return found


def write(target: Path) -> None:
    """Write the source tree. Files that haven't changed keep their time, so that builds are short.

    Args:
        target: Folder of the tree; files that don't belong to it are deleted.
    """
    known = locations()
    pages: dict[str, bytes] = {}
    for origin, inside in known.items():
        path = ROOT / origin
        if origin.startswith("docs/") or origin in ROOT_PAGES:
            text = path.suffix == ".md"
            pages[inside] = relink(path.read_text("utf-8"), origin, known).encode() if text else path.read_bytes()
    for inside, page in generated().items():
        pages[inside] = page().encode()
    for id in games:
        pages |= {f"pictures/gallery/{name}": text.encode() for name, text in gallery.pictures(id).items()}
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(target).as_posix() not in pages:
            path.unlink()
    for inside, content in pages.items():
        path = target / inside
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def relink(text: str, origin: str, known: Mapping[str, str]) -> str:
    """Return a Markdown text with links that fit the site.

    Args:
        text: The text.
        origin: Path of its file in the repository.
        known: Path in the repository -> path in the site.
    """
    folder = PurePosixPath(origin).parent
    here = PurePosixPath(known[origin]).parent

    def link(found: re.Match[str]) -> str:
        """Return a link as the site needs it."""
        picture, label, address = found.groups()
        path, _, anchor = address.partition("#")
        if not path or _EXTERNAL.match(address):
            return found[0]
        there = os.path.normpath(folder / path)
        if there.startswith("docs/") and there not in known:
            # A generated page; Sphinx reports it if it doesn't exist.
            return found[0]
        if there not in known:
            return f"`{there}`" if label.strip("`") in (there, PurePosixPath(there).name) else f"{label} (`{there}`)"
        if there.endswith("/RULES.md") and anchor:
            return f"{picture}[{label}](#{anchor})"
        relative = os.path.relpath(known[there], here)
        return f"{picture}[{label}]({relative}{'#' if anchor else ''}{anchor})"

    return "".join(part if is_code else _LINK.sub(link, part) for part, is_code in split_code(text))


def split_code(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a Markdown text, each with whether it is a code block."""
    parts: list[tuple[str, bool]] = [("", False)]
    fence = ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if not fence and found:
            fence = found[1]
            parts.append((line, True))
        else:
            parts[-1] = (parts[-1][0] + line, parts[-1][1])
            if fence and line.strip() == fence:
                fence = ""
                parts.append(("", False))
    return parts
