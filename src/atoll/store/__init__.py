"""Storage of tables, seats and users in SQLite or PostgreSQL, with one schema for both.

See `docs/develop/explanation-server.md`.
"""

from .address import StoreError
from .attempts import AttemptLimit
from .bus import Bus, payload_of
from .challenges import DEVICE_LINK
from .checkpoints import PACK_AFTER_MS
from .credentials import AccountName, LastCredential, Taken
from .jobs import BOT
from .rows import (
    AnalysisRow,
    ChallengeRow,
    ChannelRow,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    CredentialRow,
    EventRow,
    InviteRow,
    JobRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    RoundRow,
    SeatRow,
    ServerRow,
    TableRow,
    TakebackRow,
    TokenRow,
    UserRow,
    stable_seat_values,
    stable_table_values,
)
from .servers import LOST_MS, HeartbeatResult
from .store import Store
from .unit_of_work import UnitOfWork, WriteConflict
from .users import LOGINS

__all__ = [
    "BOT",
    "DEVICE_LINK",
    "LOGINS",
    "LOST_MS",
    "PACK_AFTER_MS",
    "AccountName",
    "AnalysisRow",
    "AttemptLimit",
    "Bus",
    "ChallengeRow",
    "ChannelRow",
    "CheckpointRow",
    "ChoiceRow",
    "CommandRow",
    "CredentialRow",
    "EventRow",
    "HeartbeatResult",
    "InviteRow",
    "JobRow",
    "LastCredential",
    "MessageRow",
    "NoteRow",
    "NoticeRow",
    "RoundRow",
    "SeatRow",
    "ServerRow",
    "Store",
    "StoreError",
    "TableRow",
    "TakebackRow",
    "Taken",
    "TokenRow",
    "UnitOfWork",
    "UserRow",
    "WriteConflict",
    "payload_of",
    "stable_seat_values",
    "stable_table_values",
]
