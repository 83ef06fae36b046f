"""Games in which a learner plays one seat and bots the others, or the learner plays all seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

import numpy as np

from atoll.bots import Bot, RandomBot, bot, derive_seed
from atoll.engine import Game, Position, SeatView, WrongSeat

Opponents = str | Bot | Sequence[str | Bot]
"""One bot for all other seats, by name or as an object; or one for each, in order to the left."""

Source = Random | np.random.Generator
"""A generator that determines all chance of successive games."""


def next_random(source: Source) -> Random:
    """Return the generator of a source's next game: a `Random` itself, or one with a drawn seed."""
    return source if isinstance(source, Random) else Random(int(source.integers(2**62)))


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """The setup of a game; the seed determines all its chance.

    Attributes:
        game: The game.
        seats: Number of seats.
        options: Options that differ from their defaults.
        seed: Seed of all chance.
        snapshots: Whether the position can be forked and saved.
    """

    game: Game
    seats: int
    options: Mapping[str, Any]
    seed: int
    snapshots: bool

    def position_after(self, answers: Sequence[tuple[int, int]] = ()) -> Position:
        """Return the position after the given answers.

        Args:
            answers: The answers as (choice, seat).

        Raises:
            AtollError: If an answer doesn't fit the rules.
        """
        position = self.game.new(self.seats, self.options, seed=self.seed, snapshots=self.snapshots)
        for choice, seat in answers:
            position.apply(choice, seat)
        return position


@dataclass(slots=True)
class LearnerGame:
    """One game of a learner.

    A copy and a pickle replay the answers, and reach the same position.

    Attributes:
        matches: The factory that created the game.
        begun: Setup of the game.
        position: The position.
        seat: Seat of the learner; None if it plays all.
    """

    matches: MatchFactory
    setup: MatchSetup
    position: Position
    seat: int | None
    _bot_decisions: int = 0
    _answers: list[tuple[int, int]] = field(default_factory=list)

    def __reduce__(self) -> tuple[Any, ...]:
        return _match, (self.matches, self.setup, self.seat, self._bot_decisions, self._answers)

    @property
    def seat_to_answer(self) -> int:
        """The seat for which the learner answers; at the end its own seat, or the first."""
        if self.seat is not None:
            return self.seat
        return self.position.to_move[0] if self.position.to_move else 0

    def apply(self, choice: int) -> None:
        """Apply the learner's answer, and let bots answer until the learner is asked again.

        Args:
            choice: The answer.

        Raises:
            IllegalChoice: If the choice isn't legal.
            AtollError: If the rules or a bot fail.
            ValueError: If a bot returns no choice.
        """
        self._apply(choice, self.seat_to_answer)
        self.play_bots()

    def _apply(self, choice: int, seat: int) -> None:
        """Apply an answer and record it."""
        self.position.apply(choice, seat)
        self._answers.append((choice, seat))

    def play_bots(self) -> None:
        """Let bots answer until the learner is asked or the game is over.

        Raises:
            AtollError: If the rules or a bot fail.
            ValueError: If a bot returns no choice.
        """
        position = self.position
        if self.seat is None:
            return
        while not position.over and self.seat not in position.to_move:
            other = position.to_move[0]
            player = self.matches.others[(other - self.seat - 1) % position.seats]
            self._bot_decisions += 1
            seed = derive_seed(self.setup.seed, self._bot_decisions)
            if isinstance(player, RandomBot):
                self._apply(player.pick(position.legal_choices(other), seed), other)
                continue
            choices = player.choose(SeatView(position, other), self.matches.seconds, seed)
            if not choices:
                raise ValueError(f"{player!r} returned no choice: {choices!r}; expected at least one")
            for choice in choices:
                self._apply(choice, other)


def _match(
    matches: MatchFactory, begun: MatchSetup, seat: int | None, asked_bots: int, answers: list[tuple[int, int]]
) -> LearnerGame:
    """Return a game from its pickled parts."""
    return LearnerGame(matches, begun, begun.position_after(answers), seat, asked_bots, answers)


