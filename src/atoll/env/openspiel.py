"""Atoll's games as OpenSpiel games.

    import pyspiel
    import atoll.env.openspiel                # registers atoll_atacama and others
    game = pyspiel.load_game("atoll_atacama(players=2,tactic=true)")

Chance is explicit: its outcomes are the choices of the game's chance kinds, counted from 0. Sealed
decisions are asked seat by seat. Other seats' information states don't contain an answer before all
have answered. Returns are the `place` rewards.

The tensor of a player that isn't asked is 0, except at the end of the game: `rl_environment` asks
for the tensors of all players in each step, but agents use only that of the player to move. An
observer with `params={"every_player": True}` fills all.

The parameter `components` names a file of components. `history` is the number of answers for which
information-state tensors have room; 0 stands for `history_bound`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from math import ceil
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

import atoll
from atoll.engine import CHANCE, Game, Position
from atoll.engine.state import may_know

from .interface import SpaceCodec
from .rewards import place_rewards

PREFIX: Final = "atoll_"
HISTORY_MARGIN: Final = 1.5
"""Room for answers in information-state tensors, as a multiple of the longest measured game."""


def history_bound(game: Game, seats: int) -> int:
    """Return the number of answers for which information-state tensors have room.

    Args:
        game: The game.
        seats: Number of seats.
    """
    longest = game.longest_games.get(seats, game.max_answers)
    return min(game.max_answers, ceil(HISTORY_MARGIN * longest))


def _parameters(game: Game) -> dict[str, Any]:
    """Return the OpenSpiel parameters of a game with their defaults."""
    options = {option.id: option.default for option in game.options}
    return {"players": game.min_multiplayer_seats, "components": "", "history": 0, **options}


def game_type(game: Game, parameters: Mapping[str, Any] | None = None, name: str = "", seats: int | None = None) -> Any:
    """Return the OpenSpiel type of a game.

    The rewards of two or more players sum to 0. A player alone wins or loses against the game.

    Args:
        game: The game.
        parameters: Parameters with their defaults; None for those of the game.
        name: Short name without the prefix; the game's id if empty.
        seats: Number of seats; None for all that the game supports.
    """
    counts = game.seat_counts if seats is None else (seats,)
    types = pyspiel.GameType
    return types(
        short_name=PREFIX + (name or game.id),
        long_name=f"Atoll: {game.title('en')}",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.IMPERFECT_INFORMATION,
        utility=types.Utility.GENERAL_SUM if 1 in counts else types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game) if parameters is None else dict(parameters),
    )


def load(module: str, text: str) -> Any:
    """Return a game by its name and parameters.

    Args:
        module: Name of the module that registers the game.
        text: Name and parameters.
    """
    import_module(module)
    return pyspiel.load_game(text)


class SpielGame(pyspiel.Game):
    """An OpenSpiel game: a game with its options and number of seats.

    Attributes:
        home: Name of the module that registers the game.
        seats: Number of seats.
        game: The game.
        options: Resolved options.
        interface: Codec of observations and actions.
        history: Number of answers for which information-state tensors have room.
    """

    home: ClassVar[str] = __name__

    def __init__(
        self,
        game: Game,
        params: Mapping[str, Any] | None = None,
        kind: Any = None,
        shown: Mapping[str, Any] | None = None,
        deals: int = 1,
    ) -> None:
        """Create an OpenSpiel game.

        Args:
            game: The game.
            params: `players`, `components`, `history` and the game's options; None for the
                defaults.
            kind: OpenSpiel type; None for that of the game.
            shown: Parameters that OpenSpiel shows; None for `params`.
            deals: Number of initial deals.

        Raises:
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            ComponentError: If the components can't be read or are invalid.
            ValueError: If `history` is negative.
        """
        given = {**_parameters(game), **dict(params or {})}
        self.seats: int = int(given.pop("players"))
        components, history = str(given.pop("components")), int(given.pop("history"))
        game = game.with_components(components) if components else game
        if history < 0:
            raise ValueError(f"invalid history {history}: expected at least 1, or 0 for the game's own bound")
        self.history: int = history or history_bound(game, self.seats)
        self._observers: dict[bool, SpielObserver] = {}
        self.game: Game = game
        self.options: dict[str, Any] = game.resolve_options(given, self.seats)
        game.new(self.seats, self.options)
        self.interface: SpaceCodec = SpaceCodec(game, self.seats, self.options)
        vocabulary = game.vocabulary
        info = pyspiel.GameInfo(
            num_distinct_actions=vocabulary.decisions,
            max_chance_outcomes=max(vocabulary.size - vocabulary.decisions, deals),
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if self.seats == 1 else 0.0,
            max_game_length=game.max_answers,
        )
        shown = params if shown is None else shown
        super().__init__(kind or game_type(game, seats=self.seats), info, dict(shown or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.home, str(self))

    def new_initial_state(self) -> SpielState:
        """Return the initial state."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer; without perfect recall if no type is given."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self, kind, every_player=bool(dict(params or {}).get("every_player", False)))

    def observer(self, perfect_recall: bool) -> SpielObserver:
        """Return the observer that writes the tensors of all states.

        Args:
            perfect_recall: Whether the tensors are those of information states.
        """
        if perfect_recall not in self._observers:
            kind = pyspiel.IIGObservationType(perfect_recall=perfect_recall)
            self._observers[perfect_recall] = SpielObserver(self, kind)
        return self._observers[perfect_recall]

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound of the chance events of a game."""
        return self.game.max_answers


class _ObservedHistory(list[tuple[int, int, int]]):
    """Answers with their seats and audiences.

    The entries are immutable, so a shallow copy is a deep copy.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> _ObservedHistory:
        return _ObservedHistory(self)


