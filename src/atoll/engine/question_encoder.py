"""The part of an observation that the engine knows: the question and the seat's own answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .decisions import Choose
from .position import Position
from .rules import Rules
from .seat_rotation import SeatRotation

ANSWERS: Final = 16
"""Maximum number of own answers in an observation."""
_NO_ANSWERS: Final = (-1,) * ANSWERS


class QuestionEncoder:
    """Encodes the question to a seat, and its answers since the last checkpoint.

    The numbers are the arrays `to_move` to `answers` of `atoll.engine.observation`.
    """

    def __init__(self, game: Rules, seats: int, turning: SeatRotation) -> None:
        """Create an encoder.

        Args:
            game: The rules.
            seats: Number of seats.
            turning: Conversion of choices to relative seats.
        """
        self._seats: int = seats
        self._turning: SeatRotation = turning
        self._prompts: dict[str, int] = {prompt: index for index, prompt in enumerate(game.prompts)}
        self._sources: dict[str, int] = {source: index for index, source in enumerate(game.sources)}
        self._placeholders: list[tuple[str, bool]] = [(name, name.startswith("seat")) for name in game.placeholders]
        self._silent: list[int] = [-1] * (2 + len(self._placeholders))
        self._one_asked: list[list[int]] = [[int(each == step) for each in range(seats)] for step in range(seats)]

    def numbers(self, position: Position, seat: int) -> list[int]:
        """Return the numbers for a seat.

        Args:
            position: The position.
            seat: The seat; it needn't be asked.
        """
        seats = self._seats
        movers = position.to_move
        sealed = position.sealed
        if len(movers) == 1:
            found = self._one_asked[(movers[0] - seat) % seats][:]
        else:
            found = [0] * seats
            for mover in movers:
                found[(mover - seat) % seats] = 1
        found.append(1 if sealed else 0)
        if seat in movers:
            self._add_question(found, position.decision(seat), seat)
        elif movers and not sealed:
            found.append(self._prompts[position.decision(movers[0]).prompt])
            found.extend(self._silent[1:])
        else:
            found.extend(self._silent)
        own = position.answers_since_checkpoint(seat)
        if not own:
            found.extend(_NO_ANSWERS)
            return found
        seen: Sequence[int] = self._turning.all_seen(own[-ANSWERS:], seat)
        found.extend(seen)
        found.extend(_NO_ANSWERS[len(seen) :])
        return found

    def _add_question(self, found: list[int], ask: Choose, seat: int) -> None:
        """Add a decision of the seat."""
        found.append(self._prompts[ask.prompt])
        found.append(self._sources[ask.source])
        values = ask.placeholders
        if not values:
            found.extend(self._silent[2:])
            return
        for name, is_seat in self._placeholders:
            value = int(values.get(name, -1))
            found.append((value - seat) % self._seats if is_seat and value >= 0 else value)
