"""Everything that can be set about a server has an option and a variable of the environment."""

import dataclasses
import sys
from typing import Any

import pytest

from atoll.server.compose import serving
from atoll.server.domain.settings import ServerSettings, option, variable
from tests.cli.command import Atoll

OTHERS: dict[str, tuple[str, Any]] = {
    "host": ("0.0.0.0", "0.0.0.0"),  # noqa: S104 - never listened at
    "public_url": ("https://table.example.org", "https://table.example.org"),
    "limits": ("chat=5/minute", {"chat": "5/minute"}),
    "components": ("mine.toml", ("mine.toml",)),
    "bot_memory": ("1000000000", 1_000_000_000),
    "smtp": ("smtp://mail.example.org", "smtp://mail.example.org"),
    "allow_outgoing": ("10.0.0.0/8", ("10.0.0.0/8",)),
    "oidc_issuer": ("https://sign-in.example.org", "https://sign-in.example.org"),
}
NEEDED: dict[str, dict[str, Any]] = {
    "smtp": {"mail_from": "table@example.org"},
    "oidc_issuer": {"oidc_client": "atoll", "public_url": "https://table.example.org"},
}
FIELDS: tuple[Any, ...] = dataclasses.fields(ServerSettings)


def other(field: Any) -> tuple[str, Any]:
    """A value that isn't the default, as text and as it is."""
    if field.name in OTHERS:
        return OTHERS[field.name]
    if isinstance(field.default, str):
        return "other", "other"
    value = min(field.default + 7000, field.metadata.get("high") or field.default + 7000)
    return str(value), value


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServerSettings]:
    """Provide a list of the settings with which a server was started."""
    found: list[ServerSettings] = []
    monkeypatch.setattr(serving, "serve", lambda settings, open_browser: found.append(settings))
    monkeypatch.setattr("sys.path", [*sys.path])
    for field in FIELDS:
        monkeypatch.delenv(variable(field), raising=False)
    return found


def test_without_anything_all_is_as_by_default(atoll: Atoll, served: list[ServerSettings]) -> None:
    assert atoll("serve").status == 0
    assert served == [ServerSettings()]


def test_without_a_command_a_table_is_opened(
    atoll: Atoll, served: list[ServerSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[bool] = []
    monkeypatch.setattr(serving, "serve", lambda settings, open_browser: opened.append(open_browser))
    monkeypatch.setenv("ATOLL_PLUGINS", "")
    assert atoll().status == 0
    assert atoll("--plugin", "json").status == 0
    assert opened == [True, True]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_setting_has_an_option_and_a_variable(
    atoll: Atoll, served: list[ServerSettings], monkeypatch: pytest.MonkeyPatch, field: Any
) -> None:
    needed = NEEDED.get(field.name, {})
    for each in FIELDS:
        if each.name in needed:
            monkeypatch.setenv(variable(each), needed[each.name])
    if field.default is False:
        atoll("serve", option(field))
        monkeypatch.setenv(variable(field), "1")
        value: Any = True
    else:
        text, value = other(field)
        atoll("serve", option(field), text)
        monkeypatch.setenv(variable(field), text)
    atoll("serve")
    wanted = dataclasses.replace(ServerSettings(), **{field.name: value}, **needed)
    assert wanted != ServerSettings()
    assert served == [wanted, wanted]


def test_what_may_be_repeated_is(atoll: Atoll, served: list[ServerSettings], monkeypatch: pytest.MonkeyPatch) -> None:
    atoll("serve", "--limit", "chat=", "--limit", "join=1/hour")
    monkeypatch.setenv("ATOLL_LIMITS", "chat= join=1/hour")
    atoll("serve")
    assert [each.limits for each in served] == [{"chat": "", "join": "1/hour"}] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--limit", "chat"], "--limit 'chat': write NAME=RATE, such as chat=5/minute"),
        (["--limit", "chat=often"], "invalid limit 'often': expected a count per second, minute, hour or day"),
        (["--limit", "cat=1/day"], "unknown limits ['cat']; known: request, "),
        (
            ["--public-url", "table.example.org"],
            "--public-url: 'table.example.org' isn't a public address: expected http:// or https://",
        ),
    ],
)
def test_what_cannot_be_set_is_said(
    atoll: Atoll, served: list[ServerSettings], arguments: list[str], message: str
) -> None:
    ended = atoll("serve", *arguments)
    assert ended.status == 1 and ended.err.startswith(f"atoll: {message}")
    assert not served


def test_numbers_without_an_end_are_refused(atoll: Atoll, served: list[ServerSettings]) -> None:
    fields = [field for field in FIELDS if type(field.default) is float]
    assert fields
    for field in fields:
        for number in ("inf", "nan"):
            assert atoll("serve", option(field), number).status == 2, (field.name, number)
    assert not served


def test_numbers_out_of_range_are_refused(atoll: Atoll, served: list[ServerSettings]) -> None:
    for field in FIELDS:
        if field.metadata["low"] is not None:
            ended = atoll("serve", option(field), str(type(field.default)(field.metadata["low"] - 1)))
            assert ended.status == 2 and option(field) in ended.err, field.name
            with pytest.raises(ValueError, match="expected "):
                ServerSettings(**{field.name: field.metadata["low"] - 1})
    assert not served
