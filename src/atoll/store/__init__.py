"""Storage of tables, seats and users in SQLite or PostgreSQL, with one schema for both.

See `docs/develop/explanation-server.md`.
"""

from .address import StoreError
from .attempts import AttemptLimit
from .challenges import DEVICE_LINK
from .credentials import AccountName, LastCredential, Taken
from .migrate import SchemaState
from .rows import (
    AnalysisRow,
    BackupRow,
    ChallengeRow,
    ChannelRow,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    CredentialRow,
    EventRow,
    InviteRow,
    JobRow,
    MaintenanceRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    RoundRow,
    SchemaInfoRow,
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
    "LOGINS",
    "LOST_MS",
    "AccountName",
    "AnalysisRow",
    "AttemptLimit",
    "BackupRow",
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
    "MaintenanceRow",
    "MessageRow",
    "NoteRow",
    "NoticeRow",
    "RoundRow",
    "SchemaInfoRow",
    "SchemaState",
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
    "stable_seat_values",
    "stable_table_values",
]
