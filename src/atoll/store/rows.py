"""The rows of the store as values. Columns are explained in schema.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from .codec import reader


@dataclass(slots=True)
class UserRow:
    """A person, or a bot that plays through the API."""

    id: str
    name: str
    settings: dict[str, Any]
    created: int
    seen: int
    calendar: dict[str, Any] = field(default_factory=dict)
    learning: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class TokenRow:
    """A hashed secret of a user. kind: session, api, recovery."""

    hash: str
    user_id: str
    kind: str
    created: int
    expires: int


@dataclass(slots=True)
class GameRow:
    """A table; `position` is the row of truth of a running game."""

    id: str
    game: str
    rules_version: int
    box: str
    options: dict[str, Any]
    visibility: str
    status: str
    host: str
    clock: dict[str, Any] | None
    commitment: str
    seed: str
    created: int
    changed: int
    position: str | None = None
    sequence: int = 0
    number: int = 0
    told: int = 0
    said: int = 0
    version: int = 0
    revision: int = 0
    votes: dict[str, list[int]] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    rematch: str = ""
    origin: dict[str, Any] | None = None
    repair: str = ""
    advice: bool = False
    closed: int | None = None
    pause: list[int] | None = None
    fixed: int = 0
    stand_in: str = ""


@dataclass(slots=True)
class SeatRow:
    """A seat of a table."""

    game_id: str
    seat: int
    kind: str
    user_id: str | None = None
    name: str = ""
    bot: str = ""
    away: bool = False
    share: str | None = None
    draft: list[int] = field(default_factory=list)
    revision: int = 0
    bank_ms: int | None = None
    asked: int | None = None
    commitment: str | None = None
    due: int | None = None
    overdue: bool = False
    calendar: dict[str, Any] = field(default_factory=dict)
    nudged: int | None = None
    turn: tuple[int, int | None] | None = None
    plan: dict[str, Any] | None = None
    ended: int | None = None


@dataclass(slots=True)
class ChoiceRow:
    """One line of a record."""

    game_id: str
    number: int
    sequence: int
    seat: int
    choice: int
    audience: int
    auto: bool
    pool: list[int] | None
    at: int


@dataclass(slots=True)
class UndoneRow:
    """What was taken back by agreement."""

    game_id: str
    number: int
    length: int
    sequence: int
    taken: list[tuple[int, int, int, int]]
    at: int

    def choices(self) -> list[ChoiceRow]:
        """The answers as the record had them."""
        return [
            ChoiceRow(self.game_id, self.length + index, sequence, seat, choice, audience, False, None, self.at)
            for index, (sequence, seat, choice, audience) in enumerate(self.taken)
        ]


@dataclass(slots=True)
class CheckpointRow:
    """A quiet moment of a game, as a whole save."""

    game_id: str
    number: int
    sequence: int
    position: str


@dataclass(slots=True)
class EventRow:
    """Something that happened."""

    game_id: str
    number: int
    sequence: int
    origin: str
    data: dict[str, Any]
    at: int


@dataclass(slots=True)
class MessageRow:
    """A chat message. user_id: None once that account is deleted."""

    game_id: str
    number: int
    user_id: str | None
    seat: int | None
    name: str
    text: str
    at: int


@dataclass(slots=True)
class NoteRow:
    """What somebody has noted at a table, for itself alone; "" for nothing."""

    game_id: str
    user_id: str
    text: str
    at: int


@dataclass(slots=True)
class AnalysisRow:
    """What a strong bot says of a finished game."""

    game_id: str
    data: dict[str, Any]
    at: int


@dataclass(slots=True)
class InviteRow:
    """A one-time link to a seat."""

    hash: str
    game_id: str
    seat: int
    created: int
    used: int | None = None


@dataclass(slots=True)
class CommandRow:
    """A command that was carried out, under its idempotency key. request: a hash of what was asked."""

    user_id: str
    key: str
    request: str
    answer: Any
    at: int


@dataclass(slots=True)
class ServerRow:
    """A server on this database. place: its process, "" once it has ended. seen: its last sign of life."""

    id: str
    place: str
    seen: int


@dataclass(slots=True)
class JobRow:
    """Something that has to happen by itself."""

    id: str
    kind: str
    game_id: str | None
    due: int
    token: str
    lease: int = 0
    attempts: int = 0


@dataclass(slots=True)
class ChannelRow:
    """A way to reach a person."""

    id: str
    user_id: str
    kind: str
    address: dict[str, str]
    secret: str
    kinds: list[str]
    language: str
    created: int
    digest: bool = False
    confirmed: bool = True
    sent: int | None = None
    error: str = ""
    cause: str = ""


@dataclass(slots=True)
class NoticeRow:
    """What a person is to be told. channel_id: by which channel, "" until that is known."""

    id: str
    user_id: str
    kind: str
    game_id: str | None
    data: dict[str, Any]
    due: int
    at: int
    asked: int | None = None
    channel_id: str = ""
    lease: int = 0
    state: str = "waiting"
    begun: int = 0
    failed: int = 0


SELDOM_OF_GAME: Final = (
    *("rules_version", "box", "options", "visibility", "status", "host", "clock", "seed", "said", "result"),
    *("rematch", "origin", "repair", "closed", "pause", "stand_in"),
)
SELDOM_OF_SEAT: Final = (
    *("kind", "user_id", "name", "bot", "away", "share", "commitment", "bank_ms", "due", "overdue", "calendar"),
    *("nudged", "plan", "ended"),
)
"""Columns that an answer doesn't change, but where there are clocks, or the game ends. What is in them isn't changed in
place: a row gets another value."""

seldom_of_game: Final = reader(SELDOM_OF_GAME)
seldom_of_seat: Final = reader(SELDOM_OF_SEAT)
