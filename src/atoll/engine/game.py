"""A game: its rules, and the positions that can be made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Self, SupportsIndex, cast

from . import component_schema
from . import save as saves
from .chance import ChanceSource, seeded_source
from .errors import ComponentError, RulesError, SaveError, SeatCountError
from .json_types import JsonMapping, JsonObject
from .options import Options
from .position import Position
from .rules import Rules
from .schema import schema
from .state import C, S, State


class Game(Rules[S, C]):
    """A game that can be played. A subclass declares the attributes and defines the methods that Rules names.

    It names its types: `class Pearls(Game[PearlsState, PearlsBox])`.
    """

    def with_components(self, path: str | Path) -> Self:
        """The same rules with other printed matter, read from a TOML file. Raises ComponentError."""
        try:
            return type(self)(component_schema.load(path))
        except ComponentError as error:
            error.file = str(path)
            raise

    def new(
        self,
        seats: int | None = None,
        options: Options | None = None,
        seed: SupportsIndex | None = None,
        *,
        source: ChanceSource | None = None,
        snapshots: bool = True,
    ) -> Position:
        """A new game. Chance comes from the seed or the source; with neither it is entered by hand.

        snapshots=False makes a position for play-outs: faster, but it can't be forked, saved, undone or re-dealt.
        Raises SeatCountError, OptionError, ValueError for a seed that is no whole number.
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
            source = seeded_source(seed)
        return Position(self, self._initial_state(resolved, seats), resolved, source, snapshots=snapshots)

    def _initial_state(self, options: Options, seats: int) -> S:
        """The empty table: a copy of that of the game before, as most games are of the same seats and options.

        Only of a state without a `clone` of its own: a fault in that would spoil new games, not copies alone.
        """
        before = self._before
        if before is not None and before[0] == seats and before[1] == options:
            return before[2].clone()
        state = self.setup(self.components, options, seats)
        own: object = type(state).clone
        if own is not State.clone:
            return state
        state.components = self.components
        state.options = options
        self.derive(state)
        self._before = seats, options, state
        return state.clone()

    def load(self, saved: str | bytes | JsonMapping, *, source: ChanceSource | None = None) -> Position:
        """The position that `Position.save` wrote. Raises SaveError saying what is wrong."""
        data = saves.parse_save(self, saved)
        try:
            position = Position.restore(self, data, source=source)
            self._check_table(position, cast(S, data.state))
            return position
        except SaveError:
            raise
        except RulesError as error:
            raise SaveError(f"the save doesn't fit the rules: {error}") from None
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise SaveError(f"damaged save: the rules can't go on from its state ({what})") from None

    def _check_table(self, position: Position, base: S) -> None:
        """Whether the table of a save makes sense: nothing on it is lost or doubled, and everybody can be shown it."""
        start = self.setup(self.components, position.options, position.seats)
        start.components = self.components
        start.options = position.options
        expected, found = self.component_counts(start), self.component_counts(base)
        for what in expected:
            if found.get(what) != expected[what]:
                raise SaveError(f"damaged save: {what}: {found.get(what)} on the table; there are {expected[what]}")
        for viewer in (*range(position.seats), None):
            position.view(viewer)
        position.explain()

    def view_schema(self) -> JsonObject:
        """The JSON schema of this game's views."""
        return schema(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _same_game, (type(self), self.components_hash, self.data)


_GAMES: dict[tuple[type[Game], str], Game] = {}


def _same_game(game_type: type[Game], box_hash: str, data: JsonMapping) -> Game:
    """What a pickled game becomes: one object per process, so that positions of it stay comparable."""
    if (game_type, box_hash) not in _GAMES:
        _GAMES[game_type, box_hash] = game_type(data)
    return _GAMES[game_type, box_hash]
