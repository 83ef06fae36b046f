"""The usual answer to a question about amounts, by a game's own evaluation."""

from __future__ import annotations

from typing import Final

from atoll.engine import AmountSet, Position, SeatView

from .evaluation import evaluation

_SEED: Final = 0  # one fixed determinization: the same question always gets the same answer


def usual_amounts(position: Position, seat: int) -> tuple[int, ...]:
    """Return the amounts of a mix that the game's evaluation judges best, by what the seat knows.

    They are chosen thing by thing, as the greedy bot does. The first of equally good amounts
    counts, so the answer is always the same.

    Args:
        position: The position.
        seat: The seat, which must be asked.

    Returns:
        The amount of each thing as a choice, also where only one amount is possible. Empty if no
        mix is asked, a part of it is chosen already, or the game doesn't evaluate choices.
    """
    asked, values_of = position.decision(seat).into, evaluation(position.game).choice_values
    if not isinstance(asked, AmountSet) or asked.picks.picked or values_of is None:
        return ()
    guess = SeatView(position, seat).sample(_SEED)
    mix = guess.decision(seat).into
    assert isinstance(mix, AmountSet)
    while seat in guess.to_move and guess.decision(seat).into is mix:
        ask = guess.decision(seat)
        values = zip(values_of(guess.state, ask), ask.choices, strict=True)
        _, choice = max((value, -each) for value, each in values if each not in ask.side_choices)
        guess.apply(-choice, seat)
    return mix.settled_choices()
