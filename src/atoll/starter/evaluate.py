"""Knowledge of the bots: a strong diver is worth a good pearl."""

from __future__ import annotations

from atoll.engine import Choose

from .kinds import SEND
from .state import StarterState

SPREAD = 4.0
"""Lead in points that wins three games out of four."""


def choice_values(s: StarterState, ask: Choose) -> list[float]:
    """Return the value of each choice; higher is better.

    The rank of the diver in the hand should match the rank of the pearl among all pearls.
    """
    hand, value = s.hands[ask.seat], s.components.value
    wanted = sum(each < value[s.prize] for each in value) / len(value) * len(hand)
    return [-abs(hand.index(SEND.part(choice)) - wanted) for choice in ask.choices]
