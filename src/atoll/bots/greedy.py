"""A bot that looks one choice ahead."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from atoll.engine import SeatView

from .evaluation import evaluation, lead
from .seeds import derive_seed


class GreedyBot:
    """Takes the choice with the highest value; ties are broken by the seed.

    Without `choice_values` it tries each choice on several determinizations, and compares the lead
    by `expected_scores`.

    Attributes:
        guesses: Number of determinizations. If the time runs out, fewer are used, but at least one.
    """

    def __init__(self, guesses: int = 4) -> None:
        self.guesses: int = guesses

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the choice with the highest value.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        legal = seat_view.legal
        if len(legal) == 1:
            return [legal[0]]
        return [best(legal, self._values(seat_view, budget, seed), seed)]

    def _values(self, seat_view: SeatView, budget: float, seed: int) -> Sequence[float]:
        """Return the value of each legal choice."""
        knowledge = evaluation(seat_view.game)
        if knowledge.choice_values is not None:
            guess = seat_view.sample(derive_seed(seed, 0))
            return knowledge.choice_values(guess.state, guess.decision(seat_view.seat))
        end = perf_counter() + budget
        seat = seat_view.seat
        values = [0.0] * len(seat_view.legal)
        for number in range(self.guesses):
            guess = seat_view.sample(derive_seed(seed, number))
            for index, choice in enumerate(seat_view.legal):
                trial = guess.fork(derive_seed(seed, number))
                trial.apply(choice, seat)
                values[index] += lead(knowledge.expected_scores(trial.state), seat)
            if perf_counter() >= end:
                break
        return values


def best(choices: Sequence[int], values: Sequence[float], seed: int) -> int:
    """Return the choice with the highest value.

    Args:
        choices: The choices.
        values: The value of each choice.
        seed: Seed that breaks ties.
    """
    highest = max(values)
    equal = [choice for choice, value in zip(choices, values, strict=True) if value == highest]
    return equal[derive_seed(seed, len(equal)) % len(equal)]
