"""Storage of tables, seats and users in SQLite or PostgreSQL, with one schema for both.

See `docs/develop/explanation-server.md`.
"""

from .activity import Activity, BrokenTable, ChannelCount, JobCount
from .address import StoreError
from .attempts import AttemptLimit
from .blocks import BlockedUsers
from .bus import Bus, payload_of
from .challenges import DEVICE_LINK
from .checkpoints import PACK_AFTER_MS
from .competitions import competition_job
from .credentials import AccountName, LastCredential, Rename, Taken
from .flags import RatedGame, RatedSeat, SharedGame
from .jobs import BOT
from .lobby import ALL_TABLES, ORDERS, LobbyFilter
from .migrate import SchemaState
from .moderation import FOREVER_MS, LASTING, ModerationWrites, network_hash, subject_hash
from .results import ArchiveQuery, CountedGame, Opponent, PlaceCount
from .rows import (
    AnalysisRow,
    AuditRow,
    BackupRow,
    BlockRow,
    ChallengeRow,
    ChannelRow,
    CheckpointRow,
    ChoiceRow,
    CommandRow,
    CompetitionGameRow,
    CompetitionRow,
    CredentialRow,
    DepartureRow,
    EntryRow,
    EventRow,
    InviteRow,
    JobRow,
    MaintenanceRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    RatingChangeRow,
    RatingRow,
    ReportRow,
    ResultRow,
    RoundRow,
    SanctionRow,
    SchemaInfoRow,
    SeatRow,
    SeekerRow,
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
    "ALL_TABLES",
    "BOT",
    "DEVICE_LINK",
    "FOREVER_MS",
    "LASTING",
    "LOGINS",
    "LOST_MS",
    "ORDERS",
    "PACK_AFTER_MS",
    "AccountName",
    "Activity",
    "AnalysisRow",
    "ArchiveQuery",
    "AttemptLimit",
    "AuditRow",
    "BackupRow",
    "BlockRow",
    "BlockedUsers",
    "BrokenTable",
    "Bus",
    "ChallengeRow",
    "ChannelCount",
    "ChannelRow",
    "CheckpointRow",
    "ChoiceRow",
    "CommandRow",
    "CompetitionGameRow",
    "CompetitionRow",
    "CountedGame",
    "CredentialRow",
    "DepartureRow",
    "EntryRow",
    "EventRow",
    "HeartbeatResult",
    "InviteRow",
    "JobCount",
    "JobRow",
    "LastCredential",
    "LobbyFilter",
    "MaintenanceRow",
    "MessageRow",
    "ModerationWrites",
    "NoteRow",
    "NoticeRow",
    "Opponent",
    "PlaceCount",
    "RatedGame",
    "RatedSeat",
    "RatingChangeRow",
    "RatingRow",
    "Rename",
    "ReportRow",
    "ResultRow",
    "RoundRow",
    "SanctionRow",
    "SchemaInfoRow",
    "SchemaState",
    "SeatRow",
    "SeekerRow",
    "ServerRow",
    "SharedGame",
    "Store",
    "StoreError",
    "TableRow",
    "TakebackRow",
    "Taken",
    "TokenRow",
    "UnitOfWork",
    "UserRow",
    "WriteConflict",
    "competition_job",
    "network_hash",
    "payload_of",
    "stable_seat_values",
    "stable_table_values",
    "subject_hash",
]
