"""What a game tells the engine: its static description, and the functions by which the engine knows it."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

import msgspec

from .decisions import Flow
from .errors import OptionError, SaveError
from .explain_context import ExplainContext, state_from_view
from .json_types import JsonMapping, JsonObject
from .languages import said
from .options import Option, Options, OptionValue, resolve
from .reasons import Explainers, Reason
from .state import C, S, visibility_of
from .vocabulary import Kind, Notation, Numbers, Vocabulary

_Value = TypeVar("_Value", int, tuple[int, ...])

_HASHED: Final = "atoll-components-1"
"""In front of what is hashed, so that nothing saved before release 0.1.0 passes for something of today."""


class ScorePart(msgspec.Struct, frozen=True):
    """One thing that counted in a line of a score: words key, points, values for the words."""

    key: str
    points: int
    fields: JsonMapping = msgspec.field(default_factory=dict)


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a score: words key, points, values for the words, what exactly counted, the rule behind it."""

    key: str
    points: int
    fields: JsonMapping = msgspec.field(default_factory=dict)
    parts: Sequence[ScorePart] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody without a seat who scores: a player whom the rules play.

    key: of the words that name it (`rival.<key>`). lines: what makes up its score.
    """

    key: str
    lines: Sequence[ScoreLine]


class Rules(Generic[S, C]):
    """The static description of a game, which declares the attributes and defines the methods here. See Game.

    S is the type of the game's state, C that of its Box: what its components are read into.

    id: short name, also the folder's. seat_counts: how many can play. options: what a host can choose.
    rules_version: raised whenever a saved game would go on differently. bound: the most decisions and chance events
    that a game can have. most_options: the most choices that a decision offers. vocabulary, state_type: see there.
    judges: who says why a choice isn't offered (reasons.py). live_is_public: whether `live` gives all viewers the same.
    prompts: the keys of all questions, each with the kinds of its answers. abouts: the placeholders in them, each with
    the highest number that it can have; those named `seat...` are seats. The order of both is file format: trained
    agents depend on it.
    declining: the kinds by which a seat does nothing, or nothing more: they aren't named among what it has done.
    migrations: from a rules version to a function that turns a save of it into one of the next. boxes: by rules version
    the hash of the components that came with it, where they aren't the same for all.
    """

    id: str
    rules_version: int = 1
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...] = ()
    max_answers: int
    max_choices: int = 256
    vocabulary: Vocabulary
    state_type: type[S]
    explainers: Explainers
    derived_view_is_public: ClassVar[bool] = False
    prompts: ClassVar[Mapping[str, tuple[Kind, ...]]]
    placeholders: ClassVar[Mapping[str, int]] = {}
    passing_kinds: ClassVar[tuple[Kind, ...]] = ()
    migrations: ClassVar[Mapping[int, Callable[[JsonObject], JsonObject]]] = {}
    component_hashes: ClassVar[Mapping[int, str]] = {}

    def __init__(self, data: JsonMapping | None = None) -> None:
        """Build the game from component data (default: the `components.toml` beside it). Raises ComponentError."""
        if data is None:
            data = self._own_components()
        self.data: JsonMapping = data
        self.components: C = self.load_components(data)
        printed = json.dumps([_HASHED, data], sort_keys=True, ensure_ascii=False)
        self.components_hash: str = hashlib.sha256(printed.encode()).hexdigest()[:16]
        self.notation: Notation = Notation(self.vocabulary, self.names(self.components))
        self._before: tuple[int, Options, S] | None = None  # seats, options and table of the last game
        self.sources: tuple[str, ...] = tuple(dict.fromkeys(("", *self._named(), *self.extra_sources(self.components))))

    def _own_components(self) -> JsonObject:
        text = importlib.resources.files(self.package).joinpath("components.toml").read_text("utf-8")
        return tomllib.loads(text)

    def check_made(self, what: str, box_hash: str, rules_version: int) -> None:
        """Check that a save or a record fits these components and rules.

        Its components are these, or the ones that came with its older version of the rules.

        Args:
            what: The word for it in messages: "save" or "record".
            box_hash: The hash of its components.
            rules_version: Its version of the rules.

        Raises:
            SaveError: If its rules are newer or its components are others.
        """
        if rules_version > self.rules_version:
            raise SaveError(
                f"the {what} was made with rules version {rules_version} of {self.id}, and this is version "
                f"{self.rules_version}: update Atoll; what is from before release 0.1.0 can't be read"
            )
        if box_hash == self.components_hash:
            return
        is_todays = self.component_hashes.get(self.rules_version) == self.components_hash
        if not (
            is_todays and rules_version < self.rules_version and self.component_hashes.get(rules_version) == box_hash
        ):
            raise SaveError(
                f"the {what} was made with other components of {self.id} "
                f"({box_hash!r}; these are {self.components_hash!r}): "
                "read it with the game that has them (`game.with_components(path)`); what is from before release "
                "0.1.0 can't be read"
            )

    @property
    def min_multiplayer_seats(self) -> int:
        """The least number of seats at which somebody plays against somebody; 1 where nobody ever does."""
        return min((seats for seats in self.seat_counts if seats > 1), default=self.seat_counts[0])

    @property
    def package(self) -> str:
        """The package in which the game's components and words lie."""
        return sys.modules[type(self).__module__].__package__ or ""

    # -- what a game defines -------------------------------------------------------------------------------------

    def load_components(self, data: JsonMapping) -> C:
        """The Box from component data, with the reader of `atoll.engine.component_schema`. Raises ComponentError."""
        raise NotImplementedError

    def names(self, box: C) -> Mapping[str, Sequence[str]]:
        """For each domain without fixed names: the names of its elements, from the Box."""
        return {}

    def title(self, language: str) -> str:
        """What people call the game; by default from the component data, `[game] name`."""
        return said(self.data["game"]["name"], language)

    def extra_sources(self, box: C) -> Sequence[str]:
        """What can ask (`Choose.source`) beside the game itself and all that the vocabulary names."""
        return ()

    def _named(self) -> Iterator[str]:
        """The names of everything in the domains, but numbers."""
        for name, domain in self.vocabulary.domains().items():
            if not isinstance(domain, Numbers):
                yield from self.notation.names(name)

    def titles(self, box: C, language: str) -> Mapping[str, Sequence[str]]:
        """For domains whose elements are named for people in the component data: these names in a language."""
        return {}

    def text_values(self, box: C) -> Mapping[str, int | str]:
        """Values of the components that texts name: any text of the game may have placeholders of these names."""
        return {}

    def rule_facts(self, box: C, seats: int, options: Options) -> Mapping[str, int | str]:
        """Values for the texts of the rules besides `printed`, at a table with these seats and options."""
        return {}

    def check_options(self, options: Options, seats: int) -> None:
        """Raise OptionError for combinations that the game doesn't have."""

    def setup(self, box: C, options: Options, seats: int) -> S:
        """The empty table. Dealing and all that needs chance or decisions belongs to the first segments of `play`.

        It depends on what is given alone: a new game may get a copy of what was laid out for another one.
        """
        raise NotImplementedError

    def play(self, s: S) -> Flow | tuple[()]:
        """One segment: from one checkpoint to the next. It is called again until `s.over`.

        Nothing (`()`) is returned where nobody is asked anything and all of the segment has been done.
        """
        raise NotImplementedError

    def derive(self, s: S) -> None:
        """Compute the fields declared with `derived()` from the others; called after `setup` and after loading."""

    def scores(self, s: S) -> list[int]:
        """One total per seat, as if the game ended now."""
        raise NotImplementedError

    def ranking(self, s: S) -> list[int]:
        """The place of each seat, 1 is best, ties share a place (1, 1, 3). By default the higher score is better.

        Who plays alone is first (1), or beaten by the game (2).
        """
        return rank(self.scores(s))

    def explain(self, s: S) -> list[list[ScoreLine]]:
        """Per seat the lines that make up its score, as if the game ended now."""
        raise NotImplementedError

    def rivals(self, s: S) -> list[Rival]:
        """Who scores without having a seat, as if the game ended now."""
        return []

    def harder_options(self, options: Options, seats: int) -> dict[str, OptionValue] | None:
        """The options of the next harder game, for whom has won; None if there are no levels, or none harder."""
        return None

    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        """Why the viewer can't make this choice, judged from its view alone; None if it can."""
        return self.explainers.why_not(self.seen(view), choice)

    def state_from_view(self, view: JsonMapping) -> S:
        """Return the table as the viewer knows it, with values without a meaning in place of what is hidden."""
        s = state_from_view(self.state_type, self.components, view)
        self.derive(s)
        return s

    def seen(self, view: JsonMapping) -> ExplainContext[S, C]:
        """Return a view with the table that it shows, for judges and coaches."""
        return ExplainContext(self.components, view, self.state_from_view)

    def derived_view(self, s: S, viewer: int | None) -> JsonObject:
        """Computed facts that the viewer may know (running scores and the like), as plain data."""
        return {}

    def start_player_of(self, s: S) -> int:
        """The start player; by default the field of that name. It needn't be known while all still prepare at once."""
        seat: int = cast(Any, s).start_player
        return seat

    def component_counts(self, s: S) -> dict[str, int]:
        """Totals of components, wherever they are; the same at every checkpoint of a game."""
        raise NotImplementedError

    def card_back(self, field: str, card: int) -> str:
        """The back of a card in a field; by default the one that the field declares."""
        return visibility_of(self.state_type, field).back

    def determinize(self, s: S, seat: int, rng: Random) -> None:
        """Replace what the seat can't know and what isn't cards by a random consistent guess."""

    # -- what it offers ------------------------------------------------------------------------------------------

    def resolve_options(self, options: Options, seats: int) -> dict[str, OptionValue]:
        """All options with their values, checked alone and together. Raises OptionError."""
        resolved = resolve(self.options, options)
        for option in self.options:
            option.check_seats(resolved[option.id], seats)
        self.check_options(resolved, seats)
        return resolved

    def first_game_options(self) -> dict[str, OptionValue]:
        """The options that are recommended for a first game, where these aren't the defaults."""
        return {option.id: option.first_game_value for option in self.options if option.first_game_value is not None}

    def option_sets(self, seats: int) -> list[dict[str, OptionValue]]:
        """All combinations of the options' listed values that exist with this number of seats."""
        combinations: list[dict[str, OptionValue]] = [{}]
        for option in self.options:
            combinations = [{**each, option.id: value} for each in combinations for value in option.values()]
        found: list[dict[str, OptionValue]] = []
        for each in combinations:
            try:
                resolved = self.resolve_options(each, seats)
            except OptionError:
                continue
            if resolved not in found:
                found.append(resolved)
        return found

    def text(self, choice: int) -> str:
        """The text form of a choice. Raises MalformedChoice."""
        return self.notation.text(choice)

    def parse(self, text: str) -> int:
        """The choice with this text form. Raises MalformedChoice."""
        return self.notation.parse(text)

    def __repr__(self) -> str:
        return f"<game {self.id}>"


def rank(values: Sequence[_Value]) -> list[int]:
    """The place of each value, 1 for the highest, equal values sharing a place: [7, 9, 7] -> [2, 1, 2]."""
    return [1 + sum(other > value for other in values) for value in values]
