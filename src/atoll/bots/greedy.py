"""A bot that looks one choice ahead."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from atoll.engine import Position, SeatView

from .evaluation import Evaluation, evaluation, lead
from .seeds import derive_seed

FAR_AHEAD: Final = 0.9
"""Expected reward from which a bot prefers an early end."""
_LEAD: Final = 2.0  # lead with this expected reward, as a multiple of the game's spread
_LINES: Final = 4  # choices whose lines are compared
_HORIZON: Final = 8  # decisions of a line


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
        return [best(legal, self.values(seat_view, budget, seed), seed)]

    def values(self, seat_view: SeatView, budget: float, seed: int) -> Sequence[float]:
        """Return the value of each legal choice, in points.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
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


def shortest_line(seat_view: SeatView, equal: Sequence[int], seed: int) -> int:
    """Return one of several equally good choices.

    If the seat is far ahead, it is the one that ends the game soonest: a bot that can no longer
    lose doesn't stall.

    Each choice is continued for a few decisions by the game's `choice_values`, all with the same
    chance.

    Args:
        seat_view: View of the seat.
        equal: The choices, at least one.
        seed: Seed that breaks ties.
    """
    first = equal[derive_seed(seed, len(equal)) % len(equal)]
    if len(equal) == 1:
        return first
    guess = seat_view.sample(derive_seed(seed, 0))
    knowledge = evaluation(seat_view.game)
    if lead(knowledge.expected_scores(guess.state), seat_view.seat) < _LEAD * knowledge.spread:
        return first
    tried = [first, *(choice for choice in equal if choice != first)][:_LINES]
    lengths = [_length(guess.fork(derive_seed(seed, 1)), seat_view.seat, choice, knowledge) for choice in tried]
    return tried[lengths.index(min(lengths))]


def _length(position: Position, seat: int, choice: int, knowledge: Evaluation) -> int:
    """Return the number of decisions until the game ends after a choice, at most the horizon."""
    position.apply(choice, seat)
    for length in range(1, _HORIZON):
        if not position.to_move:
            return length
        if knowledge.choice_values is None:
            break
        asked = position.to_move[0]
        ask = position.decision(asked)
        values = knowledge.choice_values(position.state, ask)
        position.apply(ask.choices[max(range(len(values)), key=values.__getitem__)], asked)
    return _HORIZON
