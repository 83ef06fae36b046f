"""What is to be simulated: everything that decides how each game goes, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from atoll.bots import Bot, bot, mix
from atoll.engine import AtollError, Game


class PlanError(AtollError, ValueError):
    """A simulation can't be done as asked for; the message says why and what is allowed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A series of games. Game number n of the same plan always goes the same way, if the bots keep to `iterations`.

    bots: names; seat i of game n is played by bot (i + n) modulo their number, or i if they don't rotate.
    seed: of the whole series. seconds: the longest a bot may think about a decision, in time of the processor.
    iterations: if given, searching bots stop after so many instead, which makes them independent of the machine.
    used: whether to count what was offered and chosen. decisions: whether to keep a row per decision.
    records: whether to keep the whole record of each game. labels: what an experiment calls this plan.
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
    ) -> Plan:
        """A plan whose every part was checked. Raises PlanError, SeatCountError, OptionError, UnknownBot."""
        first = game.new(game.usual_seats if seats is None else seats, options)
        if not bots:
            raise PlanError("no bots; name at least one")
        if len(bots) > first.seats:
            raise PlanError(f"{len(bots)} bots for {first.seats} seats; allowed: at most one per seat")
        for name in bots:
            bot(game, name)
        return cls(game, first.seats, dict(first.options), bots, **more)

    def seed_of(self, number: int) -> int:
        """The seed of one game's chance and bots."""
        return mix(self.seed, number)

    def names(self, number: int) -> list[str]:
        """Who plays which seat in one game."""
        shift = number if self.rotate else 0
        return [self.bots[(seat + shift) % len(self.bots)] for seat in range(self.seats)]

    def make_bots(self, number: int) -> list[Bot]:
        """The bots of one game, per seat."""
        made = {name: bot(self.game, name, iterations=self.iterations, clock=process_time) for name in set(self.bots)}
        return [made[name] for name in self.names(number)]

    def to_json(self) -> dict[str, Any]:
        """The plan as the first row of a results file."""
        return {
            "row": "plan",
            "format": 1,
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "box": self.game.box_hash,
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
