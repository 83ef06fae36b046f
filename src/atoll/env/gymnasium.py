"""One learner against bots, as Gymnasium environments: one game, or many in lockstep.

    import gymnasium
    import atoll.env                                       # enters the games

    table = gymnasium.make("atoll/Wutaki-v1", seats=3, opponents="greedy")
    tables = gymnasium.make_vec("atoll/Wutaki-v1", num_envs=64, seats=3, opponents=("expert", "casual"), processes=4)

An observation is {"observation": what the seat knows, "action_mask": 0/1 per action}, and `candidates` where actions
are such; see `atoll.env.interface`. `info["action_mask"]` and `action_masks()` say what is legal, too, where
libraries look for it. The reward comes at the end. An illegal action ends the game, and costs 1.

Who learns against itself as it was gives an object with `choose(seat_view, budget, seed)` among the opponents, and
`Interface` to make of it what its net knows; who learns for all seats takes `atoll.env.vector`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import atoll
from atoll.engine import Game, IllegalChoice, Position

from .interface import Interface
from .match import Match, Matches, Opponents
from .rendering import MODES, check_mode, render
from .rewards import check_reward, rewards_of
from .vector import Arrays, VectorTable

Observation = dict[str, NDArray[Any]]


def usual_seats(game: Game) -> int:
    """The least number of seats at which somebody plays against somebody."""
    return min((seats for seats in game.seat_counts if seats > 1), default=game.seat_counts[0])


def _no_options(options: Mapping[str, Any] | None) -> None:
    if options:
        raise ValueError(f"options {options!r}: none are allowed in reset(); the game's are given when it is made")


class LearnerEnv(gymnasium.Env[Observation, int]):
    """One seat of a game; bots play the others.

    game: its id, or the game. seats: how many; without, the least at which somebody plays against somebody.
    opponents: a bot's name (or a bot) for all other seats, or one for each from the learner's left neighbour on.
    seat: the learner's; None: drawn anew for each game. seconds, iterations: how long bots that search think about a
    decision, in time of the processor; with iterations it doesn't depend on the machine.
    options, reward, form, actions, render_mode, language: as of `atoll.env.pettingzoo.TableEnv`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        opponents: Opponents = "greedy",
        options: Mapping[str, Any] | None = None,
        seat: int | None = None,
        reward: str = "place",
        form: str = "flat",
        actions: str = "vocabulary",
        seconds: float = 0.05,
        iterations: int | None = None,
        render_mode: str | None = None,
        language: str = "en",
    ) -> None:
        """Raises UnknownGame, SeatCountError, OptionError, UnknownBot, WrongSeat, ValueError."""
        rules = atoll.games[game] if isinstance(game, str) else game
        count = usual_seats(rules) if seats is None else seats
        self.interface: Interface = Interface(rules, count, options, form, actions)
        self.render_mode = check_mode(render_mode)
        self.language: str = language
        self.reward: str = check_reward(reward)
        self._matches = Matches(rules, count, self.interface.options, opponents, seat, seconds, iterations)
        self.observation_space: spaces.Space[Any] = self.interface.spaces()
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.interface.count)
        self._match: Match | None = None
        self._ended: bool = False

    @property
    def position(self) -> Position:
        """The game. Raises ResetNeeded before the first."""
        return self._current().position

    @property
    def seat(self) -> int:
        """The learner's seat in this game. Raises ResetNeeded before the first."""
        return self._current().asked

    def _current(self) -> Match:
        if self._match is None:
            raise ResetNeeded("call reset() first")
        return self._match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game; the seed decides all chance. options: none; the game's are given when it is made."""
        super().reset(seed=seed)
        if options:
            raise ValueError(
                f"options {options!r}: none are allowed here; give the game's when you make the environment"
            )
        random = Random(int(self.np_random.integers(2**62)))
        self._match = self._matches.new(random, snapshots=self.render_mode is not None)
        self._ended = False
        return self._seen()

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        match = self._current()
        observation = self.interface.observe(match.position, match.asked)
        if self._ended:
            observation["action_mask"][:] = 0
        return observation, {"action_mask": observation["action_mask"].copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, one truth value per action."""
        mask = np.zeros(self.interface.count, np.int8)
        if not self._ended:
            self.interface.mask(self.position, self.seat, mask)
        return mask.astype(np.bool_)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's action, and what bots do until it is asked again. Raises InvalidAction, ResetNeeded."""
        match = self._current()
        if self._ended:
            raise ResetNeeded("the game is over: call reset()")
        if not self.action_space.contains(action):
            raise InvalidAction(f"action {action!r}: allowed are whole numbers from 0 to {self.interface.count - 1}")
        try:
            match.apply(self.interface.choice(match.position, match.asked, int(action)))
        except IllegalChoice:
            self._ended = True
            reward = -1.0
        else:
            self._ended = match.position.over
            reward = rewards_of(match.position, self.reward)[match.asked] if self._ended else 0.0
        observation, info = self._seen()
        return observation, reward, self._ended, False, info

    def render(self) -> Any:
        """The table as a spectator sees it, in the mode chosen at the start."""
        return render(self.interface.game, self.position, self.render_mode, self.language)


class LearnerVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games of LearnerEnv in lockstep: `VectorTable` as Gymnasium has it.

    num_envs: how many games; processes: in which they are played. All else is as of LearnerEnv. A game that ends is
    replaced at once (`AutoresetMode.SAME_STEP`); `infos["final_obs"]` has the last observation of those that ended.
    Observations are new arrays, or with `copy=False` the ones that the next step overwrites.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seats: int | None = None,
        opponents: Opponents = "greedy",
        processes: int = 1,
        copy: bool = True,
        **settings: Any,
    ) -> None:
        """Raises what LearnerEnv does, and TypeError for a setting that there isn't."""
        rules = atoll.games[game] if isinstance(game, str) else game
        count = usual_seats(rules) if seats is None else seats
        self.tables: VectorTable = VectorTable(
            game, num_envs, count, opponents=opponents, processes=processes, copy=copy, forgiving=True, **settings
        )
        self.num_envs = num_envs
        self.single_observation_space = self.tables.interface.spaces()
        self.single_action_space = spaces.Discrete(self.tables.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats: NDArray[np.int32] = np.zeros(num_envs, np.int32)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New games everywhere; a seed, one for all, decides everything from here on."""
        if isinstance(seed, list):
            raise ValueError("a list of seeds: allowed is one for all games, or None")
        if options:
            raise ValueError(
                f"options {options!r}: none are allowed here; give the game's when you make the environment"
            )
        return self._seen(self.tables.reset(seed))

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One action per game. Raises ValueError for what aren't as many whole numbers."""
        seats = self._seats
        arrays = self.tables.step(actions)
        rewards = arrays.rewards[np.arange(self.num_envs), seats].astype(np.float64)
        dones = arrays.dones.copy()
        observation, infos = self._seen(arrays)
        if dones.any():
            infos["final_obs"] = {"observation": arrays.finals, "_observation": dones}
            infos["_final_obs"] = dones
        return observation, rewards, dones, np.zeros(self.num_envs, np.bool_), infos

    def _seen(self, arrays: Arrays) -> tuple[Observation, dict[str, Any]]:
        self._seats = arrays.seats.copy()
        found = {"observation": arrays.observations, "action_mask": arrays.masks}
        if arrays.candidates is not None:
            found["candidates"] = arrays.candidates
        return found, {"action_mask": arrays.masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now: (games, actions)."""
        return self.tables.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """End the processes."""
        self.tables.close()
