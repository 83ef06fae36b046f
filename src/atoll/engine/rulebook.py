"""A game's `rules.toml`: its card, the sections of its rules page, variants and worked examples.

All texts are in the catalogs: `rule.section.<id>` is the heading of a section, `rule.<key>` a
text, `rule.<key>.title` its heading, and `rule.example.<id>` the text of an example. See
docs/study/howto-rules-page.md.
"""

from __future__ import annotations

import importlib
import importlib.resources
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from .errors import WordsError
from .game import Game
from .options import Options, OptionValue
from .position import Position
from .rules import Rules
from .scripted_game import ScriptedGame
from .translations import catalogue_keys

_ANSWER_S: Final = 15
"""Assumed seconds per answer of a person, for games that don't state their duration."""

_RULE_ID: Final = re.compile(r"[A-Z]{2}-[1-9]\d*\.[1-9]\d*")

Key = Annotated[str, Meta(pattern=r"^[a-z]+(_[a-z]+)*$", description="lower case letters and _ only")]
"""Key of a text."""
When = dict[str, OptionValue | list[OptionValue]]
"""Condition: the allowed value or values per option, and of `seats`."""


class _Part(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Base of the tables of the file."""


class GameCard(_Part, frozen=True, kw_only=True):
    """Facts for people who choose a game.

    Attributes:
        minutes: Minimum and maximum duration in minutes.
        weight: Complexity, from 1 (light) to 5 (heavy).
        prompts: Number of different questions in a game; the weight depends on it.
        decisions: Decisions of one seat in a game of greedy bots with the fewest seats; the weight
            depends on it.
        first_seats: Lowest number of seats that shows the whole game.
    """

    minutes: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]
    weight: Annotated[int, Meta(ge=1, le=5)]
    prompts: Annotated[int, Meta(ge=1)]
    decisions: Annotated[int, Meta(ge=1)]
    first_seats: Annotated[int, Meta(ge=1)]


class RuleText(_Part, frozen=True, kw_only=True):
    """A text that applies only under a condition.

    Attributes:
        rule: Key of the text.
        when: The condition.
    """

    rule: Key
    when: When


class Variant(_Part, frozen=True, kw_only=True):
    """Another wording of a text, for tables where the usual wording would be wrong.

    Attributes:
        rule: Key of the text.
        id: Id of the variant; the catalog has it as `rule.<rule>.<id>`.
        when: The condition.
    """

    rule: Key
    id: Key
    when: When


class Section(_Part, frozen=True, kw_only=True):
    """A section of the rules page. Its parts are shown in the order of the fields.

    Attributes:
        id: Id of the section.
        kind: Layout of the texts: `text`, `steps` (numbered), `questions` or `words` (a glossary).
        texts: Keys of the texts, with conditions where needed.
        fresh: Whether to show a picture of a new table.
        options: Whether to list the options with their explanations.
        tables: Ids of tables that the game's `rulebook.py` makes.
        gallery: Ids of galleries that the game's `rulebook.py` makes.
        examples: Ids of examples.
        when: Condition of the section.
    """

    id: Key
    kind: Literal["text", "steps", "questions", "words"] = "text"
    texts: tuple[Key | RuleText, ...] = ()
    fresh: bool = False
    options: bool = False
    tables: tuple[Key, ...] = ()
    gallery: tuple[Key, ...] = ()
    examples: tuple[str, ...] = ()
    when: When = {}

    def rules(self) -> list[tuple[str, When]]:
        """Return the keys of the texts, each with its own condition."""
        return [(each, {}) if isinstance(each, str) else (each.rule, each.when) for each in self.texts]


class Example(_Part, frozen=True, kw_only=True):
    """A worked example: a position, the part of it that is drawn, and the values of its text.

    Attributes:
        id: Id of the example.
        seats: Number of seats.
        options: Values of options; defaults apply to the others.
        play: Choices from the start, one line each, in the form of `ScriptedGame.play`. Without
            `seed`, chance outcomes are included.
        seed: Seed of the chance events; None if outcomes are part of `play`.
        build: `module:function` of the game's package that returns a `ScriptedGame`, instead of
            `play`; "" for none.
        viewer: Seat whose view is drawn; None for a spectator.
        show: Ids of the regions to draw; empty for the whole scene.
        spot: Ids of elements or facts to highlight.
        names: Values of placeholders that are named after a domain, by element name.
        numbers: Values of placeholders that are read from the position: a path into the view, or
            `scores.<seat>`.
        score: Seats whose score lines are shown.
        lesson: `lesson#step` in which the example can be tried; "" for none.
    """

    id: Annotated[str, Meta(pattern=r"^[a-z]+[a-z0-9_]*$", description="lower case letters, digits and _ only")]
    seats: Annotated[int, Meta(ge=1)]
    options: dict[str, OptionValue] = {}
    play: str = ""
    seed: int | None = None
    build: str = ""
    viewer: int | None = 0
    show: tuple[str, ...] = ()
    spot: tuple[str, ...] = ()
    names: dict[str, str | list[str]] = {}
    numbers: dict[str, str] = {}
    score: tuple[int, ...] = ()
    lesson: str = ""

    def position(self, game: Game) -> Position:
        """Play the example and return its position."""
        if self.build:
            module, _, function = self.build.partition(":")
            built: ScriptedGame = getattr(importlib.import_module(f"{game.package}.{module}"), function)()
            return built.position
        table = ScriptedGame.of(game, game.new(self.seats, self.options, self.seed))
        return table.play(self.play).position

    def fields(self, game: Game, position: Position) -> dict[str, object]:
        """Return the values for the placeholders of the example's text.

        Args:
            game: The game.
            position: The position of the example.

        Returns:
            Per placeholder the index or indices of named elements, or a number.
        """
        found: dict[str, object] = {}
        for key, named in self.names.items():
            names = game.notation.names(key.rstrip("_0123456789"))
            found[key] = names.index(named) if isinstance(named, str) else [names.index(each) for each in named]
        if self.numbers:
            known: dict[str, Any] = {**position.view(self.viewer), "scores": position.scores()}
            for key, path in self.numbers.items():
                found[key] = _at(known, path.split("."))
        return found


def _at(value: Any, path: Sequence[str]) -> Any:
    for step in path:
        value = value[step] if isinstance(value, Mapping) else value[int(step)]
    return value


class Stated(_Part, frozen=True, kw_only=True):
    """A rule of `RULES.md` with the texts that state it to people.

    Attributes:
        id: Id of the rule, such as `AC-3.2`.
        read: Digest of its section when the texts were last compared with it.
        texts: Keys of the texts, without the game's id.
    """

    id: str
    read: Annotated[str, Meta(pattern=r"^[0-9a-f]{12}$", description="12 hexadecimal digits")]
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if not _RULE_ID.fullmatch(self.id):
            raise ValueError(f"{self.id!r} isn't the id of a rule, such as 'AC-3.2'")


class Rulebook(_Part, frozen=True, kw_only=True):
    """The content of a `rules.toml`.

    Attributes:
        card: Facts for people who choose a game.
        section: Sections of the rules page, in order.
        variant: Other wordings of texts.
        example: Worked examples.
        stated: Rules of `RULES.md` with their texts.
    """

    card: GameCard
    section: tuple[Section, ...]
    variant: tuple[Variant, ...] = ()
    example: tuple[Example, ...] = ()
    stated: tuple[Stated, ...] = ()


@cache
def _read(package: str) -> Rulebook | None:
    file = importlib.resources.files(package).joinpath("rules.toml")
    if not file.is_file():
        return None
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), Rulebook)
    except msgspec.ValidationError as error:
        raise ValueError(f"rules.toml of {package}: {error}") from error


def rulebook(game: Game) -> Rulebook:
    """Return the rulebook of a game. A game without a file gets a generated one.

    Args:
        game: The game.

    Raises:
        ValueError: If the file is invalid.
    """
    return _read(game.package) or _unwritten(game)


@cache
def _unwritten(game: Game) -> Rulebook:
    """Generate a rulebook: a new table, all rule texts, a card based on random games."""
    played = [_played(game, seats) for seats in (min(game.seat_counts), max(game.seat_counts))]
    prompts, decisions = max(each[0] for each in played), max(1, played[0][1])
    minutes = [max(1, round(each[2] * _ANSWER_S / 60)) for each in played]
    weight = 1 + (prompts > 4) + (prompts > 8) + (decisions > 40) + (decisions > 100)
    card = GameCard(
        minutes=(min(minutes), max(minutes)),
        weight=weight,
        prompts=prompts,
        decisions=decisions,
        first_seats=min(game.seat_counts),
    )
    start = f"{game.id}.rule."
    try:
        keys = [key.removeprefix(start) for key in catalogue_keys(game.package, "en") if key.startswith(start)]
    except WordsError:
        keys = []
    texts = tuple(key for key in keys if "." not in key)
    return Rulebook(card=card, section=(Section(id="rules", fresh=True, texts=texts, options=bool(game.options)),))


def _played(game: Game, seats: int) -> tuple[int, int, int]:
    """Play a random game.

    Args:
        game: The game.
        seats: Number of seats, and the seed.

    Returns:
        Number of different questions, most decisions of a seat, and decisions of all seats.
    """
    rng = Random(seats)
    position = game.new(seats, seed=seats)
    prompts: set[str] = set()
    decisions = [0] * seats
    while not position.over:
        seat = position.to_move[0]
        prompts.add(position.decision(seat).prompt)
        decisions[seat] += 1
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    return max(1, len(prompts)), max(decisions), sum(decisions)


def in_play(when: When, seats: int, options: Options) -> bool:
    """Return whether a condition holds.

    Args:
        when: The condition.
        seats: Number of seats.
        options: All options of the table.
    """
    known = {**options, "seats": seats}
    return all(known[key] in (value if isinstance(value, list) else [value]) for key, value in when.items())


def wording(game: Rules, rule: str, seats: int, options: Options) -> str:
    """Return the catalog key of a rule's text at a table, which may be a variant.

    Args:
        game: The game.
        rule: Key of the text.
        seats: Number of seats.
        options: All options of the table.
    """
    book = _read(game.package)
    for each in book.variant if book is not None else ():
        if each.rule == rule and in_play(each.when, seats, options):
            return f"rule.{rule}.{each.id}"
    return f"rule.{rule}"
