"""Options of games: settings with defaults that the host fixes before the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from .errors import OptionError
from .integers import parse_int
from .json_types import JsonObject

OptionValue: TypeAlias = bool | int | str
"""Value of an option."""

Options: TypeAlias = Mapping[str, OptionValue]
"""Values of options by id."""


class Option:
    """A setting of a game.

    Catalogs have its name as `option.<id>` and its explanation as `option.<id>.help`.

    Args:
        id: Identifier, stored in saves and records.
        default: Default value.
        first_game_value: Recommended value for a first game; None if it is the default.

    Attributes:
        id: Identifier, stored in saves and records.
        default: Default value.
        first_game_value: Recommended value for a first game; None if it is the default.
    """

    def __init__(self, id: str, default: OptionValue, *, first_game_value: OptionValue | None = None) -> None:
        self.id: str = id
        self.default: OptionValue = default
        self.first_game_value: OptionValue | None = first_game_value

    def check(self, value: object) -> OptionValue:
        """Return the value if it is allowed.

        Args:
            value: The value to check.

        Raises:
            OptionError: If it isn't allowed.
        """
        raise NotImplementedError

    def check_seats(self, value: OptionValue, seats: int) -> None:
        """Check that an allowed value makes sense with this number of seats.

        Args:
            value: The value.
            seats: Number of seats.

        Raises:
            OptionError: If it doesn't.
        """

    def read(self, text: str) -> OptionValue:
        """Parse a value from a form or command line.

        Args:
            text: Text of the value.

        Raises:
            OptionError: If the text isn't an allowed value.
        """
        raise NotImplementedError

    def values(self) -> Sequence[OptionValue]:
        """Return the values that forms list: all, or the bounds of a range and the default."""
        raise NotImplementedError

    def describe(self) -> JsonObject:
        """Return the option as JSON-able data: id, type, default and allowed values."""
        raise NotImplementedError


class Flag(Option):
    """A boolean option."""

    def check(self, value: object) -> OptionValue:
        """Return the value if it is a bool, else raise OptionError."""
        if not isinstance(value, bool):
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: true, false")
        return value

    def read(self, text: str) -> OptionValue:
        """Parse true/false, yes/no, on/off or 1/0 in any case, else raise OptionError."""
        word = text.lower()
        if word not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            raise OptionError(f"option {self.id!r}: {text[:40]!r} isn't allowed; allowed: true, false")
        return word in ("true", "yes", "on", "1")

    def values(self) -> Sequence[OptionValue]:
        """Return False and True."""
        return (False, True)

    def describe(self) -> JsonObject:
        """Return the option as JSON-able data of type `flag`."""
        return {"id": self.id, "type": "flag", "default": self.default}


class Enum(Option):
    """An option with a few named values.

    Args:
        id: Identifier, stored in saves and records.
        allowed: Allowed values, in the order in which forms list them.
        default: Default value.
        first_game_value: Recommended value for a first game; None if it is the default.

    Attributes:
        allowed: Allowed values.
    """

    def __init__(self, id: str, allowed: Sequence[str], default: str, *, first_game_value: str | None = None) -> None:
        super().__init__(id, default, first_game_value=first_game_value)
        self.allowed: tuple[str, ...] = tuple(allowed)
        self.check(default)
        if first_game_value is not None:
            self.check(first_game_value)

    def check(self, value: object) -> OptionValue:
        """Return the value if it is one of the allowed ones, else raise OptionError."""
        if not isinstance(value, str) or value not in self.allowed:
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: {', '.join(self.allowed)}")
        return value

    def read(self, text: str) -> OptionValue:
        """Return the text if it is an allowed value, else raise OptionError."""
        return self.check(text)

    def values(self) -> Sequence[OptionValue]:
        """Return all allowed values."""
        return self.allowed

    def describe(self) -> JsonObject:
        """Return the option as JSON-able data of type `enum`."""
        return {"id": self.id, "type": "enum", "default": self.default, "allowed": list(self.allowed)}


class Int(Option):
    """An integer option.

    Args:
        id: Identifier, stored in saves and records.
        default: Default value.
        lo: Lowest allowed value.
        hi: Highest allowed value.
        first_game_value: Recommended value for a first game; None if it is the default.

    Attributes:
        lo: Lowest allowed value.
        hi: Highest allowed value.
    """

    def __init__(self, id: str, default: int, *, lo: int, hi: int, first_game_value: int | None = None) -> None:
        super().__init__(id, default, first_game_value=first_game_value)
        self.lo: int = lo
        self.hi: int = hi
        self.check(default)
        if first_game_value is not None:
            self.check(first_game_value)

    def check(self, value: object) -> OptionValue:
        """Return the value if it is an int from `lo` to `hi`, else raise OptionError."""
        if type(value) is not int or not self.lo <= value <= self.hi:
            raise OptionError(f"option {self.id!r}: {value!r} isn't allowed; allowed: {self.lo} to {self.hi}")
        return value

    def read(self, text: str) -> OptionValue:
        """Parse an int from `lo` to `hi`, else raise OptionError."""
        value = parse_int(text.strip())
        if value is None:
            raise OptionError(f"option {self.id!r}: {text[:40]!r} isn't a number; allowed: {self.lo} to {self.hi}")
        return self.check(value)

    def values(self) -> Sequence[OptionValue]:
        """Return both bounds and the default, ascending."""
        return tuple(sorted({self.lo, self.default, self.hi}))

    def describe(self) -> JsonObject:
        """Return the option as JSON-able data of type `int`."""
        return {"id": self.id, "type": "int", "default": self.default, "lo": self.lo, "hi": self.hi}


def resolve(options: Sequence[Option], chosen: Options) -> dict[str, OptionValue]:
    """Return the values of all options: checked values for those chosen, defaults for the others.

    Args:
        options: Options of the game.
        chosen: Chosen values by id.

    Raises:
        OptionError: If an option is unknown or its value isn't allowed.
    """
    if not isinstance(chosen, Mapping):
        raise OptionError(f"options must be a mapping of names to values, not {type(chosen).__name__}")
    known = {option.id: option for option in options}
    for name in chosen:
        if name not in known:
            raise OptionError(f"unknown option {name!r}; known: {', '.join(known) or 'none'}")
    return {id: option.check(chosen[id]) if id in chosen else option.default for id, option in known.items()}
