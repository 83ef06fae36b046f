"""Construction of the ASGI application from its settings."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from atoll import bots
from atoll.engine import Game
from atoll.store import Bus, Store

from ..bots.pool import BotPool
from ..domain import metrics
from ..domain.game_offer import GameOffer, build_offer, replace_components
from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused
from ..domain.settings import ServerSettings
from ..http import events, pages
from ..http.api import endpoints
from ..http.api.operations import json_error
from ..http.compression import GzipMiddleware
from ..http.guard import Guard
from ..http.health import Health, healthz, livez
from ..http.openid_provider import OpenIdProvider
from ..http.refusal_log import RefusalLog
from ..notify.channels import ChannelSender
from ..notify.dispatcher import NotificationDispatcher
from ..play import TableServices
from ..play.heartbeat import Heartbeat
from ..play.repair import repair
from ..play.scheduler import Scheduler
from ..presentation.operator_texts import check_site
from ..presentation.texts import level_names
from .runaway_guard import RunawayGuard

seldom = RateLimitedLogger(structlog.get_logger(__name__))


async def _refuse(request: Request, error: Refused) -> Response:
    if request.scope["path"].startswith(("/api/", "/events")):
        headers = {"www-authenticate": "Bearer"} if error.status == 401 else None
        return JSONResponse(json_error(error), status_code=error.status, headers=headers)
    return await pages.refusal_page(request, error)


async def _not_served(request: Request, error: Exception) -> Response:
    """Return the response to unknown paths and methods, which Starlette itself refuses."""
    assert isinstance(error, HTTPException)
    code = {404: "no_page", 405: "no_method"}.get(error.status_code, "malformed")
    response = await _refuse(request, Refused(code, error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


async def _watch(games: Mapping[str, Game], tables: TableServices) -> None:
    """Interrupt third-party games that run too long, and exclude those that do so repeatedly."""
    if not isinstance(games, GameOffer):
        return
    offer = games

    def leave_out(id: str, why: str) -> None:
        """Exclude a game, and evict its tables."""
        offer.exclude(id, why)
        tables.executor.evict_game(id)

    await RunawayGuard(offer.third_party(), leave_out).run()


async def _listen(tables: TableServices, bus: Bus) -> None:
    """Listen to changes by other servers on the same PostgreSQL, and reconnect after failures."""
    while True:
        try:
            async with bus.listening(tables.executor.handle_notification) as ended:
                tables.executor.invalidate_all()
                tables.hub.end_all()  # they may have missed changes and the end of their session
                await ended.wait()
        except Exception as error:
            seldom.error("can't listen to other servers", error=str(error))
        await asyncio.sleep(1)


class Site(Starlette):
    """The application: pages with compression, the API without, and the guard around both.

    API clients send many small requests that don't need the middleware of pages.
    """

    _guard: Guard

    def build_middleware_stack(self) -> ASGIApp:
        """Return the guard around pages and API."""
        the_api = endpoints.create_api()
        inner = ExceptionMiddleware(self.router, handlers=self.exception_handlers)
        the_pages = GzipMiddleware(inner, minimum_size=600)

        async def _route(scope: Scope, receive: Receive, send: Send) -> None:
            """Pass a request to the API or to the pages."""
            is_api = scope["type"] == "http" and scope["path"].startswith(endpoints.ROOT + "/")
            await (the_api if is_api else the_pages)(scope, receive, send)

        return Guard(_route, settings=self.state.settings, refuse=_refuse, refusals=self.state.refusals)


def create_app(
    settings: ServerSettings,
    games: Mapping[str, Game] | None = None,
    *,
    provider_transport: httpx2.AsyncBaseTransport | None = None,
) -> Site:
    """Return the application.

    Args:
        settings: Settings of the server.
        games: The games to offer, or None for those in the settings.
        provider_transport: Transport of requests to the OpenID Connect provider, or None for the
            network.

    Raises:
        ComponentError: If a component file isn't valid.
        OperatorTextError: If a text of the operator can't be used.
        OSError: If the folder for refused requests can't be made.
        UnknownGame: If the settings name a game that isn't installed.
    """
    check_site(settings.site)
    refusals = RefusalLog(Path(settings.log_refused)) if settings.log_refused else None
    replace_components(settings.components)
    offer = build_offer(settings) if games is None else games

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        """Run the services while the application runs."""
        store = await Store.open(
            settings.url,
            full=settings.full_sync,
            pool=settings.db_pool,
            overflow=settings.db_overflow,
            listen=settings.db_listen,
        )
        thinking: dict[str, Any] = {
            "seconds": settings.bot_seconds,
            "memory": settings.bot_memory,
            "components": settings.components,
        }
        pool = BotPool(settings.bot_workers, **thinking)
        analysts = BotPool(1, nice=10, **thinking)
        verifiers = BotPool(1, nice=10, **thinking)
        channels = ChannelSender(settings)
        tables = TableServices(
            store,
            settings,
            offer,
            bot_levels=bots.levels,
            pool=pool,
            analysts=analysts,
            verifiers=verifiers,
            channels=channels,
            reserved_names=level_names(),
            provider=OpenIdProvider(settings, provider_transport) if settings.oidc_issuer else None,
        )
        app.state.tables = tables
        watch = asyncio.create_task(_watch(offer, tables))
        heartbeat = app.state.heartbeat = Heartbeat(tables.executor, partial(signal.raise_signal, signal.SIGTERM))
        health = app.state.health = Health(heartbeat, store)
        scheduler = Scheduler(tables)
        dispatcher = NotificationDispatcher(tables.executor, tables.presence, channels)
        scheduler.sweeps.append(dispatcher.sweep)
        try:
            await heartbeat.begin()
            await repair(tables.executor)
        except BaseException:
            watch.cancel()
            await store.close()
            raise
        running = (scheduler.run(), dispatcher.run(), heartbeat.run(), tables.presence.run(), pool.warm())
        tasks = [watch, *map(asyncio.create_task, running)]
        if refusals is not None:
            tasks.append(asyncio.create_task(refusals.run()))
        if store.bus is not None:
            store.bus.on_batch = metrics.NOTIFY_BATCHES.inc
            tasks.append(asyncio.create_task(_listen(tables, store.bus)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await health.end()
            await pool.close()
            await analysts.close()
            await verifiers.close()
            await heartbeat.end()
            await store.close()

    app = Site(
        routes=[Route("/livez", livez), Route("/healthz", healthz), *events.routes, *pages.routes],
        exception_handlers={HTTPException: _not_served},
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.refusals = refusals
    app.middleware_stack = app.build_middleware_stack()
    return app
