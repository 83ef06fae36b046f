"""The terms of `atoll doctor`: the subject of a check, and its result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from atoll.store import Store, StoreError

from ..domain.settings import ServerSettings

Level = Literal["ok", "warning", "error"]
LEVELS: Final[tuple[Level, ...]] = ("ok", "warning", "error")
CHECK_S: Final = 5.0
"""Default time limit of a check in seconds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check.

    Attributes:
        level: "ok", "warning" or "error".
        text: The facts and, unless all is well, an advice.
    """

    level: Level
    text: str


def ok(text: str) -> Finding:
    """Return the finding that all is well."""
    return Finding("ok", text)


def warning(text: str) -> Finding:
    """Return the finding of something that should be changed."""
    return Finding("warning", text)


def error(text: str) -> Finding:
    """Return the finding of something that doesn't work."""
    return Finding("error", text)


def worst(findings: Sequence[Finding], otherwise: str) -> Finding:
    """Return several findings as one, with the worst level.

    Args:
        findings: The findings that aren't "ok".
        otherwise: Text of the finding if there are none.
    """
    if not findings:
        return ok(otherwise)
    level = max((each.level for each in findings), key=LEVELS.index)
    return Finding(level, "; ".join(each.text for each in findings))


class NoDatabase(Exception):
    """The check needs the database, which can't be opened."""


@dataclass(slots=True)
class Patient:
    """A server's settings, environment and database, to be examined.

    Attributes:
        settings: The settings.
        sources: Where the value of each setting comes from, by field.
        unknown: Environment variables that nothing reads.
        mail: Address that gets a test mail, or "".
        database: The database, or None if it can't be opened.
        fault: The reason why it can't be opened.
    """

    settings: ServerSettings
    sources: Mapping[str, str] = field(default_factory=dict)
    unknown: Sequence[str] = ()
    mail: str = ""
    database: Store | None = None
    fault: StoreError | None = None

    @property
    def store(self) -> Store:
        """The database.

        Raises:
            NoDatabase: If it can't be opened.
        """
        if self.database is None:
            raise NoDatabase
        return self.database


@dataclass(frozen=True, slots=True)
class Check:
    """A check of `atoll doctor`, which changes nothing.

    Attributes:
        name: Name of the check.
        run: Examines a patient.
        limit_s: Time limit in seconds.
    """

    name: str
    run: Callable[[Patient], Awaitable[Finding]]
    limit_s: float = CHECK_S


@dataclass(frozen=True, slots=True)
class Result:
    """A check with its finding.

    Attributes:
        name: Name of the check.
        finding: The finding.
    """

    name: str
    finding: Finding

    def data(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {"check": self.name, "level": self.finding.level, "text": self.finding.text}
