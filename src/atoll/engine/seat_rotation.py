"""Choices with seats relative to a viewer, as learners see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .state import SEAT
from .vocabulary import Kind, Vocabulary

_SEAT_DOMAIN: Final = "seat"


class SeatRotation:
    """Conversion of choices between absolute seats and seats relative to a viewer.

    Args:
        vocabulary: Vocabulary of the game.
        seats: Number of seats.

    Attributes:
        seats: Number of seats.
    """

    def __init__(self, vocabulary: Vocabulary, seats: int) -> None:
        self.seats: int = seats
        self._there: list[dict[int, int]] = []
        self._back: list[dict[int, int]] = []
        for viewer in range(seats):
            turned = {
                choice: kind.choice(*self._parts(kind, choice, viewer))
                for kind in vocabulary.kinds
                if not kind.is_chance and any(domain.name == _SEAT_DOMAIN for domain in kind.domains)
                for choice in range(kind.first, kind.end)
            }
            self._there.append(turned)
            self._back.append({seen: choice for choice, seen in turned.items()})

    def _parts(self, kind: Kind, choice: int, viewer: int) -> list[int]:
        pairs = zip(kind.domains, kind.parts(choice), strict=True)
        return [
            SEAT.seen_from(viewer, self.seats, part) if domain.name == _SEAT_DOMAIN else part for domain, part in pairs
        ]

    def seen(self, choice: int, viewer: int) -> int:
        """Return a choice with seats relative to the viewer."""
        return self._there[viewer].get(choice, choice)

    def all_seen(self, choices: Sequence[int], viewer: int) -> Sequence[int]:
        """Return choices with seats relative to the viewer, in the same order."""
        turned = self._there[viewer]
        return [turned.get(choice, choice) for choice in choices] if turned else choices

    def choice(self, seen: int, viewer: int) -> int:
        """Return the choice with absolute seats of a choice relative to the viewer."""
        return self._back[viewer].get(seen, seen)
