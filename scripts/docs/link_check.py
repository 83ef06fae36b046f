"""The check of all links of the built site: each leads to a file, and to an element of it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The ids and the addresses of a page.

    Attributes:
        ids: Ids and names of its elements.
        addresses: Addresses of its links, pictures, scripts and styles.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = {"", "top"}
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name"):
                self.ids.add(value or "")
            elif name in ("href", "src"):
                self.addresses.append(value or "")


def broken_links(site: Path) -> list[str]:
    """Return the broken links between pages, as `page: address`.

    Args:
        site: Folder of the site.
    """
    pages: dict[Path, _Page] = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = _Page()
        pages[path].feed(path.read_text("utf-8"))
    broken = []
    for path, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = pages.get(target)
            exists = target.is_file() and target.is_relative_to(site.resolve())
            if not exists or (found is not None and unquote(parts.fragment) not in found.ids):
                broken.append(f"{path.relative_to(site)}: {address}")
    return broken
