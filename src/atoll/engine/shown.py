"""Whether an answer shows somebody what was hidden, so that it can't be undone any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .decisions import CHANCE
from .position import Position
from .redeal import unknown_cards
from .state import declarations


class Before:
    """A position before somebody (a seat, or CHANCE) answers."""

    __slots__ = ("_final", "_sealed", "_sequence", "_unknown")

    def __init__(self, position: Position, who: int) -> None:
        self._sequence: int = position.sequence
        self._sealed: bool = position.sealed
        self._final: bool = who == CHANCE or position.decision(who).reveals
        self._unknown: Sequence[Counter[tuple[str, int]]] = () if self._final else _unknown(position)

    def is_shown(self, position: Position) -> bool:
        """Whether the answer, with what came unasked, was chance, opened sealed answers, or made a card known."""
        if self._final or (self._sealed and position.sequence != self._sequence):
            return True
        after = _unknown(position) if self._unknown else ()
        return any(before - now for before, now in zip(self._unknown, after, strict=True))


def _unknown(position: Position) -> Sequence[Counter[tuple[str, int]]]:
    """What each seat, and a spectator, doesn't know; nothing in a game without hidden cards."""
    state = position.state
    if not any(visibility.who in ("owner", "known") for _, visibility in declarations(type(state))):
        return ()
    return [unknown_cards(position.game, state, viewer) for viewer in (None, *range(position.seats))]
