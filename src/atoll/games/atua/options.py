"""The options of Atua. Their values and defaults come from the component data."""

from collections.abc import Mapping
from typing import Any

from atoll.engine import Enum, Flag, Option, StartPlayer
from atoll.engine.start_player import RANDOM

from .components import AtuaComponents

PLAYERS = "players"
START_PLAYER = "start_player"

FIRST_GAME = {"residents": False, "fates": False}
"""Option values that the rulebook recommends for the first games."""


def options_of(components: AtuaComponents) -> tuple[Option, ...]:
    """Return all options except the number of players, which is the number of seats."""
    found: list[Option] = []
    for each in components.options:
        if each.values == (True, False):
            found.append(Flag(each.id, bool(each.default), first_game_value=FIRST_GAME.get(each.id)))
        elif each.id == START_PLAYER:
            named = [str(value) for value in each.values if value != RANDOM]
            found.append(StartPlayer(*named, default=str(each.default)))
        elif each.id != PLAYERS:
            found.append(Enum(each.id, [str(value) for value in each.values], str(each.default)))
    return tuple(found)


def seat_counts_of(components: AtuaComponents) -> tuple[int, ...]:
    """Return the numbers of players for which the game can be set up."""
    (players,) = (each for each in components.options if each.id == PLAYERS)
    return tuple(int(value) for value in players.values)


def settle(components: AtuaComponents, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Return the options as they take effect.

    An option without a meaning for this number of players gets its default or forced value.

    Args:
        components: The components.
        options: The options as chosen.
        seats: Number of players.
    """
    settled = dict(options)
    for each in components.options:
        if each.id not in settled:
            continue
        if seats == 1 and each.forced_when_solo is not None:
            settled[each.id] = each.forced_when_solo
        elif each.id == (START_PLAYER if seats == 1 else "solo_difficulty"):
            settled[each.id] = each.default
    return settled
