"""Whether an answer shows somebody what was hidden, so that it can't be undone any more."""

from __future__ import annotations

from functools import cache

from .decisions import CHANCE, PUBLIC, Choose
from .determinization import hidden_card_counts
from .position import Position
from .rules import Rules
from .state import State, declarations


class RevealCheck:
    """A position before somebody (a seat, or CHANCE) answers."""

    __slots__ = ("_sealed", "_sequence", "_shows", "_state")

    def __init__(self, position: Position, who: int) -> None:
        self._sequence: int = position.sequence
        self._sealed: bool = position.sealed
        self._shows: bool = who == CHANCE or (not position.sealed and _is_secret(position.decision(who)))
        hides = not self._shows and bool(_hidden(position.game))
        self._state: State | None = position.state.clone() if hides else None

    def reveals(self, position: Position) -> bool:
        """Whether the answer, with what came unasked, was chance or secret, opened sealed ones, or made a card known.

        A secret one always counts: else whether it does would tell others what it was.
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
    """The fields on which it depends what somebody doesn't know; none in a game that hides nothing from a seat only."""
    found = [(name, visibility) for name, visibility in declarations(game.state_type) if visibility.who != "public"]
    if all(visibility.who in ("nobody", "derivable") for _, visibility in found):
        return ()
    return (*(name for name, _ in found), *(visibility.masks for _, visibility in found if visibility.masks))
