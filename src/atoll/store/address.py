"""Database addresses: parsed, or rejected with a message that lists the accepted forms."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

_FORMS: Final = "sqlite:///FILE, postgresql://USER:PASSWORD@HOST:PORT/NAME"
_DRIVERS: Final = {"sqlite": "sqlite+pysqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}")

# Parameters of libpq (https://www.postgresql.org/docs/current/libpq-connect.html) that asyncpg
# understands, too.
_PARAMETERS: Final = frozenset(
    {
        *("host", "port", "dbname", "user", "password", "passfile", "target_session_attrs", "krbsrvname", "gsslib"),
        *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version", "application_name", "connect_timeout"),
    }
)
_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


class StoreError(Exception):
    """The database can't be used; the message names the reason and a remedy."""


def parse_address(address: str) -> URL:
    """Return the URL of a database with the driver that Atoll uses.

    Args:
        address: Address as the operator wrote it.

    Raises:
        StoreError: If the address isn't valid or names an unsupported database or parameter.
    """
    try:
        url = make_url(address)
        driver = _DRIVERS.get(url.get_backend_name())
    except (ArgumentError, ValueError):
        raise StoreError(f"{_hidden(address)!r} isn't a database URL; allowed: {_FORMS}") from None
    if driver is None:
        raise StoreError(f"{url.get_backend_name()!r} isn't supported; allowed: {_FORMS}")
    if driver.startswith("sqlite"):
        _check_file(address, url)
    else:
        _check_parameters(url)
    return url.set(drivername=driver)


def _hidden(address: str) -> str:
    return re.sub(r"(://[^/@]*:)[^/]*@", r"\1***@", address)


def _check_file(address: str, url: URL) -> None:
    if not url.database or url.database == ":memory:":
        raise StoreError("SQLite needs a file: sqlite:///atoll.db (three slashes: relative, four: absolute)")
    if url.host or url.query or "#" in address or "?" in address or _ESCAPE.search(address):
        raise StoreError(
            f"{address!r} isn't the address of a file: expected sqlite:/// and its name as it is, "
            "with blanks, without ?, # and escapes such as %20"
        )


def _check_parameters(url: URL) -> None:
    parameters = dict(url.query)
    if parameters.get("channel_binding") in ("prefer", "disable"):
        del parameters["channel_binding"]
    unknown = sorted(set(parameters) - _PARAMETERS)
    if unknown:
        raise StoreError(f"the database parameter {unknown[0]!r} isn't supported: expected {_listed(_PARAMETERS)}")
    mode = parameters.get("sslmode", _MODES[0])
    if mode not in _MODES:
        raise StoreError(f"sslmode {mode!r}: expected {', '.join(_MODES)}")
    seconds = parameters.get("connect_timeout", "1")
    if not (isinstance(seconds, str) and seconds.isdecimal() and int(seconds) > 0):
        raise StoreError(f"connect_timeout {seconds!r}: expected a number of seconds")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def connection_arguments(url: URL) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect`.

    The driver reads libpq's parameters from the DSN itself.
    """
    dsn = url.set(drivername="postgresql").difference_update_query(("connect_timeout", "channel_binding"))
    found: dict[str, Any] = {"dsn": dsn.render_as_string(hide_password=False)}
    if "connect_timeout" in url.query:
        found["timeout"] = float(str(url.query["connect_timeout"]))
    return found
