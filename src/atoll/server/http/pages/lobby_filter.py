"""The filter of the lobby: from the address, or as the browser last used it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from atoll.engine.languages import LANGUAGES
from atoll.store import ORDERS, LobbyFilter

from ...domain.model import Refused
from ...domain.paces import PACE_KINDS
from ..session import cookie, set_cookie
from .forms import FormFields, parse_number, query

REMEMBERED: Final = "lobby"
"""Purpose of the cookie with the filter that the browser last used."""
DISTANCES: Final = (150, 300)
"""Distances of the host's rating that can be chosen, in points."""
_RATED: Final = {"": None, "yes": True, "no": False}
_FIELDS: Final = ("game", "seats", "pace", "rated", "near", "order", "language")


@dataclass(frozen=True, slots=True)
class ChosenFilter:
    """The filter of the lobby as texts, by field of the form.

    Attributes:
        game: Id of the game, or "".
        seats: Number of seats, or "".
        pace: Pace of the tables, or "".
        rated: "yes", "no" or "".
        near: Largest distance of the host's rating in points, or "".
        order: Order of the waiting tables.
        language: Language of the hosts, or "".
    """

    game: str = ""
    seats: str = ""
    pace: str = ""
    rated: str = ""
    near: str = ""
    order: str = ""
    language: str = ""

    @property
    def others(self) -> bool:
        """True if anything except the game is chosen."""
        return any(getattr(self, name) for name in _FIELDS[1:])

    def address(self, **changes: str) -> str:
        """Return the query of an address with this filter, without empty fields at the end.

        Args:
            **changes: Fields with other values. They are part of the address even if empty.
        """
        fields = {name: value for name in _FIELDS if (value := getattr(self, name))}
        return urlencode({**fields, **changes})

    def store_filter(self) -> LobbyFilter:
        """Return the filter for the services, without the range of ratings.

        Raises:
            Refused: If a value isn't known.
        """
        for name, allowed in (("pace", PACE_KINDS), ("rated", _RATED), ("order", ORDERS), ("language", LANGUAGES)):
            value = getattr(self, name)
            if value and value not in allowed:
                known = ", ".join(filter(None, allowed))
                raise Refused("bad_option", 422, f"{name} {value[:20]!r}: expected one of {known}")
        seats = parse_number(self.seats) if self.seats else 0
        return LobbyFilter(self.game, seats, self.pace, _RATED[self.rated], language=self.language, order=self.order)

    @property
    def distance(self) -> int:
        """The largest distance of the host's rating in points; 0 for all.

        Raises:
            Refused: If it isn't one of `DISTANCES`.
        """
        if not self.near:
            return 0
        if self.near not in map(str, DISTANCES):
            raise Refused("bad_option", 422, f"near: expected one of {', '.join(map(str, DISTANCES))}")
        return int(self.near)


def chosen_filter(request: Request) -> ChosenFilter:
    """Return the filter in the address, or else the one that the browser last used."""
    asked = query(request)
    if any(name in asked for name in _FIELDS):
        return _of(asked)
    known = cookie(request, REMEMBERED).split(".")
    return ChosenFilter(*known) if len(known) == len(_FIELDS) else ChosenFilter()


def _of(given: FormFields) -> ChosenFilter:
    return ChosenFilter(*(given.text(name, 40) for name in _FIELDS))


def remember(response: Response, request: Request, chosen: ChosenFilter) -> None:
    """Let the browser remember a filter.

    Args:
        response: The response.
        request: The request.
        chosen: The filter.
    """
    value = ".".join(getattr(chosen, name) for name in _FIELDS)
    if value != (cookie(request, REMEMBERED) or "." * (len(_FIELDS) - 1)) and value.isascii():
        set_cookie(response, request, REMEMBERED, value)
