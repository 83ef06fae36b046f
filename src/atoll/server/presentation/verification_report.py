"""The report on verified games, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import atoll
from atoll.engine import AtollError, SaveError

from ..domain.game_offer import replace_components
from ..table import game_verification
from .texts import site

_MARKS: Final = {"right": "✓", "wrong": "✗", "open": "?"}


def verdict(
    games: Mapping[str, str], kept: str | None, components: Path | None, language: str
) -> tuple[list[str], bool]:
    """Return the report on games, and whether anything is wrong or unreadable.

    Args:
        games: Texts of saved games by name.
        kept: The record that a player's browser has saved of the only game, or None.
        components: Component file to replay with, or None for the game's own components.
        language: Language code.

    Returns:
        Lines of the report, and whether a game is wrong or can't be read.

    Raises:
        SaveError: If `kept` isn't valid, or there are several games.
        AtollError: If the component file isn't valid.
    """
    if kept is not None and len(games) != 1:
        raise SaveError(f"{len(games)} games: a browser's record belongs to exactly one")
    mine = None if kept is None else game_verification.read_browser_record(kept)
    replace_components(() if components is None else (str(components),))
    texts = site(language)
    lines: list[str] = []
    wrong = False
    for name, text in games.items():
        lines.append(f"{name}:")
        try:
            found = game_verification.verify(game_verification.read(atoll.games, text), mine)
        except AtollError as error:
            lines.append(f"  {error}")
            wrong = True
            continue
        worst = game_verification.overall_state(found)
        wrong |= worst == "wrong"
        lines += [f"  {_MARKS[each.state]} {texts.text(f'proof.{each.key}', **each.fields)}" for each in found]
        lines.append(f"  {texts.text(f'proof.verdict_{worst}')}")
    return lines, wrong
