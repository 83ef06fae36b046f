"""The public address of the site, in the form in which browsers send it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


def public_origin(text: str) -> str:
    """Return the origin of an address, such as https://table.example.org.

    The name is in lower case and in ASCII (Punycode). A port that the scheme implies is left out.
    Browsers send the origin in this form in `Host` and `Origin`.

    Args:
        text: The address.

    Raises:
        ValueError: If it isn't http:// or https:// with a host name and an optional port.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
        rest = (parts.path.strip("/"), parts.query, parts.fragment, parts.username, parts.password)
        if parts.scheme not in _PORTS or not host or any(rest) or port == 0 or not text.isprintable():
            raise ValueError(text)
        name = f"[{host}]" if ":" in host else _ascii(host)
    except ValueError:
        raise ValueError(
            f"{text!r} isn't a public address: expected http:// or https://, a host name and perhaps a port, "
            "without user, path, ? and #; Atoll needs a host name of its own"
        ) from None
    return f"{parts.scheme}://{name}" + ("" if port in (None, _PORTS[parts.scheme]) else f":{port}")


def passkey_site(origin: str) -> tuple[str, str]:
    """Return the relying party id of passkeys, or the reason why browsers don't offer them here.

    Args:
        origin: Public origin of the site, or "".

    Returns:
        The id and "", or "" and the reason: "address" (no public address), "ip" (it has no name) or
        "http" (it isn't encrypted).
    """
    if not origin:
        return "", "address"
    parts = urlsplit(origin)
    host = parts.hostname or ""
    if host.rpartition(".")[2].isdecimal() or ":" in host:
        return "", "ip"
    if parts.scheme != "https" and host != "localhost":
        return "", "http"
    return host, ""


def host_headers(origin: str) -> frozenset[str]:
    """Return the values of the header `Host` in requests to an origin."""
    scheme, _, host = origin.partition("://")
    has_port = host.rpartition("]")[2].count(":") > 0
    return frozenset({host} if has_port else {host, f"{host}:{_PORTS[scheme]}"})


def _ascii(host: str) -> str:
    if not host.isascii():
        import idna  # noqa: PLC0415 - the settings' help is also shown without the packages of the server

        return idna.encode(host, uts46=True).decode()
    if _NAME.fullmatch(host) is None:
        raise ValueError(host)
    return host
