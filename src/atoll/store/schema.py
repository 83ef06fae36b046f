"""The database schema. Migrations create it, and a test compares the two.

Times are whole milliseconds since 1970, UTC. Structured values are JSON texts that no query
searches. The row types in `rows.py` explain the columns.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)


def _id(name: str, *extra: Any, **options: Any) -> Column[str]:
    return Column(name, String(32), *extra, **options)


def _partial(name: str, *columns: str, where: str) -> Index:
    """Return an index over the rows that a condition selects.

    Both databases use it only for queries that contain the same condition without bind parameters.
    """
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


FREE: Final = "lease = 0"
"""Condition of jobs and notices that no server works on."""
LEASED: Final = "lease > 0"
"""Condition of jobs and notices that a server works on."""
WAITING: Final = "state = 'waiting'"
"""Condition of notices to deliver."""
OPEN_IN_LOBBY: Final = "visibility = 'lobby' AND status = 'gathering'"
"""Condition of tables in the lobby that wait for players."""
RUNNING_IN_LOBBY: Final = "visibility = 'lobby' AND status = 'running'"
"""Condition of tables in the lobby that can be watched."""


def _of_game() -> Column[str]:
    return _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False)


# Persons, and bots that play through the API (`UserRow`).
users = Table(
    "users",
    metadata,
    _id("id", primary_key=True),
    Column("name", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Column("learning", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("calendar", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("skeleton", String(200), unique=True),
    Column("renamed", BigInteger),
    Column("role", String(16), nullable=False),
    Column("muted_until", BigInteger),
    Column("banned_until", BigInteger),
    Column("unrated_until", BigInteger),
    Column("limited_until", BigInteger),
    Column("unread", Boolean, nullable=False),
    Column("reachable", Boolean, nullable=False),
    Column("profile", Text, nullable=False),
)

# Ways to prove who a user is (`CredentialRow`). An account has at least one.
credentials = Table(
    "credentials",
    metadata,
    _id("id", primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("label", String(120), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    UniqueConstraint("kind", "subject"),
)

# Names that accounts gave up, which stay reserved for a while.
former_names = Table(
    "former_names",
    metadata,
    Column("skeleton", String(200), primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
)

# Secrets that prove who a user is: sessions, API tokens, calendar addresses (`TokenRow`). Only
# hashes are stored.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    _id("id", nullable=False, unique=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("device", String(120), nullable=False),
    Column("label", String(64), nullable=False),
    Column("last_used", BigInteger, nullable=False),
    Column("network", String(16), index=True),
)

# Attempts that are limited for all servers together, by hash of the address. Rows live for a day.
attempts = Table(
    "attempts",
    metadata,
    Column("category", String(16), nullable=False),
    Column("key", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_attempts_category", "category", "key", "at"),
)

# One-time secrets on the way to a session (`ChallengeRow`). Only hashes are stored.
challenges = Table(
    "challenges",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("session_hash", String(64), nullable=False, index=True),
    Column("data", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("used", BigInteger),
)

# One row per table (`TableRow`). `position` is the source of truth of a running game: the state at
# the last checkpoint and the choices since. `revision` guards every write.
games = Table(
    "games",
    metadata,
    _id("id", primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("box", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    _id("host", ForeignKey("users.id"), nullable=False, index=True),
    Column("clock", Text),
    Column("chance", String(32), nullable=False),
    Column("round", Integer, nullable=False),
    Column("offered", BigInteger, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("terms", Text),
    Column("start", Text),
    Column("position", Text),
    Column("sequence", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("told", Integer, nullable=False),
    Column("said", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("votes", Text, nullable=False),
    Column("result", Text),
    Column("rematch", String(32), nullable=False),
    Column("origin", Text),
    Column("repair", Text, nullable=False),
    Column("advice", Boolean, nullable=False),
    Column("chat_after", String(8), nullable=False),
    Column("removed", Text, nullable=False),
    Column("pause", Text),
    Column("fixed", Integer, nullable=False),
    Column("stand_in", String(32), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("least_reliability", Integer, nullable=False),
    Column("approval", Boolean, nullable=False),
    Column("language", String(8), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    _id("competition_id", ForeignKey("competitions.id", ondelete="SET NULL"), index=True),
    Index("ix_games_status_changed", "status", "changed"),
    # With the visibility, SQLite prefers these indexes to the one above.
    _partial("ix_games_open", "visibility", "created", "id", where=OPEN_IN_LOBBY),
    _partial("ix_games_watchable", "visibility", "changed", "id", where=RUNNING_IN_LOBBY),
)

# Seats (`SeatRow`). The index over `ended` finds a user's open tables without reading the others,
# and ended ones page by page.
seats = Table(
    "seats",
    metadata,
    _of_game(),
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    _id("user_id", ForeignKey("users.id")),
    Column("name", String(64), nullable=False),
    Column("bot", String(32), nullable=False),
    Column("away", Boolean, nullable=False),
    Column("seal", String(64)),
    Column("share", String(64)),
    Column("unshown", Boolean, nullable=False),
    Column("name_salt", String(64), nullable=False),
    Column("draft", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("bank_ms", BigInteger),
    Column("asked", BigInteger),
    Column("due", BigInteger),
    Column("overdue", Boolean, nullable=False),
    Column("calendar", Text, nullable=False),
    Column("nudged", BigInteger),
    Column("turn", Text),
    Column("plan", Text),
    Column("ended", BigInteger),
    Column("guest", Boolean, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("late", Integer, nullable=False),
    Column("departure", String(8), nullable=False),
    PrimaryKeyConstraint("game_id", "seat"),
    Index("ix_seats_user_id", "user_id", "ended", "game_id"),
)

# Records (`ChoiceRow`). They only grow, except for take-backs, which are stored in `undone`.
choices = Table(
    "choices",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("choice", Integer, nullable=False),
    Column("audience", Integer, nullable=False),
    Column("auto", Boolean, nullable=False),
    Column("pool", Text),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# Take-backs (`TakebackRow`).
undone = Table(
    "undone",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("taken", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# Rounds of chance whose start was broken off, or whose game was set back (`RoundRow`).
rounds = Table(
    "rounds",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("chance", String(32), nullable=False),
    Column("round", Integer, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("terms_digest", String(64), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("concerned", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# Every checkpoint of a game, as a complete save (`CheckpointRow`).
checkpoints = Table(
    "checkpoints",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("position", Text, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# All checkpoints of a finished game in one compressed row; see `checkpoints.py`.
packed_checkpoints = Table(
    "packed_checkpoints",
    metadata,
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("count", Integer, nullable=False),
)

# Event logs (`EventRow`). Each field of a game's event carries its audience. When an account is
# deleted, its name is removed from the events of tables.
events = Table(
    "events",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("origin", String(8), nullable=False),
    Column("data", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    _id("user_id"),
    PrimaryKeyConstraint("game_id", "number"),
    _partial("ix_events_user_id", "user_id", where="user_id IS NOT NULL"),
)

# Analyses of finished games, each computed once (`AnalysisRow`).
analyses = Table(
    "analyses",
    metadata,
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("data", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Results of finished games, one row per seat (`ResultRow`), written in the transaction that ends
# the game. The indexes serve the games of a person, the figures of a game, and the archive.
results = Table(
    "results",
    metadata,
    _of_game(),
    Column("seat", Integer, nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="SET NULL")),
    Column("kind", String(8), nullable=False),
    Column("game", String(32), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options_hash", String(16), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("points", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("late", Integer, nullable=False),
    Column("departure", String(8), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("ended", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "seat"),
    Index("ix_results_user_id", "user_id", "game", "ended", "game_id"),
    Index("ix_results_game", "game", "seats", "ended", "game_id"),
    Index("ix_results_listed", "listed", "ended", "game_id"),
)

# Departures of players from running games with others (`DepartureRow`), also of those who returned.
departures = Table(
    "departures",
    metadata,
    _of_game(),
    Column("seat", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("cause", String(8), nullable=False),
    Column("progress", Integer, nullable=False),
    PrimaryKeyConstraint("game_id", "seat", "at"),
)

# Current ratings of accounts, one per game (`RatingRow`), written in the transaction that ends a
# game.
ratings = Table(
    "ratings",
    metadata,
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("game", String(32), nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "game"),
    Index("ix_ratings_game", "game", "mu"),
)

# Ratings before and after each rated game, for every rated person at its table (`RatingChangeRow`).
# They outlive tables and accounts, so that the ratings of others can be recomputed.
rating_changes = Table(
    "rating_changes",
    metadata,
    _id("game_id", nullable=False),
    Column("seat", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="SET NULL")),
    Column("group_hash", String(32), nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("model", String(64), nullable=False),
    Column("place", Integer, nullable=False),
    Column("departed", Boolean, nullable=False),
    PrimaryKeyConstraint("game_id", "seat"),
    Index("ix_rating_changes_user_id", "user_id", "game", "number"),
    Index("ix_rating_changes_group_hash", "group_hash", "ended"),
    Index("ix_rating_changes_number", "number"),
)

# People who look for a game now, one row per person (`SeekerRow`).
seekers = Table(
    "seekers",
    metadata,
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("game", String(32), nullable=False, index=True),
    Column("players", Integer, nullable=False),
    Column("pace", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("low", Integer, nullable=False),
    Column("high", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    _id("game_id"),
)

# Accounts that users follow.
follows = Table(
    "follows",
    metadata,
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    _id("followed_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "followed_id"),
)

# Figures of each game from its results, computed daily.
statistics = Table(
    "statistics",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("data", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Chat messages (`MessageRow`). A message of a deleted account has neither `user_id` nor `name`.
messages = Table(
    "messages",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    _id("user_id", ForeignKey("users.id"), index=True),
    Column("seat", Integer),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("guest", Boolean, nullable=False),
    Column("reaction", String(16), nullable=False),
    Column("deleted_by", String(16), nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# Private notes (`NoteRow`).
notes = Table(
    "notes",
    metadata,
    _of_game(),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "user_id"),
)

# One-time links to seats (`InviteRow`). A new link replaces the unused one for the same seat.
invites = Table(
    "invites",
    metadata,
    Column("hash", String(64), primary_key=True),
    _of_game(),
    Column("seat", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index("ix_invites_game_id", "game_id", "seat"),
)

# Answers to commands by idempotency key (`CommandRow`). A repeated command gets the same answer and
# changes nothing.
commands = Table(
    "commands",
    metadata,
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("request", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    PrimaryKeyConstraint("user_id", "key"),
)

# Jobs (`JobRow`). A server takes a due job by writing `lease`; a job whose lease has expired is due
# again.
jobs = Table(
    "jobs",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(16), nullable=False),
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("due", BigInteger, nullable=False),
    Column("lease", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("token", String(16), nullable=False),
    _partial("ix_jobs_free", "due", where=FREE),
    _partial("ix_jobs_leased", "lease", where=LEASED),
)

# One row: a random id, created with the database, which servers put into the names of their
# cookies; and the time at which a server last looked for missing jobs.
identity = Table(
    "identity", metadata, Column("id", String(16), primary_key=True), Column("watched", BigInteger, nullable=False)
)

# Servers that use this database (`ServerRow`).
servers = Table(
    "servers",
    metadata,
    _id("id", primary_key=True),
    Column("place", String(128), nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("version", String(32), nullable=False),
)

# One row: facts about the schema, and about the backup that the database came from
# (`SchemaInfoRow`).
schema_info = Table(
    "schema_info",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("readable_from", Integer, nullable=False),
    Column("copied", BigInteger),
    Column("backup", BigInteger),
    Column("restored", BigInteger),
)

# Copies of the database that were made (`BackupRow`).
backups = Table(
    "backups",
    metadata,
    _id("id", primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("schema", String(16), nullable=False),
    Column("tables", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("verified", Boolean, nullable=False),
)

# Times in which nobody can play (`MaintenanceRow`).
maintenance = Table(
    "maintenance",
    metadata,
    _id("id", primary_key=True),
    Column("begins", BigInteger, nullable=False),
    Column("ends", BigInteger),
    Column("until", BigInteger),
    Column("text", Text, nullable=False),
)

# Users who have an event stream at a server. A row counts until its time, and while its server
# lives.
presence = Table(
    "presence",
    metadata,
    _id("user_id", nullable=False),
    _id("server_id", nullable=False, index=True),
    Column("until", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "server_id"),
)

# Channels that reach users (`ChannelRow`).
channels = Table(
    "channels",
    metadata,
    _id("id", primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("address", Text, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("kinds", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("digest", Boolean, nullable=False),
    Column("confirmed", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("sent", BigInteger),
    Column("error", Text, nullable=False),
    Column("cause", String(16), nullable=False),
)

# The outbox (`NoticeRow`). A notice is stored once without a channel, and replaced by one notice
# for each channel when it is due.
notices = Table(
    "notices",
    metadata,
    Column("id", String(160), primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("channel_id", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("data", Text, nullable=False),
    Column("asked", BigInteger),
    Column("due", BigInteger, nullable=False),
    Column("lease", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("begun", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    _partial("ix_notices_free", "due", where=f"{WAITING} AND {FREE}"),
    _partial("ix_notices_leased", "lease", where=f"{WAITING} AND {LEASED}"),
)

# Seasons of leagues, mini cups and evenings (`CompetitionRow`). The seed is secret until the draw.
competitions = Table(
    "competitions",
    metadata,
    _id("id", primary_key=True),
    Column("kind", String(8), nullable=False),
    _id("league_id", nullable=False, index=True),
    Column("season", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("table_seats", Integer, nullable=False),
    Column("clock", Text),
    Column("rated", Boolean, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("opens", BigInteger, nullable=False),
    Column("starts", BigInteger),
    Column("ends", BigInteger),
    Column("seed_hash", String(64), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("rules", Text, nullable=False),
    Column("title", String(64), nullable=False),
    Column("listed", Boolean, nullable=False),
    _id("host_id", ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("round", Integer, nullable=False),
    Column("host_log", Text, nullable=False),
    Column("standings", Text),
)

# Entries of users in competitions (`EntryRow`).
entries = Table(
    "entries",
    metadata,
    _id("competition_id", ForeignKey("competitions.id", ondelete="CASCADE"), nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(64), nullable=False),
    Column("entered", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("ladder", Integer),
    Column("rating", Integer),
    Column("tier", Integer),
    Column("division", Integer),
    Column("number", Integer),
    Column("left", BigInteger),
    Column("points", String(32), nullable=False),
    Column("tiebreaks", Text, nullable=False),
    Column("rank", Integer),
    Column("lot", String(64), nullable=False),
    PrimaryKeyConstraint("competition_id", "user_id"),
)

# Games of competitions (`CompetitionGameRow`), written with the draw. The tables are created after.
competition_games = Table(
    "competition_games",
    metadata,
    _id("competition_id", ForeignKey("competitions.id", ondelete="CASCADE"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("division", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    _id("game_id", nullable=False, unique=True),
    Column("seating", Text, nullable=False),
    Column("late_seats", Text),
    Column("annulled", Boolean, nullable=False),
    PrimaryKeyConstraint("competition_id", "round", "division", "number"),
)

# Blocks (`BlockRow`). They work in both directions.
blocks = Table(
    "blocks",
    metadata,
    _id("id", nullable=False, unique=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    _id("blocked_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    PrimaryKeyConstraint("user_id", "blocked_id"),
)

# Reports (`ReportRow`). `context` is a copy of the reported content, which
# later changes don't touch.
reports = Table(
    "reports",
    metadata,
    _id("id", primary_key=True),
    Column("created", BigInteger, nullable=False),
    _id("reporter_id", ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("contact", String(254), nullable=False),
    Column("language", String(8), nullable=False),
    Column("reason", String(16), nullable=False),
    Column("text", Text, nullable=False),
    _id("user_id", ForeignKey("users.id", ondelete="SET NULL"), index=True),
    _id("game_id", ForeignKey("games.id", ondelete="SET NULL"), index=True),
    Column("message", Integer),
    Column("subject", String(80), nullable=False),
    Column("context", Text, nullable=False),
    Column("state", String(8), nullable=False, index=True),
    Column("weight", Integer, nullable=False),
    _id("moderator_id", ForeignKey("users.id", ondelete="SET NULL")),
    Column("closed", BigInteger),
    Column("outcome", String(16), nullable=False),
)

# Actions of moderators about a person (`SanctionRow`). Those of a deleted account are found by a
# hash of its credentials as long as they last.
sanctions = Table(
    "sanctions",
    metadata,
    _id("id", primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("subject_hash", String(64), index=True),
    Column("kind", String(16), nullable=False),
    Column("begins", BigInteger, nullable=False),
    Column("ends", BigInteger),
    Column("reason", String(16), nullable=False),
    Column("text", Text, nullable=False),
    _id("moderator_id", ForeignKey("users.id", ondelete="SET NULL")),
    _id("report_id", ForeignKey("reports.id", ondelete="SET NULL")),
    Column("data", Text, nullable=False),
    Column("lifted", BigInteger),
    Column("objection", Text, nullable=False),
    Column("verdict", String(8), nullable=False),
    Column("networks", Text, nullable=False),
)

# Everything that moderators and operators did (`AuditRow`). Rows are only appended; those about a
# deleted account no longer name it.
audit_log = Table(
    "audit_log",
    metadata,
    _id("id", primary_key=True),
    Column("created", BigInteger, nullable=False, index=True),
    _id("actor_id", ForeignKey("users.id", ondelete="SET NULL")),
    Column("action", String(32), nullable=False),
    Column("subject", String(80), nullable=False, index=True),
    Column("data", Text, nullable=False),
)
