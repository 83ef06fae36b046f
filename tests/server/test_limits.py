"""Rate limits per person."""

from pathlib import Path

import pytest

from atoll.server.compose import runaway_guard
from atoll.server.domain import logs
from atoll.server.domain.limits import DEFAULTS, Limits
from atoll.server.domain.model import NewTable, Refused
from atoll.server.domain.settings import ServerSettings
from atoll.server.notify import safe_http
from atoll.server.play import device_links, mail_links, notification_settings, passkeys, rescues, users
from atoll.store import moderation

from .conftest import ME, OPEN, opened, refused

ROOT = Path(__file__).parents[2]


@pytest.mark.anyio
async def test_limits_bound_what_one_person_may_do(sqlite_url: str) -> None:
    limits = {"chat": "2/minute", "table": "1/hour"}
    async with opened(sqlite_url, limits=limits) as room:
        table = await room.table("atacama", "Ada", "Bob")
        for _ in range(2):
            await room.tables.chat.say(room.people["Ada"], table, "hi")
        with refused("limit") as caught:
            await room.tables.chat.say(room.people["Ada"], table, "hi")
        assert 0 < caught.value.retry_after <= 60
        await room.tables.chat.say(room.people["Bob"], table, "hi")
        with refused("limit"):
            await room.tables.table_setup.create(room.people["Ada"], NewTable("atacama", (ME, OPEN)))


def test_a_limit_lets_so_many_through_and_then_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    limits = Limits({"chat": "3/minute", "join": ""})

    def waits(who: str) -> int:
        try:
            limits.hit("chat", who)
        except Refused as error:
            return error.retry_after
        return 0

    assert [waits("Ada") for _ in range(5)] == [0, 0, 0, 20, 20]
    assert waits("Bob") == 0
    now += 20
    assert [waits("Ada") for _ in range(2)] == [0, 20]
    now += 3600
    assert [waits("Ada") for _ in range(4)] == [0, 0, 0, 20]
    for _ in range(1000):
        limits.hit("join", "Ada")
    for rate in ("3", "/minute", "0/minute", "-1/hour", "x/hour", "1/year"):
        with pytest.raises(ValueError, match="expected a count per second, minute, hour or day"):
            Limits({"chat": rate})


def test_limits_forget_whom_they_need_not_remember(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    limits = Limits({"request": "10/second"})
    for number in range(50_000):
        now += 0.01
        limits.hit("request", f"{number}")
    assert len(limits._full_at) <= 10_001


def test_the_page_about_security_states_the_limits_of_the_code() -> None:
    page = (ROOT / "docs/develop/explanation-security.md").read_text("utf-8")
    rate = {name: each.replace("/", " an " if each.endswith("/hour") else " a ") for name, each in DEFAULTS.items()}
    server = ServerSettings()
    for stated in (
        f"{rate['mail']} and {mail_links.MAILS_A_DAY} a day by /64",
        f"{mail_links.MAILS_A_DAY} a day by address, at most {mail_links.MAILS_A_DAY_BY_NETWORK} of them by one /64",
        f"{mail_links.CODE_TRIES} tries, each counted",
        f"{mail_links.MAIL_MINUTES} minutes, one use",
        f"one use, {passkeys.CHALLENGE_MINUTES} minutes, bound to the browser",
        f"one use, {device_links.LINK_MINUTES} minutes, and the first device",
        f"{rate['guest']} by /64",
        f"it works after {rescues.WAIT_DAYS} days",
        f"can't take it for {users.FORMER_NAME_DAYS} days",
        f"refused for {users.RENAME_DAYS} days",
        f"{rate['account'].replace(' an', ' tries an')}",
        f"{8 * users._TOKEN_BYTES} random bits",
        f"{rate['channel'].replace(' an', ' additions an')}, {notification_settings.MOST} channels",
        f"{safe_http._MOST_READ // 1024} KiB of the answer",
        f"{rate['stranger'].replace(' an', ' messages an')} and table",
        f"{rate['report']} by account or network",
        f"for {moderation._NEW_GUESTS_MS // 3_600_000} hours, before a finished game",
        f"{server.head_bytes // 1024} KiB a head, {server.body_bytes // 1024} KiB a body",
        f"after {runaway_guard.SECONDS:.0f} s of processor time, or {runaway_guard.PATIENCE_S:.0f} s of waiting",
        f"logged once in {'ten' if logs._EVERY_S == 10 else logs._EVERY_S} seconds",
    ):
        assert stated in page, stated
