"""Fragments: elements of a page that are sent only to clients that don't have them.

A page is a skeleton with fragments, which may contain fragments. A client sends the digests of the
fragments that it has, and the server writes those as empty elements. The server doesn't remember
what clients have.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from hashlib import blake2b
from typing import Any, Final, ParamSpec, TypeVar

from markupsafe import Markup

P = ParamSpec("P")
R = TypeVar("R")

_MOST: Final = 16_384
"""Maximum number of cached drawings."""
_LEAST: Final = 240
"""Minimum length in characters of a fragment with a digest."""

_OPENING: Final = re.compile(r'\s*<([a-z]+) id="([^"]*)"\s*((?:"[^"]*"|[^">])*)>')


class Fragment:
    """An element with an id.

    Args:
        tag: Name of the element.
        id: Its id, without characters that need escaping.
        attributes: All other attributes, as markup.
        inner: Its content: markup and fragments.

    Attributes:
        digest: Hash of the whole element: 48 bits in 8 characters.
        stub: The empty element with this digest; "" for elements that are short or empty.
        size: Length of the whole element in characters.
    """

    __slots__ = ("_parts", "digest", "size", "stub")

    def __init__(self, tag: str, id: str, attributes: str, inner: Iterable[str | Fragment]) -> None:
        parts: list[str | Fragment] = [f" {attributes}>" if attributes else ">", *inner, f"</{tag}>"]
        opening = f'<{tag} id="{id}"'
        content = "\0".join([opening, *(part.digest if type(part) is Fragment else str(part) for part in parts)])
        length = sum(part.size if type(part) is Fragment else len(str(part)) for part in parts)
        self.digest: str = base64.urlsafe_b64encode(blake2b(content.encode(), digest_size=6).digest()).decode()
        self.stub: str = ""
        around = len(parts[0]) + len(parts[-1])  # type: ignore[arg-type]
        if len(opening) + length >= _LEAST and length > around:
            opening = f'{opening} data-h="{self.digest}"'
            self.stub = f"{opening}></{tag}>"
        self.size: int = len(opening) + length
        self._parts: tuple[str | Fragment, ...] = _merged([opening, *parts])

    @classmethod
    def of(cls, markup: str) -> Fragment:
        """Return the fragment of one element that a template wrote.

        Args:
            markup: The element; its first attribute must be its id.

        Raises:
            ValueError: If the markup doesn't start with such an element.
        """
        found = _OPENING.match(markup)
        if found is None:
            raise ValueError(f"a fragment begins with an element and its id, not with {markup[:40]!r}")
        tag, id, attributes = found.groups()
        return cls(tag, id, attributes, (markup[found.end() :].rstrip().removesuffix(f"</{tag}>"),))

    def write(self, known: frozenset[str], out: list[str]) -> None:
        """Append the markup for a client.

        Args:
            known: Digests of the fragments that the client has.
            out: Markup so far.
        """
        if self.stub and self.digest in known:
            out.append(self.stub)
            return
        for part in self._parts:
            if type(part) is Fragment:
                part.write(known, out)
            else:
                out.append(str(part))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fragment) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __html__(self) -> str:
        """Return the whole element."""
        return Sender(frozenset())([self])


def _merged(parts: Iterable[str | Fragment]) -> tuple[str | Fragment, ...]:
    """Return the same parts, with adjacent strings joined."""
    merged: list[str | Fragment] = []
    for part in parts:
        if type(part) is not Fragment and merged and type(merged[-1]) is not Fragment:
            merged[-1] = f"{merged[-1]}{part}"
        else:
            merged.append(part if type(part) is Fragment else str(part))
    return tuple(merged)


def digests_in(header: str) -> frozenset[str]:
    """Return the digests in a request header, in which they are separated by periods."""
    return frozenset(header.split(".")) if header else frozenset()


class Sender:
    """Writer of fragments for one client.

    Args:
        known: Digests of the fragments that the client has.
    """

    __slots__ = ("_known",)

    def __init__(self, known: frozenset[str]) -> None:
        self._known: frozenset[str] = known

    def __call__(self, fragments: Fragment | Iterable[Fragment]) -> Markup:
        """Return the markup of fragments for this client."""
        out: list[str] = []
        for each in (fragments,) if isinstance(fragments, Fragment) else fragments:
            each.write(self._known, out)
        return Markup("".join(out))  # noqa: S704 - fragments consist of markup


@lru_cache(maxsize=_MOST)
def _drawn(draw: Callable[..., Any], /, *args: Any, **values: Any) -> Any:
    return draw(*args, **values)


def fragment(draw: Callable[P, R]) -> Callable[P, R]:
    """Cache the results of a pure function with hashable arguments.

    All such functions share one cache. Calling the function with an argument that isn't hashable
    raises a TypeError.

    Args:
        draw: The function.

    Returns:
        The caching function.
    """

    @wraps(draw)
    def cached(*args: P.args, **values: P.kwargs) -> R:
        """Return the cached result of the function."""
        found: R = _drawn(draw, *args, **values)  # type: ignore[arg-type]
        return found

    return cached


cache_clear = _drawn.cache_clear
cache_info = _drawn.cache_info
