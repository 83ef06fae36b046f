"""The reference of observations and actions, from the declarations of each game."""

from __future__ import annotations

from typing import Final

from atoll.engine import Game, Kind
from atoll.engine.registry import games
from atoll.env.interface import SpaceCodec

_HEAD: Final = """# Observations and actions

The arrays and actions of the environments of each game, for researchers.

A flat observation is one int32 vector.
Its parts have the order of these tables, and seats are counted from the agent.
`env.unwrapped.named(agent)` and `SpaceCodec.split(vector)` return the parts by name.

An action of the form `vocabulary` is a choice of the game's vocabulary.
The kinds of choices have the order of these tables.
"""


def page() -> str:
    """Return the text of the page."""
    return _HEAD + "".join(_section(games[id]) for id in games)


def _section(game: Game) -> str:
    """Return the section of a game."""
    seats = max(game.seat_counts)
    interface = SpaceCodec(game, seats)
    kinds = [
        f"| `{_form(kind)}` | {kind.first} | {kind.end - 1} |" for kind in game.vocabulary.kinds if not kind.is_chance
    ]
    return (
        f"\n## {game.id}_v1, {seats} seats\n\n{interface.size} numbers, {game.vocabulary.decisions} actions.\n\n"
        + interface.table()
        + "\n\n| action | first | last |\n| -- | -- | -- |\n"
        + "\n".join(kinds)
        + "\n"
    )


def _form(kind: Kind) -> str:
    """Return a kind in the text form of its choices."""
    return " ".join([kind.name, *(f"<{domain.name}>" for domain in kind.domains)])
