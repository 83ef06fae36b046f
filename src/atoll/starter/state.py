"""The state. Each field declares who may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atoll.engine import SEAT, State, nobody, owner, public

from .components import StarterComponents
from .kinds import DIVER, MOST_SEATS, PEARL

DEALING: Final = 0  # phases
DIVING: Final = 1
NO_PEARL: Final = -1


@dataclass(slots=True)
class StarterState(State[StarterComponents]):
    """The state. Divers and pearls are numbered from 0.

    Attributes:
        seats: Number of seats.
        over: Whether the game has ended.
        phase: `DEALING` or `DIVING`.
        deck: Divers that haven't been dealt.
        hands: Divers in each hand.
        sent: Divers that each player has sent.
        sea: Pearls that haven't come into sight.
        prize: The pearl that is dived for, or `NO_PEARL`.
        pearls: Pearls of each player.
        lost: Pearls that nobody gets.
    """

    seats: int = public(lo=2, hi=MOST_SEATS)
    over: bool = public()
    phase: int = public(hi=DIVING)
    deck: list[int] = nobody(back="diver", hi=DIVER.size - 1, size=DIVER.size)
    hands: list[list[int]] = owner(back="diver", hi=DIVER.size - 1, size=DIVER.size)
    sent: list[list[int]] = public(hi=DIVER.size - 1, size=DIVER.size, by=SEAT, domain="diver")
    sea: list[int] = nobody(back="pearl", hi=PEARL.size - 1, size=PEARL.size)
    prize: int = public(lo=NO_PEARL, hi=PEARL.size - 1, domain="pearl")
    pearls: list[list[int]] = public(hi=PEARL.size - 1, size=PEARL.size, by=SEAT, domain="pearl")
    lost: list[int] = public(hi=PEARL.size - 1, size=PEARL.size, domain="pearl")
