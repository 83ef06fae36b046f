"""From what the service says of a table to what the templates show: pictures, decisions, log lines, rules, scores.

Everything here is made from views and with the reader's language; nothing sees a State.
"""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import structlog
from babel.messages.pofile import read_po
from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.state import declarations
from atoll.engine.vocabulary import Numbers
from atoll.engine.words import LANGUAGES, Catalogue, Words
from atoll.picture import Drawing, Region

from . import model
from .model import Advice, LogEntry, SeatInfo, TableView, WhyNot

log = structlog.get_logger(__name__)

PACKAGE: Final = "atoll.server"
MOST_PROSPECTS: Final = 3
SELDOM: Final = 20  # a choice tried so many times less often than the best is hardly known


@lru_cache(maxsize=len(LANGUAGES))
def site(language: str) -> Catalogue:
    """The texts of the site itself."""
    return Catalogue(PACKAGE, language)


def words_for(game: Game, language: str, seats: Sequence[SeatInfo]) -> Words:
    """The texts of a game, with the names of those who sit at a table; bots and empty seats are called by number."""
    texts = site(language)

    def name(info: SeatInfo) -> str:
        key = "seat.bot_name" if info.kind == "bot" else "seat.number"
        return info.name if info.kind == "person" and info.name else texts.text(key, number=info.seat + 1)

    return Words(game, language, [name(info) for info in seats])


@lru_cache(maxsize=64)
def _table_module(package: str) -> Any:
    if importlib.util.find_spec(f"{package}.table") is None:
        return None
    return importlib.import_module(f"{package}.table")


def regions(game: Game, view: Mapping[str, Any] | None, words: Words) -> list[Region]:
    """The picture of a view; a game without `table.py` has none and is played from the list of choices."""
    module = _table_module(game.package)
    return module.regions(game, view, words) if module is not None and view is not None else []


def symbols(game: Game) -> Markup:
    """The shapes that a game's pictures share."""
    module = _table_module(game.package)
    return module.symbols() if module is not None else Markup("")


def emblem(game: Game) -> Drawing | None:
    """The picture that stands for a game in lists."""
    module = _table_module(game.package)
    found: Drawing | None = module.emblem() if module is not None else None
    return found


@dataclass(frozen=True, slots=True)
class Cover:
    """A game as lists show it."""

    game: Game
    words: Words
    title: str
    emblem: Drawing | None
    symbols: Markup


def cover(game: Game, language: str) -> Cover | None:
    """A game as lists show it; None if its words or pictures are broken. Other games mustn't suffer from that."""
    try:
        words = Words(game, language)
        for option in game.options:
            words.say(f"option.{option.id}")
            words.say(f"option.{option.id}.help")
        return Cover(game, words, words.title(), emblem(game), symbols(game))
    except Exception as error:
        report(game.id, f"{type(error).__name__}: {error}")
        return None


@lru_cache(maxsize=256)
def report(game: str, error: str) -> None:
    """Note that a game can't be shown; once, not for each page that leaves it out."""
    log.error("game can't be shown", game=game, error=error)


def has_script(game: Game) -> bool:
    """Whether a game's table has a script of its own."""
    return importlib.resources.files(game.package).joinpath("table.js").is_file()


def game_title(game: Game, language: str) -> str:
    """What people call a game."""
    return game.title(language)


@dataclass(frozen=True, slots=True)
class Option:
    """A legal choice, for the page: as an int, as text, in words, and the words of each of its parts."""

    choice: int
    text: str
    words: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked. amount: the options differ in a number alone, so a stepper asks for it."""

    prompt: str
    key: str
    rule: str
    options: tuple[Option, ...]
    amount: bool

    def to_json(self) -> dict[str, Any]:
        """As the page's scripts read it."""
        return {
            "prompt": self.prompt,
            "key": self.key,
            "amount": self.amount,
            "legal": [[o.choice, o.text, o.words, o.parts] for o in self.options],
        }


