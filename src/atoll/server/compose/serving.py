"""Serving the application with uvicorn on its own socket, with metrics on another port."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import socket
import sys
import webbrowser
from typing import Any, Final

import structlog
import uvicorn
from prometheus_client import start_http_server

from atoll.engine import ComponentError, UnknownGame
from atoll.engine.languages import ENGLISH
from atoll.store import Store

from ..domain import logs, metrics
from ..domain.build_info import build_info
from ..domain.settings import ServerSettings
from ..http.connection import connection_class
from ..http.connection_limits import RESERVED_FILES, ConnectionLimits, raise_file_limit
from ..http.forwarding import ForwardedAddresses
from ..http.guard import VERIFY
from ..play.heartbeat import require_prepared, wait_until_free
from ..presentation.nearby import host_nearby, show_in_terminal
from ..presentation.operator_texts import OperatorTextError, operator_text
from .app import Site, create_app
from .service_checks import forwarded_addresses
from .systemd import notify_systemd

log = structlog.get_logger(__name__)


class ServeError(Exception):
    """The server can't start; the message names the reason and a remedy."""


_GARBAGE: Final = (50_000, 20, 100)


def tune_garbage_collector() -> None:
    """Run the garbage collector rarely, because by default it takes a sixth of the time.

    Objects of requests are mostly freed without a search for cycles. The objects that exist now
    stay until the end.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


_HERE: Final = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - addresses to listen on, unusable in a URL
_REQUEST_SIZE_FACTOR: Final = 8
"""Largest size of a request in relation to its body. In chunks of one byte each it is six times as
large.
"""
_GAME_SIZE_FACTOR: Final = 2
"""The same for a game to verify, which comes in large chunks."""


class _Server(uvicorn.Server):
    """A uvicorn server that prints its address at the start and ends subscriptions at the end."""

    def __init__(self, config: uvicorn.Config, site: Site, address: str, nearby: str, open_browser: bool) -> None:
        super().__init__(config)
        self._site: Site = site
        self._address: str = address
        self._nearby: str = nearby
        self._open_browser: bool = open_browser
        self._public: str = site.state.settings.public_url
        self._checking: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, and print the address."""
        await super().startup(sockets)
        if self.should_exit:
            return
        sys.stderr.write(f"Atoll is open at {self._address} (Ctrl+C ends it)\n")
        sys.stderr.flush()
        notify_systemd("READY=1")
        if self._nearby:
            show_in_terminal(self._nearby)
        if self._public:
            self._checking = asyncio.create_task(_check_forwarding(self._public))
        if self._open_browser:
            await asyncio.to_thread(webbrowser.open, self._address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the subscriptions first, so that no request must be canceled."""
        notify_systemd("STOPPING=1")
        if self._checking is not None:
            self._checking.cancel()
        self._site.state.tables.hub.close()
        await super().shutdown(sockets)


async def _check_forwarding(public_url: str) -> None:
    """Warn if the proxy in front doesn't tell the addresses of clients, or isn't trusted."""
    finding = await forwarded_addresses(public_url)
    if finding is not None:
        log.warning("addresses of clients", finding=finding.text)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )[0]
        # asyncio sets TCP_NODELAY only for a socket with an explicit protocol. Without it,
        # responses wait 40 ms for an ACK.
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2048)
        except BaseException:
            listener.close()
            raise
        return listener
    except OSError as error:
        reason = error.strerror or str(error)
        raise ServeError(f"can't listen on {host}, port {port} ({reason}): choose another one with --port") from None


async def _check_store(settings: ServerSettings) -> None:
    store = await Store.open(settings.url, full=settings.full_sync)
    try:
        await wait_until_free(store)
        await require_prepared(store)
        await store.probe()
    finally:
        await store.close()


def _bounded(settings: ServerSettings) -> ServerSettings:
    """Return settings whose numbers of connections and streams fit the open-file limit."""
    files = raise_file_limit()
    most = min(settings.connections, max(files - RESERVED_FILES, files // 2))
    streams = min(settings.streams, most * 3 // 4)
    log.info("connections", most=most, streams=streams, files=files)
    by_address = min(settings.connections_per_address, most)
    return dataclasses.replace(settings, connections=most, connections_per_address=by_address, streams=streams)


def _quiet(app: Any) -> Any:
    """Wrap an app so that requests that are canceled at shutdown end without an error."""

    async def _call(scope: Any, receive: Any, send: Any) -> None:
        """Call the app."""
        try:
            await app(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            log.info("request cut off", path=logs.loggable_path(scope["path"]))

    return _call


def serve(settings: ServerSettings, *, open_browser: bool = False) -> None:
    """Serve until a signal stops the server.

    Args:
        settings: Settings of the server.
        open_browser: Whether to open the site in a browser.

    Raises:
        ServeError: If the server can't start.
        StoreError: If the database can't be used.
    """
    logs.configure_logging(as_json=settings.log_json)
    log.info("starting", version=str(build_info()))
    metrics.tell_build()
    settings = _bounded(settings)
    try:
        app = create_app(settings)
    except (ComponentError, OperatorTextError, UnknownGame) as error:
        raise ServeError(str(error)) from None
    except OSError as error:
        raise ServeError(f"--log-refused {settings.log_refused}: {error.strerror or error}") from None
    if settings.public_url and operator_text(settings.site, "imprint", ENGLISH) is None:
        log.warning("no imprint", advice="a public site may need one by law: put imprint.en.md into the --site folder")
    asyncio.run(_check_store(settings))
    tune_garbage_collector()
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(_listen(settings.host, settings.port))
        host, port = listener.getsockname()[:2]
        if settings.metrics_port:
            try:
                server, thread = start_http_server(settings.metrics_port, addr=settings.metrics_host)
            except OSError as error:
                place = f"{settings.metrics_host}, port {settings.metrics_port}"
                raise ServeError(f"can't serve metrics on {place} ({error.strerror or error})") from None
            stack.callback(thread.join)
            stack.callback(server.shutdown)
        shown_host = _HERE.get(host) or (f"[{host}]" if ":" in host else host)
        nearby = host_nearby(settings)
        behind = ForwardedAddresses(app, settings.proxies)  # type: ignore[arg-type]
        places = ConnectionLimits(
            settings.connections, settings.connections_per_address, lambda host: host in behind.trusted_hosts
        )
        config = uvicorn.Config(
            _quiet(behind),
            http=connection_class(
                places,
                patience=settings.slow_s,
                head_bytes=settings.head_bytes,
                message_bytes=settings.head_bytes + _REQUEST_SIZE_FACTOR * settings.body_bytes,
                long_messages={VERIFY.encode(): settings.head_bytes + _GAME_SIZE_FACTOR * settings.game_bytes},
            ),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
        )
        address = settings.public_url or f"http://{shown_host}:{port}/"
        with contextlib.suppress(KeyboardInterrupt):
            at = nearby and f"http://{nearby}:{port}/"
            _Server(config, app, address, at, open_browser).run(sockets=[listener])
