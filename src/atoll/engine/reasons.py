"""Why a choice isn't offered now: one judge for each kind of choice, who sees no more than the seat that asks.

A game's `reasons.py` makes its table of judges and registers them:

    EXPLAINERS: Final = Judges(VOCABULARY, turn="turn")

    @EXPLAINERS.of(BUY, SELL)
    def trade(seen: Seen, choice: int) -> Reason | None:
        return unless(can_pay(seen.s, seen.seat, choice), "too_expensive", "trade")

and the game declares `judges = EXPLAINERS`. A judge decides nothing: it asks the tests by which the rules make their
options, and gives the words for the first one that fails. So it finds nothing against a choice that is offered: a
reason is a test that fails, never what is left when other reasons don't fit. What is the same everywhere is said here:
the game is over, it is somebody else's turn, something else is asked first.
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
    """Why a choice isn't legal now: words key, values for the words, the rule behind it."""

    key: str
    fields: JsonMapping = field(default_factory=dict)
    rule: str = ""


def unless(holds: object, key: str, rule: str = "", **fields: object) -> Reason | None:
    """Return the reason for which a test of the rules fails, or None if it holds; `or` chains several.

    Args:
        holds: The outcome of the test; anything true will do.
        key: The words key.
        rule: The rule behind it.
        fields: Values for the words.
    """
    return None if holds else Reason(key, fields, rule)


Judge: TypeAlias = Callable[[ExplainContext, int], Reason | None]
"""(what the seat sees, choice): why the choice isn't offered; None if only something else is asked first."""


class Explainers:
    """Who judges which kind of choice of a vocabulary.

    turn, end: the rules behind "not your turn" and "the game is over". Words that a game needs: `reason.over`,
    `reason.not_your_turn`, and `reason.first` with the placeholder `{asked}`, the question that comes first.
    """

    def __init__(self, vocabulary: Vocabulary, *, turn: str, end: str = "end") -> None:
        self._vocabulary = vocabulary
        self._turn = turn
        self._end = end
        self._judges: dict[Kind, Judge] = {}

    def of(self, *kinds: Kind) -> Callable[[Judge], Judge]:
        """Register the one judge of these kinds. Raises ValueError for a kind that has one."""

        def register(judge: Judge) -> Judge:
            for kind in kinds:
                if kind in self._judges:
                    raise ValueError(f"kind {kind.name!r} has two judges")
                self._judges[kind] = judge
            return judge

        return register

    def __contains__(self, kind: Kind) -> bool:
        """Return whether a kind has a judge."""
        return kind in self._judges

    def why_not(self, seen: ExplainContext, choice: int) -> Reason | None:
        """Why the viewer can't make a choice; None if it is offered. Raises MalformedChoice."""
        view = seen.view
        if view["over"]:
            return Reason("over", rule=self._end)
        if view["viewer"] not in view["to_move"]:
            return Reason("not_your_turn", rule=self._turn)
        decision = view["decision"]
        if choice in decision["options"]:
            return None
        found = self.judge(seen, choice)
        if found is not None:
            return found
        asked = decision["prompt"], {"seat": decision["seat"], **decision["about"]}
        return Reason("first", {"asked": asked}, rule=decision["rule"])

    def judge(self, seen: ExplainContext, choice: int) -> Reason | None:
        """Return what the judge of a choice's kind finds against it, offered or not; None if it finds nothing.

        Args:
            seen: The table as a seat sees that is asked something now.
            choice: Any choice of the vocabulary.

        Raises:
            MalformedChoice: If the vocabulary has no such choice.
        """
        judge = self._judges.get(self._vocabulary.kind_of(choice))
        return None if judge is None else judge(seen, choice)