def question(game: Game, view: Mapping[str, Any] | None, words: Words) -> Question | None:
    """The decision that a view holds for its viewer; None if the viewer isn't asked."""
    decision = view["decision"] if view is not None else None
    if decision is None or "options" not in decision:
        return None
    choices: list[int] = decision["options"]
    options = tuple(_option(game, choice, words) for choice in choices)
    prompt = words.say(f"prompt.{decision['prompt']}", {"seat": decision["seat"], **decision["about"]})
    return Question(prompt, decision["prompt"], decision["rule"], options, _is_amount(game, choices))


def _option(game: Game, choice: int, words: Words) -> Option:
    kind = game.vocabulary.kind_of(choice)
    parts = tuple(words.name(d.name, part) for d, part in zip(kind.domains, kind.parts(choice), strict=True))
    return Option(choice, game.text(choice), words.choice(choice), parts)


def _is_amount(game: Game, choices: Sequence[int]) -> bool:
    kind = game.vocabulary.kind_of(choices[0])
    if choices[-1] not in kind or not kind.domains or not isinstance(kind.domains[-1], Numbers):
        return False
    return len({kind.parts(choice)[:-1] for choice in choices}) == 1


def choice_meant(game: Game, pattern: str, legal: Sequence[int]) -> int | None:
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
    return kind.at(*parts)


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


def rules(game: Game, language: str) -> list[Rule]:
    """All rules that a game explains, in the order of its catalogue: `rule.<key>` and `rule.<key>.title`."""
    catalogue = Words(game, language)
    source = importlib.resources.files(game.package).joinpath("words", f"{language}.po").read_bytes()
    prefix = f"{game.id}.rule."
    ids = [str(message.id) for message in read_po(io.BytesIO(source), locale=language)]
    keys = [id.removeprefix(prefix) for id in ids if id.startswith(prefix) and not id.endswith(".title")]
    return [Rule(key, _rule_title(catalogue, key), catalogue.say(f"rule.{key}")) for key in keys]


def rule(game: Game, key: str, language: str) -> Rule | None:
    """One rule; None if the game has none of this key."""
    catalogue = Words(game, language)
    if not key or not catalogue.has(f"{game.id}.rule.{key}"):
        return None
    return Rule(key, _rule_title(catalogue, key), catalogue.say(f"rule.{key}"))


def _rule_title(words: Words, key: str) -> str:
    title = f"rule.{key}.title"
    return words.say(title) if words.has(f"{words.game.id}.{title}") else ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the final score in words, with what exactly counted."""

    words: str
    points: int
    rule: str
    parts: tuple[tuple[str, int], ...]


def score_lines(view: TableView, words: Words) -> list[list[ScoreLine]]:
    """Per seat the lines of its score."""
    if view.score is None:
        return []
    return [
        [
            ScoreLine(
                words.say(f"score.{line['key']}", line["fields"]),
                line["points"],
                line["rule"],
                tuple((words.say(f"score.{p['key']}", p["fields"]), p["points"]) for p in line["parts"]),
            )
            for line in seat
        ]
        for seat in view.score.lines
    ]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A choice in words, with what a strong bot expects of it: the chance, and per seat the score."""

    choice: int
    words: str
    chance: str
    scores: tuple[tuple[str, int], ...]


def prospects(advice: Advice | None, words: Words, texts: Catalogue) -> list[Prospect]:
    """What a bot advises, the best first; choices that it hardly tried are left out, as little is known of them."""
    if advice is None:
        return []
    enough = advice.prospects[0].visits / SELDOM
    known = [each for each in advice.prospects if each.visits >= enough][:MOST_PROSPECTS]
    return [prospect(each, words, texts) for each in known]


def prospect(found: model.Prospect, words: Words, texts: Catalogue) -> Prospect:
    """What a bot expects of a choice."""
    scores = tuple((words.seat(seat), round(points)) for seat, points in enumerate(found.points))
    return Prospect(found.choice, words.choice(found.choice), chance(found.share, len(scores), texts), scores)


def chance(share: float, seats: int, texts: Catalogue) -> str:
    """How well a seat is expected to do. With more than two seats it isn't the chance to win."""
    return texts.text("advice.win" if seats < 3 else "advice.ahead", percent=round(100 * share))


def has_secrets(game: Game) -> bool:
    """Whether a seat ever knows what another doesn't, so that people at one device need a curtain between them."""
    return any(visibility.who not in ("public", "nobody") for _, visibility in declarations(game.state_type))
