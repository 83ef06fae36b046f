"""Texts of a table in the reader's language: from keys and values to sentences.

A missing text is replaced by its key, so that a table continues.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import structlog

from atoll.engine import Game, OptionError, Rules
from atoll.engine.errors import WordsError
from atoll.engine.languages import LANGUAGES
from atoll.engine.rulebook import wording
from atoll.engine.translations import FallbackMessages, GameMessages, MessageCatalogue, humanize

from ..domain.model import LogEntry, Refused, SeatInfo, TableView, WhyNot
from ..domain.names import distinct, isolated

log = structlog.get_logger(__name__)

PACKAGE: Final = "atoll.server.presentation"
_MOST_SAID: Final = 20_000
_VALUE_AT_START: Final = re.compile(r"^… ")
_VALUE_AT_END: Final = re.compile(r"[:,]? …( x)?$|[:,] ….*$")


@lru_cache(maxsize=256)
def log_once(what: str, error: str) -> None:
    """Log an error the first time that it occurs, not for each page that it affects."""
    log.error(what, error=error)


class Texts(MessageCatalogue):
    """Messages of a package. A missing or broken message is logged and replaced by its key."""

    def text(self, key: str, /, **fields: Any) -> str:
        """Return a message; its key if it is missing or a placeholder has no value."""
        try:
            return super().text(key, **fields)
        except WordsError as error:
            log_once("text can't be shown", str(error))
            return key

    def level(self, level: str) -> str:
        """Return the name of a bot level; levels of other packages have only their id."""
        key = f"level.{level}"
        return self.text(key) if self.has(key) else level


class SiteTexts(Texts):
    """Messages of the site. Those without placeholders are cached."""

    def __init__(self, language: str) -> None:
        super().__init__(PACKAGE, language)
        self._fixed: dict[str, str] = {}

    def text(self, key: str, /, **fields: Any) -> str:
        """Return a message, from the cache if it has no placeholders."""
        if fields:
            return super().text(key, **fields)
        known = self._fixed.get(key)
        if known is None:
            known = self._fixed[key] = super().text(key)
        return known


class _Placeholders(dict[str, Any]):
    """Values of placeholders; missing ones become an ellipsis."""

    def __missing__(self, key: str) -> _Placeholder:
        return _Placeholder("…")


class _Placeholder(str):
    """An ellipsis that ignores format specifications."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return str(self)


class GameTexts(FallbackMessages):
    """Messages of a game for people. Texts are cached unless they name players."""

    def __init__(self, game: Game, language: str) -> None:
        super().__init__(game, language)
        self._said: dict[tuple[str, str], str] = {}
        self._names: bool = False

    def report_missing(self, error: str) -> None:
        """Log a missing message."""
        log_once("text can't be shown", error)

    def at(self, names: Sequence[str]) -> GameTexts:
        """Return the same messages with the names of a table's players."""
        found = copy(self)
        found.seat_names = tuple(names)
        return found

    def seat(self, seat: int) -> str:
        """Return the name of a seat."""
        self._names = True
        return super().seat(seat)

    def question(self, prompt: str) -> str:
        """Return the sentence of a prompt with an ellipsis for each placeholder."""
        return self._with_gaps(f"prompt.{prompt}")

    def score_line(self, key: str) -> str:
        """Return the text of a score line without the values of one game."""
        text = self._with_gaps(f"score.{key}")
        # "Rank: …" is "Rank" for many games, and "… completed tasks" is "Completed tasks".
        text = _VALUE_AT_END.sub("", _VALUE_AT_START.sub("", text)).strip()
        return text[:1].upper() + text[1:]

    def _with_gaps(self, short: str) -> str:
        key = f"{self.game.id}.{short}"
        if not self.has(key):
            return humanize(short)
        found = self._texts.ngettext(key, key, 2)
        if found == key:
            found = self._texts.gettext(key)
        return found.format_map(_Placeholders(self._printed))

    def say(self, key: str, /, fields: Mapping[str, Any] | None = None) -> str:
        """Return a message, from the cache if it doesn't name players."""
        cache_key = (key, repr(fields))
        known = self._said.get(cache_key)
        if known is not None:
            return known
        named, self._names = self._names, False
        text = super().say(key, fields)
        if not self._names:
            if len(self._said) >= _MOST_SAID:
                self._said.clear()
            self._said[cache_key] = text
        self._names |= named
        return text


@cache
def site(language: str) -> Texts:
    """Return the messages of the site."""
    return SiteTexts(language)


@lru_cache(maxsize=64)
def _texts_of(game: Game, language: str) -> GameTexts:
    return GameTexts(game, language)


@lru_cache(maxsize=2048)
def _texts_at(game: Game, language: str, names: tuple[str, ...]) -> GameTexts:
    return _texts_of(game, language).at(names)


_LEVELS: Final = ("random", "greedy", "beginner", "casual", "strong", "expert", "master")


def level_names() -> list[str]:
    """Return the names of the bot levels in all languages, which no user may have."""
    return [site(language).level(level) for language in LANGUAGES for level in _LEVELS]


def person(name: str, texts: MessageCatalogue) -> str:
    """Return a person's name in a sentence; "" stands for a deleted account."""
    return isolated(name) or texts.text("seat.kind.person")


def bot(seat: int, level: str, texts: Texts) -> str:
    """Return the name of a bot with its level.

    Args:
        seat: The bot's seat, by which it is named.
        level: Id of its level.
        texts: Messages of the site.
    """
    return texts.text("seat.bot_level", number=seat + 1, level=texts.level(level))


