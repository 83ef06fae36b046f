"""Patterns of choices: text forms in which `*` stands for any part, separated by `;`.

Elements of a picture state the choices that they represent with patterns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.rules import Rules


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches the text form of a choice."""
    wanted, parts = pattern.split(), text.split()
    return len(wanted) == len(parts) and all(a in ("*", b) for a, b in zip(wanted, parts, strict=True))


def matching_choices(patterns: str, game: Game, legal: Iterable[int]) -> list[int]:
    """Return the legal choices that match, ordered by pattern.

    Args:
        patterns: Patterns separated by `;`.
        game: The game.
        legal: Legal choices.
    """
    texts = {choice: game.text(choice) for choice in legal}
    found = [choice for each in patterns.split(";") for choice, text in texts.items() if matches(each, text)]
    return list(dict.fromkeys(found))


def mentions_any(patterns: str, game: Rules, things: Collection[tuple[str, str]]) -> bool:
    """Return whether a pattern names one of these elements.

    Args:
        patterns: Patterns separated by `;`.
        game: The rules.
        things: Pairs of a domain and a name in it.
    """
    for pattern in patterns.split(";"):
        name, *parts = pattern.split() or [""]
        kind = next((k for k in game.vocabulary.kinds if k.name == name), None)
        domains = () if kind is None else kind.domains
        if any((domain.name, part) in things for domain, part in zip(domains, parts, strict=False)):
            return True
    return False


def choice_for_pattern(game: Game, pattern: str, legal: Sequence[int]) -> int | None:
    """Return the choice to explain for an element's pattern, also if no choice matches it.

    A `*` is replaced by the part of the first legal choice of the same kind.

    Args:
        game: The game.
        pattern: One pattern.
        legal: Legal choices.

    Returns:
        The choice; None if the pattern doesn't belong to this game.
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
