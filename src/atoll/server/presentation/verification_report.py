"""The report on verified games, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

import atoll
from atoll.engine import AtollError, SaveError

from ..domain.game_offer import replace_components
from ..table import game_verification
from ..table.chance_verdict import Missing
from .texts import Texts, site

_MARKS: Final = {"proven": "✓", "wrong": "✗", "open": "?"}


def verdict(
    games: Mapping[str, str], kept: Sequence[str], components: Path | None, language: str
) -> tuple[list[str], bool]:
    """Return the report on games, and whether anything is wrong or unreadable.

    Args:
        games: Texts of saved games by name.
        kept: Files that browsers of one person have saved about the only game.
        components: Component file to replay with, or None for the game's own components.
        language: Language code.

    Returns:
        Lines of the report, and whether a game is wrong or can't be read.

    Raises:
        SaveError: If `kept` isn't valid, or there are several games.
        AtollError: If the component file isn't valid.
    """
    if kept and len(games) != 1:
        raise SaveError(f"{len(games)} games: a browser's file belongs to exactly one")
    mine = [each for text in kept for each in game_verification.read_kept(text)]
    replace_components(() if components is None else (str(components),))
    texts = site(language)
    lines: list[str] = []
    wrong = False
    for name, text in games.items():
        lines.append(f"{name}:")
        try:
            found = game_verification.verify(atoll.games, text, mine)
        except AtollError as error:
            lines.append(f"  {error}")
            wrong = True
            continue
        wrong |= found.value == "wrong"
        lines.append(f"  {_MARKS[found.value]} {texts.text(f'verdict.{found.value}')}")
        lines += [f"    {missing_text(texts, each)}" for each in found.missing]
        if found.facts is not None:
            facts = found.facts
            options = ", ".join(f"{name} {value}" for name, value in facts.options.items())
            seats = ", ".join(name or kind for name, kind in zip_longest(facts.names, facts.seats, fillvalue=""))
            fields = {"game": facts.game, "options": options or "–", "seats": seats, "number": facts.round}
            lines.append(f"    {texts.text('verdict.facts', **fields)}")
    return lines, wrong


def missing_text(texts: Texts, missing: Missing) -> str:
    """Return the sentence about evidence that doesn't hold."""
    return texts.text(f"verdict.{missing.evidence}.{missing.reason}", **missing.fields)
