"""Games played by lines of text: what rule tests are written in."""

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
    """Play one line: `p<seat> <choice>`, or an outcome of chance. Raises what `Position.apply` and `Game.parse` do."""
    word, _, rest = line.partition(" ")
    if word[:1] == "p" and word[1:].isdecimal():
        position.apply(position.parse(rest), int(word[1:]))
    elif word[:1] == "p" and word[1:2].isdecimal():
        raise MalformedChoice(f"{line!r}: a seat's line looks like 'p0 choice'")
    else:
        position.apply(position.parse(line))


class ScriptedGame:
    """A game whose every choice and chance outcome is given as text.

    `p<seat> <choice>` is a seat's choice, a text without seat an outcome of chance:
    `Table("atlandice", seats=3).play("start 0", "die 1", ..., "p0 search library")`.
    """

    def __init__(self, game: str | Game, seats: int | None = None, options: Options | None = None) -> None:
        self.game: Game = games[game] if isinstance(game, str) else game
        self.position: Position = self.game.new(seats, options)

    @classmethod
    def of(cls, game: Game, position: Position) -> ScriptedGame:
        """A table that goes on from a position."""
        table = cls.__new__(cls)
        table.game = game
        table.position = position
        return table

    @classmethod
    def at(cls, game: str | Game, state: State, options: Options | None = None) -> ScriptedGame:
        """A table that stands at a checkpoint built by hand; the state isn't copied."""
        rules = games[game] if isinstance(game, str) else game
        return cls.of(rules, Position(rules, state, rules.resolve_options(options or {}, cast(Any, state).seats), None))

    @property
    def state(self) -> Any:
        """The live state; reading it is fine, changing it isn't."""
        return self.position.state

    def play(self, *lines: str) -> ScriptedGame:
        """Play lines of text, one after the other; several may stand in one text, separated by line breaks."""
        for text in lines:
            for line in text.strip().splitlines():
                play_line(self.position, line.strip())
        return self

    def options(self, seat: int) -> list[str]:
        """What a seat can choose now, as texts."""
        return [self.game.text(choice) for choice in self.position.legal_choices(seat)]

    def events(self, key: str) -> list[JsonObject]:
        """The fields of all events of one key so far."""
        return [dict(event.fields) for event in self.position.events if event.key == key]
