"""Atoll's games as PettingZoo AEC environments.

    from atoll.env.pettingzoo import env
    table = env("atacama", seats=2, options={"tactic": True})

The action space is the game's whole vocabulary of decisions: an action is a choice, with the same meaning in every
state. An observation is {"observation": vector of Observer, "action_mask": 0/1 per action}. Chance happens inside.
A sealed decision is asked seat by seat; the mask and observation of one never show what another has answered.

Version History
---------------
v0: the first one, for every game (`atacama_v0` and so on).
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import resvg_py
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from PIL import Image

import atoll
from atoll.engine import Game, Position
from atoll.engine.errors import UnknownGame
from atoll.engine.words import Words
from atoll.picture.still import still

from .observe import Observer
from .rewards import check_reward, rewards_of

VERSION = 0


def env(game: str | Game, **settings: Any) -> Any:
    """The environment of a game with PettingZoo's usual wrappers: illegal actions end it with reward -1.

    settings: see TableEnv. A name may carry the version (`atacama_v0`). Raises UnknownGame, SeatCountError,
    OptionError, ValueError.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(game: str | Game, **settings: Any) -> TableEnv:
    """The environment without wrappers."""
    return TableEnv(_game(game), **settings)


def _game(game: str | Game) -> Game:
    if isinstance(game, Game):
        return game
    name, _, version = game.partition("_v")
    if version and version != str(VERSION):
        raise UnknownGame(f"{game!r}: there is version {VERSION} only ({name}_v{VERSION})")
    return atoll.games[name]


class TableEnv(AECEnv[str, dict[str, NDArray[Any]], int]):
    """One game as an AEC environment; agents are `seat_0`, `seat_1`, ...

    reward: "place" (1 for the winner to -1 for the last, 0 for a draw of two) or "score" (own minus best other).
    render_mode: None, "ansi" (the log so far in words), "human" (the same, printed),
    "svg" (the table's picture), "rgb_array" (the same as pixels).
    """

    render_modes: ClassVar[tuple[str, ...]] = ("human", "ansi", "svg", "rgb_array")

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        reward: str = "place",
        render_mode: str | None = None,
        language: str = "en",
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.render_modes):
            raise ValueError(f"render_mode {render_mode!r}: allowed are None, {', '.join(self.render_modes)}")
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
        self.render_mode = render_mode
        self.language = language
        self.observer = Observer(game, self.seats, self.options)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        actions = game.vocabulary.decisions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(self.observer.low, self.observer.high, dtype=np.int32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._random: np.random.Generator | None = None
        self.position: Position | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The vector's bounds, and the mask."""
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All choices of the game's vocabulary."""
        return self.action_spaces[self._agent(agent)]

    def _agent(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; allowed: {', '.join(self.possible_agents)}")
        return agent

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(self._agent(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the seed decides all chance."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        chance = int(self._random.integers(2**62))
        self.position = self.game.new(self.seats, self.options, seed=chance)
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
        seat = self._seat(agent)
        position = self._position()
        return {"observation": self.observer.observe(position, seat), "action_mask": self.observer.mask(position, seat)}

    def named(self, agent: str) -> dict[str, NDArray[Any]]:
        """The observation vector of an agent as named arrays."""
        return self.observer.split(self.observer.observe(self._position(), self._seat(agent)))

    def step(self, action: int | None) -> None:
        """The selected agent's choice. Raises IllegalChoice where the wrappers don't take care of it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self._position()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None:
            raise ValueError("None is allowed only for an agent that is done")
        position.apply(int(action), self._seat(agent))
        if position.over:
            for each, reward in zip(self.possible_agents, rewards_of(position, self.reward), strict=True):
                self.rewards[each] = reward
                self.terminations[each] = True
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def render(self) -> Any:
        """The table as a spectator sees it, in the mode chosen at the start."""
        position = self._position()
        if self.render_mode is None:
            return None
        words = Words(self.game, self.language)
        if self.render_mode in ("ansi", "human"):
            lines = [words.event(event, None) for event in position.events]
            text = "\n".join(line for line in lines if line)
            if self.render_mode == "ansi":
                return text
            print(text)  # noqa: T201
            return None
        picture = still(self.game, position.view(None), words)
        return picture if self.render_mode == "svg" else pixels(picture)

    def close(self) -> None:
        """Nothing is held open."""


def pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG as an array (height, width, 3)."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))))
    return np.asarray(image.convert("RGB"))
