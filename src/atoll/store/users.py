"""Users, their tokens, and the answers to their commands by idempotency key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from . import schema
from .codec import TEXTS, values
from .rows import CommandRow, TokenRow, UserRow
from .statements import Queries, first_row

_USER_BY_TOKEN = (
    select(schema.users)
    .join(schema.tokens, schema.tokens.c.user_id == schema.users.c.id)
    .where(
        schema.tokens.c.hash == bindparam("token"),
        schema.tokens.c.kind.in_(bindparam("kinds", expanding=True)),
        schema.tokens.c.expires > bindparam("now"),
    )
)


class UserStore(Queries):
    """Reads and writes of users, tokens and idempotency keys."""

    async def add_user(self, user: UserRow, tokens: Iterable[TokenRow]) -> None:
        """Add a user with their first tokens, if any."""
        rows = [values(token) for token in tokens]

        def work(connection: Connection) -> None:
            """Add the user and the tokens."""
            connection.execute(insert(schema.users), values(user))
            if rows:
                connection.execute(insert(schema.tokens), rows)

        await self._database.write(work)

    async def user(self, user_id: str) -> UserRow | None:
        """Return the user with this id, or None."""
        return first_row(
            await self._rows(UserRow, select(schema.users).where(schema.users.c.id == user_id), short=True)
        )

    async def user_by_token(self, token_hash: str, kinds: Sequence[str], now: int) -> UserRow | None:
        """Return the user that a token belongs to.

        Args:
            token_hash: Hash of the token.
            kinds: Accepted kinds of tokens.
            now: The current time in milliseconds.

        Returns:
            The user, or None if the token doesn't exist or has expired.
        """
        values = {"token": token_hash, "kinds": kinds, "now": now}
        return first_row(await self._rows(UserRow, _USER_BY_TOKEN, values, short=True))

    async def change_user(self, user_id: str, **values: Any) -> None:
        """Write some columns of a user.

        Args:
            user_id: The user.
            **values: Values by column, for example `name`, `settings` or `seen`.
        """
        encoded = {
            name: msgspec.json.encode(value).decode() if name in TEXTS else value for name, value in values.items()
        }
        await self._execute(update(schema.users).where(schema.users.c.id == user_id).values(**encoded))

    async def change_calendar(self, user_id: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
        """Replace a user's calendar if it is still the old one.

        Args:
            user_id: The user.
            old: The calendar that was read.
            new: The calendar to write.

        Returns:
            Whether it was replaced.
        """
        users = schema.users.c
        texts = [msgspec.json.encode(each).decode() for each in (old, new)]
        same = update(schema.users).where(users.id == user_id, users.calendar == texts[0])
        return await self._execute(same.values(calendar=texts[1])) > 0

    async def delete_inactive_guests(self, before: int) -> int:
        """Delete inactive users that were never at a table.

        Args:
            before: Time of the last activity, in milliseconds; users active since then stay.

        Returns:
            The number of deleted users.
        """
        users = schema.users.c
        references: tuple[Any, ...] = (schema.seats.c.user_id, schema.games.c.host, schema.messages.c.user_id)
        nowhere = [~select(column).where(column == users.id).exists() for column in references]
        return await self._execute(delete(schema.users).where(users.seen < before, *nowhere))

    async def add_token(self, token: TokenRow, *, replace: bool = False) -> None:
        """Add a token.

        Args:
            token: The token.
            replace: Whether to delete the user's other tokens of the same kind.
        """
        tokens = schema.tokens
        old = delete(tokens).where(tokens.c.user_id == token.user_id, tokens.c.kind == token.kind)

        def work(connection: Connection) -> None:
            """Add the token."""
            if replace:
                connection.execute(old)
            connection.execute(insert(tokens), values(token))

        await self._database.write(work)

    async def drop_token(self, token_hash: str) -> bool:
        """Delete a token, and return whether it existed."""
        return await self._execute(delete(schema.tokens).where(schema.tokens.c.hash == token_hash)) > 0

    async def command(self, user_id: str, key: str) -> CommandRow | None:
        """Return the stored answer to a user's command with this idempotency key, or None."""
        table = schema.commands.c
        query = select(schema.commands).where(table.user_id == user_id, table.key == key)
        return first_row(await self._rows(CommandRow, query, short=True))

    async def sweep(self, commands_before: int, now: int) -> None:
        """Delete idempotency keys from before a time, and tokens that have expired."""
        await self._execute(delete(schema.commands).where(schema.commands.c.at < commands_before))
        await self._execute(delete(schema.tokens).where(schema.tokens.c.expires <= now))
