"""Tuning of components: numbers change within limits until simulated games reach targets.

The search needs the extra `atoll[lab]` (Optuna). Every trial plays the same seeds. The result is
measured on fresh seeds, which had no part in choosing it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import prod
from typing import Any, Final, Protocol

from atoll.bots import derive_seed
from atoll.engine import ComponentError, Game
from atoll.engine.component_changes import NumberField, file_schema, number_fields, with_changes

from .analysis import margin, win_share
from .plan import PlanError, SimulationPlan
from .play import Row, play_batch
from .proportions import MeanEstimate
from .run import WorkerPool, check_engine, worker_pool, workers_here

TARGETS: Final = ("margin", "length", "first", "seat1", "seat2", "...")
"""Names of targets, for messages: lead of the winner, decisions, win rates by start and by seat."""
_FRESH: Final = 4
"""Fresh games per game of a trial, by which the result is measured."""
_MOST_PATHS: Final = 12  # names in a message


@dataclass(frozen=True, slots=True)
class Target:
    """A figure, and the value that it should have.

    Attributes:
        name: `margin`, `length`, `first`, or `seat1`, `seat2` and so on.
        value: The value; win rates from 0 to 1.
    """

    name: str
    value: float

    @property
    def is_share(self) -> bool:
        """True for win rates."""
        return self.name not in ("margin", "length")

    def of(self, game: Row) -> float:
        """Return the figure in one game."""
        if self.name == "margin":
            return margin(game["scores"])
        if self.name == "length":
            return float(game["decisions"])
        if self.name == "first":
            return win_share(game, game["first"])
        return win_share(game, int(self.name.removeprefix("seat")) - 1)

    def text(self, value: float) -> str:
        """Return a value of the figure for people."""
        return f"{100 * value:.1f} %" if self.is_share else f"{value:.2f}"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a tuning.

    Attributes:
        changes: New values by path; empty if no trial was better than the original.
        before: The targets' figures with the original components, on fresh games.
        after: The same with the changes.
        trials: Number of variants that were played.
        refused: Number of variants that the game refused.
        games: Number of fresh games.
    """

    changes: Mapping[str, int]
    before: tuple[MeanEstimate, ...]
    after: tuple[MeanEstimate, ...]
    trials: int
    refused: int
    games: int


def read_targets(texts: Iterable[str], seats: int) -> list[Target]:
    """Return targets given as `NAME=VALUE`, such as `first=50%` or `margin=4`.

    Args:
        texts: The texts.
        seats: Number of seats.

    Raises:
        PlanError: If there is none, one is given twice, or a name or value is invalid.
    """
    found: dict[str, Target] = {}
    known = ["length", *(["margin", "first", *(f"seat{seat + 1}" for seat in range(seats))] if seats > 1 else [])]
    for text in texts:
        name, _, value = text.partition("=")
        number = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", value.strip())
        if name not in known or number is None:
            raise PlanError(f"target {text[:60]!r}; allowed: NAME=NUMBER with one of {', '.join(known)}")
        if name in found:
            raise PlanError(f"target {name!r} is given twice")
        found[name] = Target(name, float(number[1]) / (100 if number[2] else 1))
        if found[name].is_share and found[name].value > 1:
            raise PlanError(f"target {text[:60]!r}; allowed: a share from 0 to 1, or 0 % to 100 %")
        if number[2] and not found[name].is_share:
            raise PlanError(f"target {text[:60]!r}; allowed: a number without %")
    if not found:
        raise PlanError("no targets; name at least one")
    return list(found.values())


def read_fields(game: Game, texts: Iterable[str]) -> list[NumberField]:
    """Return the numbers to change, each given as `PATH` or `PATH=LOW..HIGH`.

    Args:
        game: The game.
        texts: The texts. A `*` in a path stands for any text.

    Raises:
        PlanError: If a path matches no number, or a range is malformed, empty or outside of the
            schema's limits, or a number has no limits and no range.
    """
    every = number_fields(game.data, file_schema(game.package))
    found: dict[str, NumberField] = {}
    for text in texts:
        path, equals, limits = text.partition("=")
        matching = [each for each in every if fnmatchcase(each.path, path)]
        if not matching:
            shown = ", ".join(each.path for each in every[:_MOST_PATHS])
            raise PlanError(f"no number of {game.id} at {path[:80]!r}; there are: {shown}, ...")
        for each in matching:
            found[each.path] = _narrowed(each, limits) if equals else each
            if found[each.path].low is None or found[each.path].high is None:
                raise PlanError(f"{each.path} has no limits; write {each.path}=LOW..HIGH")
    if not found:
        raise PlanError("no numbers to change; name at least one")
    return list(found.values())


