"""Tables in memory: found by their ids, counted, and never more than there shall be."""

import asyncio
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from atoll.server.domain import metrics
from atoll.server.play.commands import Command
from atoll.store import Store

from .conftest import Room, opened, refused

pytestmark = pytest.mark.anyio


async def test_table_ids_are_unguessable_and_strange_ones_are_refused(room: Room) -> None:
    ids = {await room.table("atacama", "Ada", "Bob", start=False) for _ in range(5)}
    assert len(ids) == 5 and all(re.fullmatch("[a-z2-7]{14}", id) for id in ids)
    for strange in ("", "../x", "a" * 33, "A", "\x00", "é", "a b"):
        with refused("no_table"):
            await room.view(None, strange)


async def test_tables_in_memory_are_bounded_and_counted(sqlite_url: str) -> None:
    async with opened(sqlite_url, cached_tables=2) as room:
        tables = [await room.table("atacama", "Ada", "Bob", start=False) for _ in range(3)]
        for table in tables:
            await room.forget()
            await room.view("Ada", table)
            assert _cached() == 1
        for table in tables:
            await room.view("Ada", table)
        assert _cached() == 2


async def test_tables_are_read_beside_each_other_and_each_only_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, other, third = [await room.table("atacama", "Ada", "Bob", start=False) for _ in range(3)]
    await room.forget()
    reads: list[str] = []
    goes_on = asyncio.Event()
    table = room.tables.store.table

    async def read(id: str) -> Any:
        reads.append(id)
        if id == slow:
            await goes_on.wait()
        return await table(id)

    monkeypatch.setattr(room.tables.store, "table", read)
    viewers = [asyncio.create_task(room.view("Ada", slow)) for _ in range(3)]
    async with asyncio.timeout(5):
        await asyncio.sleep(0.01)
        await room.view("Ada", other)
        assert reads == [slow, other]
        everything = asyncio.create_task(room.tables.executor.lock_all())
        await asyncio.sleep(0.01)
        later = asyncio.create_task(room.view("Bob", third))
        await asyncio.sleep(0.01)
        assert not any(each.done() for each in (*viewers, everything, later))
        goes_on.set()
        async with await everything:
            assert reads == [slow, other]
        await asyncio.gather(*viewers, later)
    assert reads == [slow, other, third]


async def test_while_nobody_else_writes_to_the_file_it_is_not_asked_again(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/atoll.db", trust_s=0.0) as room:
        login = await room.tables.users.guest("Ada")
        room.people["Ada"] = login.user
        table = await room.table("atacama", "Ada", "Bob")
        await room.view("Ada", table)
        asked = _Asked(room.tables.store)
        room.tables.executor.store = room.tables.users._store = asked  # type: ignore[assignment]

        async def looked() -> list[str]:
            asked.calls.clear()
            known = await room.tables.users.by_token(login.token, "session")
            assert known is not None and known.id == login.user.id
            await room.view("Ada", table)
            return asked.calls

        await looked()
        assert await looked() == []
        await room.tables.store.change_user(login.user.id, name="Ada")
        assert await looked() == [], "the server itself has written"
        other = sqlite3.connect(tmp_path / "atoll.db")
        other.execute("UPDATE games SET revision = revision + 1, status = 'over'")
        other.commit()
        other.close()
        assert await looked() == ["user_by_token", "revision", "table", "notices", "events", "messages", "note"]
        assert (await room.view("Ada", table)).status == "over"
        assert await looked() == []


class _Asked:
    """A store that says what it was asked to read."""

    def __init__(self, store: Store) -> None:
        self._store: Store = store
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name not in ("external_version", "dialect"):
            self.calls.append(name)
        return getattr(self._store, name)


async def test_what_is_new_is_not_read(room: Room) -> None:
    """Nobody has noted anything at a table that was just made."""
    asked = _Asked(room.tables.store)
    room.tables.executor.store = asked  # type: ignore[assignment]
    table = await room.table("atacama", "Ada", "Bob")
    for name in ("Ada", "Bob"):
        assert (await room.view(name, table)).notes == ""
    assert set(asked.calls) == {"count_tables", "commit", "bus"}


def _cached() -> float:
    [metric] = metrics.CACHED.collect()
    return metric.samples[0].value


def test_names_of_commands_that_take_keys_stay_the_same_for_good() -> None:
    found = [each for each in _kinds(Command) if each.answer is not None and hasattr(each, "name")]
    assert {each.__name__: each.name for each in found} == {
        "MakeChoices": "choose",
        "UndoChoices": "take back",
        "RemovePicked": "drop",
        "ConfirmTurn": "confirm",
        "JoinTable": "join",
        "AnswerRequest": "answer request",
        "PostMessage": "say",
    }


def test_every_command_has_a_name_of_its_own() -> None:
    names = {each.__name__: each.name for each in _kinds(Command) if hasattr(each, "name")}
    assert len(names) > 15 and len(set(names.values())) == len(names)


def _kinds(kind: type[Command[Any]]) -> list[type[Command[Any]]]:
    return [found for each in kind.__subclasses__() for found in (each, *_kinds(each))]
