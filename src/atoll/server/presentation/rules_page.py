"""A game's rules as the page shows them: sections in the order of the rulebook, with tables, pieces and examples.

What is said comes from the game's catalogue, every number from its data, every picture from its brush.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import msgspec
from markupsafe import Markup

from atoll.engine import Game, Position
from atoll.engine.errors import OptionError
from atoll.engine.rulebook import Example, Section, When, in_play, rulebook
from atoll.engine.words import Words
from atoll.picture import Piece, RuleTable, excerpt

from ..domain.model import Refused
from .pictures import lesson_address
from .texts import Rule, ScoreLine, game_texts, lines_of, rule

FRESH: Final = "table"
"""The name of the picture of a new table."""
_FRESH_SEED: Final = 7
_PHONE: Final = 38
"""Characters that stand side by side on the narrowest phones."""
_ID: Final = re.compile(r' (?:id|data-[a-z]+|role)="[^"]*"')


@dataclass(frozen=True, slots=True)
class Setting:
    """The table that the rules are read for. asked: the options that were named, and `seats`; the others are usual."""

    seats: int
    options: Mapping[str, Any]
    asked: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((self.seats, tuple(sorted(self.options.items())), self.asked))

    def holds(self, when: When) -> bool:
        """Whether something is in play, as far as one has asked."""
        return in_play({key: value for key, value in when.items() if key in self.asked}, self.seats, self.options)


def setting(game: Game, asked: Mapping[str, str]) -> Setting:
    """What an address asks for. What doesn't exist in this game, or not together, is left out."""
    seats, named = rulebook(game).card.first_seats, {"seats"} & set(asked)
    if asked.get("seats", "") in map(str, game.seat_counts):
        seats = int(asked["seats"])
    else:
        named.clear()
    options: dict[str, Any] = {}
    for option in game.options:
        if option.id in asked:
            try:
                tried = {**options, option.id: option.read(asked[option.id])}
                game.resolve_options(tried, seats)
            except OptionError:
                continue
            options = tried
    return Setting(seats, game.resolve_options(options, seats), frozenset(named | set(options)))


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and whether it is in play."""

    rule: Rule
    in_play: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of figures with its caption."""

    id: str
    caption: str
    table: RuleTable

    @property
    def is_wide(self) -> bool:
        """Whether its columns don't stand side by side on a phone: each row stands by itself there."""
        columns = zip(self.table.head, *self.table.rows, strict=True)
        longest = [max(len(word) for cell in column for word in str(cell).split() or [""]) for column in columns]
        return sum(longest) + len(longest) > _PHONE


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces of one kind. ids are taken from their markup: on this page they are only looked at."""

    id: str
    title: str
    pieces: Sequence[tuple[Piece, Markup]]


@dataclass(frozen=True, slots=True)
class Shown:
    """A worked example: its sentence, and per seat the lines of its score. lesson: where it can be tried; may be ""."""

    id: str
    text: str
    scores: Sequence[tuple[str, int, Sequence[ScoreLine]]]
    lesson: str


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page. options: name, help and, where it has them, the names of the values."""

    id: str
    title: str
    kind: str
    in_play: bool
    texts: Sequence[Text]
    tables: Sequence[Table]
    groups: Sequence[Group]
    examples: Sequence[Shown]
    fresh: bool
    options: Sequence[tuple[str, str, Sequence[str]]]


@lru_cache(maxsize=64)
def parts(game: Game, words: Words, at: Setting) -> tuple[Part, ...]:
    """The whole page."""
    book = rulebook(game)
    tables, gallery = figures(game, words, at)
    examples = {each.id: each for each in book.example}
    facts = game.rule_facts(game.box, at.seats, at.options)

    def part(section: Section) -> Part:
        holds = at.holds(section.when)
        return Part(
            id=section.id,
            title=words.say(f"rule.section.{section.id}"),
            kind=section.kind,
            in_play=holds,
            texts=[
                Text(found, holds and at.holds(when))
                for key, when in section.rules()
                if (found := rule(words, key, at.seats, at.options)) is not None
            ],
            tables=[Table(each, words.say(f"rule.table.{each}", facts), tables[each]) for each in section.tables],
            groups=[_group(each, gallery[each], words) for each in section.gallery],
            examples=[
                shown for each in section.examples if (shown := _shown(game, examples[each], words, facts)) is not None
            ],
            fresh=section.fresh,
            options=_options(game, words) if section.options else (),
        )

    return tuple(part(section) for section in book.section)


