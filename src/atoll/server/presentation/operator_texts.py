"""Texts of the operator: imprint, privacy notice, rules of conduct, announcement, `security.txt`.

They are files in the folder of `--site`: Markdown named `<name>.<language>.md`, and plain text.
Each is optional and may change while the server runs.
"""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import structlog
from markdown_it import MarkdownIt
from markupsafe import Markup

from atoll.engine.languages import LANGUAGES

from ..domain.logs import RateLimitedLogger

NAMES: Final = ("imprint", "privacy", "rules", "announcement")
SECURITY: Final = "security.txt"
_REQUIRED_FIELDS: Final = ("Contact", "Expires")
"""Fields that RFC 9116 requires in `security.txt`."""
_MOST_BYTES: Final = 256 * 1024

_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
"""Markdown without HTML and pictures: pages load nothing from other servers."""

seldom = RateLimitedLogger(structlog.get_logger(__name__))


class OperatorTextError(Exception):
    """A folder or file of `--site` that can't be used; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class OperatorText:
    """A text in one language.

    Attributes:
        language: Its language code.
        title: Its title as plain text, or "" if it doesn't begin with a heading of level 1.
        body: The rest as HTML, without headings of level 1.
    """

    language: str
    title: str
    body: Markup


def operator_text(folder: str, name: str, language: str) -> OperatorText | None:
    """Return a text in the reader's language, or else in another one; None if there is none.

    A file that can't be read is logged and counts as missing.

    Args:
        folder: Folder of `--site`, or "".
        name: One of `NAMES`.
        language: The reader's language code.
    """
    if not folder:
        return None
    for each in (language, *(other for other in LANGUAGES if other != language)):
        try:
            found = _read(Path(folder), f"{name}.{each}.md")
        except OperatorTextError as error:
            seldom.error("text of the operator can't be shown", error=str(error))
            continue
        if found is not None:
            return _rendered(found, each)
    return None


def security_txt(folder: str) -> str | None:
    """Return the operator's `security.txt`, or None if there is none or it can't be read."""
    if not folder:
        return None
    try:
        return _read(Path(folder), SECURITY)
    except OperatorTextError as error:
        seldom.error("text of the operator can't be shown", error=str(error))
        return None


def announce(folder: str, language: str, text: str) -> bool:
    """Write or delete the announcement in one language; running servers show it immediately.

    Args:
        folder: Folder of `--site`.
        language: Its language code.
        text: The announcement as Markdown; "" to delete it.

    Returns:
        Whether anything has changed.

    Raises:
        OperatorTextError: If the folder doesn't exist, or the file can't be written.
    """
    root = Path(folder)
    if not folder or not root.is_dir():
        raise OperatorTextError(f"--site {folder!r}: expected a folder with the operator's texts")
    path = root / f"announcement.{language}.md"
    try:
        if not text:
            existed = path.is_file()
            path.unlink(missing_ok=True)
            return existed
        # Servers read the old text or the new one, never a part.
        fresh = path.with_suffix(".new")
        fresh.write_text(text + "\n", "utf-8")
        fresh.replace(path)
    except OSError as error:
        raise OperatorTextError(f"{path}: {error.strerror or error}") from None
    return True


def check_site(folder: str) -> None:
    """Check all texts in the folder of `--site`.

    Args:
        folder: The folder, or "" for none.

    Raises:
        OperatorTextError: If the folder doesn't exist, a file can't be read, a Markdown file has an
            unknown name, or a required field of `security.txt` is missing.
    """
    if not folder:
        return
    root = Path(folder)
    if not root.is_dir():
        raise OperatorTextError(f"--site {folder!r}: expected a folder with the operator's texts")
    for path in sorted(root.glob("*.*.md")):
        name, language = path.name.split(".")[0], path.name.removesuffix(".md").partition(".")[2]
        if name not in NAMES or language not in LANGUAGES:
            names, codes = ", ".join(NAMES), ", ".join(LANGUAGES)
            raise OperatorTextError(
                f"{path}: unknown text: expected NAME.LANGUAGE.md with a name of {names} and a language of {codes}"
            )
        _read(root, path.name)
    security = _read(root, SECURITY)
    for field in _REQUIRED_FIELDS if security is not None else ():
        if not re.search(rf"(?mi)^{field}:", security or ""):
            raise OperatorTextError(f"{root / SECURITY}: missing field: expected a line `{field}: ...` (RFC 9116)")


def _read(folder: Path, name: str) -> str | None:
    """Return the text of a file in the folder, or None if it doesn't exist.

    Args:
        folder: The folder.
        name: Name of the file.

    Raises:
        OperatorTextError: If it can't be read, is too large, or is a link that leaves the folder.
    """
    path = folder / name
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OperatorTextError(f"{path}: not a file")
        if found.st_size > _MOST_BYTES:
            raise OperatorTextError(f"{path}: too large: expected at most {_MOST_BYTES} bytes")
        return _decoded(path, folder, found.st_mtime_ns, found.st_size)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OperatorTextError(f"{path}: {error.strerror or error}") from None


@lru_cache(maxsize=64)
def _decoded(path: Path, folder: Path, changed: int, size: int) -> str:
    """Return the text of a file; cached until time or size of its last change differ."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise OperatorTextError(f"{path}: the link leaves the folder")
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise OperatorTextError(f"{path}: expected UTF-8") from None


@lru_cache(maxsize=64)
def _rendered(text: str, language: str) -> OperatorText:
    """Return a text as HTML; cached."""
    tokens = _markdown.parse(text)
    title = ""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title = "".join(each.content for each in tokens[1].children or ())
        del tokens[:3]
    for token in tokens:
        if token.tag == "h1":  # the page has one already
            token.tag = "h2"
    body = _markdown.renderer.render(tokens, _markdown.options, {})
    return OperatorText(language, title, Markup(body))  # noqa: S704 - all text is escaped, and HTML is disabled
