"""Simulation plans: everything that determines how each game goes, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final

from atoll.bots import Bot, bot, derive_seed
from atoll.engine import AtollError, Game, SeatView


class PlanError(AtollError, ValueError):
    """A simulation is impossible as requested; the message names the valid values."""


TIMES: Final = "*"
"""Separates the name of a bot from the factor of its thinking, as in `search*2`."""


def split_factor(name: str) -> tuple[str, int]:
    """Return the name of a bot without a factor, and the factor of its thinking: 2 for `search*2`.

    Args:
        name: The name.

    Raises:
        PlanError: If the factor isn't a whole number from 1 to 99.
    """
    base, times, factor = name.partition(TIMES)
    if not times:
        return name, 1
    if not re.fullmatch("[1-9][0-9]?", factor):
        raise PlanError(f"bot {name[:40]!r}: factor {factor[:20]!r}; allowed: a whole number from 1 to 99")
    return base, int(factor)


@dataclass(frozen=True, slots=True)
class _PatientBot:
    """A bot that gets a multiple of the time.

    Attributes:
        bot: The bot.
        factor: The multiple.
    """

    bot: Bot
    factor: int

    def choose(self, view: SeatView, seconds: float, seed: int) -> list[int]:
        """Return the choices of the bot with the multiple of the time.

        Args:
            view: The view of the bot's seat.
            seconds: Time limit of a bot without a factor, in seconds.
            seed: Seed of the bot.
        """
        return self.bot.choose(view, seconds * self.factor, seed)


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """A series of games.

    If the bots are limited by `iterations`, game number n of the same plan always goes the same
    way.

    Attributes:
        game: The game.
        seats: Number of seats.
        options: Resolved options of the game.
        bots: Names of the bots. Bot (i + n) modulo their number plays seat i of game n. A factor
            such as `*2` after a name multiplies iterations and seconds of this bot.
        seed: Seed of the series.
        seconds: Time limit of a bot per decision, in seconds of processor time.
        iterations: Iterations per decision of a searching bot, which makes it independent of the
            machine; None for a time limit.
        rotate: Whether the bots change seats. If not, bot i modulo their number plays seat i.
        used: Whether to count the elements that were offered and chosen.
        decisions: Whether to write a row per decision.
        records: Whether to store the record of each game.
        labels: Values that identify this plan in an experiment.
    """

    game: Game
    seats: int
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    seed: int = 1
    seconds: float = 1.0
    iterations: int | None = None
    rotate: bool = True
    used: bool = False
    decisions: bool = False
    records: bool = False
    labels: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def make(
        cls, game: Game, seats: int | None, options: Mapping[str, Any], bots: tuple[str, ...], **more: Any
    ) -> SimulationPlan:
        """Return a plan whose parts are all checked.

        Args:
            game: The game.
            seats: Number of seats; None for the game's `min_multiplayer_seats`.
            options: Options that differ from their defaults.
            bots: Names of the bots, at most one per seat.
            **more: Other attributes of the plan.

        Raises:
            PlanError: If `bots` is empty or has more bots than seats.
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            UnknownBot: If no bot has one of these names.
        """
        first = game.new(game.min_multiplayer_seats if seats is None else seats, options)
        if not bots:
            raise PlanError("no bots; name at least one")
        if len(bots) > first.seats:
            raise PlanError(f"{len(bots)} bots for {first.seats} seats; allowed: at most one per seat")
        for name in bots:
            bot(game, split_factor(name)[0])
        return cls(game, first.seats, dict(first.options), bots, **more)

    def seed_of(self, number: int) -> int:
        """Return the seed of the chance and the bots of one game."""
        return derive_seed(self.seed, number)

    def names(self, number: int) -> list[str]:
        """Return the name of the bot at each seat of one game."""
        shift = number if self.rotate else 0
        return [self.bots[(seat + shift) % len(self.bots)] for seat in range(self.seats)]

    def make_bots(self, number: int) -> list[Bot]:
        """Return the bot at each seat of one game."""
        made = {name: self._make_bot(name) for name in set(self.bots)}
        return [made[name] for name in self.names(number)]

    def _make_bot(self, name: str) -> Bot:
        """Return a bot by its name, with the factor of its thinking."""
        base, factor = split_factor(name)
        iterations = None if self.iterations is None else factor * self.iterations
        found = bot(self.game, base, iterations=iterations, clock=process_time)
        return found if factor == 1 else _PatientBot(found, factor)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as the first row of a results file."""
        return {
            "row": "plan",
            "format": 1,
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "box": self.game.components_hash,
            "seats": self.seats,
            "options": dict(self.options),
            "bots": list(self.bots),
            "rotate": self.rotate,
            "seed": self.seed,
            "seconds": self.seconds,
            "iterations": self.iterations,
            "used": self.used,
            "decisions": self.decisions,
            "records": self.records,
            "labels": dict(self.labels),
        }
