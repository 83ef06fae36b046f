"""What somebody plans to answer, before its seat is asked."""

from __future__ import annotations

from msgspec import Struct


class PlannedAnswer(Struct, frozen=True):
    """prompt: the key of the question that is foreseen. choices: the whole answer to it, as texts."""

    prompt: str
    choices: tuple[str, ...]


class Plan(Struct, frozen=True):
    """Answers to the next questions, one after the other; whatever is foreseen in none of them ends the plan.

    repeat: the only answer is given again as long as the same question comes with the same options. untouched: the plan
    ends too if anything that belongs to the seat has changed, but by the plan itself. ended: it has ended by surprise.
    """

    steps: tuple[PlannedAnswer, ...]
    repeat: bool = False
    untouched: bool = True
    ended: bool = False
