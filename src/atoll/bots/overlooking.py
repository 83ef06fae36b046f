"""A bot that makes human mistakes: it overlooks choices and confuses similar ones.

Its policy is known exactly, so datasets contain it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, comb, floor
from random import Random

from atoll.engine import SeatView

from .evaluation import evaluation
from .greedy import GreedyBot, shortest_line
from .seeds import derive_seed


class OverlookingBot:
    """Takes the best of the choices that it sees, or one that looks as good.

    Each decision it sees another part of the choices. The values are those of the greedy bot. A
    mistake is therefore a good choice that was overlooked, or one that looked as good as a better
    one, and never a random choice.

    Attributes:
        sees: Part of the choices that it sees, 0 to 1.
        fewest: Number of choices that it sees at least.
        blur: Difference of values that it doesn't notice, as a multiple of the game's spread.
    """

    def __init__(self, sees: float, blur: float, fewest: int = 2) -> None:
        self.sees: float = sees
        self.blur: float = blur
        self.fewest: int = fewest
        self._judge: GreedyBot = GreedyBot()

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return one of the best choices that it sees.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        legal = seat_view.legal
        if len(legal) == 1:
            return [legal[0]]
        tiers = self.tiers(seat_view, budget, seed)
        random = Random(derive_seed(seed, 1))
        seen = random.sample(range(len(legal)), self.seen_count(len(legal)))
        best = min(tiers[place] for place in seen)
        equal = [legal[place] for place in seen if tiers[place] == best]
        return [shortest_line(seat_view, equal, seed)]

    def policy(self, seat_view: SeatView, budget: float, seed: int) -> list[float]:
        """Return the probability of each legal choice, without the preference for an early end.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        count = len(seat_view.legal)
        if count == 1:
            return [1.0]
        tiers = self.tiers(seat_view, budget, seed)
        seen = self.seen_count(count)
        ways = comb(count, seen)
        found = [0.0] * count
        for tier in set(tiers):
            # No better choice is seen, but at least one of this tier.
            worse = sum(other > tier for other in tiers)
            same = tiers.count(tier)
            chance = (comb(worse + same, seen) - comb(worse, seen)) / ways
            for place, other in enumerate(tiers):
                if other == tier:
                    found[place] = chance / same
        return found

    def seen_count(self, count: int) -> int:
        """Return how many of a number of choices it sees."""
        return min(count, max(self.fewest, ceil(self.sees * count)))

    def tiers(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the tier of each legal choice, 0 for the best.

        It can't tell the choices of a tier apart.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        values: Sequence[float] = self._judge.values(seat_view, budget, seed)
        highest = max(values)
        step = self.blur * evaluation(seat_view.game).spread
        if step <= 0:
            order = sorted(set(values), reverse=True)
            return [order.index(value) for value in values]
        return [floor((highest - value) / step) for value in values]
