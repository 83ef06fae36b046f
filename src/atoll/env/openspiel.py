"""Atoll's games as OpenSpiel games.

    import pyspiel
    import atoll.env.openspiel                # registers atoll_atacama and so on
    game = pyspiel.load_game("atoll_atacama(players=2,tactic=true)")

Chance is explicit: its outcomes are the game's kinds of chance, counted from 0. Sealed decisions are asked seat by
seat; what one has answered isn't in the others' information states before all are in. Returns are the "place" rewards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

import atoll
from atoll.engine import CHANCE, Game, Position
from atoll.engine.state import may_know

from .interface import Interface
from .rewards import place_rewards

PREFIX: Final = "atoll_"


def _parameters(game: Game) -> dict[str, Any]:
    return {"players": game.seat_counts[0], **{option.id: option.default for option in game.options}}


def game_type(game: Game, parameters: Mapping[str, Any] | None = None, name: str = "") -> Any:
    """What OpenSpiel is told of a game. parameters: what can be given, with the usual; name: if not the game's id."""
    solo = 1 in game.seat_counts
    types = pyspiel.GameType
    return types(
        short_name=PREFIX + (name or game.id),
        long_name=f"Atoll: {game.title('en')}",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC,
        information=types.Information.IMPERFECT_INFORMATION,
        utility=types.Utility.GENERAL_SUM if solo else types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=max(game.seat_counts),
        min_num_players=min(game.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game) if parameters is None else dict(parameters),
    )


def load(module: str, text: str) -> Any:
    """A game by its name and parameters, which a module enters."""
    import_module(module)
    return pyspiel.load_game(text)


