"""What is found on a saved game, line by line, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import atoll
from atoll.engine import AtollError, SaveError

from ..domain.game_offer import install
from ..table import game_verification
from .texts import site

_MARKS: Final = {"right": "✓", "wrong": "✗", "open": "?"}


def verdict(
    games: Mapping[str, str], kept: str | None, components: Path | None, language: str
) -> tuple[list[str], bool]:
    """The sentences on games by name, and whether anything is wrong with one; that it can't be read is, too.

    kept: what a browser has kept of the one game. components: an owner's, to play with. Raises AtollError.
    """
    if kept is not None and len(games) != 1:
        raise SaveError(f"what a browser has kept belongs to one game, not to {len(games)}")
    mine = None if kept is None else game_verification.read_kept(kept)
    install(() if components is None else (str(components),))
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
        worst = game_verification.worst(found)
        wrong |= worst == "wrong"
        lines += [f"  {_MARKS[each.state]} {texts.text(f'proof.{each.key}', **each.fields)}" for each in found]
        lines.append(f"  {texts.text(f'proof.verdict_{worst}')}")
    return lines, wrong
