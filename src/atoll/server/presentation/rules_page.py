"""A game's rules as the page shows them: the rulebook's sections with tables, pieces and examples.

Texts come from the game's messages, numbers from its components, and pictures from its brush.
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
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, RuleTable, excerpt

from ..domain.model import Refused
from .pictures import lesson_address
from .texts import Rule, ScoreLineText, game_texts, lines_of, rule

FRESH: Final = "table"
"""Name of the picture of a new table."""
_FRESH_SEED: Final = 7
_PHONE: Final = 38
"""Characters per line on the narrowest phones."""
_ID: Final = re.compile(r' (?:id|data-[a-z]+|role)="[^"]*"')


@dataclass(frozen=True, slots=True)
class RulesContext:
    """The table for which the rules are shown.

    Attributes:
        seats: Number of seats.
        options: All options of the game.
        asked: Names of the options (and `seats`) that the reader has selected; others are defaults.
    """

    seats: int
    options: Mapping[str, Any]
    asked: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((self.seats, tuple(sorted(self.options.items())), self.asked))

    def holds(self, when: When) -> bool:
        """Return whether a condition is met; parts about unselected options count as met."""
        return in_play({key: value for key, value in when.items() if key in self.asked}, self.seats, self.options)


def setting(game: Game, asked: Mapping[str, str]) -> RulesContext:
    """Return the table that an address asks for.

    Args:
        game: The game.
        asked: Parameters of the address. Invalid options and combinations are ignored.
    """
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
    return RulesContext(seats, game.resolve_options(options, seats), frozenset(named | set(options)))


@dataclass(frozen=True, slots=True)
class RuleTextView:
    """A text of the rules.

    Attributes:
        rule: The text.
        in_play: Whether it applies to the table.
    """

    rule: Rule
    in_play: bool


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table of figures.

    Attributes:
        id: Its id.
        caption: Its caption.
        table: The figures.
    """

    id: str
    caption: str
    table: RuleTable

    @property
    def is_wide(self) -> bool:
        """True if its columns don't fit side by side on a phone; there each row is a block."""
        columns = zip(self.table.head, *self.table.rows, strict=True)
        longest = [max(len(word) for cell in column for word in str(cell).split() or [""]) for column in columns]
        return sum(longest) + len(longest) > _PHONE


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Pieces of one kind.

    Attributes:
        id: Its id.
        title: Its title.
        pieces: The pieces with their markup. It has no ids, because the pieces aren't interactive
            here.
    """

    id: str
    title: str
    pieces: Sequence[tuple[ComponentPicture, Markup]]


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A worked example.

    Attributes:
        id: Its id.
        text: The example as text.
        scores: Name, total and score lines per seat.
        lesson: Address of the lesson where it can be tried, or "".
    """

    id: str
    text: str
    scores: Sequence[tuple[str, int, Sequence[ScoreLineText]]]
    lesson: str


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A section of the page.

    Attributes:
        id: Its id.
        title: Its title.
        kind: Its kind, as in the rulebook.
        in_play: Whether it applies to the table.
        texts: Its texts.
        tables: Its tables of figures.
        groups: Its pieces.
        examples: Its worked examples.
        fresh: Whether it shows the picture of a new table.
        options: Name, help and names of the values (if any) of each option.
    """

    id: str
    title: str
    kind: str
    in_play: bool
    texts: Sequence[RuleTextView]
    tables: Sequence[FigureTable]
    groups: Sequence[PieceGroup]
    examples: Sequence[ExampleView]
    fresh: bool
    options: Sequence[tuple[str, str, Sequence[str]]]


@lru_cache(maxsize=64)
def parts(game: Game, words: GameMessages, at: RulesContext) -> tuple[RulesSection, ...]:
    """Return all sections of the page.

    Args:
        game: The game.
        words: Messages of the game.
        at: The table for which the rules are shown.
    """
    book = rulebook(game)
    tables, gallery = figures(game, words, at)
    examples = {each.id: each for each in book.example}
    facts = game.rule_facts(game.components, at.seats, at.options)

    def part(section: Section) -> RulesSection:
        """Return one section."""
        holds = at.holds(section.when)
        return RulesSection(
            id=section.id,
            title=words.say(f"rule.section.{section.id}"),
            kind=section.kind,
            in_play=holds,
            texts=[
                RuleTextView(found, holds and at.holds(when))
                for key, when in section.rules()
                if (found := rule(words, key, at.seats, at.options)) is not None
            ],
            tables=[FigureTable(each, words.say(f"rule.table.{each}", facts), tables[each]) for each in section.tables],
            groups=[_group(each, gallery[each], words) for each in section.gallery],
            examples=[
                shown for each in section.examples if (shown := _shown(game, examples[each], words, facts)) is not None
            ],
            fresh=section.fresh,
            options=_options(game, words) if section.options else (),
        )

    return tuple(part(section) for section in book.section)


def figures(
    game: Game, words: GameMessages, at: RulesContext
) -> tuple[Mapping[str, RuleTable], Mapping[str, Sequence[ComponentPicture]]]:
    """Return the tables and pieces of a game's `rulebook.py`; none without such a file.

    Args:
        game: The game.
        words: Messages of the game.
        at: The table for which the rules are shown.
    """
    if importlib.util.find_spec(f"{game.package}.rulebook") is None:
        return {}, {}
    module = importlib.import_module(f"{game.package}.rulebook")
    return module.tables(game, words, at.seats, at.options), module.gallery(game, words)


def _group(id: str, pieces: Sequence[ComponentPicture], words: GameMessages) -> PieceGroup:
    drawn = [(each, _ID.sub("", each.drawing.markup) if each.drawing is not None else "") for each in pieces]
    return PieceGroup(id, words.say(f"rule.gallery.{id}"), [(each, Markup(markup)) for each, markup in drawn])  # noqa: S704


def _options(game: Game, words: GameMessages) -> list[tuple[str, str, list[str]]]:
    found = []
    for option in game.options:
        name = f"option.{option.id}"
        allowed = option.describe().get("allowed", ())
        found.append((words.say(name), words.say(f"{name}.help"), [words.say(f"{name}.{each}") for each in allowed]))
    return found


def _shown(game: Game, example: Example, words: GameMessages, facts: Mapping[str, Any]) -> ExampleView | None:
    """Return an example, or None if it isn't possible with replaced components."""
    position = _position(game, example)
    if position is None:
        return None
    lines, totals = msgspec.to_builtins(position.explain()), position.scores()
    return ExampleView(
        example.id,
        words.say(f"rule.example.{example.id}", {**facts, **example.fields(game, position)}),
        [(words.seat(seat), totals[seat], lines_of(lines[seat], words)) for seat in example.score],
        lesson_address(game, example.lesson) if example.lesson else "",
    )


