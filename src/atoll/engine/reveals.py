"""Detection of reveals: answers that disclose hidden information and therefore can't be undone."""

from __future__ import annotations

from functools import cache

from .decisions import CHANCE, PUBLIC, Choose
from .determinization import hidden_card_counts
from .position import Position
from .rules import Rules
from .state import State, declarations


class RevealCheck:
    """A snapshot of a position before an answer, to detect whether the answer reveals something.

    Args:
        position: The position before the answer.
        who: The seat that answers, or `CHANCE`.
    """

    __slots__ = ("_sealed", "_sequence", "_shows", "_state")

    def __init__(self, position: Position, who: int) -> None:
        self._sequence: int = position.sequence
        self._sealed: bool = position.sealed
        self._shows: bool = who == CHANCE or (not position.sealed and _is_secret(position.decision(who)))
        hides = not self._shows and bool(_hidden(position.game))
        self._state: State | None = position.state.clone() if hides else None

    def reveals(self, position: Position) -> bool:
        """Return whether the answer, including automatic ones after it, revealed something.

        Chance, opened sealed decisions and secret answers always count. If a secret answer counted
        only sometimes, others could tell what it was. Other answers count if some viewer knows more
        cards than before.

        Args:
            position: The position after the answer.
        """
        if self._shows or (self._sealed and position.sequence != self._sequence):
            return True
        before, now = self._state, position.state
        if before is None or all(getattr(before, name) == getattr(now, name) for name in _hidden(position.game)):
            return False
        game = position.game
        return any(
            hidden_card_counts(game, before, viewer) - hidden_card_counts(game, now, viewer)
            for viewer in (None, *range(position.seats))
        )


def _is_secret(ask: Choose) -> bool:
    return ask.reveals or ask.audience != PUBLIC


@cache
def _hidden(game: Rules) -> tuple[str, ...]:
    """Return the fields that determine hidden information; none if no seat has any."""
    found = [(name, visibility) for name, visibility in declarations(game.state_type) if visibility.who != "public"]
    if all(visibility.who in ("nobody", "derivable") for _, visibility in found):
        return ()
    return (*(name for name, _ in found), *(visibility.masks for _, visibility in found if visibility.masks))
