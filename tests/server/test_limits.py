"""How often one person may do what."""

import pytest

from atoll.server.domain.limits import Limits
from atoll.server.domain.model import NewTable, Refused

from .conftest import ME, OPEN, opened, refused


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
