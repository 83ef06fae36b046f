"""The interface between a game and the engine: declarations and methods that a game defines."""

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
"""Prefix of hashed components, which separates them from saves before release 0.1.0."""


class ScorePart(msgspec.Struct, frozen=True):
    """A part of a score line: one thing that counted.

    Attributes:
        key: Key of its text.
        points: Points of the part.
        fields: Values for the placeholders of its text.
    """

    key: str
    points: int
    fields: JsonMapping = msgspec.field(default_factory=dict)


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a score.

    Attributes:
        key: Key of its text.
        points: Points of the line.
        fields: Values for the placeholders of its text.
        parts: Things that counted; empty if they aren't listed.
        rule: Key of the rule; "" for none.
    """

    key: str
    points: int
    fields: JsonMapping = msgspec.field(default_factory=dict)
    parts: Sequence[ScorePart] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent without a seat that scores and that the rules play.

    Attributes:
        key: Key of its name: the text `rival.<key>`.
        lines: Lines of its score.
    """

    key: str
    lines: Sequence[ScoreLine]


class Rules(Generic[S, C]):
    """The rules of a game with its components. Subclass `Game`, not this class.

    Type parameters are the classes of the state and the components.

    Args:
        data: Component data; None for the `components.toml` in the game's package.

    Attributes:
        id: Short name, also of the game's folder.
        rules_version: Version of the rules, raised whenever a saved game would continue
            differently.
        seat_counts: Supported numbers of seats, ascending.
        options: Options that the host can choose.
        max_answers: Upper bound of decisions and chance events in a game.
        longest_games: Answers of the longest measured game, by number of seats. Encoders of whole
            histories have room for somewhat more.
        max_choices: Upper bound of legal choices in a decision.
        vocabulary: All kinds of choices.
        state_type: Class of the state.
        explainers: Explainers of illegal choices.
        derived_view_is_public: Whether `derived_view` returns the same for all viewers.
        prompts: Keys of all questions, each with the kinds of its answers. The order is part of the
            file format, because trained agents depend on it.
        placeholders: Placeholders of the questions, each with its highest value. Those named
            `seat...` are seats. The order is part of the file format.
        passing_kinds: Kinds by which a seat does nothing, or nothing more. They aren't listed among
            the actions of a turn.
        migrations: Functions that convert a save of a rules version to the next version, by
            version.
        component_hashes: Hash of the components of each rules version, if they changed with the
            rules.
        data: Component data.
        components: Components built from the data.
        components_digest: SHA-256 of the component data, in hex.
        components_hash: The first 16 digits of it, in saves, records and names of files.
        notation: Text form of the choices.
        sources: All values of `Choose.source`.

    Raises:
        ComponentError: If the component data is invalid.
    """

    id: str
    rules_version: int = 1
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...] = ()
    max_answers: int
    longest_games: ClassVar[Mapping[int, int]] = {}
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
        if data is None:
            data = self._own_components()
        self.data: JsonMapping = data
        self.components: C = self.load_components(data)
        printed = json.dumps([_HASHED, data], sort_keys=True, ensure_ascii=False)
        self.components_digest: str = hashlib.sha256(printed.encode()).hexdigest()
        self.components_hash: str = self.components_digest[:16]
        self.notation: Notation = Notation(self.vocabulary, self.names(self.components))
        self._before: tuple[int, Options, S] | None = None  # seats, options and initial state of the last new game
        self.sources: tuple[str, ...] = tuple(dict.fromkeys(("", *self._named(), *self.extra_sources(self.components))))

    def _own_components(self) -> JsonObject:
        text = importlib.resources.files(self.package).joinpath("components.toml").read_text("utf-8")
        return tomllib.loads(text)

    def check_made(self, what: str, components_hash: str, rules_version: int) -> None:
        """Check that a save or a record fits these rules and components.

        Accepted are the current components, and those of the older rules version that wrote it.

        Args:
            what: "save" or "record", for the error message.
            components_hash: Hash of its components.
            rules_version: Its version of the rules.

        Raises:
            SaveError: If its rules are newer or its components are different.
        """
        if rules_version > self.rules_version:
            raise SaveError(
                f"the {what} was made with rules version {rules_version} of {self.id}, and this is version "
                f"{self.rules_version}: update Atoll; what is from before release 0.1.0 can't be read"
            )
        if components_hash == self.components_hash:
            return
        is_todays = self.component_hashes.get(self.rules_version) == self.components_hash
        if not (
            is_todays
            and rules_version < self.rules_version
            and self.component_hashes.get(rules_version) == components_hash
        ):
            raise SaveError(
                f"the {what} was made with other components of {self.id} ({components_hash!r}; these are "
                f"{self.components_hash!r}): "
                "read it with the game that has them (`game.with_components(path)`); what is from before release "
                "0.1.0 can't be read"
            )

    @property
    def min_multiplayer_seats(self) -> int:
        """Lowest number of seats above 1; 1 for games that are only played alone."""
        return min((seats for seats in self.seat_counts if seats > 1), default=self.seat_counts[0])

    @property
    def package(self) -> str:
        """Name of the package with the game's components and texts."""
        return sys.modules[type(self).__module__].__package__ or ""

    # -- defined by games -------------------------------------------------------------------------

    def load_components(self, data: JsonMapping) -> C:
        """Build the components from component data.

        Use `component_schema.read` for validation.

        Args:
            data: Content of a `components.toml`.

        Raises:
            ComponentError: If the data is invalid.
        """
        raise NotImplementedError

    def names(self, components: C) -> Mapping[str, Sequence[str]]:
        """Return the names of the elements of each domain that is declared by size only.

        Args:
            components: Components of the game.
        """
        return {}

    def title(self, language: str) -> str:
        """Return the title in a language; by default from `[game] name` of the components."""
        return said(self.data["game"]["name"], language)

    def extra_sources(self, components: C) -> Sequence[str]:
        """Return values of `Choose.source` other than "" and the names of the vocabulary.

        Args:
            components: Components of the game.
        """
        return ()

    def _named(self) -> Iterator[str]:
        """Yield the names of all elements of domains other than `Numbers`."""
        for name, domain in self.vocabulary.domains().items():
            if not isinstance(domain, Numbers):
                yield from self.notation.names(name)

    def titles(self, components: C, language: str) -> Mapping[str, Sequence[str]]:
        """Return the names for people per domain, for domains that the component data names.

        Args:
            components: Components of the game.
            language: Code of the language.
        """
        return {}

    def text_values(self, components: C) -> Mapping[str, int | str]:
        """Return values of the components that any text of the game may use as placeholders.

        Args:
            components: Components of the game.
        """
        return {}

    def rule_facts(self, components: C, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return values for the rules texts of a table, in addition to `text_values`.

        Args:
            components: Components of the game.
            seats: Number of seats.
            options: Resolved options.
        """
        return {}

    def check_options(self, options: Options, seats: int) -> None:
        """Check a combination of options.

        Args:
            options: Values of all options, each allowed on its own.
            seats: Number of seats.

        Raises:
            OptionError: If the game doesn't support the combination.
        """

    def setup(self, components: C, options: Options, seats: int) -> S:
        """Return the initial state, before anything that needs chance or decisions.

        Dealing and drafting belong to the first segments of `play`. The result must depend on the
        arguments only, because new games may get a copy of it.

        Args:
            components: Components of the game.
            options: Resolved options.
            seats: Number of seats.
        """
        raise NotImplementedError

    def play(self, s: S) -> Flow | tuple[()]:
        """Play one segment, from a checkpoint to the next; called until `s.over` is true.

        At a checkpoint, the state alone determines what follows.

        Args:
            s: The state, changed in place.

        Returns:
            A coroutine; or `()` if the segment was played completely without any request.
        """
        raise NotImplementedError

    def derive(self, s: S) -> None:
        """Compute the fields declared with `derived()`. Called after `setup` and after loading.

        Args:
            s: The state, changed in place.
        """

    def scores(self, s: S) -> list[int]:
        """Return the total of each seat, as if the game ended now."""
        raise NotImplementedError

    def ranking(self, s: S) -> list[int]:
        """Return the rank of each seat, as if the game ended now; higher scores are better.

        Rank 1 is best, and ties share a rank (1, 1, 3). In a game for one seat, 1 means won and 2
        lost.
        """
        return rank(self.scores(s))

    def explain(self, s: S) -> list[list[ScoreLine]]:
        """Return the score lines of each seat, as if the game ended now."""
        raise NotImplementedError

    def rivals(self, s: S) -> list[Rival]:
        """Return the opponents without a seat, with their scores as if the game ended now."""
        return []

    def harder_options(self, options: Options, seats: int) -> dict[str, OptionValue] | None:
        """Return the options of the next harder level, for players who won.

        Args:
            options: Options of the game that was won.
            seats: Number of seats.

        Returns:
            The options; None if there are no levels or none is harder.
        """
        return None

    def why_not(self, view: JsonMapping, choice: int) -> Reason | None:
        """Return why the viewer can't make a choice, from its view alone; None if it is legal.

        Args:
            view: View of the seat.
            choice: Any choice of the vocabulary.

        Raises:
            MalformedChoice: If the vocabulary has no such choice.
        """
        return self.explainers.why_not(self.seen(view), choice)

    def state_from_view(self, view: JsonMapping) -> S:
        """Return the state as the viewer knows it, with placeholders for hidden information."""
        s = state_from_view(self.state_type, self.components, view)
        self.derive(s)
        return s

    def seen(self, view: JsonMapping) -> ExplainContext[S, C]:
        """Return the context of a view for explainers and coaches."""
        return ExplainContext(self.components, view, self.state_from_view)

    def derived_view(self, s: S, viewer: int | None) -> JsonObject:
        """Return computed facts that the viewer may know, such as running scores.

        Args:
            s: The state.
            viewer: The seat; None for a spectator.
        """
        return {}

    def start_player_of(self, s: S) -> int:
        """Return the start player; by default the field `start_player` of the state.

        The value isn't meaningful while all seats still prepare simultaneously.
        """
        seat: int = cast(Any, s).start_player
        return seat

    def component_counts(self, s: S) -> dict[str, int]:
        """Return the total number of components of each type, which is constant during a game.

        The suite and loaded saves check it, so that no component is lost or duplicated.
        """
        raise NotImplementedError

    def card_back(self, field: str, card: int) -> str:
        """Return the back of a card; by default the back that the field declares.

        Args:
            field: Name of the field in which the card is.
            card: The card.
        """
        return visibility_of(self.state_type, field).back

    def determinize(self, s: S, seat: int, rng: Random) -> None:
        """Replace hidden information other than cards by a random consistent guess.

        Called after the cards have been dealt again. By default nothing is changed.

        Args:
            s: The state, changed in place.
            seat: The seat whose knowledge is retained.
            rng: Source of random numbers.
        """

    # -- available to callers ---------------------------------------------------------------------

    def resolve_options(self, options: Options, seats: int) -> dict[str, OptionValue]:
        """Return the values of all options, checked on their own and combined.

        Args:
            options: Chosen values; defaults apply to the others.
            seats: Number of seats.

        Raises:
            OptionError: If an option is unknown, not allowed, or can't be combined with another
                one.
        """
        resolved = resolve(self.options, options)
        for option in self.options:
            option.check_seats(resolved[option.id], seats)
        self.check_options(resolved, seats)
        return resolved

    def first_game_options(self) -> dict[str, OptionValue]:
        """Return the values recommended for a first game, where they differ from the defaults."""
        return {option.id: option.first_game_value for option in self.options if option.first_game_value is not None}

    def option_sets(self, seats: int) -> list[dict[str, OptionValue]]:
        """Return all valid combinations of the options' listed values for a number of seats."""
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
        """Return the text form of a choice.

        Args:
            choice: The choice.

        Raises:
            MalformedChoice: If it isn't a choice of the game.
        """
        return self.notation.text(choice)

    def parse(self, text: str) -> int:
        """Return the choice with this text form.

        Args:
            text: Text form of the choice.

        Raises:
            MalformedChoice: If the text isn't a choice of the game.
        """
        return self.notation.parse(text)

    def __repr__(self) -> str:
        return f"<game {self.id}>"


def rank(values: Sequence[_Value]) -> list[int]:
    """Return the rank of each value: 1 for the highest, shared by ties: [7, 9, 7] -> [2, 1, 2]."""
    return [1 + sum(other > value for other in values) for value in values]
