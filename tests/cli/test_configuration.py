"""Settings come from options, variables, files of secrets and a config file, in this order."""

import sys
import tomllib
from pathlib import Path

import pytest

from atoll.server.compose import serving
from atoll.server.domain.settings import ServerSettings
from tests.cli.command import Atoll


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config file, in a folder without others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    for name in ("ATOLL_CONFIG", "ATOLL_DB", "ATOLL_PORT", "ATOLL_SECRET", "ATOLL_PLUGINS"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "atoll.toml"
    file.write_text('port = 9000\nbot-seconds = 3\nlimit = ["chat=5/minute"]\nlog-json = true\ndb = "sqlite:///c.db"\n')
    return file


def test_the_order_is_option_variable_file_default(atoll: Atoll, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[ServerSettings] = []
    monkeypatch.setattr(serving, "serve", lambda settings, open_browser: served.append(settings))
    arguments = ("serve", "--config", config)
    assert atoll(*arguments).status == 0
    wanted = ServerSettings(
        port=9000, bot_seconds=3.0, limits={"chat": "5/minute"}, log_json=True, url="sqlite:///c.db"
    )
    monkeypatch.setenv("ATOLL_PORT", "9001")
    atoll(*arguments)
    atoll(*arguments, "--port", 9002)
    assert served[0] == wanted
    assert [each.port for each in served] == [9000, 9001, 9002]


def test_shown_settings_are_a_config_file_without_secrets(
    atoll: Atoll, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (config.parent / "secret").write_text("very-hidden\n")
    monkeypatch.setenv("ATOLL_SECRET_FILE", str(config.parent / "secret"))
    monkeypatch.setenv("ATOLL_CONFIG", str(config))
    mail = ("--smtp", "smtp://ada:also-hidden@mail.example.org", "--mail-from", "a@example.org")
    shown = atoll("config", "show", "--games", "atua", *mail).out
    found = tomllib.loads(shown)
    assert (found["port"], found["log-json"], found["games"], found["secret"]) == (9000, True, "atua", "***")
    assert found["smtp"] == "smtp://ada:***@mail.example.org"
    assert "hidden" not in shown
    sources = {line.partition(" = ")[0]: line.rpartition("# ")[2] for line in shown.splitlines()}
    assert sources["port"] == str(config) and sources["games"] == "--games" and sources["host"] == "default"
    assert sources["secret"].endswith("_SECRET_FILE")
    ended = atoll("config", "check")
    assert (ended.status, ended.out[:22]) == (0, "the settings are valid")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "unknown setting 'prot'; known: host, port"),
        ('port = "9000"', "port = '9000': expected a number"),
        ("port = true", "port = True: expected a number"),
        ("log-json = 1", "log-json = 1: expected true or false"),
        ('limit = "chat="', "limit = 'chat=': expected a list of texts"),
        ("port = ", "not TOML"),
    ],
)
def test_a_wrong_config_file_is_refused(atoll: Atoll, config: Path, text: str, message: str) -> None:
    config.write_text(text)
    ended = atoll("config", "check", "--config", config)
    assert ended.status == 2
    assert message in " ".join(ended.err.split())


def test_wrong_values_variables_and_files_of_secrets_are_named(
    atoll: Atoll, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert atoll("config", "check", "--public-url", "nowhere").err.startswith("atoll: --public-url: 'nowhere'")
    monkeypatch.setenv("ATOLL_PROT", "1")
    ended = atoll("config", "check")
    assert (ended.status, ended.err) == (1, "ATOLL_PROT: nothing reads this variable\n")
    monkeypatch.setenv("ATOLL_SECRET_FILE", str(config.parent / "none"))
    assert "ATOLL_SECRET_FILE=" in atoll("config", "check").err
    (config.parent / "none").touch()
    assert "the file is empty" in " ".join(atoll("config", "check").err.split())
    monkeypatch.setenv("ATOLL_SECRET", "twice")
    assert "are both set" in " ".join(atoll("config", "check").err.split())


def test_other_commands_find_the_database_of_the_server(
    atoll: Atoll, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATOLL_CONFIG", str(config))
    assert atoll("migrate").out == "migrated to schema 1\n"
    assert (config.parent / "c.db").exists()
    assert atoll("migrate", "--check").out == "schema 1, up to date\n"
    assert atoll("migrate", "--sql").out == ""
    assert atoll("migrate", "--check", "--sql").status == 2
    (config.parent / "db").write_text("sqlite:///other.db")
    monkeypatch.setenv("ATOLL_DB_FILE", str(config.parent / "db"))
    ended = atoll("migrate", "--check")
    assert (ended.status, ended.err) == (
        1,
        "atoll: the database sqlite+pysqlite:///other.db doesn't exist: name another one with --db\n",
    )


def test_the_version_is_told(atoll: Atoll) -> None:
    ended = atoll("--version")
    assert ended.status == 0
    assert ended.out.startswith("atoll 0.") and f"Python {sys.version.split()[0]}, " in ended.out


def test_backup_maintenance_restore_and_doctor(atoll: Atoll, config: Path) -> None:
    """The commands, one after the other; tests/server has the details."""
    assert atoll("migrate").status == 0
    ended = atoll("backup", "copy.db")
    assert (ended.status, ended.err) == (0, "")
    copied, verified, left_out = ended.out.splitlines()
    assert copied.startswith("copied 0 tables, 0 users, ") and copied.endswith("(schema 1)")
    assert verified == "verified: integrity ok, row counts equal, 0 of 0 games replayed"
    assert left_out.startswith("not included: ATOLL_SECRET")
    assert "exists already" in atoll("backup", "copy.db").err
    assert atoll("maintenance", "status").out == "no maintenance\n"
    assert atoll("maintenance", "on", "--until", "yesterday").status == 2
    assert atoll("maintenance", "on", "--text", "New disk", "--until", "2999-01-01T12:00").out == "maintenance begins\n"
    assert atoll("maintenance", "on", "--text", "Newer disk").out == "maintenance continues with this announcement\n"
    assert atoll("maintenance", "status").out.endswith("\nNewer disk\n")
    assert atoll("maintenance", "off").out.startswith("maintenance is over; clocks stood for ")
    assert atoll("maintenance", "off").out == "there is no maintenance\n"
    assert atoll("restore").status == 2
    restored = atoll("restore", "copy.db", "--db", "sqlite:///new.db")
    assert (restored.status, restored.out.splitlines()[1]) == (0, "0 starts begin again, 0 games are set back")
    examined = atoll("doctor", "--db", "sqlite:///new.db", "--games", "atacama", "--json")
    assert examined.status in (0, 1, 2) and '"check": "backup"' in examined.out
    assert examined.out.count('"check"') == 19
