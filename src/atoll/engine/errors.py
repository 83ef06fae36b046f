"""Errors of the engine: one class per category.

A message names the fault and the expected values. If a call raises one of these errors, it has
changed nothing.
"""


class AtollError(Exception):
    """Base of all errors that callers of Atoll can cause or meet."""


class UnknownGame(AtollError, LookupError):
    """No game has this id."""


class BrokenGame(AtollError):
    """An installed game can't be loaded."""


class SeatCountError(AtollError, ValueError):
    """The game doesn't support this number of seats."""


class OptionError(AtollError, ValueError):
    """An option is unknown, not allowed, or can't be combined with another option."""


class ComponentError(AtollError, ValueError):
    """The component data is invalid.

    The text has the form `file: [table] card: fault; allowed: allowed values`.

    Args:
        wrong: Description of the fault.
        allowed: Description of the allowed values.
        table: Name of the table; "" for the whole file.
        card: Id of the entry in a list of tables, or `number 3` if entries have no id; ""
            otherwise.
        file: Path of the file; "" for the game's own components.

    Attributes:
        wrong: Description of the fault.
        allowed: Description of the allowed values.
        table: Name of the table; "" for the whole file.
        card: Id of the entry in a list of tables, or `number 3` if entries have no id; ""
            otherwise.
        file: Path of the file; "" for the game's own components.
    """

    def __init__(self, wrong: str, allowed: str, *, table: str = "", card: str = "", file: str = "") -> None:
        super().__init__(wrong, allowed)
        self.wrong: str = wrong
        self.allowed: str = allowed
        self.table: str = table
        self.card: str = card
        self.file: str = file

    def __str__(self) -> str:
        where = f"[{self.table}] {self.card}".rstrip() if self.table else ""
        return ": ".join(part for part in (self.file, where, self.wrong) if part) + f"; allowed: {self.allowed}"


class WrongSeat(AtollError, ValueError):
    """The seat doesn't exist or isn't asked now."""


class MalformedChoice(AtollError, ValueError):
    """The value isn't a choice of this game: an int of its vocabulary, or its text form."""


class IllegalChoice(AtollError, ValueError):
    """The choice exists but isn't legal now."""


class GameOver(AtollError):
    """The game has ended."""


class NothingToUndo(AtollError):
    """The seat has no choice that can be undone."""


class ChanceError(AtollError, ValueError):
    """A chance outcome is missing, isn't expected now, or isn't possible."""


class SaveError(AtollError, ValueError):
    """A save or record is damaged, or of another game, other components or a newer version."""


class WordsError(AtollError, LookupError):
    """A message is missing in a catalog."""


class RulesError(AtollError, RuntimeError):
    """The rules raised an exception or broke the contract of the engine.

    The position is unchanged, unless it is a rollout.
    """
