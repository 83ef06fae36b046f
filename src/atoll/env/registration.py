"""Which names the games have in Gymnasium's register: `atoll/Wutaki-v1`."""

from __future__ import annotations

from typing import Final

import gymnasium

import atoll

VERSION: Final = 1


def environment_id(game_id: str) -> str:
    """The id of a game's environment; of a game `two_words` it is `atoll/TwoWords-v1`."""
    return f"atoll/{''.join(part.capitalize() for part in game_id.split('_'))}-v{VERSION}"


def register_games() -> None:
    """Enter all games that aren't entered yet."""
    for game_id in atoll.games:
        name = environment_id(game_id)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="atoll.env.gymnasium:LearnerEnv",
                vector_entry_point="atoll.env.gymnasium:LearnerVectorEnv",
                disable_env_checker=True,  # the checks are part of the class
                order_enforce=False,
                kwargs={"game": game_id},
            )
