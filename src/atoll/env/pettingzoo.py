"""Atoll's games as PettingZoo AEC environments.

    from atoll.env.pettingzoo import env
    table = env("atacama", seats=2, options={"tactic": True})

An observation is a dictionary of `observation` and `action_mask`; see `atoll.env.interface` for the
forms of observations and actions. `infos` has the mask of the agent to move, too; all others are
empty. `state()` is everything that the agents know together: their observations, one after the
other. `reset(options={"game_options": {...}})` sets options for one game. Chance happens inside. A
sealed decision is asked seat by seat; mask and observation of a seat never depend on another seat's
open answer.

Version history:

- v1: the first version, for every game (`atacama_v1` and so on).
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from atoll.engine import Game, IllegalChoice, MalformedChoice, Position
from atoll.engine.errors import UnknownGame

from .interface import SpaceCodec, find_game
from .match import MatchSetup
from .rendering import MODES, check_language, check_mode, render
from .rewards import check_reward, rewards_of

VERSION: Final = 1


def env(game: str | Game, *, components: str | Path | None = None, **settings: Any) -> GameEnv:
    """Return the environment of a game; an illegal action ends it with reward -1 for the agent.

    Args:
        game: A game, or its id. An id may have a version (`atacama_v1`).
        components: TOML file of the components; None for those of the game.
        **settings: Other arguments of `GameEnv`.

    Returns:
        The environment.

    Raises:
        UnknownGame: If no game has this id, or the version doesn't exist.
        ComponentError: If the components can't be read or are invalid.
        SeatCountError: If the game can't be played with this number of seats.
        OptionError: If an option or its value is invalid.
        ValueError: If another setting is invalid.
    """
    return GameEnv(_game(game, components), forgiving=True, **settings)


def raw_env(game: str | Game, *, components: str | Path | None = None, **settings: Any) -> GameEnv:
    """Return the environment in which an illegal action raises an error and changes nothing.

    Args:
        game: A game, or its id. An id may have a version (`atacama_v1`).
        components: TOML file of the components; None for those of the game.
        **settings: Other arguments of `GameEnv`.

    Returns:
        The environment.

    Raises:
        UnknownGame: If no game has this id, or the version doesn't exist.
        ComponentError: If the components can't be read or are invalid.
        SeatCountError: If the game can't be played with this number of seats.
        OptionError: If an option or its value is invalid.
        ValueError: If another setting is invalid.
    """
    return GameEnv(_game(game, components), **settings)


def _game(game: str | Game, components: str | Path | None) -> Game:
    """Return a game by its id, with or without a version.

    Args:
        game: The game or its id.
        components: TOML file of the components; None for those of the game.

    Raises:
        UnknownGame: If no game has this id, or the version doesn't exist.
        ComponentError: If the components can't be read or are invalid.
    """
    if isinstance(game, Game):
        return find_game(game, components)
    name, _, version = game.partition("_v")
    if version and version != str(VERSION):
        raise UnknownGame(f"unknown version {game!r}: expected {name}_v{VERSION}")
    return find_game(name, components)


def _parse_action(action: Any) -> int:
    """Return an action as an int.

    Args:
        action: The action.

    Raises:
        ValueError: If it isn't an integer.
    """
    try:
        return index(action)
    except TypeError:
        raise ValueError(f"invalid action {action!r}: expected an integer") from None


class GameEnv(AECEnv[str, dict[str, NDArray[Any]], int]):
    """One game as an AEC environment; the agents are `seat_0`, `seat_1` and so on.

    Attributes:
        game: The game.
        seats: Number of seats.
        options: Options that differ from their defaults.
        reward: Kind of reward.
        forgiving: Whether an illegal action ends the game.
        interface: Codec of observations and actions of the current game.
        state_space: Space of `state()`.
        position: The position; None before the first reset. It can be forked and saved only with a
            `render_mode`.
    """

    render_modes: ClassVar[tuple[str, ...]] = MODES

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "place",
        render_mode: str | None = None,
        language: str = "en",
        form: str = "flat",
        actions: str = "vocabulary",
        forgiving: bool = False,
    ) -> None:
        """Create an environment.

        Args:
            game: The game.
            seats: Number of seats; None for the game's `min_multiplayer_seats`.
            options: Options that differ from their defaults; None for none.
            reward: `place` (1 for the winner to -1 for the last, 0 for a draw of two) or `score`
                (own score minus the best other).
            render_mode: `ansi` (the log as text), `human` (the same, printed), `svg` (the picture
                of the table), `rgb_array` (the same as pixels); None for no rendering.
            language: Language of the log.
            form: Form of the observations, see `atoll.env.interface`.
            actions: Form of the actions, see `atoll.env.interface`.
            forgiving: Whether an illegal action ends the game with reward -1 for the agent, instead
                of raising an error.

        Raises:
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            ValueError: If another argument is invalid.
        """
        super().__init__()
        self.metadata = {
            "name": f"{game.id}_v{VERSION}",
            "render_modes": list(self.render_modes),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game = game
        self.seats = game.min_multiplayer_seats if seats is None else seats
        self.options = dict(options or {})
        self.reward = check_reward(reward)
        self.render_mode = check_mode(render_mode)
        self.language = check_language(language)
        self.forgiving = forgiving
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self._numbers = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._codec = self.interface = SpaceCodec(game, self.seats, self.options, form, actions)
        low, high = (np.concatenate([each] * self.seats) for each in (self._codec.low, self._codec.high))
        self.state_space: spaces.Space[Any] = spaces.Box(low, high, dtype=self._codec.dtype)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.interface.spaces())
        self.action_spaces = {agent: spaces.Discrete(self.interface.count) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self.position: Position | None = None
        self._setup: MatchSetup | None = None
        self._answers: list[tuple[int, int]] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "position": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        if self._setup is not None:
            self.position = self._setup.position_after(self._answers)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations.

        Args:
            agent: Name of the agent.

        Raises:
            ValueError: If the agent doesn't exist.
        """
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions.

        Args:
            agent: Name of the agent.

        Raises:
            ValueError: If the agent doesn't exist.
        """
        return self.action_spaces[self._agent(agent)]

    def _agent(self, agent: str) -> str:
        """Return the name of an agent.

        Args:
            agent: Name of the agent.

        Raises:
            ValueError: If the agent doesn't exist.
        """
        if agent not in self._numbers:
            raise ValueError(f"unknown agent {agent!r}: expected {', '.join(self.possible_agents)}")
        return agent

    def _seat(self, agent: str) -> int:
        """Return the seat of an agent."""
        return self._numbers[self._agent(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: Seed of all chance; None to continue with the last seed.
            options: `game_options` are options of the game that differ in this game from those of
                the environment. Other keys are ignored, as PettingZoo wants it.

        Raises:
            OptionError: If an option or its value is invalid.
            ValueError: If the options change the spaces.
            RulesError: If the rules fail.
        """
        chosen = (options or {}).get("game_options")
        self.interface = self._codec.with_options(chosen) if chosen else self._codec
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        chance = int(self._random.integers(2**62))
        given = self.interface.options
        self._setup = MatchSetup(self.game, self.seats, given, chance, snapshots=self.render_mode is not None)
        self._answers = []
        self.position = self._setup.position_after()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def _position(self) -> Position:
        """Return the position.

        Raises:
            RuntimeError: If no game has begun.
        """
        if self.position is None:
            raise RuntimeError("call reset() first")
        return self.position

    def _select(self) -> None:
        """Select the agent to move, and put its action mask into its info; the first at the end."""
        position = self._position()
        seat = position.to_move[0] if position.to_move else 0
        mask = np.zeros(self.interface.count, np.int8)
        self.interface.mask(position, seat, mask)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": mask}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return an agent's observation, with an empty mask if it isn't asked.

        Args:
            agent: Name of the agent.

        Raises:
            ValueError: If the agent doesn't exist.
            RuntimeError: If no game has begun.
        """
        position, seat = self._position(), self._seat(agent)
        known = self.infos.get(agent, {}).get("action_mask")
        return self.interface.observe(position, seat, None if known is None else known.copy())

    def last(self, observe: bool = True) -> Any:
        """Return observation, cumulative reward, termination, truncation and info of the agent.

        The agent is the one that is to move.

        Args:
            observe: Whether to return the observation; otherwise None is returned in its place.

        Raises:
            RuntimeError: If no game has begun.
        """
        self._position()
        return super().last(observe)

    def state(self) -> NDArray[Any]:
        """Return everything that the agents know together: their observations, one after the other.

        Raises:
            RuntimeError: If no game has begun.
        """
        position = self._position()
        found = np.zeros((self.seats, *self.interface.shape), self.interface.dtype)
        for seat in range(self.seats):
            self.interface.write(position, seat, found[seat])
        return found.reshape(-1, *self.interface.shape[1:])

    def named(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return an agent's flat observation as named arrays.

        Args:
            agent: Name of the agent.

        Raises:
            ValueError: If the agent doesn't exist, or the form isn't `flat`.
            RuntimeError: If no game has begun.
        """
        return self.interface.split(self.observe(agent)["observation"])

    def step(self, action: int | None) -> None:
        """Apply an action of the agent to move.

        Args:
            action: The action; None only for an agent that is done.

        Raises:
            IllegalChoice: If the action isn't legal and the environment isn't forgiving; nothing
                has changed.
            MalformedChoice: If the number isn't an action and the environment isn't forgiving.
            ValueError: If the action isn't an integer, or None for an agent that isn't done.
            RuntimeError: If no game has begun or the game is over.
        """
        position = self._position()
        if not self.agents:
            raise RuntimeError("the game is over: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is allowed only for an agent that is done")
        try:
            seat = self._seat(agent)
            choice = self.interface.choice(position, seat, _parse_action(action))
            position.apply(choice, seat)
            self._answers.append((choice, seat))
        except (IllegalChoice, MalformedChoice):
            if not self.forgiving:
                raise
            self._end(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if position.over:
            for each, reward in zip(self.possible_agents, rewards_of(position, self.reward), strict=True):
                self.rewards[each] = reward
                self.terminations[each] = True
        self._select()
        self._accumulate_rewards()

    def _end(self, agent: str) -> None:
        """End the game after an illegal action of the agent."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {each: {} for each in self.agents}
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the game as a spectator sees it, in the `render_mode` of the environment."""
        return render(self.game, self._position(), self.render_mode, self.language)

    def close(self) -> None:
        """Do nothing: the environment has no open resources."""
