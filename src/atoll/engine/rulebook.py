"""What a game's `rules.toml` says: its card, the sections of its rules page in the order of the rulebook, the examples.

All words are in the catalogues: `rule.section.<id>` is a section's heading, `rule.<key>` a text and `rule.<key>.title`
its heading, `rule.example.<id>` what is said of an example. docs/rules-page.md tells how to write them.
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
"""How long people take for an answer, for games that don't say how many minutes they take."""

_RULE_ID: Final = re.compile(r"[A-Z]{2}-[1-9]\d*\.[1-9]\d*")

Key = Annotated[str, Meta(pattern=r"^[a-z]+(_[a-z]+)*$", description="lower case letters and _ only")]
When = dict[str, OptionValue | list[OptionValue]]
"""What must hold for something to be in play: per option, and for `seats`, the value or values."""


class _Part(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A table of the file."""


class GameCard(_Part, frozen=True, kw_only=True):
    """What somebody wants to know before choosing a game.

    minutes: the least and the most that the box promises. weight: 1 (light) to 5 (heavy). prompts, decisions: from what
    the weight follows: kinds of questions met in a game, and decisions of one seat (greedy bots, fewest seats).
    first_seats: the fewest seats that show the whole game.
    """

    minutes: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]
    weight: Annotated[int, Meta(ge=1, le=5)]
    prompts: Annotated[int, Meta(ge=1)]
    decisions: Annotated[int, Meta(ge=1)]
    first_seats: Annotated[int, Meta(ge=1)]


class RuleText(_Part, frozen=True, kw_only=True):
    """A text that isn't always in play. rule: its key."""

    rule: Key
    when: When


class Variant(_Part, frozen=True, kw_only=True):
    """Another wording of a text, for tables where the usual one would be false.

    Attributes:
        rule: Key of the text.
        id: The catalogue has the wording as `rule.<rule>.<id>`.
        when: Options and numbers of players for which it holds.
    """

    rule: Key
    id: Key
    when: When


class Section(_Part, frozen=True, kw_only=True):
    """A section of the page; what it holds stands in the order of the fields.

    kind: how the texts look: `text`, `steps` (numbered), `questions` or `words` (a term and its meaning).
    fresh: the picture of a new table. options: what a host can choose, with its help. tables, gallery: those of these
    ids, which the game's `rulebook.py` makes. examples: by id. when: the section is in play only then.
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
        """The keys of its texts, each with what must hold for it besides the section's own."""
        return [(each, {}) if isinstance(each, str) else (each.rule, each.when) for each in self.texts]


class Example(_Part, frozen=True, kw_only=True):
    """A worked example: a position, what is drawn of it, and the values that its sentence needs.

    play: the choices from the start, a line each, as in rule tests; without a seed with all that chance does. build:
    instead of these, `module:function` of the game's package that gives the table. viewer: the seat whose view it is.
    show: the regions that are drawn, none: the whole scene. spot: elements or facts that are ringed. names: values for
    placeholders that are named after a domain, by name. numbers: values that are read from the position: a path into
    the view, or `scores.<seat>`. score: the seats whose score is shown line by line. lesson: `lesson#step`, to try it.
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
        """The position, which the engine has reached."""
        if self.build:
            module, _, function = self.build.partition(":")
            built: ScriptedGame = getattr(importlib.import_module(f"{game.package}.{module}"), function)()
            return built.position
        table = ScriptedGame.of(game, game.new(self.seats, self.options, self.seed))
        return table.play(self.play).position

    def fields(self, game: Game, position: Position) -> dict[str, object]:
        """The values for the placeholders of its sentence: names as indices of their domains, and the numbers."""
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
        id: Id of the rule, which stands first in its heading: the letters of the game, chapter, section.
        read: Digest of its section when the texts were last compared with it.
        texts: Keys of the catalogue, without the game's id in front.
    """

    id: str
    read: Annotated[str, Meta(pattern=r"^[0-9a-f]{12}$", description="12 hexadecimal digits")]
    texts: Annotated[tuple[str, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if not _RULE_ID.fullmatch(self.id):
            raise ValueError(f"{self.id!r} isn't the id of a rule, such as 'AC-3.2'")


class Rulebook(_Part, frozen=True, kw_only=True):
    """A game's `rules.toml`."""

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
    """The rulebook of a game; without a file what can be told without it. Raises ValueError if the file is wrong."""
    return _read(game.package) or _unwritten(game)


@cache
def _unwritten(game: Game) -> Rulebook:
    """A new table, the texts of the catalogue in its order, and a card that says how random games went."""
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
    """A random game: kinds of questions met, decisions of the seat that had most, and of all."""
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
    """Whether what is in play only then is so with this number of seats and these options."""
    known = {**options, "seats": seats}
    return all(known[key] in (value if isinstance(value, list) else [value]) for key, value in when.items())


def wording(game: Rules, rule: str, seats: int, options: Options) -> str:
    """Return the catalogue key of a rule's text at a table: that of the first variant in play, or the usual one.

    Args:
        game: The game.
        rule: Key of the text.
        seats: Number of players.
        options: All options of the table.
    """
    book = _read(game.package)
    for each in book.variant if book is not None else ():
        if each.rule == rule and in_play(each.when, seats, options):
            return f"rule.{rule}.{each.id}"
    return f"rule.{rule}"
