"""How a server is set up. Every value has a safe default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

KIB = 1024


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """host, port: where to listen; loopback unless told otherwise. url: the database.

    public_url: the address that people use, with scheme; it decides cookies (Secure with https) and which origins may
    post. "" accepts the address that the browser used, for one's own machine.
    secret: signs form tokens; "" makes one up, then forms that are open during a restart must be reloaded.
    full_sync: every confirmed move survives a power cut too, at a tenth of the speed (SQLite only).
    proxies: addresses whose X-Forwarded-For is believed. metrics_port: 0 serves no metrics; always on loopback.
    bot_workers: processes for bots. bot_seconds: the longest a bot may think. bot_memory: its memory in bytes.
    advice_seconds: how long a bot thinks about advice. analysis_seconds: how long one looks at a finished game; one
    game after the other, in a further process that stands back behind the rest.
    start_after_s: how long a full table waits for the browsers' shares of the chance.
    absent_after_s: after how long without a sign of life a seat can be removed by vote.
    streams, streams_per_address: how many open event streams. tables_per_user: unfinished tables that one may host.
    connections, connections_per_address: how many there may be, never more than files may be opened; idle ones make
    room for new ones. Those of a proxy count only in all.
    head_bytes: the longest request line with its headers. body_bytes: the longest request body.
    slow_s: how long a client may take for a body, or to take what it is sent.
    cached_tables: how many running games are kept in memory. trust_s: how long a table in memory is taken for current
    without asking the database (other servers' changes arrive by notification; this bounds a lost one).
    limits: see limits.DEFAULTS. plugins: modules to import first, for games and bots that aren't part of Atoll.
    components: files of component data that take the place of a game's own.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    url: str = "sqlite:///atoll.db"
    public_url: str = ""
    secret: str = ""
    full_sync: bool = False
    proxies: str = "127.0.0.1"
    metrics_port: int = 0
    bot_workers: int = 2
    bot_seconds: float = 10.0
    bot_memory: int = 1024 * KIB * KIB
    advice_seconds: float = 2.0
    analysis_seconds: float = 90.0
    start_after_s: float = 15.0
    absent_after_s: float = 600.0
    streams: int = 5000
    streams_per_address: int = 200
    tables_per_user: int = 40
    connections: int = 20_000
    connections_per_address: int = 500
    head_bytes: int = 32 * KIB
    body_bytes: int = 64 * KIB
    slow_s: float = 20.0
    cached_tables: int = 2000
    trust_s: float = 5.0
    log_json: bool = False
    limits: Mapping[str, str] = field(default_factory=dict)
    plugins: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
