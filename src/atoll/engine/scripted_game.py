"""Games played from lines of text, for tests of rules."""

from __future__ import annotations

from typing import Any, cast

from .errors import MalformedChoice
from .game import Game
from .json_types import JsonObject
from .options import Options
from .position import Position
from .registry import games
from .state import State


def play_line(position: Position, line: str) -> None:
    """Play one line: `p<seat> <choice>`, or a chance outcome.

    Exceptions of `Position.apply` are passed on.

    Args:
        position: The position.
        line: The line.

    Raises:
        MalformedChoice: If the line isn't a choice of the game.
    """
    word, _, rest = line.partition(" ")
    if word[:1] == "p" and word[1:].isdecimal():
        position.apply(position.parse(rest), int(word[1:]))
    elif word[:1] == "p" and word[1:2].isdecimal():
        raise MalformedChoice(f"{line!r}: a seat's line looks like 'p0 choice'")
    else:
        position.apply(position.parse(line))


class ScriptedGame:
    """A game in which every choice and chance outcome is given as text.

    Args:
        game: The game, or its id.
        seats: Number of seats; None for the lowest supported number above 1.
        options: Values of options; defaults apply to the others.

    Attributes:
        game: The game.
        position: The current position.

    Example:
        table = ScriptedGame("atlandice", seats=3)
        table.play("start 0", "die 1", ..., "p0 search library")
    """

    def __init__(self, game: str | Game, seats: int | None = None, options: Options | None = None) -> None:
        self.game: Game = games[game] if isinstance(game, str) else game
        self.position: Position = self.game.new(seats, options)

    @classmethod
    def of(cls, game: Game, position: Position) -> ScriptedGame:
        """Return a scripted game that continues from a position."""
        table = cls.__new__(cls)
        table.game = game
        table.position = position
        return table

    @classmethod
    def at(cls, game: str | Game, state: State, options: Options | None = None) -> ScriptedGame:
        """Return a scripted game that starts from a state at a checkpoint, which isn't copied.

        Args:
            game: The game, or its id.
            state: The state.
            options: Values of options; defaults apply to the others.
        """
        rules = games[game] if isinstance(game, str) else game
        return cls.of(rules, Position(rules, state, rules.resolve_options(options or {}, cast(Any, state).seats), None))

    @property
    def state(self) -> Any:
        """The current state. Don't change it."""
        return self.position.state

    def play(self, *lines: str) -> ScriptedGame:
        """Play lines in order. A text may have several lines.

        Exceptions of `play_line` are passed on.

        Args:
            *lines: Lines of the form `p<seat> <choice>`, or chance outcomes.

        Returns:
            The game itself.
        """
        for text in lines:
            for line in text.strip().splitlines():
                play_line(self.position, line.strip())
        return self

    def options(self, seat: int) -> list[str]:
        """Return the legal choices of a seat as texts."""
        return [self.game.text(choice) for choice in self.position.legal_choices(seat)]

    def events(self, key: str) -> list[JsonObject]:
        """Return the fields of all events with a key so far."""
        return [dict(event.fields) for event in self.position.events if event.key == key]
