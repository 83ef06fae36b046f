"""Bots by name: levels for people who play, plain names for studies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from time import perf_counter
from typing import Final

from atoll.engine import AtollError, Rules, SeatView
from atoll.engine.registry import distribution_of, entry_points, exclude, plugins

from .bot import Bot, RandomBot
from .bundled_nets import has_net
from .gates import Gates, find_gates
from .greedy import GreedyBot
from .overlooking import OverlookingBot
from .search import PLAIN, SearchParameters, game_tuning
from .search_bot import SearchBot
from .second_look import SecondLookBot
from .seeds import derive_seed


class UnknownBot(AtollError, LookupError):
    """No bot has this name."""


class EpsilonRandomBot:
    """A bot that sometimes takes a random choice; for studies that need bots of every strength.

    Attributes:
        bot: The bot that decides otherwise.
        slips: Probability of a random choice, 0 to 1.
    """

    def __init__(self, bot: Bot, slips: float) -> None:
        self.bot: Bot = bot
        self.slips: float = slips

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the choices of the bot, or a random choice.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds.
            seed: Seed of the bot.
        """
        if self.slips_at(seed):
            return RandomBot().choose(seat_view, budget, derive_seed(seed, 2))
        return self.bot.choose(seat_view, budget, seed)

    def slips_at(self, seed: int) -> bool:
        """Return whether it takes a random choice with this seed."""
        return derive_seed(seed, 1) < self.slips * 2**64


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Settings of searching bots, see `SearchBot`.

    Attributes:
        iterations: Number of iterations per decision; None for the time limit.
        processes: Number of processes that search at once.
        clock: Function that returns the time in seconds.
    """

    iterations: int | None = None
    processes: int = 1
    clock: Callable[[], float] = perf_counter

    def master(self) -> Bot:
        """Return a searching bot with the game's value net."""
        from .master import MasterBot  # noqa: PLC0415 - NumPy is slow to import

        return MasterBot(iterations=self.iterations, processes=self.processes, clock=self.clock)

    def second_look(self, share: float) -> SecondLookBot:
        """Return a greedy bot that a short search may correct.

        Args:
            share: Part of the time that it uses, 0 to 1.
        """
        return SecondLookBot(iterations=self.iterations, processes=self.processes, clock=self.clock, share=share)

    def search(self, tuning: SearchParameters | None = None, share: float = 1.0) -> SearchBot:
        """Return a searching bot.

        Args:
            tuning: Parameters of the search; None for the game's.
            share: Part of the time that it uses, 0 to 1.
        """
        return SearchBot(tuning, iterations=self.iterations, processes=self.processes, clock=self.clock, share=share)


@dataclass(frozen=True, slots=True)
class Level:
    """A playing strength that people choose.

    Attributes:
        name: Identifier that players understand; the site's text is `level.NAME`.
        seconds: Longest time per decision in seconds.
        make: Function that returns the bot.
        first: Whether it is for people who have never played the game.
        usual: Whether it is the default.
        trained: Whether it differs from the level before it only if the game has a net.
    """

    name: str
    seconds: float
    make: Callable[[SearchSettings], Bot]
    first: bool = False
    usual: bool = False
    trained: bool = False


class LevelBot:
    """The bot of a level, which never thinks longer than the level allows.

    Attributes:
        level: The level.
        bot: The bot that decides.
    """

    def __init__(self, level: Level, thinking: SearchSettings) -> None:
        self.level: Level = level
        self.bot: Bot = level.make(thinking)

    def choose(self, seat_view: SeatView, budget: float, seed: int) -> list[int]:
        """Return the choices of the bot.

        Args:
            seat_view: View of the seat.
            budget: Time limit in seconds; the level's limit applies too.
            seed: Seed of the bot.
        """
        return self.bot.choose(seat_view, min(budget, self.level.seconds), seed)


LEVELS: Final = (
    Level("beginner", 0.1, lambda _: OverlookingBot(sees=0.03, blur=0.14), first=True),
    Level("casual", 0.2, lambda _: OverlookingBot(sees=0.5, blur=0.04, fewest=3), usual=True),
    Level("strong", 1.0, lambda thinking: thinking.second_look(share=0.1)),
    Level("expert", 4.0, lambda thinking: thinking.search()),
    Level("master", 4.0, lambda thinking: thinking.master(), trained=True),
)
"""The built-in levels, the weakest first."""
USUAL: Final = next(level.name for level in LEVELS if level.usual)
"""Name of the default level."""

_ADDED: Final[dict[str, dict[str, Level]]] = {}
_GROUP: Final = "atoll.bots"
_PLAIN: Final[dict[str, Callable[[SearchSettings], Bot]]] = {
    "random": lambda _: RandomBot(),
    "greedy": lambda _: GreedyBot(),
    "ismcts": lambda thinking: thinking.search(PLAIN),
}
_SEARCH: Final = "search"


def add_level(game: str, level: Level) -> None:
    """Offer a custom bot wherever the levels of a game are offered.

    The calling module must be named by an entry point of the group `atoll.bots`, or be a plugin
    (`atoll --plugin module`). It is imported before levels are listed.

    Args:
        game: Id of the game.
        level: The level; it replaces an added one of the same name.

    Raises:
        ValueError: If the name isn't an identifier or belongs to a built-in bot.
    """
    taken = {*_PLAIN, _SEARCH, *(each.name for each in LEVELS)}
    if not level.name.isidentifier() or level.name in taken:
        raise ValueError(
            f"invalid bot name {level.name!r}: expected an identifier other than {', '.join(sorted(taken))}"
        )
    _ADDED.setdefault(game, {})[level.name] = level


