"""Plays one turn again and again, each time killed one step later; run by test_recovery.py as a program.

Usage: python -m tests.server.kill_steps DATABASE_URL. Prints one line per kill: step, answers before, answers after.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from atoll.store import statements, writer
from tests.server.conftest import Room, opened


class _Counted:
    """A driver's cursor; before and after each statement is a step."""

    def __init__(self, cursor: Any, count: Callable[[], None]) -> None:
        self._cursor: Any = cursor
        self._count: Callable[[], None] = count

    def execute(self, *statement: Any) -> None:
        self._count()
        self._cursor.execute(*statement)
        self._count()

    def executemany(self, *statement: Any) -> None:
        self._count()
        self._cursor.executemany(*statement)
        self._count()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


async def _submit(url: str, step: int) -> None:
    """Submit Bob's last sealed wish.

    It causes the reveal, everything that follows, a checkpoint, events and jobs in one turn.
    """
    async with opened(url) as room:
        left = step

        def count(*_args: Any) -> None:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

        engine = room.tables.store._database.writer
        for moment in ("begin", "before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(engine, moment, count)
        original = statements.cursor_of
        for module in (statements, writer):
            module.cursor_of = lambda connection: _Counted(original(connection), count)  # type: ignore[attr-defined]
        await _turn(room)


async def _turn(room: Room) -> None:
    user = await room.tables.users.by_token(os.environ["ATOLL_TEST_TOKEN"], "session")
    assert user is not None
    table = os.environ["ATOLL_TEST_TABLE"]
    view = await room.tables.table_views.table(user, table)
    assert view.turn is not None
    await room.tables.turns.choose(user, table, 1, ["wish pink", "enough"], view.turn.stamp, key="turn", confirm=True)


async def _look(url: str) -> tuple[int, int, int, int, bool]:
    async with opened(url) as room:
        found = await room.tables.store.table(os.environ["ATOLL_TEST_TABLE"])
        assert found is not None
        row, _ = found
        table = row.id
        choices = await room.tables.store.choices(table)
        events = await room.tables.store.events(table)
        points = await room.tables.store.checkpoints(table)
        assert [each.number for each in choices] == list(range(row.number))
        assert [each.number for each in events] == list(range(row.told))
        view = await room.tables.table_views.table(None, table)
        assert view.view_sequence == row.sequence and view.status == "running"
        user = await room.tables.users.by_token(os.environ["ATOLL_TEST_TOKEN"], "session")
        assert user is not None
        done = await room.tables.store.command(user.id, "turn") is not None
        return row.sequence, len(choices), len(events), len(points), done


def main() -> None:
    """Kill after step 0, 1, 2, ... until the turn gets through."""
    url = sys.argv[1]
    step = 0
    after = asyncio.run(_look(url))
    while True:
        before = after
        child = os.fork()
        if child == 0:
            asyncio.run(_submit(url, step))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        after = asyncio.run(_look(url))
        killed = os.WIFSIGNALED(status)
        print(step, int(killed), int(before == after), int(before[-1]), int(after[-1]), flush=True)  # noqa: T201
        if after[-1]:
            return
        step += 1


if __name__ == "__main__":
    main()
