"""What a host can choose before a game starts: flags, lists of values and whole numbers, each with a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .errors import OptionError
from .integers import parse_int
from .json_types import JsonObject

OptionValue: TypeAlias = bool | int | str
"""A value of an option."""

Options: TypeAlias = Mapping[str, OptionValue]
"""The options of a game with their values."""


class Option:
    """One thing to choose. Its name and one-line explanation are words: `option.<id>`, `option.<id>.help`.

    first: the value that is recommended for a first game, None if that is the default.
    """

    def __init__(self, id: str, default: OptionValue, *, first_game_value: OptionValue | None = None) -> None:
        self.id: str = id
        self.default: OptionValue = default
        self.first_game_value: OptionValue | None = first_game_value

    def check(self, value: object) -> OptionValue:
        """The value, if it is allowed. Raises OptionError, saying what is."""
        raise NotImplementedError

    def check_seats(self, value: OptionValue, seats: int) -> None:
        """Raise OptionError if an allowed value has no meaning with this number of seats."""

    def read(self, text: str) -> OptionValue:
        """The value that a text from a form or command line stands for. Raises OptionError."""
        raise NotImplementedError

    def values(self) -> Sequence[OptionValue]:
        """The values to try in tests and to list in forms: all of them, or the ends of a range and the default."""
        raise NotImplementedError

    def describe(self) -> JsonObject:
        """The option as plain data: id, type, default and what is allowed."""
        raise NotImplementedError


class Flag(Option):
    """Yes or no."""

    def check(self, value: object) -> OptionValue:
        """See Option."""
        if not isinstance(value, bool):
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: true, false")
        return value

    def read(self, text: str) -> OptionValue:
        """See Option."""
        word = text.lower()
        if word not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            raise OptionError(f"option {self.id!r}: {text[:40]!r} isn't allowed; allowed: true, false")
        return word in ("true", "yes", "on", "1")

    def values(self) -> Sequence[OptionValue]:
        """See Option."""
        return (False, True)

    def describe(self) -> JsonObject:
        """See Option."""
        return {"id": self.id, "type": "flag", "default": self.default}


class Enum(Option):
    """One of a few named values."""

    def __init__(self, id: str, allowed: Sequence[str], default: str, *, first_game_value: str | None = None) -> None:
        super().__init__(id, default, first_game_value=first_game_value)
        self.allowed: tuple[str, ...] = tuple(allowed)
        self.check(default)
        if first_game_value is not None:
            self.check(first_game_value)

    def check(self, value: object) -> OptionValue:
        """See Option."""
        if not isinstance(value, str) or value not in self.allowed:
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: {', '.join(self.allowed)}")
        return value

    def read(self, text: str) -> OptionValue:
        """See Option."""
        return self.check(text)

    def values(self) -> Sequence[OptionValue]:
        """See Option."""
        return self.allowed

    def describe(self) -> JsonObject:
        """See Option."""
        return {"id": self.id, "type": "enum", "default": self.default, "allowed": list(self.allowed)}


class Int(Option):
    """A whole number from `lo` to `hi`, both included."""

    def __init__(self, id: str, default: int, *, lo: int, hi: int, first_game_value: int | None = None) -> None:
        super().__init__(id, default, first_game_value=first_game_value)
        self.lo: int = lo
        self.hi: int = hi
        self.check(default)
        if first_game_value is not None:
            self.check(first_game_value)

    def check(self, value: object) -> OptionValue:
        """See Option."""
        if type(value) is not int or not self.lo <= value <= self.hi:
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: {self.lo} to {self.hi}")
        return value

    def read(self, text: str) -> OptionValue:
        """See Option."""
        value = parse_int(text.strip())
        if value is None:
            raise OptionError(f"option {self.id!r}: {text[:40]!r} is no number; allowed: {self.lo} to {self.hi}")
        return self.check(value)

    def values(self) -> Sequence[OptionValue]:
        """See Option."""
        return tuple(sorted({self.lo, self.default, self.hi}))

    def describe(self) -> JsonObject:
        """See Option."""
        return {"id": self.id, "type": "int", "default": self.default, "lo": self.lo, "hi": self.hi}


def resolve(options: Sequence[Option], chosen: Options) -> dict[str, OptionValue]:
    """All options with their values: the chosen ones checked, the defaults for the rest. Raises OptionError."""
    if not isinstance(chosen, Mapping):
        raise OptionError(f"options must be a mapping of names to values, not {type(chosen).__name__}")
    known = {option.id: option for option in options}
    for name in chosen:
        if name not in known:
            raise OptionError(f"unknown option {name!r}; known: {', '.join(known) or 'none'}")
    return {id: option.check(chosen[id]) if id in chosen else option.default for id, option in known.items()}