def game_texts(game: Game, language: str, seats: Sequence[SeatInfo] = ()) -> GameTexts:
    """Return the messages of a game with the names of a table's players.

    Bots and free seats are named by number.

    Args:
        game: The game.
        language: Language code.
        seats: The seats of the table, if any.

    Raises:
        Refused: If the game's messages can't be read.
    """
    texts = site(language)

    def name(info: SeatInfo) -> str:
        """Return the name of a seat."""
        if info.kind == "person":
            return person(info.name, texts)
        return texts.text("seat.bot_name" if info.kind == "bot" else "seat.number", number=info.seat + 1)

    called: list[str] = []
    for info in seats:
        called.append(distinct(name(info), called))
    try:
        return _texts_at(game, language, tuple(called))
    except Exception as error:
        log_once("game can't be shown", f"{game.id}: {type(error).__name__}: {error}")
        raise Refused("broken_game", 503, "this game can't be shown just now; the others can") from error


def why_not(why: WhyNot, words: GameMessages, texts: MessageCatalogue) -> str:
    """Return a reason as a sentence.

    Args:
        why: The reason.
        words: Messages of the game.
        texts: Messages of the site.
    """
    if why.origin == "table":
        return texts.text(f"table.reason.{why.key}", **words.fields(why.fields))
    return words.say(f"reason.{why.key}", why.fields)


def log_line(entry: LogEntry, words: GameMessages, texts: MessageCatalogue) -> str:
    """Return a log entry as a sentence.

    Args:
        entry: The entry.
        words: Messages of the game.
        texts: Messages of the site.
    """
    if entry.origin == "table":
        fields = dict(entry.fields)
        fields |= {each: person(fields[each], texts) for each in ("name", "other") if each in fields}
        return texts.text(f"table.log.{entry.key}", **words.fields(fields))
    return words.say(f"log.{entry.key}" + (".hidden" if entry.lacking else ""), entry.fields)


def _default_options(game: Rules, seats: int) -> Mapping[str, Any]:
    """Return a game's default options, even for an unsupported number of seats."""
    try:
        return game.resolve_options({}, seats)
    except OptionError:
        return {option.id: option.default for option in game.options}


def options_line(words: GameMessages, options: Mapping[str, Any], *, usual_for: int = 0) -> str:
    """Return a table's options as text: flags by name, other options by name and value.

    Args:
        words: Messages of the game.
        options: Options of the table.
        usual_for: Number of seats whose defaults are left out; a default flag that is off is named.
            0 to show all options except flags that are off.
    """
    usual = _default_options(words.game, usual_for) if usual_for else {}

    def said(id: str, value: Any) -> str:
        """Return one option as text."""
        name = words.say(f"option.{id}")
        if isinstance(value, bool):
            return name if value else f"{name}: {site(words.language).text('option.no')}"
        key = f"option.{id}.{value}"
        return f"{name}: {words.say(key) if words.has(f'{words.game.id}.{key}') else value}"

    named = {id: value for id, value in options.items() if (usual[id] != value if id in usual else value is not False)}
    return " · ".join(said(id, value) for id, value in named.items())


@dataclass(frozen=True, slots=True)
class Rule:
    """A text of the rules.

    Attributes:
        key: Key of the rule.
        title: Heading.
        text: Text.
    """

    key: str
    title: str
    text: str


def heading(words: GameMessages, key: str) -> str:
    """Return the heading of a rule, or "" if the game has none with this key."""
    return words.say(f"rule.{key}.title") if key and words.has(f"{words.game.id}.rule.{key}") else ""


def rule(words: GameMessages, key: str, seats: int, options: Mapping[str, Any]) -> Rule | None:
    """Return a text of the rules as it applies to a table.

    Args:
        words: Messages of the game.
        key: Key of the rule.
        seats: Number of seats.
        options: All options of the table.

    Returns:
        The text with its heading, or None if the game has none with this key.
    """
    game = words.game
    if not key or not words.has(f"{game.id}.rule.{key}"):
        return None
    text = words.say(wording(game, key, seats, options), game.rule_facts(game.components, seats, options))
    return Rule(key, words.say(f"rule.{key}.title"), text)


@dataclass(frozen=True, slots=True)
class ScoreLineText:
    """A line of the final score as text.

    Attributes:
        words: Its text.
        points: Its points.
        rule: The rule for it.
        parts: Texts and points of the parts that counted.
    """

    words: str
    points: int
    rule: str
    parts: tuple[tuple[str, int], ...]


def score_lines(view: TableView, words: GameMessages) -> list[list[ScoreLineText]]:
    """Return the score lines of each seat as text."""
    return [] if view.score is None else [lines_of(each, words) for each in view.score.lines]


def lines_of(lines: Sequence[Mapping[str, Any]], words: GameMessages) -> list[ScoreLineText]:
    """Return the score lines of a seat as text.

    Args:
        lines: The score lines as plain data.
        words: Messages of the game.
    """
    return [
        ScoreLineText(
            words.say(f"score.{line['key']}", line["fields"]),
            line["points"],
            line["rule"],
            tuple((words.say(f"score.{p['key']}", p["fields"]), p["points"]) for p in line["parts"]),
        )
        for line in lines
    ]


@dataclass(frozen=True, slots=True)
class RivalScore:
    """The final score of an opponent without a seat.

    Attributes:
        name: Its name.
        total: Its total.
        lines: Its score lines.
    """

    name: str
    total: int
    lines: list[ScoreLineText]


def rival_scores(view: TableView, words: GameMessages) -> list[RivalScore]:
    """Return the scores of opponents without a seat."""
    if view.score is None:
        return []
    found = [(words.say(f"rival.{each['key']}"), lines_of(each["lines"], words)) for each in view.score.rivals]
    return [RivalScore(name, sum(line.points for line in lines), lines) for name, lines in found]
