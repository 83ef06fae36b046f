"""The texts of Raiatea's picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from atoll.engine.translations import GameMessages

from ..components import RaiateaComponents
from ..describe import Describer


def components_of(words: GameMessages[RaiateaComponents]) -> RaiateaComponents:
    """Return the components of the game."""
    return words.game.components


def describer(words: GameMessages) -> Describer:
    """Return the texts about effects, in the language of `words`."""
    return Describer(words.game.package, components_of(words), words.language)


def say(words: GameMessages, key: str, /, **fields: Any) -> str:
    """Return a text of the table.

    Args:
        words: The messages of the game.
        key: The key of the text, without `table.`.
        **fields: The values of its placeholders.
    """
    return words.say(f"table.{key}", fields)


def printed_text(words: GameMessages, kind: str, index: int) -> str:
    """Return a text that is printed on a location or an assistant.

    Args:
        words: The messages of the game.
        kind: The kind of the text: "location" or "kahuna" for locations, "permanent" or "send" for
            assistants.
        index: The number of the location or assistant.
    """
    return words.translated(components_of(words).texts[words.language][kind][index])


def id_of(words: GameMessages, domain: str, index: int) -> str:
    """Return the name of an element of a domain as choices have it.

    Args:
        words: The messages of the game.
        domain: The domain.
        index: The index of the element.
    """
    return words.game.notation.name(domain, index)


def in_turn(words: GameMessages, key: str, seats: Iterable[int]) -> str:
    """Return a sentence that lists seats in turn, after the text of a key.

    Args:
        words: The messages of the game.
        key: The key of the text.
        seats: The seats, in turn.
    """
    return f"{say(words, key)}: {' → '.join(map(words.seat, seats))}"
