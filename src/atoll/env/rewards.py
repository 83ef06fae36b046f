"""What a game was worth to each seat, for learning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atoll.engine import Position

REWARDS: Final = ("place", "score")


def check_reward(reward: str) -> str:
    """The name of a kind of reward, if it is one. Raises ValueError."""
    if reward not in REWARDS:
        raise ValueError(f"reward {reward!r}: allowed are {', '.join(REWARDS)}")
    return reward


def place_rewards(ranking: Sequence[int]) -> list[float]:
    """1 for the first of n places, -1 for the last, evenly between; tied seats share the mean. They sum to 0.

    In a solo game 1 for a win, -1 for a loss.
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
    """The own score minus the best score of the others; alone, the score itself."""
    if len(scores) == 1:
        return [float(scores[0])]
    return [
        float(own - max(other for each, other in enumerate(scores) if each != seat)) for seat, own in enumerate(scores)
    ]


def rewards_of(position: Position, reward: str) -> list[float]:
    """The rewards of a finished game: "place" from the ranking, "score" as differences of scores."""
    if reward == "place":
        return place_rewards(position.ranking())
    return score_rewards(position.scores())
