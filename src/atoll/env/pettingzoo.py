"""Atoll's games as PettingZoo AEC environments.

    from atoll.env.pettingzoo import env
    table = env("atacama", seats=2, options={"tactic": True})

An observation is {"observation": what the seat knows, "action_mask": 0/1 per action}; see `atoll.env.interface` for its
forms and those of the actions. Chance happens inside. A sealed decision is asked seat by seat; the mask and observation
of one never show what another has answered.

Version History
---------------
v1: the first one, for every game (`atacama_v1` and so on).
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

import atoll
from atoll.engine import Game, IllegalChoice, MalformedChoice, Position
from atoll.engine.errors import UnknownGame

from .interface import Interface
from .match import Begun
from .rendering import MODES, check_language, check_mode, render
from .rewards import check_reward, rewards_of

VERSION: Final = 1


def env(game: str | Game, **settings: Any) -> TableEnv:
    """Return the environment of a game; an illegal action ends it with reward -1 for the agent.

    Args:
        game: A game, or its id. An id may carry the version (`atacama_v1`).
        settings: See TableEnv.

    Raises:
        UnknownGame: There is no such game or version.
        SeatCountError: The game can't be played with this number of seats.
        OptionError: The game has no such options.
        ValueError: Another setting isn't allowed.
    """
    return TableEnv(_game(game), forgiving=True, **settings)


def raw_env(game: str | Game, **settings: Any) -> TableEnv:
    """The environment in which an illegal action raises IllegalChoice and changes nothing."""
    return TableEnv(_game(game), **settings)


def _game(game: str | Game) -> Game:
    if isinstance(game, Game):
        return game
    name, _, version = game.partition("_v")
    if version and version != str(VERSION):
        raise UnknownGame(f"{game!r}: there is no such version; known: {name}_v{VERSION}")
    return atoll.games[name]


def _whole(action: Any) -> int:
    try:
        return index(action)
    except TypeError:
        raise ValueError(f"action {action!r}: allowed are whole numbers") from None


class TableEnv(AECEnv[str, dict[str, NDArray[Any]], int]):
    """One game as an AEC environment; agents are `seat_0`, `seat_1`, ...

    reward: "place" (1 for the winner to -1 for the last, 0 for a draw of two) or "score" (own minus best other).
    form, actions: see `atoll.env.interface`. forgiving: an illegal action ends the game, and costs the agent 1.
    render_mode: None, "ansi" (the log so far in words), "human" (the same, printed),
    "svg" (the table's picture), "rgb_array" (the same as pixels). Only with one `position` can be forked and saved.
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
        super().__init__()
        self.metadata = {
            "name": f"{game.id}_v{VERSION}",
            "render_modes": list(self.render_modes),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game = game
        self.seats = seats if seats is not None else game.seat_counts[0]
        self.options = dict(options or {})
        self.reward = check_reward(reward)
        self.render_mode = check_mode(render_mode)
        self.language = check_language(language)
        self.forgiving = forgiving
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self._numbers = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.interface = Interface(game, self.seats, self.options, form, actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.interface.spaces())
        self.action_spaces = {agent: spaces.Discrete(self.interface.count) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self.position: Position | None = None
        self._begun: Begun | None = None
        self._answers: list[tuple[int, int]] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "position": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        if self._begun is not None:
            self.position = self._begun.after(self._answers)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The bounds of the numbers, and the mask."""
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """As many actions as there are."""
        return self.action_spaces[self._agent(agent)]

    def _agent(self, agent: str) -> str:
        if agent not in self._numbers:
            raise ValueError(f"there is no agent {agent!r}; allowed: {', '.join(self.possible_agents)}")
        return agent

    def _seat(self, agent: str) -> int:
        return self._numbers[self._agent(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the seed decides all chance."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        chance = int(self._random.integers(2**62))
        self._begun = Begun(self.game, self.seats, self.options, chance, snapshots=self.render_mode is not None)
        self._answers = []
        self.position = self._begun.after()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def _position(self) -> Position:
        if self.position is None:
            raise RuntimeError("call reset() first")
        return self.position

    def _next(self) -> str:
        position = self._position()
        return self.possible_agents[position.to_move[0] if position.to_move else 0]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What the agent's seat knows, and which choices it has (none when it isn't asked)."""
        return self.interface.observe(self._position(), self._seat(agent))

    def last(self, observe: bool = True) -> Any:
        """What the selected agent sees, has got so far, and whether it is done. Raises RuntimeError before reset."""
        self._position()
        return super().last(observe)

    def named(self, agent: str) -> dict[str, NDArray[Any]]:
        """The flat observation of an agent as named arrays. Raises ValueError for another form."""
        return self.interface.split(self.observe(agent)["observation"])

    def step(self, action: int | None) -> None:
        """The selected agent's action. Raises IllegalChoice, unless the environment is forgiving."""
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
            choice = self.interface.choice(position, seat, _whole(action))
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
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _end(self, agent: str) -> None:
        """The game ends, because the agent can't do what it wanted to."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> Any:
        """The table as a spectator sees it, in the mode chosen at the start."""
        return render(self.game, self._position(), self.render_mode, self.language)

    def close(self) -> None:
        """Nothing is held open."""
