"""Input from browsers: fields of forms, and parameters of addresses.

Only this module converts them to texts and numbers. If a field occurs several times, the last one
counts, except in `texts()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from atoll.engine.integers import parse_int

from ...domain.model import Refused


def parse_number(text: str) -> int:
    """Return a number from 0 to 999,999,999 that is written in ASCII digits.

    Args:
        text: The number.

    Raises:
        Refused: If `text` isn't such a number.
    """
    value = parse_int(text)
    if value is None or text.startswith("-"):
        shown = text[:40]
        raise Refused("no_number", 422, f"invalid number {shown!r}: expected 0 to 999999999", fields={"text": shown})
    return value


class FormFields:
    """Fields of a form or of an address by name. A missing field is an empty text."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given: Mapping[str, Any] = given

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def text(self, name: str, longest: int = 2000) -> str:
        """Return the first `longest` characters of a field; "" for an uploaded file."""
        value = self._given.get(name, "")
        return value[:longest] if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        """Return a required number.

        Args:
            name: Name of the field.

        Raises:
            Refused: If the field is missing or isn't a number.
        """
        return parse_number(self.text(name))

    def number_if_any(self, name: str) -> int | None:
        """Return a number, or None for an empty or missing field.

        Args:
            name: Name of the field.

        Raises:
            Refused: If the field isn't a number.
        """
        text = self.text(name)
        return parse_number(text) if text else None

    # The fields of most commands.

    @property
    def seat(self) -> int:
        """The seat that acts.

        Raises:
            Refused: If the field is missing or isn't a number.
        """
        return self.number("seat")

    @property
    def stamp(self) -> str:
        """The stamp of the turn as the page shows it."""
        return self.text("stamp", 200)

    @property
    def key(self) -> str:
        """The idempotency key."""
        return self.text("key", 64)


def token_of_link(given: FormFields) -> str:
    """Return the secret of a link; the user may have pasted the whole link."""
    return given.text("token").rpartition("#")[2].strip()[:200]


async def form(request: Request) -> FormFields:
    """Return the fields of a submitted form."""
    # The guard has already read the body and limited its size, so no field can be longer.
    return FormFields(await request.form(max_part_size=len(await request.body())))


def query(request: Request) -> FormFields:
    """Return the parameters of the address."""
    return FormFields(request.query_params)
