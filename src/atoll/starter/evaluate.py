"""What the bots know: a strong diver for a good pearl."""

from __future__ import annotations

from atoll.engine import Choose

from .kinds import SEND
from .state import StarterState

SPREAD = 4.0


def choice_values(s: StarterState, ask: Choose) -> list[float]:
    """Per option how good it is: the place of the diver in the hand should be that of the pearl among all pearls."""
    hand, value = s.hands[ask.seat], s.components.value
    wanted = sum(each < value[s.prize] for each in value) / len(value) * len(hand)
    return [-abs(hand.index(SEND.part(choice)) - wanted) for choice in ask.choices]
