"""Gymnasium environments: one learner against bots, in one game or in many games in lockstep.

```python
import gymnasium
import atoll.env                                       # registers the games

settings = {"seats": 3, "opponents": "greedy"}
table = gymnasium.make("atoll/Wutaki-v1", **settings)
tables = gymnasium.make_vec("atoll/Wutaki-v1", num_envs=64, processes=4, **settings)
```

An observation is a dictionary of `observation`, `action_mask`, and `candidates` if actions are
candidates, see `atoll.env.interface`. Legal actions are also in `info["action_mask"]` and
`action_masks()`, where libraries look for them. The reward comes at the end. An illegal action ends
the game with reward -1.

For self-play against earlier versions, pass an object with `choose(seat_view, budget, seed)` as an
opponent; `SpaceCodec` encodes its observations. To learn for all seats, use `atoll.env.vector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from atoll.engine import Game, IllegalChoice, Position

from .interface import SpaceCodec, find_game
from .match import LearnerGame, MatchFactory, Opponents, next_random
from .rendering import MODES, check_language, check_mode, render
from .rewards import check_reward, rewards_of
from .vector import BatchArrays, VectorGames

Observation = dict[str, NDArray[Any]]


def _require_opponents(opponents: Opponents | None) -> None:
    """Reject games without opponents.

    Args:
        opponents: The bots of the other seats; None if the learner plays all seats.

    Raises:
        ValueError: If `opponents` is None.
    """
    if opponents is None:
        raise ValueError("opponents None: use atoll.env.vector or atoll.env.pettingzoo to learn for all seats")


class LearnerEnv(gymnasium.Env[Observation, int]):
    """An environment for one seat of a game; bots play the others.

    Attributes:
        interface: Codec of observations and actions of the current game.
        language: Language of the log that `render` returns.
        reward: Kind of reward.
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
        components: str | Path | None = None,
    ) -> None:
        """Create an environment.

        Args:
            game: The game or its id.
            seats: Number of seats; None for the game's `min_multiplayer_seats`.
            opponents: A bot or its name for all other seats, or one for each, in order from the
                seat to the left of the learner.
            options: Options that differ from their defaults; None for none.
            seat: Seat of the learner; None for a random one in each game.
            reward: Kind of reward, see `GameEnv`.
            form: Form of the observations, see `atoll.env.interface`.
            actions: Form of the actions, see `atoll.env.interface`.
            seconds: Time limit of a searching bot per decision, in seconds of processor time.
            iterations: Iterations per decision of a searching bot, for results that don't depend on
                the machine; None for the time limit.
            render_mode: See `GameEnv`.
            language: Language of the log.
            components: TOML file of the components; None for those of the game.

        Raises:
            UnknownGame: If no game has this id.
            ComponentError: If the components can't be read or are invalid.
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            UnknownBot: If no bot has one of these names.
            WrongSeat: If `seat` doesn't exist.
            ValueError: If another argument is invalid.
        """
        rules = find_game(game, components)
        count = rules.min_multiplayer_seats if seats is None else seats
        _require_opponents(opponents)
        self._codec: SpaceCodec = SpaceCodec(rules, count, options, form, actions)
        self.interface: SpaceCodec = self._codec
        self.render_mode = check_mode(render_mode)
        self.language: str = check_language(language)
        self.reward: str = check_reward(reward)
        self._matches = MatchFactory(rules, count, self.interface.options, opponents, seat, seconds, iterations)
        self.observation_space: spaces.Space[Any] = self.interface.spaces()
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.interface.count)
        self._match: LearnerGame | None = None
        self._ended: bool = False

    @property
    def position(self) -> Position:
        """The position of the current game.

        Raises:
            ResetNeeded: If no game has begun.
        """
        return self._current().position

    @property
    def seat(self) -> int:
        """The learner's seat in the current game.

        Raises:
            ResetNeeded: If no game has begun.
        """
        return self._current().seat_to_answer

    def _current(self) -> LearnerGame:
        """Return the current game."""
        if self._match is None:
            raise ResetNeeded("call reset() first")
        return self._match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game.

        Args:
            seed: Seed of all chance; None to continue with the last seed.
            options: `game_options` are options of the game that differ in this game from those of
                the environment.

        Returns:
            The observation and the info dictionary.

        Raises:
            OptionError: If an option of the game or its value is invalid.
            ValueError: If there are other keys, or the options change the spaces.
            AtollError: If the rules or a bot fail.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        chosen = given.pop("game_options", None)
        if given:
            raise ValueError(f"options {given!r}: expected only game_options")
        self.interface = self._codec.with_options(chosen) if chosen else self._codec
        drawn = next_random(self.np_random)
        snapshots = self.render_mode is not None
        self._match = self._matches.new(drawn, snapshots=snapshots, options=self.interface.options)
        self._ended = False
        return self._observation()

    def _observation(self) -> tuple[Observation, dict[str, Any]]:
        """Return the observation and the info dictionary."""
        match = self._current()
        observation = self.interface.observe(match.position, match.seat_to_answer)
        if self._ended:
            observation["action_mask"][:] = 0
            if "candidates" in observation:
                observation["candidates"][:] = -1
        return observation, {"action_mask": observation["action_mask"].copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal now: (actions,)."""
        mask = np.zeros(self.interface.count, np.int8)
        if not self._ended:
            self.interface.mask(self.position, self.seat, mask)
        return mask.astype(np.bool_)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply an action, and let the bots play until the learner is asked again.

        Args:
            action: The action. An illegal one ends the game with reward -1.

        Returns:
            Observation, reward, whether the game is over, False (never truncated), and the info
            dictionary.

        Raises:
            ResetNeeded: If no game has begun or the game is over.
            InvalidAction: If the number isn't an action.
            AtollError: If the rules or a bot fail.
        """
        match = self._current()
        if self._ended:
            raise ResetNeeded("the game is over: call reset()")
        if not self.action_space.contains(action):
            raise InvalidAction(f"invalid action {action!r}: expected an integer from 0 to {self.interface.count - 1}")
        try:
            match.apply(self.interface.choice(match.position, match.seat_to_answer, int(action)))
        except IllegalChoice:
            self._ended = True
            reward = -1.0
        else:
            self._ended = match.position.over
            reward = rewards_of(match.position, self.reward)[match.seat_to_answer] if self._ended else 0.0
        observation, info = self._observation()
        return observation, reward, self._ended, False, info

    def render(self) -> Any:
        """Return the game as a spectator sees it, in the `render_mode` of the environment."""
        return render(self.interface.game, self.position, self.render_mode, self.language)


class LearnerVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games in lockstep, like Gymnasium's `SyncVectorEnv` of `LearnerEnv`, but faster.

    Observations, rewards and errors are the same: game i with a seed is the game of a `LearnerEnv`
    with the seed plus i.

    Games that end are replaced according to `autoreset_mode`:

    - `SameStep`: immediately. `infos["final_obs"]` has the last observations of games that ended,
      `infos["final_info"]` their last infos.
    - `NextStep`: by the next step.
    - `Disabled`: by `reset(options={"reset_mask": ...})`.

    Games that ended have no legal actions.

    Attributes:
        tables: The games.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seats: int | None = None,
        opponents: Opponents = "greedy",
        options: Mapping[str, Any] | None = None,
        seat: int | None = None,
        reward: str = "place",
        form: str = "flat",
        actions: str = "vocabulary",
        seconds: float = 0.05,
        iterations: int | None = None,
        processes: int = 1,
        copy: bool = True,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        components: str | Path | None = None,
    ) -> None:
        """Create the environments.

        Args:
            game: The game or its id.
            num_envs: Number of games, at least 1.
            seats: See `LearnerEnv`.
            opponents: See `LearnerEnv`.
            options: See `LearnerEnv`.
            seat: See `LearnerEnv`.
            reward: See `LearnerEnv`.
            form: See `LearnerEnv`.
            actions: See `LearnerEnv`.
            seconds: See `LearnerEnv`.
            iterations: See `LearnerEnv`.
            processes: Number of processes, 1 to `num_envs`.
            copy: Whether observations are new arrays. If not, the next step overwrites them.
            autoreset_mode: Replacement of games that end, see the class.
            components: TOML file of the components; None for those of the game.

        Raises:
            UnknownGame: If no game has this id.
            ComponentError: If the components can't be read or are invalid.
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            UnknownBot: If no bot has one of these names.
            WrongSeat: If `seat` doesn't exist.
            ValueError: If another argument is invalid.
        """
        _require_opponents(opponents)
        self.tables: VectorGames = VectorGames(
            game,
            num_envs,
            seats,
            options,
            reward,
            processes=processes,
            form=form,
            actions=actions,
            opponents=opponents,
            seat=seat,
            seconds=seconds,
            iterations=iterations,
            copy=copy,
            forgiving=True,
            autoreset_mode=autoreset_mode,
            components=components,
        )
        self.autoreset_mode: AutoresetMode = self.tables.mode
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.single_observation_space = self.tables.interface.spaces()
        self.single_action_space = spaces.Discrete(self.tables.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats: NDArray[np.int32] = np.zeros(num_envs, np.int32)
        self._seeds: list[int] = []
        self._over: NDArray[np.bool_] | None = None

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The last seed of each game; empty before the first reset."""
        return tuple(self._seeds)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start new games.

        Args:
            seed: Seed of the first game, counted up for the others; or one per game, where None
                continues with the game's last seed.
            options: `reset_mask`, a boolean array of the games to reset; without it all are reset.

        Returns:
            The observations and the info dictionary.

        Raises:
            ValueError: If there are other options, or the wrong number of seeds or mask values.
            TypeError: If the mask isn't a boolean array.
            RuntimeError: If a game that isn't reset hasn't begun yet, or the environments are
                closed.
        """
        given = dict(options or {})
        which = given.pop("reset_mask", None)
        if given:
            raise ValueError(f"options {given!r}: expected only reset_mask; the game's options are set at the start")
        seeds = _seeds(seed, self.num_envs)
        sources: list[np.random.Generator | None] = [None] * self.num_envs
        news = list(self._seeds) or [0] * self.num_envs
        for index, each in enumerate(seeds):
            if each is not None or not self._seeds:
                sources[index], news[index] = seeding.np_random(each)
        arrays = self.tables.reset_with_sources(sources, which)
        self._seeds = news
        self._over = arrays.dones.copy()
        return self._observations(arrays, np.ones(self.num_envs, np.bool_) if which is None else which.copy())

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Apply one action per game.

        If an error is raised for the actions, no game has changed.

        Args:
            actions: The actions: (num_envs,).

        Returns:
            Observations, rewards, whether each game has ended, an array of False (never truncated),
            and the info dictionary.

        Raises:
            ResetNeeded: If a game hasn't begun or is over.
            InvalidAction: If a number isn't an action.
            ValueError: If there isn't one integer per game.
            AtollError: If the rules or a bot fail.
        """
        self._check(np.asarray(actions))
        seats = self._seats
        arrays = self.tables.step(actions)
        rewards = arrays.exact[np.arange(self.num_envs), seats]
        self._over = dones = arrays.dones.copy()
        observation, infos = self._observations(arrays, np.ones(self.num_envs, np.bool_))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and dones.any():
            infos |= self._finals(arrays, dones)
        return observation, rewards, dones.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _check(self, actions: NDArray[Any]) -> None:
        """Check that the actions can be applied.

        Args:
            actions: The actions, one per game.

        Raises:
            ResetNeeded: If a game hasn't begun or is over.
            InvalidAction: If a number isn't an action.
        """
        if self._over is None:
            raise ResetNeeded("call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            over = np.flatnonzero(self._over).tolist()
            raise ResetNeeded(f"games that are over: {over}; restart them by reset(options={{'reset_mask': ...}})")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            return  # the games raise the error
        wrong = (actions < 0) | (actions >= self.tables.actions)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            wrong &= ~self._over
        if wrong.any():
            index = int(wrong.argmax())
            expected = f"expected an integer from 0 to {self.tables.actions - 1}"
            raise InvalidAction(f"game {index}: invalid action {actions[index]}: {expected}")

    def _observations(self, arrays: BatchArrays, which: NDArray[np.bool_]) -> tuple[Observation, dict[str, Any]]:
        """Return the observations and the info dictionary."""
        self._seats = arrays.seats.copy()
        found = {"observation": arrays.observations, "action_mask": arrays.masks}
        if arrays.candidates is not None:
            found["candidates"] = arrays.candidates
        return found, {"action_mask": arrays.masks * which[:, None], "_action_mask": which}

    def _finals(self, arrays: BatchArrays, dones: NDArray[np.bool_]) -> dict[str, Any]:
        """Return last observations and infos of games that ended, in the format of `VectorEnv`."""
        interface = self.tables.interface
        found = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(dones):
            found[index] = {
                "observation": arrays.finals[index].copy(),
                "action_mask": np.zeros(interface.count, np.int8),
            }
            if arrays.candidates is not None:
                found[index]["candidates"] = np.full(interface.candidates_shape, -1, np.int32)
        info = {"action_mask": np.zeros((self.num_envs, interface.count), np.int8), "_action_mask": dones.copy()}
        return {"final_obs": found, "_final_obs": dones.copy(), "final_info": info, "_final_info": dones.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal now: (games, actions)."""
        return self.tables.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """End the worker processes."""
        self.tables.close()


def _seeds(seed: int | Sequence[int | None] | None, games: int) -> Sequence[int | None]:
    """Return one seed per game.

    Args:
        seed: Seed of the first game, counted up for the others; or one per game; or None.
        games: Number of games.

    Raises:
        ValueError: If the number of seeds is wrong.
    """
    if seed is None:
        return [None] * games
    if isinstance(seed, Sequence):
        if len(seed) != games:
            raise ValueError(f"{len(seed)} seeds for {games} games: expected one for the first, or one for each")
        return seed
    return [seed + index for index in range(games)]
