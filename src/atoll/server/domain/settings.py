"""Settings of a server, each with a safe default, an option and an environment variable.

The option of `atoll serve` is named after the field, and the variable after the option (`--slow-s`,
`ATOLL_SLOW_S`). `option` and `variable` in a field's metadata name exceptions. A secret can
also be read from the file that the variable with `_FILE` names (`ATOLL_SECRET_FILE`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from .limits import DEFAULTS, Limits
from .networks import networks
from .public import public_origin

KIB: Final = 1024


class SettingError(ValueError):
    """An invalid value of a setting; the message names the valid ones."""


def _set(default: Any, help: str, low: float | None = None, **metadata: Any) -> Any:
    """Return the field of a setting.

    Args:
        default: The default value, or a function that creates it.
        help: Help text of the option.
        low: Smallest valid value, or None.
        **metadata: `option` and `variable` for other names, `high` for the largest valid value,
            `metavar` for the placeholder of the value in the help, `secret` for a value that must
            not be shown.
    """
    arguments: dict[str, Any] = {"default_factory" if callable(default) else "default": default}
    return dataclasses.field(**arguments, metadata={"help": help, "low": low, **metadata})


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings of a server.

    Raises:
        SettingError: If a value isn't valid.
    """

    host: str = _set("127.0.0.1", "address to listen on; 0.0.0.0 accepts connections from other machines")
    port: int = _set(8765, "port to listen on; 0: any free port", 0, high=65_535)
    url: str = _set(
        "sqlite:///atoll.db",
        "database: sqlite:///FILE or postgresql://...",
        option="db",
        variable="ATOLL_DB",
        metavar="URL",
        secret=True,
    )
    db_pool: int = _set(4, "PostgreSQL: connections that stay open for reads, and as many for writes", 1)
    db_overflow: int = _set(4, "PostgreSQL: further connections of each kind while they are needed", 0)
    db_listen: str = _set(
        "",
        "PostgreSQL: address of the connection that listens to other servers, for a pooler such as PgBouncer at --db; "
        "--db if left out",
        metavar="URL",
    )
    public_url: str = _set(
        "",
        "public address, such as https://HOST, behind a proxy; it decides whether cookies are Secure (https) and which "
        "origins may post. Without it, the address that the browser used; only for your own machine",
        metavar="URL",
    )
    site: str = _set(
        "",
        "folder with the operator's texts: imprint, privacy, rules and announcement (each as NAME.LANGUAGE.md), "
        "security.txt",
        metavar="DIR",
    )
    secret: str = _set(
        "", "key that signs forms; random if left out, so that open forms must be reloaded after a restart", secret=True
    )
    full_sync: bool = _set(False, "SQLite: every confirmed move survives a power failure, at a tenth of the speed")
    proxies: str = _set(
        "127.0.0.1",
        "trusted proxies (addresses and networks, separated by commas) whose X-Forwarded-For is used",
        metavar="LIST",
    )
    metrics_port: int = _set(0, "port for Prometheus metrics; 0: none", 0, high=65_535)
    metrics_host: str = _set(
        "127.0.0.1",
        "address to serve metrics on; they need no password, so only the monitoring should reach it",
    )
    log_json: bool = _set(False, "log as JSON lines")
    log_refused: str = _set(
        "",
        "folder for logs of refused requests: time, code, path and network of the client, deleted after 24 hours; "
        "not logged if left out",
        metavar="DIR",
    )
    bot_workers: int = _set(2, "number of processes for bots", 1)
    bot_seconds: float = _set(10.0, "longest time for a decision of a bot, in seconds", 0.001)
    bot_memory: int = _set(1024 * KIB * KIB, "memory of a bot process in bytes", 64 * KIB * KIB)
    advice_seconds: float = _set(2.0, "time for a bot's advice, in seconds", 0.001)
    coach_seconds: float = _set(0.6, "time to check a turn before the coach warns, in seconds", 0.001)
    analysis_seconds: float = _set(
        90.0, "time to analyze a finished game, in seconds; games are analyzed one by one, with low priority", 0.001
    )
    start_after_s: float = _set(
        15.0,
        "seconds that a full table waits for browsers to seal their shares of the chance; a correspondence table waits "
        "as long as for a move",
        0,
    )
    show_after_s: float = _set(
        600.0,
        "seconds that it then waits for browsers to show them; a correspondence table waits as long as for a move",
        0,
    )
    vacation_days: int = _set(
        28, "days of vacation per person and year, at tables whose clocks respect them; 0: none", 0, high=366
    )
    absent_after_s: float = _set(600.0, "seconds of inactivity after which a player can be removed by vote", 0)
    streams: int = _set(5000, "largest number of open event streams", 0)
    streams_per_address: int = _set(200, "largest number of open event streams from one address", 0)
    connections: int = _set(20_000, "largest number of connections; limited by the number of open files", 1)
    connections_per_address: int = _set(500, "largest number of connections from one address, except proxies", 1)
    tables_per_user: int = _set(40, "largest number of unfinished tables that one person may host", 1)
    lobby_per_host: int = _set(3, "tables of one host in the lobby, waiting and running ones counted separately", 1)
    no_leagues: bool = _set(False, "offer no leagues, cups and evenings")
    gathering_days: float = _set(
        14.0,
        "days of inactivity after which a table that waits for players is canceled and later deleted; 0: never",
        0,
    )
    guest_days: float = _set(
        90.0, "days of inactivity after which a guest who was never at a table is deleted; 0: never", 0
    )
    no_archive: bool = _set(False, "no archive, statistics of games, or results of others on profiles")
    finished_days: float = _set(0.0, "days after which finished games are deleted; 0: never", 0)
    no_ratings: bool = _set(False, "no ratings: all games are friendly, and there are no leaderboards")
    head_bytes: int = _set(32 * KIB, "largest request line with its headers, in bytes", KIB)
    body_bytes: int = _set(64 * KIB, "largest request body, in bytes", KIB)
    game_bytes: int = _set(4 * KIB * KIB, "largest request body with a game to verify, in bytes", KIB)
    slow_s: float = _set(20.0, "seconds that a client may take to send a request or to read the response", 0.1)
    cached_tables: int = _set(2000, "largest number of tables in memory", 1)
    trust_s: float = _set(
        5.0,
        "seconds for which a table in memory counts as current without asking the database. Changes of other servers "
        "arrive as notifications; this limits the effect of a lost one",
        0,
    )
    smtp: str = _set(
        "",
        "mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps://... for TLS from the start; without it there are no "
        "mail notifications",
        metavar="URL",
        secret=True,
    )
    mail_from: str = _set("", "sender address of mails", metavar="ADDRESS")
    allow_outgoing: tuple[str, ...] = _set(
        (),
        "network outside of the public internet, such as 10.0.0.0/8, that webhooks may use; may be repeated",
        metavar="NETWORK",
    )
    oidc_issuer: str = _set(
        "",
        "OpenID Connect provider with which users sign in, such as https://id.example.org; needs --public-url",
        metavar="URL",
    )
    oidc_client: str = _set("", "client id at the OpenID Connect provider", metavar="ID")
    oidc_secret: str = _set("", "client secret at the OpenID Connect provider", secret=True)
    oidc_name: str = _set("OpenID", "name of the OpenID Connect provider on the pages")
    limits: Mapping[str, str] = _set(
        dict,
        f"rate limit: chat=5/minute, or chat= for no limit; may be repeated ({', '.join(DEFAULTS)})",
        option="limit",
        metavar="NAME=RATE",
    )
    components: tuple[str, ...] = _set(
        (), "component file that replaces the components of a game; may be repeated", metavar="TOML"
    )
    games: str = _set("", "games to offer, separated by commas; all installed games if left out", metavar="LIST")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, low, high = getattr(self, field.name), field.metadata["low"], field.metadata.get("high")
            if low is not None and not low <= value <= (high or value):
                allowed = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
                raise SettingError(f"{option(field)} {value!r}: expected {allowed}")
        if self.public_url:
            try:
                object.__setattr__(self, "public_url", public_origin(self.public_url))
            except ValueError as error:
                raise SettingError(f"--public-url: {error}") from None
        if self.smtp and (urlsplit(self.smtp).scheme not in ("smtp", "smtps") or not urlsplit(self.smtp).hostname):
            raise SettingError("--smtp: expected smtp:// or smtps:// and a host")
        if self.smtp and "@" not in self.mail_from:
            raise SettingError("--smtp needs --mail-from, the sender address of mails")
        if self.oidc_issuer and not (self.oidc_client and self.public_url):
            raise SettingError("--oidc-issuer needs --oidc-client and --public-url")
        if self.oidc_issuer and urlsplit(self.oidc_issuer).scheme not in ("http", "https"):
            raise SettingError("--oidc-issuer: expected http:// or https:// and a host")
        try:
            networks(self.allow_outgoing)
        except ValueError as error:
            raise SettingError(f"--allow-outgoing: {error}") from None
        try:
            Limits(self.limits)
        except ValueError as error:
            raise SettingError(str(error)) from None


def option(field: dataclasses.Field[Any]) -> str:
    """Return the option of `atoll serve` for a setting."""
    return f"--{field.metadata.get('option', field.name.replace('_', '-'))}"


def file_variable(field: dataclasses.Field[Any]) -> str:
    """Return the environment variable that names a file with the value of a secret setting."""
    return f"{variable(field)}_FILE"


def variable(field: dataclasses.Field[Any]) -> str:
    """Return the environment variable for a setting; several values are separated by blanks."""
    return str(field.metadata.get("variable", f"ATOLL_{field.name.upper()}"))