class SpielGame(pyspiel.Game):
    """A game with its options and number of seats, as OpenSpiel wants it. home: the module that enters it."""

    home: ClassVar[str] = __name__

    def __init__(
        self,
        game: Game,
        params: Mapping[str, Any] | None = None,
        kind: Any = None,
        shown: Mapping[str, Any] | None = None,
        deals: int = 1,
    ) -> None:
        """kind, shown: the type and parameters by which OpenSpiel knows it, if not those of the game itself.

        deals: in how many ways it can begin.
        """
        given = {**_parameters(game), **dict(params or {})}
        self.seats: int = int(given.pop("players"))
        self.game: Game = game
        self.options: dict[str, Any] = game.resolve_options(given, self.seats)
        game.new(self.seats, self.options)
        self.interface: Interface = Interface(game, self.seats, self.options)
        vocabulary = game.vocabulary
        info = pyspiel.GameInfo(
            num_distinct_actions=vocabulary.decisions,
            max_chance_outcomes=max(vocabulary.size - vocabulary.decisions, deals),
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if 1 in game.seat_counts else 0.0,
            max_game_length=game.bound,
        )
        super().__init__(kind or game_type(game), info, dict((params if shown is None else shown) or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.home, str(self))

    def new_initial_state(self) -> SpielState:
        """The first moment."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """See pyspiel."""
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def max_chance_nodes_in_history(self) -> int:
        """At most all events of a game are chance."""
        return self.game.bound


class _Heard(list[tuple[int, int, int]]):
    """Who answered what, and who may know it; tuples of numbers don't change, so a copy of the list is a deep one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> _Heard:
        return _Heard(self)


class SpielState(pyspiel.State):
    """One moment of a game; its chance is always explicit.

    seen: who answered what, and who may know it: (seat or -1, choice, audience).
    pending: the same for the answers of an open sealed decision.
    """

    def __init__(self, game: SpielGame, position: Position | None = None) -> None:
        """position: where it begins, if not at the start."""
        super().__init__(game)
        self.position: Position = position or game.game.new(game.seats, game.options)
        self.seen: _Heard = _Heard()
        self.pending: list[tuple[int, int, int]] = []

    # OpenSpiel copies a state by deep-copying its attributes; the position's copy is its fork.

    def current_player(self) -> int:
        """Who is asked: the first seat that hasn't answered, chance, or nobody."""
        if self.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.position.to_move:
            return int(pyspiel.PlayerId.CHANCE)
        return self.position.to_move[0]

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal(player) if player == self.current_player() else []

    def stands_for(self, choice: int) -> int:
        """The legal action that means a choice; where some mean the same, one of them is legal."""
        return choice

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities."""
        outcomes = self.position.outcomes()
        total = sum(outcomes.values())
        first = self.position.game.vocabulary.decisions
        return [(choice - first, weight / total) for choice, weight in outcomes.items()]

    def _apply_action(self, action: int) -> None:
        position = self.position
        chance = position.chance
        if chance is not None:
            choice = action + position.game.vocabulary.decisions
            position.apply(choice)
            self.seen.append((CHANCE, choice, chance.audience))
            return
        seat = position.to_move[0]
        entry = (seat, action, position.decision(seat).audience_of(action))
        sealed = position.sealed
        before = position.sequence
        position.apply(action, seat)
        if not sealed:
            self.seen.append(entry)
            return
        self.pending.append(entry)
        if position.sequence != before:  # all are in
            self.seen += sorted(self.pending, key=lambda each: each[0])
            self.pending = []

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.position.game
        if player == pyspiel.PlayerId.CHANCE:
            action += game.vocabulary.decisions
        return game.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """The rewards by place; 0 before the end."""
        if not self.position.over:
            return [0.0] * self.position.seats
        return place_rewards(self.position.ranking())

    def history_of(self, player: int) -> list[list[int]]:
        """What the player knows of all answers so far: [who, choice], -1 for a choice that it may not know."""
        known = [
            [who, choice if who == player or may_know(audience, player) else -1] for who, choice, audience in self.seen
        ]
        return known + [[who, choice] for who, choice, _ in self.pending if who == player]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that the player can't tell from this one; for the player that is asked now.

        The re-deal forgets what the others have answered to an open sealed decision; they answer anew, at random.
        """
        copy: SpielState = self.clone()
        position = copy.position
        answered = {seat for seat, ready in enumerate(position.ready or ()) if ready}
        position.redeal(player, int(sampler() * 2**53))
        copy.pending = [entry for entry in copy.pending if entry[0] == player]
        for seat in answered:
            while seat in position.to_move:
                legal = position.legal(seat)
                choice = legal[int(sampler() * len(legal))]
                copy.pending.append((seat, choice, position.decision(seat).audience_of(choice)))
                position.apply(choice, seat)
        return copy

    def __str__(self) -> str:
        position = self.position
        who = "over" if position.over else f"to move: {list(position.to_move) or 'chance'}"
        return f"{position.game.id} after {position.sequence} answers, {who}, table {position.digest()}"


class SpielObserver:
    """Writes tensors and strings of what a player knows (see pyspiel's PyObserver)."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self._game: SpielGame = game
        self._kind: Any = kind
        self._private: bool = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        size = game.interface.size
        history = 2 * game.game.bound if kind.perfect_recall else 0
        self.tensor = np.zeros(size + history, np.float32)
        self._flat = np.zeros(size, np.int32)
        self.dict = game.interface.split(self.tensor[:size])
        if history:
            self.dict["history"] = self.tensor[size:].reshape(-1, 2)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what the player knows."""
        self._check(player)
        size = self._game.interface.size
        self._game.interface.write(state.position, player, self._flat)
        self.tensor[:size] = self._flat
        if self._kind.perfect_recall:
            rows = self.dict["history"]
            rows[:] = 0
            known = state.history_of(player)
            if known:
                rows[: len(known)] = np.add(known, (2, 1))

    def string_from(self, state: SpielState, player: int) -> str:
        """What the player knows, as JSON text."""
        self._check(player)
        view = state.position.view(player)
        if not self._kind.perfect_recall:
            return json.dumps(view, sort_keys=True)
        return json.dumps({"history": state.history_of(player), "view": view}, sort_keys=True)

    def _check(self, player: int) -> None:
        if not 0 <= player < self._game.seats:
            raise ValueError(f"there is no player {player}; allowed: 0 to {self._game.seats - 1}")


def _register(game: Game) -> None:
    kind = type(f"Spiel_{game.id}", (SpielGame,), {"__init__": _constructor(game)})
    pyspiel.register_game(game_type(game), kind)


def _constructor(game: Game) -> Any:
    def construct(self: SpielGame, params: Mapping[str, Any] | None = None) -> None:
        SpielGame.__init__(self, game, params)

    return construct


for _game in atoll.games.whole():
    if PREFIX + _game.id not in {each.short_name for each in pyspiel.registered_games()}:
        _register(_game)