def figures(game: Game, words: Words, at: Setting) -> tuple[Mapping[str, RuleTable], Mapping[str, Sequence[Piece]]]:
    """The tables and pieces of a game's `rulebook.py`; none if it has no such file."""
    if importlib.util.find_spec(f"{game.package}.rulebook") is None:
        return {}, {}
    module = importlib.import_module(f"{game.package}.rulebook")
    return module.tables(game, words, at.seats, at.options), module.gallery(game, words)


def _group(id: str, pieces: Sequence[Piece], words: Words) -> Group:
    drawn = [(each, _ID.sub("", each.drawing.markup) if each.drawing is not None else "") for each in pieces]
    return Group(id, words.say(f"rule.gallery.{id}"), [(each, Markup(markup)) for each, markup in drawn])  # noqa: S704


def _options(game: Game, words: Words) -> list[tuple[str, str, list[str]]]:
    found = []
    for option in game.options:
        name = f"option.{option.id}"
        allowed = option.describe().get("allowed", ())
        found.append((words.say(name), words.say(f"{name}.help"), [words.say(f"{name}.{each}") for each in allowed]))
    return found


def _shown(game: Game, example: Example, words: Words, facts: Mapping[str, Any]) -> Shown | None:
    """An example; None if an owner's data don't lead to its position."""
    position = _position(game, example)
    if position is None:
        return None
    lines, totals = msgspec.to_builtins(position.explain()), position.scores()
    return Shown(
        example.id,
        words.say(f"rule.example.{example.id}", {**facts, **example.fields(game, position)}),
        [(words.seat(seat), totals[seat], lines_of(lines[seat], words)) for seat in example.score],
        lesson_address(game, example.lesson) if example.lesson else "",
    )


def _position(game: Game, example: Example) -> Position | None:
    try:
        return example.position(game)
    except Exception:  # with an owner's data anything may be missing on the way; with ours a test would have seen it
        return None


# -- pictures --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def picture(game: Game, language: str, name: str, seats: int, options: tuple[tuple[str, Any], ...], theme: str) -> str:
    """The picture of an example, or of a new table for so many players; an SVG. Raises Refused."""
    words = game_texts(game, language)
    if name == FRESH:
        position = game.new(seats, dict(options), _FRESH_SEED)
        return excerpt(game, position.view(0), words, theme=theme)
    example = next((each for each in rulebook(game).example if each.id == name), None)
    if example is None:
        raise Refused("no_page", 404, f"the rules of {game.id} have no picture {name[:40]!r}")
    reached = _position(game, example)
    if reached is None:
        raise Refused("no_page", 404, f"the position of {name!r} isn't reached with these components")
    return excerpt(game, reached.view(example.viewer), words, example.show, example.spot, theme=theme)


# -- search ----------------------------------------------------------------------------------------------------------


def search(found: Sequence[Part], wanted: str) -> list[Part]:
    """What of the page holds all these words: where a title does, first."""
    words = wanted.casefold().split()
    kept = [(_of_part(part, words), part.title) for part in found]
    hits = [(part, _is_in(words, title, *(each.rule.title for each in part.texts))) for part, title in kept if part]
    return [part for part, _ in sorted(hits, key=lambda hit: not hit[1])]


def _is_in(words: Sequence[str], *texts: str) -> bool:
    return any(all(word in text.casefold() for word in words) for text in texts)


def _of_part(part: Part, words: Sequence[str]) -> Part | None:
    """What of a section holds the words: all of it if its heading does; None if nothing."""
    if _is_in(words, part.title):
        return part
    kept = replace(
        part,
        texts=[each for each in part.texts if _is_in(words, f"{each.rule.title} {each.rule.text}")],
        tables=[each for each in part.tables if _is_in(words, " ".join(_cells(each)))],
        groups=[group for each in part.groups if (group := _of_group(each, words)).pieces],
        examples=[each for each in part.examples if _is_in(words, each.text)],
        fresh=False,
        options=[each for each in part.options if _is_in(words, f"{each[0]} {each[1]}")],
    )
    return kept if any((kept.texts, kept.tables, kept.groups, kept.examples, kept.options)) else None


def _cells(table: Table) -> Iterator[str]:
    yield table.caption
    yield from table.table.head
    for row in table.table.rows:
        yield from map(str, row)


def _of_group(group: Group, words: Sequence[str]) -> Group:
    if _is_in(words, group.title):
        return group
    return replace(group, pieces=[each for each in group.pieces if _is_in(words, f"{each[0].name} {each[0].text}")])
