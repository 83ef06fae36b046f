"""Writes docs/study/reference-observations.md, the arrays and actions of all games.

Run it with `python scripts/observations.py`.
"""

from __future__ import annotations

from pathlib import Path

from atoll.engine import Game, Kind
from atoll.engine.registry import games
from atoll.env.interface import SpaceCodec

PAGE = Path(__file__).parent.parent / "docs" / "study" / "reference-observations.md"
HEAD = """# Observations and actions

Written by `scripts/observations.py` from the declarations of each game; a test compares. A flat observation is one
int32 vector; its parts stand in it in this order. `env.unwrapped.named(agent)` and `SpaceCodec.split(vector)` give them
by name. How each is made from the table: `atoll.engine.observation`; seats are counted from the agent. An action of the
form `vocabulary` is a choice of the game's vocabulary; its kinds stand end to end in this order.
"""


def page() -> str:
    """Return the text of the page."""
    return HEAD + "".join(_section(games[id]) for id in games)


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
        + "\n\n| action | first | last |\n|---|---|---|\n"
        + "\n".join(kinds)
        + "\n"
    )


def _form(kind: Kind) -> str:
    """Return a kind in the text form of its choices."""
    return " ".join([kind.name, *(f"<{domain.name}>" for domain in kind.domains)])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
