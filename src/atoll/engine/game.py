"""A game: its static description, and the functions by which the engine knows it."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self

from . import save as saves
from . import view as views
from .chance import ChanceSource, SeededSource
from .decisions import Flow
from .errors import ComponentError, OptionError, RulesError, SaveError, SeatCountError
from .options import Option, resolve
from .position import Position
from .state import State
from .vocabulary import Notation, Vocabulary


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that counted in a line of a score: words key, points, values for the words."""

    key: str
    points: int
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: words key, points, values for the words, what exactly counted, the rule behind it."""

    key: str
    points: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    parts: Sequence[Part] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a choice isn't legal now: words key, values for the words, the rule behind it."""

    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""


class Game:
    """The static description of a game. A subclass declares the attributes and defines the methods.

    id: short name, also the folder's. seat_counts: how many can play. options: what a host can choose.
    rules_version: raised whenever a saved game would go on differently. bound: the most decisions and chance events
    that a game can have. vocabulary, state_type: see there. migrations: from a rules version to a function that turns
    a save of it into one of the next.
    """

    id: str
    rules_version: int = 1
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...] = ()
    bound: int
    vocabulary: Vocabulary
    state_type: type[State]
    migrations: ClassVar[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        """Build the game from component data (default: the `components.toml` beside it). Raises ComponentError."""
        if data is None:
            data = self._own_components()
        self.data: Mapping[str, Any] = data
        self.box: Any = self.load_box(data)
        printed = json.dumps(data, sort_keys=True, ensure_ascii=False)
        self.box_hash: str = hashlib.sha256(printed.encode()).hexdigest()[:16]
        self.notation: Notation = Notation(self.vocabulary, self.names(self.box))

    def _own_components(self) -> dict[str, Any]:
        text = importlib.resources.files(self.package).joinpath("components.toml").read_text("utf-8")
        return tomllib.loads(text)

    @property
    def package(self) -> str:
        """The package in which the game's components and words lie."""
        return sys.modules[type(self).__module__].__package__ or ""

    def with_components(self, path: str | Path) -> Self:
        """The same rules with other printed matter, read from a TOML file. Raises ComponentError."""
        try:
            with Path(path).open("rb") as file:
                data = tomllib.load(file)
        except OSError as error:
            raise ComponentError(f"{path}: can't be read ({error.strerror})") from None
        except tomllib.TOMLDecodeError as error:
            raise ComponentError(f"{path}: no valid TOML ({error})") from None
        except UnicodeDecodeError:
            raise ComponentError(f"{path}: no UTF-8 text") from None
        return type(self)(data)

    # -- what a game defines -------------------------------------------------------------------------------------

    def load_box(self, data: Mapping[str, Any]) -> Any:
        """The Box from component data. Raises ComponentError naming the table, the id, what is wrong and allowed."""
        raise NotImplementedError

    def names(self, box: Any) -> Mapping[str, Sequence[str]]:
        """For each domain without fixed names: the names of its elements, from the Box."""
        return {}

    def title(self, language: str) -> str:
        """What people call the game; by default from the component data, `[game] name`."""
        name: str = self.data["game"]["name"][language]
        return name

    def titles(self, box: Any, language: str) -> Mapping[str, Sequence[str]]:
        """For domains whose elements are named for people in the component data: these names in a language."""
        return {}

    def check_options(self, options: Mapping[str, Any], seats: int) -> None:
        """Raise OptionError for combinations that the game doesn't have."""

    def setup(self, box: Any, options: Mapping[str, Any], seats: int) -> State:
        """The empty table. Dealing and all that needs chance or decisions belongs to the first segments of `play`."""
        raise NotImplementedError

    def play(self, s: Any) -> Flow:
        """One segment: from one checkpoint to the next. It is called again until `s.over`."""
        raise NotImplementedError

    def derive(self, s: Any) -> None:
        """Compute the fields declared with `derived()` from the others; called after `setup` and after loading."""

    def scores(self, s: Any) -> list[int]:
        """One total per seat, as if the game ended now."""
        raise NotImplementedError

    def ranking(self, s: Any) -> list[int]:
        """The place of each seat, 1 is best, ties share a place (1, 1, 3). By default the higher score is better.

        Who plays alone is first (1), or beaten by the game (2).
        """
        return places(self.scores(s))

    def explain(self, s: Any) -> list[list[Line]]:
        """Per seat the lines that make up its score, as if the game ended now."""
        raise NotImplementedError

    def why_not(self, view: Mapping[str, Any], choice: int) -> Reason | None:
        """Why a seat can't make this choice, judged from its view alone; None if nothing speaks against it."""
        return None

    def live(self, s: Any, viewer: int | None) -> dict[str, Any]:
        """Computed facts that the viewer may know (running scores and the like), as plain data."""
        return {}

    def starter(self, s: Any) -> int:
        """The start player; by default the field of that name. It needn't be known while all still prepare at once."""
        seat: int = s.start_player
        return seat

    def components(self, s: Any) -> dict[str, int]:
        """Totals of components, wherever they are; the same at every checkpoint of a game."""
        raise NotImplementedError

    def back(self, field: str, card: int) -> str:
        """The back of a card in a field; by default the one that the field declares."""
        return views.visibility_of(self.state_type, field).back

    def redeal(self, s: Any, seat: int, rng: Random) -> None:
        """Replace what the seat can't know and what isn't cards by a random consistent guess."""

    # -- what it offers ------------------------------------------------------------------------------------------

    def new(
        self,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int | None = None,
        *,
        source: ChanceSource | None = None,
        snapshots: bool = True,
    ) -> Position:
        """A new game. Chance comes from the seed or the source; with neither it is entered by hand.

        snapshots=False makes a position for play-outs: faster, but it can't be forked, saved, undone or re-dealt.
        Raises SeatCountError, OptionError.
        """
        if seats is None:
            seats = self.seat_counts[0]
        if type(seats) is not int or seats not in self.seat_counts:
            allowed = ", ".join(map(str, self.seat_counts))
            raise SeatCountError(f"{self.id} can't be played with {seats!r} seats; allowed: {allowed}")
        resolved = self.resolve_options(options or {}, seats)
        if seed is not None:
            if source is not None:
                raise ValueError("give a seed or a source, not both")
            source = SeededSource(seed)
        state = self.setup(self.box, resolved, seats)
        return Position(self, state, resolved, source, snapshots=snapshots)

    def load(self, saved: str | bytes | Mapping[str, Any], *, source: ChanceSource | None = None) -> Position:
        """The position that `Position.save` wrote. Raises SaveError saying what is wrong."""
        data = saves.check(self, saved)
        try:
            position = Position.restore(self, data, source=source)
            self._check_table(position, data.state)
            return position
        except SaveError:
            raise
        except RulesError as error:
            raise SaveError(f"the save doesn't fit the rules: {error}") from None
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise SaveError(f"damaged save: the rules can't go on from its state ({what})") from None

    def _check_table(self, position: Position, base: State) -> None:
        """Whether the table of a save makes sense: nothing on it is lost or doubled, and everybody can be shown it."""
        start = self.setup(self.box, position.options, position.seats)
        start.box = self.box
        start.options = position.options
        expected, found = self.components(start), self.components(base)
        for what in expected:
            if found.get(what) != expected[what]:
                raise SaveError(f"damaged save: {what}: {found.get(what)} on the table; there are {expected[what]}")
        for viewer in (*range(position.seats), None):
            position.view(viewer)
        position.explain()

    def resolve_options(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """All options with their values, checked alone and together. Raises OptionError."""
        resolved = resolve(self.options, options)
        self.check_options(resolved, seats)
        return resolved

    def option_sets(self, seats: int) -> list[dict[str, Any]]:
        """All combinations of the options' listed values that exist with this number of seats."""
        combinations: list[dict[str, Any]] = [{}]
        for option in self.options:
            combinations = [{**each, option.id: value} for each in combinations for value in option.values()]
        found: list[dict[str, Any]] = []
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

    def view_schema(self) -> dict[str, Any]:
        """The JSON schema of this game's views."""
        return views.schema(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _same_game, (type(self), self.box_hash, self.data)

    def __repr__(self) -> str:
        return f"<game {self.id}>"


_GAMES: dict[tuple[type[Game], str], Game] = {}


def _same_game(game_type: type[Game], box_hash: str, data: Mapping[str, Any]) -> Game:
    """What a pickled game becomes: one object per process, so that positions of it stay comparable."""
    if (game_type, box_hash) not in _GAMES:
        _GAMES[game_type, box_hash] = game_type(data)
    return _GAMES[game_type, box_hash]


def places(values: Sequence[Any]) -> list[int]:
    """The place of each value, 1 for the highest, equal values sharing a place: [7, 9, 7] -> [2, 1, 2]."""
    return [1 + sum(other > value for other in values) for value in values]
