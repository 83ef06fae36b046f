"""Bundles of scripts and style sheets: one file of each kind per page.

Every file costs a round trip on a slow connection. The modules of the site, with those of a game on
its pages, are therefore sent as one module. Each module becomes a function, and imported modules
come first. Only modules in a folder `late` are loaded by their own address, when they are needed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin

from atoll.picture.windows import with_windows

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?:(?=(?:async function|function|class|const) (\w+))|\{ ?(\w+) ?\};\n)", re.MULTILINE
)
_LATE: Final = "late"
_ANY: Final = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_NESTED: Final = re.compile(r"`[^`]*\$\{[^}`]*`")
"""The beginning of a template literal with another one inside."""
_LATER: Final = re.compile(r'\bimport\((?:"([^"]+)"|(\w+))\)')


class BundleError(Exception):
    """Modules that can't be bundled; the message names the module and the reason."""


def script(read: Callable[[str], str], names: Iterable[str], last: str) -> str:
    """Return modules and everything that they import as one module.

    A dynamic `import(...)` returns a module of the bundle, or loads one of a folder `late`.
    Comments and needless spaces are removed.

    Args:
        read: Returns the text of a module by its address.
        names: Addresses of the modules.
        last: Address of the module that runs after all others, and whose exports the bundle
            exports. Only this one may use top-level `await`, unless it exports something.

    Raises:
        BundleError: If modules import each other, or use syntax that can't be bundled.
    """
    texts: dict[str, str] = {}
    needs: dict[str, list[str]] = {}
    left = [*names, last]
    while left:
        path = left.pop()
        if path in texts:
            continue
        texts[path] = read(path)
        needs[path] = [_address(path, found[2]) for found in _IMPORT.finditer(texts[path])]
        left += needs[path]
    exports = {path: [one or other for one, other in _EXPORT.findall(text)] for path, text in texts.items()}
    try:
        order = [path for path in TopologicalSorter(needs).static_order() if path != last]
    except CycleError as error:
        raise BundleError(f"modules import each other: {' > '.join(error.args[1])}") from None
    wrapped = [_wrapped(path, texts[path], exports) for path in (*order, last)]
    offered = f"export const {{ {', '.join(exports[last])} }} = modules[{last!r}];\n" if exports[last] else ""
    return minified("const modules = {};\n" + "".join(wrapped) + offered)


def minified(script: str) -> str:
    """Return a script without comments and needless spaces.

    The names of windows are replaced by their conditions.

    Args:
        script: The script.

    Raises:
        BundleError: If a template literal stands inside another one. The minifier takes the text
            between their backticks for code, and would remove its spaces.
    """
    if nested := _NESTED.search(script):
        raise BundleError(f"a template literal inside another one: {nested[0]}")
    short: str = jsmin(with_windows(script))
    return short


def style(sheets: Iterable[str]) -> str:
    """Return style sheets as one, in their order, without comments and needless spaces.

    The names of windows are replaced by their conditions.
    """
    short: str = cssmin(with_windows("".join(sheets)))
    return short


def _wrapped(path: str, text: str, exports: dict[str, list[str]]) -> str:
    """Return a module as a function that is called immediately and returns its exports.

    Args:
        path: Address of the module.
        text: Its text.
        exports: Names that each module exports, by address.

    Raises:
        BundleError: If the module imports unknown names or uses syntax that can't be bundled.
    """

    def imported(found: re.Match[str]) -> str:
        """Return an import statement as an assignment."""
        names = [name.strip() for name in found[1].split(",") if name.strip()]
        address = _address(path, found[2])
        for name in names:
            wanted = name.split(" as ")[0]
            if wanted not in exports[address]:
                known = ", ".join(exports[address])
                raise BundleError(f"{path} imports {wanted!r} of {address}, which exports: {known}")
        return f"const {{ {', '.join(name.replace(' as ', ': ') for name in names)} }} = modules[{address!r}];\n"

    def later(found: re.Match[str]) -> str:
        """Return a dynamic import as access to a module of the bundle."""
        if found[2]:
            return f"modules[{found[2]}]"
        address = _address(path, found[1])
        if posixpath.basename(posixpath.dirname(address)) == _LATE:
            return f'import("{address}")'
        if address not in exports:
            raise BundleError(f"{path} imports {address}, which isn't among the modules")
        return f"modules[{address!r}]"

    body = _LATER.sub(later, _EXPORT.sub("", _IMPORT.sub(imported, text)))
    odd = _ANY.search(body)
    if odd is not None:
        allowed = "`import { names } from`, `export` of a declaration, `export { name };`"
        raise BundleError(f"{path}: unsupported statement {odd[0]!r}: expected {allowed}")
    if exports[path]:
        return f"modules[{path!r}] = (() => {{\n{body}return {{ {', '.join(exports[path])} }};\n}})();\n"
    return f"await (async () => {{\n{body}}})();\n"


def _address(path: str, other: str) -> str:
    """Return the address of a module that another module imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), other))
