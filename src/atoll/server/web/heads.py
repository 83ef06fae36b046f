"""The heads of requests as a connection has read them before: what a program sends differs in the body and little else.

A head is known by all its bytes but the length of the body. So none is read otherwise than the parser has read it.
"""

from __future__ import annotations

from typing import Any, Final

_MOST: Final = 4
_LONGEST: Final = 1024
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"\r\ncontent-length: "


class Heads:
    """The last few heads of one connection."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[dict[str, Any], int]] = {}

    def find(self, data: bytes) -> tuple[dict[str, Any], bytes] | None:
        """The scope, with a state of its own to be given, and the body of the one request that is here as a whole.

        None if its head isn't known.
        """
        if not self._known:
            return None
        body = data[data.find(_END) + len(_END) :]
        length = b"%d" % len(body)
        known = self._known.get(_without_length(data, length))
        if known is None:
            return None
        scope, place = known
        headers = list(scope["headers"])
        headers[place] = (b"content-length", length)
        return {**scope, "headers": headers}, body

    def keep(self, data: bytes, scope: dict[str, Any], body: bytes) -> None:
        """The parser has read this request, the first one in the data. Only where it is all of it the head is kept."""
        end = data.find(_END)
        length = b"%d" % len(body)
        head = _without_length(data, length)
        headers = scope["headers"]
        if head and end <= _LONGEST and data[end + len(_END) :] == body and (b"content-length", length) in headers:
            if len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
            self._known[head] = {**scope}, headers.index((b"content-length", length))

    def forget(self) -> None:
        """What comes now is read anew."""
        self._known.clear()


def _without_length(data: bytes, length: bytes) -> bytes:
    """The head of a request but for these digits, by which it must tell the length of its body; else nothing."""
    end = data.find(_END)
    begin = data.find(_LENGTH, 0, end + 2) + len(_LENGTH)
    after = begin + len(length)
    if begin < len(_LENGTH) or data[begin : after + 2] != length + b"\r\n":
        return b""
    return data[:begin] + data[after:end]
