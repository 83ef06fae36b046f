"""Everything that can be wrong with a call, each with its own class, so that a caller can tell them apart.

A message names what was wrong and what is allowed. Whoever catches one may be sure that nothing has changed.
"""


class AtollError(Exception):
    """The base of all errors that a caller of Atoll can cause or meet."""


class UnknownGame(AtollError, LookupError):
    """No game has this id."""


class BrokenGame(AtollError):
    """A game that is installed can't be loaded."""


class SeatCountError(AtollError, ValueError):
    """The game can't be played with this number of seats."""


class OptionError(AtollError, ValueError):
    """An option is unknown, has a value that isn't allowed, or doesn't go with another one."""


class ComponentError(AtollError, ValueError):
    """The component data can't be used. It reads `file: [table] card: what is wrong; allowed: what is allowed`.

    file: where the data came from, if it is an owner's. table: "" if the whole file is meant. card: the id of the entry
    in a list of tables, or "number 3" where entries have no id.
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
    """The choice is no choice of this game: not an int of the vocabulary, or a text that doesn't parse."""


class IllegalChoice(AtollError, ValueError):
    """The choice exists but isn't offered now."""


class GameOver(AtollError):
    """The game has ended; nobody is asked any more."""


class NothingToUndo(AtollError):
    """The seat's last choice can't be taken back: there's none, or something came after it."""


class ChanceError(AtollError, ValueError):
    """A chance outcome is missing, isn't asked for, or isn't among the possible ones."""


class SaveError(AtollError, ValueError):
    """A save or record can't be read: damaged, of another game, of other components, of an unknown version."""


class WordsError(AtollError, LookupError):
    """A text is missing in a catalogue."""


class RulesError(AtollError, RuntimeError):
    """The rules of a game raised an exception or broke the contract; the position is as it was before the call."""
