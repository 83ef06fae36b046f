"""What a bot thinks of all choices at a decision, beside the one that it makes."""

from __future__ import annotations

from dataclasses import dataclass

from atoll.engine import SeatView

from .bot import Bot, RandomBot
from .levels import CarelessBot, LevelBot
from .search_bot import SearchBot


@dataclass(slots=True)
class Decided:
    """What a bot chose, and why.

    choices: as `Bot.choose` gives them. policy: per legal choice the probability with which it wanted to take it; of a
    search its part of the visits. value: the reward that a search expects for the seat, from 0 (behind everybody) to 1;
    None if it didn't search.
    """

    choices: list[int]
    policy: list[float]
    value: float | None


def decide(bot: Bot, seat_view: SeatView, budget: float, seed: int) -> Decided:
    """The same choices as `bot.choose`, with what it thought of all of them."""
    legal = seat_view.legal
    if isinstance(bot, LevelBot):
        return decide(bot.bot, seat_view, min(budget, bot.level.seconds), seed)
    if isinstance(bot, CarelessBot):
        wanted = decide(bot.bot, seat_view, budget, seed)
        if bot.slips_at(seed):
            wanted.choices = bot.choose(seat_view, budget, seed)
        wanted.policy = [(1 - bot.slips) * each + bot.slips / len(legal) for each in wanted.policy]
        return wanted
    if isinstance(bot, RandomBot):
        return Decided(bot.choose(seat_view, budget, seed), [1 / len(legal)] * len(legal), None)
    if isinstance(bot, SearchBot) and len(legal) > 1:
        return _searched(bot, seat_view, budget, seed)
    choices = bot.choose(seat_view, budget, seed)
    return Decided(choices, [float(choice == choices[0]) for choice in legal], None)


def _searched(bot: SearchBot, seat_view: SeatView, budget: float, seed: int) -> Decided:
    found = bot.explore(seat_view, budget, seed)
    legal = seat_view.legal
    arms = [found.arms.get(choice) for choice in legal]
    visits = [arm.visits if arm else 0 for arm in arms]
    whole = sum(visits)
    if not whole:
        return Decided([found.best(legal)], [float(choice == found.best(legal)) for choice in legal], None)
    value = sum(arm.total for arm in arms if arm) / whole
    return Decided([found.best(legal)], [each / whole for each in visits], value)
