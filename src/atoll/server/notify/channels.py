"""Channels: web push, mail, and webhooks for Discord, Slack, ntfy or custom receivers."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit

import aiosmtplib
import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from typing_extensions import override

from atoll.store import ChannelRow

from ..domain.model import Refused
from ..domain.networks import networks
from ..domain.notices import CONFIRM
from ..domain.settings import ServerSettings
from ..play.ports import NotificationChannels
from .message import NotificationMessage, mail, sign_in_mail
from .safe_http import ForbiddenAddress, Reply, SafeHttpClient, checked_url

WEBHOOKS: Final = ("discord", "slack", "ntfy", "webhook")
KINDS: Final = ("push", "mail", *WEBHOOKS)

_MAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # order of P-256
_PUSH_S: Final = 86_400
_GONE: Final = (404, 410)
_TOO_MANY: Final = 429
_DENIED: Final = (401, 403)
_PERMANENT_FROM: Final = 500
"""Smallest permanent error of mail servers. For HTTP it is the smallest status that names an error
of the server, which may be temporary.
"""


class SubscriptionExpired(Exception):
    """The push service doesn't know the browser's subscription any more."""


Cause = Literal[
    "mail_server",
    "mail_address",
    "mail_refused",
    "mail_later",
    "unreachable",
    "busy",
    "denied",
    "gone",
    "rejected",
    "forbidden",
    "stopped",
    "expired",
]
"""Category of a failed delivery (message `channel.cause.<cause>`).

