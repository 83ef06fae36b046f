"""Tables in memory: found by their ids, counted, and never more than there shall be."""

import re
from typing import Any

import pytest

from atoll.server import metrics
from atoll.server.tables.commands import Command

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


def _cached() -> float:
    [metric] = metrics.CACHED.collect()
    return metric.samples[0].value


def test_names_of_commands_that_take_keys_stay_the_same_for_good() -> None:
    found = [each for each in _kinds(Command) if each.answer is not None and hasattr(each, "name")]
    assert {each.__name__: each.name for each in found} == {
        "Choose": "choose",
        "TakeBack": "take back",
        "Drop": "drop",
        "Confirm": "confirm",
        "Join": "join",
        "Say": "say",
    }


def test_every_command_has_a_name_of_its_own() -> None:
    names = {each.__name__: each.name for each in _kinds(Command) if hasattr(each, "name")}
    assert len(names) > 15 and len(set(names.values())) == len(names)


def _kinds(kind: type[Command[Any]]) -> list[type[Command[Any]]]:
    return [found for each in kind.__subclasses__() for found in (each, *_kinds(each))]
