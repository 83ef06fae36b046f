"""Explanations of illegal choices, from what the asking seat knows.

A game's `reasons.py` registers one explainer per kind of choice:

```python
EXPLAINERS: Final = Explainers(VOCABULARY, turn="turn")

@EXPLAINERS.of(BUY, SELL)
def trade(seen: ExplainContext, choice: int) -> Reason | None:
    return unless(can_pay(seen.s, seen.seat, choice), "too_expensive", "trade")
```

The game declares `explainers = EXPLAINERS`. An explainer calls the predicates by which the rules
build their choices and returns a message for the first one that fails. It therefore never objects
to a legal choice. General reasons are added here: the game is over, it is another seat's turn, or
another question comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from .explain_context import ExplainContext
from .json_types import JsonMapping
from .vocabulary import Kind, Vocabulary


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a choice isn't legal.

    Attributes:
        key: Key of the message.
        fields: Values for its placeholders.
        rule: Key of the rule; "" for none.
    """

    key: str
    fields: JsonMapping = field(default_factory=dict)
    rule: str = ""


def unless(holds: object, key: str, rule: str = "", **fields: object) -> Reason | None:
    """Return a reason if a predicate of the rules fails, or None if it holds.

    Results can be chained with `or`.

    Args:
        holds: Result of the predicate; any truthy value counts as success.
        key: Key of the message.
        rule: Key of the rule.
        **fields: Values for the placeholders of the message.
    """
    return None if holds else Reason(key, fields, rule)


Explainer: TypeAlias = Callable[[ExplainContext, int], Reason | None]
"""Returns why a choice isn't legal in a context; None if only another question comes first."""


class Explainers:
    """The explainers of a game, by kind of choice.

    Catalogs of the game need the messages `reason.over`, `reason.not_your_turn` and
    `reason.first`. The last one has the placeholder `{asked}`: the question that comes first.

    Args:
        vocabulary: Vocabulary of the game.
        turn: Key of the rule behind "not your turn".
        end: Key of the rule behind "the game is over".
    """

    def __init__(self, vocabulary: Vocabulary, *, turn: str, end: str = "end") -> None:
        self._vocabulary = vocabulary
        self._turn = turn
        self._end = end
        self._explainers: dict[Kind, Explainer] = {}

    def of(self, *kinds: Kind) -> Callable[[Explainer], Explainer]:
        """Return a decorator that registers the explainer of these kinds.

        Args:
            *kinds: The kinds.

        Raises:
            ValueError: If a kind already has an explainer.
        """

        def register(explainer: Explainer) -> Explainer:
            """Register the explainer and return it."""
            for kind in kinds:
                if kind in self._explainers:
                    raise ValueError(f"kind {kind.name!r} already has an explainer")
                self._explainers[kind] = explainer
            return explainer

        return register

    def __contains__(self, kind: Kind) -> bool:
        """Return whether a kind has an explainer."""
        return kind in self._explainers

    def why_not(self, seen: ExplainContext, choice: int) -> Reason | None:
        """Return why the viewer can't make a choice; None if it is legal.

        Args:
            seen: Context of the viewer.
            choice: Any choice of the vocabulary.

        Raises:
            MalformedChoice: If the vocabulary has no such choice.
        """
        view = seen.view
        if view["over"]:
            return Reason("over", rule=self._end)
        if view["viewer"] not in view["to_move"]:
            return Reason("not_your_turn", rule=self._turn)
        decision = view["decision"]
        if choice in decision["options"]:
            return None
        found = self.explain(seen, choice)
        if found is not None:
            return found
        asked = decision["prompt"], {"seat": decision["seat"], **decision["about"]}
        return Reason("first", {"asked": asked}, rule=decision["rule"])

    def explain(self, seen: ExplainContext, choice: int) -> Reason | None:
        """Return the objection of the explainer of a choice's kind; None if it has none.

        Args:
            seen: Context of a seat that is asked now.
            choice: Any choice of the vocabulary, legal or not.

        Raises:
            MalformedChoice: If the vocabulary has no such choice.
        """
        explainer = self._explainers.get(self._vocabulary.kind_of(choice))
        return None if explainer is None else explainer(seen, choice)