class MatchFactory:
    """Creates games with one rule set, option set and number of seats.

    Attributes:
        game: The game.
        seats: Number of seats.
        options: Options that differ from their defaults.
        seat: Seat of the learner; None for a random one in each game.
        seconds: Time limit of a searching bot per decision, in seconds of processor time.
        iterations: Iterations per decision of a searching bot; None for the time limit.
        alone: Whether the learner plays all seats.
        others: Bots in the order of seats, from the seat to the left of the learner.
    """

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
        """Create a factory.

        Args:
            game: The game.
            seats: Number of seats.
            options: Options that differ from their defaults.
            opponents: The bots; None if the learner plays all seats.
            seat: Seat of the learner; None for a random one in each game.
            seconds: Time limit of a searching bot per decision, in seconds of processor time.
            iterations: Iterations per decision of a searching bot, for results that don't depend on
                the machine; None for the time limit.

        Raises:
            UnknownBot: If no bot has one of these names.
            WrongSeat: If `seat` doesn't exist.
            ValueError: If the opponents or a limit are invalid.
        """
        _check_times(seconds, iterations)
        self.game: Game = game
        self.seats: int = seats
        self.options: Mapping[str, Any] = options
        self.seat: int | None = seat
        self.seconds: float = seconds
        self.all_seats: bool = opponents is None
        self.iterations: int | None = iterations
        self._opponents: Opponents | None = opponents
        self.others: list[Bot] = [] if opponents is None else _others(game, seats, opponents, iterations)
        if seat is not None and seat not in range(seats):
            raise WrongSeat(f"invalid seat {seat!r}: expected 0 to {seats - 1}")
        self._needs_snapshots: bool = any(not isinstance(each, RandomBot) for each in self.others)

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.options, self._opponents, self.seat, self.seconds, self.iterations)
        return MatchFactory, (self.game, self.seats, *given)

    def new(self, random: Random, *, snapshots: bool = False, options: Mapping[str, Any] | None = None) -> LearnerGame:
        """Start a game, and let bots answer until the learner is asked.

        Args:
            random: Generator of everything random in the game.
            snapshots: Whether the position must be able to be forked and saved.
            options: Options of this game; None for those of the factory.

        Returns:
            The game.

        Raises:
            AtollError: If the rules or a bot fail.
        """
        seed = random.getrandbits(62)
        given = self.options if options is None else options
        begun = MatchSetup(self.game, self.seats, given, seed, snapshots or self._needs_snapshots)
        if self.all_seats:
            return LearnerGame(self, begun, begun.position_after(), None)
        seat = random.randrange(self.seats) if self.seat is None else self.seat
        match = LearnerGame(self, begun, begun.position_after(), seat)
        match.play_bots()
        return match


def _check_times(seconds: Any, iterations: Any) -> None:
    """Reject invalid limits of searching bots.

    Args:
        seconds: Time limit in seconds, or None.
        iterations: Number of search iterations; None for the time limit.

    Raises:
        ValueError: If a limit is invalid.
    """
    if not (isinstance(seconds, int | float) and seconds > 0):
        raise ValueError(f"invalid seconds {seconds!r}: expected more than 0")
    if iterations is not None and not (isinstance(iterations, int) and iterations > 0):
        raise ValueError(f"invalid iterations {iterations!r}: expected None or an integer of at least 1")


def _others(game: Game, seats: int, opponents: Opponents, iterations: int | None) -> list[Bot]:
    """Return the bots of the other seats.

    Args:
        game: The game.
        seats: Number of seats.
        opponents: The bots of the other seats; None if the learner plays all seats.
        iterations: Number of search iterations; None for the time limit.

    Raises:
        UnknownBot: If no bot has one of the names.
        ValueError: If the number or the type of the opponents is wrong.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        named = [opponents] * (seats - 1)
    else:
        named = list(opponents)
        if len(named) != seats - 1:
            raise ValueError(f"{len(named)} opponents: expected one name for all, or one for each of {seats - 1}")
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
            raise ValueError(f"invalid opponent {each!r}: expected a bot's name or an object with `choose`")
    return found
