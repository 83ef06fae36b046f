"""Why a choice isn't offered now: one judge for each kind of choice, who sees no more than the seat that asks.

A game's `reasons.py` makes its table of judges and registers them:

    JUDGES: Final = Judges(VOCABULARY, turn="turn")

    @JUDGES.of(BUY, SELL)
    def trade(seen: Seen, choice: int) -> Reason | None:
        ...

and the game declares `judges = JUDGES`. What is the same everywhere is said here: the game is over, it is somebody
else's turn, something else is asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .vocabulary import Kind, Vocabulary


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a choice isn't legal now: words key, values for the words, the rule behind it."""

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a judge may look at: the game's Box, and the view of a seat that is asked something now."""

    box: Any
    view: Mapping[str, Any]

    @property
    def s(self) -> Mapping[str, Any]:
        """The table as plain data, as far as the seat knows it."""
        found: Mapping[str, Any] = self.view["state"]
        return found

    @property
    def seat(self) -> int:
        """The seat that asks for the reason, and is asked something by the game."""
        found: int = self.view["viewer"]
        return found

    @property
    def prompt(self) -> str:
        """What the seat is asked now."""
        found: str = self.view["decision"]["prompt"]
        return found

    @property
    def options(self) -> Sequence[int]:
        """What the seat is offered now."""
        found: Sequence[int] = self.view["decision"]["options"]
        return found

    def asks(self, *kinds: Kind) -> bool:
        """Whether some choice of these kinds is offered now."""
        return any(choice in kind for kind in kinds for choice in self.options)


Judge: TypeAlias = Callable[[Seen, int], Reason | None]
"""(what the seat sees, choice): why the choice isn't offered; None if only something else is asked first."""


class Judges:
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

    def why_not(self, box: Any, view: Mapping[str, Any], choice: int) -> Reason | None:
        """Why the viewer can't make a choice; None if it is offered. Raises MalformedChoice."""
        if view["over"]:
            return Reason("over", rule=self._end)
        if view["viewer"] not in view["to_move"]:
            return Reason("not_your_turn", rule=self._turn)
        decision = view["decision"]
        if choice in decision["options"]:
            return None
        judge = self._judges.get(self._vocabulary.kind_of(choice))
        found = judge(Seen(box, view), choice) if judge is not None else None
        if found is not None:
            return found
        asked = decision["prompt"], {"seat": decision["seat"], **decision["about"]}
        return Reason("first", {"asked": asked}, rule=decision["rule"])
