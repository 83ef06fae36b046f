"""The pictures of games: a game's own `picture.py` draws them, from a view and nothing else."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.rulebook import Card, rulebook
from atoll.engine.words import Words
from atoll.learn import Lesson, LessonError, lessons
from atoll.picture import Drawing, Region, Scene

from . import texts

FIRST_LESSON: Final = "first"


@lru_cache(maxsize=64)
def _picture(package: str) -> Any:
    if importlib.util.find_spec(f"{package}.picture") is None:
        return None
    return importlib.import_module(f"{package}.picture")


def regions(game: Game, view: Mapping[str, Any] | None, words: Words) -> list[Region]:
    """The picture of a view; none if the game has no `picture.py` or it fails: then the list of choices is left."""
    try:
        picture = _picture(game.package)
        return picture.regions(game, view, words) if picture is not None and view is not None else []
    except Exception as error:
        _note(game, error)
        return []


def scene(game: Game) -> Scene | None:
    """Where the areas of a game's table stand; None: one after the other, as they come."""
    try:
        found: Scene | None = getattr(_picture(game.package), "SCENE", None)
    except Exception as error:
        _note(game, error)
        return None
    return found


def shown(game: Game, view: Mapping[str, Any] | None, words: Words) -> dict[str, Any]:
    """What the template of the regions needs of a view: the regions, where they stand, which lay-out they have."""
    drawn, placed, mode = regions(game, view, words), scene(game), ""
    try:
        picture = _picture(game.package)
        mode = picture.mode(view) if view is not None and hasattr(picture, "mode") else ""
    except Exception as error:
        _note(game, error)
        placed = None
    return {"regions": drawn, "scene": placed, "mode": mode}


def symbols(game: Game) -> Markup:
    """The shapes that a game's pictures share; none if they fail."""
    try:
        return _symbols(game)
    except Exception as error:
        _note(game, error)
        return Markup("")


def _symbols(game: Game) -> Markup:
    picture = _picture(game.package)
    return picture.symbols() if picture is not None else Markup("")


def _emblem(game: Game) -> Drawing | None:
    picture = _picture(game.package)
    return picture.emblem() if picture is not None else None


def _note(game: Game, error: Exception) -> None:
    texts.note("game can't be shown", f"{game.id}: {type(error).__name__}: {error}")


def lesson_address(game: Game, lesson: str) -> str:
    """Where a lesson of a game is; empty if there is none of this name. It may name a step: `first#four`."""
    name, _, step = lesson.partition("#")
    found = lessons_of(game).get(name)
    if found is None or not step:
        return "" if found is None else f"/learn/{game.id}/{name}"
    ids = [each.id for each in found.steps]
    return f"/learn/{game.id}/{name}?step={ids.index(step) + 1}" if step in ids else ""


def lessons_of(game: Game) -> Mapping[str, Lesson]:
    """The lessons of a game by name; none if they can't be read, which is noted."""
    try:
        return lessons(game)
    except LessonError as error:
        _note(game, error)
        return {}


@dataclass(frozen=True, slots=True)
class Cover:
    """A game as lists show it. goal: in one sentence. emblem: the picture that stands for it.

    lesson: the address of its first lesson; empty if it has none.
    """

    game: Game
    words: texts.GameTexts
    title: str
    goal: str
    card: Card
    lesson: str
    emblem: Drawing | None
    symbols: Markup


def cover(game: Game, language: str) -> Cover | None:
    """A game as lists show it; None if its words or pictures are broken. Other games mustn't suffer from that."""
    try:
        words = Words(game, language)
        for option in game.options:
            words.say(f"option.{option.id}")
            words.say(f"option.{option.id}.help")
        card = rulebook(game).card
        goal, lesson = words.say("goal"), lesson_address(game, FIRST_LESSON)
        shown = texts.game_texts(game, language)
        return Cover(game, shown, words.title(), goal, card, lesson, _emblem(game), _symbols(game))
    except Exception as error:
        _note(game, error)
        return None


def scripts(game: Game) -> list[str]:
    """The modules of a game's own script, by the names of their files; empty if it has none. It begins in table.js."""
    return sorted(file.name for file in importlib.resources.files(game.package).iterdir() if file.name.endswith(".js"))