- "mail_server": the mail server of this site fails.
- "mail_address": the address is unknown.
- "mail_refused": the recipient's provider refuses our mails.
- "mail_later": the provider doesn't accept mails now.
- "unreachable": nobody answers.
- "busy": the service is overloaded.
- "denied": the service refuses access.
- "gone": the target doesn't exist.
- "rejected": the service doesn't accept the message.
- "forbidden": requests to this address aren't allowed.
- "stopped": this server stopped during the delivery.
- "expired": the browser has to subscribe to web push again (`EXPIRED`).
"""


class DeliveryError(Exception):
    """A failed delivery; the message is the response of the service.

    Attributes:
        cause: Category of the failure.
    """

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail[:200])
        self.cause: Cause = cause


class PermanentDeliveryError(DeliveryError):
    """A delivery that failed permanently."""


class RetryLater(DeliveryError):
    """A delivery that may succeed later.

    Attributes:
        seconds: Seconds to wait before another try, or None if the service didn't say.
    """

    def __init__(self, cause: Cause, detail: str, seconds: int | None = None) -> None:
        super().__init__(cause, detail)
        self.seconds: int | None = seconds


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class ChannelSender(NotificationChannels):
    """Sends notifications through the channels that the operator has set up.

    Args:
        settings: Settings of the server.
        outgoing: Client for requests, or None for the default one.
    """

    def __init__(self, settings: ServerSettings, outgoing: SafeHttpClient | None = None) -> None:
        allowed = networks(settings.allow_outgoing)
        self._outgoing: SafeHttpClient = outgoing or SafeHttpClient(allowed)
        self._smtp: str = settings.smtp
        self._from: str = settings.mail_from
        self.base: str = (settings.public_url or f"http://localhost:{settings.port}").rstrip("/") + "/"
        self._vapid: Vapid02 | None = None
        if settings.secret:
            seed = hashlib.sha512(b"atoll push key\n" + settings.secret.encode()).digest()
            number = int.from_bytes(seed) % (_ORDER - 1) + 1
            self._vapid = Vapid02(private_key=ec.derive_private_key(number, ec.SECP256R1()))

    @property
    @override
    def possible(self) -> tuple[str, ...]:
        there = {"push": self._vapid is not None, "mail": bool(self._smtp and self._from)}
        return tuple(kind for kind in KINDS if there.get(kind, True))

    @property
    @override
    def push_key(self) -> str:
        if self._vapid is None:
            return ""
        return _text(self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    # -- addresses ---------------------------------------------------------------------------------

    @override
    def checked(self, kind: str, given: Mapping[str, str]) -> dict[str, str]:
        if kind not in self.possible:
            raise Refused("no_channel", 422, f"channels here: {', '.join(self.possible)}", fields={"kind": kind[:20]})
        if kind == "mail":
            address = given.get("mail", "").strip()
            if not _MAIL.fullmatch(address) or len(address) > 254:
                raise Refused("bad_mail", 422, "this isn't a mail address")
            return {"mail": address}
        url = checked_url(given.get("url", "").strip(), self._outgoing.allowed)
        if kind == "ntfy" and not urlsplit(url).path.strip("/"):
            raise Refused("bad_url", 422, "an ntfy address ends with a topic, such as https://ntfy.sh/my-topic")
        if kind != "push":
            return {"url": url}
        try:
            key, auth = _bytes(given.get("p256dh", "")), _bytes(given.get("auth", ""))
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
            fits = len(auth) == 16
        except ValueError:
            fits = False
        if not fits:
            raise Refused("malformed", 422, "a push subscription has a url, and the keys p256dh and auth")
        return {"url": url, "p256dh": given["p256dh"], "auth": given["auth"]}

    # -- sending -----------------------------------------------------------------------------------

    async def send(self, channel: ChannelRow, letters: Sequence[NotificationMessage]) -> None:
        """Send notifications through a channel.

        Args:
            channel: The channel.
            letters: The notifications; several only by mail.

        Raises:
            SubscriptionExpired: If the push service doesn't know the subscription any more.
            PermanentDeliveryError: If the delivery can't succeed.
            RetryLater: If it may succeed later.
        """
        try:
            if channel.kind == "mail":
                await self._mail(channel, letters)
            elif channel.kind == "push":
                reply = await self._web_push(channel, letters[0])
                if reply.status in _GONE:
                    raise SubscriptionExpired(f"answered {reply.status}")
                _raise_for_status(reply)
            else:
                _raise_for_status(await self._hook(channel, letters[0]))
        except (ForbiddenAddress, Refused) as error:
            raise PermanentDeliveryError("forbidden", str(error)) from error
        except (OSError, TimeoutError, aiosmtplib.SMTPException) as error:
            cause: Cause = "mail_server" if channel.kind == "mail" else "unreachable"
            raise RetryLater(cause, str(error) or type(error).__name__) from error

    async def _web_push(self, channel: ChannelRow, message: NotificationMessage) -> Reply:
        """Send a web push message (RFC 8030, 8291, 8292)."""
        assert self._vapid is not None
        address = channel.address
        payload = {
            "title": message.title,
            "text": message.text,
            "link": message.link,
            "tag": message.table or message.kind,
        }
        content = http_ece.encrypt(
            json.dumps(payload).encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes(address["p256dh"]),
            auth_secret=_bytes(address["auth"]),
            version="aes128gcm",
        )
        parts = urlsplit(address["url"])
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": self._contact,
            "exp": int(time.time()) + _PUSH_S // 2,
        }
        topic = _text(hashlib.sha256(message.id.encode()).digest()[:24])  # duplicates replace each other
        headers = {
            **self._vapid.sign(claims),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(_PUSH_S),
            "urgency": "normal",
            "topic": topic,
        }
        return await self._outgoing.post(address["url"], content, headers)

    @property
    def _contact(self) -> str:
        return f"mailto:{self._from}" if self._from else self.base

    async def _hook(self, channel: ChannelRow, message: NotificationMessage) -> Reply:
        url = channel.address["url"]
        text = " ".join(filter(None, (message.title, message.text)))
        body: dict[str, Any]
        if channel.kind == "discord":
            body = {"content": f"{text}\n{message.link}", "allowed_mentions": {"parse": []}}
        elif channel.kind == "slack":
            safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            body = {"text": f"{safe}\n<{message.link}>"}
        elif channel.kind == "ntfy":
            url, _, topic = url.rstrip("/").rpartition("/")
            body = {"topic": unquote(topic), "title": message.title, "message": message.text or message.title}
            body["click"] = message.link
        else:
            body = {"id": message.id, "event": message.kind, "table": message.table}
            body |= {"title": message.title, "text": message.text, "link": message.link}
        content = json.dumps(body, ensure_ascii=False).encode()
        headers = {"content-type": "application/json"}
        if channel.kind == "webhook":
            at = str(int(time.time()))
            headers["atoll-signature"] = f"t={at},v1={signature(channel.secret, at, content)}"
        return await self._outgoing.post(url, content, headers)

    async def _mail(self, channel: ChannelRow, letters: Sequence[NotificationMessage]) -> None:
        token = f"{channel.id}.{channel.secret}"
        stop = f"{self.base}unsubscribe/{token}"
        letters = [
            dataclasses.replace(each, link=f"{self.base}confirm/{token}") if each.kind == CONFIRM else each
            for each in letters
        ]
        subject, plain, page = mail(letters, channel.language, stop)
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = subject, self._from, channel.address["mail"]
        message["Date"] = format_datetime(datetime.now(UTC))
        # A mail that is sent twice after a crash has the same Message-ID, so that programs can
        # recognize it.
        known = hashlib.sha256("\n".join((channel.id, *(each.id for each in letters))).encode()).hexdigest()[:32]
        message["Message-ID"] = f"<{known}@{self._from.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(plain)
        message.add_alternative(page, subtype="html")
        await self._deliver(message)

    @override
    async def send_sign_in(self, mail: str, token: str, code: str, language: str) -> None:
        """Send a mail with a sign-in link and its code; see `NotificationChannels.send_sign_in`.

        Args:
            mail: The address.
            token: Secret of the link.
            code: Code of six digits.
            language: Language code.
        """
        message = EmailMessage()
        subject, plain = sign_in_mail(f"{self.base}sign-in/mail#{token}", code, language)
        message["Subject"], message["From"], message["To"] = subject, self._from, mail
        message["Date"] = format_datetime(datetime.now(UTC))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(plain)
        await self._deliver(message)

    async def send_test(self, mail: str) -> None:
        """Send a mail that only shows that mails arrive.

        Args:
            mail: The address.

        Raises:
            DeliveryError: If it can't be delivered.
        """
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = f"Test of {self.base}", self._from, mail
        message["Date"] = format_datetime(datetime.now(UTC))
        message["Auto-Submitted"] = "auto-generated"
        message.set_content("This mail shows that Atoll's mails arrive.\n")
        await self._deliver(message)

    async def _deliver(self, message: EmailMessage) -> None:
        """Give a mail to the mail server.

        Args:
            message: The mail.

        Raises:
            PermanentDeliveryError: If the delivery can't succeed.
            RetryLater: If it may succeed later.
        """
        try:
            await aiosmtplib.send(message, **smtp_arguments(self._smtp), timeout=20)
        except aiosmtplib.SMTPRecipientsRefused as error:
            detail = "; ".join(f"{each.code} {each.message}" for each in error.recipients)
            if all(each.code < _PERMANENT_FROM for each in error.recipients):
                raise RetryLater("mail_later", detail) from error
            raise PermanentDeliveryError("mail_address", detail) from error
        except aiosmtplib.SMTPDataError as error:
            detail = f"{error.code} {error.message}"
            if error.code < _PERMANENT_FROM:
                raise RetryLater("mail_later", detail) from error
            raise PermanentDeliveryError("mail_refused", detail) from error
        except aiosmtplib.SMTPResponseException as error:
            permanent = error.code >= _PERMANENT_FROM and not isinstance(error, aiosmtplib.SMTPAuthenticationError)
            raise (PermanentDeliveryError if permanent else RetryLater)(
                "mail_server", f"{error.code} {error.message}"
            ) from error


def smtp_arguments(address: str) -> dict[str, Any]:
    """Return the arguments of aiosmtplib for a mail server.

    Args:
        address: Address of the mail server, as in the settings.
    """
    parts = urlsplit(address)
    secure = parts.scheme == "smtps"
    return {
        "hostname": parts.hostname,
        "port": parts.port or (465 if secure else 587),
        "username": None if parts.username is None else unquote(parts.username),
        "password": None if parts.password is None else unquote(parts.password),
        "use_tls": secure,
    }


def signature(secret: str, at: str, content: bytes) -> str:
    """Return the signature of a webhook request: HMAC-SHA-256 of time, dot and body, in hex.

    Args:
        secret: Secret of the channel.
        at: Time of the request in seconds since 1970, as text.
        content: The body.
    """
    return hmac.new(secret.encode(), f"{at}.".encode() + content, hashlib.sha256).hexdigest()


def _raise_for_status(reply: Reply) -> None:
    detail = f"answered {reply.status} {' '.join(reply.text.split())[:120]}".strip()
    if reply.status == _TOO_MANY or reply.status >= _PERMANENT_FROM:
        raise RetryLater("busy", detail, reply.retry_after)
    if not 200 <= reply.status < 300:
        cause: Cause = "denied" if reply.status in _DENIED else "gone" if reply.status in _GONE else "rejected"
        raise PermanentDeliveryError(cause, detail)
