"""The pages of the five games: their READMEs and rules specifications, with the ids as anchors."""

from __future__ import annotations

import re
from typing import Final

from scripts import rule_ids

from . import sources

_HEADING: Final = re.compile(r"^(#+ .*?) <a id=\"([^\"]+)\"></a>$", re.MULTILINE)
_ITEM: Final = re.compile(r"(\*\*[A-Z]+\d+\*\*) <a id=\"([^\"]+)\"></a>")


def readme(id: str) -> str:
    """Return the page about a game's implementation, with the current table of its rules.

    Args:
        id: Id of the game.
    """
    place = rule_ids.PLACES[id]
    assert place.readme is not None
    text = rule_ids.with_table(place.readme.read_text("utf-8"), place)
    return sources.relink(text, f"src/atoll/games/{id}/README.md", sources.locations())


def specification(id: str) -> str:
    """Return the rules specification of a game.

    Args:
        id: Id of the game.
    """
    text = sources.relink(
        rule_ids.PLACES[id].rules.read_text("utf-8"), f"src/atoll/games/{id}/RULES.md", sources.locations()
    )
    return with_targets(text)


def with_targets(text: str) -> str:
    """Return a text whose HTML anchors are targets that other pages can link to.

    Args:
        text: Text of a RULES.md.
    """
    text = _HEADING.sub(r"(\2)=\n\1", text)
    return _ITEM.sub(r"[\1]{#\2}", text)
