"""Storage of tables, seats and users in SQLite or PostgreSQL, with one schema for both.

See `docs/saving.md`.
"""

from .address import StoreError
from .changes import Change, Conflict
from .rows import (
    AnalysisRow,
    ChannelRow,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    EventRow,
    GameRow,
    InviteRow,
    JobRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    SeatRow,
    ServerRow,
    TokenRow,
    UndoneRow,
    UserRow,
    seldom_of_game,
    seldom_of_seat,
)
from .servers import LOST_MS, Sign
from .store import Store

__all__ = [
    "LOST_MS",
    "AnalysisRow",
    "Change",
    "ChannelRow",
    "CheckpointRow",
    "ChoiceRow",
    "CommandRow",
    "Conflict",
    "EventRow",
    "GameRow",
    "InviteRow",
    "JobRow",
    "MessageRow",
    "NoteRow",
    "NoticeRow",
    "SeatRow",
    "ServerRow",
    "Sign",
    "Store",
    "StoreError",
    "TokenRow",
    "UndoneRow",
    "UserRow",
    "seldom_of_game",
    "seldom_of_seat",
]
