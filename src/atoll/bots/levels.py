"""Bots by name: levels for people who play, plain names for those who study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from time import perf_counter
from typing import Final

from atoll.engine import AtollError, Rules, SeatView
from atoll.engine.registry import entry_points, leave_out, package_of, plugins

from .bot import Bot, RandomBot
from .greedy import GreedyBot
from .search import PLAIN, Tuning, game_tuning
from .search_bot import SearchBot
from .seeds import mix
from .shelf import has_net


class UnknownBot(AtollError, LookupError):
    """No bot has this name."""


class CarelessBot:
    """A bot that takes a random choice now and then, as beginners do. slips: how often, from 0 to 1."""

    def __init__(self, bot: Bot, slips: float) -> None:
        self.bot: Bot = bot
        self.slips: float = slips

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """See Bot."""
        if self.slips_at(seed):
            return RandomBot().choose(seat_view, budget, mix(seed, 2))
        return self.bot.choose(seat_view, budget, seed)

    def slips_at(self, seed: int) -> bool:
        """Whether it takes a random choice with this seed."""
        return mix(seed, 1) < self.slips * 2**64


@dataclass(frozen=True, slots=True)
class Thinking:
    """How searching bots may think; the same for all of them. See SearchBot."""

    iterations: int | None = None
    processes: int = 1
    clock: Callable[[], float] = perf_counter

    def master(self) -> Bot:
        """A searching bot that thinks like this and has learnt."""
        from .master import MasterBot  # noqa: PLC0415 - brings NumPy, which takes a moment

        return MasterBot(iterations=self.iterations, processes=self.processes, clock=self.clock)

    def search(self, tuning: Tuning | None = None, share: float = 1.0) -> SearchBot:
        """A searching bot that thinks like this."""
        return SearchBot(tuning, iterations=self.iterations, processes=self.processes, clock=self.clock, share=share)


@dataclass(frozen=True, slots=True)
class Level:
    """A way to play that people choose.

    Attributes:
        name: Identifier that players understand, for the site's text `level.NAME`.
        seconds: Longest time it thinks about a decision.
        make: Function that gives the bot.
        first: Whether it is for somebody who has never played the game.
        usual: Whether it is for somebody who hasn't chosen a level.
        trained: Whether it differs from the level before it only where the game brings a net.
    """

    name: str
    seconds: float
    make: Callable[[Thinking], Bot]
    first: bool = False
    usual: bool = False
    trained: bool = False


class LevelBot:
    """A bot that never thinks longer than its level does."""

    def __init__(self, level: Level, thinking: Thinking) -> None:
        self.level: Level = level
        self.bot: Bot = level.make(thinking)

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """See Bot."""
        return self.bot.choose(seat_view, min(budget, self.level.seconds), seed)


_LEVELS: Final = (
    Level("beginner", 0.1, lambda _: CarelessBot(GreedyBot(), 0.7), first=True),
    Level("casual", 0.2, lambda _: CarelessBot(GreedyBot(), 0.35), usual=True),
    Level("strong", 1.0, lambda thinking: CarelessBot(thinking.search(share=0.1), 0.12)),
    Level("expert", 4.0, lambda thinking: thinking.search()),
    Level("master", 4.0, lambda thinking: thinking.master(), trained=True),
)
USUAL: Final = next(level.name for level in _LEVELS if level.usual)
"""Name of the level for somebody who hasn't chosen one."""

_ADDED: Final[dict[str, dict[str, Level]]] = {}
_GROUP: Final = "atoll.bots"
_PLAIN: Final[dict[str, Callable[[Thinking], Bot]]] = {
    "random": lambda _: RandomBot(),
    "greedy": lambda _: GreedyBot(),
    "ismcts": lambda thinking: thinking.search(PLAIN),
}
_SEARCH: Final = "search"


def add_level(game: str, level: Level) -> None:
    """Offer a bot of one's own wherever the levels of a game are offered. Raises ValueError for a name that is taken.

    The module that calls this is named by an entry point of the group `atoll.bots` of an installed package, or is a
    plugin (`atoll --plugin module`); wherever levels are asked for, it is imported first.
    """
    taken = {*_PLAIN, _SEARCH, *(each.name for each in _LEVELS)}
    if not level.name.isidentifier() or level.name in taken:
        raise ValueError(f"no name for a bot: {level.name!r}; allowed: an identifier, not {', '.join(sorted(taken))}")
    _ADDED.setdefault(game, {})[level.name] = level


@cache
def _installed() -> None:
    """Import the modules with bots that installed packages bring. One that breaks is left out."""
    for entry in entry_points(_GROUP):
        try:
            entry.load()
        except (Exception, SystemExit) as error:
            leave_out(f"bots {entry.name} of {package_of(entry)}", error)


def levels(game: Rules) -> tuple[Level, ...]:
    """The levels of a game, the weakest first; before them those that were added.

    Trained ones are there only where the game brings a net for its components.
    """
    has_a_net = has_net(game)
    return tuple(level for level in _all_levels(game) if has_a_net or not level.trained)


def _all_levels(game: Rules) -> tuple[Level, ...]:
    _installed()
    plugins()
    return (*_ADDED.get(game.id, {}).values(), *_LEVELS)


def level_names(game: Rules) -> tuple[str, ...]:
    """The names of the levels of a game, in the same order."""
    return tuple(level.name for level in levels(game))


def bot_names(game: Rules) -> tuple[str, ...]:
    """All names that `bot` knows."""
    return (*_PLAIN, _SEARCH, *level_names(game))


def bot(
    game: Rules,
    name: str,
    *,
    iterations: int | None = None,
    processes: int = 1,
    clock: Callable[[], float] = perf_counter,
) -> Bot:
    """The bot of this name: a level, or a plain one. Raises UnknownBot.

    `search` may be followed by settings for experiments, such as `search:cut=4:exploration=0.8` (fields of Tuning).
    iterations: a searching bot stops after so many, however long they take; then it plays the same on every machine.
    processes: how many of them search at once. clock: what its time is measured with; simulations take that of the
    processor, which other work on the machine doesn't disturb.
    """
    thinking = Thinking(iterations, processes, clock)
    if name in _PLAIN:
        return _PLAIN[name](thinking)
    first, *settings = name.split(":")
    if first == _SEARCH:
        return thinking.search(_tuning(game, name, settings))
    for level in _all_levels(game):  # a table with a master goes on when the net is there no more
        if level.name == name:
            return LevelBot(level, thinking)
    raise UnknownBot(f"unknown bot {name[:40]!r} for {game.id}; known: {', '.join(bot_names(game))}")


def _tuning(game: Rules, name: str, settings: Sequence[str]) -> Tuning:
    """The game's tuning with these changes. Raises UnknownBot."""
    tuning = game_tuning(game)
    for text in settings:
        key, _, value = text.partition("=")
        known = {each.name: type(getattr(tuning, each.name)) for each in fields(tuning)}
        try:
            tuning = replace(tuning, **{key: known[key](float(value))})
        except (KeyError, ValueError):
            raise UnknownBot(f"bot {name[:80]!r}: {text!r} is no setting; known: {', '.join(known)}") from None
    return tuning
