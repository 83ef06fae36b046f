"""The guard: checks and limits that every request passes.

It limits size, time and rate, finds the user, checks the origin of unsafe requests, and adds
response headers. It is plain ASGI, so that streams aren't buffered.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import hmac
import ipaddress
import re
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

from atoll.engine.integers import parse_int

from ..domain import metrics
from ..domain.logs import REQUEST_ID, loggable_path
from ..domain.model import Refused, User
from ..domain.public import host_headers
from ..domain.settings import ServerSettings
from ..play import TableServices
from ..play.users import token_hash
from .refusal_log import RefusalLog
from .session import SESSION, address, cookie, set_cookie

log = structlog.get_logger(__name__)

_PRE_SESSION: Final = "pre"
"""Purpose of the cookie that binds form tokens to a browser without a session."""
VERIFY: Final = "/verify"
"""Path that accepts records of games, which are longer than other bodies."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PAD: Final = 16
_PROBES: Final = ("/livez", "/healthz")
"""Paths for load balancers, which may use any host name."""
_MOST_FIELDS: Final = 1000
_OPEN_TO_BANNED: Final = frozenset(
    {
        *("/sanctions", "/settings", "/settings/kept.json", "/settings/delete", "/deleted", "/sign-out"),
        *("/sign-in", "/report", "/about", "/docs", "/offline", "/worker.js", "/manifest.webmanifest", "/robots.txt"),
        *("/imprint", "/privacy", "/rules-of-conduct"),
    }
)
"""Paths that a banned user may use: the reasons, objection, export, deletion, and texts for all."""
_BRANCHES_OPEN_TO_BANNED: Final = ("/sanctions/", "/sign-in/")
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'nonce-NONCE'; style-src 'self' 'nonce-NONCE'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_DOCS_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Policy of the documentation, whose theme sets inline styles."""
_API_POLICY: Final = b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_DOCS: Final = "/docs/"
_FILES: Final = ("/static/", _DOCS)
"""Paths of files that are the same for everybody: they need no session and aren't limited."""
_REQUEST_ID: Final = b"x-request-id"
_WELL_FORMED: Final = re.compile(rb"[\w.-]{8,64}", re.ASCII)
"""Ids of requests that a proxy may set."""
_NO_STORE: Final = (b"cache-control", b"no-store, private")
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
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
_OWN_HOST_NAMES: Final = frozenset({"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"})

Refuse = Callable[[Request, Refused], Awaitable[Response]]


@functools.lru_cache(1024)
def _is_address(name: str) -> bool:
    """Return whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class FormTokens:
    """Tokens that prove that this server made a form for this browser's session (CSRF protection).

    Each token is masked with a new random pad, so that an attacker can't guess it byte by byte from
    the size of compressed pages.

    Args:
        secret: Secret of all servers of one database; "" for a random one.
    """

    def __init__(self, secret: str) -> None:
        self._key: bytes = hashlib.sha256(b"atoll form tokens\n" + (secret or secrets.token_hex(32)).encode()).digest()

    def _unmasked(self, session: str) -> bytes:
        """Return the unmasked token of a session."""
        return hmac.digest(self._key, session.encode(), "sha256")[:_PAD]

    def make(self, session: str) -> str:
        """Return a new token for a session."""
        pad = secrets.token_bytes(_PAD)
        masked = bytes(a ^ b for a, b in zip(self._unmasked(session), pad, strict=True))
        return base64.urlsafe_b64encode(pad + masked).decode().rstrip("=")

    def is_valid(self, session: str, token: str) -> bool:
        """Return whether a token was made for this session."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return False
        if len(raw) != 2 * _PAD:
            return False
        bare = bytes(a ^ b for a, b in zip(raw[:_PAD], raw[_PAD:], strict=True))
        return hmac.compare_digest(bare, self._unmasked(session))


