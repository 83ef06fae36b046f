"""Docstrings for Sphinx: their markup becomes reStructuredText, and names become links.

Docstrings mark code by single backticks and by fences, as Markdown does.
"""

from __future__ import annotations

import re
from typing import Any, Final

from docutils import nodes
from sphinx.util.nodes import make_refnode

_CODE: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_FENCE: Final = re.compile(r"^(\s*)```(\w*)$")
_NAME: Final = re.compile(r"(?:[A-Z]\w*|[a-z_]\w*(?=\.))(?:\.\w+)*(?:\(\))?")
_CONSTANTS: Final = frozenset({"None", "True", "False"})
_FILES: Final = (".py", ".md", ".js", ".toml", ".npz", ".css", ".po", ".svg", ".json", ".jinja")
_TYPES: Final = frozenset({"class", "exc", "obj", "meth", "func", "data", "attr"})


def converted(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText.

    Args:
        lines: Lines of a docstring without its indentation.
    """
    found: list[str] = []
    prose: list[str] = []
    fence: str | None = None
    for line in lines:
        match = _FENCE.match(line)
        if fence is None and match:
            found += [*_prose(prose), "", f"{match[1]}.. code-block:: {match[2] or 'text'}", ""]
            prose, fence = [], match[1]
        elif fence is not None and match:
            found.append("")
            fence = None
        elif fence is not None:
            found.append(f"   {line}" if line else "")
        else:
            prose.append(line)
    return [*found, *_prose(prose)]


def _prose(lines: list[str]) -> list[str]:
    """Return lines without code blocks as reStructuredText."""
    return _CODE.sub(_code, "\n".join(lines)).split("\n") if lines else []


def _code(found: re.Match[str]) -> str:
    """Return code in a line: a name as a reference, and everything else as a literal."""
    text = found[1]
    if _NAME.fullmatch(text) and text not in _CONSTANTS and not text.endswith(_FILES):
        return f":py:obj:`{text}`"
    return f"``{text}``"


def process(app: Any, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """Convert a docstring in place; a listener of autodoc's event.

    Args:
        app: The Sphinx application.
        what: Kind of the documented object.
        name: Its name.
        obj: The object.
        options: Options of the directive.
        lines: Lines of the docstring.
    """
    lines[:] = converted(lines)


def resolve(app: Any, env: Any, node: Any, text: Any) -> Any:
    """Return the link of a name without its module, if exactly one object has this name.

    Args:
        app: The Sphinx application.
        env: Its environment.
        node: The unresolved reference.
        text: Its text.

    Returns:
        The link; the text for a name in a docstring that isn't documented; None for other
        references, which Sphinx then reports.
    """
    if node.get("refdomain") != "py" or node.get("reftype") not in _TYPES:
        return None
    domain = env.get_domain("py")
    target = node["reftarget"].removesuffix("()")
    names = [name for name in domain.objects if name == target or name.endswith(f".{target}")]
    if target[:1].isupper() and len(names) == 1:
        found = domain.objects[names[0]]
        return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, text, names[0])
    return nodes.literal("", text.astext()) if node["reftype"] == "obj" else None
