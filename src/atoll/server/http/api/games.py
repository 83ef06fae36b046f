"""What the API says of a game before anybody plays it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from atoll.engine import Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.rulebook import rulebook
from atoll.engine.words import Words

from ...presentation import texts


class FirstGameOut(Struct):
    """What is recommended for a first game."""

    seats: int
    options: dict[str, Any]


class GameOut(Struct):
    """A game that can be played.

    goal: in one sentence, by language. minutes: the least and the most that the box promises. weight: from 1 (light) to
    5 (heavy), which follows from prompts, the kinds of question met in a game, and decisions, those of one player.
    first: seats and options that are recommended for a first game. choices: the size of its vocabulary; every choice is
    a number below.
    """

    id: str
    rules_version: int
    goal: dict[str, str]
    minutes: tuple[int, int]
    weight: int
    prompts: int
    decisions: int
    seat_counts: list[int]
    first: FirstGameOut
    options: list[dict[str, Any]]
    choices: int
    bots: list[str]


def told(game: Game, levels: tuple[str, ...]) -> GameOut | None:
    """A game for the API; None for one that can't be told of, which is noted."""
    try:
        return describe(game, levels)
    except Exception as error:
        texts.note("game can't be told of", f"{game.id}: {type(error).__name__}: {error}")
        return None


def describe(game: Game, levels: tuple[str, ...]) -> GameOut:
    """A game for the API. levels: of its bots, weakest first."""
    card = rulebook(game).card
    return GameOut(
        id=game.id,
        rules_version=game.rules_version,
        goal={language: Words(game, language).say("goal") for language in LANGUAGES},
        minutes=card.minutes,
        weight=card.weight,
        prompts=card.prompts,
        decisions=card.decisions,
        seat_counts=list(game.seat_counts),
        first=FirstGameOut(card.first_seats, game.first_options()),
        options=[option.describe() for option in game.options],
        choices=game.vocabulary.decisions,
        bots=list(levels),
    )
