"""A server in the process of a script that looks at pages."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator

import uvicorn

from atoll.server.compose.app import create_app
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.settings import ServerSettings
from atoll.server.play import TableServices
from atoll.testing.live_server import free_port


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[tuple[TableServices, str]]:
    """Run a server without rate limits on an empty database.

    Yields:
        Its services and its address.
    """
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        limits = dict.fromkeys(DEFAULTS, "")
        app = create_app(ServerSettings(url=f"sqlite:///{folder}/script.db", port=port, limits=limits))
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", timeout_graceful_shutdown=1))
        running = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.05)
        try:
            yield app.state.tables, f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await running
