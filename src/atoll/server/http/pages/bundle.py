"""What a page loads, one file of each kind: put together from modules and style sheets as they are written.

On a slow line every file costs a way there and back, so the site's modules, and those of a game at its tables, are sent
as one module: those that others import come first, each in a function of its own, under its address.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Final

from atoll.picture.windows import with_windows

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?:(?=(?:async function|function|class|const) (\w+))|\{ ?(\w+) ?\};\n)", re.MULTILINE
)
_ANY: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_LATER: Final = re.compile(r'\bimport\((?:"([^"]+)"|(\w+))\)')
_LEFT_OUT: Final = re.compile(
    r"`(?:\\.|[^`\\])*`|^( *(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)?(?:\n|\Z))", re.MULTILINE | re.DOTALL
)


class BundleError(Exception):
    """Modules that can't be put together: the message says which and why."""


def script(read: Callable[[str], str], names: Iterable[str], last: str) -> str:
    """These modules and all that they import as one, without comments that fill whole lines.

    read: the text of a module by its address. last: the module that is run when all others are there; it alone may
    wait. `import(...)` gives a module that is there already. Raises BundleError.
    """
    texts: dict[str, str] = {}
    needs: dict[str, list[str]] = {}
    left = [*names, last]
    while left:
        path = left.pop()
        if path in texts:
            continue
        texts[path] = bare(read(path))
        needs[path] = [_address(path, found[2]) for found in _IMPORT.finditer(texts[path])]
        left += needs[path]
    exports = {path: [one or other for one, other in _EXPORT.findall(text)] for path, text in texts.items()}
    try:
        order = [path for path in TopologicalSorter(needs).static_order() if path != last]
    except CycleError as error:
        raise BundleError(f"modules import each other: {' > '.join(error.args[1])}") from None
    wrapped = [_wrapped(path, texts[path], exports) for path in (*order, last)]
    return "const modules = {};\n" + "".join(wrapped)


def style(sheets: Iterable[str]) -> str:
    """Style sheets as one, in their order, without comments."""
    return "".join(bare(sheet) for sheet in sheets)


def bare(content: str) -> str:
    """A script or style with the conditions of its windows, without empty lines and comments that fill whole lines."""
    return with_windows(_LEFT_OUT.sub(lambda found: found[0] if found[1] is None else "", content))


def _wrapped(path: str, text: str, exports: dict[str, list[str]]) -> str:
    """A module as a function that is run at once and gives what the module exports."""

    def imported(found: re.Match[str]) -> str:
        names = [name.strip() for name in found[1].split(",") if name.strip()]
        address = _address(path, found[2])
        for name in names:
            wanted = name.split(" as ")[0]
            if wanted not in exports[address]:
                known = ", ".join(exports[address])
                raise BundleError(f"{path} imports {wanted!r} of {address}, which exports: {known}")
        return f"const {{ {', '.join(name.replace(' as ', ': ') for name in names)} }} = modules[{address!r}];\n"

    def later(found: re.Match[str]) -> str:
        if found[2]:
            return f"modules[{found[2]}]"
        address = _address(path, found[1])
        if address not in exports:
            raise BundleError(f"{path} imports {address}, which isn't among the modules")
        return f"modules[{address!r}]"

    body = _LATER.sub(later, _EXPORT.sub("", _IMPORT.sub(imported, text)))
    odd = _ANY.search(body)
    if odd is not None:
        allowed = "`import { names } from`, `export` of a declaration, `export { name };`"
        raise BundleError(f"{path}: {odd[0]!r}: allowed are {allowed}")
    if exports[path]:
        return f"modules[{path!r}] = (() => {{\n{body}return {{ {', '.join(exports[path])} }};\n}})();\n"
    return f"await (async () => {{\n{body}}})();\n"


def _address(path: str, other: str) -> str:
    """The address that a module means by another's."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))
