"""What effects of cards do, where the data of a game names them by verbs: one function per verb.

A game lists its verbs once, where it reads its components; a verb that isn't listed is refused there. The functions
stand in the chapters of the rules to which they belong, and register themselves:

    FLOWS: Final = Verbs[int, VerbFlow](range(len(VERBS)))

    @FLOWS.of(SELL)
    def sell(s: GameState, seat: int, effect: Effect) -> Flow:
        ...

    yield from FLOWS[effect.verb](s, seat, effect)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
F = TypeVar("F")


class EffectHandlers(dict[K, F]):
    """The functions of a closed set of verbs, one each; a dict, because effects look them up in the hottest loops."""

    def __init__(self, verbs: Iterable[K]) -> None:
        super().__init__()
        self._verbs: tuple[K, ...] = tuple(verbs)

    def of(self, verb: K) -> Callable[[F], F]:
        """Register the one function of a verb. Raises ValueError for one that is unknown, or has a function."""

        def register(function: F) -> F:
            if verb not in self._verbs:
                raise ValueError(f"verb {verb!r} is unknown; known: {', '.join(map(repr, self._verbs))}")
            if verb in self:
                raise ValueError(f"verb {verb!r} has two functions: {self[verb]!r} and {function!r}")
            self[verb] = function
            return function

        return register

    def missing(self) -> list[K]:
        """The verbs that have no function: none, when all chapters of a game are imported."""
        return [verb for verb in self._verbs if verb not in self]
