"""What every request passes: limits of size, time and rate; who is asking; where unsafe requests come from; headers.

Plain ASGI, so that streams pass through without being held up.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import hmac
import ipaddress
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qs

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from atoll.engine.whole import whole

from ..domain import metrics
from ..domain.model import Refused, User
from ..domain.public import hosts_of
from ..domain.settings import ServerSettings
from ..play import Tables
from ..play.users import token_hash
from .session import address, cookie, set_cookie

log = structlog.get_logger(__name__)

_PRE: Final = "pre"  # the cookie that ties form tokens of people without a session to their browser
VERIFY: Final = "/verify"  # takes games, which are longer than other bodies
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PAD: Final = 16
_PROBES: Final = ("/livez", "/healthz")  # asked by balancers, by whatever name
_MOST_FIELDS: Final = 1000
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'nonce-NONCE'; style-src 'self' 'nonce-NONCE'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_NOTHING: Final = b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_KEPT_BY_NOBODY: Final = (b"cache-control", b"no-store, private")
_FILE_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_HEADERS: Final = (
    *_FILE_HEADERS,
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_STRICTLY: Final = (b"strict-transport-security", b"max-age=31536000")
_OWN_NAMES: Final = frozenset({"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"})

Refuse = Callable[[Request, Refused], Awaitable[Response]]


@functools.lru_cache(1024)
def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class FormTokens:
    """Tokens that prove that a form was made by this server for this browser's session.

    A token is masked with a fresh pad each time, so that compressed pages don't give it away bit by bit.
    """

    def __init__(self, secret: str) -> None:
        self._key: bytes = hashlib.sha256(b"atoll form tokens\n" + (secret or secrets.token_hex(32)).encode()).digest()

    def _bare(self, session: str) -> bytes:
        return hmac.digest(self._key, session.encode(), "sha256")[:_PAD]

    def make(self, session: str) -> str:
        """A token for a session."""
        pad = secrets.token_bytes(_PAD)
        masked = bytes(a ^ b for a, b in zip(self._bare(session), pad, strict=True))
        return base64.urlsafe_b64encode(pad + masked).decode().rstrip("=")

    def fits(self, session: str, token: str) -> bool:
        """Whether a token was made for this session."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return False
        if len(raw) != 2 * _PAD:
            return False
        bare = bytes(a ^ b for a, b in zip(raw[:_PAD], raw[_PAD:], strict=True))
        return hmac.compare_digest(bare, self._bare(session))


