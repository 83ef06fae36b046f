"""The basis of all drawings of Atua: messages, and islands built from the cards in a view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from atoll.engine.rules import Rules
from atoll.engine.translations import GameMessages
from atoll.picture import Row, fragment

from ..components import SOURCES, VILLAGE_STAR, AtuaComponents
from ..faces import CARD_UNITS
from ..geometry import Island
from ..lattice import CARD_INTS, lattice_for
from ..outline import UNIT
from ..state import AtuaState

ROWS: Final = (*SOURCES, "resident", "fate", "beach_bonus", "coconut_bonus")


def components_of(words: GameMessages[AtuaComponents]) -> AtuaComponents:
    """Return the components of the game that the messages belong to."""
    return words.game.components


def say(words: GameMessages, key: str, /, **fields: Any) -> str:
    """Return a message of the table."""
    return words.say(f"table.{key}", fields)


def shows(words: GameMessages, symbols: Sequence[int]) -> str:
    """Return the names of symbols as a list in words."""
    return ", ".join(words.name("symbol", symbol) for symbol in symbols) or say(words, "nothing")


def card_in_words(words: GameMessages, card: int, symbols: Sequence[int]) -> str:
    """Return the name of an island card or a village, with its visible symbols.

    Args:
        words: The game's messages.
        card: The number of the card.
        symbols: The visible symbols.
    """
    islands = components_of(words).island_cards
    title = words.name("card", card) if card < islands else words.name("village", card - islands)
    return say(words, "card", title=title, symbols=shows(words, symbols))


# -- islands ---------------------------------------------------------------------------------------


@fragment
def island_of(game: Rules[AtuaState, AtuaComponents], solo: bool, placed: Row) -> Island:
    """Return an island. The result is shared and must not be changed.

    Args:
        game: The game.
        solo: Whether Tahuma is the opponent.
        placed: Four ints per card, the village first; see AtuaState.
    """
    components = game.components
    if len(placed) > CARD_INTS:
        return island_of(game, solo, placed[:-CARD_INTS]).grown(components, *placed[-CARD_INTS:])
    return Island.load(components, placed, lattice_for(components.solo_turns if solo else components.rounds))


@fragment
def fits(game: Rules[AtuaState, AtuaComponents], solo: bool, placed: Row, card: int) -> bool:
    """Return whether a card can be placed on an island.

    Args:
        game: The game.
        solo: Whether Tahuma is the opponent.
        placed: The cards of the island; see AtuaState.
        card: The number of the card.
    """
    return island_of(game, solo, placed).fits(game.components.cards[card])


def village_of(island: Island) -> tuple[int, int]:
    """Return the middle of the village in pixels."""
    ((x, y),) = [(x, y) for symbol, x, y in island.symbols() if symbol == VILLAGE_STAR]
    return (x + 1) * UNIT, (y + 1) * UNIT


class Bounds(NamedTuple):
    """A rectangle of the sea, in units."""

    left: float
    top: float
    width: float
    height: float


def extent(placed: Row, sea: float) -> Bounds:
    """Return the rectangle around the cards of an island, with a rim of sea, in units."""
    lefts, tops = placed[1::CARD_INTS], placed[2::CARD_INTS]
    left, top = min(lefts) - sea, min(tops) - sea
    return Bounds(left, top, max(lefts) + CARD_UNITS + sea - left, max(tops) + CARD_UNITS + sea - top)


def spots(placed: Row) -> list[tuple[int, int]]:
    """Return the upper left corners of the cards of an island, in pixels."""
    lefts, tops = placed[1::CARD_INTS], placed[2::CARD_INTS]
    return [(x * UNIT, y * UNIT) for x, y in zip(lefts, tops, strict=True)]
