"""Helpers that write Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def cell(text: str) -> str:
    """Return a text that can be a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    Args:
        head: Titles of the columns.
        rows: Cells of each row, as Markdown.
    """
    lines = [head, ["--"] * len(head), *([cell(each) for each in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def escaped(text: str) -> str:
    """Return a plain text as Markdown: characters with a meaning in Markdown lose it."""
    return "".join(f"\\{each}" if each in "\\`*_{}[]<>#|" else each for each in text)