class _Rows(list[float]):
    """Answers that a player knows, as numbers; floats are immutable, so a shallow copy is deep."""

    def __deepcopy__(self, memo: dict[int, Any]) -> _Rows:
        return _Rows(self)


class SpielState(pyspiel.State):
    """A state of a game with explicit chance.

    Attributes:
        position: The position.
        seen: All answers as (seat or -1 for chance, choice, audience).
        pending: The answers to an open sealed decision, in the same form.
    """

    def __init__(self, game: SpielGame, position: Position | None = None) -> None:
        """Create a state.

        Args:
            game: The game.
            position: The position; None for the start of the game.
        """
        super().__init__(game)
        self.position: Position = position or game.game.new(game.seats, game.options)
        self.history: _ObservedHistory = _ObservedHistory()
        self.pending: list[tuple[int, int, int]] = []
        self._rows: dict[int, _Rows] = {}

    # OpenSpiel copies a state by deep-copying its attributes. A deep copy of a position is a fork.

    def current_player(self) -> int:
        """Return the player to move: the first seat that hasn't answered, chance, or terminal."""
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.position.to_move:
            return int(pyspiel.PlayerId.CHANCE)
        return self.position.to_move[0]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_choices(player) if player == self.current_player() else []

    def representative(self, choice: int) -> int:
        """Return the legal action that represents a choice among equivalent ones."""
        return choice

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes with their probabilities."""
        outcomes = self.position.outcomes()
        total = sum(outcomes.values())
        first = self.position.game.vocabulary.decisions
        return [(choice - first, weight / total) for choice, weight in outcomes.items()]

    def _apply_action(self, action: int) -> None:
        position = self.position
        chance = position.pending_chance
        if chance is not None:
            choice = action + position.game.vocabulary.decisions
            position.apply(choice)
            self.history.append((CHANCE, choice, chance.audience))
            return
        seat = position.to_move[0]
        entry = (seat, action, position.decision(seat).audience_of(action))
        sealed = position.sealed
        before = position.sequence
        position.apply(action, seat)
        if not sealed:
            self.history.append(entry)
            return
        self.pending.append(entry)
        if position.sequence != before:  # all seats have answered
            self.history += sorted(self.pending, key=lambda each: each[0])
            self.pending = []

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.position.game
        if player == pyspiel.PlayerId.CHANCE:
            action += game.vocabulary.decisions
        return game.text(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """Return the `place` rewards; 0 before the end."""
        if not self.position.over:
            return [0.0] * self.position.seats
        return place_rewards(self.position.ranking())

    def history_of(self, player: int) -> list[list[int]]:
        """Return the answers that a player knows.

        Args:
            player: The player.

        Returns:
            A list of [seat or -1 for chance, choice]; the choice is -1 if the player may not know
            it.
        """
        known = [
            [who, choice if who == player or may_know(audience, player) else -1]
            for who, choice, audience in self.history
        ]
        return known + [[who, choice] for who, choice, _ in self.pending if who == player]

    def rows_of(self, player: int) -> list[float]:
        """Return the answers that a player knows as numbers: seat + 2 and choice + 1 of each.

        Args:
            player: The player.
        """
        rows = self._rows.setdefault(player, _Rows())
        for who, choice, audience in self.history[len(rows) // 2 :]:
            known = who == player or may_know(audience, player)
            rows.append(who + 2.0)
            rows.append(choice + 1.0 if known else 0.0)
        return [*rows, *(n for who, choice, _ in self.pending if who == player for n in (who + 2.0, choice + 1.0))]

    def has_tensor(self, player: int) -> bool:
        """Return whether the tensors of a player are filled: if it is asked, and at the end."""
        return self.position.over or player in self.position.to_move

    # Python code calls these; pyspiel's own give the same numbers and pass through C++.

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return the observation of a player, by default of the one to move."""
        return self._tensor(self.current_player() if player is None else player, perfect_recall=False)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return the information state of a player, by default of the one to move."""
        return self._tensor(self.current_player() if player is None else player, perfect_recall=True)

    def _tensor(self, player: int, *, perfect_recall: bool) -> list[float]:
        """Return a tensor as a list."""
        observer: SpielObserver = self.get_game().observer(perfect_recall)
        return observer.numbers(self, player)

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Return a random state of the same information set.

        Open answers of others to a sealed decision are replaced by random ones.

        Args:
            player: The player to move.
            sampler: Function that returns a random number from 0 to 1.
        """
        copy: SpielState = self.clone()
        position = copy.position
        answered = {seat for seat, ready in enumerate(position.sealed_ready or ()) if ready}
        position.determinize(player, int(sampler() * 2**53))
        copy.pending = [entry for entry in copy.pending if entry[0] == player]
        for seat in answered:
            while seat in position.to_move:
                legal = position.legal_choices(seat)
                choice = legal[int(sampler() * len(legal))]
                copy.pending.append((seat, choice, position.decision(seat).audience_of(choice)))
                position.apply(choice, seat)
        return copy

    def __str__(self) -> str:
        position = self.position
        who = "over" if position.over else f"to move: {list(position.to_move) or 'chance'}"
        return f"{position.game.id} after {position.sequence} answers, {who}, table {position.digest()}"


