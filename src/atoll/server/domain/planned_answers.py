"""Planned answers, given before the seat is asked."""

from __future__ import annotations

from msgspec import Struct


class PlannedAnswer(Struct, frozen=True):
    """A planned answer to one decision.

    Attributes:
        prompt: Key of the expected decision.
        choices: The complete answer, as texts.
    """

    prompt: str
    choices: tuple[str, ...]


class Plan(Struct, frozen=True):
    """Planned answers to the next decisions, in order; any other decision ends the plan.

    Attributes:
        steps: The answers.
        repeat: Whether the only answer is repeated while the same decision with the same choices
            comes.
        untouched: Whether the plan also ends if something that belongs to the seat changes, except
            by the plan itself.
        ended: Whether an unexpected decision has ended the plan.
    """

    steps: tuple[PlannedAnswer, ...]
    repeat: bool = False
    untouched: bool = True
    ended: bool = False
