"""The reader's progress in lessons and puzzles, in the account or in a cookie.

GET requests change nothing on the server: progress from reading a page stays in the cookie until
the next POST. For readers without an account, all progress stays there.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...domain.progress import LearningProgress
from ..session import cookie, set_cookie, tables

_COOKIE: Final = "learning"
_MAX_COOKIE_CHARS: Final = 3600
"""Largest number of characters. Browsers store cookies of up to 4096 bytes."""


def progress_of(request: Request) -> LearningProgress:
    """Return the reader's progress; an invalid cookie counts as none."""
    read = _progress_in_cookie(request)
    if request.state.user is None:
        return read
    known: LearningProgress = request.state.user.learning
    return msgspec.structs.replace(
        known,
        lessons={**known.lessons, **read.lessons},
        puzzles={**read.puzzles, **known.puzzles},
        days={**read.days, **known.days},
        streaks={**read.streaks, **known.streaks},
    )


def _progress_in_cookie(request: Request) -> LearningProgress:
    """Return the progress in the cookie, which is decoded once per request."""
    state = request.scope["state"]
    found: LearningProgress | None = state.get("learning")
    if found is None:
        found = state["learning"] = _decoded(cookie(request, _COOKIE))
    return found


def _decoded(text: str) -> LearningProgress:
    """Return the decoded progress; empty if the text is invalid."""
    try:
        data = base64.urlsafe_b64decode(text[: _MAX_COOKIE_CHARS + 400].encode("ascii"))
        return msgspec.json.decode(data, type=LearningProgress)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        return LearningProgress()


async def store_progress(request: Request, response: Response, learning: LearningProgress) -> None:
    """Store the reader's progress; a cookie that would be too long drops the oldest puzzles.

    Args:
        request: The request.
        response: The response, which may set the cookie.
        learning: The progress.
    """
    if request.state.user is not None and request.method == "POST":
        await tables(request).users.set_learning(request.state.user, learning)
        return
    puzzles = dict(learning.puzzles)
    text = _encoded(learning, puzzles)
    while len(text) > _MAX_COOKIE_CHARS and puzzles:
        del puzzles[next(iter(puzzles))]
        text = _encoded(learning, puzzles)
    set_cookie(response, request, _COOKIE, text)


def _encoded(learning: LearningProgress, puzzles: Mapping[str, Any]) -> str:
    """Return the progress as the text of a cookie, with these puzzles."""
    data = msgspec.json.encode(msgspec.structs.replace(learning, puzzles=puzzles))
    return base64.urlsafe_b64encode(data).decode()