@cache
def _import_installed_bots() -> None:
    """Import the modules with bots of installed packages; a module that fails is excluded."""
    for entry in entry_points(_GROUP):
        try:
            entry.load()
        except (Exception, SystemExit) as error:
            exclude(f"bots {entry.name} of {distribution_of(entry)}", error)


def levels(game: Rules, seats: int | None = None) -> tuple[Level, ...]:
    """Return the levels that are offered: added ones first, then the others, the weakest first.

    A level is offered if it beat the one below on fresh seeds, see `atoll gate`. While that isn't
    measured, it is offered too, but a trained level only if the game has a net for its components.

    Args:
        game: The game.
        seats: Number of seats; None for the levels that are offered for any number.
    """
    if seats is not None:
        return (*_added(game), *_gated(game, seats))
    offered = {level for count in game.seat_counts for level in _gated(game, count)}
    return (*_added(game), *(level for level in LEVELS if level in offered))


def _gated(game: Rules, seats: int) -> list[Level]:
    """Return the built-in levels that are offered for a number of seats."""
    return offered_levels(find_gates(game), seats, trained=has_net(game, seats))


def offered_levels(gates: Gates, seats: int, *, trained: bool) -> list[Level]:
    """Return the built-in levels that are offered by the results of their matches.

    Args:
        gates: The results.
        seats: Number of seats.
        trained: Whether the game has a net for this number of seats.
    """
    found: list[Level] = []
    for level in LEVELS:
        if level.trained and not trained:
            continue
        match = gates.match(found[-1].name, level.name, seats) if found else None
        if match is None or match.verdict == "above":
            found.append(level)
    return found


def _added(game: Rules) -> tuple[Level, ...]:
    """Return the levels that plugins and installed packages add."""
    _import_installed_bots()
    plugins()
    return tuple(_ADDED.get(game.id, {}).values())


def _all_levels(game: Rules) -> tuple[Level, ...]:
    """Return the levels of a game, with those that aren't offered."""
    return (*_added(game), *LEVELS)


def level_names(game: Rules, seats: int | None = None) -> tuple[str, ...]:
    """Return the names of the levels that are offered, in their order.

    Args:
        game: The game.
        seats: Number of seats; None for the levels that are offered for any number.
    """
    return tuple(level.name for level in levels(game, seats))


def bot_names(game: Rules, seats: int | None = None) -> tuple[str, ...]:
    """Return the plain names and those of the levels that are offered.

    Args:
        game: The game.
        seats: Number of seats; None for the levels that are offered for any number.
    """
    return (*_PLAIN, _SEARCH, *level_names(game, seats))


def bot(
    game: Rules,
    name: str,
    *,
    iterations: int | None = None,
    processes: int = 1,
    clock: Callable[[], float] = perf_counter,
) -> Bot:
    """Return the bot with this name: a level, or a plain one.

    `search` may be followed by parameters for experiments, such as `search:cut=4:exploration=0.8`
    (attributes of `SearchParameters`). A level may be followed by its own number of iterations:
    `expert:iterations=200`.

    Args:
        game: The game.
        name: Name of the bot.
        iterations: Iterations per decision of a searching bot, which then plays the same on every
            machine; None for the time limit.
        processes: Number of processes that search at once.
        clock: Function that returns the time in seconds. Simulations use processor time, which
            doesn't depend on other work of the machine.

    Raises:
        UnknownBot: If no bot has this name, or a parameter is invalid.
    """
    thinking = SearchSettings(iterations, processes, clock)
    if name in _PLAIN:
        return _PLAIN[name](thinking)
    first, *settings = name.split(":")
    if first == _SEARCH:
        return thinking.search(_tuning(game, name, settings))
    for level in _all_levels(game):  # a table continues with a level that isn't offered any more
        if level.name == first:
            return LevelBot(level, _with_iterations(name, thinking, settings))
    raise UnknownBot(f"unknown bot {name[:40]!r} for {game.id}; known: {', '.join(bot_names(game))}")


def _with_iterations(name: str, thinking: SearchSettings, settings: Sequence[str]) -> SearchSettings:
    """Return the settings with the iterations from the name of a level.

    Args:
        name: Name of the bot.
        thinking: The settings.
        settings: The changes, at most one: `iterations=NUMBER`.

    Raises:
        UnknownBot: If a change is invalid.
    """
    if not settings:
        return thinking
    key, _, value = ":".join(settings).partition("=")
    if key != "iterations" or not value.isdecimal() or int(value) < 1:
        raise UnknownBot(f"bot {name[:80]!r}: after a level only iterations=NUMBER is possible, 1 or more")
    return replace(thinking, iterations=int(value))


def _tuning(game: Rules, name: str, settings: Sequence[str]) -> SearchParameters:
    """Return the game's parameters with changes from a bot's name.

    Args:
        game: The game.
        name: Name of the bot.
        settings: The changes, each as `parameter=value`.

    Raises:
        UnknownBot: If a parameter is unknown or its value is invalid.
    """
    tuning = game_tuning(game)
    for text in settings:
        key, _, value = text.partition("=")
        known = {each.name: type(getattr(tuning, each.name)) for each in fields(tuning)}
        try:
            tuning = replace(tuning, **{key: known[key](float(value))})
        except (KeyError, ValueError):
            raise UnknownBot(f"bot {name[:80]!r}: invalid parameter {text!r}; known: {', '.join(known)}") from None
    return tuning
