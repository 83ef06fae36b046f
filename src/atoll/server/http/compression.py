"""What is sent, in gzip: by ISA-L, which takes an eighth of zlib's time for a tenth more bytes.

Scripts and style sheets are the same for everybody. They are packed by zlib, once for each version.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from isal import isal_zlib
from starlette.middleware.gzip import GZipMiddleware, IdentityResponder
from starlette.types import Receive, Scope, Send

_LEVEL: Final = 2
_GZIP: Final = 16 + isal_zlib.MAX_WBITS


def taken(scope: Scope) -> bool:
    """Whether who asks takes gzip."""
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


def zipped(body: bytes) -> bytes:
    """A whole body in gzip."""
    return isal_zlib.compress(body, _LEVEL, _GZIP)


@lru_cache(maxsize=64)
def packed(body: bytes) -> bytes:
    """A whole body that is sent often, in gzip, as small as it gets."""
    return gzip.compress(body, 9, mtime=0)


class Zipped(GZipMiddleware):
    """Answers of at least so many bytes are sent in gzip to whoever takes it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See GZipMiddleware."""
        if scope["type"] != "http" or not taken(scope):
            await super().__call__(scope, receive, send)
            return
        answer = _Answer(self.app, self.minimum_size, exclude_content_types=self.exclude_content_types)
        await answer(scope, receive, send)


class _Answer(IdentityResponder):
    content_encoding = "gzip"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._stream = isal_zlib.compressobj(_LEVEL, isal_zlib.DEFLATED, _GZIP)
        await super().__call__(scope, receive, send)

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        return self._stream.compress(body) + self._stream.flush(
            isal_zlib.Z_SYNC_FLUSH if more_body else isal_zlib.Z_FINISH
        )
