"""Addresses of databases, files that can't be used, and who can read them."""

import asyncio
import errno
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from atoll.store import Store, StoreError
from atoll.store.address import connection_arguments, parse_address

UNDERSTOOD = [
    "postgresql://u:p%40x@127.0.0.1:1/x?sslmode=require",
    "postgresql://u:p@127.0.0.1:1/x?application_name=atoll&connect_timeout=3",
    "postgresql://u:p@127.0.0.1:1/x?sslmode=disable&channel_binding=prefer",
    "postgres://u:p@127.0.0.1:1/x",
    "postgresql://u@/x?host=127.0.0.1&port=1&target_session_attrs=any",
    "postgresql+asyncpg://u:p@127.0.0.1:1/x",
]

REFUSED = [
    ("postgresql://u:p@127.0.0.1:1/x?sslmode=always", "sslmode 'always': expected disable, allow, prefer, require"),
    (
        "postgresql://u:p@127.0.0.1:1/x?channel_binding=require",
        "'channel_binding' isn't supported: expected app",
    ),
    ("postgresql://u:p@127.0.0.1:1/x?ssl=require", "'ssl' isn't supported: expected .*sslmode"),
    ("postgresql://u:p@127.0.0.1:1/x?options=-csearch_path%3Da", "'options' isn't supported"),
    ("postgresql://u:p@127.0.0.1:1/x?connect_timeout=soon", "connect_timeout 'soon': expected a number"),
    ("postgresql://u:secret@host:port/x", r"'postgresql://u:\*\*\*@host:port/x' isn't a database URL"),
    (
        "postgresql://u:p@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/none.pem",
        "none.pem can't be opened: No such file",
    ),
    *((f"sqlite:///a.db{end}", "expected sqlite:/// and its name as it is") for end in ("?mode=ro", "?", "#x", "%20b")),
    ("sqlite://host/a.db", "expected sqlite:/// and its name as it is"),
]


@pytest.mark.parametrize("address", UNDERSTOOD)
def test_an_address_as_providers_give_it_out_is_understood(address: str) -> None:
    """Nobody listens there; that far it comes."""
    with pytest.raises(StoreError, match=r"can't be opened: .*Connect call failed") as caught:
        asyncio.run(Store.open(address))
    assert "\n" not in str(caught.value) and "p%40x" not in str(caught.value)


@pytest.mark.parametrize(("address", "reason"), REFUSED)
def test_an_address_that_is_not_understood_is_refused_in_one_line(address: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason) as caught:
        asyncio.run(Store.open(address))
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


def test_the_driver_gets_the_parameters() -> None:
    url = parse_address("postgresql://u:p%40x@h:1/x?sslmode=require&connect_timeout=3&channel_binding=prefer")
    assert connection_arguments(url) == {"dsn": "postgresql://u:p%40x@h:1/x?sslmode=require", "timeout": 3.0}


def test_parameters_reach_the_server(postgres_url: str) -> None:
    async def test() -> str:
        store = await Store.open(f"{postgres_url}&application_name=the+club&connect_timeout=5&sslmode=prefer")
        try:
            return await store._database.read(lambda c: str(c.exec_driver_sql("SHOW application_name").scalar()))
        finally:
            await store.close()

    assert asyncio.run(test()) == "the club"


async def _opened(file: Path) -> None:
    store = await Store.open(f"sqlite:///{file}")
    try:
        await store.probe()
        assert {stat.S_IMODE(each.stat().st_mode) for each in file.parent.glob("*")} == {0o600}
    finally:
        await store.close()


def test_only_its_owner_reads_the_database_and_its_copies(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    before = os.umask(0o022)
    try:
        asyncio.run(_opened(tmp_path / "a b.db"))
        request.getfixturevalue("next_revision")
        asyncio.run(_opened(tmp_path / "a b.db"))
    finally:
        os.umask(before)
    [copy] = tmp_path.glob("*.before-*")
    assert copy.stat().st_size and stat.S_IMODE(copy.stat().st_mode) == 0o600


def _truncated(file: Path) -> None:
    asyncio.run(_opened(file))
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 3])


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda file: file.write_text("no database" * 1000), "damaged or isn't an SQLite database"),
        (_truncated, "damaged or isn't an SQLite database"),
        (Path.mkdir, "can't be opened: "),
    ],
)
def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path, spoil: object, reason: str) -> None:
    file = tmp_path / "x.db"
    spoil(file)  # type: ignore[operator]
    with pytest.raises(StoreError, match=reason) as caught:
        asyncio.run(_opened(file))
    assert "\n" not in str(caught.value) and str(file) in str(caught.value)


@pytest.mark.parametrize("error", [PermissionError, OSError])
def test_a_folder_that_cannot_be_written_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[OSError]
) -> None:
    """The system refuses what the owner of a folder may not do, and everything on a read-only file system."""
    number = errno.EACCES if error is PermissionError else errno.EROFS
    file = tmp_path / "x.db"
    opened = os.open

    def refuse(path: str | Path, *args: int, **values: int) -> int:
        if Path(path) == file:
            raise error(number, os.strerror(number), str(path))
        return opened(path, *args, **values)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError) as caught:
        asyncio.run(_opened(file))
    assert str(caught.value).endswith(f"{file} can't be opened: {os.strerror(number)}")


@pytest.mark.parametrize("most", [0, 50_000])
def test_a_full_disk_is_named_in_one_line_at_start(tmp_path: Path, most: int) -> None:
    """Of a new database and of one that is there."""
    program = "import sys; from atoll.cli.main import main; sys.argv[1:] = ['serve', '--port', '0', '--db', sys.argv[1]]; main()"
    file = tmp_path / "x.db"
    if not most:
        asyncio.run(_opened(file))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    done = subprocess.run(
        [sys.executable, "-c", program, f"sqlite:///{file}"],
        capture_output=True,
        text=True,
        timeout=100,
        preexec_fn=limit,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("atoll: the database sqlite"), done.stderr
    assert "Traceback" not in done.stderr