def _position(game: Game, example: Example) -> Position | None:
    try:
        return example.position(game)
    except Exception:  # replaced components may lack anything; a test covers the original ones
        return None


# -- pictures --------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def picture(game: Game, language: str, name: str, seats: int, options: tuple[tuple[str, Any], ...], theme: str) -> str:
    """Return the picture of an example or of a new table, as SVG.

    Args:
        game: The game.
        language: Language code.
        name: Id of the example, or `FRESH`.
        seats: Number of seats.
        options: Options of the game as pairs.
        theme: Color scheme.

    Raises:
        Refused: If the example doesn't exist or isn't possible with these components.
    """
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


# -- search ----------------------------------------------------------------------------------------


def search(found: Sequence[RulesSection], wanted: str) -> list[RulesSection]:
    """Return the parts of the page that contain all words; those with a matching title come first.

    Args:
        found: The sections.
        wanted: The words.
    """
    words = wanted.casefold().split()
    matches = [(_of_part(part, words), part.title) for part in found]
    hits = [(part, _is_in(words, title, *(each.rule.title for each in part.texts))) for part, title in matches if part]
    return [part for part, _ in sorted(hits, key=lambda hit: not hit[1])]


def _is_in(words: Sequence[str], *texts: str) -> bool:
    return any(all(word in text.casefold() for word in words) for text in texts)


def _of_part(part: RulesSection, words: Sequence[str]) -> RulesSection | None:
    """Return the matching part of a section; all of it if its title matches, None without."""
    if _is_in(words, part.title):
        return part
    matching = replace(
        part,
        texts=[each for each in part.texts if _is_in(words, f"{each.rule.title} {each.rule.text}")],
        tables=[each for each in part.tables if _is_in(words, " ".join(_cells(each)))],
        groups=[group for each in part.groups if (group := _of_group(each, words)).pieces],
        examples=[each for each in part.examples if _is_in(words, each.text)],
        fresh=False,
        options=[each for each in part.options if _is_in(words, f"{each[0]} {each[1]}")],
    )
    return (
        matching
        if any((matching.texts, matching.tables, matching.groups, matching.examples, matching.options))
        else None
    )


def _cells(table: FigureTable) -> Iterator[str]:
    yield table.caption
    yield from table.table.head
    for row in table.table.rows:
        yield from map(str, row)


def _of_group(group: PieceGroup, words: Sequence[str]) -> PieceGroup:
    if _is_in(words, group.title):
        return group
    return replace(group, pieces=[each for each in group.pieces if _is_in(words, f"{each[0].name} {each[0].text}")])
