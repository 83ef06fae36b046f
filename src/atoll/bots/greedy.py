"""The bot that looks one choice ahead."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from atoll.engine import SeatView

from .evaluation import evaluation, lead
from .seeds import mix


class GreedyBot:
    """Takes the choice that the game's evaluation likes best; equal ones are decided by the seed.

    A game without `weigh` is tried out: each choice on several guesses, judged by the lead that `estimate` expects.
    guesses: how many; fewer if the time runs out, but at least one.
    """

    def __init__(self, guesses: int = 4) -> None:
        self.guesses: int = guesses

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """See Bot."""
        legal = seat_view.legal
        if len(legal) == 1:
            return [legal[0]]
        return [best(legal, self._values(seat_view, budget, seed), seed)]

    def _values(self, seat_view: SeatView, budget: float, seed: int) -> Sequence[float]:
        knowledge = evaluation(seat_view.game)
        if knowledge.weigh is not None:
            guess = seat_view.sample(mix(seed, 0))
            return knowledge.weigh(guess.state, guess.decision(seat_view.seat))
        end = perf_counter() + budget
        seat = seat_view.seat
        values = [0.0] * len(seat_view.legal)
        for number in range(self.guesses):
            guess = seat_view.sample(mix(seed, number))
            for index, choice in enumerate(seat_view.legal):
                trial = guess.fork(mix(seed, number))
                trial.apply(choice, seat)
                values[index] += lead(knowledge.estimate(trial.state), seat)
            if perf_counter() >= end:
                break
        return values


def best(choices: Sequence[int], values: Sequence[float], seed: int) -> int:
    """The choice of the highest value; among equal ones the seed decides."""
    highest = max(values)
    equal = [choice for choice, value in zip(choices, values, strict=True) if value == highest]
    return equal[mix(seed, len(equal)) % len(equal)]
