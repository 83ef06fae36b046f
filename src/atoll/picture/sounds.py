"""The sounds that a game's events can have on the page.

A game's picture may have a table `SOUNDS: Mapping[Sound, Sequence[str]]`: per sound the keys of the
events that it belongs to. An act has the first sound of the table that belongs to one of its
events. Without such an event, and in games without the table, an act sounds like a piece.
"""

from __future__ import annotations

from typing import Literal

Sound = Literal["piece", "dice", "cards", "coins"]
"""A piece that is set down, dice, cards, or coins."""
