"""Storage of tables, seats and users in SQLite or PostgreSQL, with one schema for both.

See `docs/develop/explanation-server.md`.
"""

from .address import StoreError
from .attempts import AttemptLimit
from .blocks import BlockedUsers
from .challenges import DEVICE_LINK
from .credentials import AccountName, LastCredential, Taken
from .moderation import FOREVER_MS, LASTING, ModerationWrites, network_hash, subject_hash
from .rows import (
    AnalysisRow,
    AuditRow,
    BlockRow,
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
    ReportRow,
    RoundRow,
    SanctionRow,
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
    "DEVICE_LINK",
    "FOREVER_MS",
    "LASTING",
    "LOGINS",
    "LOST_MS",
    "AccountName",
    "AnalysisRow",
    "AttemptLimit",
    "AuditRow",
    "BlockRow",
    "BlockedUsers",
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
    "ModerationWrites",
    "NoteRow",
    "NoticeRow",
    "ReportRow",
    "RoundRow",
    "SanctionRow",
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
    "network_hash",
    "stable_seat_values",
    "stable_table_values",
    "subject_hash",
]