def _narrowed(field: NumberField, limits: str) -> NumberField:
    """Return a number with narrower limits.

    Args:
        field: The number.
        limits: The limits as `LOW..HIGH`.

    Raises:
        PlanError: If they are malformed, empty or outside of the schema's.
    """
    ends = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", limits.strip())
    low, high = (int(ends[1]), int(ends[2])) if ends else (1, 0)
    wide = (field.low is None or field.low <= low) and (field.high is None or high <= field.high)
    if low > high or not wide:
        at_least = "" if field.low is None else f" from {field.low}"
        at_most = "" if field.high is None else f" up to {field.high}"
        raise PlanError(f"{field.path}={limits[:40]}; allowed: LOW..HIGH{at_least}{at_most}")
    return replace(field, low=low, high=high, allowed=tuple(n for n in field.allowed if low <= n <= high))


class _Evaluator:
    """Plays variants and measures how far they are from the targets.

    Attributes:
        refused: Number of variants that the game refused.
    """

    def __init__(self, plan: SimulationPlan, targets: Sequence[Target], games: int, pool: WorkerPool | None) -> None:
        self._plan: SimulationPlan = plan
        self._targets: Sequence[Target] = targets
        self._games: int = games
        self._pool: WorkerPool | None = pool
        self._losses: dict[tuple[tuple[str, int], ...], float | None] = {}
        self.refused: int = 0
        first = self.figures({}, plan.seed, games)
        assert first is not None  # the original can be played
        # Figures are compared in units of their spread from game to game.
        self._spreads: list[float] = [_spread(values) for values in first]

    @property
    def played(self) -> int:
        """Number of variants that were played."""
        return len(self._losses) - self.refused

    def figures(self, changes: Mapping[str, int], seed: int, games: int) -> list[list[float]] | None:
        """Return the targets' figures in each game of a variant; None if the game refuses it.

        Args:
            changes: New values by path.
            seed: Seed of the games.
            games: Number of games.
        """
        game = self._plan.game
        try:
            changed = type(game)(with_changes(game.data, changes)) if changes else game
            plan = SimulationPlan.make(
                changed, self._plan.seats, self._plan.options, self._plan.bots,
                seed=seed, seconds=self._plan.seconds, iterations=self._plan.iterations,
            )  # fmt: skip
        except (ComponentError, PlanError):
            return None
        rows = [rows[-1] for batch in self._batches(plan, games) for rows in batch]
        return [[target.of(row) for row in rows] for target in self._targets]

    def _batches(self, plan: SimulationPlan, games: int) -> list[list[list[Row]]]:
        """Return the rows of all games, played by the pool if there is one."""
        if self._pool is None:
            return [play_batch(plan, range(games))[0]]
        size = -(-games // self._pool.size)
        parts = [range(start, min(start + size, games)) for start in range(0, games, size)]
        waiting = [self._pool.submit(play_batch, plan, part) for part in parts]
        return [each.result()[0] for each in waiting]

    def loss(self, changes: Mapping[str, int]) -> float | None:
        """Return the distance of a variant from the targets; None if the game refuses it."""
        key = tuple(sorted(changes.items()))
        if key not in self._losses:
            figures = self.figures(changes, self._plan.seed, self._games)
            self.refused += figures is None
            self._losses[key] = None if figures is None else self.distance(figures)
        return self._losses[key]

    def distance(self, figures: Sequence[Sequence[float]]) -> float:
        """Return the sum of squared distances from the targets, in units of their spread."""
        pairs = zip(figures, self._targets, self._spreads, strict=True)
        return sum(((sum(values) / len(values) - target.value) / spread) ** 2 for values, target, spread in pairs)


def _spread(values: Sequence[float]) -> float:
    """Return the standard deviation of values; 1 if all are the same."""
    mean = sum(values) / len(values)
    return (sum((each - mean) ** 2 for each in values) / len(values)) ** 0.5 or 1.0


def tune(
    plan: SimulationPlan,
    targets: Sequence[Target],
    fields: Sequence[NumberField],
    *,
    games: int = 100,
    trials: int = 40,
    workers: int = 0,
    engine: str = "local",
    watch: Callable[[int, int], Any] = lambda done, trials: None,
) -> Tuned:
    """Change numbers of the components until games reach targets.

    Changes that the targets don't need are taken back at the end.

    Args:
        plan: Plan of the games with the original components.
        targets: The targets.
        fields: The numbers to change.
        games: Number of games of each trial, at least 2.
        trials: Number of variants to try, at least 1.
        workers: Number of processes; 0 for one per core.
        engine: `local` or `ray`.
        watch: Callback that gets the number of trials done and the number wanted.

    Returns:
        The best variant, and its figures on fresh games.

    Raises:
        PlanError: If Optuna isn't installed, or the games can't be run.
        AtollError: If the rules or a bot fail in a game.
    """
    try:
        import optuna  # noqa: PLC0415 - an extra that may not be installed
    except ImportError:
        raise PlanError("tuning needs the extra: pip install 'atoll[lab]', or '.[lab]' in a clone") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    check_engine(engine, workers)
    with ExitStack() as stack:
        alone = engine == "local" and (workers or workers_here()) == 1
        pool = None if alone else stack.enter_context(worker_pool(engine, workers))
        evaluator = _Evaluator(plan, targets, games, pool)
        # A guess may repeat a variant, so a few variants are tried one by one.
        if prod(len(_allowed(each)) for each in fields) <= trials:
            grid = {each.path: _allowed(each) for each in fields}
            study = optuna.create_study(sampler=optuna.samplers.GridSampler(grid, seed=plan.seed))
        else:
            study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=plan.seed, multivariate=True))
            study.enqueue_trial({each.path: each.value for each in fields if _holds(each)}, skip_if_exists=True)

        def objective(trial: Any) -> float:
            """Return the distance of a trial's variant; prune what the game refuses."""
            loss = evaluator.loss(_changes(trial, fields))
            if loss is None:
                raise optuna.TrialPruned
            return loss

        study.optimize(objective, trials, callbacks=[lambda study, _trial: watch(len(study.trials), trials)])
        finished = study.get_trials(states=[optuna.trial.TrialState.COMPLETE])
        found: dict[str, int] = {}
        best = evaluator.loss({})
        assert best is not None
        for trial in finished:
            if trial.value is not None and trial.value < best:
                best, found = trial.value, _changed(trial.params, fields)
        found = _needed(found, best, evaluator)
        seed, many = derive_seed(plan.seed, -1), _FRESH * games
        before, after = evaluator.figures({}, seed, many), evaluator.figures(found, seed, many)
        assert before is not None
        assert after is not None
    names = [target.name for target in targets]
    return Tuned(
        found,
        tuple(MeanEstimate(name, tuple(values)) for name, values in zip(names, before, strict=True)),
        tuple(MeanEstimate(name, tuple(values)) for name, values in zip(names, after, strict=True)),
        evaluator.played,
        evaluator.refused,
        many,
    )