class Guard:
    """The outermost ASGI layer, around pages and API.

    The API (`/api/`) ignores cookies, so it needs no form tokens.

    Args:
        app: The application inside.
        settings: Settings of the server.
        refuse: Returns the response to a refused request.
        refusals: Log of refused requests, or None.
    """

    def __init__(
        self, app: ASGIApp, *, settings: ServerSettings, refuse: Refuse, refusals: RefusalLog | None = None
    ) -> None:
        self._app: ASGIApp = app
        self._settings: ServerSettings = settings
        self._refuse: Refuse = refuse
        self._tokens: FormTokens = FormTokens(settings.secret)
        self._refusals: RefusalLog | None = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it on, and answer refusals and failures."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = _request_id(scope)
        REQUEST_ID.set(request_id)
        is_page = not scope["path"].startswith(("/api/", *_FILES))
        nonce = secrets.token_urlsafe(16) if is_page else ""
        self._prepare(scope, nonce)
        scope["state"]["request_id"] = request_id
        sent = _RecordingSender(send, [*self._headers(scope, nonce), (_REQUEST_ID, request_id.encode())])
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
            # Nobody receives a response any more.
            log.info("client gone", path=loggable_path(scope["path"]))
        except Exception:
            log.exception("request failed", path=loggable_path(scope["path"]))
            if not sent.started:
                response = await self._refusal(scope, _internal_error())
                await response(scope, receive, sent)
            elif not sent.is_complete:
                raise
        finally:
            metrics.part(metrics.REQUESTS, scope["method"], sent.status).inc()
            if not sent.is_stream:
                metrics.REQUEST_SECONDS.observe(time.perf_counter() - started)

    def _prepare(self, scope: Scope, nonce: str) -> None:
        """Set what everything inside reads from `request.state`."""
        state = scope.setdefault("state", {})
        state["tables"] = scope["app"].state.tables
        state["nonce"] = nonce
        state["user"] = None
        state["csrf"] = ""
        state["browser"] = ""
        state["secure"] = self._is_secure(scope)

    async def _refusal(self, scope: Scope, error: Refused) -> Response:
        """Count a refusal and return its response."""
        metrics.part(metrics.REFUSED, error.code).inc()
        if self._refusals is not None:
            self._refusals.note(error, scope["method"], scope["path"], address(scope))
        response = await self._refuse(Request(scope), error)
        if error.retry_after:
            response.headers["retry-after"] = str(error.retry_after)
        return response

    # -- on the way in -----------------------------------------------------------------------------

    def _is_secure(self, scope: Scope) -> bool:
        """Return whether the client uses HTTPS."""
        return scope["scheme"] == "https" or self._settings.public_url.startswith("https:")

    async def _check(self, scope: Scope, receive: Receive, sent: _RecordingSender) -> Receive:
        """Check a request before it reaches the application.

        Args:
            scope: The ASGI scope; the user and the form token are added to its state.
            receive: Reads the body.
            sent: The sender, which may get a cookie.

        Returns:
            The function by which the application reads the body.

        Raises:
            Refused: If the request isn't allowed.
        """
        self._admit(scope)
        headers = Headers(scope=scope)
        found: TableServices = scope["state"]["tables"]
        is_api = scope["path"].startswith("/api/")
        # A mail program's unsubscribe button has no session; the token in the path is the secret.
        one_click = scope["path"].startswith("/unsubscribe/") and not headers.get("cookie")
        is_static = scope["path"].startswith((*_FILES, *_PROBES))
        unsafe = scope["method"] not in _SAFE
        if is_api or is_static or (one_click and unsafe):
            if unsafe:
                return _replay_body(await self._read_body(scope, headers, receive), receive)
            return receive
        request = Request(scope)
        token = cookie(request)
        user: User | None = await found.users.by_token(token, "session", address(scope))
        session = token_hash(token) if user is not None else cookie(request, _PRE_SESSION)
        cookies = Response()
        if user is not None and found.users.take_renewal(token):
            set_cookie(cookies, request, SESSION, token)
        if not session and not scope["path"].startswith("/events"):
            session = secrets.token_urlsafe(16)
            set_cookie(cookies, request, _PRE_SESSION, session)
        sent.cookies += [each for each in cookies.raw_headers if each[0] == b"set-cookie"]
        scope["state"].update(user=user, csrf=self._tokens.make(session), browser=token_hash(session))
        if user is not None and user.standing.is_banned and not _is_open_to_banned(scope["path"]):
            raise Refused("banned", 403, "a moderator has banned you: see /sanctions")
        if not unsafe:
            return receive
        self._check_origin(scope, headers)
        body = await self._read_body(scope, headers, receive)
        if not self._tokens.is_valid(session, _form_token(headers, body)):
            raise Refused("csrf", 403, "the form token is missing or outdated: load the page again")
        return _replay_body(body, receive)

    def _admit(self, scope: Scope) -> None:
        """Check the host name and the rate of requests.

        Args:
            scope: The ASGI scope.

        Raises:
            Refused: If the host name is unknown or the client sends too many requests.
        """
        self._check_host(scope)
        limits = scope["state"]["tables"].limits
        origin = address(scope)
        if not scope["path"].startswith(_FILES):
            limits.hit("request", origin)
        if scope["method"] not in _SAFE:
            limits.hit("unsafe", origin)

    def _check_host(self, scope: Scope) -> None:
        """Check the host name of a request.

        Without a public address, domain names other than the machine's own are refused, because
        anybody could point one at this server.

        Args:
            scope: The ASGI scope.

        Raises:
            Refused: If the request names no host, several hosts or an unknown one.
        """
        hosts = [value for key, value in scope["headers"] if key == b"host"]
        is_probe = scope["path"] in _PROBES
        # A load balancer's probe may use HTTP/1.0, which doesn't require this header.
        if len(hosts) != 1 and not (is_probe and not hosts and scope["http_version"] == "1.0"):
            raise Refused("malformed", 400, f"{len(hosts)} Host headers: expected exactly one")
        host = hosts[0].decode("latin-1") if hosts else ""
        public = self._settings.public_url
        if public:
            known = host.lower() in host_headers(public)
        else:
            name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
            known = name.lower() in _OWN_HOST_NAMES or _is_address(name)
        if not known and not is_probe:
            raise Refused("host", 421, "unknown host name: set the server's public address")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Check that an unsafe request comes from this site's own pages.

        Args:
            scope: The ASGI scope.
            headers: Headers of the request.

        Raises:
            Refused: If it comes from another site.
        """
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

    async def _read_body(self, scope: Scope, headers: Headers, receive: Receive) -> bytes:
        """Return the complete body, or refuse a request whose body is too long or too slow."""
        most = self._settings.game_bytes if scope["path"] == VERIFY else self._settings.body_bytes
        length = parse_int(headers.get("content-length", "0"))
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

    # -- on the way out ----------------------------------------------------------------------------

    def _headers(self, scope: Scope, nonce: str) -> list[tuple[bytes, bytes]]:
        """Return the headers that the guard adds to the response.

        Args:
            scope: The ASGI scope.
            nonce: Nonce of the page's inline scripts and styles; "" for anything but pages.
        """
        is_docs = scope["path"].startswith(_DOCS)
        policy = _POLICY.replace("NONCE", nonce).encode() if nonce else _DOCS_POLICY if is_docs else _API_POLICY
        headers = [(b"content-security-policy", policy)]
        if is_docs:
            headers += _HEADERS
        elif scope["path"].startswith("/static/"):
            headers += _FILE_HEADERS
        else:
            headers += [*_HEADERS, _NO_STORE]
        if scope["state"]["secure"]:
            headers.append(_HSTS)
        return headers


class _RecordingSender:
    """A sender that adds headers to the response and records its progress.

    Attributes:
        extra: Headers to add.
        cookies: Cookies to set, except those that the response itself sets or deletes.
        started: Whether the response has begun.
        whole: Whether the response is complete.
        is_stream: Whether the response is an event stream.
        status: Status of the response, or "none" before it.
    """

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send: Send = send
        self.extra: list[tuple[bytes, bytes]] = headers
        self.cookies: list[tuple[bytes, bytes]] = []
        self.started: bool = False
        self.is_complete: bool = False
        self.is_stream: bool = False
        self.status: str = "none"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = str(message["status"])
            given = message.get("headers", ())
            self.is_stream = (b"content-type", b"text/event-stream; charset=utf-8") in given
            has_cache_control = any(name.lower() == b"cache-control" for name, _ in given)
            extra = [each for each in self.extra if not (has_cache_control and each == _NO_STORE)]
            set_here = {_cookie_of(value) for name, value in given if name == b"set-cookie"}
            cookies = [each for each in self.cookies if _cookie_of(each[1]) not in set_here]
            message = {**message, "headers": [*given, *extra, *cookies]}
        elif not message.get("more_body", False):
            self.is_complete = True
        await self._send(message)


def _request_id(scope: Scope) -> str:
    """Return the id of a request: that of the proxy if it is well-formed, else a new one."""
    for name, value in scope["headers"]:
        if name == _REQUEST_ID and _WELL_FORMED.fullmatch(value):
            return str(value.decode())
    return secrets.token_hex(8)


def _cookie_of(header: bytes) -> bytes:
    """Return the name of the cookie that a `Set-Cookie` header sets."""
    return header.partition(b"=")[0]


def _internal_error() -> Refused:
    """Return the refusal for an internal error."""
    return Refused("failed", 500, "internal server error: it was logged")


def _is_open_to_banned(path: str) -> bool:
    """Return whether a banned user may use a path of the pages."""
    return path in _OPEN_TO_BANNED or path.startswith(_BRANCHES_OPEN_TO_BANNED)


def _too_large(most: int) -> Refused:
    """Return the refusal for a request body that is too long."""
    return Refused("too_large", 413, f"the request is too large: expected at most {most} bytes")


def _replay_body(body: bytes, rest: Receive) -> Receive:
    """Return a function that delivers a body that was already read.

    Args:
        body: The body.
        rest: Delivers the messages after the body.
    """
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        """Return the body once, then the messages after it."""
        return left.pop() if left else await rest()

    return receive


def _form_token(headers: Headers, body: bytes) -> str:
    """Return the form token of a request, from its header or the form field `csrf`; "" without one.

    Args:
        headers: Headers of the request.
        body: Body of the request.

    Raises:
        Refused: If the form has too many fields.
    """
    token = headers.get("x-csrf", "")
    if token:
        return token
    if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        try:
            fields = parse_qs(body.decode("latin-1"), max_num_fields=_MOST_FIELDS)
        except ValueError:
            raise Refused("too_large", 413, f"the form has too many fields: expected at most {_MOST_FIELDS}") from None
        return fields.get("csrf", [""])[0]
    return ""
