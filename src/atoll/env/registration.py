"""Registration of the games with Gymnasium: `atoll/Wutaki-v1` and others."""

from __future__ import annotations

from typing import Final

import gymnasium

import atoll

VERSION: Final = 1


def environment_id(game_id: str) -> str:
    """Return the id of a game's environment; for the game `two_words` it is `atoll/TwoWords-v1`."""
    return f"atoll/{''.join(part.capitalize() for part in game_id.split('_'))}-v{VERSION}"


def register_games() -> None:
    """Register all games that aren't registered yet."""
    for game_id in atoll.games:
        name = environment_id(game_id)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="atoll.env.gymnasium:LearnerEnv",
                vector_entry_point="atoll.env.gymnasium:LearnerVectorEnv",
                disable_env_checker=True,  # the class has its own checks
                order_enforce=False,
                kwargs={"game": game_id},
            )
