"""Games: rules with components, from which positions are created."""

from __future__ import annotations

from pathlib import Path
from typing import Self, SupportsIndex, cast

from . import component_changes, component_schema
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
    """A playable game. Subclasses declare the attributes and define the methods of `Rules`.

    Type parameters are the classes of the state and the components.

    Example:
        class Pearls(Game[PearlsState, PearlsComponents]):
            id = "pearls"
    """

    def with_components(self, path: str | Path) -> Self:
        """Return a game with the same rules and components from a TOML file.

        Args:
            path: Path of the file, in the format of the game's `components.toml`, or a file of
                changes (`component_changes`) to the components of this game.

        Raises:
            ComponentError: If the file can't be read or is invalid.
        """
        try:
            file = component_schema.load(path)
            changed = component_changes.VARIANT_OF in file
            return type(self)(component_changes.read_changes(file, self.data, self.id) if changed else file)
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
        """Return a new game.

        Args:
            seats: Number of seats; None for the lowest supported number above 1.
            options: Values of options; defaults apply to the others.
            seed: Seed of the chance events, an integer. Without seed and source, chance outcomes
                are entered by hand.
            source: Source of chance, instead of a seed.
            snapshots: False for rollouts: faster, but the position can't be forked, saved, undone
                or determinized.

        Returns:
            The position at the first decision or, without a source, the first chance event.

        Raises:
            SeatCountError: If the game doesn't support this number of seats.
            OptionError: If an option is unknown, not allowed, or can't be combined with another
                one.
            ValueError: If `seed` isn't an integer, or seed and source are given.
            RulesError: If the rules break the contract.
        """
        if seats is None:
            seats = self.min_multiplayer_seats
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
        """Return the initial state, as a copy of the last one if seats and options are the same.

        A state class with its own `clone` is set up each time: a fault in `clone` would otherwise
        spoil new games too.
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
        """Return the position that `Position.save` wrote.

        Args:
            saved: JSON text, or the same as plain data.
            source: Source of chance for the rest of the game; None if outcomes are entered by hand.

        Raises:
            SaveError: If the save is damaged or doesn't fit this game.
        """
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
            raise SaveError(f"damaged save: the rules can't continue from its state ({what})") from None

    def _check_table(self, position: Position, base: S) -> None:
        """Check a loaded state: components are complete, and views and scores can be computed.

        Args:
            position: The position.
            base: The loaded state.

        Raises:
            SaveError: If component counts are wrong.
        """
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
        """Return the JSON Schema of this game's views."""
        return schema(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _same_game, (type(self), self.components_hash, self.data)


_GAMES: dict[tuple[type[Game], str], Game] = {}


def _same_game(game_type: type[Game], components_hash: str, data: JsonMapping) -> Game:
    """Return the game of a pickle: one object per process, so that positions are comparable."""
    if (game_type, components_hash) not in _GAMES:
        _GAMES[game_type, components_hash] = game_type(data)
    return _GAMES[game_type, components_hash]
