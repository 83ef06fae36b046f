"""How a server is set up. Every value has a safe default, an option of `atoll serve` and a variable of the environment.

The option is named after the field, the variable after the option (`--slow-s`, `ATOLL_SLOW_S`); `option` and `variable`
in a field's metadata say where they aren't.
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
    """A value that a setting can't have; the message says which are allowed."""


def _set(default: Any, help: str, low: float | None = None, **metadata: Any) -> Any:
    """A setting. default: the value, or what makes it. help: what it does. low: the least allowed.

    metadata: see above; metavar: what stands for a value.
    """
    given: dict[str, Any] = {"default_factory" if callable(default) else "default": default}
    return dataclasses.field(**given, metadata={"help": help, "low": low, **metadata})


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All that can be set. Raises SettingError."""

    host: str = _set("127.0.0.1", "address to listen at; 0.0.0.0 lets others in")
    port: int = _set(8765, "where to listen; 0: any free one", 0, high=65_535)
    url: str = _set(
        "sqlite:///atoll.db",
        "the database: sqlite:///FILE or postgresql://...",
        option="db",
        variable="ATOLL_DB",
        metavar="URL",
    )
    public_url: str = _set(
        "",
        "the address that people use, as https://HOST, if a proxy stands in front; it decides cookies (Secure with "
        "https) and which origins may post. Without it, that which the browser used, for one's own machine",
        metavar="URL",
    )
    secret: str = _set(
        "", "signs forms; made up if left out, then forms that are open during a restart must be reloaded"
    )
    full_sync: bool = _set(False, "SQLite: every confirmed move survives a power cut, too, at a tenth of the speed")
    proxies: str = _set(
        "127.0.0.1", "addresses and networks, separated by commas, whose X-Forwarded-For is believed", metavar="LIST"
    )
    metrics_port: int = _set(0, "Prometheus metrics on loopback; 0: none", 0, high=65_535)
    log_json: bool = _set(False, "log as JSON lines")
    bot_workers: int = _set(2, "processes for bots", 1)
    bot_seconds: float = _set(10.0, "the longest a bot may think", 0.001)
    bot_memory: int = _set(1024 * KIB * KIB, "the memory of a bot's process in bytes", 64 * KIB * KIB)
    advice_seconds: float = _set(2.0, "how long a bot thinks about advice", 0.001)
    coach_seconds: float = _set(0.6, "how long a bot looks at a turn before its coach warns or not", 0.001)
    analysis_seconds: float = _set(
        90.0, "how long one looks at a finished game, one game after the other, behind all else", 0.001
    )
    start_after_s: float = _set(15.0, "how long a full table waits for browsers to commit to shares of the chance", 0)
    show_after_s: float = _set(
        600.0,
        "how long it then waits for browsers to show them; with a clock as long as its bank, a day at most",
        0,
    )
    vacation_days: int = _set(
        28, "days of vacation a person has in a year, for clocks that heed them; 0: none", 0, high=366
    )
    absent_after_s: float = _set(600.0, "after how long without a sign of life a seat can be removed by vote", 0)
    streams: int = _set(5000, "open event streams", 0)
    streams_per_address: int = _set(200, "open event streams from one address", 0)
    connections: int = _set(20_000, "connections; never more than files may be opened", 1)
    connections_per_address: int = _set(500, "connections from one address that isn't a proxy's", 1)
    tables_per_user: int = _set(40, "unfinished tables that one may host", 1)
    lobby_per_host: int = _set(3, "tables that gather, and that run, the lobby shows of one host", 1)
    gathering_days: float = _set(
        14.0,
        "a table at which nothing happens for so long before its game is cancelled and later removed; 0: never",
        0,
    )
    guest_days: float = _set(
        90.0, "a guest who was never at a table is removed after so long without a sign of life; 0: never", 0
    )
    finished_days: float = _set(0.0, "games that ended are removed after so long; 0: never", 0)
    head_bytes: int = _set(32 * KIB, "the longest request line with its headers", KIB)
    body_bytes: int = _set(64 * KIB, "the longest request body", KIB)
    game_bytes: int = _set(4 * KIB * KIB, "the longest request body that brings a game to be verified", KIB)
    slow_s: float = _set(20.0, "how long a client may take for a request, or to take what it is sent", 0.1)
    cached_tables: int = _set(2000, "running games that are kept in memory", 1)
    trust_s: float = _set(
        5.0,
        "how long a table in memory is taken for current without asking the database: other servers' changes arrive by "
        "notification, this bounds a lost one",
        0,
    )
    smtp: str = _set(
        "",
        "the server that sends mails: smtp://USER:PASSWORD@HOST:PORT, or smtps://... for TLS from the beginning; "
        "without it nobody can be told of anything by mail",
        metavar="URL",
    )
    mail_from: str = _set("", "the address that mails come from", metavar="ADDRESS")
    allow_outgoing: tuple[str, ...] = _set(
        (),
        "a network, such as 10.0.0.0/8, to which webhooks may lead though it isn't in the public internet; "
        "may be repeated",
        metavar="NETWORK",
    )
    limits: Mapping[str, str] = _set(
        dict,
        f"how often one may do what: chat=5/minute, or chat= for no limit; may be repeated ({', '.join(DEFAULTS)})",
        option="limit",
        metavar="NAME=RATE",
    )
    components: tuple[str, ...] = _set((), "component data in place of a game's own; may be repeated", metavar="TOML")
    games: str = _set("", "the games on offer, separated by commas; all that are installed if left out", metavar="LIST")

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, low, high = getattr(self, field.name), field.metadata["low"], field.metadata.get("high")
            if low is not None and not low <= value <= (high or value):
                allowed = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
                raise SettingError(f"{option(field)} {value!r}: allowed: {allowed}")
        if self.public_url:
            try:
                object.__setattr__(self, "public_url", public_origin(self.public_url))
            except ValueError as error:
                raise SettingError(f"--public-url: {error}") from None
        if self.smtp and (urlsplit(self.smtp).scheme not in ("smtp", "smtps") or not urlsplit(self.smtp).hostname):
            raise SettingError("--smtp: begins with smtp:// or smtps:// and names a host")
        if self.smtp and "@" not in self.mail_from:
            raise SettingError("--smtp needs --mail-from, the address that mails come from")
        try:
            networks(self.allow_outgoing)
        except ValueError as error:
            raise SettingError(f"--allow-outgoing: {error}") from None
        try:
            Limits(self.limits)
        except ValueError as error:
            raise SettingError(str(error)) from None


def option(field: dataclasses.Field[Any]) -> str:
    """The option of `atoll serve` for a setting."""
    return f"--{field.metadata.get('option', field.name.replace('_', '-'))}"


def variable(field: dataclasses.Field[Any]) -> str:
    """The variable of the environment for a setting; several values are separated by blanks."""
    return str(field.metadata.get("variable", f"ATOLL_{field.name.upper()}"))
