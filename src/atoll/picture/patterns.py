"""Patterns of choices: the text form of a choice in which `*` is any part; several are separated by `;`.

By them the elements of a picture say what a click on them can stand for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.rules import Rules


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern stands for a choice with this text form: part by part, `*` is any."""
    wanted, parts = pattern.split(), text.split()
    return len(wanted) == len(parts) and all(a in ("*", b) for a, b in zip(wanted, parts, strict=True))


def matching_choices(patterns: str, game: Game, legal: Iterable[int]) -> list[int]:
    """Those of the legal choices that some of the patterns, separated by `;`, stand for, pattern by pattern."""
    texts = {choice: game.text(choice) for choice in legal}
    found = [choice for each in patterns.split(";") for choice, text in texts.items() if matches(each, text)]
    return list(dict.fromkeys(found))


def mentions_any(patterns: str, game: Rules, things: Collection[tuple[str, str]]) -> bool:
    """Whether some of the patterns, separated by `;`, name one of these things, each a domain and a name in it."""
    for pattern in patterns.split(";"):
        name, *parts = pattern.split() or [""]
        kind = next((k for k in game.vocabulary.kinds if k.name == name), None)
        domains = () if kind is None else kind.domains
        if any((domain.name, part) in things for domain, part in zip(domains, parts, strict=False)):
            return True
    return False


def choice_for_pattern(game: Game, pattern: str, legal: Sequence[int]) -> int | None:
    """The choice that an element's pattern asks about. A `*` is what legal choices of the kind have there.

    None if the pattern is none of this game.
    """
    name, *wanted = pattern.split() or [""]
    kind = next((k for k in game.vocabulary.kinds if k.name == name and not k.is_chance), None)
    if kind is None or len(wanted) != len(kind.domains):
        return None
    usual = kind.parts(next((choice for choice in legal if choice in kind), kind.first))
    parts: list[int] = []
    for domain, word, index in zip(kind.domains, wanted, usual, strict=True):
        names = game.notation.names(domain.name)
        if word != "*" and word not in names:
            return None
        parts.append(index if word == "*" else names.index(word))
    return kind.choice(*parts)
