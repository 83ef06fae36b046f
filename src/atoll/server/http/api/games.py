"""Descriptions of games for the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from atoll.engine import Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.rulebook import rulebook
from atoll.engine.translations import GameMessages

from ...presentation import texts

Levels = Callable[[str, int | None], tuple[str, ...]]


class FirstGameOut(Struct):
    """Settings that are recommended for a first game.

    Attributes:
        seats: Number of seats.
        options: Options of the game.
    """

    seats: int
    options: dict[str, Any]


class GameOut(Struct):
    """A game that can be played.

    Attributes:
        id: Id of the game.
        rules_version: Version of its rules.
        goal: The goal in one sentence, by language.
        minutes: Shortest and longest duration in minutes, as printed on the box.
        weight: Complexity from 1 (light) to 5 (heavy), computed from `prompts` and `decisions`.
        prompts: Number of kinds of decisions that a game contains.
        decisions: Number of decisions of one player in a game.
        seat_counts: Possible numbers of seats.
        first: Settings that are recommended for a first game.
        options: Options of the game.
        choices: Size of the vocabulary; every choice is a number below it.
        bots: Levels of the bots, weakest first.
        bots_by_seats: The levels that are offered for each number of seats.
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
    bots_by_seats: dict[str, list[str]]


def game_out_or_none(game: Game, levels: Levels) -> GameOut | None:
    """Return a game for the API, or None if that fails, which is logged."""
    try:
        return describe(game, levels)
    except Exception as error:
        texts.log_once("game can't be described", f"{game.id}: {type(error).__name__}: {error}")
        return None


def describe(game: Game, levels: Levels) -> GameOut:
    """Return a game for the API.

    Args:
        game: The game.
        levels: Returns the levels of its bots for a number of seats, weakest first.
    """
    card = rulebook(game).card
    return GameOut(
        id=game.id,
        rules_version=game.rules_version,
        goal={language: GameMessages(game, language).say("goal") for language in LANGUAGES},
        minutes=card.minutes,
        weight=card.weight,
        prompts=card.prompts,
        decisions=card.decisions,
        seat_counts=list(game.seat_counts),
        first=FirstGameOut(card.first_seats, game.first_game_options()),
        options=[option.describe() for option in game.options],
        choices=game.vocabulary.decisions,
        bots=list(levels(game.id, None)),
        bots_by_seats={str(seats): list(levels(game.id, seats)) for seats in game.seat_counts},
    )
