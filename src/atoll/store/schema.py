"""The database schema. Migrations bring a database to it; a test compares the two.

Times are whole milliseconds since 1970, UTC. Structured values are JSON texts: nothing is ever searched inside them.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id(name: str, *extra: Any, **options: Any) -> Column[str]:
    return Column(name, String(32), *extra, **options)


def _of_game() -> Column[str]:
    return _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False)


# calendar: when the person plays, and its vacation. learning: what this person has learnt here.
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
)

# Secrets that prove who somebody is: sessions, API tokens, recovery links. Only hashes are kept.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)

# One row per table. `position` is the row of truth: the last checkpoint's state and the choices since.
# `revision` guards every write; `version` counts what anybody but the acting seat can notice. sequence, number, told,
# said: of the position, and how many choices, events and messages there are. rematch: the table that continues this
# one. origin: the table and moment that this one was forked from. repair: why the rules failed here.
# advice: whether those who play may ask a bot what it would do. closed: since when nobody can commit to a share of the
# chance any more and those that were committed to are shown (null: not yet). pause: from when to when no clock runs.
# stand_in: the level of the bot that plays for a person who leaves; "" for the usual one.
# fixed: the last moment (a sequence number) after chance or a reveal; what came before isn't taken back any more.
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
    Column("commitment", String(64), nullable=False),
    Column("seed", String(64), nullable=False),
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
    Column("closed", BigInteger),
    Column("pause", Text),
    Column("fixed", Integer, nullable=False),
    Column("stand_in", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("ix_games_status_changed", "status", "changed"),
)

# A person without user_id and name has had its account deleted.
# kind: person, bot, invite, open. away: a bot plays for the person, who may return. share: its browser's part of
# the chance; commitment: its hash, given before any share is shown. draft: the staged choices of the open turn;
# revision counts its changes. asked: since when the seat has been thinking (null: it isn't asked). bank_ms: what its
# clock held then. due: when that is used up. overdue: it was, and the others decide. calendar: of the person, as last
# set. nudged: when the others last asked it to move. turn: the moment (a sequence number) at which its last answer
# began, and what its clock held then (null: none that could be taken back). plan: what it will answer, with what must
# not have changed until then. ended: when the game was over or cancelled (null: not yet); by it, the tables of a person
# that aren't over are found without reading the others, and those that are, page by page.
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
    Column("share", String(64)),
    Column("commitment", String(64)),
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
    PrimaryKeyConstraint("game_id", "seat"),
    Index("ix_seats_user_id", "user_id", "ended", "game_id"),
)

# The record; only what all agree to take back is cut off its end, and kept in `undone`. seat: -1 is chance. auto: a
# public single option, taken unasked. sequence: of the decision or chance event that it answers. pool: of a chance
# event, the sorted domain indices drawn from.
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

# What was taken back by agreement. number: of the event that tells it. length: how many choices the record had left.
# sequence: of the moment that was gone back to. taken: sequence, seat, choice and audience of each answer.
undone = Table(
    "undone",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("taken", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# Every checkpoint of a game, as a whole save. number: how many choices the record had then.
checkpoints = Table(
    "checkpoints",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("position", Text, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# What happened, with the audience of each field inside. origin: game or table; what a table tells of a person has its
# `user` beside the fields, and no name once that account is deleted. sequence: of the position after it.
events = Table(
    "events",
    metadata,
    _of_game(),
    Column("number", Integer, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("origin", String(8), nullable=False),
    Column("data", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "number"),
)

# What a strong bot says of a finished game, worked out once.
analyses = Table(
    "analyses",
    metadata,
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("data", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# user_id null, name "": whoever said it has had its account deleted.
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
    PrimaryKeyConstraint("game_id", "number"),
)

# What somebody has noted at a table; nobody else reads it.
notes = Table(
    "notes",
    metadata,
    _of_game(),
    _id("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "user_id"),
)

# One-time links to a seat; a new one for the same seat replaces the old one.
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

# Idempotency keys: what a command answered, so that its repetition answers the same and changes nothing.
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

# What has to happen by itself. A server takes a due job by writing `lease`; a job whose lease has run out is due again.
# token: changes whenever the job is set anew, so that finishing an old one doesn't remove the new one.
jobs = Table(
    "jobs",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(16), nullable=False),
    _id("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=True, index=True),
    Column("due", BigInteger, nullable=False, index=True),
    Column("lease", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("token", String(16), nullable=False),
)

# One row: a random id, made with the database. Servers name their cookies after it.
identity = Table("identity", metadata, Column("id", String(16), primary_key=True))

# The servers on this database. place: the process, "" once it has ended. seen: its last sign of life.
servers = Table(
    "servers",
    metadata,
    _id("id", primary_key=True),
    Column("place", String(128), nullable=False),
    Column("seen", BigInteger, nullable=False),
)

# Ways to reach a person. address: where it leads. secret: signs what is sent to a webhook; ends and confirms mails.
# kinds: what is told by it. digest: once a day. confirmed: whoever has the address wants this. sent, error: when
# something got there last, and why the last one did not ("" if it did), as it was answered. cause: what that means.
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

# What somebody is to be told: first once (channel_id ""), then for each channel, under ids that tell them apart for
# good. asked: since when the seat has been thinking that it is about; it is void when that has changed.
# state: waiting, sent, failed or void. begun, failed: how often sending has begun, and is known to have failed.
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
    Index("ix_notices_state", "state", "due"),
)
