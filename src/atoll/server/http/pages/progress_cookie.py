"""Where it is kept what a reader has learnt: with the account, or in a cookie of who has none.

Reading changes nothing on the server: what is learnt by looking at a page is in the cookie until something is sent.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...domain.progress import Learning
from ..session import cookie, set_cookie, tables

_COOKIE: Final = "learning"
_MOST: Final = 3600  # characters: browsers keep cookies of up to 4096 bytes


def learning_of(request: Request) -> Learning:
    """What the reader has learnt; a cookie that somebody made up counts for nothing."""
    read = _of_cookie(request)
    if request.state.user is None:
        return read
    known: Learning = request.state.user.learning
    return msgspec.structs.replace(
        known,
        lessons={**known.lessons, **read.lessons},
        puzzles={**read.puzzles, **known.puzzles},
        days={**read.days, **known.days},
    )


def _of_cookie(request: Request) -> Learning:
    """What the reader's cookie says, read once for a request: a page of many lessons asks for each of them."""
    state = request.scope["state"]
    found: Learning | None = state.get("learning")
    if found is None:
        found = state["learning"] = _decoded(cookie(request, _COOKIE))
    return found


def _decoded(text: str) -> Learning:
    try:
        data = base64.urlsafe_b64decode(text[: _MOST + 400].encode("ascii"))
        return msgspec.json.decode(data, type=Learning)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        return Learning()


async def keep_learning(request: Request, response: Response, learning: Learning) -> None:
    """Keep what the reader has learnt. A cookie that would be too long forgets the puzzles of longest ago."""
    if request.state.user is not None and request.method == "POST":
        await tables(request).people.set_learning(request.state.user, learning)
        return
    puzzles = dict(learning.puzzles)
    text = _encoded(learning, puzzles)
    while len(text) > _MOST and puzzles:
        del puzzles[next(iter(puzzles))]
        text = _encoded(learning, puzzles)
    set_cookie(response, request, _COOKIE, text)


def _encoded(learning: Learning, puzzles: Mapping[str, Any]) -> str:
    data = msgspec.json.encode(msgspec.structs.replace(learning, puzzles=puzzles))
    return base64.urlsafe_b64encode(data).decode()