def _allowed(field: NumberField) -> Sequence[int]:
    """Return the values of a number within the limits of the search."""
    if field.allowed:
        return field.allowed
    assert field.low is not None
    assert field.high is not None
    return range(field.low, field.high + 1)


def _holds(field: NumberField) -> bool:
    """Return whether the printed value lies within the limits of the search."""
    return field.value in _allowed(field)


def _changes(trial: Any, fields: Sequence[NumberField]) -> dict[str, int]:
    """Return the changes that a trial suggests."""
    values = {
        each.path: trial.suggest_categorical(each.path, each.allowed)
        if each.allowed
        else trial.suggest_int(each.path, each.low, each.high)
        for each in fields
    }
    return _changed(values, fields)


def _changed(values: Mapping[str, int], fields: Sequence[NumberField]) -> dict[str, int]:
    """Return the values that differ from the printed ones."""
    return {each.path: values[each.path] for each in fields if values[each.path] != each.value}


class _HasLoss(Protocol):
    """Measures how far variants are from the targets."""

    def loss(self, changes: Mapping[str, int]) -> float | None:
        """Return the distance of a variant; None if the game refuses it."""


def _needed(changes: Mapping[str, int], best: float, evaluator: _HasLoss) -> dict[str, int]:
    """Return changes without those that bring a variant no closer to the targets."""
    found = dict(changes)
    for path in changes:
        without = {key: value for key, value in found.items() if key != path}
        loss = evaluator.loss(without)
        if loss is not None and loss <= best:
            found, best = without, loss
    return found
