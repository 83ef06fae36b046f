"""Effects of cards: one function per verb that the component data uses.

A game lists its verbs where it reads its components; other verbs are rejected there. The functions
are in the modules of the rules that they belong to, and register themselves:

```python
HANDLERS: Final = EffectHandlers[int, Handler](range(len(VERBS)))

@HANDLERS.of(SELL)
def sell(s: GameState, seat: int, effect: Effect) -> Flow:
    ...

yield from HANDLERS[effect.verb](s, seat, effect)
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
F = TypeVar("F")


class EffectHandlers(dict[K, F]):
    """The functions of a closed set of verbs, by verb.

    It is a dict, because effects are looked up in hot loops.

    Args:
        verbs: All verbs.
    """

    def __init__(self, verbs: Iterable[K]) -> None:
        super().__init__()
        self._verbs: tuple[K, ...] = tuple(verbs)

    def of(self, verb: K) -> Callable[[F], F]:
        """Return a decorator that registers the function of a verb.

        Args:
            verb: The verb.

        Raises:
            ValueError: If the verb is unknown or already has a function.
        """

        def register(function: F) -> F:
            """Register the function and return it."""
            if verb not in self._verbs:
                raise ValueError(f"unknown verb {verb!r}; known: {', '.join(map(repr, self._verbs))}")
            if verb in self:
                raise ValueError(f"verb {verb!r} has two functions: {self[verb]!r} and {function!r}")
            self[verb] = function
            return function

        return register

    def missing(self) -> list[K]:
        """Return the verbs without a function; empty once all modules of a game are imported."""
        return [verb for verb in self._verbs if verb not in self]
