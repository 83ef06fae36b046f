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

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import atoll
from atoll.engine import Game, IllegalChoice, Position

from .interface import Interface
from .match import Match, Matches, Opponents, next_random
from .rendering import MODES, check_language, check_mode, render
from .rewards import check_reward, rewards_of
from .vector import Arrays, VectorTable

Observation = dict[str, NDArray[Any]]


def _need_opponents(opponents: Opponents | None) -> None:
    if opponents is None:
        raise ValueError("opponents None: who learns for all seats takes atoll.env.vector or atoll.env.pettingzoo")


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
        count = rules.usual_seats if seats is None else seats
        _need_opponents(opponents)
        self.interface: Interface = Interface(rules, count, options, form, actions)
        self.render_mode = check_mode(render_mode)
        self.language: str = check_language(language)
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
        self._match = self._matches.new(next_random(self.np_random), snapshots=self.render_mode is not None)
        self._ended = False
        return self._seen()

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        match = self._current()
        observation = self.interface.observe(match.position, match.asked)
        if self._ended:
            observation["action_mask"][:] = 0
            if "candidates" in observation:
                observation["candidates"][:] = -1
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
    """Many games of LearnerEnv in lockstep, as Gymnasium's `SyncVectorEnv` has them, faster: on a `VectorTable`.

    num_envs: how many games; processes: in which they are played. All else is as of LearnerEnv, and so is what is seen,
    paid and refused: game i of a seed is that of a LearnerEnv with the seed plus i.
    autoreset_mode: what becomes of a game that ends. "SameStep": it is replaced at once; of those that ended
    `infos["final_obs"]` has the last observation, `infos["final_info"]` the last info. "NextStep": the next step
    replaces it. "Disabled": `reset(options={"reset_mask": ...})` does. Those that ended have no legal actions.
    Observations are new arrays, or with `copy=False` the ones that the next step overwrites.
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
    ) -> None:
        """Raises what LearnerEnv does."""
        rules = atoll.games[game] if isinstance(game, str) else game
        _need_opponents(opponents)
        self.tables: VectorTable = VectorTable(
            game,
            num_envs,
            rules.usual_seats if seats is None else seats,
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
        """By what each game was last seeded; empty before the first reset."""
        return tuple(self._seeds)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New games. seed: of the first, counted up for the others; or one for each, None: it goes on as it was seeded.

        options: `reset_mask`, an array that says which games begin anew; without, all.
        Raises ValueError, TypeError for others.
        """
        given = dict(options or {})
        which = given.pop("reset_mask", None)
        if given:
            raise ValueError(f"options {given!r}: only reset_mask is allowed here; the game's are given at the start")
        seeds = _seeds(seed, self.num_envs)
        sources: list[np.random.Generator | None] = [None] * self.num_envs
        news = list(self._seeds) or [0] * self.num_envs
        for index, each in enumerate(seeds):
            if each is not None or not self._seeds:
                sources[index], news[index] = seeding.np_random(each)
        arrays = self.tables.begin(sources, which)
        self._seeds = news
        self._over = arrays.dones.copy()
        return self._seen(arrays, np.ones(self.num_envs, np.bool_) if which is None else which.copy())

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One action per game.

        Raises ResetNeeded where a game hasn't begun, InvalidAction for a number that is no action, and ValueError for
        what aren't as many whole numbers; then nothing was done in any game.
        """
        self._check(np.asarray(actions))
        seats = self._seats
        arrays = self.tables.step(actions)
        rewards = arrays.exact[np.arange(self.num_envs), seats]
        self._over = dones = arrays.dones.copy()
        observation, infos = self._seen(arrays, np.ones(self.num_envs, np.bool_))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and dones.any():
            infos |= self._finals(arrays, dones)
        return observation, rewards, dones.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _check(self, actions: NDArray[Any]) -> None:
        if self._over is None:
            raise ResetNeeded("call reset() first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            over = np.flatnonzero(self._over).tolist()
            raise ResetNeeded(f"games that are over: {over}; begin them anew by reset(options={{'reset_mask': ...}})")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            return  # the table says what is wrong
        wrong = (actions < 0) | (actions >= self.tables.actions)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            wrong &= ~self._over
        if wrong.any():
            index = int(wrong.argmax())
            allowed = f"allowed are whole numbers from 0 to {self.tables.actions - 1}"
            raise InvalidAction(f"game {index}, action {actions[index]}: {allowed}")

    def _seen(self, arrays: Arrays, which: NDArray[np.bool_]) -> tuple[Observation, dict[str, Any]]:
        self._seats = arrays.seats.copy()
        found = {"observation": arrays.observations, "action_mask": arrays.masks}
        if arrays.candidates is not None:
            found["candidates"] = arrays.candidates
        return found, {"action_mask": arrays.masks * which[:, None], "_action_mask": which}

    def _finals(self, arrays: Arrays, dones: NDArray[np.bool_]) -> dict[str, Any]:
        """The last observations and infos of games that ended, in the form of `VectorEnv`."""
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
        """Which actions are legal now: (games, actions)."""
        return self.tables.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """End the processes."""
        self.tables.close()


def _seeds(seed: int | Sequence[int | None] | None, games: int) -> Sequence[int | None]:
    """One for each game. Raises ValueError for as many as there aren't games."""
    if seed is None:
        return [None] * games
    if isinstance(seed, Sequence):
        if len(seed) != games:
            raise ValueError(f"{len(seed)} seeds for {games} games: allowed are one for the first, or one for each")
        return seed
    return [seed + index for index in range(games)]
