"""Rewards of a finished game, for learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine import Position

REWARDS: Final = ("place", "score")


def check_reward(reward: str) -> str:
    """Return the kind of reward if it is valid.

    Args:
        reward: The kind.

    Raises:
        ValueError: If the kind is unknown.
    """
    if reward not in REWARDS:
        raise ValueError(f"invalid reward {reward!r}: expected {', '.join(REWARDS)}")
    return reward


def place_rewards(ranking: Sequence[int]) -> list[float]:
    """Return rewards by rank: 1 for the first, -1 for the last, evenly spaced between.

    Tied seats share the mean, so the rewards sum to 0. In a solo game 1 is a win and -1 a loss.

    Args:
        ranking: Rank of each seat, 1 for the best; ties share a rank.
    """
    seats = len(ranking)
    if seats == 1:
        return [1.0 if ranking[0] == 1 else -1.0]
    worth = [1 - 2 * place / (seats - 1) for place in range(seats)]
    rewards = []
    for place in ranking:
        tied = ranking.count(place)
        rewards.append(sum(worth[place - 1 : place - 1 + tied]) / tied)
    return rewards


def score_rewards(scores: Sequence[int]) -> list[float]:
    """Return each seat's score minus the best other score; in a solo game the score itself."""
    if len(scores) == 1:
        return [float(scores[0])]
    return [
        float(own - max(other for each, other in enumerate(scores) if each != seat)) for seat, own in enumerate(scores)
    ]


def rewards_of(position: Position, reward: str) -> list[float]:
    """Return the rewards of a finished game.

    Args:
        position: The position.
        reward: `place` for rewards by rank, `score` for differences of scores.
    """
    if reward == "place":
        return place_rewards(position.ranking())
    return score_rewards(position.scores())
