"""Checks of mail, web push and the public address for `atoll doctor`."""

from __future__ import annotations

import asyncio
from typing import Final

import aiosmtplib
import httpx2

from ..domain.networks import networks
from ..http.health import FORWARDED_HEADER, VERSION_HEADER
from ..notify.channels import ChannelSender, DeliveryError, smtp_arguments
from ..notify.safe_http import ForbiddenAddress, SafeHttpClient
from .diagnosis import Finding, Patient, error, ok, warning, worst

_ANSWER_S: Final = 4.0
_FIRST_EVENT_S: Final = 2.0
_TEXTS: Final = ("/imprint", "/privacy")
_FORWARDED: Final = {
    "none": warning("the proxy sends no X-Forwarded-For: all clients share the limits of one"),
    "untrusted": error("X-Forwarded-For comes from an untrusted address: name the proxy's with --proxies"),
}
"""Findings by verdict on the address of a client."""


async def mail(patient: Patient) -> Finding:
    """Connect to the mail server, sign in and, if an address is given, send a mail."""
    settings = patient.settings
    if not settings.smtp:
        return ok("no mail server: no mail notifications and no sign-in by mail")
    arguments = smtp_arguments(settings.smtp)
    place = f"{arguments['hostname']}:{arguments['port']}"
    try:
        async with aiosmtplib.SMTP(**arguments, timeout=_ANSWER_S):
            pass
        if patient.mail:
            await ChannelSender(settings).send_test(patient.mail)
    except (aiosmtplib.SMTPException, DeliveryError, OSError) as failure:
        return error(f"{place}: {' '.join(str(failure).split())[:200]}: check --smtp and --mail-from")
    sent = f", test mail sent to {patient.mail}: check that it arrives outside of the spam folder"
    found = []
    if patient.database is not None:
        counts = await patient.store.operations.counts(0)
        if counts.mails_failing:
            found.append(warning(f"{place}, {counts.mails_failing} addresses bounce: check SPF, DKIM and the log"))
    return worst(found, f"{place}{sent if patient.mail else ''}")


async def web_push(patient: Patient) -> Finding:
    """Check the key of web push, and whether a stored endpoint answers."""
    sender = ChannelSender(patient.settings)
    if not sender.push_key:
        return warning("off: set ATOLL_SECRET_FILE") if patient.settings.public_url else ok("off")
    if not patient.settings.public_url.startswith("https:"):
        return ok("off: browsers allow it only with an https address")
    endpoint = await patient.store.operations.push_endpoint()
    if endpoint is None:
        return ok("key ok, no subscriptions")
    client = SafeHttpClient(networks(patient.settings.allow_outgoing))
    try:
        reply = await client.post(endpoint, b"", {"ttl": "0"})
    except (ForbiddenAddress, OSError, TimeoutError) as failure:
        return warning(f"key ok, but a push service can't be reached ({failure}): check outgoing HTTPS")
    except Exception as failure:  # of the HTTP library, which has many
        return warning(f"key ok, but a push service doesn't answer ({type(failure).__name__}): check outgoing HTTPS")
    return ok(f"key ok, a push service answers ({reply.status})")


async def public_address(patient: Patient, transport: httpx2.AsyncBaseTransport | None = None) -> Finding:
    """Ask the public address: TLS, host name, and event streams without buffering."""
    base = patient.settings.public_url
    if not base:
        return ok("none: only for this machine and the local network")
    found = []
    async with httpx2.AsyncClient(base_url=base, timeout=_ANSWER_S, transport=transport) as client:
        try:
            answer = await client.get("/livez")
        except httpx2.HTTPError as failure:
            return error(f"{base} doesn't answer ({str(failure) or type(failure).__name__}): check name, TLS and proxy")
        if answer.status_code != 200 or VERSION_HEADER not in answer.headers:
            return error(f"{base}/livez: {answer.status_code}, not an answer of Atoll: check the proxy")
        if (verdict := _forwarded(answer)) is not None:
            found.append(verdict)
        page = await client.get("/")
        if page.status_code != 200:
            found.append(error(f"{base}: {page.status_code}: let the proxy forward Host"))
        elif base.startswith("https:") and "strict-transport-security" not in page.headers:
            found.append(warning(f"{base}: the proxy removes headers"))
        if not await _streams(client):
            found.append(error(f"{base}/events is buffered: turn buffering of responses off"))
    return worst(found, f"{base}, Atoll {answer.headers[VERSION_HEADER]}")


def _forwarded(answer: httpx2.Response) -> Finding | None:
    """Return the finding on the address that the server saw, or None if all is well."""
    return _FORWARDED.get(answer.headers.get(FORWARDED_HEADER, ""))


async def forwarded_addresses(base: str, transport: httpx2.AsyncBaseTransport | None = None) -> Finding | None:
    """Ask a server through its public address whether it sees the addresses of its clients.

    Args:
        base: The public address.
        transport: Transport of the request, or None for the network.

    Returns:
        The finding, or None if all is well or the address can't be reached from here.
    """
    async with httpx2.AsyncClient(base_url=base, timeout=_ANSWER_S, transport=transport) as client:
        try:
            return _forwarded(await client.get("/livez"))
        except httpx2.HTTPError:
            return None


async def _streams(client: httpx2.AsyncClient) -> bool:
    """Return whether the first event of a stream arrives at once."""
    try:
        async with asyncio.timeout(_FIRST_EVENT_S), client.stream("GET", "/events") as answer:
            async for _ in answer.aiter_bytes():
                return True
    except (TimeoutError, httpx2.HTTPError):
        pass
    return False


async def imprint(patient: Patient, transport: httpx2.AsyncBaseTransport | None = None) -> Finding:
    """Check that a public site has an imprint and a privacy policy."""
    base = patient.settings.public_url
    if not base:
        return ok("not needed without a public address")
    missing = []
    async with httpx2.AsyncClient(base_url=base, timeout=_ANSWER_S, transport=transport) as client:
        for path in _TEXTS:
            try:
                if (await client.get(path)).status_code != 200:
                    missing.append(path)
            except httpx2.HTTPError:
                return warning(f"{base} doesn't answer")
    if missing:
        return warning(f"{' and '.join(missing)} can't be read: public sites need them in most countries")
    return ok("imprint and privacy policy are there")
