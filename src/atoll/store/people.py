"""What is kept of people: who they are, the tokens by which they are known, what was answered to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from . import schema
from .codec import TEXTS, values
from .rows import CommandRow, TokenRow, UserRow
from .statements import Queries, first_of

_USER_BY_TOKEN = (
    select(schema.users)
    .join(schema.tokens, schema.tokens.c.user_id == schema.users.c.id)
    .where(
        schema.tokens.c.hash == bindparam("token"),
        schema.tokens.c.kind.in_(bindparam("kinds", expanding=True)),
        schema.tokens.c.expires > bindparam("now"),
    )
)


class PeopleStore(Queries):
    """People, their tokens, the keys of their commands."""

    async def add_user(self, user: UserRow, tokens: Iterable[TokenRow]) -> None:
        """A new user with its first tokens, if any."""
        rows = [values(token) for token in tokens]

        def work(connection: Connection) -> None:
            connection.execute(insert(schema.users), values(user))
            if rows:
                connection.execute(insert(schema.tokens), rows)

        await self._database.write(work)

    async def user(self, user_id: str) -> UserRow | None:
        """The user with this id."""
        return first_of(await self._rows(UserRow, select(schema.users).where(schema.users.c.id == user_id), short=True))

    async def user_by_token(self, token_hash: str, kinds: Sequence[str], now: int) -> UserRow | None:
        """Whose token this is, if it is of one of these kinds and hasn't expired."""
        values = {"token": token_hash, "kinds": kinds, "now": now}
        return first_of(await self._rows(UserRow, _USER_BY_TOKEN, values, short=True))

    async def change_user(self, user_id: str, **values: Any) -> None:
        """Write some columns of a user: name, settings, seen."""
        encoded = {
            name: msgspec.json.encode(value).decode() if name in TEXTS else value for name, value in values.items()
        }
        await self._execute(update(schema.users).where(schema.users.c.id == user_id).values(**encoded))

    async def change_calendar(self, user_id: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
        """Write a user's calendar if it still is the old one; whether it was."""
        users = schema.users.c
        texts = [msgspec.json.encode(each).decode() for each in (old, new)]
        same = update(schema.users).where(users.id == user_id, users.calendar == texts[0])
        return await self._execute(same.values(calendar=texts[1])) > 0

    async def drop_strangers(self, before: int) -> int:
        """Remove people who were never at a table and gave no sign of life since a moment; how many."""
        users = schema.users.c
        held: tuple[Any, ...] = (schema.seats.c.user_id, schema.games.c.host, schema.messages.c.user_id)
        nowhere = [~select(column).where(column == users.id).exists() for column in held]
        return await self._execute(delete(schema.users).where(users.seen < before, *nowhere))

    async def add_token(self, token: TokenRow, *, replace: bool = False) -> None:
        """A new token; with `replace` the user's others of the same kind end."""
        tokens = schema.tokens
        old = delete(tokens).where(tokens.c.user_id == token.user_id, tokens.c.kind == token.kind)

        def work(connection: Connection) -> None:
            if replace:
                connection.execute(old)
            connection.execute(insert(tokens), values(token))

        await self._database.write(work)

    async def drop_token(self, token_hash: str) -> bool:
        """End a token. Gives whether there was one."""
        return await self._execute(delete(schema.tokens).where(schema.tokens.c.hash == token_hash)) > 0

    async def command(self, user_id: str, key: str) -> CommandRow | None:
        """What was answered to a user's command with this idempotency key."""
        table = schema.commands.c
        query = select(schema.commands).where(table.user_id == user_id, table.key == key)
        return first_of(await self._rows(CommandRow, query, short=True))

    async def sweep(self, commands_before: int, now: int) -> None:
        """Remove idempotency keys older than a moment, and tokens that have expired."""
        await self._execute(delete(schema.commands).where(schema.commands.c.at < commands_before))
        await self._execute(delete(schema.tokens).where(schema.tokens.c.expires <= now))