class SpielObserver:
    """Writes a player's knowledge as tensors and strings, in the form of pyspiel's `PyObserver`.

    Attributes:
        tensor: All numbers, float32.
        dict: Named views of the tensor.
    """

    def __init__(self, game: SpielGame, kind: Any, *, every_player: bool = False) -> None:
        self._game: SpielGame = game
        self._kind: Any = kind
        self._every_player: bool = every_player
        size = game.interface.size
        self.tensor = np.zeros(size + (2 * game.history if kind.perfect_recall else 0), np.float32)
        self._flat = np.zeros(size, np.int32)
        self._seen = np.zeros(size, np.float32)
        self.dict = game.interface.split(self.tensor[:size])
        if kind.perfect_recall:
            self.dict["history"] = self.tensor[size:].reshape(-1, 2)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with the player's knowledge; with 0 for a player that isn't asked.

        Args:
            state: The state.
            player: The player.

        Raises:
            ValueError: If the player doesn't exist, or the game is longer than the history.
        """
        self.tensor[:] = self.numbers(state, player)

    def numbers(self, state: SpielState, player: int) -> list[float]:
        """Return the content of the tensor, like `set_from`.

        Args:
            state: The state.
            player: The player.

        Raises:
            ValueError: If the player doesn't exist, or the game is longer than the history.
        """
        self._check(player)
        if not (self._every_player or state.has_tensor(player)):
            return [0.0] * len(self.tensor)
        self._game.interface.write(state.position, player, self._flat)
        self._seen[:] = self._flat
        found: list[float] = self._seen.tolist()
        if not self._kind.perfect_recall:
            return found
        rows = state.rows_of(player)
        rest = 2 * self._game.history - len(rows)
        if rest < 0:
            raise ValueError(
                f"the game has {len(rows) // 2} answers, and information states have room for "
                f"{self._game.history}: load the game with a larger parameter history"
            )
        return [*found, *rows, *[0.0] * rest]

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the player's knowledge as JSON text.

        Args:
            state: The state.
            player: The player.

        Raises:
            ValueError: If the player doesn't exist.
        """
        self._check(player)
        view = state.position.view(player)
        if not self._kind.perfect_recall:
            return json.dumps(view, sort_keys=True)
        return json.dumps({"history": state.history_of(player), "view": view}, sort_keys=True)

    def _check(self, player: int) -> None:
        """Reject a player that doesn't exist.

        Args:
            player: The player.

        Raises:
            ValueError: If the player doesn't exist.
        """
        if not 0 <= player < self._game.seats:
            raise ValueError(f"invalid player {player}: expected 0 to {self._game.seats - 1}")


def _register(game: Game) -> None:
    """Register a game with OpenSpiel."""
    kind = type(f"Spiel_{game.id}", (SpielGame,), {"__init__": _constructor(game)})
    pyspiel.register_game(game_type(game), kind)


def _constructor(game: Game) -> Any:
    """Return the constructor of a game's class, as OpenSpiel calls it."""

    def construct(self: SpielGame, params: Mapping[str, Any] | None = None) -> None:
        """Construct the game as OpenSpiel does."""
        SpielGame.__init__(self, game, params)

    return construct


for _game in atoll.games.loadable_games():
    if PREFIX + _game.id not in {each.short_name for each in pyspiel.registered_games()}:
        _register(_game)
