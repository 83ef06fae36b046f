"""The gallery: each game's table in the middle of a game between greedy bots."""

from __future__ import annotations

from typing import Final

from atoll.bots import GreedyBot, derive_seed
from atoll.engine import Game, Position, SeatView
from atoll.engine.languages import ENGLISH
from atoll.engine.registry import games
from atoll.engine.rulebook import rulebook
from atoll.engine.translations import FallbackMessages
from atoll.picture.static_svg import THEMES, render_table

_SEED: Final = 7
_PART: Final = 0.6
"""The part of a game after which its table is drawn."""

_HEAD: Final = """# Gallery

The five games in the middle of a game between greedy bots, as a spectator sees them.
The build of this site draws the pictures from the rules and pictures of each game.
"""


def page() -> str:
    """Return the text of the page."""
    return _HEAD + "".join(_section(games[id]) for id in games)


def _section(game: Game) -> str:
    """Return the section of a game."""
    words = FallbackMessages(game, ENGLISH)
    card = rulebook(game).card
    low, high = card.minutes
    minutes = f"{low}" if low == high else f"{low} to {high}"
    seats = ", ".join(map(str, game.seat_counts))
    title = game.title(ENGLISH)
    pictures = "".join(
        f"\n```{{image}} pictures/gallery/{game.id}-{theme}.svg\n"
        f":alt: The table of {title}\n:class: only-{theme}\n```\n"
        for theme in THEMES
    )
    return (
        f"\n## {title}\n\n{words.say('goal')}\n\n"
        f"Seats: {seats}. Minutes: {minutes}. Weight: {card.weight} of 5.\n"
        f"[Implementation](study/games/{game.id}.md), "
        f"[rules specification](study/games/{game.id}-rules.md).\n{pictures}"
    )


def pictures(id: str) -> dict[str, str]:
    """Return the pictures of a game: file name and SVG, in both themes.

    Args:
        id: Id of the game.
    """
    game = games[id]
    view = _midgame(game).view(None)
    words = FallbackMessages(game, ENGLISH)
    return {f"{id}-{theme}.svg": render_table(game, view, words, theme=theme) for theme in THEMES}


def _midgame(game: Game) -> Position:
    """Return a position in the middle of a game."""
    whole = _played(game, None)
    return _played(game, int(whole.sequence * _PART))


def _played(game: Game, limit: int | None) -> Position:
    """Return the position after a number of choices, or at the end of the game."""
    position = game.new(min(seats for seats in game.seat_counts if seats > 1), seed=_SEED)
    bot = GreedyBot()
    while not position.over and (limit is None or position.sequence < limit):
        seat = position.to_move[0]
        seed = derive_seed(_SEED, position.sequence)
        position.apply(bot.choose(SeatView(position, seat), budget=1.0, seed=seed), seat)
    return position
