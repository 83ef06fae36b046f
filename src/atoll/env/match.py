"""Games in which a learner answers for one seat and bots for the others, or for all seats itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

import numpy as np

from atoll.bots import Bot, RandomBot, bot, mix
from atoll.engine import Game, Position, SeatView, WrongSeat

Opponents = str | Bot | Sequence[str | Bot]
"""One bot for all other seats, by name or as an object; or one for each, from the learner's left neighbour on."""

Source = Random | np.random.Generator
"""What decides all chance of one game after another."""


def next_random(source: Source) -> Random:
    """What decides the next game of a source: it goes on itself, or draws a seed."""
    return source if isinstance(source, Random) else Random(int(source.integers(2**62)))


@dataclass(frozen=True, slots=True)
class Begun:
    """How a game began, whose seed decides all its chance."""

    game: Game
    seats: int
    options: Mapping[str, Any]
    seed: int
    snapshots: bool

    def after(self, answers: Sequence[tuple[int, int]] = ()) -> Position:
        """The moment after these (choice, seat)."""
        position = self.game.new(self.seats, self.options, seed=self.seed, snapshots=self.snapshots)
        for choice, seat in answers:
            position.apply(choice, seat)
        return position


@dataclass(slots=True)
class Match:
    """One game. seat: the learner's, None if it has all.

    A copy, and what is pickled, is the same moment of the same game, come to by the same answers.
    """

    matches: Matches
    begun: Begun
    position: Position
    seat: int | None
    _asked_bots: int = 0
    _answers: list[tuple[int, int]] = field(default_factory=list)

    def __reduce__(self) -> tuple[Any, ...]:
        return _match, (self.matches, self.begun, self.seat, self._asked_bots, self._answers)

    @property
    def asked(self) -> int:
        """For which seat the learner is to answer now; at the end, its own or the first."""
        if self.seat is not None:
            return self.seat
        return self.position.to_move[0] if self.position.to_move else 0

    def apply(self, choice: int) -> None:
        """The learner's answer, and those of the bots until it is asked again or the game is over."""
        self._apply(choice, self.asked)
        self.go_on()

    def _apply(self, choice: int, seat: int) -> None:
        self.position.apply(choice, seat)
        self._answers.append((choice, seat))

    def go_on(self) -> None:
        """Let bots answer until the learner is asked or the game is over."""
        position = self.position
        if self.seat is None:
            return
        while not position.over and self.seat not in position.to_move:
            other = position.to_move[0]
            player = self.matches.others[(other - self.seat - 1) % position.seats]
            self._asked_bots += 1
            seed = mix(self.begun.seed, self._asked_bots)
            if isinstance(player, RandomBot):
                self._apply(player.pick(position.legal(other), seed), other)
                continue
            choices = player.choose(SeatView(position, other), self.matches.seconds, seed)
            if not choices:
                raise ValueError(f"{player!r} has chosen nothing: {choices!r}; allowed are one choice or more")
            for choice in choices:
                self._apply(choice, other)


def _match(matches: Matches, begun: Begun, seat: int | None, asked_bots: int, answers: list[tuple[int, int]]) -> Match:
    return Match(matches, begun, begun.after(answers), seat, asked_bots, answers)


class Matches:
    """Makes matches of one game, option set and number of seats. others: bots, from the learner's left neighbour on."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, Any],
        opponents: Opponents | None = None,
        seat: int | None = None,
        seconds: float = 0.05,
        iterations: int | None = None,
    ) -> None:
        """opponents: None if the learner has all seats. seat: the learner's; None: another one for each game.

        seconds, iterations: how long bots that search think about a decision; with iterations they don't depend on the
        machine. Raises UnknownBot, WrongSeat, ValueError.
        """
        self.game: Game = game
        self.seats: int = seats
        self.options: Mapping[str, Any] = options
        self.seat: int | None = seat
        self.seconds: float = seconds
        self.alone: bool = opponents is None
        self.iterations: int | None = iterations
        self._opponents: Opponents | None = opponents
        self.others: list[Bot] = [] if opponents is None else _others(game, seats, opponents, iterations)
        if seat is not None and seat not in range(seats):
            raise WrongSeat(f"there is no seat {seat!r}; allowed: 0 to {seats - 1}")
        _check_times(seconds, iterations)
        self._looked_at: bool = any(not isinstance(each, RandomBot) for each in self.others)

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.options, self._opponents, self.seat, self.seconds, self.iterations)
        return Matches, (self.game, self.seats, *given)

    def new(self, random: Random, *, snapshots: bool = False) -> Match:
        """A match at the learner's first decision; the generator decides all that chance decides."""
        seed = random.getrandbits(62)
        begun = Begun(self.game, self.seats, self.options, seed, snapshots or self._looked_at)
        if self.alone:
            return Match(self, begun, begun.after(), None)
        seat = random.randrange(self.seats) if self.seat is None else self.seat
        match = Match(self, begun, begun.after(), seat)
        match.go_on()
        return match


def _check_times(seconds: Any, iterations: Any) -> None:
    if not (isinstance(seconds, int | float) and seconds > 0):
        raise ValueError(f"seconds {seconds!r}: allowed is more than 0")
    if iterations is not None and not (isinstance(iterations, int) and iterations > 0):
        raise ValueError(f"iterations {iterations!r}: allowed are None and whole numbers from 1")


def _others(game: Game, seats: int, opponents: Opponents, iterations: int | None) -> list[Bot]:
    """The bots of the other seats. Raises UnknownBot, ValueError."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        named = [opponents] * (seats - 1)
    else:
        named = list(opponents)
        if len(named) != seats - 1:
            raise ValueError(f"{len(named)} opponents: allowed are one name for all, or one for each of {seats - 1}")
    made: dict[str, Bot] = {}
    found: list[Bot] = []
    for each in named:
        if isinstance(each, str):
            if each not in made:
                made[each] = bot(game, each, iterations=iterations, clock=process_time)
            found.append(made[each])
        elif not isinstance(each, type) and callable(getattr(each, "choose", None)):
            found.append(each)
        else:
            raise ValueError(f"opponent {each!r}: allowed are a bot's name or an object with `choose`")
    return found
