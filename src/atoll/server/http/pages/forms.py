"""What a browser sends: the fields of a form, or what stands in an address after the question mark.

Here and nowhere else they become texts and numbers. Of a field that comes several times the last counts, where not
all are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request

from atoll.engine.whole import whole

from ...domain.model import Refused


def whole_number(text: str) -> int:
    """A number from 0 to 999,999,999 in the ten ASCII digits. Raises Refused."""
    value = whole(text)
    if value is None or text.startswith("-"):
        shown = text[:40]
        raise Refused("no_number", 422, f"{shown!r} is no number; allowed: 0 to 999999999", fields={"text": shown})
    return value


class Fields:
    """Texts and numbers by name. A field that wasn't sent is an empty text."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given: Mapping[str, Any] = given

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def names(self) -> list[str]:
        """What was sent, up to 100 fields."""
        return list(self._given)[:100]

    def text(self, name: str, longest: int = 2000) -> str:
        """The beginning of a text; a file is none."""
        value = self._given.get(name, "")
        return value[:longest] if isinstance(value, str) else ""

    def texts(self, name: str, longest: int = 2000) -> list[str]:
        """The beginnings of all texts of a field that comes several times, up to 100."""
        given = self._given.getlist(name) if isinstance(self._given, ImmutableMultiDict) else []
        return [value[:longest] for value in given[:100] if isinstance(value, str)]

    def number(self, name: str) -> int:
        """A number that must be there. Raises Refused."""
        return whole_number(self.text(name))

    def number_if_any(self, name: str) -> int | None:
        """A number, None for an empty text. Raises Refused."""
        text = self.text(name)
        return whole_number(text) if text else None

    # What most commands bring.

    @property
    def seat(self) -> int:
        """The seat that does it. Raises Refused."""
        return self.number("seat")

    @property
    def stamp(self) -> str:
        """The stamp of the turn as it was read."""
        return self.text("stamp", 200)

    @property
    def key(self) -> str:
        """The idempotency key."""
        return self.text("key", 64)


def carried_token(given: Fields) -> str:
    """The secret of a link, of which somebody may have given all."""
    return given.text("token").rpartition("#")[2].strip()[:200]


async def form(request: Request) -> Fields:
    """What was posted. Raises Refused."""
    # The guard has read the body already, and bounded it: no field is longer.
    return Fields(await request.form(max_part_size=len(await request.body())))


def query(request: Request) -> Fields:
    """What stands in the address."""
    return Fields(request.query_params)