class Guard:
    """The outermost layer. Pages and API lie inside; `/api/` takes no cookies, so it needs no form tokens."""

    def __init__(self, app: ASGIApp, *, settings: ServerSettings, refuse: Refuse) -> None:
        self._app: ASGIApp = app
        self._settings: ServerSettings = settings
        self._refuse: Refuse = refuse
        self._tokens: FormTokens = FormTokens(settings.secret)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        is_page = not scope["path"].startswith(("/api/", "/static/"))
        nonce = secrets.token_urlsafe(16) if is_page else ""
        self._prepare(scope, nonce)
        sent = _Sent(send, self._headers(scope, nonce))
        try:
            try:
                inner = await self._check(scope, receive, sent)
                await self._app(scope, inner, sent)
            except Refused as error:
                if sent.started:
                    raise
                response = await self._refusal(scope, error)
                await response(scope, receive, sent)
        except ConnectionError:
            # There is nobody to tell.
            log.info("client gone", path=scope["path"])
        except Exception:
            log.exception("request failed", path=scope["path"])
            if not sent.started:
                response = await self._refusal(scope, _failed())
                await response(scope, receive, sent)
            elif not sent.whole:
                raise
        finally:
            metrics.part(metrics.REQUESTS, scope["method"], sent.status).inc()
            if not sent.is_stream:
                metrics.REQUEST_SECONDS.observe(time.perf_counter() - started)

    def _prepare(self, scope: Scope, nonce: str) -> None:
        """What everything inside finds in the request's state."""
        state = scope.setdefault("state", {})
        state["tables"] = scope["app"].state.tables
        state["nonce"] = nonce
        state["user"] = None
        state["csrf"] = ""
        state["secure"] = self._is_secure(scope)

    async def _refusal(self, scope: Scope, error: Refused) -> Response:
        metrics.part(metrics.REFUSED, error.code).inc()
        response = await self._refuse(Request(scope), error)
        if error.retry_after:
            response.headers["retry-after"] = str(error.retry_after)
        return response

    # -- on the way in -------------------------------------------------------------------------------------------

    def _is_secure(self, scope: Scope) -> bool:
        return scope["scheme"] == "https" or self._settings.public_url.startswith("https:")

    async def _check(self, scope: Scope, receive: Receive, sent: _Sent) -> Receive:
        """Everything that may refuse a request before it is looked at. Gives how its body is to be read."""
        self._admit(scope)
        headers = Headers(scope=scope)
        found: Tables = scope["state"]["tables"]
        is_api = scope["path"].startswith("/api/")
        # The button of a mail program has neither session nor form token; what it sends is a secret of its own.
        one_click = scope["path"].startswith("/unsubscribe/") and not headers.get("cookie")
        is_static = scope["path"].startswith(("/static/", *_PROBES))
        unsafe = scope["method"] not in _SAFE
        if is_api or is_static or (one_click and unsafe):
            if unsafe:
                return _given(await self._body(scope, headers, receive), receive)
            return receive
        request = Request(scope)
        token = cookie(request)
        user: User | None = await found.people.by_token(token, "session")
        session = token_hash(token) if user is not None else cookie(request, _PRE)
        cookies = Response()
        if not session and not scope["path"].startswith("/events"):
            session = secrets.token_urlsafe(16)
            set_cookie(cookies, request, _PRE, session)
        sent.extra += [each for each in cookies.raw_headers if each[0] == b"set-cookie"]
        scope["state"].update(user=user, csrf=self._tokens.make(session))
        if not unsafe:
            return receive
        self._check_origin(scope, headers)
        body = await self._body(scope, headers, receive)
        if not self._tokens.fits(session, _form_token(headers, body)):
            raise Refused("csrf", 403, "the form is out of date or from elsewhere; load the page again")
        return _given(body, receive)

    def _admit(self, scope: Scope) -> None:
        """By what name and how often we are asked. Raises Refused."""
        self._check_host(scope)
        limits = scope["state"]["tables"].limits
        origin = address(scope)
        if not scope["path"].startswith("/static/"):
            limits.hit("request", origin)
        if scope["method"] not in _SAFE:
            limits.hit("unsafe", origin)

    def _check_host(self, scope: Scope) -> None:
        """The name by which we were called: without a public address no domain, which might be anybody's."""
        hosts = [value for key, value in scope["headers"] if key == b"host"]
        is_probe = scope["path"] in _PROBES
        # A probe may come from a balancer that speaks HTTP/1.0, which has no such header.
        if len(hosts) != 1 and not (is_probe and not hosts and scope["http_version"] == "1.0"):
            raise Refused("malformed", 400, f"{len(hosts)} headers name the host: expected one")
        host = hosts[0].decode("latin-1") if hosts else ""
        public = self._settings.public_url
        if public:
            known = host.lower() in hosts_of(public)
        else:
            name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
            known = name.lower() in _OWN_NAMES or _is_address(name)
        if not known and not is_probe:
            raise Refused("host", 421, "this server doesn't answer to that name; set its public address")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Unsafe requests come from our own pages only."""
        site = headers.get("sec-fetch-site", "same-origin")
        origin = headers.get("origin", "")
        public = self._settings.public_url
        if public:
            own = {public}
        else:
            host = headers.get("host", "")
            own = {f"http://{host}", f"https://{host}"}
        if site != "same-origin" or (origin and origin not in own):
            raise Refused("origin", 403, "this request doesn't come from this site's own pages")

    async def _body(self, scope: Scope, headers: Headers, receive: Receive) -> bytes:
        """The whole body, not longer than allowed and not slower."""
        most = self._settings.game_bytes if scope["path"] == VERIFY else self._settings.body_bytes
        length = whole(headers.get("content-length", "0"))
        if length is None or not 0 <= length <= most:
            raise _too_large(most)
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._settings.slow_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ConnectionResetError
                    part: bytes = message.get("body", b"")
                    size += len(part)
                    if size > most:
                        raise _too_large(most)
                    parts.append(part)
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise Refused("slow", 408, "the request took too long to arrive") from None

    # -- on the way out ------------------------------------------------------------------------------------------

    def _headers(self, scope: Scope, nonce: str) -> list[tuple[bytes, bytes]]:
        policy = _POLICY.replace("NONCE", nonce).encode() if nonce else _NOTHING
        headers = [(b"content-security-policy", policy)]
        if scope["path"].startswith("/static/"):
            headers += _FILE_HEADERS
        else:
            headers += [*_HEADERS, _KEPT_BY_NOBODY]
        if scope["state"]["secure"]:
            headers.append(_STRICTLY)
        return headers


class _Sent:
    """Sends with our headers, and knows what was sent."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send: Send = send
        self.extra: list[tuple[bytes, bytes]] = headers
        self.started: bool = False
        self.whole: bool = False
        self.is_stream: bool = False
        self.status: str = "none"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = str(message["status"])
            given = message.get("headers", ())
            self.is_stream = (b"content-type", b"text/event-stream; charset=utf-8") in given
            says_itself = any(name.lower() == b"cache-control" for name, _ in given)
            extra = [each for each in self.extra if not (says_itself and each == _KEPT_BY_NOBODY)]
            message = {**message, "headers": [*given, *extra]}
        elif not message.get("more_body", False):
            self.whole = True
        await self._send(message)


def _failed() -> Refused:
    return Refused("failed", 500, "something went wrong here; it was noted")


def _too_large(most: int) -> Refused:
    return Refused("too_large", 413, f"a request has at most {most} bytes")


def _given(body: bytes, rest: Receive) -> Receive:
    """A body that was read already, to be read again; after it comes what really comes."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return left.pop() if left else await rest()

    return receive


def _form_token(headers: Headers, body: bytes) -> str:
    """The form token of a request: in its header, or the field `csrf` of a form. Raises Refused."""
    token = headers.get("x-csrf", "")
    if token:
        return token
    if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        try:
            fields = parse_qs(body.decode("latin-1"), max_num_fields=_MOST_FIELDS)
        except ValueError:
            raise Refused("too_large", 413, f"a form has at most {_MOST_FIELDS} fields") from None
        return fields.get("csrf", [""])[0]
    return ""
