"""Competitions as text."""

from __future__ import annotations

from ..domain.competitions import Badge, CompetitionCard
from .texts import Texts, site


def competition_name(words: Texts, game: str, kind: str, season: int, level: int = 1, title: str = "") -> str:
    """Return the name of a competition.

    Args:
        words: Messages of the site.
        game: Title of the game.
        kind: Its format.
        season: Number of the season.
        level: Level of a mini cup.
        title: Name that the host gave, or "".
    """
    if title:
        return words.text("competition.name.titled", title=title, game=game)
    key = "higher" if kind == "mini" and level > 1 else kind
    return words.text(f"competition.name.{key}", game=game, season=season, level=level)


def card_name(words: Texts, game: str, card: CompetitionCard) -> str:
    """Return the name of the competition of a card.

    Args:
        words: Messages of the site.
        game: Title of the game.
        card: The competition.
    """
    return competition_name(words, game, card.kind, card.season, card.level, card.title)


def badge_text(badge: Badge, game: str, language: str) -> str:
    """Return a badge as a sentence, for a profile.

    Args:
        badge: The badge.
        game: Title of its game.
        language: Language code.
    """
    words = site(language)
    name = card_name(words, game, badge.card)
    key = "competition.badge_solo" if badge.card.kind == "solo" else "competition.badge"
    return words.text(key, rank=badge.rank, competition=name, division=badge.division)
