"""The policy of a bot at a decision: the probabilities of all choices."""

from __future__ import annotations

from dataclasses import dataclass

from atoll.engine import SeatView

from .bot import Bot, RandomBot
from .levels import EpsilonRandomBot, LevelBot
from .overlooking import OverlookingBot
from .search_bot import SearchBot


@dataclass(slots=True)
class BotDecision:
    """The decision of a bot, with its policy.

    Attributes:
        choices: The choices, as `Bot.choose` returns them.
        policy: Per legal choice, the probability of taking it; for a search the part of the visits,
            or 1 for a choice other than the most visited one.
        value: Reward that a search expects for the seat, 0 (behind everybody) to 1; None without a
            search.
    """

    choices: list[int]
    policy: list[float]
    value: float | None


def decide(bot: Bot, seat_view: SeatView, budget: float, seed: int) -> BotDecision:
    """Return the same choices as `bot.choose`, with the policy.

    Args:
        bot: The bot.
        seat_view: View of the seat.
        budget: Time limit in seconds.
        seed: Seed of the bot.
    """
    legal = seat_view.legal
    if isinstance(bot, LevelBot):
        return decide(bot.bot, seat_view, min(budget, bot.level.seconds), seed)
    if isinstance(bot, EpsilonRandomBot):
        wanted = decide(bot.bot, seat_view, budget, seed)
        if bot.slips_at(seed):
            wanted.choices = bot.choose(seat_view, budget, seed)
        wanted.policy = [(1 - bot.slips) * each + bot.slips / len(legal) for each in wanted.policy]
        return wanted
    if isinstance(bot, OverlookingBot):
        choices = bot.choose(seat_view, budget, seed)
        return BotDecision(choices, bot.policy(seat_view, budget, seed), None)
    if isinstance(bot, RandomBot):
        return BotDecision(bot.choose(seat_view, budget, seed), [1 / len(legal)] * len(legal), None)
    if isinstance(bot, SearchBot) and len(legal) > 1:
        return _searched(bot, seat_view, budget, seed)
    choices = bot.choose(seat_view, budget, seed)
    return BotDecision(choices, [float(choice == choices[0]) for choice in legal], None)


def _searched(bot: SearchBot, seat_view: SeatView, budget: float, seed: int) -> BotDecision:
    """Return the decision of a searching bot."""
    found = bot.explore(seat_view, budget, seed)
    legal = seat_view.legal
    arms = [found.arms.get(choice) for choice in legal]
    visits = [arm.visits if arm else 0 for arm in arms]
    total = sum(visits)
    chosen = bot.decided(found, seat_view, seed)
    if not total or chosen != found.best(legal):
        value = sum(arm.total for arm in arms if arm) / total if total else None
        return BotDecision([chosen], [float(choice == chosen) for choice in legal], value)
    value = sum(arm.total for arm in arms if arm) / total
    return BotDecision([chosen], [each / total for each in visits], value)
