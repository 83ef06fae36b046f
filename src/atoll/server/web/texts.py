"""What is said of a table, in the reader's language: from keys and values to sentences.

Where a text is missing its key stands, so that a table goes on.
"""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import structlog
from babel.messages.pofile import read_po

from atoll.engine import Game
from atoll.engine.errors import WordsError
from atoll.engine.words import LANGUAGES, Catalogue, Words

from ..model import LogEntry, Refused, SeatInfo, TableView, WhyNot

log = structlog.get_logger(__name__)

PACKAGE: Final = "atoll.server.web"


@lru_cache(maxsize=256)
def note(what: str, error: str) -> None:
    """Log what can't be shown; once, not for each page that it is left out of."""
    log.error(what, error=error)


class Texts(Catalogue):
    """Texts for people. One that is missing, or whose placeholder has no value, is noted, and its key stands there."""

    def text(self, key: str, /, **fields: Any) -> str:
        """See Catalogue."""
        try:
            return super().text(key, **fields)
        except WordsError as error:
            note("text can't be shown", str(error))
            return key

    def level(self, level: str) -> str:
        """The name of a level of bots; those that aren't part of Atoll have none but their id."""
        key = f"level.{level}"
        return self.text(key) if self.has(key) else level


class GameTexts(Texts, Words):
    """The texts of a game, for people."""


@lru_cache(maxsize=len(LANGUAGES))
def site(language: str) -> Texts:
    """The texts of the site itself."""
    return Texts(PACKAGE, language)


def game_texts(game: Game, language: str, seats: Sequence[SeatInfo] = ()) -> GameTexts:
    """The texts of a game, with the names of those who sit at a table; bots and empty seats are called by number.

    Raises Refused if the game has no texts in this language at all, or they can't be read.
    """
    texts = site(language)

    def name(info: SeatInfo) -> str:
        key = "seat.bot_name" if info.kind == "bot" else "seat.number"
        return info.name if info.kind == "person" and info.name else texts.text(key, number=info.seat + 1)

    try:
        return GameTexts(game, language, [name(info) for info in seats])
    except Exception as error:
        note("game can't be shown", f"{game.id}: {type(error).__name__}: {error}")
        raise Refused("broken_game", 503, "this game can't be shown just now; the others can") from error


def why_not(why: WhyNot, words: Words, texts: Catalogue) -> str:
    """A reason as a sentence."""
    if why.origin == "table":
        return texts.text(f"table.reason.{why.key}", **words.fields(why.fields))
    return words.say(f"reason.{why.key}", why.fields)


def log_line(entry: LogEntry, words: Words, texts: Catalogue) -> str:
    """A line of the log as a sentence."""
    if entry.origin == "table":
        return texts.text(f"table.log.{entry.key}", **words.fields(entry.fields))
    return words.say(f"log.{entry.key}" + (".hidden" if entry.lacking else ""), entry.fields)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in context: key, heading and text."""

    key: str
    title: str
    text: str


def rules(words: Words) -> list[Rule]:
    """All rules that a game explains, in the order of its catalogue: `rule.<key>` and `rule.<key>.title`."""
    source = importlib.resources.files(words.package).joinpath("words", f"{words.language}.po").read_bytes()
    ids = [str(message.id) for message in read_po(io.BytesIO(source), locale=words.language)]
    found = (rule(words, id.removeprefix(f"{words.game.id}.rule.")) for id in ids if not id.endswith(".title"))
    return [each for each in found if each is not None]


def rule(words: Words, key: str) -> Rule | None:
    """One rule; None if the game has none of this key."""
    if not key or not words.has(f"{words.game.id}.rule.{key}"):
        return None
    title = words.say(f"rule.{key}.title") if words.has(f"{words.game.id}.rule.{key}.title") else ""
    return Rule(key, title, words.say(f"rule.{key}"))


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the final score in words, with what exactly counted."""

    words: str
    points: int
    rule: str
    parts: tuple[tuple[str, int], ...]


def score_lines(view: TableView, words: Words) -> list[list[ScoreLine]]:
    """Per seat the lines of its score."""
    return [] if view.score is None else [_lines(each, words) for each in view.score.lines]


def _lines(lines: Sequence[Mapping[str, Any]], words: Words) -> list[ScoreLine]:
    return [
        ScoreLine(
            words.say(f"score.{line['key']}", line["fields"]),
            line["points"],
            line["rule"],
            tuple((words.say(f"score.{p['key']}", p["fields"]), p["points"]) for p in line["parts"]),
        )
        for line in lines
    ]


@dataclass(frozen=True, slots=True)
class RivalScore:
    """The final score of somebody without a seat."""

    name: str
    total: int
    lines: list[ScoreLine]


def rival_scores(view: TableView, words: Words) -> list[RivalScore]:
    """Who scored without a seat, in words."""
    if view.score is None:
        return []
    found = [(words.say(f"rival.{each['key']}"), _lines(each["lines"], words)) for each in view.score.rivals]
    return [RivalScore(name, sum(line.points for line in lines), lines) for name, lines in found]
